/* Exports, read by the parsers that other programs use: xmllint and Python's xml, csv and json modules, Perl's TAP::Parser,
 * and tests/check_export.py's readers of SARIF, workflow commands and Prometheus' format, field by field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/options.h"
#include "harness/store.h"
#include "reports/export.h"
#include "tests/db_fixture.h"

static char folder[64], db[96], output[1 << 16];

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/assay-export-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(db, sizeof db, "%s/a%%b?c #'\".db", folder);
    return 0;
}

static int tear_down(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* Run a shell command in the repository's root with both streams joined; D is the folder, DB the database. */
static int run(const char *format, ...)
{
    char command[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    setenv("D", folder, 1);
    setenv("DB", db, 1);
    char *line = NULL;
    assert_true(asprintf(&line, "{ %s ; } 2>&1", command) > 0);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    const size_t used = fread(output, 1, sizeof output - 1, pipe);
    output[used] = 0;
    free(line);
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void passes(const char *format)
{
    if (run("%s", format) != 0) fail_msg("%s\n%.3000s", format, output);
}

static void says(const char *text)
{
    if (!strstr(output, text)) fail_msg("expected '%s', got:\n%.2000s", text, output);
}

/* Write every format of the latest run, and have each read by a real parser. */
static void all_parsers(int tests)
{
    char command[400];
    for (int f = 0; f < EXPORT_FORMATS; f++) {
        struct assay_error error = {0};
        char path[160];
        snprintf(path, sizeof path, "%s/out.%s", folder, export_name((enum export_format)f));
        if (export_write(db, NULL, (enum export_format)f, path, &error) != ASSAY_OK)
            fail_msg("%s", error.text);
    }
    passes("python3 tests/check_export.py \"$DB\" $D");
    passes("xmllint --noout --nonet $D/out.junit");
    /* Debian 12's TAP::Parser knows versions up to 13; 14 was made to be read by it. */
    snprintf(command, sizeof command,
             "sed '1s/14/13/' $D/out.tap | perl -MTAP::Parser -e 'local $/; my $p = TAP::Parser->new({tap => "
             "<STDIN>});"
             " $p->run; print join(\"; \", $p->parse_errors), \"\\n\"; printf \"%%d tests, %%d failed, %%d "
             "skipped\\n\","
             " $p->tests_run, scalar($p->failed), scalar($p->skipped); exit($p->parse_errors || "
             "$p->tests_run != %d)'",
             tests);
    passes(command);
}

static void parsers(void **state)
{
    char want[64];
    (void)state;
    db_fixture(db, 1);
    db_fixture(db, 2);
    all_parsers(DB_FIXTURE_ROWS);
    snprintf(want, sizeof want, "%d tests, %d failed, %d skipped", DB_FIXTURE_ROWS,
             DB_FIXTURE_FAILED + DB_FIXTURE_ERRORS, DB_FIXTURE_SKIPPED);
    says(want);
    passes("cat $D/out.github");
    says("::error file=corpus/matmul.cases,line=11,title=DIFF on vulkan%3A0::matmul/f32/");
    says("%250A"); /* a "%0A" of a name stays what it was */
    assert_null(strstr(output, "\n::error::x"));
    passes("grep -c '<testcase' $D/out.junit");
    assert_int_equal(atoi(output), DB_FIXTURE_ROWS);
}

/* Real runs: one that passed, one that failed. */
static void real_runs(void **state)
{
    (void)state;
    for (int version = 1; version < 3; version++) {
        char name[64];
        snprintf(name, sizeof name, "tests/frozen/version%d.sql", version);
        char *sql = db_file(name);
        unlink(db);
        db_execute(db, sql);
        free(sql);
        all_parsers(version == 1 ? 2 : 1);
    }
}

/* More failures than GitHub shows; a run of nothing; a run without timings and with one device. */
static void odd_runs(void **state)
{
    (void)state;
    db_fixture(db, 1);
    db_execute(db,
               "DELETE FROM result; DELETE FROM bench_sample; DELETE FROM bench;"
               "DELETE FROM run_device WHERE device_id = (SELECT device_id FROM device WHERE backend = 'cpu')"
               " AND false; UPDATE run SET ended_utc = NULL, exit_code = NULL, reason = NULL;"
               "INSERT INTO plan SELECT run_id, seq + 8, case_id, device_id, kernel, why, source FROM plan");
    all_parsers(2 * DB_FIXTURE_PLANNED + DB_FIXTURE_CAPPED);
    passes("tail -n 2 $D/out.github");
    says("::error title=assay::7 more");
    says("::warning title=assay::0 passed, 0 failed, 16 errors or not run, 1 not judged");
    passes("grep -c 'NOT RUN' $D/out.junit");
    assert_int_equal(atoi(output), 16);
    db_execute(db, "DELETE FROM plan; DELETE FROM capped");
    for (int f = 0; f < EXPORT_FORMATS; f++) {
        struct assay_error error = {0};
        char path[160];
        snprintf(path, sizeof path, "%s/out.%s", folder, export_name((enum export_format)f));
        if (export_write(db, NULL, (enum export_format)f, path, &error) != ASSAY_OK)
            fail_msg("%s", error.text);
    }
    passes("xmllint --noout $D/out.junit && python3 -m json.tool $D/out.sarif >/dev/null && cat $D/out.tap");
    assert_string_equal(output, "TAP version 14\n1..0 # SKIP no case was planned\n");
}

static void words(void **state)
{
    static const struct {
        const char *command;
        int code;
        const char *says;
    } table[] = {
        {"db export --db \"$DB\"", EXIT_ERROR,
         "needs one format: --csv, --jsonl, --junit, --sarif, --tap, --github, --prometheus"},
        {"db export --csv --tap --db \"$DB\"", EXIT_ERROR, "needs one format"},
        {"db export --csv 1 --db \"$DB\"", EXIT_PASS, "00000000000000000000000000000001"},
        {"db export --jsonl night-2 --db \"$DB\"", EXIT_PASS, "\"run_label\":\"night-2\""},
        {"db export --tap 7 --db \"$DB\"", EXIT_ERROR, "'7' is no run"},
        {"db export --tap --db $D/missing", EXIT_ERROR, "missing"},
        {"db export --tap 1 2 --db \"$DB\"", EXIT_ERROR, "unexpected '2'"},
        {"db export --csv --db \"$DB\" --to $D/no/such/folder", EXIT_ERROR, "no/such/folder: No such file"},
        {"db export --csv --db \"$DB\" --to $D/out.csv", EXIT_PASS, "export: "},
        {"db export --csv --db \"$DB\" >/dev/full", EXIT_ERROR, "No space left"},
        {"db export --csv --db \"$DB\" --to /dev/full", EXIT_ERROR, "cannot write /dev/full"},
        {"db export --csv --db \"$DB\" --to /dev/stdout --quiet | wc -l", EXIT_PASS, ""},
    };
    (void)state;
    db_fixture(db, 1);
    db_fixture(db, 2);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const int code =
            run("env -i D=$D DB=\"$DB\" PATH=\"$PATH\" " TEST_BUILD "/assay %s", table[i].command);
        if (code != table[i].code) fail_msg("%s: exit %d\n%.1000s", table[i].command, code, output);
        says(table[i].says);
    }
    /* Several runs of a label are one export; nothing is left beside the file. */
    db_execute(db, "UPDATE run SET label = 'both'");
    passes(TEST_BUILD "/assay db export --junit both --db \"$DB\" --to $D/out.junit && xmllint --xpath"
                      " 'count(//testsuite)' $D/out.junit");
    says("\n4");
    passes(TEST_BUILD "/assay db export --sarif both --db \"$DB\" | python3 -c 'import json, sys;"
                      " print(len(json.load(sys.stdin)[\"runs\"]))'");
    assert_string_equal(output, "2\n");
    passes(TEST_BUILD "/assay db export --prometheus both --db \"$DB\" | grep -c '^assay_run_info'");
    assert_string_equal(output, "2\n");
    assert_int_equal(run("ls $D | grep tmp"), 1);
    passes("stat -c %a $D/out.junit"); /* others may read it */
    struct stat found;
    const mode_t mask = umask(0);
    umask(mask);
    char path[128];
    snprintf(path, sizeof path, "%s/out.junit", folder);
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0666 & ~mask);
}

/* A failed export leaves the old file. */
static void whole_or_not(void **state)
{
    (void)state;
    db_fixture(db, 1);
    passes("echo old >$D/out.csv; ulimit -f 1; trap '' XFSZ; ! " TEST_BUILD
           "/assay db export --jsonl --db \"$DB\" --to"
           " $D/out.csv && cat $D/out.csv");
    says("old\n");
    assert_int_equal(run("ls $D | grep tmp"), 1);
}

/* Export `db` to `path` by the program; the most memory that it had, in KiB. */
static long peak_kib(enum export_format format, const char *path)
{
    char option[24];
    struct rusage usage;
    int status = -1;
    snprintf(option, sizeof option, "--%s", export_name(format));
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execl(TEST_BUILD "/assay", "assay", "db", "export", option, "--db", db, "--to", path, "--quiet",
              (char *)NULL);
        _exit(127);
    }
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_int_equal(status, 0);
    return usage.ru_maxrss;
}

/* Rows are written as they are read: with many more of them a program needs what SQLite keeps of the file, and no more. */
static void streams(void **state)
{
    enum { ROWS = 40000, ROOM_KIB = 6 << 10 }; /* a row is 300 bytes of CSV: 12 MiB if they were kept */
    long few[EXPORT_FORMATS];
    char path[128];
    struct stat file;
    (void)state;
    snprintf(path, sizeof path, "%s/out", folder);
    db_fixture(db, 1);
    for (int f = 0; f < EXPORT_FORMATS; f++) few[f] = peak_kib((enum export_format)f, path);
    db_execute(db, "BEGIN; INSERT INTO plan SELECT 1, n, 1, 1, 'matmul.cpu.plain', '', 'command line' FROM "
                   "(WITH RECURSIVE"
                   " c(n) AS (VALUES (8) UNION ALL SELECT n + 1 FROM c WHERE n < 40007) SELECT n FROM c);"
                   "INSERT INTO result (run_id, seq, attempt, kernel_id, verdict, rung, oracle, "
                   "oracle_version, elems, judged,"
                   " differing, first_index, got, want, digest, wall_ns, reason, repro, recorded_utc) SELECT "
                   "1, seq, 1, 1,"
                   " 'PASS', 'EXACT', 'contract', 1, 1, 1, 0, '', '', '', '0123456789abcdef', 5, '', '', '' "
                   "FROM plan WHERE"
                   " seq >= 8; COMMIT");
    assert_int_equal(stat(db, &file), 0);
    for (int f = 0; f < EXPORT_FORMATS; f++) {
        const long many = peak_kib((enum export_format)f, path);
#if !defined ASSAY_BUILD_SANITIZER /* which keeps freed memory, and shadows of all */
        if (many > few[f] + file.st_size / 1024 + ROOM_KIB)
            fail_msg("%s: %ld KiB for %d rows, %ld KiB for few, in a file of %ld KiB",
                     export_name((enum export_format)f), many, ROWS, few[f], (long)file.st_size / 1024);
#else
        assert_true(many > 0 && few[f] > 0);
#endif
        passes("wc -l <$D/out");
        const int lines = atoi(output);
        if (f == EXPORT_CSV || f == EXPORT_JSONL || f == EXPORT_TAP || f == EXPORT_JUNIT)
            assert_true(lines > ROWS);
        else
            assert_in_range(lines, 1, 200);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(parsers), TEST(real_runs), TEST(odd_runs), TEST(words), TEST(whole_or_not), TEST(streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
