/* Keeping drivers mapped. The loader loads them for an instance and unloads them after it; some can be loaded a few times
 * a process only, since each time takes a part of the static thread-local storage, which the C library does not give
 * back. So what an instance brought into the process stays there. Knows no instance. */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "devices/vulkan.h"

static int add_name(struct dl_phdr_info *info, size_t size, void *context)
{
    struct vulkan_objects *objects = context;
    (void)size;
    if (!info->dlpi_name || info->dlpi_name[0] != '/') return 0;
    char **more = realloc(objects->name, (objects->count + 1) * sizeof *more);
    char *name = strdup(info->dlpi_name);
    if (more) objects->name = more;
    if (more && name)
        objects->name[objects->count++] = name;
    else
        free(name);
    return 0;
}

void assay_vulkan_objects_list(struct vulkan_objects *objects)
{
    *objects = (struct vulkan_objects){0};
    dl_iterate_phdr(add_name, objects);
}

void assay_vulkan_objects_free(struct vulkan_objects *objects)
{
    for (size_t i = 0; i < objects->count; i++) free(objects->name[i]);
    free(objects->name);
    *objects = (struct vulkan_objects){0};
}

void assay_vulkan_objects_pin(const struct vulkan_objects *before)
{
    struct vulkan_objects now;
    assay_vulkan_objects_list(&now);
    for (size_t i = 0; i < now.count; i++) {
        size_t old = 0;
        while (old < before->count && strcmp(before->name[old], now.name[i]) != 0) old++;
        if (old < before->count) continue;
        void *object = dlopen(now.name[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        if (object) dlclose(object);
    }
    assay_vulkan_objects_free(&now);
}
