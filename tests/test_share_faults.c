/* Row sharing with cards that fail: absent, not trusted, with a wrong kernel, or broken while they work. The product is the
 * processor's all the same, and the log says why (row E29).
 *
 * The cards are the processor, listed again and again by a backend of the test's own (in the place of the CUDA backend);
 * the table of Q1_0 kernels is the test's own too, with planted rows that only one of these cards has. */
#include "kernels/q1_0/cpu.h"
#include "kernels/share.h"
#include "tests/q1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the cards ---- */

enum { CARD_GOOD = 1, CARD_WRONG, CARD_LATE_WRONG, CARD_BREAKS_START, CARD_BREAKS_WAIT, CARD_SMALL, CARDS };

static void pretend_discover(const struct assay_driver_params *params, struct assay_device_info *list,
                             size_t cap, size_t *count, char note[256])
{
    struct assay_device_info info;
    size_t one;
    assay_backend_cpu.discover(params, &info, 1, &one, note);
    *count = 0;
    for (uint32_t i = CARD_GOOD; i < CARDS && *count < cap; i++) {
        list[*count] = info;
        list[*count].index = i;
        list[*count].kind = ASSAY_KIND_INTEGRATED;
        snprintf(list[*count].name, sizeof info.name, "Pretended card %u", i);
        snprintf(list[*count].pci, sizeof info.pci, "0000:%02x:00.0", i);
        (*count)++;
    }
}

/* Named as the backend that opens what it lists. */
const struct assay_backend assay_backend_cuda = {.name = "cpu", .discover = pretend_discover};

/* ---- their kernels ---- */

static int plans_left; /* until a card breaks */

static bool for_card(const struct assay_device_info *info, uint32_t index, char why[160])
{
    return info->index == index || assay_refuse(why, "it is another card's");
}

static double no_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    (void)call;
    return 0;
}

/* The right product, then one bit of its first element. */
static const struct assay_code *right_code;
static void wrong(void *const *buffers, const void *push, const uint32_t group[3])
{
    right_code->native(buffers, push, group);
    const struct q1_push *p = push;
    if (!group[0] && !group[1]) ((uint32_t *)buffers[2])[p->y_offset] ^= 1;
}

static enum assay_status plan_wrong(const struct assay_device_info *info, const struct assay_call *call,
                                    enum assay_variant variant, struct assay_plan *plan,
                                    struct assay_error *error)
{
    static const struct assay_code code = {.kind = ASSAY_CODE_NATIVE, .name = "planted", .native = wrong};
    enum assay_status status = q1_cpu_plain_plan(info, call, variant, plan, error);
    if (status != ASSAY_OK || !plan->step_count) return status;
    right_code = plan->step[0].program.codes;
    plan->step[0].program.codes = &code;
    plan->step[0].program.code_count = 1;
    return ASSAY_OK;
}

/* Right on everything small: known answers do not show it. */
static enum assay_status plan_late_wrong(const struct assay_device_info *info, const struct assay_call *call,
                                         enum assay_variant variant, struct assay_plan *plan,
                                         struct assay_error *error)
{
    return (call->input[0].shape[0] < 200 ? q1_cpu_plain_plan : plan_wrong)(info, call, variant, plan, error);
}

static enum assay_status plan_breaks(const struct assay_device_info *info, const struct assay_call *call,
                                     enum assay_variant variant, struct assay_plan *plan,
                                     struct assay_error *error)
{
    if (plans_left-- <= 0)
        return assay_error_set(error, ASSAY_DEVICE_FAILURE, "planted: the card fell off the bus");
    return q1_cpu_plain_plan(info, call, variant, plan, error);
}

static struct assay_backend failing;
static atomic_bool fail_wait;

static enum assay_status wait_fails(struct assay_device *device, uint64_t timeout_ns, uint64_t *device_ns,
                                    struct assay_error *error)
{
    enum assay_status status = assay_backend_cpu.wait(device, timeout_ns, device_ns, error);
    if (status != ASSAY_OK || device->info.index != CARD_BREAKS_WAIT || !fail_wait) return status;
    return assay_error_set(error, ASSAY_DEVICE_FAILURE, "planted: the wait failed");
}

/* A plan is where the test gets hold of an open device. */
static enum assay_status plan_waits(const struct assay_device_info *info, const struct assay_call *call,
                                    enum assay_variant variant, struct assay_plan *plan,
                                    struct assay_error *error)
{
    struct assay_device *device = (struct assay_device *)((char *)info - offsetof(struct assay_device, info));
    failing = assay_backend_cpu;
    failing.wait = wait_fails;
    device->backend = &failing;
    return q1_cpu_plain_plan(info, call, variant, plan, error);
}

static bool small_supports(const struct assay_device_info *info, const struct assay_call *call, char why[160])
{
    if (call->input[0].shape[0] > 300) return assay_refuse(why, "more than 300 rows");
    return q1_cpu_plain_supports(info, call, why);
}

#define PRESENT(name, card)                                                                                  \
    static bool name(const struct assay_device_info *info, char why[160])                                    \
    {                                                                                                        \
        return for_card(info, card, why);                                                                    \
    }
PRESENT(on_wrong, CARD_WRONG)
PRESENT(on_late_wrong, CARD_LATE_WRONG)
PRESENT(on_breaks, CARD_BREAKS_START)
PRESENT(on_waits, CARD_BREAKS_WAIT)
PRESENT(on_small, CARD_SMALL)
static bool on_others(const struct assay_device_info *info, char why[160])
{
    return info->index == 0 || info->index == CARD_GOOD || assay_refuse(why, "not this card's");
}

#define PRODUCT(technique_, present_, supports_, plan_)                                                      \
    {                                                                                                        \
        .op = "Q1_0MatMul", .family = "q1_0", .backend = "cpu", .technique = technique_,                     \
        .mode = ASSAY_EXACT, .dtype = ASSAY_F32, .order = "", .variants = ASSAY_ALL_FORMS,                   \
        .present = present_, .supports = supports_, .cost = no_cost, .plan = plan_, .known = q1_known,       \
        .known_count = Q1_KNOWN_COUNT,                                                                       \
    }
static const struct assay_kernel rows[] = {
    PRODUCT("wrong", on_wrong, q1_cpu_plain_supports, plan_wrong),
    PRODUCT("late", on_late_wrong, q1_cpu_plain_supports, plan_late_wrong),
    PRODUCT("breaks", on_breaks, q1_cpu_plain_supports, plan_breaks),
    PRODUCT("waits", on_waits, q1_cpu_plain_supports, plan_waits),
    PRODUCT("small", on_small, small_supports, q1_cpu_plain_plan),
    PRODUCT("plain", on_others, q1_cpu_plain_supports, q1_cpu_plain_plan),
};
const struct assay_kernel_table assay_q1_0_kernels = {.rows = rows, .count = sizeof rows / sizeof *rows};

/* ---- products ---- */

static char log_text[2048];

static void say(void *context, const char *line)
{
    const size_t used = strlen(log_text);
    (void)context;
    snprintf(log_text + used, sizeof log_text - used, "%s\n", line);
}

static struct assay_share *open_share(const char *const *cards, size_t count,
                                      struct assay_share_params params)
{
    struct assay_share *share = NULL;
    struct assay_error error = {0};
    static const struct assay_driver_params driver = {.cpu_threads = 2, .vulkan_lib = "none"};
    log_text[0] = '\0';
    params.cards = cards;
    params.card_count = count;
    params.driver = params.driver ? params.driver : &driver;
    params.always = true;
    params.log = say;
    if (assay_share_open(&params, &share, &error) != ASSAY_OK) fail_msg("%s", error.text);
    return share;
}

/* A product, whoever computes it, has the model's bits. Returns the rows that cards began. */
static int64_t multiply(struct assay_share *share, int64_t m)
{
    const int64_t blocks = 3;
    uint8_t *w = malloc((size_t)(m * blocks) * 18), x[3 * 136];
    float *y = malloc((size_t)m * 4);
    int64_t taken;
    struct assay_error error = {0};
    struct assay_share_matrix *matrix;
    q1_fill_weights(w, m * blocks, 7, Q1_FILL_LAYER);
    q1_fill_activations(x, blocks, 7, Q1_FILL_LAYER);
    const struct assay_share_part part = {m, w};
    memset(y, 0xff, (size_t)m * 4);
    if (assay_share_load(share, blocks * 128, &part, 1, &matrix, &error) != ASSAY_OK ||
        assay_share_begin(share, matrix, x, &taken, &error) != ASSAY_OK ||
        assay_share_finish(share, y, &error) != ASSAY_OK)
        fail_msg("%s", error.text);
    for (int64_t r = 0; r < m; r++) {
        const float want = q1_model(w + r * blocks * 18, x, blocks);
        if (memcmp(&y[r], &want, 4) != 0) fail_msg("row %d differs", (int)r);
    }
    assay_share_unload(share, matrix);
    free(y);
    free(w);
    return taken;
}

static const struct assay_share_params half = {.fixed_share = true, .share = 0.5, .limit = 1};

static void not_used(const char *card, struct assay_share_params params, const char *reason)
{
    struct assay_share *share = open_share(&card, 1, params);
    if (strncmp(log_text, "GPU not used: ", 14) != 0 || !strstr(log_text, reason))
        fail_msg("'%s' does not say '%s'", log_text, reason);
    assert_int_equal(assay_share_cards(share), 0);
    char *status = assay_share_status(share, 0);
    assert_string_equal(status, "null");
    free(status);
    assert_int_equal(multiply(share, 64), 0);
    assay_share_close(share);
}

static void wrong_kernel(void **state)
{
    (void)state;
    not_used("cpu:2", half, "kernel q1_0.cpu.wrong.exact is refused: its native form fails known answer 0");
    not_used("cpu:2", (struct assay_share_params){0}, "kernel q1_0.cpu.wrong.exact is refused");
}

static void wrong_product(void **state)
{
    (void)state;
    not_used("cpu:3", half, "Pretended card 3 differs from the processor in row 0 of 256 x 1024");
    not_used("cpu:3", (struct assay_share_params){0}, "in row 0 of 4096 x 4096");
}

static void no_memory(void *context, size_t card, struct assay_share_memory *memory)
{
    (void)context;
    (void)card;
    memory->heap_bytes = 1000;
}

static void absent(void **state)
{
    (void)state;
    not_used("cuda:5", half, "cuda:5");
    not_used("vulkan:0", half, "vulkan:0");
    struct assay_share_params params = half;
    params.hooks.memory = no_memory;
    not_used("cpu:1", params, "cannot take a product of 256 x 1024 within its memory limit");
    params = half;
    params.share = 0.01;
    not_used("cpu:1", params, "less than 0.02");
    /* On its own the library takes no processor for a card. */
    struct assay_share *share = open_share(NULL, 0, half);
    assert_string_equal(log_text, "GPU not used: this machine has no usable card\n");
    assert_int_equal(multiply(share, 64), 0);
    assay_share_close(share);
    share = open_share((const char *const[]){"cpu:1"}, 1, half);
    assert_string_equal(log_text, "");
    assert_int_equal(multiply(share, 64), 32);
    assay_share_close(share);
}

/* A real card, without a record; the software renderer never gets one. */
static void not_trusted(void **state)
{
    (void)state;
    static const struct assay_driver_params driver = {.cpu_threads = 2};
    struct assay_engine *engine = NULL;
    const struct assay_open_params open = {.device = "vulkan:0", .allow_software = true};
    if (assay_open(&open, &engine, NULL) != ASSAY_OK) skip();
    assay_close(engine);
    struct assay_share_params params = half;
    params.driver = &driver;
    params.allow_software = true;
    params.require_trust = true;
    params.trust_dir = "/nonexistent";
    not_used("vulkan:0", params, "is not trusted");
}

/* Cards that break while they work: their rows are computed, others keep theirs. */
static void later(void **state)
{
    (void)state;
    const char *const cards[2] = {"cpu:4", "cpu:1"};
    plans_left = 1000;
    struct assay_share *share = open_share(cards, 2, half);
    assert_int_equal(assay_share_cards(share), 2);
    assert_int_equal(multiply(share, 64), 32);
    plans_left = 0;
    assert_int_equal(multiply(share, 64), 16);
    assert_string_equal(log_text, "GPU not used: planted: the card fell off the bus\n");
    assert_int_equal(assay_share_cards(share), 1);
    plans_left = 1000;
    assert_int_equal(multiply(share, 64), 16); /* it stays out */
    assay_share_close(share);
}

/* A card that is lost while it computes. */
static void lost_in_flight(void **state)
{
    (void)state;
    const char *const cards[3] = {"cpu:5", "cpu:1", "cpu:6"};
    struct assay_share *share = open_share(cards, 3, half);
    assert_int_equal(assay_share_cards(share), 3);
    assert_int_equal(multiply(share, 64), 32);
    /* More rows than the last card's kernel takes: the processor computes them, and the card stays. */
    assert_int_equal(multiply(share, 2400), 800);
    assert_int_equal(assay_share_cards(share), 3);
    fail_wait = true;
    assert_int_equal(multiply(share, 64), 32);
    assert_string_equal(log_text, "GPU not used: planted: the wait failed\n");
    assert_int_equal(assay_share_cards(share), 2);
    assert_int_equal(multiply(share, 64), 22);
    assay_share_close(share);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_kernel), cmocka_unit_test(wrong_product), cmocka_unit_test(absent),
        cmocka_unit_test(not_trusted),  cmocka_unit_test(later),         cmocka_unit_test(lost_in_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
