/* docs/nightly.md and docs/dashboards.md hold what they say: their scripts run as they stand, with two shards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

static void runs(const char *part)
{
    char folder[] = "/tmp/assay-nightly-XXXXXX", command[256], output[8192];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "python3 tests/check_nightly.py %s " TEST_BUILD "/assay %s 2>&1", part,
             folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    const int status = pclose(pipe);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("%s", output);
}

#define PART(name)                                                                                           \
    static void name(void **state)                                                                           \
    {                                                                                                        \
        (void)state;                                                                                         \
        runs(#name);                                                                                         \
    }
PART(plain)
PART(github)
PART(gitlab)
PART(slurm)
PART(kubernetes)
PART(bisect)
PART(dashboards)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),      cmocka_unit_test(github),     cmocka_unit_test(gitlab),
        cmocka_unit_test(slurm),      cmocka_unit_test(kubernetes), cmocka_unit_test(bisect),
        cmocka_unit_test(dashboards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
