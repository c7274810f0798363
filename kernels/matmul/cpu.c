/* Plans of the vectorised CPU rows: which operands are packed first, and how the output is cut into workgroups.
 *
 * Runs on any processor; the code for one instruction set is in cpu_avx2.c and cpu_avx512.c. */
#include "kernels/matmul/cpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* More than this is not worth the memory: the operands are packed block by block then. */
#define SCRATCH_MOST ((uint64_t)4 << 30)

struct row {
    const struct matmul_cpu_tiling *tiling;
    uint32_t simd;
    const char *needs;
    double flops_per_ns;
};

static const struct row avx2 = {
    .tiling = &matmul_cpu_avx2_tiling,
    .simd = ASSAY_SIMD_AVX2,
    .needs = "AVX2 and FMA",
    .flops_per_ns = 60,
};

static const struct row avx512 = {
    .tiling = &matmul_cpu_avx512_tiling,
    .simd = ASSAY_SIMD_AVX512,
    .needs = "AVX-512 F, VL, DQ and BW",
    .flops_per_ns = 120,
};

static int64_t parts(int64_t whole, int64_t part)
{
    return whole / part + (whole % part != 0);
}

/* A batch of A with a shared B is one tall product when the rows of A and of Y go on through the batches. */
static void join_batches(struct matmul_problem *p)
{
    if (p->batch <= 1 || p->b_batch || p->m < 1) return;
    if (p->m == 1) {
        p->a_row = p->a_batch;
        p->y_row = p->y_batch;
    } else if (p->a_batch != p->m * p->a_row || p->y_batch != p->m * p->y_row) {
        return;
    }
    if (p->m > UINT32_MAX / p->batch) return;
    p->m *= p->batch;
    p->batch = 1;
    p->a_batch = p->y_batch = 0;
}

/* What supports and plan both need. */
struct layout {
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step step; /* its three bindings */
    int64_t groups, panels_a, panels_b;
};

static bool lay_out(const struct row *row, const struct assay_device_info *info,
                    const struct assay_call *call, struct layout *out, char why[160])
{
    struct matmul_problem *p = &out->problem;
    if (!matmul_problem_read(call, p, why)) return false;
    join_batches(p);
    if (!matmul_push_fill(p, &out->push, &out->step, why) || !matmul_bindings_fit(info, &out->step, why))
        return false;
    const struct matmul_cpu_tiling *t = row->tiling;
    out->panels_a = (p->a_batch ? p->batch : 1) * parts(p->m, t->tile_rows);
    out->panels_b = (p->b_batch ? p->batch : 1) * parts(p->n, t->tile_cols);
    if (__builtin_mul_overflow(parts(p->m, t->block_m) * parts(p->n, t->block_n), p->batch, &out->groups) ||
        out->groups > info->limits.groups[0]) {
        snprintf(why, 160,
                 "%" PRId64 " batches of %" PRId64 " x %" PRId64
                 " need more workgroups than the limit of %" PRIu32,
                 p->batch, p->m, p->n, info->limits.groups[0]);
        return false;
    }
    return true;
}

static void add_step(struct assay_plan *plan, const struct assay_code *code, uint32_t bindings,
                     int64_t groups, const struct matmul_push *push, const struct assay_step *operands)
{
    struct assay_step *step = &plan->step[plan->step_count++];
    *step = *operands;
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
}

/* Room for `panels` panels of k x lanes elements at the end of scratch; false if it is not to be had. */
static bool take_scratch(const struct assay_limits *limits, struct assay_plan *plan, int64_t panels,
                         int64_t k, int64_t lanes, uint64_t *at, uint64_t *bytes)
{
    if (__builtin_mul_overflow((uint64_t)panels * (uint64_t)lanes * sizeof(float), (uint64_t)k, bytes))
        return false;
    uint64_t most = limits->allocation_bytes < SCRATCH_MOST ? limits->allocation_bytes : SCRATCH_MOST;
    *at = plan->scratch_bytes;
    if (*bytes > most || *at + *bytes > most || *bytes > limits->binding_bytes || panels > limits->groups[0])
        return false;
    plan->scratch_bytes = (*at + *bytes + 255) & ~(uint64_t)255;
    return true;
}

static enum assay_status make_plan(const struct row *row, const struct assay_device_info *info,
                                   const struct assay_call *call, struct assay_plan *plan,
                                   struct assay_error *error)
{
    const struct matmul_cpu_tiling *t = row->tiling;
    struct layout layout = {0};
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!lay_out(row, info, call, &layout, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "MatMul on %s: %s", row->tiling->technique, why);
    const struct matmul_problem *p = &layout.problem;
    if (!layout.groups) return ASSAY_OK;

    struct assay_step multiply = layout.step;
    multiply.bind[3] = layout.step.bind[0]; /* unused unless packed, but bound */
    multiply.bind[4] = layout.step.bind[1];
    const struct {
        bool wanted;
        int operand, program;
        int64_t panels, lanes;
        uint32_t flag;
    } packing[2] = {
        {p->n > t->block_n, 0, MATMUL_CPU_PACK_A, layout.panels_a, t->tile_rows, MATMUL_CPU_PACKED_A},
        {p->m > t->block_m, 1, MATMUL_CPU_PACK_B, layout.panels_b, t->tile_cols, MATMUL_CPU_PACKED_B},
    };
    for (int i = 0; i < 2; i++) {
        uint64_t at, bytes;
        if (!packing[i].wanted || !p->k ||
            !take_scratch(&info->limits, plan, packing[i].panels, p->k, packing[i].lanes, &at, &bytes))
            continue;
        struct assay_step pack = {.bind = {[0] = layout.step.bind[packing[i].operand]}};
        pack.bind[1].role = ASSAY_ROLE_SCRATCH;
        pack.bind[1].offset_bytes = at;
        pack.bind[1].bytes = bytes;
        multiply.bind[3 + i] = pack.bind[1];
        layout.push.extra[0] |= packing[i].flag;
        add_step(plan, &t->code[packing[i].program], 2, packing[i].panels, &layout.push, &pack);
    }
    bool neighbours = p->n == 1 || p->b_col == 1;
    if (!(layout.push.extra[0] & MATMUL_CPU_PACKED_B) && neighbours && p->m <= 2 * t->tile_rows)
        layout.push.extra[0] |= MATMUL_CPU_DIRECT_B;
    add_step(plan, &t->code[MATMUL_CPU_MULTIPLY], 5, layout.groups, &layout.push, &multiply);
    return ASSAY_OK;
}

double matmul_cpu_cost(const struct assay_device_info *info, const struct assay_call *call,
                       double flops_per_ns)
{
    struct matmul_problem p;
    char why[160];
    if (!matmul_problem_read(call, &p, why)) return 1e300;
    double units = info->compute_units ? info->compute_units : 1;
    return 1000 + 2.0 * (double)p.m * (double)p.n * (double)p.k * (double)p.batch / (flops_per_ns * units);
}

static bool has_simd(const struct assay_device_info *info, uint32_t simd, const char *needs, char why[160])
{
    bool there = (info->simd & simd) == simd;
    snprintf(why, 160, "%s%s", there ? "" : "this processor lacks (or is told to hide) ", there ? "" : needs);
    return there;
}

#define ROW(name)                                                                                            \
    bool matmul_cpu_##name##_present(const struct assay_device_info *info, char why[160])                    \
    {                                                                                                        \
        return has_simd(info, name.simd, name.needs, why);                                                   \
    }                                                                                                        \
    bool matmul_cpu_##name##_supports(const struct assay_device_info *info, const struct assay_call *call,   \
                                      char why[160])                                                         \
    {                                                                                                        \
        struct layout layout = {0};                                                                          \
        return lay_out(&name, info, call, &layout, why);                                                     \
    }                                                                                                        \
    double matmul_cpu_##name##_cost(const struct assay_device_info *info, const struct assay_call *call)     \
    {                                                                                                        \
        return matmul_cpu_cost(info, call, name.flops_per_ns);                                               \
    }                                                                                                        \
    enum assay_status matmul_cpu_##name##_plan(const struct assay_device_info *info,                         \
                                               const struct assay_call *call, enum assay_variant variant,    \
                                               struct assay_plan *plan, struct assay_error *error)           \
    {                                                                                                        \
        (void)variant;                                                                                       \
        return make_plan(&name, info, call, plan, error);                                                    \
    }

ROW(avx2)
ROW(avx512)
