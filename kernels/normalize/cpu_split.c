/* Softmax and norms on the CPU without a fused multiply-add: error-free transforms, or integers alone. Exponential, logarithm and root
 * keep their pairs of floats, which add and multiply make exactly. */
#define XM_FUSED 0
#include "kernels/normalize/cpu_text.h"
#include "kernels/normalize/cpu.h"

NM_FORM(emulated, xm_divide)
NM_FORM(integer, xm_divide)

NORMALIZE_CPU(normalize_cpu_emulated)
{
    row_emulated(buffers, push, group);
}
NORMALIZE_CPU(normalize_cpu_integer)
{
    row_integer(buffers, push, group);
}
