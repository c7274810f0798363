/* Reading back a run that is to be gone on with; see store_past.h. */
#include "harness/store_past.h"
#include "harness/store_inside.h"
#include "harness/words.h"
#include "reports/database.h"
#include "reports/pick.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char sql_past[] =
    "SELECT r.run_id, r.key, r.verb, r.command, r.level, r.engine, r.engine_version, r.revision,"
    " r.corpus_hash, r.settings, r.ended_utc IS NOT NULL AND coalesce(r.reason, '') NOT LIKE 'interrupted%' "
    "AS ended, r.planned IS NOT NULL,"
    " (SELECT count(*) FROM plan p WHERE p.run_id = r.run_id),"
    " (SELECT count(*) FROM plan p WHERE p.run_id = r.run_id AND NOT EXISTS"
    " (SELECT 1 FROM result s WHERE s.run_id = p.run_id AND s.seq = p.seq)) AS missing FROM run r ";
static const char where_number[] = "WHERE r.run_id = ?1";
static const char where_newest[] =
    "WHERE r.verb = ?1 AND (?2 = 0 OR r.run_id < ?2) AND (NOT ended OR missing > 0)"
    " ORDER BY r.run_id DESC LIMIT 1";

static const char sql_devices[] =
    "SELECT d.device_id, (SELECT count(*) FROM capped c WHERE c.run_id = v.run_id AND"
    " c.device_id = d.device_id), v.label, d.key, d.backend, d.driver, d.name, coalesce(d.uuid, ''), v.probe"
    " FROM run_device v JOIN device d USING (device_id) WHERE v.run_id = ?1 AND v.opened = 1"
    " ORDER BY v.rowid";
static const char sql_rows[] =
    "SELECT p.seq, p.device_id, c.line, p.kernel, r.verdict, r.expected, coalesce(k.name, ''),"
    " coalesce(k.dtype, ''), r.elems, r.wall_ns, r.reason, r.repro, r.attempt FROM plan p JOIN op_case c "
    "USING (case_id)"
    " LEFT JOIN result r ON r.run_id = p.run_id AND r.seq = p.seq AND r.attempt ="
    " (SELECT max(attempt) FROM result s WHERE s.run_id = p.run_id AND s.seq = p.seq)"
    " LEFT JOIN kernel k USING (kernel_id) WHERE p.run_id = ?1 ORDER BY p.seq";
static const char sql_resume[] = "UPDATE run SET resumed = resumed + 1, ended_utc = NULL, exit_code = NULL,"
                                 " reason = NULL WHERE run_id = ?1";

static const char *text_at(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

static enum assay_status read_past(sqlite3_stmt *statement, struct store_past *past,
                                   struct assay_error *error)
{
    char **const text[] = {&past->key,      &past->verb,        &past->command,
                           &past->level,    &past->engine,      &past->engine_version,
                           &past->revision, &past->corpus_hash, &past->settings};
    past->run_id = sqlite3_column_int64(statement, 0);
    for (int at = 0; at < 9; at++) {
        *text[at] = strdup(text_at(statement, at + 1));
        if (!*text[at])
            return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "out of memory for the record of run %" PRId64,
                                   past->run_id);
    }
    past->ended = sqlite3_column_int(statement, 10);
    past->planned = sqlite3_column_int(statement, 11);
    past->rows = sqlite3_column_int64(statement, 12);
    past->missing = sqlite3_column_int64(statement, 13);
    return ASSAY_OK;
}

/* The first row of `statement`, which is finalized. *found: there was one. */
static enum assay_status take_past(struct store *store, sqlite3_stmt *statement, struct store_past *past,
                                   bool *found, struct assay_error *error)
{
    const int code = sqlite3_step(statement);
    enum assay_status status = ASSAY_OK;
    *found = code == SQLITE_ROW;
    if (*found)
        status = read_past(statement, past, error);
    else if (code != SQLITE_DONE)
        status = store_refuse(store, "look for the run", error);
    sqlite3_finalize(statement);
    if (status != ASSAY_OK) store_past_free(past);
    return status;
}

static enum assay_status prepare_past(struct store *store, const char *where, sqlite3_stmt **statement,
                                      struct assay_error *error)
{
    char sql[sizeof sql_past + sizeof where_newest];
    memcpy(sql, sql_past, sizeof sql_past);
    strcat(sql, where);
    if (sqlite3_prepare_v2(store->db, sql, -1, statement, NULL) == SQLITE_OK) return ASSAY_OK;
    return store_refuse(store, "look for the run", error);
}

enum assay_status store_past_read(struct store *store, int64_t run_id, struct store_past *past,
                                  struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool found = false;
    *past = (struct store_past){0};
    enum assay_status status = prepare_past(store, where_number, &statement, error);
    if (status != ASSAY_OK) return status;
    sqlite3_bind_int64(statement, 1, run_id);
    status = take_past(store, statement, past, &found, error);
    if (status == ASSAY_OK && !found)
        status = assay_error_set(error, ASSAY_INTERNAL, "run %" PRId64 " is not on record", run_id);
    return status;
}

enum assay_status store_past_find(struct store *store, const char *word, struct store_past *past,
                                  struct assay_error *error)
{
    sqlite3 *db = store->db;
    const char *path = sqlite3_db_filename(db, "main");
    char quoted[WORDS_QUOTE_MAX];
    int64_t count = 0, run_id = 0;
    *past = (struct store_past){0};
    enum assay_status status = pick_runs(db, path, word, error);
    if (status == ASSAY_OK)
        status = database_integer(db, path, "SELECT count(*) FROM temp.picked", &count, error);
    if (status == ASSAY_OK && count != 1)
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "%s stands for %" PRId64
                                 " runs, and one is gone on with at a time: name it by its number, or by "
                                 "the start of its key",
                                 words_quote(quoted, word, strlen(word)), count);
    if (status == ASSAY_OK)
        status = database_integer(db, path, "SELECT run_id FROM temp.picked", &run_id, error);
    return status == ASSAY_OK ? store_past_read(store, run_id, past, error) : status;
}

enum assay_status store_past_newest(struct store *store, const char *verb, int64_t before,
                                    struct store_past *past, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    bool found = false;
    *past = (struct store_past){0};
    enum assay_status status = prepare_past(store, where_newest, &statement, error);
    if (status != ASSAY_OK) return status;
    sqlite3_bind_text(statement, 1, verb, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, before);
    status = take_past(store, statement, past, &found, error);
    if (status == ASSAY_OK && !found)
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 "'%s' has no unfinished %s to go on with; `assay %s` starts a new one",
                                 sqlite3_db_filename(store->db, "main"), verb, verb);
    return status;
}

void store_past_free(struct store_past *past)
{
    free(past->key);
    free(past->verb);
    free(past->command);
    free(past->level);
    free(past->engine);
    free(past->engine_version);
    free(past->revision);
    free(past->corpus_hash);
    free(past->settings);
    *past = (struct store_past){0};
}

enum assay_status store_past_devices(struct store *store, int64_t run_id,
                                     enum assay_status (*take)(void *context,
                                                               const struct store_past_device *device,
                                                               struct assay_error *error),
                                     void *context, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum assay_status status = ASSAY_OK;
    int code;
    if (sqlite3_prepare_v2(store->db, sql_devices, -1, &statement, NULL) != SQLITE_OK)
        return store_refuse(store, "read the devices of the run", error);
    sqlite3_bind_int64(statement, 1, run_id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && status == ASSAY_OK) {
        const struct store_past_device device = {.device_id = sqlite3_column_int64(statement, 0),
                                                 .capped = sqlite3_column_int64(statement, 1),
                                                 .label = text_at(statement, 2),
                                                 .key = text_at(statement, 3),
                                                 .backend = text_at(statement, 4),
                                                 .driver = text_at(statement, 5),
                                                 .name = text_at(statement, 6),
                                                 .uuid = text_at(statement, 7),
                                                 .probe_json = text_at(statement, 8)};
        status = take(context, &device, error);
    }
    if (status == ASSAY_OK && code != SQLITE_DONE)
        status = store_refuse(store, "read the devices of the run", error);
    sqlite3_finalize(statement);
    return status;
}

enum assay_status store_past_rows(struct store *store, int64_t run_id,
                                  enum assay_status (*take)(void *context, const struct store_past_row *row,
                                                            struct assay_error *error),
                                  void *context, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    enum assay_status status = ASSAY_OK;
    int code;
    if (sqlite3_prepare_v2(store->db, sql_rows, -1, &statement, NULL) != SQLITE_OK)
        return store_refuse(store, "read the plan", error);
    sqlite3_bind_int64(statement, 1, run_id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && status == ASSAY_OK) {
        const bool done = sqlite3_column_type(statement, 4) != SQLITE_NULL;
        const bool expects = sqlite3_column_type(statement, 5) != SQLITE_NULL;
        const struct store_past_row row = {
            .seq = sqlite3_column_int64(statement, 0),
            .device_id = sqlite3_column_int64(statement, 1),
            .line = text_at(statement, 2),
            .kernel = text_at(statement, 3),
            .done = done,
            .verdict = done ? verdict_parse(text_at(statement, 4)) : VERDICT_NONE,
            .expected = expects ? verdict_parse(text_at(statement, 5)) : VERDICT_NONE,
            .ran = text_at(statement, 6),
            .dtype = text_at(statement, 7),
            .elems = sqlite3_column_int64(statement, 8),
            .wall_ns = (uint64_t)sqlite3_column_int64(statement, 9),
            .reason = text_at(statement, 10),
            .repro = text_at(statement, 11),
            .attempts = sqlite3_column_int(statement, 12)};
        status = take(context, &row, error);
    }
    if (status == ASSAY_OK && code != SQLITE_DONE) status = store_refuse(store, "read the plan", error);
    sqlite3_finalize(statement);
    return status;
}

enum assay_status store_past_resume(struct store *store, int64_t run_id, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->db, sql_resume, -1, &statement, NULL) != SQLITE_OK)
        return store_refuse(store, "go on with the run", error);
    sqlite3_bind_int64(statement, 1, run_id);
    const int code = sqlite3_step(statement);
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? ASSAY_OK : store_refuse(store, "go on with the run", error);
}
