/* The bits of exact mode for softmax and the norms, sums by lanes.h:
 *
 *     softmax      m = maximum; e = exp(RN(x - m)); s = sum e; y = RN(e / s)
 *     log-softmax  y = RN(RN(x - m) - log(s))
 *     layer norm   m = RN(sum x / n); d = RN(x - m); c = RN(sum d / n); d' = RN(d - c); v = RN(sum d'^2 / n);
 *                  s = RN(root RN(v + eps)); y = RN(RN(RN(d' / s) scale) + bias)
 *     RMS norm     v = RN(sum x^2 / n); s likewise; y = RN(RN(x / s) scale)
 *
 * n is RN(n). A NaN is a row's maximum; every NaN is stored as 7fc00000. */
#include "oracles/normalize/normalize.h"

#include <math.h>
#include <string.h>

void normalize_view_read(const struct op_case *c, const struct assay_tensor *x, struct normalize_view *view)
{
    const enum normalize_kind kind = normalize_kind_of(c);
    *view = (struct normalize_view){.outer = 1, .k = 1, .inner = 1};
    view->axis = (uint32_t)c->axis[NORMALIZE_AXIS];
    view->single = kind == NORMALIZE_SOFTMAX || kind == NORMALIZE_LOG_SOFTMAX;
    for (uint32_t d = 0; d < x->rank; ++d) {
        if (d < view->axis)
            view->outer *= x->shape[d];
        else if (d > view->axis && view->single)
            view->inner *= x->shape[d];
        else
            view->k *= x->shape[d];
    }
}

static int64_t place(const struct assay_tensor *t, uint32_t rank, int64_t number)
{
    int64_t at = 0;
    for (uint32_t d = rank; d-- > 0;) {
        at += number % t->shape[d] * t->stride[d];
        number /= t->shape[d];
    }
    return at;
}

/* Element `e` of a line: where it lies, and how many from it on lie `step` apart. */
static float *stretch(const struct normalize_view *view, const struct assay_tensor *t, int64_t line,
                      int64_t e, int64_t *count, int64_t *step)
{
    float *data = (float *)t->data + t->offset;
    const uint32_t last = view->single ? view->axis : t->rank - 1;
    const int64_t number = (line / view->inner * view->k + e) * view->inner + line % view->inner;
    *step = t->stride[last];
    *count = view->single ? view->k - e : t->shape[last] - e % t->shape[last];
    return data + place(t, t->rank, number);
}

void normalize_read(const struct normalize_view *view, const struct assay_tensor *t, int64_t line,
                    int64_t first, int64_t count, float *buffer)
{
    for (int64_t i = 0; i < count;) {
        int64_t run, step;
        const float *from = stretch(view, t, line, first + i, &run, &step);
        for (int64_t j = 0; j < run && i < count; ++j) buffer[i++] = from[j * step];
    }
}

void normalize_write(const struct normalize_view *view, const struct assay_tensor *t, int64_t line,
                     int64_t first, int64_t count, const float *buffer)
{
    for (int64_t i = 0; i < count;) {
        int64_t run, step;
        float *to = stretch(view, t, line, first + i, &run, &step);
        for (int64_t j = 0; j < run && i < count; ++j) {
            const uint32_t nan = 0x7fc00000u;
            if (isnan(buffer[i]))
                memcpy(&to[j * step], &nan, sizeof nan);
            else
                to[j * step] = buffer[i];
            ++i;
        }
    }
}

/* Calls BODY with x[0 .. count) holding the elements of the line from `first` on. */
#define EACH_BLOCK(...)                                                                                      \
    for (int64_t first = 0; first < view->k; first += LANES_BLOCK) {                                         \
        const int64_t count = view->k - first < LANES_BLOCK ? view->k - first : LANES_BLOCK;                 \
        normalize_read(view, in, line, first, count, x);                                                     \
        __VA_ARGS__                                                                                          \
    }

static float largest(const struct normalize_view *view, const struct assay_tensor *in, int64_t line, float *x)
{
    float m = -INFINITY;
    EACH_BLOCK(for (int64_t i = 0; i < count; ++i) if (isnan(x[i]) || x[i] > m) {
        if (isnan(x[i])) return NAN;
        m = x[i];
    })
    return m;
}

static void softmax_line(const struct normalize_view *view, bool logarithm, const struct assay_tensor *in,
                         const struct assay_tensor *out, int64_t line, struct lanes *lanes, float *x)
{
    const float m = largest(view, in, line, x);
    lanes_begin(lanes, LANES_SUM);
    EACH_BLOCK({
        for (int64_t i = 0; i < count; ++i) {
            const float d = x[i] - m;
            x[i] = lanes_exp(d);
        }
        lanes_feed(lanes, x, count);
    })
    const float s = lanes_end(lanes), l = logarithm ? lanes_log(s) : 0;
    EACH_BLOCK({
        for (int64_t i = 0; i < count; ++i) {
            const float d = x[i] - m;
            x[i] = logarithm ? d - l : lanes_exp(d) / s;
        }
        normalize_write(view, out, line, first, count, x);
    })
}

static void norm_line(const struct normalize_view *view, bool layer, float eps, const struct assay_tensor *in,
                      const struct assay_tensor *scale, const struct assay_tensor *bias,
                      const struct assay_tensor *out, int64_t line, struct lanes *lanes, float *x)
{
    /* the same elements in every row */
    const struct normalize_view once = {.outer = 1, .k = view->k, .inner = 1, .axis = 0, .single = false};
    const float n = (float)view->k;
    float m = 0, c = 0, factor[LANES_BLOCK];
    if (layer) {
        lanes_begin(lanes, LANES_SUM);
        EACH_BLOCK(lanes_feed(lanes, x, count);)
        m = lanes_end(lanes) / n;
        lanes_begin(lanes, LANES_SUM);
        EACH_BLOCK({
            for (int64_t i = 0; i < count; ++i) x[i] = x[i] - m;
            lanes_feed(lanes, x, count);
        })
        c = lanes_end(lanes) / n;
    }
#define CENTRE(i)                                                                                            \
    if (layer) {                                                                                             \
        const float d = x[i] - m;                                                                            \
        x[i] = d - c;                                                                                        \
    }
    lanes_begin(lanes, LANES_SQUARES);
    EACH_BLOCK({
        for (int64_t i = 0; i < count; ++i) {
            CENTRE(i)
        }
        lanes_feed(lanes, x, count);
    })
    const float v = lanes_end(lanes) / n, w = v + eps, s = sqrtf(w);
    EACH_BLOCK({
        normalize_read(&once, scale, 0, first, count, factor);
        for (int64_t i = 0; i < count; ++i) {
            CENTRE(i)
            const float q = x[i] / s;
            x[i] = q * factor[i];
        }
        if (bias) {
            normalize_read(&once, bias, 0, first, count, factor);
            for (int64_t i = 0; i < count; ++i) x[i] = x[i] + factor[i];
        }
        normalize_write(view, out, line, first, count, x);
    })
}

void normalize_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                        int64_t row0, int64_t row1)
{
    const enum normalize_kind kind = normalize_kind_of(c);
    struct normalize_view view;
    struct lanes lanes;
    float x[LANES_BLOCK];
    normalize_view_read(c, in, &view);
    for (int64_t line = row0 * view.inner; line < row1 * view.inner; ++line)
        if (view.single)
            softmax_line(&view, kind == NORMALIZE_LOG_SOFTMAX, in, out, line, &lanes, x);
        else
            norm_line(&view, kind == NORMALIZE_LAYER, normalize_epsilon(c), in, &in[1],
                      kind == NORMALIZE_LAYER && c->axis[NORMALIZE_BIAS] ? &in[2] : NULL, out, line, &lanes,
                      x);
}
