/* Options to JSON and back, by the options' table; see settings.h. */
#include "harness/settings.h"
#include "harness/options_table.h"
#include "harness/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything else in the table is a setting: what is forgotten here is refused too often, never mixed silently. */
static const char *const no_settings[] = {"--db",       "--out",       "--json",    "--quiet",  "--help",
                                          "--lock-dir", "--trust-dir", "--trusted", "--resume", "--rented"};

static bool is_setting(const struct option_row *row, const char *verb)
{
    for (size_t i = 0; i < sizeof no_settings / sizeof *no_settings; i++)
        if (strcmp(row->name, no_settings[i]) == 0) return false;
    for (size_t i = 0; i < option_verb_count; i++)
        if (strcmp(option_verbs[i].name, verb) == 0) return (row->verbs & option_verbs[i].bit) != 0;
    return false;
}

/* "--max-binding" -> "max_binding" */
static const char *key_of(const struct option_row *row, char key[40])
{
    size_t length = strlen(row->name + 2);
    if (length > 39) length = 39;
    for (size_t i = 0; i < length; i++) key[i] = row->name[2 + i] == '-' ? '_' : row->name[2 + i];
    key[length] = 0;
    return key;
}

static json_t *text_or_null(const char *text)
{
    return text ? json_string(text) : json_null();
}

static json_t *value_of(const struct option_row *row, const struct options *options)
{
    const char *field = (const char *)options + row->offset;
    char text[40];
    json_t *list;
    const char *word, *pair[2];
    switch (row->kind) {
    case OPTION_SWITCH:
        return json_boolean(*(const bool *)field);
    case OPTION_TEXT:
    case OPTION_LANE:
    case OPTION_PLOTS:
    case OPTION_LABEL:
        memcpy(&word, field, sizeof word);
        return text_or_null(word);
    case OPTION_DEVICES:
        list = json_array();
        for (size_t i = 0; i < options->device_count; i++)
            json_array_append_new(list, json_string(options->device[i]));
        return list;
    case OPTION_LEVEL:
        return json_string(level_name(options->level));
    case OPTION_NUMBER:
        return json_integer(*(const uint32_t *)field);
    case OPTION_BYTES:
        return json_integer((json_int_t) * (const uint64_t *)field);
    case OPTION_SEED:
        snprintf(text, sizeof text, "%" PRIx64, options->seed);
        return text_or_null(options->seed_given ? text : NULL);
    case OPTION_FMA:
        return text_or_null(options->variant);
    case OPTION_SHARD:
        snprintf(text, sizeof text, "%u/%u", (unsigned)options->shard, (unsigned)options->shards);
        return text_or_null(options->shards ? text : NULL);
    case OPTION_PAIR:
        memcpy(pair, field, sizeof pair);
        return pair[0] ? json_pack("[s, s]", pair[0], pair[1]) : json_null();
    case OPTION_GPU:
        if (!options->gpu_given) return json_null();
        list = json_array();
        for (size_t i = 0; i < options->gpu_count; i++)
            json_array_append_new(list, json_integer(options->gpu[i]));
        return list;
    }
    return NULL;
}

json_t *settings_of(const struct options *options)
{
    json_t *settings = json_object(), *arguments = json_array();
    char key[40];
    for (size_t i = 0; i < options->arg_count; i++)
        json_array_append_new(arguments, json_string(options->arg[i]));
    bool failed = json_object_set_new(settings, "arguments", arguments) != 0;
    for (size_t i = 0; i < option_row_count; i++)
        if (is_setting(&option_rows[i], options->verb))
            failed |= json_object_set_new(settings, key_of(&option_rows[i], key),
                                          value_of(&option_rows[i], options)) != 0;
    if (!failed) return settings;
    json_decref(settings);
    return NULL;
}

/* ---- and back ---- */

static bool list_of(const json_t *list, const char **text, size_t most, size_t *count)
{
    const json_t *value;
    size_t i;
    if (!json_is_array(list) || json_array_size(list) > most) return false;
    *count = 0;
    json_array_foreach(list, i, value)
    {
        if (!json_is_string(value)) return false;
        text[(*count)++] = json_string_value(value);
    }
    return true;
}

static bool numbers_of(const json_t *list, struct options *options)
{
    const json_t *value;
    size_t i;
    options->gpu_given = !json_is_null(list);
    options->gpu_count = 0;
    if (!options->gpu_given) return true;
    if (!json_is_array(list) || json_array_size(list) > OPTIONS_LIST_MAX) return false;
    json_array_foreach(list, i, value) options->gpu[options->gpu_count++] =
        (uint32_t)json_integer_value(value);
    return true;
}

static bool shard_of(const char *text, struct options *options)
{
    options->shard = options->shards = 0;
    return !text || sscanf(text, "%" SCNu32 "/%" SCNu32, &options->shard, &options->shards) == 2;
}

/* False: the value is not of the kind that settings_of writes. */
static bool take(const struct option_row *row, const json_t *value, struct options *options)
{
    char *field = (char *)options + row->offset;
    const char *text = json_string_value(value);
    const bool text_kind = json_is_string(value) || json_is_null(value);
    switch (row->kind) {
    case OPTION_SWITCH:
        *(bool *)field = json_is_true(value);
        return json_is_boolean(value);
    case OPTION_TEXT:
    case OPTION_LANE:
    case OPTION_PLOTS:
    case OPTION_LABEL:
        memcpy(field, &text, sizeof text);
        return text_kind;
    case OPTION_DEVICES:
        return list_of(value, options->device, OPTIONS_LIST_MAX, &options->device_count);
    case OPTION_LEVEL:
        options->level = text ? level_parse(text) : LEVEL_COUNT;
        return options->level < LEVEL_COUNT;
    case OPTION_NUMBER:
        *(uint32_t *)field = (uint32_t)json_integer_value(value);
        return json_is_integer(value);
    case OPTION_BYTES:
        *(uint64_t *)field = (uint64_t)json_integer_value(value);
        return json_is_integer(value);
    case OPTION_SEED:
        options->seed_given = text != NULL;
        return text ? words_hex(text, strlen(text), &options->seed) : json_is_null(value);
    case OPTION_FMA:
        options->variant = text;
        return text_kind;
    case OPTION_SHARD:
        return text_kind && shard_of(text, options);
    case OPTION_PAIR: /* of bench alone, which is not gone on with */
        return json_is_null(value);
    case OPTION_GPU:
        return numbers_of(value, options);
    }
    return false;
}

static enum assay_status contradiction(const struct option_row *row, int64_t run_id, const json_t *said,
                                       const json_t *stored, struct assay_error *error)
{
    char *mine = json_dumps(said, JSON_ENCODE_ANY | JSON_COMPACT),
         *theirs = json_dumps(stored, JSON_ENCODE_ANY | JSON_COMPACT);
    assay_error_set(error, ASSAY_INVALID_INPUT,
                    "%s is %.120s, but run %" PRId64
                    " has %.120s: leave the option out to go on with it, or start a new run",
                    row->name, mine ? mine : "?", run_id, theirs ? theirs : "?");
    free(mine);
    free(theirs);
    return ASSAY_INVALID_INPUT;
}

enum assay_status settings_restore(json_t *settings, int64_t run_id, struct options *options,
                                   struct assay_error *error)
{
    char key[40];
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (!is_setting(row, options->verb)) continue;
        const json_t *stored = json_object_get(settings, key_of(row, key));
        if (options->given[i]) {
            json_t *said = value_of(row, options);
            const bool same = said && stored && json_equal(said, stored);
            if (!same) contradiction(row, run_id, said, stored, error);
            json_decref(said);
            if (!same) return ASSAY_INVALID_INPUT;
        }
        if (!stored || !take(row, stored, options))
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "the record of run %" PRId64
                                   " does not say how %s was set: start a new run",
                                   run_id, row->name);
    }
    if (!list_of(json_object_get(settings, "arguments"), options->arg,
                 sizeof options->arg / sizeof *options->arg, &options->arg_count))
        return assay_error_set(
            error, ASSAY_INVALID_INPUT,
            "the record of run %" PRId64 " does not say which cases were asked for: start a new run", run_id);
    return ASSAY_OK;
}
