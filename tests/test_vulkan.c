/* The Vulkan backend on this machine's software renderer: real runs, with and without staging. */
#include "devices/device.h"
#include "tests/vulkan_mix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OK(call)                                                                                             \
    do {                                                                                                     \
        struct assay_error error = {0};                                                                      \
        if ((call) != ASSAY_OK) fail_msg("%s", error.text);                                                  \
    } while (0)
#define FAILS(want, words, call)                                                                             \
    do {                                                                                                     \
        struct assay_error error = {0};                                                                      \
        assert_int_equal(call, want);                                                                        \
        assert_int_equal(error.status, want);                                                                \
        if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);               \
    } while (0)

static const struct assay_code mix = {.kind = ASSAY_CODE_SPIRV,
                                      .name = "mix",
                                      .entry = "main",
                                      .data = vulkan_mix_words,
                                      .bytes = sizeof vulkan_mix_words};

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

__attribute__((unused)) static uint64_t now_ns(void)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
