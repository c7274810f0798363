/* Reductions, CUDA, with a fused multiply-add; and arg-max and arg-min, which add nothing: a warp or a workgroup a row, the
 * best key and its place in each thread, then the best of those. */
#define XM_FUSED 1
#include "kernels/reduce/cuda_text.h"

REDUCE_KERNELS(native)
REDUCE_KERNELS(guarded)

struct best {
    int key;
    u32 low, high; /* of the place; all ones: none */
};

CU_FN bool takes_over(const best &a, const best &b, bool last) /* does b, at any place, take over from a? */
{
    u64 at_a = (u64)a.high << 32 | a.low, at_b = (u64)b.high << 32 | b.low;
    if (b.key != a.key) return b.key > a.key;
    return last && a.key != RE_NAN_KEY ? at_b + 1u > at_a + 1u : at_b < at_a;
}

CU_FN best best_of_warp(best own, bool last)
{
#pragma unroll
    for (u32 by = 16; by > 0u; by >>= 1) {
        best other;
        other.key = (int)shuffle_down((u32)own.key, by);
        other.low = shuffle_down(own.low, by);
        other.high = shuffle_down(own.high, by);
        if (takes_over(own, other, last)) own = other;
    }
    return own;
}

template <u32 threads> CU_FN best best_of_row(const float *x, const reduce_args &p, u64 row, u32 t)
{
    u32 join = RE_JOIN(p.operation);
    bool last = RE_LAST(p.operation) != 0u;
    u64 k = (u64)p.k_high << 32 | p.k_low;
    const float *from = x + p.x_offset + place(row, p.kept_n, p.kept_x);
    best own = {RE_LEAST_KEY, FULL, FULL};
    bool line = flat(p);
    u64 step = p.reduced_x[3];
    for (u64 i = t; i < k; i += threads) {
        int key = re_key(from[line ? i * step : place(i, p.reduced_n, p.reduced_x)], join);
        if (!re_later_wins(key, own.key, last)) continue;
        own.key = key;
        own.low = (u32)i;
        own.high = (u32)(i >> 32);
    }
    return best_of_warp(own, last);
}

CU_FN void store(u64 *y, const reduce_args &p, u64 row, const best &b)
{
    y[p.y_offset + place(row, p.kept_n, p.kept_y)] = (u64)b.high << 32 | b.low;
}

CU_KERNEL(128, 1) reduce_arg_warp(const float *x, u64 *y, reduce_args p)
{
    u64 row = (u64)cu_block_x() * LANES_EACH + (cu_thread() >> 5);
    u32 t = cu_thread() & 31u;
    if (row >= p.rows) return;
    best b = best_of_row<32u>(x, p, row, t);
    if (t == 0u) store(y, p, row, b);
}

CU_KERNEL(ARG_THREADS, 1) reduce_arg_group(const float *x, u64 *y, reduce_args p)
{
    CU_SHARED best warp[ARG_THREADS / 32u];
    u32 t = cu_thread();
    best b = best_of_row<ARG_THREADS>(x, p, cu_block_x(), t);
    if ((t & 31u) == 0u) warp[t >> 5] = b;
    cu_barrier();
    if (t >= 32u) return;
    if (t < ARG_THREADS / 32u) {
        b = warp[t];
    } else {
        b.key = RE_LEAST_KEY;
        b.low = b.high = FULL;
    }
    b = best_of_warp(b, RE_LAST(p.operation) != 0u);
    if (t == 0u) store(y, p, cu_block_x(), b);
}
