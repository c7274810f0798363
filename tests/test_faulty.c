/* A deliberately faulty engine: each kind of fault gets its verdict, the cases around it keep theirs, and the exit code
 * says so. Faults reported by others are named at the rows (cases.jsonl: harness entries). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/verbs.h"

#define ENGINE TEST_BUILD "/tests/stub_faulty.so"

/* The fault strikes the one with 5 rows; its neighbours run before and after it, with inputs at the same place. */
#define BEFORE "matmul/f32/m=4,n=6,k=70,pady=3/fill=normal/seed=1"
#define STRUCK "matmul/f32/m=5,n=6,k=70,pady=3/fill=normal/seed=2"
#define AFTER  "matmul/f32/m=6,n=6,k=70,pady=3/fill=normal/seed=3"

static const struct fault {
    const char *args, *verdict, *words; /* words: in the reason, NULL = any */
    int exit_code;
} fault_table[] = {
    {"", "PASS", NULL, EXIT_PASS},
    {"flip:5", "DIFF", NULL, EXIT_FAILED}, /* tsotchke/eshkol#501: failing row and exit code together */
    {"flipsign:5", "DIFF", NULL, EXIT_FAILED},
    {"lastrow:5", "GUARD", "never written", EXIT_FAILED},
    {"wrongshape:5", "GUARD", "never written", EXIT_FAILED},
    {"conditional:5", "GUARD", "never written", EXIT_FAILED}, /* clEsperanto/CLIc#204 */
    {"silent:5", "GUARD", "never written", EXIT_FAILED},      /* SandAI-org/MagiAttention#40 */
    {"swap:5", "DIFF", NULL, EXIT_FAILED},
    {"unfused:5", "DIFF", NULL, EXIT_FAILED},
    {"accumulate:5", "DIFF", NULL, EXIT_FAILED}, /* ORNL/HeCBench#289 */
    {"nan:5", "DIFF", NULL, EXIT_FAILED},        /* flame/blis#279 */
    {"stray:5", "GUARD", "past the end", EXIT_FAILED},
    {"before:5", "GUARD", "before", EXIT_FAILED},
    {"strayhi:5", "GUARD", "gap", EXIT_FAILED},
    {"input:5", "GUARD", "input", EXIT_FAILED},
    {"inputgap:5", "GUARD", "input", EXIT_FAILED},
    {"nondet:5", "NONDET", "two runs", EXIT_FAILED},
    {"crash:5", "CRASH", "signal", EXIT_FAILED},
    {"exit:5", "CRASH", "exited", EXIT_FAILED},
    {"lost:5", "CRASH", "device lost", EXIT_FAILED}, /* AdaptiveCpp/AdaptiveCpp#2192 */
    {"oom:5", "ERROR", "OutOfMemory", EXIT_ERROR},   /* ggml-org/llama.cpp#17180: neither passed nor wrong */
    {"error:5", "ERROR", "launch failed", EXIT_ERROR},
    {"skip:5", "SKIP", "takes no 5 rows", EXIT_PASS},
    {"clang:5", "UNPROVEN", "clang", EXIT_PASS},
};

static int run_cases(struct verbs *verbs, const char *args, const char *timeout)
{
    const char *const words[] = {
        "run",      BEFORE,   STRUCK,      AFTER,   "--engine", ENGINE, "--engine-args", *args ? args : "-",
        "--device", "stub:0", "--timeout", timeout, "--quiet",  NULL};
    return verbs_call(verbs, words);
}

static const char *verdict_of(struct verbs *verbs, const char *line)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT verdict FROM result JOIN plan USING (run_id, seq) JOIN op_case USING (case_id) WHERE "
             "line = '%s'",
             line);
    return verbs_text(verbs, sql);
}

static void test_faults(void **state)
{
    (void)state;
    for (size_t at = 0; at < sizeof fault_table / sizeof fault_table[0]; at++) {
        const struct fault *fault = &fault_table[at];
        struct verbs verbs;
        verbs_begin(&verbs);
        print_message("%s\n", fault->args);
        assert_int_equal(run_cases(&verbs, fault->args, "20"), fault->exit_code);
        assert_string_equal(verdict_of(&verbs, STRUCK), fault->verdict);
        assert_string_equal(verdict_of(&verbs, BEFORE), "PASS");
        assert_string_equal(verdict_of(&verbs, AFTER), "PASS");
        assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result"), 3);
        assert_int_equal(verbs_number(&verbs, "SELECT exit_code FROM run"), fault->exit_code);
        if (fault->words)
            assert_non_null(strstr(verbs_text(&verbs, "SELECT reason FROM result WHERE verdict <> 'PASS'"),
                                   fault->words));
        /* The sum of verdicts is the plan (ooples/AiDotNet.Tensors#827a). */
        assert_int_equal(verbs_number(&verbs, "SELECT planned FROM run"), 3);
        verbs_end(&verbs);
    }
}

/* KhronosGroup/Vulkan-ValidationLayers#4983: a hang ends within its limit and costs one case. */
static void test_hang(void **state)
{
    struct verbs verbs;
    (void)state;
    verbs_begin(&verbs);
    assert_int_equal(run_cases(&verbs, "hang:5", "1"), EXIT_FAILED);
    assert_string_equal(verdict_of(&verbs, STRUCK), "HANG");
    assert_string_equal(verdict_of(&verbs, BEFORE), "PASS");
    assert_string_equal(verdict_of(&verbs, AFTER), "PASS");
    assert_true(verbs_number(&verbs, "SELECT wall_ns / 1000000 FROM result WHERE verdict = 'HANG'") < 5000);
    verbs_end(&verbs);
}

/* Two cases of one shape with other inputs at the same address: what the first left must not serve for the second. */
static void test_replayed_results(void **state)
{
    static const char *const args[] = {"cached", "stale"}; /* gpu-mode/kernelbot#501 */
    (void)state;
    for (size_t at = 0; at < 2; at++) {
        struct verbs verbs;
        const char *const words[] = {"run",
                                     "matmul/f32/m=4,n=6,k=20/fill=normal/seed=1",
                                     "matmul/f32/m=4,n=6,k=20/fill=normal/seed=2",
                                     "--engine",
                                     ENGINE,
                                     "--engine-args",
                                     args[at],
                                     "--device",
                                     "stub:0",
                                     NULL};
        verbs_begin(&verbs);
        assert_int_equal(verbs_call(&verbs, words), EXIT_FAILED);
        assert_string_equal(
            verbs_text(&verbs, "SELECT group_concat(verdict) FROM (SELECT verdict FROM result ORDER BY seq)"),
            "PASS,DIFF");
        verbs_end(&verbs);
    }
}

/* A failure says what, where, got, want, and ends with a line to paste that is shrunk and fails again. */
static void test_failure_text(void **state)
{
    struct verbs verbs;
    char line[512], repro[1024];
    (void)state;
    verbs_begin(&verbs);
    const char *const words[] = {"run",           "matmul/f32/m=33,n=7,k=96/fill=normal/seed=1f",
                                 "--engine",      ENGINE,
                                 "--engine-args", "unfused",
                                 "--device",      "stub:0",
                                 "--quiet",       NULL};
    assert_int_equal(verbs_call(&verbs, words), EXIT_FAILED);
    static const char *const parts[] = {
        "DIFF  matmul/f32/m=33,n=7,k=96/fill=normal/seed=1f\n",
        "  kernel   stub:0 Stub card stub 1   matmul.stub.plain.exact 0123456789\n",
        "  oracle   contract v1 ",
        " of 231 elements differ, first at [",
        "  got      ",
        "  want     ",
        " ulp   xor ",
        "  repro    assay replay 'matmul/f32/m=1,n=1,k=",
        "/of=33x7x96,at=",
        "--device stub:0",
        "exit 2: 1 of 1 judged failed"};
    for (size_t at = 0; at < sizeof parts / sizeof parts[0]; at++)
        if (!strstr(verbs.out, parts[at])) fail_msg("no '%s' in:\n%s", parts[at], verbs.out);
    snprintf(repro, sizeof repro, "%s", verbs_text(&verbs, "SELECT repro FROM result"));
    assert_int_equal(sscanf(repro, "assay replay '%511[^']'", line), 1);
    const char *const again[] = {"replay",  line,       "--engine", ENGINE, "--engine-args",
                                 "unfused", "--device", "stub:0",   NULL};
    assert_int_equal(verbs_call(&verbs, again), EXIT_FAILED);
    assert_non_null(strstr(verbs.out, "bits that differ anywhere"));
    verbs_end(&verbs);
}

/* Expectations: one that comes passes, one that does not come is a failure. */
static void test_expected(void **state)
{
    struct verbs verbs;
    (void)state;
    verbs_begin(&verbs);
    const char *words[] = {"run",
                           "matmul/f32/m=5,n=6,k=20/fill=normal/seed=1/expect=DIFF",
                           "--engine",
                           ENGINE,
                           "--engine-args",
                           "flip",
                           "--device",
                           "stub:0",
                           NULL};
    assert_int_equal(verbs_call(&verbs, words), EXIT_PASS);
    assert_string_equal(verbs_text(&verbs, "SELECT verdict || expected FROM result"), "DIFFDIFF");
    words[5] = "none";
    assert_int_equal(verbs_call(&verbs, words), EXIT_FAILED);
    assert_non_null(strstr(verbs.out, "1 expected to fail passed"));
    words[5] = "nondet";
    assert_int_equal(verbs_call(&verbs, words), EXIT_FAILED);
    verbs_end(&verbs);
}

/* Out of memory on a device that is too small for the case is a skip. */
static void test_too_small(void **state)
{
    struct verbs verbs;
    (void)state;
    verbs_begin(&verbs);
    const char *const words[] = {"run",      STRUCK,     "--engine", ENGINE, "--engine-args",
                                 "oomsmall", "--device", "stub:0",   NULL};
    assert_int_equal(verbs_call(&verbs, words), EXIT_NOTHING);
    assert_string_equal(verdict_of(&verbs, STRUCK), "SKIP");
    assert_non_null(strstr(verbs_text(&verbs, "SELECT reason FROM result"), "out of memory"));
    verbs_end(&verbs);
}

/* TristanBilot/mlx-benchmark#21: times that were taken without waiting are no times. The product is right all the same. */
static void test_impossible_times(void **state)
{
    static const char *const faults[] = {"notime", "nowait"};
    (void)state;
    for (size_t at = 0; at < 2; at++) {
        struct verbs verbs;
        verbs_begin(&verbs);
        const char *const words[] = {"run",
                                     "matmul/f32/m=300,n=300,k=300/fill=normal/seed=1", /* 5.4e7 flop */
                                     "--engine",
                                     ENGINE,
                                     "--engine-args",
                                     faults[at],
                                     "--device",
                                     "stub:0",
                                     NULL};
        assert_int_equal(verbs_call(&verbs, words), EXIT_PASS);
        assert_int_equal(verbs_number(&verbs, "SELECT median_ns IS NULL AND coalesce(length(samples), 0) = 0"
                                              " FROM result"),
                         1);
        assert_non_null(strstr(verbs_text(&verbs, "SELECT reason FROM result"), "timed runs dropped"));
        verbs_end(&verbs);
    }
}

/* A run of its own process, for a card that another one uses at the same time. */
static pid_t start_on_card(const char *folder)
{
    const pid_t child = fork();
    if (child != 0) return child;
    struct verbs verbs;
    verbs_begin(&verbs);
    const char *const words[] = {"run",        BEFORE,          STRUCK,    AFTER,      "--engine",
                                 ENGINE,       "--engine-args", "card",    "--device", "stub:0",
                                 "--lock-dir", folder,          "--quiet", NULL};
    int code = verbs_call(&verbs, words);
    if (verbs_number(&verbs, "SELECT count(*) FROM result WHERE verdict = 'PASS'") != 3) code = EXIT_ERROR;
    if (code != EXIT_PASS) fprintf(stderr, "%s%s", verbs.out, verbs.err);
    verbs_end(&verbs);
    _exit(code);
}

/* Runs of two programs on one card take turns: never do two of their workers run there at a time. */
static void test_one_card(void **state)
{
    struct verbs verbs;
    pid_t child[3];
    int how;
    (void)state;
    verbs_begin(&verbs);
    for (int at = 0; at < 3; at++) child[at] = start_on_card(verbs.folder);
    for (int at = 0; at < 3; at++) {
        assert_true(child[at] > 0);
        assert_int_equal(waitpid(child[at], &how, 0), child[at]);
        assert_true(WIFEXITED(how));
        assert_int_equal(WEXITSTATUS(how), EXIT_PASS);
    }
    verbs_end(&verbs);
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),           cmocka_unit_test(test_hang),
        cmocka_unit_test(test_replayed_results), cmocka_unit_test(test_failure_text),
        cmocka_unit_test(test_expected),         cmocka_unit_test(test_too_small),
        cmocka_unit_test(test_one_card),         cmocka_unit_test(test_impossible_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
