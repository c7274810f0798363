/* The CPU's functions by the forms in which they are compiled, for cpu.c. */
#ifndef ASSAY_NORMALIZE_CPU_H
#define ASSAY_NORMALIZE_CPU_H

#include "kernels/normalize/normalize.h"

#define NORMALIZE_CPU(name) void name(void *const *buffers, const void *push, const uint32_t group[3])
NORMALIZE_CPU(normalize_cpu_native);
NORMALIZE_CPU(normalize_cpu_guarded);
NORMALIZE_CPU(normalize_cpu_emulated);
NORMALIZE_CPU(normalize_cpu_integer);
/* NULL where this build has no AVX2. */
extern const struct assay_code *const normalize_cpu_avx2_code;

#endif
