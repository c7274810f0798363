/* Plans of the Vulkan rows of the reductions. The device code is in vulkan_lanes.comp and vulkan_arg.comp. */
#include "kernels/reduce/reduce.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

ASSAY_BLOB(kernels_reduce_vulkan_lanes_native_spv);
ASSAY_BLOB(kernels_reduce_vulkan_lanes_emulated_spv);
ASSAY_BLOB(kernels_reduce_vulkan_arg_native_spv);

#define CODE(words, blob)                                                                                    \
    {                                                                                                        \
        .kind = ASSAY_CODE_SPIRV, .name = "reduce.vulkan." words, .entry = "main",                           \
        ASSAY_BLOB_AT(kernels_reduce_vulkan_##blob##_spv)                                                    \
    }
static const struct assay_code native_code = CODE("lanes.native", lanes_native);
static const struct assay_code emulated_code = CODE("lanes.emulated", lanes_emulated);
static const struct assay_code arg_code = CODE("arg", arg_native);

/* Mesa's software renderer ends an invocation's loops after 65,535 iterations in all; integer bodies have loops too. */
enum { SOFTWARE_ROUNDS = 60000 };

static bool program(const struct assay_device_info *info, const struct reduce_push *push,
                    enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160])
{
    const bool arg = (push->operation >> 4 & 15) >= REDUCE_ARGMAX;
    const bool native = variant == ASSAY_VARIANT_NATIVE || variant == ASSAY_VARIANT_CONTRACT;
    uint32_t width = 1;
    *each = 1;
    if (arg && info->software && push->k_low / REDUCE_LANES > SOFTWARE_ROUNDS)
        return assay_refuse(why, "rows of %" PRIu32 " elements, a software renderer's loops reach %d",
                            push->k_low, SOFTWARE_ROUNDS * REDUCE_LANES);
    while (width < push->k_low && width < REDUCE_LANES) width *= 2;
    if (!arg) *each = REDUCE_LANES / width;
    step->program.codes = arg ? &arg_code : native ? &native_code : &emulated_code;
    step->program.code_count = 1;
    step->program.group[0] = REDUCE_LANES;
    step->program.group[1] = step->program.group[2] = 1;
    step->program.spec[0] = variant;
    step->program.spec[1] = push->operation >> 8 & 15;
    step->program.spec_count = arg ? 0 : 2;
    return true;
}

static const struct reduce_technique lanes = {.name = "vulkan.lanes", .program = program};

bool reduce_vulkan_lanes_present(const struct assay_device_info *info, char why[160])
{
    why[0] = '\0';
    return info->limits.group_invocations >= REDUCE_LANES ||
           assay_refuse(why, "a workgroup of %d invocations, the limit is %" PRIu32, REDUCE_LANES,
                        info->limits.group_invocations);
}

bool reduce_vulkan_lanes_supports(const struct assay_device_info *info, const struct assay_call *call,
                                  char why[160])
{
    struct assay_plan plan;
    return reduce_plan_make(info, call, &lanes, ASSAY_VARIANT_NATIVE, &plan, why);
}

double reduce_vulkan_lanes_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return 5000 + (double)assay_tensor_elems(&call->input[0]) * 0.002;
}

enum assay_status reduce_vulkan_lanes_plan(const struct assay_device_info *info,
                                           const struct assay_call *call, enum assay_variant variant,
                                           struct assay_plan *plan, struct assay_error *error)
{
    char why[160];
    if (reduce_plan_make(info, call, &lanes, variant, plan, why)) return ASSAY_OK;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s on %s: %s", call->op, lanes.name, why);
}
