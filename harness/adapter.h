/* The plug-in C ABI through which any engine is tested. An engine is a shared object that exports
 *
 *     const struct adapter *assay_adapter(void);
 *
 * or, for the engine in this program, the same table linked in (adapters/assay.c). The harness hands over a case as
 * one ONNX-like node with host tensors and gets bytes back; it never trusts the engine's own word about them.
 *
 * ABI rules: `abi` is ASSAY_ADAPTER_ABI; structs only ever grow at the end, and carry their size; functions return an
 * enum assay_status and fill an error. JSON strings are freed by the engine's own `release`. */
#ifndef ASSAY_ADAPTER_H
#define ASSAY_ADAPTER_H

#include "devices/types.h"

#define ASSAY_ADAPTER_ABI 2
/* Tables of this version and up are taken; they end with `unlock`. */
#define ASSAY_ADAPTER_ABI_LEAST 1

/* Settings of the program that an engine may need. All-zero is the default. */
struct adapter_options {
    uint32_t size;
    const char *vulkan_lib, *cuda_lib; /* see struct assay_driver_params */
    uint64_t max_binding_bytes;
    uint32_t cpu_threads;
    bool vulkan_staging, no_cpu_simd;
    bool allow_software;
    const char *variant;     /* force a fused multiply-add variant; NULL = the engine's choice */
    const char *engine_args; /* `--engine-args TEXT`, the engine's own business */
    const char *lock_dir;    /* folder of the card locks; NULL = /tmp */
    const char *sysfs_root;  /* instead of /sys */
    const char *rented; /* describe() alone: list the rented GPUs of this file or address too; NULL = none */
};

/* A node. Tensors have host `data`; `bytes` covers the whole memory including the guard bands around the view, which
 * the engine must carry to the device and back unchanged: upload and download all `bytes` of every tensor. With an
 * attribute `piece` above 0, in copies of 1, 3, 5, 9, 17, ... bytes up to `piece`, and again from 1. */
struct adapter_node {
    uint32_t size;
    const char *op; /* ONNX name */
    const struct assay_attr *attr;
    size_t attr_count;
    struct assay_tensor *input;
    size_t input_count;
    struct assay_tensor *output;
    size_t output_count;
};

struct adapter_request {
    uint32_t size;
    const char *kernel; /* one of describe()'s kernels for this device; NULL = the engine's choice */
    const char *mode;   /* "exact" or "fast" */
    uint32_t samples;   /* timed repeats after the judged run; at most ADAPTER_SAMPLES_MAX */
    uint64_t timeout_ns;
};

#define ADAPTER_SAMPLES_MAX 32

struct adapter_reply {
    uint32_t size;
    char kernel[64];      /* the kernel that ran */
    char kernel_hash[33]; /* of its code as loaded */
    char variant[16];
    uint32_t samples;
    uint64_t sample_ns[ADAPTER_SAMPLES_MAX]; /* device time of one run each */
    /* Zero where an engine does not say. */
    uint64_t swept_bytes; /* device memory that the run took for its own sake (SweepMemory) */
    uint64_t upload_bytes, upload_ns, download_bytes, download_ns; /* copies of the judged run, host time */
};

/* One sample of `assay bench`. */
struct adapter_sample_request {
    uint32_t size;
    const char *kernel, *mode; /* as in adapter_request */
    bool cold; /* the caches are emptied first; else the node runs once, untimed, right before the span */
    bool
        upload; /* inputs have changed since the last sample; else the engine may use what it has on the device */
    bool untimed;   /* take no device time; ns is 0 */
    uint32_t calls; /* runs of the node in the timed span, one behind the other */
    uint64_t timeout_ns;
};

struct adapter_sample_reply {
    uint32_t size;
    char kernel[64], kernel_hash[33], variant[16];
    double ns;           /* device time of the whole span: all calls, launches included */
    uint64_t dispatches; /* in the span */
    uint64_t transfers;  /* copies between host and device in the span: must be 0 */
    double wall_ns, record_ns, submit_ns,
        other_ns;                              /* the host's time for the submission, and its three parts */
    int64_t clock_before_mhz, clock_after_mhz; /* -1 = unknown */
    double temperature_c, power_w;             /* NaN = unknown */
    int64_t throttle;                          /* the driver's bits, -1 = unknown */
};

struct adapter {
    uint32_t abi;
    const char *engine; /* "assay" */
    const char *version;
    /* {"engine","version","devices":[{"label":"vulkan:0","backend","index","name","driver","key","uuid","pci","kind",
     *  "vbios","partition","software","usable","why",...}],"notes":[...],"kernels":[{"name","op","backend","technique","mode","dtype"}]} */
    enum assay_status (*describe)(const struct adapter_options *options, char **json,
                                  struct assay_error *error);
    /* device is a label of describe(). The session belongs to the engine. */
    enum assay_status (*open)(const struct adapter_options *options, const char *device, void **session,
                              struct assay_error *error);
    /* {"traits":[{"name","controls":"rte szinp","literal","tested","wrong","wrong_subnormal","first":[words in hex]}],
     *  "variant","why","controls","kernels":[{"name","present","why"}],...} of an open device. */
    enum assay_status (*probe)(void *session, char **json, struct assay_error *error);
    /* ASSAY_OK, or ASSAY_UNSUPPORTED with a reason that names the limit; runs nothing. */
    enum assay_status (*supports)(void *session, const struct adapter_node *node,
                                  const struct adapter_request *request, struct assay_error *error);
    /* Run once, then `samples` times more for timing; outputs, guards and inputs as they are on the device after the
     * first run come back into the node's memory. */
    enum assay_status (*run)(void *session, const struct adapter_node *node,
                             const struct adapter_request *request, struct adapter_reply *reply,
                             struct assay_error *error);
    void (*release)(char *json);
    void (*close)(void *session);
    /* Both may be NULL. Exclusive use of the session's physical card, across processes: the harness takes it around a
     * case, so that the wait for another program's turn does not count as the case's own time. Waits up to
     * timeout_ns, then ASSAY_TIMEOUT. Two sessions on one card exclude each other. */
    enum assay_status (*lock)(void *session, uint64_t timeout_ns, struct assay_error *error);
    void (*unlock)(void *session);
    /* ---- since ABI 2; every entry may be NULL ---- */
    uint32_t size; /* of this table: an entry behind it is not there */
    /* Time one span of calls. Outputs are uploaded as they are in the node's memory before the span, and come back after
     * it; inputs are on the device before it begins. */
    enum assay_status (*sample)(void *session, const struct adapter_node *node,
                                const struct adapter_sample_request *request,
                                struct adapter_sample_reply *reply, struct assay_error *error);
    /* What the device can do at most, measured now: {"ceilings":[{"name":"copy","unit":"bytes/s","value":3.1e12},...]}
     * with copy, copy_hot, fma_f32, launch and timer (docs/schema.md). */
    enum assay_status (*measure)(void *session, char **json, struct assay_error *error);
};

/* Is an entry there? */
#define ADAPTER_HAS(table, entry)                                                                            \
    ((table)->abi >= 2 && (table)->size >= offsetof(struct adapter, entry) + sizeof((table)->entry) &&       \
     (table)->entry)

typedef const struct adapter *(*assay_adapter_fn)(void);

/* The engine in this program. */
extern const struct adapter adapter_assay;

#endif
