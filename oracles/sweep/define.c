/* The checks of a whole card: which cases exist, how their tensors lie, what a row is. Values: contract.c.
 *
 * `piece` is for whoever copies: X and Y go over in pieces of 1, 3, 5, 9, 17, ... bytes, up to `piece`, and again from 1, so
 * that one case has many sizes at many offsets. It changes no value. */
#include "oracles/sweep/sweep.h"

static const int64_t unit_edges[] = {1, 2, 7, 32, 132}, round_edges[] = {1, 2, 32, 1000};
static const int64_t slot_edges[] = {1, 2, 3, 8}, kib_edges[] = {4, 8, 12, 64, 1028, 8192};
static const int64_t length_edges[] = {1, 2, 1023, 4095, 4096, 4097, 100000};
static const int64_t piece_edges[] = {0, 1, 17, 4097};
static const char *const patterns[] = {"address", "walk", NULL};

#define EDGES(table) table, sizeof(table) / sizeof(table[0])

static const struct op_axis unit_axes[UNITS_AXES] = {
    [UNITS_UNITS] = {"units", 1, 1 << 16, 0, NULL, EDGES(unit_edges), "compute units of the device"},
    [UNITS_ROUNDS] = {"rounds", 1, 60000, 32, NULL, EDGES(round_edges), "multiply-adds of each chain"},
};
static const struct op_axis memory_axes[MEMORY_AXES] = {
    [MEMORY_SLOTS] = {"slots", 1, 1 << 20, 0, NULL, EDGES(slot_edges), "pieces of memory with a row each"},
    [MEMORY_KIB] = {"kib", 4, 1 << 21, 1024, NULL, EDGES(kib_edges), "KiB of a slot"},
    [MEMORY_PATTERN] = {"pattern", 0, 1, 0, patterns, NULL, 0, "what a word holds"},
};
static const struct op_axis transfer_axes[TRANSFER_AXES] = {
    [TRANSFER_N] = {"n", 1, 1 << 28, 0, NULL, EDGES(length_edges), "words that go over"},
    [TRANSFER_PIECE] = {"piece", 0, INT64_C(1) << 31, 0, NULL, EDGES(piece_edges),
                        "bytes of the longest copy, 0 = all at once"},
};

static const char *const dtype_sets[] = {"f32", NULL};

/* A dense tensor that no window cuts. */
static enum assay_status lay_out(const struct op_case *c, struct op_operand *operand, const char *name,
                                 enum assay_dtype dtype, int64_t rows, int64_t cols,
                                 struct assay_error *error)
{
    const struct op_matrix matrix = {name, dtype, rows, cols ? cols : 1, 0, 0, -1, -1};
    enum assay_status status = op_matrix_lay_out(c, &matrix, operand, error);
    if (!cols) {
        operand->tensor.rank = 1;
        operand->axis_of[1] = -1;
    }
    return status;
}

static enum assay_status begin(const struct op_case *c, const char *onnx, struct op_signature *sig,
                               struct assay_error *error)
{
    *sig = (struct op_signature){.onnx = onnx, .input_count = 1, .output_count = 1};
    if (c->dtype_count != 1 || c->dtype[0] != ASSAY_F32)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: dtypes must be f32", c->op->name);
    enum assay_status status = op_axes_check(c, error);
    return status ? status : lay_out(c, &sig->input[0], "K", ASSAY_F32, 2, 0, error);
}

static void add_attr(struct op_signature *sig, const char *name, int64_t value)
{
    sig->attr[sig->attr_count++] = (struct assay_attr){.name = name, .kind = ASSAY_ATTR_INT, .i = value};
}

static enum assay_status units_signature(const struct op_case *c, struct op_signature *sig,
                                         struct assay_error *error)
{
    enum assay_status status = begin(c, "SweepUnits", sig, error);
    add_attr(sig, "rounds", c->axis[UNITS_ROUNDS]);
    return status
               ? status
               : lay_out(c, &sig->output[0], "Y", ASSAY_I32, c->axis[UNITS_UNITS], SWEEP_UNIT_COLUMNS, error);
}

static enum assay_status memory_signature(const struct op_case *c, struct op_signature *sig,
                                          struct assay_error *error)
{
    enum assay_status status = begin(c, "SweepMemory", sig, error);
    if (!status && c->axis[MEMORY_KIB] % 4)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "memory: kib is %lld, which is no multiple of 4",
                               (long long)c->axis[MEMORY_KIB]);
    add_attr(sig, "kib", c->axis[MEMORY_KIB]);
    add_attr(sig, "pattern", c->axis[MEMORY_PATTERN]);
    return status ? status
                  : lay_out(c, &sig->output[0], "Y", ASSAY_I32, c->axis[MEMORY_SLOTS], SWEEP_MEMORY_COLUMNS,
                            error);
}

static int64_t chunks_of(const struct op_case *c)
{
    return (c->axis[TRANSFER_N] + SWEEP_CHUNK_WORDS - 1) / SWEEP_CHUNK_WORDS;
}

static enum assay_status upload_signature(const struct op_case *c, struct op_signature *sig,
                                          struct assay_error *error)
{
    enum assay_status status = begin(c, "SweepUpload", sig, error);
    add_attr(sig, "piece", c->axis[TRANSFER_PIECE]);
    if (!status) status = lay_out(c, &sig->input[0], "X", ASSAY_F32, c->axis[TRANSFER_N], 0, error);
    return status ? status
                  : lay_out(c, &sig->output[0], "Y", ASSAY_I32, chunks_of(c), SWEEP_CHUNK_COLUMNS, error);
}

static enum assay_status download_signature(const struct op_case *c, struct op_signature *sig,
                                            struct assay_error *error)
{
    enum assay_status status = begin(c, "SweepDownload", sig, error);
    add_attr(sig, "piece", c->axis[TRANSFER_PIECE]);
    return status ? status : lay_out(c, &sig->output[0], "Y", ASSAY_I32, c->axis[TRANSFER_N], 0, error);
}

/* ---- work and rows ---- */

static double units_flops(const struct op_case *c)
{
    return 256.0 * 2.0 * (double)c->axis[UNITS_ROUNDS];
}

/* What predicting costs: a row is a few formulas. */
static double memory_flops(const struct op_case *c)
{
    return 200.0 * (double)c->axis[MEMORY_SLOTS];
}

static double transfer_flops(const struct op_case *c)
{
    return (double)c->axis[TRANSFER_N];
}

static int64_t first_axis_rows(const struct op_case *c)
{
    return c->axis[0];
}

/* A row of a download is a chunk too. */
static int64_t download_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    const int64_t left = c->axis[TRANSFER_N] - row * SWEEP_CHUNK_WORDS;
    *first = row * SWEEP_CHUNK_WORDS;
    return left < SWEEP_CHUNK_WORDS ? left : SWEEP_CHUNK_WORDS;
}

static int64_t units_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    (void)c;
    *first = row * SWEEP_UNIT_COLUMNS;
    return SWEEP_UNIT_COLUMNS;
}

static int64_t memory_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    (void)c;
    *first = row * SWEEP_MEMORY_COLUMNS;
    return SWEEP_MEMORY_COLUMNS;
}

static int64_t upload_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    (void)c;
    *first = row * SWEEP_CHUNK_COLUMNS;
    return SWEEP_CHUNK_COLUMNS;
}

/* No graph has these operators. */
static enum assay_status from_node(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error)
{
    (void)attr, (void)attr_count, (void)in, (void)in_count, (void)out, (void)out_count;
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s checks a card and is no part of a graph",
                           c->op->onnx);
}

#define SWEEP(name_, onnx_, what_, axes_, flops_, rows_)                                                     \
    const struct op op_##name_ = {                                                                           \
        .name = #name_,                                                                                      \
        .onnx = onnx_,                                                                                       \
        .what = what_,                                                                                       \
        .axes = axes_,                                                                                       \
        .axis_count = sizeof(axes_) / sizeof(axes_[0]),                                                      \
        .dtype_sets = dtype_sets,                                                                            \
        .contract_version = 1,                                                                               \
        .signature = name_##_signature,                                                                      \
        .flops = flops_,                                                                                     \
        .rows = rows_,                                                                                       \
        .row_elems = name_##_elems,                                                                          \
        .contract = name_##_contract,                                                                        \
        .from_node = from_node,                                                                              \
    }

SWEEP(units, "SweepUnits", "the same exact work on every compute unit", unit_axes, units_flops,
      first_axis_rows);
SWEEP(memory, "SweepMemory", "device memory written and read back, pattern and complement", memory_axes,
      memory_flops, first_axis_rows);
SWEEP(upload, "SweepUpload", "host to device, summed by the device", transfer_axes, transfer_flops,
      chunks_of);
SWEEP(download, "SweepDownload", "device to host, made by the device", transfer_axes, transfer_flops,
      chunks_of);
