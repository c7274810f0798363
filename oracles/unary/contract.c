/* The bits of exact mode for elementwise operators, read off docs/exactness.md, "Elementary functions": a real function
 * rounded once to f32 (and once more to f16 or bf16), or a few operations of f32, each rounded.
 *
 * A real function is taken in binary64 first. Where an error of UNARY_NEAR could change the f32 that it rounds to, MPFR
 * decides with 320 bits: more than the least subnormal's distance from a middle needs (x sigmoid(x) of 2^-149 takes 150).
 * No code and no table is shared with the kernels. */
#include "oracles/unary/unary.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

#define PRECISION 320
#define NAN_BITS  0x7fc00000u

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? NAN_BITS : bits;
}

static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- formats ---- */

/* Fraction bits, least normal exponent, largest value's successor. */
struct format {
    int fraction, least;
    double beyond;
};
static const struct format half = {10, -14, 0x1p16}, brain = {7, -126, 0x1p128};

static float widen(const struct format *f, uint16_t bits)
{
    const int width = 15 - f->fraction, field = bits >> f->fraction & ((1 << width) - 1);
    const int fraction = bits & ((1 << f->fraction) - 1);
    double value =
        ldexp(fraction + (field ? 1 << f->fraction : 0), (field ? field - 1 : 0) + f->least - f->fraction);
    if (field == (1 << width) - 1) value = fraction ? NAN : INFINITY;
    return (float)(bits >> 15 ? -value : value);
}

/* RN(x) in the format: x in units of its last place, which binary64 holds exactly, to the nearest even integer. */
static uint16_t narrow(const struct format *f, float x)
{
    const int width = 15 - f->fraction;
    const uint16_t sign = signbit(x) ? 0x8000 : 0, top = (uint16_t)(((1 << width) - 1) << f->fraction);
    if (isnan(x)) return (uint16_t)(top | 1 << (f->fraction - 1));
    if (x == 0 || isinf(x)) return (uint16_t)(sign | (x == 0 ? 0 : top));
    int exponent = ilogbf(x);
    if (exponent < f->least) exponent = f->least;
    const double steps = nearbyint(ldexp(fabs((double)x), f->fraction - exponent));
    if (ldexp(steps, exponent - f->fraction) >= f->beyond) return (uint16_t)(sign | top);
    /* the leading bit of a normal number adds itself to the exponent's field */
    return (uint16_t)(sign + ((exponent - f->least) << f->fraction) + (int)steps);
}

static int64_t place_of(const struct assay_tensor *t, int64_t flat)
{
    int64_t at = t->offset;
    for (uint32_t d = t->rank; d-- > 0;) {
        at += flat % t->shape[d] * t->stride[d];
        flat /= t->shape[d];
    }
    return at;
}

float unary_load(const struct assay_tensor *t, int64_t flat)
{
    const int64_t at = place_of(t, flat);
    if (t->dtype == ASSAY_F32) return float_of(((const uint32_t *)t->data)[at]);
    return widen(t->dtype == ASSAY_F16 ? &half : &brain, ((const uint16_t *)t->data)[at]);
}

static void store(struct assay_tensor *t, int64_t flat, float x)
{
    const int64_t at = place_of(t, flat);
    if (t->dtype == ASSAY_F32)
        ((uint32_t *)t->data)[at] = bits_of(x);
    else
        ((uint16_t *)t->data)[at] = narrow(t->dtype == ASSAY_F16 ? &half : &brain, x);
}

/* ---- real functions ---- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

double unary_near(enum unary_op op, double x)
{
    switch (op) {
    case UNARY_exp:
        return exp(x);
    case UNARY_exp2:
        return exp2(x);
    case UNARY_expm1:
        return expm1(x);
    case UNARY_log:
        return log(x);
    case UNARY_log2:
        return log2(x);
    case UNARY_log1p:
        return log1p(x);
    case UNARY_tanh:
        return tanh(x);
    case UNARY_erf:
        return erf(x);
    case UNARY_sigmoid:
        return logistic(x);
    case UNARY_silu:
        return x == -INFINITY ? -0.0 : x * logistic(x);
    case UNARY_softplus: /* max(x, 0) + log(1 + e^-|x|): no cancellation */
        return fmax(x, 0) + log1p(exp(-fabs(x)));
    case UNARY_gelu: /* x Phi(x), Phi(x) = erfc(-x / sqrt 2) / 2 */
        return x == -INFINITY ? -0.0 : x * (erfc(-x * M_SQRT1_2) / 2);
    case UNARY_gelu_tanh: /* (1 + tanh u) / 2 = logistic(2u) */
        return x == -INFINITY ? -0.0
                              : x * logistic(2 * M_2_SQRTPI * M_SQRT1_2 * x * (1 + 0.044715 * (x * x)));
    case UNARY_sqrt:
        return sqrt(x);
    case UNARY_rsqrt:
        return 1 / sqrt(x);
    default:
        return 1 / x;
    }
}

/* y = the function of x; t is scratch. */
static void precise(enum unary_op op, mpfr_t y, const mpfr_t x, mpfr_t t)
{
    switch (op) {
    case UNARY_exp:
        mpfr_exp(y, x, MPFR_RNDN);
        break;
    case UNARY_exp2:
        mpfr_exp2(y, x, MPFR_RNDN);
        break;
    case UNARY_expm1:
        mpfr_expm1(y, x, MPFR_RNDN);
        break;
    case UNARY_log:
        mpfr_log(y, x, MPFR_RNDN);
        break;
    case UNARY_log2:
        mpfr_log2(y, x, MPFR_RNDN);
        break;
    case UNARY_log1p:
        mpfr_log1p(y, x, MPFR_RNDN);
        break;
    case UNARY_tanh:
        mpfr_tanh(y, x, MPFR_RNDN);
        break;
    case UNARY_erf:
        mpfr_erf(y, x, MPFR_RNDN);
        break;
    case UNARY_softplus:
        mpfr_exp(t, x, MPFR_RNDN);
        mpfr_log1p(y, t, MPFR_RNDN);
        break;
    case UNARY_gelu:
        mpfr_set_ui(t, 2, MPFR_RNDN);
        mpfr_rec_sqrt(t, t, MPFR_RNDN);
        mpfr_mul(t, t, x, MPFR_RNDN);
        mpfr_neg(t, t, MPFR_RNDN);
        mpfr_erfc(t, t, MPFR_RNDN);
        mpfr_mul(t, t, x, MPFR_RNDN);
        mpfr_div_ui(y, t, 2, MPFR_RNDN);
        break;
    case UNARY_sigmoid:
    case UNARY_silu:
    case UNARY_gelu_tanh:
        mpfr_set(t, x, MPFR_RNDN);
        if (op == UNARY_gelu_tanh) { /* 2 sqrt(2 / pi) (x + 0.044715 x^3) */
            mpfr_pow_ui(y, x, 3, MPFR_RNDN);
            mpfr_mul_ui(y, y, 8943, MPFR_RNDN);
            mpfr_div_ui(y, y, 200000, MPFR_RNDN);
            mpfr_add(t, t, y, MPFR_RNDN);
            mpfr_const_pi(y, MPFR_RNDN);
            mpfr_rec_sqrt(y, y, MPFR_RNDN);
            mpfr_mul(t, t, y, MPFR_RNDN);
            mpfr_set_ui(y, 8, MPFR_RNDN);
            mpfr_sqrt(y, y, MPFR_RNDN);
            mpfr_mul(t, t, y, MPFR_RNDN);
        }
        mpfr_neg(t, t, MPFR_RNDN);
        mpfr_exp(t, t, MPFR_RNDN);
        mpfr_add_ui(t, t, 1, MPFR_RNDN);
        if (op == UNARY_sigmoid)
            mpfr_ui_div(y, 1, t, MPFR_RNDN);
        else
            mpfr_div(y, x, t, MPFR_RNDN);
        break;
    case UNARY_sqrt:
        mpfr_sqrt(y, x, MPFR_RNDN);
        break;
    case UNARY_rsqrt:
        mpfr_rec_sqrt(y, x, MPFR_RNDN);
        break;
    default:
        mpfr_ui_div(y, 1, x, MPFR_RNDN);
        break;
    }
}

static float rounded(enum unary_op op, float x)
{
    const double value = unary_near(op, x), error = fabs(value) * UNARY_NEAR;
    const float low = (float)(value - error), high = (float)(value + error);
    if (isnan(value) || isinf(value) || value == 0 || bits_of(low) == bits_of(high)) return (float)value;
    mpfr_t y, wide, scratch;
    mpfr_inits2(PRECISION, y, wide, scratch, (mpfr_ptr)NULL);
    mpfr_set_flt(wide, x, MPFR_RNDN);
    precise(op, y, wide, scratch);
    const float result = mpfr_get_flt(y, MPFR_RNDN);
    mpfr_clears(y, wide, scratch, (mpfr_ptr)NULL);
    mpfr_free_cache(); /* of this thread, which may be about to end */
    return result;
}

/* ---- composed operators ---- */

/* Maximum and minimum: NaN wins, and +0 is above -0. */
static float larger(float x, float y)
{
    if (isnan(x) || isnan(y)) return NAN;
    if (x == y) return signbit(x) ? y : x;
    return x > y ? x : y;
}

static float smaller(float x, float y)
{
    return -larger(-x, -y);
}

static float hard_sigmoid(float x, float alpha, float beta)
{
    return smaller(larger(fmaf(alpha, x, beta), 0), 1);
}

static float apply(enum unary_op op, float x, struct unary_numbers n)
{
    if (isnan(x)) return x;
    switch (op) {
    case UNARY_relu:
        return larger(x, 0);
    case UNARY_leaky_relu:
        return x < 0 ? n.a * x : x;
    case UNARY_elu:
        return x < 0 ? n.a * rounded(UNARY_expm1, x) : x;
    case UNARY_hard_sigmoid:
        return hard_sigmoid(x, n.a, n.b);
    case UNARY_hard_swish:
        return x * hard_sigmoid(x, float_of(0x3e2aaaab), 0.5f);
    case UNARY_softsign:
        return isinf(x) ? copysignf(1, x) : x / (1 + fabsf(x));
    case UNARY_thresholded_relu:
        return x > n.a ? x : 0;
    case UNARY_clip:
        return smaller(larger(x, n.a), n.b);
    case UNARY_neg:
        return -x;
    case UNARY_abs:
        return fabsf(x);
    default:
        return rounded(op, x);
    }
}

void unary_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                    int64_t row0, int64_t row1)
{
    const enum unary_op op = unary_op_of(c);
    const struct unary_numbers numbers = unary_numbers_of(c, in);
    int64_t last;
    const int64_t end = c->op->row_elems(c, row1 - 1, &last) + last;
    for (int64_t i = row0 * UNARY_STRETCH; i < end; i++)
        store(out, i, apply(op, unary_load(&in[0], i), numbers));
}
