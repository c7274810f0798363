/* What NVIDIA's management library knows of a card and no compute interface tells: the version of its firmware, whether a
 * device is a part of a card (MIG, vGPU), its clocks, temperature and power at the moment. Opened while running, by PCI
 * address; without it nothing is known.
 *
 * Sources: NVML reference (nvmlDeviceGetVbiosVersion, nvmlDeviceGetVirtualizationMode, nvmlDeviceGetClockInfo,
 * nvmlDeviceGetTemperature, nvmlDeviceGetPowerUsage, nvmlDeviceGetCurrentClocksThrottleReasons), CUDA's names of MIG
 * devices. */
#include "devices/device.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NVIDIA_VENDOR_ID 0x10de
#define NVML_MODE_VGPU   2 /* NVML_GPU_VIRTUALIZATION_MODE_VGPU */
#define NVML_VBIOS_BYTES 32
#define NVML_CLOCK_SM    1
#define NVML_SENSOR_GPU  0

struct nvml {
    void *library;
    int (*init)(void);
    int (*shutdown)(void);
    int (*by_pci)(const char *address, void **device);
    int (*vbios)(void *device, char *text, unsigned bytes);
    int (*virtualization)(void *device, int *mode);
    int (*clock)(void *device, int which, unsigned *mhz);
    int (*temperature)(void *device, int sensor, unsigned *degrees);
    int (*power)(void *device, unsigned *milliwatts);
    int (*throttle)(void *device, unsigned long long *reasons);
};

static bool nvml_open(const struct assay_driver_params *params, struct nvml *nvml)
{
    const char *name = params->nvml_lib ? params->nvml_lib : "libnvidia-ml.so.1";
    if (strcmp(name, "none") == 0) return false;
    *nvml = (struct nvml){.library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
    if (!nvml->library) return false;
    *(void **)&nvml->init = dlsym(nvml->library, "nvmlInit_v2");
    *(void **)&nvml->shutdown = dlsym(nvml->library, "nvmlShutdown");
    *(void **)&nvml->by_pci = dlsym(nvml->library, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&nvml->vbios = dlsym(nvml->library, "nvmlDeviceGetVbiosVersion");
    *(void **)&nvml->virtualization = dlsym(nvml->library, "nvmlDeviceGetVirtualizationMode");
    *(void **)&nvml->clock = dlsym(nvml->library, "nvmlDeviceGetClockInfo");
    *(void **)&nvml->temperature = dlsym(nvml->library, "nvmlDeviceGetTemperature");
    *(void **)&nvml->power = dlsym(nvml->library, "nvmlDeviceGetPowerUsage");
    *(void **)&nvml->throttle = dlsym(nvml->library, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (nvml->init && nvml->shutdown && nvml->by_pci && nvml->init() == 0) return true;
    dlclose(nvml->library);
    return false;
}

static void ask(const struct nvml *nvml, struct assay_device_info *info)
{
    char text[NVML_VBIOS_BYTES] = "";
    void *device = NULL;
    int mode = 0;
    if (!*info->pci || nvml->by_pci(info->pci, &device) != 0) return;
    if (nvml->vbios && nvml->vbios(device, text, sizeof text) == 0) {
        text[sizeof text - 1] = '\0';
        snprintf(info->vbios, sizeof info->vbios, "%s", text);
    }
    if (!*info->partition && nvml->virtualization && nvml->virtualization(device, &mode) == 0 &&
        mode == NVML_MODE_VGPU)
        snprintf(info->partition, sizeof info->partition, "vgpu");
}

/* "NVIDIA A100-SXM4-40GB MIG 1g.5gb": CUDA names a part of a card after its profile. */
static void read_name(struct assay_device_info *info)
{
    const char *mig = strstr(info->name, " MIG ");
    if (mig) snprintf(info->partition, sizeof info->partition, "mig %.40s", mig + 5);
}

void assay_nvidia_describe(const struct assay_driver_params *params, struct assay_device_info *list,
                           size_t count)
{
    struct nvml nvml;
    bool tried = false, open = false;
    for (size_t i = 0; i < count; i++) {
        if (list[i].vendor_id != NVIDIA_VENDOR_ID) continue;
        read_name(&list[i]);
        if (!tried) open = nvml_open(params, &nvml);
        tried = true;
        if (open) ask(&nvml, &list[i]);
    }
    if (!open) return;
    nvml.shutdown();
    dlclose(nvml.library);
}

/* ---- a card at the moment ---- */

struct assay_watch {
    struct nvml nvml;
    void *device;
};

struct assay_watch *assay_watch_open(const struct assay_driver_params *params,
                                     const struct assay_device_info *info)
{
    if (info->vendor_id != NVIDIA_VENDOR_ID || !*info->pci) return NULL;
    struct assay_watch *watch = calloc(1, sizeof *watch);
    if (!watch || !nvml_open(params, &watch->nvml)) {
        free(watch);
        return NULL;
    }
    if (watch->nvml.by_pci(info->pci, &watch->device) == 0) return watch;
    assay_watch_close(watch);
    return NULL;
}

void assay_watch_close(struct assay_watch *watch)
{
    if (!watch) return;
    watch->nvml.shutdown();
    dlclose(watch->nvml.library);
    free(watch);
}

void assay_watch_read(const struct assay_watch *watch, struct assay_vitals *vitals)
{
    unsigned value = 0;
    unsigned long long reasons = 0;
    *vitals = (struct assay_vitals){.clock_mhz = -1, .temperature_c = NAN, .power_w = NAN, .throttle = -1};
    if (!watch) return;
    const struct nvml *nvml = &watch->nvml;
    if (nvml->clock && nvml->clock(watch->device, NVML_CLOCK_SM, &value) == 0)
        vitals->clock_mhz = (int32_t)value;
    if (nvml->temperature && nvml->temperature(watch->device, NVML_SENSOR_GPU, &value) == 0)
        vitals->temperature_c = value;
    if (nvml->power && nvml->power(watch->device, &value) == 0) vitals->power_w = value * 1e-3;
    if (nvml->throttle && nvml->throttle(watch->device, &reasons) == 0) vitals->throttle = (int64_t)reasons;
}
