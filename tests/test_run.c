/* The verbs run, verify and replay from command line to exit code, on the stub engine and on this program's own CPU
 * device: which devices, what is recorded, what is printed, and every kind of bad input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/verbs.h"

#define ENGINE           TEST_BUILD "/tests/stub_faulty.so"
#define STUB             "--engine", ENGINE, "--engine-args"
#define CASE             "matmul/f32/m=5,n=6,k=20/fill=normal/seed=1"
#define CALL(verbs, ...) verbs_call(verbs, (const char *const[]){__VA_ARGS__, NULL})

static struct verbs verbs;

static int setup(void **state)
{
    (void)state;
    verbs_begin(&verbs);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    verbs_end(&verbs);
    return 0;
}

static void says(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("no '%s' in:\n%s", part, text);
}

static void says_not(const char *text, const char *part)
{
    if (strstr(text, part)) fail_msg("'%s' in:\n%s", part, text);
}

/* ---- the record ---- */

static void test_record(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "run", CASE, "matmul/f32/m=0,n=6,k=20/fill=normal/seed=1", STUB, "-",
                          "--device", "stub:0", "--samples", "4"),
                     EXIT_PASS);
    says(verbs.out, "exit 0: all 2 judged passed");
    says(verbs.out, "stub:0 Stub card: 2 judged, 2 passed, 0 failed");
    assert_string_equal(
        verbs_text(&verbs, "SELECT verb || ' ' || engine || ' ' || planned || ' ' || exit_code FROM run"),
        "run stub 2 0");
    says(verbs_text(&verbs, "SELECT settings FROM run"), "\"samples\":4");
    says(verbs_text(&verbs, "SELECT settings FROM run"),
         "\"oracles\":{\"contract\":\"self\",\"f64\":\"independent\",\"golden\":\"independent\"");
    assert_string_equal(verbs_text(&verbs, "SELECT label || opened || variant FROM run_device"),
                        "stub:01native");
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM trait"), 1);
    assert_string_equal(
        verbs_text(&verbs,
                   "SELECT k.name || ' ' || technique || ' ' || mode || ' ' || k.dtype FROM kernel k"),
        "matmul.stub.plain.exact plain exact f32");
    assert_string_equal(
        verbs_text(
            &verbs,
            "SELECT verdict || rung || oracle || elems || ' ' || judged || ' ' || differing || reason ||"
            " repro FROM result WHERE seq = 0"),
        "PASSEXACTcontract30 30 0");
    /* The stub's samples are 1000, 1001, ...: the median of four, or of fewer, which is what a busy machine is given. */
    const int64_t median = verbs_number(&verbs, "SELECT median_ns FROM result WHERE seq = 0");
    assert_true(median == 1001 ||
                (median == 1000 && verbs_number(&verbs, "SELECT length(samples) / 8 FROM result") < 3));
    assert_int_equal(
        verbs_number(&verbs, "SELECT typeof(scaled_f64) = 'real' AND bound_f64 <= 1 AND length(digest) = 32"
                             " FROM result WHERE seq = 0"),
        1);
    assert_string_equal(verbs_text(&verbs, "SELECT source FROM plan WHERE seq = 0"), "command line");
}

/* Row O14 and H14: two runs in fresh processes give one digest. */
static void test_repeats(void **state)
{
    (void)state;
    for (int run = 0; run < 2; run++)
        assert_int_equal(
            CALL(&verbs, "run", CASE, "--device", "cpu", "--vulkan-lib", "none", "--cuda-lib", "none"),
            EXIT_PASS);
    assert_true(verbs_number(&verbs, "SELECT count(*) FROM result") >= 2);
    assert_int_equal(verbs_number(&verbs, "SELECT count(DISTINCT digest) FROM result"), 1);
}

/* opendcdiag/opendcdiag#1146: a failure does not depend on logging. */
static void test_quiet(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "flip", "--device", "stub:0"), EXIT_FAILED);
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "flip", "--device", "stub:0", "--quiet"), EXIT_FAILED);
    says(verbs.out, "DIFF  " CASE);
    assert_string_equal(verbs.err, "");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "flip", "--device", "stub:0", "--json"), EXIT_FAILED);
    says(verbs.out, "\"DIFF\": 1");
    says(verbs.out, "\"exit\": 2");
    assert_int_equal(verbs.out[0], '{');
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE verdict = 'DIFF'"), 3);
}

/* A report that was asked for and cannot be written is an error, before the run where that can be known. */
/* Rows without the device's form of arithmetic would be skipped by every case: named once, and not planned. Asked for,
 * they are planned, and a skip is no pass. */
static void test_left_out(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "run", CASE, "--device", "cpu", "--fma", "emulated", "--vulkan-lib", "none",
                          "--cuda-lib", "none"),
                     EXIT_PASS);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE verdict <> 'PASS'"), 0);
    assert_int_equal(
        verbs_number(&verbs, "SELECT count(*) FROM plan WHERE kernel = 'matmul.cpu.plain.exact'"), 1);
#ifdef __x86_64__
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
    says(verbs.out, "cpu:0: left out, without a form for emulated arithmetic: ");
    says(verbs.out, "matmul.cpu.avx2.exact");
    assert_int_equal(CALL(&verbs, "run", CASE, "--device", "cpu", "--fma", "emulated", "--vulkan-lib", "none",
                          "--cuda-lib", "none", "--kernel", "matmul.cpu.avx2.exact"),
                     EXIT_NOTHING);
    says_not(verbs.out, "left out");
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE verdict = 'SKIP'"), 1);
#endif
}

static void test_no_report(void **state)
{
    char path[160], inside[200];
    (void)state;
    snprintf(path, sizeof path, "%s/file", verbs.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-", "--device", "stub:0", "--out", path), EXIT_ERROR);
    says(verbs.err, "Not a directory");
    assert_int_not_equal(access(verbs.db, F_OK), 0); /* nothing was run */
    snprintf(path, sizeof path, "%s/reports", verbs.folder);
    snprintf(inside, sizeof inside, "%s/report.md", path);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(mkdir(inside, 0777), 0);
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-", "--device", "stub:0", "--out", path), EXIT_ERROR);
    says(verbs.out, "exit 1: cannot write the report");
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE verdict = 'PASS'"), 1);
    assert_int_equal(verbs_number(&verbs, "SELECT exit_code FROM run"), 1);
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "flip", "--device", "stub:0", "--out", path),
                     EXIT_FAILED);
    rmdir(inside);
    rmdir(path);
}

/* ---- verify ---- */

static void test_verify_lines(void **state)
{
    char report[160];
    (void)state;
    snprintf(report, sizeof report, "%s/report", verbs.folder);
    assert_int_equal(CALL(&verbs, "verify", CASE, STUB, "-", "--device", "stub:0", "--out", report),
                     EXIT_PASS);
    says(verbs.out, "stub:0: matmul.stub.plain.exact 5x6 (normal): 30 of 30 elements bit-exact (0.001 ms)\n");
    says(verbs.out, "stub:0: VERIFIED");
    says(verbs.out, "report: ");
    strcat(report, "/report.md");
    assert_int_equal(access(report, R_OK), 0);
    assert_int_equal(CALL(&verbs, "verify", CASE, STUB, "flip", "--device", "stub:0"), EXIT_FAILED);
    says(verbs.out, "NOT VERIFIED — DIFF " CASE ": 1 of 30 elements differ; assay will not use this card");
    /* Nothing judged is not verified (rows H01, H03). */
    assert_int_equal(CALL(&verbs, "verify", CASE, STUB, "skip", "--device", "stub:0"), EXIT_NOTHING);
    says(verbs.out, "NOT VERIFIED — nothing was judged");
    says(verbs.out, "SKIP, not judged: stub: takes no 5 rows");
    says(verbs.out, "exit 3: nothing was judged");
}

static void test_verify_software(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "verify", CASE, STUB, "software", "--device", "stub:0"), EXIT_NOTHING);
    says(verbs.err, "software renderer");
    says(verbs.out, "NOT VERIFIED");
    assert_int_equal(CALL(&verbs, "verify", CASE, STUB, "software", "--device", "stub:0", "--allow-software"),
                     EXIT_PASS);
    says(verbs.out, "earn no trust");
    says_not(verbs.out, ": VERIFIED");
}

/* Row H05: no silent fallback. The CPU could answer, but was not asked. */
static void test_no_fallback(void **state)
{
    (void)state;
    assert_int_equal(
        CALL(&verbs, "verify", CASE, "--device", "cuda:7", "--cuda-lib", "none", "--vulkan-lib", "none"),
        EXIT_NOTHING);
    says(verbs.err, "cuda:7");
    assert_int_equal(CALL(&verbs, "verify", CASE, "--cuda-lib", "none", "--vulkan-lib", "none"),
                     EXIT_NOTHING);
    says(verbs.err, "no usable GPU found");
    assert_int_equal(CALL(&verbs, "verify", CASE, "--all", "--cuda-lib", "none", "--vulkan-lib", "none"),
                     EXIT_PASS);
    says(verbs.out, "earn no trust");
}

/* ---- devices that do not open ---- */

static void test_open_errors(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "openfail", "--device", "stub:0"), EXIT_ERROR);
    says(verbs.out, "stub: cannot open (-3)");
    assert_string_equal(verbs_text(&verbs, "SELECT opened || why FROM run_device"),
                        "0stub: cannot open (-3)");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "openfail"), EXIT_ERROR);
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "opencrash", "--device", "stub:0"), EXIT_ERROR);
    says(verbs.out, "signal 9");
    assert_int_equal(CALL(&verbs, "verify", CASE, STUB, "openrefuse", "--device", "stub:0"), EXIT_NOTHING);
    says(verbs.out, "NOT VERIFIED — stub: adds are not exact");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "describecrash"), EXIT_ERROR);
    says(verbs.err, "crashed during describing");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "badjson"), EXIT_ERROR);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM run WHERE exit_code = 0"), 0);
}

/* ---- bad input: exit 1, the words, and nothing lost ---- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_bad_input(void **state)
{
    char corpus[160];
    (void)state;
    assert_int_equal(CALL(&verbs, "run", "matmul/f32/m=x,n=6,k=20/fill=normal/seed=1", STUB, "-"),
                     EXIT_ERROR);
    says(verbs.err, "m is 'x'");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-", "--device", "gpu!"), EXIT_ERROR);
    says(verbs.err, "gpu!");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-", "--device", "stub:3"), EXIT_NOTHING);
    says(verbs.err, "stub:3");
    assert_int_equal(CALL(&verbs, "run", CASE, "--engine", "/nowhere.so"), EXIT_ERROR);
    says(verbs.err, "/nowhere.so");
    snprintf(corpus, sizeof corpus, "%s/own.cases", verbs.folder);
    write_file(corpus, "# level: quick\n# why\n" CASE "\nmatmul/f32/m=1,n=1/fill=normal/seed=1\n");
    assert_int_equal(CALL(&verbs, "run", "--corpus", corpus, STUB, "-"), EXIT_ERROR);
    says(verbs.err, "own.cases:4");
    write_file(
        verbs.db,
        "this is a text file and no database, nor does it want to become one, thank you. It is long enough.");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-"), EXIT_ERROR);
    says(verbs.err, "is not a database");
    unlink(verbs.db);
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-"), EXIT_PASS);
    snprintf(verbs.db, sizeof verbs.db, "/nowhere/db");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-"), EXIT_ERROR);
    says(verbs.err, "/nowhere/db");
}

/* ooples/AiDotNet.Tensors#827a with a disk that fills up: rows before it stay, and the run does not pass. */
static void test_full_disk(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-"), EXIT_PASS); /* the file and its tables exist */
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {400 << 10, 400 << 10};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        const int code = CALL(&verbs, "run", "matmul/f32/*", "--level", "full", STUB, "-", "--quiet");
        if (code != EXIT_ERROR) fprintf(stderr, "%d\n%s\n%s\n", code, verbs.out, verbs.err);
        _exit(code != EXIT_ERROR || !strstr(verbs.err, "in database"));
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_string_equal(verbs_text(&verbs, "PRAGMA integrity_check"), "ok");
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM run WHERE exit_code = 0"), 1);
    assert_true(verbs_number(&verbs, "SELECT count(*) FROM result") >= 1);
}

/* ---- interrupts ---- */

static pid_t start_hanging(void)
{
    const pid_t child = fork();
    if (child == 0) {
        const int code = CALL(&verbs, "run", "matmul/f32/m=4,n=6,k=20/fill=normal/seed=1", CASE, STUB,
                              "hang:5", "--device", "stub:0", "--timeout", "60");
        _exit(code);
    }
    for (int tries = 0; tries < 500; tries++) {
        usleep(10000);
        if (access(verbs.db, F_OK) == 0 &&
            verbs_number(&verbs, "SELECT count(*) FROM sqlite_schema WHERE name = 'result'") == 1 &&
            verbs_number(&verbs, "SELECT count(*) FROM result") == 1)
            break;
    }
    usleep(100000);
    return child;
}

static void test_interrupt(void **state)
{
    int status = -1;
    (void)state;
    const pid_t child = start_hanging();
    kill(child, SIGINT);
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_ERROR);
    says(verbs_text(&verbs, "SELECT reason FROM run"), "interrupted");
    assert_int_equal(verbs_number(&verbs, "SELECT exit_code FROM run"), EXIT_ERROR);
    assert_string_equal(verbs_text(&verbs, "SELECT group_concat(verdict) FROM result"), "PASS");
}

/* kill -9 leaves whole rows and a run without an end (row H17). */
static void test_killed(void **state)
{
    int status = -1;
    (void)state;
    const pid_t child = start_hanging();
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status));
    assert_string_equal(verbs_text(&verbs, "PRAGMA integrity_check"), "ok");
    assert_int_equal(verbs_number(&verbs, "SELECT exit_code IS NULL AND planned = 2 FROM run"), 1);
    assert_string_equal(verbs_text(&verbs, "SELECT group_concat(verdict) FROM result"), "PASS");
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-", "--device", "stub:0"), EXIT_PASS);
}

/* ---- replay, seeds, real input ---- */

static void test_replay(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "replay", CASE, STUB, "nan", "--device", "stub:0"), EXIT_FAILED);
    says(verbs.out, "DIFF  " CASE);
    says(verbs.out, "[0,5]      got 7fc00000 +nan");
    says(verbs.out, "exit 2");
    assert_int_equal(CALL(&verbs, "replay", CASE, STUB, "-", "--device", "stub:0"), EXIT_PASS);
    says(verbs.out, "PASS EXACT  " CASE);
    says(verbs.out, "digest ");
}

static void test_seed(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "run", CASE, STUB, "-", "--seed", "abc"), EXIT_PASS);
    assert_string_equal(verbs_text(&verbs, "SELECT line FROM op_case"),
                        "matmul/f32/m=5,n=6,k=20/fill=normal/seed=abc");
}

static void test_node_tests(void **state)
{
    (void)state;
    if (access("/usr/share/libonnx-testdata/data/node/test_matmul_2d", F_OK) != 0) skip();
    assert_int_equal(CALL(&verbs, "run", "onnx/test_matmul_2d", "onnx/test_matmul_3d", "--device", "cpu",
                          "--cuda-lib", "none", "--vulkan-lib", "none"),
                     EXIT_PASS);
    assert_true(verbs_number(&verbs, "SELECT count(*) FROM result WHERE verdict = 'PASS'") >= 2);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE published_differing IS NULL"),
                     0);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE published_scaled > 1e-5"), 0);
    /* A file that was cut short, and one that is not there. */
    char command[1024];
    snprintf(
        command, sizeof command,
        "mkdir -p %s/data/node && cp -r /usr/share/libonnx-testdata/data/node/test_matmul_2d %s/data/node/ &&"
        " chmod -R u+w %s/data && truncate -s 40 %s/data/node/test_matmul_2d/model.onnx",
        verbs.folder, verbs.folder, verbs.folder, verbs.folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "%s/data", verbs.folder);
    assert_int_equal(CALL(&verbs, "run", "onnx/test_matmul_2d", "--onnx-data", command, "--device", "cpu",
                          "--cuda-lib", "none", "--vulkan-lib", "none"),
                     EXIT_ERROR);
    says(verbs.out, "model.onnx");
    assert_int_equal(CALL(&verbs, "run", "onnx/test_matmul_3d", "--onnx-data", command, "--device", "cpu",
                          "--cuda-lib", "none", "--vulkan-lib", "none"),
                     EXIT_NOTHING);
}

/* ---- selftest ---- */

static void test_selftest(void **state)
{
    struct options options;
    char *words[] = {(char *)"assay", (char *)"selftest", (char *)"--quiet"};
    (void)state;
    assert_int_equal(options_parse(3, words, NULL, &options, NULL), ASSAY_OK);
    assert_int_equal(verb_selftest(&options), EXIT_PASS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(test_record),          TEST(test_repeats),     TEST(test_quiet),
        TEST(test_left_out),        TEST(test_no_report),   TEST(test_verify_lines),
        TEST(test_verify_software), TEST(test_no_fallback), TEST(test_open_errors),
        TEST(test_bad_input),       TEST(test_full_disk),   TEST(test_interrupt),
        TEST(test_killed),          TEST(test_replay),      TEST(test_seed),
        TEST(test_node_tests),      TEST(test_selftest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
