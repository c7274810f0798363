/* Hard operands of a fused multiply-add for tests: header-only, so that quick and long tests share one generator. */
#ifndef ASSAY_TESTS_TRIPLES_H
#define ASSAY_TESTS_TRIPLES_H

#include "kernels/exact/exact.h"

struct triples {
    uint64_t state;
};

static inline uint64_t triples_next(struct triples *t)
{
    t->state ^= t->state << 13;
    t->state ^= t->state >> 7;
    t->state ^= t->state << 17;
    return t->state * 0x2545F4914F6CDD1Du;
}

static inline uint32_t triples_float(struct triples *t, int low, int high)
{
    uint64_t z = triples_next(t);
    uint32_t m = (uint32_t)z & 0x7FFFFF;
    switch (z >> 23 & 7) {
    case 0:
        m = 0;
        break;
    case 1:
        m = 0x7FFFFF;
        break;
    case 2:
        m &= 0x7FF000;
        break;
    default:
        break;
    }
    low = low < 0 ? 0 : low > 254 ? 254 : low;
    high = high < low ? low : high > 254 ? 254 : high;
    return (uint32_t)(z >> 63) << 31 |
           (uint32_t)(low + (int)((z >> 32 & 0xFFFF) % (uint32_t)(high - low + 1))) << 23 | m;
}

static inline void triples_fill(struct triples *t, uint32_t out[3])
{
    static const uint32_t special[16] = {
        0,          0x80000000, 1,          0x80000001, 0x7FFFFF,   0x800000,   0x80800000, 0x3F800000,
        0xBF800000, 0x3F800001, 0x3F7FFFFF, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000};
    uint64_t pick = triples_next(t);
    uint32_t *a = out, *b = out + 1, *c = out + 2;
    int e;
    switch (pick & 7) {
    case 0:
        *a = (uint32_t)triples_next(t), *b = (uint32_t)triples_next(t), *c = (uint32_t)triples_next(t);
        return;
    case 1:
        *a = special[pick >> 8 & 15], *b = special[pick >> 16 & 15], *c = special[pick >> 24 & 15];
        return;
    case 2:
        *a = triples_float(t, 0, 3), *b = triples_float(t, 100, 150), *c = triples_float(t, 0, 3);
        return;
    case 3: /* product around the smallest normal */
        *a = triples_float(t, 1, 120);
        e = 127 - (int)(*a >> 23 & 255) + (int)(pick >> 8 & 31) - 28;
        *b = triples_float(t, e, e), *c = triples_float(t, 0, 2);
        return;
    case 4: /* edges of the emulated form's range */
        *a = triples_float(t, 20, 30), *b = triples_float(t, 140, 160), *c = triples_float(t, 20, 60);
        if (pick & 8)
            *a = triples_float(t, 228, 240), *b = triples_float(t, 130, 150), *c = triples_float(t, 248, 254);
        return;
    default: /* moderate: c cancels, nearly cancels, overlaps, or is a tie away */
        *a = triples_float(t, 107, 147), *b = triples_float(t, 107, 147), *c = xf_mul_words(*a, *b);
        e = (int)(*c >> 23 & 255);
        switch (pick >> 8 & 3) {
        case 0:
            *c ^= XF_SIGN;
            break;
        case 1:
            *c = (*c ^ XF_SIGN) + (uint32_t)(pick >> 16 & 7) - 3;
            break;
        case 2:
            *c = triples_float(t, e - 1, e + 26);
            break;
        default:
            *c += 24u << 23;
            break;
        }
        return;
    }
}

#endif
