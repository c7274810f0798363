/* What the files of row sharing have in common: share_open.c opens and times, share.c divides products, share_card.c
 * drives one card, share_status.c tells. Private to kernels/; devices are reached through assay.h alone. */
#ifndef ASSAY_SHARE_STATE_H
#define ASSAY_SHARE_STATE_H

#include "kernels/share_rules.h"

#define SHARE_BLOCK_WEIGHTS 128
#define SHARE_BLOCK_BYTES   18  /* of weights */
#define SHARE_INPUT_BYTES   136 /* of activations that meet a block of weights: four Q8_0 blocks */
#define SHARE_Q8_WEIGHTS    32  /* of Q8_0 */
#define SHARE_Q8_BYTES      34

/* One side of a product: what runs on one engine. */
struct share_card {
    struct assay_engine *engine; /* NULL: not used */
    struct assay_buffer *x, *y;
    uint64_t x_bytes, y_bytes;
    uint64_t allocated_bytes;
    uint64_t busy_ns, rest_until_ns;
    uint64_t products, resting, no_room;
    /* Of the product that is begun. */
    bool running;
    int64_t first, end;
    uint64_t started_ns;
};

struct assay_share_matrix {
    struct assay_share_matrix *next;
    int64_t rows, blocks;
    struct assay_buffer *weights; /* all of them, the processor's */
    struct {
        struct assay_buffer *weights;
        uint64_t bytes;
        int64_t first;
    } part[ASSAY_SHARE_CARDS_MAX];
    struct share_shape *shape;
};

struct share_shape {
    struct share_shape *next;
    int64_t rows, blocks;
    struct share_tune tune;
};

/* Rows that the processor has to compute. */
struct share_range {
    int64_t first, end;
};

struct assay_share {
    struct assay_share_hooks hooks;
    void (*log)(void *context, const char *line);
    void *log_context;
    double limit;
    bool always;
    uint64_t opened_ns;

    struct assay_engine *cpu;
    struct assay_buffer *x, *y; /* the processor's, as large as any matrix needs */
    uint64_t x_bytes, y_bytes;
    struct share_card card[ASSAY_SHARE_CARDS_MAX];
    double part[ASSAY_SHARE_CARDS_MAX]; /* share of each card; 0 = not used */
    size_t card_count;
    struct assay_share_matrix *matrices;
    struct share_shape *shapes;
    struct assay_share_counts counts;

    /* The product that is begun. */
    struct assay_share_matrix *begun;
    enum share_side side;
    bool skipped, uploaded, cpu_running;
    uint64_t begun_ns;
    struct share_range range[ASSAY_SHARE_CARDS_MAX + 1];
    size_t range_count;
};

uint64_t share_now_ns(const struct assay_share *share);
/* Log "GPU not used: " and the reason. */
void share_log(const struct assay_share *share, const char *reason);
/* The call W[rows] x, W's first row being row `first` of `weights`. The caller sets Y's offset where that is not 0. */
void share_call(const struct assay_share_matrix *matrix, int64_t first, int64_t rows,
                struct assay_buffer *weights, uint64_t weight_bytes, struct assay_buffer *x, uint64_t x_bytes,
                struct assay_buffer *y, uint64_t y_bytes, struct assay_call *call);

/* ---- share.c: the processor's part ---- */

/* Start rows of a matrix; its input is in share->x. */
enum assay_status share_cpu_start(struct assay_share *share, const struct assay_share_matrix *matrix,
                                  const struct share_range *range, struct assay_error *error);
/* Wait for them and write y[first .. end). */
enum assay_status share_cpu_collect(struct assay_share *share, const struct share_range *range, float *y,
                                    struct assay_error *error);
/* assay_share_load; without a shape the matrix is none that programs multiply. */
enum assay_status share_load(struct assay_share *share, int64_t cols, const struct assay_share_part *parts,
                             size_t part_count, bool has_shape, struct assay_share_matrix **matrix,
                             struct assay_error *error);

/* ---- share_card.c ---- */

/* Make room on a card for rows [first, end) of a matrix, copy them there if they are not, and start. *no_room instead of
 * an error when memory, or the card's limits, do not take them: nothing was started then. */
enum assay_status share_card_start(struct assay_share *share, size_t card, struct assay_share_matrix *matrix,
                                   int64_t first, int64_t end, const void *x, bool *no_room,
                                   struct assay_error *error);
/* Wait and write the card's rows to y[first .. end). Its time counts as busy, and its pause begins. */
enum assay_status share_card_collect(struct assay_share *share, size_t card, float *y,
                                     struct assay_error *error);
/* Never use this card again, and say why. */
void share_card_drop(struct assay_share *share, size_t card, const char *reason);
/* Free what a card holds of a matrix. */
void share_card_forget(struct assay_share *share, size_t card, struct assay_share_matrix *matrix);
/* Free its vectors. */
void share_card_trim(struct assay_share *share, size_t card);
/* What bounds its buffers. */
struct assay_share_memory share_card_memory(const struct assay_share *share, size_t card);

#endif
