/* The verb dashboard: hands the database and a folder to reports/, and says what went there. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/options.h"
#include "reports/dashboard.h"

int verb_dashboard(const struct options *options)
{
    struct assay_error error = {0};
    struct dashboard_counts counts;
    enum assay_status status = ASSAY_OK;
    if (!options->out)
        status = assay_error_set(&error, ASSAY_INVALID_INPUT,
                                 "dashboard needs a folder; `assay dashboard -o dashboard` makes one");
    if (!status) status = verb_folder(options->out, &error);
    if (!status) status = dashboard_write(options->db, options->out, &counts, &error);
    if (status) {
        verb_fail(&error);
        return EXIT_ERROR;
    }
    if (options->json) {
        json_t *answer =
            json_pack("{s:s+, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "dashboard", options->out,
                      "/index.html", "runs", (json_int_t)counts.runs, "devices", (json_int_t)counts.devices,
                      "cells", (json_int_t)counts.cells, "points", (json_int_t)counts.points, "failures",
                      (json_int_t)counts.failures, "changes", (json_int_t)counts.changes, "files",
                      (json_int_t)counts.files, "bytes", (json_int_t)counts.bytes);
        char *text = answer ? json_dumps(answer, 0) : NULL;
        if (text) puts(text);
        free(text);
        json_decref(answer);
    } else if (!options->quiet) {
        printf("dashboard: %s/index.html: %" PRId64 " runs, %" PRId64 " devices, %" PRId64
               " cells with %" PRId64 " points, %" PRId64 " failures, %" PRId64 " changes; %" PRId64
               " files, %.1f MiB\n",
               options->out, counts.runs, counts.devices, counts.cells, counts.points, counts.failures,
               counts.changes, counts.files, (double)counts.bytes / 1048576);
    }
    return verb_finish(EXIT_PASS);
}
