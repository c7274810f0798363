/* The Q1_0 product for AVX-512 F, VL, DQ and BW: the signs as they lie in memory are a mask of 32 bytes. */
#include <immintrin.h>

#define SIGNS __mmask32

static inline __attribute__((always_inline)) __mmask32 signs_load(const unsigned char *bytes)
{
    unsigned word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return _cvtu32_mask32(word);
}

static inline __attribute__((always_inline)) __m256i codes_sum(__mmask32 signs, const signed char *code,
                                                               const signed char *negated)
{
    __m256i q = _mm256_mask_blend_epi8(signs, _mm256_loadu_si256((const __m256i *)negated),
                                       _mm256_loadu_si256((const __m256i *)code));
    __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), q);
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

static inline __attribute__((always_inline)) float scale_at(const unsigned char *bytes)
{
    unsigned short h;
    __builtin_memcpy(&h, bytes, sizeof h);
    return _mm_cvtss_f32(_mm_maskz_cvtph_ps(1, _mm_cvtsi32_si128(h)));
}

#define SECTION      "assay_q1_0_avx512"
#define SECTION_NAME assay_q1_0_avx512
#define TECHNIQUE    "avx512"
#define KERNELS      q1_cpu_avx512_kernels

#include "kernels/q1_0/cpu_vector.h"
