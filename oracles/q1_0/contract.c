/* The bits of exact mode for a Q1_0 product (docs/exactness.md rule 11, rows K08 and K09): the order of ggml's AVX2 kernel.
 *
 * A q1_0 block meets four q8_0 blocks, the sub-blocks. d0 and d1[k] are the scales, as f32 (exact). In sub-block k lane
 * l = 0 .. 7 owns the codes 4l .. 4l + 3:
 *
 *     s[k][l] = the exact sum of the lane's four codes, each negated where its sign bit is 0; -(-128) wraps to -128
 *     ab[l]   = RN(d1[0] * s[0][l]), then ab[l] = fma(d1[k], s[k][l], ab[l]) for k = 1, 2, 3
 *     acc[l]  = fma(d0, ab[l], acc[l]), block after block, from +0
 *     result  = RN(RN(RN(a0 + a4) + RN(a2 + a6)) + RN(RN(a1 + a5) + RN(a3 + a7)))
 *
 * and every NaN is stored as 7fc00000. Scales that are infinite or NaN take part as IEEE 754 says. Lanes are kept in
 * four planes, plane p holding each lane's code p, even lanes before odd ones, so that a compiler makes vectors of the
 * loops. It must know nothing of the kernels that it judges. Every build of it gives the same bits: fmaf is the correctly
 * rounded one, and nothing else here may be fused (-ffp-contract=off). */
#include "oracles/q1_0/q1_0.h"

#include <math.h>
#include <string.h>

enum { BAND = 64, CHUNK = 32, ALL_LANES = Q1_0_SUBS * Q1_0_LANES, PLANES = 4 };

/* Some blocks of a row of X. */
struct chunk {
    uint8_t code[CHUNK][PLANES][ALL_LANES];
    float d[CHUNK][Q1_0_SUBS];
};

/* The lane at place j of eight: the low four bits of four sign bytes, then the high ones. */
static inline __attribute__((always_inline)) int lane_at(int j)
{
    return 2 * (j & 3) + (j >> 2);
}

/* An f16, exactly. */
static inline __attribute__((always_inline)) float half(const uint8_t low_high[2])
{
    const uint32_t h = low_high[0] | (uint32_t)low_high[1] << 8;
    const uint32_t sign = h >> 15 << 31, field = h >> 10 & 31, fraction = h & 0x3ff;
    uint32_t bits = sign | (field + 112) << 23 | fraction << 13;
    float value;
    if (field == 31) bits = sign | 0x7f800000 | fraction << 13;
    if (field == 0) {
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline __attribute__((always_inline)) void read_chunk(const uint8_t *x, int64_t step, int64_t blocks,
                                                             struct chunk *chunk)
{
    for (int64_t b = 0; b < blocks; ++b)
        for (int k = 0; k < Q1_0_SUBS; ++k) {
            const uint8_t *from = x + (b * Q1_0_SUBS + k) * Q1_0_ACTIVATION_BYTES * step;
            const uint8_t scale[2] = {from[0], from[step]};
            chunk->d[b][k] = half(scale);
            for (int j = 0; j < Q1_0_LANES; ++j)
                for (int p = 0; p < PLANES; ++p)
                    chunk->code[b][p][k * Q1_0_LANES + j] = from[(2 + 4 * lane_at(j) + p) * step];
        }
}

/* acc[l] += one block, for the eight lanes. */
static inline __attribute__((always_inline)) void add_block(const uint8_t *w, uint8_t code[PLANES][ALL_LANES],
                                                            const float *d, float acc[Q1_0_LANES])
{
    const float d0 = half(w);
    uint8_t signs[ALL_LANES];
    int16_t s[ALL_LANES];
    float f[ALL_LANES], ab[Q1_0_LANES];
    for (int k = 0; k < Q1_0_SUBS; ++k) {
        uint32_t four, low, high;
        memcpy(&four, w + 2 + 4 * k, sizeof four);
        low = four & 0x0f0f0f0f;
        high = four >> 4 & 0x0f0f0f0f;
        memcpy(signs + 8 * k, &low, sizeof low);
        memcpy(signs + 8 * k + 4, &high, sizeof high);
    }
    for (int l = 0; l < ALL_LANES; ++l) s[l] = 0;
    for (int p = 0; p < PLANES; ++p)
        for (int l = 0; l < ALL_LANES; ++l) {
            const uint8_t flip = (uint8_t)((signs[l] >> p & 1) - 1);
            s[l] = (int16_t)(s[l] + (int8_t)(uint8_t)((code[p][l] ^ flip) - flip));
        }
    for (int l = 0; l < ALL_LANES; ++l) f[l] = s[l];
    for (int l = 0; l < Q1_0_LANES; ++l) ab[l] = d[0] * f[l];
    for (int k = 1; k < Q1_0_SUBS; ++k)
        for (int l = 0; l < Q1_0_LANES; ++l) ab[l] = fmaf(d[k], f[k * Q1_0_LANES + l], ab[l]);
    for (int l = 0; l < Q1_0_LANES; ++l) acc[l] = fmaf(d0, ab[l], acc[l]);
}

/* Elements [i0, i1) of row j of Y, BAND of them at most. */
static inline __attribute__((always_inline)) void band(const struct q1_0_view *v, int64_t j, int64_t i0,
                                                       int64_t i1, float *y)
{
    struct chunk chunk;
    float acc[BAND][Q1_0_LANES];
    for (int64_t i = 0; i < i1 - i0; ++i)
        for (int l = 0; l < Q1_0_LANES; ++l) acc[i][l] = 0;
    for (int64_t b0 = 0; b0 < v->blocks; b0 += CHUNK) {
        const int64_t blocks = v->blocks - b0 < CHUNK ? v->blocks - b0 : CHUNK;
        read_chunk(v->x + j * v->x_row + b0 * Q1_0_SUBS * Q1_0_ACTIVATION_BYTES * v->x_byte, v->x_byte,
                   blocks, &chunk);
        for (int64_t i = i0; i < i1; ++i) {
            const uint8_t *w = v->w + i * v->w_row + b0 * Q1_0_BYTES * v->w_byte;
            for (int64_t b = 0; b < blocks; ++b) {
                uint8_t block[Q1_0_BYTES];
                for (int at = 0; at < Q1_0_BYTES && v->w_byte != 1; ++at)
                    block[at] = w[(b * Q1_0_BYTES + at) * v->w_byte];
                add_block(v->w_byte == 1 ? w + b * Q1_0_BYTES : block, chunk.code[b], chunk.d[b],
                          acc[i - i0]);
            }
        }
    }
    for (int64_t i = 0; i < i1 - i0; ++i) {
        /* Lanes 0, 2, 4, 6, then 1, 3, 5, 7. */
        const float *a = acc[i], even = (a[0] + a[2]) + (a[1] + a[3]), odd = (a[4] + a[6]) + (a[5] + a[7]);
        const float value = even + odd;
        const uint32_t nan = 0x7fc00000u;
        float *to = y + j * v->y_row + (i0 + i) * v->y_col;
        if (value != value)
            memcpy(to, &nan, sizeof nan);
        else
            *to = value;
    }
}

typedef void band_fn(const struct q1_0_view *v, int64_t j, int64_t i0, int64_t i1, float *y);

static void band_plain(const struct q1_0_view *v, int64_t j, int64_t i0, int64_t i1, float *y)
{
    band(v, j, i0, i1, y);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void band_avx2(const struct q1_0_view *v, int64_t j, int64_t i0,
                                                          int64_t i1, float *y)
{
    band(v, j, i0, i1, y);
}

__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,avx2,fma"))) static void
band_avx512(const struct q1_0_view *v, int64_t j, int64_t i0, int64_t i1, float *y)
{
    band(v, j, i0, i1, y);
}
#endif

static band_fn *band_by(enum q1_0_path path)
{
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    if (path == Q1_0_PATH_AUTO) path = avx512 ? Q1_0_PATH_AVX512 : avx2 ? Q1_0_PATH_AVX2 : Q1_0_PATH_PLAIN;
    if (path == Q1_0_PATH_AVX512) return avx512 ? band_avx512 : NULL;
    if (path == Q1_0_PATH_AVX2) return avx2 ? band_avx2 : NULL;
#else
    if (path != Q1_0_PATH_AUTO && path != Q1_0_PATH_PLAIN) return NULL;
#endif
    return band_plain;
}

bool q1_0_contract_by(enum q1_0_path path, const struct assay_tensor *in, struct assay_tensor *out,
                      int64_t row0, int64_t row1)
{
    struct q1_0_view view;
    char why[200];
    band_fn *run = band_by(path);
    if (!run || !q1_0_view_read(&in[0], &in[1], out, &view, why)) return false;
    float *y = (float *)out->data + view.y_offset;
    for (int64_t row = row0; row < row1;) {
        const int64_t j = row / view.m, i = row % view.m;
        int64_t count = row1 - row < view.m - i ? row1 - row : view.m - i;
        if (count > BAND) count = BAND;
        run(&view, j, i, i + count, y);
        row += count;
    }
    return true;
}

void q1_0_contract(const struct op_case *c, const struct assay_tensor *in, struct assay_tensor *out,
                   int64_t row0, int64_t row1)
{
    (void)c;
    q1_0_contract_by(Q1_0_PATH_AUTO, in, out, row0, row1);
}
