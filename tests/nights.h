/* Databases of many nights, made up: what a machine that benches every night would leave, with faults planted in the first
 * cell. Deterministic by the seed.
 *
 * The noise is that of real H200 cards (docs/timing.md, "Where the numbers come from"): between sessions ln(time) scatters
 * by NIGHTS_NOISE, within a session neighbouring samples have the autocorrelation NIGHTS_LAG. */
#ifndef TESTS_NIGHTS_H
#define TESTS_NIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#define NIGHTS_NOISE 0.0086
#define NIGHTS_LAG   0.1

struct nights {
    uint64_t seed;
    int nights, cells; /* 0 = 60 and 3 */
    int invocations;   /* bench rows a night, cell and lane; 0 = 3 */
    double noise, lag; /* 0 = the measured ones */
    double within;     /* scatter of invocations in a night; 0 = a third of noise */
    /* Planted in cell 0; 0 = not. Nights count from 1. */
    int step_night; /* from this night on, slower by the part `step` */
    double step;
    double drift; /* slower by this part at the last night, little by little */
    int spike_night, spike_nights;
    double spike;
    int digest_night; /* other bits from here on */
    int driver_night, major_night,
        kernel_night; /* another driver, its major version, kernel hash; `moved` slower */
    double moved;
    bool judged;   /* plan and result rows beside the bench rows */
    bool no_bench; /* and no bench rows */
};

/* ln(time) of each night as the database of the same seed has it, for cell `cell`. */
void nights_series(const struct nights *nights, int cell, double *y);
/* Make the database at `path`; an existing file is replaced. */
void nights_make(const struct nights *nights, const char *path);
/* A database with the newest schema and the marks of ours, and what `sql` (may be NULL) puts into it. */
void nights_empty(const char *path, const char *sql);

#endif
