/* The matrix product in plain C: one row of Y, 64 columns at a time, in every form of the fused multiply-add. The
 * slowest row and the one that runs everywhere.
 *
 * Exactness: rule 2 as written: c = fma(a, b, c) over 32 positions from +0; g = RN(g + c) over four chains from +0;
 * t = RN(t + g) from +0. `native` is C's fmaf (rounds once by the C standard; in hardware where the processor has it);
 * the other forms are those of kernels/exact. */
#include "kernels/exact/exact.h"
#include "kernels/matmul/cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS 64
#define SECTION __attribute__((section("assay_matmul_plain"), flatten))

/* Workgroup g computes columns [64 j, 64 j + 64) of one row of one batch. Buffers: A, B, Y. */
#define MULTIPLY(name, form, target)                                                                         \
    static SECTION target void name(void *const *buffers, const void *push, const uint32_t group[3])         \
    {                                                                                                        \
        const struct matmul_push *p = push;                                                                  \
        int64_t blocks = ((int64_t)p->n + COLUMNS - 1) / COLUMNS, block = group[0] % blocks;                 \
        int64_t row = group[0] / blocks % p->m, batch = group[0] / blocks / p->m, col0 = block * COLUMNS;    \
        int cols = (int)(p->n - col0 < COLUMNS ? p->n - col0 : COLUMNS);                                     \
        const float *a =                                                                                     \
            (const float *)buffers[0] + p->a_offset + batch * p->a_batch + row * (int64_t)p->a_row;          \
        const float *b =                                                                                     \
            (const float *)buffers[1] + p->b_offset + batch * p->b_batch + col0 * (int64_t)p->b_col;         \
        float *y = (float *)buffers[2] + p->y_offset + batch * p->y_batch + row * (int64_t)p->y_row +        \
                   col0 * (int64_t)p->y_col;                                                                 \
        int64_t b_col = p->b_col, b_row = p->b_row, a_col = p->a_col, count = p->k;                          \
        float total[COLUMNS] = {0}, sum[COLUMNS], chain[COLUMNS];                                            \
        for (int64_t k = 0; k < count;) {                                                                    \
            int64_t group_end = k + 128 < count ? k + 128 : count;                                           \
            memset(sum, 0, sizeof sum);                                                                      \
            while (k < group_end) {                                                                          \
                int64_t chain_end = k + 32 < group_end ? k + 32 : group_end;                                 \
                memset(chain, 0, sizeof chain);                                                              \
                for (; k < chain_end; k++) {                                                                 \
                    float factor = a[k * a_col];                                                             \
                    const float *from = b + k * b_row;                                                       \
                    for (int j = 0; j < cols; j++)                                                           \
                        chain[j] = xf_fma_##form(factor, from[j * b_col], chain[j]);                         \
                }                                                                                            \
                for (int j = 0; j < cols; j++) sum[j] = xf_add_##form(sum[j], chain[j]);                     \
            }                                                                                                \
            for (int j = 0; j < cols; j++) total[j] = xf_add_##form(total[j], sum[j]);                       \
        }                                                                                                    \
        for (int j = 0; j < cols; j++) y[j * (int64_t)p->y_col] = total[j];                                  \
    }

MULTIPLY(multiply_native, native, )
#ifdef __x86_64__
MULTIPLY(multiply_native_fma, native, __attribute__((target("fma"))))
#endif
MULTIPLY(multiply_guarded, guarded, )
MULTIPLY(multiply_emulated, emulated, )
MULTIPLY(multiply_integer, integer, )

extern const char __start_assay_matmul_plain[] __attribute__((visibility("hidden")));
extern const char __stop_assay_matmul_plain[] __attribute__((visibility("hidden")));

enum { HARDWARE = ASSAY_VARIANT_AUTO }; /* place of the text for processors with FMA */

#define CODE(name_, function)                                                                                \
    {                                                                                                        \
        .kind = ASSAY_CODE_NATIVE, .name = name_, .data = __start_assay_matmul_plain,                        \
        .end = __stop_assay_matmul_plain, .native = function                                                 \
    }
static const struct assay_code code[ASSAY_VARIANT_COUNT] = {
#ifdef __x86_64__
    [HARDWARE] = CODE("matmul.cpu.plain.native_fma", multiply_native_fma),
#else
    [HARDWARE] = CODE("matmul.cpu.plain.native", multiply_native),
#endif
    [ASSAY_VARIANT_NATIVE] = CODE("matmul.cpu.plain.native", multiply_native),
    [ASSAY_VARIANT_GUARDED] = CODE("matmul.cpu.plain.guarded", multiply_guarded),
    [ASSAY_VARIANT_EMULATED] = CODE("matmul.cpu.plain.emulated", multiply_emulated),
    [ASSAY_VARIANT_INTEGER] = CODE("matmul.cpu.plain.integer", multiply_integer),
};
#undef CODE

bool matmul_cpu_plain_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    why[0] = '\0';
    return true;
}

static bool lay_out(const struct assay_device_info *info, const struct assay_call *call,
                    struct assay_step *step, struct matmul_push *push, int64_t *groups, char why[160])
{
    struct matmul_problem p;
    if (!matmul_problem_read(call, &p, why) || !matmul_push_fill(&p, push, step, why) ||
        !matmul_bindings_fit(info, step, why))
        return false;
    int64_t rows, blocks = p.n / COLUMNS + (p.n % COLUMNS != 0);
    if (__builtin_mul_overflow(p.m, p.batch, &rows) || __builtin_mul_overflow(rows, blocks, groups) ||
        *groups > info->limits.groups[0]) {
        snprintf(why, 160,
                 "%" PRId64 " x %" PRId64 " rows of %" PRId64
                 " columns need more workgroups than the limit of %" PRIu32,
                 p.batch, p.m, p.n, info->limits.groups[0]);
        return false;
    }
    return true;
}

bool matmul_cpu_plain_supports(const struct assay_device_info *info, const struct assay_call *call,
                               char why[160])
{
    struct assay_step step = {0};
    struct matmul_push push;
    int64_t groups;
    return lay_out(info, call, &step, &push, &groups, why);
}

double matmul_cpu_plain_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    return matmul_cpu_cost(info, call, 2);
}

enum assay_status matmul_cpu_plain_plan(const struct assay_device_info *info, const struct assay_call *call,
                                        enum assay_variant variant, struct assay_plan *plan,
                                        struct assay_error *error)
{
    char why[160];
    struct assay_step step = {0};
    struct matmul_push push;
    int64_t groups;
    memset(plan, 0, sizeof *plan);
    if (!lay_out(info, call, &step, &push, &groups, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "MatMul on plain: %s", why);
    if (!groups) return ASSAY_OK;
    bool hardware = variant == ASSAY_VARIANT_NATIVE && info->simd & ASSAY_SIMD_FMA;
    step.program = (struct assay_program_params){
        .codes = &code[hardware ? HARDWARE : variant],
        .code_count = 1,
        .bindings = 3,
        .push_bytes = sizeof push,
        .group = {1, 1, 1},
    };
    memcpy(step.push, &push, sizeof push);
    step.groups[0] = (uint32_t)groups;
    step.groups[1] = step.groups[2] = 1;
    plan->step[plan->step_count++] = step;
    return ASSAY_OK;
}
