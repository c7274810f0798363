/* What the files of this folder share: the operators by number, the axes of their cases, and the oracles' two functions.
 *
 * Knows tensors only; nothing of devices, kernels or how a tensor was filled. */
#ifndef ORACLES_ELEMENTWISE_H
#define ORACLES_ELEMENTWISE_H

#include "oracles/oracle.h"

enum elementwise_op {
    ELEMENTWISE_ADD,
    ELEMENTWISE_SUB,
    ELEMENTWISE_MUL,
    ELEMENTWISE_DIV,
    ELEMENTWISE_MIN,
    ELEMENTWISE_MAX,
    ELEMENTWISE_MOD,
    ELEMENTWISE_EQUAL,
    ELEMENTWISE_LESS,
    ELEMENTWISE_LESS_OR_EQUAL,
    ELEMENTWISE_GREATER,
    ELEMENTWISE_GREATER_OR_EQUAL,
    ELEMENTWISE_AND,
    ELEMENTWISE_OR,
    ELEMENTWISE_XOR,
    ELEMENTWISE_NOT,
    ELEMENTWISE_WHERE,
    ELEMENTWISE_CAST,
    ELEMENTWISE_OPS
};

/* Axes. Operators with fewer inputs have the first ones of this list: one input up to OFFY, two up to OFFB, Mod up to FMOD;
 * Where has C's in FMOD's place. A dimension of length -1 is not there. */
enum {
    ELEMENTWISE_N,
    ELEMENTWISE_D1,
    ELEMENTWISE_D7 = ELEMENTWISE_D1 + 6,
    ELEMENTWISE_BA,
    ELEMENTWISE_PADA,
    ELEMENTWISE_OFFA,
    ELEMENTWISE_PADY,
    ELEMENTWISE_OFFY,
    ELEMENTWISE_UNARY_AXES,
    ELEMENTWISE_BB = ELEMENTWISE_UNARY_AXES,
    ELEMENTWISE_PADB,
    ELEMENTWISE_OFFB,
    ELEMENTWISE_BINARY_AXES,
    ELEMENTWISE_FMOD = ELEMENTWISE_BINARY_AXES,
    ELEMENTWISE_MOD_AXES,
    ELEMENTWISE_BC = ELEMENTWISE_BINARY_AXES,
    ELEMENTWISE_PADC,
    ELEMENTWISE_OFFC,
    ELEMENTWISE_TERNARY_AXES
};

#define ELEMENTWISE_DROP 256 /* of BA, BB, BC: leading dimensions of length 1 are left out of the shape */

/* Which operator a case is of; the table is define.c's. */
enum elementwise_op elementwise_op_of(const struct op_case *c);

void elementwise_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                          int64_t row0, int64_t row1);
enum assay_status elementwise_f64(const struct op_case *c, const struct assay_tensor *in, bool exact,
                                  double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                                  struct assay_error *error);
double elementwise_contract_bound(const struct op_case *c, double magnitude);

/* Element of operand `t` for element `number` (row-major) of an output of this shape, in elements of its memory. */
int64_t elementwise_place(const struct assay_tensor *t, const struct assay_tensor *out, int64_t number);

#endif
