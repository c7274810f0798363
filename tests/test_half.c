/* Row K13: conversions between f16 and f32 against the processor's F16C instructions. All 65,536 f16 go through the text that
 * every kernel shares, through every row of the product on the CPU and on the software renderer, and through the oracle;
 * back, the f32 words where rounding turns and every 4,093rd of all others go through the shared text, and as scales
 * through the quantizers of kernels and oracle. tests/long_half.c takes all 2^32.
 *
 * Without F16C the tests are skipped: there is nothing to compare with. */
#include "kernels/assay.h"
#include "kernels/q1_0/half.h"
#include "oracles/q1_0/q1_0.h"
#include "oracles/q8_0/q8_0.h"
#include "tests/half.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

enum { HALVES = 65536, W_BYTES = 18, X_BYTES = 136 };

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint32_t word_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void *memory(size_t bytes)
{
    void *data = calloc(1, bytes);
    assert_non_null(data);
    return data;
}

/* What the processor makes of every f16, with one NaN. */
static uint32_t *all_widened(void)
{
    uint32_t *wide = memory(HALVES * sizeof *wide);
    for (uint32_t h = 0; h < HALVES; h += 8) {
        uint16_t eight[8];
        for (uint32_t i = 0; i < 8; i++) eight[i] = (uint16_t)(h + i);
        half_widen(eight, wide + h);
    }
    for (uint32_t h = 0; h < HALVES; h++) wide[h] = half_one_nan(wide[h]);
    return wide;
}

/* ---- f16 to f32 ---- */

static void test_widened(void **state)
{
    (void)state;
    if (!half_has_f16c()) skip();
    uint32_t *right = all_widened();
    for (uint32_t h = 0; h < HALVES; h++) {
        if (q1_half_word(h) != right[h])
            fail_msg("f16 %04x is %08x, F16C says %08x", h, q1_half_word(h), right[h]);
        if ((h & 0x7fff) <= 0x7c00) assert_int_equal(q1_half_of(right[h]), h);
    }
    free(right);
}

/* A product that shows scales: where every code of the first sub-block is 1 and its scale 1, each lane sums 4 times the
 * weight's scale, and the row 32 times; likewise with the scale in X. Both are exact. */
struct scales {
    uint8_t *w, *x;
    int64_t m, n;
};

static void put_scale(uint8_t *to, uint32_t h)
{
    to[0] = (uint8_t)h;
    to[1] = (uint8_t)(h >> 8);
}

static struct scales make_scales(bool in_w)
{
    const uint32_t one = 0x3c00;
    struct scales s = {.m = in_w ? HALVES : 1, .n = in_w ? 1 : HALVES};
    s.w = memory((size_t)s.m * W_BYTES);
    s.x = memory((size_t)s.n * X_BYTES);
    for (int64_t i = 0; i < s.m; i++) {
        put_scale(s.w + i * W_BYTES, in_w ? (uint32_t)i : one);
        memset(s.w + i * W_BYTES + 2, 0xff, W_BYTES - 2);
    }
    for (int64_t j = 0; j < s.n; j++) {
        uint8_t *x = s.x + j * X_BYTES;
        for (int k = 0; k < 4; k++) put_scale(x + 34 * k, k || in_w ? one : (uint32_t)j);
        memset(x + 2, 1, 32);
    }
    return s;
}

static void lay_out(const struct scales *s, struct assay_tensor *w, struct assay_tensor *x,
                    struct assay_tensor *y)
{
    assay_tensor_dense(w, ASSAY_U8, 2, (int64_t[]){s->m, W_BYTES});
    assay_tensor_dense(x, ASSAY_U8, 2, (int64_t[]){s->n, X_BYTES});
    assay_tensor_dense(y, ASSAY_F32, 2, (int64_t[]){s->n, s->m});
    w->bytes = (uint64_t)s->m * W_BYTES;
    x->bytes = (uint64_t)s->n * X_BYTES;
    y->bytes = HALVES * 4;
}

static void check_scales(const float *y, const uint32_t *right, const char *who)
{
    for (uint32_t h = 0; h < HALVES; h++) {
        /* acc starts from +0, so that no sum is -0 */
        uint32_t want = half_one_nan(word_of(32 * float_of(right[h]) + 0.0f)),
                 got = half_one_nan(word_of(y[h]));
        if (got != want) fail_msg("%s: scale %04x makes %08x, F16C says %08x", who, h, got, want);
    }
}

static void must(enum assay_status status, const struct assay_error *error)
{
    if (status != ASSAY_OK) fail_msg("%s", error->text);
}

static void run_scales(struct assay_engine *engine, const struct scales *s, const char *technique, float *y)
{
    struct assay_error error = {0};
    struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    const struct assay_run_params params = {.technique = technique};
    struct assay_tensor *const all[3] = {&call.input[0], &call.input[1], &call.output[0]};
    const void *const data[3] = {s->w, s->x, y};
    lay_out(s, all[0], all[1], all[2]);
    memset(y, 0xff, HALVES * sizeof *y);
    for (int i = 0; i < 3; i++) {
        must(assay_alloc(engine, all[i]->bytes, &all[i]->buffer, &error), &error);
        must(assay_upload(engine, all[i]->buffer, 0, data[i], all[i]->bytes, &error), &error);
    }
    must(assay_run(engine, &call, &params, NULL, &error), &error);
    must(assay_download(engine, all[2]->buffer, 0, y, all[2]->bytes, &error), &error);
    for (int i = 0; i < 3; i++) assay_free(engine, all[i]->buffer);
}

/* Every technique of the device that takes both calls; how many did. */
static size_t check_device(struct assay_engine *engine, const char *const *techniques, size_t count)
{
    uint32_t *right = all_widened();
    float *y = memory(HALVES * sizeof *y);
    size_t ran = 0;
    for (int in_w = 0; in_w < 2; in_w++) {
        struct scales s = make_scales(in_w);
        for (size_t t = 0; t < count; t++) {
            struct assay_error error = {0};
            struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
            const struct assay_run_params params = {.technique = techniques[t]};
            lay_out(&s, &call.input[0], &call.input[1], &call.output[0]);
            if (assay_supports(engine, &call, &params, &error) != ASSAY_OK) continue;
            run_scales(engine, &s, techniques[t], y);
            check_scales(y, right, techniques[t]);
            ran++;
        }
        free(s.w);
        free(s.x);
    }
    free(y);
    free(right);
    return ran;
}

static struct assay_engine *open_device(const char *device, struct assay_error *error)
{
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {.device = device, .allow_software = true};
    return assay_open(&params, &engine, error) == ASSAY_OK ? engine : NULL;
}

static void test_scales_cpu(void **state)
{
    (void)state;
    static const char *const techniques[] = {"plain", "avx2", "avx512"};
    struct assay_error error = {0};
    if (!half_has_f16c()) skip();
    struct assay_engine *engine = open_device("cpu", &error);
    if (!engine) fail_msg("%s", error.text);
    assert_true(check_device(engine, techniques, sizeof techniques / sizeof *techniques) >= 2);
    assay_close(engine);
}

static void test_scales_vulkan(void **state)
{
    (void)state;
    static const char *const techniques[] = {"lane1", "lane8", "mat"};
    struct assay_error error = {0};
    if (!half_has_f16c()) skip();
    struct assay_engine *engine = open_device("vulkan:0", &error);
    if (!engine) skip();
    assert_true(check_device(engine, techniques, sizeof techniques / sizeof *techniques) >= 2);
    assay_close(engine);
}

static void test_scales_oracle(void **state)
{
    (void)state;
    if (!half_has_f16c()) skip();
    uint32_t *right = all_widened();
    float *y = memory(HALVES * sizeof *y);
    for (int in_w = 0; in_w < 2; in_w++) {
        struct scales s = make_scales(in_w);
        struct assay_tensor in[2], out;
        lay_out(&s, &in[0], &in[1], &out);
        in[0].data = s.w;
        in[1].data = s.x;
        out.data = y;
        memset(y, 0xff, HALVES * sizeof *y);
        assert_true(q1_0_contract_by(Q1_0_PATH_PLAIN, in, &out, 0, HALVES));
        check_scales(y, right, "contract");
        free(s.w);
        free(s.x);
    }
    free(y);
    free(right);
}

/* ---- f32 to f16 ---- */

static uint64_t checked;

static void check_narrow(const uint32_t word[8])
{
    uint16_t right[8];
    half_narrow(word, right);
    for (int i = 0; i < 8; i++) {
        uint32_t got = q1_half_of(word[i]), want = half_one_nan16(right[i]);
        if (got != want) fail_msg("f32 %08x becomes %04x, F16C says %04x", word[i], got, want);
    }
    checked += 8;
}

static void test_narrowed(void **state)
{
    (void)state;
    if (!half_has_f16c()) skip();
    checked = 0;
    uint32_t eight[8];
    uint64_t at = 0;
    for (uint32_t h = 0; h <= 0x7bff; h++)
        for (uint32_t sign = 0; sign < 2; sign++) {
            half_turns((uint16_t)h, eight);
            eight[6] = eight[1] + 0x0fff;
            eight[7] = eight[1] + 0x1001;
            for (int i = 0; i < 8; i++) eight[i] |= sign << 31;
            check_narrow(eight);
        }
    while (at <= UINT32_MAX) {
        for (int i = 0; i < 8; i++, at += 4093) eight[i] = (uint32_t)at;
        check_narrow(eight);
    }
    assert_true(checked > 1500000);
}

/* The scale of a block whose largest number is `amax`, by the processor: of RN(amax / 127); 7e00 where it is infinite. */
static uint16_t scale_right(float amax)
{
    const uint32_t word[8] = {word_of(amax / 127.0f)};
    uint16_t h[8];
    half_narrow(word, h);
    return h[0] >= 0x7c00 ? 0x7e00 : h[0];
}

/* Largest numbers whose scale lies where rounding turns. */
static float *turning_numbers(size_t *count)
{
    float *amax = memory(0x7c00 * HALF_TURNS * sizeof *amax);
    *count = 0;
    for (uint32_t h = 0; h <= 0x7bff; h++) {
        uint32_t word[HALF_TURNS];
        half_turns((uint16_t)h, word);
        for (int i = 0; i < HALF_TURNS; i++) amax[(*count)++] = float_of(word[i]) * 127.0f;
    }
    return amax;
}

static void check_blocks(const uint8_t *bytes, const float *amax, size_t count, const char *who)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t got = bytes[34 * i] | (uint32_t)bytes[34 * i + 1] << 8, want = scale_right(amax[i]);
        if (got != want) fail_msg("%s: scale of amax %a is %04x, F16C says %04x", who, amax[i], got, want);
    }
}

static void test_quantizer_oracle(void **state)
{
    (void)state;
    if (!half_has_f16c()) skip();
    size_t count;
    float *amax = turning_numbers(&count), x[32] = {0};
    uint8_t *bytes = memory(34 * count);
    for (size_t i = 0; i < count; i++) {
        x[i % 32] = i & 1 ? -amax[i] : amax[i];
        q8_0_block(x, bytes + 34 * i);
        x[i % 32] = 0;
    }
    check_blocks(bytes, amax, count, "contract");
    free(bytes);
    free(amax);
}

static void quantize_on(const char *device, const char *technique, bool must_be_there)
{
    if (!half_has_f16c()) skip();
    struct assay_error error = {0};
    struct assay_engine *engine = open_device(device, &error);
    if (!engine && must_be_there) fail_msg("%s", error.text);
    if (!engine) skip();
    size_t count;
    float *amax = turning_numbers(&count), *x = memory(count * 32 * sizeof *x);
    uint8_t *bytes = memory(34 * count);
    for (size_t i = 0; i < count; i++) x[32 * i + i % 32] = i & 1 ? -amax[i] : amax[i];
    struct assay_call call = {.op = "Q8_0Quantize", .input_count = 1, .output_count = 1};
    struct assay_tensor *in = &call.input[0], *out = &call.output[0];
    assay_tensor_dense(in, ASSAY_F32, 2, (int64_t[]){1, (int64_t)count * 32});
    assay_tensor_dense(out, ASSAY_U8, 2, (int64_t[]){1, (int64_t)count * 34});
    in->bytes = count * 32 * sizeof *x;
    out->bytes = count * 34;
    must(assay_alloc(engine, in->bytes, &in->buffer, &error), &error);
    must(assay_alloc(engine, out->bytes, &out->buffer, &error), &error);
    must(assay_upload(engine, in->buffer, 0, x, in->bytes, &error), &error);
    const struct assay_run_params params = {.technique = technique};
    must(assay_run(engine, &call, &params, NULL, &error), &error);
    must(assay_download(engine, out->buffer, 0, bytes, out->bytes, &error), &error);
    check_blocks(bytes, amax, count, device);
    assay_close(engine);
    free(bytes);
    free(x);
    free(amax);
}

static void test_quantizer_cpu(void **state)
{
    (void)state;
    if (__builtin_cpu_supports("avx2")) quantize_on("cpu", "quantize_avx2", true);
    quantize_on("cpu", "quantize", true);
}

static void test_quantizer_vulkan(void **state)
{
    (void)state;
    quantize_on("vulkan:0", NULL, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widened),       cmocka_unit_test(test_scales_cpu),
        cmocka_unit_test(test_scales_vulkan), cmocka_unit_test(test_scales_oracle),
        cmocka_unit_test(test_narrowed),      cmocka_unit_test(test_quantizer_oracle),
        cmocka_unit_test(test_quantizer_cpu), cmocka_unit_test(test_quantizer_vulkan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
