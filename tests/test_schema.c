/* docs/schema.md holds what it says: every query in it runs on a database of two runs, and its table of tables is the
 * schema's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store.h"
#include "tests/db_fixture.h"

static void execute(sqlite3 *db, const char *sql)
{
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s", why, sql);
}

/* The database that the report's golden test uses: every verdict, several devices. */
static int set_up(void **state)
{
    sqlite3 *db = NULL;
    char *rows = db_file("tests/golden/report.sql");
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    execute(db, "PRAGMA foreign_keys = ON");
    for (int i = 0; i < STORE_VERSION; i++) execute(db, store_migrations[i]);
    execute(db, rows);
    free(rows);
    *state = db;
    return 0;
}

static int tear_down(void **state)
{
    sqlite3_close(*state);
    return 0;
}

static void queries_run(void **state)
{
    sqlite3 *db = *state;
    char *document = db_file("docs/schema.md");
    int queries = 0;
    for (char *at = document; (at = strstr(at, "```sql\n"));) {
        char *end = strstr(at += 7, "```");
        assert_non_null(end);
        *end = '\0';
        for (const char *rest = at; *rest;) {
            sqlite3_stmt *statement = NULL;
            if (sqlite3_prepare_v2(db, rest, -1, &statement, &rest) != SQLITE_OK)
                fail_msg("%s: %s", sqlite3_errmsg(db), at);
            if (!statement) continue; /* a comment or blank lines */
            assert_true(sqlite3_stmt_readonly(statement));
            int rows = 0, status;
            while ((status = sqlite3_step(statement)) == SQLITE_ROW) rows++;
            if (status != SQLITE_DONE) fail_msg("%s: %s", sqlite3_errmsg(db), at);
            if (!rows) fail_msg("no row, though the database has some to show: %s", at);
            sqlite3_finalize(statement);
            queries++;
        }
        at = end + 1;
    }
    assert_true(queries >= 4);
    free(document);
}

static void tables_are_named(void **state)
{
    char *document = db_file("docs/schema.md"), line[80];
    sqlite3_stmt *statement = NULL;
    int tables = 0, named = 0;
    assert_int_equal(sqlite3_prepare_v2(*state, "SELECT name FROM sqlite_schema WHERE type = 'table'", -1,
                                        &statement, NULL),
                     SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        snprintf(line, sizeof line, "\n| %s | ", (const char *)sqlite3_column_text(statement, 0));
        if (!strstr(document, line)) fail_msg("docs/schema.md has no line '%s'", line + 1);
        tables++;
    }
    sqlite3_finalize(statement);
    const char *from = strstr(document, "| table | "), *to = from ? strstr(from, "\n\n") : NULL;
    assert_non_null(to);
    for (const char *at = from; at && at < to; at = strstr(at + 1, "\n| ")) named++;
    assert_int_equal(named - 2, tables); /* the heading and the rule under it */
    free(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_run),
        cmocka_unit_test(tables_are_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
