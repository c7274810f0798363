/* Q1_0 product with one vector a block, CUDA: every warp streams rows of its own over all of K and keeps their chains in
 * the registers in which the matrix unit leaves the sums. Warps meet once, when X is ready.
 *
 * Exactness and the matrix unit's layout: cuda_mma.cu. Sums start at MAGIC_WORD; the constant part of each is in what is
 * subtracted to make it a number.
 *
 * A warp makes tiles of ROWS rows in parts of 8 blocks of W, whose 144 bytes put 8 rows into different banks. Tiles go
 * first to multiprocessors, then to warps. Grid: x over tiles, y over vectors. extra[0]: stages of a warp's ring, 3 to 8;
 * extra[1]: warps that have tiles, the others only help with X. K is a multiple of 1024, W's address and stride are
 * multiples of 16, X stands at even addresses. */
#include "kernels/q1_0/cuda_mma.h"

#define PART         8u                /* blocks of W */
#define PART_BYTES   (PART * Q1_BYTES) /* 144 */
#define WARP_THREADS 512u

struct __attribute__((aligned(8))) two_words {
    u32 v[2];
};
struct __attribute__((aligned(16))) four_words {
    u32 v[4];
};

CU_FN void warp_barrier()
{
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}
CU_FN float shuffle_across(float x, u32 mask)
{
    float r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(r) : "f"(x), "r"(mask));
    return r;
}
CU_FN float low_half(u32 w)
{
    float f;
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, l;}" : "=f"(f) : "r"(w));
    return f;
}
CU_FN float high_half(u32 w)
{
    float f;
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %1; cvt.f32.f16 %0, h;}" : "=f"(f) : "r"(w));
    return f;
}

/* X as a warp wants it. codes: [sub-block][lane][element], each code in the byte of its word that its lane has in B.
 * start: what sums of nothing
 * come out as, [block][pair of lanes][sub-block][parity]. scale: [block]{four of d1, four of d1 / 16}. */
CU_FN void prepare_warps(const u8 *x, u32 subs, u32 threads, u32 *codes, int *start, float *scale)
{
    constexpr u32 batch = 4; /* loads on their way at once */
    for (u32 first = cu_thread(); first < subs * Q1_LANES; first += batch * threads) {
        u32 word[batch], half[batch];
#pragma unroll
        for (u32 j = 0; j < batch; j++) {
            u32 i = first + j * threads;
            if (i >= subs * Q1_LANES) i = first;
            const unsigned short *block = (const unsigned short *)(x + (u64)(i / Q1_LANES) * Q8_BYTES);
            const unsigned short *two = block + 1 + 2 * (i % Q1_LANES);
            half[j] = block[0];
            word[j] = two[0] | (u32)two[1] << 16;
        }
#pragma unroll
        for (u32 j = 0; j < batch; j++) {
            u32 i = first + j * threads, lane = i % Q1_LANES;
            u32 block = i / (Q1_LANES * Q1_SUBS), k = i / Q1_LANES % Q1_SUBS;
            int constant = 0;
            struct four_words placed;
            if (i >= subs * Q1_LANES) continue;
#pragma unroll
            for (u32 e = 0; e < 4; e++) {
                u32 byte = word[j] >> 8 * e & 0xFF;
                constant -= byte == 0x80 ? 128 : (int)(signed char)byte;
                placed.v[e] = (byte == 0x80 ? 0 : byte) << 8 * (lane / 2);
            }
            *(struct four_words *)(codes + i * 4) = placed;
            start[(block * 4 + lane / 2) * 8 + k * 2 + (lane & 1)] =
                MAGIC_WORD - constant * (lane & 1 ? 16 : 1);
            if (lane == 0) {
                float d1 = half_at(half[j]);
                scale[block * 8 + k] = d1;
                scale[block * 8 + 4 + k] = xf_hw_mul(d1, 0.0625f);
            }
        }
    }
}

/* The 16-byte pieces of a part that a lane copies. Rows past the end repeat the last. */
template <u32 ROWS> struct warp_pieces {
    static constexpr u32 all = ROWS * 9, count = (all + 31) / 32;
    u32 from[count];
};
template <u32 ROWS> CU_FN void aim_warp(warp_pieces<ROWS> &mine, const q1_args &p, u32 row0)
{
#pragma unroll
    for (u32 i = 0; i < mine.count; i++) {
        u32 piece = i * 32 + cu_thread() % 32, line = piece / 9, at = piece % 9 * 16;
        u32 row = row0 + line < p.m ? line : p.m - 1 - row0;
        mine.from[i] = row * p.w_row + at;
    }
}
template <u32 ROWS> CU_FN void fetch_warp(u32 stage, const warp_pieces<ROWS> &mine, const u8 *from)
{
#pragma unroll
    for (u32 i = 0; i < mine.count; i++) {
        u32 piece = i * 32 + cu_thread() % 32;
        if (piece < mine.all) cu_copy16(stage + piece * 16, from + mine.from[i]);
    }
}

/* Four blocks of W onto the chains of this thread's rows and lanes. */
template <u32 ROWS>
CU_FN void four_blocks(float acc[ROWS / 8][2], const u8 *stage, const u32 *codes, const int *start,
                       const float *scale)
{
    u32 thread = cu_thread() % 32, group = thread / 4, member = thread % 4;
    u32 even = group & 1 ? 0 : 0xFFFFFFFF;
    u32 word[ROWS / 8][18];
#pragma unroll
    for (u32 r = 0; r < ROWS / 8; r++)
#pragma unroll
        for (u32 i = 0; i < 9; i++) {
            struct two_words two = *(const struct two_words *)(stage + (r * 8 + group) * PART_BYTES + i * 8);
            word[r][2 * i] = two.v[0];
            word[r][2 * i + 1] = two.v[1];
        }
#pragma unroll
    for (u32 b = 0; b < 4; b++) {
        const bool odd = b & 1;
        const u32 first = b / 2 * 9 + (odd ? 4 : 0);
        u32 shift = odd ? (member - 1) & 31 : 15 + member;
        float ab[ROWS / 8][2];
        struct four_words begin[2], d1s[2];
#pragma unroll
        for (u32 i = 0; i < 2; i++) {
            begin[i] = *(const struct four_words *)(start + (b * 4 + member) * 8 + i * 4);
            d1s[i] = *(const struct four_words *)(scale + b * 8 + i * 4);
        }
#pragma unroll
        for (u32 k = 0; k < Q1_SUBS; k++) {
            u32 code = codes[(b * Q1_SUBS + k) * 32 + thread], b0 = code & even, b1 = code & ~even;
            float zero[2] = {xf_float(begin[k / 2].v[k % 2 * 2]), xf_float(begin[k / 2].v[k % 2 * 2 + 1])};
            float d1 = xf_float(d1s[0].v[k]), d1_odd = xf_float(d1s[1].v[k]);
#pragma unroll
            for (u32 tile = 0; tile < (ROWS + 15) / 16; tile++) {
                u32 a[4] = {};
#pragma unroll
                for (u32 half = 0; half < 2; half++) {
                    if (tile * 2 + half >= ROWS / 8) continue;
                    u32 r = tile * 2 + half, high = word[r][first + k + 1];
                    u32 turned = funnel(odd ? high : word[r][first + k], high, shift);
                    a[half] = turned & 0x02020202u;
                    a[half + 2] = turned & 0x20202020u;
                }
                int sum[4];
                matrix_unit(sum, a, b0, b1, MAGIC_WORD, MAGIC_WORD);
#pragma unroll
                for (u32 i = 0; i < 4 && tile * 2 + i / 2 < ROWS / 8; i++) {
                    float exact = xf_hw_add(xf_float((u32)sum[i]), -zero[i & 1]), d = i & 1 ? d1_odd : d1;
                    float *into = &ab[tile * 2 + i / 2][i & 1];
                    *into = k == 0 ? xf_hw_mul(d, exact) : xf_hw_fma(d, exact, *into);
                }
            }
        }
#pragma unroll
        for (u32 r = 0; r < ROWS / 8; r++) {
            float d0 = odd ? high_half(word[r][first]) : low_half(word[r][first]);
            acc[r][0] = xf_hw_fma(d0, ab[r][0], acc[r][0]);
            acc[r][1] = xf_hw_fma(d0, ab[r][1], acc[r][1]);
        }
    }
}

template <u32 ROWS> CU_FN void stream(const u8 *w, const u8 *x, float *y, const q1_args &p)
{
    constexpr u32 stage_bytes = ROWS * PART_BYTES;
    u32 stages = p.extra[0], warps = p.extra[1], subs = p.blocks * Q1_SUBS, parts = p.blocks / PART;
    u32 warp = cu_thread() / 32, group = cu_thread() % 32 / 4, member = cu_thread() % 4;
    u32 tiles = (p.m + ROWS - 1) / ROWS, tile = cu_block_x() + cu_blocks_x() * warp;
    u32 step = cu_blocks_x() * warps;
    u32 items = warp < warps && tile < tiles ? ((tiles - tile - 1) / step + 1) * parts : 0;
    u32 *codes = (u32 *)(mma_memory + warps * stages * stage_bytes);
    int *start = (int *)(codes + subs * 32);
    float *scale = (float *)(start + subs * Q1_LANES);
    const u8 *ring = mma_memory + warp * stages * stage_bytes, *weights = w + p.w_offset, *from = weights;
    u32 ring_address = cu_shared_address(ring);

    warp_pieces<ROWS> mine = {};
    if (items) {
        aim_warp<ROWS>(mine, p, tile * ROWS);
        from = weights + (u64)tile * ROWS * p.w_row;
    }
    u32 fetch_tile = tile, fetch_part = 0, fetch_stage = 0, fetched = 0;
#define FETCH_NEXT()                                                                                         \
    do {                                                                                                     \
        if (fetched < items) {                                                                               \
            fetch_warp<ROWS>(ring_address + fetch_stage * stage_bytes, mine, from);                          \
            fetch_stage = fetch_stage + 1 == stages ? 0 : fetch_stage + 1;                                   \
            from += PART_BYTES;                                                                              \
            if (++fetch_part == parts) {                                                                     \
                fetch_part = 0;                                                                              \
                fetch_tile += step;                                                                          \
                if (fetched + 1 < items) {                                                                   \
                    aim_warp<ROWS>(mine, p, fetch_tile * ROWS);                                              \
                    from = weights + (u64)fetch_tile * ROWS * p.w_row;                                       \
                }                                                                                            \
            }                                                                                                \
            fetched++;                                                                                       \
        }                                                                                                    \
        copies_commit(); /* an empty group too: waiting counts them */                                       \
    } while (0)

    FETCH_NEXT(); /* the others would keep X waiting */
    prepare_warps(x + (p.x_offset + (u64)cu_block_y() * p.x_row), subs, WARP_THREADS, codes, start, scale);
    for (u32 i = 2; i < stages; i++) FETCH_NEXT();
    cu_barrier();

    u32 part = 0, stage = 0;
    float acc[ROWS / 8][2] = {};
    for (u32 item = 0; item < items; item++) {
        copies_wait(stages - 2);
        warp_barrier(); /* the part is there, and no lane reads the one before any more */
        FETCH_NEXT();
#pragma unroll 1
        for (u32 b = 0; b < PART; b += 4) {
            u32 block = part * PART + b;
            four_blocks<ROWS>(acc, ring + stage * stage_bytes + b * Q1_BYTES, codes + block * Q1_SUBS * 32,
                              start + block * Q1_SUBS * Q1_LANES, scale + block * 8);
        }
        stage = stage + 1 == stages ? 0 : stage + 1;
        if (++part < parts) continue;
        part = 0;
#pragma unroll
        for (u32 r = 0; r < ROWS / 8; r++) {
            float v[2];
#pragma unroll
            for (u32 i = 0; i < 2; i++) {
                v[i] = xf_hw_add(acc[r][i], shuffle_across(acc[r][i], 2));
                v[i] = xf_hw_add(v[i], shuffle_across(v[i], 1));
                acc[r][i] = 0.0f;
            }
            u32 row = tile * ROWS + r * 8 + group;
            if (member == 0 && row < p.m)
                y[p.y_offset + (u64)cu_block_y() * p.y_row + row] = xf_hw_add(v[0], v[1]);
        }
        tile += step;
    }
#undef FETCH_NEXT
}

CU_KERNEL(512, 1) q1_warp32(const u8 *w, const u8 *x, float *y, q1_args p)
{
    stream<32>(w, x, y, p);
}
