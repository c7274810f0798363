/* The backend interface and the device record.
 *
 * A backend is one file that finds and drives one kind of hardware: cpu.c, vulkan.c, cuda.c. It moves bytes and runs
 * programs; it knows no operator, no oracle and no case. registry.c joins the backends of backends.def.
 * Nothing here prints, exits or reads the environment: what the environment may say arrives in assay_driver_params. */
#ifndef ASSAY_DEVICE_H
#define ASSAY_DEVICE_H

#include "devices/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum assay_device_kind { /* row D06, from VkPhysicalDeviceType */
                         ASSAY_KIND_OTHER,
                         ASSAY_KIND_INTEGRATED,
                         ASSAY_KIND_DISCRETE,
                         ASSAY_KIND_VIRTUAL,
                         ASSAY_KIND_CPU,
                         ASSAY_KIND_REMOTE,
};
const char *assay_device_kind_name(enum assay_device_kind kind);

/* Limits that a launch must respect; read from the device, some lowerable by assay_driver_params. */
struct assay_limits {
    uint64_t binding_bytes;     /* largest buffer range one kernel argument may see (row D19) */
    uint64_t allocation_bytes;  /* largest single allocation */
    uint32_t groups[3];         /* largest grid, in workgroups (blocks), per dimension */
    uint32_t group_invocations; /* largest workgroup (block), in invocations (threads) */
    uint32_t shared_bytes;      /* workgroup (shared) memory without opting in to more */
    uint32_t push_bytes;        /* push-constant (kernel parameter) bytes */
};

/* Everything that discovery can say about a device without opening it. All-zero is "unknown". */
struct assay_device_info {
    const char *backend; /* "cpu", "vulkan", "cuda": static */
    uint32_t index;      /* within the backend: vulkan:0 */
    uint32_t list_index; /* within the whole list of `assay devices`, set by the registry */
    char name[257];      /* always terminated (row D12) */
    uint32_t vendor_id, device_id;
    enum assay_device_kind kind;
    char api[32];     /* "1.3.255", "CUDA 13.0 sm_90" */
    char driver[160]; /* driver's name and version as people know it: "NVIDIA 580.159.04" */
    uint8_t uuid[16];
    bool has_uuid;
    char pci[16];       /* "0000:1b:00.0", lower case, or "" */
    char vbios[48];     /* version of the card's firmware, "" = unknown */
    char partition[48]; /* "" = a whole card; "mig 1g.10gb", "vgpu": a part of one */
    uint64_t device_local_bytes;
    bool host_visible_device_local;
    uint32_t compute_queues;
    uint32_t compute_units;      /* multiprocessors, cores; 0 = unknown */
    bool has_unit_ids;           /* Vulkan only: shaders can ask on which of them they run */
    uint32_t cc_major, cc_minor; /* CUDA compute capability */
    bool software; /* a software renderer: usable only with --allow-software, never trusted (row D07) */
    bool usable;
    bool duplicate;          /* same backend, UUID and PCI address as an earlier entry: not run twice */
    char why[160];           /* why it is not usable; "" when it is */
    uint32_t simd;           /* CPU only: ASSAY_SIMD_* that kernels may use on this processor */
    uint32_t float_controls; /* Vulkan only: ASSAY_CTRL_* that the driver says it takes for 32-bit floats */
    struct assay_limits limits;
    uint32_t count;      /* rented: cards in one; 0 = 1 */
    double usd_per_hour; /* rented; 0 = unknown */
};

/* Instruction sets of an x86-64 processor, found by cpuid; no_cpu_simd hides all but FMA. */
#define ASSAY_SIMD_FMA    1u /* scalar fused multiply-add in hardware */
#define ASSAY_SIMD_AVX2   2u /* AVX2 with FMA, registers saved by the system */
#define ASSAY_SIMD_AVX512 4u /* AVX-512 F, VL, DQ and BW, likewise */

/* "vulkan:0". Writes at most 24 bytes with the terminator; returns text. */
char *assay_device_label(const struct assay_device_info *info, char text[24]);
/* "NVIDIA (0x10de)", "unknown (0x1234)" (row D06). Writes at most 48 bytes; returns text. */
char *assay_vendor_text(uint32_t vendor_id, char text[48]);
/* "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx". Writes 37 bytes; returns text. */
char *assay_uuid_text(const uint8_t uuid[16], char text[37]);
/* The stable key of a device: UUID if it has one, else backend, PCI address and name; then "+mig 1g.10gb" for a part of
 * a card. Returns text. */
char *assay_device_key(const struct assay_device_info *info, char text[384]);

/* What main.c read from options and ASSAY_* words. All-zero is the default. Strings belong to the caller. */
struct assay_driver_params {
    const char *vulkan_lib;     /* instead of the usual loader names; "none" turns the backend off */
    const char *cuda_lib;       /* likewise for libcuda.so.1 */
    uint64_t max_binding_bytes; /* lowers limits.binding_bytes; 0 = the device's own */
    uint32_t cpu_threads;       /* 0 = all */
    bool vulkan_staging;        /* pretend that no memory is both device-local and host-visible */
    bool no_cpu_simd;           /* hide AVX2 and AVX-512 from kernels: only plain C rows apply */
    const char *nvml_lib;   /* instead of libnvidia-ml.so.1, which knows VBIOS and partitions; or "none" */
    const char *sysfs_root; /* instead of /sys */
};

struct assay_device;
struct assay_program;

/* One embedded piece of machine code or intermediate code. Data is static. */
enum assay_code_kind { ASSAY_CODE_NATIVE, ASSAY_CODE_SPIRV, ASSAY_CODE_CUBIN, ASSAY_CODE_PTX };

/* A CPU kernel: runs the workgroup `group` of a dispatch. buffers[i] is already offset to the bound range. */
typedef void (*assay_native_fn)(void *const *buffers, const void *push, const uint32_t group[3]);

struct assay_code {
    enum assay_code_kind kind;
    const char *name;  /* "matmul.vulkan.native": for errors and records */
    const char *entry; /* entry point; NULL for native code */
    uint32_t cc;       /* CUDA: 80, 90; PTX: lowest capability */
    const void *data;  /* SPIR-V words, cubin or PTX text (NUL-terminated); machine code, for its hash */
    const void *end; /* one past the last byte: linkers know sizes too late for a constant; NULL with data */
    assay_native_fn native;
};

static inline size_t assay_code_bytes(const struct assay_code *code)
{
    return code->data ? (size_t)((const char *)code->end - (const char *)code->data) : 0;
}

/* Float controls to patch into SPIR-V at load time (execution modes for 32-bit floats). */
#define ASSAY_CTRL_RTE      1u /* RoundingModeRTE 32 */
#define ASSAY_CTRL_SZINP    2u /* SignedZeroInfNanPreserve 32 */
#define ASSAY_CTRL_DENORM   4u /* DenormPreserve 32 */
#define ASSAY_CTRL_CONTRACT 8u /* replace every OpExtInst Fma by OpFMul and OpFAdd without NoContraction */

/* "rte szinp": the controls as words, as JSON, reports and the database have them. Writes at most 32 bytes. */
char *assay_controls_text(uint32_t controls, char text[32]);

#define ASSAY_BINDINGS_MAX 8
#define ASSAY_SPEC_MAX     16
#define ASSAY_PUSH_MAX     128

/* A program to make from the first entry of `codes` that the device can load. */
struct assay_program_params {
    const struct assay_code *codes; /* candidates in order of preference; all do the same thing */
    size_t code_count;
    uint32_t bindings; /* storage buffers, bound as 0 .. bindings - 1 */
    uint32_t push_bytes;
    uint32_t group[3];     /* threads a block; Vulkan shaders hold it as specialisation ids 0, 1, 2 */
    uint32_t shared_bytes; /* CUDA dynamic shared memory */
    uint32_t controls;     /* ASSAY_CTRL_*; SPIR-V only */
    uint32_t
        spec[ASSAY_SPEC_MAX]; /* specialisation constants, ids 3, 4, ...; ignored by CUDA and native code */
    uint32_t spec_count;
    /* Code for CUDA 9.0 and later waits by itself (griddepcontrol.wait, in all threads) for the dispatch before it, and
     * touches no buffer earlier: it may be launched while that one ends. Other code and backends take no notice. */
    bool waits_itself;
    const struct assay_code **loaded; /* where to tell which of `codes` it was made from; may be NULL */
};

struct assay_binding {
    struct assay_buffer *buffer;
    uint64_t
        offset_bytes; /* a multiple of 256, so that every device takes it; finer offsets go in push constants */
    uint64_t bytes;   /* 0 = to the end */
};

struct assay_dispatch {
    struct assay_program *program;
    struct assay_binding binding[ASSAY_BINDINGS_MAX];
    uint8_t push[ASSAY_PUSH_MAX];
    uint32_t groups[3];
};

/* About a dozen slots. All but discover take an open handle; a handle is driven by one thread at a time (D16).
 * Every slot fails with a sentence that names the call, as in `vkCreateInstance failed (-9)` (D03, D18). */
struct assay_backend {
    const char *name;
    /* Append this backend's devices (at most cap) to list and set *count. Never fails the program: when nothing can be
     * said, *count is 0 and note holds the reason in words, such as "no Vulkan loader (libvulkan.so.1) on this
     * machine" (D02, D13). Leaves no driver object alive. */
    void (*discover)(const struct assay_driver_params *params, struct assay_device_info *list, size_t cap,
                     size_t *count, char note[256]);
    enum assay_status (*open)(const struct assay_driver_params *params, const struct assay_device_info *info,
                              struct assay_device **device, struct assay_error *error);
    void (*close)(
        struct assay_device *device); /* accepts NULL; releases everything, programs and buffers too */
    /* At least 4 bytes; contents undefined. */
    enum assay_status (*buffer_create)(struct assay_device *device, uint64_t bytes,
                                       struct assay_buffer **buffer, struct assay_error *error);
    void (*buffer_destroy)(struct assay_device *device, struct assay_buffer *buffer); /* accepts NULL */
    /* Host to device and back; complete on return. A range past the end is an error. */
    enum assay_status (*write)(struct assay_device *device, struct assay_buffer *buffer,
                               uint64_t offset_bytes, const void *data, uint64_t bytes,
                               struct assay_error *error);
    enum assay_status (*read)(struct assay_device *device, struct assay_buffer *buffer, uint64_t offset_bytes,
                              void *data, uint64_t bytes, struct assay_error *error);
    enum assay_status (*program_create)(struct assay_device *device,
                                        const struct assay_program_params *params,
                                        struct assay_program **program, struct assay_error *error);
    void (*program_destroy)(struct assay_device *device, struct assay_program *program); /* accepts NULL */
    /* Start `count` dispatches in order, each seeing the writes of those before. Returns at once. A second submit
     * before the wait is an error: `submission already in flight`. */
    enum assay_status (*submit)(struct assay_device *device, const struct assay_dispatch *dispatches,
                                size_t count, struct assay_error *error);
    /* Wait until the submission is done. timeout_ns 0 waits for ever. *device_ns (may be NULL) gets the time between
     * the start of the first dispatch and the end of the last by the device's clock, launches included; 0 where the
     * device has none. Without a submission it is an error. */
    enum assay_status (*wait)(struct assay_device *device, uint64_t timeout_ns, uint64_t *device_ns,
                              struct assay_error *error);
};

/* What every backend's device struct starts with, so that the fields below can be read without a call. */
struct assay_device {
    const struct assay_backend *backend;
    struct assay_device_info info;
    uint64_t allocated_bytes; /* sum of live buffers (D17) */
    bool lost;
    /* For submit, set by its caller and taken back after it: its first `lead` dispatches come before the timed span, and
     * with `untimed` no time is taken at all. */
    size_t lead;
    bool untimed;
    /* Of the last submit: dispatches recorded behind the lead (row H10; those with an empty grid are none), and the host's
     * time for recording them and for handing them over (row H09). */
    size_t recorded;
    uint64_t record_ns, submit_ns;
};

extern const struct assay_backend assay_backend_cpu, assay_backend_vulkan, assay_backend_cuda;

/* ---- sysfs.c: the kernel's view of graphics cards ---- */

#define ASSAY_SYSFS_MAX 64

/* One card. "" and false where the kernel does not say. */
struct assay_sysfs {
    char card[32]; /* "card0"; "" for a card without an entry in class/drm */
    char driver[32];
    char pci[16];   /* "0000:1b:00.0", lower case */
    char vbios[48]; /* as amdgpu has it */
    uint32_t vendor_id, device_id;
    uint64_t vram_bytes, gtt_bytes;
    int32_t numa_node;
    bool has_vram, has_gtt, has_numa;
};

/* Read every card below root ("/sys") into list, by name; returns how many. Connectors (card0-DP-1) are no cards. */
size_t assay_sysfs_read(const char *root, struct assay_sysfs *list, size_t cap);
/* The card of a device: by PCI address where the device has one, else by vendor and device id, if one card alone has
 * them. When class/drm has no card at that address, bus/pci is asked and *other filled. NULL when nothing matches. */
const struct assay_sysfs *assay_sysfs_match(const char *root, const struct assay_sysfs *list, size_t count,
                                            const char *pci, uint32_t vendor_id, uint32_t device_id,
                                            struct assay_sysfs *other);

/* ---- registry.c ---- */

#define ASSAY_DEVICES_MAX  64
#define ASSAY_BACKENDS_MAX 8

struct assay_device_list {
    struct assay_device_info device[ASSAY_DEVICES_MAX];
    size_t count;
    struct {
        const char *backend;
        char text[256];
    } note[ASSAY_BACKENDS_MAX];
    size_t note_count;
    /* The kernel's view, by device (row D08). */
    struct assay_sysfs sysfs[ASSAY_DEVICES_MAX];
    bool has_sysfs[ASSAY_DEVICES_MAX];
};

/* Run every backend's discovery, mark duplicates, number the list. Never fails (D13). `backends` NULL means
 * backends.def; tests pass their own NULL-terminated array (D01). */
void assay_discover(const struct assay_driver_params *params, const struct assay_backend *const *backends,
                    struct assay_device_list *list);
/* Find what a person calls a device: a list index ("1"), "vulkan:0", "cpu" (= "cpu:0"), a UUID or a PCI address (of
 * two backends on one card, CUDA first). Unknown: ASSAY_DEVICE_UNSUPPORTED, and the text lists what there is. */
enum assay_status assay_device_find(const struct assay_device_list *list, const char *selector,
                                    const struct assay_device_info **info, struct assay_error *error);
/* Open through info->backend. */
enum assay_status assay_device_open(const struct assay_driver_params *params,
                                    const struct assay_device_info *info, struct assay_device **device,
                                    struct assay_error *error);
void assay_device_close(struct assay_device *device); /* accepts NULL */
/* The report of rows D05, D06, D09, as JSON in malloc'ed memory that the caller frees; NULL when out of memory. */
char *assay_devices_json(const struct assay_device_list *list);

/* Exclusive use of a physical card, across processes and backends, by PCI address (flock on a file in /tmp or
 * $XDG_RUNTIME_DIR given as `dir`; NULL = /tmp). An empty pci gives a lock that excludes nothing. wait false returns
 * ASSAY_TIMEOUT at once when another holds it. */
struct assay_card_lock;
enum assay_status assay_card_lock_take(const char *dir, const char *pci, bool wait,
                                       struct assay_card_lock **lock, struct assay_error *error);
void assay_card_lock_release(struct assay_card_lock *lock); /* accepts NULL */

/* ---- rented.c: GPUs that others rent out; listed with their price, never usable, selected, started or paid for ---- */

/* Append the GPUs of a hosted hardware list to `list`: a JSON array with an entry a flavour, of which those without an
 * accelerator are skipped. Devices have backend "rented", kind remote, count, memory and, if the price is by the minute,
 * usd_per_hour. Memory is in GB of 10^9 bytes. ASSAY_INVALID_INPUT for what is no such list; `name` is for the text. */
enum assay_status assay_rented_parse(const char *text, const char *name, struct assay_device_list *list,
                                     struct assay_error *error);
/* The same from a file, or from an address that begins with https:// or http:// through the program curl. */
enum assay_status assay_rented_read(const char *source, struct assay_device_list *list,
                                    struct assay_error *error);

/* ---- nvidia.c ---- */

/* Fill vbios and partition of the NVIDIA devices of a list from the management library, by PCI address, and partition
 * from the name. What cannot be learned stays "". */
void assay_nvidia_describe(const struct assay_driver_params *params, struct assay_device_info *list,
                           size_t count);

/* How a card stands, as the management library says. */
struct assay_vitals {
    int32_t clock_mhz;             /* of the multiprocessors; -1 = unknown */
    double temperature_c, power_w; /* NaN = unknown */
    int64_t throttle;              /* reasons for lower clocks, the library's bits; -1 = unknown */
};
struct assay_watch;
/* Keep the management library open for one card. NULL when there is none to ask, which is no error. */
struct assay_watch *assay_watch_open(const struct assay_driver_params *params,
                                     const struct assay_device_info *info);
void assay_watch_close(struct assay_watch *watch); /* accepts NULL */
/* All unknown for NULL. */
void assay_watch_read(const struct assay_watch *watch, struct assay_vitals *vitals);

/* ---- measure.c: what a device can do at most, for comparison with what kernels attain ---- */

#define ASSAY_CEILINGS_MAX 8

/* "copy": bytes read and written a second between buffers far larger than a cache; "copy_hot": between buffers that stay
 * in it; "fma_f32": floating-point operations a second of fused multiply-adds in independent chains; "launch": device
 * time of an empty dispatch behind other work; "timer": least difference between two times of the device. */
struct assay_ceiling {
    const char *name, *unit;
    double value;
};

struct assay_meter;
/* Programs and two buffers on an open device, which closing the device frees too. ASSAY_DEVICE_UNSUPPORTED where the
 * build has no code for it. `controls` as for the engine's programs. */
enum assay_status assay_meter_open(struct assay_device *device, uint32_t controls, struct assay_meter **meter,
                                   struct assay_error *error);
void assay_meter_close(struct assay_meter *meter); /* accepts NULL; before its device */
/* A dispatch that overwrites a buffer larger than the device's caches: what was in them is gone. */
void assay_meter_flush(const struct assay_meter *meter, struct assay_dispatch *dispatch);
/* Measure all ceilings. The copies are checked, and so are the sums of the multiply-adds. ASSAY_DEVICE_UNSUPPORTED when
 * the device has no clock. */
enum assay_status assay_meter_ceilings(struct assay_meter *meter,
                                       struct assay_ceiling ceiling[ASSAY_CEILINGS_MAX], size_t *count,
                                       struct assay_error *error);

/* ---- spirv.c: pure functions on SPIR-V words ---- */

/* A patched copy of `words` in malloc'ed memory (*out, *out_count; caller frees): adds the execution modes and their
 * capabilities and extension, and with ASSAY_CTRL_CONTRACT rewrites each OpExtInst Fma as OpFMul + OpFAdd free of
 * NoContraction. Malformed input is ASSAY_INVALID_INPUT. */
enum assay_status assay_spirv_patch(const uint32_t *words, size_t count, uint32_t controls, uint32_t **out,
                                    size_t *out_count, struct assay_error *error);

/* ---- traits.c: what this device's arithmetic really does ---- */

#define ASSAY_TRAITS_MAX 192

/* One measured fact: `wrong` of `tested` results differ from IEEE-754 binary32 round-to-nearest-even (or, for the
 * rows that ask "is it fused", from the fused answer). */
struct assay_trait {
    char name[24];     /* "add", "mul", "fma", "contract", "muladd", "div", "sqrt", "load_subnormal", ... */
    uint32_t controls; /* ASSAY_CTRL_* in force */
    bool literal;      /* operands were literals in the code, not loaded */
    uint32_t tested, wrong;
    uint32_t wrong_subnormal; /* of the wrong ones, those with a subnormal operand or result */
    uint32_t first[4];        /* of the first wrong one: operands a, b, c and the result got */
};

struct assay_traits {
    struct assay_trait trait[ASSAY_TRAITS_MAX];
    size_t count;
    bool fma_fused; /* the device's own Fma rounds once */
    bool fma_keeps_subnormals;
    bool contraction_forbidden; /* a*b+c with NoContraction (CUDA: -fmad=false intrinsics) is never fused */
    bool
        contract_is_fma; /* the contracting form equals fmaf on every tested triple, with contract_controls */
    uint32_t contract_controls;
    uint32_t exact_controls;   /* controls under which add and mul are right in every set */
    bool add_exact, mul_exact; /* under exact_controls */
    char missing[160];         /* what exact mode lacks here; "" when nothing */
};

/* Measure. Runs small programs; takes well under a second once they are compiled. */
enum assay_status assay_traits_measure(struct assay_device *device, struct assay_traits *traits,
                                       struct assay_error *error);
/* As JSON in malloc'ed memory that the caller frees (`assay probe --json`). */
char *assay_traits_json(const struct assay_device_info *info, const struct assay_traits *traits);

#ifdef __cplusplus
}
#endif
#endif
