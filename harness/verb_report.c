/* The verb report: hands a run of the database to reports/, and says where the report went. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/options.h"
#include "harness/words.h"
#include "reports/report.h"

static enum assay_status report_path(const char *folder, char path[4096], struct assay_error *error)
{
    if (verb_folder(folder, error) != ASSAY_OK) return error->status;
    int length = snprintf(path, 4096, "%s/report.md", folder);
    if (length < 0 || length >= 4096)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "--out: the path is too long");
    return ASSAY_OK;
}

int verb_report(const struct options *options)
{
    struct assay_error error = {0};
    char path[4096], quoted[WORDS_QUOTE_MAX];
    int64_t run = 0;
    enum assay_status status = ASSAY_OK;
    if (options->arg_count && (!words_integer(options->arg[0], strlen(options->arg[0]), &run) || run < 1))
        status = assay_error_set(&error, ASSAY_INVALID_INPUT,
                                 "report: %s is no run; allowed: the number of a run, from 1",
                                 words_quote(quoted, options->arg[0], strlen(options->arg[0])));
    if (!status && options->out) status = report_path(options->out, path, &error);
    if (!status) status = report_write(options->db, run, options->out ? path : NULL, &error);
    if (status) {
        verb_fail(&error);
        return EXIT_ERROR;
    }
    if (options->out && options->json) {
        json_t *answer = json_pack("{s:s}", "report", path);
        char *text = answer ? json_dumps(answer, 0) : NULL;
        if (text) puts(text);
        free(text);
        json_decref(answer);
    }
    if (options->out && !options->json && !options->quiet) printf("report: %s\n", path);
    return verb_finish(EXIT_PASS);
}
