/* How inputs are filled: a table of small functions of (seed, tensor, multi-index), in integers only (no libm), so
 * that any element can be made anywhere and golden hashes depend on no machine. Windows of a case see the parent's
 * elements. */
#ifndef ASSAY_FILL_H
#define ASSAY_FILL_H

#include "harness/case.h"

struct fill {
    const char *name;
    const char *what;
    bool exact_sums; /* sums are exact in any order: even fast mode must be bit-equal */
    bool wide;       /* float64 itself is the noise: the f64 oracle uses its exact accumulator */
    bool nonfinite;  /* NaN or infinity among the inputs */
    /* Bits of the element of operand `operand` at multi-index index[] of the parent case (rank as in the signature;
     * reduced is the dimension summed over, length its parent's length). */
    uint64_t (*bits)(uint64_t seed, int operand, const struct op_operand *layout, const int64_t *index,
                     const int64_t *parent_shape);
};

extern const struct fill fill_table[];
extern const size_t fill_count;
const struct fill *fill_find(const char *name);

/* Fills of operands that are bytes of blocks (struct op_operand's `block`); a table of their own, since some names mean
 * the same there and are made otherwise. fill_block.c defines them. */
struct fill_block {
    const char *name;
    const char *what;
    bool exact_sums, nonfinite; /* as above */
};
extern const struct fill_block fill_block_table[];
extern const size_t fill_block_count;
const struct fill_block *fill_block_find(const char *name);
/* Does a case with these operands take the fills of blocks, and no other? */
bool fill_takes_blocks(const struct op_signature *sig);

/* Write every element of input `operand` of the case into tensor (host data, laid out as sig says). Memory between
 * elements is left alone. Threads change no bit. */
enum assay_status fill_tensor(const struct case_spec *spec, const struct op_signature *sig, int operand,
                              struct assay_tensor *tensor, struct oracle_pool *pool,
                              struct assay_error *error);

/* The part of fill_tensor that makes blocks. */
enum assay_status fill_block_tensor(const struct case_spec *spec, const struct op_operand *layout,
                                    int operand, struct assay_tensor *tensor, struct oracle_pool *pool,
                                    struct assay_error *error);

/* Write the window that the case is of `whole`, the operand of the parent case, into tensor: for operands whose values
 * come from a file. Both are dense along the last dimension. */
enum assay_status fill_captured(const struct case_spec *spec, const struct op_operand *layout,
                                const struct assay_tensor *whole, struct assay_tensor *tensor,
                                struct assay_error *error);

/* Counter-based generator: 64 well-mixed bits of (seed, operand, flat parent index, draw). */
uint64_t fill_random(uint64_t seed, int operand, uint64_t element, uint32_t draw);

#endif
