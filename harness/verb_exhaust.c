/* The verb exhaust: every input of elementary functions on devices. What a device gives is compared as digests of blocks
 * of 2^20 inputs (exhaust.c); this file chooses devices and functions, and prints. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/engine_load.h"
#include "harness/exhaust.h"
#include "harness/options.h"

#define CHUNK_CARD   32u /* blocks a run: 128 MiB in and out */
#define CHUNK_CPU    4u
#define FUNCTION_MAX 64

struct tally {
    uint32_t passed, failed, refused, errors; /* functions */
    json_t *list;
};

struct line {
    const char *device, *function;
};

static void show_progress(void *context, uint32_t done, uint32_t blocks)
{
    const struct line *line = context;
    fprintf(stderr, "\r%s %s: %u of %u blocks%s", line->device, line->function, done, blocks,
            done == blocks ? "\r\033[K" : "");
    fflush(stderr);
}

static void show(const struct options *options, const char *device, const char *function,
                 const struct exhaust_result *r, enum assay_status status, const char *why)
{
    const double seconds = (double)r->wall_ns * 1e-9, inputs = (double)r->blocks * EXHAUST_BLOCK_ELEMS;
    if (options->json || (options->quiet && !status && !r->wrong_blocks)) return;
    if (status) {
        printf("%-5s %s %s: %s\n",
               status == ASSAY_UNSUPPORTED || status == ASSAY_DEVICE_UNSUPPORTED ? "SKIP" : "ERROR", device,
               function, why);
        return;
    }
    printf("%-5s %s %-9s %u of %u blocks wrong, %.0f inputs%s in %.1f s, %.3g a second",
           r->wrong_blocks ? "DIFF" : "PASS", device, function, r->wrong_blocks, r->blocks, inputs,
           r->blocks == EXHAUST_BLOCKS ? " (all)" : "", seconds, seconds > 0 ? inputs / seconds : 0);
    if (r->device_ns) printf("; %.1f ms on the device", (double)r->device_ns * 1e-6);
    printf("; %s %s %s\n", r->kernel, r->kernel_hash, r->variant);
    if (r->has_first)
        printf("  first    x %08" PRIx32 ", got %08" PRIx32 ", want %08" PRIx32 "\n", r->x, r->got, r->want);
}

static json_t *result_json(const char *device, const char *function, const struct exhaust_result *r,
                           enum assay_status status, const char *why)
{
    char x[12], got[12], want[12];
    snprintf(x, sizeof x, "%08" PRIx32, r->x);
    snprintf(got, sizeof got, "%08" PRIx32, r->got);
    snprintf(want, sizeof want, "%08" PRIx32, r->want);
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:I, s:b, s:f, s:f, s:s}", "device", device,
                  "function", function, "verdict",
                  status == ASSAY_UNSUPPORTED || status == ASSAY_DEVICE_UNSUPPORTED ? "SKIP"
                  : status                                                          ? "ERROR"
                  : r->wrong_blocks                                                 ? "DIFF"
                                                                                    : "PASS",
                  "kernel", r->kernel, "kernel_hash", r->kernel_hash, "variant", r->variant, "blocks",
                  (int)r->blocks, "wrong_blocks", (int)r->wrong_blocks, "inputs",
                  (json_int_t)r->blocks * EXHAUST_BLOCK_ELEMS, "all", r->blocks == EXHAUST_BLOCKS, "seconds",
                  (double)r->wall_ns * 1e-9, "device_seconds", (double)r->device_ns * 1e-9, "reason", why);
    if (json && r->has_first)
        json_object_set_new(json, "first", json_pack("{s:s, s:s, s:s}", "x", x, "got", got, "want", want));
    return json;
}

/* Every function asked for, on one open device. */
static void walk(const struct options *options, struct session *session, const char *const *names,
                 size_t count, struct oracle_pool *pool, struct tally *tally)
{
    const struct inventory_device *device = session->device;
    const bool card = strcmp(device->backend, "cpu") != 0 && !device->software;
    for (size_t i = 0; i < count; i++) {
        struct line line = {device->label, names[i]};
        struct assay_error error = {0};
        struct exhaust_result result = {0};
        const struct exhaust_request request = {
            .name = names[i],
            .kernel = options->kernel,
            .shard = options->shard,
            .shards = options->shards,
            .chunk_blocks = card ? CHUNK_CARD : CHUNK_CPU,
            .timed = card,
            .timeout_ns = (uint64_t)options->timeout_s * 1000000000u,
            .pool = pool,
            .progress = options->quiet || options->json || !isatty(STDERR_FILENO) ? NULL : show_progress,
            .context = &line};
        enum assay_status status =
            session->opened ? exhaust_run(session, &request, &result, &error) : session->status;
        const char *why = session->opened ? error.text : session->why;
        if (status == ASSAY_UNSUPPORTED || status == ASSAY_DEVICE_UNSUPPORTED)
            tally->refused++;
        else if (status)
            tally->errors++;
        else if (result.wrong_blocks)
            tally->failed++;
        else
            tally->passed++;
        show(options, device->label, names[i], &result, status, why);
        if (tally->list)
            json_array_append_new(tally->list, result_json(device->label, names[i], &result, status, why));
        fflush(stdout);
        if (session->opened && worker_state(session->worker) != WORKER_READY) break;
    }
}

/* The functions that the arguments name: all of them for "all". */
static enum assay_status choose(const struct options *options, const char *names[FUNCTION_MAX], size_t *count,
                                struct assay_error *error)
{
    char list[400] = "";
    size_t used = 0;
    for (size_t f = 0; exhaust_name(f) && used < sizeof list; f++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", f ? ", " : "", exhaust_name(f));
    for (size_t a = 0; a < options->arg_count; a++) {
        const size_t before = *count;
        for (size_t f = 0; exhaust_name(f) && *count < FUNCTION_MAX; f++)
            if (strcmp(options->arg[a], "all") == 0 || strcmp(options->arg[a], exhaust_name(f)) == 0)
                names[(*count)++] = exhaust_name(f);
        if (*count == before)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "exhaust: there is no function '%.40s'; allowed: all, %s", options->arg[a],
                                   list);
    }
    return ASSAY_OK;
}

int verb_exhaust(const struct options *options)
{
    struct assay_error error = {0};
    const struct adapter *adapter = NULL;
    struct inventory inventory = {0};
    const char *names[FUNCTION_MAX];
    size_t chosen[OPTIONS_LIST_MAX], device_count = 0, count = 0;
    struct tally tally = {.list = options->json ? json_array() : NULL};
    struct oracle_pool *pool = NULL;
    int code = EXIT_ERROR;
    enum assay_status status = choose(options, names, &count, &error);
    if (!status) status = engine_load(options->engine, &adapter, &error);
    if (!status) status = inventory_read(adapter, options, &inventory, &error);
    if (!status)
        status = inventory_select(&inventory, options, chosen, OPTIONS_LIST_MAX, &device_count, &error);
    if (!status && !(pool = oracle_pool_new(options->threads)))
        status = assay_error_set(&error, ASSAY_OUT_OF_MEMORY, "exhaust: no threads");
    for (size_t d = 0; d < device_count && !status; d++) {
        struct session session;
        status = session_open(options, &inventory.device[chosen[d]], &session, &error);
        if (status) break;
        walk(options, &session, names, count, pool, &tally);
        session_close(&session);
    }
    if (status) {
        code = verb_fail(&error);
        goto end;
    }
    code = tally.failed ? EXIT_FAILED : tally.errors ? EXIT_ERROR : tally.passed ? EXIT_PASS : EXIT_NOTHING;
    if (options->json) {
        json_t *root = json_pack("{s:O, s:i}", "functions", tally.list, "exit", code);
        char *text = root ? json_dumps(root, JSON_INDENT(2)) : NULL;
        if (text) puts(text);
        if (!text) code = EXIT_ERROR;
        free(text);
        json_decref(root);
    } else
        printf("exit %d: %u functions passed, %u failed, %u errors, %u refused\n", code, tally.passed,
               tally.failed, tally.errors, tally.refused);
    code = verb_finish(code);
end:
    json_decref(tally.list);
    oracle_pool_free(pool);
    inventory_free(&inventory);
    return code;
}
