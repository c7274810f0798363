/* What the files of this folder share: the reductions by number, the axes of their cases, and a case read from tensors.
 *
 * Knows tensors only; nothing of devices, kernels or how a tensor was filled. */
#ifndef ORACLES_REDUCE_H
#define ORACLES_REDUCE_H

#include "oracles/lanes.h"
#include "oracles/oracle.h"

enum reduce_kind {
    REDUCE_SUM,
    REDUCE_MEAN,
    REDUCE_L1,
    REDUCE_L2,
    REDUCE_SUM_SQUARE,
    REDUCE_LOG_SUM,
    REDUCE_PROD,
    REDUCE_MAX,
    REDUCE_MIN,
    REDUCE_ARGMAX,
    REDUCE_ARGMIN,
    REDUCE_KINDS
};

/* The last two are not of case lines: a node of another graph stores its numbers of outputs and of elements an output,
 * plus 1, there, and the mask of its dimensions in REDUCE_AXES. */
enum {
    REDUCE_A,
    REDUCE_B,
    REDUCE_C,
    REDUCE_D,
    REDUCE_AXES,
    REDUCE_KEEP,
    REDUCE_NOOP,
    REDUCE_LAST,
    REDUCE_T,
    REDUCE_PADX,
    REDUCE_OFFX,
    REDUCE_OFFY,
    REDUCE_CASE_AXES,
    REDUCE_NODE_ROWS = REDUCE_CASE_AXES,
    REDUCE_NODE_ELEMS,
};

enum reduce_kind reduce_kind_of(const struct op_case *c);
/* Which dimensions of X are reduced (bit d), all of them where no axis is named, none where that is to copy. */
uint32_t reduce_mask(const struct op_case *c, uint32_t rank);

/* Output number `row`: elements of X that it is made of, in row-major order of the reduced axes. */
struct reduce_view {
    uint32_t kept, reduced; /* dimensions of each kind */
    int64_t kept_shape[ASSAY_RANK_MAX], kept_stride[ASSAY_RANK_MAX];
    int64_t reduced_shape[ASSAY_RANK_MAX], reduced_stride[ASSAY_RANK_MAX];
    int64_t rows, elems;
};
void reduce_view_read(const struct assay_tensor *x, uint32_t mask, struct reduce_view *view);
/* Its elements [first, first + count) into to[0 .. count). */
void reduce_view_gather(const struct reduce_view *view, const struct assay_tensor *x, int64_t row,
                        int64_t first, int64_t count, float *to);
/* Where the dense output's element `row` lies. */
int64_t reduce_output_place(const struct assay_tensor *y, int64_t row);

void reduce_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1);
enum assay_status reduce_f64(const struct op_case *c, const struct assay_tensor *in, bool exact,
                             double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                             struct assay_error *error);

#endif
