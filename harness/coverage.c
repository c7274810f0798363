/* Cases that cover a card, and the shares that came of them; see coverage.h. Where something is wrong: place.c. */
#include "harness/coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB                 (UINT64_C(1) << 30)
#define MIB                 (UINT64_C(1) << 20)
#define SEED                0x5eed
#define SLOT_BYTES_MOST     GIB /* of a GPU: few buffers, and a slot's words are counted in 32 bits */
#define SLOTS_LEAST         8
#define UNITS_UNKNOWN       32 /* workgroups where nobody says how many units there are */
#define HOST_SHARE_MOST     8  /* of the host's memory at most an eighth */
#define PASSES              4  /* over memory: written and read, pattern and complement */
#define CASES_A_DEVICE_MOST 16

const double coverage_share[LEVEL_COUNT] = {0.1, 0.5, 0.9};
const uint64_t coverage_host_bytes[LEVEL_COUNT] = {64 * MIB, 256 * MIB, GIB};

/* Rounds of a unit, and words of the large transfers: of GPUs by level, of others always the first. */
static const int gpu_rounds[LEVEL_COUNT] = {2000, 20000, 60000}, host_rounds = 32;
static const int64_t gpu_words[LEVEL_COUNT] = {1 << 20, 16 << 20, 32 << 20}, host_words = 1 << 18;

static const struct what {
    const char *name, *op, *unit;
} whats[COVERAGE_WHATS] = {
    [COVERAGE_UNITS] = {"units", "SweepUnits", "multiprocessors"},
    [COVERAGE_MEMORY] = {"memory", "SweepMemory", "bytes"},
    [COVERAGE_UPLOAD] = {"upload", "SweepUpload", "bytes"},
    [COVERAGE_DOWNLOAD] = {"download", "SweepDownload", "bytes"},
};

const char *coverage_name(enum coverage_what what)
{
    return whats[what].name;
}

/* ---- the cases of a device ---- */

struct maker {
    struct coverage *coverage;
    struct plan *plan;
    size_t device;
    enum level level;
    bool host; /* works in the host's memory, on its processor */
    uint64_t seed;
};

static enum assay_status add_case(const struct maker *maker, const char *axes, enum coverage_what what,
                                  const char *why, struct assay_error *error)
{
    struct coverage *coverage = maker->coverage;
    struct corpus_entry *entry = &coverage->entry[coverage->count];
    char line[CASE_LINE_MAX];
    snprintf(line, sizeof line, "%s/f32/%s/fill=wide/seed=%" PRIx64, whats[what].name, axes, maker->seed);
    *entry = (struct corpus_entry){.level = LEVEL_QUICK, .why = why, .file = "coverage of the device"};
    enum assay_status status = case_parse(line, &entry->spec, error);
    if (status != ASSAY_OK) return status;
    entry->line = strdup(case_print(&entry->spec, line));
    if (!entry->line) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the plan");
    coverage->device_of[coverage->count++] = maker->device;
    return plan_add(maker->plan, entry, maker->device, "", error);
}

static int64_t number(const json_t *object, const char *field)
{
    return json_integer_value(json_object_get(object, field));
}

static enum assay_status add_units(const struct maker *maker, const struct inventory_device *device,
                                   struct assay_error *error)
{
    const int64_t units = number(device->json, "compute_units");
    char axes[96];
    snprintf(axes, sizeof axes, "units=%" PRId64 ",rounds=%d", units > 0 ? units : UNITS_UNKNOWN,
             maker->host ? host_rounds : gpu_rounds[maker->level]);
    maker->coverage->device[maker->device].row[COVERAGE_UNITS].total = units > 0 ? units : UNITS_UNKNOWN;
    return add_case(maker, axes, COVERAGE_UNITS, "every compute unit does the same exact work", error);
}

static uint64_t binding_bytes(const struct inventory_device *device)
{
    return (uint64_t)number(json_object_get(device->json, "limits"), "binding_bytes");
}

/* A power of two of bytes that a binding, a buffer and SLOTS_LEAST slots allow. */
static uint64_t slot_bytes(const struct inventory_device *device, uint64_t swept)
{
    const json_t *limits = json_object_get(device->json, "limits");
    const uint64_t binding = binding_bytes(device), allocation = (uint64_t)number(limits, "allocation_bytes");
    uint64_t most = SLOT_BYTES_MOST, bytes = 4096;
    if (binding && binding < most) most = binding;
    if (allocation && allocation < most) most = allocation;
    if (swept / SLOTS_LEAST < most) most = swept / SLOTS_LEAST;
    while (2 * bytes <= most) bytes *= 2;
    return bytes;
}

static enum assay_status add_memory(const struct maker *maker, const struct inventory_device *device,
                                    struct assay_error *error)
{
    const uint64_t memory = device->memory_bytes;
    uint64_t swept = (uint64_t)((double)memory * coverage_share[maker->level]);
    if (maker->host) {
        swept = coverage_host_bytes[maker->level];
        if (swept > memory / HOST_SHARE_MOST) swept = memory / HOST_SHARE_MOST;
    }
    const uint64_t slot = slot_bytes(device, swept), slots = swept / slot;
    char axes[96];
    struct coverage_row *row = &maker->coverage->device[maker->device].row[COVERAGE_MEMORY];
    row->total = (int64_t)memory;
    json_object_set_new(row->detail, "wanted_bytes", json_integer((json_int_t)(slot * slots)));
    json_object_set_new(row->detail, "slot_bytes", json_integer((json_int_t)slot));
    if (!slots) return ASSAY_OK;
    snprintf(axes, sizeof axes, "slots=%" PRIu64 ",kib=%" PRIu64, slots, slot >> 10);
    enum assay_status status =
        add_case(maker, axes, COVERAGE_MEMORY, "words that hold their address, and the complement", error);
    snprintf(axes, sizeof axes, "slots=%" PRIu64 ",kib=%" PRIu64 ",pattern=walk", slots, slot >> 10);
    return status ? status
                  : add_case(maker, axes, COVERAGE_MEMORY, "a bit that walks, and the complement", error);
}

static enum assay_status add_transfer(const struct maker *maker, enum coverage_what what,
                                      const struct inventory_device *device, struct assay_error *error)
{
    const uint64_t binding = binding_bytes(device);
    int64_t words = maker->host ? host_words : gpu_words[maker->level];
    while (binding && 4 * (uint64_t)words > binding / 2 && words > 4096) words /= 2;
    const struct {
        int64_t words, piece;
        const char *why;
    } cases[] = {
        {words, 0, "a large copy at once"},
        {1501, 17, "copies of 1 to 17 bytes at every offset"},
        {words - 3, words + 1, "copies from 1 byte to a quarter of the whole, at odd offsets"},
    };
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && !status; i++) {
        char axes[96];
        snprintf(axes, sizeof axes, "n=%" PRId64 ",piece=%" PRId64, cases[i].words, cases[i].piece);
        status = add_case(maker, axes, what, cases[i].why, error);
    }
    return status;
}

static bool has_kernel(const struct plan_device *device, enum coverage_what what)
{
    for (size_t i = 0; i < device->kernel_count; i++)
        if (strcmp(device->kernel[i].op, whats[what].op) == 0) return true;
    return false;
}

static enum assay_status plan_one(const struct maker *maker, const struct plan_device *planned,
                                  const struct inventory_device *device, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    for (int what = 0; what < COVERAGE_WHATS && !status; what++) {
        struct coverage_row *row = &maker->coverage->device[maker->device].row[what];
        if (!has_kernel(planned, what)) continue;
        row->unit = whats[what].unit;
        row->detail = json_object();
        status = what == COVERAGE_UNITS    ? add_units(maker, device, error)
                 : what == COVERAGE_MEMORY ? add_memory(maker, device, error)
                                           : add_transfer(maker, what, device, error);
    }
    return status;
}

enum assay_status coverage_plan(struct coverage *coverage, const struct session *session,
                                const struct plan_device *plan_device, size_t device_count, enum level level,
                                uint64_t seed, struct plan *plan, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    *coverage = (struct coverage){
        .entry = calloc(device_count * CASES_A_DEVICE_MOST + 1, sizeof *coverage->entry),
        .device_of = calloc(device_count * CASES_A_DEVICE_MOST + 1, sizeof *coverage->device_of),
        .device = calloc(device_count + 1, sizeof *coverage->device),
        .device_count = device_count};
    if (!coverage->entry || !coverage->device_of || !coverage->device)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for what covers the devices");
    for (size_t at = 0; at < device_count && !status; at++) {
        const struct maker maker = {.coverage = coverage,
                                    .plan = plan,
                                    .device = at,
                                    .level = level,
                                    .host = plan_device[at].class != PLAN_GPU,
                                    .seed = seed ? seed : SEED};
        status = plan_one(&maker, &plan_device[at], session[at].device, error);
    }
    return status;
}

/* ---- outcomes ---- */

static void keep_most(json_t *detail, const char *field, double value)
{
    if (value > json_real_value(json_object_get(detail, field)))
        json_object_set_new(detail, field, json_real(value));
}

/* A place or a reason, in the order in which they come. */
static void add_text(json_t *detail, const char *field, const char *text)
{
    json_t *list = json_object_get(detail, field);
    if (!list) json_object_set_new(detail, field, list = json_array());
    json_array_append_new(list, json_string(text));
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void note_units(struct coverage_row *row, const struct adapter_reply *reply, bool part, bool judged,
                       int64_t failed, int64_t missing)
{
    const bool by_id = strstr(reply->kernel, ".smid.") != NULL;
    row->covered = judged ? row->total - missing : 0;
    row->failed = failed;
    if (!by_id) row->unit = "workgroups"; /* which unit ran which of them is not known */
    json_object_set_new(row->detail, "by",
                        json_string(!by_id ? "workgroup"
                                    : part ? "distinct unit ids"
                                           : "unit id"));
}

static void note_memory(struct coverage_row *row, const struct op_case *c, const struct adapter_reply *reply,
                        bool judged, bool first, int64_t failed)
{
    const int64_t bytes = judged ? (int64_t)reply->swept_bytes : 0;
    const int64_t wanted = c->axis[0] * c->axis[1] * 1024;
    row->covered = first ? bytes : least(row->covered, bytes);
    if (failed > row->failed) row->failed = failed;
    uint64_t ns = 0;
    for (uint32_t i = 0; i < reply->samples; i++)
        if (!ns || reply->sample_ns[i] < ns) ns = reply->sample_ns[i];
    if (judged && ns) keep_most(row->detail, "bytes_per_s", PASSES * (double)wanted / (double)ns * 1e9);
    if (judged && bytes < wanted) {
        char text[120];
        snprintf(text, sizeof text, "%" PRId64 " of %" PRId64 " bytes that were wanted could be had", bytes,
                 wanted);
        add_text(row->detail, "less", text);
    }
}

static void note_transfer(struct coverage_row *row, enum coverage_what what, const struct op_case *c,
                          const struct adapter_reply *reply, bool judged, int64_t failed)
{
    const int64_t bytes = 4 * c->axis[0];
    const bool up = what == COVERAGE_UPLOAD;
    const uint64_t moved = up ? reply->upload_bytes : reply->download_bytes,
                   ns = up ? reply->upload_ns : reply->download_ns;
    row->total += bytes;
    if (judged) row->covered += bytes;
    row->failed += failed;
    if (judged && ns && !c->axis[1]) keep_most(row->detail, "bytes_per_s", (double)moved / (double)ns * 1e9);
}

void coverage_note(struct coverage *coverage, const struct crew_outcome *outcome)
{
    const size_t at = (size_t)(outcome->row->entry - coverage->entry);
    if (!coverage->entry || outcome->row->entry < coverage->entry || at >= coverage->count) return;
    const struct op_case *c = &outcome->spec->op;
    const struct judgement *judgement = &outcome->result->judgement;
    const struct adapter_reply *reply = &outcome->result->reply;
    int what = 0;
    while (strcmp(c->op->name, whats[what].name) != 0) what++;
    struct coverage_row *row = &coverage->device[coverage->device_of[at]].row[what];
    const bool judged = judgement->verdict == VERDICT_PASS || judgement->verdict == VERDICT_DIFF ||
                        judgement->verdict == VERDICT_NONDET;
    const bool first = json_integer_value(json_object_get(row->detail, "cases")) == 0;
    char place[400];
    int64_t failed = 0, missing = 0;
    if (coverage_place(outcome, place, sizeof place, &failed, &missing))
        add_text(row->detail, "first", place);
    else if (judgement->verdict != VERDICT_PASS)
        add_text(row->detail, "not_judged", judgement->reason);
    json_object_set_new(row->detail, "cases",
                        json_integer(json_integer_value(json_object_get(row->detail, "cases")) + 1));
    if (what == COVERAGE_UNITS)
        note_units(row, reply, outcome->session->device->partition[0] != 0, judged, failed, missing);
    else if (what == COVERAGE_MEMORY)
        note_memory(row, c, reply, judged, first, failed);
    else
        note_transfer(row, what, c, reply, judged, failed);
}

void coverage_free(struct coverage *coverage)
{
    if (!coverage) return;
    for (size_t at = 0; at < coverage->count; at++) free(coverage->entry[at].line);
    for (size_t at = 0; at < coverage->device_count && coverage->device; at++)
        for (int what = 0; what < COVERAGE_WHATS; what++) json_decref(coverage->device[at].row[what].detail);
    free(coverage->entry);
    free(coverage->device_of);
    free(coverage->device);
    *coverage = (struct coverage){0};
}
