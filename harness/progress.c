/* Progress and failures in words, for people. */
#include "harness/progress.h"
#include "harness/clock.h"
#include "oracles/element.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TERMINAL_NS UINT64_C(100000000)
#define PLAIN_NS    UINT64_C(5000000000)

void progress_begin(struct progress *progress, int64_t total, bool quiet)
{
    const uint64_t now_ns = clock_now_ns();
    *progress = (struct progress){
        .quiet = quiet, .terminal = isatty(2), .total = total, .start_ns = now_ns, .last_ns = now_ns};
}

char *progress_text(const struct progress *progress, uint64_t now_ns, char *text, size_t bytes)
{
    const double seconds = (double)(now_ns - progress->start_ns) * 1e-9;
    const double rate = seconds > 0 ? (double)progress->done / seconds : 0;
    const int64_t percent = progress->total ? progress->done * 100 / progress->total : 100;
    const double left = rate > 0 ? (double)(progress->total - progress->done) / rate : 0;
    snprintf(text, bytes, "%" PRId64 "/%" PRId64 "  %" PRId64 " %%  %.0f/s  %.0f s left  %" PRId64 " failed",
             progress->done, progress->total, percent, rate, left, progress->failed);
    return text;
}

void progress_clear(struct progress *progress)
{
    if (progress->drawn) fputs("\r\033[K", stderr);
    progress->drawn = false;
}

void progress_step(struct progress *progress, bool failed)
{
    char text[160];
    const uint64_t now_ns = clock_now_ns();
    progress->done++;
    progress->failed += failed;
    if (progress->quiet || now_ns - progress->last_ns < (progress->terminal ? TERMINAL_NS : PLAIN_NS)) return;
    progress->last_ns = now_ns;
    progress_text(progress, now_ns, text, sizeof text);
    if (progress->terminal)
        fprintf(stderr, "\r\033[K%s", text);
    else
        fprintf(stderr, "%s\n", text);
    progress->drawn = progress->terminal;
    fflush(stderr);
}

void progress_say(struct progress *progress, const char *format, ...)
{
    va_list arguments;
    progress_clear(progress);
    fflush(stderr);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fflush(stdout);
}

static void print_values(FILE *out, const struct failure *failure)
{
    const struct judgement *judgement = failure->judgement;
    const int digits = 2 * (int)assay_dtype_bytes(failure->dtype);
    const uint64_t got = judgement->got_bits, want = judgement->want_bits;
    const bool repeat = judgement->verdict == VERDICT_NONDET;
    fprintf(out, "  %-8s %s  %+a\n", repeat ? "run 2" : "got", judgement->got,
            element_value(failure->dtype, got));
    fprintf(out, "  %-8s %s  %+a   %.9g ulp   xor %0*" PRIx64 "\n", repeat ? "run 1" : "want",
            judgement->want, element_value(failure->dtype, want), element_distance(failure->dtype, got, want),
            digits, got ^ want);
}

char *progress_failure(const struct failure *failure)
{
    const struct judgement *judgement = failure->judgement;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    fprintf(out, "%-5s %s\n", verdict_name(judgement->verdict), failure->line);
    fprintf(out, "  kernel   %s %s %s   %s %s\n", failure->label, failure->device, failure->driver,
            *failure->kernel ? failure->kernel : "(none ran)", failure->kernel_hash);
    if (*judgement->oracle && judgement->first >= 0)
        fprintf(out, "  oracle   %s v%u      %" PRId64 " of %" PRId64 " elements differ, first at %s\n",
                judgement->oracle, judgement->oracle_version, judgement->differing, judgement->elems,
                judgement->first_index);
    if (judgement->got[0]) print_values(out, failure);
    if (judgement->reason[0]) fprintf(out, "  reason   %s\n", judgement->reason);
    if (failure->repro) fprintf(out, "  repro    %s\n", failure->repro);
    fclose(out);
    return text;
}
