/* The arithmetic of row sharing: how rows, memory and time are divided, and which way a shape of matrix goes. Pure
 * functions of numbers: no device, no clock. Private to kernels/. */
#ifndef ASSAY_SHARE_RULES_H
#define ASSAY_SHARE_RULES_H

#include "kernels/share.h"

#define SHARE_LEAST  0.02 /* a card with less is not worth a submission */
#define SHARE_TRIALS 6    /* timings of a shape, each way */

double share_clamp(double share); /* 0 .. 0.95 */
double share_limit(double limit); /* 0 = 0.8, else 0.05 .. 1 */

/* Shares of `count` cards from the time that each needs for what the processor does in cpu_ns. A card with time 0 is
 * none, and one that comes to less than SHARE_LEAST gets 0, without which the others are worked out. */
void share_calibrate(const uint64_t *card_ns, size_t count, uint64_t cpu_ns, double *share);

/* The first row behind those of card `card`: cards take whole rows, in order, from the first on. */
int64_t share_end(const double *share, size_t card, int64_t rows);

/* May a card that holds `held` bytes get `bytes` more under this limit? */
bool share_fits(const struct assay_share_memory *memory, double limit, uint64_t held, uint64_t bytes);

/* The pause that a card is due after it was busy. */
uint64_t share_rest_ns(uint64_t busy_ns, double limit);

enum share_side { SHARE_CPU, SHARE_CARD, SHARE_SIDES };

/* The timings of one shape. Products alternate, the processor alone first; the first of each way is a warm-up. */
struct share_tune {
    uint32_t counted;
    bool decided;
    enum share_side side; /* the winner; a draw is the processor's, which needs no card's memory */
    uint64_t ns[SHARE_SIDES][SHARE_TRIALS];
};

/* Which way the next product goes. */
enum share_side share_tune_turn(const struct share_tune *tune);
/* Does the next timing only warm up? */
bool share_tune_warms(const struct share_tune *tune);
/* Count a product that went the way of its turn. True if that decided it. */
bool share_tune_note(struct share_tune *tune, uint64_t ns);

#endif
