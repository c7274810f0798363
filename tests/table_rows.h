/* Rows of a table of kernels held against their known answers, without a device: a processor, a Vulkan and a CUDA card of
 * ordinary limits stand in. */
#ifndef ASSAY_TESTS_TABLE_ROWS_H
#define ASSAY_TESTS_TABLE_ROWS_H

#include "kernels/kernel.h"

/* The device that stands in for a row's backend. */
const struct assay_device_info *table_rows_device(const struct assay_kernel *row);

/* Every row takes at least three known answers of its operator, and its steps lie inside buffers, limits and pushes. */
void table_rows_check(const struct assay_kernel_table *table);

#endif
