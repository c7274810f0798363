/* The registry with backends of the test's own: order and numbers, notes, duplicates, selection, names, JSON, and the
 * lock of a card. */
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
#include <sys/wait.h>
#include <unistd.h>

#define CARD_UUID                                                                                            \
    {                                                                                                        \
        0xab, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15                                              \
    }
#define CARD_TEXT "ab010203-0405-0607-0809-0a0b0c0d0e0f"

static void two_discover(const struct assay_driver_params *params, struct assay_device_info *list, size_t cap,
                         size_t *count, char note[256])
{
    assert_non_null(params);
    assert_true(cap >= 2);
    note[0] = '\0';
    list[0] = (struct assay_device_info){.name = "Say \"A\\B\"\n",
                                         .vendor_id = 0x1002,
                                         .device_id = 7,
                                         .kind = ASSAY_KIND_INTEGRATED,
                                         .api = "1.3.0",
                                         .usable = true,
                                         .device_local_bytes = 2ull << 30,
                                         .host_visible_device_local = true,
                                         .compute_queues = 3};
    list[1] = (struct assay_device_info){.index = 1,
                                         .name = "card\xff\xc3\xa9",
                                         .vendor_id = 0x10de,
                                         .kind = ASSAY_KIND_DISCRETE,
                                         .usable = true,
                                         .uuid = CARD_UUID,
                                         .has_uuid = true,
                                         .pci = "0000:1b:00.0",
                                         .device_local_bytes = 24ull << 30,
                                         .limits = {.binding_bytes = UINT64_MAX, .groups = {1, 2, 3}}};
    *count = 2;
}

static void failing_discover(const struct assay_driver_params *params, struct assay_device_info *list,
                             size_t cap, size_t *count, char note[256])
{
    (void)params, (void)list, (void)cap;
    *count = 0;
    snprintf(note, 256, "vkCreateInstance failed (-9)");
}

/* The same card as "two" lists, and again, as when a driver's manifest is installed twice; and a software renderer. */
static void cuda_discover(const struct assay_driver_params *params, struct assay_device_info *list,
                          size_t cap, size_t *count, char note[256])
{
    (void)params, (void)cap, (void)note;
    *count = 4;
    for (uint32_t i = 0; i < 4; i++)
        list[i] = (struct assay_device_info){.index = i,
                                             .name = "card",
                                             .kind = ASSAY_KIND_DISCRETE,
                                             .usable = true,
                                             .uuid = CARD_UUID,
                                             .has_uuid = true,
                                             .pci = "0000:1b:00.0",
                                             .device_local_bytes = 24ull << 30};
    snprintf(list[2].pci, sizeof list[2].pci,
             "0000:1c:00.0"); /* a slice of a card may share its UUID's look */
    list[3].uuid[0] = 1;
    list[3].software = true;
    list[3].usable = false;
    snprintf(list[3].why, sizeof list[3].why, "software renderer \"x\"");
}

static void greedy_discover(const struct assay_driver_params *params, struct assay_device_info *list,
                            size_t cap, size_t *count, char note[256])
{
    (void)params;
    for (uint32_t i = 0; i < cap; i++)
        list[i] = (struct assay_device_info){.index = i, .name = "g", .kind = ASSAY_KIND_OTHER};
    *count = cap + 5; /* a lie */
    memset(note, 'n', 256);
}

static const struct assay_backend two = {.name = "two", .discover = two_discover},
                                  failing = {.name = "failing", .discover = failing_discover},
                                  cuda = {.name = "cuda", .discover = cuda_discover},
                                  greedy = {.name = "greedy", .discover = greedy_discover};

static const struct assay_backend *const usual[] = {&two, &failing, &cuda, NULL};

static void backends_are_joined(void **state)
{
    (void)state;
    struct assay_device_list list;
    assay_discover(NULL, usual, &list);
    assert_int_equal(list.count, 6);
    for (uint32_t i = 0; i < list.count; i++) assert_int_equal(list.device[i].list_index, i);
    assert_string_equal(list.device[1].backend, "two");
    assert_string_equal(list.device[2].backend, "cuda");
    assert_int_equal(list.note_count, 1);
    assert_string_equal(list.note[0].backend, "failing");
    assert_string_equal(list.note[0].text, "vkCreateInstance failed (-9)");
}

static void a_backend_may_fill_the_list(void **state)
{
    (void)state;
    struct assay_device_list list;
    const struct assay_backend *const alone[] = {&two, &greedy, &failing, NULL};
    assay_discover(NULL, alone, &list);
    assert_int_equal(list.count, ASSAY_DEVICES_MAX);
    assert_int_equal(strlen(list.note[0].text), 255);
    assert_int_equal(list.note_count, 2);
}

static void duplicates_are_marked(void **state)
{
    (void)state;
    struct assay_device_list list;
    assay_discover(NULL, usual, &list);
    const bool want[] = {false, false, false, true, false, false};
    for (size_t i = 0; i < list.count; i++) assert_int_equal(list.device[i].duplicate, want[i]);
}

static void selection(void **state)
{
    (void)state;
    struct assay_device_list list;
    assay_discover(NULL, usual, &list);
    const struct {
        const char *selector;
        uint32_t index;
    } good[] = {
        {"0", 0},
        {"5", 5},
        {"two:0", 0},
        {"two:1", 1},
        {"cuda:1", 3},
        {"cuda", 2},
        {"CUDA:0", 2},
        {CARD_TEXT, 2}, /* CUDA before other backends, and not the duplicate */
        {"AB010203-0405-0607-0809-0A0B0C0D0E0F", 2},
        {"GPU-" CARD_TEXT, 2},
        {"0000:1b:00.0", 2},
        {"0000:1B:00.0", 2},
        {"00000000:1B:00.0", 2},
        {"1b:00.0", 2},
        {"0000:1c:00.0", 4},
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const struct assay_device_info *info = NULL;
        struct assay_error error = {0};
        if (assay_device_find(&list, good[i].selector, &info, &error) != ASSAY_OK)
            fail_msg("%s: %s", good[i].selector, error.text);
        if (info->list_index != good[i].index) fail_msg("%s gives %u", good[i].selector, info->list_index);
    }
    const char *const bad[] = {"6",
                               "99",
                               "",
                               "-1",
                               "1x",
                               "two:",
                               "two:x",
                               "two:2",
                               "vulkan",
                               "cuda:4",
                               " 1",
                               "0x1",
                               "1.0",
                               "18446744073709551616",
                               "cuda:4294967296",
                               "1b:00.1",
                               CARD_TEXT "0",
                               "cudax",
                               "two:-1",
                               "GPU-"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const struct assay_device_info *info = (void *)1;
        struct assay_error error = {0};
        assert_int_equal(assay_device_find(&list, bad[i], &info, &error), ASSAY_DEVICE_UNSUPPORTED);
        assert_null(info);
        char quoted[64];
        snprintf(quoted, sizeof quoted, "'%s'", bad[i]);
        assert_non_null(strstr(error.text, quoted));
        assert_non_null(strstr(error.text, "two:1"));
        assert_non_null(strstr(error.text, "cuda:3"));
    }

    struct assay_device_list empty = {0};
    const struct assay_device_info *info;
    struct assay_error error = {0};
    assert_int_equal(assay_device_find(&empty, "0", &info, &error), ASSAY_DEVICE_UNSUPPORTED);
    assert_non_null(strstr(error.text, "none"));
    const struct assay_backend *const many[] = {&greedy, NULL};
    assay_discover(NULL, many, &list);
    assert_int_equal(assay_device_find(&list, "64", &info, &error), ASSAY_DEVICE_UNSUPPORTED);
    assert_non_null(strstr(error.text, "..."));
}

static void the_real_backends(void **state)
{
    (void)state;
    struct assay_driver_params params = {.vulkan_lib = "none", .cuda_lib = "none"};
    struct assay_device_list list;
    assay_discover(&params, NULL, &list);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.device[0].backend, "cpu");
    assert_int_equal(list.note_count, 2);
    assert_string_equal(list.note[0].backend, "vulkan");
    assert_string_equal(list.note[1].backend, "cuda");
    const struct assay_device_info *info;
    struct assay_error error = {0};
    assert_int_equal(assay_device_find(&list, "cpu", &info, &error), ASSAY_OK);
    struct assay_device *device = NULL;
    assert_int_equal(assay_device_open(&params, info, &device, &error), ASSAY_OK);
    assay_device_close(device);
    struct assay_device_info strange = *info;
    strange.backend = "abacus";
    assert_int_equal(assay_device_open(&params, &strange, &device, &error), ASSAY_DEVICE_UNSUPPORTED);
    assert_non_null(strstr(error.text, "abacus"));
    assert_null(device);
}

static void names(void **state)
{
    (void)state;
    const struct {
        uint32_t id;
        const char *text;
    } vendors[] = {
        {0x1002, "AMD (0x1002)"},      {0x10de, "NVIDIA (0x10de)"},
        {0x8086, "Intel (0x8086)"},    {0x13b5, "Arm (0x13b5)"},
        {0x5143, "Qualcomm (0x5143)"}, {0x106b, "Apple (0x106b)"},
        {0x10005, "Mesa (0x10005)"},   {0x1234, "unknown (0x1234)"},
        {0, "unknown (0x0000)"},       {UINT32_MAX, "unknown (0xffffffff)"},
    };
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++) {
        char text[48];
        assert_string_equal(assay_vendor_text(vendors[i].id, text), vendors[i].text);
    }
    const char *const kinds[] = {"other", "integrated", "discrete", "virtual", "cpu", "remote"};
    for (int i = 0; i < 6; i++)
        assert_string_equal(assay_device_kind_name((enum assay_device_kind)i), kinds[i]);
    assert_string_equal(assay_device_kind_name((enum assay_device_kind)60), "other");

    struct assay_device_info info = {.backend = "vulkan", .index = UINT32_MAX, .pci = "0000:01:00.0"};
    char label[24], key[384];
    assert_string_equal(assay_device_label(&info, label), "vulkan:4294967295");
    memset(info.name, 'n', 256);
    assay_device_key(&info, key);
    assert_int_equal(strlen(key), strlen("vulkan/0000:01:00.0/") + 256);
    info.has_uuid = true;
    memcpy(info.uuid, (uint8_t[])CARD_UUID, 16);
    assert_string_equal(assay_device_key(&info, key), CARD_TEXT);
    snprintf(info.partition, sizeof info.partition, "mig 1g.10gb"); /* a part of a card is another device */
    assert_string_equal(assay_device_key(&info, key), CARD_TEXT "+mig 1g.10gb");
}

static void json(void **state)
{
    (void)state;
    struct assay_device_list list;
    assay_discover(NULL, usual, &list);
    char *text = assay_devices_json(&list);
    assert_non_null(text);
    json_error_t problem;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    if (!root) fail_msg("%s", problem.text);
    json_t *devices = json_object_get(root, "devices"), *first = json_array_get(devices, 0);
    assert_int_equal(json_array_size(devices), 6);
    const struct {
        const char *key;
        json_type type;
    } keys[] = {
        {"backend", JSON_STRING},
        {"index", JSON_INTEGER},
        {"label", JSON_STRING},
        {"backend_index", JSON_INTEGER},
        {"key", JSON_STRING},
        {"name", JSON_STRING},
        {"vendor", JSON_STRING},
        {"vendor_id", JSON_INTEGER},
        {"device_id", JSON_INTEGER},
        {"kind", JSON_STRING},
        {"api", JSON_STRING},
        {"driver", JSON_STRING},
        {"uuid", JSON_NULL},
        {"pci", JSON_NULL},
        {"device_local_bytes", JSON_INTEGER},
        {"host_visible_device_local", JSON_TRUE},
        {"compute_queues", JSON_INTEGER},
        {"compute_units", JSON_INTEGER},
        {"count", JSON_INTEGER},
        {"usd_per_hour", JSON_NULL},
        {"usable", JSON_TRUE},
        {"software", JSON_FALSE},
        {"duplicate", JSON_FALSE},
        {"why", JSON_STRING},
        {"limits", JSON_OBJECT},
        {"vbios", JSON_NULL},
        {"partition", JSON_NULL},
        {"sysfs", JSON_NULL},
    };
    assert_int_equal(json_object_size(first), sizeof keys / sizeof keys[0]);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_t *value = json_object_get(first, keys[i].key);
        if (!value || json_typeof(value) != keys[i].type) fail_msg("key %s", keys[i].key);
    }
    assert_string_equal(json_string_value(json_object_get(first, "name")), "Say \"A\\B\"\n");
    assert_string_equal(json_string_value(json_object_get(first, "vendor")), "AMD (0x1002)");
    assert_string_equal(json_string_value(json_object_get(first, "label")), "two:0");
    assert_int_equal(json_integer_value(json_object_get(first, "device_local_bytes")), 2ll << 30);

    json_t *second = json_array_get(devices, 1), *limits = json_object_get(second, "limits");
    assert_string_equal(json_string_value(json_object_get(second, "name")), "card???");
    assert_string_equal(json_string_value(json_object_get(second, "uuid")), CARD_TEXT);
    assert_string_equal(json_string_value(json_object_get(second, "pci")), "0000:1b:00.0");
    assert_true(json_integer_value(json_object_get(limits, "binding_bytes")) == INT64_MAX);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(limits, "groups"), 2)), 3);
    assert_true(json_is_true(json_object_get(json_array_get(devices, 3), "duplicate")));
    assert_string_equal(json_string_value(json_object_get(json_array_get(devices, 5), "why")),
                        "software renderer \"x\"");

    /* Discrete before integrated, in each by memory, then as listed; no software, no duplicate. */
    json_t *selected = json_object_get(root, "selected");
    const int want[] = {1, 2, 4, 0};
    assert_int_equal(json_array_size(selected), 4);
    for (size_t i = 0; i < 4; i++) assert_int_equal(json_integer_value(json_array_get(selected, i)), want[i]);

    json_t *notes = json_object_get(root, "notes");
    assert_int_equal(json_array_size(notes), 1);
    assert_string_equal(json_string_value(json_array_get(notes, 0)), "failing: vkCreateInstance failed (-9)");
    json_decref(root);
    free(text);
}

static void card_lock(void **state)
{
    (void)state;
    char dir[] = "/tmp/assay-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    struct assay_card_lock *a = NULL, *b = NULL, *none = NULL;
    struct assay_error error = {0};
    assert_int_equal(assay_card_lock_take(dir, "0000:1b:00.0", false, &a, &error), ASSAY_OK);
    assert_int_equal(assay_card_lock_take(dir, "0000:1B:00.0", false, &b, &error), ASSAY_TIMEOUT);
    assert_null(b);
    assert_non_null(strstr(error.text, "0000:1b:00.0"));
    assert_int_equal(assay_card_lock_take(dir, "0000:1c:00.0", false, &b, &error), ASSAY_OK);
    assay_card_lock_release(b);
    for (int i = 0; i < 2; i++) { /* without an address: excludes nothing */
        assert_int_equal(assay_card_lock_take(dir, i ? "" : NULL, false, &none, &error), ASSAY_OK);
        assert_non_null(none);
        assay_card_lock_release(none);
    }

    /* Another process waits until it is free, and its death frees it. */
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct assay_card_lock *mine = NULL;
        char byte = assay_card_lock_take(dir, "0000:1b:00.0", true, &mine, NULL) == ASSAY_OK ? 'y' : 'n';
        _exit(write(ready[1], &byte, 1) == 1 && byte == 'y' ? 0 : 1);
    }
    usleep(30000);
    int status;
    assert_int_equal(waitpid(child, &status, WNOHANG), 0);
    assay_card_lock_release(a);
    char byte = 0;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 'y');
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(ready[0]);
    close(ready[1]);
    assert_int_equal(assay_card_lock_take(dir, "0000:1b:00.0", false, &a, &error), ASSAY_OK);
    assay_card_lock_release(a);

    assert_int_equal(assay_card_lock_take(dir, "../../etc/x", false, &a, &error), ASSAY_INVALID_INPUT);
    assert_int_equal(assay_card_lock_take("/nonexistent", "0000:1b:00.0", false, &a, &error), ASSAY_IO);
    assert_null(a);
    assay_card_lock_release(NULL);
    char path[64];
    for (char c = 'b'; c <= 'c'; c++) {
        snprintf(path, sizeof path, "%s/assay-0000:1%c:00.0.lock", dir, c);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backends_are_joined),
        cmocka_unit_test(a_backend_may_fill_the_list),
        cmocka_unit_test(duplicates_are_marked),
        cmocka_unit_test(selection),
        cmocka_unit_test(the_real_backends),
        cmocka_unit_test(names),
        cmocka_unit_test(json),
        cmocka_unit_test(card_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
