/* Rented GPUs (row D22): read from a list, with count, memory and price; listed and never used. */
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
#include <unistd.h>

static const char flavours[] =
    "[{\"name\": \"cpu-basic\", \"accelerator\": null, \"unitCostUSD\": 0.0001, \"unitLabel\": \"minute\"},"
    " {\"name\": \"h200x8\", \"prettyName\": \"8x Nvidia H200\", \"cpu\": \"184 vCPU\", \"accelerator\": "
    "{\"type\":"
    " \"gpu\", \"model\": \"H200\", \"quantity\": \"8\", \"vram\": \"1128 GB\", \"manufacturer\": "
    "\"Nvidia\"},"
    " \"unitCostUSD\": 0.6666667, \"unitLabel\": \"minute\"},"
    " {\"name\": \"t4-small\", \"accelerator\": {\"type\": \"gpu\", \"model\": \"T4\", \"quantity\": 1, "
    "\"vram\":"
    " \"16 GB\", \"manufacturer\": \"Nvidia\"}, \"unitCostUSD\": 0.4, \"unitLabel\": \"hour\"},"
    " {\"name\": \"inf2\", \"accelerator\": {\"type\": \"neuron\", \"model\": \"Inf2\", \"quantity\": "
    "\"1\"}},"
    " {\"name\": \"odd\", \"accelerator\": {\"type\": \"gpu\", \"model\": \"?\", \"quantity\": \"-1\", "
    "\"vram\":"
    " \"much\"}}]";

static const struct assay_device_info none;

static void values(void **state)
{
    (void)state;
    struct assay_device_list *list = calloc(1, sizeof *list);
    struct assay_error error = {0};
    list->device[list->count++] =
        (struct assay_device_info){.backend = "cpu", .kind = ASSAY_KIND_CPU, .usable = true};
    assert_int_equal(assay_rented_parse(flavours, "test", list, &error), ASSAY_OK);
    assert_int_equal(list->count, 4); /* those without a GPU are skipped */
    const struct assay_device_info *h200 = &list->device[1], *t4 = &list->device[2], *odd = &list->device[3];
    assert_string_equal(h200->backend, "rented");
    assert_int_equal(h200->index, 0);
    assert_int_equal(h200->list_index, 1);
    assert_int_equal(h200->kind, ASSAY_KIND_REMOTE);
    assert_int_equal(h200->count, 8);
    assert_true(h200->device_local_bytes == 1128000000000u);
    assert_true(h200->usd_per_hour == 40.00);
    assert_int_equal(h200->vendor_id, 0x10de);
    assert_false(h200->usable);
    assert_non_null(strstr(h200->name, "h200x8 (8 x Nvidia H200)"));
    assert_non_null(strstr(h200->why, "never used"));
    assert_int_equal(t4->index, 1);
    assert_int_equal(t4->count, 1);
    assert_true(t4->usd_per_hour == 0); /* a price that is not by the minute is none */
    assert_int_equal(odd->count, 1);
    assert_true(odd->device_local_bytes == 0);

    char *text = assay_devices_json(list);
    json_t *json = json_loads(text, 0, NULL), *device = json_array_get(json_object_get(json, "devices"), 1);
    assert_int_equal(json_array_size(json_object_get(json, "selected")), 0);
    assert_string_equal(json_string_value(json_object_get(device, "kind")), "remote");
    assert_true(json_real_value(json_object_get(device, "usd_per_hour")) == 40.0);
    assert_int_equal(json_integer_value(json_object_get(device, "count")), 8);
    assert_true(
        json_is_null(json_object_get(json_array_get(json_object_get(json, "devices"), 2), "usd_per_hour")));
    json_decref(json);
    free(text);

    /* Named, it is still not opened. */
    const struct assay_device_info *found = &none;
    struct assay_device *opened = NULL;
    assert_int_equal(assay_device_find(list, "rented:0", &found, &error), ASSAY_OK);
    assert_int_equal(assay_device_open(NULL, found, &opened, &error), ASSAY_DEVICE_UNSUPPORTED);
    assert_null(opened);
    free(list);
}

static void refused(const char *text, enum assay_status status, const char *words)
{
    struct assay_device_list *list = calloc(1, sizeof *list);
    struct assay_error error = {0};
    assert_int_equal(assay_rented_parse(text, "list.json", list, &error), status);
    if (!strstr(error.text, words) || !strstr(error.text, "list.json")) fail_msg("'%s'", error.text);
    free(list);
}

static void malformed(void **state)
{
    (void)state;
    refused("{}", ASSAY_INVALID_INPUT, "no JSON array");
    refused("\"text\"", ASSAY_INVALID_INPUT, "JSON");
    refused("[{\"name\": ", ASSAY_INVALID_INPUT, "no JSON: line 1");
    refused("", ASSAY_INVALID_INPUT, "no JSON");
    static char many[100 * 64];
    char *end = many + sprintf(many, "[");
    for (int i = 0; i < 70; i++)
        end += sprintf(end, "%s{\"name\": \"x\", \"accelerator\": {\"type\": \"gpu\"}}", i ? "," : "");
    sprintf(end, "]");
    refused(many, ASSAY_INVALID_INPUT, "too long");
    /* Entries that are no flavours are skipped. */
    struct assay_device_list *list = calloc(1, sizeof *list);
    struct assay_error error = {0};
    assert_int_equal(assay_rented_parse("[1, null, [], {}, {\"accelerator\": 3}]", "x", list, &error),
                     ASSAY_OK);
    assert_int_equal(list->count, 0);
    free(list);
}

/* From a file; from an address through the program curl, which here is a script that says what it was asked. */
static void sources(void **state)
{
    (void)state;
    struct assay_device_list *list = calloc(1, sizeof *list);
    struct assay_error error = {0};
    char folder[] = "/tmp/assay-test-XXXXXX", path[64], list_path[64], command[128];
    assert_non_null(mkdtemp(folder));
    snprintf(list_path, sizeof list_path, "%s/list.json", folder);
    FILE *file = fopen(list_path, "w");
    fputs(flavours, file);
    fclose(file);
    assert_int_equal(assay_rented_read(list_path, list, &error), ASSAY_OK);
    assert_int_equal(list->count, 3);
    assert_int_equal(assay_rented_read("/nonexistent/list", list, &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "/nonexistent/list"));
    assert_int_equal(list->count, 3);

    char *path_before = strdup(getenv("PATH"));
    snprintf(path, sizeof path, "%s/curl", folder);
    file = fopen(path, "w");
    fprintf(file,
            "#!/bin/sh\necho \"$@\" >%s/asked\n[ \"${9}\" = https://example.org/good ] || exit 22\ncat %s\n",
            folder, list_path);
    fclose(file);
    snprintf(command, sizeof command, "chmod +x %s", path);
    assert_int_equal(system(command), 0);
    char with[4096];
    snprintf(with, sizeof with, "%s:%s", folder, path_before);
    setenv("PATH", with, 1);
    list->count = 0;
    if (assay_rented_read("https://example.org/good", list, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assert_int_equal(list->count, 3);
    assert_int_equal(assay_rented_read("https://example.org/bad", list, &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "curl could not fetch https://example.org/bad (exit 22)"));
    setenv("PATH", "/nonexistent", 1);
    assert_int_equal(assay_rented_read("https://example.org/good", list, &error), ASSAY_IO);
    assert_non_null(strstr(error.text, "curl"));
    setenv("PATH", path_before, 1);
    free(path_before);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(malformed),
        cmocka_unit_test(sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
