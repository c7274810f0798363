/* The database: what it refuses, how it migrates, what it keeps when things go wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/store.h"

static char folder[64], path[128];

static int setup(void **state)
{
    (void)state;
    /* In memory where that is possible: processes are killed here, machines are not, and a sync to a disk takes long. */
    snprintf(folder, sizeof folder, "/dev/shm/assay-store-XXXXXX");
    if (!mkdtemp(folder)) {
        snprintf(folder, sizeof folder, "/tmp/assay-store-XXXXXX");
        if (!mkdtemp(folder)) return -1;
    }
    snprintf(path, sizeof path, "%s/db", folder);
    return 0;
}

static int teardown(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static int64_t number(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const int64_t value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return value;
}

static void text(const char *sql, char value[256])
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    snprintf(value, 256, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

/* A run of one device with `rows` planned cases. */
static int64_t begin_run(struct store *store, int rows)
{
    int64_t run_id = 0, device_id = 0;
    const struct store_run run = {"run", "assay run", "quick", "stub", "1", "host", "0", "{}", NULL, NULL};
    const struct store_device device = {
        .key = "k",
        .backend = "stub",
        .driver = "d",
        .name = "n",
        .api = "",
        .kind = "cpu",
        .label = "stub:0",
        .opened = true,
        .info_json = "{}",
        .why = "",
        .variant = "native",
        .variant_why = "",
        .probe_json = "{\"traits\": [{\"name\": \"add\", \"controls\": \"rte szinp\", "
                      "\"literal\": true, \"tested\": 9, \"wrong\": 2,"
                      " \"wrong_subnormal\": 1, \"first\": [\"00000001\", \"00000002\", "
                      "\"00000003\", \"00000004\"]}]}"};
    assert_int_equal(store_run_begin(store, &run, &run_id, NULL), ASSAY_OK);
    assert_int_equal(store_device_add(store, run_id, &device, &device_id, NULL), ASSAY_OK);
    assert_int_equal(store_plan_begin(store, NULL), ASSAY_OK);
    for (int at = 0; at < rows; at++) {
        char line[64];
        snprintf(line, sizeof line, "case/%d", at);
        assert_int_equal(store_plan_add(store, run_id, at, line, "matmul", "f32", "normal", 1, device_id,
                                        "kernel", "why", "test", NULL),
                         ASSAY_OK);
    }
    assert_int_equal(store_plan_end(store, run_id, NULL), ASSAY_OK);
    return run_id;
}

static struct store_result passing(int64_t seq)
{
    return (struct store_result){.seq = seq,
                                 .attempt = 1,
                                 .kernel = "matmul.stub.plain.exact",
                                 .kernel_hash = "00",
                                 .op = "MatMul",
                                 .backend = "stub",
                                 .technique = "plain",
                                 .mode = "exact",
                                 .dtype = "f32",
                                 .verdict = VERDICT_PASS,
                                 .rung = RUNG_EXACT,
                                 .oracle = "contract",
                                 .oracle_version = 1,
                                 .elems = 4,
                                 .judged = 4,
                                 .published_differing = -1};
}

static void refused(const char *words)
{
    struct assay_error error = {0};
    struct store *store = NULL;
    struct stat before, after;
    const bool exists = stat(path, &before) == 0;
    for (int readonly = 0; readonly < 2; readonly++) {
        assert_int_not_equal(store_open(path, readonly, &store, &error), ASSAY_OK);
        assert_null(store);
        assert_non_null(strstr(error.text, path));
        if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
    }
    if (exists) {
        assert_int_equal(stat(path, &after), 0);
        assert_int_equal(before.st_size, after.st_size);
        assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    }
}

static void write_file(const char *bytes, size_t count)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void execute(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void test_refuses(void **state)
{
    struct assay_error error = {0};
    struct store *store = NULL;
    (void)state;
    assert_int_equal(store_open(path, true, &store, &error), ASSAY_IO); /* read-only never creates */
    assert_int_not_equal(access(path, F_OK), 0);

    write_file("this is no database, but long enough to be taken for one: ", 58);
    refused("is not a database");
    unlink(path);
    char noise[4096] = "SQLite format 3";
    memset(noise + 16, 0xa7, sizeof noise - 16);
    write_file(noise, sizeof noise);
    refused("database of another program");
    unlink(path);
    execute("CREATE TABLE other (x)");
    refused("another program");
    unlink(path);
    execute("PRAGMA application_id = 77; CREATE TABLE run (x)");
    refused("0x0000004d");
    unlink(path);
    assert_int_equal(store_open(path, false, &store, &error), ASSAY_OK);
    store_close(store);
    execute("PRAGMA user_version = 7");
    refused("newer Assay (version 7");
    execute("PRAGMA user_version = -1");
    refused("no Assay writes the version -1");
    execute("PRAGMA user_version = 0");
    refused("no Assay writes the version 0");
    unlink(path);
    mkdir(path, 0700);
    refused("not a regular file");
    rmdir(path);
    char *here = getcwd(NULL, 0); /* a name that means nothing to us means nothing to SQLite */
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(store_open(":memory:", false, &store, &error), ASSAY_OK);
    store_close(store);
    assert_int_equal(access("./:memory:", F_OK), 0);
    assert_int_equal(chdir(here), 0);
    free(here);
}

/* As somebody who may not write: a child, since root may. */
static void test_no_permission(void **state)
{
    struct store *store = NULL;
    (void)state;
    assert_int_equal(store_open(path, false, &store, NULL), ASSAY_OK);
    begin_run(store, 1);
    store_close(store);
    chmod(folder, 0755);
    chmod(path, 0444);
    if (fork() == 0) {
        struct assay_error error = {0};
        if (geteuid() == 0 && setuid(65534) != 0) _exit(9);
        if (store_open(path, false, &store, &error) != ASSAY_IO || !strstr(error.text, "Permission denied"))
            _exit(1);
        chmod(path, 0);
        _exit(0);
    }
    int status = 0;
    wait(&status);
    assert_int_equal(status, 0);
    /* The file may be written, its folder not: a journal could not be made. */
    chmod(path, 0666);
    chmod(folder, 0555);
    if (fork() == 0) {
        struct assay_error error = {0};
        char want[256];
        if (geteuid() == 0 && setuid(65534) != 0) _exit(9);
        snprintf(want, sizeof want, "the folder %s: Permission denied", folder);
        _exit(store_open(path, false, &store, &error) != ASSAY_IO || !strstr(error.text, want));
    }
    wait(&status);
    assert_int_equal(status, 0);
    chmod(folder, 0755);
    chmod(path, 0000);
    if (fork() == 0) {
        struct assay_error error = {0};
        if (geteuid() == 0 && setuid(65534) != 0) _exit(9);
        _exit(store_open(path, true, &store, &error) != ASSAY_IO || !strstr(error.text, "Permission denied"));
    }
    wait(&status);
    assert_int_equal(status, 0);
}

static void test_migrates(void **state)
{
    struct store *store = NULL;
    struct assay_error error = {0};
    const char *next[STORE_VERSION + 1], *broken[STORE_VERSION + 1];
    memcpy(next, store_migrations, sizeof store_migrations);
    memcpy(broken, store_migrations, sizeof store_migrations);
    next[STORE_VERSION] = "ALTER TABLE run ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'";
    broken[STORE_VERSION] = "ALTER TABLE run ADD COLUMN mood TEXT; ALTER TABLE nothing";
    char mood[256];
    (void)state;
    /* A file of version 0 that is ours: as an older program might have left it. */
    execute("PRAGMA application_id = 0x41535359");
    assert_int_equal(store_open(path, false, &store, &error), ASSAY_OK);
    begin_run(store, 2);
    store_close(store);
    assert_int_equal(number("PRAGMA user_version"), STORE_VERSION);
    /* A migration that fails leaves the old version whole. */
    assert_int_not_equal(store_open_with(path, false, broken, STORE_VERSION + 1, &store, &error), ASSAY_OK);
    assert_int_equal(number("PRAGMA user_version"), STORE_VERSION);
    assert_int_equal(number("SELECT count(*) FROM pragma_table_info('run') WHERE name = 'mood'"), 0);
    assert_int_equal(store_open_with(path, true, next, STORE_VERSION + 1, &store, &error),
                     ASSAY_INVALID_INPUT);
    assert_int_equal(store_open_with(path, false, next, STORE_VERSION + 1, &store, &error), ASSAY_OK);
    store_close(store);
    assert_int_equal(number("PRAGMA user_version"), STORE_VERSION + 1);
    assert_int_equal(number("SELECT count(*) FROM plan"), 2);
    text("SELECT mood FROM run", mood);
    assert_string_equal(mood, "calm");
    assert_int_not_equal(store_open(path, false, &store, &error), ASSAY_OK);
}

/* A run of two devices and three cases, as version 1 had them. */
static const char old_run[] =
    "INSERT INTO run VALUES (1, 'k', '2026', NULL, 'run', 'assay run', 'quick', 'stub', '1', 'r', 'c', 'f', "
    "'h',"
    " '0', '{}', 3, NULL, NULL);"
    "INSERT INTO device VALUES (1, 'k', 'stub', 'd', 'n', '', 'cpu', NULL, NULL, 0, '{}');"
    "INSERT INTO device VALUES (2, 'l', 'stub', 'd', 'n', '', 'cpu', NULL, NULL, 0, '{}');"
    "INSERT INTO run_device VALUES (1, 1, 'stub:0', 1, '', 'native', '', '{}');"
    "INSERT INTO run_device VALUES (1, 2, 'stub:1', 0, 'broken', '', '', '{}');"
    "INSERT INTO op_case VALUES (1, 'a', 'matmul', 'f32', 'normal', 1), (2, 'b', 'matmul', 'f32', 'normal', "
    "1),"
    " (3, 'c', 'matmul', 'f32', 'normal', 1);"
    "INSERT INTO plan VALUES (1, 0, 1, 1, 'kernel', 'why', 'test'), (1, 1, 2, 1, 'kernel', 'why', 'test'),"
    " (1, 2, 3, 1, 'kernel', 'why', 'test');";

/* A database of version 1 gets the history of trust and keeps all it had; a program of version 1 leaves it alone. */
static void test_version_1(void **state)
{
    sqlite3 *db = NULL;
    const int64_t run_id = 1;
    struct store *store = NULL;
    struct assay_error error = {0};
    const char *const first[] = {store_migrations[0]};
    char word[256];
    (void)state;
    assert_int_equal(store_open_with(path, false, first, 1, &store, &error), ASSAY_OK);
    store_close(store);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, old_run, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(number("PRAGMA user_version"), 1);
    assert_int_equal(number("SELECT count(*) FROM sqlite_schema WHERE name = 'trust'"), 0);
    if (store_open(path, false, &store, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assert_int_equal(number("PRAGMA user_version"), STORE_VERSION);
    assert_int_equal(number("SELECT count(*) FROM plan"), 3);
    text("SELECT group_concat(label || ' ' || state) FROM run_device", word);
    assert_string_equal(word, "stub:0 used,stub:1 not opened");
    const int64_t device_id = number("SELECT device_id FROM run_device");
    assert_int_equal(store_trust_add(store, run_id, device_id, true, "", "/t/x.json", "{}", &error),
                     ASSAY_OK);
    assert_int_equal(store_trust_add(store, run_id, device_id, false, "DIFF", "/t/x.json", "{}", &error),
                     ASSAY_OK);
    assert_int_not_equal(store_trust_add(store, run_id, device_id + 7, true, "", "", "", &error), ASSAY_OK);
    store_close(store);
    assert_int_equal(number("SELECT count(*) FROM trust"), 2);
    text("SELECT state || ' ' || reason FROM trust ORDER BY trust_id DESC", word);
    assert_string_equal(word, "withdrawn DIFF");
    assert_int_equal(number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_int_equal(store_open_with(path, false, first, 1, &store, &error), ASSAY_INVALID_INPUT);
}

/* WiseLibs/better-sqlite3#1088, rogerbinns/apsw#398: NaN never becomes NULL, and -0 keeps its sign. */
static void test_numbers(void **state)
{
    struct store *store = NULL;
    const double values[] = {NAN, INFINITY, -INFINITY, -0.0, 0.5};
    char word[256];
    (void)state;
    assert_int_equal(store_open(path, false, &store, NULL), ASSAY_OK);
    const int64_t run_id = begin_run(store, 6);
    for (int at = 0; at < 6; at++) {
        struct store_result result = passing(at);
        result.max_ulp = at < 5 ? &values[at] : NULL;
        assert_int_equal(store_result_add(store, run_id, &result, NULL), ASSAY_OK);
    }
    store_close(store);
    text("SELECT max_ulp FROM result WHERE seq = 0", word);
    assert_string_equal(word, "nan");
    text("SELECT max_ulp FROM result WHERE seq = 1", word);
    assert_string_equal(word, "inf");
    text("SELECT max_ulp FROM result WHERE seq = 2", word);
    assert_string_equal(word, "-inf");
    assert_int_equal(
        number("SELECT count(*) FROM result WHERE seq = 3 AND typeof(max_ulp) = 'real' AND max_ulp = 0"), 1);
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT max_ulp FROM result WHERE seq = 3", -1, &statement, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_true(signbit(sqlite3_column_double(statement, 0)));
    sqlite3_finalize(statement);
    sqlite3_close(db);
    /* A gate that is written carelessly still sees the NaN: words sort above every number. */
    assert_int_equal(number("SELECT count(*) FROM result WHERE max_ulp > 1e-3"), 4);
    assert_int_equal(number("SELECT count(*) FROM result WHERE max_ulp IS NULL"), 1);
}

static void test_rows(void **state)
{
    struct store *store = NULL;
    struct assay_error error = {0};
    int64_t count[VERDICT_COUNT], planned, missing;
    const uint64_t samples[] = {30, 10, 20, 500};
    char word[256];
    (void)state;
    assert_int_equal(store_open(path, false, &store, &error), ASSAY_OK);
    const int64_t run_id = begin_run(store, 4);
    struct store_result result = passing(0);
    result.sample_ns = samples;
    result.sample_count = 4;
    assert_int_equal(store_result_add(store, run_id, &result, &error), ASSAY_OK);
    assert_int_not_equal(store_result_add(store, run_id, &result, &error),
                         ASSAY_OK); /* once a row and attempt */
    result.seq = 1;
    result.kernel = NULL;
    result.verdict = VERDICT_CRASH;
    result.rung = RUNG_NONE;
    assert_int_equal(store_result_add(store, run_id, &result, &error), ASSAY_OK);
    result.seq = 99; /* not planned */
    assert_int_not_equal(store_result_add(store, run_id, &result, &error), ASSAY_OK);
    assert_int_equal(store_counts(store, run_id, count, &planned, &missing, &error), ASSAY_OK);
    assert_int_equal(planned, 4);
    assert_int_equal(missing, 2);
    assert_int_equal(count[VERDICT_PASS], 1);
    assert_int_equal(count[VERDICT_CRASH], 1);
    assert_int_equal(store_run_end(store, run_id, 2, "why", &error), ASSAY_OK);
    store_close(store);
    assert_int_equal(number("SELECT median_ns FROM result WHERE seq = 0"), 25);
    assert_int_equal(number("SELECT length(samples) FROM result WHERE seq = 0"), 32);
    assert_int_equal(number("SELECT kernel_id IS NULL FROM result WHERE seq = 1"), 1);
    text("SELECT name || '|' || controls || '|' || literal || '|' || wrong || '|' || first FROM trait", word);
    assert_string_equal(word, "add|rte szinp|1|2|00000001 00000002 00000003 00000004");
    text("SELECT exit_code || reason FROM run", word);
    assert_string_equal(word, "2why");
    text("PRAGMA integrity_check", word);
    assert_string_equal(word, "ok");
    text("PRAGMA journal_mode", word);
    assert_string_equal(word, "wal");
    store = NULL;
    assert_int_equal(store_open(path, true, &store, &error), ASSAY_OK);
    assert_int_not_equal(store_run_end(store, run_id, 0, "", &error), ASSAY_OK); /* read-only */
    store_close(store);
}

/* foundatron/octopusgarden#290, xuzhougeng/wisp-science#392: four processes start together on a file that is not there. */
static void test_processes(void **state)
{
    pid_t child[4];
    (void)state;
    for (int at = 0; at < 4; at++) {
        child[at] = fork();
        if (child[at]) continue;
        struct store *store = NULL;
        struct assay_error error = {0};
        if (store_open(path, false, &store, &error) != ASSAY_OK) {
            fprintf(stderr, "%s\n", error.text);
            _exit(1);
        }
        const int64_t run_id = begin_run(store, 100);
        for (int row = 0; row < 100; row++) {
            const struct store_result result = passing(row);
            if (store_result_add(store, run_id, &result, &error) != ASSAY_OK) {
                fprintf(stderr, "%s\n", error.text);
                _exit(2);
            }
        }
        store_close(store);
        _exit(0);
    }
    for (int at = 0; at < 4; at++) {
        int status = -1;
        assert_int_equal(waitpid(child[at], &status, 0), child[at]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(number("SELECT count(*) FROM result"), 400);
    assert_int_equal(number("SELECT count(*) FROM run"), 4);
    assert_int_equal(number("SELECT count(*) FROM op_case"), 100);
}

/* Opening meets another process that is just making the tables: 60 times, since the moment is short. */
static void test_made_meanwhile(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        const char *const suffix[] = {"", "-wal", "-shm", "-journal"};
        pid_t child[4];
        for (size_t at = 0; at < sizeof suffix / sizeof suffix[0]; at++) {
            char name[300];
            snprintf(name, sizeof name, "%s%s", path, suffix[at]);
            unlink(name);
        }
        for (int at = 0; at < 4; at++) {
            child[at] = fork();
            if (child[at]) continue;
            struct store *store = NULL;
            struct assay_error error = {0};
            const bool opened = store_open(path, false, &store, &error) == ASSAY_OK;
            if (!opened) fprintf(stderr, "%s\n", error.text);
            store_close(store);
            _exit(opened ? 0 : 1);
        }
        for (int at = 0; at < 4; at++) {
            int status = -1;
            assert_int_equal(waitpid(child[at], &status, 0), child[at]);
            assert_int_equal(status, 0);
        }
    }
}

/* tensorflow/tensorflow#32881: two cards of one name change places between two nights. Rows stay with the UUID.
 * xemu-project/xemu#2597: a new driver is another row. */
static void test_cards_change_places(void **state)
{
    static const struct {
        const char *key, *driver, *label;
    } night[3][2] = {{{"U1", "1.0", "cuda:0"}, {"U2", "1.0", "cuda:1"}},
                     {{"U2", "1.0", "cuda:0"}, {"U1", "1.0", "cuda:1"}},
                     {{"U1", "1.1", "cuda:0"}, {"U2", "1.1", "cuda:1"}}};
    int64_t device_id[3][2];
    struct store *store = NULL;
    (void)state;
    assert_int_equal(store_open(path, false, &store, NULL), ASSAY_OK);
    for (int at = 0; at < 3; at++) {
        int64_t run_id = 0;
        const struct store_run run = {"run",  "assay run", "quick", "stub", "1",
                                      "host", "0",         "{}",    NULL,   NULL};
        assert_int_equal(store_run_begin(store, &run, &run_id, NULL), ASSAY_OK);
        for (int card = 0; card < 2; card++) {
            const struct store_device device = {.key = night[at][card].key,
                                                .backend = "cuda",
                                                .driver = night[at][card].driver,
                                                .name = "one name",
                                                .api = "",
                                                .kind = "discrete",
                                                .label = night[at][card].label,
                                                .opened = true,
                                                .info_json = "{}",
                                                .why = "",
                                                .variant = "native",
                                                .variant_why = "",
                                                .probe_json = "{}"};
            assert_int_equal(store_device_add(store, run_id, &device, &device_id[at][card], NULL), ASSAY_OK);
        }
    }
    store_close(store);
    assert_int_equal(device_id[1][1], device_id[0][0]);
    assert_int_equal(device_id[1][0], device_id[0][1]);
    assert_int_not_equal(device_id[0][0], device_id[0][1]);
    assert_int_not_equal(device_id[2][0], device_id[0][0]);
    assert_int_equal(number("SELECT count(*) FROM device"), 4);
    assert_int_equal(number("SELECT count(*) FROM run_device JOIN device USING (device_id) WHERE key = 'U1'"),
                     3);
}

/* A process killed at any time leaves whole rows. */
static void test_killed(void **state)
{
    char word[256];
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct store *store = NULL;
        if (store_open(path, false, &store, NULL) != ASSAY_OK) _exit(1);
        const int64_t run_id = begin_run(store, 100000);
        for (int row = 0;; row++) {
            const struct store_result result = passing(row);
            if (store_result_add(store, run_id, &result, NULL) != ASSAY_OK) _exit(2);
        }
    }
    int64_t rows = 0;
    for (int tries = 0; tries < 500 && rows < 50; tries++) {
        struct store *store = NULL;
        usleep(20000);
        if (store_open(path, true, &store, NULL) != ASSAY_OK) continue;
        store_close(store);
        rows = number("SELECT count(*) FROM result");
    }
    assert_true(rows >= 50);
    kill(child, SIGKILL);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    struct store *store = NULL;
    assert_int_equal(store_open(path, false, &store, NULL), ASSAY_OK);
    store_close(store);
    text("PRAGMA integrity_check", word);
    assert_string_equal(word, "ok");
    assert_true(number("SELECT count(*) FROM result") >= rows);
    assert_int_equal(number("SELECT count(*) FROM result WHERE verdict IS NULL OR kernel_id IS NULL"), 0);
}

/* A disk that fills up: the call fails in words, and what was committed stays. */
static void test_full_disk(void **state)
{
    char word[256];
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct store *store = NULL;
        struct assay_error error = {0};
        signal(SIGXFSZ, SIG_IGN);
        if (store_open(path, false, &store, &error) != ASSAY_OK) _exit(1);
        const int64_t run_id = begin_run(store, 20000);
        const struct rlimit limit = {3 << 20, 3 << 20};
        setrlimit(RLIMIT_FSIZE, &limit);
        int row = 0;
        for (; row < 20000; row++) {
            const struct store_result result = passing(row);
            if (store_result_add(store, run_id, &result, &error) != ASSAY_OK) break;
        }
        if (row == 20000 || error.status != ASSAY_IO || !strstr(error.text, "in database")) _exit(3);
        FILE *note = fopen("/dev/null", "we");
        if (note) fclose(note);
        /* A second attempt fails too, and does no harm. */
        const struct store_result result = passing(row);
        if (store_result_add(store, run_id, &result, &error) == ASSAY_OK) row++;
        char told[160];
        snprintf(told, sizeof told, "%s/rows", folder);
        const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
        setrlimit(RLIMIT_FSIZE, &none);
        note = fopen(told, "we");
        fprintf(note, "%d", row);
        fclose(note);
        _exit(0);
    }
    int status = -1, rows = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    snprintf(word, sizeof word, "%s/rows", folder);
    FILE *note = fopen(word, "re");
    assert_int_equal(fscanf(note, "%d", &rows), 1);
    fclose(note);
    assert_true(rows > 10);
    struct store *store = NULL;
    assert_int_equal(store_open(path, false, &store, NULL), ASSAY_OK);
    store_close(store);
    assert_int_equal(number("SELECT count(*) FROM result"), rows);
    text("PRAGMA integrity_check", word);
    assert_string_equal(word, "ok");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_refuses, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_permission, setup, teardown),
        cmocka_unit_test_setup_teardown(test_migrates, setup, teardown),
        cmocka_unit_test_setup_teardown(test_version_1, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_processes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_made_meanwhile, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cards_change_places, setup, teardown),
        cmocka_unit_test_setup_teardown(test_killed, setup, teardown),
        cmocka_unit_test_setup_teardown(test_full_disk, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
