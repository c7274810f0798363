/* Softmax and the norms, CUDA: what cuda_lanes.cu and cuda_split.cu share, and the kernel that takes lines of any length.
 * Templates over a form F of kernels/exact/cuda.h.
 *
 * Exactness: docs/exactness.md, rules 3, 5 and 6. 128 threads are the lanes of a block; lanes are joined by halving, 64 and
 * 32 through shared memory, the rest by shuffles; no reduction of the hardware's is used on floats. */
#ifndef ASSAY_NORMALIZE_CUDA_TEXT_H
#define ASSAY_NORMALIZE_CUDA_TEXT_H

#include "kernels/exact/cuda.h"
#if defined(__clang__) && !defined(__device__) /* which reads no header of CUDA's */
#define __device__ __attribute__((device))
#endif
#include "kernels/exact/divide.h"
#include "kernels/exact/function.h"
#include "kernels/normalize/cuda_args.h"

#define LEAST_KEY (-0x7FFFFFFF - 1)

CU_FN u32 shuffle_down(u32 word, u32 by)
{
    u32 r;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, -1;" : "=r"(r) : "r"(word), "r"(by));
    return r;
}
CU_FN u32 first_of_warp(u32 word)
{
    u32 r;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0, 31, -1;" : "=r"(r) : "r"(word));
    return r;
}

CU_FN u64 line_place(u32 number, const u32 *n, const u32 *step)
{
    u64 at = 0;
#pragma unroll
    for (int d = NORMALIZE_KEPT - 1; d > 0; d--) {
        if (n[d] == 1u) continue;
        u32 whole = number / n[d];
        at += (u64)(number - whole * n[d]) * step[d];
        number = whole;
    }
    return at + (u64)number * step[0];
}
/* An element's place in a line. */
CU_FN u64 element_place(u32 j, const u32 *n, const u32 *step)
{
    if (n[0] == 1u && n[1] == 1u) return (u64)j * step[2];
    u32 rest = j / n[2], outer = rest / n[1];
    return (u64)(j - rest * n[2]) * step[2] + (u64)(rest - outer * n[1]) * step[1] + (u64)outer * step[0];
}

/* Floats in their order as integers, NaN above all. */
CU_FN int key_of(float x)
{
    u32 u = xf_bits(x);
    if (xf_is_nan(x)) return 0x7FFFFFFF;
    return (int)((u >> 31) != 0u ? u ^ 0x7FFFFFFFu : u);
}
CU_FN float element_of(int key)
{
    u32 u = (u32)key;
    if (key == 0x7FFFFFFF) return xf_float(XF_NAN);
    return xf_float((u >> 31) != 0u ? u ^ 0x7FFFFFFFu : u);
}
CU_FN int larger(int a, int b)
{
    return a > b ? a : b;
}

template <class F> CU_FN float subtract(float a, float b)
{
    return F::add(a, xf_neg(b));
}
template <class F> CU_FN float multiply(float a, float b)
{
    return F::fma(a, b, xf_float((xf_bits(a) ^ xf_bits(b)) & XF_SIGN));
}
/* The hardware's division is correctly rounded in the native form; the others take the one of integers. */
template <class F> struct quotient {
    static CU_METHOD float of(float a, float b) { return xm_divide(a, b); }
};
template <> struct quotient<cu_native> {
    static CU_METHOD float of(float a, float b)
    {
        float r;
        asm("div.rn.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
        return r;
    }
};

template <class F> CU_FN float join_warp(float v)
{
#pragma unroll
    for (u32 by = 16; by > 0u; by >>= 1) v = F::add(v, xf_float(shuffle_down(xf_bits(v), by)));
    return v;
}
CU_FN int largest_of_warp(int key)
{
#pragma unroll
    for (u32 by = 16; by > 0u; by >>= 1) key = larger(key, (int)shuffle_down((u32)key, by));
    return key;
}

/* What threads of a workgroup meet in: `groups` of 128 threads, each a block. */
struct meeting {
    float lane[LONG_THREADS];
    int key[LONG_THREADS / 32u];
};

/* The sum of the 128 lanes of each group, in the first thread of the group. All threads of the workgroup call it. */
template <class F> CU_FN float join_group(meeting &meet, float v)
{
    u32 tid = cu_thread(), l = tid & 127u;
    meet.lane[tid] = v;
    cu_barrier();
    if (l < 32u)
        v = join_warp<F>(
            F::add(F::add(v, meet.lane[tid + 64u]), F::add(meet.lane[tid + 32u], meet.lane[tid + 96u])));
    cu_barrier();
    return v;
}
/* The largest key of a workgroup of `threads`, in all. */
CU_FN int largest_of_group(meeting &meet, int key, u32 threads)
{
    u32 tid = cu_thread();
    key = largest_of_warp(key);
    if ((tid & 31u) == 0u) meet.key[tid >> 5] = key;
    cu_barrier();
    for (u32 w = 0; w < threads / 32u; w++) key = w == 0u ? meet.key[0] : larger(key, meet.key[w]);
    cu_barrier();
    return key;
}

/* The line's last step for one element. */
template <class F>
CU_FN float norm_element(const normalize_args &p, float d, float s, const float *scale, const float *bias,
                         u32 j)
{
    float y = multiply<F>(quotient<F>::of(d, s), scale[p.scale_offset + j]);
    if ((p.operation & 16u) != 0u) y = F::add(y, bias[p.bias_offset + j]);
    return xf_canonical(y);
}
template <class F> CU_FN float deviation(const normalize_args &p, float squares)
{
    return xm_sqrt(F::add(quotient<F>::of(squares, xf_float(p.count)), xf_float(p.epsilon)));
}

/* ---- lines of any length: read once a pass ---- */

enum pass { AS_IS, EXPONENT, CENTRED, CENTRED2 };

template <class F> CU_FN float passed(float x, u32 pass, float m, float c)
{
    if (pass != AS_IS) x = subtract<F>(x, m);
    if (pass == CENTRED2) x = subtract<F>(x, c);
    if (pass == EXPONENT) x = xm_exp(x);
    return x;
}

template <class F>
CU_FN float total(meeting &meet, float *result, const float *x, const normalize_args &p, u32 pass,
                  bool squares, float m, float c)
{
    u32 tid = cu_thread(), l = tid & 127u, blocks = (p.k - 1u) / BLOCK + 1u;
    for (u32 b0 = 0; b0 < blocks; b0 += LONG_THREADS / 128u) {
        u32 b = b0 + (tid >> 7);
        float sum = 0.0f;
        if (b < blocks) {
            u32 end = p.k - b * BLOCK < BLOCK ? p.k : (b + 1u) * BLOCK;
            for (u32 j = b * BLOCK + l; j < end; j += 128u) {
                float v = passed<F>(x[element_place(j, p.inner_n, p.inner_x)], pass, m, c);
                sum = squares ? F::fma(v, v, sum) : F::add(sum, v);
            }
        }
        sum = join_group<F>(meet, sum);
        if (l == 0u && b < blocks) result[b] = sum;
    }
    cu_barrier();
    float sum = result[0];
    if (blocks > 1u) {
        sum = 0.0f;
        for (u32 b = l; b < blocks; b += 128u) sum = F::add(sum, result[b]);
        sum = join_group<F>(meet, sum);
        if (tid == 0u) meet.lane[0] = sum;
        cu_barrier();
        sum = meet.lane[0];
    }
    cu_barrier();
    return sum;
}

template <class F>
CU_FN void long_line(const float *x, float *y, const float *scale, const float *bias, const normalize_args &p)
{
    CU_SHARED meeting meet;
    CU_SHARED float result[NORMALIZE_BLOCKS];
    u32 kind = p.operation & 15u, tid = cu_thread();
    float m = 0.0f, c = 0.0f, s, n = xf_float(p.count);
    x += p.x_offset + line_place(cu_block_x(), p.kept_n, p.kept_x);
    y += p.y_offset + line_place(cu_block_x(), p.kept_n, p.kept_y);
    if (kind < LAYER) {
        int key = LEAST_KEY;
        for (u32 j = tid; j < p.k; j += LONG_THREADS)
            key = larger(key, key_of(x[element_place(j, p.inner_n, p.inner_x)]));
        m = element_of(largest_of_group(meet, key, LONG_THREADS));
        s = total<F>(meet, result, x, p, EXPONENT, false, m, c);
        if (kind == LOG_SOFTMAX) s = xm_log(s);
    } else {
        if (kind == LAYER) {
            m = quotient<F>::of(total<F>(meet, result, x, p, AS_IS, false, m, c), n);
            c = quotient<F>::of(total<F>(meet, result, x, p, CENTRED, false, m, c), n);
        }
        s = deviation<F>(p, total<F>(meet, result, x, p, kind == LAYER ? CENTRED2 : AS_IS, true, m, c));
    }
    for (u32 j = tid; j < p.k; j += LONG_THREADS) {
        float v = x[element_place(j, p.inner_n, p.inner_x)];
        if (kind == SOFTMAX)
            v = xf_canonical(quotient<F>::of(passed<F>(v, EXPONENT, m, c), s));
        else if (kind == LOG_SOFTMAX)
            v = xf_canonical(subtract<F>(subtract<F>(v, m), s));
        else
            v = norm_element<F>(p, passed<F>(v, kind == LAYER ? CENTRED2 : AS_IS, m, c), s, scale, bias, j);
        y[element_place(j, p.inner_n, p.inner_y)] = v;
    }
}

#define NORMALIZE_LONG(form)                                                                                 \
    CU_KERNEL(LONG_THREADS, 1)                                                                               \
    normalize_long_##form(const float *x, float *y, const float *scale, const float *bias, normalize_args p) \
    {                                                                                                        \
        long_line<cu_##form>(x, y, scale, bias, p);                                                          \
    }

#endif
