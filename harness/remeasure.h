/* Measuring suspects again: two builds of this program, turn by turn, each into a database of its own. */
#ifndef ASSAY_REMEASURE_H
#define ASSAY_REMEASURE_H

#include "harness/options.h"

#define REMEASURE_ROUNDS 12 /* processes a side: the smallest p is then 7e-7 */

struct remeasure {
    char folder[64]; /* of the databases; removed by remeasure_end */
    char db[2][96];  /* of BASE and HEAD */
    char **word;     /* case lines, then devices */
    size_t lines, devices, size;
    char *kernel; /* of all, or "" where they differ */
    char *lane;
};

void remeasure_begin(struct remeasure *again);
/* Note a timing that is to be measured again. */
enum assay_status remeasure_add(struct remeasure *again, const char *line, const char *device,
                                const char *kernel, const char *lane, struct assay_error *error);
/* Start `base` and the running program by turns (A B B A). A program that fails ends it, with its exit code. */
enum assay_status remeasure_run(struct remeasure *again, const char *base, const struct options *options,
                                struct assay_error *error);
void remeasure_end(struct remeasure *again);

#endif
