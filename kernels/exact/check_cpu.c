/* Known answers of the exact arithmetic on any processor; the fused multiply-add is the C library's. */
#define CHECK_NAME(form) assay_exact_check_##form
#include "kernels/exact/check_cpu.h"
