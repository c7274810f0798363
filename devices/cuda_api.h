/* The part of the CUDA driver API that the CUDA backend uses, declared here so that no CUDA header is needed to build,
 * and the table of its entry points, filled while running from libcuda.so.1. Nothing links against the driver.
 *
 * Only devices/cuda*.c may include this. Types and numbers are those of CUDA's cuda.h (driver API, stable since 11.4). */
#ifndef ASSAY_CUDA_API_H
#define ASSAY_CUDA_API_H

#include "devices/device.h"

typedef int cu_result;
typedef int cu_device;
typedef uint64_t cu_pointer;
typedef struct cu_context_object *cu_context;
typedef struct cu_stream_object *cu_stream;
typedef struct cu_event_object *cu_event;
typedef struct cu_module_object *cu_module;
typedef struct cu_function_object *cu_function;
struct cu_uuid {
    uint8_t bytes[16];
};

enum { /* CUresult */
       CU_SUCCESS = 0,
       CU_INVALID_VALUE = 1,
       CU_OUT_OF_MEMORY = 2,
       CU_NO_DEVICE = 100,
       CU_INVALID_DEVICE = 101,
       CU_INVALID_IMAGE = 200,
       CU_NO_BINARY_FOR_GPU = 209,
       CU_INVALID_PTX = 218,
       CU_UNSUPPORTED_PTX_VERSION = 222,
       CU_NOT_READY = 600,
       CU_ILLEGAL_ADDRESS = 700,
};

enum { /* CUdevice_attribute */
       CU_ATTR_THREADS_PER_BLOCK = 1,
       CU_ATTR_GRID_X = 5,
       CU_ATTR_GRID_Y = 6,
       CU_ATTR_GRID_Z = 7,
       CU_ATTR_SHARED_PER_BLOCK = 8,
       CU_ATTR_MULTIPROCESSORS = 16,
       CU_ATTR_INTEGRATED = 18,
       CU_ATTR_COMPUTE_MODE = 20,
       CU_ATTR_PCI_BUS = 33,
       CU_ATTR_PCI_DEVICE = 34,
       CU_ATTR_PCI_DOMAIN = 50,
       CU_ATTR_CC_MAJOR = 75,
       CU_ATTR_CC_MINOR = 76,
       CU_ATTR_SHARED_PER_BLOCK_OPTIN = 97,
};

/* CUlaunchAttribute and CUlaunchConfig; an attribute's value is a union of 64 bytes. */
struct cu_launch_attribute {
    int id, unused;
    union {
        int flag;
        uint64_t words[8];
    } value;
};
struct cu_launch {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    cu_stream stream;
    struct cu_launch_attribute *attribute;
    unsigned attribute_count;
};

enum {
    CU_COMPUTE_MODE_PROHIBITED = 2,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DEFAULT = 0,
    CU_FUNC_MAX_DYNAMIC_SHARED = 8,
    CU_JIT_ERROR_LOG = 5,
    CU_JIT_ERROR_LOG_BYTES = 6,
    CU_LAUNCH_PROGRAMMATIC_SERIALIZATION = 6,
};

/* X(symbol as libcuda.so.1 exports it, parameters). Every one is needed. */
#define ASSAY_CUDA_CALLS(X)                                                                                  \
    X(cuInit, (unsigned flags))                                                                              \
    X(cuGetErrorName, (cu_result result, const char **name))                                                 \
    X(cuDriverGetVersion, (int *version))                                                                    \
    X(cuDeviceGetCount, (int *count))                                                                        \
    X(cuDeviceGet, (cu_device * device, int ordinal))                                                        \
    X(cuDeviceGetName, (char *name, int bytes, cu_device device))                                            \
    X(cuDeviceGetUuid_v2, (struct cu_uuid * uuid, cu_device device))                                         \
    X(cuDeviceTotalMem_v2, (size_t * bytes, cu_device device))                                               \
    X(cuDeviceGetAttribute, (int *value, int attribute, cu_device device))                                   \
    X(cuDevicePrimaryCtxRetain, (cu_context * context, cu_device device))                                    \
    X(cuDevicePrimaryCtxRelease_v2, (cu_device device))                                                      \
    X(cuCtxPushCurrent_v2, (cu_context context))                                                             \
    X(cuCtxPopCurrent_v2, (cu_context * context))                                                            \
    X(cuStreamCreate, (cu_stream * stream, unsigned flags))                                                  \
    X(cuStreamDestroy_v2, (cu_stream stream))                                                                \
    X(cuStreamSynchronize, (cu_stream stream))                                                               \
    X(cuEventCreate, (cu_event * event, unsigned flags))                                                     \
    X(cuEventDestroy_v2, (cu_event event))                                                                   \
    X(cuEventRecord, (cu_event event, cu_stream stream))                                                     \
    X(cuEventQuery, (cu_event event))                                                                        \
    X(cuEventElapsedTime, (float *ms, cu_event start, cu_event end))                                         \
    X(cuMemAlloc_v2, (cu_pointer * pointer, size_t bytes))                                                   \
    X(cuMemFree_v2, (cu_pointer pointer))                                                                    \
    X(cuMemcpyHtoDAsync_v2, (cu_pointer to, const void *from, size_t bytes, cu_stream stream))               \
    X(cuMemcpyDtoHAsync_v2, (void *to, cu_pointer from, size_t bytes, cu_stream stream))                     \
    X(cuModuleLoadDataEx,                                                                                    \
      (cu_module * module, const void *image, unsigned count, const int *option, void **value))              \
    X(cuModuleUnload, (cu_module module))                                                                    \
    X(cuModuleGetFunction, (cu_function * function, cu_module module, const char *name))                     \
    X(cuFuncSetAttribute, (cu_function function, int attribute, int value))                                  \
    X(cuLaunchKernel, (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,              \
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,          \
                       cu_stream stream, void **arguments, void **extra))

/* Those of newer drivers (this one: 11.8); NULL where the driver has none. */
#define ASSAY_CUDA_CALLS_NEWER(X)                                                                            \
    X(cuLaunchKernelEx,                                                                                      \
      (const struct cu_launch *launch, cu_function function, void **arguments, void **extra))

/* The opened driver. A plain value: copying it is fine, cuda_api_close releases it once. */
struct cuda_api {
    void *library;
#define ASSAY_CUDA_MEMBER(symbol, parameters) cu_result(*symbol) parameters;
    ASSAY_CUDA_CALLS(ASSAY_CUDA_MEMBER)
    ASSAY_CUDA_CALLS_NEWER(ASSAY_CUDA_MEMBER)
#undef ASSAY_CUDA_MEMBER
};

/* Open params->cuda_lib (NULL = libcuda.so.1; "none" is refused) and initialise the driver. On failure *api is zero and
 * the text says what is missing: the library, an entry point by name, or what cuInit answered. */
enum assay_status cuda_api_open(const struct assay_driver_params *params, struct cuda_api *api,
                                struct assay_error *error);
void cuda_api_close(struct cuda_api *api);

/* "100: CUDA_ERROR_NO_DEVICE". Writes at most 80 bytes; returns text. */
char *cuda_result_text(const struct cuda_api *api, cu_result result, char text[80]);
/* Which kind of error a result is. ASSAY_DEVICE_LOST for those after which a context answers nothing any more. */
enum assay_status cuda_result_status(cu_result result);

/* cuda_discover.c: the backend's discover slot, see devices/device.h. */
void cuda_discover(const struct assay_driver_params *params, struct assay_device_info *list, size_t cap,
                   size_t *count, char note[256]);

#endif
