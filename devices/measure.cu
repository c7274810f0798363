/* Measuring on CUDA: a kernel that does nothing, fills, copies or multiplies and adds. Compiled by nvcc, or by clang
 * without CUDA's headers as a check. */
#include "devices/measure.h"

struct quad {
    unsigned x, y, z, w;
} __attribute__((aligned(16)));

#if defined(__clang__)
#define KERNEL       extern "C" __attribute__((global))
#define FMA(a, b, c) __nvvm_fma_rn_f(a, b, c)
#define ADD(a, b)    __nvvm_add_rn_f(a, b)
#define WORD(x)      __builtin_bit_cast(unsigned, x)
#define THREAD       __nvvm_read_ptx_sreg_tid_x()
#define BLOCK        __nvvm_read_ptx_sreg_ctaid_x()
#else
#define KERNEL       extern "C" __global__
#define FMA(a, b, c) __fmaf_rn(a, b, c)
#define ADD(a, b)    __fadd_rn(a, b)
#define WORD(x)      __float_as_uint(x)
#define THREAD       threadIdx.x
#define BLOCK        blockIdx.x
#endif

struct push {
    unsigned operation, seed;
    float a, b;
};

KERNEL void measure_none(const quad *from, quad *to, struct push push) {}

KERNEL void measure_fill(const quad *from, quad *to, struct push push)
{
    unsigned first = BLOCK * MEASURE_GROUP * MEASURE_QUADS + THREAD;
#pragma unroll
    for (unsigned j = 0; j < MEASURE_QUADS; j++) {
        unsigned at = first + j * MEASURE_GROUP, word = 4 * at + push.seed;
        to[at] = quad{word, word + 1, word + 2, word + 3};
    }
}

KERNEL void measure_copy(const quad *from, quad *to, struct push push)
{
    unsigned first = BLOCK * MEASURE_GROUP * MEASURE_QUADS + THREAD;
    quad moved[MEASURE_QUADS];
#pragma unroll
    for (unsigned j = 0; j < MEASURE_QUADS; j++) moved[j] = from[first + j * MEASURE_GROUP];
#pragma unroll
    for (unsigned j = 0; j < MEASURE_QUADS; j++) to[first + j * MEASURE_GROUP] = moved[j];
}

KERNEL void measure_fma(const quad *from, quad *to, struct push push)
{
    float a = push.a, b = push.b, x[MEASURE_CHAINS];
    /* Threads differ by what no compiler can know, so that none computes for all. */
    if (push.seed == THREAD + 1) b = a;
#pragma unroll
    for (unsigned c = 0; c < MEASURE_CHAINS; c++) x[c] = 1.0f;
    for (unsigned i = 0; i < MEASURE_ROUNDS; i++) {
#pragma unroll
        for (unsigned u = 0; u < MEASURE_UNROLL; u++)
#pragma unroll
            for (unsigned c = 0; c < MEASURE_CHAINS; c++) x[c] = FMA(x[c], a, b);
    }
    float sum = ADD(ADD(ADD(x[0], x[1]), ADD(x[2], x[3])), ADD(ADD(x[4], x[5]), ADD(x[6], x[7])));
    to[BLOCK * MEASURE_GROUP + THREAD] = quad{WORD(sum), 0, 0, 0};
}
