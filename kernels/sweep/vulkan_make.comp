#version 450
#extension GL_GOOGLE_include_directive : require
/* Words to go out. Exactness: integers. */
#include "kernels/sweep/vulkan_args.glsl"

layout(set = 0, binding = 0) readonly buffer KWords { uint k_words[]; };
layout(set = 0, binding = 1) writeonly buffer YWords { uint y_words[]; };

void main()
{
    uint k0 = k_words[push.in_from], k1 = k_words[push.in_from + 1u];
    for (uint i = gl_GlobalInvocationID.x; i < push.words; i += push.groups * THREADS)
        y_words[push.out_from + i] = sweep_out_word(i, k0, k1);
}
