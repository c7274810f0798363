/* A dashboard of 100,000 results stays responsive in a real browser, and one of a million is written in tens of seconds.
 * The limits are for a machine that does much else at the time; what was measured is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/dashboard.h"
#include "tests/dashboard_browser.h"
#include "tests/db_fixture.h"
#include "tests/nights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define WRITE_S   120 /* a million results; the process alone takes about 10 s of processor time */
#define LOAD_MS   15000
#define FILTER_MS 1000 /* from a key to the rows that match */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* `runs` runs of `cases` cases by `kernels` kernels on one card; one result in a thousand differs. */
static void database(const char *path, int runs, int cases, int kernels)
{
    char *sql = NULL;
    nights_empty(path, NULL);
    assert_true(
        asprintf(
            &sql,
            "PRAGMA synchronous = OFF; BEGIN;"
            "CREATE TEMP TABLE n (i INTEGER PRIMARY KEY); INSERT INTO n WITH RECURSIVE c(i) AS (SELECT 0 "
            "UNION ALL SELECT i + 1 FROM c WHERE i + "
            "1 < "
            "max(%1$d, %2$d, %3$d)) SELECT i FROM c;"
            "INSERT INTO device (key, backend, driver, name, api, kind, uuid, software, info) VALUES "
            "('GPU-1', "
            "'cuda', 'NVIDIA 580.1', 'NVIDIA H200', '', 'discrete', 'GPU-1', 0, '{}');"
            "INSERT INTO kernel (kernel_id, name, hash, variant, op, backend, technique, mode, dtype) SELECT "
            "i + 1, "
            "'matmul.cuda.tile' || i || '.exact', printf('%%016x', i), 'native', 'matmul', 'cuda', 't', "
            "'exact', "
            "'f32' FROM n WHERE i < %3$d;"
            "INSERT INTO op_case (case_id, line, op, dtype, fill, flops) SELECT i + 1, "
            "printf('op%%d/f32/m=%%d,n=%%d/"
            "fill=normal/seed=%%x', i %% 6, i %% 97 + 1, i %% 31 + 1, i), 'op' || (i %% 6), 'f32', 'normal', "
            "100 FROM n "
            "WHERE i < %2$d;"
            "INSERT INTO run (run_id, key, started_utc, ended_utc, verb, command, level, engine, "
            "engine_version, "
            "revision, compiler, flags, host, corpus_hash, settings, planned, exit_code, reason, label) "
            "SELECT i + 1, "
            "printf('%%032x', i + 1), strftime('%%Y-%%m-%%dT00:00:00.000Z', '2026-01-01', '+' || i || ' "
            "days'), "
            "'2026-12-31T00:00:00.000Z', 'run', 'assay run', 'full', 'assay', '0', 'r', 'gcc', '', 'host', "
            "'0', '{}', "
            "%2$d * %3$d, 0, '', 'night-' || i FROM n WHERE i < %1$d;"
            "INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) "
            "SELECT i + 1, "
            "1, 'cuda:0', 1, '', 'native', '', '{}' FROM n WHERE i < %1$d;"
            "INSERT INTO plan SELECT r.i + 1, c.i * %3$d + k.i, c.i + 1, 1, 'matmul.cuda.tile' || k.i || "
            "'.exact', "
            "'why', 'x.cases:1' FROM n r, n c, n k WHERE r.i < %1$d AND c.i < %2$d AND k.i < %3$d;"
            "INSERT INTO result (run_id, seq, attempt, kernel_id, verdict, rung, oracle, oracle_version, "
            "elems, judged, "
            "differing, first_index, got, want, max_ulp, digest, median_ns, wall_ns, reason, repro, "
            "recorded_utc) "
            "SELECT p.run_id, p.seq, 1, p.seq %% %3$d + 1, CASE (p.run_id * 31 + p.seq) %% 1000 WHEN 7 THEN "
            "'DIFF' ELSE "
            "'PASS' END, 'EXACT', 'contract', 1, 4, 4, (p.run_id * 31 + p.seq) %% 1000 = 7, '', '', '', 0.0, "
            "printf('%%032x', p.case_id), 100000 + p.seq %% 7919 * 13 + p.run_id %% 5, 1000, '', 'assay "
            "replay ''x''', "
            "'2026' FROM plan p; DROP TABLE n; COMMIT;",
            runs, cases, kernels) > 0);
    db_execute(path, sql);
    free(sql);
}

static void write_pages(char folder[64], int runs, int cases, int kernels, struct dashboard_counts *counts)
{
    char db[96];
    struct assay_error error = {0};
    strcpy(folder, "/tmp/assay-test-dashboard-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(db, sizeof db, "%s/a.db", folder);
    database(db, runs, cases, kernels);
    const double start = now_s();
    if (dashboard_write(db, folder, counts, &error) != ASSAY_OK) fail_msg("%s", error.text);
    const double took = now_s() - start;
    print_message("%d results of %d runs: written in %.1f s, %.1f MiB\n", runs * cases * kernels, runs, took,
                  (double)counts->bytes / 1048576);
    assert_true(took < WRITE_S);
    assert_int_equal(counts->points, (int64_t)runs * cases * kernels);
    assert_int_equal(counts->cells, (int64_t)cases * kernels);
}

static void remove_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static double measured(struct browser *browser, const char *what, const char *expression, double limit)
{
    char *text = browser_value(browser, expression);
    const double ms = strtod(text, NULL);
    print_message("%s: %.0f ms\n", what, ms);
    if (!(ms < limit)) fail_msg("%s took %s, not below %.0f ms", what, text, limit);
    free(text);
    return ms;
}

/* Sets the field, and gives the time until the number of matches is another and has been painted. */
#define FILTER(name, value, matches)                                                                         \
    "new Promise((done, fail) => {"                                                                          \
    " const field = document.querySelector('[name=" name                                                     \
    "]'), status = document.querySelector('[role=status]'),"                                                 \
    "  start = performance.now();"                                                                           \
    " field.value = '" value "'; field.dispatchEvent(new Event('input', {bubbles: true}));"                  \
    " const look = () => status.textContent.startsWith('" matches " of')"                                    \
    "  ? done(performance.now() - start) : performance.now() - start > 20000 ? fail(status.textContent)"     \
    "  : requestAnimationFrame(look);"                                                                       \
    " look(); })"

static void test_responsive(void **state)
{
    struct browser *browser = browser_start();
    struct dashboard_counts counts;
    char folder[64], page[96];
    (void)state;
    if (!browser) skip();
    write_pages(folder, 1, 50000, 2, &counts);
    browser_look(browser, 1280, 900, false);
    snprintf(page, sizeof page, "%s/cells.html", folder);
    const double start = now_s();
    browser_open(browser, page);
    const double load_ms = 1e3 * (now_s() - start);
    print_message("100,000 cells loaded: %.0f ms\n", load_ms);
    assert_true(load_ms < LOAD_MS);
    measured(browser, "search for a word", FILTER("q", "seed=c34", "34"), FILTER_MS);
    measured(browser, "search cleared", FILTER("q", "", "100,000"), FILTER_MS);
    measured(browser, "failures alone", FILTER("outcome", "1", "100"), FILTER_MS);
    measured(browser, "one operator of those", FILTER("op", "op2", "34"), FILTER_MS);
    measured(browser, "every operator and outcome", FILTER("outcome", "", "16,666"), FILTER_MS);
    measured(browser, "all again", FILTER("op", "", "100,000"), FILTER_MS);
    measured(browser, "sorted by time",
             "(() => { const start = performance.now();"
             " [...document.querySelectorAll('th button')].find(b => b.textContent === 'time').click();"
             " document.body.offsetHeight; return performance.now() - start; })()",
             FILTER_MS);
    /* Only the rows of one page are elements. */
    measured(browser, "elements", "document.querySelectorAll('*').length", 2000);
    free(browser_value(browser, "document.querySelector('tbody a').click()"));
    browser_await(browser, "location.pathname.endsWith('/cell.html') && document.readyState === 'complete'"
                           " && document.body.dataset.ready === '1'");
    assert_string_equal(browser_complaints(browser), "");
    browser_stop(browser);
    remove_folder(folder);
}

static void test_million(void **state)
{
    struct dashboard_counts counts;
    char folder[64];
    (void)state;
    write_pages(folder, 60, 4167, 4, &counts);
    assert_true(counts.bytes < INT64_C(80) << 20);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_responsive),
        cmocka_unit_test(test_million),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
