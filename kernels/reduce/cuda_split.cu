/* Reductions, CUDA, without a fused multiply-add: error-free transforms, or integers alone. */
#define XM_FUSED 0
#include "kernels/reduce/cuda_text.h"

REDUCE_KERNELS(emulated)
REDUCE_KERNELS(integer)
