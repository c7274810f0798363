/* What the files of the engine share: an open device, its arithmetic, its buffers, programs and rows.
 *
 * engine.c opens and owns memory, run.c picks and runs rows, describe.c answers in JSON. Private to kernels/. */
#ifndef ASSAY_ENGINE_H
#define ASSAY_ENGINE_H

#include "devices/trust.h"
#include "kernels/kernel.h"

/* A compiled program and the parameters it was compiled from. */
struct engine_program {
    struct assay_program *program;
    struct assay_program_params params;
    uint64_t hash; /* of the code as loaded and all that shapes it */
};

struct engine_buffer {
    struct assay_buffer *buffer;
    uint64_t bytes;
};

/* What is known of one row of the kernel table on this device. */
struct engine_row {
    const struct assay_kernel *kernel;
    bool present, tried, refused; /* tried: its known answers have run */
    char why[256];                /* why it is absent or refused */
    uint64_t hash;                /* of its programs so far; 0 = never used */
};

/* What assay_start began and assay_collect has not fetched. */
struct engine_started {
    bool active, running; /* running: on the device */
    bool known;           /* the report says something of the last start */
    struct assay_run_report report;
};

struct assay_engine {
    struct assay_device *device;
    struct assay_traits traits;
    enum assay_variant variant;
    uint32_t controls;
    char why[256]; /* why this variant */
    bool variant_forced;
    bool in_flight; /* a wait timed out: the device may still be working */
    struct engine_started started;

    struct engine_row *rows; /* those of this backend, in the order of the table */
    size_t row_count;
    struct engine_buffer *buffers;
    size_t buffer_count, buffer_cap;
    struct engine_program *programs;
    size_t program_count, program_cap;
    struct engine_buffer scratch;
    struct assay_meter *meter;   /* made when something is first measured */
    struct assay_buffer **parts; /* of the run on the device (kernel.h, part_count) */
    uint32_t part_count;
    uint64_t part_bytes; /* of each */
};

/* The live buffer, or NULL if it is none of this engine's. */
const struct engine_buffer *engine_buffer_find(const struct assay_engine *engine,
                                               const struct assay_buffer *buffer);
/* Is the handle usable: not lost, nothing started or in flight? Waits up to timeout_ns (0 = for ever) for what is in flight. */
enum assay_status engine_ready(struct assay_engine *engine, const char *act, uint64_t timeout_ns,
                               struct assay_error *error);
/* Wait for what was started; a wait that ends early leaves it started, a failure ends it. */
enum assay_status engine_settle(struct assay_engine *engine, uint64_t timeout_ns, struct assay_error *error);
/* measure.c: the engine's meter, made on first use. */
enum assay_status engine_meter(struct assay_engine *engine, struct assay_error *error);
/* Hash of all code that this row can load here, with what shapes it: of every candidate of every program that its known
 * answers name. Plans, but compiles and runs nothing; *code is 0 for a row that is absent or takes no call here. */
enum assay_status engine_row_code(struct assay_engine *engine, const struct engine_row *row, uint64_t *code,
                                  struct assay_error *error);

/* parts.c: the memory of a plan with parts. Takes as many buffers as there is room for, at least one; what had been taken
 * before is released first. */
enum assay_status engine_parts_take(struct assay_engine *engine, const struct assay_plan *plan,
                                    struct assay_error *error);
void engine_parts_free(struct assay_engine *engine);
/* Dispatches of a plan once every step with each_part is there for every part: their number, and in their order (steps
 * in `made`, one a step of the plan, without parts). `out` NULL: the number alone. */
size_t engine_parts_expand(const struct assay_engine *engine, const struct assay_plan *plan,
                           const struct assay_dispatch *made, struct assay_dispatch *out);

/* trusted.c: may work be put on this device? Before it is opened: *record is its trust record (empty for the CPU, which
 * is the reference), or the refusal. */
enum assay_status engine_trust_check(const struct assay_open_params *params,
                                     const struct assay_device_info *info, struct assay_trust_record *record,
                                     struct assay_error *error);
/* Once it is open: arithmetic and kernels are the record's, and rows that it does not cover become absent. */
enum assay_status engine_trust_apply(struct assay_engine *engine, const struct assay_trust_record *record,
                                     struct assay_error *error);

#endif
