/* Random products of every temper and shape: the contract against MPFR to the last bit, all ways of float64 within
 * their bounds, and the contract within its own. Minutes, not seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/oracle_help.h"

enum { ROUNDS = 4000 };

static void random_products(void **state)
{
    (void)state;
    uint64_t seed = 2026;
    struct help_exact x;
    help_open(&x);
    for (int round = 0; round < ROUNDS; ++round) {
        const uint64_t draw = help_next(&seed);
        const int64_t m = 1 + (int64_t)(draw % 10), n = 1 + (int64_t)((draw >> 8) % 90);
        const int64_t k = (draw >> 16) % 8 ? (int64_t)((draw >> 20) % 400) : (int64_t)((draw >> 20) % 5000);
        const enum help_kind a_kind = (enum help_kind)((draw >> 40) % HELP_KINDS);
        const enum help_kind b_kind = (enum help_kind)((draw >> 44) % HELP_KINDS);
        float *a = help_data(m * k, a_kind, draw), *b = help_data(k * n, b_kind, draw + 1),
              *y = help_data(m * n, 0, 0);
        double *exact = calloc((size_t)(m * n), 8), *exact_bound = calloc((size_t)(m * n), 8);
        double *value = calloc((size_t)(m * n), 8), *bound = calloc((size_t)(m * n), 8),
               *size = calloc((size_t)(m * n), 8);
        assert_true(exact && exact_bound && value && bound && size);
        const struct assay_tensor in[2] = {help_matrix(m, k, a), help_matrix(k, n, b)};
        struct assay_tensor out = help_matrix(m, n, y);
        const struct op_case c = help_case(m, n, k);
        assert_int_equal(c.op->f64(&c, in, true, exact, exact_bound, size, 0, m, NULL), ASSAY_OK);
        assert_int_equal(c.op->f64(&c, in, false, value, bound, NULL, 0, m, NULL), ASSAY_OK);
        for (enum matmul_path path = MATMUL_PATH_PLAIN; path <= MATMUL_PATH_AVX512; ++path) {
            if (!matmul_contract_by(path, in, &out, 0, m)) continue;
            /* A few elements of each: columns from every part of a panel are met over the rounds. */
            for (int try = 0; try < 4; ++try) {
                const int64_t i = (int64_t)(help_next(&seed) % (uint64_t)m),
                              j = (int64_t)(help_next(&seed) % (uint64_t)n);
                const uint32_t want = help_bits(help_sum(&x, a + i * k, 1, b + j, n, k));
                uint32_t got;
                memcpy(&got, &y[i * n + j], sizeof got);
                if (got != want)
                    fail_msg("round %d path %d m=%d n=%d k=%d [%d,%d]: %08x, MPFR says %08x", round, path,
                             (int)m, (int)n, (int)k, (int)i, (int)j, got, want);
            }
        }
        for (int64_t e = 0; e < m * n; ++e) {
            if (!isfinite(exact[e])) {
                assert_true(isnan(exact[e]) ? isnan(value[e]) : value[e] == exact[e]);
                assert_true(isnan(exact[e]) ? isnan(y[e]) : y[e] == exact[e] || isnan(y[e]));
                continue;
            }
            assert_true(fabs(value[e] - exact[e]) <= bound[e] + exact_bound[e]);
            const double allowed = c.op->contract_bound(&c, size[e]) + exact_bound[e];
            assert_true(isinf(allowed) || fabs(y[e] - exact[e]) <= allowed);
        }
        free(a);
        free(b);
        free(y);
        free(exact);
        free(exact_bound);
        free(value);
        free(bound);
        free(size);
    }
    help_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
