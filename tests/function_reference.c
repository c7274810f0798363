/* See function_reference.h. */
#include "tests/function_reference.h"

#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <string.h>

const char *const function_reference_names[FUNCTION_COUNT] = {
#define FUNCTION_REFERENCE_NAME(name) #name,
    FUNCTION_REFERENCES(FUNCTION_REFERENCE_NAME)};

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* Values in binary64. Each is good to a few 2^-52 of its size, far better than the test below needs (2^-44). */
static double near_exp(double x)
{
    return exp(x);
}
static double near_exp2(double x)
{
    return exp2(x);
}
static double near_expm1(double x)
{
    return expm1(x);
}
static double near_log(double x)
{
    return log(x);
}
static double near_log2(double x)
{
    return log2(x);
}
static double near_log1p(double x)
{
    return log1p(x);
}
static double near_tanh(double x)
{
    return tanh(x);
}
static double near_erf(double x)
{
    return erf(x);
}
static double near_sigmoid(double x)
{
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}
static double near_silu(double x)
{
    return x * near_sigmoid(x);
}
static double near_softplus(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}
static double near_gelu(double x)
{
    return 0.5 * x * erfc(-x * 0.70710678118654752440);
}
static double near_gelu_tanh(double x)
{
    return x * near_sigmoid(1.5957691216057307118 * (x + 0.044715 * x * x * x));
}
static double near_rsqrt(double x)
{
    return 1 / sqrt(x);
}
static double near_sqrt(double x)
{
    return sqrt(x);
}
static double near_rcp(double x)
{
    return 1 / x;
}

/* The same with 320 bits; y is x on entry. */
typedef int (*monotone)(mpfr_t, const mpfr_t, mpfr_rnd_t);
static void mpfr_sigmoid_times(mpfr_t y, const mpfr_t argument, const mpfr_t factor)
{
    mpfr_neg(y, argument, MPFR_RNDN);
    mpfr_exp(y, y, MPFR_RNDN);
    mpfr_add_ui(y, y, 1, MPFR_RNDN);
    mpfr_div(y, factor, y, MPFR_RNDN);
}
static void slow_value(enum function_reference function, mpfr_t y, const mpfr_t x, mpfr_t t)
{
    static const monotone direct[FUNCTION_COUNT] = {
        [FUNCTION_exp] = mpfr_exp,   [FUNCTION_exp2] = mpfr_exp2, [FUNCTION_expm1] = mpfr_expm1,
        [FUNCTION_log] = mpfr_log,   [FUNCTION_log2] = mpfr_log2, [FUNCTION_log1p] = mpfr_log1p,
        [FUNCTION_tanh] = mpfr_tanh, [FUNCTION_erf] = mpfr_erf,   [FUNCTION_rsqrt] = mpfr_rec_sqrt,
        [FUNCTION_sqrt] = mpfr_sqrt,
    };
    if (direct[function]) {
        direct[function](y, x, MPFR_RNDN);
        return;
    }
    switch (function) {
    case FUNCTION_rcp:
        mpfr_ui_div(y, 1, x, MPFR_RNDN);
        break;
    case FUNCTION_sigmoid:
        mpfr_set_ui(t, 1, MPFR_RNDN);
        mpfr_sigmoid_times(y, x, t);
        break;
    case FUNCTION_silu:
        mpfr_sigmoid_times(y, x, x);
        break;
    case FUNCTION_softplus:
        mpfr_exp(y, x, MPFR_RNDN);
        mpfr_log1p(y, y, MPFR_RNDN);
        break;
    case FUNCTION_gelu: /* x erfc(-x / sqrt 2) / 2 */
        mpfr_sqrt_ui(t, 2, MPFR_RNDN);
        mpfr_div(t, x, t, MPFR_RNDN);
        mpfr_neg(t, t, MPFR_RNDN);
        mpfr_erfc(y, t, MPFR_RNDN);
        mpfr_mul(y, y, x, MPFR_RNDN);
        mpfr_div_2ui(y, y, 1, MPFR_RNDN);
        break;
    case FUNCTION_gelu_tanh: /* x sigmoid(sqrt(8 / pi) x (1 + 0.044715 x^2)) */
        mpfr_sqr(t, x, MPFR_RNDN);
        mpfr_mul_ui(t, t, 44715, MPFR_RNDN);
        mpfr_div_ui(t, t, 1000000, MPFR_RNDN);
        mpfr_add_ui(t, t, 1, MPFR_RNDN);
        mpfr_mul(t, t, x, MPFR_RNDN);
        mpfr_const_pi(y, MPFR_RNDN);
        mpfr_ui_div(y, 8, y, MPFR_RNDN);
        mpfr_sqrt(y, y, MPFR_RNDN);
        mpfr_mul(t, t, y, MPFR_RNDN);
        mpfr_sigmoid_times(y, t, x);
        break;
    default:
        break;
    }
}

/* Values at 0 and the infinities, where they are not what binary64's functions say: rule 4's zeros and limits. */
static bool special(enum function_reference function, float x, uint32_t *bits)
{
    const bool odd_zero = function == FUNCTION_silu || function == FUNCTION_gelu ||
                          function == FUNCTION_gelu_tanh || function == FUNCTION_tanh ||
                          function == FUNCTION_erf || function == FUNCTION_expm1 ||
                          function == FUNCTION_log1p || function == FUNCTION_sqrt;
    if (isnan(x))
        *bits = 0x7FC00000u;
    else if (x == 0 && odd_zero)
        *bits = bits_of(x);
    else if (x == 0 && (function == FUNCTION_rsqrt || function == FUNCTION_rcp))
        *bits = bits_of(x) | 0x7F800000u;
    else if (isinf(x) &&
             (function == FUNCTION_silu || function == FUNCTION_gelu || function == FUNCTION_gelu_tanh))
        *bits = x > 0 ? 0x7F800000u : 0x80000000u;
    else
        return false;
    return true;
}

uint32_t function_reference(enum function_reference function, uint32_t x, uint64_t *slow)
{
    static double (*const near[FUNCTION_COUNT])(double) = {
#define FUNCTION_REFERENCE_NEAR(name) near_##name,
        FUNCTION_REFERENCES(FUNCTION_REFERENCE_NEAR)};
    static _Thread_local mpfr_t y, wide, scratch;
    static _Thread_local bool ready;
    float f;
    uint32_t bits;
    memcpy(&f, &x, sizeof f);
    if (special(function, f, &bits)) return bits;
    const double value = near[function](f), error = fabs(value) * 0x1p-44;
    if (isnan(value)) return 0x7FC00000u;
    /* far below or above every float: binary64 may itself have under- or overflowed, and that decides */
    if (fabs(value) < 0x1p-200)
        return signbit(value) || (signbit(f) && (function == FUNCTION_silu || function == FUNCTION_gelu ||
                                                 function == FUNCTION_gelu_tanh))
                   ? 0x80000000u
                   : 0;
    if (isinf(value)) return bits_of((float)value);
    const uint32_t low = bits_of((float)(value - error)), high = bits_of((float)(value + error));
    if (low == high) return low;
    if (slow) ++*slow;
    if (!ready) {
        mpfr_inits2(320, y, wide, scratch, (mpfr_ptr)NULL);
        ready = true;
    }
    mpfr_set_flt(wide, f, MPFR_RNDN);
    slow_value(function, y, wide, scratch);
    return bits_of(mpfr_get_flt(y, MPFR_RNDN));
}
