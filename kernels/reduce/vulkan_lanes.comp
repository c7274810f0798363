#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Reductions: an invocation a lane, a workgroup a pair of row and block; of rows with fewer than 128 elements a workgroup
 * takes several, with as many invocations each as there are lanes.
 *
 * Exactness: docs/exactness.md, rule 3: lane l adds elements l, l + 128, ... from +0 (a product from 1), lanes are joined by
 * halving in shared memory. Every addition is the text's own; no reduction of the hardware's. */
#include "kernels/reduce/vulkan_args.glsl"

layout(constant_id = 4) const uint after = 0u; /* the last step */

shared uint lane[LANES];

uint take(uint have, xf_f x)
{
    uint join = RE_JOIN(push.operation), before = RE_BEFORE(push.operation);
    xf_f old = xf_float(have), r;
    if (join >= RE_MAX) return uint(max(int(have), re_key(x, join)));
    if (join == RE_MULTIPLY)
        r = xf_mul(old, x);
    else if (before == RE_SQUARE)
        r = xf_fma(x, x, old);
    else
        r = xf_add(old, re_before(x, before));
    return xf_bits(r);
}
uint joined(uint a, uint b)
{
    uint join = RE_JOIN(push.operation);
    if (join >= RE_MAX) return uint(max(int(a), int(b)));
    return xf_bits(join == RE_MULTIPLY ? xf_mul(xf_float(a), xf_float(b)) : xf_add(xf_float(a), xf_float(b)));
}

void main()
{
    uint join = RE_JOIN(push.operation), width = LANES / push.each;
    uint t = gl_LocalInvocationID.x, l = t % width;
    uint pair = gl_WorkGroupID.x * push.each + t / width;
    bool there = pair < push.rows * push.blocks;
    uint row = pair / push.blocks, start = (pair - row * push.blocks) * BLOCK;
    uint value = join >= RE_MAX ? 0x80000000u : join == RE_MULTIPLY ? 0x3F800000u : 0u;
    if (there) {
        uint from = push.x_offset + place(row, push.kept_n, push.kept_x);
        uint end = min(push.k, start + BLOCK);
        for (uint j = start + l; j < end; j += LANES) value = take(value, element(from, j));
    }
    lane[t] = value;
    for (uint half_width = width / 2u; half_width > 0u; half_width /= 2u) {
        barrier();
        if (l < half_width) lane[t] = joined(lane[t], lane[t + half_width]);
    }
    if (!there || l != 0u) return;
    xf_f result = join >= RE_MAX ? re_element(int(lane[t]), join) : xf_float(lane[t]);
    if (push.blocks > 1u)
        y_words[pair] = xf_bits(result);
    else
        y_words[push.y_offset + place(row, push.kept_n, push.kept_y)] =
            xf_bits(re_after(result, after, xf_float(push.count)));
}
