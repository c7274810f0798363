/* What the files of this folder share: the axes of a matrix product by number, and a product read from tensors.
 *
 * Knows tensors only; nothing of devices, kernels or how a tensor was filled. */
#ifndef ORACLES_MATMUL_H
#define ORACLES_MATMUL_H

#include "oracles/float64.h"
#include "oracles/oracle.h"

enum {
    MATMUL_M,
    MATMUL_N,
    MATMUL_K,
    MATMUL_B,
    MATMUL_IN,
    MATMUL_TA,
    MATMUL_TB,
    MATMUL_PADA,
    MATMUL_PADB,
    MATMUL_PADY,
    MATMUL_OFFA,
    MATMUL_OFFB,
    MATMUL_OFFY,
    MATMUL_AXES
};

enum { MATMUL_IN_AB, MATMUL_IN_A, MATMUL_IN_B };

/* A product as the oracles compute it: Y[item] = A[item] B[item]. Shapes broadcast as ONNX's MatMul says, 1-D operands
 * included, so any node's tensors can be judged, not only those that a case line lays out. */
struct matmul_view {
    int64_t m, n, k, items;
    uint32_t batch_rank;
    int64_t batch[ASSAY_RANK_MAX];                            /* output's leading dimensions */
    int64_t a_batch[ASSAY_RANK_MAX], b_batch[ASSAY_RANK_MAX]; /* strides along them, 0 where broadcast */
    int64_t a_row, a_col, a_offset, b_row, b_col, b_offset;
};

/* False, with the reason in why, if the shapes do not fit together. */
bool matmul_view_read(const struct assay_tensor *a, const struct assay_tensor *b, struct matmul_view *view,
                      char why[160]);
/* Element offsets of item `item` of A and B. */
void matmul_view_item(const struct matmul_view *view, int64_t item, int64_t *a, int64_t *b);

/* The ways in which contract.c is compiled; tests show that they give the same bits. */
enum matmul_path { MATMUL_PATH_AUTO, MATMUL_PATH_PLAIN, MATMUL_PATH_AVX2, MATMUL_PATH_AVX512 };
/* Rows [row0, row1) by one of them. False, and nothing written, if this processor lacks it or the shapes do not fit. */
bool matmul_contract_by(enum matmul_path path, const struct assay_tensor *in, struct assay_tensor *out,
                        int64_t row0, int64_t row1);

void matmul_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1);
enum assay_status matmul_f64(const struct op_case *c, const struct assay_tensor *in, bool exact,
                             double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                             struct assay_error *error);
/* The same by one build of the loop, and by `gemm` where it may be used; NULL = the loop alone. */
enum assay_status matmul_f64_by(enum matmul_path path, float64_gemm_fn *gemm, const struct assay_tensor *in,
                                bool exact, double *value, double *bound, double *magnitude, int64_t row0,
                                int64_t row1, struct assay_error *error);

#endif
