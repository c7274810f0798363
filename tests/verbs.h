/* Verbs of the program called from tests: options from a command line, output caught, database in a folder of its own.
 * A test program that uses it starts its main with VERBS_WORKER, since workers are this very program, started again. */
#ifndef TESTS_VERBS_H
#define TESTS_VERBS_H

#include "harness/options.h"

#include <sqlite3.h>

#define VERBS_WORKER(argc, argv)                                                                             \
    do {                                                                                                     \
        if ((argc) > 3 && strcmp((argv)[1], "worker") == 0) return verbs_worker((argc), (argv));             \
    } while (0)

struct verbs {
    char folder[64], db[128];
    char out[1 << 16], err[1 << 14]; /* of the last call */
};

void verbs_begin(struct verbs *verbs);
void verbs_end(struct verbs *verbs); /* removes the folder */
int verbs_worker(int argc, char **argv);
/* Run a verb with words up to NULL; "--db FILE" is added. Returns the exit code. */
int verbs_call(struct verbs *verbs, const char *const *words);
/* First column of the first row, as an integer or a text ("" if there is none); the text lives until the next call. */
int64_t verbs_number(const struct verbs *verbs, const char *sql);
const char *verbs_text(const struct verbs *verbs, const char *sql);

#endif
