/* Softmax and the norms, CUDA, without a fused multiply-add: error-free transforms, or integers alone. */
#define XM_FUSED 0
#include "kernels/normalize/cuda_text.h"

NORMALIZE_LONG(emulated)
NORMALIZE_LONG(integer)
