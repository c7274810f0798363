#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Known answers of the exact arithmetic on Vulkan. */
#include "kernels/exact/exact.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(set = 0, binding = 0) readonly buffer Operands { uint operands[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };
layout(push_constant) uniform Push { uint count; } push;

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) return;
    float a = xf_float(operands[3u * i]), b = xf_float(operands[3u * i + 1u]), c = xf_float(operands[3u * i + 2u]);
    results[3u * i] = xf_bits(xf_add(a, b));
    results[3u * i + 1u] = xf_bits(xf_mul(a, b));
    results[3u * i + 2u] = xf_bits(xf_fma(a, b, c));
}
