/* Softmax, LogSoftmax, LayerNormalization and RMSNormalization: what the files of this folder share.
 *
 * One dispatch: X is lines of k elements, each of which becomes the line of Y at the same place. problem.c reads calls and
 * makes plans; cpu*.c, vulkan.comp and cuda.cu hold the device code; kernels.c the table. */
#ifndef ASSAY_KERNELS_NORMALIZE_H
#define ASSAY_KERNELS_NORMALIZE_H

#include "kernels/kernel.h"

#define NORMALIZE_BLOCK  4096 /* elements that 128 lanes add before they are joined */
#define NORMALIZE_LANES  128
#define NORMALIZE_BLOCKS 4096 /* of a line: their results fit one block more */
#define NORMALIZE_KEPT   4 /* dimensions that lines are counted over, merged where they lie one in the other */
#define NORMALIZE_INNER  3 /* and dimensions of a line */

enum normalize_kind { NORMALIZE_SOFTMAX, NORMALIZE_LOG_SOFTMAX, NORMALIZE_LAYER, NORMALIZE_RMS };

/* Kernel arguments of every row, 128 bytes. Strides and offsets in elements; offsets are what bindings at multiples of 256
 * bytes leave over. Scale and bias are dense. Device code repeats it. */
struct normalize_push {
    uint32_t lines, k;
    uint32_t x_offset, y_offset, scale_offset, bias_offset;
    uint32_t operation; /* kind | 16 where there is a bias */
    uint32_t epsilon;   /* a word */
    uint32_t count;     /* RN(k) as a word */
    uint32_t each;      /* lines a workgroup */
    uint32_t unused;
    uint32_t kept_n[NORMALIZE_KEPT], kept_x[NORMALIZE_KEPT], kept_y[NORMALIZE_KEPT];
    uint32_t inner_n[NORMALIZE_INNER], inner_x[NORMALIZE_INNER], inner_y[NORMALIZE_INNER];
};

/* How a backend wants its step: the program's codes for `push`, its workgroup and how many lines a workgroup takes. */
struct normalize_technique {
    const char *name;
    /* False with the reason where it takes no such lines. Sets codes, code_count, group, spec and *each. */
    bool (*program)(const struct assay_device_info *info, const struct normalize_push *push,
                    enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160]);
    bool wide; /* device code reaches elements past 2^32 */
};

/* The step of a call. False, with the limit and the value in why, where it is none or too large. */
bool normalize_plan_make(const struct assay_device_info *info, const struct assay_call *call,
                         const struct normalize_technique *technique, enum assay_variant variant,
                         struct assay_plan *plan, char why[160]);

#define NORMALIZE_ROW(backend, name)                                                                         \
    bool normalize_##backend##_##name##_present(const struct assay_device_info *info, char why[160]);        \
    bool normalize_##backend##_##name##_supports(const struct assay_device_info *info,                       \
                                                 const struct assay_call *call, char why[160]);              \
    double normalize_##backend##_##name##_cost(const struct assay_device_info *info,                         \
                                               const struct assay_call *call);                               \
    enum assay_status normalize_##backend##_##name##_plan(                                                   \
        const struct assay_device_info *info, const struct assay_call *call, enum assay_variant variant,     \
        struct assay_plan *plan, struct assay_error *error)
NORMALIZE_ROW(cpu, plain);
NORMALIZE_ROW(cpu, avx2);
NORMALIZE_ROW(vulkan, lanes);
NORMALIZE_ROW(cuda, lanes);

/* The calls that each operator's rows must get right before they are used, in the order of kernels.c (known.c). */
#define NORMALIZE_OPERATORS 4
#define NORMALIZE_KNOWN     4
extern const struct assay_known_answer normalize_known[NORMALIZE_OPERATORS][NORMALIZE_KNOWN];

#endif
