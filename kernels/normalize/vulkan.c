/* Plans of the Vulkan rows of softmax and the norms. The device code is in vulkan_lanes.comp. */
#include "kernels/normalize/normalize.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

ASSAY_BLOB(kernels_normalize_vulkan_lanes_native_spv);
ASSAY_BLOB(kernels_normalize_vulkan_lanes_emulated_spv);

#define CODE(words, blob)                                                                                    \
    {                                                                                                        \
        .kind = ASSAY_CODE_SPIRV, .name = "normalize.vulkan." words, .entry = "main",                        \
        ASSAY_BLOB_AT(kernels_normalize_vulkan_##blob##_spv)                                                 \
    }
static const struct assay_code native_code = CODE("lanes.native", lanes_native);
static const struct assay_code emulated_code = CODE("lanes.emulated", lanes_emulated);

/* Mesa's software renderer ends an invocation's loops after 65,535 iterations in all: five passes over a line. */
enum { SOFTWARE_ROUNDS = 60000, PASSES = 6, MOST_BLOCKS = 1024 };

static bool program(const struct assay_device_info *info, const struct normalize_push *push,
                    enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160])
{
    const bool native = variant == ASSAY_VARIANT_NATIVE || variant == ASSAY_VARIANT_CONTRACT;
    uint32_t width = 1, most = MOST_BLOCKS * NORMALIZE_BLOCK;
    if (info->software && most > SOFTWARE_ROUNDS / PASSES * NORMALIZE_LANES)
        most = SOFTWARE_ROUNDS / PASSES * NORMALIZE_LANES;
    if (push->k > most)
        return assay_refuse(why, "lines of %" PRIu32 " elements, at most %" PRIu32 " are taken here", push->k,
                            most);
    while (width < push->k && width < NORMALIZE_LANES) width *= 2;
    *each = NORMALIZE_LANES / width;
    step->program.codes = native ? &native_code : &emulated_code;
    step->program.code_count = 1;
    step->program.group[0] = NORMALIZE_LANES;
    step->program.group[1] = step->program.group[2] = 1;
    step->program.spec[0] = variant;
    step->program.spec[1] = push->operation & 15;
    step->program.spec_count = 2;
    return true;
}

static const struct normalize_technique lanes = {.name = "vulkan.lanes", .program = program};

bool normalize_vulkan_lanes_present(const struct assay_device_info *info, char why[160])
{
    why[0] = '\0';
    return info->limits.group_invocations >= NORMALIZE_LANES ||
           assay_refuse(why, "a workgroup of %d invocations, the limit is %" PRIu32, NORMALIZE_LANES,
                        info->limits.group_invocations);
}

bool normalize_vulkan_lanes_supports(const struct assay_device_info *info, const struct assay_call *call,
                                     char why[160])
{
    struct assay_plan plan;
    return normalize_plan_make(info, call, &lanes, ASSAY_VARIANT_NATIVE, &plan, why);
}

double normalize_vulkan_lanes_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return 5000 + (double)assay_tensor_elems(&call->input[0]) * 0.02;
}

enum assay_status normalize_vulkan_lanes_plan(const struct assay_device_info *info,
                                              const struct assay_call *call, enum assay_variant variant,
                                              struct assay_plan *plan, struct assay_error *error)
{
    char why[160];
    if (normalize_plan_make(info, call, &lanes, variant, plan, why)) return ASSAY_OK;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s on %s: %s", call->op, lanes.name, why);
}
