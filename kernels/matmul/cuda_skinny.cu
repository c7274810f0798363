/* Matrix product, CUDA, for few rows of A: bound by reading B once, so all chains of a column run at the same time.
 *
 * Exactness: a thread computes one chain of 32 fused multiply-adds from +0 for four columns (k ascending); then four
 * chains are added from +0 to a group, and the groups from +0 to the total, each in ascending order. Every operation
 * rounds once; subnormals kept; a NaN result is some NaN; a sum is never -0.
 *
 * A block makes ROWS rows x 32 columns; extra[0] chains run at once (a multiple of 4, at most 128), 8 threads each.
 * B has columns of stride 1 and 16-byte aligned rows; A is read word by word with any strides. Grid: x over columns, y
 * over rows, z over batches. */
#include "kernels/exact/cuda.h"
#include "kernels/matmul/cuda_args.h"

#define COLUMNS 32u

/* [chain][row][column], then [group] in the place of each fourth chain */
extern CU_SHARED float skinny_sums[];

template <u32 ROWS> CU_FN void skinny(const float *a, const float *b, float *y, const matmul_args &p)
{
    constexpr u32 sums = ROWS * COLUMNS;
    u32 chains = p.extra[0], threads = chains * 8, chain_no = cu_thread() / 8, piece = cu_thread() % 8 * 4;
    u32 column = cu_block_x() * COLUMNS + piece, row0 = cu_block_y() * ROWS, batch = cu_block_z();
    const float *from_a = a + (p.a_offset + batch * p.a_batch),
                *from_b = b + (p.b_offset + batch * p.b_batch);
    bool whole = column + 4 <= p.n;
    float total[(sums + 31) / 32]; /* of this thread's outputs: at least 32 threads */
#pragma unroll
    for (u32 i = 0; i < sums / 32; i++) total[i] = 0.0f;

    for (u32 pass = 0; pass < p.k; pass += chains * MATMUL_CHAIN) {
        u32 k0 = pass + chain_no * MATMUL_CHAIN;
        u32 length = k0 >= p.k ? 0 : p.k - k0 < MATMUL_CHAIN ? p.k - k0 : MATMUL_CHAIN;
        float chain[ROWS][4];
#pragma unroll
        for (u32 r = 0; r < ROWS; r++)
#pragma unroll
            for (u32 e = 0; e < 4; e++) chain[r][e] = 0.0f;
#pragma unroll 8
        for (u32 i = 0; i < length; i++) {
            cu_f4 f = {{0.0f, 0.0f, 0.0f, 0.0f}};
            const float *at = from_b + ((k0 + i) * p.b_row + column);
            if (whole) {
                f = *(const cu_f4 *)at;
            } else {
#pragma unroll
                for (u32 e = 0; e < 4; e++)
                    if (column + e < p.n) f.v[e] = at[e];
            }
#pragma unroll
            for (u32 r = 0; r < ROWS; r++) {
                u32 row = row0 + r < p.m ? row0 + r : row0;
                float left = from_a[row * p.a_row + (k0 + i) * p.a_col];
#pragma unroll
                for (u32 e = 0; e < 4; e++) chain[r][e] = cu_native::fma(left, f.v[e], chain[r][e]);
            }
        }
        cu_barrier(); /* the sums of the pass before have been read */
#pragma unroll
        for (u32 r = 0; r < ROWS; r++)
#pragma unroll
            for (u32 e = 0; e < 4; e++) skinny_sums[chain_no * sums + r * COLUMNS + piece + e] = chain[r][e];
        cu_barrier();
        for (u32 i = cu_thread(); i < chains / 4 * sums; i += threads) {
            float *four = skinny_sums + i / sums * 4 * sums + i % sums, group = 0.0f;
#pragma unroll
            for (u32 c = 0; c < 4; c++) /* a chain past the end is empty, and adding its +0 changes no sum */
                group = cu_native::add(group, four[c * sums]);
            four[0] = group;
        }
        cu_barrier();
        u32 groups_left = (p.k - pass + MATMUL_GROUP - 1) / MATMUL_GROUP;
        u32 groups = groups_left < chains / 4 ? groups_left : chains / 4;
        if (cu_thread() < 32)
#pragma unroll
            for (u32 i = 0; i < sums / 32; i++)
                for (u32 g = 0; g < groups; g++)
                    total[i] = cu_native::add(total[i], skinny_sums[g * 4 * sums + i * 32 + cu_thread()]);
    }
    if (cu_thread() < 32)
#pragma unroll
        for (u32 i = 0; i < sums / 32; i++) {
            u32 row = row0 + i * 32 / COLUMNS, out = cu_block_x() * COLUMNS + cu_thread();
            if (row < p.m && out < p.n)
                y[p.y_offset + batch * p.y_batch + row * p.y_row + out * p.y_col] = total[i];
        }
}

CU_KERNEL(1024, 1) matmul_skinny1(const float *a, const float *b, float *y, matmul_args p)
{
    skinny<1>(a, b, y, p);
}
CU_KERNEL(1024, 1) matmul_skinny4(const float *a, const float *b, float *y, matmul_args p)
{
    skinny<4>(a, b, y, p);
}
