/* The CUDA rows of the matrix product, as the table sees them. */
#ifndef ASSAY_MATMUL_CUDA_H
#define ASSAY_MATMUL_CUDA_H

#include "kernels/matmul/matmul.h"

#define MATMUL_CUDA_ROW(name)                                                                                \
    bool matmul_cuda_##name##_present(const struct assay_device_info *info, char why[160]);                  \
    bool matmul_cuda_##name##_supports(const struct assay_device_info *info, const struct assay_call *call,  \
                                       char why[160]);                                                       \
    double matmul_cuda_##name##_cost(const struct assay_device_info *info, const struct assay_call *call);   \
    enum assay_status matmul_cuda_##name##_plan(const struct assay_device_info *info,                        \
                                                const struct assay_call *call, enum assay_variant variant,   \
                                                struct assay_plan *plan, struct assay_error *error)

MATMUL_CUDA_ROW(tile128);
MATMUL_CUDA_ROW(tile64x128);
MATMUL_CUDA_ROW(tile64);
MATMUL_CUDA_ROW(split128);
MATMUL_CUDA_ROW(split64);
MATMUL_CUDA_ROW(skinny);
MATMUL_CUDA_ROW(tile16);
MATMUL_CUDA_ROW(simple);

#endif
