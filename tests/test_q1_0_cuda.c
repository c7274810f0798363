/* Q1_0 products and the quantizer on CUDA: plans without a device (which rows take what, stages, limits), and every row
 * against the scalar model where there is a GPU. */
#include "devices/device.h"
#include "kernels/kernel.h"
#include "tests/q1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static const struct assay_device_info card = {.backend = "cuda",
                                              .cc_major = 9,
                                              .compute_units = 132,
                                              .limits = {.binding_bytes = 1ull << 40,
                                                         .allocation_bytes = 1ull << 40,
                                                         .groups = {2147483647, 65535, 65535},
                                                         .group_invocations = 1024,
                                                         .shared_bytes = 49152,
                                                         .push_bytes = 4096}};

static struct assay_call product(int64_t m, int64_t n, int64_t blocks)
{
    struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    assay_tensor_dense(&call.input[0], ASSAY_U8, 2, (int64_t[]){m, blocks * 18});
    assay_tensor_dense(&call.input[1], ASSAY_U8, 2, (int64_t[]){n, blocks * 136});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){n, m});
    for (int i = 0; i < 2; i++) call.input[i].bytes = (uint64_t)assay_tensor_elems(&call.input[i]);
    call.output[0].bytes = (uint64_t)(m * n) * 4;
    return call;
}

static const struct assay_kernel *row(const char *technique)
{
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *k = &assay_kernel_families[f]->rows[i];
            if (!strcmp(k->family, "q1_0") && !strcmp(k->backend, "cuda") && !strcmp(k->technique, technique))
                return k;
        }
    fail_msg("no row %s", technique);
    return NULL;
}

static void test_plans(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct assay_plan plan;
    const struct assay_kernel *k = row("mma32");
    for (int64_t blocks = 2; blocks <= 384; blocks += 2) {
        struct assay_call call = product(4096, 3, blocks);
        if (k->plan(&card, &call, ASSAY_VARIANT_NATIVE, &plan, &error) != ASSAY_OK)
            fail_msg("%s", error.text);
        assert_int_equal(plan.step_count, 1);
        assert_true(plan.step[0].program.shared_bytes <= 227 << 10);
        assert_int_equal(plan.step[0].groups[1], 3);
        assert_true(plan.step[0].groups[0] >= 1 && plan.step[0].groups[0] <= 264);
        uint32_t extra[2];
        memcpy(extra, plan.step[0].push + 36, sizeof extra);
        assert_true(extra[0] >= 4 && extra[0] <= 8);
        assert_int_equal(extra[1], blocks % 8 ? 4 : 16);
    }
}

static void test_warp_plans(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct assay_plan plan;
    static const int64_t rows[] = {1, 33, 4096, 14336, 151936};
    for (size_t m = 0; m < sizeof rows / sizeof *rows; m++)
        for (int64_t blocks = 8; blocks <= 296; blocks += 8) {
            const struct assay_kernel *k = row("warp32");
            struct assay_call call = product(rows[m], 3, blocks);
            if (k->plan(&card, &call, ASSAY_VARIANT_NATIVE, &plan, &error) != ASSAY_OK)
                fail_msg("%s", error.text);
            uint32_t extra[2], stage_bytes = 32 * 144;
            memcpy(extra, plan.step[0].push + 36, sizeof extra);
            assert_int_equal(plan.step_count, 1);
            assert_true(extra[0] >= 3 && extra[0] <= 8);
            assert_true(extra[1] >= 1 && extra[1] <= 16);
            assert_int_equal(plan.step[0].program.shared_bytes,
                             extra[0] * extra[1] * stage_bytes + (uint32_t)blocks * 4 * 168);
            assert_true(plan.step[0].program.shared_bytes <= 227 << 10);
            assert_int_equal(plan.step[0].groups[1], 3);
            assert_true(plan.step[0].groups[0] >= 1 && plan.step[0].groups[0] <= 132);
        }
    char why[160] = "";
    struct assay_call call = product(8, 1, 12);
    assert_false(row("warp32")->supports(&card, &call, why));
    assert_non_null(strstr(why, "no multiple of 8"));
    call = product(8, 1, 8);
    call.input[0].stride[0] += 4;
    call.input[0].bytes += 100;
    assert_false(row("warp32")->supports(&card, &call, why));
    assert_non_null(strstr(why, "16 bytes"));
}

/* What was fastest on an H200 is what costs least. */
static void test_costs(void **state)
{
    (void)state;
    static const struct {
        int64_t m, blocks;
        const char *fastest;
    } measured[] = {
        {4096, 32, "mma32"},   {4096, 112, "mma32"},  {4096, 96, "mma32"},
        {12288, 32, "warp32"}, {14336, 32, "warp32"}, {151936, 32, "warp32"},
    };
    static const char *const all[] = {"warp32", "mma32", "lane8", "lane1"};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        struct assay_call call = product(measured[i].m, 1, measured[i].blocks);
        double least = row(measured[i].fastest)->cost(&card, &call);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            assert_true(!strcmp(all[k], measured[i].fastest) || row(all[k])->cost(&card, &call) > least);
    }
}

static void refused(const char *words, struct assay_call call)
{
    char why[160] = "";
    assert_false(row("mma32")->supports(&card, &call, why));
    if (!strstr(why, words)) fail_msg("'%s' does not say '%s'", why, words);
    assert_true(row("lane8")->supports(&card, &call, why));
}

static void test_refusals(void **state)
{
    (void)state;
    refused("an odd number", product(8, 1, 3));
    refused("K is 0", product(8, 1, 0));
    refused("K is 1280000", product(8, 1, 10000));
    struct assay_call call = product(8, 1, 8);
    call.input[0].stride[0] += 2;
    call.input[0].bytes += 100;
    refused("4 bytes", call);
    call = product(8, 2, 8);
    call.input[1].offset = 1;
    call.input[1].bytes += 100;
    refused("2 bytes", call);
    char why[160];
    const struct assay_device_info old = {.backend = "cuda", .cc_major = 7, .cc_minor = 5};
    assert_false(row("mma32")->present(&old, why));
}

/* ---- on a GPU ---- */

static const struct q1_case cases[] = {
    {.m = 0, .n = 1, .blocks = 2},
    {.m = 3, .n = 2, .blocks = 0},
    {.m = 1, .n = 1, .blocks = 1},
    {.m = 1, .n = 1, .blocks = 2},
    {.m = 7, .n = 1, .blocks = 3},
    {.m = 8, .n = 1, .blocks = 8},
    {.m = 9, .n = 3, .blocks = 6},
    {.m = 31, .n = 1, .blocks = 16},
    {.m = 33, .n = 2, .blocks = 18},
    {.m = 65, .n = 4, .blocks = 24},
    {.m = 1000, .n = 1, .blocks = 40},
    {.m = 5000, .n = 1, .blocks = 32},
    {.m = 9000, .n = 2, .blocks = 10},
    {.m = 70000, .n = 1, .blocks = 8},
    {.m = 100, .n = 1, .blocks = 258},
    {.m = 9, .n = 2, .blocks = 3, .pad_w = 1, .pad_x = 3, .pad_y = 5, .off_w = 1, .off_x = 3, .off_y = 7},
    {.m = 70, .n = 2, .blocks = 4, .pad_w = 4, .pad_x = 2, .off_w = 260, .off_x = 2, .off_y = 65},
    {.m = 70, .n = 2, .blocks = 8, .pad_w = 16, .off_w = 272, .off_x = 1024},
};

static void test_rows(void **state)
{
    (void)state;
    static const struct {
        const char *technique;
        enum assay_variant variant;
    } rows[] = {
        {"warp32", ASSAY_VARIANT_NATIVE}, {"mma32", ASSAY_VARIANT_NATIVE},  {"lane8", ASSAY_VARIANT_NATIVE},
        {"lane1", ASSAY_VARIANT_NATIVE},  {"lane8", ASSAY_VARIANT_GUARDED}, {"lane1", ASSAY_VARIANT_EMULATED},
        {"lane8", ASSAY_VARIANT_INTEGER}, {NULL, ASSAY_VARIANT_AUTO},
    };
    static const enum q1_fill fills[] = {Q1_FILL_LAYER, Q1_FILL_WRAP, Q1_FILL_SCALES, Q1_FILL_SPECIAL};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct assay_error error = {0};
        struct assay_engine *engine = NULL;
        const struct assay_open_params params = {.device = "cuda:0", .variant = rows[r].variant};
        if (assay_open(&params, &engine, &error) != ASSAY_OK) skip();
        size_t ran = 0;
        for (size_t f = 0; f < sizeof fills / sizeof *fills; f++)
            for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                struct q1_case c = cases[i];
                c.fill = fills[f];
                ran += q1_run(engine, &c, rows[r].technique, NULL, &error) == ASSAY_OK;
            }
        printf("%s %s: %zu of %zu\n", rows[r].technique ? rows[r].technique : "(chosen)",
               assay_variant_name(rows[r].variant), ran, 4 * sizeof cases / sizeof *cases);
        /* the matrix unit's rows refuse odd widths and odd places, a warp's own all but whole parts of 8 blocks */
        bool warp = rows[r].technique && !strncmp(rows[r].technique, "warp", 4);
        assert_true(ran >= 4 * (warp ? 7 : 9));
        if (!rows[r].technique) assert_int_equal(ran, 4 * sizeof cases / sizeof *cases);
        assay_close(engine);
    }
}

static void test_quantizer(void **state)
{
    (void)state;
    static const struct q1_case shapes[] = {
        {.n = 2, .blocks = 0},
        {.n = 3, .blocks = 65, .pad_x = 1, .pad_y = 1, .off_x = 3, .off_y = 1},
        {.n = 4000, .blocks = 8},
    };
    struct assay_error error = {0};
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {.device = "cuda:0"};
    if (assay_open(&params, &engine, &error) != ASSAY_OK) skip();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (q1_quantize_run(engine, &shapes[i], NULL, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assay_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),    cmocka_unit_test(test_warp_plans), cmocka_unit_test(test_costs),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_rows),       cmocka_unit_test(test_quantizer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
