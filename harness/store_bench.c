/* The rows of bench: ceilings of a device, timings with their samples. */
#include <math.h>

#include "harness/store_inside.h"

static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    sqlite3_bind_text(statement, at, text ? text : "", -1, SQLITE_TRANSIENT);
}

/* A NaN was not measured, and stays NULL. */
static void bind_real(sqlite3_stmt *statement, int at, double value)
{
    if (isfinite(value)) sqlite3_bind_double(statement, at, value);
}

static void bind_known(sqlite3_stmt *statement, int at, int64_t value)
{
    if (value >= 0) sqlite3_bind_int64(statement, at, value);
}

/* Step a statement that gives no rows, and make it ready for the next. */
static enum assay_status insert(struct store *store, sqlite3_stmt *statement, const char *act,
                                struct assay_error *error)
{
    const int code = sqlite3_step(statement);
    const enum assay_status status = code == SQLITE_DONE ? ASSAY_OK : store_refuse(store, act, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return status;
}

static sqlite3_stmt *prepare(struct store *store, const char *sql, const char *act, struct assay_error *error)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        store_refuse(store, act, error);
    return statement;
}

enum assay_status store_ceilings_add(struct store *store, int64_t run_id, int64_t device_id,
                                     uint32_t invocation, const struct store_ceiling *ceiling, size_t count,
                                     struct assay_error *error)
{
    static const char act[] = "add a ceiling";
    enum assay_status status = store_begin(store, error);
    if (status != ASSAY_OK) return status;
    sqlite3_stmt *statement =
        prepare(store,
                "INSERT OR REPLACE INTO ceiling (run_id, device_id, invocation, name, unit, value)"
                " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                act, error);
    if (!statement) status = ASSAY_IO;
    for (size_t at = 0; at < count && status == ASSAY_OK; at++) {
        sqlite3_bind_int64(statement, 1, run_id);
        sqlite3_bind_int64(statement, 2, device_id);
        sqlite3_bind_int64(statement, 3, invocation);
        bind_text(statement, 4, ceiling[at].name);
        bind_text(statement, 5, ceiling[at].unit);
        sqlite3_bind_double(statement, 6, ceiling[at].value);
        status = insert(store, statement, act, error);
    }
    sqlite3_finalize(statement);
    return store_finish(store, status, error);
}

static enum assay_status add_samples(struct store *store, int64_t bench_id, const struct store_bench *bench,
                                     struct assay_error *error)
{
    static const char act[] = "add a sample";
    enum assay_status status = ASSAY_OK;
    sqlite3_stmt *statement =
        prepare(store,
                "INSERT INTO bench_sample (bench_id, n, ns, clock_before_mhz, clock_after_mhz, temperature_c,"
                " power_w, throttle, rejected, digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                act, error);
    if (!statement) return ASSAY_IO;
    for (size_t at = 0; at < bench->sample_count && status == ASSAY_OK; at++) {
        const struct store_sample *sample = &bench->sample[at];
        sqlite3_bind_int64(statement, 1, bench_id);
        sqlite3_bind_int64(statement, 2, (int64_t)at);
        sqlite3_bind_double(statement, 3, sample->ns);
        bind_known(statement, 4, sample->clock_before_mhz);
        bind_known(statement, 5, sample->clock_after_mhz);
        bind_real(statement, 6, sample->temperature_c);
        bind_real(statement, 7, sample->power_w);
        bind_known(statement, 8, sample->throttle);
        bind_text(statement, 9, sample->rejected);
        bind_text(statement, 10, sample->digest);
        status = insert(store, statement, act, error);
    }
    sqlite3_finalize(statement);
    return status;
}

static enum assay_status add_bench(struct store *store, int64_t run_id, const struct store_bench *bench,
                                   struct assay_error *error)
{
    static const char act[] = "add a timing";
    const struct store_result kernel = {.kernel = bench->kernel,
                                        .kernel_hash = bench->kernel_hash,
                                        .variant = bench->variant,
                                        .op = bench->op,
                                        .backend = bench->backend,
                                        .technique = bench->technique,
                                        .mode = bench->mode,
                                        .dtype = bench->dtype};
    int64_t case_id = 0, kernel_id = 0;
    enum assay_status status = store_case_find(store, bench->line, bench->op_name, bench->case_dtype,
                                               bench->fill, bench->flops, &case_id, error);
    if (status == ASSAY_OK) status = store_kernel_find(store, &kernel, &kernel_id, error);
    if (status != ASSAY_OK) return status;
    sqlite3_stmt *statement = prepare(
        store,
        "INSERT INTO bench (run_id, device_id, case_id, kernel_id, lane, side, invocation, warmups, calls,"
        " count, rejected, median_ns, mad_ns, q1_ns, q3_ns, min_ns, lag1, launch_ns, host_record_ns,"
        " host_submit_ns, host_other_ns, dispatches, transfers, points, flops, bytes, roofline, digest,"
        " verdict, reason, recorded_utc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
        " ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30,"
        " strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
        act, error);
    if (!statement) return ASSAY_IO;
    const int64_t ids[] = {run_id, bench->device_id, case_id, kernel_id};
    for (int at = 0; at < 4; at++) sqlite3_bind_int64(statement, at + 1, ids[at]);
    bind_text(statement, 5, bench->lane);
    bind_text(statement, 6, bench->side);
    const int64_t counts[] = {bench->invocation, bench->warmups, bench->calls, (int64_t)bench->sample_count,
                              bench->rejected};
    for (int at = 0; at < 5; at++) sqlite3_bind_int64(statement, at + 7, counts[at]);
    const double times[] = {bench->median_ns,    bench->mad_ns,         bench->q1_ns,
                            bench->q3_ns,        bench->min_ns,         bench->lag1,
                            bench->launch_ns,    bench->host_record_ns, bench->host_submit_ns,
                            bench->host_other_ns};
    for (int at = 0; at < 10; at++) bind_real(statement, at + 12, times[at]);
    sqlite3_bind_int64(statement, 22, (int64_t)bench->dispatches);
    sqlite3_bind_int64(statement, 23, (int64_t)bench->transfers);
    sqlite3_bind_int64(statement, 24, (int64_t)bench->points);
    sqlite3_bind_double(statement, 25, bench->flops);
    sqlite3_bind_double(statement, 26, bench->bytes);
    bind_real(statement, 27, bench->roofline);
    bind_text(statement, 28, bench->digest);
    bind_text(statement, 29, bench->verdict);
    bind_text(statement, 30, bench->reason);
    status = insert(store, statement, act, error);
    sqlite3_finalize(statement);
    return status == ASSAY_OK ? add_samples(store, sqlite3_last_insert_rowid(store->db), bench, error)
                              : status;
}

enum assay_status store_bench_add(struct store *store, int64_t run_id, const struct store_bench *bench,
                                  struct assay_error *error)
{
    enum assay_status status = store_begin(store, error);
    return status == ASSAY_OK ? store_finish(store, add_bench(store, run_id, bench, error), error) : status;
}
