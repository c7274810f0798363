/* An engine with scripted times, behind harness/adapter.h: what `assay bench` must see through. Its answers come from its
 * own plain loop (docs/exactness.md rule 2, sums of at most 32 terms); its times are numbers. `--engine-args` names the
 * script; without it the engine is right, steady, and its slow kernel takes one and a half times as long. */
#include "harness/adapter.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_NS 1e7 /* long enough that a hot span is one call */

struct session {
    char script[32];
    unsigned sampled;
};

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

static bool plays(const struct session *session, const char *script)
{
    return strcmp(session->script, script) == 0;
}

/* ---- arithmetic ---- */

static enum assay_status check(const struct adapter_node *node, struct assay_error *error)
{
    if (strcmp(node->op, "MatMul") != 0 || node->input[0].rank != 2 || node->input[0].shape[1] > 32)
        return refuse(error, ASSAY_UNSUPPORTED, "the stub takes matrices with at most 32 columns");
    return ASSAY_OK;
}

static float *at(const struct assay_tensor *tensor, int64_t row, int64_t col)
{
    return (float *)tensor->data + tensor->offset + row * tensor->stride[0] + col * tensor->stride[1];
}

static void multiply(const struct adapter_node *node)
{
    const struct assay_tensor *a = &node->input[0], *b = &node->input[1], *y = &node->output[0];
    for (int64_t row = 0; row < a->shape[0]; row++)
        for (int64_t col = 0; col < b->shape[1]; col++) {
            volatile float sum = 0;
            for (int64_t k = 0; k < a->shape[1]; k++) sum = fmaf(*at(a, row, k), *at(b, k, col), sum);
            *at(y, row, col) = sum;
        }
}

static void spoil(const struct adapter_node *node)
{
    uint32_t word;
    float *y = at(&node->output[0], 0, 0);
    memcpy(&word, y, sizeof word);
    word ^= 1;
    memcpy(y, &word, sizeof word);
}

/* ---- the table ---- */

static const char *const kernels[] = {"matmul.stub.fast.exact", "matmul.stub.slow.exact",
                                      "matmul.stub.wrong.exact"};

static enum assay_status stub_describe(const struct adapter_options *options, char **json,
                                       struct assay_error *error)
{
    (void)options;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
    fputs("{\"engine\": \"stub\", \"version\": \"1\", \"devices\": [{\"label\": \"stub:0\", \"backend\": "
          "\"stub\","
          " \"index\": 0, \"name\": \"Stub card\", \"driver\": \"stub 1\", \"api\": \"none\", \"key\": "
          "\"stub-0\","
          " \"uuid\": \"\", \"pci\": \"\", \"kind\": \"discrete\", \"software\": false, \"usable\": true, "
          "\"why\":"
          " \"\", \"device_local_bytes\": 67108864}], \"notes\": [], \"kernels\": [",
          out);
    for (int i = 0; i < 3; i++)
        fprintf(out,
                "%s{\"name\": \"%s\", \"op\": \"MatMul\", \"backend\": \"stub\", \"technique\": \"plain\","
                " \"mode\": \"exact\", \"dtype\": \"f32\"}",
                i ? ", " : "", kernels[i]);
    fputs("]}", out);
    fclose(out);
    *json = text;
    return ASSAY_OK;
}

static enum assay_status stub_open(const struct adapter_options *options, const char *device, void **out,
                                   struct assay_error *error)
{
    (void)device;
    struct session *session = calloc(1, sizeof *session);
    if (!session) return refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
    snprintf(session->script, sizeof session->script, "%s", options->engine_args ? options->engine_args : "");
    *out = session;
    return ASSAY_OK;
}

static enum assay_status stub_probe(void *opaque, char **json, struct assay_error *error)
{
    (void)opaque;
    *json = strdup("{\"traits\": [], \"variant\": \"native\", \"why\": \"scripted\"}");
    return *json ? ASSAY_OK : refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
}

static enum assay_status stub_supports(void *opaque, const struct adapter_node *node,
                                       const struct adapter_request *request, struct assay_error *error)
{
    (void)opaque;
    (void)request;
    return check(node, error);
}

static const char *chosen(const char *kernel)
{
    return kernel ? kernel : kernels[0];
}

static double time_of(const char *kernel)
{
    return strcmp(kernel, kernels[1]) == 0 ? 1.5 * TIME_NS : TIME_NS;
}

static enum assay_status stub_run(void *opaque, const struct adapter_node *node,
                                  const struct adapter_request *request, struct adapter_reply *reply,
                                  struct assay_error *error)
{
    (void)opaque;
    const char *kernel = chosen(request->kernel);
    const enum assay_status status = check(node, error);
    if (status != ASSAY_OK) return status;
    multiply(node);
    if (strcmp(kernel, kernels[2]) == 0) spoil(node);
    snprintf(reply->kernel, sizeof reply->kernel, "%s", kernel);
    snprintf(reply->kernel_hash, sizeof reply->kernel_hash, "0123456789");
    reply->samples = request->samples;
    for (uint32_t s = 0; s < request->samples; s++) reply->sample_ns[s] = (uint64_t)time_of(kernel);
    return ASSAY_OK;
}

static enum assay_status stub_sample(void *opaque, const struct adapter_node *node,
                                     const struct adapter_sample_request *request,
                                     struct adapter_sample_reply *reply, struct assay_error *error)
{
    struct session *session = opaque;
    const char *kernel = chosen(request->kernel);
    const unsigned n = session->sampled++;
    const enum assay_status status = check(node, error);
    if (status != ASSAY_OK) return status;
    if (plays(session, "crash") && n == 5) abort();
    if (plays(session, "error") && n == 5)
        return refuse(error, ASSAY_DEVICE_FAILURE, "stub: launch failed (-1)");
    if (!plays(session, "silent")) multiply(node);
    if (plays(session, "fastwrong") || (plays(session, "nondet") && n % 2)) spoil(node);
    /* A little spread, so that no rule sees a device without noise. */
    double ns = time_of(kernel) * (1 + 0.001 * (n % 3));
    if (plays(session, "fastwrong")) ns /= 10;
    if (plays(session, "unstable")) ns *= 1 + n * 7 % 5;
    if (plays(session, "impossible")) ns = 1e-6;
    if (plays(session, "noclock")) ns = 0;
    if (request->cold) ns *= 2;
    snprintf(reply->kernel, sizeof reply->kernel, "%s", kernel);
    snprintf(reply->kernel_hash, sizeof reply->kernel_hash, "0123456789");
    reply->ns = request->untimed ? 0 : ns * request->calls;
    reply->dispatches = request->calls;
    reply->transfers = plays(session, "upload") && n > 4;
    reply->record_ns = 1000 * request->calls;
    reply->submit_ns = 2000 * request->calls;
    reply->other_ns = ns * request->calls;
    reply->wall_ns = reply->record_ns + reply->submit_ns + reply->other_ns;
    reply->clock_before_mhz = 1500;
    reply->clock_after_mhz = plays(session, "clocks") && n % 3 == 0 ? 1300 : 1500;
    reply->temperature_c = 61.5;
    reply->power_w = 300;
    reply->throttle = plays(session, "throttled") && n % 2    ? 0x40
                      : plays(session, "sometimes") && n == 9 ? 0x20
                      : plays(session, "capped")              ? 4
                                                              : 0;
    return ASSAY_OK;
}

static enum assay_status stub_measure(void *opaque, char **json, struct assay_error *error)
{
    struct session *session = opaque;
    if (plays(session, "nomeasure")) return refuse(error, ASSAY_UNSUPPORTED, "stub: nothing is measured");
    *json = strdup("{\"ceilings\": [{\"name\": \"copy\", \"unit\": \"bytes/s\", \"value\": 1e9},"
                   " {\"name\": \"copy_hot\", \"unit\": \"bytes/s\", \"value\": 4e9},"
                   " {\"name\": \"fma_f32\", \"unit\": \"flop/s\", \"value\": 1e12},"
                   " {\"name\": \"launch\", \"unit\": \"ns\", \"value\": 2500},"
                   " {\"name\": \"timer\", \"unit\": \"ns\", \"value\": 500}]}");
    return *json ? ASSAY_OK : refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
}

static void stub_release(char *json)
{
    free(json);
}

static void stub_close(void *opaque)
{
    free(opaque);
}

#define TABLE(abi_, size_)                                                                                   \
    {                                                                                                        \
        .abi = abi_, .engine = "stub", .version = "1", .describe = stub_describe, .open = stub_open,         \
        .probe = stub_probe, .supports = stub_supports, .run = stub_run, .release = stub_release,            \
        .close = stub_close, .size = size_, .sample = stub_sample, .measure = stub_measure                   \
    }

const struct adapter *assay_adapter(void);
const struct adapter *assay_adapter(void)
{
    static const struct adapter whole = TABLE(ASSAY_ADAPTER_ABI, sizeof(struct adapter));
    /* As built against a header that had no entries for measuring: what lies behind must not be read. */
    static const struct adapter old = TABLE(1, sizeof(struct adapter));
    static const struct adapter small = TABLE(ASSAY_ADAPTER_ABI, offsetof(struct adapter, sample));
    const char *table = getenv("STUB_BENCH_TABLE");
    return table && strcmp(table, "old") == 0 ? &old : table && strcmp(table, "small") == 0 ? &small : &whole;
}
