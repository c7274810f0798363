/* A Vulkan loader and driver without hardware, for tests: every call can be made to fail or to be missing, devices and
 * memory are what the test says, objects are counted, copies are done when they are recorded, dispatches do nothing. */
#include "tests/stub_vulkan.h"

#include <stdlib.h>
#include <string.h>

__attribute__((visibility("default"))) struct stub_vulkan stub_vulkan;
__attribute__((visibility("default"))) PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance,
                                                                                const char *name);

struct object {
    enum stub_kind kind;
    void *bytes;
    VkDeviceSize size;
};

static int failing(const char *call)
{
    return !strcmp(stub_vulkan.fail, call);
}
#define FAIL_IF_TOLD()                                                                                       \
    if (failing(__func__)) return stub_vulkan.result

static struct object *make(enum stub_kind kind)
{
    struct object *object = calloc(1, sizeof *object);
    object->kind = kind;
    stub_vulkan.live[kind]++;
    stub_vulkan.made[kind]++;
    return object;
}

static void drop(enum stub_kind kind, void *handle)
{
    struct object *object = handle;
    if (!object) return;
    if (object->kind != kind) abort();
    free(object->bytes);
    free(object);
    stub_vulkan.live[kind]--;
}

#define MAKE(call, info, out_type, kind_)                                                                    \
    static VkResult call(VkDevice device, const info *create, const VkAllocationCallbacks *allocator,        \
                         out_type *out)                                                                      \
    {                                                                                                        \
        (void)device, (void)create, (void)allocator;                                                         \
        FAIL_IF_TOLD();                                                                                      \
        *out = (out_type)make(kind_);                                                                        \
        return VK_SUCCESS;                                                                                   \
    }
#define DROP(call, type, kind_)                                                                              \
    static void call(VkDevice device, type handle, const VkAllocationCallbacks *allocator)                   \
    {                                                                                                        \
        (void)device, (void)allocator;                                                                       \
        drop(kind_, (void *)handle);                                                                         \
    }

MAKE(vkCreateShaderModule, VkShaderModuleCreateInfo, VkShaderModule, STUB_MODULE)
MAKE(vkCreateDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout, STUB_SET_LAYOUT)
MAKE(vkCreatePipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout, STUB_PIPELINE_LAYOUT)
MAKE(vkCreateDescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool, STUB_DESCRIPTOR_POOL)
MAKE(vkCreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool, STUB_COMMAND_POOL)
MAKE(vkCreateQueryPool, VkQueryPoolCreateInfo, VkQueryPool, STUB_QUERY_POOL)
MAKE(vkCreateFence, VkFenceCreateInfo, VkFence, STUB_FENCE)
DROP(vkDestroyShaderModule, VkShaderModule, STUB_MODULE)
DROP(vkDestroyDescriptorSetLayout, VkDescriptorSetLayout, STUB_SET_LAYOUT)
DROP(vkDestroyPipelineLayout, VkPipelineLayout, STUB_PIPELINE_LAYOUT)
DROP(vkDestroyPipeline, VkPipeline, STUB_PIPELINE)
DROP(vkDestroyDescriptorPool, VkDescriptorPool, STUB_DESCRIPTOR_POOL)
DROP(vkDestroyCommandPool, VkCommandPool, STUB_COMMAND_POOL)
DROP(vkDestroyQueryPool, VkQueryPool, STUB_QUERY_POOL)
DROP(vkDestroyFence, VkFence, STUB_FENCE)
DROP(vkDestroyBuffer, VkBuffer, STUB_BUFFER)
DROP(vkFreeMemory, VkDeviceMemory, STUB_MEMORY)

/* ---- instance and devices ---- */

static VkResult vkCreateInstance(const VkInstanceCreateInfo *create, const VkAllocationCallbacks *allocator,
                                 VkInstance *out)
{
    (void)create, (void)allocator;
    FAIL_IF_TOLD();
    stub_vulkan.instance = *out = (VkInstance)make(STUB_INSTANCE);
    return VK_SUCCESS;
}

static void vkDestroyInstance(VkInstance instance, const VkAllocationCallbacks *allocator)
{
    (void)allocator;
    drop(STUB_INSTANCE, instance);
}

static VkResult vkEnumeratePhysicalDevices(VkInstance instance, uint32_t *count, VkPhysicalDevice *list)
{
    (void)instance;
    FAIL_IF_TOLD();
    for (uint32_t i = 0; list && i < *count && i < stub_vulkan.device_count; i++)
        list[i] = (VkPhysicalDevice)&stub_vulkan.props[i];
    *count = stub_vulkan.device_count;
    return VK_SUCCESS;
}

static void vkGetPhysicalDeviceProperties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *props)
{
    const VkPhysicalDeviceProperties *mine = (void *)physical;
    size_t i = (size_t)(mine - stub_vulkan.props);
    props->properties = *mine;
    for (VkBaseOutStructure *s = props->pNext; s; s = s->pNext) {
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES)
            memcpy(((VkPhysicalDeviceIDProperties *)s)->deviceUUID, stub_vulkan.uuid[i], 16);
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES)
            ((VkPhysicalDeviceMaintenance3Properties *)s)->maxMemoryAllocationSize =
                stub_vulkan.allocation_limit;
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES) {
            VkPhysicalDeviceDriverProperties *driver = (void *)s;
            memset(driver->driverName, 'd', sizeof driver->driverName);
            memset(driver->driverInfo, 'i', sizeof driver->driverInfo);
        }
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT)
            ((VkPhysicalDevicePCIBusInfoPropertiesEXT *)s)->pciBus = 0x1b + (uint32_t)i;
    }
}

static void vkGetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
    (void)physical;
    memset(&features->features, 0, sizeof features->features);
}

static void vkGetPhysicalDeviceMemoryProperties(VkPhysicalDevice physical,
                                                VkPhysicalDeviceMemoryProperties *memory)
{
    (void)physical;
    *memory = stub_vulkan.memory;
}

static void vkGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physical, uint32_t *count,
                                                     VkQueueFamilyProperties *list)
{
    (void)physical;
    for (uint32_t i = 0; list && i < *count && i < stub_vulkan.family_count; i++)
        list[i] = stub_vulkan.family[i];
    *count = stub_vulkan.family_count;
}

static VkResult vkEnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
                                                     uint32_t *count, VkExtensionProperties *list)
{
    (void)physical, (void)layer;
    FAIL_IF_TOLD();
    if (list) strcpy(list[0].extensionName, "VK_EXT_pci_bus_info");
    *count = 1;
    return VK_SUCCESS;
}

static VkResult vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *create,
                               const VkAllocationCallbacks *allocator, VkDevice *out)
{
    (void)physical, (void)allocator;
    FAIL_IF_TOLD();
    stub_vulkan.last_family = create->pQueueCreateInfos[0].queueFamilyIndex;
    *out = (VkDevice)make(STUB_DEVICE);
    return VK_SUCCESS;
}

static void vkDestroyDevice(VkDevice device, const VkAllocationCallbacks *allocator)
{
    (void)allocator;
    drop(STUB_DEVICE, device);
}

static void vkGetDeviceQueue(VkDevice device, uint32_t family, uint32_t index, VkQueue *queue)
{
    (void)family, (void)index;
    *queue = (VkQueue)device;
}

/* ---- memory ---- */

static VkResult vkAllocateMemory(VkDevice device, const VkMemoryAllocateInfo *allocate,
                                 const VkAllocationCallbacks *allocator, VkDeviceMemory *out)
{
    (void)device, (void)allocator;
    FAIL_IF_TOLD();
    if (allocate->allocationSize == stub_vulkan.no_memory_bytes) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    struct object *memory = make(STUB_MEMORY);
    memory->size = allocate->allocationSize;
    memory->bytes = calloc(1, memory->size);
    stub_vulkan.last_type = allocate->memoryTypeIndex;
    stub_vulkan.last_allocation = allocate->allocationSize;
    *out = (VkDeviceMemory)memory;
    return VK_SUCCESS;
}

static VkResult vkMapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                            VkMemoryMapFlags flags, void **data)
{
    (void)device, (void)size, (void)flags;
    FAIL_IF_TOLD();
    *data = (char *)((struct object *)memory)->bytes + offset;
    stub_vulkan.mapped++;
    return VK_SUCCESS;
}

static VkResult vkCreateBuffer(VkDevice device, const VkBufferCreateInfo *create,
                               const VkAllocationCallbacks *allocator, VkBuffer *out)
{
    (void)device, (void)allocator;
    FAIL_IF_TOLD();
    struct object *buffer = make(STUB_BUFFER);
    buffer->size = create->size;
    *out = (VkBuffer)buffer;
    return VK_SUCCESS;
}

static void vkGetBufferMemoryRequirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements *need)
{
    (void)device;
    need->size = ((struct object *)buffer)->size;
    need->alignment = 16;
    need->memoryTypeBits = stub_vulkan.type_bits;
}

/* The buffer's record borrows the memory's bytes; only the memory frees them. */
static VkResult vkBindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                   VkDeviceSize offset)
{
    (void)device, (void)offset;
    FAIL_IF_TOLD();
    struct object **link = malloc(sizeof *link);
    *link = (struct object *)memory;
    ((struct object *)buffer)->bytes = link;
    return VK_SUCCESS;
}

static char *buffer_bytes(VkBuffer buffer)
{
    struct object **link = ((struct object *)buffer)->bytes;
    return (*link)->bytes;
}

/* ---- programs and commands ---- */

static VkResult vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                         const VkComputePipelineCreateInfo *create,
                                         const VkAllocationCallbacks *allocator, VkPipeline *out)
{
    (void)device, (void)cache, (void)count, (void)create, (void)allocator;
    FAIL_IF_TOLD();
    *out = (VkPipeline)make(STUB_PIPELINE);
    return VK_SUCCESS;
}

static VkResult vkResetDescriptorPool(VkDevice device, VkDescriptorPool pool,
                                      VkDescriptorPoolResetFlags flags)
{
    (void)device, (void)pool, (void)flags;
    FAIL_IF_TOLD();
    return VK_SUCCESS;
}

static VkResult vkAllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *allocate,
                                         VkDescriptorSet *out)
{
    (void)device;
    FAIL_IF_TOLD();
    for (uint32_t i = 0; i < allocate->descriptorSetCount; i++)
        out[i] = (VkDescriptorSet)allocate->descriptorPool;
    stub_vulkan.sets += allocate->descriptorSetCount;
    return VK_SUCCESS;
}

static void vkUpdateDescriptorSets(VkDevice device, uint32_t writes, const VkWriteDescriptorSet *write,
                                   uint32_t copies, const VkCopyDescriptorSet *copy)
{
    (void)device, (void)writes, (void)write, (void)copies, (void)copy;
}

static VkResult vkAllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *allocate,
                                         VkCommandBuffer *out)
{
    (void)allocate;
    FAIL_IF_TOLD();
    *out = (VkCommandBuffer)device;
    return VK_SUCCESS;
}

static VkResult vkBeginCommandBuffer(VkCommandBuffer commands, const VkCommandBufferBeginInfo *begin)
{
    (void)commands, (void)begin;
    FAIL_IF_TOLD();
    return VK_SUCCESS;
}

static VkResult vkEndCommandBuffer(VkCommandBuffer commands)
{
    (void)commands;
    FAIL_IF_TOLD();
    return VK_SUCCESS;
}

static void vkCmdBindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)commands, (void)point, (void)pipeline;
}

static void vkCmdBindDescriptorSets(VkCommandBuffer commands, VkPipelineBindPoint point,
                                    VkPipelineLayout layout, uint32_t first, uint32_t count,
                                    const VkDescriptorSet *sets, uint32_t offsets, const uint32_t *offset)
{
    (void)commands, (void)point, (void)layout, (void)first, (void)count, (void)sets, (void)offsets,
        (void)offset;
}

static void vkCmdPushConstants(VkCommandBuffer commands, VkPipelineLayout layout, VkShaderStageFlags stages,
                               uint32_t offset, uint32_t size, const void *values)
{
    (void)commands, (void)layout, (void)stages, (void)offset, (void)size, (void)values;
}

static void vkCmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    (void)commands, (void)x, (void)y, (void)z;
    stub_vulkan.dispatches++;
}

static void vkCmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                 VkDependencyFlags flags, uint32_t memory_count,
                                 const VkMemoryBarrier *memory, uint32_t buffer_count,
                                 const VkBufferMemoryBarrier *buffer, uint32_t image_count,
                                 const VkImageMemoryBarrier *image)
{
    (void)commands, (void)flags, (void)memory_count, (void)memory, (void)buffer_count, (void)buffer,
        (void)image_count, (void)image;
    if (from == VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT && to == VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
        stub_vulkan.barriers++;
}

static void vkCmdCopyBuffer(VkCommandBuffer commands, VkBuffer from, VkBuffer to, uint32_t count,
                            const VkBufferCopy *region)
{
    (void)commands, (void)count;
    memcpy(buffer_bytes(to) + region->dstOffset, buffer_bytes(from) + region->srcOffset, region->size);
    stub_vulkan.copies++;
}

static void vkCmdResetQueryPool(VkCommandBuffer commands, VkQueryPool pool, uint32_t first, uint32_t count)
{
    (void)commands, (void)pool, (void)first, (void)count;
}

static void vkCmdWriteTimestamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage, VkQueryPool pool,
                                uint32_t query)
{
    (void)commands, (void)stage, (void)pool, (void)query;
}

/* A 36-bit counter that wraps between the two stamps: 256 ticks. */
static VkResult vkGetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count,
                                      size_t bytes, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
    (void)device, (void)pool, (void)first, (void)count, (void)bytes, (void)stride, (void)flags;
    FAIL_IF_TOLD();
    memcpy(data, (uint64_t[]){0xfffffff80ull, 0x80}, 16);
    return VK_SUCCESS;
}

static VkResult vkQueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *submits, VkFence fence)
{
    (void)queue, (void)count, (void)submits, (void)fence;
    FAIL_IF_TOLD();
    return VK_SUCCESS;
}

static VkResult vkResetFences(VkDevice device, uint32_t count, const VkFence *fences)
{
    (void)device, (void)count, (void)fences;
    FAIL_IF_TOLD();
    return VK_SUCCESS;
}

static VkResult vkWaitForFences(VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all,
                                uint64_t timeout)
{
    (void)device, (void)count, (void)fences, (void)all, (void)timeout;
    FAIL_IF_TOLD();
    return stub_vulkan.endless ? VK_TIMEOUT : VK_SUCCESS;
}

/* ---- names ---- */

#define ENTRIES(X)                                                                                           \
    X(vkCreateInstance)                                                                                      \
    X(vkDestroyInstance)                                                                                     \
    X(vkEnumeratePhysicalDevices)                                                                            \
    X(vkGetPhysicalDeviceProperties2)                                                                        \
    X(vkGetPhysicalDeviceFeatures2)                                                                          \
    X(vkGetPhysicalDeviceMemoryProperties)                                                                   \
    X(vkGetPhysicalDeviceQueueFamilyProperties)                                                              \
    X(vkEnumerateDeviceExtensionProperties)                                                                  \
    X(vkCreateDevice)                                                                                        \
    X(vkDestroyDevice)                                                                                       \
    X(vkGetDeviceProcAddr)                                                                                   \
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

static PFN_vkVoidFunction vkGetDeviceProcAddr(VkDevice device, const char *name);

static PFN_vkVoidFunction find(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } entries[] = {
#define X(name) {#name, (PFN_vkVoidFunction)name},
        ENTRIES(X)
#undef X
    };
    if (!strcmp(name, stub_vulkan.drop)) return NULL;
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
        if (!strcmp(entries[i].name, name)) return entries[i].function;
    return NULL;
}

static PFN_vkVoidFunction vkGetDeviceProcAddr(VkDevice device, const char *name)
{
    (void)device;
    return find(name);
}

PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char *name)
{
    if (!instance && strcmp(name, "vkCreateInstance") != 0) return NULL;
    return find(name);
}
