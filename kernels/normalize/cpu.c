/* Plans of the CPU rows of softmax and the norms. The code is in cpu_text.h, compiled three times. */
#include <stdio.h>
#include <string.h>

#include "kernels/normalize/cpu.h"

extern const char __start_assay_normalize_cpu[] __attribute__((visibility("hidden")));
extern const char __stop_assay_normalize_cpu[] __attribute__((visibility("hidden")));

#define CODE(form)                                                                                           \
    {                                                                                                        \
        .kind = ASSAY_CODE_NATIVE, .name = "normalize.cpu.plain." #form,                                     \
        .data = __start_assay_normalize_cpu, .end = __stop_assay_normalize_cpu,                              \
        .native = normalize_cpu_##form                                                                       \
    }
static const struct assay_code code[ASSAY_VARIANT_COUNT] = {
    [ASSAY_VARIANT_NATIVE] = CODE(native),
    [ASSAY_VARIANT_GUARDED] = CODE(guarded),
    [ASSAY_VARIANT_EMULATED] = CODE(emulated),
    [ASSAY_VARIANT_INTEGER] = CODE(integer),
};

/* So many lines that a workgroup has some ten thousand elements. */
static bool set_program(const struct assay_device_info *info, const struct normalize_push *push,
                        const struct assay_code *codes, struct assay_step *step, uint32_t *each)
{
    const uint32_t units = info->compute_units ? info->compute_units : 1;
    const uint32_t share = (push->lines - 1) / units + 1, lines = (1u << 14) / (push->k + 8) + 1;
    *each = lines < share ? lines : share;
    step->program.codes = codes;
    step->program.code_count = 1;
    step->program.group[0] = step->program.group[1] = step->program.group[2] = 1;
    return true;
}

static bool plain_program(const struct assay_device_info *info, const struct normalize_push *push,
                          enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160])
{
    (void)why;
    return set_program(info, push, &code[variant], step, each);
}

static bool avx2_program(const struct assay_device_info *info, const struct normalize_push *push,
                         enum assay_variant variant, struct assay_step *step, uint32_t *each, char why[160])
{
    (void)variant, (void)why;
    return set_program(info, push, normalize_cpu_avx2_code, step, each);
}

static const struct normalize_technique plain = {.name = "cpu.plain", .program = plain_program, .wide = true};
static const struct normalize_technique avx2 = {.name = "cpu.avx2", .program = avx2_program, .wide = true};

bool normalize_cpu_plain_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    why[0] = '\0';
    return true;
}

bool normalize_cpu_avx2_present(const struct assay_device_info *info, char why[160])
{
    const uint32_t needed = ASSAY_SIMD_AVX2 | ASSAY_SIMD_FMA;
    why[0] = '\0';
    return (info->simd & needed) == needed ||
           assay_refuse(why, "this processor lacks (or is told to hide) AVX2 and FMA");
}

#define ROW(technique, ns)                                                                                   \
    bool normalize_cpu_##technique##_supports(const struct assay_device_info *info,                          \
                                              const struct assay_call *call, char why[160])                  \
    {                                                                                                        \
        struct assay_plan plan;                                                                              \
        return normalize_plan_make(info, call, &technique, ASSAY_VARIANT_NATIVE, &plan, why);                \
    }                                                                                                        \
    double normalize_cpu_##technique##_cost(const struct assay_device_info *info,                            \
                                            const struct assay_call *call)                                   \
    {                                                                                                        \
        (void)info;                                                                                          \
        return 1000 + (double)assay_tensor_elems(&call->input[0]) * ns;                                      \
    }                                                                                                        \
    enum assay_status normalize_cpu_##technique##_plan(                                                      \
        const struct assay_device_info *info, const struct assay_call *call, enum assay_variant variant,     \
        struct assay_plan *out, struct assay_error *error)                                                   \
    {                                                                                                        \
        char why[160];                                                                                       \
        if (normalize_plan_make(info, call, &technique, variant, out, why)) return ASSAY_OK;                 \
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s on %s: %s", call->op, technique.name, why);     \
    }
ROW(plain, 20)
ROW(avx2, 5)
