/* One card of a row sharing: its memory within its limit, its rows of each matrix, its part of a product. Knows no other
 * card and not the processor's part. */
#include "kernels/share_state.h"
#include "devices/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (4u << 20) /* weights travel from the processor's copy in pieces of at most this */

/* ---- memory ---- */

static uint64_t available_bytes(void)
{
    char line[160];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    if (!file) return UINT64_MAX; /* unknown: the heap's bound alone counts */
    bool found = false;
    while (!found && fgets(line, sizeof line, file)) found = sscanf(line, "MemAvailable: %llu", &kib) == 1;
    fclose(file);
    return found ? (uint64_t)kib * 1024 : UINT64_MAX;
}

struct assay_share_memory share_card_memory(const struct assay_share *share, size_t card)
{
    const struct assay_device_info *info = assay_engine_device(share->card[card].engine);
    struct assay_share_memory memory = {
        .heap_bytes = info->device_local_bytes,
        .integrated = info->kind == ASSAY_KIND_INTEGRATED,
    };
    if (memory.integrated) memory.available_bytes = available_bytes();
    if (share->hooks.memory) share->hooks.memory(share->hooks.context, card, &memory);
    return memory;
}

static void release(struct share_card *card, struct assay_buffer **buffer, uint64_t *bytes)
{
    assay_free(card->engine, *buffer);
    card->allocated_bytes -= *bytes;
    *buffer = NULL;
    *bytes = 0;
}

static enum assay_status acquire(struct share_card *card, uint64_t wanted, struct assay_buffer **buffer,
                                 uint64_t *bytes, struct assay_error *error)
{
    enum assay_status status = assay_alloc(card->engine, wanted, buffer, error);
    if (status != ASSAY_OK) return status;
    *bytes = wanted;
    card->allocated_bytes += wanted;
    return ASSAY_OK;
}

void share_card_forget(struct assay_share *share, size_t card, struct assay_share_matrix *matrix)
{
    if (!matrix->part[card].weights) return;
    release(&share->card[card], &matrix->part[card].weights, &matrix->part[card].bytes);
}

void share_card_trim(struct assay_share *share, size_t card)
{
    struct share_card *c = &share->card[card];
    if (!c->engine) return;
    release(c, &c->x, &c->x_bytes);
    release(c, &c->y, &c->y_bytes);
}

void share_card_drop(struct assay_share *share, size_t card, const char *reason)
{
    struct share_card *c = &share->card[card];
    if (reason) share_log(share, reason);
    for (struct assay_share_matrix *m = share->matrices; m; m = m->next) {
        m->part[card].weights = NULL; /* closing frees them */
        m->part[card].bytes = 0;
    }
    assay_close(c->engine);
    *c = (struct share_card){0};
}

/* Copy rows of a matrix from the processor's engine to the card's. */
static enum assay_status send_rows(struct assay_share *share, struct share_card *card,
                                   const struct assay_share_matrix *matrix, int64_t first,
                                   struct assay_buffer *to, uint64_t bytes, struct assay_error *error)
{
    const uint64_t from = (uint64_t)first * (uint64_t)matrix->blocks * SHARE_BLOCK_BYTES;
    const uint64_t chunk = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
    enum assay_status status = ASSAY_OK;
    void *piece = malloc(chunk);
    if (!piece)
        return assay_error_set(error, ASSAY_OUT_OF_MEMORY,
                               "no host memory to copy weights (%" PRIu64 " bytes)", chunk);
    for (uint64_t at = 0; at < bytes && status == ASSAY_OK; at += chunk) {
        uint64_t size = bytes - at < chunk ? bytes - at : chunk;
        status = assay_download(share->cpu, matrix->weights, from + at, piece, size, error);
        if (status == ASSAY_OK) status = assay_upload(card->engine, to, at, piece, size, error);
    }
    free(piece);
    return status;
}

/* Buffers for a product, and the card's rows in them. */
static enum assay_status make_room(struct assay_share *share, size_t card, struct assay_share_matrix *matrix,
                                   int64_t first, int64_t end, bool *no_room, struct assay_error *error)
{
    struct share_card *c = &share->card[card];
    const uint64_t weights = (uint64_t)(end - first) * (uint64_t)matrix->blocks * SHARE_BLOCK_BYTES;
    const uint64_t x = (uint64_t)matrix->blocks * SHARE_INPUT_BYTES, y = (uint64_t)(end - first) * 4;
    const bool grow_x = x > c->x_bytes, grow_y = y > c->y_bytes;
    const bool here = matrix->part[card].weights && matrix->part[card].bytes == weights &&
                      matrix->part[card].first == first;
    uint64_t more = 0;
    if (here && !grow_x && !grow_y) return ASSAY_OK;
    if (!here) share_card_forget(share, card, matrix);
    if (!here) more += weights;
    if (grow_x) more += x - c->x_bytes;
    if (grow_y) more += y - c->y_bytes;
    const struct assay_share_memory memory = share_card_memory(share, card);
    *no_room = !share_fits(&memory, share->limit, c->allocated_bytes, more);
    if (*no_room) return ASSAY_OK;

    enum assay_status status = ASSAY_OK;
    if (grow_x) {
        release(c, &c->x, &c->x_bytes);
        status = acquire(c, x, &c->x, &c->x_bytes, error);
    }
    if (grow_y && status == ASSAY_OK) {
        release(c, &c->y, &c->y_bytes);
        status = acquire(c, y, &c->y, &c->y_bytes, error);
    }
    if (here || status != ASSAY_OK) return status;
    status = acquire(c, weights, &matrix->part[card].weights, &matrix->part[card].bytes, error);
    if (status != ASSAY_OK) return status;
    status = send_rows(share, c, matrix, first, matrix->part[card].weights, weights, error);
    if (status != ASSAY_OK) {
        share_card_forget(share, card, matrix);
        return status;
    }
    matrix->part[card].first = first;
    share->uploaded = true;
    share->counts.weight_bytes += weights;
    return ASSAY_OK;
}

/* ---- products ---- */

enum assay_status share_card_start(struct assay_share *share, size_t card, struct assay_share_matrix *matrix,
                                   int64_t first, int64_t end, const void *x, bool *no_room,
                                   struct assay_error *error)
{
    struct share_card *c = &share->card[card];
    const uint64_t x_bytes = (uint64_t)matrix->blocks * SHARE_INPUT_BYTES;
    static const struct assay_run_params untimed = {.untimed = true};
    struct assay_call call;
    *no_room = false;
    enum assay_status status = make_room(share, card, matrix, first, end, no_room, error);
    if (status != ASSAY_OK || *no_room) goto out;
    share_call(matrix, 0, end - first, matrix->part[card].weights, matrix->part[card].bytes, c->x, c->x_bytes,
               c->y, c->y_bytes, &call);
    status = assay_upload(c->engine, c->x, 0, x, x_bytes, error);
    if (status == ASSAY_OK) status = assay_start(c->engine, &call, &untimed, error);
    if (status != ASSAY_OK) goto out;
    share->counts.vector_bytes += x_bytes;
    share->counts.submits++;
    c->running = true;
    c->first = first;
    c->end = end;
out:
    /* A card whose memory or limits are too small for this matrix is a good card for others. */
    if (status != ASSAY_OUT_OF_MEMORY && status != ASSAY_UNSUPPORTED) return status;
    *no_room = true;
    return ASSAY_OK;
}

enum assay_status share_card_collect(struct assay_share *share, size_t card, float *y,
                                     struct assay_error *error)
{
    struct share_card *c = &share->card[card];
    c->running = false;
    enum assay_status status = assay_collect(c->engine, 0, NULL, error);
    const uint64_t now = share_now_ns(share), busy = now - c->started_ns;
    if (status != ASSAY_OK) return status;
    c->busy_ns += busy;
    c->rest_until_ns = now + share_rest_ns(busy, share->limit);
    c->products++;
    return assay_download(c->engine, c->y, 0, y + c->first, (uint64_t)(c->end - c->first) * 4, error);
}
