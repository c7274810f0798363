/* A node test of ONNX as a case: its operator's definition reads the tensors as they are. */
#include "harness/node_test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static enum assay_status lay_out(struct node_test *test, struct assay_error *error)
{
    struct onnx_node_test *file = &test->file;
    struct op_signature *sig = &test->sig;
    *sig = (struct op_signature){.onnx = file->node->op,
                                 .input_count = file->input_count,
                                 .output_count = file->output_count,
                                 .attr_count = file->attr_count};
    if (file->input_count > OP_TENSORS_MAX || file->output_count > OP_TENSORS_MAX ||
        file->output_count == 0 || file->attr_count > sizeof sig->attr / sizeof sig->attr[0])
        return assay_error_set(error, ASSAY_UNSUPPORTED,
                               "%s has more tensors or attributes than a case can have", file->node->op);
    for (size_t at = 0; at < file->attr_count; at++) sig->attr[at] = file->attr[at];
    for (size_t at = 0; at < file->input_count + file->output_count; at++) {
        const bool input = at < file->input_count;
        const size_t place = input ? at : at - file->input_count;
        const struct assay_tensor *tensor = input ? &file->input[place] : &file->output[place];
        struct op_operand *operand = input ? &sig->input[place] : &sig->output[place];
        if (tensor->dtype == 0)
            return assay_error_set(error, ASSAY_UNSUPPORTED, "%s leaves a tensor out", file->node->op);
        operand->name = input ? file->node->input[place] : file->node->output[place];
        assay_tensor_dense(&operand->tensor, tensor->dtype, tensor->rank, tensor->shape);
        operand->tensor.bytes = (uint64_t)assay_tensor_elems(tensor) * assay_dtype_bytes(tensor->dtype);
        operand->reduced = -1;
        for (int d = 0; d < ASSAY_RANK_MAX; d++) operand->axis_of[d] = -1;
    }
    return ASSAY_OK;
}

/* Axes that a reduction has as a second input, constant in a node test, become attributes: its definition and kernels take
 * them so, for a plan cannot read what lies on a device. */
static enum assay_status fold_axes(struct onnx_node_test *file, struct assay_error *error)
{
    const struct assay_tensor *axes = &file->input[1];
    if (strncmp(file->node->op, "Reduce", 6) != 0 || file->input_count != 2) return ASSAY_OK;
    const int64_t count = axes->dtype ? assay_tensor_elems(axes) : 0;
    if (axes->dtype != 0 && axes->dtype != ASSAY_I64) return ASSAY_OK;
    if (count > ONNX_TEST_TENSORS_MAX - (int64_t)file->attr_count)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s names %lld axes", file->node->op,
                               (long long)count);
    for (int64_t i = 0; i < count; i++)
        file->attr[file->attr_count++] = (struct assay_attr){
            .name = "axes", .kind = ASSAY_ATTR_INT, .i = ((const int64_t *)axes->data)[axes->offset + i]};
    file->input_count = 1;
    return ASSAY_OK;
}

enum assay_status node_test_load(const char *folder, const char *line, struct node_test *test,
                                 struct judge_source *source, struct assay_error *error)
{
    char path[4096];
    struct stat found;
    struct onnx_node_test *file = &test->file;
    memset(test, 0, sizeof *test);
    *source = (struct judge_source){.line = line};
    const char *name = strncmp(line, "onnx/", 5) == 0 ? line + 5 : line;
    if (!*name || strchr(name, '/') || name[0] == '.')
        return assay_error_set(error, ASSAY_INVALID_INPUT, "'%s' names no node test: it is a folder's name",
                               line);
    if (snprintf(path, sizeof path, "%s/node/%s", folder, name) >= (int)sizeof path)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "the path of '%s' is too long", line);
    if (stat(path, &found) != 0)
        return assay_error_set(error, ASSAY_IO, "no node test at %.400s (package libonnx-testdata)", path);
    enum assay_status status = onnx_node_test_load(path, 0, file, error);
    if (status == ASSAY_OK) status = fold_axes(file, error);
    if (status == ASSAY_OK) status = lay_out(test, error);
    if (status == ASSAY_OK)
        status =
            op_case_from_node(file->node->op, file->attr, file->attr_count, file->input, file->input_count,
                              file->output, file->output_count, &source->spec.op, error);
    if (status != ASSAY_OK) return status;
    source->sig = &test->sig;
    source->data = file->input;
    source->published = &file->output[0];
    return ASSAY_OK;
}

void node_test_op(const char *folder, const char *line, char op[32], char dtype[8])
{
    struct node_test test;
    struct judge_source source;
    op[0] = dtype[0] = '\0';
    if (node_test_load(folder, line, &test, &source, NULL) == ASSAY_OK) {
        snprintf(op, 32, "%s", test.sig.onnx);
        snprintf(dtype, 8, "%s", assay_dtype_name(test.sig.output[0].tensor.dtype));
    }
    node_test_free(&test);
}

void node_test_free(struct node_test *test)
{
    onnx_node_test_free(&test->file);
    memset(test, 0, sizeof *test);
}
