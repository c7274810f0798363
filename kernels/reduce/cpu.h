/* The CPU's functions by the forms in which they are compiled, for cpu.c. */
#ifndef ASSAY_REDUCE_CPU_H
#define ASSAY_REDUCE_CPU_H

#include "kernels/reduce/reduce.h"

#define REDUCE_CPU(name) void name(void *const *buffers, const void *push, const uint32_t group[3])
REDUCE_CPU(reduce_cpu_native);
REDUCE_CPU(reduce_cpu_guarded);
REDUCE_CPU(reduce_cpu_emulated);
REDUCE_CPU(reduce_cpu_integer);
/* NULL where this build has no AVX2. */
extern const struct assay_code *const reduce_cpu_avx2_code;

#endif
