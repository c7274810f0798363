/* Elementwise operators in float64, without any rounding to f32 between steps, and how far float64 itself may be off. */
#include "oracles/unary/unary.h"

#include <float.h>
#include <math.h>

static double cut(double x, double lo, double hi)
{
    if (isnan(x) || isnan(lo) || isnan(hi)) return NAN;
    return fmin(fmax(x, lo), hi);
}

/* Products of two f32 and sums that end far above their last bit are exact or off by 2^-53. */
static double value_of(enum unary_op op, double x, struct unary_numbers n)
{
    switch (op) {
    case UNARY_relu:
        return isnan(x) ? x : fmax(x, 0);
    case UNARY_leaky_relu:
        return x < 0 ? n.a * x : x;
    case UNARY_elu:
        return x < 0 ? n.a * expm1(x) : x;
    case UNARY_hard_sigmoid:
        return cut(fma(n.a, x, n.b), 0, 1);
    case UNARY_hard_swish:
        return x * cut(fma(0x1.555556p-3, x, 0.5), 0, 1);
    case UNARY_softsign:
        return isinf(x) ? copysign(1, x) : x / (1 + fabs(x));
    case UNARY_thresholded_relu:
        return isnan(x) || x > n.a ? x : 0;
    case UNARY_clip:
        return cut(x, n.a, n.b);
    case UNARY_neg:
        return -x;
    case UNARY_abs:
        return fabs(x);
    default:
        return unary_near(op, x);
    }
}

enum assay_status unary_f64(const struct op_case *c, const struct assay_tensor *in, bool exact, double *value,
                            double *bound, double *magnitude, int64_t row0, int64_t row1,
                            struct assay_error *error)
{
    (void)exact, (void)error;
    const enum unary_op op = unary_op_of(c);
    const struct unary_numbers numbers = unary_numbers_of(c, in);
    int64_t last;
    const int64_t from = row0 * UNARY_STRETCH, end = c->op->row_elems(c, row1 - 1, &last) + last;
    for (int64_t i = from; i < end; i++) {
        const double y = value_of(op, unary_load(&in[0], i), numbers), size = isnan(y) ? 0 : fabs(y);
        value[i - from] = y;
        if (bound) bound[i - from] = isinf(size) ? 0 : size * UNARY_NEAR + DBL_MIN;
        if (magnitude) magnitude[i - from] = size;
    }
    return ASSAY_OK;
}

/* Two roundings to f32 at most, each of half a unit or half the least subnormal, the first's error multiplied by x or
 * alpha, which are below 2^32 wherever that is a subnormal's; then one to the format. */
double unary_contract_bound(const struct op_case *c, double magnitude)
{
    static const struct {
        enum assay_dtype dtype;
        double relative, least, largest;
    } formats[] = {{ASSAY_F32, 0, 0, FLT_MAX},
                   {ASSAY_F16, 0x1p-11, 0x1p-25, 65504},
                   {ASSAY_BF16, 0x1p-8, 0x1p-134, 0x1.fep127}};
    size_t f = 0;
    while (formats[f].dtype != c->dtype[0]) f++;
    const double single = magnitude * 0x1.00001p-23 + 0x1p-118;
    const double bound = single + (magnitude + single) * formats[f].relative + formats[f].least;
    return magnitude + bound < formats[f].largest ? bound : INFINITY;
}
