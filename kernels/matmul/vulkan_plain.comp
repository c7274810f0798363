#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Matrix product, one output an invocation, any strides.
 *
 * Exactness: docs/exactness.md rule 2. Chains of 32 fused multiply-adds from +0, groups of four chains, totals of groups,
 * k ascending; each addition rounds once; the end of K is the end of the loop. Subnormals, NaN and infinities as IEEE
 * has them; a sum is never -0. */
#include "kernels/matmul/vulkan_args.glsl"

#if defined(ASSAY_TEXT_emulated)
#define FMA xf_fma_safe
#define ADD xf_hw_add /* between sums of safe factors nothing is subnormal */
#else
#define FMA xf_fma
#define ADD xf_add
#endif

float sum(uint batch, uint m, uint n)
{
    float total = 0.0;
    bool safe = true;
    uint a = a_index(batch, m, 0u), b = b_index(batch, 0u, n), k = 0u;
#if defined(ASSAY_TEXT_emulated)
    if (xf_variant == XF_INTEGER) return slow_sum(batch, m, n, 0u, push.k);
#endif
    [[dont_unroll]] while (k < push.k)
    {
        float group = 0.0;
        uint group_end = min(push.k - k, GROUP) + k;
        [[dont_unroll]] while (k < group_end)
        {
            float chain = 0.0;
            uint chain_end = min(group_end - k, CHAIN) + k;
            [[dont_unroll]] for (; k < chain_end; k++)
            {
                float x = xf_float(a_words[a]), y = xf_float(b_words[b]);
                a += push.a_col;
                b += push.b_row;
#if defined(ASSAY_TEXT_emulated)
                safe = safe && xf_factor_safe(x) && xf_factor_safe(y);
#endif
                chain = FMA(x, y, chain);
            }
            group = ADD(group, chain);
        }
        total = ADD(total, group);
    }
#if defined(ASSAY_TEXT_emulated)
    if (!safe) total = slow_sum(batch, m, n, 0u, push.k);
#endif
    return total;
}

void main()
{
    uint outputs = push.batch * push.m * push.n, step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < outputs; i += step) {
        uint n = i % push.n, rest = i / push.n, m = rest % push.m, batch = rest / push.m;
        y_words[y_index(batch, m, n)] = xf_bits(sum(batch, m, n));
    }
}
