/* Series of times with their change points, as a data file. Which runs and cells: the query's business. */
#include "reports/plot_history.h"
#include "reports/database.h"
#include "reports/history_series.h"
#include "reports/plot.h"
#include "reports/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAGNITUDE 0.01 /* smallest change of time that is marked, as assay history has it */

/* Of fewer points change points say nothing; a plain jump is marked all the same. */
#define SHORT      14
#define SHORT_SIDE 3
#define SHORT_STEP 0.05 /* of ln(time) */

enum { PAGE, SERIES, POSITION, RUN, DAY, NS, ERROR_, DRIVER, CODE }; /* columns */

struct word {
    char *text;
    uint32_t number;
};

struct cell {
    char *name;
    struct word driver, code; /* the latest */
    struct history_point *point;
    double *position, *run, *error; /* beside the points */
    size_t count, size;
};

static void cell_clear(struct cell *cell)
{
    free(cell->name);
    free(cell->driver.text);
    free(cell->code.text);
    free(cell->point);
    free(cell->position);
    *cell = (struct cell){0};
}

static bool cell_grow(struct cell *cell)
{
    if (cell->count < cell->size) return true;
    const size_t size = cell->size ? 2 * cell->size : 64;
    struct history_point *point = realloc(cell->point, size * sizeof *point);
    if (point) cell->point = point;
    double *numbers = malloc(3 * size * sizeof *numbers);
    if (!point || !numbers) {
        free(numbers);
        return false;
    }
    if (cell->count) {
        memcpy(numbers, cell->position, cell->count * sizeof *numbers);
        memcpy(numbers + size, cell->run, cell->count * sizeof *numbers);
        memcpy(numbers + 2 * size, cell->error, cell->count * sizeof *numbers);
    }
    free(cell->position);
    cell->position = numbers;
    cell->run = numbers + size;
    cell->error = numbers + 2 * size;
    cell->size = size;
    return true;
}

/* A number that is another one when the word is another than before. */
static uint32_t word_number(struct word *word, const char *next)
{
    if (!word->text || strcmp(word->text, next) != 0) {
        free(word->text);
        word->text = strdup(next);
        word->number++;
    }
    return word->number;
}

static bool cell_add(struct cell *cell, sqlite3_stmt *row)
{
    if (!cell_grow(cell)) return false;
    const size_t at = cell->count++;
    cell->point[at] = (struct history_point){.day = sqlite3_column_double(row, DAY),
                                             .y = log(sqlite3_column_double(row, NS)),
                                             .driver = word_number(&cell->driver, query_column(row, DRIVER)),
                                             .code = word_number(&cell->code, query_column(row, CODE))};
    cell->position[at] = sqlite3_column_double(row, POSITION);
    cell->run[at] = sqlite3_column_double(row, RUN);
    cell->error[at] =
        sqlite3_column_type(row, ERROR_) == SQLITE_FLOAT ? sqlite3_column_double(row, ERROR_) : NAN;
    return true;
}

static void number_put(struct text *data, double value)
{
    if (isfinite(value))
        text_printf(data, " %.9g", value);
    else
        text_put(data, " NaN");
}

/* Where a short series jumps, `count` if nowhere: all runs on one side lie beyond all on the other, by most, and the medians
 * lie apart by SHORT_STEP at least and three times the scatter within. */
static size_t short_step(const double *y, size_t count, double *room)
{
    size_t best = count;
    double widest = 0;
    for (size_t at = SHORT_SIDE; at + SHORT_SIDE <= count; at++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, middle[2];
        for (size_t i = 0; i < count; i++) {
            low[i >= at] = fmin(low[i >= at], y[i]);
            high[i >= at] = fmax(high[i >= at], y[i]);
        }
        const double gap = fmax(low[1] - high[0], low[0] - high[1]);
        memcpy(room, y, count * sizeof *room);
        middle[0] = statistics_median(room, at);
        middle[1] = statistics_median(room + at, count - at);
        for (size_t i = 0; i < count; i++) room[i] = fabs(y[i] - middle[i >= at]);
        const double shift = fabs(middle[1] - middle[0]);
        if (gap <= widest || shift < SHORT_STEP || shift < 3 * 1.4826 * statistics_median(room, count))
            continue;
        widest = gap;
        best = at;
    }
    return best;
}

static enum assay_status cell_write(struct cell *cell, struct text *data, struct assay_error *error)
{
    double *y = malloc(2 * (cell->count + 1) * sizeof *y);
    struct history_finding *finding = malloc((2 * cell->count + 1) * sizeof *finding);
    size_t found = 0;
    enum assay_status status = ASSAY_OK;
    if (!y || !finding)
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the history of a cell");
    if (!status) status = history_series(cell->point, cell->count, log1p(MAGNITUDE), finding, &found, error);
    if (status) goto done;
    for (size_t i = 0; i < cell->count; i++) y[i] = cell->point[i].y;
    const size_t jump = cell->count < SHORT ? short_step(y, cell->count, y + cell->count) : cell->count;
    const double middle = statistics_median(y, cell->count);
    text_put(data, "\n\n");
    plot_quote(data, cell->name);
    text_put(data, "\n");
    for (size_t i = 0; i < cell->count; i++) {
        const double ratio = exp(cell->point[i].y - middle);
        const bool other = i > 0 && (cell->point[i].driver != cell->point[i - 1].driver ||
                                     cell->point[i].code != cell->point[i - 1].code);
        bool changed = i == jump;
        for (size_t f = 0; f < found; f++)
            changed |= finding[f].at == i &&
                       (finding[f].kind == HISTORY_STEP || finding[f].kind == HISTORY_EXPLAINED);
        number_put(data, cell->position[i]);
        number_put(data, cell->run[i]);
        number_put(data, ratio);
        number_put(data, changed ? ratio : NAN);
        number_put(data, other ? ratio : NAN);
        number_put(data, cell->error[i]);
        text_put(data, "\n");
    }

done:
    free(finding);
    free(y);
    return status;
}

enum assay_status plot_history(const struct query_source *source, struct text *data, int *series)
{
    sqlite3_stmt *row = NULL;
    struct cell cell = {0};
    int result = SQLITE_DONE;
    enum assay_status status = query_prepare(source, "history", &row);
    *series = 0;
    while (!status && (result = sqlite3_step(row)) == SQLITE_ROW) {
        if (cell.name && strcmp(cell.name, query_column(row, SERIES)) != 0) {
            status = cell_write(&cell, data, source->error);
            cell_clear(&cell);
        }
        if (!cell.name && !status) {
            cell.name = strdup(query_column(row, SERIES));
            ++*series;
        }
        if (!status && (!cell.name || !cell_add(&cell, row)))
            status =
                assay_error_set(source->error, ASSAY_OUT_OF_MEMORY, "no memory for the history of a cell");
    }
    if (!status && result != SQLITE_DONE)
        status = database_fail(source->db, source->path, "read the history", source->error);
    if (!status && cell.name) status = cell_write(&cell, data, source->error);
    if (!status && data->failed)
        status = assay_error_set(source->error, ASSAY_OUT_OF_MEMORY, "no memory for the history of a cell");
    cell_clear(&cell);
    sqlite3_finalize(row);
    return status;
}
