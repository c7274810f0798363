/* Finding Vulkan: the loader by dlopen, entry points by name, instances. Knows no device record. */
#include "devices/vulkan.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const loader_names[] = {"libvulkan.so.1", "libvulkan.so", "libvulkan.1.dylib",
                                           "libMoltenVK.dylib"};

enum assay_status assay_vulkan_failure(struct assay_error *error, const char *subject, const char *call,
                                       VkResult result)
{
    static const struct {
        VkResult result;
        enum assay_status status;
    } kinds[] = {
        {VK_ERROR_OUT_OF_HOST_MEMORY, ASSAY_OUT_OF_MEMORY},
        {VK_ERROR_OUT_OF_DEVICE_MEMORY, ASSAY_OUT_OF_MEMORY},
        {VK_ERROR_OUT_OF_POOL_MEMORY, ASSAY_OUT_OF_MEMORY},
        {VK_ERROR_DEVICE_LOST, ASSAY_DEVICE_LOST},
        {VK_TIMEOUT, ASSAY_TIMEOUT},
    };
    enum assay_status status = ASSAY_DEVICE_FAILURE;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].result == result) status = kinds[i].status;
    return assay_error_set(error, status, "%s%s%s failed (%d)", subject ? subject : "", subject ? ": " : "",
                           call, (int)result);
}

/* ---- the loader; its code and its drivers' stays mapped after the last close (vulkan_pin.c) ---- */

static enum assay_status library_open(const char *lib, void **library, struct assay_error *error)
{
    *library = NULL;
    if (lib && !strcmp(lib, "none")) return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "turned off");
    if (lib) {
        *library = dlopen(lib, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (*library) return ASSAY_OK;
        const char *why = dlerror();
        return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED,
                               "cannot open the Vulkan loader %.100s: %.100s", lib,
                               why ? why : "unknown reason");
    }
    for (size_t i = 0; i < sizeof loader_names / sizeof loader_names[0] && !*library; i++)
        *library = dlopen(loader_names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (*library) return ASSAY_OK;
    return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "no Vulkan loader (%s) on this machine",
                           loader_names[0]);
}

static enum assay_status missing(struct assay_error *error, const char *name)
{
    return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "the Vulkan loader has no %s", name);
}

enum assay_status assay_vulkan_instance_create(const char *lib, struct vulkan_instance *instance,
                                               struct assay_error *error)
{
    memset(instance, 0, sizeof *instance);
    enum assay_status status = library_open(lib, &instance->library, error);
    if (status != ASSAY_OK) return status;

    /* ISO C has no conversion from object to function pointers; POSIX promises that the bits are the same. */
    void *symbol = dlsym(instance->library, "vkGetInstanceProcAddr");
    memcpy(&instance->vkGetInstanceProcAddr, &symbol, sizeof symbol);
    if (!symbol) {
        status = missing(error, "vkGetInstanceProcAddr");
        goto fail;
    }
    instance->vkCreateInstance =
        (PFN_vkCreateInstance)instance->vkGetInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance");
    if (!instance->vkCreateInstance) {
        status = missing(error, "vkCreateInstance");
        goto fail;
    }

    const VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "assay",
        .pEngineName = "libassay",
        .apiVersion = VK_API_VERSION_1_3, /* the newest that is used; 1.1 is what is needed */
    };
    const VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                         .pApplicationInfo = &application};
    assay_vulkan_objects_list(&instance->before);
    VkResult result = instance->vkCreateInstance(&create, NULL, &instance->handle);
    if (result != VK_SUCCESS) {
        instance->handle = VK_NULL_HANDLE;
        status = assay_vulkan_failure(error, NULL, "vkCreateInstance", result);
        goto fail;
    }
#define FIND(name)                                                                                           \
    instance->name = (PFN_##name)instance->vkGetInstanceProcAddr(instance->handle, #name);                   \
    if (!instance->name && status == ASSAY_OK) status = missing(error, #name);
    FIND(vkDestroyInstance)
    ASSAY_VULKAN_INSTANCE_CALLS(FIND)
#undef FIND
    if (status == ASSAY_OK) return ASSAY_OK;

fail:
    assay_vulkan_instance_destroy(instance);
    return status;
}

void assay_vulkan_instance_destroy(struct vulkan_instance *instance)
{
    if (instance->handle) assay_vulkan_objects_pin(&instance->before);
    if (instance->handle && instance->vkDestroyInstance) instance->vkDestroyInstance(instance->handle, NULL);
    assay_vulkan_objects_free(&instance->before);
    if (instance->library) dlclose(instance->library);
    free(instance->lib);
    memset(instance, 0, sizeof *instance);
}

/* ---- the shared instances ---- */

static pthread_mutex_t shared_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct vulkan_instance *shared; /* one for each loader in use, nearly always one */

static bool same_lib(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

enum assay_status assay_vulkan_instance_share(const char *lib, struct vulkan_instance **instance,
                                              struct assay_error *error)
{
    enum assay_status status = ASSAY_OK;
    *instance = NULL;
    pthread_mutex_lock(&shared_mutex);
    struct vulkan_instance *it = shared;
    while (it && !same_lib(it->lib, lib)) it = it->next;
    if (!it) {
        it = malloc(sizeof *it);
        char *name = lib ? strdup(lib) : NULL;
        if (!it || (lib && !name))
            status = assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                                     "no memory for a Vulkan instance (%zu bytes)", sizeof *it);
        else
            status = assay_vulkan_instance_create(lib, it, error);
        if (status != ASSAY_OK) {
            free(name);
            free(it);
            goto done;
        }
        it->lib = name;
        it->next = shared;
        shared = it;
    }
    it->users++;
    *instance = it;

done:
    pthread_mutex_unlock(&shared_mutex);
    return status;
}

void assay_vulkan_instance_release(struct vulkan_instance *instance)
{
    if (!instance) return;
    pthread_mutex_lock(&shared_mutex);
    if (--instance->users == 0) {
        struct vulkan_instance **link = &shared;
        while (*link != instance) link = &(*link)->next;
        *link = instance->next;
        assay_vulkan_instance_destroy(instance);
        free(instance);
    }
    pthread_mutex_unlock(&shared_mutex);
}

/* ---- what an instance and a device answer ---- */

enum assay_status assay_vulkan_calls_load(const struct vulkan_instance *instance, VkDevice device,
                                          struct vulkan_calls *calls, struct assay_error *error)
{
    const char *lacking = NULL;
#define FIND(name)                                                                                           \
    calls->name = (PFN_##name)instance->vkGetDeviceProcAddr(device, #name);                                  \
    if (!calls->name && !lacking) lacking = #name;
    ASSAY_VULKAN_DEVICE_CALLS(FIND)
#undef FIND
    if (lacking) return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "no %s", lacking);
    return ASSAY_OK;
}

enum assay_status assay_vulkan_physical_list(const struct vulkan_instance *instance, VkPhysicalDevice **list,
                                             uint32_t *count, struct assay_error *error)
{
    *list = NULL;
    *count = 0;
    uint32_t found = 0;
    VkResult result = instance->vkEnumeratePhysicalDevices(instance->handle, &found, NULL);
    if (result != VK_SUCCESS) return assay_vulkan_failure(error, NULL, "vkEnumeratePhysicalDevices", result);
    if (!found) return ASSAY_OK;
    VkPhysicalDevice *devices = calloc(found, sizeof *devices);
    if (!devices)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no memory for a list of %u Vulkan devices",
                               found);
    result = instance->vkEnumeratePhysicalDevices(instance->handle, &found, devices);
    if (result != VK_SUCCESS &&
        result != VK_INCOMPLETE) { /* incomplete: one was plugged in between the calls */
        free(devices);
        return assay_vulkan_failure(error, NULL, "vkEnumeratePhysicalDevices", result);
    }
    *list = devices;
    *count = found;
    return ASSAY_OK;
}
