#version 450
#extension GL_GOOGLE_include_directive : require
/* A pass of a slot, read downwards and compared. Exactness: integers; atomic adds and ORs commute. */
#include "kernels/sweep/vulkan_args.glsl"

layout(set = 0, binding = 0) readonly buffer KWords { uint k_words[]; };
layout(set = 0, binding = 1) readonly buffer Part { uvec4 part[]; };
layout(set = 0, binding = 2) buffer YWords { uint y_words[]; };

shared uint sums[2];

void main()
{
    uint k0 = k_words[push.in_from], k1 = k_words[push.in_from + 1u], fours = push.words / 4u;
    uint tiles = (push.words + SWEEP_TILE - 1u) / SWEEP_TILE, t = gl_LocalInvocationID.x;
    uint wrong = 0u, bits = 0u, first = SWEEP_NONE, sum = 0u, weighted = 0u;
    if (t < 2u) sums[t] = 0u;
    barrier();
    for (uint turn = gl_WorkGroupID.x; turn < tiles; turn += push.groups) {
        uint tile = tiles - 1u - turn;
        for (uint j = 0u; j < SWEEP_TILE / 4u / THREADS; j++) {
            uint at = tile * (SWEEP_TILE / 4u) + j * THREADS + t;
            if (at >= fours) continue;
            uvec4 value = part[at];
            [[unroll]] for (uint i = 0u; i < 4u; i++)
            {
                uint n = 4u * at + i;
                uint differ = value[i] ^ sweep_word(push.pattern, push.pass, push.slot, n, k0, k1);
                sum += value[i];
                weighted += value[i] * (2u * n + 1u);
                if (differ != 0u) {
                    wrong++;
                    bits |= differ;
                    first = min(first, n);
                }
            }
        }
    }
    uint row = push.out_from + 10u * push.slot + 5u * push.pass;
    if (wrong != 0u) {
        atomicAdd(y_words[row], wrong);
        atomicOr(y_words[row + 1u], bits);
        atomicMin(y_words[row + 2u], first);
    }
    atomicAdd(sums[0], sum);
    atomicAdd(sums[1], weighted);
    barrier();
    if (t < 2u) atomicAdd(y_words[row + 3u + t], sums[t]);
}
