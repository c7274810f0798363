/* The matrix product for AVX2 and FMA: tiles of 6 rows by 2 vectors of 8, which fills 12 of the 16 registers with chains. */
#include <immintrin.h>

#define VEC             __m256
#define VEC_LANES       8
#define VEC_ZERO        _mm256_setzero_ps()
#define VEC_LOAD(p)     _mm256_loadu_ps(p)
#define VEC_STORE(p, v) _mm256_storeu_ps(p, v)
#define VEC_ALL(p)      _mm256_broadcast_ss(p)
#define VEC_FMA         _mm256_fmadd_ps
#define VEC_ADD         _mm256_add_ps

#define TILE_ROWS     6
#define TILE_VECS     2
#define BLOCK_TILES_M 12
#define BLOCK_TILES_N 8

#define TILE_FUNCTIONS                                                                                       \
    TILE_FUNCTION(1)                                                                                         \
    TILE_FUNCTION(2)                                                                                         \
    TILE_FUNCTION(4)                                                                                         \
    TILE_FUNCTION(6)
#define TILE_TABLE                                                                                           \
    {                                                                                                        \
        NULL, tile_add_1, tile_add_2, tile_add_4, tile_add_4, tile_add_6, tile_add_6                         \
    }

#define TECHNIQUE    "avx2"
#define SECTION      "assay_matmul_avx2"
#define SECTION_NAME assay_matmul_avx2
#define TILING       matmul_cpu_avx2_tiling

#include "kernels/matmul/cpu_tile.h"
