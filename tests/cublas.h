/* cuBLAS's f32 product (pedantic: no TF32) for comparison, opened at run time through the CUDA runtime. Benchmarks
 * only: nothing of Assay uses it. */
#ifndef ASSAY_TESTS_CUBLAS_H
#define ASSAY_TESTS_CUBLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cublas;

/* path: a file, a folder that holds libcublas, or NULL to look in the usual places. NULL, with the reason in why, when
 * there is none or no GPU. version gets "13.1.0". */
struct cublas *cublas_open(const char *path, char version[32], char why[256]);
void cublas_close(struct cublas *cublas); /* accepts NULL */

/* Row-major Y = A B on copies of the host's A and B. False, with the reason, on failure; replaces the operands before. */
bool cublas_load(struct cublas *cublas, int64_t m, int64_t n, int64_t k, const float *a, const float *b,
                 char why[256]);
/* `repeat` products back to back between two events. Nanoseconds of all; 0 on failure. */
double cublas_time(struct cublas *cublas, uint32_t repeat);
bool cublas_result(struct cublas *cublas, float *y);

#endif
