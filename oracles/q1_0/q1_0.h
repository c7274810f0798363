/* What the files of this folder share: the axes of a Q1_0 product by number, the blocks, and a product read from tensors.
 *
 * Knows tensors only; nothing of devices, kernels or how a tensor was filled.
 *
 * A q1_0 block is 18 bytes and 128 weights: an f16 scale d, little-endian, then 16 bytes of signs, least significant bit
 * first, 1 = +d, 0 = -d. A q8_0 block is 34 bytes and 32 activations: an f16 scale, then 32 signed bytes. Both are
 * ggml's (row K06). */
#ifndef ORACLES_Q1_0_H
#define ORACLES_Q1_0_H

#include "oracles/oracle.h"

enum { Q1_0_M, Q1_0_N, Q1_0_K, Q1_0_PADW, Q1_0_PADX, Q1_0_PADY, Q1_0_OFFW, Q1_0_OFFX, Q1_0_OFFY, Q1_0_AXES };

enum {
    Q1_0_WEIGHTS = 128, /* a q1_0 block */
    Q1_0_BYTES = 18,
    Q1_0_ACTIVATIONS = 32, /* a q8_0 block */
    Q1_0_ACTIVATION_BYTES = 34,
    Q1_0_SUBS = 4, /* q8_0 blocks that meet one q1_0 block */
    Q1_0_LANES = 8
};

/* The product as the oracles compute it: Y[j][i] = activations j times weights i. Strides and offsets in elements of
 * their tensor, which are bytes for W and X. */
struct q1_0_view {
    int64_t m, n, blocks; /* q1_0 blocks a row */
    const uint8_t *w, *x; /* data at the offset; NULL where the tensor has no data */
    int64_t w_row, w_byte, x_row, x_byte, y_offset, y_row, y_col;
};

/* False, with the reason in why, if the tensors do not fit together. */
bool q1_0_view_read(const struct assay_tensor *w, const struct assay_tensor *x, const struct assay_tensor *y,
                    struct q1_0_view *view, char why[200]);

/* The ways in which contract.c is compiled; tests show that they give the same bits. */
enum q1_0_path { Q1_0_PATH_AUTO, Q1_0_PATH_PLAIN, Q1_0_PATH_AVX2, Q1_0_PATH_AVX512 };
/* Elements [row0, row1) of Y by one of them. False, and nothing written, if this processor lacks it or the shapes do
 * not fit. */
bool q1_0_contract_by(enum q1_0_path path, const struct assay_tensor *in, struct assay_tensor *out,
                      int64_t row0, int64_t row1);

void q1_0_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                   int64_t row0, int64_t row1);
enum assay_status q1_0_f64(const struct op_case *c, const struct assay_tensor *in, bool exact, double *value,
                           double *bound, double *magnitude, int64_t row0, int64_t row1,
                           struct assay_error *error);

#endif
