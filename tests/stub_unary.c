/* An engine that takes square roots by the C library, and of one input a wrong one: `--engine-args 3f812345` names its bits,
 * `--engine-args unwritten:3f812345` leaves that result unwritten. It links nothing of Assay. */
#include "harness/adapter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    uint32_t x;
    bool wrong, unwritten;
} fault;

static enum assay_status stub_describe(const struct adapter_options *options, char **json,
                                       struct assay_error *error)
{
    (void)options, (void)error;
    *json = strdup(
        "{\"engine\": \"stub\", \"version\": \"1\", \"devices\": [{\"label\": \"stub:0\", \"backend\": "
        "\"stub\","
        " \"index\": 0, \"name\": \"Stub\", \"driver\": \"1\", \"key\": \"stub-0\", \"kind\": \"discrete\","
        " \"usable\": true}], \"notes\": [], \"kernels\": []}");
    return *json ? ASSAY_OK : ASSAY_OUT_OF_MEMORY;
}

static enum assay_status stub_open(const struct adapter_options *options, const char *device, void **session,
                                   struct assay_error *error)
{
    (void)device, (void)error;
    const char *args = options->engine_args ? options->engine_args : "";
    fault.unwritten = strncmp(args, "unwritten:", 10) == 0;
    if (fault.unwritten) args += 10;
    fault.wrong = *args != '\0' && *args != '-';
    fault.x = (uint32_t)strtoul(args, NULL, 16);
    *session = &fault;
    return ASSAY_OK;
}

static enum assay_status stub_probe(void *session, char **json, struct assay_error *error)
{
    (void)session, (void)error;
    *json = strdup("{\"traits\": [], \"variant\": \"native\", \"why\": \"a stub\", \"kernels\": []}");
    return *json ? ASSAY_OK : ASSAY_OUT_OF_MEMORY;
}

static enum assay_status stub_supports(void *session, const struct adapter_node *node,
                                       const struct adapter_request *request, struct assay_error *error)
{
    (void)session, (void)request;
    if (strcmp(node->op, "Sqrt") == 0) return ASSAY_OK;
    snprintf(error->text, sizeof error->text, "stub: takes roots only");
    return error->status = ASSAY_UNSUPPORTED;
}

static enum assay_status stub_run(void *session, const struct adapter_node *node,
                                  const struct adapter_request *request, struct adapter_reply *reply,
                                  struct assay_error *error)
{
    const enum assay_status status = stub_supports(session, node, request, error);
    if (status) return status;
    const struct assay_tensor *x = node->input, *y = node->output;
    const int64_t elems = x->shape[0] * x->shape[1];
    for (int64_t i = 0; i < elems; i++) {
        const float value = ((const float *)x->data)[i], root = sqrtf(value);
        uint32_t in, out;
        memcpy(&in, &value, sizeof in);
        memcpy(&out, &root, sizeof out);
        const bool hit = fault.wrong && in == fault.x;
        if (hit && fault.unwritten) continue;
        ((uint32_t *)y->data)[i] = hit ? out ^ 1 : out;
    }
    snprintf(reply->kernel, sizeof reply->kernel, "sqrt.stub.c.exact");
    snprintf(reply->kernel_hash, sizeof reply->kernel_hash, "0123456789");
    reply->samples = 0;
    return ASSAY_OK;
}

static void stub_release(char *json)
{
    free(json);
}

static void stub_close(void *session)
{
    (void)session;
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
                                     .close = stub_close};

const struct adapter *assay_adapter(void);
const struct adapter *assay_adapter(void)
{
    return &table;
}
