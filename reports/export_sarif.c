/* SARIF 2.1.0 (OASIS, 2020): what failed, for code scanning. A run of a run, a rule a verdict; what passed or was skipped
 * is in the counts of the run's properties, since readers show every result as an alert. */
#include "reports/export_form.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *id, *text;
} rules[] = {
    {"DIFF", "Bits of the output differ from the one right answer."},
    {"NONDET", "Two runs of the same case gave different bits."},
    {"GUARD", "The kernel wrote outside of its output, left elements unwritten, or changed an input."},
    {"CRASH", "The process that ran the case ended by itself."},
    {"HANG", "The case gave no answer in its time."},
    {"ERROR", "The machinery failed; nothing was judged."},
    {"NOTRUN", "The run ended before the case had a result."},
    {"UNEXPECTED", "The case did not fail in the way that it was expected to."},
};
#define RULES (sizeof rules / sizeof *rules)

static size_t rule_of(sqlite3_stmt *row)
{
    const char *word = export_is(row, ROW_OUTCOME, "not run") ? "NOTRUN" : export_text(row, ROW_VERDICT);
    for (size_t i = 0; i < RULES; i++)
        if (strcmp(rules[i].id, word) == 0) return i;
    return RULES - 1;
}

static void string(FILE *out, const char *name, const char *text)
{
    fprintf(out, "\"%s\":\"", name);
    export_put(out, QUOTE_JSON, text);
    putc_unlocked('"', out);
}

/* A file name as a URI reference (RFC 3986): what is not unreserved is percent-encoded. */
static void uri(FILE *out, const char *path)
{
    for (const unsigned char *s = (const unsigned char *)path; *s; s++) {
        const bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') ||
                           strchr("-._~/", *s);
        fprintf(out, plain ? "%c" : "%%%02X", *s);
    }
}

static void result(struct export *e, sqlite3_stmt *row, void *context)
{
    bool *first = context;
    char file[400];
    int64_t line;
    if (!export_is(row, ROW_OUTCOME, "failed") && !export_is(row, ROW_OUTCOME, "errored") &&
        !export_is(row, ROW_OUTCOME, "not run"))
        return;
    const size_t rule = rule_of(row);
    fprintf(e->out, "%s{\"ruleId\":\"%s\",\"ruleIndex\":%zu,\"level\":\"error\",\"message\":{\"text\":\"",
            *first ? "" : ",\n", rules[rule].id, rule);
    *first = false;
    export_put(e->out, QUOTE_JSON, export_text(row, ROW_CASE));
    export_printf(e->out, QUOTE_JSON, " on %s (%s)", export_text(row, ROW_DEVICE),
                  export_text(row, ROW_DEVICE_NAME));
    if (*export_text(row, ROW_REASON)) {
        export_put(e->out, QUOTE_JSON, ": ");
        export_put(e->out, QUOTE_JSON, export_text(row, ROW_REASON));
    }
    if (*export_text(row, ROW_REPRO)) {
        export_put(e->out, QUOTE_JSON, "\n");
        export_put(e->out, QUOTE_JSON, export_text(row, ROW_REPRO));
    }
    fputs_unlocked("\"},\"locations\":[{", e->out);
    if (export_source(export_text(row, ROW_SOURCE), file, sizeof file, &line)) {
        fputs_unlocked("\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"", e->out);
        uri(e->out, file);
        fprintf(e->out, "\"},\"region\":{\"startLine\":%lld}},", (long long)line);
    }
    fputs_unlocked("\"logicalLocations\":[{", e->out);
    string(e->out, "name", export_text(row, ROW_KERNEL));
    putc_unlocked(',', e->out);
    string(e->out, "fullyQualifiedName", export_text(row, ROW_CASE));
    fputs_unlocked("}]}],\"partialFingerprints\":{\"assayCase/v1\":\"", e->out);
    export_printf(e->out, QUOTE_JSON, "%s|%s|%s", export_text(row, ROW_DEVICE_KEY),
                  export_text(row, ROW_KERNEL), export_text(row, ROW_CASE));
    fputs_unlocked("\"},\"properties\":{", e->out);
    static const enum export_column shown[] = {ROW_DEVICE, ROW_DEVICE_KEY, ROW_DRIVER,    ROW_KERNEL_HASH,
                                               ROW_ORACLE, ROW_ELEMS,      ROW_DIFFERING, ROW_FIRST_INDEX,
                                               ROW_GOT,    ROW_WANT,       ROW_MAX_ULP,   ROW_DIGEST};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (i) putc_unlocked(',', e->out);
        export_json(e->out, row, (int)shown[i]);
    }
    fputs_unlocked("}}", e->out);
}

static const char run_sql[] = "SELECT engine, revision, command, started_utc, ended_utc, exit_code, reason, "
                              "key, label, shard, level, verb"
                              " FROM run WHERE run_id = ?1";

struct run {
    int64_t id;
    bool first;
    enum assay_status status;
};

static void run(struct export *e, sqlite3_stmt *row, void *context)
{
    struct run *run = context;
    struct export_counts counts;
    const bool ended = sqlite3_column_type(row, 5) != SQLITE_NULL;
    const int64_t exit_code = sqlite3_column_int64(row, 5);
    run->status = export_count(e, run->id, -1, &counts);
    if (run->status != ASSAY_OK) return;
    fprintf(e->out, "%s{\"tool\":{\"driver\":{\"name\":\"assay\",", run->first ? "" : ",\n");
    run->first = false;
    string(e->out, "version", (const char *)sqlite3_column_text(row, 1));
    fputs_unlocked(",\"rules\":[", e->out);
    for (size_t i = 0; i < RULES; i++)
        fprintf(e->out, "%s{\"id\":\"%s\",\"shortDescription\":{\"text\":\"%s\"}}", i ? "," : "", rules[i].id,
                rules[i].text);
    fputs_unlocked("]}},\"invocations\":[{", e->out);
    string(e->out, "commandLine", (const char *)sqlite3_column_text(row, 2));
    putc_unlocked(',', e->out);
    string(e->out, "startTimeUtc", (const char *)sqlite3_column_text(row, 3));
    if (sqlite3_column_type(row, 4) != SQLITE_NULL) {
        putc_unlocked(',', e->out);
        string(e->out, "endTimeUtc", (const char *)sqlite3_column_text(row, 4));
    }
    if (ended) fprintf(e->out, ",\"exitCode\":%lld", (long long)exit_code);
    if (sqlite3_column_type(row, 6) != SQLITE_NULL) {
        putc_unlocked(',', e->out);
        string(e->out, "exitCodeDescription", (const char *)sqlite3_column_text(row, 6));
    }
    /* A failed case is a result; only a failure of the machinery makes an invocation unsuccessful. */
    fprintf(e->out, ",\"executionSuccessful\":%s}],", ended && exit_code != 1 ? "true" : "false");
    fputs_unlocked("\"automationDetails\":{\"id\":\"assay/", e->out);
    export_put(e->out, QUOTE_JSON, (const char *)sqlite3_column_text(row, 7));
    fprintf(e->out,
            "\"},\"properties\":{\"rows\":%lld,\"passed\":%lld,\"failed\":%lld,\"errored\":%lld,\"not_"
            "judged\":%lld",
            (long long)counts.rows, (long long)counts.passed, (long long)counts.failed,
            (long long)counts.errored, (long long)counts.skipped);
    for (int c = 7; c < 12; c++) {
        putc_unlocked(',', e->out);
        export_json(e->out, row, c);
    }
    fputs_unlocked("},\"results\":[\n", e->out);
    bool first = true;
    run->status = export_rows(e, run->id, -1, result, &first);
    fputs_unlocked("\n]}", e->out);
}

enum assay_status export_sarif_write(struct export *e)
{
    struct run state = {.first = true, .status = ASSAY_OK};
    enum assay_status status = ASSAY_OK;
    fputs_unlocked(
        "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[\n",
        e->out);
    for (size_t i = 0; status == ASSAY_OK && i < e->run_count; i++) {
        state.id = e->run[i];
        status = export_query(e, run_sql, e->run[i], run, &state);
        if (status == ASSAY_OK) status = state.status;
    }
    fputs_unlocked("\n]}\n", e->out);
    return status;
}
