/* The Vulkan rows of the Q1_0 product and of the quantizer, as the table sees them. */
#ifndef ASSAY_Q1_0_VULKAN_H
#define ASSAY_Q1_0_VULKAN_H

#include "kernels/q1_0/q1_0.h"

Q1_ROW(vulkan, lane1);
Q1_ROW(vulkan, lane8);
Q1_ROW(vulkan, mat);
Q1_ROW(vulkan, quantize);

#define Q1_VULKAN_FORMS (ASSAY_ALL_FORMS | 1u << ASSAY_VARIANT_CONTRACT)

#endif
