/* Row K04 and more: 40,000,000 triples a form against the host's fused multiply-add. */
#include "tests/triples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

enum { COUNT = 40000000 };

static void forms_equal_host(void **unused)
{
    (void)unused;
    struct triples random = {20080401};
    for (int i = 0; i < COUNT; i++) {
        uint32_t t[3];
        triples_fill(&random, t);
        float a = xf_float(t[0]), b = xf_float(t[1]), c = xf_float(t[2]);
        uint32_t want = xf_bits(xf_canonical(fmaf(a, b, c)));
        if (xf_bits(xf_canonical(xf_fma_emulated(a, b, c))) != want ||
            xf_bits(xf_canonical(xf_fma_guarded(a, b, c))) != want ||
            xf_bits(xf_canonical(xf_fma_integer(a, b, c))) != want)
            fail_msg("triple %d: %08x %08x %08x", i, t[0], t[1], t[2]);
    }
}

/* K04: one factor with at most 12 significant bits (any f16), one sum in eight cancelling. */
static void short_factor(void **unused)
{
    (void)unused;
    struct triples random = {42};
    size_t unfused_differs = 0;
    for (int i = 0; i < COUNT; i++) {
        uint32_t a = triples_float(&random, 107, 147) & 0xFFFFF000, b = triples_float(&random, 107, 147);
        uint32_t c = triples_float(&random, 107, 147);
        if (i % 8 == 0) c = (xf_mul_words(a, b) ^ XF_SIGN) + (uint32_t)(triples_next(&random) & 3);
        float x = xf_float(a), y = xf_float(b), z = xf_float(c), want = fmaf(x, y, z);
        volatile float product = x * y;
        assert_true(xf_bits(xf_fma_emulated_core(x, y, z)) == xf_bits(want));
        unfused_differs += xf_bits(product + z) != xf_bits(want);
    }
    assert_true(unfused_differs > COUNT / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms_equal_host), cmocka_unit_test(short_factor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
