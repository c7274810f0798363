/* The device suite on every usable device of this machine, software renderers included, and once more on each Vulkan
 * device with staging copies and on the CPU without vector instructions.
 *
 * A label (vulkan:0) on the command line runs that device alone. Without one, where there are several cards, each has a
 * process of its own, all at once, so that eight take about as long as one; both backends of a card take turns. */
#include "tests/device_suite.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const *only; /* labels; none = every device that no process of its own has */
static size_t only_count;

static bool is_card(const struct assay_device_info *info)
{
    return info->usable && !info->software && !info->duplicate && strcmp(info->backend, "cpu") != 0;
}

static bool same_card(const struct assay_device_info *a, const struct assay_device_info *b)
{
    return a->has_uuid && b->has_uuid && memcmp(a->uuid, b->uuid, sizeof a->uuid) == 0 &&
           strcmp(a->partition, b->partition) == 0;
}

/* Is this the first entry of its card? */
static bool leads(const struct assay_device_list *list, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (is_card(&list->device[i]) && same_card(&list->device[i], &list->device[at])) return false;
    return is_card(&list->device[at]);
}

static bool wanted(const char *label)
{
    for (size_t i = 0; i < only_count; i++)
        if (strcmp(only[i], label) == 0) return true;
    return only_count == 0;
}

static int run_all(const struct assay_driver_params *driver, const char *backend, const char *note,
                   bool without_cards)
{
    struct assay_device_list *list = calloc(1, sizeof *list);
    int failed = 0, ran = 0;
    if (!list) return 1;
    assay_discover(driver, NULL, list);
    for (size_t i = 0; i < list->count; i++) {
        const struct assay_device_info *info = &list->device[i];
        char label[24], name[400];
        if (!(info->usable || info->software) || info->duplicate ||
            (backend && strcmp(backend, info->backend) != 0))
            continue;
        if (!wanted(assay_device_label(info, label)) || (without_cards && is_card(info))) continue;
        snprintf(name, sizeof name, "%s %s%s", assay_device_label(info, label), info->name, note);
        failed += device_suite_run(name, driver, info, driver->vulkan_staging);
        ran++;
    }
    free(list);
    if (!ran && !backend && (!only_count || !without_cards)) {
        fprintf(stderr, only_count ? "no such device\n" : "no usable device, not even the CPU\n");
        return 1;
    }
    return failed;
}

/* This program on the entries of one card, its output into a file that is read when it has ended. */
struct child {
    pid_t pid;
    char path[64];
    char label[4][24];
    char *argv[6];
};

static bool start(const char *self, const struct assay_device_list *list, size_t at, struct child *child)
{
    posix_spawn_file_actions_t actions;
    int words = 0;
    snprintf(child->path, sizeof child->path, "/tmp/assay_suite_XXXXXX");
    int file = mkstemp(child->path);
    if (file < 0) return false;
    child->argv[words++] = (char *)(uintptr_t)self;
    for (size_t i = at; i < list->count && words < 5; i++)
        if (i == at || (is_card(&list->device[i]) && same_card(&list->device[i], &list->device[at]))) {
            child->argv[words] = assay_device_label(&list->device[i], child->label[words - 1]);
            words++;
        }
    child->argv[words] = NULL;
    bool made = posix_spawn_file_actions_init(&actions) == 0;
    bool started = made && posix_spawn_file_actions_adddup2(&actions, file, STDOUT_FILENO) == 0 &&
                   posix_spawn_file_actions_adddup2(&actions, file, STDERR_FILENO) == 0 &&
                   posix_spawn(&child->pid, "/proc/self/exe", &actions, NULL, child->argv, environ) == 0;
    if (made) posix_spawn_file_actions_destroy(&actions);
    close(file);
    if (!started) unlink(child->path);
    return started;
}

static int finish(const struct child *child)
{
    char text[4096];
    size_t got;
    int status = 0;
    bool ended = waitpid(child->pid, &status, 0) == child->pid;
    FILE *file = fopen(child->path, "r");
    while (file && (got = fread(text, 1, sizeof text, file)) > 0) fwrite(text, 1, got, stdout);
    if (file) fclose(file);
    unlink(child->path);
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    printf("%s: the process of this card ended with status %d\n", child->argv[1], status);
    return 1;
}

/* Every card in a process of its own; *several says whether there was more than one. */
static int cards_side_by_side(const char *self, bool *several)
{
    const struct assay_driver_params standard = {0};
    struct assay_device_list *list = calloc(1, sizeof *list);
    struct child child[ASSAY_DEVICES_MAX];
    size_t cards = 0, children = 0;
    int failed = 0;
    *several = false;
    if (!list) return 1;
    assay_discover(&standard, NULL, list);
    for (size_t i = 0; i < list->count; i++) cards += leads(list, i);
    *several = cards > 1;
    for (size_t i = 0; i < list->count && *several; i++) {
        if (!leads(list, i)) continue;
        if (start(self, list, i, &child[children]))
            children++;
        else
            failed++;
    }
    for (size_t i = 0; i < children; i++) failed += finish(&child[i]);
    free(list);
    return failed;
}

int main(int argc, char **argv)
{
    bool several = false;
    only = (const char *const *)argv + 1;
    only_count = (size_t)argc - 1;
    const struct assay_driver_params standard = {0}, staging = {.vulkan_staging = true},
                                     plain = {.no_cpu_simd = true};
    int failed = only_count ? 0 : cards_side_by_side(argv[0], &several);
    failed += run_all(&standard, NULL, "", several) + run_all(&plain, "cpu", ", plain C", several) +
              run_all(&staging, "vulkan", ", staging copies", several);
    return failed ? 1 : 0;
}
