/* Exports: choosing the runs, reading their rows, and the file that takes them. Formats are in export_*.c. */
#include "reports/export.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/database.h"
#include "reports/export_form.h"
#include "reports/pick.h"

extern const char assay_blob_reports_export_sql[];

static const struct {
    const char *name;
    enum assay_status (*write)(struct export *e);
} forms[EXPORT_FORMATS] = {
    [EXPORT_CSV] = {"csv", export_csv_write},
    [EXPORT_JSONL] = {"jsonl", export_jsonl_write},
    [EXPORT_JUNIT] = {"junit", export_junit_write},
    [EXPORT_SARIF] = {"sarif", export_sarif_write},
    [EXPORT_TAP] = {"tap", export_tap_write},
    [EXPORT_GITHUB] = {"github", export_github_write},
    [EXPORT_PROMETHEUS] = {"prometheus", export_prometheus_write},
};

const char *export_name(enum export_format format)
{
    return format < EXPORT_FORMATS ? forms[format].name : NULL;
}

/* ---- rows ---- */

const char *export_text(sqlite3_stmt *row, enum export_column column)
{
    const char *text = (const char *)sqlite3_column_text(row, (int)column);
    return text ? text : "";
}

bool export_is(sqlite3_stmt *row, enum export_column column, const char *text)
{
    return strcmp(export_text(row, column), text) == 0;
}

static enum assay_status query(struct export *e, const char *sql, int64_t run_id, int64_t device_id,
                               void (*each)(struct export *e, sqlite3_stmt *row, void *context),
                               void *context)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(e->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(statement, 1, run_id);
        if (sqlite3_bind_parameter_count(statement) > 1) sqlite3_bind_int64(statement, 2, device_id);
        while ((code = sqlite3_step(statement)) == SQLITE_ROW && !ferror(e->out)) each(e, statement, context);
    }
    sqlite3_finalize(statement);
    if (code == SQLITE_DONE || code == SQLITE_ROW) return ASSAY_OK; /* a failed write is told at the end */
    return database_fail(e->db, e->path, "read the rows", e->error);
}

enum assay_status export_query(struct export *e, const char *sql, int64_t run_id,
                               void (*each)(struct export *e, sqlite3_stmt *row, void *context),
                               void *context)
{
    return query(e, sql, run_id, -1, each, context);
}

/* The condition on a device stands in a query of its own: without one, nothing is compared. */
#define BENCH_ORDER " ORDER BY \"case\", device, kernel, lane, side, invocation"
static const char *const views[][2] = {
    {"SELECT * FROM export_result WHERE run = ?1 ORDER BY seq",
     "SELECT * FROM export_result WHERE run = ?1 AND device_id = ?2 ORDER BY seq"},
    {"SELECT * FROM export_bench WHERE run = ?1" BENCH_ORDER,
     "SELECT * FROM export_bench WHERE run = ?1 AND device_id = ?2" BENCH_ORDER},
    {"SELECT * FROM export_capped WHERE run = ?1",
     "SELECT * FROM export_capped WHERE run = ?1 AND device_id = ?2"},
};

enum assay_status export_rows(struct export *e, int64_t run_id, int64_t device_id,
                              void (*each)(struct export *e, sqlite3_stmt *row, void *context), void *context)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < sizeof views / sizeof *views; i++)
        status = query(e, views[i][device_id >= 0], run_id, device_id, each, context);
    return status;
}

static void add_counts(struct export *e, sqlite3_stmt *row, void *context)
{
    struct export_counts *counts = context;
    int64_t *const field[] = {&counts->rows, &counts->passed, &counts->failed, &counts->errored,
                              &counts->skipped};
    (void)e;
    for (int c = 0; c < 5; c++) *field[c] += sqlite3_column_int64(row, c);
    counts->seconds += sqlite3_column_double(row, 5);
}

enum assay_status export_count(struct export *e, int64_t run_id, int64_t device_id,
                               struct export_counts *counts)
{
#define COUNT(view)                                                                                          \
    "SELECT count(*), total(outcome = 'passed'), total(outcome = 'failed'), total(outcome IN ('errored', "   \
    "'not run')),"                                                                                           \
    " total(outcome IN ('skipped', 'not judged')), total(coalesce(wall_ns, median_ns, 0)) / 1e9 FROM " view  \
    " WHERE run = ?1 AND (?2 < 0 OR device_id = ?2)"
    static const char *const sql[] = {COUNT("export_result"), COUNT("export_bench"), COUNT("export_capped")};
#undef COUNT
    enum assay_status status = ASSAY_OK;
    *counts = (struct export_counts){0};
    for (size_t i = 0; status == ASSAY_OK && i < sizeof sql / sizeof *sql; i++)
        status = query(e, sql[i], run_id, device_id, add_counts, counts);
    return status;
}

/* ---- the runs ---- */

static enum assay_status load_runs(struct export *e)
{
    sqlite3_stmt *statement = NULL;
    int64_t count = 0;
    enum assay_status status =
        database_integer(e->db, e->path, "SELECT count(*) FROM temp.picked", &count, e->error);
    if (status != ASSAY_OK) return status;
    e->run = calloc((size_t)count + 1, sizeof *e->run);
    if (!e->run) return assay_error_set(e->error, ASSAY_OUT_OF_MEMORY, "export: out of memory");
    int code = sqlite3_prepare_v2(
        e->db, "SELECT run_id FROM temp.picked JOIN run USING (run_id) ORDER BY started_utc, run_id", -1,
        &statement, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        if ((code = sqlite3_step(statement)) != SQLITE_ROW || e->run_count == (size_t)count) break;
        e->run[e->run_count++] = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    if (code == SQLITE_DONE) return ASSAY_OK;
    return database_fail(e->db, e->path, "read the runs", e->error);
}

/* ---- the file ---- */

/* A file of another name that takes the place of `path` when it is whole; a pipe or a device is written as it is. */
static FILE *open_beside(const char *path, char **beside)
{
    struct stat found;
    *beside = NULL;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode)) return fopen(path, "we");
    if (asprintf(beside, "%s.%ld.tmp", path, (long)getpid()) < 0) {
        *beside = NULL;
        return NULL;
    }
    return fopen(*beside, "we");
}

static enum assay_status close_file(FILE *out, const char *path, char *beside, enum assay_status status,
                                    struct assay_error *error)
{
    const char *name = path ? path : "standard output";
    bool lost = ferror(out) || fflush(out) != 0;
    int reason = lost ? errno : 0;
    if (path && fclose(out) != 0 && !lost) {
        lost = true;
        reason = errno;
    }
    if (beside && status == ASSAY_OK && !lost && rename(beside, path) != 0) {
        lost = true;
        reason = errno;
    }
    if (beside && (status != ASSAY_OK || lost)) unlink(beside);
    if (status == ASSAY_OK && lost)
        status = assay_error_set(error, ASSAY_IO, "cannot write %.300s: %s", name,
                                 reason ? strerror(reason) : "the text was lost");
    return status;
}

enum assay_status export_write(const char *db_path, const char *run, enum export_format format,
                               const char *path, struct assay_error *error)
{
    struct export e = {.path = db_path, .error = error};
    char *beside = NULL;
    enum assay_status status = pick_open(db_path, run, &e.db, error);
    if (status == ASSAY_OK)
        status = database_execute(e.db, db_path, assay_blob_reports_export_sql, "prepare the export", error);
    if (status == ASSAY_OK) status = load_runs(&e);
    if (status != ASSAY_OK) goto end;
    e.out = path ? open_beside(path, &beside) : stdout;
    if (!e.out) {
        status = assay_error_set(error, ASSAY_IO, "cannot write %.300s: %s", path, strerror(errno));
        goto end;
    }
    status = close_file(e.out, path, beside, forms[format].write(&e), error);
end:
    free(beside);
    free(e.run);
    sqlite3_close(e.db);
    return status;
}
