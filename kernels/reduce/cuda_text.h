/* Reductions, CUDA: the text of cuda.cu and cuda_split.cu, which compile it for the forms with and without a fused
 * multiply-add. Templates over a form F of kernels/exact/cuda.h.
 *
 * Exactness: docs/exactness.md, rule 3. A warp adds a block: thread t holds lanes t, t + 32, t + 64 and t + 96, joins those,
 * then the warp by shuffles: lane l takes lane l + 64, 32, 16, 8, 4, 2, 1. Rows of up to 32 elements are a group of as many
 * threads, which is the same tree without the lanes that are absent. */
#ifndef ASSAY_REDUCE_CUDA_TEXT_H
#define ASSAY_REDUCE_CUDA_TEXT_H

#include "kernels/exact/cuda.h"
#if defined(__clang__) /* which reads no header of CUDA's */
#define __device__ __attribute__((device))
#endif
#include "kernels/reduce/text.h"
#include "kernels/reduce/cuda_args.h"

#define FULL 0xFFFFFFFFu

CU_FN u32 shuffle_down(u32 word, u32 by)
{
    u32 r;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, -1;" : "=r"(r) : "r"(word), "r"(by));
    return r;
}

CU_FN u64 place(u64 number, const u32 *n, const u32 *step)
{
    u64 at = 0;
#pragma unroll
    for (int d = REDUCE_DIMS - 1; d > 0; d--) {
        if (n[d] == 1u) continue;
        u64 whole = number >> 32 ? number / n[d] : (u32)number / n[d];
        at += (number - whole * n[d]) * step[d];
        number = whole;
    }
    return at + number * step[0];
}

CU_FN bool flat(const reduce_args &p)
{
    return p.reduced_n[0] == 1u && p.reduced_n[1] == 1u && p.reduced_n[2] == 1u;
}

/* A sum or a product, with what happens to elements first. */
template <class F, u32 before> struct adding {
    static CU_METHOD float first() { return 0.0f; }
    static CU_METHOD float take(float lane, float x)
    {
        return before == RE_SQUARE ? F::fma(x, x, lane) : F::add(lane, re_before(x, before));
    }
    static CU_METHOD float join(float a, float b) { return F::add(a, b); }
};
template <class F> struct multiplying {
    static CU_METHOD float first() { return 1.0f; }
    static CU_METHOD float join(float a, float b)
    {
        return F::fma(a, b, xf_float((xf_bits(a) ^ xf_bits(b)) & XF_SIGN));
    }
    static CU_METHOD float take(float lane, float x) { return join(lane, x); }
};
/* The larger key; travels as the word of a float. */
template <u32 which> struct choosing {
    static CU_METHOD float first() { return xf_float((u32)RE_LEAST_KEY); }
    static CU_METHOD float join(float a, float b)
    {
        int x = (int)xf_bits(a), y = (int)xf_bits(b);
        return xf_float((u32)(x > y ? x : y));
    }
    static CU_METHOD float take(float lane, float x) { return join(lane, xf_float((u32)re_key(x, which))); }
};

/* Once a row and rarely: a function that is called, since inlined into every kernel it would make them slow to compile. */
CU_FN_NOINLINE float last_step(float x, u32 after, float count)
{
    return re_after(x, after, count);
}

CU_FN void finish(const reduce_args &p, float *y, u64 pair, u32 row, float value)
{
    u32 join = RE_JOIN(p.operation);
    if (join >= RE_MAX) value = re_element((int)xf_bits(value), join);
    if (p.blocks > 1u) {
        y[pair] = value;
        return;
    }
    u32 after = RE_AFTER(p.operation);
    value = after == 0u ? xf_canonical(value) : last_step(value, after, xf_float(p.count));
    y[p.y_offset + place(row, p.kept_n, p.kept_y)] = value;
}

/* A warp a pair of row and block. */
template <class R> CU_FN void lanes_of(const float *x, float *y, const reduce_args &p)
{
    u32 t = cu_thread() & 31u;
    u64 pair = (u64)cu_block_x() * LANES_EACH + (cu_thread() >> 5);
    if (pair >= (u64)p.rows * p.blocks) return;
    u32 row = p.blocks == 1u ? (u32)pair : (u32)(pair / p.blocks), block = (u32)pair - row * p.blocks;
    u64 k = (u64)p.k_high << 32 | p.k_low, start = (u64)block * BLOCK;
    u32 count = (u32)(k - start < BLOCK ? k - start : BLOCK), i = 0;
    const float *from = x + p.x_offset + place(row, p.kept_n, p.kept_x);
    float lane[4];
#pragma unroll
    for (u32 s = 0; s < 4u; s++) lane[s] = R::first();
    if (flat(p)) {
        u64 step = p.reduced_x[3];
        from += start * step;
        for (; i + 512u <= count; i += 512u) {
            float v[16];
#pragma unroll
            for (u32 s = 0; s < 16u; s++) v[s] = from[(u64)(i + t + 32u * s) * step];
#pragma unroll
            for (u32 s = 0; s < 16u; s++) lane[s & 3u] = R::take(lane[s & 3u], v[s]);
        }
        for (; i < count; i += 128u) {
#pragma unroll
            for (u32 s = 0; s < 4u; s++) {
                u32 j = i + t + 32u * s;
                if (j < count) lane[s] = R::take(lane[s], from[(u64)j * step]);
            }
        }
    } else {
        for (; i < count; i += 128u) {
#pragma unroll
            for (u32 s = 0; s < 4u; s++) {
                u32 j = i + t + 32u * s;
                if (j < count) lane[s] = R::take(lane[s], from[place(start + j, p.reduced_n, p.reduced_x)]);
            }
        }
    }
    float v = R::join(R::join(lane[0], lane[2]), R::join(lane[1], lane[3]));
#pragma unroll
    for (u32 by = 16; by > 0u; by >>= 1) v = R::join(v, xf_float(shuffle_down(xf_bits(v), by)));
    if (t == 0u) finish(p, y, pair, row, v);
}

/* `width` threads a row of at most as many elements; SHORT_TURNS rows a thread. */
template <class R> CU_FN void short_of(const float *x, float *y, const reduce_args &p)
{
    u32 width = SHORT_THREADS * SHORT_TURNS / p.each, rows = SHORT_THREADS / width;
    u32 l = cu_thread() & (width - 1u), k = p.k_low;
    u64 first = (u64)cu_block_x() * p.each + cu_thread() / width;
    u64 step = l < k ? place(l, p.reduced_n, p.reduced_x) : 0;
    float v[SHORT_TURNS];
#pragma unroll
    for (u32 s = 0; s < SHORT_TURNS; s++) {
        u64 row = first + s * rows;
        bool there = row < p.rows && l < k;
        v[s] = there ? x[p.x_offset + place(row, p.kept_n, p.kept_x) + step] : 0.0f;
        float lane = R::first();
        v[s] = there ? R::take(lane, v[s]) : lane;
    }
#pragma unroll
    for (u32 s = 0; s < SHORT_TURNS; s++) {
        u64 row = first + s * rows;
        for (u32 by = width >> 1; by > 0u; by >>= 1)
            v[s] = R::join(v[s], xf_float(shuffle_down(xf_bits(v[s]), by)));
        if (l == 0u && row < p.rows) finish(p, y, row, (u32)row, v[s]);
    }
}

template <class F> CU_FN void lanes_by(const float *x, float *y, const reduce_args &p)
{
    u32 join = RE_JOIN(p.operation), before = RE_BEFORE(p.operation);
    if (join == RE_MULTIPLY)
        lanes_of<multiplying<F>>(x, y, p);
    else if (join == RE_MAX)
        lanes_of<choosing<RE_MAX>>(x, y, p);
    else if (join == RE_MIN)
        lanes_of<choosing<RE_MIN>>(x, y, p);
    else if (before == RE_SQUARE)
        lanes_of<adding<F, RE_SQUARE>>(x, y, p);
    else if (before == RE_MAGNITUDE)
        lanes_of<adding<F, RE_MAGNITUDE>>(x, y, p);
    else
        lanes_of<adding<F, 0u>>(x, y, p);
}
template <class F> CU_FN void short_by(const float *x, float *y, const reduce_args &p)
{
    u32 join = RE_JOIN(p.operation), before = RE_BEFORE(p.operation);
    if (join == RE_MULTIPLY)
        short_of<multiplying<F>>(x, y, p);
    else if (join == RE_MAX)
        short_of<choosing<RE_MAX>>(x, y, p);
    else if (join == RE_MIN)
        short_of<choosing<RE_MIN>>(x, y, p);
    else if (before == RE_SQUARE)
        short_of<adding<F, RE_SQUARE>>(x, y, p);
    else if (before == RE_MAGNITUDE)
        short_of<adding<F, RE_MAGNITUDE>>(x, y, p);
    else
        short_of<adding<F, 0u>>(x, y, p);
}

#define REDUCE_KERNELS(form)                                                                                 \
    CU_KERNEL(128, 1) reduce_lanes_##form(const float *x, float *y, reduce_args p)                           \
    {                                                                                                        \
        lanes_by<cu_##form>(x, y, p);                                                                        \
    }                                                                                                        \
    CU_KERNEL(SHORT_THREADS, 1) reduce_short_##form(const float *x, float *y, reduce_args p)                 \
    {                                                                                                        \
        short_by<cu_##form>(x, y, p);                                                                        \
    }

#endif
