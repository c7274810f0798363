/* Our engine through the ABI that tests every engine: JSON answers, guards carried there and back, refusals. */
#include "harness/adapter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct adapter_options options = {.size = sizeof options, .allow_software = true};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (!text) fail_msg("no text called %s", key);
    return text;
}

static void test_describe(void **state)
{
    (void)state;
    char *json = NULL;
    OK(adapter_assay.describe(&options, &json, &error));
    json_t *root = json_loads(json, 0, NULL), *item;
    size_t i;
    bool cpu = false, plain = false;
    assert_non_null(root);
    assert_string_equal(text_of(root, "engine"), "assay");
    json_array_foreach(json_object_get(root, "devices"), i, item)
    {
        cpu = cpu || strcmp(text_of(item, "label"), "cpu:0") == 0;
        text_of(item, "key");
        text_of(item, "kind");
        text_of(item, "why");
        assert_true(json_is_boolean(json_object_get(item, "software")));
    }
    json_array_foreach(json_object_get(root, "kernels"), i, item)
    {
        bool present = json_is_true(json_object_get(item, "present"));
        assert_true(present == (text_of(item, "why")[0] == '\0'));
        if (strcmp(text_of(item, "name"), "matmul.cpu.plain.exact") != 0) continue;
        plain = present;
        assert_string_equal(text_of(item, "op"), "MatMul");
        assert_string_equal(text_of(item, "dtype"), "f32");
    }
    assert_true(cpu && plain);
    json_decref(root);
    adapter_assay.release(json);
}

static void test_probe(void **state)
{
    (void)state;
    void *session = NULL;
    char *json = NULL;
    OK(adapter_assay.open(&options, "cpu:0", &session, &error));
    OK(adapter_assay.probe(session, &json, &error));
    json_t *root = json_loads(json, 0, NULL);
    assert_non_null(root);
    assert_string_equal(text_of(root, "variant"), "native");
    assert_true(json_array_size(json_object_get(root, "traits")) > 5);
    assert_true(json_array_size(json_object_get(root, "kernels")) >= 3);
    json_decref(root);
    adapter_assay.release(json);
    OK(adapter_assay.lock(session, 0, &error)); /* no card, nothing to wait for */
    adapter_assay.unlock(session);
    adapter_assay.close(session);
    adapter_assay.close(NULL);
}

static void test_open(void **state)
{
    (void)state;
    void *session = NULL;
    struct adapter_options odd = options;
    odd.variant = "quick";
    FAILS(ASSAY_INVALID_INPUT, "'quick'", adapter_assay.open(&odd, "cpu:0", &session, &error));
    assert_null(session);
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "cuda:99", adapter_assay.open(&options, "cuda:99", &session, &error));
    odd.variant = "integer";
    OK(adapter_assay.open(&odd, "cpu:0", &session, &error));
    adapter_assay.close(session);
}

/* A node of m x k by k x n with `guard` elements before and after every operand. */
struct node {
    struct adapter_node node;
    struct assay_tensor tensor[3];
    float *memory[3];
};

enum { GUARD = 19 };

static void make_node(struct node *n, int64_t rows, int64_t cols, int64_t k)
{
    const int64_t shape[3][2] = {{rows, k}, {k, cols}, {rows, cols}};
    memset(n, 0, sizeof *n);
    for (int t = 0; t < 3; t++) {
        struct assay_tensor *tensor = &n->tensor[t];
        assay_tensor_dense(tensor, ASSAY_F32, 2, shape[t]);
        int64_t elems = assay_tensor_elems(tensor) + 2 * GUARD;
        tensor->offset = GUARD;
        tensor->bytes = (uint64_t)elems * 4;
        n->memory[t] = malloc(tensor->bytes);
        tensor->data = n->memory[t];
        for (int64_t i = 0; i < elems; i++) n->memory[t][i] = t == 2 ? -7 : (float)(i % 5 + t);
    }
    n->node = (struct adapter_node){.size = sizeof n->node,
                                    .op = "MatMul",
                                    .input = n->tensor,
                                    .input_count = 2,
                                    .output = &n->tensor[2],
                                    .output_count = 1};
}

static void check_node(struct node *n, int64_t rows, int64_t cols, int64_t k)
{
    const float *a = n->memory[0] + GUARD, *b = n->memory[1] + GUARD, *y = n->memory[2] + GUARD;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            float sum = 0; /* small integers: exact in any order */
            for (int64_t p = 0; p < k; p++) sum += a[i * k + p] * b[p * cols + j];
            assert_true(y[i * cols + j] == sum);
        }
    for (int i = 0; i < GUARD; i++) assert_true(y[-1 - i] == -7 && y[rows * cols + i] == -7);
    for (int t = 0; t < 3; t++) free(n->memory[t]);
}

static void test_run(void **state)
{
    (void)state;
    static const int64_t sizes[][3] = {{3, 4, 5}, {40, 50, 60}, {1, 1, 1}, {17, 200, 130}, {2, 2, 0}};
    const struct adapter_request request = {.size = sizeof request, .mode = "exact", .samples = 3};
    void *session = NULL;
    OK(adapter_assay.open(&options, "cpu:0", &session, &error));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct node n;
        struct adapter_reply reply = {.size = sizeof reply};
        make_node(&n, sizes[s][0], sizes[s][1], sizes[s][2]);
        OK(adapter_assay.supports(session, &n.node, &request, &error));
        OK(adapter_assay.run(session, &n.node, &request, &reply, &error));
        assert_int_equal(reply.samples, 3);
        assert_true(strncmp(reply.kernel, "matmul.cpu.", 11) == 0);
        assert_int_equal(strlen(reply.kernel_hash), 16);
        assert_string_equal(reply.variant, "native");
        check_node(&n, sizes[s][0], sizes[s][1], sizes[s][2]);
    }
    adapter_assay.close(session);
}

static void test_requests(void **state)
{
    (void)state;
    struct adapter_request request = {
        .size = sizeof request, .mode = "exact", .kernel = "matmul.cpu.plain.exact"};
    struct adapter_reply reply = {.size = sizeof reply};
    struct node n;
    void *session = NULL;
    OK(adapter_assay.open(&options, "cpu:0", &session, &error));
    make_node(&n, 5, 6, 7);
    OK(adapter_assay.run(session, &n.node, &request, &reply, &error));
    assert_string_equal(reply.kernel, request.kernel);
    request.kernel = "matmul.vulkan.plain.exact";
    FAILS(ASSAY_UNSUPPORTED, "matmul.vulkan.plain.exact",
          adapter_assay.supports(session, &n.node, &request, &error));
    request.kernel = "matmul.cpu.plain.exact";
    n.node.op = "Add";
    FAILS(ASSAY_UNSUPPORTED, "computes MatMul, not Add",
          adapter_assay.run(session, &n.node, &request, &reply, &error));
    n.node.op = "MatMul";
    request.kernel = NULL;
    request.mode = "quick";
    FAILS(ASSAY_INVALID_INPUT, "'quick'", adapter_assay.run(session, &n.node, &request, &reply, &error));
    request.mode = "fast";
    FAILS(ASSAY_UNSUPPORTED, "", adapter_assay.supports(session, &n.node, &request, &error));
    request.mode = NULL;
    n.node.op = "Nothing";
    FAILS(ASSAY_UNSUPPORTED, "Nothing", adapter_assay.run(session, &n.node, &request, &reply, &error));
    n.node.op = "MatMul";
    n.tensor[1].shape[0] = 8;
    FAILS(ASSAY_UNSUPPORTED, "A's K is 7, B's is 8",
          adapter_assay.run(session, &n.node, &request, &reply, &error));
    n.tensor[1].shape[0] = 7;
    OK(adapter_assay.run(session, &n.node, &request, &reply, &error));
    check_node(&n, 5, 6, 7);
    adapter_assay.close(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_describe), cmocka_unit_test(test_probe),    cmocka_unit_test(test_open),
        cmocka_unit_test(test_run),      cmocka_unit_test(test_requests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
