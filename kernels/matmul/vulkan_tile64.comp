#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Matrix product: tiles of 64 x 64, 4 x 4 outputs an invocation, 256 invocations. Exactness: vulkan_tile.glsl. */
#define TILE_M 64
#define TILE_N 64
#define REG_M 4
#define REG_N 4
#define DEPTH 16
#include "kernels/matmul/vulkan_tile.glsl"
