/* JUnit XML, as Jenkins, GitLab and others read it: a testsuite a run and device, a testcase a row. */
#include "reports/export_form.h"

#include <stdlib.h>
#include <string.h>

static void attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    export_put(out, QUOTE_XML, value);
    putc_unlocked('"', out);
}

/* What a failure has to show, a line each. */
static void details(FILE *out, sqlite3_stmt *row)
{
    static const struct {
        const char *name;
        enum export_column column;
    } lines[] = {{"kernel  ", ROW_KERNEL},      {"hash    ", ROW_KERNEL_HASH}, {"oracle  ", ROW_ORACLE},
                 {"differing ", ROW_DIFFERING}, {"first   ", ROW_FIRST_INDEX}, {"got     ", ROW_GOT},
                 {"want    ", ROW_WANT},        {"max ulp ", ROW_MAX_ULP},     {"digest  ", ROW_DIGEST},
                 {"expected ", ROW_EXPECTED},   {"why     ", ROW_WHY},         {"source  ", ROW_SOURCE},
                 {"repro   ", ROW_REPRO}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (*export_text(row, lines[i].column)) {
            fprintf(out, "\n%s ", lines[i].name);
            export_put(out, QUOTE_XML, export_text(row, lines[i].column));
        }
    putc_unlocked('\n', out);
}

static void testcase(struct export *e, sqlite3_stmt *row, void *context)
{
    const bool bench = export_is(row, ROW_KIND, "bench");
    const char *kernel = export_text(row, ROW_KERNEL), *verdict = export_text(row, ROW_VERDICT);
    const char *element = export_is(row, ROW_OUTCOME, "passed")   ? NULL
                          : export_is(row, ROW_OUTCOME, "failed") ? "failure"
                          : export_is(row, ROW_OUTCOME, "errored") || export_is(row, ROW_OUTCOME, "not run")
                              ? "error"
                              : "skipped";
    (void)context;
    fputs_unlocked("    <testcase", e->out);
    attribute(e->out, "classname", *kernel ? kernel : export_text(row, ROW_OP));
    fputs_unlocked(" name=\"", e->out);
    export_put(e->out, QUOTE_XML, export_text(row, ROW_CASE));
    if (bench)
        export_printf(e->out, QUOTE_XML, " [bench %s%s%s, invocation %s]", export_text(row, ROW_LANE),
                      *export_text(row, ROW_SIDE) ? " " : "", export_text(row, ROW_SIDE),
                      export_text(row, ROW_INVOCATION));
    fprintf(e->out, "\" time=\"%.6f\"",
            sqlite3_column_double(row, bench ? ROW_MEDIAN_NS : ROW_WALL_NS) / 1e9);
    if (!element) {
        fputs_unlocked("/>\n", e->out);
        return;
    }
    fprintf(e->out, ">\n      <%s", element);
    if (strcmp(element, "skipped") != 0) attribute(e->out, "type", *verdict ? verdict : "NOT RUN");
    fputs_unlocked(" message=\"", e->out);
    export_put(e->out, QUOTE_XML, *verdict ? verdict : "NOT RUN");
    export_put(e->out, QUOTE_XML, *export_text(row, ROW_REASON) ? ": " : "");
    export_put(e->out, QUOTE_XML, export_text(row, ROW_REASON));
    if (strcmp(element, "skipped") == 0) {
        fputs_unlocked("\"/>\n", e->out);
    } else {
        fputs_unlocked("\">", e->out);
        details(e->out, row);
        fprintf(e->out, "      </%s>\n", element);
    }
    fputs_unlocked("    </testcase>\n", e->out);
}

static void counts_attributes(FILE *out, const struct export_counts *counts)
{
    fprintf(out, " tests=\"%lld\" failures=\"%lld\" errors=\"%lld\" skipped=\"%lld\" time=\"%.6f\"",
            (long long)counts->rows, (long long)counts->failed, (long long)counts->errored,
            (long long)counts->skipped, counts->seconds);
}

static void property(FILE *out, const char *name, const char *value)
{
    fputs_unlocked("      <property", out);
    attribute(out, "name", name);
    attribute(out, "value", value);
    fputs_unlocked("/>\n", out);
}

/* Devices of a run: label, name, driver, key, number, and the run's words. */
static const char suites_sql[] =
    "SELECT v.label, d.name, d.driver, d.key, d.device_id, r.key, r.verb, r.level, r.label, r.shard, "
    "r.revision,"
    " r.engine || ' ' || r.engine_version, r.host, substr(r.started_utc, 1, 19), coalesce(r.exit_code, ''),"
    " coalesce(r.reason, 'the run has not ended') FROM run_device v JOIN device d USING (device_id) JOIN run "
    "r"
    " USING (run_id) WHERE run_id = ?1 ORDER BY v.rowid";

struct suites {
    int64_t run_id;
    enum assay_status status;
};

static void testsuite(struct export *e, sqlite3_stmt *row, void *context)
{
    static const char *const names[] = {"device", "driver", "device_key"};
    static const char *const run_names[] = {"run",   "verb",     "level",  "label",
                                            "shard", "revision", "engine", "host"};
    struct suites *suites = context;
    struct export_counts counts;
    if (suites->status != ASSAY_OK) return;
    const int64_t device_id = sqlite3_column_int64(row, 4);
    suites->status = export_count(e, suites->run_id, device_id, &counts);
    if (suites->status != ASSAY_OK) return;
    fputs_unlocked("  <testsuite name=\"", e->out);
    export_printf(e->out, QUOTE_XML, "%s %s", sqlite3_column_text(row, 0), sqlite3_column_text(row, 1));
    putc_unlocked('"', e->out);
    counts_attributes(e->out, &counts);
    attribute(e->out, "timestamp", (const char *)sqlite3_column_text(row, 13));
    fputs_unlocked(">\n    <properties>\n", e->out);
    for (int i = 0; i < 3; i++) property(e->out, names[i], (const char *)sqlite3_column_text(row, i + 1));
    for (int i = 0; i < 8; i++) property(e->out, run_names[i], (const char *)sqlite3_column_text(row, i + 5));
    property(e->out, "exit_code", (const char *)sqlite3_column_text(row, 14));
    property(e->out, "reason", (const char *)sqlite3_column_text(row, 15));
    fputs_unlocked("    </properties>\n", e->out);
    suites->status = export_rows(e, suites->run_id, device_id, testcase, NULL);
    fputs_unlocked("  </testsuite>\n", e->out);
}

enum assay_status export_junit_write(struct export *e)
{
    struct export_counts all = {0}, counts;
    struct suites suites = {.status = ASSAY_OK};
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < e->run_count; i++) {
        status = export_count(e, e->run[i], -1, &counts);
        all.rows += counts.rows;
        all.failed += counts.failed;
        all.errored += counts.errored;
        all.skipped += counts.skipped;
        all.seconds += counts.seconds;
    }
    if (status != ASSAY_OK) return status;
    fputs_unlocked("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\"", e->out);
    counts_attributes(e->out, &all);
    fputs_unlocked(">\n", e->out);
    for (size_t i = 0; status == ASSAY_OK && i < e->run_count; i++) {
        suites.run_id = e->run[i];
        status = export_query(e, suites_sql, e->run[i], testsuite, &suites);
        if (status == ASSAY_OK) status = suites.status;
    }
    fputs_unlocked("</testsuites>\n", e->out);
    return status;
}
