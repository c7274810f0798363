/* A worker: a process of its own that drives one session of an engine, so that a crash, a hang or a lost device costs
 * one case and not the run. It is started by exec, does what it is told and judges nothing.
 *
 * This header knows the adapter ABI, no case and no oracle. Messages: assay.proto. */
#ifndef ASSAY_WORKER_H
#define ASSAY_WORKER_H

#include "harness/adapter.h"

struct worker;

/* How the process stands after a call. */
enum worker_state {
    WORKER_READY,
    WORKER_CRASHED, /* it ended by itself: a signal or an exit */
    WORKER_HUNG,    /* no answer in time: it was killed */
};

struct worker_params {
    const char *engine;                    /* shared object; NULL = the engine in the program */
    const struct adapter_options *options; /* copied */
};

/* Make the record and its shared memory, and start the process. The kernel ends a worker
 * together with the thread that started it last. */
enum assay_status worker_new(const struct worker_params *params, struct worker **worker,
                             struct assay_error *error);
void worker_free(struct worker *worker); /* accepts NULL; kills the process */
/* After WORKER_CRASHED or WORKER_HUNG, or to get a fresh one: kill, start again, and open the same device again. */
enum assay_status worker_restart(struct worker *worker, uint64_t timeout_ns, struct assay_error *error);
enum worker_state worker_state(const struct worker *worker);
/* Process id, for tests and for messages. */
int worker_pid(const struct worker *worker);

/* Each of these returns the engine's own status, or ASSAY_IO when the process did not live to answer (worker_state
 * tells how, error.text in words: "the worker crashed: signal 11 (Segmentation fault)"). JSON is malloc'ed. */
enum assay_status worker_describe(struct worker *worker, uint64_t timeout_ns, char **json,
                                  struct assay_error *error);
enum assay_status worker_open(struct worker *worker, const char *device, uint64_t timeout_ns,
                              struct assay_error *error);
enum assay_status worker_probe(struct worker *worker, uint64_t timeout_ns, char **json,
                               struct assay_error *error);

/* The shared memory, at least `bytes` long. The address may change when it grows; contents stay. NULL: no memory. */
void *worker_memory(struct worker *worker, uint64_t bytes, struct assay_error *error);

/* Tensors of the node have `data` inside worker_memory. The timeout counts from when the worker has the card to
 * itself; it waits for that at most ten minutes. */
enum assay_status worker_supports(struct worker *worker, const struct adapter_node *node,
                                  const struct adapter_request *request, struct assay_error *error);
enum assay_status worker_run(struct worker *worker, const struct adapter_node *node,
                             const struct adapter_request *request, struct adapter_reply *reply,
                             struct assay_error *error);

/* For bench. ASSAY_UNSUPPORTED when the engine has no such entry. */
enum assay_status worker_sample(struct worker *worker, const struct adapter_node *node,
                                const struct adapter_sample_request *request,
                                struct adapter_sample_reply *reply, struct assay_error *error);
enum assay_status worker_measure(struct worker *worker, uint64_t timeout_ns, char **json,
                                 struct assay_error *error);

/* From a signal handler: every call that waits for a worker, now or later, ends at once as if the worker hung. */
void worker_cancel_all(void);
void worker_cancel_reset(void);

/* The process' side: serve requests on `socket` until it closes. Returns its exit code. main and test programs call
 * it when their first argument is "worker". */
int worker_serve(int socket, int memory);

#endif
