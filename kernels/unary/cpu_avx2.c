/* The loops with the processor's own fused multiply-add (this file is compiled for AVX2 and FMA). */
#define XM_FUSED      1
#define UNARY_TABLE   unary_cpu_fma
#define UNARY_SYMBOL  assay_unary_avx2
#define UNARY_SECTION "assay_unary_avx2"
#define UNARY_NAME    "avx2"
#include "kernels/unary/cpu_loops.h"
