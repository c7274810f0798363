/* Known answers of the exact arithmetic on CUDA, one kernel a form. */
#include "kernels/exact/check.h"
#include "kernels/exact/exact.h"

#if defined(__clang__)
#define KERNEL extern "C" __attribute__((global))
#define INDEX  (__nvvm_read_ptx_sreg_ctaid_x() * EXACT_CHECK_GROUP + __nvvm_read_ptx_sreg_tid_x())
#else
#define KERNEL extern "C" __global__
#define INDEX  (blockIdx.x * EXACT_CHECK_GROUP + threadIdx.x)
#endif

struct push {
    unsigned count;
};

#define CHECK(form)                                                                                          \
    KERNEL void exact_check_##form(const unsigned *operands, unsigned *results, struct push push)            \
    {                                                                                                        \
        unsigned i = INDEX;                                                                                  \
        if (i >= push.count) return;                                                                         \
        float a = xf_float(operands[3 * i]), b = xf_float(operands[3 * i + 1]);                              \
        float c = xf_float(operands[3 * i + 2]);                                                             \
        results[3 * i] = xf_bits(xf_add_##form(a, b));                                                       \
        results[3 * i + 1] = xf_bits(xf_mul_##form(a, b));                                                   \
        results[3 * i + 2] = xf_bits(xf_fma_##form(a, b, c));                                                \
    }

CHECK(native)
CHECK(guarded)
CHECK(emulated)
CHECK(integer)
