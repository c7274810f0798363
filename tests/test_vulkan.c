/* The Vulkan backend against a scripted loader (stub_vulkan.c): every call missing or failing, layouts of memory and
 * queues, odd names, lost devices, full memory, and nothing left alive afterwards. */
#include "devices/device.h"
#include "devices/vulkan.h"
#include "tests/stub_vulkan.h"
#include "tests/vulkan_mix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STUB_PATH TEST_BUILD "/tests/stub_vulkan.so"
#define GIB       (1ull << 30)
#define MIB       (1ull << 20)

enum {
    LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
    COHERENT = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
    LAZY = VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT,
};

static const struct assay_backend *const vk = &assay_backend_vulkan;
static const struct assay_driver_params params = {.vulkan_lib = STUB_PATH};
static struct stub_vulkan *stub;

/* A discrete card with 8 GiB, of which the processor sees 256 MiB, and 16 GiB of host memory. */
static void script_card(void)
{
    memset(stub, 0, sizeof *stub);
    stub->device_count = 1;
    stub->type_bits = UINT32_MAX;
    stub->allocation_limit = 4 * GIB;
    for (uint32_t i = 0; i < STUB_DEVICES_MAX; i++) {
        VkPhysicalDeviceProperties *p = &stub->props[i];
        p->apiVersion = VK_API_VERSION_1_3;
        p->vendorID = 0x10de;
        p->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
        snprintf(p->deviceName, sizeof p->deviceName, "Card %u", i);
        p->limits.maxStorageBufferRange = 128 * MIB;
        p->limits.maxPushConstantsSize = 128;
        p->limits.maxComputeWorkGroupInvocations = 1024;
        p->limits.timestampPeriod = 2.0f;
        for (int d = 0; d < 3; d++) {
            p->limits.maxComputeWorkGroupCount[d] = 65535;
            p->limits.maxComputeWorkGroupSize[d] = 64;
        }
        stub->uuid[i][0] = (uint8_t)(i + 1);
    }
    stub->memory.memoryHeapCount = 3;
    stub->memory.memoryHeaps[0] = (VkMemoryHeap){8 * GIB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    stub->memory.memoryHeaps[1] = (VkMemoryHeap){16 * GIB, 0};
    stub->memory.memoryHeaps[2] = (VkMemoryHeap){256 * MIB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    stub->memory.memoryTypeCount = 3;
    stub->memory.memoryTypes[0] = (VkMemoryType){LOCAL, 0};
    stub->memory.memoryTypes[1] = (VkMemoryType){VISIBLE | COHERENT, 1};
    stub->memory.memoryTypes[2] = (VkMemoryType){LOCAL | VISIBLE | COHERENT, 2};
    stub->family_count = 1;
    stub->family[0] = (VkQueueFamilyProperties){
        .queueFlags = VK_QUEUE_COMPUTE_BIT, .queueCount = 2, .timestampValidBits = 36};
}

static int set_up(void **state)
{
    (void)state;
    void *library = dlopen(STUB_PATH, RTLD_NOW); /* kept, so that the script and the counters stay */
    if (!library) fprintf(stderr, "%s\n", dlerror());
    stub = library ? dlsym(library, "stub_vulkan") : NULL;
    return stub ? 0 : -1;
}

static int fresh(void **state)
{
    (void)state;
    script_card();
    return 0;
}

static void assert_nothing_lives(void)
{
    for (int k = 0; k < STUB_KINDS; k++)
        if (stub->live[k]) fail_msg("%d objects of kind %d live", stub->live[k], k);
}

static struct assay_device_info discover_one(void)
{
    struct assay_device_info list[4];
    char note[256];
    size_t count = 0;
    vk->discover(&params, list, 4, &count, note);
    if (count == 0) fail_msg("%s", note);
    return list[0];
}

static struct assay_device *open_one(const struct assay_driver_params *with)
{
    struct assay_device_info info = discover_one();
    struct assay_device *device = NULL;
    OK(vk->open(with, &info, &device, &error));
    return device;
}

static enum assay_status make_mix(struct assay_device *device, struct assay_program **program,
                                  struct assay_error *error)
{
    static const struct assay_code mix = {.kind = ASSAY_CODE_SPIRV,
                                          .name = "mix",
                                          .data = vulkan_mix_words,
                                          .end = (const char *)vulkan_mix_words + sizeof vulkan_mix_words};
    const struct assay_program_params how = {.codes = &mix,
                                             .code_count = 1,
                                             .bindings = 2,
                                             .push_bytes = 12,
                                             .group = {32, 1, 1},
                                             .spec = {1},
                                             .spec_count = 1};
    return device->backend->program_create(device, &how, program, error);
}

/* Everything that the backend can be asked, in order; the first complaint, wherever it stands, in *error. */
static enum assay_status whole_life(struct assay_error *error)
{
    struct assay_device_info info;
    struct assay_device *device = NULL;
    struct assay_buffer *mapped = NULL, *staged = NULL;
    struct assay_program *program = NULL;
    char note[256], data[512] = "";
    size_t count = 0;
    uint64_t ns = 0;
    stub->memory.memoryHeaps[2].size = 65536; /* too small a window for the second buffer */
    vk->discover(&params, &info, 1, &count, note);
    if (!count) return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s", note);
    if (!info.usable) return assay_error_set(error, ASSAY_DEVICE_UNSUPPORTED, "%s", info.why);
    enum assay_status status = vk->open(&params, &info, &device, error);
    if (status != ASSAY_OK) return status;
    status = vk->buffer_create(device, sizeof data, &mapped, error);
    if (status == ASSAY_OK) status = vk->buffer_create(device, 65536, &staged, error);
    if (status == ASSAY_OK) status = vk->write(device, mapped, 0, data, sizeof data, error);
    if (status == ASSAY_OK) status = vk->write(device, staged, 0, data, sizeof data, error);
    if (status == ASSAY_OK) status = make_mix(device, &program, error);
    for (int i = 0; i < 2 && status == ASSAY_OK; i++) {
        const struct assay_dispatch dispatch = {
            .program = program, .binding = {{.buffer = mapped}, {.buffer = staged}}, .groups = {1, 1, 1}};
        status = vk->submit(device, &dispatch, 1, error);
        if (status == ASSAY_OK) status = vk->wait(device, 0, &ns, error);
        if (status == ASSAY_OK) assert_int_equal(ns, 512);
    }
    if (status == ASSAY_OK) status = vk->read(device, staged, 0, data, sizeof data, error);
    if (device->lost) { /* later calls fail at once, a new session works */
        struct assay_error later = {0};
        assert_int_equal(status, ASSAY_DEVICE_LOST);
        assert_int_equal(vk->read(device, mapped, 0, data, 4, &later), ASSAY_DEVICE_LOST);
        assert_int_equal(vk->buffer_create(device, 4, &mapped, &later), ASSAY_DEVICE_LOST);
        assert_non_null(strstr(later.text, "lost"));
    }
    vk->close(device);
    return status;
}

/* ---- D02, D03, D18: calls that are missing or fail ---- */

/* Stands before the C library's: writes down which loaders are asked for, and has none of them while hidden. */
static bool loaders_hidden;
static char loaders_asked[256];

void *dlopen(const char *name, int flags)
{
    static void *(*real)(const char *, int);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    if (!loaders_hidden) return real(name, flags);
    size_t used = strlen(loaders_asked);
    snprintf(loaders_asked + used, sizeof loaders_asked - used, "%s ", name);
    return NULL;
}

static void loader_names(void **state)
{
    (void)state;
    const struct assay_driver_params usual = {0};
    struct assay_device_info list[1];
    char note[256];
    size_t count = 9;
    loaders_hidden = true;
    vk->discover(&usual, list, 1, &count, note);
    loaders_hidden = false;
    assert_int_equal(count, 0);
    assert_string_equal(note, "no Vulkan loader (libvulkan.so.1) on this machine");
    assert_string_equal(loaders_asked, "libvulkan.so.1 libvulkan.so libvulkan.1.dylib libMoltenVK.dylib ");
}

static void entry_points_missing(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool by_loader;
    } calls[] = {{"vkCreateInstance", true},
                 {"vkDestroyInstance", true},
#define X(name) {#name, true},
                 ASSAY_VULKAN_INSTANCE_CALLS(X)
#undef X
#define X(name) {#name, false},
                     ASSAY_VULKAN_DEVICE_CALLS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        struct assay_error error = {0};
        char words[128];
        script_card();
        snprintf(stub->drop, sizeof stub->drop, "%s", calls[i].name);
        snprintf(words, sizeof words, "%s%s", calls[i].by_loader ? "the Vulkan loader has no " : "no ",
                 calls[i].name);
        assert_int_equal(whole_life(&error), ASSAY_DEVICE_UNSUPPORTED);
        if (strcmp(error.text, words) != 0) fail_msg("'%s' is not '%s'", error.text, words);
        /* An instance that cannot be destroyed lives on. */
        if (!strcmp(calls[i].name, "vkDestroyInstance")) {
            assert_int_equal(stub->live[STUB_INSTANCE], 1);
            free(stub->instance);
            continue;
        }
        assert_nothing_lives();
    }
}

static const char *const checked_calls[] = {
    "vkCreateInstance",
    "vkEnumeratePhysicalDevices",
    "vkEnumerateDeviceExtensionProperties",
    "vkCreateDevice",
    "vkCreateCommandPool",
    "vkAllocateCommandBuffers",
    "vkCreateFence",
    "vkCreateQueryPool",
    "vkCreateBuffer",
    "vkAllocateMemory",
    "vkBindBufferMemory",
    "vkMapMemory",
    "vkBeginCommandBuffer",
    "vkEndCommandBuffer",
    "vkResetFences",
    "vkQueueSubmit",
    "vkWaitForFences",
    "vkCreateDescriptorSetLayout",
    "vkCreatePipelineLayout",
    "vkCreateShaderModule",
    "vkCreateComputePipelines",
    "vkCreateDescriptorPool",
    "vkResetDescriptorPool",
    "vkAllocateDescriptorSets",
    "vkGetQueryPoolResults",
};

static void calls_failing(void **state)
{
    (void)state;
    static const struct {
        VkResult result;
        enum assay_status status;
    } results[] = {
        {VK_ERROR_INCOMPATIBLE_DRIVER, ASSAY_DEVICE_FAILURE},
        {VK_ERROR_OUT_OF_HOST_MEMORY, ASSAY_OUT_OF_MEMORY},
        {VK_ERROR_DEVICE_LOST, ASSAY_DEVICE_LOST},
        {VK_ERROR_UNKNOWN, ASSAY_DEVICE_FAILURE},
    };
    for (size_t i = 0; i < sizeof checked_calls / sizeof checked_calls[0]; i++) {
        for (size_t r = 0; r < sizeof results / sizeof results[0]; r++) {
            struct assay_error error = {0};
            char words[128];
            script_card();
            snprintf(stub->fail, sizeof stub->fail, "%s", checked_calls[i]);
            stub->result = results[r].result;
            snprintf(words, sizeof words, "%s failed (%d)", checked_calls[i], (int)results[r].result);
            enum assay_status status = whole_life(&error), want = results[r].status;
            if (i < 3) want = ASSAY_DEVICE_UNSUPPORTED; /* said by discovery */
            if (status != want) fail_msg("%s: %s, %s", words, assay_status_name(status), error.text);
            if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
            assert_nothing_lives();
            *stub->fail = '\0';
            OK(whole_life(&error)); /* a new session works */
        }
    }
}

static void no_loader(void **state)
{
    (void)state;
    struct assay_device_info info = discover_one(), list[1];
    struct assay_device *device = NULL;
    char note[256];
    size_t count = 9;
    struct assay_driver_params with = {.vulkan_lib = "none"};
    vk->discover(&with, list, 1, &count, note);
    assert_int_equal(count, 0);
    assert_string_equal(note, "turned off");
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "turned off", vk->open(&with, &info, &device, &error));
    with.vulkan_lib = "/nonexistent/libvulkan.so";
    vk->discover(&with, list, 1, &count, note);
    assert_int_equal(count, 0);
    assert_non_null(strstr(note, "cannot open the Vulkan loader /nonexistent/libvulkan.so"));
    with.vulkan_lib = "libc.so.6"; /* opens, but is no Vulkan */
    vk->discover(&with, list, 1, &count, note);
    assert_string_equal(note, "the Vulkan loader has no vkGetInstanceProcAddr");
}

/* ---- D07, D09, D12, D19: what is said about devices ---- */

static void devices_described(void **state)
{
    (void)state;
    struct assay_device_info info = discover_one();
    assert_true(info.usable);
    assert_false(info.software);
    assert_string_equal(info.name, "Card 0");
    assert_string_equal(info.api, "1.3.0");
    assert_string_equal(info.pci, "0000:1b:00.0");
    assert_true(info.has_uuid);
    assert_int_equal(info.uuid[0], 1);
    assert_int_equal(info.compute_queues, 2);
    assert_true(info.device_local_bytes == 8858370048ull);
    assert_true(info.host_visible_device_local);
    assert_true(info.limits.binding_bytes == 128 * MIB);
    assert_true(info.limits.allocation_bytes == 4 * GIB);
    assert_int_equal(strlen(info.driver), 60 + 1 + 90); /* from 256 bytes without an end each */

    static const struct {
        VkPhysicalDeviceType type;
        uint32_t vendor, families, api;
        bool usable, software;
        const char *why;
        enum assay_device_kind kind;
    } table[] = {
        {VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 0x8086, 1, VK_API_VERSION_1_1, true, false, "",
         ASSAY_KIND_INTEGRATED},
        {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 0x1002, 1, VK_API_VERSION_1_2, true, false, "",
         ASSAY_KIND_DISCRETE},
        {VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, 0x10de, 1, VK_API_VERSION_1_3, false, false, "virtual",
         ASSAY_KIND_VIRTUAL},
        {VK_PHYSICAL_DEVICE_TYPE_OTHER, 0x10de, 1, VK_API_VERSION_1_3, false, false, "other",
         ASSAY_KIND_OTHER},
        {(VkPhysicalDeviceType)77, 0x10de, 1, VK_API_VERSION_1_3, false, false, "other", ASSAY_KIND_OTHER},
        {VK_PHYSICAL_DEVICE_TYPE_CPU, 0x1ae0, 1, VK_API_VERSION_1_3, false, true, "software renderer",
         ASSAY_KIND_CPU},
        {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 0x10005, 1, VK_API_VERSION_1_3, false, true,
         "software renderer", ASSAY_KIND_DISCRETE},
        {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 0x10de, 0, VK_API_VERSION_1_3, false, false,
         "no compute queue", ASSAY_KIND_DISCRETE},
        {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 0x10de, 1, VK_API_VERSION_1_0, false, false, "at least 1.1",
         ASSAY_KIND_DISCRETE},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        script_card();
        stub->props[0].deviceType = table[i].type;
        stub->props[0].vendorID = table[i].vendor;
        stub->props[0].apiVersion = table[i].api;
        stub->family_count = table[i].families;
        info = discover_one();
        assert_int_equal(info.usable, table[i].usable);
        assert_int_equal(info.software, table[i].software);
        assert_int_equal(info.kind, table[i].kind);
        if (!strstr(info.why, table[i].why) || table[i].usable != !*info.why)
            fail_msg("row %zu: '%s'", i, info.why);
    }
}

static void odd_devices(void **state)
{
    (void)state;
    memset(stub->props[0].deviceName, 0xfe, sizeof stub->props[0].deviceName);
    struct assay_device_info info = discover_one();
    assert_int_equal(strlen(info.name), 256);
    assert_int_equal((unsigned char)info.name[255], 0xfe);

    static const struct {
        uint32_t version;
        const char *text;
    } versions[] = {{0x00403000, "1.3.0"},
                    {0x004030ff, "1.3.255"},
                    {0xe0403001, "1.3.1"},
                    {0, "0.0.0"},
                    {UINT32_MAX, "127.1023.4095"}};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        char text[32];
        assert_string_equal(assay_vulkan_version_text(versions[i].version, text), versions[i].text);
        stub->props[0].apiVersion = versions[i].version;
        assert_string_equal(discover_one().api, versions[i].text);
    }

    /* A driver that says nothing: named, not usable, and opening is refused in words. */
    memset(&stub->props[0], 0, sizeof stub->props[0]);
    memset(&stub->memory, 0, sizeof stub->memory);
    memset(stub->uuid, 0, sizeof stub->uuid);
    stub->family_count = 0;
    info = discover_one();
    assert_false(info.usable);
    assert_false(info.has_uuid);
    assert_string_equal(info.name, "");
    struct assay_device *device = NULL;
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "no compute queue", vk->open(&params, &info, &device, &error));
    assert_nothing_lives();

    /* Counts beyond the arrays of the driver's own structure. */
    script_card();
    stub->memory.memoryHeapCount = stub->memory.memoryTypeCount = UINT32_MAX;
    discover_one();
}

static void lists(void **state)
{
    (void)state;
    struct assay_device_info list[2];
    char note[256];
    size_t count = 9;
    for (int i = 0; i < 100; i++) discover_one();
    assert_int_equal(stub->made[STUB_INSTANCE], 100);
    assert_nothing_lives();

    stub->device_count = 0;
    vk->discover(&params, list, 2, &count, note);
    assert_int_equal(count, 0);
    assert_string_equal(note, "the Vulkan loader lists no device");
    stub->device_count = 3;
    vk->discover(&params, list, 2, &count, note);
    assert_int_equal(count, 2);
    assert_int_equal(list[1].index, 1);
    assert_string_equal(note, "3 devices, only the first 2 are listed");
    assert_nothing_lives();
}

/* ---- D13, D14, D17: opening ---- */

static void opens_share_an_instance(void **state)
{
    (void)state;
    struct assay_device *a = open_one(&params);
    stub->made[STUB_INSTANCE] = 0;
    struct assay_device_info info = a->info;
    struct assay_device *b = NULL;
    OK(vk->open(&params, &info, &b, &error));
    assert_int_equal(stub->made[STUB_INSTANCE], 0);
    assert_int_equal(stub->live[STUB_INSTANCE], 1);
    assert_int_equal(stub->live[STUB_DEVICE], 2);
    vk->close(a);
    assert_int_equal(stub->live[STUB_INSTANCE], 1);
    vk->close(b);
    vk->close(NULL);
    assert_nothing_lives();
}

/* The card that was listed is the card that is opened, also if the driver's order changes in between. */
static void the_listed_card_is_opened(void **state)
{
    (void)state;
    stub->device_count = 2;
    struct assay_device_info list[2], gone;
    struct assay_device *device = NULL;
    char note[256];
    size_t count;
    vk->discover(&params, list, 2, &count, note);
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++) stub->uuid[i][0] = (uint8_t)(2 - i);
    stub->props[0].limits.maxComputeWorkGroupSize[0] = 16; /* the second card now stands first */
    OK(vk->open(&params, &list[1], &device, &error));
    struct assay_program *program = NULL;
    FAILS(ASSAY_UNSUPPORTED, "group of 32 in x, the limit is 16", make_mix(device, &program, &error));
    vk->close(device);
    gone = list[1];
    gone.uuid[0] = 77;
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "no Vulkan device 1", vk->open(&params, &gone, &device, &error));
    gone = (struct assay_device_info){.backend = "vulkan", .index = 99};
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "no Vulkan device 99", vk->open(&params, &gone, &device, &error));
    stub->device_count = 0;
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "no Vulkan device 99", vk->open(&params, &gone, &device, &error));
    assert_nothing_lives();
}

static void queue_families(void **state)
{
    (void)state;
    stub->family_count = 3;
    stub->family[0] = (VkQueueFamilyProperties){.queueFlags = VK_QUEUE_TRANSFER_BIT, .queueCount = 1};
    stub->family[1] = (VkQueueFamilyProperties){.queueFlags = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT,
                                                .queueCount = 16};
    stub->family[2] = (VkQueueFamilyProperties){.queueFlags = VK_QUEUE_COMPUTE_BIT, .queueCount = 8};
    struct assay_device *device = open_one(&params);
    assert_int_equal(stub->last_family, 1);
    assert_int_equal(device->info.compute_queues, 24);
    assert_int_equal(stub->live[STUB_QUERY_POOL], 0); /* no valid time-stamp bits: no clock */
    vk->close(device);
}

static void memory_layouts(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        VkMemoryType type[4];
        uint32_t type_bits, want_type;
        uint64_t bytes;
        bool staged, force;
        const char *words; /* of the refusal */
    } table[] = {
        {"integrated", {{LOCAL | VISIBLE | COHERENT, 0}}, ~0u, 0, 4096, false, false, NULL},
        {"large window",
         {{LOCAL, 0}, {VISIBLE | COHERENT, 1}, {LOCAL | VISIBLE | COHERENT, 0}},
         ~0u,
         2,
         GIB / 64,
         false,
         false,
         NULL},
        {"small window, small buffer",
         {{LOCAL, 0}, {VISIBLE | COHERENT, 1}, {LOCAL | VISIBLE | COHERENT, 2}},
         ~0u,
         2,
         4096,
         false,
         false,
         NULL},
        {"small window, large buffer",
         {{LOCAL, 0}, {VISIBLE | COHERENT, 1}, {LOCAL | VISIBLE | COHERENT, 2}},
         ~0u,
         0,
         48 * MIB,
         true,
         false,
         NULL},
        {"no window", {{LOCAL, 0}, {VISIBLE | COHERENT, 1}}, ~0u, 0, 4096, true, false, NULL},
        {"window hidden",
         {{LOCAL, 0}, {VISIBLE | COHERENT, 1}, {LOCAL | VISIBLE | COHERENT, 0}},
         ~0u,
         0,
         4096,
         true,
         true,
         NULL},
        {"one type, window hidden", {{LOCAL | VISIBLE | COHERENT, 0}}, ~0u, 0, 4096, true, true, NULL},
        {"host memory only",
         {{VISIBLE | COHERENT, 1}, {VISIBLE | COHERENT | CACHED, 1}},
         ~0u,
         1,
         4096,
         false,
         false,
         NULL},
        {"types with rules of their own",
         {{LOCAL | LAZY, 0}, {LOCAL, 0}, {VISIBLE | COHERENT, 1}},
         ~0u,
         1,
         4096,
         true,
         false,
         NULL},
        {"a type that buffers exclude",
         {{LOCAL | VISIBLE | COHERENT, 0}, {VISIBLE | COHERENT, 1}},
         2,
         1,
         4096,
         false,
         false,
         NULL},
        {"not coherent",
         {{LOCAL, 0}, {VISIBLE, 1}},
         ~0u,
         0,
         4096,
         false,
         false,
         "no host-visible coherent memory"},
        {"no type fits",
         {{LOCAL, 0}, {VISIBLE | COHERENT, 1}},
         4,
         0,
         4096,
         false,
         false,
         "the buffer cannot live in host-visible memory"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        script_card();
        stub->type_bits = table[i].type_bits;
        memcpy(stub->memory.memoryTypes, table[i].type, sizeof table[i].type);
        stub->memory.memoryTypeCount = 0;
        while (stub->memory.memoryTypeCount < 4 && table[i].type[stub->memory.memoryTypeCount].propertyFlags)
            stub->memory.memoryTypeCount++;
        struct assay_driver_params with = params;
        with.vulkan_staging = table[i].force;
        struct assay_device_info info = discover_one();
        struct assay_device *device = NULL;
        struct assay_buffer *buffer = NULL;
        struct assay_error error = {0};
        enum assay_status status = vk->open(&with, &info, &device, &error);
        if (status == ASSAY_OK) status = vk->buffer_create(device, table[i].bytes, &buffer, &error);
        if (table[i].words) {
            assert_int_equal(status, ASSAY_DEVICE_UNSUPPORTED);
            if (!strstr(error.text, table[i].words)) fail_msg("%s: '%s'", table[i].what, error.text);
        } else {
            if (status != ASSAY_OK) fail_msg("%s: %s", table[i].what, error.text);
            if (stub->last_type != table[i].want_type)
                fail_msg("%s: type %u", table[i].what, stub->last_type);
            char data[64], back[64] = "";
            memset(data, 0x5a, sizeof data);
            OK(vk->write(device, buffer, 100, data, sizeof data, &error));
            if (stub->copies != (table[i].staged ? 1 : 0))
                fail_msg("%s: %u copies", table[i].what, stub->copies);
            OK(vk->read(device, buffer, 100, back, sizeof back, &error));
            assert_memory_equal(data, back, sizeof data);
        }
        vk->close(device);
        assert_nothing_lives();
    }
}

static void staging_in_chunks(void **state)
{
    (void)state;
    stub->memory.memoryTypeCount = 2; /* no window */
    struct assay_device *device = open_one(&params);
    struct assay_buffer *buffer = NULL;
    const size_t bytes = 65 * MIB;
    OK(vk->buffer_create(device, bytes, &buffer, &error));
    uint32_t *data = malloc(bytes), *back = calloc(1, bytes);
    for (size_t i = 0; i < bytes / 4; i++) data[i] = (uint32_t)i * 2654435761u;
    OK(vk->write(device, buffer, 0, data, bytes, &error));
    assert_int_equal(stub->copies, 2);
    OK(vk->read(device, buffer, 0, back, bytes, &error));
    assert_int_equal(memcmp(data, back, bytes), 0);
    assert_int_equal(stub->live[STUB_BUFFER], 2);
    assert_true(device->allocated_bytes == bytes);
    free(back);
    free(data);
    vk->close(device);
    assert_nothing_lives();
}

/* A card's mapped memory is not read word by word across the bus. */
static void long_reads_of_a_window_are_staged(void **state)
{
    (void)state;
    stub->memory.memoryTypes[2].heapIndex = 0;
    struct assay_device *device = open_one(&params);
    struct assay_buffer *buffer = NULL;
    static char data[MIB], back[MIB];
    memset(data, 7, sizeof data);
    OK(vk->buffer_create(device, sizeof data, &buffer, &error));
    OK(vk->write(device, buffer, 0, data, sizeof data, &error));
    assert_int_equal(stub->copies, 0);
    OK(vk->read(device, buffer, 0, back, sizeof back, &error));
    assert_int_equal(stub->copies, 1);
    assert_memory_equal(data, back, sizeof data);
    vk->close(device);
}

static void buffers(void **state)
{
    (void)state;
    struct assay_device *device = open_one(&params);
    struct assay_buffer *a = NULL, *b = NULL, *c = NULL, *none = NULL;
    char data[8] = "";
    OK(vk->buffer_create(device, 0, &a, &error));
    assert_true(stub->last_allocation == 4);
    OK(vk->buffer_create(device, 1001, &b, &error));
    OK(vk->buffer_create(device, 5000, &c, &error));
    assert_true(device->allocated_bytes == 4 + 1001 + 5000);
    vk->buffer_destroy(device, b);
    vk->buffer_destroy(device, NULL);
    assert_true(device->allocated_bytes == 4 + 5000);
    FAILS(ASSAY_INVALID_INPUT, "past the end", vk->write(device, a, 0, data, 5, &error));
    FAILS(ASSAY_INVALID_INPUT, "past the end", vk->read(device, c, UINT64_MAX, data, 2, &error));
    FAILS(ASSAY_INVALID_INPUT, "past the end", vk->read(device, c, 5001, data, 0, &error));
    OK(vk->read(device, c, 5000, data, 0, &error));

    stub->no_memory_bytes = 123456792; /* as rounded to words */
    FAILS(ASSAY_OUT_OF_MEMORY, "123456789 bytes", vk->buffer_create(device, 123456789, &none, &error));
    FAILS(ASSAY_OUT_OF_MEMORY, "13958643712 bytes", vk->buffer_create(device, 13 * GIB, &none, &error));
    FAILS(ASSAY_UNSUPPORTED, "the limit of one allocation is 4294967296",
          vk->buffer_create(device, 5 * GIB, &none, &error));
    FAILS(ASSAY_OUT_OF_MEMORY, "18446744073709551615 bytes",
          vk->buffer_create(device, UINT64_MAX, &none, &error));
    assert_null(none);
    OK(vk->write(device, a, 0, data, 4, &error)); /* none of this spoils the handle */
    vk->close(device);
    assert_nothing_lives();
}

/* ---- D15, D16, D18, D19: programs and submissions ---- */

static void submissions(void **state)
{
    (void)state;
    struct assay_device *device = open_one(&params);
    struct assay_buffer *buffer = NULL;
    struct assay_program *program = NULL;
    uint64_t ns = 1;
    OK(vk->buffer_create(device, 1024, &buffer, &error));
    OK(make_mix(device, &program, &error));
    static struct assay_dispatch dispatch[3000];
    for (int i = 0; i < 3000; i++)
        dispatch[i] = (struct assay_dispatch){.program = program,
                                              .binding = {{.buffer = buffer}, {buffer, 256 * (i % 4), 0}},
                                              .groups = {1, 1, 1}};
    FAILS(ASSAY_INVALID_INPUT, "wait without a submission", vk->wait(device, 0, &ns, &error));
    FAILS(ASSAY_INVALID_INPUT, "no dispatches", vk->submit(device, dispatch, 0, &error));
    OK(vk->submit(device, dispatch, 3000, &error));
    assert_int_equal(stub->sets, 4); /* bindings that repeat share a set */
    assert_int_equal(stub->dispatches, 3000);
    assert_int_equal(stub->barriers, 2999);
    FAILS(ASSAY_INVALID_INPUT, "submission already in flight", vk->submit(device, dispatch, 1, &error));
    FAILS(ASSAY_INVALID_INPUT, "in flight", vk->read(device, buffer, 0, &ns, 4, &error));
    stub->endless = VK_TRUE;
    FAILS(ASSAY_TIMEOUT, "1000 ns", vk->wait(device, 1000, &ns, &error));
    stub->endless = VK_FALSE;
    OK(vk->wait(device, 1000, &ns, &error));
    assert_int_equal(ns, 512); /* 256 ticks of 2 ns, across the wrap of a 36-bit counter */

    struct assay_dispatch bad = dispatch[0];
    bad.groups[2] = 65536;
    FAILS(ASSAY_UNSUPPORTED, "65536 groups in z, the limit is 65535", vk->submit(device, &bad, 1, &error));
    bad = dispatch[0];
    bad.groups[0] = 0;
    stub->dispatches = 0;
    OK(vk->submit(device, &bad, 1, &error));
    OK(vk->wait(device, 0, NULL, &error));
    assert_int_equal(stub->dispatches, 0);

    /* Work that never ends: close leaves the driver's objects alone, as they are in use. */
    OK(vk->submit(device, dispatch, 1, &error));
    stub->endless = VK_TRUE;
    vk->program_destroy(device, program);
    vk->buffer_destroy(device, buffer);
    assert_int_equal(stub->live[STUB_PIPELINE], 1);
    stub->endless = VK_FALSE;
    vk->close(device);
    assert_nothing_lives();
}

static void programs(void **state)
{
    (void)state;
    struct assay_device *device = open_one(&params);
    struct assay_program *program = NULL;
    static const uint32_t noise[8] = {1, 2, 3};
    const struct {
        struct assay_code code;
        uint32_t controls;
        enum assay_status status;
        const char *words;
    } table[] = {
        {{.kind = ASSAY_CODE_CUBIN, .name = "foreign", .data = noise, .end = noise + 8},
         0,
         ASSAY_DEVICE_UNSUPPORTED,
         "foreign has no SPIR-V"},
        {{.kind = ASSAY_CODE_SPIRV, .name = "empty"}, 0, ASSAY_DEVICE_UNSUPPORTED, "empty has no SPIR-V"},
        {{.kind = ASSAY_CODE_SPIRV, .name = "noise", .data = noise, .end = noise + 8},
         0,
         ASSAY_INVALID_INPUT,
         "noise is no SPIR-V"},
        {{.kind = ASSAY_CODE_SPIRV,
          .name = "cut",
          .data = vulkan_mix_words,
          .end = (const char *)vulkan_mix_words + 16},
         0,
         ASSAY_INVALID_INPUT,
         "cut is no SPIR-V"},
        {{.kind = ASSAY_CODE_SPIRV,
          .name = "odd",
          .data = vulkan_mix_words,
          .end = (const char *)vulkan_mix_words + 1001},
         0,
         ASSAY_INVALID_INPUT,
         "odd is no SPIR-V"},
        {{.kind = ASSAY_CODE_SPIRV,
          .name = "keeps",
          .data = vulkan_mix_words,
          .end = (const char *)vulkan_mix_words + sizeof vulkan_mix_words},
         ASSAY_CTRL_DENORM,
         ASSAY_DEVICE_UNSUPPORTED,
         "DenormPreserve"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct assay_program_params how = {
            .codes = &table[i].code, .code_count = 1, .group = {1, 1, 1}, .controls = table[i].controls};
        FAILS(table[i].status, table[i].words, vk->program_create(device, &how, &program, &error));
        assert_null(program);
    }
    const struct assay_program_params nothing = {.group = {1, 1, 1}};
    FAILS(ASSAY_DEVICE_UNSUPPORTED, "without code", vk->program_create(device, &nothing, &program, &error));
    vk->program_destroy(device, NULL);
    vk->close(device);
    assert_nothing_lives();
}

static void limits(void **state)
{
    (void)state;
    struct assay_driver_params with = {.vulkan_lib = STUB_PATH, .max_binding_bytes = 1024};
    struct assay_device_info info;
    struct assay_device *device = NULL;
    struct assay_buffer *buffer = NULL;
    struct assay_program *program = NULL;
    char note[256];
    size_t count;
    vk->discover(&with, &info, 1, &count, note);
    assert_true(info.limits.binding_bytes == 1024);
    OK(vk->open(&with, &info, &device, &error));
    OK(vk->buffer_create(device, 4096, &buffer, &error));
    OK(make_mix(device, &program, &error));
    struct assay_dispatch dispatch = {
        .program = program, .binding = {{buffer, 0, 1024}, {buffer, 1024, 0}}, .groups = {1, 1, 1}};
    FAILS(ASSAY_UNSUPPORTED, "3072 bytes, the storage-binding limit is 1024",
          vk->submit(device, &dispatch, 1, &error));
    dispatch.binding[1].bytes = 1024;
    OK(vk->submit(device, &dispatch, 1, &error));
    OK(vk->wait(device, 0, NULL, &error));
    vk->close(device);
}

static long resident_bytes(void)
{
    long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

static void many_cycles(void **state)
{
    (void)state;
    long settled = 0;
    for (int i = 0; i < 200; i++) {
        struct assay_error error = {0};
        if (whole_life(&error) != ASSAY_OK) fail_msg("%s", error.text);
        assert_nothing_lives();
        if (i == 20) settled = resident_bytes();
    }
    /* Memory checkers keep freed memory for a while. */
#if !defined ASSAY_BUILD_SANITIZER && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    assert_true(resident_bytes() - settled < (long)MIB);
#else
    (void)settled;
#endif
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    const struct CMUnitTest tests[] = {
        TEST(entry_points_missing),
        TEST(calls_failing),
        TEST(loader_names),
        TEST(no_loader),
        TEST(devices_described),
        TEST(odd_devices),
        TEST(lists),
        TEST(opens_share_an_instance),
        TEST(the_listed_card_is_opened),
        TEST(queue_families),
        TEST(memory_layouts),
        TEST(staging_in_chunks),
        TEST(long_reads_of_a_window_are_staged),
        TEST(buffers),
        TEST(submissions),
        TEST(programs),
        TEST(limits),
        TEST(many_cycles),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
