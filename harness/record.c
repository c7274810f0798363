/* What a run writes into the database: itself, its devices, its plan, and a row an outcome. */
#include "harness/resume.h"
#include "harness/settings.h"
#include "build/gen/version.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* ---- the run ---- */

static void host_text(char *text, size_t bytes)
{
    struct utsname system;
    char model[128] = "unknown processor", line[256];
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(model, sizeof model, "%.120s", colon + 2);
        model[strcspn(model, "\n")] = 0;
        break;
    }
    if (file) fclose(file);
    if (uname(&system) != 0) memset(&system, 0, sizeof system);
    snprintf(text, bytes, "%s %s %s, %s, %ld cores", system.sysname, system.release, system.machine, model,
             sysconf(_SC_NPROCESSORS_ONLN));
}

/* What each oracle is to the kernels that it judges (row O04). */
static json_t *oracles_json(void)
{
    json_t *oracles = json_object();
    for (size_t at = 0; at < oracle_table_count; at++)
        json_object_set_new(oracles, oracle_table[at].name,
                            json_string(oracle_table[at].independent ? "independent" : "self"));
    return oracles;
}

static char *settings_json(const struct run *run)
{
    json_t *settings = settings_of(run->options);
    if (settings) json_object_set_new(settings, "float64", json_string(oracle_f64_name()));
    if (settings) json_object_set_new(settings, "oracles", oracles_json());
    if (settings) json_object_set_new(settings, "cuda_compiler", json_string(ASSAY_BUILD_CUDA));
    if (settings && run->gguf.path) {
        json_object_set_new(settings, "gguf", json_string(run->gguf.path));
        json_object_set_new(settings, "gguf_hash", json_string(run->gguf.hash));
    }
    char *text = json_dumps(settings, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(settings);
    return text;
}

enum assay_status record_begin(struct run *run, struct assay_error *error)
{
    char host[512], hash[17], shard[32] = "";
    if (!run->store) return ASSAY_OK;
    if (run->options->shards)
        snprintf(shard, sizeof shard, "%u/%u", (unsigned)run->options->shard, (unsigned)run->options->shards);
    char *settings = settings_json(run);
    host_text(host, sizeof host);
    corpus_hash(&run->corpus, hash);
    const struct store_run row = {.verb = run->options->verb,
                                  .command = run->options->command,
                                  .level = level_name(run->options->level),
                                  .engine = run->inventory.engine,
                                  .engine_version = run->inventory.version,
                                  .host = host,
                                  .corpus_hash = hash,
                                  .label = run->options->label,
                                  .shard = shard,
                                  .settings = settings ? settings : "{}"};
    enum assay_status status = store_run_begin(run->store, &row, &run->run_id, error);
    free(settings);
    return status == ASSAY_OK ? resume_lock_new(run, error) : status;
}

static bool same_identity(const struct inventory_device *a, const struct inventory_device *b)
{
    return strcmp(a->key, b->key) == 0 && strcmp(a->backend, b->backend) == 0 &&
           strcmp(a->driver, b->driver) == 0 && strcmp(a->name, b->name) == 0;
}

void record_key(const struct inventory *inventory, const struct inventory_device *device,
                char key[RECORD_KEY_MAX])
{
    snprintf(key, RECORD_KEY_MAX, "%.260s", *device->key ? device->key : device->label);
    for (size_t at = 0; *device->key && inventory->device + at < device; at++)
        if (same_identity(&inventory->device[at], device))
            snprintf(key, RECORD_KEY_MAX, "%.260s %s", device->key, device->label);
}

enum assay_status record_device(struct run *run, const struct inventory_device *device,
                                const struct session *session, const char *state, const char *why,
                                int64_t *device_id, struct assay_error *error)
{
    char key[RECORD_KEY_MAX];
    if (!run->store) return ASSAY_OK;
    record_key(&run->inventory, device, key);
    char *info = json_dumps(device->json, JSON_COMPACT);
    const struct store_device row = {.key = key,
                                     .backend = device->backend,
                                     .driver = device->driver,
                                     .name = device->name,
                                     .api = device->api,
                                     .kind = device->kind,
                                     .uuid = device->uuid,
                                     .pci = device->pci,
                                     .label = device->label,
                                     .info_json = info ? info : "{}",
                                     .software = device->software,
                                     .opened = session && session->opened,
                                     .state = state,
                                     .why = why,
                                     .variant = session ? session->variant : "",
                                     .variant_why = session ? session->variant_why : "",
                                     .probe_json = session ? session->probe_json : NULL};
    enum assay_status status = store_device_add(run->store, run->run_id, &row, device_id, error);
    free(info);
    return status;
}

enum assay_status record_left_out(struct run *run, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    char why[INVENTORY_WHY_MAX];
    int64_t unused;
    for (size_t at = 0; at < run->inventory.device_count && status == ASSAY_OK; at++) {
        const struct inventory_device *device = &run->inventory.device[at];
        bool chosen = false;
        for (size_t c = 0; c < run->chosen_count; c++) chosen |= run->chosen[c] == at;
        if (chosen) continue;
        inventory_why_not(device, why);
        status = record_device(run, device, NULL, "left out", *why ? why : "not selected", &unused, error);
    }
    return status;
}

/* ---- the plan ---- */

struct case_words {
    const char *op, *fill;
    char dtype[64], source[160];
};

static void case_words(const struct corpus_entry *entry, struct case_words *words)
{
    *words = (struct case_words){.op = "onnx", .fill = ""};
    if (entry->file && entry->file_line > 0)
        snprintf(words->source, sizeof words->source, "%.140s:%d", entry->file, entry->file_line);
    else if (entry->file)
        snprintf(words->source, sizeof words->source, "%.140s", entry->file);
    else
        snprintf(words->source, sizeof words->source, "command line");
    if (entry->onnx) return;
    words->op = entry->spec.op.op->name;
    words->fill = entry->spec.fill;
    for (size_t at = 0; at < entry->spec.op.dtype_count; at++)
        snprintf(words->dtype + strlen(words->dtype), sizeof words->dtype - strlen(words->dtype), "%s%s",
                 at ? "." : "", assay_dtype_name(entry->spec.op.dtype[at]));
}

enum assay_status record_plan(struct run *run, struct assay_error *error)
{
    struct case_words words;
    if (!run->store) return ASSAY_OK;
    enum assay_status status = store_plan_begin(run->store, error);
    for (size_t at = 0; status == ASSAY_OK && at < run->plan.row_count; at++) {
        const struct plan_row *row = &run->plan.row[at];
        case_words(row->entry, &words);
        status = store_plan_add(run->store, run->run_id, (int64_t)at, row->entry->line, words.op, words.dtype,
                                words.fill, plan_flops(row->entry), run->device[row->device].device_id,
                                row->kernel, row->entry->why, words.source, error);
    }
    for (size_t at = 0; status == ASSAY_OK && at < run->plan.capped_count; at++) {
        const struct plan_capped *capped = &run->plan.capped[at];
        case_words(capped->entry, &words);
        status = store_capped_add(run->store, run->run_id, capped->entry->line, words.op, words.dtype,
                                  words.fill, plan_flops(capped->entry),
                                  run->device[capped->device].device_id, capped->reason, error);
    }
    return status == ASSAY_OK ? store_plan_end(run->store, run->run_id, error) : status;
}

enum assay_status record_coverage(struct run *run, struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    for (size_t at = 0; run->store && at < run->coverage.device_count; at++)
        for (int what = 0; what < COVERAGE_WHATS && !status; what++) {
            const struct coverage_row *from = &run->coverage.device[at].row[what];
            if (!from->unit) continue;
            char *detail = json_dumps(from->detail, JSON_COMPACT | JSON_SORT_KEYS);
            const struct store_coverage row = {.what = coverage_name(what),
                                               .unit = from->unit,
                                               .total = from->total,
                                               .covered = from->covered,
                                               .failed = from->failed,
                                               .detail = detail ? detail : "{}"};
            status = store_coverage_add(run->store, run->run_id, run->device[at].device_id, &row, error);
            free(detail);
        }
    return status;
}

/* ---- outcomes ---- */

char *record_repro(const struct run *run, const struct crew_outcome *outcome)
{
    const struct options *options = run->options;
    const char *kernel = *outcome->row->kernel ? outcome->row->kernel : NULL;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    fprintf(out, "assay replay '%s' --device %s", outcome->small, outcome->session->device->label);
    if (kernel) fprintf(out, " --kernel %s", kernel);
    if (run->gguf.path && outcome->spec->file[0])
        fprintf(out, " --gguf '%s' --gguf-hash %s", run->gguf.path, run->gguf.hash);
    if (options->engine) fprintf(out, " --engine %s", options->engine);
    if (options->engine_args) fprintf(out, " --engine-args '%s'", options->engine_args);
    if (options->variant) fprintf(out, " --fma %s", options->variant);
    if (options->max_binding_bytes) fprintf(out, " --max-binding %" PRIu64, options->max_binding_bytes);
    if (options->vulkan_staging) fputs(" --vulkan-staging", out);
    if (options->no_cpu_simd) fputs(" --no-cpu-simd", out);
    if (options->allow_software && outcome->session->device->software) fputs(" --allow-software", out);
    fclose(out);
    return text;
}

enum assay_status record_outcome(struct run *run, const struct crew_outcome *outcome, const char *repro,
                                 struct assay_error *error)
{
    const struct judgement *judgement = &outcome->result->judgement;
    const struct adapter_reply *reply = &outcome->result->reply;
    const struct inventory_kernel *kernel = outcome->kernel;
    if (!run->store) return ASSAY_OK;
    const struct store_result row = {
        .seq = outcome->seq,
        .attempt = outcome->row->attempts + 1,
        .kernel = *reply->kernel ? reply->kernel : NULL,
        .kernel_hash = reply->kernel_hash,
        .variant = reply->variant,
        .op = kernel ? kernel->op : "",
        .backend = kernel ? kernel->backend : outcome->session->device->backend,
        .technique = kernel ? kernel->technique : "",
        .mode = kernel ? kernel->mode : "exact",
        .dtype = kernel ? kernel->dtype : "",
        .verdict = judgement->verdict,
        .expected = outcome->spec->expect,
        .rung = judgement->rung,
        .oracle = judgement->oracle,
        .oracle_version = judgement->oracle_version,
        .elems = judgement->elems,
        .judged = judgement->judged,
        .differing = judgement->differing,
        .first_index = judgement->first_index,
        .got = judgement->got,
        .want = judgement->want,
        .max_ulp = judgement->has_ulp ? &judgement->max_ulp : NULL,
        .scaled_f64 = judgement->has_f64 ? &judgement->scaled_f64 : NULL,
        .rms_f64 = judgement->has_f64 ? &judgement->rms_f64 : NULL,
        .ulp_f64 = judgement->has_f64 ? &judgement->ulp_f64 : NULL,
        .bound_f64 = judgement->has_f64 ? &judgement->bound_f64 : NULL,
        .published_scaled = judgement->has_published ? &judgement->published_scaled : NULL,
        .published_differing = judgement->published_differing,
        .digest = judgement->digest,
        .sample_ns = reply->sample_ns,
        .sample_count = reply->samples,
        .wall_ns = outcome->result->wall_ns,
        .reason = judgement->reason,
        .repro = repro,
    };
    return store_result_add(run->store, run->run_id, &row, error);
}
