/* Plans of the CUDA rows of the softmax and the norms. The device code is in cuda_text.h and cuda_*.cu. */
#include "kernels/normalize/normalize.h"
#include "kernels/normalize/cuda_args.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct normalize_args) == sizeof(struct normalize_push), "kernel arguments");

struct code_set {
    struct assay_code code[ASSAY_CUDA_CODES];
};

ASSAY_CUDA_BLOBS(kernels_normalize_cuda_lanes);
ASSAY_CUDA_BLOBS(kernels_normalize_cuda_split);

#define SET(file, entry)                                                                                     \
    {                                                                                                        \
        ASSAY_CUDA_ENTRY("normalize.cuda_" #file, kernels_normalize_cuda_##file, entry)                      \
    }
static const struct code_set long_code[ASSAY_VARIANT_COUNT] = {
    [ASSAY_VARIANT_NATIVE] = SET(lanes, normalize_long_native),
    [ASSAY_VARIANT_GUARDED] = SET(lanes, normalize_long_guarded),
    [ASSAY_VARIANT_EMULATED] = SET(split, normalize_long_emulated),
    [ASSAY_VARIANT_INTEGER] = SET(split, normalize_long_integer),
};
static const struct code_set warp_code = SET(lanes, normalize_warp);
static const struct code_set group_code = SET(lanes, normalize_group);

enum { WARP = 32 };

static bool program(const struct assay_device_info *info, const struct normalize_push *push,
                    enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160])
{
    const uint32_t blocks = (push->k - 1) / NORMALIZE_BLOCK + 1;
    const struct code_set *set = &long_code[variant];
    uint32_t threads = LONG_THREADS;
    (void)info;
    *each = 1;
    if (variant == ASSAY_VARIANT_NATIVE && push->k <= WARP_MOST) {
        set = &warp_code;
        threads = WARPS_EACH * WARP;
        *each = WARPS_EACH;
    } else if (variant == ASSAY_VARIANT_NATIVE && blocks <= GROUP_MOST) {
        set = &group_code;
        threads = blocks * NORMALIZE_LANES;
    }
    if (!set->code[0].entry) return assay_refuse(why, "no code for this form of the arithmetic");
    step->program.codes = set->code;
    step->program.code_count = ASSAY_CUDA_CODES;
    step->program.group[0] = threads;
    step->program.group[1] = step->program.group[2] = 1;
    return true;
}

static const struct normalize_technique lanes = {.name = "cuda.lanes", .program = program, .wide = true};

bool normalize_cuda_lanes_present(const struct assay_device_info *info, char why[160])
{
    size_t bytes = 0;
    why[0] = '\0';
    for (int i = 0; i < ASSAY_CUDA_CODES; i++) bytes += assay_code_bytes(&warp_code.code[i]);
    if (info->cc_major < 8)
        return assay_refuse(why, "needs compute capability 8.0, the device has %u.%u", info->cc_major,
                            info->cc_minor);
    return bytes > 0 || assay_refuse(why, "no CUDA code was built");
}

bool normalize_cuda_lanes_supports(const struct assay_device_info *info, const struct assay_call *call,
                                   char why[160])
{
    struct assay_plan plan;
    return normalize_plan_make(info, call, &lanes, ASSAY_VARIANT_NATIVE, &plan, why);
}

double normalize_cuda_lanes_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return 3000 + (double)assay_tensor_elems(&call->input[0]) * 0.005;
}

enum assay_status normalize_cuda_lanes_plan(const struct assay_device_info *info,
                                            const struct assay_call *call, enum assay_variant variant,
                                            struct assay_plan *plan, struct assay_error *error)
{
    char why[160];
    if (normalize_plan_make(info, call, &lanes, variant, plan, why)) return ASSAY_OK;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s on %s: %s", call->op, lanes.name, why);
}
