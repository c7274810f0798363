/* Databases written by hand, for tests. */
#include "tests/db_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "harness/store.h"

#define HOSTILE                                                                                              \
    "'a \"quoted\" | name, <b>&amp; ''it''</b> %%0A ::error::x #hash \\back' || char(10) || 'second line' "  \
    "|| char(13, 9, 7, 27)"                                                                                  \
    " || '\xf0\x9f\x94\xa5 \xc3\xa9' || CAST(x'fffe80' AS TEXT) || char(65534, 133)"

/* %1$d is the night. */
static const char night_sql[] =
    "INSERT INTO run (key, started_utc, ended_utc, verb, command, level, engine, engine_version, revision, "
    "compiler,"
    " flags, host, corpus_hash, settings, planned, exit_code, reason, label, shard) VALUES (printf('%%032x', "
    "%1$d),"
    " '2026-01-%1$02dT01:00:00.000Z', '2026-01-%1$02dT02:00:00.000Z', 'run', 'assay run ''*''', 'quick', "
    "'assay',"
    " '0.1.0', 'abcdef', 'gcc', '-O2', 'host', '00', '{}', 8, 2, '2 of 5 judged failed', 'night-%1$d', "
    "'1/2');"
    "INSERT INTO device (key, backend, driver, name, api, kind, software, info) VALUES ('cpu/x', 'cpu', '', "
    "'CPU', '',"
    " 'cpu', 0, '{\"night\": %1$d}') ON CONFLICT DO UPDATE SET info = excluded.info;"
    "INSERT INTO device (key, backend, driver, name, api, kind, uuid, software, info) VALUES ('UUID-1', "
    "'vulkan', " HOSTILE ", " HOSTILE
    ", '1.3', 'discrete', 'UUID-1', 0, '{\"night\": %1$d}') ON CONFLICT DO UPDATE SET"
    " info = excluded.info;"
    "CREATE TEMP TABLE now AS SELECT (SELECT run_id FROM run WHERE key = printf('%%032x', %1$d)) AS run,"
    " (SELECT device_id FROM device WHERE backend = 'cpu') AS cpu,"
    " (SELECT device_id FROM device WHERE backend = 'vulkan') AS gpu;"
    "INSERT INTO run_device SELECT run, cpu, 'cpu:0', 1, '', 'native', 'why', '{}', 'used' FROM now;"
    "INSERT INTO run_device SELECT run, gpu, 'vulkan:0', 1, '', 'native', 'why', '{\"a\": 1}', 'used' FROM "
    "now;"
    "INSERT INTO trait SELECT run, gpu, 'fma', 'rte', 1, 4096, 0, 0, '' FROM now;"
    "INSERT OR IGNORE INTO kernel (name, hash, variant, op, backend, technique, mode, dtype) VALUES"
    " ('matmul.cpu.plain', '11', 'native', 'matmul', 'cpu', 'plain', 'exact', 'f32'),"
    " ('matmul.vulkan.\"tile\"', '22', 'native', 'matmul', 'vulkan', 'tile', 'exact', 'f32');"
    "INSERT OR IGNORE INTO op_case (line, op, dtype, fill, flops) VALUES"
    " ('matmul/f32/m=1,n=1,k=33/fill=normal/seed=1', 'matmul', 'f32', 'normal', 66),"
    " ('matmul/f32/file=' || " HOSTILE
    ", 'matmul', 'f32', '', 8), ('matmul/f32/m=2,n=2,k=2/fill=ties/seed=1',"
    " 'matmul', 'f32', 'ties', 16), ('matmul/f32/m=9,n=9,k=9/fill=night/seed=%1$d', 'matmul', 'f32', "
    "'night', 1458);"
    "CREATE TEMP TABLE line AS SELECT row_number() OVER (ORDER BY case_id) - 1 AS n, case_id FROM op_case "
    "WHERE"
    " fill <> 'night' OR line LIKE '%%seed=%1$d';"
    "INSERT INTO plan SELECT run, s.value, (SELECT case_id FROM line WHERE n = s.value %% 4), CASE WHEN "
    "s.value %% 2 THEN"
    " gpu ELSE cpu END, CASE WHEN s.value %% 2 THEN 'matmul.vulkan.\"tile\"' ELSE 'matmul.cpu.plain' END, "
    "'why <it>',"
    " CASE s.value WHEN 0 THEN 'command line' ELSE 'matmul.cases:' || (s.value + 10) END"
    " FROM now, json_each('[0,1,2,3,4,5,6,7]') s;"
    "INSERT INTO result (run_id, seq, attempt, kernel_id, verdict, expected, rung, oracle, oracle_version, "
    "elems, judged,"
    " differing, first_index, got, want, max_ulp, digest, median_ns, samples, wall_ns, reason, repro, "
    "recorded_utc)"
    " SELECT run, v.column1, v.column2, (SELECT kernel_id FROM kernel WHERE backend = CASE WHEN v.column1 %% "
    "2 THEN"
    " 'vulkan' ELSE 'cpu' END), v.column3, v.column4, CASE v.column3 WHEN 'PASS' THEN 'EXACT' ELSE '' END,"
    " CASE WHEN v.column3 IN ('PASS', 'DIFF') THEN 'contract' ELSE '' END, 1, 4, 4, v.column5, '', '', '', "
    "v.column6,"
    " CASE WHEN v.column3 = 'PASS' THEN 'd' || %1$d ELSE '' END, CASE WHEN v.column3 = 'CRASH' THEN NULL "
    "ELSE 1000 + %1$d"
    " END, CASE WHEN v.column3 = 'CRASH' THEN NULL ELSE zeroblob(40) END, 1500000, v.column7,"
    " CASE WHEN v.column7 = '' THEN '' ELSE 'assay replay ''x''' END, '2026-01-%1$02dT01:30:00.000Z' FROM "
    "now, (VALUES"
    " (0, 1, 'PASS', NULL, 0, 0.0, ''), (1, 1, 'DIFF', NULL, 2, 'nan', " HOSTILE
    "), (2, 1, 'SKIP', NULL, 0, NULL,"
    " 'not here'), (3, 1, 'ERROR', NULL, 0, NULL, 'no memory'), (4, 1, 'CRASH', 'CRASH', 0, NULL, 'signal "
    "11'),"
    " (5, 1, 'DEADREF', NULL, 0, NULL, 'all zero'), (6, 1, 'PASS', NULL, 0, 1.5, ''),"
    " (6, 2, 'DIFF', NULL, 1, 'inf', '1 of 4 elements differ')) v;"
    "INSERT INTO capped SELECT run, (SELECT case_id FROM line WHERE n = 2), gpu, 'more work than quick "
    "allows' FROM now;"
    "INSERT INTO trust (run_id, device_id, recorded_utc, state, reason, path, record) SELECT run, gpu,"
    " '2026-01-%1$02dT02:00:00.000Z', CASE %1$d %% 2 WHEN 1 THEN 'granted' ELSE 'withdrawn' END, '', "
    "'/t/x.json', '{}'"
    " FROM now;"
    "INSERT INTO coverage SELECT run, gpu, 'memory', 'bytes', 1000, 900 + %1$d, 0, '{}' FROM now;"
    "INSERT INTO ceiling SELECT run, gpu, 1, 'copy', 'bytes/s', 4.5e12 FROM now;"
    "INSERT INTO bench (run_id, device_id, case_id, kernel_id, lane, side, invocation, warmups, calls, "
    "count, rejected,"
    " median_ns, mad_ns, q1_ns, q3_ns, min_ns, dispatches, flops, bytes, roofline, digest, verdict, reason, "
    "recorded_utc)"
    " SELECT run, gpu, (SELECT case_id FROM line WHERE n = 0), (SELECT kernel_id FROM kernel WHERE backend = "
    "'vulkan'),"
    " v.column1, '', v.column2, 3, 10, 2, 0, 2000.5 + %1$d, 1, 2000, 2100, 1999, 1, 66, 400, 0.5, 'd' || "
    "%1$d, v.column3,"
    " v.column4, '2026-01-%1$02dT01:40:00.000Z' FROM now, (VALUES ('cold', 1, 'PASS', ''), ('hot', 1, "
    "'PASS', ''),"
    " ('hot', 2, 'NONDET', 'two digests')) v;"
    "INSERT INTO bench_sample SELECT bench_id, s.value, 2000 + s.value, 1980, 1980, 40.5, 300, 0, '', digest "
    "FROM bench,"
    " json_each('[0,1]') s WHERE run_id = (SELECT run FROM now);"
    "INSERT INTO mutant SELECT run, 'fma split', 1, 'DIFF', '' FROM now;"
    "DROP TABLE now; DROP TABLE line;";

void db_execute(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    char *why = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 10000);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) fail_msg("%s: %s: %.300s", path, why, sql);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void db_fixture(const char *path, int night)
{
    struct store *store = NULL;
    struct assay_error error = {0};
    char *sql = NULL;
    if (store_open(path, false, &store, &error) != ASSAY_OK) fail_msg("%s", error.text);
    store_close(store);
    assert_true(asprintf(&sql, night_sql, night) > 0);
    db_execute(path, sql);
    free(sql);
}

char *db_text(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    sqlite3_busy_timeout(db, 10000);
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s: %.300s", path, sqlite3_errmsg(db), sql);
    const int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail_msg("%s: %s: %.300s", path, sqlite3_errmsg(db), sql);
    const char *found = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    char *text = strdup(found ? found : "");
    assert_non_null(text);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return text;
}

int64_t db_number(const char *path, const char *sql)
{
    char *text = db_text(path, sql);
    const int64_t number = strtoll(text, NULL, 10);
    free(text);
    return number;
}

char *db_content(const char *path)
{
    /* Rows by content keys, each as JSON of all its columns but the local numbers. */
    static const char *const tables[] = {
        "SELECT json_array('run', key, started_utc, ended_utc, planned, exit_code, reason, label, shard, "
        "resumed) FROM run",
        "SELECT json_array('device', key, backend, driver, hex(name), info, uuid, kind) FROM device",
        "SELECT json_array('run_device', r.key, d.key, v.label, opened, variant, probe) FROM run_device v "
        "JOIN run r USING"
        " (run_id) JOIN device d USING (device_id)",
        "SELECT json_array('trait', r.key, d.key, t.name, controls, literal, tested) FROM trait t JOIN run r "
        "USING (run_id)"
        " JOIN device d USING (device_id)",
        "SELECT json_array('kernel', name, hash, variant, op, technique) FROM kernel",
        "SELECT json_array('op_case', hex(line), op, flops) FROM op_case",
        "SELECT json_array('plan', r.key, seq, hex(c.line), d.key, p.kernel, why, source) FROM plan p JOIN "
        "run r USING"
        " (run_id) JOIN op_case c USING (case_id) JOIN device d USING (device_id)",
        "SELECT json_array('result', r.key, seq, attempt, k.name, k.hash, verdict, expected, differing, "
        "max_ulp, digest,"
        " median_ns, hex(samples), hex(s.reason), recorded_utc) FROM result s JOIN run r USING (run_id) LEFT "
        "JOIN kernel k"
        " USING (kernel_id)",
        "SELECT json_array('capped', r.key, hex(c.line), d.key, x.reason) FROM capped x JOIN run r USING "
        "(run_id) JOIN"
        " op_case c USING (case_id) JOIN device d USING (device_id)",
        "SELECT json_array('trust', r.key, d.key, recorded_utc, state) FROM trust t JOIN run r USING "
        "(run_id) JOIN device d"
        " USING (device_id)",
        "SELECT json_array('coverage', r.key, d.key, what, covered) FROM coverage c JOIN run r USING "
        "(run_id) JOIN device d"
        " USING (device_id)",
        "SELECT json_array('ceiling', r.key, d.key, invocation, c.name, value) FROM ceiling c JOIN run r "
        "USING (run_id) JOIN"
        " device d USING (device_id)",
        "SELECT json_array('bench', r.key, d.key, hex(c.line), k.name, lane, side, invocation, median_ns, "
        "verdict, (SELECT"
        " group_concat(n || ':' || ns, ' ') FROM bench_sample s WHERE s.bench_id = b.bench_id)) FROM bench b "
        "JOIN run r"
        " USING (run_id) JOIN op_case c USING (case_id) JOIN device d USING (device_id) JOIN kernel k USING "
        "(kernel_id)",
        "SELECT json_array('mutant', r.key, name, caught) FROM mutant m JOIN run r USING (run_id)",
    };
    char sql[8192];
    size_t used = (size_t)snprintf(sql, sizeof sql, "WITH every(x) AS (");
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        used += (size_t)snprintf(sql + used, sizeof sql - used, "%s%s", i ? " UNION ALL " : "", tables[i]);
    used += (size_t)snprintf(sql + used, sizeof sql - used,
                             ") SELECT group_concat(x, char(10)) FROM (SELECT x FROM every ORDER BY x)");
    assert_true(used < sizeof sql);
    return db_text(path, sql);
}

char *db_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    char *text = NULL;
    size_t used = 0;
    for (size_t got = 1; got > 0; used += got) {
        text = realloc(text, used + 65537);
        assert_non_null(text);
        got = fread(text + used, 1, 65536, file);
    }
    text[used] = '\0';
    fclose(file);
    return text;
}
