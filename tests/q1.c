/* See q1.h. Shares no code with kernels or oracles: it is a third reading of rule 11. */
#include "tests/q1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define POISON 0xff

/* ---- model ---- */

static float half(const uint8_t *p)
{
    unsigned h = p[0] | (unsigned)p[1] << 8, exponent = h >> 10 & 31, fraction = h & 1023;
    float magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? ldexpf((float)(fraction + 1024), (int)exponent - 25)
                                     : ldexpf((float)fraction, -24);
    return h >> 15 ? -magnitude : magnitude;
}

float q1_model(const uint8_t *w, const uint8_t *x, int64_t blocks)
{
    float acc[8] = {0};
    for (int64_t b = 0; b < blocks; b++, w += 18) {
        float d0 = half(w), d1[4];
        for (int k = 0; k < 4; k++) d1[k] = half(x + (4 * b + k) * 34);
        for (int lane = 0; lane < 8; lane++) {
            float ab = 0;
            for (int k = 0; k < 4; k++) {
                const uint8_t *sub = x + (4 * b + k) * 34;
                int s = 0;
                for (int j = 4 * lane; j < 4 * lane + 4; j++) {
                    int q = (int8_t)sub[2 + j];
                    const int of_bit[2] = {q == -128 ? -128 : -q, q}; /* no branch on what is random */
                    s += of_bit[w[2 + 4 * k + j / 8] >> j % 8 & 1];
                }
                ab = k ? fmaf(d1[k], (float)s, ab) : d1[k] * (float)s;
            }
            acc[lane] = fmaf(d0, ab, acc[lane]);
        }
    }
    return ((acc[0] + acc[4]) + (acc[2] + acc[6])) + ((acc[1] + acc[5]) + (acc[3] + acc[7]));
}

/* f16 nearest to a number >= 0: the candidates are tried, which is slow and plain. */
static unsigned half_nearest(float x)
{
    if (x >= 65520) return 0x7c00;
    unsigned low = 0, high = 0x7bff;
    while (low < high) { /* the largest f16 that is not above x */
        unsigned middle = (low + high + 1) / 2;
        uint8_t bytes[2] = {(uint8_t)middle, (uint8_t)(middle >> 8)};
        if (half(bytes) <= x)
            low = middle;
        else
            high = middle - 1;
    }
    uint8_t below[2] = {(uint8_t)low, (uint8_t)(low >> 8)};
    uint8_t above[2] = {(uint8_t)(low + 1), (uint8_t)((low + 1) >> 8)};
    double down = (double)x - (double)half(below);
    double up = (low == 0x7bff ? 65536.0 : (double)half(above)) - (double)x;
    return up < down || (up == down && low & 1) ? low + 1 : low;
}

void q1_model_quantize(const float x[32], uint8_t bytes[34])
{
    float amax = 0;
    int finite = 1;
    for (int i = 0; i < 32; i++) {
        finite &= isfinite(x[i]) != 0;
        amax = fmaxf(amax, fabsf(x[i]));
    }
    unsigned scale = finite ? half_nearest(amax / 127) : 0x7e00;
    float inverse = 127 / amax;
    memset(bytes, 0, 34);
    if (!finite || scale == 0x7c00) {
        bytes[1] = 0x7e;
        memset(bytes + 2, 0x80, 32);
    } else if (!isinf(inverse)) {
        bytes[0] = (uint8_t)scale;
        bytes[1] = (uint8_t)(scale >> 8);
        for (int i = 0; i < 32; i++) bytes[2 + i] = (uint8_t)(int)nearbyintf(x[i] * inverse);
    }
}

/* ---- data ---- */

static uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* An f16 of any sign: around 2^-8, any finite one, or with some infinite and NaN ones. */
static void put_scale(uint8_t *to, uint64_t random, enum q1_fill fill)
{
    unsigned h = 0x1000 + (unsigned)(random >> 8) % 0x1400;
    if (fill == Q1_FILL_SCALES || fill == Q1_FILL_SPECIAL) h = (unsigned)(random >> 8) % 0x7c00;
    if (fill == Q1_FILL_SPECIAL && random >> 40 & 1 && (random >> 41) % 8 == 0)
        h = random >> 50 & 1 ? 0x7c00 : 0x7c01 + (unsigned)(random >> 51) % 1000;
    h |= (unsigned)(random >> 63) << 15;
    to[0] = (uint8_t)h;
    to[1] = (uint8_t)(h >> 8);
}

void q1_fill_weights(uint8_t *w, int64_t blocks, uint64_t seed, enum q1_fill fill)
{
    for (int64_t b = 0; b < blocks; b++, w += 18) {
        uint64_t at = mix(seed ^ mix((uint64_t)b)), words[2] = {mix(at + 1), mix(at + 2)};
        put_scale(w, at, fill);
        memcpy(w + 2, words, 16);
    }
}

void q1_fill_activations(uint8_t *x, int64_t blocks, uint64_t seed, enum q1_fill fill)
{
    for (int64_t b = 0; b < 4 * blocks; b++, x += 34) {
        uint64_t at = mix(~seed ^ mix((uint64_t)b)), words[4];
        put_scale(x, at, fill);
        for (unsigned i = 0; i < 4; i++) words[i] = mix(at + i);
        memcpy(x + 2, words, 32);
        for (int i = 2; i < 34; i++)
            if (x[i] == 0x80 && fill != Q1_FILL_WRAP)
                x[i] = 0x81;
            else if (fill == Q1_FILL_WRAP && x[i] % 5 == 0)
                x[i] = 0x80;
    }
}

/* ---- running ---- */

static void must(enum assay_status status, const struct assay_error *error)
{
    if (status != ASSAY_OK) fail_msg("%s", error->text);
}

static void lay_out(struct assay_tensor *t, enum assay_dtype dtype, int64_t rows, int64_t cols, int64_t pad,
                    int64_t offset)
{
    memset(t, 0, sizeof *t);
    assay_tensor_dense(t, dtype, 2, (int64_t[]){rows, cols});
    t->stride[0] = cols + pad > 0 ? cols + pad : 1;
    t->offset = offset;
    /* Memory goes on past the view, so that stray writes have somewhere to land. */
    t->bytes = (uint64_t)(offset + rows * t->stride[0] + 13) * assay_dtype_bytes(dtype);
}

/* Upload inputs and poison, run, and compare the output's memory, poison included. Floats: NaN equals NaN. */
static enum assay_status run(struct assay_engine *engine, struct assay_call *call, void *const *inputs,
                             const void *right, const char *technique, uint64_t *digest,
                             struct assay_error *error)
{
    const struct assay_run_params params = {.technique = technique};
    struct assay_tensor *out = &call->output[0];
    enum assay_status status = assay_supports(engine, call, &params, error);
    if (status != ASSAY_OK) {
        assert_int_equal(status, ASSAY_UNSUPPORTED);
        assert_true(error->text[0] != '\0');
        return status;
    }
    uint8_t *got = malloc(out->bytes);
    assert_non_null(got);
    memset(got, POISON, out->bytes);
    for (size_t i = 0; i < call->input_count; i++) {
        struct assay_tensor *in = &call->input[i];
        must(assay_alloc(engine, in->bytes, &in->buffer, error), error);
        must(assay_upload(engine, in->buffer, 0, inputs[i], in->bytes, error), error);
    }
    must(assay_alloc(engine, out->bytes, &out->buffer, error), error);
    must(assay_upload(engine, out->buffer, 0, got, out->bytes, error), error);
    must(assay_run(engine, call, &params, NULL, error), error);
    must(assay_download(engine, out->buffer, 0, got, out->bytes, error), error);
    for (size_t i = 0; i < call->input_count; i++) {
        uint8_t *back = malloc(call->input[i].bytes);
        assert_non_null(back);
        must(assay_download(engine, call->input[i].buffer, 0, back, call->input[i].bytes, error), error);
        assert_memory_equal(back, inputs[i], call->input[i].bytes);
        free(back);
        assay_free(engine, call->input[i].buffer);
    }
    assay_free(engine, out->buffer);

    for (uint64_t at = 0; at + 4 <= out->bytes && out->dtype == ASSAY_F32; at += 4) {
        float value;
        uint32_t nan = 0x7fc00000;
        memcpy(&value, got + at, 4);
        if (value != value && memcmp(got + at, (const uint8_t *)right + at, 4) != 0)
            memcpy(got + at, &nan, 4);
    }
    for (uint64_t at = 0; at < out->bytes; at++)
        if (got[at] != ((const uint8_t *)right)[at])
            fail_msg("%s %s: byte %llu of the output's memory is %02x, %02x is right", call->op,
                     technique ? technique : "(chosen)", (unsigned long long)at, got[at],
                     ((const uint8_t *)right)[at]);
    if (digest) *digest = XXH3_64bits(got, out->bytes);
    free(got);
    return ASSAY_OK;
}

struct q1_ready {
    struct assay_call call;
    uint8_t *in[2];
    float *right;
};

/* Right answers of rows first, first + step, ... */
struct share {
    struct q1_ready *ready;
    int64_t first, step, blocks;
};

static void *answer(void *argument)
{
    const struct share *share = argument;
    const struct q1_ready *ready = share->ready;
    const struct assay_tensor *w = &ready->call.input[0], *x = &ready->call.input[1],
                              *y = &ready->call.output[0];
    for (int64_t i = share->first; i < w->shape[0]; i += share->step)
        for (int64_t j = 0; j < x->shape[0]; j++) {
            float value = q1_model(ready->in[0] + w->offset + i * w->stride[0],
                                   ready->in[1] + x->offset + j * x->stride[0], share->blocks);
            uint32_t bits = 0x7fc00000;
            if (value == value) memcpy(&bits, &value, sizeof bits);
            memcpy(ready->right + y->offset + j * y->stride[0] + i, &bits, sizeof bits);
        }
    return NULL;
}

static void answer_all(struct q1_ready *ready, int64_t blocks)
{
    enum { THREADS = 8 };
    struct share share[THREADS];
    pthread_t thread[THREADS];
    const bool large = ready->call.input[0].shape[0] * ready->call.input[1].shape[0] * blocks > 20000;
    const int64_t threads = large ? THREADS : 1;
    for (int64_t t = 0; t < threads; t++) {
        share[t] = (struct share){ready, t, threads, blocks};
        if (t) assert_int_equal(pthread_create(&thread[t], NULL, answer, &share[t]), 0);
    }
    answer(&share[0]);
    for (int64_t t = 1; t < threads; t++) pthread_join(thread[t], NULL);
}

struct q1_ready *q1_prepare(const struct q1_case *c)
{
    struct q1_ready *ready = calloc(1, sizeof *ready);
    assert_non_null(ready);
    ready->call = (struct assay_call){.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    struct assay_tensor *w = &ready->call.input[0], *x = &ready->call.input[1], *y = &ready->call.output[0];
    lay_out(w, ASSAY_U8, c->m, c->blocks * 18, c->pad_w, c->off_w);
    lay_out(x, ASSAY_U8, c->n, c->blocks * 136, c->pad_x, c->off_x);
    lay_out(y, ASSAY_F32, c->n, c->m, c->pad_y, c->off_y);
    uint8_t **in = ready->in;
    float *right = ready->right = malloc(y->bytes);
    for (int i = 0; i < 2; i++) in[i] = malloc(ready->call.input[i].bytes);
    assert_true(in[0] && in[1] && right);
    memset(in[0], POISON, w->bytes);
    memset(in[1], POISON, x->bytes);
    memset(right, POISON, y->bytes);
    for (int64_t i = 0; i < c->m; i++)
        q1_fill_weights(in[0] + w->offset + i * w->stride[0], c->blocks, (uint64_t)i * 3 + 1, c->fill);
    for (int64_t j = 0; j < c->n; j++)
        q1_fill_activations(in[1] + x->offset + j * x->stride[0], c->blocks, (uint64_t)j, c->fill);
    answer_all(ready, c->blocks);
    return ready;
}

enum assay_status q1_ready_run(struct assay_engine *engine, const struct q1_ready *ready,
                               const char *technique, uint64_t *digest, struct assay_error *error)
{
    struct assay_call call = ready->call;
    return run(engine, &call, (void *const *)ready->in, ready->right, technique, digest, error);
}

void q1_ready_free(struct q1_ready *ready)
{
    if (!ready) return;
    free(ready->in[0]);
    free(ready->in[1]);
    free(ready->right);
    free(ready);
}

enum assay_status q1_run(struct assay_engine *engine, const struct q1_case *c, const char *technique,
                         uint64_t *digest, struct assay_error *error)
{
    struct q1_ready *ready = q1_prepare(c);
    enum assay_status status = q1_ready_run(engine, ready, technique, digest, error);
    q1_ready_free(ready);
    return status;
}

static float number(uint64_t random, int64_t block)
{
    static const int lowest[] = {120, 100, 0, 1, 140, 20};
    static const int range[] = {10, 40, 2, 40, 30, 20};
    unsigned kind = (unsigned)(block % 6);
    uint32_t bits =
        (uint32_t)(random & 0x807fffff) | (uint32_t)(lowest[kind] + (int)(random >> 40) % range[kind]) << 23;
    if (block % 13 == 12 && random >> 50 < 200) bits |= 0x7f800000; /* some infinite, some NaN */
    if (random >> 52 == 5) bits &= 0x80000000;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

enum assay_status q1_quantize_run(struct assay_engine *engine, const struct q1_case *c, const char *technique,
                                  struct assay_error *error)
{
    struct assay_call call = {.op = "Q8_0Quantize", .input_count = 1, .output_count = 1};
    struct assay_tensor *x = &call.input[0], *y = &call.output[0];
    lay_out(x, ASSAY_F32, c->n, c->blocks * 32, c->pad_x, c->off_x);
    lay_out(y, ASSAY_U8, c->n, c->blocks * 34, c->pad_y, c->off_y);
    float *in = malloc(x->bytes);
    uint8_t *right = malloc(y->bytes);
    assert_true(in && right);
    memset(in, POISON, x->bytes);
    memset(right, POISON, y->bytes);
    for (int64_t j = 0; j < c->n; j++)
        for (int64_t b = 0; b < c->blocks; b++) {
            float *from = in + x->offset + j * x->stride[0] + b * 32;
            for (int i = 0; i < 32; i++)
                from[i] = number(mix((uint64_t)((j * c->blocks + b) * 32 + i)), j * c->blocks + b);
            q1_model_quantize(from, right + y->offset + j * y->stride[0] + b * 34);
        }
    enum assay_status status = run(engine, &call, (void *const[]){in}, right, technique, NULL, error);
    free(in);
    free(right);
    return status;
}
