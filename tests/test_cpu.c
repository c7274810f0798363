/* The CPU backend: groups and order, threads, time limits, the floating-point environment, and every refusal. */
#include "devices/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

static struct assay_device *open_cpu(uint32_t threads)
{
    struct assay_driver_params params = {.cpu_threads = threads};
    struct assay_device_info info;
    char note[256];
    size_t count = 0;
    assay_backend_cpu.discover(&params, &info, 1, &count, note);
    assert_int_equal(count, 1);
    struct assay_device *device = NULL;
    OK(assay_backend_cpu.open(&params, &info, &device, &error));
    return device;
}

static struct assay_program *make(struct assay_device *device, assay_native_fn native, uint32_t bindings)
{
    struct assay_code code = {.kind = ASSAY_CODE_NATIVE, .name = "test", .native = native};
    struct assay_program_params params = {
        .codes = &code, .code_count = 1, .bindings = bindings, .push_bytes = 16, .group = {1, 1, 1}};
    struct assay_program *program = NULL;
    OK(device->backend->program_create(device, &params, &program, &error));
    return program;
}

static struct assay_buffer *make_buffer(struct assay_device *device, uint64_t bytes)
{
    struct assay_buffer *buffer = NULL;
    OK(device->backend->buffer_create(device, bytes, &buffer, &error));
    return buffer;
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void discovery(void **state)
{
    (void)state;
    struct assay_driver_params params = {.max_binding_bytes = 1024};
    struct assay_device_info info, plain;
    char note[256];
    size_t count = 7;
    assay_backend_cpu.discover(&params, &info, 1, &count, note);
    assert_int_equal(count, 1);
    assert_int_equal(info.kind, ASSAY_KIND_CPU);
    assert_true(info.usable);
    assert_false(info.software);
    assert_true(*info.name);
    assert_true(info.compute_units >= 1);
    assert_true(info.device_local_bytes > 1u << 20);
    assert_int_equal(info.limits.binding_bytes, 1024);

    params = (struct assay_driver_params){.no_cpu_simd = true};
    assay_backend_cpu.discover(&params, &plain, 1, &count, note);
    assert_int_equal(plain.simd & (ASSAY_SIMD_AVX2 | ASSAY_SIMD_AVX512), 0);

    assay_backend_cpu.discover(&params, &plain, 0, &count, note);
    assert_int_equal(count, 0);
}

/* Each group adds its place to one word: a group left out or run twice shows. */
static void mark(void *const *buffers, const void *push, const uint32_t group[3])
{
    uint32_t size[3];
    memcpy(size, push, sizeof size);
    _Atomic uint32_t *words = buffers[0];
    size_t i = ((size_t)group[2] * size[1] + group[1]) * size[0] + group[0];
    atomic_fetch_add(&words[i], (uint32_t)i + 1);
}

static void groups_once_each(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        struct assay_device *device = open_cpu(threads);
        const struct assay_backend *b = device->backend;
        struct assay_program *program = make(device, mark, 1);
        const uint32_t sizes[][3] = {{1, 1, 1}, {7, 1, 1}, {1, 5, 3}, {33, 4, 5}, {0, 4, 4}, {1000, 1, 3}};
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            uint32_t total = sizes[s][0] * sizes[s][1] * sizes[s][2];
            uint32_t *words = calloc(total + 1, 4);
            struct assay_buffer *buffer = make_buffer(device, 4 * (total + 1));
            OK(b->write(device, buffer, 0, words, 4 * (total + 1), &error));
            struct assay_dispatch dispatch = {.program = program, .binding = {{.buffer = buffer}}};
            memcpy(dispatch.groups, sizes[s], sizeof sizes[s]);
            memcpy(dispatch.push, sizes[s], sizeof sizes[s]);
            OK(b->submit(device, &dispatch, 1, &error));
            OK(b->wait(device, 0, NULL, &error));
            OK(b->read(device, buffer, 0, words, 4 * (total + 1), &error));
            for (uint32_t i = 0; i < total; i++) assert_int_equal(words[i], i + 1);
            assert_int_equal(words[total], 0);
            b->buffer_destroy(device, buffer);
            free(words);
        }
        assay_device_close(device);
    }
}

/* out[g] = 3 * in[n - 1 - g] + 1: reads what another group of the dispatch before wrote. */
static void step(void *const *buffers, const void *push, const uint32_t group[3])
{
    uint32_t n;
    memcpy(&n, push, sizeof n);
    const uint32_t *in = buffers[0];
    uint32_t *out = buffers[1];
    out[group[0]] = 3 * in[n - 1 - group[0]] + 1;
}

static void dispatches_see_those_before(void **state)
{
    (void)state;
    enum { N = 64, STEPS = 300 };
    struct assay_device *device = open_cpu(4);
    const struct assay_backend *b = device->backend;
    struct assay_program *program = make(device, step, 2);
    struct assay_buffer *buffer[2] = {make_buffer(device, 4 * N), make_buffer(device, 4 * N)};
    uint32_t want[N], next[N], got[N], n = N;
    for (uint32_t i = 0; i < N; i++) want[i] = i;
    OK(b->write(device, buffer[0], 0, want, sizeof want, &error));
    static struct assay_dispatch dispatch[STEPS];
    for (int s = 0; s < STEPS; s++) {
        dispatch[s] = (struct assay_dispatch){.program = program, .groups = {N, 1, 1}};
        dispatch[s].binding[0].buffer = buffer[s % 2];
        dispatch[s].binding[1].buffer = buffer[1 - s % 2];
        memcpy(dispatch[s].push, &n, sizeof n);
        for (int i = 0; i < N; i++) next[i] = 3 * want[N - 1 - i] + 1;
        memcpy(want, next, sizeof want);
    }
    uint64_t ns = 0;
    OK(b->submit(device, dispatch, STEPS, &error));
    OK(b->wait(device, 0, &ns, &error));
    assert_true(ns > 0);
    OK(b->read(device, buffer[STEPS % 2], 0, got, sizeof got, &error));
    assert_memory_equal(got, want, sizeof want);
    assay_device_close(device);
}

static void naps(void *const *buffers, const void *push, const uint32_t group[3])
{
    (void)buffers, (void)push, (void)group;
    usleep(80000);
}

static void submissions(void **state)
{
    (void)state;
    struct assay_device *device = open_cpu(2);
    const struct assay_backend *b = device->backend;
    struct assay_program *program = make(device, naps, 0);
    struct assay_dispatch dispatch = {.program = program, .groups = {2, 1, 1}};
    struct assay_buffer *buffer = make_buffer(device, 16);
    uint32_t word = 0;
    uint64_t ns = 1;

    FAILS(ASSAY_INVALID_INPUT, "wait without a submission", b->wait(device, 0, &ns, &error));
    FAILS(ASSAY_INVALID_INPUT, "no dispatches", b->submit(device, &dispatch, 0, &error));
    uint64_t before = now_ns();
    OK(b->submit(device, &dispatch, 1, &error));
    assert_true(now_ns() - before < 40000000);
    FAILS(ASSAY_INVALID_INPUT, "submission already in flight", b->submit(device, &dispatch, 1, &error));
    FAILS(ASSAY_INVALID_INPUT, "in flight", b->write(device, buffer, 0, &word, 4, &error));
    FAILS(ASSAY_TIMEOUT, "1000000 ns", b->wait(device, 1000000, &ns, &error));
    assert_int_equal(ns, 0);
    OK(b->wait(device, 60000000000u, &ns, &error));
    assert_true(ns >= 80000000 && ns < 10000000000u);
    FAILS(ASSAY_INVALID_INPUT, "wait without a submission", b->wait(device, 0, &ns, &error));

    /* Close drops what has not started: 1000 naps would be 40 s. */
    dispatch.groups[0] = 1000;
    before = now_ns();
    OK(b->submit(device, &dispatch, 1, &error));
    assay_device_close(device);
    assert_true(now_ns() - before < 5000000000u);
}

static void refusals(void **state)
{
    (void)state;
    struct assay_device *device = open_cpu(1), *other = open_cpu(1);
    const struct assay_backend *b = device->backend;
    struct assay_buffer *buffer = make_buffer(device, 1024), *foreign = make_buffer(other, 1024),
                        *none = NULL;
    struct assay_program *program = make(device, mark, 1);
    char bytes[16] = {0};

    FAILS(ASSAY_INVALID_INPUT, "past the end", b->write(device, buffer, 1020, bytes, 8, &error));
    FAILS(ASSAY_INVALID_INPUT, "past the end", b->read(device, buffer, UINT64_MAX - 3, bytes, 8, &error));
    FAILS(ASSAY_INVALID_INPUT, "another device", b->write(device, foreign, 0, bytes, 8, &error));
    FAILS(ASSAY_OUT_OF_MEMORY, "18446744073709551615 bytes",
          b->buffer_create(device, UINT64_MAX, &none, &error));
    FAILS(ASSAY_OUT_OF_MEMORY, "bytes",
          b->buffer_create(device, device->info.device_local_bytes / 2 * 3, &none, &error));
    assert_null(none);
    OK(b->write(device, buffer, 1024, bytes, 0, &error));

    struct assay_dispatch good = {.program = program, .binding = {{.buffer = buffer}}, .groups = {1, 1, 1}},
                          bad;
    memcpy(good.push, (uint32_t[]){1, 1, 1}, 12);
#define BAD(change, want, words)                                                                             \
    do {                                                                                                     \
        bad = good;                                                                                          \
        change;                                                                                              \
        FAILS(want, words, b->submit(device, &bad, 1, &error));                                              \
    } while (0)
    BAD(bad.binding[0].offset_bytes = 128, ASSAY_INVALID_INPUT, "not a multiple of 256");
    BAD(bad.binding[0].offset_bytes = 1024, ASSAY_INVALID_INPUT, "past the end");
    BAD(bad.binding[0].bytes = 1025, ASSAY_INVALID_INPUT, "past the end");
    BAD(bad.binding[0].buffer = NULL, ASSAY_INVALID_INPUT, "binding 0");
    BAD(bad.binding[0].buffer = foreign, ASSAY_INVALID_INPUT, "binding 0");
    BAD(bad.program = NULL, ASSAY_INVALID_INPUT, "program");
    BAD(bad.groups[1] = 65536, ASSAY_UNSUPPORTED, "65536 groups in y, the limit is 65535");
    OK(b->submit(device, &good, 1, &error));
    OK(b->wait(device, 0, NULL, &error));

    struct assay_program *made = NULL;
    struct assay_code spirv = {.kind = ASSAY_CODE_SPIRV, .name = "only spirv"};
    struct assay_program_params params = {.codes = &spirv, .code_count = 1, .group = {1, 1, 1}};
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "only spirv", b->program_create(device, &params, &made, &error));
    assert_null(made);

    struct assay_code native = {.kind = ASSAY_CODE_NATIVE, .name = "shaped", .native = mark};
    const struct {
        struct assay_program_params params;
        enum assay_status status;
        const char *words;
    } shapes[] = {
        {{.bindings = 9, .group = {1, 1, 1}}, ASSAY_INVALID_INPUT, "9 storage buffers, the limit is 8"},
        {{.spec_count = 17, .group = {1, 1, 1}}, ASSAY_INVALID_INPUT, "17 specialisation constants"},
        {{.push_bytes = 132, .group = {1, 1, 1}}, ASSAY_INVALID_INPUT, "132 push-constant bytes"},
        {{.push_bytes = 6, .group = {1, 1, 1}}, ASSAY_INVALID_INPUT, "not a multiple of 4"},
        {{.group = {1, 0, 1}}, ASSAY_INVALID_INPUT, "group of 1 x 0 x 1"},
        {{.group = {64, 32, 1}}, ASSAY_UNSUPPORTED, "2048 invocations a group"},
        {{.group = {UINT32_MAX, UINT32_MAX, UINT32_MAX}}, ASSAY_UNSUPPORTED, "invocations a group"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        params = shapes[i].params;
        params.codes = &native;
        params.code_count = 1;
        FAILS(shapes[i].status, shapes[i].words, b->program_create(device, &params, &made, &error));
    }

    struct assay_driver_params many = {.cpu_threads = 5000};
    struct assay_device *not_opened = NULL;
    FAILS(ASSAY_INVALID_INPUT, "5000", b->open(&many, &device->info, &not_opened, &error));

    b->buffer_destroy(device, NULL);
    b->program_destroy(device, NULL);
    b->program_destroy(device, program);
    assay_device_close(device);
    assay_device_close(other);
    assay_device_close(NULL);
}

static void limits_lowered(void **state)
{
    (void)state;
    struct assay_driver_params params = {.cpu_threads = 1, .max_binding_bytes = 1024};
    struct assay_device_info info;
    char note[256];
    size_t count;
    assay_backend_cpu.discover(&params, &info, 1, &count, note);
    struct assay_device *device = NULL;
    OK(assay_backend_cpu.open(&params, &info, &device, &error));
    struct assay_buffer *buffer = make_buffer(device, 4096);
    struct assay_dispatch dispatch = {
        .program = make(device, mark, 1), .binding = {{.buffer = buffer}}, .groups = {1, 1, 1}};
    FAILS(ASSAY_UNSUPPORTED, "4096 bytes, the storage-binding limit is 1024",
          device->backend->submit(device, &dispatch, 1, &error));
    assay_device_close(device);
}

static void memory_is_counted(void **state)
{
    (void)state;
    struct assay_device *device = open_cpu(1);
    struct assay_buffer *a = make_buffer(device, 0), *b = make_buffer(device, 1000),
                        *c = make_buffer(device, 5000);
    assert_int_equal(device->allocated_bytes, 4 + 1000 + 5000);
    device->backend->buffer_destroy(device, b);
    assert_int_equal(device->allocated_bytes, 4 + 5000);
    device->backend->buffer_destroy(device, a);
    device->backend->buffer_destroy(device, c);
    assert_int_equal(device->allocated_bytes, 0);
    assay_device_close(device);
}

/* A kernel that leaves the worker with another rounding and flushed subnormals, as foreign code may. */
static void spoil(void *const *buffers, const void *push, const uint32_t group[3])
{
    (void)buffers, (void)push, (void)group;
    fesetround(FE_UPWARD);
#if defined __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

static void arithmetic(void *const *buffers, const void *push, const uint32_t group[3])
{
    (void)push, (void)group;
    volatile float one = 1.0f, small = 0x1p-40f, least = 0x1p-149f, two = 2.0f;
    float *out = buffers[0];
    out[0] = one + small;
    out[1] = least * two;
}

static void environment_is_default(void **state)
{
    (void)state;
    fesetround(FE_UPWARD);
#if defined __x86_64__
    unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | 0x8040);
#endif
    struct assay_device *device = open_cpu(2);
#if defined __x86_64__
    _mm_setcsr(saved);
#endif
    fesetround(FE_TONEAREST);
    const struct assay_backend *b = device->backend;
    struct assay_program *bad = make(device, spoil, 0), *good = make(device, arithmetic, 1);
    struct assay_buffer *buffer = make_buffer(device, 8);
    for (int round = 0; round < 2; round++) {
        uint32_t got[2];
        struct assay_dispatch dispatch = {
            .program = good, .binding = {{.buffer = buffer}}, .groups = {1, 1, 1}};
        OK(b->submit(device, &dispatch, 1, &error));
        OK(b->wait(device, 0, NULL, &error));
        OK(b->read(device, buffer, 0, got, sizeof got, &error));
        assert_int_equal(got[0], 0x3f800000);
        assert_int_equal(got[1], 2);
        dispatch = (struct assay_dispatch){.program = bad, .groups = {64, 1, 1}};
        OK(b->submit(device, &dispatch, 1, &error));
        OK(b->wait(device, 0, NULL, &error));
    }
    assay_device_close(device);
}

static void *wait_long(void *context)
{
    struct assay_device *device = context;
    struct assay_error error = {0};
    enum assay_status status;
    do status = device->backend->wait(device, 0, NULL, &error);
    while (status == ASSAY_INVALID_INPUT &&
           strstr(error.text, "another thread")); /* the test was just inside */
    return (void *)(intptr_t)status;
}

static void one_thread_at_a_time(void **state)
{
    (void)state;
    struct assay_device *device = open_cpu(1);
    const struct assay_backend *b = device->backend;
    struct assay_dispatch dispatch = {.program = make(device, naps, 0), .groups = {6, 1, 1}};
    struct assay_buffer *buffer = make_buffer(device, 4);
    uint32_t word = 0;
    bool seen = false;
    for (int round = 0; round < 20 && !seen;
         round++) { /* on a busy machine the other thread may come and go unseen */
        struct assay_error error = {0};
        pthread_t thread;
        void *result = NULL;
        OK(b->submit(device, &dispatch, 1, &error));
        assert_int_equal(pthread_create(&thread, NULL, wait_long, device), 0);
        while (!seen && b->write(device, buffer, 0, &word, 4, &error) != ASSAY_OK) {
            seen = strstr(error.text, "another thread");
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        pthread_join(thread, &result);
        assert_int_equal((intptr_t)result, ASSAY_OK);
    }
    assert_true(seen);
    OK(b->write(device, buffer, 0, &word, 4, &error));
    assay_device_close(device);
}

static void many_cycles(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        struct assay_device *device = open_cpu(3);
        struct assay_dispatch dispatch = {.program = make(device, mark, 1),
                                          .binding = {{.buffer = make_buffer(device, 64)}},
                                          .groups = {1, 1, 1}};
        memcpy(dispatch.push, (uint32_t[]){1, 1, 1}, 12);
        uint32_t zero = 0;
        OK(device->backend->write(device, dispatch.binding[0].buffer, 0, &zero, 4, &error));
        OK(device->backend->submit(device, &dispatch, 1, &error));
        if (i % 2) OK(device->backend->wait(device, 0, NULL, &error));
        assay_device_close(device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discovery),
        cmocka_unit_test(groups_once_each),
        cmocka_unit_test(dispatches_see_those_before),
        cmocka_unit_test(submissions),
        cmocka_unit_test(refusals),
        cmocka_unit_test(limits_lowered),
        cmocka_unit_test(memory_is_counted),
        cmocka_unit_test(environment_is_default),
        cmocka_unit_test(one_thread_at_a_time),
        cmocka_unit_test(many_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
