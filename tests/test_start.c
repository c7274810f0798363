/* Start, poll, collect (row D25): the bits of the blocking run on the CPU and on the software renderer, one run on the
 * device at a time, and errors for calls out of turn. */
#include "devices/device.h"
#include "kernels/assay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <stdlib.h>
#include <string.h>

static const char *const devices[] = {"cpu", "vulkan:0"};

static const int64_t shapes[8][3] = {{1, 1, 1},   {1, 33, 129}, {7, 5, 300},  {33, 65, 31},
                                     {64, 64, 0}, {2, 1, 4096}, {128, 9, 77}, {96, 96, 256}};

/* A product y = a b in device memory. */
struct product {
    struct assay_call call;
    struct assay_buffer *buffer[3];
    uint64_t bytes[3];
};

static struct assay_engine *open_device(const char *name)
{
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {.device = name, .allow_software = true};
    OK(assay_open(&params, &engine, &error));
    return engine;
}

static void make(struct assay_engine *engine, const int64_t shape[3], uint32_t seed, struct product *p)
{
    const int64_t m = shape[0], n = shape[1], k = shape[2];
    const int64_t dims[3][2] = {{m, k}, {k, n}, {m, n}};
    *p = (struct product){.call = {.op = "MatMul", .input_count = 2, .output_count = 1}};
    struct assay_tensor *tensor[3] = {&p->call.input[0], &p->call.input[1], &p->call.output[0]};
    for (int i = 0; i < 3; i++) {
        assay_tensor_dense(tensor[i], ASSAY_F32, 2, dims[i]);
        p->bytes[i] = 4 * (uint64_t)(dims[i][0] * dims[i][1]);
        OK(assay_alloc(engine, p->bytes[i], &p->buffer[i], &error));
        tensor[i]->buffer = p->buffer[i];
        tensor[i]->bytes = p->bytes[i];
        float *data = malloc(p->bytes[i] + 4);
        for (uint64_t at = 0; at < p->bytes[i] / 4; at++) {
            seed = seed * 1664525u + 1013904223u;
            data[at] = (float)(int32_t)seed * 0x1p-31f;
        }
        OK(assay_upload(engine, p->buffer[i], 0, data, p->bytes[i], &error));
        free(data);
    }
}

static void *fetch(struct assay_engine *engine, const struct product *p)
{
    void *data = malloc(p->bytes[2] + 4);
    OK(assay_download(engine, p->buffer[2], 0, data, p->bytes[2], &error));
    return data;
}

static void wait_by_polling(struct assay_engine *engine)
{
    for (bool done = false; !done;) OK(assay_poll(engine, &done, &error));
}

/* Eight shapes: what is started and collected has the bits, the kernel and the hash of what is run. */
static void same_bits(void **state)
{
    (void)state;
    for (size_t d = 0; d < 2; d++) {
        struct assay_engine *engine = open_device(devices[d]);
        for (size_t s = 0; s < 8; s++) {
            struct product run, start;
            struct assay_run_report ran = {0}, collected = {0};
            make(engine, shapes[s], (uint32_t)s, &run);
            make(engine, shapes[s], (uint32_t)s, &start);
            OK(assay_run(engine, &run.call, NULL, &ran, &error));
            OK(assay_start(engine, &start.call, NULL, &error));
            if (s % 2) wait_by_polling(engine);
            OK(assay_collect(engine, 0, &collected, &error));
            assert_string_equal(ran.kernel, collected.kernel);
            assert_string_equal(ran.variant, collected.variant);
            assert_true(ran.kernel_hash == collected.kernel_hash);
            void *a = fetch(engine, &run), *b = fetch(engine, &start);
            assert_memory_equal(a, b, run.bytes[2]);
            free(a);
            free(b);
        }
        assay_close(engine);
    }
}

/* Three runs one after another: each start before the collect of the one before is refused and changes nothing. */
static void one_at_a_time(void **state)
{
    (void)state;
    for (size_t d = 0; d < 2; d++) {
        struct assay_engine *engine = open_device(devices[d]);
        struct product p[3];
        void *want[3], *got;
        struct assay_buffer *buffer = NULL;
        float word = 0;
        for (int i = 0; i < 3; i++) {
            make(engine, shapes[7 - i], 5u + (uint32_t)i, &p[i]);
            OK(assay_run(engine, &p[i].call, NULL, NULL, &error));
            want[i] = fetch(engine, &p[i]);
            memset(&word, 0xff, sizeof word);
            OK(assay_upload(engine, p[i].buffer[2], 0, &word, 4, &error));
        }
        for (int i = 0; i < 3; i++) {
            OK(assay_start(engine, &p[i].call, NULL, &error));
            FAILS(ASSAY_INVALID_INPUT, "submission already in flight",
                  assay_start(engine, &p[(i + 1) % 3].call, NULL, &error));
            FAILS(ASSAY_INVALID_INPUT, "submission already in flight",
                  assay_run(engine, &p[(i + 1) % 3].call, NULL, NULL, &error));
            FAILS(ASSAY_INVALID_INPUT, "submission already in flight",
                  assay_download(engine, p[i].buffer[2], 0, &word, 4, &error));
            FAILS(ASSAY_INVALID_INPUT, "submission already in flight",
                  assay_alloc(engine, 64, &buffer, &error));
            OK(assay_collect(engine, 0, NULL, &error));
        }
        for (int i = 0; i < 3; i++) {
            got = fetch(engine, &p[i]);
            assert_memory_equal(got, want[i], p[i].bytes[2]);
            free(got);
            free(want[i]);
        }
        assay_close(engine);
    }
}

static void out_of_turn(void **state)
{
    (void)state;
    for (size_t d = 0; d < 2; d++) {
        struct assay_engine *engine = open_device(devices[d]);
        struct product p;
        struct assay_run_report report;
        bool done = true;
        FAILS(ASSAY_INVALID_INPUT, "nothing was started", assay_poll(engine, &done, &error));
        assert_false(done);
        FAILS(ASSAY_INVALID_INPUT, "nothing was started", assay_collect(engine, 0, &report, &error));
        make(engine, shapes[2], 9, &p);
        /* A start that is refused leaves nothing behind. */
        struct assay_call call = p.call;
        call.op = "NoSuchOperator";
        FAILS(ASSAY_UNSUPPORTED, "NoSuchOperator", assay_start(engine, &call, NULL, &error));
        FAILS(ASSAY_INVALID_INPUT, "nothing was started", assay_collect(engine, 0, &report, &error));
        OK(assay_start(engine, &p.call, NULL, &error));
        wait_by_polling(engine);
        wait_by_polling(engine); /* done stays done until it is collected */
        OK(assay_collect(engine, 0, &report, &error));
        FAILS(ASSAY_INVALID_INPUT, "nothing was started", assay_collect(engine, 0, &report, &error));
        /* A run may be given up: freeing its buffers and closing wait for the device. */
        OK(assay_start(engine, &p.call, NULL, &error));
        assay_free(engine, p.buffer[2]);
        assay_close(engine);
        engine = open_device(devices[d]);
        make(engine, shapes[7], 9, &p);
        OK(assay_start(engine, &p.call, NULL, &error));
        assay_close(engine);
    }
}

/* A collect that runs out of time leaves the run on the device; it is collected later, with the same bits. */
static void late(void **state)
{
    (void)state;
    struct assay_engine *engine = open_device("cpu");
    static const int64_t big[3] = {512, 512, 1024};
    const struct assay_run_params often = {.repeat = 4};
    struct product p;
    make(engine, big, 3, &p);
    OK(assay_run(engine, &p.call, NULL, NULL, &error));
    void *want = fetch(engine, &p), *got;
    OK(assay_start(engine, &p.call, &often, &error));
    struct assay_error error = {0};
    enum assay_status status = assay_collect(engine, 1, NULL, &error);
    assert_int_equal(status, ASSAY_TIMEOUT);
    FAILS(ASSAY_INVALID_INPUT, "submission already in flight", assay_start(engine, &p.call, NULL, &error));
    OK(assay_collect(engine, 0, NULL, &error));
    got = fetch(engine, &p);
    assert_memory_equal(got, want, p.bytes[2]);
    free(got);
    free(want);
    assay_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(out_of_turn),
        cmocka_unit_test(late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
