/* Medians, intervals, shifts and trends (docs/timing.md has the formulas). Pure functions; it knows no table, no unit and
 * no verdict. Change points are in statistics_changes.c. */
#include "reports/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAD_TO_SIGMA 1.4826 /* 1 / the third quartile of the standard normal distribution */
#define EXACT_VALUES 30     /* both samples together: up to here ranks are enumerated */
#define PAIRS_MAX    (1u << 26)

/* ---- checks and small helpers ---- */

static enum assay_status check(const double *x, size_t count, const char *what, struct assay_error *error)
{
    if (count == 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "no values: nothing can be said of %s", what);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "value %zu of %zu is no finite number: nothing can be said of %s", i + 1,
                                   count, what);
    return ASSAY_OK;
}

static double *reserve(size_t count, struct assay_error *error)
{
    double *x = count <= SIZE_MAX / sizeof(double) ? malloc((count ? count : 1) * sizeof *x) : NULL;
    if (!x) assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for the statistics of %zu values", count);
    return x;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double middle(const double *sorted, size_t count)
{
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double statistics_median(double *x, size_t count)
{
    if (count == 0) return NAN;
    qsort(x, count, sizeof *x, ascending);
    return middle(x, count);
}

/* Hyndman and Fan's type 7: the order statistics divide the range into equal parts. */
static double quantile(const double *sorted, size_t count, double part)
{
    double at = part * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

/* ---- distributions ---- */

double statistics_normal(double z)
{
    return erfc(fabs(z) / M_SQRT2);
}

/* The continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    if (fabs(d) < tiny) d = tiny;
    d = 1 / d;
    double value = d;
    for (int m = 1; m < 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + even * d;
        c = 1 + even / c;
        if (fabs(d) < tiny) d = tiny;
        if (fabs(c) < tiny) c = tiny;
        d = 1 / d;
        value *= d * c;
        d = 1 + odd * d;
        c = 1 + odd / c;
        if (fabs(d) < tiny) d = tiny;
        if (fabs(c) < tiny) c = tiny;
        d = 1 / d;
        value *= d * c;
        if (fabs(d * c - 1) < 1e-15) break;
    }
    return value;
}

/* I_x(a, b); `rest` is 1 - x, which may be too small to be had from x. */
static double beta_incomplete(double a, double b, double x, double rest)
{
    if (x <= 0) return 0;
    if (rest <= 0) return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, rest) / b;
}

double statistics_student(double t, double df)
{
    if (isnan(t) || !(df > 0)) return NAN;
    if (isinf(t)) return 0;
    return beta_incomplete(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t));
}

/* The z with P(Z <= z) = part, by bisection: called once a comparison, so simple is fast enough. */
static double normal_quantile(double part)
{
    double low = -40, high = 40;
    for (int i = 0; i < 200; i++) {
        double mid = (low + high) / 2;
        if (erfc(-mid / M_SQRT2) / 2 < part)
            low = mid;
        else
            high = mid;
    }
    return (low + high) / 2;
}

/* ---- one sample ---- */

static double autocorrelation(const double *x, size_t count)
{
    double mean = 0, around = 0, beside = 0;
    for (size_t i = 0; i < count; i++) mean += x[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        around += (x[i] - mean) * (x[i] - mean);
        if (i + 1 < count) beside += (x[i] - mean) * (x[i + 1] - mean);
    }
    return around > 0 ? beside / around : 0;
}

enum assay_status statistics_summarize(const double *x, size_t count, struct statistics_summary *summary,
                                       struct assay_error *error)
{
    enum assay_status status = check(x, count, "this sample", error);
    if (status) return status;
    double *sorted = reserve(count, error);
    if (!sorted) return ASSAY_OUT_OF_MEMORY;
    double n = (double)count, reach = 0.98 * sqrt(n);
    memcpy(sorted, x, count * sizeof *x);
    qsort(sorted, count, sizeof *sorted, ascending);
    *summary = (struct statistics_summary){
        .count = count,
        .median = middle(sorted, count),
        .min = sorted[0],
        .max = sorted[count - 1],
        .q1 = quantile(sorted, count, 0.25),
        .q3 = quantile(sorted, count, 0.75),
        .lag1 = autocorrelation(x, count),
    };
    double first = floor(n / 2 - reach), last = ceil(1 + n / 2 + reach);
    summary->low = sorted[first < 1 ? 0 : (size_t)first - 1];
    summary->high = sorted[last > n ? count - 1 : (size_t)last - 1];
    for (size_t i = 0; i < count; i++) sorted[i] = fabs(x[i] - summary->median);
    summary->mad = MAD_TO_SIGMA * statistics_median(sorted, count);
    double worth = n * (1 - summary->lag1) / (1 + summary->lag1);
    summary->effective = fmin(fmax(worth, 1), n);
    free(sorted);
    return ASSAY_OK;
}

/* ---- two samples ---- */

struct ranked {
    double value;
    uint32_t twice; /* the rank doubled, so that ties have whole ones */
    bool second;    /* of sample b */
};

static int by_value(const void *left, const void *right)
{
    return ascending(&((const struct ranked *)left)->value, &((const struct ranked *)right)->value);
}

/* Ranks of all values together, ties share the mean; *ties is the sum of t^3 - t over groups of t equal values. */
static void rank_values(struct ranked *all, size_t count, double *ties)
{
    *ties = 0;
    qsort(all, count, sizeof *all, by_value);
    for (size_t at = 0, end; at < count; at = end) {
        for (end = at + 1; end < count && all[end].value == all[at].value;) end++;
        double group = (double)(end - at);
        *ties += group * group * group - group;
        for (size_t i = at; i < end; i++) all[i].twice = (uint32_t)(at + 1 + end);
    }
}

/* How many of the ways to choose `chosen` of the ranks have each sum: ways[sum of doubled ranks]. Whole numbers below
 * 2^53, so exact. */
static double *rank_sums(const struct ranked *all, size_t count, size_t chosen, size_t *sums,
                         struct assay_error *error)
{
    *sums = count * (count + 1) + 1;
    double *ways = reserve((chosen + 1) * *sums, error);
    if (!ways) return NULL;
    memset(ways, 0, (chosen + 1) * *sums * sizeof *ways);
    ways[0] = 1;
    size_t reached = 0; /* the largest sum so far */
    for (size_t i = 0; i < count; i++) {
        reached += all[i].twice;
        for (size_t k = i + 1 < chosen ? i + 1 : chosen; k > 0; k--) {
            double *to = ways + k * *sums + all[i].twice;
            const double *from = ways + (k - 1) * *sums;
            for (size_t sum = 0; sum + all[i].twice <= reached; sum++) to[sum] += from[sum];
        }
    }
    return ways;
}

static double tail(const double *ways, size_t from, size_t to)
{
    double total = 0;
    for (size_t i = from; i < to; i++) total += ways[i];
    return total;
}

/* Two-sided p of the observed rank sum (doubled), among all ways to deal the ranks out. */
static enum assay_status exact_p(const struct ranked *all, size_t count, size_t chosen, size_t observed,
                                 double *p, struct assay_error *error)
{
    size_t sums;
    double *ways = rank_sums(all, count, chosen, &sums, error);
    if (!ways) return ASSAY_OUT_OF_MEMORY;
    const double *row = ways + chosen * sums;
    double every = tail(row, 0, sums), below = tail(row, 0, observed + 1), above = tail(row, observed, sums);
    *p = fmin(1, 2 * fmin(below, above) / every);
    free(ways);
    return ASSAY_OK;
}

/* The largest K with P(U <= K - 1) <= part / 2 for samples without ties: the interval leaves out K - 1 differences at
 * either end. 0: so few values give no interval. */
static enum assay_status exact_rank(size_t a, size_t b, double part, size_t *rank, struct assay_error *error)
{
    struct ranked plain[EXACT_VALUES];
    size_t sums;
    for (size_t i = 0; i < a + b; i++) plain[i] = (struct ranked){.twice = 2 * (uint32_t)(i + 1)};
    double *ways = rank_sums(plain, a + b, b, &sums, error);
    if (!ways) return ASSAY_OUT_OF_MEMORY;
    const double *row = ways + b * sums;
    double every = tail(row, 0, sums), below = 0;
    for (*rank = 0; *rank < a * b; ++*rank) {
        below += row[b * (b + 1) + 2 * *rank];
        if (below > part / 2 * every) break;
    }
    free(ways);
    return ASSAY_OK;
}

enum assay_status statistics_compare(const double *a, size_t a_count, const double *b, size_t b_count,
                                     double confidence, struct statistics_shift *shift,
                                     struct assay_error *error)
{
    double *pairs = NULL;
    struct ranked *all = NULL;
    enum assay_status status = check(a, a_count, "the first sample", error);
    if (!status) status = check(b, b_count, "the second sample", error);
    if (!status && !(confidence > 0 && confidence < 1))
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "a confidence of %g is not between 0 and 1",
                                 confidence);
    if (status) return status;
    if (a_count > PAIRS_MAX / b_count)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%zu and %zu values are too many to compare",
                               a_count, b_count);
    size_t count = a_count + b_count, product = a_count * b_count;
    double n = (double)count, half = (double)product / 2, ties, ranks = 0;
    pairs = reserve(product, error);
    all = calloc(count, sizeof *all);
    if (!pairs || !all) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to compare %zu and %zu values",
                                 a_count, b_count);
        goto end;
    }
    for (size_t i = 0; i < a_count; i++)
        for (size_t j = 0; j < b_count; j++) pairs[i * b_count + j] = b[j] - a[i];
    qsort(pairs, product, sizeof *pairs, ascending);
    for (size_t i = 0; i < count; i++)
        all[i] = (struct ranked){.value = i < a_count ? a[i] : b[i - a_count], .second = i >= a_count};
    rank_values(all, count, &ties);
    for (size_t i = 0; i < count; i++) ranks += all[i].second ? all[i].twice : 0;
    *shift = (struct statistics_shift){
        .shift = middle(pairs, product),
        .u = ranks / 2 - (double)b_count * (double)(b_count + 1) / 2,
        .exact = count <= EXACT_VALUES,
    };
    size_t rank = 0;
    if (shift->exact) {
        status = exact_p(all, count, b_count, (size_t)ranks, &shift->p, error);
        if (!status) status = exact_rank(a_count, b_count, 1 - confidence, &rank, error);
        if (status) goto end;
    } else {
        /* Mann and Whitney (1947), variance for ties after Lehmann (1975), with the correction for continuity. */
        double variance = half / 6 * (n + 1 - ties / (n * (n - 1)));
        double z = variance > 0 ? fmax(0, fabs(shift->u - half) - 0.5) / sqrt(variance) : 0;
        shift->p = statistics_normal(z);
        double k = half - normal_quantile((1 + confidence) / 2) * sqrt(half / 6 * (n + 1));
        rank = k < 1 ? 0 : (size_t)k;
    }
    shift->low = rank ? pairs[rank - 1] : -INFINITY;
    shift->high = rank ? pairs[product - rank] : INFINITY;

end:
    free(all);
    free(pairs);
    return status;
}

/* ---- many tests ---- */

struct test {
    double p;
    size_t at;
};

static int by_p(const void *left, const void *right)
{
    return ascending(&((const struct test *)left)->p, &((const struct test *)right)->p);
}

enum assay_status statistics_adjust(double *p, size_t count, struct assay_error *error)
{
    if (count == 0) return ASSAY_OK;
    for (size_t i = 0; i < count; i++)
        if (!(p[i] >= 0 && p[i] <= 1))
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "p of test %zu of %zu is %g, not within 0 and 1", i + 1, count, p[i]);
    struct test *tests = calloc(count, sizeof *tests);
    if (!tests) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to adjust %zu tests", count);
    for (size_t i = 0; i < count; i++) tests[i] = (struct test){p[i], i};
    qsort(tests, count, sizeof *tests, by_p);
    double least = 1;
    for (size_t i = count; i > 0; i--) {
        least = fmin(least, tests[i - 1].p * (double)count / (double)i);
        p[tests[i - 1].at] = least;
    }
    free(tests);
    return ASSAY_OK;
}

/* ---- trend ---- */

enum assay_status statistics_trend(const double *x, const double *y, size_t count,
                                   struct statistics_trend *trend, struct assay_error *error)
{
    enum assay_status status = check(x, count, "this trend", error);
    if (!status) status = check(y, count, "this trend", error);
    if (status) return status;
    if (count > 8192)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%zu points are too many for a trend", count);
    double *slopes = reserve(count * (count - 1) / 2 + count, error);
    if (!slopes) return ASSAY_OUT_OF_MEMORY;
    size_t used = 0;
    double n = (double)count, score = 0;
    for (size_t j = 1; j < count; j++)
        for (size_t i = 0; i < j; i++) {
            score += (y[j] > y[i]) - (y[j] < y[i]);
            if (x[j] != x[i]) slopes[used++] = (y[j] - y[i]) / (x[j] - x[i]);
        }
    *trend = (struct statistics_trend){.slope = statistics_median(slopes, used), .p = 1};
    double ties = 0;
    memcpy(slopes, y, count * sizeof *y);
    qsort(slopes, count, sizeof *slopes, ascending);
    for (size_t at = 0, end; at < count; at = end) {
        for (end = at + 1; end < count && slopes[end] == slopes[at];) end++;
        double t = (double)(end - at);
        ties += t * (t - 1) * (2 * t + 5);
    }
    double variance = (n * (n - 1) * (2 * n + 5) - ties) / 18;
    if (variance > 0 && score != 0) trend->p = statistics_normal((fabs(score) - 1) / sqrt(variance));
    free(slopes);
    if (used == 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "a trend needs two points at different times");
    return ASSAY_OK;
}
