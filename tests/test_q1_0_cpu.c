/* Q1_0 products and the Q8_0 quantizer on the CPU: every row against the scalar model, reading of calls, f16 conversions. */
#include "devices/device.h"
#include "kernels/q1_0/q1_0.h"
#include "kernels/q1_0/quantize.h"
#include "tests/q1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

static struct assay_engine *open_cpu(enum assay_variant variant)
{
    struct assay_engine *engine = NULL;
    struct assay_error error = {0};
    const struct assay_open_params params = {.device = "cpu", .variant = variant};
    if (assay_open(&params, &engine, &error) != ASSAY_OK) fail_msg("%s", error.text);
    return engine;
}

static void test_layout(void **state)
{
    /* Row K06: scale 0.5, signs 00000101b ... 10000000b. One code of 1 at a time shows one weight. */
    (void)state;
    uint8_t w[18] = {0x00, 0x38, 0x05}, x[136] = {0};
    static const struct {
        int index;
        float weight;
    } right[] = {{0, 0.5f}, {1, -0.5f}, {2, 0.5f}, {3, -0.5f}, {126, -0.5f}, {127, 0.5f}};
    w[17] = 0x80;
    struct assay_engine *engine = open_cpu(ASSAY_VARIANT_AUTO);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        struct assay_error error = {0};
        struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
        memset(x, 0, sizeof x);
        for (int k = 0; k < 4; k++) x[34 * k + 1] = 0x3c; /* 1.0 */
        x[34 * (right[i].index / 32) + 2 + right[i].index % 32] = 1;
        assert_true(q1_model(w, x, 1) == right[i].weight);
        float y = 0;
        void *const data[3] = {w, x, &y};
        for (int t = 0; t < 3; t++) {
            struct assay_tensor *tensor = t < 2 ? &call.input[t] : &call.output[0];
            assay_tensor_dense(tensor, t < 2 ? ASSAY_U8 : ASSAY_F32, 2,
                               (int64_t[]){1, (int64_t[]){18, 136, 1}[t]});
            tensor->bytes = (uint64_t[]){18, 136, 4}[t];
            assert_int_equal(assay_alloc(engine, tensor->bytes, &tensor->buffer, &error), ASSAY_OK);
            assert_int_equal(assay_upload(engine, tensor->buffer, 0, data[t], tensor->bytes, &error),
                             ASSAY_OK);
        }
        if (assay_run(engine, &call, NULL, NULL, &error) != ASSAY_OK) fail_msg("%s", error.text);
        assert_int_equal(assay_download(engine, call.output[0].buffer, 0, &y, 4, &error), ASSAY_OK);
        assert_true(y == right[i].weight);
        for (int t = 0; t < 3; t++) assay_free(engine, (t < 2 ? &call.input[t] : &call.output[0])->buffer);
    }
    assay_close(engine);
}

static void test_model_fixed_bits(void **state)
{
    /* Row K08: four codes of -128 with sign bits 0 add up to -512, not to +512; all other codes are 0. */
    (void)state;
    uint8_t w[18] = {0x00, 0x3c}, x[136] = {0};
    x[1] = 0x3c;
    memset(x + 2, 0x80, 4);
    assert_true(q1_model(w, x, 1) == -512);
    w[2] = 0x0f;
    assert_true(q1_model(w, x, 1) == -512);
}

static void refused(const char *words, int64_t w_bytes, int64_t x_bytes, int64_t y_m)
{
    struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    struct q1_problem problem;
    char why[160] = "";
    assay_tensor_dense(&call.input[0], ASSAY_U8, 2, (int64_t[]){3, w_bytes});
    assay_tensor_dense(&call.input[1], ASSAY_U8, 2, (int64_t[]){2, x_bytes});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){2, y_m});
    assert_false(q1_matmul_read(&call, &problem, why));
    if (!strstr(why, words)) fail_msg("'%s' does not say '%s'", why, words);
}

static void test_refusals(void **state)
{
    (void)state;
    refused("96 numbers", 18, 102, 3); /* row K06 */
    refused("4128 numbers", 18 * 32, 4128 / 32 * 34, 3);
    refused("100 bytes", 100, 136, 3);
    refused("128 weights, one of X 256 numbers", 18, 272, 3);
    refused("2 x 4", 18, 136, 4);
}

/* Edges of workgroups and of loops over blocks; padding and offsets of every alignment. */
static const struct q1_case cases[] = {
    {.m = 0, .n = 1, .blocks = 2},
    {.m = 3, .n = 0, .blocks = 2},
    {.m = 3, .n = 2, .blocks = 0},
    {.m = 1, .n = 1, .blocks = 1},
    {.m = 31, .n = 1, .blocks = 3},
    {.m = 32, .n = 1, .blocks = 4},
    {.m = 33, .n = 1, .blocks = 5},
    {.m = 64, .n = 2, .blocks = 8},
    {.m = 65, .n = 3, .blocks = 7},
    {.m = 129, .n = 4, .blocks = 16},
    {.m = 40, .n = 5, .blocks = 2},
    {.m = 17, .n = 17, .blocks = 3},
    {.m = 100, .n = 9, .blocks = 17},
    {.m = 9, .n = 2, .blocks = 3, .pad_w = 1, .pad_x = 3, .pad_y = 5, .off_w = 1, .off_x = 3, .off_y = 7},
    {.m = 70, .n = 4, .blocks = 4, .pad_w = 2, .pad_x = 2, .off_w = 258, .off_x = 2, .off_y = 65},
    {.m = 70, .n = 4, .blocks = 4, .pad_w = 7, .off_w = 511, .off_x = 1023},
    {.m = 9, .n = 1, .blocks = 128},
};

static void test_rows(void **state)
{
    (void)state;
    static const enum q1_fill fills[] = {Q1_FILL_LAYER, Q1_FILL_WRAP, Q1_FILL_SCALES, Q1_FILL_SPECIAL};
    static const struct {
        const char *technique;
        enum assay_variant variant;
    } rows[] = {
        {"plain", ASSAY_VARIANT_NATIVE},  {"plain", ASSAY_VARIANT_GUARDED}, {"plain", ASSAY_VARIANT_EMULATED},
        {"plain", ASSAY_VARIANT_INTEGER}, {"avx2", ASSAY_VARIANT_NATIVE},   {"avx512", ASSAY_VARIANT_NATIVE},
        {NULL, ASSAY_VARIANT_AUTO},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct assay_engine *engine = open_cpu(rows[r].variant);
        const struct assay_device_info *info = assay_engine_device(engine);
        const char *name = rows[r].technique ? rows[r].technique : "";
        bool absent = (!strcmp(name, "avx2") && !(info->simd & ASSAY_SIMD_AVX2)) ||
                      (!strcmp(name, "avx512") && !(info->simd & ASSAY_SIMD_AVX512));
        for (size_t f = 0; f < sizeof fills / sizeof *fills; f++)
            for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                struct assay_error error = {0};
                struct q1_case c = cases[i];
                c.fill = fills[f];
                if (q1_run(engine, &c, rows[r].technique, NULL, &error) != ASSAY_OK && !absent)
                    fail_msg("%s", error.text);
            }
        assay_close(engine);
    }
}

static void test_quantizer(void **state)
{
    (void)state;
    static const struct q1_case shapes[] = {
        {.n = 0, .blocks = 3},   {.n = 2, .blocks = 0},
        {.n = 1, .blocks = 1},   {.n = 3, .blocks = 65, .pad_x = 1, .pad_y = 1, .off_x = 3, .off_y = 1},
        {.n = 50, .blocks = 64},
    };
    struct assay_engine *engine = open_cpu(ASSAY_VARIANT_AUTO);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct assay_error error = {0};
        if (q1_quantize_run(engine, &shapes[i], NULL, &error) != ASSAY_OK) fail_msg("%s", error.text);
    }
    assay_close(engine);

    /* Row K07's own numbers. */
    float x[32] = {127, 2.5f, -3.5f, 0.5f};
    uint8_t bytes[34];
    q1_model_quantize(x, bytes);
    static const uint8_t right[6] = {0x00, 0x3c, 127, 2, 0xfc, 0};
    assert_memory_equal(bytes, right, sizeof right);
}

static void test_half(void **state)
{
    /* Row K13: every f16 comes back; f32 to f16 against the model's definition next to every f16 and its middles. */
    (void)state;
    for (uint32_t h = 0; h < 65536; h++) {
        uint32_t word = q1_half_word(h);
        bool nan = (h & 0x7c00) == 0x7c00 && h & 0x3ff;
        assert_int_equal(q1_half_of(word), nan ? 0x7e00 : h);
        if (h >= 0x7bff) continue;
        /* the middle between two neighbours is a tie, and one step beside it is none */
        uint32_t next = q1_half_word(h + 1);
        float middle = (xf_float(word) + xf_float(next)) / 2;
        assert_int_equal(q1_half_of(xf_bits(middle)), h + (h & 1));
        assert_int_equal(q1_half_of(xf_bits(middle) + 1), h + 1);
        assert_int_equal(q1_half_of(xf_bits(middle) - 1), h);
    }
    assert_int_equal(q1_half_of(xf_bits(65519.996f)), 0x7bff);
    assert_int_equal(q1_half_of(xf_bits(65520.0f)), 0x7c00);
    assert_int_equal(q1_half_of(1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),    cmocka_unit_test(test_model_fixed_bits),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_quantizer), cmocka_unit_test(test_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
