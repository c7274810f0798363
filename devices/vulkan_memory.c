/* Memory of Vulkan devices: which type serves, buffers, and the ways in and out: a mapping for life where the
 * processor sees the device's memory, staging copies in chunks where it does not. Knows no program. */
#include "devices/vulkan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STAGING_BYTES    (64ull << 20) /* the largest chunk */
#define SLOW_READ_BYTES  4096u /* a longer read of uncached memory across the bus goes through staging */
#define COPY_TIMEOUT_NS  60000000000ull
#define SMALL_HEAP_SHARE 8 /* of a small window into device memory a buffer may take this part */

/* Types with other flags (lazily allocated, protected, device-coherent) need features or have rules of their own. */
#define PLAIN_FLAGS                                                                                          \
    (VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |                             \
     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT)
#define HOST_FLAGS (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

static VkMemoryPropertyFlags flags_of(const struct vulkan_device *device, uint32_t type)
{
    return device->facts.memory.memoryTypes[type].propertyFlags;
}

static uint64_t heap_bytes(const struct vulkan_device *device, uint32_t type)
{
    const VkPhysicalDeviceMemoryProperties *memory = &device->facts.memory;
    uint32_t heap = memory->memoryTypes[type].heapIndex;
    return heap < memory->memoryHeapCount ? memory->memoryHeaps[heap].size : 0;
}

/* The plain type among `bits` with all of `wanted`, best by how many of `liked` it has, then by the size of its heap,
 * then the first. UINT32_MAX if there is none. */
static uint32_t type_find(const struct vulkan_device *device, uint32_t bits, VkMemoryPropertyFlags wanted,
                          VkMemoryPropertyFlags liked, VkMemoryPropertyFlags disliked)
{
    uint32_t best = UINT32_MAX;
    int best_score = 0;
    for (uint32_t i = 0; i < device->facts.memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = flags_of(device, i);
        if (!(bits >> i & 1) || (flags & wanted) != wanted || flags & ~(VkMemoryPropertyFlags)PLAIN_FLAGS)
            continue;
        int score = __builtin_popcount(flags & liked) - __builtin_popcount(flags & disliked);
        bool better = best == UINT32_MAX || score > best_score ||
                      (score == best_score && heap_bytes(device, i) > heap_bytes(device, best));
        if (!better) continue;
        best = i;
        best_score = score;
    }
    return best;
}

static struct vulkan_memory_plan plan_make(const struct vulkan_device *device, uint32_t bits)
{
    const VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    return (struct vulkan_memory_plan){
        .unified = type_find(device, bits, local | HOST_FLAGS, 0, 0),
        .local = type_find(device, bits, local, 0, HOST_FLAGS),
        .host = type_find(device, bits, HOST_FLAGS, cached, local),
    };
}

enum assay_status assay_vulkan_memory_choose(struct vulkan_device *device, bool force_staging,
                                             struct assay_error *error)
{
    device->plan = plan_make(device, UINT32_MAX);
    if (device->plan.host == UINT32_MAX)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: no host-visible coherent memory",
                               device->label);
    /* The pretence needs device memory to copy to. */
    device->force_staging = force_staging && device->plan.local != UINT32_MAX;
    return ASSAY_OK;
}

/* ---- buffers ---- */

/* A card often shows the processor only a small window of its memory: that is left to small buffers. */
static bool window_takes(const struct vulkan_device *device, uint32_t unified, uint32_t local, uint64_t bytes)
{
    uint64_t window = heap_bytes(device, unified);
    return window >= heap_bytes(device, local) || bytes <= window / SMALL_HEAP_SHARE;
}

static VkResult memory_allocate(struct vulkan_device *device, uint32_t type, uint64_t bytes,
                                VkDeviceMemory *memory)
{
    const VkMemoryAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = bytes, .memoryTypeIndex = type};
    VkResult result = device->vk.vkAllocateMemory(device->handle, &allocate, NULL, memory);
    if (result != VK_SUCCESS) *memory = VK_NULL_HANDLE;
    return result;
}

/* Give the buffer memory of the best type that its requirements allow. */
static enum assay_status memory_attach(struct vulkan_device *device, struct assay_buffer *buffer,
                                       bool for_staging, struct assay_error *error)
{
    VkMemoryRequirements need;
    device->vk.vkGetBufferMemoryRequirements(device->handle, buffer->handle, &need);
    const struct vulkan_memory_plan plan = plan_make(device, need.memoryTypeBits);
    uint32_t candidates[2], count = 0;
    if (for_staging) {
        if (plan.host != UINT32_MAX) candidates[count++] = plan.host;
    } else {
        if (plan.unified != UINT32_MAX && !device->force_staging &&
            window_takes(device, plan.unified, plan.local, need.size))
            candidates[count++] = plan.unified;
        if (plan.local != UINT32_MAX)
            candidates[count++] = plan.local;
        else if (plan.host != UINT32_MAX)
            candidates[count++] = plan.host;
    }
    if (!count)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED,
                               "%s: the buffer cannot live in host-visible memory", device->label);

    VkResult result = VK_SUCCESS;
    uint32_t type = 0;
    for (uint32_t i = 0; i < count; i++) {
        type = candidates[i];
        result = memory_allocate(device, type, need.size, &buffer->memory);
        if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST) break;
    }
    if (result != VK_SUCCESS) {
        enum assay_status status = assay_vulkan_device_failure(device, error, "vkAllocateMemory", result);
        if (status != ASSAY_OUT_OF_MEMORY) return status;
        return assay_error_set(
            error, status, "%s: vkAllocateMemory failed (%d): no memory for a buffer of %" PRIu64 " bytes",
            device->label, (int)result, buffer->bytes);
    }
    result = device->vk.vkBindBufferMemory(device->handle, buffer->handle, buffer->memory, 0);
    if (result != VK_SUCCESS) return assay_vulkan_device_failure(device, error, "vkBindBufferMemory", result);

    const VkMemoryPropertyFlags flags = flags_of(device, type);
    const bool mapped = (flags & HOST_FLAGS) == HOST_FLAGS && (for_staging || !device->force_staging);
    if (!mapped) return ASSAY_OK;
    result = device->vk.vkMapMemory(device->handle, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped);
    if (result != VK_SUCCESS) {
        buffer->mapped = NULL;
        return assay_vulkan_device_failure(device, error, "vkMapMemory", result);
    }
    buffer->slow_read =
        device->base.info.kind == ASSAY_KIND_DISCRETE && !(flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    return ASSAY_OK;
}

static enum assay_status buffer_make(struct vulkan_device *device, uint64_t bytes, bool for_staging,
                                     struct assay_buffer **buffer, struct assay_error *error)
{
    *buffer = NULL;
    struct assay_buffer *made = calloc(1, sizeof *made);
    if (!made)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                               "%s: no host memory for a buffer of %" PRIu64 " bytes", device->label, bytes);
    made->device = device;
    made->bytes = bytes;
    made->whole_bytes = (bytes + 3) & ~3ull; /* shaders see words */
    const VkBufferCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = made->whole_bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
    };
    VkResult result = device->vk.vkCreateBuffer(device->handle, &create, NULL, &made->handle);
    enum assay_status status;
    if (result != VK_SUCCESS) {
        made->handle = VK_NULL_HANDLE;
        status = assay_vulkan_device_failure(device, error, "vkCreateBuffer", result);
        if (status == ASSAY_OUT_OF_MEMORY)
            assay_error_set(error, status,
                            "%s: vkCreateBuffer failed (%d): no memory for a buffer of %" PRIu64 " bytes",
                            device->label, (int)result, bytes);
    } else {
        status = memory_attach(device, made, for_staging, error);
    }
    if (status != ASSAY_OK)
        assay_vulkan_buffer_free(device, made);
    else
        *buffer = made;
    return status;
}

enum assay_status assay_vulkan_buffer_create(struct vulkan_device *device, uint64_t bytes,
                                             struct assay_buffer **buffer, struct assay_error *error)
{
    const struct assay_device_info *info = &device->base.info;
    const uint64_t memory = info->device_local_bytes, used = device->base.allocated_bytes;
    *buffer = NULL;
    if (bytes < 4) bytes = 4;
    if (memory && (bytes > memory || used > memory - bytes))
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                               "%s: no memory for a buffer of %" PRIu64 " bytes (%" PRIu64 " in use, %" PRIu64
                               " in all)",
                               device->label, bytes, used, memory);
    if (bytes > info->limits.allocation_bytes)
        return assay_error_set(error, ASSAY_UNSUPPORTED,
                               "%s: a buffer of %" PRIu64 " bytes, the limit of one allocation is %" PRIu64,
                               device->label, bytes, info->limits.allocation_bytes);
    enum assay_status status = buffer_make(device, bytes, false, buffer, error);
    if (status != ASSAY_OK) return status;
    (*buffer)->next = device->buffers;
    if (device->buffers) device->buffers->prev = *buffer;
    device->buffers = *buffer;
    device->base.allocated_bytes += bytes;
    return ASSAY_OK;
}

/* Unlinks the buffer if it is in the list; its bytes are the caller's to count. */
void assay_vulkan_buffer_free(struct vulkan_device *device, struct assay_buffer *buffer)
{
    if (!buffer) return;
    if (buffer->prev) buffer->prev->next = buffer->next;
    if (buffer->next) buffer->next->prev = buffer->prev;
    if (device->buffers == buffer) device->buffers = buffer->next;
    if (buffer->handle) device->vk.vkDestroyBuffer(device->handle, buffer->handle, NULL);
    if (buffer->memory) device->vk.vkFreeMemory(device->handle, buffer->memory, NULL); /* unmaps it too */
    free(buffer);
}

/* ---- in and out ---- */

/* One staging buffer a device, as large as its largest copy up to STAGING_BYTES. */
static enum assay_status staging_ready(struct vulkan_device *device, uint64_t bytes,
                                       struct assay_error *error)
{
    uint64_t wanted = 1ull << 20;
    while (wanted < bytes && wanted < STAGING_BYTES) wanted *= 2;
    if (device->staging && device->staging->bytes >= wanted) return ASSAY_OK;
    assay_vulkan_buffer_free(device, device->staging);
    device->staging = NULL;
    return buffer_make(device, wanted, true, &device->staging, error);
}

static enum assay_status device_copy(struct vulkan_device *device, VkBuffer from, uint64_t from_bytes,
                                     VkBuffer to, uint64_t to_bytes, uint64_t bytes,
                                     struct assay_error *error)
{
    enum assay_status status = assay_vulkan_commands_begin(device, error);
    if (status != ASSAY_OK) return status;
    const VkBufferCopy region = {.srcOffset = from_bytes, .dstOffset = to_bytes, .size = bytes};
    device->vk.vkCmdCopyBuffer(device->commands, from, to, 1, &region);
    status = assay_vulkan_commands_submit(device, error);
    if (status != ASSAY_OK) return status;
    VkResult result = device->vk.vkWaitForFences(device->handle, 1, &device->fence, VK_TRUE, COPY_TIMEOUT_NS);
    if (result == VK_SUCCESS) return ASSAY_OK;
    if (result != VK_TIMEOUT) return assay_vulkan_device_failure(device, error, "vkWaitForFences", result);
    device->in_flight = true; /* for good: close must know that the commands may still run */
    device->base.lost = true;
    return assay_error_set(error, ASSAY_DEVICE_LOST,
                           "%s: a copy of %" PRIu64 " bytes did not end; the device is lost", device->label,
                           bytes);
}

enum assay_status assay_vulkan_write(struct vulkan_device *device, struct assay_buffer *buffer,
                                     uint64_t offset_bytes, const void *data, uint64_t bytes,
                                     struct assay_error *error)
{
    if (!bytes) return ASSAY_OK;
    if (buffer->mapped) {
        memcpy((char *)buffer->mapped + offset_bytes, data, bytes);
        return ASSAY_OK;
    }
    enum assay_status status = staging_ready(device, bytes, error);
    for (uint64_t done = 0, chunk; done < bytes && status == ASSAY_OK; done += chunk) {
        chunk = bytes - done < device->staging->bytes ? bytes - done : device->staging->bytes;
        memcpy(device->staging->mapped, (const char *)data + done, chunk);
        status = device_copy(device, device->staging->handle, 0, buffer->handle, offset_bytes + done, chunk,
                             error);
    }
    return status;
}

enum assay_status assay_vulkan_read(struct vulkan_device *device, struct assay_buffer *buffer,
                                    uint64_t offset_bytes, void *data, uint64_t bytes,
                                    struct assay_error *error)
{
    if (!bytes) return ASSAY_OK;
    if (buffer->mapped && !(buffer->slow_read && bytes > SLOW_READ_BYTES)) {
        memcpy(data, (const char *)buffer->mapped + offset_bytes, bytes);
        return ASSAY_OK;
    }
    enum assay_status status = staging_ready(device, bytes, error);
    for (uint64_t done = 0, chunk; done < bytes && status == ASSAY_OK; done += chunk) {
        chunk = bytes - done < device->staging->bytes ? bytes - done : device->staging->bytes;
        status = device_copy(device, buffer->handle, offset_bytes + done, device->staging->handle, 0, chunk,
                             error);
        if (status == ASSAY_OK) memcpy((char *)data + done, device->staging->mapped, chunk);
    }
    return status;
}
