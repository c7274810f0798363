/* Going on with a run: killed at many moments, interrupted, refused when anything that it rests on has changed; shards;
 * and cards side by side. On the stub engine, in processes of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/verbs.h"

#define ENGINE           TEST_BUILD "/tests/stub_faulty.so"
#define STUB             "--engine", ENGINE, "--engine-args"
#define CALL(verbs, ...) verbs_call(verbs, (const char *const[]){__VA_ARGS__, NULL})
#define FINAL                                                                                                \
    "SELECT group_concat(row, char(10)) FROM (SELECT p.seq || ' ' || c.line || ' ' || d.key || ' ' ||"       \
    " p.kernel || ' ' || verdict || rung || oracle || ' ' || elems || ' ' || judged || ' ' || differing ||"  \
    " ' ' || digest || ' ' || attempt AS row FROM result r JOIN plan p USING (run_id, seq) JOIN op_case c"   \
    " USING (case_id) JOIN device d USING (device_id) WHERE run_id = (SELECT max(run_id) FROM run)"          \
    " ORDER BY p.seq)"
enum { CASES = 9 };

static struct verbs verbs;
static char corpus[160];
static pid_t started; /* the last process, that no failed test leaves behind */

static void write_corpus(const char *more)
{
    FILE *file = fopen(corpus, "we");
    assert_non_null(file);
    fprintf(file, "# level: quick\n# why\nmatmul/f32/m={1,5,9},n={2,6,7},k=20/fill=normal/seed=1\n%s", more);
    fclose(file);
}

static int setup(void **state)
{
    (void)state;
    verbs_begin(&verbs);
    snprintf(corpus, sizeof corpus, "%s/own.cases", verbs.folder);
    write_corpus("");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    static const char *const words[] = {"STUB_DRIVER", "STUB_UUID", "STUB_CODE", "STUB_VARIANT"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) unsetenv(words[i]);
    if (started > 0 && kill(started, SIGKILL) == 0) waitpid(started, NULL, 0);
    started = 0;
    verbs_end(&verbs);
    return 0;
}

static void says(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no '%s' in:\n%s", part, text);
}

/* ---- processes of their own ---- */

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

static pid_t start(const char *const *words)
{
    const pid_t child = fork();
    if (child == 0) _exit(verbs_call(&verbs, words));
    assert_true(child > 0);
    started = child;
    return child;
}

static int wait_for(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    started = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* What the last process wrote: "out" or "err". */
static const char *said_on(const char *stream)
{
    static char said[4096];
    char path[100];
    snprintf(path, sizeof path, "%s/%s", verbs.folder, stream);
    FILE *file = fopen(path, "re");
    const size_t length = file ? fread(said, 1, sizeof said - 1, file) : 0;
    said[length] = 0;
    if (file) fclose(file);
    return said;
}

static bool has_tables(void)
{
    return access(verbs.db, F_OK) == 0 &&
           verbs_number(&verbs, "SELECT count(*) FROM sqlite_schema WHERE name = 'trust'") == 1;
}

static void wait_until(const char *sql, int64_t least)
{
    for (int tries = 0; tries < 2000; tries++) {
        if (has_tables() && verbs_number(&verbs, sql) >= least) return;
        usleep(5000);
    }
    fail_msg("never: %s", sql);
}

#define RESULTS "SELECT count(*) FROM result"

/* A run that was killed with the first of its results on record. */
static void cut_off(const char *verb, const char *fault)
{
    const bool kept = strcmp(verb, "verify") == 0;
    const pid_t child = START(verb, "--corpus", corpus, STUB, fault, "--device", "stub:0", "--lock-dir",
                              verbs.folder, kept ? "--trust-dir" : NULL, verbs.folder);
    wait_until(RESULTS, 2);
    kill(child, SIGKILL);
    assert_int_equal(wait_for(child), -SIGKILL);
    assert_int_equal(verbs_number(&verbs, "SELECT ended_utc IS NULL AND planned = 9 FROM run"), 1);
    assert_true(verbs_number(&verbs, RESULTS) < CASES);
}

/* Only a verify keeps trust records. */
static int resume(const char *verb, const char *const *words)
{
    const char *all[24] = {verb, "--resume", "--lock-dir", verbs.folder};
    size_t count = 4;
    if (strcmp(verb, "verify") == 0) {
        all[count++] = "--trust-dir";
        all[count++] = verbs.folder;
    }
    while (*words) all[count++] = *words++;
    return verbs_call(&verbs, all);
}

#define RESUME(verb, ...) resume(verb, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

/* ---- killed ---- */

static int64_t runs_of_the_stub(void)
{
    char path[100], line[100];
    int64_t count = 0;
    snprintf(path, sizeof path, "%s/runs", verbs.folder);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) count++;
    if (file) fclose(file);
    return count;
}

/* Killed after so many ms, and again and again after as many until it ends. What there is in the end is what a run that
 * nobody disturbed records. */
static void killed_every(int ms, const char *undisturbed)
{
    int64_t before = 0, kills = 0;
    bool ended = false;
    for (int times = 0; times < 60 && !ended; times++) {
        const bool begun = has_tables() && verbs_number(&verbs, "SELECT count(*) FROM run") > 0;
        const bool planned = begun && verbs_number(&verbs, "SELECT planned IS NOT NULL FROM run ORDER BY"
                                                           " run_id DESC LIMIT 1") == 1;
        if (begun && !planned) {
            assert_int_equal(RESUME("run"), EXIT_ERROR);
            says(verbs.err, "was cut off before its plan was written");
        }
        const pid_t child = planned ? START("run", "--resume", "--lock-dir", verbs.folder)
                                    : START("run", "--corpus", corpus, STUB, "slow", "--device", "stub:0",
                                            "--lock-dir", verbs.folder);
        const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
        if (times < 40) {
            nanosleep(&pause, NULL);
            kill(child, SIGKILL);
        }
        const int code = wait_for(child);
        /* The kill may come between the last row and the exit. */
        ended = code == EXIT_PASS ||
                (has_tables() && verbs_number(&verbs, "SELECT ended_utc IS NOT NULL FROM run ORDER BY run_id"
                                                      " DESC LIMIT 1") == 1);
        if (!ended && code != -SIGKILL) fail_msg("exit %d: %s", code, said_on("err"));
        kills += !ended;
        if (!has_tables()) continue;
        assert_string_equal(verbs_text(&verbs, "PRAGMA integrity_check"), "ok");
        const int64_t now = verbs_number(&verbs, RESULTS);
        assert_true(now >= before); /* what was recorded stays */
        before = now;
        ms += ms / 4 + 1;
    }
    assert_true(ended);
    assert_string_equal(verbs_text(&verbs, FINAL), undisturbed);
    assert_int_equal(verbs_number(&verbs, RESULTS " WHERE run_id = (SELECT max(run_id) FROM run)"), CASES);
    assert_int_equal(verbs_number(&verbs, RESULTS), CASES);
    assert_int_equal(verbs_number(&verbs, "SELECT exit_code FROM run ORDER BY run_id DESC LIMIT 1"),
                     EXIT_PASS);
    /* A case is two runs, 5 timed ones are in the second: no kill lost more than the case in flight. */
    assert_true(runs_of_the_stub() <= 2 * (CASES + kills));
}

static void test_killed(void **state)
{
    static const int moments_ms[] = {3, 40, 70, 110, 170};
    char undisturbed[4096];
    (void)state;
    assert_int_equal(CALL(&verbs, "run", "--corpus", corpus, STUB, "slow", "--device", "stub:0", "--lock-dir",
                          verbs.folder),
                     EXIT_PASS);
    snprintf(undisturbed, sizeof undisturbed, "%s", verbs_text(&verbs, FINAL));
    assert_int_equal(verbs_number(&verbs, RESULTS), CASES);
    for (size_t i = 0; i < sizeof moments_ms / sizeof *moments_ms; i++) {
        verbs_end(&verbs);
        setup(NULL);
        killed_every(moments_ms[i], undisturbed);
    }
}

/* The card's process dies, not the run: that case is a CRASH, and only that. */
static void test_worker_killed(void **state)
{
    char path[64];
    int worker = 0;
    (void)state;
    const pid_t child =
        START("run", "--corpus", corpus, STUB, "slow", "--device", "stub:0", "--lock-dir", verbs.folder);
    wait_until(RESULTS, 2);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)child, (int)child);
    FILE *file = fopen(path, "re");
    if (!file || fscanf(file, "%d", &worker) != 1) fail_msg("no worker of %d", (int)child);
    fclose(file);
    assert_int_equal(kill(worker, SIGKILL), 0);
    const int code = wait_for(child);
    assert_int_equal(verbs_number(&verbs, RESULTS), CASES);
    const int64_t crashes = verbs_number(&verbs, RESULTS " WHERE verdict = 'CRASH'");
    assert_true(crashes <= 1);
    assert_int_equal(verbs_number(&verbs, RESULTS " WHERE verdict = 'PASS'"), CASES - crashes);
    assert_int_equal(code, crashes ? EXIT_FAILED : EXIT_PASS);
}

/* All results are there, and only the end is missing. */
static void test_killed_at_the_end(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "run", "--corpus", corpus, STUB, "flip:5", "--device", "stub:0"),
                     EXIT_FAILED);
    (void)verbs_text(&verbs, "UPDATE run SET ended_utc = NULL, exit_code = NULL, reason = NULL");
    assert_int_equal(RESUME("run"), EXIT_FAILED);
    says(verbs.out, "9 of 9 planned have their result");
    says(verbs.out, "9 judged, 6 passed, 3 failed");
    says(verbs.out, "recorded before");
    assert_int_equal(verbs_number(&verbs, "SELECT exit_code FROM run"), EXIT_FAILED);
    assert_int_equal(verbs_number(&verbs, RESULTS), CASES);
}

static void test_half_planned(void **state)
{
    (void)state;
    const pid_t child = START("run", "--corpus", corpus, STUB, "openslow", "--device", "stub:0");
    wait_until("SELECT count(*) FROM run", 1);
    kill(child, SIGKILL);
    wait_for(child);
    assert_int_equal(RESUME("run"), EXIT_ERROR);
    says(verbs.err, "was cut off before its plan was written");
    says(verbs.err, "start it again with `assay run --corpus");
    assert_int_equal(RESUME("run", "1"), EXIT_ERROR);
    says(verbs.err, "was cut off before its plan was written");
}

/* Without a word the newest that can go on, and what stood before it is told; a label of several runs names none. */
static void test_passed_over(void **state)
{
    (void)state;
    cut_off("run", "slow");
    for (int copy = 2; copy <= 3; copy++) {
        char sql[400];
        snprintf(
            sql, sizeof sql,
            "INSERT INTO run SELECT %d, printf('%%032x', 7000 + %d), started_utc, ended_utc, verb, command,"
            " level, engine, engine_version, revision || %s, compiler, flags, host, corpus_hash, settings,"
            " planned, exit_code, reason, 'twice', shard, resumed FROM run WHERE run_id = 1",
            copy, copy, copy == 3 ? "'-old'" : "''");
        (void)verbs_text(&verbs, sql);
    }
    (void)verbs_text(&verbs, "UPDATE run SET planned = NULL WHERE run_id = 2");
    assert_int_equal(RESUME("run", "twice"), EXIT_ERROR);
    says(verbs.err, "'twice' stands for 2 runs");
    assert_int_equal(RESUME("run", "latest"), EXIT_ERROR);
    says(verbs.err, "run 3 was begun by revision");
    (void)verbs_text(&verbs, "UPDATE run SET revision = 'older' WHERE run_id = 1");
    assert_int_equal(RESUME("run"), EXIT_ERROR);
    says(verbs.err, "run 3 was begun by revision");
    says(verbs.err, "nor can 2 older ones go on");
    (void)verbs_text(
        &verbs, "UPDATE run SET revision = (SELECT revision FROM run WHERE run_id = 2) WHERE run_id = 1");
    if (RESUME("run", "") != EXIT_PASS) fail_msg("%s%s", verbs.out, verbs.err);
    says(verbs.out, "passed over: run 3 was begun by revision");
    says(verbs.out, "passed over: run 2 was cut off before its plan was written");
    says(verbs.out, "going on with run 1: ");
    assert_int_equal(verbs_number(&verbs, "SELECT sum(run_id * resumed) FROM run"), 1);
}

/* ---- interrupts ---- */

static void interrupted(int number)
{
    const pid_t child =
        START("run", "--corpus", corpus, STUB, "slow", "--device", "stub:0", "--lock-dir", verbs.folder);
    wait_until(RESULTS, 2);
    kill(child, number);
    assert_int_equal(wait_for(child), EXIT_ERROR);
    const char *said = said_on("out");
    says(said, "to go on: assay run --resume 1 --db");
    says(said, "exit 1: interrupted");
    assert_int_equal(verbs_number(&verbs, "SELECT exit_code FROM run"), EXIT_ERROR);
    assert_int_equal(verbs_number(&verbs, RESULTS " WHERE verdict <> 'PASS'"), 0);
    assert_true(verbs_number(&verbs, RESULTS) < CASES);
    assert_int_equal(RESUME("run", "1", "--json"), EXIT_PASS);
    says(verbs.out, "\"recorded\": 9");
    assert_int_equal(verbs_number(&verbs, "SELECT resumed FROM run"), 1);
    assert_int_equal(verbs_number(&verbs, RESULTS), CASES);
}

static void test_sigint(void **state)
{
    (void)state;
    interrupted(SIGINT);
}

static void test_sigterm(void **state)
{
    (void)state;
    interrupted(SIGTERM);
}

/* ---- refused ---- */

static void refused(int code, const char *why)
{
    if (code == EXIT_PASS || code == EXIT_FAILED) fail_msg("not refused: %s", why);
    says(verbs.err, why);
    assert_int_equal(verbs_number(&verbs, "SELECT resumed = 0 AND ended_utc IS NULL FROM run"), 1);
}

static void test_named(void **state)
{
    char key[40];
    (void)state;
    assert_int_equal(RESUME("run"), EXIT_ERROR);
    says(verbs.err, "cannot open database");
    cut_off("run", "slow");
    refused(RESUME("run", "2"), "'2' is no run: not latest, previous or all, no number");
    refused(RESUME("run", "abcdexyz"), "'abcdexyz' is no run");
    refused(RESUME("run", "x"), "there is 1 run, the latest are 1 (");
    snprintf(key, sizeof key, "%.5s", verbs_text(&verbs, "SELECT key FROM run"));
    refused(RESUME("run", key), "is no run");
    refused(RESUME("run", "1", "2"), "takes one run");
    refused(RESUME("verify"), "has no unfinished verify");
    refused(RESUME("verify", "1"), "run 1 is a run, not a verify");
    refused(RESUME("run", "--level", "full"), "--level is \"full\", but run 1 has \"quick\"");
    refused(RESUME("run", "--seed", "7"), "--seed is \"7\", but run 1 has null");
    refused(RESUME("run", "--samples", "6"), "--samples is 6, but run 1 has 5");
    refused(RESUME("run", "--device", "cpu"), "--device is [\"cpu\"], but run 1 has [\"stub:0\"]");
    refused(RESUME("run", "--engine-args", "-"), "--engine-args is \"-\"");
    refused(RESUME("run", "--fma", "native"), "--fma is \"native\"");
    refused(RESUME("run", "--shard", "1/2"), "--shard is \"1/2\"");
    refused(RESUME("run", "--label", "night"), "--label is \"night\"");
    snprintf(key, sizeof key, "%.6s", verbs_text(&verbs, "SELECT key FROM run"));
    if (key[strspn(key, "0123456789")] == 0) key[0] = 0; /* a number, one time in 17: then by itself */
    assert_int_equal(*key ? RESUME("run", key, "--level", "quick") : RESUME("run", "--level", "quick"),
                     EXIT_PASS);
    says(verbs.out, "exit 0: all 9 judged passed");
    assert_int_equal(RESUME("run"), EXIT_ERROR);
    says(verbs.err, "has no unfinished run");
    assert_int_equal(RESUME("run", "1"), EXIT_ERROR);
    says(verbs.err, "run 1 is finished");
}

/* What it rests on: program, engine, kernels, arithmetic, cases, device and driver. */
static void test_changed(void **state)
{
    static const struct {
        const char *word, *value, *why;
    } said[] = {
        {"STUB_DRIVER", "stub 2", "the driver of stub:0 was stub 1 when it began and is stub 2 now"},
        {"STUB_UUID", "0badcafe-0000-0000-0000-000000000000", "the UUID of stub:0 was none"},
        {"STUB_CODE", "ffff", "the code of matmul.stub.plain.exact on stub:0 was 0123456789abcdef"},
        {"STUB_VARIANT", "emulated", "the fused multiply-add of stub:0 was native"},
    };
    (void)state;
    cut_off("run", "slow");
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        setenv(said[i].word, said[i].value, 1);
        refused(RESUME("run"), said[i].why);
        says(verbs.err, "start a new run");
        unsetenv(said[i].word);
    }
    write_corpus("matmul/f32/m=3,n=3,k=3/fill=normal/seed=1\n");
    refused(RESUME("run"), "the hash of its cases was ");
    write_corpus("");
    (void)verbs_text(&verbs, "UPDATE run SET engine_version = '0'");
    refused(RESUME("run"), "the version of the engine was 0 when it began and is 1 now");
    (void)verbs_text(&verbs, "UPDATE run SET engine_version = '1', revision = 'old-' || revision");
    refused(RESUME("run"), "was begun by revision old-");
    (void)verbs_text(&verbs, "UPDATE run SET revision = substr(revision, 5)");
    (void)verbs_text(&verbs, "UPDATE device SET key = 'other'");
    assert_int_equal(RESUME("run"), EXIT_NOTHING);
    refused(EXIT_NOTHING, "its device stub:0, Stub card (other), is not here");
    (void)verbs_text(&verbs, "UPDATE device SET key = 'stub-0'");
    assert_int_equal(RESUME("run"), EXIT_PASS);
    assert_int_equal(verbs_number(&verbs, RESULTS), CASES);
}

static void test_at_work(void **state)
{
    (void)state;
    const pid_t child =
        START("run", "--corpus", corpus, STUB, "slow", "--device", "stub:0", "--lock-dir", verbs.folder);
    wait_until(RESULTS, 1);
    kill(child, SIGSTOP);
    refused(RESUME("run"), "run 1 is at work in another process");
    refused(RESUME("run", "1"), "run 1 is at work in another process");
    kill(child, SIGCONT);
    assert_int_equal(wait_for(child), EXIT_PASS);
    assert_int_equal(verbs_number(&verbs, RESULTS), CASES);
}

/* ---- trust ---- */

static const char *trust_states(void)
{
    return verbs_text(&verbs, "SELECT coalesce(group_concat(state), '') FROM trust");
}

static void test_trust(void **state)
{
    (void)state;
    setenv("STUB_UUID", "01234567-89ab-cdef-0123-456789abcdef", 1);
    cut_off("verify", "slow");
    assert_string_equal(trust_states(), "");
    assert_int_equal(RESUME("verify"), EXIT_PASS);
    says(verbs.out, "stub:0: VERIFIED — 9 cases bit-exact");
    assert_string_equal(trust_states(), "granted");
    assert_int_equal(verbs_number(&verbs, "SELECT record ->> '$.judged.passed' FROM trust"), CASES);
    /* A part of the plan proves too little. */
    assert_int_equal(CALL(&verbs, "verify", "--corpus", corpus, STUB, "slow", "--device", "stub:0", "--shard",
                          "1/2", "--lock-dir", verbs.folder, "--trust-dir", verbs.folder),
                     EXIT_PASS);
    assert_string_equal(trust_states(), "granted");
}

/* ---- shards ---- */

static void test_shards(void **state)
{
    char shard[8];
    (void)state;
    assert_int_equal(CALL(&verbs, "run", "--corpus", corpus, STUB, "-", "--device", "stub:0"), EXIT_PASS);
    for (int i = 1; i <= 3; i++) {
        snprintf(shard, sizeof shard, "%d/3", i);
        const int code = CALL(&verbs, "run", "--corpus", corpus, STUB, "-", "--device", "stub:0", "--shard",
                              shard, "--label", "night 7");
        if (code != EXIT_PASS) fail_msg("%d %s", code, verbs.out);
    }
    assert_string_equal(verbs_text(&verbs, "SELECT group_concat(shard || ':' || label) FROM run"),
                        ":,1/3:night 7,2/3:night 7,3/3:night 7");
    /* Together the whole plan, each row once. */
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM plan WHERE run_id > 1"), CASES);
    assert_int_equal(
        verbs_number(&verbs,
                     "SELECT count(*) FROM (SELECT case_id, device_id, kernel FROM plan WHERE run_id = 1"
                     " EXCEPT SELECT case_id, device_id, kernel FROM plan WHERE run_id > 1)"),
        0);
    /* Another case moves none. */
    write_corpus("matmul/f32/m=3,n=3,k=3/fill=normal/seed=1\n");
    assert_int_equal(
        CALL(&verbs, "run", "--corpus", corpus, STUB, "-", "--device", "stub:0", "--shard", "1/3"),
        EXIT_PASS);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM (SELECT case_id FROM plan WHERE run_id = 2"
                                          " EXCEPT SELECT case_id FROM plan WHERE run_id = 5)"),
                     0);
    assert_true(verbs_number(&verbs, "SELECT count(*) FROM plan WHERE run_id = 5") <=
                verbs_number(&verbs, "SELECT count(*) + 1 FROM plan WHERE run_id = 2"));
    static const char *const bad[] = {"0/3", "4/3", "3", "1/", "/2", "a/b", "1/65537", "-1/2", "1/2/3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(CALL(&verbs, "run", "--corpus", corpus, STUB, "-", "--shard", bad[i]), EXIT_ERROR);
        says(verbs.err, "allowed: I/N");
    }
}

/* A shard that no case falls into judges nothing, and says so by its exit code. */
static void test_empty_shard(void **state)
{
    char shard[8];
    int empty = 0, whole = 0;
    (void)state;
    for (int i = 1; i <= 4; i++) {
        snprintf(shard, sizeof shard, "%d/4", i);
        const int code = CALL(&verbs, "run", "matmul/f32/m=1,n=2,k=3/fill=normal/seed=1", STUB, "-",
                              "--device", "stub:0", "--shard", shard);
        whole += code == EXIT_PASS;
        if (code != EXIT_NOTHING) continue;
        empty++;
        says(verbs.out, "exit 3: nothing was judged");
    }
    assert_int_equal(whole, 1);
    assert_int_equal(empty, 3);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM run WHERE exit_code = 3 AND planned = 0"), 3);
    assert_int_equal(verbs_number(&verbs, RESULTS), 1);
}

/* ---- sweeps ---- */

/* Sweeps of a card run again: the shares that they come to are known when all of them have run in one process. */
static void test_sweeps_again(void **state)
{
    (void)state;
    write_corpus("units/f32/units=3,rounds=4/fill=wide/seed=1\n");
#define SWEEPER "--engine", TEST_BUILD "/tests/stub_sweep.so"
    assert_int_equal(CALL(&verbs, "verify", "--corpus", corpus, SWEEPER, "--device", "stub:0", "--trust-dir",
                          verbs.folder),
                     EXIT_PASS);
    const int64_t results = verbs_number(&verbs, RESULTS);
    (void)verbs_text(&verbs, "UPDATE run SET ended_utc = NULL, exit_code = NULL, reason = NULL");
    (void)verbs_text(&verbs, "DELETE FROM coverage");
    assert_int_equal(RESUME("verify"), EXIT_PASS);
    /* Nine sweeps: each has a second attempt on record, nothing else has. */
    assert_int_equal(verbs_number(&verbs, RESULTS), results + 9);
    assert_int_equal(verbs_number(&verbs,
                                  RESULTS " JOIN plan USING (run_id, seq) WHERE attempt = 2 AND source LIKE"
                                          " 'coverage of the device%'"),
                     9);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM coverage WHERE covered > 0 AND failed = 0"),
                     4);
    assert_int_equal(verbs_number(&verbs, "SELECT covered FROM coverage WHERE what = 'units'"), 6);
}

/* ---- devices ---- */

/* Row D23: every device that was seen, and why it was not used. */
static void test_device_matrix(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "run", "--corpus", corpus, STUB, "two", "--device", "stub:0", "--lock-dir",
                          verbs.folder),
                     EXIT_PASS);
    assert_string_equal(
        verbs_text(&verbs, "SELECT group_concat(label || ' ' || opened || ' ' || state || ' ' || why, '; ')"
                           " FROM (SELECT * FROM run_device ORDER BY label)"),
        "stub:0 1 used ; stub:1 0 left out not selected; stub:2 0 left out it is too old;"
        " stub:3 0 left out the card of stub:1");
}

/* Row D23: rented GPUs are on record as seen, and are never chosen, nor asked for again by a run that goes on. */
static void test_rented(void **state)
{
    char list[100], words[200];
    (void)state;
    snprintf(list, sizeof list, "%s/list.json", verbs.folder);
    FILE *file = fopen(list, "we");
    assert_non_null(file);
    for (int i = 0; i < 2; i++) /* two flavours of one name stay two devices */
        fprintf(file,
                "%s{\"name\": \"h200x8\", \"accelerator\": {\"type\": \"gpu\", \"model\": \"H200\", "
                "\"quantity\": "
                "\"8\", \"vram\": \"1128 GB\", \"manufacturer\": \"Nvidia\"}, \"unitCostUSD\": %s, "
                "\"unitLabel\": "
                "\"minute\"}",
                i ? ", " : "[", i ? "0.75" : "0.6666667");
    fputs("]\n", file);
    assert_int_equal(fclose(file), 0);
#define OWN "--device", "cpu", "--vulkan-lib", "none", "--cuda-lib", "none", "--rented"
    static const char *const verb_of[] = {"run", "verify"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(CALL(&verbs, verb_of[i], "matmul/f32/m=1,n=2,k=3/fill=normal/seed=1", OWN, list),
                         EXIT_PASS);
        snprintf(words, sizeof words,
                 "SELECT group_concat(label || ' ' || opened || ' ' || state || ' ' || why, '; ') FROM "
                 "(SELECT * FROM"
                 " run_device WHERE run_id = %zu AND label LIKE 'rented%%' ORDER BY label)",
                 i + 1);
        assert_string_equal(verbs_text(&verbs, words), "rented:0 0 left out rented, 40.00 USD an hour;"
                                                       " rented:1 0 left out rented, 45.00 USD an hour");
    }
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM plan JOIN device USING (device_id)"
                                          " WHERE backend = 'rented'"),
                     0);
    (void)verbs_text(&verbs,
                     "UPDATE run SET ended_utc = NULL, exit_code = NULL, reason = NULL WHERE run_id = 1");
    assert_int_equal(unlink(list), 0);
    assert_int_equal(RESUME("run"), EXIT_PASS);
    assert_int_equal(CALL(&verbs, "run", OWN, list), EXIT_ERROR);
    says(verbs.err, "cannot read the list of rented GPUs");
    file = fopen(list, "we");
    assert_non_null(file);
    fputs("[{\"name\": \"t4\", \"accelerator\": {\"type\": \"gpu\", \"model\": \"T4\", \"quantity\": "
          "\"1\"}}]\n",
          file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(CALL(&verbs, "run", "--device", "rented:0", "--vulkan-lib", "none", "--cuda-lib", "none",
                          "--rented", list),
                     EXIT_NOTHING);
    says(verbs.err, "is not usable: rented hardware: listed only, never used");
}

struct span {
    char label[16];
    unsigned long long start_ns, end_ns;
};

/* Two cards work at the same time, each on its own address. */
static void test_side_by_side(void **state)
{
    struct span span[400];
    char path[100];
    size_t count = 0, overlapping = 0;
    unsigned long long busy_ns = 0, first_ns = ~0ULL, last_ns = 0;
    (void)state;
    assert_int_equal(
        CALL(&verbs, "verify", "--all", "--corpus", corpus, STUB, "two", "--lock-dir", verbs.folder),
        EXIT_PASS);
    snprintf(path, sizeof path, "%s/runs", verbs.folder);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (count < 400 &&
           fscanf(file, "%15s %llu %llu", span[count].label, &span[count].start_ns, &span[count].end_ns) == 3)
        count++;
    fclose(file);
    assert_int_equal(count, 2 * 2 * CASES);
    for (size_t i = 0; i < count; i++) {
        busy_ns += span[i].end_ns - span[i].start_ns;
        if (span[i].start_ns < first_ns) first_ns = span[i].start_ns;
        if (span[i].end_ns > last_ns) last_ns = span[i].end_ns;
        bool meets = false;
        for (size_t j = 0; j < count; j++)
            meets |= strcmp(span[i].label, span[j].label) != 0 && span[i].start_ns < span[j].end_ns &&
                     span[j].start_ns < span[i].end_ns;
        overlapping += meets;
    }
    /* One after the other the cards would need busy_ns at least, and nothing would overlap. */
    if (overlapping < count / 2 || last_ns - first_ns > busy_ns * 9 / 10)
        fail_msg("%zu of %zu runs overlap; %.0f ms for %.0f ms of work", overlapping, count,
                 (double)(last_ns - first_ns) * 1e-6, (double)busy_ns * 1e-6);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(test_killed),       TEST(test_worker_killed), TEST(test_killed_at_the_end),
        TEST(test_half_planned), TEST(test_sigint),        TEST(test_sigterm),
        TEST(test_named),        TEST(test_changed),       TEST(test_at_work),
        TEST(test_trust),        TEST(test_shards),        TEST(test_device_matrix),
        TEST(test_side_by_side), TEST(test_rented),        TEST(test_empty_shard),
        TEST(test_sweeps_again), TEST(test_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
