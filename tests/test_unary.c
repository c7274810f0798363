/* Elementwise operators as kernels: known answers against the contract, every program of every row is named by one, which
 * form a device gets, what is refused with which limit, and element numbers beyond 2^31. Without a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kernels/unary/unary.h"
#include "oracles/oracle.h"

extern const struct assay_kernel_table assay_unary_kernels;

#define LIMITS                                                                                               \
    {                                                                                                        \
        .binding_bytes = 4294967292, .groups = {2147483647, 65535, 65535}, .group_invocations = 1024,        \
        .push_bytes = 256                                                                                    \
    }
static const struct assay_device_info devices[] = {
    {.backend = "cuda", .cc_major = 9, .limits = {.groups = {2147483647, 65535, 65535}}},
    {.backend = "vulkan", .limits = LIMITS},
    {.backend = "cpu", .limits = {.groups = {2147483647, 65535, 65535}}},
};

static const struct assay_device_info *device_of(const struct assay_kernel *row)
{
    size_t d = 0;
    while (strcmp(devices[d].backend, row->backend) != 0) d++;
    return &devices[d];
}

static void call_bytes(struct assay_call *call)
{
    for (size_t i = 0; i < call->input_count + call->output_count; i++) {
        struct assay_tensor *t =
            i < call->input_count ? &call->input[i] : &call->output[i - call->input_count];
        t->bytes = (uint64_t)assay_tensor_extent(t) * assay_dtype_bytes(t->dtype);
    }
}

/* Two ways to the right bits: decimals and fractions in Python, binary64 and MPFR here. */
static void known_answers(void **state)
{
    (void)state;
    size_t answers = 0;
    for (size_t r = 0; r < assay_unary_kernels.count; r++) {
        const struct assay_kernel *row = &assay_unary_kernels.rows[r];
        if (strcmp(row->backend, "cuda") != 0) continue;
        assert_int_equal(row->known_count, UNARY_KNOWN_COUNT);
        for (size_t k = 0; k < row->known_count; k++, answers++) {
            const struct assay_known_answer *known = &row->known[k];
            struct assay_call call = known->call;
            struct op_case c;
            struct assay_error error = {0};
            call_bytes(&call);
            for (size_t i = 0; i < call.input_count; i++) call.input[i].data = (void *)known->input[i];
            const size_t bytes = (call.output[0].bytes + 3) / 4 * 4;
            call.output[0].data = calloc(1, bytes);
            if (op_case_from_node(call.op, call.attrs, call.attr_count, call.input, call.input_count,
                                  call.output, 1, &c, &error))
                fail_msg("%s: %s", call.op, error.text);
            c.op->contract(&c, call.input, call.output, 0, c.op->rows(&c));
            if (memcmp(call.output[0].data, known->output[0], bytes) != 0)
                fail_msg("%s %s: the contract has other bits than answer %zu", call.op,
                         assay_dtype_name(row->dtype), k);
            free(call.output[0].data);
        }
    }
    assert_int_equal(answers, 25 * 3 * 2);
}

static const struct assay_code *code_of(const struct assay_kernel *row, const struct assay_call *call,
                                        enum assay_variant variant)
{
    struct assay_plan plan;
    struct assay_error error = {0};
    char why[160];
    if (!row->supports(device_of(row), call, why)) return NULL;
    if (row->plan(device_of(row), call, variant, &plan, &error)) fail_msg("%s", error.text);
    assert_int_equal(plan.step_count, 1);
    return plan.step[0].program.codes;
}

/* Every function has a program in either form, other programs than any other function's, and an answer that runs it. */
static void programs_are_known(void **state)
{
    (void)state;
    static const struct assay_code *seen[1024];
    size_t count = 0;
    for (size_t r = 0; r < assay_unary_kernels.count; r++) {
        const struct assay_kernel *row = &assay_unary_kernels.rows[r];
        assert_true(row->normals);
        assert_false(row->variants >> ASSAY_VARIANT_INTEGER & 1);
        for (size_t k = 0; k < row->known_count; k++) {
            struct assay_call call = row->known[k].call;
            call_bytes(&call);
            const struct assay_code *fused = code_of(row, &call, ASSAY_VARIANT_NATIVE);
            const struct assay_code *unfused = code_of(row, &call, ASSAY_VARIANT_EMULATED);
            assert_non_null(fused);
            assert_ptr_equal(fused, code_of(row, &call, ASSAY_VARIANT_GUARDED));
            if (row->variants >> ASSAY_VARIANT_EMULATED & 1) assert_ptr_not_equal(fused, unfused);
            bool new = true;
            for (size_t s = 0; s < count; s++) new &= seen[s] != fused;
            if (new) seen[count++] = fused;
        }
    }
    /* 26 functions of CUDA and Vulkan, and twice of the CPU */
    assert_int_equal(count, 4 * 26);
}

static void forms(void **state)
{
    (void)state;
    const struct assay_kernel *row = &assay_unary_kernels.rows[0];
    const struct assay_kernel other = {.op = "MatMul"};
    const struct assay_traits fused = {.fma_fused = true}, split = {.fma_fused = false};
    assert_int_equal(assay_exact_form(&fused, row, ASSAY_VARIANT_CONTRACT), ASSAY_VARIANT_GUARDED);
    assert_int_equal(assay_exact_form(&split, row, ASSAY_VARIANT_CONTRACT), ASSAY_VARIANT_EMULATED);
    assert_int_equal(assay_exact_form(&fused, row, ASSAY_VARIANT_EMULATED), ASSAY_VARIANT_EMULATED);
    assert_int_equal(assay_exact_form(&fused, &other, ASSAY_VARIANT_CONTRACT), ASSAY_VARIANT_CONTRACT);
}

static struct assay_call exp_call(enum assay_dtype dtype, int64_t m, int64_t n)
{
    struct assay_call call = {.op = "Exp", .input_count = 1, .output_count = 1};
    assay_tensor_dense(&call.input[0], dtype, 2, (int64_t[]){m, n});
    assay_tensor_dense(&call.output[0], dtype, 2, (int64_t[]){m, n});
    call_bytes(&call);
    return call;
}

static const struct assay_kernel *row_of(const char *backend, const char *technique)
{
    for (size_t r = 0; r < assay_unary_kernels.count; r++)
        if (strcmp(assay_unary_kernels.rows[r].backend, backend) == 0 &&
            strcmp(assay_unary_kernels.rows[r].technique, technique) == 0)
            return &assay_unary_kernels.rows[r];
    fail_msg("no row %s %s", backend, technique);
    return NULL;
}

static void refuses(const struct assay_kernel *row, const struct assay_call *call, const char *text)
{
    char why[160] = "";
    assert_false(row->supports(device_of(row), call, why));
    if (!strstr(why, text)) fail_msg("'%s' does not say '%s'", why, text);
}

static void refusals(void **state)
{
    (void)state;
    const struct assay_kernel *row = row_of("cuda", "exp");
    struct assay_call call = exp_call(ASSAY_F16, 2, 3);
    refuses(row, &call, "input 0 is f16, this kernel takes f32");
    call = exp_call(ASSAY_F32, 2, 3);
    call.output[0].shape[1] = 4;
    refuses(row, &call, "different shapes");
    call = exp_call(ASSAY_F32, 4, 3);
    call.output[0].stride[0] = 2;
    refuses(row, &call, "put elements on one place");
    call.output[0].stride[0] = 0;
    refuses(row, &call, "put elements on one place");
    call = exp_call(ASSAY_F32, 4, 3);
    call.input[0].stride[0] = 0; /* one row for all is read, not written */
    char why[160];
    assert_true(row->supports(&devices[0], &call, why));
    call.attrs = &(struct assay_attr){.name = "alpha", .kind = ASSAY_ATTR_FLOAT};
    call.attr_count = 1;
    refuses(row, &call, "no attribute alpha");
    /* 2^30 elements are 4 bytes more than a binding has */
    call = exp_call(ASSAY_F32, 1, INT64_C(1) << 30);
    refuses(row_of("vulkan", "exp"), &call, "X spans 4294967296 bytes, a binding has at most 4294967292");
    call = exp_call(ASSAY_BF16, 3, INT64_C(1) << 30);
    refuses(row_of("vulkan", "exp_bf16"), &call,
            "X spans 3221225472 elements, this kernel counts to 2147483648");
}

/* Rows of 3 * 2^30 elements, 5 apart: no word of 32 bits holds a place, a count or a stride. */
static void beyond_2_31(void **state)
{
    (void)state;
    const struct assay_kernel *row = row_of("cuda", "exp");
    struct assay_call call = exp_call(ASSAY_F32, 3, INT64_C(3) << 30);
    struct assay_plan plan;
    struct unary_push push;
    call.output[0].stride[0] += 5;
    call_bytes(&call);
    assert_int_equal(row->plan(&devices[0], &call, ASSAY_VARIANT_NATIVE, &plan, NULL), ASSAY_OK);
    memcpy(&push, plan.step[0].push, sizeof push);
    assert_int_equal(push.rows, 3);
    assert_int_equal(push.cols, INT64_C(3) << 30);
    assert_int_equal(push.x_row, INT64_C(3) << 30);
    assert_int_equal(push.y_row, (INT64_C(3) << 30) + 5);
    assert_int_equal(push.packed, 0);
    call = exp_call(ASSAY_F32, 3, INT64_C(3) << 30);
    assert_int_equal(row->plan(&devices[0], &call, ASSAY_VARIANT_NATIVE, &plan, NULL), ASSAY_OK);
    memcpy(&push, plan.step[0].push, sizeof push);
    assert_int_equal(push.rows, 1);
    assert_int_equal(push.cols, INT64_C(9) << 30);
    assert_int_equal(push.packed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers), cmocka_unit_test(programs_are_known), cmocka_unit_test(forms),
        cmocka_unit_test(refusals),      cmocka_unit_test(beyond_2_31),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
