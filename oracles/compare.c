/* Two outputs bit by bit. Shapes come before values, NaN is canonical, -0 is not +0. */
#include "oracles/element.h"
#include "oracles/oracle.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 512, GRAIN = 1 << 15 };

/* Are elements [first, first + count) the same, bit by bit as they lie in memory? False may also mean: other strides. */
static bool same_memory(const struct assay_tensor *want, const struct assay_tensor *got, int64_t first,
                        int64_t count)
{
    const size_t size = assay_dtype_bytes(want->dtype);
    while (count > 0) {
        int64_t want_at, got_at, here = element_span(want, first, &want_at);
        const int64_t there = element_span(got, first, &got_at);
        if (there < here) here = there;
        if (count < here) here = count;
        if (memcmp((const char *)want->data + (size_t)want_at * size,
                   (const char *)got->data + (size_t)got_at * size, (size_t)here * size) != 0)
            return false;
        first += here;
        count -= here;
    }
    return true;
}

struct comparing {
    const struct op_case *c;
    const struct assay_tensor *want, *got;
    const int64_t *rows;
    pthread_mutex_t mutex;
    struct comparison *result;
};

static void compare_elems(const struct comparing *work, int64_t first, int64_t count, struct comparison *r)
{
    uint64_t want[BLOCK], got[BLOCK];
    const enum assay_dtype dtype = work->want->dtype;
    r->elems += count;
    while (count > 0) {
        const int64_t here = count < BLOCK ? count : BLOCK;
        const bool same = same_memory(work->want, work->got, first, here);
        if (!same) {
            element_load(work->want, first, here, want);
            element_load(work->got, first, here, got);
        }
        for (int64_t i = 0; i < here && !same; ++i) {
            if (want[i] == got[i]) continue;
            if (r->first < 0 || first + i < r->first) {
                r->first = first + i;
                r->want_bits = want[i];
                r->got_bits = got[i];
            }
            ++r->differing;
            r->or_xor |= want[i] ^ got[i];
            r->max_ulp = element_worse(r->max_ulp, element_distance(dtype, want[i], got[i]));
        }
        first += here;
        count -= here;
    }
}

/* Joining in any order gives the same result. */
static void join(struct comparing *work, const struct comparison *part)
{
    pthread_mutex_lock(&work->mutex);
    struct comparison *total = work->result;
    total->elems += part->elems;
    total->differing += part->differing;
    total->or_xor |= part->or_xor;
    total->max_ulp = element_worse(total->max_ulp, part->max_ulp);
    if (part->first >= 0 && (total->first < 0 || part->first < total->first)) {
        total->first = part->first;
        total->got_bits = part->got_bits;
        total->want_bits = part->want_bits;
    }
    pthread_mutex_unlock(&work->mutex);
}

static void compare_range(void *context, int64_t i0, int64_t i1)
{
    struct comparison part = {.first = -1};
    compare_elems(context, i0, i1 - i0, &part);
    join(context, &part);
}

static void compare_rows(void *context, int64_t i0, int64_t i1)
{
    struct comparing *work = context;
    struct comparison part = {.first = -1};
    for (int64_t i = i0; i < i1; ++i) {
        int64_t first;
        const int64_t count = work->c->op->row_elems(work->c, work->rows[i], &first);
        compare_elems(work, first, count, &part);
    }
    join(context, &part);
}

static void shape_text(const struct assay_tensor *t, char text[200])
{
    int at = snprintf(text, 200, "%s [", assay_dtype_name(t->dtype));
    for (uint32_t d = 0; d < t->rank; ++d)
        at += snprintf(text + at, (size_t)(200 - at), "%s%lld", d ? "," : "", (long long)t->shape[d]);
    snprintf(text + at, (size_t)(200 - at), "]");
}

enum assay_status oracle_compare(const struct op_case *c, const struct assay_tensor *want,
                                 const struct assay_tensor *got, const int64_t *rows, int64_t row_count,
                                 struct oracle_pool *pool, struct comparison *result,
                                 struct assay_error *error)
{
    *result = (struct comparison){.first = -1};
    if (want->rank > ASSAY_RANK_MAX || got->rank > ASSAY_RANK_MAX || !assay_dtype_bytes(want->dtype))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "comparing outputs: not a tensor");
    bool same = want->dtype == got->dtype && want->rank == got->rank;
    for (uint32_t d = 0; same && d < want->rank; ++d) same = want->shape[d] == got->shape[d];
    if (!same) {
        char wanted[200], given[200];
        shape_text(want, wanted);
        shape_text(got, given);
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "comparing outputs: the output is %s where %s is wanted", given, wanted);
    }
    const int64_t elems = assay_tensor_elems(want);
    struct comparing work = {c, want, got, rows, PTHREAD_MUTEX_INITIALIZER, result};
    if (!rows) {
        oracle_pool_for(pool, elems, GRAIN, compare_range, &work);
        return ASSAY_OK;
    }
    int64_t longest = 1;
    for (int64_t i = 0; i < row_count; ++i) {
        int64_t first;
        const int64_t count = c->op->row_elems(c, rows[i], &first);
        if (rows[i] < 0 || count < 0 || first < 0 || first > elems - count)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "comparing outputs: there is no row %lld",
                                   (long long)rows[i]);
        if (count > longest) longest = count;
    }
    oracle_pool_for(pool, row_count, GRAIN / longest, compare_rows, &work);
    return ASSAY_OK;
}

struct matching {
    const struct op_case *c;
    const struct assay_tensor *want, *got;
    const int64_t *rows;
    atomic_bool differ;
};

static void match_range(void *context, int64_t i0, int64_t i1)
{
    struct matching *work = context;
    if (work->differ) return;
    if (!work->rows) {
        if (!same_memory(work->want, work->got, i0, i1 - i0)) work->differ = true;
        return;
    }
    for (int64_t i = i0; i < i1; ++i) {
        int64_t first;
        const int64_t count = work->c->op->row_elems(work->c, work->rows[i], &first);
        if (!same_memory(work->want, work->got, first, count)) work->differ = true;
    }
}

bool oracle_same_bits(const struct op_case *c, const struct assay_tensor *want,
                      const struct assay_tensor *got, const int64_t *rows, int64_t row_count,
                      struct oracle_pool *pool)
{
    struct matching work = {c, want, got, rows, false};
    if (want->dtype != got->dtype || want->rank != got->rank) return false;
    for (uint32_t d = 0; d < want->rank; ++d)
        if (want->shape[d] != got->shape[d]) return false;
    const int64_t elems = assay_tensor_elems(want);
    if (elems == 0) return true;
    oracle_pool_for(pool, rows ? row_count : elems, rows ? GRAIN * c->op->rows(c) / elems : GRAIN,
                    match_range, &work);
    return !work.differ;
}

const char *oracle_dead(const struct assay_tensor *reference)
{
    uint64_t bits[BLOCK];
    const int64_t elems = assay_tensor_elems(reference);
    bool zero = true, nan = true, inf = true;
    for (int64_t at = 0; at < elems && (zero || nan || inf); at += BLOCK) {
        const int64_t here = elems - at < BLOCK ? elems - at : BLOCK;
        element_load(reference, at, here, bits);
        for (int64_t i = 0; i < here; ++i) {
            const double x = element_value(reference->dtype, bits[i]);
            zero &= x == 0;
            nan &= isnan(x) != 0;
            inf &= isinf(x) != 0;
        }
    }
    if (elems == 0) return NULL;
    return zero ? "zero" : nan ? "nan" : inf ? "inf" : NULL;
}
