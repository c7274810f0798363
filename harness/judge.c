/* Judging: verdicts on what an engine left in memory.
 *
 * The order of the checks is the order of blame: guards and inputs, unwritten output, two runs that differ, then the
 * oracles. It never looks at what the engine says about itself, but for the kernel's hash. Preparation: prepare.c. */
#include "harness/judge.h"
#include "harness/options.h"
#include "oracles/element.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PART_BYTES (INT64_C(1) << 18) /* what one thread copies or compares at a time */
#define PART_ELEMS (INT64_C(1) << 16)

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
    if (from + width > to) return to;
    /* Memory that equals itself one element on is all like its first element. */
    if (load_bits(memory + from, 0, width) == poison &&
        memcmp(memory + from, memory + from + width, to - from - width) == 0)
        return to;
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

/* Memory of two kinds, part by part: copied, or looked at for a difference. */
struct pass {
    const uint8_t *from, *other;
    uint8_t *to;
    atomic_bool differ;
};

static void copy_part(void *context, int64_t i0, int64_t i1)
{
    const struct pass *pass = context;
    memcpy(pass->to + i0, pass->from + i0, (size_t)(i1 - i0));
}

static void compare_part(void *context, int64_t i0, int64_t i1)
{
    struct pass *pass = context;
    if (!pass->differ && memcmp(pass->from + i0, pass->other + i0, (size_t)(i1 - i0)) != 0)
        pass->differ = true;
}

static bool input_changed(const struct judge_memory *place, const char *name, const uint8_t *before,
                          const uint8_t *after, struct oracle_pool *pool, char *complaint,
                          size_t complaint_bytes)
{
    struct pass pass = {.from = before, .other = after};
    uint64_t at = 0;
    oracle_pool_for(pool, (int64_t)place->tensor.bytes, PART_BYTES, compare_part, &pass);
    if (!pass.differ) return false;
    while (before[at] == after[at] && at + 1 < place->tensor.bytes) at++;
    snprintf(
        complaint, complaint_bytes, "input %s was changed: byte %lld of its memory is %02x, was %02x", name,
        (long long)at - (long long)place->tensor.offset * (long long)assay_dtype_bytes(place->tensor.dtype),
        after[at], before[at]);
    return true;
}

/* Memory for a copy, from the spare where that is large enough. */
static uint8_t *take_memory(struct judge_trial *trial, int run, size_t at, uint64_t bytes)
{
    if (!trial->output[run][at] && trial->spare_bytes[run][at] >= bytes && trial->spare[run][at]) {
        trial->output[run][at] = trial->spare[run][at];
        trial->spare[run][at] = NULL;
    }
    if (!trial->output[run][at]) {
        free(trial->spare[run][at]);
        trial->spare[run][at] = NULL;
        trial->output[run][at] = malloc(bytes);
        trial->spare_bytes[run][at] = bytes;
    }
    return trial->output[run][at];
}

enum assay_status judge_collect(const struct judge_case *c, int poison, const uint8_t *arena,
                                struct judge_trial *trial, struct assay_error *error)
{
    char *complaint = trial->complaint[poison];
    const size_t bytes = sizeof trial->complaint[poison];
    complaint[0] = 0;
    for (size_t at = 0; at < c->sig.output_count; at++) {
        const struct judge_memory *place = &c->output[at];
        struct pass pass = {.from = arena + place->arena_bytes,
                            .to = take_memory(trial, poison, at, place->tensor.bytes)};
        if (!pass.to)
            return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot keep an output of %llu bytes",
                                   (unsigned long long)place->tensor.bytes);
        oracle_pool_for(c->pool, (int64_t)place->tensor.bytes, PART_BYTES, copy_part, &pass);
        if (!complaint[0])
            stray_write(place, c->sig.output[at].name, pass.to, judge_poison(place->tensor.dtype, poison),
                        complaint, bytes);
    }
    for (size_t at = 0; at < c->sig.input_count && !complaint[0]; at++)
        input_changed(&c->input[at], c->sig.input[at].name, c->image + c->input[at].arena_bytes,
                      arena + c->input[at].arena_bytes, c->pool, complaint, bytes);
    return ASSAY_OK;
}

void judge_trial_reset(struct judge_trial *trial)
{
    for (int run = 0; run < 2; run++)
        for (int at = 0; at < OP_TENSORS_MAX; at++) {
            if (!trial->output[run][at]) continue;
            free(trial->spare[run][at]);
            trial->spare[run][at] = trial->output[run][at];
            trial->output[run][at] = NULL;
        }
    trial->complaint[0][0] = trial->complaint[1][0] = 0;
}

void judge_trial_free(struct judge_trial *trial)
{
    for (int run = 0; run < 2; run++)
        for (int at = 0; at < OP_TENSORS_MAX; at++) {
            free(trial->output[run][at]);
            free(trial->spare[run][at]);
            trial->output[run][at] = trial->spare[run][at] = NULL;
            trial->spare_bytes[run][at] = 0;
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

struct unwritten {
    const struct judge_trial *trial;
    const struct assay_tensor *tensor;
    size_t at;
    uint64_t poison[2];
    _Atomic int64_t count, first;
};

static void count_unwritten(void *context, int64_t i0, int64_t i1)
{
    struct unwritten *work = context;
    const size_t width = assay_dtype_bytes(work->tensor->dtype);
    int64_t count = 0, first = -1, element;
    for (int64_t flat = i0, here; flat < i1; flat += here) {
        here = element_span(work->tensor, flat, &element);
        if (here > i1 - flat) here = i1 - flat;
        const uint8_t *one = work->trial->output[0][work->at] + (size_t)element * width;
        const uint8_t *two = work->trial->output[1][work->at] + (size_t)element * width;
        for (int64_t i = 0; i < here; i++) {
            if (load_bits(one, i, width) != work->poison[0] || load_bits(two, i, width) != work->poison[1])
                continue;
            if (count++ == 0) first = flat + i;
        }
    }
    if (count == 0) return;
    work->count += count;
    for (int64_t seen = work->first;
         first < seen && !atomic_compare_exchange_weak(&work->first, &seen, first);)
        continue;
}

/* Elements that hold the poison of both runs were never written. */
static bool unwritten(const struct judge_case *c, const struct judge_trial *trial,
                      struct judgement *judgement)
{
    for (size_t at = 0; at < c->sig.output_count; at++) {
        const struct assay_tensor *tensor = &c->output[at].tensor;
        const int64_t elems = assay_tensor_elems(tensor);
        struct unwritten work = {.trial = trial,
                                 .tensor = tensor,
                                 .at = at,
                                 .poison = {judge_poison(tensor->dtype, 0), judge_poison(tensor->dtype, 1)},
                                 .first = INT64_MAX};
        oracle_pool_for(c->pool, elems, PART_ELEMS, count_unwritten, &work);
        if (work.count == 0) continue;
        judgement->verdict = VERDICT_GUARD;
        judgement->differing = work.count;
        judgement->first = work.first;
        judge_index_text(tensor, work.first, judgement->first_index, sizeof judgement->first_index);
        snprintf(judgement->reason, sizeof judgement->reason,
                 "%lld of %lld elements of %s were never written", (long long)work.count, (long long)elems,
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
        judgement->oracle_version = oracle_version("repeat");
        record_first(judgement, &second, &found);
        snprintf(judgement->reason, sizeof judgement->reason,
                 "two runs of the same case differ in %lld of %lld elements", (long long)found.differing,
                 (long long)found.elems);
        return true;
    }
    return false;
}

/* How far the output is from float64 values. The contract's own distance is known since the case was prepared. */
static void measure(const struct judge_case *c, const struct assay_tensor *got, bool as_contract,
                    struct judgement *judgement)
{
    struct accuracy total = c->accuracy;
    if (!c->has_accuracy || (!as_contract && judge_measure(c, got, &total, NULL) != ASSAY_OK)) return;
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

static void decide_values(const struct judge_case *c, const struct judge_trial *trial, bool as_contract,
                          const struct assay_tensor *rest, const char *rest_name, struct oracle_pool *pool,
                          struct judgement *judgement)
{
    const uint32_t version = c->source.spec.op.op->contract_version;
    const struct assay_tensor got = judge_output(c, trial);
    const int64_t unjudged = c->elems - c->judged;

    judgement->judged = c->judged;
    if (as_contract && c->digest[0])
        snprintf(judgement->digest, sizeof judgement->digest, "%s", c->digest);
    else
        oracle_digest(&got, judgement->digest);
    measure(c, &got, as_contract, judgement);
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
        judgement->oracle_version = oracle_version("golden");
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

/* Are the judged rows of both runs the contract's bits as they lie in memory? Then they were written, in both runs alike,
 * and right: the poisons of the runs differ. False says nothing. */
static bool contract_bits(const struct judge_case *c, const struct judge_trial *trial,
                          struct oracle_pool *pool)
{
    for (int run = 0; run < 2; run++)
        for (size_t at = 0; at < c->sig.output_count; at++) {
            const struct assay_tensor got = output_of(c, trial, run, at);
            if (!oracle_same_bits(&c->source.spec.op, &c->want[at], &got, at ? NULL : c->rows,
                                  at ? 0 : c->row_count, pool))
                return false;
        }
    return true;
}

/* The same for the rows that the contract leaves out. */
static bool rest_bits(const struct judge_case *c, const struct judge_trial *trial,
                      const struct assay_tensor *rest, struct oracle_pool *pool)
{
    if (!c->rows) return true;
    for (int run = 0; rest && run < 2; run++) {
        const struct assay_tensor got = output_of(c, trial, run, 0);
        if (!oracle_same_bits(&c->source.spec.op, rest, &got, NULL, 0, pool)) return false;
    }
    return rest != NULL;
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
    else {
        const bool as_contract = contract_bits(c, trial, pool);
        if ((as_contract && rest_bits(c, trial, rest, pool)) ||
            (!unwritten(c, trial, judgement) && !runs_differ(c, trial, pool, judgement)))
            decide_values(c, trial, as_contract, rest, rest_name, pool, judgement);
    }

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
