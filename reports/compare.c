/* A comparison of two sides: copies what was picked into a database in memory, asks compare.sql what changed, and
 * compare_time.c whether times did. It knows the names of the queries; tables are their business. */
#include "reports/compare.h"
#include "reports/compare_time.h"
#include "reports/database.h"
#include "reports/pick.h"
#include "reports/query.h"
#include "reports/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOISE_RUNS 5 /* earlier runs at least, before their scatter says anything */

extern const char assay_blob_reports_compare_sql[];

struct comparison {
    struct query_source source; /* the copy, in memory */
    struct compare_counts counts;
    double delta;
};

/* ---- copying ---- */

static enum assay_status bind_filter(sqlite3_stmt *statement, const char *filter)
{
    int at = sqlite3_bind_parameter_index(statement, ":filter");
    if (at) sqlite3_bind_text(statement, at, filter, -1, SQLITE_STATIC);
    return ASSAY_OK;
}

/* Every row of the file's query `read` becomes the arguments of the copy's statement `put`, behind the side. */
static enum assay_status copy(const struct query_source *from, const struct query_source *to, int side,
                              const char *filter, const char *read, const char *put)
{
    sqlite3_stmt *in = NULL, *out = NULL;
    int result = SQLITE_ERROR;
    enum assay_status status = query_prepare(from, read, &in);
    if (!status) status = query_prepare(to, put, &out);
    if (!status) status = bind_filter(in, filter);
    while (!status && (result = sqlite3_step(in)) == SQLITE_ROW) {
        sqlite3_bind_int(out, 1, side);
        for (int i = 0; i < sqlite3_column_count(in); i++)
            sqlite3_bind_value(out, i + 2, sqlite3_column_value(in, i));
        if (sqlite3_step(out) != SQLITE_DONE)
            status = database_fail(to->db, to->path, "copy a row", to->error);
        sqlite3_reset(out);
    }
    if (!status && result != SQLITE_DONE)
        status = database_fail(from->db, from->path, "read it", from->error);
    sqlite3_finalize(in);
    sqlite3_finalize(out);
    return status;
}

/* Rows that share their first columns and come one after the other. */
static bool same_group(sqlite3_stmt *statement, char *const key[], int columns)
{
    for (int i = 0; i < columns; i++)
        if (!key[i] || strcmp(key[i], query_column(statement, i)) != 0) return false;
    return true;
}

static double scatter(const double *y, size_t count, double *room)
{
    for (size_t i = 0; i + 1 < count; i++) room[i] = fabs(y[i + 1] - y[i]);
    return 1.4826 / M_SQRT2 * statistics_median(room, count - 1);
}

/* The scatter of ln(time) from run to run, as the differences of neighbours show it: a step in between changes but one. */
static enum assay_status copy_noise(const struct query_source *from, const struct query_source *to,
                                    const char *filter)
{
    enum { KEY = 4, MOST = 64 };
    sqlite3_stmt *in = NULL, *out = NULL;
    char *key[KEY] = {NULL};
    double y[MOST], room[MOST];
    size_t count = 0;
    int result = SQLITE_ERROR;
    enum assay_status status = query_prepare(from, "read_noise", &in);
    if (!status) status = query_prepare(to, "put_noise", &out);
    if (!status) status = bind_filter(in, filter);
    while (!status) {
        result = sqlite3_step(in);
        bool row = result == SQLITE_ROW, same = row && same_group(in, key, KEY);
        if (!same && count >= NOISE_RUNS) {
            for (int i = 0; i < KEY; i++) sqlite3_bind_text(out, i + 1, key[i], -1, SQLITE_STATIC);
            sqlite3_bind_int64(out, KEY + 1, (int64_t)count);
            sqlite3_bind_double(out, KEY + 2, scatter(y, count, room));
            if (sqlite3_step(out) != SQLITE_DONE)
                status = database_fail(to->db, to->path, "copy a row", to->error);
            sqlite3_reset(out);
        }
        if (!row) break;
        for (int i = 0; !same && i < KEY; i++) {
            free(key[i]);
            key[i] = strdup(query_column(in, i));
        }
        if (!same) count = 0;
        if (count < MOST) y[count++] = sqlite3_column_double(in, KEY + 1);
    }
    if (!status && result != SQLITE_DONE)
        status = database_fail(from->db, from->path, "read it", from->error);
    for (int i = 0; i < KEY; i++) free(key[i]);
    sqlite3_finalize(in);
    sqlite3_finalize(out);
    return status;
}

static enum assay_status copy_side(struct comparison *comparison, const struct compare_request *request,
                                   int side)
{
    static const struct {
        const char *read, *put;
    } first[] = {{"read_side", "put_side"}, {"read_device", "put_device"}, {"read_line", "put_line"}};
    const struct query_source *to = &comparison->source;
    const char *word = side && request->head ? request->head : request->base;
    struct query_source from = {.path = request->db, .file = to->file, .error = to->error};
    enum assay_status status = pick_open(request->db, word, &from.db, to->error);
    for (size_t i = 0; i < sizeof first / sizeof *first && !status; i++)
        status = copy(&from, to, side, "", first[i].read, first[i].put);
    sqlite3_close(from.db);
    return status;
}

/* Cells and times: once devices of both sides are matched. */
static enum assay_status copy_rows(struct comparison *comparison, const struct compare_request *request,
                                   int side)
{
    static const struct {
        const char *read, *put;
    } rows[] = {{"read_cell", "put_cell"},
                {"read_bench_cell", "put_cell"},
                {"read_time", "put_time"},
                {"read_run_time", "put_time"}};
    const struct query_source *to = &comparison->source;
    const char *word = side && request->head ? request->head : request->base;
    const char *filter = request->head ? "" : side ? "B" : "A";
    struct query_source from = {.path = request->db, .file = to->file, .error = to->error};
    enum assay_status status = pick_open(request->db, word, &from.db, to->error);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++)
        status = copy(&from, to, side, filter, rows[i].read, rows[i].put);
    if (!status && side == 0) status = copy_noise(&from, to, filter);
    sqlite3_close(from.db);
    return status;
}

/* What was measured again, with the cards matched as before. */
static enum assay_status copy_fresh(struct comparison *comparison, const char *path, int side)
{
    const struct query_source *to = &comparison->source;
    struct query_source from = {.path = path, .file = to->file, .error = to->error};
    enum assay_status status = pick_open(path, "all", &from.db, to->error);
    if (!status) status = copy(&from, to, 2 + side, "", "read_time", "put_time");
    sqlite3_close(from.db);
    return status;
}

/* ---- times ---- */

struct samples {
    double *ns, *mhz;
    size_t count, size, unusable;
};

struct pair {
    int64_t id, dev;
    char kernel[128], lane[16];
    char hash[2][256], driver[2][256]; /* of the first row; "" once two differ */
    double noise;
    struct samples side[2];
    bool fresh;
};

static enum assay_status pair_add(struct pair *pair, sqlite3_stmt *row, struct assay_error *error)
{
    int side = sqlite3_column_int(row, 4) != 0;
    struct samples *samples = &pair->side[side];
    bool first = samples->count + samples->unusable == 0;
    const char *hash = query_column(row, 7), *driver = query_column(row, 8);
    if (first) {
        snprintf(pair->hash[side], sizeof pair->hash[side], "%s", hash);
        snprintf(pair->driver[side], sizeof pair->driver[side], "%s", driver);
    } else {
        if (strcmp(pair->hash[side], hash) != 0) *pair->hash[side] = '\0';
        if (strcmp(pair->driver[side], driver) != 0) *pair->driver[side] = '\0';
    }
    if (!sqlite3_column_int(row, 9)) {
        samples->unusable++;
        return ASSAY_OK;
    }
    if (samples->count == samples->size) {
        size_t size = samples->size ? 2 * samples->size : 16;
        double *ns = realloc(samples->ns, size * sizeof *ns);
        if (ns) samples->ns = ns;
        double *mhz = ns ? realloc(samples->mhz, size * sizeof *mhz) : NULL;
        if (!mhz) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the timings of a cell");
        samples->mhz = mhz;
        samples->size = size;
    }
    samples->ns[samples->count] = sqlite3_column_double(row, 5);
    samples->mhz[samples->count++] = sqlite3_column_double(row, 6);
    return ASSAY_OK;
}

struct timed {
    int64_t id, dev;
    char *kernel, *lane;
    double noise;
    bool same_code;
};

struct times {
    struct timed *cell;
    struct compare_timing *timing;
    size_t count, size;
};

static enum assay_status times_add(struct comparison *comparison, struct times *times, struct pair *pair)
{
    struct assay_error *error = comparison->source.error;
    enum assay_status status = ASSAY_OK;
    /* A cell of one side alone is no comparison: the events say that it came or went. */
    if (pair->side[0].count + pair->side[0].unusable == 0 ||
        pair->side[1].count + pair->side[1].unusable == 0)
        return ASSAY_OK;
    if (times->count == times->size) {
        size_t size = times->size ? 2 * times->size : 256;
        struct timed *cell = realloc(times->cell, size * sizeof *cell);
        if (cell) times->cell = cell;
        struct compare_timing *timing = cell ? realloc(times->timing, size * sizeof *timing) : NULL;
        if (!timing) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the timings");
        times->timing = timing;
        times->size = size;
    }
    struct compare_side side[2];
    for (int s = 0; s < 2; s++)
        side[s] = (struct compare_side){.ns = pair->side[s].ns,
                                        .mhz = pair->side[s].mhz,
                                        .count = pair->side[s].count,
                                        .fresh = pair->fresh,
                                        .unusable = pair->side[s].unusable};
    status =
        compare_time(&side[0], &side[1], comparison->delta, pair->noise, &times->timing[times->count], error);
    if (status) return status;
    struct timed *cell = &times->cell[times->count];
    *cell = (struct timed){.id = pair->id,
                           .dev = pair->dev,
                           .kernel = strdup(pair->kernel),
                           .lane = strdup(pair->lane),
                           .noise = pair->noise,
                           .same_code = *pair->hash[0] && strcmp(pair->hash[0], pair->hash[1]) == 0 &&
                                        strcmp(pair->driver[0], pair->driver[1]) == 0};
    times->count++;
    if (!cell->kernel || !cell->lane)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the timings");
    return ASSAY_OK;
}

static enum assay_status times_read(struct comparison *comparison, struct times *times)
{
    sqlite3_stmt *in = NULL;
    struct pair *pair = calloc(1, sizeof *pair);
    bool open = false;
    int result = SQLITE_ERROR;
    if (!pair)
        return assay_error_set(comparison->source.error, ASSAY_OUT_OF_MEMORY, "no memory for the timings");
    enum assay_status status = query_prepare(&comparison->source, "times", &in);
    while (!status && (result = sqlite3_step(in)) == SQLITE_ROW) {
        bool same =
            open && pair->id == sqlite3_column_int64(in, 0) && pair->dev == sqlite3_column_int64(in, 1) &&
            strcmp(pair->kernel, query_column(in, 2)) == 0 && strcmp(pair->lane, query_column(in, 3)) == 0;
        if (!same) {
            if (open) status = times_add(comparison, times, pair);
            if (status) break;
            for (int s = 0; s < 2; s++) pair->side[s].count = pair->side[s].unusable = 0;
            pair->id = sqlite3_column_int64(in, 0);
            pair->dev = sqlite3_column_int64(in, 1);
            snprintf(pair->kernel, sizeof pair->kernel, "%s", query_column(in, 2));
            snprintf(pair->lane, sizeof pair->lane, "%s", query_column(in, 3));
            pair->noise = sqlite3_column_type(in, 11) == SQLITE_NULL ? NAN : sqlite3_column_double(in, 11);
            pair->fresh = sqlite3_column_int(in, 12) != 0;
            open = true;
        }
        status = pair_add(pair, in, comparison->source.error);
    }
    if (!status && result != SQLITE_DONE)
        status = database_fail(comparison->source.db, comparison->source.path, "read the timings",
                               comparison->source.error);
    if (!status && open) status = times_add(comparison, times, pair);
    sqlite3_finalize(in);
    for (int s = 0; s < 2; s++) {
        free(pair->side[s].ns);
        free(pair->side[s].mhz);
    }
    free(pair);
    return status;
}

static void bind_number(sqlite3_stmt *statement, int at, double value)
{
    if (isnan(value))
        sqlite3_bind_null(statement, at);
    else
        sqlite3_bind_double(statement, at, value);
}

static enum assay_status times_write(struct comparison *comparison, const struct times *times)
{
    sqlite3_stmt *out = NULL;
    enum assay_status status = query_prepare(&comparison->source, "put_timed", &out);
    for (size_t i = 0; i < times->count && !status; i++) {
        const struct timed *cell = &times->cell[i];
        const struct compare_timing *timing = &times->timing[i];
        bool changed = timing->verdict == COMPARE_REGRESSED || timing->verdict == COMPARE_IMPROVED;
        sqlite3_bind_int64(out, 1, cell->id);
        sqlite3_bind_int64(out, 2, cell->dev);
        sqlite3_bind_text(out, 3, cell->kernel, -1, SQLITE_STATIC);
        sqlite3_bind_text(out, 4, cell->lane, -1, SQLITE_STATIC);
        sqlite3_bind_int64(out, 5, (int64_t)timing->used[0]);
        sqlite3_bind_int64(out, 6, (int64_t)timing->used[1]);
        const double number[] = {timing->median_ns[0], timing->median_ns[1], timing->ratio, timing->low,
                                 timing->high,         timing->p_adjusted,   timing->delta, cell->noise};
        for (int k = 0; k < 8; k++) bind_number(out, 7 + k, number[k]);
        sqlite3_bind_text(out, 15, compare_verdict_name(timing->verdict), -1, SQLITE_STATIC);
        sqlite3_bind_int(out, 16, changed && cell->same_code);
        sqlite3_bind_int(out, 17, timing->fresh);
        sqlite3_bind_text(out, 18, timing->why, -1, SQLITE_STATIC);
        if (sqlite3_step(out) != SQLITE_DONE)
            status = database_fail(comparison->source.db, comparison->source.path, "note a timing",
                                   comparison->source.error);
        sqlite3_reset(out);
    }
    sqlite3_finalize(out);
    return status;
}

static enum assay_status compare_times(struct comparison *comparison)
{
    struct times times = {0};
    enum assay_status status = times_read(comparison, &times);
    if (!status) status = compare_decide(times.timing, times.count, comparison->source.error);
    if (!status) status = times_write(comparison, &times);
    for (size_t i = 0; i < times.count; i++) {
        free(times.cell[i].kernel);
        free(times.cell[i].lane);
    }
    free(times.cell);
    free(times.timing);
    return status;
}

/* ---- the comparison ---- */

static enum assay_status count_all(struct comparison *comparison)
{
    sqlite3_stmt *statement = NULL;
    enum assay_status status = query_prepare(&comparison->source, "counts", &statement);
    if (!status && sqlite3_step(statement) != SQLITE_ROW)
        status = database_fail(comparison->source.db, comparison->source.path, "count the changes",
                               comparison->source.error);
    if (!status) {
        struct compare_counts *counts = &comparison->counts;
        int64_t *const field[] = {&counts->compared,  &counts->worse,        &counts->other,
                                  &counts->regressed, &counts->improved,     &counts->same,
                                  &counts->ambiguous, &counts->inconclusive, &counts->machine};
        for (size_t i = 0; i < sizeof field / sizeof *field; i++)
            *field[i] = sqlite3_column_int64(statement, (int)i);
    }
    sqlite3_finalize(statement);
    return status;
}

/* Two words for the same runs would compare nothing with itself and find all well. */
static enum assay_status refuse_same(struct comparison *comparison)
{
    int64_t shared = 0;
    enum assay_status status = database_integer(
        comparison->source.db, comparison->source.path,
        "SELECT count(*) FROM side b JOIN side h ON b.side = 0 AND h.side = 1 AND b.key = h.key", &shared,
        comparison->source.error);
    if (!status && shared)
        status = assay_error_set(comparison->source.error, ASSAY_INVALID_INPUT,
                                 "BASE and HEAD share %" PRId64
                                 " run%s: a run compared with itself proves nothing "
                                 "(one word alone compares the sides A and B of a bench run)",
                                 shared, shared == 1 ? "" : "s");
    return status;
}

enum assay_status compare_make(const struct compare_request *request, struct comparison **out,
                               struct assay_error *error)
{
    *out = NULL;
    struct comparison *comparison = calloc(1, sizeof *comparison);
    if (!comparison) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a comparison");
    comparison->delta = request->delta > 0 ? request->delta : 0.01;
    comparison->source = (struct query_source){
        .path = "the comparison", .file = assay_blob_reports_compare_sql, .error = error};
    enum assay_status status = ASSAY_OK;
    if (sqlite3_open(":memory:", &comparison->source.db) != SQLITE_OK)
        status = database_fail(comparison->source.db, "the comparison", "be made", error);
    if (!status) status = markdown_register(comparison->source.db, error);
    if (!status) status = query_run(&comparison->source, "tables");
    if (!status) status = database_execute(comparison->source.db, "the comparison", "BEGIN", "begin", error);
    for (int side = 0; side < 2 && !status; side++) status = copy_side(comparison, request, side);
    if (!status && request->head) status = refuse_same(comparison);
    if (!status) status = query_run(&comparison->source, "match");
    for (int side = 0; side < 2 && !status; side++) status = copy_rows(comparison, request, side);
    for (int side = 0; side < 2 && !status; side++)
        if (request->fresh[side]) status = copy_fresh(comparison, request->fresh[side], side);
    if (!status) status = query_run(&comparison->source, "freshest");
    if (!status) status = query_run(&comparison->source, "events");
    if (!status) status = compare_times(comparison);
    if (!status) status = count_all(comparison);
    if (status) {
        compare_free(comparison);
        return status;
    }
    comparison->source.error = NULL;
    *out = comparison;
    return ASSAY_OK;
}

void compare_free(struct comparison *comparison)
{
    if (!comparison) return;
    sqlite3_close(comparison->source.db);
    free(comparison);
}

const struct compare_counts *compare_counts(const struct comparison *comparison)
{
    return &comparison->counts;
}

int compare_exit(const struct comparison *comparison, char *reason, size_t reason_bytes)
{
    const struct compare_counts *c = &comparison->counts;
    int64_t timings = c->regressed + c->improved + c->same + c->ambiguous + c->inconclusive + c->machine;
    int64_t settled = timings - c->ambiguous - c->inconclusive;
    snprintf(reason, reason_bytes,
             "%" PRId64 " cases compared, %" PRId64 " worse, %" PRId64 " other changes; %" PRId64
             " timings: %" PRId64 " regressed, %" PRId64 " improved, %" PRId64 " same, %" PRId64
             " ambiguous, %" PRId64 " inconclusive, %" PRId64 " changed with the machine",
             c->compared, c->worse, c->other, timings, c->regressed, c->improved, c->same, c->ambiguous,
             c->inconclusive, c->machine);
    if (c->worse || c->regressed) return 2;
    return c->compared || settled ? 0 : 3;
}

/* ---- text ---- */

static const struct query_section what[] = {
    {"sides", QUERY_TABLE, NULL, NULL},
    {"devices", QUERY_TABLE, NULL, "No device was opened on either side."},
};

static const struct query_section correctness[] = {
    {"worse", QUERY_FOLD, "## Correctness", NULL},
    {"other", QUERY_FOLD,
     "### Other changes\n\nNone of these fails a comparison; what differs in one way over many cases is one "
     "row.",
     NULL},
};

static const struct query_section times[] = {
    {"lanes", QUERY_TABLE, NULL, "No kernel was timed on both sides."},
    {"changed_times", QUERY_FOLD, "### Changed", NULL},
    {"unsure_times", QUERY_FOLD, "### Ambiguous: these are no passes", NULL},
    {"no_times", QUERY_FOLD, "### Inconclusive: too little was measured", NULL},
};

#define SECTIONS(array) array, sizeof array / sizeof *array

enum assay_status compare_markdown(struct comparison *comparison, struct text *text,
                                   struct assay_error *error)
{
    static const char *const word[] = {"PASSED", "ERROR", "FAILED", "NOTHING COMPARED"};
    static const struct query_section title = {"title", QUERY_LINES, NULL, NULL};
    char reason[400];
    struct query_source *source = &comparison->source;
    const struct compare_counts *c = &comparison->counts;
    source->error = error;
    int code = compare_exit(comparison, reason, sizeof reason);
    enum assay_status status = query_write(source, &title, 1, text);
    text_printf(text, "**%s** (exit %d): %s.\n\n", word[code], code, reason);
    if (!status) status = query_write(source, SECTIONS(what), text);
    if (!c->worse)
        text_printf(text,
                    "## Correctness\n\nNone of the %" PRId64
                    " cases that both sides judged has other bits, a worse verdict or a lower rung.\n\n",
                    c->compared);
    if (!status) status = query_write(source, SECTIONS(correctness), text);
    text_printf(text,
                "## Time\n\nOf medians of invocations, lane by lane. REGRESSED: the %.0f %% interval of the "
                "ratio lies "
                "above 1 + delta, p after Benjamini and Hochberg is below %g, and the clock cycles changed "
                "too, where "
                "clocks are known. SAME: the interval lies within delta. Anything else is AMBIGUOUS. delta "
                "is %.3g %%, or "
                "%d times the scatter of the cell between earlier runs where that is more. A change under "
                "the same code "
                "and driver is the machine's. `run` is the lane of the few samples beside a judged case.\n\n",
                100 * COMPARE_CONFIDENCE, COMPARE_RATE, 100 * comparison->delta, COMPARE_NOISES);
    if (!status) status = query_write(source, SECTIONS(times), text);
    source->error = NULL;
    return status;
}

enum assay_status compare_json(struct comparison *comparison, struct text *text, struct assay_error *error)
{
    char reason[400];
    sqlite3_stmt *statement = NULL;
    int code = compare_exit(comparison, reason, sizeof reason);
    comparison->source.error = error;
    enum assay_status status = query_prepare(&comparison->source, "json", &statement);
    if (!status && sqlite3_step(statement) != SQLITE_ROW)
        status = database_fail(comparison->source.db, comparison->source.path, "write JSON", error);
    if (!status) {
        const char *object = query_column(statement, 0);
        const struct compare_counts *c = &comparison->counts;
        text_printf(text,
                    "{\"exit\": %d, \"reason\": \"%s\", \"compared\": %" PRId64 ", \"worse\": %" PRId64
                    ", \"regressed\": %" PRId64 ", \"improved\": %" PRId64 ", \"same\": %" PRId64
                    ", \"ambiguous\": %" PRId64 ", \"inconclusive\": %" PRId64 ", \"machine\": %" PRId64
                    ", \"delta\": %.9g, %s\n",
                    code, reason, c->compared, c->worse, c->regressed, c->improved, c->same, c->ambiguous,
                    c->inconclusive, c->machine, comparison->delta, *object == '{' ? object + 1 : "}");
    }
    sqlite3_finalize(statement);
    comparison->source.error = NULL;
    return status;
}

enum assay_status compare_suspects(struct comparison *comparison,
                                   enum assay_status (*f)(void *context, const char *line, const char *device,
                                                          const char *kernel, const char *lane),
                                   void *context, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    comparison->source.error = error;
    enum assay_status status = query_prepare(&comparison->source, "suspects", &statement);
    while (!status && sqlite3_step(statement) == SQLITE_ROW)
        status = f(context, query_column(statement, 0), query_column(statement, 1),
                   query_column(statement, 2), query_column(statement, 3));
    sqlite3_finalize(statement);
    comparison->source.error = NULL;
    return status;
}
