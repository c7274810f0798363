/* The table of elementwise operators: a row an (operator, backend, technique, dtype). The function names the technique, so
 * that every kernel has a name of its own: unary.cuda.exp_f16.exact. */
#include "kernels/unary/unary.h"

/* What rows of one backend and dtype share. */
#define ROW_FUNCTIONS(kind, dtype_word, dtype_id, element_ns)                                                \
    static bool kind##_##dtype_word##_supports(const struct assay_device_info *info,                         \
                                               const struct assay_call *call, char why[160])                 \
    {                                                                                                        \
        return unary_read(&unary_##kind, info, call, dtype_id, why) != UNARY_COUNT;                          \
    }                                                                                                        \
    static enum assay_status kind##_##dtype_word##_plan(                                                     \
        const struct assay_device_info *info, const struct assay_call *call, enum assay_variant variant,     \
        struct assay_plan *plan, struct assay_error *error)                                                  \
    {                                                                                                        \
        return unary_plan(&unary_##kind, info, call, dtype_id, variant, plan, error);                        \
    }                                                                                                        \
    static double kind##_##dtype_word##_cost(const struct assay_device_info *info,                           \
                                             const struct assay_call *call)                                  \
    {                                                                                                        \
        (void)info;                                                                                          \
        return 2000 + element_ns * (double)assay_tensor_elems(&call->output[0]);                             \
    }
#define DTYPES(X, kind, element_ns)                                                                          \
    X(kind, f32, ASSAY_F32, element_ns)                                                                      \
    X(kind, f16, ASSAY_F16, element_ns)                                                                      \
    X(kind, bf16, ASSAY_BF16, element_ns)
DTYPES(ROW_FUNCTIONS, cpu, 60)
DTYPES(ROW_FUNCTIONS, cpu_avx2, 10)
DTYPES(ROW_FUNCTIONS, vulkan, 0.02)
DTYPES(ROW_FUNCTIONS, cuda, 0.01)

#define FUSED_FORMS (1u << ASSAY_VARIANT_NATIVE | 1u << ASSAY_VARIANT_GUARDED)
#define BOTH_FORMS  (FUSED_FORMS | 1u << ASSAY_VARIANT_EMULATED)
/* The contracting form serves sums of products; functions take the device's own Fma beside it (kernel.h). */
#define FORMS_cpu      BOTH_FORMS
#define FORMS_cpu_avx2 FUSED_FORMS
#define FORMS_cuda     BOTH_FORMS
#define FORMS_vulkan   (BOTH_FORMS | 1u << ASSAY_VARIANT_CONTRACT)

#define ROW(kind, backend_, name, suffix, onnx, dtype_word, dtype_id)                                        \
    {                                                                                                        \
        .op = onnx, .family = "unary", .backend = backend_, .technique = #name suffix, .mode = ASSAY_EXACT,  \
        .dtype = dtype_id, .order = "elements alone; correctly rounded, or as composed", .normals = true,    \
        .variants = FORMS_##kind, .present = unary_##kind##_present,                                         \
        .supports = kind##_##dtype_word##_supports, .cost = kind##_##dtype_word##_cost,                      \
        .plan = kind##_##dtype_word##_plan, KNOWN(name, dtype_word)                                          \
    }
#define KNOWN(name, dtype_word) .known = unary_known_##name##_##dtype_word, .known_count = UNARY_KNOWN_COUNT
#define ROWS_OF(kind, backend, name, onnx, suffix)                                                           \
    ROW(kind, backend, name, suffix, onnx, f32, ASSAY_F32),                                                  \
        ROW(kind, backend, name, "_f16" suffix, onnx, f16, ASSAY_F16),                                       \
        ROW(kind, backend, name, "_bf16" suffix, onnx, bf16, ASSAY_BF16)
#define ROWS(name, onnx, beside)                                                                             \
    ROWS_OF(cpu, "cpu", name, onnx, ""), ROWS_OF(cpu_avx2, "cpu", name, onnx, "_avx2"),                      \
        ROWS_OF(vulkan, "vulkan", name, onnx, ""), ROWS_OF(cuda, "cuda", name, onnx, ""),

static const struct assay_kernel rows[] = {UNARY_FUNCTIONS(ROWS)};

const struct assay_kernel_table assay_unary_kernels = {.rows = rows, .count = sizeof rows / sizeof *rows};
