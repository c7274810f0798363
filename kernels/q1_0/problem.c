/* Reading the calls of this folder into loop bounds and strides, and those into kernel arguments. Pure functions. */
#include "kernels/q1_0/q1_0.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool check_tensor(const struct assay_tensor *tensor, char name, enum assay_dtype dtype, char why[160])
{
    if (tensor->dtype != dtype)
        return assay_refuse(why, "%c is %s, only %s is taken", name, assay_dtype_name(tensor->dtype),
                            assay_dtype_name(dtype));
    if (tensor->rank != 2) return assay_refuse(why, "%c has rank %u, not 2", name, tensor->rank);
    if (tensor->shape[1] > 1 && tensor->stride[1] != 1)
        return assay_refuse(why, "%c's elements lie %" PRId64 " apart in a row, only 1 is taken", name,
                            tensor->stride[1]);
    return true;
}

static bool check_output_rows(const struct assay_tensor *y, char why[160])
{
    if (y->shape[0] > 1 && y->shape[1] > 0 && y->stride[0] < y->shape[1])
        return assay_refuse(why, "Y's rows of %" PRId64 " elements lie %" PRId64 " apart: they overlap",
                            y->shape[1], y->stride[0]);
    return true;
}

static bool check_counts(const struct assay_call *call, const char *op, size_t inputs, char why[160])
{
    why[0] = '\0';
    if (call->input_count != inputs || call->output_count != 1)
        return assay_refuse(why, "%s has %zu inputs and 1 output, not %zu and %zu", op, inputs,
                            call->input_count, call->output_count);
    if (call->attr_count) return assay_refuse(why, "%s has no attribute %s", op, call->attrs[0].name);
    return true;
}

bool q1_matmul_read(const struct assay_call *call, struct q1_problem *problem, char why[160])
{
    const struct assay_tensor *w = &call->input[0], *x = &call->input[1], *y = &call->output[0];
    memset(problem, 0, sizeof *problem);
    if (!check_counts(call, "Q1_0MatMul", 2, why) || !check_tensor(w, 'W', ASSAY_U8, why) ||
        !check_tensor(x, 'X', ASSAY_U8, why) || !check_tensor(y, 'Y', ASSAY_F32, why))
        return false;
    if (w->shape[1] % Q1_BYTES)
        return assay_refuse(why, "a row of W has %" PRId64 " bytes, not whole blocks of %d", w->shape[1],
                            Q1_BYTES);
    if (x->shape[1] % Q8_BYTES)
        return assay_refuse(why, "a row of X has %" PRId64 " bytes, not whole blocks of %d", x->shape[1],
                            Q8_BYTES);
    if (x->shape[1] / Q8_BYTES % Q1_SUBS)
        return assay_refuse(why, "a row of X has %" PRId64 " numbers, not a multiple of %d",
                            x->shape[1] / Q8_BYTES * Q8_NUMBERS, Q1_WEIGHTS);
    if (x->shape[1] / Q8_BYTES / Q1_SUBS != w->shape[1] / Q1_BYTES)
        return assay_refuse(why, "a row of W has %" PRId64 " weights, one of X %" PRId64 " numbers",
                            w->shape[1] / Q1_BYTES * Q1_WEIGHTS, x->shape[1] / Q8_BYTES * Q8_NUMBERS);
    if (y->shape[0] != x->shape[0] || y->shape[1] != w->shape[0])
        return assay_refuse(why, "Y is %" PRId64 " x %" PRId64 ", the product is %" PRId64 " x %" PRId64,
                            y->shape[0], y->shape[1], x->shape[0], w->shape[0]);
    if (!check_output_rows(y, why)) return false;
    *problem = (struct q1_problem){
        .m = w->shape[0],
        .n = x->shape[0],
        .blocks = w->shape[1] / Q1_BYTES,
        .w_row = w->stride[0],
        .w_offset = w->offset,
        .x_row = x->stride[0],
        .x_offset = x->offset,
        .y_row = y->stride[0],
        .y_offset = y->offset,
    };
    return true;
}

bool q1_quantize_read(const struct assay_call *call, struct q1_problem *problem, char why[160])
{
    const struct assay_tensor *x = &call->input[0], *y = &call->output[0];
    memset(problem, 0, sizeof *problem);
    if (!check_counts(call, "Q8_0Quantize", 1, why) || !check_tensor(x, 'X', ASSAY_F32, why) ||
        !check_tensor(y, 'Y', ASSAY_U8, why))
        return false;
    if (x->shape[1] % Q8_NUMBERS)
        return assay_refuse(why, "a row of X has %" PRId64 " numbers, not a multiple of %d", x->shape[1],
                            Q8_NUMBERS);
    if (y->shape[0] != x->shape[0] || y->shape[1] != x->shape[1] / Q8_NUMBERS * Q8_BYTES)
        return assay_refuse(why, "Y is %" PRId64 " x %" PRId64 ", the blocks of X are %" PRId64 " x %" PRId64,
                            y->shape[0], y->shape[1], x->shape[0], x->shape[1] / Q8_NUMBERS * Q8_BYTES);
    if (!check_output_rows(y, why)) return false;
    *problem = (struct q1_problem){
        .n = x->shape[0],
        .blocks = x->shape[1] / Q8_NUMBERS,
        .x_row = x->stride[0],
        .x_offset = x->offset,
        .y_row = y->stride[0],
        .y_offset = y->offset,
    };
    return true;
}

/* Bind rows [row0, row0 + rows) of an operand whose view has `cols` elements a row. */
static bool bind(const struct assay_tensor *tensor, char name, int64_t row0, int64_t rows, int64_t cols,
                 struct assay_step *step, int slot, enum assay_role role, uint32_t index, uint32_t *row,
                 uint32_t *offset, char why[160])
{
    int64_t size = (int64_t)assay_dtype_bytes(tensor->dtype), stride = rows > 1 ? tensor->stride[0] : 0;
    step->bind[slot].role = role;
    step->bind[slot].index = index;
    step->bind[slot].offset_bytes = 0;
    step->bind[slot].bytes = 4; /* an operand that is never touched */
    *row = *offset = 0;
    if (!rows || !cols) return true;
    if (stride > UINT32_MAX)
        return assay_refuse(why,
                            "%c's rows lie %" PRId64 " elements apart, a kernel argument holds 4294967295",
                            name, stride);
    int64_t first = tensor->offset + (row0 ? row0 * tensor->stride[0] : 0), rest = first % (256 / size);
    uint64_t from = (uint64_t)(first - rest) * (uint64_t)size;
    uint64_t bytes = (uint64_t)(rest + (rows - 1) * stride + cols) * (uint64_t)size;
    uint64_t rounded = (bytes + 3) & ~(uint64_t)3;
    *row = (uint32_t)stride;
    *offset = (uint32_t)rest;
    step->bind[slot].offset_bytes = from;
    /* Shaders see words. Backends end a buffer at a whole word, but a binding must end inside the bytes asked for. */
    step->bind[slot].bytes = from + rounded <= tensor->bytes ? rounded : bytes;
    return true;
}

bool q1_push_fill(const struct assay_call *call, const struct q1_problem *problem, int64_t row0, int64_t rows,
                  struct q1_push *push, struct assay_step *step, char why[160])
{
    const struct q1_problem *p = problem;
    const struct assay_tensor *first = &call->input[0], *y = &call->output[0];
    memset(push, 0, sizeof *push);
    const int64_t size[3] = {rows, p->n, p->blocks};
    for (int i = 0; i < 3; i++)
        if (size[i] > UINT32_MAX)
            return assay_refuse(why, "%s is %" PRId64 ", at most 4294967295 fits a kernel argument",
                                (const char *[]){"the number of rows", "n", "the number of blocks"}[i],
                                size[i]);
    push->blocks = (uint32_t)p->blocks;
    if (call->input_count == 1) {
        push->n = (uint32_t)rows;
        return bind(first, 'X', row0, rows, p->blocks * Q8_NUMBERS, step, 0, ASSAY_ROLE_INPUT, 0,
                    &push->x_row, &push->x_offset, why) &&
               bind(y, 'Y', row0, rows, p->blocks * Q8_BYTES, step, 1, ASSAY_ROLE_OUTPUT, 0, &push->y_row,
                    &push->y_offset, why);
    }
    push->m = (uint32_t)rows;
    push->n = (uint32_t)p->n;
    if (!bind(first, 'W', row0, p->n ? rows : 0, p->blocks * Q1_BYTES, step, 0, ASSAY_ROLE_INPUT, 0,
              &push->w_row, &push->w_offset, why) ||
        !bind(&call->input[1], 'X', 0, rows ? p->n : 0, p->blocks * Q1_SUBS * Q8_BYTES, step, 1,
              ASSAY_ROLE_INPUT, 1, &push->x_row, &push->x_offset, why))
        return false;
    struct assay_tensor part = *y; /* the columns of Y that these rows of W make */
    part.offset += row0;
    return bind(&part, 'Y', 0, rows ? p->n : 0, rows, step, 2, ASSAY_ROLE_OUTPUT, 0, &push->y_row,
                &push->y_offset, why);
}

bool q1_bindings_fit(const struct assay_device_info *info, const struct assay_step *step, uint32_t bindings,
                     char why[160])
{
    for (uint32_t i = 0; i < bindings; i++)
        if (step->bind[i].bytes > info->limits.binding_bytes)
            return assay_refuse(
                why, "%s takes a binding of %" PRIu64 " bytes, the storage-binding limit is %" PRIu64,
                step->bind[i].role == ASSAY_ROLE_OUTPUT ? "Y" : "an input", step->bind[i].bytes,
                info->limits.binding_bytes);
    return true;
}
