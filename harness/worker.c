/* The parent's side of a worker: starting, asking with a deadline, killing, and saying in words how one ended.
 *
 * It knows no case and no oracle. The process' side is serve.c. */
#include "harness/worker.h"
#include "harness/clock.h"
#include "harness/worker_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CARD_WAIT_NS (600 * UINT64_C(1000000000))
#define REAP_WAIT_MS 5000
#define GROW_BYTES   (UINT64_C(1) << 20)

extern char **environ;

struct worker {
    char *engine, *device;
    struct adapter_options options; /* strings owned */
    int socket, memory;
    pid_t pid;
    enum worker_state state;
    uint8_t *map;
    uint64_t map_bytes;
};

static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}
static char *text_of(const char *text)
{
    return text ? (char *)text : (char *)"";
}

/* Wait for the end of the process for a moment; a process stuck in its driver cannot be reaped and is left behind. */
static bool reap(struct worker *worker, int *how)
{
    for (int waited_ms = 0; waited_ms <= REAP_WAIT_MS; waited_ms++) {
        pid_t ended = waitpid(worker->pid, how, WNOHANG);
        if (ended == worker->pid) return true;
        if (ended < 0 && errno != EINTR) return false;
        usleep(1000);
    }
    return false;
}

static void kill_process(struct worker *worker)
{
    int how;
    if (worker->socket >= 0) close(worker->socket);
    worker->socket = -1;
    if (worker->pid > 0) {
        kill(worker->pid, SIGKILL);
        reap(worker, &how);
    }
    worker->pid = -1;
}

static enum assay_status crashed(struct worker *worker, const char *act, struct assay_error *error)
{
    int how = 0;
    bool known = worker->pid > 0 && reap(worker, &how);
    if (known) worker->pid = -1;
    kill_process(worker);
    worker->state = WORKER_CRASHED;
    if (known && WIFSIGNALED(how))
        return assay_error_set(error, ASSAY_IO, "the worker crashed during %s: signal %d (%s)", act,
                               WTERMSIG(how), strsignal(WTERMSIG(how)));
    if (known)
        return assay_error_set(error, ASSAY_IO, "the worker crashed during %s: it exited with status %d", act,
                               WEXITSTATUS(how));
    return assay_error_set(error, ASSAY_IO, "the worker crashed during %s: it closed its connection", act);
}

static enum assay_status hung(struct worker *worker, const char *act, uint64_t timeout_ns,
                              struct assay_error *error)
{
    kill_process(worker);
    worker->state = WORKER_HUNG;
    return assay_error_set(error, ASSAY_TIMEOUT, "no answer to %s within %.1f s: the worker was killed", act,
                           (double)timeout_ns * 1e-9);
}

/* Send a request and take the answer; *reply is freed by the caller. */
static enum assay_status ask(struct worker *worker, Assay__Request *request, const char *act,
                             uint64_t timeout_ns, Assay__Reply **reply, struct assay_error *error)
{
    const bool locks = (request->what_case == ASSAY__REQUEST__WHAT_CALL && request->call->run) ||
                       request->what_case == ASSAY__REQUEST__WHAT_SAMPLE ||
                       request->what_case == ASSAY__REQUEST__WHAT_MEASURE;
    uint64_t deadline_ns = clock_now_ns() + (locks ? CARD_WAIT_NS : timeout_ns);
    *reply = NULL;
    if (worker->state != WORKER_READY)
        return assay_error_set(error, ASSAY_IO, "the worker is gone: it must be started again before %s",
                               act);
    if (!wire_send(worker->socket, &request->base)) return crashed(worker, act, error);
    for (;;) {
        uint8_t *bytes;
        size_t count;
        enum wire_got got = wire_receive(worker->socket, deadline_ns, &bytes, &count);
        if (got == WIRE_TIMEOUT) return hung(worker, act, timeout_ns, error);
        if (got == WIRE_CLOSED) return crashed(worker, act, error);
        if (got == WIRE_OK) {
            *reply = assay__reply__unpack(NULL, count, bytes);
            free(bytes);
        }
        if (!*reply) {
            kill_process(worker);
            worker->state = WORKER_CRASHED;
            return assay_error_set(error, ASSAY_IO, "the worker's answer to %s is malformed: it was killed",
                                   act);
        }
        if (!(*reply)->started) break;
        assay__reply__free_unpacked(*reply, NULL);
        *reply = NULL;
        /* The engine keeps the limit itself where it can: a moment more lets it say so. */
        deadline_ns = clock_now_ns() + timeout_ns + timeout_ns / 4 + UINT64_C(500000000);
    }
    if ((*reply)->status != ASSAY_OK)
        return assay_error_set(error,
                               (*reply)->status < ASSAY_STATUS_COUNT ? (enum assay_status)(*reply)->status
                                                                     : ASSAY_INTERNAL,
                               "%s", (*reply)->error);
    return ASSAY_OK;
}

static enum assay_status ask_plain(struct worker *worker, Assay__Request *request, const char *act,
                                   uint64_t timeout_ns, char **json, struct assay_error *error)
{
    Assay__Reply *reply;
    enum assay_status status = ask(worker, request, act, timeout_ns, &reply, error);
    if (status == ASSAY_OK && json) {
        *json = strdup(reply->json);
        if (!*json) status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: out of memory", act);
    }
    if (reply) assay__reply__free_unpacked(reply, NULL);
    return status;
}

static enum assay_status send_settings(struct worker *worker, struct assay_error *error)
{
    const struct adapter_options *options = &worker->options;
    Assay__Settings settings = ASSAY__SETTINGS__INIT;
    Assay__Request request = ASSAY__REQUEST__INIT;
    settings.engine = text_of(worker->engine);
    settings.vulkan_lib = text_of(options->vulkan_lib);
    settings.cuda_lib = text_of(options->cuda_lib);
    settings.max_binding_bytes = options->max_binding_bytes;
    settings.cpu_threads = options->cpu_threads;
    settings.vulkan_staging = options->vulkan_staging;
    settings.no_cpu_simd = options->no_cpu_simd;
    settings.allow_software = options->allow_software;
    settings.variant = text_of(options->variant);
    settings.engine_args = text_of(options->engine_args);
    settings.lock_dir = text_of(options->lock_dir);
    settings.sysfs_root = text_of(options->sysfs_root);
    settings.rented = text_of(options->rented);
    request.what_case = ASSAY__REQUEST__WHAT_SETTINGS;
    request.settings = &settings;
    return ask_plain(worker, &request, "loading the engine", 60 * UINT64_C(1000000000), NULL, error);
}

static enum assay_status spawn(struct worker *worker, struct assay_error *error)
{
    int pair[2] = {-1, -1};
    char socket_text[16], memory_text[16], parent_text[16];
    char *argv[] = {(char *)"assay", (char *)"worker", socket_text, memory_text, parent_text, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return assay_error_set(error, ASSAY_IO, "cannot make a connection for a worker: %s", strerror(errno));
    snprintf(socket_text, sizeof socket_text, "%d", pair[1]);
    snprintf(memory_text, sizeof memory_text, "%d", worker->memory);
    snprintf(parent_text, sizeof parent_text, "%d", (int)getpid());
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    /* A dup onto itself clears close-on-exec for these two alone. */
    posix_spawn_file_actions_adddup2(&actions, pair[1], pair[1]);
    posix_spawn_file_actions_adddup2(&actions, worker->memory, worker->memory);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, 2, 1); /* an engine that prints must not spoil our output */
    posix_spawnattr_setpgroup(&attributes, 0);        /* Ctrl-C is for the parent */
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int failed = posix_spawn(&worker->pid, "/proc/self/exe", &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(pair[1]);
    if (failed) {
        close(pair[0]);
        worker->pid = -1;
        return assay_error_set(error, ASSAY_IO, "cannot start a worker process: %s", strerror(failed));
    }
    worker->socket = pair[0];
    worker->state = WORKER_READY;
    return send_settings(worker, error);
}

enum assay_status worker_new(const struct worker_params *params, struct worker **out,
                             struct assay_error *error)
{
    *out = NULL;
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot make a worker: out of memory");
    worker->socket = worker->pid = -1;
    worker->state = WORKER_CRASHED;
    worker->options = *params->options;
    worker->engine = copy(params->engine);
    worker->options.vulkan_lib = copy(params->options->vulkan_lib);
    worker->options.cuda_lib = copy(params->options->cuda_lib);
    worker->options.variant = copy(params->options->variant);
    worker->options.engine_args = copy(params->options->engine_args);
    worker->options.lock_dir = copy(params->options->lock_dir);
    worker->options.sysfs_root = copy(params->options->sysfs_root);
    worker->options.rented = copy(params->options->rented);
    worker->memory = memfd_create("assay-case", MFD_CLOEXEC);
    enum assay_status status =
        worker->memory < 0
            ? assay_error_set(error, ASSAY_IO, "cannot make shared memory for a worker: %s", strerror(errno))
            : spawn(worker, error);
    if (status != ASSAY_OK) {
        worker_free(worker);
        return status;
    }
    *out = worker;
    return ASSAY_OK;
}

void worker_free(struct worker *worker)
{
    if (!worker) return;
    kill_process(worker);
    if (worker->map) munmap(worker->map, worker->map_bytes);
    if (worker->memory >= 0) close(worker->memory);
    free(worker->engine);
    free(worker->device);
    free((char *)worker->options.vulkan_lib);
    free((char *)worker->options.cuda_lib);
    free((char *)worker->options.variant);
    free((char *)worker->options.engine_args);
    free((char *)worker->options.lock_dir);
    free((char *)worker->options.sysfs_root);
    free((char *)worker->options.rented);
    free(worker);
}

enum worker_state worker_state(const struct worker *worker)
{
    return worker->state;
}
int worker_pid(const struct worker *worker)
{
    return worker->pid;
}

enum assay_status worker_restart(struct worker *worker, uint64_t timeout_ns, struct assay_error *error)
{
    kill_process(worker);
    enum assay_status status = spawn(worker, error);
    if (status != ASSAY_OK || !worker->device) return status;
    char *device = worker->device;
    worker->device = NULL;
    status = worker_open(worker, device, timeout_ns, error);
    if (!worker->device)
        worker->device = device;
    else
        free(device);
    return status;
}

enum assay_status worker_describe(struct worker *worker, uint64_t timeout_ns, char **json,
                                  struct assay_error *error)
{
    Assay__Request request = ASSAY__REQUEST__INIT;
    request.what_case = ASSAY__REQUEST__WHAT_DESCRIBE;
    request.describe = true;
    return ask_plain(worker, &request, "describing the devices", timeout_ns, json, error);
}

enum assay_status worker_open(struct worker *worker, const char *device, uint64_t timeout_ns,
                              struct assay_error *error)
{
    Assay__Request request = ASSAY__REQUEST__INIT;
    char act[64];
    snprintf(act, sizeof act, "opening %s", device);
    request.what_case = ASSAY__REQUEST__WHAT_OPEN;
    request.open = (char *)device;
    enum assay_status status = ask_plain(worker, &request, act, timeout_ns, NULL, error);
    if (status == ASSAY_OK) {
        free(worker->device);
        worker->device = strdup(device);
        if (!worker->device) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: out of memory", act);
    }
    return status;
}

enum assay_status worker_probe(struct worker *worker, uint64_t timeout_ns, char **json,
                               struct assay_error *error)
{
    Assay__Request request = ASSAY__REQUEST__INIT;
    request.what_case = ASSAY__REQUEST__WHAT_PROBE;
    request.probe = true;
    return ask_plain(worker, &request, "probing the device", timeout_ns, json, error);
}

void *worker_memory(struct worker *worker, uint64_t bytes, struct assay_error *error)
{
    if (bytes <= worker->map_bytes && worker->map) return worker->map;
    /* Growing means new pages for both sides: seldom, then. */
    const uint64_t more = worker->map_bytes + worker->map_bytes / 2;
    uint64_t wanted = ((bytes > more ? bytes : more) + GROW_BYTES - 1) / GROW_BYTES * GROW_BYTES;
    if (wanted == 0) wanted = GROW_BYTES;
    if (ftruncate(worker->memory, (off_t)wanted) != 0) {
        assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot make %llu bytes of shared memory: %s",
                        (unsigned long long)wanted, strerror(errno));
        return NULL;
    }
    void *map = mmap(NULL, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, worker->memory, 0);
    if (map == MAP_FAILED) {
        assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot map %llu bytes of shared memory: %s",
                        (unsigned long long)wanted, strerror(errno));
        return NULL;
    }
    if (worker->map) munmap(worker->map, worker->map_bytes);
    worker->map = map;
    worker->map_bytes = wanted;
    return map;
}

/* ---- calls ---- */

struct call_message {
    Assay__Node node;
    Assay__Call call;
    Assay__Request request;
    Assay__Tensor tensor[16];
    Assay__Tensor *input[8], *output[8];
    Assay__Attribute attribute[16];
    Assay__Attribute *attributes[16];
};

static void put_tensor(const struct worker *worker, const struct assay_tensor *tensor, Assay__Tensor *message)
{
    assay__tensor__init(message);
    message->dtype = tensor->dtype;
    message->n_shape = message->n_stride = tensor->rank;
    message->shape = (int64_t *)tensor->shape;
    message->stride = (int64_t *)tensor->stride;
    message->offset = tensor->offset;
    message->memory_offset = (uint64_t)((uint8_t *)tensor->data - worker->map);
    message->memory_bytes = tensor->bytes;
}

/* Fill message->call; its pointers are the node's and the request's. */
static enum assay_status put_call(const struct worker *worker, const struct adapter_node *node,
                                  const struct adapter_request *request, struct call_message *out,
                                  struct assay_error *error)
{
    if (node->input_count > 8 || node->output_count > 8 || node->attr_count > 16)
        return assay_error_set(error, ASSAY_INTERNAL,
                               "a node of %zu inputs, %zu outputs and %zu attributes is too big",
                               node->input_count, node->output_count, node->attr_count);
    assay__node__init(&out->node);
    assay__call__init(&out->call);
    assay__request__init(&out->request);
    for (size_t at = 0; at < node->attr_count; at++) {
        Assay__Attribute *attribute = out->attributes[at] = &out->attribute[at];
        assay__attribute__init(attribute);
        attribute->name = (char *)node->attr[at].name;
        attribute->kind = node->attr[at].kind;
        attribute->int_value = node->attr[at].i;
        attribute->float_value = node->attr[at].f;
        attribute->string_value = text_of(node->attr[at].s);
    }
    for (size_t at = 0; at < node->input_count; at++)
        put_tensor(worker, &node->input[at], out->input[at] = &out->tensor[at]);
    for (size_t at = 0; at < node->output_count; at++)
        put_tensor(worker, &node->output[at], out->output[at] = &out->tensor[8 + at]);
    out->node.op = (char *)node->op;
    out->node.n_attribute = node->attr_count;
    out->node.attribute = out->attributes;
    out->node.n_input = node->input_count;
    out->node.input = out->input;
    out->node.n_output = node->output_count;
    out->node.output = out->output;
    out->call.node = &out->node;
    out->call.kernel = text_of(request->kernel);
    out->call.mode = text_of(request->mode);
    out->call.samples = request->samples;
    out->call.timeout_ns = request->timeout_ns;
    out->call.shared_bytes = worker->map_bytes;
    return ASSAY_OK;
}

static enum assay_status call_worker(struct worker *worker, const struct adapter_node *node,
                                     const struct adapter_request *request, bool run, Assay__Reply **reply,
                                     struct assay_error *error)
{
    struct call_message message;
    *reply = NULL;
    enum assay_status status = put_call(worker, node, request, &message, error);
    if (status != ASSAY_OK) return status;
    message.call.run = run;
    message.request.what_case = ASSAY__REQUEST__WHAT_CALL;
    message.request.call = &message.call;
    return ask(worker, &message.request, run ? "the case" : "the question whether it takes the case",
               request->timeout_ns, reply, error);
}

enum assay_status worker_supports(struct worker *worker, const struct adapter_node *node,
                                  const struct adapter_request *request, struct assay_error *error)
{
    Assay__Reply *reply;
    enum assay_status status = call_worker(worker, node, request, false, &reply, error);
    if (reply) assay__reply__free_unpacked(reply, NULL);
    return status;
}

enum assay_status worker_run(struct worker *worker, const struct adapter_node *node,
                             const struct adapter_request *request, struct adapter_reply *out,
                             struct assay_error *error)
{
    Assay__Reply *reply;
    enum assay_status status = call_worker(worker, node, request, true, &reply, error);
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    if (reply) {
        snprintf(out->kernel, sizeof out->kernel, "%s", reply->kernel);
        snprintf(out->kernel_hash, sizeof out->kernel_hash, "%s", reply->kernel_hash);
        snprintf(out->variant, sizeof out->variant, "%s", reply->variant);
        for (; out->samples < reply->n_sample_ns && out->samples < ADAPTER_SAMPLES_MAX; out->samples++)
            out->sample_ns[out->samples] = reply->sample_ns[out->samples];
        out->swept_bytes = reply->swept_bytes;
        out->upload_bytes = reply->upload_bytes;
        out->upload_ns = reply->upload_ns;
        out->download_bytes = reply->download_bytes;
        out->download_ns = reply->download_ns;
        assay__reply__free_unpacked(reply, NULL);
    }
    return status;
}

/* ---- bench ---- */

enum assay_status worker_sample(struct worker *worker, const struct adapter_node *node,
                                const struct adapter_sample_request *request,
                                struct adapter_sample_reply *out, struct assay_error *error)
{
    struct call_message message;
    Assay__Sample sample = ASSAY__SAMPLE__INIT;
    Assay__Reply *reply = NULL;
    const struct adapter_request plain = {
        .kernel = request->kernel, .mode = request->mode, .timeout_ns = request->timeout_ns};
    memset(out, 0, sizeof *out);
    out->size = sizeof *out;
    enum assay_status status = put_call(worker, node, &plain, &message, error);
    if (status != ASSAY_OK) return status;
    sample.call = &message.call;
    sample.cold = request->cold;
    sample.upload = request->upload;
    sample.untimed = request->untimed;
    sample.calls = request->calls;
    message.request.what_case = ASSAY__REQUEST__WHAT_SAMPLE;
    message.request.sample = &sample;
    status = ask(worker, &message.request, "a timed run", request->timeout_ns, &reply, error);
    if (!reply) return status;
    snprintf(out->kernel, sizeof out->kernel, "%s", reply->kernel);
    snprintf(out->kernel_hash, sizeof out->kernel_hash, "%s", reply->kernel_hash);
    snprintf(out->variant, sizeof out->variant, "%s", reply->variant);
    const Assay__Sampled *sampled = reply->sampled;
    if (sampled) {
        out->ns = sampled->ns;
        out->dispatches = sampled->dispatches;
        out->transfers = sampled->transfers;
        out->wall_ns = sampled->wall_ns;
        out->record_ns = sampled->record_ns;
        out->submit_ns = sampled->submit_ns;
        out->other_ns = sampled->other_ns;
        out->clock_before_mhz = sampled->clock_before_mhz;
        out->clock_after_mhz = sampled->clock_after_mhz;
        out->temperature_c = sampled->temperature_c;
        out->power_w = sampled->power_w;
        out->throttle = sampled->throttle;
    } else if (status == ASSAY_OK) {
        status = assay_error_set(error, ASSAY_INTERNAL, "the worker answered a timed run without a time");
    }
    assay__reply__free_unpacked(reply, NULL);
    return status;
}

enum assay_status worker_measure(struct worker *worker, uint64_t timeout_ns, char **json,
                                 struct assay_error *error)
{
    Assay__Request request = ASSAY__REQUEST__INIT;
    request.what_case = ASSAY__REQUEST__WHAT_MEASURE;
    request.measure = true;
    return ask_plain(worker, &request, "measuring the device", timeout_ns, json, error);
}

void worker_cancel_all(void)
{
    wire_cancelled = 1;
}
void worker_cancel_reset(void)
{
    wire_cancelled = 0;
}
