/* Plans of the CUDA rows of the Q1_0 product and of the quantizer: which calls each takes, how many blocks it starts, what
 * it costs.
 *
 * Knows sizes and strides only; the device code is in cuda_*.cu. All rows compute the same bits. */
#include "kernels/q1_0/cuda.h"
#include "kernels/q1_0/cuda_args.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct q1_args) == sizeof(struct q1_push), "kernel arguments");

/* ---- embedded code ---- */

/* One entry point in the three forms in which it is embedded, best first. */
struct code_set {
    struct assay_code code[ASSAY_CUDA_CODES];
};

/* X(file, entry point) */
#define FORMS(X, name)                                                                                       \
    X(simple, q1_##name##_native)                                                                            \
    X(simple, q1_##name##_guarded)                                                                           \
    X(simple, q1_##name##_emulated)                                                                          \
    X(simple, q1_##name##_integer)
#define ENTRIES(X)                                                                                           \
    FORMS(X, lane1)                                                                                          \
    FORMS(X, lane8)                                                                                          \
    X(simple, q1_quantize)                                                                                   \
    X(mma, q1_mma32)                                                                                         \
    X(table, q1_table)                                                                                       \
    X(table, q1_phased)                                                                                      \
    X(mat, q1_mat_ready)                                                                                     \
    X(mat, q1_mat_few)                                                                                       \
    X(mat, q1_mat_many)

#define DECLARE(file) ASSAY_CUDA_BLOBS(kernels_q1_0_cuda_##file)
DECLARE(simple);
DECLARE(mma);
DECLARE(table);
DECLARE(mat);

enum code_name {
#define NAME(file, entry) CODE_##entry,
    ENTRIES(NAME)
#undef NAME
        CODE_COUNT
};

#define SET(file, entry)                                                                                     \
    [CODE_##entry] = {ASSAY_CUDA_ENTRY("q1_0.cuda_" #file, kernels_q1_0_cuda_##file, entry)},
static const struct code_set code_sets[CODE_COUNT] = {ENTRIES(SET)};
#undef SET

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

/* ---- shared by the rows ---- */

static uint32_t at_most(uint64_t value, uint32_t limit)
{
    return value < limit ? (uint32_t)value : limit;
}

static double units(const struct assay_device_info *info)
{
    return info->compute_units ? info->compute_units : 100;
}

/* Shared memory that a block may have with opting in. */
static uint32_t shared_most(const struct assay_device_info *info)
{
    if (info->cc_major == 9 || info->cc_major == 10) return 227u << 10;
    bool large = info->cc_major == 8 && (info->cc_minor == 0 || info->cc_minor == 7);
    return (large ? 163u : 99u) << 10;
}

static enum assay_status refused(struct assay_error *error, const char *technique, const char *why)
{
    return assay_error_set(error, ASSAY_UNSUPPORTED, "q1_0.cuda.%s: %s", technique, why);
}

static void finish_step(struct assay_step *step, enum code_name name, const struct q1_push *push,
                        uint32_t bindings, uint32_t threads)
{
    step->program.codes = code_sets[name].code;
    step->program.code_count = sizeof code_sets[name].code / sizeof code_sets[name].code[0];
    memcpy(step->push, push, sizeof *push);
    step->program.push_bytes = sizeof *push;
    step->program.bindings = bindings;
    step->program.group[0] = threads;
    step->program.group[1] = step->program.group[2] = 1;
    step->groups[1] = step->groups[2] = 1;
}

static bool read_call(const struct assay_device_info *info, const struct assay_call *call,
                      struct q1_problem *problem, struct q1_push *push, struct assay_step *step,
                      char why[160])
{
    memset(step, 0, sizeof *step);
    return q1_matmul_read(call, problem, why) &&
           q1_push_fill(call, problem, 0, problem->m, push, step, why) && q1_bindings_fit(info, step, 3, why);
}

#define LAUNCH_NS 1500.0
#define MMA_NS    3900.0 /* a launch and X made ready, on an H200; only ratios between rows matter */

/* ---- lane1, lane8: take everything ---- */

enum { SIMPLE_THREADS = 64 };

static bool simple_supports(const struct assay_device_info *info, const struct assay_call *call,
                            uint32_t rows, char why[160])
{
    struct q1_problem problem;
    struct q1_push push;
    struct assay_step step;
    if (!read_call(info, call, &problem, &push, &step, why)) return false;
    if ((problem.m + rows - 1) / rows <= info->limits.groups[0]) return true;
    snprintf(why, 160, "%" PRId64 " rows need more blocks than the limit of %" PRIu32, problem.m,
             info->limits.groups[0]);
    return false;
}

/* A lane waits for memory at every block of its row; 2048 threads of a multiprocessor wait side by side. */
static double simple_cost(const struct assay_device_info *info, const struct assay_call *call, double lanes)
{
    struct q1_problem p;
    char why[160];
    if (!q1_matmul_read(call, &p, why)) return 1e300;
    double threads = (double)p.m * lanes, waves = ceil(threads / (units(info) * 2048));
    double busy = (double)p.m * (double)p.blocks * 8 / (units(info) * 1.2);
    double each = lanes == 8 ? 1050 : 3900; /* ns a block of W, measured on an H200 */
    return LAUNCH_NS + (double)p.n * fmax(waves * (double)p.blocks * each, busy);
}

static enum assay_status simple_plan(const struct assay_device_info *info, const struct assay_call *call,
                                     const char *technique, enum code_name native, uint32_t rows,
                                     enum assay_variant variant, struct assay_plan *plan,
                                     struct assay_error *error)
{
    struct q1_problem problem;
    struct q1_push push;
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!simple_supports(info, call, rows, why) ||
        !read_call(info, call, &problem, &push, &plan->step[0], why))
        return refused(error, technique, why);
    if (!problem.m || !problem.n) return ASSAY_OK;
    /* the four forms stand in this order */
    int form = variant == ASSAY_VARIANT_INTEGER    ? 3
               : variant == ASSAY_VARIANT_EMULATED ? 2
               : variant == ASSAY_VARIANT_GUARDED  ? 1
                                                   : 0;
    finish_step(&plan->step[0], (enum code_name)((int)native + form), &push, 3, SIMPLE_THREADS);
    plan->step[0].groups[0] = (push.m + rows - 1) / rows;
    plan->step[0].groups[1] = at_most(push.n, info->limits.groups[1]);
    plan->step_count = 1;
    return ASSAY_OK;
}

#define SIMPLE_ROW(name, lanes)                                                                              \
    bool q1_cuda_##name##_present(const struct assay_device_info *info, char why[160])                       \
    {                                                                                                        \
        return present(info, CODE_q1_##name##_native, why);                                                  \
    }                                                                                                        \
    bool q1_cuda_##name##_supports(const struct assay_device_info *info, const struct assay_call *call,      \
                                   char why[160])                                                            \
    {                                                                                                        \
        return simple_supports(info, call, SIMPLE_THREADS / (lanes), why);                                   \
    }                                                                                                        \
    double q1_cuda_##name##_cost(const struct assay_device_info *info, const struct assay_call *call)        \
    {                                                                                                        \
        return simple_cost(info, call, lanes);                                                               \
    }                                                                                                        \
    enum assay_status q1_cuda_##name##_plan(const struct assay_device_info *info,                            \
                                            const struct assay_call *call, enum assay_variant variant,       \
                                            struct assay_plan *plan, struct assay_error *error)              \
    {                                                                                                        \
        return simple_plan(info, call, #name, CODE_q1_##name##_native, SIMPLE_THREADS / (lanes), variant,    \
                           plan, error);                                                                     \
    }

SIMPLE_ROW(lane1, 1)
SIMPLE_ROW(lane8, 8)

/* ---- mma32 (cuda_mma.cu) ---- */

enum {
    MMA_THREADS = 256,
    MMA_CHUNK = 16,                 /* blocks of W a stage holds of each row */
    MMA_LINE = MMA_CHUNK * 18 + 16, /* bytes of a row in a stage */
    MMA_STAGES_LEAST = 4,
    MMA_STAGES_MOST = 8,
    MMA_UNIT_SHARED = 228 << 10, /* a multiprocessor of 9.0, 1 KiB of it taken a block */
};

struct mma_launch {
    struct q1_problem problem;
    struct q1_push push;
    struct assay_step step;
    uint32_t shared_bytes, resident; /* blocks a multiprocessor runs side by side */
};

static uint32_t mma_shared_bytes(uint32_t rows, int64_t blocks, uint32_t stages)
{
    uint32_t x = (uint32_t)blocks * 4 * (8 * 4 + 8 * 4 + 4);
    return stages * rows * MMA_LINE + 2 * MMA_CHUNK * rows * 8 * 4 + x;
}

static bool mma_read(const struct assay_device_info *info, const struct assay_call *call, uint32_t rows,
                     struct mma_launch *out, char why[160])
{
    struct q1_problem *p = &out->problem;
    struct q1_push *push = &out->push;
    if (!read_call(info, call, p, push, &out->step, why)) return false;
    why[0] = '\0';
    /* with one row of W its stride is 0 and divides everything */
    uint32_t places = push->w_row | push->w_offset;
    push->extra[1] = places % 16 == 0 && p->blocks % 8 == 0 ? 16 : 4;
    if (p->blocks == 0)
        snprintf(why, 160, "K is 0");
    else if (p->blocks % 2)
        snprintf(why, 160, "a row of W has %" PRId64 " blocks, an odd number", p->blocks);
    else if (places % 4)
        snprintf(why, 160, "W's rows of stride %u from byte %u on are not aligned to 4 bytes", push->w_row,
                 push->w_offset);
    else if ((push->x_row | push->x_offset) % 2)
        snprintf(why, 160, "X's rows of stride %u from byte %u on are not aligned to 2 bytes", push->x_row,
                 push->x_offset);
    else if (p->blocks > 1 << 20 || mma_shared_bytes(rows, p->blocks, MMA_STAGES_LEAST) > shared_most(info))
        snprintf(why, 160, "K is %" PRId64 ": its vector does not fit %" PRIu32 " bytes of shared memory",
                 p->blocks * Q1_WEIGHTS, shared_most(info));
    if (why[0]) return false;
    /* as many stages as let the blocks that registers allow share a multiprocessor, where that can be */
    uint32_t stages = MMA_STAGES_MOST, by_registers = 2;
    uint32_t goal = MMA_UNIT_SHARED / by_registers - 1024;
    if (goal > shared_most(info)) goal = shared_most(info);
    while (stages > MMA_STAGES_LEAST && mma_shared_bytes(rows, p->blocks, stages) > goal) stages--;
    push->extra[0] = stages;
    out->shared_bytes = mma_shared_bytes(rows, p->blocks, stages);
    out->resident = MMA_UNIT_SHARED / (out->shared_bytes + 1024);
    if (out->resident > by_registers) out->resident = by_registers;
    if (out->resident < 1) out->resident = 1;
    return true;
}

static bool mma_present(const struct assay_device_info *info, enum code_name name, char why[160])
{
    return present(info, name, why);
}

static double mma_cost(const struct assay_device_info *info, const struct assay_call *call, uint32_t rows)
{
    struct mma_launch launch;
    char why[160];
    if (!mma_read(info, call, rows, &launch, why)) return 1e300;
    const struct q1_problem *p = &launch.problem;
    /* ns a block of W, measured on an H200: alone on a multiprocessor, or side by side with another */
    double tiles = ceil((double)p->m / rows) * (double)p->n, places = units(info) * launch.resident;
    double each = tiles <= units(info) ? 98 : 140 * ceil(tiles / places);
    return MMA_NS + each * (double)p->blocks * rows / 32;
}

static enum assay_status mma_plan(const struct assay_device_info *info, const struct assay_call *call,
                                  const char *technique, enum code_name name, uint32_t rows,
                                  struct assay_plan *plan, struct assay_error *error)
{
    struct mma_launch launch;
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!mma_read(info, call, rows, &launch, why)) return refused(error, technique, why);
    if (!launch.problem.m || !launch.problem.n) return ASSAY_OK;
    struct assay_step *step = &plan->step[plan->step_count++];
    *step = launch.step;
    finish_step(step, name, &launch.push, 3, MMA_THREADS);
    step->program.shared_bytes = launch.shared_bytes;
    /* rounds as even as they can be: every block makes `rounds` tiles or one less */
    uint64_t tiles = ((uint64_t)launch.push.m + rows - 1) / rows;
    uint64_t places = (uint64_t)units(info) * launch.resident;
    step->groups[0] = at_most(tiles < places ? tiles : places, info->limits.groups[0]);
    step->groups[1] = launch.push.n;
    return ASSAY_OK;
}

#define TILE_ROW(kind, name, how)                                                                            \
    bool q1_cuda_##name##_present(const struct assay_device_info *info, char why[160])                       \
    {                                                                                                        \
        return kind##_present(info, CODE_q1_##name, why);                                                    \
    }                                                                                                        \
    bool q1_cuda_##name##_supports(const struct assay_device_info *info, const struct assay_call *call,      \
                                   char why[160])                                                            \
    {                                                                                                        \
        struct kind##_launch launch;                                                                         \
        if (!kind##_read(info, call, how, &launch, why)) return false;                                       \
        if (launch.push.n <= info->limits.groups[1]) return true;                                            \
        snprintf(why, 160, "%u vectors, a grid has at most %u lines of blocks", launch.push.n,               \
                 info->limits.groups[1]);                                                                    \
        return false;                                                                                        \
    }                                                                                                        \
    double q1_cuda_##name##_cost(const struct assay_device_info *info, const struct assay_call *call)        \
    {                                                                                                        \
        return kind##_cost(info, call, how);                                                                 \
    }                                                                                                        \
    enum assay_status q1_cuda_##name##_plan(const struct assay_device_info *info,                            \
                                            const struct assay_call *call, enum assay_variant variant,       \
                                            struct assay_plan *plan, struct assay_error *error)              \
    {                                                                                                        \
        (void)variant;                                                                                       \
        return kind##_plan(info, call, #name, CODE_q1_##name, how, plan, error);                             \
    }

TILE_ROW(mma, mma32, 32)

/* ---- table, phased (cuda_table.cu) ---- */

enum {
    TABLE_THREADS = 512, /* all of them make tables */
    TABLE_ROWS = 16,     /* of a unit */
    TABLE_PART = 16,     /* blocks of W a stage holds of each row */
    TABLE_STAGE = TABLE_ROWS * (TABLE_PART * Q1_BYTES + 16),
    TABLE_BLOCK = Q1_SUBS * Q1_LANES * 16 * 4, /* bytes of the tables of a block */
    PHASED_MEETING = 512,                      /* bytes where the warps of a team meet */
};

/* ns on an H200. A launch and X's way into the tables: start + tables * blocks. A unit of rows by a block of W: `busy`
 * where the units of a multiprocessor keep it busy, `alone` for a team that waits for itself. */
struct table_kind {
    bool whole;             /* tables of all of K at once; each team then has units one after the other */
    uint32_t warps, stages; /* of a team */
    uint32_t x_alignment;
    double start, tables, busy, alone;
};
static const struct table_kind table_whole = {true, 1, 2, 2, 1700, 40, 14, 35};
static const struct table_kind table_phased = {false, 2, 3, 4, 1500, 0, 27, 73};

struct table_launch {
    struct q1_problem problem;
    struct q1_push push;
    struct assay_step step;
    uint32_t shared_bytes, teams, grid;
    uint64_t units_each; /* of a multiprocessor, at most */
};

static bool table_read(const struct assay_device_info *info, const struct assay_call *call,
                       const struct table_kind *kind, struct table_launch *out, char why[160])
{
    struct q1_problem *p = &out->problem;
    struct q1_push *push = &out->push;
    if (!read_call(info, call, p, push, &out->step, why)) return false;
    why[0] = '\0';
    uint64_t fixed = kind->whole ? (uint64_t)p->blocks * TABLE_BLOCK
                                 : 2 * TABLE_PART * TABLE_BLOCK + (uint64_t)p->blocks * Q1_SUBS * Q8_BYTES;
    uint64_t team = kind->stages * TABLE_STAGE + (kind->warps > 1 ? PHASED_MEETING : 0);
    uint64_t most = shared_most(info);
    if (p->blocks == 0)
        snprintf(why, 160, "K is 0");
    else if (p->blocks % TABLE_PART)
        snprintf(why, 160, "a row of W has %" PRId64 " blocks, no multiple of 16", p->blocks);
    else if (p->m < TABLE_ROWS)
        snprintf(why, 160, "W has %" PRId64 " rows, fewer than 16", p->m);
    else if ((push->w_row | push->w_offset) % 16 || push->w_row >= 1u << 26)
        snprintf(why, 160,
                 "W's rows of stride %u from byte %u on are not aligned to 16 bytes or too far apart",
                 push->w_row, push->w_offset);
    else if ((push->x_row | push->x_offset) % kind->x_alignment)
        snprintf(why, 160, "X's rows of stride %u from byte %u on are not aligned to %u bytes", push->x_row,
                 push->x_offset, kind->x_alignment);
    else if (fixed + team > most)
        snprintf(why, 160, "K is %" PRId64 ": its %s does not fit %" PRIu64 " bytes of shared memory",
                 p->blocks * Q1_WEIGHTS, kind->whole ? "table" : "vector", most);
    if (why[0]) return false;
    uint64_t units_all = ((uint64_t)push->m + TABLE_ROWS - 1) / TABLE_ROWS, places = (uint64_t)units(info);
    uint64_t teams = (most - fixed) / team;
    out->units_each = (units_all + places - 1) / places;
    if (teams > TABLE_THREADS / 32 / kind->warps) teams = TABLE_THREADS / 32 / kind->warps;
    if (teams > out->units_each) teams = out->units_each;
    uint64_t grid = units_all < places ? units_all : places;
    if (!kind->whole && teams < out->units_each) grid = (units_all + teams - 1) / teams;
    if (grid > info->limits.groups[0]) {
        snprintf(why, 160, "%u rows need more blocks than the limit of %" PRIu32, push->m,
                 info->limits.groups[0]);
        return false;
    }
    push->extra[0] = out->teams = (uint32_t)teams;
    out->grid = (uint32_t)grid;
    out->shared_bytes = (uint32_t)(fixed + teams * team);
    return true;
}

static double table_cost(const struct assay_device_info *info, const struct assay_call *call,
                         const struct table_kind *kind)
{
    struct table_launch launch;
    char why[160];
    if (!table_read(info, call, kind, &launch, why)) return 1e300;
    double rounds = ceil((double)launch.units_each / launch.teams), blocks = (double)launch.problem.blocks;
    /* whole: a team goes on to its next unit at once; phased: the block waits for all of its teams */
    double of_units = kind->whole ? fmax(kind->busy * (double)launch.units_each, kind->alone * rounds)
                                  : rounds * fmax(kind->busy * launch.teams, kind->alone);
    double busy_each = kind->tables + of_units;
    return LAUNCH_NS + (kind->start - LAUNCH_NS) * launch.problem.n + blocks * busy_each * launch.problem.n;
}

static enum assay_status table_plan(const struct assay_device_info *info, const struct assay_call *call,
                                    const char *technique, enum code_name name, const struct table_kind *kind,
                                    struct assay_plan *plan, struct assay_error *error)
{
    struct table_launch launch;
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!table_read(info, call, kind, &launch, why)) return refused(error, technique, why);
    if (!launch.problem.n) return ASSAY_OK;
    struct assay_step *step = &plan->step[plan->step_count++];
    *step = launch.step;
    finish_step(step, name, &launch.push, 3, TABLE_THREADS);
    step->program.shared_bytes = launch.shared_bytes;
    step->program.waits_itself = true;
    step->groups[0] = launch.grid;
    step->groups[1] = launch.push.n;
    return ASSAY_OK;
}

static bool table_present(const struct assay_device_info *info, enum code_name name, char why[160])
{
    return present(info, name, why);
}

TILE_ROW(table, table, &table_whole)
TILE_ROW(table, phased, &table_phased)

/* ---- mat (cuda_mat.cu) ---- */

enum {
    MAT_CHUNK = 8,     /* blocks of W of a stage */
    MAT_VECTORS = 8,   /* of a warp, and so of a block */
    MAT_RECORD = 2304, /* bytes of a group of vectors made ready, a block of W */
    MAT_READY_THREADS = 256,
};

/* The two programs by tile. ns a block of W, estimated from the work, not measured: a tile alone on a multiprocessor, and
 * what it adds there beside others. */
struct mat_kind {
    enum code_name code;
    uint32_t rows, threads;
    double alone, beside;
};
static const struct mat_kind mat_few = {CODE_q1_mat_few, 32, 64, 350, 100},
                             mat_many = {CODE_q1_mat_many, 128, 128, 600, 400};
#define MAT_MANY_LEAST 33 /* vectors */

struct mat_launch {
    struct q1_problem problem;
    struct q1_push push;
    struct assay_step step;
    const struct mat_kind *kind;
    uint32_t shared_bytes, tiles, groups;
    uint64_t ready_bytes;
};

static uint32_t mat_shared_bytes(const struct mat_kind *kind)
{
    return 2 * (kind->rows * MAT_CHUNK * Q1_BYTES + MAT_CHUNK * MAT_RECORD);
}

static bool mat_read(const struct assay_device_info *info, const struct assay_call *call, int unused,
                     struct mat_launch *out, char why[160])
{
    struct q1_problem *p = &out->problem;
    struct q1_push *push = &out->push;
    (void)unused;
    if (!read_call(info, call, p, push, &out->step, why)) return false;
    why[0] = '\0';
    uint32_t places = push->w_row | push->w_offset;
    bool many = push->n >= MAT_MANY_LEAST && mat_shared_bytes(&mat_many) <= shared_most(info);
    out->kind = many ? &mat_many : &mat_few;
    out->shared_bytes = mat_shared_bytes(out->kind);
    out->tiles = (uint32_t)(((uint64_t)push->m + out->kind->rows - 1) / out->kind->rows);
    out->groups = (uint32_t)(((uint64_t)push->n + MAT_VECTORS - 1) / MAT_VECTORS);
    out->ready_bytes = (uint64_t)out->groups * push->blocks * MAT_RECORD;
    push->extra[0] = places % 16 == 0 && p->blocks % MAT_CHUNK == 0 ? 16 : 4;
    if (p->blocks == 0)
        snprintf(why, 160, "K is 0");
    else if (p->blocks % 2)
        snprintf(why, 160, "a row of W has %" PRId64 " blocks, an odd number", p->blocks);
    else if (places % 4)
        snprintf(why, 160, "W's rows of stride %u from byte %u on are not aligned to 4 bytes", push->w_row,
                 push->w_offset);
    else if (out->groups > info->limits.groups[1])
        snprintf(why, 160, "%u vectors are %u groups, more than the limit of %" PRIu32, push->n, out->groups,
                 info->limits.groups[1]);
    else if (out->tiles > info->limits.groups[0] || push->blocks > info->limits.groups[0])
        snprintf(why, 160, "%u rows of %u blocks need more blocks than the limit of %" PRIu32, push->m,
                 push->blocks, info->limits.groups[0]);
    else if (out->ready_bytes > info->limits.binding_bytes ||
             out->ready_bytes > info->limits.allocation_bytes)
        snprintf(why, 160, "%u vectors take %" PRIu64 " bytes made ready, a buffer has at most %" PRIu64,
                 push->n, out->ready_bytes, info->limits.allocation_bytes);
    return why[0] == '\0';
}

static double mat_cost(const struct assay_device_info *info, const struct assay_call *call, int unused)
{
    struct mat_launch launch;
    char why[160];
    if (!mat_read(info, call, unused, &launch, why)) return 1e300;
    double each = ceil((double)launch.tiles * launch.groups / units(info));
    return 2 * LAUNCH_NS +
           (double)launch.problem.blocks * fmax(launch.kind->alone, launch.kind->beside * each);
}

static enum assay_status mat_plan(const struct assay_device_info *info, const struct assay_call *call,
                                  const char *technique, enum code_name unused_name, int unused,
                                  struct assay_plan *plan, struct assay_error *error)
{
    struct mat_launch launch;
    char why[160];
    (void)unused_name;
    memset(plan, 0, sizeof *plan);
    if (!mat_read(info, call, unused, &launch, why)) return refused(error, technique, why);
    if (!launch.problem.m || !launch.problem.n) return ASSAY_OK;
    struct assay_step *ready = &plan->step[plan->step_count++], *product = &plan->step[plan->step_count++];
    plan->scratch_bytes = launch.ready_bytes;
    *product = launch.step;
    finish_step(product, launch.kind->code, &launch.push, 3, launch.kind->threads);
    product->program.shared_bytes = launch.shared_bytes;
    product->groups[0] = launch.tiles;
    product->groups[1] = launch.groups;
    *ready = launch.step;
    finish_step(ready, CODE_q1_mat_ready, &launch.push, 2, MAT_READY_THREADS);
    ready->groups[0] = launch.push.blocks;
    ready->groups[1] = launch.groups;
    ready->bind[0] = launch.step.bind[1]; /* X */
    ready->bind[1].role = product->bind[1].role = ASSAY_ROLE_SCRATCH;
    ready->bind[1].index = product->bind[1].index = 0;
    ready->bind[1].offset_bytes = product->bind[1].offset_bytes = 0;
    ready->bind[1].bytes = product->bind[1].bytes = launch.ready_bytes;
    return ASSAY_OK;
}

static bool mat_present(const struct assay_device_info *info, enum code_name name, char why[160])
{
    return present(info, name, why);
}

#define CODE_q1_mat CODE_q1_mat_ready
TILE_ROW(mat, mat, 0)

/* ---- quantize ---- */

bool q1_cuda_quantize_present(const struct assay_device_info *info, char why[160])
{
    return present(info, CODE_q1_quantize, why);
}

static bool quantize_read(const struct assay_device_info *info, const struct assay_call *call,
                          struct q1_problem *problem, struct q1_push *push, struct assay_step *step,
                          char why[160])
{
    memset(step, 0, sizeof *step);
    return q1_quantize_read(call, problem, why) &&
           q1_push_fill(call, problem, 0, problem->n, push, step, why) && q1_bindings_fit(info, step, 2, why);
}

bool q1_cuda_quantize_supports(const struct assay_device_info *info, const struct assay_call *call,
                               char why[160])
{
    struct q1_problem problem;
    struct q1_push push;
    struct assay_step step;
    return quantize_read(info, call, &problem, &push, &step, why);
}

double q1_cuda_quantize_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    (void)info;
    return LAUNCH_NS + (double)assay_tensor_elems(&call->input[0]);
}

enum assay_status q1_cuda_quantize_plan(const struct assay_device_info *info, const struct assay_call *call,
                                        enum assay_variant variant, struct assay_plan *plan,
                                        struct assay_error *error)
{
    struct q1_problem problem;
    struct q1_push push;
    char why[160];
    (void)variant;
    memset(plan, 0, sizeof *plan);
    if (!quantize_read(info, call, &problem, &push, &plan->step[0], why))
        return refused(error, "quantize", why);
    if (!problem.n || !problem.blocks) return ASSAY_OK;
    finish_step(&plan->step[0], CODE_q1_quantize, &push, 2, SIMPLE_THREADS);
    plan->step[0].groups[0] = (push.blocks + SIMPLE_THREADS - 1) / SIMPLE_THREADS;
    plan->step[0].groups[1] = at_most(push.n, info->limits.groups[1]);
    plan->step_count = 1;
    return ASSAY_OK;
}
