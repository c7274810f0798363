/* The tiled matrix product of CUDA: one template from which cuda_tile*.cu make their entry points.
 *
 * Exactness: k ascending; a chain is 32 fused multiply-adds from +0 and is what one pass over a stage computes; four
 * chains are added from +0 to a group; groups are added from +0, in registers' stead in shared memory, each thread its
 * own (touched once in 128 terms, and registers are what limits the tile). The first group is copied, which changes no
 * bit: a group is never -0. Every operation rounds once, subnormals are kept, a NaN result is some NaN.
 * A short last chain is a loop of its own: k is never padded, since 0 * inf is NaN.
 *
 * A block of WM x WN warps makes 32 WM x 8 TN WN outputs; a thread makes 8 x TN: rows 4 l .. 4 l + 3 and 16 further on,
 * columns 4 l .. 4 l + 3 and 32 further on. Stages of 32 k lie in shared memory as [k][row] and [k][column], three of
 * them: one being read, one complete, one arriving. The one barrier a stage stands in its middle, so that no warp
 * waits for data at the seam.
 *
 * Lanes: bit 0 moves along n and bit 1 along m, so that lanes i, i ^ 1 read the same word of A and i, i ^ 2 the same of
 * B: then the two halves of a warp's 16-byte shared loads are served together. */
#ifndef ASSAY_MATMUL_CUDA_TILE_H
#define ASSAY_MATMUL_CUDA_TILE_H

#include "kernels/exact/cuda.h"
#include "kernels/matmul/cuda_args.h"

#define STAGES        3u
#define SUPER_M       8u /* blocks next to each other share rows of A and columns of B in the L2 cache */
#define LOAD_ANY      0  /* any strides, 4 bytes at a time */
#define LOAD_ALONG_K  1  /* k has stride 1, rows are 16-byte aligned: turned in registers */
#define LOAD_ACROSS_K 2  /* the other dimension has stride 1 and is 16-byte aligned: straight copies */

extern CU_SHARED cu_f4 tile_shared[];

/* How one operand (R rows of A or columns of B, both called lanes here) gets into shared memory as [32][R + pad]. fetch is
 * called once a stage, in order of k; `whole` says that all 32 k exist. What it cannot write to shared memory at once it
 * holds until store. Lanes past the end read what is there or nothing: their results are not stored. */
template <int HOW, u32 R, u32 WARPS> struct tile_loader;

template <u32 R, u32 WARPS> struct tile_loader<LOAD_ALONG_K, R, WARPS> {
    /* A unit is 4 lanes x 4 k, one 4 x 4 transposition; 8 x 4 units make a warp's work. */
    static constexpr u32 pad = 0, blocks = R / 32 * 2, units = (blocks + WARPS - 1) / WARPS;
    const float *from[units][4]; /* the next k of each lane */
    u32 k_at[units], to[units], k_end;
    cu_f4 held[units][4];

    CU_METHOD bool mine(u32 unit) { return blocks % WARPS == 0 || cu_thread() / 32 + unit * WARPS < blocks; }
    CU_METHOD void init(const float *base, u32 lane_step, u32, u32 first, u32 lanes, u32 k_begin, u32 k)
    {
        u32 warp = cu_thread() / 32, lane = cu_thread() % 32;
        k_end = k;
#pragma unroll
        for (u32 i = 0; i < units; i++) {
            u32 block = warp + i * WARPS, at = block % (R / 32) * 32 + lane % 8 * 4;
            k_at[i] = block / (R / 32) * 16 + lane / 8 * 4;
            to[i] = k_at[i] * R + at;
#pragma unroll
            for (u32 j = 0; j < 4; j++) {
                u32 row = first + at + j < lanes ? first + at + j : lanes - 1;
                from[i][j] = base + (row * lane_step + k_begin + k_at[i]);
            }
        }
    }
    CU_METHOD void fetch(u32 k0, u32, bool whole)
    {
#pragma unroll
        for (u32 i = 0; i < units; i++) {
            if (!mine(i)) continue;
            if (whole) {
#pragma unroll
                for (u32 j = 0; j < 4; j++) held[i][j] = *(const cu_f4 *)from[i][j];
            } else {
#pragma unroll
                for (u32 j = 0; j < 4; j++)
#pragma unroll
                    for (u32 e = 0; e < 4; e++)
                        held[i][j].v[e] = k0 + k_at[i] + e < k_end ? from[i][j][e] : 0.0f;
            }
#pragma unroll
            for (u32 j = 0; j < 4; j++) from[i][j] += 32;
        }
    }
    CU_METHOD void store(float *stage)
    {
#pragma unroll
        for (u32 i = 0; i < units; i++) {
            if (!mine(i)) continue;
#pragma unroll
            for (u32 e = 0; e < 4; e++) {
                cu_f4 turned = {{held[i][0].v[e], held[i][1].v[e], held[i][2].v[e], held[i][3].v[e]}};
                *(cu_f4 *)(stage + to[i] + e * R) = turned;
            }
        }
    }
};

template <u32 R, u32 WARPS> struct tile_loader<LOAD_ACROSS_K, R, WARPS> {
    static constexpr u32 pad = 0, pieces = R / 4, rows = WARPS * 32 / pieces, rounds = 32 / rows;
    static_assert(WARPS * 32 % pieces == 0 && 32 % rows == 0, "whole rows a round");
    const float *from; /* this thread's piece of the next row */
    u64 step;          /* elements from one round's row to the next round's */
    u32 k_at, to, bytes, k_end;

    CU_METHOD void init(const float *base, u32, u32 k_step, u32 first, u32 lanes, u32 k_begin, u32 k)
    {
        u32 at = cu_thread() % pieces * 4;
        k_at = cu_thread() / pieces;
        k_end = k;
        to = (k_at * R + at) * 4;
        u32 left = first + at < lanes ? lanes - first - at : 4;
        bytes = left < 4 ? left * 4 : 16;
        from = base + ((first + at < lanes ? first + at : 0) + (k_begin + k_at) * k_step);
        step = (u64)rows * k_step;
    }
    CU_METHOD void fetch(u32 k0, u32 stage, bool whole)
    {
        if (whole && bytes == 16) {
#pragma unroll
            for (u32 i = 0; i < rounds; i++, from += step) cu_copy16(stage + to + i * rows * R * 4, from);
        } else {
#pragma unroll 1
            for (u32 i = 0; i < rounds; i++, from += step)
                if (k0 + k_at + i * rows < k_end) cu_copy16_part(stage + to + i * rows * R * 4, from, bytes);
        }
    }
    CU_METHOD void store(float *) {}
};

template <u32 R, u32 WARPS> struct tile_loader<LOAD_ANY, R, WARPS> {
    /* 8 k x 4 lanes a warp where k has stride 1, else 32 lanes; the padding keeps both free of bank conflicts. */
    static constexpr u32 pad = 4, rounds = R / WARPS;
    static_assert(R % WARPS == 0 && R % 32 == 0, "whole rounds");
    const float *from;
    u32 lane_step, k_step, first, lanes, k_end;

    CU_METHOD void init(const float *base, u32 step, u32 step_k, u32 begin, u32 count, u32, u32 k)
    {
        from = base;
        lane_step = step;
        k_step = step_k;
        first = begin;
        lanes = count;
        k_end = k;
    }
    CU_METHOD void fetch(u32 k0, u32 stage, bool)
    {
        bool along_k = k_step == 1;
#pragma unroll 4
        for (u32 i = 0; i < rounds; i++) {
            u32 e = cu_thread() + i * WARPS * 32;
            u32 at = along_k ? e / 128 * 4 + e % 32 / 8 : e % R; /* 128 words: 4 lanes of 32 k, 8 k a warp */
            u32 k = along_k ? e % 128 / 32 * 8 + e % 8 : e / R;
            if (k0 + k < k_end && first + at < lanes)
                cu_copy4(stage + (k * (R + pad) + at) * 4,
                         from + ((first + at) * lane_step + (k0 + k) * k_step));
        }
    }
    CU_METHOD void store(float *) {}
};

template <u32 WM, u32 WN, u32 TN, int HOW_A, int HOW_B> struct tile_shape {
    static constexpr u32 warps = WM * WN, threads = warps * 32, rows = WM * 32, columns = WN * TN * 8;
    using load_a = tile_loader<HOW_A, rows, warps>;
    using load_b = tile_loader<HOW_B, columns, warps>;
    static constexpr u32 pitch_a = rows + load_a::pad, pitch_b = columns + load_b::pad;
};

/* Which tile this block makes: columns of SUPER_M tiles, one after the other. */
CU_FN void tile_of_block(u32 tiles_m, u32 tiles_n, u32 *tile_m, u32 *tile_n)
{
    u32 block = cu_block_x(), in_super = SUPER_M * tiles_n;
    u32 begin = block / in_super * SUPER_M, height = tiles_m - begin < SUPER_M ? tiles_m - begin : SUPER_M;
    *tile_m = begin + block % in_super % height;
    *tile_n = block % in_super / height;
}

/* SPLIT: this block computes args.extra[0] groups from group blockIdx.y * extra[0] on, and stores every group sum to
 * scratch as [batch][group][m][pitch], pitch = extra[1]; matmul_join adds them in order. */
template <u32 WM, u32 WN, u32 TN, int HOW_A, int HOW_B, bool SPLIT>
CU_FN void tile(const float *a, const float *b, float *y, const matmul_args &p)
{
    using shape = tile_shape<WM, WN, TN, HOW_A, HOW_B>;
    constexpr u32 TM = 8, pitch_a = shape::pitch_a, pitch_b = shape::pitch_b, threads = shape::threads;
    constexpr u32 stage_a = 32 * pitch_a, stage_b = 32 * pitch_b;
    float *ring_a = (float *)tile_shared, *ring_b = ring_a + STAGES * stage_a;
    cu_f4 *totals = tile_shared + STAGES * (stage_a + stage_b) / 4 + cu_thread();
    u32 tile_m, tile_n, batch = cu_block_z();
    tile_of_block((p.m + shape::rows - 1) / shape::rows, (p.n + shape::columns - 1) / shape::columns, &tile_m,
                  &tile_n);
    u32 row0 = tile_m * shape::rows, column0 = tile_n * shape::columns;
    u32 k_begin = SPLIT ? cu_block_y() * p.extra[0] * MATMUL_GROUP : 0;
    u32 k_end =
        SPLIT && p.k - k_begin > p.extra[0] * MATMUL_GROUP ? k_begin + p.extra[0] * MATMUL_GROUP : p.k;

    u32 warp = cu_thread() / 32, lane = cu_thread() % 32;
    u32 lane_n = (lane & 1) | (lane >> 1 & 6), lane_m = (lane >> 1 & 1) | (lane >> 4 << 1);
    u32 my_row = warp % WM * 32 + lane_m * 4, my_column = warp / WM * TN * 8 + lane_n * 4;

    typename shape::load_a load_a;
    typename shape::load_b load_b;
    load_a.init(a + (p.a_offset + batch * p.a_batch), p.a_row, p.a_col, row0, p.m, k_begin, k_end);
    load_b.init(b + (p.b_offset + batch * p.b_batch), p.b_col, p.b_row, column0, p.n, k_begin, k_end);
    const u32 address_a = cu_shared_address(ring_a), address_b = cu_shared_address(ring_b);

    auto fetch = [&](u32 k, u32 stage) {
        bool whole = k + 32 <= k_end;
        load_a.fetch(k, address_a + stage * stage_a * 4, whole);
        load_b.fetch(k, address_b + stage * stage_b * 4, whole);
    };
    auto store = [&](u32 stage) {
        load_a.store(ring_a + stage * stage_a);
        load_b.store(ring_b + stage * stage_b);
    };

    float chain[TM][TN], group[TM][TN], fa[2][TM], fb[2][TN];
    auto read = [&](u32 to, const float *from_a, const float *from_b) {
#pragma unroll
        for (u32 i = 0; i < TM; i += 4) {
            cu_f4 f = *(const cu_f4 *)(from_a + i * 4);
#pragma unroll
            for (u32 e = 0; e < 4; e++) fa[to][i + e] = f.v[e];
        }
#pragma unroll
        for (u32 j = 0; j < TN; j += 4) {
            cu_f4 f = *(const cu_f4 *)(from_b + j * 8);
#pragma unroll
            for (u32 e = 0; e < 4; e++) fb[to][j + e] = f.v[e];
        }
    };
    /* To and fro: a multiply-add shares a factor with the one before it, which spares the register file a read. */
    auto each = [&](auto act) {
#pragma unroll
        for (u32 i = 0; i < TM; i++)
#pragma unroll
            for (u32 j = 0; j < TN; j++) act(i, i % 2 ? TN - 1 - j : j);
    };

    if (k_begin < k_end) {
        fetch(k_begin, 0);
        store(0);
        cu_copy_wait();
        if (k_begin + 32 < k_end) fetch(k_begin + 32, 1);
        cu_barrier();
        read(0, ring_a + my_row, ring_b + my_column);
    } else {
        each([&](u32 i, u32 j) { group[i][j] = 0.0f; });
    }

    for (u32 k = k_begin, now = 0; k < k_end; k += 32) {
        u32 next = now < STAGES - 1 ? now + 1 : 0;
        const float *at_a = ring_a + now * stage_a + my_row, *at_b = ring_b + now * stage_b + my_column;
        if (k_end - k >= 32) {
            auto four = [&](const float *then_a, const float *then_b) {
#pragma unroll
                for (u32 s = 0; s < 4; s++) {
                    if (s < 3)
                        read((s + 1) % 2, at_a + (s + 1) * pitch_a, at_b + (s + 1) * pitch_b);
                    else
                        read(0, then_a, then_b);
                    each([&](u32 i, u32 j) {
                        chain[i][j] = cu_native::fma(fa[s % 2][i], fb[s % 2][j], chain[i][j]);
                    });
                }
                at_a = then_a;
                at_b = then_b;
            };
            read(1, at_a + pitch_a, at_b + pitch_b);
            each([&](u32 i, u32 j) { chain[i][j] = cu_native::fma(fa[0][i], fb[0][j], 0.0f); });
#pragma unroll
            for (u32 s = 1; s < 4; s++) {
                read((s + 1) % 2, at_a + (s + 1) * pitch_a, at_b + (s + 1) * pitch_b);
                each([&](u32 i, u32 j) {
                    chain[i][j] = cu_native::fma(fa[s % 2][i], fb[s % 2][j], chain[i][j]);
                });
            }
            at_a += 4 * pitch_a;
            at_b += 4 * pitch_b;
#pragma unroll 1
            for (u32 block = 1; block < 4; block++) four(at_a + 4 * pitch_a, at_b + 4 * pitch_b);
            /* The next stage arrives, and the stage after it starts on its way. */
            if (k + 32 < k_end) store(next);
            cu_copy_wait();
            cu_barrier();
            if (k + 64 < k_end) fetch(k + 64, next < STAGES - 1 ? next + 1 : 0);
#pragma unroll 1
            for (u32 block = 4; block < 7; block++) four(at_a + 4 * pitch_a, at_b + 4 * pitch_b);
            four(ring_a + next * stage_a + my_row, ring_b + next * stage_b + my_column);
        } else { /* the short last chain; its stage is complete, nothing follows */
            each([&](u32 i, u32 j) { chain[i][j] = 0.0f; });
#pragma unroll 1
            for (u32 s = k; s < k_end; s++, at_a += pitch_a, at_b += pitch_b) {
                read(0, at_a, at_b);
                each([&](u32 i, u32 j) { chain[i][j] = cu_native::fma(fa[0][i], fb[0][j], chain[i][j]); });
            }
        }

        u32 in_group = (k - k_begin) % MATMUL_GROUP;
        if (in_group == 0)
            each([&](u32 i, u32 j) { group[i][j] = cu_native::add(chain[i][j], 0.0f); });
        else
            each([&](u32 i, u32 j) { group[i][j] = cu_native::add(group[i][j], chain[i][j]); });
        if (in_group == MATMUL_GROUP - MATMUL_CHAIN && k + 32 < k_end) {
            if (SPLIT) {
                /* stored below */
            } else if (k - k_begin < MATMUL_GROUP) {
#pragma unroll
                for (u32 q = 0; q < TM * TN / 4; q++)
#pragma unroll
                    for (u32 e = 0; e < 4; e++) totals[q * threads].v[e] = group[q * 4 / TN][q * 4 % TN + e];
            } else {
#pragma unroll
                for (u32 q = 0; q < TM * TN / 4; q++) {
                    cu_f4 t = totals[q * threads];
#pragma unroll
                    for (u32 e = 0; e < 4; e++)
                        t.v[e] = cu_native::add(t.v[e], group[q * 4 / TN][q * 4 % TN + e]);
                    totals[q * threads] = t;
                }
            }
        }
        if (SPLIT && (in_group == MATMUL_GROUP - MATMUL_CHAIN || k + 32 >= k_end)) {
            u32 groups = (p.k + MATMUL_GROUP - 1) / MATMUL_GROUP;
            float *to = y + ((unsigned long long)batch * groups + k / MATMUL_GROUP) * p.m * p.extra[1];
#pragma unroll
            for (u32 i = 0; i < TM; i++) {
                u32 row = row0 + my_row + i % 4 + i / 4 * 16;
#pragma unroll
                for (u32 j = 0; j < TN; j += 4) {
                    u32 column = column0 + my_column + j * 8;
                    cu_f4 f = {{group[i][j], group[i][j + 1], group[i][j + 2], group[i][j + 3]}};
                    if (row < p.m && column < p.n)
                        *(cu_f4 *)(to + (unsigned long long)row * p.extra[1] + column) = f;
                }
            }
        }
        now = next;
    }
    if (SPLIT) return;

    bool have_totals = k_end - k_begin > MATMUL_GROUP;
    bool wide = p.y_col == 1 && ((p.y_row | p.y_batch | p.y_offset) & 3) == 0;
    float *to = y + p.y_offset + batch * p.y_batch;
#pragma unroll
    for (u32 i = 0; i < TM; i++) {
        u32 row = row0 + my_row + i % 4 + i / 4 * 16;
#pragma unroll
        for (u32 j = 0; j < TN; j += 4) {
            u32 column = column0 + my_column + j * 8;
            cu_f4 f = {{group[i][j], group[i][j + 1], group[i][j + 2], group[i][j + 3]}};
            if (have_totals) {
                cu_f4 t = totals[(i * TN + j) / 4 * threads];
#pragma unroll
                for (u32 e = 0; e < 4; e++) f.v[e] = cu_native::add(t.v[e], f.v[e]);
            }
            if (row >= p.m) continue;
            if (wide && column + 4 <= p.n) {
                *(cu_f4 *)(to + row * p.y_row + column) = f;
            } else {
#pragma unroll
                for (u32 e = 0; e < 4; e++)
                    if (column + e < p.n) to[row * p.y_row + (column + e) * p.y_col] = f.v[e];
            }
        }
    }
}

#endif
