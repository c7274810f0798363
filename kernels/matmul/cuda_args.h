/* The argument of every CUDA kernel of this folder: struct matmul_push of matmul.h, which device code cannot include.
 * scripts/check-arguments compares the words. */
#ifndef ASSAY_MATMUL_CUDA_ARGS_H
#define ASSAY_MATMUL_CUDA_ARGS_H

struct matmul_args {
    unsigned m, n, k, batch;
    unsigned a_batch, a_row, a_col, a_offset;
    unsigned b_batch, b_row, b_col, b_offset;
    unsigned y_batch, y_row, y_col, y_offset;
    unsigned extra[3];
};

/* Terms in a chain, and terms in a group of four chains. */
#define MATMUL_CHAIN 32u
#define MATMUL_GROUP 128u

#endif
