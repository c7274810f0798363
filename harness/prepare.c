/* Preparing a case: memory laid out with guards, inputs in place, the contract's bits, float64 values, and the check
 * of the reference itself before any device is judged by it. Judging: judge.c. */
#include "harness/judge.h"
#include "oracles/element.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN_BYTES    4096                /* of poison, copied again and again */
#define PLACE_BYTES      4096                /* tensors start at a page */
#define GUARD_BYTES_MOST (UINT64_C(1) << 20) /* a longer row does not make a longer guard */
#define JUDGED_MOST      (INT64_C(1) << 24)  /* elements with float64 values, per case */
#define BLOCK            512                 /* elements */
#define COPY_BYTES       (UINT64_C(1) << 18) /* what one thread copies at a time */
#define GRAIN_ROWS       48                  /* rows that are computed together, */
#define GRAIN_ROWS_LEAST 24                  /* fewer where there are few or they are long */
#define GRAIN_ELEMS      (INT64_C(1) << 18)

uint64_t judge_poison(enum assay_dtype dtype, int poison)
{
    /* NaN in every float format. The first is a signalling one, so that arithmetic on it changes its bits. */
    switch (dtype) {
    case ASSAY_F32:
        return poison ? 0xffda5a5a : 0x7fa5a5a5;
    case ASSAY_F16:
        return poison ? 0xff5a : 0x7da5;
    case ASSAY_BF16:
        return poison ? 0xffda : 0x7fa5;
    case ASSAY_F64:
        return poison ? 0xfffa5a5a5a5a5a5a : 0x7ff5a5a5a5a5a5a5;
    case ASSAY_I8:
    case ASSAY_U8:
    case ASSAY_BOOL:
        return poison ? 0x5a : 0xa5;
    case ASSAY_I32:
        return poison ? 0x5a5a5a5a : 0xa5a5a5a5;
    case ASSAY_I64:
        return poison ? 0x5a5a5a5a5a5a5a5a : 0xa5a5a5a5a5a5a5a5;
    }
    return 0;
}

/* Memory that is copied (from) or poisoned (pattern), in parts. */
struct copying {
    uint8_t *to;
    const uint8_t *from, *pattern;
};

static void copy_part(void *context, int64_t i0, int64_t i1)
{
    const struct copying *work = context;
    const uint64_t end = (uint64_t)i1;
    if (work->from) {
        memcpy(work->to + i0, work->from + i0, (size_t)(i1 - i0));
        return;
    }
    for (uint64_t at = (uint64_t)i0, here; at < end; at += here) {
        here = end - at < PATTERN_BYTES ? end - at : PATTERN_BYTES;
        memcpy(work->to + at, work->pattern, here);
    }
}

static void poison_memory(const struct assay_tensor *tensor, int poison, uint8_t *memory,
                          struct oracle_pool *pool)
{
    const size_t width = assay_dtype_bytes(tensor->dtype);
    const uint64_t bits = judge_poison(tensor->dtype, poison);
    uint8_t pattern[PATTERN_BYTES];
    for (size_t at = 0; at < sizeof pattern; at += width) memcpy(pattern + at, &bits, width);
    struct copying work = {.to = memory, .pattern = pattern};
    oracle_pool_for(pool, (int64_t)tensor->bytes, COPY_BYTES, copy_part, &work);
}

/* ---- layout ---- */

static enum assay_status place(struct judge_memory *memory, const struct op_operand *operand,
                               uint64_t *arena_bytes, struct assay_error *error)
{
    struct assay_tensor *tensor = &memory->tensor;
    *tensor = operand->tensor;
    tensor->data = NULL;
    const uint64_t width = assay_dtype_bytes(tensor->dtype);
    const int64_t elems = assay_tensor_elems(tensor);
    const uint64_t extent = (uint64_t)assay_tensor_extent(tensor);
    uint64_t guard = JUDGE_GUARD_BYTES;
    for (uint32_t d = 0; d < tensor->rank; d++)
        if (d + 2 >= tensor->rank && (uint64_t)tensor->stride[d] * width > guard)
            guard = (uint64_t)tensor->stride[d] * width;
    if (guard > GUARD_BYTES_MOST) guard = GUARD_BYTES_MOST;
    guard = (guard + 255) / 256 * 256; /* offsets of a case stay as aligned as the case says */
    tensor->offset += (int64_t)(guard / width);
    tensor->bytes = 2 * guard + (extent * width + 255) / 256 * 256;
    memory->arena_bytes = *arena_bytes;
    *arena_bytes = (*arena_bytes + tensor->bytes + PLACE_BYTES - 1) / PLACE_BYTES * PLACE_BYTES;
    if (elems == 0 || elems == (int64_t)extent - operand->tensor.offset) return ASSAY_OK;
    memory->in_view = calloc(tensor->bytes / width, 1);
    if (!memory->in_view)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot mark the gaps of %s: %llu bytes",
                               operand->name, (unsigned long long)(tensor->bytes / width));
    for (int64_t flat = 0, at, here; flat < elems; flat += here) {
        here = element_span(tensor, flat, &at);
        memset(memory->in_view + at, 1, (size_t)here);
    }
    return ASSAY_OK;
}

static enum assay_status lay_out(struct judge_case *c, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    for (size_t at = 0; status == ASSAY_OK && at < c->sig.input_count; at++)
        status = place(&c->input[at], &c->sig.input[at], &c->arena_bytes, error);
    for (size_t at = 0; status == ASSAY_OK && at < c->sig.output_count; at++)
        status = place(&c->output[at], &c->sig.output[at], &c->arena_bytes, error);
    if (status != ASSAY_OK) return status;
    c->image = calloc(1, c->arena_bytes + 1);
    if (!c->image)
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot make the memory of a case: %llu bytes",
                                 (unsigned long long)c->arena_bytes);
    return status;
}

static void copy_in(const struct assay_tensor *from, struct assay_tensor *to)
{
    const size_t width = assay_dtype_bytes(to->dtype);
    const int64_t elems = assay_tensor_elems(to);
    for (int64_t flat = 0; flat < elems; flat++)
        memcpy((uint8_t *)to->data + (size_t)judge_element(to, flat) * width,
               (const uint8_t *)from->data + (size_t)judge_element(from, flat) * width, width);
}

static enum assay_status fill_inputs(struct judge_case *c, struct assay_tensor *in, struct oracle_pool *pool,
                                     struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    for (size_t at = 0; status == ASSAY_OK && at < c->sig.input_count; at++) {
        in[at] = c->input[at].tensor;
        in[at].data = c->image + c->input[at].arena_bytes;
        poison_memory(&in[at], 0, in[at].data, pool);
        if (c->source.data)
            copy_in(&c->source.data[at], &in[at]);
        else if (at == 0 && c->source.captured)
            status = fill_captured(&c->source.spec, &c->sig.input[at], c->source.captured, &in[at], error);
        else
            status = fill_tensor(&c->source.spec, &c->sig, (int)at, &in[at], pool, error);
    }
    return status;
}

/* ---- the reference ---- */

/* The pass over the judged rows: contract and float64 values, the check of one by the other, the distance. */
struct reference {
    const struct judge_case *c;
    const struct assay_tensor *in;
    struct assay_tensor *want;      /* NULL = got is there already */
    const struct assay_tensor *got; /* what is measured */
    bool exact;                     /* the float64 values come from the exact accumulator */
    int64_t grain;
    struct accuracy *part;   /* one a range */
    pthread_mutex_t failing; /* guards what follows */
    enum assay_status status;
    struct assay_error error;
    int64_t wrong; /* the first index of the list whose row refutes the contract, -1 = none */
    char why[400];
};

/* Rows of the list that the range [i0, i1) of the list covers, in stretches of consecutive ones. */
static int64_t stretch(const struct judge_case *c, int64_t at, int64_t end, int64_t *row0, int64_t *row1)
{
    if (!c->rows) {
        *row0 = at;
        *row1 = end;
        return end;
    }
    int64_t next = at + 1;
    while (next < end && c->rows[next] == c->rows[next - 1] + 1) next++;
    *row0 = c->rows[at];
    *row1 = c->rows[next - 1] + 1;
    return next;
}

/* Is the contract's element within its proven bound of the float64 value? Infinite and NaN results are allowed where
 * float32 may overflow, and demanded where the value itself is one. */
static bool within(double got, double value, double bound, double magnitude)
{
    if (isnan(value)) return isnan(got);
    if (isinf(value)) return isnan(got) || got == value;
    if (isnan(got) || isinf(got)) return !(magnitude + bound < (double)FLT_MAX);
    return isinf(bound) || fabs(got - value) <= bound;
}

static void refute(struct reference *work, int64_t at, int64_t flat, double got, double value, double proven)
{
    char index[96];
    judge_index_text(work->got, flat, index, sizeof index);
    pthread_mutex_lock(&work->failing);
    if (work->wrong < 0 || at < work->wrong) {
        work->wrong = at;
        snprintf(work->why, sizeof work->why,
                 "the reference is wrong: the contract gives %.9g at %s, the float64 value is %.17g and the "
                 "proven bound %.3g; no device is judged by it",
                 got, index, value, proven);
    }
    pthread_mutex_unlock(&work->failing);
}

/* Bounds become those of the contract's own rounding and the float64 value's together. `at`: index of row0 in the list. */
static void bound_rows(struct reference *work, int64_t at, int64_t row0, int64_t row1, const double *value,
                       double *bound, const double *magnitude)
{
    const struct op_case *op = &work->c->source.spec.op;
    uint64_t bits[BLOCK];
    bool fine = true;
    for (int64_t row = row0; row < row1; row++, at++) {
        int64_t first;
        const int64_t count = op->op->row_elems(op, row, &first);
        for (int64_t e = 0; e < count; e++) {
            bound[e] += op->op->contract_bound(op, magnitude[e]);
            if (!work->want || !fine) continue;
            if (e % BLOCK == 0)
                element_load(work->got, first + e, count - e < BLOCK ? count - e : BLOCK, bits);
            const double got = element_value(work->got->dtype, bits[e % BLOCK]);
            fine = within(got, value[e], bound[e], magnitude[e]);
            if (!fine) refute(work, at, first + e, got, value[e], bound[e]);
        }
        value += count;
        bound += count;
        magnitude += count;
    }
}

static enum assay_status reference_stretch(struct reference *work, int64_t at, int64_t row0, int64_t row1,
                                           struct accuracy *part, struct assay_error *error)
{
    const struct op_case *op = &work->c->source.spec.op;
    int64_t elems = 0, first;
    if (work->want) op->op->contract(op, work->in, work->want, row0, row1);
    if (!op->op->f64) return ASSAY_OK;
    for (int64_t row = row0; row < row1; row++) elems += op->op->row_elems(op, row, &first);
    double *value = malloc(3 * (size_t)elems * sizeof *value);
    if (!value)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot hold %lld float64 values",
                               (long long)elems);
    double *bound = value + elems, *magnitude = bound + elems;
    struct accuracy here;
    const enum assay_status status =
        op->op->f64(op, work->in, work->exact, value, bound, magnitude, row0, row1, error);
    if (status == ASSAY_OK) {
        bound_rows(work, at, row0, row1, value, bound, magnitude);
        oracle_accuracy(op, work->got, value, bound, row0, row1, &here);
        oracle_accuracy_join(part, &here);
    }
    free(value);
    return status;
}

/* A range is a whole number of grains: the bits of a float64 value may depend on the rows asked for together, never
 * on threads. */
static void reference_range(void *context, int64_t i0, int64_t i1)
{
    struct reference *work = context;
    struct assay_error error = {0};
    for (int64_t at = i0, next, row0, row1; at < i1; at = next) {
        next = stretch(work->c, at, i1, &row0, &row1);
        const enum assay_status status =
            reference_stretch(work, at, row0, row1, &work->part[i0 / work->grain], &error);
        if (status == ASSAY_OK) continue;
        pthread_mutex_lock(&work->failing);
        work->status = status;
        work->error = error;
        pthread_mutex_unlock(&work->failing);
        return;
    }
}

static int64_t grain_of(const struct judge_case *c)
{
    int64_t grain = c->row_count / 16, most = GRAIN_ELEMS * c->row_count / c->judged;
    if (grain < GRAIN_ROWS_LEAST) grain = GRAIN_ROWS_LEAST;
    if (grain > GRAIN_ROWS) grain = GRAIN_ROWS;
    if (grain > most) grain = most;
    return grain > 0 ? grain : 1;
}

static enum assay_status run_reference(struct reference *work, struct accuracy *total,
                                       struct assay_error *error)
{
    const struct judge_case *c = work->c;
    const struct fill *fill = c->source.spec.fill ? fill_find(c->source.spec.fill) : NULL;
    work->grain = grain_of(c);
    work->exact = fill && fill->wide;
    work->wrong = -1;
    const int64_t parts = (c->row_count + work->grain - 1) / work->grain;
    work->part = calloc((size_t)parts, sizeof *work->part);
    if (!work->part)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot measure a case: out of memory");
    oracle_pool_for(c->pool, c->row_count, work->grain, reference_range, work);
    *total = (struct accuracy){0};
    for (int64_t at = 0; at < parts; at++) oracle_accuracy_join(total, &work->part[at]);
    free(work->part);
    return ASSAY_OK;
}

enum assay_status judge_measure(const struct judge_case *c, const struct assay_tensor *got,
                                struct accuracy *accuracy, struct assay_error *error)
{
    struct assay_tensor in[OP_TENSORS_MAX];
    struct reference work = {.c = c, .in = in, .got = got, .failing = PTHREAD_MUTEX_INITIALIZER};
    for (size_t at = 0; at < c->sig.input_count; at++) {
        in[at] = c->input[at].tensor;
        in[at].data = c->image + c->input[at].arena_bytes;
    }
    const enum assay_status status = run_reference(&work, accuracy, error);
    if (status != ASSAY_OK || work.status == ASSAY_OK) return status;
    return assay_error_set(error, work.status, "%s", work.error.text);
}

static void choose_rows(struct judge_case *c)
{
    const struct op_case *op = &c->source.spec.op;
    double allowed = c->source.flops_allowed > 0 ? c->source.flops_allowed : INFINITY;
    const double flops = op->op->flops(op);
    if (c->elems > JUDGED_MOST && flops * (double)JUDGED_MOST / (double)c->elems < allowed)
        allowed = flops * (double)JUDGED_MOST / (double)c->elems;
    c->row_count = oracle_sample_rows(op, allowed, c->source.spec.seed, &c->rows);
    for (int64_t i = 0, first; i < c->row_count; i++)
        c->judged += op->op->row_elems(op, c->rows ? c->rows[i] : i, &first);
}

/* "zero", "nan" or "inf" if every judged element is. */
static const char *dead_rows(const struct judge_case *c)
{
    const struct op_case *op = &c->source.spec.op;
    const char *dead = NULL;
    uint64_t bits[BLOCK];
    for (int64_t i = 0; i < c->row_count; i++) {
        int64_t first;
        const int64_t count = op->op->row_elems(op, c->rows[i], &first);
        for (int64_t e = 0, here; e < count; e += here) {
            here = count - e < BLOCK ? count - e : BLOCK;
            element_load(&c->want[0], first + e, here, bits);
            for (int64_t j = 0; j < here; j++) {
                const double x = element_value(c->want[0].dtype, bits[j]);
                const char *word = x == 0 ? "zero" : isnan(x) ? "nan" : isinf(x) ? "inf" : NULL;
                if (!word || (dead && strcmp(dead, word) != 0)) return NULL;
                dead = word;
            }
        }
    }
    return dead;
}

static void find_dead(struct judge_case *c)
{
    const char *declared = c->source.spec.dead;
    if (c->judged == 0) return;
    c->dead = c->rows ? dead_rows(c) : oracle_dead(&c->want[0]);
    if (!declared || c->refused != VERDICT_NONE || (c->dead && strcmp(c->dead, declared) == 0)) return;
    c->refused = VERDICT_ERROR;
    snprintf(c->why, sizeof c->why, "the case declares ref=%s, but its reference is %s", declared,
             c->dead ? c->dead : "alive");
}

static enum assay_status make_reference(struct judge_case *c, const struct assay_tensor *in,
                                        struct assay_error *error)
{
    struct reference work = {
        .c = c, .in = in, .want = c->want, .got = &c->want[0], .failing = PTHREAD_MUTEX_INITIALIZER};

    c->elems = assay_tensor_elems(&c->sig.output[0].tensor);
    for (size_t at = 0; at < c->sig.output_count; at++) {
        c->want[at] = c->output[at].tensor;
        c->want[at].data = calloc(1, c->want[at].bytes + 1);
        if (!c->want[at].data)
            return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot hold the reference: %llu bytes",
                                   (unsigned long long)c->want[at].bytes);
    }
    choose_rows(c);
    if (c->judged == 0) return ASSAY_OK;
    const enum assay_status status = run_reference(&work, &c->accuracy, error);
    if (status != ASSAY_OK) return status;
    if (work.status != ASSAY_OK) {
        c->refused = VERDICT_ERROR;
        snprintf(c->why, sizeof c->why, "no float64 value: %.300s", work.error.text);
        return ASSAY_OK;
    }
    c->has_accuracy = c->source.spec.op.op->f64 != NULL;
    if (work.wrong >= 0) {
        c->refused = VERDICT_ERROR;
        snprintf(c->why, sizeof c->why, "%s", work.why);
    }
    find_dead(c);
    if (!c->rows) {
        oracle_digest(&c->want[0], c->digest);
        if (c->source.golden && c->refused == VERDICT_NONE && strcmp(c->source.golden, c->digest) != 0) {
            c->refused = VERDICT_ERROR;
            snprintf(c->why, sizeof c->why, "the contract's digest is %s, the stored one %s", c->digest,
                     c->source.golden);
        }
    }
    return ASSAY_OK;
}

enum assay_status judge_prepare(const struct judge_source *source, struct oracle_pool *pool,
                                struct judge_case **out, struct assay_error *error)
{
    struct assay_tensor in[OP_TENSORS_MAX];
    *out = NULL;
    struct judge_case *c = calloc(1, sizeof *c);
    if (!c) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot prepare a case: out of memory");
    static _Atomic uint64_t serials;
    c->source = *source;
    c->pool = pool;
    c->serial = atomic_fetch_add(&serials, 1) + 1;
    enum assay_status status = ASSAY_OK;
    if (source->sig)
        c->sig = *source->sig;
    else
        status = source->spec.op.op->signature(&source->spec.op, &c->sig, error);
    if (status == ASSAY_OK) status = lay_out(c, error);
    if (status == ASSAY_OK) status = fill_inputs(c, in, pool, error);
    if (status == ASSAY_OK) status = make_reference(c, in, error);
    if (status != ASSAY_OK) {
        judge_case_free(c);
        return status;
    }
    *out = c;
    return ASSAY_OK;
}

void judge_case_free(struct judge_case *c)
{
    if (!c) return;
    for (int at = 0; at < OP_TENSORS_MAX; at++) {
        free(c->want[at].data);
        free(c->input[at].in_view);
        free(c->output[at].in_view);
    }
    free(c->image);
    free(c->rows);
    free(c);
}

/* ---- arenas ---- */

void judge_node(const struct judge_case *c, uint8_t *arena, struct assay_tensor *tensors,
                struct adapter_node *node)
{
    *node = (struct adapter_node){.size = sizeof *node,
                                  .op = c->sig.onnx,
                                  .attr = c->sig.attr,
                                  .attr_count = c->sig.attr_count,
                                  .input = tensors,
                                  .input_count = c->sig.input_count,
                                  .output = tensors + OP_TENSORS_MAX,
                                  .output_count = c->sig.output_count};
    for (size_t at = 0; at < node->input_count; at++) {
        node->input[at] = c->input[at].tensor;
        node->input[at].data = arena + c->input[at].arena_bytes;
    }
    for (size_t at = 0; at < node->output_count; at++) {
        node->output[at] = c->output[at].tensor;
        node->output[at].data = arena + c->output[at].arena_bytes;
    }
}

void judge_poison_outputs(const struct judge_case *c, int poison, uint8_t *arena)
{
    for (size_t at = 0; at < c->sig.output_count; at++)
        poison_memory(&c->output[at].tensor, poison, arena + c->output[at].arena_bytes, c->pool);
}

void judge_stage(const struct judge_case *c, int poison, uint8_t *arena)
{
    for (size_t at = 0; at < c->sig.input_count; at++) {
        const uint64_t from = c->input[at].arena_bytes;
        struct copying work = {.to = arena + from, .from = c->image + from};
        oracle_pool_for(c->pool, (int64_t)c->input[at].tensor.bytes, COPY_BYTES, copy_part, &work);
    }
    judge_poison_outputs(c, poison, arena);
}
