/* The bits of exact mode for reductions: sums and products in the order of lanes.h, mean RN(sum / RN(n)), L2 the root of
 * the sum of squares, LogSum the logarithm of the sum, each rounded once; maximum and minimum exact, NaN first, +0 above
 * -0; arg-max and arg-min the first NaN if there is one, else the first (or last) of the equal elements, -0 equal to +0.
 * Of nothing: sum +0, product 1, maximum -inf, minimum +inf, mean NaN. Every NaN is stored as 7fc00000. */
#include "oracles/reduce/reduce.h"

#include <math.h>
#include <string.h>

void reduce_view_read(const struct assay_tensor *x, uint32_t mask, struct reduce_view *view)
{
    *view = (struct reduce_view){.rows = 1, .elems = 1};
    for (uint32_t d = 0; d < x->rank; ++d)
        if (mask >> d & 1) {
            view->reduced_shape[view->reduced] = x->shape[d];
            view->reduced_stride[view->reduced++] = x->stride[d];
            view->elems *= x->shape[d];
        } else {
            view->kept_shape[view->kept] = x->shape[d];
            view->kept_stride[view->kept++] = x->stride[d];
            view->rows *= x->shape[d];
        }
}

static int64_t place(uint32_t rank, const int64_t *shape, const int64_t *stride, int64_t number)
{
    int64_t at = 0;
    for (uint32_t d = rank; d-- > 0;) {
        at += number % shape[d] * stride[d];
        number /= shape[d];
    }
    return at;
}

void reduce_view_gather(const struct reduce_view *view, const struct assay_tensor *x, int64_t row,
                        int64_t first, int64_t count, float *to)
{
    const float *from =
        (const float *)x->data + x->offset + place(view->kept, view->kept_shape, view->kept_stride, row);
    if (view->reduced == 0) {
        *to = *from;
        return;
    }
    const uint32_t last = view->reduced - 1;
    const int64_t line = view->reduced_shape[last], step = view->reduced_stride[last];
    for (int64_t i = 0; i < count;) {
        const float *start =
            from + place(last, view->reduced_shape, view->reduced_stride, (first + i) / line);
        for (int64_t j = (first + i) % line; j < line && i < count; ++j) to[i++] = start[j * step];
    }
}

int64_t reduce_output_place(const struct assay_tensor *y, int64_t row)
{
    return y->offset + place(y->rank, y->shape, y->stride, row);
}

/* Is x the better of the two? */
static bool beats(enum reduce_kind kind, float x, float best)
{
    if (isnan(best)) return false;
    if (isnan(x)) return true;
    if (kind == REDUCE_MAX && x == 0 && best == 0) return signbit(best) && !signbit(x);
    if (kind == REDUCE_MIN && x == 0 && best == 0) return !signbit(best) && signbit(x);
    return kind == REDUCE_MAX || kind == REDUCE_ARGMAX ? x > best : x < best;
}

struct best {
    float value;
    int64_t place;
};

static void choose(enum reduce_kind kind, bool last, const float *x, int64_t first, int64_t count,
                   struct best *best)
{
    for (int64_t i = 0; i < count; ++i)
        if (best->place < 0 || beats(kind, x[i], best->value) || (last && x[i] == best->value))
            *best = (struct best){x[i], first + i};
}

static float finish(enum reduce_kind kind, float sum, int64_t n)
{
    switch (kind) {
    case REDUCE_MEAN:
        return sum / (float)n;
    case REDUCE_L2:
        return sqrtf(sum);
    case REDUCE_LOG_SUM:
        return lanes_log(sum);
    default:
        return sum;
    }
}

static const enum lanes_kind order_of[REDUCE_KINDS] = {
    [REDUCE_L2] = LANES_SQUARES,
    [REDUCE_SUM_SQUARE] = LANES_SQUARES,
    [REDUCE_PROD] = LANES_PRODUCT,
};

void reduce_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1)
{
    const enum reduce_kind kind = reduce_kind_of(c);
    const bool chosen = kind >= REDUCE_MAX, arg = kind >= REDUCE_ARGMAX;
    const uint32_t mask = reduce_mask(c, in->rank);
    struct reduce_view view;
    struct lanes lanes;
    float x[LANES_BLOCK];
    reduce_view_read(in, mask, &view);
    for (int64_t row = row0; row < row1; ++row) {
        const int64_t at = reduce_output_place(out, row);
        struct best best = {kind == REDUCE_MAX ? -INFINITY : INFINITY, -1};
        lanes_begin(&lanes, order_of[kind]);
        for (int64_t first = 0; first < view.elems; first += LANES_BLOCK) {
            const int64_t count = view.elems - first < LANES_BLOCK ? view.elems - first : LANES_BLOCK;
            reduce_view_gather(&view, in, row, first, count, x);
            if (kind == REDUCE_L1 && mask)
                for (int64_t i = 0; i < count; ++i) x[i] = fabsf(x[i]);
            if (chosen)
                choose(kind, c->axis[REDUCE_LAST], x, first, count, &best);
            else
                lanes_feed(&lanes, x, count);
        }
        if (arg) {
            ((int64_t *)out->data)[at] = best.place;
            continue;
        }
        const float value = !mask ? x[0] : chosen ? best.value : finish(kind, lanes_end(&lanes), view.elems);
        const uint32_t nan = 0x7fc00000u;
        float *to = (float *)out->data + at;
        if (isnan(value))
            memcpy(to, &nan, sizeof nan);
        else
            *to = value;
    }
}
