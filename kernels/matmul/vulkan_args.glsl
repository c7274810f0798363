/* What every matrix-product shader starts with: arguments, buffers, and the checked sum of the emulated text.
 *
 * Words, not floats, travel through buffers: loads and stores of integers flush nothing on any device. */
#extension GL_EXT_control_flow_attributes : require
#include "kernels/exact/exact.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;

layout(set = 0, binding = 0) readonly buffer AWords { uint a_words[]; };
layout(set = 0, binding = 0) readonly buffer AQuads { uvec4 a_quads[]; };
layout(set = 0, binding = 1) readonly buffer BWords { uint b_words[]; };
layout(set = 0, binding = 1) readonly buffer BQuads { uvec4 b_quads[]; };
layout(set = 0, binding = 2) buffer YWords { uint y_words[]; };

layout(push_constant) uniform Push /* struct matmul_push */
{
    uint m, n, k, batch;
    uint a_batch, a_row, a_col, a_offset;
    uint b_batch, b_row, b_col, b_offset;
    uint y_batch, y_row, y_col, y_offset;
    uint extra[3];
}
push;

/* Grids have one dimension, or two where one is too short. */
#define WORKGROUP (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)
#define WORKGROUPS (gl_NumWorkGroups.x * gl_NumWorkGroups.y)
#define INVOCATION (WORKGROUP * gl_WorkGroupSize.x + gl_LocalInvocationIndex)
#define INVOCATIONS (WORKGROUPS * gl_WorkGroupSize.x)

#define CHAIN 32u  /* fused multiply-adds in a row */
#define GROUP 128u /* four chains */

uint a_index(uint batch, uint m, uint k) { return push.a_offset + batch * push.a_batch + m * push.a_row + k * push.a_col; }
uint b_index(uint batch, uint k, uint n) { return push.b_offset + batch * push.b_batch + k * push.b_row + n * push.b_col; }
uint y_index(uint batch, uint m, uint n) { return push.y_offset + batch * push.y_batch + m * push.y_row + n * push.y_col; }

/* The word of a sum. A sum is never -0, but drivers fold x + 0.0 into x, and a chain can be -0 by underflow. */
uint sum_word(float x) { return xf_bits(x) == XF_SIGN ? 0u : xf_bits(x); }

#if defined(ASSAY_TEXT_emulated)
/* `total` and the sum over [begin, end), begin at a group, of one output, every step checked: for outputs with a factor
 * outside xf_factor_safe, and for the integer variant. One body of the checked fma serves products and both kinds of addition:
 * drivers inline it, and many copies take LLVM minutes. */
float checked_sum(float total, uint batch, uint m, uint n, uint begin, uint end)
{
    float chain = 0.0, group = 0.0;
    uint k = begin;
    uint stage = 0u; /* 0: a product into the chain, 1: chain into group, 2: group into total */
    bool done = begin >= end;
    [[dont_unroll]] while (!done)
    {
        float x = chain, y = xf_float(0x3F800000u), z = group;
        if (stage == 0u) {
            x = xf_float(a_words[a_index(batch, m, k)]);
            y = xf_float(b_words[b_index(batch, k, n)]);
            z = chain;
            k++;
        } else if (stage == 2u) {
            x = group;
            z = total;
        }
        float r = xf_fma(x, y, z);
        if (stage == 0u) {
            chain = r;
            if (k == end || (k - begin) % CHAIN == 0u) stage = 1u;
        } else if (stage == 1u) {
            group = r;
            chain = 0.0;
            stage = k == end || (k - begin) % GROUP == 0u ? 2u : 0u;
        } else {
            total = r;
            group = 0.0;
            stage = 0u;
            done = k == end;
        }
    }
    return total;
}
#endif
