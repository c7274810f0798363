/* Elementwise operators on CUDA, exponentials, logarithms and roots. */
#define XM_FUSED 1
#include "kernels/unary/cuda_elements.h"

ELEMENTS(exp)
ELEMENTS(exp2)
ELEMENTS(expm1)
ELEMENTS(log)
ELEMENTS(log2)
ELEMENTS(log1p)
ELEMENTS(sqrt)
ELEMENTS(rsqrt)
ELEMENTS(rcp)
