/* Reductions on the CPU without a fused multiply-add: error-free transforms, or integers alone. The logarithm and the root
 * keep their pairs of floats, which add and multiply make exactly. */
#define XM_FUSED 0
#include "kernels/reduce/cpu_text.h"
#include "kernels/reduce/cpu.h"

RE_ROW(emulated)
RE_ROW(integer)

REDUCE_CPU(reduce_cpu_emulated)
{
    row_emulated(buffers, push, group);
}
REDUCE_CPU(reduce_cpu_integer)
{
    row_integer(buffers, push, group);
}
