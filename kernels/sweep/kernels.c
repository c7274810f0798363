/* The table of the sweeps: one row a (backend, technique). What they compute is in oracles/sweep/sweep.h, in words. */
#include "kernels/sweep/sweep.h"

/* Functions of a row: (backend, technique, operator, program that decides whether it is present, row by unit id?). */
#define ROW_FUNCTIONS(backend, name, kind, program, by_id)                                                   \
    static bool backend##_##name##_present(const struct assay_device_info *info, char why[160])              \
    {                                                                                                        \
        return sweep_##backend##_present(info, program, why);                                                \
    }                                                                                                        \
    static bool backend##_##name##_supports(const struct assay_device_info *info,                            \
                                            const struct assay_call *call, char why[160])                    \
    {                                                                                                        \
        return sweep_read(info, call, kind, why);                                                            \
    }                                                                                                        \
    static enum assay_status backend##_##name##_plan(                                                        \
        const struct assay_device_info *info, const struct assay_call *call, enum assay_variant variant,     \
        struct assay_plan *plan, struct assay_error *error)                                                  \
    {                                                                                                        \
        return sweep_plan(&sweep_##backend, info, call, kind, by_id, variant, plan, error);                  \
    }

#define ROWS(X)                                                                                              \
    X(cpu, units, SWEEP_UNITS, SWEEP_WORK, false)                                                            \
    X(cpu, memory, SWEEP_MEMORY, SWEEP_CHECK, false)                                                         \
    X(cpu, upload, SWEEP_UPLOAD, SWEEP_SUM, false)                                                           \
    X(cpu, download, SWEEP_DOWNLOAD, SWEEP_MAKE, false)                                                      \
    X(vulkan, smid, SWEEP_UNITS, SWEEP_SMID, true)                                                           \
    X(vulkan, units, SWEEP_UNITS, SWEEP_WORK, false)                                                         \
    X(vulkan, memory, SWEEP_MEMORY, SWEEP_CHECK, false)                                                      \
    X(vulkan, upload, SWEEP_UPLOAD, SWEEP_SUM, false)                                                        \
    X(vulkan, download, SWEEP_DOWNLOAD, SWEEP_MAKE, false)                                                   \
    X(cuda, smid, SWEEP_UNITS, SWEEP_SMID, true)                                                             \
    X(cuda, memory, SWEEP_MEMORY, SWEEP_CHECK, false)                                                        \
    X(cuda, upload, SWEEP_UPLOAD, SWEEP_SUM, false)                                                          \
    X(cuda, download, SWEEP_DOWNLOAD, SWEEP_MAKE, false)
ROWS(ROW_FUNCTIONS)

/* Rows that know their unit come first. */
static double cost_by_id(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info, (void)call;
    return 1;
}

static double cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return 1000 + (double)assay_tensor_elems(&call->output[0]);
}

#define FORMS_cpu    ASSAY_ALL_FORMS
#define FORMS_vulkan (ASSAY_ALL_FORMS | 1u << ASSAY_VARIANT_CONTRACT)
#define FORMS_cuda   (1u << ASSAY_VARIANT_NATIVE)

#define ROW(backend_, name, op_, forms, cost_)                                                               \
    {                                                                                                        \
        .op = "Sweep" op_, .family = "sweep", .backend = #backend_, .technique = #name, .mode = ASSAY_EXACT, \
        .dtype = ASSAY_I32, .order = "sums modulo 2^32; chains of one multiply-add", .variants = forms,      \
        .present = backend_##_##name##_present, .supports = backend_##_##name##_supports, .cost = cost_,     \
        .plan = backend_##_##name##_plan, .known = KNOWN_##name, .known_count = SWEEP_KNOWN_COUNT,           \
    }
#define KNOWN_units    sweep_known_units
#define KNOWN_smid     sweep_known_units
#define KNOWN_memory   sweep_known_memory
#define KNOWN_upload   sweep_known_upload
#define KNOWN_download sweep_known_download
#define PLAIN(backend)                                                                                       \
    ROW(backend, memory, "Memory", 0, cost), ROW(backend, upload, "Upload", 0, cost),                        \
        ROW(backend, download, "Download", 0, cost)

static const struct assay_kernel rows[] = {
    ROW(cpu, units, "Units", FORMS_cpu, cost),
    PLAIN(cpu),
    ROW(vulkan, smid, "Units", FORMS_vulkan, cost_by_id),
    ROW(vulkan, units, "Units", FORMS_vulkan, cost),
    PLAIN(vulkan),
    ROW(cuda, smid, "Units", FORMS_cuda, cost_by_id),
    PLAIN(cuda),
};

const struct assay_kernel_table assay_sweep_kernels = {.rows = rows, .count = sizeof rows / sizeof *rows};
