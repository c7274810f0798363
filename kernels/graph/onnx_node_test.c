/* Node tests in the form in which ONNX publishes them: one node, its inputs, and the outputs that its authors hold to be
 * right. What is read is checked against what the model declares. */
#include "kernels/graph/onnx_read.h"

#include <stdio.h>
#include <string.h>

#define PATH_BYTES 4096

static enum assay_status copy_attrs(const char *path, struct onnx_node_test *test, struct assay_error *error)
{
    if (test->node->attr_count > ONNX_TEST_TENSORS_MAX)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: %s has %zu attributes, more than %d", path,
                               test->node->op, test->node->attr_count, ONNX_TEST_TENSORS_MAX);
    for (size_t i = 0; i < test->node->attr_count; ++i) {
        const struct onnx_attr *from = &test->node->attr[i];
        if (from->kind == ONNX_ATTR_INTS) { /* a list is its values in order, one attribute each */
            if (from->count > ONNX_TEST_TENSORS_MAX - test->attr_count)
                return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: attribute '%.60s' has %zu values", path,
                                       from->name, from->count);
            for (size_t j = 0; j < from->count; ++j)
                test->attr[test->attr_count++] =
                    (struct assay_attr){.name = from->name, .kind = ASSAY_ATTR_INT, .i = from->ints[j]};
            continue;
        }
        if (test->attr_count == ONNX_TEST_TENSORS_MAX)
            return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: more than %d attributes", path,
                                   ONNX_TEST_TENSORS_MAX);
        struct assay_attr *to = &test->attr[test->attr_count++];
        *to = (struct assay_attr){.name = from->name, .i = from->i, .f = from->f, .s = from->s};
        if (from->kind == ONNX_ATTR_INT)
            to->kind = ASSAY_ATTR_INT;
        else if (from->kind == ONNX_ATTR_FLOAT)
            to->kind = ASSAY_ATTR_FLOAT;
        else if (from->kind == ONNX_ATTR_STRING)
            to->kind = ASSAY_ATTR_STRING;
        else
            return assay_error_set(error, ASSAY_UNSUPPORTED,
                                   "%s: attribute '%.60s' of %.60s is not a single value", path, from->name,
                                   test->node->op);
    }
    return ASSAY_OK;
}

static bool fits(const struct onnx_value *declared, const struct assay_tensor *t)
{
    if (declared->dtype != t->dtype) return false;
    if (!declared->has_shape) return true;
    if (declared->rank != t->rank) return false;
    for (uint32_t d = 0; d < t->rank; ++d)
        if (declared->shape[d] >= 0 && declared->shape[d] != t->shape[d]) return false;
    return true;
}

/* The file of graph value `index` ("input" or "output"). */
static enum assay_status load_value(const char *folder, int data_set, const char *side, size_t index,
                                    const struct onnx_value *declared, struct onnx_node_test *test,
                                    struct assay_tensor *to, struct assay_error *error)
{
    char path[PATH_BYTES];
    if (!declared->dtype)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: %s '%.60s' is %s%s", folder, side,
                               declared->name, declared->elem_type ? "a tensor of " : "not a tensor",
                               declared->elem_type ? onnx_elem_name(declared->elem_type) : "");
    const int length =
        snprintf(path, sizeof path, "%s/test_data_set_%d/%s_%zu.pb", folder, data_set, side, index);
    if (length < 0 || (size_t)length >= sizeof path)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%.100s...: the path is too long", folder);
    struct onnx_tensor *file;
    const enum assay_status status = onnx_tensor_load(path, &file, error);
    if (status) return status;
    test->file[test->file_count++] = file;
    if (!fits(declared, &file->tensor))
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: type or shape is not that of %s '%.60s' in model.onnx", path, side,
                               declared->name);
    *to = file->tensor;
    return ASSAY_OK;
}

/* Tensors for one side of the node, by the names that connect it with the graph. */
static enum assay_status load_side(const char *folder, int data_set, const char *side,
                                   const char *const *names, size_t count, const struct onnx_value *values,
                                   size_t value_count, struct onnx_node_test *test, struct assay_tensor *to,
                                   struct assay_error *error)
{
    if (count > ONNX_TEST_TENSORS_MAX)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: the node has %zu %ss, more than %d", folder,
                               count, side, ONNX_TEST_TENSORS_MAX);
    for (size_t i = 0; i < count; ++i) {
        size_t found = 0;
        to[i] = (struct assay_tensor){0};
        if (!*names[i]) continue;
        while (found < value_count && strcmp(values[found].name, names[i])) ++found;
        if (found == value_count)
            return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: '%.60s' is not an %s of the graph", folder,
                                   names[i], side);
        const enum assay_status status =
            load_value(folder, data_set, side, found, &values[found], test, &to[i], error);
        if (status) return status;
    }
    return ASSAY_OK;
}

enum assay_status onnx_node_test_load(const char *folder, int data_set, struct onnx_node_test *test,
                                      struct assay_error *error)
{
    char path[PATH_BYTES];
    *test = (struct onnx_node_test){0};
    const int length = snprintf(path, sizeof path, "%s/model.onnx", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%.100s...: the path is too long", folder);
    enum assay_status status = onnx_model_load(path, &test->model, error);
    if (status) return status;
    const struct onnx_model *model = test->model;
    if (model->node_count != 1)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: %zu nodes where a node test has one", path,
                               model->node_count);
    test->node = &model->node[0];
    if (*test->node->domain)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: operator %.60s of domain %.60s", path,
                               test->node->op, test->node->domain);
    status = copy_attrs(path, test, error);
    if (!status)
        status = load_side(folder, data_set, "input", test->node->input, test->node->input_count,
                           model->input, model->input_count, test, test->input, error);
    if (!status)
        status = load_side(folder, data_set, "output", test->node->output, test->node->output_count,
                           model->output, model->output_count, test, test->output, error);
    if (!status) {
        test->input_count = test->node->input_count;
        test->output_count = test->node->output_count;
    }
    return status;
}

void onnx_node_test_free(struct onnx_node_test *test)
{
    if (!test) return;
    for (size_t i = 0; i < test->file_count; ++i) onnx_tensor_free(test->file[i]);
    onnx_model_free(test->model);
    *test = (struct onnx_node_test){0};
}
