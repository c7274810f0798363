#version 450
#extension GL_GOOGLE_include_directive : require
/* The Q8_0 quantizer, one block of 32 numbers an invocation.
 *
 * Exactness: quantize.h, integers only. Blocks have 34 bytes at any alignment, so invocations share words: whole words are
 * stored, of others only the own bytes are changed, by atomics. */
#extension GL_EXT_control_flow_attributes : require
#include "kernels/q1_0/quantize.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(set = 0, binding = 0) readonly buffer XWords
{
    uint x_words[];
};
layout(set = 0, binding = 1) buffer YWords
{
    uint y_words[];
};

layout(push_constant) uniform Push /* struct q1_push */
{
    uint m, n, blocks;
    uint w_row, w_offset;
    uint x_row, x_offset;
    uint y_row, y_offset;
    uint extra[3];
}
push;

#define NUMBERS 32u
#define BYTES   34u

void main()
{
    uint count = push.n * push.blocks, stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
        uint row = i / push.blocks, block = i % push.blocks;
        uint x = push.x_offset + row * push.x_row + block * NUMBERS;
        uint y = push.y_offset + row * push.y_row + block * BYTES;
        uint amax = 0u;
        [[dont_unroll]] for (uint e = 0u; e < NUMBERS; e++) amax = max(amax, x_words[x + e] & 0x7FFFFFFFu);
        q8_scale scale = q8_scale_of(amax);
        uint word = 0u, mask = 0u;
        [[dont_unroll]] for (uint e = 0u; e < BYTES; e++)
        {
            uint value = e == 0u ? scale.scale & 0xFFu : scale.scale >> 8;
            if (e >= 2u) value = q8_code_of(scale, x_words[x + e - 2u]);
            uint at = y + e, shift = (at & 3u) * 8u;
            word |= value << shift;
            mask |= 0xFFu << shift;
            if ((at & 3u) != 3u && e != BYTES - 1u) continue;
            if (mask == 0xFFFFFFFFu) {
                y_words[at >> 2] = word;
            } else {
                atomicAnd(y_words[at >> 2], ~mask);
                atomicOr(y_words[at >> 2], word);
            }
            word = 0u;
            mask = 0u;
        }
    }
}
