/* The table of matrix-product kernels: one row a (backend, technique, mode, dtype).
 *
 * Every exact row computes rule 2 of docs/exactness.md: chains of 32 fused multiply-adds, groups of four chains, totals
 * of groups, each from +0 and in ascending k. The functions of a row live in the file of its backend. */
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/cpu.h"
#include "kernels/matmul/vulkan.h"
#include "kernels/matmul/cuda.h"

#define ROW(backend_, name, forms, known_)                                                                   \
    {                                                                                                        \
        .op = "MatMul", .family = "matmul", .backend = #backend_, .technique = #name, .mode = ASSAY_EXACT,   \
        .dtype = ASSAY_F32,                                                                                  \
        .order = "k ascending: chains of 32 fma from +0, groups of 4 chains, groups added one by one",       \
        .variants = forms, .present = matmul_##backend_##_##name##_present,                                  \
        .supports = matmul_##backend_##_##name##_supports, .cost = matmul_##backend_##_##name##_cost,        \
        .plan = matmul_##backend_##_##name##_plan, .known = matmul_known, .known_count = known_              \
    }

static const struct assay_kernel matmul_rows[] = {
    /* ---- cpu: cpu.c, cpu_avx2.c, cpu_avx512.c ---- */
    ROW(cpu, avx512, 1u << ASSAY_VARIANT_NATIVE, MATMUL_KNOWN_SMALL),
    ROW(cpu, avx2, 1u << ASSAY_VARIANT_NATIVE, MATMUL_KNOWN_SMALL),
    ROW(cpu, plain, ASSAY_ALL_FORMS, MATMUL_KNOWN_SMALL),

    /* ---- vulkan: vulkan.c ---- */
    ROW(vulkan, tile128, MATMUL_VULKAN_NATIVE_TEXT, MATMUL_KNOWN_COUNT),
    ROW(vulkan, tile128d8, MATMUL_VULKAN_NATIVE_TEXT, MATMUL_KNOWN_COUNT),
    ROW(vulkan, tile64, MATMUL_VULKAN_BOTH_TEXTS, MATMUL_KNOWN_COUNT),
    ROW(vulkan, tile32, MATMUL_VULKAN_BOTH_TEXTS, MATMUL_KNOWN_COUNT),
    ROW(vulkan, split, MATMUL_VULKAN_BOTH_TEXTS, MATMUL_KNOWN_COUNT),
    ROW(vulkan, plain, MATMUL_VULKAN_BOTH_TEXTS, MATMUL_KNOWN_COUNT),

    /* ---- cuda: cuda.c ---- */
    ROW(cuda, tile128, 1u << ASSAY_VARIANT_NATIVE, MATMUL_KNOWN_SMALL),
    ROW(cuda, tile64x128, 1u << ASSAY_VARIANT_NATIVE, MATMUL_KNOWN_SMALL),
    ROW(cuda, tile64, 1u << ASSAY_VARIANT_NATIVE, MATMUL_KNOWN_SMALL),
    ROW(cuda, split128, 1u << ASSAY_VARIANT_NATIVE, MATMUL_KNOWN_SMALL),
    ROW(cuda, split64, 1u << ASSAY_VARIANT_NATIVE, MATMUL_KNOWN_SMALL),
    ROW(cuda, skinny, 1u << ASSAY_VARIANT_NATIVE, MATMUL_KNOWN_SMALL),
    ROW(cuda, tile16, ASSAY_ALL_FORMS, MATMUL_KNOWN_SMALL),
    ROW(cuda, simple, ASSAY_ALL_FORMS, MATMUL_KNOWN_SMALL),
};

const struct assay_kernel_table assay_matmul_kernels = {
    .rows = matmul_rows,
    .count = sizeof matmul_rows / sizeof *matmul_rows,
};
