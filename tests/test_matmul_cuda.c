/* Plans of the CUDA rows of the matrix product, without a device: which rows take a call, that the grid covers it, what
 * memory they ask for, which row is chosen. The bits are judged on a device. */
#include "kernels/kernel.h"
#include "kernels/matmul/matmul.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const struct assay_device_info h200 = {.backend = "cuda",
                                              .cc_major = 9,
                                              .compute_units = 132,
                                              .limits = {.binding_bytes = 140ull << 30,
                                                         .allocation_bytes = 140ull << 30,
                                                         .groups = {2147483647, 65535, 65535},
                                                         .group_invocations = 1024,
                                                         .shared_bytes = 49152,
                                                         .push_bytes = 4096}};

static struct assay_call dense(int64_t m, int64_t n, int64_t k)
{
    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    assay_tensor_dense(&call.input[0], ASSAY_F32, 2, (int64_t[]){m, k});
    assay_tensor_dense(&call.input[1], ASSAY_F32, 2, (int64_t[]){k, n});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){m, n});
    return call;
}

static size_t rows(const struct assay_kernel **list)
{
    size_t count = 0;
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *row = &assay_kernel_families[f]->rows[i];
            if (strcmp(row->backend, "cuda") == 0 && strcmp(row->family, "matmul") == 0) list[count++] = row;
        }
    assert_true(count > 0);
    return count;
}

static const struct assay_kernel *row_called(const char *technique)
{
    const struct assay_kernel *list[32];
    size_t count = rows(list);
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i]->technique, technique) == 0) return list[i];
    fail_msg("no row %s", technique);
    return NULL;
}

static const char *chosen(const struct assay_call *call)
{
    const struct assay_kernel *list[32];
    size_t count = rows(list);
    double best = 1e300;
    const char *name = "none";
    char why[160];
    for (size_t i = 0; i < count; i++) {
        if (!list[i]->supports(&h200, call, why)) continue;
        double cost = list[i]->cost(&h200, call);
        assert_true(cost > 0 && cost < 1e15);
        if (cost < best) {
            best = cost;
            name = list[i]->technique;
        }
    }
    return name;
}

static struct assay_plan planned(const char *technique, const struct assay_call *call)
{
    struct assay_plan plan;
    struct assay_error error = {0};
    if (row_called(technique)->plan(&h200, call, ASSAY_VARIANT_NATIVE, &plan, &error) != ASSAY_OK)
        fail_msg("%s", error.text);
    return plan;
}

static const char *entry(const struct assay_plan *plan, size_t step)
{
    return plan->step[step].program.codes[0].entry;
}

static void test_every_plan_is_within_limits(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{1, 1, 1},          {1, 4096, 4096},   {4096, 1, 4096},
                                        {4096, 4096, 4096}, {1500, 3072, 768}, {33, 7, 4096},
                                        {128, 3072, 768},   {65, 129, 255},    {100000, 100000, 4},
                                        {3, 5, 16384},      {16, 16, 0}};
    const struct assay_kernel *list[32];
    size_t count = rows(list), plans = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t i = 0; i < count; i++) {
            struct assay_call call = dense(shapes[s][0], shapes[s][1], shapes[s][2]);
            struct assay_plan plan;
            struct assay_error error = {0};
            char why[160] = "";
            if (!list[i]->supports(&h200, &call, why)) {
                assert_true(strlen(why) > 5);
                assert_int_equal(list[i]->plan(&h200, &call, ASSAY_VARIANT_NATIVE, &plan, &error),
                                 ASSAY_UNSUPPORTED);
                continue;
            }
            assert_int_equal(list[i]->plan(&h200, &call, ASSAY_VARIANT_NATIVE, &plan, &error), ASSAY_OK);
            assert_true(plan.step_count >= 1 && plan.step_count <= 2);
            for (size_t t = 0; t < plan.step_count; t++) {
                const struct assay_step *step = &plan.step[t];
                uint32_t threads = step->program.group[0] * step->program.group[1] * step->program.group[2];
                assert_true(threads > 0 && threads <= 1024 && threads % 32 == 0);
                assert_true(step->program.shared_bytes <= 227 * 1024);
                assert_int_equal(step->program.push_bytes, sizeof(struct matmul_push));
                assert_int_equal(step->program.code_count, 3);
                for (int d = 0; d < 3; d++)
                    assert_true(step->groups[d] > 0 && step->groups[d] <= h200.limits.groups[d]);
                for (uint32_t b = 0; b < step->program.bindings; b++)
                    assert_true(step->bind[b].role != ASSAY_ROLE_SCRATCH || plan.scratch_bytes > 0);
            }
            plans++;
        }
    assert_true(plans > 50);
}

static void test_empty_output_needs_no_step(void **state)
{
    (void)state;
    const struct assay_kernel *list[32];
    size_t count = rows(list);
    struct assay_call call = dense(0, 7, 5);
    for (size_t i = 0; i < count; i++) {
        struct assay_plan plan;
        char why[160];
        if (!list[i]->supports(&h200, &call, why)) continue;
        assert_int_equal(list[i]->plan(&h200, &call, ASSAY_VARIANT_NATIVE, &plan, NULL), ASSAY_OK);
        assert_int_equal(plan.step_count, 0);
    }
}

static void test_split_covers_every_group(void **state)
{
    (void)state;
    static const int64_t ks[] = {129, 768, 4096, 16384, 1000};
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        struct assay_call call = dense(100, 200, ks[i]);
        struct assay_plan plan = planned("split64", &call);
        struct matmul_push push;
        memcpy(&push, plan.step[0].push, sizeof push);
        uint32_t groups = (uint32_t)((ks[i] + 127) / 128);
        assert_int_equal(plan.step_count, 2);
        assert_int_equal(plan.step[0].groups[0], 2 * 4); /* tiles of 64 x 64 */
        assert_true(push.extra[0] * plan.step[0].groups[1] >= groups);
        assert_true(push.extra[0] * (plan.step[0].groups[1] - 1) < groups);
        assert_int_equal(push.extra[1], 200);
        assert_int_equal(plan.scratch_bytes, (uint64_t)groups * 100 * 200 * 4);
        assert_int_equal(plan.step[0].bind[2].role, ASSAY_ROLE_SCRATCH);
        assert_int_equal(plan.step[1].bind[0].role, ASSAY_ROLE_SCRATCH);
        assert_int_equal(plan.step[1].bind[1].role, ASSAY_ROLE_OUTPUT);
        assert_string_equal(entry(&plan, 1), "matmul_join");
    }
    char why[160];
    struct assay_call one_group = dense(100, 200, 128);
    assert_false(row_called("split64")->supports(&h200, &one_group, why));
    assert_non_null(strstr(why, "128"));
}

static void test_layout_by_strides(void **state)
{
    (void)state;
    struct assay_call call = dense(256, 256, 256);
    struct assay_plan plan = planned("tile128", &call);
    assert_string_equal(entry(&plan, 0), "matmul_tile128_nn");
    assert_int_equal(plan.step[0].program.shared_bytes, 163840);
    assert_int_equal(plan.step[0].groups[0], 4);
    call.input[1].stride[0] = 1; /* B transposed */
    call.input[1].stride[1] = 256;
    plan = planned("tile128", &call);
    assert_string_equal(entry(&plan, 0), "matmul_tile128_nt");
    call = dense(256, 255, 256); /* rows of B and Y are not 16-byte aligned */
    plan = planned("tile128", &call);
    assert_string_equal(entry(&plan, 0), "matmul_tile128_any");
    call = dense(256, 256, 256);
    call.input[0].offset = 2;
    plan = planned("tile128", &call);
    assert_string_equal(entry(&plan, 0), "matmul_tile128_any");
    call = dense(256, 256, 256); /* A transposed */
    call.input[0].stride[0] = 1;
    call.input[0].stride[1] = 256;
    plan = planned("tile128", &call);
    assert_string_equal(entry(&plan, 0), "matmul_tile128_any");
}

static void test_forms_of_arithmetic(void **state)
{
    (void)state;
    struct assay_call call = dense(20, 20, 20);
    static const struct {
        enum assay_variant variant;
        const char *tile16, *simple;
    } forms[] = {{ASSAY_VARIANT_NATIVE, "matmul_tile16_native", "matmul_simple_native"},
                 {ASSAY_VARIANT_GUARDED, "matmul_tile16_guarded", "matmul_simple_guarded"},
                 {ASSAY_VARIANT_EMULATED, "matmul_tile16_emulated", "matmul_simple_emulated"},
                 {ASSAY_VARIANT_INTEGER, "matmul_tile16_integer", "matmul_simple_integer"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct assay_plan plan;
        const struct assay_kernel *tile16 = row_called("tile16"), *simple = row_called("simple");
        assert_true(tile16->variants >> forms[i].variant & 1);
        assert_true(simple->variants >> forms[i].variant & 1);
        assert_int_equal(tile16->plan(&h200, &call, forms[i].variant, &plan, NULL), ASSAY_OK);
        assert_string_equal(entry(&plan, 0), forms[i].tile16);
        assert_int_equal(simple->plan(&h200, &call, forms[i].variant, &plan, NULL), ASSAY_OK);
        assert_string_equal(entry(&plan, 0), forms[i].simple);
    }
}

static void test_choice(void **state)
{
    (void)state;
    /* The fastest, measured on an H200 (docs/measured/matmul-tuning.md). */
    static const struct {
        int64_t m, n, k;
        const char *technique;
    } measured[] = {{4096, 4096, 4096, "tile128"}, {8192, 8192, 8192, "tile128"}, {1500, 3072, 768, "tile64"},
                    {6000, 768, 768, "tile64"},    {128, 3072, 768, "split64"},   {1, 4096, 4096, "skinny"}};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        struct assay_call call = dense(measured[i].m, measured[i].n, measured[i].k);
        assert_string_equal(chosen(&call), measured[i].technique);
    }
}

static void test_refusals_name_the_limit(void **state)
{
    (void)state;
    struct assay_device_info old = h200, ada = h200;
    char why[160];
    old.cc_major = 7;
    old.cc_minor = 5;
    assert_false(row_called("tile128")->present(&old, why));
    assert_non_null(strstr(why, "7.5"));
    ada.cc_major = 8;
    ada.cc_minor = 9;
    assert_false(row_called("tile128")->present(&ada, why));
    assert_non_null(strstr(why, "101376"));
    struct assay_call wide = dense(17, 64, 64);
    assert_false(row_called("skinny")->supports(&h200, &wide, why));
    assert_non_null(strstr(why, "17"));
    struct assay_call odd = dense(1, 63, 64);
    assert_false(row_called("skinny")->supports(&h200, &odd, why));
    struct assay_device_info bound = h200;
    bound.limits.binding_bytes = 4096;
    struct assay_call large = dense(64, 64, 64);
    const struct assay_kernel *list[32];
    size_t count = rows(list);
    for (size_t i = 0; i < count; i++) {
        if (!list[i]->supports(&h200, &large, why)) continue;
        assert_false(list[i]->supports(&bound, &large, why));
        assert_non_null(strstr(why, "4096"));
        assert_non_null(strstr(why, "16384"));
    }
    struct assay_call huge = dense(1 << 20, 1 << 20, 1); /* 2^40 elements of Y */
    assert_false(row_called("simple")->supports(&h200, &huge, why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_plan_is_within_limits), cmocka_unit_test(test_empty_output_needs_no_step),
        cmocka_unit_test(test_split_covers_every_group),    cmocka_unit_test(test_layout_by_strides),
        cmocka_unit_test(test_forms_of_arithmetic),         cmocka_unit_test(test_choice),
        cmocka_unit_test(test_refusals_name_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
