/* Plans of the CUDA rows of the reductions. The device code is in cuda_text.h and cuda_*.cu. */
#include "kernels/reduce/reduce.h"
#include "kernels/reduce/cuda_args.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct reduce_args) == sizeof(struct reduce_push), "kernel arguments");

struct code_set {
    struct assay_code code[ASSAY_CUDA_CODES];
};

ASSAY_CUDA_BLOBS(kernels_reduce_cuda_lanes);
ASSAY_CUDA_BLOBS(kernels_reduce_cuda_split);

#define SET(file, entry)                                                                                     \
    {                                                                                                        \
        ASSAY_CUDA_ENTRY("reduce.cuda_" #file, kernels_reduce_cuda_##file, entry)                            \
    }
static const struct code_set lanes_code[ASSAY_VARIANT_COUNT] = {
    [ASSAY_VARIANT_NATIVE] = SET(lanes, reduce_lanes_native),
    [ASSAY_VARIANT_GUARDED] = SET(lanes, reduce_lanes_guarded),
    [ASSAY_VARIANT_EMULATED] = SET(split, reduce_lanes_emulated),
    [ASSAY_VARIANT_INTEGER] = SET(split, reduce_lanes_integer),
};
static const struct code_set short_code[ASSAY_VARIANT_COUNT] = {
    [ASSAY_VARIANT_NATIVE] = SET(lanes, reduce_short_native),
    [ASSAY_VARIANT_GUARDED] = SET(lanes, reduce_short_guarded),
    [ASSAY_VARIANT_EMULATED] = SET(split, reduce_short_emulated),
    [ASSAY_VARIANT_INTEGER] = SET(split, reduce_short_integer),
};
static const struct code_set arg_warp_code = SET(lanes, reduce_arg_warp);
static const struct code_set arg_group_code = SET(lanes, reduce_arg_group);

enum { WARP = 32, ARG_WARP_MOST = 4096 };

static bool program(const struct assay_device_info *info, const struct reduce_push *push,
                    enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160])
{
    const uint32_t join = push->operation >> 4 & 15;
    const uint64_t k = (uint64_t)push->k_high << 32 | push->k_low;
    const struct code_set *set = &lanes_code[variant];
    uint32_t threads = LANES_EACH * WARP;
    (void)info;
    *each = LANES_EACH;
    if (join >= REDUCE_ARGMAX) {
        set = k > ARG_WARP_MOST ? &arg_group_code : &arg_warp_code;
        if (k > ARG_WARP_MOST) {
            threads = ARG_THREADS;
            *each = 1;
        }
    } else if (k <= WARP) {
        uint32_t width = 1;
        while (width < k) width *= 2;
        set = &short_code[variant];
        threads = SHORT_THREADS;
        *each = SHORT_THREADS * SHORT_TURNS / width;
    }
    if (!set->code[0].entry) return assay_refuse(why, "no code for this form of the arithmetic");
    step->program.codes = set->code;
    step->program.code_count = ASSAY_CUDA_CODES;
    step->program.group[0] = threads;
    step->program.group[1] = step->program.group[2] = 1;
    return true;
}

static const struct reduce_technique lanes = {.name = "cuda.lanes", .program = program, .wide = true};

bool reduce_cuda_lanes_present(const struct assay_device_info *info, char why[160])
{
    size_t bytes = 0;
    why[0] = '\0';
    for (int i = 0; i < ASSAY_CUDA_CODES; i++) bytes += assay_code_bytes(&arg_warp_code.code[i]);
    if (info->cc_major < 8)
        return assay_refuse(why, "needs compute capability 8.0, the device has %u.%u", info->cc_major,
                            info->cc_minor);
    return bytes > 0 || assay_refuse(why, "no CUDA code was built");
}

bool reduce_cuda_lanes_supports(const struct assay_device_info *info, const struct assay_call *call,
                                char why[160])
{
    struct assay_plan plan;
    return reduce_plan_make(info, call, &lanes, ASSAY_VARIANT_NATIVE, &plan, why);
}

double reduce_cuda_lanes_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return 3000 + (double)assay_tensor_elems(&call->input[0]) * 0.001;
}

enum assay_status reduce_cuda_lanes_plan(const struct assay_device_info *info, const struct assay_call *call,
                                         enum assay_variant variant, struct assay_plan *plan,
                                         struct assay_error *error)
{
    char why[160];
    if (reduce_plan_make(info, call, &lanes, variant, plan, why)) return ASSAY_OK;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s on %s: %s", call->op, lanes.name, why);
}
