/* The table of kernels for Q1_0 products and the Q8_0 quantizer: one row a (backend, technique).
 *
 * Every exact row computes rule 11 of docs/exactness.md. The functions of a row live in the file of its backend. */
#include "kernels/q1_0/q1_0.h"
#include "kernels/q1_0/cpu.h"
#include "kernels/q1_0/vulkan.h"
#include "kernels/q1_0/cuda.h"

#define MATMUL(backend_, name, forms)                                                                        \
    {                                                                                                        \
        .op = "Q1_0MatMul", .family = "q1_0", .backend = #backend_, .technique = #name, .mode = ASSAY_EXACT, \
        .dtype = ASSAY_F32,                                                                                  \
        .order =                                                                                             \
            "eight lanes of fma over blocks ascending from +0, a block's four exact lane sums added in "     \
            "order, lanes as ((0+4)+(2+6))+((1+5)+(3+7))",                                                   \
        .variants = forms, .present = q1_##backend_##_##name##_present,                                      \
        .supports = q1_##backend_##_##name##_supports, .cost = q1_##backend_##_##name##_cost,                \
        .plan = q1_##backend_##_##name##_plan, .known = q1_known, .known_count = Q1_KNOWN_COUNT,             \
    }

#define QUANTIZE(backend_, name)                                                                             \
    {                                                                                                        \
        .op = "Q8_0Quantize", .family = "q1_0", .backend = #backend_, .technique = #name,                    \
        .mode = ASSAY_EXACT, .dtype = ASSAY_U8, .order = "no sums; every rounding to nearest even",          \
        .variants = 0, .present = q1_##backend_##_##name##_present,                                          \
        .supports = q1_##backend_##_##name##_supports, .cost = q1_##backend_##_##name##_cost,                \
        .plan = q1_##backend_##_##name##_plan, .known = q8_known, .known_count = Q8_KNOWN_COUNT,             \
    }

static const struct assay_kernel rows[] = {
    MATMUL(cpu, avx512, 1u << ASSAY_VARIANT_NATIVE),
    MATMUL(cpu, avx2, 1u << ASSAY_VARIANT_NATIVE),
    MATMUL(cpu, plain, ASSAY_ALL_FORMS),
    QUANTIZE(cpu, quantize_avx2),
    QUANTIZE(cpu, quantize),
    MATMUL(vulkan, lane8, Q1_VULKAN_FORMS),
    MATMUL(vulkan, lane1, Q1_VULKAN_FORMS),
    MATMUL(vulkan, mat, Q1_VULKAN_FORMS),
    QUANTIZE(vulkan, quantize),
    MATMUL(cuda, table, 1u << ASSAY_VARIANT_NATIVE),
    MATMUL(cuda, phased, 1u << ASSAY_VARIANT_NATIVE),
    MATMUL(cuda, mma32, 1u << ASSAY_VARIANT_NATIVE),
    MATMUL(cuda, mat, 1u << ASSAY_VARIANT_NATIVE),
    MATMUL(cuda, lane8, ASSAY_ALL_FORMS),
    MATMUL(cuda, lane1, ASSAY_ALL_FORMS),
    QUANTIZE(cuda, quantize),
};

const struct assay_kernel_table assay_q1_0_kernels = {.rows = rows, .count = sizeof rows / sizeof *rows};
