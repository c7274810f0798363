/* The right bits of the elementary functions, slowly: binary64 with a rounding test, MPFR with 320 bits where that cannot
 * decide. Shares no code with the kernels, and none with oracles/. docs/exactness.md, "Elementary functions". */
#ifndef ASSAY_TESTS_FUNCTION_REFERENCE_H
#define ASSAY_TESTS_FUNCTION_REFERENCE_H

#include <stdint.h>

/* clang-format off */
#define FUNCTION_REFERENCES(X)                                                  \
    X(exp) X(exp2) X(expm1) X(log) X(log2) X(log1p) X(tanh) X(erf) X(sigmoid)   \
    X(silu) X(softplus) X(gelu) X(gelu_tanh) X(rsqrt) X(sqrt) X(rcp)

enum function_reference {
#define FUNCTION_REFERENCE_ID(name) FUNCTION_##name,
    FUNCTION_REFERENCES(FUNCTION_REFERENCE_ID)
#undef FUNCTION_REFERENCE_ID
    FUNCTION_COUNT
};
/* clang-format on */
extern const char *const function_reference_names[FUNCTION_COUNT];

/* kernels/exact/function.h in its two forms. */
extern float (*const function_fused[FUNCTION_COUNT])(float), (*const function_unfused[FUNCTION_COUNT])(float);
/* The same without the listed exceptions. */
extern float (*const function_bare_fused[FUNCTION_COUNT])(float),
    (*const function_bare_unfused[FUNCTION_COUNT])(float);

/* Bits of the function of the float whose bits are x; any NaN is 7fc00000. *slow counts how often MPFR decided. */
uint32_t function_reference(enum function_reference function, uint32_t x, uint64_t *slow);

/* A block is 2^20 neighbouring inputs; its digest is the sum, modulo 2^64, of function_mix(x, bits) over them: it does not
 * depend on an order, so a GPU can make it. */
#define FUNCTION_BLOCKS 4096u
static inline uint64_t function_mix(uint32_t x, uint32_t bits)
{
    /* the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014) */
    uint64_t z = ((uint64_t)x << 32 | bits) + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

#endif
