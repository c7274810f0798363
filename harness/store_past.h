/* What the database holds of a run that is to be gone on with. It reads, but for the one row that says that a run is at
 * work again. Only what must be known to go on is here; reports read the database themselves. */
#ifndef ASSAY_STORE_PAST_H
#define ASSAY_STORE_PAST_H

#include "harness/store.h"

/* A run, as recorded. Strings are the struct's own. */
struct store_past {
    int64_t run_id;
    char *key, *verb, *command, *level, *engine, *engine_version, *revision, *corpus_hash, *settings;
    bool ended;            /* it came to an end, other than by an interrupt */
    bool planned;          /* its plan was written, all in one transaction */
    int64_t rows, missing; /* of the plan; those without a result */
};

/* The run that `word` means, as reports/pick.h reads it. ASSAY_INVALID_INPUT with a sentence when there is none, or the
 * word stands for several. */
enum assay_status store_past_find(struct store *store, const char *word, struct store_past *past,
                                  struct assay_error *error);
/* The newest run of `verb` before run `before` (0 = of all) that did not end, or whose plan lacks results.
 * ASSAY_INVALID_INPUT when there is none. */
enum assay_status store_past_newest(struct store *store, const char *verb, int64_t before,
                                    struct store_past *past, struct assay_error *error);
enum assay_status store_past_read(struct store *store, int64_t run_id, struct store_past *past,
                                  struct assay_error *error);
void store_past_free(struct store_past *past); /* accepts {0} */

/* A device that the run used. Strings live until the call returns. */
struct store_past_device {
    int64_t device_id, capped; /* cases that the level's cap left out */
    const char *label, *key, *backend, *driver, *name, *uuid, *probe_json;
};
/* A row of the plan, in order, with its result if there is one. */
struct store_past_row {
    int64_t seq, device_id;
    const char *line, *kernel; /* as planned */
    int attempts;              /* results on record; those below are the last one's */
    bool done;
    enum verdict verdict, expected;
    const char *ran, *dtype; /* the kernel that ran and its dtype, "" = none */
    int64_t elems;
    uint64_t wall_ns;
    const char *reason, *repro;
};
enum assay_status store_past_devices(struct store *store, int64_t run_id,
                                     enum assay_status (*take)(void *context,
                                                               const struct store_past_device *device,
                                                               struct assay_error *error),
                                     void *context, struct assay_error *error);
enum assay_status store_past_rows(struct store *store, int64_t run_id,
                                  enum assay_status (*take)(void *context, const struct store_past_row *row,
                                                            struct assay_error *error),
                                  void *context, struct assay_error *error);

/* The run is at work again: it has no end any more, and `resumed` counts one up. */
enum assay_status store_past_resume(struct store *store, int64_t run_id, struct assay_error *error);

#endif
