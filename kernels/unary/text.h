/* What elementwise operators compute, in C, CUDA C and GLSL: un_NAME(x, a, b) of one f32, XM_FUSED as in function.h.
 *
 * Exactness: the functions of function.h are correctly rounded. The rest are the operations that docs/exactness.md names,
 * each rounded once, subnormals kept: comparisons by integers, multiply and multiply-add guarded by integers, division by
 * integers alone. NaN in, NaN out (7fc00000). */
#ifndef ASSAY_UNARY_TEXT_H
#define ASSAY_UNARY_TEXT_H

#include "kernels/exact/function.h"

/* Every function has alpha and beta, or bounds, in a and b, and most take no notice. */
#if !defined(VULKAN) && !defined(__CUDACC__) && !defined(__CUDA__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

#if XM_FUSED
#define un_fma xf_fma_guarded
#else
#define un_fma un_fma_split
XF_FN xf_f un_fma_split(xf_f a, xf_f b, xf_f c)
{
    bool inside = xf_fma_inside(a, b, c);
    xf_f r = xf_fma_emulated_inside(inside ? a : xf_float(0u), inside ? b : xf_float(0u),
                                    inside ? c : xf_float(0u));
    if (!inside) r = xf_fma_integer(a, b, c);
    return r;
}
#endif

/* Floats in their order as signed integers; -0 below +0. Not for NaN. */
XF_FN xf_i un_key(xf_f x)
{
    xf_u u = xf_bits(x);
    return XF_I((u >> 31) != 0u ? u ^ 0x7FFFFFFFu : u);
}
XF_FN xf_f un_larger(xf_f x, xf_f y)
{
    if (xf_is_nan(x) || xf_is_nan(y)) return xf_float(XF_NAN);
    return un_key(x) > un_key(y) ? x : y;
}
XF_FN xf_f un_smaller(xf_f x, xf_f y)
{
    if (xf_is_nan(x) || xf_is_nan(y)) return xf_float(XF_NAN);
    return un_key(x) < un_key(y) ? x : y;
}
/* x < 0; false for -0 and NaN. */
XF_FN bool un_below_zero(xf_f x)
{
    return xf_bits(x) - 0x80000001u < XF_INFINITY;
}

/* RN(a / b) by long division, 8 bits of the quotient at a time. a finite and not 0, b a normal number above 0. */
XF_FN xf_f un_divide(xf_f a, xf_f b)
{
    xf_u ma = xf_magnitude(a), mb = xf_magnitude(b), sign = xf_bits(a) & XF_SIGN;
    xf_u n = xf_unpack_significand(ma), d = xf_unpack_significand(mb), q = 1u, digit;
    xf_i e = xf_unpack_exponent(ma) - xf_unpack_exponent(mb) + 127, i;
    if (n < d) {
        n = n << 1;
        e = e - 1;
    }
    n = n - d; /* the quotient is in [1, 2): its first bit is 1 */
    for (i = 0; i < 3; i = i + 1) {
        n = n << 8;
        digit = n / d;
        n = n - digit * d;
        q = (q << 8) | digit;
    }
    return xf_float(xf_pack(sign, e, (q << 7) | (n != 0u ? 1u : 0u)));
}

#define UN_FUNCTION(name)                                                                                    \
    XF_FN xf_f un_##name(xf_f x, xf_f a, xf_f b)                                                             \
    {                                                                                                        \
        return xm_##name(x);                                                                                 \
    }
UN_FUNCTION(exp)
UN_FUNCTION(exp2)
UN_FUNCTION(expm1)
UN_FUNCTION(log)
UN_FUNCTION(log2)
UN_FUNCTION(log1p)
UN_FUNCTION(tanh)
UN_FUNCTION(erf)
UN_FUNCTION(sigmoid)
UN_FUNCTION(silu)
UN_FUNCTION(softplus)
UN_FUNCTION(gelu)
UN_FUNCTION(gelu_tanh)
UN_FUNCTION(sqrt)
UN_FUNCTION(rsqrt)
UN_FUNCTION(rcp)

XF_FN xf_f un_relu(xf_f x, xf_f a, xf_f b)
{
    return un_larger(x, xf_float(0u));
}
XF_FN xf_f un_leaky_relu(xf_f x, xf_f a, xf_f b)
{
    if (un_below_zero(x)) x = xf_mul_guarded(a, x);
    return xf_canonical(x);
}
XF_FN xf_f un_elu(xf_f x, xf_f a, xf_f b)
{
    if (un_below_zero(x)) x = xf_mul_guarded(a, xm_expm1(x));
    return xf_canonical(x);
}
XF_FN xf_f un_hard_sigmoid(xf_f x, xf_f a, xf_f b)
{
    return un_smaller(un_larger(un_fma(a, x, b), xf_float(0u)), 1.0f);
}
XF_FN xf_f un_hard_swish(xf_f x, xf_f a, xf_f b)
{
    return xf_canonical(xf_mul_guarded(x, un_hard_sigmoid(x, xf_float(0x3E2AAAABu), 0.5f)));
}
XF_FN xf_f un_softsign(xf_f x, xf_f a, xf_f b)
{
    xf_u m = xf_magnitude(x);
    if (m > XF_INFINITY) return xf_float(XF_NAN);
    if (m == XF_INFINITY) return xf_float((xf_bits(x) & XF_SIGN) | 0x3F800000u);
    if (m == 0u) return x;
    /* 1 + |x| is 1 below 2^-25, where |x| may be subnormal */
    return un_divide(x, m < 0x33000000u ? 1.0f : xf_hw_add(1.0f, xf_float(m)));
}
XF_FN xf_f un_thresholded_relu(xf_f x, xf_f a, xf_f b)
{
    bool above = !xf_is_nan(a) && un_key(x) > un_key(a) && (xf_magnitude(x) | xf_magnitude(a)) != 0u;
    if (xf_is_nan(x)) return xf_float(XF_NAN);
    return above ? x : xf_float(0u);
}
XF_FN xf_f un_clip(xf_f x, xf_f a, xf_f b)
{
    return un_smaller(un_larger(x, a), b);
}
XF_FN xf_f un_neg(xf_f x, xf_f a, xf_f b)
{
    return xf_canonical(xf_neg(x));
}
XF_FN xf_f un_abs(xf_f x, xf_f a, xf_f b)
{
    return xf_canonical(xf_abs(x));
}

/* ---- 16-bit formats ---- */

XF_FN xf_f un_from_half(xf_u h)
{
    xf_u sign = (h & 0x8000u) << 16, m = h & 0x7FFFu;
    xf_i z;
    if (m >= 0x7C00u) return xf_float(m > 0x7C00u ? XF_NAN : sign | XF_INFINITY);
    if (m >= 0x400u) return xf_float(sign | ((m << 13) + 0x38000000u));
    if (m == 0u) return xf_float(sign);
    z = xf_clz(m) - 21; /* the leading bit goes to bit 10 */
    return xf_float(sign | (XF_U(113 - z) << 23) | (((m << z) & 0x3FFu) << 13));
}
XF_FN xf_f un_from_brain(xf_u h)
{
    return xf_float(h << 16);
}
/* The magnitude m >> shift, to nearest even. */
XF_FN xf_u un_shorten(xf_u m, xf_u shift)
{
    return (m + ((1u << (shift - 1u)) - 1u) + ((m >> shift) & 1u)) >> shift;
}
XF_FN xf_u un_to_half(xf_f x)
{
    xf_u sign = (xf_bits(x) >> 16) & 0x8000u, m = xf_magnitude(x);
    if (m > XF_INFINITY) return 0x7E00u;
    if (m >= 0x477FF000u) return sign | 0x7C00u; /* from 65520 on */
    if (m >= 0x38800000u) return sign | un_shorten(m - 0x38000000u, 13u);
    if (m <= 0x33000000u) return sign; /* to 2^-25 */
    return sign | un_shorten((m & 0x7FFFFFu) | 0x800000u, 126u - (m >> 23));
}
XF_FN xf_u un_to_brain(xf_f x)
{
    if (xf_is_nan(x)) return 0x7FC0u;
    return un_shorten(xf_bits(x), 16u);
}

#endif
