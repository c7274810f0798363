/* `assay db`: what is in a file, whether it is sound, merging, pruning; databases of older versions; writers at once; disks
 * that are full, files and folders that cannot be written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/options.h"
#include "harness/store.h"
#include "harness/store_db.h"
#include "reports/export.h"
#include "reports/report.h"
#include "tests/db_fixture.h"

#define ASSAY "env -i " TEST_BUILD "/assay "

static char folder[64], output[1 << 16];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/assay-db-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[200];
    (void)state;
    snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", folder, folder);
    return system(command);
}

/* A name in the test's folder; some at a time. */
static const char *at(const char *name)
{
    static char paths[8][160];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Run a shell command with both streams joined, %s is the folder; its output is in `output`. */
static int run(const char *format, ...)
{
    char command[2048], line[2200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "cd %s && { %s ; } 2>&1", folder, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    const size_t used = fread(output, 1, sizeof output - 1, pipe);
    output[used] = 0;
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void says(const char *text)
{
    if (!strstr(output, text)) fail_msg("expected '%s', got:\n%.2000s", text, output);
}

static char *program(void)
{
    static char path[4096];
    if (!*path) assert_non_null(realpath(TEST_BUILD "/assay", path));
    return path;
}

static void expect_sound(const char *path)
{
    json_t *answer = NULL;
    struct assay_error error = {0};
    if (store_check(path, &answer, &error) != ASSAY_OK) fail_msg("%s", error.text);
    if (json_array_size(json_object_get(answer, "damage")))
        fail_msg("%s", json_dumps(answer, JSON_INDENT(1)));
    assert_true(json_integer_value(json_object_get(answer, "checks")) > 15);
    json_decref(answer);
}

static void merge(const char *dest, size_t count, const char *const *sources)
{
    json_t *answer = NULL;
    size_t failed = 0;
    struct assay_error error = {0};
    if (store_merge(dest, sources, count, &answer, &failed, &error) != ASSAY_OK) fail_msg("%s", error.text);
    if (failed) fail_msg("%s", json_dumps(answer, JSON_INDENT(1)));
    json_decref(answer);
}
#define MERGE(dest, ...)                                                                                     \
    merge(dest, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *), (const char *[]){__VA_ARGS__})

/* Merge one source that must be refused with these words, and leave no row. */
static void refused(const char *dest, const char *source, const char *words)
{
    json_t *answer = NULL;
    size_t failed = 0;
    struct assay_error error = {0};
    char *before = db_content(dest);
    if (store_merge(dest, &source, 1, &answer, &failed, &error) != ASSAY_OK) fail_msg("%s", error.text);
    const char *why =
        json_string_value(json_object_get(json_array_get(json_object_get(answer, "sources"), 0), "error"));
    assert_int_equal(failed, 1);
    assert_non_null(why);
    if (!strstr(why, words) || !strstr(why, source))
        fail_msg("'%s' does not say '%s' of %s", why, words, source);
    json_decref(answer);
    char *after = db_content(dest);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* ---- older files ---- */

static void frozen(int version, const char *path)
{
    char name[64];
    snprintf(name, sizeof name, "tests/frozen/version%d.sql", version);
    char *sql = db_file(name);
    db_execute(path, sql);
    free(sql);
}

/* Files that released programs wrote: read as they are, then brought up to date without a loss. */
static void frozen_files(void **state)
{
    static const struct {
        int version, runs, devices, plan, results, traits, failed, trust;
    } files[] = {{1, 2, 3, 20, 20, 93, 1, 0}, {2, 4, 3, 20, 20, 114, 2, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct assay_error error = {0};
        struct store *store = NULL;
        json_t *answer = NULL;
        const char *path = at(i ? "two" : "one");
        frozen(files[i].version, path);
        for (int migrated = 0; migrated < 2; migrated++) {
            expect_sound(path);
            if (store_info(path, &answer, &error) != ASSAY_OK) fail_msg("%s", error.text);
            const json_t *tables = json_object_get(answer, "tables");
            const struct {
                const char *table;
                int rows;
            } counts[] = {{"run", files[i].runs},
                          {"device", files[i].devices},
                          {"plan", files[i].plan},
                          {"result", files[i].results},
                          {"trait", files[i].traits}};
            for (size_t t = 0; t < sizeof counts / sizeof *counts; t++)
                assert_int_equal(json_integer_value(json_object_get(tables, counts[t].table)),
                                 counts[t].rows);
            assert_int_equal(json_integer_value(json_object_get(answer, "version")),
                             migrated ? STORE_VERSION : files[i].version);
            json_decref(answer);
            if (export_write(path, "2", EXPORT_CSV, at("out.csv"), &error) != ASSAY_OK)
                fail_msg("%s", error.text);
            const struct report_options report = {.run = "1", .folder = folder};
            if (report_write(path, &report, &error) != ASSAY_OK) fail_msg("%s", error.text);
            assert_int_equal(db_number(path, "PRAGMA user_version"),
                             migrated ? STORE_VERSION : files[i].version);
            assert_int_equal(db_number(path, "SELECT count(*) FROM result WHERE verdict = 'DIFF'"),
                             files[i].failed);
            if (store_open(path, false, &store, &error) != ASSAY_OK) fail_msg("%s", error.text);
            store_close(store);
        }
        assert_int_equal(db_number(path, "SELECT count(*) FROM trust"), files[i].trust);
        assert_int_equal(db_number(path, "SELECT count(*) FROM bench"), 0);
        /* A run of today goes into it. */
        assert_int_equal(
            run("%s run 'matmul/f32/m=4,n=6,k=20/fill=normal/seed=1' --device cpu --vulkan-lib none"
                " --cuda-lib none --quiet --db %s",
                program(), path),
            EXIT_PASS);
        assert_int_equal(db_number(path, "SELECT count(*) FROM run"), files[i].runs + 1);
        expect_sound(path);
    }
}

/* Older sources are merged as they would be after a migration, and are themselves left as they are. */
static void merge_older(void **state)
{
    (void)state;
    frozen(1, at("one"));
    frozen(2, at("two"));
    db_fixture(at("three"), 3);
    MERGE(at("all"), at("two"), at("three"), at("one"));
    assert_int_equal(db_number(at("one"), "PRAGMA user_version"), 1);
    assert_int_equal(db_number(at("two"), "PRAGMA user_version"), 2);
    assert_int_equal(db_number(at("all"), "PRAGMA user_version"), STORE_VERSION);
    assert_int_equal(db_number(at("all"), "SELECT count(*) FROM run"), 7);
    assert_int_equal(db_number(at("all"), "SELECT count(*) FROM result"), 40 + DB_FIXTURE_RESULTS);
    assert_int_equal(db_number(at("all"), "SELECT count(*) FROM op_case"), 3 + 4);
    assert_int_equal(db_number(at("all"), "SELECT count(*) FROM trust"), 2);
    expect_sound(at("three"));
    MERGE(at("all"), at("three"));
    assert_int_equal(run("ls | grep 'merge-\\|three-'"), 1); /* no copy is left, nor a log of the source */
    expect_sound(at("all"));
}

/* ---- merging ---- */

static void every_table(void **state)
{
    (void)state;
    db_fixture(at("a"), 1);
    expect_sound(at("a"));
    char *tables = db_text(at("a"), "SELECT group_concat(name, ' ') FROM sqlite_schema WHERE type = 'table'");
    for (char *name = strtok(tables, " "); name; name = strtok(NULL, " ")) {
        char sql[96];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", name);
        const int64_t rows = db_number(at("a"), sql);
        if (rows == 0) fail_msg("tests/db_fixture.c has no row of table %s", name);
        MERGE(at("to"), at("a"));
        if (db_number(at("to"), sql) != rows) fail_msg("table %s is not merged", name);
    }
    free(tables);
    char *a = db_content(at("a")), *to = db_content(at("to"));
    assert_string_equal(a, to);
    assert_non_null(strstr(to, "bench"));
    free(a);
    free(to);
}

static void order_and_repeats(void **state)
{
    static const char *const orders[6][3] = {{"a", "b", "c"}, {"a", "c", "b"}, {"b", "a", "c"},
                                             {"b", "c", "a"}, {"c", "a", "b"}, {"c", "b", "a"}};
    char *want = NULL, *dump = NULL, name[16];
    (void)state;
    db_fixture(at("a"), 1);
    db_fixture(at("b"), 2);
    db_fixture(at("b"), 3);
    db_fixture(at("c"), 4);
    for (int i = 0; i < 6; i++) {
        /* At once: even the numbers are the same. */
        snprintf(name, sizeof name, "at-once-%d", i);
        const char *once = at(name);
        MERGE(once, at(orders[i][0]), at(orders[i][1]), at(orders[i][2]));
        char *content = db_content(once);
        assert_int_equal(run("sqlite3 %s .dump", name), 0);
        if (!want) {
            want = content;
            dump = strdup(output);
            assert_true(strlen(dump) > 10000);
        } else {
            assert_string_equal(content, want);
            assert_string_equal(output, dump);
            free(content);
        }
        /* One by one, some twice, and the result into itself by way of another. */
        snprintf(name, sizeof name, "steps-%d", i);
        const char *steps = at(name);
        for (int s = 0; s < 3; s++) MERGE(steps, at(orders[i][s]));
        MERGE(steps, at(orders[i][0]), once);
        content = db_content(steps);
        assert_string_equal(content, want);
        free(content);
        expect_sound(steps);
    }
    assert_int_equal(db_number(at("steps-5"), "SELECT count(*) FROM run"), 4);
    assert_int_equal(db_number(at("steps-5"), "SELECT count(*) FROM device"), 2);
    assert_int_equal(db_number(at("steps-5"), "SELECT count(*) FROM kernel"), 2);
    assert_int_equal(db_number(at("steps-5"), "SELECT count(*) FROM op_case"), 3 + 4);
    /* What the last night saw of a device, whatever came last. */
    assert_int_equal(db_number(at("steps-5"), "SELECT count(*) FROM device WHERE info = '{\"night\": 4}'"),
                     2);
    free(want);
    free(dump);
}

/* A shard that is copied while it runs, and again when it has ended. */
static void half_and_whole(void **state)
{
    (void)state;
    db_fixture(at("whole"), 1);
    assert_int_equal(run("cp whole half"), 0);
    db_execute(at("half"), "DELETE FROM result WHERE seq > 2; DELETE FROM bench_sample WHERE bench_id IN "
                           "(SELECT bench_id FROM bench WHERE lane = 'hot');"
                           "DELETE FROM bench WHERE lane = 'hot';"
                           "UPDATE run SET ended_utc = NULL, exit_code = NULL, reason = NULL");
    MERGE(at("first"), at("half"), at("whole"));
    MERGE(at("then"), at("half"));
    assert_int_equal(db_number(at("then"), "SELECT count(*) FROM result"), 3);
    MERGE(at("then"), at("whole"));
    MERGE(at("then"), at("half"));
    char *whole = db_content(at("whole")), *first = db_content(at("first")), *then = db_content(at("then"));
    assert_string_equal(whole, first);
    assert_string_equal(whole, then);
    free(whole);
    free(first);
    free(then);
    /* A copy whose samples were dropped takes nothing away, and gets them back. */
    assert_int_equal(run("cp whole pruned && %s db prune --db pruned --days 0", program()), 0);
    assert_int_equal(db_number(at("pruned"), "SELECT count(*) FROM bench_sample"), 2);
    MERGE(at("then"), at("pruned"));
    MERGE(at("pruned"), at("then"));
    whole = db_content(at("whole"));
    first = db_content(at("pruned"));
    then = db_content(at("then"));
    assert_string_equal(whole, first);
    assert_string_equal(whole, then);
    free(whole);
    free(first);
    free(then);
}

/* One run went on in two places: nobody can say which is right, so neither is thrown away. */
static void different_rows(void **state)
{
    static const struct {
        const char *sql, *says;
    } edits[] = {
        {"UPDATE result SET verdict = 'NONDET' WHERE seq = 1",
         "result of run 00000000000000000000000000000001, seq 1"},
        {"UPDATE result SET digest = 'other' WHERE seq = 0", "seq 0, attempt 1"},
        {"UPDATE plan SET case_id = (SELECT max(case_id) FROM op_case) WHERE seq = 0", "plan of run"},
        {"UPDATE bench SET median_ns = median_ns + 1 WHERE lane = 'cold'", "lane cold"},
        {"UPDATE bench_sample SET ns = ns + 1", "bench_sample"},
        {"UPDATE coverage SET covered = 1", "what memory"},
    };
    (void)state;
    db_fixture(at("a"), 1);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        assert_int_equal(run("cp a edited"), 0);
        db_execute(at("edited"), edits[i].sql);
        db_fixture(at("edited"), 2); /* the other run of a refused source stays out, too */
        refused(at("a"), at("edited"), edits[i].says);
        refused(at("a"), at("edited"), "hold different rows of one run");
        assert_int_equal(run("rm -f edited*"), 0);
    }
}

static void bad_sources(void **state)
{
    static const struct {
        const char *make, *says;
    } files[] = {
        {"echo 'no database' >bad", "is no SQLite database"},
        {": >bad", "empty database"},
        {"sqlite3 bad 'CREATE TABLE run (x)'", "another program"},
        {"cp good bad && sqlite3 bad 'PRAGMA user_version = 99'", "newer than this program's"},
        {"cp good bad && sqlite3 bad 'PRAGMA user_version = 0'", "is damaged"},
        {"rm -f bad", "No such file"},
        {"mkdir bad", "is no file"},
        {"cp good bad && dd if=/dev/urandom of=bad bs=4096 seek=9 count=12 conv=notrunc status=none", "bad"},
        {"cp good bad && sqlite3 bad 'PRAGMA foreign_keys = OFF; DELETE FROM device'", "is damaged"},
    };
    (void)state;
    db_fixture(at("dest"), 1);
    db_fixture(at("good"), 2);
    assert_int_equal(run("sqlite3 good 'PRAGMA journal_mode = DELETE'"), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assert_int_equal(run("rm -rf bad* && %s", files[i].make), 0);
        refused(at("dest"), at("bad"), files[i].says);
        /* As a destination it is refused as a whole, and left as it is. */
        if (i == 0 || i == 2 || i == 3) {
            assert_int_equal(run("cksum bad >before; %s db merge bad good", program()), EXIT_ERROR);
            says("left untouched");
            assert_int_equal(run("cksum bad | cmp - before"), 0);
        }
    }
    /* The others of the same call are merged; the exit code tells. */
    assert_int_equal(run("rm -rf bad; echo x >bad; %s db merge dest bad good dest", program()), EXIT_ERROR);
    says("bad is no SQLite database");
    says("good: 1 runs, 8 results, 3 timings added");
    says("dest: it is the destination itself");
    assert_int_equal(db_number(at("dest"), "SELECT count(*) FROM run"), 2);
    assert_int_equal(run("%s db merge dest good dest", program()), EXIT_PASS);
    says("all was there");
    /* When all are refused nothing is made, and nothing is said to be merged. */
    assert_int_equal(run("%s db merge new bad missing", program()), EXIT_ERROR);
    says("bad is no SQLite database");
    says("nothing was merged into new, which was not made");
    assert_int_equal(run("ls new*"), 2);
    assert_int_equal(run("%s db merge --json new bad", program()), EXIT_ERROR);
    says("\"there\": false, \"merged\": 0");
    assert_int_equal(run("%s db merge dest bad", program()), EXIT_ERROR);
    says("nothing was merged into dest\n");
    assert_int_equal(run("%s db merge new bad good", program()), EXIT_ERROR);
    says("merged into new");
    assert_int_equal(run("rm new"), 0);
    /* --json answers in JSON or is refused. */
    assert_int_equal(run("%s db export --csv --json --db good", program()), EXIT_ERROR);
    says("--json goes with --to FILE alone");
    assert_int_equal(run("%s db export --csv --json --db good --to x.csv", program()), EXIT_PASS);
    says("{\"export\": \"x.csv\", \"format\": \"csv\"}");
    assert_int_equal(run("%s report --json --db good", program()), EXIT_PASS);
    json_t *answer = json_loads(output, 0, NULL);
    assert_non_null(answer);
    assert_non_null(strstr(json_string_value(json_object_get(answer, "markdown")), "# "));
    json_decref(answer);
    assert_int_equal(run("%s report --json --db good --out x", program()), EXIT_PASS);
    says("{\"report\": \"x/report.md\"}");
    assert_int_equal(run("%s db merge dest", program()), EXIT_ERROR);
    says("needs DEST and at least one SRC");
    /* Databases without runs, and without cases. */
    struct store *store = NULL;
    assert_int_equal(store_open(at("no-runs"), false, &store, NULL), ASSAY_OK);
    store_close(store);
    MERGE(at("dest"), at("no-runs"));
    db_execute(at("no-runs"),
               "INSERT INTO run SELECT 1, 'aa', started_utc, NULL, verb, command, level, engine,"
               " engine_version, revision, compiler, flags, host, corpus_hash, settings, 0, 3, 'no case',"
               " '', '', 0 FROM (SELECT '2026-01-09T00:00:00.000Z' AS started_utc, 'run' AS verb, '' AS"
               " command, 'quick' AS level, '' AS engine, '' AS engine_version, '' AS revision, '' AS"
               " compiler, '' AS flags, '' AS host, '' AS corpus_hash, '{}' AS settings)");
    MERGE(at("dest"), at("no-runs"));
    assert_int_equal(db_number(at("dest"), "SELECT count(*) FROM run"), 3);
}

/* ---- what the file system does ---- */

/* Run `act` in a child as somebody who may not write everywhere; true = it exited 0. */
static bool unprivileged(bool (*act)(void))
{
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0) _exit(9);
        _exit(act() ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool merge_from_readonly(void)
{
    json_t *answer = NULL;
    size_t failed = 0;
    const char *source = at("closed/src");
    return store_merge(at("open/dest"), &source, 1, &answer, &failed, NULL) == ASSAY_OK && failed == 0;
}

static bool merge_into_readonly(void)
{
    json_t *answer = NULL;
    size_t failed = 0;
    struct assay_error error = {0};
    const char *source = at("open/dest"), *dest = at("closed/src");
    const bool file = store_merge(dest, &source, 1, &answer, &failed, &error) == ASSAY_IO &&
                      strstr(error.text, dest) && strstr(error.text, "Permission denied");
    dest = at("closed/new");
    return file && store_merge(dest, &source, 1, &answer, &failed, &error) == ASSAY_IO &&
           strstr(error.text, "Permission denied") && strstr(error.text, "closed");
}

static bool read_readonly(void)
{
    json_t *answer = NULL;
    const char *path = at("closed/src");
    return store_check(path, &answer, NULL) == ASSAY_OK && store_info(path, &answer, NULL) == ASSAY_OK &&
           store_prune(path, 0, true, &answer, NULL) == ASSAY_OK &&
           store_prune(path, 0, false, &answer, NULL) == ASSAY_IO &&
           export_write(path, NULL, EXPORT_JSONL, at("open/out"), NULL) == ASSAY_OK;
}

static void read_only(void **state)
{
    (void)state;
    assert_int_equal(run("mkdir closed open && chmod 755 . && chmod 777 open"), 0);
    db_fixture(at("closed/src"), 1);
    assert_int_equal(run("rm -f closed/src-*; chmod 444 closed/src; chmod 555 closed"), 0);
    assert_true(unprivileged(merge_from_readonly));
    assert_int_equal(db_number(at("open/dest"), "SELECT count(*) FROM result"), DB_FIXTURE_RESULTS);
    assert_true(unprivileged(merge_into_readonly));
    assert_true(unprivileged(read_readonly));
    assert_int_equal(run("chmod 755 closed; ls closed"), 0);
    assert_string_equal(output, "src\n");
}

/* Copies of a run under other keys, so that a file is large enough to be interrupted. */
static void large(const char *path, int runs)
{
    char sql[1400];
    db_fixture(path, 1);
    snprintf(sql, sizeof sql,
             "PRAGMA foreign_keys = OFF; BEGIN;"
             "INSERT INTO op_case (line, op, dtype, fill, flops) SELECT 'matmul/f32/m=' || value || "
             "',n=1,k=1/fill=normal/"
             "seed=1', 'matmul', 'f32', 'normal', 2 FROM (WITH RECURSIVE n(value) AS (VALUES (1) UNION ALL "
             "SELECT value + 1"
             " FROM n WHERE value < %d) SELECT value FROM n);"
             "INSERT INTO plan SELECT 1, 100 + case_id, case_id, 1, 'matmul.cpu.plain', '', 'command line' "
             "FROM op_case"
             " WHERE fill = 'normal';"
             "INSERT INTO result (run_id, seq, attempt, kernel_id, verdict, rung, oracle, oracle_version, "
             "elems, judged,"
             " differing, first_index, got, want, digest, wall_ns, reason, repro, recorded_utc) SELECT 1, "
             "seq, 1, 1,"
             " 'PASS', 'EXACT', 'contract', 1, 1, 1, 0, '', '', '', '0123456789abcdef', 5, '', '', "
             "'2026-01-01T00:00:00.000Z'"
             " FROM plan WHERE seq >= 100; UPDATE run SET planned = (SELECT count(*) FROM plan); COMMIT",
             runs);
    db_execute(path, sql);
}

/* A disk that fills up: the source is named, nothing of it stays, and there is room again for the next try. */
static void full_disk(void **state)
{
    (void)state;
    db_fixture(at("dest"), 2);
    large(at("src"), 20000);
    char *before = db_content(at("dest"));
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {1 << 20, 1 << 20};
        json_t *answer = NULL;
        size_t failed = 0;
        const char *source = at("src");
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        if (store_merge(at("dest"), &source, 1, &answer, &failed, NULL) != ASSAY_OK || failed != 1) _exit(1);
        const char *why = json_string_value(
            json_object_get(json_array_get(json_object_get(answer, "sources"), 0), "error"));
        if (!strstr(why, source) || !strstr(why, at("dest"))) fprintf(stderr, "%s\n", why), _exit(2);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    char *after = db_content(at("dest"));
    assert_string_equal(before, after);
    free(before);
    free(after);
    expect_sound(at("dest"));
    MERGE(at("dest"), at("src"));
    assert_true(db_number(at("dest"), "SELECT count(*) FROM result") > 20000);
    expect_sound(at("dest"));
    assert_int_equal(run("ls | grep merge-"), 1);
}

/* A merge that is killed leaves a source in or out, never half of it. */
static void killed(void **state)
{
    int in = 0, out = 0;
    (void)state;
    large(at("src"), 20000);
    const int64_t rows = db_number(at("src"), "SELECT count(*) FROM result");
    for (int round = 0; round < 8; round++) {
        char name[16];
        snprintf(name, sizeof name, "dest-%d", round);
        db_fixture(at(name), 2);
        const pid_t child = fork();
        if (child == 0) {
            json_t *answer = NULL;
            size_t failed = 0;
            const char *source = at("src");
            _exit(store_merge(at(name), &source, 1, &answer, &failed, NULL) != ASSAY_OK);
        }
        if (round < 7) {
            usleep(15000u << (round / 2));
            kill(child, SIGKILL);
        }
        waitpid(child, NULL, 0);
        const int64_t found = db_number(at(name), "SELECT count(*) FROM result") - DB_FIXTURE_RESULTS;
        if (found != 0 && found != rows) fail_msg("%lld of %lld rows", (long long)found, (long long)rows);
        if (found)
            in++;
        else
            out++;
        expect_sound(at(name));
    }
    assert_true(in > 0 && out > 0);
}

/* Two runs into one file at once: both end, and every row of both is there. */
static void two_writers(void **state)
{
    (void)state;
    assert_int_equal(
        run("for i in 1 2; do %s run 'matmul/f32/m=4,n=6,k=20/fill=normal/seed=1'"
            " 'matmul/f32/m=1,n=1,k=33/fill=normal/seed=2' 'matmul/f32/m=0,n=6,k=20/fill=normal/seed=1'"
            " --device cpu --vulkan-lib none --cuda-lib none --quiet --db both & done; wait %%1 && wait %%2",
            program()),
        EXIT_PASS);
    assert_int_equal(db_number(at("both"), "SELECT count(*) FROM run WHERE exit_code = 0"), 2);
    assert_int_equal(db_number(at("both"),
                               "SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM result GROUP BY"
                               " run_id)"),
                     1);
    assert_int_equal(db_number(at("both"),
                               "SELECT count(*) FROM plan p LEFT JOIN result r USING (run_id, seq) WHERE"
                               " r.result_id IS NULL"),
                     0);
    assert_true(db_number(at("both"), "SELECT count(*) FROM result") >= 6);
    expect_sound(at("both"));
    /* Two merges into one file at once, from sources that share a run. */
    for (int night = 1; night < 4; night++) {
        db_fixture(at("left"), night);
        db_fixture(at("right"), night + 1);
    }
    assert_int_equal(
        run("for s in left right; do %s db merge new $s & done; wait %%1 && wait %%2", program()), 0);
    MERGE(at("one-by-one"), at("left"), at("right"));
    char *together = db_content(at("new")), *single = db_content(at("one-by-one"));
    assert_string_equal(together, single);
    free(together);
    free(single);
}

/* ---- info, check, prune ---- */

static void info(void **state)
{
    json_error_t where;
    (void)state;
    db_fixture(at("a"), 1);
    db_fixture(at("a"), 2);
    assert_int_equal(run("%s db info --db a", program()), EXIT_PASS);
    says("schema version 3");
    says("run 2 00000000 2026-01-02T01:00:00.000Z run quick night-2 1/2: 8 results, 2 failed, 3 timings, "
         "exit 2");
    says("device cpu CPU");
    assert_null(strchr(output, '\x1b')); /* no control character of a name reaches a terminal */
    assert_int_equal(run("%s db info --json --db a", program()), EXIT_PASS);
    json_t *answer = json_loads(output, JSON_REJECT_DUPLICATES, &where);
    if (!answer) fail_msg("%s: %.300s", where.text, output);
    assert_int_equal(json_array_size(json_object_get(answer, "runs")), 2);
    assert_int_equal(json_array_size(json_object_get(answer, "devices")), 2);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(answer, "tables"), "bench_sample")),
                     12);
    json_decref(answer);
    struct store *store = NULL;
    assert_int_equal(store_open(at("none"), false, &store, NULL), ASSAY_OK);
    store_close(store);
    assert_int_equal(run("%s db info --db none", program()), EXIT_PASS);
    says("no run was recorded in it");
    assert_int_equal(run("%s db check --db none", program()), EXIT_PASS);
    for (int i = 0; i < 2; i++) {
        const char *word = i ? "check" : "info";
        assert_int_equal(run(": >empty; %s db %s --db empty", program(), word), EXIT_ERROR);
        says("empty database");
        assert_int_equal(run("%s db %s --db missing", program(), word), EXIT_ERROR);
        says("missing");
        assert_int_equal(run("rm -f new; cp a new; sqlite3 new 'PRAGMA user_version = 9'; %s db %s --db new",
                             program(), word),
                         EXIT_ERROR);
        says("newer than this program's");
    }
    assert_int_equal(run("%s db", program()), EXIT_ERROR);
    assert_int_equal(run("%s db chekc", program()), EXIT_ERROR);
    says("did you mean check?");
    assert_int_equal(run("%s db info a", program()), EXIT_ERROR);
    says("named by --db");
}

static void damage(void **state)
{
    static const struct {
        const char *sql, *says;
    } planted[] = {
        {"DELETE FROM run", "every reference leads to a row"},
        {"DELETE FROM run", "a plan row belongs to a run"},
        {"UPDATE run SET key = 'short'", "every run has a key of 32 hex digits"},
        {"DELETE FROM plan WHERE seq = 7",
         "as many plan rows as it planned: 1 row, first: run 00000000: 8 planned, 7"},
        {"DELETE FROM plan WHERE seq = 0", "a result belongs to a plan row"},
        {"UPDATE result SET attempt = 3 WHERE attempt = 2", "attempts are numbered"},
        {"UPDATE result SET differing = 5 WHERE seq = 1", "no more elements differ"},
        {"UPDATE result SET judged = -1 WHERE seq = 1", "no more elements differ"},
        {"UPDATE result SET differing = 1 WHERE seq = 0", "no PASS at rung EXACT has differing bits"},
        {"UPDATE result SET digest = '' WHERE seq = 0", "a PASS has a rung, an oracle and the digest"},
        {"UPDATE result SET reason = '', differing = 0 WHERE seq = 1", "a failure has a reason"},
        {"UPDATE result SET samples = x'00' WHERE seq = 0", "whole 64-bit numbers"},
        {"UPDATE run SET exit_code = 0", "ended with exit code 0"},
        {"UPDATE coverage SET covered = 2000", "coverage is not above the total"},
        {"UPDATE bench SET q1_ns = 9e9 WHERE lane = 'cold'", "quartiles of a timing are in order"},
        {"UPDATE bench_sample SET digest = 'other'", "every timed sample of a PASS has the digest"},
        {"DELETE FROM bench_sample WHERE n = 1", "a timing has all its samples"},
        {"UPDATE bench SET transfers = 1 WHERE lane = 'cold'", "copied between host and device"},
        {"UPDATE device SET info = 'no JSON'", "JSON columns hold JSON"},
        {"DROP TABLE mutant", "tables and columns of its version"},
        {"ALTER TABLE result DROP COLUMN ulp_f64", "first: table result.ulp_f64 ANY"},
        {"DROP INDEX result_by_run", "first: index result_by_run"},
    };
    (void)state;
    db_fixture(at("sound"), 1);
    assert_int_equal(run("%s db check --db sound", program()), EXIT_PASS);
    says("all passed");
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        assert_int_equal(run("rm -f bad*; cp sound bad"), 0);
        db_execute(at("bad"), planted[i].sql);
        assert_int_equal(run("%s db check --db bad", program()), EXIT_FAILED);
        says(planted[i].says);
        says("DAMAGED");
    }
    /* Torn pages, and a file that was cut. */
    assert_int_equal(
        run("rm -f bad*; cp sound bad; sqlite3 bad 'PRAGMA journal_mode = DELETE';"
            " dd if=/dev/zero of=bad bs=4096 seek=8 count=20 conv=notrunc status=none; %s db check --db bad",
            program()),
        EXIT_FAILED);
    says("SQLite's integrity check");
    assert_int_equal(run("rm -f bad*; cp sound bad; sqlite3 bad 'PRAGMA journal_mode = DELETE' >/dev/null; "
                         "truncate -s 20000 bad;"
                         " %s db check --db bad --json",
                         program()),
                     EXIT_FAILED);
    json_t *answer = json_loads(output, 0, NULL);
    assert_true(json_array_size(json_object_get(answer, "damage")) > 0);
    json_decref(answer);
}

static void prune(void **state)
{
    char sql[128];
    (void)state;
    db_fixture(at("a"), 1);
    db_fixture(at("a"), 2);
    /* Night 2 becomes today's. */
    db_execute(at("a"),
               "UPDATE result SET recorded_utc = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE run_id = 2;"
               "UPDATE bench SET recorded_utc = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE run_id = 2");
    assert_int_equal(run("cksum a >before; %s db prune --days 7 --dry-run --db a", program()), EXIT_PASS);
    says("would drop raw samples of 2 results and 4 samples of 2 timings");
    assert_int_equal(run("cksum a | cmp - before"), 0);
    assert_int_equal(run("%s db prune --days 7 --json --db a", program()), EXIT_PASS);
    json_t *answer = json_loads(output, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(answer, "results")), 2);
    assert_int_equal(json_integer_value(json_object_get(answer, "samples")), 4);
    json_decref(answer);
    for (int night = 1; night < 3; night++) {
        /* Of night 1 the failures kept theirs: DIFF twice, SKIP, ERROR, DEADREF; NONDET of bench. */
        snprintf(sql, sizeof sql, "SELECT count(*) FROM result WHERE samples IS NOT NULL AND run_id = %d",
                 night);
        assert_int_equal(db_number(at("a"), sql), night == 1 ? 5 : 7);
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM bench_sample JOIN bench USING (bench_id) WHERE run_id = %d", night);
        assert_int_equal(db_number(at("a"), sql), night == 1 ? 2 : 6);
        snprintf(sql, sizeof sql, "SELECT count(*) FROM result WHERE median_ns IS NOT NULL AND run_id = %d",
                 night);
        assert_int_equal(db_number(at("a"), sql), 7);
    }
    assert_int_equal(db_number(at("a"), "SELECT count(*) FROM bench WHERE median_ns > 2000"), 6);
    expect_sound(at("a"));
    assert_int_equal(run("%s db prune --days 7 --db a", program()), EXIT_PASS);
    says("dropped raw samples of 0 results and 0 samples of 0 timings");
    assert_int_equal(run("%s db prune --db a", program()), EXIT_ERROR);
    says("needs --days N");
    assert_int_equal(run(": >empty && %s db prune --days 7 --db empty", program()), EXIT_ERROR);
    says("no run was recorded in it");
    assert_int_equal(run("%s db prune --days 7 --db mistyped", program()), EXIT_ERROR);
    assert_int_equal(run("test ! -s empty && test ! -e mistyped"), 0);
    /* The file gets smaller. */
    large(at("big"), 3000);
    db_execute(at("big"), "UPDATE result SET samples = zeroblob(512), median_ns = 5 WHERE seq >= 100");
    assert_int_equal(run("%s db prune --days 1 --json --db big", program()), EXIT_PASS);
    answer = json_loads(output, 0, NULL);
    assert_true(json_integer_value(json_object_get(answer, "bytes_before")) >
                json_integer_value(json_object_get(answer, "bytes_after")) + 1000000);
    json_decref(answer);
    expect_sound(at("big"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(frozen_files),   TEST(merge_older),    TEST(every_table), TEST(order_and_repeats),
        TEST(half_and_whole), TEST(different_rows), TEST(bad_sources), TEST(read_only),
        TEST(full_disk),      TEST(killed),         TEST(two_writers), TEST(info),
        TEST(damage),         TEST(prune),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
