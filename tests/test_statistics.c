/* Statistics against values made by other means (tests/golden/statistics_known.py), and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/statistics_known.h"

#define COUNT(array) (sizeof array / sizeof array[0])

/* Equal, or within 1e-10 of each other by ratio. */
static void same(double got, double want, const char *what, size_t row)
{
    if (got == want || fabs(got - want) <= 1e-10 * fmax(fabs(want), 1e-3 * fabs(got))) return;
    fail_msg("%s of row %zu is %.17g, not %.17g", what, row, got, want);
}

static void test_compare(void **state)
{
    (void)state;
    struct assay_error error = {0};
    for (size_t i = 0; i < COUNT(known_compare); i++) {
        struct statistics_shift got, back;
        assert_int_equal(statistics_compare(known_compare[i].a, known_compare[i].a_count, known_compare[i].b,
                                            known_compare[i].b_count, 0.95, &got, &error),
                         ASSAY_OK);
        same(got.u, known_compare[i].u, "U", i);
        same(got.p, known_compare[i].p, "p", i);
        same(got.shift, known_compare[i].shift, "the shift", i);
        same(got.low, known_compare[i].low, "the low end", i);
        same(got.high, known_compare[i].high, "the high end", i);
        assert_int_equal(got.exact, known_compare[i].exact);
        /* Exchanged samples give the same p and the opposite shift. */
        assert_int_equal(statistics_compare(known_compare[i].b, known_compare[i].b_count, known_compare[i].a,
                                            known_compare[i].a_count, 0.95, &back, &error),
                         ASSAY_OK);
        same(back.p, got.p, "p of the exchange", i);
        same(back.shift, -got.shift, "the shift of the exchange", i);
        same(back.low, -got.high, "the low end of the exchange", i);
    }
}

/* The smallest p that n against n can give: what n invocations can show at all. */
static void test_smallest_p(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        double p;
    } row[] = {{4, 2 / 70.0}, {5, 2 / 252.0}, {6, 2 / 924.0}, {9, 2 / 48620.0}, {12, 2 / 2704156.0}};
    double a[12], b[12];
    struct assay_error error = {0};
    for (size_t i = 0; i < 12; i++) a[i] = (double)i, b[i] = 100 + (double)i;
    for (size_t i = 0; i < COUNT(row); i++) {
        struct statistics_shift shift;
        assert_int_equal(statistics_compare(a, row[i].n, b, row[i].n, 0.95, &shift, &error), ASSAY_OK);
        same(shift.p, row[i].p, "p", i);
        same(shift.shift, 100, "the shift", i);
    }
}

static void test_distributions(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known_student); i++)
        same(statistics_student(known_student[i].t, known_student[i].df), known_student[i].p, "Student's p",
             i);
    for (size_t i = 0; i < COUNT(known_normal); i++)
        same(statistics_normal(known_normal[i].z), known_normal[i].p, "the normal p", i);
    assert_true(isnan(statistics_student(NAN, 3)));
    assert_true(isnan(statistics_student(1, 0)));
    assert_true(statistics_student(INFINITY, 3) == 0);
}

static void test_summary(void **state)
{
    (void)state;
    struct assay_error error = {0};
    for (size_t i = 0; i < COUNT(known_summary); i++) {
        struct statistics_summary got;
        assert_int_equal(statistics_summarize(known_summary[i].x, known_summary[i].count, &got, &error),
                         ASSAY_OK);
        same(got.median, known_summary[i].median, "the median", i);
        same(got.q1, known_summary[i].q1, "q1", i);
        same(got.q3, known_summary[i].q3, "q3", i);
        same(got.mad, known_summary[i].mad, "the MAD", i);
        same(got.low, known_summary[i].low, "the low end", i);
        same(got.high, known_summary[i].high, "the high end", i);
        same(got.lag1, known_summary[i].lag1, "the autocorrelation", i);
        double n = (double)got.count, worth = n * (1 - got.lag1) / (1 + got.lag1);
        same(got.effective, worth > n ? n : worth < 1 ? 1 : worth, "the effective count", i);
    }
    double equal[9], wave[8] = {1, 2, 1, 2, 1, 2, 1, 2};
    struct statistics_summary got;
    for (size_t i = 0; i < 9; i++) equal[i] = 7;
    assert_int_equal(statistics_summarize(equal, 9, &got, &error), ASSAY_OK);
    assert_true(got.median == 7 && got.mad == 0 && got.q1 == 7 && got.high == 7 && got.lag1 == 0);
    assert_true(got.effective == 9);
    assert_int_equal(statistics_summarize(wave, 8, &got, &error), ASSAY_OK);
    assert_true(got.lag1 < -0.8 && got.effective == 8);
}

static void test_adjust(void **state)
{
    (void)state;
    struct assay_error error = {0};
    for (size_t i = 0; i < COUNT(known_adjusted); i++) {
        double p[8];
        memcpy(p, known_adjusted[i].p, sizeof p);
        assert_int_equal(statistics_adjust(p, known_adjusted[i].count, &error), ASSAY_OK);
        for (size_t k = 0; k < known_adjusted[i].count; k++)
            same(p[k], known_adjusted[i].adjusted[k], "the adjusted p", i);
    }
    assert_int_equal(statistics_adjust(NULL, 0, &error), ASSAY_OK);
}

static void test_trend(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct statistics_trend got;
    for (size_t i = 0; i < COUNT(known_trend); i++) {
        assert_int_equal(
            statistics_trend(known_trend[i].x, known_trend[i].y, known_trend[i].count, &got, &error),
            ASSAY_OK);
        same(got.slope, known_trend[i].slope, "the slope", i);
        same(got.p, known_trend[i].p, "p", i);
    }
    double x[3] = {1, 1, 1}, y[3] = {1, 2, 3};
    assert_int_equal(statistics_trend(x, y, 3, &got, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(statistics_trend(x, y, 1, &got, &error), ASSAY_INVALID_INPUT);
}

static void test_refusals(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    struct assay_error error = {0};
    struct statistics_summary summary;
    struct statistics_shift shift;
    struct statistics_trend trend;
    struct statistics_change changes[10];
    size_t found;
    double good[20] = {1, 2, 3}, p[2] = {0.5, 1.5};
    assert_int_equal(statistics_summarize(good, 0, &summary, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(statistics_compare(good, 3, good, 0, 0.95, &shift, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(statistics_compare(good, 0, good, 3, 0.95, &shift, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(statistics_compare(good, 3, good, 3, 1, &shift, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(statistics_adjust(p, 2, &error), ASSAY_INVALID_INPUT);
    assert_true(isnan(statistics_median(good, 0)));
    for (size_t i = 0; i < COUNT(bad); i++) {
        double x[20] = {1, 2, bad[i]};
        p[1] = bad[i];
        assert_int_equal(statistics_summarize(x, 3, &summary, &error), ASSAY_INVALID_INPUT);
        assert_non_null(strstr(error.text, "value 3 of 3 is no finite number"));
        assert_int_equal(statistics_compare(good, 3, x, 3, 0.95, &shift, &error), ASSAY_INVALID_INPUT);
        assert_int_equal(statistics_compare(x, 3, good, 3, 0.95, &shift, &error), ASSAY_INVALID_INPUT);
        assert_int_equal(statistics_trend(good, x, 3, &trend, &error), ASSAY_INVALID_INPUT);
        assert_int_equal(statistics_changes(x, 20, NULL, changes, &found, &error), ASSAY_INVALID_INPUT);
        assert_int_equal(statistics_adjust(p, 2, &error), ASSAY_INVALID_INPUT);
    }
}

/* ---- change points ---- */

/* A scatter without random numbers: the golden ratio's multiples are spread evenly and look unordered. */
static void scatter(double *y, size_t count, double size)
{
    for (size_t i = 0; i < count; i++)
        y[i] = size * (fmod((double)(i * i + 3 * i) * 0.6180339887498949, 1) - 0.5);
}

static size_t changes_of(const double *y, size_t count, struct statistics_change *changes)
{
    struct assay_error error = {0};
    size_t found;
    if (statistics_changes(y, count, NULL, changes, &found, &error) != ASSAY_OK) fail_msg("%s", error.text);
    return found;
}

static void test_changes(void **state)
{
    (void)state;
    struct statistics_change change[64], again[64];
    double y[180];
    scatter(y, 180, 0.02);
    assert_int_equal(changes_of(y, 180, change), 0);
    /* Two steps, in different windows, up and down. */
    for (size_t i = 40; i < 130; i++) y[i] += 0.04;
    assert_int_equal(changes_of(y, 180, change), 2);
    assert_int_equal(change[0].at, 40);
    assert_int_equal(change[1].at, 130);
    assert_true(fabs(change[0].after - change[0].before - 0.04) < 0.005);
    assert_true(fabs(change[1].after - change[1].before + 0.04) < 0.005);
    assert_true(change[0].p < 1e-6 && change[0].threshold >= log(1.01));
    /* The same data give the same answer, bit by bit. */
    assert_int_equal(changes_of(y, 180, again), 2);
    assert_memory_equal(change, again, 2 * sizeof change[0]);
    /* The newest three points are enough; two are not. */
    for (size_t new = 1; new <= 5; new ++) assert_int_equal(changes_of(y, 40 + new, change), new >= 3);
}

static void test_no_changes(void **state)
{
    (void)state;
    struct statistics_change change[64];
    double y[60];
    for (size_t i = 0; i < 60; i++) y[i] = 3;
    assert_int_equal(changes_of(y, 60, change), 0);
    assert_int_equal(changes_of(y, 0, change), 0);
    assert_int_equal(changes_of(y, 1, change), 0);
    assert_int_equal(changes_of(y, 9, change), 0);
    /* Spikes are no change: one at the end, two in three nights, many. */
    scatter(y, 60, 0.02);
    y[59] += 0.3;
    assert_int_equal(changes_of(y, 60, change), 0);
    y[57] += 0.3;
    assert_int_equal(changes_of(y, 60, change), 0);
    for (size_t i = 5; i < 60; i += 9) y[i] += 0.2;
    assert_int_equal(changes_of(y, 60, change), 0);
    /* A step that is certain and too small to matter. */
    scatter(y, 60, 0.001);
    for (size_t i = 30; i < 60; i++) y[i] += 0.005;
    assert_int_equal(changes_of(y, 60, change), 0);
    for (size_t i = 30; i < 60; i++) y[i] += 0.01;
    assert_int_equal(changes_of(y, 60, change), 1);
    /* A step of a series of equal values, as a coarse timer gives them. */
    for (size_t i = 0; i < 60; i++) y[i] = i < 20 ? 1 : 1.05;
    assert_int_equal(changes_of(y, 60, change), 1);
    assert_int_equal(change[0].at, 20);
}

/* From 18 points on something is said, and of a new segment one point in five may stay behind. */
static void test_least(void **state)
{
    (void)state;
    struct statistics_change change[64];
    double y[60];
    scatter(y, 18, 0.002);
    for (size_t i = 9; i < 18; i++) y[i] += 0.1;
    assert_int_equal(changes_of(y, 17, change), 0);
    assert_int_equal(changes_of(y, 18, change), 1);
    assert_int_equal(change[0].at, 9);
    for (size_t left = 0; left < 3; left++) {
        scatter(y, 45, 0.01);
        for (size_t i = 40; i < 45; i++) y[i] = 0.02 + y[i] / 4;
        for (size_t i = 0; i < left; i++) y[41 + 2 * i] -= 0.02;
        assert_int_equal(changes_of(y, 45, change), left < 2);
    }
}

static void test_rules(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct statistics_change change[64];
    size_t found;
    double y[60];
    scatter(y, 60, 0.001);
    for (size_t i = 30; i < 60; i++) y[i] += 0.02;
    struct statistics_rule rule = {.magnitude = log(1.03)};
    assert_int_equal(statistics_changes(y, 60, &rule, change, &found, &error), ASSAY_OK);
    assert_int_equal(found, 0);
    rule = (struct statistics_rule){.window = 20};
    assert_int_equal(statistics_changes(y, 60, &rule, change, &found, &error), ASSAY_OK);
    assert_int_equal(found, 1);
    rule = (struct statistics_rule){.window = 5, .least = 3};
    assert_int_equal(statistics_changes(y, 60, &rule, change, &found, &error), ASSAY_INVALID_INPUT);
    rule = (struct statistics_rule){.least = 1};
    assert_int_equal(statistics_changes(y, 60, &rule, change, &found, &error), ASSAY_INVALID_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare),       cmocka_unit_test(test_smallest_p),
        cmocka_unit_test(test_distributions), cmocka_unit_test(test_summary),
        cmocka_unit_test(test_adjust),        cmocka_unit_test(test_trend),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_changes),
        cmocka_unit_test(test_no_changes),    cmocka_unit_test(test_least),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
