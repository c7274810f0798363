/* Plans of the Vulkan rows of the Q1_0 product and of the quantizer: which calls each takes, how rows are cut so that every
 * binding fits the device, what it costs.
 *
 * Knows sizes, strides and limits only; the device code is in vulkan_*.comp. All rows compute the same bits. */
#include "kernels/q1_0/vulkan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- embedded code ---- */

enum shader { LANE1, LANE8, MAT, QUANTIZE, SHADERS };
enum text { TEXT_NATIVE, TEXT_EMULATED, TEXTS };

/* X(SHADER, file, TEXT, name in a symbol, name in words) */
#define MODULES(X)                                                                                           \
    X(LANE1, lane1, TEXT_NATIVE, native_, ".native")                                                         \
    X(LANE1, lane1, TEXT_EMULATED, emulated_, ".emulated")                                                   \
    X(LANE8, lane8, TEXT_NATIVE, native_, ".native")                                                         \
    X(LANE8, lane8, TEXT_EMULATED, emulated_, ".emulated")                                                   \
    X(MAT, mat, TEXT_NATIVE, native_, ".native")                                                             \
    X(MAT, mat, TEXT_EMULATED, emulated_, ".emulated")                                                       \
    X(QUANTIZE, quantize, TEXT_NATIVE, , "")

#define DECLARE(shader, file, text, symbol, words) ASSAY_BLOB(kernels_q1_0_vulkan_##file##_##symbol##spv);
MODULES(DECLARE)

#define CODE(shader, file, text, symbol, words)                                                              \
    [shader][text] = {.kind = ASSAY_CODE_SPIRV,                                                              \
                      .name = "q1_0.vulkan." #file words,                                                    \
                      .entry = "main",                                                                       \
                      ASSAY_BLOB_AT(kernels_q1_0_vulkan_##file##_##symbol##spv)},
static const struct assay_code codes[SHADERS][TEXTS] = {MODULES(CODE)};
#undef CODE

/* ---- technique ---- */

enum { INVOCATIONS = 64, SUBS_LOOP = 5, SOFTWARE_ITERATIONS = 60000 };

static const struct technique {
    enum shader shader;
    const char *name;
    uint32_t columns;      /* elements of one row that an invocation makes */
    uint32_t lanes;        /* invocations an element */
    uint32_t iterations;   /* of loops a block, all steps checked */
    double software_ns;    /* a block of one element on llvmpipe, one core (measured) */
    double unit_blocks_ns; /* blocks of elements a ns of one multiprocessor, full (estimate) */
    double serial_ns;      /* a block where invocations wait for memory (estimate) */
} techniques[] = {
    [LANE1] = {LANE1, "lane1", 1, 1, 46, 157, 0.12, 250},
    [LANE8] = {LANE8, "lane8", 1, 8, 10, 440, 0.14, 60},
    [MAT] = {MAT, "mat", 4, 1, 166, 164, 0.16, 700},
};

static int64_t parts_of(int64_t whole, int64_t part)
{
    return whole / part + (whole % part != 0);
}

static uint32_t at_most(uint64_t value, uint32_t limit)
{
    return value < limit ? (uint32_t)value : limit;
}

/* Workgroups of a step that makes `rows` rows. */
static uint64_t groups_of(const struct technique *t, const struct q1_problem *p, int64_t rows)
{
    uint64_t elements = (uint64_t)rows * (uint64_t)parts_of(p->n, t->columns);
    return (elements * t->lanes + INVOCATIONS - 1) / INVOCATIONS;
}

static void set_program(const struct assay_device_info *info, struct assay_step *step, enum shader shader,
                        enum assay_variant variant, uint32_t bindings, const struct q1_push *push,
                        uint64_t groups)
{
    bool emulated =
        shader != QUANTIZE && variant != ASSAY_VARIANT_NATIVE && variant != ASSAY_VARIANT_CONTRACT;
    step->program.codes = &codes[shader][emulated ? TEXT_EMULATED : TEXT_NATIVE];
    step->program.code_count = 1;
    step->program.bindings = bindings;
    step->program.push_bytes = sizeof *push;
    step->program.group[0] = INVOCATIONS;
    step->program.group[1] = step->program.group[2] = 1;
    if (shader != QUANTIZE) {
        step->program.spec[0] = variant;
        step->program.spec_count = 1;
    }
    memcpy(step->push, push, sizeof *push);
    step->groups[0] = at_most(groups, info->limits.groups[0]); /* shaders loop over the rest */
    step->groups[1] = step->groups[2] = 1;
}

/* Does a step end inside whole words of its buffers, as shaders read and write them? A last, partial word belongs to the
 * buffer but to no binding that ends in the middle of it: such a binding goes on to the buffer's end. */
static void whole_words(const struct assay_call *call, struct assay_step *step, uint32_t bindings)
{
    for (uint32_t i = 0; i < bindings; i++) {
        const struct assay_tensor *t = step->bind[i].role == ASSAY_ROLE_OUTPUT
                                           ? &call->output[step->bind[i].index]
                                           : &call->input[step->bind[i].index];
        if (step->bind[i].bytes % 4 && step->bind[i].offset_bytes + step->bind[i].bytes >= t->bytes)
            step->bind[i].bytes = 0;
    }
}

/* Steps of a call: rows of W (of X for the quantizer) in as few parts as bindings allow. */
static bool make_steps(const struct assay_device_info *info, const struct assay_call *call,
                       const struct q1_problem *p, const struct technique *t, enum assay_variant variant,
                       struct assay_plan *plan, char why[160])
{
    bool product = t != NULL;
    int64_t rows = product ? p->m : p->n, part = rows;
    uint32_t bindings = product ? 3 : 2;
    memset(plan, 0, sizeof *plan);
    if (!rows || !p->n || (!product && !p->blocks)) return true;
    /* so many rows that their bytes, and 256 before them, fit a binding */
    const struct assay_tensor *w = &call->input[0], *y = &call->output[0];
    const int64_t line[2] = {w->stride[0] * (int64_t)assay_dtype_bytes(w->dtype), product ? 0 : y->stride[0]};
    for (int i = 0; i < 2; i++) {
        uint64_t room = info->limits.binding_bytes > 4096 ? info->limits.binding_bytes - 512 : 0;
        if (line[i] > 0 && part > 1 && (uint64_t)part > room / (uint64_t)line[i])
            part = (int64_t)(room / (uint64_t)line[i]);
    }
    if (part < 1) part = 1;
    if (parts_of(rows, part) > ASSAY_STEPS_MAX) {
        snprintf(why, 160,
                 "%" PRId64 " rows of %" PRId64 " bytes take more than %d bindings of at most %" PRIu64
                 " bytes",
                 rows, line[0], ASSAY_STEPS_MAX, info->limits.binding_bytes);
        return false;
    }
    for (int64_t row = 0; row < rows; row += part) {
        struct assay_step *step = &plan->step[plan->step_count++];
        struct q1_push push;
        int64_t count = rows - row < part ? rows - row : part;
        if (!q1_push_fill(call, p, row, count, &push, step, why)) return false;
        whole_words(call, step, bindings);
        if (!q1_bindings_fit(info, step, bindings, why)) return false;
        double places = product ? (double)count * (double)p->n : (double)count * (double)p->blocks;
        if (places > INT32_MAX) {
            snprintf(why, 160, "%.0f outputs, at most %d are counted in 32 bits", places, INT32_MAX);
            return false;
        }
        for (uint32_t i = 0; i < bindings; i++)
            if (step->bind[i].bytes > UINT32_MAX) {
                snprintf(why, 160, "a tensor spans %" PRIu64 " bytes, shaders reach 4294967295",
                         step->bind[i].bytes);
                return false;
            }
        uint64_t groups =
            product ? groups_of(t, p, count) : (uint64_t)(places + INVOCATIONS - 1) / INVOCATIONS;
        set_program(info, step, product ? t->shader : QUANTIZE, variant, bindings, &push, groups);
        /* Mesa's software renderer ends an invocation's loops after 65,535 iterations in all. */
        double rounds = ceil((double)groups / step->groups[0]);
        double iterations = rounds * (1 + (product ? (double)p->blocks * t->iterations + 16 : 100));
        if (info->software && iterations > SOFTWARE_ITERATIONS) {
            snprintf(why, 160, "%.0f iterations an invocation, a software renderer runs at most %d",
                     iterations, SOFTWARE_ITERATIONS);
            return false;
        }
    }
    return true;
}

/* ---- rows of the product ---- */

static bool anywhere(char why[160])
{
    why[0] = '\0';
    return true;
}

static bool supports(const struct assay_device_info *info, const struct assay_call *call,
                     const struct technique *t, char why[160])
{
    struct q1_problem p;
    struct assay_plan plan;
    return q1_matmul_read(call, &p, why) && make_steps(info, call, &p, t, ASSAY_VARIANT_NATIVE, &plan, why);
}

static double cost(const struct assay_device_info *info, const struct assay_call *call,
                   const struct technique *t)
{
    struct q1_problem p;
    char why[160];
    if (!q1_matmul_read(call, &p, why)) return 1e300;
    double columns = (double)(parts_of(p.n, t->columns) * t->columns);
    double work = (double)p.m * columns * (double)p.blocks;
    if (info->software) return 5000 + work * t->software_ns / 2;
    double units = info->compute_units ? info->compute_units : 100;
    double waves = ceil((double)p.m * columns / t->columns * t->lanes / (units * 1024));
    return 5000 + fmax(work / (units * t->unit_blocks_ns), waves * (double)p.blocks * t->serial_ns);
}

static enum assay_status make_plan(const struct assay_device_info *info, const struct assay_call *call,
                                   const struct technique *t, enum assay_variant variant,
                                   struct assay_plan *plan, struct assay_error *error)
{
    struct q1_problem p;
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (q1_matmul_read(call, &p, why) && make_steps(info, call, &p, t, variant, plan, why)) return ASSAY_OK;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "q1_0.vulkan.%s: %s", t->name, why);
}

#define ROW(name, shader)                                                                                    \
    bool q1_vulkan_##name##_present(const struct assay_device_info *info, char why[160])                     \
    {                                                                                                        \
        (void)info;                                                                                          \
        return anywhere(why);                                                                                \
    }                                                                                                        \
    bool q1_vulkan_##name##_supports(const struct assay_device_info *info, const struct assay_call *call,    \
                                     char why[160])                                                          \
    {                                                                                                        \
        return supports(info, call, &techniques[shader], why);                                               \
    }                                                                                                        \
    double q1_vulkan_##name##_cost(const struct assay_device_info *info, const struct assay_call *call)      \
    {                                                                                                        \
        return cost(info, call, &techniques[shader]);                                                        \
    }                                                                                                        \
    enum assay_status q1_vulkan_##name##_plan(const struct assay_device_info *info,                          \
                                              const struct assay_call *call, enum assay_variant variant,     \
                                              struct assay_plan *plan, struct assay_error *error)            \
    {                                                                                                        \
        return make_plan(info, call, &techniques[shader], variant, plan, error);                             \
    }

ROW(lane1, LANE1)
ROW(lane8, LANE8)
ROW(mat, MAT)

/* ---- quantize ---- */

bool q1_vulkan_quantize_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    return anywhere(why);
}

bool q1_vulkan_quantize_supports(const struct assay_device_info *info, const struct assay_call *call,
                                 char why[160])
{
    struct q1_problem p;
    struct assay_plan plan;
    return q1_quantize_read(call, &p, why) &&
           make_steps(info, call, &p, NULL, ASSAY_VARIANT_NATIVE, &plan, why);
}

double q1_vulkan_quantize_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return (double)assay_tensor_elems(&call->input[0]);
}

enum assay_status q1_vulkan_quantize_plan(const struct assay_device_info *info, const struct assay_call *call,
                                          enum assay_variant variant, struct assay_plan *plan,
                                          struct assay_error *error)
{
    struct q1_problem p;
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (q1_quantize_read(call, &p, why) && make_steps(info, call, &p, NULL, variant, plan, why))
        return ASSAY_OK;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "q1_0.vulkan.quantize: %s", why);
}
