/* Matrix product, as ONNX's MatMul defines it: which cases exist, how their tensors lie, and what a row is.
 *
 * It says nothing of values: contract.c has the bits of exact mode, f64.c the float64 value. */
#include "oracles/matmul/matmul.h"

#include <math.h>
#include <string.h>

#define LENGTH_MOST (INT64_C(1) << 24)

/* Around every power of two that a tile, a vector or a chain ends at; primes that divide nothing. */
static const int64_t length_edges[] = {0,  1,  2,  3,   7,   13,  31,  32,  33,  61,  63,  64,
                                       65, 96, 97, 127, 128, 129, 191, 251, 255, 256, 257, 521};
static const int64_t depth_edges[] = {0,   1,   2,   31,  32,  33,  63,  64,   65,   97,   127,  128,
                                      129, 160, 251, 255, 256, 257, 521, 1021, 4095, 4096, 4097, 16384};
static const int64_t batch_edges[] = {1, 2, 3, 7, 33};
static const int64_t flag_edges[] = {0, 1};
static const int64_t word_edges[] = {MATMUL_IN_AB, MATMUL_IN_A, MATMUL_IN_B};
static const int64_t pad_edges[] = {0, 1, 3, 4, 29};
static const int64_t offset_edges[] = {0, 1, 2, 63, 64, 65};
static const char *const in_words[] = {"ab", "a", "b", NULL};

#define EDGES(table) table, sizeof(table) / sizeof(table[0])

static const struct op_axis axes[MATMUL_AXES] = {
    [MATMUL_M] = {"m", 0, LENGTH_MOST, -1, NULL, EDGES(length_edges), "rows of A and Y"},
    [MATMUL_N] = {"n", 0, LENGTH_MOST, -1, NULL, EDGES(length_edges), "columns of B and Y"},
    [MATMUL_K] = {"k", 0, LENGTH_MOST, -1, NULL, EDGES(depth_edges), "columns of A, rows of B: summed over"},
    [MATMUL_B] = {"b", 0, LENGTH_MOST, 1, NULL, EDGES(batch_edges), "products in the batch"},
    [MATMUL_IN] = {"in", 0, 2, MATMUL_IN_AB, in_words, EDGES(word_edges), "operands that carry the batch"},
    [MATMUL_TA] = {"ta", 0, 1, 0, NULL, EDGES(flag_edges), "1: A is stored column by column"},
    [MATMUL_TB] = {"tb", 0, 1, 0, NULL, EDGES(flag_edges), "1: B is stored column by column"},
    [MATMUL_PADA] = {"pada", 0, 65536, 0, NULL, EDGES(pad_edges),
                     "unused elements after each stored row of A"},
    [MATMUL_PADB] = {"padb", 0, 65536, 0, NULL, EDGES(pad_edges),
                     "unused elements after each stored row of B"},
    [MATMUL_PADY] = {"pady", 0, 65536, 0, NULL, EDGES(pad_edges), "unused elements after each row of Y"},
    [MATMUL_OFFA] = {"offa", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before A in its memory"},
    [MATMUL_OFFB] = {"offb", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before B in its memory"},
    [MATMUL_OFFY] = {"offy", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before Y in its memory"},
};

static const char *const dtype_sets[] = {"f32", NULL};

/* A rows x cols matrix, `items` times if batched, stored by rows or by columns with `pad` unused elements a line. */
static enum assay_status lay_out(struct op_operand *operand, const char *name, int64_t rows, int64_t cols,
                                 int row_axis, int col_axis, bool by_columns, int64_t pad, int64_t offset,
                                 bool batched, int64_t items, struct assay_error *error)
{
    struct assay_tensor *t = &operand->tensor;
    const int64_t lines = by_columns ? cols : rows;
    int64_t line = (by_columns ? rows : cols) + pad;
    if (line < 1) line = 1;
    int64_t item, elems;
    if (__builtin_mul_overflow(lines, line, &item) || item > OP_ELEMS_MOST ||
        __builtin_mul_overflow(item, batched && items > 0 ? items : 1, &elems) || elems > OP_ELEMS_MOST)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "matmul: %s has more than %lld elements", name,
                               (long long)OP_ELEMS_MOST);

    operand->name = name;
    t->dtype = ASSAY_F32;
    t->rank = 0;
    if (batched) {
        t->shape[0] = items;
        t->stride[0] = item > 0 ? item : 1;
        operand->axis_of[0] = MATMUL_B;
        t->rank = 1;
    }
    t->shape[t->rank] = rows;
    t->stride[t->rank] = by_columns ? 1 : line;
    operand->axis_of[t->rank++] = row_axis;
    t->shape[t->rank] = cols;
    t->stride[t->rank] = by_columns ? line : 1;
    operand->axis_of[t->rank++] = col_axis;
    for (uint32_t d = t->rank; d < ASSAY_RANK_MAX; ++d) operand->axis_of[d] = -1;
    operand->reduced = -1;
    for (uint32_t d = 0; d < t->rank; ++d)
        if (operand->axis_of[d] == MATMUL_K) operand->reduced = (int)d;
    t->offset = offset;
    t->bytes = (uint64_t)assay_tensor_extent(t) * assay_dtype_bytes(t->dtype);
    return ASSAY_OK;
}

static enum assay_status signature(const struct op_case *c, struct op_signature *sig,
                                   struct assay_error *error)
{
    const int64_t *x = c->axis;
    *sig = (struct op_signature){.onnx = "MatMul", .input_count = 2, .output_count = 1, .item_wise = true};
    if (c->dtype_count != 1 || c->dtype[0] != ASSAY_F32)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "matmul: dtypes must be f32");
    enum assay_status status = op_axes_check(c, error);
    if (status) return status;

    /* A window of a batched case keeps its parent's rank, so that indices mean the same in both. in=a and in=b are 3-D
     * even with one product: [1, m, k] x [k, n] is a call of its own. */
    const bool batched = x[MATMUL_B] != 1 || c->of[MATMUL_B] > 1 || x[MATMUL_IN] != MATMUL_IN_AB;
    const bool a_batched = batched && x[MATMUL_IN] != MATMUL_IN_B;
    const bool b_batched = batched && x[MATMUL_IN] != MATMUL_IN_A;
    status = lay_out(&sig->input[0], "A", x[MATMUL_M], x[MATMUL_K], MATMUL_M, MATMUL_K, x[MATMUL_TA],
                     x[MATMUL_PADA], x[MATMUL_OFFA], a_batched, x[MATMUL_B], error);
    if (!status)
        status = lay_out(&sig->input[1], "B", x[MATMUL_K], x[MATMUL_N], MATMUL_K, MATMUL_N, x[MATMUL_TB],
                         x[MATMUL_PADB], x[MATMUL_OFFB], b_batched, x[MATMUL_B], error);
    if (!status)
        status = lay_out(&sig->output[0], "Y", x[MATMUL_M], x[MATMUL_N], MATMUL_M, MATMUL_N, false,
                         x[MATMUL_PADY], x[MATMUL_OFFY], batched, x[MATMUL_B], error);
    return status;
}

static double flops(const struct op_case *c)
{
    return 2.0 * (double)c->axis[MATMUL_B] * (double)c->axis[MATMUL_M] * (double)c->axis[MATMUL_N] *
           (double)c->axis[MATMUL_K];
}

static int64_t rows(const struct op_case *c)
{
    return c->axis[MATMUL_N] > 0 ? c->axis[MATMUL_B] * c->axis[MATMUL_M] : 0;
}

static int64_t row_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    *first = row * c->axis[MATMUL_N];
    return c->axis[MATMUL_N];
}

/* Along the longest path: a rounding a term of the chain, then the joins of chains and of groups, each of which starts
 * from +0 and so has one rounding fewer than terms. Only products can underflow: 2^-150 at most a term. */
static double contract_bound(const struct op_case *c, double magnitude)
{
    const double k = (double)c->axis[MATMUL_K];
    if (k == 0) return 0;
    const double chains = ceil(k / 32), groups = ceil(k / 128);
    const double path = fmin(k, 32) + fmin(chains, 4) - 1 + groups - 1;
    const double gamma = path * 0x1p-24 / (1 - path * 0x1p-24);
    const double bound = (gamma * magnitude + k * 0x1p-150 * (1 + gamma)) * (1 + 0x1p-40);
    /* From half a unit above the largest f32 on, a partial sum may be infinite. */
    return magnitude + bound < 0x1.ffffffp127 ? bound : INFINITY;
}

/* Partly broadcast batches have no word of `in`; the nearest is given, and the tensors say the rest. */
static enum assay_status from_node(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error)
{
    struct matmul_view v;
    char why[160];
    if (in_count != 2 || out_count != 1)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "MatMul has 2 inputs and 1 output, not %zu and %zu", in_count, out_count);
    if (attr_count)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "MatMul has no attribute %s", attr[0].name);
    if (in[0].dtype != ASSAY_F32 || in[1].dtype != ASSAY_F32 || out[0].dtype != ASSAY_F32)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "MatMul of %s and %s to %s: only f32 is defined",
                               assay_dtype_name(in[0].dtype), assay_dtype_name(in[1].dtype),
                               assay_dtype_name(out[0].dtype));
    if (!matmul_view_read(&in[0], &in[1], &v, why))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "MatMul: %s", why);

    int64_t want[ASSAY_RANK_MAX + 2];
    uint32_t rank = v.batch_rank;
    memcpy(want, v.batch, sizeof v.batch);
    if (in[0].rank > 1) want[rank++] = v.m;
    if (in[1].rank > 1) want[rank++] = v.n;
    bool same = rank == out[0].rank;
    for (uint32_t d = 0; same && d < rank; ++d) same = want[d] == out[0].shape[d];
    if (!same)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "MatMul: the output's shape is not the product's");

    int64_t a_items = 1, b_items = 1;
    for (uint32_t d = 0; d + 2 < in[0].rank; ++d) a_items *= in[0].shape[d];
    for (uint32_t d = 0; d + 2 < in[1].rank; ++d) b_items *= in[1].shape[d];
    c->dtype[0] = ASSAY_F32;
    c->dtype_count = 1;
    c->axis[MATMUL_M] = v.m;
    c->axis[MATMUL_N] = v.n;
    c->axis[MATMUL_K] = v.k;
    c->axis[MATMUL_B] = v.items;
    c->axis[MATMUL_IN] = a_items == b_items ? MATMUL_IN_AB : b_items == 1 ? MATMUL_IN_A : MATMUL_IN_B;
    memcpy(c->of, c->axis, sizeof c->of);
    return ASSAY_OK;
}

const struct op op_matmul = {
    .name = "matmul",
    .onnx = "MatMul",
    .what = "matrix product, batched and strided",
    .axes = axes,
    .axis_count = MATMUL_AXES,
    .dtype_sets = dtype_sets,
    .contract_version = 1,
    .signature = signature,
    .flops = flops,
    .rows = rows,
    .row_elems = row_elems,
    .contract = matmul_contract,
    .f64 = matmul_f64,
    .contract_bound = contract_bound,
    .from_node = from_node,
};
