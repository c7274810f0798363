/* A database of one night, written by hand: every table has rows, and names hold what breaks careless writers of text
 * (quotes, pipes, HTML, emoji, line breaks, control characters, bytes that are no UTF-8). */
#ifndef TESTS_DB_FIXTURE_H
#define TESTS_DB_FIXTURE_H

#include <stdint.h>

/* What one night adds. */
enum {
    DB_FIXTURE_PLANNED = 8, /* one of them without a result */
    DB_FIXTURE_RESULTS = 8, /* one row has two attempts */
    DB_FIXTURE_CAPPED = 1,
    DB_FIXTURE_BENCHES = 3,
    DB_FIXTURE_ROWS = DB_FIXTURE_PLANNED + DB_FIXTURE_CAPPED + DB_FIXTURE_BENCHES, /* of an export */
    DB_FIXTURE_FAILED = 3,  /* DIFF twice, and a NONDET of bench */
    DB_FIXTURE_ERRORS = 2,  /* ERROR, and the case without a result */
    DB_FIXTURE_SKIPPED = 3, /* SKIP, DEADREF, capped */
    DB_FIXTURE_PASSED = DB_FIXTURE_ROWS - DB_FIXTURE_FAILED - DB_FIXTURE_ERRORS - DB_FIXTURE_SKIPPED,
};

/* Make a database at `path`, or add to it, the run of night 1, 2, ... (below 28). */
void db_fixture(const char *path, int night);
/* Run SQL on a file; fails the test when it cannot. */
void db_execute(const char *path, const char *sql);
/* First column of the first row. */
int64_t db_number(const char *path, const char *sql);
/* The same as text, malloc'ed; "" for none. */
char *db_text(const char *path, const char *sql);
/* Everything in a file that does not depend on local numbers, as malloc'ed text. */
char *db_content(const char *path);
/* Read a file whole; malloc'ed, NUL-terminated. */
char *db_file(const char *path);

#endif
