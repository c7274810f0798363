/* A device of a run: its worker, what its engine's probe said, and how it runs one kernel on one prepared case.
 *
 * It turns what happens to a worker into verdicts (CRASH, HANG, SKIP, ERROR) and leaves values to judge.c. It knows no
 * plan and no database. */
#ifndef ASSAY_SESSION_H
#define ASSAY_SESSION_H

#include "harness/inventory.h"
#include "harness/judge.h"
#include "harness/worker.h"

struct session {
    const struct inventory_device *device;
    struct worker *worker;
    bool opened;
    bool stale;               /* the worker must be started anew before the next case */
    enum assay_status status; /* why it is not open, by kind and in words */
    char why[508];
    char *probe_json; /* NULL when not open */
    char variant[16], variant_why[256];
    uint64_t staged;          /* serial of the case whose inputs lie in the shared memory, 0 = none */
    struct judge_trial trial; /* memory kept between cases */
};

/* Start a worker and open the device. Returns ASSAY_OK even if the device cannot be opened: session->opened and why
 * tell. An error is one of the machinery (no process, no memory). */
enum assay_status session_open(const struct options *options, const struct inventory_device *device,
                               struct session *session, struct assay_error *error);
void session_close(struct session *session);

struct session_call {
    const struct judge_case *c;
    const char *kernel; /* NULL = the engine's choice */
    const char *mode;
    uint32_t samples;
    uint64_t timeout_ns;
    const struct assay_tensor *rest; /* see judge_decide */
    const char *rest_name;
    struct oracle_pool *pool;
};

struct session_result {
    struct judgement judgement;
    struct adapter_reply reply; /* kernel "" when nothing answered */
    uint64_t wall_ns;
    struct judge_trial trial; /* outputs of both runs, when both answered */
};

/* Run a case twice and judge it. Never fails: what goes wrong becomes the verdict. Give the result's memory back with
 * session_take_back, or free it with session_result_free. */
void session_run(struct session *session, const struct session_call *call, struct session_result *result);
void session_take_back(struct session *session, struct session_result *result);
void session_result_free(struct session_result *result);

#endif
