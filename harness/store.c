/* The database as a handle: opening and refusing files, migrations, transactions.
 *
 * It knows SQLite and versions, and no table: rows are store_rows.c's. The handle belongs to one thread at a time. */
#include "harness/store_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID  0x41535359 /* "ASSY": tells our files from other people's */
#define BUSY_TIMEOUT_MS 60000

extern const char assay_blob_harness_schema_sql[], assay_blob_harness_schema2_sql[],
    assay_blob_harness_schema3_sql[];
const char *const store_migrations[STORE_VERSION] = {
    assay_blob_harness_schema_sql,
    assay_blob_harness_schema2_sql,
    assay_blob_harness_schema3_sql,
};

enum assay_status store_refuse(struct store *store, const char *act, struct assay_error *error)
{
    int code = sqlite3_extended_errcode(store->db);
    const char *words = sqlite3_errmsg(store->db);
    if ((code & 0xff) == SQLITE_FULL) words = "the disk is full";
    return assay_error_set(error, ASSAY_IO, "cannot %s in database '%s': %s (SQLite code %d)", act,
                           store->path, words, code);
}

static enum assay_status execute(struct store *store, const char *sql, const char *act,
                                 struct assay_error *error)
{
    if (sqlite3_exec(store->db, sql, NULL, NULL, NULL) != SQLITE_OK) return store_refuse(store, act, error);
    return ASSAY_OK;
}

enum assay_status store_begin(struct store *store, struct assay_error *error)
{
    /* A full disk may have rolled the transaction back or left it open: start from none. */
    if (!sqlite3_get_autocommit(store->db)) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return execute(store, "BEGIN IMMEDIATE", "start writing", error);
}

enum assay_status store_finish(struct store *store, enum assay_status status, struct assay_error *error)
{
    if (status == ASSAY_OK) status = execute(store, "COMMIT", "commit", error);
    if (status != ASSAY_OK && !sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- opening ---- */

static enum assay_status pragma_int(struct store *store, const char *sql, int64_t *value,
                                    struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return store_refuse(store, "read the header", error);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) *value = sqlite3_column_int64(statement, 0);
    enum assay_status status = code == SQLITE_ROW ? ASSAY_OK : store_refuse(store, "read the header", error);
    sqlite3_finalize(statement);
    return status;
}

/* Look at the bytes before SQLite may touch them: a foreign file is left as it is, its journals too. */
static enum assay_status inspect(const char *path, bool readonly, struct assay_error *error)
{
    struct stat stat_record;
    unsigned char header[100] = {0};
    if (stat(path, &stat_record) != 0) {
        if (errno == ENOENT && !readonly) return ASSAY_OK;
        return assay_error_set(error, ASSAY_IO, "cannot open database '%s': %s", path, strerror(errno));
    }
    if (!S_ISREG(stat_record.st_mode))
        return assay_error_set(error, ASSAY_IO, "cannot open database '%s': it is not a regular file", path);
    int file = open(path, (readonly ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    if (file < 0)
        return assay_error_set(error, ASSAY_IO, "cannot open database '%s' for %s: %s", path,
                               readonly ? "reading" : "writing", strerror(errno));
    ssize_t got = read(file, header, sizeof header);
    close(file);
    if (got < 0)
        return assay_error_set(error, ASSAY_IO, "cannot read database '%s': %s", path, strerror(errno));
    if (got == 0) return ASSAY_OK;
    if (got < (ssize_t)sizeof header || memcmp(header, "SQLite format 3", 16) != 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "'%s' is not a database; it is left untouched",
                               path);
    uint32_t id =
        (uint32_t)header[68] << 24 | (uint32_t)header[69] << 16 | (uint32_t)header[70] << 8 | header[71];
    if (id != 0 && id != APPLICATION_ID)
        return assay_error_set(
            error, ASSAY_INVALID_INPUT,
            "'%s' is a database of another program (application id 0x%08x); it is left untouched", path, id);
    return ASSAY_OK;
}

/* SQLite keeps a journal beside the file, so writing needs the folder as well. Its own words name neither. */
static enum assay_status inspect_folder(const char *path, struct assay_error *error)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    if (!folder)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot open database '%s': out of memory", path);
    enum assay_status status = ASSAY_OK;
    if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) != 0)
        status = assay_error_set(error, ASSAY_IO, "cannot write database '%s': the folder %s: %s", path,
                                 folder, strerror(errno));
    free(folder);
    return status;
}

static enum assay_status check_version(struct store *store, int version, int64_t *found,
                                       struct assay_error *error)
{
    int64_t id = 0, tables = 0;
    enum assay_status status = pragma_int(store, "PRAGMA application_id", &id, error);
    if (status == ASSAY_OK) status = pragma_int(store, "PRAGMA user_version", found, error);
    if (status == ASSAY_OK) status = pragma_int(store, "SELECT count(*) FROM sqlite_schema", &tables, error);
    if (status != ASSAY_OK) return status;
    if (id != APPLICATION_ID && tables > 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "'%s' is a database of another program; it is left untouched", store->path);
    if (*found > version)
        return assay_error_set(
            error, ASSAY_INVALID_INPUT,
            "database '%s' was written by a newer Assay (version %lld, this program knows up to %d);"
            " it is left untouched",
            store->path, (long long)*found, version);
    /* Ours has a version from the moment that it has tables; below none, the migrations have no text. */
    if (*found < (tables > 0 ? 1 : 0))
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "'%s' is damaged: no Assay writes the version %lld; it is left untouched",
                               store->path, (long long)*found);
    return ASSAY_OK;
}

static enum assay_status migrate(struct store *store, const char *const *migrations, int version,
                                 struct assay_error *error)
{
    int64_t found = 0;
    enum assay_status status = store_begin(store, error);
    if (status != ASSAY_OK) return status;
    /* Read again under the lock: another process may have created the file meanwhile. */
    status = check_version(store, version, &found, error);
    for (int at = (int)found; status == ASSAY_OK && at < version; at++)
        status = execute(store, migrations[at], "create the tables", error);
    if (status == ASSAY_OK) {
        char sql[96];
        snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
                 version);
        status = execute(store, sql, "mark the version", error);
    }
    return store_finish(store, status, error);
}

/* The switch to WAL needs the file for a moment alone, and does not wait for it by itself. */
static enum assay_status use_wal(struct store *store, struct assay_error *error)
{
    for (int waited_ms = 0;; waited_ms += 20) {
        int code = sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if (code == SQLITE_OK) return ASSAY_OK;
        const int kind = code & 0xff; /* extended codes are on */
        if ((kind != SQLITE_BUSY && kind != SQLITE_LOCKED) || waited_ms > BUSY_TIMEOUT_MS)
            return store_refuse(store, "switch to write-ahead logging", error);
        usleep(20000);
    }
}

enum assay_status store_open_with(const char *path, bool readonly, const char *const *migrations, int version,
                                  struct store **out, struct assay_error *error)
{
    int64_t found = 0;
    int flags = readonly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    *out = NULL;
    enum assay_status status = inspect(path, readonly, error);
    if (status == ASSAY_OK && !readonly) status = inspect_folder(path, error);
    if (status != ASSAY_OK) return status;
    struct store *store = calloc(1, sizeof *store);
    if (store) store->path = strdup(path);
    if (!store || !store->path) {
        free(store);
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "cannot open database '%s': out of memory", path);
    }
    /* To SQLite this name means a database that nobody finds again; here it is a file like any other. */
    const char *file = strcmp(path, ":memory:") == 0 ? "./:memory:" : path;
    if (sqlite3_open_v2(file, &store->db, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) {
        status = assay_error_set(error, ASSAY_IO, "cannot open database '%s': %s", path,
                                 store->db ? sqlite3_errmsg(store->db) : "out of memory");
        goto end;
    }
    sqlite3_busy_timeout(store->db, BUSY_TIMEOUT_MS);
    sqlite3_extended_result_codes(store->db, 1);
    /* One transaction, so that its reads agree when another process is just making the tables. */
    status = execute(store, "BEGIN", "read the header", error);
    if (status == ASSAY_OK) status = store_finish(store, check_version(store, version, &found, error), error);
    if (status != ASSAY_OK) goto end;
    if (readonly && found < version) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT,
                                 found ? "database '%s' has version %lld, older than this program's"
                                       : "database '%s' holds no results yet (version %lld)",
                                 path, (long long)found);
        goto end;
    }
    if (!readonly) {
        if (found < version) status = migrate(store, migrations, version, error);
        if (status == ASSAY_OK) status = use_wal(store, error);
        if (status == ASSAY_OK)
            status =
                execute(store, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", "configure", error);
    }
end:
    if (status != ASSAY_OK) {
        store_close(store);
        return status;
    }
    *out = store;
    return ASSAY_OK;
}

enum assay_status store_open(const char *path, bool readonly, struct store **store, struct assay_error *error)
{
    return store_open_with(path, readonly, store_migrations, STORE_VERSION, store, error);
}

void store_close(struct store *store)
{
    if (!store) return;
    for (int at = 0; at < STORE_STATEMENTS; at++) sqlite3_finalize(store->statement[at]);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
}
