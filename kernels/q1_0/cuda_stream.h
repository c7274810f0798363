/* What the CUDA rows of the Q1_0 product share that stream W through shared memory: f16 scales, shifts over two words,
 * groups of copies.
 *
 * It knows neither tiles nor who makes them. Device code only. */
#ifndef ASSAY_Q1_0_CUDA_STREAM_H
#define ASSAY_Q1_0_CUDA_STREAM_H

#include "kernels/exact/cuda.h"
#include "kernels/q1_0/cuda_args.h"

typedef unsigned char u8;

CU_FN float half_at(u32 h)
{
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)h));
    return f;
}
CU_FN float low_half(u32 w)
{
    float f;
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l;}" : "=f"(f) : "r"(w));
    return f;
}
CU_FN float high_half(u32 w)
{
    float f;
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h;}" : "=f"(f) : "r"(w));
    return f;
}

/* Bits shift .. shift + 31 of high:low; shift below 32. */
CU_FN u32 funnel(u32 low, u32 high, u32 shift)
{
    u32 r;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(shift));
    return r;
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
