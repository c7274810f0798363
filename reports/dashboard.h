/* A folder of pages out of a database: devices, verdicts, what changed, every cell with its history. No server and no
 * network: the pages are opened as files. It sees the database and its own templates only. */
#ifndef ASSAY_DASHBOARD_H
#define ASSAY_DASHBOARD_H

#include "devices/types.h"

#define DASHBOARD_RUNS     60    /* newest runs that are shown; runs of one label count as one */
#define DASHBOARD_FAILURES 20000 /* newest failures that are shown with all they said */
#define DASHBOARD_CHANGES  2000  /* newest changes that are listed */

struct dashboard_counts {
    int64_t runs, devices; /* shown */
    int64_t cells, points; /* a cell is a case on a device by a kernel; a point is one run of it */
    int64_t failures;      /* in the runs shown, also those beyond DASHBOARD_FAILURES */
    int64_t changes;       /* as `assay history` tells them */
    int64_t files, bytes;
};

/* Write the pages into `folder`, which is there: index.html, cells.html, failures.html, cell.html and their data. Files of
 * an earlier dashboard are replaced, an index.html of something else is refused. A database without runs is
 * ASSAY_INVALID_INPUT with a sentence. */
enum assay_status dashboard_write(const char *db_path, const char *folder, struct dashboard_counts *counts,
                                  struct assay_error *error);

#endif
