/* The rules of timing on numbers: warm-up, stopping, setting aside, summaries, and what may be believed. */
#include "harness/bench_rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR(got, want) assert_true(fabs((got) - (want)) <= 1e-9 * fabs(want))

static void test_warm(void **state)
{
    (void)state;
    const double ns[] = {900, 120, 101, 100, 102};
    assert_false(bench_warm(ns, 2));
    assert_false(bench_warm(ns, 4));
    assert_true(bench_warm(ns, 5));
    assert_false(bench_warm((const double[]){100, 100, 102.1}, 3));
    assert_false(bench_warm((const double[]){97.9, 100, 100}, 3)); /* the first of the three counts too */
    assert_false(bench_warm((const double[]){102.1, 100, 100}, 3));
    assert_false(bench_warm((const double[]){0, 0, 0}, 3));
}

static size_t samples_until_enough(const double *pattern, size_t period, double span_least_ns)
{
    struct bench_stop *stop = calloc(1, sizeof *stop);
    size_t count = 0;
    assert_non_null(stop);
    while (!bench_enough(stop, pattern[count % period], span_least_ns) && count < 10000) count++;
    free(stop);
    return count + 1;
}

static void test_stop(void **state)
{
    (void)state;
    /* Without noise ten are enough, if they are long enough together; else the sum decides. */
    assert_int_equal(samples_until_enough((const double[]){1e8}, 1, 5e8), 10);
    assert_int_equal(samples_until_enough((const double[]){1e7}, 1, 5e8), 50);
    /* 0.49 % either way: the deviation of a sample of n is sqrt((n + 1) / n) times that, n odd, and below 0.5 % from 25. */
    assert_int_equal(samples_until_enough((const double[]){0.9951e8, 1.0049e8}, 2, 5e8), 25);
    /* Settled or not, half a second of device time is needed. */
    assert_int_equal(samples_until_enough((const double[]){0.9e6, 1.1e6}, 2, 5e8), BENCH_SAMPLES_MOST);
    /* A deviation that has settled ends it beyond 64, one that has not never does before the most. */
    const size_t noisy = samples_until_enough((const double[]){9e6, 11e6}, 2, 5e8);
    assert_in_range(noisy, 65, 128);
    double growing[400];
    for (int i = 0; i < 400; i++) growing[i] = 1e6 * exp(i * 0.05);
    assert_int_equal(samples_until_enough(growing, 400, 5e8), BENCH_SAMPLES_MOST);
}

static void test_calls(void **state)
{
    (void)state;
    assert_int_equal(bench_calls(2e7, 500), 1);
    assert_int_equal(bench_calls(1e4, 500), 100); /* a span of a millisecond */
    assert_int_equal(bench_calls(1e5, 1e5), 200); /* 200 times the clock's resolution */
    assert_int_equal(bench_calls(1, 500), 1000);  /* never more */
    assert_int_equal(bench_calls(0, 500), 1);
}

static void fill(struct bench_sample *sample, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sample[i] = (struct bench_sample){.ns = 1000 + (double)(i % 2),
                                          .clock_before_mhz = 1000,
                                          .clock_after_mhz = 1980,
                                          .throttle = 0,
                                          .rejected = ""};
        strcpy(sample[i].digest, "right");
    }
}

static void test_reject(void **state)
{
    (void)state;
    struct bench_sample sample[20];
    fill(sample, 20);
    assert_int_equal(bench_reject(sample, 20, 1e6), 0);
    sample[1].throttle = 0x08;
    sample[2].throttle = 0x20;
    sample[3].throttle = 0x40;
    sample[4].throttle = 0x80;
    sample[5].throttle = 0x05;        /* idle before, power cap: how a card works under load */
    sample[6].clock_after_mhz = 1882; /* 95.05 % */
    sample[7].clock_after_mhz = 1880; /* 94.95 % */
    sample[8].clock_after_mhz = -1;
    sample[9].throttle = -1;
    sample[10].ns = 0;
    sample[11].ns = 0.05;
    assert_int_equal(bench_reject(sample, 20, 1e6), 7);
    for (int i = 1; i <= 4; i++) assert_string_equal(sample[i].rejected, "throttle");
    assert_string_equal(sample[5].rejected, "");
    assert_string_equal(sample[6].rejected, "");
    assert_string_equal(sample[7].rejected, "clock");
    assert_string_equal(sample[8].rejected, "");
    assert_string_equal(sample[9].rejected, "");
    assert_string_equal(sample[10].rejected, "impossible");
    assert_string_equal(sample[11].rejected, "impossible");
}

static void test_summary(void **state)
{
    (void)state;
    struct bench_sample sample[6];
    struct bench_summary summary;
    fill(sample, 6);
    const double ns[] = {5, 1, 4, 2, 3, 1000};
    for (int i = 0; i < 6; i++) sample[i].ns = ns[i];
    sample[5].rejected = "clock";
    bench_summarise(sample, 6, &summary);
    assert_int_equal(summary.kept, 5);
    NEAR(summary.median_ns, 3.0);
    NEAR(summary.mad_ns, 1.4826);
    NEAR(summary.q1_ns, 2.0);
    NEAR(summary.q3_ns, 4.0);
    NEAR(summary.min_ns, 1.0);
    /* Deviations 2, -2, 1, -1, 0: products of neighbours -4 - 2 - 1 + 0 over squares 10. */
    NEAR(summary.lag1, -0.7);
    bench_summarise(sample + 5, 1, &summary);
    assert_int_equal(summary.kept, 0);
    assert_true(isnan(summary.median_ns) && isnan(summary.lag1));
}

static void test_decide(void **state)
{
    (void)state;
    struct bench_sample sample[20];
    char reason[256];
    fill(sample, 20);
    assert_int_equal(bench_decide(sample, 20, "right", true, 0, reason), BENCH_PASS);
    assert_string_equal(reason, "");
    assert_int_equal(bench_decide(sample, 20, "right", false, 0, reason), BENCH_PASS);
    assert_non_null(strstr(reason, "warm-up"));
    assert_int_equal(bench_decide(sample, 9, "right", true, 0, reason), BENCH_PASS);
    assert_string_equal(reason, "only 9 samples");
    assert_int_equal(bench_decide(sample, 0, "right", true, 0, reason), BENCH_INCONCLUSIVE);
    assert_int_equal(bench_decide(sample, 20, "right", true, 1, reason), BENCH_ERROR);
    assert_non_null(strstr(reason, "copies between host and device"));
    assert_int_equal(bench_decide(sample, 20, "other", true, 0, reason), BENCH_DIFF);
    strcpy(sample[13].digest, "wrong");
    assert_int_equal(bench_decide(sample, 20, "right", true, 0, reason), BENCH_NONDET);
    assert_non_null(strstr(reason, "1 of 20 timed outputs"));
    assert_non_null(strstr(reason, "sample 13"));
    strcpy(sample[13].digest, "right");
    for (int i = 0; i < 4; i++) sample[i].rejected = "throttle";
    assert_int_equal(bench_decide(sample, 20, "right", true, 0, reason),
                     BENCH_PASS); /* 20 % is not more than 20 % */
    sample[4].rejected = "clock";
    assert_int_equal(bench_decide(sample, 20, "right", true, 0, reason), BENCH_INCONCLUSIVE);
    assert_string_equal(reason, "5 of 20 samples are set aside, by rule throttle");
    fill(sample, 20);
    for (int i = 0; i < 20; i++) sample[i].ns = 100 * (1 + i % 5);
    assert_int_equal(bench_decide(sample, 20, "right", true, 0, reason), BENCH_INCONCLUSIVE);
    assert_non_null(strstr(reason, "unstable"));
    for (int i = 0; i < 20; i++) sample[i].ns = i % 2 ? 113 : 87; /* 1.4826 x 13 % = 19.3 % */
    assert_int_equal(bench_decide(sample, 20, "right", true, 0, reason), BENCH_PASS);
    for (int i = 0; i < 20; i++) sample[i].ns = i % 2 ? 114 : 86; /* 20.8 % */
    assert_int_equal(bench_decide(sample, 20, "right", true, 0, reason), BENCH_INCONCLUSIVE);
}

static void test_roofline(void **state)
{
    (void)state;
    /* 1e6 flop at 1e12 flop/s take 1 us, 4e6 bytes at 1e12 bytes/s take 4 us: in 8 us that is half of what is possible. */
    NEAR(bench_roofline(8000, 1e6, 4e6, 1e12, 1e12), 0.5);
    NEAR(bench_roofline(2000, 1e6, 1e3, 1e12, 1e12), 0.5);
    assert_true(isnan(bench_roofline(8000, 1e6, 4e6, NAN, 1e12)));
    assert_true(isnan(bench_roofline(NAN, 1e6, 4e6, 1e12, 1e12)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warm),     cmocka_unit_test(test_stop),    cmocka_unit_test(test_calls),
        cmocka_unit_test(test_reject),   cmocka_unit_test(test_summary), cmocka_unit_test(test_decide),
        cmocka_unit_test(test_roofline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
