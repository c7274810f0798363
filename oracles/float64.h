/* Float64 products for the operators' f64.c: OpenBLAS where it is sound on this machine, checked once.
 *
 * Internal to oracles/. */
#ifndef ORACLES_FLOAT64_H
#define ORACLES_FLOAT64_H

#include "devices/types.h"

/* C (m x n) = A (m x k) B (k x n) + beta C, row-major, leading dimensions in elements. */
typedef void float64_gemm_fn(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda, const double *b,
                             int64_t ldb, double beta, double *c, int64_t ldc);

/* dgemm on one thread, or NULL if it failed its check on this machine or was not made for this processor: use a
 * built-in accumulator then. */
float64_gemm_fn *float64_gemm(void);
/* The same if it passed its check, however slow. */
float64_gemm_fn *float64_gemm_sound(void);
/* Try a gemm on integer matrices whose products are exact in float64 in any order. */
enum assay_status float64_gemm_check(float64_gemm_fn *gemm, const char *name, struct assay_error *error);

#endif
