/* Float64 values of softmax and the norms, bounds on their own error, and how far exact mode's result may be from them.
 *
 * u = 2^-24, g = the error of a sum's roundings and two more. Softmax: RN(x - m) is off by u |x - m|, which is a relative
 * error of the exponential, and below -104 that is 0; so the sum is off by at most g + 107 u. Norms: with A the mean
 * magnitude and a the mean deviation, m is off by (g + 4u) A =: p; c replaces most of that: d' is off by
 * 2u (|x - mean| + p) + (g + 6u) (a + p) =: r(x); the deviation by the root mean square of r and half of g; the quotient by
 * both. Where a sum may overflow, or the deviation is not known to be above 0, nothing is claimed. */
#include "oracles/normalize/normalize.h"

#include <math.h>
#include <stdlib.h>

#define U 0x1p-24

struct line {
    const struct normalize_view *view;
    const struct assay_tensor *in;
    int64_t number;
    double g;
    float x[LANES_BLOCK], scale[LANES_BLOCK], bias[LANES_BLOCK];
};

struct element {
    double value, bound, proven;
};

#define EACH_BLOCK(l, ...)                                                                                   \
    for (int64_t first = 0; first < (l)->view->k; first += LANES_BLOCK) {                                    \
        const int64_t count = (l)->view->k - first < LANES_BLOCK ? (l)->view->k - first : LANES_BLOCK;       \
        normalize_read((l)->view, (l)->in, (l)->number, first, count, (l)->x);                               \
        __VA_ARGS__                                                                                          \
    }

typedef void put_fn(void *to, int64_t e, struct element element);

static void softmax_line(struct line *l, bool logarithm, put_fn *put, void *to)
{
    double m = -INFINITY, error;
    struct lanes_sum64 sum = {0};
    EACH_BLOCK(l,
               for (int64_t i = 0; i < count; ++i) if (!(l->x[i] <= m)) m = isnan(m) ? m : (double)l->x[i];)
    EACH_BLOCK(l, for (int64_t i = 0; i < count; ++i) lanes_sum64_add(&sum, exp(l->x[i] - m));)
    const double s = lanes_sum64_end(&sum, &error), n = (double)l->view->k;
    const double off = l->g + 107 * U + n * 0x1p-149;
    EACH_BLOCK(
        l, for (int64_t i = 0; i < count; ++i) {
            const double d = l->x[i] - m;
            struct element e;
            if (logarithm) {
                e.value = d - log(s);
                e.bound = (fabs(d) + fabs(e.value) + 1) * 0x1p-50;
                e.proven = 1.1 * U * (fabs(d) + fabs(log(s)) + fabs(e.value)) + 1.01 * off + 0x1p-148;
                if (fabs(d) > 0x1.ffffp127) e.proven = INFINITY;
            } else {
                e.value = exp(d) / s;
                e.bound = e.value * 0x1p-43;
                e.proven = 1.1 * e.value * (U * fmin(fabs(d), 105) + 2 * U + off) + 0x1p-147;
            }
            put(to, first + i, e);
        })
}

static void norm_line(struct line *l, bool layer, double eps, const struct assay_tensor *scale,
                      const struct assay_tensor *bias, put_fn *put, void *to)
{
    const struct normalize_view once = {.outer = 1, .k = l->view->k, .inner = 1, .axis = 0, .single = false};
    const double n = (double)l->view->k, g = l->g;
    struct lanes_sum64 sum = {0}, square = {0}, deviation = {0}, slack = {0};
    double error, mean = 0, p = 0, a = 0, most = 0;
    EACH_BLOCK(
        l, for (int64_t i = 0; i < count; ++i) {
            lanes_sum64_add(&sum, l->x[i]);
            most = fmax(most, fabs((double)l->x[i]));
        })
    const double total = lanes_sum64_end(&sum, &error), size = sum.size / n;
    if (layer) {
        mean = total / n;
        p = (g + 4 * U) * size + 0x1p-149;
        EACH_BLOCK(l, for (int64_t i = 0; i < count; ++i) lanes_sum64_add(&deviation, fabs(l->x[i] - mean));)
        a = lanes_sum64_end(&deviation, &error) / n;
    }
    const double shift = layer ? (g + 6 * U) * (a + p) + 0x1p-148 : 0;
    EACH_BLOCK(
        l, for (int64_t i = 0; i < count; ++i) {
            const double d = l->x[i] - mean, r = layer ? 2.1 * U * (fabs(d) + p) + 1.01 * shift : 0;
            lanes_sum64_add(&square, d * d);
            lanes_sum64_add(&slack, r * r);
        })
    const double t = sqrt(lanes_sum64_end(&square, &error) / n + eps);
    const double rms = sqrt(lanes_sum64_end(&slack, &error) / n);
    const double t_off = rms + (g / 2 + 4 * U) * (t + rms) * 1.01 +
                         fmin(sqrt((n + 2) * 0x1p-149), t > 0 ? (n + 2) * 0x1p-149 / t : INFINITY);
    const double t_least = t - t_off;
    /* sums of n magnitudes, and of n squares */
    const bool over = !(sum.size * 1.01 < 0x1p127 && (most + fabs(mean)) * (most + fabs(mean)) * n < 0x1p127);
    EACH_BLOCK(l, {
        normalize_read(&once, scale, 0, first, count, l->scale);
        if (bias) normalize_read(&once, bias, 0, first, count, l->bias);
        for (int64_t i = 0; i < count; ++i) {
            const double d = l->x[i] - mean, w = l->scale[i], b = bias ? (double)l->bias[i] : 0;
            const double r = layer ? 2.1 * U * (fabs(d) + p) + 1.01 * shift : 0, q = d / t;
            struct element e = {.value = q * w + b};
            const double q_off = r / t_least + fabs(d) * t_off / (t * t_least);
            e.bound = fabs(w) / t * 0x1p-46 * (size + fabs(d)) + fabs(e.value) * 0x1p-46 + 0x1p-1000;
            e.proven =
                fabs(w) * (q_off + 2.1 * U * (fabs(q) + q_off) + 0x1p-148) + 2 * U * fabs(e.value) + 0x1p-147;
            if (!(fabs(q * w) + fabs(b) + e.proven < 0x1.fffffep127) && !isnan(e.value) && isfinite(e.value))
                e.proven = INFINITY; /* a step may overflow */
            if (isfinite(most) && !isnan(total) && (over || !(t_least > 0) || !isfinite(e.proven))) {
                if (!isfinite(e.value) && isfinite(w) && isfinite(b)) e.value = 0;
                e.bound = 0;
                e.proven = INFINITY;
            }
            if (isnan(e.value)) e.bound = e.proven = 0;
            put(to, first + i, e);
        }
    })
}

/* Where a line's elements go: rows are dense. */
struct target {
    double *value, *bound, *magnitude;
    int64_t at, step;
};

static void put(void *to, int64_t e, struct element element)
{
    const struct target *t = to;
    const int64_t at = t->at + e * t->step;
    t->value[at] = element.value;
    if (t->bound) t->bound[at] = isnan(element.bound) ? 0 : element.bound;
    if (t->magnitude) t->magnitude[at] = isnan(element.proven) ? INFINITY : element.proven;
}

enum assay_status normalize_f64(const struct op_case *c, const struct assay_tensor *in, bool exact,
                                double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                                struct assay_error *error)
{
    const enum normalize_kind kind = normalize_kind_of(c);
    struct normalize_view view;
    (void)exact; /* sums keep what addition loses */
    struct line *line = malloc(sizeof *line);
    if (!line) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for a block", c->op->name);
    normalize_view_read(c, in, &view);
    const double path = lanes_depth(view.k) + 3;
    line->view = &view;
    line->in = in;
    line->g = path * U / (1 - path * U) * (1 + 0x1p-40);
    for (int64_t number = row0 * view.inner; number < row1 * view.inner; ++number) {
        struct target target = {value, bound, magnitude,
                                (number / view.inner - row0) * view.k * view.inner + number % view.inner,
                                view.inner};
        line->number = number;
        if (view.single)
            softmax_line(line, kind == NORMALIZE_LOG_SOFTMAX, put, &target);
        else
            norm_line(line, kind == NORMALIZE_LAYER, normalize_epsilon(c), &in[1],
                      kind == NORMALIZE_LAYER && c->axis[NORMALIZE_BIAS] ? &in[2] : NULL, put, &target);
    }
    free(line);
    return ASSAY_OK;
}
