/* The program as people meet it: exit codes, answers for people and for programs, errors in one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "harness/options.h"

#define ASSAY  "env -i " TEST_BUILD "/assay "
#define NO_GPU " --vulkan-lib none --cuda-lib none"

static char output[4 << 20];

/* Run a shell command with both streams joined; its output is in `output`. */
static int run(const char *command)
{
    char line[2048];
    snprintf(line, sizeof line, "{ %s ; } 2>&1", command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t used = fread(output, 1, sizeof output - 1, pipe);
    output[used] = 0;
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void says(const char *text)
{
    if (!strstr(output, text)) fail_msg("expected '%s', got:\n%.2000s", text, output);
}

static json_t *answer(void)
{
    json_error_t where;
    json_t *json = json_loads(output, JSON_REJECT_DUPLICATES, &where);
    if (!json) fail_msg("no JSON, line %d: %s\n%.2000s", where.line, where.text, output);
    return json;
}

static void test_usage(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        int code;
        const char *says;
    } table[] = {
        {ASSAY, EXIT_ERROR, "assay: a verb is missing"},
        {ASSAY "--help", EXIT_PASS, "usage: assay VERB"},
        {ASSAY "help run", EXIT_PASS, "usage: assay run"},
        {ASSAY "help nonsense", EXIT_PASS, "usage: assay VERB"},
        {ASSAY "--version", EXIT_PASS, "assay "},
        {ASSAY "runs", EXIT_ERROR, "did you mean run?"},
        {ASSAY "list --kernels x", EXIT_ERROR, "did you mean --kernel?"},
        {ASSAY "completion zsh", EXIT_ERROR, "for bash only"},
        {ASSAY "completion bash", EXIT_PASS, "complete -o default -F _assay assay"},
        {"env -i ASSAY_TIMEOUT=soon " TEST_BUILD "/assay list", EXIT_ERROR,
         "assay: ASSAY_TIMEOUT is 'soon'; allowed: a number from 1 to 86400"},
        {"env -i ASSAY_LEVEL=full " TEST_BUILD "/assay list 'matmul/f32/m=4096,n=4096,*'", EXIT_PASS,
         "full      matmul"},
        {ASSAY "list 'matmul/f32/m=1,n=1/fill=ones/seed=1'", EXIT_ERROR, "axis k is missing"},
        {ASSAY "list 'conv/*'", EXIT_ERROR, "matches no case"},
        {ASSAY "list --corpus /nonexistent.cases", EXIT_ERROR, "/nonexistent.cases cannot be opened"},
        {ASSAY "devices --engine /nonexistent.so", EXIT_ERROR, "engine cannot be loaded"},
        {ASSAY "devices --engine " TEST_BUILD "/tests/stub_no_engine.so", EXIT_ERROR,
         "exports no assay_adapter()"},
        {"STUB_DESCRIBE='{\"devices\": 1}' " TEST_BUILD "/assay devices --engine " TEST_BUILD
         "/tests/stub_bad_engine.so",
         EXIT_ERROR, "no array 'devices'"},
        {ASSAY "probe --device gpu" NO_GPU, EXIT_ERROR, "'gpu' names no device; there is 0 = cpu:0"},
        {ASSAY "probe --device cuda:7" NO_GPU, EXIT_NOTHING, "no device 'cuda:7' on this machine"},
        {ASSAY "report --db /nonexistent/x.db", EXIT_ERROR, "/nonexistent/x.db"},
        {ASSAY "report --plots gif", EXIT_ERROR, "none, svg, png"},
        {ASSAY "list > /dev/full", EXIT_ERROR, "cannot write to standard output"},
        {ASSAY "help > /dev/full", EXIT_ERROR, "cannot write to standard output"},
        {ASSAY "devices > /dev/full", EXIT_ERROR, "cannot write to standard output"},
        {ASSAY "selftest > /dev/full", EXIT_ERROR, "cannot write to standard output"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        int code = run(table[i].command);
        if (code != table[i].code)
            fail_msg("%s: exit %d, not %d\n%.2000s", table[i].command, code, table[i].code, output);
        says(table[i].says);
        if (code != EXIT_PASS) assert_int_equal(strncmp(output, "assay: ", 7), 0);
    }
}

/* The text of a run is lost: the record is complete all the same, and says so. */
static void test_lost_text(void **state)
{
    (void)state;
    char command[600], db[64];
    snprintf(db, sizeof db, "/tmp/assay-test-cli-%d.db", (int)getpid());
    static const char *const how[] = {"", "--json ", "--quiet "};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        snprintf(command, sizeof command,
                 ASSAY "run 'matmul/f32/m=5,n=6,k=20/fill=normal/seed=1' %s--device cpu --db %s" NO_GPU
                       " >/dev/full",
                 how[i], db);
        assert_int_equal(run(command), EXIT_ERROR);
        says("assay: cannot write to standard output");
        snprintf(command, sizeof command, ASSAY "report --db %s", db);
        assert_int_equal(run(command), EXIT_PASS);
        says("cannot write to standard output; the results are recorded");
        says("| passed |");
        unlink(db);
    }
    snprintf(command, sizeof command, "rm -f %s*", db);
    assert_int_equal(system(command), 0);
}

/* A wrong case or corpus line is found before anything is written. */
static void test_nothing_lost(void **state)
{
    (void)state;
    char command[600], path[64], db[64];
    snprintf(path, sizeof path, "/tmp/assay-test-cli-%d.cases", (int)getpid());
    snprintf(db, sizeof db, "/tmp/assay-test-cli-%d.db", (int)getpid());
    snprintf(command, sizeof command, ASSAY "run 'matmul/f32/m=1,n=2,k=x/fill=ones/seed=1' --db %s" NO_GPU,
             db);
    assert_int_equal(run(command), EXIT_ERROR);
    says("k is 'x', which is no integer");
    assert_int_not_equal(access(db, F_OK), 0);
    snprintf(command, sizeof command,
             "printf '# why\\n\\n# x\\nmatmul/f32/m=1\\n' >%s; " ASSAY "run --corpus %s --db %s" NO_GPU, path,
             path, db);
    assert_int_equal(run(command), EXIT_ERROR);
    snprintf(command, sizeof command, "%s:4: matmul: axis n is missing", path);
    says(command);
    assert_int_not_equal(access(db, F_OK), 0);
    unlink(path);
}

static void test_devices(void **state)
{
    (void)state;
    assert_int_equal(run(ASSAY "devices" NO_GPU), EXIT_PASS);
    says(" 0  cpu:0");
    says("used");
    assert_int_equal(run(ASSAY "devices --json" NO_GPU), EXIT_PASS);
    json_t *json = answer();
    const json_t *devices = json_object_get(json, "devices");
    assert_int_equal(json_array_size(devices), 1);
    assert_true(json_is_array(json_object_get(json, "notes")));
    assert_true(json_is_array(json_object_get(json, "kernels")));
    const json_t *cpu = json_array_get(devices, 0);
    static const struct {
        const char *key;
        json_type type;
    } keys[] = {
        {"label", JSON_STRING}, {"backend", JSON_STRING}, {"index", JSON_INTEGER},
        {"name", JSON_STRING},  {"driver", JSON_STRING},  {"key", JSON_STRING},
        {"kind", JSON_STRING},  {"usable", JSON_TRUE},    {"software", JSON_FALSE},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const json_t *value = json_object_get(cpu, keys[i].key);
        if (!value || json_typeof(value) != keys[i].type) fail_msg("devices --json: %s", keys[i].key);
    }
    json_decref(json);
}

static void test_probe(void **state)
{
    (void)state;
    assert_int_equal(run(ASSAY "probe --device cpu" NO_GPU), EXIT_PASS);
    says("fused multiply-add: native");
    says("kernel matmul.cpu.plain.exact");
    assert_int_equal(run(ASSAY "probe --device 0 --json" NO_GPU), EXIT_PASS);
    json_t *json = answer(), *cpu = json_object_get(json, "cpu:0");
    assert_string_equal(json_string_value(json_object_get(cpu, "variant")), "native");
    assert_true(json_array_size(json_object_get(cpu, "traits")) > 0);
    json_decref(json);
    assert_int_equal(run("STUB_DESCRIBE='{\"devices\": [{\"label\": \"x:0\", \"backend\": \"x\", \"index\": "
                         "0, \"usable\": "
                         "true}]}' " TEST_BUILD "/assay probe --engine " TEST_BUILD
                         "/tests/stub_bad_engine.so"),
                     EXIT_ERROR);
    says("probe() of x:0 is no JSON");
}

/* Row H16: every case with its reason; the count is pinned in test_corpus.c. */
static void test_list(void **state)
{
    (void)state;
    assert_int_equal(run(ASSAY "list 2>/dev/null"), EXIT_PASS);
    size_t lines = 0, reasons = 0;
    for (const char *c = output; *c; c = strchr(c, '\n') + 1) {
        lines += strncmp(c, "quick     ", 10) == 0;
        reasons += strncmp(c, "# ", 2) == 0;
    }
    assert_true(reasons > 50);
    assert_int_equal(run(ASSAY "list --json"), EXIT_PASS);
    json_t *json = answer();
    assert_int_equal(json_array_size(json), lines);
    for (size_t i = 0; i < lines; i++) {
        const json_t *row = json_array_get(json, i);
        assert_true(strlen(json_string_value(json_object_get(row, "why"))) > 5);
        assert_true(json_string_value(json_object_get(row, "case")) &&
                    json_string_value(json_object_get(row, "source")));
    }
    json_decref(json);
    assert_int_equal(run(ASSAY "list --ops" NO_GPU), EXIT_PASS);
    says("matmul.cpu.plain.exact");
    says("matmul.cuda.");
    assert_int_equal(run(ASSAY "list --ops --json --kernel 'matmul.cpu.*'" NO_GPU), EXIT_PASS);
    json = answer();
    assert_true(json_array_size(json) > 0);
    for (size_t i = 0; i < json_array_size(json); i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(json, i), "backend")), "cpu");
    json_decref(json);
}

/* The cases of a file's Q1_0 tensors, by level, each with the tensor as its reason. */
static void test_list_gguf(void **state)
{
    (void)state;
    assert_int_equal(run(ASSAY "list --gguf corpus/small.gguf"), EXIT_PASS);
    says("# tensor 'blk.0.ffn_up.weight'\nquick     "
         "q1_0/u8/m=64,n=1,k=256/of=70,at=4/fill=layer/seed=1/file=blk.0.ffn_up.weight\n");
    says("file=blk.0.experts%2F%7Ba%2Cb%7D%20%231%2A\n4 cases");
    assert_int_equal(run(ASSAY "list --gguf corpus/small.gguf --level full --json"), EXIT_PASS);
    json_t *json = answer();
    assert_int_equal(json_array_size(json), 4);
    const json_t *first = json_array_get(json, 0);
    assert_string_equal(json_string_value(json_object_get(first, "case")),
                        "q1_0/u8/m=600,n=1,k=256/fill=layer/seed=1/file=token_embd.weight");
    assert_string_equal(json_string_value(json_object_get(first, "source")), "corpus/small.gguf:1");
    json_decref(json);
    assert_int_equal(run(ASSAY "list --gguf corpus/small.gguf --gguf-hash 0"), EXIT_ERROR);
    assert_int_equal(run(ASSAY "list --gguf /nowhere"), EXIT_ERROR);
    says("GGUF file /nowhere cannot be opened");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage),     cmocka_unit_test(test_nothing_lost),
        cmocka_unit_test(test_lost_text), cmocka_unit_test(test_devices),
        cmocka_unit_test(test_probe),     cmocka_unit_test(test_list),
        cmocka_unit_test(test_list_gguf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
