/* The dashboard: its files, and its pages in a real browser. Tests of pages are skipped where there is no Chromium. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "reports/dashboard.h"
#include "tests/dashboard_browser.h"
#include "tests/db_fixture.h"
#include "tests/nights.h"
#include "tests/verbs.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct browser *browser; /* one for all tests; NULL = there is none */

struct place {
    char folder[64], db[96], out[96];
};

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    snprintf(place->folder, sizeof place->folder, "/tmp/assay-test-dashboard-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->db, sizeof place->db, "%s/a.db", place->folder);
    snprintf(place->out, sizeof place->out, "%s/pages", place->folder);
    assert_int_equal(mkdir(place->out, 0777), 0);
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

static int group_setup(void **state)
{
    (void)state;
    browser = browser_start();
    return 0;
}

static int group_teardown(void **state)
{
    (void)state;
    browser_stop(browser);
    return 0;
}

static struct dashboard_counts written(const struct place *place)
{
    struct dashboard_counts counts;
    struct assay_error error = {0};
    if (dashboard_write(place->db, place->out, &counts, &error) != ASSAY_OK) fail_msg("%s", error.text);
    return counts;
}

static char *page_text(const struct place *place, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", place->out, name);
    return db_file(path);
}

static bool there(const struct place *place, const char *name)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", place->out, name);
    return access(path, F_OK) == 0;
}

/* ---- files ---- */

/* The value that a data file hands over; it must be JSON. */
static json_t *data_value(const struct place *place, const char *name)
{
    char file[64], head[64];
    snprintf(file, sizeof file, "data/%s.js", name);
    snprintf(head, sizeof head, "assay_data(\"%s\",", name);
    char *text = page_text(place, file);
    const size_t length = strlen(text);
    assert_int_equal(strncmp(text, head, strlen(head)), 0);
    assert_string_equal(text + length - 3, ");\n");
    text[length - 3] = '\0';
    json_error_t error;
    json_t *value = json_loads(text + strlen(head), JSON_REJECT_DUPLICATES, &error);
    if (!value) fail_msg("%s: %s in line %d", name, error.text, error.line);
    free(text);
    return value;
}

static void test_files(void **state)
{
    const struct place *place = *state;
    for (int night = 1; night <= 3; night++) db_fixture(place->db, night);
    const struct dashboard_counts counts = written(place);
    assert_int_equal(counts.runs, 3);
    assert_int_equal(counts.devices, 2);
    /* Planned rows once each, whatever their attempts; timings by invocation. */
    assert_int_equal(counts.points, 3 * (DB_FIXTURE_PLANNED + DB_FIXTURE_BENCHES));
    assert_int_equal(counts.failures,
                     3 * (DB_FIXTURE_FAILED + 1)); /* and an error; what did not run says nothing */
    static const char *const files[] = {"index.html",        "cells.html",        "failures.html",
                                        "cell.html",         "dashboard.js",      "dashboard.css",
                                        "dashboard_view.js", "dashboard_pages.js"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) assert_true(there(place, files[i]));
    static const char *const data[] = {"index", "changes", "cells-0", "failures-0"};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) json_decref(data_value(place, data[i]));
    size_t cells = 0;
    for (int digit = 0; digit < 16; digit++) {
        char name[32];
        snprintf(name, sizeof name, "history-%x", digit);
        json_t *value = data_value(place, name), *cell;
        const char *hash;
        json_object_foreach(value, hash, cell)
        {
            cells++;
            assert_int_equal(strlen(hash), 16);
            assert_int_equal(hash[0], name[8]);
        }
        json_decref(value);
    }
    assert_int_equal(cells, counts.cells);
    /* No markup of a name reaches a file as markup, and pages name no other place. */
    char *text = page_text(place, "data/cells-0.js");
    assert_null(strchr(text, '<'));
    free(text);
    text = page_text(place, "index.html");
    assert_null(strstr(text, "http://"));
    assert_null(strstr(text, "https://"));
    assert_non_null(
        strstr(text, "Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'"));
    free(text);
}

static void test_again(void **state)
{
    const struct place *place = *state;
    char path[200];
    db_fixture(place->db, 1);
    written(place);
    /* Data of an earlier dashboard with more files goes, what is not ours stays. */
    static const char *const files[] = {"data/history-0ff.js", "data/cells-7.js", "data/notes.txt",
                                        "data/mine.js"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", place->out, files[i]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
    }
    written(place);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(there(place, files[i]), i >= 2);
}

static void test_refused(void **state)
{
    const struct place *place = *state;
    struct dashboard_counts counts;
    struct assay_error error = {0};
    char path[200];
    assert_int_equal(dashboard_write(place->db, place->out, &counts, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "cannot open the database"));
    nights_empty(place->db, NULL);
    assert_int_equal(dashboard_write(place->db, place->out, &counts, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "holds no run"));
    assert_false(there(place, "index.html"));
    db_execute(place->db, "PRAGMA user_version = 99");
    assert_int_equal(dashboard_write(place->db, place->out, &counts, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "newer"));
    /* A page of somebody else. */
    unlink(place->db);
    db_fixture(place->db, 1);
    snprintf(path, sizeof path, "%s/index.html", place->out);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("<!doctype html><title>My site</title>", file);
    fclose(file);
    assert_int_equal(dashboard_write(place->db, place->out, &counts, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "no page of a dashboard"));
    assert_false(there(place, "cells.html"));
    unlink(path);
    snprintf(path, sizeof path, "%s/absent", place->out);
    assert_int_equal(dashboard_write(place->db, path, &counts, &error), ASSAY_IO);
}

/* Ids that no Assay writes, of cases, devices and kernels: their rows are left out. */
static void test_damaged_ids(void **state)
{
    const struct place *place = *state;
    struct dashboard_counts counts;
    struct assay_error error = {0};
    db_fixture(place->db, 1);
    db_execute(place->db, "PRAGMA foreign_keys = OFF;"
                          "UPDATE op_case SET case_id = -200000000 WHERE case_id = 1;"
                          "UPDATE plan SET case_id = -200000000 WHERE case_id = 1");
    assert_int_equal(dashboard_write(place->db, place->out, &counts, &error), ASSAY_OK);
    assert_true(counts.cells > 0);
    db_execute(place->db,
               "PRAGMA foreign_keys = OFF; UPDATE op_case SET case_id = 1 << 40 WHERE case_id = 2");
    assert_int_equal(dashboard_write(place->db, place->out, &counts, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "ids that are too large"));
}

static void test_verb(void **state)
{
    struct verbs verbs;
    (void)state;
    verbs_begin(&verbs);
    db_fixture(verbs.db, 1);
    char out[160], index[200];
    snprintf(out, sizeof out, "%s/pages", verbs.folder);
    snprintf(index, sizeof index, "%s/index.html", out);
    assert_int_equal(verbs_call(&verbs, (const char *const[]){"dashboard", NULL}), EXIT_ERROR);
    assert_non_null(strstr(verbs.err, "needs a folder"));
    assert_int_equal(verbs_call(&verbs, (const char *const[]){"dashboard", "-o", out, NULL}), EXIT_PASS);
    assert_non_null(strstr(verbs.out, "1 runs, 2 devices"));
    assert_int_equal(access(index, F_OK), 0);
    assert_int_equal(verbs_call(&verbs, (const char *const[]){"dashboard", "--out", out, "--json", NULL}),
                     EXIT_PASS);
    json_t *answer = json_loads(verbs.out, 0, NULL);
    assert_non_null(answer);
    assert_string_equal(json_string_value(json_object_get(answer, "dashboard")), index);
    assert_int_equal(json_integer_value(json_object_get(answer, "devices")), 2);
    json_decref(answer);
    verbs_end(&verbs);
}

/* ---- pages ---- */

static void open_page(const struct place *place, const char *page)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", place->out, page);
    browser_open(browser, path);
}

static int64_t number(const char *expression)
{
    char *text = browser_value(browser, expression);
    const int64_t value = strtoll(text, NULL, 10);
    free(text);
    return value;
}

static void assert_value(const char *expression, const char *want)
{
    char *got = browser_value(browser, expression);
    if (strcmp(got, want) != 0) fail_msg("%s is '%s', not '%s'", expression, got, want);
    free(got);
}

static void assert_true_in_page(const char *expression)
{
    char *got = browser_value(browser, expression);
    if (strcmp(got, "true") != 0) fail_msg("not true but '%s': %s", got, expression);
    free(got);
}

static void assert_calm(void)
{
    if (*browser_complaints(browser)) fail_msg("the console complains: %s", browser_complaints(browser));
}

#define NO_WIDER "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
/* Sets a field as a person would. */
#define SET(name, value)                                                                                     \
    "(() => { const f = document.querySelector('[name=" name "]'); f.value = " value                         \
    "; f.dispatchEvent(new Event('input', {bubbles: true})); })()"

static void test_overview(void **state)
{
    const struct place *place = *state;
    if (!browser) skip();
    for (int night = 1; night <= 4; night++) db_fixture(place->db, night);
    written(place);
    browser_look(browser, 1280, 900, false);
    open_page(place, "index.html");
    assert_value("document.querySelectorAll('.tile').length", "2");
    assert_value("document.querySelector('main p strong').textContent",
                 "2 of 2 judged devices failed in its newest run. ");
    /* The trust record's state, told as the newest row has it. */
    assert_true_in_page("[...document.querySelectorAll('.tile')].some(t => /withdrawn on 2026-01-04 02:00 "
                        "UTC by run 4/.test(t.textContent))");
    /* A link of the heat map leads to the cells of that operator and device, and filters them. */
    assert_value("document.querySelectorAll('table.heat tbody tr').length", "1");
    free(browser_value(browser, "document.querySelector('table.heat td a').click()"));
    browser_await(browser, "location.pathname.endsWith('/cells.html') && document.readyState === 'complete' "
                           "&& document.body.dataset.ready === '1'");
    assert_value("document.querySelector('[name=op]').value", "matmul");
    const int64_t all = number("document.querySelectorAll('tbody tr').length");
    assert_true(all > 1);
    assert_calm();
}

static void test_filters(void **state)
{
    const struct place *place = *state;
    if (!browser) skip();
    for (int night = 1; night <= 3; night++) db_fixture(place->db, night);
    const struct dashboard_counts counts = written(place);
    browser_look(browser, 1280, 900, false);
    open_page(place, "cells.html");
    assert_int_equal(number("document.querySelectorAll('tbody tr').length"), counts.cells);
    /* Failures come first. */
    assert_true_in_page("document.querySelector('tbody tr .badge').classList.contains('failed')");
    free(browser_value(browser, SET("q", "'FILL=TIES cpu'")));
    browser_await(browser, "document.querySelectorAll('tbody tr').length === 1");
    assert_true_in_page("document.querySelector('tbody tr').textContent.includes('fill=ties')");
    assert_true_in_page("document.querySelector('[role=status]').textContent.startsWith('1 of ')");
    /* The address holds the filter, and a page opened with it shows the same. */
    assert_value("location.hash", "#q=FILL%3DTIES+cpu");
    free(browser_value(browser, "location.reload()"));
    browser_await(browser, "document.readyState === 'complete' && document.body.dataset.ready === '1'");
    browser_await(browser, "document.querySelectorAll('tbody tr').length === 1");
    free(browser_value(browser, SET("q", "''")));
    free(browser_value(browser, SET("outcome", "'1'")));
    browser_await(browser, "document.querySelectorAll('tbody tr').length > 1");
    assert_true_in_page(
        "[...document.querySelectorAll('tbody tr')].every(r => r.querySelector('.badge.failed'))");
    assert_calm();
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged_ids, setup, teardown),
        cmocka_unit_test(test_verb),
        cmocka_unit_test_setup_teardown(test_overview, setup, teardown),
        cmocka_unit_test_setup_teardown(test_filters, setup, teardown),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
