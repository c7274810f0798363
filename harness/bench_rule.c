/* The rules of timing, as bench_rule.h says. */
#include "harness/bench_rule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM_SPREAD   0.02
#define NOISE_FINE    0.005
#define NOISES_LEAST  64
#define NOISE_SETTLED 0.05
#define RESOLUTIONS   200 /* of the clock, in a hot span */
#define SPAN_HOT_NS   1e6 /* a hot span is no shorter: fewer samples that each say more */
#define CALLS_MOST    1000
#define CLOCK_LEAST   0.95
#define FLOPS_MOST_NS 1e7 /* flop a ns, 10 PFLOP/s: more than any device does */
#define REJECTED_MOST 0.2
#define SPREAD_MOST   0.2 /* MAD / median, beyond which a median says little */

/* NVML's reasons for lower clocks that mean trouble: hardware slowdown, software and hardware thermal slowdown, power
 * brake. A power cap (4) is how the card works under load, idling (1) is what it did before. */
#define THROTTLE_SLOW 0xe8

bool bench_warm(const double *ns, size_t count)
{
    if (count < 3) return false;
    const double *last = ns + count - 3;
    const double least = fmin(last[0], fmin(last[1], last[2])), most = fmax(last[0], fmax(last[1], last[2]));
    return least > 0 && most <= least * (1 + WARM_SPREAD);
}

bool bench_enough(struct bench_stop *stop, double span_ns, double span_least_ns)
{
    if (stop->count == BENCH_SAMPLES_MOST) return true;
    stop->count++;
    stop->sum += span_ns;
    stop->sum2 += span_ns * span_ns;
    const double n = (double)stop->count, mean = stop->sum / n;
    if (stop->count < 2 || !(mean > 0)) return false;
    const double variance = fmax(0, (stop->sum2 - n * mean * mean) / (n - 1));
    const double noise = sqrt(variance) / mean;
    stop->noise[stop->noises++] = noise;
    if (stop->count < BENCH_SAMPLES_LEAST) return false;
    if (stop->sum >= span_least_ns && noise < NOISE_FINE) return true;
    if (stop->count == BENCH_SAMPLES_MOST) return true;
    if (stop->noises <= NOISES_LEAST || stop->sum < span_least_ns) return false;
    double sum = 0, sum2 = 0;
    for (size_t at = stop->noises - NOISES_LEAST; at < stop->noises; at++) {
        sum += stop->noise[at];
        sum2 += stop->noise[at] * stop->noise[at];
    }
    const double average = sum / NOISES_LEAST;
    const double spread = sqrt(fmax(0, sum2 / NOISES_LEAST - average * average));
    return spread < NOISE_SETTLED * average;
}

uint32_t bench_calls(double call_ns, double timer_ns)
{
    const double span_ns = fmax(RESOLUTIONS * timer_ns, SPAN_HOT_NS);
    const double calls = call_ns > 0 ? ceil(span_ns / call_ns) : 1;
    return calls < 1 ? 1 : calls > CALLS_MOST ? CALLS_MOST : (uint32_t)calls;
}

size_t bench_reject(struct bench_sample *sample, size_t count, double flops)
{
    int64_t highest = -1;
    size_t rejected = 0;
    for (size_t at = 0; at < count; at++)
        if (sample[at].clock_after_mhz > highest) highest = sample[at].clock_after_mhz;
    for (size_t at = 0; at < count; at++) {
        struct bench_sample *it = &sample[at];
        it->rejected = "";
        if (!(it->ns > 0) || flops > it->ns * FLOPS_MOST_NS)
            it->rejected = "impossible";
        else if (it->throttle > 0 && (it->throttle & THROTTLE_SLOW))
            it->rejected = "throttle";
        else if (it->clock_after_mhz >= 0 && (double)it->clock_after_mhz < CLOCK_LEAST * (double)highest)
            it->rejected = "clock";
        rejected += it->rejected[0] != 0;
    }
    return rejected;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Of sorted values, between neighbours by linear interpolation. */
static double quantile(const double *sorted, size_t count, double share)
{
    if (count == 0) return NAN;
    const double place = share * (double)(count - 1);
    const size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
}

double bench_median(double *value, size_t count)
{
    qsort(value, count, sizeof *value, compare);
    return quantile(value, count, 0.5);
}

static double lag1(const double *ns, size_t count)
{
    double mean = 0, same = 0, next = 0;
    if (count < 3) return NAN;
    for (size_t at = 0; at < count; at++) mean += ns[at] / (double)count;
    for (size_t at = 0; at < count; at++) {
        same += (ns[at] - mean) * (ns[at] - mean);
        if (at + 1 < count) next += (ns[at] - mean) * (ns[at + 1] - mean);
    }
    return same > 0 ? next / same : NAN;
}

void bench_summarise(const struct bench_sample *sample, size_t count, struct bench_summary *summary)
{
    double ns[BENCH_SAMPLES_MOST], off[BENCH_SAMPLES_MOST];
    size_t kept = 0;
    for (size_t at = 0; at < count && kept < BENCH_SAMPLES_MOST; at++)
        if (!sample[at].rejected[0]) ns[kept++] = sample[at].ns;
    *summary = (struct bench_summary){kept, NAN, NAN, NAN, NAN, NAN, lag1(ns, kept)};
    if (kept == 0) return;
    summary->median_ns = bench_median(ns, kept);
    for (size_t at = 0; at < kept; at++) off[at] = fabs(ns[at] - summary->median_ns);
    summary->mad_ns = 1.4826 * bench_median(off, kept);
    summary->q1_ns = quantile(ns, kept, 0.25);
    summary->q3_ns = quantile(ns, kept, 0.75);
    summary->min_ns = ns[0];
}

static const char *const verdict_names[BENCH_VERDICTS] = {"PASS", "DIFF", "NONDET", "INCONCLUSIVE", "ERROR"};

const char *bench_verdict_name(enum bench_verdict verdict)
{
    return (unsigned)verdict < BENCH_VERDICTS ? verdict_names[verdict] : "?";
}

/* Digests first: nothing else matters of a wrong answer. */
static enum bench_verdict decide_digests(const struct bench_sample *sample, size_t count, const char *digest,
                                         char reason[256])
{
    size_t wrong = 0, first = 0;
    bool same = true;
    for (size_t at = 0; at < count; at++) {
        if (strcmp(sample[at].digest, digest) != 0 && wrong++ == 0) first = at;
        same &= strcmp(sample[at].digest, sample[0].digest) == 0;
    }
    if (!wrong) return BENCH_PASS;
    snprintf(reason, 256,
             "%zu of %zu timed outputs are not the judged one: sample %zu has digest %s, judged was %s",
             wrong, count, first, sample[first].digest, digest);
    return same ? BENCH_DIFF : BENCH_NONDET;
}

enum bench_verdict bench_decide(const struct bench_sample *sample, size_t count, const char *digest,
                                bool warm, uint64_t transfers, char reason[256])
{
    struct bench_summary summary;
    reason[0] = 0;
    const enum bench_verdict verdict = decide_digests(sample, count, digest, reason);
    if (verdict != BENCH_PASS) return verdict;
    if (transfers > 0) {
        snprintf(reason, 256, "%llu copies between host and device lie inside timed spans",
                 (unsigned long long)transfers);
        return BENCH_ERROR;
    }
    bench_summarise(sample, count, &summary);
    const size_t rejected = count - summary.kept;
    if (count == 0 || (double)rejected > REJECTED_MOST * (double)count) {
        const char *rule = "";
        for (size_t at = 0; at < count && !*rule; at++) rule = sample[at].rejected;
        snprintf(reason, 256, "%zu of %zu samples are set aside%s%s", rejected, count,
                 *rule ? ", by rule " : "", rule);
        return BENCH_INCONCLUSIVE;
    }
    if (summary.mad_ns > SPREAD_MOST * summary.median_ns) {
        snprintf(reason, 256, "unstable: the spread is %.0f %% of the median%s",
                 100 * summary.mad_ns / summary.median_ns, warm ? "" : ", and it never warmed up");
        return BENCH_INCONCLUSIVE;
    }
    if (count < BENCH_SAMPLES_LEAST)
        snprintf(reason, 256, "only %zu samples", count);
    else if (!warm)
        snprintf(reason, 256, "no three warm-up times within 2 %%");
    return BENCH_PASS;
}

double bench_roofline(double ns, double flops, double bytes, double flops_a_second, double bytes_a_second)
{
    if (!(flops_a_second > 0) || !(bytes_a_second > 0) || !(ns > 0)) return NAN;
    const double arithmetic_ns = 1e9 * flops / flops_a_second, memory_ns = 1e9 * bytes / bytes_a_second;
    return fmax(arithmetic_ns, memory_ns) / ns;
}
