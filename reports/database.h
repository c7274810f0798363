/* Opening a database of Assay to read it: every reader's way in, with the refusals that a person can act on.
 *
 * It knows the marks of our files and which versions of the schema can be read, and no table's meaning. */
#ifndef ASSAY_DATABASE_H
#define ASSAY_DATABASE_H

#include "devices/types.h"
#include <sqlite3.h>

/* Open `path` for reading alone. A missing, empty, foreign or newer file is ASSAY_INVALID_INPUT with a sentence that
 * names it. A file of an older version is read as it is: temporary tables and views stand in for what it lacks, so that
 * queries need to know the newest version only (names without a schema find them). *db belongs to the caller
 * (sqlite3_close); it is NULL after a failure. */
enum assay_status database_open(const char *path, sqlite3 **db, struct assay_error *error);

/* First column of the first row of `sql`, 0 without a row. */
enum assay_status database_integer(sqlite3 *db, const char *path, const char *sql, int64_t *value,
                                   struct assay_error *error);
/* Run statements that give no rows; `act` says what they do ("choose the run") in the error. */
enum assay_status database_execute(sqlite3 *db, const char *path, const char *sql, const char *act,
                                   struct assay_error *error);
/* Record what SQLite said last: "PATH: cannot ACT: ...". Returns ASSAY_IO. */
enum assay_status database_fail(sqlite3 *db, const char *path, const char *act, struct assay_error *error);

#endif
