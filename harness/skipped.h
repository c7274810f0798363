/* Skips for people: a kernel that is not for a shape says so once and for how many cases, not in a line each. The
 * database and the report hold every one. */
#ifndef ASSAY_SKIPPED_H
#define ASSAY_SKIPPED_H

#include "harness/case.h"

struct skipped_group {
    const char *label; /* of the device; the caller's */
    char kernel[64];
    char line[CASE_LINE_MAX], reason[512]; /* of the first */
    int64_t count;
};

/* Starts as {0}. */
struct skipped {
    struct skipped_group *group;
    size_t count;
};

/* Reasons that differ in numbers alone are one. False: no memory. */
bool skipped_add(struct skipped *skipped, const char *label, const char *kernel, const char *line,
                 const char *reason);
/* "vulkan:0: matmul.vulkan.split.exact: 210 cases SKIP, not judged: K is 33: ..."; returns text. */
char *skipped_text(const struct skipped_group *group, char *text, size_t bytes);
void skipped_free(struct skipped *skipped);

#endif
