/* Cases out of the Q1_0 matrices of a GGUF file: the case line names the tensor (`file=`), the rows are a window of it,
 * and the first input's bytes are the file's. It knows no device and runs nothing. */
#ifndef ASSAY_GGUF_CASE_H
#define ASSAY_GGUF_CASE_H

#include "harness/corpus.h"
#include "harness/gguf.h"

/* One case a Q1_0 matrix: a window of 64 rows at level quick and of 512 at standard, somewhere that the name decides,
 * and all rows at full. Dimensions beyond the second count as rows. The reason of a case is the tensor's name. No Q1_0
 * tensor at all is an error. */
enum assay_status gguf_case_add(const struct gguf *gguf, enum level level, struct corpus *corpus,
                                struct assay_error *error);

/* The whole matrix that spec->file names, as bytes of blocks: u8 [rows, bytes a row]. Its data are the file's and must
 * not be written. An error when gguf is NULL, has no such tensor, or one of another type or shape than the case says. */
enum assay_status gguf_case_tensor(const struct gguf *gguf, const struct case_spec *spec,
                                   struct assay_tensor *tensor, struct assay_error *error);

/* Open a file; hash (NULL = any) is the one that its contents must have. Close with gguf_close, after an error too. */
enum assay_status gguf_case_open(const char *path, const char *hash, struct gguf *gguf,
                                 struct assay_error *error);

#endif
