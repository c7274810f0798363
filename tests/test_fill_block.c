/* Fills of blocks: what each promises, windows, threads, memory between rows; and a case whose data make every result NaN
 * is judged DEADREF. Their bytes are held by corpus/golden.txt, which another implementation made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/fill.h"
#include "harness/judge.h"

struct filled {
    struct case_spec spec;
    struct op_signature sig;
    struct assay_tensor in[2];
};

static void fill_case(const char *line, struct oracle_pool *pool, struct filled *f)
{
    struct assay_error error = {0};
    if (case_parse(line, &f->spec, &error)) fail_msg("%s: %s", line, error.text);
    assert_int_equal(f->spec.op.op->signature(&f->spec.op, &f->sig, &error), ASSAY_OK);
    for (int i = 0; i < 2; i++) {
        f->in[i] = f->sig.input[i].tensor;
        f->in[i].data = malloc(f->in[i].bytes + 1);
        memset(f->in[i].data, 0xa5, f->in[i].bytes + 1);
        if (fill_tensor(&f->spec, &f->sig, i, &f->in[i], pool, &error)) fail_msg("%s: %s", line, error.text);
    }
}

static void fill_done(struct filled *f)
{
    free(f->in[0].data);
    free(f->in[1].data);
}

static const uint8_t *row_of(const struct assay_tensor *t, int64_t row)
{
    return (const uint8_t *)t->data + t->offset + row * t->stride[0];
}

static unsigned half_at(const uint8_t *block)
{
    return block[0] | (unsigned)block[1] << 8;
}

static void test_window(void **state)
{
    (void)state;
    for (size_t i = 0; i < fill_block_count; i++) {
        char line[CASE_LINE_MAX];
        struct filled parent, window;
        snprintf(line, sizeof line, "q1_0/u8/m=33,n=9,k=1280/fill=%s/seed=1f", fill_block_table[i].name);
        fill_case(line, NULL, &parent);
        snprintf(line, sizeof line,
                 "q1_0/u8/m=5,n=3,k=384,padw=3,padx=1,offw=7/of=33x9x1280,at=20x2x256/fill=%s/seed=1f",
                 fill_block_table[i].name);
        fill_case(line, NULL, &window);
        for (int64_t row = 0; row < 5; row++)
            assert_memory_equal(row_of(&window.in[0], row), row_of(&parent.in[0], row + 20) + 2 * 18, 3 * 18);
        for (int64_t row = 0; row < 3; row++)
            assert_memory_equal(row_of(&window.in[1], row), row_of(&parent.in[1], row + 2) + 8 * 34, 12 * 34);
        /* Between rows and before the first nothing is touched. */
        assert_int_equal(((uint8_t *)window.in[0].data)[6], 0xa5);
        assert_int_equal(row_of(&window.in[0], 0)[3 * 18], 0xa5);
        assert_int_equal(row_of(&window.in[1], 1)[12 * 34], 0xa5);
        assert_int_equal(((uint8_t *)window.in[1].data)[window.in[1].bytes], 0xa5);
        fill_done(&parent);
        fill_done(&window);
    }
}

static void test_threads(void **state)
{
    (void)state;
    struct oracle_pool *pool = oracle_pool_new(4);
    assert_non_null(pool);
    for (size_t i = 0; i < fill_block_count; i++) {
        char line[CASE_LINE_MAX];
        struct filled one, many;
        snprintf(line, sizeof line, "q1_0/u8/m=1500,n=33,k=640,padw=2/fill=%s/seed=3",
                 fill_block_table[i].name);
        fill_case(line, NULL, &one);
        fill_case(line, pool, &many);
        for (int t = 0; t < 2; t++) assert_memory_equal(one.in[t].data, many.in[t].data, one.in[t].bytes + 1);
        fill_done(&one);
        fill_done(&many);
    }
    oracle_pool_free(pool);
}

/* What the blocks of a case hold. */
struct content {
    int blocks[2], nan[2], infinite[2], zero[2], subnormal[2], negative[2], largest[2];
    int codes, lowest, full[256];
    bool bits_differ;
};

static struct content look(const char *fill)
{
    char line[CASE_LINE_MAX];
    struct filled f;
    struct content c = {.codes = 200 * 1024};
    snprintf(line, sizeof line, "q1_0/u8/m=200,n=200,k=1024/fill=%s/seed=5", fill);
    fill_case(line, NULL, &f);
    for (int t = 0; t < 2; t++) {
        const int bytes = t ? 34 : 18;
        for (int64_t at = 0; at < (int64_t)f.in[t].bytes; at += bytes) {
            const uint8_t *block = (uint8_t *)f.in[t].data + at;
            const unsigned half = half_at(block), size = half & 0x7fff;
            c.blocks[t]++;
            c.nan[t] += size > 0x7c00;
            c.infinite[t] += size == 0x7c00;
            c.largest[t] += size == 0x7bff;
            c.zero[t] += size == 0;
            c.subnormal[t] += size && size < 0x400;
            c.negative[t] += half >> 15;
            for (int i = 2; i < bytes && t; i++) c.full[block[i]]++;
        }
    }
    c.lowest = c.full[0x80];
    fill_done(&f);
    return c;
}

static void test_promises(void **state)
{
    (void)state;
    for (size_t i = 0; i < fill_block_count; i++) {
        const struct content c = look(fill_block_table[i].name);
        const bool odd = c.nan[0] + c.nan[1] + c.infinite[0] + c.infinite[1] > 0;
        assert_true(odd == fill_block_table[i].nonfinite);
        print_message(
            "%s: %d of %d codes are -128; scales of X: %d zero, %d subnormal, %d infinite, %d NaN\n",
            fill_block_table[i].name, c.lowest, c.codes, c.zero[1], c.subnormal[1], c.infinite[1], c.nan[1]);
    }
    struct content c = look("uniform");
    assert_int_equal(c.lowest, 0);
    assert_in_range(c.negative[0], c.blocks[0] * 2 / 5, c.blocks[0] * 3 / 5);
    assert_true(c.full[0x81] > 0 && c.full[0x7f] > 0);
    c = look("layer");
    assert_int_equal(c.lowest, 0);
    assert_int_equal(c.zero[0] + c.zero[1], 0);
    assert_true(c.full[0] > 4 * c.full[100]);
    c = look("minus128");
    assert_in_range(c.lowest, c.codes / 5, c.codes * 3 / 10);
    c = look("bytes");
    for (int byte = 0; byte < 256; byte++) assert_true(c.full[byte] > 300);
    assert_true(c.negative[1] > c.blocks[1] / 3);
    c = look("wide");
    assert_true(c.subnormal[0] > 10 && c.subnormal[1] > 10 && c.negative[1] > 10);
    c = look("special");
    assert_true(c.nan[0] && c.nan[1] && c.infinite[0] && c.infinite[1] && c.zero[0] && c.subnormal[0] &&
                c.largest[0]);
    c = look("h02");
    assert_int_equal(c.infinite[1], 200);
    assert_int_equal(c.infinite[0], 0);
    c = look("integer");
    assert_int_equal(c.full[7] + c.full[0xf9] > 0, 1);
    assert_int_equal(c.full[8] + c.full[0xf8], 0);
}

/* In every group of eight rows but its first one row is special, so a case keeps rows that can be compared. */
static void test_special_rows(void **state)
{
    (void)state;
    struct filled f;
    int kinds = 0, odd_rows = 0;
    fill_case("q1_0/u8/m=400,n=1,k=512/fill=special/seed=2", NULL, &f);
    for (int64_t row = 0; row < 400; row++) {
        int odd = 0;
        for (int64_t b = 0; b < 4; b++) odd += (half_at(row_of(&f.in[0], row) + b * 18) & 0x7c00) == 0x7c00;
        odd_rows += odd > 0;
        kinds |= 1 << odd;
        assert_true(odd == 0 || row % 8 != 0);
    }
    assert_in_range(odd_rows, 25, 50);
    assert_int_equal(kinds & ~7, 0);
    for (int64_t b = 0; b < 16; b++) assert_true((half_at(row_of(&f.in[1], 0) + b * 34) & 0x7c00) != 0x7c00);
    fill_done(&f);
}

/* Exact sums, and cancelling ones, as the fills say. */
static void test_sums(void **state)
{
    (void)state;
    static const char *const lines[] = {"q1_0/u8/m=20,n=2,k=8192/fill=integer/seed=5",
                                        "q1_0/u8/m=20,n=2,k=8192/fill=cancel/seed=5"};
    for (int i = 0; i < 2; i++) {
        struct filled f;
        double value[40], magnitude[40];
        float y[40];
        fill_case(lines[i], NULL, &f);
        struct assay_tensor out = f.sig.output[0].tensor;
        out.data = y;
        f.spec.op.op->contract(&f.spec.op, f.in, &out, 0, 40);
        assert_int_equal(f.spec.op.op->f64(&f.spec.op, f.in, true, value, NULL, magnitude, 0, 40, NULL),
                         ASSAY_OK);
        for (int e = 0; e < 40; e++) {
            assert_true(value[e] != 0);
            if (i == 0) assert_true(y[e] == value[e]);
            if (i == 1) assert_true(value[e] * value[e] < 1e-6 * magnitude[e] * magnitude[e]);
        }
        fill_done(&f);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct filled f;
    fill_case("q1_0/u8/m=3,n=3,k=128/fill=layer/seed=1", NULL, &f);
    struct assay_tensor t = f.in[0];
    t.bytes = 8;
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 0, &t, NULL, &error), ASSAY_INVALID_INPUT);
    t = f.in[0];
    t.dtype = ASSAY_I8;
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 0, &t, NULL, &error), ASSAY_UNSUPPORTED);
    t = f.in[0];
    t.shape[1] = 17;
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 0, &t, NULL, &error), ASSAY_INTERNAL);
    f.sig.input[0].block = "q4_0";
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 0, &f.in[0], NULL, &error), ASSAY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "q4_0"));
    f.spec.fill = "normal";
    assert_int_equal(fill_tensor(&f.spec, &f.sig, 1, &f.in[1], NULL, &error), ASSAY_INVALID_INPUT);
    assert_null(fill_block_find("normal"));
    assert_null(fill_find("minus128"));
    fill_done(&f);
}

/* Row H02: the check that compared NaN with NaN. The right answer to such data is DEADREF, whatever a device gives. */
static void test_h02_is_dead(void **state)
{
    (void)state;
    struct judge_case *c;
    struct assay_error error = {0};
    struct judge_source source = {.line = "q1_0/u8/m=1000,n=1,k=512/fill=h02/seed=1/expect=DEADREF"};
    assert_int_equal(case_parse(source.line, &source.spec, &error), ASSAY_OK);
    assert_int_equal(judge_prepare(&source, NULL, &c, &error), ASSAY_OK);
    if (c->refused != VERDICT_NONE) fail_msg("%s", c->why);
    assert_string_equal(c->dead, "nan");
    uint8_t *arena = malloc(c->arena_bytes);
    struct judge_trial trial = {0};
    struct judgement judgement;
    for (int run = 0; run < 2; run++) {
        judge_stage(c, run, arena);
        float *y = (float *)(void *)(arena + c->output[0].arena_bytes) + c->output[0].tensor.offset;
        memcpy(y, (float *)c->want[0].data + c->want[0].offset, 1000 * sizeof *y);
        assert_int_equal(judge_collect(c, run, arena, &trial, &error), ASSAY_OK);
    }
    judge_decide(c, &trial, "exact", "", NULL, "", NULL, &judgement);
    assert_int_equal(judgement.verdict, VERDICT_DEADREF);
    assert_int_equal(judgement.rung, RUNG_NONE);
    /* Expected, it is no failure; nor is it a pass. */
    struct judge_tally tally = {.passed = 0};
    judge_tally_add(&tally, judgement.verdict, source.spec.expect);
    assert_true(tally.failed == 0 && tally.errors == 0 && tally.passed == 0 && tally.not_judged == 1);
    judge_trial_free(&trial);
    free(arena);
    judge_case_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window),       cmocka_unit_test(test_threads), cmocka_unit_test(test_promises),
        cmocka_unit_test(test_special_rows), cmocka_unit_test(test_sums),    cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_h02_is_dead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
