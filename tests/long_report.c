/* How long a report takes: of sixty nights that have a million results, and of one run with a hundred thousand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/clock.h"
#include "reports/report.h"
#include "tests/db_fixture.h"
#include "tests/nights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NIGHTS = 60, CELLS = 16667, LIMIT_S = 10 };

static char folder[64], path[96];

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/assay-long-report-XXXXXX");
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

/* The report with its plots, in time; its text. */
static char *report(const char *what)
{
    struct assay_error error = {0};
    const struct report_options options = {.folder = folder, .plots = "svg"};
    char file[96];
    const uint64_t start = clock_now_ns();
    if (report_write(path, &options, &error) != ASSAY_OK) fail_msg("%s", error.text);
    const double seconds = (double)(clock_now_ns() - start) / 1e9;
    snprintf(file, sizeof file, "%s/report.md", folder);
    char *text = db_file(file);
    print_message("%s: report and plots in %.1f s, %zu bytes of text\n", what, seconds, strlen(text));
    if (seconds >= LIMIT_S) fail_msg("%s: %.1f s", what, seconds);
    return text;
}

static void expect_in(const char *text, const char *words)
{
    if (!strstr(text, words)) fail_msg("'%s' is not in the report", words);
}

static void test_nights(void **state)
{
    (void)state;
    nights_make(&(struct nights){.seed = 1,
                                 .nights = NIGHTS,
                                 .cells = CELLS,
                                 .judged = true,
                                 .no_bench = true,
                                 .digest_night = NIGHTS},
                path);
    assert_int_equal(db_number(path, "SELECT count(*) FROM result"), NIGHTS * CELLS);
    db_execute(path, "UPDATE run SET verb = 'verify'");
    char *text = report("60 nights of 16,667 results");
    expect_in(text, "# Assay report: run 60, ");
    expect_in(text, "since run 59: 0 verdicts, 1 digests, ");
    expect_in(text, "](history.svg)");
    free(text);
}

/* One run: ten kernels and ten thousand cases; one in a thousand failed, one in a hundred was skipped. */
static void test_one_run(void **state)
{
    (void)state;
    nights_empty(
        path,
        "INSERT INTO run (run_id, key, started_utc, ended_utc, verb, command, level, engine, engine_version, "
        "revision, "
        "compiler, flags, host, corpus_hash, settings, planned, exit_code, reason) VALUES (1, "
        "'00000000000000000000000000000001', '2026-01-01T00:00:00.000Z', '2026-01-01T10:00:00.000Z', "
        "'verify', 'c', "
        "'full', 'assay', '1', '', '', '', '', '', '{}', 100000, 2, 'x');"
        "INSERT INTO device (device_id, key, backend, driver, name, api, kind, software, info) VALUES "
        "(1, 'A', 'cuda', 'd', 'card', '', 'discrete', 0, '{}'), (2, 'B', 'cpu', 'd', 'cpu', '', 'cpu', 0, "
        "'{}');"
        "INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) VALUES "
        "(1, 1, 'cuda:0', 1, '', 'native', '', '{}'), (1, 2, 'cpu:0', 1, '', 'native', '', '{}');"
        "CREATE TEMP TABLE c AS WITH RECURSIVE c (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM c WHERE i < "
        "9999) "
        "SELECT i FROM c;"
        "CREATE TEMP TABLE k AS SELECT i FROM c WHERE i < 10;"
        "INSERT INTO kernel SELECT i + 1, 'matmul.' || i || '.exact', printf('%016x', i), 'native', "
        "'MatMul', "
        "iif(i % 2, 'cuda', 'cpu'), 't', 'exact', 'f32' FROM k;"
        "INSERT INTO op_case SELECT i + 1, printf('matmul/f32/m=%d,n=%d,k=%d/fill=normal/seed=1', i % 100 + "
        "1, i / 100 + 1, "
        "1 << (i % 14)), 'matmul', 'f32', iif(i % 3, 'normal', 'cancel'), 2.0 * i FROM c;"
        "INSERT INTO plan SELECT 1, c.i * 10 + k.i + 1, c.i + 1, 2 - k.i % 2, 'matmul.' || k.i || '.exact', "
        "'why', 'x:1' "
        "FROM c, k;"
        "INSERT INTO result SELECT NULL, 1, p.seq, 1, iif(p.seq % 101 = 0, NULL, (p.seq - 1) % 10 + 1), "
        "CASE WHEN "
        "p.seq % 101 = 0 THEN 'SKIP' WHEN p.seq % 997 = 0 THEN 'DIFF' ELSE 'PASS' END, NULL, 'EXACT', "
        "'contract', 1, "
        "4096, 4096, 0, '', '', '', 0.0, 1e-7 * (p.seq % 91), 1e-8, p.seq % 300 * 0.1, p.seq % 89 * 0.01, "
        "NULL, NULL, "
        "'d' || p.case_id, 1000 + p.seq % 777, NULL, 5000, '', '', '' FROM plan p");
    assert_int_equal(db_number(path, "SELECT count(*) FROM result"), 100000);
    char *text = report("one run of 100,000 results");
    expect_in(text, "# Assay report: run 1, verify, level full");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nights, setup, teardown),
        cmocka_unit_test_setup_teardown(test_one_run, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
