#version 450
#extension GL_GOOGLE_include_directive : require
/* Measuring on Vulkan: an operation, chosen by specialisation, that does nothing, fills, copies or multiplies and adds. */
#include "devices/measure.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 3) const uint operation = MEASURE_NONE;

layout(set = 0, binding = 0) readonly buffer From { uvec4 from[]; };
layout(set = 0, binding = 1) writeonly buffer To { uvec4 to[]; };
layout(push_constant) uniform Push
{
    uint operation_native; /* for devices without specialisation */
    uint seed;
    float a, b;
}
push;

void main()
{
    uint first = gl_WorkGroupID.x * MEASURE_GROUP * MEASURE_QUADS + gl_LocalInvocationID.x;
    if (operation == MEASURE_FILL) {
        for (uint j = 0u; j < MEASURE_QUADS; j++) {
            uint at = first + j * MEASURE_GROUP;
            to[at] = uvec4(0u, 1u, 2u, 3u) + (4u * at + push.seed);
        }
    } else if (operation == MEASURE_COPY) {
        for (uint j = 0u; j < MEASURE_QUADS; j++) {
            uint at = first + j * MEASURE_GROUP;
            to[at] = from[at];
        }
    } else if (operation == MEASURE_FMA) {
        float a = push.a, b = push.b;
        float x0 = 1.0, x1 = 1.0, x2 = 1.0, x3 = 1.0, x4 = 1.0, x5 = 1.0, x6 = 1.0, x7 = 1.0;
        /* Threads differ by what no compiler can know, so that none computes for all. */
        if (push.seed == gl_LocalInvocationID.x + 1u) b = a;
        for (uint i = 0u; i < MEASURE_ROUNDS; i++) {
#define STEP                                                                                                 \
    x0 = fma(x0, a, b), x1 = fma(x1, a, b), x2 = fma(x2, a, b), x3 = fma(x3, a, b);                          \
    x4 = fma(x4, a, b), x5 = fma(x5, a, b), x6 = fma(x6, a, b), x7 = fma(x7, a, b);
            STEP STEP STEP STEP STEP STEP STEP STEP
        }
        precise float sum = ((x0 + x1) + (x2 + x3)) + ((x4 + x5) + (x6 + x7));
        to[gl_WorkGroupID.x * MEASURE_GROUP + gl_LocalInvocationID.x] = uvec4(floatBitsToUint(sum), 0u, 0u, 0u);
    }
}
