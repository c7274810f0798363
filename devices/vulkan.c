/* The Vulkan backend. */
#include "devices/device.h"

#include <stdio.h>

static void vulkan_discover(const struct assay_driver_params *params, struct assay_device_info *list,
                            size_t cap, size_t *count, char note[256])
{
    (void)params, (void)list, (void)cap;
    *count = 0;
    snprintf(note, 256, "no Vulkan loader (libvulkan.so.1) on this machine");
}

static enum assay_status vulkan_open(const struct assay_driver_params *params,
                                     const struct assay_device_info *info, struct assay_device **device,
                                     struct assay_error *error)
{
    (void)params;
    *device = NULL;
    return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "no Vulkan device %u", info->index);
}

const struct assay_backend assay_backend_vulkan = {
    .name = "vulkan", .discover = vulkan_discover, .open = vulkan_open};
