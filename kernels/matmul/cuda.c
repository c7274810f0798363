/* Plans of the CUDA rows of the matrix product: which calls each takes, how many blocks it starts, what it costs.
 *
 * Knows sizes and strides only; the device code is in cuda_*.cu. All rows compute the same bits (EXACTNESS rule 2). */
#include "kernels/matmul/cuda.h"
#include "kernels/matmul/cuda_args.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct matmul_args) == sizeof(struct matmul_push), "kernel arguments");

/* ---- embedded code ---- */

/* One entry point in the three forms in which it is embedded, best first. */
struct code_set {
    struct assay_code code[ASSAY_CUDA_CODES];
};

#define FILES(X)                                                                                             \
    X(simple)                                                                                                \
    X(tile16)                                                                                                \
    X(tile)                                                                                                  \
    X(skinny)
/* X(file, entry point) */
#define LAYOUTS(X, name)                                                                                     \
    X(tile, matmul_##name##_nn)                                                                              \
    X(tile, matmul_##name##_nt)                                                                              \
    X(tile, matmul_##name##_any)
#define FORMS(X, name)                                                                                       \
    X(name, matmul_##name##_native)                                                                          \
    X(name, matmul_##name##_guarded)                                                                         \
    X(name, matmul_##name##_emulated)                                                                        \
    X(name, matmul_##name##_integer)
#define ENTRIES(X)                                                                                           \
    FORMS(X, simple)                                                                                         \
    FORMS(X, tile16)                                                                                         \
    LAYOUTS(X, tile128)                                                                                      \
    LAYOUTS(X, tile64x128)                                                                                   \
    LAYOUTS(X, tile64)                                                                                       \
    LAYOUTS(X, split128)                                                                                     \
    LAYOUTS(X, split64)                                                                                      \
    X(tile, matmul_join)                                                                                     \
    X(skinny, matmul_skinny1)                                                                                \
    X(skinny, matmul_skinny4)

#define DECLARE(file) ASSAY_CUDA_BLOBS(kernels_matmul_cuda_##file);
FILES(DECLARE)

enum code_name {
#define NAME(file, entry) CODE_##entry,
    ENTRIES(NAME)
#undef NAME
        CODE_COUNT
};

#define SET(file, entry)                                                                                     \
    [CODE_##entry] = {ASSAY_CUDA_ENTRY("cuda_" #file, kernels_matmul_cuda_##file, entry)},
static const struct code_set code_sets[CODE_COUNT] = {ENTRIES(SET)};
#undef SET

static void use_code(struct assay_step *step, enum code_name name)
{
    step->program.codes = code_sets[name].code;
    step->program.code_count = sizeof code_sets[name].code / sizeof code_sets[name].code[0];
}

/* ---- shared by the rows ---- */

static bool present(const struct assay_device_info *info, enum code_name name, char why[160])
{
    size_t bytes = 0;
    for (size_t i = 0; i < 3; i++) bytes += assay_code_bytes(&code_sets[name].code[i]);
    why[0] = '\0';
    if (info->cc_major < 8)
        snprintf(why, 160, "needs compute capability 8.0, the device has %u.%u", info->cc_major,
                 info->cc_minor);
    else if (bytes == 0)
        snprintf(why, 160, "no CUDA code was built");
    return why[0] == '\0';
}

static uint32_t at_most(uint64_t value, uint32_t limit)
{
    return value < limit ? (uint32_t)value : limit;
}

/* Loop bounds and arguments of a call, or the reason why not. */
static bool read_call(const struct assay_device_info *info, const struct assay_call *call,
                      struct matmul_problem *problem, struct matmul_push *push, struct assay_step *step,
                      char why[160])
{
    return matmul_problem_read(call, problem, why) && matmul_push_fill(problem, push, step, why) &&
           matmul_bindings_fit(info, step, why);
}

static enum assay_status refused(struct assay_error *error, const char *technique, const char *why)
{
    return assay_error_set(error, ASSAY_UNSUPPORTED, "matmul.cuda.%s: %s", technique, why);
}

/* Every step takes the three operands and the arguments; scratch, where there is one, is binding 3. */
static void finish_step(struct assay_step *step, const struct matmul_push *push, uint32_t threads,
                        uint32_t bindings)
{
    memcpy(step->push, push, sizeof *push);
    step->program.push_bytes = sizeof *push;
    step->program.bindings = bindings;
    step->program.group[0] = threads;
    step->program.group[1] = step->program.group[2] = 1;
}

/* Multiprocessors; a guess where the driver did not say. */
static double units(const struct assay_device_info *info)
{
    return info->compute_units ? info->compute_units : 100;
}

/* Nanoseconds that `flops` take one multiprocessor at a share of its peak: 128 lanes at about 1.7 GHz. */
static double unit_ns(double flops, double share)
{
    return flops / (2 * 128 * 1.7 * share);
}

#define LAUNCH_NS           1500.0
#define MEMORY_BYTES_PER_NS 4500.0 /* of an H200, partly from its L2 cache; only ratios between rows matter */

/* The entry point of a form of arithmetic, of the files that have all four. */
#define FORM_OF(name)                                                                                        \
    static enum code_name name##_form(enum assay_variant variant)                                            \
    {                                                                                                        \
        return variant == ASSAY_VARIANT_INTEGER    ? CODE_matmul_##name##_integer                            \
               : variant == ASSAY_VARIANT_EMULATED ? CODE_matmul_##name##_emulated                           \
               : variant == ASSAY_VARIANT_GUARDED  ? CODE_matmul_##name##_guarded                            \
                                                   : CODE_matmul_##name##_native;                             \
    }
FORM_OF(simple)
FORM_OF(tile16)

/* ---- simple: one thread an element, takes everything ---- */

#define SIMPLE_COLUMNS 32
#define SIMPLE_ROWS    4

bool matmul_cuda_simple_present(const struct assay_device_info *info, char why[160])
{
    return present(info, CODE_matmul_simple_native, why);
}

bool matmul_cuda_simple_supports(const struct assay_device_info *info, const struct assay_call *call,
                                 char why[160])
{
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step step;
    return read_call(info, call, &problem, &push, &step, why);
}

double matmul_cuda_simple_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    struct matmul_problem p;
    char why[160];
    if (!matmul_problem_read(call, &p, why)) return 1e30;
    double elements = (double)p.m * (double)p.n * (double)p.batch;
    /* A step of a chain waits for memory; 2048 threads of a multiprocessor wait at the same time. */
    double serial_ns = (double)p.k * 25;
    double busy_ns = unit_ns(2 * elements * (double)p.k, 0.08) / units(info);
    return LAUNCH_NS + fmax(ceil(elements / (units(info) * 2048)) * serial_ns, busy_ns);
}

enum assay_status matmul_cuda_simple_plan(const struct assay_device_info *info, const struct assay_call *call,
                                          enum assay_variant variant, struct assay_plan *plan,
                                          struct assay_error *error)
{
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step *step = &plan->step[0];
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!read_call(info, call, &problem, &push, step, why)) return refused(error, "simple", why);
    if (matmul_is_empty(&problem)) return ASSAY_OK;
    use_code(step, simple_form(variant));
    finish_step(step, &push, SIMPLE_COLUMNS * SIMPLE_ROWS, 3);
    step->groups[0] = (push.n + SIMPLE_COLUMNS - 1) / SIMPLE_COLUMNS;
    step->groups[1] = at_most(((uint64_t)push.m + SIMPLE_ROWS - 1) / SIMPLE_ROWS, info->limits.groups[1]);
    step->groups[2] = at_most(push.batch, info->limits.groups[2]);
    plan->step_count = 1;
    return ASSAY_OK;
}

/* ---- tile16: operands in shared memory, one output a thread, takes everything, four forms of arithmetic ---- */

#define TILE16_SIDE 16

bool matmul_cuda_tile16_present(const struct assay_device_info *info, char why[160])
{
    return present(info, CODE_matmul_tile16_native, why);
}

bool matmul_cuda_tile16_supports(const struct assay_device_info *info, const struct assay_call *call,
                                 char why[160])
{
    return matmul_cuda_simple_supports(info, call, why);
}

double matmul_cuda_tile16_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    struct matmul_problem p;
    char why[160];
    if (!matmul_problem_read(call, &p, why)) return 1e30;
    double tiles = ceil((double)p.m / TILE16_SIDE) * ceil((double)p.n / TILE16_SIDE) * (double)p.batch;
    double serial_ns = (double)p.k * 15, rounds = ceil(tiles / (units(info) * 8));
    double busy_ns = unit_ns(2 * tiles * TILE16_SIDE * TILE16_SIDE * (double)p.k, 0.12) / units(info);
    return LAUNCH_NS + fmax(rounds * serial_ns, busy_ns);
}

enum assay_status matmul_cuda_tile16_plan(const struct assay_device_info *info, const struct assay_call *call,
                                          enum assay_variant variant, struct assay_plan *plan,
                                          struct assay_error *error)
{
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step *step = &plan->step[0];
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!read_call(info, call, &problem, &push, step, why)) return refused(error, "tile16", why);
    if (matmul_is_empty(&problem)) return ASSAY_OK;
    use_code(step, tile16_form(variant));
    finish_step(step, &push, TILE16_SIDE * TILE16_SIDE, 3);
    step->groups[0] = (push.n + TILE16_SIDE - 1) / TILE16_SIDE;
    step->groups[1] = at_most(((uint64_t)push.m + TILE16_SIDE - 1) / TILE16_SIDE, info->limits.groups[1]);
    step->groups[2] = at_most(push.batch, info->limits.groups[2]);
    plan->step_count = 1;
    return ASSAY_OK;
}

/* ---- the tiled rows ---- */

enum layout { NN, NT, ANY, LAYOUT_COUNT };

/* What cuda_tile.cu was built with, and what it is worth. */
struct tile {
    const char *technique;
    uint32_t rows, columns, threads;
    bool split;      /* K is split between blocks, a second kernel joins */
    uint32_t blocks; /* that fit a multiprocessor of 228 KiB shared memory */
    double share;    /* of the arithmetic peak when it is full */
    enum code_name code[LAYOUT_COUNT];
};

#define LAYOUT_CODES(name)                                                                                   \
    {                                                                                                        \
        CODE_matmul_##name##_nn, CODE_matmul_##name##_nt, CODE_matmul_##name##_any                           \
    }
static const struct tile tile128 = {"tile128", 128, 128, 256, false, 1, 0.69, LAYOUT_CODES(tile128)};
static const struct tile tile64x128 = {"tile64x128", 64, 128, 128, false, 2, 0.69, LAYOUT_CODES(tile64x128)};
static const struct tile tile64 = {"tile64", 64, 64, 128, false, 3, 0.58, LAYOUT_CODES(tile64)};
static const struct tile split128 = {"split128", 128, 128, 256, true, 1, 0.69, LAYOUT_CODES(split128)};
static const struct tile split64 = {"split64", 64, 64, 128, true, 3, 0.58, LAYOUT_CODES(split64)};

/* Shared memory that a block may have, by compute capability (CUDA C++ guide, technical specifications). */
static uint32_t shared_limit_bytes(const struct assay_device_info *info)
{
    uint32_t cc = info->cc_major * 10 + info->cc_minor;
    uint32_t kib = cc == 80 || cc == 87 ? 163 : cc < 90 || cc >= 120 ? 99 : 227;
    return kib * 1024;
}

static uint32_t tile_shared_bytes(const struct tile *tile, enum layout layout)
{
    uint32_t pad = layout == ANY ? 4 : 0, stages = 3;
    uint32_t floats = stages * MATMUL_CHAIN * (tile->rows + pad + tile->columns + pad);
    if (!tile->split) floats += tile->rows * tile->columns;
    return floats * 4;
}

static bool aligned4(uint32_t a, uint32_t b, uint32_t c)
{
    return ((a | b | c) & 3) == 0;
}

/* The fastest way to read the operands that these strides allow. */
static enum layout tile_layout(const struct matmul_push *p)
{
    if (p->a_col != 1 || !aligned4(p->a_row, p->a_batch, p->a_offset)) return ANY;
    if (p->b_col == 1 && aligned4(p->b_row, p->b_batch, p->b_offset)) return NN;
    if (p->b_row == 1 && aligned4(p->b_col, p->b_batch, p->b_offset)) return NT;
    return ANY;
}

struct tile_launch {
    uint64_t tiles;
    uint32_t groups_a_block, splits, groups, pitch;
    double ns;
};

/* Time of `blocks` equal blocks of `flops` each, fitted to an H200 (docs/measured/matmul-tuning.md). A last round is as
 * long as the others: freed slots are refilled multiprocessor by multiprocessor. A lone round spreads out, and a
 * multiprocessor with fewer blocks than fit is slower in all, faster for each. */
static double tile_ns(const struct assay_device_info *info, const struct tile *tile, double blocks,
                      double flops, double share)
{
    double rounds = ceil(blocks / (units(info) * tile->blocks)), resident = tile->blocks, rate = 1;
    if (rounds <= 1) {
        resident = fmin(tile->blocks, ceil(blocks / units(info)));
        rate = 0.6 + 0.4 * resident / tile->blocks;
    }
    return rounds * (unit_ns(resident * flops, share * rate) + 500);
}

static bool tile_read(const struct assay_device_info *info, const struct tile *tile,
                      const struct assay_call *call, struct matmul_problem *problem, struct matmul_push *push,
                      struct assay_step *step, struct tile_launch *launch, char why[160])
{
    if (!read_call(info, call, problem, push, step, why)) return false;
    *launch = (struct tile_launch){.groups = (uint32_t)((problem->k + MATMUL_GROUP - 1) / MATMUL_GROUP),
                                   .splits = 1};
    if (matmul_is_empty(problem)) return true;
    enum layout layout = tile_layout(push);
    uint64_t tiles_m = ((uint64_t)push->m + tile->rows - 1) / tile->rows;
    uint64_t tiles_n = ((uint64_t)push->n + tile->columns - 1) / tile->columns;
    launch->tiles = tiles_m * tiles_n;
    launch->groups_a_block = launch->groups;
    launch->pitch = (push->n + 3) / 4 * 4;
    if (launch->tiles > info->limits.groups[0] || push->batch > info->limits.groups[2]) {
        snprintf(why, 160, "%llu tiles and %u batches, the grid takes %u and %u",
                 (unsigned long long)launch->tiles, push->batch, info->limits.groups[0],
                 info->limits.groups[2]);
        return false;
    }
    double share = tile->share * (layout == ANY ? 0.8 : 1), blocks = (double)launch->tiles * push->batch;
    double group_flops = 2.0 * tile->rows * tile->columns * MATMUL_GROUP;
    if (!tile->split) {
        launch->ns = LAUNCH_NS + tile_ns(info, tile, blocks, group_flops / MATMUL_GROUP * push->k, share);
        return true;
    }
    double scratch_bytes = (double)push->batch * launch->groups * push->m * launch->pitch * 4;
    if (launch->groups < 2) {
        snprintf(why, 160, "k is %u, at most %u: one group, nothing to split", push->k, MATMUL_GROUP);
        return false;
    }
    if (scratch_bytes > (double)(1u << 30) || scratch_bytes > (double)info->limits.binding_bytes) {
        snprintf(why, 160, "the group sums take %.0f bytes, at most %.0f are used", scratch_bytes,
                 fmin(1u << 30, (double)info->limits.binding_bytes));
        return false;
    }
    launch->ns = INFINITY;
    for (uint32_t each = 1; each <= launch->groups && each <= 64; each++) {
        uint32_t splits = (launch->groups + each - 1) / each;
        if (splits > info->limits.groups[1]) continue;
        double ns = tile_ns(info, tile, blocks * splits, group_flops * each, share);
        if (ns >= launch->ns) continue;
        launch->ns = ns;
        launch->groups_a_block = each;
        launch->splits = splits;
    }
    launch->ns += LAUNCH_NS + 2 * scratch_bytes / MEMORY_BYTES_PER_NS;
    return true;
}

static bool tile_present(const struct assay_device_info *info, const struct tile *tile, char why[160])
{
    uint32_t need = tile_shared_bytes(tile, ANY);
    if (!present(info, tile->code[NN], why)) return false;
    if (need <= shared_limit_bytes(info)) return true;
    snprintf(why, 160, "needs %u bytes of shared memory a block, the device has %u", need,
             shared_limit_bytes(info));
    return false;
}

static bool tile_supports(const struct assay_device_info *info, const struct tile *tile,
                          const struct assay_call *call, char why[160])
{
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step step;
    struct tile_launch launch;
    return tile_read(info, tile, call, &problem, &push, &step, &launch, why);
}

static double tile_cost(const struct assay_device_info *info, const struct tile *tile,
                        const struct assay_call *call)
{
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step step;
    struct tile_launch launch;
    char why[160];
    return tile_read(info, tile, call, &problem, &push, &step, &launch, why) ? launch.ns : 1e30;
}

/* Second step of a split row: add the group sums. */
static void plan_join(const struct matmul_push *push, struct assay_plan *plan)
{
    struct assay_step *tile = &plan->step[0], *join = &plan->step[1];
    use_code(join, CODE_matmul_join);
    join->bind[0].role = ASSAY_ROLE_SCRATCH;
    join->bind[1] = tile->bind[2];
    tile->bind[2].role = ASSAY_ROLE_SCRATCH;
    tile->bind[2].index = 0;
    tile->bind[2].offset_bytes = tile->bind[2].bytes = 0;
    finish_step(join, push, 256, 2);
    uint64_t pieces = ((uint64_t)push->n + 3) / 4 * push->m;
    join->groups[0] = (uint32_t)((pieces + 255) / 256);
    join->groups[1] = 1;
    join->groups[2] = push->batch;
    plan->step_count = 2;
}

static enum assay_status tile_plan(const struct assay_device_info *info, const struct tile *tile,
                                   const struct assay_call *call, struct assay_plan *plan,
                                   struct assay_error *error)
{
    struct matmul_problem problem;
    struct matmul_push push;
    struct tile_launch launch;
    struct assay_step *step = &plan->step[0];
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!tile_read(info, tile, call, &problem, &push, step, &launch, why))
        return refused(error, tile->technique, why);
    if (matmul_is_empty(&problem)) return ASSAY_OK;
    enum layout layout = tile_layout(&push);
    push.extra[0] = launch.groups_a_block;
    push.extra[1] = launch.pitch;
    use_code(step, tile->code[layout]);
    finish_step(step, &push, tile->threads, 3);
    step->program.shared_bytes = tile_shared_bytes(tile, layout);
    step->groups[0] = (uint32_t)launch.tiles;
    step->groups[1] = launch.splits;
    step->groups[2] = push.batch;
    plan->step_count = 1;
    if (tile->split) {
        plan->scratch_bytes = (uint64_t)push.batch * launch.groups * push.m * launch.pitch * 4;
        plan_join(&push, plan);
    }
    return ASSAY_OK;
}

#define TILE_ROW(name)                                                                                       \
    bool matmul_cuda_##name##_present(const struct assay_device_info *info, char why[160])                   \
    {                                                                                                        \
        return tile_present(info, &name, why);                                                               \
    }                                                                                                        \
    bool matmul_cuda_##name##_supports(const struct assay_device_info *info, const struct assay_call *call,  \
                                       char why[160])                                                        \
    {                                                                                                        \
        return tile_supports(info, &name, call, why);                                                        \
    }                                                                                                        \
    double matmul_cuda_##name##_cost(const struct assay_device_info *info, const struct assay_call *call)    \
    {                                                                                                        \
        return tile_cost(info, &name, call);                                                                 \
    }                                                                                                        \
    enum assay_status matmul_cuda_##name##_plan(const struct assay_device_info *info,                        \
                                                const struct assay_call *call, enum assay_variant variant,   \
                                                struct assay_plan *plan, struct assay_error *error)          \
    {                                                                                                        \
        (void)variant; /* native is the only one */                                                          \
        return tile_plan(info, &name, call, plan, error);                                                    \
    }
TILE_ROW(tile128)
TILE_ROW(tile64x128)
TILE_ROW(tile64)
TILE_ROW(split128)
TILE_ROW(split64)

/* ---- skinny: few rows, all chains of a column at once ---- */

#define SKINNY_COLUMNS  32
#define SKINNY_ROWS_MAX 16

static bool skinny_read(const struct assay_device_info *info, const struct assay_call *call,
                        struct matmul_problem *problem, struct matmul_push *push, struct assay_step *step,
                        char why[160])
{
    if (!read_call(info, call, problem, push, step, why)) return false;
    if (matmul_is_empty(problem)) return true;
    if (push->m > SKINNY_ROWS_MAX)
        snprintf(why, 160, "m is %u, at most %u", push->m, SKINNY_ROWS_MAX);
    else if (push->batch > info->limits.groups[2])
        snprintf(why, 160, "%u batches, the grid takes %u", push->batch, info->limits.groups[2]);
    else if (push->b_col != 1 || !aligned4(push->b_row, push->b_batch, push->b_offset))
        snprintf(why, 160, "B's columns have no stride of 1, or its rows are not 16-byte aligned");
    else
        return true;
    return false;
}

bool matmul_cuda_skinny_present(const struct assay_device_info *info, char why[160])
{
    return present(info, CODE_matmul_skinny1, why);
}

bool matmul_cuda_skinny_supports(const struct assay_device_info *info, const struct assay_call *call,
                                 char why[160])
{
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step step;
    return skinny_read(info, call, &problem, &push, &step, why);
}

double matmul_cuda_skinny_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    struct matmul_problem p;
    char why[160];
    if (!matmul_problem_read(call, &p, why)) return 1e30;
    double passes = p.m == 1 ? 1 : ceil((double)p.m / 4), columns = ceil((double)p.n / SKINNY_COLUMNS);
    double bytes = passes * (double)p.k * columns * SKINNY_COLUMNS * 4 * (double)p.batch;
    double blocks = passes * columns * (double)p.batch;
    double steps = ceil((double)p.k / 4096) * 4000 * ceil(blocks / (units(info) * 2));
    return LAUNCH_NS + fmax(bytes / (MEMORY_BYTES_PER_NS * 0.7), steps);
}

enum assay_status matmul_cuda_skinny_plan(const struct assay_device_info *info, const struct assay_call *call,
                                          enum assay_variant variant, struct assay_plan *plan,
                                          struct assay_error *error)
{
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step *step = &plan->step[0];
    char why[160];
    (void)variant;
    memset(plan, 0, sizeof *plan);
    if (!skinny_read(info, call, &problem, &push, step, why)) return refused(error, "skinny", why);
    if (matmul_is_empty(&problem)) return ASSAY_OK;
    uint32_t rows = push.m == 1 ? 1 : 4,
             chains = at_most((push.k + MATMUL_GROUP - 1ull) / MATMUL_GROUP * 4, 128);
    if (chains < 4) chains = 4;
    push.extra[0] = chains;
    use_code(step, rows == 1 ? CODE_matmul_skinny1 : CODE_matmul_skinny4);
    finish_step(step, &push, chains * 8, 3);
    step->program.shared_bytes = chains * rows * SKINNY_COLUMNS * 4;
    step->groups[0] = (push.n + SKINNY_COLUMNS - 1) / SKINNY_COLUMNS;
    step->groups[1] = (push.m + rows - 1) / rows;
    step->groups[2] = push.batch;
    plan->step_count = 1;
    return ASSAY_OK;
}
