/* What the files of this folder share: the axes of the quantizer by number, and its blocks.
 *
 * A q8_0 block is ggml's: 34 bytes for 32 numbers, an f16 scale, little-endian, then 32 signed bytes. */
#ifndef ORACLES_Q8_0_H
#define ORACLES_Q8_0_H

#include "oracles/oracle.h"

enum { Q8_0_N, Q8_0_K, Q8_0_PADX, Q8_0_PADY, Q8_0_OFFX, Q8_0_OFFY, Q8_0_AXES };
enum { Q8_0_NUMBERS = 32, Q8_0_BYTES = 34 };

/* The 34 bytes of 32 numbers: the definition, at the head of contract.c. */
void q8_0_block(const float x[Q8_0_NUMBERS], uint8_t bytes[Q8_0_BYTES]);

void q8_0_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                   int64_t row0, int64_t row1);

#endif
