/* Dropping old raw samples, and giving the space back. */
#include "harness/store_db.h"

#include <stdio.h>

#include "harness/store_file.h"

/* Rows recorded before the cut, which is ?; of what did not pass, nothing is dropped. */
#define CUT     "strftime('%%Y-%%m-%%dT%%H:%%M:%%fZ', 'now', '-%u days')"
#define RESULTS "result WHERE samples IS NOT NULL AND verdict = 'PASS' AND recorded_utc < " CUT
#define BENCHES                                                                                              \
    "bench WHERE verdict = 'PASS' AND recorded_utc < " CUT                                                   \
    " AND EXISTS (SELECT 1 FROM bench_sample s WHERE s.bench_id = bench.bench_id)"
#define SAMPLES "bench_sample WHERE bench_id IN (SELECT bench_id FROM " BENCHES ")"

static enum assay_status number(const struct store_file *file, const char *format, uint32_t days,
                                int64_t *value, struct assay_error *error)
{
    char sql[512];
    snprintf(sql, sizeof sql, format, days); /* each format is one of this file's, with one %u */
    return store_file_number(file, sql, "count the samples", value, error);
}

static enum assay_status file_bytes(const struct store_file *file, int64_t *bytes, struct assay_error *error)
{
    int64_t pages = 0, page_bytes = 0;
    enum assay_status status =
        store_file_number(file, "PRAGMA main.page_count", "read the size", &pages, error);
    if (status == ASSAY_OK)
        status = store_file_number(file, "PRAGMA main.page_size", "read the size", &page_bytes, error);
    *bytes = pages * page_bytes;
    return status;
}

static enum assay_status drop(const struct store_file *file, uint32_t days, struct assay_error *error)
{
    char sql[1024];
    snprintf(sql, sizeof sql, "DELETE FROM " SAMPLES, days);
    enum assay_status status = store_file_run(file, "BEGIN IMMEDIATE", "start writing", error);
    if (status == ASSAY_OK) status = store_file_run(file, sql, "drop the samples", error);
    snprintf(sql, sizeof sql,
             "UPDATE result SET samples = NULL WHERE samples IS NOT NULL AND verdict = 'PASS' AND "
             "recorded_utc < " CUT,
             days);
    if (status == ASSAY_OK) status = store_file_run(file, sql, "drop the samples", error);
    if (status == ASSAY_OK) status = store_file_run(file, "COMMIT", "commit", error);
    if (status != ASSAY_OK) {
        if (!sqlite3_get_autocommit(file->db)) sqlite3_exec(file->db, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    return store_file_run(file, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)",
                          "shrink the file (the samples are dropped)", error);
}

enum assay_status store_prune(const char *path, uint32_t days, bool dry_run, json_t **answer,
                              struct assay_error *error)
{
    struct store_file file;
    int64_t results = 0, benches = 0, samples = 0, before = 0, after = 0;
    *answer = NULL;
    /* Opening to write would make a file that is not there. */
    enum assay_status status = store_file_read(path, &file, error);
    if (status == ASSAY_OK && !dry_run) {
        sqlite3_close(file.db);
        status = store_file_write(path, &file, error);
    }
    if (status == ASSAY_OK) status = file_bytes(&file, &before, error);
    if (status == ASSAY_OK) status = number(&file, "SELECT count(*) FROM " RESULTS, days, &results, error);
    if (status == ASSAY_OK) status = number(&file, "SELECT count(*) FROM " BENCHES, days, &benches, error);
    if (status == ASSAY_OK) status = number(&file, "SELECT count(*) FROM " SAMPLES, days, &samples, error);
    if (status == ASSAY_OK && !dry_run && results + benches > 0) status = drop(&file, days, error);
    if (status == ASSAY_OK) status = file_bytes(&file, &after, error);
    sqlite3_close(file.db);
    if (status != ASSAY_OK) return status;
    *answer = json_pack("{s:o, s:I, s:b, s:I, s:I, s:I, s:I, s:I}", "path", store_file_json(path), "days",
                        (json_int_t)days, "dry_run", (int)dry_run, "results", (json_int_t)results, "benches",
                        (json_int_t)benches, "samples", (json_int_t)samples, "bytes_before",
                        (json_int_t)before, "bytes_after", (json_int_t)after);
    return *answer ? ASSAY_OK : assay_error_set(error, ASSAY_OUT_OF_MEMORY, "prune: out of memory");
}
