#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_NV_shader_sm_builtins : require
// texts: native emulated
/* The work of a unit by many workgroups, each of which finds the row of the multiprocessor that it runs on. Vulkan does not
 * promise that workgroups are there side by side, so none waits for others: there are many for each multiprocessor.
 *
 * Exactness: text.h; ANDs and ORs of integers commute. */
#define ROW gl_SMIDNV
#include "kernels/sweep/vulkan_units.glsl"
