/* Product of a Q1_0 matrix with vectors of 8-bit activations: which cases exist, how their tensors lie, and what a row is.
 *
 *     Q1_0MatMul: W u8 [m, k / 128 * 18], rows of q1_0 blocks; X u8 [n, k / 32 * 34], rows of q8_0 blocks; Y f32 [n, m]
 *
 * It says nothing of values: contract.c has the bits of exact mode, f64.c the float64 value. */
#include "oracles/q1_0/q1_0.h"

#include <math.h>
#include <stdio.h>

#define LENGTH_MOST (INT64_C(1) << 24)

/* Rows around the groups of kernels with one lane a row and with eight (rows K10, K11); widths around ends of loops over
 * blocks and over bankML's limit (row K14). */
static const int64_t row_edges[] = {0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 257, 1000};
static const int64_t column_edges[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 32, 33, 65};
static const int64_t depth_edges[] = {0,    128,  256,  384,  512,   640,   896,   1024,
                                      1152, 2048, 4096, 8192, 12288, 16384, 16512, 32768};
static const int64_t pad_edges[] = {0, 1, 2, 3, 4, 14, 18, 29};
static const int64_t offset_edges[] = {0, 1, 2, 3, 4, 34, 63, 64};

#define EDGES(table) table, sizeof(table) / sizeof(table[0])

static const struct op_axis axes[Q1_0_AXES] = {
    [Q1_0_M] = {"m", 0, LENGTH_MOST, -1, NULL, EDGES(row_edges), "rows of W, columns of Y"},
    [Q1_0_N] = {"n", 0, LENGTH_MOST, -1, NULL, EDGES(column_edges),
                "rows of X and Y: vectors of activations"},
    [Q1_0_K] = {"k", 0, LENGTH_MOST, -1, NULL, EDGES(depth_edges), "weights a row, a multiple of 128"},
    [Q1_0_PADW] = {"padw", 0, 65536, 0, NULL, EDGES(pad_edges), "unused bytes after each row of W"},
    [Q1_0_PADX] = {"padx", 0, 65536, 0, NULL, EDGES(pad_edges), "unused bytes after each row of X"},
    [Q1_0_PADY] = {"pady", 0, 65536, 0, NULL, EDGES(pad_edges), "unused elements after each row of Y"},
    [Q1_0_OFFW] = {"offw", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "bytes before W in its memory"},
    [Q1_0_OFFX] = {"offx", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "bytes before X in its memory"},
    [Q1_0_OFFY] = {"offy", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before Y in its memory"},
};

static const char *const dtype_sets[] = {"u8", NULL};

static enum assay_status signature(const struct op_case *c, struct op_signature *sig,
                                   struct assay_error *error)
{
    const int64_t *x = c->axis, k = x[Q1_0_K];
    *sig = (struct op_signature){.onnx = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    if (c->dtype_count != 1 || c->dtype[0] != ASSAY_U8)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "q1_0: dtypes must be u8, bytes of blocks");
    enum assay_status status = op_axes_check(c, error);
    if (status) return status;
    if (k % Q1_0_WEIGHTS)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "q1_0: k is %lld, which is no multiple of %d: a row is made of whole blocks",
                               (long long)k, Q1_0_WEIGHTS);
    if (c->of[Q1_0_K] % Q1_0_WEIGHTS || c->at[Q1_0_K] % Q1_0_WEIGHTS)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "q1_0: a window starts at k=%lld of %lld, and both must be multiples of %d",
                               (long long)c->at[Q1_0_K], (long long)c->of[Q1_0_K], Q1_0_WEIGHTS);

    struct op_operand *w = &sig->input[0], *a = &sig->input[1];
    const struct op_matrix matrix[3] = {
        {"W", ASSAY_U8, x[Q1_0_M], k / Q1_0_WEIGHTS * Q1_0_BYTES, x[Q1_0_PADW], x[Q1_0_OFFW], Q1_0_M, Q1_0_K},
        {"X", ASSAY_U8, x[Q1_0_N], k / Q1_0_ACTIVATIONS * Q1_0_ACTIVATION_BYTES, x[Q1_0_PADX], x[Q1_0_OFFX],
         Q1_0_N, Q1_0_K},
        {"Y", ASSAY_F32, x[Q1_0_N], x[Q1_0_M], x[Q1_0_PADY], x[Q1_0_OFFY], Q1_0_N, Q1_0_M},
    };
    status = op_matrix_lay_out(c, &matrix[0], w, error);
    if (!status) status = op_matrix_lay_out(c, &matrix[1], a, error);
    if (!status) status = op_matrix_lay_out(c, &matrix[2], &sig->output[0], error);
    w->block = "q1_0";
    a->block = "q8_0";
    w->reduced = a->reduced = 1;
    return status;
}

static double flops(const struct op_case *c)
{
    return 2.0 * (double)c->axis[Q1_0_M] * (double)c->axis[Q1_0_N] * (double)c->axis[Q1_0_K];
}

/* One element of Y is a row: a product with one vector has a long line of them, which threads and samples can split. */
static int64_t rows(const struct op_case *c)
{
    return c->axis[Q1_0_M] * c->axis[Q1_0_N];
}

static int64_t row_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    (void)c;
    *first = row;
    return 1;
}

/* In a block ab has three roundings (d1 * s has none: 11 and 10 bits), then a rounding a block, then three joins. All
 * numbers are multiples of 2^-48, so nothing underflows. */
static double contract_bound(const struct op_case *c, double magnitude)
{
    const double path = 3 + (double)c->axis[Q1_0_K] / Q1_0_WEIGHTS + 3;
    const double gamma = path * 0x1p-24 / (1 - path * 0x1p-24);
    return gamma * magnitude * (1 + 0x1p-40);
}

bool q1_0_view_read(const struct assay_tensor *w, const struct assay_tensor *x, const struct assay_tensor *y,
                    struct q1_0_view *view, char why[200])
{
    *view = (struct q1_0_view){0};
    if (w->rank != 2 || x->rank != 2 || y->rank != 2) {
        snprintf(why, 200, "W, X and Y have rank 2, not %u, %u and %u", w->rank, x->rank, y->rank);
        return false;
    }
    if (w->shape[1] % Q1_0_BYTES) {
        snprintf(why, 200, "a row of W has %lld bytes, no multiple of the %d of a q1_0 block",
                 (long long)w->shape[1], Q1_0_BYTES);
        return false;
    }
    view->blocks = w->shape[1] / Q1_0_BYTES;
    view->m = w->shape[0];
    view->n = x->shape[0];
    if (x->shape[1] != view->blocks * Q1_0_SUBS * Q1_0_ACTIVATION_BYTES) {
        snprintf(why, 200, "a row of X has %lld bytes; %lld q1_0 blocks meet %lld bytes of q8_0 blocks",
                 (long long)x->shape[1], (long long)view->blocks,
                 (long long)view->blocks * Q1_0_SUBS * Q1_0_ACTIVATION_BYTES);
        return false;
    }
    if (y->shape[0] != view->n || y->shape[1] != view->m) {
        snprintf(why, 200, "Y is %lld x %lld, the product %lld x %lld", (long long)y->shape[0],
                 (long long)y->shape[1], (long long)view->n, (long long)view->m);
        return false;
    }
    if (w->data) view->w = (const uint8_t *)w->data + w->offset;
    if (x->data) view->x = (const uint8_t *)x->data + x->offset;
    view->w_row = w->stride[0];
    view->w_byte = w->stride[1];
    view->x_row = x->stride[0];
    view->x_byte = x->stride[1];
    view->y_offset = y->offset;
    view->y_row = y->stride[0];
    view->y_col = y->stride[1];
    return true;
}

static enum assay_status from_node(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error)
{
    struct q1_0_view v;
    char why[200];
    if (in_count != 2 || out_count != 1)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "Q1_0MatMul has 2 inputs and 1 output, not %zu and %zu", in_count, out_count);
    if (attr_count)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "Q1_0MatMul has no attribute %s", attr[0].name);
    if (in[0].dtype != ASSAY_U8 || in[1].dtype != ASSAY_U8 || out[0].dtype != ASSAY_F32)
        return assay_error_set(
            error, ASSAY_UNSUPPORTED, "Q1_0MatMul of %s and %s to %s: only u8 and u8 to f32 is defined",
            assay_dtype_name(in[0].dtype), assay_dtype_name(in[1].dtype), assay_dtype_name(out[0].dtype));
    if (!q1_0_view_read(&in[0], &in[1], &out[0], &v, why))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "Q1_0MatMul: %s", why);
    c->dtype[0] = ASSAY_U8;
    c->dtype_count = 1;
    c->axis[Q1_0_M] = c->of[Q1_0_M] = v.m;
    c->axis[Q1_0_N] = c->of[Q1_0_N] = v.n;
    c->axis[Q1_0_K] = c->of[Q1_0_K] = v.blocks * Q1_0_WEIGHTS;
    return ASSAY_OK;
}

const struct op op_q1_0 = {
    .name = "q1_0",
    .onnx = "Q1_0MatMul",
    .what = "product of a 1-bit matrix (ggml's Q1_0) with vectors of 8-bit activations (Q8_0)",
    .axes = axes,
    .axis_count = Q1_0_AXES,
    .dtype_sets = dtype_sets,
    .contract_version = 1,
    .signature = signature,
    .flops = flops,
    .rows = rows,
    .row_elems = row_elems,
    .contract = q1_0_contract,
    .f64 = q1_0_f64,
    .contract_bound = contract_bound,
    .from_node = from_node,
};
