/* How well history finds what it should, over 200 seeds of made-up nights with the noise of real cards, and how fast it and
 * compare read a database of a million results. The figures of docs/timing.md come from here.
 *
 * usage: long_history [OFFSET]: added to every seed, for seeds that no rule was ever tuned on; then nothing is asserted of
 * how well. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/compare.h"
#include "reports/history.h"
#include "tests/nights.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SEEDS = 200, NIGHTS = 60 };

static char folder[64], path[96];
static uint64_t offset;

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/assay-long-history-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/a.db", folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static struct history_counts counts_of(void)
{
    struct assay_error error = {0};
    struct history *history = NULL;
    if (history_make(&(struct history_request){.db = path}, &history, &error) != ASSAY_OK)
        fail_msg("%s", error.text);
    struct history_counts counts = *history_counts(history);
    history_free(history);
    return counts;
}

/* The first of `most` nights from `night` on whose history has a new alert; 0: none. Each night is a database of its own,
 * as long as it then was. */
static int found_after(struct nights nights, int night, int most)
{
    for (int after = 1; after <= most; after++) {
        nights.nights = night + after - 1;
        nights_make(&nights, path);
        if (counts_of().fresh > 0) return after;
    }
    return 0;
}

static void report_found(const char *what, const struct nights *plan, int most, int least)
{
    int found[16] = {0}, total = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct nights nights = *plan;
        nights.seed = seed + offset;
        nights.cells = 1;
        nights.step_night = 20 + (int)(seed * 7 % 31);
        int after = found_after(nights, nights.step_night, most);
        found[after]++;
        total += after > 0;
    }
    print_message("%s: found within %d nights: %d of %d; by night", what, most, total, SEEDS);
    for (int i = 1; i <= most; i++) print_message(" %d: %d", i, found[i]);
    print_message("\n");
    assert_true(offset || total >= least);
}

static void test_steps(void **state)
{
    (void)state;
    report_found("step of 3 %", &(struct nights){.step = 0.03}, 5, SEEDS * 95 / 100);
    report_found("step of 5 %", &(struct nights){.step = 0.05}, 5, SEEDS * 95 / 100);
    report_found("step of 2 %", &(struct nights){.step = 0.02}, 10, 0);
}

/* Every night of every seed: an alert on any of them counts once. */
static int false_alarms(struct nights plan)
{
    int alarms = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        sqlite3 *db = NULL;
        bool alarm = false;
        plan.seed = seed + 5000 + offset;
        plan.cells = 1;
        plan.nights = NIGHTS;
        nights_make(&plan, path);
        for (int night = NIGHTS; night >= 10 && !alarm; night--) {
            char sql[96];
            snprintf(sql, sizeof sql,
                     "DELETE FROM bench WHERE run_id > %d; DELETE FROM run WHERE run_id > %d", night, night);
            assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
            assert_int_equal(
                sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF", NULL, NULL, NULL),
                SQLITE_OK);
            assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
            sqlite3_close(db);
            alarm = counts_of().fresh > 0;
        }
        alarms += alarm;
    }
    return alarms;
}

static void test_false_alarms(void **state)
{
    (void)state;
    int calm = false_alarms((struct nights){0});
    print_message("no change: seeds with a false alarm on any of %d nights: %d of %d\n", NIGHTS, calm, SEEDS);
    int spike = false_alarms((struct nights){.spike_night = 40, .spike = 0.3});
    print_message("one night 30 %% slower: seeds with an alarm: %d of %d\n", spike, SEEDS);
    int driver = false_alarms((struct nights){.driver_night = 40, .moved = 0.05});
    print_message("new driver, 5 %% slower: seeds with an alarm: %d of %d\n", driver, SEEDS);
    assert_true(offset || calm <= 2);
    assert_true(offset || spike <= 8);
    assert_true(offset || driver <= 4);
}

static void test_drift(void **state)
{
    (void)state;
    int found = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        nights_make(&(struct nights){.seed = seed + offset, .cells = 1, .drift = 0.05}, path);
        found += counts_of().alerts > 0;
    }
    print_message("drift of 5 %% over %d nights: found %d of %d\n", NIGHTS, found, SEEDS);
    assert_true(found >= SEEDS * 95 / 100);
}

static void test_digest(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        nights_make(&(struct nights){.seed = seed, .cells = 1, .digest_night = NIGHTS}, path);
        assert_int_equal(counts_of().fresh, 1);
    }
}

static void test_million(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct comparison *comparison = NULL;
    struct text text = {0};
    nights_make(
        &(struct nights){.seed = 1, .cells = 16667, .judged = true, .no_bench = true, .digest_night = 60},
        path);
    /* Of the processor: other people's load is not what is measured. */
    clock_t start = clock();
    struct history_counts counts = counts_of();
    double history_s = (double)(clock() - start) / CLOCKS_PER_SEC;
    start = clock();
    if (compare_make(&(struct compare_request){.db = path, .base = "previous", .head = "latest"}, &comparison,
                     &error) ||
        compare_markdown(comparison, &text, &error))
        fail_msg("%s", error.text);
    double compare_s = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%lld points: history in %.1f s of processor time, compare of two runs of 16,667 in %.1f "
                  "s; %lld alerts\n",
                  (long long)counts.points, history_s, compare_s, (long long)counts.fresh);
    assert_int_equal(counts.points, 60 * 16667);
    assert_int_equal(counts.bits, 1);
    assert_int_equal(compare_counts(comparison)->worse, 1);
    text_free(&text);
    compare_free(comparison);
    assert_true(history_s < 10);
    assert_true(compare_s < 10);
}

int main(int argc, char **argv)
{
    offset = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_steps, setup, teardown),
        cmocka_unit_test_setup_teardown(test_false_alarms, setup, teardown),
        cmocka_unit_test_setup_teardown(test_drift, setup, teardown),
        cmocka_unit_test_setup_teardown(test_digest, setup, teardown),
        cmocka_unit_test_setup_teardown(test_million, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
