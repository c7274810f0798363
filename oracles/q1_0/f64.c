/* Float64 value of a Q1_0 product, rounded once, with a bound on its own error.
 *
 * Everything finite here is a multiple of 2^-48: scales are multiples of 2^-24, codes are integers. A block is less
 * than 2^45, so 2^17 blocks and far more fit into 128 bits: the sum is exact, whatever the order. The definition negates
 * codes as bytes, so a weight -d times the code -128 counts +(-128) here too; without -128 this is the plain product of
 * dequantized numbers. Sums of four codes are looked up by their four sign bits. Infinite and NaN scales are left to
 * IEEE 754, lane by lane as the definition has it. Knows nothing of kernels, nor of contract.c. */
#include "oracles/q1_0/q1_0.h"

#include <math.h>

enum { CHUNK = 16, BAND = 64, NIBBLES = Q1_0_WEIGHTS / 4 };

/* An f16 as an integer times 2^-24. */
struct scale {
    int64_t units;
    double value; /* NaN or infinite where units says nothing */
    bool finite;
};

static struct scale read_scale(const uint8_t *from, int64_t step)
{
    const uint32_t h = from[0] | (uint32_t)from[step] << 8, field = h >> 10 & 31, fraction = h & 0x3ff;
    const double sign = h >> 15 ? -1 : 1;
    struct scale s = {.finite = field != 31};
    if (!s.finite) {
        s.value = fraction ? NAN : sign * INFINITY;
        return s;
    }
    s.units = field ? (int64_t)(fraction | 0x400) << (field - 1) : (int64_t)fraction;
    s.value = sign * (double)s.units * 0x1p-24;
    if (h >> 15) s.units = -s.units;
    return s;
}

/* What a block of weights meets: four blocks of activations. */
struct meeting {
    int16_t sum[NIBBLES][16]; /* of codes 4i .. 4i + 3, by their sign bits */
    struct scale d1[Q1_0_SUBS];
    double size; /* sum of d1 times the codes' magnitudes */
    bool finite;
};

static void read_meeting(const uint8_t *x, int64_t step, struct meeting *meeting)
{
    *meeting = (struct meeting){.finite = true};
    for (int k = 0; k < Q1_0_SUBS; ++k) {
        const uint8_t *from = x + k * Q1_0_ACTIVATION_BYTES * step;
        int magnitude = 0;
        meeting->d1[k] = read_scale(from, step);
        meeting->finite &= meeting->d1[k].finite;
        for (int lane = 0; lane < Q1_0_LANES; ++lane) {
            int16_t *sum = meeting->sum[k * Q1_0_LANES + lane];
            for (int at = 0; at < 4; ++at) {
                const int code = (int8_t)from[(2 + 4 * lane + at) * step],
                          minus = code == -128 ? code : -code;
                magnitude += code < 0 ? -code : code;
                for (int bits = 0; bits < 16; ++bits)
                    sum[bits] = (int16_t)(sum[bits] + (bits >> at & 1 ? code : minus));
            }
        }
        meeting->size += fabs(meeting->d1[k].value) * magnitude;
    }
}

struct total {
    __int128 units; /* 2^-48 */
    double size;
    double lane[Q1_0_LANES]; /* what infinities and NaN make of it */
    bool finite;
};

/* Sum of the codes of lane `lane` of sub-block k with their signs. */
static inline int lane_sum(const struct meeting *meeting, const uint8_t *signs, int64_t step, int k, int lane)
{
    const int nibble = k * Q1_0_LANES + lane;
    return meeting->sum[nibble][signs[nibble / 2 * step] >> 4 * (nibble & 1) & 15];
}

static inline void add_block(const struct meeting *meeting, const uint8_t *w, int64_t step, struct total *t)
{
    const struct scale d0 = read_scale(w, step);
    const uint8_t *signs = w + 2 * step;
    int64_t units = 0;
    for (int k = 0; k < Q1_0_SUBS; ++k) {
        int all = 0;
        for (int lane = 0; lane < Q1_0_LANES; ++lane) all += lane_sum(meeting, signs, step, k, lane);
        units += meeting->d1[k].units * all;
    }
    t->units += (__int128)d0.units * units;
    t->size += fabs(d0.value) * meeting->size;
    t->finite &= d0.finite && meeting->finite;
}

static void add_block_lanes(const struct meeting *meeting, const uint8_t *w, int64_t step, struct total *t)
{
    const struct scale d0 = read_scale(w, step);
    for (int lane = 0; lane < Q1_0_LANES; ++lane) {
        double ab = 0;
        for (int k = 0; k < Q1_0_SUBS; ++k)
            ab += meeting->d1[k].value * lane_sum(meeting, w + 2 * step, step, k, lane);
        t->lane[lane] += d0.value * ab;
    }
}

/* Elements [i0, i1) of row j of Y, BAND of them at most, into total[]. */
static void band(const struct q1_0_view *v, int64_t j, int64_t i0, int64_t i1, bool lanes,
                 struct total *total)
{
    struct meeting meeting[CHUNK];
    const int64_t x_block = Q1_0_SUBS * Q1_0_ACTIVATION_BYTES * v->x_byte, w_block = Q1_0_BYTES * v->w_byte;
    for (int64_t i = 0; i < i1 - i0; ++i) total[i] = (struct total){.finite = true};
    for (int64_t b0 = 0; b0 < v->blocks; b0 += CHUNK) {
        const int64_t count = v->blocks - b0 < CHUNK ? v->blocks - b0 : CHUNK;
        for (int64_t b = 0; b < count; ++b)
            read_meeting(v->x + j * v->x_row + (b0 + b) * x_block, v->x_byte, &meeting[b]);
        for (int64_t i = i0; i < i1; ++i) {
            const uint8_t *w = v->w + i * v->w_row + b0 * w_block;
            for (int64_t b = 0; b < count; ++b) {
                add_block(&meeting[b], w + b * w_block, v->w_byte, &total[i - i0]);
                if (lanes) add_block_lanes(&meeting[b], w + b * w_block, v->w_byte, &total[i - i0]);
            }
        }
    }
}

enum assay_status q1_0_f64(const struct op_case *c, const struct assay_tensor *in, bool exact, double *value,
                           double *bound, double *magnitude, int64_t row0, int64_t row1,
                           struct assay_error *error)
{
    (void)exact;
    struct q1_0_view v;
    struct total total[BAND];
    char why[200];
    const struct assay_tensor y = {
        .rank = 2, .shape = {c->axis[Q1_0_N], c->axis[Q1_0_M]}, .stride = {c->axis[Q1_0_M], 1}};
    if (!q1_0_view_read(&in[0], &in[1], &y, &v, why))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "float64 product: %s", why);
    for (int64_t row = row0, count; row < row1; row += count) {
        const int64_t j = row / v.m, i = row % v.m;
        bool finite = true;
        count = row1 - row < v.m - i ? row1 - row : v.m - i;
        if (count > BAND) count = BAND;
        band(&v, j, i, i + count, false, total);
        for (int64_t e = 0; e < count; ++e) finite &= total[e].finite;
        if (!finite) band(&v, j, i, i + count, true, total);
        for (int64_t e = 0; e < count; ++e) {
            const struct total *t = &total[e];
            const int64_t at = row - row0 + e;
            double sum = 0;
            for (int l = 0; l < Q1_0_LANES; ++l) sum += t->lane[l];
            value[at] = t->finite ? (double)t->units * 0x1p-48 : sum;
            if (bound) bound[at] = t->finite ? fabs(value[at]) * 0x1p-53 : 0;
            /* Each addition of the sizes may round down. */
            if (magnitude) magnitude[at] = t->size * (1 + ((double)v.blocks + 8) * 0x1p-52);
        }
    }
    return ASSAY_OK;
}
