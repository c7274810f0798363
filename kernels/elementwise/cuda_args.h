/* The argument of every CUDA kernel of this folder: struct elementwise_push of elementwise.h, which device code cannot
 * include. cuda.c checks that both have the same size. */
#ifndef ASSAY_ELEMENTWISE_CUDA_ARGS_H
#define ASSAY_ELEMENTWISE_CUDA_ARGS_H

struct elementwise_args {
    unsigned count_low, count_high;
    unsigned what, start, mask;
    unsigned word[27];
};

#endif
