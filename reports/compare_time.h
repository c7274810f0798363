/* The verdict on one pair of timings, out of medians of invocations (docs/timing.md). Numbers only: no database, no text
 * but the reason. */
#ifndef ASSAY_COMPARE_TIME_H
#define ASSAY_COMPARE_TIME_H

#include "devices/types.h"

#define COMPARE_LEAST      4    /* invocations on each side, below which no interval exists */
#define COMPARE_SCREEN     5    /* invocations that screen, where there are more than COMPARE_FRESH besides */
#define COMPARE_FRESH      6    /* fresh ones at least on each side, for a test of their own */
#define COMPARE_CONFIDENCE 0.95 /* of intervals */
#define COMPARE_RATE       0.01 /* false discoveries among the timings called changed */
#define COMPARE_NOISES     3    /* delta is this many times the cell's own scatter between runs, at least */

enum compare_verdict {
    COMPARE_INCONCLUSIVE,
    COMPARE_AMBIGUOUS,
    COMPARE_SAME,
    COMPARE_IMPROVED,
    COMPARE_REGRESSED
};
const char *compare_verdict_name(enum compare_verdict verdict);

struct compare_side {
    const double *ns;  /* medians of invocations, in order of time, > 0 */
    const double *mhz; /* clock beside each, NAN where unknown */
    size_t count;
    bool fresh;      /* measured again because of a suspicion */
    size_t unusable; /* further invocations that a rule set aside */
};

struct compare_timing {
    size_t used[2];      /* invocations that decided */
    double median_ns[2]; /* of them */
    double ratio, low, high;
    double p, p_adjusted;
    double delta;        /* as a part */
    bool fresh;          /* decided by invocations that did not raise the suspicion */
    bool tested;         /* p takes part in the correction for many tests */
    bool same_in_cycles; /* the time changed and the number of clock cycles did not */
    enum compare_verdict verdict;
    char why[160];
};

/* Everything but the correction. `noise` is the scatter of ln(time) between earlier runs, NAN = unknown. */
enum assay_status compare_time(const struct compare_side *base, const struct compare_side *head, double delta,
                               double noise, struct compare_timing *timing, struct assay_error *error);
/* The verdicts, by the adjusted p of all timings together. */
enum assay_status compare_decide(struct compare_timing *timings, size_t count, struct assay_error *error);

#endif
