/* Elementwise operators of one input: what the files of this folder share.
 *
 *     Exp, Log, Tanh, Gelu, Relu, ...    X [any shape] -> Y [the same]    f32, f16 or bf16
 *     Clip                               X, lo, hi (scalars, both or hi may be absent) -> Y
 *
 * text.h has the functions, function.h of exact/ the correctly rounded ones; problem.c reads calls and makes plans; cpu.c,
 * vulkan.c and cuda.c name the programs, one a function. A tensor is read as rows and columns, each with its stride; what
 * lies dense is one row.
 *
 * The functions give and see normal numbers only, in a form for devices whose Fma rounds once and one for the others; the
 * few operations that can meet a subnormal (alpha x, x / (1 + |x|), ...) are guarded by integers in both. So each row has
 * these two forms, and no integer form. */
#ifndef ASSAY_UNARY_H
#define ASSAY_UNARY_H

#include "kernels/kernel.h"

/* X(function, ONNX name, operands beside x). Gelu is two functions. */
#define UNARY_FUNCTIONS(X)                                                                                   \
    X(exp, "Exp", NONE)                                                                                      \
    X(exp2, "Exp2", NONE)                                                                                    \
    X(expm1, "Expm1", NONE)                                                                                  \
    X(log, "Log", NONE)                                                                                      \
    X(log2, "Log2", NONE)                                                                                    \
    X(log1p, "Log1p", NONE)                                                                                  \
    X(tanh, "Tanh", NONE)                                                                                    \
    X(erf, "Erf", NONE)                                                                                      \
    X(sigmoid, "Sigmoid", NONE)                                                                              \
    X(silu, "Silu", NONE)                                                                                    \
    X(softplus, "Softplus", NONE)                                                                            \
    X(gelu, "Gelu", FORM)                                                                                    \
    X(sqrt, "Sqrt", NONE)                                                                                    \
    X(rsqrt, "Rsqrt", NONE)                                                                                  \
    X(rcp, "Reciprocal", NONE)                                                                               \
    X(relu, "Relu", NONE)                                                                                    \
    X(leaky_relu, "LeakyRelu", ALPHA)                                                                        \
    X(elu, "Elu", ALPHA)                                                                                     \
    X(hard_sigmoid, "HardSigmoid", ALPHA_BETA)                                                               \
    X(hard_swish, "HardSwish", NONE)                                                                         \
    X(softsign, "Softsign", NONE)                                                                            \
    X(thresholded_relu, "ThresholdedRelu", ALPHA)                                                            \
    X(clip, "Clip", BOUNDS)                                                                                  \
    X(neg, "Neg", NONE)                                                                                      \
    X(abs, "Abs", NONE)
/* Every program: the functions above and Gelu's other form. */
#define UNARY_PROGRAMS(X)                                                                                    \
    UNARY_FUNCTIONS(X)                                                                                       \
    X(gelu_tanh, "Gelu", FORM)

enum unary_function {
#define UNARY_ID(name, onnx, beside) UNARY_##name,
    UNARY_PROGRAMS(UNARY_ID)
#undef UNARY_ID
        UNARY_COUNT
};

/* Does a value of the tensors come from a buffer? */
#define UNARY_HAS_LO 1u
#define UNARY_HAS_HI 2u

/* Arguments of every program, 96 bytes: element (r, c) of X is number x_from + r x_row + c x_col of its binding, likewise Y.
 * a and b: alpha and beta, as bits. bounds: UNARY_HAS_*, whose one element is number lo_from or hi_from of its binding. */
struct unary_push {
    uint64_t rows, cols;
    uint64_t x_from, x_row, x_col;
    uint64_t y_from, y_row, y_col;
    uint32_t dtype; /* enum assay_dtype */
    uint32_t bounds, lo_from, hi_from;
    uint32_t a, b;
    uint32_t groups;
    uint32_t packed; /* both dense, from a multiple of 16 bytes on */
};

/* X, Y, lo, hi. Absent bounds are bound as X. */
#define UNARY_BINDINGS 4

struct unary_backend {
    const char *name;
    uint32_t threads;     /* a workgroup; 1 = the function does a workgroup's work itself */
    uint32_t tile_elems;  /* that a workgroup does at a time */
    uint64_t elems_most;  /* of a tensor's extent */
    uint64_t groups_most; /* workgroups of a dispatch; they go on by as many tiles */
    /* Fill codes and spec of a function in this form. */
    void (*choose)(const struct assay_device_info *info, enum unary_function function, bool fused,
                   enum assay_dtype dtype, struct assay_program_params *params);
};
extern const struct unary_backend unary_cpu, unary_cpu_avx2, unary_vulkan, unary_cuda;

/* The function that a call means, or UNARY_COUNT with the reason in why. */
enum unary_function unary_read(const struct unary_backend *backend, const struct assay_device_info *info,
                               const struct assay_call *call, enum assay_dtype dtype, char why[160]);
enum assay_status unary_plan(const struct unary_backend *backend, const struct assay_device_info *info,
                             const struct assay_call *call, enum assay_dtype dtype,
                             enum assay_variant variant, struct assay_plan *plan, struct assay_error *error);

bool unary_cpu_present(const struct assay_device_info *info, char why[160]);
bool unary_cpu_avx2_present(const struct assay_device_info *info, char why[160]);
bool unary_vulkan_present(const struct assay_device_info *info, char why[160]);
bool unary_cuda_present(const struct assay_device_info *info, char why[160]);

/* Loops of the CPU by function (cpu_loops.h): fused arithmetic of plain C and of AVX2's instructions, and unfused. */
extern const struct assay_code unary_cpu_fused[UNARY_COUNT], unary_cpu_unfused[UNARY_COUNT],
    unary_cpu_fma[UNARY_COUNT];

/* The calls whose answers every row must get right before it is used (known.c): two of each operator and dtype. */
#define UNARY_KNOWN_COUNT 2
#define UNARY_KNOWN(name, onnx, beside)                                                                      \
    extern const struct assay_known_answer unary_known_##name##_f32[UNARY_KNOWN_COUNT];                      \
    extern const struct assay_known_answer unary_known_##name##_f16[UNARY_KNOWN_COUNT];                      \
    extern const struct assay_known_answer unary_known_##name##_bf16[UNARY_KNOWN_COUNT];
UNARY_FUNCTIONS(UNARY_KNOWN)
#undef UNARY_KNOWN

#endif
