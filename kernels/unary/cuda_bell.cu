/* Elementwise operators on CUDA, functions of the error function's and the logistic family. */
#define XM_FUSED 1
#include "kernels/unary/cuda_elements.h"

ELEMENTS(tanh)
ELEMENTS(erf)
ELEMENTS(sigmoid)
ELEMENTS(silu)
ELEMENTS(softplus)
ELEMENTS(gelu)
ELEMENTS(gelu_tanh)
