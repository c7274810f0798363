/* What the files of this folder share: softmax and the norms by number, the axes of their cases, and a case read from tensors.
 *
 * Knows tensors only; nothing of devices, kernels or how a tensor was filled. */
#ifndef ORACLES_NORMALIZE_H
#define ORACLES_NORMALIZE_H

#include "oracles/lanes.h"
#include "oracles/oracle.h"

enum normalize_kind {
    NORMALIZE_SOFTMAX,
    NORMALIZE_LOG_SOFTMAX,
    NORMALIZE_LAYER,
    NORMALIZE_RMS,
    NORMALIZE_KINDS
};

/* The last two are not of case lines: a node of another graph stores its numbers of rows and of elements a row, plus 1. */
enum {
    NORMALIZE_A,
    NORMALIZE_B,
    NORMALIZE_C,
    NORMALIZE_D,
    NORMALIZE_AXIS,
    NORMALIZE_BIAS,
    NORMALIZE_EPS, /* 0: none, up to 99: 10^-eps, else the word of an f32 */
    NORMALIZE_T,
    NORMALIZE_PADX,
    NORMALIZE_OFFX,
    NORMALIZE_OFFY,
    NORMALIZE_CASE_AXES,
    NORMALIZE_NODE_ROWS = NORMALIZE_CASE_AXES,
    NORMALIZE_NODE_ELEMS,
};

enum normalize_kind normalize_kind_of(const struct op_case *c);
float normalize_epsilon(const struct op_case *c);

/* A tensor as lines of k elements: line (o, i) of `outer` times `inner`, whose element e is number (o k + e) inner + i of
 * the tensor in row-major order. */
struct normalize_view {
    int64_t outer, k, inner;
    uint32_t axis;
    bool single; /* k runs along dimension `axis` alone, else over all from it on */
};
void normalize_view_read(const struct op_case *c, const struct assay_tensor *x, struct normalize_view *view);
/* Elements [first, first + count) of a line of t to or from `buffer`. */
void normalize_read(const struct normalize_view *view, const struct assay_tensor *t, int64_t line,
                    int64_t first, int64_t count, float *buffer);
void normalize_write(const struct normalize_view *view, const struct assay_tensor *t, int64_t line,
                     int64_t first, int64_t count, const float *buffer);

void normalize_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                        int64_t row0, int64_t row1);
enum assay_status normalize_f64(const struct op_case *c, const struct assay_tensor *in, bool exact,
                                double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                                struct assay_error *error);

#endif
