/* ggml's Q1_0 matrix-vector product beside ours on this processor: the same bytes, the same number of threads, turn by turn.
 * scripts/bench-ggml builds ggml and this program; no other build knows of it.
 *
 *   ggml_beside [--shape MxK]... [--threads N]... [--rounds R] [--technique T]
 *
 * Two measurements. `product` is what an inference program asks for: f32 activations in, f32 out. ggml: MUL_MAT in a graph,
 * with ggml's own pool of threads, which is awake before its time starts; ours: Q8_0Quantize and Q1_0MatMul through
 * assay.h. `rows` is the kernel alone, one thread: ggml's vec_dot called row by row, ours Q1_0MatMul, both from q8_0 bytes.
 *
 * A round is ggml, ours, ours, ggml. Outputs are compared bit by bit in every shape. The ratio is ggml's time by ours: 1.0
 * or more means that ours is as fast. Exit 2 when bits differ, 1 on errors. */
#include "devices/device.h"
#include "kernels/assay.h"

#include <ggml-cpu.h>
#include <ggml.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIST_MAX = 16, ROUNDS_MAX = 2000, Q1_BYTES = 18, Q8_BYTES = 34 };

struct options {
    int64_t m[LIST_MAX], k[LIST_MAX];
    int threads[LIST_MAX];
    size_t shapes, thread_counts;
    int rounds;
    const char *technique;
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "ggml_beside: %s: %s\n", what, why);
    exit(1);
}

static void must(enum assay_status status, const struct assay_error *error)
{
    if (status != ASSAY_OK) die("assay", error->text);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- data ---- */

static uint64_t mix(uint64_t x)
{
    x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

struct data {
    int64_t m, k;
    size_t w_bytes, q_bytes;
    uint8_t *w, *q; /* q: the activations as ggml quantizes them */
    float *x, *theirs, *ours;
};

static void make_data(struct data *d, int64_t m, int64_t k)
{
    *d = (struct data){.m = m, .k = k};
    d->w_bytes = (size_t)(m * (k / 128)) * Q1_BYTES;
    d->q_bytes = (size_t)(k / 32) * Q8_BYTES;
    d->w = malloc(d->w_bytes);
    d->q = malloc(d->q_bytes);
    d->x = malloc((size_t)k * sizeof *d->x);
    d->theirs = malloc((size_t)m * sizeof *d->theirs);
    d->ours = malloc((size_t)m * sizeof *d->ours);
    if (!d->w || !d->q || !d->x || !d->theirs || !d->ours) die("data", "no memory");
    for (size_t b = 0; b < d->w_bytes / Q1_BYTES; b++) {
        uint8_t *block = d->w + b * Q1_BYTES;
        uint64_t signs[2] = {mix(3 * b), mix(3 * b + 1)}, r = mix(3 * b + 2);
        unsigned scale = 0x1c00 + (unsigned)(r >> 8) % 0x1000; /* f16 from 2^-8 to 2^-4 */
        block[0] = (uint8_t)scale;
        block[1] = (uint8_t)(scale >> 8);
        memcpy(block + 2, signs, sizeof signs);
    }
    for (int64_t i = 0; i < k; i++)
        d->x[i] = (float)(int64_t)(mix((uint64_t)i + 7777777) >> 40) * 0x1p-23f - 1.0f;
    ggml_get_type_traits_cpu(GGML_TYPE_Q8_0)->from_float(d->x, d->q, k);
}

static void free_data(struct data *d)
{
    free(d->w);
    free(d->q);
    free(d->x);
    free(d->theirs);
    free(d->ours);
}

/* ---- ggml ---- */

struct theirs {
    struct ggml_context *context;
    struct ggml_tensor *w, *x, *y;
    struct ggml_cgraph *graph;
    struct ggml_threadpool *pool;
    struct ggml_cplan plan;
};

static void theirs_open(struct theirs *t, const struct data *d, int threads)
{
    const struct ggml_init_params params = {.mem_size = d->w_bytes + (size_t)(d->k + d->m) * 4 +
                                                        ggml_graph_overhead() + (1u << 20)};
    t->context = ggml_init(params);
    if (!t->context) die("ggml", "no context");
    t->w = ggml_new_tensor_2d(t->context, GGML_TYPE_Q1_0, d->k, d->m);
    t->x = ggml_new_tensor_1d(t->context, GGML_TYPE_F32, d->k);
    t->y = ggml_mul_mat(t->context, t->w, t->x);
    if (ggml_nbytes(t->w) != d->w_bytes) die("ggml", "its Q1_0 blocks have another size");
    memcpy(t->w->data, d->w, d->w_bytes);
    memcpy(t->x->data, d->x, (size_t)d->k * sizeof *d->x);
    t->graph = ggml_new_graph(t->context);
    ggml_build_forward_expand(t->graph, t->y);
    struct ggml_threadpool_params pool = ggml_threadpool_params_default(threads);
    t->pool = ggml_threadpool_new(&pool);
    if (!t->pool) die("ggml", "no threads");
    t->plan = ggml_graph_plan(t->graph, threads, t->pool);
    t->plan.work_data = malloc(t->plan.work_size + 1);
    if (!t->plan.work_data) die("ggml", "no memory");
    ggml_threadpool_pause(t->pool);
}

static double theirs_run(struct theirs *t)
{
    ggml_threadpool_resume(t->pool); /* its threads wait busily from here on */
    double start = now_us();
    while (now_us() < start + 100) continue;
    start = now_us();
    if (ggml_graph_compute(t->graph, &t->plan) != GGML_STATUS_SUCCESS) die("ggml", "the graph failed");
    double took = now_us() - start;
    ggml_threadpool_pause(t->pool); /* so that they take nothing from ours */
    return took;
}

static void theirs_close(struct theirs *t)
{
    ggml_threadpool_free(t->pool);
    free(t->plan.work_data);
    ggml_free(t->context);
}

static double theirs_rows(const struct data *d)
{
    const ggml_vec_dot_t dot = ggml_get_type_traits_cpu(GGML_TYPE_Q1_0)->vec_dot;
    const size_t row = d->w_bytes / (size_t)d->m;
    const double start = now_us();
    for (int64_t i = 0; i < d->m; i++)
        dot((int)d->k, d->theirs + i, 0, d->w + (size_t)i * row, 0, d->q, 0, 1);
    return now_us() - start;
}

/* ---- ours ---- */

struct ours {
    struct assay_engine *engine;
    struct assay_call quantize, product;
    struct assay_run_params params;
    struct assay_run_report report;
};

static void place(struct ours *o, struct assay_tensor *tensor, enum assay_dtype dtype, int64_t rows,
                  int64_t columns, const void *data)
{
    struct assay_error error = {0};
    assay_tensor_dense(tensor, dtype, 2, (int64_t[]){rows, columns});
    tensor->bytes = (uint64_t)(rows * columns) * assay_dtype_bytes(dtype);
    must(assay_alloc(o->engine, tensor->bytes, &tensor->buffer, &error), &error);
    if (data) must(assay_upload(o->engine, tensor->buffer, 0, data, tensor->bytes, &error), &error);
}

static void ours_open(struct ours *o, const struct data *d, int threads, const char *technique)
{
    struct assay_error error = {0};
    const struct assay_driver_params driver = {.cpu_threads = (uint32_t)threads};
    const struct assay_open_params open = {.device = "cpu", .driver = &driver};
    *o = (struct ours){.params = {.technique = technique}};
    must(assay_open(&open, &o->engine, &error), &error);
    o->quantize = (struct assay_call){.op = "Q8_0Quantize", .input_count = 1, .output_count = 1};
    o->product = (struct assay_call){.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    place(o, &o->quantize.input[0], ASSAY_F32, 1, d->k, d->x);
    place(o, &o->quantize.output[0], ASSAY_U8, 1, (int64_t)d->q_bytes, NULL);
    place(o, &o->product.input[0], ASSAY_U8, d->m, (int64_t)d->w_bytes / d->m, d->w);
    o->product.input[1] = o->quantize.output[0];
    place(o, &o->product.output[0], ASSAY_F32, 1, d->m, NULL);
}

static double ours_run(struct ours *o, bool quantize)
{
    struct assay_error error = {0};
    const double start = now_us();
    if (quantize) must(assay_run(o->engine, &o->quantize, NULL, NULL, &error), &error);
    must(assay_run(o->engine, &o->product, &o->params, &o->report, &error), &error);
    return now_us() - start;
}

/* ---- turns ---- */

struct times {
    double theirs[2 * ROUNDS_MAX], ours[2 * ROUNDS_MAX];
    size_t count;
};

static void print_line(const struct data *d, const char *what, int threads, const struct ours *o,
                       struct times *t, bool equal)
{
    qsort(t->theirs, t->count, sizeof *t->theirs, by_value);
    qsort(t->ours, t->count, sizeof *t->ours, by_value);
    const double a = t->theirs[t->count / 2], b = t->ours[t->count / 2];
    printf("| %" PRId64 "x%" PRId64 " | %s | %d | %s | %.0f | %.0f | %.2f | %.0f | %.0f | %.2f | %s |\n",
           d->m, d->k, what, threads, o->report.kernel, a, b, a / b, t->theirs[0], t->ours[0],
           t->theirs[0] / t->ours[0], equal ? "equal" : "DIFFER");
    fflush(stdout);
}

static bool same_bits(struct ours *o, const struct data *d, const float *theirs)
{
    struct assay_error error = {0};
    const struct assay_tensor *y = &o->product.output[0];
    must(assay_download(o->engine, y->buffer, 0, d->ours, y->bytes, &error), &error);
    return memcmp(d->ours, theirs, y->bytes) == 0;
}

static bool measure_product(const struct options *options, const struct data *d, int threads,
                            struct times *times)
{
    struct theirs t;
    struct ours o;
    theirs_open(&t, d, threads);
    ours_open(&o, d, threads, options->technique);
    theirs_run(&t);
    ours_run(&o, true);
    bool equal = same_bits(&o, d, t.y->data);
    times->count = 0;
    for (int r = 0; r < options->rounds; r++) {
        times->theirs[times->count] = theirs_run(&t);
        times->ours[times->count++] = ours_run(&o, true);
        times->ours[times->count] = ours_run(&o, true);
        times->theirs[times->count++] = theirs_run(&t);
    }
    equal = equal && same_bits(&o, d, t.y->data);
    print_line(d, "product", threads, &o, times, equal);
    assay_close(o.engine);
    theirs_close(&t);
    return equal;
}

static bool measure_rows(const struct options *options, const struct data *d, struct times *times)
{
    struct ours o;
    struct assay_error error = {0};
    ours_open(&o, d, 1, options->technique);
    const struct assay_tensor *q = &o.product.input[1];
    must(assay_upload(o.engine, q->buffer, 0, d->q, d->q_bytes, &error), &error);
    theirs_rows(d);
    ours_run(&o, false);
    times->count = 0;
    for (int r = 0; r < options->rounds; r++) {
        times->theirs[times->count] = theirs_rows(d);
        times->ours[times->count++] = ours_run(&o, false);
        times->ours[times->count] = ours_run(&o, false);
        times->theirs[times->count++] = theirs_rows(d);
    }
    bool equal = same_bits(&o, d, d->theirs);
    print_line(d, "rows", 1, &o, times, equal);
    assay_close(o.engine);
    return equal;
}

/* ---- options ---- */

static void read_options(int argc, char **argv, struct options *o)
{
    *o = (struct options){.rounds = 100};
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        char end;
        if (!value) die(name, "has no value");
        if (strcmp(name, "--shape") == 0 && o->shapes < LIST_MAX) {
            int64_t m, k;
            if (sscanf(value, "%" SCNd64 "x%" SCNd64 "%c", &m, &k, &end) != 2 || m < 1 || k < 128 || k % 128)
                die(value, "is no shape MxK with K a multiple of 128");
            o->m[o->shapes] = m;
            o->k[o->shapes++] = k;
        } else if (strcmp(name, "--threads") == 0 && o->thread_counts < LIST_MAX) {
            int n;
            if (sscanf(value, "%d%c", &n, &end) != 1 || n < 1 || n > 256)
                die(value, "is no number of threads");
            o->threads[o->thread_counts++] = n;
        } else if (strcmp(name, "--rounds") == 0) {
            if (sscanf(value, "%d%c", &o->rounds, &end) != 1 || o->rounds < 1 || o->rounds > ROUNDS_MAX)
                die(value, "is no number of rounds");
        } else if (strcmp(name, "--technique") == 0) {
            o->technique = value;
        } else {
            die(name, "is unknown, or there are too many");
        }
    }
    if (!o->shapes) {
        static const int64_t usual[][2] = {{4096, 14336}, {4096, 4096}, {14336, 4096}};
        for (; o->shapes < sizeof usual / sizeof *usual; o->shapes++) {
            o->m[o->shapes] = usual[o->shapes][0];
            o->k[o->shapes] = usual[o->shapes][1];
        }
    }
    if (!o->thread_counts) {
        o->threads[0] = 1;
        o->threads[1] = 2;
        o->thread_counts = 2;
    }
}

int main(int argc, char **argv)
{
    static struct times times;
    struct options options;
    bool equal = true;
    read_options(argc, argv, &options);
    ggml_cpu_init();
    printf("| shape | what | threads | our kernel | ggml us | ours us | ratio | ggml min | ours min | ratio "
           "of min | bits "
           "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t s = 0; s < options.shapes; s++) {
        struct data data;
        make_data(&data, options.m[s], options.k[s]);
        if (!measure_rows(&options, &data, &times)) equal = false;
        for (size_t t = 0; t < options.thread_counts; t++)
            if (!measure_product(&options, &data, options.threads[t], &times)) equal = false;
        free_data(&data);
    }
    return equal ? 0 : 2;
}
