/* The table of operator folders, made from kernels.def. */
#include "kernels/kernel.h"

#define FAMILY(folder) extern const struct assay_kernel_table assay_##folder##_kernels;
#include "kernels/kernels.def"
#undef FAMILY

const struct assay_kernel_table *const assay_kernel_families[] = {
#define FAMILY(folder) &assay_##folder##_kernels,
#include "kernels/kernels.def"
#undef FAMILY
};
const size_t assay_kernel_family_count = sizeof assay_kernel_families / sizeof *assay_kernel_families;
