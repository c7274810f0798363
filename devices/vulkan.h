/* Inside the Vulkan backend: entry points, the shared instance, the open device. Only vulkan*.c include it.
 *
 * Nothing of Vulkan is linked: VK_NO_PROTOTYPES leaves types and function pointers, and every pointer comes from
 * vkGetInstanceProcAddr or vkGetDeviceProcAddr by the lists below (row D03). */
#ifndef ASSAY_VULKAN_H
#define ASSAY_VULKAN_H

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#include "devices/dispatch.h"

/* What an instance answers. vkDestroyDevice is among them so that a device without that entry point is never made. */
#define ASSAY_VULKAN_INSTANCE_CALLS(X)                                                                       \
    X(vkEnumeratePhysicalDevices)                                                                            \
    X(vkGetPhysicalDeviceProperties2)                                                                        \
    X(vkGetPhysicalDeviceFeatures2)                                                                          \
    X(vkGetPhysicalDeviceMemoryProperties)                                                                   \
    X(vkGetPhysicalDeviceQueueFamilyProperties)                                                              \
    X(vkEnumerateDeviceExtensionProperties)                                                                  \
    X(vkCreateDevice)                                                                                        \
    X(vkDestroyDevice)                                                                                       \
    X(vkGetDeviceProcAddr)

#define ASSAY_VULKAN_DEVICE_CALLS(X)                                                                         \
    X(vkGetDeviceQueue)                                                                                      \
    X(vkQueueSubmit)                                                                                         \
    X(vkAllocateMemory)                                                                                      \
    X(vkFreeMemory)                                                                                          \
    X(vkMapMemory)                                                                                           \
    X(vkCreateBuffer)                                                                                        \
    X(vkDestroyBuffer)                                                                                       \
    X(vkGetBufferMemoryRequirements)                                                                         \
    X(vkBindBufferMemory)                                                                                    \
    X(vkCreateShaderModule)                                                                                  \
    X(vkDestroyShaderModule)                                                                                 \
    X(vkCreateDescriptorSetLayout)                                                                           \
    X(vkDestroyDescriptorSetLayout)                                                                          \
    X(vkCreatePipelineLayout)                                                                                \
    X(vkDestroyPipelineLayout)                                                                               \
    X(vkCreateComputePipelines)                                                                              \
    X(vkDestroyPipeline)                                                                                     \
    X(vkCreateDescriptorPool)                                                                                \
    X(vkDestroyDescriptorPool)                                                                               \
    X(vkResetDescriptorPool)                                                                                 \
    X(vkAllocateDescriptorSets)                                                                              \
    X(vkUpdateDescriptorSets)                                                                                \
    X(vkCreateCommandPool)                                                                                   \
    X(vkDestroyCommandPool)                                                                                  \
    X(vkAllocateCommandBuffers)                                                                              \
    X(vkBeginCommandBuffer)                                                                                  \
    X(vkEndCommandBuffer)                                                                                    \
    X(vkCmdBindPipeline)                                                                                     \
    X(vkCmdBindDescriptorSets)                                                                               \
    X(vkCmdPushConstants)                                                                                    \
    X(vkCmdDispatch)                                                                                         \
    X(vkCmdPipelineBarrier)                                                                                  \
    X(vkCmdCopyBuffer)                                                                                       \
    X(vkCmdResetQueryPool)                                                                                   \
    X(vkCmdWriteTimestamp)                                                                                   \
    X(vkCreateQueryPool)                                                                                     \
    X(vkDestroyQueryPool)                                                                                    \
    X(vkGetQueryPoolResults)                                                                                 \
    X(vkCreateFence)                                                                                         \
    X(vkDestroyFence)                                                                                        \
    X(vkResetFences)                                                                                         \
    X(vkWaitForFences)

/* ---- vulkan_load.c ---- */

/* The shared objects of this process by path, and the pinning of those that came since (vulkan_pin.c). A list may be
 * shorter than it should be when memory ran out. */
struct vulkan_objects {
    char **name;
    size_t count;
};
void assay_vulkan_objects_list(struct vulkan_objects *objects);
void assay_vulkan_objects_pin(const struct vulkan_objects *before);
void assay_vulkan_objects_free(struct vulkan_objects *objects);

struct vulkan_instance {
    void *library;
    VkInstance handle;
    struct vulkan_objects before; /* what was mapped when it was created */
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr;
    PFN_vkCreateInstance vkCreateInstance;
    PFN_vkDestroyInstance vkDestroyInstance;
#define X(name) PFN_##name name;
    ASSAY_VULKAN_INSTANCE_CALLS(X)
#undef X
    /* of the shared instances only */
    char *lib;
    unsigned users;
    struct vulkan_instance *next;
};

struct vulkan_calls {
#define X(name) PFN_##name name;
    ASSAY_VULKAN_DEVICE_CALLS(X)
#undef X
};

/* Open the loader that `lib` names (NULL: the usual names), make an instance and find its entry points. On failure
 * nothing is left. An instance of one's own, for discovery. */
enum assay_status assay_vulkan_instance_create(const char *lib, struct vulkan_instance *instance,
                                               struct assay_error *error);
void assay_vulkan_instance_destroy(struct vulkan_instance *instance);
/* The instance that all open devices of one loader share, counted (row D13): made by the first, destroyed by the last. */
enum assay_status assay_vulkan_instance_share(const char *lib, struct vulkan_instance **instance,
                                              struct assay_error *error);
void assay_vulkan_instance_release(struct vulkan_instance *instance); /* accepts NULL */
enum assay_status assay_vulkan_calls_load(const struct vulkan_instance *instance, VkDevice device,
                                          struct vulkan_calls *calls, struct assay_error *error);
/* All physical devices, in malloc'ed memory that the caller frees. */
enum assay_status assay_vulkan_physical_list(const struct vulkan_instance *instance, VkPhysicalDevice **list,
                                             uint32_t *count, struct assay_error *error);
/* Record "CALL failed (code)", after "subject: " unless it is NULL, with the status that the code means. */
enum assay_status assay_vulkan_failure(struct assay_error *error, const char *subject, const char *call,
                                       VkResult result);

/* ---- vulkan_describe.c ---- */

/* Device extensions that are used where they exist. */
enum vulkan_extension {
    VULKAN_EXT_PCI_BUS_INFO,
    VULKAN_EXT_NV_SM_BUILTINS,
    VULKAN_EXT_AMD_SHADER_CORE,
    VULKAN_EXT_DRIVER_PROPERTIES,
    VULKAN_EXT_FLOAT_CONTROLS,
    VULKAN_EXT_8BIT_STORAGE,
    VULKAN_EXT_FLOAT16_INT8,
    VULKAN_EXT_PORTABILITY,
    VULKAN_EXT_COUNT
};
extern const char *const assay_vulkan_extension_names[VULKAN_EXT_COUNT];

/* What describing a device found beyond the public record; what opening it needs. */
struct vulkan_facts {
    uint32_t api; /* without the variant bits */
    bool extension[VULKAN_EXT_COUNT];
    uint32_t family; /* first queue family with the compute bit; UINT32_MAX if none */
    uint32_t timestamp_bits;
    float timestamp_period;
    uint32_t group_size[3];
    uint32_t controls; /* ASSAY_CTRL_* modes that the device offers for 32-bit floats */
    VkPhysicalDeviceMemoryProperties memory;
};

/* Fill *info (index is the caller's) and *facts (may be NULL). Problems do not stop it: they are in info->why. */
void assay_vulkan_describe(const struct vulkan_instance *instance, VkPhysicalDevice physical, uint32_t index,
                           const struct assay_driver_params *params, struct assay_device_info *info,
                           struct vulkan_facts *facts);
/* "1.3.255" from a version word; variant bits are dropped (row D12). */
char *assay_vulkan_version_text(uint32_t version, char text[32]);

/* ---- the open device ---- */

struct assay_buffer {
    struct vulkan_device *device;
    struct assay_buffer *prev, *next;
    uint64_t bytes;       /* as asked for, at least 4 */
    uint64_t whole_bytes; /* a multiple of 4 */
    VkBuffer handle;
    VkDeviceMemory memory;
    void *mapped;   /* for life; NULL: reached by staging copies */
    bool slow_read; /* mapped, but the processor reads it across the bus, uncached */
};

struct assay_program {
    struct vulkan_device *device;
    struct assay_program *prev, *next;
    const char *name;
    uint32_t bindings, push_bytes;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

/* Memory types by use; UINT32_MAX where there is none. */
struct vulkan_memory_plan {
    uint32_t unified; /* device-local, host-visible and coherent */
    uint32_t local;   /* device-local */
    uint32_t host;    /* host-visible and coherent, cached if possible */
};

struct vulkan_device {
    struct assay_device base;
    atomic_flag busy;
    char label[24];
    struct vulkan_instance *instance;
    struct vulkan_calls vk;
    struct vulkan_facts facts;
    struct vulkan_memory_plan plan;
    bool force_staging;
    VkDevice handle;
    VkQueue queue;
    VkCommandPool command_pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool queries; /* null where the queue has no clock */
    VkDescriptorSetLayout set_layout[ASSAY_BINDINGS_MAX + 1];
    VkDescriptorPool descriptor_pool;
    uint32_t descriptor_sets; /* room in the pool */
    struct assay_buffer *buffers, *staging;
    struct assay_program *programs;
    bool in_flight, timed; /* timed: the submission writes time stamps */
};

/* As assay_vulkan_failure with the device's label; a lost device is marked as such. */
enum assay_status assay_vulkan_device_failure(struct vulkan_device *device, struct assay_error *error,
                                              const char *call, VkResult result);
/* Start recording, and submit what was recorded. */
enum assay_status assay_vulkan_commands_begin(struct vulkan_device *device, struct assay_error *error);
enum assay_status assay_vulkan_commands_submit(struct vulkan_device *device, struct assay_error *error);

/* ---- vulkan_memory.c ---- */

/* Which memory types serve; ASSAY_DEVICE_UNSUPPORTED "no host-visible coherent memory" (row D14). */
enum assay_status assay_vulkan_memory_choose(struct vulkan_device *device, bool force_staging,
                                             struct assay_error *error);
enum assay_status assay_vulkan_buffer_create(struct vulkan_device *device, uint64_t bytes,
                                             struct assay_buffer **buffer, struct assay_error *error);
void assay_vulkan_buffer_free(struct vulkan_device *device, struct assay_buffer *buffer);
enum assay_status assay_vulkan_write(struct vulkan_device *device, struct assay_buffer *buffer,
                                     uint64_t offset_bytes, const void *data, uint64_t bytes,
                                     struct assay_error *error);
enum assay_status assay_vulkan_read(struct vulkan_device *device, struct assay_buffer *buffer,
                                    uint64_t offset_bytes, void *data, uint64_t bytes,
                                    struct assay_error *error);

/* ---- vulkan_program.c ---- */

enum assay_status assay_vulkan_program_create(struct vulkan_device *device,
                                              const struct assay_program_params *params,
                                              struct assay_program **program, struct assay_error *error);
void assay_vulkan_program_free(struct vulkan_device *device, struct assay_program *program);

/* ---- vulkan_submit.c ---- */

enum assay_status assay_vulkan_submit(struct vulkan_device *device, const struct assay_dispatch *dispatches,
                                      size_t count, struct assay_error *error);

#endif
