/* Histories of made-up nights with planted faults (tests/nights.h): each is found and named, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/history.h"
#include "reports/history_series.h"
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

static int call(const char *const *words)
{
    return verbs_call(&verbs, words);
}
#define CALL(...)    call((const char *const[]){"history", __VA_ARGS__, NULL})
#define CALL_PLAIN() call((const char *const[]){"history", NULL})

static void says(const char *words)
{
    if (!strstr(verbs.out, words))
        fail_msg("the history does not say '%s':\n%s%s", words, verbs.out, verbs.err);
}

static void says_not(const char *words)
{
    if (strstr(verbs.out, words)) fail_msg("the history says '%s':\n%s", words, verbs.out);
}

static void test_quiet(void **state)
{
    (void)state;
    nights_make(&(struct nights){.seed = 1, .judged = true}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("**PASSED** (exit 0): 0 new alerts, 0 in all; 60 runs, 6 series of times with 360 points");
    says("## Alerts\n\nNone.");
    /* The same data, the same text. */
    char *first = strdup(verbs.out);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    assert_string_equal(first, verbs.out);
    free(first);
}

static void test_step(void **state)
{
    (void)state;
    nights_make(&(struct nights){.seed = 2, .step_night = 57, .step = 0.06}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_FAILED);
    says("| **new** | slower | `matmul/f32/m=1,n=8,k=8/fill=normal/seed=1` | cuda:0 | matmul.cuda.tile.exact "
         "| hot |");
    says("| 56 to 57 | +");
    says("same kernel code and driver; the program went from r56 to r57");
    says_not("m=2,");
    /* Old news do not fail every night. */
    nights_make(&(struct nights){.seed = 2, .step_night = 40, .step = 0.06}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("| earlier | slower |");
    /* New is what began within the last 7 points. */
    nights_make(&(struct nights){.seed = 2, .step_night = 54, .step = 0.06, .noise = 0.003}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_FAILED);
    says("| 53 to 54 | +");
    nights_make(&(struct nights){.seed = 2, .step_night = 53, .step = 0.06, .noise = 0.003}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("| 52 to 53 | +");
    /* Faster is no alert. */
    nights_make(&(struct nights){.seed = 2, .step_night = 57, .step = -0.06}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("| faster | `matmul/f32/m=1,");
}

static void test_spike(void **state)
{
    (void)state;
    for (int night = 30; night <= 60; night += 10) {
        nights_make(&(struct nights){.seed = 3, .spike_night = night, .spike = 0.4}, verbs.db);
        assert_int_equal(CALL_PLAIN(), EXIT_PASS);
        says("0 new alerts, 0 in all");
    }
}

static void test_drift(void **state)
{
    (void)state;
    int found = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        nights_make(&(struct nights){.seed = seed, .drift = 0.06, .cells = 1}, verbs.db);
        CALL_PLAIN();
        found += strstr(verbs.out, "| drift |") || strstr(verbs.out, "| slower |");
    }
    assert_int_equal(found, 8);
    /* Less than twice the smallest change is none. */
    nights_make(&(struct nights){.seed = 1, .drift = 0.015, .noise = 0.001}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("0 new alerts, 0 in all");
}

static void change(const char *sql)
{
    sqlite3 *db = NULL;
    char *why = NULL;
    assert_int_equal(sqlite3_open(verbs.db, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s", why);
    sqlite3_close(db);
}

/* Each failing verdict of the newest run is an alert; what is no verdict on the card is told beside. */
static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        const char *verdict;
        int code;
    } row[] = {{"DIFF", EXIT_FAILED},     {"NONDET", EXIT_FAILED}, {"GUARD", EXIT_FAILED},
               {"CRASH", EXIT_FAILED},    {"HANG", EXIT_FAILED},   {"ERROR", EXIT_FAILED},
               {"REFLIMITED", EXIT_PASS}, {"SKIP", EXIT_PASS},     {"DEADREF", EXIT_PASS},
               {"UNPROVEN", EXIT_PASS}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char sql[120], words[120];
        nights_make(&(struct nights){.seed = 4, .nights = 20, .judged = true}, verbs.db);
        snprintf(sql, sizeof sql, "UPDATE result SET verdict = '%s' WHERE run_id = 20 AND seq = 0",
                 row[i].verdict);
        change(sql);
        if (CALL_PLAIN() != row[i].code) fail_msg("%s:\n%s%s", row[i].verdict, verbs.out, verbs.err);
        snprintf(words, sizeof words, "PASS | %s |", row[i].verdict);
        says(words);
    }
}

/* Two cards of a model, in one run, with different bits: one of them is wrong. */
static void test_two_cards(void **state)
{
    (void)state;
    nights_make(&(struct nights){.seed = 4, .nights = 20, .judged = true, .no_bench = true}, verbs.db);
    change(
        "INSERT INTO device SELECT 7, 'GPU-7', backend, driver, name, api, kind, 'GPU-7', pci, software, info"
        " FROM device WHERE device_id = 1;"
        "INSERT INTO run_device SELECT run_id, 7, 'cuda:1', opened, why, variant, variant_why, probe, state"
        " FROM run_device WHERE run_id = 20;"
        "INSERT INTO plan SELECT run_id, 10 + seq, case_id, 7, kernel, why, source FROM plan WHERE run_id = "
        "20;"
        "CREATE TEMP TABLE other AS SELECT * FROM result WHERE run_id = 20;"
        "UPDATE other SET result_id = NULL, seq = 10 + seq; INSERT INTO result SELECT * FROM other");
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    change("UPDATE result SET digest = 'ffffffffffffffff' WHERE run_id = 20 AND seq = 11");
    assert_int_equal(CALL_PLAIN(), EXIT_FAILED);
    says("| **new** | bits | `matmul/f32/m=2,");
    says("| 20 to 20 |");
}

static void test_digest(void **state)
{
    (void)state;
    nights_make(&(struct nights){.seed = 4, .digest_night = 59, .judged = true}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_FAILED);
    says("| **new** | bits | `matmul/f32/m=1,");
    says("| 58 to 59 |");
    says("same kernel code and driver");
    says_not("`matmul/f32/m=2,");
    nights_make(&(struct nights){.seed = 4, .digest_night = 20, .judged = true}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("| earlier | bits |");
}

/* A new driver or kernel is a reason, with what it changed, and no alert. */
static void test_causes(void **state)
{
    (void)state;
    nights_make(&(struct nights){.seed = 6, .driver_night = 55, .moved = 0.05}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("| explained | `matmul/f32/m=1,");
    says("driver: NVIDIA 580.1 to NVIDIA 580.2 |");
    says(
        "| driver: NVIDIA 580.1 to NVIDIA 580.2 | 2 |"); /* the other two cells were cut and did not change */
    /* What a driver explains is no drift. */
    nights_make(&(struct nights){.seed = 6, .driver_night = 31, .moved = 0.05}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("| explained | `matmul/f32/m=1,");
    says("0 drifts");
    nights_make(&(struct nights){.seed = 6, .kernel_night = 55, .moved = 0.05}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("kernel: 1111111111111111 native to 2222222222222222 native");
    /* Another major version of the driver is another series. */
    nights_make(&(struct nights){.seed = 6, .major_night = 55, .moved = 0.05}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS);
    says("6 series of times with 180 points (3 too short)");
}

static void test_choosing(void **state)
{
    (void)state;
    nights_make(&(struct nights){.seed = 2, .step_night = 57, .step = 0.06}, verbs.db);
    assert_int_equal(CALL("matmul/*m=1,*"), EXIT_FAILED);
    says("60 runs, 1 series of times with 60 points");
    assert_int_equal(CALL("matmul/*m=2,*"), EXIT_PASS);
    assert_int_equal(CALL("conv/*"), EXIT_NOTHING);
    assert_int_equal(CALL("--device", "cuda:0"), EXIT_FAILED);
    assert_int_equal(CALL("--device", "vulkan:0"), EXIT_NOTHING);
    assert_int_equal(CALL("--device", "*H200"), EXIT_FAILED);
    assert_int_equal(CALL("--delta", "10"), EXIT_PASS);
    assert_int_equal(CALL("--delta", "none"), EXIT_ERROR);
    assert_non_null(strstr(verbs.err, "--delta is 'none'"));
}

static void test_json(void **state)
{
    (void)state;
    json_error_t why;
    nights_make(
        &(struct nights){.seed = 2, .step_night = 57, .step = 0.06, .digest_night = 58, .judged = true},
        verbs.db);
    assert_int_equal(CALL("--json"), EXIT_FAILED);
    json_t *answer = json_loads(verbs.out, 0, &why);
    if (!answer) fail_msg("%s", why.text);
    assert_int_equal(json_integer_value(json_object_get(answer, "exit")), 2);
    json_t *events = json_object_get(answer, "events");
    assert_true(json_array_size(events) >= 3);
    json_t *event = json_array_get(events, 0);
    assert_string_equal(json_string_value(json_object_get(event, "what")), "slower");
    assert_true(json_is_true(json_object_get(event, "new")));
    assert_true(fabs(json_real_value(json_object_get(event, "change")) - 0.06) < 0.03);
    json_decref(answer);
}

/* Names that others chose stay text in the table. */
static void test_hostile(void **state)
{
    (void)state;
    nights_make(&(struct nights){.seed = 2, .step_night = 57, .step = 0.06, .judged = true}, verbs.db);
    verbs_text(&verbs, "SELECT 1");
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(verbs.db, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "UPDATE op_case SET line = 'a|b`c\"<script>''\xf0\x9f\x92\xa3' || case_id;"
                     "UPDATE kernel SET name = 'k|<b>\"'; UPDATE device SET name = '\xf0\x9f\x92\xa3|';"
                     "UPDATE run_device SET label = 'x|\"y'",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(CALL_PLAIN(), EXIT_FAILED);
    says("``a\\|b`c\"<script>'\xf0\x9f\x92\xa3"
         "1``");
    says("k\\|\\<b\\>\"");
    says("x\\|\"y");
    assert_int_equal(CALL("--json"), EXIT_FAILED);
    json_error_t why;
    json_t *answer = json_loads(verbs.out, 0, &why);
    if (!answer) fail_msg("%s", why.text);
    json_decref(answer);
}

static void test_little(void **state)
{
    (void)state;
    assert_int_equal(CALL_PLAIN(), EXIT_ERROR); /* no file */
    nights_empty(verbs.db, NULL);
    assert_int_equal(CALL_PLAIN(), EXIT_ERROR);
    assert_non_null(strstr(verbs.err, "holds no run"));
    nights_make(&(struct nights){.seed = 1, .nights = 1, .judged = true}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_NOTHING);
    nights_make(&(struct nights){.seed = 1, .nights = 2, .judged = true}, verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_PASS); /* two runs compare their bits */
    nights_make(&(struct nights){.seed = 1, .nights = 2, .judged = true, .no_bench = true, .digest_night = 2},
                verbs.db);
    assert_int_equal(CALL_PLAIN(), EXIT_FAILED);
}

static void test_output(void **state)
{
    (void)state;
    char path[160];
    nights_make(&(struct nights){.seed = 1}, verbs.db);
    snprintf(path, sizeof path, "%s/text", verbs.folder);
    assert_int_equal(CALL("--out", path), EXIT_PASS);
    says("/text/history.md\n");
    snprintf(path, sizeof path, "%s/text/history.md", verbs.folder);
    assert_int_equal(access(path, R_OK), 0);
    assert_int_equal(CALL("--markdown", "/nonexistent/x.md"), EXIT_ERROR);
    assert_non_null(strstr(verbs.err, "/nonexistent/x.md"));
}

/* ---- how well: a small edition of long_history ---- */

static void test_found_in_time(void **state)
{
    (void)state;
    enum { SEEDS = 20, STEP = 35, NIGHTS = 5 };
    int found = 0, alarms = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        nights_make(
            &(struct nights){
                .seed = seed, .cells = 1, .nights = STEP + NIGHTS - 1, .step_night = STEP, .step = 0.03},
            verbs.db);
        found += CALL_PLAIN() == EXIT_FAILED && strstr(verbs.out, "| slower |") != NULL;
        struct nights calm = {.seed = seed + 1000, .cells = 1};
        struct history_point point[60] = {{0}};
        struct history_finding finding[121];
        double y[60];
        size_t count;
        bool alarm = false;
        nights_series(&calm, 0, y);
        for (size_t i = 0; i < 60; i++) point[i] = (struct history_point){.day = (double)i, .y = y[i]};
        for (size_t nights = 1; nights <= 60; nights++) {
            assert_int_equal(history_series(point, nights, log(1.01), finding, &count, NULL), ASSAY_OK);
            for (size_t i = 0; i < count; i++) alarm |= finding[i].change > 0;
        }
        alarms += alarm;
    }
    print_message("a step of 3 %% found within %d nights: %d of %d; false alarms: %d of %d\n", NIGHTS, found,
                  SEEDS, alarms, SEEDS);
    assert_true(found >= SEEDS - 2);
    assert_true(alarms <= 1);
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_quiet, setup, teardown),
        cmocka_unit_test_setup_teardown(test_step, setup, teardown),
        cmocka_unit_test_setup_teardown(test_spike, setup, teardown),
        cmocka_unit_test_setup_teardown(test_drift, setup, teardown),
        cmocka_unit_test_setup_teardown(test_digest, setup, teardown),
        cmocka_unit_test_setup_teardown(test_verdicts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two_cards, setup, teardown),
        cmocka_unit_test_setup_teardown(test_causes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_choosing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_json, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hostile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_little, setup, teardown),
        cmocka_unit_test_setup_teardown(test_output, setup, teardown),
        cmocka_unit_test_setup_teardown(test_found_in_time, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
