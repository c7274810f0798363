/* An engine that requires trust, on a device that computes: the software renderer, which a backend of the test's own (in
 * the place of the CUDA backend) lists once more as if it were a card. A record lets it work; kernels that the record does
 * not cover count as absent; other code or another arithmetic is refused. */
#include "devices/device.h"
#include "harness/trust.h"
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
#include <unistd.h>

#define CARD       "0000:ff:00.0"
#define CARD_BYTES (UINT64_C(256) << 20)
#define COVERED    "matmul.vulkan.tile32.exact"

static void pretend_discover(const struct assay_driver_params *params, struct assay_device_info *list,
                             size_t cap, size_t *count, char note[256])
{
    assay_backend_vulkan.discover(params, list, cap, count, note);
    for (size_t i = 0; i < *count; i++) {
        list[i].index += 7; /* another label; the UUID finds the device */
        list[i].software = false;
        list[i].usable = true;
        list[i].kind = ASSAY_KIND_DISCRETE;
        list[i].device_local_bytes = CARD_BYTES; /* a verify sweeps a tenth of it */
        snprintf(list[i].name, sizeof list[i].name, "Pretended card");
        snprintf(list[i].pci, sizeof list[i].pci, CARD);
    }
    if (*count > 1) *count = 1;
}

/* Named as the backend that opens what it lists. */
const struct assay_backend assay_backend_cuda = {.name = "vulkan", .discover = pretend_discover};

static char dir[64];

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/assay-test-XXXXXX");
    return mkdtemp(dir) == NULL;
}

static int teardown(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return system(command);
}

static struct assay_engine *open_card(enum assay_variant variant, bool require_trust,
                                      struct assay_error *error)
{
    struct assay_engine *engine = NULL;
    const struct assay_open_params params = {
        .device = CARD, .variant = variant, .require_trust = require_trust, .trust_dir = dir};
    enum assay_status status = assay_open(&params, &engine, error);
    assert_int_equal(status != ASSAY_OK, engine == NULL);
    return engine;
}

static void refused(enum assay_variant variant, const char *words)
{
    struct assay_error error = {0};
    struct assay_engine *engine = open_card(variant, true, &error);
    assert_null(engine);
    assert_int_equal(error.status, ASSAY_DEVICE_UNSUPPORTED);
    if (!strstr(error.text, words) || !strstr(error.text, "Pretended card is not trusted"))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

/* What verify would write after it judged COVERED alone; `from` (may be NULL) is a word of the probe to replace. */
static void grant(const struct assay_engine *engine, const char *probe, const char *from, const char *to)
{
    const struct assay_device_info *info = assay_engine_device(engine);
    struct assay_error error = {0};
    struct trust trust = {0};
    char uuid[37], *changed = strdup(probe);
    struct inventory_device device = {.label = "vulkan:0",
                                      .backend = "vulkan",
                                      .name = info->name,
                                      .driver = info->driver,
                                      .api = info->api,
                                      .kind = "discrete",
                                      .uuid = assay_uuid_text(info->uuid, uuid),
                                      .pci = info->pci,
                                      .vbios = "",
                                      .partition = ""};
    const struct options options = {.trust_dir = dir};
    if (from) {
        assert_int_equal(strlen(from), strlen(to));
        char *place = strstr(changed, from);
        assert_non_null(place);
        memcpy(place, to, strlen(to));
    }
    const struct trust_facts facts = {.probe_json = changed,
                                      .level = "quick",
                                      .corpus = "built-in",
                                      .corpus_hash = "0",
                                      .command = "",
                                      .database = ""};
    assert_int_equal(trust_begin(&options, "assay", &device, &trust, &error), ASSAY_OK);
    assert_int_equal(trust_note(&trust, "matmul", "f32", "normal", COVERED, 1, &error), ASSAY_OK);
    if (trust_grant(&trust, &facts, &error) != ASSAY_OK) fail_msg("%s", error.text);
    trust_free(&trust);
    free(changed);
}

/* 2 x 2 by a technique (NULL = the engine's choice). */
static enum assay_status multiply(struct assay_engine *engine, const char *technique, float out[4],
                                  struct assay_run_report *report, struct assay_error *error)
{
    static const float in[4] = {1, 2, 3, 4};
    static const int64_t shape[2] = {2, 2};
    struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};
    struct assay_tensor *tensor[3] = {&call.input[0], &call.input[1], &call.output[0]};
    const struct assay_run_params params = {.technique = technique};
    for (int i = 0; i < 3; i++) {
        assay_tensor_dense(tensor[i], ASSAY_F32, 2, shape);
        tensor[i]->bytes = 16;
        enum assay_status status = assay_alloc(engine, 16, &tensor[i]->buffer, error);
        if (status == ASSAY_OK) status = assay_upload(engine, tensor[i]->buffer, 0, in, 16, error);
        if (status != ASSAY_OK) return status;
    }
    enum assay_status status = assay_run(engine, &call, &params, report, error);
    return status == ASSAY_OK ? assay_download(engine, tensor[2]->buffer, 0, out, 16, error) : status;
}

/* The code of COVERED in the probe's JSON. */
static void code_of(const char *probe, char code[17])
{
    json_t *root = json_loads(probe, 0, NULL), *row;
    size_t at;
    code[0] = '\0';
    json_array_foreach(json_object_get(root, "kernels"), at,
                       row) if (strcmp(json_string_value(json_object_get(row, "name")), COVERED) == 0)
        snprintf(code, 17, "%s", json_string_value(json_object_get(row, "code")));
    json_decref(root);
    assert_int_equal(strlen(code), 16);
}

static void trusted_card(void **state)
{
    struct assay_error error = {0};
    struct assay_run_report report;
    float out[4] = {0};
    char code[17], other[17];
    (void)state;
    refused(ASSAY_VARIANT_AUTO, "it has no trust record");
    struct assay_engine *free_engine = open_card(ASSAY_VARIANT_AUTO, false, &error);
    if (!free_engine) fail_msg("%s", error.text);
    char *probe = assay_engine_json(free_engine), *again = assay_engine_json(free_engine);
    assert_string_equal(probe, again); /* asking changes nothing */
    free(again);
    if (multiply(free_engine, NULL, out, &report, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assert_string_not_equal(report.kernel, COVERED); /* the engine's own choice is another one */

    grant(free_engine, probe, NULL, NULL);
    struct assay_engine *engine = open_card(ASSAY_VARIANT_AUTO, true, &error);
    if (!engine) fail_msg("%s", error.text);
    if (multiply(engine, NULL, out, &report, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assert_string_equal(report.kernel, COVERED);
    assert_true(out[0] == 7 && out[1] == 10 && out[2] == 15 && out[3] == 22);
    assert_int_equal(multiply(engine, "plain", out, &report, &error), ASSAY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "it was not judged when the device was verified"));
    assay_close(engine);

    /* Other arithmetic, forced here; other code, as of another build. */
    refused(ASSAY_VARIANT_INTEGER, "its form of the fused multiply-add is 'integer'");
    code_of(probe, code);
    snprintf(other, sizeof other, "%s", code);
    other[3] = other[3] == '0' ? '1' : '0';
    grant(free_engine, probe, code, other);
    refused(ASSAY_VARIANT_AUTO, "kernel " COVERED " has code");
    grant(free_engine, probe, NULL, NULL);
    engine = open_card(ASSAY_VARIANT_AUTO, true, &error);
    assert_non_null(engine);
    assay_close(engine);
    assay_close(free_engine);
    free(probe);
}

/* The hash of a kernel's code does not depend on what ran before, and does on the variant. */
static void code_is_stable(void **state)
{
    struct assay_error error = {0};
    char code[3][17];
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct assay_engine *engine =
            open_card(i == 2 ? ASSAY_VARIANT_INTEGER : ASSAY_VARIANT_AUTO, false, &error);
        if (!engine) fail_msg("%s", error.text);
        float out[4];
        struct assay_run_report report;
        if (i == 1 && multiply(engine, "tile32", out, &report, &error) != ASSAY_OK)
            fail_msg("%s", error.text);
        char *probe = assay_engine_json(engine);
        code_of(probe, code[i]);
        free(probe);
        assay_close(engine);
    }
    assert_string_equal(code[0], code[1]);
    assert_string_not_equal(code[0], code[2]);
}

/* All of it through the program: verify judges the card in a worker and writes the record, libassay opens by it, and a
 * verify that fails shuts the card out. */
static void verified_by_the_program(void **state)
{
    struct verbs verbs;
    struct assay_error error = {0};
    char corpus[128];
    (void)state;
    verbs_begin(&verbs);
    snprintf(corpus, sizeof corpus, "%s/test.cases", verbs.folder);
    FILE *file = fopen(corpus, "w");
    fputs("# a case of the test's own\nmatmul/f32/m=5,n=6,k=70/fill=normal/seed=2\n"
          "matmul/f32/m=2,n=3,k=200/fill=cancel/seed=2\n",
          file);
    fclose(file);
    refused(ASSAY_VARIANT_AUTO, "it has no trust record");
    const char *const verify[] = {"verify", "--device",   CARD,   "--corpus", corpus, "--trust-dir",
                                  dir,      "--cuda-lib", "none", "--quiet",  NULL};
    if (verbs_call(&verbs, verify) != EXIT_PASS) fail_msg("%s%s", verbs.out, verbs.err);
    assert_non_null(strstr(verbs.out, "vulkan:7: VERIFIED"));
    const char *const asked[] = {"verify", "--trusted", "vulkan:7", "--trust-dir", dir, NULL};
    if (verbs_call(&verbs, asked) != EXIT_PASS) fail_msg("%s%s", verbs.out, verbs.err);
    struct assay_engine *engine = open_card(ASSAY_VARIANT_AUTO, true, &error);
    if (!engine) fail_msg("%s", error.text);
    float out[4];
    struct assay_run_report report;
    if (multiply(engine, NULL, out, &report, &error) != ASSAY_OK) fail_msg("%s", error.text);
    assert_true(out[0] == 7 && out[3] == 22);
    assay_close(engine);
    /* An expectation that does not come is a failure planted in the corpus. */
    file = fopen(corpus, "a");
    fputs("matmul/f32/m=3,n=3,k=9/fill=normal/seed=2/expect=DIFF\n", file);
    fclose(file);
    assert_int_equal(verbs_call(&verbs, verify), EXIT_FAILED);
    assert_non_null(strstr(verbs.out, "vulkan:7: trust record withdrawn"));
    refused(ASSAY_VARIANT_AUTO, "matmul/f32/m=3,n=3,k=9/fill=normal/seed=2");
    assert_int_equal(verbs_call(&verbs, asked), EXIT_FAILED);
    verbs_end(&verbs);
}

int main(int argc, char **argv)
{
    VERBS_WORKER(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(trusted_card, setup, teardown),
        cmocka_unit_test_setup_teardown(code_is_stable, setup, teardown),
        cmocka_unit_test_setup_teardown(verified_by_the_program, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
