/* Programs of Vulkan devices: SPIR-V patched with float controls, specialised, made a compute pipeline. Knows no
 * memory and no submission. */
#include "devices/vulkan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SPIRV_MAGIC 0x07230203u

/* Set layouts depend on the number of bindings only, so programs share them. */
static enum assay_status set_layout_ready(struct vulkan_device *device, uint32_t bindings,
                                          struct assay_error *error)
{
    if (device->set_layout[bindings]) return ASSAY_OK;
    VkDescriptorSetLayoutBinding binding[ASSAY_BINDINGS_MAX];
    for (uint32_t i = 0; i < bindings; i++)
        binding[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                    .descriptorCount = 1,
                                                    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo create = {.sType =
                                                        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .bindingCount = bindings,
                                                    .pBindings = binding};
    VkResult result =
        device->vk.vkCreateDescriptorSetLayout(device->handle, &create, NULL, &device->set_layout[bindings]);
    if (result == VK_SUCCESS) return ASSAY_OK;
    device->set_layout[bindings] = VK_NULL_HANDLE;
    return assay_vulkan_device_failure(device, error, "vkCreateDescriptorSetLayout", result);
}

static enum assay_status layout_make(struct vulkan_device *device, struct assay_program *program,
                                     struct assay_error *error)
{
    const VkPushConstantRange push = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = program->push_bytes};
    const VkPipelineLayoutCreateInfo create = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &device->set_layout[program->bindings],
                                               .pushConstantRangeCount = program->push_bytes ? 1 : 0,
                                               .pPushConstantRanges = &push};
    VkResult result = device->vk.vkCreatePipelineLayout(device->handle, &create, NULL, &program->layout);
    if (result == VK_SUCCESS) return ASSAY_OK;
    program->layout = VK_NULL_HANDLE;
    return assay_vulkan_device_failure(device, error, "vkCreatePipelineLayout", result);
}

static enum assay_status pipeline_make(struct vulkan_device *device, struct assay_program *program,
                                       const struct assay_program_params *params,
                                       const struct assay_code *code, const uint32_t *words, size_t count,
                                       struct assay_error *error)
{
    uint32_t constant[3 + ASSAY_SPEC_MAX];
    VkSpecializationMapEntry entry[3 + ASSAY_SPEC_MAX];
    const uint32_t constants = 3 + params->spec_count;
    memcpy(constant, params->group, sizeof params->group);
    memcpy(constant + 3, params->spec, params->spec_count * sizeof constant[0]);
    for (uint32_t i = 0; i < constants; i++)
        entry[i] = (VkSpecializationMapEntry){.constantID = i, .offset = 4 * i, .size = 4};
    const VkSpecializationInfo special = {
        .mapEntryCount = constants, .pMapEntries = entry, .dataSize = 4 * constants, .pData = constant};

    const VkShaderModuleCreateInfo module_create = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = 4 * count, .pCode = words};
    VkShaderModule module;
    VkResult result = device->vk.vkCreateShaderModule(device->handle, &module_create, NULL, &module);
    if (result != VK_SUCCESS)
        return assay_vulkan_device_failure(device, error, "vkCreateShaderModule", result);

    const VkComputePipelineCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = code->entry ? code->entry : "main",
                  .pSpecializationInfo = &special},
        .layout = program->layout,
        .basePipelineIndex = -1,
    };
    result = device->vk.vkCreateComputePipelines(device->handle, VK_NULL_HANDLE, 1, &create, NULL,
                                                 &program->pipeline);
    device->vk.vkDestroyShaderModule(device->handle, module, NULL);
    if (result == VK_SUCCESS) return ASSAY_OK;
    program->pipeline = VK_NULL_HANDLE;
    enum assay_status status = assay_vulkan_device_failure(device, error, "vkCreateComputePipelines", result);
    if (status == ASSAY_DEVICE_FAILURE)
        assay_error_set(error, status, "%s: vkCreateComputePipelines failed (%d) for program %s",
                        device->label, (int)result, code->name);
    return status;
}

/* Modes that the device does not offer would make the module invalid, and a driver may then do anything. */
static enum assay_status controls_check(const struct vulkan_device *device, uint32_t controls,
                                        const char *name, struct assay_error *error)
{
    static const struct {
        uint32_t bit;
        const char *mode;
    } modes[] = {
        {ASSAY_CTRL_RTE, "RoundingModeRTE"},
        {ASSAY_CTRL_SZINP, "SignedZeroInfNanPreserve"},
        {ASSAY_CTRL_DENORM, "DenormPreserve"},
    };
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (controls & modes[i].bit && !(device->facts.controls & modes[i].bit))
            return assay_error_set(
                error, ASSAY_DEVICE_UNSUPPORTED,
                "%s: program %s wants %s for 32-bit floats, which this device does not offer", device->label,
                name, modes[i].mode);
    return ASSAY_OK;
}

/* The words of the code as the driver shall see them, in malloc'ed memory. */
static enum assay_status words_make(const struct vulkan_device *device, const struct assay_code *code,
                                    uint32_t controls, uint32_t **words, size_t *count,
                                    struct assay_error *error)
{
    uint32_t magic = 0;
    *words = NULL;
    const size_t bytes = assay_code_bytes(code);
    *count = bytes / 4;
    if (bytes >= sizeof magic) memcpy(&magic, code->data, sizeof magic);
    if (bytes % 4 || *count < 5 || magic != SPIRV_MAGIC)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%s: program %s is no SPIR-V", device->label,
                               code->name);
    uint32_t *copy = malloc(bytes);
    if (!copy)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for the code of %s (%zu bytes)",
                               device->label, code->name, bytes);
    memcpy(copy, code->data, bytes);
    enum assay_status status = ASSAY_OK;
    if (controls) {
        status = assay_spirv_patch(copy, *count, controls, words, count, error);
        free(copy);
    } else {
        *words = copy;
    }
    return status;
}

enum assay_status assay_vulkan_program_create(struct vulkan_device *device,
                                              const struct assay_program_params *params,
                                              struct assay_program **program, struct assay_error *error)
{
    *program = NULL;
    const struct assay_code *code = NULL;
    for (size_t i = 0; i < params->code_count && !code; i++)
        if (params->codes[i].kind == ASSAY_CODE_SPIRV && assay_code_bytes(&params->codes[i]))
            code = &params->codes[i];
    if (!code)
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s: program %s has no SPIR-V", device->label,
                               params->code_count ? params->codes[0].name : "(without code)");
    enum assay_status status = assay_program_check(&device->base, params, code->name, error);
    if (status != ASSAY_OK) return status;
    for (int d = 0; d < 3; d++)
        if (params->group[d] > device->facts.group_size[d])
            return assay_error_set(error, ASSAY_UNSUPPORTED,
                                   "%s: program %s wants a group of %" PRIu32 " in %c, the limit is %" PRIu32,
                                   device->label, code->name, params->group[d], "xyz"[d],
                                   device -> facts.group_size[d]);
    status = controls_check(device, params->controls, code->name, error);
    if (status != ASSAY_OK) return status;

    uint32_t *words = NULL;
    size_t count = 0;
    struct assay_program *made = calloc(1, sizeof *made);
    if (!made)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "%s: no memory for program %s (%zu bytes)",
                               device->label, code->name, sizeof *made);
    made->device = device;
    made->name = code->name;
    made->bindings = params->bindings;
    made->push_bytes = params->push_bytes;
    status = words_make(device, code, params->controls, &words, &count, error);
    if (status == ASSAY_OK) status = set_layout_ready(device, made->bindings, error);
    if (status == ASSAY_OK) status = layout_make(device, made, error);
    if (status == ASSAY_OK) status = pipeline_make(device, made, params, code, words, count, error);
    free(words);
    if (status != ASSAY_OK) {
        assay_vulkan_program_free(device, made);
        return status;
    }
    made->next = device->programs;
    if (made->next) made->next->prev = made;
    device->programs = made;
    *program = made;
    if (params->loaded) *params->loaded = code;
    return ASSAY_OK;
}

void assay_vulkan_program_free(struct vulkan_device *device, struct assay_program *program)
{
    if (!program) return;
    if (program->prev) program->prev->next = program->next;
    if (program->next) program->next->prev = program->prev;
    if (device->programs == program) device->programs = program->next;
    if (program->pipeline) device->vk.vkDestroyPipeline(device->handle, program->pipeline, NULL);
    if (program->layout) device->vk.vkDestroyPipelineLayout(device->handle, program->layout, NULL);
    free(program);
}
