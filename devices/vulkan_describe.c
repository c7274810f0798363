/* Describing Vulkan devices without opening them: names, memory, limits, queues, float controls. */
#include "devices/vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VENDOR_MESA 0x10005

const char *const assay_vulkan_extension_names[VULKAN_EXT_COUNT] = {
    [VULKAN_EXT_PCI_BUS_INFO] = "VK_EXT_pci_bus_info",
    [VULKAN_EXT_NV_SM_BUILTINS] = "VK_NV_shader_sm_builtins",
    [VULKAN_EXT_AMD_SHADER_CORE] = "VK_AMD_shader_core_properties",
    [VULKAN_EXT_DRIVER_PROPERTIES] = "VK_KHR_driver_properties",
    [VULKAN_EXT_FLOAT_CONTROLS] = "VK_KHR_shader_float_controls",
    [VULKAN_EXT_8BIT_STORAGE] = "VK_KHR_8bit_storage",
    [VULKAN_EXT_FLOAT16_INT8] = "VK_KHR_shader_float16_int8",
    [VULKAN_EXT_PORTABILITY] = "VK_KHR_portability_subset",
};

char *assay_vulkan_version_text(uint32_t version, char text[32])
{
    snprintf(text, 32, "%u.%u.%u", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
             VK_API_VERSION_PATCH(version));
    return text;
}

static enum assay_device_kind kind_of(VkPhysicalDeviceType type)
{
    static const enum assay_device_kind kinds[] = {
        [VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU] = ASSAY_KIND_INTEGRATED,
        [VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU] = ASSAY_KIND_DISCRETE,
        [VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU] = ASSAY_KIND_VIRTUAL,
        [VK_PHYSICAL_DEVICE_TYPE_CPU] = ASSAY_KIND_CPU,
    };
    return (unsigned)type < sizeof kinds / sizeof kinds[0] ? kinds[type] : ASSAY_KIND_OTHER;
}

static enum assay_status extensions_find(const struct vulkan_instance *instance, VkPhysicalDevice physical,
                                         bool found[VULKAN_EXT_COUNT], struct assay_error *error)
{
    uint32_t count = 0;
    VkExtensionProperties *list = NULL;
    VkResult result = instance->vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
    if (result == VK_SUCCESS && count) {
        list = calloc(count, sizeof *list);
        if (!list)
            return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a list of %u extensions",
                                   count);
        result = instance->vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list);
        if (result == VK_INCOMPLETE) result = VK_SUCCESS;
    }
    if (result == VK_SUCCESS && list)
        for (uint32_t i = 0; i < count; i++)
            for (int e = 0; e < VULKAN_EXT_COUNT; e++)
                if (!strncmp(list[i].extensionName, assay_vulkan_extension_names[e],
                             sizeof list[i].extensionName))
                    found[e] = true;
    free(list);
    return result == VK_SUCCESS
               ? ASSAY_OK
               : assay_vulkan_failure(error, NULL, "vkEnumerateDeviceExtensionProperties", result);
}

static void memory_describe(const VkPhysicalDeviceMemoryProperties *memory, struct assay_device_info *info)
{
    const VkMemoryPropertyFlags both =
        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    for (uint32_t i = 0; i < memory->memoryHeapCount && i < VK_MAX_MEMORY_HEAPS; i++)
        if (memory->memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            info->device_local_bytes += memory->memoryHeaps[i].size;
    for (uint32_t i = 0; i < memory->memoryTypeCount && i < VK_MAX_MEMORY_TYPES; i++)
        if ((memory->memoryTypes[i].propertyFlags & both) == both) info->host_visible_device_local = true;
}

static enum assay_status queues_describe(const struct vulkan_instance *instance, VkPhysicalDevice physical,
                                         struct assay_device_info *info, struct vulkan_facts *facts,
                                         struct assay_error *error)
{
    uint32_t count = 0;
    instance->vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, NULL);
    if (!count) return ASSAY_OK;
    VkQueueFamilyProperties *family = calloc(count, sizeof *family);
    if (!family)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a list of %u queue families",
                               count);
    instance->vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, family);
    for (uint32_t i = 0; i < count; i++) {
        if (!(family[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || !family[i].queueCount) continue;
        if (facts->family == UINT32_MAX) {
            facts->family = i;
            facts->timestamp_bits = family[i].timestampValidBits;
        }
        info->compute_queues += family[i].queueCount;
    }
    free(family);
    return ASSAY_OK;
}

static void limits_describe(const VkPhysicalDeviceProperties *core, uint64_t allocation_bytes,
                            const struct assay_driver_params *params, struct assay_limits *limits)
{
    limits->allocation_bytes = allocation_bytes ? allocation_bytes : UINT64_MAX;
    limits->binding_bytes = core->limits.maxStorageBufferRange;
    if (limits->binding_bytes > limits->allocation_bytes) limits->binding_bytes = limits->allocation_bytes;
    if (params->max_binding_bytes && params->max_binding_bytes < limits->binding_bytes)
        limits->binding_bytes = params->max_binding_bytes;
    memcpy(limits->groups, core->limits.maxComputeWorkGroupCount, sizeof limits->groups);
    limits->group_invocations = core->limits.maxComputeWorkGroupInvocations;
    limits->shared_bytes = core->limits.maxComputeSharedMemorySize;
    limits->push_bytes = core->limits.maxPushConstantsSize;
}

/* Usable means a card (row D07). The first reason found stands; opening may still be tried by who allows software. */
static void usable_decide(struct assay_device_info *info, const struct vulkan_facts *facts)
{
    char vendor[48];
    const size_t room = sizeof info->why;
    if (*info->why)
        ; /* a call failed: nothing else is known */
    else if (info->software)
        snprintf(info->why, room, "software renderer (%s, vendor %s)", assay_device_kind_name(info->kind),
                 assay_vendor_text(info->vendor_id, vendor));
    else if (info->kind != ASSAY_KIND_INTEGRATED && info->kind != ASSAY_KIND_DISCRETE)
        snprintf(info->why, room, "neither an integrated nor a discrete card but %s",
                 assay_device_kind_name(info->kind));
    else if (facts->family == UINT32_MAX)
        snprintf(info->why, room, "no compute queue");
    else if (facts->api < VK_API_VERSION_1_1)
        snprintf(info->why, room, "Vulkan %s, at least 1.1 is needed", info->api);
    info->usable = !*info->why;
}

static bool uuid_known(const uint8_t uuid[16])
{
    static const uint8_t zero[16];
    return memcmp(uuid, zero, sizeof zero) != 0;
}

void assay_vulkan_describe(const struct vulkan_instance *instance, VkPhysicalDevice physical, uint32_t index,
                           const struct assay_driver_params *params, struct assay_device_info *info,
                           struct vulkan_facts *facts)
{
    struct vulkan_facts own;
    struct assay_error error = {0};
    if (!facts) facts = &own;
    memset(info, 0, sizeof *info);
    memset(facts, 0, sizeof *facts);
    facts->family = UINT32_MAX;
    info->backend = "vulkan";
    info->index = index;

    if (extensions_find(instance, physical, facts->extension, &error) != ASSAY_OK)
        snprintf(info->why, sizeof info->why, "%.150s", error.text);

    /* Structures that the device does not know may not be in the chain: what it is comes first, alone. */
    VkPhysicalDeviceProperties2 props = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    instance->vkGetPhysicalDeviceProperties2(physical, &props);
    facts->api = props.properties.apiVersion & 0x1fffffffu;

    VkPhysicalDeviceIDProperties id = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceMaintenance3Properties maintenance = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceFloatControlsProperties controls = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES};
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT};
    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV nv = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV};
    VkPhysicalDeviceShaderCorePropertiesAMD amd = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_PROPERTIES_AMD};
    const bool is_1_1 = facts->api >= VK_API_VERSION_1_1, is_1_2 = facts->api >= VK_API_VERSION_1_2;
    const struct {
        bool known;
        void *structure;
    } chain[] = {
        {is_1_1, &id},
        {is_1_1, &maintenance},
        {is_1_2 || facts->extension[VULKAN_EXT_DRIVER_PROPERTIES], &driver},
        {is_1_2 || facts->extension[VULKAN_EXT_FLOAT_CONTROLS], &controls},
        {facts->extension[VULKAN_EXT_PCI_BUS_INFO], &pci},
        {facts->extension[VULKAN_EXT_NV_SM_BUILTINS], &nv},
        {facts->extension[VULKAN_EXT_AMD_SHADER_CORE], &amd},
    };
    for (size_t i = 0; i < sizeof chain / sizeof chain[0]; i++) {
        if (!chain[i].known) continue;
        VkBaseOutStructure *link = chain[i].structure;
        link->pNext = props.pNext;
        props.pNext = link;
    }
    instance->vkGetPhysicalDeviceProperties2(physical, &props);

    const VkPhysicalDeviceProperties *core = &props.properties;
    memcpy(info->name, core->deviceName,
           VK_MAX_PHYSICAL_DEVICE_NAME_SIZE); /* may fill all 256 bytes (row D12) */
    info->name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE] = '\0';
    info->vendor_id = core->vendorID;
    info->device_id = core->deviceID;
    info->kind = kind_of(core->deviceType);
    info->software = info->kind == ASSAY_KIND_CPU || info->vendor_id == VENDOR_MESA;
    assay_vulkan_version_text(core->apiVersion, info->api);
    if (*driver.driverName)
        snprintf(info->driver, sizeof info->driver, "%.*s %.*s", 60, driver.driverName, 90,
                 driver.driverInfo);
    else
        snprintf(info->driver, sizeof info->driver, "version word 0x%08x", core->driverVersion);
    info->has_uuid = uuid_known(id.deviceUUID);
    memcpy(info->uuid, id.deviceUUID, sizeof info->uuid);
    if (facts->extension[VULKAN_EXT_PCI_BUS_INFO])
        snprintf(info->pci, sizeof info->pci, "%04x:%02x:%02x.%x", pci.pciDomain & 0xffff, pci.pciBus & 0xff,
                 pci.pciDevice & 0x1f, pci.pciFunction & 7);
    /* Vulkan itself has no word for multiprocessors. */
    info->compute_units = nv.shaderSMCount ? nv.shaderSMCount
                                           : amd.shaderEngineCount * amd.shaderArraysPerEngineCount *
                                                 amd.computeUnitsPerShaderArray;

    if (facts->extension[VULKAN_EXT_NV_SM_BUILTINS]) {
        VkPhysicalDeviceShaderSMBuiltinsFeaturesNV ids = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_FEATURES_NV};
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &ids};
        instance->vkGetPhysicalDeviceFeatures2(physical, &features);
        info->has_unit_ids = ids.shaderSMBuiltins;
    }

    facts->timestamp_period = core->limits.timestampPeriod;
    memcpy(facts->group_size, core->limits.maxComputeWorkGroupSize, sizeof facts->group_size);
    if (controls.shaderRoundingModeRTEFloat32) facts->controls |= ASSAY_CTRL_RTE;
    if (controls.shaderSignedZeroInfNanPreserveFloat32) facts->controls |= ASSAY_CTRL_SZINP;
    if (controls.shaderDenormPreserveFloat32) facts->controls |= ASSAY_CTRL_DENORM;
    info->float_controls = facts->controls;

    instance->vkGetPhysicalDeviceMemoryProperties(physical, &facts->memory);
    if (facts->memory.memoryTypeCount > VK_MAX_MEMORY_TYPES)
        facts->memory.memoryTypeCount = VK_MAX_MEMORY_TYPES;
    if (facts->memory.memoryHeapCount > VK_MAX_MEMORY_HEAPS)
        facts->memory.memoryHeapCount = VK_MAX_MEMORY_HEAPS;
    memory_describe(&facts->memory, info);
    limits_describe(core, maintenance.maxMemoryAllocationSize, params, &info->limits);
    if (queues_describe(instance, physical, info, facts, &error) != ASSAY_OK)
        snprintf(info->why, sizeof info->why, "%.150s", error.text);
    usable_decide(info, facts);
}
