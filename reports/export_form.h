/* What the formats of an export share: rows, text in each format's quoting, and the table of formats. Internal to
 * reports/export*.c. */
#ifndef ASSAY_EXPORT_FORM_H
#define ASSAY_EXPORT_FORM_H

#include <sqlite3.h>
#include <stdio.h>

#include "devices/types.h"

struct export
{
    sqlite3 *db;
    const char *path; /* of the database, for messages */
    FILE *out;
    int64_t *run; /* what was picked, in the order of time */
    size_t run_count;
    struct assay_error *error;
};

/* Columns of the views of export.sql, in their order; a test compares the names. */
enum export_column {
    ROW_KIND,
    ROW_RUN,
    ROW_RUN_KEY,
    ROW_STARTED,
    ROW_VERB,
    ROW_LEVEL,
    ROW_RUN_LABEL,
    ROW_SHARD,
    ROW_DEVICE,
    ROW_DEVICE_NAME,
    ROW_BACKEND,
    ROW_DRIVER,
    ROW_DEVICE_KEY,
    ROW_KERNEL,
    ROW_KERNEL_HASH,
    ROW_VARIANT,
    ROW_TECHNIQUE,
    ROW_MODE,
    ROW_CASE,
    ROW_OP,
    ROW_DTYPE,
    ROW_FILL,
    ROW_SEQ,
    ROW_ATTEMPT,
    ROW_VERDICT,
    ROW_EXPECTED,
    ROW_OUTCOME,
    ROW_RUNG,
    ROW_ORACLE,
    ROW_ORACLE_VERSION,
    ROW_ELEMS,
    ROW_JUDGED,
    ROW_DIFFERING,
    ROW_FIRST_INDEX,
    ROW_GOT,
    ROW_WANT,
    ROW_MAX_ULP,
    ROW_SCALED_F64,
    ROW_RMS_F64,
    ROW_ULP_F64,
    ROW_BOUND_F64,
    ROW_DIGEST,
    ROW_MEDIAN_NS,
    ROW_WALL_NS,
    ROW_LANE,
    ROW_SIDE,
    ROW_INVOCATION,
    ROW_Q1_NS,
    ROW_Q3_NS,
    ROW_MIN_NS,
    ROW_FLOPS,
    ROW_ROOFLINE,
    ROW_REASON,
    ROW_REPRO,
    ROW_WHY,
    ROW_SOURCE,
    ROW_RECORDED,
    ROW_DEVICE_ID, /* local number: in no format */
    ROW_COLUMNS
};

/* The text of a column, "" for NULL; lives until the next row. */
const char *export_text(sqlite3_stmt *row, enum export_column column);
bool export_is(sqlite3_stmt *row, enum export_column column, const char *text);

/* Call each(e, row, context) for every row of a run, on one device or (device_id < 0) on all: results in the order of the
 * plan, then timings, then capped cases. */
enum assay_status export_rows(struct export *e, int64_t run_id, int64_t device_id,
                              void (*each)(struct export *e, sqlite3_stmt *row, void *context),
                              void *context);
/* Call each() for every row of `sql`, whose ?1 is the run. */
enum assay_status export_query(struct export *e, const char *sql, int64_t run_id,
                               void (*each)(struct export *e, sqlite3_stmt *row, void *context),
                               void *context);

/* How many rows of what outcome, and the seconds that they took. */
struct export_counts {
    int64_t rows, passed, failed, errored, skipped; /* errored: 'not run' too; skipped: 'not judged' too */
    double seconds;
};
enum assay_status export_count(struct export *e, int64_t run_id, int64_t device_id,
                               struct export_counts *counts);

/* Text between the quotes of a format. */
enum export_quoting {
    QUOTE_JSON,            /* RFC 8259, without the quotation marks */
    QUOTE_XML,             /* an attribute's value or text of XML 1.0 */
    QUOTE_TAP,             /* a TAP description */
    QUOTE_GITHUB_MESSAGE,  /* of a workflow command */
    QUOTE_GITHUB_PROPERTY, /* title=..., file=... */
    QUOTE_PROMETHEUS,      /* a label's value */
};
void export_put(FILE *out, enum export_quoting quoting, const char *text);
/* The same with printf. Cut at 4,000 bytes. */
void export_printf(FILE *out, enum export_quoting quoting, const char *format, ...) ASSAY_PRINTF(3, 4);
/* `"name": ` and a column as a JSON value of its own type. */
void export_json(FILE *out, sqlite3_stmt *row, int column);
/* A field of RFC 4180, quoted where needed. */
void export_csv(FILE *out, const char *text);
/* "matmul.cases:17" as a path in the repository and a line; false where the case came from elsewhere. */
bool export_source(const char *source, char *file, size_t file_bytes, int64_t *line);

enum assay_status export_csv_write(struct export *e);
enum assay_status export_jsonl_write(struct export *e);
enum assay_status export_junit_write(struct export *e);
enum assay_status export_sarif_write(struct export *e);
enum assay_status export_tap_write(struct export *e);
enum assay_status export_github_write(struct export *e);
enum assay_status export_prometheus_write(struct export *e);

#endif
