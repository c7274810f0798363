/* Q1_0 products and the quantizer on CUDA: plans without a device (which rows take what, stages, limits), and every row
 * against the scalar model where there is a GPU. */
#include "devices/device.h"
#include "kernels/kernel.h"
#include "tests/q1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct assay_device_info card = {.backend = "cuda",
                                              .cc_major = 9,
                                              .compute_units = 132,
                                              .limits = {.binding_bytes = 1ull << 40,
                                                         .allocation_bytes = 1ull << 40,
                                                         .groups = {2147483647, 65535, 65535},
                                                         .group_invocations = 1024,
                                                         .shared_bytes = 49152,
                                                         .push_bytes = 4096}};

static struct assay_call product(int64_t m, int64_t n, int64_t blocks)
{
    struct assay_call call = {.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    assay_tensor_dense(&call.input[0], ASSAY_U8, 2, (int64_t[]){m, blocks * 18});
    assay_tensor_dense(&call.input[1], ASSAY_U8, 2, (int64_t[]){n, blocks * 136});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){n, m});
    for (int i = 0; i < 2; i++) call.input[i].bytes = (uint64_t)assay_tensor_elems(&call.input[i]);
    call.output[0].bytes = (uint64_t)(m * n) * 4;
    return call;
}

static const struct assay_kernel *row(const char *technique)
{
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *k = &assay_kernel_families[f]->rows[i];
            if (!strcmp(k->family, "q1_0") && !strcmp(k->backend, "cuda") && !strcmp(k->technique, technique))
                return k;
        }
    fail_msg("no row %s", technique);
    return NULL;
}

static void test_plans(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct assay_plan plan;
    const struct assay_kernel *k = row("mma32");
    for (int64_t blocks = 2; blocks <= 384; blocks += 2) {
        struct assay_call call = product(4096, 3, blocks);
        if (k->plan(&card, &call, ASSAY_VARIANT_NATIVE, &plan, &error) != ASSAY_OK)
            fail_msg("%s", error.text);
        assert_int_equal(plan.step_count, 1);
        assert_true(plan.step[0].program.shared_bytes <= 227 << 10);
        assert_int_equal(plan.step[0].groups[1], 3);
        assert_true(plan.step[0].groups[0] >= 1 && plan.step[0].groups[0] <= 264);
        uint32_t extra[2];
        memcpy(extra, plan.step[0].push + 36, sizeof extra);
        assert_true(extra[0] >= 4 && extra[0] <= 8);
        assert_int_equal(extra[1], blocks % 8 ? 4 : 16);
    }
}

static const struct assay_device_info smaller = {.backend = "cuda",
                                                 .cc_major = 8,
                                                 .compute_units = 108,
                                                 .limits = {.binding_bytes = 1ull << 40,
                                                            .allocation_bytes = 1ull << 40,
                                                            .groups = {2147483647, 65535, 65535},
                                                            .group_invocations = 1024,
                                                            .shared_bytes = 49152,
                                                            .push_bytes = 4096}};

/* Every unit of 16 rows has a team, and what teams need fits. */
static void check_table_plan(const struct assay_device_info *info, bool whole, int64_t m, int64_t blocks)
{
    struct assay_error error = {0};
    struct assay_plan plan;
    struct assay_call call = product(m, 3, blocks);
    const uint32_t stage = 16 * (16 * 18 + 16), most = (info->cc_major == 9 ? 227 : 163) << 10;
    uint32_t teams, units = (uint32_t)((m + 15) / 16);
    if (row(whole ? "table" : "phased")->plan(info, &call, ASSAY_VARIANT_NATIVE, &plan, &error) != ASSAY_OK)
        fail_msg("%s", error.text);
    const struct assay_step *step = &plan.step[0];
    memcpy(&teams, step->push + 36, sizeof teams);
    assert_int_equal(plan.step_count, 1);
    assert_true(step->program.waits_itself);
    assert_true(teams >= 1 && teams <= (whole ? 16 : 8));
    assert_int_equal(step->program.shared_bytes,
                     whole ? (uint32_t)blocks * 2048 + teams * 2 * stage
                           : 65536 + (uint32_t)blocks * 136 + teams * (3 * stage + 512));
    assert_true(step->program.shared_bytes <= most);
    assert_true(step->groups[0] >= 1 && step->groups[0] <= units);
    assert_int_equal(step->groups[1], 3);
    if (whole)
        assert_true(step->groups[0] <= info->compute_units);
    else
        assert_true(step->groups[0] * teams >= units);
}

static void test_table_plans(void **state)
{
    (void)state;
    static const int64_t rows[] = {16, 17, 33, 1024, 4096, 14336, 151669};
    for (size_t m = 0; m < sizeof rows / sizeof *rows; m++) {
        for (int64_t blocks = 16; blocks <= 96; blocks += 16) check_table_plan(&card, true, rows[m], blocks);
        for (int64_t blocks = 16; blocks <= 64; blocks += 16)
            check_table_plan(&smaller, true, rows[m], blocks);
        for (int64_t blocks = 16; blocks <= 1104; blocks += 16)
            check_table_plan(&card, false, rows[m], blocks);
        for (int64_t blocks = 16; blocks <= 624; blocks += 16)
            check_table_plan(&smaller, false, rows[m], blocks);
    }
    static const struct {
        const struct assay_device_info *info;
        int64_t m, blocks;
        const char *technique, *says;
    } limits[] = {
        {&card, 16, 24, "table", "no multiple of 16"},
        {&card, 16, 24, "phased", "no multiple of 16"},
        {&card, 15, 16, "table", "15 rows, fewer than 16"},
        {&card, 15, 16, "phased", "15 rows, fewer than 16"},
        {&card, 16, 0, "phased", "K is 0"},
        {&card, 16, 112, "table", "its table does not fit 232448 bytes"},
        {&smaller, 16, 80, "table", "its table does not fit 166912 bytes"},
        {&card, 16, 1120, "phased", "its vector does not fit 232448 bytes"},
    };
    char why[160] = "";
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct assay_call call = product(limits[i].m, 1, limits[i].blocks);
        assert_false(row(limits[i].technique)->supports(limits[i].info, &call, why));
        if (!strstr(why, limits[i].says)) fail_msg("'%s' does not say '%s'", why, limits[i].says);
    }
    struct assay_call call = product(32, 1, 16);
    call.input[0].stride[0] += 4;
    call.input[0].bytes += 1000;
    assert_false(row("table")->supports(&card, &call, why));
    assert_non_null(strstr(why, "16 bytes"));
    call = product(32, 1, 16);
    call.input[1].offset = 2;
    call.input[1].bytes += 2;
    assert_true(row("table")->supports(&card, &call, why));
    assert_false(row("phased")->supports(&card, &call, why));
    assert_non_null(strstr(why, "4 bytes"));
}

/* Row mat: X made ready, then the product; eight vectors a block; two programs by the number of vectors, and what they hold in
 * shared memory fits. */
static void test_mat_plans(void **state)
{
    (void)state;
    static const struct {
        int64_t m, n, blocks;
        uint32_t rows, copy;
    } table[] = {
        {4096, 16, 32, 32, 16}, {33, 2, 6, 32, 4},         {1, 1, 2, 32, 4},       {4096, 32, 32, 32, 16},
        {129, 33, 8, 128, 16},  {14336, 512, 32, 128, 16}, {4096, 64, 10, 128, 4},
    };
    struct assay_error error = {0};
    struct assay_plan plan;
    char why[160] = "";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct assay_call call = product(table[i].m, table[i].n, table[i].blocks);
        if (row("mat")->plan(&card, &call, ASSAY_VARIANT_NATIVE, &plan, &error) != ASSAY_OK)
            fail_msg("%s", error.text);
        const struct assay_step *ready = &plan.step[0], *work = &plan.step[1];
        const uint32_t groups = (uint32_t)(table[i].n + 7) / 8;
        uint32_t copy;
        assert_int_equal(plan.step_count, 2);
        assert_int_equal(plan.scratch_bytes, groups * table[i].blocks * 2304);
        assert_int_equal(ready->bind[0].role, ASSAY_ROLE_INPUT);
        assert_int_equal(ready->bind[0].index, 1);
        assert_int_equal(ready->bind[1].role, ASSAY_ROLE_SCRATCH);
        assert_int_equal(ready->groups[0], table[i].blocks);
        assert_int_equal(work->bind[0].index, 0);
        assert_int_equal(work->bind[1].role, ASSAY_ROLE_SCRATCH);
        assert_int_equal(work->bind[2].role, ASSAY_ROLE_OUTPUT);
        assert_int_equal(ready->groups[1], groups);
        assert_int_equal(work->groups[1], groups);
        assert_int_equal(work->groups[0], (table[i].m + table[i].rows - 1) / table[i].rows);
        assert_int_equal(work->program.group[0], table[i].rows == 32 ? 64 : 128);
        assert_int_equal(work->program.shared_bytes, 2 * (table[i].rows * 144 + 8 * 2304));
        assert_true(3 * (work->program.shared_bytes + 1024) <= 228 << 10);
        memcpy(&copy, work->push + 36, sizeof copy);
        assert_int_equal(copy, table[i].copy);
    }
    struct assay_call call = product(64, 64, 3);
    assert_false(row("mat")->supports(&card, &call, why));
    assert_non_null(strstr(why, "3 blocks, an odd number"));
    call = product(64, 64, 0);
    assert_false(row("mat")->supports(&card, &call, why));
    assert_non_null(strstr(why, "K is 0"));
    call = product(64, 64, 8);
    call.input[0].stride[0] += 2;
    call.input[0].bytes += 200;
    assert_false(row("mat")->supports(&card, &call, why));
    assert_non_null(strstr(why, "4 bytes"));
    call = product(64, 64, 8);
    call.input[1].offset = 1; /* X lies anywhere */
    call.input[1].bytes += 4;
    assert_true(row("mat")->supports(&card, &call, why));
}

/* What was fastest on an H200 is what costs least. */
static void test_costs(void **state)
{
    (void)state;
    static const struct {
        int64_t m, blocks;
        const char *fastest;
    } measured[] = {
        {4096, 32, "phased"},
        {4096, 112, "phased"},
        {14336, 32, "table"},
        {151936, 32, "table"},
    };
    static const char *const all[] = {"table", "phased", "mma32", "mat", "lane8", "lane1"};
    /* with many vectors W should be read once, with one never through two launches */
    for (int64_t n = 16; n <= 512; n *= 2) {
        struct assay_call call = product(4096, n, 32);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            assert_true(!strcmp(all[k], "mat") ||
                        row(all[k])->cost(&card, &call) > row("mat")->cost(&card, &call));
    }
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        struct assay_call call = product(measured[i].m, 1, measured[i].blocks);
        double least = row(measured[i].fastest)->cost(&card, &call);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            assert_true(!strcmp(all[k], measured[i].fastest) || row(all[k])->cost(&card, &call) > least);
    }
}

static void refused(const char *words, struct assay_call call)
{
    char why[160] = "";
    assert_false(row("mma32")->supports(&card, &call, why));
    if (!strstr(why, words)) fail_msg("'%s' does not say '%s'", why, words);
    assert_true(row("lane8")->supports(&card, &call, why));
}

static void test_refusals(void **state)
{
    (void)state;
    refused("an odd number", product(8, 1, 3));
    refused("K is 0", product(8, 1, 0));
    refused("K is 1280000", product(8, 1, 10000));
    struct assay_call call = product(8, 1, 8);
    call.input[0].stride[0] += 2;
    call.input[0].bytes += 100;
    refused("4 bytes", call);
    call = product(8, 2, 8);
    call.input[1].offset = 1;
    call.input[1].bytes += 100;
    refused("2 bytes", call);
    char why[160];
    const struct assay_device_info old = {.backend = "cuda", .cc_major = 7, .cc_minor = 5};
    assert_false(row("mma32")->present(&old, why));
}

/* ---- on a GPU ---- */

static const struct q1_case cases[] = {
    {.m = 0, .n = 1, .blocks = 2},
    {.m = 3, .n = 2, .blocks = 0},
    {.m = 1, .n = 1, .blocks = 1},
    {.m = 1, .n = 1, .blocks = 2},
    {.m = 7, .n = 1, .blocks = 3},
    {.m = 8, .n = 1, .blocks = 8},
    {.m = 9, .n = 3, .blocks = 6},
    {.m = 31, .n = 1, .blocks = 16},
    {.m = 33, .n = 2, .blocks = 18},
    {.m = 65, .n = 4, .blocks = 24},
    {.m = 1000, .n = 1, .blocks = 40},
    {.m = 5000, .n = 1, .blocks = 32},
    {.m = 9000, .n = 2, .blocks = 10},
    {.m = 70000, .n = 1, .blocks = 8},
    {.m = 100, .n = 1, .blocks = 258},
    {.m = 9, .n = 2, .blocks = 3, .pad_w = 1, .pad_x = 3, .pad_y = 5, .off_w = 1, .off_x = 3, .off_y = 7},
    {.m = 70, .n = 2, .blocks = 4, .pad_w = 4, .pad_x = 2, .off_w = 260, .off_x = 2, .off_y = 65},
    {.m = 70, .n = 2, .blocks = 8, .pad_w = 16, .off_w = 272, .off_x = 1024},
    {.m = 16, .n = 1, .blocks = 16},
    {.m = 17, .n = 3, .blocks = 32},
    {.m = 31, .n = 1, .blocks = 112},
    {.m = 5003, .n = 1, .blocks = 48},
    {.m = 40000, .n = 1, .blocks = 32},
    {.m = 37, .n = 9, .blocks = 6},
    {.m = 130, .n = 34, .blocks = 10, .pad_w = 4, .pad_x = 1, .pad_y = 3, .off_w = 8, .off_x = 5, .off_y = 2},
    {.m = 300, .n = 67, .blocks = 16},
    {.m = 300,
     .n = 2,
     .blocks = 64,
     .pad_w = 32,
     .pad_x = 4,
     .pad_y = 3,
     .off_w = 16,
     .off_x = 8,
     .off_y = 5},
};

/* A case above this many blocks times rows times vectors is large. */
enum { LARGE = 50000 };

static const struct {
    const char *technique;
    enum assay_variant variant;
} runs[] = {
    {"table", ASSAY_VARIANT_NATIVE},  {"phased", ASSAY_VARIANT_NATIVE},  {"mma32", ASSAY_VARIANT_NATIVE},
    {"mat", ASSAY_VARIANT_NATIVE},    {"lane8", ASSAY_VARIANT_NATIVE},   {"lane1", ASSAY_VARIANT_NATIVE},
    {"lane8", ASSAY_VARIANT_GUARDED}, {"lane1", ASSAY_VARIANT_EMULATED}, {"lane8", ASSAY_VARIANT_INTEGER},
    {NULL, ASSAY_VARIANT_AUTO},
};
enum { RUNS = sizeof runs / sizeof *runs, CASES = sizeof cases / sizeof *cases };

/* Every row and form on every small case and fill; on the large cases the rows in the native form alone, which differ there
 * by their tiles. What that leaves out: lane1 and lane8, whose code has no tiles, in their slow forms on large cases (they
 * meet the same fills on small ones). Right answers are worked out once a case and fill. */
static void test_rows(void **state)
{
    (void)state;
    static const enum q1_fill fills[] = {Q1_FILL_LAYER, Q1_FILL_WRAP, Q1_FILL_SCALES, Q1_FILL_SPECIAL};
    static struct assay_engine *engine[ASSAY_VARIANT_COUNT];
    struct assay_error error = {0};
    size_t ran[RUNS] = {0}, asked[RUNS] = {0};
    for (size_t r = 0; r < RUNS; r++) {
        const struct assay_open_params params = {.device = "cuda:0", .variant = runs[r].variant};
        struct assay_engine **to = &engine[runs[r].variant];
        if (*to || assay_open(&params, to, &error) == ASSAY_OK) continue;
        if (r) fail_msg("%s: %s", assay_variant_name(runs[r].variant), error.text);
        skip();
    }
    for (size_t i = 0; i < CASES; i++)
        for (size_t f = 0; f < sizeof fills / sizeof *fills; f++) {
            struct q1_case c = cases[i];
            c.fill = fills[f];
            struct q1_ready *ready = q1_prepare(&c);
            for (size_t r = 0; r < RUNS; r++) {
                bool slow = runs[r].variant != ASSAY_VARIANT_NATIVE && runs[r].variant != ASSAY_VARIANT_AUTO;
                if (slow && c.m * c.n * c.blocks > LARGE) continue;
                asked[r]++;
                ran[r] +=
                    q1_ready_run(engine[runs[r].variant], ready, runs[r].technique, NULL, &error) == ASSAY_OK;
            }
            q1_ready_free(ready);
        }
    for (size_t r = 0; r < RUNS; r++) {
        printf("%s %s: %zu of %zu\n", runs[r].technique ? runs[r].technique : "(chosen)",
               assay_variant_name(runs[r].variant), ran[r], asked[r]);
        /* the matrix unit's row refuses odd widths and odd places, tables all but whole parts of 16 blocks */
        bool table = runs[r].technique &&
                     (!strcmp(runs[r].technique, "table") || !strcmp(runs[r].technique, "phased"));
        assert_true(ran[r] >= 4 * (table ? 7 : 15));
        if (!runs[r].technique) assert_int_equal(ran[r], 4 * CASES);
    }
    for (size_t v = 0; v < ASSAY_VARIANT_COUNT; v++) assay_close(engine[v]);
}

static void test_quantizer(void **state)
{
    (void)state;
    static const struct q1_case shapes[] = {
        {.n = 2, .blocks = 0},
        {.n = 3, .blocks = 65, .pad_x = 1, .pad_y = 1, .off_x = 3, .off_y = 1},
        {.n = 4000, .blocks = 8},
    };
    struct assay_error error = {0};
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {.device = "cuda:0"};
    if (assay_open(&params, &engine, &error) != ASSAY_OK) skip();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (q1_quantize_run(engine, &shapes[i], NULL, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assay_close(engine);
}

/* ---- steps in one submission ---- */

enum { TURNS = 8, CHAIN_M = 3000, CHAIN_BLOCKS = 32, CHAIN_K = CHAIN_BLOCKS * 128 };

struct chain {
    struct assay_device *device;
    struct assay_buffer *memory[4]; /* numbers, W, X, Y */
    struct assay_program *program[3];
    struct assay_dispatch dispatch[TURNS * 3];
};

static void add_step(struct chain *c, size_t at, size_t program, const char *technique,
                     const struct assay_call *call, const size_t memory[3])
{
    struct assay_error error = {0};
    struct assay_plan plan;
    if (row(technique)->plan(&c->device->info, call, ASSAY_VARIANT_NATIVE, &plan, &error) != ASSAY_OK)
        fail_msg("%s", error.text);
    const struct assay_step *step = &plan.step[0];
    if (!c->program[program] && c->device->backend->program_create(c->device, &step->program,
                                                                   &c->program[program], &error) != ASSAY_OK)
        fail_msg("%s", error.text);
    struct assay_dispatch *d = &c->dispatch[at];
    d->program = c->program[program];
    for (uint32_t i = 0; i < step->program.bindings; i++)
        d->binding[i] =
            (struct assay_binding){c->memory[memory[i]], step->bind[i].offset_bytes, step->bind[i].bytes};
    memcpy(d->push, step->push, sizeof d->push);
    memcpy(d->groups, step->groups, sizeof d->groups);
}

/* Every turn quantizes other numbers into the same X and multiplies it twice: a launch that begins while the one before
 * it ends must neither read X too early nor see it overwritten. */
static void build_chain(struct chain *c, uint64_t y_stride)
{
    for (size_t t = 0; t < TURNS; t++) {
        struct assay_call quantize = {.op = "Q8_0Quantize", .input_count = 1, .output_count = 1};
        assay_tensor_dense(&quantize.input[0], ASSAY_F32, 2, (int64_t[]){1, CHAIN_K});
        assay_tensor_dense(&quantize.output[0], ASSAY_U8, 2, (int64_t[]){1, CHAIN_BLOCKS * 136});
        quantize.input[0].offset = (int64_t)t * CHAIN_K;
        quantize.input[0].bytes = TURNS * CHAIN_K * 4;
        quantize.output[0].bytes = CHAIN_BLOCKS * 136;
        add_step(c, t * 3, 0, "quantize", &quantize, (const size_t[]){0, 2, 0});
        for (size_t i = 0; i < 2; i++) {
            struct assay_call call = product(CHAIN_M, 1, CHAIN_BLOCKS);
            call.output[0].offset = (int64_t)((t * 2 + i) * y_stride / 4);
            call.output[0].bytes = 2 * TURNS * y_stride;
            add_step(c, t * 3 + 1 + i, 1 + i, i ? "phased" : "table", &call, (const size_t[]){1, 2, 3});
        }
    }
}

static void test_steps_see_each_other(void **state)
{
    (void)state;
    static struct assay_device_list list;
    static struct chain c;
    const struct assay_driver_params defaults = {0};
    const uint64_t y_stride = (CHAIN_M * 4 + 255) / 256 * 256;
    const uint64_t bytes[4] = {TURNS * CHAIN_K * 4, (uint64_t)CHAIN_M * CHAIN_BLOCKS * 18, CHAIN_BLOCKS * 136,
                               2 * TURNS * y_stride};
    struct assay_error error = {0};
    assay_discover(&defaults, NULL, &list);
    for (size_t i = 0; i < list.count && !c.device; i++)
        if (!strcmp(list.device[i].backend, "cuda") && list.device[i].usable && !list.device[i].duplicate &&
            assay_device_open(&defaults, &list.device[i], &c.device, &error) != ASSAY_OK)
            fail_msg("%s", error.text);
    if (!c.device) skip();
    const struct assay_backend *b = c.device->backend;
    float *numbers = malloc(bytes[0]);
    uint8_t *w = malloc(bytes[1]), *one = malloc(bytes[3]), *all = malloc(bytes[3]);
    assert_true(numbers && w && one && all);
    for (size_t i = 0; i < TURNS * CHAIN_K; i++)
        numbers[i] = (float)((int)(i * 2654435761u >> 16 & 2047) - 1000) / (float)(1 + i / CHAIN_K);
    q1_fill_weights(w, (int64_t)CHAIN_M * CHAIN_BLOCKS, 3, Q1_FILL_LAYER);
    memset(all, 0xff, bytes[3]);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(b->buffer_create(c.device, bytes[i], &c.memory[i], &error), ASSAY_OK);
    assert_int_equal(b->write(c.device, c.memory[0], 0, numbers, bytes[0], &error), ASSAY_OK);
    assert_int_equal(b->write(c.device, c.memory[1], 0, w, bytes[1], &error), ASSAY_OK);
    build_chain(&c, y_stride);
    for (int round = 0; round < 20; round++) {
        uint8_t *to = round ? all : one;
        assert_int_equal(b->write(c.device, c.memory[3], 0, all, bytes[3], &error), ASSAY_OK);
        for (size_t i = 0; i < TURNS * 3; i += round ? TURNS * 3 : 1) { /* first one by one, then together */
            assert_int_equal(b->submit(c.device, c.dispatch + i, round ? TURNS * 3 : 1, &error), ASSAY_OK);
            assert_int_equal(b->wait(c.device, 0, NULL, &error), ASSAY_OK);
        }
        assert_int_equal(b->read(c.device, c.memory[3], 0, to, bytes[3], &error), ASSAY_OK);
        assert_memory_equal(to, one, bytes[3]);
        memset(all, 0xff, bytes[3]);
    }
    for (size_t t = 0; t < TURNS; t++) { /* both rows agree, and turns differ */
        assert_memory_equal(one + 2 * t * y_stride, one + (2 * t + 1) * y_stride, CHAIN_M * 4);
        if (t) assert_memory_not_equal(one, one + 2 * t * y_stride, CHAIN_M * 4);
    }
    assay_device_close(c.device);
    free(numbers);
    free(w);
    free(one);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),     cmocka_unit_test(test_table_plans),
        cmocka_unit_test(test_mat_plans), cmocka_unit_test(test_costs),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_rows),
        cmocka_unit_test(test_quantizer), cmocka_unit_test(test_steps_see_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
