/* Skips in groups: by device, kernel and reason, numbers aside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/skipped.h"

#define SPLIT "matmul.vulkan.split.exact"

static void groups(void **state)
{
    struct skipped skipped = {0};
    char text[1300];
    (void)state;
    assert_true(skipped_add(&skipped, "vulkan:0", SPLIT, "matmul/a", "K is 33: it is split from 129 on"));
    assert_true(skipped_add(&skipped, "vulkan:0", SPLIT, "matmul/b", "K is 4: it is split from 129 on"));
    assert_int_equal(skipped.count, 1);
    assert_string_equal(skipped_text(&skipped.group[0], text, sizeof text),
                        "vulkan:0: " SPLIT ": 2 cases SKIP, not judged: K is 33: it is split from 129 on");
    /* Another device, kernel or reason is another group. */
    assert_true(skipped_add(&skipped, "vulkan:1", SPLIT, "matmul/a", "K is 33: it is split from 129 on"));
    assert_true(skipped_add(&skipped, "vulkan:0", "other", "matmul/a", "K is 33: it is split from 129 on"));
    assert_true(skipped_add(&skipped, "vulkan:0", SPLIT, "matmul/c", "K is 33: it is split from 129"));
    assert_true(skipped_add(&skipped, "vulkan:0", SPLIT, "matmul/d", "N is 33: it is split from 129 on"));
    assert_true(skipped_add(&skipped, "vulkan:0", "", "onnx/e", "K is : it is split from 129 on"));
    assert_int_equal(skipped.count, 6);
    assert_int_equal(skipped.group[0].count, 2);
    /* One case alone is named. */
    assert_string_equal(skipped_text(&skipped.group[4], text, sizeof text),
                        "vulkan:0: " SPLIT " matmul/d: SKIP, not judged: N is 33: it is split from 129 on");
    assert_string_equal(skipped_text(&skipped.group[5], text, sizeof text),
                        "vulkan:0: onnx/e: SKIP, not judged: K is : it is split from 129 on");
    skipped_free(&skipped);
    assert_int_equal(skipped.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
