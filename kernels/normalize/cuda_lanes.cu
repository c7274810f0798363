/* Softmax and the norms, CUDA, with a fused multiply-add: lines that are read once and kept in registers, by a warp (up to
 * 1,024 elements) or by 128 threads a block (up to 16,384), 32 elements a thread; others by the kernel of cuda_text.h. */
#define XM_FUSED 1
#include "kernels/normalize/cuda_text.h"

NORMALIZE_LONG(native)
NORMALIZE_LONG(guarded)

typedef cu_native N;

#define SLOTS 32

/* A line, or 4,096 elements of one: slot s of thread t of T holds element t + T s, whose lane is that modulo 128. */
template <u32 T> struct kept {
    float v[SLOTS];
    u32 t, count;

    template <class Body> CU_METHOD void each(Body body)
    {
#pragma unroll
        for (u32 s = 0; s < SLOTS; s++) {
            if (T * s >= count) break;
            u32 j = t + T * s;
            if (j < count) body(v[s], j, s);
        }
    }
    /* Lanes of this thread, added over the slots and joined as far as they are its own. */
    CU_METHOD float lanes(bool squares)
    {
        float lane[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
        for (u32 s = 0; s < SLOTS; s++) {
            if (T * s >= count) break;
            const u32 l = T == 32u ? s & 3u : 0u;
            if (t + T * s < count) lane[l] = squares ? N::fma(v[s], v[s], lane[l]) : N::add(lane[l], v[s]);
        }
        if (T == 32u) return N::add(N::add(lane[0], lane[2]), N::add(lane[1], lane[3]));
        return lane[0];
    }
};

/* The line's sum in all of its threads. Results of up to four blocks are added as (0 + 2) + (1 + 3). */
template <u32 T> CU_FN float sum_of(kept<T> &line, bool squares, meeting &meet, u32 threads)
{
    float sum = line.lanes(squares);
    if (T == 32u) return xf_float(first_of_warp(xf_bits(join_warp<N>(sum))));
    sum = join_group<N>(meet, sum);
    u32 tid = cu_thread();
    if ((tid & 127u) == 0u) meet.lane[tid >> 7] = sum;
    cu_barrier();
    sum = meet.lane[0];
    if (threads > 128u) {
        float third = threads > 256u ? meet.lane[2] : 0.0f, last = threads > 384u ? meet.lane[3] : 0.0f;
        sum = N::add(N::add(sum, third), N::add(meet.lane[1], last));
    }
    cu_barrier();
    return sum;
}

template <u32 T>
CU_FN void kept_line(const float *x, float *y, const float *scale, const float *bias, const normalize_args &p,
                     u32 number, u32 t, u32 first, meeting &meet, u32 threads)
{
    u32 kind = p.operation & 15u;
    float n = xf_float(p.count), m = 0.0f, c = 0.0f, s;
    kept<T> line;
    line.t = t;
    line.count = p.k - first < BLOCK ? p.k - first : BLOCK;
    x += p.x_offset + line_place(number, p.kept_n, p.kept_x);
    y += p.y_offset + line_place(number, p.kept_n, p.kept_y);
    line.each([&](float &v, u32 j, u32) { v = x[element_place(first + j, p.inner_n, p.inner_x)]; });
    if (kind < LAYER) {
        int key = LEAST_KEY;
        line.each([&](float &v, u32, u32) { key = larger(key, key_of(v)); });
        if (T == 32u)
            key = (int)first_of_warp((u32)largest_of_warp(key));
        else
            key = largest_of_group(meet, key, threads);
        m = element_of(key);
        if (kind == SOFTMAX) {
            line.each([&](float &v, u32, u32) { v = xm_exp(subtract<N>(v, m)); });
            s = sum_of<T>(line, false, meet, threads);
            line.each([&](float &v, u32, u32) { v = xf_canonical(quotient<N>::of(v, s)); });
        } else {
            kept<T> powers;
            powers.t = t;
            powers.count = line.count;
            line.each([&](float &v, u32, u32 at) {
                v = subtract<N>(v, m);
                powers.v[at] = xm_exp(v);
            });
            s = xm_log(sum_of<T>(powers, false, meet, threads));
            line.each([&](float &v, u32, u32) { v = xf_canonical(subtract<N>(v, s)); });
        }
    } else {
        if (kind == LAYER) {
            m = quotient<N>::of(sum_of<T>(line, false, meet, threads), n);
            line.each([&](float &v, u32, u32) { v = subtract<N>(v, m); });
            c = quotient<N>::of(sum_of<T>(line, false, meet, threads), n);
            line.each([&](float &v, u32, u32) { v = subtract<N>(v, c); });
        }
        s = deviation<N>(p, sum_of<T>(line, true, meet, threads));
        line.each([&](float &v, u32 j, u32) { v = norm_element<N>(p, v, s, scale, bias, first + j); });
    }
    line.each([&](float &v, u32 j, u32) { y[element_place(first + j, p.inner_n, p.inner_y)] = v; });
}

CU_KERNEL(128, 1)
normalize_warp(const float *x, float *y, const float *scale, const float *bias, normalize_args p)
{
    CU_SHARED meeting unused;
    u32 number = cu_block_x() * WARPS_EACH + (cu_thread() >> 5);
    if (number >= p.lines) return;
    kept_line<32u>(x, y, scale, bias, p, number, cu_thread() & 31u, 0u, unused, 32u);
}

CU_KERNEL(512, 1)
normalize_group(const float *x, float *y, const float *scale, const float *bias, normalize_args p)
{
    CU_SHARED meeting meet;
    u32 threads = ((p.k - 1u) / BLOCK + 1u) * 128u;
    kept_line<128u>(x, y, scale, bias, p, cu_block_x(), cu_thread() & 127u, (cu_thread() >> 7) * BLOCK, meet,
                    threads);
}
