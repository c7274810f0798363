/* Elementwise operators in plain C: one program for each element type and form of the arithmetic, with a loop for each
 * operator.
 *
 * Exactness: text.h. A workgroup computes ELEMENTWISE_CPU_BLOCK elements of Y, numbered in row-major order, one by one;
 * no element depends on another. */
#include "kernels/elementwise/cpu_span.h"

#include <stdio.h>

#define SECTION __attribute__((section("assay_elementwise"), noinline, flatten))

typedef void (*span_fn)(const struct elementwise_push *p, const struct span *s);

/* ---- from a workgroup to runs ---- */

struct walk {
    uint32_t rank;
    int64_t shape[ASSAY_RANK_MAX], stride[ELEMENTWISE_OPERANDS][ASSAY_RANK_MAX];
};

static void read_push(const struct elementwise_push *p, struct walk *w)
{
    memset(w, 0, sizeof *w);
    w->rank = p->what >> 24 & 15;
    uint32_t used = 0;
    for (uint32_t d = 0; d < w->rank; d++) w->shape[d] = p->word[used++];
    for (uint32_t d = w->rank; d-- > 0;)
        for (uint32_t i = 0; i < ELEMENTWISE_OPERANDS; i++)
            if (p->mask >> (8 * i + d) & 1) w->stride[i][d] = p->word[used++];
    if (w->rank == 1) w->shape[0] = INT64_MAX;
}

/* Elements of operand i before element `number` of Y. */
static int64_t offset_of(const struct walk *w, uint32_t i, int64_t number)
{
    int64_t offset = 0;
    for (uint32_t d = w->rank; d-- > 1; number /= w->shape[d])
        offset += number % w->shape[d] * w->stride[i][d];
    return offset + number * w->stride[i][0];
}

static inline __attribute__((always_inline)) void walk_run(void *const *buffers, const void *push,
                                                           const uint32_t group[3], span_fn run)
{
    const struct elementwise_push *p = push;
    struct walk w;
    read_push(p, &w);
    const int64_t count = (int64_t)((uint64_t)p->count_high << 32 | p->count_low);
    const uint32_t from = p->what >> 8 & 255, to = p->what >> 16 & 255, op = p->what & 255, last = w.rank - 1;
    const uint32_t inputs = op == EW_WHERE ? 3 : op == EW_NOT || op == EW_CAST ? 1 : 2;
    int64_t at = (int64_t)group[0] * ELEMENTWISE_CPU_BLOCK, end = at + ELEMENTWISE_CPU_BLOCK;
    if (end > count) end = count;
    while (at < end) {
        const int64_t column = w.rank > 1 ? at % w.shape[last] : 0;
        struct span s = {.count = w.rank > 1 ? w.shape[last] - column : end - at,
                         .y_stride = w.stride[ELEMENTWISE_Y][last]};
        if (s.count > end - at) s.count = end - at;
        for (uint32_t i = 0; i < inputs; i++) {
            const int64_t size = span_size(op == EW_WHERE && i == 0 ? EW_BOOL : from);
            s.in[i] =
                (const uint8_t *)buffers[i] + (offset_of(&w, i, at) + (p->start >> (8 * i) & 255)) * size;
            s.in_stride[i] = w.stride[i][last];
        }
        s.y = (uint8_t *)buffers[inputs] +
              (offset_of(&w, ELEMENTWISE_Y, at) + (p->start >> 24)) * span_size(to);
        run(p, &s);
        at += s.count;
    }
}

/* ---- programs ---- */

#define CASE(form, op, from, to)                                                                             \
    case op:                                                                                                 \
        span_run(form, op, from, to, s);                                                                     \
        break;
#define PROGRAM(name, cases)                                                                                 \
    static SECTION void span_##name(const struct elementwise_push *p, const struct span *s)                  \
    {                                                                                                        \
        switch (p->what & 255) {                                                                             \
            cases                                                                                            \
        }                                                                                                    \
    }                                                                                                        \
    static SECTION void run_##name(void *const *buffers, const void *push, const uint32_t group[3])          \
    {                                                                                                        \
        walk_run(buffers, push, group, span_##name);                                                         \
    }

#define ARITHMETIC(kind, form)                                                                               \
    CASE(form, EW_ADD, kind, kind)                                                                           \
    CASE(form, EW_SUB, kind, kind) CASE(form, EW_MUL, kind, kind) CASE(form, EW_DIV, kind, kind)
#define EXTREMA(kind) CASE(0, EW_MIN, kind, kind) CASE(0, EW_MAX, kind, kind) CASE(0, EW_FMOD, kind, kind)
#define COMPARE(kind)                                                                                        \
    CASE(0, EW_EQUAL, kind, EW_BOOL)                                                                         \
    CASE(0, EW_LESS, kind, EW_BOOL)                                                                          \
    CASE(0, EW_LESS_EQUAL, kind, EW_BOOL)                                                                    \
    CASE(0, EW_GREATER, kind, EW_BOOL) CASE(0, EW_GREATER_EQUAL, kind, EW_BOOL)
#define LOGIC                                                                                                \
    CASE(0, EW_EQUAL, EW_BOOL, EW_BOOL)                                                                      \
    CASE(0, EW_AND, EW_BOOL, EW_BOOL)                                                                        \
    CASE(0, EW_OR, EW_BOOL, EW_BOOL) CASE(0, EW_XOR, EW_BOOL, EW_BOOL) CASE(0, EW_NOT, EW_BOOL, EW_BOOL)

#define FLOAT(kind, name)                                                                                    \
    PROGRAM(name##_native, ARITHMETIC(kind, EW_NATIVE))                                                      \
    PROGRAM(name##_guarded, ARITHMETIC(kind, EW_GUARDED))                                                    \
    PROGRAM(name##_integer, ARITHMETIC(kind, EW_INTEGER))                                                    \
    PROGRAM(name, EXTREMA(kind) COMPARE(kind))
#define INTEGER(kind, name)                                                                                  \
    PROGRAM(name, ARITHMETIC(kind, 0) EXTREMA(kind) CASE(0, EW_MOD, kind, kind) COMPARE(kind))

FLOAT(EW_F32, f32)
FLOAT(EW_F16, f16)
FLOAT(EW_BF16, bf16)
INTEGER(EW_I8, i8)
INTEGER(EW_U8, u8)
INTEGER(EW_I32, i32)
INTEGER(EW_I64, i64)
PROGRAM(bool, LOGIC)

/* Where copies bits: a type of each size stands for all. */
PROGRAM(where1, CASE(0, EW_WHERE, EW_U8, EW_U8))
PROGRAM(where2, CASE(0, EW_WHERE, EW_F16, EW_F16))
PROGRAM(where4, CASE(0, EW_WHERE, EW_I32, EW_I32))
PROGRAM(where8, CASE(0, EW_WHERE, EW_I64, EW_I64))

#define CAST(kind)                                                                                           \
    PROGRAM(cast_##kind, case EW_CAST                                                                        \
            : switch (p->what >> 16 & 255){CAST_TO(kind, EW_F32) CAST_TO(kind, EW_F16) CAST_TO(              \
                kind, EW_BF16) CAST_TO(kind, EW_I8) CAST_TO(kind, EW_U8) CAST_TO(kind, EW_I32)               \
                                               CAST_TO(kind, EW_I64) CAST_TO(kind, EW_BOOL)})
#define CAST_TO(from, to)                                                                                    \
    case to:                                                                                                 \
        span_run(0, EW_CAST, from, to, s);                                                                   \
        break;
CAST(EW_F32)
CAST(EW_F16)
CAST(EW_BF16)
CAST(EW_I8)
CAST(EW_U8)
CAST(EW_I32)
CAST(EW_I64)
CAST(EW_BOOL)

extern const char __start_assay_elementwise[] __attribute__((visibility("hidden")));
extern const char __stop_assay_elementwise[] __attribute__((visibility("hidden")));

#define CODE(function)                                                                                       \
    {                                                                                                        \
        .kind = ASSAY_CODE_NATIVE, .name = "elementwise.cpu." #function, .data = __start_assay_elementwise,  \
        .end = __stop_assay_elementwise, .native = run_##function                                            \
    }
static const struct assay_code arithmetic[][3] = {
    [EW_F32] = {CODE(f32_native), CODE(f32_guarded), CODE(f32_integer)},
    [EW_F16] = {CODE(f16_native), CODE(f16_guarded), CODE(f16_integer)},
    [EW_BF16] = {CODE(bf16_native), CODE(bf16_guarded), CODE(bf16_integer)},
};
static const struct assay_code by_type[] = {
    [EW_F32] = CODE(f32), [EW_F16] = CODE(f16), [EW_BF16] = CODE(bf16), [EW_I8] = CODE(i8),
    [EW_U8] = CODE(u8),   [EW_I32] = CODE(i32), [EW_I64] = CODE(i64),   [EW_BOOL] = CODE(bool),
};
static const struct assay_code where_by_size[] = {
    [1] = CODE(where1), [2] = CODE(where2), [4] = CODE(where4), [8] = CODE(where8)};
static const struct assay_code cast_from[] = {
    [EW_F32] = CODE(cast_EW_F32), [EW_F16] = CODE(cast_EW_F16),  [EW_BF16] = CODE(cast_EW_BF16),
    [EW_I8] = CODE(cast_EW_I8),   [EW_U8] = CODE(cast_EW_U8),    [EW_I32] = CODE(cast_EW_I32),
    [EW_I64] = CODE(cast_EW_I64), [EW_BOOL] = CODE(cast_EW_BOOL)};

static const struct assay_code *choose(const struct elementwise_problem *p, enum assay_variant variant)
{
    if (p->op == EW_WHERE) return &where_by_size[span_size(p->from)];
    if (p->op == EW_CAST) return &cast_from[p->from];
    if (!ew_is_float(p->from) || p->op > EW_DIV) return &by_type[p->from];
    return &arithmetic[p->from][variant == ASSAY_VARIANT_NATIVE    ? 0
                                : variant == ASSAY_VARIANT_INTEGER ? 2
                                                                   : 1];
}

/* ---- rows ---- */

bool elementwise_cpu_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    why[0] = '\0';
    return true;
}

bool elementwise_cpu_supports(const struct assay_device_info *info, const struct assay_call *call,
                              char why[160])
{
    struct elementwise_problem problem;
    struct elementwise_push push;
    struct assay_step step;
    (void)info;
    return elementwise_read(call, &problem, why) &&
           (problem.count == 0 ||
            (elementwise_push_fill(&problem, &push, why) &&
             elementwise_bind(&problem, 0, problem.count, UINT64_MAX, &push, &step, why)));
}

double elementwise_cpu_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return (double)assay_tensor_elems(&call->output[0]);
}

enum assay_status elementwise_cpu_plan(const struct assay_device_info *info, const struct assay_call *call,
                                       enum assay_variant variant, struct assay_plan *plan,
                                       struct assay_error *error)
{
    char why[160];
    struct elementwise_problem problem;
    struct elementwise_push push;
    struct assay_step *step = &plan->step[0];
    (void)info;
    plan->step_count = 0;
    if (!elementwise_read(call, &problem, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: %s", call->op, why);
    if (problem.count == 0) return ASSAY_OK;
    if (!elementwise_push_fill(&problem, &push, why) ||
        !elementwise_bind(&problem, 0, problem.count, UINT64_MAX, &push, step, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: %s", call->op, why);
    step->program.codes = choose(&problem, variant);
    step->program.code_count = 1;
    step->program.group[0] = step->program.group[1] = step->program.group[2] = 1;
    step->groups[0] = (uint32_t)((problem.count + ELEMENTWISE_CPU_BLOCK - 1) / ELEMENTWISE_CPU_BLOCK);
    step->groups[1] = step->groups[2] = 1;
    plan->step_count = 1;
    return ASSAY_OK;
}
