/* The argument of every CUDA kernel of this folder: struct sweep_push of sweep.h, which device code cannot include. cuda.c
 * checks that both have the same size. */
#ifndef ASSAY_SWEEP_CUDA_ARGS_H
#define ASSAY_SWEEP_CUDA_ARGS_H

struct sweep_args {
    unsigned slot, words, in_from, out_from;
    unsigned pattern, pass, groups, rounds, units;
};

#endif
