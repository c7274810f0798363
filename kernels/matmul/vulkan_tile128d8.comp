#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native
/* Matrix product: tiles of 128 x 128, staged by 8 k, 8 x 8 outputs an invocation, 256 invocations. Exactness: vulkan_tile.glsl. */
#define TILE_M 128
#define TILE_N 128
#define REG_M 8
#define REG_N 8
#define DEPTH 8
#include "kernels/matmul/vulkan_tile.glsl"
