/* The rows of elementwise operators on Vulkan: vulkan.comp, one pipeline an operator and pair of types. A call that is
 * longer than a binding is cut into steps where it is flat, and refused otherwise. */
#include "kernels/elementwise/elementwise.h"

#include <inttypes.h>
#include <string.h>

enum { THREADS = 128, CUT_ELEMS = 256 /* parts of a call start at a multiple: of 256 bytes too */ };

ASSAY_BLOB(kernels_elementwise_vulkan_native_spv);
ASSAY_BLOB(kernels_elementwise_vulkan_emulated_spv);

#define SPIRV(text)                                                                                          \
    {                                                                                                        \
        .kind = ASSAY_CODE_SPIRV, .name = "elementwise.vulkan." #text, .entry = "main",                      \
        ASSAY_BLOB_AT(kernels_elementwise_vulkan_##text##_spv)                                               \
    }
static const struct assay_code native = SPIRV(native), emulated = SPIRV(emulated);

bool elementwise_vulkan_present(const struct assay_device_info *info, char why[160])
{
    why[0] = '\0';
    return info->limits.group_invocations >= THREADS ||
           assay_refuse(why, "workgroups of %d, the device has %u", THREADS, info->limits.group_invocations);
}

/* Bytes that a binding may have, with room for its rounding. */
static uint64_t most_bytes(const struct assay_device_info *info)
{
    uint64_t most = info->limits.binding_bytes;
    return most && most < UINT32_MAX - 3u ? most : UINT32_MAX - 3u;
}

/* Elements of a part: as many as lie in a binding of every operand. */
static int64_t part_elems(const struct elementwise_problem *p, uint64_t most)
{
    uint64_t size = 1;
    for (int i = 0; i < ELEMENTWISE_OPERANDS; i++)
        if (p->tensor[i] && assay_dtype_bytes(p->tensor[i]->dtype) > size)
            size = assay_dtype_bytes(p->tensor[i]->dtype);
    const uint64_t elems = most > 1024 ? (most - 512) / size / CUT_ELEMS * CUT_ELEMS : 0;
    return (int64_t)(elems ? elems : CUT_ELEMS);
}

static bool make_steps(const struct assay_device_info *info, const struct assay_call *call,
                       enum assay_variant variant, struct assay_plan *plan, char why[160])
{
    struct elementwise_problem p;
    struct elementwise_push push;
    plan->step_count = 0;
    if (!elementwise_read(call, &p, why)) return false;
    if (p.count == 0) return true;
    if (!elementwise_push_fill(&p, &push, why)) return false;
    const uint64_t most = most_bytes(info);
    const bool flat = push.what >> 28 & ELEMENTWISE_FLAT;
    const int64_t part = flat ? part_elems(&p, most) : p.count;
    const int64_t parts = (p.count + part - 1) / part;
    if (parts > ASSAY_STEPS_MAX)
        return assay_refuse(why,
                            "%" PRId64 " elements take more than %d bindings of at most %" PRIu64 " bytes",
                            p.count, ASSAY_STEPS_MAX, most);
    if (p.count > UINT32_MAX && !flat)
        return assay_refuse(why, "%" PRId64 " elements in several dimensions, at most 4294967295", p.count);
    const bool arithmetic = p.op <= EW_DIV && ew_is_float(p.from);
    const bool plain = variant == ASSAY_VARIANT_NATIVE || variant == ASSAY_VARIANT_CONTRACT;
    for (int64_t n = 0; n < parts; n++) {
        struct assay_step *step = &plan->step[n];
        const int64_t first = n * part, count = n + 1 < parts ? part : p.count - first;
        if (!elementwise_bind(&p, first, count, most, &push, step, why)) return false;
        /* The shader's four bindings: what is not there is bound to A and not touched. */
        if (p.inputs < 3) {
            step->bind[3] = step->bind[p.inputs];
            for (uint32_t i = p.inputs; i < 3; i++) step->bind[i] = step->bind[0];
        }
        step->program.bindings = 4;
        step->program.codes = arithmetic && !plain ? &emulated : &native;
        step->program.code_count = 1;
        step->program.group[0] = THREADS;
        step->program.group[1] = step->program.group[2] = 1;
        step->program.spec[0] = arithmetic ? variant : ASSAY_VARIANT_NATIVE;
        step->program.spec[1] = p.op;
        step->program.spec[2] = p.from;
        step->program.spec[3] = p.to;
        step->program.spec_count = 4;
        /* An invocation makes an element or a word. One goes through no more than 256 elements: a 64-bit division takes 64
         * steps of a loop, and llvmpipe ends an invocation's loops at 65,535. */
        const uint64_t groups = ((uint64_t)count + THREADS - 1) / THREADS;
        step->groups[0] = groups < info->limits.groups[0] ? (uint32_t)groups : info->limits.groups[0];
        step->groups[1] = step->groups[2] = 1;
        plan->step_count++;
    }
    return true;
}

bool elementwise_vulkan_supports(const struct assay_device_info *info, const struct assay_call *call,
                                 char why[160])
{
    struct assay_plan plan = {0};
    return make_steps(info, call, ASSAY_VARIANT_NATIVE, &plan, why);
}

double elementwise_vulkan_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return (double)assay_tensor_elems(&call->output[0]);
}

enum assay_status elementwise_vulkan_plan(const struct assay_device_info *info, const struct assay_call *call,
                                          enum assay_variant variant, struct assay_plan *plan,
                                          struct assay_error *error)
{
    char why[160];
    if (make_steps(info, call, variant, plan, why)) return ASSAY_OK;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: %s", call->op, why);
}
