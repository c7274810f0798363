/* Judging: comparing, accuracy, dead references, digests, samples, names, golden files. The traps of other harnesses'
 * checkers (cases by their issue) are among the cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/oracle_help.h"

static struct assay_tensor vector(int64_t count, float *data)
{
    struct assay_tensor t = {0};
    assay_tensor_dense(&t, ASSAY_F32, 1, &count);
    t.bytes = (uint64_t)count * 4;
    t.data = data;
    return t;
}

static struct comparison compare(float *want, float *got, int64_t count)
{
    struct comparison result;
    struct assay_error error = {0};
    const struct assay_tensor w = vector(count, want), g = vector(count, got);
    assert_int_equal(oracle_compare(NULL, &w, &g, NULL, 0, NULL, &result, &error), ASSAY_OK);
    assert_int_equal(result.elems, count);
    return result;
}

static void nan_is_never_equal_to_a_number(void **state)
{
    (void)state;
    /* flame/blis#279 */
    struct comparison r = compare((float[]){1, 2, 3, 4}, (float[]){1, NAN, 3, 4}, 4);
    assert_int_equal(r.differing, 1);
    assert_int_equal(r.first, 1);
    assert_true(isnan(r.max_ulp));
    /* tracel-ai/cubecl#1070 */
    r = compare((float[]){NAN, 1}, (float[]){0, 1}, 2);
    assert_int_equal(r.differing, 1);
    assert_int_equal(r.want_bits, 0x7fc00000);
    r = compare((float[]){NAN, 1}, (float[]){-NAN, 1}, 2);
    assert_int_equal(r.differing, 0);
    assert_true(r.max_ulp == 0);
    r = compare((float[]){help_float(0x7f800001), 1}, (float[]){help_float(0xffc12345), 1}, 2);
    assert_int_equal(r.differing, 0);
    r = compare((float[]){0, 1}, (float[]){NAN, 1}, 2);
    assert_int_equal(r.differing, 1);
    /* OpenFAST/openfast#1156: wherever the NaN stands, it stays. */
    for (int at = 0; at < 3; ++at) {
        float got[3] = {1 + 0x1p-23f, 2 + 0x1p-22f, 3};
        got[at] = NAN;
        r = compare((float[]){1, 2, 3}, got, 3);
        assert_true(isnan(r.max_ulp));
    }
}

static void bits_are_compared(void **state)
{
    (void)state;
    struct comparison r = compare((float[]){0.0f, 5}, (float[]){-0.0f, 5}, 2);
    assert_int_equal(r.differing, 1);
    assert_int_equal(r.or_xor, 0x80000000);
    assert_true(r.max_ulp == 0);
    r = compare((float[]){1, 1, 1, INFINITY}, (float[]){1, 1 + 0x1p-23f, 1 - 0x1p-24f, 0x1.fffffep127f}, 4);
    assert_int_equal(r.differing, 3);
    assert_int_equal(r.first, 1);
    assert_int_equal(r.got_bits, 0x3f800001);
    assert_int_equal(r.want_bits, 0x3f800000);
    assert_true(r.max_ulp == 1);
    assert_int_equal(r.or_xor,
                     (0x3f800000 ^ 0x3f800001) | (0x3f800000 ^ 0x3f7fffff) | (0x7f800000 ^ 0x7f7fffff));
    r = compare((float[]){help_float(1)}, (float[]){help_float(0x80000001)}, 1);
    assert_true(r.max_ulp == 2);
    r = compare((float[]){1}, (float[]){-1}, 1);
    assert_true(r.max_ulp == 2.0 * 0x3f800000);
    /* Row O01: one ulp in one of 4,096 outputs. */
    float want[4096], got[4096];
    for (int i = 0; i < 4096; ++i) want[i] = got[i] = (float)i + 0.5f;
    got[4095] = nextafterf(got[4095], INFINITY);
    r = compare(want, got, 4096);
    assert_int_equal(r.differing, 1);
    assert_int_equal(r.first, 4095);
}

static void shapes_come_first(void **state)
{
    (void)state;
    /* numpy/numpy#9988, and row O20: no comparing up to the shorter one. */
    static const struct {
        uint32_t want_rank, got_rank;
        int64_t want[2], got[2];
    } pairs[] = {
        {1, 1, {2}, {1}}, {2, 1, {5, 1}, {5}}, {2, 2, {2, 3}, {3, 2}}, {1, 1, {4}, {3}}, {0, 1, {0}, {1}}};
    float ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        struct assay_tensor want = {0}, got = {0};
        struct comparison result;
        struct assay_error error = {0};
        assay_tensor_dense(&want, ASSAY_F32, pairs[i].want_rank, pairs[i].want);
        assay_tensor_dense(&got, ASSAY_F32, pairs[i].got_rank, pairs[i].got);
        want.data = got.data = ones;
        want.bytes = got.bytes = sizeof ones;
        assert_int_equal(oracle_compare(NULL, &want, &got, NULL, 0, NULL, &result, &error),
                         ASSAY_INVALID_INPUT);
        assert_non_null(strstr(error.text, "is wanted"));
        assert_int_equal(result.elems, 0);
    }
    struct assay_tensor want = vector(2, ones), got = want;
    struct comparison result;
    got.dtype = ASSAY_I32;
    assert_int_equal(oracle_compare(NULL, &want, &got, NULL, 0, NULL, &result, NULL), ASSAY_INVALID_INPUT);
}

/* Chosen rows only, strided against dense, any number of threads. */
static void rows_and_strides(void **state)
{
    (void)state;
    enum { M = 700, N = 130 };
    const struct op_case c = help_case(M, N, 1);
    float *want = help_data(M * N, HELP_NORMAL, 1), *got = calloc(M * (N + 5) + 3, sizeof *got);
    assert_non_null(got);
    const struct assay_tensor w = help_matrix(M, N, want);
    struct assay_tensor g = w;
    g.data = got;
    g.offset = 3;
    g.stride[0] = N + 5;
    for (int i = 0; i < M; ++i) memcpy(got + 3 + i * (N + 5), want + i * N, N * sizeof *got);
    got[3 + 10 * (N + 5) + 7] += 1;
    got[3 + 600 * (N + 5) + 129] = NAN;
    got[3 + 650 * (N + 5)] = -got[3 + 650 * (N + 5)];
    for (unsigned threads = 1; threads <= 16; threads *= 4) {
        struct oracle_pool *pool = oracle_pool_new(threads);
        struct comparison r;
        assert_non_null(pool);
        assert_int_equal(oracle_compare(&c, &w, &g, NULL, 0, pool, &r, NULL), ASSAY_OK);
        assert_int_equal(r.elems, M * N);
        assert_int_equal(r.differing, 3);
        assert_int_equal(r.first, 10 * N + 7);
        assert_true(isnan(r.max_ulp));
        const int64_t rows[] = {0, 9, 11, 650, 699};
        assert_int_equal(oracle_compare(&c, &w, &g, rows, 5, pool, &r, NULL), ASSAY_OK);
        assert_int_equal(r.elems, 5 * N);
        assert_int_equal(r.differing, 1);
        assert_int_equal(r.first, 650 * N);
        const int64_t beyond[] = {0, M};
        assert_int_equal(oracle_compare(&c, &w, &g, beyond, 2, pool, &r, NULL), ASSAY_INVALID_INPUT);
        oracle_pool_free(pool);
    }
    char dense[33], strided[33];
    memcpy(got + 3 + 10 * (N + 5), want + 10 * N, N * sizeof *got);
    memcpy(got + 3 + 600 * (N + 5), want + 600 * N, N * sizeof *got);
    memcpy(got + 3 + 650 * (N + 5), want + 650 * N, N * sizeof *got);
    oracle_digest(&w, dense);
    oracle_digest(&g, strided);
    assert_string_equal(dense, strided);
    free(want);
    free(got);
}

static struct accuracy measure(float *got, const double *value, const double *bound, int64_t count)
{
    struct accuracy result;
    const struct op_case c = help_case(1, count, 1);
    const struct assay_tensor g = help_matrix(1, count, got);
    oracle_accuracy(&c, &g, value, bound, 0, 1, &result);
    assert_int_equal(result.elems, count);
    return result;
}

static void accuracy_by_hand(void **state)
{
    (void)state;
    const double bound[] = {1, 1, 1, 1};
    struct accuracy r = measure((float[]){1, 2, 3, 5}, (double[]){1, 2, 3, 4}, bound, 4);
    assert_true(r.scaled == 0.25);
    assert_true(r.rms == sqrt(1.0 / 30));
    assert_true(r.max_ulp == 0x1p21);
    assert_true(r.worst_bound == 1);
    r = measure((float[]){1}, (double[]){1 + 0x1p-24}, (double[]){0x1p-23}, 1);
    assert_true(r.max_ulp == 0.5);
    assert_true(r.worst_bound == 0.5);
    r = measure((float[]){0}, (double[]){0x1p-150}, NULL, 1); /* steps do not shrink below the subnormals */
    assert_true(r.max_ulp == 0.5);
    assert_true(r.worst_bound == 0);

    r = measure((float[]){0, 0}, (double[]){0, 0}, (double[]){0, 0},
                2); /* row O07: 0/0 is no error, x/0 is infinite */
    assert_true(r.scaled == 0 && r.rms == 0 && r.max_ulp == 0 && r.worst_bound == 0);
    r = measure((float[]){0, 1e-30f}, (double[]){0, 0}, (double[]){0, 0}, 2);
    assert_true(isinf(r.scaled) && isinf(r.rms) && isinf(r.worst_bound));

    /* A NaN on one side only, wherever it stands, is NaN; on both it is right. */
    for (int at = 0; at < 3; ++at) {
        float got[] = {1, 2, 3};
        double value[] = {1, 2, 3};
        got[at] = NAN;
        r = measure(got, value, bound, 3);
        assert_true(isnan(r.scaled) && isnan(r.rms) && isnan(r.max_ulp) && isnan(r.worst_bound));
        value[at] = NAN;
        r = measure(got, value, bound, 3);
        assert_true(r.scaled == 0 && r.rms == 0 && r.max_ulp == 0 && r.worst_bound == 0);
        got[at] = (float)at + 1;
        r = measure(got, value, bound, 3);
        assert_true(isnan(r.scaled) && isnan(r.rms) && isnan(r.max_ulp) && isnan(r.worst_bound));
    }
    /* Infinities: equal ones are right, and do not hide the error of another element by their size. */
    r = measure((float[]){INFINITY, 3}, (double[]){INFINITY, 2}, bound, 2);
    assert_true(r.scaled == 0.5);
    r = measure((float[]){INFINITY, 2}, (double[]){-INFINITY, 2}, bound, 2);
    assert_true(isinf(r.scaled) && isinf(r.max_ulp) && isinf(r.worst_bound));
    r = measure((float[]){INFINITY, 2}, (double[]){4, 2}, bound, 2);
    assert_true(isinf(r.scaled) && isinf(r.rms));
    r = measure((float[]){4, 2}, (double[]){INFINITY, 2}, bound, 2);
    assert_true(isinf(r.scaled) && isinf(r.max_ulp));
}

static void accuracy_in_parts(void **state)
{
    (void)state;
    enum { M = 9, N = 600 };
    const struct op_case c = help_case(M, N, 1);
    float *got = help_data(M * N, HELP_NORMAL, 1);
    static double value[M * N];
    for (int i = 0; i < M * N; ++i) value[i] = got[i] * (1 + 0x1p-25 * (i % 7));
    const struct assay_tensor g = help_matrix(M, N, got);
    struct accuracy whole, total = {0}, part;
    oracle_accuracy(&c, &g, value, NULL, 0, M, &whole);
    for (int64_t row = 0; row < M; row += 4) {
        const int64_t end = row + 4 < M ? row + 4 : M;
        oracle_accuracy(&c, &g, value + row * N, NULL, row, end, &part);
        oracle_accuracy_join(&total, &part);
    }
    assert_int_equal(total.elems, whole.elems);
    assert_true(total.scaled == whole.scaled && whole.scaled > 0);
    assert_true(total.max_ulp == whole.max_ulp);
    assert_true(fabs(total.rms / whole.rms - 1) < 1e-12);
    got[N + 5] = NAN;
    oracle_accuracy(&c, &g, value, NULL, 0, 4, &part);
    oracle_accuracy_join(&total, &part);
    assert_true(isnan(total.scaled) && isnan(total.rms));
    free(got);
}

static void dead_references(void **state)
{
    (void)state;
    static float data[3000];
    struct assay_tensor t = vector(3000, data);
    assert_string_equal(oracle_dead(&t), "zero");
    for (int i = 0; i < 3000; i += 2) data[i] = -0.0f;
    assert_string_equal(oracle_dead(&t), "zero");
    data[2999] = 1e-45f;
    assert_null(oracle_dead(&t));
    for (int i = 0; i < 3000; ++i) data[i] = i % 2 ? NAN : -NAN;
    assert_string_equal(oracle_dead(&t), "nan");
    data[1500] = INFINITY;
    assert_null(oracle_dead(&t));
    for (int i = 0; i < 3000; ++i) data[i] = i % 2 ? INFINITY : -INFINITY;
    assert_string_equal(oracle_dead(&t), "inf");
    t.shape[0] = 0;
    assert_null(oracle_dead(&t));
}

/* XXH3-128 of the bytes as the xxHash library gives it (scripts/golden.py calls that). */
static void digests(void **state)
{
    (void)state;
    char text[33], other[33];
    struct assay_tensor t = vector(2, (float[]){1, -2});
    oracle_digest(&t, text);
    assert_string_equal(text, "d11372a3f8d4096998cd4bf727a9d2ae");
    t = vector(0, NULL);
    oracle_digest(&t, text);
    assert_string_equal(text, "99aa06d3014798d86001c324468d497f"); /* of nothing */
    float x[] = {1, NAN, -0.0f}, y[] = {1, help_float(0xffc00123), -0.0f};
    t = vector(3, x);
    oracle_digest(&t, text);
    t = vector(3, y);
    oracle_digest(&t, other);
    assert_string_equal(text, other);
    y[2] = 0;
    oracle_digest(&t, other);
    assert_string_not_equal(text, other);
}

/* Other element types are loaded, valued and compared as what they are. */
static void element_types(void **state)
{
    (void)state;
    static const struct {
        enum assay_dtype dtype;
        uint64_t x, y; /* neighbours */
        double size;   /* of x */
    } pairs[] = {
        {ASSAY_F16, 0x3c00, 0x3c01, 1},
        {ASSAY_F16, 0x0001, 0x0002, 0x1p-24},
        {ASSAY_F16, 0x8001, 0x8000, -0x1p-24},
        {ASSAY_F16, 0x7bff, 0x7c00, 65504},
        {ASSAY_BF16, 0x3f80, 0x3f7f, 1},
        {ASSAY_F64, 0x3ff0000000000000, 0x3ff0000000000001, 1},
        {ASSAY_I8, 0xff, 0x00, -1},
        {ASSAY_U8, 0xff, 0xfe, 255},
        {ASSAY_I32, 0x80000000, 0x80000001, -0x1p31},
        {ASSAY_I64, UINT64_MAX, 0, -1},
        {ASSAY_BOOL, 1, 0, 1},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        struct assay_tensor x = {0}, y;
        uint64_t x_data = pairs[i].x, y_data = pairs[i].y;
        struct comparison r;
        assay_tensor_dense(&x, pairs[i].dtype, 0, NULL);
        x.bytes = sizeof x_data;
        y = x;
        x.data = &x_data;
        y.data = &y_data;
        assert_int_equal(oracle_compare(NULL, &x, &y, NULL, 0, NULL, &r, NULL), ASSAY_OK);
        assert_int_equal(r.differing, 1);
        assert_true(r.max_ulp == 1);
        assert_true(r.want_bits == pairs[i].x && r.got_bits == pairs[i].y);
        const struct op_case c = help_case(1, 1, 1);
        struct accuracy a;
        oracle_accuracy(&c, &x, &pairs[i].size, NULL, 0, 1, &a);
        assert_true(a.scaled == 0);
    }
    uint16_t half[] = {0x7e01, 0xfc01}, bfloat[] = {0x7fc1, 0xff81};
    struct assay_tensor t = {0};
    assay_tensor_dense(&t, ASSAY_F16, 1, (int64_t[]){2});
    t.data = half;
    assert_string_equal(oracle_dead(&t), "nan");
    t.dtype = ASSAY_BF16;
    t.data = bfloat;
    assert_string_equal(oracle_dead(&t), "nan");
}

static void samples(void **state)
{
    (void)state;
    const struct op_case c = help_case(5000, 100, 100);
    int64_t *rows, *again;
    assert_int_equal(oracle_sample_rows(&c, 1e12, 1, &rows), 5000);
    assert_null(rows);
    const int64_t count = oracle_sample_rows(&c, c.op->flops(&c) / 10, 1, &rows);
    assert_int_equal(count, 500);
    assert_int_equal(rows[0], 0);
    assert_int_equal(rows[count - 1], 4999);
    bool residue[64] = {false};
    for (int64_t i = 1; i < count; ++i) assert_true(rows[i] > rows[i - 1]);
    for (int64_t i = 0; i < count; ++i) residue[rows[i] % 64] = true;
    for (int i = 0; i < 64; ++i) assert_true(residue[i]); /* every row of a tile of 64 is met */
    assert_int_equal(oracle_sample_rows(&c, c.op->flops(&c) / 10, 1, &again), count);
    assert_memory_equal(rows, again, (size_t)count * sizeof *rows);
    free(again);
    assert_int_equal(oracle_sample_rows(&c, c.op->flops(&c) / 10, 2, &again), count);
    assert_true(memcmp(rows, again, (size_t)count * sizeof *rows) != 0);
    free(again);
    free(rows);
    assert_int_equal(oracle_sample_rows(&c, 0, 1, &rows), 2);
    assert_int_equal(rows[0], 0);
    assert_int_equal(rows[1], 4999);
    free(rows);
    const struct op_case one = help_case(1, 1000, 1000);
    assert_int_equal(oracle_sample_rows(&one, 0, 1, &rows), 1);
    assert_null(rows);
}

static void names(void **state)
{
    (void)state;
    for (int v = VERDICT_PASS; v < VERDICT_COUNT; ++v)
        assert_int_equal(verdict_parse(verdict_name((enum verdict)v)), v);
    assert_int_equal(verdict_parse("PASSED"), VERDICT_NONE);
    assert_int_equal(verdict_parse(""), VERDICT_NONE);
    assert_string_equal(verdict_name((enum verdict)99), "?");
    assert_string_equal(verdict_name(VERDICT_REFLIMITED), "REFLIMITED");
    assert_string_equal(rung_name(RUNG_EXACT), "EXACT");
    assert_ptr_equal(op_find("matmul"), op_find_onnx("MatMul"));
    assert_null(op_find("MatMul"));
    static const char *const wanted[] = {"contract", "f64", "repeat", "golden", "published"};
    for (size_t w = 0; w < 5; ++w) {
        size_t found = 0;
        for (size_t i = 0; i < oracle_table_count; ++i) found += !strcmp(oracle_table[i].name, wanted[w]);
        assert_int_equal(found, 1);
    }
}

static enum assay_status parse(const char *text, struct golden **golden, struct assay_error *error)
{
    *error = (struct assay_error){0};
    return golden_parse(text, strlen(text), "g.txt", golden, error);
}

#define D1 "0123456789abcdef0123456789abcdef"
#define D2 "ffffffffffffffffffffffffffffffff"

static void golden_files(void **state)
{
    (void)state;
    struct golden *golden;
    struct assay_error error;
    assert_int_equal(parse("# made by\n\n" D2 " b/x=1\r\n  " D1 "  a/x=1/seed=2 \n" D2 " c", &golden, &error),
                     ASSAY_OK);
    assert_string_equal(golden_find(golden, "a/x=1/seed=2"), D1);
    assert_string_equal(golden_find(golden, "b/x=1"), D2);
    assert_string_equal(golden_find(golden, "c"), D2);
    assert_null(golden_find(golden, "a/x=1"));
    golden_free(golden);
    assert_int_equal(parse("", &golden, &error), ASSAY_OK);
    assert_null(golden_find(golden, "a"));
    golden_free(golden);

    static const struct {
        const char *text, *says;
    } bad[] = {
        {"# x\nnot a digest\n", "g.txt:2: "},
        {D1 "\n", "g.txt:1: "},
        {"0123456789ABCDEF0123456789abcdef a\n", "g.txt:1: "},
        {D1 "0 a\n", "g.txt:1: "},
        {D1 " a\n" D2 " b\n" D2 " a\n", "the same case as in line"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        assert_int_equal(parse(bad[i].text, &golden, &error), ASSAY_INVALID_INPUT);
        assert_null(golden);
        assert_non_null(strstr(error.text, bad[i].says));
    }
    assert_int_equal(golden_parse("a\0b", 3, "g.txt", &golden, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(golden_load("/nowhere/golden.txt", &golden, &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "/nowhere/golden.txt"));
    assert_int_equal(golden_load("/usr", &golden, &error), ASSAY_IO);
    char path[] = "/tmp/assay-golden-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, D1 " a\n", 35), 35);
    close(file);
    assert_int_equal(golden_load(path, &golden, &error), ASSAY_OK);
    assert_string_equal(golden_find(golden, "a"), D1);
    golden_free(golden);
    golden_free(NULL);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nan_is_never_equal_to_a_number),
        cmocka_unit_test(bits_are_compared),
        cmocka_unit_test(shapes_come_first),
        cmocka_unit_test(rows_and_strides),
        cmocka_unit_test(accuracy_by_hand),
        cmocka_unit_test(accuracy_in_parts),
        cmocka_unit_test(dead_references),
        cmocka_unit_test(digests),
        cmocka_unit_test(element_types),
        cmocka_unit_test(samples),
        cmocka_unit_test(names),
        cmocka_unit_test(golden_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
