/* The argument of every CUDA kernel of this folder: struct reduce_push of reduce.h, which device code cannot include, and the
 * sizes of workgroups. cuda.c checks that both structs have the same size. */
#ifndef ASSAY_REDUCE_CUDA_ARGS_H
#define ASSAY_REDUCE_CUDA_ARGS_H

#if defined(__CUDACC__) || defined(__CUDA__) /* reduce.h has it for the host */
#define REDUCE_DIMS 4
#define BLOCK       4096u
#endif

#define LANES_EACH    4u   /* warps of a workgroup, each with a pair of row and block */
#define SHORT_THREADS 256u /* of a workgroup that takes short rows */
#define SHORT_TURNS   8u   /* rows of a thread */
#define ARG_THREADS   512u /* a long row's */

struct reduce_args {
    unsigned rows, blocks;
    unsigned k_low, k_high;
    unsigned x_offset, y_offset;
    unsigned operation, count, each;
    unsigned kept_n[4], kept_x[4], kept_y[4];
    unsigned reduced_n[4], reduced_x[4];
};

#endif
