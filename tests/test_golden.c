/* corpus/golden.txt: the contract gives the digests that exact rational arithmetic gave, without any code in common, for
 * every fill and layout that is listed there. Row O04. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/case.h"
#include "harness/fill.h"

static void digest_of(const struct case_spec *spec, char text[33])
{
    struct op_signature sig;
    struct assay_error error = {0};
    struct assay_tensor tensor[3];
    assert_int_equal(spec->op.op->signature(&spec->op, &sig, &error), ASSAY_OK);
    for (size_t i = 0; i <= sig.input_count; ++i) {
        tensor[i] = i < sig.input_count ? sig.input[i].tensor : sig.output[0].tensor;
        tensor[i].data = calloc(tensor[i].bytes + 1, 1);
        assert_non_null(tensor[i].data);
        if (i < sig.input_count && fill_tensor(spec, &sig, (int)i, &tensor[i], NULL, &error))
            fail_msg("%s", error.text);
    }
    spec->op.op->contract(&spec->op, tensor, &tensor[sig.input_count], 0, spec->op.op->rows(&spec->op));
    oracle_digest(&tensor[sig.input_count], text);
    for (size_t i = 0; i <= sig.input_count; ++i) free(tensor[i].data);
}

static void every_line(void **state)
{
    (void)state;
    struct golden *golden;
    struct assay_error error = {0};
    if (golden_load("corpus/golden.txt", &golden, &error)) fail_msg("%s", error.text);
    FILE *file = fopen("corpus/golden.txt", "r");
    assert_non_null(file);
    char line[1024], digest[33];
    int lines = 0;
    bool seen[64] = {false}, block_seen[64] = {false};
    assert_true(fill_count <= 64 && fill_block_count <= 64);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        line[strcspn(line, "\n")] = 0;
        const char *text = line + 33;
        struct case_spec spec;
        char printed[CASE_LINE_MAX];
        if (case_parse(text, &spec, &error)) fail_msg("%s: %s", text, error.text);
        assert_string_equal(case_print(&spec, printed), text);
        digest_of(&spec, digest);
        if (strcmp(digest, golden_find(golden, text)))
            fail_msg("%s: %s, golden is %.32s", text, digest, line);
        const bool blocks = !strcmp(spec.op.op->name, "q1_0");
        for (size_t i = 0; i < fill_count; ++i) seen[i] |= !blocks && !strcmp(fill_table[i].name, spec.fill);
        for (size_t i = 0; i < fill_block_count; ++i)
            block_seen[i] |= blocks && !strcmp(fill_block_table[i].name, spec.fill);
        ++lines;
    }
    fclose(file);
    golden_free(golden);
    assert_true(lines >= 100);
    for (size_t i = 0; i < fill_count; ++i)
        if (!seen[i] && strcmp(fill_table[i].name, "place") != 0 && strcmp(fill_table[i].name, "bits") != 0 &&
            strcmp(fill_table[i].name, "hard") != 0 && /* fills of functions: corpus/golden/ has all inputs */
            strcmp(fill_table[i].name, "edges") != 0)  /* of elementwise operators: test_fill has its words */
            fail_msg("no golden case has fill %s", fill_table[i].name);
    for (size_t i = 0; i < fill_block_count; ++i)
        if (!block_seen[i]) fail_msg("no golden case has fill %s of blocks", fill_block_table[i].name);
}

/* First word that a command prints. */
static void first_word(const char *command, char word[128])
{
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%127s", word), 1);
    assert_int_equal(pclose(pipe), 0);
}

/* The header names the generator and the lines by their sha256: a change of either must make the file again. */
static void made_by_this_script(void **state)
{
    (void)state;
    char script[128], named_script[128], body[128], named_body[128];
    first_word("sha256sum scripts/golden.py", script);
    first_word("sed -n 's/^# scripts.golden.py sha256 //p' corpus/golden.txt", named_script);
    first_word("grep -v '^#' corpus/golden.txt | sha256sum", body);
    first_word("sed -n 's/^# the [0-9]* lines below sha256 //p' corpus/golden.txt", named_body);
    assert_int_equal(strlen(script), 64);
    assert_string_equal(script, named_script);
    assert_string_equal(body, named_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line), cmocka_unit_test(made_by_this_script)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
