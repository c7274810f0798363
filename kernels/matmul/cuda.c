/* Plans of the CUDA rows of the matrix product: which calls each takes, how many blocks it starts, what it costs.
 *
 * Knows sizes and strides only; the device code is in cuda_*.cu. All rows compute the same bits (EXACTNESS rule 2). */
#include "kernels/matmul/cuda.h"
#include "kernels/matmul/cuda_args.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct matmul_args) == sizeof(struct matmul_push), "kernel arguments");

/* ---- embedded code ---- */

/* One entry point in the three forms in which it is embedded, best first. */
struct code_set {
    struct assay_code code[3];
};

#define FILES(X) X(simple)
/* X(file, entry, variant) */
#define ENTRIES(X)                                                                                           \
    X(simple, matmul_simple, native)                                                                         \
    X(simple, matmul_simple, emulated)                                                                       \
    X(simple, matmul_simple, integer)

#define DECLARE(file)                                                                                        \
    ASSAY_BLOB(kernels_matmul_cuda_##file##_sm_90a_cubin);                                                   \
    ASSAY_BLOB(kernels_matmul_cuda_##file##_sm_80_cubin);                                                    \
    ASSAY_BLOB(kernels_matmul_cuda_##file##_compute_80_ptx);
FILES(DECLARE)

enum code_name {
#define NAME(file, entry, variant) CODE_##entry##_##variant,
    ENTRIES(NAME)
#undef NAME
        CODE_COUNT
};

static struct code_set code_sets[CODE_COUNT];
static pthread_once_t code_sets_once = PTHREAD_ONCE_INIT;

static void fill(enum code_name name, struct code_set set)
{
    code_sets[name] = set;
}

/* Blob sizes are differences of symbols, which C takes for no constants. */
static void code_sets_fill(void)
{
#define CODE(file, entry_, variant, kind_, cc_, blob)                                                        \
    {.kind = kind_,                                                                                          \
     .name = "matmul.cuda." #file "." #variant,                                                              \
     .entry = #entry_ "_" #variant,                                                                          \
     .cc = cc_,                                                                                              \
     .data = assay_blob_kernels_matmul_cuda_##file##_##blob,                                                 \
     .bytes = ASSAY_BLOB_BYTES(kernels_matmul_cuda_##file##_##blob)}
#define FILL(file, entry, variant)                                                                           \
    fill(CODE_##entry##_##variant,                                                                           \
         (struct code_set){{CODE(file, entry, variant, ASSAY_CODE_CUBIN, 90, sm_90a_cubin),                  \
                            CODE(file, entry, variant, ASSAY_CODE_CUBIN, 80, sm_80_cubin),                   \
                            CODE(file, entry, variant, ASSAY_CODE_PTX, 80, compute_80_ptx)}});
    ENTRIES(FILL)
#undef FILL
#undef CODE
}

static void use_code(struct assay_step *step, enum code_name name)
{
    pthread_once(&code_sets_once, code_sets_fill);
    step->program.codes = code_sets[name].code;
    step->program.code_count = sizeof code_sets[name].code / sizeof code_sets[name].code[0];
}

/* ---- shared by the rows ---- */

static bool present(const struct assay_device_info *info, enum code_name name, char why[160])
{
    pthread_once(&code_sets_once, code_sets_fill);
    size_t bytes = 0;
    for (size_t i = 0; i < 3; i++) bytes += code_sets[name].code[i].bytes;
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
static bool read_call(const struct assay_call *call, struct matmul_problem *problem, struct matmul_push *push,
                      struct assay_step *step, char why[160])
{
    return matmul_problem_read(call, problem, why) && matmul_push_fill(call, problem, push, step, why);
}

static bool is_empty(const struct matmul_problem *problem)
{
    return problem->m == 0 || problem->n == 0 || problem->batch == 0;
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

/* Nanoseconds that `flops` take at a share of the device's peak: 128 lanes a multiprocessor at about 1.7 GHz. */
static double flops_ns(const struct assay_device_info *info, double flops, double share)
{
    double units = info->compute_units ? info->compute_units : 100;
    return flops / (units * 2 * 128 * 1.7 * share);
}

#define LAUNCH_NS 3000.0

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
    (void)info;
    return read_call(call, &problem, &push, &step, why);
}

double matmul_cuda_simple_cost(const struct assay_device_info *info, const struct assay_call *call)
{
    struct matmul_problem p;
    char why[160];
    if (!matmul_problem_read(call, &p, why)) return 1e30;
    double elements = (double)p.m * (double)p.n * (double)p.batch;
    /* A step of a chain waits for memory; about 2048 threads a multiprocessor wait at the same time. */
    double serial_ns = (double)p.k * 25;
    double waves = elements / ((info->compute_units ? info->compute_units : 100) * 2048.0);
    double busy_ns = flops_ns(info, 2 * elements * (double)p.k, 0.08);
    return LAUNCH_NS + (waves < 1 ? serial_ns : serial_ns > busy_ns ? serial_ns : busy_ns);
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
    if (!read_call(call, &problem, &push, step, why)) return refused(error, "simple", why);
    if (is_empty(&problem)) return ASSAY_OK;
    use_code(step, variant == ASSAY_VARIANT_INTEGER    ? CODE_matmul_simple_integer
                   : variant == ASSAY_VARIANT_EMULATED ? CODE_matmul_simple_emulated
                                                       : CODE_matmul_simple_native);
    finish_step(step, &push, SIMPLE_COLUMNS * SIMPLE_ROWS, 3);
    step->groups[0] = (push.n + SIMPLE_COLUMNS - 1) / SIMPLE_COLUMNS;
    step->groups[1] = at_most(((uint64_t)push.m + SIMPLE_ROWS - 1) / SIMPLE_ROWS, info->limits.groups[1]);
    step->groups[2] = at_most(push.batch, info->limits.groups[2]);
    plan->step_count = 1;
    return ASSAY_OK;
}
