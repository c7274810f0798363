/* The programs of the sweeps on CUDA: cuda_sweep.cu. */
#include "kernels/sweep/cuda_args.h"
#include "kernels/sweep/sweep.h"

#include <stdio.h>

_Static_assert(sizeof(struct sweep_args) == sizeof(struct sweep_push), "kernel arguments");

ASSAY_CUDA_BLOBS(kernels_sweep_cuda_sweep);

#define SET(program, entry) [program] = ASSAY_CUDA_ENTRY("sweep.cuda", kernels_sweep_cuda_sweep, entry)
static const struct assay_code code[SWEEP_PROGRAMS][ASSAY_CUDA_CODES] = {
    SET(SWEEP_CLEAR, sweep_clear), SET(SWEEP_SMID, sweep_smid), SET(SWEEP_WRITE, sweep_write),
    SET(SWEEP_CHECK, sweep_check), SET(SWEEP_SUM, sweep_sum),   SET(SWEEP_MAKE, sweep_make),
    SET(SWEEP_RANK, sweep_rank),
};

/* Shared memory that leaves a multiprocessor room for no second block. */
static uint32_t whole_unit_bytes(const struct assay_device_info *info)
{
    if (info->cc_major == 9 || info->cc_major == 10) return 200u << 10;
    const bool large = info->cc_major == 8 && (info->cc_minor == 0 || info->cc_minor == 7);
    return (large ? 140u : 90u) << 10;
}

static void choose(const struct assay_device_info *info, enum sweep_program program,
                   enum assay_variant variant, struct assay_program_params *params)
{
    (void)variant;
    params->codes = code[program];
    params->code_count = ASSAY_CUDA_CODES;
    if (program == SWEEP_SMID) params->shared_bytes = whole_unit_bytes(info);
}

bool sweep_cuda_present(const struct assay_device_info *info, enum sweep_program program, char why[160])
{
    size_t bytes = 0;
    for (size_t i = 0; i < ASSAY_CUDA_CODES; i++) bytes += assay_code_bytes(&code[program][i]);
    why[0] = '\0';
    if (info->cc_major < 8)
        snprintf(why, 160, "needs compute capability 8.0, the device has %u.%u", info->cc_major,
                 info->cc_minor);
    else if (bytes == 0)
        snprintf(why, 160, "no CUDA code was built");
    return why[0] == '\0';
}

const struct sweep_backend sweep_cuda = {.name = "cuda", .threads = 256, .choose = choose, .smid_groups = 1};
