/* Points of a dashboard become cells: a row of the list each, a history each, and counts by operator, device and run.
 * It knows no SQL and no page. */
#include "reports/dashboard_inside.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reports/statistics.h"

#define CELLS_A_FILE      10000
#define FAILURES_A_CELL   5       /* with all they said, on a cell's page */
#define POINTS_PER_DIGIT1 20000   /* more points: two digits, 256 files of histories */
#define POINTS_PER_DIGIT2 5000000 /* more: 4096 */
#define LOCAL             64      /* digests of one cell; further ones are not told apart */

/* Distinct texts of a cell. */
struct local {
    const char *text[LOCAL];
    size_t count;
};

struct walk {
    struct dashboard_site *site;
    struct text *history; /* by leading digits of the hash */
    size_t histories;
    struct text cases, ops, rows; /* of the file of cells that is filled */
    size_t file_cells, file_cases;
    uint32_t last_case;
    int64_t *count;    /* [card][op][slot][judged, timed][outcome] */
    uint32_t *failure; /* numbers of site->failures, by hash */
    size_t event;      /* next of site->events */
    double *room;
    size_t room_size;
};

static size_t local_of(struct local *local, const char *text)
{
    for (size_t i = 0; i < local->count; i++)
        if (strcmp(local->text[i], text) == 0) return i;
    if (local->count < LOCAL) local->text[local->count++] = text;
    return local->count - 1;
}

static void put_local(struct text *out, const char *name, const struct local *local)
{
    text_printf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < local->count; i++) {
        if (i) text_put(out, ",");
        dashboard_string(out, local->text[i]);
    }
    text_put(out, "]");
}

/* printf takes a tenth of the time of a million results. */
static void put_integer(struct text *out, int64_t value)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do *--at = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0) *--at = '-';
    text_add(out, at, (size_t)(digits + sizeof digits - at));
}

/* Six digits. */
static void put_ns(struct text *out, double ns)
{
    if (ns >= 1e5 && ns < 1e18)
        put_integer(out, llround(ns));
    else
        text_printf(out, "%.6g", ns);
}

static void put_hash(struct text *out, uint64_t hash)
{
    static const char digit[] = "0123456789abcdef";
    char text[18] = "\"";
    for (int i = 0; i < 16; i++) text[1 + i] = digit[hash >> (60 - 4 * i) & 15];
    text[17] = '"';
    text_add(out, text, sizeof text);
}

/* A number as the database has it, or one of its words. */
static void put_figure(struct text *out, const char *figure)
{
    const char *digit = figure + (*figure == '-');
    if (!*figure)
        text_put(out, "null");
    else if (*digit >= '0' && *digit <= '9')
        text_put(out, figure);
    else
        dashboard_string(out, figure);
}

static int64_t *counts_of(struct walk *walk, const struct dashboard_point *point, bool timed)
{
    const struct dashboard_site *site = walk->site;
    const size_t at = ((size_t)point->card * site->ops + site->op[point->case_id]) * (size_t)site->slots;
    return &walk->count[((at + point->slot) * 2 + timed) * OUTCOMES];
}

/* Worse outcomes come first in this order. */
static int severity(uint8_t outcome)
{
    static const int of[OUTCOMES] = {[OUTCOME_FAILED] = 5, [OUTCOME_ERRORED] = 4,  [OUTCOME_NOT_RUN] = 3,
                                     [OUTCOME_PASSED] = 2, [OUTCOME_UNJUDGED] = 1, [OUTCOME_SKIPPED] = 0};
    return outcome < OUTCOMES ? of[outcome] : 0;
}

/* What one cell is about to say in the list. */
struct cell {
    const struct dashboard_point *judged, *timed; /* the newest */
    double ns;
    uint8_t timed_outcome;
    struct local digests;
};

/* Of one slot of one lane: for judgements the worst, for timings the median of those that passed. */
static void put_slot(struct walk *walk, struct cell *cell, struct text *out,
                     const struct dashboard_point *point, size_t count, bool first)
{
    const struct dashboard_site *site = walk->site;
    const struct dashboard_point *worst = point;
    size_t passed = 0;
    double low = INFINITY, high = 0, median = NAN, roofline = NAN;
    for (size_t i = 0; i < count; i++) {
        if (severity(point[i].outcome) >= severity(worst->outcome)) worst = &point[i];
        if (point[i].outcome != OUTCOME_PASSED || !(point[i].ns > 0)) continue;
        walk->room[passed++] = point[i].ns;
        low = fmin(low, point[i].ns);
        high = fmax(high, point[i].ns);
        if (!isnan(point[i].roofline)) roofline = fmax(isnan(roofline) ? 0 : roofline, point[i].roofline);
    }
    if (passed) median = statistics_median(walk->room, passed);
    const char *digest = dashboard_word(site, worst->digest);
    text_put(out, first ? "[" : ",[");
    put_integer(out, worst->slot);
    text_put(out, ",");
    put_integer(out, worst->outcome);
    text_put(out, ",");
    dashboard_string(out, dashboard_word(site, worst->verdict));
    const int64_t fields[] = {*digest ? (int64_t)local_of(&cell->digests, digest) : -1, worst->kernel_id,
                              worst->device_id, worst->run_id};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        text_put(out, ",");
        put_integer(out, fields[i]);
    }
    text_put(out, ",");
    if (passed)
        put_ns(out, median);
    else
        text_put(out, "null");
    if (worst->lane == LANE_JUDGED) {
        text_put(out, ",");
        put_integer(out, worst->differing);
        text_put(out, ",");
        put_figure(out, dashboard_word(site, worst->ulp));
        cell->judged = worst;
        for (size_t i = 0; i < count; i++) counts_of(walk, point, false)[point[i].outcome]++;
        if (passed && !cell->timed) cell->ns = median;
    } else {
        if (passed)
            text_printf(out, ",%.6g,%.6g,%zu,", low, high, passed);
        else
            text_put(out, ",null,null,0,");
        if (isnan(roofline))
            text_put(out, "null");
        else
            text_printf(out, "%.4g", roofline);
        if (!cell->timed || cell->timed->slot != worst->slot ||
            severity(worst->outcome) > severity(cell->timed->outcome))
            cell->timed = worst;
        counts_of(walk, point, true)[worst->outcome]++;
        if (passed) cell->ns = median;
    }
    text_put(out, "]");
}

static enum assay_status put_lanes(struct walk *walk, struct cell *cell, struct text *out,
                                   const struct dashboard_point *point, size_t count)
{
    static const char *const name[LANES] = {"judged", "cold", "hot"};
    if (count > walk->room_size) {
        free(walk->room);
        walk->room = calloc(count, sizeof *walk->room);
        walk->room_size = walk->room ? count : 0;
        if (!walk->room) return dashboard_no_memory(walk->site);
    }
    for (int lane = 0; lane < LANES; lane++) {
        bool first = true;
        for (size_t at = 0, end; at < count; at = end) {
            for (end = at + 1;
                 end < count && point[end].slot == point[at].slot && point[end].lane == point[at].lane;)
                end++;
            if (point[at].lane != lane) continue;
            if (first) text_printf(out, ",\"%s\":[", name[lane]);
            put_slot(walk, cell, out, point + at, end - at, first);
            first = false;
        }
        if (!first) text_put(out, "]");
    }
    return ASSAY_OK;
}

static int note_place(const struct dashboard_note *note, const struct dashboard_point *point)
{
    if (note->case_id != point->case_id) return note->case_id < point->case_id ? -1 : 1;
    if (note->card != point->card) return note->card < point->card ? -1 : 1;
    if (note->kernel != point->kernel) return note->kernel < point->kernel ? -1 : 1;
    return 0;
}

/* The events of this cell; returns 2 for a new alert among them, 1 for an earlier one. */
static int put_events(struct walk *walk, struct text *out, const struct dashboard_point *point)
{
    const struct dashboard_notes *events = &walk->site->events;
    int flag = 0;
    bool first = true;
    while (walk->event < events->count && note_place(&events->note[walk->event], point) < 0) walk->event++;
    for (; walk->event < events->count && note_place(&events->note[walk->event], point) == 0; walk->event++) {
        const struct dashboard_note *note = &events->note[walk->event];
        text_put(out, first ? ",\"events\":[" : ",");
        text_add(out, events->text.data + note->at, note->bytes);
        first = false;
        if (note->alert && flag < 1) flag = 1;
        if (note->alert && note->fresh) flag = 2;
    }
    if (!first) text_put(out, "]");
    return flag;
}

/* The newest failures of this cell. */
static void put_failures(struct walk *walk, struct text *out, uint64_t hash)
{
    const struct dashboard_notes *failures = &walk->site->failures;
    size_t low = 0, high = failures->count, written = 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (failures->note[walk->failure[middle]].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < failures->count && written < FAILURES_A_CELL; low++) {
        const struct dashboard_note *note = &failures->note[walk->failure[low]];
        if (note->hash != hash) break;
        text_put(out, written++ ? "," : ",\"failures\":[");
        text_add(out, failures->text.data + note->at, note->bytes);
    }
    if (written) text_put(out, "]");
}

/* ---- the list ---- */

static enum assay_status flush(struct walk *walk)
{
    struct text json = {0};
    char name[32];
    if (!walk->file_cells) return ASSAY_OK;
    text_printf(&json, "{\"cases\":[%s],\n\"ops\":[%s],\n\"rows\":[", walk->cases.data, walk->ops.data);
    text_add(&json, walk->rows.data, walk->rows.used);
    text_put(&json, "]}");
    json.failed |= walk->cases.failed || walk->ops.failed || walk->rows.failed;
    snprintf(name, sizeof name, "cells-%zu", walk->site->cell_files);
    enum assay_status status = dashboard_data(walk->site, name, &json);
    text_free(&json);
    walk->site->cell_files++;
    walk->cases.used = walk->ops.used = walk->rows.used = 0;
    walk->file_cells = walk->file_cases = 0;
    return status;
}

static void put_row(struct walk *walk, const struct cell *cell, const struct dashboard_point *point,
                    uint64_t hash, int flag)
{
    const struct dashboard_site *site = walk->site;
    if (walk->file_cases == 0 || walk->last_case != point->case_id) {
        if (walk->file_cases) {
            text_put(&walk->cases, ",\n");
            text_put(&walk->ops, ",");
        }
        dashboard_string(&walk->cases, site->line[point->case_id]);
        text_printf(&walk->ops, "%" PRIu32, site->op[point->case_id]);
        walk->last_case = point->case_id;
        walk->file_cases++;
    }
    const struct dashboard_point *newest = cell->judged ? cell->judged : cell->timed;
    if (cell->timed && cell->judged && cell->timed->slot >= cell->judged->slot &&
        severity(cell->timed->outcome) > severity(cell->judged->outcome))
        newest = cell->timed;
    uint16_t slot = newest->slot;
    if (cell->timed && cell->timed->slot > slot) slot = cell->timed->slot;
    struct text *out = &walk->rows;
    const int64_t fields[] = {(int64_t)walk->file_cases - 1, newest->card, newest->kernel, newest->outcome};
    text_put(out, walk->file_cells++ ? ",\n[" : "[");
    put_hash(out, hash);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        text_put(out, ",");
        put_integer(out, fields[i]);
    }
    text_put(out, ",");
    dashboard_string(out, dashboard_word(site, newest->verdict));
    text_put(out, ",");
    put_integer(out, newest->differing);
    text_put(out, ",");
    if (cell->ns > 0)
        put_ns(out, cell->ns);
    else
        text_put(out, "null");
    text_put(out, ",");
    put_integer(out, slot);
    text_put(out, ",");
    put_integer(out, flag);
    text_put(out, "]");
}

static enum assay_status one_cell(struct walk *walk, const struct dashboard_point *point, size_t count)
{
    const struct dashboard_site *site = walk->site;
    const struct dashboard_card *card = &site->card[point->card];
    struct cell cell = {0};
    const uint64_t hash =
        dashboard_hash(card->backend, card->key, site->kernel[point->kernel], site->line[point->case_id]);
    struct text *out = &walk->history[hash >> (64 - 4 * site->history_digits)];
    const int64_t fields[] = {site->op[point->case_id], point->card, point->kernel};
    static const char *const names[] = {":{\"op\":", ",\"card\":", ",\"kernel\":"};
    text_put(out, out->used ? ",\n" : "{");
    put_hash(out, hash);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        text_put(out, names[i]);
        put_integer(out, fields[i]);
    }
    text_put(out, ",\"case\":");
    dashboard_string(out, site->line[point->case_id]);
    enum assay_status status = put_lanes(walk, &cell, out, point, count);
    if (status) return status;
    put_local(out, "digests", &cell.digests);
    const int flag = put_events(walk, out, point);
    put_failures(walk, out, hash);
    text_put(out, "}");
    put_row(walk, &cell, point, hash, flag);
    site->counts->cells++;
    return walk->file_cells == CELLS_A_FILE ? flush(walk) : ASSAY_OK;
}

/* ---- all of them ---- */

static void put_counts(struct walk *walk)
{
    struct dashboard_site *site = walk->site;
    const int64_t *count = walk->count;
    bool first = true;
    text_put(&site->index, "\"heat\":[");
    for (size_t card = 0; card < site->cards; card++)
        for (size_t op = 0; op < site->ops; op++)
            for (int64_t slot = 0; slot < site->slots; slot++)
                for (int timed = 0; timed < 2; timed++, count += OUTCOMES) {
                    int64_t all = 0;
                    for (int i = 0; i < OUTCOMES; i++) all += count[i];
                    if (!all) continue;
                    text_printf(&site->index, "%s[%zu,%zu,%" PRId64 ",%d", first ? "" : ",\n", card, op, slot,
                                timed);
                    for (int i = 0; i < OUTCOMES; i++) text_printf(&site->index, ",%" PRId64, count[i]);
                    text_put(&site->index, "]");
                    first = false;
                }
    text_put(&site->index, "],\n");
}

static int by_hash(const void *left, const void *right, void *context)
{
    const struct dashboard_notes *notes = context;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const uint64_t x = notes->note[a].hash, y = notes->note[b].hash;
    if (x != y) return x < y ? -1 : 1;
    return a < b ? -1 : a > b;
}

static enum assay_status write_histories(struct walk *walk)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; i < walk->histories && !status; i++) {
        char name[32];
        if (!walk->history[i].used) text_put(&walk->history[i], "{");
        text_put(&walk->history[i], "}");
        snprintf(name, sizeof name, "history-%0*zx", (int)walk->site->history_digits, i);
        status = dashboard_data(walk->site, name, &walk->history[i]);
        text_free(&walk->history[i]);
    }
    return status;
}

enum assay_status dashboard_cells(struct dashboard_site *site)
{
    struct walk walk = {.site = site};
    enum assay_status status = ASSAY_OK;
    site->history_digits = site->points > POINTS_PER_DIGIT2 ? 3 : site->points > POINTS_PER_DIGIT1 ? 2 : 1;
    walk.histories = (size_t)1 << (4 * site->history_digits);
    walk.history = calloc(walk.histories, sizeof *walk.history);
    walk.count = calloc(site->cards * site->ops * (size_t)site->slots * 2 * OUTCOMES + 1, sizeof *walk.count);
    walk.failure = calloc(site->failures.count + 1, sizeof *walk.failure);
    if (!walk.history || !walk.count || !walk.failure) {
        status = dashboard_no_memory(site);
        goto done;
    }
    for (size_t i = 0; i < site->failures.count; i++) walk.failure[i] = (uint32_t)i;
    qsort_r(walk.failure, site->failures.count, sizeof *walk.failure, by_hash, &site->failures);
    for (size_t at = 0, end; at < site->points && !status; at = end) {
        const struct dashboard_point *point = &site->point[at];
        for (end = at + 1; end < site->points; end++)
            if (site->point[end].case_id != point->case_id || site->point[end].card != point->card ||
                site->point[end].kernel != point->kernel)
                break;
        status = one_cell(&walk, point, end - at);
    }
    site->counts->points = (int64_t)site->points;
    if (!status) status = flush(&walk);
    if (!status) put_counts(&walk);
    if (!status) status = write_histories(&walk);

done:
    for (size_t i = 0; walk.history && i < walk.histories; i++) text_free(&walk.history[i]);
    free(walk.history);
    free(walk.count);
    free(walk.failure);
    free(walk.room);
    text_free(&walk.cases);
    text_free(&walk.ops);
    text_free(&walk.rows);
    return status;
}
