#version 450
#extension GL_GOOGLE_include_directive : require
// texts: native emulated
/* The work of a unit by every workgroup, on devices that do not say on which unit a workgroup runs: a row a workgroup.
 *
 * Exactness: text.h; ANDs and ORs of integers commute. */
#define ROW gl_WorkGroupID.x
#include "kernels/sweep/vulkan_units.glsl"
