#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Matrix product, one output an invocation, any strides.
 *
 * Exactness: docs/exactness.md rule 2. Chains of 32 fused multiply-adds from +0, groups of four chains, totals of groups,
 * k ascending; each addition rounds once; the end of K is the end of the loop. Subnormals, NaN and infinities as IEEE
 * has them; a sum is never -0. */
#include "kernels/matmul/vulkan_args.glsl"

#define split (push.extra[0] != 0u) /* an invocation sums one group and stores it for vulkan_join.comp */
#define first_k (push.extra[2])     /* a group's first; beyond 0 the sum goes on from what Y holds */

#if defined(ASSAY_TEXT_emulated)
#define FMA xf_fma_safe
#define ADD xf_hw_add /* between sums of safe factors nothing is subnormal */
#else
#define FMA xf_fma
#define ADD xf_add
#endif

/* `given` and the output's sum over k in [begin, end); begin is the start of a group. */
float sum(float given, uint batch, uint m, uint n, uint begin, uint end_given)
{
    float total = given;
    bool safe = true;
    uint a = a_index(batch, m, begin), b = b_index(batch, begin, n), k = begin, end = end_given;
#if defined(ASSAY_TEXT_emulated)
    safe = xf_variant != XF_INTEGER && xf_sum_safe(given);
    if (!safe) end = begin;
#endif
    [[dont_unroll]] while (k < end && safe)
    {
        float group = 0.0;
        uint group_end = min(end - k, GROUP) + k;
        [[dont_unroll]] while (k < group_end && safe)
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
    if (!safe) total = checked_sum(given, batch, m, n, begin, end_given);
#endif
    return total;
}

void main()
{
    uint groups = split ? (push.k + GROUP - 1u) / GROUP : 1u, plane = push.m * push.n;
    uint sums = push.batch * groups * plane;
    for (uint i = INVOCATION; i < sums; i += INVOCATIONS) {
        uint in_plane = i % plane, n = in_plane % push.n, m = in_plane / push.n;
        uint group = i / plane % groups, batch = i / plane / groups;
        uint begin = split ? group * GROUP : first_k, end = split ? min(push.k - begin, GROUP) + begin : push.k;
        uint to = split ? i : y_index(batch, m, n);
        float given = split || first_k == 0u ? 0.0 : xf_float(y_words[to]);
        y_words[to] = sum_word(sum(given, batch, m, n, begin, end));
    }
}
