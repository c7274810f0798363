/* Softmax, log-softmax, LayerNormalization and RMSNormalization, as ONNX defines them: which cases exist, how their tensors
 * lie, and what a row is.
 *
 * X has four dimensions a, b, c, d. It says nothing of values: contract.c has the bits of exact mode, f64.c the float64
 * value. */
#include "oracles/normalize/normalize.h"

#include <math.h>
#include <string.h>

#define LENGTH_MOST (INT64_C(1) << 32)

static const int64_t length_edges[] = {1,   2,   3,   7,   8,   31,  32,   33,   63,   64,   65,  127,
                                       128, 129, 255, 256, 257, 768, 1500, 4095, 4096, 4097, 8193};
static const int64_t outer_edges[] = {0, 1, 2, 3, 7, 33};
static const int64_t axis_edges[] = {0, 1, 2, 3};
static const int64_t flag_edges[] = {0, 1};
static const int64_t eps_edges[] = {0, 5, 12};
static const int64_t pad_edges[] = {0, 1, 3, 4, 29};
static const int64_t offset_edges[] = {0, 1, 2, 63, 64, 65};

#define EDGES(table) table, sizeof(table) / sizeof(table[0])

static const struct op_axis axes[NORMALIZE_CASE_AXES] = {
    [NORMALIZE_A] = {"a", 0, LENGTH_MOST, 1, NULL, EDGES(outer_edges), "first dimension of X"},
    [NORMALIZE_B] = {"b", 0, LENGTH_MOST, 1, NULL, EDGES(outer_edges), "second dimension of X"},
    [NORMALIZE_C] = {"c", 0, LENGTH_MOST, 1, NULL, EDGES(length_edges), "third dimension of X"},
    [NORMALIZE_D] = {"d", 0, LENGTH_MOST, -1, NULL, EDGES(length_edges), "last dimension of X"},
    [NORMALIZE_AXIS] = {"axis", 0, 3, 3, NULL, EDGES(axis_edges),
                        "softmax: dimension that sums to 1; norms: first dimension of a row"},
    [NORMALIZE_BIAS] = {"bias", 0, 1, 1, NULL, EDGES(flag_edges), "1: layer norm adds a bias"},
    [NORMALIZE_EPS] = {"eps", 0, 99, 5, NULL, EDGES(eps_edges), "norms: epsilon is 10^-eps, 0: none"},
    [NORMALIZE_T] = {"t", 0, 1, 0, NULL, EDGES(flag_edges),
                     "1: X is stored with its first dimension innermost"},
    [NORMALIZE_PADX] = {"padx", 0, 65536, 0, NULL, EDGES(pad_edges),
                        "unused elements after each innermost line of X"},
    [NORMALIZE_OFFX] = {"offx", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before X in its memory"},
    [NORMALIZE_OFFY] = {"offy", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before Y in its memory"},
};

static const char *const dtype_sets[] = {"f32", NULL};

float normalize_epsilon(const struct op_case *c)
{
    const int64_t eps = c->axis[NORMALIZE_EPS];
    float value;
    if (eps <= 99) return eps ? (float)pow(10, (double)-eps) : 0;
    const uint32_t word = (uint32_t)eps;
    memcpy(&value, &word, sizeof value);
    return value;
}

static bool is_norm(enum normalize_kind kind)
{
    return kind == NORMALIZE_LAYER || kind == NORMALIZE_RMS;
}

static void lay_out_x(const struct op_case *c, enum normalize_kind kind, struct op_operand *x)
{
    int64_t step = 1;
    *x = (struct op_operand){.name = "X", .reduced = is_norm(kind) ? 3 : (int)c->axis[NORMALIZE_AXIS]};
    x->tensor.dtype = ASSAY_F32;
    x->tensor.rank = 4;
    for (int i = 0; i < 4; ++i) {
        const int d = c->axis[NORMALIZE_T] ? i : 3 - i;
        x->tensor.shape[d] = c->axis[NORMALIZE_A + d];
        x->tensor.stride[d] = step;
        step *= x->tensor.shape[d] > 0 ? x->tensor.shape[d] : 1;
        if (i == 0) step += c->axis[NORMALIZE_PADX];
    }
    for (int d = 0; d < ASSAY_RANK_MAX; ++d) x->axis_of[d] = d < 4 ? NORMALIZE_A + d : -1;
    x->tensor.offset = c->axis[NORMALIZE_OFFX];
    x->tensor.bytes = (uint64_t)assay_tensor_extent(&x->tensor) * 4;
}

/* A dense operand of dimensions [from, 4). */
static void lay_out_dense(const struct op_case *c, const char *name, int from, int64_t offset,
                          struct op_operand *operand)
{
    int64_t shape[4];
    *operand = (struct op_operand){.name = name, .reduced = -1};
    for (int d = 0; d < ASSAY_RANK_MAX; ++d) operand->axis_of[d] = -1;
    for (int d = from; d < 4; ++d) {
        shape[d - from] = c->axis[NORMALIZE_A + d];
        operand->axis_of[d - from] = NORMALIZE_A + d;
    }
    assay_tensor_dense(&operand->tensor, ASSAY_F32, (uint32_t)(4 - from), shape);
    operand->tensor.offset = offset;
    operand->tensor.bytes = (uint64_t)assay_tensor_extent(&operand->tensor) * 4;
}

static enum assay_status signature(const struct op_case *c, struct op_signature *sig,
                                   struct assay_error *error)
{
    const enum normalize_kind kind = normalize_kind_of(c);
    const int64_t *axis = c->axis;
    *sig = (struct op_signature){.onnx = c->op->onnx, .input_count = 1, .output_count = 1};
    if (c->dtype_count != 1 || c->dtype[0] != ASSAY_F32)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: dtypes must be f32", c->op->name);
    enum assay_status status = op_axes_check(c, error);
    if (status) return status;
    int64_t elems = axis[NORMALIZE_D] + axis[NORMALIZE_PADX];
    for (int d = 0; d < 3; ++d)
        if (__builtin_mul_overflow(elems, axis[d] > 0 ? axis[d] : 1, &elems) || elems > OP_ELEMS_MOST)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: X has more than %lld elements",
                                   c->op->name, (long long)OP_ELEMS_MOST);
    if (kind != NORMALIZE_LAYER && axis[NORMALIZE_BIAS] != 1)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s has no bias to leave out", c->op->name);
    if (!is_norm(kind) && axis[NORMALIZE_EPS] != 5)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s has no eps", c->op->name);
    lay_out_x(c, kind, &sig->input[0]);
    lay_out_dense(c, "Y", 0, axis[NORMALIZE_OFFY], &sig->output[0]);
    sig->attr[sig->attr_count++] =
        (struct assay_attr){.name = "axis", .kind = ASSAY_ATTR_INT, .i = axis[NORMALIZE_AXIS]};
    if (!is_norm(kind)) return ASSAY_OK;
    sig->attr[sig->attr_count++] =
        (struct assay_attr){.name = "epsilon", .kind = ASSAY_ATTR_FLOAT, .f = normalize_epsilon(c)};
    lay_out_dense(c, "Scale", (int)axis[NORMALIZE_AXIS], 0, &sig->input[sig->input_count++]);
    if (kind == NORMALIZE_LAYER && axis[NORMALIZE_BIAS])
        lay_out_dense(c, "B", (int)axis[NORMALIZE_AXIS], 0, &sig->input[sig->input_count++]);
    return ASSAY_OK;
}

/* Elements of a row, and rows. */
static int64_t rows(const struct op_case *c)
{
    if (c->axis[NORMALIZE_NODE_ROWS]) return c->axis[NORMALIZE_NODE_ROWS] - 1;
    int64_t count = 1, elems = 1;
    for (int d = 0; d < 4; ++d) *(d < c->axis[NORMALIZE_AXIS] ? &count : &elems) *= c->axis[d];
    return elems ? count : 0;
}

static int64_t row_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    int64_t elems = 1;
    for (int d = (int)c->axis[NORMALIZE_AXIS]; d < 4; ++d) elems *= c->axis[d];
    if (c->axis[NORMALIZE_NODE_ROWS]) elems = c->axis[NORMALIZE_NODE_ELEMS] - 1;
    *first = row * elems;
    return elems;
}

static double flops(const struct op_case *c)
{
    int64_t first;
    return 12.0 * (double)rows(c) * (double)row_elems(c, 0, &first);
}

/* f64.c proves the whole bound, which depends on more than one sum. */
static double contract_bound(const struct op_case *c, double magnitude)
{
    (void)c;
    return magnitude;
}

static enum assay_status from_node(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error)
{
    const char *onnx = c->op->onnx;
    const enum normalize_kind kind = normalize_kind_of(c);
    const bool norm = is_norm(kind);
    float eps = 1e-5f;
    int64_t axis = -1;
    if (out_count != 1)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s with outputs besides Y: only Y is defined",
                               onnx);
    if (in_count < (norm ? 2 : 1) || in_count > (kind == NORMALIZE_LAYER ? 3 : norm ? 2 : 1))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s has not %zu inputs", onnx, in_count);
    for (size_t i = 0; i < in_count + 1; ++i)
        if ((i < in_count ? in[i] : out[0]).dtype != ASSAY_F32)
            return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: only f32 is defined", onnx);
    for (size_t i = 0; i < attr_count; ++i) {
        if (strcmp(attr[i].name, "axis") == 0 && attr[i].kind == ASSAY_ATTR_INT)
            axis = attr[i].i;
        else if (norm && strcmp(attr[i].name, "epsilon") == 0 && attr[i].kind == ASSAY_ATTR_FLOAT)
            eps = attr[i].f;
        else if (!norm || strcmp(attr[i].name, "stash_type") != 0 || attr[i].i != 1)
            return assay_error_set(error, ASSAY_UNSUPPORTED, "%s with attribute %s", onnx, attr[i].name);
    }
    const int64_t rank = in[0].rank;
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: the axis lies outside of %lld dimensions",
                               onnx, (long long)rank);
    for (size_t i = 1; i < in_count + 1; ++i) {
        const struct assay_tensor *t = i < in_count ? &in[i] : &out[0];
        const int64_t from = i < in_count ? axis : 0;
        bool same = t->rank == rank - from;
        for (uint32_t d = 0; same && d < t->rank; ++d) same = t->shape[d] == in[0].shape[from + d];
        if (!same)
            return assay_error_set(error, ASSAY_UNSUPPORTED, "%s: shapes other than X's are not taken", onnx);
    }
    int64_t count = 1, elems = 1;
    for (int64_t d = 0; d < rank; ++d) *(d < axis ? &count : &elems) *= in[0].shape[d];
    memset(c->axis, 0, sizeof c->axis);
    c->dtype[0] = ASSAY_F32;
    c->dtype_count = 1;
    c->axis[NORMALIZE_AXIS] = axis;
    c->axis[NORMALIZE_BIAS] = in_count == 3;
    uint32_t word;
    memcpy(&word, &eps, sizeof word);
    c->axis[NORMALIZE_EPS] = word;
    memcpy(c->of, c->axis, sizeof c->of);
    c->axis[NORMALIZE_NODE_ROWS] = (elems ? count : 0) + 1;
    c->axis[NORMALIZE_NODE_ELEMS] = elems + 1;
    return ASSAY_OK;
}

#define OPERATOR(NAME, ONNX, WHAT)                                                                           \
    const struct op op_##NAME = {                                                                            \
        .name = #NAME,                                                                                       \
        .onnx = ONNX,                                                                                        \
        .what = WHAT,                                                                                        \
        .axes = axes,                                                                                        \
        .axis_count = NORMALIZE_CASE_AXES,                                                                   \
        .dtype_sets = dtype_sets,                                                                            \
        .contract_version = 1,                                                                               \
        .signature = signature,                                                                              \
        .flops = flops,                                                                                      \
        .rows = rows,                                                                                        \
        .row_elems = row_elems,                                                                              \
        .contract = normalize_contract,                                                                      \
        .f64 = normalize_f64,                                                                                \
        .contract_bound = contract_bound,                                                                    \
        .from_node = from_node,                                                                              \
    };
OPERATOR(softmax, "Softmax", "exponentials along an axis, divided by their sum")
OPERATOR(log_softmax, "LogSoftmax", "logarithm of softmax along an axis")
OPERATOR(layer_norm, "LayerNormalization", "rows of mean 0 and deviation 1, scaled and shifted")
OPERATOR(rms_norm, "RMSNormalization", "rows divided by the root of their mean square, scaled")

enum normalize_kind normalize_kind_of(const struct op_case *c)
{
    static const struct op *const by_kind[NORMALIZE_KINDS] = {&op_softmax, &op_log_softmax, &op_layer_norm,
                                                              &op_rms_norm};
    int kind = 0;
    while (kind < NORMALIZE_KINDS - 1 && by_kind[kind] != c->op) ++kind;
    return (enum normalize_kind)kind;
}
