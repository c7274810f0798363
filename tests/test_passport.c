/* The program on trust, as people and scripts meet it: passport, the line of a device, where records live, rented GPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/options.h"

#define UUID  "11111111-2222-3333-4444-555555555555"
#define STUB  " --engine " TEST_BUILD "/tests/stub_faulty.so"
#define LINES "# cases of the test's own\\nmatmul/f32/m=5,n=6,k=7/fill=normal/seed=2\\n"

static char folder[64], output[1 << 18];

/* Run the program with words of the environment before it and arguments after it; both streams are in `output`. */
static int assay(const char *words, const char *arguments)
{
    char line[2048];
    snprintf(line, sizeof line, "{ env -i STUB_UUID=" UUID " %s " TEST_BUILD "/assay %s ; } 2>&1", words,
             arguments);
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
    if (!strstr(output, text)) fail_msg("expected '%s', got:\n%.3000s", text, output);
}

static int setup(void **state)
{
    char command[256];
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/assay-test-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(command, sizeof command, "printf \"" LINES "\" >%s/test.cases", folder);
    return system(command);
}

static int teardown(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void verify(const char *words, const char *fault, int want)
{
    char arguments[512];
    snprintf(arguments, sizeof arguments,
             "verify" STUB " --engine-args %s --corpus %s/test.cases --db %s/assay.db --quiet", fault, folder,
             folder);
    assert_int_equal(assay(words, arguments), want);
}

static void passports(void **state)
{
    char words[128], first_line[256];
    (void)state;
    snprintf(words, sizeof words, "ASSAY_TRUST_DIR=%s/trust", folder);
    assert_int_equal(assay(words, "passport" STUB), EXIT_PASS);
    says("  trust      not trusted: it has no trust record");
    assert_int_equal(assay(words, "devices" STUB), EXIT_PASS);
    says("used, not trusted: not verified yet");

    verify(words, "none", EXIT_PASS);
    assert_int_equal(assay(words, "passport" STUB), EXIT_PASS);
    snprintf(first_line, sizeof first_line, "%.40s", output);
    assert_int_equal(strncmp(first_line, "stub:0  Stub card\n", 18), 0);
    says("  uuid       " UUID "\n");
    says("  driver     stub 1\n");
    says("  arithmetic fused multiply-add native (it is a stub); of 10 probed results 0 differ");
    says(", by assay 0.1.0, revision ");
    says("  level      quick, corpus ");
    says("  judged     1 of 1 cases passed, 0 not judged, 0 above the level's cap; 30 elements\n");
    says("matmul       f32    normal          1 cases           30 elements\n");
    says("  kernel     matmul.stub.plain.exact                  0123456789abcdef  1 cases\n");
    says("  trust      trusted\n");
    says("  stale      it was judged with the corpus ");
    assert_int_equal(assay(words, "devices" STUB), EXIT_PASS);
    says("used, trusted (quick, 20");
    assert_int_equal(assay(words, "devices --json" STUB), EXIT_PASS);
    json_t *list = json_loads(output, 0, NULL),
           *trust = json_object_get(json_array_get(json_object_get(list, "devices"), 0), "trust");
    assert_string_equal(json_string_value(json_object_get(trust, "state")), "trusted");
    json_decref(list);

    assert_int_equal(assay(words, "passport" STUB " --device stub:0 --json"), EXIT_PASS);
    json_t *root = json_loads(output, 0, NULL), *answer = json_array_get(root, 0);
    assert_int_equal(json_array_size(root), 1);
    assert_string_equal(json_string_value(json_object_get(answer, "state")), "trusted");
    assert_true(json_is_true(json_object_get(json_object_get(answer, "record"), "trusted")));
    assert_string_equal(json_string_value(json_object_get(json_object_get(answer, "probe"), "variant")),
                        "native");
    assert_string_equal(json_string_value(json_object_get(json_object_get(answer, "device"), "uuid")), UUID);
    json_decref(root);

    verify(words, "flip", EXIT_FAILED);
    assert_int_equal(assay(words, "passport" STUB), EXIT_PASS);
    says("  trust      not trusted: DIFF matmul/f32/m=5,n=6,k=7");
    assert_int_equal(assay(words, "devices" STUB), EXIT_PASS);
    says("used, not trusted: DIFF matmul/f32/m=5,n=6,k=7");
    assert_int_equal(assay(words, "passport --device cuda:9" STUB), EXIT_NOTHING);
    says("no device 'cuda:9' on this machine");
    assert_int_equal(assay(words, "passport --device cpu --vulkan-lib none --cuda-lib none"), EXIT_PASS);
    says("  trust      exempt: the CPU is the reference and needs no record");
}

/* --trust-dir, ASSAY_TRUST_DIR, XDG_STATE_HOME, HOME: the first that is set. */
static void where_records_live(void **state)
{
    static const struct {
        const char *words, *place;
    } table[] = {
        {"ASSAY_TRUST_DIR=%s/a XDG_STATE_HOME=%s/b HOME=%s/c", "a"},
        {"XDG_STATE_HOME=%s/b HOME=%s/c", "b/assay"},
        {"HOME=%s/c", "c/.local/state/assay"},
        {"XDG_STATE_HOME=relative HOME=%s/d", "d/.local/state/assay"},
    };
    char words[256], path[256];
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t used = 0;
        for (const char *c = table[i].words; *c; c++) {
            bool here = c[0] == '%' && c[1] == 's';
            used +=
                (size_t)snprintf(words + used, sizeof words - used, here ? "%s" : "%.1s", here ? folder : c);
            c += here;
        }
        snprintf(path, sizeof path, "%s/%s/" UUID ".stub.stub.json", folder, table[i].place);
        assert_int_not_equal(access(path, F_OK), 0);
        verify(words, "none", EXIT_PASS);
        if (access(path, F_OK) != 0) fail_msg("no %s\n%s", path, output);
    }
    verify("", "none", EXIT_PASS); /* nowhere: judged all the same */
    says("no trust record is kept: no folder of trust records is set");
}

static void rented(void **state)
{
    char words[128], arguments[256];
    (void)state;
    snprintf(words, sizeof words,
             "printf '[{\"name\": \"h200x8\", \"accelerator\": {\"type\": \"gpu\", \"model\": "
             "\"H200\", \"quantity\": \"8\"");
    char command[600];
    snprintf(command, sizeof command,
             "%s, \"vram\": \"1128 GB\", \"manufacturer\": \"Nvidia\"}, \"unitCostUSD\": 0.6666667, "
             "\"unitLabel\": "
             "\"minute\"}]' >%s/list.json",
             words, folder);
    assert_int_equal(system(command), 0);
    snprintf(arguments, sizeof arguments, "devices --rented %s/list.json --vulkan-lib none --cuda-lib none",
             folder);
    assert_int_equal(assay("", arguments), EXIT_PASS);
    says(" 1  rented:0  h200x8 (8 x Nvidia H200)");
    says("not used: rented, 40.00 USD an hour");
    strcat(arguments, " --json");
    assert_int_equal(assay("", arguments), EXIT_PASS);
    json_t *root = json_loads(output, 0, NULL), *device = json_array_get(json_object_get(root, "devices"), 1);
    assert_string_equal(json_string_value(json_object_get(device, "kind")), "remote");
    assert_true(json_is_false(json_object_get(device, "usable")));
    assert_int_equal(json_array_size(json_object_get(root, "selected")), 0);
    json_decref(root);
    snprintf(command, sizeof command, "echo '{}' >%s/list.json", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(assay("", arguments), EXIT_ERROR);
    says("is no JSON array");
    assert_int_equal(assay("", "report --rented x"), EXIT_ERROR);
    says("--rented is no option of this verb, but of devices, run, verify");
    assert_int_equal(assay("ASSAY_GPU=0,x", "devices"), EXIT_ERROR);
    says("ASSAY_GPU: 'x' is no index");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(passports, setup, teardown),
        cmocka_unit_test_setup_teardown(where_records_live, setup, teardown),
        cmocka_unit_test_setup_teardown(rented, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
