/* The Q8_0 quantizer's arithmetic for one block of 32 numbers, in integers only, one text for C, CUDA C and GLSL (exact.h's
 * dialect): no device's division, conversion or rounding is trusted.
 *
 * Exactness (docs/exactness.md rule 11): amax the largest magnitude; scale = RN16(RN(amax / 127)); id = RN(127 / amax);
 * code = RN(x * id) rounded to an integer, ties to even, which lies in -127 .. 127. A block with NaN or infinity, or whose
 * scale overflows f16: scale 7e00, codes -128. One whose id overflows, zeros among them: zero bytes. */
#ifndef ASSAY_Q1_0_QUANTIZE_H
#define ASSAY_Q1_0_QUANTIZE_H

#include "kernels/q1_0/half.h"

#define Q8_KIND_ORDINARY 0u
#define Q8_KIND_ZERO     1u /* every code is 0 */
#define Q8_KIND_NAN      2u /* every code is -128 */

XF_STRUCT(q8_scale)
{
    xf_u kind;        /* Q8_KIND_* */
    xf_u scale;       /* the f16 */
    xf_u significand; /* of id, 24 bits */
    xf_i exponent;    /* id = significand * 2^exponent */
};
#if defined(VULKAN)
#define Q8_SCALE q8_scale
#else
#define Q8_SCALE struct q8_scale
#endif

/* Of a block whose largest magnitude, as a word without its sign, is `amax`. */
XF_FN Q8_SCALE q8_scale_of(xf_u amax)
{
    Q8_SCALE s;
    xf_u significand, ratio, rest, quotient;
    xf_i power, i;
    s.kind = Q8_KIND_ZERO;
    s.scale = 0u;
    s.significand = 0u;
    s.exponent = 0;
    if (amax >= XF_INFINITY) {
        s.kind = Q8_KIND_NAN;
        s.scale = 0x7E00u;
        return s;
    }
    if (amax < XF_MIN_NORMAL) return s; /* 127 / amax overflows long before */
    significand = (amax & 0x7FFFFFu) | 0x800000u;
    power = XF_I(amax >> 23) - 150; /* amax = significand * 2^power */

    /* RN(127 / amax): one quotient bit a step; 127 = 127 * 2^17 * 2^-17 has its leading bit at 23 too */
    rest = 127u << 17;
    s.exponent = -23 - 17 - power;
    if (rest < significand) {
        rest = rest << 1;
        s.exponent = s.exponent - 1;
    }
    quotient = 0u;
    for (i = 0; i < 24; i++) {
        quotient = quotient << 1;
        if (rest >= significand) {
            rest = rest - significand;
            quotient = quotient + 1u;
        }
        rest = rest << 1;
    }
    if (rest > significand)
        quotient = quotient + 1u; /* no tie: 127 * 2^k has no divisor of 25 bits that is odd */
    if (quotient == 0x1000000u) {
        quotient = 0x800000u;
        s.exponent = s.exponent + 1;
    }
    if (s.exponent + 23 > 127) return s;
    s.significand = quotient;
    s.kind = Q8_KIND_ORDINARY;

    /* RN(amax / 127), then to f16 */
    ratio = (significand << 7) / 127u;
    rest = (significand << 7) % 127u;
    power = power - 7;
    if (ratio >= 0x1000000u) {
        /* 25 bits: the last one is the half; with nothing behind it, it is a tie */
        quotient = ratio >> 1;
        if ((ratio & 1u) != 0u && (rest != 0u || (quotient & 1u) != 0u)) quotient = quotient + 1u;
        power = power + 1;
    } else {
        quotient = ratio;
        if (2u * rest > 127u) quotient = quotient + 1u;
    }
    if (quotient == 0x1000000u) {
        quotient = 0x800000u;
        power = power + 1;
    }
    if (power + 150 >= 1) s.scale = q1_half_of((XF_U(power + 150) << 23) | (quotient & 0x7FFFFFu));
    if (s.scale == 0x7C00u) {
        s.kind = Q8_KIND_NAN;
        s.scale = 0x7E00u;
    }
    return s;
}

/* The code of the number with word `x`, as a byte. */
XF_FN xf_u q8_code_of(Q8_SCALE s, xf_u x)
{
    xf_u magnitude = x & 0x7FFFFFFFu, hi, lo, significand, rest, code, middle;
    xf_i exponent, drop;
    if (s.kind == Q8_KIND_NAN) return 0x80u;
    if (s.kind == Q8_KIND_ZERO || magnitude == 0u) return 0u;
    /* the product of two significands of 24 bits, its leading bit at 47 or 46; `exponent` is that of its bit 23 or 24 */
    XF_MUL_WIDE(xf_unpack_significand(magnitude), s.significand, hi, lo);
    exponent = xf_unpack_exponent(magnitude) - 150 + s.exponent;
    drop = hi >= 0x8000u ? 24 : 23;
    significand = (hi << (32 - drop)) | (lo >> drop);
    rest = lo & ((1u << drop) - 1u);
    middle = 1u << (drop - 1);
    if (rest > middle || (rest == middle && (significand & 1u) != 0u)) significand = significand + 1u;
    drop = -(exponent + drop); /* bits of the rounded product behind the point: below 128 means at least 17 */
    if (drop > 25) return 0u;
    code = significand >> drop;
    rest = significand & ((1u << drop) - 1u);
    middle = 1u << (drop - 1);
    if (rest > middle || (rest == middle && (code & 1u) != 0u)) code = code + 1u;
    return ((x & XF_SIGN) != 0u ? 0u - code : code) & 0xFFu;
}

#endif
