/* The verb exhaust: our own engine on a block of every function, and an engine that is wrong in one input of a block. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "harness/exhaust.h"
#include "harness/options.h"

#define STUB " --engine " TEST_BUILD "/tests/stub_unary.so --device stub:0"

/* The exit code; output in text, errors too. */
static int call(const char *words, char *text, size_t bytes)
{
    char line[512];
    snprintf(line, sizeof line, TEST_BUILD "/assay exhaust %s 2>&1", words);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    text[fread(text, 1, bytes - 1, pipe)] = '\0';
    return WEXITSTATUS(pclose(pipe));
}

static void names(void **state)
{
    (void)state;
    size_t count = 0;
    bool found = false;
    for (; exhaust_name(count); count++) found |= strcmp(exhaust_name(count), "gelu_tanh") == 0;
    assert_int_equal(count, 16);
    assert_true(found);
}

/* Block 3f8 holds 1 to 1.125. */
static void all_pass(void **state)
{
    (void)state;
    static char text[1 << 16];
    assert_int_equal(call("all --device cpu --shard 1017/4096 --json", text, sizeof text), EXIT_PASS);
    json_t *root = json_loads(text, 0, NULL), *list = json_object_get(root, "functions"), *one;
    size_t i;
    assert_int_equal(json_array_size(list), 16);
    json_array_foreach(list, i, one)
    {
        assert_string_equal(json_string_value(json_object_get(one, "verdict")), "PASS");
        assert_int_equal(json_integer_value(json_object_get(one, "inputs")), EXHAUST_BLOCK_ELEMS);
        assert_false(json_is_true(json_object_get(one, "all")));
    }
    json_decref(root);
}

static void wrong_input_is_found(void **state)
{
    (void)state;
    static char text[4096];
    assert_int_equal(call("sqrt --shard 1017/4096 --engine-args -" STUB, text, sizeof text), EXIT_PASS);
    assert_non_null(strstr(text, "0 of 1 blocks wrong, 1048576 inputs"));
    assert_int_equal(call("sqrt --shard 1017/4096 --engine-args 3f812345" STUB, text, sizeof text),
                     EXIT_FAILED);
    assert_non_null(strstr(text, "x 3f812345, got "));
    assert_non_null(strstr(text, "1 of 1 blocks wrong"));
    assert_int_equal(call("sqrt --shard 1017/4096 --engine-args unwritten:3f8fffff" STUB, text, sizeof text),
                     EXIT_FAILED);
    assert_non_null(strstr(text, "x 3f8fffff, got a5a5a5a5, want 3f87c3b6"));
    /* it is no part of what is tried */
    assert_int_equal(call("sqrt --shard 1/4096 --engine-args 3f812345" STUB, text, sizeof text), EXIT_PASS);
}

static void exits(void **state)
{
    (void)state;
    static char text[4096];
    assert_int_equal(call("exp --shard 1/4096" STUB, text, sizeof text), EXIT_NOTHING);
    assert_non_null(strstr(text, "SKIP  stub:0 exp: stub: takes roots only"));
    assert_int_equal(call("expp --device cpu", text, sizeof text), EXIT_ERROR);
    assert_non_null(strstr(text, "no function 'expp'; allowed: all, erf, exp, "));
    assert_int_equal(call("exp --device cuda:63", text, sizeof text), EXIT_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(all_pass),
        cmocka_unit_test(wrong_input_is_found),
        cmocka_unit_test(exits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
