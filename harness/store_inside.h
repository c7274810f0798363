/* What the files of the store share: the handle, transactions, and the rows that every table refers to. Nobody else
 * includes this. */
#ifndef ASSAY_STORE_INSIDE_H
#define ASSAY_STORE_INSIDE_H

#include <sqlite3.h>

#include "harness/store.h"

#define STORE_STATEMENTS 24

struct store {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *statement[STORE_STATEMENTS]; /* of store_rows.c, prepared when first used; NULL = not yet */
};

/* BEGIN IMMEDIATE; and COMMIT after success, else ROLLBACK and the failure passed on. */
enum assay_status store_begin(struct store *store, struct assay_error *error);
enum assay_status store_finish(struct store *store, enum assay_status status, struct assay_error *error);
/* "cannot ACT in database 'PATH': ..." out of the database's last error. */
enum assay_status store_refuse(struct store *store, const char *act, struct assay_error *error);
/* The row of a case, made if it is not there; and of a kernel (its eight words of *kernel alone are read). */
enum assay_status store_case_find(struct store *store, const char *line, const char *op, const char *dtype,
                                  const char *fill, double flops, int64_t *case_id,
                                  struct assay_error *error);
enum assay_status store_kernel_find(struct store *store, const struct store_result *kernel,
                                    int64_t *kernel_id, struct assay_error *error);

#endif
