/* Reductions on the CPU, in the forms of arithmetic that the file which includes this asks for: RE_ROW(form) makes the
 * function row_FORM. A pair of a row and a block at a time: its elements are gathered, if they do not lie one behind the
 * other, and go into 128 lanes.
 *
 * Exactness: docs/exactness.md, "Plain reductions": lane l adds elements l, l + 128, ... from +0 (a product from 1), lanes
 * are joined by halving. Of fewer than 128 elements only the lanes that there are: +0, or a factor of 1, changes nothing. */
#include <string.h>

#include "kernels/reduce/reduce.h"
#include "kernels/reduce/text.h"

#ifndef RE_SECTION
#define RE_SECTION __attribute__((section("assay_reduce_cpu")))
#endif
#define RE_INLINE static inline __attribute__((always_inline, unused))

RE_INLINE int64_t re_place(uint64_t number, const uint32_t n[REDUCE_DIMS], const uint32_t step[REDUCE_DIMS])
{
    uint64_t at = 0;
    for (int d = REDUCE_DIMS - 1; d > 0 && number != 0; d--) {
        at += number % n[d] * step[d];
        number /= n[d];
    }
    return (int64_t)(at + number * step[0]);
}

/* Elements [first, first + count) of a row: where they lie, or copied to `to`. */
RE_INLINE const float *re_elements(const struct reduce_push *p, const float *row, uint64_t first, int count,
                                   float *to)
{
    const uint32_t *n = p->reduced_n, *step = p->reduced_x;
    const int last = REDUCE_DIMS - 1;
    if (n[0] == 1 && n[1] == 1 && n[2] == 1) {
        const float *from = row + first * step[last];
        if (step[last] == 1) return from;
        for (int i = 0; i < count; i++) to[i] = from[(uint64_t)i * step[last]];
        return to;
    }
    for (int i = 0; i < count;) {
        const uint64_t in_line = (first + (uint64_t)i) % n[last];
        const float *line = row + re_place(first + (uint64_t)i - in_line, n, step);
        for (uint64_t j = in_line; j < n[last] && i < count; j++) to[i++] = line[j * step[last]];
    }
    return to;
}

RE_INLINE int32_t re_largest(const float *x, int count, uint32_t join)
{
    int32_t best = RE_LEAST_KEY;
    for (int i = 0; i < count; i++) {
        const int32_t key = re_key(x[i], join);
        best = key > best ? key : best;
    }
    return best;
}

/* `lanes` is a power of two, and at least what there is of 128 lanes. */
#define RE_BLOCK(name, join_form, first_value)                                                               \
    RE_INLINE float name(const float *x, int count, int lanes)                                               \
    {                                                                                                        \
        float lane[REDUCE_LANES];                                                                            \
        for (int l = 0; l < lanes; l++) lane[l] = first_value;                                               \
        int i = 0;                                                                                           \
        for (; i + REDUCE_LANES <= count; i += REDUCE_LANES)                                                 \
            for (int l = 0; l < REDUCE_LANES; l++) lane[l] = join_form(x[i + l], lane[l]);                   \
        for (int l = 0; l < count - i; l++) lane[l] = join_form(x[i + l], lane[l]);                          \
        for (int half = lanes / 2; half > 0; half /= 2)                                                      \
            for (int l = 0; l < half; l++) lane[l] = name##_join(lane[l], lane[l + half]);                   \
        return lane[0];                                                                                      \
    }

#define RE_ROW(form)                                                                                         \
    RE_INLINE float re_sum_##form##_join(float a, float b)                                                   \
    {                                                                                                        \
        return xf_add_##form(a, b);                                                                          \
    }                                                                                                        \
    RE_INLINE float re_plain_##form(float x, float lane)                                                     \
    {                                                                                                        \
        return xf_add_##form(lane, x);                                                                       \
    }                                                                                                        \
    RE_INLINE float re_magnitude_##form(float x, float lane)                                                 \
    {                                                                                                        \
        return xf_add_##form(lane, xf_abs(x));                                                               \
    }                                                                                                        \
    RE_INLINE float re_square_##form(float x, float lane)                                                    \
    {                                                                                                        \
        return xf_fma_##form(x, x, lane);                                                                    \
    }                                                                                                        \
    RE_INLINE float re_product_##form##_join(float a, float b)                                               \
    {                                                                                                        \
        return xf_mul_##form(a, b);                                                                          \
    }                                                                                                        \
    RE_INLINE float re_times_##form(float x, float lane)                                                     \
    {                                                                                                        \
        return xf_mul_##form(lane, x);                                                                       \
    }                                                                                                        \
    RE_BLOCK_NAMED(re_sum_##form, re_plain_##form, 0.0f, plain)                                              \
    RE_BLOCK_NAMED(re_sum_##form, re_magnitude_##form, 0.0f, magnitude)                                      \
    RE_BLOCK_NAMED(re_sum_##form, re_square_##form, 0.0f, square)                                            \
    RE_BLOCK_NAMED(re_product_##form, re_times_##form, 1.0f, times)                                          \
    static RE_SECTION float block_##form(const struct reduce_push *p, const float *x, int count)             \
    {                                                                                                        \
        const uint32_t before = RE_BEFORE(p->operation), join = RE_JOIN(p->operation);                       \
        int lanes = 1;                                                                                       \
        while (lanes < count && lanes < REDUCE_LANES) lanes *= 2;                                            \
        if (join >= RE_MAX) return re_element(re_largest(x, count, join), join);                             \
        if (join == RE_MULTIPLY) return re_product_##form##_times(x, count, lanes);                          \
        if (before == RE_MAGNITUDE) return re_sum_##form##_magnitude(x, count, lanes);                       \
        if (before == RE_SQUARE) return re_sum_##form##_square(x, count, lanes);                             \
        return re_sum_##form##_plain(x, count, lanes);                                                       \
    }                                                                                                        \
    RE_PAIRS(form)

#define RE_BLOCK_NAMED(base, join_form, first_value, suffix)                                                 \
    RE_INLINE float base##_##suffix##_join(float a, float b)                                                 \
    {                                                                                                        \
        return base##_join(a, b);                                                                            \
    }                                                                                                        \
    RE_BLOCK(base##_##suffix, join_form, first_value)

#define RE_PAIRS(form)                                                                                       \
    static RE_SECTION __attribute__((noinline)) void row_##form(void *const *buffers, const void *push,      \
                                                                const uint32_t group[3])                     \
    {                                                                                                        \
        const struct reduce_push *p = push;                                                                  \
        const uint64_t k = (uint64_t)p->k_high << 32 | p->k_low, pairs = (uint64_t)p->rows * p->blocks;      \
        const uint64_t first = (uint64_t)group[0] * p->each;                                                 \
        const uint64_t end = first + p->each < pairs ? first + p->each : pairs;                              \
        float room[REDUCE_BLOCK];                                                                            \
        for (uint64_t pair = first; pair < end; pair++) {                                                    \
            const uint64_t row = pair / p->blocks, start = pair % p->blocks * REDUCE_BLOCK;                  \
            const float *from =                                                                              \
                (const float *)buffers[0] + p->x_offset + re_place(row, p->kept_n, p->kept_x);               \
            const int64_t to = p->y_offset + re_place(row, p->kept_n, p->kept_y);                            \
            if (RE_JOIN(p->operation) >= RE_ARGMAX) {                                                        \
                ((int64_t *)buffers[1])[to] = re_place_of_best(p, from, k, room);                            \
                continue;                                                                                    \
            }                                                                                                \
            const int count = (int)(k - start < REDUCE_BLOCK ? k - start : REDUCE_BLOCK);                    \
            const float sum =                                                                                \
                block_##form(p, count ? re_elements(p, from, start, count, room) : room, count);             \
            float *y = (float *)buffers[1];                                                                  \
            if (p->blocks > 1)                                                                               \
                y[pair] = sum;                                                                               \
            else                                                                                             \
                y[to] = RE_FINISH(sum, RE_AFTER(p->operation), xf_float(p->count));                          \
        }                                                                                                    \
    }

#define RE_FINISH re_after

RE_INLINE int64_t re_place_of_best(const struct reduce_push *p, const float *row, uint64_t k, float *room)
{
    const uint32_t join = RE_JOIN(p->operation);
    const bool last = RE_LAST(p->operation);
    int32_t best = RE_LEAST_KEY;
    int64_t place = -1;
    for (uint64_t first = 0; first < k; first += REDUCE_BLOCK) {
        const int count = (int)(k - first < REDUCE_BLOCK ? k - first : REDUCE_BLOCK);
        const float *x = re_elements(p, row, first, count, room);
        for (int i = 0; i < count; i++) {
            const int32_t key = re_key(x[i], join);
            if (!re_later_wins(key, best, last)) continue;
            best = key;
            place = (int64_t)first + i;
        }
    }
    return place;
}
