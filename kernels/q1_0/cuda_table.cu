/* Q1_0 product with one vector a block, CUDA: the sixteen values that d1 * s of a lane can take in a sub-block are worked
 * out once for all rows and looked up in shared memory by the four signs. q1_table makes the tables of all of K first and
 * then streams rows; q1_phased makes those of the next part while one is used, so K may be any and few rows wait for little.
 *
 * Exactness: rule 11. An entry is the sum s of four codes, each negated where its bit is 0, -128 staying -128 (row K08),
 * times d1: s is an integer of ten bits, so every sum and the product are exact and have no order. What rounds is the
 * contract's own: ab = RN(ab + d1 * s) over the four sub-blocks; acc = fma(d0, ab, acc) from +0, blocks ascending; lanes as
 * ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)). With finite scales every number is a multiple of 2^-48 below 2^120.
 *
 * Tables: [block][sub-block][lane][signs], 64 bytes each. A warp is 16 rows by even and odd lanes; a lookup of its 32
 * threads falls into the 16 entries of two tables that stand side by side in the 32 banks, so whatever the signs are, no two
 * entries share a bank. Four indices come from one shift and one mask, already times 4 and in a byte each, which one byte
 * permutation puts under the table's address: tables of two lanes start at multiples of 128, those of a block at 2048.
 *
 * A unit is 16 rows; the last one ends with the last row, so the unit before may have some of its rows. W passes through a
 * ring of stages, 16 blocks of 16 rows each. Grid: x over units, y over vectors; extra[0]: teams of a block that have
 * units. K is a multiple of 2048, m at least 16, W's address and stride are multiples of 16; X stands at even addresses,
 * for q1_phased at multiples of 4.
 *
 * From 9.0 on a launch may begin while the one before it ends: nothing is read or written before previous_wait(), but for
 * a hint to the L2 cache, which is right whatever becomes of W meanwhile. */
#include "kernels/q1_0/cuda_stream.h"

#define THREADS      512u
#define ROWS         16u
#define PART         16u                /* blocks of W */
#define PART_BYTES   (PART * Q1_BYTES)  /* 288 */
#define LINE         (PART_BYTES + 16u) /* 8 rows then meet 8 different banks */
#define STAGE        (ROWS * LINE)
#define BLOCK_TABLES 32u   /* of a block of W */
#define BLOCK_BYTES  2048u /* they take */

extern CU_SHARED __attribute__((aligned(1024))) u8 table_memory[];

CU_FN void next_may_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}
CU_FN void previous_wait()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
/* Both multiples of 16. */
CU_FN void cache_hint(const u8 *from, u32 bytes)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
#endif
}

CU_FN u32 permute(u32 a, u32 b, u32 selector)
{
    u32 r;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector));
    return r;
}
CU_FN float load_shared(u32 address)
{
    float f;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(f) : "r"(address) : "memory");
    return f;
}
CU_FN void store_shared(u32 address, float f)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(address), "f"(f) : "memory");
}
CU_FN void load_four(u32 to[4], u32 address)
{
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
}
CU_FN void store_four(u32 address, const float from[4])
{
    asm volatile("st.shared.v4.f32 [%0], {%1,%2,%3,%4};" ::"r"(address), "f"(from[0]), "f"(from[1]),
                 "f"(from[2]), "f"(from[3])
                 : "memory");
}
CU_FN float shuffle_across(float x, u32 mask)
{
    float r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(r) : "f"(x), "r"(mask));
    return r;
}
/* All warps of a team. */
template <u32 TEAM> CU_FN void team_barrier(u32 team)
{
    if (TEAM == 1)
        asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
    else
        asm volatile("bar.sync %0, %1;" ::"r"(team + 1), "r"(TEAM * 32) : "memory");
}

/* ---- tables ---- */

/* What table i is made of: its four codes and d1's bits. x: 34-byte blocks in global or shared memory. */
struct ingredients {
    u32 codes, scale;
};
CU_FN struct ingredients take(const u8 *x, u32 i)
{
    const unsigned short *block = (const unsigned short *)(x + i / Q1_LANES * Q8_BYTES);
    const unsigned short *two = block + 1 + 2 * (i % Q1_LANES);
    return {two[0] | (u32)two[1] << 16, block[0]};
}

/* Neighbouring threads make neighbouring tables and begin with different quarters of them, for the banks' sake. */
CU_FN void make_table(struct ingredients of, u32 i, u32 tables)
{
    float plus[4], minus[4], low[4], d1 = half_at(of.scale);
#pragma unroll
    for (u32 e = 0; e < 4; e++) {
        int q = (int)(signed char)(of.codes >> 8 * e & 0xFF);
        plus[e] = (float)q;
        minus[e] = q == -128 ? -128.0f : -plus[e];
    }
    low[0] = xf_hw_add(minus[0], minus[1]);
    low[1] = xf_hw_add(plus[0], minus[1]);
    low[2] = xf_hw_add(minus[0], plus[1]);
    low[3] = xf_hw_add(plus[0], plus[1]);
#pragma unroll
    for (u32 t = 0; t < 4; t++) {
        u32 quarter = t ^ (i >> 1 & 3);
        float high = xf_hw_add(quarter & 1 ? plus[2] : minus[2], quarter & 2 ? plus[3] : minus[3]);
        float entry[4];
#pragma unroll
        for (u32 e = 0; e < 4; e++) entry[e] = xf_hw_mul(d1, xf_hw_add(high, low[e]));
        store_four(tables + i * 64 + quarter * 16, entry);
    }
}

/* Tables 0 to count - 1 by all threads of the block. Loads go out eight at a time. */
CU_FN void make_tables(const u8 *x, u32 count, u32 tables)
{
    constexpr u32 batch = 8;
    for (u32 first = cu_thread(); first < count; first += batch * THREADS) {
        struct ingredients of[batch];
#pragma unroll
        for (u32 j = 0; j < batch; j++)
            if (first + j * THREADS < count) of[j] = take(x, first + j * THREADS);
#pragma unroll
        for (u32 j = 0; j < batch; j++)
            if (first + j * THREADS < count) make_table(of[j], first + j * THREADS, tables);
    }
}

/* ---- rows ---- */

CU_FN u32 first_row(u32 unit, u32 m)
{
    return unit * ROWS + ROWS <= m ? unit * ROWS : m - ROWS;
}

/* The 16-byte pieces of a part that a thread of a team copies, and where the team is in its rows and in its ring. */
template <u32 TEAM, u32 STAGES> struct stream {
    static constexpr u32 pieces = STAGE / LINE * PART_BYTES / 16,
                         count = (pieces + TEAM * 32 - 1) / (TEAM * 32);
    u32 off[count], to[count];
    u32 thread, ring, stage;
    const u8 *from;

    CU_METHOD void open(u32 thread_of_team, u32 ring_address, u32 w_row)
    {
        thread = thread_of_team;
        ring = ring_address;
        stage = 0;
#pragma unroll
        for (u32 i = 0; i < count; i++) {
            u32 piece = i * (TEAM * 32) + thread, line = piece / (PART_BYTES / 16);
            u32 at = piece % (PART_BYTES / 16) * 16;
            off[i] = line * w_row + at;
            to[i] = line * LINE + at;
        }
    }
    CU_METHOD void fetch()
    {
#pragma unroll
        for (u32 i = 0; i < count; i++)
            if ((i + 1) * (TEAM * 32) <= pieces || i * (TEAM * 32) + thread < pieces)
                cu_copy16(ring + stage * STAGE + to[i], from + off[i]);
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        from += PART_BYTES;
    }
};

/* Which lanes a thread has: of each pair of lanes the even or the odd one, of PAIRS pairs from `pair` on. */
struct place {
    u32 row;                   /* of the unit */
    u32 shift_even, shift_odd; /* of signs that start in the upper half of a word, and in the lower */
    u32 fixed;                 /* bits of an index that say even or odd, in all four bytes */
    u32 selector;              /* of the byte of the first pair */
};
CU_FN struct place place_of(u32 lane, u32 pair)
{
    u32 odd = lane & 1;
    return {lane >> 1, odd ? 18u : 14u, odd ? 2u : 30u, odd ? 0x40404040u : 0u, 0x7650u + pair};
}

/* Eight blocks of W onto the chains of a row. here: their 144 bytes; tables: of the first block, from this thread's first
 * pair on, at a multiple of 256. */
template <u32 PAIRS> CU_FN void eight_blocks(float acc[PAIRS], u32 here, u32 tables, struct place at)
{
    u32 v[36];
#pragma unroll
    for (u32 i = 0; i < 9; i++) load_four(v + 4 * i, here + i * 16);
#pragma unroll
    for (u32 b = 0; b < 8; b++) {
        const bool odd = b & 1;
        const u32 first = b / 2 * 9 + (odd ? 4 : 0);
        float d0 = odd ? high_half(v[first]) : low_half(v[first]), ab[PAIRS];
#pragma unroll
        for (u32 k = 0; k < Q1_SUBS; k++) {
            u32 high = v[first + k + 1], low = odd ? high : v[first + k];
            u32 index = (funnel(low, high, odd ? at.shift_odd : at.shift_even) & 0x3C3C3C3Cu) | at.fixed;
#pragma unroll
            for (u32 j = 0; j < PAIRS; j++) {
                float t = load_shared(permute(index, tables, at.selector + j) +
                                      (b * BLOCK_BYTES + k * (BLOCK_BYTES / Q1_SUBS) + j * 128));
                ab[j] = k == 0 ? t : xf_hw_add(ab[j], t);
            }
        }
#pragma unroll
        for (u32 j = 0; j < PAIRS; j++) acc[j] = xf_hw_fma(d0, ab[j], acc[j]);
    }
}

/* A row from the chains of its even or odd lanes; its two threads get the same bits, since a sum of two commutes. */
CU_FN float join(const float a[4])
{
    float half = xf_hw_add(xf_hw_add(a[0], a[2]), xf_hw_add(a[1], a[3]));
    return xf_hw_add(half, shuffle_across(half, 1));
}

/* Of the two threads of a row one writes, and of two units that have it the first. */
CU_FN void store_row(float *y, u32 m, u32 unit, u32 row, float value)
{
    u32 at = first_row(unit, m) + row;
    if (cu_thread() % 2 == 0 && at >= unit * ROWS) y[at] = value;
}

CU_KERNEL(512, 1) q1_table(const u8 *w, const u8 *x, float *y, q1_args p)
{
    constexpr u32 STAGES = 2;
    next_may_start();
    u32 lane = cu_thread() % 32, warp = cu_thread() / 32, teams = p.extra[0], parts = p.blocks / PART;
    u32 units = (p.m + ROWS - 1) / ROWS, unit = cu_block_x() + cu_blocks_x() * warp;
    u32 step = cu_blocks_x() * teams, tables = cu_shared_address(table_memory);
    u32 items = warp < teams && unit < units ? ((units - unit - 1) / step + 1) * parts : 0;
    u32 ring = tables + p.blocks * BLOCK_BYTES + warp * (STAGES * STAGE);
    struct place mine = place_of(lane, 0);
    struct stream<1, STAGES> in;
    const u8 *weights = w + p.w_offset;
    float *out = y + (p.y_offset + (u64)cu_block_y() * p.y_row);

    in.open(lane, ring, p.w_row);
    if (items) {
        in.from = weights + (u64)first_row(unit, p.m) * p.w_row;
        if (lane == 0 && p.w_row == p.blocks * Q1_BYTES) cache_hint(in.from, ROWS * p.w_row);
    }
    previous_wait();
    u32 fetch_unit = unit, fetch_part = 0, fetched = 0;
    if (items) {
        in.fetch();
        fetched = fetch_part = 1;
    }
    copies_commit();
    make_tables(x + (p.x_offset + (u64)cu_block_y() * p.x_row), p.blocks * BLOCK_TABLES, tables);
    cu_barrier();

    float acc[4] = {};
    u32 part = 0, stage = 0;
    for (u32 item = 0; item < items; item++) {
        cu_copy_wait();
        team_barrier<1>(0); /* the part is there, and no lane reads the one before any more */
        if (fetched < items) {
            if (fetch_part == parts) {
                fetch_part = 0;
                fetch_unit += step;
                in.from = weights + (u64)first_row(fetch_unit, p.m) * p.w_row;
            }
            in.fetch();
            fetch_part++;
            fetched++;
        }
        copies_commit();
        u32 here = ring + stage * STAGE + mine.row * LINE, of_part = tables + part * (PART * BLOCK_BYTES);
#pragma unroll 1
        for (u32 b = 0; b < PART; b += 8)
            eight_blocks<4>(acc, here + b * Q1_BYTES, of_part + b * BLOCK_BYTES, mine);
        stage ^= 1;
        if (++part < parts) continue;
        part = 0;
        store_row(out, p.m, unit, mine.row, join(acc));
#pragma unroll
        for (u32 j = 0; j < 4; j++) acc[j] = 0.0f;
        unit += step;
    }
}

/* A team of two warps has one unit; grid x has as many blocks as that needs. Shared memory: tables of two parts, rings,
 * where the warps of a team meet, X as it lies. */
CU_KERNEL(512, 1) q1_phased(const u8 *w, const u8 *x, float *y, q1_args p)
{
    constexpr u32 STAGES = 3, TEAM = 2, MEETING = 512, PART_TABLES = PART * BLOCK_TABLES;
    static_assert(PART_TABLES == THREADS, "a thread makes one table of a part");
    next_may_start();
    u32 lane = cu_thread() % 32, warp = cu_thread() / 32, team = warp / TEAM, member = warp % TEAM;
    u32 teams = p.extra[0], parts = p.blocks / PART, units = (p.m + ROWS - 1) / ROWS;
    u32 unit = cu_block_x() + cu_blocks_x() * team, tables = cu_shared_address(table_memory);
    bool busy = team < teams && unit < units;
    u32 ring = tables + 2 * PART * BLOCK_BYTES + team * (STAGES * STAGE);
    u32 meeting = tables + 2 * PART * BLOCK_BYTES + teams * (STAGES * STAGE) + team * MEETING;
    u8 *kept = table_memory + (2 * PART * BLOCK_BYTES + teams * (STAGES * STAGE + MEETING));
    const u8 *from = x + (p.x_offset + (u64)cu_block_y() * p.x_row);
    struct place mine = place_of(lane, 2 * member);
    struct stream<TEAM, STAGES> in;

    in.open(member * 32 + lane, ring, p.w_row);
    in.from = w + (p.w_offset + (u64)(busy ? first_row(unit, p.m) : 0) * p.w_row);
    if (busy && in.thread == 0 && p.w_row == p.blocks * Q1_BYTES) cache_hint(in.from, ROWS * p.w_row);
    previous_wait();
    struct ingredients first = {};
    if (parts) first = take(from, cu_thread());
#pragma unroll
    for (u32 i = 0; i + 1 < STAGES; i++) {
        if (busy && i < parts) in.fetch();
        copies_commit();
    }
    for (u32 i = cu_thread(); i < p.blocks * (Q1_SUBS * Q8_BYTES / 4); i += 4 * THREADS) {
        u32 v[4];
#pragma unroll
        for (u32 j = 0; j < 4; j++)
            if (i + j * THREADS < p.blocks * (Q1_SUBS * Q8_BYTES / 4))
                v[j] = ((const u32 *)from)[i + j * THREADS];
#pragma unroll
        for (u32 j = 0; j < 4; j++)
            if (i + j * THREADS < p.blocks * (Q1_SUBS * Q8_BYTES / 4)) ((u32 *)kept)[i + j * THREADS] = v[j];
    }
    make_table(first, cu_thread(), tables);

    float acc[2] = {};
    u32 stage = 0;
    for (u32 part = 0; part < parts; part++) {
        copies_wait(STAGES - 2);
        cu_barrier(); /* tables and rows of the part are there, and nobody reads those before any more */
        if (busy && part + STAGES - 1 < parts) in.fetch();
        copies_commit();
        if (part + 1 < parts)
            make_table(take(kept + (part + 1) * (PART * Q1_SUBS * Q8_BYTES), cu_thread()), cu_thread(),
                       tables + (~part & 1) * (PART * BLOCK_BYTES));
        if (!busy) continue;
        u32 here = ring + stage * STAGE + mine.row * LINE;
        u32 of_part = tables + (part & 1) * (PART * BLOCK_BYTES) + member * 256;
#pragma unroll 1
        for (u32 b = 0; b < PART; b += 8)
            eight_blocks<2>(acc, here + b * Q1_BYTES, of_part + b * BLOCK_BYTES, mine);
        stage = stage + 1 == STAGES ? 0 : stage + 1;
    }
    if (!busy) return;
#pragma unroll
    for (u32 j = 0; j < 2; j++) store_shared(meeting + ((member * 2 + j) * 32 + lane) * 4, acc[j]);
    team_barrier<TEAM>(team);
    if (member) return;
    float all[4];
#pragma unroll
    for (u32 j = 0; j < 4; j++) all[j] = load_shared(meeting + (j * 32 + lane) * 4);
    store_row(y + (p.y_offset + (u64)cu_block_y() * p.y_row), p.m, unit, mine.row, join(all));
}
