/* What a verify covers of a card: a planted fault in memory, in an address, in a unit, in each way of copying is a DIFF that
 * names the place, and table coverage and the report hold the shares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/verbs.h"

#define ENGINE           TEST_BUILD "/tests/stub_sweep.so"
#define CALL(verbs, ...) verbs_call(verbs, (const char *const[]){__VA_ARGS__, NULL})

static struct verbs verbs;
static char cases[128], report[128], trust[128];

static int setup(void **state)
{
    (void)state;
    verbs_begin(&verbs);
    snprintf(cases, sizeof cases, "%s/one.cases", verbs.folder);
    snprintf(report, sizeof report, "%s/report", verbs.folder);
    snprintf(trust, sizeof trust, "%s/trust", verbs.folder);
    FILE *file = fopen(cases, "we");
    if (!file) return 1;
    fputs("# level: quick\n# small\nunits/f32/units=3,rounds=4/fill=wide/seed=1\n", file);
    return fclose(file);
}

static int teardown(void **state)
{
    (void)state;
    unsetenv("STUB_PARTITION");
    verbs_end(&verbs);
    return 0;
}

static int verify(const char *fault, const char *more)
{
    return CALL(&verbs, "verify", "--engine", ENGINE, "--engine-args", fault, "--device", "stub:0",
                "--corpus", cases, "--trust-dir", trust, "--out", report, more ? more : "--quiet");
}

static int64_t covered(const char *what, const char *column)
{
    char sql[200];
    snprintf(sql, sizeof sql,
             "SELECT %s FROM coverage WHERE what = '%s' AND run_id = (SELECT max(run_id) FROM run)", column,
             what);
    return verbs_number(&verbs, sql);
}

static void test_right(void **state)
{
    (void)state;
    assert_int_equal(verify("none", NULL), EXIT_PASS);
    /* a tenth of 1 MiB in buffers of at most 8 KiB, twice; each way of copying three times; the corpus' own case */
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE verdict = 'PASS'"), 10);
    assert_int_equal(covered("units", "total"), 6);
    assert_int_equal(covered("units", "covered"), 6);
    assert_string_equal(verbs_text(&verbs, "SELECT unit FROM coverage WHERE what = 'units'"),
                        "multiprocessors");
    assert_int_equal(covered("memory", "total"), 1 << 20);
    assert_int_equal(covered("memory", "covered"), 12 * 8192);
    assert_int_equal(covered("upload", "covered"), 4 * (8192 + 1501 + 8192 - 3));
    assert_int_equal(covered("download", "covered"), covered("upload", "covered"));
    assert_int_equal(verbs_number(&verbs, "SELECT total(failed) FROM coverage"), 0);
    assert_int_equal(covered("upload", "json_extract(detail, '$.bytes_per_s')"), 2000000000);
    assert_int_equal(covered("memory", "json_extract(detail, '$.bytes_per_s') / 1e9"), 4 * 12 * 8192 / 1000);
    char path[200], *text = NULL;
    size_t bytes = 0;
    snprintf(path, sizeof path, "%s/report.md", report);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_true(getdelim(&text, &bytes, '\0', file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "| stub:0 | memory | bytes | 1,048,576 | 98,304 | 9.4 % | 0 | 393.2 |"));
    assert_non_null(strstr(text, "| stub:0 | units | multiprocessors | 6 | 6 | 100.0 % | 0 |"));
    free(text);
}

static const struct planted {
    const char *fault, *what, *place;
    int64_t failed, missing;
} planted[] = {
    {"stuck", "memory", "slot 3, word 5 (byte 24596 of the sweep)", 4, 0},
    {"alias", "memory", "slot 2, word 70 (byte 16664 of the sweep)", 4, 0},
    {"unit", "units", "unit 4 computed", 1, 0},
    {"unvisited", "units", "1 of 6 units were never visited, the first is unit 5", 0, 1},
    {"upflip", "upload", "word 5000 (byte 20000)", 8, 0},
    {"downflip", "download", "byte 3998 (word 999) is the first wrong one, bits 00020000", 3, 0},
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        const struct planted *p = &planted[i];
        char sql[300];
        print_message("%s\n", p->fault);
        assert_int_equal(verify(p->fault, NULL), EXIT_FAILED);
        snprintf(
            sql, sizeof sql,
            "SELECT count(*) FROM result JOIN plan USING (run_id, seq) JOIN op_case USING (case_id) WHERE "
            "run_id = (SELECT max(run_id) FROM run) AND verdict <> 'PASS' AND op <> '%s'",
            p->what);
        assert_int_equal(verbs_number(&verbs, sql), 0);
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM result WHERE run_id = (SELECT max(run_id) FROM run) AND verdict = "
                 "'DIFF' AND "
                 "instr(reason, '%s') > 0",
                 p->place);
        if (verbs_number(&verbs, sql) == 0)
            fail_msg("no '%s' in '%s'", p->place,
                     verbs_text(&verbs, "SELECT group_concat(reason) FROM result WHERE verdict = 'DIFF'"));
        assert_non_null(strstr(verbs.out, p->place)); /* printed, too */
        assert_int_equal(covered(p->what, "failed"), p->failed);
        if (p->missing) assert_int_equal(covered(p->what, "total - covered"), p->missing);
        snprintf(sql, sizeof sql,
                 "SELECT instr(json_extract(detail, '$.first[0]'), '%s') > 0 FROM coverage WHERE run_id = "
                 "(SELECT max(run_id) FROM run) AND what = '%s'",
                 p->place, p->what);
        assert_int_equal(verbs_number(&verbs, sql), 1);
        if (i == 0) assert_non_null(strstr(verbs.out, "bits 00000400"));
    }
}

/* A part of a card (MIG): ids of its units are any numbers, so distinct ones are counted, and none is "unit 5". */
static void test_partition(void **state)
{
    (void)state;
    setenv("STUB_PARTITION", "mig 1g.10gb", 1);
    assert_int_equal(verify("none", NULL), EXIT_PASS);
    assert_int_equal(covered("units", "covered"), 6);
    assert_int_equal(covered("units", "json_extract(detail, '$.by') = 'distinct unit ids'"), 1);
    assert_int_equal(verify("unvisited", NULL), EXIT_FAILED);
    assert_int_equal(covered("units", "total - covered"), 1);
    assert_non_null(strstr(verbs.out, "1 of 6 units were never visited: so many ids were not seen"));
    assert_int_equal(verify("unit", NULL), EXIT_FAILED);
    assert_non_null(strstr(verbs.out, "unit 4 in the order of ids computed"));
    unsetenv("STUB_PARTITION");
    assert_int_equal(verify("none", NULL), EXIT_PASS);
    assert_int_equal(covered("units", "json_extract(detail, '$.by') = 'unit id'"), 1);
}

/* GpuZelenograd/memtest_vulkan#46: less memory than was asked for is no fault, and the share says it; memory that was never swept covers nothing. */
static void test_less(void **state)
{
    (void)state;
    assert_int_equal(verify("partmemory", NULL), EXIT_PASS);
    assert_int_equal(covered("memory", "covered"), 6 * 8192);
    assert_int_equal(covered("memory", "json_extract(detail, '$.wanted_bytes')"), 12 * 8192);
    assert_string_equal(
        verbs_text(&verbs, "SELECT json_extract(detail, '$.less[0]') FROM coverage WHERE what = 'memory'"),
        "49152 of 98304 bytes that were wanted could be had");
    /* What every pattern covered counts. */
    assert_int_equal(verify("partfirst", NULL), EXIT_PASS);
    assert_int_equal(covered("memory", "covered"), 6 * 8192);
    assert_int_equal(verify("lost", NULL), EXIT_FAILED);
    assert_int_equal(covered("memory", "covered"), 0);
    assert_int_equal(covered("memory", "failed"), 0);
    assert_non_null(
        strstr(verbs_text(&verbs, "SELECT detail FROM coverage WHERE run_id = (SELECT max(run_id) FROM run) "
                                  "AND what = 'memory'"),
               "device lost"));
    assert_int_equal(covered("units", "covered"), 6);
}

/* A part of the corpus is no check of a card. A run has no coverage. */
static void test_only_whole(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "verify", "units/f32/units=3,rounds=4/fill=wide/seed=1", "--engine", ENGINE,
                          "--device", "stub:0", "--trust-dir", trust),
                     EXIT_PASS);
    assert_int_equal(CALL(&verbs, "run", "--engine", ENGINE, "--device", "stub:0", "--corpus", cases),
                     EXIT_PASS);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM coverage"), 0);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result"), 2);
}

/* This program's own CPU device: workgroups for units, 64 MiB of the host's memory. */
static void test_cpu(void **state)
{
    (void)state;
    assert_int_equal(CALL(&verbs, "verify", "--device", "cpu", "--corpus", cases, "--trust-dir", trust,
                          "--vulkan-lib", "none", "--cuda-lib", "none", "--quiet"),
                     EXIT_PASS);
    assert_int_equal(covered("memory", "covered"), 64 << 20);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM coverage WHERE failed = 0 AND covered > 0"),
                     4);
    assert_string_equal(verbs_text(&verbs, "SELECT unit FROM coverage WHERE what = 'units'"), "workgroups");
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_right),     TEST(test_faults),     TEST(test_less),
        TEST(test_partition), TEST(test_only_whole), TEST(test_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
