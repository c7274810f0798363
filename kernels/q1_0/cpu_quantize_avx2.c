/* The Q8_0 quantizer for AVX2, FMA and F16C.
 *
 * Exactness: row K07. Division, multiplication and both conversions are the processor's, which round to nearest even as the
 * definition does (the pool's threads run in the default environment, subnormals kept); nothing is summed. */
#include "kernels/q1_0/cpu.h"

#include <immintrin.h>
#include <string.h>

#define KERNEL static __attribute__((section("assay_q1_0_quantize_avx2")))

enum { VECTORS = Q8_NUMBERS / 8 };

static inline __attribute__((always_inline)) uint32_t largest(__m256i word)
{
    __m128i m = _mm_max_epu32(_mm256_castsi256_si128(word), _mm256_extracti128_si256(word, 1));
    m = _mm_max_epu32(m, _mm_shuffle_epi32(m, _MM_SHUFFLE(1, 0, 3, 2)));
    m = _mm_max_epu32(m, _mm_shuffle_epi32(m, _MM_SHUFFLE(2, 3, 0, 1)));
    return (uint32_t)_mm_cvtsi128_si32(m);
}

static inline __attribute__((always_inline)) void quantize_block(const float *x, uint8_t *y)
{
    __m256 part[VECTORS];
    __m256i most = _mm256_setzero_si256(), code[VECTORS];
    for (int i = 0; i < VECTORS; i++) {
        part[i] = _mm256_loadu_ps(x + 8 * i);
        most = _mm256_max_epu32(
            most, _mm256_and_si256(_mm256_castps_si256(part[i]), _mm256_set1_epi32(0x7fffffff)));
    }
    const uint32_t amax_word = largest(most);
    float amax, inverse;
    uint32_t inverse_word, scale;
    memcpy(&amax, &amax_word, sizeof amax);
    scale = (uint32_t)_mm_cvtsi128_si32(_mm_cvtps_ph(_mm_set_ss(amax / 127.0f), _MM_FROUND_TO_NEAREST_INT));
    scale &= 0xffff;
    inverse = 127.0f / amax;
    memcpy(&inverse_word, &inverse, sizeof inverse);
    if (scale >= 0x7c00) { /* no finite scale: infinite or NaN numbers too */
        y[0] = 0x00;
        y[1] = 0x7e;
        memset(y + 2, 0x80, Q8_NUMBERS);
        return;
    }
    if (inverse_word == 0x7f800000) {
        memset(y, 0, Q8_BYTES);
        return;
    }
    for (int i = 0; i < VECTORS; i++)
        code[i] = _mm256_cvtps_epi32(_mm256_mul_ps(part[i], _mm256_set1_ps(inverse)));
    /* packing works within halves, so groups of four come out as 0 2 4 6 1 3 5 7 */
    const __m256i bytes =
        _mm256_packs_epi16(_mm256_packs_epi32(code[0], code[1]), _mm256_packs_epi32(code[2], code[3]));
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    y[0] = (uint8_t)scale;
    y[1] = (uint8_t)(scale >> 8);
    _mm256_storeu_si256((__m256i *)(y + 2), _mm256_permutevar8x32_epi32(bytes, order));
}

/* Workgroup g: up to Q8_CPU_BLOCKS blocks of one row. Buffers: X, Y. */
KERNEL void quantize(void *const *buffers, const void *push, const uint32_t group[3])
{
    const struct q1_push *p = push;
    const int64_t parts = ((int64_t)p->blocks + Q8_CPU_BLOCKS - 1) / Q8_CPU_BLOCKS, row = group[0] / parts;
    int64_t block = group[0] % parts * Q8_CPU_BLOCKS;
    const int64_t end = block + Q8_CPU_BLOCKS < p->blocks ? block + Q8_CPU_BLOCKS : p->blocks;
    const float *x = (const float *)buffers[0] + p->x_offset + row * p->x_row;
    uint8_t *y = (uint8_t *)buffers[1] + p->y_offset + row * p->y_row;
    for (; block < end; block++) quantize_block(x + block * Q8_NUMBERS, y + block * Q8_BYTES);
}

extern const char __start_assay_q1_0_quantize_avx2[] __attribute__((visibility("hidden")));
extern const char __stop_assay_q1_0_quantize_avx2[] __attribute__((visibility("hidden")));

const struct assay_code q8_cpu_avx2_code = {
    .kind = ASSAY_CODE_NATIVE,
    .name = "q1_0.cpu.quantize_avx2",
    .data = __start_assay_q1_0_quantize_avx2,
    .end = __stop_assay_q1_0_quantize_avx2,
    .native = quantize,
};
