#version 450
#extension GL_GOOGLE_include_directive : require
/* The arithmetic probe on Vulkan: one operation, chosen by specialisation, on loaded or on literal operands.
 *
 * Literals come as specialisation constants: the front end cannot fold them, the driver's compiler can. Float controls
 * and the contracting form of fma are patched into the words at load time. Every operation is `precise`. */
#include "devices/traits.h"

layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;
layout(constant_id = 3) const uint operation = TRAIT_COPY;
layout(constant_id = 4) const bool literal = false;
layout(constant_id = 5) const uint a0 = 0u;
layout(constant_id = 6) const uint b0 = 0u;
layout(constant_id = 7) const uint c0 = 0u;
layout(constant_id = 8) const uint a1 = 0u;
layout(constant_id = 9) const uint b1 = 0u;
layout(constant_id = 10) const uint c1 = 0u;
layout(constant_id = 11) const uint a2 = 0u;
layout(constant_id = 12) const uint b2 = 0u;
layout(constant_id = 13) const uint c2 = 0u;
layout(constant_id = 14) const uint a3 = 0u;
layout(constant_id = 15) const uint b3 = 0u;
layout(constant_id = 16) const uint c3 = 0u;

layout(set = 0, binding = 0) readonly buffer OperandWords { uint operand_words[]; };
layout(set = 0, binding = 0) readonly buffer OperandFloats { float operand_floats[]; };
layout(set = 0, binding = 1) writeonly buffer ResultWords { uint result_words[]; };
layout(set = 0, binding = 1) writeonly buffer ResultFloats { float result_floats[]; };
layout(push_constant) uniform Push
{
    uint count;
    uint operation_native; /* for devices without specialisation */
    uint literal_native;
}
push;

uint apply(uint ua, uint ub, uint uc)
{
    float a = uintBitsToFloat(ua), b = uintBitsToFloat(ub), c = uintBitsToFloat(uc);
    if (operation == TRAIT_ADD) {
        precise float r = a + b;
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_SUB) {
        precise float r = a - b;
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_MUL) {
        precise float r = a * b;
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_FMA) {
        precise float r = fma(a, b, c);
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_MULADD) {
        precise float r = a * b + c;
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_DIV) {
        precise float r = a / b;
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_SQRT) {
        precise float r = sqrt(a);
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_TWO_SUM) {
        precise float s = a + b;
        precise float t = s - a;
        precise float r = (a - (s - t)) + (b - t);
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_ADD_ZERO) {
        precise float r = a + 0.0;
        return floatBitsToUint(r);
    }
    if (operation == TRAIT_MUL_ZERO) {
        precise float r = a * 0.0;
        return floatBitsToUint(r);
    }
    return ua;
}

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) return;
    if (literal) {
        uint r;
        if (i == 0u)
            r = apply(a0, b0, c0);
        else if (i == 1u)
            r = apply(a1, b1, c1);
        else if (i == 2u)
            r = apply(a2, b2, c2);
        else
            r = apply(a3, b3, c3);
        result_words[i] = r;
    } else if (operation == TRAIT_LOAD) {
        result_words[i] = floatBitsToUint(operand_floats[3u * i]);
    } else if (operation == TRAIT_STORE) {
        result_floats[i] = uintBitsToFloat(operand_words[3u * i]);
    } else {
        result_words[i] = apply(operand_words[3u * i], operand_words[3u * i + 1u], operand_words[3u * i + 2u]);
    }
}
