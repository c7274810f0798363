/* The CUDA backend: memory, programs and submissions through the driver API, opened while running (cuda_api.c).
 *
 * It moves bytes and launches functions; it knows no operator. A handle uses the device's primary context on a stream
 * of its own, so it shares the card politely with other CUDA code of the process. Every kernel has one argument
 * convention: the bindings as pointers in order, then the push bytes as one structure by value.
 *
 * After a sticky error (illegal address and the like) the context answers nothing any more: the handle is marked lost
 * and every later call fails at once. */
#include "devices/cuda_api.h"
#include "devices/clock.h"
#include "devices/dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define JIT_LOG_BYTES 256

struct assay_buffer {
    struct cuda_device *device;
    cu_pointer pointer;
    uint64_t bytes;
    struct assay_buffer *next, *prev;
};

struct assay_program {
    struct cuda_device *device;
    cu_module module;
    cu_function function;
    const char *name; /* of the code it was made from: static */
    uint32_t bindings, push_bytes, shared_bytes;
    uint32_t group[3];
    bool waits_itself; /* may start while the dispatch before it ends */
    struct assay_program *next, *prev;
};

struct cuda_device {
    struct assay_device base; /* first: a struct assay_device * is a struct cuda_device * */
    struct cuda_api api;
    char label[24];
    cu_device ordinal;
    cu_context context; /* retained primary context */
    cu_stream stream;
    cu_event start, end;
    uint32_t shared_limit_bytes; /* with opting in */
    bool in_flight, timed;       /* timed: start was recorded */
    atomic_flag busy; /* a call is being served: two at once are a mistake of the caller (row D16) */
    struct assay_buffer *buffers;
    struct assay_program *programs;
};

/* ---- calls and their failures ---- */

/* Turns a driver result into a status and a sentence "cuda:0: ACT failed (700: CUDA_ERROR_ILLEGAL_ADDRESS)". */
static enum assay_status check(struct cuda_device *device, cu_result result, struct assay_error *error,
                               const char *act)
{
    char text[80];
    if (result == CU_SUCCESS) return ASSAY_OK;
    enum assay_status status = cuda_result_status(result);
    cuda_result_text(&device->api, result, text);
    if (status == ASSAY_DEVICE_LOST) device->base.lost = true;
    return assay_error_set(error, status, "%s: %s failed (%s)", device->label, act, text);
}

/* Every slot begins with enter and, if that went well, ends with leave. The context is current in between only. */
static enum assay_status enter(struct cuda_device *device, struct assay_error *error, const char *act)
{
    enum assay_status status = assay_handle_enter(&device->base, &device->busy, act, error);
    if (status != ASSAY_OK) return status;
    status = check(device, device->api.cuCtxPushCurrent_v2(device->context), error, "cuCtxPushCurrent_v2");
    if (status != ASSAY_OK) assay_handle_leave(&device->busy);
    return status;
}

static void leave(struct cuda_device *device)
{
    cu_context popped;
    (void)device->api.cuCtxPopCurrent_v2(&popped);
    assay_handle_leave(&device->busy);
}

/* ---- open and close ---- */

static void cuda_close(struct assay_device *base);

static enum assay_status cuda_open(const struct assay_driver_params *params,
                                   const struct assay_device_info *info, struct assay_device **out,
                                   struct assay_error *error)
{
    int optin_bytes = 0;
    bool pushed = false;
    cu_context popped;
    enum assay_status status;
    struct cuda_device *device = calloc(1, sizeof *device);
    *out = NULL;
    if (!device)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                               "cuda:%u: no host memory for the handle (%zu bytes)", info->index,
                               sizeof *device);
    device->base.backend = &assay_backend_cuda;
    device->base.info = *info;
    snprintf(device->label, sizeof device->label, "cuda:%u", info->index);
    atomic_flag_clear(&device->busy);

    if ((status = cuda_api_open(params, &device->api, error)) != ASSAY_OK) goto fail;
    const struct cuda_api *api = &device->api;
    status = check(device, api->cuDeviceGet(&device->ordinal, (int)info->index), error, "cuDeviceGet");
    if (status != ASSAY_OK) goto fail;
    status = check(device,
                   api->cuDeviceGetAttribute(&optin_bytes, CU_ATTR_SHARED_PER_BLOCK_OPTIN, device->ordinal),
                   error, "cuDeviceGetAttribute");
    if (status != ASSAY_OK) goto fail;
    device->shared_limit_bytes = optin_bytes > 0 ? (uint32_t)optin_bytes : info->limits.shared_bytes;
    status = check(device, api->cuDevicePrimaryCtxRetain(&device->context, device->ordinal), error,
                   "cuDevicePrimaryCtxRetain");
    if (status != ASSAY_OK) {
        device->context = NULL;
        goto fail;
    }
    status = check(device, api->cuCtxPushCurrent_v2(device->context), error, "cuCtxPushCurrent_v2");
    if (status != ASSAY_OK) goto fail;
    pushed = true;
    status =
        check(device, api->cuStreamCreate(&device->stream, CU_STREAM_NON_BLOCKING), error, "cuStreamCreate");
    if (status != ASSAY_OK) goto fail;
    status = check(device, api->cuEventCreate(&device->start, CU_EVENT_DEFAULT), error, "cuEventCreate");
    if (status != ASSAY_OK) goto fail;
    status = check(device, api->cuEventCreate(&device->end, CU_EVENT_DEFAULT), error, "cuEventCreate");
    if (status != ASSAY_OK) goto fail;
    (void)api->cuCtxPopCurrent_v2(&popped);
    *out = &device->base;
    return ASSAY_OK;
fail:
    if (pushed) (void)device->api.cuCtxPopCurrent_v2(&popped);
    cuda_close(&device->base);
    return status;
}

/* The driver keeps what a lost context held until the process ends; releasing it then fails, which nobody can mend. */
static void buffer_release(struct cuda_device *device, struct assay_buffer *buffer)
{
    (void)device->api.cuMemFree_v2(buffer->pointer);
    device->base.allocated_bytes -= buffer->bytes;
    if (buffer->prev)
        buffer->prev->next = buffer->next;
    else
        device->buffers = buffer->next;
    if (buffer->next) buffer->next->prev = buffer->prev;
    free(buffer);
}

static void program_release(struct cuda_device *device, struct assay_program *program)
{
    if (program->module) (void)device->api.cuModuleUnload(program->module);
    if (program->prev)
        program->prev->next = program->next;
    else
        device->programs = program->next;
    if (program->next) program->next->prev = program->prev;
    free(program);
}

static void cuda_close(struct assay_device *base)
{
    struct cuda_device *device = (struct cuda_device *)base;
    if (!device) return;
    const struct cuda_api *api = &device->api;
    if (device->context) {
        cu_context popped;
        bool pushed = api->cuCtxPushCurrent_v2(device->context) == CU_SUCCESS;
        if (device->in_flight) (void)api->cuStreamSynchronize(device->stream);
        while (device->programs) program_release(device, device->programs);
        while (device->buffers) buffer_release(device, device->buffers);
        if (device->end) (void)api->cuEventDestroy_v2(device->end);
        if (device->start) (void)api->cuEventDestroy_v2(device->start);
        if (device->stream) (void)api->cuStreamDestroy_v2(device->stream);
        if (pushed) (void)api->cuCtxPopCurrent_v2(&popped);
        (void)api->cuDevicePrimaryCtxRelease_v2(device->ordinal);
    }
    cuda_api_close(&device->api);
    free(device);
}

/* ---- memory ---- */

static enum assay_status cuda_buffer_create(struct assay_device *base, uint64_t bytes,
                                            struct assay_buffer **out, struct assay_error *error)
{
    struct cuda_device *device = (struct cuda_device *)base;
    char act[96];
    *out = NULL;
    if (bytes < 4) bytes = 4;
    snprintf(act, sizeof act, "cuMemAlloc_v2 of %llu bytes", (unsigned long long)bytes);
    enum assay_status status = enter(device, error, act);
    if (status != ASSAY_OK) return status;
    struct assay_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no host memory for a buffer record",
                                 device->label);
        goto out;
    }
    status = check(device, device->api.cuMemAlloc_v2(&buffer->pointer, bytes), error, act);
    if (status != ASSAY_OK) {
        free(buffer);
        goto out;
    }
    buffer->device = device;
    buffer->bytes = bytes;
    buffer->next = device->buffers;
    if (buffer->next) buffer->next->prev = buffer;
    device->buffers = buffer;
    base->allocated_bytes += bytes;
    *out = buffer;
out:
    leave(device);
    return status;
}

static void cuda_buffer_destroy(struct assay_device *base, struct assay_buffer *buffer)
{
    struct cuda_device *device = (struct cuda_device *)base;
    cu_context popped;
    if (!buffer) return;
    bool pushed = device->api.cuCtxPushCurrent_v2(device->context) == CU_SUCCESS;
    buffer_release(device, buffer);
    if (pushed) (void)device->api.cuCtxPopCurrent_v2(&popped);
}

enum direction { TO_DEVICE, TO_HOST };

static enum assay_status copy(struct assay_device *base, struct assay_buffer *buffer, uint64_t offset_bytes,
                              void *host, uint64_t bytes, enum direction direction, struct assay_error *error)
{
    struct cuda_device *device = (struct cuda_device *)base;
    const char *call = direction == TO_DEVICE ? "cuMemcpyHtoDAsync_v2" : "cuMemcpyDtoHAsync_v2";
    char act[128];
    snprintf(act, sizeof act, "%s of %llu bytes", call, (unsigned long long)bytes);
    enum assay_status status = enter(device, error, act);
    if (status != ASSAY_OK) return status;
    const char *verb = direction == TO_DEVICE ? "write" : "read";
    if (buffer->device != device) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s of a buffer of another handle",
                                 device->label, verb);
        goto out;
    }
    status = assay_range_check(base, verb, buffer->bytes, offset_bytes, bytes, error);
    if (status != ASSAY_OK || !bytes) goto out;
    if (device->in_flight) {
        status =
            assay_error_set(error, ASSAY_INVALID_INPUT,
                            "%s: %s: submission already in flight, wait for it first", device->label, verb);
        goto out;
    }
    cu_pointer at = buffer->pointer + offset_bytes;
    cu_result result = direction == TO_DEVICE
                           ? device->api.cuMemcpyHtoDAsync_v2(at, host, bytes, device->stream)
                           : device->api.cuMemcpyDtoHAsync_v2(host, at, bytes, device->stream);
    status = check(device, result, error, act);
    if (status != ASSAY_OK) goto out;
    snprintf(act, sizeof act, "cuStreamSynchronize after %s of %llu bytes", call, (unsigned long long)bytes);
    status = check(device, device->api.cuStreamSynchronize(device->stream), error, act);
out:
    leave(device);
    return status;
}

static enum assay_status cuda_write(struct assay_device *base, struct assay_buffer *buffer,
                                    uint64_t offset_bytes, const void *data, uint64_t bytes,
                                    struct assay_error *error)
{
    return copy(base, buffer, offset_bytes, (void *)(uintptr_t)data, bytes, TO_DEVICE, error);
}

static enum assay_status cuda_read(struct assay_device *base, struct assay_buffer *buffer,
                                   uint64_t offset_bytes, void *data, uint64_t bytes,
                                   struct assay_error *error)
{
    return copy(base, buffer, offset_bytes, data, bytes, TO_HOST, error);
}

/* ---- programs ---- */

/* Machine code runs on its own major capability from its own minor upwards, and sm_90a on 9.0 alone; PTX runs on its
 * capability and everything newer (CUDA C++ guide, compute capability; application compatibility). */
static bool code_fits(const struct assay_device_info *info, const struct assay_code *code, char why[96])
{
    uint32_t cc = info->cc_major * 10 + info->cc_minor;
    why[0] = '\0';
    if (code->kind != ASSAY_CODE_CUBIN && code->kind != ASSAY_CODE_PTX)
        snprintf(why, 96, "not CUDA code");
    else if (assay_code_bytes(code) == 0)
        snprintf(why, 96, "%s %u was not built", code->kind == ASSAY_CODE_CUBIN ? "cubin" : "PTX", code->cc);
    else if (code->kind == ASSAY_CODE_PTX && cc < code->cc)
        snprintf(why, 96, "PTX needs capability %u.%u", code->cc / 10, code->cc % 10);
    else if (code->kind == ASSAY_CODE_CUBIN &&
             (code->cc >= 90 ? cc != code->cc : cc / 10 != code->cc / 10 || cc < code->cc))
        snprintf(why, 96, "cubin is for sm_%u", code->cc);
    return why[0] == '\0';
}

static cu_result load(struct cuda_device *device, const struct assay_code *code, cu_module *module, char *log)
{
    const int option[] = {CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BYTES};
    void *value[] = {log, (void *)(uintptr_t)JIT_LOG_BYTES};
    log[0] = '\0';
    cu_result result = code->kind == ASSAY_CODE_PTX
                           ? device->api.cuModuleLoadDataEx(module, code->data, 2, option, value)
                           : device->api.cuModuleLoadDataEx(module, code->data, 0, NULL, NULL);
    log[JIT_LOG_BYTES - 1] = '\0';
    log[strcspn(log, "\r\n")] = '\0';
    return result;
}

static enum assay_status program_check(struct cuda_device *device, const struct assay_program_params *params,
                                       const char *name, struct assay_error *error)
{
    enum assay_status status = assay_program_check(&device->base, params, name, error);
    if (status != ASSAY_OK) return status;
    if (params->shared_bytes > device->shared_limit_bytes)
        return assay_error_set(error, ASSAY_UNSUPPORTED,
                               "%s: program %s wants %u bytes of shared memory, the limit is %u",
                               device->label, name, params->shared_bytes, device->shared_limit_bytes);
    return ASSAY_OK;
}

static enum assay_status cuda_program_create(struct assay_device *base,
                                             const struct assay_program_params *params,
                                             struct assay_program **out, struct assay_error *error)
{
    struct cuda_device *device = (struct cuda_device *)base;
    const char *name = params->code_count ? params->codes[0].name : "?";
    const struct assay_code *code = NULL;
    char act[160], log[JIT_LOG_BYTES], reasons[320] = "", why[96], text[80];
    size_t used = 0;
    *out = NULL;
    snprintf(act, sizeof act, "making program %.80s", name);
    enum assay_status status = enter(device, error, act);
    if (status != ASSAY_OK) return status;
    struct assay_program *program = NULL;
    if ((status = program_check(device, params, name, error)) != ASSAY_OK) goto out;
    program = calloc(1, sizeof *program);
    if (!program) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no host memory for program %s",
                                 device->label, name);
        goto out;
    }
    *program = (struct assay_program){.device = device,
                                      .bindings = params->bindings,
                                      .push_bytes = params->push_bytes,
                                      .shared_bytes = params->shared_bytes,
                                      .group = {params->group[0], params->group[1], params->group[2]},
                                      .next = device->programs};
    if (program->next) program->next->prev = program;
    device->programs = program;

    for (size_t i = 0; i < params->code_count && !code; i++) {
        const struct assay_code *candidate = &params->codes[i];
        if (code_fits(&base->info, candidate, why)) {
            cu_result result = load(device, candidate, &program->module, log);
            if (result == CU_SUCCESS) {
                code = candidate;
                break;
            }
            program->module = NULL;
            snprintf(act, sizeof act, "cuModuleLoadDataEx of %.80s", candidate->name);
            /* Only a verdict on the code itself sends us to the next candidate. */
            if (cuda_result_status(result) != ASSAY_DEVICE_UNSUPPORTED) {
                status = check(device, result, error, act);
                goto out;
            }
            snprintf(why, sizeof why, "cuModuleLoadDataEx failed (%.40s)%s%.24s",
                     cuda_result_text(&device->api, result, text), log[0] ? " " : "", log);
        }
        if (used < sizeof reasons)
            used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%s%s", used ? "; " : "", why);
    }
    if (!code) {
        status = assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: no code of %s loads on sm_%u%u: %s",
                                 device->label, name, base->info.cc_major, base->info.cc_minor, reasons);
        goto out;
    }
    program->name = code->name;
    /* PTX and older machine code hold no wait: compiled for less than 9.0 the instruction is not in them. */
    program->waits_itself = params->waits_itself && code->kind == ASSAY_CODE_CUBIN && code->cc >= 90;
    if (params->loaded) *params->loaded = code;
    snprintf(act, sizeof act, "cuModuleGetFunction of %.60s in %.60s", code->entry, code->name);
    status = check(device, device->api.cuModuleGetFunction(&program->function, program->module, code->entry),
                   error, act);
    if (status != ASSAY_OK) goto out;
    if (params->shared_bytes > base->info.limits.shared_bytes) {
        snprintf(act, sizeof act, "cuFuncSetAttribute of %u shared bytes for %.60s", params->shared_bytes,
                 code->name);
        status = check(device,
                       device->api.cuFuncSetAttribute(program->function, CU_FUNC_MAX_DYNAMIC_SHARED,
                                                      (int)params->shared_bytes),
                       error, act);
    }
out:
    if (status == ASSAY_OK)
        *out = program;
    else if (program)
        program_release(device, program);
    leave(device);
    return status;
}

static void cuda_program_destroy(struct assay_device *base, struct assay_program *program)
{
    struct cuda_device *device = (struct cuda_device *)base;
    cu_context popped;
    if (!program) return;
    bool pushed = device->api.cuCtxPushCurrent_v2(device->context) == CU_SUCCESS;
    program_release(device, program);
    if (pushed) (void)device->api.cuCtxPopCurrent_v2(&popped);
}

/* ---- submissions ---- */

static enum assay_status dispatch_check(struct cuda_device *device, const struct assay_dispatch *dispatch,
                                        struct assay_error *error)
{
    const struct assay_program *program = dispatch->program;
    uint64_t buffer_bytes[ASSAY_BINDINGS_MAX], range_bytes[ASSAY_BINDINGS_MAX];
    if (!program || program->device != device)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: dispatch of a program of another handle",
                               device->label);
    for (uint32_t i = 0; i < program->bindings; i++) {
        const struct assay_buffer *buffer = dispatch->binding[i].buffer;
        if (!buffer || buffer->device != device)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s: %s: binding %u has no buffer of this handle", device->label,
                                   program->name, i);
        buffer_bytes[i] = buffer->bytes;
    }
    return assay_dispatch_check(&device->base, dispatch, program->bindings, program->name, buffer_bytes,
                                range_bytes, error);
}

/* A launch that may begin once all blocks of the one before have begun and said so, or ended; its own wait makes it see
 * what that one wrote. Behind anything but a launch it waits like any other. */
static cu_result launch_early(const struct cuda_device *device, const struct assay_dispatch *dispatch,
                              void **argument)
{
    const struct assay_program *program = dispatch->program;
    struct cu_launch_attribute attribute = {.id = CU_LAUNCH_PROGRAMMATIC_SERIALIZATION, .value = {.flag = 1}};
    const struct cu_launch launch = {
        dispatch->groups[0], dispatch->groups[1],   dispatch->groups[2], program->group[0], program->group[1],
        program->group[2],   program->shared_bytes, device->stream,      &attribute,        1};
    return device->api.cuLaunchKernelEx(&launch, program->function, argument, NULL);
}

static enum assay_status launch(struct cuda_device *device, const struct assay_dispatch *dispatch,
                                struct assay_error *error)
{
    const struct assay_program *program = dispatch->program;
    cu_pointer pointer[ASSAY_BINDINGS_MAX];
    void *argument[ASSAY_BINDINGS_MAX + 1];
    char act[160];
    if (!dispatch->groups[0] || !dispatch->groups[1] || !dispatch->groups[2])
        return ASSAY_OK; /* an empty grid */
    for (uint32_t i = 0; i < program->bindings; i++) {
        pointer[i] = dispatch->binding[i].buffer->pointer + dispatch->binding[i].offset_bytes;
        argument[i] = &pointer[i];
    }
    argument[program->bindings] = (void *)(uintptr_t)dispatch->push;
    bool early = program->waits_itself && device->api.cuLaunchKernelEx;
    snprintf(act, sizeof act, "cuLaunchKernel%s of %.60s (grid %u x %u x %u)", early ? "Ex" : "",
             program->name, dispatch->groups[0], dispatch->groups[1], dispatch->groups[2]);
    if (early) return check(device, launch_early(device, dispatch, argument), error, act);
    return check(device,
                 device->api.cuLaunchKernel(program->function, dispatch->groups[0], dispatch->groups[1],
                                            dispatch->groups[2], program->group[0], program->group[1],
                                            program->group[2], program->shared_bytes, device->stream,
                                            argument, NULL),
                 error, act);
}

static enum assay_status cuda_submit(struct assay_device *base, const struct assay_dispatch *dispatches,
                                     size_t count, struct assay_error *error)
{
    struct cuda_device *device = (struct cuda_device *)base;
    bool started = false;
    const uint64_t begin_ns = assay_clock_ns();
    const size_t lead = base->lead < count ? base->lead : 0;
    enum assay_status status = enter(device, error, "submit");
    if (status != ASSAY_OK) return status;
    if (device->in_flight) {
        status =
            assay_error_set(error, ASSAY_INVALID_INPUT, "%s: submission already in flight", device->label);
        goto out;
    }
    for (size_t i = 0; i < count; i++)
        if ((status = dispatch_check(device, &dispatches[i], error)) != ASSAY_OK) goto out;
    base->recorded = 0;
    started = true;
    const uint64_t recorded_ns = assay_clock_ns();
    for (size_t i = 0; i < count; i++) {
        if (i == lead && !base->untimed) {
            status = check(device, device->api.cuEventRecord(device->start, device->stream), error,
                           "cuEventRecord");
            if (status != ASSAY_OK) goto out;
        }
        if ((status = launch(device, &dispatches[i], error)) != ASSAY_OK) goto out;
        base->recorded +=
            i >= lead && dispatches[i].groups[0] && dispatches[i].groups[1] && dispatches[i].groups[2];
    }
    status = check(device, device->api.cuEventRecord(device->end, device->stream), error, "cuEventRecord");
    if (status != ASSAY_OK) goto out;
    device->in_flight = true;
    device->timed = count && !base->untimed;
    base->record_ns = recorded_ns - begin_ns;
    base->submit_ns = assay_clock_ns() - recorded_ns;
out:
    /* A submission that failed half-way leaves nothing running behind the caller's back. */
    if (status != ASSAY_OK && started && !base->lost) (void)device->api.cuStreamSynchronize(device->stream);
    leave(device);
    return status;
}

/* Polls with growing pauses, so that short kernels end quickly and long ones leave the processor alone. */
static cu_result poll(struct cuda_device *device, uint64_t timeout_ns)
{
    const uint64_t pause_max_ns = 1000000;
    uint64_t start_ns = assay_clock_ns(), pause_ns = 1000;
    for (;;) {
        cu_result result = device->api.cuEventQuery(device->end);
        if (result != CU_NOT_READY) return result;
        uint64_t spent_ns = assay_clock_ns() - start_ns;
        if (spent_ns >= timeout_ns) return CU_NOT_READY;
        if (pause_ns > timeout_ns - spent_ns) pause_ns = timeout_ns - spent_ns;
        nanosleep(&(struct timespec){.tv_nsec = (long)pause_ns}, NULL);
        if ((pause_ns = pause_ns * 3 / 2) > pause_max_ns) pause_ns = pause_max_ns;
    }
}

static enum assay_status cuda_wait(struct assay_device *base, uint64_t timeout_ns, uint64_t *device_ns,
                                   struct assay_error *error)
{
    struct cuda_device *device = (struct cuda_device *)base;
    float ms = 0;
    if (device_ns) *device_ns = 0;
    enum assay_status status = enter(device, error, "wait");
    if (status != ASSAY_OK) return status;
    if (!device->in_flight) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "%s: wait without a submission", device->label);
        goto out;
    }
    if (timeout_ns) {
        cu_result result = poll(device, timeout_ns);
        if (result == CU_NOT_READY) { /* still in flight: the caller may wait again */
            status = assay_error_set(error, ASSAY_TIMEOUT, "%s: the submission did not end within %llu ms",
                                     device->label, (unsigned long long)(timeout_ns / 1000000));
            goto out;
        }
        status = check(device, result, error, "cuEventQuery");
    } else {
        status = check(device, device->api.cuStreamSynchronize(device->stream), error, "cuStreamSynchronize");
    }
    device->in_flight = false;
    if (status != ASSAY_OK || !device_ns || !device->timed) goto out;
    status = check(device, device->api.cuEventElapsedTime(&ms, device->start, device->end), error,
                   "cuEventElapsedTime");
    if (status == ASSAY_OK) *device_ns = (uint64_t)((double)ms * 1e6);
out:
    leave(device);
    return status;
}

const struct assay_backend assay_backend_cuda = {
    .name = "cuda",
    .discover = cuda_discover,
    .open = cuda_open,
    .close = cuda_close,
    .buffer_create = cuda_buffer_create,
    .buffer_destroy = cuda_buffer_destroy,
    .write = cuda_write,
    .read = cuda_read,
    .program_create = cuda_program_create,
    .program_destroy = cuda_program_destroy,
    .submit = cuda_submit,
    .wait = cuda_wait,
};
