/* The registry: joins the backends of backends.def into one list of devices with one index space, finds what a person
 * names, and describes the list as JSON. Knows no driver; it never fails because of one. */
#include "devices/device.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct assay_backend *const all_backends[] = {
#define BACKEND(name) &assay_backend_##name,
#include "devices/backends.def"
#undef BACKEND
    NULL,
};

/* ---- names ---- */

const char *assay_device_kind_name(enum assay_device_kind kind)
{
    static const char *const names[] = {
        [ASSAY_KIND_OTHER] = "other",       [ASSAY_KIND_INTEGRATED] = "integrated",
        [ASSAY_KIND_DISCRETE] = "discrete", [ASSAY_KIND_VIRTUAL] = "virtual",
        [ASSAY_KIND_CPU] = "cpu",           [ASSAY_KIND_REMOTE] = "remote",
    };
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "other";
}

char *assay_device_label(const struct assay_device_info *info, char text[24])
{
    snprintf(text, 24, "%.12s:%" PRIu32, info->backend ? info->backend : "?", info->index);
    return text;
}

char *assay_vendor_text(uint32_t vendor_id, char text[48])
{
    /* 0x1022 is what AMD's processors, as opposed to its GPUs, carry. */
    static const struct {
        uint32_t id;
        const char *name;
    } vendors[] = {
        {0x1002, "AMD"}, {0x1022, "AMD"},      {0x10de, "NVIDIA"}, {0x8086, "Intel"},
        {0x13b5, "Arm"}, {0x5143, "Qualcomm"}, {0x106b, "Apple"},  {0x10005, "Mesa"},
    };
    const char *name = "unknown";
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        if (vendors[i].id == vendor_id) name = vendors[i].name;
    snprintf(text, 48, "%s (0x%04" PRIx32 ")", name, vendor_id);
    return text;
}

char *assay_uuid_text(const uint8_t uuid[16], char text[37])
{
    static const char digits[] = "0123456789abcdef";
    char *out = text;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *out++ = '-';
        *out++ = digits[uuid[i] >> 4];
        *out++ = digits[uuid[i] & 15];
    }
    *out = '\0';
    return text;
}

char *assay_device_key(const struct assay_device_info *info, char text[384])
{
    if (info->has_uuid)
        assay_uuid_text(info->uuid, text);
    else
        snprintf(text, 384, "%s/%s/%s", info->backend ? info->backend : "?", info->pci, info->name);
    size_t used = strlen(text);
    if (*info->partition) snprintf(text + used, 384 - used, "+%s", info->partition);
    return text;
}

/* ---- discovery ---- */

/* Give every device what the kernel knows of its card; two equal cards are told apart by PCI address (row D08). */
static void read_sysfs(const struct assay_driver_params *params, struct assay_device_list *list)
{
    const char *root = params && params->sysfs_root ? params->sysfs_root : "/sys";
    struct assay_sysfs card[ASSAY_SYSFS_MAX], other;
    size_t count = assay_sysfs_read(root, card, ASSAY_SYSFS_MAX);
    for (size_t i = 0; i < list->count; i++) {
        struct assay_device_info *info = &list->device[i];
        if (info->software || strcmp(info->backend, "cpu") == 0) continue;
        const struct assay_sysfs *found =
            assay_sysfs_match(root, card, count, info->pci, info->vendor_id, info->device_id, &other);
        list->has_sysfs[i] = found != NULL;
        if (!found) continue;
        list->sysfs[i] = *found;
        if (!*info->vbios) memcpy(info->vbios, found->vbios, sizeof info->vbios);
    }
}

/* One card that one driver lists twice, as happens when its manifest is installed in two places. Without a UUID and
 * a PCI address nothing can be said, and two equal cards must not become one. */
static bool same_device(const struct assay_device_info *a, const struct assay_device_info *b)
{
    if (strcmp(a->backend, b->backend) != 0 || a->has_uuid != b->has_uuid) return false;
    if (!a->has_uuid && !*a->pci) return false;
    if (a->has_uuid && memcmp(a->uuid, b->uuid, sizeof a->uuid) != 0) return false;
    return strcasecmp(a->pci, b->pci) == 0;
}

static void note_add(struct assay_device_list *list, const char *backend, const char *text)
{
    if (!*text || list->note_count == ASSAY_BACKENDS_MAX) return;
    list->note[list->note_count].backend = backend;
    snprintf(list->note[list->note_count].text, sizeof list->note[0].text, "%s", text);
    list->note_count++;
}

void assay_discover(const struct assay_driver_params *params, const struct assay_backend *const *backends,
                    struct assay_device_list *list)
{
    static const struct assay_driver_params defaults;
    memset(list, 0, sizeof *list);
    for (const struct assay_backend *const *b = backends ? backends : all_backends; *b; b++) {
        size_t room = ASSAY_DEVICES_MAX - list->count, found = 0;
        char note[256] = "";
        (*b)->discover(params ? params : &defaults, list->device + list->count, room, &found, note);
        note[sizeof note - 1] = '\0';
        if (found > room) found = room;
        for (size_t i = list->count; i < list->count + found; i++) {
            list->device[i].backend = (*b)->name;
            list->device[i].list_index = (uint32_t)i;
            for (size_t j = 0; j < i && !list->device[i].duplicate; j++)
                list->device[i].duplicate = same_device(&list->device[i], &list->device[j]);
        }
        list->count += found;
        if (!found && !*note) snprintf(note, sizeof note, "no device found");
        note_add(list, (*b)->name, note);
    }
    assay_nvidia_describe(params ? params : &defaults, list->device, list->count);
    read_sysfs(params, list);
}

/* ---- selection ---- */

static bool digits_only(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

/* nvidia-smi writes UUIDs as GPU-xxxx and PCI domains with eight digits; both are what people paste. */
static bool uuid_matches(const struct assay_device_info *info, const char *selector)
{
    char text[37];
    if (!info->has_uuid) return false;
    if (!strncasecmp(selector, "GPU-", 4)) selector += 4;
    return !strcasecmp(assay_uuid_text(info->uuid, text), selector);
}

static bool pci_matches(const struct assay_device_info *info, const char *selector)
{
    if (!*info->pci) return false;
    if (!strcasecmp(info->pci, selector)) return true;
    if (strlen(selector) == 16 && !strncmp(selector, "0000", 4)) return !strcasecmp(info->pci, selector + 4);
    return strlen(selector) == 7 && !strncmp(info->pci, "0000:", 5) && !strcasecmp(info->pci + 5, selector);
}

static bool label_matches(const struct assay_device_info *info, const char *selector)
{
    size_t length = strlen(info->backend);
    if (strncasecmp(selector, info->backend, length) != 0) return false;
    if (selector[length] == '\0') return info->index == 0;
    if (selector[length] != ':' || !digits_only(selector + length + 1)) return false;
    errno = 0;
    unsigned long long index = strtoull(selector + length + 1, NULL, 10);
    return errno == 0 && index == info->index;
}

/* Among entries for the same card: no duplicates, and CUDA before other backends. */
static int preference(const struct assay_device_info *info)
{
    return (info->duplicate ? 2 : 0) + (strcmp(info->backend, "cuda") != 0 ? 1 : 0);
}

enum assay_status assay_device_find(const struct assay_device_list *list, const char *selector,
                                    const struct assay_device_info **info, struct assay_error *error)
{
    *info = NULL;
    if (digits_only(selector)) {
        errno = 0;
        unsigned long long index = strtoull(selector, NULL, 10);
        if (errno == 0 && index < list->count) *info = &list->device[index];
    }
    for (size_t i = 0; i < list->count && !*info; i++)
        if (label_matches(&list->device[i], selector)) *info = &list->device[i];
    if (!*info) {
        for (size_t i = 0; i < list->count; i++) {
            const struct assay_device_info *it = &list->device[i];
            if (!uuid_matches(it, selector) && !pci_matches(it, selector)) continue;
            if (!*info || preference(it) < preference(*info)) *info = it;
        }
    }
    if (*info) return ASSAY_OK;

    char known[360];
    size_t used = 0;
    known[0] = '\0';
    for (size_t i = 0; i < list->count && used < sizeof known; i++) {
        char label[24];
        int n = snprintf(known + used, sizeof known - used, "%s%zu = %s %.40s", i ? ", " : "", i,
                         assay_device_label(&list->device[i], label), list->device[i].name);
        if (n > 0) used += (size_t)n;
    }
    return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "no device '%.80s'; there %s: %s%s", selector,
                           list->count == 1 ? "is" : "are", list->count ? known : "none",
                           used >= sizeof known ? "..." : "");
}

enum assay_status assay_device_open(const struct assay_driver_params *params,
                                    const struct assay_device_info *info, struct assay_device **device,
                                    struct assay_error *error)
{
    static const struct assay_driver_params defaults;
    *device = NULL;
    for (const struct assay_backend *const *b = all_backends; *b; b++)
        if (info->backend && !strcmp((*b)->name, info->backend))
            return (*b)->open(params ? params : &defaults, info, device, error);
    return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "no backend is called '%s'",
                           info->backend ? info->backend : "");
}

void assay_device_close(struct assay_device *device)
{
    if (device) device->backend->close(device);
}

/* ---- JSON ---- */

/* Drivers may put any bytes into a name; JSON takes UTF-8 only. */
static json_t *text_json(const char *text)
{
    json_t *value = json_string(text);
    if (value) return value;
    char *plain = strdup(text);
    if (!plain) return NULL;
    for (char *p = plain; *p; p++)
        if ((unsigned char)*p >= 0x80) *p = '?';
    value = json_string(plain);
    free(plain);
    return value;
}

static json_t *bytes_json(uint64_t bytes)
{
    return json_integer(bytes > INT64_MAX ? INT64_MAX : (json_int_t)bytes);
}

static json_t *sysfs_json(const struct assay_sysfs *card)
{
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "card", *card->card ? text_json(card->card) : json_null(),
                  "driver", *card->driver ? text_json(card->driver) : json_null(), "pci",
                  *card->pci ? text_json(card->pci) : json_null(), "vram_bytes",
                  card->has_vram ? bytes_json(card->vram_bytes) : json_null(), "gtt_bytes",
                  card->has_gtt ? bytes_json(card->gtt_bytes) : json_null(), "numa_node",
                  card->has_numa ? json_integer(card->numa_node) : json_null());
    return json ? json : json_null();
}

static json_t *device_json(const struct assay_device_info *info, const struct assay_sysfs *sysfs)
{
    char label[24], vendor[48], uuid[37], key[384];
    const struct assay_limits *limits = &info->limits;
    json_t *limits_json = json_pack(
        "{s:o, s:o, s:[I, I, I], s:I, s:I, s:I}", "binding_bytes", bytes_json(limits->binding_bytes),
        "allocation_bytes", bytes_json(limits->allocation_bytes), "groups", (json_int_t)limits->groups[0],
        (json_int_t)limits->groups[1], (json_int_t)limits->groups[2], "group_invocations",
        (json_int_t)limits->group_invocations, "shared_bytes", (json_int_t)limits->shared_bytes, "push_bytes",
        (json_int_t)limits->push_bytes);
    return json_pack(
        "{s:I, s:s, s:s, s:I, s:o, s:o, s:s, s:I, s:I, s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:I, "
        "s:I, s:I, s:o, s:b,"
        " s:b, s:b, s:o, s:o, s:o, s:o, s:o}",
        "index", (json_int_t)info->list_index, "label", assay_device_label(info, label), "backend",
        info->backend, "backend_index", (json_int_t)info->index, "key",
        text_json(assay_device_key(info, key)), "name", text_json(info->name), "vendor",
        assay_vendor_text(info->vendor_id, vendor), "vendor_id", (json_int_t)info->vendor_id, "device_id",
        (json_int_t)info->device_id, "kind", assay_device_kind_name(info->kind), "api", info->api, "driver",
        text_json(info->driver), "uuid",
        info->has_uuid ? json_string(assay_uuid_text(info->uuid, uuid)) : json_null(), "pci",
        *info->pci ? text_json(info->pci) : json_null(), "device_local_bytes",
        bytes_json(info->device_local_bytes), "host_visible_device_local", info->host_visible_device_local,
        "compute_queues", (json_int_t)info->compute_queues, "compute_units", (json_int_t)info->compute_units,
        "count", (json_int_t)(info->count ? info->count : 1), "usd_per_hour",
        info->usd_per_hour > 0 ? json_real(info->usd_per_hour) : json_null(), "usable", info->usable,
        "software", info->software, "duplicate", info->duplicate, "why", text_json(info->why), "limits",
        limits_json, "vbios", *info->vbios ? text_json(info->vbios) : json_null(), "partition",
        *info->partition ? text_json(info->partition) : json_null(), "sysfs",
        sysfs ? sysfs_json(sysfs) : json_null());
}

/* Cards that work would be put on, best first: discrete before integrated, then the larger memory (row D10). */
static int selection_order(const void *a, const void *b)
{
    const struct assay_device_info *x = *(const struct assay_device_info *const *)a;
    const struct assay_device_info *y = *(const struct assay_device_info *const *)b;
    bool x_discrete = x->kind == ASSAY_KIND_DISCRETE, y_discrete = y->kind == ASSAY_KIND_DISCRETE;
    if (x_discrete != y_discrete) return x_discrete ? -1 : 1;
    if (x->device_local_bytes != y->device_local_bytes)
        return x->device_local_bytes > y->device_local_bytes ? -1 : 1;
    return x->list_index < y->list_index ? -1 : x->list_index > y->list_index;
}

static json_t *selected_json(const struct assay_device_list *list)
{
    const struct assay_device_info *chosen[ASSAY_DEVICES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct assay_device_info *info = &list->device[i];
        bool card = info->kind == ASSAY_KIND_DISCRETE || info->kind == ASSAY_KIND_INTEGRATED;
        if (card && info->usable && !info->software && !info->duplicate) chosen[count++] = info;
    }
    qsort(chosen, count, sizeof chosen[0], selection_order);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_integer(chosen[i]->list_index))) goto fail;
    return array;

fail:
    json_decref(array);
    return NULL;
}

char *assay_devices_json(const struct assay_device_list *list)
{
    char *text = NULL;
    json_t *devices = json_array(), *notes = json_array();
    for (size_t i = 0; i < list->count; i++)
        if (json_array_append_new(devices,
                                  device_json(&list->device[i], list->has_sysfs[i] ? &list->sysfs[i] : NULL)))
            goto done;
    for (size_t i = 0; i < list->note_count; i++) {
        char note[320];
        snprintf(note, sizeof note, "%s: %s", list->note[i].backend, list->note[i].text);
        if (json_array_append_new(notes, text_json(note))) goto done;
    }
    json_t *root =
        json_pack("{s:O, s:o, s:O}", "devices", devices, "selected", selected_json(list), "notes", notes);
    if (root) text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);

done:
    json_decref(notes);
    json_decref(devices);
    return text;
}
