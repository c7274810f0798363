/* The table of matrix-product kernels: one row a (backend, technique, mode, dtype).
 *
 * Every exact row computes rule 2 of docs/exactness.md: chains of 32 fused multiply-adds, groups of four chains, totals
 * of groups, each from +0 and in ascending k. The functions of a row live in the file of its backend. */
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/cpu.h"
#include "kernels/matmul/cuda.h"

#define ORDER "k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one"

static const struct assay_kernel matmul_rows[] = {
    /* ---- cpu: cpu.c, cpu_avx2.c, cpu_avx512.c ---- */
    {
        .op = "MatMul",
        .family = "matmul",
        .backend = "cpu",
        .technique = "avx512",
        .mode = ASSAY_EXACT,
        .dtype = ASSAY_F32,
        .order = ORDER,
        .variants = 1u << ASSAY_VARIANT_NATIVE,
        .present = matmul_cpu_avx512_present,
        .supports = matmul_cpu_avx512_supports,
        .cost = matmul_cpu_avx512_cost,
        .plan = matmul_cpu_avx512_plan,
        .known = matmul_known,
        .known_count = MATMUL_KNOWN_COUNT,
    },
    {
        .op = "MatMul",
        .family = "matmul",
        .backend = "cpu",
        .technique = "avx2",
        .mode = ASSAY_EXACT,
        .dtype = ASSAY_F32,
        .order = ORDER,
        .variants = 1u << ASSAY_VARIANT_NATIVE,
        .present = matmul_cpu_avx2_present,
        .supports = matmul_cpu_avx2_supports,
        .cost = matmul_cpu_avx2_cost,
        .plan = matmul_cpu_avx2_plan,
        .known = matmul_known,
        .known_count = MATMUL_KNOWN_COUNT,
    },
    {
        .op = "MatMul",
        .family = "matmul",
        .backend = "cpu",
        .technique = "plain",
        .mode = ASSAY_EXACT,
        .dtype = ASSAY_F32,
        .order = ORDER,
        .variants = 1u << ASSAY_VARIANT_NATIVE | 1u << ASSAY_VARIANT_GUARDED | 1u << ASSAY_VARIANT_EMULATED |
                    1u << ASSAY_VARIANT_INTEGER,
        .present = matmul_cpu_plain_present,
        .supports = matmul_cpu_plain_supports,
        .cost = matmul_cpu_plain_cost,
        .plan = matmul_cpu_plain_plan,
        .known = matmul_known,
        .known_count = MATMUL_KNOWN_COUNT,
    },

    /* ---- vulkan: vulkan.c ---- */

    /* ---- cuda: cuda.c ---- */
    {
        .op = "MatMul",
        .family = "matmul",
        .backend = "cuda",
        .technique = "simple",
        .mode = ASSAY_EXACT,
        .dtype = ASSAY_F32,
        .order = ORDER,
        .variants = 1u << ASSAY_VARIANT_NATIVE | 1u << ASSAY_VARIANT_EMULATED | 1u << ASSAY_VARIANT_INTEGER,
        .present = matmul_cuda_simple_present,
        .supports = matmul_cuda_simple_supports,
        .cost = matmul_cuda_simple_cost,
        .plan = matmul_cuda_simple_plan,
        .known = matmul_known,
        .known_count = MATMUL_KNOWN_COUNT,
    },
};

const struct assay_kernel_table assay_matmul_kernels = {
    .rows = matmul_rows,
    .count = sizeof matmul_rows / sizeof *matmul_rows,
};
