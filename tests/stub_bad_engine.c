/* An engine that is none: STUB_ENGINE in the environment says in which way. */
#include <stdlib.h>
#include <string.h>

#include "harness/adapter.h"

static enum assay_status describe(const struct adapter_options *options, char **json,
                                  struct assay_error *error)
{
    (void)options, (void)error;
    const char *text = getenv("STUB_DESCRIBE");
    *json = text ? strdup(text) : NULL;
    return ASSAY_OK;
}

static enum assay_status open_device(const struct adapter_options *options, const char *device,
                                     void **session, struct assay_error *error)
{
    (void)options, (void)device, (void)error;
    static int something;
    *session = &something;
    return ASSAY_OK;
}

static enum assay_status probe(void *session, char **json, struct assay_error *error)
{
    (void)session, (void)error;
    *json = strdup("this is no JSON");
    return ASSAY_OK;
}

static enum assay_status supports(void *session, const struct adapter_node *node,
                                  const struct adapter_request *request, struct assay_error *error)
{
    (void)session, (void)node, (void)request, (void)error;
    return ASSAY_UNSUPPORTED;
}

static enum assay_status run(void *session, const struct adapter_node *node,
                             const struct adapter_request *request, struct adapter_reply *reply,
                             struct assay_error *error)
{
    (void)session, (void)node, (void)request, (void)reply, (void)error;
    return ASSAY_UNSUPPORTED;
}

static void release(char *json)
{
    free(json);
}

static void close_device(void *session)
{
    (void)session;
}

const struct adapter *assay_adapter(void)
{
    static struct adapter table;
    const char *fault = getenv("STUB_ENGINE");
    table = (struct adapter){.abi = ASSAY_ADAPTER_ABI,
                             .engine = "stub",
                             .version = "1",
                             .describe = describe,
                             .open = open_device,
                             .probe = probe,
                             .supports = supports,
                             .run = run,
                             .release = release,
                             .close = close_device};
    if (fault && strcmp(fault, "null") == 0) return NULL;
    if (fault && strcmp(fault, "abi") == 0) table.abi = 99;
    if (fault && strcmp(fault, "slot") == 0) table.supports = NULL;
    if (fault && strcmp(fault, "version") == 0) table.version = NULL;
    return &table;
}
