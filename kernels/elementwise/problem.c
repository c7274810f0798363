/* Reading calls of elementwise operators: shapes, broadcasting, attributes; and where their tensors are bound.
 *
 * Knows shapes, strides and limits; no device code and no element. */
#include "kernels/elementwise/elementwise.h"

#include <inttypes.h>
#include <string.h>

#define BINDING_ALIGN 256 /* a binding starts at a multiple */

enum { FLOATS = 1, INTEGERS = 2, BOOLEANS = 4, ANY = FLOATS | INTEGERS | BOOLEANS };

static const struct {
    const char *onnx;
    uint32_t inputs, takes;
    bool to_bool;
} table[EW_OPS] = {
    [EW_ADD] = {"Add", 2, FLOATS | INTEGERS, false},
    [EW_SUB] = {"Sub", 2, FLOATS | INTEGERS, false},
    [EW_MUL] = {"Mul", 2, FLOATS | INTEGERS, false},
    [EW_DIV] = {"Div", 2, FLOATS | INTEGERS, false},
    [EW_MIN] = {"Min", 2, FLOATS | INTEGERS, false},
    [EW_MAX] = {"Max", 2, FLOATS | INTEGERS, false},
    [EW_MOD] = {"Mod", 2, FLOATS | INTEGERS, false},
    [EW_EQUAL] = {"Equal", 2, ANY, true},
    [EW_LESS] = {"Less", 2, FLOATS | INTEGERS, true},
    [EW_LESS_EQUAL] = {"LessOrEqual", 2, FLOATS | INTEGERS, true},
    [EW_GREATER] = {"Greater", 2, FLOATS | INTEGERS, true},
    [EW_GREATER_EQUAL] = {"GreaterOrEqual", 2, FLOATS | INTEGERS, true},
    [EW_AND] = {"And", 2, BOOLEANS, true},
    [EW_OR] = {"Or", 2, BOOLEANS, true},
    [EW_XOR] = {"Xor", 2, BOOLEANS, true},
    [EW_NOT] = {"Not", 1, BOOLEANS, true},
    [EW_WHERE] = {"Where", 3, ANY, false},
    [EW_CAST] = {"Cast", 1, ANY, false},
};

static uint32_t class_of(enum assay_dtype dtype)
{
    switch (dtype) {
    case ASSAY_F32:
    case ASSAY_F16:
    case ASSAY_BF16:
        return FLOATS;
    case ASSAY_I8:
    case ASSAY_U8:
    case ASSAY_I32:
    case ASSAY_I64:
        return INTEGERS;
    case ASSAY_BOOL:
        return BOOLEANS;
    default:
        return 0;
    }
}

/* ---- attributes and types ---- */

/* ONNX's numbers of element types. */
static int64_t onnx_type(enum assay_dtype dtype)
{
    static const int64_t number[] = {[ASSAY_F32] = 1, [ASSAY_F16] = 10, [ASSAY_BF16] = 16, [ASSAY_I8] = 3,
                                     [ASSAY_U8] = 2,  [ASSAY_I32] = 6,  [ASSAY_I64] = 7,   [ASSAY_BOOL] = 9};
    return class_of(dtype) ? number[dtype] : 0;
}

static bool read_attributes(const struct assay_call *call, struct elementwise_problem *p, char why[160])
{
    int64_t fmod = 0;
    for (size_t i = 0; i < call->attr_count; i++) {
        const struct assay_attr *attr = &call->attrs[i];
        const bool integer = attr->kind == ASSAY_ATTR_INT;
        if (p->op == EW_MOD && integer && strcmp(attr->name, "fmod") == 0)
            fmod = attr->i;
        else if (p->op == EW_CAST && integer && strcmp(attr->name, "to") == 0) {
            if (attr->i != onnx_type(call->output[0].dtype))
                return assay_refuse(why, "to is %" PRId64 ", and the output is %s", attr->i,
                                    assay_dtype_name(call->output[0].dtype));
        } else if (!(p->op == EW_CAST && integer && strcmp(attr->name, "saturate") == 0))
            return assay_refuse(why, "%s has no attribute %.60s", call->op, attr->name);
    }
    if (fmod != 0 && fmod != 1) return assay_refuse(why, "fmod is %" PRId64 ", 0 and 1 are taken", fmod);
    if (p->op != EW_MOD) return true;
    if (ew_is_float(p->from) && !fmod)
        return assay_refuse(why, "Mod of %s needs fmod = 1", assay_dtype_name(call->input[0].dtype));
    if (fmod) p->op = EW_FMOD;
    return true;
}

static bool read_types(const struct assay_call *call, struct elementwise_problem *p, char why[160])
{
    const uint32_t op = p->op, first = op == EW_WHERE ? 1 : 0;
    const enum assay_dtype from = call->input[first].dtype, to = call->output[0].dtype;
    if (op == EW_WHERE && call->input[0].dtype != ASSAY_BOOL)
        return assay_refuse(why, "the condition is %s, only bool is taken",
                            assay_dtype_name(call->input[0].dtype));
    for (size_t i = first; i < call->input_count; i++)
        if (call->input[i].dtype != from)
            return assay_refuse(why, "inputs are %s and %s: they must be of one type", assay_dtype_name(from),
                                assay_dtype_name(call->input[i].dtype));
    if (!(class_of(from) & table[op].takes))
        return assay_refuse(why, "%s of %s is not taken", call->op, assay_dtype_name(from));
    const enum assay_dtype want = op == EW_CAST ? to : table[op].to_bool ? ASSAY_BOOL : from;
    if (to != want || !class_of(to))
        return assay_refuse(why, "%s of %s makes no %s", call->op, assay_dtype_name(from),
                            assay_dtype_name(to));
    p->from = from;
    p->to = to;
    return true;
}

/* ---- shapes ---- */

/* Length and stride of dimension d, counted in Y, of an operand that may have fewer. */
static bool dimension(const struct assay_tensor *t, const struct assay_tensor *y, uint32_t d, int64_t *stride)
{
    *stride = 0;
    if (d + t->rank < y->rank) return true;
    const uint32_t own = d + t->rank - y->rank;
    if (t->shape[own] == 1) return true;
    *stride = t->stride[own];
    return t->shape[own] == y->shape[d];
}

/* Y's shape is what the inputs' broadcast to: a length of Y that no input has would be wrong too. */
static bool broadcast(const struct assay_call *call, struct elementwise_problem *p, char why[160])
{
    const struct assay_tensor *y = &call->output[0];
    p->count = assay_tensor_elems(y);
    uint32_t rank = 0;
    for (uint32_t i = 0; i < p->inputs; i++)
        if (call->input[i].rank > rank) rank = call->input[i].rank;
    if (rank != y->rank)
        return assay_refuse(why, "the inputs' shapes make %u dimensions, Y has %u", rank, y->rank);
    for (uint32_t d = 0; d < rank; d++) {
        bool has = false;
        p->shape[d] = y->shape[d];
        p->stride[ELEMENTWISE_Y][d] = y->stride[d];
        for (uint32_t i = 0; i < p->inputs; i++) {
            if (!dimension(&call->input[i], y, d, &p->stride[i][d]))
                return assay_refuse(why, "dimension %u of input %u does not broadcast to Y's length %" PRId64,
                                    d, i, y->shape[d]);
            const struct assay_tensor *t = &call->input[i];
            has |= d + t->rank >= rank && t->shape[d + t->rank - rank] == y->shape[d];
        }
        if (!has)
            return assay_refuse(why, "Y's length %" PRId64 " of dimension %u comes from no input",
                                y->shape[d], d);
    }
    p->rank = rank;
    return true;
}

/* Drop dimensions of length 1, join those that lie one in the other for every operand. At least one is left. */
static void collapse(struct elementwise_problem *p)
{
    uint32_t kept = 0;
    for (uint32_t d = 0; d < p->rank; d++) {
        if (p->shape[d] == 1) continue;
        bool joins = kept > 0;
        for (int i = 0; i < ELEMENTWISE_OPERANDS && joins; i++)
            joins = p->stride[i][kept - 1] == p->stride[i][d] * p->shape[d];
        const uint32_t to = joins ? kept - 1 : kept++;
        p->shape[to] = joins ? p->shape[to] * p->shape[d] : p->shape[d];
        for (int i = 0; i < ELEMENTWISE_OPERANDS; i++) p->stride[i][to] = p->stride[i][d];
    }
    if (kept == 0) {
        p->shape[0] = 1;
        for (int i = 0; i < ELEMENTWISE_OPERANDS; i++) p->stride[i][0] = 0;
        kept = 1;
    }
    p->rank = kept;
}

bool elementwise_read(const struct assay_call *call, struct elementwise_problem *p, char why[160])
{
    memset(p, 0, sizeof *p);
    for (p->op = 0; p->op < EW_OPS; p->op++)
        if (table[p->op].onnx && strcmp(table[p->op].onnx, call->op) == 0) break;
    if (p->op == EW_OPS) return assay_refuse(why, "%.40s is no elementwise operator here", call->op);
    p->inputs = table[p->op].inputs;
    if (call->input_count != p->inputs || call->output_count != 1)
        return assay_refuse(why, "%s takes exactly %u inputs and 1 output, not %zu and %zu", call->op,
                            p->inputs, call->input_count, call->output_count);
    if (!read_types(call, p, why) || !read_attributes(call, p, why) || !broadcast(call, p, why)) return false;
    for (uint32_t i = 0; i < p->inputs; i++) p->tensor[i] = &call->input[i];
    p->tensor[ELEMENTWISE_Y] = &call->output[0];
    if (p->count == 0) return true;
    collapse(p);
    for (uint32_t d = 0; d < p->rank; d++)
        if (p->shape[d] > 1 && p->stride[ELEMENTWISE_Y][d] == 0)
            return assay_refuse(why, "Y's strides let several elements share one place");
    /* Strides may still fold elements onto one place: sorted by stride, each must reach past all smaller ones. */
    int64_t reach = 1;
    bool used[ASSAY_RANK_MAX] = {false};
    for (uint32_t n = 0; n < p->rank; n++) {
        uint32_t least = p->rank;
        for (uint32_t d = 0; d < p->rank; d++)
            if (!used[d] &&
                (least == p->rank || p->stride[ELEMENTWISE_Y][d] < p->stride[ELEMENTWISE_Y][least]))
                least = d;
        used[least] = true;
        if (p->shape[least] > 1 && p->stride[ELEMENTWISE_Y][least] < reach)
            return assay_refuse(why, "Y's strides let several elements share one place");
        reach += (p->shape[least] - 1) * p->stride[ELEMENTWISE_Y][least];
    }
    return true;
}

/* ---- arguments ---- */

static bool is_flat(const struct elementwise_problem *p)
{
    bool flat = p->rank == 1;
    for (int i = 0; i < ELEMENTWISE_OPERANDS; i++) flat &= p->stride[i][0] <= 1;
    return flat;
}

static bool is_dense(const struct elementwise_problem *p)
{
    int64_t step = 1;
    for (uint32_t d = p->rank; d-- > 0;) {
        if (p->shape[d] > 1 && p->stride[ELEMENTWISE_Y][d] != step) return false;
        step *= p->shape[d];
    }
    return true;
}

bool elementwise_push_fill(const struct elementwise_problem *p, struct elementwise_push *push, char why[160])
{
    memset(push, 0, sizeof *push);
    push->count_low = (uint32_t)p->count;
    push->count_high = (uint32_t)((uint64_t)p->count >> 32);
    const uint32_t flags = (is_flat(p) ? ELEMENTWISE_FLAT : 0) | (is_dense(p) ? ELEMENTWISE_DENSE : 0);
    push->what = p->op | p->from << 8 | p->to << 16 | p->rank << 24 | flags << 28;
    uint32_t used = 0;
    for (uint32_t d = 0; d < p->rank; d++) {
        /* The outermost length is never divided by. */
        if (d > 0 && p->shape[d] > UINT32_MAX)
            return assay_refuse(why, "an inner dimension has %" PRId64 " elements, at most 4294967295",
                                p->shape[d]);
        push->word[used++] = (uint32_t)p->shape[d];
    }
    for (uint32_t d = p->rank; d-- > 0;)
        for (uint32_t i = 0; i < ELEMENTWISE_OPERANDS; i++) {
            const int64_t stride = p->stride[i][d];
            if (stride == 0) continue;
            if (used == ELEMENTWISE_WORDS)
                return assay_refuse(why,
                                    "%u dimensions that cannot be joined, with more strides than the %d words"
                                    " of a kernel's arguments",
                                    p->rank, ELEMENTWISE_WORDS);
            if (stride > UINT32_MAX)
                return assay_refuse(why, "a stride of %" PRId64 " elements, at most 4294967295", stride);
            push->mask |= 1u << (8 * i + d);
            push->word[used++] = (uint32_t)stride;
        }
    return true;
}

static bool bind_one(const struct elementwise_problem *p, uint32_t operand, int64_t first, int64_t count,
                     uint64_t most, uint32_t *start, struct assay_step *step, uint32_t slot, char why[160])
{
    const struct assay_tensor *t = p->tensor[operand];
    const uint64_t size = assay_dtype_bytes(t->dtype);
    int64_t from = t->offset, last = 0; /* elements */
    if (is_flat(p)) {
        from += first * p->stride[operand][0];
        last = (count - 1) * p->stride[operand][0];
    } else {
        for (uint32_t d = 0; d < p->rank; d++) last += (p->shape[d] - 1) * p->stride[operand][d];
    }
    const uint64_t base = (uint64_t)from * size / BINDING_ALIGN * BINDING_ALIGN;
    const uint64_t bytes = (uint64_t)(from + last + 1) * size - base, rounded = (bytes + 3) & ~(uint64_t)3;
    *start = (uint32_t)(((uint64_t)from * size - base) / size);
    step->bind[slot].role = operand == ELEMENTWISE_Y ? ASSAY_ROLE_OUTPUT : ASSAY_ROLE_INPUT;
    step->bind[slot].index = operand == ELEMENTWISE_Y ? 0 : operand;
    step->bind[slot].offset_bytes = base;
    /* Shaders see words. A buffer ends with a whole one, but no binding may say so: such a one goes on to the end. */
    step->bind[slot].bytes = base + rounded <= t->bytes ? rounded : 0;
    if (rounded > most)
        return assay_refuse(why,
                            "%s takes a binding of %" PRIu64 " bytes, the storage-binding limit is %" PRIu64,
                            operand == ELEMENTWISE_Y ? "Y" : "an input", rounded, most);
    return true;
}

bool elementwise_bind(const struct elementwise_problem *p, int64_t first, int64_t count, uint64_t most,
                      struct elementwise_push *push, struct assay_step *step, char why[160])
{
    uint32_t slot = 0, start[ELEMENTWISE_OPERANDS] = {0};
    bool vector = is_flat(p);
    push->start = 0;
    for (uint32_t i = 0; i < ELEMENTWISE_OPERANDS; i++) {
        if (!p->tensor[i]) continue;
        if (!bind_one(p, i, first, count, most, &start[i], step, slot++, why)) return false;
        push->start |= start[i] << (8 * i);
        vector &= p->stride[i][0] == 0 || start[i] % 4 == 0;
    }
    if (vector && p->stride[ELEMENTWISE_Y][0] == 1) push->what |= ELEMENTWISE_VECTOR << 28;
    push->count_low = (uint32_t)count;
    push->count_high = (uint32_t)((uint64_t)count >> 32);
    step->program.bindings = slot;
    step->program.push_bytes = sizeof *push;
    memcpy(step->push, push, sizeof *push);
    return true;
}
