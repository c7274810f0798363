/* The order of plain reductions as it is written on paper, and two functions by libm. Knows no operator. */
#include "oracles/lanes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { BLOCK = LANES_BLOCK, LANES = 128 };

static float one_block(enum lanes_kind kind, const float *x, int64_t n)
{
    float lane[LANES];
    for (int l = 0; l < LANES; ++l) lane[l] = kind == LANES_PRODUCT ? 1.0f : 0.0f;
    for (int64_t i = 0; i < n; i += LANES) {
        const int count = n - i < LANES ? (int)(n - i) : LANES;
        const float *from = x + i;
        if (kind == LANES_SUM) {
            for (int l = 0; l < count; ++l) lane[l] = lane[l] + from[l];
        } else if (kind == LANES_SQUARES) {
            for (int l = 0; l < count; ++l) lane[l] = fmaf(from[l], from[l], lane[l]);
        } else {
            for (int l = 0; l < count; ++l) lane[l] = lane[l] * from[l];
        }
    }
    for (int half = LANES / 2; half > 0; half /= 2)
        for (int l = 0; l < half; ++l)
            lane[l] = kind == LANES_PRODUCT ? lane[l] * lane[l + half] : lane[l] + lane[l + half];
    return lane[0];
}

void lanes_begin(struct lanes *lanes, enum lanes_kind kind)
{
    lanes->kind = kind;
    memset(lanes->count, 0, sizeof lanes->count);
}

/* Results add plainly, whatever the elements did. */
static enum lanes_kind above(enum lanes_kind kind)
{
    return kind == LANES_SQUARES ? LANES_SUM : kind;
}

static void put(struct lanes *lanes, int level, float result)
{
    for (; level < LANES_LEVELS; ++level) {
        float *const here = lanes->result[level];
        if (lanes->count[level] < BLOCK) {
            here[lanes->count[level]++] = result;
            return;
        }
        const float full = one_block(above(lanes->kind), here, BLOCK);
        here[0] = result;
        lanes->count[level] = 1;
        result = full;
    }
}

void lanes_feed(struct lanes *lanes, const float *x, int64_t n)
{
    put(lanes, 0, one_block(lanes->kind, x, n));
}

/* One result of the lowest level and none above is the reduction's. */
float lanes_end(struct lanes *lanes)
{
    if (lanes->count[0] == 0) return lanes->kind == LANES_PRODUCT ? 1.0f : 0.0f;
    for (int level = 0; level < LANES_LEVELS; ++level) {
        bool over = false;
        for (int higher = level + 1; higher < LANES_LEVELS; ++higher) over |= lanes->count[higher] > 0;
        if (lanes->count[level] == 1 && !over) return lanes->result[level][0];
        put(lanes, level + 1, one_block(above(lanes->kind), lanes->result[level], lanes->count[level]));
    }
    return 0;
}

double lanes_depth(int64_t n)
{
    double depth = 0;
    for (;;) {
        depth += 32 + 7;
        if (n <= BLOCK) return depth;
        n = (n + BLOCK - 1) / BLOCK;
    }
}

/* Round to f32 what is known to 2^-50, or ask in 64 bits: no f32 has an exp or log nearer to a middle than about 2^-58. */
#define ROUNDED(name, x)                                                                                     \
    const double value = name(x), low = value * (1 - 0x1p-50), high = value * (1 + 0x1p-50);                 \
    if ((float)low == (float)high) return (float)value;                                                      \
    return (float)name##l(x)

float lanes_exp(float x)
{
    if (isnan(x)) return x;
    ROUNDED(exp, x);
}

float lanes_log(float x)
{
    if (isnan(x) || x <= 0 || isinf(x)) return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    ROUNDED(log, x);
}

void lanes_sum64_add(struct lanes_sum64 *sum, double x)
{
    const double t = sum->sum + x, part = t - sum->sum;
    sum->rest += (sum->sum - (t - part)) + (x - part);
    sum->sum = t;
    sum->size += fabs(x);
    sum->n++;
}

double lanes_sum64_end(const struct lanes_sum64 *sum, double *error)
{
    const double value = isfinite(sum->sum) ? sum->sum + sum->rest : sum->sum, n = (double)sum->n;
    *error = fabs(value) * 0x1p-52 + sum->size * n * n * 0x1p-104;
    return value;
}
