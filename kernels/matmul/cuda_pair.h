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

/* How an operand gets into shared memory, a stage a call, in order of k. Rows of A and columns of B past the end are not
 * read: their results are not stored. */
template <int HOW, u32 R, u32 T> struct load_a;
template <int HOW, u32 C, u32 T> struct load_b;

template <u32 R, u32 T> struct load_a<LOAD_WIDE, R, T> {
    static constexpr u32 rounds = R * DEPTH / 4 / T, rows = T / (DEPTH / 4), place = rows * (DEPTH + 4) * 4;
    const float *from;
    u64 step; /* elements from one round's row to the next round's */
    u32 to, left;
    CU_METHOD void init(const float *base, u32 row_step, u32, u32 first, u32 m, u32 k0)
    {
        u32 row = cu_thread() / (DEPTH / 4), k = cu_thread() % (DEPTH / 4) * 4;
        to = (row * (DEPTH + 4) + k) * 4;
        from = base + ((first + row) * row_step + k0 + k);
        step = (u64)rows * row_step;
        left = m - first;
    }
    CU_METHOD void fetch(u32 stage, u32 k0, u32 k_end)
    {
        if (left >= R && k_end - k0 >= DEPTH) {
#pragma unroll
            for (u32 i = 0; i < rounds; i++) cu_copy16(stage + to + i * place, from + i * step);
        } else {
            u32 row = cu_thread() / (DEPTH / 4), k = k0 + cu_thread() % (DEPTH / 4) * 4;
            u32 terms = k < k_end ? k_end - k : 0;
#pragma unroll 1
            for (u32 i = 0; i < rounds; i++)
                if (row + i * rows < left && terms)
                    cu_copy16_part(stage + to + i * place, from + i * step, terms < 4 ? terms * 4 : 16);
        }
        from += DEPTH;
    }
};

template <u32 C, u32 T> struct load_b<LOAD_WIDE, C, T> {
    static constexpr u32 pad = 0, pieces = C / 4, rows = T / pieces, rounds = DEPTH / rows;
    static_assert(T % pieces == 0 && DEPTH % rows == 0, "whole rows a round");
    const float *from;
    u64 step; /* elements from one round's row to the next round's */
    u32 to, left;
    CU_METHOD void init(const float *base, u32, u32 k_step, u32 first, u32 n, u32 k0)
    {
        u32 column = cu_thread() % pieces * 4, k = cu_thread() / pieces;
        from = base + (first + column + (k0 + k) * k_step);
        to = (k * C + column) * 4;
        step = (u64)rows * k_step;
        left = n - first;
    }
    CU_METHOD void fetch(u32 stage, u32 k0, u32 k_end)
    {
        if (left >= C && k_end - k0 >= DEPTH) {
#pragma unroll
            for (u32 i = 0; i < rounds; i++) cu_copy16(stage + to + i * rows * C * 4, from + i * step);
        } else {
            u32 column = cu_thread() % pieces * 4, k = k0 + cu_thread() / pieces;
            u32 words = column < left ? left - column : 0;
#pragma unroll 1
            for (u32 i = 0; i < rounds; i++)
                if (k + i * rows < k_end && words)
                    cu_copy16_part(stage + to + i * rows * C * 4, from + i * step,
                                   words < 4 ? words * 4 : 16);
        }
        from += rounds * step;
    }
};

template <u32 R, u32 T> struct load_a<LOAD_ANY, R, T> {
    const float *base;
    u32 row_step, k_step, first, m;
    CU_METHOD void init(const float *from, u32 step, u32 step_k, u32 begin, u32 count, u32)
    {
        base = from;
        row_step = step;
        k_step = step_k;
        first = begin;
        m = count;
    }
    CU_METHOD void fetch(u32 stage, u32 k0, u32 k_end)
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
    const float *base;
    u32 column_step, k_step, first, n;
    CU_METHOD void init(const float *from, u32 step, u32 step_k, u32 begin, u32 count, u32)
    {
        base = from;
        column_step = step;
        k_step = step_k;
        first = begin;
        n = count;
    }
    CU_METHOD void fetch(u32 stage, u32 k0, u32 k_end)
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

/* Which tile is number `block`: columns of SUPER_M tiles, one after the other. */
CU_FN void tile_at(u32 block, u32 tiles_m, u32 tiles_n, u32 *tile_m, u32 *tile_n)
{
    u32 in_super = SUPER_M * tiles_n, begin = block / in_super * SUPER_M;
    u32 height = tiles_m - begin < SUPER_M ? tiles_m - begin : SUPER_M;
    *tile_m = begin + block % in_super % height;
    *tile_n = block % in_super / height;
}

/* Row and column of a thread's first output in its block's tile. */
template <u32 WM, u32 TN> CU_FN u32 first_row()
{
    u32 lane = cu_thread() % 32;
    return cu_thread() / 32 % WM * 32 + ((lane >> 1 & 1) | (lane >> 3 & 2));
}
template <u32 WM, u32 TN> CU_FN u32 first_column()
{
    u32 lane = cu_thread() % 32;
    return cu_thread() / 32 / WM * TN * 8 + ((lane & 1) | (lane >> 1 & 6)) * 4;
}

CU_FN outputs outputs_of(float *y, const matmul_args &p, u32 batch, u32 row, u32 column)
{
    outputs out = {y + (p.y_offset + batch * p.y_batch),
                   row,
                   column,
                   p.m,
                   p.n,
                   p.y_row,
                   p.y_col,
                   p.y_col == 1 && ((p.y_row | p.y_batch | p.y_offset) & 3) == 0};
    return out;
}

CU_FN cu_f4 sum4(cu_f4 s, cu_f4 t)
{
#pragma unroll
    for (u32 e = 0; e < 4; e++) s.v[e] = cu_native::add(s.v[e], t.v[e]);
    return s;
}

/* TAIL: from tile args.extra[1] on, a tile is made by several blocks of args.extra[0] groups each, which store every
 * group sum to scratch as [tile][group][quad][thread], quads of four columns; join adds them in order. */
template <u32 WM, u32 WN, u32 TN, int HOW_A, int HOW_B, bool TAIL>
CU_FN void pair(const float *a, const float *b, float *y, cu_f4 *scratch, const matmul_args &p)
{
    constexpr u32 TM = 8, threads = WM * WN * 32, rows = WM * 32, columns = WN * TN * 8;
    using loader_b = load_b<HOW_B, columns, threads>;
    constexpr u32 pitch_a = DEPTH + 4, pitch_b = columns + loader_b::pad;
    constexpr u32 stage_a = rows * pitch_a, stage_b = DEPTH * pitch_b;
    float *ring_a = (float *)pair_shared, *ring_b = ring_a + 2 * stage_a;
    cu_f4 *groups = pair_shared + (stage_a + stage_b) / 2 + cu_thread();

    u32 block = cu_block_x(), batch = cu_block_z(), tile_m, tile_n, k_begin = 0, k_end = p.k;
    u32 all_groups = (p.k + MATMUL_GROUP - 1) / MATMUL_GROUP;
    bool part = TAIL && block >= p.extra[1];
    if (part) {
        u32 parts = (all_groups + p.extra[0] - 1) / p.extra[0], over = block - p.extra[1];
        block = p.extra[1] + over / parts;
        k_begin = over % parts * p.extra[0] * MATMUL_GROUP;
        if (p.k - k_begin > p.extra[0] * MATMUL_GROUP) k_end = k_begin + p.extra[0] * MATMUL_GROUP;
    }
    tile_at(block, (p.m + rows - 1) / rows, (p.n + columns - 1) / columns, &tile_m, &tile_n);
    u32 row0 = tile_m * rows, column0 = tile_n * columns;
    u32 my_row = first_row<WM, TN>(), my_column = first_column<WM, TN>();

    /* What is needed once in 128 k waits in shared memory, not in registers. */
    u32 *corner = (u32 *)(pair_shared + (stage_a + stage_b) / 2 + threads * TM * TN / 4);
    if (cu_thread() == 0) {
        corner[0] = row0;
        corner[1] = column0;
        corner[2] = block;
    }

    load_a<HOW_A, rows, threads> get_a;
    loader_b get_b;
    get_a.init(a + (p.a_offset + batch * p.a_batch), p.a_row, p.a_col, row0, p.m, k_begin);
    get_b.init(b + (p.b_offset + batch * p.b_batch), p.b_col, p.b_row, column0, p.n, k_begin);
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
        outputs out = outputs_of(y, p, batch, row0 + my_row, column0 + my_column);
        cu_f4 zero = {{0.0f, 0.0f, 0.0f, 0.0f}};
#pragma unroll 1
        for (u32 q = 0; q < TM * TN / 4; q++) out.store(q * 4 / TN, q * 4 % TN, zero);
        return;
    }
    auto fetch = [&](u32 k, u32 slot) {
        get_a.fetch(shared_a + slot * stage_a * 4, k, k_end);
        get_b.fetch(shared_b + slot * stage_b * 4, k, k_end);
    };
    fetch(k_begin, 0);

    for (u32 k = k_begin, now = 0; k < k_end; k += DEPTH, now ^= 1) {
        const float *at_a = ring_a + now * stage_a + my_row * pitch_a,
                    *at_b = ring_b + now * stage_b + my_column;
        cu_copy_wait();
        cu_barrier();
        if (k + DEPTH < k_end) fetch(k + DEPTH, now ^ 1);
        bool first = k % MATMUL_CHAIN == 0;
        if (k_end - k >= DEPTH) {
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
                        for (u32 n = 0; n < TN; n++) {
                            /* To and fro: a multiply-add shares a factor with the one before it. */
                            u32 j = (s * TM + i) % 2 ? TN - 1 - n : n;
                            chain[i][j] = cu_native::fma(fa[i].v[s], fb[s % 2][j],
                                                         from_zero && s == 0 ? 0.0f : chain[i][j]);
                        }
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
            for (u32 s = k; s < k_end; s++, at_a++, at_b += pitch_b) {
                read_b(0, at_b);
#pragma unroll
                for (u32 i = 0; i < TM; i++) {
                    float f = at_a[i * 4 * pitch_a];
#pragma unroll
                    for (u32 j = 0; j < TN; j++) chain[i][j] = cu_native::fma(f, fb[0][j], chain[i][j]);
                }
            }
        }

        bool last = k_end - k <= DEPTH;
        if (first && !last) continue;
        u32 done = k - k % MATMUL_CHAIN; /* where this chain began */
        auto quad = [&](u32 i, u32 j) {
            cu_f4 f = {{chain[i][j], chain[i][j + 1], chain[i][j + 2], chain[i][j + 3]}};
            return f;
        };
        if (done % MATMUL_GROUP == 0)
            quads([&](u32 i, u32 j, u32 at) {
                cu_f4 zero = {{0.0f, 0.0f, 0.0f, 0.0f}};
                groups[at] = sum4(zero, quad(i, j));
            });
        else
            quads([&](u32 i, u32 j, u32 at) { groups[at] = sum4(groups[at], quad(i, j)); });
        if (!last && done % MATMUL_GROUP != MATMUL_GROUP - MATMUL_CHAIN) continue;
        constexpr u32 all = TM * TN / 4;
        if (part) {
            cu_f4 *to = scratch +
                        ((u64)(corner[2] - p.extra[1]) * all_groups + done / MATMUL_GROUP) * all * threads +
                        cu_thread();
#pragma unroll 4
            for (u32 q = 0; q < all; q++) to[q * threads] = groups[q * threads];
        }
        outputs out = outputs_of(y, p, batch, corner[0] + my_row, corner[1] + my_column);
        if (part) {
            /* stored above */
        } else if (done < MATMUL_GROUP) {
#pragma unroll 2
            for (u32 q = 0; q < all; q++) out.store(q * 4 / TN, q * 4 % TN, groups[q * threads]);
        } else if (out.wide && corner[0] + rows <= p.m && corner[1] + columns <= p.n) {
            constexpr u32 some = 8, lines = some * 4 / TN;
            float *at = out.to + out.row * out.row_step + out.column;
            cu_f4 *group = groups;
#pragma unroll 1
            for (u32 q = 0; q < all;
                 q += some, at += (u64)(4 * lines) * out.row_step, group += some * threads) {
                cu_f4 total[some];
#pragma unroll
                for (u32 i = 0; i < some; i++)
                    total[i] = *(const cu_f4 *)(at + (u64)(i * 4 / TN * 4) * out.row_step + i * 4 % TN * 8);
#pragma unroll
                for (u32 i = 0; i < some; i++)
                    *(cu_f4 *)(at + (u64)(i * 4 / TN * 4) * out.row_step + i * 4 % TN * 8) =
                        sum4(total[i], group[i * threads]);
            }
        } else {
#pragma unroll 2
            for (u32 q = 0; q < all; q++)
                out.store(q * 4 / TN, q * 4 % TN,
                          sum4(out.load(q * 4 / TN, q * 4 % TN), groups[q * threads]));
        }
        /* The compiler cannot see that a chain begins next: this frees the registers above. */
        each([&](u32 i, u32 j) { chain[i][j] = 0.0f; });
    }
}

/* Add the group sums of the tiles from args.extra[1] on, from +0, in ascending order. Grid: x over tiles and quads. */
template <u32 WM, u32 WN, u32 TN> CU_FN void join_tail(const cu_f4 *scratch, float *y, const matmul_args &p)
{
    constexpr u32 rows = WM * 32, columns = WN * TN * 8, threads = WM * WN * 32, all = 2 * TN;
    u32 over = cu_block_x() / all, q = cu_block_x() % all, tile_m, tile_n;
    u32 groups = (p.k + MATMUL_GROUP - 1) / MATMUL_GROUP;
    tile_at(p.extra[1] + over, (p.m + rows - 1) / rows, (p.n + columns - 1) / columns, &tile_m, &tile_n);
    const cu_f4 *from = scratch + ((u64)over * groups * all + q) * threads + cu_thread();
    cu_f4 total = {{0.0f, 0.0f, 0.0f, 0.0f}};
#pragma unroll 4
    for (u32 group = 0; group < groups; group++, from += all * threads) total = sum4(total, *from);
    outputs out =
        outputs_of(y, p, 0, tile_m * rows + first_row<WM, TN>(), tile_n * columns + first_column<WM, TN>());
    out.store(q * 4 / TN, q * 4 % TN, total);
}

#endif
