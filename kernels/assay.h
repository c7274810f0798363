/* libassay: run an operator on a device, with one right bit pattern on every device (exact mode).
 *
 * All that an inference program needs. In short:
 *
 *     struct assay_engine *engine;
 *     struct assay_open_params open = {.device = "cuda:0"};
 *     if (assay_open(&open, &engine, &error)) ...            error.text says what and why
 *     assay_alloc(engine, bytes, &buffer, &error);           device memory
 *     assay_upload(engine, buffer, 0, data, bytes, &error);
 *     struct assay_call call = {.op = "MatMul", .input_count = 2, .output_count = 1};   then its tensors
 *     assay_run(engine, &call, NULL, NULL, &error);
 *
 * The library never prints, exits or reads the environment. A handle is driven by one thread at a time. */
#ifndef ASSAY_H
#define ASSAY_H

#include "devices/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_VERSION "0.1.0"

struct assay_driver_params; /* devices/device.h */
struct assay_engine; /* an open device, its measured traits, its chosen arithmetic, its compiled kernels */

/* How a fused multiply-add is made exact on a device (docs/exactness.md). AUTO lets the probe choose. */
enum assay_variant {
    ASSAY_VARIANT_AUTO,
    ASSAY_VARIANT_NATIVE,   /* the device's own fused multiply-add, right as it is */
    ASSAY_VARIANT_CONTRACT, /* a multiply and an add that the driver is allowed to fuse, shown to equal fma */
    ASSAY_VARIANT_GUARDED,  /* the device's own, with results near the subnormals recomputed in integers */
    ASSAY_VARIANT_EMULATED, /* error-free transforms from add and multiply, integers outside their range */
    ASSAY_VARIANT_INTEGER,  /* 32-bit integer arithmetic only */
    ASSAY_VARIANT_COUNT
};
const char *assay_variant_name(enum assay_variant variant); /* "native" ... */
/* The variant called `name`; ASSAY_VARIANT_COUNT if there is none. */
enum assay_variant assay_variant_parse(const char *name);

enum assay_mode { ASSAY_EXACT, ASSAY_FAST };
const char *assay_mode_name(enum assay_mode mode);

struct assay_open_params {
    const char *device; /* see assay_device_find; NULL = best usable card, else the CPU */
    const struct assay_driver_params *driver; /* NULL = defaults */
    enum assay_variant variant;               /* force one; refused if the device's known answers disagree */
    bool allow_software;                      /* software renderers are refused without it (row D07) */
    /* Refuse, with the reason, a card that `assay verify` has not found right as it is now (docs/trust.md): a device
     * without a record, or with one for another driver, firmware or code. Kernels that the record does not cover count as
     * absent. The CPU needs no record: it is the reference. Falling back to it is the caller's choice. Which oracles
     * judged, and whether the corpus has grown since, is for `assay verify --trusted` to say. */
    bool require_trust;
    const char *trust_dir; /* folder of the records; needed with require_trust */
};

/* Open, measure traits, choose the variant. Refusal names the missing trait. */
enum assay_status assay_open(const struct assay_open_params *params, struct assay_engine **engine,
                             struct assay_error *error);
void assay_close(struct assay_engine *engine); /* accepts NULL; frees the engine's buffers too */

/* Device memory: at least 4 bytes, contents undefined. Freed by assay_free or assay_close. */
enum assay_status assay_alloc(struct assay_engine *engine, uint64_t bytes, struct assay_buffer **buffer,
                              struct assay_error *error);
void assay_free(struct assay_engine *engine, struct assay_buffer *buffer); /* accepts NULL */
/* Complete on return. */
enum assay_status assay_upload(struct assay_engine *engine, struct assay_buffer *buffer,
                               uint64_t offset_bytes, const void *data, uint64_t bytes,
                               struct assay_error *error);
enum assay_status assay_download(struct assay_engine *engine, struct assay_buffer *buffer,
                                 uint64_t offset_bytes, void *data, uint64_t bytes,
                                 struct assay_error *error);

#define ASSAY_INPUTS_MAX  6
#define ASSAY_OUTPUTS_MAX 2

/* One operator applied to device tensors (their `buffer` set). `op` is the ONNX name. Outputs must not overlap inputs. */
struct assay_call {
    const char *op;
    const struct assay_attr *attrs;
    size_t attr_count;
    struct assay_tensor input[ASSAY_INPUTS_MAX];
    size_t input_count;
    struct assay_tensor output[ASSAY_OUTPUTS_MAX];
    size_t output_count;
};

/* What runs in the same submission before the timed span begins, for measuring. */
enum assay_lead {
    ASSAY_LEAD_NONE,
    ASSAY_LEAD_ONCE,  /* the call itself: its operands are in the caches, as far as they fit */
    ASSAY_LEAD_FLUSH, /* a buffer larger than the caches is overwritten: none of its operands is in them */
};

struct assay_run_params {
    enum assay_mode mode;
    const char
        *technique;  /* one row of the kernel table, such as "tile128"; NULL = the best that takes the call */
    uint32_t repeat; /* dispatch this many times back to back in one submission (for timing); 0 = 1 */
    uint64_t timeout_ns; /* 0 = no limit */
    enum assay_lead lead;
    bool untimed; /* take no time stamps: device_ns is 0 */
};

struct assay_run_report {
    char kernel[64];      /* "matmul.vulkan.tile64.exact" */
    char variant[16];     /* of the fused multiply-add, "" where none is used */
    uint64_t kernel_hash; /* XXH3 of the code as loaded: words after patching, specialisation, controls */
    uint64_t device_ns;   /* of the whole submission, all repeats; 0 if the device has no clock */
    uint64_t dispatches;  /* recorded, all repeats, without what leads */
    /* The host's time: planning and recording; handing over; the rest, which is waiting. assay_collect, called later than
     * the device was done, has less of the last. */
    uint64_t record_ns, submit_ns, other_ns;
    uint64_t part_bytes; /* memory that the run took for its own sake, as a sweep of the memory does */
};

/* Run one operator and wait for it. params and report may be NULL. ASSAY_UNSUPPORTED: no kernel takes this call, the
 * text says why (the limit and the value), nothing ran. The first use of a kernel on a device runs its known answers;
 * a kernel that gets one wrong is refused with ASSAY_DEVICE_UNSUPPORTED. */
enum assay_status assay_run(struct assay_engine *engine, const struct assay_call *call,
                            const struct assay_run_params *params, struct assay_run_report *report,
                            struct assay_error *error);

/* The same without blocking: assay_run is start and collect. One run may be on the device at a time: a second start, or
 * a copy, an allocation or a run before the collect, is refused with `submission already in flight` and changes nothing.
 * Start returns once the device has the work; the first use of a kernel still waits for its known answers. params'
 * timeout_ns limits only a wait for an earlier assay_run that ran out of time. */
enum assay_status assay_start(struct assay_engine *engine, const struct assay_call *call,
                              const struct assay_run_params *params, struct assay_error *error);
/* Is it done? Never waits. A device failure shows here or in collect, and ends the run. */
enum assay_status assay_poll(struct assay_engine *engine, bool *done, struct assay_error *error);
/* Wait for what was started (timeout_ns 0 = for ever) and report on it; outputs may be downloaded then. After
 * ASSAY_TIMEOUT the run goes on and may be collected again. Without a start it is ASSAY_INVALID_INPUT. */
enum assay_status assay_collect(struct assay_engine *engine, uint64_t timeout_ns,
                                struct assay_run_report *report, struct assay_error *error);

/* Would assay_run take this call? Compiles and runs nothing. */
enum assay_status assay_supports(struct assay_engine *engine, const struct assay_call *call,
                                 const struct assay_run_params *params, struct assay_error *error);

struct assay_ceiling; /* devices/device.h */
/* What the device can do at most, measured now: at most ASSAY_CEILINGS_MAX entries. */
enum assay_status assay_measure(struct assay_engine *engine, struct assay_ceiling *ceiling, size_t *count,
                                struct assay_error *error);

struct assay_device_info; /* devices/device.h */
/* The device record of an open engine; lives as long as the engine. */
const struct assay_device_info *assay_engine_device(const struct assay_engine *engine);

/* What this engine is, as JSON in malloc'ed memory that the caller frees: device, traits, variant and why, and
 * `kernels`: every row with op, technique, mode, dtype, `code` (a hash of all that it can load here) and, once used, the
 * `hash` of what it did load. */
char *assay_engine_json(struct assay_engine *engine);

#ifdef __cplusplus
}
#endif
#endif
