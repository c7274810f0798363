/* What only a machine with a real card can show, on each entry of the list that is one; elsewhere all of it is skipped. One
 * card under two backends, and trust granted and withdrawn by the program, with libassay heeding it. */
#include "devices/device.h"
#include "kernels/assay.h"
#include "tests/verbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct assay_device_list list;

static bool is_card(const struct assay_device_info *info)
{
    return info->usable && !info->software && !info->duplicate && strcmp(info->backend, "cpu") != 0;
}

static int find_cards(void **state)
{
    const struct assay_driver_params defaults = {0};
    (void)state;
    assay_discover(&defaults, NULL, &list);
    return 0;
}

/* Row D04: an NVIDIA card is listed under CUDA and under Vulkan with one UUID and one PCI address. Parts of cards are CUDA's
 * alone. */
static void test_both_backends(void **state)
{
    size_t pairs = 0, nvidia = 0;
    (void)state;
    for (size_t i = 0; i < list.count; i++)
        nvidia += strcmp(list.device[i].backend, "vulkan") == 0 && is_card(&list.device[i]) &&
                  list.device[i].vendor_id == 0x10de;
    for (size_t i = 0; i < list.count && nvidia; i++) {
        const struct assay_device_info *cuda = &list.device[i];
        if (strcmp(cuda->backend, "cuda") != 0 || !is_card(cuda) || cuda->partition[0]) continue;
        size_t found = 0;
        for (size_t j = 0; j < list.count; j++) {
            const struct assay_device_info *vulkan = &list.device[j];
            if (strcmp(vulkan->backend, "vulkan") != 0 || memcmp(cuda->uuid, vulkan->uuid, 16) != 0) continue;
            assert_true(cuda->has_uuid && vulkan->has_uuid);
            assert_string_equal(cuda->pci, vulkan->pci);
            assert_true(cuda->pci[0] != '\0');
            found++;
        }
        assert_int_equal(found, 1);
        pairs++;
    }
    if (!pairs) skip();
}

static struct assay_engine *open_trusted(const char *label, const char *dir, struct assay_error *error)
{
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {.device = label, .require_trust = true, .trust_dir = dir};
    assay_open(&params, &engine, error);
    return engine;
}

static void expect_refused(const char *label, const char *dir, const char *words)
{
    struct assay_error error = {0};
    assert_null(open_trusted(label, dir, &error));
    assert_int_equal(error.status, ASSAY_DEVICE_UNSUPPORTED);
    if (!strstr(error.text, words)) fail_msg("'%s' does not say '%s'", error.text, words);
}

/* Rows H18 and D24: no record, no trust; a passed verify of the whole card grants it; a failure planted in the corpus takes
 * it away. */
static void trust_of(const char *label)
{
    struct verbs verbs;
    struct assay_error error = {0};
    char corpus[128], dir[128], says[200];
    verbs_begin(&verbs);
    snprintf(corpus, sizeof corpus, "%s/test.cases", verbs.folder);
    snprintf(dir, sizeof dir, "%s/trust", verbs.folder);
    FILE *file = fopen(corpus, "we");
    assert_non_null(file);
    fputs("# level: quick\n# a case of the test's own\nmatmul/f32/m=5,n=6,k=70/fill=normal/seed=2\n"
          "q1_0/u8/m=40,n=3,k=256/fill=minus128/seed=2\n",
          file);
    assert_int_equal(fclose(file), 0);
    expect_refused(label, dir, "it has no trust record");
    const char *const verify[] = {"verify",      "--device", label,     "--corpus", corpus,
                                  "--trust-dir", dir,        "--quiet", NULL};
    if (verbs_call(&verbs, verify) != EXIT_PASS) fail_msg("%s%s", verbs.out, verbs.err);
    snprintf(says, sizeof says, "%s: VERIFIED", label);
    if (!strstr(verbs.out, says)) fail_msg("no '%s' in:\n%s", says, verbs.out);
    struct assay_engine *engine = open_trusted(label, dir, &error);
    if (!engine) fail_msg("%s", error.text);
    assay_close(engine);
    file = fopen(corpus, "ae");
    assert_non_null(file);
    fputs("matmul/f32/m=3,n=3,k=9/fill=normal/seed=2/expect=DIFF\n", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(verbs_call(&verbs, verify), EXIT_FAILED);
    snprintf(says, sizeof says, "%s: trust record withdrawn", label);
    if (!strstr(verbs.out, says)) fail_msg("no '%s' in:\n%s", says, verbs.out);
    expect_refused(label, dir, "matmul/f32/m=3,n=3,k=9/fill=normal/seed=2");
    verbs_end(&verbs);
}

/* The first card of each backend: others of one kind would take as long again. */
static void test_trust(void **state)
{
    const char *seen[8];
    size_t count = 0;
    char label[24];
    (void)state;
    for (size_t i = 0; i < list.count && count < 8; i++) {
        const struct assay_device_info *info = &list.device[i];
        bool again = !is_card(info);
        for (size_t j = 0; j < count; j++) again |= strcmp(seen[j], info->backend) == 0;
        if (again) continue;
        seen[count++] = info->backend;
        print_message("%s %s\n", assay_device_label(info, label), info->name);
        trust_of(label);
    }
    if (!count) skip();
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_backends),
        cmocka_unit_test(test_trust),
    };
    return cmocka_run_group_tests(tests, find_cards, NULL);
}
