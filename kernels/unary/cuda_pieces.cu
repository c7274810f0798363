/* Elementwise operators on CUDA, operators composed of a few operations. */
#define XM_FUSED 1
#include "kernels/unary/cuda_elements.h"

ELEMENTS(relu)
ELEMENTS(leaky_relu)
ELEMENTS(elu)
ELEMENTS(hard_sigmoid)
ELEMENTS(hard_swish)
ELEMENTS(softsign)
ELEMENTS(thresholded_relu)
ELEMENTS(clip)
ELEMENTS(neg)
ELEMENTS(abs)
