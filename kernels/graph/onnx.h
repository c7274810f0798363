/* ONNX files as plain structs: graphs of nodes, attributes, initialisers, and the tensors of test data.
 *
 * It reads what a file says and checks that it holds together; what an operator means is nobody's business here. Files
 * come from anywhere: a truncated or hostile one ends in an error that names the file and what is wrong with it.
 * All strings and arrays belong to the model, tensor or test that they came with and live as long. */
#ifndef ASSAY_ONNX_H
#define ASSAY_ONNX_H

#include "devices/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ONNX_FILE_BYTES_MAX INT32_MAX /* protobuf's own limit */

/* An initialiser, an attribute or a .pb file: host data, dense, row-major. Element types that Assay has no dtype for
 * (strings, unsigned 16 to 64 bits, complex) have tensor.dtype 0 and no data; elem_type is ONNX's number. */
struct onnx_tensor {
    const char *name;
    int32_t elem_type;
    struct assay_tensor tensor;
};

enum onnx_attr_kind {
    ONNX_ATTR_OTHER, /* graphs, types, sparse tensors: named, not read */
    ONNX_ATTR_INT,
    ONNX_ATTR_FLOAT,
    ONNX_ATTR_STRING,
    ONNX_ATTR_TENSOR,
    ONNX_ATTR_INTS,
    ONNX_ATTR_FLOATS,
    ONNX_ATTR_STRINGS
};

struct onnx_attr {
    const char *name;
    enum onnx_attr_kind kind;
    int64_t i;
    float f;
    const char *s;
    const struct onnx_tensor *tensor;
    size_t count; /* of the lists */
    const int64_t *ints;
    const float *floats;
    const char *const *strings;
};

struct onnx_node {
    const char *name, *op, *domain; /* "" where absent; domain "" is ONNX's own */
    const char *const *input;       /* "" for an optional one that is left out */
    size_t input_count;
    const char *const *output;
    size_t output_count;
    const struct onnx_attr *attr;
    size_t attr_count;
};

/* A graph's input, output or annotated value. */
struct onnx_value {
    const char *name;
    enum assay_dtype dtype; /* 0: not a tensor, or an element type that Assay has no dtype for */
    int32_t elem_type;      /* 0: not a tensor */
    bool has_shape;
    uint32_t rank;
    int64_t shape[ASSAY_RANK_MAX];      /* -1: not fixed */
    const char *symbol[ASSAY_RANK_MAX]; /* its name then, or "" */
};

struct onnx_opset {
    const char *domain;
    int64_t version;
};

struct onnx_model {
    int64_t ir_version;
    const char *producer, *producer_version, *graph_name;
    const struct onnx_opset *opset;
    size_t opset_count;
    const struct onnx_node *node; /* in the file's order, which ONNX wants topological */
    size_t node_count;
    const struct onnx_tensor *initializer;
    size_t initializer_count;
    const struct onnx_value *input; /* old files list the initialisers here too */
    size_t input_count;
    const struct onnx_value *output;
    size_t output_count;
    const struct onnx_value *value; /* annotations of what lies between */
    size_t value_count;
    void *memory;
};

/* `name` stands for the bytes in error texts; the bytes are not needed afterwards. */
enum assay_status onnx_model_parse(const void *bytes, size_t size, const char *name,
                                   struct onnx_model **model, struct assay_error *error);
enum assay_status onnx_model_load(const char *path, struct onnx_model **model, struct assay_error *error);
void onnx_model_free(struct onnx_model *model); /* accepts NULL */

/* A TensorProto file (.pb). An element type without a dtype is ASSAY_UNSUPPORTED. The tensor is the allocation: free
 * it with onnx_tensor_free. */
enum assay_status onnx_tensor_parse(const void *bytes, size_t size, const char *name,
                                    struct onnx_tensor **tensor, struct assay_error *error);
enum assay_status onnx_tensor_load(const char *path, struct onnx_tensor **tensor, struct assay_error *error);
void onnx_tensor_free(struct onnx_tensor *tensor); /* accepts NULL */

#define ONNX_TEST_TENSORS_MAX 16

/* A node test as ONNX publishes them: a folder of model.onnx and test_data_set_N/{input,output}_I.pb. */
struct onnx_node_test {
    struct onnx_model *model;
    const struct onnx_node *node; /* the only one */
    struct assay_attr attr[ONNX_TEST_TENSORS_MAX];
    size_t attr_count;
    /* In the node's order, with host data; one that is left out has dtype 0. */
    struct assay_tensor input[ONNX_TEST_TENSORS_MAX], output[ONNX_TEST_TENSORS_MAX];
    size_t input_count, output_count;
    struct onnx_tensor *file[2 * ONNX_TEST_TENSORS_MAX];
    size_t file_count;
};

/* ASSAY_UNSUPPORTED: more than one node, or values or attributes that are not plain. Free with onnx_node_test_free
 * whatever the result. */
enum assay_status onnx_node_test_load(const char *folder, int data_set, struct onnx_node_test *test,
                                      struct assay_error *error);
void onnx_node_test_free(struct onnx_node_test *test);

#ifdef __cplusplus
}
#endif
#endif
