/* The correctly rounded functions of kernels/exact/function.h in both forms: against MPFR on a sample and wherever they
 * change their way, and whole blocks of 2^20 inputs against the stored digests. All 2^32 inputs: long_function.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/function_reference.h"

static float (*const *const forms[])(float) = {function_fused, function_unfused};

static uint32_t apply(float (*function)(float), uint32_t x)
{
    float f, y;
    uint32_t bits;
    memcpy(&f, &x, sizeof f);
    y = function(f);
    memcpy(&bits, &y, sizeof bits);
    return bits; /* NaN results are 7fc00000 by promise */
}

static void check(enum function_reference function, uint32_t x)
{
    const uint32_t want = function_reference(function, x, NULL);
    for (size_t form = 0; form < 2; form++) {
        const uint32_t got = apply(forms[form][function], x);
        if (got != want)
            fail_msg("%s of %08x is %08x, not %08x, in form %zu", function_reference_names[function], x, got,
                     want, form);
    }
}

static void sample(void **state)
{
    (void)state;
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (uint64_t x = 0; x < UINT64_C(1) << 32; x += 60013)
            check((enum function_reference)function, (uint32_t)x);
}

/* Around every power of two and the middle above it, where the ways meet, both signs; and the ends. */
static void edges(void **state)
{
    (void)state;
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (uint32_t exponent = 0; exponent < 256; exponent++)
            for (int32_t step = -3; step <= 3; step++)
                for (uint32_t half = 0; half < 4; half++) {
                    const uint32_t x = (exponent << 23) + (half << 21) + (uint32_t)step;
                    check((enum function_reference)function, x & 0x7FFFFFFFu);
                    check((enum function_reference)function, x | 0x80000000u);
                }
}

/* The stored digest of a block, or 0 when the file does not hold it. */
static uint64_t golden(const char *name, uint32_t block)
{
    char path[64], line[256];
    unsigned long long word[4];
    snprintf(path, sizeof path, "corpus/golden/%s.txt", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    uint64_t digest = 0;
    for (uint32_t at = 0; fgets(line, sizeof line, file);) {
        if (*line == '#') continue;
        assert_int_equal(sscanf(line, "%llx %llx %llx %llx", word, word + 1, word + 2, word + 3), 4);
        if (block / 4 == at / 4) digest = word[block % 4];
        at += 4;
    }
    fclose(file);
    return digest;
}

/* Blocks with ordinary inputs: around 1 and -1.7. */
static void blocks(void **state)
{
    static const uint32_t chosen[] = {0x3F8, 0xBFD};
    (void)state;
    for (int function = 0; function < FUNCTION_COUNT; function++)
        for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
            const uint64_t want = golden(function_reference_names[function], chosen[i]);
            for (size_t form = 0; form < 2; form++) {
                uint64_t digest = 0;
                for (uint32_t x = chosen[i] << 20; x < (chosen[i] + 1) << 20; x++)
                    digest += function_mix(x, apply(forms[form][function], x));
                if (digest != want)
                    fail_msg("%s, block %x, form %zu: digest %016llx, not %016llx",
                             function_reference_names[function], chosen[i], form, (unsigned long long)digest,
                             (unsigned long long)want);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sample),
        cmocka_unit_test(edges),
        cmocka_unit_test(blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
