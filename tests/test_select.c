/* Which cards are used: the order of row D10, and the words of ASSAY_GPU (row D11). */
#include "devices/device.h"
#include "harness/inventory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void five_discover(const struct assay_driver_params *params, struct assay_device_info *list,
                          size_t cap, size_t *count, char note[256])
{
    static const struct {
        enum assay_device_kind kind;
        uint64_t gib;
        bool usable;
    } set[] = {{ASSAY_KIND_CPU, 16, false},
               {ASSAY_KIND_INTEGRATED, 2, true},
               {ASSAY_KIND_DISCRETE, 8, true},
               {ASSAY_KIND_DISCRETE, 24, true},
               {ASSAY_KIND_REMOTE, 1128, false}};
    (void)params, (void)cap, (void)note;
    for (uint32_t i = 0; i < 5; i++)
        list[i] = (struct assay_device_info){.index = i,
                                             .name = "card",
                                             .kind = set[i].kind,
                                             .software = set[i].kind == ASSAY_KIND_CPU,
                                             .device_local_bytes = set[i].gib << 30,
                                             .usable = set[i].usable};
    *count = 5;
}

static char *five_json(void)
{
    static const struct assay_backend five = {.name = "five", .discover = five_discover};
    static const struct assay_backend *const backends[] = {&five, NULL};
    struct assay_device_list *list = malloc(sizeof *list);
    assay_discover(NULL, backends, list);
    char *text = assay_devices_json(list);
    free(list);
    return text;
}

static void selected_is(const json_t *root, const char *want)
{
    char got[64] = "";
    const json_t *selected = json_object_get(root, "selected");
    for (size_t i = 0; i < json_array_size(selected); i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d", i ? "," : "",
                 (int)json_integer_value(json_array_get(selected, i)));
    assert_string_equal(got, want);
}

static void order(void **state)
{
    (void)state;
    char *text = five_json();
    json_t *root = json_loads(text, 0, NULL);
    selected_is(root, "3,2,1");
    json_decref(root);
    free(text);
}

static char *word_value;
static char *word(const char *name)
{
    return strcmp(name, "ASSAY_GPU") == 0 ? word_value : NULL;
}

static enum assay_status parse(const char *text, struct options *options, struct assay_error *error)
{
    char *argv[] = {(char *)"assay", (char *)"devices", NULL};
    word_value = (char *)text;
    return options_parse(2, argv, word, options, error);
}

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *word, *selected;
    } table[] = {{"off", ""},        {"none", ""},       {"cpu", ""}, {"  off ", ""},
                 {" none", ""},      {"cpu  ", ""},      {"3", "3"},  {"2,0", "2"},
                 {" 3 , 1 ", "3,1"}, {"1,3,2", "3,2,1"}, {"4", ""},   {"", "3,2,1"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct options options;
        struct assay_error error = {0};
        struct inventory inventory;
        char *text = five_json();
        if (parse(table[i].word, &options, &error) != ASSAY_OK) fail_msg("%s: %s", table[i].word, error.text);
        assert_int_equal(inventory_parse(text, false, &inventory, &error), ASSAY_OK);
        assert_int_equal(inventory_limit(&inventory, &options, &error), ASSAY_OK);
        selected_is(inventory.root, table[i].selected);
        /* A run takes the same cards, and no others. */
        for (size_t d = 0; d < inventory.device_count; d++) {
            char number[24];
            snprintf(number, sizeof number, "%zu", d);
            assert_int_equal(inventory.device[d].allowed, strstr(table[i].selected, number) != NULL);
        }
        inventory_free(&inventory);
        free(text);
    }
}

static void wrong_words(void **state)
{
    (void)state;
    static const char *const table[][2] = {{"0,x", "'x' is no index"},     {"x", "'x' is no index"},
                                           {"off,1", "'off' is no index"}, {"1,off", "'off' is no index"},
                                           {"1,,2", "'' is no index"},     {"-1", "'-1' is no index"},
                                           {"4294967296", "no index"},     {"offf", "'offf' is no index"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct options options;
        struct assay_error error = {0};
        assert_int_equal(parse(table[i][0], &options, &error), ASSAY_INVALID_INPUT);
        if (!strstr(error.text, table[i][1]) || strncmp(error.text, "ASSAY_GPU", 9) != 0)
            fail_msg("%s: %s", table[i][0], error.text);
    }
}

/* An index of no device is no typo that can be told from a card that is gone: it is noted. */
static void absent(void **state)
{
    (void)state;
    struct options options;
    struct assay_error error = {0};
    struct inventory inventory;
    char *text = five_json();
    assert_int_equal(parse("3,99", &options, &error), ASSAY_OK);
    assert_int_equal(inventory_parse(text, false, &inventory, &error), ASSAY_OK);
    assert_int_equal(inventory_limit(&inventory, &options, &error), ASSAY_OK);
    selected_is(inventory.root, "3");
    assert_string_equal(json_string_value(json_array_get(json_object_get(inventory.root, "notes"), 0)),
                        "gpu: there is no device 99 on this machine");
    inventory_free(&inventory);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order),
        cmocka_unit_test(words),
        cmocka_unit_test(wrong_words),
        cmocka_unit_test(absent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
