/* The corpus: .cases files, one case a line, `# why` comments, embedded in the program and readable from a file.
 *
 *     # level: quick                     applies to the lines below (quick, standard, full; each holds the ones before)
 *     # BERT-base: query, key, value     why the case lines that follow exist
 *     matmul/f32/m=128,n=768,k=768/fill=normal/seed=1
 *     matmul/f32/m=33,n={1,7,31},k=129/fill={normal,cancel}/seed=1       braces expand to every combination
 *     onnx/test_matmul_2d                a node test of libonnx-testdata
 *
 * A bad line is an error that names file:line. */
#ifndef ASSAY_CORPUS_H
#define ASSAY_CORPUS_H

#include "harness/case.h"

enum level { LEVEL_QUICK, LEVEL_STANDARD, LEVEL_FULL, LEVEL_COUNT };
const char *level_name(enum level level);
enum level level_parse(const char *name); /* LEVEL_COUNT if unknown */

struct corpus_entry {
    char *line;            /* canonical case line, or "onnx/NAME" */
    struct case_spec spec; /* zero for onnx entries */
    bool onnx;
    /* Operator and output type of an onnx entry, once its file was looked at (node_test_op); "" = unknown. */
    char onnx_op[32], onnx_dtype[8];
    enum level level;
    const char *why; /* the comment above it */
    const char *file;
    int file_line;
};

struct corpus {
    struct corpus_entry *entry;
    size_t count;
    void *memory; /* strings */
};

/* The embedded corpus (file NULL) or a file; appends. Duplicate lines are an error. */
enum assay_status corpus_load(struct corpus *corpus, const char *file, struct assay_error *error);
/* The embedded corpus of bench, corpus/bench.cases, which is no part of the other. */
enum assay_status corpus_load_bench(struct corpus *corpus, struct assay_error *error);
/* Append one line, with its reason and where it comes from. */
enum assay_status corpus_add(struct corpus *corpus, const char *line, enum level level, const char *why,
                             const char *file, int file_line, struct assay_error *error);
/* Append the lines that a person wrote: globs select among what is loaded; a full case line that is not there is
 * added. `patterns` empty keeps everything up to `level`. */
enum assay_status corpus_select(struct corpus *corpus, const char *const *patterns, size_t pattern_count,
                                enum level level, struct assay_error *error);
/* XXH3 of all lines, in order, 16 hex digits. */
void corpus_hash(const struct corpus *corpus, char text[17]);
void corpus_free(struct corpus *corpus);

#endif
