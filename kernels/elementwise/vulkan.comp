#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Elementwise operators: operator and element types are specialisation constants, so a pipeline holds one of them.
 *
 * Exactness: text.h. Words, not floats, travel through buffers: loads and stores of integers flush nothing. Where elements
 * are smaller than a word and lie one behind the other, an invocation makes a whole word of Y; elsewhere it makes one
 * element, and puts it into its word by atomic operations that leave the neighbours' bits as they are. */
#include "kernels/elementwise/text.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 4) const uint op = EW_ADD;
layout(constant_id = 5) const uint from = EW_F32;
layout(constant_id = 6) const uint to = EW_F32;

layout(set = 0, binding = 0) readonly buffer AWords { uint a_words[]; };
layout(set = 0, binding = 1) readonly buffer BWords { uint b_words[]; };
layout(set = 0, binding = 2) readonly buffer CWords { uint c_words[]; };
layout(set = 0, binding = 3) buffer YWords { uint y_words[]; };

layout(push_constant) uniform Push /* struct elementwise_push */
{
    uint count_low, count_high;
    uint what, start, mask;
    uint word[27];
}
push;

#define DENSE 2u

/* Bytes of an element as a power of two. */
uint size_of(uint kind)
{
    return kind == EW_I64 ? 3u : kind == EW_F32 || kind == EW_I32 ? 2u : kind == EW_F16 || kind == EW_BF16 ? 1u : 0u;
}

/* Of an element in its word: bits to shift, and those that it has. */
uint shift_of(uint kind, uint at)
{
    return size_of(kind) == 1u ? (at & 1u) << 4 : (at & 3u) << 3;
}
uint bits_of(uint kind)
{
    return size_of(kind) == 1u ? 0xffffu : 0xffu;
}

#define LOAD(name, words)                                                                                    \
    xf_wide name(uint kind, uint at)                                                                         \
    {                                                                                                        \
        if (size_of(kind) == 3u) return xc_wide(words[2u * at + 1u], words[2u * at]);                        \
        if (size_of(kind) == 2u) return xc_wide(0u, words[at]);                                              \
        uint w = words[size_of(kind) == 1u ? at >> 1 : at >> 2];                                             \
        return xc_wide(0u, (w >> shift_of(kind, at)) & bits_of(kind));                                       \
    }
LOAD(load_a, a_words)
LOAD(load_b, b_words)
LOAD(load_c, c_words)

/* Element `number` of Y, and where Y has it. */
xf_wide element(uint number, out uint y_at)
{
    uint rank = (push.what >> 24) & 15u, used = rank;
    uint at[4] = uint[4](push.start & 255u, (push.start >> 8) & 255u, (push.start >> 16) & 255u, push.start >> 24);
    for (uint d = rank; d-- > 0u;) {
        uint index = number;
        if (d > 0u) {
            index = number % push.word[d];
            number = number / push.word[d];
        }
        for (uint i = 0u; i < 4u; i++)
            if (((push.mask >> (8u * i + d)) & 1u) != 0u) at[i] += index * push.word[used++];
    }
    y_at = at[3];
    xf_wide a = load_a(op == EW_WHERE ? EW_BOOL : from, at[0]), b = xc_wide(0u, 0u), c = xc_wide(0u, 0u);
    if (op != EW_NOT && op != EW_CAST) b = load_b(from, at[1]);
    if (op == EW_WHERE) c = load_c(from, at[2]);
    return ew_element(0u, op, from, to, a, b, c);
}

void main()
{
    uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x, y_at, i = gl_GlobalInvocationID.x;
    if (size_of(to) >= 2u) {
        for (; i < push.count_low; i += step) {
            xf_wide r = element(i, y_at);
            if (size_of(to) == 3u) {
                y_words[2u * y_at] = r.lo;
                y_words[2u * y_at + 1u] = r.hi;
            } else
                y_words[y_at] = r.lo;
        }
        return;
    }
    uint each = size_of(to) == 1u ? 2u : 4u, start = push.start >> 24;
    if (((push.what >> 28) & DENSE) != 0u) {
        uint first = start / each, words = (start + push.count_low + each - 1u) / each - first;
        for (; i < words; i += step) {
            uint value = 0u, has = 0u;
            for (uint j = 0u; j < each; j++) {
                uint number = (first + i) * each + j - start; /* wraps to a large one before the start */
                if (number >= push.count_low) continue;
                value |= element(number, y_at).lo << shift_of(to, j);
                has |= bits_of(to) << shift_of(to, j);
            }
            if (has == 0xffffffffu)
                y_words[first + i] = value;
            else {
                atomicAnd(y_words[first + i], ~has | value);
                atomicOr(y_words[first + i], value);
            }
        }
        return;
    }
    for (; i < push.count_low; i += step) {
        uint value = element(i, y_at).lo << shift_of(to, y_at), has = bits_of(to) << shift_of(to, y_at);
        atomicAnd(y_words[y_at / each], ~has | value);
        atomicOr(y_words[y_at / each], value);
    }
}
