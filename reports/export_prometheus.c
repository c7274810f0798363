/* Prometheus' text format 0.0.4, for the textfile collector of node_exporter: gauges without times. All runs that were
 * picked are one state of the world, so their numbers are added up; a run's key is a label of one metric alone, or every
 * night would begin all series anew. */
#include "reports/export_form.h"

#include <math.h>
#include <string.h>

#include "reports/database.h"

#define PICKED       "run_id IN (SELECT run_id FROM temp.picked)"
#define UNIX(column) "(julianday(" column ") - 2440587.5) * 86400.0"

/* Columns are labels by their names; the last one is the value. */
static const struct {
    const char *name, *help, *sql;
} metrics[] = {
    {"assay_run_info", "A run, by its key; always 1.",
     "SELECT key AS run, verb, level, label, shard, engine, engine_version, revision, corpus_hash, 1 FROM "
     "run WHERE " PICKED " ORDER BY started_utc, run_id"},
    {"assay_run_start_timestamp_seconds", "When the latest of the runs started.",
     "SELECT verb, level, label, shard, max(" UNIX("started_utc") ") FROM run WHERE " PICKED
                                                                  " GROUP BY verb, level, label, shard"},
    {"assay_run_end_timestamp_seconds", "When the latest of the runs ended.",
     "SELECT verb, level, label, shard, max(" UNIX(
         "ended_utc") ") FROM run WHERE " PICKED
                      " AND ended_utc IS NOT NULL GROUP BY verb, level, label, shard"},
    {"assay_run_exit_code",
     "The highest exit code of the runs: 0 passed, 1 error, 2 failed, 3 nothing judged.",
     "SELECT verb, level, label, shard, max(exit_code) FROM run WHERE " PICKED
     " AND exit_code IS NOT NULL GROUP BY verb, level, label, shard"},
    {"assay_run_planned_cases", "Cases that the runs set out to judge.",
     "SELECT verb, level, label, shard, total(planned) FROM run WHERE " PICKED
     " GROUP BY verb, level, label, shard"},
    {"assay_cases", "Cases by what came of them; timings of bench are counted apart.",
     "SELECT device, device_name, backend, driver, op, outcome, count(*) FROM export_result WHERE run IN"
     " (SELECT run_id FROM temp.picked) GROUP BY device, device_name, backend, driver, op, outcome"},
    {"assay_differing_elements", "Elements that differ from the one right answer.",
     "SELECT device, device_name, backend, driver, op, total(differing) FROM export_result WHERE run IN"
     " (SELECT run_id FROM temp.picked) GROUP BY device, device_name, backend, driver, op"},
    {"assay_capped_cases", "Cases that the level's cap left out.",
     "SELECT device, device_name, backend, driver, count(*) FROM export_capped WHERE run IN"
     " (SELECT run_id FROM temp.picked) GROUP BY device, device_name, backend, driver"},
    {"assay_bench_cases", "Timings by what came of them.",
     "SELECT device, device_name, backend, driver, op, lane, outcome, count(*) FROM export_bench WHERE run IN"
     " (SELECT run_id FROM temp.picked) GROUP BY device, device_name, backend, driver, op, lane, outcome"},
    {"assay_bench_seconds", "Device time of a kernel on a case: the median, averaged over invocations.",
     "SELECT device, device_name, driver, kernel, \"case\", lane, side, avg(median_ns) / 1e9 FROM "
     "export_bench WHERE"
     " outcome = 'passed' AND median_ns > 0 AND run IN (SELECT run_id FROM temp.picked)"
     " GROUP BY device, device_name, driver, kernel, \"case\", lane, side"},
    {"assay_bench_roofline_ratio", "Attained share of what the device can do at that intensity, averaged.",
     "SELECT device, device_name, driver, kernel, \"case\", lane, side, avg(roofline) FROM export_bench WHERE"
     " outcome = 'passed' AND roofline IS NOT NULL AND run IN (SELECT run_id FROM temp.picked)"
     " GROUP BY device, device_name, driver, kernel, \"case\", lane, side"},
    {"assay_device_ceiling",
     "What the device was measured to do, in the unit named, averaged over invocations.",
     "SELECT v.label AS device, d.name AS device_name, d.driver, c.name AS ceiling, c.unit, avg(c.value) "
     "FROM ceiling c"
     " JOIN run_device v USING (run_id, device_id) JOIN device d USING (device_id) WHERE c." PICKED
     " GROUP BY 1, 2, 3, 4, 5"},
    {"assay_device_covered_ratio", "Share of the device that a verify touched.",
     "SELECT v.label AS device, d.name AS device_name, d.driver, c.what, total(c.covered) / total(c.total) "
     "FROM"
     " coverage c JOIN run_device v USING (run_id, device_id) JOIN device d USING (device_id) WHERE c." PICKED
     " GROUP BY 1, 2, 3, 4 HAVING total(c.total) > 0"},
    {"assay_device_failed_units", "Units or bytes of the device that gave a wrong answer.",
     "SELECT v.label AS device, d.name AS device_name, d.driver, c.what, c.unit, total(c.failed) FROM"
     " coverage c JOIN run_device v USING (run_id, device_id) JOIN device d USING (device_id) WHERE c." PICKED
     " GROUP BY 1, 2, 3, 4, 5"},
    {"assay_device_trusted", "1 while the device's last trust record was granted, 0 when it was withdrawn.",
     "SELECT v.label AS device, d.name AS device_name, d.driver, max(t.state = 'granted') FROM run_device v "
     "JOIN device d"
     " USING (device_id) JOIN trust t ON t.device_id = v.device_id WHERE v." PICKED
     " AND t.trust_id = (SELECT n.trust_id FROM trust n WHERE n.device_id = v.device_id ORDER BY "
     "n.recorded_utc DESC,"
     " n.trust_id DESC LIMIT 1) GROUP BY 1, 2, 3"},
};

static void put_number(FILE *out, sqlite3_stmt *row, int column)
{
    const double value = sqlite3_column_double(row, column);
    if (sqlite3_column_type(row, column) == SQLITE_INTEGER)
        fprintf(out, "%lld", (long long)sqlite3_column_int64(row, column));
    else if (isinf(value))
        fputs(value > 0 ? "+Inf" : "-Inf", out);
    else
        fprintf(out, "%.17g", value);
}

static enum assay_status metric(struct export *e, size_t which)
{
    sqlite3_stmt *row = NULL;
    bool first = true;
    int code = sqlite3_prepare_v2(e->db, metrics[which].sql, -1, &row, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        if ((code = sqlite3_step(row)) != SQLITE_ROW) break;
        const int value = sqlite3_column_count(row) - 1;
        /* A metric without a sample is left out. */
        if (first)
            fprintf(e->out, "# HELP %s %s\n# TYPE %s gauge\n", metrics[which].name, metrics[which].help,
                    metrics[which].name);
        first = false;
        fprintf(e->out, "%s{", metrics[which].name);
        for (int c = 0; c < value; c++) {
            fprintf(e->out, "%s%s=\"", c ? "," : "", sqlite3_column_name(row, c));
            export_put(e->out, QUOTE_PROMETHEUS, export_text(row, (enum export_column)c));
            putc_unlocked('"', e->out);
        }
        fputs_unlocked("} ", e->out);
        put_number(e->out, row, value);
        putc_unlocked('\n', e->out);
    }
    sqlite3_finalize(row);
    if (code == SQLITE_DONE) return ASSAY_OK;
    return database_fail(e->db, e->path, "read the numbers", e->error);
}

enum assay_status export_prometheus_write(struct export *e)
{
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; status == ASSAY_OK && i < sizeof metrics / sizeof *metrics; i++) status = metric(e, i);
    return status;
}
