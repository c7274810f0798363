/* A run: the verbs run, verify and replay, from the choice of devices to the exit code. */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include <pthread.h>

#include "harness/coverage.h"
#include "harness/crew.h"
#include "harness/progress.h"
#include "harness/skipped.h"
#include "harness/store_past.h"
#include "harness/trust.h"

enum run_kind { RUN_RUN, RUN_VERIFY, RUN_REPLAY, RUN_BENCH };

/* What the record says of a device of a run that is gone on with. */
struct run_past_device {
    int64_t device_id, capped;
    char *probe_json;
};

/* A device of the run. */
struct run_device {
    const struct inventory_device *device;
    int64_t device_id;
    struct judge_tally tally;
    int64_t capped, planned, recorded;
    struct trust trust; /* of a verify */
    uint64_t wall_ns;
    char first_failure[200];
};

struct run {
    const struct options *options;
    enum run_kind kind;
    struct inventory inventory;
    struct corpus corpus;
    struct gguf gguf;                              /* of --gguf; path NULL = none */
    size_t chosen[OPTIONS_LIST_MAX], chosen_count; /* devices of the inventory */
    struct session session[OPTIONS_LIST_MAX];      /* those that could be opened */
    struct run_device device[OPTIONS_LIST_MAX];    /* likewise */
    struct plan_device plan_device[OPTIONS_LIST_MAX];
    size_t session_count;
    int64_t open_errors; /* devices that should have opened and did not */
    char open_error[600];
    struct plan plan;
    struct coverage coverage; /* of a whole verify */
    struct golden *golden;
    struct oracle_pool *pool;
    struct store *store; /* NULL: nothing is recorded */
    int64_t run_id;
    struct progress progress;
    struct judge_tally tally;
    struct skipped skipped;
    int64_t recorded;
    struct assay_error broken; /* the database or a thread failed: the run ends */
    uint64_t start_ns;
    size_t seeded;        /* entries of the corpus whose line is ours, with another seed */
    char lock_path[4200]; /* held while the run is at work (resume.c); "" = not held */
    int lock_file;
    /* Of a run that is gone on with: past.run_id is 0 for any other. */
    struct store_past past;
    struct run_past_device past_device[OPTIONS_LIST_MAX]; /* by chosen */
    size_t past_entry;       /* of the corpus, where the last plan row was found */
    struct options restored; /* its settings; options points here */
    json_t *settings;        /* what strings of restored live in */
    int64_t kept;            /* results from before, among those recorded */
};

/* run.c: steps that bench takes too. Ctrl-C and SIGTERM set what run_catch_signals returns, and end waits for workers. */
const atomic_int *run_catch_signals(void);
enum assay_status run_cases_read(struct run *run, struct assay_error *error);
/* Ask a worker for the engine's devices; then: can each of the chosen ones be judged? */
enum assay_status run_describe(struct run *run, struct assay_error *error);
enum assay_status run_check_named(const struct run *run, struct assay_error *error);
/* Does the run sweep its cards, and the cases of that. Of a verify in shards the first one sweeps. */
bool run_sweeps(const struct run *run);
enum assay_status run_plan_sweeps(struct run *run, struct plan *plan, struct assay_error *error);
void run_free(struct run *run); /* accepts no NULL; frees *run too */

/* record.c: what a run writes into the database. All return ASSAY_OK at once without one. */
enum assay_status record_begin(struct run *run, struct assay_error *error);
enum assay_status record_device(struct run *run, const struct inventory_device *device,
                                const struct session *session, const char *state, const char *why,
                                int64_t *device_id, struct assay_error *error);
/* What tells a device from others in the database. Two entries that nothing tells apart, such as a card that one driver
 * lists twice, get their labels too. */
#define RECORD_KEY_MAX 300
void record_key(const struct inventory *inventory, const struct inventory_device *device,
                char key[RECORD_KEY_MAX]);
/* Every device that was seen and not chosen, with the reason (row D23). */
enum assay_status record_left_out(struct run *run, struct assay_error *error);
enum assay_status record_plan(struct run *run, struct assay_error *error);
enum assay_status record_outcome(struct run *run, const struct crew_outcome *outcome, const char *repro,
                                 struct assay_error *error);
/* The shares that a verify covered, at its end. */
enum assay_status record_coverage(struct run *run, struct assay_error *error);
/* The line to paste for a case, with every option that changes the result. Malloc'ed. */
char *record_repro(const struct run *run, const struct crew_outcome *outcome);

/* show.c: what a run prints besides progress. */
void show_outcome(struct run *run, const struct crew_outcome *outcome, const char *repro);
void show_devices(struct run *run);
void show_end(struct run *run, int exit_code, const char *reason);
void show_json(struct run *run, int exit_code, const char *reason);

#endif
