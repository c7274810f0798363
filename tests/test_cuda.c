/* The CUDA backend against a scripted driver (tests/stub_cuda.c): what it finds, what it says when something is missing
 * or fails, what it leaves behind, and the rules of submissions. */
#include "devices/cuda_api.h"
#include "tests/stub_cuda.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define STUB TEST_BUILD "/tests/stub_cuda.so"

static struct stub_cuda *stub;
static const struct assay_driver_params params = {.cuda_lib = STUB};

static int reset(void **state)
{
    (void)state;
    if (!stub) {
        void *library = dlopen(STUB, RTLD_NOW | RTLD_LOCAL);
        if (!library) fail_msg("%s", dlerror());
        stub = dlsym(library, "stub_cuda");
        assert_non_null(stub);
    }
    *stub = (struct stub_cuda){.devices = 1, .cc_major = 9};
    return 0;
}

static void assert_nothing_alive(void)
{
    assert_int_equal(stub->contexts, 0);
    assert_int_equal(stub->streams, 0);
    assert_int_equal(stub->events, 0);
    assert_int_equal(stub->buffers, 0);
    assert_int_equal(stub->modules, 0);
}

static void assert_says(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' does not say '%s'", text, part);
}

/* ---- a session: everything that a caller does, stopping at the first failure ---- */

static const char cubin90[] = "cubin90a", cubin80[] = "cubin80", ptx[] = "ptx text";
static const struct assay_code codes[] = {
    {.kind = ASSAY_CODE_CUBIN,
     .name = "add90",
     .entry = "stub_add",
     .cc = 90,
     .data = cubin90,
     .end = cubin90 + 8},
    {.kind = ASSAY_CODE_CUBIN,
     .name = "add80",
     .entry = "stub_add",
     .cc = 80,
     .data = cubin80,
     .end = cubin80 + 7},
    {.kind = ASSAY_CODE_PTX, .name = "addptx", .entry = "stub_add", .cc = 80, .data = ptx, .end = ptx + 8},
};
static const struct assay_program_params add_program = {.codes = codes,
                                                        .code_count = 3,
                                                        .bindings = 2,
                                                        .push_bytes = 8,
                                                        .group = {64, 1, 1},
                                                        .shared_bytes = 65536};

struct session {
    struct assay_device_info info;
    struct assay_device *device;
    struct assay_buffer *x, *y;
    struct assay_program *program;
    struct assay_dispatch dispatch;
};

static struct assay_device_info discover_one(char note[256])
{
    struct assay_device_info list[4] = {0};
    size_t count = 0;
    assay_backend_cuda.discover(&params, list, 4, &count, note);
    return count ? list[0] : (struct assay_device_info){0};
}

static enum assay_status begin(struct session *s, struct assay_error *error)
{
    const struct assay_backend *b = &assay_backend_cuda;
    enum assay_status status;
    if ((status = b->open(&params, &s->info, &s->device, error)) != ASSAY_OK) return status;
    if ((status = b->buffer_create(s->device, 400, &s->x, error)) != ASSAY_OK) return status;
    if ((status = b->buffer_create(s->device, 600, &s->y, error)) != ASSAY_OK) return status;
    if ((status = b->program_create(s->device, &add_program, &s->program, error)) != ASSAY_OK) return status;
    s->dispatch =
        (struct assay_dispatch){.program = s->program,
                                .binding = {{.buffer = s->x}, {.buffer = s->y, .offset_bytes = 256}},
                                .groups = {2, 1, 1}};
    memcpy(s->dispatch.push, (uint32_t[]){7, 50}, 8);
    return ASSAY_OK;
}

static enum assay_status whole_session(struct session *s, uint64_t timeout_ns, struct assay_error *error)
{
    const struct assay_backend *b = &assay_backend_cuda;
    uint32_t data[50], got[50] = {0};
    uint64_t device_ns = 0;
    enum assay_status status = begin(s, error);
    for (uint32_t i = 0; i < 50; i++) data[i] = i;
    if (status == ASSAY_OK) status = b->write(s->device, s->x, 0, data, sizeof data, error);
    if (status == ASSAY_OK) status = b->submit(s->device, &s->dispatch, 1, error);
    if (status == ASSAY_OK) status = b->wait(s->device, timeout_ns, &device_ns, error);
    if (status == ASSAY_OK) status = b->read(s->device, s->y, 256, got, sizeof got, error);
    if (status != ASSAY_OK) return status;
    assert_int_equal(device_ns, 1500000);
    for (uint32_t i = 0; i < 50; i++) assert_int_equal(got[i], i + 7);
    return ASSAY_OK;
}

static void open_session(struct session *s)
{
    char note[256];
    struct assay_error error = {0};
    *s = (struct session){.info = discover_one(note)};
    if (begin(s, &error) != ASSAY_OK) fail_msg("%s", error.text);
}

/* ---- discovery ---- */

static void test_device_record(void **state)
{
    (void)state;
    char note[256], uuid[37];
    struct assay_device_info list[4] = {0};
    size_t count = 0;
    stub->devices = 2;
    assay_backend_cuda.discover(&params, list, 4, &count, note);
    assert_int_equal(count, 2);
    assert_string_equal(note, "");
    assert_string_equal(list[0].backend, "cuda");
    assert_string_equal(list[0].name, "Stub 0");
    assert_string_equal(list[0].pci, "0000:1b:00.0");
    assert_string_equal(list[0].api, "CUDA 13.0 sm_90");
    assert_string_equal(assay_uuid_text(list[1].uuid, uuid), "10111213-1415-1617-1819-1a1b1c1d1e1f");
    assert_true(list[0].has_uuid && list[0].usable && !list[0].software);
    assert_int_equal(list[0].vendor_id, 0x10de);
    assert_int_equal(list[0].kind, ASSAY_KIND_DISCRETE);
    assert_int_equal(list[0].compute_units, 132);
    assert_int_equal(list[0].device_local_bytes, 1ull << 36);
    assert_int_equal(list[0].limits.groups[0], 2147483647);
    assert_int_equal(list[0].limits.groups[1], 65535);
    assert_int_equal(list[0].limits.shared_bytes, 49152);
    assert_int_equal(list[0].limits.binding_bytes, 1ull << 36);
    assert_int_equal(strlen(list[1].name), sizeof list[1].name - 1);
    assert_int_equal(strncmp(list[0].driver, "NVIDIA ", 7), 0);
    assert_nothing_alive();

    struct assay_driver_params small = params;
    small.max_binding_bytes = 1 << 20;
    assay_backend_cuda.discover(&small, list, 1, &count, note);
    assert_int_equal(count, 1);
    assert_says(note, "2 devices found, 1 listed");
    assert_int_equal(list[0].limits.binding_bytes, 1 << 20);

    stub->compute_mode = 2;
    stub->integrated = 1;
    list[0] = discover_one(note);
    assert_false(list[0].usable);
    assert_says(list[0].why, "prohibited");
    assert_int_equal(list[0].kind, ASSAY_KIND_INTEGRATED);
}

static void test_no_driver(void **state)
{
    (void)state;
    static const struct {
        const char *lib, *says;
    } cases[] = {{"none", "turned off"},
                 {"/nowhere/libcuda.so.1", "no CUDA driver (/nowhere/libcuda.so.1) on this machine"}};
    struct assay_device_info list[1];
    char note[256];
    size_t count = 9;
    for (size_t i = 0; i < 2; i++) {
        struct assay_driver_params p = {.cuda_lib = cases[i].lib};
        assay_backend_cuda.discover(&p, list, 1, &count, note);
        assert_int_equal(count, 0);
        assert_says(note, cases[i].says);
    }
    stub->fail_call = "cuInit";
    stub->fail_result = 100;
    discover_one(note);
    assert_string_equal(note, "cuInit failed (100: CUDA_ERROR_NO_DEVICE)");
    reset(NULL);
    stub->devices = 0;
    discover_one(note);
    assert_says(note, "no device");
}

/* A copy of the stub whose dynamic symbol `name` is spelled wrong: dlsym cannot find it there. */
static void copy_without(const char *name, const char *path)
{
    FILE *in = fopen(STUB, "rb"), *out = fopen(path, "wb");
    assert_true(in && out);
    fseek(in, 0, SEEK_END);
    size_t bytes = (size_t)ftell(in), length = strlen(name);
    rewind(in);
    char *image = malloc(bytes);
    assert_int_equal(fread(image, 1, bytes, in), bytes);
    bool found = false;
    for (size_t i = 1; i + length < bytes; i++)
        if (image[i - 1] == '\0' && memcmp(image + i, name, length + 1) == 0) {
            image[i] = '_';
            found = true;
        }
    assert_true(found);
    assert_int_equal(fwrite(image, 1, bytes, out), bytes);
    fclose(in);
    fclose(out);
    free(image);
}

static void test_each_entry_point_missing(void **state)
{
    (void)state;
#define NAME(symbol, parameters) #symbol,
    static const char *const names[] = {ASSAY_CUDA_CALLS(NAME)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64], says[96], note[256];
        struct assay_device_info list[1];
        size_t count = 9;
        /* A path of its own each: the loader knows a library that it has seen. */
        snprintf(path, sizeof path, "/tmp/assay-stub-%d-%zu.so", (int)getpid(), i);
        copy_without(names[i], path);
        struct assay_driver_params p = {.cuda_lib = path};
        assay_backend_cuda.discover(&p, list, 1, &count, note);
        unlink(path);
        snprintf(says, sizeof says, "has no %s", names[i]);
        assert_int_equal(count, 0);
        assert_says(note, says);
    }
    static const char *const newer[] = {ASSAY_CUDA_CALLS_NEWER(NAME)}; /* nobody depends on these */
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        char path[64], note[256];
        struct assay_device_info list[1];
        size_t count = 9;
        snprintf(path, sizeof path, "/tmp/assay-stub-%d-newer-%zu.so", (int)getpid(), i);
        copy_without(newer[i], path);
        struct assay_driver_params p = {.cuda_lib = path};
        assay_backend_cuda.discover(&p, list, 1, &count, note);
        unlink(path);
        assert_string_equal(note, "the driver shows no device"); /* a stub that nobody has scripted */
    }
}

/* ---- failures ---- */

static void test_each_call_failing(void **state)
{
    (void)state;
    /* Calls that only release, or that only name another failure, are not checked: nobody could act on it. */
    static const char *const ignored[] = {"cuGetErrorName",     "cuDevicePrimaryCtxRelease_v2",
                                          "cuCtxPopCurrent_v2", "cuStreamDestroy_v2",
                                          "cuEventDestroy_v2",  "cuMemFree_v2",
                                          "cuModuleUnload"};
    static const char *const names[] = {ASSAY_CUDA_CALLS(NAME)};
    size_t tried = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool skip = false;
        for (size_t j = 0; j < sizeof ignored / sizeof *ignored; j++)
            skip |= strcmp(names[i], ignored[j]) == 0;
        if (skip) continue;
        for (int in_discovery = 0; in_discovery < 2; in_discovery++) {
            char note[256] = "", says[96];
            struct session s = {0};
            struct assay_error error = {0};
            reset(NULL);
            if (!in_discovery) s.info = discover_one(note);
            stub->fail_call = names[i];
            stub->fail_result = 304;
            if (in_discovery) s.info = discover_one(note);
            const char *text = note[0] ? note : s.info.why;
            if (!text[0]) {
                /* cuEventQuery is called by a wait with a limit, cuStreamSynchronize by one without */
                if (whole_session(&s, strcmp(names[i], "cuEventQuery") == 0 ? 1000000 : 0, &error) !=
                    ASSAY_OK)
                    text = error.text;
                assay_backend_cuda.close(s.device);
            }
            if (!text[0] && !in_discovery &&
                strstr("cuDriverGetVersion cuDeviceGetCount cuDeviceGetName cuDeviceGetUuid_v2 "
                       "cuDeviceTotalMem_v2",
                       names[i]))
                continue; /* opening does not ask again */
            snprintf(says, sizeof says, "%s", names[i]);
            assert_says(text, says);
            assert_says(text, "failed (304: CUDA_ERROR_OPERATING_SYSTEM)");
            assert_nothing_alive();
            tried++;
        }
    }
    assert_true(tried > 35);
}

static void test_out_of_memory_names_the_size(void **state)
{
    (void)state;
    struct session s;
    struct assay_error error = {0};
    struct assay_buffer *big = NULL;
    open_session(&s);
    stub->memory_bytes = 1 << 20;
    assert_int_equal(assay_backend_cuda.buffer_create(s.device, 123456789, &big, &error),
                     ASSAY_OUT_OF_MEMORY);
    assert_null(big);
    assert_says(error.text, "123456789 bytes");
    assert_says(error.text, "CUDA_ERROR_OUT_OF_MEMORY");
    assert_int_equal(s.device->allocated_bytes, 1000);
    assay_backend_cuda.close(s.device);
    assert_nothing_alive();
}

static void test_lost_device(void **state)
{
    (void)state;
    const struct assay_backend *b = &assay_backend_cuda;
    for (int with_limit = 0; with_limit < 2; with_limit++) {
        struct session s;
        struct assay_error error = {0};
        uint32_t word = 0;
        reset(NULL);
        open_session(&s);
        stub->lose_at_launch = true;
        assert_int_equal(b->submit(s.device, &s.dispatch, 1, &error), ASSAY_OK);
        assert_int_equal(b->wait(s.device, with_limit ? 1000000000 : 0, NULL, &error), ASSAY_DEVICE_LOST);
        assert_says(error.text, "700: CUDA_ERROR_ILLEGAL_ADDRESS");
        assert_true(s.device->lost);
        unsigned calls = stub->calls;
        assert_int_equal(b->read(s.device, s.x, 0, &word, 4, &error), ASSAY_DEVICE_LOST);
        assert_says(error.text, "lost");
        assert_int_equal(b->submit(s.device, &s.dispatch, 1, &error), ASSAY_DEVICE_LOST);
        assert_int_equal(stub->calls, calls); /* at once, without asking the driver */
        b->close(s.device);
        assert_nothing_alive();
        stub->lost = stub->lose_at_launch = false;
        s = (struct session){.info = s.info};
        assert_int_equal(whole_session(&s, 0, &error), ASSAY_OK);
        b->close(s.device);
    }
}

/* ---- programs ---- */

static void test_code_by_capability(void **state)
{
    (void)state;
    static const struct {
        int major, minor;
        const char *image; /* that loads; NULL = none */
    } cases[] = {{9, 0, "cubin90a"},  {8, 0, "cubin80"},   {8, 6, "cubin80"}, {8, 9, "cubin80"},
                 {10, 0, "ptx text"}, {12, 0, "ptx text"}, {7, 5, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char note[256];
        struct session s = {0};
        struct assay_error error = {0};
        reset(NULL);
        stub->cc_major = cases[i].major;
        stub->cc_minor = cases[i].minor;
        s.info = discover_one(note);
        enum assay_status status = begin(&s, &error);
        if (cases[i].image) {
            assert_int_equal(status, ASSAY_OK);
            assert_string_equal(stub->image, cases[i].image);
        } else {
            assert_int_equal(status, ASSAY_DEVICE_UNSUPPORTED);
            assert_says(error.text, "sm_75");
            assert_says(error.text, "PTX needs capability 8.0");
        }
        assay_backend_cuda.close(s.device);
        assert_nothing_alive();
    }
}

static void test_code_that_does_not_load(void **state)
{
    (void)state;
    struct session s;
    struct assay_error error = {0};
    struct assay_program *program = NULL;
    struct assay_code some[3];
    struct assay_program_params p = add_program;
    open_session(&s);
    memcpy(some, codes, sizeof some);
    p.codes = some;

    stub->reject_image = "cubin90a"; /* the driver does not take it: the next one does */
    assert_int_equal(assay_backend_cuda.program_create(s.device, &p, &program, &error), ASSAY_OK);
    assert_string_equal(stub->image, "ptx text");

    some[2].end = some[2].data;
    assert_int_equal(assay_backend_cuda.program_create(s.device, &p, &program, &error),
                     ASSAY_DEVICE_UNSUPPORTED);
    assert_null(program);
    assert_says(error.text, "209: CUDA_ERROR_NO_BINARY_FOR_GPU");
    assert_says(error.text, "cubin is for sm_80");
    assert_says(error.text, "PTX 80 was not built");

    stub->reject_image = NULL;
    some[0].entry = "absent";
    assert_int_equal(assay_backend_cuda.program_create(s.device, &p, &program, &error), ASSAY_DEVICE_FAILURE);
    assert_says(error.text, "cuModuleGetFunction of absent in add90");
    assay_backend_cuda.close(s.device);
    assert_nothing_alive();
}

static void test_launch_limits(void **state)
{
    (void)state;
    const struct assay_backend *b = &assay_backend_cuda;
    struct session s;
    struct assay_error error = {0};
    struct assay_program *program = NULL;
    struct assay_program_params p = add_program;
    open_session(&s);
    assert_int_equal(stub->dynamic_shared_bytes, 65536); /* above 48 KiB is asked for */
    p.shared_bytes = 300000;
    assert_int_not_equal(b->program_create(s.device, &p, &program, &error), ASSAY_OK);
    assert_says(error.text, "300000 bytes of shared memory, the limit is 232448");
    p = add_program;
    p.group[0] = 2048;
    assert_int_not_equal(b->program_create(s.device, &p, &program, &error), ASSAY_OK);
    assert_says(error.text, "2048");

    struct assay_dispatch d = s.dispatch;
    d.groups[1] = 70000;
    assert_int_not_equal(b->submit(s.device, &d, 1, &error), ASSAY_OK);
    assert_says(error.text, "70000");
    assert_says(error.text, "65535");
    d = s.dispatch;
    d.binding[0].offset_bytes = 512;
    assert_int_not_equal(b->submit(s.device, &d, 1, &error), ASSAY_OK);
    d = s.dispatch;
    d.binding[0].buffer = NULL;
    assert_int_not_equal(b->submit(s.device, &d, 1, &error), ASSAY_OK);
    assert_says(error.text, "binding 0");
    assert_int_equal(stub->launches, 0);
    /* what the driver itself refuses is named with the grid */
    stub->fail_call = "cuLaunchKernel";
    stub->fail_result = 1;
    assert_int_not_equal(b->submit(s.device, &s.dispatch, 1, &error), ASSAY_OK);
    assert_says(error.text, "cuLaunchKernel of add90 (grid 2 x 1 x 1) failed (1: CUDA_ERROR_INVALID_VALUE)");
    assert_int_not_equal(b->wait(s.device, 0, NULL, &error), ASSAY_OK); /* nothing is in flight */
    stub->fail_call = NULL;
    assert_int_equal(b->submit(s.device, &s.dispatch, 1, &error), ASSAY_OK);
    assert_int_equal(b->wait(s.device, 0, NULL, &error), ASSAY_OK);
    assert_int_equal(stub->launch_shared_bytes, 65536);
    assert_int_equal(stub->block[0], 64);
    assert_int_equal(stub->grid[0], 2);
    b->close(s.device);
    assert_nothing_alive();
}

/* Only code that can hold the wait is launched while the dispatch before it ends. */
static void test_code_that_waits_itself(void **state)
{
    (void)state;
    const struct assay_backend *b = &assay_backend_cuda;
    struct session s;
    struct assay_error error = {0};
    struct assay_program_params p = add_program;
    open_session(&s);
    p.waits_itself = true;
    for (int ptx = 0; ptx < 2; ptx++) {
        struct assay_dispatch d[2] = {s.dispatch, s.dispatch};
        unsigned launches = stub->launches;
        stub->reject_image = ptx ? "cubin90a" : NULL;
        assert_int_equal(b->program_create(s.device, &p, &d[1].program, &error), ASSAY_OK);
        assert_string_equal(stub->image, ptx ? "ptx text" : "cubin90a");
        assert_int_equal(b->submit(s.device, d, 2, &error), ASSAY_OK);
        assert_int_equal(b->wait(s.device, 0, NULL, &error), ASSAY_OK);
        assert_int_equal(stub->launches, launches + 2);
        assert_int_equal(stub->early_launches, 1); /* the second of the first round */
        assert_int_equal(stub->grid[0], 2);
        assert_int_equal(stub->launch_shared_bytes, 65536);
    }
    stub->reject_image = NULL;
    struct assay_dispatch d = s.dispatch;
    assert_int_equal(b->program_create(s.device, &p, &d.program, &error), ASSAY_OK);
    stub->fail_call = "cuLaunchKernelEx";
    stub->fail_result = 1;
    assert_int_not_equal(b->submit(s.device, &d, 1, &error), ASSAY_OK);
    assert_says(error.text,
                "cuLaunchKernelEx of add90 (grid 2 x 1 x 1) failed (1: CUDA_ERROR_INVALID_VALUE)");
    stub->fail_call = NULL;
    b->close(s.device);
    assert_nothing_alive();
}

/* ---- submissions, memory, release ---- */

static void test_in_flight(void **state)
{
    (void)state;
    const struct assay_backend *b = &assay_backend_cuda;
    struct session s;
    struct assay_error error = {0};
    uint32_t word = 0;
    open_session(&s);
    assert_int_equal(b->wait(s.device, 0, NULL, &error), ASSAY_INVALID_INPUT);
    assert_says(error.text, "wait without a submission");
    assert_int_equal(b->submit(s.device, &s.dispatch, 1, &error), ASSAY_OK);
    assert_int_equal(b->submit(s.device, &s.dispatch, 1, &error), ASSAY_INVALID_INPUT);
    assert_says(error.text, "submission already in flight");
    assert_int_equal(b->read(s.device, s.x, 0, &word, 4, &error), ASSAY_INVALID_INPUT);
    assert_says(error.text, "in flight");
    stub->not_ready = 1000000;
    assert_int_equal(b->wait(s.device, 3000000, NULL, &error), ASSAY_TIMEOUT);
    assert_says(error.text, "within 3 ms");
    stub->not_ready = 3;
    assert_int_equal(b->wait(s.device, 1000000000, NULL, &error), ASSAY_OK); /* the same submission, later */
    assert_int_equal(b->wait(s.device, 0, NULL, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(b->submit(s.device, &s.dispatch, 1, &error), ASSAY_OK);
    b->close(s.device); /* in flight: waits, then releases */
    assert_nothing_alive();
}

static void test_ranges(void **state)
{
    (void)state;
    const struct assay_backend *b = &assay_backend_cuda;
    struct session s, other;
    struct assay_error error = {0};
    uint8_t bytes[8] = {0};
    open_session(&s);
    assert_int_equal(b->write(s.device, s.x, 396, bytes, 8, &error), ASSAY_INVALID_INPUT);
    assert_says(error.text, "past the end");
    assert_int_equal(b->read(s.device, s.x, UINT64_MAX, bytes, 8, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(b->write(s.device, s.x, 400, bytes, 0, &error), ASSAY_OK);
    open_session(&other);
    assert_int_equal(b->write(s.device, other.x, 0, bytes, 8, &error), ASSAY_INVALID_INPUT);
    assert_says(error.text, "another handle");
    b->close(other.device);

    struct assay_buffer *tiny = NULL;
    assert_int_equal(b->buffer_create(s.device, 0, &tiny, &error), ASSAY_OK);
    assert_int_equal(s.device->allocated_bytes, 1004); /* at least 4 bytes */
    b->buffer_destroy(s.device, s.x);
    assert_int_equal(s.device->allocated_bytes, 604);
    b->buffer_destroy(s.device, NULL);
    b->program_destroy(s.device, NULL);
    b->program_destroy(s.device, s.program);
    assert_int_equal(stub->modules, 0);
    b->close(s.device);
    b->close(NULL);
    assert_nothing_alive();
}

static void test_two_hundred_cycles(void **state)
{
    (void)state;
    char note[256];
    for (int i = 0; i < 200; i++) {
        struct assay_error error = {0};
        struct session s = {.info = discover_one(note)};
        if (whole_session(&s, i % 2 ? 1000000000 : 0, &error) != ASSAY_OK) fail_msg("%s", error.text);
        assert_int_equal(s.device->allocated_bytes, 1000);
        assay_backend_cuda.close(s.device);
        assert_nothing_alive();
    }
}

static void *wait_for_it(void *argument)
{
    struct session *s = argument;
    return (void *)(uintptr_t)assay_backend_cuda.wait(s->device, 0, NULL, NULL);
}

static void test_two_threads_on_one_handle(void **state)
{
    (void)state;
    struct session s;
    struct assay_error error = {0};
    uint32_t word;
    pthread_t thread;
    void *status;
    open_session(&s);
    assert_int_equal(assay_backend_cuda.submit(s.device, &s.dispatch, 1, &error), ASSAY_OK);
    __atomic_store_n(&stub->hold, true, __ATOMIC_SEQ_CST);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_it, &s), 0);
    while (!__atomic_load_n(&stub->holding, __ATOMIC_SEQ_CST)) usleep(500);
    assert_int_equal(assay_backend_cuda.read(s.device, s.x, 0, &word, 4, &error), ASSAY_INVALID_INPUT);
    assert_says(error.text, "another thread");
    __atomic_store_n(&stub->hold, false, __ATOMIC_SEQ_CST);
    pthread_join(thread, &status);
    assert_int_equal((uintptr_t)status, ASSAY_OK);
    assay_backend_cuda.close(s.device);
    assert_nothing_alive();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_device_record, reset),
        cmocka_unit_test_setup(test_no_driver, reset),
        cmocka_unit_test_setup(test_each_entry_point_missing, reset),
        cmocka_unit_test_setup(test_each_call_failing, reset),
        cmocka_unit_test_setup(test_out_of_memory_names_the_size, reset),
        cmocka_unit_test_setup(test_lost_device, reset),
        cmocka_unit_test_setup(test_code_by_capability, reset),
        cmocka_unit_test_setup(test_code_that_does_not_load, reset),
        cmocka_unit_test_setup(test_launch_limits, reset),
        cmocka_unit_test_setup(test_code_that_waits_itself, reset),
        cmocka_unit_test_setup(test_in_flight, reset),
        cmocka_unit_test_setup(test_ranges, reset),
        cmocka_unit_test_setup(test_two_hundred_cycles, reset),
        cmocka_unit_test_setup(test_two_threads_on_one_handle, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
