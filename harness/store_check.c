/* Checking a database: SQLite's own checks, the schema of its version, and what must hold between rows. */
#include "harness/store_db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store.h"
#include "harness/store_file.h"

/* A query gives a line about each row that is wrong. Names without a schema also find what reports/older.sql puts in the
 * place of tables that an older file lacks. */
#define RUN_NAME(row) "'run ' || (SELECT substr(key, 1, 8) FROM run n WHERE n.run_id = " row ".run_id)"
#define RESULT_NAME   RUN_NAME("r") " || ', plan row ' || r.seq"
#define FAILURES      "('DIFF', 'NONDET', 'GUARD', 'CRASH', 'HANG')"

static const struct {
    const char *name, *sql;
} invariants[] = {
    {"every run has a key of 32 hex digits",
     "SELECT 'run ' || run_id FROM run WHERE length(key) <> 32 OR key GLOB '*[^0-9a-f]*'"},
    {"a plan row belongs to a run, a case and a device",
     "SELECT 'run ' || run_id || ', plan row ' || seq FROM plan p WHERE NOT EXISTS (SELECT 1 FROM run r WHERE"
     " r.run_id = p.run_id) OR NOT EXISTS (SELECT 1 FROM op_case c WHERE c.case_id = p.case_id) OR NOT EXISTS"
     " (SELECT 1 FROM run_device d WHERE d.run_id = p.run_id AND d.device_id = p.device_id)"},
    {"a run has as many plan rows as it planned", "SELECT 'run ' || substr(key, 1, 8) || ': ' || planned || "
                                                  "' planned, ' || (SELECT count(*) FROM plan p WHERE"
                                                  " p.run_id = run.run_id) FROM run WHERE planned IS NOT "
                                                  "NULL AND planned <> (SELECT count(*) FROM plan p WHERE"
                                                  " p.run_id = run.run_id)"},
    {"a result belongs to a plan row", "SELECT 'run ' || run_id || ', plan row ' || seq FROM result r WHERE "
                                       "NOT EXISTS (SELECT 1 FROM plan p WHERE"
                                       " p.run_id = r.run_id AND p.seq = r.seq)"},
    {"attempts are numbered from 1 without a gap",
     "SELECT " RESULT_NAME
     " FROM result r GROUP BY run_id, seq HAVING min(attempt) <> 1 OR max(attempt) <> count(*)"},
    {"no more elements differ, or were judged, than there are",
     "SELECT " RESULT_NAME
     " FROM result r WHERE differing > elems OR judged > elems OR min(differing, judged, elems) < 0"},
    {"no PASS at rung EXACT has differing bits",
     "SELECT " RESULT_NAME " FROM result r WHERE verdict = 'PASS' AND rung = 'EXACT' AND differing <> 0"},
    {"a PASS has a rung, an oracle and the digest of its output",
     "SELECT " RESULT_NAME
     " FROM result r WHERE verdict = 'PASS' AND (rung = '' OR oracle = '' OR (digest = ''"
     " AND elems > 0))"},
    {"a failure has a reason or differing bits",
     "SELECT " RESULT_NAME " FROM result r WHERE verdict IN " FAILURES " AND reason = '' AND differing = 0"},
    {"samples are whole 64-bit numbers with a median",
     "SELECT " RESULT_NAME " FROM result r WHERE samples IS NOT NULL AND (length(samples) % 8 <> 0 OR"
     " median_ns IS NULL)"},
    {"a run that ended with exit code 0 has a result for every plan row, and no failure that was not "
     "expected",
     "SELECT " RUN_NAME(
         "p") " || ', plan row ' || p.seq FROM plan p JOIN run USING (run_id) LEFT JOIN result r ON"
              " r.run_id = p.run_id AND r.seq = p.seq AND r.attempt = (SELECT max(attempt) FROM result m "
              "WHERE"
              " m.run_id = p.run_id AND m.seq = p.seq) WHERE run.exit_code = 0 AND (r.verdict IS NULL OR"
              " (r.verdict IN " FAILURES " AND r.expected IS NOT r.verdict))"},
    {"coverage is not above the total",
     "SELECT " RUN_NAME("c") " || ', ' || what FROM coverage c WHERE covered > total OR failed > total"
                             " OR min(total, covered, failed) < 0"},
    {"quartiles of a timing are in order",
     "SELECT " RUN_NAME(
         "b") " || ', bench ' || bench_id FROM bench b WHERE NOT (min_ns <= q1_ns AND q1_ns <= median_ns"
              " AND median_ns <= q3_ns)"},
    {"every timed sample of a PASS has the digest of its row",
     "SELECT " RUN_NAME(
         "b") " || ', bench ' || bench_id || ', sample ' || s.n FROM bench_sample s JOIN bench b"
              " USING (bench_id) WHERE b.verdict = 'PASS' AND s.digest <> b.digest"},
    {"a timing has all its samples, or none after a prune",
     "SELECT " RUN_NAME(
         "b") " || ', bench ' || bench_id FROM bench b WHERE rejected > count OR (EXISTS (SELECT 1 FROM"
              " bench_sample s WHERE s.bench_id = b.bench_id) AND count <> (SELECT count(*) FROM "
              "bench_sample s WHERE"
              " s.bench_id = b.bench_id))"},
    {"no PASS of a timing copied between host and device while it was timed",
     "SELECT " RUN_NAME(
         "b") " || ', bench ' || bench_id FROM bench b WHERE verdict = 'PASS' AND transfers <> 0"},
    {"JSON columns hold JSON",
     "SELECT 'settings of run ' || substr(key, 1, 8) FROM run WHERE NOT json_valid(settings) UNION ALL"
     " SELECT 'info of device ' || device_id FROM device WHERE NOT json_valid(info) UNION ALL"
     " SELECT 'probe of ' || label FROM run_device WHERE NOT json_valid(probe) UNION ALL"
     " SELECT 'trust ' || trust_id FROM trust WHERE NOT json_valid(record) UNION ALL"
     " SELECT 'coverage, ' || what FROM coverage WHERE NOT json_valid(detail)"},
};

static enum assay_status add(json_t *damage, const char *check, int64_t rows, const char *first,
                             struct assay_error *error)
{
    json_t *row = json_pack("{s:s, s:I, s:o}", "check", check, "rows", (json_int_t)rows, "first",
                            store_file_json(first));
    if (row && json_array_append_new(damage, row) == 0) return ASSAY_OK;
    return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "check: out of memory");
}

/* Rows of `sql` go to the list as one finding; none is fine. Pages that cannot be read are a finding too. */
static enum assay_status look(const struct store_file *file, const char *check, const char *sql,
                              const char *fine, json_t *damage, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    char first[400] = "";
    int64_t rows = 0;
    int code = sqlite3_prepare_v2(file->db, sql, -1, &statement, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        if ((code = sqlite3_step(statement)) != SQLITE_ROW) break;
        const char *text = (const char *)sqlite3_column_text(statement, 0);
        if (fine && text && strcmp(text, fine) == 0) continue;
        if (rows++ == 0) snprintf(first, sizeof first, "%s", text ? text : "a row");
    }
    sqlite3_finalize(statement);
    if ((code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB) {
        if (rows++ == 0) snprintf(first, sizeof first, "%s", sqlite3_errmsg(file->db));
        code = SQLITE_DONE;
    }
    if (code != SQLITE_DONE) return store_file_fail(file, "check the rows", error);
    return rows ? add(damage, check, rows, first, error) : ASSAY_OK;
}

#define OBJECTS                                                                                              \
    "SELECT m.type || ' ' || m.name || coalesce('.' || c.name || ' ' || c.type || CASE WHEN c.\"notnull\" "  \
    "THEN"                                                                                                   \
    " ' NOT NULL' ELSE '' END || CASE WHEN c.pk THEN ' key ' || c.pk ELSE '' END, '') AS x FROM"             \
    " main.sqlite_schema m LEFT JOIN pragma_table_info(m.name, 'main') c ON m.type = 'table' WHERE m.name "  \
    "NOT"                                                                                                    \
    " LIKE 'sqlite\\_%' ESCAPE '\\'"

/* Whatever a file of this version should have, and this one has not. */
static enum assay_status look_at_schema(const struct store_file *file, int64_t version, json_t *damage,
                                        struct assay_error *error)
{
    struct store_file model = {.path = ":memory:"};
    enum assay_status status = ASSAY_OK;
    char *list = NULL, *sql = NULL;
    if (sqlite3_open(":memory:", &model.db) != SQLITE_OK) status = store_file_fail(&model, "open", error);
    for (int64_t i = 0; status == ASSAY_OK && i < version; i++)
        status = store_file_run(&model, store_migrations[i], "create the tables", error);
    if (status == ASSAY_OK &&
        !(list = store_file_text(&model, "SELECT json_group_array(x) FROM (" OBJECTS ")", "list", error)))
        status = error->status;
    if (status == ASSAY_OK &&
        !(sql = sqlite3_mprintf("SELECT value FROM json_each(%Q) EXCEPT %s", list, OBJECTS)))
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "check: out of memory");
    if (status == ASSAY_OK)
        status = look(file, "the tables and columns of its version are there", sql, NULL, damage, error);
    sqlite3_free(sql);
    free(list);
    sqlite3_close(model.db);
    return status;
}

/* Is the file one that SQLite begins to read, and finds torn? */
static bool torn(const char *path)
{
    sqlite3 *db = NULL;
    char *uri = store_file_uri(path, "?mode=ro");
    int code = SQLITE_NOMEM;
    if (uri && sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL) == SQLITE_OK)
        code = sqlite3_exec(db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    sqlite3_close(db);
    free(uri);
    return code == SQLITE_CORRUPT;
}

enum assay_status store_check(const char *path, json_t **answer, struct assay_error *error)
{
    struct store_file file;
    int64_t version = 0, checks = 0;
    json_t *damage = json_array();
    *answer = NULL;
    enum assay_status status = store_file_read(path, &file, error);
    if (status == ASSAY_IO && torn(path)) {
        status = add(damage, "SQLite's integrity check", 1, error->text, error);
        checks = 1;
        goto end;
    }
    if (status == ASSAY_OK)
        status = store_file_number(&file, "PRAGMA main.user_version", "read the version", &version, error);
    if (status != ASSAY_OK) goto end;
    const struct {
        const char *name, *sql, *fine;
    } pragmas[] = {
        {"SQLite's integrity check", "PRAGMA main.integrity_check(50)", "ok"},
        {"every reference leads to a row",
         "SELECT \"table\" || ', row ' || coalesce(rowid, '?') || ', to ' || parent FROM "
         "pragma_foreign_key_check",
         NULL},
    };
    for (size_t i = 0; status == ASSAY_OK && i < sizeof pragmas / sizeof *pragmas; i++, checks++)
        status = look(&file, pragmas[i].name, pragmas[i].sql, pragmas[i].fine, damage, error);
    const size_t before = json_array_size(damage);
    if (status == ASSAY_OK) status = look_at_schema(&file, version, damage, error);
    const bool readable = json_array_size(damage) == before;
    checks++;
    /* Queries need the columns that they name. */
    for (size_t i = 0; status == ASSAY_OK && readable && i < sizeof invariants / sizeof *invariants;
         i++, checks++)
        status = look(&file, invariants[i].name, invariants[i].sql, NULL, damage, error);
end:
    sqlite3_close(file.db);
    if (status == ASSAY_OK) {
        *answer = json_pack("{s:o, s:I, s:I, s:O}", "path", store_file_json(path), "version",
                            (json_int_t)version, "checks", (json_int_t)checks, "damage", damage);
        if (!*answer) status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "check: out of memory");
    }
    json_decref(damage);
    return status;
}
