/* The verb report: hands a run of the database to reports/, and says where the report went. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/options.h"
#include "reports/report.h"

int verb_report(const struct options *options)
{
    struct assay_error error = {0};
    char *markdown = NULL;
    const struct report_options how = {.run = options->arg_count ? options->arg[0] : NULL,
                                       .folder = options->out,
                                       .plots = options->plots,
                                       .text = options->json ? &markdown : NULL};
    enum assay_status status = options->out ? verb_folder(options->out, &error) : ASSAY_OK;
    if (!status) status = report_write(options->db, &how, &error);
    if (status) {
        verb_fail(&error);
        return EXIT_ERROR;
    }
    if (options->json) {
        json_t *answer = options->out
                             ? json_pack("{s:o}", "report", json_sprintf("%s/report.md", options->out))
                             : json_pack("{s:s}", "markdown", markdown);
        char *text = answer ? json_dumps(answer, 0) : NULL;
        if (text) puts(text);
        free(markdown);
        json_decref(answer);
        if (!text) {
            assay_error_set(&error, ASSAY_INTERNAL, "the report cannot be written as JSON");
            return verb_fail(&error);
        }
        free(text);
    }
    if (options->out && !options->json && !options->quiet) printf("report: %s/report.md\n", options->out);
    return verb_finish(EXIT_PASS);
}
