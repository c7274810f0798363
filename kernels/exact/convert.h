/* Conversions between number formats by integer steps, one rounding each: f32, f16, bf16 and the 8-bit floats, and
 * integers of up to 64 bits. One text for C11, CUDA C++ and GLSL in the dialect of exact.h.
 *
 * It knows no operator. Numbers are words of bits; a 64-bit integer is a struct xf_wide, two's complement. Round to
 * nearest even, subnormals kept, too large gives infinity unless said; every NaN comes out as the format's 7fc00000,
 * 7e00, 7fc0, 7f (e4m3) or 7f (e5m2). No float operation is used, so nothing here depends on a device. */
#ifndef ASSAY_KERNELS_EXACT_CONVERT_H
#define ASSAY_KERNELS_EXACT_CONVERT_H

#include "kernels/exact/exact.h"

#define XC_F16_NAN  0x7E00u
#define XC_BF16_NAN 0x7FC0u
#define XC_F8_NAN   0x7Fu

/* Magnitude bits of a format with `width` fraction bits and this bias. fraction: 1.f in 32 bits with its leading bit set
 * and bit 0 sticky; exponent: of that leading bit, unbiased. The result may reach into the patterns of infinity and NaN:
 * a caller compares with the format's largest. */
XF_FN xf_u xc_round(xf_i exponent, xf_u fraction, xf_i width, xf_i bias)
{
    xf_i field = exponent + bias, drop = 31 - width, n;
    xf_u kept, rest, tie;
    if (field < 1) {
        n = 1 - field;
        fraction = n > 31 ? 1u : (fraction >> n) | ((fraction << (32 - n)) != 0u ? 1u : 0u);
        field = 1;
    }
    kept = fraction >> drop;
    rest = fraction & ((1u << drop) - 1u);
    tie = 1u << (drop - 1);
    if (rest > tie || (rest == tie && (kept & 1u) != 0u)) kept = kept + 1u;
    return (XF_U(field - 1) << width) + kept;
}

/* The same for a finite f32 that is not zero, by its magnitude. */
XF_FN xf_u xc_round_f32(xf_u magnitude, xf_i width, xf_i bias)
{
    return xc_round(xf_unpack_exponent(magnitude) - 127, xf_unpack_significand(magnitude) << 8, width, bias);
}

XF_FN xf_u xc_f16_of_f32(xf_u x)
{
    xf_u m = x & 0x7FFFFFFFu, sign = (x >> 16) & 0x8000u, r;
    if (m > XF_INFINITY) return XC_F16_NAN;
    if (m == 0u) return sign;
    r = m == XF_INFINITY ? 0x7C00u : xc_round_f32(m, 10, 15);
    return sign | (r < 0x7C00u ? r : 0x7C00u);
}

XF_FN xf_u xc_bf16_of_f32(xf_u x)
{
    if ((x & 0x7FFFFFFFu) > XF_INFINITY) return XC_BF16_NAN;
    return (x + 0x7FFFu + ((x >> 16) & 1u)) >> 16; /* the carry of the largest goes to infinity by itself */
}

/* OCP 8-bit floats. e4m3 has no infinity (448 is its largest), e5m2 has one (57344 is its largest finite). saturate: what
 * is too large, infinity among it, gives the largest finite number; without it NaN (e4m3) or infinity (e5m2). */
XF_FN xf_u xc_e4m3_of_f32(xf_u x, bool saturate)
{
    xf_u m = x & 0x7FFFFFFFu, sign = (x >> 24) & 0x80u, r;
    if (m > XF_INFINITY) return XC_F8_NAN;
    if (m == 0u) return sign;
    r = m == XF_INFINITY ? 0x7Fu : xc_round_f32(m, 3, 7);
    if (r <= 0x7Eu) return sign | r;
    return saturate ? (sign | 0x7Eu) : XC_F8_NAN;
}
XF_FN xf_u xc_e5m2_of_f32(xf_u x, bool saturate)
{
    xf_u m = x & 0x7FFFFFFFu, sign = (x >> 24) & 0x80u, r;
    if (m > XF_INFINITY) return XC_F8_NAN;
    if (m == 0u) return sign;
    r = m == XF_INFINITY ? 0x7Cu : xc_round_f32(m, 2, 15);
    if (r <= 0x7Bu) return sign | r;
    return sign | (saturate ? 0x7Bu : 0x7Cu);
}

/* Exact. magnitude: of a format with `width` fraction bits and this bias, finite. */
XF_FN xf_u xc_widen(xf_u magnitude, xf_i width, xf_i bias)
{
    xf_i n;
    if (magnitude == 0u) return 0u;
    if ((magnitude >> width) != 0u) return (magnitude << (23 - width)) + (XF_U(127 - bias) << 23);
    n = xf_clz(magnitude) - (31 - width); /* subnormal: normal in f32 */
    magnitude = (magnitude << n) & ((1u << width) - 1u);
    return (XF_U(128 - bias - n) << 23) | (magnitude << (23 - width));
}
XF_FN xf_u xc_f32_of_f16(xf_u h)
{
    xf_u m = h & 0x7FFFu, sign = (h & 0x8000u) << 16;
    if (m > 0x7C00u) return XF_NAN;
    return sign | (m == 0x7C00u ? XF_INFINITY : xc_widen(m, 10, 15));
}
XF_FN xf_u xc_f32_of_bf16(xf_u h)
{
    return (h & 0x7FFFu) > 0x7F80u ? XF_NAN : h << 16;
}
XF_FN xf_u xc_f32_of_e4m3(xf_u b)
{
    xf_u m = b & 0x7Fu;
    return m == 0x7Fu ? XF_NAN : ((b & 0x80u) << 24) | xc_widen(m, 3, 7);
}
XF_FN xf_u xc_f32_of_e5m2(xf_u b)
{
    xf_u m = b & 0x7Fu, sign = (b & 0x80u) << 24;
    if (m > 0x7Cu) return XF_NAN;
    return sign | (m == 0x7Cu ? XF_INFINITY : xc_widen(m, 2, 15));
}

/* ---- integers ---- */

XF_FN XF_WIDE xc_wide(xf_u hi, xf_u lo)
{
    XF_WIDE x;
    x.hi = hi;
    x.lo = lo;
    return x;
}
XF_FN XF_WIDE xc_negate(XF_WIDE x)
{
    return xc_wide(~x.hi + (x.lo == 0u ? 1u : 0u), ~x.lo + 1u);
}
/* A 32-bit integer with its sign. */
XF_FN XF_WIDE xc_extend(xf_u x)
{
    return xc_wide((x >> 31) != 0u ? 0xFFFFFFFFu : 0u, x);
}

/* A 64-bit integer, directly to f32 (23, 127), f16 (10, 15) or bf16 (7, 127); `infinity` is the format's, `sign` its sign
 * bit. */
XF_FN xf_u xc_float_of_integer(XF_WIDE x, xf_i width, xf_i bias, xf_u infinity, xf_u sign)
{
    bool negative = (x.hi >> 31) != 0u;
    xf_u r;
    xf_i n;
    if ((x.hi | x.lo) == 0u) return 0u;
    if (negative) x = xc_negate(x);
    n = x.hi != 0u ? xf_clz(x.hi) : 32 + xf_clz(x.lo);
    x = xf_wide_shift_left(x, n);
    r = xc_round(63 - n, x.hi | (x.lo != 0u ? 1u : 0u), width, bias);
    return (r < infinity ? r : infinity) | (negative ? sign : 0u);
}

/* An f32 truncated to an integer of `bits` bits, 8 to 64, saturated; NaN gives 0. */
XF_FN XF_WIDE xc_integer_of_f32(xf_u x, xf_i bits, bool is_signed)
{
    xf_u m = x & 0x7FFFFFFFu;
    bool negative = (x >> 31) != 0u, over;
    xf_i exponent = XF_I(m >> 23) - 127, value_bits = is_signed ? bits - 1 : bits;
    XF_WIDE r = xc_wide(0u, 0u), most;
    if (m > XF_INFINITY || exponent < 0 || (negative && !is_signed)) return r;
    over = exponent >= value_bits;
    if (over) {
        /* the largest magnitude: 2^value_bits - 1, or 2^value_bits below zero */
        most = value_bits >= 32 ? xc_wide(0xFFFFFFFFu >> (64 - value_bits), 0xFFFFFFFFu)
                                : xc_wide(0u, (1u << value_bits) - 1u);
        return negative ? xc_wide(~most.hi, ~most.lo) : most;
    }
    r.lo = (m & 0x7FFFFFu) | 0x800000u;
    if (exponent >= 23)
        r = xf_wide_shift_left(r, exponent - 23);
    else
        r.lo = r.lo >> (23 - exponent);
    return negative ? xc_negate(r) : r;
}

#endif
