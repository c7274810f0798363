/* Float64 value of a Q1_0 product, rounded once, with a bound on its own error.
 *
 * Everything finite here is a multiple of 2^-48: scales are multiples of 2^-24, codes are integers. A block is less
 * than 2^45, so 2^17 blocks and far more fit into 128 bits: the sum is exact, whatever the order. The definition negates
 * codes as bytes, so a weight -d times the code -128 counts +(-128) here too; without -128 this is the plain product of
 * dequantized numbers. Infinite and NaN scales are left to IEEE 754, lane by lane as the definition has it. Knows
 * nothing of kernels, nor of contract.c. */
#include "oracles/q1_0/q1_0.h"

#include <math.h>

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

/* The codes that lane l of a sub-block owns, with their signs. */
static int lane_sum(const uint8_t *codes, int64_t code_step, const uint8_t *signs, int64_t sign_step,
                    int lane)
{
    int sum = 0;
    for (int at = 4 * lane; at < 4 * lane + 4; ++at) {
        const int code = (int8_t)codes[at * code_step];
        const bool plus = signs[at / 8 * sign_step] >> at % 8 & 1;
        sum += plus || code == -128 ? code : -code;
    }
    return sum;
}

struct total {
    __int128 units; /* 2^-48 */
    double size;
    double lane[Q1_0_LANES]; /* what infinities and NaN make of it */
    bool finite;
};

static void add_block(const struct q1_0_view *v, const uint8_t *w, const uint8_t *x, struct total *t)
{
    const struct scale d0 = read_scale(w, v->w_byte);
    const uint8_t *signs = w + 2 * v->w_byte;
    double ab[Q1_0_LANES] = {0}, size = 0;
    int64_t units = 0;
    bool finite = d0.finite;
    for (int k = 0; k < Q1_0_SUBS; ++k) {
        const uint8_t *from = x + k * Q1_0_ACTIVATION_BYTES * v->x_byte, *codes = from + 2 * v->x_byte;
        const struct scale d1 = read_scale(from, v->x_byte);
        int all = 0, magnitude = 0;
        for (int l = 0; l < Q1_0_LANES; ++l) {
            const int s = lane_sum(codes, v->x_byte, signs + 4 * k * v->w_byte, v->w_byte, l);
            all += s;
            ab[l] += d1.value * s;
        }
        for (int at = 0; at < Q1_0_ACTIVATIONS; ++at) {
            const int code = (int8_t)codes[at * v->x_byte];
            magnitude += code < 0 ? -code : code;
        }
        units += d1.units * all;
        size += fabs(d1.value) * magnitude;
        finite &= d1.finite;
    }
    t->units += (__int128)d0.units * units;
    t->size += fabs(d0.value) * size;
    t->finite &= finite;
    for (int l = 0; l < Q1_0_LANES; ++l) t->lane[l] += d0.value * ab[l];
}

enum assay_status q1_0_f64(const struct op_case *c, const struct assay_tensor *in, bool exact, double *value,
                           double *bound, double *magnitude, int64_t row0, int64_t row1,
                           struct assay_error *error)
{
    (void)exact;
    struct q1_0_view v;
    char why[200];
    const struct assay_tensor y = {
        .rank = 2, .shape = {c->axis[Q1_0_N], c->axis[Q1_0_M]}, .stride = {c->axis[Q1_0_M], 1}};
    if (!q1_0_view_read(&in[0], &in[1], &y, &v, why))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "float64 product: %s", why);
    for (int64_t row = row0; row < row1; ++row) {
        const uint8_t *w = v.w + row % v.m * v.w_row, *x = v.x + row / v.m * v.x_row;
        struct total t = {.finite = true};
        for (int64_t b = 0; b < v.blocks; ++b)
            add_block(&v, w + b * Q1_0_BYTES * v.w_byte, x + b * Q1_0_SUBS * Q1_0_ACTIVATION_BYTES * v.x_byte,
                      &t);
        double sum = 0;
        for (int l = 0; l < Q1_0_LANES; ++l) sum += t.lane[l];
        const int64_t at = row - row0;
        value[at] = t.finite ? (double)t.units * 0x1p-48 : sum;
        if (bound) bound[at] = t.finite ? fabs(value[at]) * 0x1p-53 : 0;
        /* Each addition of the sizes may round down. */
        if (magnitude) magnitude[at] = t.size * (1 + ((double)v.blocks + 8) * 0x1p-52);
    }
    return ASSAY_OK;
}
