/* The Q1_0 product for AVX2, FMA and F16C: signs become bytes of 0 and 1 by a shuffle.
 *
 * A lane's sum is that of its negated codes, made once, plus twice that of the codes whose sign is set: -q + 2q = q. The
 * code -128, whose negation wraps to itself, counts as 0 among the latter. */
#include <immintrin.h>

#define SIGNS __m256i

/* 1 in the bytes whose sign bit is 1. */
static inline __attribute__((always_inline)) __m256i signs_load(const unsigned char *bytes)
{
    const __m256i spread = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    int word;
    __builtin_memcpy(&word, bytes, sizeof word);
    __m256i each = _mm256_shuffle_epi8(_mm256_set1_epi32(word), spread);
    return _mm256_min_epu8(_mm256_and_si256(each, bit), _mm256_set1_epi8(1));
}

/* The codes, 0 for -128; 8 sums of the negated codes. */
static inline __attribute__((always_inline)) void codes_prepare(__m256i code, signed char *first,
                                                                signed char *second)
{
    const __m256i least = _mm256_cmpeq_epi8(code, _mm256_set1_epi8(-128));
    const __m256i negated = _mm256_sub_epi8(_mm256_setzero_si256(), code);
    const __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), negated);
    _mm256_storeu_si256((__m256i *)first, _mm256_andnot_si256(least, code));
    _mm256_storeu_si256((__m256i *)second, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline __attribute__((always_inline)) __m256i codes_sum(__m256i signs, const signed char *codes,
                                                               const signed char *negated)
{
    __m256i pairs = _mm256_maddubs_epi16(signs, _mm256_loadu_si256((const __m256i *)codes));
    __m256i twice = _mm256_madd_epi16(pairs, _mm256_set1_epi16(2));
    return _mm256_add_epi32(twice, _mm256_loadu_si256((const __m256i *)negated));
}

static inline __attribute__((always_inline)) __m256 scale_everywhere(const unsigned char *bytes)
{
    short h;
    __builtin_memcpy(&h, bytes, sizeof h);
    return _mm256_cvtph_ps(_mm_set1_epi16(h));
}

static inline __attribute__((always_inline)) float scale_at(const unsigned char *bytes)
{
    return _mm256_cvtss_f32(scale_everywhere(bytes));
}

#define SECTION      "assay_q1_0_avx2"
#define SECTION_NAME assay_q1_0_avx2
#define TECHNIQUE    "avx2"
#define KERNELS      q1_cpu_avx2_kernels

#include "kernels/q1_0/cpu_vector.h"
