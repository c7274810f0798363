/* The matrix product for AVX-512: tiles of 14 rows by 2 vectors of 16, which fills 28 of the 32 registers with chains. */
#include <immintrin.h>

#define VEC             __m512
#define VEC_LANES       16
#define VEC_ZERO        _mm512_setzero_ps()
#define VEC_LOAD(p)     _mm512_loadu_ps(p)
#define VEC_STORE(p, v) _mm512_storeu_ps(p, v)
#define VEC_ALL(p)      _mm512_set1_ps(*(p))
#define VEC_FMA         _mm512_fmadd_ps
#define VEC_ADD         _mm512_add_ps

#define TILE_ROWS     14
#define TILE_VECS     2
#define BLOCK_TILES_M 6
#define BLOCK_TILES_N 4

#define TILE_FUNCTIONS                                                                                       \
    TILE_FUNCTION(1)                                                                                         \
    TILE_FUNCTION(2)                                                                                         \
    TILE_FUNCTION(4)                                                                                         \
    TILE_FUNCTION(8)                                                                                         \
    TILE_FUNCTION(14)
#define TILE_TABLE                                                                                           \
    {                                                                                                        \
        NULL, tile_add_1, tile_add_2, tile_add_4, tile_add_4, tile_add_8, tile_add_8, tile_add_8,            \
            tile_add_8, tile_add_14, tile_add_14, tile_add_14, tile_add_14, tile_add_14, tile_add_14         \
    }

#define TECHNIQUE    "avx512"
#define SECTION      "assay_matmul_avx512"
#define SECTION_NAME assay_matmul_avx512
#define TILING       matmul_cpu_avx512_tiling

#include "kernels/matmul/cpu_tile.h"
