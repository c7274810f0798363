/* Plans of the Vulkan rows of the matrix product: which calls each takes, how operands are read, what it costs.
 *
 * Knows sizes, strides and limits only; the device code is in vulkan_*.comp. All rows compute the same bits. */
#include "kernels/matmul/vulkan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GROUP = 128 }; /* k of a group, docs/exactness.md rule 2 */

/* ---- embedded code ---- */

enum shader { PLAIN, TILE32, TILE64, TILE128, TILE128D8, JOIN, SHADERS };
enum text { TEXT_NATIVE, TEXT_EMULATED, TEXTS };

/* X(SHADER, file, text) */
#define MODULES(X)                                                                                           \
    X(PLAIN, plain, native)                                                                                  \
    X(PLAIN, plain, emulated)                                                                                \
    X(TILE32, tile32, native)                                                                                \
    X(TILE32, tile32, emulated)                                                                              \
    X(TILE64, tile64, native)                                                                                \
    X(TILE64, tile64, emulated)                                                                              \
    X(TILE128, tile128, native)                                                                              \
    X(TILE128D8, tile128d8, native)                                                                          \
    X(JOIN, join, native)                                                                                    \
    X(JOIN, join, emulated)

#define DECLARE(shader, file, text) ASSAY_BLOB(kernels_matmul_vulkan_##file##_##text##_spv);
MODULES(DECLARE)

enum { TEXT_OF_native = TEXT_NATIVE, TEXT_OF_emulated = TEXT_EMULATED };

#define CODE(shader, file, text)                                                                             \
    [shader][TEXT_OF_##text] = {.kind = ASSAY_CODE_SPIRV,                                                    \
                                .name = "matmul.vulkan." #file "." #text,                                    \
                                .entry = "main",                                                             \
                                ASSAY_BLOB_AT(kernels_matmul_vulkan_##file##_##text##_spv)},
static const struct assay_code codes[SHADERS][TEXTS] = {MODULES(CODE)};
#undef CODE

static const struct tiling {
    enum shader shader;
    const char *technique;
    uint32_t tile_m, tile_n;  /* outputs of a workgroup */
    uint32_t reg_m, reg_n;    /* outputs of an invocation */
    uint32_t depth;           /* k staged at once */
    uint32_t blocks_a_unit;   /* workgroups that a multiprocessor runs side by side (estimate) */
    double alone;             /* share of its rate that a multiprocessor reaches with one of them */
    double share;             /* share of a GPU's peak that full tiles reach */
    double software_flops_ns; /* on a software renderer, per flop of whole tiles (measured on llvmpipe) */
} tilings[SHADERS] = {
    /* alone and share fitted to an H200's times (docs/measured/h200-matmul.md), contracting form */
    [TILE32] = {TILE32, "tile32", 32, 32, 4, 4, 16, 8, 0.27, 0.43, 0.7},
    [TILE64] = {TILE64, "tile64", 64, 64, 4, 4, 16, 4, 0.82, 0.51, 0.87},
    [TILE128] = {TILE128, "tile128", 128, 128, 8, 8, 16, 1, 1.0, 0.61, 0.87},
    /* for devices with 32 KiB of shared memory */
    [TILE128D8] = {TILE128D8, "tile128d8", 128, 128, 8, 8, 8, 1, 1.0, 0.59, 0.87},
};

enum { PLAIN_INVOCATIONS = 64, ALONG_OUTER = 1, AS_VECTOR = 2, ANY_MODE = 4 };

static uint32_t tile_invocations(const struct tiling *t)
{
    return t->tile_m / t->reg_m * (t->tile_n / t->reg_n);
}
/* Two stages of both operands, a quad of padding a line, and the marks of the emulated text. */
static uint32_t tile_shared_bytes(const struct tiling *t)
{
    return 2 * t->depth * (t->tile_m / 4 + 1 + t->tile_n / 4 + 1) * 16 + (t->tile_m + t->tile_n) * 4;
}

/* ---- reading a call ---- */

struct read {
    struct matmul_problem problem;
    struct matmul_push push;
    struct assay_step step; /* the three bindings */
};

/* A batch of A on a shared B is one tall product where rows of A and Y go on through the batches. */
static void join_batches(struct matmul_problem *p)
{
    if (p->batch <= 1 || p->b_batch != 0 || p->m < 1 || p->m * p->batch > UINT32_MAX) return;
    if (p->m == 1) {
        p->a_row = p->a_batch;
        p->y_row = p->y_batch;
    }
    if (p->a_batch != p->m * p->a_row || p->y_batch != p->m * p->y_row) return;
    p->m *= p->batch;
    p->batch = 1;
    p->a_batch = p->y_batch = 0;
}

static bool read_call(const struct assay_device_info *info, const struct assay_call *call, struct read *r,
                      char why[160])
{
    memset(r, 0, sizeof *r);
    if (!matmul_problem_read(call, &r->problem, why)) return false;
    join_batches(&r->problem);
    if (!matmul_push_fill(&r->problem, &r->push, &r->step, why)) return false;
    if (matmul_is_empty(&r->problem)) return true;
    double outputs = (double)r->problem.m * (double)r->problem.n * (double)r->problem.batch;
    if (outputs > INT32_MAX) {
        snprintf(why, 160, "%.0f outputs, at most %d are counted in 32 bits", outputs, INT32_MAX);
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (r->step.bind[i].bytes <= info->limits.binding_bytes) continue;
        snprintf(why, 160, "%c spans %llu bytes, the device binds at most %llu", "ABY"[i],
                 (unsigned long long)r -> step.bind[i].bytes, (unsigned long long)info->limits.binding_bytes);
        return false;
    }
    return true;
}

/* How one operand is read: stride along k and along m or n, the other dimensions' strides, lengths. */
static uint32_t operand_mode(uint32_t along_k, uint32_t along_outer, uint32_t batch, uint32_t offset,
                             uint32_t k, uint32_t outer)
{
    uint32_t mode = along_k != 1 && along_outer == 1 ? ALONG_OUTER : 0;
    uint32_t unit = mode ? along_outer : along_k, other = mode ? along_k : along_outer;
    uint32_t length = mode ? outer : k;
    if (unit == 1 && other % 4 == 0 && batch % 4 == 0 && offset % 4 == 0 && length % 4 == 0)
        mode |= AS_VECTOR;
    return mode;
}

static uint64_t tiles_of(const struct matmul_problem *p, const struct tiling *t)
{
    return (uint64_t)((p->m + t->tile_m - 1) / t->tile_m) * (uint64_t)((p->n + t->tile_n - 1) / t->tile_n) *
           (uint64_t)p->batch;
}

static uint32_t groups_of(const struct matmul_problem *p)
{
    return (uint32_t)((p->k + GROUP - 1) / GROUP);
}

static uint32_t at_most(uint64_t value, uint32_t limit)
{
    return value < limit ? (uint32_t)value : limit;
}

/* ---- steps ---- */

static void set_code(struct assay_step *step, enum shader shader, enum assay_variant variant)
{
    bool native = variant == ASSAY_VARIANT_NATIVE || variant == ASSAY_VARIANT_CONTRACT;
    step->program.codes = &codes[shader][native ? TEXT_NATIVE : TEXT_EMULATED];
    step->program.code_count = 1;
    step->program.bindings = 3;
    step->program.push_bytes = sizeof(struct matmul_push);
    step->program.spec[0] = variant;
    step->program.spec_count = 1;
}

/* A grid for so many workgroups, in two dimensions where one is too short; shaders loop over what remains. */
static void set_grid(const struct assay_device_info *info, struct assay_step *step, uint32_t invocations,
                     uint64_t groups)
{
    step->program.group[0] = invocations;
    step->program.group[1] = step->program.group[2] = 1;
    step->groups[0] = at_most(groups, info->limits.groups[0]);
    step->groups[1] = at_most((groups + step->groups[0] - 1) / step->groups[0], info->limits.groups[1]);
    step->groups[2] = 1;
}

/* ---- how long loops may be ----
 * Gallivm (llvmpipe, lavapipe) ends all loops of an invocation, silently, after 65,535 iterations in total
 * (docs/exactness.md). So on software renderers an upper bound of the iterations is kept below that: longer sums come
 * in ranges of k, one a step. The bounds count a loop's last test as an iteration, both the unchecked and the checked
 * sum of every output, and none of the unrolled loops, whose trip counts are constants. */

enum { LOOPS_MOST = 65000 };

/* Turns that a workgroup's loop over sums or tiles takes. */
static uint64_t turns_of(const struct assay_device_info *info, uint64_t groups)
{
    uint64_t x = at_most(groups, info->limits.groups[0]);
    if (x == 0) return 0;
    uint64_t grid = x * at_most((groups + x - 1) / x, info->limits.groups[1]);
    return (groups + grid - 1) / grid;
}

static uint64_t checked_loops(uint64_t k) /* checked_sum */
{
    return k + (k + 31) / 32 + (k + GROUP - 1) / GROUP + 2;
}
static uint64_t plain_loops(uint64_t turns, uint64_t k)
{
    uint64_t chains = (k + 31) / 32, groups = (k + GROUP - 1) / GROUP;
    return 1 + turns * (1 + k + 2 * chains + 2 * groups + 2 + checked_loops(k));
}
static uint64_t join_loops(uint64_t turns, uint64_t k)
{
    return 1 + turns * (2 + (k + GROUP - 1) / GROUP);
}
static uint64_t tile_loops(const struct tiling *t, uint64_t turns, uint64_t k)
{
    uint64_t stages = (k + t->depth - 1) / t->depth, groups = (k + GROUP - 1) / GROUP;
    uint64_t clear = (t->tile_m + t->tile_n) / tile_invocations(t) + 4;
    uint64_t again = t->reg_m * t->reg_n * (2 + 3 * groups + checked_loops(k));
    return 1 + turns * (1 + clear + stages + 2 + k + stages + again + 1);
}

/* The longest range of k, whole groups, that stays below the limit; 0: none. */
static uint32_t longest_range(const struct assay_device_info *info, const struct tiling *t, uint64_t turns)
{
    uint32_t low = 0, high = LOOPS_MOST / GROUP; /* in groups: low fits, high + 1 does not */
    if (!info->software) return UINT32_MAX / GROUP * GROUP;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        uint64_t k = (uint64_t)middle * GROUP;
        if ((t != NULL ? tile_loops(t, turns, k) : plain_loops(turns, k)) <= LOOPS_MOST)
            low = middle;
        else
            high = middle - 1;
    }
    return low * GROUP;
}

static uint64_t plain_groups(uint64_t sums)
{
    return (sums + PLAIN_INVOCATIONS - 1) / PLAIN_INVOCATIONS;
}
static uint64_t outputs_of(const struct matmul_problem *p)
{
    return (uint64_t)p->m * (uint64_t)p->n * (uint64_t)p->batch;
}

/* The range of k of a step of this row: tiles, or plain where t is NULL. */
static uint32_t range_of(const struct assay_device_info *info, const struct matmul_problem *p,
                         const struct tiling *t)
{
    return longest_range(info, t, turns_of(info, t != NULL ? tiles_of(p, t) : plain_groups(outputs_of(p))));
}

static bool ranges_fit(const struct assay_device_info *info, const struct matmul_problem *p,
                       const struct tiling *t, char why[160])
{
    if (matmul_is_empty(p)) return true;
    uint64_t turns = turns_of(info, t != NULL ? tiles_of(p, t) : plain_groups(outputs_of(p)));
    uint64_t most = (uint64_t)longest_range(info, t, turns) * ASSAY_STEPS_MAX;
    bool any = !info->software || (t != NULL ? tile_loops(t, turns, 0) : plain_loops(turns, 0)) <= LOOPS_MOST;
    if (any && (uint64_t)p->k <= most) return true;
    snprintf(why, 160, "K is %lld: a software renderer's limit of 65535 loop iterations allows %llu here",
             (long long)p->k, (unsigned long long)most);
    return false;
}

/* groups_a_span: groups of a workgroup, in `spans` parts of K; 0 = not split. */
static void tile_step(const struct assay_device_info *info, const struct read *r, const struct tiling *t,
                      enum assay_variant variant, uint32_t spans, uint32_t groups_a_span,
                      struct assay_step *step)
{
    struct matmul_push push = r->push;
    uint32_t a_mode = operand_mode(push.a_col, push.a_row, push.a_batch, push.a_offset, push.k, push.m);
    uint32_t b_mode = operand_mode(push.b_row, push.b_col, push.b_batch, push.b_offset, push.k, push.n);
    *step = r->step;
    set_code(step, t->shader, variant);
    set_grid(info, step, tile_invocations(t), tiles_of(&r->problem, t) * spans);
    /* the native text is specialised, the emulated one reads its arguments (vulkan_tile.glsl) */
    if (variant == ASSAY_VARIANT_NATIVE || variant == ASSAY_VARIANT_CONTRACT) {
        bool vectors = a_mode & b_mode & AS_VECTOR;
        step->program.spec[1] = vectors ? a_mode : ANY_MODE;
        step->program.spec[2] = vectors ? b_mode : ANY_MODE;
        step->program.spec[3] = groups_a_span != 0;
        step->program.spec_count = 4;
    }
    push.extra[0] = groups_a_span;
    push.extra[1] = a_mode | b_mode << 2;
    memcpy(step->push, &push, sizeof push);
}

static void plain_step(const struct assay_device_info *info, const struct read *r, enum assay_variant variant,
                       bool split, struct assay_step *step)
{
    struct matmul_push push = r->push;
    uint64_t sums = outputs_of(&r->problem) * (split ? groups_of(&r->problem) : 1);
    *step = r->step;
    set_code(step, PLAIN, variant);
    set_grid(info, step, PLAIN_INVOCATIONS, plain_groups(sums));
    push.extra[0] = split;
    memcpy(step->push, &push, sizeof push);
}

/* The same step once for each range of k that its loops may have. */
static void repeat_step(struct assay_plan *plan, const struct assay_step *whole, uint32_t range)
{
    struct matmul_push push;
    memcpy(&push, whole->push, sizeof push);
    uint32_t k = push.k;
    do {
        struct assay_step *step = &plan->step[plan->step_count++];
        *step = *whole;
        push.k = k - push.extra[2] > range ? push.extra[2] + range : k;
        memcpy(step->push, &push, sizeof push);
        push.extra[2] = push.k;
    } while (push.k < k);
}

static enum assay_status refused(struct assay_error *error, const char *technique, const char *why)
{
    return assay_error_set(error, ASSAY_UNSUPPORTED, "matmul.vulkan.%s: %s", technique, why);
}

/* ---- what time things take: estimates in ns ---- */

#define LAUNCH_NS 5000.0
/* A software renderer, measured: llvmpipe of Mesa 22.3.6, emulated form, flop a ns of one core. A pipeline of
 * tiles takes it a second to compile, which only large products repay. */
#define SOFTWARE_CORES          2
#define SOFTWARE_PLAIN_FLOPS_NS 0.48
#define SOFTWARE_TILE_NS        2e7

static double units_of(const struct assay_device_info *info)
{
    return info->compute_units ? info->compute_units : 100;
}
/* flop a ns of one multiprocessor: 128 lanes at about 1.7 GHz, two operations each */
#define UNIT_FLOPS_NS (2 * 128 * 1.7)

static double tile_ns(const struct assay_device_info *info, const struct matmul_problem *p,
                      const struct tiling *t, uint32_t spans)
{
    double tiles = (double)tiles_of(p, t) * spans, units = units_of(info);
    double flops = 2.0 * t->tile_m * t->tile_n * ((double)p->k / spans);
    if (info->software)
        return SOFTWARE_TILE_NS +
               fmax(tiles, SOFTWARE_CORES) * flops / (SOFTWARE_CORES * t->software_flops_ns);
    /* Full rounds of as many workgroups as fit, then the rest, spread over the multiprocessors. */
    double rounds = floor(tiles / (units * t->blocks_a_unit));
    double rest = ceil((tiles - rounds * units * t->blocks_a_unit) / units), peak = UNIT_FLOPS_NS * t->share;
    double ns = LAUNCH_NS + rounds * t->blocks_a_unit * flops / (peak * fmin(1, t->blocks_a_unit * t->alone));
    return rest > 0 ? ns + rest * flops / (peak * fmin(1, rest * t->alone)) : ns;
}

static double plain_ns(const struct assay_device_info *info, const struct matmul_problem *p, uint32_t spans)
{
    double flops = 2.0 * (double)p->m * (double)p->n * (double)p->batch * (double)p->k;
    if (info->software) return LAUNCH_NS + flops / (SOFTWARE_CORES * SOFTWARE_PLAIN_FLOPS_NS);
    double chain = (double)p->k / spans * 20; /* loads and multiply-adds of one output follow each other */
    double all = flops / (units_of(info) * UNIT_FLOPS_NS * 0.04);
    return LAUNCH_NS + (all > chain ? all : chain);
}

static double join_ns(const struct assay_device_info *info, const struct matmul_problem *p)
{
    double sums = (double)p->m * (double)p->n * (double)p->batch * groups_of(p);
    return LAUNCH_NS + sums * (info->software ? 4.0 : 4.0 / (units_of(info) * 8)) + groups_of(p) * 4.0;
}

/* ---- plain: one invocation an output, takes everything ---- */

bool matmul_vulkan_plain_present(const struct assay_device_info *info, char why[160])
{
    (void)info;
    why[0] = 0;
    return true;
}

bool matmul_vulkan_plain_supports(const struct assay_device_info *info, const struct assay_call *call,
                                  char why[160])
{
    struct read r;
    return read_call(info, call, &r, why) && ranges_fit(info, &r.problem, NULL, why);
}

double matmul_vulkan_plain_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    struct read r;
    char why[160];
    return read_call(info, call, &r, why) ? plain_ns(info, &r.problem, 1) : 1e300;
}

enum assay_status matmul_vulkan_plain_plan(const struct assay_device_info *info,
                                           const struct assay_call *call, enum assay_variant variant,
                                           struct assay_plan *plan, struct assay_error *error)
{
    struct read r;
    char why[160];
    memset(plan, 0, sizeof *plan);
    struct assay_step whole;
    if (!read_call(info, call, &r, why) || !ranges_fit(info, &r.problem, NULL, why))
        return refused(error, "plain", why);
    if (matmul_is_empty(&r.problem)) return ASSAY_OK;
    plain_step(info, &r, variant, false, &whole);
    repeat_step(plan, &whole, range_of(info, &r.problem, NULL));
    return ASSAY_OK;
}

/* ---- tiles ---- */

static bool tile_present(const struct assay_device_info *info, const struct tiling *t, char why[160])
{
    why[0] = 0;
    if (info->limits.group_invocations < tile_invocations(t))
        snprintf(why, 160, "needs %u invocations a workgroup, the device has %u", tile_invocations(t),
                 info->limits.group_invocations);
    else if (info->limits.shared_bytes < tile_shared_bytes(t))
        snprintf(why, 160, "needs %u bytes of shared memory, the device has %u", tile_shared_bytes(t),
                 info->limits.shared_bytes);
    return why[0] == 0;
}

static bool tile_supports(const struct assay_device_info *info, const struct assay_call *call,
                          const struct tiling *t, char why[160])
{
    struct read r;
    return read_call(info, call, &r, why) && ranges_fit(info, &r.problem, t, why);
}

static enum assay_status tile_plan(const struct assay_device_info *info, const struct assay_call *call,
                                   const struct tiling *t, enum assay_variant variant,
                                   struct assay_plan *plan, struct assay_error *error)
{
    struct read r;
    char why[160];
    struct assay_step whole;
    memset(plan, 0, sizeof *plan);
    if (!tile_supports(info, call, t, why) || !read_call(info, call, &r, why))
        return refused(error, t->technique, why);
    if (matmul_is_empty(&r.problem)) return ASSAY_OK;
    tile_step(info, &r, t, variant, 1, 0, &whole);
    repeat_step(plan, &whole, range_of(info, &r.problem, t));
    return ASSAY_OK;
}

static double tile_cost(const struct assay_device_info *info, const struct assay_call *call,
                        const struct tiling *t)
{
    struct read r;
    char why[160];
    return read_call(info, call, &r, why) ? tile_ns(info, &r.problem, t, 1) : 1e300;
}

#define TILE_ROW(name, shader)                                                                               \
    bool matmul_vulkan_##name##_present(const struct assay_device_info *info, char why[160])                 \
    {                                                                                                        \
        return tile_present(info, &tilings[shader], why);                                                    \
    }                                                                                                        \
    bool matmul_vulkan_##name##_supports(const struct assay_device_info *info,                               \
                                         const struct assay_call *call, char why[160])                       \
    {                                                                                                        \
        return tile_supports(info, call, &tilings[shader], why);                                             \
    }                                                                                                        \
    double matmul_vulkan_##name##_cost(const struct assay_device_info *info, const struct assay_call *call)  \
    {                                                                                                        \
        return tile_cost(info, call, &tilings[shader]);                                                      \
    }                                                                                                        \
    enum assay_status matmul_vulkan_##name##_plan(const struct assay_device_info *info,                      \
                                                  const struct assay_call *call, enum assay_variant variant, \
                                                  struct assay_plan *plan, struct assay_error *error)        \
    {                                                                                                        \
        return tile_plan(info, call, &tilings[shader], variant, plan, error);                                \
    }

TILE_ROW(tile32, TILE32)
TILE_ROW(tile64, TILE64)
TILE_ROW(tile128, TILE128)
TILE_ROW(tile128d8, TILE128D8)

/* ---- split: K cut at groups between workgroups, sums of groups stored, then added in order ---- */

#define SPLIT_SCRATCH_MOST ((uint64_t)1 << 30)

static uint64_t split_scratch_bytes(const struct read *r)
{
    return 4ull * r->push.m * r->push.n * r->push.batch * groups_of(&r->problem);
}

/* Thin products have no use for tiles. */
static bool split_by_tiles(const struct matmul_problem *p)
{
    return p->m >= 8 && p->n >= 8;
}

/* Parts of K, so that every multiprocessor has something to do. */
static uint32_t split_spans(const struct assay_device_info *info, const struct matmul_problem *p,
                            uint32_t *groups_a_span)
{
    uint32_t groups = groups_of(p);
    double wanted =
        2 * units_of(info) * tilings[TILE32].blocks_a_unit / (double)tiles_of(p, &tilings[TILE32]);
    uint32_t spans = wanted < 2 ? 2 : wanted > groups ? groups : (uint32_t)wanted;
    uint32_t most = longest_range(info, &tilings[TILE32], 1) / GROUP;
    *groups_a_span = (groups + spans - 1) / spans;
    if (*groups_a_span > most) *groups_a_span = most;
    return (groups + *groups_a_span - 1) / *groups_a_span;
}

static bool split_loops_fit(const struct assay_device_info *info, const struct matmul_problem *p,
                            char why[160])
{
    uint32_t groups_a_span = 1;
    uint64_t first, sums = outputs_of(p), join;
    if (!info->software) return true;
    if (split_by_tiles(p)) {
        uint64_t spans = split_spans(info, p, &groups_a_span);
        uint64_t turns = turns_of(info, tiles_of(p, &tilings[TILE32]) * spans);
        first = tile_loops(&tilings[TILE32], turns, (uint64_t)groups_a_span * GROUP);
    } else {
        first = plain_loops(turns_of(info, plain_groups(sums * groups_of(p))), GROUP);
    }
    join = join_loops(turns_of(info, plain_groups(sums)), (uint64_t)p->k);
    if (first <= LOOPS_MOST && join <= LOOPS_MOST) return true;
    snprintf(why, 160, "it would take %llu loop iterations, a software renderer's limit is 65535",
             (unsigned long long)(first > join ? first : join));
    return false;
}

bool matmul_vulkan_split_present(const struct assay_device_info *info, char why[160])
{
    return tile_present(info, &tilings[TILE32], why);
}

bool matmul_vulkan_split_supports(const struct assay_device_info *info, const struct assay_call *call,
                                  char why[160])
{
    struct read r;
    uint64_t most = SPLIT_SCRATCH_MOST;
    if (most > info->limits.binding_bytes) most = info->limits.binding_bytes;
    if (!read_call(info, call, &r, why)) return false;
    if (matmul_is_empty(&r.problem)) return true;
    if (groups_of(&r.problem) < 2) {
        snprintf(why, 160, "K is %lld: it is split from %d on", (long long)r.problem.k, GROUP + 1);
        return false;
    }
    if ((double)r.push.m * r.push.n * r.push.batch * groups_of(&r.problem) * 4 > (double)most) {
        snprintf(why, 160, "the sums of groups would take more than %llu bytes", (unsigned long long)most);
        return false;
    }
    return split_loops_fit(info, &r.problem, why);
}

double matmul_vulkan_split_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    struct read r;
    char why[160];
    uint32_t groups_a_span;
    if (!read_call(info, call, &r, why) || matmul_is_empty(&r.problem) || groups_of(&r.problem) < 2)
        return 1e300;
    double first = split_by_tiles(&r.problem) ? tile_ns(info, &r.problem, &tilings[TILE32],
                                                        split_spans(info, &r.problem, &groups_a_span))
                                              : plain_ns(info, &r.problem, groups_of(&r.problem));
    return first + join_ns(info, &r.problem);
}

enum assay_status matmul_vulkan_split_plan(const struct assay_device_info *info,
                                           const struct assay_call *call, enum assay_variant variant,
                                           struct assay_plan *plan, struct assay_error *error)
{
    struct read r;
    char why[160];
    memset(plan, 0, sizeof *plan);
    if (!matmul_vulkan_split_supports(info, call, why) || !read_call(info, call, &r, why))
        return refused(error, "split", why);
    if (matmul_is_empty(&r.problem)) return ASSAY_OK;
    struct assay_step *sums = &plan->step[0], *join = &plan->step[1];
    plan->step_count = 2;
    plan->scratch_bytes = split_scratch_bytes(&r);

    if (split_by_tiles(&r.problem)) {
        uint32_t groups_a_span, spans = split_spans(info, &r.problem, &groups_a_span);
        tile_step(info, &r, &tilings[TILE32], variant, spans, groups_a_span, sums);
    } else {
        plain_step(info, &r, variant, true, sums);
    }
    sums->bind[2].role = ASSAY_ROLE_SCRATCH;
    sums->bind[2].index = 0;
    sums->bind[2].offset_bytes = 0;
    sums->bind[2].bytes = plan->scratch_bytes;

    *join = r.step;
    set_code(join, JOIN, variant);
    set_grid(info, join, PLAIN_INVOCATIONS, plain_groups(outputs_of(&r.problem)));
    memcpy(join->push, &r.push, sizeof r.push);
    join->bind[0] = join->bind[1] = sums->bind[2];
    return ASSAY_OK;
}
