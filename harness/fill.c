/* Inputs out of a counter: every element is a function of (seed, operand, place), in integers only.
 *
 * It knows layouts and names of fills, and no operator, kernel or verdict. No floating-point arithmetic and no libm
 * take part: bits of an element are put together from integers, so that they are the same on every machine.
 * docs/cli.md names the fills; this is their definition, complete enough to write it again in another language.
 *
 * All words are 64-bit and wrap. `>>` shifts in zeros.
 *
 *   mix(z):   z ^= z >> 30; z *= bf58476d1ce4e5b9; z ^= z >> 27; z *= 94d049bb133111eb; z ^= z >> 31
 *   key       = mix(mix(seed + 9e3779b97f4a7c15) + operand + 1)
 *   rand(e,0) = mix(key + e * 9e3779b97f4a7c15)
 *   rand(e,d) = mix(rand(e,0) + d * d1342543de82ef95)                    d = 1, 2, ...
 *   scale(x,n)= ((x >> 32) * n) >> 32                                    in 0 .. n - 1
 *
 * Places, in the parent case: e = row-major number of the element, k = its index along the summed dimension, K = that
 * dimension's length, o = row-major number of its other indices. An operand without a summed dimension has k = 0,
 * K = 1, o = e. `first` is operand 0. A value is written sign s, exponent x, fraction f (23 bits): the word
 * s << 31 | (127 + x) << 23 | f. int(v, x) is the exact f32 of v * 2^x. z = rand(e,0).
 *
 *   ones         1.0
 *   rows         first: int(1 + (o & 63), 0); others 1.0
 *   integer      R = min(1023, floor(sqrt((2^24 - 1) / K))), at least 1; int(scale(z, 2R + 1) - R, X) with
 *                X = scale(rand(2^64 - 1, 3), 17) - 8, one a tensor
 *   onehot       first: s = z >> 63, x = scale(z, 15) - 7, f = z & 7fffff; others: 1.0 where k = scale(rand(o,1), K),
 *                else +0
 *   permutation  first: int(1 + (e & ffffff), 0); others: 1.0 where k = ((o mod K) * P + Q) mod K, else +0, with
 *                Q = rand(2^64 - 1, 2) mod K and P = the first of p, p + 1, ... that has no divisor in common with K
 *                (1 if K is 1), p = 1 + rand(2^64 - 1, 1) mod K, counting on from K to 1
 *   normal       N(z) = 2 * (u0 + u1 + u2) - 3 * (2^21 - 1) + (z >> 63), u0, u1, u2 = bits 0-20, 21-41, 42-62 of z;
 *                int(N, -21): a standard deviation of 1, within +-3
 *   uniform      int(z >> 40, -24): 0 <= value < 1
 *   wide         s = z >> 63, x = scale(z << 8, 89) - 44, f = z & 7fffff
 *   cancel       p = min(k, K - 1 - k); w = rand(number of the element at p in place of k, 0); s = w >> 63,
 *                x = (w >> 23 & 3) - 2, f = w & 7fffff; where k = K - 1 - k: x lowered by 20; in others where k > p:
 *                s flipped, f ^= (w >> 40 & 7) | 1
 *   ties         first: int(+-(2^12 + (z & fff | 1)), t); others: int(+-(2^11 + (z & 7ff | 1)), t), minus where
 *                z >> 63, t = z >> 20 & 3
 *   subnormal    k & 3 = 3: first: s = z >> 63, the subnormal of f = z & 7fffff | 1; others: x = scale(z << 8, 7) - 2;
 *                else x = scale(z << 8, 11) - 70 for the first and scale(z << 8, 15) - 76 for others; s = z >> 63,
 *                f = z & 7fffff
 *   special      h = rand(o >> 3, 1); unless o & 7 = 1 + scale(h, 7): int(N(z), -21), or a zero of sign z >> 63 where
 *                rand(e,4) & 7 = 0. There: g = rand(o >> 3, 2), k1 = scale(g, K), k2 = scale(g << 32, K), by h & 7:
 *                0 7fc00000 | (g & ffff) at k1; 1 ffc00001 at k1; 2 7f800001 at k1; 3 +inf at k1; 4 -inf at k1;
 *                5 +inf at k1 and -inf at k2 (k1 first); 6 7f7fffff at k1 and k2; 7 zeros of sign z >> 63 everywhere
 *   layer        int(N(z), -21 + scale(rand(o,1), 17) - 8 + scale(rand(o << 24 ^ k >> 5, 2), 9) - 4)
 *   codes        h = rand(o << 24 ^ k >> 5, 2), i = k & 31, v = 1 + scale(h << 8, 12), X = scale(h << 8, 17) - 8; by
 *                scale(h, 8): 0 to 3: int(+-127, X) where i = 0, minus where z >> 63, else int(2 * scale(z,254) - 253, X - 1);
 *                4: the word z >> 63 << 31 | scale(z << 8, v) << 23 | z & 7fffff; 5: int(8317984 + scale(z, 4096), 0) where
 *                i = scale(h << 16, 32), else int(N(z), -11); 6: int(N(z), v - 40); 7: int(N(z), -21) where
 *                i = scale(h << 16, 32) and h & 1, else a zero of sign z >> 63
 *   place        first: the row's length n = the last dimension's, r = o / n, c = o mod n: where c = r mod n: 7fc00000, +inf, -inf,
 *                -0 by (r / n) & 3; elsewhere, and in others, int(N(z) | 1, -21)
 *   bits         the word z & ffffffff
 *   hard         the word H[o mod the number of words] of harness/fill_hard.h, its sign flipped where z >> 63
 *   tiny         first: s = 0, x = (z >> 23 & 1) - 75; others by o & 3: 0, 2: s = z >> 63, x = 10 + (z >> 24 & 3);
 *                1: s = 1, x = (z >> 24 & 3) - 85; 3: s = z >> 63, x = (z >> 24 & 1) - 76; f = z & 7fffff
 *   edges        the word z >> 32 where z & 3 = 3; else number scale(z, 40) of f32_edge below
 *
 * Operands of f16 and bf16 hold these words rounded to nearest even; NaN is 7e00 or 7fc0. fill_integer.c has integers. */
#include "harness/fill.h"
#include "harness/fill_hard.h"
#include "harness/fill_integer.h"

#include <string.h>

#define GOLDEN       0x9e3779b97f4a7c15u
#define STRIDE       0xd1342543de82ef95u
#define WHOLE_TENSOR UINT64_MAX

/* What is constant over an operand. */
struct stream {
    uint64_t key;
    int64_t length; /* K */
    int64_t line;   /* the last dimension's length */
    int64_t k_step; /* distance of neighbours along the summed dimension, in element numbers */
    bool first;
    int64_t range;          /* integer */
    int exponent;           /* integer */
    int64_t factor, addend; /* permutation */
};

static inline uint64_t mix(uint64_t z)
{
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    z *= 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t stream_key(uint64_t seed, int operand)
{
    return mix(mix(seed + GOLDEN) + (uint64_t)operand + 1);
}

static inline uint64_t draw0(const struct stream *s, uint64_t element)
{
    return mix(s->key + element * GOLDEN);
}

static inline uint64_t draw_n(const struct stream *s, uint64_t element, uint64_t draw)
{
    return mix(draw0(s, element) + draw * STRIDE);
}

uint64_t fill_random(uint64_t seed, int operand, uint64_t element, uint32_t draw)
{
    struct stream s = {.key = stream_key(seed, operand)};
    return draw ? draw_n(&s, element, draw) : draw0(&s, element);
}

static inline int64_t scale(uint64_t x, int64_t n)
{
    return (int64_t)(((x >> 32) * (uint64_t)n) >> 32);
}

/* ---- words of binary32 ---- */

#define ONE      0x3f800000u
#define INFINITE 0x7f800000u

static inline uint32_t word(uint64_t sign, int64_t exponent, uint64_t fraction)
{
    return (uint32_t)(sign << 31) | (uint32_t)(127 + exponent) << 23 | (uint32_t)(fraction & 0x7fffff);
}

/* value * 2^exponent for |value| <= 2^24 and a normal result. */
static inline uint32_t word_of_integer(int64_t value, int exponent)
{
    if (value == 0) return 0;
    uint64_t sign = value < 0;
    uint32_t magnitude = (uint32_t)(sign ? -value : value);
    int top = 31 - __builtin_clz(magnitude);
    uint32_t fraction = top <= 23 ? magnitude << (23 - top) : magnitude >> (top - 23);
    return word(sign, top + exponent, fraction);
}

static inline int64_t normal_integer(uint64_t z)
{
    int64_t sum = (int64_t)((z & 0x1fffff) + (z >> 21 & 0x1fffff) + (z >> 42 & 0x1fffff));
    return 2 * sum - 3 * ((1 << 21) - 1) + (int64_t)(z >> 63);
}

/* ---- the fills: element number e, outer number o, position k ---- */

static inline uint32_t f32_ones(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)s, (void)e, (void)o, (void)k;
    return ONE;
}

static inline uint32_t f32_rows(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)e, (void)k;
    return s->first ? word_of_integer(1 + (o & 63), 0) : ONE;
}

static inline uint32_t f32_integer(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o, (void)k;
    return word_of_integer(scale(draw0(s, e), 2 * s->range + 1) - s->range, s->exponent);
}

static inline uint32_t f32_onehot(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    if (!s->first) return k == scale(draw_n(s, (uint64_t)o, 1), s->length) ? ONE : 0;
    uint64_t z = draw0(s, e);
    return word(z >> 63, scale(z, 15) - 7, z);
}

static inline uint32_t f32_permutation(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    if (s->first) return word_of_integer(1 + (int64_t)(e & 0xffffff), 0);
    return k == (o % s->length * s->factor + s->addend) % s->length ? ONE : 0;
}

static inline uint32_t f32_normal(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o, (void)k;
    return word_of_integer(normal_integer(draw0(s, e)), -21);
}

static inline uint32_t f32_uniform(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o, (void)k;
    return word_of_integer((int64_t)(draw0(s, e) >> 40), -24);
}

static inline uint32_t f32_wide(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o, (void)k;
    uint64_t z = draw0(s, e);
    return word(z >> 63, scale(z << 8, 89) - 44, z);
}

static inline uint32_t f32_cancel(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o;
    int64_t mirror = s->length - 1 - k, p = k < mirror ? k : mirror;
    uint64_t w = draw0(s, e - (uint64_t)((k - p) * s->k_step));
    uint64_t sign = w >> 63, fraction = w & 0x7fffff;
    int64_t exponent = (int64_t)(w >> 23 & 3) - 2 - (k == mirror ? 20 : 0);
    if (!s->first && k > p) {
        sign ^= 1;
        fraction ^= (w >> 40 & 7) | 1;
    }
    return word(sign, exponent, fraction);
}

static inline uint32_t f32_ties(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o, (void)k;
    uint64_t z = draw0(s, e);
    int64_t magnitude = (int64_t)(s->first ? 0x1000 + ((z & 0xfff) | 1) : 0x800 + ((z & 0x7ff) | 1));
    return word_of_integer(z >> 63 ? -magnitude : magnitude, (int)(z >> 20 & 3));
}

static inline uint32_t f32_subnormal(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o;
    uint64_t z = draw0(s, e);
    if ((k & 3) == 3) return s->first ? word(z >> 63, -127, z | 1) : word(z >> 63, scale(z << 8, 7) - 2, z);
    return word(z >> 63, s->first ? scale(z << 8, 11) - 70 : scale(z << 8, 15) - 76, z);
}

static inline uint32_t f32_special(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    uint64_t z = draw0(s, e), h = draw_n(s, (uint64_t)o >> 3, 1);
    bool special = (o & 7) == 1 + scale(h, 7);
    uint32_t zero = (uint32_t)(z >> 63 << 31);
    if (special) {
        uint64_t g = draw_n(s, (uint64_t)o >> 3, 2);
        bool at1 = k == scale(g, s->length), at2 = k == scale(g << 32, s->length);
        const uint32_t one[8] = {0x7fc00000u | (uint32_t)(g & 0xffff),
                                 0xffc00001u,
                                 0x7f800001u,
                                 INFINITE,
                                 INFINITE | 0x80000000u,
                                 INFINITE,
                                 0x7f7fffffu,
                                 zero};
        const uint32_t two[8] = {0, 0, 0, 0, 0, INFINITE | 0x80000000u, 0x7f7fffffu, 0};
        unsigned kind = h & 7;
        if (at1 || kind == 7) return one[kind];
        if (at2 && two[kind]) return two[kind];
    }
    return (draw_n(s, e, 4) & 7) == 0 ? zero : word_of_integer(normal_integer(z), -21);
}

static inline uint32_t f32_layer(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    uint64_t row = draw_n(s, (uint64_t)o, 1), block = draw_n(s, (uint64_t)o << 24 ^ (uint64_t)k >> 5, 2);
    int exponent = (int)(scale(row, 17) - 8 + scale(block, 9) - 4);
    return word_of_integer(normal_integer(draw0(s, e)), -21 + exponent);
}

static inline uint32_t f32_codes(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    const uint64_t z = draw0(s, e), h = draw_n(s, (uint64_t)o << 24 ^ (uint64_t)k >> 5, 2);
    const int64_t kind = scale(h, 8), limit = 1 + scale(h << 8, 12);
    const bool chosen = (k & 31) == scale(h << 16, 32);
    if (kind < 4) {
        const int exponent = (int)scale(h << 8, 17) - 8;
        if ((k & 31) == 0) return word_of_integer(z >> 63 ? -127 : 127, exponent);
        return word_of_integer(2 * scale(z, 254) - 253, exponent - 1);
    }
    if (kind == 4) return word(z >> 63, scale(z << 8, limit) - 127, z);
    if (kind == 5)
        return chosen ? word_of_integer(8317984 + scale(z, 4096), 0)
                      : word_of_integer(normal_integer(z), -11);
    if (kind == 6) return word_of_integer(normal_integer(z), (int)limit - 40);
    return chosen && (h & 1) ? word_of_integer(normal_integer(z), -21) : (uint32_t)(z >> 63 << 31);
}

static inline uint32_t f32_tiny(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)k;
    uint64_t z = draw0(s, e);
    if (s->first) return word(0, (int64_t)(z >> 23 & 1) - 75, z);
    if ((o & 1) == 0) return word(z >> 63, 10 + (int64_t)(z >> 24 & 3), z);
    if ((o & 3) == 1) return word(1, (int64_t)(z >> 24 & 3) - 85, z);
    return word(z >> 63, (int64_t)(z >> 24 & 1) - 76, z);
}

static inline uint32_t f32_place(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)k;
    static const uint32_t kinds[4] = {0x7fc00000, INFINITE, INFINITE | 0x80000000u, 0x80000000u};
    const int64_t row = o / s->line;
    if (s->first && o % s->line == row % s->line) return kinds[row / s->line & 3];
    return word_of_integer(normal_integer(draw0(s, e)) | 1, -21);
}

static inline uint32_t f32_bits(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o, (void)k;
    return (uint32_t)draw0(s, e);
}

static inline uint32_t f32_hard(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)k;
    const int64_t count = sizeof fill_hard / sizeof *fill_hard;
    return fill_hard[o % count] ^ (uint32_t)(draw0(s, e) >> 63 << 31);
}

static const uint32_t f32_edge[40] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001,
    0x7f800001, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000, 0x00800001,
    0x7f7fffff, 0xff7fffff, 0x7f7ffffe, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x3effffff, 0xbf000000,
    0x40000000, 0x40400000, 0xc0400000, 0x4b000001, 0x4b800000, 0x4b800001, 0x4f000000, 0xcf000000,
    0x4effffff, 0x5f000000, 0xdf000000, 0x477fe000, 0x477ff000, 0x33800000, 0x437f8000, 0x7e800000};

static inline uint32_t f32_edges(const struct stream *s, uint64_t e, int64_t o, int64_t k)
{
    (void)o, (void)k;
    const uint64_t z = draw0(s, e);
    return (z & 3) == 3 ? (uint32_t)(z >> 32) : f32_edge[scale(z, 40)];
}

/* ---- the table ---- */

#define FILLS(FILL)                                                                                          \
    FILL(ones, "every element is 1", true, false, false)                                                     \
    FILL(rows, "rows of A hold 1, 2, ... 64, B holds 1", true, false, false)                                 \
    FILL(integer, "small integers times a power of two: sums are exact in any order", true, false, false)    \
    FILL(onehot, "B picks one element of A a column: finds wrong indices", true, false, false)               \
    FILL(permutation, "B permutes A's numbered elements: finds wrong indices", true, false, false)           \
    FILL(normal, "a sum of three uniforms with standard deviation 1", false, false, false)                   \
    FILL(uniform, "0 <= value < 1: sums grow, low bits are lost", false, false, false)                       \
    FILL(wide, "exponents from -44 to 44", false, true, false)                                               \
    FILL(cancel, "term k and term K - 1 - k cancel but for a few ulp", false, true, false)                   \
    FILL(ties, "products and sums that lie halfway between two floats", false, false, false)                 \
    FILL(subnormal, "subnormal inputs, products and sums", false, false, false)                              \
    FILL(special, "NaN, infinities, signed zeros and overflow in some rows and columns", false, false, true) \
    FILL(layer, "normal, with a scale for each row and each block of 32, as in trained layers", false,       \
         false, false)                                                                                       \
    FILL(codes, "blocks of 32 at the edges of 8-bit codes: ties, scales that f16 or 1 / scale cannot hold",  \
         false, false, false)                                                                                \
    FILL(place, "row r has NaN, an infinity or -0 at place r, and so on round: finds tails of vectors",      \
         false, false, true)                                                                                 \
    FILL(bits, "every bit pattern is as likely as any other", false, false, true)                            \
    FILL(hard, "inputs whose elementary functions lie next to a middle between two floats", false, false,    \
         false)                                                                                              \
    FILL(edges, "zeros, ones, subnormals, the largest, infinities, NaN, limits of integers", false, false,   \
         true)                                                                                               \
    FILL(tiny, "products that underflow to -0 in every other column", false, false, false)

/* The parent's row-major numbers, and everything else that is constant over an operand. */
static struct stream stream_open(uint64_t seed, int operand, const struct op_operand *layout,
                                 const int64_t *parent_shape)
{
    struct stream s = {.key = stream_key(seed, operand), .length = 1, .k_step = 1, .first = operand == 0};
    if (layout->reduced >= 0) {
        s.length = parent_shape[layout->reduced];
        for (uint32_t d = (uint32_t)layout->reduced + 1; d < layout->tensor.rank; d++)
            s.k_step *= parent_shape[d];
    }
    if (s.length < 1) s.length = 1;
    s.line = layout->tensor.rank ? parent_shape[layout->tensor.rank - 1] : 1;
    if (s.line < 1) s.line = 1;
    for (s.range = 1023; s.range > 1 && s.range * s.range > 0xffffff / s.length;) s.range--;
    s.exponent = (int)scale(draw_n(&s, WHOLE_TENSOR, 3), 17) - 8;
    s.addend = (int64_t)(draw_n(&s, WHOLE_TENSOR, 2) % (uint64_t)s.length);
    s.factor = 1 + (int64_t)(draw_n(&s, WHOLE_TENSOR, 1) % (uint64_t)s.length);
    for (;; s.factor = s.factor == s.length ? 1 : s.factor + 1) {
        int64_t a = s.factor, b = s.length;
        while (b) {
            int64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) break;
    }
    return s;
}

static void place(const struct op_operand *layout, const int64_t *index, const int64_t *parent_shape,
                  uint64_t *e, int64_t *o, int64_t *k)
{
    *e = 0;
    *o = *k = 0;
    for (uint32_t d = 0; d < layout->tensor.rank; d++) {
        *e = *e * (uint64_t)parent_shape[d] + (uint64_t)index[d];
        if ((int)d == layout->reduced)
            *k = index[d];
        else
            *o = *o * parent_shape[d] + index[d];
    }
}

/* Elements of one line along the last dimension: k advances (k_move 1) or o does. */
typedef void (*line_fn)(const struct stream *s, uint64_t e, int64_t o, int64_t k, int64_t k_move,
                        int64_t count, uint32_t *out, int64_t out_stride);

#define DEFINE(NAME, WHAT, EXACT, WIDE, NONFINITE)                                                           \
    static uint64_t bits_##NAME(uint64_t seed, int operand, const struct op_operand *layout,                 \
                                const int64_t *index, const int64_t *parent_shape)                           \
    {                                                                                                        \
        struct stream s = stream_open(seed, operand, layout, parent_shape);                                  \
        uint64_t e;                                                                                          \
        int64_t o, k;                                                                                        \
        place(layout, index, parent_shape, &e, &o, &k);                                                      \
        return f32_##NAME(&s, e, o, k);                                                                      \
    }                                                                                                        \
    static void line_##NAME(const struct stream *s, uint64_t e, int64_t o, int64_t k, int64_t k_move,        \
                            int64_t count, uint32_t *out, int64_t out_stride)                                \
    {                                                                                                        \
        if (k_move)                                                                                          \
            for (int64_t j = 0; j < count; j++)                                                              \
                out[j * out_stride] = f32_##NAME(s, e + (uint64_t)j, o, k + j);                              \
        else                                                                                                 \
            for (int64_t j = 0; j < count; j++)                                                              \
                out[j * out_stride] = f32_##NAME(s, e + (uint64_t)j, o + j, k);                              \
    }
FILLS(DEFINE)

#define ROW(NAME, WHAT, EXACT, WIDE, NONFINITE) {#NAME, WHAT, EXACT, WIDE, NONFINITE, bits_##NAME},
const struct fill fill_table[] = {FILLS(ROW)};
const size_t fill_count = sizeof fill_table / sizeof *fill_table;

#define LINE(NAME, WHAT, EXACT, WIDE, NONFINITE) line_##NAME,
static const line_fn line_table[] = {FILLS(LINE)};

const struct fill *fill_find(const char *name)
{
    for (size_t i = 0; i < fill_count; i++)
        if (strcmp(fill_table[i].name, name) == 0) return &fill_table[i];
    return NULL;
}

/* ---- whole tensors ---- */

struct job {
    struct stream stream;
    line_fn line;
    const struct op_operand *layout;
    const struct assay_tensor *tensor;
    int64_t parent_shape[ASSAY_RANK_MAX], at[ASSAY_RANK_MAX];
    const char *name;
};

/* Words to f16 or bf16, to nearest even. */
static uint16_t narrowed(enum assay_dtype dtype, uint32_t w)
{
    const uint16_t sign = (uint16_t)(w >> 16 & 0x8000);
    const uint32_t m = w & 0x7fffffff;
    if (m > INFINITE) return dtype == ASSAY_F16 ? 0x7e00 : 0x7fc0;
    int drop = dtype == ASSAY_F16 ? 13 : 16;
    uint32_t base = m;
    if (dtype == ASSAY_F16) {
        const int exponent = (int)(m >> 23);
        if (m >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
        if (exponent < 102) return sign;
        base = exponent < 113 ? (m & 0x7fffff) | 0x800000 : m - 0x38000000;
        if (exponent < 113) drop = 126 - exponent;
    }
    const uint32_t kept = base >> drop, rest = base & ((UINT32_C(1) << drop) - 1),
                   half = UINT32_C(1) << (drop - 1);
    return (uint16_t)(sign | (kept + (rest > half || (rest == half && (kept & 1)))));
}

/* A line of a 16-bit operand, in pieces. */
static void fill_narrow(const struct job *job, uint64_t e, int64_t o, int64_t k, bool along, int64_t count,
                        int64_t offset, int64_t stride)
{
    uint32_t words[256];
    uint16_t *out = (uint16_t *)job->tensor->data + offset;
    for (int64_t from = 0, n; from < count; from += n) {
        n = count - from < 256 ? count - from : 256;
        job->line(&job->stream, e + (uint64_t)from, along ? o : o + from, along ? k + from : k, along, n,
                  words, 1);
        for (int64_t j = 0; j < n; j++) out[(from + j) * stride] = narrowed(job->tensor->dtype, words[j]);
    }
}

static void fill_integers(const struct job *job, uint64_t e, int64_t count, int64_t offset, int64_t stride)
{
    const enum assay_dtype dtype = job->tensor->dtype;
    const size_t size = assay_dtype_bytes(dtype);
    uint8_t *out = (uint8_t *)job->tensor->data + (size_t)offset * size;
    for (int64_t j = 0; j < count; j++) {
        const uint64_t at = e + (uint64_t)j;
        const uint64_t bits =
            fill_integer(job->name, dtype, draw0(&job->stream, at), draw_n(&job->stream, at, 1));
        memcpy(out + (size_t)(j * stride) * size, &bits, size);
    }
}

/* Lines [i0, i1) of the tensor, a line being one run along the last dimension. */
static void fill_lines(void *context, int64_t i0, int64_t i1)
{
    const struct job *job = context;
    const struct assay_tensor *t = job->tensor;
    uint32_t last = t->rank ? t->rank - 1 : 0;
    int64_t count = t->rank ? t->shape[last] : 1;
    for (int64_t i = i0; i < i1; i++) {
        int64_t index[ASSAY_RANK_MAX] = {0}, offset = t->offset, rest = i;
        for (uint32_t d = last; d-- > 0;) {
            int64_t local = rest % t->shape[d];
            rest /= t->shape[d];
            offset += local * t->stride[d];
            index[d] = local + job->at[d];
        }
        if (t->rank) index[last] = job->at[last];
        uint64_t e;
        int64_t o, k;
        place(job->layout, index, job->parent_shape, &e, &o, &k);
        const bool along = job->layout->reduced == (int)last && t->rank;
        const int64_t stride = t->rank ? t->stride[last] : 1;
        if (t->dtype == ASSAY_F32)
            job->line(&job->stream, e, o, k, along, count, (uint32_t *)t->data + offset, stride);
        else if (t->dtype == ASSAY_F16 || t->dtype == ASSAY_BF16)
            fill_narrow(job, e, o, k, along, count, offset, stride);
        else
            fill_integers(job, e, count, offset, stride);
    }
}

enum assay_status fill_tensor(const struct case_spec *spec, const struct op_signature *sig, int operand,
                              struct assay_tensor *tensor, struct oracle_pool *pool,
                              struct assay_error *error)
{
    if (operand < 0 || (size_t)operand >= sig->input_count)
        return assay_error_set(error, ASSAY_INTERNAL, "fill: there is no input %d", operand);
    const struct op_operand *layout = &sig->input[operand];
    if (layout->block) return fill_block_tensor(spec, layout, operand, tensor, pool, error);
    const struct fill *fill = spec->fill ? fill_find(spec->fill) : NULL;
    if (!fill)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "there is no fill '%s'",
                               spec->fill ? spec->fill : "");
    if (tensor->dtype == ASSAY_F64 || !assay_dtype_bytes(tensor->dtype))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "fill %s makes no %s, which input %s is", fill->name,
                               assay_dtype_name(tensor->dtype), layout->name);
    enum assay_status status = assay_tensor_check(tensor, layout->name, error);
    if (status) return status;
    if (tensor->rank != layout->tensor.rank)
        return assay_error_set(error, ASSAY_INTERNAL, "fill: input %s has rank %u, its layout %u",
                               layout->name, (unsigned)tensor->rank, (unsigned)layout->tensor.rank);
    struct job job = {
        .line = line_table[fill - fill_table], .layout = layout, .tensor = tensor, .name = fill->name};
    for (uint32_t d = 0; d < tensor->rank; d++) {
        int axis = layout->axis_of[d];
        job.parent_shape[d] = axis < 0 ? layout->tensor.shape[d] : spec->op.of[axis];
        job.at[d] = axis < 0 ? 0 : spec->op.at[axis];
    }
    if (assay_tensor_elems(tensor) == 0) return ASSAY_OK;
    job.stream = stream_open(spec->seed, operand, layout, job.parent_shape);
    int64_t line = tensor->rank ? tensor->shape[tensor->rank - 1] : 1;
    int64_t grain = line >= 16384 ? 1 : 16384 / line;
    oracle_pool_for(pool, assay_tensor_elems(tensor) / line, grain, fill_lines, &job);
    return ASSAY_OK;
}
