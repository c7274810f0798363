/* Q1_0 products and the quantizer on Vulkan: every row in every form on the software renderer, against the scalar model. */
#include "devices/device.h"
#include "tests/q1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

/* The engine on the first Vulkan device, or NULL if there is none or it refuses this form of arithmetic. */
static struct assay_engine *open_vulkan(enum assay_variant variant, struct assay_error *error)
{
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {
        .device = "vulkan:0", .variant = variant, .allow_software = true};
    return assay_open(&params, &engine, error) == ASSAY_OK ? engine : NULL;
}

static const struct q1_case cases[] = {
    {.m = 0, .n = 1, .blocks = 2},
    {.m = 3, .n = 2, .blocks = 0},
    {.m = 1, .n = 1, .blocks = 1},
    {.m = 7, .n = 1, .blocks = 3},
    {.m = 8, .n = 1, .blocks = 2},
    {.m = 9, .n = 3, .blocks = 5},
    {.m = 63, .n = 1, .blocks = 4},
    {.m = 65, .n = 4, .blocks = 3},
    {.m = 17, .n = 5, .blocks = 2},
    {.m = 9, .n = 2, .blocks = 3, .pad_w = 1, .pad_x = 3, .pad_y = 5, .off_w = 1, .off_x = 3, .off_y = 7},
    {.m = 10, .n = 2, .blocks = 2, .pad_w = 2, .pad_x = 2, .off_w = 258, .off_x = 2, .off_y = 65},
};

/* Right answers are worked out once a case and fill. */
static void run_all(enum assay_variant variant, size_t fills_used)
{
    static const char *const techniques[] = {"lane1", "lane8", "mat"};
    static const enum q1_fill fills[] = {Q1_FILL_SPECIAL, Q1_FILL_WRAP, Q1_FILL_LAYER, Q1_FILL_SCALES};
    struct assay_error error = {0};
    struct assay_engine *engine = open_vulkan(variant, &error);
    if (!engine) skip();
    for (size_t f = 0; f < fills_used; f++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct q1_case c = cases[i];
            c.fill = fills[f];
            struct q1_ready *ready = q1_prepare(&c);
            for (size_t t = 0; t < sizeof techniques / sizeof *techniques; t++)
                if (q1_ready_run(engine, ready, techniques[t], NULL, &error) != ASSAY_OK)
                    fail_msg("%s", error.text);
            q1_ready_free(ready);
        }
    assay_close(engine);
}

static void test_chosen(void **state)
{
    (void)state;
    run_all(ASSAY_VARIANT_AUTO, 4);
}

static void test_integer(void **state)
{
    (void)state;
    run_all(ASSAY_VARIANT_INTEGER, 1);
}

/* A binding limit below W's size: the rows go in parts, each with its own place in W and Y. */
static void test_parts(void **state)
{
    (void)state;
    struct assay_error error = {0};
    struct assay_engine *engine = NULL;
    const struct assay_driver_params driver = {.max_binding_bytes = 8192};
    const struct assay_open_params params = {.device = "vulkan:0", .driver = &driver, .allow_software = true};
    if (assay_open(&params, &engine, &error) != ASSAY_OK) skip();
    const struct q1_case c = {.m = 500, .n = 2, .blocks = 4, .pad_w = 1, .off_w = 77, .off_y = 5};
    if (q1_run(engine, &c, "lane1", NULL, &error) != ASSAY_OK) fail_msg("%s", error.text);
    const struct q1_case wide = {.m = 2000, .n = 1, .blocks = 4};
    assert_int_equal(q1_run(engine, &wide, "lane1", NULL, &error), ASSAY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "8192"));
    assay_close(engine);
}

static void test_quantizer(void **state)
{
    (void)state;
    static const struct q1_case shapes[] = {
        {.n = 2, .blocks = 0},
        {.n = 1, .blocks = 1},
        {.n = 3, .blocks = 65, .pad_x = 1, .pad_y = 1, .off_x = 3, .off_y = 1},
        {.n = 4, .blocks = 33, .pad_y = 3, .off_y = 257},
    };
    struct assay_error error = {0};
    struct assay_engine *engine = open_vulkan(ASSAY_VARIANT_AUTO, &error);
    if (!engine) skip();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (q1_quantize_run(engine, &shapes[i], NULL, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assay_close(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen),
        cmocka_unit_test(test_integer),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_quantizer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
