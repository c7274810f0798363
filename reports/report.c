/* The Markdown report of a run: opens the database, runs the queries of report.sql, writes a file in one step.
 *
 * It knows the names of the queries and the order of the sections; what is in a table is the query's business. It knows
 * nothing of devices, kernels and the harness: only what they left in the database. */
#include "reports/report.h"
#include "reports/database.h"
#include "reports/markdown.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char assay_blob_reports_report_sql[];

struct report {
    sqlite3 *db;
    const char *path; /* of the database, for messages */
    struct text text;
    struct assay_error *error;
};

static enum assay_status report_fail(struct report *report, const char *act)
{
    return database_fail(report->db, report->path, act, report->error);
}

/* ---- the run ---- */

static enum assay_status pragma(struct report *report, const char *sql, int64_t *value)
{
    return database_integer(report->db, report->path, sql, value, report->error);
}

/* Choose the run, put it into the table `this`, and see that it has something to tell. */
static enum assay_status report_choose(struct report *report, int64_t run_id)
{
    int64_t first = 0, last = 0, found = 0, results = 0, planned = 0;
    char sql[160];
    enum assay_status status = pragma(report, "SELECT coalesce(min(run_id), 0) FROM run", &first);
    if (!status) status = pragma(report, "SELECT coalesce(max(run_id), 0) FROM run", &last);
    if (status) return status;
    if (last == 0)
        return assay_error_set(report->error, ASSAY_INVALID_INPUT,
                               "%.300s holds no run; `assay verify` and `assay run` record one",
                               report->path);
    if (run_id == 0) run_id = last;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM run WHERE run_id = %" PRId64, run_id);
    if ((status = pragma(report, sql, &found)) != ASSAY_OK) return status;
    if (!found)
        return assay_error_set(report->error, ASSAY_INVALID_INPUT,
                               "%.300s has no run %" PRId64 "; the first is %" PRId64 ", the last %" PRId64,
                               report->path, run_id, first, last);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM result WHERE run_id = %" PRId64, run_id);
    if ((status = pragma(report, sql, &results)) != ASSAY_OK) return status;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM plan WHERE run_id = %" PRId64, run_id);
    if ((status = pragma(report, sql, &planned)) != ASSAY_OK) return status;
    if (!results)
        return assay_error_set(report->error, ASSAY_INVALID_INPUT,
                               "run %" PRId64 " of %.300s has no results; it planned %" PRId64 " cases",
                               run_id, report->path, planned);
    snprintf(sql, sizeof sql,
             "CREATE TEMP TABLE this (run_id INTEGER, device_id INTEGER);"
             "INSERT INTO this VALUES (%" PRId64 ", NULL)",
             run_id);
    if (sqlite3_exec(report->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return report_fail(report, "choose the run");
    return ASSAY_OK;
}

/* ---- queries ---- */

/* The text of query `name`: from behind its heading line to the next heading. */
static const char *query_find(const char *name, size_t *bytes)
{
    static const char mark[] = "-- query: ";
    size_t length = strlen(name);
    for (const char *at = assay_blob_reports_report_sql; (at = strstr(at, mark)) != NULL;) {
        at += sizeof mark - 1;
        if (strncmp(at, name, length) != 0 || at[length] != '\n') continue;
        at += length;
        const char *end = strstr(at, mark);
        *bytes = end ? (size_t)(end - at) : strlen(at);
        return at;
    }
    return NULL;
}

static enum assay_status query_prepare(struct report *report, const char *name, sqlite3_stmt **statement)
{
    size_t bytes;
    const char *sql = query_find(name, &bytes);
    if (!sql)
        return assay_error_set(report->error, ASSAY_INTERNAL, "no query of report.sql is called %s", name);
    if (sqlite3_prepare_v2(report->db, sql, (int)bytes, statement, NULL) != SQLITE_OK) {
        char act[60];
        snprintf(act, sizeof act, "prepare the query %.30s", name);
        return report_fail(report, act);
    }
    return ASSAY_OK;
}

static const char *column(sqlite3_stmt *statement, int at)
{
    const char *string = (const char *)sqlite3_column_text(statement, at);
    return string ? string : "";
}

static void table_head(struct text *text, sqlite3_stmt *statement)
{
    int columns = sqlite3_column_count(statement);
    for (int at = 0; at < columns; at++) {
        const char *name = sqlite3_column_name(statement, at);
        text_printf(text, "| %.*s ", (int)(strlen(name) - (name[0] && name[strlen(name) - 1] == '>')), name);
    }
    text_put(text, "|\n");
    for (int at = 0; at < columns; at++) {
        const char *name = sqlite3_column_name(statement, at);
        text_put(text, name[0] && name[strlen(name) - 1] == '>' ? "| ---: " : "| --- ");
    }
    text_put(text, "|\n");
}

/* What becomes of a query's rows. */
enum shape {
    TABLE, /* one Markdown table */
    FOLD,  /* the same, folded away when it is long */
    LINES, /* the one column as paragraphs */
    BLOCKS /* the one column in fenced blocks */
};

#define FOLD_ROWS 12

static enum assay_status query_write(struct report *report, const char *name, enum shape shape,
                                     const char *heading, const char *empty)
{
    sqlite3_stmt *statement = NULL;
    struct text rows = {0};
    int64_t count = 0;
    int result;
    enum assay_status status = query_prepare(report, name, &statement);
    if (status) return status;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (count == 0 && shape <= FOLD) table_head(&rows, statement);
        if (shape == BLOCKS)
            markdown_fence(&rows, column(statement, 0));
        else if (shape == LINES)
            text_printf(&rows, "%s\n\n", column(statement, 0));
        else {
            for (int at = 0; at < sqlite3_column_count(statement); at++)
                text_printf(&rows, "| %s ", column(statement, at));
            text_put(&rows, "|\n");
        }
        count++;
    }
    if (result != SQLITE_DONE) {
        char act[60];
        snprintf(act, sizeof act, "run the query %.30s", name);
        status = report_fail(report, act);
        goto done;
    }
    if (count == 0 && !empty) goto done;
    if (heading) text_printf(&report->text, "%s\n\n", heading);
    if (count == 0) {
        text_printf(&report->text, "%s\n\n", empty);
        goto done;
    }
    bool fold = shape == FOLD && count > FOLD_ROWS;
    if (fold) text_printf(&report->text, "<details><summary>%" PRId64 " rows</summary>\n\n", count);
    text_put(&report->text, rows.data ? rows.data : "");
    if (fold) text_put(&report->text, "\n</details>\n");
    if (shape <= FOLD) text_put(&report->text, "\n");
    if (rows.failed)
        status = assay_error_set(report->error, ASSAY_OUT_OF_MEMORY, "no memory for the report's %s", name);

done:
    text_free(&rows);
    sqlite3_finalize(statement);
    return status;
}

/* ---- the report ---- */

struct section {
    const char *query;
    enum shape shape;
    const char *heading; /* NULL: belongs to the section above */
    const char *empty;   /* what to say without rows; NULL: leave the section out */
};

static const struct section opening[] = {
    {"title", LINES, NULL, NULL},
    {"verdict", LINES, NULL, NULL},
    {"failures", BLOCKS, "## What failed", "Nothing failed, and nothing went wrong in the machinery."},
    {"more_failures", FOLD, "### Further failures", NULL},
    {"failed_by", TABLE, "### Failures by device, kernel and fill", NULL},
    {"digests", TABLE, "### Different bits for one case",
     "Every exact case has one bit pattern, equal on all devices that gave one."},
    {"command", BLOCKS,
     "## How to reproduce\n\nThe program at the git revision below, in the repository's root:", NULL},
    {"run", TABLE, NULL, NULL},
    {"settings", FOLD, NULL, NULL},
    {"backends", TABLE,
     "## Backends\n\nWhat this database proves: a backend counts as validated when a run on a device "
     "of it had passes and no failure.",
     NULL},
};

static const struct section of_device[] = {
    {"passport", TABLE, NULL, NULL},
    {"traits", FOLD,
     "Measured arithmetic (operands tried, results that are not IEEE-754's):", "No traits are recorded."},
};

static const struct section closing[] = {
    {"not_opened", TABLE, "### Devices that were not opened", NULL},
    {"kernels", TABLE,
     "## Kernels\n\nErrors are against float64: scaled is the largest error over the largest value, "
     "ulp in units of the output format, the bound a proven one (above 1 breaks the proof). Times are "
     "device times of one run.",
     NULL},
    {"builds", FOLD, "Builds of these kernels, by the hash of the code as loaded:", NULL},
    {"fills", TABLE, "## Judged cases by device and fill", NULL},
    {"rungs", TABLE, "## What the passes rest on", "Nothing passed."},
    {"published", FOLD, "## Against tensors that others published",
     "No case of this run has tensors that others published."},
    {"reference_limited", FOLD, "## Limited by the reference", NULL},
    {"unjudged", FOLD, "## Not judged: dead references and nothing to prove by",
     "Every reference was alive, and every result had an oracle."},
    {"skip_reasons", TABLE,
     "## Skipped\n\nBy reason; where reasons differ in numbers alone, the first:", "Nothing was skipped."},
    {"skips", FOLD, "Each:", NULL},
    {"capped", FOLD, "## Left out by the level's work cap", "The level's work cap left nothing out."},
    {"not_run", FOLD, "## Planned and not run", NULL},
};

static enum assay_status sections_write(struct report *report, const struct section *section, size_t count)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; i < count && !status; i++)
        status =
            query_write(report, section[i].query, section[i].shape, section[i].heading, section[i].empty);
    return status;
}

static enum assay_status devices_write(struct report *report)
{
    sqlite3_stmt *statement = NULL;
    char sql[80];
    int result = SQLITE_DONE;
    int64_t count = 0;
    enum assay_status status = query_prepare(report, "devices", &statement);
    if (status) return status;
    text_put(&report->text, "## Devices\n\n");
    while (!status && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        count++;
        text_printf(&report->text, "### %s\n\n", column(statement, 1));
        snprintf(sql, sizeof sql, "UPDATE this SET device_id = %" PRId64,
                 (int64_t)sqlite3_column_int64(statement, 0));
        if (sqlite3_exec(report->db, sql, NULL, NULL, NULL) != SQLITE_OK)
            status = report_fail(report, "choose a device");
        else
            status = sections_write(report, of_device, sizeof of_device / sizeof of_device[0]);
    }
    if (!status && result != SQLITE_DONE) status = report_fail(report, "list the devices");
    if (count == 0) text_put(&report->text, "No device was opened.\n\n");
    sqlite3_finalize(statement);
    return status;
}

static enum assay_status report_make(struct report *report)
{
    size_t bytes;
    const char *sql = query_find("prepare", &bytes);
    char *prepare = sql ? strndup(sql, bytes) : NULL;
    if (!prepare) return assay_error_set(report->error, ASSAY_OUT_OF_MEMORY, "no memory for the report");
    int result = sqlite3_exec(report->db, prepare, NULL, NULL, NULL);
    free(prepare);
    if (result != SQLITE_OK) return report_fail(report, "read the run");
    enum assay_status status = sections_write(report, opening, sizeof opening / sizeof opening[0]);
    if (!status) status = devices_write(report);
    if (!status) status = sections_write(report, closing, sizeof closing / sizeof closing[0]);
    if (!status && report->text.failed)
        status = assay_error_set(report->error, ASSAY_OUT_OF_MEMORY, "no memory for the report");
    return status;
}

/* ---- writing ---- */

static bool write_all(int fd, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t count = write(fd, data, bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        data += count;
        bytes -= (size_t)count;
    }
    return true;
}

/* The whole text or nothing: a file beside `path` takes its place when it is complete. */
static enum assay_status file_write(const char *path, const struct text *text, struct assay_error *error)
{
    char *beside = NULL;
    int fd = -1;
    if (asprintf(&beside, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to write %.300s", path);
    fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) goto fail;
    if (!write_all(fd, text->data, text->used) || fsync(fd)) goto fail;
    int closed = close(fd);
    fd = -1;
    if (closed || rename(beside, path)) goto fail;
    free(beside);
    return ASSAY_OK;

fail:
    assay_error_set(error, ASSAY_IO, "cannot write the report %.300s: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    unlink(beside);
    free(beside);
    return ASSAY_IO;
}

enum assay_status report_write(const char *db_path, int64_t run_id, const char *path,
                               struct assay_error *error)
{
    struct report report = {.path = db_path, .error = error};
    enum assay_status status = database_open(db_path, &report.db, error);
    if (!status) status = markdown_register(report.db, error);
    /* One transaction: a run that is being written to is shown as it is at one moment. */
    if (!status && sqlite3_exec(report.db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        status = report_fail(&report, "begin to read it");
    if (!status) status = report_choose(&report, run_id);
    if (!status) status = report_make(&report);
    sqlite3_close(report.db);
    if (!status && path)
        status = file_write(path, &report.text, error);
    else if (!status && !write_all(STDOUT_FILENO, report.text.data, report.text.used))
        status = assay_error_set(error, ASSAY_IO, "cannot write the report to standard output: %s",
                                 strerror(errno));
    text_free(&report.text);
    return status;
}
