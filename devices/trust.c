/* Reading and comparing trust records. See trust.h. Everything that is odd about a record means: not trusted. */
#include "devices/trust.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FORMAT           1
#define RECORD_BYTES_MAX (1u << 20)

/* ---- the file's name ---- */

/* Append text with every byte that is no letter, digit, '-' or '+' as '_'. */
static size_t append_safe(char *path, size_t bytes, size_t used, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+";
    for (; *text && used + 1 < bytes; text++) path[used++] = strchr(plain, *text) ? *text : '_';
    path[used] = '\0';
    return used;
}

enum assay_status assay_trust_path(const char *dir, const struct assay_trust_key *key, char *path,
                                   size_t bytes, struct assay_error *error)
{
    const char *partition = key->partition ? key->partition : "";
    const char *const parts[] = {key->uuid, *partition ? "+" : "", partition, NULL, key->engine,
                                 NULL,      key->backend}; /* NULL: a dot */
    if (!dir || !*dir)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "no folder of trust records is set");
    if (!key->uuid || !*key->uuid)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "the device has no UUID that a trust record could be bound to");
    size_t used = (size_t)snprintf(path, bytes, "%s/", dir);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && used + 1 < bytes; i++)
        used = parts[i] ? append_safe(path, bytes, used, parts[i])
                        : used + (size_t)snprintf(path + used, bytes - used, ".");
    if (used < bytes) used += (size_t)snprintf(path + used, bytes - used, ".json");
    if (used + 1 < bytes) return ASSAY_OK;
    return assay_error_set(error, ASSAY_INVALID_INPUT, "the folder of trust records has too long a name");
}

/* ---- the seal ---- */

static json_t *digest_of(const json_t *document)
{
    json_t *bare = json_copy((json_t *)document);
    if (bare) json_object_del(bare, "seal");
    char *text = bare ? json_dumps(bare, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(bare);
    if (!text) return NULL;
    json_t *digest = json_sprintf("%016" PRIx64, (uint64_t)XXH3_64bits(text, strlen(text)));
    free(text);
    return digest;
}

char *assay_trust_seal(const struct json_t *json)
{
    json_t *sealed = json_is_object(json) ? json_copy((json_t *)json) : NULL;
    json_t *digest = sealed ? digest_of(sealed) : NULL;
    char *text = NULL;
    if (digest && json_object_set(sealed, "seal", digest) == 0) text = json_dumps(sealed, JSON_INDENT(2));
    json_decref(digest);
    json_decref(sealed);
    return text;
}

/* ---- reading ---- */

static const char *text_of(const json_t *object, const char *field)
{
    const char *text = json_string_value(json_object_get(object, field));
    return text ? text : "";
}

static enum assay_status load(const char *path, json_t **document, struct assay_error *error)
{
    json_error_t where;
    FILE *file = fopen(path, "re");
    if (!file && errno == ENOENT)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "it has no trust record (%.300s)", path);
    char *text = file ? malloc(RECORD_BYTES_MAX + 1) : NULL;
    size_t bytes = text ? fread(text, 1, RECORD_BYTES_MAX + 1, file) : 0;
    const int code = errno;
    const bool bad = !text || ferror(file);
    if (file) fclose(file);
    if (bad) {
        free(text);
        return assay_error_set(error, ASSAY_IO, "its trust record %.300s cannot be read: %s", path,
                               strerror(code));
    }
    *document = bytes <= RECORD_BYTES_MAX ? json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &where) : NULL;
    free(text);
    if (*document) return ASSAY_OK;
    return assay_error_set(error, ASSAY_INVALID_INPUT, "its trust record %.300s is damaged", path);
}

static bool sealed(const json_t *document)
{
    json_t *digest = digest_of(document);
    bool same = digest && json_equal(digest, json_object_get(document, "seal"));
    json_decref(digest);
    return same;
}

static bool read_kernels(const json_t *kernels, struct assay_trust_key *key)
{
    const char *name;
    json_t *code;
    struct assay_trust_kernel *list = calloc(json_object_size(kernels) + 1, sizeof *list);
    key->kernel = list;
    if (!list) return false;
    json_object_foreach((json_t *)kernels, name, code)
    {
        if (!json_is_string(code)) return false;
        list[key->kernel_count++] = (struct assay_trust_kernel){name, json_string_value(code)};
    }
    return true;
}

enum assay_status assay_trust_read(const char *path, struct assay_trust_record *record,
                                   struct assay_error *error)
{
    *record = (struct assay_trust_record){0};
    enum assay_status status = load(path, &record->document, error);
    if (status != ASSAY_OK) return status;
    const json_t *document = record->document, *key = json_object_get(document, "key"),
                 *format = json_object_get(document, "format"), *state = json_object_get(document, "trusted");
    if (!json_is_integer(format) || json_integer_value(format) != FORMAT)
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "its trust record %.300s has a form that this program does not know", path);
    else if (!sealed(document) || !json_is_object(key) || !json_is_boolean(state))
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "its trust record %.300s is damaged or was changed by hand", path);
    else if (!read_kernels(json_object_get(key, "kernels"), &record->key))
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "its trust record %.300s is damaged", path);
    if (status != ASSAY_OK) {
        assay_trust_free(record);
        return status;
    }
    record->trusted = json_is_true(state);
    record->reason = text_of(document, "reason");
    record->key.uuid = text_of(key, "uuid");
    record->key.partition = text_of(key, "partition");
    record->key.vbios = text_of(key, "vbios");
    record->key.engine = text_of(key, "engine");
    record->key.backend = text_of(key, "backend");
    record->key.driver = text_of(key, "driver");
    record->key.variant = text_of(key, "variant");
    record->key.level = text_of(key, "level");
    record->key.oracles = text_of(key, "oracles");
    record->corpus_hash = text_of(document, "corpus_hash");
    record->corpus = text_of(document, "corpus");
    record->when_utc = text_of(document, "when_utc");
    record->program = text_of(document, "program");
    return ASSAY_OK;
}

void assay_trust_free(struct assay_trust_record *record)
{
    free((struct assay_trust_kernel *)record->key.kernel);
    json_decref(record->document);
    *record = (struct assay_trust_record){0};
}

/* ---- comparing ---- */

const char *assay_trust_code(const struct assay_trust_key *key, const char *kernel)
{
    for (size_t i = 0; i < key->kernel_count; i++)
        if (strcmp(key->kernel[i].name, kernel) == 0) return key->kernel[i].code;
    return NULL;
}

/* Rank of a level; 0 for a word that is none. */
static int level_rank(const char *level)
{
    static const char *const levels[] = {"quick", "standard", "full"};
    for (int i = 0; i < 3; i++)
        if (strcmp(level, levels[i]) == 0) return i + 1;
    return 0;
}

bool assay_trust_holds(const struct assay_trust_record *record, const struct assay_trust_key *now,
                       char why[256])
{
    const struct assay_trust_key *then = &record->key;
    const struct {
        const char *what, *then, *now;
        bool where_known;
    } fields[] = {
        {"UUID", then->uuid, now->uuid, false},
        {"partition", then->partition, now->partition, false},
        {"firmware (VBIOS)", then->vbios, now->vbios, true},
        {"engine", then->engine, now->engine, false},
        {"backend", then->backend, now->backend, false},
        {"driver", then->driver, now->driver, false},
        {"form of the fused multiply-add", then->variant, now->variant, false},
        {"set of oracles", then->oracles, now->oracles, false},
    };
    why[0] = '\0';
    if (!record->trusted) {
        snprintf(why, 256, "%.250s", *record->reason ? record->reason : "its record does not say trusted");
        return false;
    }
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (!fields[i].now || strcmp(fields[i].then, fields[i].now) == 0) continue;
        if (fields[i].where_known && (!*fields[i].then || !*fields[i].now)) continue;
        snprintf(why, 256, "its %s is '%.80s', the record is for '%.80s'", fields[i].what, fields[i].now,
                 fields[i].then);
        return false;
    }
    if (now->level && level_rank(then->level) < level_rank(now->level)) {
        snprintf(why, 256, "it was verified at level %.20s, not %.20s", then->level, now->level);
        return false;
    }
    if (!then->kernel_count) {
        snprintf(why, 256, "its record covers no kernel");
        return false;
    }
    for (size_t i = 0; i < now->kernel_count; i++) {
        const char *code = assay_trust_code(then, now->kernel[i].name);
        if (!code || strcmp(code, now->kernel[i].code) == 0) continue;
        snprintf(why, 256, "kernel %.64s has code %.20s, the record is for %.20s", now->kernel[i].name,
                 now->kernel[i].code, code);
        return false;
    }
    return true;
}
