/* The host's clock, for backends that time and wait by it. */
#ifndef ASSAY_DEVICES_CLOCK_H
#define ASSAY_DEVICES_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds that only ever grow. */
static inline uint64_t assay_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
