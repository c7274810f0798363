/* The arithmetic probe on CUDA: one operation on loaded or on literal operands. Compiled by nvcc, or by clang without
 * CUDA's headers as a check. */
#include "devices/traits.h"

#if defined(__clang__)
#define DEVICE static inline __attribute__((device))
#define KERNEL extern "C" __attribute__((global))
DEVICE float as_float(unsigned u)
{
    return __builtin_bit_cast(float, u);
}
DEVICE unsigned as_word(float x)
{
    return __builtin_bit_cast(unsigned, x);
}
#define ADD(a, b)    __nvvm_add_rn_f(a, b)
#define MUL(a, b)    __nvvm_mul_rn_f(a, b)
#define FMA(a, b, c) __nvvm_fma_rn_f(a, b, c)
#define DIV(a, b)    __nvvm_div_rn_f(a, b)
#define SQRT(a)      __nvvm_sqrt_rn_f(a)
DEVICE unsigned index_in_grid()
{
    return __nvvm_read_ptx_sreg_ctaid_x() * TRAIT_GROUP + __nvvm_read_ptx_sreg_tid_x();
}
#else
#define DEVICE       static __device__ __forceinline__
#define KERNEL       extern "C" __global__
DEVICE float as_float(unsigned u)
{
    return __uint_as_float(u);
}
DEVICE unsigned as_word(float x)
{
    return __float_as_uint(x);
}
#define ADD(a, b)    __fadd_rn(a, b)
#define MUL(a, b)    __fmul_rn(a, b)
#define FMA(a, b, c) __fmaf_rn(a, b, c)
#define DIV(a, b)    __fdiv_rn(a, b)
#define SQRT(a)      __fsqrt_rn(a)
DEVICE unsigned index_in_grid()
{
    return blockIdx.x * TRAIT_GROUP + threadIdx.x;
}
#endif
#define SUB(a, b) ADD(a, -(b))

DEVICE unsigned apply(unsigned operation, unsigned ua, unsigned ub, unsigned uc)
{
    float a = as_float(ua), b = as_float(ub), c = as_float(uc);
    switch (operation) {
    case TRAIT_ADD:
        return as_word(ADD(a, b));
    case TRAIT_SUB:
        return as_word(SUB(a, b));
    case TRAIT_MUL:
        return as_word(MUL(a, b));
    case TRAIT_FMA:
        return as_word(FMA(a, b, c));
    case TRAIT_MULADD:
        return as_word(ADD(MUL(a, b), c));
    case TRAIT_DIV:
        return as_word(DIV(a, b));
    case TRAIT_SQRT:
        return as_word(SQRT(a));
    case TRAIT_TWO_SUM: {
        float s = ADD(a, b), t = SUB(s, a);
        return as_word(ADD(SUB(a, SUB(s, t)), SUB(b, t)));
    }
    case TRAIT_ADD_ZERO:
        return as_word(ADD(a, 0.0f));
    case TRAIT_MUL_ZERO:
        return as_word(MUL(a, 0.0f));
    default:
        return ua;
    }
}

struct push {
    unsigned count, operation, literal;
};

KERNEL void traits(const unsigned *operands, unsigned *results, struct push push)
{
    unsigned i = index_in_grid();
    if (i >= push.count) return;
    if (push.literal) {
        unsigned k = 0;
#define LITERAL(a, b, c)                                                                                     \
    if (i == k++) results[i] = apply(push.operation, a, b, c);
        TRAIT_LITERALS(LITERAL)
    } else if (push.operation == TRAIT_LOAD) {
        results[i] = as_word(((const float *)operands)[3 * i]);
    } else if (push.operation == TRAIT_STORE) {
        ((float *)results)[i] = as_float(operands[3 * i]);
    } else {
        results[i] = apply(push.operation, operands[3 * i], operands[3 * i + 1], operands[3 * i + 2]);
    }
}
