/* Words that choose runs, and the opening of databases for reading: older files look like new ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/store.h"
#include "reports/database.h"
#include "reports/pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct place {
    char folder[64], db[96], other[96];
};

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    snprintf(place->folder, sizeof place->folder, "/tmp/assay-test-pick-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->db, sizeof place->db, "%s/assay.db", place->folder);
    snprintf(place->other, sizeof place->other, "%s/a:b.db", place->folder);
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

static void make(const char *path, int version, const char *sql)
{
    sqlite3 *db = NULL;
    char *why = NULL, marks[96];
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    for (int i = 0; i < version; i++)
        if (sqlite3_exec(db, store_migrations[i], NULL, NULL, &why) != SQLITE_OK) fail_msg("%s", why);
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d", 0x41535359,
             version);
    assert_int_equal(sqlite3_exec(db, marks, NULL, NULL, NULL), SQLITE_OK);
    if (sql && sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s", why);
    sqlite3_close(db);
}

#define RUN(id, key, day, verb, level, label, shard)                                                         \
    "INSERT INTO run (run_id, key, started_utc, verb, command, level, engine, engine_version, revision,"     \
    " compiler, flags, host, corpus_hash, settings, label, shard) VALUES (" #id ", '" key "', '2026-01-" day \
    "T00:00:00Z', '" verb "', '', '" level "', 'assay', '1', '', '', '', '', '', '{}', '" label "', '" shard \
    "');"

/* Run 2 is the latest: numbers do not follow time in a merged file. */
static const char runs[] = RUN(1, "aaaaaa11111111111111111111111111", "05", "run", "quick", "", "") //
    RUN(2, "aaaaaa22222222222222222222222222", "09", "verify", "quick", "night-9", "1/2")           //
    RUN(3, "bbbbbb33333333333333333333333333", "08", "verify", "quick", "night-9", "2/2")           //
    RUN(4, "cccccc44444444444444444444444444", "07", "verify", "standard", "night-7", "1/2")        //
    RUN(5, "dddddd55555555555555555555555555", "06", "verify", "quick", "night-6", "1/2")           //
    RUN(6, "12345678aaaaaaaaaaaaaaaaaaaaaaaa", "04", "run", "quick", "1", "")                       //
    RUN(7, "eeeeee77777777777777777777777777", "03", "run", "quick", "2026-01-03:late", "");

static int64_t number(sqlite3 *db, const char *sql)
{
    struct assay_error error = {0};
    int64_t value;
    if (database_integer(db, "test", sql, &value, &error) != ASSAY_OK) fail_msg("%s", error.text);
    return value;
}

/* The picked runs as one number, in decimal digits: 23 = runs 2 and 3. */
static int64_t picked(const char *path, const char *word)
{
    struct assay_error error = {0};
    sqlite3 *db = NULL;
    if (pick_open(path, word, &db, &error) != ASSAY_OK) fail_msg("%s: %s", word, error.text);
    int64_t value = number(
        db, "SELECT CAST(group_concat(run_id, '') AS INTEGER) FROM (SELECT run_id FROM picked ORDER BY 1)");
    sqlite3_close(db);
    return value;
}

static void test_words(void **state)
{
    struct place *place = *state;
    make(place->db, STORE_VERSION, runs);
    static const struct {
        const char *word;
        int64_t want;
    } row[] = {
        {NULL, 2},      {"", 2},        {"latest", 2},      {"previous", 5},   {"4", 4},
        {"aaaaaa2", 2}, {"AAAAAA1", 1}, {"12345678", 6},    {"night-9", 23},   {"night-7", 4},
        {"run=1", 1},   {"label=1", 6}, {"key=bbbbbb3", 3}, {"key=123456", 6}, {"2026-01-03:late", 7},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        if (picked(place->db, row[i].word) != row[i].want) fail_msg("%s: wrong run", row[i].word);
}

static void refused(const char *path, const char *word, const char *const words[])
{
    struct assay_error error = {0};
    sqlite3 *db = (sqlite3 *)&error;
    if (pick_open(path, word, &db, &error) != ASSAY_INVALID_INPUT) fail_msg("%s is taken", word);
    assert_null(db);
    for (; *words; words++)
        if (!strstr(error.text, *words)) fail_msg("'%s' does not say '%s'", error.text, *words);
}
#define REFUSED(path, word, ...) refused(path, word, (const char *const[]){__VA_ARGS__, NULL})

static void test_refusals(void **state)
{
    struct place *place = *state;
    make(place->db, STORE_VERSION, runs);
    REFUSED(place->db, "17", "'17' is no run", "there are 7 runs", "2 (aaaaaa22, verify quick)",
            "labels: night-9, night-7, night-6");
    REFUSED(place->db, "aaaaaa", "is the start of a key of 2 runs: write more digits");
    REFUSED(place->db, "bbbbb", "is no run");
    REFUSED(place->db, "1", "is the number of a run and a label: write run=1 or label=1");
    REFUSED(place->db, "run=x", "is no run");
    REFUSED(place->db, "99999999999999999999999", "is no run");
    REFUSED(place->db, "no'; DROP TABLE run\n\x1b[2J\xff",
            "'no'; DROP TABLE run\\x0a\\x1b[2J\\xff' is no run");
    REFUSED(place->db, "missing.db:latest", "'missing.db:latest' is no run");
    REFUSED("/nonexistent.db", "latest", "cannot open the database /nonexistent.db");
    make(place->other, STORE_VERSION, NULL);
    REFUSED(place->other, "latest", "holds no run");
    unlink(place->other);
    make(place->other, STORE_VERSION, RUN(1, "aa", "05", "run", "quick", "", ""));
    REFUSED(place->other, "previous", "none before the latest", "there is 1 run");
}

static void test_files(void **state)
{
    struct place *place = *state;
    char word[160];
    make(place->other, STORE_VERSION, runs);
    snprintf(word, sizeof word, "%s:night-9", place->other);
    assert_int_equal(picked("/nonexistent.db", word), 23);
    snprintf(word, sizeof word, "%s:", place->other);
    assert_int_equal(picked("/nonexistent.db", word), 2);
    snprintf(word, sizeof word, "%s:nothing", place->other);
    REFUSED("/nonexistent.db", word, "'nothing' is no run");
}

/* Names and types, in order, of the columns that a query finds under `table`. */
static char *columns(sqlite3 *db, const char *table)
{
    char sql[128];
    sqlite3_stmt *statement = NULL;
    char *text = calloc(1, 4096);
    snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        const char *type = sqlite3_column_decltype(statement, i);
        snprintf(text + strlen(text), 4096 - strlen(text), "%s %s, ", sqlite3_column_name(statement, i),
                 strcmp(table, "timing") == 0 || !type ? "" : type);
    }
    sqlite3_finalize(statement);
    return text;
}

/* Every table and view of the newest schema can be read in files of every older version, with the same columns. */
static void test_older(void **state)
{
    struct place *place = *state;
    struct assay_error error = {0};
    sqlite3 *newest = NULL, *older = NULL;
    sqlite3_stmt *statement = NULL;
    make(place->other, STORE_VERSION, NULL);
    assert_int_equal(database_open(place->other, &newest, &error), ASSAY_OK);
    for (int version = 1; version < STORE_VERSION; version++) {
        int tables = 0;
        unlink(place->db);
        make(place->db, version,
             "INSERT INTO run (run_id, key, started_utc, verb, command, level, engine, engine_version,"
             " revision, compiler, flags, host, corpus_hash, settings) VALUES (9, 'k', '', '', '', '', '',"
             " '', '', '', '', '', '', '{}')");
        if (database_open(place->db, &older, &error) != ASSAY_OK) fail_msg("%s", error.text);
        assert_int_equal(sqlite3_prepare_v2(newest,
                                            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
                                            " AND name NOT LIKE 'sqlite%'",
                                            -1, &statement, NULL),
                         SQLITE_OK);
        while (sqlite3_step(statement) == SQLITE_ROW) {
            const char *table = (const char *)sqlite3_column_text(statement, 0);
            char *want = columns(newest, table), *got = columns(older, table);
            if (strcmp(table, "run") == 0) { /* a view's own columns have no declared type */
                assert_non_null(strstr(got, "label"));
                assert_non_null(strstr(got, "shard"));
                assert_non_null(strstr(got, "resumed"));
            } else if (strcmp(table, "run_device") == 0) {
                assert_non_null(strstr(got, " state"));
            } else if (strcmp(want, got) != 0)
                fail_msg("version %d, %s:\n%s\nnot\n%s", version, table, got, want);
            free(want);
            free(got);
            tables++;
        }
        sqlite3_finalize(statement);
        assert_true(tables > 10);
        assert_int_equal(number(older, "SELECT count(*) FROM timing"), 0);
        sqlite3_close(older);
        assert_int_equal(picked(place->db, "latest"), 9);
        assert_int_equal(picked(place->db, "9"), 9);
    }
    sqlite3_close(newest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_older, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
