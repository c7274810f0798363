/* What devices and kernels an engine has, read from its describe() JSON, and which of them a person means. It sees the
 * engine through harness/adapter.h alone, and prints nothing. */
#ifndef ASSAY_INVENTORY_H
#define ASSAY_INVENTORY_H

#include <jansson.h>

#include "harness/options.h"

/* One device as the engine describes it. Strings belong to the inventory; "" where the engine says nothing. */
struct inventory_device {
    const char *label; /* "vulkan:0" */
    const char *backend, *name, *driver, *api, *kind, *key, *uuid, *pci, *vbios, *partition, *why;
    uint32_t list_index, index; /* in the whole list; within the backend */
    uint64_t memory_bytes;
    bool software, usable, duplicate;
    bool left_out; /* a card that --gpu leaves out */
    bool allowed;  /* `--device all` takes it: usable, no duplicate, software only when allowed */
    json_t *json;  /* all of it; borrowed from root */
};

struct inventory_kernel {
    const char *name, *op, *backend, *technique, *mode, *dtype;
};

struct inventory {
    struct inventory_device *device;
    size_t device_count;
    struct inventory_kernel *kernel; /* every row of every backend */
    size_t kernel_count;
    const char *engine, *version;
    json_t *root;
};

/* Ask the engine. Answers that are not JSON, or not of the expected form, are ASSAY_INVALID_INPUT and name the field. */
enum assay_status inventory_read(const struct adapter *adapter, const struct options *options,
                                 struct inventory *inventory, struct assay_error *error);
/* The same from a text (tests). */
enum assay_status inventory_parse(const char *json, bool allow_software, struct inventory *inventory,
                                  struct assay_error *error);
/* Row D11: of the cards, only those that --gpu (ASSAY_GPU) lists stay allowed and `selected`; an index that is no card of
 * this machine is noted. Part of inventory_read. */
enum assay_status inventory_limit(struct inventory *inventory, const struct options *options,
                                  struct assay_error *error);
void inventory_free(struct inventory *inventory); /* accepts NULL */

/* Why `--device all` leaves the device out, for people; "" when it takes it. */
#define INVENTORY_WHY_MAX 200
const char *inventory_why_not(const struct inventory_device *device, char why[INVENTORY_WHY_MAX]);

/* The devices that --device, --all or ASSAY_DEVICE name, as indices of inventory->device without repetition, at most
 * cap. No selector, "all" and --all: every allowed device. A device that is named is chosen even if it is not allowed;
 * opening it then fails with the reason. Errors: ASSAY_INVALID_INPUT for a word that is no selector (exit 1),
 * ASSAY_DEVICE_UNSUPPORTED for one that names no device of this machine, and for no device at all (exit 3). */
enum assay_status inventory_select(const struct inventory *inventory, const struct options *options,
                                   size_t *chosen, size_t cap, size_t *count, struct assay_error *error);

#endif
