/* Recording dispatches of Vulkan devices: descriptor sets shared where bindings repeat, a barrier between dispatches,
 * time stamps around them. Knows no operator. */
#include "devices/clock.h"
#include "devices/vulkan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_BACK 32 /* timing repeats few distinct bindings many times */

/* What a descriptor set holds; padding is zeroed so that two can be compared as bytes. */
struct set_key {
    uint32_t bindings, unused;
    VkDescriptorBufferInfo range[ASSAY_BINDINGS_MAX];
};

struct recording {
    struct set_key *keys;
    size_t key_count;
    size_t *set_of; /* a dispatch's key */
    VkDescriptorSet *sets;
};

/* ---- command buffers ---- */

static void barrier(struct vulkan_device *device, VkPipelineStageFlags from, VkPipelineStageFlags to,
                    VkAccessFlags written, VkAccessFlags seen)
{
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = seen};
    device->vk.vkCmdPipelineBarrier(device->commands, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

enum assay_status assay_vulkan_commands_begin(struct vulkan_device *device, struct assay_error *error)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    VkResult result = device->vk.vkBeginCommandBuffer(device->commands, &begin);
    if (result != VK_SUCCESS)
        return assay_vulkan_device_failure(device, error, "vkBeginCommandBuffer", result);
    /* A fence orders submissions for the host only; what the last one wrote must be made visible to this one. */
    barrier(device, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT,
            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
    return ASSAY_OK;
}

enum assay_status assay_vulkan_commands_submit(struct vulkan_device *device, struct assay_error *error)
{
    barrier(device, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_MEMORY_WRITE_BIT, VK_ACCESS_HOST_READ_BIT);
    VkResult result = device->vk.vkEndCommandBuffer(device->commands);
    if (result != VK_SUCCESS) return assay_vulkan_device_failure(device, error, "vkEndCommandBuffer", result);
    result = device->vk.vkResetFences(device->handle, 1, &device->fence);
    if (result != VK_SUCCESS) return assay_vulkan_device_failure(device, error, "vkResetFences", result);
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &device->commands};
    result = device->vk.vkQueueSubmit(device->queue, 1, &submit, device->fence);
    if (result != VK_SUCCESS) return assay_vulkan_device_failure(device, error, "vkQueueSubmit", result);
    return ASSAY_OK;
}

/* ---- descriptor sets ---- */

static enum assay_status key_make(struct vulkan_device *device, const struct assay_dispatch *dispatch,
                                  struct set_key *key, struct assay_error *error)
{
    const struct assay_program *program = dispatch->program;
    uint64_t buffer_bytes[ASSAY_BINDINGS_MAX], range_bytes[ASSAY_BINDINGS_MAX];
    if (!program || program->device != device)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: dispatch of a program of another device",
                               device->label);
    for (uint32_t i = 0; i < program->bindings; i++) {
        const struct assay_buffer *buffer = dispatch->binding[i].buffer;
        if (!buffer || buffer->device != device)
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "%s: binding %" PRIu32 " of %s is no buffer of this device", device->label,
                                   i, program->name);
        buffer_bytes[i] = buffer->bytes;
    }
    enum assay_status status = assay_dispatch_check(&device->base, dispatch, program->bindings, program->name,
                                                    buffer_bytes, range_bytes, error);
    if (status != ASSAY_OK) return status;
    memset(key, 0, sizeof *key);
    key->bindings = program->bindings;
    for (uint32_t i = 0; i < program->bindings; i++) {
        const struct assay_binding *binding = &dispatch->binding[i];
        const struct assay_buffer *buffer = binding->buffer;
        bool to_end = binding->offset_bytes + range_bytes[i] == buffer->bytes;
        key->range[i].buffer = buffer->handle;
        key->range[i].offset = binding->offset_bytes;
        key->range[i].range = to_end ? buffer->whole_bytes - binding->offset_bytes : range_bytes[i];
    }
    return ASSAY_OK;
}

static enum assay_status keys_collect(struct vulkan_device *device, const struct assay_dispatch *dispatches,
                                      size_t count, struct recording *rec, struct assay_error *error)
{
    for (size_t i = 0; i < count; i++) {
        struct set_key *key = &rec->keys[rec->key_count];
        enum assay_status status = key_make(device, &dispatches[i], key, error);
        if (status != ASSAY_OK) return status;
        size_t back = rec->key_count < LOOK_BACK ? rec->key_count : LOOK_BACK;
        rec->set_of[i] = rec->key_count;
        for (size_t j = 1; j <= back && rec->set_of[i] == rec->key_count; j++)
            if (!memcmp(key - j, key, sizeof *key)) rec->set_of[i] = rec->key_count - j;
        if (rec->set_of[i] == rec->key_count) rec->key_count++;
    }
    return ASSAY_OK;
}

static enum assay_status pool_ready(struct vulkan_device *device, size_t sets, struct assay_error *error)
{
    if (device->descriptor_pool && device->descriptor_sets >= sets) {
        VkResult result = device->vk.vkResetDescriptorPool(device->handle, device->descriptor_pool, 0);
        if (result == VK_SUCCESS) return ASSAY_OK;
        return assay_vulkan_device_failure(device, error, "vkResetDescriptorPool", result);
    }
    if (device->descriptor_pool)
        device->vk.vkDestroyDescriptorPool(device->handle, device->descriptor_pool, NULL);
    device->descriptor_pool = VK_NULL_HANDLE;
    uint32_t room = 16;
    while (room < sets) room *= 2;
    const VkDescriptorPoolSize size = {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .descriptorCount = room * ASSAY_BINDINGS_MAX};
    const VkDescriptorPoolCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                               .maxSets = room,
                                               .poolSizeCount = 1,
                                               .pPoolSizes = &size};
    VkResult result =
        device->vk.vkCreateDescriptorPool(device->handle, &create, NULL, &device->descriptor_pool);
    if (result != VK_SUCCESS) {
        device->descriptor_pool = VK_NULL_HANDLE;
        return assay_vulkan_device_failure(device, error, "vkCreateDescriptorPool", result);
    }
    device->descriptor_sets = room;
    return ASSAY_OK;
}

static enum assay_status sets_make(struct vulkan_device *device, struct recording *rec,
                                   struct assay_error *error)
{
    enum assay_status status = pool_ready(device, rec->key_count, error);
    if (status != ASSAY_OK) return status;
    for (size_t i = 0; i < rec->key_count; i++) {
        const struct set_key *key = &rec->keys[i];
        const VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                      .descriptorPool = device->descriptor_pool,
                                                      .descriptorSetCount = 1,
                                                      .pSetLayouts = &device->set_layout[key->bindings]};
        VkResult result = device->vk.vkAllocateDescriptorSets(device->handle, &allocate, &rec->sets[i]);
        if (result != VK_SUCCESS)
            return assay_vulkan_device_failure(device, error, "vkAllocateDescriptorSets", result);
        if (!key->bindings) continue;
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = rec->sets[i],
                                            .descriptorCount = key->bindings,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = key->range};
        device->vk.vkUpdateDescriptorSets(device->handle, 1, &write, 0, NULL);
    }
    return ASSAY_OK;
}

/* ---- recording ---- */

static void dispatches_record(struct vulkan_device *device, const struct assay_dispatch *dispatches,
                              size_t count, const struct recording *rec)
{
    const VkCommandBuffer commands = device->commands;
    const struct assay_program *bound = NULL;
    const size_t lead = device->base.lead < count ? device->base.lead : 0;
    device->timed = device->queries && !device->base.untimed;
    device->base.recorded = 0;
    if (device->timed) device->vk.vkCmdResetQueryPool(commands, device->queries, 0, 2);
    for (size_t i = 0; i < count; i++) {
        const struct assay_dispatch *it = &dispatches[i];
        const struct assay_program *program = it->program;
        /* Behind a lead the span begins when the lead has ended. */
        if (i == lead && device->timed)
            device->vk.vkCmdWriteTimestamp(
                commands, lead ? VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT : VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                device->queries, 0);
        if (!it->groups[0] || !it->groups[1] || !it->groups[2]) continue;
        device->base.recorded += i >= lead;
        if (bound)
            barrier(device, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
        if (program != bound)
            device->vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->pipeline);
        bound = program;
        device->vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->layout, 0, 1,
                                           &rec->sets[rec->set_of[i]], 0, NULL);
        if (program->push_bytes)
            device->vk.vkCmdPushConstants(commands, program->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                          program->push_bytes, it->push);
        device->vk.vkCmdDispatch(commands, it->groups[0], it->groups[1], it->groups[2]);
    }
    if (device->timed)
        device->vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, device->queries, 1);
}

enum assay_status assay_vulkan_submit(struct vulkan_device *device, const struct assay_dispatch *dispatches,
                                      size_t count, struct assay_error *error)
{
    if (device->in_flight)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: submission already in flight", device->label);
    if (!count || count > UINT32_MAX / 2)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: submission of %s dispatches", device->label,
                               count ? "too many" : "no");
    enum assay_status status = ASSAY_OK;
    const uint64_t begin_ns = assay_clock_ns();
    struct recording rec = {
        .keys = calloc(count, sizeof *rec.keys),
        .set_of = calloc(count, sizeof *rec.set_of),
        .sets = calloc(count, sizeof *rec.sets),
    };
    if (!rec.keys || !rec.set_of || !rec.sets) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                                 "%s: no memory for a submission of %zu dispatches", device->label, count);
        goto done;
    }
    status = keys_collect(device, dispatches, count, &rec, error);
    if (status == ASSAY_OK) status = sets_make(device, &rec, error);
    if (status == ASSAY_OK) status = assay_vulkan_commands_begin(device, error);
    if (status != ASSAY_OK) goto done;
    dispatches_record(device, dispatches, count, &rec);
    const uint64_t recorded_ns = assay_clock_ns();
    status = assay_vulkan_commands_submit(device, error);
    device->base.record_ns = recorded_ns - begin_ns;
    device->base.submit_ns = assay_clock_ns() - recorded_ns;
    device->in_flight = status == ASSAY_OK;

done:
    free(rec.sets);
    free(rec.set_of);
    free(rec.keys);
    return status;
}
