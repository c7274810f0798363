/* The texts that are embedded in the program: corpus files and SQL, by their paths in the tree (scripts/embed --table).
 *
 * It knows no file's meaning. */
#ifndef ASSAY_EMBEDDED_H
#define ASSAY_EMBEDDED_H

/* Closed by a NULL path. A NUL stands at `end`. */
extern const struct embedded {
    const char *path;
    const char *start, *end;
} assay_blob_table[];

#endif
