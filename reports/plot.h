/* Plots of a report, drawn by gnuplot: data files, a script out of the templates reports/plot*.gp, pictures beside the
 * report and the Markdown that shows them. Names stand in data files and never in the script.
 *
 * It knows the names of the queries of plot.sql and the folder; what is drawn is the queries' and templates' business. */
#ifndef ASSAY_PLOT_H
#define ASSAY_PLOT_H

#include "reports/query.h"

enum { PLOT_SVG = 1, PLOT_PNG = 2 }; /* formats, as bits */

/* Draw what there is into `folder` and append a section to `text`: a picture, and a sentence that says what to see.
 * `source` is open, and report.sql and report_time.sql have prepared it. Without gnuplot, and where it fails, the section
 * says so instead; only a database or a folder that cannot be used is an error. */
enum assay_status plot_write(const struct query_source *source, const char *folder, unsigned formats,
                             struct text *text);

/* Run `gnuplot SCRIPT` in `folder`, for 60 s at most. `why` says what went wrong. `program` is "gnuplot" but in tests. */
bool plot_run(const char *program, const char *folder, const char *script, char why[256]);

/* A name as part of a file's name: small letters, digits and '-', never empty. */
void plot_slug(const char *name, char slug[41]);
/* A name as a quoted word of a gnuplot data file: one line, no quotes inside, no backslash. */
void plot_quote(struct text *text, const char *name);

#endif
