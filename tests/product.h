/* One matrix product as tests make it: host memory with padding and offsets, the right bits from a scalar loop that
 * follows rule 2 of docs/exactness.md, and a run on an engine that compares every byte. */
#ifndef ASSAY_TESTS_PRODUCT_H
#define ASSAY_TESTS_PRODUCT_H

#include "kernels/assay.h"

enum product_fill { FILL_ORDINARY, FILL_ONES, FILL_WIDE, FILL_TINY };

struct product {
    int64_t m, n, k;
    int64_t batch;           /* 0 = no batch dimension at all */
    bool a_shared, b_shared; /* the operand has no batch dimension */
    bool a_turned, b_turned; /* stored transposed */
    bool y_turned;
    int64_t pad;       /* elements after every stored row of every operand */
    int64_t offset[3]; /* elements before A, B and Y */
    bool interleaved;  /* A is stored [m][batch][k] */
    enum product_fill fill;
};

/* Run it and compare. ASSAY_UNSUPPORTED is returned (with a reason in *error) and is no failure; any other error, any
 * differing bit, any byte changed outside Y's elements is a failed assertion. digest (may be NULL): XXH3 of Y's memory. */
enum assay_status product_run(struct assay_engine *engine, const struct product *product,
                              const char *technique, uint64_t *digest, struct assay_error *error);
/* Bits of Y's element (batch, i, j) by the scalar loop: a and b point at the element (batch, i, 0) and (batch, 0, j). */
float product_element(const float *a, int64_t a_col, const float *b, int64_t b_row, int64_t k);

#endif
