/* ModelProto to plain structs. Subgraphs, functions and training are named at most, not read. */
#include "kernels/graph/onnx_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct onnx_memory *memory;
    const char *name;
    struct assay_error *error;
};

/* An array of `count` zeroed things in *array; NULL and fine if there are none. */
static enum assay_status take(struct reader *r, size_t count, size_t bytes, void *array)
{
    *(void **)array = NULL;
    if (!count) return ASSAY_OK;
    *(void **)array = onnx_memory_take(r->memory, count, bytes);
    if (*(void **)array) return ASSAY_OK;
    return assay_error_set(r->error, ASSAY_OUT_OF_MEMORY, "%s: no memory for %zu entries of its graph",
                           r->name, count);
}

/* Bytes as a C string; ends at a NUL byte inside, if there is one. */
static enum assay_status string(struct reader *r, const ProtobufCBinaryData *from, const char **to)
{
    char *text;
    const enum assay_status status = take(r, from->len + 1, 1, &text);
    if (status) return status;
    if (from->len) memcpy(text, from->data, from->len);
    *to = text;
    return ASSAY_OK;
}

static enum assay_status read_attr(struct reader *r, const Onnx__AttributeProto *from, struct onnx_attr *to)
{
    *to = (struct onnx_attr){.name = onnx_text(from->name)};
    enum assay_status status = ASSAY_OK;
    const char **strings;
    struct onnx_tensor *tensor;
    switch (from->has_type ? from->type : ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__UNDEFINED) {
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT:
        to->kind = ONNX_ATTR_INT;
        to->i = from->i;
        break;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOAT:
        to->kind = ONNX_ATTR_FLOAT;
        to->f = from->f;
        break;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING:
        to->kind = ONNX_ATTR_STRING;
        status = string(r, &from->s, &to->s);
        break;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TENSOR:
        to->kind = ONNX_ATTR_TENSOR;
        if (!from->t)
            return assay_error_set(r->error, ASSAY_INVALID_INPUT, "%s: attribute '%.60s' has no tensor",
                                   r->name, to->name);
        status = take(r, 1, sizeof *tensor, &tensor);
        if (!status) status = onnx_tensor_fill(r->memory, from->t, r->name, tensor, r->error);
        to->tensor = tensor;
        break;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS:
        to->kind = ONNX_ATTR_INTS;
        to->count = from->n_ints;
        to->ints = from->ints;
        break;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__FLOATS:
        to->kind = ONNX_ATTR_FLOATS;
        to->count = from->n_floats;
        to->floats = from->floats;
        break;
    case ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRINGS:
        to->kind = ONNX_ATTR_STRINGS;
        to->count = from->n_strings;
        status = take(r, from->n_strings, sizeof *strings, &strings);
        for (size_t i = 0; i < from->n_strings && !status; ++i)
            status = string(r, &from->strings[i], &strings[i]);
        to->strings = strings;
        break;
    default:
        break;
    }
    return status;
}

/* Absent names become "". */
static enum assay_status read_names(struct reader *r, char **from, size_t count, const char *const **to)
{
    const char **names;
    const enum assay_status status = take(r, count, sizeof *names, &names);
    for (size_t i = 0; i < count && !status; ++i) names[i] = onnx_text(from[i]);
    *to = names;
    return status;
}

static enum assay_status read_node(struct reader *r, const Onnx__NodeProto *from, size_t number,
                                   struct onnx_node *to)
{
    *to = (struct onnx_node){.name = onnx_text(from->name),
                             .op = onnx_text(from->op_type),
                             .domain = onnx_text(from->domain),
                             .input_count = from->n_input,
                             .output_count = from->n_output,
                             .attr_count = from->n_attribute};
    if (!strcmp(to->domain, "ai.onnx")) to->domain = "";
    if (!*to->op)
        return assay_error_set(r->error, ASSAY_INVALID_INPUT, "%s: node %zu ('%.60s') has no operator",
                               r->name, number, to->name);
    struct onnx_attr *attr;
    enum assay_status status = read_names(r, from->input, from->n_input, &to->input);
    if (!status) status = read_names(r, from->output, from->n_output, &to->output);
    if (!status) status = take(r, from->n_attribute, sizeof *attr, &attr);
    if (status) return status;
    for (size_t i = 0; i < from->n_attribute && !status; ++i)
        status = read_attr(r, from->attribute[i], &attr[i]);
    to->attr = attr;
    return status;
}

static enum assay_status read_value(struct reader *r, const Onnx__ValueInfoProto *from, struct onnx_value *to)
{
    *to = (struct onnx_value){.name = onnx_text(from->name)};
    if (!from->type || from->type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE ||
        !from->type->tensor_type)
        return ASSAY_OK;
    const Onnx__TypeProto__Tensor *type = from->type->tensor_type;
    to->elem_type = type->has_elem_type ? type->elem_type : 0;
    to->dtype = onnx_dtype(to->elem_type);
    if (!type->shape) return ASSAY_OK;
    if (type->shape->n_dim > ASSAY_RANK_MAX)
        return assay_error_set(r->error, ASSAY_INVALID_INPUT,
                               "%s: value '%.60s' has %zu dimensions, more than %d", r->name, to->name,
                               type->shape->n_dim, ASSAY_RANK_MAX);
    to->has_shape = true;
    to->rank = (uint32_t)type->shape->n_dim;
    for (uint32_t d = 0; d < to->rank; ++d) {
        const Onnx__TensorShapeProto__Dimension *dim = type->shape->dim[d];
        to->shape[d] = -1;
        to->symbol[d] = "";
        if (dim->value_case == ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM)
            to->symbol[d] = onnx_text(dim->dim_param);
        if (dim->value_case != ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE) continue;
        if (dim->dim_value < 0)
            return assay_error_set(r->error, ASSAY_INVALID_INPUT, "%s: value '%.60s': dimension %u is %lld",
                                   r->name, to->name, d, (long long)dim->dim_value);
        to->shape[d] = dim->dim_value;
    }
    return ASSAY_OK;
}

static enum assay_status read_values(struct reader *r, Onnx__ValueInfoProto **from, size_t count,
                                     const struct onnx_value **to, size_t *to_count)
{
    struct onnx_value *values;
    enum assay_status status = take(r, count, sizeof *values, &values);
    for (size_t i = 0; i < count && !status; ++i) status = read_value(r, from[i], &values[i]);
    *to = values;
    *to_count = count;
    return status;
}

static enum assay_status read_graph(struct reader *r, const Onnx__GraphProto *from, struct onnx_model *to)
{
    struct onnx_node *nodes;
    struct onnx_tensor *tensors;
    to->graph_name = onnx_text(from->name);
    enum assay_status status = take(r, from->n_node, sizeof *nodes, &nodes);
    if (status) return status;
    for (size_t i = 0; i < from->n_node && !status; ++i) status = read_node(r, from->node[i], i, &nodes[i]);
    to->node = nodes;
    to->node_count = from->n_node;
    if (!status) status = take(r, from->n_initializer, sizeof *tensors, &tensors);
    if (status) return status;
    for (size_t i = 0; i < from->n_initializer && !status; ++i)
        status = onnx_tensor_fill(r->memory, from->initializer[i], r->name, &tensors[i], r->error);
    to->initializer = tensors;
    to->initializer_count = from->n_initializer;
    if (!status) status = read_values(r, from->input, from->n_input, &to->input, &to->input_count);
    if (!status) status = read_values(r, from->output, from->n_output, &to->output, &to->output_count);
    if (!status) status = read_values(r, from->value_info, from->n_value_info, &to->value, &to->value_count);
    return status;
}

static enum assay_status read_model(struct reader *r, const Onnx__ModelProto *from, struct onnx_model *to)
{
    struct onnx_opset *opset;
    if (!from->graph)
        return assay_error_set(r->error, ASSAY_INVALID_INPUT, "%s: the model has no graph", r->name);
    to->ir_version = from->ir_version;
    to->producer = onnx_text(from->producer_name);
    to->producer_version = onnx_text(from->producer_version);
    const enum assay_status status = take(r, from->n_opset_import, sizeof *opset, &opset);
    if (status) return status;
    for (size_t i = 0; i < from->n_opset_import; ++i)
        opset[i] =
            (struct onnx_opset){onnx_text(from->opset_import[i]->domain), from->opset_import[i]->version};
    to->opset = opset;
    to->opset_count = from->n_opset_import;
    return read_graph(r, from->graph, to);
}

void onnx_model_free(struct onnx_model *model)
{
    if (!model) return;
    onnx_memory_close(model->memory);
    free(model->memory);
    free(model);
}

enum assay_status onnx_model_parse(const void *bytes, size_t size, const char *name,
                                   struct onnx_model **result, struct assay_error *error)
{
    Onnx__ModelProto *message;
    enum assay_status status;
    *result = NULL;
    struct onnx_model *model = calloc(1, sizeof *model);
    struct onnx_memory *memory = calloc(1, sizeof *memory);
    if (!model || !memory) {
        free(memory);
        free(model);
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for a model", name);
    }
    onnx_memory_open(memory, size);
    model->memory = memory;
    struct reader reader = {memory, name, error};
    status = onnx_unpack(memory, &onnx__model_proto__descriptor, bytes, size, name, &message, error);
    if (!status) status = read_model(&reader, message, model);
    if (status)
        onnx_model_free(model);
    else
        *result = model;
    return status;
}

enum assay_status onnx_model_load(const char *path, struct onnx_model **model, struct assay_error *error)
{
    void *bytes;
    size_t size;
    *model = NULL;
    enum assay_status status = onnx_file_read(path, &bytes, &size, error);
    if (!status) status = onnx_model_parse(bytes, size, path, model, error);
    free(bytes);
    return status;
}
