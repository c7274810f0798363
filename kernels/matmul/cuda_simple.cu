/* Matrix product, CUDA, one thread an output element. Takes any strides, offsets, batches and shapes.
 *
 * Exactness: k ascending; chains of 32 fused multiply-adds from +0, groups of four chains added from +0, groups added
 * from +0; every operation rounds once; subnormals kept; a NaN result is some NaN; a sum is never -0. Four forms of
 * arithmetic. Grid: x over columns, y over rows, z over batches; y and z walk on where the grid is smaller. */
#include "kernels/exact/cuda.h"
#include "kernels/matmul/cuda_args.h"

#define COLUMNS 32u
#define ROWS    4u

template <class F> CU_FN float dot(const float *a, u32 a_step, const float *b, u32 b_step, u32 k)
{
    float total = 0.0f;
    for (u32 done = 0; done < k;) {
        float group = 0.0f;
        for (u32 chain_no = 0; chain_no < MATMUL_GROUP / MATMUL_CHAIN && done < k; chain_no++) {
            float chain = 0.0f;
            u32 length = k - done < MATMUL_CHAIN ? k - done : MATMUL_CHAIN;
#pragma unroll 8
            for (u32 i = 0; i < length; i++)
                chain = F::fma(a[(done + i) * a_step], b[(done + i) * b_step], chain);
            group = F::add(group, chain);
            done += length;
        }
        total = F::add(total, group);
    }
    return total;
}

template <class F> CU_FN void simple(const float *a, const float *b, float *y, const matmul_args &p)
{
    u32 column = cu_block_x() * COLUMNS + cu_thread() % COLUMNS;
    if (column >= p.n) return;
    for (u32 batch = cu_block_z(); batch < p.batch; batch += cu_blocks_z())
        for (u32 row = cu_block_y() * ROWS + cu_thread() / COLUMNS; row < p.m; row += cu_blocks_y() * ROWS) {
            const float *a_row = a + (p.a_offset + batch * p.a_batch + row * p.a_row);
            const float *b_column = b + (p.b_offset + batch * p.b_batch + column * p.b_col);
            y[p.y_offset + batch * p.y_batch + row * p.y_row + column * p.y_col] =
                dot<F>(a_row, p.a_col, b_column, p.b_row, p.k);
        }
}

CU_KERNEL(128, 1) matmul_simple_native(const float *a, const float *b, float *y, matmul_args p)
{
    simple<cu_native>(a, b, y, p);
}
CU_KERNEL(128, 1) matmul_simple_guarded(const float *a, const float *b, float *y, matmul_args p)
{
    simple<cu_guarded>(a, b, y, p);
}
CU_KERNEL(128, 1) matmul_simple_emulated(const float *a, const float *b, float *y, matmul_args p)
{
    simple<cu_emulated>(a, b, y, p);
}
CU_KERNEL(128, 1) matmul_simple_integer(const float *a, const float *b, float *y, matmul_args p)
{
    simple<cu_integer>(a, b, y, p);
}
