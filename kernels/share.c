/* Row sharing (share.h): matrices, the processor's part, and a product from its begin to its finish.
 *
 * Knows cards as share_card.c shows them; no backend and no kernel. */
#include "kernels/share_state.h"
#include "devices/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t share_now_ns(const struct assay_share *share)
{
    return share->hooks.now_ns ? share->hooks.now_ns(share->hooks.context) : assay_clock_ns();
}

void share_log(const struct assay_share *share, const char *reason)
{
    char line[600];
    if (!share->log) return;
    snprintf(line, sizeof line, "GPU not used: %s", reason);
    share->log(share->log_context, line);
}

void share_call(const struct assay_share_matrix *matrix, int64_t first, int64_t rows,
                struct assay_buffer *weights, uint64_t weight_bytes, struct assay_buffer *x, uint64_t x_bytes,
                struct assay_buffer *y, uint64_t y_bytes, struct assay_call *call)
{
    const int64_t row_bytes = matrix->blocks * SHARE_BLOCK_BYTES;
    *call = (struct assay_call){.op = "Q1_0MatMul", .input_count = 2, .output_count = 1};
    assay_tensor_dense(&call->input[0], ASSAY_U8, 2, (int64_t[]){rows, row_bytes});
    assay_tensor_dense(&call->input[1], ASSAY_U8, 2, (int64_t[]){1, matrix->blocks * SHARE_INPUT_BYTES});
    assay_tensor_dense(&call->output[0], ASSAY_F32, 2, (int64_t[]){1, rows});
    call->input[0].offset = first * row_bytes;
    call->input[0].buffer = weights;
    call->input[0].bytes = weight_bytes;
    call->input[1].buffer = x;
    call->input[1].bytes = x_bytes;
    call->output[0].buffer = y;
    call->output[0].bytes = y_bytes;
}

/* ---- the processor's part ---- */

enum assay_status share_cpu_start(struct assay_share *share, const struct assay_share_matrix *matrix,
                                  const struct share_range *range, struct assay_error *error)
{
    static const struct assay_run_params untimed = {.untimed = true};
    struct assay_call call;
    const uint64_t bytes = (uint64_t)matrix->rows * (uint64_t)matrix->blocks * SHARE_BLOCK_BYTES;
    share_call(matrix, range->first, range->end - range->first, matrix->weights, bytes, share->x,
               share->x_bytes, share->y, share->y_bytes, &call);
    call.output[0].offset = range->first;
    enum assay_status status = assay_start(share->cpu, &call, &untimed, error);
    share->cpu_running = status == ASSAY_OK;
    return status;
}

enum assay_status share_cpu_collect(struct assay_share *share, const struct share_range *range, float *y,
                                    struct assay_error *error)
{
    share->cpu_running = false;
    enum assay_status status = assay_collect(share->cpu, 0, NULL, error);
    if (status != ASSAY_OK) return status;
    return assay_download(share->cpu, share->y, (uint64_t)range->first * 4, y + range->first,
                          (uint64_t)(range->end - range->first) * 4, error);
}

static enum assay_status cpu_grow(struct assay_share *share, uint64_t wanted, struct assay_buffer **buffer,
                                  uint64_t *bytes, struct assay_error *error)
{
    struct assay_buffer *larger = NULL;
    if (wanted <= *bytes) return ASSAY_OK;
    enum assay_status status = assay_alloc(share->cpu, wanted, &larger, error);
    if (status != ASSAY_OK) return status;
    assay_free(share->cpu, *buffer);
    *buffer = larger;
    *bytes = wanted;
    return ASSAY_OK;
}

/* ---- matrices ---- */

static enum assay_status check_idle(const struct assay_share *share, const char *act,
                                    struct assay_error *error)
{
    if (!share->begun) return ASSAY_OK;
    return assay_error_set(error, ASSAY_INVALID_INPUT,
                           "%s while a product is begun: assay_share_finish comes after every "
                           "assay_share_begin, also with 0 rows",
                           act);
}

static struct share_shape *find_shape(struct assay_share *share, int64_t rows, int64_t blocks)
{
    for (struct share_shape *s = share->shapes; s; s = s->next)
        if (s->rows == rows && s->blocks == blocks) return s;
    struct share_shape *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->rows = rows;
    made->blocks = blocks;
    made->next = share->shapes;
    share->shapes = made;
    return made;
}

static enum assay_status check_parts(int64_t cols, const struct assay_share_part *parts, size_t count,
                                     int64_t *rows, struct assay_error *error)
{
    int64_t bytes;
    *rows = 0;
    if (cols <= 0 || cols % SHARE_BLOCK_WEIGHTS)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "a matrix of %" PRId64 " columns: they are a positive multiple of %d", cols,
                               SHARE_BLOCK_WEIGHTS);
    for (size_t i = 0; i < count; i++)
        if (parts[i].rows <= 0 || !parts[i].weights || __builtin_add_overflow(*rows, parts[i].rows, rows))
            return assay_error_set(error, ASSAY_INVALID_INPUT,
                                   "part %zu of a stacked matrix has %" PRId64 " rows%s", i, parts[i].rows,
                                   parts[i].weights ? "" : " and no weights");
    if (!*rows) return assay_error_set(error, ASSAY_INVALID_INPUT, "a matrix without parts");
    if (__builtin_mul_overflow(*rows, cols / SHARE_BLOCK_WEIGHTS * SHARE_INPUT_BYTES, &bytes))
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "a matrix of %" PRId64 " rows and %" PRId64 " columns is too large", *rows,
                               cols);
    return ASSAY_OK;
}

enum assay_status share_load(struct assay_share *share, int64_t cols, const struct assay_share_part *parts,
                             size_t part_count, bool has_shape, struct assay_share_matrix **out,
                             struct assay_error *error)
{
    struct assay_share_matrix *matrix = NULL;
    int64_t rows;
    uint64_t at = 0;
    *out = NULL;
    enum assay_status status = check_idle(share, "a matrix is loaded", error);
    if (status == ASSAY_OK) status = check_parts(cols, parts, part_count, &rows, error);
    if (status != ASSAY_OK) return status;
    const int64_t blocks = cols / SHARE_BLOCK_WEIGHTS;
    const uint64_t row_bytes = (uint64_t)blocks * SHARE_BLOCK_BYTES;
    matrix = calloc(1, sizeof *matrix);
    if (!matrix || (has_shape && !(matrix->shape = find_shape(share, rows, blocks)))) {
        status = assay_error_set(error, ASSAY_OUT_OF_MEMORY, "no host memory for a matrix's record");
        goto out;
    }
    matrix->rows = rows;
    matrix->blocks = blocks;
    status = cpu_grow(share, (uint64_t)blocks * SHARE_INPUT_BYTES, &share->x, &share->x_bytes, error);
    if (status == ASSAY_OK) status = cpu_grow(share, (uint64_t)rows * 4, &share->y, &share->y_bytes, error);
    if (status == ASSAY_OK)
        status = assay_alloc(share->cpu, (uint64_t)rows * row_bytes, &matrix->weights, error);
    for (size_t i = 0; i < part_count && status == ASSAY_OK; i++) {
        const uint64_t bytes = (uint64_t)parts[i].rows * row_bytes;
        status = assay_upload(share->cpu, matrix->weights, at, parts[i].weights, bytes, error);
        at += bytes;
    }
out:
    if (status != ASSAY_OK) {
        if (matrix) assay_free(share->cpu, matrix->weights);
        free(matrix);
        return status;
    }
    matrix->next = share->matrices;
    share->matrices = matrix;
    *out = matrix;
    return ASSAY_OK;
}

enum assay_status assay_share_load(struct assay_share *share, int64_t cols,
                                   const struct assay_share_part *parts, size_t part_count,
                                   struct assay_share_matrix **matrix, struct assay_error *error)
{
    return share_load(share, cols, parts, part_count, true, matrix, error);
}

/* End the product that is begun, whatever comes of it. */
static void abandon(struct assay_share *share)
{
    for (size_t i = 0; i < share->card_count; i++) {
        if (!share->card[i].running) continue;
        share->card[i].running = false;
        (void)assay_collect(share->card[i].engine, 0, NULL, NULL);
    }
    if (share->cpu_running) (void)assay_collect(share->cpu, 0, NULL, NULL);
    share->cpu_running = false;
    share->begun = NULL;
}

void assay_share_unload(struct assay_share *share, struct assay_share_matrix *matrix)
{
    if (!matrix) return;
    if (share->begun == matrix) abandon(share);
    for (size_t i = 0; i < share->card_count; i++) share_card_forget(share, i, matrix);
    assay_free(share->cpu, matrix->weights);
    for (struct assay_share_matrix **at = &share->matrices; *at; at = &(*at)->next) {
        if (*at != matrix) continue;
        *at = matrix->next;
        break;
    }
    free(matrix);
}

enum assay_status assay_share_quantize(struct assay_share *share, const float *x, int64_t elems, void *q8,
                                       struct assay_error *error)
{
    struct assay_buffer *in = NULL, *out = NULL;
    struct assay_call call = {.op = "Q8_0Quantize", .input_count = 1, .output_count = 1};
    enum assay_status status = check_idle(share, "a vector is quantized", error);
    if (status != ASSAY_OK) return status;
    if (elems <= 0 || elems % SHARE_Q8_WEIGHTS)
        return assay_error_set(error, ASSAY_INVALID_INPUT,
                               "a vector of %" PRId64 " elements: they are a positive multiple of %d", elems,
                               SHARE_Q8_WEIGHTS);
    const int64_t bytes = elems / SHARE_Q8_WEIGHTS * SHARE_Q8_BYTES;
    assay_tensor_dense(&call.input[0], ASSAY_F32, 2, (int64_t[]){1, elems});
    assay_tensor_dense(&call.output[0], ASSAY_U8, 2, (int64_t[]){1, bytes});
    call.input[0].bytes = (uint64_t)elems * 4;
    call.output[0].bytes = (uint64_t)bytes;
    status = assay_alloc(share->cpu, call.input[0].bytes, &in, error);
    if (status == ASSAY_OK) status = assay_alloc(share->cpu, call.output[0].bytes, &out, error);
    call.input[0].buffer = in;
    call.output[0].buffer = out;
    if (status == ASSAY_OK) status = assay_upload(share->cpu, in, 0, x, call.input[0].bytes, error);
    if (status == ASSAY_OK) status = assay_run(share->cpu, &call, NULL, NULL, error);
    if (status == ASSAY_OK) status = assay_download(share->cpu, out, 0, q8, call.output[0].bytes, error);
    assay_free(share->cpu, out);
    assay_free(share->cpu, in);
    return status;
}

/* ---- products ---- */

static void leave_to_cpu(struct assay_share *share, int64_t first, int64_t end)
{
    struct share_range *last = share->range_count ? &share->range[share->range_count - 1] : NULL;
    if (first >= end) return;
    if (last && last->end == first)
        last->end = end;
    else
        share->range[share->range_count++] = (struct share_range){first, end};
}

/* Start a card on its rows, if it is to work and can; else the processor gets them. Returns the rows taken. */
static int64_t begin_card(struct assay_share *share, size_t card, struct assay_share_matrix *matrix,
                          int64_t first, int64_t end, const void *x)
{
    struct share_card *c = &share->card[card];
    struct assay_error error = {0};
    bool no_room = false;
    if (!c->engine || share->side == SHARE_CPU) goto left;
    share->skipped |= share->begun_ns < c->rest_until_ns;
    if (share->begun_ns < c->rest_until_ns) {
        c->resting++;
        goto left;
    }
    c->started_ns = share->begun_ns;
    if (share_card_start(share, card, matrix, first, end, x, &no_room, &error) != ASSAY_OK) {
        share->skipped = true;
        share_card_drop(share, card, error.text);
        goto left;
    }
    if (!no_room) return end - first;
    share->skipped = true;
    c->no_room++;
left:
    leave_to_cpu(share, first, end);
    return 0;
}

static int64_t end_of_card(const struct assay_share *share, size_t card, int64_t first, int64_t rows)
{
    int64_t end = share->hooks.split ? share->hooks.split(share->hooks.context, card, rows)
                                     : share_end(share->part, card, rows);
    return end < first ? first : end > rows ? rows : end;
}

enum assay_status assay_share_begin(struct assay_share *share, struct assay_share_matrix *matrix,
                                    const void *x, int64_t *taken, struct assay_error *error)
{
    int64_t row = 0, rows_taken = 0;
    if (taken) *taken = 0;
    enum assay_status status = check_idle(share, "a product is begun", error);
    if (status != ASSAY_OK) return status;
    share->begun_ns = share_now_ns(share);
    share->side = share->always ? SHARE_CARD : share_tune_turn(&matrix->shape->tune);
    share->skipped = share->uploaded = false;
    share->range_count = 0;
    for (size_t i = 0; i < share->card_count; i++) {
        const int64_t end = end_of_card(share, i, row, matrix->rows);
        if (end > row) rows_taken += begin_card(share, i, matrix, row, end, x);
        row = end;
    }
    leave_to_cpu(share, row, matrix->rows);
    share->begun = matrix;
    status = assay_upload(share->cpu, share->x, 0, x, (uint64_t)matrix->blocks * SHARE_INPUT_BYTES, error);
    if (status == ASSAY_OK && share->range_count)
        status = share_cpu_start(share, matrix, &share->range[0], error);
    if (status != ASSAY_OK)
        abandon(share);
    else if (taken)
        *taken = rows_taken;
    return status;
}

/* A timed product of a shape that is still open. */
static void tune(struct assay_share *share, struct share_shape *shape)
{
    if (share->always || shape->tune.decided || share->skipped) return;
    if (share->uploaded && !share_tune_warms(&shape->tune))
        return; /* another matrix of this shape, the first time */
    if (!share_tune_note(&shape->tune, share_now_ns(share) - share->begun_ns)) return;
    if (shape->tune.side == SHARE_CARD) return;
    for (struct assay_share_matrix *m = share->matrices; m; m = m->next)
        for (size_t i = 0; i < share->card_count && m->shape == shape; i++) share_card_forget(share, i, m);
}

enum assay_status assay_share_finish(struct assay_share *share, float *y, struct assay_error *error)
{
    struct assay_share_matrix *matrix = share->begun;
    enum assay_status status = ASSAY_OK;
    struct assay_error lost = {0};
    if (!matrix)
        return assay_error_set(error, ASSAY_INVALID_INPUT, "a product is finished, but none was begun");
    /* Cards first: the processor computes meanwhile, and their time is not that of the processor's part. */
    size_t started = share->cpu_running ? 1 : 0;
    for (size_t i = 0; i < share->card_count; i++) {
        struct share_card *card = &share->card[i];
        const struct share_range rows = {card->first, card->end};
        if (!card->running || share_card_collect(share, i, y, &lost) == ASSAY_OK) continue;
        share->skipped = true;
        share->range[share->range_count++] = rows;
        share_card_drop(share, i, lost.text);
    }
    for (size_t r = 0; r < share->range_count && status == ASSAY_OK; r++) {
        if (r >= started) status = share_cpu_start(share, matrix, &share->range[r], error);
        if (status == ASSAY_OK) status = share_cpu_collect(share, &share->range[r], y, error);
    }
    if (status == ASSAY_OK) tune(share, matrix->shape);
    abandon(share);
    return status;
}

enum assay_status assay_share_multiply(struct assay_share *share, struct assay_share_matrix *matrix,
                                       const void *x, float *y, struct assay_error *error)
{
    enum assay_status status = assay_share_begin(share, matrix, x, NULL, error);
    return status == ASSAY_OK ? assay_share_finish(share, y, error) : status;
}

void assay_share_close(struct assay_share *share)
{
    if (!share) return;
    abandon(share);
    while (share->matrices) assay_share_unload(share, share->matrices);
    for (struct share_shape *shape = share->shapes, *next; shape; shape = next) {
        next = shape->next;
        free(shape);
    }
    for (size_t i = 0; i < share->card_count; i++) assay_close(share->card[i].engine);
    assay_close(share->cpu);
    free(share);
}

void assay_share_count(const struct assay_share *share, struct assay_share_counts *counts)
{
    *counts = share->counts;
}

size_t assay_share_cards(const struct assay_share *share)
{
    size_t count = 0;
    for (size_t i = 0; i < share->card_count; i++) count += share->card[i].engine != NULL;
    return count;
}
