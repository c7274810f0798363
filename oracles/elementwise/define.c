/* Elementwise operators with ONNX broadcasting: which cases exist, how their tensors lie, and what a row is.
 *
 * Y has up to 8 dimensions, n innermost, d1 to d7 outside it. Each input has Y's shape but for the dimensions that its
 * axis ba, bb or bc lists as bits (bit 0 = n, bit 1 = d1, ...): there its length is 1.
 * It says nothing of values: contract.c has the bits of exact mode, f64.c the float64 value. */
#include "oracles/elementwise/elementwise.h"

#include <string.h>

#define LENGTH_MOST (INT64_C(1) << 33)
#define ROW_ELEMS   4096 /* a row: so many elements of Y, one behind the other */

static const int64_t length_edges[] = {0,  1,  2,   3,   4,   5,   7,   8,   31,
                                       32, 33, 127, 128, 129, 255, 256, 257, 1025};
static const int64_t outer_edges[] = {0, 1, 2, 3, 5, 17};
static const int64_t mask_edges[] = {0, 1, 2, 3, 256 + 2, 256 + 3};
static const int64_t pad_edges[] = {0, 1, 3, 4}, offset_edges[] = {0, 1, 2, 3, 5, 63, 64, 65, 255, 257};
static const int64_t flag_edges[] = {0, 1};

#define EDGES(table) table, sizeof(table) / sizeof(table[0])
#define OUTER(at, name)                                                                                      \
    [at] = {name, -1, 1 << 24, -1, NULL, EDGES(outer_edges), "length of a dimension further out, -1 = none"}
#define MASK(at, name)                                                                                       \
    [at] = {name, 0, 511, 0, NULL, EDGES(mask_edges), "dimensions in which it has length 1, as bits"}
#define PAD(at, name) [at] = {name, 0, 65536, 0, NULL, EDGES(pad_edges), "unused elements after each row"}
#define OFFSET(at, name)                                                                                     \
    [at] = {name, 0, 1 << 20, 0, NULL, EDGES(offset_edges), "elements before it in its memory"}
#define UNARY                                                                                                \
    [ELEMENTWISE_N] = {"n",                                                                                  \
                       -1,                                                                                   \
                       LENGTH_MOST,                                                                          \
                       -2,                                                                                   \
                       NULL,                                                                                 \
                       EDGES(length_edges),                                                                  \
                       "length of the innermost dimension, -1 = none"},                                      \
    OUTER(ELEMENTWISE_D1, "d1"), OUTER(ELEMENTWISE_D1 + 1, "d2"), OUTER(ELEMENTWISE_D1 + 2, "d3"),           \
    OUTER(ELEMENTWISE_D1 + 3, "d4"), OUTER(ELEMENTWISE_D1 + 4, "d5"), OUTER(ELEMENTWISE_D1 + 5, "d6"),       \
    OUTER(ELEMENTWISE_D7, "d7"), MASK(ELEMENTWISE_BA, "ba"), PAD(ELEMENTWISE_PADA, "pada"),                  \
    OFFSET(ELEMENTWISE_OFFA, "offa"), PAD(ELEMENTWISE_PADY, "pady"), OFFSET(ELEMENTWISE_OFFY, "offy")
#define BINARY                                                                                               \
    UNARY, MASK(ELEMENTWISE_BB, "bb"), PAD(ELEMENTWISE_PADB, "padb"), OFFSET(ELEMENTWISE_OFFB, "offb")

static const struct op_axis unary_axes[ELEMENTWISE_UNARY_AXES] = {UNARY};
static const struct op_axis binary_axes[ELEMENTWISE_BINARY_AXES] = {BINARY};
static const struct op_axis mod_axes[ELEMENTWISE_MOD_AXES] = {
    BINARY,
    [ELEMENTWISE_FMOD] = {"fmod", 0, 1, 0, NULL, EDGES(flag_edges), "1: the sign of the dividend"},
};
static const struct op_axis ternary_axes[ELEMENTWISE_TERNARY_AXES] = {
    BINARY,
    MASK(ELEMENTWISE_BC, "bc"),
    PAD(ELEMENTWISE_PADC, "padc"),
    OFFSET(ELEMENTWISE_OFFC, "offc"),
};

static const char *const numbers[] = {"f32", "f16", "bf16", "i32", "i64", "i8", "u8", NULL};
static const char *const all_types[] = {"f32", "f16", "bf16", "i32", "i64", "i8", "u8", "bool", NULL};
static const char *const booleans[] = {"bool", NULL};
#define CASTS(from)                                                                                          \
    from ".f32", from ".f16", from ".bf16", from ".i32", from ".i64", from ".i8", from ".u8", from ".bool"
static const char *const casts[] = {CASTS("f32"), CASTS("f16"), CASTS("bf16"), CASTS("i32"), CASTS("i64"),
                                    CASTS("i8"),  CASTS("u8"),  CASTS("bool"), NULL};

static bool is_float(enum assay_dtype dtype)
{
    return dtype == ASSAY_F32 || dtype == ASSAY_F16 || dtype == ASSAY_BF16;
}

static bool takes(const struct op *op, enum assay_dtype dtype)
{
    if (op->dtype_sets == casts) return assay_dtype_bytes(dtype) && dtype != ASSAY_F64;
    for (const char *const *set = op->dtype_sets; *set; ++set)
        if (!strcmp(*set, assay_dtype_name(dtype))) return true;
    return false;
}

/* ---- layout ---- */

static const int mask_axis[] = {ELEMENTWISE_BA, ELEMENTWISE_BB, ELEMENTWISE_BC};
static const int pad_axis[] = {ELEMENTWISE_PADA, ELEMENTWISE_PADB, ELEMENTWISE_PADC};
static const int offset_axis[] = {ELEMENTWISE_OFFA, ELEMENTWISE_OFFB, ELEMENTWISE_OFFC};

static size_t inputs_of(enum elementwise_op op)
{
    return op == ELEMENTWISE_WHERE ? 3 : op == ELEMENTWISE_NOT || op == ELEMENTWISE_CAST ? 1 : 2;
}

/* Y's dimensions, outermost first, by axis. */
static uint32_t dimensions(const struct op_case *c, int axis[ASSAY_RANK_MAX])
{
    uint32_t rank = 0;
    for (int d = ELEMENTWISE_D7; d >= ELEMENTWISE_N; --d)
        if (c->axis[d] >= 0) axis[rank++] = d;
    return rank;
}

static enum assay_status lay_out(const struct op_case *c, struct op_operand *operand, const char *name,
                                 enum assay_dtype dtype, int64_t mask, int64_t pad, int64_t offset,
                                 struct assay_error *error)
{
    int axis[ASSAY_RANK_MAX];
    const uint32_t rank = dimensions(c, axis);
    struct assay_tensor *t = &operand->tensor;
    bool leading = (mask & ELEMENTWISE_DROP) != 0;
    operand->name = name;
    operand->reduced = -1;
    t->dtype = dtype;
    t->rank = 0;
    for (uint32_t d = 0; d < rank; ++d) {
        const bool one = mask >> axis[d] & 1;
        leading = leading && one;
        if (leading) continue;
        t->shape[t->rank] = one ? 1 : c->axis[axis[d]];
        operand->axis_of[t->rank++] = one ? -1 : axis[d];
    }
    for (uint32_t d = t->rank; d < ASSAY_RANK_MAX; ++d) operand->axis_of[d] = -1;
    int64_t step = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        t->stride[d] = step > 0 ? step : 1;
        if (__builtin_mul_overflow(step, t->shape[d] > 0 ? t->shape[d] : 1, &step) || step > OP_ELEMS_MOST)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s has more than %lld elements",
                                   c->op->name, name, (long long)OP_ELEMS_MOST);
        if (d + 1 == t->rank && t->rank > 1) step += pad;
    }
    t->offset = offset;
    t->bytes = (uint64_t)assay_tensor_extent(t) * assay_dtype_bytes(dtype);
    return ASSAY_OK;
}

static enum assay_status signature(const struct op_case *c, struct op_signature *sig,
                                   struct assay_error *error)
{
    static const char *const names[] = {"A", "B", "C"};
    static const int64_t onnx_type[] = {
        [ASSAY_F32] = 1, [ASSAY_F16] = 10, [ASSAY_BF16] = 16, [ASSAY_I8] = 3,
        [ASSAY_U8] = 2,  [ASSAY_I32] = 6,  [ASSAY_I64] = 7,   [ASSAY_BOOL] = 9};
    const enum elementwise_op op = elementwise_op_of(c);
    *sig = (struct op_signature){
        .onnx = c->op->onnx, .input_count = inputs_of(op), .output_count = 1, .item_wise = true};
    const bool cast = op == ELEMENTWISE_CAST;
    if (c->dtype_count != (cast ? 2 : 1) || !takes(c->op, c->dtype[0]) || !takes(c->op, c->dtype[cast]))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: no such dtypes", c->op->name);
    enum assay_status status = op_axes_check(c, error);
    if (status) return status;
    for (int d = ELEMENTWISE_N; d < ELEMENTWISE_D7; ++d)
        if (c->axis[d] < 0 && c->axis[d + 1] >= 0)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: there is %s but no %s", c->op->name,
                                   c->op->axes[d + 1].name, c->op->axes[d].name);
    if (op == ELEMENTWISE_MOD && is_float(c->dtype[0]) && !c->axis[ELEMENTWISE_FMOD])
        return assay_error_set(error, ASSAY_INVALID_INPUT, "mod: floats need fmod=1");

    int64_t common = 511;
    for (size_t i = 0; i < sig->input_count && !status; ++i) {
        const enum assay_dtype dtype = op == ELEMENTWISE_WHERE && i == 0 ? ASSAY_BOOL : c->dtype[0];
        common &= c->axis[mask_axis[i]];
        status = lay_out(c, &sig->input[i], names[i], dtype, c->axis[mask_axis[i]], c->axis[pad_axis[i]],
                         c->axis[offset_axis[i]], error);
    }
    if (status) return status;
    int axis[ASSAY_RANK_MAX];
    const uint32_t rank = dimensions(c, axis);
    for (uint32_t d = 0; d < rank; ++d) {
        const bool nobody = common >> axis[d] & 1, dropped = d == 0 && (common & ELEMENTWISE_DROP);
        if (nobody && (c->axis[axis[d]] != 1 || dropped))
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s: no input has the length %lld of dimension %s", c->op->name,
                                   (long long)c->axis[axis[d]], c->op->axes[axis[d]].name);
    }
    const bool to_bool = op >= ELEMENTWISE_EQUAL && op <= ELEMENTWISE_NOT;
    if (op == ELEMENTWISE_MOD)
        sig->attr[sig->attr_count++] =
            (struct assay_attr){.name = "fmod", .kind = ASSAY_ATTR_INT, .i = c->axis[ELEMENTWISE_FMOD]};
    if (cast)
        sig->attr[sig->attr_count++] =
            (struct assay_attr){.name = "to", .kind = ASSAY_ATTR_INT, .i = onnx_type[c->dtype[1]]};
    return lay_out(c, &sig->output[0], "Y",
                   cast      ? c->dtype[1]
                   : to_bool ? ASSAY_BOOL
                             : c->dtype[0],
                   0, c->axis[ELEMENTWISE_PADY], c->axis[ELEMENTWISE_OFFY], error);
}

/* ---- work and rows ---- */

static int64_t elems(const struct op_case *c)
{
    int64_t count = 1;
    for (int d = ELEMENTWISE_N; d <= ELEMENTWISE_D7; ++d)
        if (c->axis[d] >= 0) count *= c->axis[d];
    return count;
}

static double flops(const struct op_case *c)
{
    return (double)elems(c);
}

static int64_t rows(const struct op_case *c)
{
    return (elems(c) + ROW_ELEMS - 1) / ROW_ELEMS;
}

static int64_t row_elems(const struct op_case *c, int64_t row, int64_t *first)
{
    *first = row * ROW_ELEMS;
    const int64_t left = elems(c) - *first;
    return left < ROW_ELEMS ? left : ROW_ELEMS;
}

/* ---- nodes of other people's models ---- */

static enum assay_status from_node(const struct assay_attr *attr, size_t attr_count,
                                   const struct assay_tensor *in, size_t in_count,
                                   const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                   struct assay_error *error)
{
    const enum elementwise_op op = elementwise_op_of(c);
    const char *onnx = c->op->onnx;
    const size_t first = op == ELEMENTWISE_WHERE ? 1 : 0;
    if (in_count != inputs_of(op) || out_count != 1)
        return assay_error_set(error, ASSAY_UNSUPPORTED,
                               "%s takes exactly %zu inputs and 1 output, not %zu and %zu", onnx,
                               inputs_of(op), in_count, out_count);
    for (size_t i = 0; i < attr_count; ++i) {
        const bool known = op == ELEMENTWISE_MOD
                               ? !strcmp(attr[i].name, "fmod")
                               : op == ELEMENTWISE_CAST &&
                                     (!strcmp(attr[i].name, "to") || !strcmp(attr[i].name, "saturate"));
        if (!known || attr[i].kind != ASSAY_ATTR_INT)
            return assay_error_set(error, ASSAY_UNSUPPORTED, "%s has no attribute %s", onnx, attr[i].name);
        if (op == ELEMENTWISE_MOD) c->axis[ELEMENTWISE_FMOD] = attr[i].i != 0;
    }
    for (size_t i = first; i < in_count; ++i)
        if (in[i].dtype != in[first].dtype || !takes(c->op, in[i].dtype))
            return assay_error_set(error, ASSAY_UNSUPPORTED, "%s of %s is not defined here", onnx,
                                   assay_dtype_name(in[i].dtype));
    const bool to_bool = op >= ELEMENTWISE_EQUAL && op <= ELEMENTWISE_NOT, cast = op == ELEMENTWISE_CAST;
    if ((first && in[0].dtype != ASSAY_BOOL) ||
        (cast ? !takes(c->op, out[0].dtype) : out[0].dtype != (to_bool ? ASSAY_BOOL : in[first].dtype)))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "%s of %s to %s is not defined here", onnx,
                               assay_dtype_name(in[first].dtype), assay_dtype_name(out[0].dtype));
    if (op == ELEMENTWISE_MOD && is_float(in[0].dtype) && !c->axis[ELEMENTWISE_FMOD])
        return assay_error_set(error, ASSAY_UNSUPPORTED, "Mod of floats needs fmod = 1");
    const struct assay_tensor *y = &out[0];
    for (uint32_t d = 0; d < y->rank; ++d) {
        int64_t length = 1;
        for (size_t i = 0; i < in_count; ++i) {
            if (in[i].rank > y->rank)
                return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: an input has more dimensions than Y",
                                       onnx);
            const int64_t own = d + in[i].rank < y->rank ? 1 : in[i].shape[d + in[i].rank - y->rank];
            if (own != 1 && length != 1 && own != length)
                return assay_error_set(error, ASSAY_INVALID_INPUT,
                                       "%s: lengths %lld and %lld do not broadcast", onnx, (long long)length,
                                       (long long)own);
            if (own != 1) length = own;
        }
        if (length != y->shape[d])
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: the output's shape is not the inputs'",
                                   onnx);
    }
    c->dtype[0] = in[first].dtype;
    c->dtype[1] = out[0].dtype;
    c->dtype_count = cast ? 2 : 1;
    for (int d = ELEMENTWISE_N; d <= ELEMENTWISE_D7; ++d)
        c->axis[d] = (uint32_t)d < y->rank ? y->shape[y->rank - 1 - (uint32_t)d] : -1;
    memcpy(c->of, c->axis, sizeof c->of);
    return ASSAY_OK;
}

/* ---- the table ---- */

#define AXES_unary   .axes = unary_axes, .axis_count = ELEMENTWISE_UNARY_AXES
#define AXES_binary  .axes = binary_axes, .axis_count = ELEMENTWISE_BINARY_AXES
#define AXES_mod     .axes = mod_axes, .axis_count = ELEMENTWISE_MOD_AXES
#define AXES_ternary .axes = ternary_axes, .axis_count = ELEMENTWISE_TERNARY_AXES
#define REAL         .f64 = elementwise_f64, .contract_bound = elementwise_contract_bound,
#define NONE

/* OP(name, ONNX, number, axes, dtypes, float64?, in words) */
#define OPERATORS(OP)                                                                                        \
    OP(add, "Add", ELEMENTWISE_ADD, binary, numbers, REAL, "sum of two tensors")                             \
    OP(sub, "Sub", ELEMENTWISE_SUB, binary, numbers, REAL, "difference of two tensors")                      \
    OP(mul, "Mul", ELEMENTWISE_MUL, binary, numbers, REAL, "product element by element")                     \
    OP(div, "Div", ELEMENTWISE_DIV, binary, numbers, REAL, "quotient; integers truncate, x / 0 is 0")        \
    OP(min, "Min", ELEMENTWISE_MIN, binary, numbers, NONE, "the smaller; NaN wins, -0 is below +0")          \
    OP(max, "Max", ELEMENTWISE_MAX, binary, numbers, NONE, "the larger; NaN wins, +0 is above -0")           \
    OP(mod, "Mod", ELEMENTWISE_MOD, mod, numbers, NONE, "remainder with the divisor's or dividend's sign")   \
    OP(equal, "Equal", ELEMENTWISE_EQUAL, binary, all_types, NONE, "a = b; NaN equals nothing")              \
    OP(less, "Less", ELEMENTWISE_LESS, binary, numbers, NONE, "a < b")                                       \
    OP(less_or_equal, "LessOrEqual", ELEMENTWISE_LESS_OR_EQUAL, binary, numbers, NONE, "a <= b")             \
    OP(greater, "Greater", ELEMENTWISE_GREATER, binary, numbers, NONE, "a > b")                              \
    OP(greater_or_equal, "GreaterOrEqual", ELEMENTWISE_GREATER_OR_EQUAL, binary, numbers, NONE, "a >= b")    \
    OP(and, "And", ELEMENTWISE_AND, binary, booleans, NONE, "both")                                          \
    OP(or, "Or", ELEMENTWISE_OR, binary, booleans, NONE, "one or both")                                      \
    OP(xor, "Xor", ELEMENTWISE_XOR, binary, booleans, NONE, "one but not both")                              \
    OP(not, "Not", ELEMENTWISE_NOT, unary, booleans, NONE, "the other boolean")                              \
    OP(where, "Where", ELEMENTWISE_WHERE, ternary, all_types, NONE, "B where A is true, else C")             \
    OP(cast, "Cast", ELEMENTWISE_CAST, unary, casts, NONE, "another element type")

#define DEFINE(name_, onnx_, number, axes_, dtypes, real, what_)                                             \
    const struct op op_##name_ = {.name = #name_,                                                            \
                                  .onnx = onnx_,                                                             \
                                  .what = what_,                                                             \
                                  AXES_##axes_,                                                              \
                                  .dtype_sets = dtypes,                                                      \
                                  .contract_version = 1,                                                     \
                                  .signature = signature,                                                    \
                                  .flops = flops,                                                            \
                                  .rows = rows,                                                              \
                                  .row_elems = row_elems,                                                    \
                                  .contract = elementwise_contract,                                          \
                                  real.from_node = from_node};
OPERATORS(DEFINE)

#define NUMBER(name, onnx, number, axes, dtypes, real, what) [number] = &op_##name,
static const struct op *const table[ELEMENTWISE_OPS] = {OPERATORS(NUMBER)};

enum elementwise_op elementwise_op_of(const struct op_case *c)
{
    for (int i = 0; i < ELEMENTWISE_OPS; ++i)
        if (table[i] == c->op) return (enum elementwise_op)i;
    return ELEMENTWISE_OPS;
}
