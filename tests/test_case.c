/* Case lines: parse(print(c)) == c over random cases, exact errors, hostile input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/case.h"
#include "harness/fill.h"

static uint64_t counter;

static int64_t pick(int64_t least, int64_t most)
{
    uint64_t span = (uint64_t)(most - least) + 1;
    return least + (int64_t)(fill_random(99, 0, counter++, 0) % span);
}

static bool same(const struct case_spec *a, const struct case_spec *b)
{
    const struct op_case *x = &a->op, *y = &b->op;
    return x->op == y->op && x->dtype_count == y->dtype_count && x->dtype[0] == y->dtype[0] &&
           memcmp(x->axis, y->axis, sizeof x->axis) == 0 && memcmp(x->of, y->of, sizeof x->of) == 0 &&
           memcmp(x->at, y->at, sizeof x->at) == 0 && a->fill == b->fill && a->seed == b->seed &&
           a->dead == b->dead && strcmp(a->file, b->file) == 0 && a->expect == b->expect &&
           a->window == b->window;
}

/* A random case that the grammar allows. */
static struct case_spec random_case(void)
{
    static const char *const dead[] = {NULL, "zero", "nan", "inf"};
    const struct op *op = op_find("matmul");
    struct case_spec spec = {.op = {.op = op, .dtype = {ASSAY_F32}, .dtype_count = 1}};
    for (size_t d = 0; d < op->axis_count; d++) {
        const struct op_axis *axis = &op->axes[d];
        bool usual = axis->standard >= axis->least && pick(0, 2);
        spec.op.axis[d] = usual ? axis->standard : pick(axis->least, axis->most < 300 ? axis->most : 300);
        spec.op.of[d] = spec.op.axis[d];
    }
    if (pick(0, 1))
        for (size_t d = 0; d < 4; d++) {
            spec.op.at[d] = pick(0, 2) ? 0 : pick(0, 50);
            spec.op.of[d] += spec.op.at[d] + (pick(0, 2) ? 0 : pick(0, 70));
            spec.window |= spec.op.of[d] != spec.op.axis[d];
        }
    /* `seed=` of every length. */
    spec.seed = fill_random(98, 0, counter++, 0) >> pick(0, 63);
    spec.fill = fill_table[pick(0, (int64_t)fill_count - 1)].name;
    spec.expect = pick(0, 3) ? VERDICT_NONE : (enum verdict)pick(VERDICT_PASS, VERDICT_COUNT - 1);
    /* The parser's own string is what must come back: parse one. */
    struct case_spec with_dead;
    int which = (int)pick(0, 3);
    if (which) {
        char line[CASE_LINE_MAX];
        snprintf(line, sizeof line, "matmul/f32/m=1,n=1,k=1/fill=ones/seed=1/ref=%s", dead[which]);
        assert_int_equal(case_parse(line, &with_dead, NULL), ASSAY_OK);
        spec.dead = with_dead.dead;
    }
    return spec;
}

static void test_round_trip(void **state)
{
    (void)state;
    char line[CASE_LINE_MAX], again[CASE_LINE_MAX];
    for (int i = 0; i < 20000; i++) {
        struct case_spec spec = random_case(), read;
        struct assay_error error = {0};
        case_print(&spec, line);
        if (case_parse(line, &read, &error)) fail_msg("%s: %s", line, error.text);
        if (!same(&spec, &read)) fail_msg("%s came back as %s", line, case_print(&read, again));
        assert_string_equal(case_print(&read, again), line);
    }
}

static void test_canonical(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"matmul/f32/k=4096,n=7,m=33/fill=cancel/seed=001F",
         "matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f"},
        {"matmul/f32/m=3,n=2,k=1,b=1,ta=0,in=ab/fill=normal/seed=0",
         "matmul/f32/m=3,n=2,k=1/fill=normal/seed=0"},
        {"matmul/f32/m=3,n=2,k=1/of=3x2x1,at=0x0x0/fill=normal/seed=0",
         "matmul/f32/m=3,n=2,k=1/fill=normal/seed=0"},
        {"matmul/f32/m=1,n=1,k=33/of=33x7x4096x1,at=4x1x0x0/fill=cancel/seed=1f",
         "matmul/f32/m=1,n=1,k=33/of=33x7x4096,at=4x1/fill=cancel/seed=1f"},
        {"matmul/f32/m=1,n=1,k=3,in=b,b=2/of=1x1x3x5,at=0x0x0x3/fill=wide/seed=1/ref=nan/expect=DIFF",
         "matmul/f32/m=1,n=1,k=3,b=2,in=b/of=1x1x3x5,at=0x0x0x3/fill=wide/seed=1/ref=nan/expect=DIFF"},
        {"q1_0/u8/m=2,n=1,k=128/of=4x1x128/fill=layer/seed=1/file=%61.b%2fc%2A/ref=nan",
         "q1_0/u8/m=2,n=1,k=128/of=4/fill=layer/seed=1/file=a.b%2Fc%2A/ref=nan"},
    };
    char text[CASE_LINE_MAX];
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct case_spec spec;
        struct assay_error error = {0};
        if (case_parse(pairs[i][0], &spec, &error)) fail_msg("%s: %s", pairs[i][0], error.text);
        assert_string_equal(case_print(&spec, text), pairs[i][1]);
    }
}

/* file= of any bytes but NUL, up to its whole length. */
static void test_file_names(void **state)
{
    (void)state;
    for (int i = 0; i < 5000; i++) {
        struct case_spec spec, read;
        struct assay_error error = {0};
        char line[CASE_LINE_MAX], again[CASE_LINE_MAX];
        assert_int_equal(
            case_parse("q1_0/u8/m=2,n=1,k=128/of=9x1x256,at=3x0x128/fill=layer/seed=1", &spec, NULL),
            ASSAY_OK);
        const int64_t length = pick(1, CASE_FILE_MAX);
        for (int64_t at = 0; at < length; at++) spec.file[at] = (char)pick(1, i % 2 ? 255 : 127);
        case_print(&spec, line);
        assert_null(strpbrk(line, " *?{}#'\"\\"));
        if (case_parse(line, &read, &error)) fail_msg("%s: %s", line, error.text);
        assert_true(same(&spec, &read));
        assert_string_equal(read.file, spec.file);
        assert_string_equal(case_print(&read, again), line);
    }
}

#define REST "/fill=normal/seed=1"
#define Q1   "q1_0/u8/m=1,n=1,k=128/fill=layer/seed=1"

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"", "operator '' is unknown"},
        {"matmull/f32/m=1,n=1,k=1" REST, "did you mean 'matmul'?"},
        {"conv/f32/m=1" REST, "allowed: matmul"},
        {"onnx/test_matmul_2d", "a test on disk"},
        {"matmul", "ends before dtypes"},
        {"matmul/", "dtype '' is unknown"},
        {"matmul/f16/m=1,n=1,k=1" REST, "dtype 'f16' is unknown; allowed: f32"},
        {"matmul/f32", "axis m is missing"},
        {"matmul/f32/m=1,n=1" REST, "axis k is missing (columns of A"},
        {"matmul/f32/m=1,n=1,k=1,padd=1" REST, "axis 'padd' is unknown; did you mean 'pada'?"},
        {"matmul/f32/m=1,n=1,k=1,m=2" REST, "axis m is given twice"},
        {"matmul/f32/m=,n=1,k=1" REST, "m is '', which is no integer"},
        {"matmul/f32/m=1x,n=1,k=1" REST, "m is '1x', which is no integer"},
        {"matmul/f32/m=0x10,n=1,k=1" REST, "m is '0x10', which is no integer"},
        {"matmul/f32/m=+1,n=1,k=1" REST, "m is '+1', which is no integer"},
        {"matmul/f32/m= 1,n=1,k=1" REST, "m is ' 1', which is no integer"},
        {"matmul/f32/m=-1,n=1,k=1" REST, "m is -1; allowed: 0 to"},
        {"matmul/f32/m=99999999999999999999999,n=1,k=1" REST, "which is no integer in range"},
        {"matmul/f32/m=9223372036854775808,n=1,k=1" REST, "which is no integer in range"},
        {"matmul/f32/m=9223372036854775807,n=1,k=1" REST, "allowed: 0 to"},
        {"matmul/f32/m=16777216,n=16777216,k=1" REST, "more than"},
        {"matmul/f32/m=1,n=1,k=1,in=ba" REST, "in 'ba' is unknown"},
        {"matmul/f32/m=1,n=1,k=1,ta=2" REST, "ta is 2; allowed: 0 to 1"},
        {"matmul/f32/m=1,n=1,k=1,", "is no axis"},
        {"matmul/f32/m=1,n=1,k=1," REST, "'' is no axis"},
        {"matmul/f32/mnk" REST, "'mnk' is no axis"},
        {"matmul/f32/m=1,n=1,k=1", "fill= is missing"},
        {"matmul/f32/m=1,n=1,k=1/seed=1", "fill= is missing before 'seed=1'"},
        {"matmul/f32/m=1,n=1,k=1/fill=normal", "seed= is missing"},
        {"matmul/f32/m=1,n=1,k=1/fill=norml/seed=1", "fill 'norml' is unknown; did you mean 'normal'?"},
        {"matmul/f32/m=1,n=1,k=1/fill=/seed=1", "fill '' is unknown; allowed: ones"},
        {"matmul/f32/m=1,n=1,k=1/fill=normal/seed=", "seed is ''; allowed: 1 to 16 hex digits"},
        {"matmul/f32/m=1,n=1,k=1/fill=normal/seed=12345678123456781", "seed is '12345678123456781'"},
        {"matmul/f32/m=1,n=1,k=1/fill=normal/seed=0x1", "seed is '0x1'"},
        {"matmul/f32/m=1,n=1,k=1" REST "/", "unexpected ''"},
        {"matmul/f32/m=1,n=1,k=1" REST " ", "seed is '1 '"},
        {"matmul/f32/m=1,n=1,k=1" REST "/junk", "unexpected 'junk'"},
        {"matmul/f32/m=1,n=1,k=1" REST "/file=a", "matmul: file= gives a matrix of q1_0 blocks"},
        {"q8_0/f32/n=1,k=32" REST "/file=a", "q8_0: file= gives a matrix of q1_0 blocks"},
        {Q1 "/file=", "file is ''; allowed: 1 to 64 bytes"},
        {Q1 "/file=a b", "file is 'a b'"},
        {Q1 "/file=a%2", "file is 'a%2'"},
        {Q1 "/file=a%", "file is 'a%'"},
        {Q1 "/file=%zz", "file is '%zz'"},
        {Q1 "/file=%00", "file is '%00'"},
        {Q1 "/file=a/file=b", "unexpected 'file=b'"},
        {Q1 "/ref=nan/file=a", "unexpected 'file=a'"},
        {Q1 "/file=0123456789012345678901234567890123456789012345678901234567890123x", "allowed: 1 to 64"},
        {"matmul/f32/m=1,n=1,k=1" REST "/ref=zeros", "ref 'zeros' is unknown; did you mean 'zero'?"},
        {"matmul/f32/m=1,n=1,k=1" REST "/expect=FAIL", "expect 'FAIL' is unknown"},
        {"matmul/f32/m=1,n=1,k=1" REST "/expect=DIFF/ref=nan", "unexpected 'ref=nan'"},
        {"matmul/f32/m=1,n=1,k=1" REST "/ref=nan/ref=nan", "unexpected 'ref=nan'"},
        {"matmul/f32/m=4,n=1,k=1/of=3" REST, "m=4 at 0 ends outside the parent's m=3"},
        {"matmul/f32/m=4,n=1,k=1/of=5,at=2" REST, "m=4 at 2 ends outside the parent's m=5"},
        {"matmul/f32/m=4,n=1,k=1/of=5,at=9223372036854775807" REST, "ends outside"},
        {"matmul/f32/m=4,n=1,k=1/of=9223372036854775807" REST, "allowed: at most"},
        {"matmul/f32/m=4,n=1,k=1/of=4x1x1x1x1" REST "/x", "unexpected 'x'"},
        {"matmul/f32/m=4,n=1,k=1/of=4x1x1x1x2" REST, "axis in cannot be cut"},
        {"matmul/f32/m=4,n=1,k=1/of=8,at=1x1" REST, "at= has more than 1 numbers"},
        {"matmul/f32/m=4,n=1,k=1/of=8x" REST, "of= holds ''"},
        {"matmul/f32/m=4,n=1,k=1/of=-8" REST, "of= holds '-8'"},
        {"matmul/f32/m=4,n=1,k=1/at=1" REST, "a window is written"},
        {"matmul/f32/m=4,n=1,k=1/of=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1" REST, "more than"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct case_spec spec;
        struct assay_error error = {0};
        assert_int_equal(case_parse(bad[i].line, &spec, &error), ASSAY_INVALID_INPUT);
        if (!strstr(error.text, bad[i].says))
            fail_msg("%s\n  expected: %s\n  got: %s", bad[i].line, bad[i].says, error.text);
    }
}

/* A good line with bytes changed, cut and doubled; how many of the results are good lines. */
static size_t mutate(const char *good, int rounds)
{
    const size_t good_length = strlen(good);
    char line[CASE_LINE_MAX], printed[CASE_LINE_MAX];
    struct case_spec spec;
    struct assay_error error;
    size_t accepted = 0;
    for (int i = 0; i < rounds; i++) {
        size_t length = good_length;
        memcpy(line, good, length + 1);
        for (int64_t n = pick(1, 3); n > 0; n--) {
            size_t at = (size_t)pick(0, (int64_t)length - 1);
            switch (pick(0, 3)) {
            case 0:
                line[at] = (char)pick(1, 255);
                break;
            case 1:
                line[at] = good[pick(0, (int64_t)good_length - 1)];
                break;
            case 2:
                memmove(line + at, line + at + 1, length-- - at);
                break;
            default:
                memmove(line + at + 1, line + at, ++length - at);
                line[length] = 0;
            }
        }
        error = (struct assay_error){0};
        if (case_parse(line, &spec, &error)) {
            assert_true(error.text[0] != 0 && error.status == ASSAY_INVALID_INPUT);
        } else {
            struct case_spec again;
            case_print(&spec, printed);
            assert_int_equal(case_parse(printed, &again, &error), ASSAY_OK);
            assert_true(same(&spec, &again));
            accepted++;
        }
    }
    return accepted;
}

/* Nothing that arrives may crash, overrun, or reach a terminal unescaped. */
static void test_hostile(void **state)
{
    (void)state;
    struct case_spec spec;
    struct assay_error error = {0};
    char *text = malloc(1 << 20);
    memset(text, 'm', 1 << 20);
    text[(1 << 20) - 1] = 0;
    assert_int_equal(case_parse(text, &spec, &error), ASSAY_INVALID_INPUT);
    assert_non_null(strstr(error.text, "at most 511"));
    free(text);

    assert_int_equal(case_parse("\x1b[31mmat\xc3\xbcl\x7f/f32", &spec, &error), ASSAY_INVALID_INPUT);
    for (const char *c = error.text; *c; c++) assert_in_range(*c, 0x20, 0x7e);
    assert_non_null(strstr(error.text, "\\x1b[31mmat\\xc3\\xbcl\\x7f"));

    size_t accepted = mutate(
        "matmul/f32/m=1,n=1,k=33,in=b,pada=3/of=33x7x4096,at=4x1/fill=cancel/seed=1f/ref=nan/expect=DIFF",
        60000);
    assert_in_range(accepted, 1000, 50000);
    accepted =
        mutate("q1_0/u8/m=3,n=2,k=384,padw=1,offx=3/of=65x9x1024,at=31x7x256/fill=minus128/seed=1f", 20000);
    assert_in_range(accepted, 200, 15000);
    accepted = mutate("q8_0/f32/n=2,k=96,pady=3/of=9x1024,at=4x96/fill=codes/seed=1f/expect=DIFF", 20000);
    assert_in_range(accepted, 200, 15000);
}

static void test_glob(void **state)
{
    (void)state;
    assert_true(case_match("matmul/*", "matmul/f32/m=1"));
    assert_true(case_match("*m=1,*cancel*", "matmul/f32/m=1,n=2/fill=cancel/seed=1"));
    assert_true(case_match("m?tmul*", "matmul"));
    assert_true(case_match("**", ""));
    assert_true(case_match("a*b*c", "abbbcc"));
    assert_false(case_match("a*b*c", "abbbccd"));
    assert_false(case_match("matmul", "matmul/f32"));
    assert_false(case_match("?", ""));
    assert_false(case_match("[m]atmul", "matmul"));
    /* No exponential time. */
    char text[400];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_false(case_match("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_canonical),
        cmocka_unit_test(test_file_names), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_hostile),    cmocka_unit_test(test_glob),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
