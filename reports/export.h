/* Runs in the forms that other programs read. It sees the database only.
 *
 * Every format is made of the same rows (export.sql): results with their last attempt, planned cases without one, capped
 * cases, timings of bench. A run of a million results is written as it is read. */
#ifndef ASSAY_EXPORT_H
#define ASSAY_EXPORT_H

#include "devices/types.h"

enum export_format {
    EXPORT_CSV,    /* RFC 4180: a header, quoted where needed, CRLF */
    EXPORT_JSONL,  /* an object a line, with the names of CSV's header */
    EXPORT_JUNIT,  /* testsuites: a testsuite a run and device, a testcase a row */
    EXPORT_SARIF,  /* 2.1.0: failures and errors alone */
    EXPORT_TAP,    /* version 14 */
    EXPORT_GITHUB, /* workflow commands: the first failures as annotations on the corpus line, then a count */
    EXPORT_PROMETHEUS, /* text format 0.0.4, without times, for a textfile collector */
    EXPORT_FORMATS
};

/* "csv", "jsonl", ... in the order above; NULL beyond. */
const char *export_name(enum export_format format);

/* Write the runs that `run` names (reports/pick.h; NULL = the latest) to `path` (NULL = standard output). A file appears
 * whole or not at all. Text that a format cannot carry (control characters in XML, bytes that are no UTF-8) becomes \xNN. */
enum assay_status export_write(const char *db_path, const char *run, enum export_format format,
                               const char *path, struct assay_error *error);

#endif
