/* Softmax and the norms without a device: which calls are refused and why, plans within every limit. */
#include "kernels/normalize/normalize.h"
#include "tests/table_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

extern const struct assay_kernel_table assay_normalize_kernels;

static void test_known_answers_reach_rows(void **unused)
{
    (void)unused;
    table_rows_check(&assay_normalize_kernels);
}

static void refused(const struct assay_call *call, const char *words)
{
    for (size_t r = 0; r < assay_normalize_kernels.count; r++) {
        const struct assay_kernel *row = &assay_normalize_kernels.rows[r];
        char why[160] = "";
        if (strcmp(row->op, call->op) != 0) continue;
        if (row->supports(table_rows_device(row), call, why))
            fail_msg("%s is taken: %s", row->technique, words);
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
