/* The one clock by which the harness counts waits and durations. It knows nothing else. */
#ifndef ASSAY_CLOCK_H
#define ASSAY_CLOCK_H

#include <stdint.h>

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t clock_now_ns(void);

#endif
