/* Known answers of the exact arithmetic with the processor's fused multiply-add instruction. */
#define CHECK_NAME(form) assay_exact_check_##form##_fma
#include "kernels/exact/check_cpu.h"
