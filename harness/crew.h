/* Running a plan: case by case, all devices at a time. A case is prepared once; then a thread a group of devices runs
 * its rows. Devices that share a card, and those that share the host's processor, are one group and take turns.
 *
 * It hands every outcome to the caller, in any order but one at a time, and knows no database. */
#ifndef ASSAY_CREW_H
#define ASSAY_CREW_H

#include <stdatomic.h>

#include "harness/gguf_case.h"
#include "harness/plan.h"
#include "harness/session.h"

/* What one row of the plan came to. */
struct crew_outcome {
    int64_t seq; /* index of the row in the plan */
    const struct plan_row *row;
    struct session *session;
    const struct inventory_kernel *kernel; /* as described; NULL = unknown */
    const struct case_spec *spec;
    enum assay_dtype dtype;            /* of output 0 */
    const struct assay_tensor *output; /* shape of output 0; NULL when the case could not be prepared */
    const struct assay_tensor *want;   /* the contract's output, NULL likewise */
    const struct judge_case *c;        /* NULL likewise */
    const struct session_result *result;
    char small[CASE_LINE_MAX]; /* the shrunk line, or the case's own */
};

struct crew_params {
    const struct options *options;
    const struct inventory *inventory;
    const struct plan *plan;
    struct session *session; /* by the plan's device index */
    size_t session_count;
    const struct golden *golden; /* NULL = none */
    const struct gguf *gguf;     /* where cases with file= find their tensors; NULL = none */
    struct oracle_pool *pool;
    double flops_allowed; /* see judge_source */
    int shrink_most;      /* failures that are shrunk */
    const atomic_int *stop;
    /* Called under a lock. Returns false to end the run. */
    bool (*outcome)(void *context, const struct crew_outcome *outcome);
    void *context;
};

/* Runs the rows that are not done yet. Returns when every row has its outcome, or the run was stopped; then the missing rows have none. */
enum assay_status crew_run(const struct crew_params *params, struct assay_error *error);

#endif
