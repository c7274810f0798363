/* Cases x devices x kernels, and what a level leaves out; see plan.h. */
#include "harness/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "harness/words.h"

static const char *const class_names[PLAN_CLASS_COUNT] = {"CPU", "software", "GPU"};

const char *plan_class_name(enum plan_class class)
{
    return (unsigned)class < PLAN_CLASS_COUNT ? class_names[class] : "?";
}

enum plan_class plan_class_of(const struct inventory_device *device)
{
    if (strcmp(device->backend, "cpu") == 0) return PLAN_CPU;
    return device->software || strcasecmp(device->kind, "cpu") == 0 ? PLAN_SOFTWARE : PLAN_GPU;
}

#define MB (UINT64_C(1) << 20)

/* A software Vulkan device does 50 to 100 MFLOP/s with an emulated fused multiply-add; the CPU's plain C row and the
 * contract oracle about 1 GFLOP/s. */
const struct plan_cap plan_caps[LEVEL_COUNT][PLAN_CLASS_COUNT] = {
    [LEVEL_QUICK] = {[PLAN_CPU] = {400e6, 256 * MB, 20e6},
                     [PLAN_SOFTWARE] = {2.5e6, 32 * MB, 0.3e6},
                     [PLAN_GPU] = {10e9, 1024 * MB, 1e9}},
    [LEVEL_STANDARD] = {[PLAN_CPU] = {10e9, 1024 * MB, 200e6},
                        [PLAN_SOFTWARE] = {160e6, 128 * MB, 3e6},
                        [PLAN_GPU] = {140e9, 4096 * MB, 20e9}},
    [LEVEL_FULL] = {[PLAN_CPU] = {300e9, 8192 * MB, 2e9},
                    [PLAN_SOFTWARE] = {5e9, 512 * MB, 40e6},
                    [PLAN_GPU] = {1e12, 16384 * MB, 1e12}},
};

double plan_flops(const struct corpus_entry *entry)
{
    return entry->onnx ? 0 : entry->spec.op.op->flops(&entry->spec.op);
}

uint64_t plan_bytes(const struct corpus_entry *entry)
{
    struct op_signature sig = {0};
    uint64_t bytes = 0;
    if (entry->onnx || entry->spec.op.op->signature(&entry->spec.op, &sig, NULL)) return 0;
    for (size_t i = 0; i < sig.input_count; i++) bytes += sig.input[i].tensor.bytes;
    for (size_t i = 0; i < sig.output_count; i++) bytes += sig.output[i].tensor.bytes;
    return bytes;
}

/* ---- devices ---- */

/* What the probe says of a row; NULL when it says nothing. */
static const json_t *probed_row(const json_t *probe, const char *kernel)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(probe, "kernels"), i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        if (name && strcmp(name, kernel) == 0) return row;
    }
    return NULL;
}

/* Does the row have forms of the fused multiply-add, but not the device's? */
static bool lacks_form(const json_t *row, const char *variant)
{
    const json_t *forms = json_object_get(row, "variants"), *form;
    size_t i;
    json_array_foreach(forms, i, form) if (json_is_string(form) &&
                                           strcmp(json_string_value(form), variant) == 0) return false;
    return *variant && json_array_size(forms) > 0;
}

enum assay_status plan_device_make(const struct inventory *inventory, size_t device, const char *kernel_glob,
                                   const char *probe_json, struct plan_device *plan_device,
                                   struct assay_error *error)
{
    const struct inventory_device *source = &inventory->device[device];
    enum assay_status status = ASSAY_OK;
    json_error_t where;
    json_t *probe = NULL;
    size_t of_backend = 0, matching = 0, used = 0;
    memset(plan_device, 0, sizeof *plan_device);
    snprintf(plan_device->label, sizeof plan_device->label, "%s", source->label);
    plan_device->class = plan_class_of(source);
    plan_device->kernel = calloc(inventory->kernel_count + 1, sizeof *plan_device->kernel);
    if (!plan_device->kernel) {
        status =
            assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the kernels of %s", source->label);
        goto out;
    }
    if (probe_json && !(probe = json_loads(probe_json, 0, &where))) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "the engine's probe() of %s is no JSON: %s",
                                 source->label, where.text);
        goto out;
    }
    const char *variant = json_string_value(json_object_get(probe, "variant"));
    if (!variant) variant = "";
    for (size_t i = 0; i < inventory->kernel_count; i++) {
        const struct inventory_kernel *row = &inventory->kernel[i];
        if (strcmp(row->backend, source->backend) != 0) continue;
        of_backend++;
        if (kernel_glob && !words_glob(kernel_glob, row->name)) continue;
        matching++;
        const json_t *probed = probed_row(probe, row->name);
        if (json_is_false(json_object_get(probed, "present"))) continue;
        if (!kernel_glob && lacks_form(probed, variant)) {
            used += (size_t)snprintf(plan_device->formless + used, sizeof plan_device->formless - used,
                                     "%s%s", used ? ", " : "", row->name);
            if (used >= sizeof plan_device->formless) used = sizeof plan_device->formless - 1;
            continue;
        }
        struct plan_kernel *kernel = &plan_device->kernel[plan_device->kernel_count++];
        snprintf(kernel->name, sizeof kernel->name, "%s", row->name);
        snprintf(kernel->op, sizeof kernel->op, "%s", row->op);
        snprintf(kernel->dtype, sizeof kernel->dtype, "%s", row->dtype);
        snprintf(kernel->mode, sizeof kernel->mode, "%s", row->mode);
    }
    if (kernel_glob && plan_device->kernel_count == 0)
        status = assay_error_set(
            error, ASSAY_INVALID_INPUT,
            matching ? "--kernel %s: none of the %zu rows that match can run on %s"
                     : "--kernel %s matches none of the %zu kernels of %s; `assay list --ops` shows them",
            kernel_glob, matching ? matching : of_backend, source->label);
out:
    json_decref(probe);
    if (status) plan_device_free(plan_device);
    return status;
}

void plan_device_free(struct plan_device *device)
{
    if (!device) return;
    free(device->kernel);
    memset(device, 0, sizeof *device);
}

/* ---- the plan ---- */

/* A list that grows by doubling. */
static void *grown(void *list, size_t count, size_t bytes)
{
    if (count & (count - 1)) return list;
    return realloc(list, (count ? 2 * count : 1) * bytes);
}

static enum assay_status no_memory(struct assay_error *error)
{
    return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the plan");
}

enum assay_status plan_add(struct plan *plan, const struct corpus_entry *entry, size_t device,
                           const char *kernel, struct assay_error *error)
{
    struct plan_row *list = grown(plan->row, plan->row_count, sizeof *list);
    if (!list) return no_memory(error);
    plan->row = list;
    list[plan->row_count++] = (struct plan_row){.entry = entry, .device = device, .kernel = kernel};
    return ASSAY_OK;
}

/* Is the case above the cap? Then record why. */
static enum assay_status add_capped(struct plan *plan, const struct corpus_entry *entry, size_t device,
                                    const char *reason, struct assay_error *error)
{
    struct plan_capped *list = grown(plan->capped, plan->capped_count, sizeof *list);
    if (!list) return no_memory(error);
    plan->capped = list;
    struct plan_capped *capped = &list[plan->capped_count++];
    *capped = (struct plan_capped){.entry = entry, .device = device};
    snprintf(capped->reason, sizeof capped->reason, "%s", reason);
    return ASSAY_OK;
}

static bool above_cap(const struct corpus_entry *entry, enum plan_class class, enum level level,
                      char reason[160])
{
    const struct plan_cap *cap = &plan_caps[level][class];
    double flops = plan_flops(entry);
    uint64_t bytes = plan_bytes(entry);
    if (flops > cap->flops)
        snprintf(reason, 160, "level %s caps %s devices at %g MFLOP a case (this one has %.4g)",
                 level_name(level), plan_class_name(class), cap->flops / 1e6, flops / 1e6);
    else if (bytes > cap->bytes)
        snprintf(reason, 160, "level %s caps %s devices at %" PRIu64 " MiB a case (this one has %" PRIu64 ")",
                 level_name(level), plan_class_name(class), cap->bytes >> 20, bytes >> 20);
    else
        return false;
    return true;
}

/* Is the row for the case's operator, and in exact mode? Of an onnx entry whose operator is not known (its files are not
 * there) no row is: it gets the one that says why it is skipped. */
static bool for_operator(const struct plan_kernel *kernel, const struct corpus_entry *entry,
                         const struct op_signature *sig)
{
    if (strcmp(kernel->mode, "exact") != 0 && *kernel->mode) return false;
    if (entry->onnx) return strcasecmp(kernel->op, entry->onnx_op) == 0;
    return strcasecmp(kernel->op, sig->onnx) == 0 || strcasecmp(kernel->op, entry->spec.op.op->name) == 0;
}

/* Kernel rows that may take the case: for its operator, and of the dtype of its first output; where no row of the device is,
 * those of the case's first dtype, and of an onnx entry all (which dtype a row goes by is the engine's business). */
struct taking {
    const struct corpus_entry *entry;
    const struct op_signature *sig;
    bool by_output;
};

static bool of_output(const struct plan_kernel *kernel, const struct taking *taking)
{
    const char *dtype = taking->entry->onnx ? taking->entry->onnx_dtype
                                            : assay_dtype_name(taking->sig->output[0].tensor.dtype);
    return strcmp(kernel->dtype, dtype) == 0;
}

static bool may_take(const struct plan_kernel *kernel, const struct taking *taking)
{
    const struct corpus_entry *entry = taking->entry;
    if (!for_operator(kernel, entry, taking->sig)) return false;
    if (!*kernel->dtype || of_output(kernel, taking)) return true;
    return !taking->by_output &&
           (entry->onnx || strcmp(kernel->dtype, assay_dtype_name(entry->spec.op.dtype[0])) == 0);
}

static enum assay_status plan_case(const struct corpus_entry *entry, const struct plan_device *device,
                                   size_t number, enum level level, bool glob_given, struct plan *plan,
                                   struct assay_error *error)
{
    struct op_signature sig = {0};
    enum assay_status status = ASSAY_OK;
    if (!entry->onnx && (status = entry->spec.op.op->signature(&entry->spec.op, &sig, error)) != ASSAY_OK)
        return status;
    char reason[160];
    if (above_cap(entry, device->class, level, reason)) return add_capped(plan, entry, number, reason, error);

    struct taking taking = {entry, &sig, false};
    for (size_t i = 0; i < device->kernel_count; i++)
        taking.by_output |=
            for_operator(&device->kernel[i], entry, &sig) && of_output(&device->kernel[i], &taking);
    size_t takers = 0;
    for (size_t i = 0; i < device->kernel_count; i++) takers += may_take(&device->kernel[i], &taking);
    bool every = glob_given || plan_flops(entry) <= plan_caps[level][device->class].every_kernel_flops;
    if (takers == 0 || (!every && takers > 1)) {
        if (glob_given) return ASSAY_OK;
        status = plan_add(plan, entry, number, "", error);
    }
    size_t other = takers ? XXH3_64bits(entry->line, strlen(entry->line)) % takers : 0, seen = 0;
    for (size_t i = 0; i < device->kernel_count && !status; i++) {
        if (!may_take(&device->kernel[i], &taking)) continue;
        if (every || seen == other) status = plan_add(plan, entry, number, device->kernel[i].name, error);
        seen++;
    }
    return status;
}

enum assay_status plan_make(const struct corpus *corpus, const struct plan_device *devices,
                            size_t device_count, enum level level, bool glob_given, struct plan *plan,
                            struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    memset(plan, 0, sizeof *plan);
    for (size_t i = 0; i < corpus->count && !status; i++)
        for (size_t d = 0; d < device_count && !status; d++)
            status = plan_case(&corpus->entry[i], &devices[d], d, level, glob_given, plan, error);
    if (status) plan_free(plan);
    return status;
}

/* Another seed than the choice of a case's second kernel, which would else go with the part. */
#define SHARD_SEED UINT64_C(0x5ead)

static bool in_shard(const struct corpus_entry *entry, uint32_t shard, uint32_t shards)
{
    return XXH3_64bits_withSeed(entry->line, strlen(entry->line), SHARD_SEED) % shards == shard - 1;
}

void plan_shard(struct plan *plan, uint32_t shard, uint32_t shards)
{
    size_t kept = 0;
    for (size_t i = 0; i < plan->row_count; i++)
        if (in_shard(plan->row[i].entry, shard, shards)) plan->row[kept++] = plan->row[i];
    plan->row_count = kept;
    kept = 0;
    for (size_t i = 0; i < plan->capped_count; i++)
        if (in_shard(plan->capped[i].entry, shard, shards)) plan->capped[kept++] = plan->capped[i];
    plan->capped_count = kept;
}

void plan_free(struct plan *plan)
{
    if (!plan) return;
    free(plan->row);
    free(plan->capped);
    memset(plan, 0, sizeof *plan);
}
