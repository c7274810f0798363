/* The programs of elementwise operators on CUDA: cuda_*.cu. */
#include "kernels/unary/unary.h"
#include "kernels/unary/cuda_args.h"

#include <stdio.h>

_Static_assert(sizeof(struct unary_args) == sizeof(struct unary_push), "kernel arguments");
_Static_assert(DTYPE_F32 == ASSAY_F32 && DTYPE_F16 == ASSAY_F16 && DTYPE_BF16 == ASSAY_BF16, "dtypes");

ASSAY_CUDA_BLOBS(kernels_unary_cuda_exp);
ASSAY_CUDA_BLOBS(kernels_unary_cuda_bell);
ASSAY_CUDA_BLOBS(kernels_unary_cuda_pieces);
ASSAY_CUDA_BLOBS(kernels_unary_cuda_unfused);

#define FUSED(file, name)                                                                                    \
    [UNARY_##name] = ASSAY_CUDA_ENTRY("unary.cuda.fused", kernels_unary_cuda_##file, un_##name##_kernel)
static const struct assay_code fused_code[UNARY_COUNT][ASSAY_CUDA_CODES] = {
    FUSED(exp, exp),
    FUSED(exp, exp2),
    FUSED(exp, expm1),
    FUSED(exp, log),
    FUSED(exp, log2),
    FUSED(exp, log1p),
    FUSED(exp, sqrt),
    FUSED(exp, rsqrt),
    FUSED(exp, rcp),
    FUSED(bell, tanh),
    FUSED(bell, erf),
    FUSED(bell, sigmoid),
    FUSED(bell, silu),
    FUSED(bell, softplus),
    FUSED(bell, gelu),
    FUSED(bell, gelu_tanh),
    FUSED(pieces, relu),
    FUSED(pieces, leaky_relu),
    FUSED(pieces, elu),
    FUSED(pieces, hard_sigmoid),
    FUSED(pieces, hard_swish),
    FUSED(pieces, softsign),
    FUSED(pieces, thresholded_relu),
    FUSED(pieces, clip),
    FUSED(pieces, neg),
    FUSED(pieces, abs),
};
#define UNFUSED(name, onnx, beside)                                                                          \
    [UNARY_##name] = ASSAY_CUDA_ENTRY("unary.cuda.unfused", kernels_unary_cuda_unfused, un_##name##_kernel),
static const struct assay_code unfused_code[UNARY_COUNT][ASSAY_CUDA_CODES] = {UNARY_PROGRAMS(UNFUSED)};

static void choose(const struct assay_device_info *info, enum unary_function function, bool fused,
                   enum assay_dtype dtype, struct assay_program_params *params)
{
    (void)info, (void)dtype;
    params->codes = fused ? fused_code[function] : unfused_code[function];
    params->code_count = ASSAY_CUDA_CODES;
}

bool unary_cuda_present(const struct assay_device_info *info, char why[160])
{
    size_t bytes = 0;
    for (size_t i = 0; i < ASSAY_CUDA_CODES; i++) bytes += assay_code_bytes(&fused_code[0][i]);
    why[0] = '\0';
    if (info->cc_major < 8)
        snprintf(why, 160, "needs compute capability 8.0, the device has %u.%u", info->cc_major,
                 info->cc_minor);
    else if (bytes == 0)
        snprintf(why, 160, "no CUDA code was built");
    return why[0] == '\0';
}

/* 32 blocks a multiprocessor of the largest cards: a thread takes many steps. */
const struct unary_backend unary_cuda = {.name = "cuda",
                                         .threads = 256,
                                         .tile_elems = 1024,
                                         .elems_most = UINT64_C(1) << 48,
                                         .groups_most = 4224,
                                         .choose = choose};
