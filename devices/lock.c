/* One user at a time for a physical card, whatever process or backend: flock on a small file named after its PCI
 * address. The kernel drops the lock when its holder dies, so nothing is ever stale. Knows no driver. */
#include "devices/device.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct assay_card_lock {
    int fd; /* -1: excludes nothing */
};

/* The file is never removed: removing it would let two holders lock two different files of one name. Another user's
 * file in a sticky folder may only be opened without O_CREAT, and flock needs no right to write. */
static int lock_file_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd < 0 && (errno == EACCES || errno == EPERM)) fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    return fd;
}

enum assay_status assay_card_lock_take(const char *dir, const char *pci, bool wait,
                                       struct assay_card_lock **lock, struct assay_error *error)
{
    *lock = NULL;
    struct assay_card_lock *taken = malloc(sizeof *taken);
    if (!taken)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a card lock (%zu bytes)",
                               sizeof *taken);
    taken->fd = -1;

    enum assay_status status = ASSAY_OK;
    if (!pci || !*pci) {
        *lock = taken;
        return ASSAY_OK;
    }

    char address[16], path[4096];
    size_t length = strlen(pci);
    if (length >= sizeof address || strspn(pci, "0123456789abcdefABCDEF:.") != length) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "'%.40s' is not a PCI address", pci);
        goto fail;
    }
    for (size_t i = 0; i <= length; i++) address[i] = (char)tolower((unsigned char)pci[i]);

    int written = snprintf(path, sizeof path, "%s/assay-%s.lock", dir && *dir ? dir : "/tmp", address);
    if (written < 0 || (size_t)written >= sizeof path) {
        status = assay_error_set(error, ASSAY_INVALID_INPUT, "the folder of card locks has too long a name");
        goto fail;
    }
    taken->fd = lock_file_open(path);
    if (taken->fd < 0) {
        status =
            assay_error_set(error, ASSAY_IO, "cannot open the card lock %.400s: %s", path, strerror(errno));
        goto fail;
    }
    int rc;
    do rc = flock(taken->fd, LOCK_EX | (wait ? 0 : LOCK_NB));
    while (rc != 0 && errno == EINTR);
    if (rc != 0 && errno == EWOULDBLOCK) {
        status = assay_error_set(error, ASSAY_TIMEOUT,
                                 "card %s is in use by another process (%.380s is locked)", address, path);
        goto fail;
    }
    if (rc != 0) {
        status = assay_error_set(error, ASSAY_IO, "cannot lock %.400s: %s", path, strerror(errno));
        goto fail;
    }
    *lock = taken;
    return ASSAY_OK;

fail:
    assay_card_lock_release(taken);
    return status;
}

void assay_card_lock_release(struct assay_card_lock *lock)
{
    if (!lock) return;
    if (lock->fd >= 0) {
        flock(lock->fd, LOCK_UN); /* closing alone would leave it to a child forked meanwhile */
        close(lock->fd);
    }
    free(lock);
}
