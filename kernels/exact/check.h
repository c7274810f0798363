/* What exact.c and its device code agree on: results i of add(a, b), multiply(a, b) and fused multiply-add(a, b, c) for
 * the words a, b, c at 3i of binding 0, to words 3i + EXACT_CHECK_ADD, _MUL, _FMA of binding 1; SPIR-V does the one that
 * specialisation constant 4 names. Macros only. */
#ifndef ASSAY_KERNELS_EXACT_CHECK_H
#define ASSAY_KERNELS_EXACT_CHECK_H

#define EXACT_CHECK_ADD   0u
#define EXACT_CHECK_MUL   1u
#define EXACT_CHECK_FMA   2u
#define EXACT_CHECK_GROUP 64u /* results a workgroup */

#endif
