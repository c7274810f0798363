/* A Q1_0 product or a quantization on an engine, checked bit by bit against a scalar model of a few lines: for the tests of
 * every backend, and for the benchmark's data. */
#ifndef ASSAY_TESTS_Q1_H
#define ASSAY_TESTS_Q1_H

#include "kernels/assay.h"

enum q1_fill {
    Q1_FILL_LAYER,   /* scales and activations as in a layer of a model */
    Q1_FILL_WRAP,    /* codes of -128 in many places */
    Q1_FILL_SCALES,  /* finite scales of every size */
    Q1_FILL_SPECIAL, /* and infinite and NaN ones */
};

/* Bytes of a matrix of weights or of a line of activations; depends on seed and place alone. */
void q1_fill_weights(uint8_t *w, int64_t blocks, uint64_t seed, enum q1_fill fill);
void q1_fill_activations(uint8_t *x, int64_t blocks, uint64_t seed, enum q1_fill fill);

/* Rule 11 for one row of W and one of X of `blocks` q1_0 blocks. */
float q1_model(const uint8_t *w, const uint8_t *x, int64_t blocks);
/* Row K07 for 32 numbers. */
void q1_model_quantize(const float x[32], uint8_t bytes[34]);

struct q1_case {
    int64_t m, n, blocks;
    int64_t pad_w, pad_x, pad_y; /* unused elements after each row */
    int64_t off_w, off_x, off_y; /* elements before the tensor */
    enum q1_fill fill;
};

/* Run it by one row (NULL: the engine's choice) and fail the test if a bit differs or a byte outside the output changed.
 * ASSAY_UNSUPPORTED with the reason in error when that row does not take the case; any other error fails the test. *digest
 * (may be NULL) is the XXH3 of the output memory. */
enum assay_status q1_run(struct assay_engine *engine, const struct q1_case *c, const char *technique,
                         uint64_t *digest, struct assay_error *error);
/* The same in two halves, for tests that run a case many times: its data and its right answer, worked out once. */
struct q1_ready;
struct q1_ready *q1_prepare(const struct q1_case *c);
enum assay_status q1_ready_run(struct assay_engine *engine, const struct q1_ready *ready,
                               const char *technique, uint64_t *digest, struct assay_error *error);
void q1_ready_free(struct q1_ready *ready);
/* Likewise Q8_0Quantize of n rows of blocks * 32 numbers: pad_x, off_x and pad_y, off_y count. */
enum assay_status q1_quantize_run(struct assay_engine *engine, const struct q1_case *c, const char *technique,
                                  struct assay_error *error);

#endif
