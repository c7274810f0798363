#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Second step of a product whose K was split between workgroups: adds the stored sums of groups.
 *
 * Exactness: docs/exactness.md rule 2. total = +0, then total = RN(total + group), groups ascending. */
#include "kernels/matmul/vulkan_args.glsl"

/* Binding 0 holds the sums of groups, [batch][group][m][n]; binding 1 is unused. */
void main()
{
    uint plane = push.m * push.n, outputs = push.batch * plane, groups = (push.k + GROUP - 1u) / GROUP;
    for (uint i = INVOCATION; i < outputs; i += INVOCATIONS) {
        uint batch = i / plane, output_ = i % plane;
        float total = 0.0;
        [[dont_unroll]] for (uint g = 0u; g < groups; g++)
            total = xf_add(total, xf_float(a_words[(batch * groups + g) * plane + output_]));
        y_words[y_index(batch, output_ / push.n, output_ % push.n)] = sum_word(total);
    }
}
