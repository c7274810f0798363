/* The tables that options.c parses by and options_text.c prints; nobody else includes this. */
#ifndef ASSAY_OPTIONS_TABLE_H
#define ASSAY_OPTIONS_TABLE_H

#include "harness/options.h"

struct option_verb {
    const char *name;
    unsigned bit; /* of option_row.verbs */
    const char *arguments;
    size_t least, most; /* number of arguments */
    bool hidden;
    const char *what;
    const char *more; /* further sentences */
    const char *examples[4];
};
extern const struct option_verb option_verbs[];
extern const size_t option_verb_count;
/* The bits of two verbs whose arguments a completion knows. */
extern const unsigned option_bit_completion, option_bit_help;

enum option_kind {
    OPTION_SWITCH,
    OPTION_TEXT,
    OPTION_DEVICES,
    OPTION_LEVEL,
    OPTION_NUMBER,
    OPTION_BYTES,
    OPTION_SEED,
    OPTION_FMA,
    OPTION_GPU,
    OPTION_LANE,
    OPTION_PLOTS,
    OPTION_PAIR, /* two words; the field is const char *[2] */
    OPTION_SHARD,
    OPTION_LABEL,
};

struct option_row {
    const char *name, *value; /* "--level", "LEVEL"; value NULL for a switch */
    const char *word;         /* of the environment, NULL = none */
    unsigned verbs;
    enum option_kind kind;
    size_t offset;        /* in struct options */
    uint32_t least, most; /* OPTION_NUMBER */
    const char *what;
};
extern const struct option_row option_rows[];
extern const size_t option_row_count;
extern const char *const option_fma_names[]; /* NULL-terminated */

#endif
