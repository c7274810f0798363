/* The bytes of exact mode for the Q8_0 quantizer (docs/exactness.md rule 11, row K07). For each block of 32 numbers:
 *
 *     amax  = the largest magnitude
 *     scale = amax / 127, rounded to f32, then to f16
 *     id    = 127 / amax, rounded to f32
 *     code  = the integer nearest to RN(x * id), ties to even, saturated to -128 .. 127
 *
 * The scale's two bytes, little-endian, then the 32 codes. A block with a NaN or an infinity, or whose scale overflows
 * f16: scale 7e00 (NaN), all codes -128. A block whose id overflows f32, amax = 0 among them: 34 zero bytes. It must
 * know nothing of the kernels that it judges. Division is IEEE 754's; nothing here may be fused or reassociated. */
#include "oracles/q8_0/q8_0.h"

#include <math.h>
#include <string.h>

enum { HALF_NAN = 0x7e00, HALF_INFINITE = 0x7c00 };

/* A number >= 0 rounded to f16, nearest even. */
static uint32_t half_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 23) - 127;
    const uint32_t significand = (bits & 0x7fffff) | 0x800000;
    if (exponent < -25) return 0; /* below half of the smallest; f32 subnormals too */
    if (exponent > 15) return HALF_INFINITE;
    /* f16 keeps 11 bits, fewer below 2^-14. */
    const int drop = exponent >= -14 ? 13 : 13 + (-14 - exponent);
    const uint32_t kept = significand >> drop, rest = significand & ((1u << drop) - 1),
                   tie = 1u << (drop - 1);
    const uint32_t rounded = kept + (rest > tie || (rest == tie && (kept & 1)));
    /* A carry goes into the exponent field by itself. */
    return exponent >= -14 ? ((uint32_t)(exponent + 14) << 10) + rounded : rounded;
}

void q8_0_block(const float x[Q8_0_NUMBERS], uint8_t bytes[Q8_0_BYTES])
{
    float amax = 0;
    bool finite = true;
    for (int i = 0; i < Q8_0_NUMBERS; ++i) {
        const float size = fabsf(x[i]);
        finite &= size <= 0x1.fffffep127f;
        if (size > amax) amax = size;
    }
    const uint32_t scale = finite ? half_of(amax / 127.0f) : HALF_NAN;
    const float id = 127.0f / amax;
    if (!finite || scale == HALF_INFINITE) {
        bytes[0] = HALF_NAN & 0xff;
        bytes[1] = HALF_NAN >> 8;
        memset(bytes + 2, 0x80, Q8_0_NUMBERS);
        return;
    }
    memset(bytes, 0, Q8_0_BYTES);
    if (isinf(id)) return;
    bytes[0] = (uint8_t)scale;
    bytes[1] = (uint8_t)(scale >> 8);
    for (int i = 0; i < Q8_0_NUMBERS; ++i) {
        const int code = (int)rintf(x[i] * id); /* ties to even: the mode that C starts in */
        bytes[2 + i] = (uint8_t)(int8_t)(code < -128 ? -128 : code > 127 ? 127 : code);
    }
}

void q8_0_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                   int64_t row0, int64_t row1)
{
    (void)c;
    const int64_t blocks = in->shape[1] / Q8_0_NUMBERS;
    for (int64_t row = row0; row < row1; ++row) {
        const int64_t line = row / blocks, block = row % blocks;
        const float *from = (const float *)in->data + in->offset + line * in->stride[0] +
                            block * Q8_0_NUMBERS * in->stride[1];
        uint8_t *to =
            (uint8_t *)out->data + out->offset + line * out->stride[0] + block * Q8_0_BYTES * out->stride[1];
        float x[Q8_0_NUMBERS];
        uint8_t bytes[Q8_0_BYTES];
        for (int i = 0; i < Q8_0_NUMBERS; ++i) x[i] = from[i * in->stride[1]];
        q8_0_block(x, bytes);
        for (int i = 0; i < Q8_0_BYTES; ++i) to[i * out->stride[1]] = bytes[i];
    }
}
