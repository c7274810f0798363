/* Exports that are read line by line: TAP 14, and workflow commands of GitHub Actions. */
#include "reports/export_form.h"

#include <string.h>

/* ---- TAP 14 (testanything.org) ---- */

static void tap_row(struct export *e, sqlite3_stmt *row, void *context)
{
    static const enum export_column shown[] = {
        ROW_VERDICT, ROW_REASON, ROW_KERNEL_HASH, ROW_ORACLE,   ROW_ELEMS,  ROW_DIFFERING, ROW_FIRST_INDEX,
        ROW_GOT,     ROW_WANT,   ROW_MAX_ULP,     ROW_EXPECTED, ROW_SOURCE, ROW_REPRO};
    int64_t *number = context;
    const bool passed = export_is(row, ROW_OUTCOME, "passed");
    const bool skipped = export_is(row, ROW_OUTCOME, "skipped") || export_is(row, ROW_OUTCOME, "not judged");
    fprintf(e->out, "%s %lld - ", passed || skipped ? "ok" : "not ok", (long long)++*number);
    export_put(e->out, QUOTE_TAP, export_text(row, ROW_DEVICE));
    if (*export_text(row, ROW_KERNEL)) {
        putc_unlocked(' ', e->out);
        export_put(e->out, QUOTE_TAP, export_text(row, ROW_KERNEL));
    }
    putc_unlocked(' ', e->out);
    export_put(e->out, QUOTE_TAP, export_text(row, ROW_CASE));
    if (export_is(row, ROW_KIND, "bench"))
        export_printf(e->out, QUOTE_TAP, " bench %s%s%s invocation %s", export_text(row, ROW_LANE),
                      *export_text(row, ROW_SIDE) ? " " : "", export_text(row, ROW_SIDE),
                      export_text(row, ROW_INVOCATION));
    if (skipped) {
        fputs_unlocked(" # SKIP ", e->out);
        if (!export_is(row, ROW_VERDICT, "SKIP"))
            export_printf(e->out, QUOTE_TAP, "%s: ", export_text(row, ROW_VERDICT));
        export_put(e->out, QUOTE_TAP, export_text(row, ROW_REASON));
    }
    putc_unlocked('\n', e->out);
    if (passed || skipped) return;
    /* A block of YAML whose scalars are JSON's, which YAML 1.2 contains. */
    fputs_unlocked("  ---\n", e->out);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (!*export_text(row, shown[i])) continue;
        fprintf(e->out, "  %s: \"", sqlite3_column_name(row, (int)shown[i]));
        export_put(e->out, QUOTE_JSON, export_text(row, shown[i]));
        fputs_unlocked("\"\n", e->out);
    }
    fputs_unlocked("  ...\n", e->out);
}

enum assay_status export_tap_write(struct export *e)
{
    struct export_counts counts;
    int64_t rows = 0, number = 0;
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < e->run_count; i++) {
        status = export_count(e, e->run[i], -1, &counts);
        rows += counts.rows;
    }
    if (status != ASSAY_OK) return status;
    fprintf(e->out, "TAP version 14\n1..%lld%s\n", (long long)rows,
            rows ? "" : " # SKIP no case was planned");
    for (size_t i = 0; status == ASSAY_OK && i < e->run_count; i++)
        status = export_rows(e, e->run[i], -1, tap_row, &number);
    return status;
}

/* ---- GitHub ---- */

#define ANNOTATIONS 10 /* of a kind that GitHub shows for a step */

struct annotated {
    int64_t shown;
    struct export_counts all;
};

static void annotate(struct export *e, sqlite3_stmt *row, void *context)
{
    struct annotated *annotated = context;
    char file[400];
    int64_t line;
    if (!export_is(row, ROW_OUTCOME, "failed") && !export_is(row, ROW_OUTCOME, "errored") &&
        !export_is(row, ROW_OUTCOME, "not run"))
        return;
    /* The last one that is shown says how many are not. */
    const int64_t bad = annotated->all.failed + annotated->all.errored;
    if (annotated->shown >= ANNOTATIONS - (bad > ANNOTATIONS)) return;
    annotated->shown++;
    fputs_unlocked("::error ", e->out);
    if (export_source(export_text(row, ROW_SOURCE), file, sizeof file, &line)) {
        fputs_unlocked("file=", e->out);
        export_put(e->out, QUOTE_GITHUB_PROPERTY, file);
        fprintf(e->out, ",line=%lld,", (long long)line);
    }
    fputs_unlocked("title=", e->out);
    export_printf(e->out, QUOTE_GITHUB_PROPERTY, "%s on %s",
                  *export_text(row, ROW_VERDICT) ? export_text(row, ROW_VERDICT) : "NOT RUN",
                  export_text(row, ROW_DEVICE));
    fputs_unlocked("::", e->out);
    export_put(e->out, QUOTE_GITHUB_MESSAGE, export_text(row, ROW_CASE));
    if (*export_text(row, ROW_REASON)) {
        export_put(e->out, QUOTE_GITHUB_MESSAGE, "\n");
        export_put(e->out, QUOTE_GITHUB_MESSAGE, export_text(row, ROW_REASON));
    }
    if (*export_text(row, ROW_REPRO)) {
        export_put(e->out, QUOTE_GITHUB_MESSAGE, "\n");
        export_put(e->out, QUOTE_GITHUB_MESSAGE, export_text(row, ROW_REPRO));
    }
    putc_unlocked('\n', e->out);
}

enum assay_status export_github_write(struct export *e)
{
    struct annotated annotated = {0};
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < e->run_count; i++) {
        struct export_counts counts;
        status = export_count(e, e->run[i], -1, &counts);
        annotated.all.rows += counts.rows;
        annotated.all.passed += counts.passed;
        annotated.all.failed += counts.failed;
        annotated.all.errored += counts.errored;
        annotated.all.skipped += counts.skipped;
    }
    const int64_t bad = annotated.all.failed + annotated.all.errored;
    for (size_t i = 0; status == ASSAY_OK && bad && i < e->run_count; i++)
        status = export_rows(e, e->run[i], -1, annotate, &annotated);
    if (status != ASSAY_OK) return status;
    if (bad > annotated.shown)
        fprintf(e->out, "::error title=assay::%lld more; `assay report` lists them all\n",
                (long long)(bad - annotated.shown));
    fprintf(e->out, "::%s title=assay::%lld passed, %lld failed, %lld errors or not run, %lld not judged\n",
            annotated.all.passed ? "notice" : "warning", (long long)annotated.all.passed,
            (long long)annotated.all.failed, (long long)annotated.all.errored,
            (long long)annotated.all.skipped);
    return ASSAY_OK;
}
