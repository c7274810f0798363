/* STUB_UUID makes it a card that can earn trust; STUB_DRIVER, STUB_VBIOS, STUB_PARTITION, STUB_VARIANT and STUB_CODE are
 * what it then says of itself.
 *
 * An engine with faults on demand, behind harness/adapter.h: `--engine-args "flip"` makes it wrong in every case,
 * `--engine-args "flip:5"` only where the output has 5 rows. Without arguments it is right. Its arithmetic is its own
 * plain loop, written from docs/exactness.md rule 2; it shares nothing with what it is used to test. */
#include "harness/adapter.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* An engine is on its own: it links nothing of Assay. */
static enum assay_status refuse(struct assay_error *error, enum assay_status status, const char *format, ...)
    ASSAY_PRINTF(3, 4);

static enum assay_status refuse(struct assay_error *error, enum assay_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

struct product {
    const struct adapter_node *node;
    const float *a, *b; /* device copies */
    float *y;
    int64_t m, n, k, batch;
    int64_t a_batch, a_row, a_col, b_batch, b_row, b_col, y_batch, y_row, y_col;
};

struct session {
    char folder[256]; /* card, slow, two: the folder of locks */
    char label[16];
    int card; /* its lock, -1 = not held */
    char fault[32];
    int64_t rows; /* the fault strikes outputs with so many rows; -1 = all */
    bool lost;
    unsigned runs;
    float *last_y, *before_y; /* outputs of the case at hand and of the one before (stale) */
    uint64_t last_bytes, before_bytes, last_inputs;
    const void *cached_at; /* cached */
    float *cached_y;
    uint64_t cached_bytes;
};

static bool is(const struct session *session, const struct product *p, const char *fault)
{
    return strcmp(session->fault, fault) == 0 && (session->rows < 0 || session->rows == p->m);
}

/* ---- the right answer ---- */

static float *element(const struct product *p, int64_t batch, int64_t row, int64_t col)
{
    return p->y + p->node->output[0].offset + batch * p->y_batch + row * p->y_row + col * p->y_col;
}

/* One sum, its terms in the order of `order`. */
static float sum_of(const struct product *p, int64_t batch, int64_t row, int64_t col, bool fused,
                    const int64_t *order)
{
    float total = 0;
    for (int64_t group0 = 0; group0 < p->k; group0 += 128) {
        float group = 0;
        for (int64_t chain0 = group0; chain0 < p->k && chain0 < group0 + 128; chain0 += 32) {
            volatile float chain = 0;
            for (int64_t at = chain0; at < p->k && at < chain0 + 32; at++) {
                const int64_t k = order ? order[at] : at;
                const float a =
                    p->a[p->node->input[0].offset + batch * p->a_batch + row * p->a_row + k * p->a_col];
                const float b =
                    p->b[p->node->input[1].offset + batch * p->b_batch + k * p->b_row + col * p->b_col];
                if (fused) {
                    chain = fmaf(a, b, chain);
                } else {
                    volatile float term = a * b;
                    chain = chain + term;
                }
            }
            group = group + chain;
        }
        total = total + group;
    }
    return total;
}

/* The sum with two neighbouring additions swapped: the first such pair that changes its bits. */
static float swapped(const struct product *p, int64_t batch, int64_t row, int64_t col)
{
    const float right = sum_of(p, batch, row, col, true, NULL);
    int64_t *order = malloc((size_t)p->k * sizeof *order);
    float wrong = right;
    for (int64_t at = 0; order && at < p->k; at++) order[at] = at;
    for (int64_t at = 0; order && at + 1 < p->k && wrong == right; at++) {
        order[at] = at + 1;
        order[at + 1] = at;
        wrong = sum_of(p, batch, row, col, true, order);
        order[at] = at;
        order[at + 1] = at + 1;
    }
    free(order);
    return wrong;
}

static enum assay_status read_product(const struct adapter_node *node, struct product *p,
                                      struct assay_error *error)
{
    const struct assay_tensor *a = &node->input[0], *b = &node->input[1], *y = &node->output[0];
    if (strcmp(node->op, "MatMul") != 0 || node->input_count != 2 || a->dtype != ASSAY_F32 || a->rank < 2 ||
        b->rank < 2 || a->rank > 3 || b->rank > 3)
        return refuse(error, ASSAY_UNSUPPORTED, "the stub takes MatMul of f32 with rank 2 or 3 alone");
    *p = (struct product){.node = node,
                          .m = a->shape[a->rank - 2],
                          .k = a->shape[a->rank - 1],
                          .n = b->shape[b->rank - 1],
                          .batch = y->rank == 3 ? y->shape[0] : 1,
                          .a_batch = a->rank == 3 && a->shape[0] > 1 ? a->stride[0] : 0,
                          .a_row = a->stride[a->rank - 2],
                          .a_col = a->stride[a->rank - 1],
                          .b_batch = b->rank == 3 && b->shape[0] > 1 ? b->stride[0] : 0,
                          .b_row = b->stride[b->rank - 2],
                          .b_col = b->stride[b->rank - 1],
                          .y_batch = y->rank == 3 ? y->stride[0] : 0,
                          .y_row = y->stride[y->rank - 2],
                          .y_col = y->stride[y->rank - 1]};
    return ASSAY_OK;
}

static void multiply(const struct session *session, const struct product *p)
{
    const bool fused = !is(session, p, "unfused");
    const int64_t rows = is(session, p, "lastrow") ? p->m - 1 : p->m;
    const int64_t cols = is(session, p, "wrongshape") ? p->n - 1 : p->n;
    for (int64_t batch = 0; batch < p->batch; batch++)
        for (int64_t row = 0; row < rows; row++)
            for (int64_t col = 0; col < cols; col++) {
                const float sum = sum_of(p, batch, row, col, fused, NULL);
                float *y = element(p, batch, row, col);
                if (is(session, p, "conditional") && !(sum > 0)) continue;
                *y = is(session, p, "accumulate") ? *y + sum : sum;
            }
}

/* ---- the faults ---- */

static void flip(float *value, uint32_t bits)
{
    uint32_t word;
    memcpy(&word, value, sizeof word);
    word ^= bits;
    memcpy(value, &word, sizeof word);
}

static uint64_t checksum(const void *memory, uint64_t bytes)
{
    uint64_t sum = 14695981039346656037u;
    for (uint64_t at = 0; at < bytes; at++) sum = (sum ^ ((const uint8_t *)memory)[at]) * 1099511628211u;
    return sum;
}

static void keep(float **kept, uint64_t *kept_bytes, const float *y, uint64_t bytes)
{
    free(*kept);
    *kept = malloc(bytes);
    *kept_bytes = *kept ? bytes : 0;
    if (*kept) memcpy(*kept, y, bytes);
}

/* Give back what the case before left, as a kernel does that never ran. */
static void serve_stale(struct session *session, const struct product *p)
{
    const struct assay_tensor *a = &p->node->input[0], *y = &p->node->output[0];
    const uint64_t inputs = checksum(p->a, a->bytes);
    if (inputs != session->last_inputs) {
        free(session->before_y);
        session->before_y = session->last_y;
        session->before_bytes = session->last_bytes;
        session->last_y = NULL;
        session->last_inputs = inputs;
    }
    keep(&session->last_y, &session->last_bytes, p->y, y->bytes);
    if (!session->before_y || session->before_bytes != y->bytes) return;
    for (int64_t row = 0; row < p->m; row++)
        for (int64_t col = 0; col < p->n; col++) {
            float *place = element(p, 0, row, col);
            *place = session->before_y[place - p->y];
        }
}

/* Remember a result by the address of its input, and give it again whatever lies there now. */
static void serve_cached(struct session *session, const struct product *p)
{
    const struct assay_tensor *y = &p->node->output[0];
    if (session->cached_at == p->node->input[0].data && session->cached_bytes == y->bytes) {
        for (int64_t row = 0; row < p->m; row++)
            for (int64_t col = 0; col < p->n; col++) {
                float *place = element(p, 0, row, col);
                *place = session->cached_y[place - p->y];
            }
        return;
    }
    keep(&session->cached_y, &session->cached_bytes, p->y, y->bytes);
    session->cached_at = p->node->input[0].data;
}

static void damage(struct session *session, const struct product *p, float *a)
{
    float *last = element(p, p->batch - 1, p->m - 1, p->n - 1);
    if (is(session, p, "flip")) flip(element(p, 0, p->m / 2, p->n / 2), 1);
    if (is(session, p, "flipsign")) flip(element(p, 0, 0, 0), 0x80000000u);
    if (is(session, p, "swap")) *last = swapped(p, p->batch - 1, p->m - 1, p->n - 1);
    if (is(session, p, "nan")) *element(p, 0, 0, p->n - 1) = NAN;
    if (is(session, p, "nondet") && session->runs % 2) flip(last, 1);
    if (is(session, p, "stray")) last[1] = 0;
    if (is(session, p, "strayhi")) *(element(p, 0, 0, p->n - 1) + 1) = 7;
    if (is(session, p, "before")) *(element(p, 0, 0, 0) - 1) = 7;
    if (is(session, p, "input")) a[p->node->input[0].offset] += 1;
    if (is(session, p, "inputgap")) a[0] = 1;
    if (strcmp(session->fault, "stale") == 0) serve_stale(session, p);
    if (is(session, p, "cached")) serve_cached(session, p);
}

static enum assay_status misbehave(struct session *session, const struct product *p,
                                   struct assay_error *error)
{
    if (is(session, p, "crash")) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (is(session, p, "exit")) _exit(0);
    if (is(session, p, "hang"))
        for (;;) usleep(1000);
    if (is(session, p, "lost")) session->lost = true;
    if (session->lost) return refuse(error, ASSAY_DEVICE_LOST, "stub: wait failed (device lost)");
    if (is(session, p, "oom") || is(session, p, "oomsmall"))
        return refuse(error, ASSAY_OUT_OF_MEMORY, "stub: cannot allocate %llu bytes",
                      (unsigned long long)p->node->output[0].bytes);
    static const struct {
        const char *fault, *words;
        enum assay_status status;
    } steps[] = {
        {"error", "stub: launch failed (-1)", ASSAY_DEVICE_FAILURE},
        {"upload", "stub: copy to the card failed (-7)", ASSAY_DEVICE_FAILURE},
        {"pipeline", "stub: kernel is refused: it fails known answer 0", ASSAY_DEVICE_UNSUPPORTED},
        {"readback", "stub: copy from the card failed (-8)", ASSAY_DEVICE_FAILURE},
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (is(session, p, steps[i].fault)) return refuse(error, steps[i].status, "%s", steps[i].words);
    return ASSAY_OK;
}

/* ---- a card that is shared ---- */

/* "card": a device with a PCI address. A run marks the card as taken for 20 ms; a second one there is a failure. */
#define CARD_PCI "0000:4b:00.0"

static enum assay_status use_card(const struct session *session, struct assay_error *error)
{
    char path[320];
    snprintf(path, sizeof path, "%s/taken", session->folder);
    const int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) return refuse(error, ASSAY_DEVICE_FAILURE, "stub: two runs on one card at a time");
    close(file);
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    unlink(path);
    return ASSAY_OK;
}

static enum assay_status stub_lock(void *opaque, uint64_t timeout_ns, struct assay_error *error)
{
    struct session *session = opaque;
    char path[320];
    (void)timeout_ns;
    if (strcmp(session->fault, "card") != 0) return ASSAY_OK;
    snprintf(path, sizeof path, "%s/assay-" CARD_PCI ".lock", session->folder);
    session->card = open(path, O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
    if (session->card < 0 || flock(session->card, LOCK_EX) != 0)
        return refuse(error, ASSAY_IO, "stub: cannot lock %s", path);
    return ASSAY_OK;
}

static void stub_unlock(void *opaque)
{
    struct session *session = opaque;
    if (session->card >= 0) close(session->card);
    session->card = -1;
}

/* ---- slow cards ---- */

/* "slow" (one card) and "two" (two of them, at different addresses): each run takes 10 ms of sleep, and leaves a line
 * "LABEL START END" (ns) in the file `runs` of the folder of locks. */
static bool is_slow(const struct session *session)
{
    return strcmp(session->fault, "slow") == 0 || strcmp(session->fault, "two") == 0;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static enum assay_status be_slow(const struct session *session, struct assay_error *error)
{
    char path[320], line[80];
    const uint64_t start_ns = now_ns();
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    snprintf(path, sizeof path, "%s/runs", session->folder);
    const int length = snprintf(line, sizeof line, "%s %llu %llu\n", session->label,
                                (unsigned long long)start_ns, (unsigned long long)now_ns());
    const int file = open(path, O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0600);
    const bool written = file >= 0 && write(file, line, (size_t)length) == length;
    if (file >= 0) close(file);
    return written ? ASSAY_OK : refuse(error, ASSAY_IO, "stub: cannot write %s", path);
}

/* ---- the table ---- */

static const char *said(const char *word, const char *otherwise)
{
    const char *text = getenv(word);
    return text && *text ? text : otherwise;
}

static enum assay_status stub_describe(const struct adapter_options *options, char **json,
                                       struct assay_error *error)
{
    const char *memory =
        options->engine_args && strcmp(options->engine_args, "oomsmall") == 0 ? "4096" : "67108864";
    const char *args = options->engine_args ? options->engine_args : "";
    if (strcmp(args, "describecrash") == 0) raise(SIGKILL);
    const bool two = strcmp(args, "two") == 0;
    *json = NULL;
    if (strcmp(args, "badjson") == 0) {
        *json = strdup("{\"devices\": [");
    } else if (
        asprintf(
            json,
            "{\"engine\": \"stub\", \"version\": \"1\", \"devices\": [{\"label\": \"stub:0\", \"backend\":"
            " \"stub\", \"index\": 0, \"name\": \"Stub card\", \"driver\": \"%s\", \"api\": \"none\","
            " \"key\": \"stub-0\", \"uuid\": \"%s\", \"vbios\": \"%s\", \"partition\": \"%s\", \"pci\": "
            "\"%s\", \"kind\": \"discrete\", \"software\": %s,"
            " \"usable\": true, \"why\": \"\", \"device_local_bytes\": %s}%s], \"notes\": [], \"kernels\":"
            " [{\"name\": \"matmul.stub.plain.exact\", \"op\": \"MatMul\", \"backend\": \"stub\","
            " \"technique\": \"plain\", \"mode\": \"exact\", \"dtype\": \"f32\"}]}",
            said("STUB_DRIVER", "stub 1"), said("STUB_UUID", ""), said("STUB_VBIOS", ""),
            said("STUB_PARTITION", ""), strcmp(args, "card") == 0 || two ? CARD_PCI : "",
            strcmp(args, "software") == 0 ? "true" : "false", memory,
            two ? ", {\"label\": \"stub:1\", \"backend\": \"stub\", \"index\": 1, \"name\": \"Stub card\","
                  " \"driver\": \"stub 1\", \"key\": \"stub-1\", \"pci\": \"0000:5b:00.0\", \"kind\":"
                  " \"discrete\", \"usable\": true},"
                  " {\"label\": \"stub:2\", \"backend\": \"stub\", \"index\": 2, \"name\": \"Old card\","
                  " \"driver\": \"stub 0\", \"key\": \"stub-2\", \"usable\": false, \"why\":"
                  " \"it is too old\"},"
                  " {\"label\": \"stub:3\", \"backend\": \"stub\", \"index\": 3, \"name\": \"Stub card\","
                  " \"driver\": \"stub 1\", \"key\": \"stub-1\", \"usable\": true, \"duplicate\": true,"
                  " \"why\": \"the card of stub:1\"}"
                : "") < 0)
        *json = NULL;
    return *json ? ASSAY_OK : refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
}

static enum assay_status stub_open(const struct adapter_options *options, const char *device, void **out,
                                   struct assay_error *error)
{
    const char *args = options->engine_args ? options->engine_args : "";
    if (strcmp(device, "stub:0") != 0 && strcmp(args, "two") != 0)
        return refuse(error, ASSAY_DEVICE_UNSUPPORTED, "stub: no device '%s'", device);
    if (strcmp(args, "openfail") == 0) return refuse(error, ASSAY_DEVICE_FAILURE, "stub: cannot open (-3)");
    if (strcmp(args, "openrefuse") == 0)
        return refuse(error, ASSAY_DEVICE_UNSUPPORTED, "stub: adds are not exact");
    if (strcmp(args, "opencrash") == 0) raise(SIGKILL);
    if (strcmp(args, "openslow") == 0) sleep(30);
    struct session *session = calloc(1, sizeof *session);
    if (!session) return refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
    const size_t name = strcspn(args, ":");
    snprintf(session->fault, sizeof session->fault, "%.*s", (int)name, args);
    snprintf(session->folder, sizeof session->folder, "%s", options->lock_dir ? options->lock_dir : "/tmp");
    snprintf(session->label, sizeof session->label, "%s", device);
    session->card = -1;
    session->rows = args[name] ? atoll(args + name + 1) : -1;
    *out = session;
    return ASSAY_OK;
}

static enum assay_status stub_probe(void *session, char **json, struct assay_error *error)
{
    const struct session *mine = session;
    if (strcmp(mine->fault, "probefail") == 0)
        return refuse(error, ASSAY_DEVICE_FAILURE, "stub: pipeline of the probe failed (-4)");
    if (asprintf(json,
                 "{\"traits\": [{\"name\": \"add\", \"controls\": \"\", \"literal\": false, \"tested\": 10, "
                 "\"wrong\": 0, \"wrong_subnormal\": 0, \"first\": \"\"}], \"variant\": \"%s\", \"why\":"
                 " \"it is a stub\", \"kernels\": [{\"name\": \"matmul.stub.plain.exact\", \"present\": true,"
                 " \"code\": \"%s\"}]}",
                 said("STUB_VARIANT", "native"), said("STUB_CODE", "0123456789abcdef")) < 0)
        *json = NULL;
    return *json ? ASSAY_OK : refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
}

static enum assay_status stub_supports(void *opaque, const struct adapter_node *node,
                                       const struct adapter_request *request, struct assay_error *error)
{
    struct product p;
    (void)request;
    enum assay_status status = read_product(node, &p, error);
    if (status == ASSAY_OK && is(opaque, &p, "skip"))
        return refuse(error, ASSAY_UNSUPPORTED, "stub: takes no %lld rows", (long long)p.m);
    return status;
}

static enum assay_status stub_run(void *opaque, const struct adapter_node *node,
                                  const struct adapter_request *request, struct adapter_reply *reply,
                                  struct assay_error *error)
{
    struct session *session = opaque;
    struct product p;
    enum assay_status status = read_product(node, &p, error);
    if (status == ASSAY_OK) status = misbehave(session, &p, error);
    if (status == ASSAY_OK && is(session, &p, "card")) status = use_card(session, error);
    if (status == ASSAY_OK && is_slow(session)) status = be_slow(session, error);
    if (status != ASSAY_OK) return status;
    float *a = malloc(node->input[0].bytes), *b = malloc(node->input[1].bytes),
          *y = malloc(node->output[0].bytes);
    if (a && b && y) {
        memcpy(a, node->input[0].data, node->input[0].bytes);
        memcpy(b, node->input[1].data, node->input[1].bytes);
        memcpy(y, node->output[0].data, node->output[0].bytes);
        p.a = a;
        p.b = b;
        p.y = y;
        if (!is(session, &p, "silent")) multiply(session, &p);
        if (p.m > 0 && p.n > 0 && p.batch > 0) damage(session, &p, a);
        memcpy(node->input[0].data, a, node->input[0].bytes);
        memcpy(node->output[0].data, y, node->output[0].bytes);
    } else {
        status = refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
    }
    free(a);
    free(b);
    free(y);
    session->runs++;
    snprintf(reply->kernel, sizeof reply->kernel, "matmul.stub.plain.exact");
    snprintf(reply->kernel_hash, sizeof reply->kernel_hash, "%s",
             is(session, &p, "clang") ? "clang-0123" : "0123456789");
    snprintf(reply->variant, sizeof reply->variant, "native");
    reply->samples = request->samples;
    for (uint32_t at = 0; at < request->samples; at++)
        reply->sample_ns[at] = is(session, &p, "notime") ? 0 : is(session, &p, "nowait") ? 1 : 1000 + at;
    return status;
}

static void stub_release(char *json)
{
    free(json);
}

static void stub_close(void *opaque)
{
    struct session *session = opaque;
    free(session->last_y);
    free(session->before_y);
    free(session->cached_y);
    free(session);
}

static const struct adapter table = {.abi = ASSAY_ADAPTER_ABI,
                                     .engine = "stub",
                                     .version = "1",
                                     .describe = stub_describe,
                                     .open = stub_open,
                                     .probe = stub_probe,
                                     .supports = stub_supports,
                                     .run = stub_run,
                                     .release = stub_release,
                                     .close = stub_close,
                                     .lock = stub_lock,
                                     .unlock = stub_unlock};

const struct adapter *assay_adapter(void);
const struct adapter *assay_adapter(void)
{
    return &table;
}
