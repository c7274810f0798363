/* What changed over the runs of a database, and when (docs/timing.md): times by change points and drift, correctness by
 * equality. It sees the database only. */
#ifndef ASSAY_HISTORY_H
#define ASSAY_HISTORY_H

#include "reports/markdown.h"

#define HISTORY_NEW        7 /* newest points of a series: a change among them is new, and decides the exit code */
#define HISTORY_DRIFT_DAYS 90   /* how far back "the best" is looked for */
#define HISTORY_DRIFT      5    /* points on each end of a drift */
#define HISTORY_DRIFT_P    1e-4 /* of no trend, above which no drift is told */

struct history_request {
    const char *db;
    bool (*chosen)(void *context, const char *line); /* NULL = every case */
    bool (*device)(void *context,
                   const char *const name[]); /* label, key, backend and name, NULL-ended; NULL = every */
    void *context;
    double delta; /* smallest change of time that counts, as a part; 0 = 0.01 */
};

struct history_counts {
    int64_t runs, series, points; /* of times */
    int64_t shorts;               /* series too short to say anything */
    int64_t judged;               /* series of digests with two runs or more */
    int64_t fresh;                /* alerts that are new: exit 2 */
    int64_t alerts, bits, steps, explained, drifts;
};

struct history;

enum assay_status history_make(const struct history_request *request, struct history **history,
                               struct assay_error *error);
void history_free(struct history *history); /* accepts NULL */
const struct history_counts *history_counts(const struct history *history);
/* 2 for a new alert, 3 if no series is long enough for anything, else 0; `reason` gets the sentence. */
int history_exit(const struct history *history, char *reason, size_t reason_bytes);
enum assay_status history_markdown(struct history *history, struct text *text, struct assay_error *error);
enum assay_status history_json(struct history *history, struct text *text, struct assay_error *error);

#endif
