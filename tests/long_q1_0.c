/* Long checks of the Q1_0 product and the quantizer: that inner products are exact (row K05, all of them), conversions and
 * quantizer against the processor's own division and rounding, how many rows an unfused or reordered sum changes, and
 * larger shapes on every device of this machine. */
#include "devices/device.h"
#include "kernels/q1_0/quantize.h"
#include "kernels/kernel.h"
#include "tests/q1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state_of_random = 88172645463325252u;

static uint64_t draw(void)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return state_of_random * 0x9e3779b97f4a7c15u;
}

/* All 63,488 finite f16 times every sum of four codes. */
static void test_inner_exact(void **state)
{
    (void)state;
    uint64_t inexact = 0, count = 0;
    for (uint32_t h = 0; h < 65536; h++) {
        if ((h & 0x7c00) == 0x7c00) continue;
        float d = q1_half(h);
        for (int s = -512; s <= 512; s++, count++) inexact += (double)(d * (float)s) != (double)d * (double)s;
    }
    assert_int_equal(count, 65075200);
    assert_int_equal(inexact, 0);
}

#ifdef __x86_64__
__attribute__((target("f16c"))) static uint32_t hardware_half(uint32_t word)
{
    return (uint32_t)_mm_extract_epi16(_mm_cvtps_ph(_mm_castsi128_ps(_mm_cvtsi32_si128((int)word)), 0), 0);
}
#endif

static void test_half(void **state)
{
    (void)state;
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx2")) skip(); /* every processor with AVX2 has F16C */
    for (uint32_t i = 0; i < 2000000; i++) {
        uint32_t word = (uint32_t)(draw() >> 32);
        if ((word & 0x7fffffff) <= 0x7f800000) assert_int_equal(q1_half_of(word), hardware_half(word));
    }
    for (uint32_t word = 0x32000000; word < 0x47c00000; word += 97)
        if (q1_half_of(word) != hardware_half(word)) assert_int_equal(q1_half_of(word), hardware_half(word));
#else
    skip();
#endif
}

/* Scales and codes in integers against float division, multiplication and rounding to nearest even. */
static void test_quantizer(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10000000; i++) {
        uint64_t random = draw();
        uint32_t amax = (uint32_t)(random >> 33);
        float top = xf_float(amax);
        struct q8_scale s = q8_scale_of(amax);
        if (!(top <= 0x1.fffffep127f)) {
            assert_int_equal(s.kind, Q8_KIND_NAN);
            continue;
        }
        float inverse = 127 / top;
        uint32_t scale = q1_half_of(xf_bits(top / 127));
        if (scale == 0x7c00) {
            assert_int_equal(s.kind, Q8_KIND_NAN);
        } else if (isinf(inverse)) {
            assert_int_equal(s.kind, Q8_KIND_ZERO);
        } else {
            if (s.kind != Q8_KIND_ORDINARY || s.scale != scale ||
                ldexpf((float)s.significand, s.exponent) != inverse)
                fail_msg("amax %08x", amax);
            /* a number at most as large, at most 2^31 times smaller */
            uint32_t x = (amax - (uint32_t)draw() % (amax >= 0x08000000 ? 0x08000000 : amax + 1)) |
                         (uint32_t)(random & 1) << 31;
            uint32_t code = q8_code_of(s, x);
            if (code != ((uint32_t)(int)nearbyintf(xf_float(x) * inverse) & 0xff))
                fail_msg("amax %08x, x %08x: %02x", amax, x, code);
        }
    }
}

static float half(const uint8_t *p)
{
    return q1_half(p[0] | (uint32_t)p[1] << 8);
}

/* Planted faults: an unfused multiply-add, and the lanes in a line. */
static float planted(const uint8_t *w, const uint8_t *x, int64_t blocks, bool fused, bool line)
{
    float a[8] = {0};
    for (int64_t b = 0; b < blocks; b++, w += 18)
        for (int l = 0; l < 8; l++) {
            float ab = 0;
            for (int k = 0; k < 4; k++) {
                const uint8_t *sub = x + (4 * b + k) * 34;
                int s = 0;
                for (int j = 4 * l; j < 4 * l + 4; j++) {
                    int8_t q = (int8_t)sub[2 + j];
                    s += w[2 + 4 * k + j / 8] >> j % 8 & 1 ? q : (int8_t)-q;
                }
                ab += half(sub) * (float)s;
            }
            a[l] = fused ? fmaf(half(w), ab, a[l]) : half(w) * ab + a[l];
        }
    if (line) {
        for (int l = 1; l < 8; l++) a[0] += a[l];
        return a[0];
    }
    return ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
}

static void test_planted(void **state)
{
    (void)state;
    enum { ROWS = 4096, BLOCKS = 32 };
    uint8_t w[BLOCKS * 18], x[BLOCKS * 136];
    int unfused = 0, in_line = 0;
    q1_fill_activations(x, BLOCKS, 3, Q1_FILL_LAYER);
    for (uint64_t r = 0; r < ROWS; r++) {
        q1_fill_weights(w, BLOCKS, r, Q1_FILL_LAYER);
        float right = q1_model(w, x, BLOCKS);
        assert_true(right == planted(w, x, BLOCKS, true, false));
        unfused += right != planted(w, x, BLOCKS, false, false);
        in_line += right != planted(w, x, BLOCKS, true, true);
    }
    print_message(
        "of %d layer-shaped rows %d differ without the fused multiply-add, %d with the lanes in a line\n",
        ROWS, unfused, in_line);
    assert_true(unfused > ROWS * 6 / 10 && unfused < ROWS * 8 / 10);
    assert_true(in_line > ROWS / 4);
}

/* Every row of every device, software renderers too, on random shapes and places. */
static void test_devices(void **state)
{
    (void)state;
    struct assay_device_list *list = calloc(1, sizeof *list);
    const struct assay_driver_params defaults = {0};
    size_t judged = 0;
    assert_non_null(list);
    assay_discover(&defaults, NULL, list);
    for (size_t d = 0; d < list->count; d++) {
        char label[24];
        struct assay_error error = {0};
        struct assay_engine *engine = NULL;
        const struct assay_open_params params = {.device = assay_device_label(&list->device[d], label),
                                                 .allow_software = true};
        if (list->device[d].duplicate || assay_open(&params, &engine, &error) != ASSAY_OK) continue;
        for (int i = 0; i < 40; i++) {
            uint64_t r = draw();
            struct q1_case c = {.m = 1 + (int64_t)(r >> 8) % 700,
                                .n = 1 + (int64_t)(r >> 20) % (r >> 60 ? 3 : 40),
                                .blocks = 1 + (int64_t)(r >> 28) % 40,
                                .fill = (enum q1_fill)(r % 4)};
            if (r >> 40 & 1) c.pad_w = (int64_t)(r >> 41) % 40, c.off_w = (int64_t)(r >> 44) % 600;
            if (r >> 50 & 1) c.pad_x = (int64_t)(r >> 51) % 5, c.off_x = (int64_t)(r >> 54) % 9;
            if (r >> 58 & 1) c.pad_y = 3, c.off_y = 5;
            for (size_t f = 0; f < assay_kernel_family_count; f++)
                for (size_t k = 0; k < assay_kernel_families[f]->count; k++) {
                    const struct assay_kernel *row = &assay_kernel_families[f]->rows[k];
                    if (strcmp(row->backend, list->device[d].backend) != 0) continue;
                    if (strcmp(row->op, "Q1_0MatMul") == 0)
                        judged += q1_run(engine, &c, row->technique, NULL, &error) == ASSAY_OK;
                    if (strcmp(row->op, "Q8_0Quantize") == 0)
                        judged += q1_quantize_run(engine, &c, row->technique, &error) == ASSAY_OK;
                }
        }
        assay_close(engine);
    }
    free(list);
    print_message("%zu calls judged\n", judged);
    assert_true(judged > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inner_exact), cmocka_unit_test(test_half),    cmocka_unit_test(test_quantizer),
        cmocka_unit_test(test_planted),     cmocka_unit_test(test_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
