/* a / b correctly rounded: subnormals, signed zeros, infinities and NaN included. One text for C11, CUDA C++ and GLSL 4.50.
 *
 * The significands' quotient is guessed in f32 (an error below 2^-18 is enough), made an integer of 24 bits and corrected
 * by its exact remainder in 32-bit integers, whose comparison with half the divisor rounds once, to a subnormal too. No
 * float operation here sees or gives a subnormal, and none needs to round once more than multiply and add do, so flushing,
 * fused and unfused devices give the same bits. NaN results are 7fc00000. */
#ifndef ASSAY_KERNELS_EXACT_DIVIDE_H
#define ASSAY_KERNELS_EXACT_DIVIDE_H

#include "kernels/exact/exact.h"

#if defined(VULKAN)
#define XM_QUOTIENT_FLOAT(x) float(x)
#else
#define XM_QUOTIENT_FLOAT(x) ((float)(x))
#endif

/* 1 / b to 2^-19 for b from 1 to 2: a guess by the exponent's arithmetic (an error below 1/8), then 2^-9, then 2^-22. */
XF_FN xf_f xm_quotient_guess(xf_f b)
{
    xf_f r = xf_float(0x7EF311C3u - xf_bits(b)), e;
    e = xf_hw_sub(1.0f, xf_hw_mul(b, r));
    r = xf_hw_add(xf_hw_mul(xf_hw_add(xf_hw_mul(e, e), e), r), r);
    e = xf_hw_sub(1.0f, xf_hw_mul(b, r));
    return xf_hw_add(xf_hw_mul(e, r), r);
}

XF_FN xf_f xm_divide(xf_f a, xf_f b)
{
    xf_u ma = xf_magnitude(a), mb = xf_magnitude(b), sign = (xf_bits(a) ^ xf_bits(b)) & XF_SIGN;
    xf_u n, d, q, rest;
    xf_i exponent, off;
    xf_f guess;
    if (ma > XF_INFINITY || mb > XF_INFINITY) return xf_float(XF_NAN);
    if (ma == XF_INFINITY || mb == 0u)
        return xf_float((ma == XF_INFINITY ? mb == XF_INFINITY : ma == 0u) ? XF_NAN : sign | XF_INFINITY);
    if (ma == 0u || mb == XF_INFINITY) return xf_float(sign);
    n = xf_unpack_significand(ma);
    d = xf_unpack_significand(mb);
    exponent = xf_unpack_exponent(ma) - xf_unpack_exponent(mb) + 127;
    if (n < d) {
        n = n << 1;
        exponent = exponent - 1;
    }
    /* n / d is in [1, 2): q of 24 bits, n * 2^23 = q * d + rest; only the remainder's low 32 bits are computed */
    guess = xm_quotient_guess(xf_hw_mul(XM_QUOTIENT_FLOAT(d), 1.1920928955078125e-7f));
    q = XF_U(xf_hw_mul(XM_QUOTIENT_FLOAT(n), guess));
    rest = (n << 23) - q * d;
    off = XF_I(xf_hw_mul(xf_hw_mul(XM_QUOTIENT_FLOAT(XF_I(rest)), guess), 1.1920928955078125e-7f));
    q = q + XF_U(off);
    rest = rest - XF_U(off) * d;
    if (XF_I(rest) < 0) {
        q = q - 1u;
        rest = rest + d;
    }
    if (rest >= d) {
        q = q + 1u;
        rest = rest - d;
    }
    /* what is left against half of d: below, at, above */
    n = rest << 1;
    return xf_float(xf_pack(sign, exponent,
                            (q << 8) | (n > d     ? 0xC0u
                                        : n == d  ? 0x80u
                                        : n != 0u ? 0x40u
                                                  : 0u)));
}

#endif
