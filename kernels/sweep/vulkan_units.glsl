/* A unit's work; ROW is the row of Y that a workgroup's result joins. */
#include "kernels/sweep/vulkan_args.glsl"

layout(set = 0, binding = 0) readonly buffer KWords { uint k_words[]; };
layout(set = 0, binding = 1) buffer YWords { uint y_words[]; };
layout(set = 0, binding = 2) buffer Arrivals { uint arrivals[]; };

shared uint sums[2];

SWEEP_CHAIN(chain, xf_fma)

void main()
{
    uint t = gl_LocalInvocationID.x;
    if (t < 2u) sums[t] = 0u;
    barrier();
    uint h = chain(t, k_words[push.in_from], k_words[push.in_from + 1u], push.rounds);
    atomicAdd(sums[0], h);
    atomicAdd(sums[1], h * (2u * t + 1u));
    barrier();
    uint id = ROW;
    if (t != 0u || id >= push.units) return;
    uint row = push.out_from + 4u * id;
    atomicOr(y_words[row], sums[0]);
    atomicAnd(y_words[row + 1u], sums[0]);
    atomicOr(y_words[row + 2u], sums[1]);
    atomicAnd(y_words[row + 3u], sums[1]);
    if (gl_WorkGroupID.x == 0u) atomicAdd(arrivals[0], 1u);
}
