/* The processor's own conversions between f16 and f32 (the F16C instructions), and the f32 words around which rounding to
 * f16 turns: for the tests of row K13. */
#ifndef ASSAY_TESTS_HALF_H
#define ASSAY_TESTS_HALF_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

static inline bool half_has_f16c(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && c & bit_F16C && __builtin_cpu_supports("avx");
}

/* Eight at a time: VCVTPH2PS, and VCVTPS2PH rounding to nearest even. */
__attribute__((target("avx,f16c"))) static inline void half_widen(const uint16_t h[8], uint32_t word[8])
{
    __m256 wide = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)h));
    _mm256_storeu_si256((__m256i *)word, _mm256_castps_si256(wide));
}

__attribute__((target("avx,f16c"))) static inline void half_narrow(const uint32_t word[8], uint16_t h[8])
{
    __m256 wide = _mm256_castsi256_ps(_mm256_loadu_si256((const __m256i *)word));
    _mm_storeu_si128((__m128i *)h, _mm256_cvtps_ph(wide, _MM_FROUND_TO_NEAREST_INT));
}
#else
static inline bool half_has_f16c(void)
{
    return false;
}

static inline void half_widen(const uint16_t h[8], uint32_t word[8])
{
    (void)h;
    memset(word, 0, 8 * sizeof *word);
}

static inline void half_narrow(const uint32_t word[8], uint16_t h[8])
{
    (void)word;
    memset(h, 0, 8 * sizeof *h);
}
#endif

/* Exact mode has one NaN of each type; the processor keeps payloads. */
static inline uint32_t half_one_nan(uint32_t word)
{
    return (word & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : word;
}

static inline uint16_t half_one_nan16(uint16_t h)
{
    return (h & 0x7fff) > 0x7c00 ? 0x7e00 : h;
}

enum { HALF_TURNS = 6 };

/* Around the f16 `h` (finite, positive): its f32, the number halfway to the next one up, and their neighbours. */
static inline void half_turns(uint16_t h, uint32_t word[HALF_TURNS])
{
    const uint16_t pair[8] = {h, (uint16_t)(h + 1)};
    uint32_t wide[8];
    float low, high, middle;
    half_widen(pair, wide);
    memcpy(&low, &wide[0], sizeof low);
    memcpy(&high, &wide[1], sizeof high);
    if (h == 0x7bff) high = 65536; /* where the next f16 would be */
    middle = (low + high) / 2;
    for (int i = 0; i < 2; i++) {
        uint32_t at;
        memcpy(&at, i ? &middle : &low, sizeof at);
        word[3 * i] = at ? at - 1 : at;
        word[3 * i + 1] = at;
        word[3 * i + 2] = at + 1;
    }
}

#endif
