/* The device suite on every usable device of this machine, software renderers included, and once more on each Vulkan
 * device with staging copies and on the CPU without vector instructions. */
#include "tests/device_suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *only; /* a label such as vulkan:0 on the command line */

static int run_all(const struct assay_driver_params *driver, const char *backend, const char *note)
{
    struct assay_device_list *list = calloc(1, sizeof *list);
    int failed = 0, ran = 0;
    if (!list) return 1;
    assay_discover(driver, NULL, list);
    for (size_t i = 0; i < list->count; i++) {
        const struct assay_device_info *info = &list->device[i];
        char label[24], name[400];
        if (!(info->usable || info->software) || info->duplicate ||
            (backend && strcmp(backend, info->backend) != 0))
            continue;
        if (only && strcmp(only, assay_device_label(info, label)) != 0) continue;
        snprintf(name, sizeof name, "%s %s%s", assay_device_label(info, label), info->name, note);
        failed += device_suite_run(name, driver, info, driver->vulkan_staging);
        ran++;
    }
    free(list);
    if (!ran && !backend && !only) {
        fprintf(stderr, "no usable device, not even the CPU\n");
        return 1;
    }
    return failed;
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    const struct assay_driver_params standard = {0}, staging = {.vulkan_staging = true},
                                     plain = {.no_cpu_simd = true};
    return run_all(&standard, NULL, "") + run_all(&plain, "cpu", ", plain C") +
                   run_all(&staging, "vulkan", ", staging copies")
               ? 1
               : 0;
}
