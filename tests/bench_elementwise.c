/* How fast sums, products and quotients are beside copying memory, and that every bit of them is right.
 *
 *   build/tests/bench_elementwise [--device D]... [--elems N] [--rounds R] [--allow-software]
 *
 * Two operands of N f32 (2^30 unless told; 2^22 on the CPU and software renderers), a third for the result: 12 bytes an
 * element read and written. Time is the device's clock over one dispatch, launch included (the host's where there is none);
 * of R rounds (9) the median. `copy` is what the engine measures of the device (assay_measure): bytes read plus written a
 * second between buffers larger than a cache. Operands are made from the number of an element, so the host holds a piece of
 * them at a time, and the whole result is read back and compared by digest with the host's own arithmetic.
 *
 * Exit 2 when bits differ, 3 when nothing was timed. */
#include "devices/clock.h"
#include "devices/device.h"
#include "kernels/assay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { DEVICES_MAX = 8, ROUNDS_MAX = 99, PIECE = 1 << 22 };

struct options {
    const char *device[DEVICES_MAX];
    size_t devices;
    int64_t elems;
    int rounds;
    bool allow_software;
};

/* Element i of operand `which`: a sign, eight exponents around 1, all fractions. */
static float element(uint32_t which, int64_t i)
{
    uint64_t z = ((uint64_t)i * 2 + which + 1) * 0x9e3779b97f4a7c15u;
    z ^= z >> 30;
    z *= 0xbf58476d1ce4e5b9u;
    z ^= z >> 27;
    const uint32_t word =
        (uint32_t)(z >> 63) << 31 | (uint32_t)(124 + (z >> 32 & 7)) << 23 | (uint32_t)(z & 0x7fffff);
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static float apply(int op, float a, float b)
{
    return op == 0 ? a + b : op == 1 ? a * b : a / b;
}

static enum assay_status check(struct assay_engine *engine, struct assay_buffer *y, int op, int64_t elems,
                               float *piece, bool *same, struct assay_error *error)
{
    XXH3_state_t got, want;
    enum assay_status status = ASSAY_OK;
    XXH3_128bits_reset(&got);
    XXH3_128bits_reset(&want);
    for (int64_t first = 0; first < elems && status == ASSAY_OK; first += PIECE) {
        const int64_t count = elems - first < PIECE ? elems - first : PIECE;
        const size_t bytes = (size_t)count * sizeof *piece;
        status = assay_download(engine, y, (uint64_t)first * 4, piece, bytes, error);
        if (status != ASSAY_OK) break;
        XXH3_128bits_update(&got, piece, bytes);
        for (int64_t i = 0; i < count; i++)
            piece[i] = apply(op, element(0, first + i), element(1, first + i));
        XXH3_128bits_update(&want, piece, bytes);
    }
    *same = XXH128_isEqual(XXH3_128bits_digest(&got), XXH3_128bits_digest(&want));
    return status;
}

static double copy_rate(struct assay_engine *engine)
{
    struct assay_ceiling ceiling[ASSAY_CEILINGS_MAX];
    size_t count = 0;
    if (assay_measure(engine, ceiling, &count, NULL) != ASSAY_OK) return 0;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(ceiling[i].name, "copy")) return ceiling[i].value;
    return 0;
}

/* 0, or the exit code of what went wrong. */
static int bench(const char *device, const struct options *options)
{
    static const char *const name[] = {"Add", "Mul", "Div"};
    const struct assay_open_params params = {.device = device, .allow_software = options->allow_software};
    struct assay_engine *engine = NULL;
    struct assay_error error = {0};
    struct assay_buffer *buffer[3] = {NULL};
    float *piece = malloc(PIECE * sizeof *piece);
    int code = 0;
    enum assay_status status = piece ? assay_open(&params, &engine, &error) : ASSAY_OUT_OF_MEMORY;
    if (status != ASSAY_OK) goto out;
    const struct assay_device_info *info = assay_engine_device(engine);
    const bool small = info->software || !strcmp(info->backend, "cpu");
    const int64_t elems = options->elems ? options->elems : INT64_C(1) << (small ? 22 : 30);
    const double copy = copy_rate(engine);
    printf("%s %s: %" PRId64 " elements, copy %.1f GB/s\n", device, info->name, elems, copy / 1e9);
    for (int t = 0; t < 3 && status == ASSAY_OK; t++)
        status = assay_alloc(engine, (uint64_t)elems * 4, &buffer[t], &error);
    for (uint32_t t = 0; t < 2 && status == ASSAY_OK; t++)
        for (int64_t first = 0; first < elems && status == ASSAY_OK; first += PIECE) {
            const int64_t count = elems - first < PIECE ? elems - first : PIECE;
            for (int64_t i = 0; i < count; i++) piece[i] = element(t, first + i);
            status = assay_upload(engine, buffer[t], (uint64_t)first * 4, piece, (uint64_t)count * 4, &error);
        }
    if (status != ASSAY_OK) goto out;
    struct assay_call call = {.input_count = 2, .output_count = 1};
    for (int t = 0; t < 3; t++) {
        struct assay_tensor *tensor = t < 2 ? &call.input[t] : &call.output[0];
        assay_tensor_dense(tensor, ASSAY_F32, 1, &elems);
        tensor->bytes = (uint64_t)elems * 4;
        tensor->buffer = buffer[t];
    }
    for (int op = 0; op < 3; op++) {
        uint64_t time[ROUNDS_MAX];
        struct assay_run_report report;
        bool same = false;
        call.op = name[op];
        for (int r = -1; r < options->rounds && status == ASSAY_OK;
             r++) { /* the first is for known answers */
            const uint64_t start = assay_clock_ns();
            status = assay_run(engine, &call, NULL, &report, &error);
            if (r >= 0) time[r] = report.device_ns ? report.device_ns : assay_clock_ns() - start;
        }
        if (status == ASSAY_OK) status = check(engine, buffer[2], op, elems, piece, &same, &error);
        if (status != ASSAY_OK) goto out;
        qsort(time, (size_t)options->rounds, sizeof *time, by_size);
        const double rate = 12.0 * (double)elems / (double)time[options->rounds / 2] * 1e9;
        printf("  %-4s %-32s %-8s %10.3f ms %9.1f GB/s  %5.2f of copy  %s\n", name[op], report.kernel,
               report.variant, (double)time[options->rounds / 2] / 1e6, rate / 1e9, copy ? rate / copy : 0,
               same ? "bits equal" : "BITS DIFFER");
        if (!same) code = 2;
    }
out:
    if (status != ASSAY_OK) {
        fprintf(stderr, "%s: %s\n", device, error.text);
        code = code ? code : 3;
    }
    assay_close(engine);
    free(piece);
    return code;
}

int main(int argc, char **argv)
{
    struct options options = {.rounds = 9};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--allow-software")) {
            options.allow_software = true;
            continue;
        }
        if (!strcmp(argv[i], "--device") && options.devices < DEVICES_MAX)
            options.device[options.devices++] = value;
        else if (!strcmp(argv[i], "--elems"))
            options.elems = strtoll(value, NULL, 0);
        else if (!strcmp(argv[i], "--rounds"))
            options.rounds = atoi(value);
        else
            options.rounds = 0;
        i++;
    }
    if (options.rounds < 1 || options.rounds > ROUNDS_MAX || options.elems < 0) {
        fprintf(stderr,
                "usage: bench_elementwise [--device D]... [--elems N] [--rounds 1-%d] [--allow-software]\n",
                ROUNDS_MAX);
        return 1;
    }
    if (options.devices == 0) options.device[options.devices++] = "cpu";
    int worst = 0;
    for (size_t d = 0; d < options.devices; d++) {
        const int code = bench(options.device[d], &options);
        if (code == 2 || !worst) worst = code;
    }
    return worst;
}
