/* The bits of exact mode for elementwise operators (docs/exactness.md). It must know nothing of the kernels that it judges.
 *
 * Floats are computed by the processor's own f32 arithmetic, which IEEE 754 defines to the bit, f16 and bf16 by rounding
 * that f32 value once more; remainders by fmodf, which is exact by definition. Integers are computed in 128 bits and cut.
 * Rounding to f16 and bf16 goes through binary64 and rint, not through bits. */
#include "oracles/elementwise/elementwise.h"

#include <math.h>
#include <string.h>

/* An element as number: a float in f, an integer or boolean in i. */
struct number {
    float f;
    __int128 i;
};

int64_t elementwise_place(const struct assay_tensor *t, const struct assay_tensor *out, int64_t number)
{
    int64_t place = t->offset;
    for (uint32_t d = out->rank; d-- > 0; number /= out->shape[d]) {
        if (d + t->rank < out->rank) continue;
        const uint32_t own = d + t->rank - out->rank;
        if (t->shape[own] != 1) place += number % out->shape[d] * t->stride[own];
    }
    return place;
}

/* ---- formats ---- */

/* value rounded to `digits` binary digits, fewer below 2^least; `most` is the largest finite number. */
static double round_to(double value, int digits, int least, double most)
{
    if (value == 0 || !isfinite(value)) return value;
    int exponent;
    frexp(value, &exponent); /* 0.5 <= |fraction| < 1 */
    if (exponent - 1 < least) exponent = least + 1;
    const double rounded = ldexp(rint(ldexp(value, digits - exponent)), exponent - digits);
    return fabs(rounded) > most ? copysign(INFINITY, value) : rounded;
}

static double half_value(uint32_t bits)
{
    const int field = bits >> 10 & 31, fraction = bits & 1023;
    const double size = field == 31 ? (fraction ? NAN : INFINITY)
                        : field     ? ldexp(1024 + fraction, field - 25)
                                    : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

/* Bits of a value that f16 can hold. */
static uint16_t half_bits(double value)
{
    if (isnan(value)) return 0x7e00;
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    value = fabs(value);
    if (isinf(value)) return sign | 0x7c00;
    if (value < 0x1p-14) return sign | (uint16_t)ldexp(value, 24);
    const int exponent = ilogb(value);
    return sign | (uint16_t)((exponent + 15) << 10) | (uint16_t)(ldexp(value, 10 - exponent) - 1024);
}

static uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return isnan(f) ? 0x7fc00000u : bits;
}

static struct number load(const struct assay_tensor *t, int64_t place)
{
    const uint8_t *at = (const uint8_t *)t->data + (size_t)place * assay_dtype_bytes(t->dtype);
    struct number x = {0, 0};
    uint16_t half;
    int32_t word;
    int64_t wide;
    uint32_t bits;
    switch (t->dtype) {
    case ASSAY_F32:
        memcpy(&x.f, at, 4);
        break;
    case ASSAY_F16:
        memcpy(&half, at, 2);
        x.f = (float)half_value(half);
        break;
    case ASSAY_BF16:
        memcpy(&half, at, 2);
        bits = (uint32_t)half << 16;
        memcpy(&x.f, &bits, 4);
        break;
    case ASSAY_I8:
        x.i = (int8_t)*at;
        break;
    case ASSAY_I32:
        memcpy(&word, at, 4);
        x.i = word;
        break;
    case ASSAY_I64:
        memcpy(&wide, at, 8);
        x.i = wide;
        break;
    default:
        x.i = *at;
    }
    return x;
}

/* A real value, exact in long double, as a float of this type; NaN as its canonical bits. */
static void store_real(enum assay_dtype dtype, uint8_t *to, double value)
{
    uint16_t half;
    uint32_t bits;
    switch (dtype) {
    case ASSAY_F16:
        half = half_bits(round_to(value, 11, -14, 65504));
        memcpy(to, &half, 2);
        break;
    case ASSAY_BF16:
        half = (uint16_t)(bits_of((float)round_to(value, 8, -126, 0x1.fep127)) >> 16);
        memcpy(to, &half, 2);
        break;
    default:
        bits = bits_of((float)value);
        memcpy(to, &bits, 4);
    }
}

static void store_integer(enum assay_dtype dtype, uint8_t *to, __int128 value)
{
    const uint64_t bits = (uint64_t)value; /* low bits, whatever the sign */
    memcpy(to, &bits, assay_dtype_bytes(dtype));
}

static bool is_real(enum assay_dtype dtype)
{
    return dtype == ASSAY_F32 || dtype == ASSAY_F16 || dtype == ASSAY_BF16;
}

/* ---- operators ---- */

static float extremum(float a, float b, bool least)
{
    if (isnan(a) || isnan(b)) return NAN;
    if (a == b) return (signbit(a) != 0) == least ? a : b; /* zeros of two signs; equal numbers are alike */
    return (a < b) == least ? a : b;
}

static float real(enum elementwise_op op, float a, float b)
{
    switch (op) {
    case ELEMENTWISE_ADD:
        return a + b;
    case ELEMENTWISE_SUB:
        return a - b;
    case ELEMENTWISE_MUL:
        return a * b;
    case ELEMENTWISE_DIV:
        return a / b;
    case ELEMENTWISE_MOD:
        return fmodf(a, b);
    default:
        return extremum(a, b, op == ELEMENTWISE_MIN);
    }
}

/* x / 0 and x mod 0 are 0. In 128 bits nothing overflows but 64-bit products, whose low bits are right all the same. */
static __int128 integer(enum elementwise_op op, bool fmod, __int128 a, __int128 b)
{
    __int128 r;
    switch (op) {
    case ELEMENTWISE_ADD:
        return a + b;
    case ELEMENTWISE_SUB:
        return a - b;
    case ELEMENTWISE_MUL:
        return a * b;
    case ELEMENTWISE_DIV:
        return b ? a / b : 0;
    case ELEMENTWISE_MOD:
        r = b ? a % b : 0;
        return !fmod && r && (r < 0) != (b < 0) ? r + b : r;
    case ELEMENTWISE_MIN:
        return a < b ? a : b;
    case ELEMENTWISE_MAX:
        return a > b ? a : b;
    case ELEMENTWISE_AND:
        return a && b;
    case ELEMENTWISE_OR:
        return a || b;
    case ELEMENTWISE_XOR:
        return !a != !b;
    default:
        return !a;
    }
}

#define COMPARE(a, b)                                                                                        \
    (op == ELEMENTWISE_EQUAL           ? (a) == (b)                                                          \
     : op == ELEMENTWISE_LESS          ? (a) < (b)                                                           \
     : op == ELEMENTWISE_LESS_OR_EQUAL ? (a) <= (b)                                                          \
     : op == ELEMENTWISE_GREATER       ? (a) > (b)                                                           \
                                       : (a) >= (b))

/* To an integer of [least, most]: truncated, saturated, NaN to 0. */
static __int128 truncated(float x, __int128 least, __int128 most)
{
    if (isnan(x)) return 0;
    if (x >= 0x1p64f) return most;
    if (x <= -0x1p64f) return least;
    const __int128 whole = (__int128)x;
    return whole < least ? least : whole > most ? most : whole;
}

/* 64-bit integers are exact in long double (x86's has 64 digits), so one rounding is left. */
static double nearest(__int128 x, int digits)
{
    const long double value = (long double)x;
    if (value == 0) return 0;
    int exponent;
    frexpl(value, &exponent);
    return (double)ldexpl(rintl(ldexpl(value, digits - exponent)), exponent - digits);
}

static void cast(enum assay_dtype from, enum assay_dtype to, struct number x, uint8_t *at)
{
    static const struct {
        int bits;
        bool is_signed;
    } range[] = {
        [ASSAY_I8] = {8, true}, [ASSAY_U8] = {8, false}, [ASSAY_I32] = {32, true}, [ASSAY_I64] = {64, true}};
    if (is_real(to)) {
        if (is_real(from))
            store_real(to, at, x.f);
        else
            store_real(to, at, nearest(x.i, to == ASSAY_F16 ? 11 : to == ASSAY_BF16 ? 8 : 24));
        return;
    }
    if (to == ASSAY_BOOL) {
        store_integer(to, at, is_real(from) ? x.f != 0 : x.i != 0); /* NaN != 0 */
        return;
    }
    const __int128 most = ((__int128)1 << (range[to].bits - range[to].is_signed)) - 1;
    store_integer(to, at, is_real(from) ? truncated(x.f, range[to].is_signed ? -most - 1 : 0, most) : x.i);
}

void elementwise_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                          int64_t row0, int64_t row1)
{
    const enum elementwise_op op = elementwise_op_of(c);
    const enum assay_dtype from = in[0].dtype, to = out->dtype;
    const size_t size = assay_dtype_bytes(to);
    if (row1 <= row0) return;
    int64_t first, last;
    c->op->row_elems(c, row0, &first);
    const int64_t tail = c->op->row_elems(c, row1 - 1, &last);
    for (int64_t e = first; e < last + tail; ++e) {
        uint8_t *at = (uint8_t *)out->data + (size_t)elementwise_place(out, out, e) * size;
        const struct number a = load(&in[0], elementwise_place(&in[0], out, e));
        if (op == ELEMENTWISE_WHERE) { /* bits are copied */
            const struct assay_tensor *t = &in[a.i ? 1 : 2];
            memcpy(at, (const uint8_t *)t->data + (size_t)elementwise_place(t, out, e) * size, size);
            continue;
        }
        if (op == ELEMENTWISE_CAST) {
            cast(from, to, a, at);
            continue;
        }
        struct number b = {0, 0};
        if (op != ELEMENTWISE_NOT) b = load(&in[1], elementwise_place(&in[1], out, e));
        if (op >= ELEMENTWISE_EQUAL && op <= ELEMENTWISE_GREATER_OR_EQUAL)
            *at = is_real(from) ? COMPARE(a.f, b.f) : COMPARE(a.i, b.i);
        else if (is_real(from))
            store_real(to, at, real(op, a.f, b.f));
        else
            store_integer(to, at, integer(op, op == ELEMENTWISE_MOD && c->axis[ELEMENTWISE_FMOD], a.i, b.i));
    }
}
