/* An invocation computes all eight lanes of COLUMNS elements in one row of W, whose signs it reads once. */
#include "kernels/q1_0/vulkan_row.glsl"

void whole(uint row, uint column0)
{
    float acc[COLUMNS][LANES];
    uint w = push.w_offset + row * push.w_row, x[COLUMNS];
    bool checked = always_checked();
    [[unroll]] for (uint c = 0u; c < COLUMNS; c++)
    {
        x[c] = push.x_offset + min(column0 + c, push.n - 1u) * push.x_row;
        [[unroll]] for (uint l = 0u; l < LANES; l++) acc[c][l] = 0.0;
    }
    uint blocks = checked ? 0u : push.blocks;
    [[dont_unroll]] for (uint b = 0u; b < blocks; b++)
    {
        float ab[COLUMNS][LANES];
        uint h0 = w_two(w);
        checked = checked || scale_unsafe(h0);
        [[unroll]] for (uint c = 0u; c < COLUMNS; c++)
            [[unroll]] for (uint l = 0u; l < LANES; l++) ab[c][l] = 0.0;
        [[dont_unroll]] for (uint k = 0u; k < SUBS; k++)
        {
            uint signs = w_four(w + 2u + 4u * k);
            [[unroll]] for (uint c = 0u; c < COLUMNS; c++)
            {
                uint h1 = x_two(x[c]);
                float d1 = xf_float(q1_half_word(h1));
                checked = checked || scale_unsafe(h1);
                [[unroll]] for (uint l = 0u; l < LANES; l++)
                {
                    float s = float(lane_sum(x_four(x[c] + 2u + 4u * l), signs >> (4u * l)));
                    ab[c][l] = ADD(ab[c][l], MUL(d1, s)); /* +0 first: only the sign of a zero differs */
                }
                x[c] += X_BLOCK;
            }
        }
        float d0 = xf_float(q1_half_word(h0));
        [[unroll]] for (uint c = 0u; c < COLUMNS; c++)
            [[unroll]] for (uint l = 0u; l < LANES; l++) acc[c][l] = FMA(d0, ab[c][l], acc[c][l]);
        w += W_BLOCK;
    }
    [[unroll]] for (uint c = 0u; c < COLUMNS; c++)
    {
        if (column0 + c >= push.n) break;
        float a[LANES] = acc[c];
#if defined(ASSAY_TEXT_emulated)
        if (checked) {
            [[dont_unroll]] for (uint l = 0u; l < LANES; l++)
                a[l] = checked_lane(push.w_offset + row * push.w_row, push.x_offset + (column0 + c) * push.x_row, l);
        }
#endif
        y_words[push.y_offset + (column0 + c) * push.y_row + row] = joined(a, checked);
    }
}

void main()
{
    uint parts = (push.n + COLUMNS - 1u) / COLUMNS, count = push.m * parts;
    uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += step) whole(i % push.m, i / push.m * COLUMNS);
}
