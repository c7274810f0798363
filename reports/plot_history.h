/* The history of cells as points to plot, with the runs in which their times changed. It sees the rows of one query. */
#ifndef ASSAY_PLOT_HISTORY_H
#define ASSAY_PLOT_HISTORY_H

#include "reports/query.h"

/* Append the blocks of a data file (two empty lines, the cell's name, its points) for the rows of the query `history`:
 * position of the run, its number, time / median, that value where the time changed (reports/history_series.h), that value
 * where code or driver changed, error; NaN for none. *series is how many cells. */
enum assay_status plot_history(const struct query_source *source, struct text *data, int *series);

#endif
