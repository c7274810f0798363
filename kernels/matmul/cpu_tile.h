/* The register-tiled matrix product of one instruction set: cpu_avx2.c and cpu_avx512.c define the vector operations
 * and include this text, so every function here is compiled for that instruction set alone.
 *
 * Needs: VEC, VEC_LANES, VEC_ZERO, VEC_LOAD(p), VEC_STORE(p, v), VEC_ALL(p) (broadcast *p), VEC_FMA(a, b, c), VEC_ADD(a, b);
 * TILE_ROWS, TILE_VECS (columns of a tile in vectors), BLOCK_TILES_M, BLOCK_TILES_N (tiles of a workgroup's block),
 * SECTION (name of the linker section), TILING (name of the exported description).
 *
 * Exactness: per output element, k ascending; a chain of 32 VEC_FMA from +0, four chains added to a group from +0, groups
 * added to the total from +0, each one rounding (rule 2). Vector lanes and tiles are different output elements, so
 * nothing is ever added across lanes. Subnormals are kept: the processor's default state. */
#include "kernels/matmul/cpu.h"

#include <string.h>

#define TILE_COLS (TILE_VECS * VEC_LANES)
#define BLOCK_M   (TILE_ROWS * BLOCK_TILES_M)
#define BLOCK_N   (TILE_COLS * BLOCK_TILES_N)
#define BLOCK_K   256 /* a multiple of a group, so that no group is cut */
#define KERNEL    static __attribute__((section(SECTION)))
#define INLINE    static inline __attribute__((always_inline))
#define ALIGNED   __attribute__((aligned(64)))

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* Add the products of kc positions to the totals of one tile. a: [kc][TILE_ROWS], b: [kc] rows of TILE_COLS, ldb apart,
 * total: [TILE_ROWS][TILE_COLS]. Only the first `rows` rows are computed. */
INLINE void tile_add(int rows, int64_t kc, const float *a, const float *b, int64_t ldb, float *total)
{
    for (int64_t k_group = 0; k_group < kc; k_group += 128) {
        float group[TILE_ROWS * TILE_COLS] ALIGNED;
        UNROLL for (int i = 0; i < rows; i++) UNROLL for (int v = 0; v < TILE_VECS; v++)
            VEC_STORE(group + i * TILE_COLS + v * VEC_LANES, VEC_ZERO);
        int64_t group_end = k_group + 128 < kc ? k_group + 128 : kc;
        for (int64_t k_chain = k_group; k_chain < group_end; k_chain += 32) {
            int64_t chain_end = k_chain + 32 < group_end ? k_chain + 32 : group_end;
            VEC chain[TILE_ROWS][TILE_VECS];
            UNROLL for (int i = 0; i < rows; i++) UNROLL for (int v = 0; v < TILE_VECS; v++) chain[i][v] =
                VEC_ZERO;
            const float *ak = a + k_chain * TILE_ROWS, *bk = b + k_chain * ldb;
            for (int64_t k = k_chain; k < chain_end; k++, ak += TILE_ROWS, bk += ldb) {
                VEC bv[TILE_VECS];
                UNROLL for (int v = 0; v < TILE_VECS; v++) bv[v] = VEC_LOAD(bk + v * VEC_LANES);
                UNROLL for (int i = 0; i < rows; i++)
                {
                    VEC ai = VEC_ALL(ak + i);
                    UNROLL for (int v = 0; v < TILE_VECS; v++) chain[i][v] = VEC_FMA(ai, bv[v], chain[i][v]);
                }
            }
            UNROLL for (int i = 0; i < rows; i++) UNROLL for (int v = 0; v < TILE_VECS; v++)
            {
                float *g = group + i * TILE_COLS + v * VEC_LANES;
                VEC_STORE(g, VEC_ADD(VEC_LOAD(g), chain[i][v]));
            }
        }
        UNROLL for (int i = 0; i < rows; i++) UNROLL for (int v = 0; v < TILE_VECS; v++)
        {
            int at = i * TILE_COLS + v * VEC_LANES;
            VEC_STORE(total + at, VEC_ADD(VEC_LOAD(total + at), VEC_LOAD(group + at)));
        }
    }
}

#define TILE_FUNCTION(rows)                                                                                  \
    KERNEL void tile_add_##rows(int64_t kc, const float *a, const float *b, int64_t ldb, float *total)       \
    {                                                                                                        \
        tile_add(rows, kc, a, b, ldb, total);                                                                \
    }
typedef void tile_function(int64_t kc, const float *a, const float *b, int64_t ldb, float *total);
TILE_FUNCTIONS

/* Rows [row0, row0 + TILE_ROWS) and positions [k0, k0 + kc) of A as [kc][TILE_ROWS]; rows past m are +0. */
INLINE void pack_rows(const struct matmul_push *p, const float *a, int64_t row0, int64_t k0, int64_t kc,
                      float *to)
{
    int64_t rows = p->m - row0 < TILE_ROWS ? p->m - row0 : TILE_ROWS;
    if (rows < TILE_ROWS) memset(to, 0, (size_t)(kc * TILE_ROWS) * sizeof *to);
    const float *from = a + row0 * p->a_row + k0 * p->a_col;
    if (p->a_col == 1) {
        /* Sixteen positions at a time keep the reads of a row in one cache line. */
        for (int64_t k = 0; k < kc; k += 16) {
            int64_t end = k + 16 < kc ? k + 16 : kc;
            for (int64_t i = 0; i < rows; i++)
                for (int64_t kk = k; kk < end; kk++) to[kk * TILE_ROWS + i] = from[i * p->a_row + kk];
        }
        return;
    }
    for (int64_t k = 0; k < kc; k++)
        for (int64_t i = 0; i < rows; i++) to[k * TILE_ROWS + i] = from[i * p->a_row + k * p->a_col];
}

/* Positions [k0, k0 + kc) and columns [col0, col0 + TILE_COLS) of B as [kc][TILE_COLS]; columns past n are +0. */
INLINE void pack_cols(const struct matmul_push *p, const float *b, int64_t col0, int64_t k0, int64_t kc,
                      float *to)
{
    int64_t cols = p->n - col0 < TILE_COLS ? p->n - col0 : TILE_COLS;
    const float *from = b + k0 * p->b_row + col0 * p->b_col;
    if (cols < TILE_COLS) memset(to, 0, (size_t)(kc * TILE_COLS) * sizeof *to);
    if (cols == TILE_COLS && p->b_col == 1) {
        for (int64_t k = 0; k < kc; k++)
            UNROLL for (int v = 0; v < TILE_VECS; v++)
                VEC_STORE(to + k * TILE_COLS + v * VEC_LANES, VEC_LOAD(from + k * p->b_row + v * VEC_LANES));
        return;
    }
    for (int64_t k = 0; k < kc; k += 16) {
        int64_t end = k + 16 < kc ? k + 16 : kc;
        for (int64_t j = 0; j < cols; j++)
            for (int64_t kk = k; kk < end; kk++) to[kk * TILE_COLS + j] = from[kk * p->b_row + j * p->b_col];
    }
}

/* Workgroup g packs one panel of one batch, over the whole of k. Buffers: A or B, then the panels. */
KERNEL void pack_a(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct matmul_push *p = push;
    int64_t panels = ((int64_t)p->m + TILE_ROWS - 1) / TILE_ROWS, batch = group[0] / panels,
            panel = group[0] % panels;
    const float *a = (const float *)buffers[0] + p->a_offset + batch * p->a_batch;
    pack_rows(p, a, panel * TILE_ROWS, 0, p->k, (float *)buffers[1] + (int64_t)group[0] * p->k * TILE_ROWS);
}

KERNEL void pack_b(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct matmul_push *p = push;
    int64_t panels = ((int64_t)p->n + TILE_COLS - 1) / TILE_COLS, batch = group[0] / panels,
            panel = group[0] % panels;
    const float *b = (const float *)buffers[0] + p->b_offset + batch * p->b_batch;
    pack_cols(p, b, panel * TILE_COLS, 0, p->k, (float *)buffers[1] + (int64_t)group[0] * p->k * TILE_COLS);
}

/* Write a finished tile, rows x cols of it, to Y. */
INLINE void tile_store(const struct matmul_push *p, float *y, const float *total, int64_t rows, int64_t cols)
{
    for (int64_t i = 0; i < rows; i++) {
        const float *from = total + i * TILE_COLS;
        float *to = y + i * p->y_row;
        if (p->y_col == 1)
            memcpy(to, from, (size_t)cols * sizeof *to);
        else
            for (int64_t j = 0; j < cols; j++) to[j * p->y_col] = from[j];
    }
}

/* Workgroup g computes one block of one batch. Buffers: A, B, Y, packed A, packed B; the last two are looked at only if
 * extra[0] says so, else the operand is packed here, k block by k block (it has only this user then), or B is read
 * in place. */
KERNEL void multiply(void *const *buffers, const void *push, const uint32_t group[3])
{
    static tile_function *const add[TILE_ROWS + 1] = TILE_TABLE;
    const struct matmul_push *p = push;
    int64_t blocks_n = ((int64_t)p->n + BLOCK_N - 1) / BLOCK_N,
            blocks_m = ((int64_t)p->m + BLOCK_M - 1) / BLOCK_M;
    int64_t block_n = group[0] % blocks_n, rest = group[0] / blocks_n, block_m = rest % blocks_m;
    int64_t batch = rest / blocks_m;
    int64_t row0 = block_m * BLOCK_M, col0 = block_n * BLOCK_N;
    int64_t rows = p->m - row0 < BLOCK_M ? p->m - row0 : BLOCK_M;
    int64_t cols = p->n - col0 < BLOCK_N ? p->n - col0 : BLOCK_N;
    int64_t tiles_m = (rows + TILE_ROWS - 1) / TILE_ROWS, tiles_n = (cols + TILE_COLS - 1) / TILE_COLS;
    const float *a = (const float *)buffers[0] + p->a_offset + batch * p->a_batch;
    const float *b = (const float *)buffers[1] + p->b_offset + batch * p->b_batch;
    float *y = (float *)buffers[2] + p->y_offset + batch * p->y_batch + row0 * p->y_row + col0 * p->y_col;
    uint32_t how = p->extra[0];

    float total[BLOCK_TILES_M * BLOCK_TILES_N][TILE_ROWS * TILE_COLS] ALIGNED;
    float local_a[BLOCK_K * BLOCK_M] ALIGNED, local_b[BLOCK_K * TILE_COLS] ALIGNED;
    for (int64_t tile = 0; tile < tiles_m * tiles_n; tile++) memset(total[tile], 0, sizeof total[tile]);

    int64_t panels_m = ((int64_t)p->m + TILE_ROWS - 1) / TILE_ROWS,
            panels_n = ((int64_t)p->n + TILE_COLS - 1) / TILE_COLS;
    const float *packed_a = (const float *)buffers[3] +
                            ((p->a_batch ? batch * panels_m : 0) + row0 / TILE_ROWS) * p->k * TILE_ROWS;
    const float *packed_b = (const float *)buffers[4] +
                            ((p->b_batch ? batch * panels_n : 0) + col0 / TILE_COLS) * p->k * TILE_COLS;

    for (int64_t k0 = 0; k0 < p->k; k0 += BLOCK_K) {
        int64_t kc = p->k - k0 < BLOCK_K ? p->k - k0 : BLOCK_K;
        if (!(how & MATMUL_CPU_PACKED_A))
            for (int64_t i = 0; i < tiles_m; i++)
                pack_rows(p, a, row0 + i * TILE_ROWS, k0, kc, local_a + i * kc * TILE_ROWS);
        for (int64_t j = 0; j < tiles_n; j++) {
            int64_t tile_cols = cols - j * TILE_COLS < TILE_COLS ? cols - j * TILE_COLS : TILE_COLS;
            const float *bk = local_b;
            int64_t ldb = TILE_COLS;
            if (how & MATMUL_CPU_PACKED_B) {
                bk = packed_b + (j * p->k + k0) * TILE_COLS;
            } else if ((how & MATMUL_CPU_DIRECT_B) && tile_cols == TILE_COLS) {
                bk = b + k0 * p->b_row + (col0 + j * TILE_COLS);
                ldb = p->b_row;
            } else {
                pack_cols(p, b, col0 + j * TILE_COLS, k0, kc, local_b);
            }
            for (int64_t i = 0; i < tiles_m; i++) {
                int64_t tile_rows = rows - i * TILE_ROWS < TILE_ROWS ? rows - i * TILE_ROWS : TILE_ROWS;
                const float *ak = how & MATMUL_CPU_PACKED_A ? packed_a + (i * p->k + k0) * TILE_ROWS
                                                            : local_a + i * kc * TILE_ROWS;
                add[tile_rows](kc, ak, bk, ldb, total[j * tiles_m + i]);
            }
        }
    }
    for (int64_t j = 0; j < tiles_n; j++)
        for (int64_t i = 0; i < tiles_m; i++) {
            int64_t tile_rows = rows - i * TILE_ROWS < TILE_ROWS ? rows - i * TILE_ROWS : TILE_ROWS;
            int64_t tile_cols = cols - j * TILE_COLS < TILE_COLS ? cols - j * TILE_COLS : TILE_COLS;
            tile_store(p, y + i * TILE_ROWS * p->y_row + j * TILE_COLS * p->y_col, total[j * tiles_m + i],
                       tile_rows, tile_cols);
        }
}

/* Where the linker put this instruction set's code: what the kernel hash is made of. */
#define SECTION_SYMBOL_(edge, name) edge##name
#define SECTION_SYMBOL(edge, name)  SECTION_SYMBOL_(edge, name)
extern const char SECTION_SYMBOL(__start_, SECTION_NAME)[] __attribute__((visibility("hidden")));
extern const char SECTION_SYMBOL(__stop_, SECTION_NAME)[] __attribute__((visibility("hidden")));

#define CODE(name_, function)                                                                                \
    {                                                                                                        \
        .kind = ASSAY_CODE_NATIVE, .name = name_, .data = SECTION_SYMBOL(__start_, SECTION_NAME),            \
        .end = SECTION_SYMBOL(__stop_, SECTION_NAME), .native = function                                     \
    }

const struct matmul_cpu_tiling TILING = {
    .technique = TECHNIQUE,
    .tile_rows = TILE_ROWS,
    .tile_cols = TILE_COLS,
    .block_m = BLOCK_M,
    .block_n = BLOCK_N,
    .code =
        {
            [MATMUL_CPU_PACK_A] = CODE("matmul.cpu." TECHNIQUE ".pack_a", pack_a),
            [MATMUL_CPU_PACK_B] = CODE("matmul.cpu." TECHNIQUE ".pack_b", pack_b),
            [MATMUL_CPU_MULTIPLY] = CODE("matmul.cpu." TECHNIQUE ".multiply", multiply),
        },
};
