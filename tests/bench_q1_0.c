/* How fast the Q1_0 matrix-vector product is beside copying memory, and that its bits are the same on every device.
 *
 *   build/tests/bench_q1_0 [--shape MxK]... [--device D]... [--technique T]... [--rounds R] [--mb N] [--allow-software]
 *
 * Matrices of a shape are made until they fill N megabytes (200 unless told; 16 on a software renderer and the CPU), all
 * different, and every row of the table that takes the shape multiplies all of them one after the other in one submission,
 * so that no cache holds what is read. Time is the device's clock over the submission, launches included; of R rounds the
 * median. Bytes read are 18 a block. A copy of as many bytes within the device, timed in the same run, counts bytes read
 * plus written: through CUDA (cuMemcpyDtoDAsync between events) for cards, memcpy on all cores for the CPU.
 *
 * To carry it and the tests to a machine without this one's libraries (NAME: bench_q1_0, test_q1_0_cuda, long_q1_0):
 *   cp /usr/lib/x86_64-linux-gnu/libcmocka.so.0 OUT; gcc -rdynamic -o OUT/NAME build/obj/tests/NAME.o build/obj/tests/q1.o
 *       build/libassay.a OUT/libcmocka.so.0 -Wl,-rpath,'$ORIGIN' -Wl,-Bstatic -ljansson -Wl,-Bdynamic -lpthread -ldl -lm
 *
 * Every output is compared by digest with the plain CPU row's. Exit 2 when bits differ, 3 when nothing was timed, 4 when
 * the best row of a card with CUDA reads less than half of the copy's rate on every shape. */
#include "devices/device.h"
#include "kernels/kernel.h"
#include "tests/q1.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SHAPES_MAX = 16, NAMES_MAX = 8, ROUNDS_MAX = 32, MATRICES_MAX = 512, PROGRAMS_MAX = 16 };

struct shape {
    int64_t m, k;
};

struct options {
    struct shape shape[SHAPES_MAX];
    const char *device[NAMES_MAX], *technique[NAMES_MAX];
    size_t shapes, devices, techniques;
    uint32_t rounds;
    uint64_t megabytes;
    bool allow_software;
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Time of all threads of this process. */
static uint64_t cpu_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *ns, size_t count)
{
    qsort(ns, count, sizeof *ns, by_value);
    return ns[count / 2];
}

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench_q1_0: %s: %s\n", what, why);
    exit(1);
}

/* ---- copying ---- */

/* Bytes read plus written a ns by cuMemcpyDtoDAsync of `bytes`; 0 with the reason on stderr. */
static double copy_cuda(unsigned ordinal, uint64_t bytes, uint32_t rounds)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    if (!lib) return 0;
    int (*init)(unsigned), (*get)(int *, int), (*retain)(void **, int), (*set)(void *), (*release)(int);
    int (*alloc)(uint64_t *, size_t), (*release_memory)(uint64_t), (*create)(void **, unsigned);
    int (*record)(void *, void *), (*sync)(void *), (*elapsed)(float *, void *, void *);
    int (*copy)(uint64_t, uint64_t, size_t, void *);
    const struct {
        void *at;
        const char *name;
    } entry[] = {
        {&init, "cuInit"},
        {&get, "cuDeviceGet"},
        {&retain, "cuDevicePrimaryCtxRetain"},
        {&set, "cuCtxSetCurrent"},
        {&release, "cuDevicePrimaryCtxRelease_v2"},
        {&alloc, "cuMemAlloc_v2"},
        {&release_memory, "cuMemFree_v2"},
        {&create, "cuEventCreate"},
        {&record, "cuEventRecord"},
        {&sync, "cuEventSynchronize"},
        {&elapsed, "cuEventElapsedTime"},
        {&copy, "cuMemcpyDtoDAsync_v2"},
    };
    for (size_t i = 0; i < sizeof entry / sizeof *entry; i++) {
        void *symbol = dlsym(lib, entry[i].name);
        if (!symbol) return 0;
        memcpy(entry[i].at, &symbol, sizeof symbol);
    }
    int device;
    void *context = NULL, *start, *stop;
    uint64_t from = 0, to = 0;
    double ns[ROUNDS_MAX], rate = 0;
    if (init(0) || get(&device, (int)ordinal) || retain(&context, device)) return 0;
    if (set(context) || alloc(&from, bytes) || alloc(&to, bytes) || create(&start, 0) || create(&stop, 0))
        goto out;
    for (uint32_t r = 0; r < rounds + 1; r++) {
        float ms = 0;
        enum { TIMES = 8 };
        if (record(start, NULL)) goto out;
        for (int i = 0; i < TIMES; i++)
            if (copy(to, from, bytes, NULL)) goto out;
        if (record(stop, NULL) || sync(stop) || elapsed(&ms, start, stop)) goto out;
        if (r) ns[r - 1] = (double)ms * 1e6 / TIMES; /* the first one warms up */
    }
    rate = 2 * (double)bytes / median(ns, rounds);
out:
    if (from) release_memory(from);
    if (to) release_memory(to);
    set(NULL);
    release(device);
    return rate;
}

struct part {
    uint8_t *to;
    const uint8_t *from;
    uint64_t bytes;
};

static void *copy_part(void *argument)
{
    const struct part *p = argument;
    memcpy(p->to, p->from, p->bytes);
    return NULL;
}

static double copy_host(uint64_t bytes, uint32_t rounds, uint32_t threads)
{
    uint8_t *memory = malloc(2 * bytes);
    double ns[ROUNDS_MAX];
    if (!memory) return 0;
    if (threads > 64) threads = 64;
    memset(memory, 1, 2 * bytes);
    for (uint32_t r = 0; r < rounds; r++) {
        pthread_t thread[64];
        struct part part[64];
        uint64_t start = now_ns(), share = bytes / threads;
        for (uint32_t t = 0; t < threads; t++) {
            part[t] = (struct part){memory + bytes + t * share, memory + t * share, share};
            if (pthread_create(&thread[t], NULL, copy_part, &part[t])) die("memcpy", "no thread");
        }
        for (uint32_t t = 0; t < threads; t++) pthread_join(thread[t], NULL);
        ns[r] = (double)(now_ns() - start);
    }
    free(memory);
    return 2 * (double)bytes / median(ns, rounds);
}

/* ---- one device ---- */

struct data {
    struct shape shape;
    int64_t blocks, matrices;
    uint64_t w_bytes, w_stride, x_bytes, y_bytes, y_stride;
    uint8_t *w, *x;
    uint64_t digest;
};

static void make_data(struct data *d, struct shape shape, uint64_t bytes)
{
    d->shape = shape;
    d->blocks = shape.k / 128;
    d->w_bytes = (uint64_t)(shape.m * d->blocks) * 18;
    d->w_stride = (d->w_bytes + 255) & ~(uint64_t)255;
    d->matrices = (int64_t)((bytes + d->w_bytes - 1) / d->w_bytes);
    if (d->matrices > MATRICES_MAX) d->matrices = MATRICES_MAX;
    d->x_bytes = (uint64_t)d->blocks * 136;
    d->y_bytes = (uint64_t)shape.m * 4;
    d->y_stride = (d->y_bytes + 255) & ~(uint64_t)255;
    d->w = calloc((size_t)d->matrices, d->w_stride);
    d->x = malloc(d->x_bytes);
    if (!d->w || !d->x) die("data", "no memory");
    for (int64_t i = 0; i < d->matrices; i++)
        q1_fill_weights(d->w + (uint64_t)i * d->w_stride, shape.m * d->blocks, (uint64_t)i, Q1_FILL_LAYER);
    q1_fill_activations(d->x, d->blocks, 7, Q1_FILL_LAYER);
}

/* One output of each matrix is worked out by the scalar model: what the plain CPU row's digest rests on. */
static void check_sample(const struct data *d, const uint8_t *y)
{
    for (int64_t i = 0; i < d->matrices; i++) {
        int64_t row = (i * 977 + 5) % d->shape.m;
        float right =
            q1_model(d->w + (uint64_t)i * d->w_stride + (uint64_t)(row * d->blocks) * 18, d->x, d->blocks);
        if (memcmp(&right, y + (uint64_t)i * d->y_stride + row * 4, 4) != 0)
            die("plain CPU row", "differs from the model");
    }
}

struct timing {
    const char *technique;
    double ns, cpu_ns; /* of one matrix; cpu_ns: of all cores, which is steadier where others use them too */
    uint64_t digest;
    bool right;
};

/* All matrices through one row of the table, straight on the backend, in one submission. False with why if the row does
 * not take the shape. y gets the outputs. */
static bool time_row(struct assay_device *device, const struct assay_kernel *kernel, const struct data *d,
                     uint32_t rounds, struct timing *out, uint8_t *y, char why[512])
{
    const struct assay_backend *b = device->backend;
    struct assay_error error = {0};
    struct assay_traits traits;
    enum assay_variant variant = ASSAY_VARIANT_NATIVE;
    uint32_t controls = 0;
    struct assay_buffer *memory[4] = {0}; /* W, X, Y, scratch */
    struct assay_plan *plan = malloc(sizeof *plan);
    struct assay_dispatch *dispatch = calloc((size_t)d->matrices * ASSAY_STEPS_MAX, sizeof *dispatch);
    struct assay_program *program[PROGRAMS_MAX] = {0};
    struct assay_program_params made[PROGRAMS_MAX];
    size_t programs = 0, count = 0;
    double ns[ROUNDS_MAX];
    bool good = false;
    const uint64_t bytes[3] = {(uint64_t)d->matrices * d->w_stride, d->x_bytes,
                               (uint64_t)d->matrices * d->y_stride};
    if (!plan || !dispatch) die("plan", "no memory");
    if (assay_traits_measure(device, &traits, &error) ||
        assay_exact_choose(device, &traits, ASSAY_VARIANT_AUTO, &variant, &controls, NULL, &error))
        goto out;
    if (!(kernel->variants >> variant & 1)) {
        snprintf(why, 512, "has no %s form", assay_variant_name(variant));
        goto out;
    }
    for (int i = 0; i < 3; i++)
        if (b->buffer_create(device, bytes[i], &memory[i], &error)) goto out;
    memset(y, 0xff, bytes[2]);
    if (b->write(device, memory[0], 0, d->w, bytes[0], &error) ||
        b->write(device, memory[1], 0, d->x, bytes[1], &error) ||
        b->write(device, memory[2], 0, y, bytes[2], &error))
        goto out;
    for (int64_t i = 0; i < d->matrices; i++) {
        struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
        assay_tensor_dense(&call.input[0], ASSAY_U8, 2, (int64_t[]){d->shape.m, d->blocks * 18});
        assay_tensor_dense(&call.input[1], ASSAY_U8, 2, (int64_t[]){1, d->blocks * 136});
        assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){1, d->shape.m});
        call.input[0].offset = i * (int64_t)d->w_stride;
        call.output[0].offset = i * (int64_t)d->y_stride / 4;
        call.input[0].bytes = bytes[0];
        call.input[1].bytes = bytes[1];
        call.output[0].bytes = bytes[2];
        char reason[160] = "";
        if (!kernel->supports(&device->info, &call, reason)) {
            snprintf(why, 512, "%s", reason);
            goto out;
        }
        if (kernel->plan(&device->info, &call, variant, plan, &error)) goto out;
        if (!memory[3] && plan->scratch_bytes &&
            b->buffer_create(device, plan->scratch_bytes, &memory[3], &error))
            goto out;
        for (size_t s = 0; s < plan->step_count; s++) {
            const struct assay_step *step = &plan->step[s];
            struct assay_program_params params = step->program;
            params.spec[0] = variant;
            params.controls = controls;
            if (!params.spec_count) params.spec_count = 1;
            size_t p = 0;
            while (p < programs &&
                   (made[p].codes != params.codes || made[p].shared_bytes != params.shared_bytes))
                p++;
            if (p == programs) {
                if (programs == PROGRAMS_MAX) die("programs", "too many");
                if (b->program_create(device, &params, &program[p], &error)) goto out;
                made[programs++] = params;
            }
            struct assay_dispatch *to = &dispatch[count++];
            to->program = program[p];
            for (uint32_t i2 = 0; i2 < params.bindings; i2++) {
                int which = step->bind[i2].role == ASSAY_ROLE_SCRATCH  ? 3
                            : step->bind[i2].role == ASSAY_ROLE_OUTPUT ? 2
                                                                       : (int)step->bind[i2].index;
                to->binding[i2] =
                    (struct assay_binding){memory[which], step->bind[i2].offset_bytes, step->bind[i2].bytes};
            }
            memcpy(to->push, step->push, sizeof to->push);
            memcpy(to->groups, step->groups, sizeof to->groups);
        }
    }
    uint64_t cpu_start = 0;
    for (uint32_t r = 0; r < rounds + 1; r++) {
        if (r == 1) cpu_start = cpu_now_ns();
        uint64_t device_ns = 0, start = now_ns();
        if (b->submit(device, dispatch, count, &error) || b->wait(device, 0, &device_ns, &error)) goto out;
        double took = device_ns ? (double)device_ns : (double)(now_ns() - start);
        if (r) ns[r - 1] = took; /* the first one warms up */
    }
    out->cpu_ns = (double)(cpu_now_ns() - cpu_start) / rounds / (double)d->matrices;
    if (b->read(device, memory[2], 0, y, bytes[2], &error)) goto out;
    out->technique = kernel->technique;
    out->ns = median(ns, rounds) / (double)d->matrices;
    for (int64_t i = 0; i < d->matrices; i++) /* gaps between matrices count as zeros everywhere */
        memset(y + (uint64_t)i * d->y_stride + d->y_bytes, 0, d->y_stride - d->y_bytes);
    out->digest = XXH3_64bits(y, bytes[2]);
    good = true;
out:
    if (!good && error.text[0]) snprintf(why, 512, "%s", error.text);
    for (size_t p = 0; p < programs; p++) b->program_destroy(device, program[p]);
    for (int i = 0; i < 4; i++) b->buffer_destroy(device, memory[i]);
    free(dispatch);
    free(plan);
    return good;
}

static const struct assay_kernel *kernel_of(const char *backend, size_t index)
{
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *k = &assay_kernel_families[f]->rows[i];
            if (strcmp(k->op, "Q1_0MatMul") == 0 && strcmp(k->backend, backend) == 0 && index-- == 0)
                return k;
        }
    return NULL;
}

static bool wanted(const char *const *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0) return true;
    return count == 0;
}

/* The digest of the plain CPU row, which the scalar model vouches for by samples. */
static void reference(struct data *d, uint8_t *y, const struct assay_device_list *list)
{
    const struct assay_driver_params defaults = {0};
    struct assay_error error = {0};
    char why[512] = "";
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->device[i].backend, "cpu") != 0) continue;
        struct assay_device *cpu = NULL;
        struct timing timing;
        if (assay_device_open(&defaults, &list->device[i], &cpu, &error)) die("cpu", error.text);
        for (size_t k = 0; kernel_of("cpu", k); k++)
            if (strcmp(kernel_of("cpu", k)->technique, "plain") == 0)
                if (!time_row(cpu, kernel_of("cpu", k), d, 1, &timing, y, why)) die("cpu", why);
        assay_device_close(cpu);
        d->digest = timing.digest;
        check_sample(d, y);
        return;
    }
    die("cpu", "there is no CPU device");
}

static void usage(void)
{
    fprintf(stderr,
            "usage: bench_q1_0 [--shape MxK]... [--device D]... [--technique T]... [--rounds R] [--mb N] "
            "[--allow-software]\n");
    exit(1);
}

static void read_options(struct options *o, int argc, char **argv)
{
    *o = (struct options){.rounds = 9};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--allow-software") == 0) {
            o->allow_software = true;
            continue;
        }
        if (!value) usage();
        long long m, k;
        if (strcmp(argv[i], "--shape") == 0 && o->shapes < SHAPES_MAX &&
            sscanf(value, "%lldx%lld", &m, &k) == 2 && m > 0 && k > 0 && k % 128 == 0)
            o->shape[o->shapes++] = (struct shape){m, k};
        else if (strcmp(argv[i], "--device") == 0 && o->devices < NAMES_MAX)
            o->device[o->devices++] = value;
        else if (strcmp(argv[i], "--technique") == 0 && o->techniques < NAMES_MAX)
            o->technique[o->techniques++] = value;
        else if (strcmp(argv[i], "--rounds") == 0 && atoi(value) > 0 && atoi(value) <= ROUNDS_MAX)
            o->rounds = (uint32_t)atoi(value);
        else if (strcmp(argv[i], "--mb") == 0 && atoi(value) > 0)
            o->megabytes = (uint64_t)atoi(value);
        else
            usage();
        i++;
    }
    static const struct shape usual[] = {
        {4096, 4096},  {4096, 14336}, {4096, 12288}, /* Bonsai 8B and Llama 8B */
        {12288, 4096}, {14336, 4096}, {151936, 4096}};
    if (!o->shapes)
        for (; o->shapes < sizeof usual / sizeof *usual; o->shapes++) o->shape[o->shapes] = usual[o->shapes];
}

int main(int argc, char **argv)
{
    struct options o;
    const struct assay_driver_params defaults = {0};
    struct assay_device_list *list = calloc(1, sizeof *list);
    struct assay_error error = {0};
    bool differs = false, gated = false, reached = false;
    size_t timed = 0;
    read_options(&o, argc, argv);
    if (!list) die("devices", "no memory");
    assay_discover(&defaults, NULL, list);
    for (size_t i = 0; i < list->count; i++) {
        const struct assay_device_info *info = &list->device[i];
        char label[24], why[512] = "";
        struct assay_device *device = NULL;
        assay_device_label(info, label);
        if (!wanted(o.device, o.devices, label) || info->duplicate) continue;
        if (info->software ? !o.allow_software : !info->usable) continue;
        if (assay_device_open(&defaults, info, &device, &error)) {
            printf("%s %s: %s\n", label, info->name, error.text);
            continue;
        }
        bool card = !info->software && strcmp(info->backend, "cpu") != 0,
             cuda = strcmp(info->backend, "cuda") == 0;
        uint64_t bytes = (o.megabytes ? o.megabytes : card ? 208 : 16) * 1000000;
        double copy = card ? copy_cuda(info->index, 256u << 20, o.rounds)
                           : copy_host(256u << 20, o.rounds, info->compute_units ? info->compute_units : 1);
        printf("\n%s %s: copy %.1f GB/s (read plus written)\n\n", label, info->name, copy);
        printf("| shape | matrices | row | us a matrix | CPU us | read GB/s | of copy | bits "
               "|\n|---|---|---|---|---|---|---|---|\n");
        for (size_t s = 0; s < o.shapes; s++) {
            struct data d = {0};
            make_data(&d, o.shape[s], bytes);
            uint8_t *y = malloc((size_t)d.matrices * d.y_stride);
            if (!y) die("data", "no memory");
            reference(&d, y, list);
            double best = 0, least = 0;
            const char *fastest = "none", *chosen = "none";
            for (size_t k = 0; kernel_of(info->backend, k); k++) {
                const struct assay_kernel *kernel = kernel_of(info->backend, k);
                struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
                struct timing t;
                char reason[160] = "";
                if (!wanted(o.technique, o.techniques, kernel->technique)) continue;
                if (!kernel->present(&device->info, reason)) continue;
                assay_tensor_dense(&call.input[0], ASSAY_U8, 2, (int64_t[]){d.shape.m, d.blocks * 18});
                assay_tensor_dense(&call.input[1], ASSAY_U8, 2, (int64_t[]){1, d.blocks * 136});
                assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){1, d.shape.m});
                double cost = kernel->cost(&device->info, &call);
                bool slow = cost > 5e6 && card;
                if (!time_row(device, kernel, &d, slow ? 1 : o.rounds, &t, y, why)) {
                    printf("| %" PRId64 "x%" PRId64 " | | %s | %s | | | | |\n", d.shape.m, d.shape.k,
                           kernel->technique, why);
                    continue;
                }
                double rate = (double)d.w_bytes / t.ns;
                bool right = t.digest == d.digest;
                printf("| %" PRId64 "x%" PRId64 " | %" PRId64 " | %s | %.2f | %.0f | %.1f | %.3f | %s |\n",
                       d.shape.m, d.shape.k, d.matrices, t.technique, t.ns / 1000, t.cpu_ns / 1000, rate,
                       copy > 0 ? rate / copy : 0, right ? "equal" : "DIFFER");
                fflush(stdout);
                differs |= !right;
                timed++;
                if (rate > best) best = rate, fastest = t.technique;
                if (strcmp(chosen, "none") == 0 || cost < least) least = cost, chosen = t.technique;
            }
            printf("| %" PRId64 "x%" PRId64 " | | fastest %s, chosen %s | | | %.1f | %.3f | %016" PRIx64
                   " |\n",
                   d.shape.m, d.shape.k, fastest, chosen, best, copy > 0 ? best / copy : 0, d.digest);
            if (cuda && copy > 0) gated = true, reached |= best >= 0.5 * copy;
            free(y);
            free(d.w);
            free(d.x);
        }
        assay_device_close(device);
    }
    free(list);
    return differs ? 2 : !timed ? 3 : gated && !reached ? 4 : 0;
}
