/* The verb db: hands files to store_*.c and reports/export.c, and shows what they answer. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/options.h"
#include "harness/store_db.h"
#include "harness/store_file.h"
#include "harness/words.h"

static int64_t number_at(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* The answer as JSON or by `show`; text of a database may hold what a terminal must not get. */
static int answer_with(const struct options *options, json_t *answer, void (*show)(const json_t *answer),
                       int exit_code)
{
    if (options->json) {
        char *text = json_dumps(answer, 0);
        if (text) puts(text);
        if (!text) exit_code = EXIT_ERROR;
        free(text);
    } else {
        show(answer);
    }
    json_decref(answer);
    return verb_finish(exit_code);
}

static void put_flat(const char *text)
{
    for (const char *s = text; *s; s++)
        printf((unsigned char)*s < 0x20 || *s == 0x7f ? "\\x%02x" : "%c", (unsigned char)*s);
}

/* ---- info ---- */

#define LISTED 20

static void show_info(const json_t *answer)
{
    const json_t *row, *runs = json_object_get(answer, "runs");
    const size_t count = json_array_size(runs), skip = count > LISTED ? count - LISTED : 0;
    const char *name;
    json_t *rows;
    size_t at;
    put_flat(text_at(answer, "path"));
    printf(": %.1f MiB, schema version %" PRId64 ", this program's %" PRId64 "\n",
           (double)number_at(answer, "bytes") / 1048576, number_at(answer, "version"),
           number_at(answer, "version_known"));
    printf("rows:");
    json_object_foreach(json_object_get(answer, "tables"), name, rows)
        printf(" %s %" PRId64, name, (int64_t)json_integer_value(rows));
    printf("\n");
    json_array_foreach(json_object_get(answer, "devices"), at, row)
    {
        printf("device %s ", text_at(row, "backend"));
        put_flat(text_at(row, "name"));
        printf(", driver ");
        put_flat(text_at(row, "driver"));
        printf(", key ");
        put_flat(text_at(row, "key"));
        printf(": %" PRId64 " runs\n", number_at(row, "runs"));
    }
    if (skip) printf("%zu earlier runs; --json has them all\n", skip);
    json_array_foreach(runs, at, row)
    {
        const json_t *code = json_object_get(row, "exit_code");
        if (at < skip) continue;
        printf("run %" PRId64 " %.8s %s %s %s", number_at(row, "run_id"), text_at(row, "key"),
               text_at(row, "started_utc"), text_at(row, "verb"), text_at(row, "level"));
        if (*text_at(row, "label")) printf(" ");
        put_flat(text_at(row, "label"));
        if (*text_at(row, "shard")) printf(" ");
        put_flat(text_at(row, "shard"));
        printf(": %" PRId64 " results, %" PRId64 " failed, %" PRId64 " timings, ", number_at(row, "results"),
               number_at(row, "failures"), number_at(row, "benches"));
        if (json_is_integer(code))
            printf("exit %" PRId64 "\n", (int64_t)json_integer_value(code));
        else
            printf("not ended\n");
    }
    if (count == 0) printf("no run was recorded in it\n");
}

/* ---- check ---- */

static void show_check(const json_t *answer)
{
    const json_t *row, *damage = json_object_get(answer, "damage");
    size_t at;
    json_array_foreach(damage, at, row)
    {
        printf("DAMAGED  %s: %" PRId64 " row%s, first: ", text_at(row, "check"), number_at(row, "rows"),
               number_at(row, "rows") == 1 ? "" : "s");
        put_flat(text_at(row, "first"));
        printf("\n");
    }
    put_flat(text_at(answer, "path"));
    printf(": %" PRId64 " checks, ", number_at(answer, "checks"));
    if (json_array_size(damage))
        printf("%zu failed\n", json_array_size(damage));
    else
        printf("all passed\n");
}

/* ---- merge ---- */

static void show_merge(const json_t *answer)
{
    const json_t *row;
    size_t at;
    json_array_foreach(json_object_get(answer, "sources"), at, row)
    {
        if (json_is_string(json_object_get(row, "error"))) continue; /* told on standard error */
        put_flat(text_at(row, "path"));
        printf(": %" PRId64 " runs, %" PRId64 " results, %" PRId64 " timings added%s\n",
               number_at(row, "runs"), number_at(row, "results"), number_at(row, "benches"),
               number_at(row, "runs") + number_at(row, "results") + number_at(row, "benches")
                   ? ""
                   : "; all was there");
    }
    const bool merged = number_at(answer, "merged") > 0;
    printf(merged ? "merged into " : "nothing was merged into ");
    put_flat(text_at(answer, "dest"));
    printf("%s\n", merged || json_is_true(json_object_get(answer, "there")) ? "" : ", which was not made");
}

static int merge(const struct options *options)
{
    struct assay_error error = {0};
    json_t *answer = NULL;
    const json_t *row;
    size_t failed = 0, at;
    if (options->arg_count < 3) {
        assay_error_set(&error, ASSAY_INVALID_INPUT,
                        "db merge needs DEST and at least one SRC; `assay db --help` shows an example");
        return verb_fail(&error);
    }
    if (store_merge(options->arg[1], options->arg + 2, options->arg_count - 2, &answer, &failed, &error) !=
        ASSAY_OK) {
        verb_fail(&error);
        return EXIT_ERROR;
    }
    json_array_foreach(json_object_get(answer, "sources"), at, row)
    {
        const char *why = json_string_value(json_object_get(row, "error"));
        if (why) fprintf(stderr, "assay: db merge: %s: %s\n", text_at(row, "path"), why);
    }
    return answer_with(options, answer, show_merge, failed ? EXIT_ERROR : EXIT_PASS);
}

/* ---- prune ---- */

static void show_prune(const json_t *answer)
{
    const bool dry = json_is_true(json_object_get(answer, "dry_run"));
    put_flat(text_at(answer, "path"));
    printf(": %s raw samples of %" PRId64 " results and %" PRId64 " samples of %" PRId64
           " timings, recorded more than %" PRId64 " days ago",
           dry ? "would drop" : "dropped", number_at(answer, "results"), number_at(answer, "samples"),
           number_at(answer, "benches"), number_at(answer, "days"));
    if (!dry)
        printf("; %" PRId64 " bytes, before %" PRId64, number_at(answer, "bytes_after"),
               number_at(answer, "bytes_before"));
    printf("\n");
}

static int prune(const struct options *options)
{
    struct assay_error error = {0};
    json_t *answer = NULL;
    if (options->days == UINT32_MAX)
        assay_error_set(&error, ASSAY_INVALID_INPUT,
                        "db prune needs --days N: samples older than that are dropped");
    else if (store_prune(options->db, options->days, options->dry_run, &answer, &error) == ASSAY_OK)
        return answer_with(options, answer, show_prune, EXIT_PASS);
    verb_fail(&error);
    return EXIT_ERROR;
}

/* ---- export ---- */

static int export(const struct options *options)
{
    struct assay_error error = {0};
    enum export_format format = EXPORT_FORMATS;
    int given = 0;
    for (int f = 0; f < EXPORT_FORMATS; f++)
        if (options->format[f]) {
            format = (enum export_format)f;
            given++;
        }
    if (given != 1) {
        char text[300];
        size_t used = 0;
        for (int f = 0; f < EXPORT_FORMATS; f++)
            words_append(text, sizeof text, &used, "%s--%s", f ? ", " : "",
                         export_name((enum export_format)f));
        assay_error_set(&error, ASSAY_INVALID_INPUT, "db export needs one format: %s", text);
        return verb_fail(&error);
    }
    if (options->json && !options->to) {
        assay_error_set(&error, ASSAY_INVALID_INPUT,
                        "db export: --json goes with --to FILE alone, since the export itself is the answer; "
                        "--jsonl exports as JSON");
        return verb_fail(&error);
    }
    const char *run = options->arg_count > 1 ? options->arg[1] : NULL;
    if (export_write(options->db, run, format, options->to, &error) != ASSAY_OK) {
        verb_fail(&error);
        return EXIT_ERROR;
    }
    if (options->json)
        return answer_with(
            options,
            json_pack("{s:o, s:s}", "export", store_file_json(options->to), "format", export_name(format)),
            NULL, EXIT_PASS);
    if (options->to && !options->quiet) printf("export: %s\n", options->to);
    return verb_finish(EXIT_PASS);
}

/* ---- the words ---- */

static int info(const struct options *options)
{
    struct assay_error error = {0};
    json_t *answer = NULL;
    if (store_info(options->db, &answer, &error) == ASSAY_OK)
        return answer_with(options, answer, show_info, EXIT_PASS);
    verb_fail(&error);
    return EXIT_ERROR;
}

static int check(const struct options *options)
{
    struct assay_error error = {0};
    json_t *answer = NULL;
    if (store_check(options->db, &answer, &error) == ASSAY_OK)
        return answer_with(options, answer, show_check,
                           json_array_size(json_object_get(answer, "damage")) ? EXIT_FAILED : EXIT_PASS);
    verb_fail(&error);
    return EXIT_ERROR;
}

static const struct {
    const char *name;
    size_t most; /* arguments, the word itself among them */
    int (*run)(const struct options *options);
} words[] = {
    {"info", 1, info},   {"check", 1, check},   {"merge", OPTIONS_ARGUMENTS_MAX, merge},
    {"prune", 1, prune}, {"export", 2, export},
};
#define WORDS (sizeof words / sizeof *words)

static const char *word_name(const void *context, size_t i)
{
    (void)context;
    return i < WORDS ? words[i].name : NULL;
}

int verb_db(const struct options *options)
{
    struct assay_error error = {0};
    char quoted[WORDS_QUOTE_MAX], text[200];
    const char *word = options->arg[0];
    size_t used = 0;
    for (size_t i = 0; i < WORDS; i++) {
        if (strcmp(words[i].name, word) != 0) continue;
        if (options->arg_count <= words[i].most) return words[i].run(options);
        const char *extra = options->arg[words[i].most];
        assay_error_set(&error, ASSAY_INVALID_INPUT, "db %s: unexpected %s; the database is named by --db",
                        word, words_quote(quoted, extra, strlen(extra)));
        return verb_fail(&error);
    }
    const char *near = words_nearest(word, strlen(word), word_name, NULL);
    words_append(text, sizeof text, &used,
                 "db: %s is unknown%s%s%s; allowed: ", words_quote(quoted, word, strlen(word)),
                 near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    words_append_names(text, sizeof text, &used, word_name, NULL);
    assay_error_set(&error, ASSAY_INVALID_INPUT, "%s", text);
    return verb_fail(&error);
}
