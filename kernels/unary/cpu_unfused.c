/* The loops without any fused multiply-add. */
#define XM_FUSED      0
#define UNARY_TABLE   unary_cpu_unfused
#define UNARY_SYMBOL  assay_unary_unfused
#define UNARY_SECTION "assay_unary_unfused"
#define UNARY_NAME    "unfused"
#include "kernels/unary/cpu_loops.h"
