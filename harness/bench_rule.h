/* The rules of timing: when a kernel is warm, when there are enough samples, which are set aside and why, what they come
 * to, and whether they may be believed. Pure functions on numbers; no device, no database.
 *
 * Sources: the stopping rule is nvbench's stdrel; order statistics, median and MAD as in textbooks. */
#ifndef ASSAY_BENCH_RULE_H
#define ASSAY_BENCH_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_SAMPLES_MOST  256
#define BENCH_SAMPLES_LEAST 10
#define BENCH_WARMUPS_MOST  64

struct bench_sample {
    double ns;                                           /* of one call */
    int64_t clock_before_mhz, clock_after_mhz, throttle; /* -1 = unknown */
    double temperature_c, power_w;                       /* NaN = unknown */
    const char *rejected;                                /* the rule that set it aside; "" = kept. Static */
    char digest[33];                                     /* of the output that it left */
};

/* Are the last three within 2 % of each other? */
bool bench_warm(const double *ns, size_t count);

/* The stopping rule, fed one time after another. Starts as {0}. */
struct bench_stop {
    size_t count, noises;
    double sum, sum2;
    double noise[BENCH_SAMPLES_MOST]; /* relative standard deviation after each time */
};
/* ns of the whole span. True when that was enough: at least 10, and either span_least_ns in all with a relative standard
 * deviation below 0.5 %, or a deviation that has settled, to 5 % over more than 64 times. */
bool bench_enough(struct bench_stop *stop, double span_ns, double span_least_ns);

/* Calls in a hot span, from one call's time and the clock's resolution. */
uint32_t bench_calls(double call_ns, double timer_ns);

/* Set `rejected` of each sample; returns how many are set aside. Rules: "throttle": the card slowed down for heat, power
 * brake or hardware reasons; "clock": after the span the clock was below 95 % of the cell's highest; "impossible": more
 * operations a second than any device does. */
size_t bench_reject(struct bench_sample *sample, size_t count, double flops);

/* Of the kept samples. NaN where there are none. */
struct bench_summary {
    size_t kept;
    double median_ns, mad_ns, q1_ns, q3_ns, min_ns;
    double lag1; /* autocorrelation of neighbours; NaN below 3 samples or without spread */
};
void bench_summarise(const struct bench_sample *sample, size_t count, struct bench_summary *summary);
/* The median of n values, which are sorted in place; NaN for none. */
double bench_median(double *value, size_t count);

enum bench_verdict { BENCH_PASS, BENCH_DIFF, BENCH_NONDET, BENCH_INCONCLUSIVE, BENCH_ERROR, BENCH_VERDICTS };
const char *bench_verdict_name(enum bench_verdict verdict);

/* May the samples be believed? digest is of the judged output. The reason says what is wrong, or, of a PASS, what a reader
 * should know; "" = nothing. */
enum bench_verdict bench_decide(const struct bench_sample *sample, size_t count, const char *digest,
                                bool warm, uint64_t transfers, char reason[256]);

/* The attained share of min(flop rate, intensity x bandwidth); NaN without ceilings. */
double bench_roofline(double ns, double flops, double bytes, double flops_a_second, double bytes_a_second);

#endif
