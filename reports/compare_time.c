/* Verdicts on timings. It knows statistics.h and no database. */
#include "reports/compare_time.h"
#include "reports/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *compare_verdict_name(enum compare_verdict verdict)
{
    static const char *const names[] = {"INCONCLUSIVE", "AMBIGUOUS", "SAME", "IMPROVED", "REGRESSED"};
    return names[verdict];
}

static bool inside(const struct statistics_shift *shift, double delta)
{
    return exp(shift->low) >= 1 - delta && exp(shift->high) <= 1 + delta;
}

static bool beyond(const struct statistics_shift *shift, double delta)
{
    return exp(shift->low) > 1 + delta || exp(shift->high) < 1 - delta;
}

/* Logarithms of the times, or of the cycles, of invocations [from, count). False: a clock is unknown. */
static bool logarithms(const struct compare_side *side, size_t from, bool cycles, double *y)
{
    for (size_t i = from; i < side->count; i++) {
        if (cycles && !(side->mhz[i] > 0)) return false;
        y[i - from] = log(side->ns[i]) + (cycles ? log(side->mhz[i]) : 0);
    }
    return true;
}

enum assay_status compare_time(const struct compare_side *base, const struct compare_side *head, double delta,
                               double noise, struct compare_timing *timing, struct assay_error *error)
{
    const struct compare_side *side[2] = {base, head};
    struct statistics_shift shift = {0};
    double *y[2] = {NULL, NULL};
    enum assay_status status = ASSAY_OK;
    size_t from = 0;
    *timing = (struct compare_timing){
        .delta = delta, .p = NAN, .p_adjusted = NAN, .ratio = NAN, .low = NAN, .high = NAN};
    if (noise > 0) timing->delta = fmax(delta, expm1(COMPARE_NOISES * noise));
    for (int s = 0; s < 2; s++) {
        y[s] = malloc((side[s]->count + 1) * sizeof(double));
        if (!y[s]) {
            status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to compare two timings");
            goto end;
        }
        timing->used[s] = side[s]->count;
        memcpy(y[s], side[s]->ns, side[s]->count * sizeof(double));
        timing->median_ns[s] = statistics_median(y[s], side[s]->count);
        if (side[s]->unusable * 5 > side[s]->unusable + side[s]->count)
            snprintf(timing->why, sizeof timing->why, "%zu of %zu invocations of %s were set aside",
                     side[s]->unusable, side[s]->unusable + side[s]->count, s ? "HEAD" : "BASE");
    }
    if (base->count && head->count) timing->ratio = timing->median_ns[1] / timing->median_ns[0];
    if (*timing->why) goto end;
    if (base->count < COMPARE_LEAST || head->count < COMPARE_LEAST) {
        snprintf(timing->why, sizeof timing->why, "%zu and %zu invocations; %d of each are needed",
                 base->count, head->count, COMPARE_LEAST);
        goto end;
    }
    bool more = !base->fresh && base->count >= COMPARE_SCREEN + COMPARE_FRESH &&
                head->count >= COMPARE_SCREEN + COMPARE_FRESH;
    if (more) { /* What raised a suspicion cannot confirm it: the rest decides. */
        logarithms(base, 0, false, y[0]);
        logarithms(head, 0, false, y[1]);
        status =
            statistics_compare(y[0], COMPARE_SCREEN, y[1], COMPARE_SCREEN, COMPARE_CONFIDENCE, &shift, error);
        if (status) goto end;
        if (!inside(&shift, timing->delta)) from = COMPARE_SCREEN;
    }
    logarithms(base, from, false, y[0]);
    logarithms(head, from, false, y[1]);
    status = statistics_compare(y[0], base->count - from, y[1], head->count - from, COMPARE_CONFIDENCE,
                                &shift, error);
    if (status) goto end;
    timing->fresh = from > 0 || base->fresh;
    timing->tested = true;
    timing->p = shift.p;
    timing->ratio = exp(shift.shift);
    timing->low = exp(shift.low);
    timing->high = exp(shift.high);
    for (int s = 0; s < 2; s++) {
        timing->used[s] = side[s]->count - from;
        double *ns = y[s];
        memcpy(ns, side[s]->ns + from, timing->used[s] * sizeof *ns);
        timing->median_ns[s] = statistics_median(ns, timing->used[s]);
    }
    if (beyond(&shift, timing->delta) && logarithms(base, from, true, y[0]) &&
        logarithms(head, from, true, y[1])) {
        struct statistics_shift cycles;
        status = statistics_compare(y[0], timing->used[0], y[1], timing->used[1], COMPARE_CONFIDENCE, &cycles,
                                    error);
        if (!status)
            timing->same_in_cycles = !beyond(&cycles, timing->delta) || cycles.shift * shift.shift < 0;
    }

end:
    free(y[0]);
    free(y[1]);
    return status;
}

static void decide(struct compare_timing *timing)
{
    bool sure = timing->p_adjusted < COMPARE_RATE;
    bool slower = timing->low > 1 + timing->delta, faster = timing->high < 1 - timing->delta;
    timing->verdict = COMPARE_AMBIGUOUS;
    if (timing->low >= 1 - timing->delta && timing->high <= 1 + timing->delta)
        timing->verdict = COMPARE_SAME;
    else if ((slower || faster) && timing->same_in_cycles)
        snprintf(timing->why, sizeof timing->why,
                 "the time changed, the clock cycles did not: the clock did");
    else if ((slower || faster) && sure)
        timing->verdict = slower ? COMPARE_REGRESSED : COMPARE_IMPROVED;
    else if (slower || faster)
        snprintf(timing->why, sizeof timing->why,
                 "looks %s, too few invocations to be sure among so many timings",
                 slower ? "slower" : "faster");
    else
        snprintf(timing->why, sizeof timing->why, "the interval reaches beyond delta%s",
                 timing->p < 0.05 ? ", and something changed" : "");
}

enum assay_status compare_decide(struct compare_timing *timings, size_t count, struct assay_error *error)
{
    double *p = malloc((count + 1) * sizeof *p);
    if (!p) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to judge %zu timings", count);
    enum assay_status status = ASSAY_OK;
    /* Fresh measurements were made of suspects alone, so they are a family of their own. */
    for (int fresh = 0; fresh < 2 && !status; fresh++) {
        size_t used = 0;
        for (size_t i = 0; i < count; i++)
            if (timings[i].tested && timings[i].fresh == fresh) p[used++] = timings[i].p;
        status = statistics_adjust(p, used, error);
        used = 0;
        for (size_t i = 0; i < count && !status; i++)
            if (timings[i].tested && timings[i].fresh == fresh) timings[i].p_adjusted = p[used++];
    }
    for (size_t i = 0; i < count && !status; i++)
        if (timings[i].tested) decide(&timings[i]);
    free(p);
    return status;
}
