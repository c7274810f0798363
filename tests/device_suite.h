/* What every device must do, whatever its backend: written once against devices/device.h and kernels/assay.h. */
#ifndef ASSAY_TESTS_DEVICE_SUITE_H
#define ASSAY_TESTS_DEVICE_SUITE_H

#include "devices/device.h"

/* Run all tests on one device as a cmocka group called `name`; memory_only: those on buffers and layouts. Returns the
 * number of failed tests. */
int device_suite_run(const char *name, const struct assay_driver_params *driver,
                     const struct assay_device_info *info, bool memory_only);

#endif
