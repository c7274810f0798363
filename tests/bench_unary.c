/* Speed of the elementwise functions: bytes in and out a second on 2^30 normal elements, as a fraction of the device's own
 * copy measured in the same run. The output is held to that of the CPU rows, all of it.
 *
 * usage: bench_unary [DEVICE...]      default cuda:0 vulkan:0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "devices/device.h"
#include "kernels/assay.h"

#define PIECE  (UINT64_C(1) << 24) /* elements; the tensor repeats them */
#define PIECES 64u
#define REPEAT 8u

static const struct {
    const char *name, *op;
    bool absolute; /* a function of positive numbers */
} functions[] = {
    {"relu", "Relu", false},         {"exp", "Exp", false},        {"exp2", "Exp2", false},
    {"expm1", "Expm1", false},       {"log", "Log", true},         {"log2", "Log2", true},
    {"log1p", "Log1p", true},        {"tanh", "Tanh", false},      {"erf", "Erf", false},
    {"sigmoid", "Sigmoid", false},   {"silu", "Silu", false},      {"softplus", "Softplus", false},
    {"gelu", "Gelu", false},         {"gelu_tanh", "Gelu", false}, {"sqrt", "Sqrt", true},
    {"rsqrt", "Rsqrt", true},        {"rcp", "Reciprocal", false}, {"hard_swish", "HardSwish", false},
    {"softsign", "Softsign", false},
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

static struct assay_error error;

static void check(enum assay_status status)
{
    if (status == ASSAY_OK) return;
    fprintf(stderr, "bench_unary: %s\n", error.text);
    exit(1);
}

/* Box and Muller, from a counter. */
static void make_normal(float *x, bool absolute)
{
    for (uint64_t i = 0; i < PIECE; i++) {
        uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        const double u = ((double)(z >> 32) + 1) * 0x1p-32, v = (double)(uint32_t)z * 0x1p-32;
        const float value = (float)(sqrt(-2 * log(u)) * cos(2 * M_PI * v));
        x[i] = absolute ? fabsf(value) : value;
    }
}

static struct assay_call call_of(size_t f, uint64_t elems, struct assay_buffer *x, struct assay_buffer *y)
{
    static const struct assay_attr tanh_form = {
        .name = "approximate", .kind = ASSAY_ATTR_STRING, .s = "tanh"};
    struct assay_call call = {.op = functions[f].op, .input_count = 1, .output_count = 1};
    if (strcmp(functions[f].name, "gelu_tanh") == 0) {
        call.attrs = &tanh_form;
        call.attr_count = 1;
    }
    assay_tensor_dense(&call.input[0], ASSAY_F32, 1, (int64_t[]){(int64_t)elems});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 1, (int64_t[]){(int64_t)elems});
    call.input[0].bytes = call.output[0].bytes = 4 * elems;
    call.input[0].buffer = x;
    call.output[0].buffer = y;
    return call;
}

/* Digests of the first piece by the CPU. */
static void digests_of_cpu(const float *const data[2], float *got, uint64_t digest[FUNCTIONS])
{
    struct assay_engine *cpu = NULL;
    struct assay_buffer *x = NULL, *y = NULL;
    check(assay_open(&(struct assay_open_params){.device = "cpu"}, &cpu, &error));
    check(assay_alloc(cpu, 4 * PIECE, &x, &error));
    check(assay_alloc(cpu, 4 * PIECE, &y, &error));
    for (size_t f = 0; f < FUNCTIONS; f++) {
        struct assay_call call = call_of(f, PIECE, x, y);
        check(assay_upload(cpu, x, 0, data[functions[f].absolute], 4 * PIECE, &error));
        check(assay_run(cpu, &call, NULL, NULL, &error));
        check(assay_download(cpu, y, 0, got, 4 * PIECE, &error));
        digest[f] = XXH3_64bits(got, 4 * PIECE);
    }
    assay_close(cpu);
}

static void bench(const char *name, const float *const data[2], float *got, const uint64_t *digest)
{
    struct assay_engine *engine = NULL;
    struct assay_buffer *x = NULL, *y = NULL;
    struct assay_ceiling ceiling[ASSAY_CEILINGS_MAX];
    size_t count = 0;
    double copy = 0;
    check(assay_open(&(struct assay_open_params){.device = name}, &engine, &error));
    const uint64_t most = assay_engine_device(engine)->limits.binding_bytes;
    uint64_t pieces = PIECES;
    while (most && pieces * 4 * PIECE > most) pieces--;
    const uint64_t elems = pieces * PIECE;
    check(assay_measure(engine, ceiling, &count, &error));
    for (size_t i = 0; i < count; i++)
        if (strcmp(ceiling[i].name, "copy") == 0) copy = ceiling[i].value;
    check(assay_alloc(engine, 4 * elems, &x, &error));
    check(assay_alloc(engine, 4 * elems, &y, &error));
    printf("%s %s: copy %.0f GB/s, %" PRIu64 " elements\n", name, assay_engine_device(engine)->name,
           copy * 1e-9, elems);
    for (int absolute = 0; absolute < 2; absolute++) {
        for (uint64_t p = 0; p < pieces; p++)
            check(assay_upload(engine, x, p * 4 * PIECE, data[absolute], 4 * PIECE, &error));
        for (size_t f = 0; f < FUNCTIONS; f++) {
            if (functions[f].absolute != absolute) continue;
            struct assay_call call = call_of(f, elems, x, y);
            const struct assay_run_params params = {.repeat = REPEAT, .lead = ASSAY_LEAD_ONCE};
            struct assay_run_report report;
            check(assay_run(engine, &call, &params, &report, &error));
            const double ns = (double)report.device_ns / REPEAT, rate = 8 * (double)elems / ns * 1e9;
            uint64_t wrong = 0;
            for (uint64_t p = 0; p < pieces; p++) {
                check(assay_download(engine, y, p * 4 * PIECE, got, 4 * PIECE, &error));
                wrong += XXH3_64bits(got, 4 * PIECE) != digest[f];
            }
            printf("  %-10s %7.3f ms, %.3f of copy; %" PRIu64 " of %" PRIu64 " pieces differ; %s %016" PRIx64
                   " %s\n",
                   functions[f].name, ns * 1e-6, rate / copy, wrong, pieces, report.kernel,
                   report.kernel_hash, report.variant);
            fflush(stdout);
        }
    }
    assay_close(engine);
}

int main(int argc, char **argv)
{
    static const char *const standard[] = {"cuda:0", "vulkan:0"};
    uint64_t digest[FUNCTIONS];
    float *plain = malloc(4 * PIECE), *absolute = malloc(4 * PIECE), *got = malloc(4 * PIECE);
    if (!plain || !absolute || !got) return 1;
    make_normal(plain, false);
    make_normal(absolute, true);
    const float *const data[2] = {plain, absolute};
    digests_of_cpu(data, got, digest);
    for (int i = 1; i < argc; i++) bench(argv[i], data, got, digest);
    for (size_t i = 0; argc < 2 && i < 2; i++) bench(standard[i], data, got, digest);
    free(got);
    free(absolute);
    free(plain);
    return 0;
}
