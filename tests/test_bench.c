/* The verb bench: what it sees through in an engine with scripted times, and real timings of the CPU and the software
 * renderer. */
#include "tests/verbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENGINE TEST_BUILD "/tests/stub_bench.so"
#define CASE   "matmul/f32/m=5,n=6,k=20/fill=normal/seed=1"
#define OTHER  "matmul/f32/m=7,n=3,k=31/fill=normal/seed=2"

static void says(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' does not say '%s'", text, part);
}

static int64_t rows(const struct verbs *verbs, const char *where)
{
    char sql[400];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM bench WHERE %s", where);
    return verbs_number(verbs, sql);
}

static int call_script(struct verbs *verbs, const char *script, const char *lane)
{
    const char *const words[] = {"bench",         CASE,       "--engine",  ENGINE,   "--engine-args",
                                 script,          "--device", "stub:0",    "--lane", lane,
                                 "--invocations", "2",        "--timeout", "20",     NULL};
    return verbs_call(verbs, words);
}

/* ---- scripted times ---- */

static void test_scripts(void **state)
{
    static const struct {
        const char *script, *verdict, *says;
        int code;
        int64_t rows;
    } table[] = {
        {"steady", "PASS", "", EXIT_PASS, 2},
        {"capped", "PASS", "", EXIT_PASS, 2},
        {"sometimes", "PASS", "", EXIT_PASS, 2},
        {"nomeasure", "PASS", "", EXIT_PASS, 2},
        {"fastwrong", "DIFF", "timed outputs are not the judged one", EXIT_FAILED, 2},
        {"silent", "DIFF", "timed outputs are not the judged one", EXIT_FAILED, 2},
        {"nondet", "NONDET", "timed outputs are not the judged one", EXIT_FAILED, 2},
        {"unstable", "INCONCLUSIVE", "unstable", EXIT_NOTHING, 2},
        {"throttled", "INCONCLUSIVE", "set aside, by rule throttle", EXIT_NOTHING, 2},
        {"clocks", "INCONCLUSIVE", "set aside, by rule clock", EXIT_NOTHING, 2},
        {"impossible", "INCONCLUSIVE", "set aside, by rule impossible", EXIT_NOTHING, 2},
        {"upload", "ERROR", "copies between host and device lie inside timed spans", EXIT_ERROR, 2},
        {"noclock", "ERROR", "it has no clock", EXIT_ERROR, 2},
        {"error", "ERROR", "launch failed (-1)", EXIT_ERROR, 2},
        {"crash", "ERROR", "the worker crashed during a timed run", EXIT_ERROR, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct verbs verbs;
        char where[64];
        verbs_begin(&verbs);
        const int code = call_script(&verbs, table[i].script, "hot");
        if (code != table[i].code) fail_msg("%s: exit %d: %s%s", table[i].script, code, verbs.out, verbs.err);
        snprintf(where, sizeof where, "verdict = '%s'", table[i].verdict);
        if (rows(&verbs, where) != table[i].rows || rows(&verbs, "1") != table[i].rows)
            fail_msg("%s: %s", table[i].script, verbs.out);
        says(verbs_text(&verbs, "SELECT reason FROM bench"), table[i].says);
        assert_int_equal(verbs_number(&verbs, "SELECT exit_code FROM run"), table[i].code);
        /* Only what passed is a timing that others may compare. */
        assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM timing"),
                         strcmp(table[i].verdict, "PASS") == 0 ? table[i].rows : 0);
        verbs_end(&verbs);
    }
}

/* What is stored beside a time. */
static void test_record(void **state)
{
    struct verbs verbs;
    (void)state;
    verbs_begin(&verbs);
    assert_int_equal(call_script(&verbs, "sometimes", "both"), EXIT_PASS);
    assert_int_equal(rows(&verbs, "1"), 4);
    assert_int_equal(rows(&verbs, "lane = 'cold' AND median_ns > 1.9e7 AND count >= 10 AND warmups >= 3"), 2);
    assert_int_equal(rows(&verbs, "lane = 'hot' AND median_ns < 1.1e7 AND calls = 1"), 2);
    assert_int_equal(rows(&verbs, "host_record_ns = 1000 AND host_submit_ns = 2000 AND dispatches = 1"), 4);
    assert_int_equal(rows(&verbs, "launch_ns = 2500 AND transfers = 0 AND points = 5 * 20 + 20 * 6"), 4);
    assert_int_equal(rows(&verbs, "bytes = 4 * (5 * 20 + 20 * 6 + 5 * 6) AND flops = 2 * 5 * 6 * 20"), 4);
    /* 1,000 bytes at 1e9 a second cold, 4e9 hot. */
    assert_int_equal(rows(&verbs, "lane = 'cold' AND abs(roofline * median_ns - 1000) < 1e-6"), 2);
    assert_int_equal(rows(&verbs, "lane = 'hot' AND abs(roofline * median_ns - 250) < 1e-6"), 2);
    assert_int_equal(rows(&verbs, "rejected = 1 AND reason = ''"), 2); /* the tenth sample of each process */
    assert_int_equal(verbs_number(&verbs,
                                  "SELECT count(*) FROM bench_sample s JOIN bench b USING (bench_id) WHERE"
                                  " s.digest = b.digest AND s.temperature_c = 61.5 AND s.power_w = 300 AND"
                                  " clock_before_mhz = 1500 AND clock_after_mhz = 1500"),
                     verbs_number(&verbs, "SELECT sum(count) FROM bench"));
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM bench_sample WHERE rejected = 'throttle' AND"
                                          " throttle = 32"),
                     2);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM ceiling"), 10);
    verbs_end(&verbs);
}

/* A kernel that is wrong is not timed, however fast; another one beside it is. */
static void test_wrong_kernel(void **state)
{
    struct verbs verbs;
    const char *const words[] = {"bench", CASE,       "--engine", ENGINE,          "--kernel", "*", "--lane",
                                 "hot",   "--device", "stub:0",   "--invocations", "2",        NULL};
    (void)state;
    verbs_begin(&verbs);
    assert_int_equal(verbs_call(&verbs, words), EXIT_FAILED);
    assert_int_equal(rows(&verbs, "verdict = 'DIFF' AND count = 0 AND median_ns IS NULL"), 1);
    assert_int_equal(rows(&verbs, "verdict = 'PASS'"), 4);
    assert_string_equal(verbs_text(&verbs, "SELECT name FROM bench JOIN kernel USING (kernel_id) WHERE"
                                           " verdict = 'DIFF'"),
                        "matmul.stub.wrong.exact");
    says(verbs.out, "not timed");
    verbs_end(&verbs);
}

/* Kernels meet as A B B A: processes go through the cells forwards and backwards in turn. */
static void test_order(void **state)
{
    struct verbs verbs;
    const char *const words[] = {"bench",  CASE,      OTHER,      "--engine", ENGINE,
                                 "--lane", "hot",     "--device", "stub:0",   "--invocations",
                                 "2",      "--label", "night 1",  NULL};
    (void)state;
    verbs_begin(&verbs);
    assert_int_equal(verbs_call(&verbs, words), EXIT_PASS);
    assert_string_equal(verbs_text(&verbs, "SELECT label FROM run"), "night 1");
    assert_string_equal(verbs_text(&verbs,
                                   "SELECT group_concat(substr(line, 12, 3)) FROM (SELECT line FROM bench"
                                   " JOIN op_case USING (case_id) ORDER BY bench_id)"),
                        "m=5,m=7,m=7,m=5");
    verbs_end(&verbs);
}

static int call_ab(struct verbs *verbs, const char *a, const char *b)
{
    const char *const words[] = {"bench", CASE, "--engine", ENGINE,   "--lane", "hot", "--ab",
                                 a,       b,    "--device", "stub:0", "--json", NULL};
    return verbs_call(verbs, words);
}

static void test_ab(void **state)
{
    struct verbs verbs;
    (void)state;
    verbs_begin(&verbs);
    assert_int_equal(call_ab(&verbs, "matmul.stub.fast.exact", "matmul.stub.slow.exact"), EXIT_PASS);
    assert_int_equal(rows(&verbs, "side = 'A' AND invocation <= 4"), 4);
    assert_int_equal(rows(&verbs, "side = 'B' AND invocation <= 4"), 4);
    assert_string_equal(verbs_text(&verbs,
                                   "SELECT group_concat(side, '') FROM (SELECT side FROM bench ORDER BY"
                                   " bench_id)"),
                        "ABBAABBA");
    json_t *root = json_loads(verbs.out, 0, NULL);
    const json_t *pair = json_array_get(json_object_get(root, "ab"), 0);
    const double ratio = json_number_value(json_object_get(pair, "ratio"));
    assert_true(ratio > 1.49 && ratio < 1.51);
    assert_true(json_is_true(json_object_get(pair, "claimable")));
    json_decref(root);
    verbs_end(&verbs);

    /* The same on both sides: within the noise. */
    verbs_begin(&verbs);
    assert_int_equal(call_ab(&verbs, "default", "threads=2"), EXIT_PASS);
    root = json_loads(verbs.out, 0, NULL);
    pair = json_array_get(json_object_get(root, "ab"), 0);
    assert_true(json_is_false(json_object_get(pair, "claimable")));
    json_decref(root);
    verbs_end(&verbs);

    /* Other answers: nothing is timed. */
    verbs_begin(&verbs);
    assert_int_equal(call_ab(&verbs, "matmul.stub.fast.exact", "matmul.stub.wrong.exact"), EXIT_FAILED);
    assert_int_equal(rows(&verbs, "count > 0"), 0);
    says(verbs.err, "A and B have different answers");
    verbs_end(&verbs);

    verbs_begin(&verbs);
    assert_int_equal(call_ab(&verbs, "default", "fmaa=native"), EXIT_ERROR);
    says(verbs.err, "'fmaa=native' is no kernel of this engine and no setting");
    verbs_end(&verbs);

    verbs_begin(&verbs);
    const char *const one[] = {"bench", CASE, "--engine", ENGINE, "--ab", "default", "--quiet", NULL};
    assert_int_equal(verbs_call(&verbs, one), EXIT_ERROR);
    says(verbs.err, "--ab needs two words behind it: A B");
    verbs_end(&verbs);
}

/* An engine without the entries: repeats of its run, in the hot lane, and said so; or nothing. */
static void test_old_engine(void **state)
{
    static const char *const tables[] = {"old", "small"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct verbs verbs;
        setenv("STUB_BENCH_TABLE", tables[i], 1);
        verbs_begin(&verbs);
        assert_int_equal(call_script(&verbs, "steady", "both"), EXIT_PASS);
        assert_int_equal(rows(&verbs,
                              "lane = 'hot' AND verdict = 'PASS' AND host_record_ns IS NULL AND roofline IS"
                              " NULL AND median_ns = 1e7"),
                         2);
        assert_int_equal(rows(&verbs, "lane = 'cold'"), 0);
        says(verbs_text(&verbs, "SELECT reason FROM bench"), "repeats of its run()");
        says(verbs.err, "no cold lane");
        verbs_end(&verbs);
        verbs_begin(&verbs);
        assert_int_equal(call_script(&verbs, "steady", "cold"), EXIT_NOTHING);
        says(verbs.out, "the engine has no entry for timed samples");
        verbs_end(&verbs);
        unsetenv("STUB_BENCH_TABLE");
    }
}

/* ---- interruption ---- */

static void *interrupt(void *context)
{
    const struct verbs *verbs = context;
    for (int waited = 0; waited < 2000; waited++) {
        usleep(5000);
        sqlite3 *db = NULL;
        sqlite3_stmt *statement = NULL;
        bool some = false;
        if (access(verbs->db, F_OK) == 0 &&
            sqlite3_open_v2(verbs->db, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(db, "SELECT count(*) FROM bench", -1, &statement, NULL) == SQLITE_OK &&
            sqlite3_step(statement) == SQLITE_ROW)
            some = sqlite3_column_int64(statement, 0) >= 2;
        sqlite3_finalize(statement);
        sqlite3_close(db);
        if (!some) continue;
        kill(getpid(), SIGINT);
        return NULL;
    }
    return NULL;
}

static void test_interrupt(void **state)
{
    struct verbs verbs;
    pthread_t thread;
    const char *const words[] = {"bench",    CASE,     "--engine",      ENGINE, "--lane", "hot",
                                 "--device", "stub:0", "--invocations", "1000", NULL};
    (void)state;
    verbs_begin(&verbs);
    assert_int_equal(pthread_create(&thread, NULL, interrupt, &verbs), 0);
    assert_int_equal(verbs_call(&verbs, words), EXIT_ERROR);
    pthread_join(thread, NULL);
    says(verbs_text(&verbs, "SELECT reason FROM run"), "interrupted");
    const int64_t kept = rows(&verbs, "verdict = 'PASS'");
    assert_true(kept >= 2 && kept < 1000);
    assert_int_equal(rows(&verbs, "verdict <> 'PASS'"), 0);
    says(verbs.out, CASE);
    verbs_end(&verbs);
}

/* ---- real devices ---- */

/* `rows_wanted` is 4 an invocation: two cases, two lanes. */
static void time_device(const char *device, const char *invocations, int rows_wanted)
{
    struct verbs verbs;
    const char *const words[] = {"bench",
                                 CASE,
                                 "matmul/f32/m=33,n=17,k=65/fill=normal/seed=1",
                                 "--device",
                                 device,
                                 "--allow-software",
                                 "--invocations",
                                 invocations,
                                 "--seconds",
                                 "1",
                                 "--json",
                                 NULL};
    verbs_begin(&verbs);
    const int code = verbs_call(&verbs, words);
    /* A busy machine may be too noisy for a verdict; it is never wrong. */
    if (code != EXIT_PASS && code != EXIT_NOTHING)
        fail_msg("%s: exit %d: %s%s", device, code, verbs.out, verbs.err);
    assert_int_equal(rows(&verbs, "1"), rows_wanted);
    assert_int_equal(rows(&verbs,
                          "verdict IN ('PASS', 'INCONCLUSIVE') AND median_ns > 0 AND min_ns <= median_ns AND"
                          " q1_ns <= q3_ns AND roofline > 0 AND launch_ns > 0 AND dispatches = 1"),
                     rows_wanted);
    assert_int_equal(rows(&verbs, "host_record_ns > 0 AND host_submit_ns > 0 AND host_other_ns > 0"),
                     rows_wanted);
    assert_int_equal(
        verbs_number(&verbs, "SELECT count(DISTINCT s.digest) FROM bench_sample s JOIN bench USING (bench_id)"
                             " GROUP BY case_id"),
        1);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM ceiling WHERE value > 0"),
                     5 * rows_wanted / 4);
    json_t *root = json_loads(verbs.out, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(root, "rows")), 4);
    json_decref(root);
    verbs_end(&verbs);
}

static void test_cpu(void **state)
{
    (void)state;
    time_device("cpu", "2", 8);
}

static void test_software_renderer(void **state)
{
    (void)state;
    time_device("vulkan:0", "1", 4);
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_wrong_kernel),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_ab),
        cmocka_unit_test(test_old_engine),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_software_renderer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
