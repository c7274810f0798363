/* The plan: kernels of a device, caps by class and level, the inventory it is made from, the choice of devices, and
 * the loading of engines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/engine_load.h"
#include "harness/plan.h"

static const char machine[] =
    "{\"engine\": \"assay\", \"version\": \"1\", \"devices\": ["
    "{\"label\": \"cpu:0\", \"backend\": \"cpu\", \"index\": 0, \"name\": \"A \\\"CPU\\\"\", \"kind\": "
    "\"cpu\","
    " \"software\": false, \"usable\": true},"
    "{\"label\": \"vulkan:0\", \"backend\": \"vulkan\", \"index\": 1, \"name\": \"card\", \"kind\": "
    "\"discrete\","
    " \"uuid\": \"01234567-89ab-cdef-0123-456789abcdef\", \"pci\": \"0000:1b:00.0\", \"software\": false, "
    "\"usable\": true},"
    "{\"label\": \"vulkan:1\", \"backend\": \"vulkan\", \"index\": 2, \"name\": \"llvmpipe\", \"kind\": "
    "\"cpu\","
    " \"uuid\": null, \"pci\": null, \"software\": true, \"usable\": true},"
    "{\"label\": \"cuda:0\", \"backend\": \"cuda\", \"index\": 3, \"name\": \"card\", \"kind\": \"discrete\","
    " \"uuid\": \"01234567-89ab-cdef-0123-456789abcdef\", \"pci\": \"0000:1b:00.0\", \"software\": false, "
    "\"usable\": true},"
    "{\"label\": \"cuda:1\", \"backend\": \"cuda\", \"index\": 4, \"name\": \"old\", \"kind\": \"discrete\","
    " \"software\": false, \"usable\": false, \"why\": \"too old\"}],"
    " \"notes\": [], \"kernels\": ["
    "{\"name\": \"matmul.cpu.plain.exact\", \"op\": \"MatMul\", \"backend\": \"cpu\", \"technique\": "
    "\"plain\","
    " \"mode\": \"exact\", \"dtype\": \"f32\"},"
    "{\"name\": \"matmul.cpu.avx2.exact\", \"op\": \"MatMul\", \"backend\": \"cpu\", \"technique\": \"avx2\","
    " \"mode\": \"exact\", \"dtype\": \"f32\"},"
    "{\"name\": \"matmul.cpu.half.exact\", \"op\": \"MatMul\", \"backend\": \"cpu\", \"technique\": \"half\","
    " \"mode\": \"exact\", \"dtype\": \"f16\"},"
    "{\"name\": \"conv.cpu.plain.exact\", \"op\": \"Conv\", \"backend\": \"cpu\", \"technique\": \"plain\","
    " \"mode\": \"exact\", \"dtype\": \"f32\"},"
    "{\"name\": \"matmul.vulkan.a.exact\", \"op\": \"MatMul\", \"backend\": \"vulkan\", \"technique\": \"a\","
    " \"mode\": \"exact\", \"dtype\": \"f32\"},"
    "{\"name\": \"matmul.vulkan.b.exact\", \"op\": \"MatMul\", \"backend\": \"vulkan\", \"technique\": \"b\","
    " \"mode\": \"exact\", \"dtype\": \"f32\"},"
    "{\"name\": \"matmul.vulkan.c.exact\", \"op\": \"MatMul\", \"backend\": \"vulkan\", \"technique\": \"c\","
    " \"mode\": \"exact\", \"dtype\": \"f32\"}]}";

static struct inventory inventory_of(bool software)
{
    struct inventory inventory;
    struct assay_error error = {0};
    if (inventory_parse(machine, software, &inventory, &error)) fail_msg("%s", error.text);
    return inventory;
}

static struct corpus corpus_of(const char *const *lines, size_t count)
{
    struct corpus corpus = {0};
    struct assay_error error = {0};
    if (corpus_select(&corpus, lines, count, LEVEL_QUICK, &error)) fail_msg("%s", error.text);
    assert_int_equal(corpus.count, count);
    return corpus;
}

static struct plan_device device_of(const struct inventory *inventory, size_t device, const char *glob,
                                    const char *probe)
{
    struct plan_device result;
    struct assay_error error = {0};
    if (plan_device_make(inventory, device, glob, probe, &result, &error)) fail_msg("%s", error.text);
    return result;
}

#define SMALL  "matmul/f32/m=3,n=3,k=3/fill=normal/seed=1"
#define MIDDLE "matmul/f32/m=100,n=100,k=100/fill=normal/seed=1"
#define LARGE  "matmul/f32/m=1000,n=1000,k=1000/fill=normal/seed=1"

static void test_classes(void **state)
{
    (void)state;
    struct inventory inventory = inventory_of(true);
    static const enum plan_class want[] = {PLAN_CPU, PLAN_GPU, PLAN_SOFTWARE, PLAN_GPU, PLAN_GPU};
    for (size_t i = 0; i < 5; i++) assert_int_equal(plan_class_of(&inventory.device[i]), want[i]);
    for (int level = 0; level < LEVEL_COUNT; level++)
        for (int class = 0; class < PLAN_CLASS_COUNT; class ++) {
            const struct plan_cap *cap = &plan_caps[level][class];
            assert_true(cap->flops > 0 && cap->bytes > 0 && cap->every_kernel_flops <= cap->flops);
            if (level) assert_true(cap->flops > plan_caps[level - 1][class].flops);
        }
    inventory_free(&inventory);
}

static void test_rows(void **state)
{
    (void)state;
    const char *lines[] = {SMALL, MIDDLE, LARGE, "onnx/test_matmul_2d"};
    struct inventory inventory = inventory_of(true);
    struct corpus corpus = corpus_of(lines, 4);
    struct plan_device devices[2] = {device_of(&inventory, 0, NULL, NULL),
                                     device_of(&inventory, 2, NULL, NULL)};
    struct plan plan;
    struct assay_error error = {0};
    assert_int_equal(devices[0].kernel_count, 4);
    assert_int_equal(devices[1].kernel_count, 3);
    assert_int_equal(plan_make(&corpus, devices, 2, LEVEL_QUICK, false, &plan, &error), ASSAY_OK);

    static const struct {
        const char *line, *device, *kernel;
    } want[] = {
        {SMALL, "cpu:0", "matmul.cpu.plain.exact"},    {SMALL, "cpu:0", "matmul.cpu.avx2.exact"},
        {SMALL, "vulkan:1", "matmul.vulkan.a.exact"},  {SMALL, "vulkan:1", "matmul.vulkan.b.exact"},
        {SMALL, "vulkan:1", "matmul.vulkan.c.exact"},  {MIDDLE, "cpu:0", "matmul.cpu.plain.exact"},
        {MIDDLE, "cpu:0", "matmul.cpu.avx2.exact"},    {MIDDLE, "vulkan:1", ""},
        {MIDDLE, "vulkan:1", "matmul.vulkan.?.exact"},
    };
    size_t count = sizeof want / sizeof *want;
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(plan.row[i].entry->line, want[i].line);
        assert_string_equal(devices[plan.row[i].device].label, want[i].device);
        if (!case_match(want[i].kernel, plan.row[i].kernel))
            fail_msg("row %zu: kernel %s, not %s", i, plan.row[i].kernel, want[i].kernel);
    }
    /* 2 GFLOP are above both caps of level quick: listed, with the reason. Of the onnx case no file is read: what its
     * operator is is not known, and one row a device says so. */
    assert_int_equal(plan.capped_count, 2);
    assert_string_equal(plan.capped[0].entry->line, LARGE);
    assert_string_equal(plan.capped[0].reason,
                        "level quick caps CPU devices at 400 MFLOP a case (this one has 2000)");
    assert_non_null(strstr(plan.capped[1].reason, "level quick caps software devices at 2.5 MFLOP a case"));
    assert_int_equal(plan.row_count, count + 2);
    for (size_t i = count; i < plan.row_count; i++) assert_string_equal(plan.row[i].kernel, "");
    plan_free(&plan);

    assert_int_equal(plan_make(&corpus, devices, 1, LEVEL_STANDARD, false, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.capped_count, 0);
    plan_free(&plan);
    for (int i = 0; i < 2; i++) plan_device_free(&devices[i]);
    corpus_free(&corpus);
    inventory_free(&inventory);
}

/* Over a corpus the extra row of big cases reaches every kernel. */
static void test_rotation(void **state)
{
    (void)state;
    char text[40][80];
    const char *lines[40];
    for (int i = 0; i < 40; i++) {
        snprintf(text[i], sizeof text[i], "matmul/f32/m=80,n=80,k=%d/fill=normal/seed=1", 100 + i);
        lines[i] = text[i];
    }
    struct inventory inventory = inventory_of(true);
    struct corpus corpus = corpus_of(lines, 40);
    struct plan_device device = device_of(&inventory, 2, NULL, NULL);
    struct plan plan;
    struct assay_error error = {0};
    int hits[3] = {0};
    assert_int_equal(plan_make(&corpus, &device, 1, LEVEL_QUICK, false, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.row_count, 80);
    for (size_t i = 0; i < plan.row_count; i++)
        for (int k = 0; k < 3; k++) hits[k] += strcmp(plan.row[i].kernel, device.kernel[k].name) == 0;
    assert_int_equal(hits[0] + hits[1] + hits[2], 40);
    for (int k = 0; k < 3; k++) assert_true(hits[k] >= 5);
    plan_free(&plan);
    plan_device_free(&device);
    corpus_free(&corpus);
    inventory_free(&inventory);
}

static void test_kernel_choice(void **state)
{
    (void)state;
    struct inventory inventory = inventory_of(true);
    struct assay_error error = {0};
    struct plan plan;
    const char *lines[] = {MIDDLE};
    struct corpus corpus = corpus_of(lines, 1);
    struct plan_device device = device_of(&inventory, 2, "matmul.vulkan.?.*", NULL);
    assert_int_equal(plan_make(&corpus, &device, 1, LEVEL_QUICK, true, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.row_count, 3);
    plan_free(&plan);
    plan_device_free(&device);

    assert_int_equal(plan_device_make(&inventory, 2, "conv*", NULL, &device, &error), ASSAY_INVALID_INPUT);
    assert_string_equal(
        error.text,
        "--kernel conv* matches none of the 3 kernels of vulkan:1; `assay list --ops` shows them");

    /* What the probe calls absent is no row. */
    const char *probe =
        "{\"kernels\": [{\"name\": \"matmul.vulkan.b.exact\", \"present\": false, \"why\": \"too small\"},"
        "{\"name\": \"matmul.vulkan.a.exact\", \"present\": true}]}";
    device = device_of(&inventory, 2, NULL, probe);
    assert_int_equal(device.kernel_count, 2);
    assert_string_equal(device.kernel[1].name, "matmul.vulkan.c.exact");
    plan_device_free(&device);
    assert_int_equal(plan_device_make(&inventory, 2, "*.b.*", probe, &device, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "none of the 1 rows that match can run on vulkan:1"));
    assert_int_equal(plan_device_make(&inventory, 2, NULL, "{", &device, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "probe() of vulkan:1 is no JSON"));

    /* A row without the device's form is left out and named, unless it is asked for; a row without forms needs none. */
    probe =
        "{\"variant\": \"emulated\", \"kernels\": ["
        "{\"name\": \"matmul.vulkan.a.exact\", \"present\": true, \"variants\": [\"native\", \"emulated\"]},"
        "{\"name\": \"matmul.vulkan.b.exact\", \"present\": true, \"variants\": [\"native\", \"contract\"]},"
        "{\"name\": \"matmul.vulkan.c.exact\", \"present\": true, \"variants\": []}]}";
    device = device_of(&inventory, 2, NULL, probe);
    assert_int_equal(device.kernel_count, 2);
    assert_string_equal(device.kernel[1].name, "matmul.vulkan.c.exact");
    assert_string_equal(device.formless, "matmul.vulkan.b.exact");
    plan_device_free(&device);
    device = device_of(&inventory, 2, "*.b.*", probe);
    assert_int_equal(device.kernel_count, 1);
    assert_string_equal(device.formless, "");
    plan_device_free(&device);

    /* A device without a kernel for the case: one row, so that the refusal is on record. */
    device = device_of(&inventory, 3, NULL, NULL);
    assert_int_equal(device.kernel_count, 0);
    assert_int_equal(plan_make(&corpus, &device, 1, LEVEL_QUICK, false, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.row_count, 1);
    assert_string_equal(plan.row[0].kernel, "");
    plan_free(&plan);
    plan_device_free(&device);
    corpus_free(&corpus);
    inventory_free(&inventory);
}

/* Rows are listed under the dtype of the output: where one is, those of the case's own dtype are for other cases. */
static void test_dtypes(void **state)
{
    (void)state;
    static const char blocks[] =
        "{\"engine\": \"e\", \"version\": \"1\", \"devices\": [{\"label\": \"cpu:0\", \"backend\": \"cpu\","
        " \"index\": 0, \"name\": \"c\", \"kind\": \"cpu\", \"software\": false, \"usable\": true}],"
        " \"notes\": [], \"kernels\": ["
        "{\"name\": \"a\", \"op\": \"Q1_0MatMul\", \"backend\": \"cpu\", \"technique\": \"a\", \"mode\": "
        "\"exact\","
        " \"dtype\": \"f32\"},"
        "{\"name\": \"b\", \"op\": \"Q1_0MatMul\", \"backend\": \"cpu\", \"technique\": \"b\", \"mode\": "
        "\"exact\","
        " \"dtype\": \"u8\"},"
        "{\"name\": \"c\", \"op\": \"Q1_0MatMul\", \"backend\": \"cpu\", \"technique\": \"c\", \"mode\": "
        "\"exact\","
        " \"dtype\": \"f16\"},"
        "{\"name\": \"d\", \"op\": \"Q8_0Quantize\", \"backend\": \"cpu\", \"technique\": \"d\", \"mode\": "
        "\"exact\","
        " \"dtype\": \"u8\"}]}";
    static const char *const lines[] = {"q1_0/u8/m=1,n=1,k=128/fill=layer/seed=1",
                                        "q8_0/f32/n=1,k=32/fill=layer/seed=1"};
    static const char *const want[] = {"a", "d"};
    struct inventory inventory;
    struct assay_error error = {0};
    struct plan plan;
    if (inventory_parse(blocks, true, &inventory, &error)) fail_msg("%s", error.text);
    struct corpus corpus = corpus_of(lines, 2);
    struct plan_device device = device_of(&inventory, 0, NULL, NULL);
    assert_int_equal(plan_make(&corpus, &device, 1, LEVEL_QUICK, false, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.row_count, 2);
    for (size_t i = 0; i < 2; i++) assert_string_equal(plan.row[i].kernel, want[i]);
    plan_free(&plan);
    plan_device_free(&device);
    corpus_free(&corpus);
    inventory_free(&inventory);
}

static void test_memory_cap(void **state)
{
    (void)state;
    const char *lines[] = {"matmul/f32/m=1,n=1,k=1,pada=65536,b=4096/fill=normal/seed=1"};
    struct inventory inventory = inventory_of(true);
    struct corpus corpus = corpus_of(lines, 1);
    struct plan_device device = device_of(&inventory, 2, NULL, NULL);
    struct plan plan;
    struct assay_error error = {0};
    assert_int_equal(plan_make(&corpus, &device, 1, LEVEL_QUICK, false, &plan, &error), ASSAY_OK);
    assert_int_equal(plan.row_count, 0);
    assert_string_equal(plan.capped[0].reason,
                        "level quick caps software devices at 32 MiB a case (this one has 1023)");
    plan_free(&plan);
    plan_device_free(&device);
    corpus_free(&corpus);
    inventory_free(&inventory);
}

/* ---- devices ---- */

static enum assay_status choose(const struct inventory *inventory, const char *const *words, size_t count,
                                size_t *chosen, size_t *chosen_count, struct assay_error *error)
{
    struct options options = {.device_count = count};
    for (size_t i = 0; i < count; i++) options.device[i] = words[i];
    return inventory_select(inventory, &options, chosen, 8, chosen_count, error);
}

static void test_selection(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        size_t device;
    } one[] = {
        {"0", 0},
        {"cpu", 0},
        {"CPU:0", 0},
        {"3", 3},
        {"cuda", 3},
        {"vulkan", 1},
        {"vulkan:1", 2},
        {"01234567-89AB-cdef-0123-456789abcdef", 3},
        {"GPU-01234567-89ab-cdef-0123-456789abcdef", 3},
        {"0000:1b:00.0", 3},
        {"1B:00.0", 3},
        {"00000000:1b:00.0", 3},
        {"cuda:1", 4},
    };
    struct inventory inventory = inventory_of(false);
    struct assay_error error = {0};
    size_t chosen[8], count;
    for (size_t i = 0; i < sizeof one / sizeof *one; i++) {
        if (choose(&inventory, &one[i].word, 1, chosen, &count, &error))
            fail_msg("%s: %s", one[i].word, error.text);
        assert_int_equal(count, 1);
        assert_int_equal(chosen[0], one[i].device);
    }
    /* All: usable, and software only when allowed; the same device twice is one. */
    const char *words[] = {"3", "all", "cuda:0"};
    assert_int_equal(choose(&inventory, words, 3, chosen, &count, &error), ASSAY_OK);
    assert_int_equal(count, 3);
    assert_int_equal(chosen[0], 3);
    assert_int_equal(chosen[1], 0);
    assert_int_equal(chosen[2], 1);
    assert_int_equal(choose(&inventory, NULL, 0, chosen, &count, &error), ASSAY_OK);
    assert_int_equal(count, 3);
    inventory_free(&inventory);
    inventory = inventory_of(true);
    assert_int_equal(choose(&inventory, NULL, 0, chosen, &count, &error), ASSAY_OK);
    assert_int_equal(count, 4);

    /* Well formed, but not of this machine: nothing can be judged. Not a selector at all: a usage error. */
    static const char *const absent[] = {"7", "cuda:3", "99999999999999999999", "0000:02:00.0",
                                         "ffffffff-89ab-cdef-0123-456789abcdef"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        assert_int_equal(choose(&inventory, &absent[i], 1, chosen, &count, &error), ASSAY_DEVICE_UNSUPPORTED);
    static const char *const wrong[] = {"vulcan:0", "x", "", "0x1", "-1", "cuda:", "cuda:x", "1 "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (choose(&inventory, &wrong[i], 1, chosen, &count, &error) != ASSAY_INVALID_INPUT)
            fail_msg("'%s' was taken for a device", wrong[i]);
    assert_int_equal(choose(&inventory, wrong, 1, chosen, &count, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "did you mean 'vulkan:0'?"));
    assert_non_null(strstr(error.text, "0 = cpu:0, 1 = vulkan:0"));
    inventory_free(&inventory);
}

static void test_bad_descriptions(void **state)
{
    (void)state;
    static const struct {
        const char *json, *says;
    } bad[] = {
        {"", "no JSON"},
        {"[]", "no array 'devices'"},
        {"{\"devices\": 3}", "no array 'devices'"},
        {"{\"devices\": [3]}", "no object"},
        {"{\"devices\": [{\"backend\": \"cpu\", \"index\": 0}]}", "no label"},
        {"{\"devices\": [{\"label\": \"a label that is longer than it may be\"}]}", "no label"},
        {"{\"devices\": [{\"label\": \"cpu:0\", \"index\": 0}]}", "no backend"},
        {"{\"devices\": [{\"label\": \"cpu:0\", \"backend\": \"cpu\"}]}", "no index"},
        {"{\"devices\": [{\"label\": \"cpu:0\", \"backend\": \"cpu\", \"index\": -1}]}", "no index"},
        {"{\"devices\": [], \"kernels\": 3}", "'kernels' is no array"},
        {"{\"devices\": [], \"kernels\": [{\"name\": \"x\"}]}", "no op"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct inventory inventory;
        struct assay_error error = {0};
        assert_int_equal(inventory_parse(bad[i].json, false, &inventory, &error), ASSAY_INVALID_INPUT);
        if (!strstr(error.text, bad[i].says)) fail_msg("%s: %s", bad[i].json, error.text);
        assert_null(inventory.root);
    }
    struct inventory inventory;
    struct assay_error error = {0};
    assert_int_equal(inventory_parse("{\"devices\": []}", false, &inventory, &error), ASSAY_OK);
    size_t chosen[8], count;
    assert_int_equal(choose(&inventory, NULL, 0, chosen, &count, &error), ASSAY_DEVICE_UNSUPPORTED);
    inventory_free(&inventory);
}

/* ---- engines ---- */

static void test_engines(void **state)
{
    (void)state;
    static const struct {
        const char *fault, *says;
    } bad[] = {
        {"null", "returned nothing"},
        {"abi", "has adapter ABI 99, this program speaks 1 to 2"},
        {"slot", "leaves 'supports' empty"},
        {"version", "leaves 'version' empty"},
    };
    const struct adapter *adapter;
    struct assay_error error = {0};
    assert_int_equal(engine_load(NULL, &adapter, &error), ASSAY_OK);
    assert_ptr_equal(adapter, &adapter_assay);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("STUB_ENGINE", bad[i].fault, 1);
        assert_int_equal(engine_load(TEST_BUILD "/tests/stub_bad_engine.so", &adapter, &error),
                         ASSAY_INVALID_INPUT);
        assert_null(adapter);
        if (!strstr(error.text, bad[i].says)) fail_msg("%s: %s", bad[i].fault, error.text);
    }
    unsetenv("STUB_ENGINE");
    assert_int_equal(engine_load(TEST_BUILD "/tests/stub_no_engine.so", &adapter, &error),
                     ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "exports no assay_adapter()"));
    assert_int_equal(engine_load("no-such-engine.so", &adapter, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "./no-such-engine.so"));
    assert_int_equal(engine_load("Makefile", &adapter, &error), ASSAY_INVALID_INPUT);

    assert_int_equal(engine_load(TEST_BUILD "/tests/stub_bad_engine.so", &adapter, &error), ASSAY_OK);
    assert_string_equal(adapter->engine, "stub");
    struct options options = {0};
    struct inventory inventory;
    assert_int_equal(inventory_read(adapter, &options, &inventory, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "it returned nothing"));
    setenv("STUB_DESCRIBE", machine, 1);
    assert_int_equal(inventory_read(adapter, &options, &inventory, &error), ASSAY_OK);
    assert_int_equal(inventory.device_count, 5);
    assert_string_equal(inventory.device[0].name, "A \"CPU\"");
    inventory_free(&inventory);
    unsetenv("STUB_DESCRIBE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),       cmocka_unit_test(test_rows),
        cmocka_unit_test(test_rotation),      cmocka_unit_test(test_dtypes),
        cmocka_unit_test(test_kernel_choice), cmocka_unit_test(test_memory_cap),
        cmocka_unit_test(test_selection),     cmocka_unit_test(test_bad_descriptions),
        cmocka_unit_test(test_engines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
