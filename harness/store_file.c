/* Connections to whole database files. It knows what store.c and reports/database.c refuse, and no table. */
#include "harness/store_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store.h"
#include "reports/database.h"
#include "reports/markdown.h"

#define BUSY_TIMEOUT_MS 60000 /* as store.c waits for another writer */

enum assay_status store_file_fail(const struct store_file *file, const char *act, struct assay_error *error)
{
    const int code = sqlite3_extended_errcode(file->db);
    const char *words = (code & 0xff) == SQLITE_FULL ? "the disk is full" : sqlite3_errmsg(file->db);
    return assay_error_set(error, ASSAY_IO, "cannot %s in database '%s': %s (SQLite code %d)", act,
                           file->path, words, code);
}

enum assay_status store_file_run(const struct store_file *file, const char *sql, const char *act,
                                 struct assay_error *error)
{
    if (sqlite3_exec(file->db, sql, NULL, NULL, NULL) == SQLITE_OK) return ASSAY_OK;
    return store_file_fail(file, act, error);
}

/* The statement stands at its first row, or after its last; NULL after a failure. */
static sqlite3_stmt *first_row(const struct store_file *file, const char *sql, const char *act, bool *row,
                               struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(file->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    *row = code == SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE) return statement;
    store_file_fail(file, act, error);
    sqlite3_finalize(statement);
    return NULL;
}

enum assay_status store_file_number(const struct store_file *file, const char *sql, const char *act,
                                    int64_t *value, struct assay_error *error)
{
    bool row;
    sqlite3_stmt *statement = first_row(file, sql, act, &row, error);
    if (!statement) return ASSAY_IO;
    *value = row ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return ASSAY_OK;
}

char *store_file_text(const struct store_file *file, const char *sql, const char *act,
                      struct assay_error *error)
{
    bool row;
    sqlite3_stmt *statement = first_row(file, sql, act, &row, error);
    if (!statement) return NULL;
    const char *found = row ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    char *text = strdup(found ? found : "");
    if (!text) assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot %s: out of memory", act);
    sqlite3_finalize(statement);
    return text;
}

char *store_file_uri(const char *path, const char *query)
{
    char *uri = malloc(3 * strlen(path) + strlen(query) + 8);
    if (!uri) return NULL;
    char *out = stpcpy(uri, "file:");
    /* ":memory:" would be a name of SQLite's, two slashes at the start a host. */
    if (*path != '/') out = stpcpy(out, "./");
    for (; path[0] == '/' && path[1] == '/';) path++;
    for (const unsigned char *at = (const unsigned char *)path; *at; at++)
        out += sprintf(out, strchr("?#%", *at) ? "%%%02x" : "%c", *at);
    strcpy(out, query);
    return uri;
}

json_t *store_file_json(const char *string)
{
    json_t *json = json_string(string);
    if (json) return json;
    struct text text = {0};
    markdown_flat(&text, string);
    json = text.failed ? NULL : json_string(text.data ? text.data : "");
    text_free(&text);
    return json;
}

enum assay_status store_file_write(const char *path, struct store_file *file, struct assay_error *error)
{
    struct store *store = NULL;
    *file = (struct store_file){.path = path};
    enum assay_status status = store_open(path, false, &store, error);
    store_close(store);
    if (status != ASSAY_OK) return status;
    char *uri = store_file_uri(path, "");
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    if (!uri || sqlite3_open_v2(uri, &file->db, flags, NULL) != SQLITE_OK) {
        status = assay_error_set(error, ASSAY_IO, "cannot open database '%s': %s", path,
                                 file->db ? sqlite3_errmsg(file->db) : "out of memory");
    } else {
        sqlite3_busy_timeout(file->db, BUSY_TIMEOUT_MS);
        sqlite3_extended_result_codes(file->db, 1);
        status = store_file_run(file,
                                "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
                                " PRAGMA temp_store = MEMORY",
                                "configure", error);
    }
    free(uri);
    if (status != ASSAY_OK) {
        sqlite3_close(file->db);
        file->db = NULL;
    }
    return status;
}

enum assay_status store_file_read(const char *path, struct store_file *file, struct assay_error *error)
{
    *file = (struct store_file){.path = path};
    enum assay_status status = database_open(path, &file->db, error);
    if (status == ASSAY_OK) sqlite3_extended_result_codes(file->db, 1);
    return status;
}
