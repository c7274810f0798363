/* The kernel's view of cards over trees of the test's own (row D08), and what the management library adds to the key of a
 * card: firmware, MIG, vGPU. */
#include "devices/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64];

static int setup(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/assay-test-XXXXXX");
    return mkdtemp(root) == NULL;
}

static int teardown(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

/* Make every folder of a path below root. */
static void folders(const char *path)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *c = whole + strlen(root) + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(whole, 0777);
            *c = '/';
        }
    mkdir(whole, 0777);
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s/%s", root, folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\n", text);
    fclose(file);
}

/* A card as the kernel lays it out: the PCI device in a folder of its own, class/drm linking to it. */
static void card(int number, const char *pci, const char *driver, const char *vendor, const char *device,
                 const char *vram)
{
    char folder[128], link[600], target[600];
    snprintf(folder, sizeof folder, "devices/pci0000:00/%s", pci);
    folders(folder);
    put(folder, "vendor", vendor);
    put(folder, "device", device);
    put(folder, "numa_node", "1");
    if (vram) {
        put(folder, "mem_info_vram_total", vram);
        put(folder, "mem_info_gtt_total", "16777216000");
        put(folder, "vbios_version", "113-D7020100-102");
    }
    snprintf(target, sizeof target, "%s/bus/pci/drivers/%s", root, driver);
    folders("bus/pci/devices");
    snprintf(link, sizeof link, "%s/%s/driver", root, folder);
    assert_int_equal(symlink(target, link), 0);
    snprintf(target, sizeof target, "../../../devices/pci0000:00/%s", pci);
    snprintf(link, sizeof link, "%s/bus/pci/devices/%s", root, pci);
    assert_int_equal(symlink(target, link), 0);
    if (number < 0) return;
    snprintf(folder, sizeof folder, "class/drm/card%d", number);
    folders(folder);
    snprintf(target, sizeof target, "../../../devices/pci0000:00/%s", pci);
    snprintf(link, sizeof link, "%s/%s/device", root, folder);
    assert_int_equal(symlink(target, link), 0);
}

static const struct assay_sysfs *match(const struct assay_sysfs *list, size_t count, const char *pci,
                                       uint32_t device)
{
    static struct assay_sysfs other;
    return assay_sysfs_match(root, list, count, pci, 0x1002, device, &other);
}

/* Exact values; two cards of one kind told apart; connectors and cards without a PCI device are no cards. */
static void cards(void **state)
{
    (void)state;
    struct assay_sysfs list[8];
    card(10, "0000:43:00.0", "amdgpu", "0x1002", "0x73bf", "17163091968");
    card(1, "0000:1B:00.0", "amdgpu", "0x1002", "0x73bf", "17163091967");
    card(2, "0000:05:00.0", "amdgpu", "0x1002", "0x15d8", NULL);
    folders("class/drm/card1-DP-1/device");
    folders("class/drm/card7");
    folders("class/drm/renderD128/device");
    folders("class/drm/version/device");
    size_t count = assay_sysfs_read(root, list, 8);
    assert_int_equal(count, 3);
    assert_string_equal(list[0].card, "card1");
    assert_string_equal(list[1].card, "card2");
    assert_string_equal(list[2].card, "card10");
    assert_string_equal(list[0].driver, "amdgpu");
    assert_string_equal(list[0].pci, "0000:1b:00.0");
    assert_string_equal(list[0].vbios, "113-D7020100-102");
    assert_int_equal(list[0].vendor_id, 0x1002);
    assert_int_equal(list[0].device_id, 0x73bf);
    assert_true(list[0].has_vram && list[0].vram_bytes == 17163091967u);
    assert_true(list[0].has_gtt && list[0].gtt_bytes == 16777216000u);
    assert_true(list[0].has_numa && list[0].numa_node == 1);
    assert_false(list[1].has_vram || list[1].has_gtt); /* an absent file is "not known", not 0 */

    /* Two equal cards: each gets its own record by address, and without an address neither does. */
    assert_ptr_equal(match(list, count, "0000:1b:00.0", 0x73bf), &list[0]);
    assert_ptr_equal(match(list, count, "0000:43:00.0", 0x73bf), &list[2]);
    assert_null(match(list, count, "", 0x73bf));
    assert_ptr_equal(match(list, count, "", 0x15d8), &list[1]);
    assert_null(match(list, count, "0000:99:00.0", 0x73bf));
    assert_null(match(list, count, "../../etc", 0x73bf));
    assert_int_equal(assay_sysfs_read(root, list, 2), 2);
}

/* No class/drm at all, and files that are no numbers. */
static void nothing_there(void **state)
{
    (void)state;
    struct assay_sysfs list[8];
    assert_int_equal(assay_sysfs_read(root, list, 8), 0);
    assert_int_equal(assay_sysfs_read("/nonexistent", list, 8), 0);
    card(0, "0000:1b:00.0", "amdgpu", "many", "", "-3");
    assert_int_equal(assay_sysfs_read(root, list, 8), 1);
    assert_int_equal(list[0].vendor_id, 0);
    assert_false(list[0].has_vram);
}

/* A compute card without a display driver has no entry in class/drm; bus/pci knows it all the same. */
static void without_display(void **state)
{
    (void)state;
    struct assay_sysfs list[8], other;
    card(-1, "0000:1b:00.0", "nvidia", "0x10de", "0x2335", NULL);
    assert_int_equal(assay_sysfs_read(root, list, 8), 0);
    const struct assay_sysfs *found =
        assay_sysfs_match(root, list, 0, "0000:1b:00.0", 0x10de, 0x2335, &other);
    assert_ptr_equal(found, &other);
    assert_string_equal(other.driver, "nvidia");
    assert_string_equal(other.card, "");
    assert_int_equal(other.device_id, 0x2335);
    assert_true(other.has_numa);
}

static void two_discover(const struct assay_driver_params *params, struct assay_device_info *list, size_t cap,
                         size_t *count, char note[256])
{
    (void)params, (void)cap, (void)note;
    for (uint32_t i = 0; i < 3; i++) {
        list[i] = (struct assay_device_info){.index = i,
                                             .name = "NVIDIA H200",
                                             .vendor_id = 0x10de,
                                             .device_id = 0x2335,
                                             .kind = ASSAY_KIND_DISCRETE,
                                             .usable = true};
        snprintf(list[i].pci, sizeof list[i].pci, "0000:%02x:00.0", 0x1b + i);
    }
    snprintf(list[2].name, sizeof list[2].name, "NVIDIA H200 MIG 1g.18gb");
    *count = 3;
}

static const char *string(const json_t *device, const char *field)
{
    const char *text = json_string_value(json_object_get(device, field));
    return text ? text : "";
}

/* Discovery joins it all: every device its own card, firmware and partition; JSON with null for what is not known. */
static void in_discovery(void **state)
{
    (void)state;
    static const struct assay_backend two = {.name = "two", .discover = two_discover};
    static const struct assay_backend *const backends[] = {&two, NULL};
    const struct assay_driver_params params = {.sysfs_root = root,
                                               .nvml_lib = TEST_BUILD "/tests/stub_nvml.so"};
    const struct assay_driver_params without = {.sysfs_root = root, .nvml_lib = "none"};
    struct assay_device_list *list = malloc(sizeof *list);
    card(0, "0000:1b:00.0", "nvidia", "0x10de", "0x2335", NULL);
    card(1, "0000:1c:00.0", "nvidia", "0x10de", "0x2335", "1000");
    assay_discover(&params, backends, list);
    char *text = assay_devices_json(list);
    json_t *json = json_loads(text, 0, NULL), *devices = json_object_get(json, "devices");
    json_t *first = json_array_get(devices, 0), *second = json_array_get(devices, 1),
           *third = json_array_get(devices, 2), *sysfs = json_object_get(first, "sysfs");
    assert_string_equal(string(sysfs, "card"), "card0");
    assert_string_equal(string(sysfs, "pci"), "0000:1b:00.0");
    assert_string_equal(string(sysfs, "driver"), "nvidia");
    assert_true(json_is_null(json_object_get(sysfs, "vram_bytes")));
    assert_int_equal(json_integer_value(json_object_get(sysfs, "numa_node")), 1);
    assert_string_equal(string(json_object_get(second, "sysfs"), "card"), "card1");
    assert_int_equal(json_integer_value(json_object_get(json_object_get(second, "sysfs"), "vram_bytes")),
                     1000);
    assert_true(json_is_null(json_object_get(third, "sysfs")));
    assert_string_equal(string(first, "vbios"), "96.00.CD.00.01");
    assert_true(json_is_null(json_object_get(first, "partition")));
    assert_string_equal(string(second, "partition"), "vgpu");
    assert_string_equal(string(third, "partition"), "mig 1g.18gb");
    assert_non_null(strstr(string(third, "key"), "+mig 1g.18gb"));
    json_decref(json);
    free(text);
    assay_discover(&without, backends, list);
    assert_string_equal(list->device[0].vbios, "");
    assert_string_equal(list->device[1].vbios, "113-D7020100-102"); /* the kernel's word where there is one */
    assert_string_equal(list->device[1].partition, "");
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cards, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_there, setup, teardown),
        cmocka_unit_test_setup_teardown(without_display, setup, teardown),
        cmocka_unit_test_setup_teardown(in_discovery, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
