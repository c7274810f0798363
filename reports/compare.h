/* Two runs against each other: correctness by equality, time by statistics (docs/timing.md). It sees databases only. */
#ifndef ASSAY_COMPARE_H
#define ASSAY_COMPARE_H

#include "reports/markdown.h"

struct compare_request {
    const char *db;       /* where words without a file are looked up */
    const char *base;     /* words of pick.h */
    const char *head;     /* NULL: sides A and B of the bench rows of `base` */
    const char *fresh[2]; /* databases whose every run measured BASE and HEAD again; NULL = none */
    double delta;         /* smallest change of time that counts, as a part; 0 = 0.01 */
};

struct compare_counts {
    int64_t compared; /* cases that both sides judged */
    int64_t worse;    /* of them and of new ones: other bits, a worse verdict, a lower rung */
    int64_t other;    /* changes that are no failure: drivers, hashes, oracles, cases that came and went */
    int64_t regressed, improved, same, ambiguous, inconclusive; /* timings */
    int64_t machine; /* timings that changed although code and driver did not */
};

struct comparison;

/* Read both sides and compare them. Errors: those of pick_open, and two words for one run. */
enum assay_status compare_make(const struct compare_request *request, struct comparison **comparison,
                               struct assay_error *error);
void compare_free(struct comparison *comparison); /* accepts NULL */

const struct compare_counts *compare_counts(const struct comparison *comparison);
/* 2 for worse cases and regressions, 3 if nothing could be compared, else 0; `reason` gets the sentence. */
int compare_exit(const struct comparison *comparison, char *reason, size_t reason_bytes);

/* The whole comparison as Markdown for a pull request, or as one JSON object. */
enum assay_status compare_markdown(struct comparison *comparison, struct text *text,
                                   struct assay_error *error);
enum assay_status compare_json(struct comparison *comparison, struct text *text, struct assay_error *error);

/* Timings that only fresh measurements can settle: f is called with the case line, HEAD's label of the device, kernel and
 * lane of each; what it returns but ASSAY_OK ends the walk. */
enum assay_status compare_suspects(struct comparison *comparison,
                                   enum assay_status (*f)(void *context, const char *line, const char *device,
                                                          const char *kernel, const char *lane),
                                   void *context, struct assay_error *error);

#endif
