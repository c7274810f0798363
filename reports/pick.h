/* Words that choose runs, the same for every verb that reads them:
 *
 *   latest         the run that started last; so does no word at all
 *   previous       the one before it with the same verb, level, engine and shard, and not of the same label
 *   all            every run of the file
 *   12             the run with that number
 *   3fa9c1         the run whose key begins so: 6 hex digits or more
 *   nightly-7      every run with that label (--label): the shards and machines of one night
 *   run=12 key=3fa9c1 label=12    one reading, where a word has two
 *   FILE:WORD      WORD in another database file; FILE: alone is its latest
 *
 * It knows the table `run` alone. */
#ifndef ASSAY_PICK_H
#define ASSAY_PICK_H

#include "devices/types.h"
#include <sqlite3.h>

/* Open the database at `path`, or the one that `word` names, and begin to read it: one transaction, so that a run that is
 * being written to is seen as it is at one moment. The chosen runs are in temp.picked (run_id INTEGER PRIMARY KEY), one
 * at least. A word that means nothing, or more than one thing, is ASSAY_INVALID_INPUT with what there is instead. *db
 * belongs to the caller (sqlite3_close). */
enum assay_status pick_open(const char *path, const char *word, sqlite3 **db, struct assay_error *error);

/* The same on a database that database_open gave, for a word without FILE; what was picked before is forgotten. `path` is
 * for messages. */
enum assay_status pick_runs(sqlite3 *db, const char *path, const char *word, struct assay_error *error);

/* The database that pick_open would open for `word`: `path`, or the FILE of FILE:WORD, which is copied to `file`. *rest
 * is the word inside it. A colon splits only behind the name of a file that exists: a label may hold one. */
const char *pick_file(const char *path, const char *word, char *file, size_t file_bytes, const char **rest);

/* May runs be given this label? 1 to PICK_LABEL_MAX bytes of printable text, but not latest, previous, all, a number, or
 * what begins with run=, key= or label=: RUN reads these otherwise. A label like the start of a key, such as the hash of a
 * commit, is allowed: it means two things only beside a run whose key begins so, and is then refused where it is read. */
#define PICK_LABEL_MAX 200
bool pick_is_label(const char *label);

#endif
