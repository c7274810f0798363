/* Plots: what stands in their data, that names stay data, that gnuplot draws them, and what a report says without it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/store.h"
#include "reports/pick.h"
#include "reports/plot.h"
#include "reports/plot_history.h"
#include "reports/report.h"
#include "reports/report_functions.h"
#include "tests/db_fixture.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char assay_blob_reports_report_sql[], assay_blob_reports_report_time_sql[],
    assay_blob_reports_plot_sql[];

#define NIGHTS   10
#define SLOW     7 /* from this night on */
#define SLOWDOWN 1.20

struct place {
    char folder[64], db[96];
};

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    snprintf(place->folder, sizeof place->folder, "/tmp/assay-test-plot-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->db, sizeof place->db, "%s/a.db", place->folder);
    *state = place;
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place->folder);
    assert_int_equal(system(command), 0);
    free(place);
    return 0;
}

/* Nights of one bench cell, 2 % of noise, slower by a fifth from one on; the kernel has a hostile name. */
static void nights(const char *path)
{
    struct store *store = NULL;
    struct assay_error error = {0};
    char sql[2400];
    assert_int_equal(store_open(path, false, &store, &error), ASSAY_OK);
    store_close(store);
    db_execute(
        path,
        "INSERT INTO device (device_id, key, backend, driver, name, api, kind, software, info) VALUES "
        "(1, 'K', 'cuda', '580', 'card', '', 'discrete', 0, '{}');"
        "INSERT INTO op_case VALUES (1, 'matmul/f32/m=64,n=64,k=64/fill=normal/seed=1', 'matmul', 'f32', "
        "'normal', 524288)");
    snprintf(sql, sizeof sql,
             "INSERT INTO kernel VALUES (1, '%s', 'aaaa', 'native', 'MatMul', 'cuda', 't', 'exact', 'f32')",
             "a `touch ran` \"); system(''touch ran'') | <b>&amp; {/*9 x}^2 _y_ \xf0\x9f\x94\xa5");
    db_execute(path, sql);
    for (int night = 1; night <= NIGHTS; night++) {
        const double noise = 1 + 0.02 * (night * 7919 % 11 - 5) / 5.0 * 0.5;
        snprintf(
            sql, sizeof sql,
            "INSERT INTO run (run_id, key, started_utc, ended_utc, verb, command, level, engine, "
            "engine_version, "
            "revision, compiler, flags, host, corpus_hash, settings, planned, exit_code, reason) VALUES (%d, "
            "printf('%%032x', %d), '2026-01-%02dT01:00:00.000Z', '2026-01-%02dT02:00:00.000Z', 'bench', 'b', "
            "'quick', 'assay', '0', '', '', '', '', '0', '{}', 1, 0, '');"
            "INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why, probe) "
            "VALUES "
            "(%d, 1, 'cuda:0', 1, '', '', '', '{}');"
            "INSERT INTO plan VALUES (%d, 1, 1, 1, '', 'why', 'x');"
            "INSERT INTO result SELECT NULL, %d, 1, 1, 1, 'PASS', NULL, 'EXACT', 'contract', 1, 4096, 4096, "
            "0, '', '', "
            "'', 0.0, 1.5e-7, 1e-8, 1.5, 0.5, NULL, NULL, 'd', NULL, NULL, 1, '', '', '';"
            "INSERT INTO bench (run_id, device_id, case_id, kernel_id, lane, side, invocation, warmups, "
            "calls, "
            "count, rejected, median_ns, mad_ns, q1_ns, q3_ns, min_ns, dispatches, flops, bytes, roofline, "
            "digest, "
            "verdict, reason, recorded_utc) VALUES (%d, 1, 1, 1, 'hot', '', 1, 1, 1, 20, 0, %.6f, 10, 1, 1, "
            "1, 1, "
            "524288, 49152, 0.5, 'd', 'PASS', '', '')",
            night, night, night, night, night, night, night, night,
            1000 * noise * (night >= SLOW ? SLOWDOWN : 1));
        db_execute(path, sql);
    }
}

static sqlite3 *prepared(const char *path, struct query_source *source, struct assay_error *error)
{
    sqlite3 *db = NULL;
    assert_int_equal(pick_open(path, NULL, &db, error), ASSAY_OK);
    assert_int_equal(markdown_register(db, error), ASSAY_OK);
    assert_int_equal(report_functions_register(db, error), ASSAY_OK);
    *source = (struct query_source){.db = db, .path = path, .error = error};
    const char *const files[] = {assay_blob_reports_report_sql, assay_blob_reports_report_time_sql,
                                 assay_blob_reports_plot_sql};
    for (int i = 0; i < 3; i++) {
        source->file = files[i];
        if (query_run(source, "prepare") != ASSAY_OK) fail_msg("%s", error->text);
    }
    return db;
}

/* Row R06: ten runs; the planted slowdown is marked, at its night and nowhere else. */
static void test_history(void **state)
{
    struct place *place = *state;
    struct assay_error error = {0};
    struct query_source source;
    struct text data = {0};
    int series = 0, points = 0;
    nights(place->db);
    sqlite3 *db = prepared(place->db, &source, &error);
    if (plot_history(&source, &data, &series) != ASSAY_OK) fail_msg("%s", error.text);
    assert_int_equal(series, 1);
    assert_true(strncmp(data.data, "\n\n\"", 3) == 0);
    const char *line = strchr(data.data + 2, '\n') + 1;
    for (; line && *line; line = strchr(line, '\n') + 1) {
        double position, run, ratio, changed, other, wrong;
        assert_int_equal(
            sscanf(line, "%lf %lf %lf %lf %lf %lf", &position, &run, &ratio, &changed, &other, &wrong), 6);
        points++;
        assert_true(position == points && run == points && ratio > 0.7 && ratio < 1.3);
        if (isnan(changed) != (points != SLOW)) fail_msg("night %d: %s", points, line);
        assert_true(isnan(other));
    }
    assert_int_equal(points, NIGHTS);
    text_free(&data);
    sqlite3_close(db);
}

static bool exists(const struct place *place, const char *name)
{
    char path[160];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    return stat(path, &info) == 0 && info.st_size > 0;
}

static char *content(const struct place *place, const char *name)
{
    char path[160];
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    return db_file(path);
}

static void expect_in(const char *text, const char *words)
{
    if (!strstr(text, words)) fail_msg("'%s' is not in:\n%.3000s", words, text);
}

/* Every kind is drawn in both formats; names are shown as they are, and nothing in them is run. */
static void test_pictures(void **state)
{
    static const char *const names[] = {"error-matmul", "ulp", "time-cuda-0", "history"};
    struct place *place = *state;
    struct assay_error error = {0};
    const struct report_options options = {.folder = place->folder, .plots = "all"};
    char command[256], name[64];
    nights(place->db);
    if (report_write(place->db, &options, &error) != ASSAY_OK) fail_msg("%s", error.text);
    char *report = content(place, "report.md");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(name, sizeof name, "%s.png", names[i]);
        if (!exists(place, name)) fail_msg("%s: %s", name, strstr(report, "## Plots"));
        char *png = content(place, name);
        assert_memory_equal(png, "\x89PNG", 4);
        free(png);
        snprintf(name, sizeof name, "](%s.svg)", names[i]);
        expect_in(report, name);
        snprintf(command, sizeof command, "xmllint --noout '%s/%s.svg'", place->folder, names[i]);
        assert_int_equal(system(command), 0);
    }
    char *svg = content(place, "time-cuda-0.svg");
    expect_in(svg, "a `touch ran` '); system('touch ran') | &lt;b>&amp;amp; {/*9 x}^2 _y_ \xf0\x9f\x94\xa5");
    free(svg);
    free(report);
    assert_int_equal(access("ran", F_OK), -1);
    assert_false(exists(place, "ran"));
    snprintf(command, sizeof command, "test -z \"$(ls -A '%s' | grep plots)\"", place->folder);
    assert_int_equal(system(command), 0);
}

static void test_formats(void **state)
{
    struct place *place = *state;
    struct assay_error error = {0};
    struct report_options options = {.folder = place->folder, .plots = "none"};
    nights(place->db);
    assert_int_equal(report_write(place->db, &options, &error), ASSAY_OK);
    assert_true(exists(place, "report.md"));
    assert_false(exists(place, "ulp.svg") || exists(place, "ulp.png"));
    options.plots = "png";
    assert_int_equal(report_write(place->db, &options, &error), ASSAY_OK);
    assert_true(exists(place, "ulp.png"));
    assert_false(exists(place, "ulp.svg"));
    char *report = content(place, "report.md");
    expect_in(report, "](ulp.png)");
    free(report);
}

/* Without gnuplot there is a report, and it says why it has no plots. */
static void test_without_gnuplot(void **state)
{
    struct place *place = *state;
    struct assay_error error = {0};
    const struct report_options options = {.folder = place->folder, .plots = "svg"};
    nights(place->db);
    char *path = strdup(getenv("PATH"));
    setenv("PATH", place->folder, 1);
    enum assay_status status = report_write(place->db, &options, &error);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(status, ASSAY_OK);
    char *report = content(place, "report.md");
    expect_in(report, "There are no plots: gnuplot is not installed (Debian's package gnuplot-nox).");
    assert_null(strstr(report, ".svg)"));
    free(report);
    assert_false(exists(place, "ulp.svg"));
}

static void test_run(void **state)
{
    struct place *place = *state;
    char why[256] = "", path[160];
    snprintf(path, sizeof path, "%s/bad.gp", place->folder);
    FILE *file = fopen(path, "w");
    fputs("set no such thing\n", file);
    fclose(file);
    assert_false(plot_run("gnuplot", place->folder, "bad.gp", why));
    expect_in(why, "gnuplot ended with exit code 1: ");
    assert_false(plot_run("gnuplot", "/nonexistent", "bad.gp", why));
    assert_false(plot_run("no-such-gnuplot", place->folder, "bad.gp", why));
    expect_in(why, "no-such-gnuplot is not installed");
}

static void test_names(void **state)
{
    (void)state;
    static const char *const slugs[][2] = {
        {"cuda:0", "cuda-0"},
        {"", "x"},
        {"../../etc/passwd", "etc-passwd"},
        {"\xf0\x9f\x94\xa5", "x"},
        {"Q1_0", "q1-0"},
        {"0123456789012345678901234567890123456789-more", "0123456789012345678901234567890123456789"},
    };
    static const char *const quotes[][2] = {
        {"a", "\"a\""},
        {"a\"b\\c\n", "\"a'b/c/x0a\""},
        {"\xf0\x9f\x94\xa5\xff", "\"\xf0\x9f\x94\xa5/xff\""},
        {"", "\"\""},
    };
    for (size_t i = 0; i < sizeof slugs / sizeof slugs[0]; i++) {
        char slug[41];
        plot_slug(slugs[i][0], slug);
        assert_string_equal(slug, slugs[i][1]);
    }
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
        struct text text = {0};
        plot_quote(&text, quotes[i][0]);
        assert_string_equal(text.data, quotes[i][1]);
        text_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_history, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pictures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_formats, setup, teardown),
        cmocka_unit_test_setup_teardown(test_without_gnuplot, setup, teardown),
        cmocka_unit_test_setup_teardown(test_run, setup, teardown),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
