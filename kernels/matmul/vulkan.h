/* The Vulkan rows of the matrix product, as the table sees them. */
#ifndef ASSAY_MATMUL_VULKAN_H
#define ASSAY_MATMUL_VULKAN_H

#include "kernels/matmul/matmul.h"

#define MATMUL_VULKAN_ROW(name)                                                                              \
    bool matmul_vulkan_##name##_present(const struct assay_device_info *info, char why[160]);                \
    bool matmul_vulkan_##name##_supports(const struct assay_device_info *info,                               \
                                         const struct assay_call *call, char why[160]);                      \
    double matmul_vulkan_##name##_cost(const struct assay_device_info *info, const struct assay_call *call); \
    enum assay_status matmul_vulkan_##name##_plan(const struct assay_device_info *info,                      \
                                                  const struct assay_call *call, enum assay_variant variant, \
                                                  struct assay_plan *plan, struct assay_error *error)

/* The forms of the fused multiply-add that a row's two texts can be loaded as. */
#define MATMUL_VULKAN_NATIVE_TEXT (1u << ASSAY_VARIANT_NATIVE | 1u << ASSAY_VARIANT_CONTRACT)
#define MATMUL_VULKAN_BOTH_TEXTS  (ASSAY_ALL_FORMS | 1u << ASSAY_VARIANT_CONTRACT)

MATMUL_VULKAN_ROW(plain);
MATMUL_VULKAN_ROW(tile32);
MATMUL_VULKAN_ROW(tile64);
MATMUL_VULKAN_ROW(tile128);
MATMUL_VULKAN_ROW(tile128d8);
MATMUL_VULKAN_ROW(split);

#endif
