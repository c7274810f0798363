/* The table of operators, made from ops.def. */
#include "oracles/oracle.h"

#include <string.h>

#define OP(name) extern const struct op op_##name;
#include "oracles/ops.def"
#undef OP

const struct op *const assay_ops[] = {
#define OP(name) &op_##name,
#include "oracles/ops.def"
#undef OP
    NULL,
};

const struct op *op_find(const char *name)
{
    for (const struct op *const *op = assay_ops; *op; ++op)
        if (!strcmp((*op)->name, name)) return *op;
    return NULL;
}

const struct op *op_find_onnx(const char *name)
{
    for (const struct op *const *op = assay_ops; *op; ++op)
        if (!strcmp((*op)->onnx, name)) return *op;
    return NULL;
}

enum assay_status op_axes_check(const struct op_case *c, struct assay_error *error)
{
    for (size_t i = 0; i < c->op->axis_count; ++i) {
        const struct op_axis *axis = &c->op->axes[i];
        if (c->axis[i] < axis->least || c->axis[i] > axis->most)
            return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s is %lld, allowed is %lld to %lld",
                                   c->op->name, axis->name, (long long)c->axis[i], (long long)axis->least,
                                   (long long)axis->most);
    }
    return ASSAY_OK;
}

enum assay_status op_matrix_lay_out(const struct op_case *c, const struct op_matrix *matrix,
                                    struct op_operand *operand, struct assay_error *error)
{
    struct assay_tensor *t = &operand->tensor;
    const int64_t line = matrix->cols + matrix->pad > 0 ? matrix->cols + matrix->pad : 1;
    int64_t elems;
    if (__builtin_mul_overflow(matrix->rows, line, &elems) || elems > OP_ELEMS_MOST)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s has more than %lld elements", c->op->name,
                               matrix->name, (long long)OP_ELEMS_MOST);
    operand->name = matrix->name;
    t->dtype = matrix->dtype;
    t->rank = 2;
    t->shape[0] = matrix->rows;
    t->shape[1] = matrix->cols;
    t->stride[0] = line;
    t->stride[1] = 1;
    t->offset = matrix->offset;
    t->bytes = (uint64_t)assay_tensor_extent(t) * assay_dtype_bytes(t->dtype);
    for (uint32_t d = 0; d < ASSAY_RANK_MAX; ++d) operand->axis_of[d] = -1;
    operand->axis_of[0] = matrix->row_axis;
    operand->axis_of[1] = matrix->col_axis;
    operand->reduced = -1;
    return ASSAY_OK;
}

enum assay_status op_case_from_node(const char *onnx, const struct assay_attr *attr, size_t attr_count,
                                    const struct assay_tensor *in, size_t in_count,
                                    const struct assay_tensor *out, size_t out_count, struct op_case *c,
                                    struct assay_error *error)
{
    *c = (struct op_case){0};
    const struct op *op = op_find_onnx(onnx);
    if (!op) return assay_error_set(error, ASSAY_UNSUPPORTED, "operator %s has no definition here", onnx);
    enum assay_status status = ASSAY_OK;
    for (size_t i = 0; i < in_count && !status; ++i) status = assay_tensor_check(&in[i], "an input", error);
    for (size_t i = 0; i < out_count && !status; ++i)
        status = assay_tensor_check(&out[i], "an output", error);
    c->op = op;
    return status ? status : op->from_node(attr, attr_count, in, in_count, out, out_count, c, error);
}
