/* Float64 values of reductions, bounds on their own error, and how far exact mode's result may be from them.
 *
 * With g the error of `path` roundings, n path 2^-24 / (1 - path 2^-24): a sum is off by g times the sum of magnitudes and
 * cannot underflow; a fused square adds 2^-150 where it does; a product is off by g, unless a partial product leaves the
 * normal numbers, which the sum of the factors' |log2| excludes. A mean, root or logarithm rounds once more. */
#include "oracles/reduce/reduce.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct row {
    struct lanes_sum64 sum;
    double product, logs; /* logs: of |log2| of the factors, NaN and zeros aside */
    float best;
    bool any, zero, infinite, nan;
};

static void add(struct row *r, enum reduce_kind kind, const float *x, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        const double v = x[i];
        switch (kind) {
        case REDUCE_L1:
            lanes_sum64_add(&r->sum, fabs(v));
            break;
        case REDUCE_L2:
        case REDUCE_SUM_SQUARE:
            lanes_sum64_add(&r->sum, v * v);
            break;
        case REDUCE_PROD:
            r->product *= v;
            if (v == 0)
                r->zero = true;
            else if (isfinite(v))
                r->logs += fabs(log2(fabs(v)));
            else if (isnan(v))
                r->nan = true;
            else
                r->infinite = true;
            break;
        case REDUCE_MAX:
        case REDUCE_MIN:
            if (!r->any || isnan(v) ||
                (!isnan(r->best) && (kind == REDUCE_MAX ? x[i] > r->best : x[i] < r->best)))
                r->best = x[i];
            r->any = true;
            break;
        default:
            lanes_sum64_add(&r->sum, v);
        }
    }
}

/* *proven: of the contract; *bound: of the value returned. */
static double finish(const struct row *r, enum reduce_kind kind, int64_t elems, double *bound, double *proven)
{
    const double n = (double)elems, path = lanes_depth(elems) + 3;
    const double g = path * 0x1p-24 / (1 - path * 0x1p-24) * (1 + 0x1p-40);
    double value = lanes_sum64_end(&r->sum, bound);
    const double size = r->sum.size, reach = g * size + n * 0x1p-149;
    *proven = kind == REDUCE_SUM_SQUARE ? reach : g * size;
    /* a partial sum may be infinite */
    const bool over = !(size + reach < 0x1.ffffffp127);
    switch (kind) {
    case REDUCE_MEAN:
        value /= n;
        *bound /= n;
        *proven = *proven / n + fabs(value) * 0x1p-22 + 0x1p-149;
        break;
    case REDUCE_L2:
        value = sqrt(value);
        *bound = value * 0x1p-50;
        *proven = fmin(sqrt(reach), value > 0 ? reach / value : INFINITY) + value * 0x1p-23;
        break;
    case REDUCE_LOG_SUM: {
        const double off = (g * size + *bound) / fabs(value);
        if (isnan(value) || isinf(value)) {
            value = value < 0 ? NAN : value;
            *proven = *bound = 0;
        } else if (size == 0) {
            value = -INFINITY;
            *proven = *bound = 0;
        } else if (!(off < 0.5)) { /* the sign of the sum is not known */
            value = 0;
            *bound = *proven = INFINITY;
        } else if (value < 0) {
            value = NAN;
        } else {
            value = log(value);
            *bound = fabs(value) * 0x1p-50 + 0x1p-1000;
            *proven = -log1p(-off) + fabs(value) * 0x1p-23;
        }
        break;
    }
    case REDUCE_PROD:
        value = r->product;
        *bound = fabs(value) * n * 0x1p-52;
        *proven = g * fabs(value);
        if (r->logs > 124 || r->zero) *proven = r->logs > 124 ? INFINITY : 0;
        if (r->nan || (r->zero && r->infinite)) {
            value = NAN;
        } else if (!(r->logs < 1000) && !r->infinite) { /* float64 may have left its own range */
            value = 0;
            *bound = INFINITY;
        }
        break;
    case REDUCE_MAX:
    case REDUCE_MIN:
        value = r->any ? r->best : kind == REDUCE_MAX ? -INFINITY : INFINITY;
        *bound = *proven = 0;
        break;
    default:
        break;
    }
    if (over && kind != REDUCE_PROD && kind < REDUCE_MAX && isfinite(value)) *proven = INFINITY;
    if (isnan(*proven)) *proven = INFINITY;
    if (isnan(*bound)) *bound = 0;
    return value;
}

enum assay_status reduce_f64(const struct op_case *c, const struct assay_tensor *in, bool exact,
                             double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                             struct assay_error *error)
{
    const enum reduce_kind kind = reduce_kind_of(c);
    const uint32_t mask = reduce_mask(c, in->rank);
    struct reduce_view view;
    float x[LANES_BLOCK];
    (void)exact, (void)error; /* the sum keeps what addition loses */
    reduce_view_read(in, mask, &view);
    for (int64_t row = row0; row < row1; ++row) {
        struct row r = {.product = 1};
        double error64 = 0, proven = 0;
        for (int64_t first = 0; first < view.elems; first += LANES_BLOCK) {
            const int64_t count = view.elems - first < LANES_BLOCK ? view.elems - first : LANES_BLOCK;
            reduce_view_gather(&view, in, row, first, count, x);
            add(&r, kind, x, count);
        }
        value[row - row0] = mask ? finish(&r, kind, view.elems, &error64, &proven) : (double)x[0];
        if (bound) bound[row - row0] = error64;
        if (magnitude) magnitude[row - row0] = proven;
    }
    return ASSAY_OK;
}
