/* The numbers behind "slower", "the same" and "changed": medians and their intervals, a shift between two samples with its
 * interval and test, corrections for many tests, autocorrelation, change points, trends. docs/timing.md has the formulas
 * with their sources, and what is decided by them.
 *
 * Pure functions of arrays: no SQL, no clock, no random numbers, so that the same data always give the same answer. Every
 * value must be finite: a NaN or an infinity, like an empty array, is ASSAY_INVALID_INPUT. Inputs are never changed.
 * Functions that only read numbers return NAN where nothing can be said. */
#ifndef ASSAY_STATISTICS_H
#define ASSAY_STATISTICS_H

#include "devices/types.h"

/* ---- one sample ---- */

struct statistics_summary {
    size_t count;
    double median, min, max;
    double q1, q3; /* linear between order statistics (Hyndman and Fan 1996, type 7) */
    double mad;    /* 1.4826 x the median distance from the median: estimates a standard deviation */
    double low,
        high; /* interval of the median by order statistics; 95 % from 6 values on, the whole range below */
    double lag1; /* autocorrelation of neighbours, in the order given; 0 when all are equal */
    double
        effective; /* how many independent values these are worth: count (1 - lag1) / (1 + lag1), within 1 and count */
};
enum assay_status statistics_summarize(const double *x, size_t count, struct statistics_summary *summary,
                                       struct assay_error *error);

/* Median of `count` values that may be reordered; NAN for none. */
double statistics_median(double *x, size_t count);

/* ---- two samples ---- */

struct statistics_shift {
    double shift; /* Hodges-Lehmann: the median of all b[j] - a[i] */
    double low,
        high;   /* its interval at the confidence asked for; infinite where so few values cannot give one */
    double u;   /* Mann and Whitney's U of b: pairs with b > a, ties count a half */
    double p;   /* two-sided, of no shift */
    bool exact; /* p and interval by enumeration, else by the normal distribution */
};
/* Each of a and b: one value an independent measurement. Logarithms of times make the shift a logarithm of a ratio. */
enum assay_status statistics_compare(const double *a, size_t a_count, const double *b, size_t b_count,
                                     double confidence, struct statistics_shift *shift,
                                     struct assay_error *error);

/* Benjamini and Hochberg (1995): p[i] becomes the smallest false discovery rate at which test i is rejected. */
enum assay_status statistics_adjust(double *p, size_t count, struct assay_error *error);

/* ---- a series ---- */

struct statistics_rule {
    size_t window;      /* newest points looked at together; 0 = 50 */
    size_t least;       /* points of a segment at least; 0 = 3 */
    double split, keep; /* p to split at, p to stay after merging; 0 = 0.01 and 0.0004 */
    double magnitude;   /* smallest shift of the logarithm that counts; 0 = ln 1.01 */
    double noises;      /* and in units of the scatter from night to night; 0 = 1.6 */
};

struct statistics_change {
    size_t at;            /* first point of the new segment */
    double before, after; /* medians of the segments on both sides */
    double p;             /* of equal means, from the values within the two segments */
    double threshold;     /* the shift that would have been too small */
};

/* Change points of y (logarithms of times, one a night, oldest first), oldest first. E-divisive (Matteson and James 2014)
 * proposes where; a t test with the pooled scatter and the effective number of values decides whether; a change smaller
 * than the rule's is merged away. changes[] has room for count / least points; *found is how many there are. */
enum assay_status statistics_changes(const double *y, size_t count, const struct statistics_rule *rule,
                                     struct statistics_change *changes, size_t *found,
                                     struct assay_error *error);

struct statistics_trend {
    double slope; /* Theil and Sen: the median slope of all pairs */
    double p;     /* Mann and Kendall's test of no trend, two-sided, by the normal distribution with ties */
};
/* x ascending (days), y beside it; two points of different x at least. */
enum assay_status statistics_trend(const double *x, const double *y, size_t count,
                                   struct statistics_trend *trend, struct assay_error *error);

/* ---- distributions ---- */

/* P(|T| >= |t|) of Student's t with `df` degrees of freedom (a real number); P(|Z| >= |z|) of the normal. */
double statistics_student(double t, double df);
double statistics_normal(double z);

#endif
