/* The tiled matrix product of CUDA that keeps only chains in registers, so that a multiprocessor holds 16 warps, or a thread
 * makes 8 x 16 outputs: one template from which cuda_pair.cu makes its entry points.
 *
 * Exactness: k ascending; a chain is 32 fused multiply-adds from +0, in registers; four chains are added from +0 to a
 * group, in shared memory, each thread its own; groups are added from +0, in Y itself, each thread its own elements. The
 * first group is copied, which changes no bit: a group is never -0. Every operation rounds once, subnormals are kept, a
 * NaN result is some NaN. A short last chain is a loop of its own: k is never padded, since 0 * inf is NaN.
 *
 * A block of WM x WN warps makes 32 WM x 8 TN WN outputs; a thread makes 8 x TN: rows l, l + 4, .. l + 28 and columns
 * 4 l .. 4 l + 3, 32 further on, ... Stages of 16 k, one being read and one arriving. A lies in shared memory as it does
 * in memory, [row][k], and is read four k at a time; B lies as [k][column].
 *
 * Lanes: bit 0 moves along n and bit 1 along m, so that lanes i, i ^ 1 read the same word of A and i, i ^ 2 the same of
 * B: then the two halves of a warp's 16-byte shared loads are served together. */
#ifndef ASSAY_MATMUL_CUDA_PAIR_H
#define ASSAY_MATMUL_CUDA_PAIR_H

#include "kernels/exact/cuda.h"
#include "kernels/matmul/cuda_args.h"

#define DEPTH     16u
#define SUPER_M   8u /* blocks next to each other share rows of A and columns of B in the L2 cache */
#define LOAD_ANY  0  /* any strides, 4 bytes at a time */
#define LOAD_WIDE 1  /* the stored order of the stage has stride 1 and is 16-byte aligned */

extern CU_SHARED cu_f4 pair_shared[];

/* How an operand gets into shared memory, a stage a call, k ascending. Rows of A and columns of B past the end are not
 * read: their results are not stored. */
template <int HOW, u32 R, u32 T> struct load_a;
template <int HOW, u32 C, u32 T> struct load_b;

template <u32 R, u32 T> struct load_a<LOAD_WIDE, R, T> {
    static constexpr u32 rounds = R * DEPTH / 4 / T, rows = T / (DEPTH / 4);
    u32 at[rounds],
        to; /* elements from the base to this thread's piece of each of its rows; bytes in the stage */
    CU_METHOD void init(u32 row_step, u32, u32 first, u32 m)
    {
        u32 row = cu_thread() / (DEPTH / 4), k = cu_thread() % (DEPTH / 4) * 4;
        to = (row * (DEPTH + 4) + k) * 4;
#pragma unroll
        for (u32 i = 0; i < rounds; i++) {
            u32 r = first + row + i * rows;
            at[i] = (r < m ? r : m - 1) * row_step + k;
        }
    }
    CU_METHOD void fetch(const float *base, u32 stage, u32 k0, u32 k_end)
    {
        u32 k = cu_thread() % (DEPTH / 4) * 4 + k0;
        u32 left = k < k_end ? k_end - k : 0, bytes = left < 4 ? left * 4 : 16;
#pragma unroll
        for (u32 i = 0; i < rounds; i++) {
            u32 place = stage + to + i * rows * (DEPTH + 4) * 4;
            if (bytes == 16)
                cu_copy16(place, base + (at[i] + k0));
            else if (bytes)
                cu_copy16_part(place, base + (at[i] + k0), bytes);
        }
    }
};

template <u32 C, u32 T> struct load_b<LOAD_WIDE, C, T> {
    static constexpr u32 pad = 0, pieces = C / 4, rows = T / pieces, rounds = DEPTH / rows;
    static_assert(T % pieces == 0 && DEPTH % rows == 0, "whole rows a round");
    u32 at, step, to, bytes;
    CU_METHOD void init(u32, u32 k_step, u32 first, u32 n)
    {
        u32 column = cu_thread() % pieces * 4, k = cu_thread() / pieces;
        u32 left = first + column < n ? n - first - column : 4;
        bytes = left < 4 ? left * 4 : 16;
        at = (first + column < n ? first + column : 0) + k * k_step;
        to = (k * C + column) * 4;
        step = k_step;
    }
    CU_METHOD void fetch(const float *base, u32 stage, u32 k0, u32 k_end)
    {
        u32 k = k0 + cu_thread() / pieces;
#pragma unroll
        for (u32 i = 0; i < rounds; i++) {
            const float *from = base + (at + (k0 + i * rows) * step);
            if (k + i * rows >= k_end) continue;
            if (bytes == 16)
                cu_copy16(stage + to + i * rows * C * 4, from);
            else
                cu_copy16_part(stage + to + i * rows * C * 4, from, bytes);
        }
    }
};

template <u32 R, u32 T> struct load_a<LOAD_ANY, R, T> {
    u32 row_step, k_step, first, m;
    CU_METHOD void init(u32 step, u32 step_k, u32 begin, u32 count)
    {
        row_step = step;
        k_step = step_k;
        first = begin;
        m = count;
    }
    CU_METHOD void fetch(const float *base, u32 stage, u32 k0, u32 k_end)
    {
#pragma unroll 4
        for (u32 e = cu_thread(); e < R * DEPTH; e += T) {
            u32 row = k_step == 1 ? e / DEPTH : e % R, k = k_step == 1 ? e % DEPTH : e / R;
            if (first + row < m && k0 + k < k_end)
                cu_copy4(stage + (row * (DEPTH + 4) + k) * 4,
                         base + ((first + row) * row_step + (k0 + k) * k_step));
        }
    }
};

template <u32 C, u32 T> struct load_b<LOAD_ANY, C, T> {
    /* 8 k x 4 columns a warp where k has stride 1, else 32 columns; the padding keeps both free of bank conflicts. */
    static constexpr u32 pad = 4;
    u32 column_step, k_step, first, n;
    CU_METHOD void init(u32 step, u32 step_k, u32 begin, u32 count)
    {
        column_step = step;
        k_step = step_k;
        first = begin;
        n = count;
    }
    CU_METHOD void fetch(const float *base, u32 stage, u32 k0, u32 k_end)
    {
#pragma unroll 4
        for (u32 e = cu_thread(); e < C * DEPTH; e += T) {
            u32 column = k_step == 1 ? e / (4 * DEPTH) * 4 + e % 32 / 8 : e % C;
            u32 k = k_step == 1 ? e % (4 * DEPTH) / 32 * 8 + e % 8 : e / C;
            if (first + column < n && k0 + k < k_end)
                cu_copy4(stage + (k * (C + pad) + column) * 4,
                         base + ((first + column) * column_step + (k0 + k) * k_step));
        }
    }
};

/* Where this thread's outputs lie. */
struct outputs {
    float *to; /* of this batch */
    u32 row, column, m, n, row_step, column_step;
    bool wide;

    CU_METHOD cu_f4 load(u32 i, u32 j) const
    {
        u32 r = row + 4 * i, c = column + j * 8;
        cu_f4 f = {{0.0f, 0.0f, 0.0f, 0.0f}};
        if (r >= m) return f;
        if (wide && c + 4 <= n) return *(const cu_f4 *)(to + r * row_step + c);
#pragma unroll
        for (u32 e = 0; e < 4; e++)
            if (c + e < n) f.v[e] = to[r * row_step + (c + e) * column_step];
        return f;
    }
    CU_METHOD void store(u32 i, u32 j, cu_f4 f) const
    {
        u32 r = row + 4 * i, c = column + j * 8;
        if (r >= m) return;
        if (wide && c + 4 <= n) {
            *(cu_f4 *)(to + r * row_step + c) = f;
            return;
        }
#pragma unroll
        for (u32 e = 0; e < 4; e++)
            if (c + e < n) to[r * row_step + (c + e) * column_step] = f.v[e];
    }
};

template <u32 WM, u32 WN, u32 TN, int HOW_A, int HOW_B>
CU_FN void pair(const float *a, const float *b, float *y, const matmul_args &p)
{
    constexpr u32 TM = 8, threads = WM * WN * 32, rows = WM * 32, columns = WN * TN * 8;
    using loader_b = load_b<HOW_B, columns, threads>;
    constexpr u32 pitch_a = DEPTH + 4, pitch_b = columns + loader_b::pad;
    constexpr u32 stage_a = rows * pitch_a, stage_b = DEPTH * pitch_b;
    float *ring_a = (float *)pair_shared, *ring_b = ring_a + 2 * stage_a;
    cu_f4 *groups = pair_shared + (stage_a + stage_b) / 2 + cu_thread();

    u32 tiles_m = (p.m + rows - 1) / rows, tiles_n = (p.n + columns - 1) / columns;
    u32 block = cu_block_x(), batch = cu_block_z(), in_super = SUPER_M * tiles_n;
    u32 begin = block / in_super * SUPER_M, height = tiles_m - begin < SUPER_M ? tiles_m - begin : SUPER_M;
    u32 row0 = (begin + block % in_super % height) * rows, column0 = block % in_super / height * columns;

    u32 lane = cu_thread() % 32, warp = cu_thread() / 32;
    u32 my_row = warp % WM * 32 + ((lane >> 1 & 1) | (lane >> 3 & 2));
    u32 my_column = warp / WM * TN * 8 + ((lane & 1) | (lane >> 1 & 6)) * 4;
    outputs out = {y + (p.y_offset + batch * p.y_batch),
                   row0 + my_row,
                   column0 + my_column,
                   p.m,
                   p.n,
                   p.y_row,
                   p.y_col,
                   p.y_col == 1 && ((p.y_row | p.y_batch | p.y_offset) & 3) == 0};

    const float *from_a = a + (p.a_offset + batch * p.a_batch),
                *from_b = b + (p.b_offset + batch * p.b_batch);
    load_a<HOW_A, rows, threads> get_a;
    loader_b get_b;
    get_a.init(p.a_row, p.a_col, row0, p.m);
    get_b.init(p.b_col, p.b_row, column0, p.n);
    u32 shared_a = cu_shared_address(ring_a), shared_b = cu_shared_address(ring_b);

    float chain[TM][TN], fb[2][TN];
    cu_f4 fa[TM];
    auto each = [&](auto act) {
#pragma unroll
        for (u32 i = 0; i < TM; i++)
#pragma unroll
            for (u32 j = 0; j < TN; j++) act(i, j);
    };
    auto quads = [&](auto act) {
#pragma unroll
        for (u32 i = 0; i < TM; i++)
#pragma unroll
            for (u32 j = 0; j < TN; j += 4) act(i, j, (i * TN + j) / 4 * threads);
    };
    auto read_b = [&](u32 to, const float *at) {
#pragma unroll
        for (u32 j = 0; j < TN; j += 4) {
            cu_f4 f = *(const cu_f4 *)(at + j * 8);
#pragma unroll
            for (u32 e = 0; e < 4; e++) fb[to][j + e] = f.v[e];
        }
    };

    if (p.k == 0) {
        quads([&](u32 i, u32 j, u32) {
            cu_f4 zero = {{0.0f, 0.0f, 0.0f, 0.0f}};
            out.store(i, j, zero);
        });
        return;
    }
    get_a.fetch(from_a, shared_a, 0, p.k);
    get_b.fetch(from_b, shared_b, 0, p.k);

    for (u32 k = 0, now = 0; k < p.k; k += DEPTH, now ^= 1) {
        const float *at_a = ring_a + now * stage_a + my_row * pitch_a,
                    *at_b = ring_b + now * stage_b + my_column;
        cu_copy_wait();
        cu_barrier();
        if (k + DEPTH < p.k) {
            get_a.fetch(from_a, shared_a + (now ^ 1) * stage_a * 4, k + DEPTH, p.k);
            get_b.fetch(from_b, shared_b + (now ^ 1) * stage_b * 4, k + DEPTH, p.k);
        }
        bool first = k % MATMUL_CHAIN == 0;
        if (p.k - k >= DEPTH) {
#pragma unroll
            for (u32 i = 0; i < TM; i++) fa[i] = *(const cu_f4 *)(at_a + i * 4 * pitch_a);
            read_b(0, at_b);
            /* Four k; what comes next is read as soon as its registers are free. */
            auto four = [&](bool from_zero, bool more) {
#pragma unroll
                for (u32 s = 0; s < 4; s++) {
                    if (s < 3 || more) read_b((s + 1) % 2, at_b + (s + 1) * pitch_b);
#pragma unroll
                    for (u32 i = 0; i < TM; i++) {
#pragma unroll
                        for (u32 j = 0; j < TN; j++)
                            chain[i][j] = cu_native::fma(fa[i].v[s], fb[s % 2][j],
                                                         from_zero && s == 0 ? 0.0f : chain[i][j]);
                        if (s == 3 && more) fa[i] = *(const cu_f4 *)(at_a + 4 + i * 4 * pitch_a);
                    }
                }
                at_a += 4;
                at_b += 4 * pitch_b;
            };
            if (first)
                four(true, true);
            else
                four(false, true);
#pragma unroll 1
            for (u32 i = 0; i < DEPTH / 4 - 2; i++) four(false, true);
            four(false, false);
        } else { /* the short last stage */
            if (first) each([&](u32 i, u32 j) { chain[i][j] = 0.0f; });
#pragma unroll 1
            for (u32 s = k; s < p.k; s++, at_a++, at_b += pitch_b) {
                read_b(0, at_b);
#pragma unroll
                for (u32 i = 0; i < TM; i++) {
                    float f = at_a[i * 4 * pitch_a];
#pragma unroll
                    for (u32 j = 0; j < TN; j++) chain[i][j] = cu_native::fma(f, fb[0][j], chain[i][j]);
                }
            }
        }

        bool last = p.k - k <= DEPTH;
        if (first && !last) continue;
        u32 done = k - k % MATMUL_CHAIN; /* where this chain began */
        auto quad = [&](u32 i, u32 j) {
            cu_f4 f = {{chain[i][j], chain[i][j + 1], chain[i][j + 2], chain[i][j + 3]}};
            return f;
        };
        auto sum = [](cu_f4 s, cu_f4 t) {
#pragma unroll
            for (u32 e = 0; e < 4; e++) s.v[e] = cu_native::add(s.v[e], t.v[e]);
            return s;
        };
        if (done % MATMUL_GROUP == 0)
            quads([&](u32 i, u32 j, u32 at) {
                cu_f4 zero = {{0.0f, 0.0f, 0.0f, 0.0f}};
                groups[at] = sum(zero, quad(i, j));
            });
        else
            quads([&](u32 i, u32 j, u32 at) { groups[at] = sum(groups[at], quad(i, j)); });
        if (!last && done % MATMUL_GROUP != MATMUL_GROUP - MATMUL_CHAIN) continue;
        if (done < MATMUL_GROUP) {
#pragma unroll 2
            for (u32 q = 0; q < TM * TN / 4; q++) out.store(q * 4 / TN, q * 4 % TN, groups[q * threads]);
        } else {
#pragma unroll 4
            for (u32 q = 0; q < TM * TN / 4; q++)
                out.store(q * 4 / TN, q * 4 % TN, sum(out.load(q * 4 / TN, q * 4 % TN), groups[q * threads]));
        }
    }
}

#endif
