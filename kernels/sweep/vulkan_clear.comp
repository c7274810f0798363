#version 450
#extension GL_GOOGLE_include_directive : require
/* What rows of Y hold before the first visit. Exactness: integers. */
#include "kernels/sweep/vulkan_args.glsl"

layout(set = 0, binding = 0) writeonly buffer YWords { uint y_words[]; };
layout(set = 0, binding = 1) writeonly buffer Arrivals { uint arrivals[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    bool ones = push.pattern == 1u ? i % 5u == 2u : i % 2u == 1u;
    if (i < push.words) y_words[push.out_from + i] = ones ? SWEEP_NONE : 0u;
    if (i == 0u) arrivals[0] = 0u;
}
