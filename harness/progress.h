/* What a person sees while a run goes on: one line that is drawn over on a terminal, a plain line every few seconds
 * elsewhere, nothing with --quiet; and failures, in the form of docs/cli.md. It decides nothing: verdicts are in the
 * database. One thread at a time. */
#ifndef ASSAY_PROGRESS_H
#define ASSAY_PROGRESS_H

#include "harness/judge.h"

struct progress {
    bool quiet, terminal, drawn;
    int64_t total, done, failed;
    uint64_t start_ns, last_ns;
};

void progress_begin(struct progress *progress, int64_t total, bool quiet);
/* One more row is done. */
void progress_step(struct progress *progress, bool failed);
/* Take the line away, so that something else can be printed. */
void progress_clear(struct progress *progress);
/* A person's line on standard output, the progress line moved out of its way. */
void progress_say(struct progress *progress, const char *format, ...) ASSAY_PRINTF(2, 3);
/* "123/4567  27 %  350/s  12 s left  0 failed". Writes at most `bytes`; returns text. */
char *progress_text(const struct progress *progress, uint64_t now_ns, char *text, size_t bytes);

struct failure {
    const char *line, *label, *device, *driver, *kernel, *kernel_hash, *repro;
    enum assay_dtype dtype;
    const struct judgement *judgement;
};
/* The lines of a failure, ending with the one to paste, in malloc'ed memory; NULL when out of memory. */
char *progress_failure(const struct failure *failure);

#endif
