/* An engine's describe() as plain structs, and the choice of devices; see inventory.h. */
#include "harness/inventory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "harness/words.h"

static const char *text_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "";
}

static bool true_of(const json_t *object, const char *field)
{
    return json_is_true(json_object_get(object, field));
}

static enum assay_status malformed(struct assay_error *error, const char *what)
{
    return assay_error_set(error, ASSAY_INVALID_INPUT, "the engine's describe() is malformed: %.400s", what);
}

/* "vulkan:12" -> 12 */
static uint32_t label_index(const char *label)
{
    const char *colon = strrchr(label, ':');
    int64_t value = 0;
    return colon && words_integer(colon + 1, strlen(colon + 1), &value) && value >= 0 ? (uint32_t)value : 0;
}

static enum assay_status read_device(json_t *json, bool allow_software, struct inventory_device *device,
                                     struct assay_error *error)
{
    if (!json_is_object(json)) return malformed(error, "an entry of 'devices' is no object");
    const json_t *index = json_object_get(json, "index");
    *device = (struct inventory_device){
        .label = text_of(json, "label"),
        .backend = text_of(json, "backend"),
        .name = text_of(json, "name"),
        .driver = text_of(json, "driver"),
        .api = text_of(json, "api"),
        .kind = text_of(json, "kind"),
        .key = text_of(json, "key"),
        .uuid = text_of(json, "uuid"),
        .pci = text_of(json, "pci"),
        .vbios = text_of(json, "vbios"),
        .partition = text_of(json, "partition"),
        .why = text_of(json, "why"),
        .software = true_of(json, "software"),
        .usable = true_of(json, "usable"),
        .duplicate = true_of(json, "duplicate"),
        .json = json,
    };
    if (!*device->label || strlen(device->label) >= 24)
        return malformed(error, "a device has no label of 1 to 23 bytes");
    if (!*device->backend) return malformed(error, "a device has no backend");
    if (!json_is_integer(index) || json_integer_value(index) < 0)
        return malformed(error, "a device has no index");
    device->list_index = (uint32_t)json_integer_value(index);
    device->index = label_index(device->label);
    json_int_t bytes = json_integer_value(json_object_get(json, "device_local_bytes"));
    device->memory_bytes = bytes > 0 ? (uint64_t)bytes : 0;
    device->allowed = !device->duplicate && (device->software ? allow_software : device->usable);
    return ASSAY_OK;
}

static enum assay_status read_kernel(const json_t *json, struct inventory_kernel *kernel,
                                     struct assay_error *error)
{
    if (!json_is_object(json)) return malformed(error, "an entry of 'kernels' is no object");
    *kernel =
        (struct inventory_kernel){text_of(json, "name"),      text_of(json, "op"),   text_of(json, "backend"),
                                  text_of(json, "technique"), text_of(json, "mode"), text_of(json, "dtype")};
    if (!*kernel->name || strlen(kernel->name) >= 64)
        return malformed(error, "a kernel has no name of 1 to 63 bytes");
    if (!*kernel->op || !*kernel->backend) return malformed(error, "a kernel has no op or no backend");
    return ASSAY_OK;
}

enum assay_status inventory_parse(const char *json, bool allow_software, struct inventory *inventory,
                                  struct assay_error *error)
{
    json_error_t where;
    enum assay_status status = ASSAY_OK;
    memset(inventory, 0, sizeof *inventory);
    inventory->root = json_loads(json, JSON_REJECT_DUPLICATES, &where);
    if (!inventory->root)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "the engine's describe() is no JSON: line %d: %s",
                               where.line, where.text);
    json_t *devices = json_object_get(inventory->root, "devices"),
           *kernels = json_object_get(inventory->root, "kernels");
    if (!json_is_array(devices)) {
        status = malformed(error, "no array 'devices'");
        goto out;
    }
    if (kernels && !json_is_array(kernels)) {
        status = malformed(error, "'kernels' is no array");
        goto out;
    }
    inventory->engine = text_of(inventory->root, "engine");
    inventory->version = text_of(inventory->root, "version");
    inventory->device = calloc(json_array_size(devices) + 1, sizeof *inventory->device);
    inventory->kernel = calloc(json_array_size(kernels) + 1, sizeof *inventory->kernel);
    if (!inventory->device || !inventory->kernel) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the list of devices");
        goto out;
    }
    for (size_t i = 0; i < json_array_size(devices) && !status; i++)
        status = read_device(json_array_get(devices, i), allow_software,
                             &inventory->device[inventory->device_count++], error);
    for (size_t i = 0; i < json_array_size(kernels) && !status; i++)
        status =
            read_kernel(json_array_get(kernels, i), &inventory->kernel[inventory->kernel_count++], error);
out:
    if (status) inventory_free(inventory);
    return status;
}

enum assay_status inventory_read(const struct adapter *adapter, const struct options *options,
                                 struct inventory *inventory, struct assay_error *error)
{
    struct adapter_options adapter_options;
    char *json = NULL;
    memset(inventory, 0, sizeof *inventory);
    options_adapter(options, &adapter_options);
    enum assay_status status = adapter->describe(&adapter_options, &json, error);
    if (status) return status;
    if (!json) return malformed(error, "it returned nothing");
    status = inventory_parse(json, options->allow_software, inventory, error);
    adapter->release(json);
    return status ? status : inventory_limit(inventory, options, error);
}

enum assay_status inventory_limit(struct inventory *inventory, const struct options *options,
                                  struct assay_error *error)
{
    json_t *kept = json_array(), *notes = json_object_get(inventory->root, "notes"), *index;
    size_t at;
    if (!options->gpu_given) {
        json_decref(kept);
        return ASSAY_OK;
    }
    for (size_t i = 0; i < inventory->device_count; i++) {
        struct inventory_device *device = &inventory->device[i];
        bool listed = false;
        for (size_t g = 0; g < options->gpu_count; g++) listed |= options->gpu[g] == device->list_index;
        device->left_out = !device->software && strcmp(device->backend, "cpu") != 0 && !listed;
        if (device->left_out) device->allowed = false;
    }
    const json_t *selected = json_object_get(inventory->root, "selected");
    for (at = 0; at < json_array_size(selected); at++) {
        index = json_array_get(selected, at);
        for (size_t g = 0; g < options->gpu_count; g++)
            if (json_integer_value(index) == options->gpu[g]) json_array_append(kept, index);
    }
    for (size_t g = 0; g < options->gpu_count && json_is_array(notes); g++) {
        bool found = false;
        for (size_t i = 0; i < inventory->device_count; i++)
            found |= inventory->device[i].list_index == options->gpu[g];
        if (!found)
            json_array_append_new(
                notes, json_sprintf("gpu: there is no device %u on this machine", (unsigned)options->gpu[g]));
    }
    if (!kept || json_object_set_new(inventory->root, "selected", kept))
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the selected cards");
    return ASSAY_OK;
}

void inventory_free(struct inventory *inventory)
{
    if (!inventory) return;
    free(inventory->device);
    free(inventory->kernel);
    json_decref(inventory->root);
    memset(inventory, 0, sizeof *inventory);
}

static void rented_why(const struct inventory_device *device, char why[INVENTORY_WHY_MAX])
{
    const double dollars = json_real_value(json_object_get(device->json, "usd_per_hour"));
    if (dollars > 0)
        snprintf(why, INVENTORY_WHY_MAX, "rented, %.2f USD an hour", dollars);
    else
        snprintf(why, INVENTORY_WHY_MAX, "rented, price unknown");
}

const char *inventory_why_not(const struct inventory_device *device, char why[INVENTORY_WHY_MAX])
{
    const char *said = device->why;
    if (device->allowed)
        why[0] = 0;
    else if (device->duplicate)
        snprintf(why, INVENTORY_WHY_MAX, "%s", *said ? said : "the same card as an earlier entry");
    else if (strcmp(device->backend, "rented") == 0)
        rented_why(device, why);
    else if (device->left_out && device->usable)
        snprintf(why, INVENTORY_WHY_MAX, "--gpu (ASSAY_GPU) leaves it out");
    else if (device->software)
        snprintf(why, INVENTORY_WHY_MAX, "software renderer; --allow-software runs it");
    else
        snprintf(why, INVENTORY_WHY_MAX, "%s", *said ? said : "the engine does not say why");
    return why;
}

/* ---- choice ---- */

static bool digits_only(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == 0;
}

/* Could this word name a device of some machine? */
static bool is_selector(const struct inventory *inventory, const char *word)
{
    static const char *const backends[] = {"cpu", "vulkan", "cuda"};
    size_t stem = strcspn(word, ":");
    if (digits_only(word)) return true;
    if (word[stem] == 0 || digits_only(word + stem + 1)) {
        for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
            if (strlen(backends[i]) == stem && strncasecmp(word, backends[i], stem) == 0) return true;
        for (size_t i = 0; i < inventory->device_count; i++)
            if (strlen(inventory->device[i].backend) == stem &&
                strncasecmp(word, inventory->device[i].backend, stem) == 0)
                return true;
    }
    const char *hex = strncasecmp(word, "GPU-", 4) == 0 ? word + 4 : word;
    size_t length = strlen(hex), digits = 0;
    for (size_t i = 0; i < length; i++) digits += strchr("0123456789abcdefABCDEF", hex[i]) != NULL;
    if (length == 36 && digits == 32 && hex[8] == '-' && hex[13] == '-' && hex[18] == '-' && hex[23] == '-')
        return true;
    /* A PCI address: [domain:]bus:device.function */
    return word[strspn(word, "0123456789abcdefABCDEF:.")] == 0 && strchr(word, ':') && strchr(word, '.') &&
           length >= 7 && length <= 16;
}

static bool named_by(const struct inventory_device *device, const char *word)
{
    const char *hex = strncasecmp(word, "GPU-", 4) == 0 ? word + 4 : word;
    if (strcasecmp(device->label, word) == 0) return true;
    if (strcasecmp(device->backend, word) == 0 && device->index == 0) return true;
    if (*device->uuid && (strcasecmp(device->uuid, hex) == 0 || strcasecmp(device->uuid, word) == 0))
        return true;
    if (!*device->pci) return false;
    size_t domain = strlen(word) == 16 && strncmp(word, "0000", 4) == 0 ? 4 : 0;
    if (strcasecmp(device->pci, word + domain) == 0) return true;
    return strlen(word) == 7 && strncmp(device->pci, "0000:", 5) == 0 &&
           strcasecmp(device->pci + 5, word) == 0;
}

/* Of several backends on one card: no duplicate first, then CUDA. */
static int preference(const struct inventory_device *device)
{
    return (device->duplicate ? 2 : 0) + (strcmp(device->backend, "cuda") != 0);
}

static const struct inventory_device *find(const struct inventory *inventory, const char *word)
{
    const struct inventory_device *best = NULL;
    int64_t number = -1;
    if (digits_only(word) && !words_integer(word, strlen(word), &number)) return NULL;
    for (size_t i = 0; i < inventory->device_count; i++) {
        const struct inventory_device *device = &inventory->device[i];
        bool named = number >= 0 ? device->list_index == number : named_by(device, word);
        if (named && (!best || preference(device) < preference(best))) best = device;
    }
    return best;
}

static const char *label_at(const void *context, size_t i)
{
    const struct inventory *inventory = context;
    return i < inventory->device_count ? inventory->device[i].label : NULL;
}

static enum assay_status not_found(const struct inventory *inventory, const char *word,
                                   struct assay_error *error)
{
    char text[508], quoted[WORDS_QUOTE_MAX];
    size_t used = 0;
    bool selector = is_selector(inventory, word);
    const char *near = words_nearest(word, strlen(word), label_at, inventory);
    words_append(text, sizeof text, &used, selector ? "no device %s on this machine" : "%s names no device",
                 words_quote(quoted, word, strlen(word)));
    if (near && !selector) words_append(text, sizeof text, &used, "; did you mean '%s'?", near);
    words_append(text, sizeof text, &used, "; there %s ", inventory->device_count == 1 ? "is" : "are");
    for (size_t i = 0; i < inventory->device_count; i++)
        words_append(text, sizeof text, &used, "%s%u = %s", i ? ", " : "",
                     (unsigned)inventory->device[i].list_index, inventory->device[i].label);
    if (inventory->device_count == 0) words_append(text, sizeof text, &used, "none");
    if (!selector)
        words_append(text, sizeof text, &used,
                     "; allowed: an index, vulkan:0, cuda:0, cpu, a UUID, a PCI address, or all");
    return assay_error_set(error, selector ? ASSAY_DEVICE_UNSUPPORTED : ASSAY_INVALID_INPUT, "%s", text);
}

static enum assay_status add(size_t device, size_t *chosen, size_t cap, size_t *count,
                             struct assay_error *error)
{
    for (size_t i = 0; i < *count; i++)
        if (chosen[i] == device) return ASSAY_OK;
    if (*count == cap)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "more than %zu devices are chosen", cap);
    chosen[(*count)++] = device;
    return ASSAY_OK;
}

enum assay_status inventory_select(const struct inventory *inventory, const struct options *options,
                                   size_t *chosen, size_t cap, size_t *count, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    bool all = options->all || options->device_count == 0;
    *count = 0;
    for (size_t i = 0; i < options->device_count && !status; i++) {
        if (strcasecmp(options->device[i], "all") == 0) {
            all = true;
            continue;
        }
        const struct inventory_device *device = find(inventory, options->device[i]);
        status = device ? add((size_t)(device - inventory->device), chosen, cap, count, error)
                        : not_found(inventory, options->device[i], error);
    }
    for (size_t i = 0; i < inventory->device_count && all && !status; i++)
        if (inventory->device[i].allowed) status = add(i, chosen, cap, count, error);
    if (!status && *count == 0)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "no usable device: `assay devices` says why");
    return status;
}
