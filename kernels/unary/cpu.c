/* Elementwise operators on the CPU: which loops run where. The loops: cpu_loops.h. */
#include "kernels/unary/unary.h"

#include <stdio.h>

#define TILE_ELEMS 4096 /* as in cpu_loops.h */

static void choose_plain(const struct assay_device_info *info, enum unary_function function, bool fused,
                         enum assay_dtype dtype, struct assay_program_params *params)
{
    (void)info, (void)dtype;
    params->codes = fused ? &unary_cpu_fused[function] : &unary_cpu_unfused[function];
    params->code_count = 1;
}

static void choose_avx2(const struct assay_device_info *info, enum unary_function function, bool fused,
                        enum assay_dtype dtype, struct assay_program_params *params)
{
    (void)info, (void)dtype, (void)fused;
    params->codes = &unary_cpu_fma[function];
    params->code_count = 1;
}

bool unary_cpu_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    why[0] = '\0';
    return true;
}

bool unary_cpu_avx2_present(const struct assay_device_info *info, char why[160])
{
    why[0] = '\0';
    if (!(info->simd & ASSAY_SIMD_AVX2)) snprintf(why, 160, "needs AVX2 and FMA");
    return why[0] == '\0';
}

const struct unary_backend unary_cpu = {.name = "cpu",
                                        .threads = 1,
                                        .tile_elems = TILE_ELEMS,
                                        .elems_most = UINT64_C(1) << 48,
                                        .groups_most = 1 << 16,
                                        .choose = choose_plain};
const struct unary_backend unary_cpu_avx2 = {.name = "cpu",
                                             .threads = 1,
                                             .tile_elems = TILE_ELEMS,
                                             .elems_most = UINT64_C(1) << 48,
                                             .groups_most = 1 << 16,
                                             .choose = choose_avx2};
