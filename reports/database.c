/* Opening a database to read it. It knows the marks of our files and what older versions lack (older.sql). */
#include "reports/database.h"
#include "reports/markdown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 0x41535359 /* "ASSY", as harness/store.c marks its files */
#define SCHEMA_VERSION 3
#define SCHEMA_OLDEST  1 /* versions from here on hold all that the queries read, with older.sql's help */

extern const char assay_blob_reports_older_sql[];

enum assay_status database_fail(sqlite3 *db, const char *path, const char *act, struct assay_error *error)
{
    return assay_error_set(error, ASSAY_IO, "%.200s: cannot %.80s: %.200s", path, act,
                           db ? sqlite3_errmsg(db) : "out of memory");
}

enum assay_status database_execute(sqlite3 *db, const char *path, const char *sql, const char *act,
                                   struct assay_error *error)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) return database_fail(db, path, act, error);
    return ASSAY_OK;
}

enum assay_status database_integer(sqlite3 *db, const char *path, const char *sql, int64_t *value,
                                   struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    *value = 0;
    int result = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (result == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    int code = sqlite3_finalize(statement);
    if (result == SQLITE_OK) result = code;
    if (result == SQLITE_NOTADB)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%.300s is no SQLite database", path);
    if (result != SQLITE_OK) return database_fail(db, path, "read it", error);
    return ASSAY_OK;
}

/* A path may hold what means something in a URI. */
static int open_uri(const char *path, const char *query, sqlite3 **db)
{
    struct text uri = {0};
    text_put(&uri, "file:");
    for (const unsigned char *s = (const unsigned char *)path; *s; s++)
        text_printf(&uri, strchr("?#%", *s) ? "%%%02x" : "%c", *s);
    text_put(&uri, query);
    int result = SQLITE_NOMEM;
    if (!uri.failed)
        result =
            sqlite3_open_v2(uri.data, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    text_free(&uri);
    return result;
}

static enum assay_status open_file(const char *path, sqlite3 **db, struct assay_error *error)
{
    struct stat info;
    if (stat(path, &info))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "cannot open the database %.300s: %s", path,
                               strerror(errno));
    if (!S_ISREG(info.st_mode)) return assay_error_set(error, ASSAY_INVALID_INPUT, "%.300s is no file", path);
    if (open_uri(path, "", db) != SQLITE_OK) return database_fail(*db, path, "open it", error);
    sqlite3_busy_timeout(*db, 10000);
    /* A database with a write-ahead log needs files beside it even to be read. Where they cannot be made (another
     * user's folder, a read-only disk) and no log is left, the file alone is all there is. */
    int result = sqlite3_exec(*db, "SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);
    if (result == SQLITE_CANTOPEN || result == SQLITE_READONLY) {
        char log[4096];
        int length = snprintf(log, sizeof log, "%s-wal", path);
        if (length < (int)sizeof log && access(log, F_OK) != 0) {
            sqlite3_close(*db);
            *db = NULL;
            if (open_uri(path, "?immutable=1", db) != SQLITE_OK)
                return database_fail(*db, path, "open it", error);
        }
    }
    return ASSAY_OK;
}

static enum assay_status check_marks(sqlite3 *db, const char *path, int64_t *version,
                                     struct assay_error *error)
{
    int64_t application = 0, tables = 0;
    enum assay_status status = database_integer(db, path, "PRAGMA application_id", &application, error);
    if (!status) status = database_integer(db, path, "PRAGMA user_version", version, error);
    if (!status) status = database_integer(db, path, "SELECT count(*) FROM sqlite_schema", &tables, error);
    if (status) return status;
    if (tables == 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%.300s is an empty database: no run was recorded in it", path);
    if (application != APPLICATION_ID)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%.300s is a database of another program (application_id %" PRId64 ")", path,
                               application);
    if (*version > SCHEMA_VERSION)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%.300s has schema version %" PRId64 ", newer than this program's %d", path,
                               *version, SCHEMA_VERSION);
    if (*version < SCHEMA_OLDEST)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%.300s is damaged: no Assay writes the schema version %" PRId64, path,
                               *version);
    return ASSAY_OK;
}

/* Each part of older.sql stands in for what the version in its heading added; a file needs those above its own. */
static enum assay_status stand_in(sqlite3 *db, const char *path, int64_t version, struct assay_error *error)
{
    char heading[48];
    if (version >= SCHEMA_VERSION) return ASSAY_OK;
    snprintf(heading, sizeof heading, "-- since version %" PRId64, version + 1);
    const char *sql = strstr(assay_blob_reports_older_sql, heading);
    if (!sql)
        return assay_error_set(error, ASSAY_INTERNAL, "older.sql has nothing for version %" PRId64, version);
    return database_execute(db, path, sql, "read this older version", error);
}

enum assay_status database_open(const char *path, sqlite3 **db, struct assay_error *error)
{
    int64_t version = 0;
    *db = NULL;
    enum assay_status status = open_file(path, db, error);
    if (!status) status = check_marks(*db, path, &version, error);
    if (!status)
        status = database_execute(*db, path, "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536",
                                  "set it up", error);
    if (!status) status = stand_in(*db, path, version, error);
    if (status) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return status;
}
