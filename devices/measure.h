/* What the measuring programs (measure.comp, measure.cu, measure_native.h) and measure.c agree on: macros only, so that C,
 * CUDA C and GLSL can include it. Bindings: 0 from, 1 to. Arguments: operation, seed, and the operands of the multiply-add. */
#ifndef ASSAY_DEVICES_MEASURE_H
#define ASSAY_DEVICES_MEASURE_H

#define MEASURE_NONE 0u /* nothing: what a launch costs */
#define MEASURE_FILL 1u /* word i of `to` becomes seed + i */
#define MEASURE_COPY 2u /* `from` to `to` */
#define MEASURE_FMA                                                                                          \
    3u /* x = x * a + b in MEASURE_CHAINS chains from 1; the sum of the chains to the thread's first word */

#define MEASURE_GROUP  256u /* threads a workgroup */
#define MEASURE_QUADS  8u   /* four-word elements that a thread moves */
#define MEASURE_CHAINS 8u   /* multiply-adds that do not wait for each other, a thread */
#define MEASURE_ROUNDS 128u /* of MEASURE_UNROLL steps in each chain */
#define MEASURE_UNROLL 8u

#endif
