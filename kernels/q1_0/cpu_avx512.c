/* The Q1_0 product for AVX-512 F, VL, DQ and BW: the signs as they lie in memory are a mask of 32 bytes. */
#include <immintrin.h>

#define SIGNS __mmask32

static inline __attribute__((always_inline)) __mmask32 signs_load(const unsigned char *bytes)
{
    unsigned word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return _cvtu32_mask32(word);
}

/* The codes, and the codes negated, wrapping. */
static inline __attribute__((always_inline)) void codes_prepare(__m256i code, signed char *first,
                                                                signed char *second)
{
    _mm256_storeu_si256((__m256i *)first, code);
    _mm256_storeu_si256((__m256i *)second, _mm256_sub_epi8(_mm256_setzero_si256(), code));
}

static inline __attribute__((always_inline)) __m256i codes_sum(__mmask32 signs, const signed char *code,
                                                               const signed char *negated)
{
    __m256i q = _mm256_mask_blend_epi8(signs, _mm256_loadu_si256((const __m256i *)negated),
                                       _mm256_loadu_si256((const __m256i *)code));
    __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), q);
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

static inline __attribute__((always_inline)) __m256 scale_everywhere(const unsigned char *bytes)
{
    short h;
    __builtin_memcpy(&h, bytes, sizeof h);
    return _mm256_maskz_cvtph_ps(0xff, _mm_set1_epi16(h));
}

static inline __attribute__((always_inline)) float scale_at(const unsigned char *bytes)
{
    return _mm256_cvtss_f32(scale_everywhere(bytes));
}

#define SECTION      "assay_q1_0_avx512"
#define SECTION_NAME assay_q1_0_avx512
#define TECHNIQUE    "avx512"
#define KERNELS      q1_cpu_avx512_kernels

#include "kernels/q1_0/cpu_vector.h"
