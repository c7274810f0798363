/* How fast the Q1_0 matrix-vector product is beside copying memory, and that its bits are the same on every device.
 *
 *   build/tests/bench_q1_0 [--shape MxK]... [--layer NAME]... [--device D]... [--technique T]... [--rounds R] [--mb N]
 *                          [--vectors N]... [--apart] [--allow-software]
 *
 * Matrices of a shape are made until they fill N megabytes (200 unless told; 16 on a software renderer and the CPU), all
 * different, and every row of the table that takes the shape multiplies all of them one after the other in one submission,
 * so that no cache holds what is read. Time is the device's clock over the submission, launches included; of R rounds the
 * median. Bytes read are 18 a block. `empty` is the same submission, grids and shared memory with matrices of no rows: what
 * launches take where nothing is computed (CUDA). A copy of as many bytes within the device, timed in the same run, counts
 * bytes read plus written: through CUDA (cuMemcpyDtoDAsync between events) for cards, memcpy on all cores for the CPU.
 *
 * A layer (bonsai-8b, bonsai-1.7b) is its seven matrices one after the other, each by the row that costs least, as many
 * layers as fill N megabytes in one submission. Without --shape and --layer the usual shapes and both layers are timed.
 * --apart: no launch begins while the one before it ends.
 *
 * --vectors N: the product with N vectors at once instead (a prompt), of two matrices a shape (4096x4096 and 14336x4096
 * unless told), so that W may stay in a cache: Tera-multiply-adds a second, and the same work by rows `table` and `phased`
 * in one launch a vector. Bits are compared with the CPU row that costs least, which the model checks in 64 places.
 *
 * To carry it and the tests to a machine without this one's libraries (NAME: bench_q1_0, test_q1_0_cuda, long_q1_0):
 *   cp /usr/lib/x86_64-linux-gnu/libcmocka.so.0 OUT; gcc -rdynamic -o OUT/NAME build/obj/tests/NAME.o build/obj/tests/q1.o
 *       build/libassay.a OUT/libcmocka.so.0 -Wl,-rpath,'$ORIGIN' -Wl,-Bstatic -ljansson -Wl,-Bdynamic -lpthread -ldl -lm
 *
 * Every output is compared by digest with the plain CPU row's. Exit 2 when bits differ, 3 when nothing was timed, 4 when
 * the best row of a card with CUDA reads less than half of the copy's rate on every shape. */
#include "devices/device.h"
#include "kernels/kernel.h"
#include "kernels/q1_0/q1_0.h"
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

enum {
    GROUP_MAX = 8,
    GROUPS_MAX = 16,
    NAMES_MAX = 8,
    ROUNDS_MAX = 32,
    MATRICES_MAX = 1024,
    PROGRAMS_MAX = 64
};

struct shape {
    int64_t m, k;
};

/* Matrices that are multiplied one after the other: one shape, or those of a layer. */
struct group {
    const char *name; /* NULL: one shape */
    size_t count;
    struct shape shape[GROUP_MAX];
};

/* q, k, v, o, gate, up, down. */
static const struct group layers[] = {
    {"bonsai-8b",
     7,
     {{4096, 4096}, {1024, 4096}, {1024, 4096}, {4096, 4096}, {12288, 4096}, {12288, 4096}, {4096, 12288}}},
    {"bonsai-1.7b",
     7,
     {{2048, 2048}, {1024, 2048}, {1024, 2048}, {2048, 2048}, {6144, 2048}, {6144, 2048}, {2048, 6144}}},
};
static const struct shape usual[] = {
    {4096, 4096},  {4096, 14336},  {4096, 12288}, {12288, 4096}, /* Bonsai 8B and Llama 8B */
    {14336, 4096}, {151936, 4096}, {6144, 2048},  {2048, 6144},  /* and Bonsai 1.7B */
};

struct options {
    struct group group[GROUPS_MAX];
    const char *device[NAMES_MAX], *technique[NAMES_MAX];
    size_t groups, devices, techniques, vectors;
    int64_t vector_count[NAMES_MAX];
    uint32_t rounds;
    uint64_t megabytes;
    bool apart, allow_software;
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

struct matrix {
    int64_t m, blocks;
    uint64_t w_at, y_at; /* bytes */
};

/* As many groups as fill a number of bytes, all matrices different, and one X for each K: the beginning of the longest. */
struct data {
    char name[32];
    struct matrix matrix[MATRICES_MAX];
    size_t matrices, groups;
    uint64_t w_bytes, x_bytes, y_bytes; /* of the buffers */
    uint64_t read_bytes;                /* 18 a block, of all matrices */
    uint8_t *w, *x;
    uint64_t digest;
    int64_t vectors;
    bool one_by_one; /* a launch a vector */
};

static void make_data(struct data *d, const struct group *group, uint64_t bytes, int64_t vectors)
{
    int64_t most = 0;
    d->vectors = vectors;
    if (group->name)
        snprintf(d->name, sizeof d->name, "%s", group->name);
    else
        snprintf(d->name, sizeof d->name, "%" PRId64 "x%" PRId64, group->shape[0].m, group->shape[0].k);
    while (d->read_bytes < bytes && d->matrices + group->count <= MATRICES_MAX) {
        for (size_t i = 0; i < group->count; i++) {
            struct matrix *matrix = &d->matrix[d->matrices++];
            *matrix = (struct matrix){group->shape[i].m, group->shape[i].k / 128, d->w_bytes, d->y_bytes};
            uint64_t of_w = (uint64_t)(matrix->m * matrix->blocks) * 18;
            d->read_bytes += of_w;
            d->w_bytes += (of_w + 255) & ~(uint64_t)255;
            d->y_bytes += ((uint64_t)(matrix->m * vectors) * 4 + 255) & ~(uint64_t)255;
            if (matrix->blocks > most) most = matrix->blocks;
        }
        d->groups++;
    }
    d->x_bytes = (uint64_t)(most * vectors) * 136;
    d->w = calloc(1, d->w_bytes);
    d->x = malloc(d->x_bytes);
    if (!d->w || !d->x) die("data", "no memory");
    for (size_t i = 0; i < d->matrices; i++)
        q1_fill_weights(d->w + d->matrix[i].w_at, d->matrix[i].m * d->matrix[i].blocks, i, Q1_FILL_LAYER);
    q1_fill_activations(d->x, most * vectors, 7, Q1_FILL_LAYER);
}

/* Outputs of each matrix, one or 64 of many vectors, are worked out by the scalar model: what the CPU row's digest rests
 * on. */
static void check_sample(const struct data *d, const uint8_t *y)
{
    for (size_t i = 0; i < d->matrices; i++) {
        const struct matrix *matrix = &d->matrix[i];
        for (int64_t s = 0; s < (d->vectors > 1 ? 64 : 1); s++) {
            int64_t row = ((int64_t)i * 977 + 5 + s * 7919) % matrix->m, vector = s * 31 % d->vectors;
            float right = q1_model(d->w + matrix->w_at + (uint64_t)(row * matrix->blocks) * 18,
                                   d->x + vector * matrix->blocks * 136, matrix->blocks);
            if (memcmp(&right, y + matrix->y_at + (vector * matrix->m + row) * 4, 4) != 0)
                die("CPU row", "differs from the model");
        }
    }
}

/* Matrix i by all vectors, or by one where they go one by one. */
static struct assay_call call_of(const struct data *d, size_t i, int64_t vector)
{
    const struct matrix *matrix = &d->matrix[i];
    const int64_t n = d->one_by_one ? 1 : d->vectors;
    struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    assay_tensor_dense(&call.input[0], ASSAY_U8, 2, (int64_t[]){matrix->m, matrix->blocks * 18});
    assay_tensor_dense(&call.input[1], ASSAY_U8, 2, (int64_t[]){n, matrix->blocks * 136});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){n, matrix->m});
    call.input[0].offset = (int64_t)matrix->w_at;
    call.input[1].offset = vector * matrix->blocks * 136;
    call.output[0].offset = (int64_t)matrix->y_at / 4 + vector * matrix->m;
    call.input[0].bytes = d->w_bytes;
    call.input[1].bytes = d->x_bytes;
    call.output[0].bytes = d->y_bytes;
    return call;
}

struct timing {
    double ns, empty_ns,
        cpu_ns; /* of all matrices; cpu_ns: of all cores, which is steadier where others use them too */
    uint64_t digest;
};

/* One submission on a backend and what it needs. */
struct work {
    struct assay_device *device;
    enum assay_variant variant;
    uint32_t controls;
    bool apart;
    struct assay_buffer *memory[4]; /* W, X, Y, scratch */
    struct assay_program *program[PROGRAMS_MAX];
    struct assay_program_params made[PROGRAMS_MAX];
    size_t programs, count;
    uint64_t scratch_bytes; /* of the plan that takes most */
    struct assay_dispatch dispatch[MATRICES_MAX * ASSAY_STEPS_MAX];
};

/* False with *error or why. sizing: only see how much scratch it takes. */
static bool add_product(struct work *work, const struct assay_kernel *kernel, const struct assay_call *call,
                        bool sizing, char why[512], struct assay_error *error)
{
    static struct assay_plan plan;
    struct assay_device *device = work->device;
    const struct assay_backend *b = device->backend;
    char reason[160] = "";
    if (!(kernel->variants >> work->variant & 1)) {
        snprintf(why, 512, "has no %s form", assay_variant_name(work->variant));
        return false;
    }
    if (!kernel->supports(&device->info, call, reason)) {
        snprintf(why, 512, "%s", reason);
        return false;
    }
    if (kernel->plan(&device->info, call, work->variant, &plan, error)) return false;
    if (plan.scratch_bytes > work->scratch_bytes) work->scratch_bytes = plan.scratch_bytes;
    if (sizing) return true;
    for (size_t s = 0; s < plan.step_count; s++) {
        const struct assay_step *step = &plan.step[s];
        struct assay_program_params params = step->program;
        params.spec[0] = work->variant;
        params.controls = work->controls;
        params.waits_itself &= !work->apart;
        if (!params.spec_count) params.spec_count = 1;
        size_t p = 0;
        while (p < work->programs &&
               (work->made[p].codes != params.codes || work->made[p].shared_bytes != params.shared_bytes))
            p++;
        if (p == work->programs) {
            if (work->programs == PROGRAMS_MAX) die("programs", "too many");
            if (b->program_create(device, &params, &work->program[p], error)) return false;
            work->made[work->programs++] = params;
        }
        struct assay_dispatch *to = &work->dispatch[work->count++];
        to->program = work->program[p];
        for (uint32_t i = 0; i < params.bindings; i++) {
            int which = step->bind[i].role == ASSAY_ROLE_SCRATCH  ? 3
                        : step->bind[i].role == ASSAY_ROLE_OUTPUT ? 2
                                                                  : (int)step->bind[i].index;
            to->binding[i] =
                (struct assay_binding){work->memory[which], step->bind[i].offset_bytes, step->bind[i].bytes};
        }
        memcpy(to->push, step->push, sizeof to->push);
        memcpy(to->groups, step->groups, sizeof to->groups);
    }
    return true;
}

/* Median of the device's time over the submission, the host's where the device has no clock. */
static bool time_work(struct work *work, uint32_t rounds, double *ns, double *cpu_ns,
                      struct assay_error *error)
{
    const struct assay_backend *b = work->device->backend;
    double took[ROUNDS_MAX];
    uint64_t cpu_start = 0;
    for (uint32_t r = 0; r < rounds + 1; r++) {
        if (r == 1) cpu_start = cpu_now_ns();
        uint64_t device_ns = 0, start = now_ns();
        if (b->submit(work->device, work->dispatch, work->count, error) ||
            b->wait(work->device, 0, &device_ns, error))
            return false;
        if (r)
            took[r - 1] = device_ns ? (double)device_ns : (double)(now_ns() - start); /* the first warms up */
    }
    *cpu_ns = (double)(cpu_now_ns() - cpu_start) / rounds;
    *ns = median(took, rounds);
    return true;
}

/* All matrices, matrix i through row kernel[i % kernels], straight on the backend, in one submission. False with why if a
 * row does not take its matrix. y gets the outputs. */
static bool time_rows(struct assay_device *device, const struct assay_kernel *const *kernel, size_t kernels,
                      const struct data *d, const struct options *o, uint32_t rounds, struct timing *out,
                      uint8_t *y, char why[512])
{
    const struct assay_backend *b = device->backend;
    struct assay_error error = {0};
    struct assay_traits traits;
    struct work *work = calloc(1, sizeof *work);
    const uint64_t bytes[3] = {d->w_bytes, d->x_bytes, d->y_bytes};
    bool good = false;
    double unused;
    if (!work) die("work", "no memory");
    *work = (struct work){.device = device, .variant = ASSAY_VARIANT_NATIVE, .apart = o->apart};
    if (assay_traits_measure(device, &traits, &error) ||
        assay_exact_choose(device, &traits, ASSAY_VARIANT_AUTO, &work->variant, &work->controls, NULL,
                           &error))
        goto out;
    for (int i = 0; i < 3; i++)
        if (b->buffer_create(device, bytes[i], &work->memory[i], &error)) goto out;
    memset(y, 0xff, d->y_bytes);
    if (b->write(device, work->memory[0], 0, d->w, bytes[0], &error) ||
        b->write(device, work->memory[1], 0, d->x, bytes[1], &error) ||
        b->write(device, work->memory[2], 0, y, bytes[2], &error))
        goto out;
    for (int sizing = 1; sizing >= 0; sizing--) {
        for (size_t i = 0; i < (sizing ? kernels : d->matrices); i++) {
            for (int64_t v = 0; v < (d->one_by_one && !sizing ? d->vectors : 1); v++) {
                struct assay_call call = call_of(d, i, v);
                if (!add_product(work, kernel[i % kernels], &call, sizing, why, &error)) goto out;
            }
        }
        if (sizing && work->scratch_bytes &&
            b->buffer_create(device, work->scratch_bytes, &work->memory[3], &error))
            goto out;
    }
    if (!time_work(work, rounds, &out->ns, &out->cpu_ns, &error)) goto out;
    if (b->read(device, work->memory[2], 0, y, bytes[2], &error)) goto out;
    for (size_t i = 0; i < d->matrices; i++) { /* gaps between matrices count as zeros everywhere */
        uint64_t end = d->matrix[i].y_at + (uint64_t)(d->matrix[i].m * d->vectors) * 4;
        memset(y + end, 0, (256 - end % 256) % 256);
    }
    out->digest = XXH3_64bits(y, bytes[2]);
    out->empty_ns = 0;
    if (strcmp(device->info.backend, "cuda") == 0) {
        for (size_t i = 0; i < work->count; i++) {
            struct q1_push push;
            memcpy(&push, work->dispatch[i].push, sizeof push);
            push.m = push.blocks = 0;
            memcpy(work->dispatch[i].push, &push, sizeof push);
        }
        if (!time_work(work, rounds, &out->empty_ns, &unused, &error)) goto out;
    }
    good = true;
out:
    if (!good && error.text[0]) snprintf(why, 512, "%s", error.text);
    for (size_t p = 0; p < work->programs; p++) b->program_destroy(device, work->program[p]);
    for (int i = 0; i < 4; i++) b->buffer_destroy(device, work->memory[i]);
    free(work);
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

/* The row that costs least of those that are wanted and take the matrix; NULL for none. */
static const struct assay_kernel *cheapest(const struct assay_device_info *info,
                                           const struct assay_call *call, const struct options *o)
{
    const struct assay_kernel *best = NULL;
    double least = 0;
    for (size_t k = 0; kernel_of(info->backend, k); k++) {
        const struct assay_kernel *kernel = kernel_of(info->backend, k);
        char reason[160] = "";
        if (!wanted(o->technique, o->techniques, kernel->technique) || !kernel->present(info, reason) ||
            !kernel->supports(info, call, reason))
            continue;
        double cost = kernel->cost(info, call);
        if (!best || cost < least) best = kernel, least = cost;
    }
    return best;
}

/* The digest of the plain CPU row, or with many vectors of the one that costs least, for which the scalar model vouches by
 * samples. */
static void reference(struct data *d, uint8_t *y, const struct assay_device_list *list,
                      const struct options *o)
{
    const struct assay_driver_params defaults = {0};
    struct assay_error error = {0};
    char why[512] = "";
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->device[i].backend, "cpu") != 0) continue;
        struct assay_device *cpu = NULL;
        struct timing timing;
        if (assay_device_open(&defaults, &list->device[i], &cpu, &error)) die("cpu", error.text);
        const struct options plain = {.technique = {"plain"}, .techniques = d->vectors == 1};
        const struct assay_call call = call_of(d, 0, 0);
        const struct assay_kernel *kernel = cheapest(&cpu->info, &call, &plain);
        if (!kernel || !time_rows(cpu, &kernel, 1, d, o, 1, &timing, y, why)) die("cpu", why);
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
            "usage: bench_q1_0 [--shape MxK]... [--layer bonsai-8b|bonsai-1.7b]... [--device D]... "
            "[--technique T]... [--rounds R] [--mb N] [--vectors N]... [--apart] [--allow-software]\n");
    exit(1);
}

static bool read_group(struct options *o, const char *option, const char *value)
{
    long long m, k;
    if (o->groups == GROUPS_MAX) return false;
    if (strcmp(option, "--shape") == 0 && sscanf(value, "%lldx%lld", &m, &k) == 2 && m > 0 && k > 0 &&
        k % 128 == 0) {
        o->group[o->groups++] = (struct group){NULL, 1, {{m, k}}};
        return true;
    }
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (strcmp(option, "--layer") == 0 && strcmp(value, layers[i].name) == 0) {
            o->group[o->groups++] = layers[i];
            return true;
        }
    return false;
}

static void read_options(struct options *o, int argc, char **argv)
{
    *o = (struct options){.rounds = 9};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        bool apart = strcmp(argv[i], "--apart") == 0, software = strcmp(argv[i], "--allow-software") == 0;
        o->apart |= apart;
        o->allow_software |= software;
        if (apart || software) continue;
        if (!value) usage();
        if (read_group(o, argv[i], value)) {
        } else if (strcmp(argv[i], "--device") == 0 && o->devices < NAMES_MAX)
            o->device[o->devices++] = value;
        else if (strcmp(argv[i], "--technique") == 0 && o->techniques < NAMES_MAX)
            o->technique[o->techniques++] = value;
        else if (strcmp(argv[i], "--vectors") == 0 && o->vectors < NAMES_MAX && atoi(value) > 0 &&
                 atoi(value) <= MATRICES_MAX)
            o->vector_count[o->vectors++] = atoi(value);
        else if (strcmp(argv[i], "--rounds") == 0 && atoi(value) > 0 && atoi(value) <= ROUNDS_MAX)
            o->rounds = (uint32_t)atoi(value);
        else if (strcmp(argv[i], "--mb") == 0 && atoi(value) > 0)
            o->megabytes = (uint64_t)atoi(value);
        else
            usage();
        i++;
    }
    if (o->groups) return;
    if (o->vectors) {
        o->group[o->groups++] = (struct group){NULL, 1, {{4096, 4096}}};
        o->group[o->groups++] = (struct group){NULL, 1, {{14336, 4096}}};
        return;
    }
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        o->group[o->groups++] = (struct group){NULL, 1, {usual[i]}};
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) o->group[o->groups++] = layers[i];
}

/* ---- lines of the table ---- */

struct verdict {
    bool differs, reached;
    size_t timed;
};

static void print_line(const struct data *d, size_t of, const char *row, const struct timing *t, double copy,
                       struct verdict *verdict)
{
    double rate = (double)d->read_bytes / t->ns;
    char empty[32] = "";
    if (t->empty_ns > 0) snprintf(empty, sizeof empty, "%.2f", t->empty_ns / (double)of / 1000);
    printf("| %s | %zu | %s | %.2f | %s | %.0f | %.1f | %.3f | %s |\n", d->name, of, row,
           t->ns / (double)of / 1000, empty, t->cpu_ns / (double)of / 1000, rate, copy > 0 ? rate / copy : 0,
           t->digest == d->digest ? "equal" : "DIFFER");
    fflush(stdout);
    verdict->differs |= t->digest != d->digest;
    verdict->reached |= copy > 0 && rate >= 0.5 * copy;
    verdict->timed++;
}

/* One shape: a line for each row of the table, and one that says which is fastest and which would be chosen. */
static void bench_shape(struct assay_device *device, const struct data *d, const struct options *o,
                        uint8_t *y, double copy, bool card, struct verdict *verdict)
{
    const struct assay_call call = call_of(d, 0, 0);
    const struct assay_kernel *chosen = cheapest(&device->info, &call, o);
    const char *fastest = "none";
    double best = 0;
    for (size_t k = 0; kernel_of(device->info.backend, k); k++) {
        const struct assay_kernel *kernel = kernel_of(device->info.backend, k);
        struct timing t;
        char why[512] = "";
        if (!wanted(o->technique, o->techniques, kernel->technique)) continue;
        if (!kernel->present(&device->info, why)) continue;
        bool slow = kernel->cost(&device->info, &call) > 5e6 && card;
        if (!time_rows(device, &kernel, 1, d, o, slow ? 1 : o->rounds, &t, y, why)) {
            printf("| %s | | %s | %s | | | | | |\n", d->name, kernel->technique, why);
            continue;
        }
        print_line(d, d->matrices, kernel->technique, &t, copy, verdict);
        double rate = (double)d->read_bytes / t.ns;
        if (rate > best) best = rate, fastest = kernel->technique;
    }
    printf("| %s | | fastest %s, chosen %s | | | | %.1f | %.3f | %016" PRIx64 " |\n", d->name, fastest,
           chosen ? chosen->technique : "none", best, copy > 0 ? best / copy : 0, d->digest);
}

/* A layer: each matrix by the row that costs least; time and bytes are those of the whole layer. */
static void bench_layer(struct assay_device *device, const struct data *d, const struct options *o,
                        uint8_t *y, double copy, struct verdict *verdict)
{
    const struct assay_kernel *kernel[GROUP_MAX];
    const size_t count = d->matrices / d->groups;
    struct timing t;
    char rows[256] = "", why[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct assay_call call = call_of(d, i, 0);
        kernel[i] = cheapest(&device->info, &call, o);
        if (!kernel[i]) {
            printf("| %s | | no row takes matrix %zu | | | | | | |\n", d->name, i);
            return;
        }
        if (used < sizeof rows)
            used +=
                (size_t)snprintf(rows + used, sizeof rows - used, "%s%s", i ? " " : "", kernel[i]->technique);
    }
    if (time_rows(device, kernel, count, d, o, o->rounds, &t, y, why))
        print_line(d, d->groups, rows, &t, copy, verdict);
    else
        printf("| %s | | %s | %s | | | | | |\n", d->name, rows, why);
}

/* One shape with many vectors: a line for each row, and for the tables in a launch a vector. */
static void bench_vectors(struct assay_device *device, struct data *d, const struct options *o, uint8_t *y,
                          struct verdict *verdict)
{
    const struct assay_call call = call_of(d, 0, 0);
    const struct assay_kernel *chosen = cheapest(&device->info, &call, o);
    for (size_t k = 0; kernel_of(device->info.backend, k); k++) {
        const struct assay_kernel *kernel = kernel_of(device->info.backend, k);
        const bool table =
            strcmp(kernel->technique, "table") == 0 || strcmp(kernel->technique, "phased") == 0;
        for (int one_by_one = 0; one_by_one <= (int)table; one_by_one++) {
            struct timing t;
            char why[512] = "";
            if (!wanted(o->technique, o->techniques, kernel->technique) ||
                !kernel->present(&device->info, why))
                continue;
            d->one_by_one = one_by_one;
            const bool good = time_rows(device, &kernel, 1, d, o, o->rounds, &t, y, why);
            d->one_by_one = false;
            const char *how = one_by_one ? ", a launch a vector" : "";
            if (!good) {
                printf("| %s | %d | %s%s | %s | | |\n", d->name, (int)d->vectors, kernel->technique, how,
                       why);
                continue;
            }
            const double macs = (double)d->read_bytes / 18 * 128 * (double)d->vectors;
            printf("| %s | %d | %s%s%s | %.2f | %.2f | %s |\n", d->name, (int)d->vectors, kernel->technique,
                   how, kernel == chosen && !one_by_one ? " (chosen)" : "", t.ns / (double)d->matrices / 1000,
                   macs / t.ns / 1000, t.digest == d->digest ? "equal" : "DIFFER");
            fflush(stdout);
            verdict->differs |= t.digest != d->digest;
            verdict->timed++;
        }
    }
}

int main(int argc, char **argv)
{
    struct options o;
    const struct assay_driver_params defaults = {0};
    struct assay_device_list *list = calloc(1, sizeof *list);
    struct data *d = malloc(sizeof *d);
    struct assay_error error = {0};
    struct verdict all = {0};
    bool gated = false, reached = false;
    read_options(&o, argc, argv);
    if (!list || !d) die("devices", "no memory");
    assay_discover(&defaults, NULL, list);
    for (size_t i = 0; i < list->count; i++) {
        const struct assay_device_info *info = &list->device[i];
        char label[24];
        struct assay_device *device = NULL;
        assay_device_label(info, label);
        if (!wanted(o.device, o.devices, label) || info->duplicate) continue;
        if (info->software ? !o.allow_software : !info->usable) continue;
        if (assay_device_open(&defaults, info, &device, &error)) {
            printf("%s %s: %s\n", label, info->name, error.text);
            continue;
        }
        bool card = !info->software && strcmp(info->backend, "cpu") != 0;
        uint64_t bytes = (o.megabytes ? o.megabytes : card ? 208 : 16) * 1000000;
        double copy = card ? copy_cuda(info->index, 256u << 20, o.rounds)
                           : copy_host(256u << 20, o.rounds, info->compute_units ? info->compute_units : 1);
        printf("\n%s %s: copy %.1f GB/s (read plus written)\n\n", label, info->name, copy);
        if (o.vectors)
            printf("| matrix | vectors | row | us each | TMAC/s | bits |\n|---|---|---|---|---|---|\n");
        else
            printf("| matrices | count | row | us each | empty us | CPU us | read GB/s | of copy | bits "
                   "|\n|---|---|---|---|---|---|---|---|---|\n");
        for (size_t g = 0; g < o.groups * (o.vectors ? o.vectors : 1); g++) {
            const struct group *group = &o.group[g % o.groups];
            const int64_t vectors = o.vectors ? o.vector_count[g / o.groups] : 1;
            struct verdict verdict = {0};
            if (o.vectors && group->name) die(group->name, "--vectors takes shapes, not layers");
            *d = (struct data){0};
            const uint64_t two = (uint64_t)(2 * group->shape[0].m * group->shape[0].k / 128) * 18;
            make_data(d, group, o.vectors && !o.megabytes ? two : bytes, vectors);
            uint8_t *y = malloc(d->y_bytes);
            if (!y) die("data", "no memory");
            reference(d, y, list, &o);
            if (o.vectors)
                bench_vectors(device, d, &o, y, &verdict);
            else if (group->name)
                bench_layer(device, d, &o, y, copy, &verdict);
            else
                bench_shape(device, d, &o, y, copy, card, &verdict);
            all.differs |= verdict.differs;
            all.timed += verdict.timed;
            if (strcmp(info->backend, "cuda") == 0 && copy > 0 && !group->name && !o.vectors)
                gated = true, reached |= verdict.reached;
            free(y);
            free(d->w);
            free(d->x);
        }
        assay_device_close(device);
    }
    free(d);
    free(list);
    return all.differs ? 2 : !all.timed ? 3 : gated && !reached ? 4 : 0;
}
