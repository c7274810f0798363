/* GGUF files: what is read of corpus/small.gguf, hostile files, cases out of it, and runs and replays of them. */
#include "tests/gguf_mutate.h"

#include <unistd.h>

#include "harness/judge.h"
#include "tests/verbs.h"

static struct verbs verbs;
#define CALL(...) verbs_call(&verbs, (const char *const[]){__VA_ARGS__, NULL})
#define CPU       "--device", "cpu", "--vulkan-lib", "none", "--cuda-lib", "none", "--samples", "0"
#define GGUF_HASH "68cee879b8d79883"
#define UP_TENSOR "blk.0.ffn_up.weight"
#define UP_WINDOW "q1_0/u8/m=2,n=1,k=128/of=70x1x256,at=68x0x128/fill=layer/seed=1/file=" UP_TENSOR

static void says(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("expected '%s', got:\n%.2000s", part, text);
}

/* ---- reading ---- */

static void test_small(void **state)
{
    (void)state;
    struct gguf gguf;
    struct assay_error error = {0};
    if (gguf_open(GGUF_SMALL, &gguf, &error)) fail_msg("%s", error.text);
    assert_int_equal(gguf.version, 3);
    assert_int_equal(gguf.alignment, 64);
    assert_int_equal(gguf.tensor_count, 6);
    assert_string_equal(gguf.hash, GGUF_HASH);
    const struct gguf_tensor *up = gguf_find(&gguf, UP_TENSOR);
    assert_non_null(up);
    assert_int_equal(up->type, GGUF_Q1_0);
    assert_int_equal(up->shape[0], 256);
    assert_int_equal(up->shape[1], 70);
    assert_int_equal(up->bytes, 70 * 36);
    const struct gguf_tensor *norm = gguf_find(&gguf, "output_norm.weight");
    float value;
    assert_int_equal(norm->type, GGUF_F32);
    memcpy(&value, gguf.data + norm->offset + 4 * 255, sizeof value);
    assert_true(value == 255.0f / 256);
    for (size_t i = 0; i < gguf.tensor_count; i++)
        assert_ptr_equal(gguf_find(&gguf, gguf.tensor[i].name), &gguf.tensor[i]);
    assert_null(gguf_find(&gguf, "blk.1.ffn_up.weight"));
    gguf_close(&gguf);
    gguf_close(NULL);
}

/* Offsets of fields in the file: magic 0, version 4, tensors 8, metadata 16, the first key 24. */
static void put(uint8_t *bytes, size_t at, uint64_t value, int count)
{
    for (int i = 0; i < count; i++) bytes[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static size_t find(const uint8_t *bytes, size_t size, const char *text)
{
    const uint8_t *found = memmem(bytes, size, text, strlen(text));
    assert_non_null(found);
    return (size_t)(found - bytes);
}

static void test_hostile(void **state)
{
    (void)state;
    size_t size;
    uint8_t *good = gguf_read(&size), *bytes = malloc(size);
    assert_non_null(bytes);
    const size_t alignment = find(good, size, "general.alignment") + 17,
                 up = find(good, size, UP_TENSOR) + 19;
    const size_t norm = find(good, size, "output_norm.weight"), array = find(good, size, "a.arrays") + 8;
    const struct {
        size_t at;
        uint64_t value;
        int count;
        const char *says;
    } table[] = {
        {0, 'X', 1, "does not begin with GGUF"},
        {4, 1, 4, "version 1; allowed: 2 and 3"},
        {4, 4, 4, "version 4"},
        {4, 0x03000000, 4, "big-endian"},
        {8, UINT64_MAX, 8, "promises 18446744073709551615 tensors"},
        {8, UINT64_C(1) << 63, 8, "tensors, more than"},
        {16, UINT64_MAX, 8, "metadata values, more than"},
        {16, 17, 8, "it ends within tensor 0"},
        {24, UINT64_MAX, 8, "it ends within metadata value 0, at byte 32"},
        {24, UINT64_MAX - 24, 8, "it ends within metadata value 0"},
        {alignment, 5, 4, "general.alignment has the type 5"},
        {alignment + 4, 0, 4, "general.alignment is 0"},
        {alignment + 4, 48, 4, "general.alignment is 48"},
        {alignment + 4, 0x80000000, 4, "allowed: powers of two"},
        {alignment + 4, 128, 4, "no multiple of the alignment 128"},
        {array, 13, 4, "has the unknown type 13"},
        {array + 4, 13, 4, "array of the unknown type 13"},
        {array + 8, UINT64_MAX, 8, "metadata value"},
        {norm, 0, 1, "has a NUL byte in its name"},
        {norm - 8, 65, 8, "a name of 65 bytes; allowed: 1 to 64"},
        {norm - 8, 0, 8, "a name of 0 bytes"},
        {up, 5, 4, "has 5 dimensions"},
        {up + 4, 255, 8, "rows of 255 numbers, no multiple of the 128"},
        {up + 4, UINT64_C(1) << 63, 8, "more numbers than 64 bits"},
        {up + 12, UINT64_C(1) << 60, 8, "more numbers than 64 bits"},
        {up + 12, UINT64_C(1) << 54, 8, "tensor '" UP_TENSOR "' ends behind"},
        {up + 12, 7000, 8, "ends behind the file's"},
        {up + 24, 1, 8, "lies at 1, no multiple of the alignment 64"},
        {up + 24, UINT64_MAX - 63, 8, "ends behind"},
        {up + 24, UINT64_C(1) << 40, 8, "ends behind"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct gguf gguf;
        struct assay_error error = {0};
        memcpy(bytes, good, size);
        put(bytes, table[i].at, table[i].value, table[i].count);
        if (gguf_parse("bad.gguf", bytes, size, &gguf, &error) != ASSAY_INVALID_INPUT)
            fail_msg("row %zu (%s) was read: %s", i, table[i].says, error.text);
        says(error.text, "bad.gguf");
        says(error.text, table[i].says);
    }
    /* Two tensors of one name. */
    struct gguf gguf;
    struct assay_error error = {0};
    memcpy(bytes, good, size);
    memcpy(bytes + norm, "token_embd.weightX", 18);
    bytes[norm + 17] = 't';
    memcpy(bytes + find(good, size, "token_embd.weight"), "token_embd.weighs", 17);
    assert_int_equal(gguf_parse("bad.gguf", bytes, size, &gguf, &error), ASSAY_OK);
    gguf_close(&gguf);
    memcpy(bytes + up - 19, "output_norm.weight", 18);
    memcpy(bytes, good, up - 19);
    put(bytes, up - 19 - 8, 18, 8);
    memmove(bytes + up - 1, good + up, GGUF_HEAD - up);
    assert_int_equal(gguf_parse("bad.gguf", bytes, size, &gguf, &error), ASSAY_INVALID_INPUT);
    says(error.text, "two tensors are called 'output_norm.weight'");
    free(bytes);
    free(good);
}

/* Version 2 has the same layout. */
static void test_version_2(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = gguf_read(&size);
    bytes[4] = 2;
    assert_true(gguf_try(bytes, size));
    free(bytes);
}

static void test_cut(void **state)
{
    (void)state;
    size_t size;
    uint8_t *bytes = gguf_read(&size);
    /* The last tensor's type is unknown here: its 64 bytes are nobody's. */
    for (size_t length = 0; length < size - 64; length += length < GGUF_HEAD ? 1 : 61)
        assert_false(gguf_try(bytes, length));
    assert_true(gguf_try(bytes, size));
    free(bytes);
}

static void test_mutations(void **state)
{
    (void)state;
    gguf_mutate(5000, 7);
}

static void test_no_file(void **state)
{
    (void)state;
    struct gguf gguf;
    struct assay_error error = {0};
    assert_int_equal(gguf_open("/nowhere/x.gguf", &gguf, &error), ASSAY_IO);
    says(error.text, "/nowhere/x.gguf cannot be opened");
    assert_int_equal(gguf_open("/dev/zero", &gguf, &error), ASSAY_INVALID_INPUT);
    says(error.text, "is no regular file");
    assert_int_equal(gguf_open("corpus", &gguf, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(gguf_open("Makefile", &gguf, &error), ASSAY_INVALID_INPUT);
    says(error.text, "Makefile is no GGUF file");
}

/* ---- cases ---- */

static void test_cases(void **state)
{
    (void)state;
    static const int64_t rows[LEVEL_COUNT][4] = {{64, 64, 33, 15}, {512, 70, 33, 15}, {600, 70, 33, 15}};
    struct gguf gguf;
    assert_int_equal(gguf_open(GGUF_SMALL, &gguf, NULL), ASSAY_OK);
    for (int level = 0; level < LEVEL_COUNT; level++) {
        struct corpus corpus = {0};
        assert_int_equal(gguf_case_add(&gguf, (enum level)level, &corpus, NULL), ASSAY_OK);
        assert_int_equal(corpus.count, 4);
        for (size_t i = 0; i < corpus.count; i++) {
            const struct corpus_entry *entry = &corpus.entry[i];
            struct assay_tensor tensor;
            assert_int_equal(entry->spec.op.axis[0], rows[level][i]);
            assert_int_equal(entry->spec.op.of[0], rows[LEVEL_FULL][i]);
            assert_int_equal(gguf_case_tensor(&gguf, &entry->spec, &tensor, NULL), ASSAY_OK);
            assert_int_equal(tensor.shape[0], rows[LEVEL_FULL][i]);
        }
        /* Row H16: the reason is the tensor's name. */
        assert_string_equal(corpus.entry[1].why, "tensor '" UP_TENSOR "'");
        assert_string_equal(corpus.entry[1].file, GGUF_SMALL);
        assert_int_equal(corpus.entry[1].file_line, 3);
        says(corpus.entry[3].line, "/file=blk.0.experts%2F%7Ba%2Cb%7D%20%231%2A");
        corpus_free(&corpus);
    }
    gguf_close(&gguf);
}

static void test_wrong_tensor(void **state)
{
    (void)state;
    static const char *const table[][2] = {
        {"q1_0/u8/m=70,n=1,k=256/fill=layer/seed=1/file=blk.7", "has no tensor 'blk.7'"},
        {"q1_0/u8/m=70,n=1,k=256/fill=layer/seed=1/file=output_norm.weight",
         "has type 0, not that of Q1_0, 41"},
        {"q1_0/u8/m=71,n=1,k=256/fill=layer/seed=1/file=" UP_TENSOR,
         "is 70 rows of 256, the case says 71 of 256"},
        {"q1_0/u8/m=70,n=1,k=128/fill=layer/seed=1/file=" UP_TENSOR, "the case says 70 of 128"},
    };
    struct gguf gguf;
    struct assay_tensor tensor;
    assert_int_equal(gguf_open(GGUF_SMALL, &gguf, NULL), ASSAY_OK);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct case_spec spec;
        struct assay_error error = {0};
        assert_int_equal(case_parse(table[i][0], &spec, &error), ASSAY_OK);
        assert_int_equal(gguf_case_tensor(&gguf, &spec, &tensor, &error), ASSAY_INVALID_INPUT);
        says(error.text, table[i][1]);
        assert_int_equal(gguf_case_tensor(NULL, &spec, &tensor, &error), ASSAY_INVALID_INPUT);
        says(error.text, "--gguf FILE says which");
    }
    gguf_close(&gguf);
}

/* The window's bytes are the file's, rows apart as the case lays them out. */
static void test_bytes(void **state)
{
    (void)state;
    struct gguf gguf;
    struct judge_source source = {
        .line =
            "q1_0/u8/m=2,n=1,k=128,padw=5,offw=3/of=70x1x256,at=68x0x128/fill=layer/seed=1/file=" UP_TENSOR};
    struct assay_tensor whole;
    struct judge_case *c = NULL;
    assert_int_equal(gguf_open(GGUF_SMALL, &gguf, NULL), ASSAY_OK);
    assert_int_equal(case_parse(source.line, &source.spec, NULL), ASSAY_OK);
    assert_int_equal(gguf_case_tensor(&gguf, &source.spec, &whole, NULL), ASSAY_OK);
    source.captured = &whole;
    assert_int_equal(judge_prepare(&source, NULL, &c, NULL), ASSAY_OK);
    const struct gguf_tensor *up = gguf_find(&gguf, UP_TENSOR);
    const struct assay_tensor *w = &c->input[0].tensor;
    const uint8_t *image = c->image + c->input[0].arena_bytes + w->offset;
    assert_int_equal(w->stride[0], 18 + 5);
    for (int row = 0; row < 2; row++)
        assert_memory_equal(image + row * w->stride[0], gguf.data + up->offset + (68 + row) * 36 + 18, 18);
    assert_int_equal(c->judged, 2);
    assert_int_equal(c->refused, VERDICT_NONE);
    judge_case_free(c);
    gguf_close(&gguf);
}

/* ---- runs ---- */

static void test_run(void **state)
{
    (void)state;
    if (CALL("run", "--gguf", GGUF_SMALL, CPU) != EXIT_PASS) fail_msg("%s%s", verbs.out, verbs.err);
    assert_int_equal(verbs_number(&verbs, "SELECT count(DISTINCT case_id) FROM plan"), 4);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE verdict <> 'PASS'"), 0);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM plan WHERE why = 'tensor ''" UP_TENSOR "'''"
                                          " AND source = '" GGUF_SMALL ":3'") > 0,
                     1);
    says(verbs_text(&verbs, "SELECT settings FROM run"),
         "\"gguf\":\"" GGUF_SMALL "\",\"gguf_hash\":\"" GGUF_HASH "\"");
    assert_int_equal(CALL("run", "--gguf", GGUF_SMALL, "*file=blk.0.ffn*", "--level", "full", CPU),
                     EXIT_PASS);
    assert_int_equal(CALL("run", "--gguf", "Makefile", CPU), EXIT_ERROR);
    says(verbs.err, "Makefile is no GGUF file");
}

static void test_replay(void **state)
{
    (void)state;
    char other[160];
    size_t size;
    uint8_t *bytes = gguf_read(&size);
    assert_int_equal(CALL("replay", UP_WINDOW, "--gguf", GGUF_SMALL, "--gguf-hash", GGUF_HASH, CPU),
                     EXIT_PASS);
    assert_int_equal(CALL("replay", UP_WINDOW, CPU), EXIT_ERROR);
    says(verbs.err, "the case takes tensor '" UP_TENSOR "' of a file: --gguf FILE says which");
    assert_int_equal(CALL("run", "--gguf-hash", GGUF_HASH, CPU), EXIT_ERROR);
    says(verbs.err, "--gguf-hash needs --gguf FILE");
    snprintf(other, sizeof other, "%s/other.gguf", verbs.folder);
    bytes[size - 1] ^= 1;
    FILE *file = fopen(other, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    assert_int_equal(CALL("replay", UP_WINDOW, "--gguf", other, "--gguf-hash", GGUF_HASH, CPU), EXIT_ERROR);
    says(verbs.err, "not " GGUF_HASH ": it is another file than the one meant");
    free(bytes);
}

/* A failure's line has the tensor, the file and its hash. */
static void test_repro(void **state)
{
    (void)state;
    assert_int_equal(CALL("run", "--gguf", GGUF_SMALL, UP_WINDOW "/expect=DIFF", CPU), EXIT_FAILED);
    says(verbs_text(&verbs, "SELECT repro FROM result"),
         "assay replay '" UP_WINDOW "/expect=DIFF' --device cpu:0 --kernel ");
    says(verbs_text(&verbs, "SELECT repro FROM result"), " --gguf '" GGUF_SMALL "' --gguf-hash " GGUF_HASH);
}

static int set_up(void **state)
{
    (void)state;
    verbs_begin(&verbs);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    verbs_end(&verbs);
    return 0;
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);

    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_version_2),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_wrong_tensor),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test_setup_teardown(test_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_replay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_repro, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
