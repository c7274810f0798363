/* The CPU rows of the matrix product, as the table sees them. */
#ifndef ASSAY_MATMUL_CPU_H
#define ASSAY_MATMUL_CPU_H

#include "kernels/matmul/matmul.h"

#define MATMUL_CPU_ROW(name)                                                                                 \
    bool matmul_cpu_##name##_present(const struct assay_device_info *info, char why[160]);                   \
    bool matmul_cpu_##name##_supports(const struct assay_device_info *info, const struct assay_call *call,   \
                                      char why[160]);                                                        \
    double matmul_cpu_##name##_cost(const struct assay_device_info *info, const struct assay_call *call);    \
    enum assay_status matmul_cpu_##name##_plan(const struct assay_device_info *info,                         \
                                               const struct assay_call *call, enum assay_variant variant,    \
                                               struct assay_plan *plan, struct assay_error *error)

MATMUL_CPU_ROW(plain);
MATMUL_CPU_ROW(avx2);
MATMUL_CPU_ROW(avx512);

#endif
