#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native
/* Matrix product: tiles of 128 x 64, 8 x 4 outputs an invocation, 256 invocations. Exactness: vulkan_tile.glsl. */
#define TILE_M 128
#define TILE_N 64
#define REG_M 8
#define REG_N 4
#define DEPTH 16
#include "kernels/matmul/vulkan_tile.glsl"
