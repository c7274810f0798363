/* The Q1_0 product in plain C, in every form of the fused multiply-add, and the quantizer: the slowest rows, which run
 * everywhere.
 *
 * Exactness: rule 11. Lane l sums codes 4l .. 4l + 3 of a sub-block exactly, -128 staying -128 when it is negated;
 * ab = d1 * s (exact), then RN(ab + d1 * s) three times; acc = fma(d0, ab, acc), blocks ascending from +0; the eight lanes
 * as ((a0 + a4) + (a2 + a6)) + ((a1 + a5) + (a3 + a7)). Infinite and NaN scales take part as IEEE 754 says. */
#include "kernels/q1_0/quantize.h"
#include "kernels/q1_0/cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECTION __attribute__((section("assay_q1_0_plain"), flatten))

static inline float scale_at(const uint8_t *p)
{
    return q1_half(p[0] | (uint32_t)p[1] << 8);
}

/* The exact sum of lane l of one sub-block; `signs` are its four bits. */
static inline int32_t lane_sum(const uint8_t *codes, uint32_t signs)
{
    int32_t sum = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t flip = (signs >> i & 1) - 1; /* all ones where the code is negated */
        sum += (int8_t)(uint8_t)((codes[i] ^ flip) - flip);
    }
    return sum;
}

/* Workgroup g: one row of X by Q1_CPU_ROWS rows of W. Buffers: W, X, Y. */
#define MULTIPLY(name, form, target)                                                                         \
    static SECTION target void name(void *const *buffers, const void *push, const uint32_t group[3])         \
    {                                                                                                        \
        const struct q1_push *p = push;                                                                      \
        int64_t parts = ((int64_t)p->m + Q1_CPU_ROWS - 1) / Q1_CPU_ROWS,                                     \
                row = group[0] % parts * Q1_CPU_ROWS;                                                        \
        int64_t column = group[0] / parts, end = row + Q1_CPU_ROWS < p->m ? row + Q1_CPU_ROWS : p->m;        \
        const uint8_t *x = (const uint8_t *)buffers[1] + p->x_offset + column * p->x_row;                    \
        float *y = (float *)buffers[2] + p->y_offset + column * p->y_row;                                    \
        for (; row < end; row++) {                                                                           \
            const uint8_t *w = (const uint8_t *)buffers[0] + p->w_offset + row * p->w_row;                   \
            float acc[Q1_LANES] = {0};                                                                       \
            for (int64_t b = 0; b < p->blocks; b++) {                                                        \
                float ab[Q1_LANES] = {0}, d0 = scale_at(w + b * Q1_BYTES);                                   \
                for (int k = 0; k < Q1_SUBS; k++) {                                                          \
                    const uint8_t *block = x + (b * Q1_SUBS + k) * Q8_BYTES;                                 \
                    const uint8_t *signs = w + b * Q1_BYTES + 2 + 4 * k;                                     \
                    float d1 = scale_at(block);                                                              \
                    for (int l = 0; l < Q1_LANES; l++) {                                                     \
                        int32_t s = lane_sum(block + 2 + 4 * l, signs[l / 2] >> l % 2 * 4);                  \
                        float part = xf_mul_##form(d1, (float)s);                                            \
                        ab[l] = k ? xf_add_##form(ab[l], part) : part;                                       \
                    }                                                                                        \
                }                                                                                            \
                for (int l = 0; l < Q1_LANES; l++) acc[l] = xf_fma_##form(d0, ab[l], acc[l]);                \
            }                                                                                                \
            float even = xf_add_##form(xf_add_##form(acc[0], acc[4]), xf_add_##form(acc[2], acc[6]));        \
            float odd = xf_add_##form(xf_add_##form(acc[1], acc[5]), xf_add_##form(acc[3], acc[7]));         \
            y[row] = xf_add_##form(even, odd);                                                               \
        }                                                                                                    \
    }

MULTIPLY(multiply_native, native, )
#ifdef __x86_64__
MULTIPLY(multiply_native_fma, native, __attribute__((target("fma"))))
#endif
MULTIPLY(multiply_guarded, guarded, )
MULTIPLY(multiply_emulated, emulated, )
MULTIPLY(multiply_integer, integer, )

/* Workgroup g: up to Q8_CPU_BLOCKS blocks of one row. Buffers: X, Y. */
static SECTION void quantize(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct q1_push *p = push;
    int64_t parts = ((int64_t)p->blocks + Q8_CPU_BLOCKS - 1) / Q8_CPU_BLOCKS, row = group[0] / parts;
    int64_t block = group[0] % parts * Q8_CPU_BLOCKS;
    int64_t end = block + Q8_CPU_BLOCKS < p->blocks ? block + Q8_CPU_BLOCKS : p->blocks;
    for (; block < end; block++) {
        const uint32_t *x = (const uint32_t *)buffers[0] + p->x_offset + row * p->x_row + block * Q8_NUMBERS;
        uint8_t *y = (uint8_t *)buffers[1] + p->y_offset + row * p->y_row + block * Q8_BYTES;
        uint32_t amax = 0;
        for (int i = 0; i < Q8_NUMBERS; i++) {
            uint32_t magnitude = x[i] & 0x7FFFFFFFu;
            amax = magnitude > amax ? magnitude : amax;
        }
        const struct q8_scale scale = q8_scale_of(amax);
        y[0] = (uint8_t)scale.scale;
        y[1] = (uint8_t)(scale.scale >> 8);
        for (int i = 0; i < Q8_NUMBERS; i++) y[2 + i] = (uint8_t)q8_code_of(scale, x[i]);
    }
}

extern const char __start_assay_q1_0_plain[] __attribute__((visibility("hidden")));
extern const char __stop_assay_q1_0_plain[] __attribute__((visibility("hidden")));

enum { HARDWARE = ASSAY_VARIANT_AUTO, QUANTIZE = ASSAY_VARIANT_COUNT, CODES };

#define CODE(name_, function)                                                                                \
    {                                                                                                        \
        .kind = ASSAY_CODE_NATIVE, .name = name_, .data = __start_assay_q1_0_plain,                          \
        .end = __stop_assay_q1_0_plain, .native = function                                                   \
    }
static const struct assay_code code[CODES] = {
#ifdef __x86_64__
    [HARDWARE] = CODE("q1_0.cpu.plain.native_fma", multiply_native_fma),
#else
    [HARDWARE] = CODE("q1_0.cpu.plain.native", multiply_native),
#endif
    [ASSAY_VARIANT_NATIVE] = CODE("q1_0.cpu.plain.native", multiply_native),
    [ASSAY_VARIANT_GUARDED] = CODE("q1_0.cpu.plain.guarded", multiply_guarded),
    [ASSAY_VARIANT_EMULATED] = CODE("q1_0.cpu.plain.emulated", multiply_emulated),
    [ASSAY_VARIANT_INTEGER] = CODE("q1_0.cpu.plain.integer", multiply_integer),
    [QUANTIZE] = CODE("q1_0.cpu.quantize", quantize),
};
#undef CODE

static bool everywhere(char why[160])
{
    why[0] = '\0';
    return true;
}

/* groups = ceil(length / part) * lines, if the device takes as many. */
static bool count_groups(const struct assay_device_info *info, int64_t length, int64_t part, int64_t lines,
                         int64_t *groups, char why[160])
{
    int64_t parts = length / part + (length % part != 0);
    if (!__builtin_mul_overflow(parts, lines, groups) && *groups <= info->limits.groups[0]) return true;
    snprintf(why, 160, "%" PRId64 " lines of %" PRId64 " need more workgroups than the limit of %" PRIu32,
             lines, length, info->limits.groups[0]);
    return false;
}

static void finish_step(struct assay_step *step, const struct assay_code *of, uint32_t bindings,
                        const struct q1_push *push, int64_t groups)
{
    step->program = (struct assay_program_params){
        .codes = of,
        .code_count = 1,
        .bindings = bindings,
        .push_bytes = sizeof *push,
        .group = {1, 1, 1},
    };
    memcpy(step->push, push, sizeof *push);
    step->groups[0] = (uint32_t)groups;
    step->groups[1] = step->groups[2] = 1;
}

/* ---- plain ---- */

static bool lay_out(const struct assay_device_info *info, const struct assay_call *call,
                    struct assay_step *step, struct q1_push *push, int64_t *groups, char why[160])
{
    struct q1_problem p;
    return q1_matmul_read(call, &p, why) && q1_push_fill(call, &p, 0, p.m, push, step, why) &&
           q1_bindings_fit(info, step, 3, why) && count_groups(info, p.m, Q1_CPU_ROWS, p.n, groups, why);
}

bool q1_cpu_plain_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    return everywhere(why);
}

bool q1_cpu_plain_supports(const struct assay_device_info *info, const struct assay_call *call, char why[160])
{
    struct assay_step step = {0};
    struct q1_push push;
    int64_t groups;
    return lay_out(info, call, &step, &push, &groups, why);
}

double q1_cpu_plain_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    struct q1_problem p;
    char why[160];
    if (!q1_matmul_read(call, &p, why)) return 1e300;
    double units = info->compute_units ? info->compute_units : 1;
    return 1000 + (double)p.m * (double)p.n * (double)p.blocks * 200 / units;
}

enum assay_status q1_cpu_plain_plan(const struct assay_device_info *info, const struct assay_call *call,
                                    enum assay_variant variant, struct assay_plan *plan,
                                    struct assay_error *error)
{
    char why[160];
    struct q1_push push;
    int64_t groups;
    memset(plan, 0, sizeof *plan);
    if (!lay_out(info, call, &plan->step[0], &push, &groups, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "q1_0.cpu.plain: %s", why);
    if (!groups) return ASSAY_OK;
    bool hardware = variant == ASSAY_VARIANT_NATIVE && info->simd & ASSAY_SIMD_FMA;
    finish_step(&plan->step[0], &code[hardware ? HARDWARE : variant], 3, &push, groups);
    plan->step_count = 1;
    return ASSAY_OK;
}

/* ---- quantize ---- */

static bool lay_out_quantize(const struct assay_device_info *info, const struct assay_call *call,
                             struct assay_step *step, struct q1_push *push, int64_t *groups, char why[160])
{
    struct q1_problem p;
    return q1_quantize_read(call, &p, why) && q1_push_fill(call, &p, 0, p.n, push, step, why) &&
           q1_bindings_fit(info, step, 2, why) &&
           count_groups(info, p.blocks, Q8_CPU_BLOCKS, p.n, groups, why);
}

bool q1_cpu_quantize_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    return everywhere(why);
}

bool q1_cpu_quantize_supports(const struct assay_device_info *info, const struct assay_call *call,
                              char why[160])
{
    struct assay_step step = {0};
    struct q1_push push;
    int64_t groups;
    return lay_out_quantize(info, call, &step, &push, &groups, why);
}

double q1_cpu_quantize_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return (double)assay_tensor_elems(&call->input[0]);
}

enum assay_status q1_cpu_quantize_plan(const struct assay_device_info *info, const struct assay_call *call,
                                       enum assay_variant variant, struct assay_plan *plan,
                                       struct assay_error *error)
{
    char why[160];
    struct q1_push push;
    int64_t groups;
    (void)variant;
    memset(plan, 0, sizeof *plan);
    if (!lay_out_quantize(info, call, &plan->step[0], &push, &groups, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "q1_0.cpu.quantize: %s", why);
    if (!groups) return ASSAY_OK;
    finish_step(&plan->step[0], &code[QUANTIZE], 2, &push, groups);
    plan->step_count = 1;
    return ASSAY_OK;
}
