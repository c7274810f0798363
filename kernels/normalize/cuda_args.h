/* The argument of every CUDA kernel of this folder: struct normalize_push of normalize.h, which device code cannot include,
 * and the sizes of workgroups. cuda.c checks that both structs have the same size. */
#ifndef ASSAY_NORMALIZE_CUDA_ARGS_H
#define ASSAY_NORMALIZE_CUDA_ARGS_H

#if defined(__CUDACC__) || defined(__CUDA__) /* normalize.h has them for the host */
#define NORMALIZE_KEPT   4
#define NORMALIZE_INNER  3
#define NORMALIZE_BLOCKS 4096u
#define BLOCK            4096u
#define SOFTMAX          0u
#define LOG_SOFTMAX      1u
#define LAYER            2u
#endif

#define WARPS_EACH   4u    /* lines of a workgroup that gives each a warp */
#define WARP_MOST    1024u /* elements of such a line: 32 a thread */
#define GROUP_MOST   4u    /* blocks of a line that a workgroup keeps in registers, 128 threads each */
#define LONG_THREADS 512u  /* of a workgroup that reads its line again and again */

struct normalize_args {
    unsigned lines, k;
    unsigned x_offset, y_offset, scale_offset, bias_offset;
    unsigned operation, epsilon, count, each, unused;
    unsigned kept_n[4], kept_x[4], kept_y[4];
    unsigned inner_n[3], inner_x[3], inner_y[3];
};

#endif
