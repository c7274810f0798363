/* Q1_0 product with one vector a block, CUDA, bound by reading W once: rows are copied ahead to shared memory in 16-byte
 * pieces, and the integer matrix unit makes the exact lane sums of 16 rows at once.
 *
 * Exactness: rule 11. Lane sums are integers, so the matrix unit's order is free. q0 is a code, or 0 where it is -128; with
 * sign bit b the lane's sum is sum(2 b q0) - sum(q0) - 128 * (codes of -128), which keeps -(-128) = -128. d1 * s is exact;
 * RN(ab + d1 * s) over the four sub-blocks; acc = fma(d0, ab, acc) from +0, blocks ascending; lanes as ((0 + 4) + (2 + 6)) +
 * ((1 + 5) + (3 + 7)). With finite scales every number is a multiple of 2^-48 below 2^120.
 *
 * The matrix unit: A is 16 rows by 32 signs, B 32 codes by 8 lanes, each code in its own lane's column only. The order of
 * k is ours: thread t of four holds the signs 8b + t as bytes of value 2 and the signs 8b + 4 + t as bytes of value 32, both
 * cut from one rotated word. The former belong to even lanes only, the latter to odd ones, whose sums are therefore 16 times
 * too large and meet d1 / 16. The sums start at 2^23 * 1.5 as bits, so that they are floats already.
 *
 * A block computes tiles of ROWS rows, one after the other, in chunks of 16 blocks of W: eight warps make `ab` of two blocks
 * each, and one thread a lane walks its chain over the chunk before. Grid: x over tiles, y over vectors. extra[0]: stages of the ring; extra[1]:
 * bytes a copy (16 or 4), of which W's address and stride are multiples. An even number of blocks; X at even addresses. */
#include "kernels/q1_0/cuda_stream.h"

#define THREADS     256u
#define CHUNK       16u                 /* blocks of W */
#define CHUNK_BYTES (CHUNK * Q1_BYTES)  /* 288 */
#define LINE        (CHUNK_BYTES + 16u) /* 8 rows then meet 8 different banks */

#define MAGIC_WORD 0x4B400000 /* of 1.5 * 2^23, whose last bit is worth 1 */
#define MAGIC      12582912.0f

extern CU_SHARED __attribute__((aligned(16))) u8 mma_memory[];

CU_FN void matrix_unit(int d[4], const u32 a[4], u32 b0, u32 b1, int c0, int c1)
{
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%10,%11};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "r"(c0), "r"(c1));
}

CU_FN float shuffle_down(float x, u32 by)
{
    float r;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(r) : "f"(x), "r"(by));
    return r;
}

/* The 16-byte pieces of a chunk that a thread copies; they stay the same for all chunks of a tile. */
template <u32 ROWS> struct pieces {
    static constexpr u32 count = (ROWS * 18 + THREADS - 1) / THREADS;
    u32 to[count], end[count]; /* place in a stage; bytes of a line up to the end of the piece */
    const u8 *from[count];
};

/* Rows past the end repeat the last. */
template <u32 ROWS> CU_FN void aim(pieces<ROWS> &mine, const u8 *w, const q1_args &p, u32 row0)
{
#pragma unroll
    for (u32 i = 0; i < mine.count; i++) {
        u32 piece = i * THREADS + cu_thread(), line = piece / 18, at = piece % 18 * 16;
        u32 row = row0 + line < p.m ? row0 + line : p.m - 1;
        mine.to[i] = line * LINE + at;
        mine.end[i] = line < ROWS ? at + 16 : 0xFFFFFFFF;
        mine.from[i] = w + ((u64)row * p.w_row + at);
    }
}

/* Start copying chunk `chunk` of the rows from row0 on into a stage. */
template <u32 ROWS>
CU_FN void fetch(u32 stage, const pieces<ROWS> &mine, const u8 *w, const q1_args &p, u32 row0, u32 chunk)
{
    u32 left = p.blocks - chunk * CHUNK, bytes = (left < CHUNK ? left : CHUNK) * Q1_BYTES;
    if (p.extra[1] == 16) {
#pragma unroll
        for (u32 i = 0; i < mine.count; i++)
            if (mine.end[i] <= bytes) cu_copy16(stage + mine.to[i], mine.from[i] + chunk * CHUNK_BYTES);
    } else {
        const u8 *from = w + (u64)chunk * CHUNK_BYTES;
        for (u32 piece = cu_thread(); piece < ROWS * 72; piece += THREADS) {
            u32 line = piece / 72, at = piece % 72 * 4;
            if (at >= bytes) continue;
            u32 row = row0 + line < p.m ? row0 + line : p.m - 1;
            cu_copy4(stage + line * LINE + at, from + (u64)row * p.w_row + at);
        }
    }
}

/* X as the warps want it: q0 by words, the constant part of each lane's sum, d1. Loads go out eight at a time. */
CU_FN void prepare(const u8 *x, u32 subs, u32 *codes, int *start, float *scale)
{
    constexpr u32 batch = 8;
    for (u32 first = cu_thread(); first < subs * Q1_LANES; first += batch * THREADS) {
        u32 word[batch], half[batch];
#pragma unroll
        for (u32 j = 0; j < batch; j++) {
            u32 i = first + j * THREADS;
            if (i >= subs * Q1_LANES) i = first;
            const unsigned short *block = (const unsigned short *)(x + (u64)(i / Q1_LANES) * Q8_BYTES);
            const unsigned short *two = block + 1 + 2 * (i % Q1_LANES);
            half[j] = block[0];
            word[j] = two[0] | (u32)two[1] << 16;
        }
#pragma unroll
        for (u32 j = 0; j < batch; j++) {
            u32 i = first + j * THREADS, kept = 0;
            int constant = 0;
            if (i >= subs * Q1_LANES) continue;
#pragma unroll
            for (u32 e = 0; e < 4; e++) {
                u32 byte = word[j] >> 8 * e & 0xFF;
                constant -= byte == 0x80 ? 128 : (int)(signed char)byte;
                kept |= (byte == 0x80 ? 0 : byte) << 8 * e;
            }
            codes[i] = kept;
            start[i] = MAGIC_WORD + constant * (i & 1 ? 16 : 1);
            if (i % Q1_LANES == 0) scale[i / Q1_LANES] = half_at(half[j]);
        }
    }
}

/* `ab` of one block of W for ROWS rows. words: of this thread's rows, as `first` says: signs start in the upper half of
 * word 0 (even blocks) or with word 0 (odd ones). */
template <u32 ROWS, bool ODD>
CU_FN void block_sums(const u8 *stage, const u8 *codes, const int *start, const float *scale, float *to)
{
    u32 thread = cu_thread() % 32, group = thread / 4, member = thread % 4;
    u32 shift = ODD ? (member - 1) & 31 : 15 + member, place = 8 * (group / 2);
    u32 even = group & 1 ? 0 : 0xFFFFFFFF;
    const u32 *words = (const u32 *)(stage + group * LINE) + (ODD ? 5 : 0);
    float ab[ROWS / 8][2];
    u32 before[ROWS / 8];
    if (!ODD)
#pragma unroll
        for (u32 r = 0; r < ROWS / 8; r++) before[r] = words[r * 8 * (LINE / 4)];
#pragma unroll
    for (u32 k = 0; k < Q1_SUBS; k++) {
        u32 code = (u32)codes[k * 32 + thread] << place, b0 = code & even, b1 = code & ~even;
        int c0 = start[k * Q1_LANES + 2 * member], c1 = start[k * Q1_LANES + 2 * member + 1];
        float d1 = scale[k], d1_odd = xf_hw_mul(d1, 0.0625f);
#pragma unroll
        for (u32 tile = 0; tile < ROWS / 16; tile++) {
            u32 a[4];
#pragma unroll
            for (u32 half = 0; half < 2; half++) {
                u32 r = tile * 2 + half, word = words[r * 8 * (LINE / 4) + k + (ODD ? 0 : 1)];
                u32 turned = funnel(ODD ? word : before[r], word, shift);
                if (!ODD) before[r] = word;
                a[half] = turned & 0x02020202u;
                a[half + 2] = turned & 0x20202020u;
            }
            int sum[4];
            matrix_unit(sum, a, b0, b1, c0, c1);
#pragma unroll
            for (u32 i = 0; i < 4; i++) {
                float s = xf_float((u32)sum[i]), d = i & 1 ? d1_odd : d1;
                float *into = &ab[tile * 2 + i / 2][i & 1];
                float exact = xf_hw_add(s, -MAGIC);
                *into = k == 0 ? xf_hw_mul(d, exact) : xf_hw_fma(d, exact, *into);
            }
        }
    }
#pragma unroll
    for (u32 r = 0; r < ROWS / 8; r++) {
        struct __attribute__((aligned(8))) pair {
            float v[2];
        };
        struct pair both = {{ab[r][0], ab[r][1]}};
        *(struct pair *)(to + (r * 8 + group) * Q1_LANES + 2 * member) = both;
    }
}

/* acc over the blocks of a chunk: this thread's row and lane. */
template <u32 ROWS> CU_FN float chain(float acc, const u8 *stage, const float *sums, u32 count)
{
    const u8 *line = stage + cu_thread() / Q1_LANES * LINE;
    const float *ab = sums + cu_thread();
    if (count == CHUNK) {
#pragma unroll
        for (u32 b = 0; b < CHUNK; b++)
            acc = xf_hw_fma(half_at(*(const unsigned short *)(line + b * Q1_BYTES)),
                            ab[b * (ROWS * Q1_LANES)], acc);
    } else {
        for (u32 b = 0; b < count; b++)
            acc = xf_hw_fma(half_at(*(const unsigned short *)(line + b * Q1_BYTES)),
                            ab[b * (ROWS * Q1_LANES)], acc);
    }
    return acc;
}

template <u32 ROWS> CU_FN void product(const u8 *w, const u8 *x, float *y, const q1_args &p)
{
    constexpr u32 chunk_sums = CHUNK * ROWS * Q1_LANES;
    u32 stages = p.extra[0], subs = p.blocks * Q1_SUBS, chunks = (p.blocks + CHUNK - 1) / CHUNK;
    u32 last = p.blocks - (chunks - 1) * CHUNK; /* blocks of the last chunk */
    u32 tiles = (p.m + ROWS - 1) / ROWS, warp = cu_thread() / 32;
    u32 items = (tiles - cu_block_x() + cu_blocks_x() - 1) / cu_blocks_x() * chunks;
    float *sums = (float *)(mma_memory + stages * (ROWS * LINE)); /* [2][CHUNK][ROWS][lane] */
    u32 *codes = (u32 *)(sums + 2 * chunk_sums);
    int *start = (int *)(codes + subs * Q1_LANES);
    float *scale = (float *)(start + subs * Q1_LANES);
    u32 ring = cu_shared_address(mma_memory);
    const u8 *weights = w + p.w_offset;

    pieces<ROWS> mine;
    aim<ROWS>(mine, weights, p, cu_block_x() * ROWS);
    u32 fetch_tile = cu_block_x(), fetch_chunk = 0, fetch_stage = 0, fetched = 0;
#define FETCH_NEXT()                                                                                         \
    do {                                                                                                     \
        if (fetched < items) {                                                                               \
            fetch<ROWS>(ring + fetch_stage * (ROWS * LINE), mine, weights, p, fetch_tile * ROWS,             \
                        fetch_chunk);                                                                        \
            fetch_stage = fetch_stage + 1 == stages ? 0 : fetch_stage + 1;                                   \
            if (++fetch_chunk == chunks) {                                                                   \
                fetch_chunk = 0;                                                                             \
                fetch_tile += cu_blocks_x();                                                                 \
                if (fetched + 1 < items) aim<ROWS>(mine, weights, p, fetch_tile * ROWS);                     \
            }                                                                                                \
            fetched++;                                                                                       \
        }                                                                                                    \
        copies_commit(); /* an empty group too: waiting counts them */                                       \
    } while (0)

    for (u32 i = 0; i + 2 < stages; i++) FETCH_NEXT();
    prepare(x + (p.x_offset + (u64)cu_block_y() * p.x_row), subs, codes, start, scale);

    /* In round `item` the warps make the sums of that chunk while chains take up those of the chunk before: one barrier a
     * round. The stage that is filled anew is the one whose chains were finished in the round before. */
    u32 chunk = 0, stage = 0, before_chunk = 0, before_stage = 0, row0 = cu_block_x() * ROWS;
    float acc = 0.0f;
    for (u32 item = 0; item <= items; item++) {
        copies_wait(stages - 3);
        cu_barrier();
        FETCH_NEXT();
        if (item < items) {
            u8 *here = mma_memory + stage * (ROWS * LINE);
            u32 block = chunk * CHUNK + 2 * warp;
            if (block < p.blocks) { /* an even number of blocks: the second is there too */
                const u8 *of_x = (const u8 *)codes + block * 128;
                u32 sub = block * Q1_SUBS;
                float *to = sums + (item & 1) * chunk_sums + 2 * warp * (ROWS * Q1_LANES);
                block_sums<ROWS, false>(here + warp * 2 * Q1_BYTES, of_x, start + sub * Q1_LANES, scale + sub,
                                        to);
                sub += Q1_SUBS;
                block_sums<ROWS, true>(here + warp * 2 * Q1_BYTES, of_x + 128, start + sub * Q1_LANES,
                                       scale + sub, to + ROWS * Q1_LANES);
            }
        }
        if (item > 0) {
            if (cu_thread() < ROWS * Q1_LANES)
                acc = chain<ROWS>(acc, mma_memory + before_stage * (ROWS * LINE),
                                  sums + (~item & 1) * chunk_sums, before_chunk + 1 == chunks ? last : CHUNK);
            if (before_chunk + 1 == chunks) {
                acc = xf_hw_add(acc, shuffle_down(acc, 4));
                acc = xf_hw_add(acc, shuffle_down(acc, 2));
                acc = xf_hw_add(acc, shuffle_down(acc, 1));
                u32 row = row0 + cu_thread() / Q1_LANES;
                if (cu_thread() < ROWS * Q1_LANES && cu_thread() % Q1_LANES == 0 && row < p.m)
                    y[p.y_offset + (u64)cu_block_y() * p.y_row + row] = acc;
                acc = 0.0f;
                row0 += cu_blocks_x() * ROWS;
            }
        }
        before_chunk = chunk;
        before_stage = stage;
        stage = stage + 1 == stages ? 0 : stage + 1;
        chunk = chunk + 1 == chunks ? 0 : chunk + 1;
    }
#undef FETCH_NEXT
}

CU_KERNEL(256, 2) q1_mma32(const u8 *w, const u8 *x, float *y, q1_args p)
{
    product<32>(w, x, y, p);
}
