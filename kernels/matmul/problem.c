/* Reading a MatMul call into loop bounds and strides, and those into kernel arguments. Pure functions; no device. */
#include "kernels/matmul/matmul.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "[4,1,33,7]"; cut off when it does not fit. */
static const char *shape_text(const struct assay_tensor *tensor, char text[48])
{
    size_t used = (size_t)snprintf(text, 48, "[");
    for (uint32_t d = 0; d < tensor->rank && used < 46; d++)
        used += (size_t)snprintf(text + used, 48 - used, "%s%" PRId64, d ? "," : "", tensor->shape[d]);
    snprintf(text + (used < 46 ? used : 46), 2, "]");
    return text;
}

/* An operand's batch dimensions, aligned to the right with those of the others: dimension i of `dims` has length 1
 * where the operand has none. `core` trailing dimensions are the matrix. */
static void batch_dims(const struct assay_tensor *tensor, uint32_t core, uint32_t dims,
                       int64_t shape[ASSAY_RANK_MAX], int64_t stride[ASSAY_RANK_MAX])
{
    uint32_t own = tensor->rank - core;
    for (uint32_t i = 0; i < dims; i++) {
        bool absent = i < dims - own;
        uint32_t d = absent ? 0 : i - (dims - own);
        shape[i] = absent ? 1 : tensor->shape[d];
        stride[i] = absent ? 0 : tensor->stride[d];
    }
}

/* One stride that walks `count` dimensions of these lengths in row-major order. */
static bool flatten(const int64_t *length, const int64_t *stride, uint32_t count, int64_t *flat)
{
    *flat = count ? stride[count - 1] : 0;
    int64_t span = count ? length[count - 1] : 1;
    for (uint32_t i = count; i-- > 1;) {
        if (stride[i - 1] != span * *flat) return false;
        span *= length[i - 1];
    }
    return true;
}

static bool read_batches(const struct assay_tensor *const tensor[3], const uint32_t core[3],
                         struct matmul_problem *problem, char why[160])
{
    static const char name[3] = "ABY";
    char text[2][48];
    int64_t shape[3][ASSAY_RANK_MAX], stride[3][ASSAY_RANK_MAX];
    uint32_t own_a = tensor[0]->rank - core[0], own_b = tensor[1]->rank - core[1];
    uint32_t dims = own_a > own_b ? own_a : own_b;
    if (tensor[2]->rank != dims + core[2])
        return assay_refuse(why, "Y has %u dimensions, %u expected", tensor[2]->rank, dims + core[2]);
    for (int t = 0; t < 3; t++) batch_dims(tensor[t], core[t], dims, shape[t], stride[t]);

    uint32_t kept = 0;
    bool a_single = true, b_single = true, equal = true;
    problem->batch = 1;
    for (uint32_t d = 0; d < dims; d++) {
        int64_t a = shape[0][d], b = shape[1][d], y = a == 1 ? b : a;
        if ((a != b && a != 1 && b != 1) || shape[2][d] != y)
            return assay_refuse(why,
                                "batch dimension %u: A has %" PRId64 ", B has %" PRId64 ", Y has %" PRId64, d,
                                a, b, shape[2][d]);
        if (y == 1) continue;
        a_single = a_single && a == 1;
        b_single = b_single && b == 1;
        equal = equal && a == b;
        if (y && problem->batch > INT64_MAX / y) return assay_refuse(why, "more than 2^63 batches");
        problem->batch *= y;
        for (int t = 0; t < 3; t++) {
            shape[t][kept] = shape[t][d];
            stride[t][kept] = stride[t][d];
        }
        kept++;
    }
    if (!a_single && !b_single && !equal)
        return assay_refuse(
            why, "batches of A %s and B %s broadcast against each other; taken: on A, on B, equal on both",
            shape_text(tensor[0], text[0]), shape_text(tensor[1], text[1]));
    if (problem->batch == 0) return true;

    int64_t *flat[3] = {&problem->a_batch, &problem->b_batch, &problem->y_batch};
    bool shared[3] = {a_single, b_single, false};
    for (int t = 0; t < 3; t++)
        if (shared[t])
            *flat[t] = 0;
        else if (!flatten(shape[2], stride[t], kept, flat[t]))
            return assay_refuse(why, "the %u batch dimensions of %c %s do not flatten to one stride", kept,
                                name[t], shape_text(tensor[t], text[0]));
    return true;
}

/* Does every element of Y have a place of its own? Decided by the strides from small to large, each of which must step
 * over all that the smaller ones reach: enough for every layout that anyone uses. */
static bool separate(const struct matmul_problem *p)
{
    int64_t dim[3][2] = {{p->batch, p->batch > 1 ? p->y_batch : 0}, /* length, stride */
                         {p->m, p->m > 1 ? p->y_row : 0},
                         {p->n, p->n > 1 ? p->y_col : 0}};
    if (!p->batch || !p->m || !p->n) return true;
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            if (dim[j][1] < dim[i][1])
                for (int part = 0; part < 2; part++) {
                    int64_t other = dim[i][part];
                    dim[i][part] = dim[j][part];
                    dim[j][part] = other;
                }
    int64_t reach = 0, span;
    for (int i = 0; i < 3; i++) {
        if (dim[i][0] > 1 && dim[i][1] <= reach) return false;
        if (__builtin_mul_overflow(dim[i][0] - 1, dim[i][1], &span) ||
            __builtin_add_overflow(reach, span, &reach))
            return false;
    }
    return true;
}

bool matmul_problem_read(const struct assay_call *call, struct matmul_problem *problem, char why[160])
{
    memset(problem, 0, sizeof *problem);
    why[0] = '\0';
    if (call->input_count != 2 || call->output_count != 1)
        return assay_refuse(why, "MatMul has 2 inputs and 1 output, not %zu and %zu", call->input_count,
                            call->output_count);
    if (call->attr_count) return assay_refuse(why, "MatMul has no attribute %s", call->attrs[0].name);
    const struct assay_tensor *a = &call->input[0], *b = &call->input[1], *y = &call->output[0];
    const struct assay_tensor *const tensor[3] = {a, b, y};
    for (int t = 0; t < 3; t++)
        if (tensor[t]->dtype != ASSAY_F32)
            return assay_refuse(why, "%c is %s, only f32 is taken", "ABY"[t],
                                assay_dtype_name(tensor[t]->dtype));
    if (!a->rank || !b->rank) return assay_refuse(why, "%c is a scalar", a->rank ? 'B' : 'A');

    /* A 1-D operand has no row (A) or no column (B), and neither has Y then. */
    bool a_vector = a->rank == 1, b_vector = b->rank == 1;
    const uint32_t core[3] = {a_vector ? 1 : 2, b_vector ? 1 : 2,
                              (a_vector ? 0u : 1u) + (b_vector ? 0u : 1u)};
    problem->k = a->shape[a->rank - 1];
    problem->a_col = a->stride[a->rank - 1];
    problem->m = a_vector ? 1 : a->shape[a->rank - 2];
    problem->a_row = a_vector ? 0 : a->stride[a->rank - 2];
    int64_t b_k = b_vector ? b->shape[0] : b->shape[b->rank - 2];
    problem->b_row = b_vector ? b->stride[0] : b->stride[b->rank - 2];
    problem->n = b_vector ? 1 : b->shape[b->rank - 1];
    problem->b_col = b_vector ? 0 : b->stride[b->rank - 1];
    if (b_k != problem->k) return assay_refuse(why, "A's K is %" PRId64 ", B's is %" PRId64, problem->k, b_k);
    if (y->rank < core[2]) return assay_refuse(why, "Y has %u dimensions, %u expected", y->rank, core[2]);

    int64_t y_m = a_vector ? 1 : y->shape[y->rank - core[2]];
    int64_t y_n = b_vector ? 1 : y->shape[y->rank - 1];
    problem->y_row = a_vector ? 0 : y->stride[y->rank - core[2]];
    problem->y_col = b_vector ? 0 : y->stride[y->rank - 1];
    if (y_m != problem->m || y_n != problem->n)
        return assay_refuse(why, "Y is %" PRId64 " x %" PRId64 ", the product is %" PRId64 " x %" PRId64, y_m,
                            y_n, problem->m, problem->n);
    problem->a_offset = a->offset;
    problem->b_offset = b->offset;
    problem->y_offset = y->offset;
    if (!read_batches(tensor, core, problem, why)) return false;

    if (!separate(problem)) return assay_refuse(why, "Y's strides let several elements share one place");
    return true;
}

/* Largest element number that a view of these loops touches, or -1 when it does not fit 63 bits. */
static int64_t last_elem(int64_t batch, int64_t batch_stride, int64_t rows, int64_t row, int64_t cols,
                         int64_t col)
{
    int64_t last = 0, part;
    const int64_t step[3][2] = {{batch, batch_stride}, {rows, row}, {cols, col}};
    for (int i = 0; i < 3; i++)
        if (__builtin_mul_overflow(step[i][0] - 1, step[i][1], &part) ||
            __builtin_add_overflow(last, part, &last))
            return -1;
    return last;
}

bool matmul_push_fill(const struct matmul_problem *problem, struct matmul_push *push, struct assay_step *step,
                      char why[160])
{
    const struct matmul_problem *p = problem;
    memset(push, 0, sizeof *push);
    const int64_t size[4] = {p->m, p->n, p->k, p->batch};
    for (int i = 0; i < 4; i++)
        if (size[i] > UINT32_MAX)
            return assay_refuse(why, "%s is %" PRId64 ", at most 4294967295 fits a kernel argument",
                                (const char *[]){"m", "n", "k", "batch"}[i], size[i]);
    push->m = (uint32_t)p->m;
    push->n = (uint32_t)p->n;
    push->k = (uint32_t)p->k;
    push->batch = (uint32_t)p->batch;

    const struct {
        char name;
        int64_t rows, cols, batch, row, col, offset;
        size_t at;
    } operand[3] = {
        {'A', p->m, p->k, p->a_batch, p->a_row, p->a_col, p->a_offset, offsetof(struct matmul_push, a_batch)},
        {'B', p->k, p->n, p->b_batch, p->b_row, p->b_col, p->b_offset, offsetof(struct matmul_push, b_batch)},
        {'Y', p->m, p->n, p->y_batch, p->y_row, p->y_col, p->y_offset, offsetof(struct matmul_push, y_batch)},
    };
    for (int t = 0; t < 3; t++) {
        step->bind[t].role = t == 2 ? ASSAY_ROLE_OUTPUT : ASSAY_ROLE_INPUT;
        step->bind[t].index = t == 1;
        step->bind[t].offset_bytes = 0;
        step->bind[t].bytes = 4; /* an operand that is never read: its strides stay 0 */
        if (!p->batch || !operand[t].rows || !operand[t].cols) continue;
        int64_t rest = operand[t].offset % 64, last;
        last = last_elem(p->batch, operand[t].batch, operand[t].rows, operand[t].row, operand[t].cols,
                         operand[t].col);
        if (last < 0 || last > UINT32_MAX - rest)
            return assay_refuse(why, "%c spans %" PRId64 " elements, a kernel argument reaches 4294967296",
                                operand[t].name, last < 0 ? INT64_MAX : last + 1);
        /* Strides of single rows, columns or batches are never used; keep them from overflowing. */
        const uint32_t words[4] = {
            p->batch > 1 ? (uint32_t)operand[t].batch : 0,
            operand[t].rows > 1 ? (uint32_t)operand[t].row : 0,
            operand[t].cols > 1 ? (uint32_t)operand[t].col : 0,
            (uint32_t)rest,
        };
        memcpy((char *)push + operand[t].at, words, sizeof words);
        step->bind[t].offset_bytes = (uint64_t)(operand[t].offset - rest) * 4;
        step->bind[t].bytes = (uint64_t)(rest + last + 1) * 4;
    }
    return true;
}

bool matmul_bindings_fit(const struct assay_device_info *info, const struct assay_step *step, char why[160])
{
    for (int t = 0; t < 3; t++)
        if (step->bind[t].bytes > info->limits.binding_bytes)
            return assay_refuse(
                why, "%c takes a binding of %" PRIu64 " bytes, the storage-binding limit is %" PRIu64,
                "ABY"[t], step -> bind[t].bytes, info->limits.binding_bytes);
    return true;
}
