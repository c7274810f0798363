/* The argument of every CUDA kernel of this folder: struct q1_push of q1_0.h, which device code cannot include, and what
 * lane sums are made of. cuda.c checks that both have the same size. */
#ifndef ASSAY_Q1_0_CUDA_ARGS_H
#define ASSAY_Q1_0_CUDA_ARGS_H

struct q1_args {
    unsigned m, n, blocks;
    unsigned w_row, w_offset;
    unsigned x_row, x_offset;
    unsigned y_row, y_offset;
    unsigned extra[3];
};

#if defined(__CUDACC__) || defined(__CUDA__) /* q1_0.h has them for the host */
#define Q1_BYTES 18u
#define Q8_BYTES 34u
#define Q1_SUBS  4u
#define Q1_LANES 8u
#endif

#endif
