/* A history: every series of the database, what happened in it, and the text of that. What counts as a change of a time is
 * history_series.c's business; of bits, any is. */
#include "reports/history.h"
#include "reports/database.h"
#include "reports/history_load.h"
#include "reports/history_series.h"
#include "reports/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORTEST 18 /* points, below which statistics_changes says nothing */

struct history {
    struct history_data data;
    struct query_source out; /* events, in memory */
    sqlite3_stmt *put;
    struct history_counts counts;
    double delta;
};

/* One row of `event`. NAN and negative runs are NULL. */
struct event {
    const char *kind;
    bool alert, fresh;
    const struct history_key *key;
    uint32_t device;
    const char *lane;
    size_t before, after; /* positions of runs */
    size_t since;         /* and of the one whose date is told */
    double change, p, threshold;
    const char *was, *now, *cause;
    size_t points;
};

static void bind_number(sqlite3_stmt *statement, int at, double value)
{
    if (isnan(value))
        sqlite3_bind_null(statement, at);
    else
        sqlite3_bind_double(statement, at, value);
}

static enum assay_status put_event(struct history *history, const struct event *event)
{
    struct history_data *data = &history->data;
    sqlite3_stmt *put = history->put;
    const char *label = data->device[event->device].label;
    const char *const text[] = {data->line[event->key->case_id], label ? label : "",
                                data->words.word[event->key->kernel], event->lane};
    sqlite3_bind_text(put, 1, event->kind, -1, SQLITE_STATIC);
    sqlite3_bind_int(put, 2, event->alert);
    sqlite3_bind_int(put, 3, event->fresh);
    for (int i = 0; i < 4; i++) sqlite3_bind_text(put, 4 + i, text[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 8, data->run[event->before].run_id);
    sqlite3_bind_int64(put, 9, data->run[event->after].run_id);
    sqlite3_bind_text(put, 10, data->run[event->since].started, -1, SQLITE_STATIC);
    bind_number(put, 11, event->change);
    bind_number(put, 12, event->p);
    bind_number(put, 13, event->threshold);
    sqlite3_bind_text(put, 14, event->was, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 15, event->now, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 16, event->cause, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 17, (int64_t)event->points);
    int result = sqlite3_step(put);
    sqlite3_reset(put);
    if (result != SQLITE_DONE)
        return database_fail(history->out.db, history->out.path, "note an event", history->out.error);
    return ASSAY_OK;
}

/* ---- times ---- */

struct series {
    struct history_point *point;
    uint32_t *run; /* of each point: position */
    double *room;
    struct history_finding *finding;
    size_t count, size;
};

static bool series_reserve(struct series *series, size_t rows)
{
    if (rows <= series->size) return true;
    free(series->point);
    free(series->run);
    free(series->room);
    free(series->finding);
    series->point = calloc(rows, sizeof *series->point);
    series->run = calloc(rows, sizeof *series->run);
    series->room = calloc(rows, sizeof *series->room);
    series->finding = calloc(2 * rows + 1, sizeof *series->finding);
    series->size = series->point && series->run && series->room && series->finding ? rows : 0;
    return series->size > 0;
}

/* One point a run: the median of its invocations, of all cards of the model. */
static void series_fill(struct series *series, const struct history_data *data, const struct history_row *row,
                        size_t rows)
{
    series->count = 0;
    for (size_t at = 0, end; at < rows; at = end) {
        for (end = at; end < rows && row[end].run == row[at].run; end++) series->room[end - at] = row[end].ns;
        series->point[series->count] = (struct history_point){
            .day = data->run[row[at].run].day,
            .y = log(statistics_median(series->room, end - at)),
            .driver = row[at].driver,
            .code = row[at].code,
        };
        series->run[series->count++] = row[at].run;
    }
}

/* "driver NVIDIA 580.1 -> NVIDIA 580.2, kernel 1111 -> 2222", or that neither changed. */
static void cause_of(const struct history *history, const struct series *series,
                     const struct history_finding *finding, char *cause, size_t bytes)
{
    const struct history_data *data = &history->data;
    const struct history_point *now = &series->point[finding->at], *was = finding->at ? now - 1 : now;
    char *const *word = data->words.word;
    size_t used = 0;
    if (finding->driver)
        used +=
            (size_t)snprintf(cause, bytes, "driver: %.80s to %.80s", word[was->driver], word[now->driver]);
    if (finding->code && used < bytes)
        used += (size_t)snprintf(cause + used, bytes - used, "%skernel: %.40s to %.40s", used ? "; " : "",
                                 word[was->code], word[now->code]);
    if (used) return;
    if (finding->kind == HISTORY_DRIFTED) {
        snprintf(cause, bytes, "little by little since the best, no step alone");
        return;
    }
    const struct history_run *before = &data->run[series->run[finding->at ? finding->at - 1 : 0]],
                             *after = &data->run[series->run[finding->at]];
    bool program = strcmp(before->revision, after->revision) != 0;
    snprintf(cause, bytes, "same kernel code and driver%s%.40s%s%.40s%s",
             program ? "; the program went from " : ": the machine", program ? before->revision : "",
             program ? " to " : "", program ? after->revision : "", "");
}

static enum assay_status tell_time(struct history *history, const struct series *series, size_t number,
                                   const struct history_finding *finding)
{
    struct history_data *data = &history->data;
    const struct history_key *key = &data->times.key[number];
    char cause[320];
    cause_of(history, series, finding, cause, sizeof cause);
    bool slower = finding->change > 0,
         told = finding->kind == HISTORY_STEP || finding->kind == HISTORY_DRIFTED;
    struct event event = {
        .kind = finding->kind == HISTORY_CUT         ? "cut"
                : finding->kind == HISTORY_EXPLAINED ? "explained"
                : finding->kind == HISTORY_DRIFTED   ? "drift"
                : slower                             ? "slower"
                                                     : "faster",
        .alert = told && slower,
        .key = key,
        .device = data->times.device[number],
        .lane = data->words.word[key->lane],
        .before = series->run[finding->at ? finding->at - 1 : 0],
        .after = series->run[finding->at],
        .since = series->run[finding->at],
        .change = isnan(finding->p) ? NAN : expm1(finding->change),
        .p = finding->p,
        .threshold = isnan(finding->p) ? NAN : expm1(finding->threshold),
        .was = "",
        .now = "",
        .cause = cause,
        .points = series->count,
    };
    /* A drift is there now; a step is new while its segment is short. */
    event.fresh =
        event.alert && (finding->kind == HISTORY_DRIFTED || series->count - finding->at <= HISTORY_NEW);
    if (finding->kind == HISTORY_DRIFTED) {
        event.before = series->run[finding->at];
        event.after = series->run[series->count - 1];
    }
    return put_event(history, &event);
}

static enum assay_status tell_times(struct history *history)
{
    struct history_table *times = &history->data.times;
    struct series series = {0};
    enum assay_status status = ASSAY_OK;
    for (size_t at = 0, end; at < times->count && !status; at = end) {
        size_t number = times->row[at].series, found = 0;
        for (end = at; end < times->count && times->row[end].series == number;) end++;
        if (!series_reserve(&series, end - at)) {
            status = assay_error_set(history->out.error, ASSAY_OUT_OF_MEMORY, "no memory for a series");
            break;
        }
        series_fill(&series, &history->data, times->row + at, end - at);
        history->counts.series++;
        history->counts.points += (int64_t)series.count;
        history->counts.shorts += series.count < SHORTEST;
        status = history_series(series.point, series.count, log1p(history->delta), series.finding, &found,
                                history->out.error);
        for (size_t i = 0; i < found && !status; i++)
            status = tell_time(history, &series, number, &series.finding[i]);
    }
    free(series.point);
    free(series.run);
    free(series.room);
    free(series.finding);
    return status;
}

/* ---- bits ---- */

static bool fails(const char *verdict)
{
    static const char *const harmless[] = {"PASS", "REFLIMITED", "SKIP", "DEADREF", "UNPROVEN"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (strcmp(verdict, harmless[i]) == 0) return false;
    return true;
}

/* Any other digest, verdict or error figure than the last time: no statistics. `left` rows of the series follow. */
static enum assay_status tell_bits(struct history *history, const struct history_row *was,
                                   const struct history_row *now, size_t runs_left)
{
    struct history_data *data = &history->data;
    char *const *word = data->words.word;
    char bits[2][24];
    const struct history_row *row[2] = {was, now};
    for (int i = 0; i < 2; i++)
        snprintf(bits[i], sizeof bits[i], "bits %08" PRIx32, (uint32_t)(row[i]->bits >> 32));
    struct event event = {.key = &data->bits.key[now->series],
                          .device = data->bits.device[now->series],
                          .lane = "",
                          .before = was->run,
                          .after = now->run,
                          .since = now->run,
                          .change = NAN,
                          .p = NAN,
                          .threshold = NAN,
                          .points = runs_left};
    char cause[320] = "";
    size_t used = 0;
    if (was->driver != now->driver)
        used += (size_t)snprintf(cause, sizeof cause, "driver: %.80s to %.80s", word[was->driver],
                                 word[now->driver]);
    if (was->code != now->code)
        snprintf(cause + used, sizeof cause - used, "%skernel: %.40s to %.40s", used ? "; " : "",
                 word[was->code], word[now->code]);
    event.cause = *cause ? cause : "same kernel code and driver";
    if (was->bits && now->bits && was->bits != now->bits) {
        event.kind = "bits";
        event.alert = true;
        event.was = bits[0];
        event.now = bits[1];
    } else if (was->verdict != now->verdict) {
        event.kind = "verdict";
        event.alert = fails(word[now->verdict]);
        event.was = word[was->verdict];
        event.now = word[now->verdict];
    } else if (was->rest != now->rest) {
        event.kind = "judgement";
        event.was = "oracle, rung or error figures";
        event.now = "differ";
    } else {
        return ASSAY_OK;
    }
    event.fresh = event.alert && runs_left <= HISTORY_NEW;
    return put_event(history, &event);
}

static enum assay_status tell_all_bits(struct history *history)
{
    struct history_table *bits = &history->data.bits;
    enum assay_status status = ASSAY_OK;
    for (size_t at = 0, end; at < bits->count && !status; at = end) {
        size_t runs = 1, run = 0;
        for (end = at + 1; end < bits->count && bits->row[end].series == bits->row[at].series; end++)
            runs += bits->row[end].run != bits->row[end - 1].run;
        history->counts.judged += runs > 1;
        for (size_t i = at + 1; i < end && !status; i++) {
            run += bits->row[i].run != bits->row[i - 1].run;
            const struct history_row *was = &bits->row[i - 1], *now = &bits->row[i];
            /* Two cards of a run, or two forms: they agree, or that is a change of bits too. */
            if (was->run == now->run && (was->bits == now->bits || !was->bits || !now->bits)) continue;
            status = tell_bits(history, was, now, runs - run);
        }
    }
    return status;
}

/* ---- the history ---- */

static enum assay_status certain(struct history *history)
{
    sqlite3_stmt *statement = NULL;
    enum assay_status status = query_prepare(&history->out, "certain", &statement);
    if (!status) sqlite3_bind_int64(statement, 1, history->counts.series ? history->counts.series : 1);
    if (!status && sqlite3_step(statement) != SQLITE_DONE)
        status = database_fail(history->out.db, history->out.path, "weigh the events", history->out.error);
    sqlite3_finalize(statement);
    return status;
}

static enum assay_status count_events(struct history *history)
{
    sqlite3_stmt *statement = NULL;
    struct history_counts *counts = &history->counts;
    int64_t *const field[] = {&counts->fresh, &counts->alerts,    &counts->bits,
                              &counts->steps, &counts->explained, &counts->drifts};
    enum assay_status status = query_prepare(&history->out, "counts", &statement);
    if (!status && sqlite3_step(statement) != SQLITE_ROW)
        status = database_fail(history->out.db, history->out.path, "count the events", history->out.error);
    for (size_t i = 0; i < sizeof field / sizeof *field && !status; i++)
        *field[i] = sqlite3_column_int64(statement, (int)i);
    sqlite3_finalize(statement);
    counts->runs = (int64_t)history->data.runs;
    return status;
}

enum assay_status history_make(const struct history_request *request, struct history **out,
                               struct assay_error *error)
{
    *out = NULL;
    struct history *history = calloc(1, sizeof *history);
    if (!history) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a history");
    history->delta = request->delta > 0 ? request->delta : 0.01;
    enum assay_status status = history_load(request, &history->data, error);
    history->out =
        (struct query_source){.path = "the history", .file = history->data.source.file, .error = error};
    if (!status && sqlite3_open(":memory:", &history->out.db) != SQLITE_OK)
        status = database_fail(history->out.db, "the history", "be made", error);
    if (!status) status = markdown_register(history->out.db, error);
    if (!status) status = query_run(&history->out, "tables");
    if (!status) status = database_execute(history->out.db, "the history", "BEGIN", "begin", error);
    if (!status) status = query_prepare(&history->out, "put_event", &history->put);
    if (!status) status = tell_times(history);
    if (!status) status = tell_all_bits(history);
    if (!status) status = certain(history);
    if (!status) status = count_events(history);
    if (status) {
        history_free(history);
        return status;
    }
    history->out.error = NULL;
    *out = history;
    return ASSAY_OK;
}

void history_free(struct history *history)
{
    if (!history) return;
    sqlite3_finalize(history->put);
    sqlite3_close(history->out.db);
    history_unload(&history->data);
    free(history);
}

const struct history_counts *history_counts(const struct history *history)
{
    return &history->counts;
}

int history_exit(const struct history *history, char *reason, size_t reason_bytes)
{
    const struct history_counts *c = &history->counts;
    snprintf(reason, reason_bytes,
             "%" PRId64 " new alerts, %" PRId64 " in all; %" PRId64 " runs, %" PRId64
             " series of times with %" PRId64 " points (%" PRId64 " too short), %" PRId64
             " series of digests; %" PRId64 " changes of bits, %" PRId64 " steps, %" PRId64
             " drifts, %" PRId64 " steps explained by driver or kernel",
             c->fresh, c->alerts, c->runs, c->series, c->points, c->shorts, c->judged, c->bits, c->steps,
             c->drifts, c->explained);
    if (c->fresh) return 2;
    return c->judged || c->series > c->shorts ? 0 : 3;
}

static const struct query_section sections[] = {
    {"alerts", QUERY_FOLD, "## Alerts", "None."},
    {"others", QUERY_FOLD,
     "## Other changes\n\nExplained by a driver or a kernel, faster, or beside the bits.", NULL},
    {"cuts", QUERY_FOLD, "## Where series were cut\n\nA new driver or kernel opens a new segment.", NULL},
};

enum assay_status history_markdown(struct history *history, struct text *text, struct assay_error *error)
{
    static const char *const word[] = {"PASSED", "ERROR", "ALERT", "TOO FEW RUNS"};
    char reason[400];
    int code = history_exit(history, reason, sizeof reason);
    history->out.error = error;
    text_put(text, "# History of ");
    markdown_escape(text, history->data.source.path);
    text_printf(
        text,
        "\n\n**%s** (exit %d): %s.\n\nTimes: one point a run, the median of its invocations; steps by "
        "E-divisive and a t test, at least max(%.3g %%, 1.6 times the scatter from night to night); drifts "
        "against the best %d points of %d days, from twice that on. A series is a case, device model, major "
        "version of the driver, lane and kernel. New is what began within the last %d points; older alerts "
        "stay listed and do not fail. docs/timing.md has the rules.\n\n",
        word[code], code, reason, 100 * history->delta, HISTORY_DRIFT, HISTORY_DRIFT_DAYS, HISTORY_NEW);
    enum assay_status status = query_write(&history->out, sections, sizeof sections / sizeof *sections, text);
    history->out.error = NULL;
    return status;
}

enum assay_status history_json(struct history *history, struct text *text, struct assay_error *error)
{
    char reason[400];
    sqlite3_stmt *statement = NULL;
    int code = history_exit(history, reason, sizeof reason);
    history->out.error = error;
    enum assay_status status = query_prepare(&history->out, "json", &statement);
    if (!status && sqlite3_step(statement) != SQLITE_ROW)
        status = database_fail(history->out.db, history->out.path, "write JSON", error);
    const struct history_counts *c = &history->counts;
    if (!status)
        text_printf(text,
                    "{\"exit\": %d, \"reason\": \"%s\", \"runs\": %" PRId64 ", \"series\": %" PRId64
                    ", \"points\": %" PRId64 ", \"new_alerts\": %" PRId64 ", \"alerts\": %" PRId64
                    ", \"events\": %s}\n",
                    code, reason, c->runs, c->series, c->points, c->fresh, c->alerts,
                    query_column(statement, 0));
    sqlite3_finalize(statement);
    history->out.error = NULL;
    return status;
}
