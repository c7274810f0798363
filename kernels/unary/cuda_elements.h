/* Elementwise operators on CUDA: one kernel a function, XM_FUSED as the file says. Packed tensors go by 16 bytes a thread,
 * others element by element; blocks step through a tensor of any length.
 *
 * Exactness: text.h; elements do not depend on each other. */
#include "kernels/exact/cuda.h"
#include "kernels/unary/cuda_args.h"
#include "kernels/unary/text.h"

#define THREADS 256u

struct __attribute__((aligned(16))) four {
    u32 v[4];
};

CU_FN float element(const void *from, u64 at, u32 dtype)
{
    if (dtype == DTYPE_F32) return xf_float(((const u32 *)from)[at]);
    u32 half = ((const unsigned short *)from)[at];
    return dtype == DTYPE_F16 ? un_from_half(half) : un_from_brain(half);
}
CU_FN float half_of(u32 word, u32 part, u32 dtype)
{
    u32 half = part != 0 ? word >> 16 : word & 0xFFFFu;
    return dtype == DTYPE_F16 ? un_from_half(half) : un_from_brain(half);
}
CU_FN u32 to_half(float y, u32 dtype)
{
    return dtype == DTYPE_F16 ? un_to_half(y) : un_to_brain(y);
}

#define ELEMENTS(name)                                                                                       \
    CU_KERNEL(256, 1)                                                                                        \
    un_##name##_kernel(const void *x, void *y, const void *lo, const void *hi, unary_args p)                 \
    {                                                                                                        \
        float a = (p.bounds & 1u) != 0 ? element(lo, p.lo_from, p.dtype) : xf_float(p.a);                    \
        float b = (p.bounds & 2u) != 0 ? element(hi, p.hi_from, p.dtype) : xf_float(p.b);                    \
        u64 elems = p.rows * p.cols, step = (u64)p.groups * THREADS;                                         \
        u64 i = (u64)cu_block_x() * THREADS + cu_thread();                                                   \
        if (p.packed != 0 && p.dtype == DTYPE_F32) {                                                         \
            const four *from = (const four *)((const u32 *)x + p.x_from);                                    \
            four *to = (four *)((u32 *)y + p.y_from);                                                        \
            for (u64 at = i; at < elems / 4; at += step) {                                                   \
                four w = from[at];                                                                           \
                _Pragma("unroll") for (u32 k = 0; k < 4; k++) w.v[k] =                                       \
                    xf_bits(un_##name(xf_float(w.v[k]), a, b));                                              \
                to[at] = w;                                                                                  \
            }                                                                                                \
            i += elems / 4 * 4;                                                                              \
        } else if (p.packed != 0) {                                                                          \
            const four *from = (const four *)((const unsigned short *)x + p.x_from);                         \
            four *to = (four *)((unsigned short *)y + p.y_from);                                             \
            for (u64 at = i; at < elems / 8; at += step) {                                                   \
                four w = from[at];                                                                           \
                _Pragma("unroll 1") for (u32 k = 0; k < 4; k++)                                              \
                {                                                                                            \
                    u32 word = k == 0 ? w.v[0] : k == 1 ? w.v[1] : k == 2 ? w.v[2] : w.v[3];                 \
                    float y0 = un_##name(half_of(word, 0, p.dtype), a, b);                                   \
                    float y1 = un_##name(half_of(word, 1, p.dtype), a, b);                                   \
                    word = to_half(y0, p.dtype) | to_half(y1, p.dtype) << 16;                                \
                    if (k == 0) w.v[0] = word;                                                               \
                    if (k == 1) w.v[1] = word;                                                               \
                    if (k == 2) w.v[2] = word;                                                               \
                    if (k == 3) w.v[3] = word;                                                               \
                }                                                                                            \
                to[at] = w;                                                                                  \
            }                                                                                                \
            i += elems / 8 * 8;                                                                              \
        }                                                                                                    \
        for (; i < elems; i += step) {                                                                       \
            u64 row = i / p.cols, col = i - row * p.cols;                                                    \
            u64 to = p.y_from + row * p.y_row + col * p.y_col;                                               \
            float v = un_##name(element(x, p.x_from + row * p.x_row + col * p.x_col, p.dtype), a, b);        \
            if (p.dtype == DTYPE_F32)                                                                        \
                ((u32 *)y)[to] = xf_bits(v);                                                                 \
            else                                                                                             \
                ((unsigned short *)y)[to] = (unsigned short)to_half(v, p.dtype);                             \
        }                                                                                                    \
    }
