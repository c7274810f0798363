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
    char path[600];
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

static void holds(const char *expression)
{
    char *got = browser_value(browser, expression);
    if (strcmp(got, "true") != 0) fail_msg("not true but '%s': %s", got, expression);
    free(got);
}

#define READY "document.readyState === 'complete' && document.body.dataset.ready === '1'"

static void assert_calm(void)
{
    if (*browser_complaints(browser)) fail_msg("the console complains: %s", browser_complaints(browser));
}

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
    holds("[...document.querySelectorAll('.tile')].some(t => /withdrawn on 2026-01-04 02:00 "
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
    holds("document.querySelector('tbody tr .badge').classList.contains('failed')");
    free(browser_value(browser, SET("q", "'FILL=TIES cpu'")));
    browser_await(browser, "document.querySelectorAll('tbody tr').length === 1");
    holds("document.querySelector('tbody tr').textContent.includes('fill=ties')");
    holds("document.querySelector('[role=status]').textContent.startsWith('1 of ')");
    /* The address holds the filter, and a page opened with it shows the same. */
    assert_value("location.hash", "#q=FILL%3DTIES+cpu");
    free(browser_value(browser, "location.reload()"));
    browser_await(browser, "document.readyState === 'complete' && document.body.dataset.ready === '1'");
    browser_await(browser, "document.querySelectorAll('tbody tr').length === 1");
    free(browser_value(browser, SET("q", "''")));
    free(browser_value(browser, SET("outcome", "'1'")));
    browser_await(browser, "document.querySelectorAll('tbody tr').length > 1");
    holds("[...document.querySelectorAll('tbody tr')].every(r => r.querySelector('.badge.failed'))");
    assert_calm();
}

static const char *const page_names[] = {"index.html", "cells.html", "failures.html", "cell.html"};

/* The page with an address behind it: of a cell that failed. */
static void open_any(const struct place *place, size_t page)
{
    char path[400];
    if (strcmp(page_names[page], "cell.html") != 0) {
        open_page(place, page_names[page]);
        return;
    }
    open_page(place, "cells.html");
    char *hash = browser_value(browser, "document.querySelector('tbody a').hash");
    snprintf(path, sizeof path, "cell.html%s", hash);
    free(hash);
    open_page(place, path);
}

/* R06: a step of 20 % in the fifteenth of twenty-four nights is told and marked. */
static void test_step(void **state)
{
    const struct place *place = *state;
    if (!browser) skip();
    const struct nights nights = {.seed = 3,
                                  .nights = 24,
                                  .cells = 4,
                                  .step_night = 15,
                                  .step = 0.2,
                                  .driver_night = 4,
                                  .judged = true};
    nights_make(&nights, place->db);
    written(place);
    browser_look(browser, 1280, 900, false);
    open_page(place, "index.html");
    holds("/slower \\+(19|20|21)\\.\\d %/.test(document.querySelector('main').textContent)");
    /* The link leads to the page of the cell that was planted, of four. */
    free(browser_value(browser, "document.querySelector('a[href^=\"cell.html\"]').click()"));
    browser_await(browser, "location.pathname.endsWith('/cell.html') && " READY
                           " && document.querySelector('figure svg') !== null");
    holds("document.querySelector('h1').textContent.startsWith('matmul/f32/')");
    holds("[...document.querySelectorAll('svg text.event-text')]"
          ".some(t => /^slower \\+(19|20|21)/.test(t.textContent))");
    holds("[...document.querySelectorAll('svg text.event-text')].some(t => t.textContent === 'new driver')");
    /* Axes say what they are, in units; a point a night and lane; the table has the same numbers. */
    holds("document.querySelector('figure svg').textContent.includes('median device time of one run')");
    holds("[...document.querySelectorAll('figure svg text')].some(t => / \u00b5s$/.test(t.textContent))");
    assert_value("document.querySelectorAll('figure svg[role=img] circle.hot').length", "24");
    assert_value("document.querySelectorAll('figure svg[role=img] path.judged').length",
                 "25"); /* and the line */
    assert_value("document.querySelectorAll('details table tbody tr').length", "20");
    holds("document.querySelector('details .pager').textContent.includes('of 48')");
    /* The line stands between the fourteenth night and the fifteenth. */
    holds("(() => { const x = [...document.querySelectorAll('svg[role=img] circle.hot')].map(c => "
          "Number(c.getAttribute('cx'))),"
          " line = Number(document.querySelector('line.event:not(.calm)').getAttribute('x1'));"
          " return x[13] < line && line < x[14]; })()");
    /* The page as a person sees it, for looking at. */
    browser_picture(browser, TEST_BUILD "/tests/dashboard.png");
    char *picture = db_file(TEST_BUILD "/tests/dashboard.png");
    assert_int_equal(strncmp(picture, "\x89PNG", 4), 0);
    free(picture);
    struct stat info;
    assert_int_equal(stat(TEST_BUILD "/tests/dashboard.png", &info), 0);
    assert_true(info.st_size > 20000);
    assert_calm();
}

/* Names are text, whatever they hold; a page that they broke out of would have a <b>, a script, or a variable more. */
static void test_hostile(void **state)
{
    const struct place *place = *state;
    if (!browser) skip();
    db_fixture(place->db, 1);
    db_execute(place->db,
               "UPDATE device SET name = '</script><script>window.broken = 1</script>"
               "<img src=x onerror=\"window.broken = 1\">' || char(8232) || char(8233) || 'ends' WHERE "
               "backend = 'cpu';"
               "UPDATE run SET label = '\"><b onclick=alert(1)>__proto__', reason = '</title><b>reason</b>';"
               "UPDATE op_case SET line = line || '<b>' || char(8238), op = '__proto__';"
               "UPDATE kernel SET name = 'constructor' WHERE backend = 'cpu';"
               "UPDATE result SET reason = '<b>no</b>', repro = 'assay replay ''</pre><b>''' WHERE verdict "
               "<> 'PASS'");
    written(place);
    browser_look(browser, 1280, 900, false);
    for (size_t i = 0; i < sizeof page_names / sizeof *page_names; i++) {
        open_any(place, i);
        assert_value("document.querySelectorAll('b, i, img, script:not([src])').length", "0");
        assert_value("typeof window.broken", "undefined");
        holds("document.querySelectorAll('main h1').length === 1 && document.querySelectorAll('main "
              "*').length > 20");
    }
    open_page(place, "index.html");
    holds("document.querySelector('main').textContent.includes('</script><script>window.broken = "
          "1</script><img src=x')");
    holds("document.querySelector('table.heat').textContent.includes('__proto__')");
    open_page(place, "failures.html");
    holds("[...document.querySelectorAll('.failure pre')].some(p => p.textContent === \"assay replay "
          "'</pre><b>'\")");
    assert_calm();
}

/* The least contrast of any text, by WCAG 2.2's relative luminance. */
static const char contrast[] =
    "(() => {"
    " const parts = c => c.match(/[\\d.]+/g).map(Number);"
    " const light = c => { const [r, g, b] = parts(c).map(x => { x /= 255;"
    "  return x <= 0.04045 ? x / 12.92 : Math.pow((x + 0.055) / 1.055, 2.4); });"
    "  return 0.2126 * r + 0.7152 * g + 0.0722 * b; };"
    " const back = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;"
    "  if (parts(c)[3] !== 0) return c; } return 'rgb(255, 255, 255)'; };"
    " let least = 99, where = '';"
    " for (const e of document.querySelectorAll('body *')) {"
    "  if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()"
    "   || e.closest(':disabled') || e.tagName === 'title') continue;"
    "  const style = getComputedStyle(e), svg = e.namespaceURI.endsWith('svg'),"
    "   a = light(svg ? style.fill : style.color), b = light(back(e)),"
    "   ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);"
    "  if (ratio < least) { least = ratio; where = e.tagName + '.' + e.getAttribute('class') + ': '"
    "   + e.textContent.slice(0, 40); } }"
    " return least >= 4.5 ? 'readable' : where + ' has ' + least; })()";

/* Names of controls, structure, contrast; and nothing wider than a telephone. */
static void test_readable(void **state)
{
    const struct place *place = *state;
    if (!browser) skip();
    const struct nights nights = {.seed = 3, .nights = 12, .step_night = 8, .step = 0.3, .judged = true};
    nights_make(&nights, place->db);
    for (int night = 1; night <= 2; night++) db_fixture(place->db, night);
    written(place);
    for (int look = 0; look < 4; look++) {
        browser_look(browser, look & 1 ? 360 : 1280, 800, look & 2);
        for (size_t i = 0; i < sizeof page_names / sizeof *page_names; i++) {
            open_any(place, i);
            free(browser_value(browser,
                               "document.querySelectorAll('details').forEach(d => { d.open = true; })"));
            holds("document.documentElement.scrollWidth <= document.documentElement.clientWidth");
            assert_value(contrast, "readable");
            assert_value("document.documentElement.lang", "en");
            assert_value("document.querySelectorAll('h1').length", "1");
            /* No heading skips a level; every table has a caption and column heads, every field and picture a name. */
            holds("[...document.querySelectorAll('h1, h2, h3')].every((h, at, all) => !at ||"
                  " Number(h.tagName[1]) <= Number(all[at - 1].tagName[1]) + 1)");
            holds("[...document.querySelectorAll('table')].every(t => t.caption && t.caption.textContent"
                  " && t.querySelector('thead th[scope=col]'))");
            holds("[...document.querySelectorAll('input, select')].every(f => f.labels.length === 1"
                  " && f.labels[0].textContent.trim())");
            holds("[...document.querySelectorAll('svg')].every(s => s.getAttribute('aria-hidden') === 'true'"
                  " || (s.getAttribute('role') === 'img' && s.getAttribute('aria-label')))");
            holds("[...document.querySelectorAll('a, button, summary')].every(e => e.textContent.trim())");
            /* Files of this folder alone. */
            holds("performance.getEntriesByType('resource').every(r => r.name.startsWith('file://'))");
        }
    }
    /* The dark look is dark. */
    assert_value("getComputedStyle(document.documentElement).backgroundColor", "rgb(13, 17, 23)");
    assert_calm();
}

/* Everything is in reach of the Tab key, and shows that it has the focus. */
static void test_keyboard(void **state)
{
    const struct place *place = *state;
    if (!browser) skip();
    db_fixture(place->db, 1);
    written(place);
    browser_look(browser, 1280, 900, false);
    open_page(place, "cells.html");
    browser_key(browser, "Tab", 9);
    assert_value("document.activeElement.textContent", "Skip to the content");
    holds("document.activeElement.getBoundingClientRect().left >= 0");
    browser_key(browser, "Enter", 13);
    browser_await(browser, "document.activeElement.id === 'main'");
    open_page(place, "cells.html");
    const int64_t reachable = number("[...document.querySelectorAll('a[href], button:not(:disabled), input, "
                                     "select, summary, [tabindex=\"0\"]')]"
                                     ".filter(e => e.checkVisibility()).length");
    assert_true(reachable > 20);
    free(browser_value(browser, "window.seen = new Set(), 1"));
    for (int64_t i = 0; i < reachable; i++) {
        browser_key(browser, "Tab", 9);
        char *style = browser_value(browser, "seen.add(document.activeElement),"
                                             " getComputedStyle(document.activeElement).outlineStyle + ' '"
                                             " + getComputedStyle(document.activeElement).outlineWidth");
        if (strcmp(style, "solid 3px") != 0)
            fail_msg("focus does not show: '%s' of %.200s", style,
                     browser_value(browser, "document.activeElement.outerHTML"));
        free(style);
    }
    assert_int_equal(number("seen.size"), reachable);
    /* A column sorts by the keyboard, and says so. */
    free(browser_value(
        browser, "[...document.querySelectorAll('th button')].find(b => b.textContent === 'case').focus()"));
    browser_key(browser, "Enter", 13);
    browser_await(browser, "document.activeElement.parentElement.getAttribute('aria-sort') === 'ascending'");
    holds("[...document.querySelectorAll('tbody th')].every((t, at, all) => !at"
          " || all[at - 1].textContent <= t.textContent)");
    assert_calm();
}

/* What there may be none of: cases, timings, judgements, ends of runs, devices. */
static void test_bare(void **state)
{
    static const struct {
        const char *remove, *says;
    } rows[] = {
        {"DELETE FROM bench; DELETE FROM result; DELETE FROM plan; DELETE FROM capped",
         "No device was judged"},
        {"DELETE FROM bench; UPDATE result SET median_ns = NULL", "2 of 2 judged devices failed"},
        {"DELETE FROM result; DELETE FROM plan; DELETE FROM trust; DELETE FROM ceiling; DELETE FROM coverage;"
         " DELETE FROM trait",
         "No device was judged"},
        {"DELETE FROM result; UPDATE run SET ended_utc = NULL, exit_code = NULL, reason = NULL", "not run"},
        {"DELETE FROM bench_sample; DELETE FROM bench; DELETE FROM result; DELETE FROM plan; DELETE FROM "
         "capped;"
         " DELETE FROM trust; DELETE FROM coverage; DELETE FROM ceiling; DELETE FROM trait; DELETE FROM "
         "run_device;"
         " DELETE FROM device",
         "No device was judged"},
        {"UPDATE run_device SET opened = 0, state = 'fault', why = 'fell off the bus'", "fell off the bus"},
    };
    const struct place *place = *state;
    if (!browser) skip();
    browser_look(browser, 1280, 900, false);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unlink(place->db);
        db_fixture(place->db, 1);
        db_execute(place->db, rows[i].remove);
        written(place);
        for (size_t page = 0; page < 3; page++) open_page(place, page_names[page]);
        open_page(place, "index.html");
        char *text = browser_value(browser, "document.querySelector('main').textContent");
        if (!strstr(text, rows[i].says)) fail_msg("after %s: %s", rows[i].remove, text);
        free(text);
    }
    open_page(place, "cell.html");
    holds("document.querySelector('main').textContent.includes('names no cell')");
    open_page(place, "cell.html#0123456789abcdef");
    holds("document.querySelector('main').textContent.includes('not among the runs shown')");
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
        cmocka_unit_test_setup_teardown(test_step, setup, teardown),
        cmocka_unit_test_setup_teardown(test_hostile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_readable, setup, teardown),
        cmocka_unit_test_setup_teardown(test_keyboard, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bare, setup, teardown),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
