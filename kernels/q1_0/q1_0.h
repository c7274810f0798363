/* Products of 1-bit matrices (ggml's Q1_0) with 8-bit activations (Q8_0), and the Q8_0 quantizer: what the files of this
 * folder share. Exact mode, docs/exactness.md rule 11.
 *
 * Both layouts are ggml's own bytes, read as they lie in a file: nothing is repacked on the way in, so the library has no
 * packing call. kernels.c holds the table; problem.c reads calls; cpu*.c, vulkan.c and cuda.c hold the plans of their rows. */
#ifndef ASSAY_Q1_0_H
#define ASSAY_Q1_0_H

#include "kernels/kernel.h"

#define Q1_WEIGHTS                                                                                           \
    128 /* of a q1_0 block: an f16 scale, then 16 bytes of signs, least significant first, 1 = +scale */
#define Q1_BYTES   18
#define Q8_NUMBERS 32 /* of a q8_0 block: an f16 scale, then 32 signed bytes */
#define Q8_BYTES   34
#define Q1_SUBS    4 /* q8_0 blocks that meet one q1_0 block */
#define Q1_LANES   8 /* chains of a row */

/* A Q1_0MatMul (W u8 [m, blocks * 18], X u8 [n, blocks * 136], Y f32 [n, m]) or a Q8_0Quantize (X f32 [n, k], Y u8 [n,
 * blocks * 34], where W is absent and `blocks` are q8_0 blocks of a row). Strides and offsets in elements of the tensor. */
struct q1_problem {
    int64_t m, n, blocks;
    int64_t w_row, w_offset, x_row, x_offset, y_row, y_offset;
};

/* False, with the limit and the value in why, for a call that is none or has inner strides other than 1: a SKIP. */
bool q1_matmul_read(const struct assay_call *call, struct q1_problem *problem, char why[160]);
bool q1_quantize_read(const struct assay_call *call, struct q1_problem *problem, char why[160]);

/* Kernel arguments of every row; 48 bytes. Strides and offsets in bytes of W and X, elements of Y (a quantizer: elements
 * of X, bytes of Y). Offsets are what the binding offset, a multiple of 256 bytes, leaves over. */
struct q1_push {
    uint32_t m, n, blocks;
    uint32_t w_row, w_offset;
    uint32_t x_row, x_offset;
    uint32_t y_row, y_offset;
    uint32_t extra[3]; /* the row's own */
};

/* Fill push and the bindings (0 = W, 1 = X, 2 = Y; a quantizer: 0 = X, 1 = Y) for rows [row0, row0 + rows) of W (of X and
 * Y for a quantizer). Bindings end at a multiple of 4 bytes where the buffer does. Fails if a stride does not fit 32 bits. */
bool q1_push_fill(const struct assay_call *call, const struct q1_problem *problem, int64_t row0, int64_t rows,
                  struct q1_push *push, struct assay_step *step, char why[160]);
/* Do the bindings respect the device's storage-binding limit? */
bool q1_bindings_fit(const struct assay_device_info *info, const struct assay_step *step, uint32_t bindings,
                     char why[160]);

/* What every row of a backend declares. */
#define Q1_ROW(backend, name)                                                                                \
    bool q1_##backend##_##name##_present(const struct assay_device_info *info, char why[160]);               \
    bool q1_##backend##_##name##_supports(const struct assay_device_info *info,                              \
                                          const struct assay_call *call, char why[160]);                     \
    double q1_##backend##_##name##_cost(const struct assay_device_info *info,                                \
                                        const struct assay_call *call);                                      \
    enum assay_status q1_##backend##_##name##_plan(                                                          \
        const struct assay_device_info *info, const struct assay_call *call, enum assay_variant variant,     \
        struct assay_plan *plan, struct assay_error *error)

/* The calls whose answers every row must get right before it is used (known.c). */
#define Q1_KNOWN_COUNT 8
#define Q8_KNOWN_COUNT 2
extern const struct assay_known_answer q1_known[Q1_KNOWN_COUNT];
extern const struct assay_known_answer q8_known[Q8_KNOWN_COUNT];

#endif
