/* The sweeps of a card as kernels: the oracle against answers of an independent path, every program of every row of this
 * machine against the oracle, planted faults between writing and reading, and memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine.h"
#include "kernels/sweep/sweep.h"
#include "oracles/sweep/sweep.h"

static const struct assay_known_answer *const known[] = {sweep_known_units, sweep_known_memory,
                                                         sweep_known_upload, sweep_known_download};
extern const struct op op_units, op_memory, op_upload, op_download;
static const struct op *const ops[] = {&op_units, &op_memory, &op_upload, &op_download};

static int64_t attr_of(const struct assay_call *call, const char *name)
{
    for (size_t i = 0; i < call->attr_count; i++)
        if (strcmp(call->attrs[i].name, name) == 0) return call->attrs[i].i;
    return 0;
}

/* The case that a known call is. */
static struct op_case case_of(int op, const struct assay_call *call)
{
    struct op_case c = {.op = ops[op], .dtype = {ASSAY_F32}, .dtype_count = 1};
    c.axis[0] = op == SWEEP_UPLOAD ? call->input[0].shape[0] : call->output[0].shape[0];
    if (op == SWEEP_UNITS) c.axis[1] = attr_of(call, "rounds");
    if (op == SWEEP_MEMORY) {
        c.axis[MEMORY_KIB] = attr_of(call, "kib");
        c.axis[MEMORY_PATTERN] = attr_of(call, "pattern");
    }
    return c;
}

/* Closed forms against sums word by word (scripts/known-answers-sweep.py). */
static void test_oracle(void **state)
{
    (void)state;
    for (int op = 0; op < 4; op++)
        for (int i = 0; i < SWEEP_KNOWN_COUNT; i++) {
            const struct assay_known_answer *answer = &known[op][i];
            const struct op_case c = case_of(op, &answer->call);
            struct assay_tensor in = answer->call.input[0], out = answer->call.output[0];
            const size_t bytes = 4 * (size_t)assay_tensor_elems(&out);
            in.data = (void *)answer->input[0];
            out.data = malloc(bytes);
            assert_non_null(out.data);
            c.op->contract(&c, &in, &out, 0, c.op->rows(&c));
            assert_memory_equal(out.data, answer->output[0], bytes);
            free(out.data);
        }
}

/* ---- the rows of this machine's devices ---- */

static struct assay_engine *open_device(const char *device)
{
    struct assay_engine *engine = NULL;
    struct assay_error error = {0};
    const struct assay_open_params params = {.device = device, .allow_software = true};
    if (assay_open(&params, &engine, &error) != ASSAY_OK) print_message("%s: %s\n", device, error.text);
    return engine;
}

/* cuda:0 once more as a part of a card: its units are then told apart by the rank of their ids. */
static const char *const devices[] = {"cpu", "vulkan:0", "cuda:0", "cuda:0"};
enum { DEVICES = 4, AS_PART = 3 };

/* Every row of a device; a row's first use runs its known answers, here beside a case of odd sizes. */
static void test_rows(void **state)
{
    static const struct {
        int op;
        int64_t axis0;
        struct assay_attr attr[2];
    } calls[] = {
        {SWEEP_UNITS, 9, {{.name = "rounds", .i = 33}}},
        {SWEEP_MEMORY, 7, {{.name = "kib", .i = 1028}, {.name = "pattern", .i = 0}}},
        {SWEEP_MEMORY, 2, {{.name = "kib", .i = 4}, {.name = "pattern", .i = 1}}},
        {SWEEP_UPLOAD, 12289, {{.name = "piece"}}},
        {SWEEP_DOWNLOAD, 70001, {{.name = "piece"}}},
    };
    (void)state;
    for (size_t d = 0; d < DEVICES; d++) {
        struct assay_engine *engine = open_device(devices[d]);
        if (!engine && d > 0) continue;
        assert_non_null(engine);
        if (d == AS_PART)
            snprintf(engine->device->info.partition, sizeof engine->device->info.partition, "mig test");
        for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
            const int op = calls[i].op;
            struct assay_call call = known[op][0].call;
            struct assay_run_report report;
            struct assay_error error = {0};
            call.attrs = calls[i].attr;
            call.attr_count = op == SWEEP_MEMORY ? 2 : 1;
            struct assay_tensor *in = &call.input[0], *out = &call.output[0];
            if (op == SWEEP_UPLOAD) in->shape[0] = calls[i].axis0;
            out->shape[0] = op == SWEEP_UPLOAD ? (calls[i].axis0 + 4095) / 4096 : calls[i].axis0;
            const size_t in_bytes = 4 * (size_t)in->shape[0], out_bytes = 4 * (size_t)assay_tensor_elems(out);
            uint32_t *x = malloc(in_bytes), *got = malloc(out_bytes), *want = malloc(out_bytes);
            assert_true(x && got && want);
            for (int64_t w = 0; w < in->shape[0]; w++) x[w] = (uint32_t)w * 2654435761u + 12345;
            in->bytes = in_bytes;
            out->bytes = out_bytes;
            assert_int_equal(assay_alloc(engine, in_bytes, &in->buffer, &error), ASSAY_OK);
            assert_int_equal(assay_alloc(engine, out_bytes, &out->buffer, &error), ASSAY_OK);
            assert_int_equal(assay_upload(engine, in->buffer, 0, x, in_bytes, &error), ASSAY_OK);
            const uint64_t before = engine->device->allocated_bytes;
            if (assay_run(engine, &call, NULL, &report, &error) != ASSAY_OK) fail_msg("%s", error.text);
            assert_int_equal(assay_download(engine, out->buffer, 0, got, out_bytes, &error), ASSAY_OK);
            assert_int_equal(report.part_bytes,
                             op == SWEEP_MEMORY ? (calls[i].attr[0].i << 10) * calls[i].axis0 : 0);
            assert_true(engine->device->allocated_bytes <=
                        before + (d == AS_PART ? 256 + 16384 : 256)); /* scratch alone may stay */
            const struct op_case c = case_of(op, &call);
            struct assay_tensor right_in = *in, right = *out;
            right_in.data = x;
            right.data = want;
            c.op->contract(&c, &right_in, &right, 0, c.op->rows(&c));
            print_message("%s %s\n", devices[d], report.kernel);
            assert_memory_equal(got, want, out_bytes);
            assay_free(engine, in->buffer);
            assay_free(engine, out->buffer);
            free(x);
            free(got);
            free(want);
        }
        assay_close(engine);
    }
}

/* ---- faults between writing and reading ---- */

/* Run one step of a plan on one part. */
static void run_step(struct assay_device *device, const struct assay_step *step, struct assay_buffer *k,
                     struct assay_buffer *part, struct assay_buffer *y)
{
    struct assay_error error = {0};
    struct assay_program_params params = step->program;
    struct assay_dispatch dispatch = {.groups = {step->groups[0], 1, 1}};
    struct assay_buffer *scratch = NULL;
    assert_int_equal(device->backend->buffer_create(device, 256, &scratch, &error), ASSAY_OK);
    assert_int_equal(device->backend->program_create(device, &params, &dispatch.program, &error), ASSAY_OK);
    memcpy(dispatch.push, step->push, sizeof dispatch.push);
    for (uint32_t b = 0; b < params.bindings; b++)
        dispatch.binding[b].buffer = step->bind[b].role == ASSAY_ROLE_INPUT    ? k
                                     : step->bind[b].role == ASSAY_ROLE_OUTPUT ? y
                                     : step->bind[b].role == ASSAY_ROLE_PART   ? part
                                                                               : scratch;
    assert_int_equal(device->backend->submit(device, &dispatch, 1, &error), ASSAY_OK);
    assert_int_equal(device->backend->wait(device, 0, NULL, &error), ASSAY_OK);
    device->backend->program_destroy(device, dispatch.program);
    device->backend->buffer_destroy(device, scratch);
}

/* A word that another write changed: its bits, its number, and both sums differ. */
static void test_stuck_word(void **state)
{
    enum { WORDS = 12 * 256, WRONG = 2049 };
    const struct sweep_backend *const backends[] = {&sweep_cpu, &sweep_vulkan};
    (void)state;
    for (size_t d = 0; d < 2; d++) {
        struct assay_engine *engine = open_device(devices[d]);
        if (!engine && d > 0) continue;
        assert_non_null(engine);
        struct assay_device *device = engine->device;
        const struct assay_backend *backend = device->backend;
        struct assay_call call = sweep_known_memory[0].call;
        struct assay_plan *plan = malloc(sizeof *plan);
        struct assay_buffer *k = NULL, *part = NULL, *y = NULL;
        struct assay_error error = {0};
        uint32_t rows[30], word;
        assert_non_null(plan);
        call.input[0].bytes = 8;
        call.output[0].bytes = sizeof rows;
        assert_int_equal(
            sweep_plan(backends[d], &device->info, &call, SWEEP_MEMORY, false, engine->variant, plan, &error),
            ASSAY_OK);
        assert_int_equal(plan->step_count, 5); /* clear, write, check, write, check */
        assert_true(plan->step[2].descending && !plan->step[1].descending);
        backend->buffer_create(device, 8, &k, &error);
        backend->buffer_create(device, 4 * WORDS, &part, &error);
        backend->buffer_create(device, sizeof rows, &y, &error);
        backend->write(device, k, 0, sweep_known_memory[0].input[0], 8, &error);
        for (size_t s = 0; s < 5; s++) {
            if (s == 2) {
                backend->read(device, part, 4 * WRONG, &word, 4, &error);
                word ^= 1u << 31 | 1u << 3;
                backend->write(device, part, 4 * WRONG, &word, 4, &error);
            }
            run_step(device, &plan->step[s], k, part, y);
        }
        backend->read(device, y, 0, rows, sizeof rows, &error);
        const uint32_t *right = sweep_known_memory[0].output[0];
        assert_int_equal(rows[0], 1);
        assert_int_equal(rows[1], 1u << 31 | 1u << 3);
        assert_int_equal(rows[2], WRONG);
        assert_int_not_equal(rows[3], right[3]);
        assert_int_not_equal(rows[4], right[4]);
        assert_memory_equal(rows + 5, right + 5, 20); /* the complement was written over it */
        free(plan);
        assay_close(engine);
    }
}

/* ---- memory that runs out ---- */

static struct pool {
    uint32_t room, live, most;
    enum assay_status otherwise;
} pool;

static enum assay_status pool_create(struct assay_device *device, uint64_t bytes,
                                     struct assay_buffer **buffer, struct assay_error *error)
{
    (void)device;
    if (pool.live == pool.room)
        return assay_error_set(error, pool.otherwise, "pool: no %d bytes more", (int)bytes);
    pool.live++;
    if (pool.live > pool.most) pool.most = pool.live;
    *buffer = (struct assay_buffer *)(uintptr_t)(4096 * pool.live);
    return ASSAY_OK;
}

static void pool_destroy(struct assay_device *device, struct assay_buffer *buffer)
{
    (void)device;
    if (buffer) pool.live--;
}

static void test_parts(void **state)
{
    static const struct assay_backend backend = {
        .name = "pool", .buffer_create = pool_create, .buffer_destroy = pool_destroy};
    struct assay_device device = {.backend = &backend};
    struct assay_engine engine = {.device = &device};
    struct assay_plan *plan = calloc(1, sizeof *plan);
    struct assay_dispatch made[ASSAY_STEPS_MAX] = {0}, out[16];
    struct assay_error error = {0};
    (void)state;
    assert_non_null(plan);
    plan->part_bytes = 100;
    plan->part_count = 5;
    plan->step_count = 3;
    plan->step[1] = (struct assay_step){.each_part = true};
    plan->step[2] = (struct assay_step){.each_part = true, .descending = true};
    for (int s = 1; s < 3; s++) {
        plan->step[s].program.bindings = 1;
        plan->step[s].bind[0].role = ASSAY_ROLE_PART;
        made[s].groups[0] = (uint32_t)s;
    }

    /* room for four: the last one is left to the driver, and five parts take turns in three buffers */
    pool = (struct pool){.room = 4, .otherwise = ASSAY_OUT_OF_MEMORY};
    assert_int_equal(engine_parts_take(&engine, plan, &error), ASSAY_OK);
    assert_int_equal(engine.part_count, 3);
    assert_int_equal(pool.live, 3);
    assert_int_equal(engine_parts_expand(&engine, plan, NULL, NULL), 1 + 10);
    assert_int_equal(engine_parts_expand(&engine, plan, made, out), 11);
    static const uint32_t order[11][2] = {{0, 0}, {1, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1},
                                          {2, 0}, {1, 3}, {1, 4}, {2, 4}, {2, 3}};
    for (int i = 0; i < 11; i++) {
        uint32_t part;
        memcpy(&part, out[i].push, sizeof part);
        assert_int_equal(out[i].groups[0], order[i][0]);
        assert_int_equal(part, order[i][1]);
        if (i) assert_ptr_equal(out[i].binding[0].buffer, engine.parts[part % 3]);
    }
    engine_parts_free(&engine);
    assert_int_equal(pool.live, 0);

    pool = (struct pool){.room = 9, .otherwise = ASSAY_OUT_OF_MEMORY};
    assert_int_equal(engine_parts_take(&engine, plan, &error), ASSAY_OK);
    assert_int_equal(engine_parts_take(&engine, plan, &error), ASSAY_OK); /* releases the first five */
    assert_int_equal(pool.most, 5);
    engine_parts_free(&engine);
    engine_parts_free(&engine);
    assert_int_equal(pool.live, 0);

    pool = (struct pool){.room = 1, .otherwise = ASSAY_OUT_OF_MEMORY};
    assert_int_equal(engine_parts_take(&engine, plan, &error), ASSAY_OK);
    assert_int_equal(engine.part_count, 1);
    engine_parts_free(&engine);
    pool = (struct pool){.room = 0, .otherwise = ASSAY_OUT_OF_MEMORY};
    assert_int_equal(engine_parts_take(&engine, plan, &error), ASSAY_OUT_OF_MEMORY);
    pool = (struct pool){.room = 3, .otherwise = ASSAY_DEVICE_FAILURE}; /* as of a mapping */
    assert_int_equal(engine_parts_take(&engine, plan, &error), ASSAY_OK);
    assert_int_equal(engine.part_count, 2);
    engine_parts_free(&engine);
    /* a lost device is a failure, and nothing stays taken */
    pool = (struct pool){.room = 3, .otherwise = ASSAY_DEVICE_LOST};
    assert_int_equal(engine_parts_take(&engine, plan, &error), ASSAY_DEVICE_LOST);
    assert_int_equal(pool.live, 0);
    assert_null(engine.parts);
    free(plan);
}

/* A whole card's units write Y by their id; those of a part write a table by id, out of which Y is made. */
static void test_units_of_part(void **state)
{
    struct assay_device_info info = {
        .backend = "cuda", .compute_units = 14, .cc_major = 9, .limits = {.groups = {65535, 1, 1}}};
    struct assay_call call = sweep_known_units[0].call;
    struct assay_plan *plan = malloc(sizeof *plan);
    struct assay_error error;
    struct sweep_push args;
    char why[160];
    (void)state;
    assert_non_null(plan);
    assert_int_equal(
        sweep_plan(&sweep_cuda, &info, &call, SWEEP_UNITS, true, ASSAY_VARIANT_NATIVE, plan, &error),
        ASSAY_OK);
    assert_int_equal(plan->step_count, 2);
    assert_int_equal(plan->step[1].bind[1].role, ASSAY_ROLE_OUTPUT);
    snprintf(info.partition, sizeof info.partition, "mig 1g.10gb");
    assert_int_equal(
        sweep_plan(&sweep_cuda, &info, &call, SWEEP_UNITS, true, ASSAY_VARIANT_NATIVE, plan, &error),
        ASSAY_OK);
    assert_int_equal(plan->step_count, 3);
    const struct assay_step *clear = &plan->step[0], *work = &plan->step[1], *rank = &plan->step[2];
    assert_int_equal(clear->bind[0].role, ASSAY_ROLE_SCRATCH);
    assert_int_equal(work->bind[1].role, ASSAY_ROLE_SCRATCH);
    assert_int_equal(rank->bind[0].role, ASSAY_ROLE_SCRATCH);
    assert_int_equal(rank->bind[1].role, ASSAY_ROLE_OUTPUT);
    assert_int_equal(work->groups[0], 14);
    assert_int_equal(rank->groups[0], 1);
    /* one table for all three, behind the count of arrivals, and inside the scratch memory */
    assert_true(clear->bind[0].offset_bytes >= 4);
    assert_int_equal(clear->bind[0].offset_bytes, work->bind[1].offset_bytes);
    assert_int_equal(clear->bind[0].offset_bytes, rank->bind[0].offset_bytes);
    assert_true(rank->bind[0].offset_bytes + rank->bind[0].bytes <= plan->scratch_bytes);
    memcpy(&args, work->push, sizeof args);
    assert_int_equal(args.units, 1024);
    assert_int_equal(args.out_from, 0);
    memcpy(&args, rank->push, sizeof args);
    assert_int_equal(args.units, call.output[0].shape[0]);
    assert_int_equal(args.words, 4 * 1024);
    info.has_unit_ids = true;
    info.limits.group_invocations = 256;
    assert_false(sweep_vulkan_present(&info, SWEEP_SMID, why));
    assert_non_null(strstr(why, "mig 1g.10gb"));
    assert_true(sweep_vulkan_present(&info, SWEEP_WORK, why));
    free(plan);
}

/* Shapes, attributes and limits that no program takes. */
static void test_refused(void **state)
{
    struct assay_device_info info = {.limits = {.groups = {65535, 1, 1}}};
    struct assay_call call = sweep_known_memory[0].call;
    struct assay_attr attr[2] = {{.name = "kib", .i = 12}, {.name = "pattern"}};
    char why[160];
    (void)state;
    call.attrs = attr;
    assert_true(sweep_read(&info, &call, SWEEP_MEMORY, why));
    attr[0].i = 13;
    assert_false(sweep_read(&info, &call, SWEEP_MEMORY, why));
    assert_non_null(strstr(why, "13 KiB"));
    attr[0].i = 12;
    info.limits.binding_bytes = 8192;
    assert_false(sweep_read(&info, &call, SWEEP_MEMORY, why));
    assert_non_null(strstr(why, "12288 bytes"));
    info.limits.binding_bytes = 0;
    info.limits.allocation_bytes = 8192;
    assert_false(sweep_read(&info, &call, SWEEP_MEMORY, why));
    call.input[0].shape[0] = 3;
    assert_false(sweep_read(&info, &call, SWEEP_MEMORY, why));
    call = sweep_known_units[0].call;
    call.output[0].shape[1] = 5;
    assert_false(sweep_read(&info, &call, SWEEP_UNITS, why));
    call = sweep_known_upload[1].call;
    call.output[0].shape[0] = 1;
    assert_false(sweep_read(&info, &call, SWEEP_UPLOAD, why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle), cmocka_unit_test(test_rows),    cmocka_unit_test(test_stuck_word),
        cmocka_unit_test(test_parts),  cmocka_unit_test(test_refused), cmocka_unit_test(test_units_of_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
