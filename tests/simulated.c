/* The simulated device of simulated.h. */
#include "tests/simulated.h"

#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

struct simulated {
    struct assay_device base;
    enum simulated_fault fault;
    bool in_flight;
};
struct assay_buffer {
    uint64_t bytes;
    uint8_t data[];
};
struct assay_program {
    assay_native_fn run;
    uint32_t bindings;
};

/* The unfused device runs simulated_unfused.c instead. */
#define SWAP(form)                                                                                           \
    void assay_exact_check_##form(void *const *, const void *, const uint32_t[3]);                           \
    void assay_exact_check_##form##_fma(void *const *, const void *, const uint32_t[3]);                     \
    void unfused_check_##form(void *const *, const void *, const uint32_t[3])
SWAP(native);
SWAP(guarded);
SWAP(emulated);
SWAP(integer);
void assay_traits_native(void *const *, const void *, const uint32_t[3]);
void assay_traits_native_fma(void *const *, const void *, const uint32_t[3]);
void unfused_traits(void *const *, const void *, const uint32_t[3]);

static assay_native_fn unfused(assay_native_fn run)
{
    const struct {
        assay_native_fn good, good_fma, bad;
    } table[] = {
        {assay_exact_check_native, assay_exact_check_native_fma, unfused_check_native},
        {assay_exact_check_guarded, assay_exact_check_guarded_fma, unfused_check_guarded},
        {assay_exact_check_emulated, assay_exact_check_emulated_fma, unfused_check_emulated},
        {assay_exact_check_integer, assay_exact_check_integer_fma, unfused_check_integer},
        {assay_traits_native, assay_traits_native_fma, unfused_traits},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (run == table[i].good || run == table[i].good_fma) return table[i].bad;
    return NULL;
}

static void close_device(struct assay_device *device)
{
    free(device);
}

static enum assay_status buffer_create(struct assay_device *device, uint64_t bytes,
                                       struct assay_buffer **buffer, struct assay_error *error)
{
    (void)device;
    *buffer = malloc(sizeof **buffer + bytes);
    if (!*buffer) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "simulated: no memory");
    (*buffer)->bytes = bytes;
    return ASSAY_OK;
}

static void buffer_destroy(struct assay_device *device, struct assay_buffer *buffer)
{
    (void)device;
    free(buffer);
}

static enum assay_status write_buffer(struct assay_device *device, struct assay_buffer *buffer,
                                      uint64_t offset, const void *data, uint64_t bytes,
                                      struct assay_error *error)
{
    (void)device;
    if (offset + bytes > buffer->bytes)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "simulated: range");
    memcpy(buffer->data + offset, data, bytes);
    return ASSAY_OK;
}

static enum assay_status read_buffer(struct assay_device *device, struct assay_buffer *buffer,
                                     uint64_t offset, void *data, uint64_t bytes, struct assay_error *error)
{
    (void)device;
    if (offset + bytes > buffer->bytes)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "simulated: range");
    memcpy(data, buffer->data + offset, bytes);
    return ASSAY_OK;
}

static enum assay_status program_create(struct assay_device *device,
                                        const struct assay_program_params *params,
                                        struct assay_program **program, struct assay_error *error)
{
    struct simulated *s = (struct simulated *)device;
    assay_native_fn run = NULL;
    for (size_t i = 0; i < params->code_count && !run; i++)
        if (params->codes[i].kind == ASSAY_CODE_NATIVE) run = params->codes[i].native;
    if (run && s->fault == SIMULATED_UNFUSED) run = unfused(run);
    if (!run) return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "simulated: nothing to run");
    *program = malloc(sizeof **program);
    if (!*program) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "simulated: no memory");
    **program = (struct assay_program){run, params->bindings};
    return ASSAY_OK;
}

static void program_destroy(struct assay_device *device, struct assay_program *program)
{
    (void)device;
    free(program);
}

static enum assay_status submit(struct assay_device *device, const struct assay_dispatch *dispatches,
                                size_t count, struct assay_error *error)
{
    struct simulated *s = (struct simulated *)device;
    (void)error;
#if defined(__x86_64__)
    unsigned mode = _mm_getcsr();
    if (s->fault == SIMULATED_FLUSHING) _mm_setcsr(mode | 0x8040); /* FTZ and DAZ */
#endif
    for (size_t d = 0; d < count; d++) {
        const struct assay_dispatch *dispatch = &dispatches[d];
        void *buffers[ASSAY_BINDINGS_MAX] = {0};
        for (uint32_t i = 0; i < dispatch->program->bindings; i++)
            buffers[i] = dispatch->binding[i].buffer->data + dispatch->binding[i].offset_bytes;
        for (uint32_t x = 0; x < dispatch->groups[0]; x++)
            dispatch->program->run(buffers, dispatch->push, (const uint32_t[3]){x, 0, 0});
    }
#if defined(__x86_64__)
    _mm_setcsr(mode);
#endif
    s->in_flight = true;
    return ASSAY_OK;
}

static enum assay_status wait_done(struct assay_device *device, uint64_t timeout_ns, uint64_t *device_ns,
                                   struct assay_error *error)
{
    struct simulated *s = (struct simulated *)device;
    (void)timeout_ns;
    if (device_ns) *device_ns = 0;
    if (!s->in_flight) return assay_error_set(error, ASSAY_INVALID_INPUT, "simulated: nothing in flight");
    s->in_flight = false;
    return ASSAY_OK;
}

static const struct assay_backend backend = {
    .name = "cpu",
    .close = close_device,
    .buffer_create = buffer_create,
    .buffer_destroy = buffer_destroy,
    .write = write_buffer,
    .read = read_buffer,
    .program_create = program_create,
    .program_destroy = program_destroy,
    .submit = submit,
    .wait = wait_done,
};

struct assay_device *simulated_open(enum simulated_fault fault)
{
    struct simulated *s = calloc(1, sizeof *s);
    if (!s) abort();
    s->fault = fault;
    s->base.backend = &backend;
    s->base.info = (struct assay_device_info){.backend = "cpu", .name = "simulated", .usable = true};
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) s->base.info.simd = ASSAY_SIMD_AVX2;
    return &s->base;
}
