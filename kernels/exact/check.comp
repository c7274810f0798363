#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* Known answers of the exact arithmetic on Vulkan, one operation a pipeline.
 *
 * The operation is a specialisation constant, so that the others are gone before the driver optimises: where a product
 * of the same operands is needed by a multiply too, a compiler that may contract shares it rounded, and nothing fuses.
 * In real kernels a product has one use, as here. */
#include "kernels/exact/check.h"
#include "kernels/exact/exact.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(set = 0, binding = 0) readonly buffer Operands { uint operands[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };
layout(constant_id = 4) const uint operation = EXACT_CHECK_ADD;
layout(push_constant) uniform Push { uint count; } push;

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) return;
    float a = xf_float(operands[3u * i]), b = xf_float(operands[3u * i + 1u]);
    if (operation == EXACT_CHECK_ADD)
        results[3u * i + EXACT_CHECK_ADD] = xf_bits(xf_add(a, b));
    else if (operation == EXACT_CHECK_MUL)
        results[3u * i + EXACT_CHECK_MUL] = xf_bits(xf_mul(a, b));
    else
        results[3u * i + EXACT_CHECK_FMA] = xf_bits(xf_fma(a, b, xf_float(operands[3u * i + 2u])));
}
