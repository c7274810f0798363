/* The CUDA rows of the Q1_0 product and of the quantizer, as the table sees them. */
#ifndef ASSAY_Q1_0_CUDA_H
#define ASSAY_Q1_0_CUDA_H

#include "kernels/q1_0/q1_0.h"

Q1_ROW(cuda, table);
Q1_ROW(cuda, phased);
Q1_ROW(cuda, mma32);
Q1_ROW(cuda, mat);
Q1_ROW(cuda, lane8);
Q1_ROW(cuda, lane1);
Q1_ROW(cuda, quantize);

#endif
