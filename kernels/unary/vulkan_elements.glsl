/* Elementwise operators on Vulkan: one module a function, whose name the build hands in as ASSAY_TEXT; XM_FUSED as the file
 * says. Buffers are words. A word of a packed tensor has one element or two; of other tensors of 16 bits only the own half
 * of a word is changed, by atomics.
 *
 * Exactness: text.h; elements do not depend on each other. The devices' compilers put constant arrays into slow memory: the
 * long way of function.h alone, and trees of choices. */
#ifndef XM_SHORT
#define XM_SHORT 0
#endif
#include "kernels/unary/text.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
#define APPLY        PASTE(un_, ASSAY_TEXT)

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(set = 0, binding = 0) readonly buffer XWords { uint x_words[]; };
layout(set = 0, binding = 1) buffer YWords { uint y_words[]; };
layout(set = 0, binding = 2) readonly buffer LoWords { uint lo_words[]; };
layout(set = 0, binding = 3) readonly buffer HiWords { uint hi_words[]; };

layout(push_constant) uniform Push /* struct unary_push; the high words of lengths and strides are 0 */
{
    uvec2 rows, cols;
    uvec2 x_from, x_row, x_col;
    uvec2 y_from, y_row, y_col;
    uint dtype /* enum assay_dtype: 1 f32, 2 f16, 3 bf16 */, bounds, lo_from, hi_from;
    uint a, b;
    uint groups, packed;
}
push;

/* Element number `at` of a buffer, in the word that holds it, and back. */
float widen(uint word, uint at)
{
    uint part = (at & 1u) != 0u ? word >> 16 : word & 0xFFFFu;
    if (push.dtype == 1u) return uintBitsToFloat(word);
    return push.dtype == 2u ? un_from_half(part) : un_from_brain(part);
}
uint narrow(float y, uint at)
{
    if (push.dtype == 1u) return floatBitsToUint(y);
    return (push.dtype == 2u ? un_to_half(y) : un_to_brain(y)) << ((at & 1u) * 16u);
}

void main()
{
    uint shift = push.dtype == 1u ? 0u : 1u; /* of an element's number, to its word's */
    float a = uintBitsToFloat(push.a), b = uintBitsToFloat(push.b);
    if ((push.bounds & 1u) != 0u) a = widen(lo_words[push.lo_from >> shift], push.lo_from);
    if ((push.bounds & 2u) != 0u) b = widen(hi_words[push.hi_from >> shift], push.hi_from);
    uint elems = push.rows.x * push.cols.x, stride = push.groups * gl_WorkGroupSize.x;
    uint each = push.packed != 0u ? 1u << shift : 1u, count = (elems + each - 1u) / each;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
        uint row = 0u, col = i * each, left = elems - col;
        if (push.packed == 0u) {
            row = i / push.cols.x;
            col = i - row * push.cols.x;
        }
        uint from = push.x_from.x + row * push.x_row.x + col * push.x_col.x;
        uint to = push.y_from.x + row * push.y_row.x + col * push.y_col.x;
        uint word = x_words[from >> shift], result = 0u, parts = min(each, left);
        /* one place where the function stands, whatever the format and the layout: it is long */
        for (uint k = 0u; k < parts; k++) result |= narrow(APPLY(widen(word, from + k), a, b), to + k);
        if (shift == 0u || parts == 2u) {
            y_words[to >> shift] = result;
        } else {
            atomicAnd(y_words[to >> 1], (to & 1u) != 0u ? 0x0000FFFFu : 0xFFFF0000u);
            atomicOr(y_words[to >> 1], result);
        }
    }
}
