/* What a run sets out to do: cases x devices x kernels, within the work that a level allows a class of device.
 *
 * Small cases run on every kernel row of the device. Bigger ones (plan_cap.every_kernel_flops) run on the engine's own
 * choice and on one more row, which rotates with the case, so that over a corpus each row meets big cases. With
 * --kernel every row that matches runs. A case above the cap is listed as capped with the reason, never dropped.
 * It runs nothing and stores nothing. */
#ifndef ASSAY_PLAN_H
#define ASSAY_PLAN_H

#include "harness/corpus.h"
#include "harness/inventory.h"

enum plan_class { PLAN_CPU, PLAN_SOFTWARE, PLAN_GPU, PLAN_CLASS_COUNT };
const char *plan_class_name(enum plan_class class); /* "CPU", "software", "GPU" */
enum plan_class plan_class_of(const struct inventory_device *device);

struct plan_cap {
    double flops;              /* of one case */
    uint64_t bytes;            /* of its operands together */
    double every_kernel_flops; /* up to here all kernel rows run it */
};
extern const struct plan_cap plan_caps[LEVEL_COUNT][PLAN_CLASS_COUNT];

struct plan_kernel {
    char name[64], op[32], dtype[16], mode[8];
};

/* A device of the run and the kernels to judge on it. */
struct plan_device {
    char label[24];
    enum plan_class class;
    struct plan_kernel *kernel;
    size_t kernel_count;
    char formless[4096]; /* names of rows left out for want of the device's form of arithmetic, with commas */
};

/* kernel_glob (NULL = all) filters by name. probe_json (NULL = unknown) is the engine's probe() of the open device:
 * kernels that it says are not present are left out, since they would be skipped by every case; the probe, which is
 * stored with the device, says why. So are kernels that lack the form of the fused multiply-add that the device uses
 * (`formless` names them), unless --kernel asks for them: then their skips are on record. */
enum assay_status plan_device_make(const struct inventory *inventory, size_t device, const char *kernel_glob,
                                   const char *probe_json, struct plan_device *plan_device,
                                   struct assay_error *error);
void plan_device_free(struct plan_device *device); /* accepts NULL */

struct plan_row {
    const struct corpus_entry *entry;
    size_t device;      /* index of the array given to plan_make */
    const char *kernel; /* "" = the engine's own choice */
    bool done;          /* has its result from before, and is not run again; see harness/resume.c */
    int attempts;       /* results that are on record, when it is run again all the same */
};

struct plan_capped {
    const struct corpus_entry *entry;
    size_t device;
    char reason[160];
};

struct plan {
    struct plan_row *row; /* case by case, devices within a case, kernels within a device */
    size_t row_count;
    struct plan_capped *capped;
    size_t capped_count;
};

/* Rows point into corpus and devices, which must outlive the plan. glob_given: the kernels were chosen by --kernel, so
 * all run on every case. A case for which the engine has no kernel row at all gets one row with "", so that the engine's
 * own refusal is on record. */
enum assay_status plan_make(const struct corpus *corpus, const struct plan_device *devices,
                            size_t device_count, enum level level, bool glob_given, struct plan *plan,
                            struct assay_error *error);
void plan_free(struct plan *plan); /* accepts NULL */
/* One more row at the end. */
enum assay_status plan_add(struct plan *plan, const struct corpus_entry *entry, size_t device,
                           const char *kernel, struct assay_error *error);

/* Keep part `shard` (1 to `shards`) of the plan, capped cases too. The part of a case is a hash of its line and nothing
 * else, so a case stays where it is when others come and go, all its rows are in one part, on all devices, and the parts
 * of one plan together are the plan. */
void plan_shard(struct plan *plan, uint32_t shard, uint32_t shards);

/* Floating-point operations of a case (0 for onnx entries) and bytes of its operands. */
double plan_flops(const struct corpus_entry *entry);
uint64_t plan_bytes(const struct corpus_entry *entry);

#endif
