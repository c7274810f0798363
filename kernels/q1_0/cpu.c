/* Plans of the vectorised CPU rows of the Q1_0 product: X is laid out for vectors once, then rows of W are cut into
 * workgroups.
 *
 * Runs on any processor; the code for one instruction set is in cpu_avx2.c and cpu_avx512.c. */
#include "kernels/q1_0/cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct row {
    const struct q1_cpu_kernels *kernels;
    uint32_t simd;
    const char *technique, *needs;
    double block_ns; /* one row, one block, one core */
};

static const struct row avx2 = {
    .kernels = &q1_cpu_avx2_kernels,
    .simd = ASSAY_SIMD_AVX2,
    .technique = "avx2",
    .needs = "AVX2, FMA and F16C",
    .block_ns = 6,
};

static const struct row avx512 = {
    .kernels = &q1_cpu_avx512_kernels,
    .simd = ASSAY_SIMD_AVX512,
    .technique = "avx512",
    .needs = "AVX-512 F, VL, DQ and BW",
    .block_ns = 4,
};

static bool present(const struct assay_device_info *info, const struct row *row, char why[160])
{
    bool there = (info->simd & row->simd) == row->simd;
    snprintf(why, 160, "%s%s", there ? "" : "this processor lacks (or is told to hide) ",
             there ? "" : row->needs);
    return there;
}

struct layout {
    struct q1_problem problem;
    struct q1_push push;
    struct assay_step step;
    uint64_t scratch_bytes;
};

static bool lay_out(const struct assay_device_info *info, const struct assay_call *call, struct layout *out,
                    char why[160])
{
    struct q1_problem *p = &out->problem;
    if (!q1_matmul_read(call, p, why) || !q1_push_fill(call, p, 0, p->m, &out->push, &out->step, why) ||
        !q1_bindings_fit(info, &out->step, 3, why))
        return false;
    int64_t most = info->limits.groups[0], groups = p->m / Q1_CPU_ROWS + (p->m % Q1_CPU_ROWS != 0);
    if (groups > most || p->n > most) {
        snprintf(why, 160,
                 "%" PRId64 " rows and %" PRId64 " vectors need more workgroups than the limit of %" PRId64,
                 p->m, p->n, most);
        return false;
    }
    uint64_t room = info->limits.allocation_bytes < info->limits.binding_bytes ? info->limits.allocation_bytes
                                                                               : info->limits.binding_bytes;
    if (__builtin_mul_overflow((uint64_t)p->n * Q1_CPU_PREPARED_BYTES, (uint64_t)p->blocks,
                               &out->scratch_bytes) ||
        out->scratch_bytes > room) {
        snprintf(why, 160,
                 "%" PRId64 " vectors of %" PRId64 " blocks laid out anew need more memory than %" PRIu64
                 " bytes",
                 p->n, p->blocks, room);
        return false;
    }
    return true;
}

static struct assay_step *add_step(struct assay_plan *plan, const struct assay_code *code,
                                   const struct q1_push *push, uint32_t bindings, int64_t groups)
{
    struct assay_step *step = &plan->step[plan->step_count++];
    step->program = (struct assay_program_params){
        .codes = code,
        .code_count = 1,
        .bindings = bindings,
        .push_bytes = sizeof *push,
        .group = {1, 1, 1},
    };
    memcpy(step->push, push, sizeof *push);
    step->groups[0] = (uint32_t)groups;
    step->groups[1] = step->groups[2] = 1;
    return step;
}

static enum assay_status make_plan(const struct row *row, const struct assay_device_info *info,
                                   const struct assay_call *call, struct assay_plan *plan,
                                   struct assay_error *error)
{
    struct layout layout = {0};
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!lay_out(info, call, &layout, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "q1_0.cpu.%s: %s", row->technique, why);
    const struct q1_problem *p = &layout.problem;
    if (!p->m || !p->n) return ASSAY_OK;
    plan->scratch_bytes = layout.scratch_bytes ? layout.scratch_bytes : 4;
    struct assay_step *step = &layout.step;
    step->bind[3].role = ASSAY_ROLE_SCRATCH;
    step->bind[3].bytes = plan->scratch_bytes;
    if (p->blocks) {
        struct assay_step *prepare =
            add_step(plan, &row->kernels->code[Q1_CPU_PREPARE], &layout.push, 2, p->n);
        prepare->bind[0] = step->bind[1];
        prepare->bind[1] = step->bind[3];
    }
    struct assay_step *multiply = add_step(plan, &row->kernels->code[Q1_CPU_MULTIPLY], &layout.push, 3,
                                           p->m / Q1_CPU_ROWS + (p->m % Q1_CPU_ROWS != 0));
    multiply->bind[0] = step->bind[0];
    multiply->bind[1] = step->bind[3];
    multiply->bind[2] = step->bind[2];
    return ASSAY_OK;
}

static double cost(const struct row *row, const struct assay_device_info *info, const struct assay_call *call)
{
    struct q1_problem p;
    char why[160];
    if (!q1_matmul_read(call, &p, why)) return 1e300;
    double units = info->compute_units ? info->compute_units : 1;
    return 2000 + (double)p.m * (double)p.n * (double)p.blocks * row->block_ns / units;
}

#define ROW(name)                                                                                            \
    bool q1_cpu_##name##_present(const struct assay_device_info *info, char why[160])                        \
    {                                                                                                        \
        return present(info, &name, why);                                                                    \
    }                                                                                                        \
    bool q1_cpu_##name##_supports(const struct assay_device_info *info, const struct assay_call *call,       \
                                  char why[160])                                                             \
    {                                                                                                        \
        struct layout layout = {0};                                                                          \
        return lay_out(info, call, &layout, why);                                                            \
    }                                                                                                        \
    double q1_cpu_##name##_cost(const struct assay_device_info *info, const struct assay_call *call)         \
    {                                                                                                        \
        return cost(&name, info, call);                                                                      \
    }                                                                                                        \
    enum assay_status q1_cpu_##name##_plan(const struct assay_device_info *info,                             \
                                           const struct assay_call *call, enum assay_variant variant,        \
                                           struct assay_plan *plan, struct assay_error *error)               \
    {                                                                                                        \
        (void)variant;                                                                                       \
        return make_plan(&name, info, call, plan, error);                                                    \
    }

ROW(avx2)
ROW(avx512)

/* ---- quantize ---- */

bool q1_cpu_quantize_avx2_present(const struct assay_device_info *info, char why[160])
{
    return present(info, &avx2, why);
}

bool q1_cpu_quantize_avx2_supports(const struct assay_device_info *info, const struct assay_call *call,
                                   char why[160])
{
    return q1_cpu_quantize_supports(info, call, why);
}

double q1_cpu_quantize_avx2_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    return q1_cpu_quantize_cost(info, call) / 16;
}

enum assay_status q1_cpu_quantize_avx2_plan(const struct assay_device_info *info,
                                            const struct assay_call *call, enum assay_variant variant,
                                            struct assay_plan *plan, struct assay_error *error)
{
    enum assay_status status = q1_cpu_quantize_plan(info, call, variant, plan, error);
    if (status == ASSAY_OK && plan->step_count) plan->step[0].program.codes = &q8_cpu_avx2_code;
    return status;
}
