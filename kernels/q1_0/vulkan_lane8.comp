#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Q1_0 product: eight invocations a row, one a lane (row K11). The lanes meet in workgroup memory after a barrier that all
 * reach, and lane 0 adds them in the CPU's order. */
/* Exactness: docs/exactness.md rule 11. Lane sums are exact integers, -128 staying -128 when it is negated; d1 * s is exact;
 * RN(ab + d1 * s) over the four sub-blocks; acc = fma(d0, ab, acc) from +0, blocks ascending; lanes as ((0 + 4) + (2 + 6)) +
 * ((1 + 5) + (3 + 7)). Subnormals, infinities and NaN as IEEE 754 has them; no sum is -0. */
#include "kernels/q1_0/vulkan_args.glsl"
#include "kernels/q1_0/vulkan_row.glsl"

#define INVOCATIONS 64u
#define ROWS        (INVOCATIONS / LANES)

shared uint met[INVOCATIONS];
shared uint met_checked[ROWS];

/* One lane's chain; *checked tells whether every step was checked. */
float one_lane(uint w, uint x, uint lane, out bool checked)
{
    float acc = 0.0;
    uint w0 = w, x0 = x;
    checked = always_checked();
    uint blocks = checked ? 0u : push.blocks;
    [[dont_unroll]] for (uint b = 0u; b < blocks; b++)
    {
        float ab = 0.0;
        uint h0 = w_two(w);
        checked = checked || scale_unsafe(h0);
        [[unroll]] for (uint k = 0u; k < SUBS; k++)
        {
            uint h1 = x_two(x), signs = w_four(w + 2u + 4u * k) >> (4u * lane);
            checked = checked || scale_unsafe(h1);
            float s = float(lane_sum(x_four(x + 2u + 4u * lane), signs));
            ab = ADD(ab, MUL(xf_float(q1_half_word(h1)), s)); /* +0 first: only the sign of a zero differs */
            x += X_BLOCK;
        }
        acc = FMA(xf_float(q1_half_word(h0)), ab, acc);
        w += W_BLOCK;
    }
#if defined(ASSAY_TEXT_emulated)
    if (checked) acc = checked_lane(w0, x0, lane);
#endif
    return acc;
}

void main()
{
    uint me = gl_LocalInvocationID.x, lane = me % LANES, mine = me / LANES, count = push.m * push.n;
    uint groups = (count + ROWS - 1u) / ROWS;
    /* every invocation of a group takes part in every round: the barriers are reached by all */
    for (uint group = gl_WorkGroupID.x; group < groups; group += gl_NumWorkGroups.x) {
        uint element = group * ROWS + mine, row = element % push.m, column = element / push.m;
        bool checked = false;
        float sum = 0.0;
        if (element < count)
            sum = one_lane(push.w_offset + row * push.w_row, push.x_offset + column * push.x_row, lane,
                           checked);
        met[me] = xf_bits(sum);
        if (lane == 0u) met_checked[mine] = checked ? 1u : 0u;
        memoryBarrierShared();
        barrier();
        if (lane == 0u && element < count) {
            float a[LANES];
            [[unroll]] for (uint l = 0u; l < LANES; l++) a[l] = xf_float(met[me + l]);
            y_words[push.y_offset + column * push.y_row + row] = joined(a, met_checked[mine] != 0u);
        }
        memoryBarrierShared();
        barrier();
    }
}
