/* Quantizing vectors of activations to ggml's Q8_0: which cases exist, how their tensors lie, and what a row is.
 *
 *     Q8_0Quantize: X f32 [n, k]; Y u8 [n, k / 32 * 34], rows of q8_0 blocks
 *
 * It says nothing of values: contract.c has the bytes of exact mode. There is no float64 value: the output is codes. */
#include "oracles/q8_0/q8_0.h"

#define LENGTH_MOST (INT64_C(1) << 24)

static const int64_t row_edges[] = {0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 65};
static const int64_t depth_edges[] = {0,   32,   64,   96,   128,  160,  256,   512,
                                      992, 1024, 1056, 2048, 4096, 8192, 12288, 16512};
static const int64_t pad_edges[] = {0, 1, 2, 3, 4, 29};
static const int64_t offset_edges[] = {0, 1, 2, 3, 34, 63, 64};

#define EDGES(table) table, sizeof(table) / sizeof(table[0])

static const struct op_axis axes[Q8_0_AXES] = {
    [Q8_0_N] = {"n", 0, LENGTH_MOST, -1, NULL, EDGES(row_edges), "rows of X and Y: vectors"},
    [Q8_0_K] = {"k", 0, LENGTH_MOST, -1, NULL, EDGES(depth_edges), "numbers a row, a multiple of 32"},
    [Q8_0_PADX] = {"padx", 0, 65536, 0, NULL, EDGES(pad_edges), "unused elements after each row of X"},
    [Q8_0_PADY] = {"pady", 0, 65536, 0, NULL, EDGES(pad_edges), "unused bytes after each row of Y"},
    [Q8_0_OFFX] = {"offx", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before X in its memory"},
    [Q8_0_OFFY] = {"offy", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "bytes before Y in its memory"},
};

static const char *const dtype_sets[] = {"f32", NULL};

static enum assay_status signature(const struct op_case *c, struct op_signature *sig,
                                   struct assay_error *error)
{
    const int64_t *x = c->axis, k = x[Q8_0_K];
    *sig = (struct op_signature){.onnx = "Q8_0Quantize", .input_count = 1, .output_count = 1};
    if (c->dtype_count != 1 || c->dtype[0] != ASSAY_F32)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "q8_0: dtypes must be f32");
    enum assay_status status = op_axes_check(c, error);
    if (status) return status;
    if (k % Q8_0_NUMBERS)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "q8_0: k is %lld, which is no multiple of %d: a row is made of whole blocks",
                               (long long)k, Q8_0_NUMBERS);
    if (c->of[Q8_0_K] % Q8_0_NUMBERS || c->at[Q8_0_K] % Q8_0_NUMBERS)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "q8_0: a window starts at k=%lld of %lld, and both must be multiples of %d",
                               (long long)c->at[Q8_0_K], (long long)c->of[Q8_0_K], Q8_0_NUMBERS);
    /* A byte of Y is no place along k: a window is cut along X. */
    const struct op_matrix from = {"X", ASSAY_F32, x[Q8_0_N], k, x[Q8_0_PADX], x[Q8_0_OFFX], Q8_0_N, Q8_0_K};
    const struct op_matrix to = {"Y",          ASSAY_U8,     x[Q8_0_N], k / Q8_0_NUMBERS * Q8_0_BYTES,
                                 x[Q8_0_PADY], x[Q8_0_OFFY], Q8_0_N,    -1};
    status = op_matrix_lay_out(c, &from, &sig->input[0], error);
    if (!status) status = op_matrix_lay_out(c, &to, &sig->output[0], error);
    sig->input[0].reduced = 1;
    return status;
}

/* A magnitude, a product and a rounding a number. */
static double flops(const struct op_case *c)
{
    return 3.0 * (double)c->axis[Q8_0_N] * (double)c->axis[Q8_0_K];
}

/* A block is a row. */
static int64_t rows(const struct op_case *c)
{
    return c->axis[Q8_0_N] * (c->axis[Q8_0_K] / Q8_0_NUMBERS);
}

static int64_t row_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    (void)c;
    *first = row * Q8_0_BYTES;
    return Q8_0_BYTES;
}

static enum assay_status from_node(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error)
{
    if (in_count != 1 || out_count != 1)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "Q8_0Quantize has 1 input and 1 output, not %zu and %zu", in_count, out_count);
    if (attr_count)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "Q8_0Quantize has no attribute %s", attr[0].name);
    if (in[0].dtype != ASSAY_F32 || out[0].dtype != ASSAY_U8)
        return assay_error_set(error, ASSAY_UNSUPPORTED,
                               "Q8_0Quantize of %s to %s: only f32 to u8 is defined",
                               assay_dtype_name(in[0].dtype), assay_dtype_name(out[0].dtype));
    if (in[0].rank != 2 || out[0].rank != 2 || in[0].shape[1] % Q8_0_NUMBERS ||
        out[0].shape[0] != in[0].shape[0] || out[0].shape[1] != in[0].shape[1] / Q8_0_NUMBERS * Q8_0_BYTES)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "Q8_0Quantize takes [n, k] to [n, k / %d * %d], k a multiple of %d",
                               Q8_0_NUMBERS, Q8_0_BYTES, Q8_0_NUMBERS);
    c->dtype[0] = ASSAY_F32;
    c->dtype_count = 1;
    c->axis[Q8_0_N] = c->of[Q8_0_N] = in[0].shape[0];
    c->axis[Q8_0_K] = c->of[Q8_0_K] = in[0].shape[1];
    return ASSAY_OK;
}

const struct op op_q8_0 = {
    .name = "q8_0",
    .onnx = "Q8_0Quantize",
    .what = "vectors of activations to 8-bit blocks of 32 (ggml's Q8_0)",
    .axes = axes,
    .axis_count = Q8_0_AXES,
    .dtype_sets = dtype_sets,
    .contract_version = 1,
    .signature = signature,
    .flops = flops,
    .rows = rows,
    .row_elems = row_elems,
    .contract = q8_0_contract,
    .from_node = from_node,
};
