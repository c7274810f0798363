/* Row sharing: the bits of the processor whatever is shared how, on the processor beside itself and on every card that
 * this machine has, software renderers included; and calibration, limits, turns and status by a clock and a heap that the
 * test plays. */
#include "devices/device.h"
#include "kernels/share.h"
#include "kernels/share_rules.h"
#include "tests/q1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/expect.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS  1000000u
#define MIB 1048576u

/* ---- the played machine ---- */

struct world {
    uint64_t now_ns;
    int64_t split[4]; /* ends; -1 = by share */
    struct assay_share_memory memory;
    uint64_t planted[2]; /* of a product on a card, on the processor, while it is calibrated */
    uint32_t cpu_calls, calls;
    char log[2048];
};

static uint64_t now(void *context)
{
    return ((struct world *)context)->now_ns;
}

/* The processor is timed first, with a look at the clock before and after each product; a card's products have one more
 * look in between. */
static uint64_t planted_now(void *context)
{
    struct world *w = context;
    const uint32_t call = w->calls++;
    if (call < w->cpu_calls && call % 2) w->now_ns += w->planted[1];
    if (call >= w->cpu_calls && (call - w->cpu_calls) % 3 == 1) w->now_ns += w->planted[0];
    return w->now_ns;
}

static void memory(void *context, size_t card, struct assay_share_memory *memory)
{
    (void)card;
    *memory = ((struct world *)context)->memory;
}

static int64_t split(void *context, size_t card, int64_t rows)
{
    const int64_t end = ((struct world *)context)->split[card];
    return end < 0 ? rows : end;
}

static void say(void *context, const char *line)
{
    struct world *w = context;
    const size_t used = strlen(w->log);
    snprintf(w->log + used, sizeof w->log - used, "%s\n", line);
}

static struct assay_share *open_share(const char *const *cards, size_t count, struct world *w,
                                      struct assay_share_params params)
{
    struct assay_share *share = NULL;
    static const struct assay_driver_params two_threads = {.cpu_threads = 2};
    params.cards = cards;
    params.card_count = count;
    params.driver = &two_threads;
    params.allow_software = true;
    if (w) {
        params.log = say;
        params.log_context = w;
        params.hooks.context = w;
    }
    OK(assay_share_open(&params, &share, &error));
    return share;
}

static const char *const cpu_card[2] = {"cpu", "cpu"};

/* ---- matrices ---- */

struct matrix {
    int64_t rows, blocks;
    uint8_t *w, *x;
    float *want, *got;
    struct assay_share_matrix *handle;
};

static void make(struct matrix *m, int64_t rows, int64_t blocks, uint64_t seed, enum q1_fill fill)
{
    *m = (struct matrix){.rows = rows, .blocks = blocks};
    m->w = malloc((size_t)(rows * blocks) * 18);
    m->x = malloc((size_t)blocks * 136);
    m->want = malloc((size_t)rows * 4);
    m->got = malloc((size_t)rows * 4);
    q1_fill_weights(m->w, rows * blocks, seed, fill);
    q1_fill_activations(m->x, blocks, seed, fill);
    for (int64_t r = 0; r < rows; r++) m->want[r] = q1_model(m->w + r * blocks * 18, m->x, blocks);
}

static void load(struct assay_share *share, struct matrix *m)
{
    const struct assay_share_part part = {m->rows, m->w};
    OK(assay_share_load(share, m->blocks * 128, &part, 1, &m->handle, &error));
}

static void unmake(struct matrix *m)
{
    free(m->got);
    free(m->want);
    free(m->x);
    free(m->w);
}

static void begin(struct assay_share *share, struct matrix *m, int64_t *taken)
{
    memset(m->got, 0xff, (size_t)m->rows * 4);
    OK(assay_share_begin(share, m->handle, m->x, taken, &error));
}

static void finish(struct assay_share *share, struct matrix *m)
{
    OK(assay_share_finish(share, m->got, &error));
    for (int64_t r = 0; r < m->rows; r++)
        if (memcmp(&m->got[r], &m->want[r], 4) != 0 && !(isnan(m->got[r]) && isnan(m->want[r])))
            fail_msg("row %d of %d is %a, %a is right", (int)r, (int)m->rows, (double)m->got[r],
                     (double)m->want[r]);
}

static int64_t multiply(struct assay_share *share, struct matrix *m)
{
    int64_t taken;
    begin(share, m, &taken);
    finish(share, m);
    return taken;
}

static json_t *status_of(struct assay_share *share, size_t card)
{
    char *text = assay_share_status(share, card);
    json_t *status = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(status);
    free(text);
    return status;
}

static int64_t number_of(struct assay_share *share, const char *key)
{
    json_t *status = status_of(share, 0);
    const json_int_t value = json_integer_value(json_object_get(status, key));
    json_decref(status);
    return value;
}

/* Every card of this machine that is not the processor. */
static char found[ASSAY_SHARE_CARDS_MAX][24];
static const char *found_cards[ASSAY_SHARE_CARDS_MAX];
static bool slow[ASSAY_SHARE_CARDS_MAX]; /* a software renderer, which takes long to open */
static size_t found_count;

static int find_cards(void **state)
{
    (void)state;
    static struct assay_device_list list;
    assay_discover(&(struct assay_driver_params){0}, NULL, &list);
    for (size_t i = 0; i < list.count && found_count < ASSAY_SHARE_CARDS_MAX; i++) {
        const struct assay_device_info *info = &list.device[i];
        if (strcmp(info->backend, "cpu") == 0 || info->duplicate || !(info->usable || info->software))
            continue;
        slow[found_count] = info->software;
        found_cards[found_count] = assay_device_label(info, found[found_count]);
        found_count++;
    }
    return 0;
}

/* ---- rows E26, E34: who computes changes no bit ---- */

static void shares_on(const char *const *cards, size_t count, bool slow)
{
    static const double shares[] = {0, 0.02, 0.26, 0.5, 0.95};
    static const enum q1_fill fills[] = {Q1_FILL_LAYER, Q1_FILL_WRAP, Q1_FILL_SCALES, Q1_FILL_SPECIAL};
    /* Opening a software renderer takes long: the boundaries have the other shares' rows. */
    struct matrix m[4];
    for (size_t f = 0; f < 4; f++) make(&m[f], 203, 3, f, fills[f]);
    for (size_t s = slow ? 3 : 0; s < (slow ? 4 : 5); s++) {
        struct world w = {.log = ""};
        struct assay_share *share = open_share(
            cards, count, &w,
            (struct assay_share_params){.fixed_share = true, .share = shares[s], .always = true, .limit = 1});
        const bool none = shares[s] / (double)count < 0.02;
        if (assay_share_cards(share) != (none ? 0 : count))
            fail_msg("share %g of %zu cards, the first %s: %zu are used\n%s", shares[s], count, cards[0],
                     assay_share_cards(share), w.log);
        struct assay_share_counts before = {0}, after;
        for (int repeat = 0; repeat < 3; repeat++)
            for (size_t f = 0; f < 4; f++) {
                if (!repeat) load(share, &m[f]);
                const int64_t taken = multiply(share, &m[f]);
                assert_int_equal(taken, none ? 0 : (int64_t)floor(shares[s] * 203));
                assay_share_count(share, &after);
                /* Only the cards' rows go up, once; later products send activations alone. */
                assert_int_equal(after.weight_bytes - before.weight_bytes, repeat ? 0 : taken * 3 * 18);
                assert_int_equal(after.vector_bytes - before.vector_bytes, none ? 0 : count * 3 * 136);
                before = after;
            }
        assay_share_close(share);
    }
    for (size_t f = 0; f < 4; f++) unmake(&m[f]);
}

static void boundaries_on(const char *const *cards, size_t count)
{
    struct matrix m;
    struct world w = {.log = ""};
    make(&m, 64, 2, 9, Q1_FILL_WRAP);
    struct assay_share *share = open_share(
        cards, count, &w,
        (struct assay_share_params){
            .fixed_share = true, .share = 0.5, .always = true, .limit = 1, .hooks = {.split = split}});
    load(share, &m);
    assert_int_equal(assay_share_cards(share), count);
    for (int64_t end = 0; end <= 64; end++) {
        w.split[0] = count == 1 ? end : end / 3;
        for (size_t i = 1; i < count; i++) w.split[i] = end;
        assert_int_equal(multiply(share, &m), end);
    }
    assay_share_close(share);
    unmake(&m);
}

/* No width but memory's is too large for a card (row K14). */
static void wide_on(const char *card)
{
    struct matrix m;
    make(&m, 10, 129, 3, Q1_FILL_LAYER);
    struct assay_share *share = open_share(
        &card, 1, NULL,
        (struct assay_share_params){.fixed_share = true, .share = 0.5, .always = true, .limit = 1});
    load(share, &m);
    assert_int_equal(multiply(share, &m), 5);
    assay_share_close(share);
    unmake(&m);
}

static void processor_beside_itself(void **state)
{
    (void)state;
    wide_on("cpu");
    shares_on(cpu_card, 1, false);
    boundaries_on(cpu_card, 1);
}

static void three_ways(void **state)
{
    (void)state;
    shares_on(cpu_card, 2, false);
    boundaries_on(cpu_card, 2);
}

static void every_card(void **state)
{
    (void)state;
    if (!found_count) skip();
    for (size_t i = 0; i < found_count; i++) {
        shares_on(&found_cards[i], 1, slow[i]);
        boundaries_on(&found_cards[i], 1);
        wide_on(found_cards[i]);
    }
}

/* All cards together; one card stands beside the processor opened a second time. */
static void all_cards(void **state)
{
    (void)state;
    if (!found_count) skip();
    const char *cards[4] = {found_cards[0], "cpu"};
    size_t count = found_count < 4 ? found_count : 4;
    for (size_t i = 1; i < count; i++) cards[i] = found_cards[i];
    if (count < 2) count = 2;
    shares_on(cards, count, slow[0]);
    boundaries_on(cards, count);
}

/* 253 products a token: 36 layers of q, k, v, o, gate, up, down, and the head. Stacked, a group is one submission. */
static void submissions(void **state)
{
    (void)state;
    static const int64_t rows[7] = {64, 16, 16, 64, 96, 96, 64};
    static const int group_of[7] = {0, 0, 0, 1, 2, 2, 3};
    struct matrix one[7], head;
    struct assay_share_counts counts[3];
    struct assay_share *share = open_share(
        cpu_card, 1, NULL,
        (struct assay_share_params){.fixed_share = true, .share = 0.5, .always = true, .limit = 1});
    for (int i = 0; i < 7; i++) make(&one[i], rows[i], 2, 40 + (uint64_t)i, Q1_FILL_LAYER);
    make(&head, 200, 2, 50, Q1_FILL_LAYER);
    for (int i = 0; i < 7; i++) {
        if (i && group_of[i] == group_of[i - 1]) { /* a group has one input */
            memcpy(one[i].x, one[i - 1].x, 2 * 136);
            for (int64_t r = 0; r < rows[i]; r++) one[i].want[r] = q1_model(one[i].w + r * 36, one[i].x, 2);
        }
        load(share, &one[i]);
    }
    load(share, &head);
    assay_share_count(share, &counts[0]);
    for (int layer = 0; layer < 36; layer++)
        for (int i = 0; i < 7; i++) multiply(share, &one[i]);
    multiply(share, &head);
    assay_share_count(share, &counts[1]);
    assert_int_equal(counts[1].submits - counts[0].submits, 253);

    struct matrix group[4];
    for (int g = 0, i = 0; g < 4; g++) {
        struct assay_share_part part[3];
        size_t parts = 0;
        group[g] = (struct matrix){.blocks = 2, .x = one[i].x};
        group[g].want = calloc(200, 4);
        group[g].got = calloc(200, 4);
        for (; i < 7 && group_of[i] == g; i++) {
            part[parts++] = (struct assay_share_part){rows[i], one[i].w};
            memcpy(group[g].want + group[g].rows, one[i].want, (size_t)rows[i] * 4);
            group[g].rows += rows[i];
        }
        OK(assay_share_load(share, 256, part, parts, &group[g].handle, &error));
    }
    for (int layer = 0; layer < 36; layer++)
        for (int g = 0; g < 4; g++) multiply(share, &group[g]);
    multiply(share, &head);
    assay_share_count(share, &counts[2]);
    assert_int_equal(counts[2].submits - counts[1].submits, 145);
    assay_share_close(share);
    for (int g = 0; g < 4; g++) {
        free(group[g].want);
        free(group[g].got);
    }
    for (int i = 0; i < 7; i++) unmake(&one[i]);
    unmake(&head);
}

/* ---- row E27 ---- */

static void planted_timers(void **state)
{
    (void)state;
    static const struct {
        uint64_t card_ns, cpu_ns;
        double share;
    } planted[] = {{1 * MS, 3 * MS, 0.75}, {100 * MS, 1 * MS, 0}, {49 * MS, 1 * MS, 0.02}};
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        struct world w = {.planted = {planted[i].card_ns, planted[i].cpu_ns}, .cpu_calls = 8};
        struct assay_share *share =
            open_share(cpu_card, 1, &w, (struct assay_share_params){.hooks = {.now_ns = planted_now}});
        assert_int_equal(assay_share_cards(share), planted[i].share > 0);
        json_t *status = status_of(share, 0);
        if (planted[i].share > 0) {
            double got = json_real_value(json_object_get(status, "share"));
            if (fabs(got - planted[i].share) > 1e-9) fail_msg("share %g", got);
            assert_int_equal(w.calls, 8 + 12 + 2); /* four products each; the opening, and the status */
        } else {
            assert_true(json_is_null(status));
            assert_non_null(strstr(w.log, "GPU not used: "));
            assert_non_null(strstr(w.log, "less than 0.02"));
        }
        json_decref(status);
        assay_share_close(share);
    }
    /* Several cards: each has its rate of all rates, and one that is left out changes the others'. */
    const uint64_t both[3] = {1 * MS, 2 * MS, 400 * MS};
    double share[3];
    share_calibrate(both, 3, 2 * MS, share);
    assert_true(fabs(share[0] - 0.5) < 1e-9 && fabs(share[1] - 0.25) < 1e-9 && share[2] == 0);
}

static void words(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        double share, limit;
    } good[] = {{"-1", 0, 0.05}, {"0.3", 0.3, 0.3}, {"2", 0.95, 1}, {"0.01", 0.01, 0.05}, {"5", 0.95, 1}};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        OK(assay_share_number("GPU_SHARE", good[i].word, &value, &error));
        assert_true(share_clamp(value) == good[i].share && share_limit(value) == good[i].limit);
    }
    assert_true(share_limit(0) == 0.8);
    static const char *const bad[] = {"", "half", "0.3x", "nan", "0,3"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        FAILS(ASSAY_INVALID_INPUT, "GPU_SHARE is '", assay_share_number("GPU_SHARE", bad[i], &value, &error));
    FAILS(ASSAY_INVALID_INPUT, "not a number", assay_share_number("GPU_SHARE", NULL, &value, &error));

    struct assay_share *share = NULL;
    FAILS(ASSAY_INVALID_INPUT, "share of cards is not a number",
          assay_share_open(&(struct assay_share_params){.fixed_share = true, .share = NAN}, &share, &error));
    FAILS(ASSAY_INVALID_INPUT, "limit of cards is not a number",
          assay_share_open(&(struct assay_share_params){.limit = NAN}, &share, &error));
    FAILS(ASSAY_INVALID_INPUT, "9 cards, at most 8",
          assay_share_open(&(struct assay_share_params){.card_count = 9}, &share, &error));
    assert_null(share);
    /* 2 is held to 0.95, and that is what the card has. */
    share = open_share(cpu_card, 1, NULL,
                       (struct assay_share_params){.fixed_share = true, .share = 2, .limit = 5});
    json_t *status = status_of(share, 0);
    assert_true(json_real_value(json_object_get(status, "share")) == 0.95);
    assert_true(json_real_value(json_object_get(status, "limit")) == 1);
    json_decref(status);
    assay_share_close(share);
}

/* ---- row E28 ---- */

static void out_of_turn(void **state)
{
    (void)state;
    struct matrix m, small;
    int64_t taken;
    uint8_t q8[34];
    const float x[32] = {1};
    struct world w = {.memory = {.heap_bytes = 1u << 30}};
    make(&m, 40, 2, 1, Q1_FILL_LAYER);
    make(&small, 1, 2, 1, Q1_FILL_LAYER);
    struct assay_share *share = open_share(
        cpu_card, 1, &w,
        (struct assay_share_params){.fixed_share = true, .share = 0.5, .limit = 1, .hooks = {.now_ns = now}});
    load(share, &m);
    load(share, &small);
    FAILS(ASSAY_INVALID_INPUT, "none was begun", assay_share_finish(share, m.got, &error));
    begin(share, &m, &taken);
    FAILS(ASSAY_INVALID_INPUT, "assay_share_finish comes after every assay_share_begin",
          assay_share_begin(share, m.handle, m.x, &taken, &error));
    FAILS(ASSAY_INVALID_INPUT, "while a product is begun", assay_share_quantize(share, x, 32, q8, &error));
    const struct assay_share_part part = {1, small.w};
    FAILS(ASSAY_INVALID_INPUT, "while a product is begun",
          assay_share_load(share, 256, &part, 1, &small.handle, &error));
    assert_null(small.handle);
    finish(share, &m); /* what was refused changed nothing */
    FAILS(ASSAY_INVALID_INPUT, "none was begun", assay_share_finish(share, m.got, &error));
    /* Half of one row is no row: the product needs its finish all the same, and its time counts. */
    load(share, &small);
    for (int i = 0; i < 14; i++) {
        assert_int_equal(number_of(share, "shapes_tuning"), 2);
        begin(share, &small, &taken);
        assert_int_equal(taken, 0);
        if (!i)
            FAILS(ASSAY_INVALID_INPUT, "also with 0 rows",
                  assay_share_begin(share, small.handle, small.x, &taken, &error));
        w.now_ns += MS;
        finish(share, &small);
    }
    assert_int_equal(number_of(share, "shapes_tuning"), 1);
    /* A product that is never finished ends with its matrix, or with the handle. */
    begin(share, &m, &taken);
    assay_share_unload(share, m.handle);
    multiply(share, &small);
    begin(share, &small, &taken);
    assay_share_close(share);
    assay_share_close(NULL);
    unmake(&small);
    unmake(&m);
}

static void malformed(void **state)
{
    (void)state;
    struct assay_share *share =
        open_share(cpu_card, 1, NULL, (struct assay_share_params){.fixed_share = true, .share = 0.5});
    struct assay_share_matrix *matrix;
    uint8_t bytes[36] = {0};
    const struct assay_share_part good = {1, bytes}, none = {0, bytes}, null = {1, NULL},
                                  huge = {INT64_MAX / 64, bytes};
    FAILS(ASSAY_INVALID_INPUT, "100 columns", assay_share_load(share, 100, &good, 1, &matrix, &error));
    FAILS(ASSAY_INVALID_INPUT, "0 columns", assay_share_load(share, 0, &good, 1, &matrix, &error));
    FAILS(ASSAY_INVALID_INPUT, "0 rows", assay_share_load(share, 128, &none, 1, &matrix, &error));
    FAILS(ASSAY_INVALID_INPUT, "no weights", assay_share_load(share, 128, &null, 1, &matrix, &error));
    FAILS(ASSAY_INVALID_INPUT, "too large", assay_share_load(share, 128, &huge, 1, &matrix, &error));
    FAILS(ASSAY_INVALID_INPUT, "without parts", assay_share_load(share, 128, NULL, 0, &matrix, &error));
    FAILS(ASSAY_INVALID_INPUT, "31 elements", assay_share_quantize(share, (float[32]){0}, 31, bytes, &error));
    assay_share_unload(share, NULL);
    float x[64];
    uint8_t want[68], got[68];
    for (int i = 0; i < 64; i++) x[i] = (float)(i * i - 900) * 0.37f;
    for (int b = 0; b < 2; b++) q1_model_quantize(x + 32 * b, want + 34 * b);
    OK(assay_share_quantize(share, x, 64, got, &error));
    assert_memory_equal(got, want, 68);
    assay_share_close(share);
}

/* ---- rows E30 to E33 ---- */

static void memory_limit(void **state)
{
    (void)state;
    const struct assay_share_memory heap = {.heap_bytes = 100 * MIB};
    assert_true(share_fits(&heap, 0.8, 0, 80 * MIB) && !share_fits(&heap, 0.8, 0, 80 * MIB + 1));
    assert_true(share_fits(&heap, 0.8, 79 * MIB, MIB) && !share_fits(&heap, 0.8, 79 * MIB, MIB + 1));
    assert_false(share_fits(&heap, 1, 5, UINT64_MAX));
    const struct assay_share_memory ram = {
        .heap_bytes = 100 * MIB, .integrated = true, .available_bytes = 30 * MIB};
    assert_true(share_fits(&ram, 0.5, 10 * MIB, 10 * MIB) && !share_fits(&ram, 0.5, 10 * MIB, 10 * MIB + 1));

    /* On a card, to the byte. */
    struct world w = {.memory = {.heap_bytes = 100 * MIB}};
    struct assay_share *share = open_share(
        cpu_card, 1, &w,
        (struct assay_share_params){
            .fixed_share = true, .share = 0.5, .always = true, .hooks = {.now_ns = now, .memory = memory}});
    struct matrix m, other;
    make(&m, 100, 3, 1, Q1_FILL_LAYER);
    make(&other, 20, 3, 1, Q1_FILL_LAYER);
    load(share, &m);
    load(share, &other);
    const uint64_t need = 50 * 3 * 18 + 3 * 136 + 50 * 4;
    w.memory.heap_bytes = need * 5 / 4 - 2; /* 0.8 of it is a byte and more short */
    assert_int_equal(multiply(share, &m), 0);
    assert_int_equal(number_of(share, "products_on_cpu_memory"), 1);
    assert_int_equal(number_of(share, "allocated_bytes"), 0);
    w.memory.heap_bytes = (need * 5 + 3) / 4;
    assert_int_equal(multiply(share, &m), 50);
    w.now_ns += MS;
    assert_int_equal(number_of(share, "allocated_bytes"), need);
    assert_int_equal(multiply(share, &other), 0); /* one more does not fit */
    assert_int_equal(number_of(share, "products_on_cpu_memory"), 2);
    assert_int_equal(multiply(share, &m), 50); /* what is there stays of use */
    w.memory.integrated = true;
    w.memory.heap_bytes *= 4;
    w.memory.available_bytes = need / 4 - 8;
    assert_int_equal(multiply(share, &other), 0);
    assert_int_equal(number_of(share, "products_on_cpu_memory"), 3);
    assay_share_unload(share, m.handle); /* makes room */
    w.memory.available_bytes = need;
    assert_int_equal(multiply(share, &other), 10);
    assert_int_equal(number_of(share, "products_on_card"), 3);
    assay_share_unload(share, other.handle);
    struct matrix wide;
    make(&wide, 200, 5, 1, Q1_FILL_LAYER); /* longer vectors take the place of the old ones */
    load(share, &wide);
    w.memory.available_bytes = MIB;
    assert_int_equal(multiply(share, &wide), 100);
    assert_int_equal(number_of(share, "allocated_bytes"), 100 * 5 * 18 + 5 * 136 + 100 * 4);
    assay_share_close(share);
    unmake(&wide);
    unmake(&other);
    unmake(&m);
}

static void time_limit(void **state)
{
    (void)state;
    assert_int_equal(share_rest_ns(8 * MS, 0.8), 2 * MS);
    struct matrix m;
    int64_t taken;
    struct world w = {.now_ns = 5};
    make(&m, 64, 2, 4, Q1_FILL_LAYER);
    struct assay_share_params params = {
        .fixed_share = true, .share = 0.5, .limit = 0.8, .always = true, .hooks = {.now_ns = now}};
    struct assay_share *share = open_share(cpu_card, 1, &w, params);
    load(share, &m);
    begin(share, &m, &taken);
    assert_int_equal(taken, 32);
    w.now_ns += 8 * MS;
    finish(share, &m);
    w.now_ns += MS;
    assert_int_equal(multiply(share, &m), 0);
    assert_int_equal(number_of(share, "products_on_cpu_resting"), 1);
    w.now_ns += MS + MS / 10; /* 2.1 ms after the end */
    assert_int_equal(multiply(share, &m), 32);
    assert_int_equal(number_of(share, "products_on_cpu_resting"), 1);
    assert_int_equal(number_of(share, "products_on_card"), 2);
    json_t *status = status_of(share, 0);
    assert_true(fabs(json_real_value(json_object_get(status, "busy")) - 8 / 10.1) < 1e-9);
    json_decref(status);
    assay_share_close(share);
    params.limit = 1;
    share = open_share(cpu_card, 1, &w, params);
    load(share, &m);
    for (int i = 0; i < 3; i++) {
        begin(share, &m, &taken);
        assert_int_equal(taken, 32);
        w.now_ns += 8 * MS;
        finish(share, &m);
    }
    assay_share_close(share);
    unmake(&m);
}

/* Fourteen counted products decide; the card takes cards_ns on its turns, the processor alone cpu_ns, and in the middle
 * the card rests and lacks memory for a while. */
static void decide(uint64_t cards_ns, uint64_t cpu_ns, bool card_wins)
{
    struct matrix m, twin;
    int64_t taken;
    struct world w = {.now_ns = 1, .memory = {.heap_bytes = 1u << 30}};
    make(&m, 64, 2, 4, Q1_FILL_LAYER);
    make(&twin, 64, 2, 5, Q1_FILL_LAYER);
    struct assay_share *share = open_share(
        cpu_card, 1, &w,
        (struct assay_share_params){
            .fixed_share = true, .share = 0.5, .limit = 0.05, .hooks = {.now_ns = now, .memory = memory}});
    load(share, &m);
    load(share, &twin);
    for (int counted = 0; counted < 14; counted++) {
        const bool turn = counted % 2;
        assert_int_equal(number_of(share, "shapes_tuning"), 1);
        if (counted == 5) /* the card still rests from turn 3: such products do not count */
            for (int i = 0; i < 3; i++) {
                begin(share, &m, &taken);
                assert_int_equal(taken, 0);
                w.now_ns += 1;
                finish(share, &m);
            }
        if (counted != 4) w.now_ns += 20000ull * MS;
        if (counted ==
            7) { /* nor one for which there was no room, nor the first of another matrix, with its upload */
            w.memory.heap_bytes = 0;
            assert_int_equal(multiply(share, &twin), 0);
            w.memory.heap_bytes = 1u << 30;
            assert_int_equal(multiply(share, &twin), 32);
        }
        begin(share, &m, &taken);
        assert_int_equal(taken, turn ? 32 : 0);
        w.now_ns += counted < 2 ? 500 * MS : turn ? cards_ns : cpu_ns; /* warm-ups are slow */
        if (counted == 12) w.now_ns += 100 * MS;                       /* one odd timing changes no median */
        finish(share, &m);
    }
    assert_int_equal(number_of(share, "shapes_tuning"), 0);
    assert_int_equal(number_of(share, "shapes_on_card"), card_wins);
    assert_int_equal(number_of(share, "shapes_on_cpu"), !card_wins);
    /* A shape that is lost frees its weights; what stays are the two vectors. */
    const int64_t vectors = 2 * 136 + 32 * 4, weights = 2 * 32 * 2 * 18;
    assert_int_equal(number_of(share, "allocated_bytes"), vectors + (card_wins ? weights : 0));
    w.now_ns += 20000ull * MS;
    assert_int_equal(multiply(share, &m), card_wins ? 32 : 0);
    assay_share_close(share);
    unmake(&twin);
    unmake(&m);
}

static void turns(void **state)
{
    (void)state;
    decide(2 * MS, 3 * MS, true);
    decide(3 * MS, 2 * MS, false);
    decide(2 * MS, 2 * MS, false);
}

static void status(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        json_type type;
    } keys[] = {
        {"card", JSON_STRING},
        {"limit", JSON_REAL},
        {"share", JSON_REAL},
        {"allocated_bytes", JSON_INTEGER},
        {"heap_bytes", JSON_INTEGER},
        {"integrated", JSON_FALSE},
        {"busy", JSON_REAL},
        {"products_on_card", JSON_INTEGER},
        {"products_on_cpu_resting", JSON_INTEGER},
        {"products_on_cpu_memory", JSON_INTEGER},
        {"shapes_on_card", JSON_INTEGER},
        {"shapes_on_cpu", JSON_INTEGER},
        {"shapes_tuning", JSON_INTEGER},
    };
    struct assay_share *share =
        open_share(cpu_card, 1, NULL, (struct assay_share_params){.fixed_share = true, .share = 0.5});
    json_t *object = status_of(share, 0), *nothing = status_of(share, 1);
    assert_int_equal(json_object_size(object), 13);
    for (size_t i = 0; i < 13; i++)
        assert_int_equal(json_typeof(json_object_get(object, keys[i].key)), keys[i].type);
    assert_true(json_integer_value(json_object_get(object, "heap_bytes")) > 0);
    assert_true(json_is_null(nothing));
    json_decref(nothing);
    json_decref(object);
    assay_share_close(share);
    /* Without a card. */
    struct world w = {.log = ""};
    share = open_share(NULL, 0, &w, (struct assay_share_params){.fixed_share = true, .share = 0});
    nothing = status_of(share, 0);
    assert_true(json_is_null(nothing));
    json_decref(nothing);
    assay_share_close(share);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processor_beside_itself),
        cmocka_unit_test(three_ways),
        cmocka_unit_test(every_card),
        cmocka_unit_test(all_cards),
        cmocka_unit_test(submissions),
        cmocka_unit_test(planted_timers),
        cmocka_unit_test(words),
        cmocka_unit_test(out_of_turn),
        cmocka_unit_test(malformed),
        cmocka_unit_test(memory_limit),
        cmocka_unit_test(time_limit),
        cmocka_unit_test(turns),
        cmocka_unit_test(status),
    };
    return cmocka_run_group_tests(tests, find_cards, NULL);
}
