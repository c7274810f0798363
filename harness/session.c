/* A device of a run: opening it in a worker, and running one kernel on one case. */
#include "harness/session.h"
#include "harness/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_NS      (UINT64_C(250000000))        /* what the timed repeats of a case may take */
#define FLOPS_MOST_NS   1e6                          /* flop a ns, 1 PFLOP/s: more than any device has */
#define OPEN_TIMEOUT_NS (120 * UINT64_C(1000000000)) /* a driver may compile its probes */

static void read_probe(struct session *session)
{
    json_error_t unused;
    json_t *probe = json_loads(session->probe_json, 0, &unused);
    const char *variant = json_string_value(json_object_get(probe, "variant"));
    const char *why = json_string_value(json_object_get(probe, "why"));
    snprintf(session->variant, sizeof session->variant, "%s", variant ? variant : "");
    snprintf(session->variant_why, sizeof session->variant_why, "%s", why ? why : "");
    json_decref(probe);
}

enum assay_status session_open(const struct options *options, const struct inventory_device *device,
                               struct session *session, struct assay_error *error)
{
    struct adapter_options adapter_options = {.size = sizeof adapter_options};
    struct worker_params params = {.engine = options->engine, .options = &adapter_options};
    struct assay_error why = {0};
    *session = (struct session){.device = device};
    options_adapter(options, &adapter_options);
    enum assay_status status = worker_new(&params, &session->worker, error);
    if (status != ASSAY_OK) return status;
    status = worker_open(session->worker, device->label, OPEN_TIMEOUT_NS, &why);
    if (status == ASSAY_OK)
        status = worker_probe(session->worker, OPEN_TIMEOUT_NS, &session->probe_json, &why);
    if (status == ASSAY_OK) {
        session->opened = true;
        read_probe(session);
        return ASSAY_OK;
    }
    session->status = status;
    snprintf(session->why, sizeof session->why, "%s", why.text);
    worker_free(session->worker);
    session->worker = NULL;
    return ASSAY_OK;
}

void session_close(struct session *session)
{
    worker_free(session->worker);
    free(session->probe_json);
    judge_trial_free(&session->trial);
    *session = (struct session){0};
}

static void say(struct session_result *result, enum verdict verdict, const char *format, ...)
    ASSAY_PRINTF(3, 4);

static void say(struct session_result *result, enum verdict verdict, const char *format, ...)
{
    va_list arguments;
    result->judgement.verdict = verdict;
    va_start(arguments, format);
    vsnprintf(result->judgement.reason, sizeof result->judgement.reason, format, arguments);
    va_end(arguments);
}

/* What a failed call means for the case. */
static void blame(struct session *session, const struct session_call *call, enum assay_status status,
                  bool asked_only, const struct assay_error *error, struct session_result *result)
{
    const enum worker_state state = worker_state(session->worker);
    session->stale = true;
    if (state == WORKER_HUNG)
        say(result, VERDICT_HANG, "%s", error->text);
    else if (state == WORKER_CRASHED)
        say(result, VERDICT_CRASH, "%s", error->text);
    else if (status == ASSAY_UNSUPPORTED || (asked_only && status == ASSAY_DEVICE_UNSUPPORTED)) {
        session->stale = false;
        say(result, VERDICT_SKIP, "%s", error->text);
    } else if (status == ASSAY_TIMEOUT)
        say(result, VERDICT_HANG, "%s", error->text);
    else if (status == ASSAY_DEVICE_LOST)
        say(result, VERDICT_CRASH, "device lost: %.480s", error->text);
    else if (status == ASSAY_OUT_OF_MEMORY && session->device->memory_bytes > 0 &&
             call->c->arena_bytes > session->device->memory_bytes / 2)
        say(result, VERDICT_SKIP, "out of memory, for a case of %llu bytes on a device of %llu: %.350s",
            (unsigned long long)call->c->arena_bytes, (unsigned long long)session->device->memory_bytes,
            error->text);
    else
        say(result, VERDICT_ERROR, "%s: %.480s", assay_status_name(status), error->text);
}

/* Timing must not take much longer than judging. The first run, which may compile, is an upper limit of a sample. */
static uint32_t samples_for(const struct session_call *call, uint64_t first_ns)
{
    const uint64_t fitting = first_ns ? SAMPLES_NS / first_ns : call->samples;
    if (call->samples == 0 || fitting >= call->samples) return call->samples;
    return fitting > 0 ? (uint32_t)fitting : 1;
}

static bool run_once(struct session *session, const struct session_call *call, int poison, uint64_t first_ns,
                     struct session_result *result)
{
    struct assay_error error = {0};
    struct assay_tensor tensors[2 * OP_TENSORS_MAX];
    struct adapter_node node;
    struct adapter_request request = {.size = sizeof request,
                                      .kernel = call->kernel,
                                      .mode = call->mode,
                                      .samples = poison ? samples_for(call, first_ns) : 0,
                                      .timeout_ns = call->timeout_ns};
    uint8_t *arena = worker_memory(session->worker, call->c->arena_bytes, &error);
    if (!arena) {
        say(result, VERDICT_ERROR, "%s", error.text);
        return false;
    }
    judge_node(call->c, arena, tensors, &node);
    enum assay_status status = ASSAY_OK;
    if (poison == 0) {
        status = worker_supports(session->worker, &node, &request, &error);
        if (status != ASSAY_OK) {
            blame(session, call, status, true, &error, result);
            return false;
        }
    }
    /* Inputs that the last run left as they were need not be copied again. */
    if (session->staged == call->c->serial)
        judge_poison_outputs(call->c, poison, arena);
    else
        judge_stage(call->c, poison, arena);
    session->staged = 0;
    status = worker_run(session->worker, &node, &request, &result->reply, &error);
    if (status != ASSAY_OK) {
        blame(session, call, status, false, &error, result);
        return false;
    }
    status = judge_collect(call->c, poison, arena, &result->trial, &error);
    if (status != ASSAY_OK) say(result, VERDICT_ERROR, "%s", error.text);
    if (status == ASSAY_OK && !result->trial.complaint[poison][0]) session->staged = call->c->serial;
    return status == ASSAY_OK;
}

/* A time that no device can reach was taken without waiting for the work: it is dropped, and the record says so. */
static void drop_samples(const struct judge_case *c, struct adapter_reply *reply, struct judgement *judgement)
{
    const struct op_case *spec = &c->source.spec.op;
    const double flops = spec->op->flops(spec);
    uint64_t dropped_ns = 0;
    uint32_t kept = 0, dropped = 0;
    for (uint32_t at = 0; at < reply->samples; at++) {
        const uint64_t sample_ns = reply->sample_ns[at];
        if (sample_ns > 0 && flops <= (double)sample_ns * FLOPS_MOST_NS)
            reply->sample_ns[kept++] = sample_ns;
        else if (dropped++ == 0)
            dropped_ns = sample_ns;
    }
    reply->samples = kept;
    if (!dropped || flops <= 0) return;
    const size_t used = strlen(judgement->reason);
    snprintf(judgement->reason + used, sizeof judgement->reason - used,
             "%s%u timed runs dropped: %llu ns is less than any device takes", used ? "; " : "", dropped,
             (unsigned long long)dropped_ns);
}

void session_run(struct session *session, const struct session_call *call, struct session_result *result)
{
    const uint64_t start_ns = clock_now_ns();
    struct assay_error error = {0};
    *result = (struct session_result){.judgement = {.oracle = "", .first = -1, .published_differing = -1}};
    result->judgement.elems = call->c->elems;
    result->trial = session->trial;
    session->trial = (struct judge_trial){0};
    if (call->c->refused != VERDICT_NONE) {
        say(result, call->c->refused, "%s", call->c->why);
        return;
    }
    if (session->stale || worker_state(session->worker) != WORKER_READY) {
        if (worker_restart(session->worker, OPEN_TIMEOUT_NS, &error) != ASSAY_OK) {
            say(result, VERDICT_ERROR, "the device cannot be opened again: %.450s", error.text);
            result->wall_ns = clock_now_ns() - start_ns;
            return;
        }
        session->stale = false;
    }
    bool answered = run_once(session, call, 0, 0, result);
    if (answered) answered = run_once(session, call, 1, clock_now_ns() - start_ns, result);
    if (answered)
        judge_decide(call->c, &result->trial, call->mode, result->reply.kernel_hash, call->rest,
                     call->rest_name, call->pool, &result->judgement);
    if (answered) drop_samples(call->c, &result->reply, &result->judgement);
    result->wall_ns = clock_now_ns() - start_ns;
}

void session_take_back(struct session *session, struct session_result *result)
{
    judge_trial_free(&session->trial);
    session->trial = result->trial;
    judge_trial_reset(&session->trial);
    result->trial = (struct judge_trial){0};
}

void session_result_free(struct session_result *result)
{
    judge_trial_free(&result->trial);
}
