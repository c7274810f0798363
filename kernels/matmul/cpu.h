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

/* extra[0] of a multiply step: where its operands are. */
#define MATMUL_CPU_PACKED_A 1u /* in panels of tile_rows rows, in scratch */
#define MATMUL_CPU_PACKED_B 2u /* in panels of tile_cols columns, in scratch */
#define MATMUL_CPU_DIRECT_B 4u /* B's columns are neighbours and its rows are used too seldom to be packed */

/* One instruction set's kernels and their shape (cpu_tile.h). */
enum { MATMUL_CPU_PACK_A, MATMUL_CPU_PACK_B, MATMUL_CPU_MULTIPLY, MATMUL_CPU_CODES };
struct matmul_cpu_tiling {
    const char *technique;
    uint32_t tile_rows, tile_cols, block_m, block_n; /* block: what one workgroup of multiply computes */
    struct assay_code code[MATMUL_CPU_CODES];
};
extern const struct matmul_cpu_tiling matmul_cpu_avx2_tiling, matmul_cpu_avx512_tiling;

/* An estimate in ns from a rate a core; 1e300 for a call that cannot be read. */
double matmul_cpu_cost(const struct assay_device_info *info, const struct assay_call *call,
                       double flops_per_ns);

MATMUL_CPU_ROW(plain);
MATMUL_CPU_ROW(avx2);
MATMUL_CPU_ROW(avx512);

#endif
