/* Integers and booleans out of a counter. Names and draws are those of fill.c; this is what they mean here, for b bits:
 *
 *   booleans   ones: 1; others: z >> 63
 *   ones       1
 *   integer    scale(z, 201) - 100
 *   bits       z
 *   edges      z where z & 3 = 3; else number scale(z, 16) of 0, 1, 2, 3, -1, -2, -3, 7, -7, 10, least, least + 1, most,
 *              most - 1, 2^(b/2), 2^(b/2) - 1
 *   others     z as a signed number >> (64 - b + scale(w, b)), its sign kept: magnitudes of every size, many of them 0
 *
 * It knows no tensor. */
#include "harness/fill_integer.h"

#include <string.h>

static int64_t scale(uint64_t x, int64_t n)
{
    return (int64_t)(((x >> 32) * (uint64_t)n) >> 32);
}

uint64_t fill_integer(const char *fill, enum assay_dtype dtype, uint64_t z, uint64_t w)
{
    const bool ones = !strcmp(fill, "ones"), is_signed = dtype != ASSAY_U8;
    if (dtype == ASSAY_BOOL) return ones || z >> 63;
    if (ones) return 1;
    if (!strcmp(fill, "integer")) return (uint64_t)(scale(z, 201) - 100);
    if (!strcmp(fill, "bits")) return z;
    const int bits = 8 * (int)assay_dtype_bytes(dtype);
    if (!strcmp(fill, "edges")) {
        const int64_t most = (int64_t)(UINT64_MAX >> (64 - bits + is_signed)),
                      least = is_signed ? -most - 1 : 0, root = INT64_C(1) << bits / 2;
        const int64_t edge[16] = {0,  1,  2,     3,         -1,   -2,       -3,   7,
                                  -7, 10, least, least + 1, most, most - 1, root, root - 1};
        return (z & 3) == 3 ? z : (uint64_t)edge[scale(z, 16)];
    }
    return (uint64_t)((int64_t)z >> (64 - bits) >> scale(w, bits));
}
