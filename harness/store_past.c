/* Reading back a run that is to be gone on with; see store_past.h. */
#include "harness/store_past.h"
#include "harness/store_inside.h"

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
static const char where_key[] = "WHERE substr(r.key, 1, length(?1)) = lower(?1) LIMIT 2";
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

static enum assay_status none_found(struct store *store, const char *word, const char *verb, bool several,
                                    struct assay_error *error)
{
    const char *path = sqlite3_db_filename(store->db, "main");
    if (several)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "more than one run of '%s' has a key that begins with %.40s: give more of it",
                               path, word);
    if (word)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "'%s' has no run %.60s; a run is named by its number, or by the beginning of "
                               "its key (4 digits or more)",
                               path, word);
    return assay_error_set(error, ASSAY_INVALID_INPUT,
                           "'%s' has no unfinished %s to go on with; `assay %s` starts a new one", path, verb,
                           verb);
}

enum assay_status store_past_find(struct store *store, const char *word, const char *verb, int64_t before,
                                  struct store_past *past, struct assay_error *error)
{
    char sql[sizeof sql_past + sizeof where_newest];
    sqlite3_stmt *statement = NULL;
    *past = (struct store_past){0};
    const bool number = word && word[strspn(word, "0123456789")] == 0 && strlen(word) < 10;
    const bool key = word && !number && strlen(word) >= 4 && strlen(word) <= 32;
    if (word && !number && !key) return none_found(store, word, verb, false, error);
    memcpy(sql, sql_past, sizeof sql_past);
    strcat(sql, number ? where_number : key ? where_key : where_newest);
    sqlite3 *db = store->db;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        return store_refuse(store, "look for the run", error);
    sqlite3_bind_text(statement, 1, word ? word : verb, -1, SQLITE_STATIC);
    if (number) sqlite3_bind_int64(statement, 1, strtoll(word, NULL, 10));
    if (!word) sqlite3_bind_int64(statement, 2, before);
    enum assay_status status = ASSAY_OK;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        status = read_past(statement, past, error);
        if (status == ASSAY_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
            status = none_found(store, word, verb, true, error);
        else if (status == ASSAY_OK && code != SQLITE_DONE)
            status = store_refuse(store, "look for the run", error);
    } else {
        status = code == SQLITE_DONE ? none_found(store, word, verb, false, error)
                                     : store_refuse(store, "look for the run", error);
    }
    sqlite3_finalize(statement);
    if (status != ASSAY_OK) store_past_free(past);
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
