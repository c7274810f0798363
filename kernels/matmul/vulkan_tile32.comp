#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Matrix product: tiles of 32 x 32, 4 x 4 outputs an invocation, 64 invocations. Exactness: vulkan_tile.glsl. */
#define TILE_M 32
#define TILE_N 32
#define REG_M 4
#define REG_N 4
#define DEPTH 16
#include "kernels/matmul/vulkan_tile.glsl"
