/* Probe and known answers compiled for a processor whose fused multiply-add rounds twice: the texts of the library, with
 * the one operation replaced. */
#include <math.h>

static inline float twice_rounded(float a, float b, float c)
{
    volatile float product = a * b;
    return product + c;
}
#define fmaf(a, b, c)           twice_rounded(a, b, c)
#define __builtin_fmaf(a, b, c) twice_rounded(a, b, c)

#define TRAITS_NATIVE unfused_traits
#include "devices/traits_native.h"
#define CHECK_NAME(form) unfused_check_##form
#include "kernels/exact/check_cpu.h"
