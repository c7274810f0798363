/* Conversions between f16 and f32 in integers (row K13), one text for C, CUDA C and GLSL (exact.h's dialect): exact one way,
 * nearest even the other way; subnormals kept, every NaN becomes 7e00 or 7fc00000. */
#ifndef ASSAY_Q1_0_HALF_H
#define ASSAY_Q1_0_HALF_H

#include "kernels/exact/exact.h"

/* Word of the f32 that an f16 (low 16 bits) stands for. */
XF_FN xf_u q1_half_word(xf_u h)
{
    xf_u sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31u, fraction = h & 0x3FFu;
    xf_i up;
    if (exponent == 31u) return fraction != 0u ? XF_NAN : sign | XF_INFINITY;
    if (exponent != 0u) return sign | ((exponent + 112u) << 23) | (fraction << 13);
    if (fraction == 0u) return sign;
    up = xf_clz(fraction) - 21; /* brings its leading bit to bit 10 */
    return sign | (XF_U(113 - up) << 23) | (((fraction << up) & 0x3FFu) << 13);
}

XF_FN xf_f q1_half(xf_u h)
{
    return xf_float(q1_half_word(h));
}

/* f16 nearest to the f32 of word `x`, ties to even; what is too large becomes infinite. */
XF_FN xf_u q1_half_of(xf_u x)
{
    xf_u sign = (x >> 16) & 0x8000u, magnitude = x & 0x7FFFFFFFu, significand, kept, rest, tie;
    xf_i exponent = XF_I(magnitude >> 23) - 127, drop = 13;
    if (magnitude > XF_INFINITY) return 0x7E00u;
    if (exponent > 15) return sign | 0x7C00u;
    if (exponent < -25) return sign;
    significand = (magnitude & 0x7FFFFFu) | 0x800000u;
    if (exponent < -14) drop = 13 + (-14 - exponent);
    kept = significand >> drop;
    rest = significand & ((1u << drop) - 1u);
    tie = 1u << (drop - 1);
    if (rest > tie || (rest == tie && (kept & 1u) != 0u)) kept = kept + 1u;
    /* a carry goes into the exponent by itself, up to infinity */
    return sign | (exponent >= -14 ? (XF_U(exponent + 14) << 10) + kept : kept);
}

#endif
