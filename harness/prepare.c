/* Preparing a case: memory laid out with guards, inputs in place, the contract's bits, float64 values, and the check
 * of the reference itself before any device is judged by it. Judging: judge.c. */
#include "harness/judge.h"
#include "oracles/element.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_BYTES      4096                /* tensors start at a page */
#define GUARD_BYTES_MOST (UINT64_C(1) << 20) /* a longer row does not make a longer guard */
#define JUDGED_MOST      (INT64_C(1) << 24)  /* elements with float64 values kept, per case */
#define F64_GRAIN        64                  /* rows */

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

static void poison_memory(const struct assay_tensor *tensor, int poison, uint8_t *memory)
{
    const size_t width = assay_dtype_bytes(tensor->dtype);
    const uint64_t bits = judge_poison(tensor->dtype, poison);
    uint8_t pattern[4096];
    for (size_t at = 0; at < sizeof pattern; at += width) memcpy(pattern + at, &bits, width);
    for (uint64_t at = 0; at < tensor->bytes; at += sizeof pattern) {
        const uint64_t left = tensor->bytes - at;
        memcpy(memory + at, pattern, left < sizeof pattern ? left : sizeof pattern);
    }
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
    for (int64_t flat = 0; flat < elems; flat++) memory->in_view[judge_element(tensor, flat)] = 1;
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
        poison_memory(&in[at], 0, in[at].data);
        if (c->source.data)
            copy_in(&c->source.data[at], &in[at]);
        else
            status = fill_tensor(&c->source.spec, &c->sig, (int)at, &in[at], pool, error);
    }
    return status;
}

/* ---- the reference ---- */

struct reference {
    struct judge_case *c;
    const struct assay_tensor *in;
    const int64_t *first; /* index of the first judged element of each listed row */
    double *magnitude;
    bool exact;
    pthread_mutex_t failing; /* guards status and error */
    enum assay_status status;
    struct assay_error error;
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

static void contract_range(void *context, int64_t i0, int64_t i1)
{
    struct reference *work = context;
    const struct op_case *op = &work->c->source.spec.op;
    int64_t row0, row1;
    while (i0 < i1) {
        i0 = stretch(work->c, i0, i1, &row0, &row1);
        op->op->contract(op, work->in, work->c->want, row0, row1);
    }
}

/* A range is a whole number of grains: the bits of a float64 value may depend on the rows asked for together, never
 * on threads. */
static void f64_range(void *context, int64_t i0, int64_t i1)
{
    struct reference *work = context;
    struct judge_case *c = work->c;
    const struct op_case *op = &c->source.spec.op;
    struct assay_error error = {0};
    int64_t row0, row1;
    while (i0 < i1) {
        const int64_t at = work->first[i0];
        i0 = stretch(c, i0, i1, &row0, &row1);
        const enum assay_status status = op->op->f64(op, work->in, work->exact, c->value + at, c->bound + at,
                                                     work->magnitude + at, row0, row1, &error);
        if (status == ASSAY_OK) continue;
        pthread_mutex_lock(&work->failing);
        work->status = status;
        work->error = error;
        pthread_mutex_unlock(&work->failing);
        return;
    }
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

static void check_reference(struct reference *work)
{
    struct judge_case *c = work->c;
    const struct op_case *op = &c->source.spec.op;
    const struct assay_tensor *want = &c->want[0];
    int64_t at = 0;
    for (int64_t i = 0; i < c->row_count; i++) {
        int64_t first;
        const int64_t count = op->op->row_elems(op, c->rows ? c->rows[i] : i, &first);
        for (int64_t e = 0; e < count; e++, at++) {
            uint64_t bits;
            const double proven = op->op->contract_bound(op, work->magnitude[at]) + c->bound[at];
            element_load(want, first + e, 1, &bits);
            const double got = element_value(want->dtype, bits);
            const bool fine = within(got, c->value[at], proven, work->magnitude[at]);
            c->bound[at] = proven;
            if (fine || c->refused != VERDICT_NONE) continue;
            char index[96];
            judge_index_text(want, first + e, index, sizeof index);
            c->refused = VERDICT_ERROR;
            snprintf(c->why, sizeof c->why,
                     "the reference is wrong: the contract gives %.9g at %s, the float64 value is %.17g and "
                     "the proven"
                     " bound %.3g; no device is judged by it",
                     got, index, c->value[at], proven);
        }
    }
}

static enum assay_status choose_rows(struct judge_case *c, int64_t **first, struct assay_error *error)
{
    const struct op_case *op = &c->source.spec.op;
    double allowed = c->source.flops_allowed > 0 ? c->source.flops_allowed : INFINITY;
    const double flops = op->op->flops(op);
    if (c->elems > JUDGED_MOST && flops * (double)JUDGED_MOST / (double)c->elems < allowed)
        allowed = flops * (double)JUDGED_MOST / (double)c->elems;
    c->row_count = oracle_sample_rows(op, allowed, c->source.spec.seed, &c->rows);
    *first = malloc(((size_t)c->row_count + 1) * sizeof **first);
    if (!*first) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot list the rows of a case");
    for (int64_t i = 0; i < c->row_count; i++) {
        int64_t unused;
        (*first)[i] = c->judged;
        c->judged += op->op->row_elems(op, c->rows ? c->rows[i] : i, &unused);
    }
    return ASSAY_OK;
}

static void find_dead(struct judge_case *c)
{
    struct assay_tensor line = {.dtype = c->want[0].dtype};
    const int64_t shape[1] = {c->judged};
    const char *declared = c->source.spec.dead;
    if (c->judged == 0) return;
    if (!c->rows) {
        c->dead = oracle_dead(&c->want[0]);
    } else {
        const size_t width = assay_dtype_bytes(line.dtype);
        uint8_t *memory = malloc((size_t)c->judged * width);
        if (!memory) return;
        int64_t at = 0, first;
        for (int64_t i = 0; i < c->row_count; i++) {
            const int64_t count = c->source.spec.op.op->row_elems(&c->source.spec.op, c->rows[i], &first);
            for (int64_t e = 0; e < count; e++, at++)
                memcpy(memory + (size_t)at * width,
                       (uint8_t *)c->want[0].data + (size_t)judge_element(&c->want[0], first + e) * width,
                       width);
        }
        assay_tensor_dense(&line, line.dtype, 1, shape);
        line.data = memory;
        line.bytes = (uint64_t)c->judged * width;
        c->dead = oracle_dead(&line);
        free(memory);
    }
    if (!declared || c->refused != VERDICT_NONE || (c->dead && strcmp(c->dead, declared) == 0)) return;
    c->refused = VERDICT_ERROR;
    snprintf(c->why, sizeof c->why, "the case declares ref=%s, but its reference is %s", declared,
             c->dead ? c->dead : "alive");
}

/* Float64 values of the judged rows, and the contract held against them. */
static enum assay_status hold_against_f64(struct reference *work, struct oracle_pool *pool,
                                          struct assay_error *error)
{
    struct judge_case *c = work->c;
    c->value = malloc((size_t)c->judged * sizeof(double));
    c->bound = malloc((size_t)c->judged * sizeof(double));
    work->magnitude = malloc((size_t)c->judged * sizeof(double));
    if (!c->value || !c->bound || !work->magnitude)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot hold %lld float64 values",
                               (long long)c->judged);
    oracle_pool_for(pool, c->row_count, F64_GRAIN, f64_range, work);
    if (work->status == ASSAY_OK) {
        check_reference(work);
        return ASSAY_OK;
    }
    c->refused = VERDICT_ERROR;
    snprintf(c->why, sizeof c->why, "no float64 value: %.300s", work->error.text);
    free(c->value);
    c->value = NULL;
    return ASSAY_OK;
}

static enum assay_status make_reference(struct judge_case *c, const struct assay_tensor *in,
                                        struct oracle_pool *pool, struct assay_error *error)
{
    struct reference work = {.c = c, .in = in, .failing = PTHREAD_MUTEX_INITIALIZER};
    int64_t *first = NULL;
    enum assay_status status = ASSAY_OK;
    const struct fill *fill = c->source.spec.fill ? fill_find(c->source.spec.fill) : NULL;

    work.exact = fill && fill->wide;
    c->elems = assay_tensor_elems(&c->sig.output[0].tensor);
    for (size_t at = 0; at < c->sig.output_count; at++) {
        c->want[at] = c->output[at].tensor;
        c->want[at].data = calloc(1, c->want[at].bytes + 1);
        if (!c->want[at].data) {
            status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot hold the reference: %llu bytes",
                                     (unsigned long long)c->want[at].bytes);
            goto end;
        }
    }
    status = choose_rows(c, &first, error);
    if (status != ASSAY_OK || c->judged == 0) goto end;
    work.first = first;
    oracle_pool_for(pool, c->row_count, F64_GRAIN, contract_range, &work);
    if (c->source.spec.op.op->f64 && (status = hold_against_f64(&work, pool, error)) != ASSAY_OK) goto end;
    if (work.status != ASSAY_OK) goto end;
    find_dead(c);
    if (!c->rows) {
        oracle_digest(&c->want[0], c->digest);
        if (c->source.golden && c->refused == VERDICT_NONE && strcmp(c->source.golden, c->digest) != 0) {
            c->refused = VERDICT_ERROR;
            snprintf(c->why, sizeof c->why, "the contract's digest is %s, the stored one %s", c->digest,
                     c->source.golden);
        }
    }
end:
    free(work.magnitude);
    free(first);
    return status;
}

enum assay_status judge_prepare(const struct judge_source *source, struct oracle_pool *pool,
                                struct judge_case **out, struct assay_error *error)
{
    struct assay_tensor in[OP_TENSORS_MAX];
    *out = NULL;
    struct judge_case *c = calloc(1, sizeof *c);
    if (!c) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot prepare a case: out of memory");
    c->source = *source;
    enum assay_status status = ASSAY_OK;
    if (source->sig)
        c->sig = *source->sig;
    else
        status = source->spec.op.op->signature(&source->spec.op, &c->sig, error);
    if (status == ASSAY_OK) status = lay_out(c, error);
    if (status == ASSAY_OK) status = fill_inputs(c, in, pool, error);
    if (status == ASSAY_OK) status = make_reference(c, in, pool, error);
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
    free(c->value);
    free(c->bound);
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

void judge_stage(const struct judge_case *c, int poison, uint8_t *arena)
{
    for (size_t at = 0; at < c->sig.input_count; at++)
        memcpy(arena + c->input[at].arena_bytes, c->image + c->input[at].arena_bytes,
               c->input[at].tensor.bytes);
    for (size_t at = 0; at < c->sig.output_count; at++)
        poison_memory(&c->output[at].tensor, poison, arena + c->output[at].arena_bytes);
}
