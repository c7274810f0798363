/* Q1_0 product with many vectors, CUDA: W is read once for eight vectors, whose signs a warp keeps in registers while it
 * walks over them.
 *
 * Exactness: rule 11, and the trick of cuda_mma.cu. q0 is a code, or 0 where it is -128; with sign bit b a lane's sum is
 * sum(2 b q0) - sum(q0) - 128 * (codes of -128), which keeps -(-128) = -128: the integer matrix unit adds it up from a start
 * that holds the two last parts. A is 16 rows by 32 signs: thread t of four holds the signs 8b + t as bytes of value 2 and
 * 8b + 4 + t as bytes of value 32, so odd lanes' sums are 16 times too large and meet d1 / 16. B is 32 codes by 8 lanes, each
 * code in its own lane's column: one byte a thread. Sums start at 2^23 * 1.5 as bits, so they are floats already. d1 * s is
 * exact; RN(ab + d1 * s) over the four sub-blocks; acc = fma(d0, ab, acc) from +0, blocks ascending; lanes as ((0 + 4) + (2 +
 * 6)) + ((1 + 5) + (3 + 7)).
 *
 * Two launches. q1_mat_ready writes X as warps want it, eight vectors and a block of W a record of RECORD bytes: codes [8][32]
 * words, byte k of word t code t of sub-block k; starts [8][4][4][2], thread of four, sub-block, lane's parity; scales [8][4][2],
 * d1 and d1 / 16. Vectors past the end have no codes and scales of 0. The product copies records and rows of W to shared memory
 * in chunks of 8 blocks, one ahead. extra[0]: bytes a copy of W (16 or 4), of which its address and stride are multiples. An
 * even number of blocks. */
#include "kernels/q1_0/cuda_stream.h"

#define CHUNK       8u                 /* blocks of W */
#define CHUNK_BYTES (CHUNK * Q1_BYTES) /* 144: also a line of a stage; 8 rows meet 8 different banks */
#define VECTORS     8u                 /* of a warp */
#define STARTS_AT   1024u
#define SCALES_AT   2048u
#define RECORD      2304u

#define MAGIC_WORD 0x4B400000 /* of 1.5 * 2^23, whose last bit is worth 1 */
#define MAGIC      12582912.0f

extern CU_SHARED __attribute__((aligned(16))) u8 mat_memory[];

struct __attribute__((aligned(16))) four_words {
    u32 v[4];
};

CU_FN void matrix_unit(int d[4], const u32 a[4], u32 b0, u32 b1, u32 c0, u32 c1)
{
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%10,%11};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "r"(c0), "r"(c1));
}

CU_FN float shuffle_xor(float x, u32 by)
{
    float r;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(r) : "f"(x), "r"(by));
    return r;
}

/* Bytes of x by the four nibbles of pick; 4 = a byte of 0. */
CU_FN u32 pick_bytes(u32 x, u32 pick)
{
    u32 r;
    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(r) : "r"(x), "r"(pick));
    return r;
}

CU_FN void copies_wait_all()
{
    asm volatile("cp.async.wait_group 0;" ::: "memory");
}

/* ---- X ---- */

/* q0 of code t of a sub-block, and what a code adds to its lane's start. */
CU_FN u32 code_kept(u32 byte)
{
    return byte == 0x80 ? 0 : byte;
}
CU_FN int code_start(u32 byte)
{
    return byte == 0x80 ? -128 : -(int)(signed char)byte;
}

/* A warp a vector and block of W. Grid: x over blocks of W, y over groups of eight vectors. */
CU_KERNEL(256, 1) q1_mat_ready(const u8 *x, u8 *ready, q1_args p)
{
    u32 t = cu_thread() % 32, in_group = cu_thread() / 32, vector = cu_block_y() * VECTORS + in_group;
    u8 *record = ready + ((u64)cu_block_y() * p.blocks + cu_block_x()) * RECORD;
    const u8 *from = x + (p.x_offset + (u64)vector * p.x_row + (u64)cu_block_x() * (Q1_SUBS * Q8_BYTES));
    u32 codes = 0, start = MAGIC_WORD;
    float scale = 0.0f;
    if (vector < p.n) {
        const u8 *of_lane = from + t / 8 * Q8_BYTES + 2 + t % 8 * 4; /* sub-block t / 8, lane t % 8 */
        int constant = 0;
#pragma unroll
        for (u32 k = 0; k < Q1_SUBS; k++) codes |= code_kept(from[k * Q8_BYTES + 2 + t]) << 8 * k;
#pragma unroll
        for (u32 e = 0; e < 4; e++) constant += code_start(of_lane[e]);
        start = (u32)(MAGIC_WORD + constant * (t & 1 ? 16 : 1));
        const u8 *d1 = from + t % 8 / 2 * Q8_BYTES;
        scale = half_at(d1[0] | (u32)d1[1] << 8);
    }
    u32 lane = t % 8, sub = t / 8;
    ((u32 *)record)[in_group * 32 + t] = codes;
    ((u32 *)(record + STARTS_AT))[in_group * 32 + lane / 2 * 8 + sub * 2 + lane % 2] = start;
    if (t < 8) ((float *)(record + SCALES_AT))[in_group * 8 + t] = t % 2 ? xf_hw_mul(scale, 0.0625f) : scale;
}

/* ---- the product ---- */

/* TILES tiles of 16 rows a warp; a block has WARPS_M times WARPS_N warps, rows by vectors. */
template <u32 TILES, u32 WARPS_M, u32 WARPS_N> struct mat {
    static constexpr u32 threads = 32 * WARPS_M * WARPS_N, rows = 16 * TILES * WARPS_M;
    static constexpr u32 w_bytes = rows * CHUNK_BYTES, x_bytes = WARPS_N * CHUNK * RECORD;
    static constexpr u32 stage = w_bytes + x_bytes;

    /* Start copying a chunk of all rows and vectors of this block. Rows past the end repeat the last. */
    static CU_METHOD void fetch(u32 to, const u8 *w, const u8 *ready, const q1_args &p, u32 chunk)
    {
        u32 left = p.blocks - chunk * CHUNK, count = left < CHUNK ? left : CHUNK, bytes = count * Q1_BYTES;
        u32 row0 = cu_block_x() * rows, size = p.extra[0], pieces = CHUNK_BYTES / size;
        const u8 *from = w + (u64)chunk * CHUNK_BYTES;
        for (u32 piece = cu_thread(); piece < rows * pieces; piece += threads) {
            u32 line = piece / pieces, at = piece % pieces * size;
            if (at >= bytes) continue;
            u32 row = row0 + line < p.m ? row0 + line : p.m - 1;
            if (size == 16)
                cu_copy16(to + line * CHUNK_BYTES + at, from + (u64)row * p.w_row + at);
            else
                cu_copy4(to + line * CHUNK_BYTES + at, from + (u64)row * p.w_row + at);
        }
#pragma unroll
        for (u32 g = 0; g < WARPS_N; g++) {
            const u8 *records =
                ready + (((u64)cu_block_y() * WARPS_N + g) * p.blocks + chunk * CHUNK) * RECORD;
            for (u32 at = cu_thread() * 16; at < count * RECORD; at += threads * 16)
                cu_copy16(to + w_bytes + g * (CHUNK * RECORD) + at, records + at);
        }
    }

    /* One block of W by eight vectors. words: of this thread's first row; the signs of an even block start in the upper half
     * of word 0, those of an odd one with word 0. d0: of this thread's rows. */
    template <bool ODD>
    static CU_METHOD void one_block(float (&acc)[VECTORS][TILES][2][2], const u32 *words,
                                    const float (&d0)[TILES][2], const u8 *record)
    {
        u32 thread = cu_thread() % 32, group = thread / 4, member = thread % 4;
        u32 shift = ODD ? (member - 1) & 31 : 15 + member;
        u32 a[TILES][Q1_SUBS][4];
#pragma unroll
        for (u32 tile = 0; tile < TILES; tile++)
#pragma unroll
            for (u32 half = 0; half < 2; half++) {
                const u32 *of_row = words + (tile * 16 + half * 8) * (CHUNK_BYTES / 4);
                u32 before = of_row[0];
#pragma unroll
                for (u32 k = 0; k < Q1_SUBS; k++) {
                    u32 word = ODD ? of_row[k] : of_row[k + 1];
                    u32 turned = funnel(ODD ? word : before, word, shift);
                    before = word;
                    a[tile][k][half] = turned & 0x02020202u;
                    a[tile][k][half + 2] = turned & 0x20202020u;
                }
            }
        /* byte k of a word of codes to byte group / 2 of B: of b0 for even lanes, of b1 for odd ones */
        u32 step = 1u << 4 * (group / 2), base = 0x4444u - 4 * step;
#pragma unroll
        for (u32 v = 0; v < VECTORS; v++) {
            u32 codes = ((const u32 *)record)[v * 32 + thread];
            const struct four_words *at =
                (const struct four_words *)(record + STARTS_AT) + (v * 4 + member) * 2;
            const struct four_words *of_v = (const struct four_words *)(record + SCALES_AT) + v * 2;
            struct four_words start[2] = {at[0], at[1]}, scale[2] = {of_v[0], of_v[1]};
            float ab[TILES][2][2];
#pragma unroll
            for (u32 k = 0; k < Q1_SUBS; k++) {
                u32 pick = base + k * step;
                u32 b0 = pick_bytes(codes, group & 1 ? 0x4444u : pick);
                u32 b1 = pick_bytes(codes, group & 1 ? pick : 0x4444u);
                u32 c0 = start[k / 2].v[k % 2 * 2], c1 = start[k / 2].v[k % 2 * 2 + 1];
                float d[2] = {xf_float(scale[k / 2].v[k % 2 * 2]), xf_float(scale[k / 2].v[k % 2 * 2 + 1])};
#pragma unroll
                for (u32 tile = 0; tile < TILES; tile++) {
                    int sum[4];
                    matrix_unit(sum, a[tile][k], b0, b1, c0, c1);
#pragma unroll
                    for (u32 i = 0; i < 4; i++) {
                        float exact = xf_hw_add(xf_float((u32)sum[i]), -MAGIC);
                        float *into = &ab[tile][i / 2][i % 2];
                        *into = k == 0 ? xf_hw_mul(d[i % 2], exact) : xf_hw_fma(d[i % 2], exact, *into);
                    }
                }
            }
#pragma unroll
            for (u32 tile = 0; tile < TILES; tile++)
#pragma unroll
                for (u32 i = 0; i < 4; i++)
                    acc[v][tile][i / 2][i % 2] =
                        xf_hw_fma(d0[tile][i / 2], ab[tile][i / 2][i % 2], acc[v][tile][i / 2][i % 2]);
        }
    }

    static CU_METHOD void run(const u8 *w, const u8 *ready, float *y, const q1_args &p)
    {
        u32 thread = cu_thread() % 32, group = thread / 4, member = thread % 4;
        u32 warp = cu_thread() / 32, warp_m = warp % WARPS_M, warp_n = warp / WARPS_M;
        u32 chunks = (p.blocks + CHUNK - 1) / CHUNK, ring = cu_shared_address(mat_memory);
        const u8 *weights = w + p.w_offset;
        float acc[VECTORS][TILES][2][2];
#pragma unroll
        for (u32 v = 0; v < VECTORS; v++)
#pragma unroll
            for (u32 tile = 0; tile < TILES; tile++)
#pragma unroll
                for (u32 i = 0; i < 4; i++) acc[v][tile][i / 2][i % 2] = 0.0f;

        fetch(ring, weights, ready, p, 0);
        copies_commit();
        for (u32 chunk = 0; chunk < chunks; chunk++) {
            copies_wait_all();
            cu_barrier(); /* this chunk is there, and nobody reads the one before any more */
            if (chunk + 1 < chunks) fetch(ring + (~chunk & 1) * stage, weights, ready, p, chunk + 1);
            copies_commit();
            const u8 *here = mat_memory + (chunk & 1) * stage;
            const u8 *line = here + (warp_m * TILES * 16 + group) * CHUNK_BYTES;
            const u8 *record = here + w_bytes + warp_n * (CHUNK * RECORD);
            u32 left = p.blocks - chunk * CHUNK, count = left < CHUNK ? left : CHUNK;
#pragma unroll 1
            for (u32 b = 0; b < count; b += 2, record += 2 * RECORD) { /* an even number of blocks */
                const u8 *two = line + b * Q1_BYTES;
                float d0[2][TILES][2];
#pragma unroll
                for (u32 i = 0; i < 4 * TILES; i++)
                    d0[i % 2][i / 4][i / 2 % 2] =
                        half_at(*(const unsigned short *)(two + (i / 4 * 16 + i / 2 % 2 * 8) * CHUNK_BYTES +
                                                          i % 2 * Q1_BYTES));
                one_block<false>(acc, (const u32 *)two, d0[0], record);
                one_block<true>(acc, (const u32 *)two + 5, d0[1], record + RECORD);
            }
        }

        u32 row0 = cu_block_x() * rows + warp_m * TILES * 16 + group;
        u32 vector0 = (cu_block_y() * WARPS_N + warp_n) * VECTORS;
#pragma unroll
        for (u32 v = 0; v < VECTORS; v++)
#pragma unroll
            for (u32 r = 0; r < 2 * TILES; r++) {
                float lane[2];
#pragma unroll
                for (u32 i = 0; i < 2; i++) {
                    float sum = acc[v][r / 2][r % 2][i];
                    sum = xf_hw_add(sum, shuffle_xor(sum, 2));
                    lane[i] = xf_hw_add(sum, shuffle_xor(sum, 1));
                }
                u32 row = row0 + r / 2 * 16 + r % 2 * 8, vector = vector0 + v;
                if (v % 4 == member && row < p.m && vector < p.n) /* all four have it, so they take turns */
                    y[p.y_offset + (u64)vector * p.y_row + row] = xf_hw_add(lane[0], lane[1]);
            }
    }
};

CU_KERNEL(64, 4) q1_mat_few(const u8 *w, const u8 *ready, float *y, q1_args p)
{
    mat<1, 2, 1>::run(w, ready, y, p);
}

CU_KERNEL(128, 3) q1_mat_many(const u8 *w, const u8 *ready, float *y, q1_args p)
{
    mat<2, 4, 1>::run(w, ready, y, p);
}
