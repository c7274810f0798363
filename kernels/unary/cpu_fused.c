/* The loops in plain C: a fused multiply-add is one of the C library where the processor has none. */
#define XM_FUSED      1
#define UNARY_TABLE   unary_cpu_fused
#define UNARY_SYMBOL  assay_unary_fused
#define UNARY_SECTION "assay_unary_fused"
#define UNARY_NAME    "fused"
#include "kernels/unary/cpu_loops.h"
