/* The CPU rows of the Q1_0 product and of the quantizer, as the table sees them. */
#ifndef ASSAY_Q1_0_CPU_H
#define ASSAY_Q1_0_CPU_H

#include "kernels/q1_0/q1_0.h"

/* One instruction set's kernels (cpu_avx2.c, cpu_avx512.c). Buffers of prepare: X, scratch; of multiply: W, scratch, Y. */
enum { Q1_CPU_PREPARE, Q1_CPU_MULTIPLY, Q1_CPU_CODES };
struct q1_cpu_kernels {
    struct assay_code code[Q1_CPU_CODES];
};
extern const struct q1_cpu_kernels q1_cpu_avx2_kernels, q1_cpu_avx512_kernels;

#define Q1_CPU_PREPARED_BYTES 288 /* of a q1_0 block's worth of X in scratch */
#define Q1_CPU_ROWS           32u /* rows of W of a workgroup of multiply */

/* The quantizer for AVX2; workgroups and buffers are those of the row `quantize`. */
extern const struct assay_code q8_cpu_avx2_code;
#define Q8_CPU_BLOCKS 64 /* of a workgroup of a quantizer */

Q1_ROW(cpu, avx512);
Q1_ROW(cpu, avx2);
Q1_ROW(cpu, plain);
Q1_ROW(cpu, quantize);
Q1_ROW(cpu, quantize_avx2);

#endif
