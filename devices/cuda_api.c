/* Opens the CUDA driver while running, and names its results. It knows no device. */
#include "devices/cuda_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define CUDA_LIBRARY "libcuda.so.1"

/* Results that mean something other than "the call failed". Those marked lost poison the context: every later call
 * gives the same answer until the process starts anew (CUDA driver API, CUresult). */
static const struct {
    cu_result result;
    enum assay_status status;
} result_kinds[] = {
    {CU_INVALID_VALUE, ASSAY_INVALID_INPUT},
    {CU_OUT_OF_MEMORY, ASSAY_OUT_OF_MEMORY},
    {CU_NO_DEVICE, ASSAY_DEVICE_UNSUPPORTED},
    {CU_INVALID_DEVICE, ASSAY_DEVICE_UNSUPPORTED},
    {CU_INVALID_IMAGE, ASSAY_DEVICE_UNSUPPORTED},
    {CU_NO_BINARY_FOR_GPU, ASSAY_DEVICE_UNSUPPORTED},
    {CU_INVALID_PTX, ASSAY_DEVICE_UNSUPPORTED},
    {CU_UNSUPPORTED_PTX_VERSION, ASSAY_DEVICE_UNSUPPORTED},
    {4, ASSAY_DEVICE_LOST},   /* deinitialised */
    {214, ASSAY_DEVICE_LOST}, /* ECC error that was not corrected */
    {220, ASSAY_DEVICE_LOST}, /* NVLink error that was not corrected */
    {CU_ILLEGAL_ADDRESS, ASSAY_DEVICE_LOST},
    {702, ASSAY_DEVICE_LOST}, /* launch timeout (watchdog) */
    {710, ASSAY_DEVICE_LOST}, /* device-side assert */
    {714, ASSAY_DEVICE_LOST}, /* hardware stack error */
    {715, ASSAY_DEVICE_LOST}, /* illegal instruction */
    {716, ASSAY_DEVICE_LOST}, /* misaligned address */
    {717, ASSAY_DEVICE_LOST}, /* invalid address space */
    {718, ASSAY_DEVICE_LOST}, /* invalid program counter */
    {719, ASSAY_DEVICE_LOST}, /* launch failed */
    {721, ASSAY_DEVICE_LOST}, /* contained error: this context must be torn down */
    {999, ASSAY_DEVICE_LOST}, /* unknown: nothing may be assumed */
};

enum assay_status cuda_result_status(cu_result result)
{
    if (result == CU_SUCCESS) return ASSAY_OK;
    for (size_t i = 0; i < sizeof result_kinds / sizeof *result_kinds; i++)
        if (result_kinds[i].result == result) return result_kinds[i].status;
    return ASSAY_DEVICE_FAILURE;
}

char *cuda_result_text(const struct cuda_api *api, cu_result result, char text[80])
{
    const char *name = NULL;
    if (!api->cuGetErrorName || api->cuGetErrorName(result, &name) != CU_SUCCESS || !name)
        snprintf(text, 80, "%d", result);
    else
        snprintf(text, 80, "%d: %s", result, name);
    return text;
}

enum assay_status cuda_api_open(const struct assay_driver_params *params, struct cuda_api *api,
                                struct assay_error *error)
{
    const char *path = params && params->cuda_lib ? params->cuda_lib : CUDA_LIBRARY;
    char text[80];
    *api = (struct cuda_api){0};
    if (strcmp(path, "none") == 0)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "turned off (CUDA library: none)");
    /* The driver starts threads and exit handlers of its own, so its code stays mapped after the last close. */
    api->library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!api->library)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "no CUDA driver (%s) on this machine", path);
#define LOAD(symbol, parameters)                                                                             \
    *(void **)&api->symbol = dlsym(api->library, #symbol);                                                   \
    if (!api->symbol) {                                                                                      \
        cuda_api_close(api);                                                                                 \
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "the CUDA driver (%s) has no %s", path,      \
                               #symbol);                                                                     \
    }
    ASSAY_CUDA_CALLS(LOAD)
#undef LOAD
#define LOAD(symbol, parameters) *(void **)&api->symbol = dlsym(api->library, #symbol);
    ASSAY_CUDA_CALLS_NEWER(LOAD)
#undef LOAD
    cu_result result = api->cuInit(0);
    if (result != CU_SUCCESS) {
        cuda_result_text(api, result, text);
        cuda_api_close(api);
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "cuInit failed (%s)", text);
    }
    return ASSAY_OK;
}

void cuda_api_close(struct cuda_api *api)
{
    if (api->library) dlclose(api->library);
    *api = (struct cuda_api){0};
}
