/* Measuring on the CPU with AVX-512 and its fused multiply-add. */
#include <immintrin.h>

#define MEASURE_NAME(operation) assay_measure_avx512_##operation
#define MEASURE_VECTOR          __m512
#define MEASURE_LANES           16u
#define MEASURE_SET(value)      _mm512_set1_ps(value)
#define MEASURE_STEP(x, a, b)   _mm512_fmadd_ps(x, a, b)
#define MEASURE_SUM(x, y)       _mm512_add_ps(x, y)
#include "devices/measure_native.h"
