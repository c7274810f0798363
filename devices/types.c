/* Element types, status names, the error record and checks on strided views: pure functions.
 *
 * Shapes may come from hostile files, so every product and sum here is checked; what overflows saturates and is then
 * refused by assay_tensor_check. Knows no device, no kernel and no file. */
#include "devices/types.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes;
} dtypes[] = {
    [ASSAY_F32] = {"f32", 4}, [ASSAY_F16] = {"f16", 2}, [ASSAY_BF16] = {"bf16", 2},
    [ASSAY_F64] = {"f64", 8}, [ASSAY_I8] = {"i8", 1},   [ASSAY_U8] = {"u8", 1},
    [ASSAY_I32] = {"i32", 4}, [ASSAY_I64] = {"i64", 8}, [ASSAY_BOOL] = {"bool", 1},
};

#define DTYPE_COUNT (sizeof dtypes / sizeof dtypes[0])

static bool dtype_known(enum assay_dtype dtype)
{
    return (unsigned)dtype < DTYPE_COUNT && dtypes[dtype].name;
}

const char *assay_dtype_name(enum assay_dtype dtype)
{
    return dtype_known(dtype) ? dtypes[dtype].name : "?";
}

enum assay_dtype assay_dtype_parse(const char *name)
{
    for (size_t i = 1; name && i < DTYPE_COUNT; i++)
        if (!strcmp(dtypes[i].name, name)) return (enum assay_dtype)i;
    return (enum assay_dtype)0;
}

size_t assay_dtype_bytes(enum assay_dtype dtype)
{
    return dtype_known(dtype) ? dtypes[dtype].bytes : 0;
}

const char *assay_status_name(enum assay_status status)
{
    static const char *const names[ASSAY_STATUS_COUNT] = {
        [ASSAY_OK] = "Ok",
        [ASSAY_INVALID_INPUT] = "InvalidInput",
        [ASSAY_UNSUPPORTED] = "Unsupported",
        [ASSAY_DEVICE_UNSUPPORTED] = "DeviceUnsupported",
        [ASSAY_DEVICE_FAILURE] = "DeviceFailure",
        [ASSAY_DEVICE_LOST] = "DeviceLost",
        [ASSAY_OUT_OF_MEMORY] = "OutOfMemory",
        [ASSAY_TIMEOUT] = "Timeout",
        [ASSAY_IO] = "Io",
        [ASSAY_INTERNAL] = "Internal",
    };
    return (unsigned)status < ASSAY_STATUS_COUNT ? names[status] : "?";
}

enum assay_status assay_error_set(struct assay_error *error, enum assay_status status, const char *format,
                                  ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return status;
}

static int64_t mul_saturating(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

int64_t assay_tensor_elems(const struct assay_tensor *tensor)
{
    int64_t elems = 1;
    for (uint32_t d = 0; d < tensor->rank && d < ASSAY_RANK_MAX; d++)
        if (tensor->shape[d] <= 0) return 0;
    for (uint32_t d = 0; d < tensor->rank && d < ASSAY_RANK_MAX; d++)
        elems = mul_saturating(elems, tensor->shape[d]);
    return elems;
}

void assay_tensor_dense(struct assay_tensor *tensor, enum assay_dtype dtype, uint32_t rank,
                        const int64_t *shape)
{
    assert(rank <= ASSAY_RANK_MAX);
    memset(tensor->shape, 0, sizeof tensor->shape);
    memset(tensor->stride, 0, sizeof tensor->stride);
    tensor->dtype = dtype;
    tensor->rank = rank;
    tensor->offset = 0;
    int64_t stride = 1;
    for (uint32_t d = rank; d-- > 0;) {
        tensor->shape[d] = shape[d];
        tensor->stride[d] = stride;
        stride = mul_saturating(stride, shape[d] > 0 ? shape[d] : 1);
    }
}

int64_t assay_tensor_extent(const struct assay_tensor *tensor)
{
    if (assay_tensor_elems(tensor) == 0) return 0;
    int64_t last = tensor->offset;
    for (uint32_t d = 0; d < tensor->rank && d < ASSAY_RANK_MAX; d++) {
        int64_t span = mul_saturating(tensor->shape[d] - 1, tensor->stride[d]);
        if (__builtin_add_overflow(last, span, &last)) return INT64_MAX;
    }
    return last == INT64_MAX ? INT64_MAX : last + 1;
}

enum assay_status assay_tensor_check(const struct assay_tensor *tensor, const char *name,
                                     struct assay_error *error)
{
    if (!dtype_known(tensor->dtype))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "tensor %s: unknown element type %d", name,
                               (int)tensor->dtype);
    if (tensor->rank > ASSAY_RANK_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "tensor %s: rank %" PRIu32 " is above %d", name,
                               tensor->rank, ASSAY_RANK_MAX);
    for (uint32_t d = 0; d < tensor->rank; d++) {
        if (tensor->shape[d] < 0)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "tensor %s: dimension %" PRIu32 " is %" PRId64,
                                   name, d, tensor->shape[d]);
        if (tensor->stride[d] < 0)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "tensor %s: stride %" PRIu32 " is %" PRId64 ", strides are never negative",
                                   name, d, tensor->stride[d]);
    }
    if (tensor->offset < 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "tensor %s: offset is %" PRId64, name,
                               tensor->offset);
    if (tensor->data && tensor->buffer)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "tensor %s: has both host data and a device buffer", name);

    int64_t elems = assay_tensor_elems(tensor);
    if (elems == INT64_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "tensor %s: its number of elements overflows",
                               name);
    uint64_t memory_elems = tensor->bytes / assay_dtype_bytes(tensor->dtype);
    int64_t extent = elems ? assay_tensor_extent(tensor) : tensor->offset;
    if (extent == INT64_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "tensor %s: its strides and offset overflow",
                               name);
    if ((uint64_t)extent > memory_elems)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "tensor %s: needs %" PRId64 " elements of memory but has %" PRIu64 " (%" PRIu64
                               " bytes)",
                               name, extent, memory_elems, tensor->bytes);
    return ASSAY_OK;
}
