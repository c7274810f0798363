/* Plain reductions in the order of exact mode (docs/exactness.md, "Plain reductions"), and exp and log of one f32 correctly
 * rounded, for the contracts of row operators.
 *
 * Internal to oracles/. Shares no code with the kernels: exp and log are libm's in more precision. */
#ifndef ORACLES_LANES_H
#define ORACLES_LANES_H

#include <stdint.h>

enum lanes_kind { LANES_SUM, LANES_SQUARES, LANES_PRODUCT };
enum { LANES_BLOCK = 4096, LANES_LEVELS = 3 };
/* Results of finished blocks: of elements, of those, and so on. At most 2^36 elements. */
struct lanes {
    enum lanes_kind kind;
    int count[LANES_LEVELS];
    float result[LANES_LEVELS][LANES_BLOCK];
};
void lanes_begin(struct lanes *lanes, enum lanes_kind kind);
/* The next block of elements: LANES_BLOCK of them, or fewer if it is the last. */
void lanes_feed(struct lanes *lanes, const float *x, int64_t n);
float lanes_end(struct lanes *lanes);
/* Roundings on the longest path from an element to the result. */
double lanes_depth(int64_t n);
float lanes_exp(float x);
float lanes_log(float x);

/* A sum in float64 with what addition loses, infinities and NaN as addition has them. */
struct lanes_sum64 {
    double sum, rest, size; /* size: of magnitudes */
    int64_t n;
};
void lanes_sum64_add(struct lanes_sum64 *sum, double x);
/* Its value, and how far from the real sum it may be. */
double lanes_sum64_end(const struct lanes_sum64 *sum, double *error);

#endif
