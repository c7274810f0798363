/* The arithmetic probe (rows D20, D21): its own reference, the CPU, the software renderer, simulated bad devices. */
#include "devices/device.h"
#include "devices/ieee.h"
#include "tests/simulated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;
static uint32_t word(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state * 0x2545F4914F6CDD1Du >> 32);
}
static float as_float(uint32_t u)
{
    float x;
    memcpy(&x, &u, 4);
    return x;
}
static uint32_t as_word(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    return u;
}

/* The host's float unit is the second opinion about ieee.c. */
static void reference_equals_host(void **unused)
{
    (void)unused;
    for (int i = 0; i < 600000; i++) {
        uint32_t a = word(), b = word(), c = word();
        if (i % 3 == 1) c = as_word(-as_float(a) * as_float(b)) + (word() & 3);
        if (i % 3 == 2) a &= 0x807FFFFF, c &= 0x81FFFFFF;
        float x = as_float(a), y = as_float(b), z = as_float(c);
        assert_true(assay_ieee_same(assay_ieee_fma(a, b, c), as_word(fmaf(x, y, z))));
        assert_true(assay_ieee_same(assay_ieee_add(a, c), as_word(x + z)));
        assert_true(assay_ieee_same(assay_ieee_mul(a, b), as_word(x * y)));
        assert_true(assay_ieee_same(assay_ieee_div(a, b), as_word(x / y)));
        assert_true(assay_ieee_same(assay_ieee_sqrt(a), as_word(sqrtf(x))));
    }
    /* D20's question: fused gives -2^-46 */
    assert_int_equal(assay_ieee_fma(0x3F800001, 0x3F7FFFFE, 0xBF800000), as_word(-0x1p-46f));
}

static const struct assay_trait *find(const struct assay_traits *traits, const char *name, uint32_t controls,
                                      bool literal)
{
    for (size_t i = 0; i < traits->count; i++)
        if (strcmp(traits->trait[i].name, name) == 0 && traits->trait[i].controls == controls &&
            traits->trait[i].literal == literal)
            return &traits->trait[i];
    fail_msg("no row %s, controls %u, literal %d", name, controls, literal);
    return NULL;
}

static void measure(struct assay_device *device, struct assay_traits *traits)
{
    struct assay_error error = {0};
    if (assay_traits_measure(device, traits, &error) != ASSAY_OK) fail_msg("%s", error.text);
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

static void all_right(const struct assay_traits *traits)
{
    for (size_t i = 0; i < traits->count; i++)
        if (traits->trait[i].wrong) fail_msg("%s: %u wrong", traits->trait[i].name, traits->trait[i].wrong);
    assert_true(traits->count >= 20);
    assert_true(traits->fma_fused && traits->fma_keeps_subnormals && traits->contraction_forbidden);
    assert_true(traits->add_exact && traits->mul_exact);
    assert_false(traits->contract_is_fma); /* a matter of SPIR-V */
    assert_string_equal(traits->missing, "");
}

static void cpu_is_right(void **unused)
{
    (void)unused;
    static struct assay_traits traits;
    struct assay_device *device = open_first(&assay_backend_cpu);
    measure(device, &traits);
    all_right(&traits);
    char *text = assay_traits_json(&device->info, &traits);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_true(json_is_true(json_object_get(root, "fma_fused")));
    assert_int_equal(json_array_size(json_object_get(root, "traits")), traits.count);
    json_decref(root);
    free(text);
    device->backend->close(device);
}

/* Mesa's software renderer does not fuse, keeps subnormals, and folds literal zeros wrongly. */
static void software_renderer(void **unused)
{
    (void)unused;
    static struct assay_traits traits;
    struct assay_device *device = open_first(&assay_backend_vulkan);
    if (!device) skip();
    measure(device, &traits);
    assert_false(traits.fma_fused);
    assert_false(traits.fma_keeps_subnormals);
    assert_false(traits.contract_is_fma);
    assert_true(traits.contraction_forbidden && traits.add_exact && traits.mul_exact);
    assert_string_equal(traits.missing, "");
    const struct assay_trait *fma = find(&traits, "fma", 0, false);
    assert_true(fma->wrong > 1000 && fma->wrong > fma->wrong_subnormal);
    /* the first operands are the classic ones, and unfused they give 0 */
    assert_int_equal(fma->first[0], 0x3F800001);
    assert_int_equal(fma->first[3], 0);
    assert_int_equal(find(&traits, "fma", 0, true)->wrong, 1);
    for (uint32_t controls = 0; controls <= (ASSAY_CTRL_RTE | ASSAY_CTRL_SZINP); controls++) {
        static const char *const right[] = {"copy", "load",   "store", "add",  "sub",
                                            "mul",  "muladd", "div",   "sqrt", "two_sum"};
        if (controls & ~device->info.float_controls) continue;
        for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
            assert_int_equal(find(&traits, right[i], controls, false)->wrong, 0);
        assert_true(find(&traits, "fma", controls, false)->wrong > 1000);
    }
    assert_true(find(&traits, "mul_zero", 0, true)->wrong > 1000);
    assert_int_equal(device->allocated_bytes, 0);
    device->backend->close(device);
}

static void simulated_devices(void **unused)
{
    (void)unused;
    static struct assay_traits traits;
    struct assay_device *device = simulated_open(SIMULATED_NONE);
    measure(device, &traits);
    all_right(&traits);
    device->backend->close(device);

    device = simulated_open(SIMULATED_UNFUSED);
    measure(device, &traits);
    assert_false(traits.fma_fused);
    assert_true(traits.add_exact && traits.mul_exact && traits.contraction_forbidden);
    assert_int_equal(find(&traits, "fma", 0, false)->first[3], 0);
    device->backend->close(device);

#if defined(__x86_64__)
    device = simulated_open(SIMULATED_FLUSHING);
    measure(device, &traits);
    if (device->info.simd & ASSAY_SIMD_AVX2) assert_true(traits.fma_fused);
    assert_false(traits.fma_keeps_subnormals);
    assert_false(traits.add_exact || traits.mul_exact);
    const struct assay_trait *add = find(&traits, "add", 0, false);
    assert_true(add->wrong > 100);
    assert_int_equal(add->wrong, add->wrong_subnormal);
    assert_int_equal(find(&traits, "load", 0, false)->wrong, 0);
    device->backend->close(device);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_equals_host),
        cmocka_unit_test(cpu_is_right),
        cmocka_unit_test(software_renderer),
        cmocka_unit_test(simulated_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
