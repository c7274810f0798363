/* How fast the f32 matrix product is, beside cuBLAS f32 without TF32, and that its bits are the same on every device.
 *
 *   build/tests/bench_matmul [--shape MxNxK]... [--device D]... [--technique T]... [--rounds R] [--window-ms W]
 *                            [--fma FORM] [--cublas PATH|none] [--json FILE] [--allow-software] [--quick]
 *
 * Every kernel row of every device that takes a shape, and the engine's own choice, is timed by the device's clock over
 * launches back to back, in rounds that go through all candidates forwards and backwards (A B B A); medians are printed
 * as Markdown; --quick prints one table of ratios instead, for the kernels that could win and the products that matter, in
 * under a minute. Outputs are compared by digest with each other, and a seeded sample of rows with the CPU kernel.
 *
 * To carry it to a machine without this one's libraries, link it as `make dist` links the program:
 *   gcc -o bench_matmul build/obj/tests/bench_matmul.o build/obj/tests/cublas.o build/libassay.a
 *       -Wl,-Bstatic -ljansson -Wl,-Bdynamic -lpthread -ldl -lm
 *
 * Exit 2 when bits differ, 3 when nothing could be timed. Without a GPU it times the CPU on the small shapes. */
#include "kernels/kernel.h"
#include "tests/cublas.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define DEVICES_MAX    4
#define SHAPES_MAX     16
#define TECHNIQUES_MAX 16
#define CANDIDATES_MAX 64
#define ROUNDS_MAX     32
#define SAMPLE_ROWS    32

struct shape {
    int64_t m, n, k;
};

struct options {
    struct shape shape[SHAPES_MAX];
    const char *device[DEVICES_MAX], *technique[TECHNIQUES_MAX], *cublas, *json;
    enum assay_variant variant; /* forced on every GPU; AUTO = what each chooses */
    size_t shapes, devices, techniques;
    uint32_t rounds;
    double window_ns;
    bool allow_software, quick, small;
};

struct device {
    const char *name;
    char text[160];
    struct assay_engine *engine;
    struct assay_buffer *a, *b, *y;
};

/* One thing that is timed on a shape: a row of a device, a device's own choice (technique NULL), or cuBLAS. */
struct candidate {
    struct device *device; /* NULL = cuBLAS */
    const char *technique;
    struct assay_run_report report;
    uint64_t digest;
    int64_t wrong; /* of the sampled rows' elements, against the CPU; -1 = not compared */
    double rms;    /* against float64 on some rows */
    uint32_t repeat, samples;
    double ns[2 * ROUNDS_MAX];
    double median_ns;
    bool slow; /* one launch takes far longer than a window: two samples are enough */
};

/* A line of the table of --quick. */
struct line {
    struct device *device;
    const char *technique;
    double median_ns[SHAPES_MAX], spread[SHAPES_MAX];
};

struct bench {
    struct options options;
    struct line line[CANDIDATES_MAX];
    size_t lines;
    struct device device[DEVICES_MAX];
    size_t devices;
    struct assay_engine *cpu;
    struct cublas *cublas;
    char cublas_text[256];
    float *a, *b, *y;
    float *reference; /* SAMPLE_ROWS x n */
    int64_t row[SAMPLE_ROWS];
    size_t rows;
    FILE *json;
    bool differs, first_json;
    size_t timed;
};

static uint32_t canonical(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    return (u & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : u;
}

/* A sum of three uniforms: near normal, and the same on every machine. */
static void fill(float *data, int64_t count, uint64_t seed)
{
    uint64_t s = seed * 0x9e3779b97f4a7c15u + 1;
    for (int64_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (int j = 0; j < 3; j++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            sum += (int32_t)(s >> 42) - (1 << 21);
        }
        data[i] = (float)sum * 0x1p-21f;
    }
}

static struct assay_tensor matrix(int64_t rows, int64_t columns, struct assay_buffer *buffer)
{
    struct assay_tensor t = {0};
    assay_tensor_dense(&t, ASSAY_F32, 2, (int64_t[]){rows, columns});
    t.bytes = (uint64_t)(rows * columns) * 4;
    t.buffer = buffer;
    return t;
}

static struct assay_call product(int64_t m, int64_t n, int64_t k, struct assay_buffer *a,
                                 struct assay_buffer *b, struct assay_buffer *y)
{
    return (struct assay_call){.op = "MatMul",
                               .input = {matrix(m, k, a), matrix(k, n, b)},
                               .input_count = 2,
                               .output = {matrix(m, n, y)},
                               .output_count = 1};
}

static bool failed(const char *what, const struct assay_error *error)
{
    fprintf(stderr, "bench_matmul: %s: %s\n", what, error->text);
    return false;
}

/* ---- operands and references ---- */

static void drop_buffers(struct device *d)
{
    assay_free(d->engine, d->a);
    assay_free(d->engine, d->b);
    assay_free(d->engine, d->y);
    d->a = d->b = d->y = NULL;
}

static bool load(struct device *d, const struct shape *s, const float *a, const float *b,
                 struct assay_error *error)
{
    uint64_t bytes_a = (uint64_t)(s->m * s->k) * 4, bytes_b = (uint64_t)(s->k * s->n) * 4;
    drop_buffers(d);
    return assay_alloc(d->engine, bytes_a, &d->a, error) == ASSAY_OK &&
           assay_alloc(d->engine, bytes_b, &d->b, error) == ASSAY_OK &&
           assay_alloc(d->engine, (uint64_t)(s->m * s->n) * 4, &d->y, error) == ASSAY_OK &&
           assay_upload(d->engine, d->a, 0, a, bytes_a, error) == ASSAY_OK &&
           assay_upload(d->engine, d->b, 0, b, bytes_b, error) == ASSAY_OK;
}

/* The CPU kernel's answer on a sample of rows, first and last included. */
static bool make_reference(struct bench *bench, const struct shape *s)
{
    struct assay_error error = {0};
    struct assay_run_params params = {0};
    struct device cpu = {.engine = bench->cpu};
    bench->rows = s->m < SAMPLE_ROWS ? (size_t)s->m : SAMPLE_ROWS;
    float *some = malloc(bench->rows * (size_t)s->k * 4);
    if (!some) return false;
    for (size_t i = 0; i < bench->rows; i++) {
        int64_t row = (int64_t)i == 0        ? 0
                      : i + 1 == bench->rows ? s->m - 1
                                             : (int64_t)(i * 2654435761u) % s->m;
        bench->row[i] = s->m <= SAMPLE_ROWS ? (int64_t)i : row;
        memcpy(some + i * (size_t)s->k, bench->a + bench->row[i] * s->k, (size_t)s->k * 4);
    }
    struct shape sample = {(int64_t)bench->rows, s->n, s->k};
    bool ok = load(&cpu, &sample, some, bench->b, &error);
    if (ok) {
        struct assay_call call = product(sample.m, s->n, s->k, cpu.a, cpu.b, cpu.y);
        ok = assay_run(cpu.engine, &call, &params, NULL, &error) == ASSAY_OK &&
             assay_download(cpu.engine, cpu.y, 0, bench->reference, bench->rows * (size_t)s->n * 4, &error) ==
                 ASSAY_OK;
    }
    drop_buffers(&cpu);
    free(some);
    return ok || failed("reference", &error);
}

/* Digest, elements that differ from the CPU's, and the error against float64 on four of the rows. */
static void judge(struct bench *bench, const struct shape *s, struct candidate *c)
{
    double error = 0, norm = 0;
    for (int64_t i = 0; i < s->m * s->n; i++) {
        uint32_t word = canonical(bench->y[i]);
        memcpy(&bench->y[i], &word, 4);
    }
    c->digest = XXH3_64bits(bench->y, (size_t)(s->m * s->n) * 4);
    c->wrong = 0;
    for (size_t r = 0; r < bench->rows; r++)
        for (int64_t j = 0; j < s->n; j++)
            if (canonical(bench->y[bench->row[r] * s->n + j]) !=
                canonical(bench->reference[(int64_t)r * s->n + j]))
                c->wrong++;
    for (size_t r = 0; r < bench->rows && r < 4; r++)
        for (int64_t j = 0; j < s->n; j += 1 + s->n / 100) {
            double sum = 0;
            for (int64_t k = 0; k < s->k; k++)
                sum += (double)bench->a[bench->row[r] * s->k + k] * (double)bench->b[k * s->n + j];
            double e = (double)bench->y[bench->row[r] * s->n + j] - sum;
            error += e * e;
            norm += sum * sum;
        }
    c->rms = norm > 0 ? sqrt(error / norm) : 0;
}

/* ---- timing ---- */

/* Nanoseconds of `repeat` products back to back; 0 on failure. */
static double time_candidate(struct bench *bench, const struct shape *s, struct candidate *c, uint32_t repeat,
                             struct assay_error *error)
{
    if (!c->device) return cublas_time(bench->cublas, repeat);
    struct assay_call call = product(s->m, s->n, s->k, c->device->a, c->device->b, c->device->y);
    struct assay_run_params params = {.technique = c->technique, .repeat = repeat};
    if (assay_run(c->device->engine, &call, &params, &c->report, error) != ASSAY_OK) return 0;
    return (double)c->report.device_ns;
}

static bool prepare(struct bench *bench, const struct shape *s, struct candidate *c)
{
    struct assay_error error = {0};
    double ns = time_candidate(bench, s, c, 1, &error);
    c->wrong = -1;
    if (error.status != ASSAY_OK) return failed(c->technique ? c->technique : "own choice", &error);
    bool got = c->device ? assay_download(c->device->engine, c->device->y, 0, bench->y,
                                          (uint64_t)(s->m * s->n) * 4, &error) == ASSAY_OK
                         : cublas_result(bench->cublas, bench->y);
    if (!got) return failed("output", &error);
    judge(bench, s, c);
    ns = time_candidate(bench, s, c, 2, &error) / 2;
    if (!(ns > 0)) return failed(c->device ? c->device->name : "cuBLAS", &error);
    double repeat = bench->options.window_ns / ns;
    c->slow = repeat < 0.25;
    c->repeat = c->slow ? 1 : repeat < 2 ? 2 : repeat > 2000 ? 2000 : (uint32_t)repeat;
    return true;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_sample(struct bench *bench, const struct shape *s, struct candidate *c)
{
    struct assay_error error = {0};
    if (c->slow && c->samples >= 2) return;
    double ns = time_candidate(bench, s, c, c->repeat, &error);
    if (ns > 0 && c->samples < 2 * ROUNDS_MAX)
        c->ns[c->samples++] = ns / c->repeat;
    else if (!(ns > 0))
        failed("timing", &error);
}

/* ---- one shape ---- */

static bool is_slow(const char *technique)
{
    static const char *const slow[] = {"simple", "tile16", "plain", "tile32"};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        if (strcmp(technique, slow[i]) == 0) return true;
    return false;
}

static size_t collect(struct bench *bench, const struct shape *s, struct candidate *list)
{
    size_t count = 0;
    const struct options *o = &bench->options;
    if (bench->cublas) list[count++] = (struct candidate){0};
    for (size_t d = 0; d < bench->devices; d++) {
        struct device *device = &bench->device[d];
        struct assay_call call = product(s->m, s->n, s->k, device->a, device->b, device->y);
        struct assay_error error = {0};
        if (assay_supports(device->engine, &call, NULL, &error) == ASSAY_OK)
            list[count++] = (struct candidate){.device = device};
        else
            printf("%s takes no %" PRId64 "x%" PRId64 "x%" PRId64 ": %s\n", device->name, s->m, s->n, s->k,
                   error.text);
        for (size_t f = 0; f < assay_kernel_family_count; f++)
            for (size_t i = 0; i < assay_kernel_families[f]->count && count < CANDIDATES_MAX; i++) {
                const struct assay_kernel *kernel = &assay_kernel_families[f]->rows[i];
                bool wanted = !o->techniques;
                for (size_t t = 0; t < o->techniques; t++)
                    wanted |= strcmp(o->technique[t], kernel->technique) == 0;
                if (!wanted || strcmp(kernel->op, "MatMul") != 0 || kernel->mode != ASSAY_EXACT ||
                    strncmp(device->name, kernel->backend, strlen(kernel->backend)) != 0)
                    continue;
                /* One thread an element is for odd shapes, not for a race against tiles. */
                if (!o->techniques && o->quick && is_slow(kernel->technique)) continue;
                if (!o->techniques && strcmp(kernel->technique, "simple") == 0 && s->m > 1) continue;
                struct assay_run_params params = {.technique = kernel->technique};
                if (assay_supports(device->engine, &call, &params, &error) == ASSAY_OK)
                    list[count++] = (struct candidate){.device = device, .technique = kernel->technique};
            }
    }
    return count;
}

static void print_row(struct bench *bench, const struct shape *s, const struct candidate *c,
                      const struct candidate *blas, uint64_t digest)
{
    double flops = 2.0 * (double)s->m * (double)s->n * (double)s->k;
    char ratio[16] = "-", digest_text[40] = "-", sample[32] = "-", name[96];
    if (blas && blas->median_ns > 0) snprintf(ratio, sizeof ratio, "%.3f", blas->median_ns / c->median_ns);
    if (c->device) {
        snprintf(digest_text, sizeof digest_text, "%016" PRIx64 "%s", c->digest,
                 c->digest == digest ? "" : " DIFFERS");
        snprintf(sample, sizeof sample, "%" PRId64 " of %" PRId64, c->wrong, (int64_t)bench->rows * s->n);
        snprintf(name, sizeof name, "%s%s (%s)", c->technique ? "" : "own choice: ", c->report.kernel,
                 c->report.variant);
    } else {
        snprintf(name, sizeof name, "cuBLAS f32, pedantic");
    }
    printf("| %s | %s | %.1f | %.2f | %s | %.1f | %.2e | %s | %s |\n", c->device ? c->device->name : "cuda",
           name, c->median_ns / 1e3, flops / c->median_ns / 1e3, ratio,
           c->samples ? 100 * (c->ns[c->samples - 1] - c->ns[0]) / c->median_ns : 0, c->rms, sample,
           digest_text);
    if (!bench->json) return;
    fprintf(
        bench->json,
        "%s\n {\"m\": %" PRId64 ", \"n\": %" PRId64 ", \"k\": %" PRId64
        ", \"device\": \"%s\", \"kernel\": \"%s\", "
        "\"own_choice\": %s, \"variant\": \"%s\", \"median_ns\": %.1f, \"min_ns\": %.1f, \"max_ns\": %.1f, "
        "\"samples\": %u, \"repeat\": %u, \"gflops\": %.1f, \"cublas_ratio\": %.4f, \"rms\": %.3e, "
        "\"wrong\": %" PRId64 ", \"digest\": \"%016" PRIx64 "\"}",
        bench->first_json ? "" : ",", s->m, s->n, s->k, c->device ? c->device->name : "cublas",
        c->device ? c->report.kernel : "cublas.sgemm.pedantic", c->device && !c->technique ? "true" : "false",
        c->device ? c->report.variant : "", c->median_ns, c->samples ? c->ns[0] : 0,
        c->samples ? c->ns[c->samples - 1] : 0, c->samples, c->repeat, flops / c->median_ns,
        blas && blas->median_ns > 0 ? blas->median_ns / c->median_ns : 0.0, c->rms, c->wrong, c->digest);
    bench->first_json = false;
}

static void keep_line(struct bench *bench, size_t shape, const struct candidate *c)
{
    size_t i = 0;
    while (i < bench->lines &&
           (bench->line[i].device != c->device || bench->line[i].technique != c->technique))
        i++;
    if (i == CANDIDATES_MAX) return;
    if (i == bench->lines)
        bench->line[bench->lines++] = (struct line){.device = c->device, .technique = c->technique};
    bench->line[i].median_ns[shape] = c->median_ns;
    bench->line[i].spread[shape] = c->samples ? (c->ns[c->samples - 1] - c->ns[0]) / c->median_ns : 0;
}

/* Times of cuBLAS, and ratios to it; times where there is no cuBLAS. */
static void print_lines(const struct bench *bench, const struct shape *shapes, size_t count)
{
    printf("\n| kernel |");
    for (size_t s = 0; s < count; s++)
        printf(" %" PRId64 " x %" PRId64 " x %" PRId64 " |", shapes[s].m, shapes[s].n, shapes[s].k);
    printf("\n| --- |");
    for (size_t s = 0; s < count; s++) printf(" --- |");
    for (size_t i = 0; i < bench->lines; i++) {
        const struct line *line = &bench->line[i], *blas = &bench->line[0];
        if (line->device)
            printf("\n| %s %s |", line->device->name, line->technique ? line->technique : "own choice");
        else
            printf("\n| cuBLAS |");
        for (size_t s = 0; s < count; s++) {
            double ns = line->median_ns[s];
            double flops = 2.0 * (double)shapes[s].m * (double)shapes[s].n * (double)shapes[s].k;
            if (!(ns > 0))
                printf(" - |");
            else if (line->device && !blas->device && blas->median_ns[s] > 0)
                printf(" %.3f (%.1f us, %.1f) |", blas->median_ns[s] / ns, ns / 1e3, flops / ns / 1e3);
            else
                printf(" %.1f us, %.1f TFLOP/s, spread %.1f %% |", ns / 1e3, flops / ns / 1e3,
                       100 * line->spread[s]);
        }
    }
    printf("\n");
}

static bool run_shape(struct bench *bench, const struct shape *s, size_t number)
{
    struct candidate list[CANDIDATES_MAX];
    struct assay_error error = {0};
    char why[256] = "";
    size_t count, kept = 0;
    bool ok = false;
    bench->a = malloc((size_t)(s->m * s->k) * 4);
    bench->b = malloc((size_t)(s->k * s->n) * 4);
    bench->y = malloc((size_t)(s->m * s->n) * 4);
    bench->reference = malloc(SAMPLE_ROWS * (size_t)s->n * 4);
    if (!bench->a || !bench->b || !bench->y || !bench->reference) {
        fprintf(stderr, "bench_matmul: no host memory for this shape\n");
        goto out;
    }
    fill(bench->a, s->m * s->k, 1);
    fill(bench->b, s->k * s->n, 2);
    if (!make_reference(bench, s)) goto out;
    for (size_t d = 0; d < bench->devices; d++)
        if (!load(&bench->device[d], s, bench->a, bench->b, &error)) {
            failed(bench->device[d].name, &error);
            goto out;
        }
    if (bench->cublas && !cublas_load(bench->cublas, s->m, s->n, s->k, bench->a, bench->b, why)) {
        fprintf(stderr, "bench_matmul: %s\n", why);
        goto out;
    }
    count = collect(bench, s, list);
    for (size_t i = 0; i < count; i++)
        if (prepare(bench, s, &list[i])) list[kept++] = list[i];
    count = kept;
    for (uint32_t round = 0; round < bench->options.rounds; round++) {
        for (size_t i = 0; i < count; i++) add_sample(bench, s, &list[i]);
        for (size_t i = count; i-- > 0;) add_sample(bench, s, &list[i]);
    }
    const struct candidate *blas = count && !list[0].device ? &list[0] : NULL;
    uint64_t digest = 0;
    for (size_t i = 0; i < count; i++) {
        struct candidate *c = &list[i];
        qsort(c->ns, c->samples, sizeof *c->ns, by_value);
        c->median_ns = c->samples ? c->ns[c->samples / 2] : INFINITY;
        if (!c->device) continue;
        if (!digest) digest = c->digest;
        bench->differs |= c->digest != digest || c->wrong != 0;
        bench->timed++;
    }
    ok = true;
    if (bench->options.quick) {
        for (size_t i = 0; i < count; i++) {
            keep_line(bench, number, &list[i]);
            if (list[i].device && (list[i].digest != digest || list[i].wrong != 0))
                printf("BITS DIFFER: %s\n", list[i].report.kernel);
        }
        goto out;
    }
    printf("\n### %" PRId64 " x %" PRId64 " x %" PRId64 " (M x N x K)\n\n", s->m, s->n, s->k);
    printf("| device | kernel | median us | TFLOP/s | of cuBLAS | spread %% | rms error | wrong of sample | "
           "digest |\n"
           "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < count; i++) print_row(bench, s, &list[i], blas, digest);
    fflush(stdout);
out:
    for (size_t d = 0; d < bench->devices; d++) drop_buffers(&bench->device[d]);
    free(bench->a);
    free(bench->b);
    free(bench->y);
    free(bench->reference);
    return ok;
}

/* ---- set-up ---- */

static bool parse(int argc, char **argv, struct options *o)
{
    *o = (struct options){0};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        struct shape s;
        if (strcmp(word, "--allow-software") == 0) {
            o->allow_software = true;
            continue;
        }
        if (strcmp(word, "--quick") == 0) {
            o->quick = true;
            continue;
        }
        if (!value) return false;
        i++;
        if (strcmp(word, "--shape") == 0 && o->shapes < SHAPES_MAX &&
            sscanf(value, "%" SCNd64 "x%" SCNd64 "x%" SCNd64, &s.m, &s.n, &s.k) == 3 && s.m > 0 && s.n > 0 &&
            s.k > 0)
            o->shape[o->shapes++] = s;
        else if (strcmp(word, "--device") == 0 && o->devices < DEVICES_MAX)
            o->device[o->devices++] = value;
        else if (strcmp(word, "--technique") == 0 && o->techniques < TECHNIQUES_MAX)
            o->technique[o->techniques++] = value;
        else if (strcmp(word, "--rounds") == 0 && atoi(value) > 0 && atoi(value) <= ROUNDS_MAX)
            o->rounds = (uint32_t)atoi(value);
        else if (strcmp(word, "--window-ms") == 0 && atof(value) > 0)
            o->window_ns = atof(value) * 1e6;
        else if (strcmp(word, "--fma") == 0) {
            o->variant = assay_variant_parse(value);
            if (o->variant == ASSAY_VARIANT_COUNT) return false;
        } else if (strcmp(word, "--cublas") == 0)
            o->cublas = value;
        else if (strcmp(word, "--json") == 0)
            o->json = value;
        else
            return false;
    }
    if (!o->rounds) o->rounds = o->quick ? 3 : 5;
    if (!(o->window_ns > 0)) o->window_ns = o->quick ? 15e6 : 30e6;
    return true;
}

static bool open_device(struct bench *bench, const char *name)
{
    struct assay_error error = {0};
    struct device *d = &bench->device[bench->devices];
    struct assay_open_params params = {
        .device = name, .allow_software = bench->options.allow_software, .variant = bench->options.variant};
    *d = (struct device){.name = name};
    if (assay_open(&params, &d->engine, &error) != ASSAY_OK) {
        printf("- %s: not timed: %s\n", name, error.text);
        return false;
    }
    bench->devices++;
    printf("- %s: timed\n", name);
    return true;
}

int main(int argc, char **argv)
{
    static const struct shape standard[] = {{4096, 4096, 4096}, {8192, 8192, 8192}, {1500, 3072, 768},
                                            {6000, 768, 768},   {128, 3072, 768},   {1, 4096, 4096}};
    struct bench bench = {.first_json = true};
    struct assay_error error = {0};
    struct options *o = &bench.options;
    char version[32];
    int rc = 1;
    if (!parse(argc, argv, o)) {
        fprintf(
            stderr,
            "usage: %s [--shape MxNxK]... [--device D]... [--technique T]... [--rounds R] [--window-ms W]\n"
            "       [--fma FORM] [--cublas PATH|none] [--json FILE] [--allow-software] [--quick]\n",
            argv[0]);
        return 1;
    }
    struct assay_open_params cpu = {.device = "cpu"};
    if (assay_open(&cpu, &bench.cpu, &error) != ASSAY_OK) {
        failed("cpu", &error);
        return 1;
    }
    printf("## f32 matrix product\n\n");
    if (o->devices) {
        for (size_t i = 0; i < o->devices; i++) open_device(&bench, o->device[i]);
    } else {
        bool gpu = open_device(&bench, "cuda:0");
        gpu |= open_device(&bench, "vulkan:0");
        if (!gpu) {
            open_device(&bench, "cpu:0");
            o->small = true;
        }
    }
    if (o->cublas && strcmp(o->cublas, "none") == 0)
        printf("- cuBLAS: left out\n");
    else if ((bench.cublas = cublas_open(o->cublas, version, bench.cublas_text)))
        printf("- cuBLAS %s, f32, CUBLAS_PEDANTIC_MATH (no TF32)\n", version);
    else
        printf("- cuBLAS: left out: %s\n", bench.cublas_text);
    printf("- %u rounds forwards and backwards, windows of %.0f ms, launches back to back, medians\n",
           o->rounds, o->window_ns / 1e6);
    if (o->json && !(bench.json = fopen(o->json, "w"))) {
        perror(o->json);
        goto out;
    }
    if (bench.json) fprintf(bench.json, "[");
    const struct shape *shapes = o->shapes ? o->shape : standard;
    size_t count = o->shapes ? o->shapes : sizeof standard / sizeof *standard - o->quick;
    bool ok = true;
    for (size_t i = 0; i < count; i++)
        if (!o->small || o->shapes || (double)shapes[i].m * (double)shapes[i].n * (double)shapes[i].k < 1e9)
            ok &= run_shape(&bench, &shapes[i], i);
    if (o->quick && bench.timed) print_lines(&bench, shapes, count);
    if (bench.json) fprintf(bench.json, "\n]\n");
    printf("\n%s\n", bench.differs ? "BITS DIFFER" : bench.timed ? "all bits equal" : "nothing was timed");
    rc = bench.differs ? 2 : !ok ? 1 : bench.timed ? 0 : 3;
out:
    if (bench.json) fclose(bench.json);
    cublas_close(bench.cublas);
    for (size_t d = 0; d < bench.devices; d++) assay_close(bench.device[d].engine);
    assay_close(bench.cpu);
    return rc;
}
