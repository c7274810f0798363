/* The Q8_0 quantizer's definition and exact bytes: row K07's examples, each operation evaluated once more in binary64, and
 * blocks that no arithmetic can quantize. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "harness/fill.h"
#include "harness/judge.h"
#include "oracles/q8_0/q8_0.h"
#include "tests/oracle_help.h"

static void block_is(const float x[32], unsigned scale, const int8_t codes[32])
{
    uint8_t bytes[Q8_0_BYTES];
    memset(bytes, 0x55, sizeof bytes);
    q8_0_block(x, bytes);
    if ((bytes[0] | (unsigned)bytes[1] << 8) != scale)
        fail_msg("scale is %02x%02x, not %04x", bytes[1], bytes[0], scale);
    assert_memory_equal(bytes + 2, codes, 32);
}

static void examples(void **state)
{
    (void)state;
    int8_t codes[32] = {127, 2, -4, 0};
    const float plain[32] = {127, 2.5f, -3.5f, 0.5f};
    block_is(plain, 0x3c00, codes);
    const float ties[32] = {-127, 0.5f, 1.5f, 2.5f, 3.5f, 4.5f, -0.5f, -1.5f, -2.5f, 126.5f, -126.5f, 125.5f};
    const int8_t even[32] = {-127, 0, 2, 2, 4, 4, 0, -2, -2, 126, -126, 126};
    block_is(ties, 0x3c00, even);

    /* Zeros of both signs are 34 zero bytes. */
    float x[32] = {0};
    memset(codes, 0, sizeof codes);
    block_is(x, 0, codes);
    for (int i = 0; i < 32; ++i) x[i] = i % 3 ? 0.0f : -0.0f;
    block_is(x, 0, codes);
}

/* EXACTNESS rule 11: NaN or infinity anywhere, or a scale beyond f16, makes every number -128 and the scale NaN. */
static void no_scale(void **state)
{
    (void)state;
    static const uint32_t odd[] = {0x7fc00000, 0xffc00001, 0x7f800001, 0x7f800000, 0xff800000};
    int8_t lowest[32];
    memset(lowest, -128, sizeof lowest);
    for (int at = 0; at < 32; ++at)
        for (size_t i = 0; i < sizeof odd / sizeof odd[0]; ++i) {
            float x[32];
            for (int e = 0; e < 32; ++e) x[e] = (float)(e - 9);
            memcpy(&x[at], &odd[i], sizeof x[at]);
            block_is(x, 0x7e00, lowest);
        }
    /* amax / 127 is a tie between 65504 and what would be 65536 at 65520: from there on infinite. */
    float x[32] = {0};
    x[7] = -8321040;
    block_is(x, 0x7e00, lowest);
    x[7] = 3e38f;
    block_is(x, 0x7e00, lowest);
    x[7] = -8321039;
    int8_t codes[32] = {[7] = -127};
    block_is(x, 0x7bff, codes);
}

/* 127 / amax overflows: all zero. Just above, codes under a scale of 0. */
static void tiny_blocks(void **state)
{
    (void)state;
    float x[32] = {0};
    const int8_t zero[32] = {0}, codes[32] = {[0] = 127, [5] = -127};
    for (float amax = 0x1p-149f; isinf(127.0f / amax); amax *= 1.37f) {
        x[0] = amax;
        x[5] = -amax;
        block_is(x, 0, zero);
        if (amax * 1.37f == amax) amax += 0x1p-149f;
    }
    float least = 0x1p-121f;
    while (isinf(127.0f / least)) least = nextafterf(least, 1);
    while (!isinf(127.0f / nextafterf(least, 0))) least = nextafterf(least, 0);
    assert_true(least > 3.7e-37f && least < 3.8e-37f);
    x[0] = least;
    x[5] = -least;
    block_is(x, 0, codes);
    x[0] = nextafterf(least, 0);
    x[5] = -x[0];
    block_is(x, 0, zero);
}

/* A number >= 0 to f16 by counting in binary64, where each step is exact. */
static unsigned half_by_counting(float x)
{
    int exponent = x == 0 ? -14 : ilogb((double)x);
    if (exponent < -14) exponent = -14;
    const double units = nearbyint(ldexp((double)x, 10 - exponent)); /* 11 bits, or fewer below 2^-14 */
    if (units * ldexp(1, exponent - 10) >= 65536) return 0x7c00;
    unsigned field = (unsigned)(exponent + 15), fraction = (unsigned)units;
    if (fraction == 2048) return (field + 1) << 10;
    return fraction < 1024 ? fraction : field << 10 | (fraction - 1024);
}

/* The definition in binary64: a quotient or a product of two f32 rounded to binary64 and then to f32 is rounded as if
 * once (53 >= 2 * 24 + 2). */
static void check_block(const float x[32])
{
    double amax = 0;
    bool finite = true;
    uint8_t bytes[Q8_0_BYTES];
    for (int i = 0; i < 32; ++i) {
        finite &= isfinite(x[i]) != 0;
        amax = fmax(amax, fabs((double)x[i]));
    }
    q8_0_block(x, bytes);
    const unsigned got = bytes[0] | (unsigned)bytes[1] << 8;
    unsigned scale = finite ? half_by_counting((float)(amax / 127)) : 0x7e00;
    const float id = (float)(127 / amax);
    if (scale == 0x7c00) scale = 0x7e00;
    if (scale != 0x7e00 && isinf(id)) scale = 0;
    assert_int_equal(got, scale);
    for (int i = 0; i < 32; ++i) {
        int want = -128;
        if (scale != 0x7e00) want = isinf(id) ? 0 : (int)nearbyint((double)(float)((double)x[i] * id));
        assert_int_equal((int8_t)bytes[2 + i], want);
        /* No finite number becomes -128, so it is fed as a byte where it is tested (rows K08, H02). */
        assert_true(scale == 0x7e00 || want >= -127);
    }
}

static void against_binary64(void **state)
{
    (void)state;
    uint64_t seed = 1;
    float x[32];
    for (int round = 0; round < 4000; ++round) {
        const int kind = round % 5, shift = (int)(help_next(&seed) % 200) - 110;
        for (int i = 0; i < 32; ++i) {
            x[i] = help_draw(kind < HELP_KINDS ? (enum help_kind)kind : HELP_NORMAL, &seed);
            if (kind == 4) x[i] = ldexpf(x[i], shift);
        }
        check_block(x);
    }
    /* Scales around every f16: the number whose quotient is the f16, its neighbours, and the ties between two. */
    for (unsigned h = 0; h < 0x7c00; h += 7) {
        const double value = h >> 10 ? ldexp(1024 + (h & 1023), (int)(h >> 10) - 25) : ldexp(h, -24);
        const double next = ldexp(1, h >> 10 ? (int)(h >> 10) - 26 : -25);
        memset(x, 0, sizeof x);
        for (int step = -2; step <= 2; ++step)
            for (int tie = 0; tie < 2; ++tie) {
                x[31] = (float)((value + tie * next) * 127);
                for (int s = 0; s < abs(step); ++s) x[31] = nextafterf(x[31], step < 0 ? 0 : INFINITY);
                x[0] = x[31] / 3;
                check_block(x);
            }
    }
}

/* All fills that cases may have, judged as the harness does: lines of the corpus. */
static void fills(void **state)
{
    (void)state;
    for (size_t f = 0; f < fill_count; ++f) {
        char line[CASE_LINE_MAX];
        struct case_spec spec;
        struct op_signature sig;
        struct assay_error error = {0};
        snprintf(line, sizeof line, "q8_0/f32/n=5,k=512,padx=1,pady=3,offx=2,offy=5/fill=%s/seed=4",
                 fill_table[f].name);
        if (case_parse(line, &spec, &error)) fail_msg("%s", error.text);
        assert_int_equal(spec.op.op->signature(&spec.op, &sig, &error), ASSAY_OK);
        struct assay_tensor in = sig.input[0].tensor, out = sig.output[0].tensor;
        in.data = calloc(in.bytes, 1);
        out.data = malloc(out.bytes);
        memset(out.data, 0x5a, out.bytes);
        assert_int_equal(fill_tensor(&spec, &sig, 0, &in, NULL, &error), ASSAY_OK);
        assert_int_equal(spec.op.op->rows(&spec.op), 5 * 16);
        spec.op.op->contract(&spec.op, &in, &out, 0, 33);
        spec.op.op->contract(&spec.op, &in, &out, 33, 80);
        const uint8_t *bytes = out.data;
        for (int64_t row = 0; row < 5; ++row)
            for (int64_t b = 0; b < 16; ++b) {
                const float *x = (const float *)in.data + 2 + row * 513 + b * 32;
                uint8_t want[Q8_0_BYTES];
                check_block(x);
                q8_0_block(x, want);
                assert_memory_equal(bytes + 5 + row * (16 * 34 + 3) + b * 34, want, sizeof want);
            }
        for (int64_t at = 0; at < 5; ++at) assert_int_equal(bytes[at], 0x5a);
        for (int64_t row = 0; row < 4; ++row)
            for (int64_t at = 0; at < 3; ++at)
                assert_int_equal(bytes[5 + row * (16 * 34 + 3) + 16 * 34 + at], 0x5a);
        free(in.data);
        free(out.data);
    }
}

/* The fill `codes` does what it is there for. */
static void codes_fill(void **state)
{
    (void)state;
    struct case_spec spec;
    struct op_signature sig;
    struct assay_error error = {0};
    assert_int_equal(case_parse("q8_0/f32/n=64,k=1024/fill=codes/seed=1", &spec, &error), ASSAY_OK);
    assert_int_equal(spec.op.op->signature(&spec.op, &sig, &error), ASSAY_OK);
    struct assay_tensor in = sig.input[0].tensor;
    float *x = malloc(in.bytes);
    in.data = x;
    assert_int_equal(fill_tensor(&spec, &sig, 0, &in, NULL, &error), ASSAY_OK);
    int ties = 0, overflow = 0, largest = 0, subnormal = 0, zero = 0, all_zero = 0, zero_scale = 0;
    for (int block = 0; block < 64 * 32; ++block) {
        uint8_t bytes[Q8_0_BYTES];
        const float *from = x + block * 32;
        bool codes = false;
        float amax = 0;
        q8_0_block(from, bytes);
        const unsigned scale = bytes[0] | (unsigned)bytes[1] << 8;
        for (int i = 0; i < 32; ++i) {
            codes |= bytes[2 + i] != 0;
            amax = fmaxf(amax, fabsf(from[i]));
        }
        for (int i = 0; i < 32 && amax > 0; ++i) {
            const float scaled = from[i] * (127.0f / amax);
            ties += scaled - floorf(scaled) == 0.5f;
        }
        overflow += scale == 0x7e00;
        largest += scale == 0x7bff;
        subnormal += scale > 0 && scale < 0x400;
        zero += scale == 0 && amax > 0 && !codes;
        all_zero += amax == 0;
        zero_scale += scale == 0 && codes;
    }
    free(x);
    print_message("codes: %d ties, scale: %d overflow, %d largest, %d subnormal, 0 with codes %d, without "
                  "%d; zeros %d\n",
                  ties, overflow, largest, subnormal, zero_scale, zero, all_zero);
    assert_true(ties > 30000 && overflow > 50 && largest > 50 && subnormal > 100 && zero > 50 &&
                all_zero > 50 && zero_scale > 50);
}

static void signatures(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"q8_0/f32/n=1,k=33/fill=normal/seed=1", "k is 33, which is no multiple of 32"},
        {"q8_0/f32/n=1,k=32/of=1x64,at=0x16/fill=normal/seed=1", "starts at k=16"},
        {"q8_0/f16/n=1,k=32/fill=normal/seed=1", "dtype 'f16' is unknown"},
        {"q8_0/f32/n=1,k=32/fill=bytes/seed=1", "bytes of blocks, but the inputs here are numbers"},
    };
    struct assay_error error = {0};
    struct case_spec spec;
    struct op_signature sig;
    struct op_case c;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_equal(case_parse(bad[i].line, &spec, &error), ASSAY_INVALID_INPUT);
        if (!strstr(error.text, bad[i].says)) fail_msg("%s: %s", bad[i].line, error.text);
    }
    assert_int_equal(case_parse("q8_0/f32/n=3,k=64/fill=normal/seed=1", &spec, &error), ASSAY_OK);
    assert_int_equal(spec.op.op->signature(&spec.op, &sig, &error), ASSAY_OK);
    assert_string_equal(sig.onnx, "Q8_0Quantize");
    assert_int_equal(sig.output[0].tensor.shape[1], 68);
    assert_null(sig.input[0].block);
    assert_null(spec.op.op->f64);
    assert_int_equal(op_case_from_node("Q8_0Quantize", NULL, 0, &sig.input[0].tensor, 1,
                                       &sig.output[0].tensor, 1, &c, &error),
                     ASSAY_OK);
    assert_int_equal(c.axis[Q8_0_K], 64);
    struct assay_tensor wrong = sig.output[0].tensor;
    wrong.shape[1] = 67;
    assert_int_equal(
        op_case_from_node("Q8_0Quantize", NULL, 0, &sig.input[0].tensor, 1, &wrong, 1, &c, &error),
        ASSAY_INVALID_INPUT);
}

/* An operator without a float64 value is judged by its bytes alone. */
static void judged(void **state)
{
    (void)state;
    struct judge_case *c;
    struct assay_error error = {0};
    struct judge_source source = {.line = "q8_0/f32/n=5,k=96/fill=codes/seed=1"};
    assert_int_equal(case_parse(source.line, &source.spec, &error), ASSAY_OK);
    assert_int_equal(judge_prepare(&source, NULL, &c, &error), ASSAY_OK);
    assert_int_equal(c->refused, VERDICT_NONE);
    assert_false(c->has_accuracy);
    assert_int_equal(strlen(c->digest), 32);
    uint8_t *arena = malloc(c->arena_bytes);
    for (int flip = 0; flip < 2; ++flip) {
        struct judge_trial trial = {0};
        struct judgement judgement;
        for (int run = 0; run < 2; ++run) {
            judge_stage(c, run, arena);
            uint8_t *to = arena + c->output[0].arena_bytes + c->output[0].tensor.offset;
            memcpy(to, (uint8_t *)c->want[0].data + c->want[0].offset, 5 * 3 * 34);
            to[77] ^= (uint8_t)flip;
            assert_int_equal(judge_collect(c, run, arena, &trial, &error), ASSAY_OK);
        }
        judge_decide(c, &trial, "exact", "", NULL, "", NULL, &judgement);
        assert_int_equal(judgement.verdict, flip ? VERDICT_DIFF : VERDICT_PASS);
        assert_false(judgement.has_f64);
        if (flip) assert_string_equal(judgement.first_index, "[0,77]");
        judge_trial_free(&trial);
    }
    free(arena);
    judge_case_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples),         cmocka_unit_test(no_scale), cmocka_unit_test(tiny_blocks),
        cmocka_unit_test(against_binary64), cmocka_unit_test(fills),    cmocka_unit_test(codes_fill),
        cmocka_unit_test(signatures),       cmocka_unit_test(judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
