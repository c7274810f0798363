/* Elementwise operators of one input: which cases exist, how their tensors lie, and what a row is. X and Y are matrices of
 * m rows and n columns, by rows or by columns, padded and shifted at will.
 *
 * It says nothing of values: contract.c has the bits of exact mode, f64.c the float64 value. */
#include "oracles/unary/unary.h"

#include <math.h>
#include <string.h>

#define LENGTH_MOST (INT64_C(1) << 33)

static const int64_t row_edges[] = {0, 1, 2, 3, 7, 33};
static const int64_t length_edges[] = {0,  1,  2,  3,  4,   5,   7,   8,   9,   15,   16,   17,   31,   32,
                                       33, 63, 64, 65, 127, 128, 129, 255, 256, 1023, 1024, 1025, 65537};
static const int64_t flag_edges[] = {0, 1};
static const int64_t pad_edges[] = {0, 1, 3, 4, 29};
static const int64_t offset_edges[] = {0, 1, 2, 3, 63, 64, 65};
static const char *const form_words[] = {"none", "tanh", NULL};
static const char *const bound_words[] = {"both", "lo", "none", NULL};
/* alpha and beta as bits of an f32: 0.01, 0.1, 0.2, 0.5, 1, 3, -1, the least subnormal, infinity */
static const int64_t number_edges[] = {0x3c23d70a, 0x3dcccccd, 0x3e4ccccd, 0x3f000000, 0x3f800000,
                                       0x40400000, 0xbf800000, 0x00000001, 0x7f800000};

#define EDGES(table) table, sizeof(table) / sizeof(table[0])
#define SHAPE_AXES                                                                                           \
    [UNARY_M] = {"m", 0, LENGTH_MOST, 1, NULL, EDGES(row_edges), "rows of X and Y"},                         \
    [UNARY_N] = {"n", 0, LENGTH_MOST, -1, NULL, EDGES(length_edges), "columns of X and Y"},                  \
    [UNARY_TX] = {"tx", 0, 1, 0, NULL, EDGES(flag_edges), "1: X is stored column by column"},                \
    [UNARY_TY] = {"ty", 0, 1, 0, NULL, EDGES(flag_edges), "1: Y is stored column by column"},                \
    [UNARY_PADX] =                                                                                           \
        {"padx", 0, 65536, 0, NULL, EDGES(pad_edges), "unused elements after each stored row of X"},         \
    [UNARY_PADY] =                                                                                           \
        {"pady", 0, 65536, 0, NULL, EDGES(pad_edges), "unused elements after each stored row of Y"},         \
    [UNARY_OFFX] = {"offx", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before X in its memory"},    \
    [UNARY_OFFY] = {"offy", 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before Y in its memory"}
#define NUMBER_AXIS(name, standard)                                                                          \
    {                                                                                                        \
        name, 0, UINT32_MAX, standard, NULL, EDGES(number_edges), "bits of an f32"                           \
    }

static const struct op_axis axes_NONE[] = {SHAPE_AXES};
static const struct op_axis axes_FORM[] = {SHAPE_AXES, [UNARY_A] = {"approximate", 0, 1, 0, form_words,
                                                                    EDGES(flag_edges),
                                                                    "tanh: x sigmoid(...) in its place"}};
static const struct op_axis axes_BOUNDS[] = {
    SHAPE_AXES, [UNARY_A] = {"bounds", 0, 2, 0, bound_words, EDGES(flag_edges), "which bounds are inputs"}};
#define ALPHA_AXES(op, alpha)                                                                                \
    static const struct op_axis axes_##op[] = {SHAPE_AXES, [UNARY_A] = NUMBER_AXIS("alpha", alpha)}
ALPHA_AXES(leaky_relu, 0x3c23d70a);
ALPHA_AXES(elu, 0x3f800000);
ALPHA_AXES(thresholded_relu, 0x3f800000);
static const struct op_axis axes_hard_sigmoid[] = {
    SHAPE_AXES, [UNARY_A] = NUMBER_AXIS("alpha", 0x3e4ccccd), [UNARY_B] = NUMBER_AXIS("beta", 0x3f000000)};

static const char *const dtype_sets[] = {"f32", "f16", "bf16", NULL};

static const struct op *const ops[];

enum unary_op unary_op_of(const struct op_case *c)
{
    int op = 0;
    while (ops[op] != c->op) op++;
    return op == UNARY_gelu && c->axis[UNARY_A] ? UNARY_gelu_tanh : (enum unary_op)op;
}

/* A rows x cols matrix, by rows or by columns, `pad` unused elements after each stored line. */
static enum assay_status lay_out(const struct op_case *c, struct op_operand *operand, const char *name,
                                 bool by_columns, int64_t pad, int64_t offset, struct assay_error *error)
{
    struct assay_tensor *t = &operand->tensor;
    const int64_t rows = c->axis[UNARY_M], cols = c->axis[UNARY_N];
    const int64_t lines = by_columns ? cols : rows;
    int64_t line = (by_columns ? rows : cols) + pad, elems;
    if (line < 1) line = 1;
    if (__builtin_mul_overflow(lines, line, &elems) || elems > OP_ELEMS_MOST)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s has more than %lld elements", c->op->name,
                               name, (long long)OP_ELEMS_MOST);
    operand->name = name;
    t->dtype = c->dtype[0];
    t->rank = 2;
    t->shape[0] = rows;
    t->shape[1] = cols;
    t->stride[0] = by_columns ? 1 : line;
    t->stride[1] = by_columns ? line : 1;
    t->offset = offset;
    t->bytes = (uint64_t)assay_tensor_extent(t) * assay_dtype_bytes(t->dtype);
    for (uint32_t d = 0; d < ASSAY_RANK_MAX; ++d) operand->axis_of[d] = -1;
    operand->axis_of[0] = UNARY_M;
    operand->axis_of[1] = UNARY_N;
    operand->reduced = -1;
    return ASSAY_OK;
}

static void lay_out_scalar(const struct op_case *c, struct op_operand *operand, const char *name)
{
    operand->name = name;
    assay_tensor_dense(&operand->tensor, c->dtype[0], 0, NULL);
    operand->tensor.bytes = assay_dtype_bytes(c->dtype[0]);
    for (uint32_t d = 0; d < ASSAY_RANK_MAX; ++d) operand->axis_of[d] = -1;
    operand->reduced = -1;
}

static float number(int64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static enum assay_status signature(const struct op_case *c, struct op_signature *sig,
                                   struct assay_error *error)
{
    const int64_t *x = c->axis;
    *sig = (struct op_signature){.onnx = c->op->onnx, .input_count = 1, .output_count = 1, .item_wise = true};
    if (c->dtype_count != 1 ||
        (c->dtype[0] != ASSAY_F32 && c->dtype[0] != ASSAY_F16 && c->dtype[0] != ASSAY_BF16))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: dtypes must be f32, f16 or bf16",
                               c->op->name);
    enum assay_status status = op_axes_check(c, error);
    if (!status) status = lay_out(c, &sig->input[0], "X", x[UNARY_TX], x[UNARY_PADX], x[UNARY_OFFX], error);
    if (!status) status = lay_out(c, &sig->output[0], "Y", x[UNARY_TY], x[UNARY_PADY], x[UNARY_OFFY], error);
    if (status) return status;
    for (size_t a = UNARY_A; a < c->op->axis_count; a++) {
        const struct op_axis *axis = &c->op->axes[a];
        struct assay_attr *attr = &sig->attr[sig->attr_count];
        if (c->op == ops[UNARY_clip]) {
            if (x[a] != UNARY_BOUNDS_NONE) lay_out_scalar(c, &sig->input[sig->input_count++], "lo");
            if (x[a] == UNARY_BOUNDS_BOTH) lay_out_scalar(c, &sig->input[sig->input_count++], "hi");
            continue;
        }
        *attr =
            axis->words
                ? (struct assay_attr){.name = axis->name, .kind = ASSAY_ATTR_STRING, .s = axis->words[x[a]]}
                : (struct assay_attr){.name = axis->name, .kind = ASSAY_ATTR_FLOAT, .f = number(x[a])};
        sig->attr_count++;
    }
    return ASSAY_OK;
}

struct unary_numbers unary_numbers_of(const struct op_case *c, const struct assay_tensor *in)
{
    if (c->op == ops[UNARY_clip])
        return (struct unary_numbers){
            c->axis[UNARY_A] != UNARY_BOUNDS_NONE ? unary_load(&in[1], 0) : -INFINITY,
            c->axis[UNARY_A] == UNARY_BOUNDS_BOTH ? unary_load(&in[2], 0) : INFINITY};
    return (struct unary_numbers){c->op->axis_count > UNARY_A ? number(c->axis[UNARY_A]) : 0,
                                  c->op->axis_count > UNARY_B ? number(c->axis[UNARY_B]) : 0};
}

/* About as many as a kernel takes for one element. */
static double flops(const struct op_case *c)
{
    return 20.0 * (double)c->axis[UNARY_M] * (double)c->axis[UNARY_N];
}

static int64_t elems_of(const struct op_case *c)
{
    return c->axis[UNARY_M] * c->axis[UNARY_N];
}

static int64_t rows(const struct op_case *c)
{
    return (elems_of(c) + UNARY_STRETCH - 1) / UNARY_STRETCH;
}

static int64_t row_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    const int64_t left = elems_of(c) - row * UNARY_STRETCH;
    *first = row * UNARY_STRETCH;
    return left < UNARY_STRETCH ? left : UNARY_STRETCH;
}

/* An attribute of the node joins the case's axes. */
static enum assay_status take_attr(const struct assay_attr *attr, struct op_case *c,
                                   struct assay_error *error)
{
    for (size_t a = UNARY_A; a < c->op->axis_count && c->op != ops[UNARY_clip]; a++) {
        const struct op_axis *axis = &c->op->axes[a];
        if (strcmp(axis->name, attr->name) != 0) continue;
        if (!axis->words && attr->kind == ASSAY_ATTR_FLOAT) {
            uint32_t bits;
            memcpy(&bits, &attr->f, sizeof bits);
            c->axis[a] = bits;
            return ASSAY_OK;
        }
        for (int64_t w = 0; axis->words && attr->kind == ASSAY_ATTR_STRING && axis->words[w]; w++)
            if (strcmp(axis->words[w], attr->s) == 0) {
                c->axis[a] = w;
                return ASSAY_OK;
            }
    }
    return assay_error_set(error, ASSAY_UNSUPPORTED, "%s has no attribute %s of this kind and value",
                           c->op->onnx, attr->name);
}

static enum assay_status from_node(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error)
{
    const struct op *op = c->op;
    const size_t most = op == ops[UNARY_clip] ? 3 : 1;
    if (in_count < 1 || in_count > most || out_count != 1)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s has 1 to %zu inputs and 1 output, not %zu and %zu", op->onnx, most,
                               in_count, out_count);
    const enum assay_dtype dtype = in[0].dtype;
    bool same = in[0].rank == out[0].rank && out[0].dtype == dtype;
    for (uint32_t d = 0; same && d < in[0].rank; ++d) same = in[0].shape[d] == out[0].shape[d];
    for (size_t i = 1; same && i < in_count; i++)
        same = in[i].dtype == dtype && assay_tensor_elems(&in[i]) == 1;
    if (!same)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "%s: the output is no tensor of the input's shape and dtype, or a bound no "
                               "single element of it",
                               op->onnx);
    if (dtype != ASSAY_F32 && dtype != ASSAY_F16 && dtype != ASSAY_BF16)
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s of %s: f32, f16 and bf16 are defined", op->onnx,
                               assay_dtype_name(dtype));
    for (size_t a = 0; a < op->axis_count; a++) c->axis[a] = op->axes[a].standard;
    if (op == ops[UNARY_clip]) c->axis[UNARY_A] = 3 - (int64_t)in_count;
    c->dtype[0] = dtype;
    c->dtype_count = 1;
    c->axis[UNARY_M] = 1;
    c->axis[UNARY_N] = assay_tensor_elems(&in[0]);
    for (size_t i = 0; i < attr_count; i++) {
        enum assay_status status = take_attr(&attr[i], c, error);
        if (status) return status;
    }
    memcpy(c->of, c->axis, sizeof c->of);
    return ASSAY_OK;
}

#define AXES(table)           .axes = table, .axis_count = sizeof(table) / sizeof(table[0])
#define AXES_NONE(name)       AXES(axes_NONE)
#define AXES_FORM(name)       AXES(axes_FORM)
#define AXES_BOUNDS(name)     AXES(axes_BOUNDS)
#define AXES_ALPHA(name)      AXES(axes_##name)
#define AXES_ALPHA_BETA(name) AXES(axes_##name)

#define DEFINE(name_, onnx_, axes_, what_)                                                                   \
    extern const struct op op_##name_;                                                                       \
    const struct op op_##name_ = {                                                                           \
        .name = #name_,                                                                                      \
        .onnx = onnx_,                                                                                       \
        .what = what_,                                                                                       \
        AXES_##axes_(name_),                                                                                 \
        .dtype_sets = dtype_sets,                                                                            \
        .contract_version = 1,                                                                               \
        .signature = signature,                                                                              \
        .flops = flops,                                                                                      \
        .rows = rows,                                                                                        \
        .row_elems = row_elems,                                                                              \
        .contract = unary_contract,                                                                          \
        .f64 = unary_f64,                                                                                    \
        .contract_bound = unary_contract_bound,                                                              \
        .from_node = from_node,                                                                              \
    };
UNARY_OPS(DEFINE)

static const struct op *const ops[] = {
#define ENTRY(name, onnx, axes, what) &op_##name,
    UNARY_OPS(ENTRY)};
