/* What is in a database: rows by table, runs, devices. */
#include "harness/store_db.h"

#include <string.h>
#include <sys/stat.h>

#include "harness/store.h"
#include "harness/store_file.h"

static const char tables_sql[] = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE"
                                 " 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid";
static const char runs_sql[] =
    "SELECT run_id, key, started_utc, ended_utc, verb, level, engine, engine_version, revision, label, shard,"
    " resumed, planned, (SELECT count(*) FROM result r WHERE r.run_id = run.run_id) AS results,"
    " (SELECT count(*) FROM result r WHERE r.run_id = run.run_id AND r.verdict IN ('DIFF', 'NONDET', "
    "'GUARD', 'CRASH',"
    " 'HANG') AND r.expected IS NOT r.verdict) AS failures, (SELECT count(*) FROM bench b WHERE b.run_id = "
    "run.run_id) AS benches, "
    "exit_code, reason"
    " FROM run ORDER BY started_utc, run_id";
static const char devices_sql[] =
    "SELECT device_id, key, backend, driver, name, api, kind, uuid, pci, software, (SELECT count(*) FROM "
    "run_device v"
    " WHERE v.device_id = device.device_id) AS runs FROM device ORDER BY device_id";

static json_t *value_of(sqlite3_stmt *statement, int column)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(statement, column));
    case SQLITE_FLOAT:
        return json_real(sqlite3_column_double(statement, column));
    case SQLITE_NULL:
        return json_null();
    default:
        return store_file_json((const char *)sqlite3_column_text(statement, column));
    }
}

/* Rows as an array of objects by the columns' names. NULL after a failure. */
static json_t *rows_of(const struct store_file *file, const char *sql, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    json_t *rows = json_array();
    int code = sqlite3_prepare_v2(file->db, sql, -1, &statement, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        if ((code = sqlite3_step(statement)) != SQLITE_ROW) break;
        json_t *row = json_object();
        for (int c = 0; c < sqlite3_column_count(statement); c++)
            json_object_set_new(row, sqlite3_column_name(statement, c), value_of(statement, c));
        json_array_append_new(rows, row);
    }
    if (code != SQLITE_DONE) store_file_fail(file, "read the rows", error);
    sqlite3_finalize(statement);
    if (code == SQLITE_DONE) return rows;
    json_decref(rows);
    return NULL;
}

static json_t *count_tables(const struct store_file *file, struct assay_error *error)
{
    json_t *names = rows_of(file, tables_sql, error), *counts = names ? json_object() : NULL, *row;
    size_t at;
    json_array_foreach(names, at, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        char *sql = sqlite3_mprintf("SELECT count(*) FROM main.\"%w\"", name);
        int64_t count = 0;
        enum assay_status status =
            sql ? store_file_number(file, sql, "count the rows", &count, error) : ASSAY_IO;
        sqlite3_free(sql);
        if (status != ASSAY_OK) {
            json_decref(counts);
            counts = NULL;
            break;
        }
        json_object_set_new(counts, name, json_integer(count));
    }
    json_decref(names);
    return counts;
}

enum assay_status store_info(const char *path, json_t **answer, struct assay_error *error)
{
    struct store_file file;
    struct stat found = {0};
    json_t *tables = NULL, *runs = NULL, *devices = NULL;
    int64_t version = 0;
    *answer = NULL;
    enum assay_status status = store_file_read(path, &file, error);
    /* One moment for all of it, whoever writes meanwhile. */
    if (status == ASSAY_OK) status = store_file_run(&file, "BEGIN", "begin to read", error);
    if (status == ASSAY_OK)
        status = store_file_number(&file, "PRAGMA main.user_version", "read the version", &version, error);
    if (status == ASSAY_OK &&
        !((tables = count_tables(&file, error)) && (runs = rows_of(&file, runs_sql, error)) &&
          (devices = rows_of(&file, devices_sql, error))))
        status = error->status ? error->status : ASSAY_IO;
    sqlite3_close(file.db);
    if (status == ASSAY_OK) {
        stat(path, &found);
        *answer = json_pack("{s:o, s:I, s:I, s:i, s:O, s:O, s:O}", "path", store_file_json(path), "bytes",
                            (json_int_t)found.st_size, "version", (json_int_t)version, "version_known",
                            STORE_VERSION, "tables", tables, "runs", runs, "devices", devices);
        if (!*answer) status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "info: out of memory");
    }
    json_decref(tables);
    json_decref(runs);
    json_decref(devices);
    return status;
}
