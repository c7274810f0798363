/* What an operator folder fills in: a table of kernels, one row a (backend, technique, mode, dtype).
 *
 * Operator folders see this header and devices/device.h's plain structs; they call no backend. The engine (engine.c)
 * picks a row, compiles its steps once, checks its known answers, and submits. */
#ifndef ASSAY_KERNEL_H
#define ASSAY_KERNEL_H

#include "devices/device.h"
#include "kernels/assay.h"

/* Which memory a binding of a step means. */
enum assay_role { ASSAY_ROLE_INPUT, ASSAY_ROLE_OUTPUT, ASSAY_ROLE_SCRATCH, ASSAY_ROLE_PART };

/* One dispatch. `codes` point into the row's tables. */
struct assay_step {
    struct assay_program_params program; /* controls and the variant's words are added by the engine */
    struct {
        enum assay_role role;
        uint32_t index;        /* which input or output */
        uint64_t offset_bytes; /* multiple of 256, into the buffer */
        uint64_t bytes;        /* 0 = to the end */
    } bind[ASSAY_BINDINGS_MAX];
    uint8_t push[ASSAY_PUSH_MAX];
    uint32_t groups[3];
    bool each_part;  /* one dispatch a part of the plan, whose number is put into the first word of push */
    bool descending; /* with each_part: the last part first */
};

#define ASSAY_STEPS_MAX 8

struct assay_plan {
    struct assay_step step[ASSAY_STEPS_MAX];
    size_t step_count;      /* 0: nothing to do (an empty output) */
    uint64_t scratch_bytes; /* one scratch buffer, contents undefined at start */
    /* Memory for its own sake, in buffers of part_bytes each, which live as long as the run: steps with each_part see the
     * one of their part (ASSAY_ROLE_PART). Where memory ends earlier, the parts take turns in those that there are: all
     * steps with each_part run on as many parts as there are buffers, then on the next ones; others run once, before. */
    uint64_t part_bytes;
    uint32_t part_count;
};

/* Inputs and expected output bits of one small call, for the per-device check of a kernel row. Elements packed in words,
 * zeros behind the last; inputs may be transposed, but have no gaps, and outputs are dense. Every program that a row's
 * plans can name runs for some answer. */
struct assay_known_answer {
    struct assay_call call; /* shapes and dtypes; no buffers */
    const uint32_t *input[ASSAY_INPUTS_MAX];
    const uint32_t *output[ASSAY_OUTPUTS_MAX];
};

/* A row whose text is written once in macros of kernels/exact has every form but the contracting one. */
#define ASSAY_ALL_FORMS                                                                                      \
    (1u << ASSAY_VARIANT_NATIVE | 1u << ASSAY_VARIANT_GUARDED | 1u << ASSAY_VARIANT_EMULATED |               \
     1u << ASSAY_VARIANT_INTEGER)

struct assay_kernel {
    const char *op;        /* "MatMul" */
    const char *family;    /* folder: "matmul" */
    const char *backend;   /* "cpu" */
    const char *technique; /* "tile64": unique within (op, backend, mode, dtype) */
    enum assay_mode mode;
    enum assay_dtype dtype;
    const char *order; /* declared order of accumulation, in words */
    uint32_t variants; /* bit mask 1u << enum assay_variant of the forms that can be built; 0 = uses no fma */
    /* Its operations see and give normal numbers only, or are guarded in every form: all that it asks of a fused
     * multiply-add is one rounding. On a device whose form is the contracting one, plan() then gets guarded where the
     * device's own Fma is fused, else emulated, and its programs keep their Fma. */
    bool normals;
    /* Is this row's technique possible on this device (instruction sets, compute capability, limits)? */
    bool (*present)(const struct assay_device_info *info, char why[160]);
    /* Does it take this call? The reason names the limit and the value. */
    bool (*supports)(const struct assay_device_info *info, const struct assay_call *call, char why[160]);
    /* Lower is better: among the rows that take a call the smallest cost wins (an estimate in ns is a good unit). */
    double (*cost)(const struct assay_device_info *info, const struct assay_call *call);
    /* Fill *plan for this call and variant. */
    enum assay_status (*plan)(const struct assay_device_info *info, const struct assay_call *call,
                              enum assay_variant variant, struct assay_plan *plan, struct assay_error *error);
    const struct assay_known_answer *known;
    size_t known_count;
};

/* "matmul.vulkan.tile64.exact". Returns text. */
char *assay_kernel_name(const struct assay_kernel *kernel, char text[64]);

/* Write why a call is refused. Always false, so that a refusal is one line. */
bool ASSAY_PRINTF(2, 3) assay_refuse(char why[160], const char *format, ...);

/* The rows of one family, and the families of kernels.def in order. */
struct assay_kernel_table {
    const struct assay_kernel *rows;
    size_t count;
};
extern const struct assay_kernel_table *const assay_kernel_families[];
extern const size_t assay_kernel_family_count;

/* Embedded code (scripts/embed): symbols of build/gen/blobs.S, named after the built file; and the two fields of a
 * struct assay_code that point to it. */
#define ASSAY_BLOB(name)    extern const uint8_t assay_blob_##name[], assay_blob_##name##_end[]
#define ASSAY_BLOB_AT(name) .data = assay_blob_##name, .end = assay_blob_##name##_end

/* The three forms in which a .cu file is embedded, best first: declared, and as entries of a table of codes for one
 * entry point. `path` is the file's path as blobs have it, as in kernels_matmul_cuda_tile; `title` a string for records. */
#define ASSAY_CUDA_CODES 3
#define ASSAY_CUDA_BLOBS(path)                                                                               \
    ASSAY_BLOB(path##_sm_90a_cubin);                                                                         \
    ASSAY_BLOB(path##_sm_80_cubin);                                                                          \
    ASSAY_BLOB(path##_compute_80_ptx)
#define ASSAY_CUDA_CODE(title, path, entry_, kind_, cc_, form)                                               \
    {                                                                                                        \
        .kind = kind_, .name = title "." #entry_, .entry = #entry_, .cc = cc_, ASSAY_BLOB_AT(path##_##form)  \
    }
#define ASSAY_CUDA_ENTRY(title, path, entry)                                                                 \
    {                                                                                                        \
        ASSAY_CUDA_CODE(title, path, entry, ASSAY_CODE_CUBIN, 90, sm_90a_cubin),                             \
            ASSAY_CUDA_CODE(title, path, entry, ASSAY_CODE_CUBIN, 80, sm_80_cubin),                          \
            ASSAY_CUDA_CODE(title, path, entry, ASSAY_CODE_PTX, 80, compute_80_ptx)                          \
    }

/* ---- exact/exact.c ---- */

/* The variant that exact mode uses on this device, by traits, confirmed by running exact/check over its own hard
 * cases against the integer form on the host; `forced` other than AUTO is confirmed or refused. *controls gets the
 * float controls to load programs with; why (may be NULL) the reason in words. */
enum assay_status assay_exact_choose(struct assay_device *device, const struct assay_traits *traits,
                                     enum assay_variant forced, enum assay_variant *variant,
                                     uint32_t *controls, char why[256], struct assay_error *error);
/* Float controls under which `variant` is loaded on a device with these traits. */
uint32_t assay_exact_controls(const struct assay_traits *traits, enum assay_variant variant);
/* The form in which this row runs on a device with these traits whose form is `variant`. */
enum assay_variant assay_exact_form(const struct assay_traits *traits, const struct assay_kernel *kernel,
                                    enum assay_variant variant);

#endif
