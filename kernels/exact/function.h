/* Elementary functions of one f32, correctly rounded (docs/exactness.md, "Elementary functions"): exp, exp2, expm1, log,
 * log2, log1p, tanh, erf, sigmoid, softplus, silu, gelu in both forms, reciprocal square root. One text for C11, CUDA
 * C++ and GLSL 4.50; integers, and f32 add, multiply and fused multiply-add that never see or give a subnormal.
 *
 * Two ways to a result, and both end in one rounding of a pair high + low:
 *
 *   short  (where the fused multiply-add rounds once) a table and a short polynomial, relative error about 2^-36. The
 *          pair tells when it lies too near to the middle between two floats to decide: about one input in 500.
 *   long   pairs all the way, relative error about 2^-47. The few inputs that even these round to the wrong side are
 *          listed in function_exceptions.h.
 *
 * That no other input is wrong is shown by trying all 2^32 (tests/long_function.c), for either value of XM_FUSED. NaN
 * results are 7fc00000. Polynomials and tables: scripts/fit-functions.py.
 *
 * GLSL needs XM_FUSED and, where the short way is wanted, the tables cost it constant memory: XM_SHORT 0 leaves it out. */
#ifndef ASSAY_KERNELS_EXACT_FUNCTION_H
#define ASSAY_KERNELS_EXACT_FUNCTION_H

#include "kernels/exact/function_constants.h"

#include "kernels/exact/pair.h"
#include "kernels/exact/function_exceptions.h"

#ifndef XM_SHORT
#define XM_SHORT XM_FUSED
#endif

/* The long way is rare where there is a short one: keep it out of line, so that it costs no registers. */
#if defined(XM_LONG) /* the includer has said where it goes */
#elif defined(__CUDACC__) && !defined(__clang__)
#define XM_LONG static __device__ __noinline__
#elif defined(__CUDA__)
#define XM_LONG static __attribute__((device, noinline))
#elif defined(VULKAN)
#define XM_LONG
#else
#define XM_LONG static __attribute__((noinline, unused))
#endif

/* Tables: an array of the language, or a tree of choices where drivers copy constant arrays to slow memory. */
#if defined(VULKAN)
#define XM_TABLE(name, count, values) const float name[count] = {values};
#elif defined(__CUDACC__) && !defined(__clang__)
#define XM_TABLE(name, count, values)                                                                        \
    static __device__ const __attribute__((aligned(32))) float name[count] = {values};
#elif defined(__CUDA__)
#define XM_TABLE(name, count, values)                                                                        \
    static const __attribute__((device, aligned(32))) float name[count] = {values};
#else
#define XM_TABLE(name, count, values)                                                                        \
    static const float name[count] __attribute__((aligned(32), unused)) = {values};
#endif

#if defined(VULKAN)
#define XM_FLOAT(x) float(x)
#else
#define XM_FLOAT(x) ((float)(x))
#endif

/* (high + low) * 2^exponent */
XF_STRUCT(xm_scaled)
{
    xf_f high;
    xf_f low;
    xf_i exponent;
};
/* A rounded result. Where `near` is set the pair was too near to a middle for its error. */
XF_STRUCT(xm_rounded)
{
    xf_u bits;
    bool near;
};
#if defined(VULKAN)
#define XM_SCALED  xm_scaled
#define XM_ROUNDED xm_rounded
#else
#define XM_SCALED  struct xm_scaled
#define XM_ROUNDED struct xm_rounded
#endif

XF_FN XM_SCALED xm_scaled_make(xf_f high, xf_f low, xf_i exponent)
{
    XM_SCALED r;
    r.high = high;
    r.low = low;
    r.exponent = exponent;
    return r;
}
XF_FN XM_SCALED xm_unscaled(XF_PAIR a)
{
    return xm_scaled_make(a.high, a.low, 0);
}
/* 2^k, -126 <= k <= 127 */
XF_FN xf_f xm_power(xf_i k)
{
    return xf_float(XF_U(k + 127) << 23);
}
XF_FN XF_PAIR xm_descale(XM_SCALED a) /* -60 <= exponent <= 60 */
{
    xf_f scale = xm_power(a.exponent);
    return xm_pair(xf_hw_mul(a.high, scale), xf_hw_mul(a.low, scale));
}
XF_FN xf_f xm_with_sign(xf_f x, xf_u sign)
{
    return xf_float(xf_bits(x) ^ sign);
}

/* Round (high + low) * 2^exponent once, high normal. `width` says how near to a middle is near: low, after both are
 * normalised, is within width * 2^-23 of a power of two, and half an ulp is one. A subnormal result is always near: its
 * middles are elsewhere. */
XF_FN XM_ROUNDED xm_round(XM_SCALED v, xf_u width)
{
    XF_PAIR s = xm_sum_ordered(v.high, v.low);
    XM_ROUNDED r;
    xf_u high = xf_bits(s.high), low = xf_bits(s.low), fraction;
    xf_i exponent = XF_I((high >> 23) & 0xFFu) + v.exponent;
    r.near = ((low + width) & 0x7FFFFFu) < 2u * width;
    r.bits = high + (XF_U(v.exponent) << 23);
    if ((high & 0x7FFFFFFFu) == 0u)
        r.bits = high;
    else if (exponent < 1 || exponent > 254) {
        r.near = true;
        fraction = ((high & 0x7FFFFFu) | 0x800000u) << 8;
        if ((low & 0x7FFFFFFFu) != 0u) fraction = ((low ^ high) >> 31) != 0u ? fraction - 1u : fraction + 1u;
        /* one below a power of two, the leading bit moves */
        if ((fraction >> 31) == 0u) {
            fraction = fraction << 1;
            exponent = exponent - 1;
        }
        r.bits = xf_pack(high & XF_SIGN, exponent, fraction);
    }
    return r;
}
#define XM_WIDTH_LONG 64u
#define XM_WIDTH_EXP  4096u
#define XM_WIDTH_LOG  4096u
#define XM_WIDTH_ROWS 4096u
#define XM_WIDTH_TAIL 16384u /* of the normal distribution: a value that falls faster than its slope */

/* ---- parts that several functions share ---- */

#if defined(VULKAN) && !XM_SHORT
xf_f xm_choose4(xf_u j, xf_f a, xf_f b, xf_f c, xf_f d)
{
    return (j & 2u) != 0u ? ((j & 1u) != 0u ? d : c) : ((j & 1u) != 0u ? b : a);
}
xf_f xm_choose8(xf_u j, xf_f a, xf_f b, xf_f c, xf_f d, xf_f e, xf_f f, xf_f g, xf_f h)
{
    return (j & 4u) != 0u ? xm_choose4(j, e, f, g, h) : xm_choose4(j, a, b, c, d);
}
#define XM_CHOOSE32_(j, a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7, c0, c1, c2, c3, c4,  \
                     c5, c6, c7, d0, d1, d2, d3, d4, d5, d6, d7)                                             \
    xm_choose4((j) >> 3, xm_choose8(j, a0, a1, a2, a3, a4, a5, a6, a7),                                      \
               xm_choose8(j, b0, b1, b2, b3, b4, b5, b6, b7), xm_choose8(j, c0, c1, c2, c3, c4, c5, c6, c7), \
               xm_choose8(j, d0, d1, d2, d3, d4, d5, d6, d7))
#define XM_CHOOSE32(j, list) XM_CHOOSE32_(j, list)
xf_f xm_power_high(xf_u j)
{
    return XM_CHOOSE32(j, XM_POWER_HIGH);
}
xf_f xm_power_low(xf_u j)
{
    return XM_CHOOSE32(j, XM_POWER_LOW);
}
#else
XM_TABLE(xm_table_power_high, 32, XM_POWER_HIGH)
XM_TABLE(xm_table_power_low, 32, XM_POWER_LOW)
#define xm_power_high(j) xm_table_power_high[j]
#define xm_power_low(j)  xm_table_power_low[j]
#endif

/* 2^(n/32) e^r, |r| < 0.0109 */
XF_FN XM_SCALED xm_exp_reduced(XF_PAIR r, xf_i n)
{
    xf_u j = XF_U(n) & 31u;
    xf_i k = XF_I((XF_U(n) + 0x8000u) >> 5) - 1024;
    xf_f high = xm_power_high(j), low = xm_power_low(j), cubic;
    XF_PAIR s = xm_product(r.high, r.high), p, m, t;
    /* r^3/6 + ..: below 2^-22 of the result, one float is enough */
    cubic = xm_mad(xm_mad(0.00833333377f, r.high, 0.0416666679f), r.high, 0.166666672f);
    cubic = xf_hw_mul(xf_hw_mul(cubic, s.high), r.high);
    cubic = xf_hw_add(cubic, xm_mad(r.high, r.low, xf_hw_mul(0.5f, s.low)));
    p = xm_sum_ordered(r.high, xf_hw_mul(0.5f, s.high));
    p.low = xf_hw_add(p.low, xf_hw_add(r.low, cubic));
    m = xm_product(high, p.high);
    t = xm_sum_ordered(high, m.high);
    m.low = xm_mad(high, p.low, xm_mad(low, p.high, m.low));
    t = xm_sum_ordered(t.high, xf_hw_add(t.low, xf_hw_add(m.low, low)));
    return xm_scaled_make(t.high, t.low, k);
}
#define XM_MAGIC      12582912.0f /* 1.5 * 2^23: adding it rounds to an integer, which stands in the low bits */
#define XM_MAGIC_BITS 0x4B400000
/* e^x, |x| < 112 */
XF_FN XM_SCALED xm_exp_pair(XF_PAIR x)
{
    xf_f t = xm_mad(x.high, XM_PER_LN2_32, XM_MAGIC), n = xf_hw_sub(t, XM_MAGIC), a;
    XF_PAIR p, r;
    a = xf_hw_sub(x.high, xf_hw_mul(n, XM_LN2_32_1)); /* both exact */
    p = xm_product(n, XM_LN2_32_2);
    r = xf_two_sum(a, xf_neg(p.high));
    r = xf_two_sum(r.high, xf_hw_add(r.low, xf_hw_sub(xm_mad(n, xf_neg(XM_LN2_32_3), x.low), p.low)));
    return xm_exp_reduced(r, XF_I(xf_bits(t)) - XM_MAGIC_BITS);
}
/* log(1 + f), f from sqrt 1/2 - 1 to sqrt 2 - 1 */
XF_FN XF_PAIR xm_log_near_one(XF_PAIR f)
{
    XF_PAIR s = xm_div(f, xm_add_ordered(2.0f, f)), v, p;
    xf_f single;
    if (xf_magnitude(s.high) <
        0x39800000u) { /* 2^-12: one float is enough for the cube, and below 2^-30 it has no weight */
        single = 0.0f;
        if (xf_magnitude(s.high) >= 0x30800000u) {
            single = xf_hw_mul(s.high, s.high);
            single = xf_hw_mul(xf_hw_mul(single, s.high), xm_mad(single, 0.4f, 0.666666687f));
        }
        return xm_add_ordered(xf_hw_add(s.high, s.high), xm_pair(xf_hw_add(s.low, s.low), single));
    }
    v = xm_mul(s, s);
    XM_POLYNOMIAL_ATANH(p, v, single);
    p = xm_mul(p, xm_mul(v, s));
    return xm_add_ordered(xf_hw_add(s.high, s.high),
                          xm_pair(p.high, xf_hw_add(xf_hw_add(s.low, s.low), p.low)));
}
/* n ln 2 + q, |n| <= 160 */
XF_FN XM_SCALED xm_add_ln2(xf_f n, XF_PAIR q)
{
    XF_PAIR a = xm_sum_ordered(xf_hw_mul(n, XM_LN2_1), q.high),
            b = xm_sum_ordered(a.high, xf_hw_mul(n, XM_LN2_2));
    xf_f low = xf_hw_add(xf_hw_add(a.low, b.low), xm_mad(n, XM_LN2_3, q.low));
    return xm_unscaled(xm_sum_ordered(b.high, low));
}
/* Take x > 0 apart: x = (1 + f) 2^exponent, 1 + f from sqrt 1/2 to sqrt 2. */
XF_FN xf_i xm_log_exponent(xf_u u)
{
    return xf_unpack_exponent(u) - 127 + ((xf_unpack_significand(u) & 0x7FFFFFu) >= 0x3504F3u ? 1 : 0);
}
XF_FN xf_f xm_log_fraction(xf_u u)
{
    xf_u g = xf_unpack_significand(u) & 0x7FFFFFu;
    return xf_hw_sub(xf_float(g >= 0x3504F3u ? g | 0x3F000000u : g | 0x3F800000u), 1.0f);
}
/* exp(z^2) erfc(z), 0.7 <= z <= 10.3 */
XF_FN XF_PAIR xm_erfcx(XF_PAIR z)
{
    XF_PAIR t = xf_two_sum(z.high, 3.0f), w, p;
    xf_f single;
    w = xm_div(xm_pair(1.0f, 0.0f), xm_sum_ordered(t.high, xf_hw_add(t.low, z.low)));
    t = xf_two_sum(z.high, -3.0f);
    t = xf_two_sum(t.high, xf_hw_add(t.low, z.low));
    t = xm_mul(t, w);
    XM_POLYNOMIAL_ERFCX(p, t, single);
    return xm_mul(p, w);
}
/* 1 / (1 + e^-y), |y| < 112 */
XF_FN XM_SCALED xm_sigmoid_pair(XF_PAIR y)
{
    bool negative = (xf_bits(y.high) >> 31) != 0u;
    XM_SCALED e = xm_exp_pair(negative ? y : xm_pair_neg(y));
    XF_PAIR one = xm_pair(1.0f, 0.0f), below = one, q;
    if (e.exponent >= -60) below = xm_add_ordered(1.0f, xm_descale(e));
    q = xm_div(negative ? xm_pair(e.high, e.low) : one, below);
    return xm_scaled_make(q.high, q.low, negative ? e.exponent : 0);
}
/* x * a, x not 0: its exponent goes to the scale, so that nothing under- or overflows. */
XF_FN XM_SCALED xm_times(xf_f x, XM_SCALED a)
{
    xf_u m = xf_magnitude(x);
    XF_PAIR q =
        xm_scale(xm_pair(a.high, a.low), xf_float((xf_unpack_significand(m) & 0x7FFFFFu) | 0x3F800000u));
    xf_u sign = xf_bits(x) & XF_SIGN;
    return xm_scaled_make(xm_with_sign(q.high, sign), xm_with_sign(q.low, sign),
                          a.exponent + xf_unpack_exponent(m) - 127);
}
/* x/2 (1 + c x) for |x| < 2^-30 and c > 0: the term in x only says to which side of x/2. */
XF_FN XM_SCALED xm_half_above(xf_f x)
{
    return xm_times(x, xm_scaled_make(0.5f, xf_float((xf_bits(x) & XF_SIGN) | 0x2F800000u), 0));
}

/* ---- the long way ---- */

XM_LONG xf_f xm_exp_long(xf_f x)
{
    XM_ROUNDED r = xm_round(xm_exp_pair(xm_pair(x, 0.0f)), XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_exp(xf_bits(x), r.bits);
    return xf_float(r.bits);
}
XM_LONG xf_f xm_exp2_long(xf_f x)
{
    xf_f t = xm_mad(x, 32.0f, XM_MAGIC), d = xf_hw_sub(x, xf_hw_mul(xf_hw_sub(t, XM_MAGIC), 0.03125f));
    XF_PAIR r = xm_scale(xm_pair(XM_LN2_HIGH, XM_LN2_LOW), d);
    XM_ROUNDED o = xm_round(xm_exp_reduced(r, XF_I(xf_bits(t)) - XM_MAGIC_BITS), XM_WIDTH_LONG);
    if (o.near) o.bits = xm_exception_exp2(xf_bits(x), o.bits);
    return xf_float(o.bits);
}
XM_LONG xf_f xm_expm1_long(xf_f x)
{
    xf_u m = xf_magnitude(x);
    XM_SCALED e;
    XF_PAIR p, s, argument = xm_pair(x, 0.0f);
    XM_ROUNDED r;
    xf_f single;
    if (m < 0x3E990000u) { /* 0.2988 */
        XM_POLYNOMIAL_EXPM1(p, argument, single);
        s = xm_product(x, x);
        p = xm_horner(p, argument, 0.5f, 0.0f);
        e = xm_unscaled(xm_add_ordered(x, xm_mul(p, s)));
    } else {
        e = xm_exp_pair(argument);
        if (e.exponent <= 60) {
            p = xm_descale(e);
            s = xf_two_sum(p.high, -1.0f);
            e = xm_unscaled(xf_two_sum(s.high, xf_hw_add(s.low, p.low)));
        }
    }
    r = xm_round(e, XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_expm1(xf_bits(x), r.bits);
    return xf_float(r.bits);
}
XM_LONG xf_f xm_log_long(xf_f x)
{
    xf_u u = xf_bits(x);
    XF_PAIR q = xm_log_near_one(xm_pair(xm_log_fraction(u), 0.0f));
    XM_ROUNDED r = xm_round(xm_add_ln2(XM_FLOAT(xm_log_exponent(u)), q), XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_log(u, r.bits);
    return xf_float(r.bits);
}
XM_LONG xf_f xm_log2_long(xf_f x)
{
    xf_u u = xf_bits(x);
    XF_PAIR q = xm_log_near_one(xm_pair(xm_log_fraction(u), 0.0f));
    XM_ROUNDED r;
    q = xm_mul(q, xm_pair(XM_PER_LN2_HIGH, XM_PER_LN2_LOW));
    r = xm_round(xm_unscaled(xm_add_ordered(XM_FLOAT(xm_log_exponent(u)), q)), XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_log2(u, r.bits);
    return xf_float(r.bits);
}
/* log(1 + y), y > -1, |y| >= 2^-27 */
XF_FN XM_SCALED xm_log1p_pair(XF_PAIR y)
{
    xf_u m = xf_bits(y.high), g;
    xf_i e = 0;
    XF_PAIR a = y;
    xf_f c;
    if ((m & 0x7FFFFFFFu) < 0x39800000u) { /* 2^-12: y - y^2/2 + y^3 (1/3 - y/4) */
        a = xm_product(y.high, y.high);
        c = xf_hw_mul(xf_hw_mul(y.high, a.high), xm_mad(y.high, -0.25f, 0.333333343f));
        c = xm_mad(-0.5f, a.low, xm_mad(xf_neg(y.high), y.low, c));
        return xm_unscaled(xm_add_ordered(y.high, xm_pair(xf_hw_mul(-0.5f, a.high), xf_hw_add(c, y.low))));
    }
    if (!(m <= 0x3ED40000u || (m >= 0x80000000u && m <= 0xBE940000u))) { /* outside -0.289 .. 0.414 */
        if (m < 0x5D800000u || m >= 0x80000000u) { /* 2^60: beyond, the 1 has no weight */
            a = xf_two_sum(1.0f, y.high);
            a = xm_sum_ordered(a.high, xf_hw_add(a.low, y.low));
        }
        g = xf_bits(a.high);
        e = XF_I(g >> 23) - 127 + ((g & 0x7FFFFFu) >= 0x3504F3u ? 1 : 0);
        c = xm_power(e < 126 ? -e : -100);
        a = xm_pair(xf_hw_mul(a.high, c), xf_hw_mul(a.low, c));
        if (e >= 126) a = xm_pair(xf_hw_mul(a.high, xm_power(100 - e)), 0.0f);
        a = xf_two_sum(xf_hw_sub(a.high, 1.0f), a.low);
    }
    return xm_add_ln2(XM_FLOAT(e), xm_log_near_one(a));
}
XM_LONG xf_f xm_log1p_long(xf_f x)
{
    XM_ROUNDED r = xm_round(xm_log1p_pair(xm_pair(x, 0.0f)), XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_log1p(xf_bits(x), r.bits);
    return xf_float(r.bits);
}
/* tanh and erf of |x|; the sign is put on afterwards, and exceptions are listed for positive inputs alone. */
XM_LONG xf_f xm_tanh_long(xf_f x)
{
    xf_f a = xf_abs(x), single;
    xf_u m = xf_bits(a), sign = xf_bits(x) & XF_SIGN;
    XF_PAIR s, p, q;
    XM_ROUNDED r;
    if (m < 0x3EB80000u) { /* 0.359 */
        s = xm_product(a, a);
        XM_POLYNOMIAL_TANH(p, s, single);
        q = xm_add_ordered(a, xm_scale(xm_mul(p, s), a));
    } else {
        s = xm_descale(xm_exp_pair(xm_pair(xf_hw_mul(-2.0f, a), 0.0f)));
        q = xm_div(xm_add_ordered(1.0f, xm_pair_neg(s)), xm_add_ordered(1.0f, s));
    }
    r = xm_round(xm_unscaled(q), XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_tanh(m, r.bits);
    return xf_float(r.bits | sign);
}
XM_LONG xf_f xm_erf_long(xf_f x)
{
    xf_f a = xf_abs(x), single;
    xf_u m = xf_bits(a), sign = xf_bits(x) & XF_SIGN;
    XF_PAIR s = xm_pair(0.0f, 0.0f), p;
    XM_SCALED v;
    XM_ROUNDED r;
    if (m < 0x30800000u)
        v = xm_times(a, xm_scaled_make(XM_ERF_SLOPE_HIGH, XM_ERF_SLOPE_LOW, 0)); /* 2^-30 */
    else if (m < 0x3F660000u) {                                                  /* 0.898 */
        s = xm_product(a, a);
        if (m < 0x38800000u) s.low = 0.0f; /* 2^-14: keeps every product normal */
        XM_POLYNOMIAL_ERF(p, s, single);
        v = xm_times(a, xm_unscaled(p));
    } else {
        s = xm_descale(xm_exp_pair(xm_pair_neg(xm_product(a, a))));
        v = xm_unscaled(xm_add_ordered(1.0f, xm_pair_neg(xm_mul(s, xm_erfcx(xm_pair(a, 0.0f))))));
    }
    r = xm_round(v, XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_erf(m, r.bits);
    return xf_float(r.bits | sign);
}
XM_LONG xf_f xm_sigmoid_long(xf_f x)
{
    XM_ROUNDED r = xm_round(xm_sigmoid_pair(xm_pair(x, 0.0f)), XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_sigmoid(xf_bits(x), r.bits);
    return xf_float(r.bits);
}
XM_LONG xf_f xm_silu_long(xf_f x)
{
    XM_SCALED v;
    XM_ROUNDED r;
    if (xf_magnitude(x) < 0x30800000u)
        v = xm_half_above(x);
    else
        v = xm_times(x, xm_sigmoid_pair(xm_pair(x, 0.0f)));
    r = xm_round(v, XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_silu(xf_bits(x), r.bits);
    return xf_float(r.bits);
}
XM_LONG xf_f xm_softplus_long(xf_f x)
{
    xf_f a = xf_abs(x);
    XM_SCALED e = xm_exp_pair(xm_pair(xf_neg(a), 0.0f));
    XF_PAIR q;
    XM_ROUNDED r;
    if (e.exponent < -26) { /* log(1 + e) = e (1 - e/2) */
        a = xf_hw_mul(e.high, xm_power(e.exponent < -60 ? -61 : e.exponent - 1));
        e.low = xm_mad(xf_neg(a), e.high, e.low);
    } else {
        e = xm_log1p_pair(xm_descale(e));
        if ((xf_bits(x) >> 31) == 0u) {
            q = xf_two_sum(a, e.high);
            e = xm_unscaled(xm_sum_ordered(q.high, xf_hw_add(q.low, e.low)));
        }
    }
    r = xm_round(e, XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_softplus(xf_bits(x), r.bits);
    return xf_float(r.bits);
}
/* x Phi(x), Phi the distribution function of the standard normal */
XM_LONG xf_f xm_gelu_long(xf_f x)
{
    xf_f a = xf_abs(x), single;
    xf_u m = xf_bits(a);
    XF_PAIR s = xm_pair(0.0f, 0.0f), p, argument = xm_pair(x, 0.0f);
    XM_SCALED v;
    XM_ROUNDED r;
    if (m < 0x30800000u)
        v = xm_half_above(x);
    else if (m < 0x3F800000u) {
        if (m >= 0x34800000u) s = xm_product(a, a); /* 2^-22 */
        if (m < 0x39800000u) s.low = 0.0f;          /* 2^-12: keeps every product normal */
        XM_POLYNOMIAL_GELU(p, s, single);
        p = xm_horner(p, argument, 0.5f, 0.0f);
        v = xm_times(x, xm_unscaled(p));
    } else {
        s = xm_product(a, a);
        v = xm_exp_pair(xm_pair(xf_hw_mul(-0.5f, s.high), xf_hw_mul(-0.5f, s.low)));
        p = xm_mul(xm_pair(v.high, v.low),
                   xm_erfcx(xm_scale(xm_pair(XM_SQRT_HALF_HIGH, XM_SQRT_HALF_LOW), a)));
        v = xm_scaled_make(p.high, p.low, v.exponent - 1);
        if ((xf_bits(x) >> 31) == 0u) v = xm_unscaled(xm_add_ordered(1.0f, xm_pair_neg(xm_descale(v))));
        v = xm_times(x, v);
    }
    r = xm_round(v, XM_WIDTH_LONG);
    if (r.near) r.bits = xm_exception_gelu(xf_bits(x), r.bits);
    return xf_float(r.bits);
}
/* x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)) */
XM_LONG xf_f xm_gelu_tanh_long(xf_f x)
{
    xf_u m = xf_magnitude(x);
    XF_PAIR s, t;
    XM_SCALED v;
    XM_ROUNDED r;
    if (m < 0x30800000u)
        v = xm_half_above(x);
    else {
        s = xm_mul(xm_product(x, x), xm_pair(XM_GELU_3_HIGH, XM_GELU_3_LOW));
        t = xf_two_sum(s.high, XM_GELU_1_HIGH);
        s = xm_sum_ordered(t.high, xf_hw_add(t.low, xf_hw_add(s.low, XM_GELU_1_LOW)));
        v = xm_times(x, xm_sigmoid_pair(xm_scale(s, x)));
    }
    r = xm_round(v, XM_WIDTH_LONG);
    if (m >= 0x40800000u) r.near = true; /* the argument's error counts |argument| times */
    if (r.near) r.bits = xm_exception_gelu_tanh(xf_bits(x), r.bits);
    return xf_float(r.bits);
}

/* ---- the short way ---- */

#if XM_SHORT
/* Round high + low, times 2^exponent; near also where the result would be no normal number. */
XF_FN XM_ROUNDED xm_round_short(XF_PAIR v, xf_i exponent, xf_u width)
{
    XF_PAIR s = xm_sum_ordered(v.high, v.low);
    XM_ROUNDED r;
    xf_u high = xf_bits(s.high);
    r.near = ((xf_bits(s.low) + width) & 0x7FFFFFu) < 2u * width ||
             ((high >> 23) & 0xFFu) + XF_U(exponent) - 1u >= 254u;
    r.bits = high + (XF_U(exponent) << 23);
    return r;
}
/* value = c0 + c1 d + ... + c5 d^5, from row `row` of eight of a table: c0 and c1 are pairs. |d| <= 1/128. */
#define XM_ROW(value, table, row, d)                                                                         \
    do {                                                                                                     \
        xf_i at_ = (row)*8;                                                                                  \
        XF_PAIR m_ = xm_product(table[at_ + 2], d), s_;                                                      \
        xf_f p_ =                                                                                            \
            xm_mad(xm_mad(xm_mad(table[at_ + 7], d, table[at_ + 6]), d, table[at_ + 5]), d, table[at_ + 4]); \
        xf_f l_ = xf_hw_add(xm_mad(table[at_ + 3], d, m_.low), table[at_ + 1]);                              \
        l_ = xm_mad(xf_hw_mul(p_, d), d, l_);                                                                \
        s_ = xm_sum_ordered(table[at_], m_.high);                                                            \
        value = xm_pair(s_.high, xf_hw_add(s_.low, l_));                                                     \
    } while (0)
XM_TABLE(xm_rows_sigmoid, 1025 * 8, XM_ROWS_SIGMOID)
XM_TABLE(xm_rows_tanh, 579 * 8, XM_ROWS_TANH)
XM_TABLE(xm_rows_erf, 252 * 8, XM_ROWS_ERF)
XM_TABLE(xm_rows_phi, 577 * 8, XM_ROWS_PHI)
XM_TABLE(xm_rows_gelu_tanh, 577 * 8, XM_ROWS_GELU_TANH)
XM_TABLE(xm_rows_log, 64 * 4, XM_LOG_ROWS)
/* The nearest row, and how far x is from it. */
XF_FN xf_i xm_row_index(xf_f x)
{
    return XF_I(xf_bits(xm_mad(x, 64.0f, XM_MAGIC))) - XM_MAGIC_BITS;
}
XF_FN xf_f xm_row_offset(xf_f x)
{
    return xm_mad(xf_hw_sub(xm_mad(x, 64.0f, XM_MAGIC), XM_MAGIC), -0.015625f, x);
}
#endif

/* ---- the functions ---- */

XF_FN xf_f xm_exp(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m - 0x32800000u >= 0x42D00000u - 0x32800000u) { /* below 2^-26, from 104 on, NaN */
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        if (m < 0x32800000u) return 1.0f;
        return xf_float((u >> 31) != 0u ? 0u : XF_INFINITY);
    }
#if XM_SHORT
    xf_f t = xm_mad(x, XM_PER_LN2_32, XM_MAGIC), n = xf_hw_sub(t, XM_MAGIC), a, b, low, s;
    xf_u j = xf_bits(t) & 31u;
    xf_f power = xm_power_high(j), power_low = xm_power_low(j);
    XF_PAIR product, sum;
    XM_ROUNDED r;
    a = xm_mad(n, xf_neg(XM_LN2_32_HIGH), x); /* exact: a multiple of 2^-29 below 2^-6, or n is 0 or 1 */
    b = xm_mad(n, xf_neg(XM_LN2_32_LOW), a);
    low = xm_mad(n, xf_neg(XM_LN2_32_LOW), xf_hw_sub(a, b));
    s = xf_hw_mul(b, b);
    low = xm_mad(s, xm_mad(xm_mad(b, 0.0416666679f, 0.166666672f), b, 0.5f), low);
    product = xm_product(power, b);
    sum = xm_sum_ordered(power, product.high);
    low = xf_hw_add(xm_mad(power, low, product.low), xm_mad(power_low, b, power_low));
    r = xm_round_short(xm_pair(sum.high, xf_hw_add(sum.low, low)),
                       XF_I((xf_bits(t) + (0x8000u - 0x4B400000u)) >> 5) - 1024, XM_WIDTH_EXP);
    if (!r.near) return xf_float(r.bits);
#endif
    return xm_exp_long(x);
}
XF_FN xf_f xm_exp2(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m - 0x32800000u >= 0x43170000u - 0x32800000u) { /* below 2^-26, from 151 on, NaN */
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        if (m < 0x32800000u) return 1.0f;
        return xf_float((u >> 31) != 0u ? 0u : XF_INFINITY);
    }
    return xm_exp2_long(x);
}
XF_FN xf_f xm_expm1(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m > XF_INFINITY) return xf_float(XF_NAN);
    if (u >= 0xC1A00000u) return -1.0f; /* -20 and below */
    if (u < 0x80000000u && u >= 0x42D00000u) return xf_float(XF_INFINITY);
    if (m < 0x32800000u) return x;
    return xm_expm1_long(x);
}
/* log and log2 of 0, negative numbers, infinity, NaN; u is none of the others */
XF_FN xf_f xm_log_special(xf_u u)
{
    if (u == XF_INFINITY) return xf_float(u);
    return xf_float((u & 0x7FFFFFFFu) == 0u ? 0xFF800000u : XF_NAN);
}
XF_FN xf_f xm_log(xf_f x)
{
    xf_u u = xf_bits(x);
    if (u - 1u >= XF_INFINITY - 1u) return xm_log_special(u);
#if XM_SHORT
    if (u >= XF_MIN_NORMAL) {
        xf_u g = u - 0x3F3504F3u, part = g & 0x7FFFFFu;
        xf_i at = XF_I(part >> 17) * 4;
        xf_f e = XM_FLOAT(XF_I(g) >> 23), f = xf_float(part + 0x3F3504F3u);
        xf_f d = xm_mad(f, xm_rows_log[at], -1.0f);             /* exact */
        xf_f a = xm_mad(e, XM_LN2_1, xm_rows_log[at + 1]), low; /* exact */
        XF_PAIR s = xm_sum_ordered(a, d), q = xm_product(d, d),
                t = xm_sum_ordered(s.high, xf_hw_mul(-0.5f, q.high));
        XM_ROUNDED r;
        low = xm_mad(xm_mad(xm_mad(xm_mad(d, -0.166666672f, 0.2f), d, -0.25f), d, 0.333333343f),
                     xf_hw_mul(q.high, d), xm_mad(q.low, -0.5f, xm_mad(e, XM_LN2_REST, xm_rows_log[at + 2])));
        r = xm_round_short(xm_pair(t.high, xf_hw_add(xf_hw_add(s.low, t.low), low)), 0, XM_WIDTH_LOG);
        if (!r.near) return xf_float(r.bits);
    }
#endif
    return xm_log_long(x);
}
XF_FN xf_f xm_log2(xf_f x)
{
    xf_u u = xf_bits(x);
    if (u - 1u >= XF_INFINITY - 1u) return xm_log_special(u);
    return xm_log2_long(x);
}
XF_FN xf_f xm_log1p(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m > XF_INFINITY) return xf_float(XF_NAN);
    if (u == XF_INFINITY) return x;
    if (u >= 0xBF800000u) return xf_float(u == 0xBF800000u ? 0xFF800000u : XF_NAN);
    if (m < 0x32800000u) return x;
    return xm_log1p_long(x);
}
XF_FN xf_f xm_tanh(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu, sign = u & XF_SIGN;
    if (m - 0x39800000u >= 0x41108000u - 0x39800000u) { /* below 2^-12, from 9.03 on, NaN */
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        return m < 0x39800000u ? x : xf_float(sign | 0x3F800000u);
    }
#if XM_SHORT
    XF_PAIR v;
    XM_ROUNDED r;
    xf_f a = xf_float(m), d = xm_row_offset(a);
    XM_ROW(v, xm_rows_tanh, xm_row_index(a), d);
    r = xm_round_short(v, 0, XM_WIDTH_ROWS);
    if (!r.near) return xf_float(r.bits | sign);
#endif
    return xm_tanh_long(x);
}
XF_FN xf_f xm_erf(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu, sign = u & XF_SIGN;
    if (m - 1u >= 0x407B0000u - 1u) { /* 0, from 3.92 on, NaN */
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        return m == 0u ? x : xf_float(sign | 0x3F800000u);
    }
#if XM_SHORT
    if (m >= 0x30800000u) {
        XF_PAIR v;
        XM_ROUNDED r;
        xf_f a = xf_float(m), d = xm_row_offset(a);
        XM_ROW(v, xm_rows_erf, xm_row_index(a), d);
        r = xm_round_short(v, 0, XM_WIDTH_ROWS);
        if (!r.near) return xf_float(r.bits | sign);
    }
#endif
    return xm_erf_long(x);
}
XF_FN xf_f xm_sigmoid(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m - 0x3A000000u >= 0x41000000u - 0x3A000000u) { /* below 2^-11, from 8 on, NaN */
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        if (m < 0x33000000u) return 0.5f;
        if (u < 0x80000000u && u >= 0x41900000u) return 1.0f; /* 18 */
        if (m >= 0x42D00000u) return 0.0f;                    /* -104 */
        /* 1/2 + x/4 - x^3/48: the cubic term is below an ulp of x/4 and decides ties alone. So x loses an ulp, and its
         * last bit is set, which no middle between two results has. */
        if (m < 0x3A000000u) return xf_hw_add(0.5f, xf_float(((u - 1u) | 1u) - 0x01000000u));
        return xm_sigmoid_long(x);
    }
#if XM_SHORT
    XF_PAIR v;
    XM_ROUNDED r;
    xf_f d = xm_row_offset(x);
    XM_ROW(v, xm_rows_sigmoid, xm_row_index(x) + 512, d);
    r = xm_round_short(v, 0, XM_WIDTH_ROWS);
    if (!r.near) return xf_float(r.bits);
#endif
    return xm_sigmoid_long(x);
}
XF_FN xf_f xm_silu(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m - 1u >= 0x42E00000u - 1u || u - 0x41C00000u < 0x80000000u - 0x41C00000u) {
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        if (m == 0u || u < 0x80000000u) return x; /* 0, from 24 on */
        return xf_float(XF_SIGN);                 /* to -112 */
    }
#if XM_SHORT
    if (m - 0x30800000u < 0x41000000u - 0x30800000u) { /* 2^-30 to 8 */
        XF_PAIR v;
        XM_ROUNDED r;
        xf_f d = xm_row_offset(x);
        XM_ROW(v, xm_rows_sigmoid, xm_row_index(x) + 512, d);
        r = xm_round_short(xm_scale(v, x), 0, XM_WIDTH_ROWS);
        if (!r.near) return xf_float(r.bits);
    }
#endif
    return xm_silu_long(x);
}
XF_FN xf_f xm_softplus(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m > XF_INFINITY) return xf_float(XF_NAN);
    if (u < 0x80000000u && u >= 0x41900000u) return x; /* 18 */
    if (m >= 0x42D00000u) return 0.0f;                 /* -104 */
    if (m < 0x32000000u) return 0.693147182f;
    return xm_softplus_long(x);
}
XF_FN xf_f xm_gelu(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m - 1u >= 0x41680000u - 1u || u - 0x40C00000u < 0x80000000u - 0x40C00000u) {
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        if (m == 0u || u < 0x80000000u) return x; /* 0, from 6 on */
        return xf_float(XF_SIGN);                 /* to -14.5 */
    }
#if XM_SHORT
    if (m >= 0x30800000u &&
        (u < 0x40C00000u || u - XF_SIGN < 0x40400000u)) { /* from -3 to 6, from 2^-30 on */
        XF_PAIR v;
        XM_ROUNDED r;
        xf_f d = xm_row_offset(x);
        XM_ROW(v, xm_rows_phi, xm_row_index(x) + 192, d);
        r = xm_round_short(xm_scale(v, x), 0, u < 0xBF800000u ? XM_WIDTH_ROWS : XM_WIDTH_TAIL);
        if (!r.near) return xf_float(r.bits);
    }
#endif
    return xm_gelu_long(x);
}
XF_FN xf_f xm_gelu_tanh(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    if (m - 1u >= 0x412CCCCDu - 1u || u - 0x41200000u < 0x80000000u - 0x41200000u) {
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        if (m == 0u || u < 0x80000000u) return x; /* 0, from 10 on */
        return xf_float(XF_SIGN);                 /* to -10.8 */
    }
#if XM_SHORT
    if (m >= 0x30800000u &&
        (u < 0x40C00000u || u - XF_SIGN < 0x40400000u)) { /* from -3 to 6, from 2^-30 on */
        XF_PAIR v;
        XM_ROUNDED r;
        xf_f d = xm_row_offset(x);
        XM_ROW(v, xm_rows_gelu_tanh, xm_row_index(x) + 192, d);
        r = xm_round_short(xm_scale(v, x), 0, u < 0xBF800000u ? XM_WIDTH_ROWS : XM_WIDTH_TAIL);
        if (!r.near) return xf_float(r.bits);
    }
#endif
    return xm_gelu_tanh_long(x);
}
/* The root's reciprocal of a in [1, 4), to an ulp or so. */
XF_FN xf_f xm_rsqrt_near(xf_u g)
{
    xf_f y = xf_float(0x5F375A86u - (g >> 1)), h = xf_hw_mul(-0.5f, xf_float(g));
    y = xm_mad(y, xm_mad(xf_hw_mul(h, y), y, 0.5f), y);
    y = xm_mad(y, xm_mad(xf_hw_mul(h, y), y, 0.5f), y);
    return xm_mad(y, xm_mad(xf_hw_mul(h, y), y, 0.5f), y);
}
/* x > 0 as a 4^exponent with a in [1, 4): the bits of a, and the exponent. */
XF_FN xf_i xm_root_exponent(xf_u u)
{
    return (xf_unpack_exponent(u) + 129) / 2 -
           128; /* biased exponents from -22 on: the division rounds down */
}
XF_FN xf_u xm_root_part(xf_u u)
{
    xf_u odd = XF_U(xf_unpack_exponent(u) + 129) & 1u;
    return ((xf_unpack_significand(u) & 0x7FFFFFu) | 0x3F800000u) + (odd << 23);
}
/* For these three the pair decides every input. */
XF_FN xf_f xm_rsqrt(xf_f x)
{
    xf_u u = xf_bits(x);
    xf_f a, y, h, r;
    XF_PAIR p;
    if (u - 1u >= XF_INFINITY - 1u) {
        if ((u & 0x7FFFFFFFu) == 0u) return xf_float(u | XF_INFINITY);
        return xf_float(u == XF_INFINITY ? 0u : XF_NAN);
    }
    a = xf_float(xm_root_part(u));
    y = xm_rsqrt_near(xm_root_part(u));
    p = xm_product(y, y);
    r = xf_hw_sub(xm_remainder(1.0f, a, p.high), xf_hw_mul(a, p.low)); /* 1 - a y^2 */
    h = xf_hw_mul(xf_hw_mul(y, r), xm_mad(0.375f, r, 0.5f));
    return xf_float(xm_round(xm_scaled_make(y, h, -xm_root_exponent(u)), XM_WIDTH_LONG).bits);
}
XF_FN xf_f xm_sqrt(xf_f x)
{
    xf_u u = xf_bits(x);
    xf_f a, y, s;
    if (u - 1u >= XF_INFINITY - 1u) return xf_float((u & 0x7FFFFFFFu) == 0u || u == XF_INFINITY ? u : XF_NAN);
    a = xf_float(xm_root_part(u));
    y = xm_rsqrt_near(xm_root_part(u));
    s = xf_hw_mul(a, y);
    return xf_float(
        xm_round(xm_scaled_make(s, xf_hw_mul(xf_hw_mul(0.5f, y), xm_remainder(a, s, s)), xm_root_exponent(u)),
                 XM_WIDTH_LONG)
            .bits);
}
XF_FN xf_f xm_rcp(xf_f x)
{
    xf_u u = xf_bits(x), m = u & 0x7FFFFFFFu;
    xf_f b;
    XF_PAIR q;
    if (m - 1u >= XF_INFINITY - 1u) {
        if (m > XF_INFINITY) return xf_float(XF_NAN);
        return xf_float((u & XF_SIGN) | (m == 0u ? XF_INFINITY : 0u));
    }
    b = xf_float((xf_unpack_significand(m) & 0x7FFFFFu) | 0x3F800000u);
    q = xm_div(xm_pair(1.0f, 0.0f), xm_pair(b, 0.0f));
    /* 1 / (2 - 2^-23) lies above a middle by less than a pair can hold */
    if ((xf_bits(b) & 0x7FFFFFu) == 0x7FFFFFu) q.low = xf_float(xf_bits(q.low) + 1u);
    return xf_float(xm_round(xm_scaled_make(q.high, q.low, 127 - xf_unpack_exponent(m)), XM_WIDTH_LONG).bits |
                    (u & XF_SIGN));
}

#endif
