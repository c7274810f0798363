/* Elements of host tensors as bits and as doubles, for comparing, measuring and digesting. Internal to oracles/. */
#ifndef ORACLES_ELEMENT_H
#define ORACLES_ELEMENT_H

#include "devices/types.h"

/* Bits of elements [first, first + count) in row-major order; every NaN becomes the format's canonical one. */
void element_load(const struct assay_tensor *tensor, int64_t first, int64_t count, uint64_t *bits);
/* Where element `first` lies, in elements of the memory, and how many from it on lie one behind the other. */
int64_t element_span(const struct assay_tensor *tensor, int64_t first, int64_t *offset);
/* The number that they stand for; 64-bit integers are rounded. */
double element_value(enum assay_dtype dtype, uint64_t bits);
bool element_is_nan(enum assay_dtype dtype, uint64_t bits);
/* Steps from one value to the other in their format: 0 for equal values and for -0 against +0, infinity being the step
 * after the largest number. NaN if one is NaN and the other is not. */
double element_distance(enum assay_dtype dtype, uint64_t x, uint64_t y);
/* Size of one step of the format at a real value; that of its largest numbers beyond its range, 1 for integers. */
double element_step(enum assay_dtype dtype, double value);
/* The larger, NaN if either is: a NaN once seen is never lost. */
double element_worse(double x, double y);

#endif
