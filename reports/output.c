/* Texts on their way out. It knows no database. */
#include "reports/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool write_all(int fd, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t count = write(fd, data, bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        data += count;
        bytes -= (size_t)count;
    }
    return true;
}

/* The whole text or nothing: a file beside `path` takes its place when it is complete. */
static enum assay_status file_write(const char *path, const struct text *text, const char *what,
                                    struct assay_error *error)
{
    char *beside = NULL;
    int fd = -1;
    if (asprintf(&beside, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory to write %.300s", path);
    fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) goto fail;
    if (!write_all(fd, text->data, text->used) || fsync(fd)) goto fail;
    int closed = close(fd);
    fd = -1;
    if (closed || rename(beside, path)) goto fail;
    free(beside);
    return ASSAY_OK;

fail:
    assay_error_set(error, ASSAY_IO, "cannot write %.60s %.300s: %s", what, path, strerror(errno));
    if (fd >= 0) close(fd);
    unlink(beside);
    free(beside);
    return ASSAY_IO;
}

enum assay_status output_write(const char *path, const struct text *text, const char *what,
                               struct assay_error *error)
{
    if (text->failed) return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for %.60s", what);
    if (path) return file_write(path, text, what, error);
    if (!write_all(STDOUT_FILENO, text->data, text->used))
        return assay_error_set(error, ASSAY_IO, "cannot write %.60s to standard output: %s", what,
                               strerror(errno));
    return ASSAY_OK;
}
