/* SQL functions that a report's queries need beside those of Markdown. It knows no table. */
#ifndef ASSAY_REPORT_FUNCTIONS_H
#define ASSAY_REPORT_FUNCTIONS_H

#include "devices/types.h"
#include <sqlite3.h>

/* Register on `db`:
 *   outcome(verdict, expected)  passed, failed, skipped, not judged, errored, not run (verdict NULL): docs/cli.md's table.
 *                               An expected failure that came counts as passed, one that did not come as failed
 *   axis(line, name)            the number of an axis of a case line: axis('matmul/f32/m=1,k=33/...', 'k') is 33; NULL
 *                               without it
 *   median(x) mad(x)            aggregates over numbers, NULL for none; mad is 1.4826 x the median distance from the median
 *   rate(work, ns)             aggregate: work / ns of the largest work in its shortest time; NULL for none
 *   shell(x)                    a word of a shell: in single quotes
 */
enum assay_status report_functions_register(sqlite3 *db, struct assay_error *error);

#endif
