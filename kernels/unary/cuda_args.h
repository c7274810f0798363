/* The argument of every CUDA kernel of this folder: struct unary_push of unary.h, which device code cannot include. cuda.c
 * checks that both have the same size. */
#ifndef ASSAY_UNARY_CUDA_ARGS_H
#define ASSAY_UNARY_CUDA_ARGS_H

struct unary_args {
    unsigned long long rows, cols;
    unsigned long long x_from, x_row, x_col;
    unsigned long long y_from, y_row, y_col;
    unsigned dtype, bounds, lo_from, hi_from;
    unsigned a, b;
    unsigned groups, packed;
};
#define DTYPE_F32  1u
#define DTYPE_F16  2u
#define DTYPE_BF16 3u

#endif
