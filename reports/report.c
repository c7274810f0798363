/* The Markdown report of a run: opens the database, runs the queries of report.sql, writes a file in one step.
 *
 * It knows the names of the queries and the order of the sections; what is in a table is the query's business. It knows
 * nothing of devices, kernels and the harness: only what they left in the database. */
#include "reports/report.h"
#include "reports/database.h"
#include "reports/output.h"
#include "reports/query.h"

#include <inttypes.h>
#include <stdio.h>

extern const char assay_blob_reports_report_sql[];

struct report {
    struct query_source source;
    struct text text;
};

static enum assay_status report_fail(struct report *report, const char *act)
{
    return database_fail(report->source.db, report->source.path, act, report->source.error);
}

/* ---- the run ---- */

static enum assay_status pragma(struct report *report, const char *sql, int64_t *value)
{
    return database_integer(report->source.db, report->source.path, sql, value, report->source.error);
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
        return assay_error_set(report->source.error, ASSAY_INVALID_INPUT,
                               "%.300s holds no run; `assay verify` and `assay run` record one",
                               report->source.path);
    if (run_id == 0) run_id = last;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM run WHERE run_id = %" PRId64, run_id);
    if ((status = pragma(report, sql, &found)) != ASSAY_OK) return status;
    if (!found)
        return assay_error_set(report->source.error, ASSAY_INVALID_INPUT,
                               "%.300s has no run %" PRId64 "; the first is %" PRId64 ", the last %" PRId64,
                               report->source.path, run_id, first, last);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM result WHERE run_id = %" PRId64, run_id);
    if ((status = pragma(report, sql, &results)) != ASSAY_OK) return status;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM plan WHERE run_id = %" PRId64, run_id);
    if ((status = pragma(report, sql, &planned)) != ASSAY_OK) return status;
    if (!results)
        return assay_error_set(report->source.error, ASSAY_INVALID_INPUT,
                               "run %" PRId64 " of %.300s has no results; it planned %" PRId64 " cases",
                               run_id, report->source.path, planned);
    snprintf(sql, sizeof sql,
             "CREATE TEMP TABLE this (run_id INTEGER, device_id INTEGER);"
             "INSERT INTO this VALUES (%" PRId64 ", NULL)",
             run_id);
    if (sqlite3_exec(report->source.db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return report_fail(report, "choose the run");
    return ASSAY_OK;
}

/* ---- the report ---- */

static const struct query_section opening[] = {
    {"title", QUERY_LINES, NULL, NULL},
    {"verdict", QUERY_LINES, NULL, NULL},
    {"failures", QUERY_BLOCKS, "## What failed", "Nothing failed, and nothing went wrong in the machinery."},
    {"more_failures", QUERY_FOLD, "### Further failures", NULL},
    {"failed_by", QUERY_TABLE, "### Failures by device, kernel and fill", NULL},
    {"digests", QUERY_TABLE, "### Different bits for one case",
     "Every exact case has one bit pattern, equal on all devices that gave one."},
    {"command", QUERY_BLOCKS,
     "## How to reproduce\n\nThe program at the git revision below, in the repository's root:", NULL},
    {"run", QUERY_TABLE, NULL, NULL},
    {"settings", QUERY_FOLD, NULL, NULL},
    {"backends", QUERY_TABLE,
     "## Backends\n\nWhat this database proves: a backend counts as validated when a run on a device "
     "of it had passes and no failure.",
     NULL},
};

static const struct query_section of_device[] = {
    {"passport", QUERY_TABLE, NULL, NULL},
    {"traits", QUERY_FOLD,
     "Measured arithmetic (operands tried, results that are not IEEE-754's):", "No traits are recorded."},
};

static const struct query_section closing[] = {
    {"not_opened", QUERY_TABLE, "### Devices that were not opened", NULL},
    {"coverage", QUERY_TABLE,
     "## What was covered of each device\n\nEvery compute unit does the same exact work, memory is "
     "written and read back in a pattern and its complement, copies are checked on the other side. Units and "
     "bytes.",
     NULL},
    {"kernels", QUERY_TABLE,
     "## Kernels\n\nErrors are against float64: scaled is the largest error over the largest value, "
     "ulp in units of the output format, the bound a proven one (above 1 breaks the proof). Times are "
     "device times of one run.",
     NULL},
    {"builds", QUERY_FOLD, "Builds of these kernels, by the hash of the code as loaded:", NULL},
    {"fills", QUERY_TABLE, "## Judged cases by device and fill", NULL},
    {"rungs", QUERY_TABLE, "## What the passes rest on", "Nothing passed."},
    {"published", QUERY_FOLD, "## Against tensors that others published",
     "No case of this run has tensors that others published."},
    {"reference_limited", QUERY_FOLD, "## Limited by the reference", NULL},
    {"unjudged", QUERY_FOLD, "## Not judged: dead references and nothing to prove by",
     "Every reference was alive, and every result had an oracle."},
    {"skip_reasons", QUERY_TABLE,
     "## Skipped\n\nBy reason; where reasons differ in numbers alone, the first:", "Nothing was skipped."},
    {"skips", QUERY_FOLD, "Each:", NULL},
    {"capped", QUERY_FOLD, "## Left out by the level's work cap", "The level's work cap left nothing out."},
    {"not_run", QUERY_FOLD, "## Planned and not run", NULL},
};

static enum assay_status sections_write(struct report *report, const struct query_section *section,
                                        size_t count)
{
    return query_write(&report->source, section, count, &report->text);
}

static enum assay_status devices_write(struct report *report)
{
    sqlite3_stmt *statement = NULL;
    char sql[80];
    int result = SQLITE_DONE;
    int64_t count = 0;
    enum assay_status status = query_prepare(&report->source, "devices", &statement);
    if (status) return status;
    text_put(&report->text, "## Devices\n\n");
    while (!status && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        count++;
        text_printf(&report->text, "### %s\n\n", query_column(statement, 1));
        snprintf(sql, sizeof sql, "UPDATE this SET device_id = %" PRId64,
                 (int64_t)sqlite3_column_int64(statement, 0));
        if (sqlite3_exec(report->source.db, sql, NULL, NULL, NULL) != SQLITE_OK)
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
    enum assay_status status = query_run(&report->source, "prepare");
    if (status) return status;
    status = sections_write(report, opening, sizeof opening / sizeof opening[0]);
    if (!status) status = devices_write(report);
    if (!status) status = sections_write(report, closing, sizeof closing / sizeof closing[0]);
    if (!status && report->text.failed)
        status = assay_error_set(report->source.error, ASSAY_OUT_OF_MEMORY, "no memory for the report");
    return status;
}

enum assay_status report_write(const char *db_path, int64_t run_id, const char *path,
                               struct assay_error *error)
{
    struct report report = {
        .source = {.path = db_path, .file = assay_blob_reports_report_sql, .error = error}};
    enum assay_status status = database_open(db_path, &report.source.db, error);
    if (!status) status = markdown_register(report.source.db, error);
    /* One transaction: a run that is being written to is shown as it is at one moment. */
    if (!status && sqlite3_exec(report.source.db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        status = report_fail(&report, "begin to read it");
    if (!status) status = report_choose(&report, run_id);
    if (!status) status = report_make(&report);
    sqlite3_close(report.source.db);
    if (!status) status = output_write(path, &report.text, "the report", error);
    text_free(&report.text);
    return status;
}
