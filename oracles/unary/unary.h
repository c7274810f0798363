/* What the files of this folder share: the elementwise operators of one input, by number, and their axes.
 *
 * Knows tensors only; nothing of devices, kernels or how a tensor was filled. */
#ifndef ORACLES_UNARY_H
#define ORACLES_UNARY_H

#include "oracles/oracle.h"

enum unary_axis {
    UNARY_M,
    UNARY_N,
    UNARY_TX,
    UNARY_TY,
    UNARY_PADX,
    UNARY_PADY,
    UNARY_OFFX,
    UNARY_OFFY,
    UNARY_A, /* what an operator has besides: alpha, approximate, bounds */
    UNARY_B, /* beta */
    UNARY_AXES
};

/* X(name, ONNX name, further axes, what). Names that ONNX does not have are the project's own. */
#define UNARY_OPS(X)                                                                                         \
    X(exp, "Exp", NONE, "e^x, correctly rounded")                                                            \
    X(exp2, "Exp2", NONE, "2^x, correctly rounded")                                                          \
    X(expm1, "Expm1", NONE, "e^x - 1, correctly rounded")                                                    \
    X(log, "Log", NONE, "natural logarithm, correctly rounded")                                              \
    X(log2, "Log2", NONE, "logarithm to base 2, correctly rounded")                                          \
    X(log1p, "Log1p", NONE, "log(1 + x), correctly rounded")                                                 \
    X(tanh, "Tanh", NONE, "hyperbolic tangent, correctly rounded")                                           \
    X(erf, "Erf", NONE, "error function, correctly rounded")                                                 \
    X(sigmoid, "Sigmoid", NONE, "1 / (1 + e^-x), correctly rounded")                                         \
    X(silu, "Silu", NONE, "x / (1 + e^-x), correctly rounded")                                               \
    X(softplus, "Softplus", NONE, "log(1 + e^x), correctly rounded")                                         \
    X(gelu, "Gelu", FORM, "x times the normal distribution function, correctly rounded")                     \
    X(sqrt, "Sqrt", NONE, "square root, correctly rounded")                                                  \
    X(rsqrt, "Rsqrt", NONE, "1 / sqrt(x), correctly rounded")                                                \
    X(rcp, "Reciprocal", NONE, "1 / x, correctly rounded")                                                   \
    X(relu, "Relu", NONE, "max(x, 0)")                                                                       \
    X(leaky_relu, "LeakyRelu", ALPHA, "alpha x below 0, else x")                                             \
    X(elu, "Elu", ALPHA, "alpha (e^x - 1) below 0, else x")                                                  \
    X(hard_sigmoid, "HardSigmoid", ALPHA_BETA, "alpha x + beta, cut to 0 .. 1")                              \
    X(hard_swish, "HardSwish", NONE, "x times its HardSigmoid of 1/6 and 1/2")                               \
    X(softsign, "Softsign", NONE, "x / (1 + |x|)")                                                           \
    X(thresholded_relu, "ThresholdedRelu", ALPHA, "x above alpha, else 0")                                   \
    X(clip, "Clip", BOUNDS, "min(max(x, lo), hi)")                                                           \
    X(neg, "Neg", NONE, "-x")                                                                                \
    X(abs, "Abs", NONE, "|x|")

enum unary_op {
#define UNARY_ID(name, onnx, axes, what) UNARY_##name,
    UNARY_OPS(UNARY_ID)
#undef UNARY_ID
        UNARY_gelu_tanh, /* gelu with approximate=tanh: a function of its own, not an operator */
    UNARY_COUNT
};

enum unary_bounds { UNARY_BOUNDS_BOTH, UNARY_BOUNDS_LO, UNARY_BOUNDS_NONE };

/* The function that the case applies. */
enum unary_op unary_op_of(const struct op_case *c);

/* What an operator needs besides x: attributes as their f32 value, and clip's bounds (infinite where there is none). */
struct unary_numbers {
    float a, b;
};
struct unary_numbers unary_numbers_of(const struct op_case *c, const struct assay_tensor *in);

/* Element number `flat`, in row-major order, of a tensor of f32, f16 or bf16. */
float unary_load(const struct assay_tensor *t, int64_t flat);

#define UNARY_STRETCH 1024 /* elements of a row, in the oracles' sense */

/* A function's value in binary64, with a relative error below UNARY_NEAR. */
#define UNARY_NEAR 0x1p-42
double unary_near(enum unary_op op, double x);

void unary_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                    int64_t row0, int64_t row1);
enum assay_status unary_f64(const struct op_case *c, const struct assay_tensor *in, bool exact, double *value,
                            double *bound, double *magnitude, int64_t row0, int64_t row1,
                            struct assay_error *error);
double unary_contract_bound(const struct op_case *c, double magnitude);

#endif
