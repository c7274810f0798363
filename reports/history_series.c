/* Cuts, steps and drifts of one series. It knows statistics.h and no database. */
#include "reports/history_series.h"
#include "reports/history.h"
#include "reports/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CUT_LEAST   3    /* points on both sides, to say what a cut changed */
#define CUT_P       0.01 /* of no change; of few points, and asked once a cut */
#define DRIFT_TWICE 2    /* a drift counts from this many times the smallest change on */

struct work {
    const struct history_point *point;
    size_t count;
    double magnitude;
    double *y, *room, *day; /* count each */
    double *level;          /* what earlier findings took off */
    struct statistics_change *change;
    struct history_finding *finding;
    size_t *found;
    struct assay_error *error;
};

static void add(struct work *work, struct history_finding finding)
{
    work->finding[(*work->found)++] = finding;
}

/* From `at` on everything is shifted by what was found there, so that a drift is what no finding explains. */
static void take_off(struct work *work, size_t at, double change)
{
    for (size_t i = at; i < work->count; i++) work->level[i] += change;
}

static enum assay_status segment(struct work *work, size_t from, size_t to)
{
    struct statistics_rule rule = {.magnitude = work->magnitude};
    size_t changes = 0;
    for (size_t i = from; i < to; i++) work->y[i - from] = work->point[i].y;
    enum assay_status status =
        statistics_changes(work->y, to - from, &rule, work->change, &changes, work->error);
    for (size_t i = 0; i < changes && !status; i++) {
        const struct statistics_change *change = &work->change[i];
        double shift = change->after - change->before;
        add(work, (struct history_finding){.kind = HISTORY_STEP,
                                           .at = from + change->at,
                                           .change = shift,
                                           .p = change->p,
                                           .threshold = change->threshold});
        take_off(work, from + change->at, shift);
    }
    return status;
}

static double noise_of(struct work *work)
{
    size_t used = 0;
    for (size_t i = 0; i + 1 < work->count; i++)
        work->room[used++] = fabs(work->point[i + 1].y - work->point[i].y);
    return used ? 1.4826 / M_SQRT2 * statistics_median(work->room, used) : 0;
}

/* What a cut changed: a dozen points before it, after the last finding, against as many behind it. */
static enum assay_status cut(struct work *work, size_t before, size_t at, size_t after, double noise)
{
    enum { NEAR = 12 };
    struct history_finding finding = {
        .kind = HISTORY_CUT,
        .at = at,
        .p = NAN,
        .threshold = fmax(work->magnitude, 1.6 * noise),
        .driver = work->point[at].driver != work->point[at - 1].driver,
        .code = work->point[at].code != work->point[at - 1].code,
    };
    if (at - before > NEAR) before = at - NEAR;
    if (after - at > NEAR) after = at + NEAR;
    if (at - before >= CUT_LEAST && after - at >= CUT_LEAST) {
        struct statistics_shift shift;
        for (size_t i = before; i < after; i++) work->y[i - before] = work->point[i].y - work->level[i];
        enum assay_status status = statistics_compare(work->y, at - before, work->y + (at - before),
                                                      after - at, 0.95, &shift, work->error);
        if (status) return status;
        finding.p = shift.p;
        finding.change = shift.shift;
        /* Three against three cannot give a small p: then the size alone speaks. */
        bool few = at - before + (after - at) < 8;
        if ((shift.p < CUT_P || few) && fabs(shift.shift) >= finding.threshold * (few ? 2 : 1)) {
            finding.kind = HISTORY_EXPLAINED;
            take_off(work, at, shift.shift);
        }
    }
    add(work, finding);
    return ASSAY_OK;
}

/* Now against the best of the last 90 days, of what no finding explains. */
static enum assay_status drift(struct work *work, double noise)
{
    size_t count = work->count, first = count;
    struct statistics_trend trend;
    if (count < 3 * HISTORY_DRIFT) return ASSAY_OK;
    while (first > 0 && work->point[count - 1].day - work->point[first - 1].day <= HISTORY_DRIFT_DAYS)
        first--;
    size_t used = count - first, best_at = 0;
    if (used < 3 * HISTORY_DRIFT) return ASSAY_OK;
    for (size_t i = 0; i < used; i++) {
        work->y[i] = work->point[first + i].y - work->level[first + i];
        work->day[i] = work->point[first + i].day;
    }
    double best = INFINITY, now = 0;
    for (size_t i = 0; i + HISTORY_DRIFT <= used; i++) {
        memcpy(work->room, work->y + i, HISTORY_DRIFT * sizeof *work->y);
        now = statistics_median(work->room, HISTORY_DRIFT);
        if (now < best) best = now, best_at = i + HISTORY_DRIFT / 2;
    }
    double threshold = fmax(DRIFT_TWICE * work->magnitude, DRIFT_TWICE * noise);
    if (now - best < threshold) return ASSAY_OK;
    enum assay_status status = statistics_trend(work->day, work->y, used, &trend, work->error);
    if (status) return work->day[0] == work->day[used - 1] ? ASSAY_OK : status;
    if (trend.slope <= 0 || trend.p > HISTORY_DRIFT_P) return ASSAY_OK;
    add(work, (struct history_finding){.kind = HISTORY_DRIFTED,
                                       .at = first + best_at,
                                       .change = now - best,
                                       .p = trend.p,
                                       .threshold = threshold});
    return ASSAY_OK;
}

enum assay_status history_series(const struct history_point *point, size_t count, double magnitude,
                                 struct history_finding *finding, size_t *found, struct assay_error *error)
{
    struct work work = {.point = point,
                        .count = count,
                        .magnitude = magnitude,
                        .finding = finding,
                        .found = found,
                        .error = error};
    enum assay_status status = ASSAY_OK;
    *found = 0;
    if (count == 0) return ASSAY_OK;
    work.y = calloc(4 * count, sizeof *work.y);
    work.change = calloc(count, sizeof *work.change);
    if (!work.y || !work.change) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a series of %zu points", count);
        goto end;
    }
    work.room = work.y + count;
    work.day = work.y + 2 * count;
    work.level = work.y + 3 * count;
    double noise = noise_of(&work);
    size_t before = 0;
    for (size_t from = 0, to; from < count && !status; from = to) {
        for (to = from + 1;
             to < count && point[to].driver == point[from].driver && point[to].code == point[from].code;)
            to++;
        if (from > 0) status = cut(&work, before, from, to, noise);
        if (!status) status = segment(&work, from, to);
        before = from;
    }
    if (!status) status = drift(&work, noise);

end:
    free(work.change);
    free(work.y);
    return status;
}
