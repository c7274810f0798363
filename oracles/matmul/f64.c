/* Float64 value of a matrix product with a bound on its own error, for accuracy and for fast mode's proof.
 *
 * Three ways. dgemm, for many rows of finite numbers: a product of two f32 is exact in float64, so only the k - 1
 * additions round, whatever their order (Higham, Accuracy and Stability, Theorem 3.1). A loop of our own, for few rows,
 * for infinities and NaN (which a BLAS may treat as it likes) and for machines whose dgemm is wrong or slow. And an exact
 * accumulator where float64 itself would be the noise: cancellation and wide exponents. The bits depend on the range of
 * rows asked for, never on threads. Knows nothing of kernels, nor of contract.c. */
#include "oracles/float64.h"
#include "oracles/matmul/matmul.h"

#include <math.h>
#include <stdlib.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <string.h>

enum { BAND = 64, COLS = 256, DEPTH = 512, GEMM_ROWS = 8, LOOP_BAND = 66, TILE_MOST = 6 * 16 };

/* Rows [row0, row1) of one item and where its results go. */
struct part {
    const struct matmul_view *view;
    const float *a, *b;
    int64_t row0, row1;
    double *value, *magnitude; /* element (row0, 0), dense */
    double *bound;
};

struct scratch {
    double a[2 * LOOP_BAND * DEPTH], b[DEPTH * COLS]; /* the loop: pairs; dgemm: A and its magnitudes */
    double abs_b[DEPTH * COLS];
};

/* A block of float elements as dense doubles and as their magnitudes. False if one is not finite. */
static bool widen(const float *from, int64_t row_stride, int64_t col_stride, int64_t rows, int64_t cols,
                  double *to, double *magnitude)
{
    bool finite = true;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < cols; ++j) {
            const double x = from[i * row_stride + j * col_stride];
            to[i * cols + j] = x;
            magnitude[i * cols + j] = fabs(x);
            finite &= fabs(x) <= 0x1.fffffep127;
        }
    return finite;
}

/* False if an operand is not finite; what was written is then void. */
static bool by_gemm(const struct part *p, float64_gemm_fn *gemm, struct scratch *s)
{
    const struct matmul_view *v = p->view;
    const int64_t count = p->row1 - p->row0;
    for (int64_t col = 0; col < v->n; col += COLS) {
        const int64_t cols = v->n - col < COLS ? v->n - col : COLS;
        for (int64_t k = 0; k < v->k; k += DEPTH) {
            const int64_t depth = v->k - k < DEPTH ? v->k - k : DEPTH;
            const float *b = p->b + k * v->b_row + col * v->b_col;
            double *const abs_a = s->a + BAND * DEPTH;
            if (!widen(b, v->b_row, v->b_col, depth, cols, s->b, s->abs_b)) return false;
            for (int64_t i = 0; i < count; i += BAND) {
                const int64_t rows = count - i < BAND ? count - i : BAND;
                const float *a = p->a + (p->row0 + i) * v->a_row + k * v->a_col;
                if (!widen(a, v->a_row, v->a_col, rows, depth, s->a, abs_a)) return false;
                const int64_t at = i * v->n + col;
                gemm(rows, cols, depth, s->a, depth, s->b, cols, k > 0, p->value + at, v->n);
                if (p->magnitude)
                    gemm(rows, cols, depth, abs_a, depth, s->abs_b, cols, k > 0, p->magnitude + at, v->n);
            }
        }
    }
    return true;
}

/* ---- the loop ----
 * In ascending k, one addition a term, so that its bits depend on nothing but the operands. A product of two f32 is exact
 * in float64: fused or not, multiplying and adding gives the same sum, and every build of the loop the same bits. It
 * works on tiles of both packed operands, of `rows` x `cols` sums and as many sums of magnitudes. */

/* Sums of a tile, which begin at what they are, over `depth` positions. a: rows pairs of (x, |x|) a position; b: cols
 * elements a position. value and magnitude: rows x cols, rows `step` apart. */
static inline void tile_plain(const double *a, const double *b, int64_t depth, double *value,
                              double *magnitude, int64_t step)
{
    (void)step;
    for (int64_t q = 0; q < depth; ++q, a += 2, b += 16)
        for (int j = 0; j < 16; ++j) {
            const double product = a[0] * b[j];
            value[j] += product;
            magnitude[j] += fabs(product);
        }
}

/* Positions [k, k + depth) of `count` rows of A from row `i` on, absent ones 0, as tiles of `rows`. */
static inline __attribute__((always_inline)) void pack_a(const struct part *p, int64_t i, int64_t count,
                                                         int64_t k, int64_t depth, int rows, double *to)
{
    const struct matmul_view *v = p->view;
    for (int64_t i0 = 0; i0 < count; i0 += rows, to += 2 * rows * depth)
        for (int r = 0; r < rows; ++r) {
            const bool there = i0 + r < count;
            const float *from = p->a + (i + (there ? i0 + r : 0)) * v->a_row + k * v->a_col;
            for (int64_t q = 0; q < depth; ++q) {
                const double x = there ? from[q * v->a_col] : 0;
                to[2 * (q * rows + r)] = x;
                to[2 * (q * rows + r) + 1] = fabs(x);
            }
        }
}

static inline __attribute__((always_inline)) void pack_b(const struct part *p, int64_t k, int64_t depth,
                                                         int64_t col, int64_t count, int cols, double *to)
{
    const struct matmul_view *v = p->view;
    for (int64_t q = 0; q < depth; ++q, to += cols) {
        const float *from = p->b + (k + q) * v->b_row + col * v->b_col;
        if (count == cols && v->b_col == 1) {
            for (int j = 0; j < cols; ++j) to[j] = from[j];
        } else {
            for (int j = 0; j < cols; ++j) to[j] = j < count ? from[j * v->b_col] : 0;
        }
    }
}

static inline __attribute__((always_inline)) void
loop_text(const struct part *p, struct scratch *s, int rows, int cols,
          void (*tile)(const double *, const double *, int64_t, double *, double *, int64_t))
{
    const struct matmul_view *v = p->view;
    double value[TILE_MOST], magnitude[TILE_MOST];
    for (int64_t i = p->row0; i < p->row1; i += LOOP_BAND) {
        const int64_t count = p->row1 - i < LOOP_BAND ? p->row1 - i : LOOP_BAND;
        for (int64_t k = 0; k < v->k; k += DEPTH) {
            const int64_t depth = v->k - k < DEPTH ? v->k - k : DEPTH;
            pack_a(p, i, count, k, depth, rows, s->a);
            for (int64_t col = 0; col < v->n; col += cols) {
                const int64_t wide = v->n - col < cols ? v->n - col : cols;
                pack_b(p, k, depth, col, wide, cols, s->b);
                for (int64_t i0 = 0; i0 < count; i0 += rows) {
                    const int64_t high = count - i0 < rows ? count - i0 : rows;
                    const int64_t at = (i - p->row0 + i0) * v->n + col;
                    double *y = p->value + at, *size = p->magnitude ? p->magnitude + at : NULL;
                    if (high == rows && wide == cols && size) {
                        tile(s->a + 2 * i0 * depth, s->b, depth, y, size, v->n);
                        continue;
                    }
                    memset(value, 0, sizeof value);
                    memset(magnitude, 0, sizeof magnitude);
                    for (int64_t r = 0; r < high; ++r)
                        for (int64_t j = 0; j < wide; ++j) {
                            value[r * cols + j] = y[r * v->n + j];
                            if (size) magnitude[r * cols + j] = size[r * v->n + j];
                        }
                    tile(s->a + 2 * i0 * depth, s->b, depth, value, magnitude, cols);
                    for (int64_t r = 0; r < high; ++r)
                        for (int64_t j = 0; j < wide; ++j) {
                            y[r * v->n + j] = value[r * cols + j];
                            if (size) size[r * v->n + j] = magnitude[r * cols + j];
                        }
                }
            }
        }
    }
}

typedef void loop_fn(const struct part *p, struct scratch *s);

static void loop_plain(const struct part *p, struct scratch *s)
{
    loop_text(p, s, 1, 16, tile_plain);
}

#if defined(__x86_64__)
#define LOOP(NAME, TARGET, ROWS, COLS, LANES, VECTOR, LOAD, STORE, SPREAD, ABS, FMA)                         \
    __attribute__((target(TARGET))) static inline void tile_##NAME(                                          \
        const double *a, const double *b, int64_t depth, double *value, double *magnitude, int64_t step)     \
    {                                                                                                        \
        enum { PARTS = COLS / LANES };                                                                       \
        VECTOR sum[ROWS][PARTS], size[ROWS][PARTS];                                                          \
        _Pragma("GCC unroll 8") for (int i = 0; i < ROWS; ++i)                                               \
        {                                                                                                    \
            _Pragma("GCC unroll 8") for (int j = 0; j < PARTS; ++j)                                          \
            {                                                                                                \
                sum[i][j] = LOAD(value + i * step + j * LANES);                                              \
                size[i][j] = LOAD(magnitude + i * step + j * LANES);                                         \
            }                                                                                                \
        }                                                                                                    \
        for (int64_t q = 0; q < depth; ++q, a += 2 * ROWS, b += COLS) {                                      \
            VECTOR y[PARTS], y_size[PARTS];                                                                  \
            _Pragma("GCC unroll 8") for (int j = 0; j < PARTS; ++j)                                          \
            {                                                                                                \
                y[j] = LOAD(b + j * LANES);                                                                  \
                y_size[j] = ABS(y[j]);                                                                       \
            }                                                                                                \
            _Pragma("GCC unroll 8") for (int i = 0; i < ROWS; ++i)                                           \
            {                                                                                                \
                const VECTOR x = SPREAD(a[2 * i]), x_size = SPREAD(a[2 * i + 1]);                            \
                _Pragma("GCC unroll 8") for (int j = 0; j < PARTS; ++j)                                      \
                {                                                                                            \
                    sum[i][j] = FMA(x, y[j], sum[i][j]);                                                     \
                    size[i][j] = FMA(x_size, y_size[j], size[i][j]);                                         \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        _Pragma("GCC unroll 8") for (int i = 0; i < ROWS; ++i)                                               \
        {                                                                                                    \
            _Pragma("GCC unroll 8") for (int j = 0; j < PARTS; ++j)                                          \
            {                                                                                                \
                STORE(value + i * step + j * LANES, sum[i][j]);                                              \
                STORE(magnitude + i * step + j * LANES, size[i][j]);                                         \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
    __attribute__((target(TARGET))) static void loop_##NAME(const struct part *p, struct scratch *s)         \
    {                                                                                                        \
        loop_text(p, s, ROWS, COLS, tile_##NAME);                                                            \
    }

#define ABS_AVX2(x) _mm256_andnot_pd(_mm256_set1_pd(-0.0), x)
LOOP(avx2, "avx2,fma", 2, 8, 4, __m256d, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_set1_pd, ABS_AVX2,
     _mm256_fmadd_pd)
LOOP(avx512, "avx512f,avx512vl,avx512dq,avx2,fma", 6, 16, 8, __m512d, _mm512_loadu_pd, _mm512_storeu_pd,
     _mm512_set1_pd, _mm512_abs_pd, _mm512_fmadd_pd)
#endif

static loop_fn *loop_by(enum matmul_path path)
{
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
               avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq");
    if (avx512 && (path == MATMUL_PATH_AUTO || path == MATMUL_PATH_AVX512)) return loop_avx512;
    if (avx2 && (path == MATMUL_PATH_AUTO || path == MATMUL_PATH_AVX2)) return loop_avx2;
#endif
    return path == MATMUL_PATH_AUTO || path == MATMUL_PATH_PLAIN ? loop_plain : NULL;
}

/* ---- the exact accumulator ----
 * A fixed-point number with a place for every bit that a product of two f32 can have, 2^-298 to 2^256, and room for
 * carries above: digits of 32 bits, each in 64, so that 2^30 products can be added before carries must be passed on. */
enum { DIGITS = 20, POINT = 298 };

enum { TILE = 16, CHUNK = 256 };

/* A number as an integer times 2^(place - 149). */
struct term {
    int32_t significand, place;
};

/* False if it is not finite. */
static bool unpack(float x, struct term *term)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int32_t field = (int32_t)(bits >> 23 & 0xff), fraction = (int32_t)(bits & 0x7fffff);
    const int32_t size = field ? fraction | 0x800000 : fraction;
    term->significand = bits >> 31 ? -size : size;
    term->place = field ? field - 1 : 0;
    return field != 255;
}

static inline void add_product(int64_t digit[DIGITS], struct term x, struct term y)
{
    const int64_t product = (int64_t)x.significand * y.significand, sign = product >> 63;
    const uint64_t size = (uint64_t)((product ^ sign) - sign);
    const int place = x.place + y.place, shift = place & 31;
    const uint64_t low = (size & 0xffffffff) << shift, high = (size >> 32) << shift;
    digit += place >> 5;
    digit[0] += ((int64_t)(low & 0xffffffff) ^ sign) - sign;
    digit[1] += ((int64_t)((low >> 32) + (high & 0xffffffff)) ^ sign) - sign;
    digit[2] += ((int64_t)(high >> 32) ^ sign) - sign;
}

/* The sum rounded once, to nearest even. *lossless: no bit was lost. Destroys the digits. */
static double round_digits(int64_t digit[DIGITS], bool *lossless)
{
    int64_t carry = 0;
    for (int i = 0; i < DIGITS; ++i) {
        const int64_t with = digit[i] + carry;
        digit[i] = with & 0xffffffff;
        carry = (with - digit[i]) / (INT64_C(1) << 32);
    }
    const bool negative = carry < 0;
    if (negative) {
        int64_t borrow = 0;
        for (int i = 0; i < DIGITS; ++i) {
            const int64_t with = -digit[i] - borrow;
            digit[i] = with & 0xffffffff;
            borrow = with < 0;
        }
    }
    *lossless = true;
    int top = DIGITS - 1;
    while (top >= 0 && !digit[top]) --top;
    if (top < 0) return 0;

    /* The highest 53 bits, counted from the leading one; then the bit below and whether anything is under that. */
    const int leading = 32 * top + 31 - __builtin_clz((unsigned)digit[top]);
    uint64_t kept = 0;
    for (int bit = leading; bit > leading - 53; --bit)
        kept = kept << 1 | (bit >= 0 ? (uint64_t)digit[bit >> 5] >> (bit & 31) & 1 : 0);
    const int half = leading - 53;
    if (half >= 0) {
        bool below = false;
        for (int i = 0; i < half >> 5; ++i) below |= digit[i] != 0;
        below |= (digit[half >> 5] & ((INT64_C(1) << (half & 31)) - 1)) != 0;
        const bool at = digit[half >> 5] >> (half & 31) & 1;
        *lossless = !at && !below;
        if (at && (below || (kept & 1))) ++kept;
    }
    const double size = ldexp((double)kept, leading - 52 - POINT);
    return negative ? -size : size;
}

/* A row of A or a column of B, `count` positions of it. */
struct line {
    float x[CHUNK];
    struct term term[CHUNK];
    bool finite;
};

static void read_line(const float *from, int64_t step, int64_t count, struct line *line)
{
    line->finite = true;
    for (int64_t q = 0; q < count; ++q) {
        line->x[q] = from[q * step];
        line->finite &= unpack(line->x[q], &line->term[q]);
    }
}

struct sum {
    int64_t digit[DIGITS];
    double size, plain; /* plain: what infinities and NaN make of it; finite terms change nothing there */
    bool finite;
};

static void add_line(struct sum *sum, const struct line *a, const struct line *b, int64_t count)
{
    for (int64_t q = 0; q < count; ++q) sum->size += fabs((double)a->x[q] * b->x[q]);
    if (a->finite && b->finite) {
        for (int64_t q = 0; q < count; ++q) add_product(sum->digit, a->term[q], b->term[q]);
        return;
    }
    sum->finite = false;
    for (int64_t q = 0; q < count; ++q) sum->plain += (double)a->x[q] * b->x[q];
}

struct tile {
    struct sum sum[TILE][TILE];
    struct line a[TILE], b[TILE];
};

static void by_digits(const struct part *p, struct tile *t)
{
    const struct matmul_view *v = p->view;
    for (int64_t i0 = p->row0; i0 < p->row1; i0 += TILE)
        for (int64_t j0 = 0; j0 < v->n; j0 += TILE) {
            const int64_t rows = p->row1 - i0 < TILE ? p->row1 - i0 : TILE,
                          cols = v->n - j0 < TILE ? v->n - j0 : TILE;
            for (int64_t i = 0; i < rows; ++i)
                for (int64_t j = 0; j < cols; ++j) t->sum[i][j] = (struct sum){.finite = true};
            for (int64_t k = 0; k < v->k; k += CHUNK) {
                const int64_t count = v->k - k < CHUNK ? v->k - k : CHUNK;
                for (int64_t i = 0; i < rows; ++i)
                    read_line(p->a + (i0 + i) * v->a_row + k * v->a_col, v->a_col, count, &t->a[i]);
                for (int64_t j = 0; j < cols; ++j)
                    read_line(p->b + k * v->b_row + (j0 + j) * v->b_col, v->b_row, count, &t->b[j]);
                for (int64_t i = 0; i < rows; ++i)
                    for (int64_t j = 0; j < cols; ++j) add_line(&t->sum[i][j], &t->a[i], &t->b[j], count);
            }
            for (int64_t i = 0; i < rows; ++i)
                for (int64_t j = 0; j < cols; ++j) {
                    struct sum *sum = &t->sum[i][j];
                    const int64_t at = (i0 - p->row0 + i) * v->n + j0 + j;
                    bool lossless = true;
                    p->value[at] = sum->finite ? round_digits(sum->digit, &lossless) : sum->plain;
                    if (p->magnitude) p->magnitude[at] = sum->size;
                    if (p->bound) p->bound[at] = lossless ? 0 : fabs(p->value[at]) * 0x1p-53;
                }
        }
}

enum assay_status matmul_f64_by(enum matmul_path path, float64_gemm_fn *gemm, const struct assay_tensor *in,
                                bool exact, double *value, double *bound, double *magnitude, int64_t row0,
                                int64_t row1, struct assay_error *error)
{
    struct matmul_view view;
    char why[160];
    loop_fn *const loop = loop_by(path);
    if (!loop) return assay_error_set(error, ASSAY_UNSUPPORTED, "float64 product: not on this processor");
    if (!matmul_view_read(&in[0], &in[1], &view, why))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "float64 product: %s", why);
    if (row1 <= row0 || view.n == 0) return ASSAY_OK;

    const int64_t elems = (row1 - row0) * view.n;
    /* Without the accumulator, the bound is a multiple of the magnitude, so it can be made in place. */
    double *size = magnitude || exact ? magnitude : bound;
    const size_t scratch_bytes = exact ? sizeof(struct tile) : sizeof(struct scratch);
    void *scratch = malloc(scratch_bytes);
    if (!scratch)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "float64 product: no memory for %zu bytes",
                               scratch_bytes);
    for (int64_t row = row0; row < row1;) {
        const int64_t item = row / view.m, first = row % view.m;
        const int64_t end = first + (row1 - row) < view.m ? first + (row1 - row) : view.m;
        const int64_t at = (row - row0) * view.n, count = (end - first) * view.n;
        int64_t a, b;
        matmul_view_item(&view, item, &a, &b);
        const struct part part = {
            &view,      (const float *)in[0].data + a, (const float *)in[1].data + b, first, end,
            value + at, size ? size + at : NULL,       bound ? bound + at : NULL};
        row += end - first;
        if (exact) {
            by_digits(&part, scratch);
            continue;
        }
        if (!gemm || end - first < GEMM_ROWS || view.k == 0 || !by_gemm(&part, gemm, scratch)) {
            memset(part.value, 0, (size_t)count * sizeof *value);
            if (size) memset(part.magnitude, 0, (size_t)count * sizeof *value);
            loop(&part, scratch);
        }
    }
    /* gamma_k, with room for the roundings of the magnitude and of the bound itself. The exact way has its own. */
    const double k = (double)view.k, gamma = k * 0x1p-53 / (1 - k * 0x1p-53);
    for (int64_t i = 0; i < elems; ++i) {
        if (size) size[i] *= 1 + 2 * gamma;
        if (bound && !exact) bound[i] = isfinite(value[i]) ? gamma * (1 + 4 * gamma) * size[i] : 0;
    }
    free(scratch);
    return ASSAY_OK;
}

enum assay_status matmul_f64(const struct op_case *c, const struct assay_tensor *in, bool exact,
                             double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                             struct assay_error *error)
{
    (void)c;
    return matmul_f64_by(MATMUL_PATH_AUTO, float64_gemm(), in, exact, value, bound, magnitude, row0, row1,
                         error);
}
