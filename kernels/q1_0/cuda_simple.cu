/* Q1_0 product, CUDA: one thread an element (row K10), and eight, one a lane (row K11), that meet in shared memory; and the
 * Q8_0 quantizer. They take any alignment, strides and shapes, byte by byte.
 *
 * Exactness: rule 11. Lane sums are exact integers, -128 staying -128 when it is negated; d1 * s is exact; RN(ab + d1 * s)
 * over the four sub-blocks; acc = fma(d0, ab, acc) from +0, blocks ascending; lanes as ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 +
 * 7)). With finite scales every number is a multiple of 2^-48 below 2^120: nothing that flushing touches; others go as IEEE
 * 754 says, in four forms of arithmetic. The quantizer is integers only (quantize.h). */
#include "kernels/exact/cuda.h"
#include "kernels/q1_0/cuda_args.h"
#include "kernels/q1_0/quantize.h"

typedef unsigned char u8;

#define THREADS 64u

CU_FN float scale_at(const u8 *p)
{
    return q1_half(p[0] | (u32)p[1] << 8);
}

CU_FN int lane_sum(const u8 *codes, u32 signs)
{
    int sum = 0;
#pragma unroll
    for (u32 i = 0; i < 4; i++) {
        u32 flip = (signs >> i & 1) - 1;
        sum += (int)(signed char)((codes[i] ^ flip) - flip);
    }
    return sum;
}

template <class F> CU_FN float one_lane(const u8 *w, const u8 *x, u32 blocks, u32 lane)
{
    float acc = 0.0f;
    for (u32 b = 0; b < blocks; b++, w += Q1_BYTES) {
        float ab = 0.0f;
#pragma unroll
        for (u32 k = 0; k < Q1_SUBS; k++, x += Q8_BYTES) {
            u32 signs = w[2 + 4 * k + lane / 2] >> lane % 2 * 4;
            float s = (float)lane_sum(x + 2 + 4 * lane, signs);
            /* d1 * s is exact, so this has the bits of the multiply and the add; +0 first: only a zero's sign differs */
            ab = F::fma(scale_at(x), s, ab);
        }
        acc = F::fma(scale_at(w), ab, acc);
    }
    return acc;
}

template <class F> CU_FN float join(const float *a)
{
    float even = F::add(F::add(a[0], a[4]), F::add(a[2], a[6]));
    float odd = F::add(F::add(a[1], a[5]), F::add(a[3], a[7]));
    return F::add(even, odd);
}

template <class F> CU_FN void lane1(const u8 *w, const u8 *x, float *y, const q1_args &p)
{
    u64 row = (u64)cu_block_x() * THREADS + cu_thread();
    if (row >= p.m) return;
    for (u64 column = cu_block_y(); column < p.n; column += cu_blocks_y()) {
        float a[Q1_LANES];
#pragma unroll
        for (u32 l = 0; l < Q1_LANES; l++)
            a[l] = one_lane<F>(w + (p.w_offset + row * p.w_row), x + (p.x_offset + column * p.x_row),
                               p.blocks, l);
        y[p.y_offset + column * p.y_row + row] = join<F>(a);
    }
}

template <class F> CU_FN void lane8(const u8 *w, const u8 *x, float *y, const q1_args &p)
{
    static CU_SHARED float met[THREADS];
    u64 row = (u64)cu_block_x() * (THREADS / Q1_LANES) + cu_thread() / Q1_LANES;
    u32 lane = cu_thread() % Q1_LANES;
    /* all threads of a block make the same rounds, so all reach the barriers */
    for (u64 column = cu_block_y(); column < p.n; column += cu_blocks_y()) {
        float sum = 0.0f;
        if (row < p.m)
            sum = one_lane<F>(w + (p.w_offset + row * p.w_row), x + (p.x_offset + column * p.x_row), p.blocks,
                              lane);
        met[cu_thread()] = sum;
        cu_barrier();
        if (lane == 0 && row < p.m) y[p.y_offset + column * p.y_row + row] = join<F>(met + cu_thread());
        cu_barrier();
    }
}

#define FORM(name)                                                                                           \
    CU_KERNEL(64, 1) q1_lane1_##name(const u8 *w, const u8 *x, float *y, q1_args p)                          \
    {                                                                                                        \
        lane1<cu_##name>(w, x, y, p);                                                                        \
    }                                                                                                        \
    CU_KERNEL(64, 1) q1_lane8_##name(const u8 *w, const u8 *x, float *y, q1_args p)                          \
    {                                                                                                        \
        lane8<cu_##name>(w, x, y, p);                                                                        \
    }
FORM(native)
FORM(guarded)
FORM(emulated)
FORM(integer)

/* One thread a block of 32 numbers. Grid: x over blocks of a row, y over rows. */
CU_KERNEL(64, 1) q1_quantize(const u32 *x, u8 *y, q1_args p)
{
    u64 block = (u64)cu_block_x() * THREADS + cu_thread();
    if (block >= p.blocks) return;
    for (u64 row = cu_block_y(); row < p.n; row += cu_blocks_y()) {
        const u32 *from = x + (p.x_offset + row * p.x_row + block * 32);
        u8 *to = y + (p.y_offset + row * p.y_row + block * Q8_BYTES);
        u32 amax = 0;
        for (u32 i = 0; i < 32; i++) {
            u32 magnitude = from[i] & 0x7FFFFFFFu;
            amax = magnitude > amax ? magnitude : amax;
        }
        struct q8_scale scale = q8_scale_of(amax);
        to[0] = (u8)scale.scale;
        to[1] = (u8)(scale.scale >> 8);
        for (u32 i = 0; i < 32; i++) to[2 + i] = (u8)q8_code_of(scale, from[i]);
    }
}
