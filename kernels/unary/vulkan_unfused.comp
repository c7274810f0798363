#version 450
#extension GL_GOOGLE_include_directive : require
// texts: exp exp2 expm1 log log2 log1p tanh erf sigmoid silu softplus gelu gelu_tanh sqrt rsqrt rcp relu leaky_relu elu hard_sigmoid hard_swish softsign thresholded_relu clip neg abs
/* Elementwise operators: where it does not. */
#define XM_FUSED 0
#include "kernels/unary/vulkan_elements.glsl"
