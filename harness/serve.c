/* The process' side of a worker: load an engine, open one device, run nodes in the shared memory, answer.
 *
 * It judges nothing and trusts its parent, but checks every range, since a mistake here would look like the engine's. */
#include "harness/engine_load.h"
#include "harness/worker.h"
#include "harness/worker_wire.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

struct server {
    int socket, memory;
    uint8_t *map;
    uint64_t map_bytes;
    const struct adapter *adapter;
    struct adapter_options options;
    Assay__Request *settings; /* owns the strings of options */
    void *session;
};

/* What one answer is made of; json is the engine's, to be released after sending. */
struct answer {
    char *json;
    struct adapter_reply reply;
    bool sampled;
    struct adapter_sample_reply sample;
};

static const char *given(const char *text)
{
    return *text ? text : NULL;
}

static enum assay_status load(struct server *server, Assay__Request *request, struct assay_error *error)
{
    const Assay__Settings *settings = request->settings;
    enum assay_status status = engine_load(given(settings->engine), &server->adapter, error);
    if (status != ASSAY_OK) return status;
    server->options = (struct adapter_options){
        .size = sizeof server->options,
        .vulkan_lib = given(settings->vulkan_lib),
        .cuda_lib = given(settings->cuda_lib),
        .max_binding_bytes = settings->max_binding_bytes,
        .cpu_threads = settings->cpu_threads,
        .vulkan_staging = settings->vulkan_staging,
        .no_cpu_simd = settings->no_cpu_simd,
        .allow_software = settings->allow_software,
        .variant = given(settings->variant),
        .engine_args = given(settings->engine_args),
        .lock_dir = given(settings->lock_dir),
        .sysfs_root = given(settings->sysfs_root),
        .rented = given(settings->rented),
    };
    server->settings = request;
    return ASSAY_OK;
}

static enum assay_status get_tensor(const struct server *server, const Assay__Tensor *message,
                                    struct assay_tensor *tensor, struct assay_error *error)
{
    *tensor = (struct assay_tensor){.dtype = (enum assay_dtype)message->dtype,
                                    .rank = (uint32_t)message->n_shape,
                                    .offset = message->offset,
                                    .bytes = message->memory_bytes};
    if (message->n_shape > ASSAY_RANK_MAX || message->n_stride != message->n_shape ||
        message->memory_offset > server->map_bytes ||
        message->memory_bytes > server->map_bytes - message->memory_offset)
        return assay_error_set(error, ASSAY_INTERNAL,
                               "a tensor of the request lies outside the shared memory");
    for (uint32_t at = 0; at < tensor->rank; at++) {
        tensor->shape[at] = message->shape[at];
        tensor->stride[at] = message->stride[at];
    }
    tensor->data = server->map + message->memory_offset;
    return ASSAY_OK;
}

static enum assay_status map_memory(struct server *server, uint64_t bytes, struct assay_error *error)
{
    if (bytes == server->map_bytes) return ASSAY_OK;
    if (server->map) munmap(server->map, server->map_bytes);
    server->map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, server->memory, 0);
    server->map_bytes = bytes;
    if (server->map != MAP_FAILED) return ASSAY_OK;
    server->map = NULL;
    server->map_bytes = 0;
    return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "the worker cannot map %llu bytes",
                           (unsigned long long)bytes);
}

static bool say_started(const struct server *server)
{
    Assay__Reply reply = ASSAY__REPLY__INIT;
    reply.started = true;
    return wire_send(server->socket, &reply.base);
}

/* A node as the request has it; attributes and tensors in memory of the caller. */
struct call_node {
    struct adapter_node node;
    struct assay_tensor input[8], output[8];
    struct assay_attr attr[16];
};

static enum assay_status get_node(struct server *server, const Assay__Call *call, struct call_node *got,
                                  struct assay_error *error)
{
    const Assay__Node *message = call ? call->node : NULL;
    struct adapter_node *node = &got->node;
    *got = (struct call_node){
        .node = {.size = sizeof got->node, .attr = got->attr, .input = got->input, .output = got->output}};
    if (!server->session) return assay_error_set(error, ASSAY_INTERNAL, "no device is open in the worker");
    if (!message || message->n_input > 8 || message->n_output > 8 || message->n_attribute > 16)
        return assay_error_set(error, ASSAY_INTERNAL, "the request's node is malformed");
    enum assay_status status = map_memory(server, call->shared_bytes, error);
    node->op = message->op;
    for (size_t at = 0; at < message->n_attribute; at++)
        got->attr[node->attr_count++] = (struct assay_attr){.name = message->attribute[at]->name,
                                                            .kind = message->attribute[at]->kind,
                                                            .i = message->attribute[at]->int_value,
                                                            .f = message->attribute[at]->float_value,
                                                            .s = message->attribute[at]->string_value};
    for (size_t at = 0; status == ASSAY_OK && at < message->n_input; at++)
        status = get_tensor(server, message->input[at], &got->input[node->input_count++], error);
    for (size_t at = 0; status == ASSAY_OK && at < message->n_output; at++)
        status = get_tensor(server, message->output[at], &got->output[node->output_count++], error);
    return status;
}

/* The card to ourselves, and the parent knows. Ends with give_card. */
static enum assay_status take_card(struct server *server, struct assay_error *error)
{
    if (server->adapter->lock) {
        enum assay_status status = server->adapter->lock(server->session, 600 * UINT64_C(1000000000), error);
        if (status == ASSAY_TIMEOUT)
            return assay_error_set(error, ASSAY_DEVICE_FAILURE,
                                   "the card is busy: another program holds its lock");
        if (status != ASSAY_OK) return status;
    }
    if (say_started(server)) return ASSAY_OK;
    if (server->adapter->lock && server->adapter->unlock) server->adapter->unlock(server->session);
    return ASSAY_IO;
}

static void give_card(struct server *server)
{
    if (server->adapter->lock && server->adapter->unlock) server->adapter->unlock(server->session);
}

static enum assay_status serve_call(struct server *server, const Assay__Call *call, struct answer *answer,
                                    struct assay_error *error)
{
    struct call_node got;
    struct adapter_request request = {.size = sizeof request,
                                      .kernel = given(call->kernel),
                                      .mode = call->mode,
                                      .samples = call->samples,
                                      .timeout_ns = call->timeout_ns};
    enum assay_status status = get_node(server, call, &got, error);
    if (status != ASSAY_OK) return status;
    if (!call->run) return server->adapter->supports(server->session, &got.node, &request, error);
    if ((status = take_card(server, error)) != ASSAY_OK) return status;
    answer->reply.size = sizeof answer->reply;
    status = server->adapter->run(server->session, &got.node, &request, &answer->reply, error);
    give_card(server);
    return status;
}

static enum assay_status serve_sample(struct server *server, const Assay__Sample *sample,
                                      struct answer *answer, struct assay_error *error)
{
    struct call_node got;
    const Assay__Call *call = sample->call;
    struct adapter_sample_reply *reply = &answer->sample;
    enum assay_status status = get_node(server, call, &got, error);
    if (status != ASSAY_OK) return status;
    if (!ADAPTER_HAS(server->adapter, sample))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "engine %s has no entry for timed samples",
                               server->adapter->engine);
    const struct adapter_sample_request request = {.size = sizeof request,
                                                   .kernel = given(call->kernel),
                                                   .mode = call->mode,
                                                   .cold = sample->cold,
                                                   .upload = sample->upload,
                                                   .untimed = sample->untimed,
                                                   .calls = sample->calls,
                                                   .timeout_ns = call->timeout_ns};
    *reply = (struct adapter_sample_reply){.size = sizeof *reply,
                                           .clock_before_mhz = -1,
                                           .clock_after_mhz = -1,
                                           .temperature_c = NAN,
                                           .power_w = NAN,
                                           .throttle = -1};
    if ((status = take_card(server, error)) != ASSAY_OK) return status;
    status = server->adapter->sample(server->session, &got.node, &request, reply, error);
    give_card(server);
    answer->sampled = true;
    return status;
}

static enum assay_status serve_measure(struct server *server, struct answer *answer,
                                       struct assay_error *error)
{
    if (!server->session) return assay_error_set(error, ASSAY_INTERNAL, "no device is open in the worker");
    if (!ADAPTER_HAS(server->adapter, measure))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "engine %s does not measure its device",
                               server->adapter->engine);
    enum assay_status status = take_card(server, error);
    if (status != ASSAY_OK) return status;
    status = server->adapter->measure(server->session, &answer->json, error);
    give_card(server);
    return status;
}

static enum assay_status serve_request(struct server *server, Assay__Request *request, struct answer *answer,
                                       struct assay_error *error)
{
    if (request->what_case == ASSAY__REQUEST__WHAT_SETTINGS) {
        if (server->settings)
            return assay_error_set(error, ASSAY_INTERNAL, "the worker has its settings already");
        return load(server, request, error);
    }
    if (!server->settings) return assay_error_set(error, ASSAY_INTERNAL, "the worker has no settings yet");
    switch (request->what_case) {
    case ASSAY__REQUEST__WHAT_DESCRIBE:
        return server->adapter->describe(&server->options, &answer->json, error);
    case ASSAY__REQUEST__WHAT_OPEN:
        if (server->session)
            return assay_error_set(error, ASSAY_INTERNAL, "the worker has a device open already");
        return server->adapter->open(&server->options, request->open, &server->session, error);
    case ASSAY__REQUEST__WHAT_PROBE:
        if (!server->session)
            return assay_error_set(error, ASSAY_INTERNAL, "no device is open in the worker");
        return server->adapter->probe(server->session, &answer->json, error);
    case ASSAY__REQUEST__WHAT_CALL:
        return serve_call(server, request->call, answer, error);
    case ASSAY__REQUEST__WHAT_SAMPLE:
        return serve_sample(server, request->sample, answer, error);
    case ASSAY__REQUEST__WHAT_MEASURE:
        return serve_measure(server, answer, error);
    default:
        return assay_error_set(error, ASSAY_INTERNAL, "the worker does not know this request");
    }
}

static bool send_answer(const struct server *server, enum assay_status status,
                        const struct assay_error *error, const struct answer *answer)
{
    Assay__Reply reply = ASSAY__REPLY__INIT;
    Assay__Sampled sampled = ASSAY__SAMPLED__INIT;
    reply.status = status;
    reply.error = (char *)error->text;
    reply.json = answer->json ? answer->json : (char *)"";
    reply.kernel = (char *)answer->reply.kernel;
    reply.kernel_hash = (char *)answer->reply.kernel_hash;
    reply.variant = (char *)answer->reply.variant;
    reply.n_sample_ns =
        answer->reply.samples < ADAPTER_SAMPLES_MAX ? answer->reply.samples : ADAPTER_SAMPLES_MAX;
    reply.sample_ns = (uint64_t *)answer->reply.sample_ns;
    if (answer->sampled) {
        const struct adapter_sample_reply *sample = &answer->sample;
        sampled.ns = sample->ns;
        sampled.dispatches = sample->dispatches;
        sampled.transfers = sample->transfers;
        sampled.wall_ns = sample->wall_ns;
        sampled.record_ns = sample->record_ns;
        sampled.submit_ns = sample->submit_ns;
        sampled.other_ns = sample->other_ns;
        sampled.clock_before_mhz = sample->clock_before_mhz;
        sampled.clock_after_mhz = sample->clock_after_mhz;
        sampled.temperature_c = sample->temperature_c;
        sampled.power_w = sample->power_w;
        sampled.throttle = sample->throttle;
        reply.sampled = &sampled;
        reply.kernel = (char *)sample->kernel;
        reply.kernel_hash = (char *)sample->kernel_hash;
        reply.variant = (char *)sample->variant;
    }
    reply.swept_bytes = answer->reply.swept_bytes;
    reply.upload_bytes = answer->reply.upload_bytes;
    reply.upload_ns = answer->reply.upload_ns;
    reply.download_bytes = answer->reply.download_bytes;
    reply.download_ns = answer->reply.download_ns;
    return wire_send(server->socket, &reply.base);
}

int worker_serve(int socket, int memory)
{
    struct server server = {.socket = socket, .memory = memory};
    const struct rlimit no_core = {0, 0};
    int code = 0;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core); /* a crash is a result here, not something to debug from a file */
    for (;;) {
        uint8_t *bytes;
        size_t count;
        enum wire_got got = wire_receive(socket, 0, &bytes, &count);
        if (got == WIRE_CLOSED) break;
        Assay__Request *request = got == WIRE_OK ? assay__request__unpack(NULL, count, bytes) : NULL;
        free(bytes);
        if (!request) {
            code = 1;
            break;
        }
        struct assay_error error = {0};
        struct answer answer = {0};
        enum assay_status status = serve_request(&server, request, &answer, &error);
        bool sent = send_answer(&server, status, &error, &answer);
        if (answer.json) server.adapter->release(answer.json);
        if (request != server.settings) assay__request__free_unpacked(request, NULL);
        if (!sent) break;
    }
    if (server.session) server.adapter->close(server.session);
    if (server.map) munmap(server.map, server.map_bytes);
    if (server.settings) assay__request__free_unpacked(server.settings, NULL);
    return code;
}
