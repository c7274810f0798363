/* Options: every kind of value, environment words, errors that name the word, help, completion, docs/cli.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/options.h"

static struct options options;
static struct assay_error error;

/* A planted environment: name, value, ... */
static const char *const *planted;

static char *planted_word(const char *name)
{
    for (const char *const *pair = planted; pair && *pair; pair += 2)
        if (strcmp(pair[0], name) == 0) return (char *)pair[1];
    return NULL;
}

static enum assay_status parse_in(const char *const *words, const char *const *list)
{
    char *argv[80] = {(char *)"assay"};
    int argc = 1;
    for (; list && *list; list++) argv[argc++] = (char *)*list;
    planted = words;
    memset(&error, 0, sizeof error);
    return options_parse(argc, argv, words ? planted_word : NULL, &options, &error);
}

#define PARSE(...) parse_in(NULL, (const char *const[]){__VA_ARGS__, NULL})
#define PARSE_ENV(name, value, ...)                                                                          \
    parse_in((const char *const[]){name, value, NULL}, (const char *const[]){__VA_ARGS__, NULL})

static void says(const char *text)
{
    if (!strstr(error.text, text)) fail_msg("expected '%s', got '%s'", text, error.text);
}

static void test_defaults(void **state)
{
    (void)state;
    assert_int_equal(PARSE("run"), ASSAY_OK);
    assert_string_equal(options.verb, "run");
    assert_string_equal(options.program, "assay");
    assert_string_equal(options.db, "assay.db");
    assert_string_equal(options.onnx_data, "/usr/share/libonnx-testdata/data");
    assert_int_equal(options.level, LEVEL_QUICK);
    assert_int_equal(options.samples, 5);
    assert_int_equal(options.timeout_s, 60);
    assert_int_equal(options.threads, 0);
    assert_int_equal(options.device_count + options.arg_count, 0);
    assert_false(options.allow_software || options.json || options.quiet || options.seed_given ||
                 options.all);
    assert_null(options.variant);
}

static void test_values(void **state)
{
    (void)state;
    assert_int_equal(PARSE("run", "--device", "vulkan:0", "a*", "--device=2,cuda:1", "--level", "full",
                           "--db=x.db", "--out", "o", "--corpus", "c", "--kernel", "*.b.*", "--fma",
                           "guarded", "--seed", "FFFFffffFFFFffff", "--samples=0", "--timeout", "1",
                           "--threads", "3", "--max-binding", "128M", "--engine", "e.so", "--engine-args",
                           "x y", "--vulkan-lib", "none", "--cuda-lib", "l", "--allow-software", "--all",
                           "--json", "--quiet", "--vulkan-staging", "--no-cpu-simd", "--lock-dir", "/l",
                           "--onnx-data", "/d", "--", "--b*"),
                     ASSAY_OK);
    assert_int_equal(options.device_count, 3);
    assert_string_equal(options.device[0], "vulkan:0");
    assert_string_equal(options.device[1], "2");
    assert_string_equal(options.device[2], "cuda:1");
    assert_int_equal(options.arg_count, 2);
    assert_string_equal(options.arg[0], "a*");
    assert_string_equal(options.arg[1], "--b*");
    assert_int_equal(options.level, LEVEL_FULL);
    assert_string_equal(options.db, "x.db");
    assert_string_equal(options.out, "o");
    assert_string_equal(options.variant, "guarded");
    assert_true(options.seed_given && options.seed == UINT64_MAX);
    assert_int_equal(options.samples, 0);
    assert_int_equal(options.timeout_s, 1);
    assert_int_equal(options.max_binding_bytes, 128 << 20);
    assert_true(options.allow_software && options.all && options.json && options.quiet);

    struct adapter_options adapter;
    options_adapter(&options, &adapter);
    assert_int_equal(adapter.size, sizeof adapter);
    assert_string_equal(adapter.vulkan_lib, "none");
    assert_string_equal(adapter.cuda_lib, "l");
    assert_string_equal(adapter.variant, "guarded");
    assert_string_equal(adapter.engine_args, "x y");
    assert_string_equal(adapter.lock_dir, "/l");
    assert_int_equal(adapter.cpu_threads, 3);
    assert_int_equal(adapter.max_binding_bytes, 128 << 20);
    assert_true(adapter.vulkan_staging && adapter.no_cpu_simd && adapter.allow_software);
    assert_int_equal(PARSE("run", "--fma", "auto"), ASSAY_OK);
    assert_null(options.variant);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *argument[4], *says;
    } bad[] = {
        {{NULL}, "a verb is missing"},
        {{"verfy"}, "verb 'verfy' is unknown; did you mean verify?"},
        {{"\x1b[31m"}, "verb '\\x1b[31m' is unknown"},
        {{"run", "--devise", "0"}, "option '--devise' is unknown; did you mean --device?"},
        {{"run", "-x"}, "option '-x' is unknown; `assay run --help` lists them"},
        {{"run", "--ops"}, "--ops is no option of this verb, but of list"},
        {{"devices", "--level", "full"}, "--level is no option of this verb, but of list, run, verify"},
        {{"run", "--db"}, "--db needs a value: FILE"},
        {{"run", "--db="}, "--db is empty"},
        {{"run", "--json=1"}, "--json takes no value"},
        {{"run", "--level", "quickly"},
         "--level: 'quickly' is unknown; did you mean quick?; allowed: quick, standard, full"},
        {{"run", "--samples", "33"}, "--samples is '33'; allowed: a number from 0 to 32"},
        {{"run", "--samples", "five"}, "--samples is 'five'; allowed: a number"},
        {{"run", "--samples", "-1"}, "--samples is '-1'"},
        {{"run", "--timeout", "0"}, "--timeout is '0'; allowed: a number from 1 to 86400"},
        {{"run", "--timeout", "1e3"}, "--timeout is '1e3'"},
        {{"run", "--threads", "99999999999999999999"}, "--threads is '99999999999999999999'"},
        {{"run", "--max-binding", "1T"}, "--max-binding is '1T'"},
        {{"run", "--max-binding", "M"}, "--max-binding is 'M'"},
        {{"run", "--max-binding", "9223372036854775807K"}, "--max-binding is"},
        {{"run", "--seed", "0x1"}, "--seed is '0x1'; allowed: 1 to 16 hex digits"},
        {{"run", "--fma", "nativ"}, "--fma: 'nativ' is unknown; did you mean native?"},
        {{"run", "--device", "0,,1"}, "--device holds an empty word"},
        {{"run", "--device", ""}, "--device holds an empty word"},
        {{"run", "--label", "latest"}, "--label is 'latest'; allowed: 1 to 200 bytes of printable text"},
        {{"run", "--label", "previous"}, "--label is 'previous'; allowed"},
        {{"verify", "--label", "all"}, "--label is 'all'; allowed"},
        {{"bench", "--label", "12"}, "--label is '12'; allowed"},
        {{"run", "--label", "1234567890123456789012345"}, "allowed: 1 to 200 bytes"},
        {{"run", "--label=key=12"}, "--label is 'key=12'; allowed"},
        {{"run", "--label", "two\nlines"}, "--label is 'two\\x0alines'; allowed"},
        {{"run", "--label", "\xff"}, "--label is '\\xff'; allowed"},
        {{"run", "--label", ""}, "--label is ''; allowed"},
        {{"replay"}, "replay needs CASE..."},
        {{"devices", "0"}, "devices: unexpected '0'; usage: assay devices [OPTIONS]"},
        {{"report", "1", "2"}, "report: unexpected '2'; usage: assay report [OPTIONS] [RUN]"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *list[5] = {bad[i].argument[0], bad[i].argument[1], bad[i].argument[2], bad[i].argument[3],
                               NULL};
        assert_int_equal(parse_in(NULL, list), ASSAY_INVALID_INPUT);
        says(bad[i].says);
    }
    static char label[202];
    memset(label, 'n', 201);
    assert_int_equal(PARSE("run", "--label", label), ASSAY_INVALID_INPUT);
    says("allowed: 1 to 200 bytes");
    static const char *const good[] = {label + 1,
                                       "night 7",
                                       "3fa9c1d",
                                       "latest-2",
                                       "7 nights",
                                       "n\xc3\xa4"
                                       "chtlich"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(PARSE("run", "--label", good[i]), ASSAY_OK);
        assert_string_equal(options.label, good[i]);
    }
    const char *many[70] = {"run"};
    for (int i = 1; i < 67; i++) many[i] = "x";
    assert_int_equal(parse_in(NULL, many), ASSAY_INVALID_INPUT);
    says("more than 64 arguments");
    for (int i = 1; i < 67; i++) many[i] = "--device=0";
    assert_int_equal(parse_in(NULL, many), ASSAY_INVALID_INPUT);
    says("more devices than can be run");
}

/* unslothai/unsloth#10613: 0, empty and unset all mean off. */
static void test_switch_words(void **state)
{
    (void)state;
    static const char *const off[] = {"0", "", "off", "no", "false"}, *const on[] = {"1", "on", "yes",
                                                                                     "true"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        assert_int_equal(PARSE_ENV("ASSAY_ALLOW_SOFTWARE", off[i], "run"), ASSAY_OK);
        assert_false(options.allow_software);
    }
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        assert_int_equal(PARSE_ENV("ASSAY_ALLOW_SOFTWARE", on[i], "run"), ASSAY_OK);
        assert_true(options.allow_software);
    }
    assert_int_equal(PARSE_ENV("ASSAY_ALLOW_SOFTWARE", "maybe", "run"), ASSAY_INVALID_INPUT);
    says("ASSAY_ALLOW_SOFTWARE is 'maybe'; allowed: 1 or 0");
}

static void test_words(void **state)
{
    (void)state;
    static const char *const numbers[] = {"ASSAY_THREADS", "ASSAY_TIMEOUT", "ASSAY_SAMPLES",
                                          "ASSAY_MAX_BINDING"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        /* Checked whatever the verb: a wrong word must not wait for the verb that reads it. */
        assert_int_equal(PARSE_ENV(numbers[i], "four", "help"), ASSAY_INVALID_INPUT);
        says(numbers[i]);
        says("'four'");
        assert_int_equal(PARSE_ENV(numbers[i], "4 ", "run"), ASSAY_INVALID_INPUT);
        assert_int_equal(PARSE_ENV(numbers[i], "", "run"), ASSAY_OK);
        assert_int_equal(PARSE_ENV(numbers[i], "4", "run"), ASSAY_OK);
    }
    assert_int_equal(PARSE_ENV("ASSAY_LEVEL", "huge", "run"), ASSAY_INVALID_INPUT);
    says("ASSAY_LEVEL: 'huge' is unknown");
    assert_int_equal(PARSE_ENV("ASSAY_FMA", "fast", "run"), ASSAY_INVALID_INPUT);
    says("ASSAY_FMA: 'fast' is unknown");
    assert_int_equal(PARSE_ENV("ASSAY_DB", "env.db", "run"), ASSAY_OK);
    assert_string_equal(options.db, "env.db");
    assert_int_equal(PARSE_ENV("ASSAY_DB", "env.db", "run", "--db", "line.db"), ASSAY_OK);
    assert_string_equal(options.db, "line.db");
}

/* Row D11. */
static void test_device_word(void **state)
{
    (void)state;
    assert_int_equal(PARSE_ENV("ASSAY_DEVICE", "2, 0", "run"), ASSAY_OK);
    assert_int_equal(options.device_count, 2);
    assert_string_equal(options.device[0], "2");
    assert_string_equal(options.device[1], "0");
    static const char *const off[] = {"off", "none", "cpu", " off "};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        assert_int_equal(PARSE_ENV("ASSAY_DEVICE", off[i], "run"), ASSAY_OK);
        assert_int_equal(options.device_count, 1);
        assert_string_equal(options.device[0], "cpu");
    }
    assert_int_equal(PARSE_ENV("ASSAY_DEVICE", "0,,1", "run"), ASSAY_INVALID_INPUT);
    says("ASSAY_DEVICE holds an empty word");
    /* The command line replaces the word, it does not add to it. */
    assert_int_equal(PARSE_ENV("ASSAY_DEVICE", "2,0", "run", "--device", "1", "--device", "3"), ASSAY_OK);
    assert_int_equal(options.device_count, 2);
    assert_string_equal(options.device[0], "1");
    assert_string_equal(options.device[1], "3");
}

static void test_command(void **state)
{
    (void)state;
    assert_int_equal(PARSE("run", "matmul/*", "it's", "", "--db", "a b"), ASSAY_OK);
    assert_string_equal(options.command, "assay run 'matmul/*' 'it'\\''s' '' --db 'a b'");
    char *long_argument = malloc(5000);
    memset(long_argument, 'x', 4999);
    long_argument[4999] = 0;
    assert_int_equal(PARSE("run", long_argument), ASSAY_OK);
    assert_int_equal(strlen(options.command), sizeof options.command - 1);
    free(long_argument);
}

static void test_help(void **state)
{
    (void)state;
    static const char *const verbs[] = {"devices", "probe",    "list",       "run",  "verify", "replay",
                                        "report",  "selftest", "completion", "help", "version"};
    char *all = options_help(NULL);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        assert_non_null(strstr(all, verbs[i]));
        assert_int_equal(PARSE(verbs[i], "--help"), ASSAY_OK);
        assert_true(options.help);
        char *text = options_help(verbs[i]);
        char usage[64];
        snprintf(usage, sizeof usage, "usage: assay %s ", verbs[i]);
        assert_non_null(strstr(text, usage));
        assert_non_null(strstr(text, "examples:\n  "));
        assert_non_null(strstr(text, "2  a card or a case failed"));
        assert_null(strstr(text, " \n"));
        /* Lines fit a terminal. */
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            assert_true(strlen(line) <= 150);
        free(text);
    }
    assert_null(strstr(all, "worker"));
    free(all);
    assert_int_equal(PARSE("--help"), ASSAY_OK);
    assert_string_equal(options.verb, "help");
    assert_int_equal(PARSE("--version"), ASSAY_OK);
    assert_string_equal(options.verb, "version");
    assert_int_equal(PARSE("run", "-h"), ASSAY_OK);
    assert_true(options.help);
    /* Help is given even where arguments are missing. */
    assert_int_equal(PARSE("replay", "--help"), ASSAY_OK);
}

static void test_document(void **state)
{
    (void)state;
    char *want = options_markdown();
    FILE *file = fopen("docs/cli.md", "rb");
    assert_non_null(file);
    char *got = calloc(1, strlen(want) + 2);
    size_t bytes = fread(got, 1, strlen(want) + 1, file);
    fclose(file);
    if (bytes != strlen(want) || memcmp(got, want, bytes) != 0)
        fail_msg("docs/cli.md is old: write it again with `build/assay help markdown >docs/cli.md`");
    free(got);
    free(want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_values),
        cmocka_unit_test(test_errors),   cmocka_unit_test(test_switch_words),
        cmocka_unit_test(test_words),    cmocka_unit_test(test_device_word),
        cmocka_unit_test(test_command),  cmocka_unit_test(test_help),
        cmocka_unit_test(test_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
