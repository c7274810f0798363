#version 450
#extension GL_GOOGLE_include_directive : require
/* Sums of what came in, a chunk a workgroup at a time. Exactness: integers. */
#include "kernels/sweep/vulkan_args.glsl"

layout(set = 0, binding = 0) readonly buffer XWords { uint x_words[]; };
layout(set = 0, binding = 1) writeonly buffer YWords { uint y_words[]; };

shared uint sums[2];

void main()
{
    uint chunks = (push.words + SWEEP_CHUNK - 1u) / SWEEP_CHUNK, t = gl_LocalInvocationID.x;
    for (uint chunk = gl_WorkGroupID.x; chunk < chunks; chunk += push.groups) {
        uint sum = 0u, weighted = 0u;
        if (t < 2u) sums[t] = 0u;
        barrier();
        for (uint j = 0u; j < SWEEP_CHUNK / THREADS; j++) {
            uint i = j * THREADS + t, at = chunk * SWEEP_CHUNK + i;
            uint word = at < push.words ? x_words[push.in_from + at] : 0u;
            sum += word;
            weighted += word * (2u * i + 1u);
        }
        atomicAdd(sums[0], sum);
        atomicAdd(sums[1], weighted);
        barrier();
        if (t < 2u) y_words[push.out_from + 2u * chunk + t] = sums[t];
        barrier();
    }
}
