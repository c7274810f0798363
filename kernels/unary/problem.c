/* Reading calls of elementwise operators, and their plans: one dispatch, the same on every backend but for the program.
 *
 * Knows shapes, attributes and limits; no device code. */
#include "kernels/unary/unary.h"

#include <inttypes.h>
#include <string.h>

#define BINDING_ALIGN 256 /* a binding starts at a multiple */
#define PACKED_ALIGN  16

enum beside { BESIDE_NONE, BESIDE_FORM, BESIDE_ALPHA, BESIDE_ALPHA_BETA, BESIDE_BOUNDS };

static const struct {
    const char *onnx;
    enum beside beside;
} functions[UNARY_COUNT] = {
#define ROW(name, onnx_, beside_) [UNARY_##name] = {.onnx = onnx_, .beside = BESIDE_##beside_},
    UNARY_PROGRAMS(ROW)
#undef ROW
};
/* What ONNX says where the node does not. */
static const struct {
    float alpha, beta;
} defaults[UNARY_COUNT] = {
    [UNARY_leaky_relu] = {0.01f, 0},
    [UNARY_elu] = {1, 0},
    [UNARY_thresholded_relu] = {1, 0},
    [UNARY_hard_sigmoid] = {0.2f, 0.5f},
};

/* A call, read: what the plan is made of. */
struct problem {
    enum unary_function function;
    float a, b;
    uint64_t rows, cols, x_row, x_col, y_row, y_col;
};

/* ---- attributes ---- */

static bool read_attrs(const struct assay_call *call, struct problem *p, char why[160])
{
    const enum beside beside = functions[p->function].beside;
    p->a = defaults[p->function].alpha;
    p->b = defaults[p->function].beta;
    for (size_t i = 0; i < call->attr_count; i++) {
        const struct assay_attr *attr = &call->attrs[i];
        const bool alpha = strcmp(attr->name, "alpha") == 0, beta = strcmp(attr->name, "beta") == 0;
        if (attr->kind == ASSAY_ATTR_FLOAT && alpha &&
            (beside == BESIDE_ALPHA || beside == BESIDE_ALPHA_BETA))
            p->a = attr->f;
        else if (attr->kind == ASSAY_ATTR_FLOAT && beta && beside == BESIDE_ALPHA_BETA)
            p->b = attr->f;
        else if (attr->kind != ASSAY_ATTR_STRING || beside != BESIDE_FORM ||
                 strcmp(attr->name, "approximate") != 0)
            return assay_refuse(why, "%s has no attribute %.40s of this kind", call->op, attr->name);
        else if (strcmp(attr->s, "tanh") == 0)
            p->function = UNARY_gelu_tanh;
        else if (strcmp(attr->s, "none") != 0)
            return assay_refuse(why, "approximate is %.40s; there are none and tanh", attr->s);
    }
    return true;
}

/* ---- layouts ---- */

struct dimension {
    int64_t length, x, y; /* strides */
};

/* Two elements of Y in one place would be a race. */
static bool folds(const struct assay_tensor *y)
{
    int64_t extent = 1, least = 0;
    for (uint32_t found = 0; found < y->rank; found++) {
        int64_t next = INT64_MAX, length = 1;
        for (uint32_t d = 0; d < y->rank; d++)
            if (y->shape[d] > 1 && y->stride[d] > least && y->stride[d] < next) {
                next = y->stride[d];
                length = y->shape[d];
            }
        if (next == INT64_MAX) break;
        if (next < extent) return true;
        extent = next * (length - 1) + extent;
        least = next;
    }
    for (uint32_t d = 0; d < y->rank; d++) {
        if (y->shape[d] < 2) continue;
        if (y->stride[d] == 0) return true;
        for (uint32_t e = 0; e < d; e++)
            if (y->shape[e] > 1 && y->stride[e] == y->stride[d]) return true;
    }
    return false;
}

/* Dimensions outer and inner that are one in both tensors. */
static bool joins(const struct dimension *outer, const struct dimension *inner)
{
    return outer->x == inner->length * inner->x && outer->y == inner->length * inner->y;
}

/* Rows and columns of what both tensors are, or a refusal. */
static bool read_layout(const struct assay_tensor *x, const struct assay_tensor *y, struct problem *p,
                        char why[160])
{
    struct dimension list[ASSAY_RANK_MAX + 2] = {{1, 0, 0}, {1, 0, 0}};
    uint32_t count = 0;
    for (uint32_t d = 0; d < x->rank; d++) {
        if (x->shape[d] == 1) continue;
        const struct dimension next = {x->shape[d], x->stride[d], y->stride[d]};
        if (count && joins(&list[count - 1], &next))
            list[count - 1] = (struct dimension){list[count - 1].length * next.length, next.x, next.y};
        else
            list[count++] = next;
    }
    if (count > 2)
        return assay_refuse(why, "%u dimensions that do not lie one behind the other, at most 2", count);
    if (count < 2) {
        list[1] = count ? list[0] : (struct dimension){1, 1, 1};
        list[0] = (struct dimension){1, 0, 0};
    }
    if (list[0].y == 1 && list[0].length > 1 && list[1].y != 1) { /* both by columns, or Y alone */
        const struct dimension other = list[0];
        list[0] = list[1];
        list[1] = other;
        if (joins(&list[0], &list[1])) {
            list[1].length *= list[0].length;
            list[0] = (struct dimension){1, 0, 0};
        }
    }
    p->rows = (uint64_t)list[0].length;
    p->cols = (uint64_t)list[1].length;
    p->x_row = (uint64_t)list[0].x;
    p->x_col = (uint64_t)list[1].x;
    p->y_row = (uint64_t)list[0].y;
    p->y_col = (uint64_t)list[1].y;
    return true;
}

static bool fits(const struct unary_backend *backend, const struct assay_device_info *info,
                 const struct assay_tensor *t, const char *name, char why[160])
{
    const uint64_t extent = (uint64_t)assay_tensor_extent(t);
    const uint64_t bytes = (extent * assay_dtype_bytes(t->dtype) + 3) / 4 * 4,
                   most = info->limits.binding_bytes;
    if (extent > backend->elems_most)
        return assay_refuse(why, "%s spans %" PRIu64 " elements, this kernel counts to %" PRIu64, name,
                            extent, backend->elems_most);
    if (most && bytes > most)
        return assay_refuse(why, "%s spans %" PRIu64 " bytes, a binding has at most %" PRIu64, name, bytes,
                            most);
    return true;
}

static bool read_call(const struct unary_backend *backend, const struct assay_device_info *info,
                      const struct assay_call *call, enum assay_dtype dtype, struct problem *p, char why[160])
{
    const struct assay_tensor *x = &call->input[0], *y = &call->output[0];
    int function = 0;
    while (function < UNARY_gelu_tanh && strcmp(functions[function].onnx, call->op) != 0) function++;
    if (function == UNARY_gelu_tanh) return assay_refuse(why, "%.40s is no elementwise operator", call->op);
    p->function = (enum unary_function)function;
    const size_t most = functions[function].beside == BESIDE_BOUNDS ? 3 : 1;
    if (call->input_count < 1 || call->input_count > most || call->output_count != 1)
        return assay_refuse(why, "%s has 1 to %zu inputs and 1 output, not %zu and %zu", call->op, most,
                            call->input_count, call->output_count);
    for (size_t i = 0; i < call->input_count; i++)
        if (call->input[i].dtype != dtype)
            return assay_refuse(why, "input %zu is %s, this kernel takes %s", i,
                                assay_dtype_name(call->input[i].dtype), assay_dtype_name(dtype));
    if (y->dtype != dtype)
        return assay_refuse(why, "Y is %s, this kernel gives %s", assay_dtype_name(y->dtype),
                            assay_dtype_name(dtype));
    bool same = x->rank == y->rank;
    for (uint32_t d = 0; same && d < x->rank; d++) same = x->shape[d] == y->shape[d];
    if (!same) return assay_refuse(why, "X and Y have different shapes");
    for (size_t i = 1; i < call->input_count; i++)
        if (assay_tensor_elems(&call->input[i]) != 1)
            return assay_refuse(why, "a bound of Clip is no scalar");
    if (assay_tensor_elems(y) > 0 && folds(y))
        return assay_refuse(why, "strides of Y put elements on one place");
    return read_attrs(call, p, why) && read_layout(x, y, p, why) && fits(backend, info, x, "X", why) &&
           fits(backend, info, y, "Y", why);
}

enum unary_function unary_read(const struct unary_backend *backend, const struct assay_device_info *info,
                               const struct assay_call *call, enum assay_dtype dtype, char why[160])
{
    struct problem p = {0};
    return read_call(backend, info, call, dtype, &p, why) ? p.function : UNARY_COUNT;
}

/* ---- plans ---- */

/* Bind a tensor from a multiple of 256 bytes on; returns the element of the binding at which it starts. */
static uint64_t bind_tensor(struct assay_step *step, uint32_t at, enum assay_role role, uint32_t index,
                            const struct assay_tensor *tensor)
{
    const uint64_t width = assay_dtype_bytes(tensor->dtype), from = (uint64_t)tensor->offset * width;
    const uint64_t base = from / BINDING_ALIGN * BINDING_ALIGN;
    /* whole words; to the buffer's end where the tensor's bytes hold only half of the last */
    uint64_t bytes = ((uint64_t)assay_tensor_extent(tensor) * width + 3) / 4 * 4 - base;
    if (base + bytes > tensor->bytes) bytes = 0;
    step->bind[at].role = role;
    step->bind[at].index = index;
    step->bind[at].offset_bytes = base;
    step->bind[at].bytes = bytes;
    return (from - base) / width;
}

static uint32_t word(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

enum assay_status unary_plan(const struct unary_backend *backend, const struct assay_device_info *info,
                             const struct assay_call *call, enum assay_dtype dtype,
                             enum assay_variant variant, struct assay_plan *plan, struct assay_error *error)
{
    struct problem p = {0};
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!read_call(backend, info, call, dtype, &p, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "unary.%s: %s", backend->name, why);
    if (p.rows == 0 || p.cols == 0) return ASSAY_OK;

    struct assay_step *step = &plan->step[0];
    const uint64_t width = assay_dtype_bytes(dtype);
    struct unary_push args = {.rows = p.rows,
                              .cols = p.cols,
                              .x_row = p.x_row,
                              .x_col = p.x_col,
                              .y_row = p.y_row,
                              .y_col = p.y_col,
                              .dtype = dtype,
                              .a = word(p.a),
                              .b = word(p.b)};
    args.x_from = bind_tensor(step, 0, ASSAY_ROLE_INPUT, 0, &call->input[0]);
    args.y_from = bind_tensor(step, 1, ASSAY_ROLE_OUTPUT, 0, &call->output[0]);
    args.lo_from = (uint32_t)bind_tensor(step, 2, ASSAY_ROLE_INPUT, call->input_count > 1 ? 1 : 0,
                                         &call->input[call->input_count > 1 ? 1 : 0]);
    args.hi_from = (uint32_t)bind_tensor(step, 3, ASSAY_ROLE_INPUT, call->input_count > 2 ? 2 : 0,
                                         &call->input[call->input_count > 2 ? 2 : 0]);
    args.bounds = (call->input_count > 1 ? UNARY_HAS_LO : 0) | (call->input_count > 2 ? UNARY_HAS_HI : 0);
    if (p.function == UNARY_clip) {
        args.a = 0xFF800000u;
        args.b = 0x7F800000u;
    }
    args.packed = p.rows == 1 && p.x_col == 1 && p.y_col == 1 && args.x_from * width % PACKED_ALIGN == 0 &&
                  args.y_from * width % PACKED_ALIGN == 0;
    const uint64_t tiles = (p.rows * p.cols + backend->tile_elems - 1) / backend->tile_elems;
    args.groups = (uint32_t)(tiles < backend->groups_most ? tiles : backend->groups_most);
    if (args.groups > info->limits.groups[0]) args.groups = info->limits.groups[0];

    step->program = (struct assay_program_params){
        .bindings = UNARY_BINDINGS, .push_bytes = sizeof args, .group = {backend->threads, 1, 1}};
    backend->choose(info, p.function, variant == ASSAY_VARIANT_NATIVE || variant == ASSAY_VARIANT_GUARDED,
                    dtype, &step->program);
    memcpy(step->push, &args, sizeof args);
    step->groups[0] = args.groups;
    step->groups[1] = step->groups[2] = 1;
    plan->step_count = 1;
    return ASSAY_OK;
}
