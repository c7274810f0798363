/* Options that verbs with a Markdown answer share; in verb_compare.c. */
#ifndef ASSAY_VERB_MARKDOWN_H
#define ASSAY_VERB_MARKDOWN_H

#include "harness/options.h"

/* --delta PERCENT as a part; 0 when it is not given. */
enum assay_status verb_delta(const char *text, double *delta, struct assay_error *error);
/* --markdown FILE, or NAME in --out DIR, whose folder is made; "" = standard output. */
enum assay_status verb_markdown_path(const struct options *options, const char *name, char path[4096],
                                     struct assay_error *error);

#endif
