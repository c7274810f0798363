/* Taking samples: warm-up, then spans until the stopping rule is content, each over a poisoned output whose digest is kept.
 *
 * Inputs are on the device before the first span. Workers time; this side decides. */
#include "harness/bench.h"
#include "harness/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARMUP_MOST_NS 1e9
#define CELL_MOST_NS   15e9
#define SPAN_LEAST_NS  5e8 /* device time in all samples */
#define FEW_SAMPLES    3   /* what a slow device gives when three times the budget is gone */

/* Work in progress. */
struct taking {
    const struct bench_source *source;
    struct bench_timing *timing;
    struct adapter_sample_reply reply; /* of the last span */
    char digest[33];                   /* likewise */
    uint32_t taken, wrong;             /* wrong: warm-ups whose output was not the judged one */
    double record[BENCH_SAMPLES_MOST], submit[BENCH_SAMPLES_MOST], other[BENCH_SAMPLES_MOST];
    bool by_run; /* the engine has no entry for samples: its run() gives them */
};

static void fail(struct taking *taking, const char *text)
{
    taking->timing->verdict = BENCH_ERROR;
    snprintf(taking->timing->reason, sizeof taking->timing->reason, "%.290s", text);
}

static void keep_names(struct bench_timing *timing, const char *kernel, const char *hash, const char *variant)
{
    snprintf(timing->kernel, sizeof timing->kernel, "%s", kernel);
    snprintf(timing->kernel_hash, sizeof timing->kernel_hash, "%s", hash);
    snprintf(timing->variant, sizeof timing->variant, "%s", variant);
}

/* The engine's own repeats behind a judged run, one a call: output and time are of two runs one behind the other. */
static enum assay_status take_by_run(struct taking *taking, const struct adapter_node *node,
                                     struct assay_error *error)
{
    const struct bench_source *source = taking->source;
    const struct adapter_request request = {.size = sizeof request,
                                            .kernel = source->kernel,
                                            .mode = source->mode,
                                            .samples = 1,
                                            .timeout_ns = source->timeout_ns};
    struct adapter_reply reply;
    enum assay_status status = worker_run(source->worker, node, &request, &reply, error);
    if (status != ASSAY_OK) return status;
    if (reply.samples == 0)
        return assay_error_set(error, ASSAY_UNSUPPORTED,
                               "the engine gives no times: nothing can be measured");
    keep_names(taking->timing, reply.kernel, reply.kernel_hash, reply.variant);
    taking->reply = (struct adapter_sample_reply){.ns = (double)reply.sample_ns[0],
                                                  .wall_ns = NAN,
                                                  .record_ns = NAN,
                                                  .submit_ns = NAN,
                                                  .other_ns = NAN,
                                                  .clock_before_mhz = -1,
                                                  .clock_after_mhz = -1,
                                                  .temperature_c = NAN,
                                                  .power_w = NAN,
                                                  .throttle = -1};
    return ASSAY_OK;
}

/* One span of `calls` over a poisoned output. */
static enum assay_status take(struct taking *taking, uint32_t calls, struct assay_error *error)
{
    const struct bench_source *source = taking->source;
    const int poison = taking->taken % 2;
    struct assay_tensor tensors[2 * OP_TENSORS_MAX];
    struct adapter_node node;
    uint8_t *arena = worker_memory(source->worker, source->c->arena_bytes, error);
    if (!arena) return ASSAY_OUT_OF_MEMORY;
    const struct adapter_sample_request request = {.size = sizeof request,
                                                   .kernel = source->kernel,
                                                   .mode = source->mode,
                                                   .cold = source->cold,
                                                   .upload = taking->taken == 0,
                                                   .calls = calls,
                                                   .timeout_ns = source->timeout_ns};
    judge_node(source->c, arena, tensors, &node);
    if (taking->taken == 0 || taking->by_run)
        judge_stage(source->c, poison, arena);
    else
        judge_poison_outputs(source->c, poison, arena);
    enum assay_status status = ASSAY_UNSUPPORTED;
    if (!taking->by_run) status = worker_sample(source->worker, &node, &request, &taking->reply, error);
    /* The case was judged, so it is the entry that is missing. */
    if (status == ASSAY_UNSUPPORTED && taking->taken == 0) {
        taking->by_run = !source->cold;
        taking->timing->no_entry = source->cold;
    }
    if (taking->by_run)
        status = take_by_run(taking, &node, error);
    else if (status == ASSAY_OK)
        keep_names(taking->timing, taking->reply.kernel, taking->reply.kernel_hash, taking->reply.variant);
    if (status != ASSAY_OK) return status;
    taking->taken++;
    taking->timing->transfers += taking->reply.transfers;
    taking->timing->dispatches = taking->reply.dispatches / calls;
    oracle_digest(&node.output[0], taking->digest);
    if (!(taking->reply.ns > 0))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "the device gave no time: %s",
                               taking->by_run || taking->reply.dispatches ? "it has no clock"
                                                                          : "the case computes nothing");
    return ASSAY_OK;
}

/* Until three times agree, or the time for it is over. */
static enum assay_status warm_up(struct taking *taking, double most_ns, struct assay_error *error)
{
    struct bench_timing *timing = taking->timing;
    const struct bench_source *source = taking->source;
    double ns[BENCH_WARMUPS_MOST];
    size_t count = 0;
    const uint64_t begin_ns = clock_now_ns();
    timing->calls = 1;
    while (count < BENCH_WARMUPS_MOST && !*source->stop) {
        const enum assay_status status = take(taking, timing->calls, error);
        if (status != ASSAY_OK) return status;
        timing->warmups++;
        taking->wrong += strcmp(taking->digest, source->digest) != 0;
        ns[count++] = taking->reply.ns / timing->calls;
        if (!source->cold && !taking->by_run) {
            const uint32_t calls = bench_calls(ns[count - 1], source->timer_ns);
            /* The first times are of a cold kernel: the span grows with what is learned, and shrinks no more. */
            if (calls > timing->calls + timing->calls / 4) {
                timing->calls = calls;
                count = 0;
            }
        }
        timing->warm = bench_warm(ns, count);
        if (timing->warm || (double)(clock_now_ns() - begin_ns) > most_ns) break;
    }
    return ASSAY_OK;
}

static void keep(struct taking *taking)
{
    struct bench_timing *timing = taking->timing;
    const struct adapter_sample_reply *reply = &taking->reply;
    const double calls = timing->calls;
    const size_t at = timing->count++;
    timing->sample[at] = (struct bench_sample){.ns = reply->ns / calls,
                                               .clock_before_mhz = reply->clock_before_mhz,
                                               .clock_after_mhz = reply->clock_after_mhz,
                                               .throttle = reply->throttle,
                                               .temperature_c = reply->temperature_c,
                                               .power_w = reply->power_w,
                                               .rejected = ""};
    memcpy(timing->sample[at].digest, taking->digest, sizeof taking->digest);
    taking->record[at] = reply->record_ns / calls;
    taking->submit[at] = reply->submit_ns / calls;
    taking->other[at] = reply->other_ns / calls;
}

static enum assay_status take_all(struct taking *taking, struct assay_error *error)
{
    struct bench_timing *timing = taking->timing;
    const struct bench_source *source = taking->source;
    struct bench_stop *stop = calloc(1, sizeof *stop);
    const double budget_ns =
        source->budget_ns > 0 && source->budget_ns < CELL_MOST_NS ? source->budget_ns : CELL_MOST_NS;
    const uint64_t begin_ns = clock_now_ns();
    if (!stop) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to time a kernel");
    enum assay_status status = warm_up(taking, fmin(WARMUP_MOST_NS, budget_ns / 3), error);
    bool enough = status != ASSAY_OK, wrong = taking->wrong > 0;
    while (!enough && !*source->stop && timing->count < BENCH_SAMPLES_MOST) {
        status = take(taking, timing->calls, error);
        if (status != ASSAY_OK) break;
        keep(taking);
        const double spent_ns = (double)(clock_now_ns() - begin_ns);
        wrong |= strcmp(taking->digest, source->digest) != 0;
        enough = (wrong && timing->count >= BENCH_SAMPLES_LEAST) ||
                 bench_enough(stop, taking->reply.ns, fmin(SPAN_LEAST_NS, budget_ns / 3)) ||
                 (spent_ns > budget_ns && timing->count >= BENCH_SAMPLES_LEAST) ||
                 (spent_ns > 3 * budget_ns && timing->count >= FEW_SAMPLES);
    }
    free(stop);
    return status;
}

static void add_note(struct bench_timing *timing, const char *note)
{
    const size_t used = strlen(timing->reason);
    snprintf(timing->reason + used, sizeof timing->reason - used, "%s%s", used ? "; " : "", note);
}

void bench_time(const struct bench_source *source, struct bench_timing *timing)
{
    struct assay_error error = {0};
    char reason[256];
    *timing = (struct bench_timing){.record_ns = NAN, .submit_ns = NAN, .other_ns = NAN};
    struct taking *taking = calloc(1, sizeof *taking);
    if (!taking) {
        timing->verdict = BENCH_ERROR;
        snprintf(timing->reason, sizeof timing->reason, "no memory to time a kernel");
        return;
    }
    taking->source = source;
    taking->timing = timing;
    const enum assay_status status = take_all(taking, &error);
    timing->rejected = (uint32_t)bench_reject(timing->sample, timing->count, source->flops);
    bench_summarise(timing->sample, timing->count, &timing->summary);
    if (status != ASSAY_OK) {
        fail(taking, error.text);
    } else {
        timing->verdict = bench_decide(timing->sample, timing->count, source->digest, timing->warm,
                                       timing->transfers, reason);
        snprintf(timing->reason, sizeof timing->reason, "%s", reason);
        if (taking->wrong && timing->verdict != BENCH_DIFF && timing->verdict != BENCH_NONDET) {
            timing->verdict = BENCH_NONDET;
            snprintf(timing->reason, sizeof timing->reason,
                     "%u of %u warm-ups left another output than the judged one", taking->wrong,
                     timing->warmups);
        }
    }
    if (taking->by_run && timing->verdict != BENCH_ERROR)
        add_note(timing, "the engine has no entry for timed samples: repeats of its run()");
    if (!taking->by_run) {
        timing->record_ns = bench_median(taking->record, timing->count);
        timing->submit_ns = bench_median(taking->submit, timing->count);
        timing->other_ns = bench_median(taking->other, timing->count);
    }
    free(taking);
}
