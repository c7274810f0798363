/* A run of elements along Y's innermost dimension on the CPU, with operator and types as constants: what the compiler makes
 * vectors of. Internal to the CPU programs of this folder. */
#ifndef ASSAY_ELEMENTWISE_CPU_SPAN_H
#define ASSAY_ELEMENTWISE_CPU_SPAN_H

#include "kernels/elementwise/elementwise.h"

#include <string.h>

#define ELEMENTWISE_CPU_BLOCK 32768 /* elements of a workgroup */

struct span {
    const uint8_t *in[3];
    int64_t in_stride[3];
    uint8_t *y;
    int64_t y_stride, count;
};

#define SPAN_FN static inline __attribute__((always_inline))

SPAN_FN int64_t span_size(uint32_t kind)
{
    return kind == EW_I64                      ? 8
           : kind == EW_F32 || kind == EW_I32  ? 4
           : kind == EW_F16 || kind == EW_BF16 ? 2
                                               : 1;
}

SPAN_FN struct xf_wide span_load(uint32_t kind, const uint8_t *from)
{
    struct xf_wide x = {0, 0};
    uint16_t half;
    switch (span_size(kind)) {
    case 8:
        memcpy(&x.lo, from, 4);
        memcpy(&x.hi, from + 4, 4);
        break;
    case 4:
        memcpy(&x.lo, from, 4);
        break;
    case 2:
        memcpy(&half, from, 2);
        x.lo = half;
        break;
    default:
        x.lo = *from;
    }
    return x;
}

SPAN_FN void span_store(uint32_t kind, uint8_t *to, struct xf_wide x)
{
    const uint16_t half = (uint16_t)x.lo;
    switch (span_size(kind)) {
    case 8:
        memcpy(to, &x.lo, 4);
        memcpy(to + 4, &x.hi, 4);
        break;
    case 4:
        memcpy(to, &x.lo, 4);
        break;
    case 2:
        memcpy(to, &half, 2);
        break;
    default:
        *to = (uint8_t)x.lo;
    }
}

/* Strides are constants where the callers below make them so. */
SPAN_FN void span_loop(uint32_t form, uint32_t op, uint32_t from, uint32_t to, const struct span *s,
                       int64_t sa, int64_t sb, int64_t sc, int64_t sy)
{
    const uint32_t kind_a = op == EW_WHERE ? EW_BOOL : from;
    const int64_t size_a = span_size(kind_a), size = span_size(from), size_y = span_size(to);
    const bool has_b = op != EW_CAST && op != EW_NOT;
    const uint8_t *const restrict a = s->in[0], *const restrict b = s->in[1], *const restrict c = s->in[2];
    uint8_t *const restrict y = s->y;
    for (int64_t i = 0; i < s->count; i++) {
        const struct xf_wide none = {0, 0};
        const struct xf_wide x = span_load(kind_a, a + i * sa * size_a),
                             z = has_b ? span_load(from, b + i * sb * size) : none,
                             w = op == EW_WHERE ? span_load(from, c + i * sc * size) : none;
        span_store(to, y + i * sy * size_y, ew_element(form, op, from, to, x, z, w));
    }
}

/* All dense, one scalar, or any strides. */
SPAN_FN void span_run(uint32_t form, uint32_t op, uint32_t from, uint32_t to, const struct span *s)
{
    const int64_t sa = s->in_stride[0], sb = s->in_stride[1], sc = s->in_stride[2];
    if (op == EW_WHERE || op == EW_NOT || op == EW_CAST) {
        if (s->y_stride == 1 && sa == 1 && sb == 1 && sc == 1)
            span_loop(form, op, from, to, s, 1, 1, 1, 1);
        else
            span_loop(form, op, from, to, s, sa, sb, sc, s->y_stride);
        return;
    }
    if (s->y_stride == 1 && sa == 1 && sb == 1)
        span_loop(form, op, from, to, s, 1, 1, 0, 1);
    else if (s->y_stride == 1 && sa == 1 && sb == 0)
        span_loop(form, op, from, to, s, 1, 0, 0, 1);
    else if (s->y_stride == 1 && sa == 0 && sb == 1)
        span_loop(form, op, from, to, s, 0, 1, 0, 1);
    else
        span_loop(form, op, from, to, s, sa, sb, 0, s->y_stride);
}

#endif
