/* The verb history: hands globs and devices to reports/, and says where the text went. */
#include <stdio.h>
#include <string.h>

#include "harness/verb_markdown.h"
#include "harness/words.h"
#include "reports/history.h"
#include "reports/output.h"

static bool chosen(void *context, const char *line)
{
    const struct options *options = context;
    for (size_t i = 0; i < options->arg_count; i++)
        if (words_glob(options->arg[i], line)) return true;
    return options->arg_count == 0;
}

/* A device is named by its label, backend, name or key, or a glob of one. */
static bool device(void *context, const char *const name[])
{
    const struct options *options = context;
    for (size_t i = 0; i < options->device_count; i++) {
        if (strcmp(options->device[i], "all") == 0) return true;
        for (size_t k = 0; name[k]; k++)
            if (words_glob(options->device[i], name[k])) return true;
    }
    return options->device_count == 0;
}

int verb_history(const struct options *options)
{
    struct assay_error error = {0};
    struct history_request request = {
        .db = options->db, .chosen = chosen, .device = device, .context = (void *)options};
    struct history *history = NULL;
    struct text markdown = {0}, json = {0};
    char path[4096], reason[400];
    int code = EXIT_ERROR;
    enum assay_status status = verb_delta(options->delta, &request.delta, &error);
    if (!status) status = verb_markdown_path(options, "history.md", path, &error);
    if (!status) status = history_make(&request, &history, &error);
    if (!status) status = history_markdown(history, &markdown, &error);
    if (!status && options->json) status = history_json(history, &json, &error);
    if (!status && *path) status = output_write(path, &markdown, "the history", &error);
    if (!status && options->json)
        status = output_write(NULL, &json, "the history", &error);
    else if (!status && !*path && !options->quiet)
        status = output_write(NULL, &markdown, "the history", &error);
    if (status) {
        verb_fail(&error);
        goto end;
    }
    code = history_exit(history, reason, sizeof reason);
    if (*path && !options->json && !options->quiet) printf("history: %s\n", path);
    if (!options->json && (*path || options->quiet)) printf("exit %d: %s\n", code, reason);
    code = verb_finish(code);

end:
    text_free(&json);
    text_free(&markdown);
    history_free(history);
    return code;
}
