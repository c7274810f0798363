/* The Vulkan backend's slots: discovery, open and close, wait, and the guard around every call. The parts are in
 * vulkan_load.c (entry points), vulkan_describe.c, vulkan_memory.c, vulkan_program.c and vulkan_submit.c. */
#include "devices/vulkan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABANDON_NS 10000000000ull /* how long close waits for work that does not end */

static struct vulkan_device *vulkan_of(struct assay_device *device)
{
    return (struct vulkan_device *)device;
}

enum assay_status assay_vulkan_device_failure(struct vulkan_device *device, struct assay_error *error,
                                              const char *call, VkResult result)
{
    if (result == VK_ERROR_DEVICE_LOST) device->base.lost = true;
    return assay_vulkan_failure(error, device->label, call, result);
}

/* ---- discovery ---- */

static void vulkan_discover(const struct assay_driver_params *params, struct assay_device_info *list,
                            size_t cap, size_t *count, char note[256])
{
    struct vulkan_instance instance;
    struct assay_error error = {0};
    VkPhysicalDevice *physical = NULL;
    uint32_t found = 0;
    *count = 0;
    note[0] = '\0';
    if (assay_vulkan_instance_create(params->vulkan_lib, &instance, &error) != ASSAY_OK) {
        snprintf(note, 256, "%.255s", error.text);
        return;
    }
    if (assay_vulkan_physical_list(&instance, &physical, &found, &error) != ASSAY_OK)
        snprintf(note, 256, "%.255s", error.text);
    else if (!found)
        snprintf(note, 256, "the Vulkan loader lists no device");
    else if (found > cap)
        snprintf(note, 256, "%" PRIu32 " devices, only the first %zu are listed", found, cap);
    for (uint32_t i = 0; i < found && i < cap; i++)
        assay_vulkan_describe(&instance, physical[i], i, params, &list[(*count)++], NULL);
    free(physical);
    assay_vulkan_instance_destroy(&instance);
}

/* ---- open and close ---- */

/* The device that was listed, also if the driver orders its cards otherwise now. */
static enum assay_status physical_find(struct vulkan_device *device, const struct assay_driver_params *params,
                                       const struct assay_device_info *info, VkPhysicalDevice *physical,
                                       struct assay_error *error)
{
    VkPhysicalDevice *list = NULL;
    uint32_t count = 0;
    enum assay_status status = assay_vulkan_physical_list(device->instance, &list, &count, error);
    if (status != ASSAY_OK) return status;
    *physical = VK_NULL_HANDLE;
    for (uint32_t step = 0; step < count && !*physical; step++) {
        uint32_t i = (info->index < count ? info->index + step : step) % count;
        struct assay_device_info now;
        assay_vulkan_describe(device->instance, list[i], i, params, &now, &device->facts);
        if (info->has_uuid ? now.has_uuid && !memcmp(now.uuid, info->uuid, sizeof now.uuid)
                           : i == info->index)
            *physical = list[i];
    }
    free(list);
    if (*physical) return ASSAY_OK;
    return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "no Vulkan device %" PRIu32, info->index);
}

/* The logical device, with what exact kernels may want where it exists: 64-bit and small integers, float64, 16- and
 * 8-bit storage. */
static enum assay_status device_make(struct vulkan_device *device, VkPhysicalDevice physical,
                                     struct assay_error *error)
{
    const struct vulkan_instance *instance = device->instance;
    const struct vulkan_facts *facts = &device->facts;
    const bool is_1_2 = facts->api >= VK_API_VERSION_1_2;
    VkPhysicalDevice16BitStorageFeatures storage16 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES};
    VkPhysicalDevice8BitStorageFeatures storage8 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, .pNext = &storage16};
    VkPhysicalDeviceShaderFloat16Int8Features small = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES};
    const bool has_storage8 = is_1_2 || facts->extension[VULKAN_EXT_8BIT_STORAGE];
    void *chain = has_storage8 ? (void *)&storage8 : (void *)&storage16;
    if (is_1_2 || facts->extension[VULKAN_EXT_FLOAT16_INT8]) {
        small.pNext = chain;
        chain = &small;
    }
    VkPhysicalDeviceShaderSMBuiltinsFeaturesNV ids = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_FEATURES_NV, .pNext = chain};
    if (facts->extension[VULKAN_EXT_NV_SM_BUILTINS]) chain = &ids;
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = chain};
    instance->vkGetPhysicalDeviceFeatures2(physical, &features);
    features.features = (VkPhysicalDeviceFeatures){
        .shaderInt64 = features.features.shaderInt64,
        .shaderInt16 = features.features.shaderInt16,
        .shaderFloat64 = features.features.shaderFloat64,
    };

    const char *extensions[VULKAN_EXT_COUNT];
    uint32_t extension_count = 0;
    for (int e = 0; e < VULKAN_EXT_COUNT; e++) {
        bool core = is_1_2 && (e == VULKAN_EXT_8BIT_STORAGE || e == VULKAN_EXT_FLOAT16_INT8 ||
                               e == VULKAN_EXT_FLOAT_CONTROLS);
        bool described_only = e == VULKAN_EXT_PCI_BUS_INFO || e == VULKAN_EXT_DRIVER_PROPERTIES;
        if (facts->extension[e] && !core && !described_only)
            extensions[extension_count++] = assay_vulkan_extension_names[e];
    }
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = facts->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &features,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = extension_count,
                                       .ppEnabledExtensionNames = extensions};
    VkResult result = instance->vkCreateDevice(physical, &create, NULL, &device->handle);
    if (result == VK_SUCCESS) return assay_vulkan_calls_load(instance, device->handle, &device->vk, error);
    device->handle = VK_NULL_HANDLE;
    return assay_vulkan_device_failure(device, error, "vkCreateDevice", result);
}

static enum assay_status queue_make(struct vulkan_device *device, struct assay_error *error)
{
    device->vk.vkGetDeviceQueue(device->handle, device->facts.family, 0, &device->queue);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = device->facts.family};
    VkResult result = device->vk.vkCreateCommandPool(device->handle, &pool, NULL, &device->command_pool);
    if (result != VK_SUCCESS) {
        device->command_pool = VK_NULL_HANDLE;
        return assay_vulkan_device_failure(device, error, "vkCreateCommandPool", result);
    }
    const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                  .commandPool = device->command_pool,
                                                  .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                  .commandBufferCount = 1};
    result = device->vk.vkAllocateCommandBuffers(device->handle, &allocate, &device->commands);
    if (result != VK_SUCCESS)
        return assay_vulkan_device_failure(device, error, "vkAllocateCommandBuffers", result);
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    result = device->vk.vkCreateFence(device->handle, &fence, NULL, &device->fence);
    if (result != VK_SUCCESS) {
        device->fence = VK_NULL_HANDLE;
        return assay_vulkan_device_failure(device, error, "vkCreateFence", result);
    }
    if (!device->facts.timestamp_bits || !(device->facts.timestamp_period > 0)) return ASSAY_OK;
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = 2};
    result = device->vk.vkCreateQueryPool(device->handle, &queries, NULL, &device->queries);
    if (result == VK_SUCCESS) return ASSAY_OK;
    device->queries = VK_NULL_HANDLE;
    return assay_vulkan_device_failure(device, error, "vkCreateQueryPool", result);
}

/* Has the device let go of everything? Work that never ends must not hang close; its objects are then left to the
 * driver, as destroying them would be undefined. */
static bool settle(struct vulkan_device *device)
{
    if (!device->in_flight) return true;
    VkResult result = device->vk.vkWaitForFences(device->handle, 1, &device->fence, VK_TRUE, ABANDON_NS);
    if (result == VK_ERROR_DEVICE_LOST) device->base.lost = true;
    return result != VK_TIMEOUT;
}

static void objects_destroy(struct vulkan_device *device)
{
    const struct vulkan_calls *vk = &device->vk;
    while (device->programs) assay_vulkan_program_free(device, device->programs);
    while (device->buffers) assay_vulkan_buffer_free(device, device->buffers);
    assay_vulkan_buffer_free(device, device->staging);
    if (device->descriptor_pool) vk->vkDestroyDescriptorPool(device->handle, device->descriptor_pool, NULL);
    for (size_t i = 0; i < sizeof device->set_layout / sizeof device->set_layout[0]; i++)
        if (device->set_layout[i])
            vk->vkDestroyDescriptorSetLayout(device->handle, device->set_layout[i], NULL);
    if (device->queries) vk->vkDestroyQueryPool(device->handle, device->queries, NULL);
    if (device->fence) vk->vkDestroyFence(device->handle, device->fence, NULL);
    if (device->command_pool) vk->vkDestroyCommandPool(device->handle, device->command_pool, NULL);
    if (device->handle) device->instance->vkDestroyDevice(device->handle, NULL);
    assay_vulkan_instance_release(device->instance);
}

static void vulkan_close(struct assay_device *base)
{
    if (!base) return;
    struct vulkan_device *device = vulkan_of(base);
    if (settle(device)) {
        objects_destroy(device);
    } else {
        for (struct assay_program *p = device->programs, *next; p; p = next) {
            next = p->next;
            free(p);
        }
        for (struct assay_buffer *b = device->buffers, *next; b; b = next) {
            next = b->next;
            free(b);
        }
        free(device->staging);
    }
    free(device);
}

static enum assay_status vulkan_open(const struct assay_driver_params *params,
                                     const struct assay_device_info *info, struct assay_device **opened,
                                     struct assay_error *error)
{
    *opened = NULL;
    struct vulkan_device *device = calloc(1, sizeof *device);
    if (!device)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a Vulkan handle (%zu bytes)",
                               sizeof *device);
    device->base.backend = &assay_backend_vulkan;
    device->base.info = *info;
    assay_device_label(info, device->label);
    atomic_flag_clear(&device->busy);

    VkPhysicalDevice physical = VK_NULL_HANDLE;
    enum assay_status status = assay_vulkan_instance_share(params->vulkan_lib, &device->instance, error);
    if (status == ASSAY_OK) status = physical_find(device, params, info, &physical, error);
    if (status == ASSAY_OK && device->facts.family == UINT32_MAX)
        status = assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: no compute queue", device->label);
    if (status == ASSAY_OK && device->facts.api < VK_API_VERSION_1_1)
        status = assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: Vulkan %s, at least 1.1 is needed",
                                 device->label, info->api);
    if (status == ASSAY_OK) status = assay_vulkan_memory_choose(device, params->vulkan_staging, error);
    if (status == ASSAY_OK) status = device_make(device, physical, error);
    if (status == ASSAY_OK) status = queue_make(device, error);
    if (status != ASSAY_OK)
        vulkan_close(&device->base);
    else
        *opened = &device->base;
    return status;
}

/* ---- the guarded slots ---- */

static enum assay_status vulkan_buffer_create(struct assay_device *base, uint64_t bytes,
                                              struct assay_buffer **buffer, struct assay_error *error)
{
    struct vulkan_device *device = vulkan_of(base);
    *buffer = NULL;
    enum assay_status status = assay_handle_enter(base, &device->busy, "buffer_create", error);
    if (status != ASSAY_OK) return status;
    status = assay_vulkan_buffer_create(device, bytes, buffer, error);
    assay_handle_leave(&device->busy);
    return status;
}

/* What is destroyed under running work that does not end stays until close. */
static void vulkan_buffer_destroy(struct assay_device *base, struct assay_buffer *buffer)
{
    if (!buffer || !settle(vulkan_of(base))) return;
    base->allocated_bytes -= buffer->bytes;
    assay_vulkan_buffer_free(vulkan_of(base), buffer);
}

static enum assay_status transfer_check(struct vulkan_device *device, const char *act,
                                        const struct assay_buffer *buffer, uint64_t offset_bytes,
                                        uint64_t bytes, struct assay_error *error)
{
    if (!buffer || buffer->device != device)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s of a buffer of another device",
                               device->label, act);
    if (device->in_flight)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: %s while a submission is in flight",
                               device->label, act);
    return assay_range_check(&device->base, act, buffer->bytes, offset_bytes, bytes, error);
}

static enum assay_status vulkan_write(struct assay_device *base, struct assay_buffer *buffer,
                                      uint64_t offset_bytes, const void *data, uint64_t bytes,
                                      struct assay_error *error)
{
    struct vulkan_device *device = vulkan_of(base);
    enum assay_status status = assay_handle_enter(base, &device->busy, "write", error);
    if (status != ASSAY_OK) return status;
    status = transfer_check(device, "write", buffer, offset_bytes, bytes, error);
    if (status == ASSAY_OK) status = assay_vulkan_write(device, buffer, offset_bytes, data, bytes, error);
    assay_handle_leave(&device->busy);
    return status;
}

static enum assay_status vulkan_read(struct assay_device *base, struct assay_buffer *buffer,
                                     uint64_t offset_bytes, void *data, uint64_t bytes,
                                     struct assay_error *error)
{
    struct vulkan_device *device = vulkan_of(base);
    enum assay_status status = assay_handle_enter(base, &device->busy, "read", error);
    if (status != ASSAY_OK) return status;
    status = transfer_check(device, "read", buffer, offset_bytes, bytes, error);
    if (status == ASSAY_OK) status = assay_vulkan_read(device, buffer, offset_bytes, data, bytes, error);
    assay_handle_leave(&device->busy);
    return status;
}

static enum assay_status vulkan_program_create(struct assay_device *base,
                                               const struct assay_program_params *params,
                                               struct assay_program **program, struct assay_error *error)
{
    struct vulkan_device *device = vulkan_of(base);
    *program = NULL;
    enum assay_status status = assay_handle_enter(base, &device->busy, "program_create", error);
    if (status != ASSAY_OK) return status;
    status = assay_vulkan_program_create(device, params, program, error);
    assay_handle_leave(&device->busy);
    return status;
}

static void vulkan_program_destroy(struct assay_device *base, struct assay_program *program)
{
    if (program && settle(vulkan_of(base))) assay_vulkan_program_free(vulkan_of(base), program);
}

static enum assay_status vulkan_submit(struct assay_device *base, const struct assay_dispatch *dispatches,
                                       size_t count, struct assay_error *error)
{
    struct vulkan_device *device = vulkan_of(base);
    enum assay_status status = assay_handle_enter(base, &device->busy, "submit", error);
    if (status != ASSAY_OK) return status;
    status = assay_vulkan_submit(device, dispatches, count, error);
    assay_handle_leave(&device->busy);
    return status;
}

static enum assay_status submission_wait(struct vulkan_device *device, uint64_t timeout_ns,
                                         uint64_t *device_ns, struct assay_error *error)
{
    if (!device->in_flight)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: wait without a submission", device->label);
    VkResult result;
    do
        result = device->vk.vkWaitForFences(device->handle, 1, &device->fence, VK_TRUE,
                                            timeout_ns ? timeout_ns : UINT64_MAX);
    while (result == VK_TIMEOUT && !timeout_ns);
    if (result == VK_TIMEOUT)
        return assay_error_set(error, ASSAY_TIMEOUT, "%s: the submission was not done within %" PRIu64 " ns",
                               device->label, timeout_ns);
    if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST) device->in_flight = false;
    if (result != VK_SUCCESS) return assay_vulkan_device_failure(device, error, "vkWaitForFences", result);
    if (!device_ns || !device->timed) return ASSAY_OK;

    uint64_t stamp[2] = {0};
    result = device->vk.vkGetQueryPoolResults(device->handle, device->queries, 0, 2, sizeof stamp, stamp,
                                              sizeof stamp[0], VK_QUERY_RESULT_64_BIT);
    if (result != VK_SUCCESS)
        return assay_vulkan_device_failure(device, error, "vkGetQueryPoolResults", result);
    const uint32_t bits = device->facts.timestamp_bits;
    const uint64_t mask = bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
    *device_ns = (uint64_t)((double)((stamp[1] - stamp[0]) & mask) * (double)device->facts.timestamp_period);
    return ASSAY_OK;
}

static enum assay_status vulkan_wait(struct assay_device *base, uint64_t timeout_ns, uint64_t *device_ns,
                                     struct assay_error *error)
{
    struct vulkan_device *device = vulkan_of(base);
    if (device_ns) *device_ns = 0;
    enum assay_status status = assay_handle_enter(base, &device->busy, "wait", error);
    if (status != ASSAY_OK) return status;
    status = submission_wait(device, timeout_ns, device_ns, error);
    assay_handle_leave(&device->busy);
    return status;
}

const struct assay_backend assay_backend_vulkan = {
    .name = "vulkan",
    .discover = vulkan_discover,
    .open = vulkan_open,
    .close = vulkan_close,
    .buffer_create = vulkan_buffer_create,
    .buffer_destroy = vulkan_buffer_destroy,
    .write = vulkan_write,
    .read = vulkan_read,
    .program_create = vulkan_program_create,
    .program_destroy = vulkan_program_destroy,
    .submit = vulkan_submit,
    .wait = vulkan_wait,
};
