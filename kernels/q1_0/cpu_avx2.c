/* The Q1_0 product for AVX2 and FMA : signs become byte masks by a shuffle. */
#include <immintrin.h>

#define SIGNS __m256i

/* All ones in the bytes whose sign bit is 0. */
static inline __attribute__((always_inline)) __m256i signs_load(const unsigned char *bytes)
{
    const __m256i spread = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
    int word;
    __builtin_memcpy(&word, bytes, sizeof word);
    __m256i each = _mm256_shuffle_epi8(_mm256_set1_epi32(word), spread);
    return _mm256_cmpeq_epi8(_mm256_and_si256(each, bit), _mm256_setzero_si256());
}

static inline __attribute__((always_inline)) __m256i codes_sum(__m256i flip, const signed char *code,
                                                               const signed char *negated)
{
    (void)negated;
    __m256i q = _mm256_loadu_si256((const __m256i *)code);
    q = _mm256_sub_epi8(_mm256_xor_si256(q, flip), flip);
    __m256i pairs = _mm256_maddubs_epi16(_mm256_set1_epi8(1), q);
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

/* An f16: its bits in an f32's place, times 2^112, which is exact for subnormal ones too. */
static inline __attribute__((always_inline)) float scale_at(const unsigned char *bytes)
{
    unsigned h = bytes[0] | (unsigned)bytes[1] << 8, word = (h & 0x7fff) << 13;
    float scale;
    __builtin_memcpy(&scale, &word, sizeof scale);
    scale *= 0x1p112f;
    __builtin_memcpy(&word, &scale, sizeof word);
    word |= ((h & 0x7c00) == 0x7c00 ? 0x7f800000 : 0) | (h & 0x8000) << 16;
    __builtin_memcpy(&scale, &word, sizeof scale);
    return scale;
}

#define SECTION      "assay_q1_0_avx2"
#define SECTION_NAME assay_q1_0_avx2
#define TECHNIQUE    "avx2"
#define KERNELS      q1_cpu_avx2_kernels

#include "kernels/q1_0/cpu_vector.h"
