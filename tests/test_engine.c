/* The engine's own logic on a table of planted rows (this file's assay_matmul_kernels takes the place of the real one):
 * choice, refusals, known answers, programs, memory, errors that name what is wrong. On the CPU. */
#include "kernels/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- planted rows: y = x + 1 on words ---- */

static void step_right(void *const *buffers, const void *push, const uint32_t group[3])
{
    (void)push;
    ((uint32_t *)buffers[1])[group[0]] = ((const uint32_t *)buffers[0])[group[0]] + 1;
}

static void step_wrong(void *const *buffers, const void *push, const uint32_t group[3])
{
    step_right(buffers, push, group);
    if (group[0] == 2) ((uint32_t *)buffers[1])[2] ^= 1;
}

/* Two steps through scratch: right only if dispatches see each other's writes. */
static void step_first(void *const *buffers, const void *push, const uint32_t group[3])
{
    (void)push;
    ((uint32_t *)buffers[1])[group[0]] = ((const uint32_t *)buffers[0])[group[0]] ^ 0x5555;
}

static void step_second(void *const *buffers, const void *push, const uint32_t group[3])
{
    (void)push;
    ((uint32_t *)buffers[1])[group[0]] = (((const uint32_t *)buffers[0])[group[0]] ^ 0x5555) + 1;
}

static const char right_text[] = "right";
static const struct assay_code code_right[] = {
    {.kind = ASSAY_CODE_SPIRV, .name = "not for a processor", .data = right_text, .end = right_text},
    {.kind = ASSAY_CODE_NATIVE,
     .name = "right",
     .data = right_text,
     .end = right_text + 5,
     .native = step_right},
};
static const struct assay_code code_wrong = {
    .kind = ASSAY_CODE_NATIVE, .name = "wrong", .native = step_wrong};
static const struct assay_code code_steps[2] = {
    {.kind = ASSAY_CODE_NATIVE, .name = "first", .native = step_first},
    {.kind = ASSAY_CODE_NATIVE, .name = "second", .native = step_second},
};

static bool always(const struct assay_device_info *info, char why[160])
{
    (void)info;
    why[0] = '\0';
    return true;
}

static bool never(const struct assay_device_info *info, char why[160])
{
    (void)info;
    snprintf(why, 160, "needs a unicorn");
    return false;
}

static bool at_most_100(const struct assay_device_info *info, const struct assay_call *call, char why[160])
{
    (void)info;
    int64_t elems = assay_tensor_elems(&call->output[0]);
    snprintf(why, 160, "%d elements, the limit is 100", (int)elems);
    return elems <= 100;
}

static double cost_10(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info, (void)call;
    return 10;
}

static double cost_20(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info, (void)call;
    return 20;
}

static int plans;

static struct assay_step *add_step(struct assay_plan *plan, const struct assay_code *codes, size_t count,
                                   uint32_t groups)
{
    struct assay_step *step = &plan->step[plan->step_count++];
    step->program =
        (struct assay_program_params){.codes = codes, .code_count = count, .bindings = 2, .group = {1, 1, 1}};
    step->bind[1].role = ASSAY_ROLE_OUTPUT;
    step->groups[0] = groups;
    step->groups[1] = step->groups[2] = 1;
    plans++;
    return step;
}

static enum assay_status plan_right(const struct assay_device_info *info, const struct assay_call *call,
                                    enum assay_variant variant, struct assay_plan *plan,
                                    struct assay_error *error)
{
    (void)info, (void)variant, (void)error;
    int64_t elems = assay_tensor_elems(&call->output[0]);
    if (elems) add_step(plan, code_right, 2, (uint32_t)elems);
    return ASSAY_OK;
}

static enum assay_status plan_wrong(const struct assay_device_info *info, const struct assay_call *call,
                                    enum assay_variant variant, struct assay_plan *plan,
                                    struct assay_error *error)
{
    (void)info, (void)variant, (void)error;
    add_step(plan, &code_wrong, 1, (uint32_t)assay_tensor_elems(&call->output[0]));
    return ASSAY_OK;
}

static enum assay_status plan_steps(const struct assay_device_info *info, const struct assay_call *call,
                                    enum assay_variant variant, struct assay_plan *plan,
                                    struct assay_error *error)
{
    (void)info, (void)variant, (void)error;
    uint32_t elems = (uint32_t)assay_tensor_elems(&call->output[0]);
    plan->scratch_bytes = 256 + 4ull * elems;
    struct assay_step *first = add_step(plan, &code_steps[0], 1, elems);
    first->bind[1].role = ASSAY_ROLE_SCRATCH;
    first->bind[1].offset_bytes = 256;
    struct assay_step *second = add_step(plan, &code_steps[1], 1, elems);
    second->bind[0] = first->bind[1];
    return ASSAY_OK;
}

#define VECTOR(count)                                                                                        \
    {                                                                                                        \
        .dtype = ASSAY_I32, .rank = 1, .shape = {count}, .stride = {1}, .bytes = 4 * (count)                 \
    }
static const uint32_t known_x[4] = {0, 41, 0xffffffff, 7}, known_y[4] = {1, 42, 0, 8};
static const struct assay_known_answer known = {
    .call = {.op = "Step", .input = {VECTOR(4)}, .input_count = 1, .output = {VECTOR(4)}, .output_count = 1},
    .input = {known_x},
    .output = {known_y},
};

#define ROW(name, is_present, takes, price, how)                                                             \
    {                                                                                                        \
        .op = "Step", .family = "planted", .backend = "cpu", .technique = name, .dtype = ASSAY_I32,          \
        .present = is_present, .supports = takes, .cost = price, .plan = how, .known = &known,               \
        .known_count = 1                                                                                     \
    }
static const struct assay_kernel rows[] = {
    ROW("absent", never, at_most_100, cost_10, plan_right),
    ROW("right", always, at_most_100, cost_20, plan_right),
    ROW("cheap", always, at_most_100, cost_10, plan_right),
    ROW("wrong", always, at_most_100, cost_20, plan_wrong),
    ROW("steps", always, at_most_100, cost_20, plan_steps),
    {.op = "Fused",
     .family = "planted",
     .backend = "cpu",
     .technique = "integer_only",
     .dtype = ASSAY_I32,
     .variants = 1u << ASSAY_VARIANT_INTEGER,
     .present = always,
     .supports = at_most_100,
     .cost = cost_10,
     .plan = plan_right,
     .known = &known,
     .known_count = 1},
    {.op = "Other",
     .family = "planted",
     .backend = "elsewhere",
     .technique = "x",
     .dtype = ASSAY_I32,
     .present = always,
     .supports = at_most_100,
     .cost = cost_10,
     .plan = plan_right},
};
const struct assay_kernel_table assay_matmul_kernels = {rows, sizeof rows / sizeof *rows};

/* ---- a call on it ---- */

static struct assay_engine *open_cpu(void)
{
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {.device = "cpu"};
    OK(assay_open(&params, &engine, &error));
    return engine;
}

static struct assay_call step_call(struct assay_engine *engine, int64_t elems)
{
    struct assay_call call = {.op = "Step", .input_count = 1, .output_count = 1};
    struct assay_tensor *tensor[2] = {&call.input[0], &call.output[0]};
    for (int t = 0; t < 2; t++) {
        assay_tensor_dense(tensor[t], ASSAY_I32, 1, &elems);
        tensor[t]->bytes = 4 * (uint64_t)elems;
        OK(assay_alloc(engine, tensor[t]->bytes, &tensor[t]->buffer, &error));
        uint32_t *fill = calloc(elems ? (size_t)elems : 1, 4);
        for (int64_t i = 0; i < elems; i++) fill[i] = t ? 0xdddddddd : (uint32_t)(100 + i);
        OK(assay_upload(engine, tensor[t]->buffer, 0, fill, tensor[t]->bytes, &error));
        free(fill);
    }
    return call;
}

static void check_result(struct assay_engine *engine, const struct assay_call *call, int64_t elems)
{
    uint32_t got[100];
    OK(assay_download(engine, call->output[0].buffer, 0, got, 4 * (uint64_t)elems, &error));
    for (int64_t i = 0; i < elems; i++) assert_int_equal(got[i], 101 + i);
}

static void test_choice(void **state)
{
    (void)state;
    struct assay_engine *engine = open_cpu();
    struct assay_call call = step_call(engine, 50);
    struct assay_run_report report = {0};
    OK(assay_run(engine, &call, NULL, &report, &error));
    assert_string_equal(report.kernel, "planted.cpu.cheap.exact");
    assert_string_equal(report.variant, "");
    assert_true(report.kernel_hash != 0);
    check_result(engine, &call, 50);
    struct assay_run_params right = {.technique = "right"}, steps = {.technique = "steps", .repeat = 3};
    uint64_t cheap_hash = report.kernel_hash;
    OK(assay_run(engine, &call, &right, &report, &error));
    assert_string_equal(report.kernel, "planted.cpu.right.exact");
    assert_int_equal(report.kernel_hash, cheap_hash); /* the same program */
    OK(assay_run(engine, &call, &steps, &report, &error));
    assert_true(report.kernel_hash != cheap_hash);
    check_result(engine, &call, 50);
    assay_close(engine);
}

static void test_refusals(void **state)
{
    (void)state;
    struct assay_engine *engine = open_cpu();
    struct assay_call call = step_call(engine, 50), large = step_call(engine, 101),
                      empty = step_call(engine, 0);
    const struct assay_run_params absent = {.technique = "absent"}, unknown = {.technique = "magic"},
                                  fast = {.mode = ASSAY_FAST};
    FAILS(ASSAY_UNSUPPORTED, "needs a unicorn", assay_run(engine, &call, &absent, NULL, &error));
    FAILS(ASSAY_UNSUPPORTED, "magic", assay_supports(engine, &call, &unknown, &error));
    FAILS(ASSAY_UNSUPPORTED, "fast", assay_supports(engine, &call, &fast, &error));
    FAILS(ASSAY_UNSUPPORTED, "101 elements, the limit is 100", assay_run(engine, &large, NULL, NULL, &error));
    plans = 0;
    FAILS(ASSAY_UNSUPPORTED, "101 elements, the limit is 100", assay_supports(engine, &large, NULL, &error));
    OK(assay_supports(engine, &call, NULL, &error));
    assert_int_equal(plans, 0); /* supports plans and runs nothing */

    struct assay_call other = call;
    other.op = "Other";
    FAILS(ASSAY_UNSUPPORTED, "no kernel computes Other", assay_run(engine, &other, NULL, NULL, &error));
    other.op = "Fused";
    FAILS(ASSAY_UNSUPPORTED, "native", assay_run(engine, &other, NULL, NULL, &error));
    other.op = NULL;
    FAILS(ASSAY_INVALID_INPUT, "names no operator", assay_run(engine, &other, NULL, NULL, &error));
    other = call;
    other.output[0].dtype = ASSAY_F32;
    FAILS(ASSAY_UNSUPPORTED, "f32", assay_run(engine, &other, NULL, NULL, &error));

    /* An empty output: nothing to do, and that is done. */
    struct assay_run_report report;
    OK(assay_run(engine, &empty, NULL, &report, &error));
    assert_int_equal(report.device_ns, 0);
    assay_close(engine);
}

/* A kernel that gets a known answer wrong is refused, stays refused, and no other takes its place unasked. */
static void test_known_answers(void **state)
{
    (void)state;
    struct assay_engine *engine = open_cpu();
    struct assay_call call =
        step_call(engine, 2); /* the planted fault is in element 2: this call would be right */
    const struct assay_run_params wrong = {.technique = "wrong"};
    for (int i = 0; i < 2; i++)
        FAILS(ASSAY_DEVICE_UNSUPPORTED, "known answer 0: element 2 is 00000001, 00000000 is right",
              assay_run(engine, &call, &wrong, NULL, &error));
    uint32_t got;
    OK(assay_download(engine, call.output[0].buffer, 0, &got, 4, &error));
    assert_int_equal(got, 0xdddddddd); /* nothing ran */
    OK(assay_run(engine, &call, NULL, NULL, &error));
    check_result(engine, &call, 2);

    char *text = assay_engine_json(engine);
    json_t *root = json_loads(text, 0, NULL), *kernel;
    size_t i;
    int planted = 0, refused = 0, absent = 0, hashed = 0;
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "kernels"), i, kernel)
    {
        if (strcmp(json_string_value(json_object_get(kernel, "family")), "planted") != 0) continue;
        planted++;
        refused += json_is_true(json_object_get(kernel, "refused"));
        absent += json_is_false(json_object_get(kernel, "present"));
        hashed += json_object_get(kernel, "hash") != NULL;
    }
    assert_int_equal(planted, 6); /* the row of another backend is not ours */
    assert_int_equal(refused, 1);
    assert_int_equal(absent, 1);
    assert_int_equal(hashed, 2);
    assert_string_equal(json_string_value(json_object_get(root, "variant")), "native");
    assert_true(json_array_size(json_object_get(root, "traits")) > 5);
    json_decref(root);
    free(text);
    assay_close(engine);
}

static void test_memory(void **state)
{
    (void)state;
    struct assay_engine *engine = open_cpu(), *second = open_cpu();
    struct assay_call call = step_call(engine, 10);
    uint32_t word = 5;
    struct assay_buffer *buffer = NULL, *other = NULL;
    OK(assay_alloc(engine, 0, &buffer, &error));
    OK(assay_upload(engine, buffer, 0, &word, 4, &error));
    FAILS(ASSAY_INVALID_INPUT, "past the end of a buffer of 4 bytes",
          assay_upload(engine, buffer, 1, &word, 4, &error));
    FAILS(ASSAY_INVALID_INPUT, "past the end", assay_download(engine, buffer, UINT64_MAX, &word, 4, &error));
    OK(assay_alloc(second, 16, &other, &error));
    FAILS(ASSAY_INVALID_INPUT, "not this engine's", assay_upload(engine, other, 0, &word, 4, &error));
    FAILS(ASSAY_UNSUPPORTED, "above the limit", assay_alloc(engine, UINT64_MAX, &buffer, &error));

    struct assay_call bad = call;
    bad.input[0].buffer = other;
    FAILS(ASSAY_INVALID_INPUT, "input 0 of Step has no buffer of this engine",
          assay_run(engine, &bad, NULL, NULL, &error));
    bad = call;
    bad.output[0].bytes = 44;
    FAILS(ASSAY_INVALID_INPUT, "44 bytes, it has 40", assay_run(engine, &bad, NULL, NULL, &error));
    bad = call;
    bad.output[0].shape[0] = 11;
    FAILS(ASSAY_INVALID_INPUT, "needs 11 elements", assay_run(engine, &bad, NULL, NULL, &error));
    bad = call;
    bad.output[0].buffer = bad.input[0].buffer;
    FAILS(ASSAY_INVALID_INPUT, "overlaps", assay_run(engine, &bad, NULL, NULL, &error));
    bad.input[0].shape[0] = bad.output[0].shape[0] = 5;
    bad.output[0].offset = 5; /* two halves of one buffer do not overlap */
    OK(assay_run(engine, &bad, NULL, NULL, &error));
    assay_free(engine, NULL);
    assay_free(engine, call.output[0].buffer);
    FAILS(ASSAY_INVALID_INPUT, "no buffer", assay_run(engine, &call, NULL, NULL, &error));
    assay_close(engine);
    assay_close(second);
    assay_close(NULL);
}

static void test_open(void **state)
{
    (void)state;
    struct assay_engine *engine = NULL;
    const struct assay_open_params missing = {.device = "cuda:77"}, odd = {.device = "cpu", .variant = 99},
                                   contract = {.device = "cpu", .variant = ASSAY_VARIANT_CONTRACT},
                                   integer = {.device = "cpu", .variant = ASSAY_VARIANT_INTEGER};
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "cuda:77", assay_open(&missing, &engine, &error));
    assert_null(engine);
    FAILS(ASSAY_INVALID_INPUT, "99", assay_open(&odd, &engine, &error));
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "contract", assay_open(&contract, &engine, &error));
    OK(assay_open(&integer, &engine, &error));
    struct assay_call call = step_call(engine, 3);
    call.op = "Fused";
    struct assay_run_report report;
    OK(assay_run(engine, &call, NULL, &report, &error));
    assert_string_equal(report.variant, "integer");
    assay_close(engine);
    OK(assay_open(NULL, &engine, &error)); /* the best device; the CPU where there is no card */
    assert_non_null(assay_engine_device(engine)->backend);
    assay_close(engine);
}

static void test_names(void **state)
{
    (void)state;
    for (int v = 0; v < ASSAY_VARIANT_COUNT; v++)
        assert_int_equal(assay_variant_parse(assay_variant_name((enum assay_variant)v)), v);
    assert_int_equal(assay_variant_parse("Native"), ASSAY_VARIANT_COUNT);
    assert_int_equal(assay_variant_parse(NULL), ASSAY_VARIANT_COUNT);
    assert_string_equal(assay_mode_name(ASSAY_FAST), "fast");
}

#ifdef ASSAY_BUILD_SANITIZER
#define SANITIZE "-fsanitize=" ASSAY_BUILD_SANITIZER
#else
#define SANITIZE ""
#endif

/* A sanitizer's runtime must be that of the compiler that made the library. */
#ifdef __clang__
#define COMPILER "clang"
#else
#define COMPILER "gcc"
#endif

/* The example of the documentation needs libassay and nothing else of this project. */
static void test_example(void **state)
{
    (void)state;
    char folder[] = "/tmp/assay-example-XXXXXX", command[1024], line[200] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             COMPILER " -std=c11 -Wall -Wextra -Werror " SANITIZE " -I. docs/examples/matmul.c " TEST_BUILD
                      "/libassay.a -ljansson -lpthread -ldl -lm -o %s/matmul && %s/matmul cpu",
             folder, folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(line, sizeof line, pipe));
    assert_int_equal(pclose(pipe), 0);
    assert_non_null(strstr(line, ".exact: 4 5 10 11\n"));
    snprintf(command, sizeof command, "%s/matmul", folder);
    unlink(command);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),  cmocka_unit_test(test_refusals), cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_memory),  cmocka_unit_test(test_open),     cmocka_unit_test(test_names),
        cmocka_unit_test(test_example),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
