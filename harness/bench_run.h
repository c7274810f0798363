/* A run of bench: its sides, cells and what they came to. Shared by verb_bench.c (the run), bench_side.c (what --ab says)
 * and bench_show.c (what people read). */
#ifndef ASSAY_BENCH_RUN_H
#define ASSAY_BENCH_RUN_H

#include "harness/bench.h"
#include "harness/run.h"

#define BENCH_SIDES    2
#define BENCH_CEILINGS 8

/* One side of --ab, or the only one. */
struct bench_side {
    const char *name;       /* "A", "B"; "" without --ab */
    const char *text;       /* as given */
    const char *kernel;     /* the kernel that it names; NULL = none */
    struct options options; /* the program's, with the side's settings */
    char words[512];        /* what options points into */
};

/* Fill a side from a text as --help of --ab says; `inventory` tells kernels from other words. */
enum assay_status bench_side_parse(const char *text, const struct options *options,
                                   const struct inventory *inventory, struct bench_side *side,
                                   struct assay_error *error);

/* One kernel on one case, on one device and side. */
struct bench_cell {
    size_t entry;  /* of the corpus */
    size_t device; /* of run->device */
    size_t side;
    const char *kernel; /* as asked for; "" = the engine's choice */
    const char *mode;
    char ran[64], kernel_hash[33], variant[16]; /* when it was judged */
    char digest[33];                            /* judged; "" = not to be timed */
    enum verdict verdict;                       /* of the judging */
    char reason[300];
};

/* What one process found for a cell in one lane. */
struct bench_result {
    size_t cell;
    bool cold;
    uint32_t invocation, samples, rejected;
    double median_ns, mad_ns, launch_ns, roofline;
    double record_ns, submit_ns, other_ns;
    uint64_t dispatches;
    enum bench_verdict verdict;
    char reason[300];
};

struct bench_run {
    struct run *run;
    struct bench_side side[BENCH_SIDES];
    size_t side_count;
    struct session *session[BENCH_SIDES]; /* by device; NULL = as run->session */
    struct bench_cell *cell;              /* device by device, case by case, side by side */
    size_t cell_count;
    struct judge_case **prepared; /* by entry; NULL = not needed or not possible */
    struct bench_result *result;
    size_t result_count;
    uint32_t invocations;
    struct store_ceiling ceiling[OPTIONS_LIST_MAX][BENCH_CEILINGS]; /* latest, by device; names are static */
    size_t ceiling_count[OPTIONS_LIST_MAX];
    int64_t refused, skipped; /* cells: judged wrong; not judged */
    int64_t no_cold;          /* timings left out: the engine cannot empty caches */
    bool differ;              /* the sides of --ab have different answers */
};

/* The value of a ceiling of a device; NaN = not measured. */
double bench_ceiling(const struct bench_run *bench, size_t device, const char *name);

/* ---- bench_show.c ---- */

void bench_show_table(const struct bench_run *bench);
void bench_show_json(const struct bench_run *bench, int exit_code, const char *reason);

#endif
