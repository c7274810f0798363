/* The exact arithmetic: every form's C text against the host's float unit (rows K03, D21), and the choice of a form on
 * the CPU, on the software renderer and on simulated bad devices. */
#include "kernels/kernel.h"
#include "tests/simulated.h"
#include "tests/triples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void same(const char *what, const uint32_t t[3], float got, float want)
{
    if (xf_bits(xf_canonical(got)) != xf_bits(xf_canonical(want)))
        fail_msg("%s of %08x %08x %08x: %08x, not %08x", what, t[0], t[1], t[2], xf_bits(got), xf_bits(want));
}

static void forms_equal_host(void **unused)
{
    (void)unused;
    struct triples random = {88172645463325252};
    size_t inside = 0;
    enum { COUNT = 1500000 };
    for (int i = 0; i < COUNT; i++) {
        uint32_t t[3];
        triples_fill(&random, t);
        float a = xf_float(t[0]), b = xf_float(t[1]), c = xf_float(t[2]), want = fmaf(a, b, c);
        same("integer fma", t, xf_fma_integer(a, b, c), want);
        same("emulated fma", t, xf_fma_emulated(a, b, c), want);
        same("guarded fma", t, xf_fma_guarded(a, b, c), want);
        same("native fma", t, xf_fma_native(a, b, c), want);
        same("integer add", t, xf_add_integer(a, c), a + c);
        same("guarded add", t, xf_add_guarded(a, c), a + c);
        same("guarded subtract", t, xf_sub_guarded(a, c), a - c);
        same("integer multiply", t, xf_mul_integer(a, b), a * b);
        same("guarded multiply", t, xf_mul_guarded(a, b), a * b);
        inside += xf_fma_inside(a, b, c);
    }
    assert_true(inside > COUNT / 4 && inside < COUNT); /* both ways of the emulated form were taken */
}

/* Sums of safe factors need no check: a long chain, fed with small and large factors and zeros. */
static void safe_factors_need_no_check(void **unused)
{
    (void)unused;
    struct triples random = {3};
    float c = 0, want = 0;
    for (int i = 0; i < 1000000; i++) {
        float a = xf_float(triples_float(&random, 87, 170)), b = xf_float(triples_float(&random, 87, 170));
        uint64_t pick = triples_next(&random);
        if ((pick & 15) == 0) a = pick & 16 ? 0.0f : -0.0f;
        if ((pick & 1024) != 0)
            b = xf_float(0x3F800000 | (uint32_t)(pick >> 20 & 0x7FFFFF)), a = c == 0 ? a : -c / 4;
        if (!xf_factor_safe(a) || !xf_factor_safe(b)) continue;
        if (i % 128 == 0) c = want = 0;
        c = xf_fma_emulated_core(a, b, c);
        want = fmaf(a, b, want);
        assert_int_equal(xf_bits(c), xf_bits(want));
    }
    assert_false(xf_factor_safe(xf_float(0x7F800000)));
    assert_false(xf_factor_safe(xf_float(1)));
    assert_false(xf_factor_safe(0x1p-41f));
    assert_false(xf_factor_safe(0x1p44f));
    assert_true(xf_factor_safe(0x1p-40f) && xf_factor_safe(-0.0f));
}

/* D21: where the recipe alone is not the fused operation; the emulated form goes another way there. */
static void recipe_has_a_domain(void **unused)
{
    (void)unused;
    const float inf = INFINITY;
    assert_true(isnan(xf_fma_emulated_core(inf, 2, 1)));
    assert_true(xf_fma_emulated(inf, 2, 1) == inf);
    assert_true(isnan(xf_fma_emulated_core(0x1p127f, 1.5f, -0x1.8p127f)) ||
                xf_fma_emulated_core(0x1p127f, 1.5f, -0x1.8p127f) == 0);
    assert_false(isfinite(xf_fma_emulated_core(0x1.fffffep127f, 1.5f, -0x1.fffffep127f)));
    assert_true(xf_fma_emulated(0x1.fffffep127f, 1.5f, -0x1.fffffep127f) ==
                fmaf(0x1.fffffep127f, 1.5f, -0x1.fffffep127f));
    assert_int_equal(xf_bits(xf_fma_emulated_core(-0.0f, 1, -0.0f)), 0);
    assert_int_equal(xf_bits(xf_fma_emulated(-0.0f, 1, -0.0f)), XF_SIGN);
    struct triples random = {5};
    size_t core_wrong = 0;
    for (int i = 0; i < 200000; i++) {
        float a = xf_float(triples_float(&random, 1, 60)), b = xf_float(triples_float(&random, 60, 80));
        float c = xf_float(triples_float(&random, 0, 10)), want = fmaf(a, b, c);
        core_wrong += xf_bits(xf_fma_emulated_core(a, b, c)) != xf_bits(want);
        assert_int_equal(xf_bits(xf_fma_emulated(a, b, c)), xf_bits(want));
    }
    assert_true(core_wrong > 0);
}

/* K03: exponents within 60 of 1; against sums that binary64 holds exactly, or that leave the larger one alone. */
static void two_sum_is_exact(void **unused)
{
    (void)unused;
    struct triples random = {11};
    for (int i = 0; i < 10000000; i++) {
        float a = xf_float(triples_float(&random, 67, 187)), b = xf_float(triples_float(&random, 67, 187));
        int apart = abs((int)xf_exponent(a) - (int)xf_exponent(b));
        struct xf_pair s = xf_two_sum(a, b);
        if (apart <= 26) {
            double sum = (double)a + (double)b;
            assert_true(s.high == (float)sum && (double)s.high + (double)s.low == sum);
        } else {
            bool a_larger = xf_exponent(a) > xf_exponent(b);
            assert_true(s.high == (a_larger ? a : b) && s.low == (a_larger ? b : a));
        }
    }
}

/* ---- the choice ---- */

static struct assay_traits traits;
static enum assay_variant variant;
static uint32_t controls;
static char why[256];

static enum assay_status choose(struct assay_device *device, enum assay_variant forced,
                                struct assay_error *error)
{
    *error = (struct assay_error){0};
    return assay_exact_choose(device, &traits, forced, &variant, &controls, why, error);
}

static void chosen(struct assay_device *device, enum assay_variant forced, enum assay_variant expected)
{
    struct assay_error error;
    if (choose(device, forced, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assert_int_equal(variant, expected);
    assert_int_equal(controls, assay_exact_controls(&traits, variant));
    assert_non_null(strstr(why, assay_variant_name(expected)));
}

static void refused(struct assay_device *device, enum assay_variant forced, const char *says)
{
    struct assay_error error;
    assert_int_equal(choose(device, forced, &error), ASSAY_DEVICE_UNSUPPORTED);
    if (!strstr(error.text, says)) fail_msg("'%s' does not say '%s'", error.text, says);
}

static void measure(struct assay_device *device)
{
    struct assay_error error = {0};
    if (assay_traits_measure(device, &traits, &error) != ASSAY_OK) fail_msg("%s", error.text);
}

static struct assay_device *open_first(const struct assay_backend *backend)
{
    struct assay_driver_params params = {0};
    struct assay_device_info list[8];
    struct assay_device *device = NULL;
    struct assay_error error = {0};
    char note[256];
    size_t count = 0;
    backend->discover(&params, list, 8, &count, note);
    for (size_t i = 0; i < count && !device; i++)
        if (backend == &assay_backend_cpu || list[i].software)
            if (backend->open(&params, &list[i], &device, &error) != ASSAY_OK) fail_msg("%s", error.text);
    return device;
}

static void cpu_takes_native(void **unused)
{
    (void)unused;
    struct assay_device *device = open_first(&assay_backend_cpu);
    measure(device);
    chosen(device, ASSAY_VARIANT_AUTO, ASSAY_VARIANT_NATIVE);
    chosen(device, ASSAY_VARIANT_GUARDED, ASSAY_VARIANT_GUARDED);
    chosen(device, ASSAY_VARIANT_EMULATED, ASSAY_VARIANT_EMULATED);
    chosen(device, ASSAY_VARIANT_INTEGER, ASSAY_VARIANT_INTEGER);
    refused(device, ASSAY_VARIANT_CONTRACT, "only SPIR-V");
    device->backend->close(device);
}

static void software_renderer_takes_emulated(void **unused)
{
    (void)unused;
    struct assay_device *device = open_first(&assay_backend_vulkan);
    if (!device) skip();
    measure(device);
    chosen(device, ASSAY_VARIANT_AUTO, ASSAY_VARIANT_EMULATED);
    assert_non_null(strstr(why, "not native: Fma is not fused"));
    chosen(device, ASSAY_VARIANT_INTEGER, ASSAY_VARIANT_INTEGER);
    refused(device, ASSAY_VARIANT_NATIVE, "fused multiply-add of");
    refused(device, ASSAY_VARIANT_GUARDED, "fused multiply-add of");
    refused(device, ASSAY_VARIANT_CONTRACT, "not a fused one");
    assert_int_equal(device->allocated_bytes, 0);
    device->backend->close(device);
}

static void unfused_device_takes_emulated(void **unused)
{
    (void)unused;
    struct assay_device *device = simulated_open(SIMULATED_UNFUSED);
    measure(device);
    chosen(device, ASSAY_VARIANT_AUTO, ASSAY_VARIANT_EMULATED);
    refused(device, ASSAY_VARIANT_NATIVE, "fused multiply-add of");
    refused(device, ASSAY_VARIANT_GUARDED, "fused multiply-add of");
    chosen(device, ASSAY_VARIANT_INTEGER, ASSAY_VARIANT_INTEGER);
    /* a traits record that lies is caught by the known answers */
    traits.fma_fused = traits.fma_keeps_subnormals = true;
    chosen(device, ASSAY_VARIANT_AUTO, ASSAY_VARIANT_EMULATED);
    device->backend->close(device);
}

static void flushing_device_takes_guarded(void **unused)
{
    (void)unused;
#if defined(__x86_64__)
    struct assay_device *device = simulated_open(SIMULATED_FLUSHING);
    if (!(device->info.simd & ASSAY_SIMD_AVX2)) {
        device->backend->close(device);
        skip();
    }
    measure(device);
    chosen(device, ASSAY_VARIANT_AUTO, ASSAY_VARIANT_GUARDED);
    assert_non_null(strstr(why, "not native: Fma flushes subnormals"));
    chosen(device, ASSAY_VARIANT_EMULATED, ASSAY_VARIANT_EMULATED);
    chosen(device, ASSAY_VARIANT_INTEGER, ASSAY_VARIANT_INTEGER);
    refused(device, ASSAY_VARIANT_NATIVE, "not native");
    device->backend->close(device);
#else
    skip();
#endif
}

static void nothing_exact_is_refused(void **unused)
{
    (void)unused;
    struct assay_device *device = simulated_open(SIMULATED_NONE);
    struct assay_error error;
    measure(device);
    snprintf(traits.missing, sizeof traits.missing, "words change");
    refused(device, ASSAY_VARIANT_AUTO, "words change");
    traits.missing[0] = 0;
    assert_int_equal(choose(device, (enum assay_variant)99, &error), ASSAY_INVALID_INPUT);
    device->backend->close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_equal_host),
        cmocka_unit_test(safe_factors_need_no_check),
        cmocka_unit_test(recipe_has_a_domain),
        cmocka_unit_test(two_sum_is_exact),
        cmocka_unit_test(cpu_takes_native),
        cmocka_unit_test(software_renderer_takes_emulated),
        cmocka_unit_test(unfused_device_takes_emulated),
        cmocka_unit_test(flushing_device_takes_guarded),
        cmocka_unit_test(nothing_exact_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
