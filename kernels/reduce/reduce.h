/* Reductions over any set of axes (ReduceSum and its kin, ArgMax, ArgMin): what the files of this folder share.
 *
 * A reduction is one dispatch a level: rows of X by blocks of 4,096 elements give one result a block; where a row has
 * several, they are the next level's row, in scratch memory. Arg-max and arg-min have one level. problem.c reads calls and
 * makes plans; cpu*.c, vulkan.comp and cuda.cu hold the device code; kernels.c the table. */
#ifndef ASSAY_KERNELS_REDUCE_H
#define ASSAY_KERNELS_REDUCE_H

#include "kernels/kernel.h"

#define REDUCE_BLOCK 4096 /* elements that 128 lanes add before they are joined */
#define REDUCE_LANES 128
#define REDUCE_DIMS  4 /* of each kind, after those that lie one in the other are merged */

/* What happens to an element, how two are joined, what happens to the result. Numbers that device code has too. */
enum reduce_before { REDUCE_AS_IS, REDUCE_MAGNITUDE, REDUCE_SQUARE };
enum reduce_join { REDUCE_ADD, REDUCE_MULTIPLY, REDUCE_MAX, REDUCE_MIN, REDUCE_ARGMAX, REDUCE_ARGMIN };
enum reduce_after { REDUCE_STORE, REDUCE_MEAN, REDUCE_ROOT, REDUCE_LOG };

/* Kernel arguments of every row, 120 bytes. Row r of `rows` (a number over the kept dimensions, the last fastest) has k
 * elements (a number over the reduced ones) in `blocks` blocks. Strides and offsets in elements. Device code repeats it. */
struct reduce_push {
    uint32_t rows, blocks;
    uint32_t k_low, k_high;
    uint32_t x_offset, y_offset; /* what bindings at multiples of 256 bytes leave over */
    uint32_t operation;          /* before | join << 4 | after << 8 | last << 12 | 16-bit type << 16 */
    uint32_t count;              /* RN(k of the whole reduction) as a word */
    uint32_t each;               /* pairs of row and block a workgroup */
    uint32_t kept_n[REDUCE_DIMS], kept_x[REDUCE_DIMS], kept_y[REDUCE_DIMS];
    uint32_t reduced_n[REDUCE_DIMS], reduced_x[REDUCE_DIMS];
};

/* How a backend wants its steps: the program's codes for `push`, its workgroup and how many pairs a workgroup takes. */
struct reduce_technique {
    const char *name;
    /* False with the reason where it takes no such level. Sets codes, code_count, group, spec and *each. */
    bool (*program)(const struct assay_device_info *info, const struct reduce_push *push,
                    enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160]);
    bool wide; /* device code reaches elements past 2^32 */
};

/* The steps of a call. False, with the limit and the value in why, where it is none or too large. */
bool reduce_plan_make(const struct assay_device_info *info, const struct assay_call *call,
                      const struct reduce_technique *technique, enum assay_variant variant,
                      struct assay_plan *plan, char why[160]);

#define REDUCE_ROW(backend, name)                                                                            \
    bool reduce_##backend##_##name##_present(const struct assay_device_info *info, char why[160]);           \
    bool reduce_##backend##_##name##_supports(const struct assay_device_info *info,                          \
                                              const struct assay_call *call, char why[160]);                 \
    double reduce_##backend##_##name##_cost(const struct assay_device_info *info,                            \
                                            const struct assay_call *call);                                  \
    enum assay_status reduce_##backend##_##name##_plan(                                                      \
        const struct assay_device_info *info, const struct assay_call *call, enum assay_variant variant,     \
        struct assay_plan *plan, struct assay_error *error)
REDUCE_ROW(cpu, plain);
REDUCE_ROW(cpu, avx2);
REDUCE_ROW(vulkan, lanes);
REDUCE_ROW(cuda, lanes);

/* The calls that each operator's rows must get right before they are used, in the order of kernels.c (known.c). */
#define REDUCE_OPERATORS 11
#define REDUCE_KNOWN     5
extern const struct assay_known_answer reduce_known[REDUCE_OPERATORS][REDUCE_KNOWN];

#endif
