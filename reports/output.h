/* Where a text goes: a file that takes its place in one step, or standard output. It knows no database. */
#ifndef ASSAY_OUTPUT_H
#define ASSAY_OUTPUT_H

#include "reports/markdown.h"

/* Write all of `text` to `path` (NULL = standard output). A file beside `path` takes its place when it is complete, so a
 * failure leaves the earlier one. `what` names the text in the error: "the report". */
enum assay_status output_write(const char *path, const struct text *text, const char *what,
                               struct assay_error *error);

#endif
