/* Reports out of the database: it sees SQLite and its own templates, nothing else of Assay. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include <stdint.h>
#include "devices/types.h"

/* Write the Markdown report of a run (run_id 0 = the latest) to `path` (NULL = standard output), atomically. An empty
 * database, a run without results and a missing run are ASSAY_INVALID_INPUT with a sentence. */
enum assay_status report_write(const char *db_path, int64_t run_id, const char *path,
                               struct assay_error *error);

#endif
