/* Timing: one kernel on one case in one process, by the rules of bench_rule.h. It drives a worker and knows no plan and no
 * database; verb_bench.c does the rest. */
#ifndef ASSAY_BENCH_H
#define ASSAY_BENCH_H

#include <stdatomic.h>

#include "harness/bench_rule.h"
#include "harness/judge.h"
#include "harness/worker.h"

/* What is timed. */
struct bench_source {
    struct worker *worker;
    const struct judge_case *c; /* prepared, and judged before */
    const char *kernel, *mode;  /* kernel NULL = the engine's choice */
    const char *digest;         /* of the judged output */
    double flops;               /* of one call */
    double timer_ns;            /* resolution of the device's clock */
    double budget_ns;           /* the host's time that the cell may take; 0 = by the rules alone */
    uint64_t timeout_ns;
    bool cold;
    const atomic_int *stop;
};

struct bench_timing {
    struct bench_sample sample[BENCH_SAMPLES_MOST];
    size_t count, rejected;
    uint32_t warmups, calls;
    bool warm;
    bool no_entry; /* the engine times no samples, and run() cannot empty caches: nothing was measured */
    uint64_t dispatches, transfers;        /* of one call; in all spans */
    double record_ns, submit_ns, other_ns; /* medians, a call; NaN = the engine does not say */
    char kernel[64], kernel_hash[33], variant[16];
    struct bench_summary summary;
    enum bench_verdict verdict;
    char reason[300];
};

/* Time it. Never fails: what goes wrong is the verdict. */
void bench_time(const struct bench_source *source, struct bench_timing *timing);

#endif
