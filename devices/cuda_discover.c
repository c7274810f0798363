/* Finds CUDA devices and describes them, without making a context. Never fails the program: what cannot be learned is
 * said in the note or in the device's `why`. It must agree with Vulkan about a card's UUID and PCI address (row D04). */
#include "devices/cuda_api.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NVIDIA_VENDOR_ID       0x10de
#define KERNEL_PARAMETER_BYTES 4096 /* what every capability takes (CUDA C++ guide, function parameters) */

static bool is_version(const char *word)
{
    size_t dots = 0;
    for (const char *c = word; *c; c++) {
        if (*c == '.')
            dots++;
        else if (!isdigit((unsigned char)*c))
            return false;
    }
    return dots >= 1 && isdigit((unsigned char)word[0]);
}

/* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Release Build ..." */
static bool version_from_kernel(char version[64])
{
    char line[512], *save = NULL;
    FILE *file = fopen("/proc/driver/nvidia/version", "re");
    if (!file) return false;
    bool found = false;
    if (fgets(line, sizeof line, file))
        for (char *word = strtok_r(line, " \t\n", &save); word && !found;
             word = strtok_r(NULL, " \t\n", &save))
            if (is_version(word) && strlen(word) < 64) {
                memcpy(version, word, strlen(word) + 1);
                found = true;
            }
    fclose(file);
    return found;
}

/* The management library knows the version where /proc does not show it (containers). */
static bool version_from_nvml(char version[64])
{
    int (*init)(void), (*shut)(void), (*get)(char *, unsigned);
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return false;
    *(void **)&init = dlsym(library, "nvmlInit_v2");
    *(void **)&shut = dlsym(library, "nvmlShutdown");
    *(void **)&get = dlsym(library, "nvmlSystemGetDriverVersion");
    bool found = false;
    if (init && shut && get && init() == 0) {
        found = get(version, 64) == 0 && is_version(version);
        shut();
    }
    dlclose(library);
    return found;
}

static uint32_t device_id_from_sysfs(const char *pci)
{
    char path[96], text[16];
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/device", pci);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    uint32_t id = fgets(text, sizeof text, file) ? (uint32_t)strtoul(text, NULL, 16) : 0;
    fclose(file);
    return id;
}

static bool query_failed(const struct cuda_api *api, struct assay_device_info *info, const char *call,
                         cu_result result)
{
    char text[80];
    if (result == CU_SUCCESS) return false;
    snprintf(info->why, sizeof info->why, "%s failed (%s)", call, cuda_result_text(api, result, text));
    return true;
}

/* Fills *info as far as the driver answers; the first failing query makes it unusable and names the call. */
static void describe(const struct cuda_api *api, const struct assay_driver_params *params, int ordinal,
                     int driver_version, const char *version, struct assay_device_info *info)
{
    struct {
        int attribute;
        int value;
    } ask[] = {{CU_ATTR_CC_MAJOR, 0},        {CU_ATTR_CC_MINOR, 0},     {CU_ATTR_MULTIPROCESSORS, 0},
               {CU_ATTR_INTEGRATED, 0},      {CU_ATTR_COMPUTE_MODE, 0}, {CU_ATTR_PCI_DOMAIN, 0},
               {CU_ATTR_PCI_BUS, 0},         {CU_ATTR_PCI_DEVICE, 0},   {CU_ATTR_GRID_X, 0},
               {CU_ATTR_GRID_Y, 0},          {CU_ATTR_GRID_Z, 0},       {CU_ATTR_THREADS_PER_BLOCK, 0},
               {CU_ATTR_SHARED_PER_BLOCK, 0}};
    cu_device device = 0;
    struct cu_uuid uuid = {{0}};
    size_t memory = 0;

    info->backend = "cuda";
    info->index = (uint32_t)ordinal;
    info->vendor_id = NVIDIA_VENDOR_ID;
    info->kind = ASSAY_KIND_DISCRETE;
    info->compute_queues = 1;
    snprintf(info->name, sizeof info->name, "CUDA device %d", ordinal);
    snprintf(info->api, sizeof info->api, "CUDA %d.%d", driver_version / 1000, driver_version % 1000 / 10);
    snprintf(info->driver, sizeof info->driver, "NVIDIA %s", version);

    if (query_failed(api, info, "cuDeviceGet", api->cuDeviceGet(&device, ordinal))) return;
    char name[sizeof info->name] = "";
    if (query_failed(api, info, "cuDeviceGetName", api->cuDeviceGetName(name, sizeof name, device))) return;
    name[sizeof name - 1] = '\0';
    memcpy(info->name, name, sizeof name);
    if (query_failed(api, info, "cuDeviceGetUuid_v2", api->cuDeviceGetUuid_v2(&uuid, device))) return;
    memcpy(info->uuid, uuid.bytes, sizeof info->uuid);
    info->has_uuid = true;
    if (query_failed(api, info, "cuDeviceTotalMem_v2", api->cuDeviceTotalMem_v2(&memory, device))) return;
    for (size_t i = 0; i < sizeof ask / sizeof *ask; i++)
        if (query_failed(api, info, "cuDeviceGetAttribute",
                         api->cuDeviceGetAttribute(&ask[i].value, ask[i].attribute, device)))
            return;

    info->cc_major = (uint32_t)ask[0].value;
    info->cc_minor = (uint32_t)ask[1].value;
    info->compute_units = (uint32_t)ask[2].value;
    if (ask[3].value) info->kind = ASSAY_KIND_INTEGRATED;
    info->host_visible_device_local = ask[3].value != 0;
    snprintf(info->pci, sizeof info->pci, "%04x:%02x:%02x.0", (unsigned)ask[5].value & 0xffffu,
             (unsigned)ask[6].value & 0xffu, (unsigned)ask[7].value & 0xffu);
    info->device_id = device_id_from_sysfs(info->pci);
    size_t used = strlen(info->api);
    snprintf(info->api + used, sizeof info->api - used, " sm_%u%u", info->cc_major, info->cc_minor);
    info->device_local_bytes = memory;
    info->limits = (struct assay_limits){
        .binding_bytes = memory,
        .allocation_bytes = memory,
        .groups = {(uint32_t)ask[8].value, (uint32_t)ask[9].value, (uint32_t)ask[10].value},
        .group_invocations = (uint32_t)ask[11].value,
        .shared_bytes = (uint32_t)ask[12].value,
        .push_bytes = KERNEL_PARAMETER_BYTES};
    if (params && params->max_binding_bytes && params->max_binding_bytes < info->limits.binding_bytes)
        info->limits.binding_bytes = params->max_binding_bytes;
    if (ask[4].value == CU_COMPUTE_MODE_PROHIBITED)
        snprintf(info->why, sizeof info->why, "the card's compute mode is 'prohibited'");
    else
        info->usable = true;
}

void cuda_discover(const struct assay_driver_params *params, struct assay_device_info *list, size_t cap,
                   size_t *count, char note[256])
{
    struct cuda_api api;
    struct assay_error error = {0};
    char version[64], text[80];
    int found = 0, driver_version = 0;
    cu_result result;

    *count = 0;
    note[0] = '\0';
    if (cuda_api_open(params, &api, &error) != ASSAY_OK) {
        snprintf(note, 256, "%.255s", error.text);
        return;
    }
    if ((result = api.cuDriverGetVersion(&driver_version)) != CU_SUCCESS) {
        snprintf(note, 256, "cuDriverGetVersion failed (%s)", cuda_result_text(&api, result, text));
        goto out;
    }
    if ((result = api.cuDeviceGetCount(&found)) != CU_SUCCESS) {
        snprintf(note, 256, "cuDeviceGetCount failed (%s)", cuda_result_text(&api, result, text));
        goto out;
    }
    if (found <= 0) {
        snprintf(note, 256, "the driver shows no device");
        goto out;
    }
    if (!version_from_kernel(version) && !version_from_nvml(version))
        snprintf(version, sizeof version, "(CUDA %d.%d)", driver_version / 1000, driver_version % 1000 / 10);
    for (int i = 0; i < found && *count < cap; i++) {
        struct assay_device_info *info = &list[*count];
        *info = (struct assay_device_info){0};
        describe(&api, params, i, driver_version, version, info);
        ++*count;
    }
    if ((size_t)found > *count) snprintf(note, 256, "%d devices found, %zu listed", found, *count);
out:
    cuda_api_close(&api);
}
