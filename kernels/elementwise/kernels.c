/* The table of elementwise operators: the lines of rows.def for each backend. The functions of a backend serve all its rows,
 * since a call says which operator and which types it wants. */
#include "kernels/elementwise/elementwise.h"
#include "kernels/elementwise/known.h"

#define FORMS_cpu_FORMS    ASSAY_ALL_FORMS
#define FORMS_vulkan_FORMS (ASSAY_ALL_FORMS | 1u << ASSAY_VARIANT_CONTRACT)
#define FORMS_cuda_FORMS   ASSAY_ALL_FORMS
#define FORMS_cpu_NONE     0
#define FORMS_vulkan_NONE  0
#define FORMS_cuda_NONE    0

#define ENTRY(backend_, onnx, name, dtype_name, DTYPE, arithmetic)                                           \
    {                                                                                                        \
        .op = #onnx,                                                                                         \
        .family = "elementwise",                                                                             \
        .backend = #backend_,                                                                                \
        .technique = #name "_" #dtype_name,                                                                  \
        .mode = ASSAY_EXACT,                                                                                 \
        .dtype = ASSAY_##DTYPE,                                                                              \
        .order = "element by element",                                                                       \
        .variants = FORMS_##backend_##_##arithmetic,                                                         \
        .present = elementwise_##backend_##_present,                                                         \
        .supports = elementwise_##backend_##_supports,                                                       \
        .cost = elementwise_##backend_##_cost,                                                               \
        .plan = elementwise_##backend_##_plan,                                                               \
        .known = elementwise_known_##name##_##dtype_name,                                                    \
        .known_count = sizeof elementwise_known_##name##_##dtype_name /                                      \
                       sizeof *elementwise_known_##name##_##dtype_name,                                      \
    },

static const struct assay_kernel rows[] = {
#define ROW(onnx, name, dtype_name, DTYPE, arithmetic) ENTRY(cpu, onnx, name, dtype_name, DTYPE, arithmetic)
#include "kernels/elementwise/rows.def"
#undef ROW
#define ROW(onnx, name, dtype_name, DTYPE, arithmetic)                                                       \
    ENTRY(vulkan, onnx, name, dtype_name, DTYPE, arithmetic)
#include "kernels/elementwise/rows.def"
#undef ROW
#define ROW(onnx, name, dtype_name, DTYPE, arithmetic) ENTRY(cuda, onnx, name, dtype_name, DTYPE, arithmetic)
#include "kernels/elementwise/rows.def"
#undef ROW
};

const struct assay_kernel_table assay_elementwise_kernels = {.rows = rows,
                                                             .count = sizeof rows / sizeof *rows};
