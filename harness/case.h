/* A case is one line (docs/architecture.md, "A case is one line"):
 *
 *     matmul/f32/m=33,n=7,k=4096/fill=cancel/seed=1f
 *     matmul/f32/m=1,n=1,k=33/of=33x7x4096,at=4x1/fill=cancel/seed=1f        a window of the case above
 *
 * op / dtypes / axes / [of,at] / fill=NAME / seed=HEX [/ file=NAME] [/ ref=zero|nan|inf] [/ expect=VERDICT]
 * The same text stands in the corpus, on the command line, in the database and in the report. parse(print(c)) == c;
 * printing is canonical: axes in the definition's order, those at their standard value left out, seed in lower-case
 * hex without leading zeros. `onnx/NAME` cases (real input from others) are data on disk: op "onnx" has no axes.
 * file=NAME: the first input's bytes are those of a file's tensor (gguf_case.h); which file is no part of the line.
 * Bytes of the name other than letters, digits, _ . - are written %XX.
 * It knows operators' definitions and fills by name, nothing of devices. */
#ifndef ASSAY_CASE_H
#define ASSAY_CASE_H

#include "oracles/oracle.h"

#define CASE_LINE_MAX 512
#define CASE_FILE_MAX 64 /* bytes of file=, unescaped */

struct case_spec {
    struct op_case op;
    const char *fill; /* a name of fill.h's table */
    uint64_t seed;
    const char *dead;             /* declared dead reference: "zero", "nan", "inf" or NULL */
    enum verdict expect;          /* VERDICT_NONE = nothing declared */
    bool window;                  /* has of/at */
    char file[CASE_FILE_MAX + 1]; /* name of the tensor, unescaped; "" = none */
};

/* The error says which part is wrong, what it was and what is allowed there. */
enum assay_status case_parse(const char *line, struct case_spec *spec, struct assay_error *error);
/* Writes at most CASE_LINE_MAX bytes with the terminator; returns text. */
char *case_print(const struct case_spec *spec, char text[CASE_LINE_MAX]);
/* A name as file= writes it, cut to `bytes` with the terminator; returns text. */
char *case_file_escape(const char *name, char *text, size_t bytes);
/* Glob over whole case lines: * and ? (also across /), everything else literal. */
bool case_match(const char *pattern, const char *line);

#endif
