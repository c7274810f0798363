/* Reading a call of a reduction into rows and elements, and its levels into steps. Pure functions; knows no backend. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernels/reduce/reduce.h"

enum { ALIGNED_ELEMS = 64 };

static const struct operator
{
    const char *onnx;
    enum reduce_before before;
    enum reduce_join join;
    enum reduce_after after;
}
operators[] = {
    {"ReduceSum", REDUCE_AS_IS, REDUCE_ADD, REDUCE_STORE},
    {"ReduceMean", REDUCE_AS_IS, REDUCE_ADD, REDUCE_MEAN},
    {"ReduceL1", REDUCE_MAGNITUDE, REDUCE_ADD, REDUCE_STORE},
    {"ReduceL2", REDUCE_SQUARE, REDUCE_ADD, REDUCE_ROOT},
    {"ReduceSumSquare", REDUCE_SQUARE, REDUCE_ADD, REDUCE_STORE},
    {"ReduceLogSum", REDUCE_AS_IS, REDUCE_ADD, REDUCE_LOG},
    {"ReduceProd", REDUCE_AS_IS, REDUCE_MULTIPLY, REDUCE_STORE},
    {"ReduceMax", REDUCE_AS_IS, REDUCE_MAX, REDUCE_STORE},
    {"ReduceMin", REDUCE_AS_IS, REDUCE_MIN, REDUCE_STORE},
    {"ArgMax", REDUCE_AS_IS, REDUCE_ARGMAX, REDUCE_STORE},
    {"ArgMin", REDUCE_AS_IS, REDUCE_ARGMIN, REDUCE_STORE},
};

/* One kind of dimensions, merged where one lies in the other as if they were one. */
struct dims {
    uint32_t count;
    int64_t n[ASSAY_RANK_MAX], x[ASSAY_RANK_MAX], y[ASSAY_RANK_MAX];
    int64_t elems;
};

static void add_dim(struct dims *d, int64_t n, int64_t x, int64_t y)
{
    int64_t both;
    d->elems *= n;
    if (n == 1) return;
    if (d->count > 0) {
        const uint32_t last = d->count - 1;
        if (d->x[last] == x * n && d->y[last] == y * n && !__builtin_mul_overflow(d->n[last], n, &both) &&
            both <= UINT32_MAX) {
            d->n[last] = both;
            d->x[last] = x;
            d->y[last] = y;
            return;
        }
    }
    d->n[d->count] = n;
    d->x[d->count] = x;
    d->y[d->count++] = y;
}

struct problem {
    const struct operator* op;
    struct dims kept, reduced;
    bool arg, copy, last;
};

static bool read_attrs(const struct assay_call *call, struct problem *p, uint32_t *mask, bool *keep,
                       char why[160])
{
    const uint32_t rank = call->input[0].rank;
    bool noop = false;
    *mask = 0;
    *keep = true;
    for (size_t i = 0; i < call->attr_count; i++) {
        const struct assay_attr *attr = &call->attrs[i];
        if (attr->kind != ASSAY_ATTR_INT) return assay_refuse(why, "%s is no integer", attr->name);
        if (strcmp(attr->name, p->arg ? "axis" : "axes") == 0) {
            int64_t d = attr->i < 0 ? attr->i + rank : attr->i;
            if (d < 0 || d >= (int64_t)rank)
                return assay_refuse(why, "axis %" PRId64 " of %u dimensions", attr->i, rank);
            *mask |= 1u << d;
        } else if (strcmp(attr->name, "keepdims") == 0) {
            *keep = attr->i != 0;
        } else if (!p->arg && strcmp(attr->name, "noop_with_empty_axes") == 0) {
            noop = attr->i != 0;
        } else if (p->arg && strcmp(attr->name, "select_last_index") == 0) {
            p->last = attr->i != 0;
        } else {
            return assay_refuse(why, "%s has no attribute %s", call->op, attr->name);
        }
    }
    if (p->arg && *mask == 0) *mask = 1;
    p->copy = *mask == 0 && noop;
    if (*mask == 0 && !noop) *mask = (1u << rank) - 1;
    if (p->arg && (*mask & (*mask - 1)) != 0) return assay_refuse(why, "%s takes one axis", call->op);
    return true;
}

static bool read_problem(const struct assay_call *call, struct problem *p, char why[160])
{
    const struct assay_tensor *x = &call->input[0], *y = &call->output[0];
    uint32_t mask, at = 0;
    bool keep;
    *p = (struct problem){.op = operators, .kept.elems = 1, .reduced.elems = 1};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strcmp(operators[i].onnx, call->op) == 0) p->op = &operators[i];
    p->arg = p->op->join == REDUCE_ARGMAX || p->op->join == REDUCE_ARGMIN;
    if (call->input_count != 1 || call->output_count != 1)
        return assay_refuse(why, "%s has 1 input and 1 output here, not %zu and %zu: axes are attributes",
                            call->op, call->input_count, call->output_count);
    if (x->dtype != ASSAY_F32 || y->dtype != (p->arg ? ASSAY_I64 : ASSAY_F32))
        return assay_refuse(why, "%s to %s is not taken, f32 to %s is", assay_dtype_name(x->dtype),
                            assay_dtype_name(y->dtype), p->arg ? "i64" : "f32");
    if (!read_attrs(call, p, &mask, &keep, why)) return false;
    for (uint32_t d = 0; d < x->rank; d++) {
        const bool reduced = mask >> d & 1;
        const int64_t n = reduced ? 1 : x->shape[d];
        if (reduced) add_dim(&p->reduced, x->shape[d], x->stride[d], 0);
        if (!reduced || keep) {
            if (at >= y->rank || y->shape[at] != n)
                return assay_refuse(why, "Y's shape is not the reduction's");
            if (!reduced) {
                if (n > 1 && y->stride[at] == 0)
                    return assay_refuse(why, "Y's stride lets several elements share one place");
                add_dim(&p->kept, n, x->stride[d], y->stride[at]);
            }
            at++;
        }
    }
    if (at != y->rank) return assay_refuse(why, "Y has %u dimensions, the reduction %u", y->rank, at);
    if (p->arg && p->reduced.elems == 0) return assay_refuse(why, "%s of no element", call->op);
    if (p->kept.count > REDUCE_DIMS || p->reduced.count > REDUCE_DIMS)
        return assay_refuse(why, "%u kept and %u reduced dimensions that do not merge, %d of each are taken",
                            p->kept.count, p->reduced.count, REDUCE_DIMS);
    return true;
}

/* Dimensions into words, behind those of length 1. */
static bool put_dims(const struct dims *d, uint32_t *n, uint32_t *x, uint32_t *y, char why[160])
{
    for (uint32_t i = 0; i < REDUCE_DIMS; i++) {
        n[i] = 1;
        x[i] = 0;
        if (y != NULL) y[i] = 0;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        const uint32_t to = REDUCE_DIMS - d->count + i;
        if (d->n[i] > UINT32_MAX || d->x[i] > UINT32_MAX || d->y[i] > UINT32_MAX)
            return assay_refuse(why,
                                "a dimension of %" PRId64 " elements %" PRId64
                                " apart, kernel arguments reach 4294967295",
                                d->n[i], d->x[i] > d->y[i] ? d->x[i] : d->y[i]);
        n[to] = (uint32_t)d->n[i];
        x[to] = (uint32_t)d->x[i];
        if (y != NULL) y[to] = (uint32_t)d->y[i];
    }
    return true;
}

static bool bind(const struct assay_device_info *info, const struct assay_tensor *t, bool wide, char name,
                 struct assay_step *step, int slot, enum assay_role role, uint32_t *offset, char why[160])
{
    const uint64_t size = assay_dtype_bytes(t->dtype);
    const int64_t extent = assay_tensor_extent(t), rest = t->offset % ALIGNED_ELEMS;
    step->bind[slot].role = role;
    step->bind[slot].offset_bytes = extent ? (uint64_t)(t->offset - rest) * size : 0;
    step->bind[slot].bytes = extent ? (uint64_t)extent * size - step->bind[slot].offset_bytes : 4;
    *offset = extent ? (uint32_t)rest : 0;
    if (step->bind[slot].bytes > info->limits.binding_bytes)
        return assay_refuse(why, "%c takes a binding of %" PRIu64 " bytes, the limit is %" PRIu64, name,
                            step->bind[slot].bytes, info->limits.binding_bytes);
    if (!wide && step->bind[slot].bytes / 4 > UINT32_MAX)
        return assay_refuse(why, "%c spans %" PRIu64 " words, shaders reach 4294967295", name,
                            step->bind[slot].bytes / 4);
    return true;
}

static int64_t blocks_of(int64_t k)
{
    return k > REDUCE_BLOCK ? (k - 1) / REDUCE_BLOCK + 1 : 1;
}

bool reduce_plan_make(const struct assay_device_info *info, const struct assay_call *call,
                      const struct reduce_technique *technique, enum assay_variant variant,
                      struct assay_plan *plan, char why[160])
{
    struct problem p;
    struct reduce_push push = {0};
    struct assay_step step = {0};
    memset(plan, 0, sizeof *plan);
    if (!read_problem(call, &p, why)) return false;
    if (p.kept.elems == 0) return true;
    if (p.kept.elems > UINT32_MAX)
        return assay_refuse(why, "%" PRId64 " rows, at most 4294967295 are counted", p.kept.elems);
    if (!put_dims(&p.kept, push.kept_n, push.kept_x, push.kept_y, why) ||
        !put_dims(&p.reduced, push.reduced_n, push.reduced_x, NULL, why) ||
        !bind(info, &call->input[0], technique->wide, 'X', &step, 0, ASSAY_ROLE_INPUT, &push.x_offset, why) ||
        !bind(info, &call->output[0], technique->wide, 'Y', &step, 1, ASSAY_ROLE_OUTPUT, &push.y_offset, why))
        return false;
    const float count = (float)p.reduced.elems;
    memcpy(&push.count, &count, sizeof count);
    push.rows = (uint32_t)p.kept.elems;

    const uint32_t y_offset = push.y_offset;
    uint32_t before = p.op->before;
    const enum reduce_join join = p.copy ? REDUCE_MAX : p.op->join; /* the larger of one is itself, -0 too */
    const struct assay_step ends = step;
    uint64_t scratch = 0;
    int64_t k = p.reduced.elems;
    for (int level = 0;; level++) {
        const int64_t blocks = p.arg ? 1 : blocks_of(k);
        const bool final = blocks == 1;
        int64_t pairs;
        if (__builtin_mul_overflow(blocks, p.kept.elems, &pairs) || pairs > UINT32_MAX)
            return assay_refuse(why, "%" PRId64 " rows of %" PRId64 " blocks, 4294967295 blocks are counted",
                                p.kept.elems, blocks);
        if (!technique->wide && k > UINT32_MAX)
            return assay_refuse(why, "rows of %" PRId64 " elements, shaders count 4294967295", k);
        push.blocks = (uint32_t)blocks;
        push.k_low = (uint32_t)k;
        push.k_high = (uint32_t)((uint64_t)k >> 32);
        push.operation = (p.copy ? REDUCE_AS_IS : before) | join << 4 |
                         (final && !p.copy ? p.op->after : REDUCE_STORE) << 8 | (uint32_t)p.last << 12;
        if (level > 0) {
            /* rows of the results of the level below, one behind the other */
            int64_t below = k;
            for (uint32_t i = p.kept.count; i-- > 0; below *= p.kept.n[i]) p.kept.x[i] = below;
            p.reduced = (struct dims){.count = 1, .n = {k}, .x = {1}};
            step.bind[0] = step.bind[1];
            push.x_offset = 0;
            if (!put_dims(&p.kept, push.kept_n, push.kept_x, push.kept_y, why) ||
                !put_dims(&p.reduced, push.reduced_n, push.reduced_x, NULL, why))
                return false;
        }
        if (final) {
            step.bind[1] = ends.bind[1];
            push.y_offset = y_offset;
        } else {
            step.bind[1] = (__typeof__(step.bind[1])){
                .role = ASSAY_ROLE_SCRATCH, .offset_bytes = scratch, .bytes = (uint64_t)pairs * 4};
            scratch += ((uint64_t)pairs * 4 + 255) / 256 * 256;
            push.y_offset = 0;
        }
        if (plan->step_count == ASSAY_STEPS_MAX)
            return assay_refuse(why, "more than %d levels", ASSAY_STEPS_MAX);
        if (!technique->program(info, &push, variant, &step, &push.each, why)) return false;
        const int64_t groups = (pairs - 1) / push.each + 1;
        if (groups > info->limits.groups[0])
            return assay_refuse(why, "%" PRId64 " workgroups, the limit is %" PRIu32, groups,
                                info->limits.groups[0]);
        step.program.bindings = 2;
        step.program.push_bytes = sizeof push;
        memcpy(step.push, &push, sizeof push);
        step.groups[0] = (uint32_t)groups;
        step.groups[1] = step.groups[2] = 1;
        plan->step[plan->step_count++] = step;
        if (final) break;
        k = blocks;
        before = REDUCE_AS_IS;
    }
    plan->scratch_bytes = scratch;
    if (scratch > info->limits.allocation_bytes)
        return assay_refuse(why, "%" PRIu64 " bytes of scratch, the limit is %" PRIu64, scratch,
                            info->limits.allocation_bytes);
    return true;
}
