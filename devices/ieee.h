/* IEEE-754 binary32 on bit patterns, round to nearest even, in integers: what the arithmetic probe compares a device
 * with. Independent of the host's float unit and its settings, and of the arithmetic that kernels use. */
#ifndef ASSAY_DEVICES_IEEE_H
#define ASSAY_DEVICES_IEEE_H

#include <stdbool.h>
#include <stdint.h>

/* NaN results are 7fc00000. */
uint32_t assay_ieee_fma(uint32_t a, uint32_t b, uint32_t c);
uint32_t assay_ieee_add(uint32_t a, uint32_t b);
uint32_t assay_ieee_mul(uint32_t a, uint32_t b);
uint32_t assay_ieee_div(uint32_t a, uint32_t b);
uint32_t assay_ieee_sqrt(uint32_t a);

static inline bool assay_ieee_is_nan(uint32_t u)
{
    return (u & 0x7FFFFFFFu) > 0x7F800000u;
}
static inline bool assay_ieee_is_subnormal(uint32_t u)
{
    return (u & 0x7FFFFFFFu) != 0 && (u & 0x7FFFFFFFu) < 0x00800000u;
}
/* Equal bits, or both some NaN. */
static inline bool assay_ieee_same(uint32_t a, uint32_t b)
{
    return a == b || (assay_ieee_is_nan(a) && assay_ieee_is_nan(b));
}

#endif
