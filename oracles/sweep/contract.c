/* The right answers of the checks of a whole card (sweep.h), by closed form where there is one: a sweep of all memory of a
 * card is predicted without touching as much memory here. */
#include "oracles/sweep/sweep.h"

#include <math.h>
#include <string.h>

#define GOLDEN 0x9e3779b9u

static uint32_t mix(uint32_t z)
{
    z ^= z >> 16;
    z *= 0x85ebca6bu;
    z ^= z >> 13;
    z *= 0xc2b2ae35u;
    return z ^ z >> 16;
}

static uint32_t key(const struct assay_tensor *k, int at)
{
    uint32_t bits;
    memcpy(&bits, (const float *)k->data + k->offset + at * k->stride[0], sizeof bits);
    return bits;
}

static void put(struct assay_tensor *y, int64_t row, int64_t col, uint32_t value)
{
    int32_t *to =
        (int32_t *)y->data + y->offset + row * y->stride[0] + (y->rank > 1 ? col * y->stride[1] : 0);
    memcpy(to, &value, sizeof value);
}

/* ---- units ---- */

static float number(uint32_t x, uint32_t keep, uint32_t exponent)
{
    const uint32_t bits = (x & keep) | exponent;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t chain(uint32_t t, uint32_t k0, uint32_t k1, int64_t rounds)
{
    uint32_t x = mix(k0 + t * GOLDEN), h = k1 ^ x, bits;
    float f = number(x, 0x007fffff, 0x3f800000);
    for (int64_t r = 0; r < rounds; r++) {
        x = mix(x + (uint32_t)r);
        const float a = number(x, 0x807fffff, 0x3f000000);
        x = mix(x ^ h);
        f = fmaf(a, f, number(x, 0x807fffff, 0x3f800000));
        memcpy(&bits, &f, sizeof bits);
        h = mix(h ^ bits);
    }
    return h;
}

void units_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                    int64_t row0, int64_t row1)
{
    uint32_t s0 = 0, s1 = 0;
    for (uint32_t t = 0; t < 256; t++) {
        const uint32_t h = chain(t, key(in, 0), key(in, 1), c->axis[UNITS_ROUNDS]);
        s0 += h;
        s1 += h * (2 * t + 1);
    }
    for (int64_t row = row0; row < row1; row++)
        for (int col = 0; col < SWEEP_UNIT_COLUMNS; col++) put(out, row, col, col < 2 ? s0 : s1);
}

/* ---- memory ---- */

/* 0 + 1 + ... + (n - 1), and the squares, modulo 2^32: the division is exact, so it comes before the reduction. */
static uint32_t sum_of(uint64_t n)
{
    return (uint32_t)(n % 2 ? (n - 1) / 2 * n : n / 2 * (n - 1));
}

static uint32_t sum_of_squares(uint64_t n)
{
    return n ? (uint32_t)((unsigned __int128)(n - 1) * n * (2 * n - 1) / 6) : 0;
}

/* Sum of the words of a slot, and weighted by 2i + 1. */
static void slot_sums(int64_t pattern, uint32_t slot, uint64_t n, uint32_t k0, uint32_t k1, uint32_t sum[2])
{
    const uint32_t count = (uint32_t)n, linear = sum_of(n);
    sum[0] = sum[1] = 0;
    if (pattern == MEMORY_ADDRESS) {
        const uint32_t a = k0 | 1, b = k1 + slot * GOLDEN;
        sum[0] = a * linear + b * count;
        sum[1] = 2 * a * sum_of_squares(n) + (a + 2 * b) * linear + b * count;
        return;
    }
    /* Words r, r + 32, ... are alike; n is a multiple of 32. */
    const uint64_t times = n / 32;
    for (uint32_t r = 0; r < 32; r++) {
        const uint32_t word = UINT32_C(1) << (r + slot + k0) % 32;
        sum[0] += word * (uint32_t)times;
        sum[1] += word * (64 * sum_of(times) + (2 * r + 1) * (uint32_t)times);
    }
}

void memory_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1)
{
    const uint64_t words = (uint64_t)c->axis[MEMORY_KIB] * 256;
    for (int64_t row = row0; row < row1; row++) {
        uint32_t sum[2];
        slot_sums(c->axis[MEMORY_PATTERN], (uint32_t)row, words, key(in, 0), key(in, 1), sum);
        /* ~w is -1 - w, and the weights 1 + 3 + ... make n squared */
        const uint32_t weights = (uint32_t)(words * words);
        const uint32_t pass[2][2] = {{sum[0], sum[1]},
                                     {0u - (uint32_t)words - sum[0], 0u - weights - sum[1]}};
        for (int p = 0; p < 2; p++) {
            put(out, row, 5 * p, 0);
            put(out, row, 5 * p + 1, 0);
            put(out, row, 5 * p + 2, UINT32_MAX);
            put(out, row, 5 * p + 3, pass[p][0]);
            put(out, row, 5 * p + 4, pass[p][1]);
        }
    }
}

/* ---- transfers ---- */

void upload_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1)
{
    for (int64_t row = row0; row < row1; row++) {
        uint32_t sum = 0, weighted = 0, word;
        for (uint32_t i = 0; i < SWEEP_CHUNK_WORDS; i++) {
            const int64_t at = row * SWEEP_CHUNK_WORDS + i;
            if (at >= c->axis[TRANSFER_N]) break;
            memcpy(&word, (const float *)in->data + in->offset + at * in->stride[0], sizeof word);
            sum += word;
            weighted += word * (2 * i + 1);
        }
        put(out, row, 0, sum);
        put(out, row, 1, weighted);
    }
}

void download_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                       int64_t row0, int64_t row1)
{
    int64_t end = row1 * SWEEP_CHUNK_WORDS;
    if (end > c->axis[TRANSFER_N]) end = c->axis[TRANSFER_N];
    for (int64_t i = row0 * SWEEP_CHUNK_WORDS; i < end; i++)
        put(out, i, 0, mix((uint32_t)i * GOLDEN + key(in, 0)) ^ key(in, 1));
}
