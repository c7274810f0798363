/* Matrix product: what the files of this folder share. Y[b] = A[b] B[b], f32, exact mode (docs/exactness.md rule 2).
 *
 * kernels.c holds the table, problem.c reads a call into a problem; cpu*.c, vulkan.c and cuda.c hold the plans of their
 * rows, vulkan*.comp, cuda*.cu and, on the CPU, cpu_*.c the device code. */
#ifndef ASSAY_MATMUL_H
#define ASSAY_MATMUL_H

#include "kernels/kernel.h"

/* One product as loops see it. Strides in elements, for (batch, row, column) of A (m x k), B (k x n) and Y (m x n); a
 * batch stride of 0 means that the operand is shared. Offsets in elements from the start of the buffer. */
struct matmul_problem {
    int64_t m, n, k, batch;
    int64_t a_batch, a_row, a_col, a_offset;
    int64_t b_batch, b_row, b_col, b_offset;
    int64_t y_batch, y_row, y_col, y_offset;
};

/* Read a MatMul call: A [.., M, K], B [.., K, N], Y [.., M, N] with at most one flattened batch on A, on B or equal on
 * both (row K15; 1-D operands as ONNX has them). Leading batch dimensions are flattened where their strides allow. False, with the limit
 * named in why, for anything else: that call is a SKIP. */
bool matmul_problem_read(const struct assay_call *call, struct matmul_problem *problem, char why[160]);

/* Is there no element of Y to make? */
static inline bool matmul_is_empty(const struct matmul_problem *p)
{
    return p->m == 0 || p->n == 0 || p->batch == 0;
}

/* Kernel arguments of every row of this folder; 32-bit element strides and offsets (rows refuse larger ones). The
 * binding offset carries the 256-byte multiple of an operand's offset, *_offset the rest. 76 bytes. */
struct matmul_push {
    uint32_t m, n, k, batch;
    uint32_t a_batch, a_row, a_col, a_offset;
    uint32_t b_batch, b_row, b_col, b_offset;
    uint32_t y_batch, y_row, y_col, y_offset;
    uint32_t extra[3]; /* the row's own: split of k, first batch, ... */
};
/* Fill push and the three bindings (0 = A, 1 = B, 2 = Y) of a step. Fails if something does not fit 32 bits. */
bool matmul_push_fill(const struct matmul_problem *problem, struct matmul_push *push, struct assay_step *step,
                      char why[160]);

/* Do the bindings of A, B and Y respect the device's storage-binding limit? The reason names it and the size. */
bool matmul_bindings_fit(const struct assay_device_info *info, const struct assay_step *step, char why[160]);

/* The calls whose answers every row must get right before it is used (known.c). The first ones are small; the others
 * show every fused multiply-add of a whole tile, for rows whose driver is free to choose what it fuses. */
#define MATMUL_KNOWN_SMALL 12
#define MATMUL_KNOWN_COUNT 17
extern const struct assay_known_answer matmul_known[MATMUL_KNOWN_COUNT];

#endif
