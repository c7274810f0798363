/* The kernel's view of cards: what class/drm says of each, and bus/pci where no display driver made an entry. Files of one
 * line each, below a root that the caller names. Knows no backend. */
#include "devices/device.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PATH_BYTES 1024

/* First line of folder/name without its end. False when there is none. */
static bool line_of(const char *folder, const char *name, char *text, size_t bytes)
{
    char path[PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    bool found = fgets(text, (int)bytes, file) != NULL;
    fclose(file);
    if (found) text[strcspn(text, "\r\n")] = '\0';
    return found && *text;
}

static bool number_of(const char *folder, const char *name, int base, int64_t *value)
{
    char text[64], *end;
    if (!line_of(folder, name, text, sizeof text)) return false;
    errno = 0;
    *value = strtoll(text, &end, base);
    return errno == 0 && end != text && *end == '\0';
}

/* The value of KEY=value in folder/uevent. */
static bool event_of(const char *folder, const char *key, char *text, size_t bytes)
{
    char path[PATH_BYTES + 64], line[256];
    snprintf(path, sizeof path, "%s/uevent", folder);
    FILE *file = fopen(path, "re");
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        size_t length = strlen(key);
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, key, length) != 0 || line[length] != '=') continue;
        snprintf(text, bytes, "%s", line + length + 1);
        found = true;
    }
    if (file) fclose(file);
    return found;
}

/* Last part of what folder/name links to. */
static bool link_of(const char *folder, const char *name, char *text, size_t bytes)
{
    char path[PATH_BYTES + 64], target[PATH_BYTES];
    snprintf(path, sizeof path, "%s%s%s", folder, *name ? "/" : "", name);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0) return false;
    target[length] = '\0';
    const char *slash = strrchr(target, '/');
    const char *last = slash ? slash + 1 : target;
    if (strlen(last) >= bytes) return false;
    memcpy(text, last, strlen(last) + 1);
    return true;
}

static bool is_address(const char *text)
{
    return strlen(text) == 12 && text[4] == ':' && text[7] == ':' && text[10] == '.' &&
           text[strspn(text, "0123456789abcdefABCDEF:.")] == '\0';
}

static void read_card(const char *folder, struct assay_sysfs *card)
{
    char text[64];
    int64_t value;
    if (event_of(folder, "PCI_SLOT_NAME", text, sizeof text) && is_address(text))
        snprintf(card->pci, sizeof card->pci, "%.12s", text);
    else if (link_of(folder, "", text, sizeof text) && is_address(text))
        snprintf(card->pci, sizeof card->pci, "%.12s", text);
    for (char *c = card->pci; *c; c++) *c = (char)tolower((unsigned char)*c);
    if (!link_of(folder, "driver", card->driver, sizeof card->driver))
        event_of(folder, "DRIVER", card->driver, sizeof card->driver);
    if (number_of(folder, "vendor", 16, &value)) card->vendor_id = (uint32_t)value;
    if (number_of(folder, "device", 16, &value)) card->device_id = (uint32_t)value;
    card->has_vram = number_of(folder, "mem_info_vram_total", 10, &value) && value >= 0;
    if (card->has_vram) card->vram_bytes = (uint64_t)value;
    card->has_gtt = number_of(folder, "mem_info_gtt_total", 10, &value) && value >= 0;
    if (card->has_gtt) card->gtt_bytes = (uint64_t)value;
    card->has_numa = number_of(folder, "numa_node", 10, &value); /* -1: one node alone */
    if (card->has_numa) card->numa_node = (int32_t)value;
    if (!line_of(folder, "vbios_version", card->vbios, sizeof card->vbios)) card->vbios[0] = '\0';
}

static bool is_card(const char *name)
{
    return strncmp(name, "card", 4) == 0 && name[4] && strlen(name) < sizeof((struct assay_sysfs *)0)->card &&
           name[4 + strspn(name + 4, "0123456789")] == '\0';
}

static int by_number(const void *a, const void *b)
{
    const struct assay_sysfs *x = a, *y = b;
    long i = atol(x->card + 4), j = atol(y->card + 4);
    return (i > j) - (i < j);
}

size_t assay_sysfs_read(const char *root, struct assay_sysfs *list, size_t cap)
{
    char path[PATH_BYTES];
    size_t count = 0;
    if ((size_t)snprintf(path, sizeof path, "%s/class/drm", root) >= sizeof path) return 0;
    DIR *folder = opendir(path);
    if (!folder) return 0;
    for (struct dirent *entry; count < cap && (entry = readdir(folder));) {
        if (!is_card(entry->d_name)) continue;
        if ((size_t)snprintf(path, sizeof path, "%s/class/drm/%s/device", root, entry->d_name) >= sizeof path)
            continue;
        if (access(path, F_OK) != 0) continue; /* a virtual card, as vkms makes */
        list[count] = (struct assay_sysfs){0};
        snprintf(list[count].card, sizeof list[count].card, "%.31s", entry->d_name);
        read_card(path, &list[count++]);
    }
    closedir(folder);
    qsort(list, count, sizeof *list, by_number);
    return count;
}

const struct assay_sysfs *assay_sysfs_match(const char *root, const struct assay_sysfs *list, size_t count,
                                            const char *pci, uint32_t vendor_id, uint32_t device_id,
                                            struct assay_sysfs *other)
{
    const struct assay_sysfs *found = NULL;
    char path[PATH_BYTES];
    if (pci && *pci) {
        for (size_t i = 0; i < count; i++)
            if (strcasecmp(list[i].pci, pci) == 0) return &list[i];
        if (!is_address(pci) ||
            (size_t)snprintf(path, sizeof path, "%s/bus/pci/devices/%.12s", root, pci) >= sizeof path ||
            access(path, F_OK) != 0)
            return NULL;
        *other = (struct assay_sysfs){0};
        read_card(path, other);
        snprintf(other->pci, sizeof other->pci, "%.12s", pci);
        return other;
    }
    for (size_t i = 0; i < count; i++) {
        if (list[i].vendor_id != vendor_id || list[i].device_id != device_id || !vendor_id) continue;
        if (found) return NULL; /* two of them: which is meant cannot be said */
        found = &list[i];
    }
    return found;
}
