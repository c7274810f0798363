/* Reading the series. A million results pass through here, so rows become numbers at once and SQL sorts nothing. */
#include "reports/history_load.h"
#include "reports/database.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

extern const char assay_blob_reports_history_sql[];

static enum assay_status no_memory(struct history_data *data)
{
    return assay_error_set(data->source.error, ASSAY_OUT_OF_MEMORY, "no memory for the history of %.200s",
                           data->source.path);
}

static enum assay_status read_fail(struct history_data *data)
{
    return database_fail(data->source.db, data->source.path, "read it", data->source.error);
}

/* Room for one more in an array that doubles. */
static bool room(void *array, size_t *size, size_t count, size_t bytes)
{
    void **at = array;
    if (count < *size) return true;
    size_t more = *size ? 2 * *size : 64;
    void *data = realloc(*at, more * bytes);
    if (!data) return false;
    *at = data;
    *size = more;
    return true;
}

/* Few different words are looked for, most often one of the latest. */
static uint32_t word_of(struct history_words *words, const char *text)
{
    for (size_t i = words->count; i > 0; i--)
        if (strcmp(words->word[i - 1], text) == 0) return (uint32_t)(i - 1);
    if (!room(&words->word, &words->size, words->count, sizeof *words->word)) return UINT32_MAX;
    char *copy = strdup(text);
    if (!copy) return UINT32_MAX;
    words->word[words->count] = copy;
    return (uint32_t)words->count++;
}

/* "NVIDIA 580.159.04" -> "NVIDIA 580": up to the first dot behind a digit. */
static void driver_major(const char *driver, char *major, size_t bytes)
{
    size_t length = strlen(driver);
    for (size_t i = 1; i < length; i++)
        if (driver[i] == '.' && driver[i - 1] >= '0' && driver[i - 1] <= '9') {
            length = i;
            break;
        }
    snprintf(major, bytes, "%.*s", (int)(length < bytes ? length : bytes - 1), driver);
}

/* ---- the small tables ---- */

/* Arrays by id: [0, largest id]. */
static enum assay_status table(struct history_data *data, const char *sql, size_t bytes, void *array,
                               size_t *count)
{
    int64_t most = 0;
    void **at = array;
    enum assay_status status =
        database_integer(data->source.db, data->source.path, sql, &most, data->source.error);
    if (status) return status;
    if (most < 0 || most > (INT64_C(1) << 28))
        return assay_error_set(data->source.error, ASSAY_INVALID_INPUT, "%.200s has ids that are too large",
                               data->source.path);
    *count = (size_t)most + 1;
    *at = calloc(*count, bytes);
    return *at ? ASSAY_OK : no_memory(data);
}

/* Whether an array by id has it. In a damaged file rows may lie beyond what the index says is the largest. */
static bool within(int64_t id, size_t count)
{
    return id >= 0 && id < (int64_t)count;
}

static enum assay_status load_runs(struct history_data *data)
{
    sqlite3_stmt *statement = NULL;
    int64_t count = 0;
    int result = SQLITE_ERROR;
    struct query_source *source = &data->source;
    enum assay_status status =
        database_integer(source->db, source->path, "SELECT count(*) FROM run", &count, source->error);
    if (!status)
        status = database_integer(source->db, source->path, "SELECT min(run_id) FROM run", &data->run_first,
                                  source->error);
    if (!status)
        status = database_integer(source->db, source->path, "SELECT max(run_id) FROM run", &data->run_last,
                                  source->error);
    if (status) return status;
    if (count == 0)
        return assay_error_set(
            source->error, ASSAY_INVALID_INPUT,
            "%.300s holds no run; `assay verify`, `assay run` and `assay bench` record one", source->path);
    if (data->run_first < 0 || data->run_last - data->run_first > (INT64_C(1) << 28))
        return assay_error_set(source->error, ASSAY_INVALID_INPUT, "%.200s has ids that are too large",
                               source->path);
    data->run = calloc((size_t)count, sizeof *data->run);
    data->run_at = calloc((size_t)(data->run_last - data->run_first) + 1, sizeof *data->run_at);
    if (!data->run || !data->run_at) return no_memory(data);
    status = query_prepare(source, "read_run", &statement);
    while (!status && data->runs < (size_t)count && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct history_run *run = &data->run[data->runs];
        run->run_id = sqlite3_column_int64(statement, 0);
        if (run->run_id < data->run_first || run->run_id > data->run_last) break;
        run->started = strdup(query_column(statement, 1));
        run->key = strdup(query_column(statement, 2));
        run->revision = strdup(query_column(statement, 3));
        run->label = strdup(query_column(statement, 4));
        run->day = sqlite3_column_double(statement, 5);
        data->run_at[run->run_id - data->run_first] = (uint32_t)data->runs++;
        if (!run->started || !run->key || !run->revision || !run->label) status = no_memory(data);
    }
    if (!status && result != SQLITE_ROW && result != SQLITE_DONE) status = read_fail(data);
    if (!status && data->runs < (size_t)count)
        status = assay_error_set(source->error, ASSAY_IO,
                                 "%.200s is damaged: it has %" PRId64 " runs, and %zu can be read",
                                 source->path, count, data->runs);
    sqlite3_finalize(statement);
    return status;
}

static enum assay_status load_devices(struct history_data *data, const struct history_request *request)
{
    sqlite3_stmt *statement = NULL;
    int result = SQLITE_ERROR;
    enum assay_status status =
        table(data, "SELECT max(device_id) FROM device", sizeof *data->device, &data->device, &data->devices);
    if (!status) status = query_prepare(&data->source, "read_label", &statement);
    while (!status && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(statement, 0);
        if (!within(id, data->devices) || data->device[id].label) continue;
        data->device[id].label = strdup(query_column(statement, 1));
        if (!data->device[id].label) status = no_memory(data);
    }
    sqlite3_finalize(statement);
    statement = NULL;
    if (!status) status = query_prepare(&data->source, "read_device", &statement);
    while (!status && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        char major[128];
        const int64_t id = sqlite3_column_int64(statement, 0);
        if (!within(id, data->devices)) continue;
        struct history_device *device = &data->device[id];
        driver_major(query_column(statement, 2), major, sizeof major);
        device->model = word_of(&data->words, query_column(statement, 1));
        device->driver = word_of(&data->words, query_column(statement, 2));
        device->major = word_of(&data->words, major);
        const char *const name[] = {device->label ? device->label : "", query_column(statement, 3),
                                    query_column(statement, 4), query_column(statement, 5), NULL};
        device->chosen = !request->device || request->device(request->context, name);
        if (device->model == UINT32_MAX || device->driver == UINT32_MAX || device->major == UINT32_MAX)
            status = no_memory(data);
    }
    if (!status && result != SQLITE_DONE) status = read_fail(data);
    sqlite3_finalize(statement);
    return status;
}

static enum assay_status load_kernels(struct history_data *data)
{
    sqlite3_stmt *statement = NULL;
    int result = SQLITE_ERROR;
    enum assay_status status =
        table(data, "SELECT max(kernel_id) FROM kernel", sizeof *data->kernel, &data->kernel, &data->kernels);
    if (!status) status = query_prepare(&data->source, "read_kernel", &statement);
    while (!status && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        const int64_t id = sqlite3_column_int64(statement, 0);
        if (!within(id, data->kernels)) continue;
        struct history_kernel *kernel = &data->kernel[id];
        kernel->name = word_of(&data->words, query_column(statement, 1));
        kernel->code = word_of(&data->words, query_column(statement, 2));
        if (kernel->name == UINT32_MAX || kernel->code == UINT32_MAX) status = no_memory(data);
    }
    if (!status && result != SQLITE_DONE) status = read_fail(data);
    sqlite3_finalize(statement);
    return status;
}

static enum assay_status load_cases(struct history_data *data, const struct history_request *request)
{
    sqlite3_stmt *statement = NULL;
    int result = SQLITE_ERROR;
    enum assay_status status =
        table(data, "SELECT max(case_id) FROM op_case", sizeof *data->line, &data->line, &data->lines);
    if (!status) status = query_prepare(&data->source, "read_case", &statement);
    while (!status && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        const int64_t id = sqlite3_column_int64(statement, 0);
        const char *line = query_column(statement, 1);
        if (!within(id, data->lines) || data->line[id]) continue;
        if (request->chosen && !request->chosen(request->context, line)) continue;
        data->line[id] = strdup(line);
        if (!data->line[id]) status = no_memory(data);
    }
    if (!status && result != SQLITE_DONE) status = read_fail(data);
    sqlite3_finalize(statement);
    return status;
}

/* ---- the large ones ---- */

static bool grow_slots(struct history_table *t)
{
    size_t slots = t->slots ? 2 * t->slots : 1024;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot) return false;
    for (size_t i = 0; i < t->series; i++) {
        size_t at = XXH3_64bits(&t->key[i], sizeof t->key[i]) & (slots - 1);
        while (slot[at]) at = (at + 1) & (slots - 1);
        slot[at] = (uint32_t)i + 1;
    }
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    return true;
}

/* The number of the series; UINT32_MAX: no memory. */
static uint32_t series_of(struct history_table *t, const struct history_key *key, uint32_t device)
{
    if (2 * t->series >= t->slots && !grow_slots(t)) return UINT32_MAX;
    size_t at = XXH3_64bits(key, sizeof *key) & (t->slots - 1);
    for (; t->slot[at]; at = (at + 1) & (t->slots - 1))
        if (memcmp(&t->key[t->slot[at] - 1], key, sizeof *key) == 0) return t->slot[at] - 1;
    size_t size = t->series_size;
    if (!room(&t->key, &size, t->series, sizeof *t->key)) return UINT32_MAX;
    if (!room(&t->device, &t->series_size, t->series, sizeof *t->device)) return UINT32_MAX;
    t->key[t->series] = *key;
    t->device[t->series] = device;
    t->slot[at] = (uint32_t)t->series + 1;
    return (uint32_t)t->series++;
}

static bool known(const struct history_data *data, int64_t run, int64_t device, int64_t c, int64_t kernel)
{
    return run >= data->run_first && run <= data->run_last && device >= 0 &&
           device < (int64_t)data->devices && data->device[device].chosen && c >= 0 &&
           c < (int64_t)data->lines && data->line[c] && kernel >= 0 && kernel < (int64_t)data->kernels;
}

/* Hash of what a judgement said beside bits and verdict. */
static uint64_t rest_of(sqlite3_stmt *statement)
{
    uint64_t hash = 0;
    for (int i = 6; i < 14; i++) {
        const char *text = (const char *)sqlite3_column_text(statement, i);
        hash = text ? XXH3_64bits_withSeed(text, (size_t)sqlite3_column_bytes(statement, i), hash + 1)
                    : hash * 31 + 7;
    }
    return hash;
}

/* `separate`: benches and judgements say different things beside the bits, so each has series of its own. */
static enum assay_status load_rows(struct history_data *data, const char *query, struct history_table *t,
                                   bool bits, bool separate)
{
    sqlite3_stmt *statement = NULL;
    int result = SQLITE_ERROR;
    enum assay_status status = query_prepare(&data->source, query, &statement);
    while (!status && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        int64_t id[4];
        for (int i = 0; i < 4; i++) id[i] = sqlite3_column_int64(statement, i);
        if (!known(data, id[0], id[1], id[2], id[3])) continue;
        const struct history_device *device = &data->device[id[1]];
        const struct history_kernel *kernel = &data->kernel[id[3]];
        struct history_key key = {.case_id = id[2], .model = device->model, .kernel = kernel->name};
        key.major = separate;
        if (!bits) {
            key.major = device->major;
            key.lane = word_of(&data->words, query_column(statement, 4));
        }
        if (!room(&t->row, &t->size, t->count, sizeof *t->row)) {
            status = no_memory(data);
            break;
        }
        struct history_row *row = &t->row[t->count++];
        *row = (struct history_row){.series = series_of(t, &key, (uint32_t)id[1]),
                                    .run = data->run_at[id[0] - data->run_first],
                                    .driver = device->driver,
                                    .code = kernel->code};
        if (row->series == UINT32_MAX || key.lane == UINT32_MAX) status = no_memory(data);
        if (!bits) {
            row->ns = sqlite3_column_double(statement, 5);
            continue;
        }
        row->bits = XXH3_64bits(query_column(statement, 5), strlen(query_column(statement, 5)));
        if (!*query_column(statement, 5)) row->bits = 0;
        row->rest = rest_of(statement);
        row->verdict = word_of(&data->words, query_column(statement, 4));
    }
    if (!status && result != SQLITE_DONE) status = read_fail(data);
    sqlite3_finalize(statement);
    return status;
}

static int by_series(const void *left, const void *right)
{
    const struct history_row *a = left, *b = right;
    if (a->series != b->series) return a->series < b->series ? -1 : 1;
    if (a->run != b->run) return a->run < b->run ? -1 : 1;
    return 0;
}

enum assay_status history_load(const struct history_request *request, struct history_data *data,
                               struct assay_error *error)
{
    *data = (struct history_data){
        .source = {.path = request->db, .file = assay_blob_reports_history_sql, .error = error}};
    enum assay_status status = database_open(request->db, &data->source.db, error);
    if (!status) status = database_execute(data->source.db, request->db, "BEGIN", "begin to read it", error);
    if (!status) status = load_runs(data);
    if (!status) status = load_devices(data, request);
    if (!status) status = load_kernels(data);
    if (!status) status = load_cases(data, request);
    if (!status) status = load_rows(data, "read_time", &data->times, false, false);
    if (!status) status = load_rows(data, "read_result", &data->bits, true, false);
    if (!status) status = load_rows(data, "read_bench", &data->bits, true, true);
    if (status) return status;
    if (data->times.count) qsort(data->times.row, data->times.count, sizeof *data->times.row, by_series);
    if (data->bits.count) qsort(data->bits.row, data->bits.count, sizeof *data->bits.row, by_series);
    return ASSAY_OK;
}

static void table_free(struct history_table *t)
{
    free(t->key);
    free(t->device);
    free(t->slot);
    free(t->row);
}

void history_unload(struct history_data *data)
{
    for (size_t i = 0; i < data->runs; i++) {
        free(data->run[i].started);
        free(data->run[i].key);
        free(data->run[i].revision);
        free(data->run[i].label);
    }
    for (size_t i = 0; data->device && i < data->devices; i++) free(data->device[i].label);
    for (size_t i = 0; data->line && i < data->lines; i++) free(data->line[i]);
    for (size_t i = 0; i < data->words.count; i++) free(data->words.word[i]);
    free(data->run);
    free(data->run_at);
    free(data->device);
    free(data->kernel);
    free(data->line);
    free(data->words.word);
    table_free(&data->times);
    table_free(&data->bits);
    sqlite3_close(data->source.db);
    *data = (struct history_data){0};
}
