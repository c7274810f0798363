/* libassay's handle: an open device with its measured arithmetic, and the memory that belongs to it.
 *
 * Which kernel runs and how is run.c's business. Knows no operator. */
#include "kernels/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- open and close ---- */

/* Row D10 for a program that names no device: cards before software before the CPU, discrete before integrated, the card
 * with more memory first, a card through CUDA before the same through Vulkan. Higher is better; -1 = never. */
static int kind_rank(const struct assay_device_info *info, bool allow_software)
{
    static const int by_kind[] = {
        [ASSAY_KIND_OTHER] = 2,   [ASSAY_KIND_INTEGRATED] = 4, [ASSAY_KIND_DISCRETE] = 5,
        [ASSAY_KIND_VIRTUAL] = 3, [ASSAY_KIND_CPU] = 1,        [ASSAY_KIND_REMOTE] = -1,
    };
    if (info->duplicate || !(info->software ? allow_software : info->usable)) return -1;
    if (strcmp(info->backend, "cpu") == 0) return 1;
    return info->software ? 0 : by_kind[info->kind];
}

/* Backends count a card's memory in ways of their own: a card has the most that one of them says. */
static uint64_t card_bytes(const struct assay_device_list *list, const struct assay_device_info *info)
{
    uint64_t bytes = info->device_local_bytes;
    for (size_t i = 0; *info->pci && i < list->count; i++)
        if (strcmp(list->device[i].pci, info->pci) == 0 && list->device[i].device_local_bytes > bytes)
            bytes = list->device[i].device_local_bytes;
    return bytes;
}

static bool preferred(const struct assay_device_list *list, const struct assay_device_info *a,
                      const struct assay_device_info *b, bool allow_software)
{
    const int rank_a = kind_rank(a, allow_software), rank_b = kind_rank(b, allow_software);
    const uint64_t bytes_a = card_bytes(list, a), bytes_b = card_bytes(list, b);
    if (rank_a != rank_b) return rank_a > rank_b;
    if (bytes_a != bytes_b) return bytes_a > bytes_b;
    return strcmp(a->backend, "cuda") == 0 && strcmp(b->backend, "cuda") != 0;
}

static enum assay_status pick_device(const struct assay_open_params *params,
                                     const struct assay_device_list *list,
                                     const struct assay_device_info **info, struct assay_error *error)
{
    *info = NULL;
    if (params->device) return assay_device_find(list, params->device, info, error);
    for (size_t i = 0; i < list->count; i++) {
        const struct assay_device_info *device = &list->device[i];
        if (kind_rank(device, params->allow_software) < 0) continue;
        if (!*info || preferred(list, device, *info, params->allow_software)) *info = device;
    }
    return *info ? ASSAY_OK
                 : assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED,
                                   "none of the %zu devices of this machine is usable", list->count);
}

static enum assay_status make_rows(struct assay_engine *engine, struct assay_error *error)
{
    const struct assay_device_info *info = &engine->device->info;
    size_t all = 0;
    for (size_t f = 0; f < assay_kernel_family_count; f++) all += assay_kernel_families[f]->count;
    engine->rows = calloc(all ? all : 1, sizeof *engine->rows);
    if (!engine->rows)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for %zu kernel rows", all);
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *kernel = &assay_kernel_families[f]->rows[i];
            if (strcmp(kernel->backend, info->backend) != 0) continue;
            struct engine_row *row = &engine->rows[engine->row_count++];
            row->kernel = kernel;
            char why[160] = "";
            row->present = kernel->present(info, why);
            if (!row->present) snprintf(row->why, sizeof row->why, "%s", why);
        }
    return ASSAY_OK;
}

enum assay_status assay_open(const struct assay_open_params *params, struct assay_engine **out,
                             struct assay_error *error)
{
    static const struct assay_open_params defaults;
    static const struct assay_driver_params driver_defaults;
    if (!params) params = &defaults;
    const struct assay_driver_params *driver = params->driver ? params->driver : &driver_defaults;
    const struct assay_device_info *info = NULL;
    struct assay_engine *engine = NULL;
    struct assay_device_list *list = NULL;
    enum assay_status status = ASSAY_OK;
    struct assay_trust_record record = {0};
    char label[24];
    *out = NULL;
    if ((unsigned)params->variant >= ASSAY_VARIANT_COUNT)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "there is no fused multiply-add variant %d",
                               (int)params->variant);

    list = calloc(1, sizeof *list);
    engine = calloc(1, sizeof *engine);
    if (!list || !engine) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for an engine (%zu bytes)",
                                 sizeof *list + sizeof *engine);
        goto out;
    }
    /* A lowered storage-binding limit is for kernels: the arithmetic is measured without it. */
    struct assay_driver_params whole = *driver;
    whole.max_binding_bytes = 0;
    assay_discover(&whole, NULL, list);
    if ((status = pick_device(params, list, &info, error)) != ASSAY_OK) goto out;
    assay_device_label(info, label);
    if (info->software && !params->allow_software) {
        status = assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED,
                                 "device %s %s is a software renderer: refused unless software is allowed",
                                 label, info->name);
        goto out;
    }
    if (!info->usable && !info->software) {
        status = assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "device %s %s is not usable: %s", label,
                                 info->name, info->why);
        goto out;
    }
    if (params->require_trust && (status = engine_trust_check(params, info, &record, error)) != ASSAY_OK)
        goto out;
    if ((status = assay_device_open(&whole, info, &engine->device, error)) != ASSAY_OK) goto out;
    if ((status = assay_traits_measure(engine->device, &engine->traits, error)) != ASSAY_OK) goto out;
    status = assay_exact_choose(engine->device, &engine->traits, params->variant, &engine->variant,
                                &engine->controls, engine->why, error);
    if (status != ASSAY_OK) goto out;
    struct assay_limits *limits = &engine->device->info.limits;
    if (driver->max_binding_bytes && driver->max_binding_bytes < limits->binding_bytes)
        limits->binding_bytes = driver->max_binding_bytes;
    engine->variant_forced = params->variant != ASSAY_VARIANT_AUTO;
    status = make_rows(engine, error);
    if (status == ASSAY_OK && params->require_trust) status = engine_trust_apply(engine, &record, error);
out:
    assay_trust_free(&record);
    free(list);
    if (status == ASSAY_OK)
        *out = engine;
    else
        assay_close(engine);
    return status;
}

void assay_close(struct assay_engine *engine)
{
    if (!engine) return;
    assay_meter_close(engine->meter);
    assay_device_close(engine->device); /* waits for what is in flight, releases programs and buffers */
    free(engine->parts);
    free(engine->programs);
    free(engine->buffers);
    free(engine->rows);
    free(engine);
}

const struct assay_device_info *assay_engine_device(const struct assay_engine *engine)
{
    return &engine->device->info;
}

enum assay_status engine_ready(struct assay_engine *engine, const char *act, uint64_t timeout_ns,
                               struct assay_error *error)
{
    char label[24];
    assay_device_label(&engine->device->info, label);
    if (engine->device->lost)
        return assay_error_set(error, ASSAY_DEVICE_LOST, "%s: %s after the device was lost; open it anew",
                               label, act);
    if (engine->started.active)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s: submission already in flight", label,
                               act);
    if (!engine->in_flight) return ASSAY_OK;
    enum assay_status status = engine->device->backend->wait(engine->device, timeout_ns, NULL, error);
    if (status == ASSAY_TIMEOUT)
        return assay_error_set(error, ASSAY_TIMEOUT, "%s: %s while an earlier run is still on the device",
                               label, act);
    engine->in_flight = false;
    engine_parts_free(engine);
    return status;
}

/* ---- memory ---- */

const struct engine_buffer *engine_buffer_find(const struct assay_engine *engine,
                                               const struct assay_buffer *buffer)
{
    for (size_t i = 0; i < engine->buffer_count; i++)
        if (engine->buffers[i].buffer == buffer) return &engine->buffers[i];
    return NULL;
}

enum assay_status assay_alloc(struct assay_engine *engine, uint64_t bytes, struct assay_buffer **out,
                              struct assay_error *error)
{
    *out = NULL;
    enum assay_status status = engine_ready(engine, "allocation", 0, error);
    if (status != ASSAY_OK) return status;
    const struct assay_device *device = engine->device;
    char label[24];
    if (bytes < 4) bytes = 4;
    if (device->info.limits.allocation_bytes && bytes > device->info.limits.allocation_bytes)
        return assay_error_set(
            error, ASSAY_UNSUPPORTED, "%s: an allocation of %" PRIu64 " bytes is above the limit of %" PRIu64,
            assay_device_label(&device->info, label), bytes, device->info.limits.allocation_bytes);
    if (engine->buffer_count == engine->buffer_cap) {
        size_t cap = engine->buffer_cap ? 2 * engine->buffer_cap : 16;
        struct engine_buffer *more = realloc(engine->buffers, cap * sizeof *more);
        if (!more)
            return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory to list %zu buffers", cap);
        engine->buffers = more;
        engine->buffer_cap = cap;
    }
    status = device->backend->buffer_create(engine->device, bytes, out, error);
    if (status == ASSAY_OK) engine->buffers[engine->buffer_count++] = (struct engine_buffer){*out, bytes};
    return status;
}

void assay_free(struct assay_engine *engine, struct assay_buffer *buffer)
{
    if (!buffer) return;
    for (size_t i = 0; i < engine->buffer_count; i++) {
        if (engine->buffers[i].buffer != buffer) continue;
        if (engine->started.running) (void)engine_settle(engine, 0, NULL);
        if (engine->in_flight) (void)engine_ready(engine, "free", 0, NULL);
        engine->buffers[i] = engine->buffers[--engine->buffer_count];
        engine->device->backend->buffer_destroy(engine->device, buffer);
        return;
    }
}

/* Row D15's care for copies: the handle is ready, the buffer is ours, the range lies inside. */
static enum assay_status check_copy(struct assay_engine *engine, const struct assay_buffer *buffer,
                                    uint64_t offset_bytes, uint64_t bytes, const char *act,
                                    struct assay_error *error)
{
    enum assay_status status = engine_ready(engine, act, 0, error);
    if (status != ASSAY_OK) return status;
    char label[24];
    assay_device_label(&engine->device->info, label);
    const struct engine_buffer *live = engine_buffer_find(engine, buffer);
    if (!live)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s of a buffer that is not this engine's",
                               label, act);
    if (offset_bytes > live->bytes || bytes > live->bytes - offset_bytes)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: %s of %" PRIu64 " bytes at %" PRIu64
                               " runs past the end of a buffer of %" PRIu64 " bytes",
                               label, act, bytes, offset_bytes, live->bytes);
    return ASSAY_OK;
}

enum assay_status assay_upload(struct assay_engine *engine, struct assay_buffer *buffer,
                               uint64_t offset_bytes, const void *data, uint64_t bytes,
                               struct assay_error *error)
{
    enum assay_status status = check_copy(engine, buffer, offset_bytes, bytes, "upload", error);
    if (status != ASSAY_OK || !bytes) return status;
    return engine->device->backend->write(engine->device, buffer, offset_bytes, data, bytes, error);
}

enum assay_status assay_download(struct assay_engine *engine, struct assay_buffer *buffer,
                                 uint64_t offset_bytes, void *data, uint64_t bytes, struct assay_error *error)
{
    enum assay_status status = check_copy(engine, buffer, offset_bytes, bytes, "download", error);
    if (status != ASSAY_OK || !bytes) return status;
    return engine->device->backend->read(engine->device, buffer, offset_bytes, data, bytes, error);
}
