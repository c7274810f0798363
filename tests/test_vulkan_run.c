/* The Vulkan backend on this machine's software renderer: real runs, with and without staging. */
#include "devices/device.h"
#include "devices/vulkan.h"
#include "tests/vulkan_mix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct assay_code mix = {.kind = ASSAY_CODE_SPIRV,
                                      .name = "mix",
                                      .entry = "main",
                                      .data = vulkan_mix_words,
                                      .end = (const char *)vulkan_mix_words + sizeof vulkan_mix_words};

static struct assay_device *open_software(const struct assay_driver_params *params)
{
    struct assay_device_info list[8];
    size_t count = 0;
    char note[256];
    assay_backend_vulkan.discover(params, list, 8, &count, note);
    for (size_t i = 0; i < count; i++) {
        if (!list[i].software) continue;
        assert_false(list[i].usable);
        assert_non_null(strstr(list[i].why, "software renderer"));
        struct assay_device *device = NULL;
        OK(assay_backend_vulkan.open(params, &list[i], &device, &error));
        return device;
    }
    fail_msg("no software renderer on this machine: %s", note);
    return NULL;
}

static struct assay_program *make_mix(struct assay_device *device, uint32_t factor)
{
    struct assay_program_params params = {.codes = &mix,
                                          .code_count = 1,
                                          .bindings = 2,
                                          .push_bytes = 12,
                                          .group = {32, 1, 1},
                                          .spec = {factor},
                                          .spec_count = 1};
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

static uint32_t mixed(uint32_t v, uint32_t factor, uint32_t add, uint32_t loops)
{
    for (uint32_t j = 0; j < loops; j++) v = v * 1664525u + 1013904223u;
    return v * factor + add;
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Two programs in turn over two buffers, many dispatches in one submission. */
static void run_chain(struct assay_device *device, uint32_t n, uint32_t steps)
{
    const struct assay_backend *b = device->backend;
    struct assay_program *program[2] = {make_mix(device, 3), make_mix(device, 5)};
    struct assay_buffer *buffer[2] = {make_buffer(device, 4 * n), make_buffer(device, 4 * n + 256)};
    uint32_t *want = malloc(4 * n), *got = malloc(4 * n);
    struct assay_dispatch *dispatch = calloc(steps, sizeof *dispatch);
    for (uint32_t i = 0; i < n; i++) want[i] = i * 2654435761u;
    OK(b->write(device, buffer[0], 0, want, 4 * n, &error));
    for (uint32_t s = 0; s < steps; s++) {
        uint32_t push[3] = {n, s, s % 3};
        dispatch[s].program = program[s % 2];
        dispatch[s].groups[0] = (n + 31) / 32;
        dispatch[s].groups[1] = dispatch[s].groups[2] = 1;
        for (uint32_t i = 0; i < 2; i++) {
            dispatch[s].binding[i].buffer = buffer[(s + i) % 2];
            dispatch[s].binding[i].offset_bytes = (s + i) % 2 ? 256 : 0;
        }
        memcpy(dispatch[s].push, push, sizeof push);
        for (uint32_t i = 0; i < n; i++) want[i] = mixed(want[i], s % 2 ? 5 : 3, s, s % 3);
    }
    uint64_t ns = 0;
    OK(b->submit(device, dispatch, steps, &error));
    OK(b->wait(device, 0, &ns, &error));
    assert_true(ns > 0 && ns < 60000000000u);
    OK(b->read(device, buffer[steps % 2], steps % 2 ? 256 : 0, got, 4 * n, &error));
    assert_memory_equal(got, want, 4 * n);
    free(dispatch);
    free(got);
    free(want);
}

static void runs(void **state)
{
    (void)state;
    for (int staging = 0; staging < 2; staging++) {
        struct assay_driver_params params = {.vulkan_staging = staging};
        struct assay_device *device = open_software(&params);
        run_chain(device, 1, 1);
        run_chain(device, 1000, 2001);
        assay_device_close(device);
    }
}

/* Offsets and lengths that are no multiples of anything, through both ways in and out. */
static void transfers(void **state)
{
    (void)state;
    for (int staging = 0; staging < 2; staging++) {
        struct assay_driver_params params = {.vulkan_staging = staging};
        struct assay_device *device = open_software(&params);
        const struct assay_backend *b = device->backend;
        enum { BYTES = 3 << 20 };
        uint8_t *want = calloc(1, BYTES), *got = malloc(BYTES);
        struct assay_buffer *buffer = make_buffer(device, BYTES);
        OK(b->write(device, buffer, 0, want, BYTES, &error));
        for (uint32_t i = 0; i < 40; i++) {
            uint32_t at = i * 76543u % BYTES, bytes = (i * i * 977u + 1) % (BYTES - at);
            for (uint32_t j = 0; j < bytes; j++) want[at + j] = (uint8_t)(i + j * 3);
            OK(b->write(device, buffer, at, want + at, bytes, &error));
        }
        OK(b->read(device, buffer, 0, got, BYTES, &error));
        assert_memory_equal(want, got, BYTES);
        OK(b->read(device, buffer, 12345, got, 6789, &error));
        assert_memory_equal(want + 12345, got, 6789);
        FAILS(ASSAY_INVALID_INPUT, "past the end", b->write(device, buffer, BYTES - 1, want, 2, &error));
        free(got);
        free(want);
        assay_device_close(device);
    }
}

/* Row D15: submit returns at once, a wait may end early and be resumed, one submission at a time. */
static void submissions(void **state)
{
    (void)state;
    struct assay_driver_params params = {0};
    struct assay_device *device = open_software(&params);
    const struct assay_backend *b = device->backend;
    struct assay_program *program = make_mix(device, 1);
    enum { N = 1 << 14, LOOPS = 60000 }; /* llvmpipe leaves any loop after 65,536 rounds */
    static uint32_t data[N], got[N];
    const uint32_t push[3] = {N, 7, LOOPS};
    struct assay_buffer *in = make_buffer(device, sizeof data), *out = make_buffer(device, sizeof data);
    struct assay_dispatch dispatch = {
        .program = program, .binding = {{.buffer = in}, {.buffer = out}}, .groups = {N / 32, 1, 1}};
    uint64_t ns = 1;
    for (uint32_t i = 0; i < N; i++) data[i] = i;
    OK(b->write(device, in, 0, data, sizeof data, &error));
    FAILS(ASSAY_INVALID_INPUT, "wait without a submission", b->wait(device, 0, &ns, &error));

    memcpy(dispatch.push, push, sizeof push);
    uint64_t before = now_ns();
    OK(b->submit(device, &dispatch, 1, &error));
    uint64_t submitted = now_ns() - before;
    FAILS(ASSAY_INVALID_INPUT, "submission already in flight", b->submit(device, &dispatch, 1, &error));
    FAILS(ASSAY_TIMEOUT, "1000 ns", b->wait(device, 1000, &ns, &error));
    OK(b->wait(device, 0, &ns, &error));
    uint64_t whole = now_ns() - before;
    assert_true(whole > 10 * submitted);
    assert_true(ns > 0 && ns <= whole);
    OK(b->read(device, out, 0, got, sizeof got, &error));
    for (uint32_t i = 0; i < N; i += 2003) assert_int_equal(got[i], mixed(i, 1, 7, LOOPS));
    assay_device_close(device);
}

static void refusals(void **state)
{
    (void)state;
    struct assay_driver_params params = {.max_binding_bytes = 1 << 20};
    struct assay_device *device = open_software(&params);
    const struct assay_backend *b = device->backend;
    struct assay_buffer *buffer = make_buffer(device, 2 << 20), *none = NULL;
    struct assay_dispatch dispatch = {.program = make_mix(device, 1),
                                      .binding = {{buffer, 0, 256}, {.buffer = buffer}},
                                      .groups = {1, 1, 1}};
    FAILS(ASSAY_UNSUPPORTED, "2097152 bytes, the storage-binding limit is 1048576",
          b->submit(device, &dispatch, 1, &error));
    dispatch.binding[1].bytes = 256;
    dispatch.groups[1] = device->info.limits.groups[1] + 1;
    FAILS(ASSAY_UNSUPPORTED, "groups in y, the limit is", b->submit(device, &dispatch, 1, &error));
    FAILS(ASSAY_OUT_OF_MEMORY, "bytes",
          b->buffer_create(device, device->info.device_local_bytes / 2 * 3, &none, &error));
    assert_null(none);

    /* Small, too big, small: the handle goes on. */
    dispatch.groups[1] = 1;
    OK(b->submit(device, &dispatch, 1, &error));
    OK(b->wait(device, 0, NULL, &error));
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

/* Row D16: a handle moves between threads, but only one may be inside. */
static void one_thread_at_a_time(void **state)
{
    (void)state;
    struct assay_driver_params params = {0};
    struct assay_device *device = open_software(&params);
    const struct assay_backend *b = device->backend;
    const uint32_t n = 1 << 16, push[3] = {n, 0, 60000};
    struct assay_buffer *buffer = make_buffer(device, 4 * n);
    uint32_t word = 0;
    struct assay_dispatch dispatch = {.program = make_mix(device, 1),
                                      .binding = {{.buffer = buffer}, {.buffer = buffer}},
                                      .groups = {1, 1, 1}};
    memcpy(dispatch.push, push, sizeof push);
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

/* What an instance brings along stays mapped, and nothing else does. */
static void drivers_stay_mapped(void **state)
{
    static const char *const path[2] = {TEST_BUILD "/tests/stub_no_engine.so",
                                        TEST_BUILD "/tests/stub_nvml.so"};
    struct vulkan_objects before;
    (void)state;
    for (int pinned = 0; pinned < 2; pinned++) {
        char real[4096];
        assert_non_null(realpath(path[pinned], real));
        assay_vulkan_objects_list(&before);
        void *library = dlopen(real, RTLD_NOW);
        assert_non_null(library);
        if (pinned) assay_vulkan_objects_pin(&before);
        assay_vulkan_objects_free(&before);
        dlclose(library);
        library = dlopen(real, RTLD_LAZY | RTLD_NOLOAD);
        assert_true(pinned ? library != NULL : library == NULL);
        if (library) dlclose(library);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drivers_stay_mapped),
        cmocka_unit_test(runs),
        cmocka_unit_test(transfers),
        cmocka_unit_test(submissions),
        cmocka_unit_test(refusals),
        cmocka_unit_test(one_thread_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
