/* Made-up nights. It knows the schema, and no statistics. */
#include "tests/nights.h"

#include "harness/store.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BASE_NS 250e3 /* the class of sizes that NIGHTS_NOISE was measured in is 0.1 to 1 ms */

struct draw {
    uint64_t state;
};

/* SplitMix64 (Steele, Lea and Flood 2014). */
static double uniform(struct draw *draw)
{
    uint64_t z = draw->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double gauss(struct draw *draw)
{
    double radius = sqrt(-2 * log(1 - uniform(draw)));
    return radius * cos(2 * M_PI * uniform(draw));
}

static struct nights filled(const struct nights *given)
{
    struct nights nights = *given;
    if (!nights.nights) nights.nights = 60;
    if (!nights.cells) nights.cells = 3;
    if (!nights.invocations) nights.invocations = 3;
    if (!(nights.noise > 0)) nights.noise = NIGHTS_NOISE;
    if (!(nights.lag > 0)) nights.lag = NIGHTS_LAG;
    if (!(nights.within > 0)) nights.within = nights.noise / 3;
    return nights;
}

static double planted(const struct nights *nights, int night)
{
    double y = 0;
    if (nights->step_night && night >= nights->step_night) y += log1p(nights->step);
    if (nights->drift > 0) y += log1p(nights->drift) * night / nights->nights;
    if (nights->spike_night && night >= nights->spike_night &&
        night < nights->spike_night + (nights->spike_nights ? nights->spike_nights : 1))
        y += log1p(nights->spike);
    int moved[3] = {nights->driver_night, nights->major_night, nights->kernel_night};
    for (int i = 0; i < 3; i++)
        if (moved[i] && night >= moved[i]) y += log1p(nights->moved);
    return y;
}

void nights_series(const struct nights *given, int cell, double *y)
{
    struct nights nights = filled(given);
    struct draw draw = {nights.seed * 1000003 + (uint64_t)cell * 7919 + 1};
    /* The measured noise is of one invocation; `within` is a part of it. */
    double within = nights.within < nights.noise ? nights.within : 0;
    double noise = sqrt(nights.noise * nights.noise - within * within), level = noise * gauss(&draw);
    for (int night = 1; night <= nights.nights; night++) {
        level = nights.lag * level + sqrt(1 - nights.lag * nights.lag) * noise * gauss(&draw);
        y[night - 1] = log(BASE_NS * (1 + cell)) + level + (cell == 0 ? planted(&nights, night) : 0);
    }
}

static void must(sqlite3 *db, int result, const char *what)
{
    if (result == SQLITE_OK || result == SQLITE_DONE) return;
    fprintf(stderr, "nights: %s: %s\n", what, sqlite3_errmsg(db));
    abort();
}

static sqlite3 *create(const char *path)
{
    sqlite3 *db = NULL;
    unlink(path);
    must(db, sqlite3_open(path, &db), path);
    must(db, sqlite3_exec(db, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN", NULL, NULL, NULL),
         "begin");
    for (int i = 0; i < STORE_VERSION; i++)
        must(db, sqlite3_exec(db, store_migrations[i], NULL, NULL, NULL), "the schema");
    return db;
}

static void finish(sqlite3 *db)
{
    char marks[96];
    snprintf(marks, sizeof marks, "COMMIT; PRAGMA application_id = %d; PRAGMA user_version = %d", 0x41535359,
             STORE_VERSION);
    must(db, sqlite3_exec(db, marks, NULL, NULL, NULL), "finish");
    must(db, sqlite3_close(db), "close");
}

void nights_empty(const char *path, const char *sql)
{
    sqlite3 *db = create(path);
    if (sql) must(db, sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
    finish(db);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    must(db, sqlite3_prepare_v2(db, sql, -1, &statement, NULL), sql);
    return statement;
}

static void step(sqlite3 *db, sqlite3_stmt *statement)
{
    must(db, sqlite3_step(statement), sqlite3_sql(statement));
    sqlite3_reset(statement);
}

void nights_make(const struct nights *given, const char *path)
{
    struct nights nights = filled(given);
    struct draw draw = {nights.seed * 31 + 5};
    sqlite3 *db = create(path);
    double *y = calloc((size_t)(nights.cells * nights.nights), sizeof *y);
    if (!y) abort();
    char sql[512];
    /* Devices 1 to 3 are one card under an older driver, a newer one, and one of another major version. */
    must(db,
         sqlite3_exec(
             db,
             "INSERT INTO device VALUES"
             " (1, 'GPU-1', 'cuda', 'NVIDIA 580.1', 'NVIDIA H200', '', 'discrete', 'GPU-1', '', 0, '{}'),"
             " (2, 'GPU-1', 'cuda', 'NVIDIA 580.2', 'NVIDIA H200', '', 'discrete', 'GPU-1', '', 0, '{}'),"
             " (3, 'GPU-1', 'cuda', 'NVIDIA 590.1', 'NVIDIA H200', '', 'discrete', 'GPU-1', '', 0, '{}');"
             "INSERT INTO kernel VALUES"
             " (1, 'matmul.cuda.tile.exact', '1111111111111111', 'native', 'matmul', 'cuda', 't', 'exact', "
             "'f32'),"
             " (2, 'matmul.cuda.tile.exact', '2222222222222222', 'native', 'matmul', 'cuda', 't', 'exact', "
             "'f32')",
             NULL, NULL, NULL),
         "devices");
    for (int cell = 0; cell < nights.cells; cell++) {
        nights_series(&nights, cell, y + cell * nights.nights);
        snprintf(sql, sizeof sql,
                 "INSERT INTO op_case VALUES (%d, 'matmul/f32/m=%d,n=8,k=8/fill=normal/seed=1', 'matmul', "
                 "'f32', 'normal', 1e6)",
                 cell + 1, cell + 1);
        must(db, sqlite3_exec(db, sql, NULL, NULL, NULL), sql);
    }
    sqlite3_stmt *run =
        prepare(db, "INSERT INTO run (run_id, key, started_utc, ended_utc, verb, command, level, engine,"
                    " engine_version, revision, compiler, flags, host, corpus_hash, settings, planned,"
                    " exit_code, reason) SELECT ?1, printf('%032x', ?1 * 1000003), strftime("
                    "'%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || ?1 || ' days'), '', 'bench', 'assay bench',"
                    " 'quick', 'assay', '0', 'r' || ?1, '', '', 'host', '', '{}', ?2, 0, ''");
    sqlite3_stmt *device =
        prepare(db, "INSERT INTO run_device VALUES (?1, ?2, 'cuda:0', 1, '', 'native', '', '{}', 'used')");
    sqlite3_stmt *plan =
        prepare(db, "INSERT INTO plan VALUES (?1, ?2, ?3, ?4, 'matmul.cuda.tile.exact', '', 'x')");
    sqlite3_stmt *result = prepare(
        db,
        "INSERT INTO result SELECT NULL, ?1, ?2, 1, ?3, 'PASS', NULL, 'EXACT', 'contract', 1, 64, 64, 0, '',"
        " '', '', 0.0, 1e-7, 1e-8, 0.5, 0.1, NULL, NULL, printf('%032x', ?4), ?5, NULL, ?5, '', '', ''");
    sqlite3_stmt *bench = prepare(db, "INSERT INTO bench (run_id, device_id, case_id, kernel_id, lane, side, "
                                      "invocation, warmups, calls, count,"
                                      " rejected, median_ns, mad_ns, q1_ns, q3_ns, min_ns, lag1, dispatches, "
                                      "flops, bytes, roofline, digest,"
                                      " verdict, reason, recorded_utc) SELECT ?1, ?2, ?3, ?4, 'hot', '', ?5, "
                                      "3, 1, 20, 0, ?6, 1, ?6, ?6, ?6, 0.1,"
                                      " 1, 1e6, 1e6, 0.5, printf('%032x', ?7), 'PASS', '', ''");
    for (int night = 1; night <= nights.nights; night++) {
        int which = nights.major_night && night >= nights.major_night     ? 3
                    : nights.driver_night && night >= nights.driver_night ? 2
                                                                          : 1;
        int code = nights.kernel_night && night >= nights.kernel_night ? 2 : 1;
        sqlite3_bind_int(run, 1, night);
        sqlite3_bind_int(run, 2, nights.judged ? nights.cells : 0);
        step(db, run);
        sqlite3_bind_int(device, 1, night);
        sqlite3_bind_int(device, 2, which);
        step(db, device);
        for (int cell = 0; cell < nights.cells; cell++) {
            int bits =
                100 + cell + (cell == 0 && nights.digest_night && night >= nights.digest_night ? 1000 : 0);
            double level = y[cell * nights.nights + night - 1];
            if (nights.judged) {
                sqlite3_bind_int(plan, 1, night);
                sqlite3_bind_int(plan, 2, cell);
                sqlite3_bind_int(plan, 3, cell + 1);
                sqlite3_bind_int(plan, 4, which);
                step(db, plan);
                sqlite3_bind_int(result, 1, night);
                sqlite3_bind_int(result, 2, cell);
                sqlite3_bind_int(result, 3, code);
                sqlite3_bind_int(result, 4, bits);
                sqlite3_bind_int64(result, 5, (int64_t)exp(level));
                step(db, result);
            }
            for (int at = 1; at <= nights.invocations && !nights.no_bench; at++) {
                const int number[] = {night, which, cell + 1, code, at};
                for (int i = 0; i < 5; i++) sqlite3_bind_int(bench, i + 1, number[i]);
                sqlite3_bind_double(bench, 6, exp(level + nights.within * gauss(&draw)));
                sqlite3_bind_int(bench, 7, bits);
                step(db, bench);
            }
        }
    }
    sqlite3_stmt *const all[] = {run, device, plan, result, bench};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sqlite3_finalize(all[i]);
    free(y);
    finish(db);
}
