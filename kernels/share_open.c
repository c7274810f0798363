/* Opening a row sharing: the processor, then the cards, each of which multiplies one matrix as the processor does before it
 * is used, and is timed on it when shares are to be found. */
#include "kernels/share_state.h"
#include "devices/device.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMED_SIDE   4096 /* rows and columns of the product that is timed */
#define TIMED_TRIALS 3
#define CHECK_ROWS   256 /* of the one that only checks the card */
#define CHECK_COLS   1024

static uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 31;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/* Blocks as in a layer of a model: f16 scales around 2^-6 of either sign, any signs, any codes but -128. */
static void fill_blocks(uint8_t *to, size_t count, size_t block_bytes, uint64_t seed)
{
    for (size_t b = 0; b < count; b++, to += block_bytes) {
        const uint64_t at = mix(seed + b);
        const unsigned scale = 0x2000 + (unsigned)(at % 0x800) + (unsigned)(at >> 63 << 15);
        to[0] = (uint8_t)scale;
        to[1] = (uint8_t)(scale >> 8);
        for (size_t i = 2; i < block_bytes; i++) {
            to[i] = (uint8_t)(mix(at + i) >> 8);
            if (to[i] == 0x80) to[i] = 0x7f;
        }
    }
}

/* The product that checks and times everyone. */
struct trial {
    struct assay_share_matrix *matrix;
    int64_t rows, cols;
    uint32_t runs; /* after one that warms up */
    uint8_t *x;
    float *want, *got;
};

static enum assay_status trial_make(struct assay_share *share, bool timed, struct trial *trial,
                                    struct assay_error *error)
{
    trial->rows = timed ? TIMED_SIDE : CHECK_ROWS;
    trial->cols = timed ? TIMED_SIDE : CHECK_COLS;
    trial->runs = timed ? TIMED_TRIALS : 0;
    const size_t blocks = (size_t)trial->cols / SHARE_BLOCK_WEIGHTS, all = blocks * (size_t)trial->rows;
    uint8_t *weights = malloc(all * SHARE_BLOCK_BYTES);
    trial->x = malloc(blocks * SHARE_INPUT_BYTES);
    trial->want = malloc((size_t)trial->rows * sizeof *trial->want);
    trial->got = malloc((size_t)trial->rows * sizeof *trial->got);
    enum assay_status status = ASSAY_OK;
    if (!weights || !trial->x || !trial->want || !trial->got) {
        status =
            assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for the product that checks cards");
        goto out;
    }
    fill_blocks(weights, all, SHARE_BLOCK_BYTES, 1);
    fill_blocks(trial->x, blocks * SHARE_INPUT_BYTES / SHARE_Q8_BYTES, SHARE_Q8_BYTES, (uint64_t)1 << 40);
    const struct assay_share_part part = {trial->rows, weights};
    status = share_load(share, trial->cols, &part, 1, false, &trial->matrix, error);
out:
    free(weights);
    return status;
}

static void trial_free(struct assay_share *share, struct trial *trial)
{
    assay_share_unload(share, trial->matrix);
    free(trial->got);
    free(trial->want);
    free(trial->x);
}

static enum assay_status trial_cpu(struct assay_share *share, struct trial *trial, uint64_t *best_ns,
                                   struct assay_error *error)
{
    const struct share_range all = {0, trial->rows};
    *best_ns = UINT64_MAX;
    for (uint32_t run = 0; run <= trial->runs; run++) {
        const uint64_t start = share_now_ns(share);
        enum assay_status status =
            assay_upload(share->cpu, share->x, 0, trial->x,
                         (uint64_t)(trial->cols / SHARE_BLOCK_WEIGHTS) * SHARE_INPUT_BYTES, error);
        if (status == ASSAY_OK) status = share_cpu_start(share, trial->matrix, &all, error);
        if (status == ASSAY_OK) status = share_cpu_collect(share, &all, trial->want, error);
        if (status != ASSAY_OK) return status;
        const uint64_t ns = share_now_ns(share) - start;
        if (run && ns < *best_ns) *best_ns = ns;
    }
    return ASSAY_OK;
}

/* All rows on one card: right, and how fast? */
static enum assay_status trial_card(struct assay_share *share, size_t card, struct trial *trial,
                                    uint64_t *best_ns, struct assay_error *error)
{
    *best_ns = UINT64_MAX;
    for (uint32_t run = 0; run <= trial->runs; run++) {
        bool no_room;
        const uint64_t start = share_now_ns(share);
        share->card[card].started_ns = start;
        memset(trial->got, 0xff, (size_t)trial->rows * sizeof *trial->got);
        enum assay_status status =
            share_card_start(share, card, trial->matrix, 0, trial->rows, trial->x, &no_room, error);
        if (status == ASSAY_OK && no_room) {
            const struct assay_error why =
                *error; /* of its limits; none if it was the limit of the parameters */
            return assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                                   "%s cannot take a product of %" PRId64 " x %" PRId64 "%s%.200s",
                                   assay_engine_device(share->card[card].engine)->name, trial->rows,
                                   trial->cols, why.text[0] ? ": " : " within its memory limit", why.text);
        }
        if (status == ASSAY_OK) status = share_card_collect(share, card, trial->got, error);
        if (status != ASSAY_OK) return status;
        const uint64_t ns = share_now_ns(share) - start;
        if (run && ns < *best_ns) *best_ns = ns;
        for (int64_t row = 0; row < trial->rows; row++)
            if (memcmp(&trial->got[row], &trial->want[row], sizeof(float)) != 0)
                return assay_error_set(
                    error, ASSAY_DEVICE_UNSUPPORTED,
                    "%s differs from the processor in row %" PRId64 " of %" PRId64 " x %" PRId64,
                    assay_engine_device(share->card[card].engine)->name, row, trial->rows, trial->cols);
    }
    if (!*best_ns) *best_ns = 1;
    return ASSAY_OK;
}

static void open_card(struct assay_share *share, size_t card, const struct assay_share_params *params)
{
    struct assay_error error = {0};
    const struct assay_open_params open = {
        .device = params->card_count ? params->cards[card] : NULL,
        .driver = params->driver,
        .allow_software = params->allow_software,
        .require_trust = params->require_trust,
        .trust_dir = params->trust_dir,
    };
    if (assay_open(&open, &share->card[card].engine, &error) != ASSAY_OK) {
        share_card_drop(share, card, error.text);
        return;
    }
    if (!open.device && strcmp(assay_engine_device(share->card[card].engine)->backend, "cpu") == 0)
        share_card_drop(share, card, "this machine has no usable card");
}

/* Check every card, and find each one's share. */
static enum assay_status find_shares(struct assay_share *share, const struct assay_share_params *params,
                                     struct assay_error *error)
{
    struct trial trial = {0};
    uint64_t cpu_ns = 0, card_ns[ASSAY_SHARE_CARDS_MAX] = {0};
    enum assay_status status = trial_make(share, !params->fixed_share, &trial, error);
    if (status == ASSAY_OK) status = trial_cpu(share, &trial, &cpu_ns, error);
    for (size_t i = 0; i < share->card_count && status == ASSAY_OK; i++) {
        struct assay_error reason = {0};
        if (!share->card[i].engine || trial_card(share, i, &trial, &card_ns[i], &reason) == ASSAY_OK)
            continue;
        card_ns[i] = 0;
        share_card_drop(share, i, reason.text);
    }
    trial_free(share, &trial);
    if (status != ASSAY_OK) return status;

    const size_t working = assay_share_cards(share);
    if (!params->fixed_share) share_calibrate(card_ns, share->card_count, cpu_ns, share->part);
    for (size_t i = 0; i < share->card_count; i++) {
        struct share_card *card = &share->card[i];
        if (!card->engine) continue;
        double part = share->part[i];
        if (params->fixed_share) part = share_clamp(params->share) / (double)working;
        share->part[i] = part >= SHARE_LEAST ? part : 0;
        if (part < SHARE_LEAST) {
            char reason[400];
            snprintf(reason, sizeof reason, "%s would get less than %g of a matrix's rows",
                     assay_engine_device(card->engine)->name, SHARE_LEAST);
            share_card_drop(share, i, reason);
            continue;
        }
        share_card_trim(share, i);
        card->busy_ns = card->rest_until_ns = card->products = 0;
    }
    memset(&share->counts, 0, sizeof share->counts);
    return ASSAY_OK;
}

static enum assay_status check_params(const struct assay_share_params *params, struct assay_error *error)
{
    if (params->card_count > ASSAY_SHARE_CARDS_MAX)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "%zu cards, at most %d share a matrix",
                               params->card_count, ASSAY_SHARE_CARDS_MAX);
    for (size_t i = 0; i < params->card_count; i++)
        if (!params->cards[i])
            return assay_error_set(error, ASSAY_INVALID_INPUT, "card %zu of %zu has no name", i,
                                   params->card_count);
    if (isnan(params->share) || isnan(params->limit))
        return assay_error_set(error, ASSAY_INVALID_INPUT, "the %s of cards is not a number",
                               isnan(params->share) ? "share" : "limit");
    return ASSAY_OK;
}

enum assay_status assay_share_open(const struct assay_share_params *params, struct assay_share **out,
                                   struct assay_error *error)
{
    static const struct assay_share_params defaults;
    if (!params) params = &defaults;
    *out = NULL;
    enum assay_status status = check_params(params, error);
    if (status != ASSAY_OK) return status;
    struct assay_share *share = calloc(1, sizeof *share);
    if (!share)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for a row sharing (%zu bytes)",
                               sizeof *share);
    share->hooks = params->hooks;
    share->log = params->log;
    share->log_context = params->log_context;
    share->limit = share_limit(params->limit);
    share->always = params->always;
    share->card_count = params->card_count ? params->card_count : 1;
    const struct assay_open_params cpu = {.device = "cpu", .driver = params->driver};
    status = assay_open(&cpu, &share->cpu, error);
    if (status == ASSAY_OK) {
        for (size_t i = 0; i < share->card_count; i++) open_card(share, i, params);
        if (assay_share_cards(share)) status = find_shares(share, params, error);
    }
    if (status != ASSAY_OK) {
        assay_share_close(share);
        return status;
    }
    share->opened_ns = share_now_ns(share);
    *out = share;
    return ASSAY_OK;
}
