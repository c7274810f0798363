/* Our own engine behind harness/adapter.h: the only file of the harness that sees libassay.
 *
 * It moves bytes and words between the two interfaces and judges nothing. Device memory is kept from case to case, one
 * buffer a tensor slot that only grows, so that a thousand small cases do not allocate a thousand times. */
#include "harness/adapter.h"
#include "harness/clock.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "build/gen/version.h"
#include "devices/device.h"
#include "kernels/kernel.h"

enum { SLOTS = ASSAY_INPUTS_MAX + ASSAY_OUTPUTS_MAX };

struct session {
    struct assay_engine *engine;
    struct assay_card_lock *lock;
    char *lock_dir; /* NULL = the library's default */
    struct assay_watch *watch;
    bool watched;    /* watch was opened, or there is none */
    uint64_t copies; /* between host and device so far */
    struct {
        struct assay_buffer *buffer;
        uint64_t bytes;
    } slot[SLOTS]; /* inputs, then outputs from ASSAY_INPUTS_MAX */
};

static struct assay_driver_params driver_params(const struct adapter_options *options)
{
    return (struct assay_driver_params){
        .vulkan_lib = options->vulkan_lib,
        .cuda_lib = options->cuda_lib,
        .max_binding_bytes = options->max_binding_bytes,
        .cpu_threads = options->cpu_threads,
        .vulkan_staging = options->vulkan_staging,
        .no_cpu_simd = options->no_cpu_simd,
        .sysfs_root = options->sysfs_root,
    };
}

/* ---- describe ---- */

/* A row, and whether any device of its backend can have it. */
static json_t *kernel_json(const struct assay_kernel *kernel, const struct assay_device_list *list)
{
    char name[64], why[160] = "", reason[160];
    bool present = false;
    snprintf(why, sizeof why, "no usable %s device on this machine", kernel->backend);
    for (size_t i = 0; i < list->count && !present; i++) {
        const struct assay_device_info *info = &list->device[i];
        if (!(info->usable || info->software) || strcmp(info->backend, kernel->backend) != 0) continue;
        reason[0] = '\0';
        present = kernel->present(info, reason);
        snprintf(why, sizeof why, "%s", reason);
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:s}", "name", assay_kernel_name(kernel, name),
                     "op", kernel->op, "backend", kernel->backend, "technique", kernel->technique, "mode",
                     assay_mode_name(kernel->mode), "dtype", assay_dtype_name(kernel->dtype), "present",
                     present, "why", present ? "" : why);
}

static enum assay_status engine_describe(const struct adapter_options *options, char **json,
                                         struct assay_error *error)
{
    struct assay_driver_params params = driver_params(options);
    struct assay_device_list *list = calloc(1, sizeof *list);
    json_t *root = NULL, *kernels = json_array();
    char *devices = NULL;
    enum assay_status status = ASSAY_OK;
    *json = NULL;
    if (list) {
        assay_discover(&params, NULL, list);
        if (options->rented) status = assay_rented_read(options->rented, list, error);
        devices = assay_devices_json(list);
        root = devices ? json_loads(devices, 0, NULL) : NULL;
    }
    if (root && kernels) {
        for (size_t f = 0; f < assay_kernel_family_count; f++)
            for (size_t i = 0; i < assay_kernel_families[f]->count; i++)
                json_array_append_new(kernels, kernel_json(&assay_kernel_families[f]->rows[i], list));
        json_object_set_new(root, "engine", json_string("assay"));
        json_object_set_new(root, "version", json_string(ASSAY_VERSION));
        json_object_set_new(root, "revision", json_string(ASSAY_BUILD_REVISION));
        json_object_set_new(root, "cuda_compiler", json_string(ASSAY_BUILD_CUDA));
        json_object_set(root, "kernels", kernels);
        *json = json_dumps(root, JSON_INDENT(2));
    }
    json_decref(kernels);
    json_decref(root);
    free(devices);
    free(list);
    if (status != ASSAY_OK) {
        free(*json);
        *json = NULL;
        return status;
    }
    return *json ? ASSAY_OK : assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to describe the engine");
}

static void release(char *json)
{
    free(json);
}

/* ---- sessions ---- */

static void session_close(void *opaque)
{
    struct session *session = opaque;
    if (!session) return;
    assay_watch_close(session->watch);
    assay_close(session->engine);
    assay_card_lock_release(session->lock);
    free(session->lock_dir);
    free(session);
}

static enum assay_status session_open(const struct adapter_options *options, const char *device, void **out,
                                      struct assay_error *error)
{
    struct assay_driver_params driver = driver_params(options);
    enum assay_variant variant =
        options->variant ? assay_variant_parse(options->variant) : ASSAY_VARIANT_AUTO;
    *out = NULL;
    if (variant == ASSAY_VARIANT_COUNT)
        return assay_error_set(
            error, ASSAY_INVALID_INPUT,
            "'%.60s' is no variant of the fused multiply-add; there are auto, native, contract, "
            "guarded, emulated and integer",
            options->variant);
    struct session *session = calloc(1, sizeof *session);
    if (!session)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a session on %.60s", device);
    if (options->lock_dir && !(session->lock_dir = strdup(options->lock_dir))) {
        session_close(session);
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a session on %.60s", device);
    }
    const struct assay_open_params params = {
        .device = device, .driver = &driver, .variant = variant, .allow_software = options->allow_software};
    enum assay_status status = assay_open(&params, &session->engine, error);
    if (status == ASSAY_OK)
        *out = session;
    else
        session_close(session);
    return status;
}

static enum assay_status session_probe(void *opaque, char **json, struct assay_error *error)
{
    struct session *session = opaque;
    *json = assay_engine_json(session->engine);
    return *json ? ASSAY_OK
                 : assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to describe an open device");
}

static enum assay_status session_lock(void *opaque, uint64_t timeout_ns, struct assay_error *error)
{
    struct session *session = opaque;
    const char *pci = assay_engine_device(session->engine)->pci;
    uint64_t start = clock_now_ns();
    if (session->lock) return ASSAY_OK;
    for (;;) {
        enum assay_status status = assay_card_lock_take(session->lock_dir, pci, false, &session->lock, error);
        if (status != ASSAY_TIMEOUT || clock_now_ns() - start >= timeout_ns) return status;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

static void session_unlock(void *opaque)
{
    struct session *session = opaque;
    assay_card_lock_release(session->lock);
    session->lock = NULL;
}

/* ---- a node ---- */

/* The technique of a kernel name "family.backend.technique.mode" of this device that computes `op`; technique stays empty
 * for NULL. Techniques of different operators share names, so the operator counts. */
static enum assay_status read_kernel(const struct session *session, const char *kernel, const char *op,
                                     enum assay_mode mode, char technique[64], struct assay_error *error)
{
    const struct assay_device_info *info = assay_engine_device(session->engine);
    char label[24], name[64];
    technique[0] = '\0';
    if (!kernel) return ASSAY_OK;
    for (size_t f = 0; f < assay_kernel_family_count; f++)
        for (size_t i = 0; i < assay_kernel_families[f]->count; i++) {
            const struct assay_kernel *row = &assay_kernel_families[f]->rows[i];
            if (strcmp(assay_kernel_name(row, name), kernel) != 0 ||
                strcmp(row->backend, info->backend) != 0 || row->mode != mode)
                continue;
            if (strcmp(row->op, op) != 0)
                return assay_error_set(error, ASSAY_UNSUPPORTED, "%s computes %s, not %.60s", name, row->op,
                                       op);
            snprintf(technique, 64, "%s", row->technique);
            return ASSAY_OK;
        }
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s has no %s kernel called %.80s",
                           assay_device_label(info, label), assay_mode_name(mode), kernel);
}

static enum assay_status read_node(const struct session *session, const struct adapter_node *node,
                                   const struct adapter_request *request, struct assay_call *call,
                                   struct assay_run_params *params, char technique[64],
                                   struct assay_error *error)
{
    if (node->input_count > ASSAY_INPUTS_MAX || node->output_count > ASSAY_OUTPUTS_MAX)
        return assay_error_set(error, ASSAY_UNSUPPORTED,
                               "%.60s with %zu inputs and %zu outputs: at most %d and %d", node->op,
                               node->input_count, node->output_count, ASSAY_INPUTS_MAX, ASSAY_OUTPUTS_MAX);
    *call = (struct assay_call){.op = node->op,
                                .attrs = node->attr,
                                .attr_count = node->attr_count,
                                .input_count = node->input_count,
                                .output_count = node->output_count};
    *params = (struct assay_run_params){.timeout_ns = request->timeout_ns};
    if (request->mode && strcmp(request->mode, assay_mode_name(ASSAY_FAST)) == 0)
        params->mode = ASSAY_FAST;
    else if (request->mode && strcmp(request->mode, assay_mode_name(ASSAY_EXACT)) != 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "'%.40s' is no mode; there are exact and fast",
                               request->mode);
    for (size_t i = 0; i < node->input_count; i++) call->input[i] = node->input[i];
    for (size_t i = 0; i < node->output_count; i++) call->output[i] = node->output[i];
    enum assay_status status =
        read_kernel(session, request->kernel, node->op, params->mode, technique, error);
    if (technique[0]) params->technique = technique;
    return status;
}

static enum assay_status session_supports(void *opaque, const struct adapter_node *node,
                                          const struct adapter_request *request, struct assay_error *error)
{
    struct session *session = opaque;
    struct assay_call call = {0};
    struct assay_run_params params;
    char technique[64];
    enum assay_status status = read_node(session, node, request, &call, &params, technique, error);
    return status == ASSAY_OK ? assay_supports(session->engine, &call, &params, error) : status;
}

/* The bytes of the next copy: 1, 3, 5, 9, 17, ... up to `piece` and again from 1, or all at once. */
static uint64_t next_piece(uint64_t piece, uint32_t *step, uint64_t left)
{
    uint64_t bytes = *step ? (UINT64_C(1) << *step) + 1 : 1;
    if (!piece) return left;
    ++*step;
    if (bytes > piece) {
        bytes = 1;
        *step = 1;
    }
    return bytes < left ? bytes : left;
}

static uint64_t piece_of(const struct adapter_node *node)
{
    for (size_t i = 0; i < node->attr_count; i++)
        if (node->attr[i].kind == ASSAY_ATTR_INT && strcmp(node->attr[i].name, "piece") == 0)
            return node->attr[i].i > 0 ? (uint64_t)node->attr[i].i : 0;
    return 0;
}

static enum assay_status copy_in(struct session *session, struct assay_buffer *buffer, const void *data,
                                 uint64_t bytes, uint64_t piece, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    uint32_t step = 0;
    for (uint64_t at = 0, here; at < bytes && status == ASSAY_OK; at += here) {
        here = next_piece(piece, &step, bytes - at);
        status = assay_upload(session->engine, buffer, at, (const char *)data + at, here, error);
    }
    return status;
}

static enum assay_status copy_out(struct session *session, struct assay_buffer *buffer, void *data,
                                  uint64_t bytes, uint64_t piece, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    uint32_t step = 0;
    for (uint64_t at = 0, here; at < bytes && status == ASSAY_OK; at += here) {
        here = next_piece(piece, &step, bytes - at);
        status = assay_download(session->engine, buffer, at, (char *)data + at, here, error);
    }
    return status;
}

/* The tensor's memory on the device, uploaded if wanted, or if there was none of that size. What it took joins `reply`. */
static enum assay_status slot_fill(struct session *session, size_t slot, struct assay_tensor *tensor,
                                   bool upload, uint64_t piece, struct adapter_reply *reply,
                                   struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    const void *data = tensor->data;
    if (session->slot[slot].bytes < tensor->bytes || !session->slot[slot].buffer) {
        assay_free(session->engine, session->slot[slot].buffer);
        session->slot[slot].buffer = NULL;
        session->slot[slot].bytes = 0;
        status = assay_alloc(session->engine, tensor->bytes, &session->slot[slot].buffer, error);
        if (status != ASSAY_OK) return status;
        session->slot[slot].bytes = tensor->bytes;
        upload = true;
    }
    tensor->buffer = session->slot[slot].buffer;
    tensor->data = NULL;
    if (!upload) return ASSAY_OK;
    session->copies++;
    const uint64_t start_ns = clock_now_ns();
    status = copy_in(session, tensor->buffer, data, tensor->bytes, piece, error);
    reply->upload_ns += clock_now_ns() - start_ns;
    reply->upload_bytes += tensor->bytes;
    return status;
}

/* The name of the code that ran; CUDA code that clang compiled as a check says so. */
static void hash_text(const struct session *session, uint64_t hash, char text[33])
{
    const char *backend = assay_engine_device(session->engine)->backend;
    const bool check_only = strcmp(backend, "cuda") == 0 && strncmp(ASSAY_BUILD_CUDA, "clang", 5) == 0;
    snprintf(text, 33, "%s%016" PRIx64, check_only ? "clang-" : "", hash);
}

static enum assay_status download(struct session *session, const struct assay_tensor *from,
                                  const struct assay_tensor *to, size_t count, uint64_t piece,
                                  struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; i < count && status == ASSAY_OK; i++) {
        session->copies++;
        status = copy_out(session, from[i].buffer, to[i].data, to[i].bytes, piece, error);
    }
    return status;
}

static enum assay_status session_run(void *opaque, const struct adapter_node *node,
                                     const struct adapter_request *request, struct adapter_reply *reply,
                                     struct assay_error *error)
{
    struct session *session = opaque;
    struct assay_call call = {0};
    struct assay_run_params params;
    struct assay_run_report report;
    char technique[64];
    const uint64_t piece = piece_of(node);
    enum assay_status status = read_node(session, node, request, &call, &params, technique, error);
    if (status == ASSAY_OK) status = assay_supports(session->engine, &call, &params, error);
    reply->upload_bytes = reply->upload_ns = reply->download_bytes = reply->download_ns = 0;
    for (size_t i = 0; i < call.input_count && status == ASSAY_OK; i++)
        status = slot_fill(session, i, &call.input[i], true, piece, reply, error);
    for (size_t i = 0; i < call.output_count && status == ASSAY_OK; i++)
        status = slot_fill(session, ASSAY_INPUTS_MAX + i, &call.output[i], true, piece, reply, error);
    if (status != ASSAY_OK) return status;

    status = assay_run(session->engine, &call, &params, &report, error);
    snprintf(reply->kernel, sizeof reply->kernel, "%s", report.kernel);
    hash_text(session, report.kernel_hash, reply->kernel_hash);
    snprintf(reply->variant, sizeof reply->variant, "%s", report.variant);
    reply->samples = 0;
    reply->swept_bytes = report.part_bytes;
    const uint64_t start_ns = clock_now_ns();
    if (status == ASSAY_OK)
        status = download(session, call.input, node->input, call.input_count, piece, error);
    if (status == ASSAY_OK)
        status = download(session, call.output, node->output, call.output_count, piece, error);
    reply->download_ns = clock_now_ns() - start_ns;
    for (size_t i = 0; i < call.input_count; i++) reply->download_bytes += call.input[i].bytes;
    for (size_t i = 0; i < call.output_count; i++) reply->download_bytes += call.output[i].bytes;
    uint32_t samples = request->samples < ADAPTER_SAMPLES_MAX ? request->samples : ADAPTER_SAMPLES_MAX;
    for (uint32_t s = 0; s < samples && status == ASSAY_OK; s++) {
        status = assay_run(session->engine, &call, &params, &report, error);
        if (status == ASSAY_OK) reply->sample_ns[reply->samples++] = report.device_ns;
    }
    return status;
}

/* ---- measuring ---- */

static enum assay_status session_sample(void *opaque, const struct adapter_node *node,
                                        const struct adapter_sample_request *request,
                                        struct adapter_sample_reply *reply, struct assay_error *error)
{
    struct session *session = opaque;
    struct assay_call call = {0};
    struct assay_run_params params;
    struct assay_run_report report;
    struct assay_vitals before, after;
    struct adapter_reply copied = {0};
    const struct adapter_request plain = {
        .kernel = request->kernel, .mode = request->mode, .timeout_ns = request->timeout_ns};
    char technique[64];
    enum assay_status status = read_node(session, node, &plain, &call, &params, technique, error);
    if (status == ASSAY_OK) status = assay_supports(session->engine, &call, &params, error);
    for (size_t i = 0; i < call.input_count && status == ASSAY_OK; i++)
        status = slot_fill(session, i, &call.input[i], request->upload, 0, &copied, error);
    for (size_t i = 0; i < call.output_count && status == ASSAY_OK; i++)
        status = slot_fill(session, ASSAY_INPUTS_MAX + i, &call.output[i], true, 0, &copied, error);
    if (status != ASSAY_OK) return status;

    params.repeat = request->calls;
    params.lead = request->cold ? ASSAY_LEAD_FLUSH : ASSAY_LEAD_ONCE;
    params.untimed = request->untimed;
    if (!session->watched)
        session->watch =
            assay_watch_open(&(struct assay_driver_params){0}, assay_engine_device(session->engine));
    session->watched = true;
    assay_watch_read(session->watch, &before);
    const uint64_t copies = session->copies, begin_ns = clock_now_ns();
    status = assay_run(session->engine, &call, &params, &report, error);
    const uint64_t wall_ns = clock_now_ns() - begin_ns;
    reply->transfers = session->copies - copies;
    assay_watch_read(session->watch, &after);
    snprintf(reply->kernel, sizeof reply->kernel, "%s", report.kernel);
    hash_text(session, report.kernel_hash, reply->kernel_hash);
    snprintf(reply->variant, sizeof reply->variant, "%s", report.variant);
    reply->ns = (double)report.device_ns;
    reply->dispatches = report.dispatches;
    reply->wall_ns = (double)wall_ns;
    reply->record_ns = (double)report.record_ns;
    reply->submit_ns = (double)report.submit_ns;
    reply->other_ns = (double)report.other_ns;
    reply->clock_before_mhz = before.clock_mhz;
    reply->clock_after_mhz = after.clock_mhz;
    reply->temperature_c = after.temperature_c;
    reply->power_w = after.power_w;
    reply->throttle = before.throttle < 0 || after.throttle < 0 ? -1 : before.throttle | after.throttle;
    return status == ASSAY_OK ? download(session, call.output, node->output, call.output_count, 0, error)
                              : status;
}

static enum assay_status session_measure(void *opaque, char **json, struct assay_error *error)
{
    struct session *session = opaque;
    struct assay_ceiling ceiling[ASSAY_CEILINGS_MAX];
    size_t count = 0;
    *json = NULL;
    enum assay_status status = assay_measure(session->engine, ceiling, &count, error);
    if (status != ASSAY_OK) return status;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:f}", "name", ceiling[i].name, "unit",
                                              ceiling[i].unit, "value", ceiling[i].value));
    json_t *root = json_pack("{s:o}", "ceilings", list);
    *json = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return *json ? ASSAY_OK : assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for what was measured");
}

const struct adapter adapter_assay = {
    .abi = ASSAY_ADAPTER_ABI,
    .engine = "assay",
    .version = ASSAY_VERSION,
    .describe = engine_describe,
    .open = session_open,
    .probe = session_probe,
    .supports = session_supports,
    .run = session_run,
    .release = release,
    .close = session_close,
    .lock = session_lock,
    .unlock = session_unlock,
    .size = sizeof(struct adapter),
    .sample = session_sample,
    .measure = session_measure,
};
