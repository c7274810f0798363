/* Softmax and norms on the CPU where the fused multiply-add rounds once: C's fmaf by definition. */
#define XM_FUSED 1
#include "kernels/normalize/cpu_text.h"
#include "kernels/normalize/cpu.h"

NM_FORM(native, nm_divide)
NM_FORM(guarded, xm_divide)

NORMALIZE_CPU(normalize_cpu_native)
{
    row_native(buffers, push, group);
}
NORMALIZE_CPU(normalize_cpu_guarded)
{
    row_guarded(buffers, push, group);
}
