/* Checks of a whole card as operators: what the files of this folder share. They compute nothing that a model needs; a
 * verify runs them to say how much of a card it has touched.
 *
 *     SweepUnits     K f32 [2]             -> Y i32 [units, 4]     the same exact work on every compute unit
 *     SweepMemory    K f32 [2]             -> Y i32 [slots, 10]    memory of `slots` parts written and read back
 *     SweepUpload    X f32 [n]             -> Y i32 [chunks, 2]    sums of what came in
 *     SweepDownload  K f32 [2]             -> Y i32 [n]            words to go out
 *
 * text.h has the arithmetic, problem.c reads calls and makes plans; cpu.c, vulkan.c and cuda.c name the programs. */
#ifndef ASSAY_SWEEP_H
#define ASSAY_SWEEP_H

#include "kernels/kernel.h"

/* Arguments of every program, 36 bytes.
 *
 * slot: number of the part, written by the engine. words: of a slot, of X or Y of a transfer, of Y for SWEEP_CLEAR.
 * in_from, out_from: words of the bindings at which K or X, and Y, start. pattern: of memory, 0 address, 1 walk; for
 * SWEEP_CLEAR 0 SweepUnits, 1 SweepMemory. pass: of memory, 1 = the complement. groups: of the dispatch. rounds, units: of
 * SweepUnits. For SWEEP_RANK, words: of the table by id. */
struct sweep_push {
    uint32_t slot, words, in_from, out_from;
    uint32_t pattern, pass, groups, rounds, units;
};

enum sweep_op { SWEEP_UNITS, SWEEP_MEMORY, SWEEP_UPLOAD, SWEEP_DOWNLOAD };

/* Programs of a backend, with what they bind. */
enum sweep_program {
    SWEEP_CLEAR, /* Y, arrivals */
    SWEEP_WORK,  /* K, Y, arrivals: a unit's row goes by workgroup number */
    SWEEP_SMID,  /* the same, but by the id of the unit that it runs on */
    SWEEP_WRITE, /* K, part */
    SWEEP_CHECK, /* K, part, Y */
    SWEEP_SUM,   /* X, Y */
    SWEEP_MAKE,  /* K, Y */
    SWEEP_RANK, /* table by id, Y: its rows that were visited, in the order of ids (CUDA; on a part of a card) */
    SWEEP_PROGRAMS
};

/* How a backend runs the programs. */
struct sweep_backend {
    const char *name;
    uint32_t threads; /* a workgroup; 1 = the function does a workgroup's work itself */
    /* Fill codes, spec and shared bytes of a program in this form. */
    void (*choose)(const struct assay_device_info *info, enum sweep_program program,
                   enum assay_variant variant, struct assay_program_params *params);
    uint32_t smid_groups; /* workgroups a unit that SWEEP_SMID starts */
};
extern const struct sweep_backend sweep_cpu, sweep_vulkan, sweep_cuda;

/* False, with the limit and the value in why, for a call that the program cannot take. */
bool sweep_read(const struct assay_device_info *info, const struct assay_call *call, enum sweep_op op,
                char why[160]);
enum assay_status sweep_plan(const struct sweep_backend *backend, const struct assay_device_info *info,
                             const struct assay_call *call, enum sweep_op op, bool by_id,
                             enum assay_variant variant, struct assay_plan *plan, struct assay_error *error);

bool sweep_cpu_present(const struct assay_device_info *info, enum sweep_program program, char why[160]);
bool sweep_vulkan_present(const struct assay_device_info *info, enum sweep_program program, char why[160]);
bool sweep_cuda_present(const struct assay_device_info *info, enum sweep_program program, char why[160]);

/* The calls whose answers every row must get right before it is used (known.c). */
#define SWEEP_KNOWN_COUNT 2
extern const struct assay_known_answer sweep_known_units[SWEEP_KNOWN_COUNT];
extern const struct assay_known_answer sweep_known_memory[SWEEP_KNOWN_COUNT];
extern const struct assay_known_answer sweep_known_upload[SWEEP_KNOWN_COUNT];
extern const struct assay_known_answer sweep_known_download[SWEEP_KNOWN_COUNT];

#endif
