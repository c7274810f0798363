/* The verb compare: hands two words to reports/, measures what is not settled again when asked to, and ends with the exit
 * code of the comparison. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/remeasure.h"
#include "harness/verb_markdown.h"
#include "harness/words.h"
#include "reports/compare.h"
#include "reports/output.h"

/* "2.5", per cent, as a part. */
enum assay_status verb_delta(const char *text, double *delta, struct assay_error *error)
{
    char quoted[WORDS_QUOTE_MAX], *end = NULL;
    *delta = 0;
    if (!text) return ASSAY_OK;
    double percent = strtod(text, &end);
    if (end == text || *end || !(percent > 0 && percent < 100))
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "--delta is %s; allowed: a number of per cent, above 0 and below 100",
                               words_quote(quoted, text, strlen(text)));
    *delta = percent / 100;
    return ASSAY_OK;
}

/* --markdown FILE, or FILE in --out DIR; "" = standard output. */
enum assay_status verb_markdown_path(const struct options *options, const char *name, char path[4096],
                                     struct assay_error *error)
{
    *path = '\0';
    if (!options->markdown && !options->out) return ASSAY_OK;
    if (!options->markdown && verb_folder(options->out, error) != ASSAY_OK) return error->status;
    int length = options->markdown ? snprintf(path, 4096, "%s", options->markdown)
                                   : snprintf(path, 4096, "%s/%s", options->out, name);
    if (length < 0 || length >= 4096)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "the path of %s is too long", name);
    return ASSAY_OK;
}

struct suspects {
    struct remeasure *again;
    struct assay_error *error;
};

static enum assay_status note(void *context, const char *line, const char *device, const char *kernel,
                              const char *lane)
{
    struct suspects *suspects = context;
    if (strcmp(lane, "run") == 0)
        return ASSAY_OK; /* a run measured it beside a verdict; bench has other lanes */
    return remeasure_add(suspects->again, line, device, kernel, lane, suspects->error);
}

static enum assay_status settle(struct comparison **comparison, struct compare_request *request,
                                const struct options *options, struct assay_error *error)
{
    struct remeasure again;
    remeasure_begin(&again);
    enum assay_status status = compare_suspects(*comparison, note, &(struct suspects){&again, error}, error);
    if (!status && again.lines) {
        status = remeasure_run(&again, options->remeasure, options, error);
        for (int side = 0; side < 2; side++) request->fresh[side] = again.db[side];
        compare_free(*comparison);
        *comparison = NULL;
        if (!status) status = compare_make(request, comparison, error);
    }
    remeasure_end(&again);
    return status;
}

int verb_compare(const struct options *options)
{
    struct assay_error error = {0};
    struct compare_request request = {
        .db = options->db, .base = options->arg[0], .head = options->arg_count > 1 ? options->arg[1] : NULL};
    struct comparison *comparison = NULL;
    struct text markdown = {0}, json = {0};
    char path[4096], reason[400];
    int code = EXIT_ERROR;
    enum assay_status status = verb_delta(options->delta, &request.delta, &error);
    if (!status) status = verb_markdown_path(options, "compare.md", path, &error);
    if (!status) status = compare_make(&request, &comparison, &error);
    if (!status && options->remeasure) status = settle(&comparison, &request, options, &error);
    if (!status) status = compare_markdown(comparison, &markdown, &error);
    if (!status && options->json) status = compare_json(comparison, &json, &error);
    if (!status && *path) status = output_write(path, &markdown, "the comparison", &error);
    if (!status && options->json)
        status = output_write(NULL, &json, "the comparison", &error);
    else if (!status && !*path && !options->quiet)
        status = output_write(NULL, &markdown, "the comparison", &error);
    if (status) {
        verb_fail(&error);
        goto end;
    }
    code = compare_exit(comparison, reason, sizeof reason);
    if (*path && !options->json && !options->quiet) printf("comparison: %s\n", path);
    if (!options->json && (*path || options->quiet)) printf("exit %d: %s\n", code, reason);
    code = verb_finish(code);

end:
    text_free(&json);
    text_free(&markdown);
    compare_free(comparison);
    return code;
}
