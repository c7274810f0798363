/* Judging: what a case's memory looks like before an engine gets it, and the verdict on what came back.
 *
 * Prepared once a case: inputs filled, the contract's bits and float64 values computed, the reference itself checked.
 * Then each device and kernel runs the case twice, over two different poisons, and is judged on both. It knows oracles
 * and tensors in host memory; no device, no worker, no database. */
#ifndef ASSAY_JUDGE_H
#define ASSAY_JUDGE_H

#include "harness/adapter.h"
#include "harness/case.h"
#include "harness/fill.h"

#define JUDGE_GUARD_BYTES 4096 /* before and after every tensor; one row of the tensor where that is longer */

/* Where a case comes from. data NULL: inputs are filled as the spec says. */
struct judge_source {
    const char *line; /* as printed and stored */
    const struct op_signature
        *sig; /* of a node of somebody else's; NULL = the definition lays the case out */
    struct case_spec spec;
    const struct assay_tensor *data;      /* inputs from a file, in the order of the signature, dense */
    const struct assay_tensor *published; /* output from a file, dense; NULL = none */
    const struct assay_tensor *captured;  /* the parent case's first input, from a file; NULL = filled too */
    const char *golden;                   /* stored digest, NULL = none */
    double flops_allowed;                 /* work of the contract; beyond it rows are sampled. 0 = no limit */
};

struct judge_memory {
    struct assay_tensor tensor; /* offset and bytes include the guards; data NULL */
    uint64_t arena_bytes;       /* where its memory starts in the arena */
    uint8_t *in_view;           /* a byte an element of the memory: 1 = belongs to the view; NULL = dense */
};

/* A prepared case. */
struct judge_case {
    struct judge_source source;
    struct op_signature sig;
    struct judge_memory input[OP_TENSORS_MAX], output[OP_TENSORS_MAX];
    uint64_t arena_bytes;
    uint8_t *image; /* the arena with the inputs in place */
    struct assay_tensor
        want[OP_TENSORS_MAX]; /* the contract's output; rows that were not computed are zero */
    int64_t *rows, row_count; /* the rows computed; rows NULL = all */
    int64_t elems, judged;    /* of output 0 */
    struct accuracy accuracy; /* of the contract's output against float64 values */
    bool has_accuracy;        /* the operator has float64 values */
    const char *dead;         /* "zero", "nan", "inf", NULL */
    char digest[33];          /* of the contract's output; "" when rows are sampled */
    enum verdict refused;     /* VERDICT_ERROR: the reference is not to be trusted, why says so */
    char why[400];
    struct oracle_pool *pool; /* outlives the case */
    uint64_t serial;          /* no other case of this process has it */
};

/* Returns an error only for what no case could be judged after (memory, a bad signature). */
enum assay_status judge_prepare(const struct judge_source *source, struct oracle_pool *pool,
                                struct judge_case **out, struct assay_error *error);
void judge_case_free(struct judge_case *c); /* accepts NULL */

/* Node of the case over an arena of c->arena_bytes; tensors[] holds 2 * OP_TENSORS_MAX. */
void judge_node(const struct judge_case *c, uint8_t *arena, struct assay_tensor *tensors,
                struct adapter_node *node);
/* Fill an arena: inputs, guards, and poison number 0 or 1 all over the outputs. */
void judge_stage(const struct judge_case *c, int poison, uint8_t *arena);
/* The outputs alone: for an arena whose inputs judge_collect found as they were staged. */
void judge_poison_outputs(const struct judge_case *c, int poison, uint8_t *arena);

/* Two runs of one kernel. Starts as {0}. */
struct judge_trial {
    uint8_t *output[2][OP_TENSORS_MAX]; /* copies of the outputs' memory; NULL = that run brought none */
    char complaint[2][300];             /* stray write or changed input after that run; "" = none */
    uint8_t *spare[2][OP_TENSORS_MAX];  /* memory for such copies, spare_bytes long */
    uint64_t spare_bytes[2][OP_TENSORS_MAX];
};
/* Look at guards, gaps and inputs after run number `poison`, and keep the outputs. */
enum assay_status judge_collect(const struct judge_case *c, int poison, const uint8_t *arena,
                                struct judge_trial *trial, struct assay_error *error);
void judge_trial_free(struct judge_trial *trial);
/* Ready for the next case, its memory kept. */
void judge_trial_reset(struct judge_trial *trial);

struct judgement {
    enum verdict verdict;
    enum rung rung;
    const char *oracle; /* name of oracle_table, "" when none judged */
    uint32_t oracle_version;
    int64_t elems, judged, differing;
    int64_t first; /* flat index of the first differing element, -1 = none */
    char first_index[96], got[20], want[20];
    uint64_t got_bits, want_bits, or_xor;
    bool has_ulp, has_f64, has_published;
    double max_ulp, scaled_f64, rms_f64, ulp_f64, bound_f64, published_scaled;
    int64_t published_differing;
    char digest[33];
    char reason[512];
};

/* The verdict on both runs. rest (may be NULL) is a whole output that was judged before, laid out like output 0: it
 * judges what the sampled rows leave out. kernel_hash of a check-only build ("clang-...") makes it UNPROVEN. */
void judge_decide(const struct judge_case *c, const struct judge_trial *trial, const char *mode,
                  const char *kernel_hash, const struct assay_tensor *rest, const char *rest_name,
                  struct oracle_pool *pool, struct judgement *judgement);
/* Output 0 of run 1 as a tensor over the trial's copy. */
struct assay_tensor judge_output(const struct judge_case *c, const struct judge_trial *trial);

/* ---- what verdicts mean together ---- */

struct judge_tally {
    int64_t count[VERDICT_COUNT];
    int64_t passed, failed, errors, not_judged, unexpected_pass;
};
void judge_tally_add(struct judge_tally *tally, enum verdict verdict, enum verdict expected);
/* Exit code (options.h): 2, 1, 3, 0, the first that applies; the reason in words. missing: planned rows
 * without a result. */
int judge_exit(const struct judge_tally *tally, int64_t planned, int64_t missing, char reason[256]);

/* ---- helpers ---- */
/* Distance of an output from the float64 values of the judged rows, which are computed anew. */
enum assay_status judge_measure(const struct judge_case *c, const struct assay_tensor *got,
                                struct accuracy *accuracy, struct assay_error *error);
uint64_t judge_poison(enum assay_dtype dtype, int poison);
/* "[4,1]" of a flat index. */
void judge_index_text(const struct assay_tensor *tensor, int64_t flat, char *text, size_t bytes);
/* Elements from the tensor's offset of the flat index. */
int64_t judge_element(const struct assay_tensor *tensor, int64_t flat);

#endif
