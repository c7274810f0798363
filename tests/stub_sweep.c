/* An engine that knows the four sweeps of a card alone, with a fault on demand behind harness/adapter.h: `--engine-args
 * "stuck"`, "alias", "unit", "unvisited", "upflip", "downflip", "lost", "partmemory", "partfirst"; without it is right. Its
 * memory is an array here, so a fault is what it is on a card: a bit that stays set, an address that means another's place.
 * Written from the words at the head of oracles/sweep/sweep.h; it links nothing of Assay. */
#include "harness/adapter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN 0x9e3779b9u

struct session {
    char fault[32];
};

static uint32_t mix(uint32_t z)
{
    z ^= z >> 16;
    z *= 0x85ebca6bu;
    z ^= z >> 13;
    z *= 0xc2b2ae35u;
    return z ^ z >> 16;
}

static int64_t attr_of(const struct adapter_node *node, const char *name)
{
    for (size_t i = 0; i < node->attr_count; i++)
        if (strcmp(node->attr[i].name, name) == 0) return node->attr[i].i;
    return 0;
}

static uint32_t *words_of(const struct assay_tensor *tensor)
{
    return (uint32_t *)tensor->data + tensor->offset;
}

static bool is(const struct session *session, const char *fault)
{
    return strcmp(session->fault, fault) == 0;
}

/* ---- the sweeps ---- */

static float number(uint32_t x, uint32_t keep, uint32_t exponent)
{
    const uint32_t bits = (x & keep) | exponent;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void units(const struct session *session, const struct adapter_node *node)
{
    const uint32_t *k = words_of(&node->input[0]);
    uint32_t *y = words_of(&node->output[0]), s0 = 0, s1 = 0;
    for (uint32_t t = 0; t < 256; t++) {
        uint32_t x = mix(k[0] + t * GOLDEN), h = k[1] ^ x, bits;
        float f = number(x, 0x7fffff, 0x3f800000);
        for (uint32_t r = 0; r < attr_of(node, "rounds"); r++) {
            x = mix(x + r);
            const float a = number(x, 0x807fffff, 0x3f000000);
            x = mix(x ^ h);
            f = fmaf(a, f, number(x, 0x807fffff, 0x3f800000));
            memcpy(&bits, &f, sizeof bits);
            h = mix(h ^ bits);
        }
        s0 += h;
        s1 += h * (2 * t + 1);
    }
    for (int64_t u = 0; u < node->output[0].shape[0]; u++) {
        const bool unseen = is(session, "unvisited") && u == 5, wrong = is(session, "unit") && u == 4;
        y[4 * u] = unseen ? 0 : s0 ^ wrong;
        y[4 * u + 1] = unseen ? UINT32_MAX : s0 ^ wrong;
        y[4 * u + 2] = unseen ? 0 : s1;
        y[4 * u + 3] = unseen ? UINT32_MAX : s1;
    }
}

/* A card's memory: word 5 of slot 3 has bit 10 stuck, or word 70 of slot 2 is the place of word 9 of slot 7. */
struct memory {
    const struct session *session;
    uint32_t *word;
    int64_t slot_words;
};

static uint32_t *place_of(const struct memory *m, int64_t slot, int64_t i)
{
    const bool aliased = is(m->session, "alias") && slot == 2 && i == 70;
    return &m->word[aliased ? 7 * m->slot_words + 9 : slot * m->slot_words + i];
}

static uint32_t pattern(const struct adapter_node *node, int pass, uint32_t slot, uint32_t i)
{
    const uint32_t *k = words_of(&node->input[0]);
    const uint32_t word = attr_of(node, "pattern") ? UINT32_C(1) << (i + slot + k[0]) % 32
                                                   : (k[0] | 1) * i + k[1] + slot * GOLDEN;
    return pass ? ~word : word;
}

static bool memory(const struct session *session, const struct adapter_node *node)
{
    const int64_t slots = node->output[0].shape[0], words = attr_of(node, "kib") * 256;
    const struct memory m = {session, malloc((size_t)(4 * slots * words)), words};
    uint32_t *y = words_of(&node->output[0]);
    if (!m.word) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t slot = 0; slot < slots; slot++)
            for (int64_t i = 0; i < words; i++) {
                *place_of(&m, slot, i) = pattern(node, pass, (uint32_t)slot, (uint32_t)i);
                if (is(session, "stuck") && slot == 3 && i == 5) *place_of(&m, slot, i) |= 1u << 10;
            }
        for (int64_t slot = 0; slot < slots; slot++) {
            uint32_t *row = y + 10 * slot + 5 * pass;
            row[0] = row[1] = row[3] = row[4] = 0;
            row[2] = UINT32_MAX;
            for (int64_t i = 0; i < words; i++) {
                const uint32_t word = *place_of(&m, slot, i),
                               differ = word ^ pattern(node, pass, (uint32_t)slot, (uint32_t)i);
                row[0] += differ != 0;
                row[1] |= differ;
                if (differ && row[2] == UINT32_MAX) row[2] = (uint32_t)i;
                row[3] += word;
                row[4] += word * (2 * (uint32_t)i + 1);
            }
        }
    }
    free(m.word);
    return true;
}

static void upload(const struct session *session, const struct adapter_node *node)
{
    const uint32_t *x = words_of(&node->input[0]);
    uint32_t *y = words_of(&node->output[0]);
    const int64_t n = node->input[0].shape[0];
    for (int64_t chunk = 0; chunk < node->output[0].shape[0]; chunk++) {
        y[2 * chunk] = y[2 * chunk + 1] = 0;
        for (uint32_t i = 0; i < 4096 && 4096 * chunk + i < n; i++) {
            const bool wrong = is(session, "upflip") && 4096 * chunk + i == 5000;
            const uint32_t word = x[4096 * chunk + i] ^ (wrong ? 1u << 20 : 0);
            y[2 * chunk] += word;
            y[2 * chunk + 1] += word * (2 * i + 1);
        }
    }
}

static void download(const struct session *session, const struct adapter_node *node)
{
    const uint32_t *k = words_of(&node->input[0]);
    uint32_t *y = words_of(&node->output[0]);
    for (int64_t i = 0; i < node->output[0].shape[0]; i++)
        y[i] = mix((uint32_t)i * GOLDEN + k[0]) ^ k[1] ^ (is(session, "downflip") && i == 999 ? 1u << 17 : 0);
}

/* ---- the table ---- */

static enum assay_status refuse(struct assay_error *error, enum assay_status status, const char *text)
{
    error->status = status;
    snprintf(error->text, sizeof error->text, "%s", text);
    return status;
}

static enum assay_status stub_describe(const struct adapter_options *options, char **json,
                                       struct assay_error *error)
{
    const char *partition = getenv("STUB_PARTITION");
    (void)options;
    if (asprintf(
            json,
            "{\"engine\": \"sweeper\", \"version\": \"1\", \"devices\": [{\"label\": \"stub:0\", "
            "\"backend\": "
            "\"stub\","
            " \"index\": 0, \"name\": \"Stub card\", \"driver\": \"stub 1\", \"api\": \"none\", \"key\": "
            "\"stub-0\","
            " \"uuid\": \"\", \"pci\": \"\", \"partition\": \"%s\", \"kind\": \"discrete\", \"software\": "
            "false, \"usable\": true, "
            "\"why\": \"\","
            " \"device_local_bytes\": 1048576, \"compute_units\": 6, \"limits\": {\"binding_bytes\": 65536,"
            " \"allocation_bytes\": 8192}}], \"notes\": [], \"kernels\": ["
            "{\"name\": \"sweep.stub.smid.exact\", \"op\": \"SweepUnits\", \"backend\": \"stub\", "
            "\"technique\": "
            "\"smid\","
            " \"mode\": \"exact\", \"dtype\": \"i32\"},"
            "{\"name\": \"sweep.stub.memory.exact\", \"op\": \"SweepMemory\", \"backend\": \"stub\", "
            "\"technique\":"
            " \"memory\", \"mode\": \"exact\", \"dtype\": \"i32\"},"
            "{\"name\": \"sweep.stub.upload.exact\", \"op\": \"SweepUpload\", \"backend\": \"stub\", "
            "\"technique\":"
            " \"upload\", \"mode\": \"exact\", \"dtype\": \"i32\"},"
            "{\"name\": \"sweep.stub.download.exact\", \"op\": \"SweepDownload\", \"backend\": \"stub\", "
            "\"technique\":"
            " \"download\", \"mode\": \"exact\", \"dtype\": \"i32\"}]}",
            partition ? partition : "") < 0)
        *json = NULL;
    return *json ? ASSAY_OK : refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
}

static enum assay_status stub_open(const struct adapter_options *options, const char *device, void **out,
                                   struct assay_error *error)
{
    struct session *session = calloc(1, sizeof *session);
    (void)device;
    if (!session) return refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
    snprintf(session->fault, sizeof session->fault, "%s", options->engine_args ? options->engine_args : "");
    *out = session;
    return ASSAY_OK;
}

static enum assay_status stub_probe(void *session, char **json, struct assay_error *error)
{
    (void)session;
    *json = strdup("{\"traits\": [], \"variant\": \"native\", \"why\": \"it is a stub\", \"kernels\": []}");
    return *json ? ASSAY_OK : refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
}

static enum assay_status stub_supports(void *session, const struct adapter_node *node,
                                       const struct adapter_request *request, struct assay_error *error)
{
    (void)session, (void)request;
    return strncmp(node->op, "Sweep", 5) == 0 ? ASSAY_OK
                                              : refuse(error, ASSAY_UNSUPPORTED, "stub: sweeps alone");
}

static enum assay_status stub_run(void *opaque, const struct adapter_node *node,
                                  const struct adapter_request *request, struct adapter_reply *reply,
                                  struct assay_error *error)
{
    const struct session *session = opaque;
    const char *technique = strcmp(node->op, "SweepUnits") == 0    ? "smid"
                            : strcmp(node->op, "SweepMemory") == 0 ? "memory"
                            : strcmp(node->op, "SweepUpload") == 0 ? "upload"
                                                                   : "download";
    const uint64_t memory_bytes = (uint64_t)(attr_of(node, "kib") << 10) * (uint64_t)node->output[0].shape[0];
    if (is(session, "lost") && strcmp(technique, "memory") == 0)
        return refuse(error, ASSAY_DEVICE_LOST, "stub: wait failed (device lost)");
    if (strcmp(technique, "smid") == 0) units(session, node);
    if (strcmp(technique, "memory") == 0 && !memory(session, node))
        return refuse(error, ASSAY_OUT_OF_MEMORY, "stub: out of memory");
    if (strcmp(technique, "upload") == 0) upload(session, node);
    if (strcmp(technique, "download") == 0) download(session, node);
    snprintf(reply->kernel, sizeof reply->kernel, "sweep.stub.%s.exact", technique);
    snprintf(reply->kernel_hash, sizeof reply->kernel_hash, "0123456789");
    const bool part =
        is(session, "partmemory") || (is(session, "partfirst") && attr_of(node, "pattern") == 0);
    reply->swept_bytes = part ? memory_bytes / 2 : memory_bytes;
    reply->upload_bytes = reply->download_bytes = 1000;
    reply->upload_ns = reply->download_ns = 500;
    reply->samples = request->samples;
    for (uint32_t at = 0; at < request->samples; at++) reply->sample_ns[at] = 1000 + at;
    return ASSAY_OK;
}

static void stub_release(char *json)
{
    free(json);
}

static void stub_close(void *session)
{
    free(session);
}

static const struct adapter table = {.abi = ASSAY_ADAPTER_ABI,
                                     .engine = "sweeper",
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
