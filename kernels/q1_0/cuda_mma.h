/* What the matrix unit's rows of the Q1_0 product share: the instruction, shifts over two words, groups of copies.
 *
 * It knows neither tiles nor who makes them. Device code only. */
#ifndef ASSAY_Q1_0_CUDA_MMA_H
#define ASSAY_Q1_0_CUDA_MMA_H

#include "kernels/exact/cuda.h"
#include "kernels/q1_0/cuda_args.h"

typedef unsigned char u8;

#define MAGIC_WORD 0x4B400000 /* of 1.5 * 2^23, whose last bit is worth 1 */
#define MAGIC      12582912.0f

extern CU_SHARED __attribute__((aligned(16))) u8 mma_memory[];

CU_FN float half_at(u32 h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)h));
    return f;
}

/* Bits shift .. shift + 31 of high:low; shift below 32. */
CU_FN u32 funnel(u32 low, u32 high, u32 shift)
{
    u32 r;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));
    return r;
}

CU_FN void matrix_unit(int d[4], const u32 a[4], u32 b0, u32 b1, int c0, int c1)
{
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%10,%11};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "r"(c0), "r"(c1));
}

CU_FN void copies_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Wait until at most `left` of the newest groups are on their way. */
CU_FN void copies_wait(u32 left)
{
    if (left >= 6)
        asm volatile("cp.async.wait_group 6;" ::: "memory");
    else if (left == 5)
        asm volatile("cp.async.wait_group 5;" ::: "memory");
    else if (left == 4)
        asm volatile("cp.async.wait_group 4;" ::: "memory");
    else if (left == 3)
        asm volatile("cp.async.wait_group 3;" ::: "memory");
    else if (left == 2)
        asm volatile("cp.async.wait_group 2;" ::: "memory");
    else
        asm volatile("cp.async.wait_group 1;" ::: "memory");
}

#endif
