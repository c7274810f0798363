/* What CUDA kernels of exact mode need besides arithmetic (exact.h): indices, barriers, 16-byte words and the
 * asynchronous copy to shared memory, in a form that nvcc and clang -nocudainc both compile.
 *
 * It knows no operator. Host code cannot include it. */
#ifndef ASSAY_KERNELS_EXACT_CUDA_H
#define ASSAY_KERNELS_EXACT_CUDA_H

#include "kernels/exact/exact.h"

typedef unsigned int u32;
typedef unsigned long long u64;

#if defined(__clang__)
#define CU_FN                      static inline __attribute__((device, always_inline))
#define CU_FN_NOINLINE             static __attribute__((device, noinline))
#define CU_METHOD                  __attribute__((device, always_inline))
#define CU_SHARED                  __attribute__((shared))
#define CU_KERNEL(threads, blocks) extern "C" __attribute__((global, launch_bounds(threads, blocks))) void
CU_FN u32 cu_thread()
{
    return (u32)__nvvm_read_ptx_sreg_tid_x();
}
CU_FN u32 cu_block_x()
{
    return (u32)__nvvm_read_ptx_sreg_ctaid_x();
}
CU_FN u32 cu_block_y()
{
    return (u32)__nvvm_read_ptx_sreg_ctaid_y();
}
CU_FN u32 cu_block_z()
{
    return (u32)__nvvm_read_ptx_sreg_ctaid_z();
}
CU_FN u32 cu_blocks_x()
{
    return (u32)__nvvm_read_ptx_sreg_nctaid_x();
}
CU_FN u32 cu_blocks_y()
{
    return (u32)__nvvm_read_ptx_sreg_nctaid_y();
}
CU_FN u32 cu_blocks_z()
{
    return (u32)__nvvm_read_ptx_sreg_nctaid_z();
}
CU_FN void cu_barrier()
{
    __syncthreads();
}
#else
#define CU_FN                      static __device__ __forceinline__
#define CU_FN_NOINLINE             static __device__ __noinline__
#define CU_METHOD                  __device__ __forceinline__
#define CU_SHARED                  __shared__
#define CU_KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)
CU_FN u32 cu_thread()
{
    return threadIdx.x;
}
CU_FN u32 cu_block_x()
{
    return blockIdx.x;
}
CU_FN u32 cu_block_y()
{
    return blockIdx.y;
}
CU_FN u32 cu_block_z()
{
    return blockIdx.z;
}
CU_FN u32 cu_blocks_x()
{
    return gridDim.x;
}
CU_FN u32 cu_blocks_y()
{
    return gridDim.y;
}
CU_FN u32 cu_blocks_z()
{
    return gridDim.z;
}
CU_FN void cu_barrier()
{
    __syncthreads();
}
#endif

/* One 16-byte access when it is loaded or stored whole. */
struct __attribute__((aligned(16))) cu_f4 {
    float v[4];
};

/* The address that cp.async and st.shared take. */
CU_FN u32 cu_shared_address(const void *pointer)
{
    unsigned long long wide;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(wide) : "l"((unsigned long long)pointer));
    return (u32)wide;
}
/* Start copying 16 bytes from global to shared memory; both addresses are multiples of 16. */
CU_FN void cu_copy16(u32 to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}
/* Likewise, but read only `bytes` (0 to 16); the rest becomes zeros. */
CU_FN void cu_copy16_part(u32 to, const void *from, u32 bytes)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
/* Start copying 4 bytes. */
CU_FN void cu_copy4(u32 to, const void *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
}
/* Wait until this thread's copies are done; others see them after a barrier. */
CU_FN void cu_copy_wait()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* The forms of arithmetic as types, so that a template is one text for all. The integer multiply-add is one function
 * that is called: inlined into every place it would make programs that take minutes to compile. */
CU_FN_NOINLINE float cu_fma_integer(float a, float b, float c)
{
    return xf_fma_integer(a, b, c);
}

struct cu_native {
    CU_FN float fma(float a, float b, float c) { return xf_fma_native(a, b, c); }
    CU_FN float add(float a, float b) { return xf_add_native(a, b); }
};
struct cu_guarded {
    CU_FN float fma(float a, float b, float c)
    {
        float r = xf_hw_fma(a, b, c);
        return xf_fma_unsure(a, b, c, r) ? cu_fma_integer(a, b, c) : r;
    }
    CU_FN float add(float a, float b)
    {
        float r = xf_hw_add(a, b);
        return xf_add_unsure(a, b, r) ? cu_fma_integer(a, 1.0f, b) : r;
    }
};
struct cu_emulated {
    CU_FN float fma(float a, float b, float c)
    {
        return xf_fma_inside(a, b, c) ? xf_fma_emulated_inside(a, b, c) : cu_fma_integer(a, b, c);
    }
    CU_FN float add(float a, float b)
    {
        float r = xf_hw_add(a, b);
        return xf_add_unsure(a, b, r) ? cu_fma_integer(a, 1.0f, b) : r;
    }
};
struct cu_integer {
    CU_FN float fma(float a, float b, float c) { return cu_fma_integer(a, b, c); }
    CU_FN float add(float a, float b) { return cu_fma_integer(a, 1.0f, b); }
};

#endif
