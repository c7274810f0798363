/* The programs of elementwise operators on Vulkan: vulkan_fused.comp and vulkan_unfused.comp. */
#include "kernels/unary/unary.h"

#include <stdio.h>

#define DECLARE(name, onnx, beside)                                                                          \
    ASSAY_BLOB(kernels_unary_vulkan_fused_##name##_spv);                                                     \
    ASSAY_BLOB(kernels_unary_vulkan_unfused_##name##_spv);
UNARY_PROGRAMS(DECLARE)

#define CODE(name_, form)                                                                                    \
    {                                                                                                        \
        .kind = ASSAY_CODE_SPIRV, .name = "unary.vulkan." #form "." #name_, .entry = "main",                 \
        ASSAY_BLOB_AT(kernels_unary_vulkan_##form##_##name_##_spv)                                           \
    }
#define BOTH(name, onnx, beside) [UNARY_##name] = {CODE(name, unfused), CODE(name, fused)},
static const struct assay_code codes[UNARY_COUNT][2] = {UNARY_PROGRAMS(BOTH)};

static void choose(const struct assay_device_info *info, enum unary_function function, bool fused,
                   enum assay_dtype dtype, struct assay_program_params *params)
{
    (void)info, (void)dtype;
    params->codes = &codes[function][fused];
    params->code_count = 1;
}

bool unary_vulkan_present(const struct assay_device_info *info, char why[160])
{
    why[0] = '\0';
    if (info->limits.group_invocations < 256)
        snprintf(why, 160, "workgroups of 256, the device has %u", info->limits.group_invocations);
    else if (info->limits.push_bytes < sizeof(struct unary_push))
        snprintf(why, 160, "%zu bytes of arguments, the device takes %u", sizeof(struct unary_push),
                 info->limits.push_bytes);
    return why[0] == '\0';
}

/* Element numbers and loop counters are 32-bit words. A software renderer ends all loops of an invocation after 65,535
 * turns (docs/exactness.md): as many workgroups as there may be leave each invocation few. */
const struct unary_backend unary_vulkan = {.name = "vulkan",
                                           .threads = 256,
                                           .tile_elems = 1024,
                                           .elems_most = UINT64_C(1) << 31,
                                           .groups_most = 1 << 14,
                                           .choose = choose};
