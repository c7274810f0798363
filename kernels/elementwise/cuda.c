/* The rows of elementwise operators on CUDA: cuda_float.cu, cuda_integer.cu, cuda_copy.cu. Elements are counted in 64 bits. */
#include "kernels/elementwise/cuda_args.h"
#include "kernels/elementwise/elementwise.h"

#include <string.h>

_Static_assert(sizeof(struct elementwise_args) == sizeof(struct elementwise_push), "kernel arguments");

enum { THREADS = 256 };

ASSAY_CUDA_BLOBS(kernels_elementwise_cuda_float);
ASSAY_CUDA_BLOBS(kernels_elementwise_cuda_integer);
ASSAY_CUDA_BLOBS(kernels_elementwise_cuda_copy);

#define ENTRY(file, entry)                                                                                   \
    ASSAY_CUDA_ENTRY("elementwise.cuda", kernels_elementwise_cuda_##file, elementwise_##entry)
typedef const struct assay_code codes[ASSAY_CUDA_CODES];

static codes arithmetic[][3] = {
    [EW_F32] = {ENTRY(float, f32_native), ENTRY(float, f32_guarded), ENTRY(float, f32_integer)},
    [EW_F16] = {ENTRY(float, f16_native), ENTRY(float, f16_guarded), ENTRY(float, f16_integer)},
    [EW_BF16] = {ENTRY(float, bf16_native), ENTRY(float, bf16_guarded), ENTRY(float, bf16_integer)},
};
static codes by_type[] = {
    [EW_F32] = ENTRY(float, f32),   [EW_F16] = ENTRY(float, f16),     [EW_BF16] = ENTRY(float, bf16),
    [EW_I8] = ENTRY(integer, i8),   [EW_U8] = ENTRY(integer, u8),     [EW_I32] = ENTRY(integer, i32),
    [EW_I64] = ENTRY(integer, i64), [EW_BOOL] = ENTRY(integer, bool),
};
static codes where_by_size[] = {[1] = ENTRY(copy, where1),
                                [2] = ENTRY(copy, where2),
                                [4] = ENTRY(copy, where4),
                                [8] = ENTRY(copy, where8)};
static codes cast_from[] = {
    [EW_F32] = ENTRY(copy, cast_f32), [EW_F16] = ENTRY(copy, cast_f16),  [EW_BF16] = ENTRY(copy, cast_bf16),
    [EW_I8] = ENTRY(copy, cast_i8),   [EW_U8] = ENTRY(copy, cast_u8),    [EW_I32] = ENTRY(copy, cast_i32),
    [EW_I64] = ENTRY(copy, cast_i64), [EW_BOOL] = ENTRY(copy, cast_bool)};
static codes not_code = ENTRY(integer, not );

static const struct assay_code *choose(const struct elementwise_problem *p, enum assay_variant variant)
{
    if (p->op == EW_NOT) return not_code;
    if (p->op == EW_WHERE) return where_by_size[assay_dtype_bytes((enum assay_dtype)p->from)];
    if (p->op == EW_CAST) return cast_from[p->from];
    if (!ew_is_float(p->from) || p->op > EW_DIV) return by_type[p->from];
    return arithmetic[p->from][variant == ASSAY_VARIANT_NATIVE    ? 0
                               : variant == ASSAY_VARIANT_INTEGER ? 2
                                                                  : 1];
}

bool elementwise_cuda_present(const struct assay_device_info *info, char why[160])
{
    size_t bytes = 0;
    for (int i = 0; i < ASSAY_CUDA_CODES; i++) bytes += assay_code_bytes(&by_type[EW_F32][i]);
    why[0] = '\0';
    if (info->cc_major < 8)
        return assay_refuse(why, "needs compute capability 8.0, the device has %u.%u", info->cc_major,
                            info->cc_minor);
    return bytes > 0 || assay_refuse(why, "no CUDA code was built");
}

static bool make_step(const struct assay_device_info *info, const struct assay_call *call,
                      enum assay_variant variant, struct assay_plan *plan, char why[160])
{
    struct elementwise_problem p;
    struct elementwise_push push;
    struct assay_step *step = &plan->step[0];
    const uint64_t limit = info->limits.binding_bytes;
    plan->step_count = 0;
    if (!elementwise_read(call, &p, why)) return false;
    if (p.count == 0) return true;
    if (!elementwise_push_fill(&p, &push, why) ||
        !elementwise_bind(&p, 0, p.count, limit ? limit : UINT64_MAX, &push, step, why))
        return false;
    memcpy(&push, step->push, sizeof push);
    const uint64_t each = push.what >> 28 & ELEMENTWISE_VECTOR ? 4 * THREADS : THREADS;
    const uint64_t groups = ((uint64_t)p.count + each - 1) / each;
    step->program.codes = choose(&p, variant);
    step->program.code_count = ASSAY_CUDA_CODES;
    step->program.group[0] = THREADS;
    step->program.group[1] = step->program.group[2] = 1;
    step->groups[0] = groups < info->limits.groups[0] ? (uint32_t)groups : info->limits.groups[0];
    step->groups[1] = step->groups[2] = 1;
    plan->step_count = 1;
    return true;
}

bool elementwise_cuda_supports(const struct assay_device_info *info, const struct assay_call *call,
                               char why[160])
{
    struct assay_plan plan = {0};
    return make_step(info, call, ASSAY_VARIANT_NATIVE, &plan, why);
}

double elementwise_cuda_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return (double)assay_tensor_elems(&call->output[0]);
}

enum assay_status elementwise_cuda_plan(const struct assay_device_info *info, const struct assay_call *call,
                                        enum assay_variant variant, struct assay_plan *plan,
                                        struct assay_error *error)
{
    char why[160];
    if (make_step(info, call, variant, plan, why)) return ASSAY_OK;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: %s", call->op, why);
}
