/* A database's runs as series in memory, for history.c: numbers and words, nothing decided. */
#ifndef ASSAY_HISTORY_LOAD_H
#define ASSAY_HISTORY_LOAD_H

#include "reports/history.h"
#include "reports/query.h"

struct history_words {
    char **word;
    size_t count, size;
};

struct history_run {
    int64_t run_id;
    char *started, *key, *revision, *label;
    double day;
};

struct history_device {
    uint32_t model, major, driver; /* words; `major` is the driver's version up to the first dot */
    char *label;                   /* the first that it had */
    bool chosen;
};

struct history_kernel {
    uint32_t name, code; /* words; code is hash and variant */
};

/* What makes two values comparable. Of digests `major` and `lane` are 0: bits depend on neither. */
struct history_key {
    int64_t case_id;
    uint32_t model, major, kernel, lane;
};

struct history_row {
    uint32_t series, run; /* run: position in the order of time */
    uint32_t driver, code;
    union {
        double ns;
        struct {
            uint64_t bits, rest; /* hashes of the digest, and of oracle and error figures */
        };
    };
    uint32_t verdict; /* a word */
    uint32_t rest_word;
};

struct history_table {
    struct history_key *key; /* by series */
    uint32_t *device;        /* a device of it, for its label */
    size_t series, series_size;
    uint32_t *slot; /* hash table of series + 1 */
    size_t slots;
    struct history_row *row; /* sorted by series, then run */
    size_t count, size;
};

struct history_data {
    struct query_source source;
    struct history_words words;
    struct history_run *run;
    size_t runs;
    struct history_device *device; /* by device_id; so are the next two by theirs */
    struct history_kernel *kernel;
    char **line; /* NULL = not chosen */
    size_t devices, kernels, lines;
    uint32_t *run_at; /* run_id - first -> position */
    int64_t run_first, run_last;
    struct history_table times, bits;
};

enum assay_status history_load(const struct history_request *request, struct history_data *data,
                               struct assay_error *error);
void history_unload(struct history_data *data);

#endif
