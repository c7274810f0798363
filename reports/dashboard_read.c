/* Reading what a dashboard shows. A million results pass through here: rows become numbers at once, and SQL sorts none.
 * It knows no file and no page. */
#include "reports/dashboard_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "reports/database.h"

#define ID_MOST (INT64_C(1) << 28)

enum assay_status dashboard_no_memory(struct dashboard_site *site)
{
    return assay_error_set(site->source.error, ASSAY_OUT_OF_MEMORY, "no memory for the dashboard of %.200s",
                           site->source.path);
}

enum assay_status dashboard_read_fail(struct dashboard_site *site)
{
    return database_fail(site->source.db, site->source.path, "read it", site->source.error);
}

bool dashboard_room(void *array, size_t *size, size_t count, size_t bytes)
{
    void **at = array;
    if (count < *size) return true;
    const size_t more = *size ? 2 * *size : 64;
    void *data = realloc(*at, more * bytes);
    if (!data) return false;
    *at = data;
    *size = more;
    return true;
}

/* ---- words ---- */

static bool grow_buckets(struct dashboard_words *words)
{
    const size_t buckets = words->buckets ? 2 * words->buckets : 1024;
    uint32_t *bucket = calloc(buckets, sizeof *bucket);
    if (!bucket) return false;
    for (size_t i = 0; i < words->count; i++) {
        const char *text = words->text.data + words->at[i];
        size_t at = XXH3_64bits(text, strlen(text)) & (buckets - 1);
        while (bucket[at]) at = (at + 1) & (buckets - 1);
        bucket[at] = (uint32_t)i + 1;
    }
    free(words->bucket);
    words->bucket = bucket;
    words->buckets = buckets;
    return true;
}

/* The number of a word; UINT32_MAX: no memory. */
static uint32_t word_of(struct dashboard_words *words, const char *text)
{
    const size_t length = strlen(text);
    if (2 * words->count >= words->buckets && !grow_buckets(words)) return UINT32_MAX;
    size_t at = XXH3_64bits(text, length) & (words->buckets - 1);
    for (; words->bucket[at]; at = (at + 1) & (words->buckets - 1))
        if (strcmp(words->text.data + words->at[words->bucket[at] - 1], text) == 0)
            return words->bucket[at] - 1;
    if (words->text.used + length >= UINT32_MAX ||
        !dashboard_room(&words->at, &words->size, words->count, sizeof *words->at))
        return UINT32_MAX;
    words->at[words->count] = (uint32_t)words->text.used;
    text_add(&words->text, text, length + 1);
    if (words->text.failed) return UINT32_MAX;
    words->bucket[at] = (uint32_t)words->count + 1;
    return (uint32_t)words->count++;
}

const char *dashboard_word(const struct dashboard_site *site, uint32_t word)
{
    return site->words.text.data + site->words.at[word];
}

uint64_t dashboard_hash(const char *backend, const char *key, const char *kernel, const char *line)
{
    const char *const part[] = {backend, key, kernel, line};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        hash = XXH3_64bits_withSeed(part[i], strlen(part[i]), hash);
    return hash;
}

/* ---- the small tables ---- */

/* Texts by id, [0, largest id]; a column of `query` beside its first. */
static enum assay_status texts(struct dashboard_site *site, const char *query, const char *most_sql,
                               char ***array, size_t *count)
{
    sqlite3_stmt *row = NULL;
    int64_t most = 0;
    int code = SQLITE_ERROR;
    enum assay_status status =
        database_integer(site->source.db, site->source.path, most_sql, &most, site->source.error);
    if (!status && (most < 0 || most > ID_MOST))
        status = assay_error_set(site->source.error, ASSAY_INVALID_INPUT, "%.200s has ids that are too large",
                                 site->source.path);
    if (status) return status;
    *count = (size_t)most + 1;
    *array = calloc(*count, sizeof **array);
    if (!*array) return dashboard_no_memory(site);
    status = query_prepare(&site->source, query, &row);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const int64_t id = sqlite3_column_int64(row, 0);
        if (id < 0 || id > most) continue;
        char **at = &(*array)[id];
        free(*at); /* a damaged file may have an id twice */
        *at = strdup(query_column(row, sqlite3_column_count(row) - 1));
        if (!*at) status = dashboard_no_memory(site);
    }
    if (!status && code != SQLITE_DONE) status = dashboard_read_fail(site);
    sqlite3_finalize(row);
    return status;
}

static enum assay_status read_ops(struct dashboard_site *site)
{
    sqlite3_stmt *row = NULL;
    size_t size = 0;
    int code = SQLITE_ERROR;
    site->op = calloc(site->cases, sizeof *site->op);
    if (!site->op) return dashboard_no_memory(site);
    enum assay_status status = query_prepare(&site->source, "cases", &row);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const int64_t id = sqlite3_column_int64(row, 0);
        const char *name = query_column(row, 1);
        size_t op = 0;
        if (id < 0 || id >= (int64_t)site->cases) continue; /* as in texts: of a damaged file */
        while (op < site->ops && strcmp(site->op_name[op], name) != 0) op++;
        if (op == site->ops) {
            if (!dashboard_room(&site->op_name, &size, site->ops, sizeof *site->op_name) ||
                !(site->op_name[site->ops] = strdup(name)))
                status = dashboard_no_memory(site);
            else
                site->ops++;
        }
        site->op[id] = (uint32_t)op;
    }
    if (!status && code != SQLITE_DONE) status = dashboard_read_fail(site);
    sqlite3_finalize(row);
    return status;
}

static enum assay_status read_cards(struct dashboard_site *site)
{
    sqlite3_stmt *row = NULL;
    size_t size = 0;
    int code = SQLITE_ERROR;
    enum assay_status status = query_prepare(&site->source, "cards", &row);
    text_put(&site->index, "\"cards\":[");
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        if (!dashboard_room(&site->card, &size, site->cards, sizeof *site->card)) {
            status = dashboard_no_memory(site);
            break;
        }
        text_printf(&site->index, "%s%s", site->cards ? ",\n" : "", query_column(row, 0));
        struct dashboard_card *card = &site->card[site->cards++];
        card->backend = strdup(query_column(row, 1));
        card->key = strdup(query_column(row, 2));
        if (!card->backend || !card->key) status = dashboard_no_memory(site);
    }
    if (!status && code != SQLITE_DONE) status = dashboard_read_fail(site);
    sqlite3_finalize(row);
    text_put(&site->index, "],\n");
    return status;
}

/* ---- the large ones ---- */

static enum assay_status read_points(struct dashboard_site *site, const char *query, bool timed)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_ERROR;
    int64_t run = -1, part = -1;
    bool kept = false;
    enum assay_status status = query_prepare(&site->source, query, &row);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const int64_t case_id = sqlite3_column_int64(row, 4), device = sqlite3_column_int64(row, 7),
                      code_id = sqlite3_column_int64(row, 8), card = sqlite3_column_int64(row, 3),
                      kernel = sqlite3_column_int64(row, 5), slot = sqlite3_column_int64(row, 6),
                      outcome = sqlite3_column_int64(row, 9);
        if (card < 0 || card >= (int64_t)site->cards || kernel < 0 || kernel >= (int64_t)site->kernels ||
            !site->kernel[kernel] || slot < 0 || slot >= site->slots || outcome < 0 || outcome >= OUTCOMES ||
            case_id < 0 || case_id >= (int64_t)site->cases || !site->line[case_id] || device < 0 ||
            device >= (int64_t)site->drivers || code_id < 0 || code_id >= (int64_t)site->codes) {
            kept = false;
            continue;
        }
        /* Of attempts of one planned case the last counts. */
        if (kept && !timed && run == sqlite3_column_int64(row, 0) && part == sqlite3_column_int64(row, 1))
            site->points--;
        run = sqlite3_column_int64(row, 0);
        part = sqlite3_column_int64(row, 1);
        kept = true;
        if (!dashboard_room(&site->point, &site->points_size, site->points, sizeof *site->point)) {
            status = dashboard_no_memory(site);
            break;
        }
        struct dashboard_point *point = &site->point[site->points++];
        *point = (struct dashboard_point){
            .case_id = (uint32_t)case_id,
            .device_id = (uint32_t)device,
            .kernel_id = (uint32_t)code_id,
            .card = (uint16_t)card,
            .kernel = (uint16_t)kernel,
            .slot = (uint16_t)slot,
            .lane = timed ? (sqlite3_column_int(row, 15) ? LANE_HOT : LANE_COLD) : LANE_JUDGED,
            .outcome = (uint8_t)outcome,
            .verdict = word_of(&site->words, query_column(row, 10)),
            .digest = word_of(&site->words, query_column(row, 13)),
            .run_id = run,
            .part = part,
            .differing = sqlite3_column_int64(row, 11),
            .ulp = word_of(&site->words, query_column(row, 12)),
            .ns = sqlite3_column_double(row, 14),
            .roofline = timed && sqlite3_column_type(row, 16) != SQLITE_NULL
                            ? (float)sqlite3_column_double(row, 16)
                            : NAN,
        };
        if (point->verdict == UINT32_MAX || point->digest == UINT32_MAX || point->ulp == UINT32_MAX)
            status = dashboard_no_memory(site);
    }
    if (!status && code != SQLITE_DONE) status = dashboard_read_fail(site);
    sqlite3_finalize(row);
    return status;
}

static int by_cell(const void *left, const void *right)
{
    const struct dashboard_point *a = left, *b = right;
    if (a->case_id != b->case_id) return a->case_id < b->case_id ? -1 : 1;
    if (a->card != b->card) return a->card < b->card ? -1 : 1;
    if (a->kernel != b->kernel) return a->kernel < b->kernel ? -1 : 1;
    if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
    if (a->lane != b->lane) return a->lane < b->lane ? -1 : 1;
    if (a->run_id != b->run_id) return a->run_id < b->run_id ? -1 : 1;
    return a->part < b->part ? -1 : a->part > b->part;
}

/* ---- notes ---- */

static struct dashboard_note *add_note(struct dashboard_notes *notes, const char *json)
{
    if (!dashboard_room(&notes->note, &notes->size, notes->count, sizeof *notes->note)) return NULL;
    struct dashboard_note *note = &notes->note[notes->count++];
    *note = (struct dashboard_note){.at = notes->text.used, .bytes = strlen(json)};
    text_put(&notes->text, json);
    return notes->text.failed ? NULL : note;
}

static enum assay_status read_failures(struct dashboard_site *site, const char *query)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_ERROR;
    enum assay_status status = query_prepare(&site->source, query, &row);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        site->counts->failures++;
        if (site->failures.count >= DASHBOARD_FAILURES) continue;
        struct dashboard_note *note = add_note(&site->failures, query_column(row, 5));
        if (!note) {
            status = dashboard_no_memory(site);
            break;
        }
        note->hash = dashboard_hash(query_column(row, 1), query_column(row, 0), query_column(row, 2),
                                    query_column(row, 3));
        note->slot = (uint16_t)sqlite3_column_int(row, 4);
    }
    if (!status && code != SQLITE_DONE) status = dashboard_read_fail(site);
    sqlite3_finalize(row);
    return status;
}

static int by_place(const void *left, const void *right)
{
    const struct dashboard_note *a = left, *b = right;
    if (a->case_id != b->case_id) return a->case_id < b->case_id ? -1 : 1;
    if (a->card != b->card) return a->card < b->card ? -1 : 1;
    if (a->kernel != b->kernel) return a->kernel < b->kernel ? -1 : 1;
    if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static enum assay_status read_events(struct dashboard_site *site, const char *history_json)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_ERROR;
    enum assay_status status = query_prepare(&site->source, "events", &row);
    if (!status && sqlite3_bind_text(row, 1, history_json, -1, SQLITE_STATIC) != SQLITE_OK)
        status = dashboard_read_fail(site);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) {
        struct dashboard_note *note = add_note(&site->events, query_column(row, 4));
        if (!note) {
            status = dashboard_no_memory(site);
            break;
        }
        note->card = (uint16_t)sqlite3_column_int(row, 0);
        note->case_id = (uint32_t)sqlite3_column_int64(row, 1);
        note->kernel = (uint16_t)sqlite3_column_int(row, 2);
        note->slot = (uint16_t)sqlite3_column_int(row, 3);
        note->alert = sqlite3_column_int(row, 5);
        note->fresh = sqlite3_column_int(row, 6);
    }
    if (!status && code != SQLITE_DONE) status = dashboard_read_fail(site);
    sqlite3_finalize(row);
    if (!status && site->events.count)
        qsort(site->events.note, site->events.count, sizeof *site->events.note, by_place);
    site->counts->changes = (int64_t)site->events.count;
    return status;
}

enum assay_status dashboard_read(struct dashboard_site *site, const char *history_json)
{
    enum assay_status status = query_run(&site->source, "prepare");
    if (!status)
        status = database_integer(site->source.db, site->source.path, "SELECT count(*) FROM temp.slot",
                                  &site->slots, site->source.error);
    if (!status) status = read_cards(site);
    if (!status)
        status =
            texts(site, "names", "SELECT max(name_id) FROM temp.kernel_name", &site->kernel, &site->kernels);
    if (!status)
        status =
            texts(site, "cases", "SELECT coalesce(max(case_id), 0) FROM op_case", &site->line, &site->cases);
    if (!status)
        status = texts(site, "drivers", "SELECT coalesce(max(device_id), 0) FROM device", &site->driver,
                       &site->drivers);
    if (!status)
        status =
            texts(site, "codes", "SELECT coalesce(max(kernel_id), 0) FROM kernel", &site->code, &site->codes);
    if (!status && (site->cards > UINT16_MAX || site->kernels > UINT16_MAX))
        status = assay_error_set(site->source.error, ASSAY_INVALID_INPUT,
                                 "%.200s has %zu devices and %zu kernels, and a dashboard shows %d at most",
                                 site->source.path, site->cards, site->kernels, UINT16_MAX);
    if (!status) status = read_ops(site);
    if (!status) status = read_points(site, "judged", false);
    if (!status) status = read_points(site, "timed", true);
    if (!status) status = read_failures(site, "failures");
    if (!status) status = read_failures(site, "timed_failures");
    if (!status) status = read_events(site, history_json);
    if (!status && site->points) qsort(site->point, site->points, sizeof *site->point, by_cell);
    return status;
}

static void free_texts(char **text, size_t count)
{
    for (size_t i = 0; text && i < count; i++) free(text[i]);
    free(text);
}

void dashboard_unread(struct dashboard_site *site)
{
    for (size_t i = 0; i < site->cards; i++) {
        free(site->card[i].backend);
        free(site->card[i].key);
    }
    free(site->card);
    free_texts(site->kernel, site->kernels);
    free_texts(site->line, site->cases);
    free_texts(site->op_name, site->ops);
    free_texts(site->driver, site->drivers);
    free_texts(site->code, site->codes);
    free(site->op);
    free(site->point);
    free(site->words.at);
    free(site->words.bucket);
    text_free(&site->words.text);
    free(site->failures.note);
    text_free(&site->failures.text);
    free(site->events.note);
    text_free(&site->events.text);
    text_free(&site->index);
}
