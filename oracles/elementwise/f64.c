/* Float64 values of sums, differences, products and quotients, and how far exact mode may be from the real ones.
 *
 * The operands of a float type are exact in binary64; a product of two f32 is exact there too, other results have one
 * rounding. Integers wrap: their value is that of the wrapped bits, worked out in 128 bits. */
#include "oracles/element.h"
#include "oracles/elementwise/elementwise.h"

#include <math.h>

static double computed(enum elementwise_op op, double a, double b)
{
    return op == ELEMENTWISE_ADD   ? a + b
           : op == ELEMENTWISE_SUB ? a - b
           : op == ELEMENTWISE_MUL ? a * b
                                   : a / b;
}

static int64_t signed_bits(enum assay_dtype dtype, uint64_t bits)
{
    return dtype == ASSAY_I8 ? (int8_t)bits : dtype == ASSAY_I32 ? (int32_t)bits : (int64_t)bits;
}

static double wrapped(enum elementwise_op op, enum assay_dtype dtype, uint64_t x, uint64_t y)
{
    const int64_t a = signed_bits(dtype, x), b = signed_bits(dtype, y);
    uint64_t r;
    if (op == ELEMENTWISE_DIV)
        r = b == 0 ? 0 : (uint64_t)((__int128)a / b);
    else
        r = op == ELEMENTWISE_ADD ? x + y : op == ELEMENTWISE_SUB ? x - y : x * y;
    if (dtype == ASSAY_U8) return (double)(uint8_t)r;
    return (double)signed_bits(dtype, r);
}

static uint64_t bits_at(const struct assay_tensor *t, int64_t place)
{
    const int64_t one = 1;
    struct assay_tensor element = {.data = t->data};
    assay_tensor_dense(&element, t->dtype, 1, &one);
    element.offset = place;
    uint64_t bits;
    element_load(&element, 0, 1, &bits);
    return bits;
}

enum assay_status elementwise_f64(const struct op_case *c, const struct assay_tensor *in, bool exact,
                                  double *value, double *bound, double *magnitude, int64_t row0, int64_t row1,
                                  struct assay_error *error)
{
    const enum elementwise_op op = elementwise_op_of(c);
    const enum assay_dtype dtype = in[0].dtype;
    (void)exact;
    /* Y's shape, which a node's case need not be able to lay out. */
    struct assay_tensor y = {.dtype = dtype};
    int64_t lengths[ASSAY_RANK_MAX];
    for (int d = ELEMENTWISE_D7; d >= ELEMENTWISE_N; --d)
        if (c->axis[d] >= 0) lengths[y.rank++] = c->axis[d];
    assay_tensor_dense(&y, dtype, y.rank, lengths);
    if (op > ELEMENTWISE_DIV)
        return assay_error_set(error, ASSAY_INTERNAL, "%s has no float64 value", c->op->name);
    int64_t at = 0;
    for (int64_t row = row0; row < row1; ++row) {
        int64_t first;
        const int64_t count = c->op->row_elems(c, row, &first);
        for (int64_t e = first; e < first + count; ++e, ++at) {
            const uint64_t a = bits_at(&in[0], elementwise_place(&in[0], &y, e)),
                           b = bits_at(&in[1], elementwise_place(&in[1], &y, e));
            const bool real = dtype == ASSAY_F32 || dtype == ASSAY_F16 || dtype == ASSAY_BF16;
            value[at] = real ? computed(op, element_value(dtype, a), element_value(dtype, b))
                             : wrapped(op, dtype, a, b);
            const double size = fabs(value[at]);
            if (bound) bound[at] = isfinite(size) ? size * 0x1p-53 : 0;
            if (magnitude) magnitude[at] = size;
        }
    }
    return ASSAY_OK;
}

/* A rounding to f32, for the smaller formats another one; half a step of their subnormals where that is more. Integers are
 * exact, and only binary64 rounds them. */
double elementwise_contract_bound(const struct op_case *c, double magnitude)
{
    const double once = magnitude * (0x1p-24 + 0x1p-50) + 0x1p-150;
    switch (c->dtype[0]) {
    case ASSAY_F32:
        return magnitude + once < 0x1.ffffffp127 ? once : INFINITY;
    case ASSAY_F16:
        return magnitude + once < 65519 ? once + (magnitude + once) * 0x1p-11 + 0x1p-25 : INFINITY;
    case ASSAY_BF16:
        return magnitude + once < 0x1.fep127 ? once + (magnitude + once) * 0x1p-8 + 0x1p-134 : INFINITY;
    default:
        return magnitude * 0x1p-52;
    }
}
