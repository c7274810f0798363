/* The script and the counters of tests/stub_vulkan.c, a Vulkan loader without hardware. A test opens the file, finds
 * the object `stub_vulkan` by dlsym, and gives the file's path to the backend as vulkan_lib. */
#ifndef ASSAY_TESTS_STUB_VULKAN_H
#define ASSAY_TESTS_STUB_VULKAN_H

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

enum stub_kind {
    STUB_INSTANCE,
    STUB_DEVICE,
    STUB_MEMORY,
    STUB_BUFFER,
    STUB_MODULE,
    STUB_SET_LAYOUT,
    STUB_PIPELINE_LAYOUT,
    STUB_PIPELINE,
    STUB_DESCRIPTOR_POOL,
    STUB_COMMAND_POOL,
    STUB_QUERY_POOL,
    STUB_FENCE,
    STUB_KINDS
};

#define STUB_DEVICES_MAX 4

struct stub_vulkan {
    /* the script */
    char drop[64]; /* this entry point does not exist */
    char fail[64]; /* this call returns `result` */
    VkResult result;
    uint32_t device_count;
    VkPhysicalDeviceProperties props[STUB_DEVICES_MAX];
    uint8_t uuid[STUB_DEVICES_MAX][16];
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t type_bits; /* of every buffer */
    VkQueueFamilyProperties family[3];
    uint32_t family_count;
    VkDeviceSize no_memory_bytes; /* an allocation of this size fails with -2 */
    VkBool32 endless;             /* submissions never end */
    VkDeviceSize allocation_limit;
    /* the record */
    int live[STUB_KINDS], made[STUB_KINDS];
    VkInstance instance; /* the last one made */
    uint32_t last_family, last_type;
    VkDeviceSize last_allocation;
    uint32_t copies, dispatches, barriers, sets, mapped;
};

#endif
