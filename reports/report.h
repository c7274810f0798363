/* Reports out of the database: it sees SQLite, gnuplot and its own templates, nothing else of Assay. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include <stdint.h>
#include "devices/types.h"

/* Which plots are drawn: none, svg, png, all; NULL-terminated. */
#define REPORT_PLOTS_DEFAULT 1 /* svg */
extern const char *const report_plot_names[];

struct report_options {
    const char *run;    /* RUN, as reports/pick.h reads it; NULL = the latest */
    const char *folder; /* of report.md and the plots; NULL: the text alone, to standard output */
    const char *plots;  /* one of report_plot_names; NULL = none */
    char **text; /* not NULL: without a folder the text goes here, malloc'ed, and not to standard output */
};

/* Write the Markdown report of a run, or of the runs of one label as one, and its plots. report.md takes its place in
 * one step when they are drawn. Without gnuplot, or where it fails, it says so and is written without them. An
 * empty database and a RUN that means nothing are ASSAY_INVALID_INPUT with a sentence. */
enum assay_status report_write(const char *db_path, const struct report_options *options,
                               struct assay_error *error);

#endif
