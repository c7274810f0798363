/* docs/nightly.md and docs/dashboards.md hold what they say: their scripts run as they stand, with two shards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* A part of the pages; all run side by side, since each mostly waits for programs that it starts. */
struct part {
    const char *name;
    char folder[32];
    FILE *pipe;
};
#define PARTS(X)   X(plain) X(github) X(gitlab) X(slurm) X(kubernetes) X(bisect) X(dashboards)
#define PART(name) {#name, "", NULL},
static struct part parts[] = {PARTS(PART)};
#define PART_COUNT (sizeof parts / sizeof parts[0])

static int start_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < PART_COUNT; i++) {
        struct part *part = &parts[i];
        char command[256];
        strcpy(part->folder, "/tmp/assay-nightly-XXXXXX");
        if (!mkdtemp(part->folder)) return -1;
        snprintf(command, sizeof command, "python3 tests/check_nightly.py %s " TEST_BUILD "/assay %s 2>&1",
                 part->name, part->folder);
        if (!(part->pipe = popen(command, "r"))) return -1;
    }
    return 0;
}

static void ends_well(void **state)
{
    struct part *part = *state;
    char command[64], output[8192], rest[8192];
    output[fread(output, 1, sizeof output - 1, part->pipe)] = 0;
    while (fread(rest, 1, sizeof rest, part->pipe) > 0) {
    }
    const int status = pclose(part->pipe);
    snprintf(command, sizeof command, "rm -rf %s", part->folder);
    assert_int_equal(system(command), 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("%s", output);
}

int main(void)
{
    struct CMUnitTest tests[PART_COUNT];
    for (size_t i = 0; i < PART_COUNT; i++)
        tests[i] = (struct CMUnitTest){parts[i].name, ends_well, NULL, NULL, &parts[i]};
    return _cmocka_run_group_tests("test_nightly", tests, PART_COUNT, start_all, NULL);
}
