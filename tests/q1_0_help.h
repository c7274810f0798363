/* Q1_0 products for the tests of the oracles: random blocks, and the product evaluated once more, differently: lane by
 * lane in integers, every further operation by MPFR with 24 bits, which rounds once as f32 does. */
#ifndef TESTS_Q1_0_HELP_H
#define TESTS_Q1_0_HELP_H

#include "oracles/q1_0/q1_0.h"
#include "tests/oracle_help.h"

struct q1_product {
    int64_t m, n, blocks;
    uint8_t *w, *x;
    float *y;
    struct assay_tensor in[2], out;
    struct op_case c;
};

static inline struct assay_tensor q1_dense(enum assay_dtype dtype, int64_t rows, int64_t cols, void *data)
{
    struct assay_tensor t = {0};
    assay_tensor_dense(&t, dtype, 2, (int64_t[]){rows, cols});
    t.bytes = (uint64_t)(rows * cols) * assay_dtype_bytes(dtype);
    t.data = data;
    return t;
}

static inline struct op_case q1_case(int64_t m, int64_t n, int64_t blocks)
{
    struct op_case c = {.op = op_find("q1_0"), .dtype = {ASSAY_U8}, .dtype_count = 1};
    c.axis[Q1_0_M] = m;
    c.axis[Q1_0_N] = n;
    c.axis[Q1_0_K] = blocks * Q1_0_WEIGHTS;
    memcpy(c.of, c.axis, sizeof c.of);
    return c;
}

static inline struct q1_product q1_open(int64_t m, int64_t n, int64_t blocks)
{
    const int64_t w_row = blocks * Q1_0_BYTES, x_row = blocks * Q1_0_SUBS * Q1_0_ACTIVATION_BYTES;
    struct q1_product p = {.m = m, .n = n, .blocks = blocks, .c = q1_case(m, n, blocks)};
    p.w = calloc((size_t)(m * w_row) + 1, 1);
    p.x = calloc((size_t)(n * x_row) + 1, 1);
    p.y = calloc((size_t)(m * n) + 1, sizeof *p.y);
    if (!p.w || !p.x || !p.y) abort();
    p.in[0] = q1_dense(ASSAY_U8, m, w_row, p.w);
    p.in[1] = q1_dense(ASSAY_U8, n, x_row, p.x);
    p.out = q1_dense(ASSAY_F32, n, m, p.y);
    return p;
}

static inline void q1_close(struct q1_product *p)
{
    free(p->w);
    free(p->x);
    free(p->y);
}

static inline uint8_t *q1_weights(const struct q1_product *p, int64_t row, int64_t block)
{
    return p->w + (row * p->blocks + block) * Q1_0_BYTES;
}

static inline uint8_t *q1_activations(const struct q1_product *p, int64_t column, int64_t sub)
{
    return p->x + (column * p->blocks * Q1_0_SUBS + sub) * Q1_0_ACTIVATION_BYTES;
}

static inline void q1_put_half(uint8_t *to, unsigned half)
{
    to[0] = (uint8_t)half;
    to[1] = (uint8_t)(half >> 8);
}

static inline double q1_half(const uint8_t *from)
{
    const int h = from[0] | from[1] << 8, field = h >> 10 & 31, fraction = h & 1023;
    const double sign = h >> 15 ? -1 : 1;
    if (field == 31) return fraction ? NAN : sign * INFINITY;
    return sign * (field ? ldexp(1024 + fraction, field - 25) : ldexp(fraction, -24));
}

/* What random blocks are like: scales over 2^+-10; and whether codes may be -128, whether scales may be infinite or NaN. */
enum q1_kind { Q1_PLAIN, Q1_BYTES, Q1_ANY_SCALE, Q1_KINDS };

static inline unsigned q1_draw_half(enum q1_kind kind, uint64_t z)
{
    if (kind == Q1_ANY_SCALE) return (unsigned)(z & 0xffff);
    return (unsigned)((z >> 63) << 15 | (5 + (z >> 20) % 21) << 10 | (z & 0x3ff));
}

static inline void q1_random(struct q1_product *p, enum q1_kind kind, uint64_t seed)
{
    for (int64_t b = 0; b < p->m * p->blocks; ++b) {
        uint8_t *block = p->w + b * Q1_0_BYTES;
        q1_put_half(block, q1_draw_half(kind, help_next(&seed)));
        for (int i = 2; i < Q1_0_BYTES; ++i) block[i] = (uint8_t)(help_next(&seed) >> 32);
    }
    for (int64_t b = 0; b < p->n * p->blocks * Q1_0_SUBS; ++b) {
        uint8_t *block = p->x + b * Q1_0_ACTIVATION_BYTES;
        q1_put_half(block, q1_draw_half(kind, help_next(&seed)));
        for (int i = 2; i < Q1_0_ACTIVATION_BYTES; ++i) {
            const uint64_t z = help_next(&seed) >> 32;
            block[i] = (uint8_t)(kind == Q1_PLAIN ? z % 255 - 127 : z);
        }
    }
}

/* Number i of a block as the definition negates it. */
static inline int q1_signed_code(const uint8_t *weights, const uint8_t *sub, int k, int i)
{
    const int code = (int8_t)sub[2 + i], at = 32 * k + i;
    if (weights[2 + at / 8] >> at % 8 & 1) return code;
    return code == -128 ? -128 : -code;
}

struct q1_exact {
    mpfr_t acc[Q1_0_LANES], ab, scale, sum;
};

static inline void q1_exact_open(struct q1_exact *x)
{
    for (int l = 0; l < Q1_0_LANES; ++l) mpfr_init2(x->acc[l], 24);
    mpfr_inits2(24, x->ab, x->scale, x->sum, (mpfr_ptr)0);
}

static inline void q1_exact_close(struct q1_exact *x)
{
    for (int l = 0; l < Q1_0_LANES; ++l) mpfr_clear(x->acc[l]);
    mpfr_clears(x->ab, x->scale, x->sum, (mpfr_ptr)0);
    mpfr_free_cache();
}

/* Element (column, row), NaN canonical. */
static inline uint32_t q1_by_mpfr(struct q1_exact *x, const struct q1_product *p, int64_t column, int64_t row)
{
    for (int l = 0; l < Q1_0_LANES; ++l) {
        mpfr_set_zero(x->acc[l], 1);
        for (int64_t b = 0; b < p->blocks; ++b) {
            const uint8_t *weights = q1_weights(p, row, b);
            for (int k = 0; k < Q1_0_SUBS; ++k) {
                const uint8_t *sub = q1_activations(p, column, Q1_0_SUBS * b + k);
                int s = 0;
                for (int i = 4 * l; i < 4 * l + 4; ++i) s += q1_signed_code(weights, sub, k, i);
                mpfr_set_d(x->scale, q1_half(sub), MPFR_RNDN);
                mpfr_set_si(x->sum, s, MPFR_RNDN);
                if (k == 0)
                    mpfr_mul(x->ab, x->scale, x->sum, MPFR_RNDN);
                else
                    mpfr_fma(x->ab, x->scale, x->sum, x->ab, MPFR_RNDN);
            }
            mpfr_set_d(x->scale, q1_half(weights), MPFR_RNDN);
            mpfr_fma(x->acc[l], x->scale, x->ab, x->acc[l], MPFR_RNDN);
        }
    }
    for (int l = 0; l < 4; ++l) mpfr_add(x->acc[l], x->acc[l], x->acc[l + 4], MPFR_RNDN);
    for (int l = 0; l < 2; ++l) mpfr_add(x->acc[l], x->acc[l], x->acc[l + 2], MPFR_RNDN);
    mpfr_add(x->acc[0], x->acc[0], x->acc[1], MPFR_RNDN);
    return help_bits(mpfr_get_flt(x->acc[0], MPFR_RNDN));
}

#endif
