/* Cases of a GGUF file; see gguf_case.h. */
#include "harness/gguf_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "harness/words.h"

enum { BLOCK_NUMBERS = 128, BLOCK_BYTES = 18 };

/* 0 = all. */
static const uint64_t rows_most[LEVEL_COUNT] = {64, 512, 0};

static uint64_t rows_of(const struct gguf_tensor *t)
{
    return t->shape[1] * t->shape[2] * t->shape[3]; /* all numbers fit 63 bits: gguf.c checked */
}

static enum assay_status add_one(const struct gguf *gguf, size_t index, enum level level,
                                 struct corpus *corpus, struct assay_error *error)
{
    const struct gguf_tensor *t = &gguf->tensor[index];
    const uint64_t whole = rows_of(t), most = rows_most[level], rows = most && whole > most ? most : whole;
    const uint64_t at = (uint64_t)XXH3_64bits(t->name, strlen(t->name)) % (whole - rows + 1);
    char line[CASE_LINE_MAX], name[3 * GGUF_NAME_MAX + 1], window[96] = "", why[256];
    char quoted[WORDS_QUOTE_MAX];
    if (rows < whole)
        snprintf(window, sizeof window, "/of=%" PRIu64 "x1x%" PRIu64 ",at=%" PRIu64, whole, t->shape[0], at);
    snprintf(line, sizeof line, "q1_0/u8/m=%" PRIu64 ",n=1,k=%" PRIu64 "%s/fill=layer/seed=1/file=%s", rows,
             t->shape[0], window, case_file_escape(t->name, name, sizeof name));
    snprintf(why, sizeof why, "tensor %s", words_quote(quoted, t->name, strlen(t->name)));
    return corpus_add(corpus, line, level, why, gguf->path, (int)index + 1, error);
}

enum assay_status gguf_case_add(const struct gguf *gguf, enum level level, struct corpus *corpus,
                                struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    size_t added = 0;
    for (size_t i = 0; i < gguf->tensor_count && status == ASSAY_OK; i++) {
        const struct gguf_tensor *t = &gguf->tensor[i];
        if (t->type != GGUF_Q1_0 || t->bytes == 0) continue;
        status = add_one(gguf, i, level, corpus, error);
        added++;
    }
    if (status == ASSAY_OK && added == 0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "GGUF file %.300s has no Q1_0 tensor (type %d) among its %zu", gguf->path,
                               GGUF_Q1_0, gguf->tensor_count);
    return status;
}

enum assay_status gguf_case_tensor(const struct gguf *gguf, const struct case_spec *spec,
                                   struct assay_tensor *tensor, struct assay_error *error)
{
    struct op_signature sig = {0};
    char quoted[WORDS_QUOTE_MAX];
    words_quote(quoted, spec->file, strlen(spec->file));
    if (!gguf)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "the case takes tensor %s of a file: --gguf FILE says which", quoted);
    const struct gguf_tensor *t = gguf_find(gguf, spec->file);
    if (!t)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "GGUF file %.200s has no tensor %s", gguf->path,
                               quoted);
    if (t->type != GGUF_Q1_0)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "tensor %s of %.200s has type %u, not that of Q1_0, %d", quoted, gguf->path,
                               t->type, GGUF_Q1_0);
    enum assay_status status = spec->op.op->signature(&spec->op, &sig, error);
    if (status) return status;
    const int64_t m = spec->op.of[sig.input[0].axis_of[0]], k = spec->op.of[sig.input[0].axis_of[1]];
    if (rows_of(t) != (uint64_t)m || t->shape[0] != (uint64_t)k)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "tensor %s of %.200s is %" PRIu64 " rows of %" PRIu64
                               ", the case says %" PRId64 " of %" PRId64,
                               quoted, gguf->path, rows_of(t), t->shape[0], m, k);
    const int64_t shape[2] = {m, k / BLOCK_NUMBERS * BLOCK_BYTES};
    assay_tensor_dense(tensor, ASSAY_U8, 2, shape);
    tensor->bytes = t->bytes;
    tensor->data = (void *)(uintptr_t)(gguf->data + t->offset);
    return ASSAY_OK;
}

enum assay_status gguf_case_open(const char *path, const char *hash, struct gguf *gguf,
                                 struct assay_error *error)
{
    enum assay_status status = gguf_open(path, gguf, error);
    if (status == ASSAY_OK && hash && strcmp(hash, gguf->hash) != 0)
        return assay_error_set(
            error, ASSAY_INVALID_INPUT,
            "GGUF file %.200s has the hash %s, not %.32s: it is another file than the one meant", path,
            gguf->hash, hash);
    return status;
}
