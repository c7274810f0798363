/* What the right answer is: operator definitions, and the oracles that judge against them.
 *
 * Oracles see plain host tensors. They include no device, no kernel, no adapter and no database, and share no code
 * with the kernels that they judge. Everything here is deterministic: thread count changes no bit. */
#ifndef ASSAY_ORACLE_H
#define ASSAY_ORACLE_H

#include "devices/types.h"

#define OP_AXES_MAX    20
#define OP_TENSORS_MAX 8
#define OP_DTYPES_MAX  4

/* An axis of an operator's cases: m, n, k, batch, padding of a leading stride, and so on. */
struct op_axis {
    const char *name;
    int64_t least, most,
        standard;             /* standard: the value when a case line leaves it out; least - 1 = required */
    const char *const *words; /* NULL, or NULL-terminated names of the values least, least + 1, ... ("ab") */
    const int64_t *edges;     /* values worth testing, edge_count of them */
    size_t edge_count;
    const char *what; /* one line for help and error texts */
};

struct op;

/* A case as the oracles see it: the operator, its dtypes and its axis values, and where it lies in the case that it
 * was cut from (of, at): `at[d]` is added to an index along axis d, of[d] is the parent's length. Not a window:
 * of[d] == axis[d], at[d] == 0. */
struct op_case {
    const struct op *op;
    enum assay_dtype dtype[OP_DTYPES_MAX];
    size_t dtype_count;
    int64_t axis[OP_AXES_MAX];
    int64_t of[OP_AXES_MAX], at[OP_AXES_MAX];
};

/* One operand as the definition lays it out. tensor has shape, strides, offset and bytes; data is NULL. */
struct op_operand {
    const char *name; /* "A", "B", "Y" */
    struct assay_tensor tensor;
    int axis_of[ASSAY_RANK_MAX]; /* which axis the dimension runs along, -1 = none (it cannot be windowed) */
    int reduced;                 /* dimension that is summed over, -1 = none (fills such as cancel need it) */
    /* NULL, or the blocks whose bytes the last dimension holds, "q1_0" (18 bytes for 128 numbers) or "q8_0" (34 for 32).
     * Axis lengths along that dimension then count numbers, and windows start and end with a block. */
    const char *block;
};

struct op_signature {
    const char *onnx; /* "MatMul" */
    struct assay_attr attr[8];
    size_t attr_count;
    struct op_operand input[OP_TENSORS_MAX];
    size_t input_count;
    struct op_operand output[OP_TENSORS_MAX];
    size_t output_count;
    bool item_wise; /* item 0 of a batch does not depend on the others (row O12) */
};

/* A definition (oracles/<op>/). Rows are the units by which oracles split and sample an output: row r is a set of
 * output elements that can be computed alone, numbered 0 .. rows - 1. For matmul: one row of Y, batches in order. */
struct op {
    const char *name; /* "matmul": first word of a case line */
    const char *onnx; /* "MatMul" */
    const char *what; /* one line */
    const struct op_axis *axes;
    size_t axis_count;
    const char *const *dtype_sets; /* NULL-terminated: "f32", "f16", "u8.i8" ... */
    uint32_t contract_version;     /* raised when contract.c's bits change */
    /* Lay out a case. Fails with ASSAY_INVALID_INPUT for axes that do not fit together. */
    enum assay_status (*signature)(const struct op_case *c, struct op_signature *sig,
                                   struct assay_error *error);
    double (*flops)(const struct op_case *c);
    int64_t (*rows)(const struct op_case *c);
    /* Elements of output 0 that make up row `row`: consecutive flat row-major numbers of the dense output from *first
     * on; returns how many. */
    int64_t (*row_elems)(const struct op_case *c, int64_t row, int64_t *first);
    /* The bits of exact mode for rows [row0, row1) (64 or more at a time are fastest), written into out[] as the tensors lay them out. */
    void (*contract)(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                     int64_t row0, int64_t row1);
    /* NULL where no float64 value makes sense: outputs that are codes, compared bit for bit and no further.
     * Float64 value of output 0 and a bound on its own error, for rows [row0, row1): dense, value[0] is the first
     * element of row0. bound may be NULL. magnitude (may be NULL) gets sum |a_i b_i|, for relative error bounds.
     * exact: use the exact accumulator (cancel and wide fills), not dgemm. */
    enum assay_status (*f64)(const struct op_case *c, const struct assay_tensor *in, bool exact,
                             double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                             struct assay_error *error);
    /* Proven bound on |exact mode's result - real value| for an element with this sum of magnitudes (rule 2 has
     * 32 + 3 + ceil(K/128) - 1 roundings at most). NULL without f64. */
    double (*contract_bound)(const struct op_case *c, double magnitude);
    /* See op_case_from_node. Tensors have been checked. */
    enum assay_status (*from_node)(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error);
};

extern const struct op *const assay_ops[]; /* ops.def, NULL-terminated */
const struct op *op_find(const char *name);
/* Does every axis of the case lie within its definition's bounds? For signature functions. */
enum assay_status op_axes_check(const struct op_case *c, struct assay_error *error);
#define OP_ELEMS_MOST (INT64_C(1) << 36) /* of an operand */
/* A matrix by rows, each `pad` elements longer than it needs to be: an operand with no reduced dimension and no blocks,
 * whose dimensions are these axes of the operator (-1 = none). For signature functions. */
struct op_matrix {
    const char *name;
    enum assay_dtype dtype;
    int64_t rows, cols, pad, offset;
    int row_axis, col_axis;
};
enum assay_status op_matrix_lay_out(const struct op_case *c, const struct op_matrix *matrix,
                                    struct op_operand *operand, struct assay_error *error);
const struct op *op_find_onnx(const char *name);

/* The case that a node of somebody else's graph is, so that contract, f64, comparing and measuring take its tensors as
 * they are: leading dimensions may be several, broadcast or absent, and become one batch (row numbers count through
 * them in order). `out` is the output as it is to be: dtype and shape are checked against the inputs. Such a case
 * need not be one that a case line can lay out. ASSAY_UNSUPPORTED: no definition here takes this operator, dtype or
 * attribute; ASSAY_INVALID_INPUT: shapes that do not fit together. */
enum assay_status op_case_from_node(const char *onnx, const struct assay_attr *attr, size_t attr_count,
                                    const struct assay_tensor *in, size_t in_count,
                                    const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                    struct assay_error *error);

/* ---- pool.c: a thread pool for oracles, fills and judging ---- */
struct oracle_pool;
/* threads 0 = one a processor that this process may run on. NULL when threads cannot be made. */
struct oracle_pool *oracle_pool_new(unsigned threads);
void oracle_pool_free(struct oracle_pool *pool); /* accepts NULL */
unsigned oracle_pool_threads(const struct oracle_pool *pool);
/* Call work(context, i0, i1) over disjoint ranges that cover [0, count), `grain` at a time, and return when all are
 * done. pool NULL runs in the caller. */
void oracle_pool_for(struct oracle_pool *pool, int64_t count, int64_t grain,
                     void (*work)(void *context, int64_t i0, int64_t i1), void *context);

/* ---- judging ---- */

enum verdict { /* stored in databases: never renumber, only append */
               VERDICT_NONE,
               VERDICT_PASS,
               VERDICT_DIFF,
               VERDICT_NONDET,
               VERDICT_GUARD,
               VERDICT_CRASH,
               VERDICT_HANG,
               VERDICT_DEADREF,
               VERDICT_REFLIMITED,
               VERDICT_UNPROVEN,
               VERDICT_SKIP,
               VERDICT_ERROR,
               VERDICT_COUNT
};
enum rung { RUNG_NONE, RUNG_BOUND, RUNG_MODEL, RUNG_EXACT };
const char *verdict_name(enum verdict verdict);
const char *rung_name(enum rung rung);
enum verdict verdict_parse(const char *name); /* VERDICT_NONE if unknown */

/* Distance of two outputs, element by element. Bits are compared with NaN canonicalised, -0 apart from +0. Doubles
 * here may be NaN (a NaN on one side only) and infinite: they are recorded as such, never as 0. */
struct comparison {
    int64_t elems, differing;
    int64_t first;                /* flat dense index of the first differing element, -1 = none */
    uint64_t got_bits, want_bits; /* there */
    uint64_t or_xor;              /* OR of the xor of all differing pairs */
    double max_ulp;               /* largest distance in ulp of the output format; NaN if NaN-ness differs */
};
/* want and got have the same dtype and shape, else ASSAY_INVALID_INPUT (shapes are compared before any value). rows
 * NULL compares all, else only the `row_count` listed rows of c. */
enum assay_status oracle_compare(const struct op_case *c, const struct assay_tensor *want,
                                 const struct assay_tensor *got, const int64_t *rows, int64_t row_count,
                                 struct oracle_pool *pool, struct comparison *result,
                                 struct assay_error *error);
/* The quick question before that one: are dtype, shape and the bits in memory the same, NaN included? False does not
 * mean that they differ for oracle_compare. Rows as there; they must be rows of c. */
bool oracle_same_bits(const struct op_case *c, const struct assay_tensor *want,
                      const struct assay_tensor *got, const int64_t *rows, int64_t row_count,
                      struct oracle_pool *pool);
/* Distance of got from float64 values (dense, rows [row0, row1) of c). */
struct accuracy {
    int64_t elems;
    double scaled;      /* max |got - value| / max |value| (row O07); 0/0 is 0, x/0 infinite */
    double rms;         /* sqrt(mean squared error / mean squared value) */
    double max_ulp;     /* in ulp of the output format at the value */
    double worst_bound; /* max |got - value| / bound: above 1 breaks the proof */
    /* What those are made of, so that parts can be joined. Values that are not finite are no part of a scale. */
    double max_error, max_value, sum_error2, sum_value2;
};
void oracle_accuracy(const struct op_case *c, const struct assay_tensor *got, const double *value,
                     const double *bound, int64_t row0, int64_t row1, struct accuracy *result);
/* Add a part to a total that starts as {0}. Join in a fixed order: rms is a sum of doubles. */
void oracle_accuracy_join(struct accuracy *total, const struct accuracy *part);

/* All zero, all NaN or all infinite (row O19)? "zero", "nan", "inf", or NULL for a living reference. */
const char *oracle_dead(const struct assay_tensor *reference);

/* Canonical digest (XXH3, 128 bits) of a tensor's elements in row-major order, little-endian, NaN canonicalised;
 * strides and padding do not count. Writes 33 bytes. */
void oracle_digest(const struct assay_tensor *tensor, char text[33]);

/* Is float64 sound on this machine? Runs dgemm on exact integer matrices of several sizes against integers. */
enum assay_status oracle_f64_selftest(struct assay_error *error);
/* What makes float64 products here: "OpenBLAS dgemm (...)", or "built-in: " and why dgemm is not used. */
const char *oracle_f64_name(void);

/* Rows to judge when an output has too many: every row if rows * cost fits, else a seeded sample that always holds
 * the first and the last row. Returns how many, ascending, in malloc'ed *list (NULL = all). */
int64_t oracle_sample_rows(const struct op_case *c, double flops_allowed, uint64_t seed, int64_t **list);

/* ---- oracles.def: the oracles by name ---- */
struct oracle {
    const char *name; /* "contract", "f64", "repeat", "golden", "published" */
    const char *kind; /* "exact", "reference", "relation" */
    bool independent; /* of our own kernels and definitions (row O04) */
    const char *what;
    uint32_t version;
};
extern const struct oracle oracle_table[];
extern const size_t oracle_table_count;
/* The version of an oracle of the table; 0 for a name that is not there. The contract's is the operator's own. */
uint32_t oracle_version(const char *name);

/* ---- golden.c: stored digests, corpus/golden.txt: "<digest> <case line>" a line ---- */
struct golden;
enum assay_status golden_load(const char *path, struct golden **golden, struct assay_error *error);
enum assay_status golden_parse(const char *text, size_t bytes, const char *name, struct golden **golden,
                               struct assay_error *error);
const char *golden_find(const struct golden *golden, const char *case_line); /* 32 hex digits or NULL */
void golden_free(struct golden *golden);

#endif
