/* Reductions on the CPU where the fused multiply-add rounds once: C's fmaf by definition. */
#define XM_FUSED 1
#include "kernels/reduce/cpu_text.h"
#include "kernels/reduce/cpu.h"

RE_ROW(native)
RE_ROW(guarded)

REDUCE_CPU(reduce_cpu_native)
{
    row_native(buffers, push, group);
}
REDUCE_CPU(reduce_cpu_guarded)
{
    row_guarded(buffers, push, group);
}
