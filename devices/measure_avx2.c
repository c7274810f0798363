/* Measuring on the CPU with AVX2 and its fused multiply-add. */
#include <immintrin.h>

#define MEASURE_NAME(operation) assay_measure_avx2_##operation
#define MEASURE_VECTOR          __m256
#define MEASURE_LANES           8u
#define MEASURE_SET(value)      _mm256_set1_ps(value)
#define MEASURE_STEP(x, a, b)   _mm256_fmadd_ps(x, a, b)
#define MEASURE_SUM(x, y)       _mm256_add_ps(x, y)
#include "devices/measure_native.h"
