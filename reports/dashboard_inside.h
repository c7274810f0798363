/* What the parts of a dashboard share: rows as numbers, cells, files. Internal to reports/dashboard*.c. */
#ifndef ASSAY_DASHBOARD_INSIDE_H
#define ASSAY_DASHBOARD_INSIDE_H

#include "reports/dashboard.h"
#include "reports/query.h"

/* By number in the data files; dashboard.js has the words. */
enum dashboard_outcome {
    OUTCOME_PASSED,
    OUTCOME_FAILED,
    OUTCOME_ERRORED,
    OUTCOME_SKIPPED,
    OUTCOME_UNJUDGED,
    OUTCOME_NOT_RUN,
    OUTCOMES
};
enum dashboard_lane { LANE_JUDGED, LANE_COLD, LANE_HOT, LANES };

/* One result or timing. Texts are numbers of words. */
struct dashboard_point {
    uint32_t case_id, device_id, kernel_id;
    uint16_t card, kernel, slot; /* kernel: of kernel_name */
    uint8_t lane, outcome;
    uint32_t verdict, digest;
    int64_t run_id, part; /* part: seq, or invocation */
    int64_t differing;
    float roofline; /* NAN = none */
    uint32_t ulp;   /* a word, as the database has it */
    double ns;      /* 0 = none */
};

/* What belongs to a cell from elsewhere: a failure's or an event's JSON. */
struct dashboard_note {
    uint32_t case_id;
    uint16_t card, kernel, slot;
    bool alert, fresh; /* of an event */
    uint64_t hash;     /* of the cell, for failures */
    size_t at, bytes;  /* in the text of its list */
};
struct dashboard_notes {
    struct dashboard_note *note;
    size_t count, size;
    struct text text;
};

struct dashboard_words {
    struct text text;
    uint32_t *at; /* of each word in the text */
    size_t count, size;
    uint32_t *bucket; /* word + 1 */
    size_t buckets;
};

struct dashboard_card {
    char *backend, *key; /* as the database has them: a cell's name */
};

struct dashboard_site {
    struct query_source source;
    const char *folder;
    struct dashboard_counts *counts;
    int64_t slots;
    struct dashboard_card *card;
    size_t cards;
    char **kernel; /* by name_id */
    size_t kernels;
    char **line;  /* by case_id */
    uint32_t *op; /* by case_id: an operator's number */
    size_t cases;
    char **op_name;
    size_t ops;
    char **driver, **code; /* by device_id and kernel_id */
    size_t drivers, codes;
    struct dashboard_words words;
    struct dashboard_point *point; /* by card, case, kernel, slot, lane, run, part */
    size_t points, points_size;
    struct dashboard_notes failures, events;
    struct text index; /* JSON of the overview, grown by all parts */
    size_t cell_files, failure_files;
    unsigned history_digits; /* of a cell's hash, in the name of the file with its history */
};

enum assay_status dashboard_no_memory(struct dashboard_site *site);
enum assay_status dashboard_read_fail(struct dashboard_site *site);
/* Room for one more in an array that doubles. */
bool dashboard_room(void *array, size_t *size, size_t count, size_t bytes);

/* ---- dashboard_read.c ---- */

/* Everything into memory: names, points sorted, failures and events. */
enum assay_status dashboard_read(struct dashboard_site *site, const char *history_json);
void dashboard_unread(struct dashboard_site *site);
const char *dashboard_word(const struct dashboard_site *site, uint32_t word);
/* The same for a cell whatever file it is from: of backend, key, kernel and case. */
uint64_t dashboard_hash(const char *backend, const char *key, const char *kernel, const char *line);

/* ---- dashboard_cells.c ---- */

/* Cells, their histories and the counts of the heat map, into files and site->index. */
enum assay_status dashboard_cells(struct dashboard_site *site);

/* ---- dashboard.c ---- */

/* A JSON string of `text` on one line, what is no printable text as \xNN. */
void dashboard_string(struct text *out, const char *text);
/* Write data/NAME.js, which hands `json` to the pages under its name. */
enum assay_status dashboard_data(struct dashboard_site *site, const char *name, const struct text *json);

#endif
