/* Options of every verb, as a table: parsing, help, shell completions and docs/cli.md come from it. ASSAY_* environment
 * words are read by main.c alone and become options (an option on the command line wins). */
#ifndef ASSAY_OPTIONS_H
#define ASSAY_OPTIONS_H

#include "harness/adapter.h"
#include "harness/corpus.h"
#include "reports/export.h"
#include "reports/report.h"

#define OPTIONS_LIST_MAX      64
#define OPTIONS_ARGUMENTS_MAX 4096
#define OPTIONS_ROWS_MAX      128
#define OPTIONS_SHARDS_MAX    65536

struct options {
    const char *verb;
    const char *program; /* argv[0] as given, for messages and reproduction lines */
    char command[1024];  /* the whole command line, for the record */
    const char *arg[OPTIONS_ARGUMENTS_MAX];
    size_t arg_count;
    const char *device[OPTIONS_LIST_MAX];
    size_t device_count;
    enum level level;
    const char *db;                   /* default "assay.db" */
    const char *out;                  /* --out DIR */
    const char *corpus;               /* --corpus FILE */
    const char *engine, *engine_args; /* --engine FILE.so */
    const char *gguf;                 /* --gguf FILE */
    const char *gguf_hash;            /* --gguf-hash HEX */
    const char *kernel;               /* --kernel GLOB: only these kernels */
    const char *variant;              /* --fma NAME: force a fused multiply-add variant */
    const char *vulkan_lib, *cuda_lib;
    const char *onnx_data; /* --onnx-data DIR; default /usr/share/libonnx-testdata/data */
    const char *lock_dir;
    const char *sysfs_root; /* --sysfs-root DIR */
    const char *rented;     /* --rented FILE|URL */
    const char *trust_dir;  /* --trust-dir DIR; main.c resolves the default, NULL = no records are kept */
    const char *trusted;    /* --trusted D: verify only answers */
    const char *label;      /* --label TEXT */
    bool resume;            /* --resume: arg[0], if any, is the run to go on with */
    uint32_t shard, shards; /* --shard I/N; 0 = the whole plan */
    bool gpu_given;         /* --gpu: of the cards, only these are used without being named */
    uint32_t gpu[OPTIONS_LIST_MAX];
    size_t gpu_count;
    uint64_t max_binding_bytes;
    uint64_t seed; /* --seed HEX: replaces the corpus' seeds when given */
    bool seed_given;
    uint32_t threads;   /* judging and CPU kernels; 0 = all */
    uint32_t samples;   /* timed repeats a case; default 5 */
    uint32_t timeout_s; /* per case; default 60 */
    /* bench */
    uint32_t invocations; /* processes a cell is timed in; 0 = 5, or 4 rounds of --ab */
    uint32_t seconds;     /* --seconds: what all timing may take; 0 = no limit */
    const char *lane;     /* "cold", "hot", "both" */
    const char *ab[2];    /* --ab A B; NULL = none */
    /* report */
    const char *plots; /* --plots: one of report_plot_names */
    /* db */
    const char *to; /* --to FILE: of an export */
    uint32_t days;  /* --days N; UINT32_MAX = not given */
    bool format[EXPORT_FORMATS];
    bool dry_run;
    /* compare, history */
    const char *markdown;  /* --markdown FILE */
    const char *delta;     /* --delta PERCENT, as given; NULL = 1 */
    const char *remeasure; /* --remeasure PROGRAM */
    bool allow_software, all, json, quiet, help, ops, vulkan_staging, no_cpu_simd;
    char device_words[1024]; /* what device[] points into */
    size_t device_words_used;
    bool device_from_word;        /* device[] came from ASSAY_DEVICE */
    bool given[OPTIONS_ROWS_MAX]; /* by row of the options' table: stood on the command line itself */
};

/* Fill *options from the environment words and the command line. `word` looks a word up (main.c hands in getenv; NULL =
 * no environment), empty counts as unset. Errors name the word or option, what it was and what is allowed. */
enum assay_status options_parse(int argc, char **argv, char *(*word)(const char *name),
                                struct options *options, struct assay_error *error);
/* Help of a verb, or of the program when verb is NULL or unknown. Malloc'ed; NULL when out of memory. */
char *options_help(const char *verb);
/* docs/cli.md, and a completion script for bash. Malloc'ed. */
char *options_markdown(void);
char *options_completion(void);
/* Adapter options out of program options. */
void options_adapter(const struct options *options, struct adapter_options *adapter);

/* Exit codes. The first that applies wins: 2, 1, 3, 0. */
enum { EXIT_PASS = 0, EXIT_ERROR = 1, EXIT_FAILED = 2, EXIT_NOTHING = 3 };

/* verb.c: how verbs end. Print an error; its exit code: a device that is not there is "nothing was judged". */
int verb_fail(const struct assay_error *error);
/* The exit code when all text is out; lost text is EXIT_ERROR, or stays EXIT_FAILED. */
int verb_finish(int exit_code);
/* Make the folder of a report, unless it is there. */
enum assay_status verb_folder(const char *folder, struct assay_error *error);

/* Verbs: each returns an exit code, and prints its own errors as `assay: TEXT` on standard error. verb_run serves run, verify and replay. */
int verb_devices(const struct options *options);
int verb_probe(const struct options *options);
int verb_list(const struct options *options);
int verb_run(const struct options *options);
int verb_bench(const struct options *options);
int verb_passport(const struct options *options);
int verb_report(const struct options *options);
int verb_db(const struct options *options);
int verb_compare(const struct options *options);
int verb_history(const struct options *options);
int verb_exhaust(const struct options *options);
int verb_dashboard(const struct options *options);
int verb_selftest(const struct options *options);
int verb_worker(
    const struct options *options); /* hidden: started by exec, speaks assay.proto on a descriptor */

#endif
