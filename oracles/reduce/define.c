/* Reductions over any set of axes, as ONNX defines them: which cases exist, how their tensors lie, and what a row is.
 *
 * X has four dimensions a, b, c, d. It says nothing of values: contract.c has the bits of exact mode, f64.c the float64
 * value. */
#include "oracles/reduce/reduce.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH_MOST (INT64_C(1) << 32)

static const int64_t length_edges[] = {0,   1,    2,    3,    7,    8,    31,   32,  33,
                                       63,  64,   65,   127,  128,  129,  255,  256, 257,
                                       768, 1500, 4095, 4096, 4097, 8191, 8192, 8193};
static const int64_t outer_edges[] = {1, 2, 3, 7, 33};
static const int64_t flag_edges[] = {0, 1};
static const int64_t set_edges[] = {0, 1, 2, 4, 5, 7, 8, 9, 10, 15};
static const int64_t pad_edges[] = {0, 1, 3, 4, 29};
static const int64_t offset_edges[] = {0, 1, 2, 63, 64, 65};
static const char *const sets[] = {"none", "a",  "b",   "ab", "c",   "ac",  "bc",   "abc", "d",
                                   "ad",   "bd", "abd", "cd", "acd", "bcd", "abcd", NULL};

#define EDGES(table) table, sizeof(table) / sizeof(table[0])

static const struct op_axis axes[REDUCE_CASE_AXES] = {
    [REDUCE_A] = {"a", 0, LENGTH_MOST, 1, NULL, EDGES(outer_edges), "first dimension of X"},
    [REDUCE_B] = {"b", 0, LENGTH_MOST, 1, NULL, EDGES(outer_edges), "second dimension of X"},
    [REDUCE_C] = {"c", 0, LENGTH_MOST, 1, NULL, EDGES(length_edges), "third dimension of X"},
    [REDUCE_D] = {"d", 0, LENGTH_MOST, -1, NULL, EDGES(length_edges), "last dimension of X"},
    [REDUCE_AXES] = {"axes", 0, 15, 8, sets, EDGES(set_edges),
                     "dimensions that are reduced; none: all, or see noop"},
    [REDUCE_KEEP] = {"keep", 0, 1, 1, NULL, EDGES(flag_edges),
                     "1: reduced dimensions stay in Y, with length 1"},
    [REDUCE_NOOP] = {"noop", 0, 1, 0, NULL, EDGES(flag_edges), "1: where no axis is named Y is X"},
    [REDUCE_LAST] = {"last", 0, 1, 0, NULL, EDGES(flag_edges), "1: of equal elements the last one counts"},
    [REDUCE_T] = {"t", 0, 1, 0, NULL, EDGES(flag_edges), "1: X is stored with its first dimension innermost"},
    [REDUCE_PADX] = {"padx", 0, 65536, 0, NULL, EDGES(pad_edges),
                     "unused elements after each innermost line of X"},
    [REDUCE_OFFX] = {"offx", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before X in its memory"},
    [REDUCE_OFFY] = {"offy", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before Y in its memory"},
};

static const char *const dtype_sets[] = {"f32", NULL};

static bool is_arg(enum reduce_kind kind)
{
    return kind == REDUCE_ARGMAX || kind == REDUCE_ARGMIN;
}

uint32_t reduce_mask(const struct op_case *c, uint32_t rank)
{
    const uint32_t all = (1u << rank) - 1, named = (uint32_t)c->axis[REDUCE_AXES] & all;
    return named || c->axis[REDUCE_NOOP] ? named : all;
}

static void add_attr(struct op_signature *sig, const char *name, int64_t value)
{
    sig->attr[sig->attr_count++] = (struct assay_attr){.name = name, .kind = ASSAY_ATTR_INT, .i = value};
}

static void lay_out_x(const struct op_case *c, struct op_operand *x)
{
    const bool turned = c->axis[REDUCE_T];
    int64_t step = 1;
    *x = (struct op_operand){.name = "X", .reduced = -1};
    x->tensor.dtype = c->dtype[0];
    x->tensor.rank = 4;
    for (int i = 0; i < 4; ++i) {
        const int d = turned ? i : 3 - i;
        x->tensor.shape[d] = c->axis[REDUCE_A + d];
        x->tensor.stride[d] = step;
        step *= x->tensor.shape[d] > 0 ? x->tensor.shape[d] : 1;
        if (i == 0) step += c->axis[REDUCE_PADX];
    }
    for (int d = 0; d < ASSAY_RANK_MAX; ++d) x->axis_of[d] = d < 4 ? REDUCE_A + d : -1;
    const uint32_t mask = reduce_mask(c, 4);
    for (int d = 0; d < 4; ++d)
        if (mask >> d & 1) x->reduced = d;
    x->tensor.offset = c->axis[REDUCE_OFFX];
    x->tensor.bytes = (uint64_t)assay_tensor_extent(&x->tensor) * assay_dtype_bytes(x->tensor.dtype);
}

static enum assay_status signature(const struct op_case *c, struct op_signature *sig,
                                   struct assay_error *error)
{
    const enum reduce_kind kind = reduce_kind_of(c);
    const int64_t *axis = c->axis;
    *sig = (struct op_signature){.onnx = c->op->onnx, .input_count = 1, .output_count = 1};
    if (c->dtype_count != 1 || c->dtype[0] != ASSAY_F32)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: dtypes must be f32", c->op->name);
    enum assay_status status = op_axes_check(c, error);
    if (status) return status;
    int64_t elems = axis[REDUCE_D] + axis[REDUCE_PADX];
    for (int d = 0; d < 3; ++d)
        if (__builtin_mul_overflow(elems, axis[d] > 0 ? axis[d] : 1, &elems) || elems > OP_ELEMS_MOST)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: X has more than %lld elements",
                                   c->op->name, (long long)OP_ELEMS_MOST);
    if (is_arg(kind) && __builtin_popcountll((uint64_t)axis[REDUCE_AXES]) != 1)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s takes one axis", c->op->name);
    if (axis[REDUCE_LAST] && !is_arg(kind))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s has no last", c->op->name);
    if (axis[REDUCE_NOOP] && is_arg(kind))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s has no noop", c->op->name);
    if (is_arg(kind))
        for (int d = 0; d < 4; ++d)
            if (axis[REDUCE_AXES] >> d & 1 && axis[d] == 0)
                return assay_error_set(error, ASSAY_INVALID_INPUT, "%s of no element", c->op->name);

    lay_out_x(c, &sig->input[0]);
    const uint32_t mask = reduce_mask(c, 4);
    struct op_operand *y = &sig->output[0];
    int64_t shape[4];
    uint32_t rank = 0;
    *y = (struct op_operand){.name = "Y", .reduced = -1};
    for (int d = 0; d < ASSAY_RANK_MAX; ++d) y->axis_of[d] = -1;
    for (int d = 0; d < 4; ++d) {
        const bool reduced = mask >> d & 1;
        if (reduced && !axis[REDUCE_KEEP]) continue;
        y->axis_of[rank] = reduced ? -1 : REDUCE_A + d;
        shape[rank++] = reduced ? 1 : axis[d];
    }
    assay_tensor_dense(&y->tensor, is_arg(kind) ? ASSAY_I64 : c->dtype[0], rank, shape);
    y->tensor.offset = axis[REDUCE_OFFY];
    y->tensor.bytes = (uint64_t)assay_tensor_extent(&y->tensor) * assay_dtype_bytes(y->tensor.dtype);

    if (is_arg(kind)) {
        for (int d = 0; d < 4; ++d)
            if (axis[REDUCE_AXES] >> d & 1) add_attr(sig, "axis", d);
        add_attr(sig, "select_last_index", axis[REDUCE_LAST]);
    } else {
        for (int d = 0; d < 4; ++d)
            if (axis[REDUCE_AXES] >> d & 1) add_attr(sig, "axes", d);
        add_attr(sig, "noop_with_empty_axes", axis[REDUCE_NOOP]);
    }
    add_attr(sig, "keepdims", axis[REDUCE_KEEP]);
    return ASSAY_OK;
}

static int64_t elems_of(const struct op_case *c, bool reduced)
{
    if (c->axis[REDUCE_NODE_ROWS]) return c->axis[reduced ? REDUCE_NODE_ELEMS : REDUCE_NODE_ROWS] - 1;
    const uint32_t mask = reduce_mask(c, 4);
    int64_t elems = 1;
    for (int d = 0; d < 4; ++d)
        if ((mask >> d & 1) == reduced) elems *= c->axis[REDUCE_A + d];
    return elems;
}

static double flops(const struct op_case *c)
{
    return 2.0 * (double)elems_of(c, false) * ((double)elems_of(c, true) + 1);
}

static int64_t rows(const struct op_case *c)
{
    return elems_of(c, false);
}

static int64_t row_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    (void)c;
    *first = row;
    return 1;
}

/* f64.c proves the whole bound, which depends on more than one sum. */
static double contract_bound(const struct op_case *c, double magnitude)
{
    (void)c;
    return magnitude;
}

static enum assay_status read_attr(const char *onnx, const struct assay_attr *attr, uint32_t rank, bool arg,
                                   struct op_case *c, struct assay_error *error)
{
    const bool axis = strcmp(attr->name, arg ? "axis" : "axes") == 0;
    if (attr->kind != ASSAY_ATTR_INT)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s is no integer", onnx, attr->name);
    if (axis) {
        const int64_t d = attr->i < 0 ? attr->i + rank : attr->i;
        if (d < 0 || d >= (int64_t)rank)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: axis %lld of %u dimensions", onnx,
                                   (long long)attr->i, rank);
        c->axis[REDUCE_AXES] |= INT64_C(1) << d;
    } else if (strcmp(attr->name, "keepdims") == 0) {
        c->axis[REDUCE_KEEP] = attr->i != 0;
    } else if (!arg && strcmp(attr->name, "noop_with_empty_axes") == 0) {
        c->axis[REDUCE_NOOP] = attr->i != 0;
    } else if (arg && strcmp(attr->name, "select_last_index") == 0) {
        c->axis[REDUCE_LAST] = attr->i != 0;
    } else {
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s has no attribute %s", onnx, attr->name);
    }
    return ASSAY_OK;
}

static enum assay_status from_node(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error)
{
    const char *onnx = c->op->onnx;
    const bool arg = is_arg(reduce_kind_of(c));
    if (in_count != 1 || out_count != 1)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s of %zu inputs: axes are taken as attributes",
                               onnx, in_count);
    if (in[0].dtype != ASSAY_F32 || out[0].dtype != (arg ? ASSAY_I64 : ASSAY_F32))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s of %s to %s: only f32 is defined", onnx,
                               assay_dtype_name(in[0].dtype), assay_dtype_name(out[0].dtype));
    memset(c->axis, 0, sizeof c->axis);
    c->axis[REDUCE_KEEP] = 1;
    for (size_t i = 0; i < attr_count; ++i) {
        const enum assay_status status = read_attr(onnx, &attr[i], in[0].rank, arg, c, error);
        if (status) return status;
    }
    if (arg && !c->axis[REDUCE_AXES]) c->axis[REDUCE_AXES] = 1;
    const uint32_t mask = reduce_mask(c, in[0].rank);
    uint32_t rank = 0;
    bool same = true;
    for (uint32_t d = 0; d < in[0].rank; ++d) {
        const bool reduced = mask >> d & 1;
        if (reduced && !c->axis[REDUCE_KEEP]) continue;
        same = same && rank < out[0].rank && out[0].shape[rank] == (reduced ? 1 : in[0].shape[d]);
        rank++;
    }
    if (!same || rank != out[0].rank)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: the output's shape is not the reduction's",
                               onnx);
    struct reduce_view view;
    reduce_view_read(&in[0], mask, &view);
    if (arg && view.elems == 0) return assay_error_set(error, ASSAY_INVALID_INPUT, "%s of no element", onnx);
    c->dtype[0] = ASSAY_F32;
    c->dtype_count = 1;
    c->axis[REDUCE_D] = view.elems;
    c->axis[REDUCE_C] = view.rows;
    memcpy(c->of, c->axis, sizeof c->of);
    c->axis[REDUCE_NODE_ROWS] = view.rows + 1;
    c->axis[REDUCE_NODE_ELEMS] = view.elems + 1;
    return ASSAY_OK;
}

#define REDUCTION(NAME, ONNX, WHAT, VALUE, BOUND)                                                            \
    const struct op op_##NAME = {                                                                            \
        .name = #NAME,                                                                                       \
        .onnx = ONNX,                                                                                        \
        .what = WHAT,                                                                                        \
        .axes = axes,                                                                                        \
        .axis_count = REDUCE_CASE_AXES,                                                                      \
        .dtype_sets = dtype_sets,                                                                            \
        .contract_version = 1,                                                                               \
        .signature = signature,                                                                              \
        .flops = flops,                                                                                      \
        .rows = rows,                                                                                        \
        .row_elems = row_elems,                                                                              \
        .contract = reduce_contract,                                                                         \
        .f64 = VALUE,                                                                                        \
        .contract_bound = BOUND,                                                                             \
        .from_node = from_node,                                                                              \
    };
#define VALUED(NAME, ONNX, WHAT) REDUCTION(NAME, ONNX, WHAT, reduce_f64, contract_bound)
VALUED(reduce_sum, "ReduceSum", "sum over axes")
VALUED(reduce_mean, "ReduceMean", "mean over axes")
VALUED(reduce_l1, "ReduceL1", "sum of magnitudes over axes")
VALUED(reduce_l2, "ReduceL2", "root of the sum of squares over axes")
VALUED(reduce_sum_square, "ReduceSumSquare", "sum of squares over axes")
VALUED(reduce_log_sum, "ReduceLogSum", "logarithm of the sum over axes")
VALUED(reduce_prod, "ReduceProd", "product over axes")
VALUED(reduce_max, "ReduceMax", "largest element over axes")
VALUED(reduce_min, "ReduceMin", "smallest element over axes")
REDUCTION(argmax, "ArgMax", "place of the largest element along an axis", NULL, NULL)
REDUCTION(argmin, "ArgMin", "place of the smallest element along an axis", NULL, NULL)

enum reduce_kind reduce_kind_of(const struct op_case *c)
{
    static const struct op *const by_kind[REDUCE_KINDS] = {
        &op_reduce_sum,        &op_reduce_mean,    &op_reduce_l1,   &op_reduce_l2,
        &op_reduce_sum_square, &op_reduce_log_sum, &op_reduce_prod, &op_reduce_max,
        &op_reduce_min,        &op_argmax,         &op_argmin};
    int kind = 0;
    while (kind < REDUCE_KINDS - 1 && by_kind[kind] != c->op) ++kind;
    return (enum reduce_kind)kind;
}
