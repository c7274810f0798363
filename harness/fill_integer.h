/* Integers and booleans of fills (fill.c has the floats, and what draws mean). Internal to the fills. */
#ifndef ASSAY_FILL_INTEGER_H
#define ASSAY_FILL_INTEGER_H

#include "devices/types.h"

/* The low bits of an element of this type: z and w are rand(e,0) and rand(e,1) of its place. */
uint64_t fill_integer(const char *fill, enum assay_dtype dtype, uint64_t z, uint64_t w);

#endif
