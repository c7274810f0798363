/* The programs of the sweeps on Vulkan: vulkan_*.comp. */
#include "kernels/sweep/sweep.h"

#include <stdio.h>

enum text { TEXT_NATIVE, TEXT_EMULATED, TEXTS };

/* X(program, file, text, name in a symbol, name in words) */
#define MODULES(X)                                                                                           \
    X(SWEEP_CLEAR, clear, TEXT_NATIVE, , "")                                                                 \
    X(SWEEP_WORK, units, TEXT_NATIVE, native_, ".native")                                                    \
    X(SWEEP_WORK, units, TEXT_EMULATED, emulated_, ".emulated")                                              \
    X(SWEEP_SMID, smid, TEXT_NATIVE, native_, ".native")                                                     \
    X(SWEEP_SMID, smid, TEXT_EMULATED, emulated_, ".emulated")                                               \
    X(SWEEP_WRITE, write, TEXT_NATIVE, , "")                                                                 \
    X(SWEEP_CHECK, check, TEXT_NATIVE, , "")                                                                 \
    X(SWEEP_SUM, sum, TEXT_NATIVE, , "")                                                                     \
    X(SWEEP_MAKE, make, TEXT_NATIVE, , "")

#define DECLARE(program, file, text, symbol, words) ASSAY_BLOB(kernels_sweep_vulkan_##file##_##symbol##spv);
MODULES(DECLARE)

#define CODE(program, file, text, symbol, words)                                                             \
    [program][text] = {.kind = ASSAY_CODE_SPIRV,                                                             \
                       .name = "sweep.vulkan." #file words,                                                  \
                       .entry = "main",                                                                      \
                       ASSAY_BLOB_AT(kernels_sweep_vulkan_##file##_##symbol##spv)},
static const struct assay_code codes[SWEEP_PROGRAMS][TEXTS] = {MODULES(CODE)};
#undef CODE

static void choose(const struct assay_device_info *info, enum sweep_program program,
                   enum assay_variant variant, struct assay_program_params *params)
{
    (void)info;
    const bool work = program == SWEEP_WORK || program == SWEEP_SMID;
    const bool emulated = variant != ASSAY_VARIANT_NATIVE && variant != ASSAY_VARIANT_CONTRACT;
    params->codes = &codes[program][work && emulated ? TEXT_EMULATED : TEXT_NATIVE];
    params->code_count = 1;
    if (!work) return;
    params->spec[0] = variant;
    params->spec_count = 1;
}

bool sweep_vulkan_present(const struct assay_device_info *info, enum sweep_program program, char why[160])
{
    why[0] = '\0';
    if (info->limits.group_invocations < 256)
        snprintf(why, 160, "workgroups of 256, the device has %u", info->limits.group_invocations);
    else if (program == SWEEP_SMID && !info->has_unit_ids)
        snprintf(why, 160, "the device does not say on which unit a workgroup runs");
    else if (program == SWEEP_SMID && info->partition[0])
        snprintf(why, 160, "units of a part of a card (%s) are not numbered from 0", info->partition);
    return why[0] == '\0';
}

const struct sweep_backend sweep_vulkan = {
    .name = "vulkan", .threads = 256, .choose = choose, .smid_groups = 64};
