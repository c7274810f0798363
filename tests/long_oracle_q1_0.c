/* Q1_0 at length: row K05's proof over all its inputs, and random products of every temper and shape against MPFR and
 * within their bounds. Minutes, not seconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/q1_0_help.h"

/* Row K05: every finite f16 times every sum that a lane can have is exact in f32. */
static void inner_products_are_exact(void **state)
{
    (void)state;
    int64_t products = 0, inexact = 0;
    for (unsigned h = 0; h < 65536; ++h) {
        const uint8_t bytes[2] = {(uint8_t)h, (uint8_t)(h >> 8)};
        const double scale = q1_half(bytes);
        if (!isfinite(scale)) continue;
        for (int s = -512; s <= 512; ++s) {
            const volatile float product = (float)scale * (float)s;
            inexact += (double)product != scale * s;
            ++products;
        }
    }
    assert_int_equal(products, INT64_C(63488) * 1025);
    assert_int_equal(inexact, 0);
}

static void random_products(void **state)
{
    (void)state;
    enum { ROUNDS = 6000 };
    uint64_t seed = 2026;
    struct q1_exact x;
    q1_exact_open(&x);
    for (int round = 0; round < ROUNDS; ++round) {
        const uint64_t draw = help_next(&seed);
        const int64_t m = 1 + (int64_t)(draw % 70), n = 1 + (int64_t)((draw >> 8) % 4);
        const int64_t blocks =
            (draw >> 16) % 8 ? (int64_t)((draw >> 20) % 12) : (int64_t)((draw >> 20) % 200);
        struct q1_product p = q1_open(m, n, blocks);
        double *value = calloc((size_t)(m * n), 8), *bound = calloc((size_t)(m * n), 8),
               *magnitude = calloc((size_t)(m * n), 8);
        assert_true(value && bound && magnitude);
        q1_random(&p, (enum q1_kind)((draw >> 40) % Q1_KINDS), draw);
        assert_int_equal(p.c.op->f64(&p.c, p.in, true, value, bound, magnitude, 0, m * n, NULL), ASSAY_OK);
        for (enum q1_0_path path = Q1_0_PATH_PLAIN; path <= Q1_0_PATH_AVX512; ++path) {
            if (!q1_0_contract_by(path, p.in, &p.out, 0, m * n)) continue;
            for (int try = 0; try < 4; ++try) {
                const int64_t e = (int64_t)(help_next(&seed) % (uint64_t)(m * n));
                const uint32_t want = q1_by_mpfr(&x, &p, e / m, e % m), got = help_bits(p.y[e]);
                if (got != want)
                    fail_msg("round %d path %d m=%d n=%d blocks=%d element %d: %08x, MPFR says %08x", round,
                             path, (int)m, (int)n, (int)blocks, (int)e, got, want);
            }
        }
        for (int64_t e = 0; e < m * n; ++e) {
            if (isnan(value[e]))
                assert_true(isnan(p.y[e]));
            else if (isinf(value[e]))
                assert_true(isnan(p.y[e]) || p.y[e] == value[e]);
            else
                assert_true(fabs(p.y[e] - value[e]) <= p.c.op->contract_bound(&p.c, magnitude[e]) + bound[e]);
        }
        free(value);
        free(bound);
        free(magnitude);
        q1_close(&p);
    }
    q1_exact_close(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inner_products_are_exact),
        cmocka_unit_test(random_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
