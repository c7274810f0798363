/* Skips of a run, grouped by device, kernel and reason. It knows texts alone. */
#include "harness/skipped.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two reasons, numbers aside: a run of digits is as good as any other. */
static bool alike(const char *x, const char *y)
{
    while (*x && *y) {
        if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
            while (isdigit((unsigned char)*x)) x++;
            while (isdigit((unsigned char)*y)) y++;
        } else if (*x++ != *y++) {
            return false;
        }
    }
    return *x == *y;
}

bool skipped_add(struct skipped *skipped, const char *label, const char *kernel, const char *line,
                 const char *reason)
{
    for (size_t at = 0; at < skipped->count; at++) {
        struct skipped_group *group = &skipped->group[at];
        if (strcmp(group->label, label) != 0 || strcmp(group->kernel, kernel) != 0 ||
            !alike(group->reason, reason))
            continue;
        group->count++;
        return true;
    }
    struct skipped_group *group = reallocarray(skipped->group, skipped->count + 1, sizeof *skipped->group);
    if (!group) return false;
    skipped->group = group;
    group += skipped->count++;
    *group = (struct skipped_group){.label = label, .count = 1};
    snprintf(group->kernel, sizeof group->kernel, "%s", kernel);
    snprintf(group->line, sizeof group->line, "%s", line);
    snprintf(group->reason, sizeof group->reason, "%s", reason);
    return true;
}

char *skipped_text(const struct skipped_group *group, char *text, size_t bytes)
{
    char what[CASE_LINE_MAX + 8];
    if (group->count == 1)
        snprintf(what, sizeof what, "%s:", group->line);
    else
        snprintf(what, sizeof what, "%" PRId64 " cases", group->count);
    snprintf(text, bytes, "%s: %s%s%s SKIP, not judged: %s", group->label, group->kernel,
             *group->kernel ? (group->count == 1 ? " " : ": ") : "", what, group->reason);
    return text;
}

void skipped_free(struct skipped *skipped)
{
    free(skipped->group);
    *skipped = (struct skipped){0};
}
