/* Preparing and judging without any engine: what is damaged in memory, what the verdict is, what verdicts mean together,
 * how failures are shrunk and shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/judge.h"
#include "harness/options.h"
#include "harness/progress.h"
#include "harness/shrink.h"
#include "oracles/element.h"

static struct judge_case *prepare(const char *line, const char *golden, double flops_allowed)
{
    struct judge_source source = {.line = line, .golden = golden, .flops_allowed = flops_allowed};
    struct judge_case *c = NULL;
    struct assay_error error = {0};
    if (case_parse(line, &source.spec, &error) != ASSAY_OK ||
        judge_prepare(&source, NULL, &c, &error) != ASSAY_OK)
        fail_msg("%s: %s", line, error.text);
    return c;
}

static uint32_t *word(const struct judge_case *c, uint8_t *arena, int64_t flat)
{
    return (uint32_t *)(void *)(arena + c->output[0].arena_bytes) + judge_element(&c->output[0].tensor, flat);
}

static uint32_t right(const struct judge_case *c, int64_t flat)
{
    return ((const uint32_t *)c->want[0].data)[judge_element(&c->want[0], flat)];
}

/* Judge the right answer with `change` made to the memory after each run. */
typedef void (*change_fn)(const struct judge_case *c, uint8_t *arena, int run);

static struct judgement judge_with(const struct judge_case *c, change_fn change, const char *mode,
                                   const char *hash, const struct assay_tensor *rest)
{
    struct judge_trial trial = {0};
    struct judgement judgement;
    uint8_t *arena = malloc(c->arena_bytes);
    for (int run = 0; run < 2; run++) {
        judge_stage(c, run, arena);
        for (int64_t flat = 0; flat < c->elems; flat++) *word(c, arena, flat) = right(c, flat);
        if (change) change(c, arena, run);
        assert_int_equal(judge_collect(c, run, arena, &trial, NULL), ASSAY_OK);
    }
    judge_decide(c, &trial, mode, hash, rest, "cpu:0 kernel", NULL, &judgement);
    judge_trial_free(&trial);
    free(arena);
    return judgement;
}

static void flip_two(const struct judge_case *c, uint8_t *arena, int run)
{
    (void)run;
    *word(c, arena, 9) ^= 1;
    *word(c, arena, 20) ^= 4;
}

static void test_difference(void **state)
{
    (void)state;
    struct judge_case *c = prepare("matmul/f32/m=4,n=7,k=9,pady=2,offy=1/fill=normal/seed=3", NULL, 0);
    struct judgement judgement = judge_with(c, NULL, "exact", "ab", NULL);
    assert_int_equal(judgement.verdict, VERDICT_PASS);
    assert_int_equal(judgement.rung, RUNG_EXACT);
    assert_int_equal(judgement.judged, 28);
    assert_string_equal(judgement.digest, c->digest);
    assert_true(judgement.has_f64 && judgement.bound_f64 <= 1 && judgement.scaled_f64 < 1e-6);
    judgement = judge_with(c, flip_two, "exact", "ab", NULL);
    assert_int_equal(judgement.verdict, VERDICT_DIFF);
    assert_int_equal(judgement.differing, 2);
    assert_int_equal(judgement.first, 9);
    assert_string_equal(judgement.first_index, "[1,2]");
    assert_int_equal(judgement.or_xor, 5);
    assert_int_equal(judgement.got_bits ^ judgement.want_bits, 1);
    assert_string_equal(judgement.oracle, "contract");
    /* A kernel that was compiled as a check never gates, whatever it gives; a fast one is not held to the contract. */
    assert_int_equal(judge_with(c, NULL, "exact", "clang-ab", NULL).verdict, VERDICT_UNPROVEN);
    assert_int_equal(judge_with(c, flip_two, "exact", "clang-ab", NULL).verdict, VERDICT_UNPROVEN);
    assert_int_equal(judge_with(c, flip_two, "fast", "ab", NULL).verdict, VERDICT_UNPROVEN);
    assert_int_equal(judge_with(c, NULL, "fast", "ab", NULL).verdict, VERDICT_PASS);
    judge_case_free(c);
}

static void put_nan(const struct judge_case *c, uint8_t *arena, int run)
{
    *word(c, arena, 5) = run ? 0x7fc00000 : 0xffffffff;
}

/* flame/blis#279, OpenFAST/openfast#1156: the NaN is found, counted, and stays a NaN in every figure. */
static void test_nan(void **state)
{
    (void)state;
    struct judge_case *c = prepare("matmul/f32/m=4,n=7,k=9/fill=normal/seed=3", NULL, 0);
    const struct judgement judgement = judge_with(c, put_nan, "exact", "ab", NULL);
    assert_int_equal(judgement.verdict, VERDICT_DIFF); /* other payloads in the two runs are no difference */
    assert_int_equal(judgement.first, 5);
    assert_int_equal(judgement.differing, 1);
    assert_true(isnan(judgement.max_ulp) && isnan(judgement.scaled_f64) && isnan(judgement.rms_f64) &&
                isnan(judgement.bound_f64));
    judge_case_free(c);
}

/* tracel-ai/cubecl#1070: a NaN that is wanted is compared like any value. */
static void drop_nan(const struct judge_case *c, uint8_t *arena, int run)
{
    (void)run;
    for (int64_t flat = 0; flat < c->elems; flat++)
        if ((right(c, flat) & 0x7fffffff) > 0x7f800000) {
            *word(c, arena, flat) = 0;
            return;
        }
    fail_msg("the case has no NaN");
}

static void other_nan(const struct judge_case *c, uint8_t *arena, int run)
{
    (void)run;
    for (int64_t flat = 0; flat < c->elems; flat++)
        if ((right(c, flat) & 0x7fffffff) > 0x7f800000) *word(c, arena, flat) = 0xff812345;
}

static void test_wanted_nan(void **state)
{
    (void)state;
    struct judge_case *c = prepare("matmul/f32/m=24,n=24,k=9/fill=special/seed=3", NULL, 0);
    assert_int_equal(judge_with(c, other_nan, "exact", "ab", NULL).verdict, VERDICT_PASS);
    assert_int_equal(judge_with(c, drop_nan, "exact", "ab", NULL).verdict, VERDICT_DIFF);
    judge_case_free(c);
}

static void gap(const struct judge_case *c, uint8_t *arena, int run)
{
    if (run == 1) word(c, arena, 6)[1] = 0;
}
static void before(const struct judge_case *c, uint8_t *arena, int run)
{
    (void)run;
    arena[c->output[0].arena_bytes] ^= 1;
}
static void after(const struct judge_case *c, uint8_t *arena, int run)
{
    (void)run;
    arena[c->output[0].arena_bytes + c->output[0].tensor.bytes - 1] ^= 1;
}
static void input(const struct judge_case *c, uint8_t *arena, int run)
{
    if (run == 0) arena[c->input[1].arena_bytes + c->input[1].tensor.bytes - 1] ^= 1;
}
static void unwritten(const struct judge_case *c, uint8_t *arena, int run)
{
    const uint32_t poison = (uint32_t)judge_poison(ASSAY_F32, run);
    memcpy(word(c, arena, 27), &poison, 4);
}
static void once(const struct judge_case *c, uint8_t *arena, int run)
{
    if (run) *word(c, arena, 3) ^= 1;
}

static void test_guards(void **state)
{
    static const struct {
        change_fn change;
        enum verdict verdict;
        const char *words;
    } table[] = {{gap, VERDICT_GUARD, "gap"},
                 {before, VERDICT_GUARD, "before"},
                 {after, VERDICT_GUARD, "past the end"},
                 {input, VERDICT_GUARD, "input B"},
                 {unwritten, VERDICT_GUARD, "1 of 28 elements"},
                 {once, VERDICT_NONDET, "two runs"}};
    (void)state;
    struct judge_case *c = prepare("matmul/f32/m=4,n=7,k=9,pady=2/fill=normal/seed=3", NULL, 0);
    assert_true(c->output[0].tensor.offset * 4 >= JUDGE_GUARD_BYTES);
    for (size_t at = 0; at < sizeof table / sizeof table[0]; at++) {
        const struct judgement judgement = judge_with(c, table[at].change, "exact", "ab", NULL);
        assert_int_equal(judgement.verdict, table[at].verdict);
        if (!strstr(judgement.reason, table[at].words))
            fail_msg("'%s': '%s'", table[at].words, judgement.reason);
    }
    /* A fast kernel whose two runs differ fails too (row H14). */
    assert_int_equal(judge_with(c, once, "fast", "ab", NULL).verdict, VERDICT_NONDET);
    judge_case_free(c);
}

/* Guards hold a row where a row is long, and every poison is a NaN that differs from the other. */
static void test_layout(void **state)
{
    (void)state;
    struct judge_case *c = prepare("matmul/f32/m=2,n=3000,k=2/fill=normal/seed=3", NULL, 0);
    assert_true(c->output[0].tensor.offset >= 3000);
    assert_true(c->output[0].tensor.bytes >= (uint64_t)(2 * 3000 + 2 * 3000) * 4);
    judge_case_free(c);
    for (enum assay_dtype dtype = ASSAY_F32; dtype <= ASSAY_F64; dtype++) {
        assert_true(element_is_nan(dtype, judge_poison(dtype, 0)) &&
                    element_is_nan(dtype, judge_poison(dtype, 1)));
        assert_true(judge_poison(dtype, 0) != judge_poison(dtype, 1));
    }
}

static void test_golden(void **state)
{
    (void)state;
    struct judge_case *c =
        prepare("matmul/f32/m=4,n=7,k=9/fill=normal/seed=3", "0123456789abcdef0123456789abcdef", 0);
    assert_int_equal(c->refused,
                     VERDICT_ERROR); /* contract and stored digest disagree: no device is to blame */
    assert_int_equal(judge_with(c, NULL, "exact", "ab", NULL).verdict, VERDICT_ERROR);
    judge_case_free(c);
}

/* Row O19 and ref=. */
static void test_dead(void **state)
{
    (void)state;
    struct judge_case *c = prepare("matmul/f32/m=4,n=7,k=0/fill=normal/seed=3", NULL, 0);
    assert_int_equal(judge_with(c, NULL, "exact", "ab", NULL).verdict, VERDICT_DEADREF);
    assert_int_equal(judge_with(c, flip_two, "exact", "ab", NULL).verdict, VERDICT_DIFF);
    judge_case_free(c);
    c = prepare("matmul/f32/m=4,n=7,k=0/fill=normal/seed=3/ref=zero", NULL, 0);
    assert_int_equal(judge_with(c, NULL, "exact", "ab", NULL).verdict, VERDICT_PASS);
    judge_case_free(c);
    c = prepare("matmul/f32/m=4,n=7,k=9/fill=normal/seed=3/ref=zero", NULL, 0);
    assert_int_equal(c->refused, VERDICT_ERROR);
    assert_non_null(strstr(c->why, "ref=zero"));
    judge_case_free(c);
}

/* mozilla-ai/llamafile#1004: a wrong reference is found by float64 before any device is judged by it. */
static void wrong_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                           int64_t row0, int64_t row1)
{
    op_find("matmul")->contract(c, in, out, row0, row1);
    if (row0 <= 2 && row1 > 2) ((float *)out->data)[judge_element(out, 2 * 7 + 1)] *= 1.001f;
}

static void test_wrong_reference(void **state)
{
    (void)state;
    struct op wrong = *op_find("matmul");
    struct judge_source source = {.line = "matmul/f32/m=4,n=7,k=9/fill=normal/seed=3"};
    struct judge_case *c = NULL;
    wrong.contract = wrong_contract;
    assert_int_equal(case_parse(source.line, &source.spec, NULL), ASSAY_OK);
    source.spec.op.op = &wrong;
    assert_int_equal(judge_prepare(&source, NULL, &c, NULL), ASSAY_OK);
    assert_int_equal(c->refused, VERDICT_ERROR);
    assert_non_null(strstr(c->why, "[2,1]"));
    assert_int_equal(judge_with(c, NULL, "exact", "ab", NULL).verdict, VERDICT_ERROR);
    judge_case_free(c);
}

/* Sampled rows: the contract judges those, another kernel's output the rest, and the reason says which is which. */
static void flip_unsampled(const struct judge_case *c, uint8_t *arena, int run)
{
    (void)run;
    for (int64_t row = 0, at = 0; row < 64; row++) {
        if (at < c->row_count && c->rows[at] == row) {
            at++;
            continue;
        }
        *word(c, arena, row * 8) ^= 1;
        return;
    }
}

static void test_sampled(void **state)
{
    (void)state;
    struct judge_case *whole = prepare("matmul/f32/m=64,n=8,k=9/fill=normal/seed=3", NULL, 0);
    struct judge_case *c = prepare("matmul/f32/m=64,n=8,k=9/fill=normal/seed=3", NULL, 2.0 * 9 * 8 * 16);
    assert_non_null(c->rows);
    assert_true(c->judged >= 8 && c->judged < 512 && c->rows[0] == 0 && c->rows[c->row_count - 1] == 63);
    /* judge_with writes what `c` wants: fill in what was not computed. */
    memcpy(c->want[0].data, whole->want[0].data, whole->want[0].bytes);
    struct judgement judgement = judge_with(c, NULL, "exact", "ab", NULL);
    assert_int_equal(judgement.verdict, VERDICT_PASS);
    assert_int_equal(judgement.judged, c->judged);
    assert_non_null(strstr(judgement.reason, "of 512 elements judged"));
    assert_int_equal(judge_with(c, flip_unsampled, "exact", "ab", NULL).verdict, VERDICT_PASS);
    judgement = judge_with(c, flip_unsampled, "exact", "ab", &whole->want[0]);
    assert_int_equal(judgement.verdict, VERDICT_DIFF);
    assert_non_null(strstr(judgement.reason, "cpu:0 kernel"));
    judgement = judge_with(c, NULL, "exact", "ab", &whole->want[0]);
    assert_int_equal(judgement.verdict, VERDICT_PASS);
    assert_non_null(strstr(judgement.reason, "equal the output of cpu:0 kernel"));
    /* A stored digest sees the rows that were not sampled, whichever way the digests lie. */
    const char *const stored[] = {judgement.digest, "00000000000000000000000000000000",
                                  "ffffffffffffffffffffffffffffffff"};
    for (int at = 0; at < 3; at++) {
        struct judge_case *with =
            prepare("matmul/f32/m=64,n=8,k=9/fill=normal/seed=3", stored[at], 2.0 * 9 * 8 * 16);
        memcpy(with->want[0].data, whole->want[0].data, whole->want[0].bytes);
        struct judgement found = judge_with(with, at ? NULL : flip_unsampled, "exact", "ab", NULL);
        assert_int_equal(found.verdict, VERDICT_DIFF);
        assert_string_equal(found.oracle, "golden");
        if (at == 0) assert_int_equal(judge_with(with, NULL, "exact", "ab", NULL).verdict, VERDICT_PASS);
        judge_case_free(with);
    }
    judge_case_free(whole);
    judge_case_free(c);
}

/* Published tensors are recorded and do not judge; shapes are compared before values (numpy/numpy#9988). */
static void test_published(void **state)
{
    (void)state;
    float published[28];
    struct judge_case *c = prepare("matmul/f32/m=4,n=7,k=9/fill=normal/seed=3", NULL, 0);
    struct assay_tensor tensor;
    const int64_t shape[2] = {4, 7}, other[2] = {7, 4};
    for (int64_t flat = 0; flat < 28; flat++) {
        const uint32_t bits = right(c, flat);
        memcpy(&published[flat], &bits, 4);
    }
    published[4] *= 1.0f + 0x1p-20f;
    assay_tensor_dense(&tensor, ASSAY_F32, 2, shape);
    tensor.data = published;
    tensor.buffer = NULL;
    tensor.bytes = sizeof published;
    c->source.published = &tensor;
    struct judgement judgement = judge_with(c, NULL, "exact", "ab", NULL);
    assert_int_equal(judgement.verdict, VERDICT_PASS);
    assert_int_equal(judgement.published_differing, 1);
    assert_true(judgement.has_published && judgement.published_scaled > 0 &&
                judgement.published_scaled < 1e-6);
    assay_tensor_dense(&tensor, ASSAY_F32, 2, other);
    assert_false(judge_with(c, NULL, "exact", "ab", NULL).has_published);
    judge_case_free(c);
}

/* An output without elements, and one of rows alone. */
static void test_empty(void **state)
{
    (void)state;
    struct judge_case *c = prepare("matmul/f32/m=0,n=7,k=9/fill=normal/seed=3", NULL, 0);
    assert_int_equal(c->elems, 0);
    assert_int_equal(judge_with(c, NULL, "exact", "ab", NULL).verdict, VERDICT_PASS);
    assert_int_equal(judge_with(c, after, "exact", "ab", NULL).verdict, VERDICT_GUARD);
    judge_case_free(c);
}

/* Every pair of verdict and expectation, and the order of exit codes (harness/options.h). */
static int exit_of(const enum verdict *verdicts, size_t count, enum verdict expected, int64_t missing)
{
    struct judge_tally tally = {0};
    char reason[256];
    for (size_t at = 0; at < count; at++) judge_tally_add(&tally, verdicts[at], expected);
    return judge_exit(&tally, (int64_t)count + missing, missing, reason);
}
#define EXIT_OF(expected, missing, ...)                                                                      \
    exit_of((const enum verdict[]){__VA_ARGS__},                                                             \
            sizeof((const enum verdict[]){__VA_ARGS__}) / sizeof(enum verdict), expected, missing)

static void test_exit(void **state)
{
    (void)state;
    assert_int_equal(EXIT_OF(VERDICT_NONE, 0, VERDICT_PASS, VERDICT_PASS), EXIT_PASS);
    assert_int_equal(EXIT_OF(VERDICT_NONE, 0, VERDICT_PASS, VERDICT_SKIP, VERDICT_DEADREF, VERDICT_UNPROVEN),
                     EXIT_PASS);
    assert_int_equal(EXIT_OF(VERDICT_NONE, 0, VERDICT_REFLIMITED), EXIT_PASS);
    assert_int_equal(EXIT_OF(VERDICT_NONE, 0, VERDICT_SKIP, VERDICT_DEADREF, VERDICT_UNPROVEN), EXIT_NOTHING);
    assert_int_equal(EXIT_OF(VERDICT_NONE, 0, VERDICT_PASS, VERDICT_ERROR), EXIT_ERROR); /* NVIDIA/DCGM#284 */
    assert_int_equal(EXIT_OF(VERDICT_NONE, 1, VERDICT_PASS), EXIT_ERROR); /* ooples/AiDotNet.Tensors#827a */
    static const enum verdict bad[] = {VERDICT_DIFF, VERDICT_NONDET, VERDICT_GUARD, VERDICT_CRASH,
                                       VERDICT_HANG};
    for (size_t at = 0; at < 5; at++) {
        assert_int_equal(EXIT_OF(VERDICT_NONE, 1, VERDICT_PASS, VERDICT_ERROR, bad[at]), EXIT_FAILED);
        assert_int_equal(EXIT_OF(bad[at], 0, bad[at]), EXIT_PASS);
        assert_int_equal(EXIT_OF(bad[at], 0, VERDICT_PASS), EXIT_FAILED);
        assert_int_equal(EXIT_OF(bad[at], 0, bad[(at + 1) % 5]), EXIT_FAILED);
        assert_int_equal(EXIT_OF(bad[at], 0, VERDICT_SKIP), EXIT_NOTHING);
    }
    struct judge_tally none = {0};
    char reason[256];
    assert_int_equal(judge_exit(&none, 0, 0, reason), EXIT_NOTHING);
    assert_int_equal(judge_exit(&none, 40, 40, reason), EXIT_ERROR);
}

/* ---- shrinking ---- */

struct planted {
    int64_t row, col, k; /* the case fails where all three are inside; -1 = anywhere */
    int calls;
};

static bool fails(void *context, const struct case_spec *candidate)
{
    struct planted *planted = context;
    const struct op_case *c = &candidate->op;
    const int64_t wanted[3] = {planted->row, planted->col, planted->k};
    planted->calls++;
    for (int axis = 0; axis < 3; axis++)
        if (wanted[axis] >= 0 && (wanted[axis] < c->at[axis] || wanted[axis] >= c->at[axis] + c->axis[axis]))
            return false;
    return true;
}

static void test_shrink(void **state)
{
    struct case_spec spec, small, again;
    struct planted planted = {4, 1, 1000, 0};
    char line[CASE_LINE_MAX];
    (void)state;
    assert_int_equal(case_parse("matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f", &spec, NULL), ASSAY_OK);
    assert_true(shrink_case(&spec, 4 * 7 + 1, 40, fails, &planted, &small));
    case_print(&small, line);
    assert_string_equal(line, "matmul/f32/m=1,n=1,k=1/of=33x7x4096,at=4x1x1000/fill=cancel/seed=1f");
    assert_int_equal(case_parse(line, &again, NULL), ASSAY_OK);
    assert_true(planted.calls <= 40);
    /* Not at that element: a window around it. */
    planted = (struct planted){6, 2, -1, 0};
    assert_true(shrink_case(&spec, 4 * 7 + 1, 40, fails, &planted, &small));
    assert_true(small.op.axis[0] < 33 && small.op.axis[0] > 1);
    planted = (struct planted){-2, -2, -2, 0};
    assert_false(shrink_case(&spec, -1, 40, fails, &planted, &small));
    assert_int_equal(planted.calls, 0);
    planted = (struct planted){99, 99, 99, 0};
    assert_false(shrink_case(&spec, 3, 40, fails, &planted, &small));
    assert_string_equal(case_print(&small, line), "matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f");
}

/* Rows of blocks are cut between blocks. */
static void test_shrink_blocks(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        struct planted planted;
        int64_t first;
        const char *small;
    } cases[] = {
        {"q1_0/u8/m=65,n=9,k=1024/fill=layer/seed=1",
         {17, 3, 700, 0},
         3 * 65 + 17,
         "q1_0/u8/m=1,n=1,k=128/of=65x9x1024,at=17x3x640/fill=layer/seed=1"},
        {"q1_0/u8/m=65,n=9,k=4224/fill=layer/seed=1",
         {17, 3, 4223, 0},
         3 * 65 + 17,
         "q1_0/u8/m=1,n=1,k=128/of=65x9x4224,at=17x3x4096/fill=layer/seed=1"},
        /* The axes of the quantizer are n and k. */
        {"q8_0/f32/n=7,k=4128/fill=layer/seed=1",
         {5, 100, -1, 0},
         5 * 4386 + 103,
         "q8_0/f32/n=1,k=32/of=7x4128,at=5x96/fill=layer/seed=1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct case_spec spec, small, again;
        struct planted planted = cases[i].planted;
        char line[CASE_LINE_MAX];
        assert_int_equal(case_parse(cases[i].line, &spec, NULL), ASSAY_OK);
        assert_true(shrink_case(&spec, cases[i].first, 40, fails, &planted, &small));
        assert_string_equal(case_print(&small, line), cases[i].small);
        assert_int_equal(case_parse(line, &again, NULL), ASSAY_OK);
    }
}

/* ---- words ---- */

static void test_words(void **state)
{
    char text[200];
    (void)state;
    const struct progress progress = {.total = 400, .done = 100, .failed = 2, .start_ns = 0};
    assert_string_equal(progress_text(&progress, UINT64_C(2000000000), text, sizeof text),
                        "100/400  25 %  50/s  6 s left  2 failed");
    const struct judgement judgement = {.verdict = VERDICT_DIFF,
                                        .oracle = "contract",
                                        .oracle_version = 1,
                                        .elems = 231,
                                        .differing = 12,
                                        .first = 29,
                                        .first_index = "[4,1]",
                                        .got = "3f8100a2",
                                        .want = "3f8100a3",
                                        .got_bits = 0x3f8100a2,
                                        .want_bits = 0x3f8100a3};
    const struct failure failure = {.line = "matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f",
                                    .label = "vulkan:0",
                                    .device = "NVIDIA H200",
                                    .driver = "580.159",
                                    .kernel = "matmul.vulkan.exact",
                                    .kernel_hash = "3fa9c1e0",
                                    .repro = "assay replay 'x' --device vulkan:0",
                                    .dtype = ASSAY_F32,
                                    .judgement = &judgement};
    char *printed = progress_failure(&failure);
    assert_string_equal(printed, "DIFF  matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f\n"
                                 "  kernel   vulkan:0 NVIDIA H200 580.159   matmul.vulkan.exact 3fa9c1e0\n"
                                 "  oracle   contract v1      12 of 231 elements differ, first at [4,1]\n"
                                 "  got      3f8100a2  +0x1.020144p+0\n"
                                 "  want     3f8100a3  +0x1.020146p+0   1 ulp   xor 00000001\n"
                                 "  repro    assay replay 'x' --device vulkan:0\n");
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_difference), cmocka_unit_test(test_nan),
        cmocka_unit_test(test_wanted_nan), cmocka_unit_test(test_guards),
        cmocka_unit_test(test_layout),     cmocka_unit_test(test_golden),
        cmocka_unit_test(test_dead),       cmocka_unit_test(test_wrong_reference),
        cmocka_unit_test(test_sampled),    cmocka_unit_test(test_published),
        cmocka_unit_test(test_empty),      cmocka_unit_test(test_exit),
        cmocka_unit_test(test_shrink),     cmocka_unit_test(test_shrink_blocks),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
