/* Going on with a run of a case that the contract judges in part: the CPU's row, on record already, runs again, since its
 * output judges the rest of the row that is missing. Some 10 s: a case is judged in part from 4 GFLOP on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tests/verbs.h"

#define CALL(verbs, ...) verbs_call(verbs, (const char *const[]){__VA_ARGS__, NULL})
#define RESULT                                                                                               \
    "SELECT elems || ' ' || judged || ' ' || verdict || ' ' || reason || ' ' || digest FROM result WHERE "   \
    "seq = 1"

static void test_rest(void **state)
{
    static struct verbs verbs;
    char before[400];
    (void)state;
    verbs_begin(&verbs);
    assert_int_equal(CALL(&verbs, "run", "matmul/f32/m=1500,n=1200,k=1200/fill=normal/seed=1", "--level",
                          "standard", "--device", "cpu", "--vulkan-lib", "none", "--cuda-lib", "none",
                          "--samples", "1"),
                     EXIT_PASS);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result WHERE judged < elems"), 2);
    snprintf(before, sizeof before, "%s", verbs_text(&verbs, RESULT));
    assert_non_null(strstr(before, "equal the output of cpu:0"));
    (void)verbs_text(&verbs, "DELETE FROM result WHERE seq = 1");
    (void)verbs_text(&verbs, "UPDATE run SET ended_utc = NULL, exit_code = NULL, reason = NULL");
    assert_int_equal(CALL(&verbs, "run", "--resume"), EXIT_PASS);
    assert_string_equal(verbs_text(&verbs, RESULT), before);
    assert_int_equal(verbs_number(&verbs, "SELECT count(*) FROM result"),
                     2); /* the first row's stays the only one */
    verbs_end(&verbs);
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
