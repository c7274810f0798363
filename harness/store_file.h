/* A connection to a whole database file, for store_*.c: the few calls that they share. No rows, no tables. */
#ifndef ASSAY_STORE_FILE_H
#define ASSAY_STORE_FILE_H

#include <jansson.h>
#include <sqlite3.h>

#include "devices/types.h"

struct store_file {
    sqlite3 *db;
    const char *path; /* for messages */
};

/* Open for writing what store_open would: created, migrated, foreign or newer files refused. Names given to ATTACH may be
 * URIs. file->db belongs to the caller (sqlite3_close); it is NULL after a failure. */
enum assay_status store_file_write(const char *path, struct store_file *file, struct assay_error *error);
/* Open for reading alone, of any version from 1 on (reports/database.h). */
enum assay_status store_file_read(const char *path, struct store_file *file, struct assay_error *error);

/* "cannot ACT in database 'PATH': ...", out of what SQLite said last. */
enum assay_status store_file_fail(const struct store_file *file, const char *act, struct assay_error *error);
enum assay_status store_file_run(const struct store_file *file, const char *sql, const char *act,
                                 struct assay_error *error);
/* First column of the first row; 0 without a row. */
enum assay_status store_file_number(const struct store_file *file, const char *sql, const char *act,
                                    int64_t *value, struct assay_error *error);
/* The same as a text: malloc'ed, "" for NULL or without a row. NULL after a failure. */
char *store_file_text(const struct store_file *file, const char *sql, const char *act,
                      struct assay_error *error);
/* `path` as a URI with a query such as "?mode=ro". Malloc'ed; NULL when out of memory. */
char *store_file_uri(const char *path, const char *query);
/* A JSON string; bytes that are no UTF-8 as \xNN. NULL when out of memory. */
json_t *store_file_json(const char *text);

#endif
