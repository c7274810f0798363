/* The rows of a run: itself, its devices, its plan, results, trust and coverage. Rows of bench: store_bench.c.
 *
 * It knows the tables of schema*.sql and nothing of how results come about. */
#include "harness/store_inside.h"
#include "build/gen/version.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

enum statement {
    RUN_BEGIN,
    RUN_END,
    DEVICE_ADD,
    DEVICE_FIND,
    RUN_DEVICE_ADD,
    TRAIT_ADD,
    CASE_ADD,
    CASE_FIND,
    PLAN_ADD,
    PLAN_COUNT,
    CAPPED_ADD,
    KERNEL_ADD,
    KERNEL_FIND,
    RESULT_ADD,
    TRUST_ADD,
    COVERAGE_ADD,
    VERDICT_COUNTS,
    MISSING_COUNT,
    STATEMENT_COUNT
};

#define NOW "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

static const char *const statement_sql[STATEMENT_COUNT] = {
    [RUN_BEGIN] =
        "INSERT INTO run (key, started_utc, verb, command, level, engine, engine_version, revision, compiler,"
        " flags, host, corpus_hash, settings, label, shard) VALUES (?1, " NOW
        ", ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
        " ?10, ?11, ?12, ?13, ?14)",
    [RUN_END] = "UPDATE run SET ended_utc = " NOW ", exit_code = ?2, reason = ?3 WHERE run_id = ?1",
    [DEVICE_ADD] =
        "INSERT INTO device (key, backend, driver, name, api, kind, uuid, pci, software, info) VALUES (?1,"
        " ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (key, backend, driver, name) DO UPDATE SET"
        " api = excluded.api, kind = excluded.kind, uuid = excluded.uuid, pci = excluded.pci,"
        " software = excluded.software, info = excluded.info",
    [DEVICE_FIND] =
        "SELECT device_id FROM device WHERE key = ?1 AND backend = ?2 AND driver = ?3 AND name = ?4",
    [RUN_DEVICE_ADD] = "INSERT INTO run_device (run_id, device_id, label, opened, why, variant, variant_why,"
                       " probe, state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [TRAIT_ADD] = "INSERT INTO trait VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [CASE_ADD] = "INSERT INTO op_case (line, op, dtype, fill, flops) VALUES (?1, ?2, ?3, ?4, ?5)"
                 " ON CONFLICT (line) DO NOTHING",
    [CASE_FIND] = "SELECT case_id FROM op_case WHERE line = ?1",
    [PLAN_ADD] = "INSERT INTO plan VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [PLAN_COUNT] = "UPDATE run SET planned = (SELECT count(*) FROM plan WHERE run_id = ?1) WHERE run_id = ?1",
    [CAPPED_ADD] = "INSERT OR IGNORE INTO capped VALUES (?1, ?2, ?3, ?4)",
    [KERNEL_ADD] =
        "INSERT INTO kernel (name, hash, variant, op, backend, technique, mode, dtype) VALUES (?1, ?2, ?3,"
        " ?4, ?5, ?6, ?7, ?8) ON CONFLICT (name, hash, variant) DO NOTHING",
    [KERNEL_FIND] = "SELECT kernel_id FROM kernel WHERE name = ?1 AND hash = ?2 AND variant = ?3",
    [RESULT_ADD] =
        "INSERT INTO result (run_id, seq, attempt, kernel_id, verdict, expected, rung, oracle,"
        " oracle_version, elems, judged, differing, first_index, got, want, max_ulp, scaled_f64, rms_f64,"
        " ulp_f64, bound_f64, published_differing, published_scaled, digest, median_ns, samples, wall_ns,"
        " reason, repro, recorded_utc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,"
        " ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, " NOW ")",
    [TRUST_ADD] = "INSERT INTO trust (run_id, device_id, recorded_utc, state, reason, path, record) VALUES "
                  "(?1, ?2, " NOW ", ?3, ?4, ?5, ?6)",
    [COVERAGE_ADD] = "INSERT OR REPLACE INTO coverage (run_id, device_id, what, unit, total, covered, "
                     "failed, detail) VALUES "
                     "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [VERDICT_COUNTS] =
        "SELECT verdict, count(*) FROM result r WHERE run_id = ?1 AND attempt = (SELECT max(attempt)"
        " FROM result s WHERE s.run_id = r.run_id AND s.seq = r.seq) GROUP BY verdict",
    [MISSING_COUNT] = "SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM result r WHERE"
                      " r.run_id = p.run_id AND r.seq = p.seq)) FROM plan p WHERE run_id = ?1",
};

_Static_assert(STATEMENT_COUNT <= STORE_STATEMENTS, "a handle keeps every statement");

static sqlite3_stmt *prepared(struct store *store, enum statement which, const char *act,
                              struct assay_error *error)
{
    sqlite3_stmt **statement = &store->statement[which];
    if (!*statement && sqlite3_prepare_v3(store->db, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT,
                                          statement, NULL) != SQLITE_OK) {
        store_refuse(store, act, error);
        return NULL;
    }
    sqlite3_reset(*statement);
    sqlite3_clear_bindings(*statement);
    return *statement;
}

/* Run a statement to its end; a first row's first column goes to *value (may be NULL). */
static enum assay_status step(struct store *store, sqlite3_stmt *statement, int64_t *value, const char *act,
                              struct assay_error *error)
{
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        if (value) *value = sqlite3_column_int64(statement, 0);
        sqlite3_reset(statement);
        return ASSAY_OK;
    }
    if (code != SQLITE_DONE) {
        enum assay_status status = store_refuse(store, act, error);
        sqlite3_reset(statement);
        return status;
    }
    sqlite3_reset(statement);
    if (value) return assay_error_set(error, ASSAY_INTERNAL, "cannot %s: a row just written is missing", act);
    return ASSAY_OK;
}

static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
    sqlite3_bind_text(statement, at, text ? text : "", -1, SQLITE_TRANSIENT);
}

static void bind_text_or_null(sqlite3_stmt *statement, int at, const char *text)
{
    if (text && *text)
        bind_text(statement, at, text);
    else
        sqlite3_bind_null(statement, at);
}

/* SQLite turns a NaN into NULL, and NULL would read as "not measured": words carry what no REAL can. */
static void bind_number(sqlite3_stmt *statement, int at, const double *value)
{
    if (!value)
        sqlite3_bind_null(statement, at);
    else if (isnan(*value))
        bind_text(statement, at, "nan");
    else if (isinf(*value))
        bind_text(statement, at, *value > 0 ? "inf" : "-inf");
    else
        sqlite3_bind_double(statement, at, *value);
}

/* ---- runs and devices ---- */

enum assay_status store_run_begin(struct store *store, const struct store_run *run, int64_t *run_id,
                                  struct assay_error *error)
{
    uint8_t random[16];
    char key[33];
    const char *const text[] = {key,
                                run->verb,
                                run->command,
                                run->level,
                                run->engine,
                                run->engine_version,
                                ASSAY_BUILD_REVISION,
                                ASSAY_BUILD_COMPILER,
                                ASSAY_BUILD_FLAGS,
                                run->host,
                                run->corpus_hash,
                                run->settings,
                                run->label,
                                run->shard};
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return assay_error_set(error, ASSAY_INTERNAL, "cannot draw a key for the run: %s", strerror(errno));
    for (int at = 0; at < 16; at++) snprintf(key + 2 * at, 3, "%02x", random[at]);
    enum assay_status status = store_begin(store, error);
    if (status != ASSAY_OK) return status;
    sqlite3_stmt *statement = prepared(store, RUN_BEGIN, "begin a run", error);
    if (!statement) return store_finish(store, ASSAY_IO, error);
    for (int at = 0; at < 14; at++) bind_text(statement, at + 1, text[at]);
    status = step(store, statement, NULL, "begin a run", error);
    *run_id = sqlite3_last_insert_rowid(store->db);
    return store_finish(store, status, error);
}

enum assay_status store_run_end(struct store *store, int64_t run_id, int exit_code, const char *reason,
                                struct assay_error *error)
{
    enum assay_status status = store_begin(store, error);
    if (status != ASSAY_OK) return status;
    sqlite3_stmt *statement = prepared(store, RUN_END, "end the run", error);
    if (!statement) return store_finish(store, ASSAY_IO, error);
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int(statement, 2, exit_code);
    bind_text(statement, 3, reason);
    return store_finish(store, step(store, statement, NULL, "end the run", error), error);
}

/* Operands and result of the first wrong answer: "a b c got", words in hex. */
static void first_text(const json_t *first, char text[64])
{
    const json_t *value;
    size_t at, used = 0;
    text[0] = 0;
    json_array_foreach(first, at, value) if (json_is_string(value) && used < 64) used +=
        (size_t)snprintf(text + used, 64 - used, "%s%s", at ? " " : "", json_string_value(value));
}

static enum assay_status add_traits(struct store *store, int64_t run_id, int64_t device_id,
                                    const char *probe_json, struct assay_error *error)
{
    json_error_t why;
    enum assay_status status = ASSAY_OK;
    const json_t *trait;
    size_t at;
    if (!probe_json || !*probe_json) return ASSAY_OK;
    json_t *probe = json_loads(probe_json, 0, &why);
    if (!probe)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "the engine's probe answer is no JSON: %s",
                               why.text);
    json_array_foreach(json_object_get(probe, "traits"), at, trait)
    {
        char first[64];
        sqlite3_stmt *statement = prepared(store, TRAIT_ADD, "add a trait", error);
        if (!statement) {
            status = ASSAY_IO;
            break;
        }
        const json_t *literal = json_object_get(trait, "literal");
        first_text(json_object_get(trait, "first"), first);
        sqlite3_bind_int64(statement, 1, run_id);
        sqlite3_bind_int64(statement, 2, device_id);
        bind_text(statement, 3, json_string_value(json_object_get(trait, "name")));
        bind_text(statement, 4, json_string_value(json_object_get(trait, "controls")));
        sqlite3_bind_int(statement, 5, json_is_true(literal) || json_integer_value(literal) != 0);
        sqlite3_bind_int64(statement, 6, json_integer_value(json_object_get(trait, "tested")));
        sqlite3_bind_int64(statement, 7, json_integer_value(json_object_get(trait, "wrong")));
        sqlite3_bind_int64(statement, 8, json_integer_value(json_object_get(trait, "wrong_subnormal")));
        bind_text(statement, 9, first);
        status = step(store, statement, NULL, "add a trait", error);
        if (status != ASSAY_OK) break;
    }
    json_decref(probe);
    return status;
}

static enum assay_status add_device(struct store *store, int64_t run_id, const struct store_device *device,
                                    int64_t *device_id, struct assay_error *error)
{
    const char *const key[] = {device->key, device->backend, device->driver, device->name};
    sqlite3_stmt *statement = prepared(store, DEVICE_ADD, "add a device", error);
    if (!statement) return ASSAY_IO;
    for (int at = 0; at < 4; at++) bind_text(statement, at + 1, key[at]);
    bind_text(statement, 5, device->api);
    bind_text(statement, 6, device->kind);
    bind_text_or_null(statement, 7, device->uuid);
    bind_text_or_null(statement, 8, device->pci);
    sqlite3_bind_int(statement, 9, device->software);
    bind_text(statement, 10, device->info_json);
    enum assay_status status = step(store, statement, NULL, "add a device", error);
    if (status != ASSAY_OK) return status;
    statement = prepared(store, DEVICE_FIND, "find a device", error);
    if (!statement) return ASSAY_IO;
    for (int at = 0; at < 4; at++) bind_text(statement, at + 1, key[at]);
    status = step(store, statement, device_id, "find a device", error);
    if (status != ASSAY_OK) return status;
    statement = prepared(store, RUN_DEVICE_ADD, "add a device of the run", error);
    if (!statement) return ASSAY_IO;
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, *device_id);
    bind_text(statement, 3, device->label);
    sqlite3_bind_int(statement, 4, device->opened);
    bind_text(statement, 5, device->why);
    bind_text(statement, 6, device->variant);
    bind_text(statement, 7, device->variant_why);
    bind_text(statement, 8, device->probe_json ? device->probe_json : "{}");
    bind_text(statement, 9, device->state ? device->state : device->opened ? "used" : "not opened");
    status = step(store, statement, NULL, "add a device of the run", error);
    if (status != ASSAY_OK) return status;
    return add_traits(store, run_id, *device_id, device->probe_json, error);
}

enum assay_status store_device_add(struct store *store, int64_t run_id, const struct store_device *device,
                                   int64_t *device_id, struct assay_error *error)
{
    enum assay_status status = store_begin(store, error);
    if (status != ASSAY_OK) return status;
    return store_finish(store, add_device(store, run_id, device, device_id, error), error);
}

/* ---- plan ---- */

enum assay_status store_case_find(struct store *store, const char *line, const char *op, const char *dtype,
                                  const char *fill, double flops, int64_t *case_id, struct assay_error *error)
{
    sqlite3_stmt *statement = prepared(store, CASE_ADD, "add a case", error);
    if (!statement) return ASSAY_IO;
    bind_text(statement, 1, line);
    bind_text(statement, 2, op);
    bind_text(statement, 3, dtype);
    bind_text(statement, 4, fill);
    sqlite3_bind_double(statement, 5, flops);
    enum assay_status status = step(store, statement, NULL, "add a case", error);
    if (status != ASSAY_OK) return status;
    statement = prepared(store, CASE_FIND, "find a case", error);
    if (!statement) return ASSAY_IO;
    bind_text(statement, 1, line);
    return step(store, statement, case_id, "find a case", error);
}

enum assay_status store_plan_begin(struct store *store, struct assay_error *error)
{
    return store_begin(store, error);
}

enum assay_status store_plan_add(struct store *store, int64_t run_id, int64_t seq, const char *line,
                                 const char *op, const char *dtype, const char *fill, double flops,
                                 int64_t device_id, const char *kernel, const char *why, const char *source,
                                 struct assay_error *error)
{
    int64_t case_id = 0;
    enum assay_status status = store_case_find(store, line, op, dtype, fill, flops, &case_id, error);
    if (status != ASSAY_OK) return store_finish(store, status, error);
    sqlite3_stmt *statement = prepared(store, PLAN_ADD, "add a plan row", error);
    if (!statement) return store_finish(store, ASSAY_IO, error);
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, seq);
    sqlite3_bind_int64(statement, 3, case_id);
    sqlite3_bind_int64(statement, 4, device_id);
    bind_text(statement, 5, kernel);
    bind_text(statement, 6, why);
    bind_text(statement, 7, source);
    status = step(store, statement, NULL, "add a plan row", error);
    return status == ASSAY_OK ? ASSAY_OK : store_finish(store, status, error);
}

enum assay_status store_capped_add(struct store *store, int64_t run_id, const char *line, const char *op,
                                   const char *dtype, const char *fill, double flops, int64_t device_id,
                                   const char *reason, struct assay_error *error)
{
    int64_t case_id = 0;
    enum assay_status status = store_case_find(store, line, op, dtype, fill, flops, &case_id, error);
    if (status != ASSAY_OK) return store_finish(store, status, error);
    sqlite3_stmt *statement = prepared(store, CAPPED_ADD, "add a capped case", error);
    if (!statement) return store_finish(store, ASSAY_IO, error);
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, case_id);
    sqlite3_bind_int64(statement, 3, device_id);
    bind_text(statement, 4, reason);
    status = step(store, statement, NULL, "add a capped case", error);
    return status == ASSAY_OK ? ASSAY_OK : store_finish(store, status, error);
}

enum assay_status store_plan_end(struct store *store, int64_t run_id, struct assay_error *error)
{
    sqlite3_stmt *statement = prepared(store, PLAN_COUNT, "count the plan", error);
    if (!statement) return store_finish(store, ASSAY_IO, error);
    sqlite3_bind_int64(statement, 1, run_id);
    return store_finish(store, step(store, statement, NULL, "count the plan", error), error);
}

/* ---- results ---- */

static int compare_ns(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static void bind_samples(sqlite3_stmt *statement, const struct store_result *result)
{
    uint64_t sorted[64];
    uint8_t bytes[64 * 8];
    size_t count = result->sample_count < 64 ? result->sample_count : 64;
    if (count == 0) return; /* the two columns stay NULL */
    memcpy(sorted, result->sample_ns, count * sizeof sorted[0]);
    qsort(sorted, count, sizeof sorted[0], compare_ns);
    for (size_t at = 0; at < count * 8; at++) bytes[at] = (uint8_t)(result->sample_ns[at / 8] >> at % 8 * 8);
    sqlite3_bind_int64(statement, 24,
                       (int64_t)(sorted[(count - 1) / 2] / 2 + sorted[count / 2] / 2 +
                                 (sorted[(count - 1) / 2] & sorted[count / 2] & 1)));
    sqlite3_bind_blob(statement, 25, bytes, (int)(count * 8), SQLITE_TRANSIENT);
}

enum assay_status store_kernel_find(struct store *store, const struct store_result *result,
                                    int64_t *kernel_id, struct assay_error *error)
{
    const char *const text[] = {result->kernel,  result->kernel_hash, result->variant, result->op,
                                result->backend, result->technique,   result->mode,    result->dtype};
    sqlite3_stmt *statement = prepared(store, KERNEL_ADD, "add a kernel", error);
    if (!statement) return ASSAY_IO;
    for (int at = 0; at < 8; at++) bind_text(statement, at + 1, text[at]);
    enum assay_status status = step(store, statement, NULL, "add a kernel", error);
    if (status != ASSAY_OK) return status;
    statement = prepared(store, KERNEL_FIND, "find a kernel", error);
    if (!statement) return ASSAY_IO;
    for (int at = 0; at < 3; at++) bind_text(statement, at + 1, text[at]);
    return step(store, statement, kernel_id, "find a kernel", error);
}

static enum assay_status add_result(struct store *store, int64_t run_id, const struct store_result *result,
                                    struct assay_error *error)
{
    int64_t kernel_id = 0;
    if (result->kernel) {
        enum assay_status status = store_kernel_find(store, result, &kernel_id, error);
        if (status != ASSAY_OK) return status;
    }
    sqlite3_stmt *statement = prepared(store, RESULT_ADD, "add a result", error);
    if (!statement) return ASSAY_IO;
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, result->seq);
    sqlite3_bind_int(statement, 3, result->attempt);
    if (result->kernel) sqlite3_bind_int64(statement, 4, kernel_id);
    bind_text(statement, 5, verdict_name(result->verdict));
    bind_text_or_null(statement, 6, result->expected == VERDICT_NONE ? NULL : verdict_name(result->expected));
    bind_text(statement, 7, result->rung == RUNG_NONE ? "" : rung_name(result->rung));
    bind_text(statement, 8, result->oracle);
    sqlite3_bind_int64(statement, 9, result->oracle_version);
    sqlite3_bind_int64(statement, 10, result->elems);
    sqlite3_bind_int64(statement, 11, result->judged);
    sqlite3_bind_int64(statement, 12, result->differing);
    bind_text(statement, 13, result->first_index);
    bind_text(statement, 14, result->got);
    bind_text(statement, 15, result->want);
    bind_number(statement, 16, result->max_ulp);
    bind_number(statement, 17, result->scaled_f64);
    bind_number(statement, 18, result->rms_f64);
    bind_number(statement, 19, result->ulp_f64);
    bind_number(statement, 20, result->bound_f64);
    if (result->published_differing >= 0) sqlite3_bind_int64(statement, 21, result->published_differing);
    bind_number(statement, 22, result->published_scaled);
    bind_text(statement, 23, result->digest);
    bind_samples(statement, result);
    sqlite3_bind_int64(statement, 26, (int64_t)result->wall_ns);
    bind_text(statement, 27, result->reason);
    bind_text(statement, 28, result->repro);
    return step(store, statement, NULL, "add a result", error);
}

enum assay_status store_result_add(struct store *store, int64_t run_id, const struct store_result *result,
                                   struct assay_error *error)
{
    enum assay_status status = store_begin(store, error);
    if (status != ASSAY_OK) return status;
    return store_finish(store, add_result(store, run_id, result, error), error);
}

enum assay_status store_trust_add(struct store *store, int64_t run_id, int64_t device_id, bool granted,
                                  const char *reason, const char *path, const char *record,
                                  struct assay_error *error)
{
    enum assay_status status = store_begin(store, error);
    if (status != ASSAY_OK) return status;
    sqlite3_stmt *statement = prepared(store, TRUST_ADD, "add a trust record", error);
    if (!statement) return store_finish(store, ASSAY_IO, error);
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, device_id);
    bind_text(statement, 3, granted ? "granted" : "withdrawn");
    bind_text(statement, 4, reason);
    bind_text(statement, 5, path);
    bind_text(statement, 6, record);
    return store_finish(store, step(store, statement, NULL, "add a trust record", error), error);
}

enum assay_status store_coverage_add(struct store *store, int64_t run_id, int64_t device_id,
                                     const struct store_coverage *coverage, struct assay_error *error)
{
    enum assay_status status = store_begin(store, error);
    if (status != ASSAY_OK) return status;
    sqlite3_stmt *statement = prepared(store, COVERAGE_ADD, "add what was covered", error);
    if (!statement) return store_finish(store, ASSAY_IO, error);
    sqlite3_bind_int64(statement, 1, run_id);
    sqlite3_bind_int64(statement, 2, device_id);
    bind_text(statement, 3, coverage->what);
    bind_text(statement, 4, coverage->unit);
    sqlite3_bind_int64(statement, 5, coverage->total);
    sqlite3_bind_int64(statement, 6, coverage->covered);
    sqlite3_bind_int64(statement, 7, coverage->failed);
    bind_text(statement, 8, coverage->detail);
    return store_finish(store, step(store, statement, NULL, "add what was covered", error), error);
}

enum assay_status store_counts(struct store *store, int64_t run_id, int64_t count[], int64_t *planned,
                               int64_t *missing, struct assay_error *error)
{
    int code;
    memset(count, 0, VERDICT_COUNT * sizeof count[0]);
    sqlite3_stmt *statement = prepared(store, VERDICT_COUNTS, "count the results", error);
    if (!statement) return ASSAY_IO;
    sqlite3_bind_int64(statement, 1, run_id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        count[verdict_parse((const char *)sqlite3_column_text(statement, 0))] +=
            sqlite3_column_int64(statement, 1);
    if (code != SQLITE_DONE) return store_refuse(store, "count the results", error);
    sqlite3_reset(statement);
    statement = prepared(store, MISSING_COUNT, "count the plan", error);
    if (!statement) return ASSAY_IO;
    sqlite3_bind_int64(statement, 1, run_id);
    if (sqlite3_step(statement) != SQLITE_ROW) return store_refuse(store, "count the plan", error);
    *planned = sqlite3_column_int64(statement, 0);
    *missing = sqlite3_column_int64(statement, 1);
    sqlite3_reset(statement);
    return ASSAY_OK;
}
