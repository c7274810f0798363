/* Change points of a series: E-divisive (Matteson and James, JASA 109, 2014) says where a change is likeliest, a t test
 * decides whether there is one, and changes too small to matter are merged away. No random numbers: where the paper
 * permutes, this tests, so that the same database gives the same report. */
#include "reports/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAD_TO_SIGMA   1.4826
#define NOISE_FLOOR    5e-4 /* of the logarithm: a timer's steps make whole series of equal values */
#define SPIKE_NOISES   3    /* a point further from the median of its neighbours is cut back to there */
#define SPIKE_POINTS   5    /* these neighbours, itself among them; no more than START */
#define LAG_MAX        0.8
#define LAG_ERRORS     2 /* an autocorrelation counts by what it exceeds this many standard errors of its own */
#define REST_NOISES    2 /* and a residual by no more than this, so that what is left of spikes hides no step */
#define WINDOW_DEFAULT 50
#define LEAST_DEFAULT  3
#define START          18 /* points before anything is said: fewer do not tell their own scatter */

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

struct series {
    const double *y; /* without spikes */
    size_t count;
    double noise; /* scatter from night to night, robust against steps */
    struct statistics_rule rule;
    double *residual; /* room for count values */
    double *sums;     /* (window + 1)^2 sums of distances */
    bool *mark;       /* a change is proposed here; count + 1 */
};

/* A step changes one difference of neighbours, so the median difference does not see it. */
static double series_noise(const double *y, size_t count, double *room)
{
    for (size_t i = 0; i + 1 < count; i++) room[i] = fabs(y[i + 1] - y[i]);
    double median = count > 1 ? statistics_median(room, count - 1) : 0;
    return fmax(MAD_TO_SIGMA * median / M_SQRT2, NOISE_FLOOR);
}

/* Hampel's filter: one night that stands alone is no change, nor are two among five. */
static void without_spikes(const double *y, size_t count, double noise, double *out)
{
    double near[SPIKE_POINTS], reach = SPIKE_NOISES * noise;
    for (size_t i = 0; i < count; i++) {
        size_t first = i < SPIKE_POINTS / 2 ? 0 : i - SPIKE_POINTS / 2;
        if (first + SPIKE_POINTS > count) first = count - SPIKE_POINTS;
        memcpy(near, y + first, sizeof near);
        double median = statistics_median(near, SPIKE_POINTS);
        out[i] = fmin(fmax(y[i], median - reach), median + reach);
    }
}

static double segment_median(const struct series *series, size_t from, size_t to)
{
    memcpy(series->residual, series->y + from, (to - from) * sizeof *series->y);
    return statistics_median(series->residual, to - from);
}

/* Where most of the new segment lies, seen from the old one: its smallest shift but for one point in five. Two spikes in
 * three nights are far away in the mean, and their neighbour is at home. */
static double least_shift(const struct series *series, size_t from, size_t to, double before,
                          double direction)
{
    size_t count = to - from;
    for (size_t i = 0; i < count; i++) series->residual[i] = direction * (series->y[from + i] - before);
    qsort(series->residual, count, sizeof *series->residual, ascending);
    return series->residual[count / 5];
}

/* Are [a, b) and [b, c) at different levels? p of the t test with the scatter of both pooled: three new points alone say
 * too little about theirs. Neighbouring nights are no independent measurements, so both counts shrink by the
 * autocorrelation of what remains. The split was looked for, so p is multiplied by the number of places. */
static struct statistics_change judge(const struct series *series, size_t a, size_t b, size_t c)
{
    const double *y = series->y;
    double mean[2] = {0, 0}, around = 0, beside = 0;
    double n[2] = {(double)(b - a), (double)(c - b)}, reach = REST_NOISES * series->noise, last = 0;
    for (size_t i = a; i < c; i++) mean[i >= b] += y[i] / n[i >= b];
    for (size_t i = a; i < c; i++) {
        double left = fmin(fmax(y[i] - mean[i >= b], -reach), reach);
        around += left * left;
        beside += left * last;
        last = left;
    }
    double lag = around > 0 ? fmin(fmax(beside / around - LAG_ERRORS / sqrt(n[0] + n[1]), 0), LAG_MAX) : 0,
           shrink = (1 - lag) / (1 + lag);
    double scatter = fmax(sqrt(around / fmax(n[0] + n[1] - 2, 1)), NOISE_FLOOR);
    double worth[2] = {fmax(1, n[0] * shrink), fmax(1, n[1] * shrink)};
    double t = (mean[1] - mean[0]) / (scatter * sqrt(1 / worth[0] + 1 / worth[1]));
    struct statistics_change change = {.at = b};
    change.before = segment_median(series, a, b);
    change.after = segment_median(series, b, c);
    change.p = fmin(1, statistics_student(t, fmax(1, worth[0] + worth[1] - 2)) * (n[0] + n[1]));
    change.threshold = fmax(series->rule.magnitude, series->rule.noises * fmin(scatter, series->noise));
    return change;
}

/* Sums of |y_i - y_j| over i < rows, j < columns, of the window that starts at `from`. */
static void sum_distances(const struct series *series, size_t from, size_t count)
{
    size_t side = count + 1;
    double *sums = series->sums;
    for (size_t i = 0; i <= count; i++) sums[i] = sums[i * side] = 0;
    for (size_t i = 1; i <= count; i++)
        for (size_t j = 1; j <= count; j++)
            sums[i * side + j] = fabs(series->y[from + i - 1] - series->y[from + j - 1]) +
                                 sums[(i - 1) * side + j] + sums[i * side + j - 1] -
                                 sums[(i - 1) * side + j - 1];
}

/* Sum over i in [a, b), j in [c, d). */
static double block(const double *sums, size_t side, size_t a, size_t b, size_t c, size_t d)
{
    return sums[b * side + d] - sums[a * side + d] - sums[b * side + c] + sums[a * side + c];
}

/* The likeliest change in [a, c) of the window: the first points of the new segment, and where that ends. */
static bool propose(const struct series *series, size_t side, size_t a, size_t c, size_t *at, size_t *end)
{
    const double *sums = series->sums;
    size_t least = series->rule.least;
    double best = 0;
    for (size_t tau = a + least; tau + least <= c; tau++)
        for (size_t kappa = tau + least; kappa <= c; kappa++) {
            double n = (double)(tau - a), m = (double)(kappa - tau);
            double between = 2 / (n * m) * block(sums, side, a, tau, tau, kappa);
            double within = block(sums, side, a, tau, a, tau) / (n * (n - 1)) +
                            block(sums, side, tau, kappa, tau, kappa) / (m * (m - 1));
            double q = n * m / (n + m) * (between - within);
            if (q > best) best = q, *at = tau, *end = kappa;
        }
    return best > 0;
}

static void split(struct series *series, size_t from, size_t side, size_t a, size_t c)
{
    size_t at, end;
    if (!propose(series, side, a, c, &at, &end)) return;
    if (judge(series, from + a, from + at, from + end).p > series->rule.split) return;
    series->mark[from + at] = true;
    split(series, from, side, a, at);
    split(series, from, side, at, c);
}

static size_t next_mark(const struct series *series, size_t at)
{
    while (at < series->count && !series->mark[at]) at++;
    return at;
}

/* Take the least certain proposal away until every one left stands between its neighbours. */
static void merge(struct series *series)
{
    for (;;) {
        size_t worst = 0, before = 0;
        double worst_p = -1;
        for (size_t at = next_mark(series, 1), end; at < series->count; before = at, at = end) {
            end = next_mark(series, at + 1);
            struct statistics_change change = judge(series, before, at, end);
            double up = change.after > change.before ? 1 : -1;
            /* Windows that overlap may propose neighbours of one change. */
            bool stands = at - before >= series->rule.least && end - at >= series->rule.least &&
                          change.p <= series->rule.keep &&
                          fabs(change.after - change.before) >= change.threshold &&
                          least_shift(series, at, end, change.before, up) >= change.threshold;
            if (!stands && change.p > worst_p) worst = at, worst_p = change.p;
        }
        if (worst_p < 0) return;
        series->mark[worst] = false;
    }
}

enum assay_status statistics_changes(const double *y, size_t count, const struct statistics_rule *rule,
                                     struct statistics_change *changes, size_t *found,
                                     struct assay_error *error)
{
    struct series series = {.count = count, .rule = rule ? *rule : (struct statistics_rule){0}};
    double *smooth = NULL;
    enum assay_status status = ASSAY_OK;
    *found = 0;
    if (!series.rule.window) series.rule.window = WINDOW_DEFAULT;
    if (!series.rule.least) series.rule.least = LEAST_DEFAULT;
    if (!(series.rule.split > 0)) series.rule.split = 0.01;
    if (!(series.rule.keep > 0)) series.rule.keep = 0.0004;
    if (!(series.rule.magnitude > 0)) series.rule.magnitude = log(1.01);
    if (!(series.rule.noises > 0)) series.rule.noises = 1.6;
    if (series.rule.least < 2 || series.rule.window < 2 * series.rule.least || series.rule.window > 1000)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "a window of %zu points and segments of %zu do not go together",
                               series.rule.window, series.rule.least);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(y[i]))
            return assay_error_set(error, ASSAY_INVALID_INPUT, "point %zu of %zu is no finite number", i + 1,
                                   count);
    if (count < START || count < 2 * series.rule.least) return ASSAY_OK;
    size_t window = series.rule.window < count ? series.rule.window : count;
    smooth = malloc(count * sizeof *smooth);
    series.residual = malloc(count * sizeof *series.residual);
    series.sums = malloc((window + 1) * (window + 1) * sizeof *series.sums);
    series.mark = calloc(count + 1, sizeof *series.mark);
    if (!smooth || !series.residual || !series.sums || !series.mark) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a series of %zu points", count);
        goto end;
    }
    series.noise = series_noise(y, count, series.residual);
    without_spikes(y, count, series.noise, smooth);
    series.y = smooth;
    /* Windows overlap by half, and the last ends with the series: the newest points decide about today. */
    for (size_t from = 0;; from += window / 2) {
        if (from + window > count) from = count - window;
        sum_distances(&series, from, window);
        split(&series, from, window + 1, 0, window);
        if (from + window == count) break;
    }
    merge(&series);
    for (size_t at = next_mark(&series, 1), before = 0, end; at < count; before = at, at = end) {
        end = next_mark(&series, at + 1);
        changes[(*found)++] = judge(&series, before, at, end);
    }

end:
    free(series.mark);
    free(series.sums);
    free(series.residual);
    free(smooth);
    return status;
}
