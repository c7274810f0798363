/* The processor as a device: a pool of threads that runs the groups of native kernels. Threads are made at open and
 * joined at close; submit returns at once. Knows no operator; it runs the functions that programs hold. */
#include "devices/device.h"
#include "devices/clock.h"
#include "devices/dispatch.h"

#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if defined __x86_64__
#include <cpuid.h>
#endif

#define THREADS_MAX     1024
#define STACK_BYTES     (8u << 20)
#define BUFFER_ALIGN    4096
#define CHUNKS_A_THREAD 8 /* enough that a slow thread leaves little for the others to wait for */

struct assay_buffer {
    struct assay_device *device;
    struct assay_buffer *prev, *next;
    uint64_t bytes;
    void *data;
};

struct assay_program {
    struct assay_device *device;
    struct assay_program *prev, *next;
    const char *name;
    assay_native_fn native;
    uint32_t bindings;
};

/* A dispatch as the workers see it. */
struct task {
    assay_native_fn native;
    void *buffer[ASSAY_BINDINGS_MAX];
    _Alignas(16) uint8_t push[ASSAY_PUSH_MAX];
    uint32_t groups[3];
    uint64_t total, chunk;
    _Atomic uint64_t next;
};

struct cpu {
    struct assay_device base;
    atomic_flag busy;
    struct assay_buffer *buffers;
    struct assay_program *programs;

    pthread_t thread[THREADS_MAX];
    uint32_t thread_count;
    cpu_set_t *allowed; /* at open; NULL if unknown, or where threads are not as many */
    size_t allowed_bytes;
    pthread_barrier_t barrier; /* every thread, between dispatches */
    pthread_mutex_t mutex;     /* guards all that follows */
    pthread_cond_t work, done;
    uint64_t generation; /* of the submission that workers should run */
    struct task *tasks;
    size_t task_count, task_lead;
    bool in_flight, timed, finished, quit;
    atomic_bool cancel; /* close does not wait for groups that have not started */
    uint64_t start_ns, end_ns;
    uint32_t ready;
    bool wrong_environment;
};

static struct cpu *cpu_of(struct assay_device *device)
{
    return (struct cpu *)device;
}

/* ---- discovery ---- */

/* The processors that this process may use, of *bytes; to be freed by CPU_FREE. NULL if the kernel does not say. */
static cpu_set_t *allowed_set(size_t *bytes)
{
    for (int size = 1024; size <= 1 << 20; size *= 4) {
        cpu_set_t *set = CPU_ALLOC(size);
        if (!set) break;
        *bytes = CPU_ALLOC_SIZE(size);
        if (sched_getaffinity(0, *bytes, set) == 0) return set;
        int problem = errno;
        CPU_FREE(set);
        if (problem != EINVAL) break;
    }
    return NULL;
}

static uint32_t allowed_cores(void)
{
    size_t bytes;
    cpu_set_t *set = allowed_set(&bytes);
    if (set) {
        int count = CPU_COUNT_S(bytes, set);
        CPU_FREE(set);
        return count > 0 ? (uint32_t)count : 1;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}

static void cpuinfo_value(const char *key, char *value, size_t bytes)
{
    char line[512];
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (!file) return;
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !colon) continue;
        colon++;
        colon += strspn(colon, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(value, bytes, "%s", colon);
        break;
    }
    fclose(file);
}

static uint32_t simd_found(bool hidden)
{
    uint32_t simd = 0;
#if defined __x86_64__
    __builtin_cpu_init();
    if (__builtin_cpu_supports("fma")) simd |= ASSAY_SIMD_FMA;
    if (hidden) return simd;
    unsigned a, b, c, d;
    const bool f16c = __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C;
    if (f16c && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) simd |= ASSAY_SIMD_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
        simd |= ASSAY_SIMD_AVX512;
#else
    (void)hidden;
#endif
    return simd;
}

static void cpu_discover(const struct assay_driver_params *params, struct assay_device_info *list, size_t cap,
                         size_t *count, char note[256])
{
    *count = 0;
    note[0] = '\0';
    if (!cap) return;

    struct assay_device_info info = {.backend = "cpu", .kind = ASSAY_KIND_CPU, .usable = true};
    struct utsname system = {.sysname = "unknown"};
    uname(&system);
    snprintf(info.name, sizeof info.name, "%s processor", system.machine);
    cpuinfo_value("model name", info.name, sizeof info.name);
    snprintf(info.driver, sizeof info.driver, "%.60s %.80s", system.sysname, system.release);

    static const struct {
        const char *name;
        uint32_t id;
    } vendors[] = {{"GenuineIntel", 0x8086}, {"AuthenticAMD", 0x1022}};
    char vendor[64] = "";
    cpuinfo_value("vendor_id", vendor, sizeof vendor);
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        if (!strcmp(vendor, vendors[i].name)) info.vendor_id = vendors[i].id;

    info.simd = simd_found(params->no_cpu_simd);
    snprintf(info.api, sizeof info.api, "%.16s%s", system.machine,
             info.simd & ASSAY_SIMD_AVX512 ? " AVX-512"
             : info.simd & ASSAY_SIMD_AVX2 ? " AVX2"
                                           : "");

    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page_bytes > 0) info.device_local_bytes = (uint64_t)pages * (uint64_t)page_bytes;
    info.host_visible_device_local = true;
    info.compute_queues = 1;
    info.compute_units = allowed_cores();
    info.limits = (struct assay_limits){
        .binding_bytes = info.device_local_bytes,
        .allocation_bytes = info.device_local_bytes,
        .groups = {INT32_MAX, UINT16_MAX, UINT16_MAX}, /* their product fits 64 bits */
        .group_invocations = 1024,
        .shared_bytes = 48u << 10,
        .push_bytes = ASSAY_PUSH_MAX,
    };
    if (params->max_binding_bytes && params->max_binding_bytes < info.limits.binding_bytes)
        info.limits.binding_bytes = params->max_binding_bytes;
    list[0] = info;
    *count = 1;
}

/* ---- the pool ---- */

/* Threads inherit the floating-point environment of whoever opened the device; exact kernels need the default one:
 * rounding to nearest, subnormals kept. */
static bool environment_reset(void)
{
    if (fesetenv(FE_DFL_ENV) != 0) return false;
    volatile float least = 0x1p-149f, normal = 0x1p-126f, one = 1.0f, tie_down = 0x1p-24f, tie_up = 0x3p-24f;
    volatile float kept_input = least * 0x1p30f, kept_output = normal * 0x1p-20f;
    volatile float down = one + tie_down, up = one + tie_up;
    return kept_input == 0x1p-119f && kept_output == 0x1p-146f && down == 1.0f && up == 1.0f + 0x1p-22f;
}

static void task_run(struct cpu *cpu, struct task *task)
{
    const uint64_t plane = (uint64_t)task->groups[0] * task->groups[1];
    for (;;) {
        uint64_t first = atomic_fetch_add_explicit(&task->next, task->chunk, memory_order_relaxed);
        if (first >= task->total) return;
        uint64_t end = task->total - first < task->chunk ? task->total : first + task->chunk;
        for (uint64_t i = first; i < end; i++) {
            if (atomic_load_explicit(&cpu->cancel, memory_order_relaxed)) return;
            uint64_t in_plane = i % plane;
            const uint32_t group[3] = {(uint32_t)(in_plane % task->groups[0]),
                                       (uint32_t)(in_plane / task->groups[0]), (uint32_t)(i / plane)};
            task->native(task->buffer, task->push, group);
        }
    }
}

/* A set of the processor on which worker `index` sleeps, where there is a worker for each that is allowed; else NULL. Woken
 * threads would often share one processor for as long as a short submission takes, while others run on the rest. */
static cpu_set_t *home_make(const struct cpu *cpu, uint32_t index)
{
    if (!cpu->allowed) return NULL;
    cpu_set_t *home = CPU_ALLOC(8 * cpu->allowed_bytes);
    if (!home) return NULL;
    CPU_ZERO_S(cpu->allowed_bytes, home);
    for (size_t i = 0; i < 8 * cpu->allowed_bytes; i++)
        if (CPU_ISSET_S(i, cpu->allowed_bytes, cpu->allowed) && !index--) {
            CPU_SET_S(i, cpu->allowed_bytes, home);
            break;
        }
    return home;
}

static void *worker(void *context)
{
    struct cpu *cpu = context;
    uint64_t seen = 0;
    bool right = environment_reset();

    pthread_mutex_lock(&cpu->mutex);
    cpu_set_t *home = home_make(cpu, cpu->ready++);
    if (!right) cpu->wrong_environment = true;
    pthread_cond_signal(&cpu->done);
    for (;;) {
        if (home) sched_setaffinity(0, cpu->allowed_bytes, home);
        while (!cpu->quit && cpu->generation == seen) pthread_cond_wait(&cpu->work, &cpu->mutex);
        if (cpu->quit && cpu->generation == seen) break;
        seen = cpu->generation;
        struct task *tasks =
            cpu->tasks; /* the array is freed as soon as `finished` is set: no look at it after */
        const size_t count = cpu->task_count, lead = cpu->task_lead;
        if (!cpu->start_ns) cpu->start_ns = assay_clock_ns();
        pthread_mutex_unlock(&cpu->mutex);

        if (home) sched_setaffinity(0, cpu->allowed_bytes, cpu->allowed); /* long work may be moved */
        environment_reset(); /* a kernel of the last submission may have changed it */
        bool last = false;
        for (size_t i = 0; i < count; i++) {
            task_run(cpu, &tasks[i]);
            last = pthread_barrier_wait(&cpu->barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
            if (!last || i + 1 != lead) continue;
            pthread_mutex_lock(&cpu->mutex);
            cpu->start_ns = assay_clock_ns();
            pthread_mutex_unlock(&cpu->mutex);
        }

        pthread_mutex_lock(&cpu->mutex);
        if (last) {
            cpu->end_ns = assay_clock_ns();
            cpu->finished = true;
            pthread_cond_signal(&cpu->done);
        }
    }
    pthread_mutex_unlock(&cpu->mutex);
    CPU_FREE(home);
    return NULL;
}

/* Until the submission is done; the caller holds the mutex. */
static void submission_finish(struct cpu *cpu)
{
    while (cpu->in_flight && !cpu->finished) pthread_cond_wait(&cpu->done, &cpu->mutex);
    cpu->in_flight = false;
    free(cpu->tasks);
    cpu->tasks = NULL;
    cpu->task_count = 0;
}

static enum assay_status threads_start(struct cpu *cpu, struct assay_error *error)
{
    const uint32_t wanted = cpu->thread_count;
    enum assay_status status = ASSAY_OK;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    uint32_t made = 0;
    for (int rc = 0; made < wanted; made++) {
        rc = pthread_create(&cpu->thread[made], &attributes, worker, cpu);
        if (rc == 0) continue;
        status = assay_error_set(error, ASSAY_DEVICE_FAILURE,
                                 "cpu: pthread_create failed (%d) at thread %" PRIu32 " of %" PRIu32, rc,
                                 made + 1, wanted);
        break;
    }
    pthread_attr_destroy(&attributes);
    cpu->thread_count = made;
    if (status != ASSAY_OK) return status;

    pthread_mutex_lock(&cpu->mutex);
    while (cpu->ready < made) pthread_cond_wait(&cpu->done, &cpu->mutex);
    bool wrong = cpu->wrong_environment;
    pthread_mutex_unlock(&cpu->mutex);
    if (wrong)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED,
                               "cpu: threads do not round to nearest or do not keep subnormals");
    return ASSAY_OK;
}

static void cpu_close(struct assay_device *device)
{
    if (!device) return;
    struct cpu *cpu = cpu_of(device);
    atomic_store(&cpu->cancel, true);
    pthread_mutex_lock(&cpu->mutex);
    submission_finish(cpu);
    cpu->quit = true;
    pthread_cond_broadcast(&cpu->work);
    pthread_mutex_unlock(&cpu->mutex);
    for (uint32_t i = 0; i < cpu->thread_count; i++) pthread_join(cpu->thread[i], NULL);

    for (struct assay_program *p = cpu->programs, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    for (struct assay_buffer *b = cpu->buffers, *next; b; b = next) {
        next = b->next;
        free(b->data);
        free(b);
    }
    pthread_barrier_destroy(&cpu->barrier);
    pthread_cond_destroy(&cpu->done);
    pthread_cond_destroy(&cpu->work);
    pthread_mutex_destroy(&cpu->mutex);
    CPU_FREE(cpu->allowed);
    free(cpu);
}

static enum assay_status cpu_open(const struct assay_driver_params *params,
                                  const struct assay_device_info *info, struct assay_device **device,
                                  struct assay_error *error)
{
    *device = NULL;
    uint32_t threads = params->cpu_threads   ? params->cpu_threads
                       : info->compute_units ? info->compute_units
                                             : 1;
    if (params->cpu_threads > THREADS_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "cpu: %" PRIu32 " threads asked for, at most %d",
                               params->cpu_threads, THREADS_MAX);
    if (threads > THREADS_MAX) threads = THREADS_MAX;

    struct cpu *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cpu: no memory for a handle (%zu bytes)",
                               sizeof *cpu);
    cpu->base.backend = &assay_backend_cpu;
    cpu->base.info = *info;
    cpu->thread_count = threads;
    cpu->allowed = threads > 1 && threads == allowed_cores() ? allowed_set(&cpu->allowed_bytes) : NULL;
    atomic_flag_clear(&cpu->busy);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&cpu->mutex, NULL);
    pthread_cond_init(&cpu->work, NULL);
    pthread_cond_init(&cpu->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_barrier_init(&cpu->barrier, NULL, threads);

    enum assay_status status = threads_start(cpu, error);
    if (status != ASSAY_OK)
        cpu_close(&cpu->base);
    else
        *device = &cpu->base;
    return status;
}

/* ---- buffers ---- */

static enum assay_status buffer_create(struct cpu *cpu, uint64_t bytes, struct assay_buffer **buffer,
                                       struct assay_error *error)
{
    const uint64_t limit = cpu->base.info.limits.allocation_bytes;
    struct assay_buffer *made = NULL;
    if (bytes < 4) bytes = 4;
    if (bytes > limit || cpu->base.allocated_bytes > limit - bytes) goto no_memory;
    made = calloc(1, sizeof *made);
    if (!made || posix_memalign(&made->data, BUFFER_ALIGN, bytes) != 0) goto no_memory;
    made->device = &cpu->base;
    made->bytes = bytes;
    made->next = cpu->buffers;
    if (made->next) made->next->prev = made;
    cpu->buffers = made;
    cpu->base.allocated_bytes += bytes;
    *buffer = made;
    return ASSAY_OK;

no_memory:
    free(made);
    return assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                           "cpu: no memory for a buffer of %" PRIu64 " bytes (%" PRIu64 " in use, %" PRIu64
                           " in all)",
                           bytes, cpu->base.allocated_bytes, limit);
}

static enum assay_status cpu_buffer_create(struct assay_device *device, uint64_t bytes,
                                           struct assay_buffer **buffer, struct assay_error *error)
{
    struct cpu *cpu = cpu_of(device);
    *buffer = NULL;
    enum assay_status status = assay_handle_enter(device, &cpu->busy, "buffer_create", error);
    if (status != ASSAY_OK) return status;
    status = buffer_create(cpu, bytes, buffer, error);
    assay_handle_leave(&cpu->busy);
    return status;
}

/* Memory must not go away under running kernels. */
static void settle(struct cpu *cpu)
{
    pthread_mutex_lock(&cpu->mutex);
    while (cpu->in_flight && !cpu->finished) pthread_cond_wait(&cpu->done, &cpu->mutex);
    pthread_mutex_unlock(&cpu->mutex);
}

static void cpu_buffer_destroy(struct assay_device *device, struct assay_buffer *buffer)
{
    if (!buffer) return;
    struct cpu *cpu = cpu_of(device);
    settle(cpu);
    if (buffer->prev) buffer->prev->next = buffer->next;
    if (buffer->next) buffer->next->prev = buffer->prev;
    if (cpu->buffers == buffer) cpu->buffers = buffer->next;
    device->allocated_bytes -= buffer->bytes;
    free(buffer->data);
    free(buffer);
}

static enum assay_status copy(struct assay_device *device, const char *act, struct assay_buffer *buffer,
                              uint64_t offset_bytes, void *into, const void *from, uint64_t bytes,
                              struct assay_error *error)
{
    struct cpu *cpu = cpu_of(device);
    enum assay_status status = assay_handle_enter(device, &cpu->busy, act, error);
    if (status != ASSAY_OK) return status;
    if (!buffer || buffer->device != device)
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "cpu: %s of a buffer of another device", act);
    else if (cpu->in_flight)
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "cpu: %s while a submission is in flight", act);
    else
        status = assay_range_check(device, act, buffer->bytes, offset_bytes, bytes, error);
    if (status == ASSAY_OK && bytes) {
        char *place = (char *)buffer->data + offset_bytes;
        memcpy(into ? into : place, into ? place : from, bytes);
    }
    assay_handle_leave(&cpu->busy);
    return status;
}

static enum assay_status cpu_write(struct assay_device *device, struct assay_buffer *buffer,
                                   uint64_t offset_bytes, const void *data, uint64_t bytes,
                                   struct assay_error *error)
{
    return copy(device, "write", buffer, offset_bytes, NULL, data, bytes, error);
}

static enum assay_status cpu_read(struct assay_device *device, struct assay_buffer *buffer,
                                  uint64_t offset_bytes, void *data, uint64_t bytes,
                                  struct assay_error *error)
{
    return copy(device, "read", buffer, offset_bytes, data, NULL, bytes, error);
}

/* ---- programs ---- */

static enum assay_status program_create(struct cpu *cpu, const struct assay_program_params *params,
                                        struct assay_program **program, struct assay_error *error)
{
    const struct assay_code *code = NULL;
    for (size_t i = 0; i < params->code_count && !code; i++)
        if (params->codes[i].kind == ASSAY_CODE_NATIVE && params->codes[i].native) code = &params->codes[i];
    if (!code)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "cpu: program %s has no native code",
                               params->code_count ? params->codes[0].name : "(without code)");
    enum assay_status status = assay_program_check(&cpu->base, params, code->name, error);
    if (status != ASSAY_OK) return status;
    struct assay_program *made = calloc(1, sizeof *made);
    if (!made)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cpu: no memory for program %s (%zu bytes)",
                               code->name, sizeof *made);
    made->device = &cpu->base;
    made->name = code->name;
    made->native = code->native;
    made->bindings = params->bindings;
    made->next = cpu->programs;
    if (made->next) made->next->prev = made;
    cpu->programs = made;
    *program = made;
    if (params->loaded) *params->loaded = code;
    return ASSAY_OK;
}

static enum assay_status cpu_program_create(struct assay_device *device,
                                            const struct assay_program_params *params,
                                            struct assay_program **program, struct assay_error *error)
{
    struct cpu *cpu = cpu_of(device);
    *program = NULL;
    enum assay_status status = assay_handle_enter(device, &cpu->busy, "program_create", error);
    if (status != ASSAY_OK) return status;
    status = program_create(cpu, params, program, error);
    assay_handle_leave(&cpu->busy);
    return status;
}

static void cpu_program_destroy(struct assay_device *device, struct assay_program *program)
{
    if (!program) return;
    struct cpu *cpu = cpu_of(device);
    settle(cpu);
    if (program->prev) program->prev->next = program->next;
    if (program->next) program->next->prev = program->prev;
    if (cpu->programs == program) cpu->programs = program->next;
    free(program);
}

/* ---- submissions ---- */

static enum assay_status task_prepare(struct cpu *cpu, const struct assay_dispatch *dispatch,
                                      struct task *task, struct assay_error *error)
{
    const struct assay_program *program = dispatch->program;
    uint64_t buffer_bytes[ASSAY_BINDINGS_MAX], range_bytes[ASSAY_BINDINGS_MAX];
    if (!program || program->device != &cpu->base)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "cpu: dispatch of a program of another device");
    for (uint32_t i = 0; i < program->bindings; i++) {
        struct assay_buffer *buffer = dispatch->binding[i].buffer;
        if (!buffer || buffer->device != &cpu->base)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "cpu: binding %" PRIu32 " of %s is no buffer of this device", i,
                                   program->name);
        buffer_bytes[i] = buffer->bytes;
    }
    enum assay_status status = assay_dispatch_check(&cpu->base, dispatch, program->bindings, program->name,
                                                    buffer_bytes, range_bytes, error);
    if (status != ASSAY_OK) return status;

    for (uint32_t i = 0; i < program->bindings; i++)
        task->buffer[i] = (char *)dispatch->binding[i].buffer->data + dispatch->binding[i].offset_bytes;
    task->native = program->native;
    memcpy(task->push, dispatch->push, sizeof task->push);
    memcpy(task->groups, dispatch->groups, sizeof task->groups);
    task->total = (uint64_t)task->groups[0] * task->groups[1] * task->groups[2];
    task->chunk = task->total / ((uint64_t)cpu->thread_count * CHUNKS_A_THREAD);
    if (!task->chunk) task->chunk = 1;
    atomic_init(&task->next, 0);
    return ASSAY_OK;
}

static enum assay_status submit(struct cpu *cpu, const struct assay_dispatch *dispatches, size_t count,
                                struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    const uint64_t begin_ns = assay_clock_ns();
    const size_t lead = cpu->base.lead;
    if (cpu->in_flight)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "cpu: submission already in flight");
    if (!count) return assay_error_set(error, ASSAY_INVALID_INPUT, "cpu: submission of no dispatches");
    struct task *tasks = count <= SIZE_MAX / sizeof *tasks ? aligned_alloc(16, count * sizeof *tasks) : NULL;
    if (!tasks)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                               "cpu: no memory for a submission of %zu dispatches", count);
    for (size_t i = 0; i < count && status == ASSAY_OK; i++)
        status = task_prepare(cpu, &dispatches[i], &tasks[i], error);
    if (status != ASSAY_OK) {
        free(tasks);
        return status;
    }
    cpu->base.recorded = 0;
    for (size_t i = lead; i < count; i++) cpu->base.recorded += tasks[i].total > 0;
    const uint64_t recorded_ns = assay_clock_ns();
    pthread_mutex_lock(&cpu->mutex);
    cpu->tasks = tasks;
    cpu->task_count = count;
    cpu->task_lead = lead;
    cpu->timed = !cpu->base.untimed;
    cpu->in_flight = true;
    cpu->finished = false;
    cpu->start_ns = 0;
    cpu->generation++;
    pthread_cond_broadcast(&cpu->work);
    pthread_mutex_unlock(&cpu->mutex);
    cpu->base.record_ns = recorded_ns - begin_ns;
    cpu->base.submit_ns = assay_clock_ns() - recorded_ns;
    return ASSAY_OK;
}

static enum assay_status cpu_submit(struct assay_device *device, const struct assay_dispatch *dispatches,
                                    size_t count, struct assay_error *error)
{
    struct cpu *cpu = cpu_of(device);
    enum assay_status status = assay_handle_enter(device, &cpu->busy, "submit", error);
    if (status != ASSAY_OK) return status;
    status = submit(cpu, dispatches, count, error);
    assay_handle_leave(&cpu->busy);
    return status;
}

static enum assay_status wait_done(struct cpu *cpu, uint64_t timeout_ns, uint64_t *device_ns,
                                   struct assay_error *error)
{
    if (!cpu->in_flight) return assay_error_set(error, ASSAY_INVALID_INPUT, "cpu: wait without a submission");
    const uint64_t start = assay_clock_ns();
    const bool forever = timeout_ns == 0 || timeout_ns > (uint64_t)INT64_MAX - start;
    const uint64_t end = forever ? 0 : start + timeout_ns;
    const struct timespec deadline = {.tv_sec = (time_t)(end / 1000000000u),
                                      .tv_nsec = (long)(end % 1000000000u)};

    pthread_mutex_lock(&cpu->mutex);
    int rc = 0;
    while (!cpu->finished && rc != ETIMEDOUT)
        rc = forever ? pthread_cond_wait(&cpu->done, &cpu->mutex)
                     : pthread_cond_timedwait(&cpu->done, &cpu->mutex, &deadline);
    const bool finished = cpu->finished;
    if (finished) {
        if (device_ns && cpu->timed) *device_ns = cpu->end_ns - cpu->start_ns;
        submission_finish(cpu);
    }
    pthread_mutex_unlock(&cpu->mutex);
    if (!finished)
        return assay_error_set(error, ASSAY_TIMEOUT, "cpu: the submission was not done within %" PRIu64 " ns",
                               timeout_ns);
    return ASSAY_OK;
}

static enum assay_status cpu_wait(struct assay_device *device, uint64_t timeout_ns, uint64_t *device_ns,
                                  struct assay_error *error)
{
    struct cpu *cpu = cpu_of(device);
    if (device_ns) *device_ns = 0;
    enum assay_status status = assay_handle_enter(device, &cpu->busy, "wait", error);
    if (status != ASSAY_OK) return status;
    status = wait_done(cpu, timeout_ns, device_ns, error);
    assay_handle_leave(&cpu->busy);
    return status;
}

const struct assay_backend assay_backend_cpu = {
    .name = "cpu",
    .discover = cpu_discover,
    .open = cpu_open,
    .close = cpu_close,
    .buffer_create = cpu_buffer_create,
    .buffer_destroy = cpu_buffer_destroy,
    .write = cpu_write,
    .read = cpu_read,
    .program_create = cpu_program_create,
    .program_destroy = cpu_program_destroy,
    .submit = cpu_submit,
    .wait = cpu_wait,
};
