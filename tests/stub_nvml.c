/* A fake management library: one card at 0000:1b:00.0 with firmware, one virtual card at 0000:1c:00.0. */
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int nvmlInit_v2(void);
EXPORT int nvmlShutdown(void);
EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device);
EXPORT int nvmlDeviceGetVbiosVersion(void *device, char *text, unsigned bytes);
EXPORT int nvmlDeviceGetVirtualizationMode(void *device, int *mode);

static int cards[2], running;

int nvmlInit_v2(void)
{
    running++;
    return 0;
}

int nvmlShutdown(void)
{
    return --running;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device)
{
    if (!running) return 1;
    for (int i = 0; i < 2; i++) {
        char mine[16];
        snprintf(mine, sizeof mine, "0000:%02x:00.0", 0x1b + i);
        *device = &cards[i];
        if (strcmp(mine, address) == 0) return 0;
    }
    return 6;
}

int nvmlDeviceGetVbiosVersion(void *device, char *text, unsigned bytes)
{
    if (device != &cards[0]) return 3;
    snprintf(text, bytes, "96.00.CD.00.01");
    return 0;
}

int nvmlDeviceGetVirtualizationMode(void *device, int *mode)
{
    *mode = device == &cards[1] ? 2 : 1;
    return 0;
}

/* How the cards stand: the first tells everything, the virtual one nothing. */
EXPORT int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz);
EXPORT int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees);
EXPORT int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
EXPORT int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);

int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz)
{
    if (device != &cards[0] || which != 1) return 3;
    *mhz = 1980;
    return 0;
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *degrees)
{
    if (device != &cards[0] || sensor != 0) return 3;
    *degrees = 41;
    return 0;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    if (device != &cards[0]) return 3;
    *milliwatts = 123500;
    return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    if (device != &cards[0]) return 3;
    *reasons = 0x40;
    return 0;
}
