/* Plans of the Vulkan rows of the matrix product, without a device: which rows take a call and why not, which is chosen,
 * that grids respect limits. Bits are judged on devices (device_suite.c, long_matmul_vulkan.c). */
#include "kernels/kernel.h"
#include "kernels/matmul/matmul.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const struct assay_device_info card = {.backend = "vulkan",
                                              .limits = {.binding_bytes = 4294967292,
                                                         .allocation_bytes = 1ull << 40,
                                                         .groups = {2147483647, 65535, 65535},
                                                         .group_invocations = 1024,
                                                         .shared_bytes = 49152,
                                                         .push_bytes = 256}};
static const struct assay_device_info renderer = {.backend = "vulkan",
                                                  .software = true,
                                                  .limits = {.binding_bytes = 128 << 20,
                                                             .allocation_bytes = 2ull << 30,
                                                             .groups = {65535, 65535, 65535},
                                                             .group_invocations = 1024,
                                                             .shared_bytes = 32768,
                                                             .push_bytes = 256}};

static struct assay_call dense(int64_t m, int64_t n, int64_t k)
{
    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    assay_tensor_dense(&call.input[0], ASSAY_F32, 2, (int64_t[]){m, k});
    assay_tensor_dense(&call.input[1], ASSAY_F32, 2, (int64_t[]){k, n});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){m, n});
    return call;
}

static const struct assay_kernel *find(const struct assay_device_info *info, const struct assay_call *call,
                                       enum assay_variant variant, const char *technique)
{
    const struct assay_kernel *best = NULL;
    double least = 0;
    char why[160];
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *row = &assay_kernel_families[f]->rows[i];
            if (strcmp(row->backend, "vulkan") != 0 || strcmp(row->family, "matmul") != 0) continue;
            if (technique != NULL && strcmp(technique, row->technique) == 0) return row;
            if (technique != NULL || !(row->variants >> variant & 1) || !row->present(info, why)) continue;
            if (!row->supports(info, call, why)) continue;
            double cost = row->cost(info, call);
            if (best == NULL || cost < least) best = row, least = cost;
        }
    assert_non_null(best);
    return best;
}

static void chosen(const struct assay_device_info *info, enum assay_variant variant, int64_t m, int64_t n,
                   int64_t k, const char *technique)
{
    struct assay_call call = dense(m, n, k);
    assert_string_equal(find(info, &call, variant, NULL)->technique, technique);
}

static void rows_fit_shapes(void **unused)
{
    (void)unused;
    chosen(&card, ASSAY_VARIANT_CONTRACT, 4096, 4096, 4096, "tile128");
    chosen(&card, ASSAY_VARIANT_CONTRACT, 1500, 3072, 768, "tile128");
    chosen(&card, ASSAY_VARIANT_CONTRACT, 64, 64, 16384, "split");
    chosen(&card, ASSAY_VARIANT_CONTRACT, 1, 1, 7, "plain");
    chosen(&card, ASSAY_VARIANT_GUARDED, 4096, 4096, 4096,
           "tile64"); /* large tiles have the native text only */
    chosen(&renderer, ASSAY_VARIANT_EMULATED, 33, 65, 128, "plain");
    chosen(&renderer, ASSAY_VARIANT_EMULATED, 512, 512, 512, "tile64");
}

static void limits_have_reasons(void **unused)
{
    char why[160];
    struct assay_error error = {0};
    struct assay_plan plan;
    (void)unused;
    struct assay_call call = dense(8192, 1, 8192); /* A spans 256 MiB */
    const struct assay_kernel *plain = find(&renderer, &call, ASSAY_VARIANT_EMULATED, "plain");
    assert_false(plain->supports(&renderer, &call, why));
    assert_non_null(strstr(why, "binds at most 134217728"));
    assert_int_equal(plain->plan(&renderer, &call, ASSAY_VARIANT_EMULATED, &plan, &error), ASSAY_UNSUPPORTED);
    assert_true(plain->supports(&card, &call, why));
    const struct assay_kernel *tile = find(&renderer, &call, ASSAY_VARIANT_NATIVE, "tile128");
    assert_false(tile->present(&renderer, why));
    assert_non_null(strstr(why, "32768"));
    assert_true(tile->present(&card, why));
    call = dense(8, 8, 128);
    const struct assay_kernel *split = find(&card, &call, ASSAY_VARIANT_NATIVE, "split");
    assert_false(split->supports(&card, &call, why));
    assert_non_null(strstr(why, "K is 128"));
}

static void plans_respect_limits(void **unused)
{
    struct assay_error error = {0};
    struct assay_plan plan;
    (void)unused;
    struct assay_call call = dense(1, 8 << 20, 1); /* more workgroups than a grid has: shaders loop */
    const struct assay_kernel *plain = find(&renderer, &call, ASSAY_VARIANT_EMULATED, "plain");
    assert_int_equal(plain->plan(&renderer, &call, ASSAY_VARIANT_EMULATED, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.step_count, 1);
    assert_int_equal(plan.step[0].groups[0], 65535);
    call = dense(0, 5, 5);
    assert_int_equal(plain->plan(&renderer, &call, ASSAY_VARIANT_EMULATED, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.step_count, 0);

    call = dense(64, 64, 1000);
    const struct assay_kernel *split = find(&card, &call, ASSAY_VARIANT_NATIVE, "split");
    assert_int_equal(split->plan(&card, &call, ASSAY_VARIANT_CONTRACT, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.step_count, 2);
    assert_int_equal(plan.scratch_bytes, 8 * 64 * 64 * 4); /* 8 groups of at most 128 */
    assert_int_equal(plan.step[0].bind[2].role, ASSAY_ROLE_SCRATCH);
    assert_int_equal(plan.step[1].bind[0].role, ASSAY_ROLE_SCRATCH);
    assert_int_equal(plan.step[1].bind[2].role, ASSAY_ROLE_OUTPUT);
}

/* A software renderer's loops are short: ranges of k in ascending order, whole groups, all of K, K's own end. */
static void long_sums_come_in_ranges(void **unused)
{
    static const char *const rows[] = {"plain", "tile32", "tile64"};
    struct assay_error error = {0};
    struct assay_plan plan;
    struct matmul_push push;
    char why[160];
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        struct assay_call call = dense(4, 6, 20001);
        const struct assay_kernel *row = find(&renderer, &call, ASSAY_VARIANT_EMULATED, rows[i]);
        if (i == 0) call = dense(4, 6, 131073);
        assert_true(row->supports(&renderer, &call, why));
        assert_int_equal(row->plan(&renderer, &call, ASSAY_VARIANT_EMULATED, &plan, &error), ASSAY_OK);
        assert_true(plan.step_count > 1 && plan.step_count <= ASSAY_STEPS_MAX);
        uint32_t at = 0;
        for (size_t s = 0; s < plan.step_count; s++) {
            memcpy(&push, plan.step[s].push, sizeof push);
            assert_int_equal(push.extra[2], at);
            assert_true(push.k > at && at % 128 == 0);
            /* both the plain sum and the checked one, of each output of an invocation */
            assert_true((push.k - at) * (i == 0 ? 2ull : 17ull) < 65535);
            at = push.k;
        }
        assert_int_equal(at, i == 0 ? 131073 : 20001);
        assert_int_equal(row->plan(&card, &call, ASSAY_VARIANT_GUARDED, &plan, &error), ASSAY_OK);
        assert_int_equal(plan.step_count, 1);

        call = dense(4, 6, 1 << 20);
        assert_false(row->supports(&renderer, &call, why));
        assert_non_null(strstr(why, "65535 loop iterations"));
        assert_int_equal(row->plan(&renderer, &call, ASSAY_VARIANT_EMULATED, &plan, &error),
                         ASSAY_UNSUPPORTED);
        assert_true(row->supports(&card, &call, why));
    }

    /* a grid too short for all outputs: the loop over them counts too */
    struct assay_device_info narrow = renderer;
    narrow.limits.groups[0] = narrow.limits.groups[1] = 1;
    struct assay_call call = dense(64, 64, 4000); /* 64 outputs an invocation */
    const struct assay_kernel *plain = find(&renderer, &call, ASSAY_VARIANT_EMULATED, "plain");
    assert_false(plain->supports(&narrow, &call, why));
    call = dense(64, 64, 1000);
    assert_true(plain->supports(&narrow, &call, why));
    assert_int_equal(plain->plan(&narrow, &call, ASSAY_VARIANT_EMULATED, &plan, &error), ASSAY_OK);
    assert_true(plan.step_count > 1);
    call = dense(1024, 1024, 0); /* even without a sum */
    assert_false(plain->supports(&narrow, &call, why));
    call = dense(1, 1 << 15, 600);
    const struct assay_kernel *split = find(&renderer, &call, ASSAY_VARIANT_EMULATED, "split");
    assert_true(split->supports(&renderer, &call, why));
    assert_false(split->supports(&narrow, &call, why));
    assert_non_null(strstr(why, "limit is 65535"));

    /* split between workgroups: no span longer than a loop may be */
    call = dense(64, 64, 16384);
    struct assay_device_info one = renderer;
    one.compute_units = 1;
    split = find(&one, &call, ASSAY_VARIANT_EMULATED, "split");
    assert_int_equal(split->plan(&one, &call, ASSAY_VARIANT_EMULATED, &plan, &error), ASSAY_OK);
    memcpy(&push, plan.step[0].push, sizeof push);
    assert_true(push.extra[0] * 128 * 17 < 65535);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_fit_shapes),
        cmocka_unit_test(limits_have_reasons),
        cmocka_unit_test(plans_respect_limits),
        cmocka_unit_test(long_sums_come_in_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
