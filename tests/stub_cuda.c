/* A fake libcuda.so.1: host memory for device memory, one kernel "stub_add" (y[i] = x[i] + push[0] for i < push[1]),
 * any call made to fail by script. It knows nothing of Assay. */
#include "tests/stub_cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define ENTER(name)                                                                                          \
    do {                                                                                                     \
        int answer_ = called(name, true);                                                                    \
        if (answer_) return answer_;                                                                         \
    } while (0)
#define ENTER_WITHOUT_CONTEXT(name)                                                                          \
    do {                                                                                                     \
        int answer_ = called(name, false);                                                                   \
        if (answer_) return answer_;                                                                         \
    } while (0)

EXPORT struct stub_cuda stub_cuda;
static bool pending_loss;
static int current; /* depth of the context stack */

static int called(const char *name, bool needs_context)
{
    stub_cuda.calls++;
    if (stub_cuda.fail_call && strcmp(name, stub_cuda.fail_call) == 0 && stub_cuda.fail_skip-- <= 0)
        return stub_cuda.fail_result;
    if (needs_context && stub_cuda.lost) return 700;
    if (needs_context && current <= 0) return 201; /* no context is current */
    return 0;
}

EXPORT int cuInit(unsigned flags)
{
    ENTER_WITHOUT_CONTEXT("cuInit");
    return flags ? 1 : 0;
}

EXPORT int cuGetErrorName(int result, const char **name)
{
    static const struct {
        int result;
        const char *name;
    } names[] = {{1, "CUDA_ERROR_INVALID_VALUE"},      {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                 {100, "CUDA_ERROR_NO_DEVICE"},        {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                 {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},  {999, "CUDA_ERROR_UNKNOWN"},
                 {304, "CUDA_ERROR_OPERATING_SYSTEM"}, {500, "CUDA_ERROR_NOT_FOUND"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].result == result) {
            *name = names[i].name;
            return 0;
        }
    return 1;
}

EXPORT int cuDriverGetVersion(int *version)
{
    ENTER_WITHOUT_CONTEXT("cuDriverGetVersion");
    *version = 13000;
    return 0;
}

EXPORT int cuDeviceGetCount(int *count)
{
    ENTER_WITHOUT_CONTEXT("cuDeviceGetCount");
    *count = stub_cuda.devices;
    return 0;
}

EXPORT int cuDeviceGet(int *device, int ordinal)
{
    ENTER_WITHOUT_CONTEXT("cuDeviceGet");
    if (ordinal < 0 || ordinal >= stub_cuda.devices) return 101;
    *device = ordinal;
    return 0;
}

/* A name that fills its room to the last byte, without the terminator (row D12). */
EXPORT int cuDeviceGetName(char *name, int bytes, int device)
{
    ENTER_WITHOUT_CONTEXT("cuDeviceGetName");
    if (device == 1)
        memset(name, 'x', (size_t)bytes);
    else
        snprintf(name, (size_t)bytes, "Stub %d", device);
    return 0;
}

EXPORT int cuDeviceGetUuid_v2(uint8_t uuid[16], int device)
{
    ENTER_WITHOUT_CONTEXT("cuDeviceGetUuid_v2");
    for (int i = 0; i < 16; i++) uuid[i] = (uint8_t)(16 * device + i);
    return 0;
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    ENTER_WITHOUT_CONTEXT("cuDeviceTotalMem_v2");
    (void)device;
    *bytes = 1ull << 36;
    return 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    ENTER_WITHOUT_CONTEXT("cuDeviceGetAttribute");
    const int table[][2] = {{1, 1024},
                            {5, 2147483647},
                            {6, 65535},
                            {7, 65535},
                            {8, 49152},
                            {16, 132},
                            {18, stub_cuda.integrated},
                            {20, stub_cuda.compute_mode},
                            {33, 0x1B + device},
                            {34, 0},
                            {50, 0},
                            {75, stub_cuda.cc_major},
                            {76, stub_cuda.cc_minor},
                            {97, 232448}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i][0] == attribute) {
            *value = table[i][1];
            return 0;
        }
    return 1;
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device)
{
    ENTER_WITHOUT_CONTEXT("cuDevicePrimaryCtxRetain");
    (void)device;
    stub_cuda.contexts++;
    *context = &stub_cuda;
    return 0;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device)
{
    ENTER_WITHOUT_CONTEXT("cuDevicePrimaryCtxRelease_v2");
    (void)device;
    stub_cuda.contexts--;
    return 0;
}

EXPORT int cuCtxPushCurrent_v2(void *context)
{
    ENTER_WITHOUT_CONTEXT("cuCtxPushCurrent_v2");
    if (context != &stub_cuda) return 201;
    current++;
    return 0;
}

EXPORT int cuCtxPopCurrent_v2(void **context)
{
    ENTER_WITHOUT_CONTEXT("cuCtxPopCurrent_v2");
    if (current <= 0) return 201;
    current--;
    *context = &stub_cuda;
    return 0;
}

EXPORT int cuStreamCreate(void **stream, unsigned flags)
{
    ENTER("cuStreamCreate");
    (void)flags;
    stub_cuda.streams++;
    *stream = &stub_cuda.streams;
    return 0;
}

EXPORT int cuStreamDestroy_v2(void *stream)
{
    stub_cuda.streams--; /* a lost context gives its objects up too */
    (void)stream;
    return 0;
}

EXPORT int cuStreamSynchronize(void *stream)
{
    ENTER("cuStreamSynchronize");
    (void)stream;
    while (__atomic_load_n(&stub_cuda.hold, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&stub_cuda.holding, true, __ATOMIC_SEQ_CST);
        usleep(1000);
    }
    stub_cuda.lost |= pending_loss;
    pending_loss = false;
    return stub_cuda.lost ? 700 : 0;
}

EXPORT int cuEventCreate(void **event, unsigned flags)
{
    ENTER("cuEventCreate");
    (void)flags;
    stub_cuda.events++;
    *event = &stub_cuda.events;
    return 0;
}

EXPORT int cuEventDestroy_v2(void *event)
{
    stub_cuda.events--;
    (void)event;
    return 0;
}

EXPORT int cuEventRecord(void *event, void *stream)
{
    ENTER("cuEventRecord");
    (void)event;
    (void)stream;
    return 0;
}

EXPORT int cuEventQuery(void *event)
{
    ENTER("cuEventQuery");
    (void)event;
    if (stub_cuda.not_ready) {
        stub_cuda.not_ready--;
        return 600;
    }
    stub_cuda.lost |= pending_loss;
    pending_loss = false;
    return stub_cuda.lost ? 700 : 0;
}

EXPORT int cuEventElapsedTime(float *ms, void *start, void *end)
{
    ENTER("cuEventElapsedTime");
    (void)start;
    (void)end;
    *ms = 1.5f;
    return 0;
}

EXPORT int cuMemAlloc_v2(uint64_t *pointer, size_t bytes)
{
    ENTER("cuMemAlloc_v2");
    if (stub_cuda.memory_bytes && bytes > stub_cuda.memory_bytes) return 2;
    void *memory = malloc(bytes);
    if (!memory) return 2;
    stub_cuda.buffers++;
    *pointer = (uint64_t)(uintptr_t)memory;
    return 0;
}

EXPORT int cuMemFree_v2(uint64_t pointer)
{
    stub_cuda.buffers--;
    free((void *)(uintptr_t)pointer);
    return 0;
}

EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream)
{
    ENTER("cuMemcpyHtoDAsync_v2");
    (void)stream;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return 0;
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    ENTER("cuMemcpyDtoHAsync_v2");
    (void)stream;
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return 0;
}

EXPORT int cuModuleLoadDataEx(void **module, const void *image, unsigned count, const int *option,
                              void **value)
{
    ENTER("cuModuleLoadDataEx");
    (void)option;
    if (stub_cuda.reject_image &&
        strncmp(image, stub_cuda.reject_image, strlen(stub_cuda.reject_image)) == 0) {
        if (count == 2) snprintf(value[0], (size_t)(uintptr_t)value[1], "stub log\nmore");
        return 209;
    }
    snprintf(stub_cuda.image, sizeof stub_cuda.image, "%.15s", (const char *)image);
    stub_cuda.modules++;
    *module = &stub_cuda.modules;
    return 0;
}

EXPORT int cuModuleUnload(void *module)
{
    stub_cuda.modules--;
    (void)module;
    return 0;
}

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name)
{
    ENTER("cuModuleGetFunction");
    (void)module;
    if (strcmp(name, "stub_add") != 0) return 500;
    *function = &stub_cuda;
    return 0;
}

EXPORT int cuFuncSetAttribute(void *function, int attribute, int value)
{
    ENTER("cuFuncSetAttribute");
    (void)function;
    if (attribute == 8) stub_cuda.dynamic_shared_bytes = (unsigned)value;
    return 0;
}

static int launched(const unsigned grid[3], const unsigned block[3], unsigned shared_bytes, void **arguments)
{
    memcpy(stub_cuda.grid, grid, sizeof stub_cuda.grid);
    memcpy(stub_cuda.block, block, sizeof stub_cuda.block);
    stub_cuda.launch_shared_bytes = shared_bytes;
    stub_cuda.launches++;
    pending_loss |= stub_cuda.lose_at_launch;
    uint64_t x, y;
    uint32_t push[2];
    memcpy(&x, arguments[0], sizeof x);
    memcpy(&y, arguments[1], sizeof y);
    memcpy(push, arguments[2], sizeof push);
    for (uint32_t i = 0; i < push[1]; i++)
        ((uint32_t *)(uintptr_t)y)[i] = ((uint32_t *)(uintptr_t)x)[i] + push[0];
    return 0;
}

EXPORT int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream,
                          void **arguments, void **extra)
{
    ENTER("cuLaunchKernel");
    (void)function;
    (void)stream;
    (void)extra;
    return launched((const unsigned[]){grid_x, grid_y, grid_z}, (const unsigned[]){block_x, block_y, block_z},
                    shared_bytes, arguments);
}

/* CUlaunchConfig and CUlaunchAttribute of CUDA's cuda.h. */
struct launch {
    unsigned grid[3], block[3], shared_bytes;
    void *stream;
    struct {
        int id;
        char pad[4];
        char value[64]; /* a union, of which attribute 6 uses an int */
    } * attribute;
    unsigned attribute_count;
};

EXPORT int cuLaunchKernelEx(const struct launch *launch, void *function, void **arguments, void **extra)
{
    ENTER("cuLaunchKernelEx");
    int flag = 0;
    (void)function;
    (void)extra;
    if (launch->attribute_count == 1) memcpy(&flag, launch->attribute->value, sizeof flag);
    stub_cuda.early_launches += flag == 1 && launch->attribute->id == 6;
    return launched(launch->grid, launch->block, launch->shared_bytes, arguments);
}
