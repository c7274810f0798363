/* What a run prints: a line a kernel and shape (verify), failures, everything about a case (replay), a line a device at
 * the end, and the reason of the exit code last. */
#include "harness/run.h"
#include "harness/clock.h"
#include "oracles/element.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLAY_ELEMS 8

static bool good(enum verdict verdict, enum verdict expected)
{
    return verdict == VERDICT_PASS || verdict == VERDICT_REFLIMITED || verdict == expected;
}

static uint64_t median_ns(const struct adapter_reply *reply)
{
    uint64_t sorted[ADAPTER_SAMPLES_MAX];
    for (uint32_t at = 0; at < reply->samples; at++) {
        uint32_t place = at;
        for (; place > 0 && sorted[place - 1] > reply->sample_ns[at]; place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = reply->sample_ns[at];
    }
    return reply->samples ? sorted[reply->samples / 2] : 0;
}

static void shape_text(const struct assay_tensor *tensor, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t d = 0; tensor && d < tensor->rank && used < bytes; d++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%" PRId64, d ? "x" : "", tensor->shape[d]);
    if (!tensor || tensor->rank == 0) snprintf(text, bytes, "scalar");
}

/* The line of row H01. */
static void show_verified(struct run *run, const struct crew_outcome *outcome)
{
    const struct judgement *judgement = &outcome->result->judgement;
    char shape[160];
    const uint64_t ns = median_ns(&outcome->result->reply);
    const int64_t equal = judgement->elems - judgement->differing;
    const char *fill = outcome->row->entry->onnx ? outcome->row->entry->line : outcome->spec->fill;
    const char *kernel =
        *outcome->result->reply.kernel ? outcome->result->reply.kernel : outcome->row->kernel;
    shape_text(outcome->output, shape, sizeof shape);
    progress_say(&run->progress, "%s: %s %s (%s): %" PRId64 " of %" PRId64 " elements bit-exact (%.3f ms)\n",
                 outcome->session->device->label, kernel, shape, fill, equal, judgement->elems,
                 (double)(ns ? ns : outcome->result->wall_ns) * 1e-6);
}

/* ---- replay: everything ---- */

static void show_elements(struct run *run, const struct crew_outcome *outcome)
{
    if (!outcome->c || !outcome->result->trial.output[1][0]) return;
    const struct assay_tensor got = judge_output(outcome->c, &outcome->result->trial);
    const int digits = 2 * (int)assay_dtype_bytes(got.dtype);
    int64_t shown = 0, first;
    for (int64_t i = 0; i < outcome->c->row_count && shown < REPLAY_ELEMS; i++) {
        const struct op_case *c = &outcome->spec->op;
        const int64_t count = c->op->row_elems(c, outcome->c->rows ? outcome->c->rows[i] : i, &first);
        for (int64_t e = 0; e < count && shown < REPLAY_ELEMS; e++) {
            uint64_t have, want;
            char index[96];
            element_load(&got, first + e, 1, &have);
            element_load(outcome->want, first + e, 1, &want);
            if (have == want && outcome->result->judgement.differing) continue;
            judge_index_text(&got, first + e, index, sizeof index);
            progress_say(
                &run->progress,
                "  %-10s got %0*" PRIx64 " %+a  want %0*" PRIx64 " %+a  %.9g ulp  xor %0*" PRIx64 "\n", index,
                digits, have, element_value(got.dtype, have), digits, want, element_value(got.dtype, want),
                element_distance(got.dtype, have, want), digits, have ^ want);
            shown++;
        }
    }
    if (outcome->result->judgement.differing)
        progress_say(&run->progress, "  bits that differ anywhere: %0*" PRIx64 "\n", digits,
                     outcome->result->judgement.or_xor);
}

static void show_replayed(struct run *run, const struct crew_outcome *outcome)
{
    const struct judgement *judgement = &outcome->result->judgement;
    const struct adapter_reply *reply = &outcome->result->reply;
    char shape[160];
    shape_text(outcome->output, shape, sizeof shape);
    progress_say(&run->progress, "%s%s%s  %s\n  kernel   %s %s %s %s\n", verdict_name(judgement->verdict),
                 judgement->rung == RUNG_NONE ? "" : " ",
                 judgement->rung == RUNG_NONE ? "" : rung_name(judgement->rung), outcome->row->entry->line,
                 outcome->session->device->label, *reply->kernel ? reply->kernel : outcome->row->kernel,
                 reply->kernel_hash, reply->variant);
    progress_say(&run->progress, "  output   %s %s, %" PRId64 " elements, %" PRId64 " judged, digest %s\n",
                 assay_dtype_name(outcome->dtype), shape, judgement->elems, judgement->judged,
                 judgement->digest);
    if (judgement->has_f64)
        progress_say(&run->progress,
                     "  float64  scaled error %.3g, rms %.3g, %.3g ulp, %.3g of the proven bound\n",
                     judgement->scaled_f64, judgement->rms_f64, judgement->ulp_f64, judgement->bound_f64);
    if (judgement->has_published)
        progress_say(&run->progress, "  published %" PRId64 " elements differ, scaled error %.3g\n",
                     judgement->published_differing, judgement->published_scaled);
    if (judgement->reason[0]) progress_say(&run->progress, "  reason   %s\n", judgement->reason);
    if (reply->samples)
        progress_say(&run->progress, "  time     %.3f ms, median of %u\n", (double)median_ns(reply) * 1e-6,
                     reply->samples);
    show_elements(run, outcome);
}

void show_outcome(struct run *run, const struct crew_outcome *outcome, const char *repro)
{
    const struct judgement *judgement = &outcome->result->judgement;
    const enum verdict verdict = judgement->verdict;
    const struct inventory_device *device = outcome->session->device;
    if (run->options->json) return;
    if (run->kind == RUN_REPLAY) {
        show_replayed(run, outcome);
        return;
    }
    if (good(verdict, outcome->spec->expect) && verdict != VERDICT_SKIP) {
        if (run->kind == RUN_VERIFY && !run->options->quiet && verdict == VERDICT_PASS)
            show_verified(run, outcome);
        return;
    }
    if (verdict == VERDICT_SKIP && skipped_add(&run->skipped, device->label, outcome->row->kernel,
                                               outcome->row->entry->line, judgement->reason))
        return;
    if (verdict == VERDICT_SKIP || verdict == VERDICT_DEADREF || verdict == VERDICT_UNPROVEN) {
        if (run->kind == RUN_VERIFY && !run->options->quiet)
            progress_say(&run->progress, "%s: %s %s: %s, not judged: %s\n", device->label,
                         outcome->row->kernel, outcome->row->entry->line, verdict_name(verdict),
                         judgement->reason);
        return;
    }
    const struct failure failure = {.line = outcome->row->entry->line,
                                    .label = device->label,
                                    .device = device->name,
                                    .driver = device->driver,
                                    .kernel = *outcome->result->reply.kernel ? outcome->result->reply.kernel
                                                                             : outcome->row->kernel,
                                    .kernel_hash = outcome->result->reply.kernel_hash,
                                    .repro = repro,
                                    .dtype = outcome->dtype,
                                    .judgement = judgement};
    char *text = progress_failure(&failure);
    if (text) progress_say(&run->progress, "%s", text);
    free(text);
}

/* ---- the end ---- */

static bool earns_trust(const struct inventory_device *device)
{
    return !device->software && strcmp(device->backend, "cpu") != 0;
}

static void show_trust(const struct run_device *device)
{
    const struct judge_tally *tally = &device->tally;
    const char *label = device->device->label;
    if (tally->failed || tally->errors || tally->passed == 0)
        printf("%s: NOT VERIFIED — %s; assay will not use this card\n", label,
               device->first_failure[0] ? device->first_failure : "nothing was judged");
    else if (!earns_trust(device->device))
        printf("%s: all judged bits are right; software devices and the CPU earn no trust\n", label);
    else
        printf("%s: VERIFIED — %" PRId64 " cases bit-exact\n", label, tally->passed);
    if (device->trust.outcome[0]) printf("%s: %s\n", label, device->trust.outcome);
}

void show_devices(struct run *run)
{
    char text[CASE_LINE_MAX + 700];
    progress_clear(&run->progress);
    for (size_t at = 0; at < run->skipped.count && !run->options->quiet; at++)
        puts(skipped_text(&run->skipped.group[at], text, sizeof text));
    for (size_t at = 0; at < run->session_count; at++) {
        const struct run_device *device = &run->device[at];
        const struct judge_tally *tally = &device->tally;
        printf("%s %s: %" PRId64 " judged, %" PRId64 " passed, %" PRId64 " failed; %" PRId64
               " errors, %" PRId64 " not judged, %" PRId64 " capped by the level; %.1f s\n",
               device->device->label, device->device->name, tally->passed + tally->failed, tally->passed,
               tally->failed, tally->errors, tally->not_judged, device->capped,
               (double)device->wall_ns * 1e-9);
        if (run->kind == RUN_VERIFY) show_trust(device);
    }
}

void show_end(struct run *run, int exit_code, const char *reason)
{
    const double seconds = (double)(clock_now_ns() - run->start_ns) * 1e-9;
    if (run->recorded && !run->options->quiet)
        printf("%" PRId64 " of %zu planned in %.1f s, %.0f a second%s%s\n", run->recorded,
               run->plan.row_count, seconds,
               (double)(run->recorded - run->kept) / (seconds > 0 ? seconds : 1),
               run->store ? "; recorded in " : "", run->store ? run->options->db : "");
    printf("exit %d: %s\n", exit_code, reason);
}

void show_json(struct run *run, int exit_code, const char *reason)
{
    json_t *devices = json_array();
    for (size_t at = 0; at < run->session_count; at++) {
        const struct run_device *device = &run->device[at];
        json_t *counts = json_object();
        for (int verdict = VERDICT_PASS; verdict < VERDICT_COUNT; verdict++)
            json_object_set_new(counts, verdict_name((enum verdict)verdict),
                                json_integer(device->tally.count[verdict]));
        json_array_append_new(devices,
                              json_pack("{s:s, s:s, s:o, s:I, s:b, s:s, s:s}", "label", device->device->label,
                                        "name", device->device->name, "verdicts", counts, "capped",
                                        (json_int_t)device->capped, "trusted", device->trust.granted, "trust",
                                        device->trust.outcome, "left_out", run->plan_device[at].formless));
    }
    json_t *root = json_pack("{s:s, s:I, s:i, s:s, s:I, s:I, s:I, s:o}", "verb", run->options->verb, "run",
                             (json_int_t)run->run_id, "exit", exit_code, "reason", reason, "planned",
                             (json_int_t)run->plan.row_count, "recorded", (json_int_t)run->recorded,
                             "recorded_before", (json_int_t)run->kept, "devices", devices);
    char *text = json_dumps(root, JSON_INDENT(2));
    if (text) puts(text);
    free(text);
    json_decref(root);
}
