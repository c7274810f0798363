/* Plans of the CPU rows of the reductions. The code is in cpu_text.h, compiled three times. */
#include <stdio.h>
#include <string.h>

#include "kernels/reduce/cpu.h"

extern const char __start_assay_reduce_cpu[] __attribute__((visibility("hidden")));
extern const char __stop_assay_reduce_cpu[] __attribute__((visibility("hidden")));

#define CODE(form)                                                                                           \
    {                                                                                                        \
        .kind = ASSAY_CODE_NATIVE, .name = "reduce.cpu.plain." #form, .data = __start_assay_reduce_cpu,      \
        .end = __stop_assay_reduce_cpu, .native = reduce_cpu_##form                                          \
    }
static const struct assay_code code[ASSAY_VARIANT_COUNT] = {
    [ASSAY_VARIANT_NATIVE] = CODE(native),
    [ASSAY_VARIANT_GUARDED] = CODE(guarded),
    [ASSAY_VARIANT_EMULATED] = CODE(emulated),
    [ASSAY_VARIANT_INTEGER] = CODE(integer),
};

/* So many pairs that a workgroup has some ten thousand elements to add. */
static bool set_program(const struct assay_device_info *info, const struct reduce_push *push,
                        const struct assay_code *codes, struct assay_step *step, uint32_t *each)
{
    const uint64_t k = (uint64_t)push->k_high << 32 | push->k_low;
    const uint64_t elems = k < REDUCE_BLOCK ? k + 8 : REDUCE_BLOCK,
                   most = (uint64_t)push->rows * push->blocks;
    const uint64_t units = info->compute_units ? info->compute_units : 1;
    uint64_t pairs = (1u << 15) / elems + 1;
    if (pairs > (most + units - 1) / units) pairs = (most + units - 1) / units;
    *each = pairs > 0 ? (uint32_t)pairs : 1;
    step->program.codes = codes;
    step->program.code_count = 1;
    step->program.group[0] = step->program.group[1] = step->program.group[2] = 1;
    return true;
}

static bool plain_program(const struct assay_device_info *info, const struct reduce_push *push,
                          enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160])
{
    (void)why;
    return set_program(info, push, &code[variant], step, each);
}

static bool avx2_program(const struct assay_device_info *info, const struct reduce_push *push,
                         enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160])
{
    (void)variant, (void)why;
    return set_program(info, push, reduce_cpu_avx2_code, step, each);
}

static const struct reduce_technique plain = {.name = "cpu.plain", .program = plain_program, .wide = true};
static const struct reduce_technique avx2 = {.name = "cpu.avx2", .program = avx2_program, .wide = true};

bool reduce_cpu_plain_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    why[0] = '\0';
    return true;
}

bool reduce_cpu_avx2_present(const struct assay_device_info *info, char why[160])
{
    const uint32_t needed = ASSAY_SIMD_AVX2 | ASSAY_SIMD_FMA;
    why[0] = '\0';
    return (info->simd & needed) == needed ||
           assay_refuse(why, "this processor lacks (or is told to hide) AVX2 and FMA");
}

#define ROW(technique, ns)                                                                                   \
    bool reduce_cpu_##technique##_supports(const struct assay_device_info *info,                             \
                                           const struct assay_call *call, char why[160])                     \
    {                                                                                                        \
        struct assay_plan plan;                                                                              \
        return reduce_plan_make(info, call, &technique, ASSAY_VARIANT_NATIVE, &plan, why);                   \
    }                                                                                                        \
    double reduce_cpu_##technique##_cost(const struct assay_device_info *info,                               \
                                         const struct assay_call *call)                                      \
    {                                                                                                        \
        (void)info;                                                                                          \
        return 1000 + (double)assay_tensor_elems(&call->input[0]) * ns;                                      \
    }                                                                                                        \
    enum assay_status reduce_cpu_##technique##_plan(                                                         \
        const struct assay_device_info *info, const struct assay_call *call, enum assay_variant variant,     \
        struct assay_plan *out, struct assay_error *error)                                                   \
    {                                                                                                        \
        char why[160];                                                                                       \
        if (reduce_plan_make(info, call, &technique, variant, out, why)) return ASSAY_OK;                    \
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s on %s: %s", call->op, technique.name, why);     \
    }
ROW(plain, 1.0)
ROW(avx2, 0.3)
