/* GGUF files, versions 2 and 3, little-endian: which tensors lie where. Metadata is walked, not kept; of it only
 * general.alignment counts. Layout: ggml-org/ggml docs/gguf.md; type numbers: include/ggml.h at d99724f (enum
 * ggml_type).
 *
 * The file may be hostile: every length is checked against what is left of it before it is used, and whatever is wrong
 * is an error that names the file, the object and the place. It knows no case and no operator. */
#ifndef ASSAY_GGUF_H
#define ASSAY_GGUF_H

#include "devices/types.h"

#define GGUF_NAME_MAX 64 /* bytes of a tensor's name, as the format says */
#define GGUF_RANK_MAX 4

/* Only the types whose size matters here; the others are listed with bytes 0. */
enum { GGUF_F32 = 0, GGUF_F16 = 1, GGUF_Q8_0 = 8, GGUF_Q1_0 = 41, GGUF_Q2_0 = 42 };

struct gguf_tensor {
    char name[GGUF_NAME_MAX + 1]; /* UTF-8 in principle, any bytes but NUL in practice */
    uint32_t type, rank;
    uint64_t shape[GGUF_RANK_MAX]; /* shape[0] runs fastest; 1 beyond the rank */
    uint64_t offset;               /* from the start of the file */
    uint64_t bytes;                /* 0 = a type of unknown size: only its start was checked */
};

struct gguf {
    char *path;
    const uint8_t *data; /* the whole file */
    uint64_t data_bytes;
    uint32_t version, alignment;
    uint64_t tensors_at; /* where the tensors' data begin in the file */
    struct gguf_tensor *tensor;
    const struct gguf_tensor **sorted; /* by name */
    size_t tensor_count;
    char hash[17]; /* XXH3 of the whole file, 16 hex digits; "" from gguf_parse */
    bool mapped;
};

/* Map a file and read it. The mapping is read-only; the file must not shrink while it is open. */
enum assay_status gguf_open(const char *path, struct gguf *gguf, struct assay_error *error);
/* The same for bytes in memory, which the caller keeps; `path` only names them in errors. */
enum assay_status gguf_parse(const char *path, const uint8_t *data, uint64_t bytes, struct gguf *gguf,
                             struct assay_error *error);
void gguf_close(struct gguf *gguf); /* accepts NULL and {0} */
/* NULL when there is none. */
const struct gguf_tensor *gguf_find(const struct gguf *gguf, const char *name);

#endif
