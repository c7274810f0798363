/* The arithmetic of the sweeps, one text for C, CUDA C++ and GLSL in the dialect of kernels/exact/exact.h.
 *
 * Exactness: integers modulo 2^32, and chains of one fused multiply-add with |a| < 1, |f| < 2 (rounds + 1), |b| < 2: no NaN,
 * no infinity. */
#ifndef ASSAY_SWEEP_TEXT_H
#define ASSAY_SWEEP_TEXT_H

#include "kernels/exact/exact.h"

#define SWEEP_CHAINS 256u   /* of a unit */
#define SWEEP_TILE   16384u /* words that a workgroup goes through at a time */
#define SWEEP_CHUNK  4096u  /* words of a row of an upload */
#define SWEEP_GOLDEN 0x9e3779b9u
#define SWEEP_NONE   0xffffffffu

XF_FN xf_u sweep_mix(xf_u z)
{
    z = (z ^ (z >> 16)) * 0x85ebca6bu;
    z = (z ^ (z >> 13)) * 0xc2b2ae35u;
    return z ^ (z >> 16);
}

XF_FN xf_f sweep_number(xf_u x, xf_u keep, xf_u exponent)
{
    return xf_float((x & keep) | exponent);
}

/* Chain t of a unit; `fma` is the form of the multiply-add. */
#define SWEEP_CHAIN(name, fma)                                                                               \
    XF_FN xf_u name(xf_u t, xf_u k0, xf_u k1, xf_u rounds)                                                   \
    {                                                                                                        \
        xf_u x = sweep_mix(k0 + t * SWEEP_GOLDEN);                                                           \
        xf_u h = k1 ^ x;                                                                                     \
        xf_f f = sweep_number(x, 0x007fffffu, 0x3f800000u);                                                  \
        for (xf_u r = 0u; r < rounds; r++) {                                                                 \
            x = sweep_mix(x + r);                                                                            \
            xf_f a = sweep_number(x, 0x807fffffu, 0x3f000000u);                                              \
            x = sweep_mix(x ^ h);                                                                            \
            f = fma(a, f, sweep_number(x, 0x807fffffu, 0x3f800000u));                                        \
            h = sweep_mix(h ^ xf_bits(f));                                                                   \
        }                                                                                                    \
        return h;                                                                                            \
    }

/* Word i of a slot. */
XF_FN xf_u sweep_word(xf_u pattern, xf_u pass, xf_u slot, xf_u i, xf_u k0, xf_u k1)
{
    xf_u word = (k0 | 1u) * i + k1 + slot * SWEEP_GOLDEN;
    if (pattern == 1u) word = 1u << ((i + slot + k0) & 31u);
    return pass == 1u ? ~word : word;
}

/* Word i of a download. */
XF_FN xf_u sweep_out_word(xf_u i, xf_u k0, xf_u k1)
{
    return sweep_mix(i * SWEEP_GOLDEN + k0) ^ k1;
}

#endif
