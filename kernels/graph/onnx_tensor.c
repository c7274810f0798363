/* TensorProto to a host tensor: raw bytes or typed fields, every dtype that Assay has. */
#include "kernels/graph/onnx_read.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIMENSION_MAX (INT64_C(1) << 40)

struct elem_type {
    const char *name;
    enum assay_dtype dtype;
};

static const struct elem_type elem_types[] = {
    [ONNX__TENSOR_PROTO__DATA_TYPE__UNDEFINED] = {"undefined", 0},
    [ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT] = {"float", ASSAY_F32},
    [ONNX__TENSOR_PROTO__DATA_TYPE__UINT8] = {"uint8", ASSAY_U8},
    [ONNX__TENSOR_PROTO__DATA_TYPE__INT8] = {"int8", ASSAY_I8},
    [ONNX__TENSOR_PROTO__DATA_TYPE__UINT16] = {"uint16", 0},
    [ONNX__TENSOR_PROTO__DATA_TYPE__INT16] = {"int16", 0},
    [ONNX__TENSOR_PROTO__DATA_TYPE__INT32] = {"int32", ASSAY_I32},
    [ONNX__TENSOR_PROTO__DATA_TYPE__INT64] = {"int64", ASSAY_I64},
    [ONNX__TENSOR_PROTO__DATA_TYPE__STRING] = {"string", 0},
    [ONNX__TENSOR_PROTO__DATA_TYPE__BOOL] = {"bool", ASSAY_BOOL},
    [ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT16] = {"float16", ASSAY_F16},
    [ONNX__TENSOR_PROTO__DATA_TYPE__DOUBLE] = {"double", ASSAY_F64},
    [ONNX__TENSOR_PROTO__DATA_TYPE__UINT32] = {"uint32", 0},
    [ONNX__TENSOR_PROTO__DATA_TYPE__UINT64] = {"uint64", 0},
    [ONNX__TENSOR_PROTO__DATA_TYPE__COMPLEX64] = {"complex64", 0},
    [ONNX__TENSOR_PROTO__DATA_TYPE__COMPLEX128] = {"complex128", 0},
    [ONNX__TENSOR_PROTO__DATA_TYPE__BFLOAT16] = {"bfloat16", ASSAY_BF16},
};

static const struct elem_type *elem_type(int32_t number)
{
    static const struct elem_type unknown = {"unknown", 0};
    if (number < 0 || (size_t)number >= sizeof elem_types / sizeof elem_types[0]) return &unknown;
    return &elem_types[number];
}

enum assay_dtype onnx_dtype(int32_t number)
{
    return elem_type(number)->dtype;
}
const char *onnx_elem_name(int32_t number)
{
    return elem_type(number)->name;
}
const char *onnx_text(const char *text)
{
    return text ? text : "";
}

static enum assay_status bad(struct assay_error *error, const char *name, const Onnx__TensorProto *t,
                             const char *format, ...) ASSAY_PRINTF(4, 5);
static enum assay_status bad(struct assay_error *error, const char *name, const Onnx__TensorProto *t,
                             const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: tensor '%.60s': %s", name, onnx_text(t->name),
                           what);
}

/* How many values each typed field has, and which of them a dtype's data may stand in. */
static size_t typed_count(const Onnx__TensorProto *t, enum assay_dtype dtype)
{
    switch (dtype) {
    case ASSAY_F32:
        return t->n_float_data;
    case ASSAY_F64:
        return t->n_double_data;
    case ASSAY_I64:
        return t->n_int64_data;
    default:
        return t->n_int32_data;
    }
}

/* int32_data holds these dtypes one value each: integers as they are, f16 and bf16 as their bits. */
static bool int32_range(enum assay_dtype dtype, int32_t *least, int32_t *most)
{
    *least = 0;
    switch (dtype) {
    case ASSAY_I8:
        *least = -128;
        *most = 127;
        return true;
    case ASSAY_U8:
        *most = 255;
        return true;
    case ASSAY_BOOL:
        *most = 1;
        return true;
    case ASSAY_F16:
    case ASSAY_BF16:
        *most = 65535;
        return true;
    default:
        return false;
    }
}

static enum assay_status narrow(struct onnx_memory *memory, const Onnx__TensorProto *t, const char *name,
                                enum assay_dtype dtype, void **data, struct assay_error *error)
{
    int32_t least, most;
    *data = t->int32_data;
    if (!int32_range(dtype, &least, &most)) return ASSAY_OK;
    const size_t size = assay_dtype_bytes(dtype);
    char *out = onnx_memory_take(memory, t->n_int32_data, size);
    if (!out && t->n_int32_data)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for tensor '%.60s'", name,
                               onnx_text(t->name));
    for (size_t i = 0; i < t->n_int32_data; ++i) {
        const int32_t x = t->int32_data[i];
        if (x < least || x > most)
            return bad(error, name, t, "element %zu is %d, which is no %s", i, x, assay_dtype_name(dtype));
        memcpy(out + i * size, &x, size);
    }
    *data = out;
    return ASSAY_OK;
}

enum assay_status onnx_tensor_fill(struct onnx_memory *memory, const Onnx__TensorProto *t, const char *name,
                                   struct onnx_tensor *out, struct assay_error *error)
{
    *out = (struct onnx_tensor){.name = onnx_text(t->name), .elem_type = t->has_data_type ? t->data_type : 0};
    const enum assay_dtype dtype = onnx_dtype(out->elem_type);
    if (out->elem_type == 0) return bad(error, name, t, "it has no element type");
    if (t->n_dims > ASSAY_RANK_MAX)
        return bad(error, name, t, "it has %zu dimensions, more than %d", t->n_dims, ASSAY_RANK_MAX);
    int64_t elems = 1, span = 1; /* span: of the dimensions that are not 0, so that strides fit too */
    for (size_t d = 0; d < t->n_dims; ++d) {
        if (t->dims[d] < 0 || t->dims[d] > DIMENSION_MAX)
            return bad(error, name, t, "dimension %zu is %lld", d, (long long)t->dims[d]);
        if (__builtin_mul_overflow(span, t->dims[d] ? t->dims[d] : 1, &span) || span > DIMENSION_MAX)
            return bad(error, name, t, "it has more than 2^40 elements");
        elems *= t->dims[d] ? 1 : 0;
    }
    elems *= span;
    if (!dtype) return ASSAY_OK;

    if (t->has_data_location && t->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: tensor '%.60s' has its data in another file",
                               name, onnx_text(t->name));
    if (t->segment)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: tensor '%.60s' is a segment of a larger one",
                               name, onnx_text(t->name));
    const uint64_t bytes = (uint64_t)elems * assay_dtype_bytes(dtype);
    void *data = NULL;
    if (t->has_raw_data) {
        if (typed_count(t, dtype)) return bad(error, name, t, "it has both raw and typed data");
        if (t->raw_data.len != bytes)
            return bad(error, name, t, "%zu bytes of raw data where its shape and type want %llu",
                       t->raw_data.len, (unsigned long long)bytes);
        data = t->raw_data.data;
        if (dtype == ASSAY_BOOL)
            for (size_t i = 0; i < t->raw_data.len; ++i)
                if (t->raw_data.data[i] > 1)
                    return bad(error, name, t, "element %zu is %u, which is no bool", i, t->raw_data.data[i]);
    } else {
        const size_t count = typed_count(t, dtype);
        if (count != (uint64_t)elems)
            return bad(error, name, t, "%zu elements of data where its shape wants %lld", count,
                       (long long)elems);
        data = dtype == ASSAY_F32   ? (void *)t->float_data
               : dtype == ASSAY_F64 ? (void *)t->double_data
               : dtype == ASSAY_I64 ? (void *)t->int64_data
                                    : NULL;
        enum assay_status status = data ? ASSAY_OK : narrow(memory, t, name, dtype, &data, error);
        if (status) return status;
    }
    if (!data) {
        /* Empty: a place of its own, since a tensor without data would be none. */
        data = onnx_memory_take(memory, 1, 16);
        if (!data) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for a tensor", name);
    }
    assay_tensor_dense(&out->tensor, dtype, (uint32_t)t->n_dims, t->dims);
    out->tensor.bytes = bytes;
    out->tensor.data = data;
    return ASSAY_OK;
}

/* ---- a tensor in a file of its own ---- */

struct tensor_file {
    struct onnx_tensor tensor; /* first: callers hold its address */
    struct onnx_memory memory;
};

void onnx_tensor_free(struct onnx_tensor *tensor)
{
    if (!tensor) return;
    struct tensor_file *file = (struct tensor_file *)tensor;
    onnx_memory_close(&file->memory);
    free(file);
}

enum assay_status onnx_tensor_parse(const void *bytes, size_t size, const char *name,
                                    struct onnx_tensor **tensor, struct assay_error *error)
{
    Onnx__TensorProto *message;
    *tensor = NULL;
    struct tensor_file *file = calloc(1, sizeof *file);
    if (!file) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for a tensor", name);
    onnx_memory_open(&file->memory, size);
    enum assay_status status =
        onnx_unpack(&file->memory, &onnx__tensor_proto__descriptor, bytes, size, name, &message, error);
    if (!status) status = onnx_tensor_fill(&file->memory, message, name, &file->tensor, error);
    if (!status && !file->tensor.tensor.dtype)
        status = assay_error_set(error, ASSAY_UNSUPPORTED, "%s: tensor '%.60s' has element type %s (%d)",
                                 name, file->tensor.name, onnx_elem_name(file->tensor.elem_type),
                                 file->tensor.elem_type);
    if (status)
        onnx_tensor_free(&file->tensor);
    else
        *tensor = &file->tensor;
    return status;
}

enum assay_status onnx_tensor_load(const char *path, struct onnx_tensor **tensor, struct assay_error *error)
{
    void *bytes;
    size_t size;
    *tensor = NULL;
    enum assay_status status = onnx_file_read(path, &bytes, &size, error);
    if (!status) status = onnx_tensor_parse(bytes, size, path, tensor, error);
    free(bytes);
    return status;
}
