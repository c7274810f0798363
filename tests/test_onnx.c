/* ONNX files: the published node tests are read as published, and files cut short or made to harm end in an error. */
#include "kernels/graph/onnx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/onnx_mutate.h"

#define DATA "/usr/share/libonnx-testdata/data/node/"

static void node_test(void **state)
{
    (void)state;
    struct onnx_node_test test;
    struct assay_error error = {0};
    assert_int_equal(onnx_node_test_load(DATA "test_matmul_3d", 0, &test, &error), ASSAY_OK);
    assert_string_equal(test.node->op, "MatMul");
    assert_string_equal(test.node->domain, "");
    assert_int_equal(test.model->opset_count, 1);
    assert_int_equal(test.attr_count, 0);
    assert_int_equal(test.input_count, 2);
    assert_int_equal(test.output_count, 1);
    const int64_t a[] = {2, 3, 4}, b[] = {2, 4, 3}, y[] = {2, 3, 3};
    assert_int_equal(test.input[0].dtype, ASSAY_F32);
    assert_int_equal(test.input[0].rank, 3);
    assert_memory_equal(test.input[0].shape, a, sizeof a);
    assert_memory_equal(test.input[1].shape, b, sizeof b);
    assert_memory_equal(test.output[0].shape, y, sizeof y);
    assert_int_equal(test.output[0].bytes, 72);
    /* The product of what was read is what was published, to float's accuracy: data is where it should be. */
    const float *A = test.input[0].data, *B = test.input[1].data, *Y = test.output[0].data;
    for (int i = 0; i < 2; ++i)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                double sum = 0;
                for (int k = 0; k < 4; ++k) sum += (double)A[i * 12 + r * 4 + k] * B[i * 12 + k * 3 + c];
                assert_float_equal(Y[i * 9 + r * 3 + c], sum, 1e-5);
            }
    onnx_node_test_free(&test);
}

static void attributes_and_types(void **state)
{
    (void)state;
    struct onnx_node_test test;
    struct assay_error error = {0};
    assert_int_equal(onnx_node_test_load(DATA "test_gemm_all_attributes", 0, &test, &error), ASSAY_OK);
    assert_int_equal(test.attr_count, 4);
    int seen = 0;
    for (size_t i = 0; i < test.attr_count; ++i) {
        const struct assay_attr *attr = &test.attr[i];
        if (!strcmp(attr->name, "alpha")) {
            assert_int_equal(attr->kind, ASSAY_ATTR_FLOAT);
            assert_true(attr->f == 0.25f);
            ++seen;
        }
        if (!strcmp(attr->name, "transA")) {
            assert_int_equal(attr->kind, ASSAY_ATTR_INT);
            assert_int_equal(attr->i, 1);
            ++seen;
        }
    }
    assert_int_equal(seen, 2);
    onnx_node_test_free(&test);

    assert_int_equal(onnx_node_test_load(DATA "test_matmulinteger", 0, &test, &error), ASSAY_OK);
    assert_int_equal(test.input[0].dtype, ASSAY_U8);
    assert_int_equal(test.output[0].dtype, ASSAY_I32);
    onnx_node_test_free(&test);

    /* Whole graphs are read too, lists and tensors among their attributes. */
    struct onnx_model *model;
    assert_int_equal(onnx_model_load(DATA "test_basic_conv_with_padding/model.onnx", &model, &error),
                     ASSAY_OK);
    bool pads = false;
    for (size_t i = 0; i < model->node[0].attr_count; ++i)
        if (!strcmp(model->node[0].attr[i].name, "pads")) {
            assert_int_equal(model->node[0].attr[i].kind, ONNX_ATTR_INTS);
            assert_int_equal(model->node[0].attr[i].count, 4);
            assert_int_equal(model->node[0].attr[i].ints[3], 1);
            pads = true;
        }
    assert_true(pads);
    onnx_model_free(model);
    assert_int_equal(onnx_model_load(DATA "test_constant/model.onnx", &model, &error), ASSAY_OK);
    assert_int_equal(model->node[0].attr[0].kind, ONNX_ATTR_TENSOR);
    assert_int_equal(model->node[0].attr[0].tensor->tensor.dtype, ASSAY_F32);
    assert_int_equal(model->node[0].attr[0].tensor->tensor.shape[0], 5);
    onnx_model_free(model);
}

static void refusals(void **state)
{
    (void)state;
    struct onnx_node_test test;
    struct assay_error error = {0};
    assert_int_equal(onnx_node_test_load(DATA "no_such_test", 0, &test, &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "no_such_test/model.onnx"));
    onnx_node_test_free(&test);
    assert_int_equal(onnx_node_test_load(DATA "test_matmul_2d", 7, &test, &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "test_data_set_7/input_0.pb"));
    onnx_node_test_free(&test);
    assert_int_equal(
        onnx_node_test_load(DATA "test_strnormalizer_nostopwords_nochangecase", 0, &test, &error),
        ASSAY_UNSUPPORTED);
    onnx_node_test_free(&test);
    struct onnx_model *model;
    assert_int_equal(onnx_model_load("/usr", &model, &error), ASSAY_IO);
    assert_null(model);
    assert_non_null(strstr(error.text, "/usr: not a regular file"));
    assert_int_equal(onnx_model_parse("", 0, "empty.onnx", &model, &error), ASSAY_INVALID_INPUT);
    assert_string_equal(error.text, "empty.onnx: the file is empty");
    assert_int_equal(onnx_model_parse("hello world", 11, "hello.onnx", &model, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "hello.onnx: byte "));
}

/* dims, data type, then what the case says. */
struct hostile {
    const char *what, *bytes;
    size_t size;
    enum assay_status status;
    const char *says;
};
#define BYTES(text) text, sizeof text - 1

static const struct hostile hostile[] = {
    {"two floats, raw", BYTES("\x08\x02\x10\x01\x4a\x08\0\0\x80\x3f\0\0\0\x40"), ASSAY_OK, NULL},
    {"raw data too short", BYTES("\x08\x02\x10\x01\x4a\x07\0\0\x80\x3f\0\0\0"), ASSAY_INVALID_INPUT,
     "7 bytes of raw data where its shape and type want 8"},
    {"no data", BYTES("\x08\x02\x10\x01"), ASSAY_INVALID_INPUT, "0 elements of data where its shape wants 2"},
    {"both kinds of data", BYTES("\x08\x01\x10\x01\x4a\x04\0\0\x80\x3f\x22\x04\0\0\x80\x3f"),
     ASSAY_INVALID_INPUT, "both raw and typed"},
    {"negative dimension", BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\x01"), ASSAY_INVALID_INPUT,
     "dimension 0 is -1"},
    {"2^63 elements", BYTES("\x08\x80\x80\x80\x80\x80\x40\x08\x80\x80\x80\x80\x80\x40\x10\x01"),
     ASSAY_INVALID_INPUT, "dimension 0 is"},
    {"2^72 elements by small dimensions",
     BYTES("\x08\x80\x80\x80\x08\x08\x80\x80\x80\x08\x08\x80\x80\x80\x08\x10\x01"), ASSAY_INVALID_INPUT,
     "more than 2^40"},
    {"nine dimensions", BYTES("\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1\x08\1\x10\1\x4a\4\0\0\0\0"),
     ASSAY_INVALID_INPUT, "9 dimensions"},
    {"no type", BYTES("\x08\x01\x4a\x04\0\0\0\0"), ASSAY_INVALID_INPUT, "no element type"},
    {"type 99", BYTES("\x08\x01\x10\x63\x4a\x04\0\0\0\0"), ASSAY_UNSUPPORTED, "unknown (99)"},
    {"uint16", BYTES("\x08\x01\x10\x04\x4a\x02\0\0"), ASSAY_UNSUPPORTED, "uint16 (4)"},
    {"a bool of 2", BYTES("\x08\x01\x10\x09\x4a\x01\x02"), ASSAY_INVALID_INPUT, "no bool"},
    {"300 as int8", BYTES("\x08\x01\x10\x03\x2a\x02\xac\x02"), ASSAY_INVALID_INPUT, "300, which is no i8"},
    {"data elsewhere", BYTES("\x08\x01\x10\x01\x70\x01"), ASSAY_UNSUPPORTED, "another file"},
    {"length past the end", BYTES("\x08\x01\x10\x01\x4a\x7f\0\0"), ASSAY_INVALID_INPUT, "truncated"},
    {"a packed list cut inside a float", BYTES("\x08\x01\x10\x01\x22\x03\0\0\0"), ASSAY_INVALID_INPUT,
     "decode"},
    {"an endless number", BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), ASSAY_INVALID_INPUT,
     "inside a number"},
    {"field 0", BYTES("\x02\x01\0"), ASSAY_INVALID_INPUT, "out of range"},
    {"a group", BYTES("\x0b\x0c"), ASSAY_INVALID_INPUT, "wire type"},
    {"a segment twice", BYTES("\x1a\0\x1a\0\x10\1"), ASSAY_INVALID_INPUT, "twice"},
};

static void hostile_tensors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; ++i) {
        struct onnx_tensor *tensor;
        struct assay_error error = {0};
        const enum assay_status status =
            onnx_tensor_parse(hostile[i].bytes, hostile[i].size, "x.pb", &tensor, &error);
        if (status != hostile[i].status || (status && !strstr(error.text, hostile[i].says)))
            fail_msg("%s: %s: %s", hostile[i].what, assay_status_name(status), error.text);
        if (status) assert_memory_equal(error.text, "x.pb: ", 6);
        if (!status) {
            assert_int_equal(tensor->tensor.shape[0], 2);
            assert_true(((float *)tensor->tensor.data)[1] == 2.0f);
        }
        onnx_tensor_free(tensor);
    }
}

/* Every dtype from its typed field, and an empty tensor. */
static void typed_fields(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        enum assay_dtype dtype;
        uint64_t want;
    } typed[] = {
        {BYTES("\x08\x01\x10\x01\x22\x04\0\0\x80\x3f"), ASSAY_F32, 0x3f800000},
        {BYTES("\x08\x01\x10\x0a\x2a\x02\x80\x78"), ASSAY_F16, 0x3c00},
        {BYTES("\x08\x01\x10\x10\x2a\x02\x80\x7f"), ASSAY_BF16, 0x3f80},
        {BYTES("\x08\x01\x10\x0b\x52\x08\0\0\0\0\0\0\xf0\x3f"), ASSAY_F64, 0x3ff0000000000000},
        {BYTES("\x08\x01\x10\x03\x2a\x0a\x80\xff\xff\xff\xff\xff\xff\xff\xff\x01"), ASSAY_I8, 0x80},
        {BYTES("\x08\x01\x10\x02\x2a\x02\xff\x01"), ASSAY_U8, 0xff},
        {BYTES("\x08\x01\x10\x06\x2a\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), ASSAY_I32, 0xffffffff},
        {BYTES("\x08\x01\x10\x07\x3a\x01\x05"), ASSAY_I64, 5},
        {BYTES("\x08\x01\x10\x09\x2a\x01\x01"), ASSAY_BOOL, 1},
    };
    struct onnx_tensor *tensor;
    struct assay_error error = {0};
    for (size_t i = 0; i < sizeof typed / sizeof typed[0]; ++i) {
        if (onnx_tensor_parse(typed[i].bytes, typed[i].size, "x.pb", &tensor, &error))
            fail_msg("%s: %s", assay_dtype_name(typed[i].dtype), error.text);
        assert_int_equal(tensor->tensor.dtype, typed[i].dtype);
        assert_int_equal(tensor->tensor.bytes, assay_dtype_bytes(typed[i].dtype));
        uint64_t got = 0;
        memcpy(&got, tensor->tensor.data, tensor->tensor.bytes);
        assert_true(got == typed[i].want);
        assert_int_equal(assay_tensor_check(&tensor->tensor, "x", &error), ASSAY_OK);
        onnx_tensor_free(tensor);
    }
    assert_int_equal(onnx_tensor_parse(BYTES("\x08\x03\x08\0\x10\x01"), "x.pb", &tensor, &error), ASSAY_OK);
    assert_int_equal(assay_tensor_elems(&tensor->tensor), 0);
    assert_non_null(tensor->tensor.data);
    onnx_tensor_free(tensor);
}

/* An attribute with a graph with a node with an attribute with ... */
static void deep_nesting(void **state)
{
    (void)state;
    enum { LEVELS = 20000 };
    /* Innermost first: each level is a tag and a 4-byte length around the one before. */
    size_t size = 0;
    unsigned char *bytes = malloc(LEVELS * 5);
    assert_non_null(bytes);
    static const unsigned char tag[] = {0x0a /* graph.node */, 0x2a /* node.attribute */,
                                        0x32 /* attribute.g */};
    for (int level = 0; level < LEVELS; ++level) {
        unsigned char *at = bytes + LEVELS * 5 - size - 5;
        at[0] = level == LEVELS - 1 ? 0x3a /* model.graph */ : tag[(LEVELS - 2 - level) % 3];
        for (int i = 0; i < 4; ++i) at[1 + i] = (unsigned char)(size >> (7 * i) & 0x7f) | (i < 3 ? 0x80 : 0);
        size += 5;
    }
    struct onnx_model *model;
    struct assay_error error = {0};
    assert_int_equal(onnx_model_parse(bytes, size, "deep.onnx", &model, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "nested too deeply"));
    free(bytes);
}

/* Two bytes in the file, a few hundred in memory: 64 MiB of empty nodes must not take 5 GiB. */
static void amplification(void **state)
{
    (void)state;
    enum { NODES = 2000000 };
    unsigned char *bytes = malloc(2 * NODES + 5);
    assert_non_null(bytes);
    bytes[0] = 0x3a;
    for (int i = 0; i < 4; ++i)
        bytes[1 + i] = (unsigned char)(2 * NODES >> (7 * i) & 0x7f) | (i < 3 ? 0x80 : 0);
    for (int i = 0; i < NODES; ++i) {
        bytes[5 + 2 * i] = 0x0a;
        bytes[6 + 2 * i] = 0;
    }
    struct onnx_model *model;
    struct assay_error error = {0};
    assert_int_equal(onnx_model_parse(bytes, 2 * NODES + 5, "many.onnx", &model, &error),
                     ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "too large in memory"));
    free(bytes);
}

static void truncations(void **state)
{
    (void)state;
    mutate_files_cut();
}

static void mutations(void **state)
{
    (void)state;
    mutate_files(4000, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(node_test),     cmocka_unit_test(attributes_and_types),
        cmocka_unit_test(refusals),      cmocka_unit_test(hostile_tensors),
        cmocka_unit_test(typed_fields),  cmocka_unit_test(deep_nesting),
        cmocka_unit_test(amplification), cmocka_unit_test(truncations),
        cmocka_unit_test(mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
