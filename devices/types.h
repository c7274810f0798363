/* Plain data that every part of Assay may use: element types, tensors, status codes and the error record.
 *
 * It knows no device, no kernel, no oracle and no file. Implementation: types.c (pure functions). */
#ifndef ASSAY_TYPES_H
#define ASSAY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Element types. Values are stored in databases and cross the adapter ABI: never renumber, only append. */
enum assay_dtype {
    ASSAY_F32 = 1,
    ASSAY_F16 = 2,
    ASSAY_BF16 = 3,
    ASSAY_F64 = 4,
    ASSAY_I8 = 5,
    ASSAY_U8 = 6,
    ASSAY_I32 = 7,
    ASSAY_I64 = 8,
    ASSAY_BOOL = 9, /* one byte, 0 or 1 */
};

/* Lower-case name such as "f32"; "?" for a value that is none of the above. */
const char *assay_dtype_name(enum assay_dtype dtype);
/* The dtype called `name`, or 0. */
enum assay_dtype assay_dtype_parse(const char *name);
/* Bytes of one element, or 0 for an unknown dtype. */
size_t assay_dtype_bytes(enum assay_dtype dtype);

/* What went wrong, by kind (row H20). 0 is success; every fallible function returns one of these. */
enum assay_status {
    ASSAY_OK = 0,
    ASSAY_INVALID_INPUT,      /* the caller asked for something malformed */
    ASSAY_UNSUPPORTED,        /* well formed, but no kernel takes this shape, dtype or attribute */
    ASSAY_DEVICE_UNSUPPORTED, /* no such device, or it lacks what is needed */
    ASSAY_DEVICE_FAILURE,     /* the driver refused or failed a call */
    ASSAY_DEVICE_LOST,        /* the device is gone: every later call on the handle fails at once */
    ASSAY_OUT_OF_MEMORY,      /* device or host memory; the text says how many bytes were asked for */
    ASSAY_TIMEOUT,            /* a wait ended before the work did */
    ASSAY_IO,                 /* a file, a pipe or a database */
    ASSAY_INTERNAL,           /* our own mistake */
    ASSAY_STATUS_COUNT
};

/* "DeviceFailure" and the like. */
const char *assay_status_name(enum assay_status status);

/* Filled by every function that fails: the kind, and a sentence that names the object and the act. Starts as {0}. */
struct assay_error {
    enum assay_status status;
    char text[508];
};

/* Record `status` and the formatted sentence in *error (which may be NULL) and return `status`. */
enum assay_status assay_error_set(struct assay_error *error, enum assay_status status, const char *format,
                                  ...) ASSAY_PRINTF(3, 4);

#define ASSAY_RANK_MAX 8

struct assay_buffer; /* memory of one device, made by its backend; opaque here */

/* A strided view. Element (i0, i1, ...) lies at data + (offset + sum i_d * stride_d) elements, or at the same place
 * in `buffer`. Exactly one of data (host) and buffer (device) is set. Strides are in elements and may be 0
 * (broadcast) or exceed the row (padding), never negative. Rank 0 is a scalar. Memory belongs to the caller. */
struct assay_tensor {
    enum assay_dtype dtype;
    uint32_t rank;
    int64_t shape[ASSAY_RANK_MAX];
    int64_t stride[ASSAY_RANK_MAX];
    int64_t offset; /* elements */
    uint64_t bytes; /* size of the whole memory behind data or buffer, for bounds checks */
    void *data;
    struct assay_buffer *buffer;
};

/* Number of elements; 1 for rank 0, 0 if any dimension is 0. */
int64_t assay_tensor_elems(const struct assay_tensor *tensor);
/* Fill rank, shape and row-major strides with offset 0. Leaves bytes, data and buffer alone. */
void assay_tensor_dense(struct assay_tensor *tensor, enum assay_dtype dtype, uint32_t rank,
                        const int64_t *shape);
/* Smallest number of elements of memory, counted from element 0, that the view touches (0 if it is empty). */
int64_t assay_tensor_extent(const struct assay_tensor *tensor);
/* ASSAY_OK if dtype, rank, shape, strides and offset are sane and the view lies inside `bytes`. */
enum assay_status assay_tensor_check(const struct assay_tensor *tensor, const char *name,
                                     struct assay_error *error);

/* One attribute of an operator (ONNX kinds only). Strings belong to the caller. */
struct assay_attr {
    const char *name;
    enum { ASSAY_ATTR_INT, ASSAY_ATTR_FLOAT, ASSAY_ATTR_STRING } kind;
    int64_t i;
    float f;
    const char *s;
};

#ifdef __cplusplus
}
#endif
#endif
