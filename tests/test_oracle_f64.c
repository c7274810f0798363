/* Float64 values: the exact accumulator is MPFR's sum rounded once, the others keep within their bounds of it, and a
 * wrong dgemm is found out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracles/matmul/matmul.h"
#include "tests/oracle_help.h"

/* The real sum, rounded once to float64; *lossless: it is a float64. */
static double real_sum(mpfr_t sum, mpfr_t term, const float *a, const float *b, int64_t b_step, int64_t k,
                       bool *lossless)
{
    mpfr_set_zero(sum, 1);
    for (int64_t p = 0; p < k; ++p) {
        mpfr_set_flt(term, a[p], MPFR_RNDN);
        mpfr_mul_d(term, term, b[p * b_step], MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    const double value = mpfr_get_d(sum, MPFR_RNDN);
    *lossless = mpfr_cmp_d(sum, value) == 0;
    return value;
}

/* Both ways, and for the float one many rows (dgemm) and few (the loop): distance from the truth within the bound. */
static void check(int64_t m, int64_t n, int64_t k, enum help_kind kind, uint64_t seed)
{
    float *a = help_data(m * k, kind, seed), *b = help_data(k * n, kind, seed + 1);
    if (kind == HELP_NORMAL && k > 2)
        for (int64_t i = 0; i < m; ++i) /* the last terms cancel the first */
            for (int64_t p = 0; p < k / 2; ++p)
                a[i * k + k - 1 - p] = -a[i * k + p] * (p % 3 ? 1 : 1 + 0x1p-20f);
    const struct assay_tensor in[2] = {help_matrix(m, k, a), help_matrix(k, n, b)};
    const struct op_case c = help_case(m, n, k);
    const size_t elems = (size_t)(m * n);
    double *exact = calloc(elems, 8), *exact_bound = calloc(elems, 8), *value = calloc(elems, 8);
    double *bound = calloc(elems, 8), *magnitude = calloc(elems, 8), *few = calloc(elems, 8),
           *y = calloc(elems, 8);
    assert_true(exact && exact_bound && value && bound && magnitude && few && y);
    struct assay_error error = {0};
    mpfr_t sum, term;
    mpfr_init2(sum, 800);
    mpfr_init2(term, 64);
    assert_int_equal(c.op->f64(&c, in, true, exact, exact_bound, y, 0, m, &error), ASSAY_OK);
    assert_int_equal(matmul_f64_by(MATMUL_PATH_AUTO, float64_gemm_sound(), in, false, value, bound, magnitude,
                                   0, m, &error),
                     ASSAY_OK);
    for (int64_t i = 0; i < m; ++i)
        assert_int_equal(c.op->f64(&c, in, false, few + i * n, NULL, NULL, i, i + 1, &error), ASSAY_OK);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            const int64_t e = i * n + j;
            bool lossless;
            const double want = real_sum(sum, term, a + i * k, b + j, n, k, &lossless);
            if (memcmp(&exact[e], &want, 8) && !(exact[e] == 0 && want == 0))
                fail_msg("m=%d n=%d k=%d kind %d: element %d is %a, MPFR says %a", (int)m, (int)n, (int)k,
                         kind, (int)e, exact[e], want);
            assert_true(exact_bound[e] == (lossless ? 0 : fabs(want) * 0x1p-53));
            mpfr_sub_d(term, sum, value[e], MPFR_RNDN);
            assert_true(fabs(mpfr_get_d(term, MPFR_RNDA)) <= bound[e]);
            mpfr_sub_d(term, sum, few[e], MPFR_RNDN);
            assert_true(fabs(mpfr_get_d(term, MPFR_RNDA)) <= bound[e]);
            double size = 0;
            for (int64_t p = 0; p < k; ++p) size += fabs((double)a[i * k + p] * b[p * n + j]);
            assert_true(magnitude[e] >= size * (1 - k * 0x1p-52) &&
                        magnitude[e] <= size * (1 + 8.0 * k * 0x1p-53));
            assert_true(bound[e] <= 2.0 * (double)k * 0x1p-53 * size);
        }
    mpfr_clear(sum);
    mpfr_clear(term);
    free(a);
    free(b);
    free(exact);
    free(exact_bound);
    free(value);
    free(bound);
    free(magnitude);
    free(few);
    free(y);
}

static void against_mpfr(void **state)
{
    (void)state;
    static const int64_t k[] = {0, 1, 2, 3, 31, 128, 511, 512, 513, 1100};
    for (size_t i = 0; i < sizeof k / sizeof k[0]; ++i)
        for (int kind = HELP_NORMAL; kind <= HELP_TINY; ++kind)
            check(9, 3, k[i], (enum help_kind)kind, 10 * i + (unsigned)kind);
    check(65, 2, 40, HELP_HOSTILE, 3);
    check(8, 257, 20, HELP_HOSTILE, 4);
    check(3, 300, 20, HELP_NORMAL, 5);
}

/* Rounding to float64 in the accumulator: ties to even, carries through all digits, sums that leave one low bit. */
static void accumulator(void **state)
{
    (void)state;
    static const struct {
        float a[4], b[4];
        double want;
        bool lossless;
    } cases[] = {
        {{0x1p60f, 1, 0, 0}, {1, 0x1p8f, 0, 0}, 0x1p60 + 256, true},
        {{0x1p60f, 1, 0, 0}, {1, 128, 0, 0}, 0x1p60, false},
        {{0x1p60f, 0x1p7f, 1, 0}, {1, 1, 1, 0}, 0x1p60 + 256, false},
        {{0x1p53f, 1, 0, 0}, {1, 1, 0, 0}, 0x1p53, false},
        {{0x1p53f, 3, 0, 0}, {1, 1, 0, 0}, 0x1p53 + 4, false},
        {{0x1p53f, 1, 0x1p-100f, 0}, {1, 1, 0x1p-100f, 0}, 0x1p53 + 2, false},
        {{0x1p53f, 1, -0x1p-100f, 0}, {1, 1, 0x1p-100f, 0}, 0x1p53, false},
        {{0x1.fffffep127f, -0x1.fffffep127f, 0x1p-149f, 0},
         {0x1.fffffep127f, 0x1.fffffep127f, 0x1p-149f, 0},
         0x1p-298,
         true},
        {{-0x1.fffffep127f, -0x1.fffffep127f, 0, 0},
         {0x1.fffffep127f, 0x1.fffffep127f, 0, 0},
         -0x1.fffffc000002p256,
         true},
        {{1, -0x1p-149f, 0, 0}, {1, 0x1p-149f, 0, 0}, 1, false},
        {{-1, 0x1p-149f, 0, 0}, {1, 0x1p-149f, 0, 0}, -1, false},
        {{0x1p100f, -0x1p100f, 0, 0}, {1, 1, 0, 0}, 0, true},
    };
    const struct op_case c = help_case(1, 1, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        float a[4], b[4];
        memcpy(a, cases[i].a, sizeof a);
        memcpy(b, cases[i].b, sizeof b);
        const struct assay_tensor in[2] = {help_matrix(1, 4, a), help_matrix(4, 1, b)};
        double value, bound;
        assert_int_equal(c.op->f64(&c, in, true, &value, &bound, NULL, 0, 1, NULL), ASSAY_OK);
        if (value != cases[i].want) fail_msg("case %zu: %a and not %a", i, value, cases[i].want);
        assert_int_equal(bound == 0, cases[i].lossless);
    }
}

/* Every way propagates NaN and infinities as IEEE does, even where a factor is 0. */
static void nonfinite(void **state)
{
    (void)state;
    enum { M = 12, N = 4, K = 9 };
    for (int way = 0; way < 3; ++way) {
        float *a = help_data(M * K, HELP_NORMAL, 1), *b = help_data(K * N, HELP_NORMAL, 2);
        a[0 * K + 3] = INFINITY;
        a[1 * K + 3] = -INFINITY;
        a[1 * K + 4] = INFINITY;
        a[2 * K + 2] = NAN;
        a[3 * K + 3] = INFINITY;
        for (int i = 0; i < K; ++i) b[i * N + 1] = 0;
        for (int i = 0; i < N; ++i) b[3 * N + i] = b[4 * N + i] = i == 1 ? 0 : 2;
        a[4 * K + 0] = 0;
        b[0 * N + 2] = INFINITY;
        const struct assay_tensor in[2] = {help_matrix(M, K, a), help_matrix(K, N, b)};
        double value[M * N], bound[M * N];
        const int64_t rows = way == 1 ? 1 : M;
        for (int64_t i = 0; i < M; i += rows)
            assert_int_equal(matmul_f64_by(MATMUL_PATH_AUTO, way ? NULL : float64_gemm_sound(), in, way == 2,
                                           value + i * N, bound + i * N, NULL, i, i + rows, NULL),
                             ASSAY_OK);
        assert_true(value[0 * N + 0] == INFINITY);
        assert_true(isnan(value[0 * N + 1])); /* infinity times 0 */
        assert_true(isnan(value[1 * N + 0])); /* infinities of both signs */
        for (int j = 0; j < N; ++j) assert_true(isnan(value[2 * N + j]));
        assert_true(isnan(value[4 * N + 2])); /* 0 times infinity */
        assert_true(isinf(value[5 * N + 2]));
        assert_true(isfinite(value[5 * N + 0]));
        for (int e = 0; e < M * N; ++e) assert_true(bound[e] >= 0 && isfinite(bound[e]));
        free(a);
        free(b);
    }
}

/* The contract is within its proven bound of the truth, and the bound is no wider than the theorem. */
static void proven_bound(void **state)
{
    (void)state;
    static const int64_t k[] = {1, 2, 32, 33, 128, 129, 700};
    for (size_t i = 0; i < sizeof k / sizeof k[0]; ++i)
        for (int kind = HELP_NORMAL; kind <= HELP_TINY; ++kind) {
            enum { M = 4, N = 30 };
            float *a = help_data(M * k[i], (enum help_kind)kind, i),
                  *b = help_data(k[i] * N, (enum help_kind)kind, 9 + i);
            const struct assay_tensor in[2] = {help_matrix(M, k[i], a), help_matrix(k[i], N, b)};
            float y[M * N];
            double value[M * N], magnitude[M * N];
            struct assay_tensor out = help_matrix(M, N, y);
            const struct op_case c = help_case(M, N, k[i]);
            c.op->contract(&c, in, &out, 0, M);
            assert_int_equal(c.op->f64(&c, in, true, value, NULL, magnitude, 0, M, NULL), ASSAY_OK);
            for (int e = 0; e < M * N; ++e) {
                const double bound = c.op->contract_bound(&c, magnitude[e]);
                assert_true(isinf(bound) || fabs(y[e] - value[e]) <= bound);
            }
            free(a);
            free(b);
        }
    const struct op_case one = help_case(1, 1, 1), many = help_case(1, 1, 4096);
    assert_true(one.op->contract_bound(&one, 1) <= 0x1.0001p-24);
    assert_true(many.op->contract_bound(&many, 1) <= (32 + 3 + 31) * 0x1.0001p-24);
    assert_true(isinf(one.op->contract_bound(&one, 0x1p128)));
    assert_true(isinf(one.op->contract_bound(&one, NAN)));
}

/* Batches, transposes, padding and offsets: the same values as of dense copies, item by item. */
static void layouts(void **state)
{
    (void)state;
    enum { M = 9, N = 11, K = 530, B = 3 };
    for (int layout = 0; layout < 3 * 4; ++layout) {
        struct op_case c = help_case(M, N, K);
        const struct op_case one = c;
        struct op_signature sig;
        c.axis[MATMUL_B] = B;
        c.axis[MATMUL_IN] = layout % 3;
        c.axis[MATMUL_TA] = layout / 3 & 1;
        c.axis[MATMUL_TB] = layout / 6 & 1;
        c.axis[MATMUL_PADA] = 3;
        c.axis[MATMUL_OFFB] = 7;
        memcpy(c.of, c.axis, sizeof c.of);
        assert_int_equal(c.op->signature(&c, &sig, NULL), ASSAY_OK);
        struct assay_tensor in[2] = {sig.input[0].tensor, sig.input[1].tensor};
        float *a = help_data((int64_t)in[0].bytes / 4, HELP_NORMAL, 1);
        float *b = help_data((int64_t)in[1].bytes / 4, HELP_NORMAL, 2);
        static float dense_a[M * K], dense_b[K * N];
        static double value[B * M * N], want[M * N], magnitude[B * M * N], want_magnitude[M * N];
        in[0].data = a;
        in[1].data = b;
        for (int way = 0; way < 3; ++way) {
            const int64_t step = way == 1 ? 5 : B * M; /* few rows at a time, across items */
            for (int64_t row = 0; row < B * M; row += step) {
                const int64_t end = row + step < B * M ? row + step : B * M;
                assert_int_equal(matmul_f64_by(MATMUL_PATH_AUTO, way ? NULL : float64_gemm_sound(), in,
                                               way == 2, value + row * N, NULL, magnitude + row * N, row, end,
                                               NULL),
                                 ASSAY_OK);
            }
            for (int64_t item = 0; item < B; ++item) {
                const struct assay_tensor *t[2] = {&in[0], &in[1]};
                float *const dense[2] = {dense_a, dense_b};
                for (int i = 0; i < 2; ++i)
                    for (int64_t r = 0; r < t[i]->shape[t[i]->rank - 2]; ++r)
                        for (int64_t q = 0; q < t[i]->shape[t[i]->rank - 1]; ++q)
                            dense[i][r * t[i]->shape[t[i]->rank - 1] + q] =
                                ((float *)t[i]
                                     ->data)[t[i]->offset + (t[i]->rank == 3 ? item * t[i]->stride[0] : 0) +
                                             r * t[i]->stride[t[i]->rank - 2] +
                                             q * t[i]->stride[t[i]->rank - 1]];
                const struct assay_tensor copy[2] = {help_matrix(M, K, dense_a), help_matrix(K, N, dense_b)};
                assert_int_equal(one.op->f64(&one, copy, true, want, NULL, want_magnitude, 0, M, NULL),
                                 ASSAY_OK);
                for (int e = 0; e < M * N; ++e) {
                    const double off = fabs(value[item * M * N + e] - want[e]);
                    assert_true(way == 2 ? off == 0 : off <= K * 0x1p-53 * want_magnitude[e]);
                    assert_true(fabs(magnitude[item * M * N + e] / want_magnitude[e] - 1) < 1e-12);
                }
            }
        }
        free(a);
        free(b);
    }
}

static void right_gemm(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda, const double *b,
                       int64_t ldb, double beta, double *c, int64_t ldc)
{
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
            double sum = beta == 0 ? 0 : beta * c[i * ldc + j];
            for (int64_t p = 0; p < k; ++p) sum += a[i * lda + p] * b[p * ldb + j];
            c[i * ldc + j] = sum;
        }
}

static void last_column_skipped(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda,
                                const double *b, int64_t ldb, double beta, double *c, int64_t ldc)
{
    right_gemm(m, n % 96 == 0 ? n - 1 : n, k, a, lda, b, ldb, beta, c, ldc);
}

static void beta_reads_nan(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda, const double *b,
                           int64_t ldb, double beta, double *c, int64_t ldc)
{
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) c[i * ldc + j] *= beta;
    right_gemm(m, n, k, a, lda, b, ldb, 1.0, c, ldc);
}

static void in_float(int64_t m, int64_t n, int64_t k, const double *a, int64_t lda, const double *b,
                     int64_t ldb, double beta, double *c, int64_t ldc)
{
    right_gemm(m, n, k, a, lda, b, ldb, beta, c, ldc);
    if (k > 500)
        for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) c[i * ldc + j] = (float)c[i * ldc + j];
}

static void wrong_gemm_is_found(void **state)
{
    (void)state;
    struct assay_error error = {0};
    assert_int_equal(float64_gemm_check(right_gemm, "right", &error), ASSAY_OK);
    float64_gemm_fn *const wrong[] = {last_column_skipped, beta_reads_nan, in_float};
    for (size_t i = 0; i < 3; ++i) {
        assert_int_equal(float64_gemm_check(wrong[i], "planted", &error), ASSAY_INTERNAL);
        assert_non_null(strstr(error.text, "planted is wrong on this machine"));
    }
    /* Whatever this machine has, its name says so. */
    if (oracle_f64_selftest(&error) == ASSAY_OK) {
        assert_non_null(float64_gemm_sound());
        assert_non_null(strstr(oracle_f64_name(), "OpenBLAS"));
        assert_int_equal(float64_gemm() == NULL, strncmp(oracle_f64_name(), "built-in: ", 10) == 0);
    } else {
        assert_null(float64_gemm());
        assert_non_null(strstr(oracle_f64_name(), "built-in: "));
    }
}

/* Every build of the loop gives the same bits, whatever rows are asked for together. */
static void builds_of_the_loop_agree(void **state)
{
    (void)state;
    static const int64_t size[][3] = {{1, 1, 1}, {7, 17, 33}, {13, 16, 513}, {70, 35, 600}, {6, 96, 1030}};
    const enum matmul_path paths[] = {MATMUL_PATH_AVX2, MATMUL_PATH_AVX512, MATMUL_PATH_AUTO};
    for (size_t at = 0; at < sizeof size / sizeof size[0]; ++at) {
        const int64_t m = size[at][0], n = size[at][1], k = size[at][2];
        float *a = help_data(m * k, HELP_NORMAL, at), *b = help_data(k * n, HELP_NORMAL, at + 9);
        a[k / 2] = at % 2 ? INFINITY : 0x1p-140f;
        const struct assay_tensor in[2] = {help_matrix(m, k, a), help_matrix(k, n, b)};
        double *want = calloc((size_t)(4 * m * n), sizeof *want);
        assert_non_null(want);
        double *want_size = want + m * n, *value = want_size + m * n, *magnitude = value + m * n;
        assert_int_equal(matmul_f64_by(MATMUL_PATH_PLAIN, NULL, in, false, want, NULL, want_size, 0, m, NULL),
                         ASSAY_OK);
        for (int way = 0; way < 3; ++way)
            for (int64_t step = 1; step <= m; step += 5) {
                enum assay_status status = ASSAY_OK;
                for (int64_t row = 0; row < m && !status; row += step)
                    status = matmul_f64_by(paths[way], NULL, in, false, value + row * n, NULL,
                                           magnitude + row * n, row, row + step < m ? row + step : m, NULL);
                if (status == ASSAY_UNSUPPORTED && way < 2) break; /* this processor lacks it */
                assert_int_equal(status, ASSAY_OK);
                assert_memory_equal(value, want, (size_t)(m * n) * sizeof *want);
                assert_memory_equal(magnitude, want_size, (size_t)(m * n) * sizeof *want);
            }
        free(want);
        free(a);
        free(b);
    }
}

struct split {
    const struct op_case *c;
    const struct assay_tensor *in;
    double *value;
};

static void some_rows(void *context, int64_t i0, int64_t i1)
{
    struct split *s = context;
    s->c->op->f64(s->c, s->in, false, s->value + i0 * s->c->axis[MATMUL_N], NULL, NULL, i0, i1, NULL);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    enum { M = 150, N = 70, K = 600 };
    float *a = help_data(M * K, HELP_NORMAL, 1), *b = help_data(K * N, HELP_NORMAL, 2);
    const struct assay_tensor in[2] = {help_matrix(M, K, a), help_matrix(K, N, b)};
    const struct op_case c = help_case(M, N, K);
    static double first[M * N], value[M * N];
    for (unsigned threads = 1; threads <= 16; threads *= 2) {
        struct oracle_pool *pool = oracle_pool_new(threads);
        assert_non_null(pool);
        struct split split = {&c, in, threads == 1 ? first : value};
        oracle_pool_for(pool, M, 64, some_rows, &split);
        if (threads > 1) assert_memory_equal(first, value, sizeof first);
        oracle_pool_free(pool);
    }
    free(a);
    free(b);
}

/* Under a limit on address space OpenBLAS waits for ever for its block: the built-in loop takes over. Comes first, since
 * a process looks once. */
static void little_address_space(void **state)
{
    (void)state;
#ifdef ASSAY_BUILD_SANITIZER
    skip(); /* a sanitizer needs terabytes of it */
#else
    const pid_t child = fork();
    if (child == 0) {
        long pages = 0;
        FILE *file = fopen("/proc/self/statm", "r");
        if (!file || fscanf(file, "%ld", &pages) != 1) _exit(1);
        const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (100u << 20);
        const struct rlimit limit = {most, most};
        if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
        alarm(20);
        if (oracle_f64_selftest(NULL) != ASSAY_OK || float64_gemm() || float64_gemm_sound()) _exit(3);
        _exit(strstr(oracle_f64_name(), "address space") ? 0 : 4);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_address_space),
        cmocka_unit_test(against_mpfr),
        cmocka_unit_test(accumulator),
        cmocka_unit_test(nonfinite),
        cmocka_unit_test(proven_bound),
        cmocka_unit_test(wrong_gemm_is_found),
        cmocka_unit_test(layouts),
        cmocka_unit_test(builds_of_the_loop_agree),
        cmocka_unit_test(threads_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
