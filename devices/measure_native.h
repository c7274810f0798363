/* Measuring on the CPU: text of measure_native.c, measure_avx2.c and measure_avx512.c, which compile it for different
 * instruction sets. They define MEASURE_NAME(operation), the vector type and its operations. A workgroup does what
 * MEASURE_GROUP threads do on a card. */
#include <stdint.h>
#include <string.h>

#include "devices/measure.h"

struct measure_push {
    uint32_t operation, seed;
    float a, b;
};

#define MEASURE_DECLARE(operation)                                                                           \
    void MEASURE_NAME(operation)(void *const *buffers, const void *push_bytes, const uint32_t group[3])
MEASURE_DECLARE(none);
MEASURE_DECLARE(fill);
MEASURE_DECLARE(copy);
MEASURE_DECLARE(fma);

#define MEASURE_GROUP_BYTES ((size_t)MEASURE_GROUP * MEASURE_QUADS * 16)

void MEASURE_NAME(none)(void *const *buffers, const void *push_bytes, const uint32_t group[3])
{
    (void)buffers, (void)push_bytes, (void)group;
}

void MEASURE_NAME(fill)(void *const *buffers, const void *push_bytes, const uint32_t group[3])
{
    struct measure_push push;
    uint32_t *to = (uint32_t *)buffers[1] + group[0] * (MEASURE_GROUP_BYTES / 4);
    memcpy(&push, push_bytes, sizeof push);
    const uint32_t first = group[0] * (uint32_t)(MEASURE_GROUP_BYTES / 4) + push.seed;
    for (uint32_t i = 0; i < MEASURE_GROUP_BYTES / 4; i++) to[i] = first + i;
}

void MEASURE_NAME(copy)(void *const *buffers, const void *push_bytes, const uint32_t group[3])
{
    (void)push_bytes;
    memcpy((char *)buffers[1] + group[0] * MEASURE_GROUP_BYTES,
           (const char *)buffers[0] + group[0] * MEASURE_GROUP_BYTES, MEASURE_GROUP_BYTES);
}

void MEASURE_NAME(fma)(void *const *buffers, const void *push_bytes, const uint32_t group[3])
{
    struct measure_push push;
    char *to = (char *)buffers[1] + group[0] * (MEASURE_GROUP * (size_t)16);
    memcpy(&push, push_bytes, sizeof push);
    const MEASURE_VECTOR a = MEASURE_SET(push.a), b = MEASURE_SET(push.b);
    for (uint32_t first = 0; first < MEASURE_GROUP; first += MEASURE_LANES) {
        MEASURE_VECTOR x[MEASURE_CHAINS];
        float lane[MEASURE_LANES];
        for (uint32_t c = 0; c < MEASURE_CHAINS; c++) x[c] = MEASURE_SET(1.0f);
        for (uint32_t i = 0; i < MEASURE_ROUNDS * MEASURE_UNROLL; i++) {
#pragma GCC unroll 8
            for (uint32_t c = 0; c < MEASURE_CHAINS; c++) x[c] = MEASURE_STEP(x[c], a, b);
        }
#pragma GCC unroll 8
        for (uint32_t c = 1; c < MEASURE_CHAINS; c++) x[0] = MEASURE_SUM(x[0], x[c]);
        memcpy(lane, &x[0], sizeof lane);
        for (uint32_t l = 0; l < MEASURE_LANES; l++) memcpy(to + (first + l) * (size_t)16, &lane[l], 4);
    }
}
