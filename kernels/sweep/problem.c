/* Reading calls of the sweeps, and their plans, which are the same on every backend but for the programs.
 *
 * Knows shapes, attributes and limits; no device code. */
#include "kernels/sweep/sweep.h"

#include <inttypes.h>
#include <string.h>

#define COLUMNS_UNITS  4
#define COLUMNS_MEMORY 10
#define COLUMNS_CHUNK  2
#define CHUNK_WORDS    4096
#define TILE_WORDS     16384
#define GROUPS_MOST    2048 /* of a pass over memory: enough for any card, few enough that they end together */
#define ARRIVALS_BYTES 256
#define TABLE_IDS      1024 /* ids of units of a part of a card; cards have some 150 */
#define BINDING_ALIGN  256  /* a binding starts at a multiple */

static const char *const op_names[] = {"SweepUnits", "SweepMemory", "SweepUpload", "SweepDownload"};

static int64_t attr_of(const struct assay_call *call, const char *name, int64_t otherwise)
{
    for (size_t i = 0; i < call->attr_count; i++)
        if (call->attrs[i].kind == ASSAY_ATTR_INT && strcmp(call->attrs[i].name, name) == 0)
            return call->attrs[i].i;
    return otherwise;
}

static bool dense(const struct assay_tensor *t)
{
    int64_t step = 1;
    for (uint32_t d = t->rank; d-- > 0;) {
        if (t->shape[d] > 1 && t->stride[d] != step) return false;
        step *= t->shape[d];
    }
    return true;
}

bool sweep_read(const struct assay_device_info *info, const struct assay_call *call, enum sweep_op op,
                char why[160])
{
    const struct assay_tensor *in = &call->input[0], *y = &call->output[0];
    const int64_t columns = op == SWEEP_UNITS    ? COLUMNS_UNITS
                            : op == SWEEP_MEMORY ? COLUMNS_MEMORY
                            : op == SWEEP_UPLOAD ? COLUMNS_CHUNK
                                                 : 0;
    if (call->input_count != 1 || call->output_count != 1)
        return assay_refuse(why, "%s has one input and one output", op_names[op]);
    if (in->dtype != ASSAY_F32 || y->dtype != ASSAY_I32 || in->rank != 1 || y->rank != (columns ? 2u : 1u) ||
        !dense(in) || !dense(y) || (columns && y->shape[1] != columns))
        return assay_refuse(why, "%s takes dense f32 [n] to i32 rows of %d", op_names[op], (int)columns);
    const int64_t rows = y->shape[0];
    if (op == SWEEP_UPLOAD ? rows != (in->shape[0] + CHUNK_WORDS - 1) / CHUNK_WORDS : in->shape[0] != 2)
        return assay_refuse(why, "%s: %" PRId64 " words in do not make %" PRId64 " rows", op_names[op],
                            in->shape[0], rows);
    if (rows < 1 || rows > INT64_C(1) << 28 || in->shape[0] > INT64_C(1) << 28)
        return assay_refuse(why, "%s: %" PRId64 " rows of %" PRId64 " words, at most 2^28", op_names[op],
                            rows, in->shape[0]);
    const int64_t kib = attr_of(call, "kib", 0), rounds = attr_of(call, "rounds", 0);
    if (op == SWEEP_UNITS && (rounds < 1 || rounds > 60000 || rows > 1 << 16))
        return assay_refuse(why, "%" PRId64 " units of %" PRId64 " rounds; at most 65536 of 60000", rows,
                            rounds);
    if (op == SWEEP_UNITS && (uint64_t)rows > info->limits.groups[0])
        return assay_refuse(why, "%" PRId64 " units, a grid has %u", rows, info->limits.groups[0]);
    if (op == SWEEP_MEMORY && (kib < 4 || kib % 4 || kib > 1 << 21 || rows > 1 << 20))
        return assay_refuse(why, "%" PRId64 " slots of %" PRId64 " KiB, a multiple of 4 up to 2^21", rows,
                            kib);
    const uint64_t slot_bytes = op == SWEEP_MEMORY ? (uint64_t)kib << 10 : 0;
    if (info->limits.allocation_bytes && slot_bytes > info->limits.allocation_bytes)
        return assay_refuse(why, "a slot of %" PRIu64 " bytes, an allocation has at most %" PRIu64,
                            slot_bytes, info->limits.allocation_bytes);
    const struct assay_tensor *large = op == SWEEP_UPLOAD ? in : y;
    const uint64_t binding =
        op == SWEEP_MEMORY ? slot_bytes : 4 * (uint64_t)assay_tensor_elems(large) + BINDING_ALIGN;
    if (info->limits.binding_bytes && binding > info->limits.binding_bytes)
        return assay_refuse(why, "a tensor or slot of %" PRIu64 " bytes, a binding has at most %" PRIu64,
                            binding, info->limits.binding_bytes);
    return true;
}

/* Bind a tensor from a multiple of 256 bytes on; returns the word of the binding at which it starts. */
static uint32_t bind_tensor(struct assay_step *step, uint32_t at, enum assay_role role,
                            const struct assay_tensor *tensor)
{
    const uint64_t from = (uint64_t)tensor->offset * 4, base = from / BINDING_ALIGN * BINDING_ALIGN;
    step->bind[at].role = role;
    step->bind[at].index = 0;
    step->bind[at].offset_bytes = base;
    step->bind[at].bytes = (uint64_t)assay_tensor_extent(tensor) * 4 - base;
    return (uint32_t)((from - base) / 4);
}

static const struct {
    enum assay_role role[3]; /* input = K or X, output = Y */
    uint32_t bindings;
} binds[SWEEP_PROGRAMS] = {
    [SWEEP_CLEAR] = {{ASSAY_ROLE_OUTPUT, ASSAY_ROLE_SCRATCH}, 2},
    [SWEEP_WORK] = {{ASSAY_ROLE_INPUT, ASSAY_ROLE_OUTPUT, ASSAY_ROLE_SCRATCH}, 3},
    [SWEEP_SMID] = {{ASSAY_ROLE_INPUT, ASSAY_ROLE_OUTPUT, ASSAY_ROLE_SCRATCH}, 3},
    [SWEEP_WRITE] = {{ASSAY_ROLE_INPUT, ASSAY_ROLE_PART}, 2},
    [SWEEP_CHECK] = {{ASSAY_ROLE_INPUT, ASSAY_ROLE_PART, ASSAY_ROLE_OUTPUT}, 3},
    [SWEEP_SUM] = {{ASSAY_ROLE_INPUT, ASSAY_ROLE_OUTPUT}, 2},
    [SWEEP_MAKE] = {{ASSAY_ROLE_INPUT, ASSAY_ROLE_OUTPUT}, 2},
    [SWEEP_RANK] = {{ASSAY_ROLE_SCRATCH, ASSAY_ROLE_OUTPUT}, 2},
};

struct maker {
    const struct sweep_backend *backend;
    const struct assay_device_info *info;
    const struct assay_call *call;
    enum assay_variant variant;
    struct assay_plan *plan;
};

static struct assay_step *add_step(const struct maker *maker, enum sweep_program program,
                                   struct sweep_push args, uint64_t groups, uint64_t groups_most)
{
    struct assay_step *step = &maker->plan->step[maker->plan->step_count++];
    if (groups_most > maker->info->limits.groups[0]) groups_most = maker->info->limits.groups[0];
    if (groups > groups_most) groups = groups_most;
    if (groups < 1) groups = 1;
    args.groups = (uint32_t)groups;
    for (uint32_t b = 0; b < binds[program].bindings; b++) {
        const enum assay_role role = binds[program].role[b];
        if (role == ASSAY_ROLE_INPUT)
            args.in_from = bind_tensor(step, b, role, &maker->call->input[0]);
        else if (role == ASSAY_ROLE_OUTPUT)
            args.out_from = bind_tensor(step, b, role, &maker->call->output[0]);
        else
            step->bind[b].role = role;
    }
    step->program = (struct assay_program_params){.bindings = binds[program].bindings,
                                                  .push_bytes = sizeof args,
                                                  .group = {maker->backend->threads, 1, 1}};
    maker->backend->choose(maker->info, program, maker->variant, &step->program);
    memcpy(step->push, &args, sizeof args);
    step->groups[0] = (uint32_t)groups;
    step->groups[1] = step->groups[2] = 1;
    return step;
}

/* A step that writes its Y, binding `at`, into the table by id: the scratch memory behind the count of arrivals. */
static void use_table(struct assay_step *step, uint32_t at)
{
    struct sweep_push args;
    memcpy(&args, step->push, sizeof args);
    args.out_from = 0;
    memcpy(step->push, &args, sizeof args);
    step->bind[at].role = ASSAY_ROLE_SCRATCH;
    step->bind[at].offset_bytes = ARRIVALS_BYTES;
    step->bind[at].bytes = TABLE_IDS * COLUMNS_UNITS * 4;
}

/* Ids of the units of a part of a card (MIG) are any numbers: the rows are the distinct ids that were seen, in order. */
static void plan_units_of_part(const struct maker *maker, struct sweep_push args, uint64_t groups)
{
    const uint32_t units = args.units;
    args.units = TABLE_IDS;
    args.words = TABLE_IDS * COLUMNS_UNITS;
    maker->plan->scratch_bytes = ARRIVALS_BYTES + 4 * args.words;
    use_table(add_step(maker, SWEEP_CLEAR, args, (args.words + 255) / 256, UINT32_MAX), 0);
    use_table(add_step(maker, SWEEP_SMID, args, groups, UINT32_MAX), 1);
    args.units = units;
    struct assay_step *rank = add_step(maker, SWEEP_RANK, args, 1, 1);
    rank->bind[0].offset_bytes = ARRIVALS_BYTES;
    rank->bind[0].bytes = 4 * args.words;
}

static void plan_units(const struct maker *maker, bool by_id)
{
    const uint32_t units = (uint32_t)maker->call->output[0].shape[0], there = maker->info->compute_units;
    const struct sweep_push args = {.words = units * COLUMNS_UNITS,
                                    .units = units,
                                    .rounds = (uint32_t)attr_of(maker->call, "rounds", 1)};
    /* By id, every unit of the device must be started, also for fewer rows than there are units. */
    const uint64_t groups =
        by_id ? (uint64_t)(there > units ? there : units) * maker->backend->smid_groups : units;
    if (by_id && maker->info->partition[0]) {
        plan_units_of_part(maker, args, groups);
        return;
    }
    maker->plan->scratch_bytes = ARRIVALS_BYTES;
    add_step(maker, SWEEP_CLEAR, args, (args.words + 255) / 256, UINT32_MAX);
    add_step(maker, by_id ? SWEEP_SMID : SWEEP_WORK, args, groups, UINT32_MAX);
}

/* Everything is written before anything is read, upwards, and read downwards: an address that means the place of another,
 * or a word that its neighbour's write changes, shows. */
static void plan_memory(const struct maker *maker)
{
    const uint64_t kib = (uint64_t)attr_of(maker->call, "kib", 4);
    struct sweep_push args = {.words = (uint32_t)(kib * 256),
                              .pattern = (uint32_t)attr_of(maker->call, "pattern", 0)};
    const uint64_t tiles = (args.words + TILE_WORDS - 1) / TILE_WORDS;
    const uint32_t rows = (uint32_t)maker->call->output[0].shape[0];
    maker->plan->scratch_bytes = ARRIVALS_BYTES;
    maker->plan->part_bytes = kib << 10;
    maker->plan->part_count = rows;
    add_step(maker, SWEEP_CLEAR, (struct sweep_push){.words = rows * COLUMNS_MEMORY, .pattern = 1},
             ((uint64_t)rows * COLUMNS_MEMORY + 255) / 256, UINT32_MAX);
    for (args.pass = 0; args.pass < 2; args.pass++) {
        add_step(maker, SWEEP_WRITE, args, tiles, GROUPS_MOST)->each_part = true;
        struct assay_step *check = add_step(maker, SWEEP_CHECK, args, tiles, GROUPS_MOST);
        check->each_part = check->descending = true;
    }
}

enum assay_status sweep_plan(const struct sweep_backend *backend, const struct assay_device_info *info,
                             const struct assay_call *call, enum sweep_op op, bool by_id,
                             enum assay_variant variant, struct assay_plan *plan, struct assay_error *error)
{
    const struct maker maker = {backend, info, call, variant, plan};
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!sweep_read(info, call, op, why))
        return assay_error_set(error, ASSAY_UNSUPPORTED, "sweep.%s: %s", backend->name, why);
    const struct assay_tensor *x = &call->input[0], *y = &call->output[0];
    switch (op) {
    case SWEEP_UNITS:
        plan_units(&maker, by_id);
        break;
    case SWEEP_MEMORY:
        plan_memory(&maker);
        break;
    case SWEEP_UPLOAD:
        add_step(&maker, SWEEP_SUM, (struct sweep_push){.words = (uint32_t)x->shape[0]},
                 (uint64_t)y->shape[0], GROUPS_MOST);
        break;
    case SWEEP_DOWNLOAD:
        add_step(&maker, SWEEP_MAKE, (struct sweep_push){.words = (uint32_t)y->shape[0]},
                 ((uint64_t)y->shape[0] + TILE_WORDS - 1) / TILE_WORDS, GROUPS_MOST);
        break;
    }
    return ASSAY_OK;
}
