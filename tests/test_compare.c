/* Comparisons of two made-up nights (tests/nights.h), changed by hand: bits first, then times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/compare_time.h"
#include "tests/nights.h"
#include "tests/verbs.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct verbs verbs;

static int setup(void **state)
{
    (void)state;
    verbs_begin(&verbs);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    verbs_end(&verbs);
    return 0;
}

#define CALL(...) verbs_call(&verbs, (const char *const[]){"compare", __VA_ARGS__, NULL})

/* Two nights, run 1 and run 2, with little noise; `sql` changes them. */
static void two(int invocations, double step, const char *sql)
{
    sqlite3 *db = NULL;
    char *why = NULL;
    nights_make(&(struct nights){.seed = 9,
                                 .nights = 2,
                                 .noise = 1e-5,
                                 .within = 2e-3,
                                 .invocations = invocations,
                                 .step_night = 2,
                                 .step = step,
                                 .judged = true},
                verbs.db);
    assert_int_equal(sqlite3_open(verbs.db, &db), SQLITE_OK);
    if (sql && sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s", why);
    sqlite3_close(db);
}

static void says(const char *words)
{
    if (!strstr(verbs.out, words))
        fail_msg("the comparison does not say '%s':\n%s%s", words, verbs.out, verbs.err);
}

/* So that a change is not the machine's. */
#define OTHER_CODE                                                                                           \
    "INSERT INTO kernel VALUES (9, 'matmul.cuda.tile.exact', '9999999999999999', 'native', 'matmul', "       \
    "'cuda', 't',"                                                                                           \
    " 'exact', 'f32'); UPDATE bench SET kernel_id = 9 WHERE run_id = 2; UPDATE result SET kernel_id = 9 "    \
    "WHERE run_id = 2;"

static void test_same(void **state)
{
    (void)state;
    two(6, 0, NULL);
    assert_int_equal(CALL("1", "2"), EXIT_PASS);
    says("**PASSED** (exit 0): 6 cases compared, 0 worse, 0 other changes; 6 timings: 0 regressed, 0 "
         "improved, 3 same, "
         "0 ambiguous, 3 inconclusive");
    says("None of the 6 cases that both sides judged has other bits");
    says("| hot | 3 | 0 | 0 | 3 | 0 | 0 | 0 | ");
    says("1 and 1 invocations; 4 of each are needed");
    assert_int_equal(CALL("previous", "latest"), EXIT_PASS);
}

static void test_slower(void **state)
{
    (void)state;
    two(8, 0.03, OTHER_CODE);
    assert_int_equal(CALL("1", "2"), EXIT_FAILED);
    says("1 regressed");
    says("| REGRESSED | `matmul/f32/m=1,n=8,k=8/fill=normal/seed=1` | cuda:0 | matmul.cuda.tile.exact | hot "
         "|");
    says("| code | ");
    assert_int_equal(CALL("2", "1"), EXIT_PASS);
    says("1 improved");
    assert_int_equal(CALL("1", "2", "--delta", "5"), EXIT_PASS);
    /* Equal code and driver: the machine, told and no failure. */
    two(8, 0.03, NULL);
    assert_int_equal(CALL("1", "2"), EXIT_PASS);
    says("1 changed with the machine");
    says("| machine: slower | `matmul/f32/m=1,");
    /* Equal code under another driver, or of which one invocation had other code: no machine's excuse. */
    two(8, 0.03,
        "PRAGMA foreign_keys = OFF; UPDATE run_device SET device_id = 2 WHERE run_id = 2;"
        "UPDATE plan SET device_id = 2 WHERE run_id = 2; UPDATE bench SET device_id = 2 WHERE run_id = 2");
    assert_int_equal(CALL("1", "2"), EXIT_FAILED);
    says("1 regressed");
    two(8, 0.03,
        "INSERT INTO kernel SELECT 9, name, '9999999999999999', variant, op, backend, technique, mode, dtype"
        " FROM kernel WHERE kernel_id = 1; UPDATE bench SET kernel_id = 9 WHERE run_id = 2 AND invocation = "
        "8");
    assert_int_equal(CALL("1", "2"), EXIT_FAILED);
    says("1 regressed");
    /* A fifth that was set aside is no reason to say nothing, more is. */
    two(5, 0, "UPDATE bench SET verdict = 'INCONCLUSIVE' WHERE invocation = 1 AND case_id = 2");
    CALL("1", "2");
    says("3 same");
    two(6, 0, "UPDATE bench SET verdict = 'INCONCLUSIVE' WHERE invocation < 3 AND case_id = 2");
    CALL("1", "2");
    says("2 same");
    says("2 of 6 invocations of HEAD were set aside");
    /* Three invocations are no evidence, and no pass either. */
    two(3, 0.03, OTHER_CODE "DELETE FROM plan");
    assert_int_equal(CALL("1", "2"), EXIT_PASS); /* the benched bits were compared */
    says("3 inconclusive");
}

/* In two stages: five invocations raise a suspicion, only the others can confirm it. */
static void test_two_stages(void **state)
{
    (void)state;
    two(12, 0.03, OTHER_CODE);
    assert_int_equal(CALL("1", "2"), EXIT_FAILED);
    says("| 7/7 fresh |");
    two(12, 0,
        OTHER_CODE
        "UPDATE bench SET median_ns = median_ns * 1.05 WHERE run_id = 2 AND case_id = 1 AND invocation <= 5");
    assert_int_equal(CALL("1", "2"), EXIT_PASS);
    says("3 same");
}

static void test_other_bits(void **state)
{
    (void)state;
    two(5, 0, "UPDATE result SET digest = 'ffffffffffffffff' WHERE run_id = 2 AND seq = 1");
    assert_int_equal(CALL("1", "2"), EXIT_FAILED);
    says("1 worse");
    says("| bits | `matmul/f32/m=2,");
    /* Fast and wrong is no gain: bits of timed samples count. */
    two(5, -0.2, "UPDATE bench SET digest = 'ffffffffffffffff' WHERE run_id = 2 AND case_id = 1");
    assert_int_equal(CALL("1", "2"), EXIT_FAILED);
    says("| bits | `matmul/f32/m=1,");
}

static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *words;
        int code;
    } row[] = {
        {"UPDATE result SET verdict = 'DIFF', differing = 3, rung = '', repro = 'assay replay x' WHERE "
         "run_id = 2 AND seq = 0",
         "| verdict | `matmul/f32/m=1,", EXIT_FAILED},
        {"UPDATE result SET verdict = 'SKIP', digest = '', reason = 'no such form' WHERE run_id = 2 AND seq "
         "= 0",
         "SKIP no such form", EXIT_FAILED},
        {"UPDATE result SET verdict = 'DIFF', digest = 'ab' WHERE run_id = 1 AND seq = 0", "| verdict | 1 |",
         EXIT_PASS},
        {"UPDATE result SET verdict = 'DIFF', digest = 'ab' WHERE seq = 0", "| still failing | 1 |",
         EXIT_PASS},
        {"UPDATE result SET rung = 'BOUND' WHERE run_id = 2 AND seq = 0", "| rung | `matmul/f32/m=1,",
         EXIT_FAILED},
        {"UPDATE result SET rung = 'BOUND' WHERE run_id = 1 AND seq = 0", "| rung | 1 |", EXIT_PASS},
        {"UPDATE result SET scaled_f64 = 0.5 WHERE run_id = 2 AND seq = 0", "| errors | 1 |", EXIT_PASS},
        {"UPDATE result SET scaled_f64 = 'nan' WHERE run_id = 2 AND seq = 0", "scaled nan", EXIT_PASS},
        {"UPDATE result SET oracle_version = 2 WHERE run_id = 2", "| oracle | 3 |", EXIT_PASS},
        {"DELETE FROM result WHERE run_id = 2 AND seq = 2; DELETE FROM plan WHERE run_id = 2 AND seq = 2",
         "| gone | 1 |", EXIT_PASS},
        {"DELETE FROM result WHERE run_id = 1 AND seq = 2; DELETE FROM plan WHERE run_id = 1 AND seq = 2",
         "| new | 1 |", EXIT_PASS},
        {"DELETE FROM result WHERE run_id = 2 AND seq = 2", "not run", EXIT_FAILED},
        {"DELETE FROM result WHERE run_id = 1 AND seq = 2; DELETE FROM plan WHERE run_id = 1 AND seq = 2;"
         "UPDATE result SET verdict = 'CRASH' WHERE run_id = 2 AND seq = 2",
         "| new | `matmul/f32/m=3,", EXIT_FAILED},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        two(5, 0, row[i].sql);
        int code = CALL("1", "2");
        if (code != row[i].code) fail_msg("%s: exit %d\n%s%s", row[i].sql, code, verbs.out, verbs.err);
        says(row[i].words);
    }
}

static void test_drivers(void **state)
{
    (void)state;
    two(5, 0, "UPDATE run_device SET device_id = 2 WHERE run_id = 2");
    nights_make(&(struct nights){.seed = 9, .nights = 2, .noise = 1e-5, .driver_night = 2, .judged = true},
                verbs.db);
    assert_int_equal(CALL("1", "2"), EXIT_PASS);
    says("| driver | 1 | cuda:0 |");
    says("NVIDIA 580.1 | NVIDIA 580.2 |");
    /* Another card of the model is compared, and said to be another. */
    two(5, 0,
        "INSERT INTO device SELECT 7, 'GPU-7', backend, driver, name, api, kind, 'GPU-7', pci, software, "
        "info FROM"
        " device WHERE device_id = 1; PRAGMA foreign_keys = OFF; UPDATE run_device SET device_id = 7 WHERE "
        "run_id = 2;"
        " UPDATE plan SET device_id = 7 WHERE run_id = 2; UPDATE bench SET device_id = 7 WHERE run_id = 2");
    assert_int_equal(CALL("1", "2"), EXIT_PASS);
    says("another card of this model");
    says("6 cases compared");
}

static void test_sides(void **state)
{
    (void)state;
    two(6, 0,
        "UPDATE bench SET side = CASE run_id WHEN 1 THEN 'A' ELSE 'B' END, run_id = 1; DELETE FROM run WHERE "
        "run_id = 2;"
        "UPDATE bench SET median_ns = median_ns * 1.2 WHERE side = 'B'");
    assert_int_equal(CALL("1"), EXIT_PASS);
    says("3 changed with the machine");
    two(6, 0.2,
        OTHER_CODE "UPDATE bench SET side = CASE run_id WHEN 1 THEN 'A' ELSE 'B' END, run_id = 1;"
                   " DELETE FROM run WHERE run_id = 2");
    assert_int_equal(CALL("1"), EXIT_FAILED);
    says("1 regressed");
}

static void test_noise(void **state)
{
    (void)state;
    sqlite3 *db = NULL;
    /* Ten nights with much scatter: three times that is what counts as a change. */
    nights_make(&(struct nights){.seed = 9, .nights = 12, .noise = 0.03, .within = 1e-3, .invocations = 8},
                verbs.db);
    assert_int_equal(sqlite3_open(verbs.db, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, OTHER_CODE "UPDATE bench SET kernel_id = 9 WHERE run_id = 12", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(CALL("11", "12"), EXIT_PASS);
    says("0 regressed");
}

static void test_refused(void **state)
{
    (void)state;
    char path[160];
    assert_int_equal(CALL("1", "2"), EXIT_ERROR);
    two(5, 0, NULL);
    assert_int_equal(CALL("1", "1"), EXIT_ERROR);
    assert_non_null(strstr(verbs.err, "proves nothing"));
    assert_int_equal(CALL("1", "17"), EXIT_ERROR);
    assert_non_null(strstr(verbs.err, "'17' is no run"));
    assert_int_equal(CALL("1", "2", "--delta", "-3"), EXIT_ERROR);
    assert_int_equal(CALL("1", "2", "--delta", "100"), EXIT_ERROR);
    assert_non_null(strstr(verbs.err, "above 0 and below 100"));
    assert_int_equal(CALL("1"), EXIT_NOTHING); /* no sides */
    two(5, 0, "DELETE FROM bench; DELETE FROM result; DELETE FROM plan");
    assert_int_equal(CALL("1", "2"), EXIT_NOTHING);
    says("No kernel was timed on both sides.");
    /* Two files, one of them empty or another program's. */
    two(5, 0, NULL);
    snprintf(path, sizeof path, "%s/other.db:latest", verbs.folder);
    char *colon = strrchr(path, ':');
    *colon = '\0';
    nights_empty(path, NULL);
    *colon = ':';
    assert_int_equal(CALL("1", path), EXIT_ERROR);
    assert_non_null(strstr(verbs.err, "holds no run"));
    *colon = '\0';
    nights_make(&(struct nights){.seed = 9, .nights = 1, .judged = true}, path);
    *colon = ':';
    sqlite3 *db = NULL;
    *colon = '\0';
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE run SET key = 'another'", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    *colon = ':';
    assert_int_equal(CALL("1", path), EXIT_PASS);
    says("6 cases compared");
}

static void test_output(void **state)
{
    (void)state;
    char path[160];
    json_error_t why;
    two(8, 0.03,
        OTHER_CODE
        "UPDATE op_case SET line = 'a|b`c\"<script>''\xf0\x9f\x92\xa3' || case_id;"
        "UPDATE run_device SET label = 'x|\"y<'; UPDATE run SET label = '\"|<b>' WHERE run_id = 2");
    assert_int_equal(CALL("1", "2"), EXIT_FAILED);
    says("``a\\|b`c\"<script>'\xf0\x9f\x92\xa3"
         "1``");
    says("x\\|\"y\\<");
    assert_int_equal(CALL("1", "2", "--json"), EXIT_FAILED);
    json_t *answer = json_loads(verbs.out, 0, &why);
    if (!answer) fail_msg("%s", why.text);
    assert_int_equal(json_integer_value(json_object_get(answer, "regressed")), 1);
    assert_int_equal(json_array_size(json_object_get(answer, "sides")), 2);
    json_decref(answer);
    snprintf(path, sizeof path, "%s/compare.md", verbs.folder);
    assert_int_equal(CALL("1", "2", "--markdown", path), EXIT_FAILED);
    says("comparison: ");
    assert_int_equal(access(path, R_OK), 0);
}

/* Clocks beside the samples: a time that changed with the clock is no regression. */
static void test_clock(void **state)
{
    (void)state;
    two(8, 0.03,
        OTHER_CODE
        "INSERT INTO bench_sample SELECT bench_id, 1, median_ns, CASE WHEN run_id = 2 AND case_id = 1 THEN "
        "1942 ELSE 2000 END,"
        " CASE WHEN run_id = 2 AND case_id = 1 THEN 1942 ELSE 2000 END, NULL, NULL, NULL, '', '' FROM bench");
    assert_int_equal(CALL("1", "2"), EXIT_PASS);
    says("the clock did");
    /* The clock fell by more than the time grew. */
    two(8, 0.03,
        OTHER_CODE
        "INSERT INTO bench_sample SELECT bench_id, 1, median_ns, CASE WHEN run_id = 2 THEN 1800 ELSE 2000 "
        "END, CASE WHEN run_id = 2 THEN 1800 ELSE 2000 END, NULL, NULL, NULL, '', '' FROM bench");
    assert_int_equal(CALL("1", "2"), EXIT_PASS);
    says("the clock did");
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same, setup, teardown),
        cmocka_unit_test_setup_teardown(test_slower, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_stages, setup, teardown),
        cmocka_unit_test_setup_teardown(test_other_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_verdicts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_drivers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sides, setup, teardown),
        cmocka_unit_test_setup_teardown(test_noise, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_output, setup, teardown),
        cmocka_unit_test_setup_teardown(test_clock, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
