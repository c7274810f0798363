/* Matrix product, CUDA, 16 x 16 tiles with operands in shared memory, one output a thread, in four forms of arithmetic.
 * Takes any strides, offsets and alignment.
 *
 * Exactness: k ascending; chains of 32 fused multiply-adds from +0, groups of four chains added from +0, groups added
 * from +0; every operation rounds once; subnormals kept; a NaN result is some NaN; a sum is never -0. k is not padded.
 * Grid: x over tiles of columns, y over tiles of rows, z over batches; y and z walk on where the grid is smaller. */
#include "kernels/exact/cuda.h"
#include "kernels/matmul/cuda_args.h"

#define SIDE 16u

template <class F> CU_FN void tile16(const float *a, const float *b, float *y, const matmul_args &p)
{
    CU_SHARED float tile_a[SIDE][MATMUL_CHAIN + 1], tile_b[MATMUL_CHAIN][SIDE + 1];
    u32 x = cu_thread() % SIDE, r = cu_thread() / SIDE, column = cu_block_x() * SIDE + x;
    for (u32 batch = cu_block_z(); batch < p.batch; batch += cu_blocks_z())
        for (u32 row0 = cu_block_y() * SIDE; row0 < p.m; row0 += cu_blocks_y() * SIDE) {
            u32 row = row0 + r;
            const float *from_a = a + (p.a_offset + batch * p.a_batch),
                        *from_b = b + (p.b_offset + batch * p.b_batch);
            float group = 0.0f, total = 0.0f;
            for (u32 k = 0; k < p.k; k += MATMUL_CHAIN) {
                u32 length = p.k - k < MATMUL_CHAIN ? p.k - k : MATMUL_CHAIN;
                cu_barrier();
                for (u32 i = x; i < length; i += SIDE)
                    if (row < p.m) tile_a[r][i] = from_a[row * p.a_row + (k + i) * p.a_col];
                for (u32 i = r; i < length; i += SIDE)
                    if (column < p.n) tile_b[i][x] = from_b[(k + i) * p.b_row + column * p.b_col];
                cu_barrier();
                float chain = 0.0f;
#pragma unroll 4
                for (u32 i = 0; i < length; i++) chain = F::fma(tile_a[r][i], tile_b[i][x], chain);
                group = F::add(group, chain);
                if ((k + MATMUL_CHAIN) % MATMUL_GROUP == 0 || k + MATMUL_CHAIN >= p.k) {
                    total = F::add(total, group);
                    group = 0.0f;
                }
            }
            if (row < p.m && column < p.n)
                y[p.y_offset + batch * p.y_batch + row * p.y_row + column * p.y_col] = total;
        }
}

CU_KERNEL(256, 1) matmul_tile16_native(const float *a, const float *b, float *y, matmul_args p)
{
    tile16<cu_native>(a, b, y, p);
}
CU_KERNEL(256, 1) matmul_tile16_guarded(const float *a, const float *b, float *y, matmul_args p)
{
    tile16<cu_guarded>(a, b, y, p);
}
CU_KERNEL(256, 1) matmul_tile16_emulated(const float *a, const float *b, float *y, matmul_args p)
{
    tile16<cu_emulated>(a, b, y, p);
}
CU_KERNEL(256, 1) matmul_tile16_integer(const float *a, const float *b, float *y, matmul_args p)
{
    tile16<cu_integer>(a, b, y, p);
}
