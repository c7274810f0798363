/* See exhaust.h. A block's digest is the sum, modulo 2^64, of mix(input and result) over its inputs: it has no order, so
 * threads may share a block. Every NaN counts as 7fc00000. */
#include "harness/exhaust.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/embedded.h"

#define FOLDER   "corpus/golden/"
#define PLACE    4096 /* where Y starts behind X: a page */
#define GRAIN    (1 << 16)
#define UNASKED  0xa5a5a5a5u /* an output word that nobody wrote; as a result it is a number like any other */
#define NAN_BITS 0x7fc00000u

/* ---- stored digests ---- */

static const struct embedded *file_of(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, FOLDER "%s.txt", name);
    for (const struct embedded *e = assay_blob_table; e->path; e++)
        if (strcmp(e->path, path) == 0) return e;
    return NULL;
}

const char *exhaust_name(size_t i)
{
    static char names[64][24];
    for (const struct embedded *e = assay_blob_table; e->path; e++) {
        const char *from = e->path + strlen(FOLDER);
        if (strncmp(e->path, FOLDER, strlen(FOLDER)) != 0 || i-- > 0) continue;
        const size_t at = (size_t)(e - assay_blob_table) % 64;
        snprintf(names[at], sizeof names[at], "%.*s", (int)(strlen(from) - 4), from);
        return names[at];
    }
    return NULL;
}

static enum assay_status read_digests(const char *name, uint64_t digest[EXHAUST_BLOCKS],
                                      struct assay_error *error)
{
    const struct embedded *file = file_of(name);
    if (!file)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "there is no function '%.40s' with stored digests",
                               name);
    size_t count = 0;
    for (const char *at = file->start; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        const char *here = at;
        char *end;
        for (int word = 0; *at != '#' && word < 4 && count < EXHAUST_BLOCKS; word++, here = end) {
            digest[count] = strtoull(here, &end, 16);
            if (end == here) break;
            count++;
        }
    }
    if (count == EXHAUST_BLOCKS) return ASSAY_OK;
    return assay_error_set(error, ASSAY_INTERNAL, "%s holds %zu digests, not %u", file->path, count,
                           EXHAUST_BLOCKS);
}

static uint64_t mix(uint32_t x, uint32_t bits)
{
    /* the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014) */
    uint64_t z = ((uint64_t)x << 32 | bits) + 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t canonical(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u ? NAN_BITS : bits;
}

/* ---- one run ---- */

struct chunk {
    const uint32_t *block; /* numbers of its blocks */
    uint32_t *x, *y;
    _Atomic uint64_t *digest; /* one a block */
};

static void fill_part(void *context, int64_t i0, int64_t i1)
{
    struct chunk *chunk = context;
    for (int64_t i = i0; i < i1; i++) {
        chunk->x[i] =
            chunk->block[i / EXHAUST_BLOCK_ELEMS] * EXHAUST_BLOCK_ELEMS + (uint32_t)(i % EXHAUST_BLOCK_ELEMS);
        chunk->y[i] = UNASKED;
    }
}

static void digest_part(void *context, int64_t i0, int64_t i1)
{
    struct chunk *chunk = context;
    for (int64_t i = i0; i < i1;) {
        const int64_t block = i / EXHAUST_BLOCK_ELEMS, end = (block + 1) * EXHAUST_BLOCK_ELEMS;
        const uint32_t first = chunk->block[block] * EXHAUST_BLOCK_ELEMS;
        uint64_t sum = 0;
        for (; i < i1 && i < end; i++)
            sum += mix(first + (uint32_t)(i % EXHAUST_BLOCK_ELEMS), canonical(chunk->y[i]));
        atomic_fetch_add(&chunk->digest[block], sum);
    }
}

/* A case of n inputs of the function, as the operator's definition lays it out. */
static enum assay_status make_case(const char *name, uint64_t n, struct case_spec *spec,
                                   struct op_signature *sig, struct assay_error *error)
{
    char line[CASE_LINE_MAX];
    const bool form = strcmp(name, "gelu_tanh") == 0;
    snprintf(line, sizeof line, "%s/f32/n=%llu%s/fill=bits/seed=0", form ? "gelu" : name,
             (unsigned long long)n, form ? ",approximate=tanh" : "");
    const enum assay_status status = case_parse(line, spec, error);
    return status ? status : spec->op.op->signature(&spec->op, sig, error);
}

struct contract {
    const struct op_case *c;
    const struct assay_tensor *in;
    struct assay_tensor *out;
};

static void contract_part(void *context, int64_t row0, int64_t row1)
{
    const struct contract *work = context;
    work->c->op->contract(work->c, work->in, work->out, row0, row1);
}

/* Which input of the block is the first whose result is wrong? */
static enum assay_status search(const struct exhaust_request *request, uint32_t block, const uint32_t *got,
                                struct exhaust_result *result, struct assay_error *error)
{
    struct case_spec spec;
    struct op_signature sig;
    struct chunk chunk = {.block = &block};
    struct assay_tensor in, out;
    enum assay_status status = make_case(request->name, EXHAUST_BLOCK_ELEMS, &spec, &sig, error);
    if (status) return status;
    chunk.x = malloc(4 * (size_t)EXHAUST_BLOCK_ELEMS);
    chunk.y = malloc(4 * (size_t)EXHAUST_BLOCK_ELEMS);
    if (!chunk.x || !chunk.y) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: cannot search a block: out of memory",
                                 request->name);
        goto out;
    }
    fill_part(&chunk, 0, EXHAUST_BLOCK_ELEMS);
    in = sig.input[0].tensor;
    out = sig.output[0].tensor;
    in.data = chunk.x;
    out.data = chunk.y;
    struct contract work = {&spec.op, &in, &out};
    oracle_pool_for(request->pool, spec.op.op->rows(&spec.op), 64, contract_part, &work);
    for (uint32_t i = 0; i < EXHAUST_BLOCK_ELEMS && !result->has_first; i++) {
        if (canonical(got[i]) == chunk.y[i]) continue;
        result->has_first = true;
        result->x = chunk.x[i];
        result->got = got[i];
        result->want = chunk.y[i];
    }
    if (!result->has_first)
        status = assay_error_set(error, ASSAY_INTERNAL,
                                 "%s: the contract has every bit of block %03x as the device, but the stored "
                                 "digest is another",
                                 request->name, block);
out:
    free(chunk.y);
    free(chunk.x);
    return status;
}

static enum assay_status run_chunk(struct session *session, const struct exhaust_request *request,
                                   const uint32_t *block, uint32_t count, const uint64_t *want,
                                   struct exhaust_result *result, struct assay_error *error)
{
    const uint64_t elems = (uint64_t)count * EXHAUST_BLOCK_ELEMS, place = 4 * elems + PLACE;
    struct case_spec spec;
    struct op_signature sig;
    struct adapter_reply reply = {.size = sizeof reply};
    _Atomic uint64_t digest[EXHAUST_BLOCKS];
    enum assay_status status = make_case(request->name, elems, &spec, &sig, error);
    if (status) return status;
    uint8_t *memory = worker_memory(session->worker, place + 4 * elems, error);
    if (!memory) return ASSAY_OUT_OF_MEMORY;
    struct chunk chunk = {block, (uint32_t *)(void *)memory, (uint32_t *)(void *)(memory + place), digest};
    struct assay_tensor in = sig.input[0].tensor, out = sig.output[0].tensor;
    in.data = chunk.x;
    out.data = chunk.y;
    const struct adapter_node node = {.size = sizeof node,
                                      .op = sig.onnx,
                                      .attr = sig.attr,
                                      .attr_count = sig.attr_count,
                                      .input = &in,
                                      .input_count = 1,
                                      .output = &out,
                                      .output_count = 1};
    const struct adapter_request run = {.size = sizeof run,
                                        .kernel = request->kernel,
                                        .mode = "exact",
                                        .samples = request->timed,
                                        .timeout_ns = request->timeout_ns};
    oracle_pool_for(request->pool, (int64_t)elems, GRAIN, fill_part, &chunk);
    status = worker_run(session->worker, &node, &run, &reply, error);
    snprintf(result->kernel, sizeof result->kernel, "%s", reply.kernel);
    snprintf(result->kernel_hash, sizeof result->kernel_hash, "%s", reply.kernel_hash);
    snprintf(result->variant, sizeof result->variant, "%s", reply.variant);
    if (status) return status;
    if (reply.samples) result->device_ns += reply.sample_ns[0];
    for (uint32_t b = 0; b < count; b++) atomic_init(&digest[b], 0);
    oracle_pool_for(request->pool, (int64_t)elems, GRAIN, digest_part, &chunk);
    for (uint32_t b = 0; b < count && !status; b++) {
        result->blocks++;
        if (digest[b] == want[block[b]]) continue;
        result->wrong_blocks++;
        if (!result->has_first)
            status = search(request, block[b], chunk.y + (size_t)b * EXHAUST_BLOCK_ELEMS, result, error);
    }
    return status;
}

enum assay_status exhaust_run(struct session *session, const struct exhaust_request *request,
                              struct exhaust_result *result, struct assay_error *error)
{
    static uint64_t want[EXHAUST_BLOCKS];
    uint32_t block[EXHAUST_BLOCKS], count = 0;
    *result = (struct exhaust_result){0};
    enum assay_status status = read_digests(request->name, want, error);
    for (uint32_t b = 0; b < EXHAUST_BLOCKS; b++)
        if (!request->shards || b % request->shards == request->shard - 1) block[count++] = b;
    const uint64_t start_ns = clock_now_ns();
    for (uint32_t at = 0, here; at < count && !status; at += here) {
        here = count - at < request->chunk_blocks ? count - at : request->chunk_blocks;
        status = run_chunk(session, request, block + at, here, want, result, error);
        result->wall_ns = clock_now_ns() - start_ns;
        if (request->progress) request->progress(request->context, at + here, count);
    }
    return status;
}
