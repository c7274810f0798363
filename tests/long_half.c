/* Row K13 in full: all 2^32 f32 words rounded to f16, and the scale of a block for each of the 2^31 largest numbers that
 * it can have, by the quantizers' texts and by the oracle, against the processor's F16C instructions. Skipped without F16C. */
#include "kernels/q1_0/quantize.h"
#include "oracles/q8_0/q8_0.h"
#include "tests/half.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

enum { THREADS = 4 };

struct part {
    uint64_t first, end;
    void (*check)(const uint32_t word[8], struct part *part);
    uint64_t checked, wrong;
    uint32_t example;
};

static void mismatch(struct part *part, uint32_t word)
{
    if (!part->wrong++) part->example = word;
}

static void narrow(const uint32_t word[8], struct part *part)
{
    uint16_t right[8];
    half_narrow(word, right);
    for (int i = 0; i < 8; i++)
        if (q1_half_of(word[i]) != half_one_nan16(right[i])) mismatch(part, word[i]);
}

/* Scales as in docs/exactness.md rule 11: 7e00 for a block that has no finite one. */
static void scales_right(const uint32_t word[8], uint16_t right[8])
{
    uint32_t ratio[8];
    for (int i = 0; i < 8; i++) {
        float amax;
        memcpy(&amax, &word[i], sizeof amax);
        amax /= 127.0f;
        memcpy(&ratio[i], &amax, sizeof amax);
    }
    half_narrow(ratio, right);
    for (int i = 0; i < 8; i++)
        if (right[i] >= 0x7c00) right[i] = 0x7e00;
}

static void kernel_scale(const uint32_t word[8], struct part *part)
{
    uint16_t right[8];
    scales_right(word, right);
    for (int i = 0; i < 8; i++) {
        struct q8_scale s = q8_scale_of(word[i]);
        if (s.scale != right[i]) mismatch(part, word[i]);
    }
}

static void oracle_scale(const uint32_t word[8], struct part *part)
{
    uint16_t right[8];
    scales_right(word, right);
    for (int i = 0; i < 8; i++) {
        float x[Q8_0_NUMBERS] = {0};
        uint8_t bytes[Q8_0_BYTES];
        memcpy(&x[0], &word[i], sizeof x[0]);
        q8_0_block(x, bytes);
        if ((bytes[0] | bytes[1] << 8) != right[i]) mismatch(part, word[i]);
    }
}

static void *run_part(void *argument)
{
    struct part *part = argument;
    for (uint64_t at = part->first; at < part->end; at += 8, part->checked += 8) {
        uint32_t word[8];
        for (uint32_t i = 0; i < 8; i++) word[i] = (uint32_t)at + i;
        part->check(word, part);
    }
    return NULL;
}

/* All words first .. end - 1. */
static void check_all(uint64_t first, uint64_t end, void (*check)(const uint32_t word[8], struct part *part))
{
    struct part part[THREADS];
    pthread_t thread[THREADS];
    uint64_t share = (end - first) / THREADS / 8 * 8, checked = 0;
    for (int t = 0; t < THREADS; t++) {
        part[t] = (struct part){.first = first + (uint64_t)t * share, .check = check};
        part[t].end = t == THREADS - 1 ? end : part[t].first + share;
        assert_int_equal(pthread_create(&thread[t], NULL, run_part, &part[t]), 0);
    }
    for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
    for (int t = 0; t < THREADS; t++) {
        if (part[t].wrong)
            fail_msg("%llu words are wrong, the first is %08x", (unsigned long long)part[t].wrong,
                     part[t].example);
        checked += part[t].checked;
    }
    assert_true(checked == end - first);
}

static void test_narrowed(void **state)
{
    (void)state;
    if (!half_has_f16c()) skip();
    check_all(0, UINT64_C(1) << 32, narrow);
}

static void test_kernel_scales(void **state)
{
    (void)state;
    if (!half_has_f16c()) skip();
    check_all(0, UINT64_C(1) << 31, kernel_scale);
}

/* The oracle's blocks take longer: the numbers whose scale is neither 0 nor infinite, all of them. */
static void test_oracle_scales(void **state)
{
    (void)state;
    if (!half_has_f16c()) skip();
    check_all(0x35700000, 0x4b000000, oracle_scale);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_narrowed),
        cmocka_unit_test(test_kernel_scales),
        cmocka_unit_test(test_oracle_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
