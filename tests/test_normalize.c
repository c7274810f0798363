/* Softmax and the norms without a device: which calls are refused and why, plans within every limit. */
#include "kernels/normalize/normalize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define LIMITS                                                                                               \
    {                                                                                                        \
        .binding_bytes = 1u << 30, .allocation_bytes = 1u << 30, .groups = {65535, 65535, 65535},            \
        .group_invocations = 1024, .shared_bytes = 49152, .push_bytes = 128                                  \
    }
static const struct assay_device_info devices[] = {
    {.backend = "cpu", .compute_units = 2, .simd = ASSAY_SIMD_AVX2 | ASSAY_SIMD_FMA, .limits = LIMITS},
    {.backend = "vulkan", .compute_units = 132, .limits = LIMITS},
    {.backend = "cuda", .cc_major = 9, .compute_units = 132, .limits = LIMITS},
};

extern const struct assay_kernel_table assay_normalize_kernels;

static const struct assay_device_info *device_of(const struct assay_kernel *row)
{
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        if (strcmp(devices[d].backend, row->backend) == 0) return &devices[d];
    fail_msg("no device for %s", row->backend);
    return NULL;
}

/* Every row takes an answer of its operator, and its steps lie inside buffers, limits and pushes. */
static void test_known_answers_reach_rows(void **unused)
{
    (void)unused;
    for (size_t r = 0; r < assay_normalize_kernels.count; r++) {
        const struct assay_kernel *row = &assay_normalize_kernels.rows[r];
        const struct assay_device_info *info = device_of(row);
        int taken = 0;
        for (size_t k = 0; k < row->known_count; k++) {
            char why[160] = "";
            struct assay_plan plan;
            struct assay_error error = {0};
            assert_string_equal(row->known[k].call.op, row->op);
            if (!row->supports(info, &row->known[k].call, why)) continue;
            taken++;
            for (int v = ASSAY_VARIANT_NATIVE; v < ASSAY_VARIANT_COUNT; v++) {
                if (row->variants && !(row->variants >> v & 1)) continue;
                assert_int_equal(row->plan(info, &row->known[k].call, (enum assay_variant)v, &plan, &error),
                                 ASSAY_OK);
                for (size_t s = 0; s < plan.step_count; s++) {
                    const struct assay_step *step = &plan.step[s];
                    assert_true(step->program.push_bytes <= info->limits.push_bytes);
                    assert_true(step->groups[0] >= 1 && step->groups[0] <= info->limits.groups[0]);
                    assert_non_null(step->program.codes);
                    for (uint32_t b = 0; b < step->program.bindings; b++) {
                        assert_int_equal(step->bind[b].offset_bytes % 256, 0);
                        if (step->bind[b].role == ASSAY_ROLE_SCRATCH)
                            assert_true(step->bind[b].offset_bytes + step->bind[b].bytes <=
                                        plan.scratch_bytes);
                    }
                }
            }
        }
        if (taken < 3) fail_msg("%s %s takes %d known answers", row->backend, row->technique, taken);
    }
}

static void refused(const struct assay_call *call, const char *words)
{
    for (size_t r = 0; r < assay_normalize_kernels.count; r++) {
        const struct assay_kernel *row = &assay_normalize_kernels.rows[r];
        char why[160] = "";
        if (strcmp(row->op, call->op) != 0) continue;
        if (row->supports(device_of(row), call, why)) fail_msg("%s is taken: %s", row->technique, words);
        if (!strstr(why, words)) fail_msg("'%s' does not say '%s'", why, words);
    }
}

static struct assay_call layer_call(void)
{
    struct assay_call call = {.op = "LayerNormalization", .input_count = 3, .output_count = 1};
    assay_tensor_dense(&call.input[0], ASSAY_F32, 2, (int64_t[]){3, 5});
    assay_tensor_dense(&call.input[1], ASSAY_F32, 1, (int64_t[]){5});
    assay_tensor_dense(&call.input[2], ASSAY_F32, 1, (int64_t[]){5});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){3, 5});
    return call;
}

static void test_refusals(void **unused)
{
    (void)unused;
    struct assay_attr attr = {.name = "axis", .i = 2};
    struct assay_call call = layer_call();
    call.attrs = &attr;
    call.attr_count = 1;
    refused(&call, "axis lies outside of 2 dimensions");
    attr = (struct assay_attr){.name = "stash_type", .i = 10};
    refused(&call, "attribute stash_type");
    call = layer_call();
    call.output_count = 2; /* the mean */
    refused(&call, "2 outputs: only Y is made");
    call = layer_call();
    call.input_count = 1;
    refused(&call, "1 inputs");
    call = layer_call();
    call.input[1].shape[0] = 4;
    refused(&call, "Scale has not a row's shape");
    call = layer_call();
    call.input[2].stride[0] = 2;
    refused(&call, "B is not dense");
    call = layer_call();
    call.input[0].dtype = ASSAY_F16;
    refused(&call, "f16");
    call = layer_call();
    call.output[0].stride[1] = 0;
    refused(&call, "share one place");
    call = layer_call();
    call.op = "Softmax";
    call.input_count = 1;
    call.input[0].shape[1] = call.output[0].shape[1] = (INT64_C(1) << 24) + 1;
    refused(&call, "at most 16777216");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_answers_reach_rows),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
