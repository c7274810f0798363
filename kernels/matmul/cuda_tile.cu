/* Matrix product, CUDA, tiled: the entry points of cuda_tile.h, where the order of accumulation is written down.
 *
 * nn: A along k, B across k (both row-major). nt: both along k (B is the transpose of a row-major matrix). any: whatever
 * strides and alignment. The names say rows x columns of a tile. */
#include "kernels/matmul/cuda_tile.h"

#define TILE(name, blocks, wm, wn, tn, split)                                                                \
    CU_KERNEL(wm *wn * 32, blocks)                                                                           \
    matmul_##name##_nn(const float *a, const float *b, float *y, matmul_args p)                              \
    {                                                                                                        \
        tile<wm, wn, tn, LOAD_ALONG_K, LOAD_ACROSS_K, split>(a, b, y, p);                                    \
    }                                                                                                        \
    CU_KERNEL(wm *wn * 32, blocks)                                                                           \
    matmul_##name##_nt(const float *a, const float *b, float *y, matmul_args p)                              \
    {                                                                                                        \
        tile<wm, wn, tn, LOAD_ALONG_K, LOAD_ALONG_K, split>(a, b, y, p);                                     \
    }                                                                                                        \
    CU_KERNEL(wm *wn * 32, blocks)                                                                           \
    matmul_##name##_any(const float *a, const float *b, float *y, matmul_args p)                             \
    {                                                                                                        \
        tile<wm, wn, tn, LOAD_ANY, LOAD_ANY, split>(a, b, y, p);                                             \
    }

TILE(tile128, 1, 4, 2, 8, false)
TILE(tile64x128, 2, 2, 2, 8, false)
TILE(tile64, 3, 2, 2, 4, false)
TILE(split128, 1, 4, 2, 8, true)
TILE(split64, 3, 2, 2, 4, true)

/* Adds the group sums of split rows, one by one in ascending order, from +0. Grid: x over columns and rows, z over
 * batches. scratch is [batch][group][m][extra[1]], its rows 16-byte aligned; a thread makes four columns. */
CU_KERNEL(256, 1) matmul_join(const float *scratch, float *y, matmul_args p)
{
    u32 pieces = (p.n + 3) / 4, groups = (p.k + MATMUL_GROUP - 1) / MATMUL_GROUP, batch = cu_block_z();
    u64 at = (u64)cu_block_x() * 256 + cu_thread(), plane = (u64)p.m * p.extra[1];
    if (at >= (u64)pieces * p.m) return;
    u32 row = (u32)(at / pieces), column = (u32)(at % pieces) * 4;
    const float *from = scratch + (u64)batch * groups * plane + (u64)row * p.extra[1] + column;
    float total[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 4
    for (u32 group = 0; group < groups; group++, from += plane) {
        cu_f4 f = *(const cu_f4 *)from;
#pragma unroll
        for (u32 e = 0; e < 4; e++) total[e] = cu_native::add(total[e], f.v[e]);
    }
    float *to = y + (p.y_offset + batch * p.y_batch + row * p.y_row);
#pragma unroll
    for (u32 e = 0; e < 4; e++)
        if (column + e < p.n) to[(column + e) * p.y_col] = total[e];
}
