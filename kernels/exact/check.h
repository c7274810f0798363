/* What exact.c and its device code agree on: results i of add(a, b), multiply(a, b) and fused multiply-add(a, b, c) for
 * the words a, b, c at 3i of binding 0, to words 3i, 3i + 1, 3i + 2 of binding 1. Macros only. */
#ifndef ASSAY_KERNELS_EXACT_CHECK_H
#define ASSAY_KERNELS_EXACT_CHECK_H

#define EXACT_CHECK_GROUP 64u /* results a workgroup */

#endif
