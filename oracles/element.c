/* Elements of host tensors as bits and as doubles. It must not know what an operator is. */
#include "oracles/element.h"

#include <math.h>
#include <string.h>

/* Binary formats: bits of the fraction, of the exponent. Integers have none. */
struct format {
    int fraction, exponent;
    bool is_signed; /* of integers */
};

static const struct format formats[] = {
    [ASSAY_F32] = {23, 8, true},  [ASSAY_F16] = {10, 5, true}, [ASSAY_BF16] = {7, 8, true},
    [ASSAY_F64] = {52, 11, true}, [ASSAY_I8] = {0, 0, true},   [ASSAY_U8] = {0, 0, false},
    [ASSAY_I32] = {0, 0, true},   [ASSAY_I64] = {0, 0, true},  [ASSAY_BOOL] = {0, 0, false},
};

static uint64_t exponent_mask(const struct format *f)
{
    return ((UINT64_C(1) << f->exponent) - 1) << f->fraction;
}

static bool is_nan(const struct format *f, uint64_t bits)
{
    const uint64_t mask = exponent_mask(f);
    return f->exponent && (bits & mask) == mask && (bits & ((UINT64_C(1) << f->fraction) - 1));
}

bool element_is_nan(enum assay_dtype dtype, uint64_t bits)
{
    return is_nan(&formats[dtype], bits);
}

int64_t element_span(const struct assay_tensor *t, int64_t first, int64_t *offset)
{
    int64_t run = 1, rest = first;
    uint32_t d = t->rank;
    /* Trailing dimensions that lie dense are one. */
    while (d > 0 && (t->stride[d - 1] == run || t->shape[d - 1] == 1)) run *= t->shape[--d];
    const int64_t column = run ? rest % run : 0;
    rest = run ? rest / run : 0;
    *offset = t->offset + column;
    for (; d > 0; --d) {
        *offset += rest % t->shape[d - 1] * t->stride[d - 1];
        rest /= t->shape[d - 1];
    }
    return run - column;
}

/* `count` elements, `step` apart. */
static inline void load_run(const struct format *f, const char *from, size_t size, int64_t step,
                            int64_t count, uint64_t *bits)
{
    const uint64_t nan = exponent_mask(f) | (f->exponent ? UINT64_C(1) << (f->fraction - 1) : 0);
    for (int64_t i = 0; i < count; ++i) {
        uint64_t x = 0;
        memcpy(&x, from + (size_t)(i * step) * size, size);
        bits[i] = is_nan(f, x) ? nan : x;
    }
}

static void load_f32(const char *from, int64_t count, uint64_t *bits)
{
    for (int64_t i = 0; i < count; ++i) {
        uint32_t x;
        memcpy(&x, from + (size_t)i * sizeof x, sizeof x);
        bits[i] = (x & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : x;
    }
}

void element_load(const struct assay_tensor *t, int64_t first, int64_t count, uint64_t *bits)
{
    const struct format *f = &formats[t->dtype];
    const size_t size = assay_dtype_bytes(t->dtype);
    while (count > 0) {
        int64_t offset, step = 1, here = element_span(t, first, &offset);
        if (here == 1 && t->rank > 0) { /* a line whose elements lie apart */
            const int64_t length = t->shape[t->rank - 1];
            step = t->stride[t->rank - 1];
            here = length - first % length;
        }
        if (here > count) here = count;
        const char *from = (const char *)t->data + (size_t)offset * size;
        if (t->dtype == ASSAY_F32 && step == 1)
            load_f32(from, here, bits);
        else
            load_run(f, from, size, step, here, bits);
        bits += here;
        first += here;
        count -= here;
    }
}

static int64_t integer(enum assay_dtype dtype, uint64_t bits)
{
    switch (dtype) {
    case ASSAY_I8:
        return (int8_t)bits;
    case ASSAY_I32:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

double element_value(enum assay_dtype dtype, uint64_t bits)
{
    const struct format *f = &formats[dtype];
    if (!f->exponent) return (double)integer(dtype, bits);
    if (is_nan(f, bits)) return NAN;
    if (dtype == ASSAY_F32) {
        const uint32_t word = (uint32_t)bits;
        float x;
        memcpy(&x, &word, sizeof x);
        return x;
    }
    const uint64_t fraction = bits & ((UINT64_C(1) << f->fraction) - 1);
    const int field = (int)((bits & exponent_mask(f)) >> f->fraction), top = (1 << f->exponent) - 1;
    const double sign = bits >> (f->fraction + f->exponent) & 1 ? -1.0 : 1.0;
    if (field == top) return sign * INFINITY;
    const uint64_t significand = field ? fraction | UINT64_C(1) << f->fraction : fraction;
    return sign * ldexp((double)significand, (field ? field : 1) - (top >> 1) - f->fraction);
}

/* Numbers in their order, so that neighbours differ by one; both zeros are 0. */
static __int128 rank_of(const struct format *f, enum assay_dtype dtype, uint64_t bits)
{
    if (!f->exponent) return integer(dtype, bits);
    const uint64_t sign = UINT64_C(1) << (f->fraction + f->exponent);
    return bits & sign ? -(__int128)(bits & ~sign) : (__int128)bits;
}

double element_distance(enum assay_dtype dtype, uint64_t x, uint64_t y)
{
    const struct format *f = &formats[dtype];
    const bool x_nan = is_nan(f, x), y_nan = is_nan(f, y);
    if (x_nan || y_nan) return x_nan && y_nan ? 0 : NAN;
    const __int128 steps = rank_of(f, dtype, x) - rank_of(f, dtype, y);
    return (double)(steps < 0 ? -steps : steps);
}

double element_step(enum assay_dtype dtype, double value)
{
    const struct format *f = &formats[dtype];
    if (!f->exponent) return 1;
    const int most = (1 << (f->exponent - 1)) - 1, least = 1 - most;
    /* The exponent field, which is 0 for zeros and subnormals and the highest for infinities. */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent < least) exponent = least;
    if (exponent > most) exponent = most;
    if (exponent - f->fraction < -1022) return ldexp(1, exponent - f->fraction);
    double step;
    bits = (uint64_t)(exponent - f->fraction + 1023) << 52;
    memcpy(&step, &bits, sizeof step);
    return step;
}

double element_worse(double x, double y)
{
    if (isnan(x) || isnan(y)) return NAN;
    return x > y ? x : y;
}
