/* The bits of exact mode for a matrix product: sums of products by positions in ascending order,
 *
 *     chain of 32 positions    c = +0, then c = fma(a, b, c)
 *     group of 4 chains        g = +0, then g = RN(g + c)
 *     total                    t = +0, then t = RN(t + g)
 *
 * with the last chain and group as short as they come, an empty sum +0, and every NaN stored as 7fc00000. The text is
 * that definition, for a panel of columns at a time so that a compiler makes vectors of it. It must know nothing of
 * the kernels that it judges. Every build of it gives the same bits: fmaf is the correctly rounded one (one
 * instruction, or libm's on processors without), and nothing else here may be fused (-ffp-contract=off). */
#include "oracles/matmul/matmul.h"

#include <math.h>
#include <string.h>

enum { CHAIN = 32, GROUP = 128, WIDE = 64, NARROW = 16, BAND = 64 };

/* Columns [col0, col0 + cols) of positions [k0, k0 + depth) of B, one position after the other, absent columns 0. */
static inline __attribute__((always_inline)) void gather(const float *b, const struct matmul_view *v,
                                                         int64_t k0, int64_t depth, int64_t col0,
                                                         int64_t cols, int width, float *panel)
{
    for (int64_t k = 0; k < depth; ++k) {
        const float *from = b + (k0 + k) * v->b_row + col0 * v->b_col;
        float *to = panel + k * width;
        if (v->b_col == 1) {
            memcpy(to, from, (size_t)cols * sizeof *to);
        } else {
            for (int64_t j = 0; j < cols; ++j) to[j] = from[j * v->b_col];
        }
        for (int64_t j = cols; j < width; ++j) to[j] = 0;
    }
}

/* t += the group of `depth` positions, for one row of A and `width` columns. */
static inline __attribute__((always_inline)) void add_group(const float *a, int64_t a_col, const float *panel,
                                                            int64_t depth, int width, float *t)
{
    float g[WIDE], c[WIDE];
    for (int j = 0; j < width; ++j) g[j] = 0;
    for (int64_t k0 = 0; k0 < depth; k0 += CHAIN) {
        const int64_t k1 = k0 + CHAIN < depth ? k0 + CHAIN : depth;
        for (int j = 0; j < width; ++j) c[j] = 0;
        for (int64_t k = k0; k < k1; ++k) {
            const float x = a[k * a_col];
            const float *y = panel + k * width;
            for (int j = 0; j < width; ++j) c[j] = fmaf(x, y[j], c[j]);
        }
        for (int j = 0; j < width; ++j) g[j] = g[j] + c[j];
    }
    for (int j = 0; j < width; ++j) t[j] = t[j] + g[j];
}

/* Rows [row0, row1) of one item, columns [col0, col0 + cols). y is the output's element (row0, 0). */
static inline __attribute__((always_inline)) void band(const float *a, const float *b,
                                                       const struct matmul_view *v, int64_t row0,
                                                       int64_t row1, int64_t col0, int64_t cols, int width,
                                                       float *y, int64_t y_row, int64_t y_col)
{
    float t[BAND * WIDE] __attribute__((aligned(64))), panel[GROUP * WIDE] __attribute__((aligned(64)));
    for (int64_t i = 0; i < (row1 - row0) * width; ++i) t[i] = 0;
    for (int64_t k0 = 0; k0 < v->k; k0 += GROUP) {
        const int64_t depth = k0 + GROUP < v->k ? GROUP : v->k - k0;
        gather(b, v, k0, depth, col0, cols, width, panel);
        for (int64_t i = row0; i < row1; ++i)
            add_group(a + i * v->a_row + k0 * v->a_col, v->a_col, panel, depth, width,
                      t + (i - row0) * width);
    }
    for (int64_t i = 0; i < row1 - row0; ++i)
        for (int64_t j = 0; j < cols; ++j) {
            const float value = t[i * width + j];
            const uint32_t nan = 0x7fc00000u;
            float *to = y + i * y_row + (col0 + j) * y_col;
            if (value != value)
                memcpy(to, &nan, sizeof nan);
            else
                *to = value;
        }
}

static inline __attribute__((always_inline)) void rows_of_item(const float *a, const float *b,
                                                               const struct matmul_view *v, int64_t row0,
                                                               int64_t row1, float *y, int64_t y_row,
                                                               int64_t y_col)
{
    for (int64_t i = row0; i < row1; i += BAND) {
        const int64_t end = i + BAND < row1 ? i + BAND : row1;
        float *to = y + (i - row0) * y_row;
        int64_t col = 0;
        for (; v->n - col > NARROW; col += WIDE)
            band(a, b, v, i, end, col, v->n - col < WIDE ? v->n - col : WIDE, WIDE, to, y_row, y_col);
        if (col < v->n) band(a, b, v, i, end, col, v->n - col, NARROW, to, y_row, y_col);
    }
}

#define ROWS_ARGS                                                                                            \
    const float *a, const float *b, const struct matmul_view *v, int64_t row0, int64_t row1, float *y,       \
        int64_t y_row, int64_t y_col

typedef void rows_fn(ROWS_ARGS);

static void rows_plain(ROWS_ARGS)
{
    rows_of_item(a, b, v, row0, row1, y, y_row, y_col);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void rows_avx2(ROWS_ARGS)
{
    rows_of_item(a, b, v, row0, row1, y, y_row, y_col);
}

__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))) static void rows_avx512(ROWS_ARGS)
{
    rows_of_item(a, b, v, row0, row1, y, y_row, y_col);
}
#endif

static rows_fn *rows_by(enum matmul_path path)
{
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (path == MATMUL_PATH_AUTO)
        path = avx512 ? MATMUL_PATH_AVX512 : avx2 ? MATMUL_PATH_AVX2 : MATMUL_PATH_PLAIN;
    if (path == MATMUL_PATH_AVX512) return avx512 ? rows_avx512 : NULL;
    if (path == MATMUL_PATH_AVX2) return avx2 ? rows_avx2 : NULL;
#else
    if (path != MATMUL_PATH_AUTO && path != MATMUL_PATH_PLAIN) return NULL;
#endif
    return rows_plain;
}

/* Element offset of row `row` of item `item` of the output, whose leading dimensions may be strided. */
static int64_t output_item(const struct assay_tensor *out, uint32_t lead, int64_t item)
{
    int64_t at = out->offset;
    for (uint32_t d = lead; d-- > 0;) {
        at += item % out->shape[d] * out->stride[d];
        item /= out->shape[d];
    }
    return at;
}

bool matmul_contract_by(enum matmul_path path, const struct assay_tensor *in, struct assay_tensor *out,
                        int64_t row0, int64_t row1)
{
    struct matmul_view view;
    char why[160];
    rows_fn *rows = rows_by(path);
    if (!rows || !matmul_view_read(&in[0], &in[1], &view, why)) return false;
    const bool has_m = in[0].rank > 1, has_n = in[1].rank > 1;
    const uint32_t at = view.batch_rank;
    const int64_t y_row = has_m ? out->stride[at] : 0, y_col = has_n ? out->stride[at + has_m] : 0;
    for (int64_t row = row0; row < row1;) {
        const int64_t item = row / view.m, first = row % view.m;
        const int64_t end = first + (row1 - row) < view.m ? first + (row1 - row) : view.m;
        int64_t a, b;
        matmul_view_item(&view, item, &a, &b);
        float *y = (float *)out->data + output_item(out, view.batch_rank, item) + first * y_row;
        rows((const float *)in[0].data + a, (const float *)in[1].data + b, &view, first, end, y, y_row,
             y_col);
        row += end - first;
    }
    return true;
}

void matmul_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1)
{
    (void)c;
    matmul_contract_by(MATMUL_PATH_AUTO, in, out, row0, row1);
}
