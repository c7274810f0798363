/* Elementwise operators with ONNX broadcasting, of one, two or three inputs: what the files of this folder share.
 *
 * text.h says what an element is, problem.c reads calls and makes plans, cpu.c, vulkan.c and cuda.c name the programs,
 * rows.def lists operators and element types. A tensor is described by strides alone, 0 where it is broadcast, so every
 * program takes every broadcasting. */
#ifndef ASSAY_ELEMENTWISE_H
#define ASSAY_ELEMENTWISE_H

#include "kernels/elementwise/text.h"
#include "kernels/kernel.h"

#define ELEMENTWISE_WORDS 27
enum { ELEMENTWISE_A, ELEMENTWISE_B, ELEMENTWISE_C, ELEMENTWISE_Y, ELEMENTWISE_OPERANDS };

/* Arguments of every program, 128 bytes.
 *
 * count: elements of Y. what: operator, element type of the inputs << 8, that of Y << 16, dimensions << 24 (1 to 8),
 * flags << 28. start: for each operand the element of its binding at which it begins, 8 bits each. mask: for each operand
 * 8 bits, bit d set where it has a stride along dimension d. word: lengths of the dimensions, outermost first; then, from
 * the innermost dimension out, for A, B, C and Y in turn, the strides that mask tells. */
struct elementwise_push {
    uint32_t count_low, count_high;
    uint32_t what, start, mask;
    uint32_t word[ELEMENTWISE_WORDS];
};

#define ELEMENTWISE_FLAT  1u /* one dimension, all strides 0 or 1 */
#define ELEMENTWISE_DENSE 2u /* Y's elements lie one behind the other, in order */
#define ELEMENTWISE_VECTOR                                                                                   \
    4u /* flat, and all operands but the broadcast ones begin at a multiple of 4 elements */

/* A call as all backends see it. */
struct elementwise_problem {
    uint32_t op, from, to; /* EW_ADD ...; element types of the inputs (of B and C for Where) and of Y */
    uint32_t inputs;
    uint32_t rank;
    int64_t count;
    int64_t shape[ASSAY_RANK_MAX];
    int64_t stride[ELEMENTWISE_OPERANDS][ASSAY_RANK_MAX]; /* of operands that are not there: 0 */
    const struct assay_tensor *tensor[ELEMENTWISE_OPERANDS];
};

/* Read a call: shapes broadcast, dimensions that lie one in the other joined. False, with the reason in why, for what no
 * program here takes. */
bool elementwise_read(const struct assay_call *call, struct elementwise_problem *problem, char why[160]);
/* Do the four operands share the word that their strides need? */
bool elementwise_push_fill(const struct elementwise_problem *problem, struct elementwise_push *push,
                           char why[160]);
/* Bind `count` elements from element `first` of a flat problem on (all of it otherwise) and fill push->start. False where a
 * binding is longer than `most` bytes. */
bool elementwise_bind(const struct elementwise_problem *problem, int64_t first, int64_t count, uint64_t most,
                      struct elementwise_push *push, struct assay_step *step, char why[160]);

/* ---- backends: the functions of their rows ---- */
#define ELEMENTWISE_BACKEND(backend)                                                                         \
    bool elementwise_##backend##_present(const struct assay_device_info *info, char why[160]);               \
    bool elementwise_##backend##_supports(const struct assay_device_info *info,                              \
                                          const struct assay_call *call, char why[160]);                     \
    double elementwise_##backend##_cost(const struct assay_device_info *info,                                \
                                        const struct assay_call *call);                                      \
    enum assay_status elementwise_##backend##_plan(                                                          \
        const struct assay_device_info *info, const struct assay_call *call, enum assay_variant variant,     \
        struct assay_plan *plan, struct assay_error *error)
ELEMENTWISE_BACKEND(cpu);
ELEMENTWISE_BACKEND(vulkan);
ELEMENTWISE_BACKEND(cuda);

#endif
