/* Judging: verdicts on what an engine left in memory.
 *
 * The order of the checks is the order of blame: guards and inputs, unwritten output, two runs that differ, then the
 * oracles. It never looks at what the engine says about itself, but for the kernel's hash. Preparation: prepare.c. */
#include "harness/judge.h"
#include "harness/options.h"
#include "oracles/element.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t judge_element(const struct assay_tensor *tensor, int64_t flat)
{
    int64_t at = tensor->offset;
    for (uint32_t d = tensor->rank; d-- > 0;) {
        at += flat % tensor->shape[d] * tensor->stride[d];
        flat /= tensor->shape[d];
    }
    return at;
}

void judge_index_text(const struct assay_tensor *tensor, int64_t flat, char *text, size_t bytes)
{
    int64_t index[ASSAY_RANK_MAX];
    size_t used = 0;
    for (uint32_t d = tensor->rank; d-- > 0;) {
        index[d] = flat % tensor->shape[d];
        flat /= tensor->shape[d];
    }
    used += (size_t)snprintf(text, bytes, "[");
    for (uint32_t d = 0; d < tensor->rank && used < bytes; d++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%lld", d ? "," : "", (long long)index[d]);
    if (used < bytes) snprintf(text + used, bytes - used, "]");
}

static uint64_t load_bits(const uint8_t *memory, int64_t element, size_t width)
{
    uint64_t bits = 0;
    memcpy(&bits, memory + (size_t)element * width, width);
    return bits;
}

/* ---- memory ---- */

/* First byte of [from, to) that is not the poison, or `to`. */
static uint64_t first_unpoisoned(const uint8_t *memory, uint64_t from, uint64_t to, size_t width,
                                 uint64_t poison)
{
    for (uint64_t at = from; at + width <= to; at += width)
        if (load_bits(memory + at, 0, width) != poison) return at;
    return to;
}

static bool stray_write(const struct judge_memory *place, const char *name, const uint8_t *memory,
                        uint64_t poison, char *complaint, size_t complaint_bytes)
{
    const struct assay_tensor *tensor = &place->tensor;
    const size_t width = assay_dtype_bytes(tensor->dtype);
    const uint64_t head = (uint64_t)tensor->offset * width;
    const uint64_t tail = assay_tensor_elems(tensor) ? (uint64_t)assay_tensor_extent(tensor) * width : head;
    uint64_t at = first_unpoisoned(memory, 0, head, width, poison);
    if (at < head) {
        snprintf(complaint, complaint_bytes, "stray write %llu bytes before %s",
                 (unsigned long long)(head - at), name);
        return true;
    }
    at = first_unpoisoned(memory, tail, tensor->bytes, width, poison);
    if (at < tensor->bytes) {
        snprintf(complaint, complaint_bytes, "stray write %llu bytes past the end of %s",
                 (unsigned long long)(at - tail), name);
        return true;
    }
    for (uint64_t element = head / width; place->in_view && element < tail / width; element++)
        if (!place->in_view[element] && load_bits(memory, (int64_t)element, width) != poison) {
            snprintf(complaint, complaint_bytes,
                     "stray write in a gap between rows of %s, element %llu of its memory", name,
                     (unsigned long long)(element - head / width));
            return true;
        }
    return false;
}

static bool input_changed(const struct judge_memory *place, const char *name, const uint8_t *before,
                          const uint8_t *after, char *complaint, size_t complaint_bytes)
{
    const uint64_t bytes = place->tensor.bytes;
    uint64_t at = 0;
    if (memcmp(before, after, bytes) == 0) return false;
    while (before[at] == after[at]) at++;
    snprintf(
        complaint, complaint_bytes, "input %s was changed: byte %lld of its memory is %02x, was %02x", name,
        (long long)at - (long long)place->tensor.offset * (long long)assay_dtype_bytes(place->tensor.dtype),
        after[at], before[at]);
    return true;
}

enum assay_status judge_collect(const struct judge_case *c, int poison, const uint8_t *arena,
                                struct judge_trial *trial, struct assay_error *error)
{
    char *complaint = trial->complaint[poison];
    const size_t bytes = sizeof trial->complaint[poison];
    complaint[0] = 0;
    for (size_t at = 0; at < c->sig.output_count; at++) {
        const struct judge_memory *place = &c->output[at];
        uint8_t *kept = trial->output[poison][at];
        if (!kept) kept = malloc(place->tensor.bytes);
        if (!kept)
            return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot keep an output of %llu bytes",
                                   (unsigned long long)place->tensor.bytes);
        memcpy(kept, arena + place->arena_bytes, place->tensor.bytes);
        trial->output[poison][at] = kept;
        if (!complaint[0])
            stray_write(place, c->sig.output[at].name, kept, judge_poison(place->tensor.dtype, poison),
                        complaint, bytes);
    }
    for (size_t at = 0; at < c->sig.input_count && !complaint[0]; at++)
        input_changed(&c->input[at], c->sig.input[at].name, c->image + c->input[at].arena_bytes,
                      arena + c->input[at].arena_bytes, complaint, bytes);
    return ASSAY_OK;
}

void judge_trial_free(struct judge_trial *trial)
{
    for (int run = 0; run < 2; run++)
        for (int at = 0; at < OP_TENSORS_MAX; at++) {
            free(trial->output[run][at]);
            trial->output[run][at] = NULL;
        }
}

static struct assay_tensor output_of(const struct judge_case *c, const struct judge_trial *trial, int run,
                                     size_t at)
{
    struct assay_tensor tensor = c->output[at].tensor;
    tensor.data = trial->output[run][at];
    return tensor;
}

struct assay_tensor judge_output(const struct judge_case *c, const struct judge_trial *trial)
{
    return output_of(c, trial, 1, 0);
}

/* ---- the checks ---- */

static void set_reason(struct judgement *judgement, enum verdict verdict, const char *reason)
{
    judgement->verdict = verdict;
    snprintf(judgement->reason, sizeof judgement->reason, "%s", reason);
}

static void record_first(struct judgement *judgement, const struct assay_tensor *tensor,
                         const struct comparison *found)
{
    const int digits = 2 * (int)assay_dtype_bytes(tensor->dtype);
    judgement->differing = found->differing;
    judgement->first = found->first;
    judgement->or_xor = found->or_xor;
    judgement->has_ulp = true;
    judgement->max_ulp = found->max_ulp;
    if (found->first < 0) return;
    judge_index_text(tensor, found->first, judgement->first_index, sizeof judgement->first_index);
    judgement->got_bits = found->got_bits;
    judgement->want_bits = found->want_bits;
    snprintf(judgement->got, sizeof judgement->got, "%0*llx", digits, (unsigned long long)found->got_bits);
    snprintf(judgement->want, sizeof judgement->want, "%0*llx", digits, (unsigned long long)found->want_bits);
}

/* Elements that hold the poison of both runs were never written. */
static bool unwritten(const struct judge_case *c, const struct judge_trial *trial,
                      struct judgement *judgement)
{
    for (size_t at = 0; at < c->sig.output_count; at++) {
        const struct assay_tensor *tensor = &c->output[at].tensor;
        const size_t width = assay_dtype_bytes(tensor->dtype);
        const uint64_t poison[2] = {judge_poison(tensor->dtype, 0), judge_poison(tensor->dtype, 1)};
        const int64_t elems = assay_tensor_elems(tensor);
        int64_t count = 0, first = -1;
        for (int64_t flat = 0; flat < elems; flat++) {
            const int64_t element =
                c->output[at].in_view ? judge_element(tensor, flat) : tensor->offset + flat;
            if (load_bits(trial->output[0][at], element, width) != poison[0] ||
                load_bits(trial->output[1][at], element, width) != poison[1])
                continue;
            if (count++ == 0) first = flat;
        }
        if (count == 0) continue;
        judgement->verdict = VERDICT_GUARD;
        judgement->differing = count;
        judgement->first = first;
        judge_index_text(tensor, first, judgement->first_index, sizeof judgement->first_index);
        snprintf(judgement->reason, sizeof judgement->reason,
                 "%lld of %lld elements of %s were never written", (long long)count, (long long)elems,
                 c->sig.output[at].name);
        return true;
    }
    return false;
}

static bool runs_differ(const struct judge_case *c, const struct judge_trial *trial, struct oracle_pool *pool,
                        struct judgement *judgement)
{
    for (size_t at = 0; at < c->sig.output_count; at++) {
        struct comparison found;
        struct assay_error error = {0};
        const struct assay_tensor first = output_of(c, trial, 0, at), second = output_of(c, trial, 1, at);
        if (oracle_compare(&c->source.spec.op, &first, &second, NULL, 0, pool, &found, &error) != ASSAY_OK) {
            set_reason(judgement, VERDICT_ERROR, error.text);
            return true;
        }
        if (found.differing == 0) continue;
        judgement->verdict = VERDICT_NONDET;
        judgement->oracle = "repeat";
        judgement->oracle_version = 1;
        record_first(judgement, &second, &found);
        snprintf(judgement->reason, sizeof judgement->reason,
                 "two runs of the same case differ in %lld of %lld elements", (long long)found.differing,
                 (long long)found.elems);
        return true;
    }
    return false;
}

/* Rows are judged in runs of consecutive ones. */
static int64_t row_run(const struct judge_case *c, int64_t at, int64_t *row0, int64_t *row1)
{
    if (!c->rows) {
        *row0 = 0;
        *row1 = c->source.spec.op.op->rows(&c->source.spec.op);
        return c->row_count;
    }
    *row0 = c->rows[at];
    int64_t next = at + 1;
    while (next < c->row_count && c->rows[next] == c->rows[next - 1] + 1) next++;
    *row1 = c->rows[next - 1] + 1;
    return next;
}

static void measure(const struct judge_case *c, const struct assay_tensor *got, struct judgement *judgement)
{
    const struct op *op = c->source.spec.op.op;
    struct accuracy total = {0};
    int64_t done = 0, first, next;
    if (!c->value || c->judged == 0) return;
    for (int64_t at = 0; at < c->row_count; at = next) {
        int64_t row0, row1;
        struct accuracy part = {0};
        next = row_run(c, at, &row0, &row1);
        oracle_accuracy(&c->source.spec.op, got, c->value + done, c->bound + done, row0, row1, &part);
        oracle_accuracy_join(&total, &part);
        for (int64_t row = row0; row < row1; row++) done += op->row_elems(&c->source.spec.op, row, &first);
    }
    judgement->scaled_f64 = total.scaled;
    judgement->rms_f64 = total.rms;
    judgement->ulp_f64 = total.max_ulp;
    judgement->bound_f64 = total.worst_bound;
    judgement->has_f64 = true;
}

/* The published tensor does not judge: other people's reference has other roundings. How far it is goes on record. */
static void compare_published(const struct judge_case *c, const struct assay_tensor *got,
                              struct oracle_pool *pool, struct judgement *judgement)
{
    const struct assay_tensor *published = c->source.published;
    struct comparison found;
    struct accuracy distance = {0};
    if (!published ||
        oracle_compare(&c->source.spec.op, published, got, NULL, 0, pool, &found, NULL) != ASSAY_OK)
        return;
    double *value = malloc(((size_t)c->elems + 1) * sizeof *value);
    if (!value) return;
    for (int64_t flat = 0; flat < c->elems; flat++) {
        uint64_t bits;
        element_load(published, flat, 1, &bits);
        value[flat] = element_value(published->dtype, bits);
    }
    oracle_accuracy(&c->source.spec.op, got, value, NULL, 0, c->source.spec.op.op->rows(&c->source.spec.op),
                    &distance);
    free(value);
    judgement->has_published = true;
    judgement->published_differing = found.differing;
    judgement->published_scaled = distance.scaled;
}

static bool judge_by(const struct judge_case *c, const char *oracle, uint32_t version,
                     const struct assay_tensor *want, const struct assay_tensor *got, const int64_t *rows,
                     int64_t row_count, struct oracle_pool *pool, struct judgement *judgement)
{
    struct comparison found;
    struct assay_error error = {0};
    judgement->oracle = oracle;
    judgement->oracle_version = version;
    if (oracle_compare(&c->source.spec.op, want, got, rows, row_count, pool, &found, &error) != ASSAY_OK) {
        set_reason(judgement, VERDICT_ERROR, error.text);
        return false;
    }
    record_first(judgement, got, &found);
    if (found.differing == 0) return true;
    judgement->verdict = VERDICT_DIFF;
    snprintf(judgement->reason, sizeof judgement->reason, "%lld of %lld elements differ",
             (long long)found.differing, (long long)found.elems);
    return false;
}

static void decide_values(const struct judge_case *c, const struct judge_trial *trial,
                          const struct assay_tensor *rest, const char *rest_name, struct oracle_pool *pool,
                          struct judgement *judgement)
{
    const uint32_t version = c->source.spec.op.op->contract_version;
    const struct assay_tensor got = judge_output(c, trial);
    const int64_t unjudged = c->elems - c->judged;

    judgement->judged = c->judged;
    oracle_digest(&got, judgement->digest);
    measure(c, &got, judgement);
    compare_published(c, &got, pool, judgement);
    for (size_t at = c->sig.output_count; at-- > 0;) {
        const struct assay_tensor output = output_of(c, trial, 1, at);
        if (!judge_by(c, "contract", version, &c->want[at], &output, at ? NULL : c->rows,
                      at ? 0 : c->row_count, pool, judgement))
            return;
    }
    if (unjudged > 0 && rest) {
        if (!judge_by(c, "contract", version, rest, &got, NULL, 0, pool, judgement)) {
            char words[400];
            snprintf(words, sizeof words,
                     "%.200s, against the output of %.100s, itself judged on %lld elements",
                     judgement->reason, rest_name, (long long)c->judged);
            set_reason(judgement, judgement->verdict, words);
            return;
        }
        snprintf(judgement->reason, sizeof judgement->reason,
                 "%lld elements judged by the contract, the other %lld equal the output of %s",
                 (long long)c->judged, (long long)unjudged, rest_name);
    } else if (unjudged > 0) {
        snprintf(judgement->reason, sizeof judgement->reason,
                 "%lld of %lld elements judged by the contract (whole rows, sampled), the others by none",
                 (long long)c->judged, (long long)c->elems);
    }
    if (c->source.golden && strcmp(c->source.golden, judgement->digest) != 0) {
        judgement->verdict = VERDICT_DIFF;
        judgement->oracle = "golden";
        judgement->oracle_version = 1;
        snprintf(judgement->reason, sizeof judgement->reason, "digest %s, stored is %s", judgement->digest,
                 c->source.golden);
        return;
    }
    judgement->verdict = VERDICT_PASS;
    judgement->rung = RUNG_EXACT;
    if (c->dead && !c->source.spec.dead) {
        char words[200];
        snprintf(words, sizeof words, "every element of the reference is %s: equality proves nothing",
                 c->dead);
        judgement->rung = RUNG_NONE;
        set_reason(judgement, VERDICT_DEADREF, words);
    }
}

void judge_decide(const struct judge_case *c, const struct judge_trial *trial, const char *mode,
                  const char *kernel_hash, const struct assay_tensor *rest, const char *rest_name,
                  struct oracle_pool *pool, struct judgement *judgement)
{
    *judgement = (struct judgement){.oracle = "", .first = -1, .elems = c->elems, .published_differing = -1};
    if (c->refused != VERDICT_NONE) {
        set_reason(judgement, c->refused, c->why);
        return;
    }
    const char *complaint = trial->complaint[0][0] ? trial->complaint[0] : trial->complaint[1];
    if (complaint[0])
        set_reason(judgement, VERDICT_GUARD, complaint);
    else if (!unwritten(c, trial, judgement) && !runs_differ(c, trial, pool, judgement))
        decide_values(c, trial, rest, rest_name, pool, judgement);

    const bool check_only = kernel_hash && strncmp(kernel_hash, "clang-", 6) == 0;
    const bool fast = mode && strcmp(mode, "exact") != 0;
    if (check_only && judgement->verdict != VERDICT_ERROR) {
        char words[400];
        snprintf(words, sizeof words,
                 "the kernel was compiled by clang as a check and never gates; it would be %s%s%.200s",
                 verdict_name(judgement->verdict), judgement->reason[0] ? ": " : "", judgement->reason);
        judgement->rung = RUNG_NONE;
        set_reason(judgement, VERDICT_UNPROVEN, words);
    } else if (fast && judgement->verdict == VERDICT_DIFF) {
        set_reason(judgement, VERDICT_UNPROVEN,
                   "a fast kernel whose bits are not the contract's: no model covers it yet");
    }
}

/* ---- verdicts together ---- */

static bool is_failure(enum verdict verdict)
{
    return verdict == VERDICT_DIFF || verdict == VERDICT_NONDET || verdict == VERDICT_GUARD ||
           verdict == VERDICT_CRASH || verdict == VERDICT_HANG;
}

static bool is_pass(enum verdict verdict)
{
    return verdict == VERDICT_PASS || verdict == VERDICT_REFLIMITED;
}

void judge_tally_add(struct judge_tally *tally, enum verdict verdict, enum verdict expected)
{
    tally->count[verdict]++;
    if (expected != VERDICT_NONE && verdict == expected && (is_failure(verdict) || is_pass(verdict)))
        tally->passed++;
    else if (expected != VERDICT_NONE && !is_pass(expected) && is_pass(verdict)) {
        tally->unexpected_pass++;
        tally->failed++;
    } else if (is_failure(verdict))
        tally->failed++;
    else if (is_pass(verdict))
        tally->passed++;
    else if (verdict == VERDICT_ERROR && expected != VERDICT_ERROR)
        tally->errors++;
    else
        tally->not_judged++;
}

int judge_exit(const struct judge_tally *tally, int64_t planned, int64_t missing, char reason[256])
{
    const long long passed = tally->passed, failed = tally->failed, errors = tally->errors;
    const long long not_judged = tally->not_judged;
    const int64_t accounted = tally->passed + tally->failed + tally->errors + tally->not_judged + missing;
    if (failed > tally->unexpected_pass) {
        snprintf(reason, 256, "%lld of %lld judged failed", failed, passed + failed);
        return EXIT_FAILED;
    }
    if (failed > 0) {
        snprintf(reason, 256, "%lld expected to fail passed", failed);
        return EXIT_FAILED;
    }
    if (errors > 0 || missing > 0 || accounted != planned) {
        snprintf(reason, 256, "%lld errors of the machinery, %lld of %lld planned not run%s", errors,
                 (long long)missing, (long long)planned,
                 accounted != planned ? ", and rows do not add up" : "");
        return EXIT_ERROR;
    }
    if (passed == 0) {
        snprintf(reason, 256, "nothing was judged: %lld planned, %lld not judged", (long long)planned,
                 not_judged);
        return EXIT_NOTHING;
    }
    if (not_judged)
        snprintf(reason, 256, "all %lld judged passed, %lld not judged", passed, not_judged);
    else
        snprintf(reason, 256, "all %lld judged passed", passed);
    return EXIT_PASS;
}
