/* Row sharing: a 1-bit (Q1_0) matrix times a vector, on graphics cards and the processor at the same time.
 *
 * A card that passed its checks takes the first part of a matrix's rows, the next card the next part, the processor the
 * rest. No element is split and exact mode has one right bit pattern, so results do not depend on who computed what. In
 * short:
 *
 *     struct assay_share_params params = {.require_trust = true, .trust_dir = dir, .log = say};
 *     assay_share_open(&params, &share, &error);                   works without any card too, and says so to `log`
 *     struct assay_share_part qkv[3] = {{rows, q}, {rows, k}, {rows, v}};
 *     assay_share_load(share, 4096, qkv, 3, &matrix, &error);      matrices that share their input: one submission
 *     assay_share_quantize(share, hidden, 4096, x, &error);
 *     assay_share_begin(share, matrix, x, NULL, &error);           all start
 *     assay_share_finish(share, y, &error);                        all are done; y has the rows of q, k and v
 *
 * Nothing here is read from the environment: what GPU_SHARE and GPU_LIMIT say in some programs are numbers of the
 * parameters, and assay_share_number reads such words. A handle is driven by one thread at a time. */
#ifndef ASSAY_SHARE_H
#define ASSAY_SHARE_H

#include "kernels/assay.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_SHARE_CARDS_MAX 8

struct assay_share;        /* an open processor, the cards beside it, and their matrices */
struct assay_share_matrix; /* matrices of equal width, stacked */

/* What bounds a card's buffers. */
struct assay_share_memory {
    uint64_t heap_bytes;      /* that they come from */
    bool integrated;          /* the heap is the system's memory */
    uint64_t available_bytes; /* of the system's memory; integrated cards only */
};

/* What tests put in place of the machine. All-zero is the machine. */
struct assay_share_hooks {
    void *context;
    uint64_t (*now_ns)(void *context);
    /* *memory says what the machine has. */
    void (*memory)(void *context, size_t card, struct assay_share_memory *memory);
    /* The first row behind those of this card, of a matrix of `rows`, instead of what its share gives. */
    int64_t (*split)(void *context, size_t card, int64_t rows);
};

struct assay_share_params {
    /* The cards, each in the words of assay_open; none = the one that assay_open picks. "cpu" is taken too: the processor
     * beside itself, for tests. */
    const char *const *cards;
    size_t card_count;
    const struct assay_driver_params
        *driver; /* NULL = defaults; cpu_threads are the processor's share of threads */
    bool allow_software;
    bool require_trust; /* of cards, as assay_open has it */
    const char *trust_dir;
    /* The cards' share of the rows, all of them together, in equal parts: held to 0 .. 0.95. Without fixed_share a
     * product of 4096 x 4096 is timed at open, on each card and on the processor. A card whose share is below 0.02 is
     * not used. */
    bool fixed_share;
    double share;
    /* Of a card's memory and of its time, how much may be used: 0 = 0.8, else held to 0.05 .. 1. */
    double limit;
    /* Share every product. Otherwise the first products of each shape of matrix go by turns to the processor alone and
     * to all, and the way with the lower median stays. */
    bool always;
    void (*log)(void *context, const char *line); /* "GPU not used: " and the reason; may be NULL */
    void *log_context;
    struct assay_share_hooks hooks;
};

/* Read a number as people write it. ASSAY_INVALID_INPUT for what is none (NaN too); `name` is for the text. */
enum assay_status assay_share_number(const char *name, const char *word, double *value,
                                     struct assay_error *error);

/* Open the processor and the cards. A card that does not open, is not trusted, gets a known answer wrong or differs from
 * the processor in the product that is timed here is logged and left out: that is no error. */
enum assay_status assay_share_open(const struct assay_share_params *params, struct assay_share **share,
                                   struct assay_error *error);
void assay_share_close(struct assay_share *share); /* accepts NULL; unloads its matrices too */

/* One matrix: rows of cols / 128 blocks of 18 bytes, packed, as they lie in a file. */
struct assay_share_part {
    int64_t rows;
    const void *weights;
};
/* Stack matrices of `cols` (a multiple of 128) columns: they get one input, one submission a card and one wait. The bytes
 * are copied; a card gets its rows at the first product that it takes part in. */
enum assay_status assay_share_load(struct assay_share *share, int64_t cols,
                                   const struct assay_share_part *parts, size_t part_count,
                                   struct assay_share_matrix **matrix, struct assay_error *error);
void assay_share_unload(struct assay_share *share, struct assay_share_matrix *matrix); /* accepts NULL */

/* x f32[elems] (a multiple of 32) to packed Q8_0 blocks of 34 bytes, on the processor. Not while a product is begun. */
enum assay_status assay_share_quantize(struct assay_share *share, const float *x, int64_t elems, void *q8,
                                       struct assay_error *error);

/* Start matrix * x on the cards and the processor; x is cols / 32 Q8_0 blocks, free again on return. *taken (may be NULL)
 * is the number of rows that cards took. Every begin needs its finish, also with 0 rows: a second begin before it is
 * ASSAY_INVALID_INPUT. After an error nothing is begun. */
enum assay_status assay_share_begin(struct assay_share *share, struct assay_share_matrix *matrix,
                                    const void *x, int64_t *taken, struct assay_error *error);
/* Wait, and write f32 y[all rows]. Rows of a card that fails are computed by the processor, and the card is not used from
 * then on. Without a begin it is ASSAY_INVALID_INPUT. */
enum assay_status assay_share_finish(struct assay_share *share, float *y, struct assay_error *error);
/* begin and finish. */
enum assay_status assay_share_multiply(struct assay_share *share, struct assay_share_matrix *matrix,
                                       const void *x, float *y, struct assay_error *error);

/* What went to cards, all together, since open. */
struct assay_share_counts {
    uint64_t submits, weight_bytes, vector_bytes; /* vectors: activations */
};
void assay_share_count(const struct assay_share *share, struct assay_share_counts *counts);
/* How many cards work at this moment. */
size_t assay_share_cards(const struct assay_share *share);

/* The state of a card (an index of params.cards) as JSON in malloc'ed memory that the caller frees: `card`, `limit`,
 * `share`, `allocated_bytes`, `heap_bytes`, `integrated`, `busy` (part of the time since open), `products_on_card`,
 * `products_on_cpu_resting`, `products_on_cpu_memory`, `shapes_on_card`, `shapes_on_cpu`, `shapes_tuning`; "null" for a
 * card that is not used. NULL when out of memory. */
char *assay_share_status(const struct assay_share *share, size_t card);

#ifdef __cplusplus
}
#endif
#endif
