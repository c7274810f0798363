/* How verbs end: errors in one line, the exit code that an error means, text that was lost, the folder of a report.
 * Knows no verb. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/options.h"

int verb_fail(const struct assay_error *error)
{
    fprintf(stderr, "assay: %s\n", error->text);
    return error->status == ASSAY_DEVICE_UNSUPPORTED ? EXIT_NOTHING : EXIT_ERROR;
}

int verb_finish(int exit_code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return exit_code;
    fprintf(stderr, "assay: cannot write to standard output\n");
    return exit_code == EXIT_FAILED ? EXIT_FAILED : EXIT_ERROR;
}

enum assay_status verb_folder(const char *folder, struct assay_error *error)
{
    struct stat found;
    if (mkdir(folder, 0777) == 0) return ASSAY_OK;
    const int reason = errno != EEXIST || stat(folder, &found) != 0 ? errno
                       : S_ISDIR(found.st_mode)                     ? 0
                                                                    : ENOTDIR;
    if (!reason) return ASSAY_OK;
    return assay_error_set(error, ASSAY_IO, "cannot make the folder %s for the report: %s", folder,
                           strerror(reason));
}
