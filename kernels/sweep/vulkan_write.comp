#version 450
#extension GL_GOOGLE_include_directive : require
/* A pass of a slot, written upwards. Exactness: integers. */
#include "kernels/sweep/vulkan_args.glsl"

layout(set = 0, binding = 0) readonly buffer KWords { uint k_words[]; };
layout(set = 0, binding = 1) writeonly buffer Part { uvec4 part[]; };

void main()
{
    uint k0 = k_words[push.in_from], k1 = k_words[push.in_from + 1u], fours = push.words / 4u;
    uint tiles = (push.words + SWEEP_TILE - 1u) / SWEEP_TILE;
    for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += push.groups)
        for (uint j = 0u; j < SWEEP_TILE / 4u / THREADS; j++) {
            uint at = tile * (SWEEP_TILE / 4u) + j * THREADS + gl_LocalInvocationID.x;
            uvec4 value;
            [[unroll]] for (uint i = 0u; i < 4u; i++)
                value[i] = sweep_word(push.pattern, push.pass, push.slot, 4u * at + i, k0, k1);
            if (at < fours) part[at] = value;
        }
}
