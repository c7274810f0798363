/* Two tensors read as a product: shapes broadcast as ONNX's MatMul (numpy's matmul) says.
 *
 * It reads no element. */
#include "oracles/matmul/matmul.h"

#include <stdio.h>

/* Length and stride of dimension `d` of the output's leading dimensions in an operand that has `lead` of them. */
static int64_t leading(const struct assay_tensor *t, uint32_t lead, uint32_t rank, uint32_t d,
                       int64_t *stride)
{
    *stride = 0;
    if (d + lead < rank) return 1;
    const uint32_t own = d + lead - rank;
    if (t->shape[own] != 1) *stride = t->stride[own];
    return t->shape[own];
}

bool matmul_view_read(const struct assay_tensor *a, const struct assay_tensor *b, struct matmul_view *view,
                      char why[160])
{
    *view = (struct matmul_view){.items = 1};
    if (a->rank < 1 || b->rank < 1 || a->rank > ASSAY_RANK_MAX || b->rank > ASSAY_RANK_MAX) {
        snprintf(why, 160, "MatMul takes operands of rank 1 to %d, not %u and %u", ASSAY_RANK_MAX, a->rank,
                 b->rank);
        return false;
    }
    /* A vector is a row on the left and a column on the right. */
    view->m = a->rank > 1 ? a->shape[a->rank - 2] : 1;
    view->k = a->shape[a->rank - 1];
    view->n = b->rank > 1 ? b->shape[b->rank - 1] : 1;
    view->a_row = a->rank > 1 ? a->stride[a->rank - 2] : 0;
    view->a_col = a->stride[a->rank - 1];
    view->b_row = b->stride[b->rank > 1 ? b->rank - 2 : 0];
    view->b_col = b->rank > 1 ? b->stride[b->rank - 1] : 0;
    view->a_offset = a->offset;
    view->b_offset = b->offset;
    const int64_t depth = b->shape[b->rank > 1 ? b->rank - 2 : 0];
    if (depth != view->k) {
        snprintf(why, 160, "A has %lld columns but B has %lld rows", (long long)view->k, (long long)depth);
        return false;
    }
    const uint32_t a_lead = a->rank > 2 ? a->rank - 2 : 0, b_lead = b->rank > 2 ? b->rank - 2 : 0;
    view->batch_rank = a_lead > b_lead ? a_lead : b_lead;
    for (uint32_t d = 0; d < view->batch_rank; ++d) {
        const int64_t x = leading(a, a_lead, view->batch_rank, d, &view->a_batch[d]);
        const int64_t y = leading(b, b_lead, view->batch_rank, d, &view->b_batch[d]);
        if (x != y && x != 1 && y != 1) {
            snprintf(why, 160, "batch dimension %u is %lld in A and %lld in B", d, (long long)x,
                     (long long)y);
            return false;
        }
        view->batch[d] = x == 1 ? y : x;
        if (__builtin_mul_overflow(view->items, view->batch[d], &view->items)) {
            snprintf(why, 160, "the batch has more than 2^63 products");
            return false;
        }
    }
    int64_t rows, elems;
    if (__builtin_mul_overflow(view->items, view->m, &rows) ||
        __builtin_mul_overflow(rows, view->n, &elems)) {
        snprintf(why, 160, "the product has more than 2^63 elements");
        return false;
    }
    return true;
}

void matmul_view_item(const struct matmul_view *view, int64_t item, int64_t *a, int64_t *b)
{
    *a = view->a_offset;
    *b = view->b_offset;
    for (uint32_t d = view->batch_rank; d-- > 0;) {
        const int64_t index = item % view->batch[d];
        item /= view->batch[d];
        *a += index * view->a_batch[d];
        *b += index * view->b_batch[d];
    }
}
