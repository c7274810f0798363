/* Reports: a golden file made from a database written by hand, and what is said of databases that hold nothing to
 * report. When a change of the golden text is meant, copy build/tests/report.md over tests/golden/report.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/store.h"
#include "reports/markdown.h"
#include "reports/report.h"
#include "tests/db_fixture.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char folder[64], db[96], out[96];
};

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    snprintf(place->folder, sizeof place->folder, "/tmp/assay-test-report-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->db, sizeof place->db, "%s/a%%b?c.db", place->folder);
    snprintf(place->out, sizeof place->out, "%s/report.md", place->folder);
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

static char *file_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    char *text = NULL;
    size_t used = 0;
    for (size_t got = 1; got > 0; used += got) {
        text = realloc(text, used + 65537);
        assert_non_null(text);
        got = fread(text + used, 1, 65536, file);
    }
    text[used] = '\0';
    fclose(file);
    return text;
}

/* A database with the schema and the marks of ours, and what `sql` (may be NULL) puts into it. */
static void fixture(const char *path, int version, const char *sql)
{
    sqlite3 *db = NULL;
    char *why = NULL, marks[96];
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d", 0x41535359,
             version);
    assert_int_equal(
        sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON", NULL, NULL, NULL), SQLITE_OK);
    for (int i = 0; i < (version < STORE_VERSION ? version : STORE_VERSION); i++)
        if (sqlite3_exec(db, store_migrations[i], NULL, NULL, &why) != SQLITE_OK) fail_msg("%s", why);
    assert_int_equal(sqlite3_exec(db, marks, NULL, NULL, NULL), SQLITE_OK);
    if (sql && sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s", why);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void golden_fixture(const char *path)
{
    char *sql = file_read("tests/golden/report.sql");
    assert_non_null(sql);
    fixture(path, 1, sql);
    free(sql);
}

static enum assay_status report_make(struct place *place, const char *run, struct assay_error *error)
{
    const struct report_options options = {.run = run, .folder = place->folder};
    return report_write(place->db, &options, error);
}

static char *report_text(struct place *place, const char *run)
{
    struct assay_error error = {0};
    if (report_make(place, run, &error) != ASSAY_OK) fail_msg("%s", error.text);
    char *text = file_read(place->out);
    assert_non_null(text);
    return text;
}

/* All of the text, or where to look. */
static void expect_golden(char *got, const char *name)
{
    char golden[96], made[96];
    snprintf(golden, sizeof golden, "tests/golden/%s", name);
    snprintf(made, sizeof made, TEST_BUILD "/tests/%s", name);
    char *want = file_read(golden);
    if (!want || strcmp(got, want) != 0) {
        FILE *file = fopen(made, "wb");
        assert_non_null(file);
        fputs(got, file);
        fclose(file);
        fail_msg("the report is not %s; compare with %s", golden, made);
    }
    free(got);
    free(want);
}

static void night_fixture(const char *path)
{
    char *sql = file_read("tests/golden/report.sql"), *night = file_read("tests/golden/report_night.sql");
    assert_non_null(sql);
    assert_non_null(night);
    fixture(path, STORE_VERSION, sql);
    db_execute(path, night);
    free(sql);
    free(night);
}

static void test_golden(void **state)
{
    struct place *place = *state;
    golden_fixture(place->db);
    expect_golden(report_text(place, NULL), "report.md");
}

/* The runs of a label as one report: what changed since the night before, times, planted faults. */
static void test_night(void **state)
{
    struct place *place = *state;
    night_fixture(place->db);
    expect_golden(report_text(place, "nightly-7"), "report_night.md");
    char *all = report_text(place, "all"); /* runs without a common label have none in the title */
    assert_int_equal(strncmp(all, "# Assay report: ", 16), 0);
    assert_in_range(all[16], '2', '9');
    assert_int_equal(strncmp(all + 17, " runs\n", 6), 0);
    free(all);
}

static void expect_line(const char *text, const char *const words[])
{
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t length = strcspn(line, "\n"), at = 0;
        char *copy = strndup(line, length);
        assert_non_null(copy);
        while (words[at] && strstr(copy, words[at])) at++;
        free(copy);
        if (!words[at]) return;
    }
    fail_msg("no line has '%s' and what belongs to it", words[0]);
}

/* Row H13: claimed from a run without failures, beyond twice the spread, with enough samples; row H08: the same case on
 * the processor beside it. */
static void test_claims(void **state)
{
    struct place *place = *state;
    night_fixture(place->db);
    char *text = report_text(place, "5");
    const char *const rows[][6] = {
        {"m=64,n=64,k=64", "| cold |", "12.0 us", "3.00 us", "| 4 |", "| **yes** |"},
        {"m=64,n=64,k=64", "| hot |", "8.00 us", "7.90 us", "no: within twice the spread"},
        {"m=33,n=7,k=4096", "| hot |", "9.00 us", "900 ns", "no: few samples"},
        {"m=2,n=2,k=2", "| hot |", "1.00 us", "5.00 us", "| 0.2 |", "| **yes** |"},
        {"m=33,n=7,k=4096", "cuda:0", "**few**: 5 in 1"},
        {"m=64,n=64,k=64", "cpu", "| cold |", "12.0 us | 2.0 % | 10.8 us | 20 in 1 |", "33.3 %"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *words[7] = {0};
        memcpy(words, rows[i], sizeof rows[i]);
        expect_line(text, words);
    }
    free(text);
    db_execute(place->db,
               "UPDATE bench SET verdict = 'NONDET' WHERE run_id = 5 AND device_id = 3 AND case_id = 6");
    text = report_text(place, "5");
    const char *const failing[] = {"m=64,n=64,k=64", "| cold |", "no: 1 failures in this report", NULL};
    expect_line(text, failing);
    assert_null(strstr(text, "| **yes** |"));
    free(text);
}

static void test_runs(void **state)
{
    struct place *place = *state;
    golden_fixture(place->db);
    char *first = report_text(place, "1");
    assert_non_null(strstr(first, "# Assay report: run 1, run, level quick"));
    assert_non_null(strstr(first, "**FAILED** (exit 2): 1 of 2 judged failed"));
    assert_non_null(strstr(first, "no answer in 60 s"));
    assert_null(strstr(first, "2222222222222222` | native"));
    free(first);
    struct assay_error error = {0};
    assert_int_equal(report_make(place, "3", &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "'3' is no run"));
}

/* Rows that do not add up to the plan, and a run that did not end, are said so. */
static void test_damaged(void **state)
{
    struct place *place = *state;
    golden_fixture(place->db);
    char *text = report_text(place, "2");
    assert_null(strstr(text, "do not add up"));
    free(text);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(place->db, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "UPDATE run SET planned = 17, ended_utc = NULL, exit_code = NULL WHERE run_id = 2",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(db);
    text = report_text(place, "2");
    assert_non_null(strstr(text, "these do not add up"));
    assert_non_null(strstr(text, "**UNFINISHED**"));
    free(text);
}

/* More failures than are told at length are all listed. */
static void test_many_failures(void **state)
{
    struct place *place = *state;
    char sql[2048], line[64];
    golden_fixture(place->db);
    snprintf(sql, sizeof sql,
             "WITH RECURSIVE c (i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM c WHERE i < 199)"
             " INSERT INTO op_case SELECT i, 'case-' || i, 'matmul', 'f32', 'normal', 1 FROM c;"
             "INSERT INTO plan SELECT 2, case_id, case_id, 2, 'k', '', 'x' FROM op_case WHERE case_id >= 100;"
             "INSERT INTO result SELECT NULL, 2, case_id, 1, 2, 'DIFF', NULL, '', 'contract', 1, 1, 1, 1, "
             "'', '', '', 1.0,"
             " NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, 1, '', 'repro-' || case_id || '.', '' "
             "FROM op_case"
             " WHERE case_id >= 100; UPDATE run SET planned = 116 WHERE run_id = 2;");
    sqlite3 *db = NULL;
    char *why = NULL;
    assert_int_equal(sqlite3_open(place->db, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s", why);
    sqlite3_close(db);
    char *text = report_text(place, "2");
    assert_null(strstr(text, "do not add up"));
    for (int i = 100; i < 200; i++) {
        snprintf(line, sizeof line, "repro-%d.", i);
        if (!strstr(text, line)) fail_msg("%s is not in the report", line);
    }
    free(text);
}

static void expect_refused(struct place *place, const char *words)
{
    struct assay_error error = {0};
    assert_int_equal(report_make(place, NULL, &error), ASSAY_INVALID_INPUT);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
    assert_int_equal(access(place->out, F_OK), -1);
}

static void test_refused(void **state)
{
    struct place *place = *state;
    expect_refused(place, "No such file");
    FILE *file = fopen(place->db, "wb");
    fclose(file);
    expect_refused(place, "is an empty database");
    file = fopen(place->db, "wb");
    for (int i = 0; i < 400; i++) fputs("this is no database", file);
    fclose(file);
    expect_refused(place, "is no SQLite database");
    remove(place->db);

    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(place->db, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE bookmarks (url)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    expect_refused(place, "is a database of another program");
    remove(place->db);

    fixture(place->db, STORE_VERSION + 1, NULL);
    expect_refused(place, "has schema version 4, newer than this program's 3");
    remove(place->db);

    for (int version = 1; version <= 2; version++) { /* both hold what the queries read */
        fixture(place->db, version, NULL);
        expect_refused(place, "holds no run");
        remove(place->db);
    }

    assert_int_equal(mkdir(place->db, 0755), 0);
    expect_refused(place, "is no file");
    assert_int_equal(rmdir(place->db), 0);
}

/* A run without cases, made by the program's own store: the marks of the file agree, and the report says what is
 * missing. */
static void test_without_results(void **state)
{
    struct place *place = *state;
    struct assay_error error = {0};
    struct store *store = NULL;
    int64_t run_id = 0;
    struct store_run run = {.verb = "verify",
                            .command = "c",
                            .level = "quick",
                            .engine = "e",
                            .engine_version = "1",
                            .host = "h",
                            .corpus_hash = "0",
                            .settings = "{}"};
    if (store_open(place->db, false, &store, &error) != ASSAY_OK) fail_msg("%s", error.text);
    if (store_run_begin(store, &run, &run_id, &error) != ASSAY_OK) fail_msg("%s", error.text);
    store_close(store);
    char *text = report_text(place, NULL);
    assert_non_null(strstr(text, "# Assay report: run 1, verify, level quick"));
    assert_non_null(strstr(text, "**UNFINISHED**"));
    assert_non_null(strstr(text, "No device was chosen."));
    assert_non_null(strstr(text, "cuda (no run in this database passed on it)"));
    free(text);
}

/* The report takes its place in one step: a failure leaves the earlier one. */
static void test_unwritable(void **state)
{
    struct place *place = *state;
    struct assay_error error = {0};
    golden_fixture(place->db);
    const struct report_options nowhere = {.folder = "/nonexistent"};
    assert_int_equal(report_write(place->db, &nowhere, &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "/nonexistent/report.md"));
    assert_int_equal(mkdir(place->out, 0755), 0);
    assert_int_equal(report_make(place, NULL, &error), ASSAY_IO);
    char pattern[128];
    snprintf(pattern, sizeof pattern, "test -z \"$(ls '%s' | grep tmp)\"", place->folder);
    assert_int_equal(system(pattern), 0);
}

static char *sql_text(sqlite3 *db, const char *expression)
{
    static char text[256];
    char sql[512];
    sqlite3_stmt *statement = NULL;
    snprintf(sql, sizeof sql, "SELECT %s", expression);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    snprintf(text, sizeof text, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return text;
}

static void test_functions(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *want;
    } row[] = {
        {"md('a|b*c_d`e<f>&#[x]$')", "a\\|b\\*c\\_d\\`e\\<f\\>\\&\\#\\[x\\]\\$"},
        {"md('a' || char(10) || 'b' || char(7))", "a\\\\x0ab\\\\x07"},
        {"md('\xc3\xa9' || CAST(x'ff41c0' AS TEXT))", "\xc3\xa9\\\\xffA\\\\xc0"},
        {"md('x' || char(8238) || 'y')", "x\\\\xe2\\\\x80\\\\xaey"},
        {"code('a|b')", "`a\\|b`"},
        {"code('a`b')", "``a`b``"},
        {"code('`')", "`` ` ``"},
        {"code('')", ""},
        {"flat('a' || char(10) || '`|')", "a\\x0a`|"},
        {"n(0)", "0"},
        {"n(1234567)", "1,234,567"},
        {"n(-123456)", "-123,456"},
        {"n(NULL)", "-"},
        {"num(NULL)", "-"},
        {"num('nan')", "nan"},
        {"num('-inf')", "-inf"},
        {"num(1.23456e-7)", "1.23e-07"},
        {"num(0.0)", "0"},
        {"dur(999)", "999 ns"},
        {"dur(12345)", "12.3 us"},
        {"dur(999499999)", "999 ms"},
        {"dur(90.5e9)", "90.5 s"},
        {"dur(NULL)", "-"},
        {"bytes(1000)", "1000 B"},
        {"bytes(134217728)", "128 MiB"},
        {"bytes(150754820096)", "140 GiB"},
        {"f32hex('3f8100a2')", "+0x1.020144p+0"},
        {"f32hex('7fc00000')", "nan"},
        {"f32hex('ff800000')", "-inf"},
        {"f32hex('zz')", ""},
        {"html('<b>\"a\" & `b`|*c*</b>' || char(10))", "&lt;b&gt;&quot;a&quot; &amp; `b`|*c*&lt;/b&gt;\\x0a"},
        {"pattern('k = 33, tile64 of 7')", "k = #, tile# of #"},
        {"(SELECT worst(column1) FROM (VALUES (1.5), ('nan'), (0.25), ('inf'), ('nan'), (NULL)))",
         "1.5 (inf: 1, nan: 2)"},
        {"(SELECT worst(column1) FROM (VALUES (-2.0), (NULL)))", "-2"},
        {"(SELECT worst(column1) FROM (VALUES ('inf')))", "- (inf: 1)"},
        {"(SELECT worst(column1) FROM (VALUES (NULL)))", "-"},
        {"(SELECT worst(1) WHERE 0)", "-"},
        {"xorhex('3f8100a2', '3f8100a3')", "00000001"},
        {"xorhex('3f', '3f8100a3')", ""},
    };
    sqlite3 *db = NULL;
    struct assay_error error = {0};
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(markdown_register(db, &error), ASSAY_OK);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const char *got = sql_text(db, row[i].expression);
        if (strcmp(got, row[i].want) != 0)
            fail_msg("%s gives '%s', not '%s'", row[i].expression, got, row[i].want);
    }
    sqlite3_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_golden, setup, teardown),
        cmocka_unit_test_setup_teardown(test_night, setup, teardown),
        cmocka_unit_test_setup_teardown(test_claims, setup, teardown),
        cmocka_unit_test_setup_teardown(test_runs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_damaged, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many_failures, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(test_without_results, setup, teardown),
        cmocka_unit_test_setup_teardown(test_unwritable, setup, teardown),
        cmocka_unit_test(test_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
