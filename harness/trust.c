/* Writing trust records, and asking where a device stands. See trust.h. */
#include "harness/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "build/gen/version.h"
#include "harness/words.h"

#define FORMAT       1
#define BEFORE_BYTES (1u << 20)

bool trust_possible(const struct inventory_device *device)
{
    return !device->software && strcmp(device->backend, "cpu") != 0 && strcmp(device->backend, "rented") != 0;
}

static struct assay_trust_key key_of(const char *engine, const struct inventory_device *device)
{
    return (struct assay_trust_key){.uuid = device->uuid,
                                    .partition = device->partition,
                                    .vbios = device->vbios,
                                    .engine = engine,
                                    .backend = device->backend,
                                    .driver = device->driver};
}

static void now_utc(char text[32])
{
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* ---- files ---- */

static bool make_folders(const char *path)
{
    char part[4096];
    snprintf(part, sizeof part, "%s", path);
    for (char *c = part + 1; *c; c++) {
        if (*c != '/') continue;
        *c = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return false;
        *c = '/';
    }
    return true;
}

static bool write_whole(int file, const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        ssize_t put = write(file, text, left);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        text += put;
        left -= (size_t)put;
    }
    return true;
}

static void sync_folder(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    int file = open(*folder ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

/* The old text or the new one, never a part: a file beside it, made durable, takes its place. */
static enum assay_status replace(const char *path, const char *text, struct assay_error *error)
{
    char beside[4200];
    int code = 0, file = -1;
    snprintf(beside, sizeof beside, "%s.%ld.new", path, (long)getpid());
    if (make_folders(path)) file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file < 0 || !write_whole(file, text) || fsync(file) != 0) code = errno;
    if (file >= 0 && close(file) != 0 && !code) code = errno;
    if (!code && rename(beside, path) != 0) code = errno;
    if (!code) {
        sync_folder(path);
        return ASSAY_OK;
    }
    if (file >= 0) unlink(beside);
    return assay_error_set(error, ASSAY_IO, "the trust record %.350s cannot be written: %s", path,
                           strerror(code));
}

/* NULL when there is no such file, or none worth keeping. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = file ? malloc(BEFORE_BYTES + 1) : NULL;
    size_t bytes = text ? fread(text, 1, BEFORE_BYTES + 1, file) : 0;
    bool bad = !text || ferror(file) || bytes > BEFORE_BYTES;
    if (file) fclose(file);
    if (bad) {
        free(text);
        return NULL;
    }
    text[bytes] = '\0';
    return text;
}

static enum assay_status put(struct trust *trust, json_t *document, struct assay_error *error)
{
    char *text = document ? assay_trust_seal(document) : NULL;
    json_decref(document);
    if (!text) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for a trust record");
    enum assay_status status = replace(trust->path, text, error);
    if (status == ASSAY_OK) {
        free(trust->text);
        trust->text = text;
    } else {
        free(text);
    }
    return status;
}

/* ---- records ---- */

static json_t *key_json(const struct trust *trust)
{
    const struct inventory_device *device = trust->device;
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "uuid", device->uuid, "partition", device->partition,
                     "vbios", device->vbios, "engine", trust->engine, "backend", device->backend, "driver",
                     device->driver);
}

static json_t *device_json(const struct inventory_device *device)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "label", device->label, "name", device->name, "pci",
                     device->pci, "api", device->api, "kind", device->kind);
}

static const char *program_text(char text[256])
{
    snprintf(text, 256, "assay %s, revision %s, %s", adapter_assay.version, ASSAY_BUILD_REVISION,
             ASSAY_BUILD_COMPILER);
    return text;
}

/* A record that trusts nothing. */
static json_t *refusal(const struct trust *trust, const char *reason)
{
    char when[32], program[256];
    now_utc(when);
    return json_pack("{s:i, s:b, s:s, s:o, s:o, s:s, s:s}", "format", FORMAT, "trusted", 0, "reason", reason,
                     "key", key_json(trust), "device", device_json(trust->device), "when_utc", when,
                     "program", program_text(program));
}

/* Which oracles judged: those of the table, and the definitions of the operators in `groups`. */
static void oracles_text(const json_t *groups, char *text, size_t bytes)
{
    size_t used = 0, at;
    const json_t *group;
    text[0] = '\0';
    for (size_t i = 0; i < oracle_table_count; i++)
        words_append(text, bytes, &used, "%s%s %u", i ? ", " : "", oracle_table[i].name,
                     (unsigned)oracle_table[i].version);
    for (size_t i = 0; assay_ops[i]; i++) {
        bool judged = false;
        json_array_foreach((json_t *)groups, at, group)
        {
            const char *op = json_string_value(json_object_get(group, "op"));
            judged |= op && strcmp(op, assay_ops[i]->name) == 0;
        }
        if (judged)
            words_append(text, bytes, &used, "; %s %u", assay_ops[i]->name,
                         (unsigned)assay_ops[i]->contract_version);
    }
}

/* The code of each kernel that the check passed, by the probe. A kernel without one is left out: what it loads cannot be
 * recognised again. */
static json_t *kernels_json(const struct trust *trust, const json_t *probe)
{
    json_t *codes = json_object(), *row;
    size_t at;
    json_array_foreach(json_object_get(probe, "kernels"), at, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        json_t *code = json_object_get(row, "code");
        for (size_t i = 0; i < trust->kernel_count && name && json_is_string(code); i++)
            if (strcmp(trust->kernel[i].name, name) == 0) json_object_set(codes, name, code);
    }
    return codes;
}

static json_t *judged_json(const struct trust *trust, const struct trust_facts *facts)
{
    json_t *groups = json_array(), *kernels = json_object();
    int64_t elems = 0;
    for (size_t i = 0; i < trust->group_count; i++) {
        char op[96] = "", dtype[96] = "", fill[96] = "";
        sscanf(trust->group[i].name, "%95s %95s %95s", op, dtype, fill);
        json_array_append_new(groups, json_pack("{s:s, s:s, s:s, s:I, s:I}", "op", op, "dtype", dtype, "fill",
                                                fill, "cases", (json_int_t)trust->group[i].cases, "elems",
                                                (json_int_t)trust->group[i].elems));
        elems += trust->group[i].elems;
    }
    for (size_t i = 0; i < trust->kernel_count; i++)
        json_object_set_new(kernels, trust->kernel[i].name, json_integer(trust->kernel[i].cases));
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "planned", (json_int_t)facts->planned, "passed",
                     (json_int_t)facts->passed, "not_judged", (json_int_t)facts->not_judged, "capped",
                     (json_int_t)facts->capped, "elems", (json_int_t)elems, "groups", groups, "kernels",
                     kernels);
}

static json_t *arithmetic_json(const json_t *probe)
{
    static const char *const fields[] = {"variant", "why", "controls", "forced", "measured"};
    json_t *arithmetic = json_object(), *row;
    json_int_t tested = 0, wrong = 0;
    size_t at;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        json_t *value = json_object_get(probe, fields[i]);
        if (value) json_object_set(arithmetic, fields[i], value);
    }
    json_array_foreach(json_object_get(probe, "traits"), at, row)
    {
        tested += json_integer_value(json_object_get(row, "tested"));
        wrong += json_integer_value(json_object_get(row, "wrong"));
    }
    json_object_set_new(arithmetic, "traits_tested", json_integer(tested));
    json_object_set_new(arithmetic, "traits_wrong", json_integer(wrong));
    return arithmetic;
}

/* ---- the course of a check ---- */

enum assay_status trust_begin(const struct options *options, const char *engine,
                              const struct inventory_device *device, struct trust *trust,
                              struct assay_error *error)
{
    struct assay_error why = {0};
    char when[32], reason[96];
    *trust = (struct trust){.device = device, .engine = engine};
    if (!trust_possible(device)) return ASSAY_OK;
    const struct assay_trust_key key = key_of(engine, device);
    if (assay_trust_path(options->trust_dir, &key, trust->path, sizeof trust->path, &why) != ASSAY_OK) {
        snprintf(trust->outcome, sizeof trust->outcome, "no trust record is kept: %.300s", why.text);
        return ASSAY_OK;
    }
    trust->before = read_text(trust->path);
    now_utc(when);
    snprintf(reason, sizeof reason, "a check that began at %s has not ended", when);
    enum assay_status status = put(trust, refusal(trust, reason), error);
    trust->kept = status == ASSAY_OK;
    return status;
}

static enum assay_status count(struct trust_count **list, size_t *length, const char *name, int64_t elems,
                               struct assay_error *error)
{
    size_t at = 0;
    while (at < *length && strcmp((*list)[at].name, name) != 0) at++;
    if (at == *length) {
        struct trust_count *more = realloc(*list, (*length + 1) * sizeof *more);
        if (!more) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for a trust record");
        *list = more;
        more[at] = (struct trust_count){0};
        snprintf(more[at].name, sizeof more[at].name, "%.95s", name);
        (*length)++;
    }
    (*list)[at].cases++;
    (*list)[at].elems += elems;
    return ASSAY_OK;
}

enum assay_status trust_note(struct trust *trust, const char *op, const char *dtype, const char *fill,
                             const char *kernel, int64_t elems, struct assay_error *error)
{
    char group[96];
    if (!trust->kept) return ASSAY_OK;
    snprintf(group, sizeof group, "%.30s %.30s %.30s", *op ? op : "-", *dtype ? dtype : "-",
             *fill ? fill : "-");
    enum assay_status status = count(&trust->group, &trust->group_count, group, elems, error);
    return status ? status : count(&trust->kernel, &trust->kernel_count, kernel, elems, error);
}

enum assay_status trust_grant(struct trust *trust, const struct trust_facts *facts, struct assay_error *error)
{
    char when[32], program[256], oracles[1024];
    if (!trust->kept) return ASSAY_OK;
    json_t *probe = facts->probe_json ? json_loads(facts->probe_json, 0, NULL) : NULL;
    json_t *judged = judged_json(trust, facts), *kernels = kernels_json(trust, probe), *key = key_json(trust);
    const char *variant = json_string_value(json_object_get(probe, "variant"));
    enum assay_status status = ASSAY_OK;
    if (json_object_size(kernels) == 0)
        status = assay_error_set(error, ASSAY_UNSUPPORTED,
                                 "no trust record: the engine names no code of the kernels that were judged");
    if (status == ASSAY_OK) {
        oracles_text(json_object_get(judged, "groups"), oracles, sizeof oracles);
        now_utc(when);
        json_object_set_new(key, "variant", json_string(variant ? variant : ""));
        json_object_set_new(key, "level", json_string(facts->level));
        json_object_set_new(key, "oracles", json_string(oracles));
        json_object_set(key, "kernels", kernels);
        status = put(trust,
                     json_pack("{s:i, s:b, s:s, s:O, s:o, s:o, s:s, s:s, s:O, s:s, s:s, s:s, s:s, s:I}",
                               "format", FORMAT, "trusted", 1, "reason", "", "key", key, "device",
                               device_json(trust->device), "arithmetic", arithmetic_json(probe), "corpus",
                               facts->corpus, "corpus_hash", facts->corpus_hash, "judged", judged, "when_utc",
                               when, "program", program_text(program), "command", facts->command, "database",
                               facts->database, "run", (json_int_t)facts->run_id),
                     error);
    }
    json_decref(key);
    json_decref(kernels);
    json_decref(judged);
    json_decref(probe);
    trust->granted = status == ASSAY_OK;
    if (trust->granted)
        snprintf(trust->outcome, sizeof trust->outcome, "trust record: %.350s", trust->path);
    else
        snprintf(trust->outcome, sizeof trust->outcome, "NOT TRUSTED — %.350s", error ? error->text : "");
    return status;
}

enum assay_status trust_withdraw(struct trust *trust, const char *reason, struct assay_error *error)
{
    if (!trust->kept) return ASSAY_OK;
    trust->granted = false;
    enum assay_status status = put(trust, refusal(trust, reason), error);
    snprintf(trust->outcome, sizeof trust->outcome, "%s: %.330s",
             trust->before ? "trust record withdrawn" : "no trust", trust->path);
    return status;
}

enum assay_status trust_restore(struct trust *trust, struct assay_error *error)
{
    if (!trust->kept) return ASSAY_OK;
    snprintf(trust->outcome, sizeof trust->outcome,
             "a part of the corpus earns no trust record; what there was stays as it is");
    if (trust->before) return replace(trust->path, trust->before, error);
    if (unlink(trust->path) == 0 || errno == ENOENT) return ASSAY_OK;
    return assay_error_set(error, ASSAY_IO, "the trust record %.350s cannot be removed: %s", trust->path,
                           strerror(errno));
}

void trust_free(struct trust *trust)
{
    free(trust->before);
    free(trust->kernel);
    free(trust->group);
    free(trust->text);
    *trust = (struct trust){0};
}

/* ---- where a device stands ---- */

/* The record's corpus against what this program would judge at that level. */
static void find_stale(struct trust_standing *standing)
{
    const struct assay_trust_record *record = &standing->record;
    struct corpus corpus = {0};
    char hash[17] = "";
    if (strcmp(record->corpus, "built-in") != 0) {
        standing->stale = true;
        snprintf(standing->stale_why, sizeof standing->stale_why, "it was judged with the corpus %.200s",
                 record->corpus);
        return;
    }
    const enum level level = level_parse(record->key.level);
    if (level < LEVEL_COUNT && corpus_load(&corpus, NULL, NULL) == ASSAY_OK &&
        corpus_select(&corpus, NULL, 0, level, NULL) == ASSAY_OK)
        corpus_hash(&corpus, hash);
    corpus_free(&corpus);
    standing->stale = strcmp(hash, record->corpus_hash) != 0;
    if (standing->stale)
        snprintf(standing->stale_why, sizeof standing->stale_why,
                 "the corpus has changed since (%.16s, now %.16s)", record->corpus_hash, hash);
}

static size_t probe_kernels(const json_t *probe, struct assay_trust_kernel *list)
{
    size_t count = 0, at;
    json_t *row;
    json_array_foreach(json_object_get(probe, "kernels"), at, row)
    {
        const char *name = json_string_value(json_object_get(row, "name")),
                   *code = json_string_value(json_object_get(row, "code"));
        if (name && code) list[count++] = (struct assay_trust_kernel){name, code};
    }
    return count;
}

static void compare(const struct inventory_device *device, const char *engine, const char *probe_json,
                    const char *level, struct trust_standing *standing)
{
    const json_t *judged = json_object_get(standing->record.document, "judged");
    json_t *probe = probe_json ? json_loads(probe_json, 0, NULL) : NULL;
    struct assay_trust_kernel *kernel =
        calloc(json_array_size(json_object_get(probe, "kernels")) + 1, sizeof *kernel);
    struct assay_trust_key now = key_of(engine, device);
    char oracles[1024], why[256];
    oracles_text(json_object_get(judged, "groups"), oracles, sizeof oracles);
    now.level = level;
    if (standing->record.trusted) now.oracles = oracles;
    if (probe && kernel) {
        const char *variant = json_string_value(json_object_get(probe, "variant"));
        now.variant = variant ? variant : "";
        now.kernel_count = probe_kernels(probe, kernel);
        now.kernel = kernel;
    }
    if (probe_json && (!probe || !kernel))
        snprintf(standing->why, sizeof standing->why, "what the engine says of the open device is no JSON");
    else if (assay_trust_holds(&standing->record, &now, why))
        standing->state = TRUST_YES;
    else
        snprintf(standing->why, sizeof standing->why, "%s", why);
    free(kernel);
    json_decref(probe);
}

void trust_stand(const struct options *options, const char *engine, const struct inventory_device *device,
                 const char *probe_json, const char *level, struct trust_standing *standing)
{
    struct assay_error error = {0};
    *standing = (struct trust_standing){.state = TRUST_NO};
    if (strcmp(device->backend, "cpu") == 0) {
        standing->state = TRUST_EXEMPT;
        snprintf(standing->why, sizeof standing->why, "the CPU is the reference and needs no record");
        return;
    }
    if (!trust_possible(device)) {
        standing->state = TRUST_NEVER;
        snprintf(standing->why, sizeof standing->why, "%s",
                 device->software ? "a software renderer earns no trust"
                                  : "it is not hardware of this machine");
        return;
    }
    const struct assay_trust_key key = key_of(engine, device);
    if (assay_trust_path(options->trust_dir, &key, standing->path, sizeof standing->path, &error) ||
        assay_trust_read(standing->path, &standing->record, &error)) {
        snprintf(standing->why, sizeof standing->why, "%s", error.text);
        return;
    }
    standing->has_record = true;
    compare(device, engine, probe_json, level, standing);
    if (standing->state == TRUST_YES) find_stale(standing);
}

const char *trust_state_name(enum trust_state state)
{
    static const char *const names[] = {[TRUST_EXEMPT] = "exempt",
                                        [TRUST_NEVER] = "never trusted",
                                        [TRUST_NO] = "not trusted",
                                        [TRUST_YES] = "trusted"};
    return names[state];
}

void trust_standing_free(struct trust_standing *standing)
{
    if (standing->has_record) assay_trust_free(&standing->record);
    standing->has_record = false;
}
