/* The database: the only writer of schema.sql's tables. SQLite in WAL mode, foreign keys on, STRICT tables, write
 * transactions BEGIN IMMEDIATE, user_version with ordered migrations, one transaction a result (row H17). */
#ifndef ASSAY_STORE_H
#define ASSAY_STORE_H

#include "oracles/oracle.h"

#define STORE_VERSION 3

/* SQL by the version that it starts from: store_migrations[i] brings version i to version i + 1. */
extern const char *const store_migrations[STORE_VERSION];

struct store;

/* Create or open. A file that is no database, is not ours, or is newer than this program is refused by name and left
 * untouched. readonly never creates. */
enum assay_status store_open(const char *path, bool readonly, struct store **store,
                             struct assay_error *error);
void store_close(struct store *store); /* accepts NULL */
/* The same with another list of migrations, for tests: migrations[i] is SQL that brings version i to version i + 1. */
enum assay_status store_open_with(const char *path, bool readonly, const char *const *migrations, int version,
                                  struct store **store, struct assay_error *error);

struct store_run {
    const char *verb, *command, *level, *engine, *engine_version, *host, *corpus_hash, *settings;
    const char *label, *shard; /* NULL = none */
};
enum assay_status store_run_begin(struct store *store, const struct store_run *run, int64_t *run_id,
                                  struct assay_error *error);
enum assay_status store_run_end(struct store *store, int64_t run_id, int exit_code, const char *reason,
                                struct assay_error *error);

struct store_device {
    const char *key, *backend, *driver, *name, *api, *kind, *uuid, *pci, *label, *info_json;
    bool software, opened;
    const char *state; /* see schema3.sql; NULL = "used" if opened, else "not opened" */
    const char *why, *variant, *variant_why, *probe_json; /* probe_json's traits become rows of trait */
};
enum assay_status store_device_add(struct store *store, int64_t run_id, const struct store_device *device,
                                   int64_t *device_id, struct assay_error *error);

/* Plan and capped rows: between plan_begin and plan_end, one transaction. */
enum assay_status store_plan_begin(struct store *store, struct assay_error *error);
enum assay_status store_plan_add(struct store *store, int64_t run_id, int64_t seq, const char *line,
                                 const char *op, const char *dtype, const char *fill, double flops,
                                 int64_t device_id, const char *kernel, const char *why, const char *source,
                                 struct assay_error *error);
enum assay_status store_capped_add(struct store *store, int64_t run_id, const char *line, const char *op,
                                   const char *dtype, const char *fill, double flops, int64_t device_id,
                                   const char *reason, struct assay_error *error);
enum assay_status store_plan_end(struct store *store, int64_t run_id, struct assay_error *error);

struct store_result {
    int64_t seq;
    int attempt;
    const char *kernel, *kernel_hash, *variant, *op, *backend, *technique, *mode,
        *dtype; /* kernel NULL: none ran */
    enum verdict verdict, expected;
    enum rung rung;
    const char *oracle;
    uint32_t oracle_version;
    int64_t elems, judged, differing;
    const char *first_index, *got, *want;
    const double *max_ulp, *scaled_f64, *rms_f64, *ulp_f64, *bound_f64,
        *published_scaled;       /* NULL = not measured */
    int64_t published_differing; /* -1 = nothing published */
    const char *digest;
    const uint64_t *sample_ns;
    size_t sample_count;
    uint64_t wall_ns;
    const char *reason, *repro;
};
enum assay_status store_result_add(struct store *store, int64_t run_id, const struct store_result *result,
                                   struct assay_error *error);
/* What became of a device's trust record; granted false = withdrawn, for the reason. */
enum assay_status store_trust_add(struct store *store, int64_t run_id, int64_t device_id, bool granted,
                                  const char *reason, const char *path, const char *record,
                                  struct assay_error *error);
struct store_coverage {
    const char *what, *unit, *detail;
    int64_t total, covered, failed;
};
enum assay_status store_coverage_add(struct store *store, int64_t run_id, int64_t device_id,
                                     const struct store_coverage *coverage, struct assay_error *error);
/* Results of the run that ended with each verdict: count[VERDICT_COUNT], last attempts only. *planned is the number of
 * plan rows, *missing those that have no result. */
enum assay_status store_counts(struct store *store, int64_t run_id, int64_t count[], int64_t *planned,
                               int64_t *missing, struct assay_error *error);

/* ---- store_bench.c ---- */

struct store_ceiling {
    const char *name, *unit;
    double value;
};
/* What a device can do at most, as one process measured it. */
enum assay_status store_ceilings_add(struct store *store, int64_t run_id, int64_t device_id,
                                     uint32_t invocation, const struct store_ceiling *ceiling, size_t count,
                                     struct assay_error *error);

struct store_sample {
    double ns;                                           /* of one run */
    int64_t clock_before_mhz, clock_after_mhz, throttle; /* -1 = unknown */
    double temperature_c, power_w;                       /* NaN = unknown */
    const char *rejected;                                /* the rule; "" = kept */
    const char *digest;
};

/* A row of bench with its samples: one transaction. Numbers that were not measured are NaN. */
struct store_bench {
    int64_t device_id;
    const char *line, *op_name, *case_dtype, *fill; /* of the case */
    const char *kernel, *kernel_hash, *variant, *op, *backend, *technique, *mode, *dtype;
    const char *lane, *side;
    uint32_t invocation, warmups, calls, rejected;
    double median_ns, mad_ns, q1_ns, q3_ns, min_ns, lag1, launch_ns;
    double host_record_ns, host_submit_ns, host_other_ns;
    uint64_t dispatches, transfers;
    double points, flops, bytes, roofline;
    const char *digest, *verdict, *reason;
    const struct store_sample *sample;
    size_t sample_count;
};
enum assay_status store_bench_add(struct store *store, int64_t run_id, const struct store_bench *bench,
                                  struct assay_error *error);

#endif
