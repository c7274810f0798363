/* The sweeps on CUDA.
 *
 * A unit is a multiprocessor: %smid names its row, on a part of a card (MIG) the rank of its id does. A block takes the shared memory of a whole multiprocessor, so that
 * as many blocks as there are multiprocessors can only lie one on each; they begin together (a wait with a limit, since
 * another program may hold a multiprocessor).
 *
 * Exactness: text.h. Adds and ORs into Y are atomic integers and commute. */
#include "kernels/exact/cuda.h"
#include "kernels/sweep/cuda_args.h"
#include "kernels/sweep/text.h"

#define THREADS 256u
#define WAIT_NS 1000000000ull

SWEEP_CHAIN(chain, xf_fma_native)

struct __attribute__((aligned(16))) four {
    u32 v[4];
};

CU_FN void add_to(u32 *at, u32 value)
{
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}
CU_FN void or_to(u32 *at, u32 value)
{
    asm volatile("red.global.or.b32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}
CU_FN void and_to(u32 *at, u32 value)
{
    asm volatile("red.global.and.b32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}
CU_FN void min_to(u32 *at, u32 value)
{
    asm volatile("red.global.min.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}
CU_FN void add_shared(u32 *at, u32 value)
{
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(cu_shared_address(at)), "r"(value) : "memory");
}
CU_FN u32 arrived(const u32 *at)
{
    u32 count;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(at) : "memory");
    return count;
}
CU_FN u32 unit_id()
{
    u32 id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}
CU_FN u64 now_ns()
{
    u64 ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
    return ns;
}

CU_KERNEL(256, 1) sweep_clear(u32 *y, u32 *arrivals, sweep_args p)
{
    u32 i = cu_block_x() * THREADS + cu_thread();
    if (i < p.words) y[p.out_from + i] = (p.pattern ? i % 5 == 2 : i % 2 == 1) ? SWEEP_NONE : 0;
    if (i == 0) *arrivals = 0;
}

CU_KERNEL(256, 1) sweep_smid(const u32 *k, u32 *y, u32 *arrivals, sweep_args p)
{
    static CU_SHARED u32 sums[2];
    u32 t = cu_thread();
    if (t == 0) {
        sums[0] = sums[1] = 0;
        add_to(arrivals, 1);
        u64 end = now_ns() + WAIT_NS;
        while (arrived(arrivals) < p.groups && now_ns() < end) continue;
    }
    cu_barrier();
    u32 h = chain(t, k[p.in_from], k[p.in_from + 1], p.rounds);
    add_shared(&sums[0], h);
    add_shared(&sums[1], h * (2 * t + 1));
    cu_barrier();
    u32 id = unit_id();
    if (t != 0 || id >= p.units) return;
    u32 *row = y + p.out_from + 4ull * id;
    or_to(row, sums[0]);
    and_to(row + 1, sums[0]);
    or_to(row + 2, sums[1]);
    and_to(row + 3, sums[1]);
}

/* Rows of Y from a table by id: those of ids that were visited, in order; what is left was never visited. One block. */
CU_KERNEL(256, 1) sweep_rank(const u32 *table, u32 *y, sweep_args p)
{
    if (cu_thread() != 0) return;
    u32 row = 0;
    for (u32 id = 0; id < p.words / 4 && row < p.units; id++) {
        const u32 *seen = table + 4 * id;
        if (seen[0] == 0 && seen[1] == SWEEP_NONE && seen[2] == 0 && seen[3] == SWEEP_NONE) continue;
        for (u32 i = 0; i < 4; i++) y[p.out_from + 4 * row + i] = seen[i];
        row++;
    }
    for (; row < p.units; row++)
        for (u32 i = 0; i < 4; i++) y[p.out_from + 4 * row + i] = i % 2 ? SWEEP_NONE : 0;
}

CU_KERNEL(256, 1) sweep_write(const u32 *k, four *part, sweep_args p)
{
    u32 k0 = k[p.in_from], k1 = k[p.in_from + 1], fours = p.words / 4;
    u32 tiles = (p.words + SWEEP_TILE - 1) / SWEEP_TILE;
    for (u32 tile = cu_block_x(); tile < tiles; tile += p.groups)
#pragma unroll 4
        for (u32 j = 0; j < SWEEP_TILE / 4 / THREADS; j++) {
            u32 at = tile * (SWEEP_TILE / 4) + j * THREADS + cu_thread();
            four value;
            for (u32 i = 0; i < 4; i++)
                value.v[i] = sweep_word(p.pattern, p.pass, p.slot, 4 * at + i, k0, k1);
            if (at < fours) part[at] = value;
        }
}

CU_KERNEL(256, 1) sweep_check(const u32 *k, const four *part, u32 *y, sweep_args p)
{
    static CU_SHARED u32 sums[2];
    u32 k0 = k[p.in_from], k1 = k[p.in_from + 1], fours = p.words / 4;
    u32 tiles = (p.words + SWEEP_TILE - 1) / SWEEP_TILE;
    u32 wrong = 0, bits = 0, first = SWEEP_NONE, sum = 0, weighted = 0;
    if (cu_thread() < 2) sums[cu_thread()] = 0;
    cu_barrier();
    for (u32 turn = cu_block_x(); turn < tiles; turn += p.groups) {
        u32 tile = tiles - 1 - turn;
#pragma unroll 4
        for (u32 j = 0; j < SWEEP_TILE / 4 / THREADS; j++) {
            u32 at = tile * (SWEEP_TILE / 4) + j * THREADS + cu_thread();
            if (at >= fours) continue;
            four value = part[at];
            for (u32 i = 0; i < 4; i++) {
                u32 n = 4 * at + i;
                u32 differ = value.v[i] ^ sweep_word(p.pattern, p.pass, p.slot, n, k0, k1);
                sum += value.v[i];
                weighted += value.v[i] * (2 * n + 1);
                wrong += differ != 0;
                bits |= differ;
                if (differ != 0 && n < first) first = n;
            }
        }
    }
    u32 *row = y + p.out_from + 10ull * p.slot + 5 * p.pass;
    if (wrong != 0) {
        add_to(row, wrong);
        or_to(row + 1, bits);
        min_to(row + 2, first);
    }
    add_shared(&sums[0], sum);
    add_shared(&sums[1], weighted);
    cu_barrier();
    if (cu_thread() < 2) add_to(row + 3 + cu_thread(), sums[cu_thread()]);
}

CU_KERNEL(256, 1) sweep_sum(const u32 *x, u32 *y, sweep_args p)
{
    static CU_SHARED u32 sums[2];
    u32 chunks = (p.words + SWEEP_CHUNK - 1) / SWEEP_CHUNK;
    /* all threads of a block make the same rounds, so all reach the barriers */
    for (u32 chunk = cu_block_x(); chunk < chunks; chunk += p.groups) {
        u32 sum = 0, weighted = 0;
        if (cu_thread() < 2) sums[cu_thread()] = 0;
        cu_barrier();
        for (u32 i = cu_thread(); i < SWEEP_CHUNK && chunk * SWEEP_CHUNK + i < p.words; i += THREADS) {
            u32 word = x[p.in_from + (u64)chunk * SWEEP_CHUNK + i];
            sum += word;
            weighted += word * (2 * i + 1);
        }
        add_shared(&sums[0], sum);
        add_shared(&sums[1], weighted);
        cu_barrier();
        if (cu_thread() < 2) y[p.out_from + 2ull * chunk + cu_thread()] = sums[cu_thread()];
        cu_barrier();
    }
}

CU_KERNEL(256, 1) sweep_make(const u32 *k, u32 *y, sweep_args p)
{
    u32 k0 = k[p.in_from], k1 = k[p.in_from + 1];
    for (u64 i = (u64)cu_block_x() * THREADS + cu_thread(); i < p.words; i += (u64)p.groups * THREADS)
        y[p.out_from + i] = sweep_out_word((u32)i, k0, k1);
}
