/* Softmax and the norms on the CPU, in the forms of arithmetic that the file which includes this asks for: NM_FORM(form)
 * makes the function row_FORM. A line at a time, a block of 4,096 elements at a time; what has been computed of a line lies
 * in its place in Y between passes.
 *
 * Exactness: docs/exactness.md, "Softmax" and "Norms": sums by lanes as for reductions, exp and log correctly rounded, every
 * subtraction, division, root, product and sum rounded once. */
#include <string.h>

#include "kernels/exact/divide.h"
#include "kernels/exact/function.h"
#include "kernels/normalize/normalize.h"

#ifndef NM_SECTION
#define NM_SECTION __attribute__((section("assay_normalize_cpu")))
#endif
#define NM_INLINE static inline __attribute__((always_inline, unused))

NM_INLINE int64_t nm_place(uint64_t number, int dims, const uint32_t *n, const uint32_t *step)
{
    uint64_t at = 0;
    for (int d = dims - 1; d > 0 && number != 0; d--) {
        at += number % n[d] * step[d];
        number /= n[d];
    }
    return (int64_t)(at + number * step[0]);
}

NM_INLINE bool nm_plain(const struct normalize_push *p, const uint32_t *step)
{
    return p->inner_n[0] == 1 && p->inner_n[1] == 1 && step[NORMALIZE_INNER - 1] == 1;
}

/* Elements [first, first + count) of a line: where they lie, or copied to `to`. */
NM_INLINE const float *nm_load(const struct normalize_push *p, const float *line, const uint32_t *step,
                               uint32_t first, int count, float *to)
{
    if (nm_plain(p, step)) return line + first;
    for (int i = 0; i < count; i++)
        to[i] = line[nm_place(first + (uint32_t)i, NORMALIZE_INNER, p->inner_n, step)];
    return to;
}
NM_INLINE void nm_store(const struct normalize_push *p, float *line, uint32_t first, int count,
                        const float *from)
{
    if (nm_plain(p, p->inner_y)) {
        memcpy(line + first, from, (size_t)count * sizeof *from);
        return;
    }
    for (int i = 0; i < count; i++)
        line[nm_place(first + (uint32_t)i, NORMALIZE_INNER, p->inner_n, p->inner_y)] = from[i];
}

/* A line's passes. `x` of a block go to lanes; NM_BLOCKS runs BODY with them and with `count` and `first`. */
#define NM_BLOCKS(line, step, ...)                                                                           \
    for (uint32_t first = 0; first < p->k; first += NORMALIZE_BLOCK) {                                       \
        const int count = (int)(p->k - first < NORMALIZE_BLOCK ? p->k - first : NORMALIZE_BLOCK);            \
        const float *x = nm_load(p, line, step, first, count, room);                                         \
        __VA_ARGS__                                                                                          \
    }

NM_INLINE float nm_largest(const struct normalize_push *p, const float *line, float *room)
{
    int32_t best = INT32_MIN;
    NM_BLOCKS(
        line, p->inner_x, for (int i = 0; i < count; i++) {
            const uint32_t u = xf_bits(x[i]), m = u & 0x7FFFFFFF;
            int32_t key = (int32_t)(u >> 31 ? u ^ 0x7FFFFFFF : u);
            if (m > XF_INFINITY) key = INT32_MAX;
            best = key > best ? key : best;
        })
    const uint32_t u = (uint32_t)best;
    return best == INT32_MAX ? xf_float(XF_NAN) : xf_float(u >> 31 ? u ^ 0x7FFFFFFF : u);
}

#define NM_FORM(form, divide)                                                                                \
    NM_INLINE float nm_sub_##form(float a, float b)                                                          \
    {                                                                                                        \
        return xf_add_##form(a, xf_neg(b));                                                                  \
    }                                                                                                        \
    static NM_SECTION float nm_block_##form(const float *x, int count, bool squares)                         \
    {                                                                                                        \
        float lane[NORMALIZE_LANES];                                                                         \
        int lanes = 1, i = 0;                                                                                \
        while (lanes < count && lanes < NORMALIZE_LANES) lanes *= 2;                                         \
        for (int l = 0; l < lanes; l++) lane[l] = 0;                                                         \
        for (; i + NORMALIZE_LANES <= count; i += NORMALIZE_LANES)                                           \
            if (squares) {                                                                                   \
                for (int l = 0; l < NORMALIZE_LANES; l++)                                                    \
                    lane[l] = xf_fma_##form(x[i + l], x[i + l], lane[l]);                                    \
            } else {                                                                                         \
                for (int l = 0; l < NORMALIZE_LANES; l++) lane[l] = xf_add_##form(lane[l], x[i + l]);        \
            }                                                                                                \
        for (int l = 0; l < count - i; l++)                                                                  \
            lane[l] =                                                                                        \
                squares ? xf_fma_##form(x[i + l], x[i + l], lane[l]) : xf_add_##form(lane[l], x[i + l]);     \
        for (int half = lanes / 2; half > 0; half /= 2)                                                      \
            for (int l = 0; l < half; l++) lane[l] = xf_add_##form(lane[l], lane[l + half]);                 \
        return lane[0];                                                                                      \
    }                                                                                                        \
    /* Results of a line's blocks are a block. */                                                            \
    NM_INLINE float nm_total_##form(const float *result, int blocks)                                         \
    {                                                                                                        \
        return blocks == 1 ? result[0] : nm_block_##form(result, blocks, false);                             \
    }                                                                                                        \
    static NM_SECTION void nm_softmax_##form(const struct normalize_push *p, const float *from, float *to,   \
                                             float *room, float *out, float *result)                         \
    {                                                                                                        \
        const bool logarithm = p->operation == NORMALIZE_LOG_SOFTMAX;                                        \
        const float m = nm_largest(p, from, room);                                                           \
        int blocks = 0;                                                                                      \
        NM_BLOCKS(from, p->inner_x, {                                                                        \
            for (int i = 0; i < count; i++) out[i] = xm_exp(nm_sub_##form(x[i], m));                         \
            result[blocks++] = nm_block_##form(out, count, false);                                           \
            if (!logarithm) nm_store(p, to, first, count, out);                                              \
        })                                                                                                   \
        const float s = nm_total_##form(result, blocks), l = logarithm ? xm_log(s) : 0;                      \
        if (logarithm) {                                                                                     \
            NM_BLOCKS(from, p->inner_x, {                                                                    \
                for (int i = 0; i < count; i++)                                                              \
                    out[i] = xf_canonical(nm_sub_##form(nm_sub_##form(x[i], m), l));                         \
                nm_store(p, to, first, count, out);                                                          \
            })                                                                                               \
        } else {                                                                                             \
            NM_BLOCKS(to, p->inner_y, {                                                                      \
                for (int i = 0; i < count; i++) out[i] = xf_canonical(divide(x[i], s));                      \
                nm_store(p, to, first, count, out);                                                          \
            })                                                                                               \
        }                                                                                                    \
    }                                                                                                        \
    static NM_SECTION void nm_norm_##form(const struct normalize_push *p, const float *from,                 \
                                          const float *scale, const float *bias, float *to, float *room,     \
                                          float *out, float *result)                                         \
    {                                                                                                        \
        const bool layer = (p->operation & 15) == NORMALIZE_LAYER;                                           \
        const float n = xf_float(p->count);                                                                  \
        float m = 0, c = 0;                                                                                  \
        int blocks = 0;                                                                                      \
        if (layer) {                                                                                         \
            NM_BLOCKS(from, p->inner_x, result[blocks++] = nm_block_##form(x, count, false);)                \
            m = divide(nm_total_##form(result, blocks), n);                                                  \
            blocks = 0;                                                                                      \
            NM_BLOCKS(from, p->inner_x, {                                                                    \
                for (int i = 0; i < count; i++) out[i] = nm_sub_##form(x[i], m);                             \
                result[blocks++] = nm_block_##form(out, count, false);                                       \
            })                                                                                               \
            c = divide(nm_total_##form(result, blocks), n);                                                  \
            blocks = 0;                                                                                      \
            NM_BLOCKS(from, p->inner_x, {                                                                    \
                for (int i = 0; i < count; i++) out[i] = nm_sub_##form(nm_sub_##form(x[i], m), c);           \
                result[blocks++] = nm_block_##form(out, count, true);                                        \
            })                                                                                               \
        } else {                                                                                             \
            NM_BLOCKS(from, p->inner_x, result[blocks++] = nm_block_##form(x, count, true);)                 \
        }                                                                                                    \
        const float v = divide(nm_total_##form(result, blocks), n);                                          \
        const float s = xm_sqrt(xf_add_##form(v, xf_float(p->epsilon)));                                     \
        NM_BLOCKS(from, p->inner_x, {                                                                        \
            for (int i = 0; i < count; i++) {                                                                \
                float d = layer ? nm_sub_##form(nm_sub_##form(x[i], m), c) : x[i];                           \
                d = xf_mul_##form(divide(d, s), scale[first + (uint32_t)i]);                                 \
                if (p->operation & 16) d = xf_add_##form(d, bias[first + (uint32_t)i]);                      \
                out[i] = xf_canonical(d);                                                                    \
            }                                                                                                \
            nm_store(p, to, first, count, out);                                                              \
        })                                                                                                   \
    }                                                                                                        \
    static NM_SECTION __attribute__((noinline)) void row_##form(void *const *buffers, const void *push,      \
                                                                const uint32_t group[3])                     \
    {                                                                                                        \
        const struct normalize_push *p = push;                                                               \
        const uint64_t start = (uint64_t)group[0] * p->each;                                                 \
        const uint64_t end = start + p->each < p->lines ? start + p->each : p->lines;                        \
        float room[NORMALIZE_BLOCK], out[NORMALIZE_BLOCK], result[NORMALIZE_BLOCKS];                         \
        for (uint64_t line = start; line < end; line++) {                                                    \
            const float *from = (const float *)buffers[0] + p->x_offset +                                    \
                                nm_place(line, NORMALIZE_KEPT, p->kept_n, p->kept_x);                        \
            float *to =                                                                                      \
                (float *)buffers[1] + p->y_offset + nm_place(line, NORMALIZE_KEPT, p->kept_n, p->kept_y);    \
            if ((p->operation & 15) >= NORMALIZE_LAYER)                                                      \
                nm_norm_##form(p, from, (const float *)buffers[2] + p->scale_offset,                         \
                               (const float *)buffers[3] + p->bias_offset, to, room, out, result);           \
            else                                                                                             \
                nm_softmax_##form(p, from, to, room, out, result);                                           \
        }                                                                                                    \
    }

/* The processor's own division is correctly rounded. */
NM_INLINE float nm_divide(float a, float b)
{
    return a / b;
}
