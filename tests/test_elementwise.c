/* Elementwise operators: the text of their kernels against the processor's own arithmetic and against plain C, which calls
 * are read as what, and what is refused. Whole runs on devices are the corpus' business. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/elementwise/elementwise.h"

static uint64_t state = 1;
static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static float number(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static uint32_t bits(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return isnan(x) ? XF_NAN : word;
}

static const uint32_t edge[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
                                0x7fc00000, 0xffc00001, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
                                0x00800000, 0x80800000, 0x00800001, 0x7f7fffff, 0xff7fffff, 0x7f7ffffe,
                                0x3f800001, 0x3f7fffff, 0x3f000000, 0x40400000, 0xc0400000, 0x4b000001,
                                0x4b800000, 0x7e800000, 0x00ffffff};
#define EDGES (sizeof edge / sizeof *edge)

static void same_quotient(uint32_t a, uint32_t b)
{
    const uint32_t got = ew_divide_words(a, b), want = bits(number(a) / number(b));
    if (got != want) fail_msg("%08x / %08x is %08x, not %08x", a, b, got, want);
}
static void same_remainder(uint32_t a, uint32_t b)
{
    const uint32_t got = bits(number(ew_fmod_words(a, b))), want = bits(fmodf(number(a), number(b)));
    if (got != want) fail_msg("fmod(%08x, %08x) is %08x, not %08x", a, b, got, want);
}

/* All pairs of edges; random patterns; significands close to each other, whose quotients lie close to a tie; quotients that
 * are subnormal. */
static void quotients_and_remainders(void **context)
{
    (void)context;
    for (size_t i = 0; i < EDGES; i++)
        for (size_t j = 0; j < EDGES; j++) {
            same_quotient(edge[i], edge[j]);
            same_remainder(edge[i], edge[j]);
        }
    for (int i = 0; i < 400000; i++) {
        const uint32_t a = draw(), b = draw();
        same_quotient(a, b);
        same_quotient((a & 0x807fffff) | 0x3f800000, (b & 0xff) | 0x3f800000);
        same_quotient((a & 0x807fffff) | (a >> 9 & 7) << 23,
                      (b & 0x007fffff) | (0x3f800000 + (b >> 28 << 23)));
        same_quotient((a & 0xfff) << 12 | 0x3f800000, (b & 0xfff) << 11 | 0x3f800000);
        same_remainder((a & 0x807fffff) | (0x40000000 + (a >> 26 << 23)), (b & 0x807fffff) | 0x3f800000);
        if (i % 16 == 0) same_remainder(a, b);
    }
}

static void arithmetic_in_every_form(void **context)
{
    (void)context;
    const xf_u form[] = {EW_NATIVE, EW_GUARDED, EW_INTEGER};
    for (size_t f = 0; f < 3; f++)
        for (int i = 0; i < 60000; i++) {
            const uint32_t a = i < (int)(EDGES * EDGES) ? edge[(size_t)i / EDGES] : draw(),
                           b = i < (int)(EDGES * EDGES) ? edge[(size_t)i % EDGES] : draw();
            assert_int_equal(bits(number(ew_arithmetic(form[f], EW_ADD, a, b))), bits(number(a) + number(b)));
            assert_int_equal(bits(number(ew_arithmetic(form[f], EW_SUB, a, b))), bits(number(a) - number(b)));
            assert_int_equal(bits(number(ew_arithmetic(form[f], EW_MUL, a, b))), bits(number(a) * number(b)));
            assert_int_equal(bits(number(ew_arithmetic(form[f], EW_DIV, a, b))), bits(number(a) / number(b)));
        }
}

/* ---- integers: every pair of -9 .. 9 (and of 0 .. 18 without a sign), by the definition ---- */

static int64_t floored(int64_t a, int64_t b)
{
    return b ? a - b * (int64_t)floor((double)a / (double)b) : 0;
}
static int64_t cut(int64_t a, int64_t b)
{
    return b ? a - b * (int64_t)trunc((double)a / (double)b) : 0;
}

static void remainders_of_small_integers(void **context)
{
    (void)context;
    const xf_u kind[] = {EW_I8, EW_U8, EW_I32, EW_I64};
    for (size_t k = 0; k < 4; k++) {
        const int64_t least = kind[k] == EW_U8 ? 0 : -9;
        for (int64_t a = least; a <= least + 18; a++)
            for (int64_t b = least; b <= least + 18; b++) {
                const struct xf_wide x = {(uint32_t)((uint64_t)a >> 32), (uint32_t)a},
                                     y = {(uint32_t)((uint64_t)b >> 32), (uint32_t)b}, none = {0, 0};
                const uint32_t mask = kind[k] == EW_I8 || kind[k] == EW_U8 ? 0xff : 0xffffffff;
                const struct xf_wide p = {x.hi, x.lo & mask}, q = {y.hi, y.lo & mask};
                const int64_t want[3] = {floored(a, b), cut(a, b),
                                         b ? (int64_t)trunc((double)a / (double)b) : 0};
                const xf_u op[3] = {EW_MOD, EW_FMOD, EW_DIV};
                for (int o = 0; o < 3; o++) {
                    const struct xf_wide r = ew_element(0, op[o], kind[k], kind[k], p, q, none);
                    assert_int_equal(r.lo, (uint32_t)want[o] & mask);
                    if (kind[k] == EW_I64) assert_int_equal(r.hi, (uint32_t)((uint64_t)want[o] >> 32));
                }
            }
    }
}

static uint64_t wide(struct xf_wide x)
{
    return (uint64_t)x.hi << 32 | x.lo;
}

/* 64-bit integers of every size against the compiler's; the least by -1 wraps, its remainder is 0. */
static void long_integers(void **context)
{
    (void)context;
    const struct xf_wide none = {0, 0};
    for (int i = 0; i < 200000; i++) {
        const uint64_t x = ((uint64_t)draw() << 32 | draw()) >> draw() % 64,
                       y = ((uint64_t)draw() << 32 | draw()) >> draw() % 64;
        const uint64_t a = i % 97 ? (draw() & 1 ? 0 - x : x) : UINT64_C(1) << 63,
                       b = i % 89 ? (draw() & 1 ? 0 - y : y) : UINT64_MAX;
        const struct xf_wide p = {(uint32_t)(a >> 32), (uint32_t)a}, q = {(uint32_t)(b >> 32), (uint32_t)b};
        const __int128 m = (int64_t)a, n = (int64_t)b;
        __int128 mod = n ? m % n : 0;
        assert_int_equal(wide(ew_element(0, EW_DIV, EW_I64, EW_I64, p, q, none)), n ? (uint64_t)(m / n) : 0);
        assert_int_equal(wide(ew_element(0, EW_FMOD, EW_I64, EW_I64, p, q, none)), (uint64_t)mod);
        if (mod && (mod < 0) != (n < 0)) mod += n;
        assert_int_equal(wide(ew_element(0, EW_MOD, EW_I64, EW_I64, p, q, none)), (uint64_t)mod);
        assert_int_equal(wide(ew_element(0, EW_MUL, EW_I64, EW_I64, p, q, none)), a * b);
        assert_int_equal(wide(ew_element(0, EW_SUB, EW_I64, EW_I64, p, q, none)), a - b);
        assert_int_equal(wide(ew_element(0, EW_MAX, EW_I64, EW_I64, p, q, none)), (uint64_t)(m > n ? m : n));
        assert_int_equal(ew_element(0, EW_LESS, EW_I64, EW_BOOL, p, q, none).lo, m < n);
        assert_int_equal(ew_element(0, EW_LESS_EQUAL, EW_I64, EW_BOOL, p, q, none).lo, m <= n);
        assert_int_equal(ew_element(0, EW_GREATER, EW_I64, EW_BOOL, p, q, none).lo, m > n);
    }
}

/* The values that reports of other products ask for: microsoft/onnxruntime#32369, pytorch/pytorch#180159. */
static void values_of_reports(void **context)
{
    (void)context;
    const struct xf_wide none = {0, 0};
    const struct {
        xf_u op, from, to, a, b, want;
    } row[] = {
        {EW_MOD, EW_I32, EW_I32, 0x80000000, 0xffffffff, 0},
        {EW_MOD, EW_I32, EW_I32, 5, 0xffffffff, 0},
        {EW_MOD, EW_I32, EW_I32, 0, 7, 0},
        {EW_MOD, EW_I32, EW_I32, 5, 0, 0},
        {EW_DIV, EW_I32, EW_I32, 0x80000000, 0xffffffff, 0x80000000},
        {EW_DIV, EW_I32, EW_I32, 5, 0, 0},
        {EW_FMOD, EW_F32, EW_F32, 0xc0c00000, 0x40400000, 0x80000000}, /* -6 by 3: -0 */
        {EW_FMOD, EW_F32, EW_F32, 0x40a00000, 0x7f800000, 0x40a00000},
        {EW_FMOD, EW_F32, EW_F32, 0x7f800000, 0x40400000, XF_NAN},
        {EW_MAX, EW_F32, EW_F32, 0x80000000, 0, 0},
        {EW_MIN, EW_F32, EW_F32, 0, 0x80000000, 0x80000000},
        {EW_MAX, EW_F32, EW_F32, 0x7fc00001, 0x3f800000, XF_NAN},
        {EW_MIN, EW_F32, EW_F32, 0x3f800000, 0xffc00000, XF_NAN},
        {EW_CAST, EW_F32, EW_I32, XF_NAN, 0, 0},
        {EW_CAST, EW_F32, EW_I32, 0x7f800000, 0, 0x7fffffff},
        {EW_CAST, EW_F32, EW_I32, 0xff800000, 0, 0x80000000},
        {EW_CAST, EW_F32, EW_I32, 0x4f32d05e, 0, 0x7fffffff}, /* 3e9 */
        {EW_CAST, EW_F32, EW_I32, 0xbff33333, 0, 0xffffffff}, /* -1.9 */
        {EW_CAST, EW_F32, EW_U8, 0xbff33333, 0, 0},
        {EW_CAST, EW_F32, EW_BOOL, XF_NAN, 0, 1},
        {EW_CAST, EW_F32, EW_BOOL, 0x80000000, 0, 0},
        {EW_CAST, EW_I32, EW_I8, 0x180, 0, 0x80},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct xf_wide a = {0, row[i].a}, b = {0, row[i].b};
        assert_int_equal(ew_element(EW_NATIVE, row[i].op, row[i].from, row[i].to, a, b, none).lo,
                         row[i].want);
    }
}

/* ---- conversions ---- */

/* The format's value as a double, by its definition. */
static double value_of(uint32_t code, int width, int exponent_bits, bool has_infinity)
{
    const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
    const int field = code >> width & top, fraction = code & ((1 << width) - 1);
    if (has_infinity && field == top) return fraction ? NAN : INFINITY;
    return ldexp(field ? (1 << width) + fraction : fraction, (field ? field : 1) - bias - width);
}

/* The nearest code of the values 0 .. most, ties to the even one, by searching them. */
static uint32_t nearest_code(double x, uint32_t most, int width, int exponent_bits)
{
    uint32_t low = 0, high = most + 1; /* values of low <= x < value of high */
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (value_of(middle, width, exponent_bits, false) <= x)
            low = middle;
        else
            high = middle;
    }
    const double below = x - value_of(low, width, exponent_bits, false),
                 above = value_of(low + 1, width, exponent_bits, false) - x;
    return below < above || (below == above && !(low & 1)) ? low : low + 1;
}

static void conversions(void **context)
{
    (void)context;
    for (uint32_t h = 0; h < 0x8000; h++) {
        const double want = value_of(h, 10, 5, true);
        assert_int_equal(xc_f32_of_f16(h), bits((float)want));
        assert_int_equal(xc_f32_of_f16(h | 0x8000), bits((float)-want));
        if (!isnan(want)) assert_int_equal(xc_f16_of_f32(xc_f32_of_f16(h)), h);
        if ((h & 0x7fff) <= 0x7f80) assert_int_equal(xc_bf16_of_f32(xc_f32_of_bf16(h)), h);
    }
    for (uint32_t b = 0; b < 128; b++) {
        if (b != 127) {
            assert_int_equal(xc_f32_of_e4m3(b), bits((float)value_of(b, 3, 4, false)));
            assert_int_equal(xc_e4m3_of_f32(xc_f32_of_e4m3(b), true), b);
        }
        assert_int_equal(xc_f32_of_e5m2(b), bits((float)value_of(b, 2, 5, true)));
        if (b <= 0x7c) assert_int_equal(xc_e5m2_of_f32(xc_f32_of_e5m2(b), false), b);
    }
    for (int i = 0; i < 300000; i++) {
        /* all patterns, those within f16's range, and those at and around its ties */
        const uint32_t w = draw(), m = i % 3 ? 0x32000000 + w % 0x16000000 : w & 0x7fffffff;
        const uint32_t x = i % 3 == 2 ? (m & 0xfffff000) + (w >> 30) - 1 : m;
        if (x > XF_INFINITY) {
            assert_int_equal(xc_f16_of_f32(x), XC_F16_NAN);
            assert_int_equal(xc_bf16_of_f32(x), XC_BF16_NAN);
            assert_int_equal(xc_e4m3_of_f32(x, true), XC_F8_NAN);
            continue;
        }
        const double v = number(x);
        assert_int_equal(xc_f16_of_f32(x), v >= 65520 ? 0x7c00 : nearest_code(v, 0x7bff, 10, 5));
        assert_int_equal(xc_f16_of_f32(x | XF_SIGN),
                         (v >= 65520 ? 0x7c00 : nearest_code(v, 0x7bff, 10, 5)) | 0x8000);
        if (v < 0x1.fep127) assert_int_equal(xc_bf16_of_f32(x), nearest_code(v, 0x7f7f, 7, 8));
        assert_int_equal(xc_e4m3_of_f32(x, true), v >= 464 ? 0x7e : nearest_code(v, 0x7e, 3, 4));
        if (v != 464)
            assert_int_equal(xc_e4m3_of_f32(x, false), v > 464 ? 0x7f : nearest_code(v, 0x7e, 3, 4));
        assert_int_equal(xc_e5m2_of_f32(x, true), v >= 61440 ? 0x7b : nearest_code(v, 0x7b, 2, 5));
        assert_int_equal(xc_e5m2_of_f32(x, false), v >= 61440 ? 0x7c : nearest_code(v, 0x7b, 2, 5));
    }
}

/* Integers to floats and back, against the processor's conversions. */
static void integers_and_floats(void **context)
{
    (void)context;
    for (int i = 0; i < 300000; i++) {
        const uint64_t x = ((uint64_t)draw() << 32 | draw()) >> draw() % 64, a = draw() & 1 ? 0 - x : x;
        const struct xf_wide p = {(uint32_t)(a >> 32), (uint32_t)a};
        assert_int_equal(xc_float_of_integer(p, 23, 127, XF_INFINITY, XF_SIGN), bits((float)(int64_t)a));
        const uint32_t w = draw();
        const float f = number(w);
        const struct xf_wide q = xc_integer_of_f32(w, 64, true);
        const int64_t want = isnan(f) ? 0 : f >= 0x1p63f ? INT64_MAX : f <= -0x1p63f ? INT64_MIN : (int64_t)f;
        assert_int_equal(wide(q), (uint64_t)want);
        const int32_t least[] = {INT8_MIN, 0, INT32_MIN}, most[] = {INT8_MAX, UINT8_MAX, INT32_MAX};
        for (int k = 0; k < 3; k++) {
            const int32_t narrow = isnan(f)               ? 0
                                   : f >= (double)most[k] ? most[k]
                                   : f <= least[k]        ? least[k]
                                                          : (int32_t)f;
            assert_int_equal(xc_integer_of_f32(w, k < 2 ? 8 : 32, k != 1).lo, (uint32_t)narrow);
        }
    }
}

/* ---- calls ---- */

static const struct assay_device_info host = {.backend = "cpu"};

static struct assay_tensor tensor(enum assay_dtype dtype, uint32_t rank, const int64_t *shape)
{
    struct assay_tensor t = {0};
    assay_tensor_dense(&t, dtype, rank, shape);
    t.bytes = (uint64_t)assay_tensor_elems(&t) * assay_dtype_bytes(dtype);
    return t;
}

static void dimensions_join(void **context)
{
    (void)context;
    const int64_t y[4] = {2, 3, 4, 5}, row[2] = {4, 5}, one[4] = {2, 1, 1, 5};
    struct assay_call call = {.op = "Add", .input_count = 2, .output_count = 1};
    struct elementwise_problem p;
    char why[160];
    call.input[0] = call.output[0] = tensor(ASSAY_F32, 4, y);
    call.input[1] = tensor(ASSAY_F32, 4, y);
    assert_true(elementwise_read(&call, &p, why));
    assert_int_equal(p.rank, 1); /* all dense: one dimension of 120 */
    assert_int_equal(p.shape[0], 120);
    call.input[1] = tensor(ASSAY_F32, 2, row);
    assert_true(elementwise_read(&call, &p, why));
    assert_int_equal(p.rank, 2); /* 6 rows of 20 */
    assert_int_equal(p.shape[1], 20);
    assert_int_equal(p.stride[ELEMENTWISE_B][0], 0);
    call.input[1] = tensor(ASSAY_F32, 4, one);
    assert_true(elementwise_read(&call, &p, why));
    assert_int_equal(p.rank, 3);
    assert_int_equal(p.shape[1], 12);
    call.output[0].stride[1] = 0;
    assert_false(elementwise_read(&call, &p, why));
    assert_non_null(strstr(why, "share one place"));
}

static void refusals(void **context)
{
    (void)context;
    const int64_t five = 5, six = 6;
    const struct assay_tensor f = tensor(ASSAY_F32, 1, &five), g = tensor(ASSAY_F32, 1, &six),
                              i = tensor(ASSAY_I32, 1, &five), b = tensor(ASSAY_BOOL, 1, &five);
    const struct assay_attr other = {.name = "axis", .kind = ASSAY_ATTR_INT, .i = 1};
    const struct {
        struct assay_call call;
        const char *word;
    } row[] = {
        {{.op = "Min", .input = {f, f, f}, .input_count = 3, .output = {f}, .output_count = 1},
         "exactly 2 inputs"},
        {{.op = "Add", .input = {f, g}, .input_count = 2, .output = {f}, .output_count = 1},
         "does not broadcast"},
        {{.op = "Add", .input = {f, i}, .input_count = 2, .output = {f}, .output_count = 1}, "of one type"},
        {{.op = "Add", .input = {b, b}, .input_count = 2, .output = {b}, .output_count = 1}, "is not taken"},
        {{.op = "Less", .input = {f, f}, .input_count = 2, .output = {f}, .output_count = 1}, "makes no f32"},
        {{.op = "Mod", .input = {f, f}, .input_count = 2, .output = {f}, .output_count = 1},
         "needs fmod = 1"},
        {{.op = "Where", .input = {i, f, f}, .input_count = 3, .output = {f}, .output_count = 1},
         "condition is i32"},
        {{.op = "Add",
          .attrs = &other,
          .attr_count = 1,
          .input = {f, f},
          .input_count = 2,
          .output = {f},
          .output_count = 1},
         "no attribute axis"},
    };
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        char why[160] = "";
        assert_false(elementwise_cpu_supports(&host, &row[r].call, why));
        if (!strstr(why, row[r].word)) fail_msg("'%s' does not say '%s'", why, row[r].word);
    }
}

/* On Vulkan a flat call goes over bindings in parts, whose sum is the whole; what has more dimensions is refused by name. */
static void parts_of_a_long_call(void **context)
{
    (void)context;
    const struct assay_device_info card = {
        .backend = "vulkan",
        .limits = {.binding_bytes = 1 << 20, .groups = {65535, 65535, 65535}, .group_invocations = 1024}};
    const int64_t n = 1000003, rows[2] = {1000, 1003}, row = 1003;
    struct assay_call call = {.op = "Add", .input_count = 2, .output_count = 1};
    struct assay_plan plan = {0};
    struct assay_error error = {0};
    call.input[0] = call.input[1] = call.output[0] = tensor(ASSAY_F32, 1, &n);
    assert_int_equal(elementwise_vulkan_plan(&card, &call, ASSAY_VARIANT_NATIVE, &plan, &error), ASSAY_OK);
    assert_true(plan.step_count > 1);
    int64_t sum = 0;
    for (size_t s = 0; s < plan.step_count; s++) {
        struct elementwise_push push;
        memcpy(&push, plan.step[s].push, sizeof push);
        assert_int_equal(plan.step[s].bind[0].offset_bytes, (uint64_t)sum * 4);
        assert_true(plan.step[s].bind[3].bytes <= card.limits.binding_bytes);
        sum += push.count_low;
    }
    assert_int_equal(sum, n);
    call.input[0] = call.output[0] = tensor(ASSAY_F32, 2, rows);
    call.input[1] = tensor(ASSAY_F32, 1, &row);
    assert_int_equal(elementwise_vulkan_plan(&card, &call, ASSAY_VARIANT_NATIVE, &plan, &error),
                     ASSAY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "storage-binding limit is 1048576"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_and_remainders),
        cmocka_unit_test(arithmetic_in_every_form),
        cmocka_unit_test(remainders_of_small_integers),
        cmocka_unit_test(long_integers),
        cmocka_unit_test(values_of_reports),
        cmocka_unit_test(conversions),
        cmocka_unit_test(integers_and_floats),
        cmocka_unit_test(dimensions_join),
        cmocka_unit_test(refusals),
        cmocka_unit_test(parts_of_a_long_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
