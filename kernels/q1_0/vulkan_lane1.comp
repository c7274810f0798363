#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Q1_0 product: one invocation a row (row K10). */
/* Exactness: docs/exactness.md rule 11. Lane sums are exact integers, -128 staying -128 when it is negated; d1 * s is exact;
 * RN(ab + d1 * s) over the four sub-blocks; acc = fma(d0, ab, acc) from +0, blocks ascending; lanes as ((0 + 4) + (2 + 6)) +
 * ((1 + 5) + (3 + 7)). Subnormals, infinities and NaN as IEEE 754 has them; no sum is -0. */
#include "kernels/q1_0/vulkan_args.glsl"

#define COLUMNS 1u
#include "kernels/q1_0/vulkan_whole.glsl"
