/* SPIR-V patches (devices/spirv.c): valid by spirv-val, identity without controls, safe on anything. Row K02. */
#include "kernels/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODULES(X)                                                                                           \
    X(devices_traits_spv)                                                                                    \
    X(kernels_exact_check_native_spv)                                                                        \
    X(kernels_exact_check_emulated_spv)                                                                      \
    X(kernels_matmul_vulkan_plain_native_spv)                                                                \
    X(kernels_matmul_vulkan_plain_emulated_spv)                                                              \
    X(kernels_matmul_vulkan_tile32_native_spv)                                                               \
    X(kernels_matmul_vulkan_tile32_emulated_spv)                                                             \
    X(kernels_matmul_vulkan_tile128_native_spv)                                                              \
    X(kernels_matmul_vulkan_join_native_spv)                                                                 \
    X(kernels_matmul_vulkan_join_emulated_spv)
#define DECLARE(name) ASSAY_BLOB(name);
MODULES(DECLARE)

static struct module {
    const char *name;
    const uint32_t *words;
    size_t count;
} modules[16];
static size_t module_count;

enum { ALL = ASSAY_CTRL_RTE | ASSAY_CTRL_SZINP | ASSAY_CTRL_DENORM | ASSAY_CTRL_CONTRACT };

static int collect(void **unused)
{
    (void)unused;
#define COLLECT(blob)                                                                                        \
    modules[module_count++] = (struct module){#blob, (const uint32_t *)(const void *)assay_blob_##blob,      \
                                              (size_t)(assay_blob_##blob##_end - assay_blob_##blob) / 4};
    MODULES(COLLECT)
    return 0;
}

static uint32_t *patch(const struct module *m, uint32_t controls, size_t *count)
{
    struct assay_error error = {0};
    uint32_t *out;
    if (assay_spirv_patch(m->words, m->count, controls, &out, count, &error) != ASSAY_OK)
        fail_msg("%s", error.text);
    return out;
}

/* What matters of a module, counted without the code under test. */
struct tally {
    size_t adds, muls, subs, fmas, decorated, modes, capabilities, extensions;
};

static struct tally tally(const uint32_t *words, size_t count)
{
    struct tally t = {0};
    uint8_t *exact = calloc(words[3], 1);
    for (size_t at = 5; at < count; at += words[at] >> 16)
        if (words[at] == (3u << 16 | 71) && words[at + 2] == 42) exact[words[at + 1]] = 1;
    for (size_t at = 5; at < count; at += words[at] >> 16) {
        const uint32_t *op = words + at;
        bool arithmetic = true;
        switch (op[0] & 0xFFFF) {
        case 129:
            t.adds++;
            break;
        case 131:
            t.subs++;
            break;
        case 133:
            t.muls++;
            break;
        case 12:
            t.fmas += op[4] == 50;
            arithmetic = false;
            break;
        case 10:
            t.extensions += strcmp((const char *)(op + 1), "SPV_KHR_float_controls") == 0;
            arithmetic = false;
            break;
        case 16:
            t.modes += op[2] >= 4459 && op[2] <= 4462;
            arithmetic = false;
            break;
        case 17:
            t.capabilities += op[1] >= 4464 && op[1] <= 4467;
            arithmetic = false;
            break;
        default:
            arithmetic = false;
            break;
        }
        if (arithmetic) t.decorated += exact[op[2]];
    }
    free(exact);
    return t;
}

static void nothing_is_identity(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < module_count; i++) {
        size_t count;
        uint32_t *out = patch(&modules[i], 0, &count);
        assert_int_equal(count, modules[i].count);
        assert_memory_equal(out, modules[i].words, count * 4);
        free(out);
    }
}

static void every_operation_is_exact(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < module_count; i++) {
        struct tally t = tally(modules[i].words, modules[i].count);
        assert_true(t.adds + t.muls + t.subs + t.fmas > 0);
        assert_int_equal(t.decorated, t.adds + t.muls + t.subs);
        assert_int_equal(t.modes + t.capabilities + t.extensions, 0);
    }
}

static void validate(const uint32_t *words, size_t count, const char *name, uint32_t controls)
{
    char path[] = "/tmp/assay-spirv-XXXXXX", command[128];
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, words, count * 4), (ssize_t)(count * 4));
    close(file);
    snprintf(command, sizeof command, "spirv-val --target-env vulkan1.1 %s", path);
    int status = system(command);
    unlink(path);
    if (status != 0) fail_msg("%s with controls %u: spirv-val says %d", name, controls, status);
}

static void patches_are_valid(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < module_count; i++) {
        struct tally before = tally(modules[i].words, modules[i].count);
        for (uint32_t controls = 1; controls <= ALL; controls++) {
            size_t count, again, bits = (size_t)__builtin_popcount(controls & ~ASSAY_CTRL_CONTRACT);
            uint32_t *out = patch(&modules[i], controls, &count);
            struct tally t = tally(out, count);
            bool contract = controls & ASSAY_CTRL_CONTRACT;
            assert_int_equal(t.modes, bits);
            assert_int_equal(t.capabilities, bits);
            assert_int_equal(t.extensions, bits > 0);
            assert_int_equal(t.fmas, contract ? 0 : before.fmas);
            assert_int_equal(t.adds, before.adds + (contract ? before.fmas : 0));
            assert_int_equal(t.muls, before.muls + (contract ? before.fmas : 0));
            /* only the new products and sums may be contracted */
            assert_int_equal(t.decorated, before.decorated);
            if (controls == ALL || controls == (ASSAY_CTRL_RTE | ASSAY_CTRL_CONTRACT) || i == 0)
                validate(out, count, modules[i].name, controls);
            struct module patched = {modules[i].name, out, count};
            uint32_t *twice = patch(&patched, controls, &again);
            assert_int_equal(again, count);
            assert_memory_equal(twice, out, count * 4);
            free(twice);
            free(out);
        }
    }
}

static void refused(const uint32_t *words, size_t count, uint32_t controls, const char *says)
{
    struct assay_error error = {0};
    uint32_t *out;
    size_t out_count;
    assert_int_equal(assay_spirv_patch(words, count, controls, &out, &out_count, &error),
                     ASSAY_INVALID_INPUT);
    assert_null(out);
    if (!strstr(error.text, says)) fail_msg("'%s' does not say '%s'", error.text, says);
}

static void malformed_is_refused(void **unused)
{
    (void)unused;
    const uint32_t header[5] = {0x07230203, 0x10300, 0, 8, 0};
    uint32_t words[16];
    refused(NULL, 0, 0, "words");
    refused(header, 4, 0, "words");
    refused(header, 5, 64, "unknown controls");
    refused(header, 5, ASSAY_CTRL_RTE, "no entry point");
    memcpy(words, header, sizeof header);
    words[0] = 0x03022307;
    refused(words, 5, 0, "starts with");
    memcpy(words, header, sizeof header);
    words[3] = 0;
    refused(words, 5, 0, "ids");
    words[3] = 0xFFFFFFFF;
    refused(words, 5, 0, "ids");
    memcpy(words, header, sizeof header);
    words[5] = 17;
    refused(words, 6, 0, "length");
    words[5] = 9u << 16 | 17;
    refused(words, 6, 0, "length");
    words[5] = 2u << 16 | 74;
    words[6] = 1;
    refused(words, 7, ASSAY_CTRL_CONTRACT, "decoration groups");
}

/* Every truncation, and random damage: a clean refusal or a module, never a stray access (run under ASan). */
static void damaged_is_survived(void **unused)
{
    (void)unused;
    const struct module *m = &modules[1];
    uint64_t state = 7;
    for (size_t cut = 0; cut < m->count; cut += 1 + cut / 64) {
        uint32_t *copy = malloc(cut * 4 + 1), *out = NULL;
        size_t count;
        memcpy(copy, m->words, cut * 4);
        if (assay_spirv_patch(copy, cut, ALL, &out, &count, NULL) == ASSAY_OK) free(out);
        free(copy);
    }
    for (int round = 0; round < 4000; round++) {
        uint32_t *copy = malloc(m->count * 4), *out = NULL;
        size_t count;
        memcpy(copy, m->words, m->count * 4);
        for (int hit = 0; hit < 1 + round % 5; hit++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            uint32_t r = (uint32_t)(state >> 33);
            copy[r % m->count] ^= round & 1 ? 1u << (r >> 16 & 31) : r * 2654435761u;
        }
        if (assay_spirv_patch(copy, m->count, ALL, &out, &count, NULL) == ASSAY_OK) free(out);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_identity), cmocka_unit_test(every_operation_is_exact),
        cmocka_unit_test(patches_are_valid),   cmocka_unit_test(malformed_is_refused),
        cmocka_unit_test(damaged_is_survived),
    };
    return cmocka_run_group_tests(tests, collect, NULL);
}
