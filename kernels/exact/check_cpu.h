/* Known answers of the exact arithmetic on the CPU, one function a form: text of check_cpu.c and check_cpu_avx2.c, which
 * compile it for different instruction sets. CHECK_NAME(form) names the functions. */
#include "devices/device.h"
#include "kernels/exact/check.h"
#include "kernels/exact/exact.h"

#define CHECK(form)                                                                                          \
    void CHECK_NAME(form)(void *const *buffers, const void *push, const uint32_t group[3]);                  \
    void CHECK_NAME(form)(void *const *buffers, const void *push, const uint32_t group[3])                   \
    {                                                                                                        \
        const uint32_t *operands = buffers[0];                                                               \
        uint32_t *results = buffers[1], count;                                                               \
        memcpy(&count, push, sizeof count);                                                                  \
        for (uint32_t i = group[0] * EXACT_CHECK_GROUP; i < (group[0] + 1) * EXACT_CHECK_GROUP && i < count; \
             i++) {                                                                                          \
            float a = xf_float(operands[3 * i]), b = xf_float(operands[3 * i + 1]);                          \
            float c = xf_float(operands[3 * i + 2]);                                                         \
            results[3 * i] = xf_bits(xf_add_##form(a, b));                                                   \
            results[3 * i + 1] = xf_bits(xf_mul_##form(a, b));                                               \
            results[3 * i + 2] = xf_bits(xf_fma_##form(a, b, c));                                            \
        }                                                                                                    \
    }

CHECK(native)
CHECK(guarded)
CHECK(emulated)
CHECK(integer)
