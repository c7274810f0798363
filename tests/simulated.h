/* A device that exists in memory only: it runs CPU kernels in the calling thread, with arithmetic as bad as asked. For
 * tests of what the probe finds and what exact mode then chooses. */
#ifndef ASSAY_TESTS_SIMULATED_H
#define ASSAY_TESTS_SIMULATED_H

#include "devices/device.h"

enum simulated_fault {
    SIMULATED_NONE,
    SIMULATED_FLUSHING, /* subnormal operands and results are 0 (the processor's own mode) */
    SIMULATED_UNFUSED,  /* fused multiply-add rounds twice */
};

/* Close with device->backend->close. */
struct assay_device *simulated_open(enum simulated_fault fault);

#endif
