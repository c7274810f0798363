/* The corpus: what is embedded, counts and reasons, living references, and what a bad file gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/corpus.h"
#include "harness/fill.h"

/* Pinned: a change of the corpus changes these on purpose. */
#define QUICK_COUNT    4667
#define STANDARD_COUNT 5804
#define FULL_COUNT     6079

static struct corpus embedded(void)
{
    struct corpus corpus = {0};
    struct assay_error error = {0};
    if (corpus_load(&corpus, NULL, &error)) fail_msg("%s", error.text);
    return corpus;
}

static size_t count_of(enum level level)
{
    struct corpus corpus = embedded();
    struct assay_error error = {0};
    assert_int_equal(corpus_select(&corpus, NULL, 0, level, &error), ASSAY_OK);
    size_t count = corpus.count;
    corpus_free(&corpus);
    return count;
}

static void test_counts(void **state)
{
    (void)state;
    assert_int_equal(count_of(LEVEL_QUICK), QUICK_COUNT);
    assert_int_equal(count_of(LEVEL_STANDARD), STANDARD_COUNT);
    assert_int_equal(count_of(LEVEL_FULL), FULL_COUNT);
}

static void test_every_case_says_why(void **state)
{
    (void)state;
    struct corpus corpus = embedded();
    for (size_t i = 0; i < corpus.count; i++) {
        const struct corpus_entry *entry = &corpus.entry[i];
        if (strlen(entry->why) < 10)
            fail_msg("%s:%d has no reason: %s", entry->file, entry->file_line, entry->line);
        if (entry->onnx) continue;
        char text[CASE_LINE_MAX];
        struct case_spec spec;
        assert_int_equal(case_parse(entry->line, &spec, NULL), ASSAY_OK);
        assert_string_equal(case_print(&spec, text), entry->line);
    }
    corpus_free(&corpus);
}

static bool has(const struct corpus *corpus, const char *glob)
{
    for (size_t i = 0; i < corpus->count; i++)
        if (case_match(glob, corpus->entry[i].line)) return true;
    return false;
}

/* What the issue asks for by name. */
static void test_holds_what_it_must(void **state)
{
    (void)state;
    static const int tails[] = {1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257};
    static const char *const must[] = {
        "matmul/f32/m=1500,n=3072,k=768/*",
        "matmul/f32/m=128,n=3072,k=768/*",
        "matmul/f32/m=4096,n=4096,k=4096/*",
        "matmul/f32/m=32,n=11008,k=4096,tb=1/*",
        "matmul/f32/m=1,n=4096,k=11008,tb=1/*",
        "matmul/f32/m=1,n=1,k=4,b=65535/*",
        "matmul/f32/m=1,n=1,k=4,b=65536/*",
        "matmul/f32/m=1,n=1,k=4,b=65537/*",
        "matmul/f32/*k=16384/*",
        "matmul/f32/*in=a/*",
        "matmul/f32/*in=b/*",
        "matmul/f32/*b=3/*",
        "matmul/f32/*k=0/*ref=zero",
        "matmul/f32/m=0,*",
        "matmul/f32/*n=0,*",
        "matmul/f32/*ta=1,tb=1/*",
        "matmul/f32/*pada=*,padb=*,pady=*",
        "matmul/f32/*offa=*",
        "matmul/f32/*/of=*at=*",
        "matmul/f32/m=64,n=3136,k=64/*",
        "matmul/f32/m=2048,n=49,k=1024/*",
        "matmul/f32/m=1500,n=1500,k=64,b=12,tb=1/*",
        "matmul/f32/m=1,n=1500,k=64,b=12,tb=1/*",
        "matmul/f32/m=128,n=384,k=1536/*",
        "onnx/test_matmul_2d",
        "onnx/test_matmul_4d",
        "matmul/f32/m=64,n=12544,k=147/*",
        "matmul/f32/m=512,n=49,k=4608/*",
        "matmul/f32/m=672,n=1,k=168/*",
        "matmul/f32/m=960,n=49,k=160/*",
        "matmul/f32/m=4,n=102400,k=64,ta=1/*",
        "matmul/f32/m=64,n=25600,k=2304/*",
        "matmul/f32/m=1,n=1024,k=256,b=2,tb=1/*",
        "matmul/f32/m=24,n=1024,k=512,b=2,in=b,tb=1/*",
        "matmul/f32/m=2,n=1024,k=128,b=8,tb=1/*",
        "matmul/f32/m=4,n=128,k=1024,b=8/*",
        "q1_0/u8/m=1000,n=1,k=512/fill=uniform/*",
        "q1_0/u8/m=4096,n=1,k=4096/fill=uniform/*",
        "q1_0/u8/m=1024,n=1,k=12288/fill=uniform/*",
        "q1_0/u8/m=4096,n=1,k=4096/fill=layer/*",
        "q1_0/u8/m=2048,n=1,k=12288/fill=layer/*",
        "q1_0/u8/m=12288,n=1,k=4096/*",
        "q1_0/u8/*/fill=h02/*/expect=DEADREF",
        "q1_0/u8/*k=16512/*",
        "q1_0/u8/m=151669,n=1,k=2048/*",
        "q1_0/u8/m=151669,n=1,k=4096/*",
        "q1_0/u8/m=4096,n=1,k=11008/*",
        "q1_0/u8/*padw=1,padx=3,pady=5,offw=1,offx=3,offy=7/*",
        "q8_0/f32/n=4000,*",
    };
    struct corpus corpus = embedded();
    char glob[80];
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        for (int axis = 0; axis < 3; axis++) {
            snprintf(glob, sizeof glob,
                     axis == 0   ? "matmul/f32/m=%d,*"
                     : axis == 1 ? "*,n=%d,*"
                                 : "*,k=%d/*",
                     tails[i]);
            if (!has(&corpus, glob)) fail_msg("no case %s", glob);
        }
    for (int n = 1; n <= 9; n++) {
        snprintf(glob, sizeof glob, "matmul/f32/m=16,n=%d,k=256/*", n);
        if (!has(&corpus, glob)) fail_msg("no case %s", glob);
    }
    for (size_t i = 0; i < fill_count; i++) {
        static const char *const elementwise[] = {"place", "bits", "hard", "edges"};
        bool alone = false;
        for (size_t e = 0; e < 4; e++) alone |= strcmp(fill_table[i].name, elementwise[e]) == 0;
        snprintf(glob, sizeof glob, alone ? "*/f32/*fill=%s/*" : "*k=4096/fill=%s/*", fill_table[i].name);
        if (!has(&corpus, glob)) fail_msg("no case %s", glob);
    }
    for (size_t i = 0; i < fill_block_count; i++) {
        snprintf(glob, sizeof glob, "q1_0/*/fill=%s/*", fill_block_table[i].name);
        if (!has(&corpus, glob)) fail_msg("no case %s", glob);
    }
    static const int rows[] = {1, 7, 8, 9, 63, 64, 65, 1000};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(glob, sizeof glob, "q1_0/u8/m=%d,n=1,k=256/*", rows[i]);
        if (!has(&corpus, glob)) fail_msg("no case %s", glob);
    }
    for (size_t i = 0; i < sizeof must / sizeof *must; i++)
        if (!has(&corpus, must[i])) fail_msg("no case %s", must[i]);
    corpus_free(&corpus);
}

/* Is the reference of this case dead, and was that declared or expected? */
static void check_reference(const struct corpus_entry *entry)
{
    const struct op_case *c = &entry->spec.op;
    struct op_signature sig = {0};
    struct assay_tensor in[OP_TENSORS_MAX], out;
    struct assay_error error = {0};
    assert_int_equal(c->op->signature(c, &sig, &error), ASSAY_OK);
    for (size_t i = 0; i < sig.input_count; i++) {
        in[i] = sig.input[i].tensor;
        in[i].data = calloc(in[i].bytes + 1, 1);
        if (fill_tensor(&entry->spec, &sig, (int)i, &in[i], NULL, &error))
            fail_msg("%s: %s", entry->line, error.text);
    }
    out = sig.output[0].tensor;
    out.data = calloc(out.bytes + 1, 1);
    c->op->contract(c, in, &out, 0, c->op->rows(c));
    const char *dead = oracle_dead(&out), *declared = entry->spec.dead;
    if (entry->spec.expect == VERDICT_DEADREF)
        assert_non_null(dead);
    else if ((dead != NULL) != (declared != NULL) || (dead && strcmp(dead, declared) != 0))
        fail_msg("%s: the reference is %s, declared %s", entry->line, dead ? dead : "alive",
                 declared ? declared : "alive");
    for (size_t i = 0; i < sig.input_count; i++) free(in[i].data);
    free(out.data);
}

static void test_references_live(void **state)
{
    (void)state;
    struct corpus corpus = embedded();
    size_t checked = 0;
    for (size_t i = 0; i < corpus.count; i++) {
        const struct corpus_entry *entry = &corpus.entry[i];
        if (entry->onnx || entry->spec.op.op->flops(&entry->spec.op) > 3e6) continue;
        check_reference(entry);
        checked++;
    }
    assert_true(checked > corpus.count / 2);
    corpus_free(&corpus);
}

/* ---- choice ---- */

static void test_select(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct corpus corpus = embedded();
    const char *globs[] = {"matmul/f32/m=16,n=?,k=256/fill=ones/*",
                           "matmul/f32/k=9,m=8,n=7/fill=normal/seed=00ab", "onnx/test_matmul_3d",
                           "matmul/f32/m=8,n=7,k=9/fill=normal/seed=ab"};
    assert_int_equal(corpus_select(&corpus, globs, 4, LEVEL_QUICK, &error), ASSAY_OK);
    assert_int_equal(corpus.count, 9 + 2);
    const struct corpus_entry *added = &corpus.entry[corpus.count - 1];
    assert_string_equal(added->line, "matmul/f32/m=8,n=7,k=9/fill=normal/seed=ab");
    assert_string_equal(added->file, "command line");
    corpus_free(&corpus);

    corpus = embedded();
    const char *above[] = {"matmul/f32/m=4096,n=4096,*"};
    assert_int_equal(corpus_select(&corpus, above, 1, LEVEL_QUICK, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "--level full"));
    assert_int_equal(corpus_select(&corpus, above, 1, LEVEL_FULL, &error), ASSAY_OK);
    assert_int_equal(corpus.count, 1);
    const char *none[] = {"conv/*"};
    assert_int_equal(corpus_select(&corpus, none, 1, LEVEL_FULL, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "'conv/*' matches no case"));
    const char *wrong[] = {"matmul/f32/m=1/fill=normal/seed=1"};
    assert_int_equal(corpus_select(&corpus, wrong, 1, LEVEL_FULL, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "axis n is missing"));
    corpus_free(&corpus);
}

static void test_hash(void **state)
{
    (void)state;
    struct corpus a = embedded(), b = embedded();
    char one[17], two[17];
    corpus_hash(&a, one);
    corpus_hash(&b, two);
    assert_int_equal(strlen(one), 16);
    assert_string_equal(one, two);
    b.count--;
    corpus_hash(&b, two);
    assert_string_not_equal(one, two);
    b.count++;
    corpus_free(&a);
    corpus_free(&b);
}

/* ---- files ---- */

static char path[64];

static enum assay_status load_text(const char *text, size_t bytes, struct corpus *corpus,
                                   struct assay_error *error)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
    memset(error, 0, sizeof *error);
    memset(corpus, 0, sizeof *corpus);
    return corpus_load(corpus, path, error);
}

static void test_file(void **state)
{
    (void)state;
    static const char text[] =
        "\xef\xbb\xbf# about the file\n\n# level: standard\n# first reason,\n# second line\n"
        "matmul/f32/m={1,2},n=3,k={4..6}/fill={normal,ones}/seed=1\r\n"
        "  matmul/f32/m=9,n=9,k=9/fill=ones/seed=1   # its own comment\n\n"
        "# level: full\nonnx/test_x\n# Gr\xc3\xb6\xc3\x9f\x65\nmatmul/f32/m=1,n=1,k=1/fill=ones/seed=2";
    struct corpus corpus;
    struct assay_error error;
    if (load_text(text, sizeof text - 1, &corpus, &error)) fail_msg("%s", error.text);
    assert_int_equal(corpus.count, 12 + 3);
    assert_string_equal(corpus.entry[0].line, "matmul/f32/m=1,n=3,k=4/fill=normal/seed=1");
    assert_string_equal(corpus.entry[11].line, "matmul/f32/m=2,n=3,k=6/fill=ones/seed=1");
    assert_string_equal(corpus.entry[0].why, "first reason, second line");
    assert_string_equal(corpus.entry[12].why, "first reason, second line");
    assert_int_equal(corpus.entry[0].level, LEVEL_STANDARD);
    assert_int_equal(corpus.entry[0].file_line, 6);
    assert_true(corpus.entry[13].onnx);
    assert_string_equal(corpus.entry[13].why, "");
    assert_int_equal(corpus.entry[14].level, LEVEL_FULL);
    corpus_free(&corpus);
}

#define GOOD "matmul/f32/m=1,n=1,k=1/fill=ones/seed=1\n"

static void test_bad_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        int line;
        const char *says;
    } bad[] = {
#define TEXT(s) s, sizeof(s) - 1
        {TEXT(GOOD "matmul/f32/m=1,n=1/fill=ones/seed=1\n"), 2, "axis k is missing"},
        {TEXT(GOOD GOOD), 2, "stands already in"},
        {TEXT("\n\n# level: quik\n"), 3, "allowed: quick, standard, full"},
        {TEXT("matmul/f32/m={1,2,n=1,k=1/fill=ones/seed=1\n"), 1, "braces do not pair"},
        {TEXT("matmul/f32/m=1},n=1,k=1/fill=ones/seed=1\n"), 1, "braces do not pair"},
        {TEXT("matmul/f32/m={1,{2,3}},n=1,k=1/fill=ones/seed=1\n"), 1, "inside braces"},
        {TEXT("matmul/f32/m={1,,2},n=1,k=1/fill=ones/seed=1\n"), 1, "empty word"},
        {TEXT("matmul/f32/m={9..1},n=1,k=1/fill=ones/seed=1\n"), 1, "range"},
        {TEXT("matmul/f32/m={1..99999999},n=1,k=1/fill=ones/seed=1\n"), 1, "range"},
        {TEXT("matmul/f32/m={1..70},n={1..70},k=1/fill=ones/seed=1\n"), 1, "more than 4096"},
        {TEXT("matmul/f32/m=1,n=1,k=1/fill=ones/seed=1\0x\n"), 1, "NUL"},
        {TEXT("onnx/../../etc/passwd\n"), 1, "no name of a test"},
        {TEXT("matmul/f32/m=\xff\x1b[2J,n=1,k=1/fill=ones/seed=1\n"), 1, "\\xff\\x1b"},
    };
    struct corpus corpus;
    struct assay_error error;
    char where[100];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(load_text(bad[i].text, bad[i].bytes, &corpus, &error), ASSAY_INVALID_INPUT);
        snprintf(where, sizeof where, "%s:%d: ", path, bad[i].line);
        if (strncmp(error.text, where, strlen(where)) != 0 || !strstr(error.text, bad[i].says))
            fail_msg("expected '%s...%s', got '%s'", where, bad[i].says, error.text);
        corpus_free(&corpus);
    }
    char *line = malloc(100000);
    memset(line, 'a', 100000);
    assert_int_equal(load_text(line, 100000, &corpus, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "longer than"));
    corpus_free(&corpus);
    free(line);
    assert_int_equal(corpus_load(&corpus, "/nonexistent/x.cases", &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "/nonexistent/x.cases"));
    corpus_free(&corpus);
    assert_int_equal(corpus_load(&corpus, "/tmp", &error), ASSAY_IO);
    corpus_free(&corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_every_case_says_why),
        cmocka_unit_test(test_holds_what_it_must),
        cmocka_unit_test(test_references_live),
        cmocka_unit_test(test_select),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_bad_files),
    };
    snprintf(path, sizeof path, "/tmp/assay-test-corpus-%d.cases", (int)getpid());
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
