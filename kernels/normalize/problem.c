/* Reading a call of softmax or a norm into lines, and those into a step. Pure functions; knows no backend. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernels/normalize/normalize.h"

enum { ALIGNED_ELEMS = 64 };

static const char *const operators[NORMALIZE_OPERATORS] = {"Softmax", "LogSoftmax", "LayerNormalization",
                                                           "RMSNormalization"};

/* Dimensions, merged where one lies in the other as if they were one, in X and in Y. */
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

static bool put_dims(const struct dims *d, uint32_t most, const char *what, uint32_t *n, uint32_t *x,
                     uint32_t *y, char why[160])
{
    if (d->count > most)
        return assay_refuse(why, "%u dimensions of %s that do not merge, %u are taken", d->count, what, most);
    for (uint32_t i = 0; i < most; i++) {
        n[i] = 1;
        x[i] = y[i] = 0;
    }
    for (uint32_t i = 0; i < d->count; i++) {
        const uint32_t to = most - d->count + i;
        if (d->n[i] > UINT32_MAX || d->x[i] > UINT32_MAX || d->y[i] > UINT32_MAX)
            return assay_refuse(why,
                                "a dimension of %" PRId64 " elements %" PRId64
                                " apart, kernel arguments reach 4294967295",
                                d->n[i], d->x[i] > d->y[i] ? d->x[i] : d->y[i]);
        n[to] = (uint32_t)d->n[i];
        x[to] = (uint32_t)d->x[i];
        y[to] = (uint32_t)d->y[i];
    }
    return true;
}

static bool bind(const struct assay_device_info *info, const struct assay_tensor *t, bool wide,
                 const char *name, struct assay_step *step, int slot, enum assay_role role, uint32_t index,
                 uint32_t *offset, char why[160])
{
    const int64_t extent = assay_tensor_extent(t), rest = t->offset % ALIGNED_ELEMS;
    step->bind[slot].role = role;
    step->bind[slot].index = index;
    step->bind[slot].offset_bytes = extent ? (uint64_t)(t->offset - rest) * 4 : 0;
    step->bind[slot].bytes = extent ? (uint64_t)extent * 4 - step->bind[slot].offset_bytes : 4;
    *offset = extent ? (uint32_t)rest : 0;
    if (step->bind[slot].bytes > info->limits.binding_bytes)
        return assay_refuse(why, "%s takes a binding of %" PRIu64 " bytes, the limit is %" PRIu64, name,
                            step->bind[slot].bytes, info->limits.binding_bytes);
    if (!wide && step->bind[slot].bytes / 4 > UINT32_MAX)
        return assay_refuse(why, "%s spans %" PRIu64 " words, shaders reach 4294967295", name,
                            step->bind[slot].bytes / 4);
    return true;
}

/* What a norm's rows are multiplied by and what is added: as long as a row, dense. */
static bool check_factor(const struct assay_tensor *t, const struct assay_tensor *x, uint32_t axis,
                         const char *name, char why[160])
{
    int64_t step = 1;
    if (t->dtype != ASSAY_F32)
        return assay_refuse(why, "%s is %s, f32 is taken", name, assay_dtype_name(t->dtype));
    if (t->rank != x->rank - axis)
        return assay_refuse(why, "%s has %u dimensions, a row %u", name, t->rank, x->rank - axis);
    for (uint32_t d = t->rank; d-- > 0; step *= t->shape[d]) {
        if (t->shape[d] != x->shape[axis + d]) return assay_refuse(why, "%s has not a row's shape", name);
        if (t->shape[d] > 1 && t->stride[d] != step) return assay_refuse(why, "%s is not dense", name);
    }
    return true;
}

static bool read_attrs(const struct assay_call *call, bool norm, uint32_t *axis, float *epsilon,
                       char why[160])
{
    const int64_t rank = call->input[0].rank;
    int64_t at = -1;
    *epsilon = 1e-5f;
    for (size_t i = 0; i < call->attr_count; i++) {
        const struct assay_attr *attr = &call->attrs[i];
        if (strcmp(attr->name, "axis") == 0 && attr->kind == ASSAY_ATTR_INT)
            at = attr->i;
        else if (norm && strcmp(attr->name, "epsilon") == 0 && attr->kind == ASSAY_ATTR_FLOAT)
            *epsilon = attr->f;
        else if (!norm || strcmp(attr->name, "stash_type") != 0 || attr->i != 1)
            return assay_refuse(why, "%s is not taken with attribute %s", call->op, attr->name);
    }
    if (at < 0) at += rank;
    if (at < 0 || at >= rank)
        return assay_refuse(why, "the axis lies outside of %" PRId64 " dimensions", rank);
    *axis = (uint32_t)at;
    return true;
}

bool normalize_plan_make(const struct assay_device_info *info, const struct assay_call *call,
                         const struct normalize_technique *technique, enum assay_variant variant,
                         struct assay_plan *plan, char why[160])
{
    const struct assay_tensor *x = &call->input[0], *y = &call->output[0];
    struct normalize_push push = {0};
    struct assay_step step = {0};
    struct dims kept = {.elems = 1}, inner = {.elems = 1};
    uint32_t kind = 0, axis = 0;
    float epsilon;
    memset(plan, 0, sizeof *plan);
    while (kind < NORMALIZE_OPERATORS - 1 && strcmp(operators[kind], call->op) != 0) kind++;
    const bool norm = kind == NORMALIZE_LAYER || kind == NORMALIZE_RMS;
    if (call->output_count != 1)
        return assay_refuse(why, "%s with %zu outputs: only Y is made", call->op, call->output_count);
    if (call->input_count < (norm ? 2u : 1u) || call->input_count > (kind == NORMALIZE_LAYER ? 3u
                                                                     : norm                  ? 2u
                                                                                             : 1u))
        return assay_refuse(why, "%s with %zu inputs is not taken", call->op, call->input_count);
    if (x->dtype != ASSAY_F32 || y->dtype != ASSAY_F32)
        return assay_refuse(why, "%s to %s is not taken, f32 is", assay_dtype_name(x->dtype),
                            assay_dtype_name(y->dtype));
    if (!read_attrs(call, norm, &axis, &epsilon, why)) return false;
    if (y->rank != x->rank) return assay_refuse(why, "Y has %u dimensions, X %u", y->rank, x->rank);
    for (uint32_t d = 0; d < x->rank; d++) {
        if (y->shape[d] != x->shape[d]) return assay_refuse(why, "Y has not X's shape");
        if (y->shape[d] > 1 && y->stride[d] == 0)
            return assay_refuse(why, "Y's stride lets several elements share one place");
        const bool in_line = norm ? d >= axis : d == axis;
        add_dim(in_line ? &inner : &kept, x->shape[d], x->stride[d], y->stride[d]);
    }
    if (kept.elems == 0 || inner.elems == 0) return true;
    if (kept.elems > UINT32_MAX)
        return assay_refuse(why, "%" PRId64 " lines, at most 4294967295 are counted", kept.elems);
    if (inner.elems > (int64_t)NORMALIZE_BLOCK * NORMALIZE_BLOCKS)
        return assay_refuse(why, "lines of %" PRId64 " elements, at most %d are taken", inner.elems,
                            NORMALIZE_BLOCK * NORMALIZE_BLOCKS);
    if (!put_dims(&kept, NORMALIZE_KEPT, "lines", push.kept_n, push.kept_x, push.kept_y, why) ||
        !put_dims(&inner, NORMALIZE_INNER, "a line", push.inner_n, push.inner_x, push.inner_y, why) ||
        !bind(info, x, technique->wide, "X", &step, 0, ASSAY_ROLE_INPUT, 0, &push.x_offset, why) ||
        !bind(info, y, technique->wide, "Y", &step, 1, ASSAY_ROLE_OUTPUT, 0, &push.y_offset, why))
        return false;
    push.operation = kind;
    step.bind[2] = step.bind[3] = step.bind[0]; /* programs name four buffers */
    if (norm) {
        if (!check_factor(&call->input[1], x, axis, "Scale", why) ||
            !bind(info, &call->input[1], technique->wide, "Scale", &step, 2, ASSAY_ROLE_INPUT, 1,
                  &push.scale_offset, why))
            return false;
        if (call->input_count > 2) {
            if (!check_factor(&call->input[2], x, axis, "B", why) ||
                !bind(info, &call->input[2], technique->wide, "B", &step, 3, ASSAY_ROLE_INPUT, 2,
                      &push.bias_offset, why))
                return false;
            push.operation |= 16;
        }
    }
    const float count = (float)inner.elems;
    memcpy(&push.count, &count, sizeof count);
    memcpy(&push.epsilon, &epsilon, sizeof epsilon);
    push.lines = (uint32_t)kept.elems;
    push.k = (uint32_t)inner.elems;
    if (!technique->program(info, &push, variant, &step, &push.each, why)) return false;
    const int64_t groups = ((int64_t)push.lines - 1) / push.each + 1;
    if (groups > info->limits.groups[0])
        return assay_refuse(why, "%" PRId64 " workgroups, the limit is %" PRIu32, groups,
                            info->limits.groups[0]);
    step.program.bindings = 4;
    step.program.push_bytes = sizeof push;
    memcpy(step.push, &push, sizeof push);
    step.groups[0] = (uint32_t)groups;
    step.groups[1] = step.groups[2] = 1;
    plan->step[plan->step_count++] = step;
    return true;
}
