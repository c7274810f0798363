/* Matrices for the tests of the oracles, and the product evaluated once more, differently: each operation by MPFR in a
 * precision in which it is exact, then rounded once to f32. */
#ifndef TESTS_ORACLE_HELP_H
#define TESTS_ORACLE_HELP_H

#include "oracles/matmul/matmul.h"

#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

static inline uint64_t help_next(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline float help_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* NaN made canonical. */
static inline uint32_t help_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? 0x7fc00000 : bits;
}

static inline struct assay_tensor help_matrix(int64_t rows, int64_t cols, float *data)
{
    struct assay_tensor t = {0};
    assay_tensor_dense(&t, ASSAY_F32, 2, (int64_t[]){rows, cols});
    t.bytes = (uint64_t)(rows * cols) * 4;
    t.data = data;
    return t;
}

static inline struct op_case help_case(int64_t m, int64_t n, int64_t k)
{
    struct op_case c = {.op = op_find("matmul"), .dtype = {ASSAY_F32}, .dtype_count = 1};
    for (size_t i = 0; i < c.op->axis_count; ++i) c.axis[i] = c.op->axes[i].standard;
    c.axis[MATMUL_M] = m;
    c.axis[MATMUL_N] = n;
    c.axis[MATMUL_K] = k;
    memcpy(c.of, c.axis, sizeof c.of);
    return c;
}

enum help_kind { HELP_NORMAL, HELP_HOSTILE, HELP_TINY, HELP_NONFINITE, HELP_KINDS };

/* Numbers of one temper: well-behaved; of every exponent with edges of the format among them; with products that
 * underflow to zeros of both signs; and with NaN and infinities. */
static inline float help_draw(enum help_kind kind, uint64_t *state)
{
    static const uint32_t edges[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff,
                                     0x00800000, 0x80800001, 0x3f800000, 0xbf800001, 0x3f7fffff,
                                     0x33800000, 0x33800001, 0x4b800000, 0x7f7fffff, 0xff7fffff,
                                     0x5f7fffff, 0xdf800000, 0x34000000, 0x1f800001, 0x9f7fffff};
    static const uint32_t nonfinite[] = {0x7fc00000, 0xffc00001, 0x7f800001, 0x7f800000, 0xff800000};
    const uint64_t z = help_next(state);
    const uint32_t sign = (uint32_t)(z >> 63) << 31, fraction = (uint32_t)z & 0x7fffff;
    switch (kind) {
    case HELP_NORMAL:
        return help_float(sign | (uint32_t)(124 + (z >> 40) % 5) << 23 | fraction);
    case HELP_TINY:
        return help_float(sign | (uint32_t)(50 + (z >> 40) % 16) << 23 | fraction);
    case HELP_NONFINITE:
        if ((z >> 32) % 29 == 0) return help_float(nonfinite[(z >> 40) % 5]);
        return help_draw(HELP_NORMAL, state);
    default:
        if ((z >> 32) % 4 == 0) return help_float(edges[(z >> 40) % (sizeof edges / sizeof edges[0])]);
        if ((z >> 32) % 4 == 1) return help_float(sign | (uint32_t)((z >> 40) % 255) << 23 | fraction);
        /* Halves of powers of two: ties. */
        return help_float(sign | (uint32_t)(115 + (z >> 40) % 24) << 23 | (fraction & 0x700001));
    }
}

static inline float *help_data(int64_t count, enum help_kind kind, uint64_t seed)
{
    float *data = malloc((size_t)(count ? count : 1) * sizeof *data);
    if (!data) abort();
    for (int64_t i = 0; i < count; ++i) data[i] = help_draw(kind, &seed);
    return data;
}

/* Sum of the terms at positions [begin, end), each position split into chains, groups and the total by recursion on the
 * rule and not by loops that look like contract.c's. */
struct help_exact {
    mpfr_t a, b, c;
};

static inline void help_open(struct help_exact *x)
{
    mpfr_set_emin(-1100);
    mpfr_set_emax(1100);
    mpfr_init2(x->a, 24);
    mpfr_init2(x->b, 24);
    mpfr_init2(x->c, 800);
}

static inline void help_close(struct help_exact *x)
{
    mpfr_clear(x->a);
    mpfr_clear(x->b);
    mpfr_clear(x->c);
    mpfr_free_cache();
}

static inline float help_fma(struct help_exact *x, float a, float b, float c)
{
    mpfr_set_flt(x->a, a, MPFR_RNDN);
    mpfr_set_flt(x->b, b, MPFR_RNDN);
    mpfr_set_flt(x->c, c, MPFR_RNDN);
    mpfr_fma(x->c, x->a, x->b, x->c, MPFR_RNDN);
    return mpfr_get_flt(x->c, MPFR_RNDN);
}

static inline float help_add(struct help_exact *x, float a, float b)
{
    return help_fma(x, a, 1.0f, b);
}

static inline float help_sum(struct help_exact *x, const float *a, int64_t a_step, const float *b,
                             int64_t b_step, int64_t k)
{
    const int64_t chains = (k + 31) / 32, groups = (chains + 3) / 4;
    float *chain = calloc((size_t)chains + 1, sizeof *chain),
          *group = calloc((size_t)groups + 1, sizeof *group), t = 0;
    if (!chain || !group) abort();
    for (int64_t p = 0; p < k; ++p) chain[p / 32] = help_fma(x, a[p * a_step], b[p * b_step], chain[p / 32]);
    for (int64_t c = 0; c < chains; ++c) group[c / 4] = help_add(x, group[c / 4], chain[c]);
    for (int64_t g = 0; g < groups; ++g) t = help_add(x, t, group[g]);
    free(chain);
    free(group);
    return t;
}

#endif
