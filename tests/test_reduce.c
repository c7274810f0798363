/* Reductions without a device: which calls are refused and why, plans within every limit, the contract's order against a
 * second text of it, and division against the processor's. */
#include "kernels/exact/divide.h"
#include "kernels/reduce/reduce.h"
#include "oracles/lanes.h"
#include "tests/table_rows.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t state = 0x9E3779B97F4A7C15;

static uint64_t next(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1D;
}

static void check_division(uint32_t a, uint32_t b)
{
    const uint32_t want = xf_bits(xf_canonical(xf_float(a) / xf_float(b)));
    const uint32_t got = xf_bits(xm_divide(xf_float(a), xf_float(b)));
    if (got != want) fail_msg("%08x / %08x is %08x, not %08x", a, b, got, want);
}

/* Quotients everywhere, next to middles, next to powers of two, subnormal on any side. */
static void test_division(void **unused)
{
    (void)unused;
    static const uint32_t special[] = {0,          1,          2,          0x007FFFFF, 0x00800000,
                                       0x00800001, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x3FFFFFFF,
                                       0x40000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000,
                                       0x3EAAAAAB, 0x4B7FFFFF, 0x01FFFFFF};
    enum { SPECIALS = sizeof special / sizeof *special };
    for (int i = 0; i < SPECIALS * SPECIALS * 4; i++)
        check_division(special[i / 4 / SPECIALS] | (uint32_t)(i & 1) << 31,
                       special[i / 4 % SPECIALS] | (uint32_t)(i >> 1 & 1) << 31);
    for (int i = 0; i < 4000000; i++) {
        const uint64_t z = next(), w = next();
        uint32_t a = (uint32_t)z, b = (uint32_t)(z >> 32);
        switch (i % 8) {
        case 1:
            a = (a & 0xFF800000) | (special[w % SPECIALS] & 0x7FFFFF);
            break;
        case 2:
            b = (b & 0xFF800000) | (special[w % SPECIALS] & 0x7FFFFF);
            break;
        case 3:
            a &= 0x80FFFFFF;
            break;
        case 4: {
            const float q = xf_float(0x3F800000 | (a & 0x7FFFFF)), d = xf_float(0x3F800000 | (b & 0x7FFFFF));
            a = xf_bits(q * d) + (uint32_t)(w % 5) - 2;
            b = xf_bits(d);
            break;
        }
        case 5: /* quotients around the least normal number */
            a = (a & 0x807FFFFF) | (uint32_t)(w % 40 + 1) << 23;
            b = (b & 0x807FFFFF) | (uint32_t)(w / 64 % 40 + 110) << 23;
            break;
        case 6: /* around the largest */
            a = (a & 0x807FFFFF) | (uint32_t)(254 - w % 4) << 23;
            b = (b & 0x807FFFFF) | (uint32_t)(w / 64 % 4 + 124) << 23;
            break;
        default:
            break;
        }
        check_division(a, b);
    }
}

/* The rule once more, by recursion instead of blocks fed in. */
static float by_rule(const float *x, int64_t n, bool squares)
{
    if (n <= 4096) {
        float lane[128] = {0};
        for (int64_t i = 0; i < n; i++)
            lane[i % 128] = squares ? fmaf(x[i], x[i], lane[i % 128]) : lane[i % 128] + x[i];
        for (int half = 64; half; half /= 2)
            for (int l = 0; l < half; l++) lane[l] += lane[l + half];
        return lane[0];
    }
    const int64_t blocks = (n + 4095) / 4096;
    float *result = malloc((size_t)blocks * sizeof *result);
    assert_non_null(result);
    for (int64_t b = 0; b < blocks; b++)
        result[b] = by_rule(x + 4096 * b, n - 4096 * b < 4096 ? n - 4096 * b : 4096, squares);
    const float sum = by_rule(result, blocks, false);
    free(result);
    return sum;
}

static void test_order(void **unused)
{
    (void)unused;
    static const int64_t lengths[] = {0, 1, 127, 128, 129, 4095, 4096, 4097, 8193, 4096 * 4096 + 5};
    const int64_t most = 4096 * 4096 + 5;
    static struct lanes lanes;
    float *x = malloc((size_t)most * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < most; i++) x[i] = (float)((double)(int64_t)next() * 0x1p-63);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int squares = 0; squares < 2; squares++) {
            const int64_t n = lengths[l];
            lanes_begin(&lanes, squares ? LANES_SQUARES : LANES_SUM);
            for (int64_t i = 0; i < n; i += 4096) lanes_feed(&lanes, x + i, n - i < 4096 ? n - i : 4096);
            const float got = lanes_end(&lanes), want = by_rule(x, n, squares);
            assert_memory_equal(&got, &want, sizeof got);
        }
    free(x);
}

/* The ends, and values of which the next digits are known. */
static void test_functions(void **unused)
{
    (void)unused;
    assert_true(lanes_exp(0) == 1 && lanes_exp(-INFINITY) == 0 && isinf(lanes_exp(89)));
    assert_true(isnan(lanes_exp(NAN)) && isnan(lanes_log(-1)) && isnan(lanes_log(NAN)));
    assert_true(lanes_log(0) == -INFINITY && lanes_log(1) == 0 && lanes_log(INFINITY) == INFINITY);
    assert_true(lanes_exp(1) == 0x1.5bf0a8p+1f && lanes_log(10) == 0x1.26bb1cp+1f);
    assert_true(lanes_exp(-103.9f) == 0x1p-149f && lanes_exp(-104) == 0);
}

extern const struct assay_kernel_table assay_reduce_kernels;

static void test_known_answers_reach_rows(void **unused)
{
    (void)unused;
    table_rows_check(&assay_reduce_kernels);
}

static void refused(struct assay_call *call, const char *words)
{
    for (size_t r = 0; r < assay_reduce_kernels.count; r++) {
        const struct assay_kernel *row = &assay_reduce_kernels.rows[r];
        char why[160] = "";
        if (strcmp(row->op, call->op) != 0) continue;
        if (row->supports(table_rows_device(row), call, why))
            fail_msg("%s is taken: %s", row->technique, words);
        if (!strstr(why, words)) fail_msg("'%s' does not say '%s'", why, words);
    }
}

static struct assay_call sum_call(struct assay_attr *axis)
{
    struct assay_call call = {
        .op = "ReduceSum", .attrs = axis, .attr_count = 1, .input_count = 1, .output_count = 1};
    *axis = (struct assay_attr){.name = "axes", .i = 1};
    assay_tensor_dense(&call.input[0], ASSAY_F32, 2, (int64_t[]){3, 5});
    assay_tensor_dense(&call.output[0], ASSAY_F32, 2, (int64_t[]){3, 1});
    return call;
}

static void test_refusals(void **unused)
{
    (void)unused;
    struct assay_attr axis;
    struct assay_call call = sum_call(&axis);
    axis.i = 2;
    refused(&call, "axis 2 of 2 dimensions");
    axis.i = -3;
    refused(&call, "axis -3");
    call = sum_call(&axis);
    axis.name = "axe";
    refused(&call, "no attribute axe");
    call = sum_call(&axis);
    call.input[0].dtype = ASSAY_F16;
    refused(&call, "f16");
    call = sum_call(&axis);
    call.output[0].shape[1] = 5;
    refused(&call, "shape");
    call = sum_call(&axis);
    call.output[0].stride[0] = 0;
    refused(&call, "share one place");
    call = sum_call(&axis);
    call.input_count = 2;
    refused(&call, "axes are attributes");
    call = sum_call(&axis);
    call.input[0].shape[1] = INT64_C(1) << 40;
    refused(&call, "kernel arguments reach 4294967295");
    call = sum_call(&axis);
    call.input[0].shape[1] = INT64_C(1) << 29;
    call.input[0].stride[0] = INT64_C(1) << 29;
    refused(&call, "bytes, the limit is");
    call = sum_call(&axis);
    call.op = "ArgMax";
    axis.name = "axis";
    call.output[0].dtype = ASSAY_I64;
    call.input[0].shape[1] = 0;
    refused(&call, "of no element");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_division),  cmocka_unit_test(test_order),
        cmocka_unit_test(test_functions), cmocka_unit_test(test_known_answers_reach_rows),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
