/* See device_suite.h. The products' right bits come from product.c's scalar loop, never from another device. */
#include "tests/device_suite.h"
#include "tests/product.h"

#include "kernels/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
    const struct assay_driver_params *driver;
    const struct assay_device_info *info;
    struct assay_engine *engine; /* shared by the tests of one device */
} suite;

static struct assay_engine *open_engine(enum assay_variant variant, struct assay_error *error)
{
    char label[24];
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {.device = assay_device_label(suite.info, label),
                                             .driver = suite.driver,
                                             .variant = variant,
                                             .allow_software = true};
    assay_open(&params, &engine, error);
    return engine;
}

static int set_up(void **state)
{
    (void)state;
    struct assay_error error = {0};
    suite.engine = open_engine(ASSAY_VARIANT_AUTO, &error);
    if (!suite.engine) print_error("%s\n", error.text);
    return suite.engine ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    assay_close(suite.engine);
    return 0;
}

/* ---- devices/device.h ---- */

static void test_buffers(void **state)
{
    (void)state;
    struct assay_device *device = NULL;
    struct assay_buffer *empty = NULL, *buffer = NULL;
    enum { BYTES = 100003 };
    uint8_t *data = malloc(BYTES), *back = malloc(BYTES);
    OK(assay_device_open(suite.driver, suite.info, &device, &error));
    const struct assay_backend *b = device->backend;
    uint64_t before = device->allocated_bytes;
    OK(b->buffer_create(device, 0, &empty, &error));
    OK(b->write(device, empty, 0, "abcd", 4, &error));
    OK(b->read(device, empty, 0, back, 4, &error));
    assert_memory_equal(back, "abcd", 4);
    OK(b->write(device, empty, 4, "", 0, &error));

    OK(b->buffer_create(device, BYTES, &buffer, &error));
    assert_true(device->allocated_bytes >= before + BYTES);
    for (int i = 0; i < BYTES; i++) data[i] = (uint8_t)(i * 131 >> 3);
    OK(b->write(device, buffer, 0, data, BYTES, &error));
    static const int range[][2] = {{0, BYTES}, {1, 1}, {3, 4097}, {BYTES - 1, 1}, {4096, 65536}, {777, 0}};
    for (size_t r = 0; r < sizeof range / sizeof *range; r++) {
        memset(back, 0xee, BYTES);
        OK(b->read(device, buffer, (uint64_t)range[r][0], back, (uint64_t)range[r][1], &error));
        assert_memory_equal(back, data + range[r][0], (size_t)range[r][1]);
    }
    /* A write in the middle touches its own bytes alone. */
    memset(data + 5001, 0x5a, 33);
    OK(b->write(device, buffer, 5001, data + 5001, 33, &error));
    OK(b->read(device, buffer, 0, back, BYTES, &error));
    assert_memory_equal(back, data, BYTES);

    FAILS(ASSAY_INVALID_INPUT, "past the end", b->write(device, buffer, BYTES - 2, data, 3, &error));
    FAILS(ASSAY_INVALID_INPUT, "past the end", b->read(device, buffer, BYTES + 1, back, 0, &error));
    FAILS(ASSAY_INVALID_INPUT, "past the end", b->read(device, buffer, UINT64_MAX, back, 2, &error));
    FAILS(ASSAY_INVALID_INPUT, "", b->wait(device, 0, NULL, &error));
    b->buffer_destroy(device, buffer);
    b->buffer_destroy(device, empty);
    b->buffer_destroy(device, NULL);
    b->program_destroy(device, NULL);
    assert_int_equal(device->allocated_bytes, before);
    assay_device_close(device);
    free(data);
    free(back);
}

/* The first row of this backend whose plan for a call is one dispatch without scratch. */
static bool plan_single(const struct assay_device *device, const struct assay_call *call,
                        enum assay_variant variant, struct assay_plan *plan)
{
    char why[160];
    struct assay_error error = {0};
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *row = &assay_kernel_families[f]->rows[i];
            if (strcmp(row->backend, device->info.backend) != 0 || strcmp(row->op, call->op) != 0 ||
                !(row->variants >> variant & 1) || !row->present(&device->info, why) ||
                !row->supports(&device->info, call, why))
                continue;
            if (row->plan(&device->info, call, variant, plan, &error) == ASSAY_OK && plan->step_count == 1 &&
                !plan->scratch_bytes)
                return true;
        }
    return false;
}

/* Dispatches of one submission run in order: x goes through a buffer twenty times, each time times 3 in one product. */
static void test_order_and_flight(void **state)
{
    (void)state;
    enum { LINKS = 20, SIZE = 8 };
    struct assay_device *device = NULL;
    struct assay_traits *traits = calloc(1, sizeof *traits);
    struct assay_plan *plan = calloc(1, sizeof *plan);
    enum assay_variant variant;
    uint32_t controls;
    char why[256];
    OK(assay_device_open(suite.driver, suite.info, &device, &error));
    OK(assay_traits_measure(device, traits, &error));
    OK(assay_exact_choose(device, traits, ASSAY_VARIANT_AUTO, &variant, &controls, why, &error));

    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    struct assay_tensor *tensor[3] = {&call.input[0], &call.input[1], &call.output[0]};
    const int64_t square[2] = {SIZE, SIZE};
    for (int t = 0; t < 3; t++) {
        assay_tensor_dense(tensor[t], ASSAY_F32, 2, square);
        tensor[t]->bytes = SIZE * SIZE * 4;
    }
    assert_true(plan_single(device, &call, variant, plan));
    const struct assay_backend *b = device->backend;
    struct assay_program *program = NULL;
    plan->step[0].program.controls = controls;
    plan->step[0].program.spec[0] = variant;
    if (!plan->step[0].program.spec_count) plan->step[0].program.spec_count = 1;
    OK(b->program_create(device, &plan->step[0].program, &program, &error));

    /* Y of one link is A of the next; B is 3 or 1/2 on the diagonal: 64 * 3^10 / 2^10 is exact on the way. */
    float triple[SIZE * SIZE] = {0}, half[SIZE * SIZE] = {0}, x[SIZE * SIZE], expected = 1;
    struct assay_buffer *factor[2] = {NULL}, *place[2] = {NULL};
    for (int i = 0; i < SIZE; i++) {
        triple[i * SIZE + i] = 3;
        half[i * SIZE + i] = 0.5f;
        for (int j = 0; j < SIZE; j++) x[i * SIZE + j] = (float)(i * SIZE + j + 1);
    }
    for (int i = 0; i < 2; i++) {
        OK(b->buffer_create(device, sizeof x, &factor[i], &error));
        OK(b->buffer_create(device, sizeof x, &place[i], &error));
        OK(b->write(device, factor[i], 0, i ? half : triple, sizeof x, &error));
    }
    OK(b->write(device, place[0], 0, x, sizeof x, &error));
    struct assay_dispatch *dispatch = calloc(LINKS, sizeof *dispatch);
    for (int i = 0; i < LINKS; i++) {
        dispatch[i].program = program;
        memcpy(dispatch[i].push, plan->step[0].push, sizeof dispatch[i].push);
        memcpy(dispatch[i].groups, plan->step[0].groups, sizeof dispatch[i].groups);
        for (uint32_t n = 0; n < plan->step[0].program.bindings; n++) {
            bool output = plan->step[0].bind[n].role == ASSAY_ROLE_OUTPUT;
            bool is_factor = !output && plan->step[0].bind[n].index == 1;
            dispatch[i].binding[n].buffer = is_factor ? factor[i % 2] : place[(i + output) % 2];
            dispatch[i].binding[n].offset_bytes = plan->step[0].bind[n].offset_bytes;
            dispatch[i].binding[n].bytes = plan->step[0].bind[n].bytes;
        }
        expected *= i % 2 ? 0.5f : 3;
    }
    uint64_t device_ns = 0;
    OK(b->submit(device, dispatch, LINKS, &error));
    FAILS(ASSAY_INVALID_INPUT, "submission already in flight", b->submit(device, dispatch, 1, &error));
    OK(b->wait(device, 0, &device_ns, &error));
    FAILS(ASSAY_INVALID_INPUT, "", b->wait(device, 1000000000, NULL, &error));
    float got[SIZE * SIZE];
    OK(b->read(device, place[LINKS % 2], 0, got, sizeof got, &error));
    for (int i = 0; i < SIZE * SIZE; i++) assert_true(got[i] == x[i] * expected);
    free(dispatch);
    assay_device_close(device); /* with a live program and live buffers */
    free(plan);
    free(traits);
}

/* ---- kernels/assay.h ---- */

/* Every technique of this backend that is present, each with the suite's engine. */
static void each_technique(const struct product *product, int least)
{
    struct assay_error error = {0};
    int taken = 0;
    char why[160];
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *row = &assay_kernel_families[f]->rows[i];
            if (strcmp(row->backend, suite.info->backend) != 0 || strcmp(row->op, "MatMul") != 0 ||
                row->mode != ASSAY_EXACT || !row->present(suite.info, why))
                continue;
            taken += product_run(suite.engine, product, row->technique, NULL, &error) == ASSAY_OK;
        }
    if (taken < least)
        fail_msg("%d rows take m=%d n=%d k=%d: %s", taken, (int)product->m, (int)product->n, (int)product->k,
                 error.text);
    if (least) assert_int_equal(product_run(suite.engine, product, NULL, NULL, &error), ASSAY_OK);
}

/* The row that the engine prefers. */
static void standard_row(const struct product *product)
{
    struct assay_error error = {0};
    if (product_run(suite.engine, product, NULL, NULL, &error) != ASSAY_OK) fail_msg("%s", error.text);
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct product products[] = {
        {.m = 1, .n = 1, .k = 1},
        {.m = 1, .n = 1, .k = 129},
        {.m = 33, .n = 7, .k = 31},
        {.m = 15, .n = 33, .k = 32},
        {.m = 13, .n = 31, .k = 33},
        {.m = 64, .n = 64, .k = 127},
        {.m = 65, .n = 63, .k = 128},
        {.m = 7, .n = 130, .k = 129, .fill = FILL_WIDE},
        {.m = 127, .n = 129, .k = 65, .fill = FILL_WIDE},
        {.m = 1, .n = 257, .k = 300},
        {.m = 257, .n = 1, .k = 300},
        {.m = 2, .n = 3, .k = 4096},
        {.m = 5, .n = 4, .k = 4097, .fill = FILL_WIDE},
        {.m = 9, .n = 17, .k = 200, .fill = FILL_TINY},
        {.m = 101, .n = 150, .k = 513},
    };
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) each_technique(&products[i], 1);
}

static void test_layouts(void **state)
{
    (void)state;
    for (int turned = 0; turned < 8; turned++)
        each_technique(&(struct product){.m = 17,
                                         .n = 35,
                                         .k = 70,
                                         .a_turned = turned & 1,
                                         .b_turned = turned & 2,
                                         .y_turned = turned & 4,
                                         .pad = turned,
                                         .offset = {turned, 3, 5}},
                       1);
    /* Offsets at and around 256 bytes, none aligned to anything. */
    for (int64_t o = 61; o < 68; o++)
        each_technique(&(struct product){.m = 5, .n = 9, .k = 37, .pad = 1, .offset = {o, 2 * o, 3 * o}}, 1);
    each_technique(
        &(struct product){.m = 140, .n = 170, .k = 40, .a_turned = true, .b_turned = true, .pad = 3}, 1);
}

static void test_batches(void **state)
{
    (void)state;
    static const struct product products[] = {
        {.m = 3, .n = 5, .k = 40, .batch = 4},
        {.m = 3, .n = 5, .k = 40, .batch = 4, .a_shared = true},
        {.m = 3, .n = 5, .k = 40, .batch = 4, .b_shared = true},
        {.m = 1, .n = 9, .k = 33, .batch = 7, .b_shared = true, .pad = 2},
        {.m = 40, .n = 50, .k = 33, .batch = 3, .b_turned = true, .pad = 1, .offset = {7, 8, 9}},
        {.m = 100, .n = 140, .k = 20, .batch = 2, .a_turned = true},
        {.m = 6, .n = 5, .k = 129, .batch = 4, .interleaved = true},
        {.m = 3, .n = 4, .k = 5, .batch = 1},
    };
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) each_technique(&products[i], 1);
}

/* Faults that others had: ggml-org/llama.cpp#25906 (few columns), #12505 (k no multiple of a vector, permuted heads),
 * ml-explore/mlx#3858 (batches around 2^16). */
static void test_known_faults(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 9; n++)
        each_technique(&(struct product){.m = 16, .n = n, .k = 256, .fill = FILL_ONES}, 1);
    for (int64_t m = 1056; m <= 1057; m++)
        standard_row(
            &(struct product){.m = m, .n = 1, .k = 129, .batch = 4, .interleaved = true, .fill = FILL_ONES});
    for (int64_t batch = 65535; batch <= 65537; batch++) {
        standard_row(&(struct product){.m = 1, .n = 1, .k = 4, .batch = batch, .fill = FILL_ONES});
        standard_row(&(struct product){.m = 2, .n = 1, .k = 1, .batch = 3});
    }
}

static void test_empty(void **state)
{
    (void)state;
    each_technique(&(struct product){.m = 3, .n = 4, .k = 0}, 1);
    each_technique(&(struct product){.m = 0, .n = 4, .k = 3}, 1);
    each_technique(&(struct product){.m = 3, .n = 0, .k = 3}, 1);
    each_technique(&(struct product){.m = 3, .n = 4, .k = 0, .batch = 2, .pad = 1}, 1);
}

/* Item 0 of a batch does not know how many others there are. */
static void test_batch_size(void **state)
{
    (void)state;
    uint64_t digest[3];
    static const int64_t sizes[3] = {1, 4, 8};
    for (int i = 0; i < 3; i++) {
        struct product product = {.m = 9, .n = 20, .k = 260, .batch = sizes[i], .fill = FILL_WIDE};
        struct assay_error error = {0};
        product.pad = 0;
        assert_int_equal(product_run(suite.engine, &product, NULL, &digest[i], &error), ASSAY_OK);
    }
    assert_int_equal(digest[0], digest[1]);
    assert_int_equal(digest[0], digest[2]);
}

/* Row K18: no dependence on scheduling. */
static void test_repeats(void **state)
{
    (void)state;
    uint64_t first = 0, digest;
    for (int i = 0; i < 20; i++) {
        struct assay_error error = {0};
        struct product product = {.m = 65, .n = 129, .k = 400, .fill = FILL_WIDE};
        assert_int_equal(product_run(suite.engine, &product, NULL, &digest, &error), ASSAY_OK);
        if (!i) first = digest;
        assert_int_equal(digest, first);
    }
}

/* Work of its own on the same device, until it is told to stop. */
struct load {
    struct assay_engine *engine;
    atomic_bool stop, failed;
    atomic_uint runs;
};

static void *keep_busy(void *argument)
{
    struct load *load = argument;
    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    struct assay_tensor *tensor[3] = {&call.input[0], &call.input[1], &call.output[0]};
    struct assay_error error = {0};
    bool good = true;
    for (int t = 0; t < 3; t++) {
        assay_tensor_dense(tensor[t], ASSAY_F32, 2, (int64_t[]){96, 96});
        tensor[t]->bytes = 96 * 96 * 4;
        good &= assay_alloc(load->engine, tensor[t]->bytes, &tensor[t]->buffer, &error) == ASSAY_OK;
    }
    while (good && !atomic_load(&load->stop)) {
        good = assay_run(load->engine, &call, NULL, NULL, &error) == ASSAY_OK;
        atomic_fetch_add(&load->runs, 1);
    }
    atomic_store(&load->failed, !good);
    for (int t = 0; t < 3; t++) assay_free(load->engine, tensor[t]->buffer);
    return NULL;
}

/* Row K18: nor on what else the device has to do. */
static void test_repeats_under_load(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct load load = {.engine = open_engine(ASSAY_VARIANT_AUTO, &error)};
    struct product product = {.m = 65, .n = 129, .k = 400, .fill = FILL_WIDE};
    uint64_t alone = 0, digest = 0;
    pthread_t thread;
    if (!load.engine) fail_msg("%s", error.text);
    assert_int_equal(product_run(suite.engine, &product, NULL, &alone, &error), ASSAY_OK);
    assert_int_equal(pthread_create(&thread, NULL, keep_busy, &load), 0);
    int different = 0;
    for (int i = 0; i < 20 && !different; i++) {
        const unsigned before = atomic_load(&load.runs);
        for (int tries = 0; tries < 10000 && atomic_load(&load.runs) == before && !atomic_load(&load.failed);
             tries++)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL); /* the other one is at it */
        different = product_run(suite.engine, &product, NULL, &digest, &error) != ASSAY_OK || digest != alone;
    }
    atomic_store(&load.stop, true);
    pthread_join(thread, NULL);
    assert_false(different);
    assert_false(atomic_load(&load.failed));
    assert_true(atomic_load(&load.runs) >= 20);
    assay_close(load.engine);
}

/* Every form of the fused multiply-add that the device accepts gives the same bits; a refusal says why. */
static void test_variants(void **state)
{
    (void)state;
    struct assay_engine *standard = suite.engine;
    int accepted = 0;
    for (int v = ASSAY_VARIANT_NATIVE; v < ASSAY_VARIANT_COUNT; v++) {
        struct assay_error error = {0};
        suite.engine = open_engine((enum assay_variant)v, &error);
        if (!suite.engine) {
            assert_int_equal(error.status, ASSAY_DEVICE_UNSUPPORTED);
            assert_true(strlen(error.text) > 0);
            continue;
        }
        /* On a backend without a kernel in this form the call is refused, with that reason. */
        struct product product = {.m = 7, .n = 33, .k = 161, .fill = FILL_WIDE};
        if (product_run(suite.engine, &product, NULL, NULL, &error) == ASSAY_UNSUPPORTED) {
            assert_non_null(strstr(error.text, assay_variant_name((enum assay_variant)v)));
        } else {
            accepted++;
            each_technique(&product, 1);
            each_technique(&(struct product){.m = 9, .n = 10, .k = 140, .fill = FILL_TINY}, 1);
            each_technique(&(struct product){.m = 20, .n = 40, .k = 64, .a_turned = true, .pad = 1}, 1);
        }
        assay_close(suite.engine);
        suite.engine = standard;
    }
    suite.engine = standard;
    assert_true(accepted >= 1);
}

/* A wait that ends early leaves a handle that works again once the device is done. */
static void test_timeout(void **state)
{
    (void)state;
    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    struct assay_tensor *tensor[3] = {&call.input[0], &call.input[1], &call.output[0]};
    const int64_t square[2] = {192, 192};
    for (int t = 0; t < 3; t++) {
        assay_tensor_dense(tensor[t], ASSAY_F32, 2, square);
        tensor[t]->bytes = 192 * 192 * 4;
        OK(assay_alloc(suite.engine, tensor[t]->bytes, &tensor[t]->buffer, &error));
        float *zero = calloc(192 * 192, 4);
        OK(assay_upload(suite.engine, tensor[t]->buffer, 0, zero, tensor[t]->bytes, &error));
        free(zero);
    }
    struct assay_run_report report;
    OK(assay_run(suite.engine, &call, NULL, &report, &error));
    assert_true(report.kernel_hash != 0);
    assert_true(strncmp(report.kernel, "matmul.", 7) == 0);
    /* So many repeats that they take a quarter of a second. */
    uint64_t repeat = report.device_ns ? 250000000 / report.device_ns + 1 : 40;
    const struct assay_run_params brief = {.repeat = repeat < 50000 ? (uint32_t)repeat : 50000,
                                           .timeout_ns = 1};
    FAILS(ASSAY_TIMEOUT, "", assay_run(suite.engine, &call, &brief, NULL, &error));
    OK(assay_run(suite.engine, &call, NULL, &report, &error));
    for (int t = 0; t < 3; t++) assay_free(suite.engine, tensor[t]->buffer);
    each_technique(&(struct product){.m = 3, .n = 4, .k = 5}, 1);
}

/* A lowered storage-binding limit: what does not fit is refused with the limit and the value (row D19). */
static void test_limit(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct assay_driver_params lowered = suite.driver ? *suite.driver : (struct assay_driver_params){0};
    const struct assay_driver_params *driver = suite.driver;
    lowered.max_binding_bytes = 4096;
    struct assay_device_list *list = calloc(1, sizeof *list);
    const struct assay_device_info *info = NULL, *standard_info = suite.info;
    char label[24];
    assay_discover(&lowered, NULL, list);
    OK(assay_device_find(list, assay_device_label(suite.info, label), &info, &error));
    suite.info = info;
    suite.driver = &lowered;
    struct assay_engine *standard = suite.engine;
    suite.engine = open_engine(ASSAY_VARIANT_AUTO, &error);
    if (!suite.engine) fail_msg("%s", error.text);
    assert_int_equal(info->limits.binding_bytes, 4096);
    each_technique(&(struct product){.m = 16, .n = 16, .k = 16}, 1);
    struct product large = {.m = 64, .n = 64, .k = 64};
    assert_int_equal(product_run(suite.engine, &large, NULL, NULL, &error), ASSAY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "4096"));
    assert_non_null(strstr(error.text, "16384"));
    assay_close(suite.engine);
    suite.engine = standard;
    suite.driver = driver;
    suite.info = standard_info;
    free(list);
}

int device_suite_run(const char *name, const struct assay_driver_params *driver,
                     const struct assay_device_info *info, bool memory_only)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_order_and_flight),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_batch_size),
        cmocka_unit_test(test_known_faults),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_repeats_under_load),
        cmocka_unit_test(test_timeout),
        cmocka_unit_test(test_limit),
    };
    enum { MEMORY_TESTS = 3 }; /* the first ones: what could depend on how bytes travel */
    suite.driver = driver;
    suite.info = info;
    return _cmocka_run_group_tests(name, tests, memory_only ? MEMORY_TESTS : sizeof tests / sizeof *tests,
                                   set_up, tear_down);
}
