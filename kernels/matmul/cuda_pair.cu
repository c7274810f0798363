/* Matrix product, CUDA, tiled, chains in registers only: the entry points of cuda_pair.h, where the order of accumulation
 * is written down.
 *
 * nn: A along k, B across k (both row-major). nt: both along k (B is the transpose of a row-major matrix). any: whatever
 * strides and alignment. The names say rows x columns of a tile. */
#include "kernels/matmul/cuda_pair.h"

#define LAYOUT(name, layout, blocks, wm, wn, tn, how_b, how_a)                                               \
    CU_KERNEL(wm *wn * 32, blocks)                                                                           \
    matmul_##name##_##layout(const float *a, const float *b, float *y, matmul_args p)                        \
    {                                                                                                        \
        pair<wm, wn, tn, how_a, how_b, false>(a, b, y, 0, p);                                                \
    }
#define PAIR(name, blocks, wm, wn, tn)                                                                       \
    LAYOUT(name, nn, blocks, wm, wn, tn, LOAD_WIDE, LOAD_WIDE)                                               \
    LAYOUT(name, nt, blocks, wm, wn, tn, LOAD_ANY, LOAD_WIDE)                                                \
    LAYOUT(name, any, blocks, wm, wn, tn, LOAD_ANY, LOAD_ANY)
#define TAIL(layout, how_b, how_a)                                                                           \
    CU_KERNEL(256, 2)                                                                                        \
    matmul_tail128_##layout(const float *a, const float *b, float *y, cu_f4 *scratch, matmul_args p)         \
    {                                                                                                        \
        pair<4, 2, 8, how_a, how_b, true>(a, b, y, scratch, p);                                              \
    }

PAIR(pair128, 2, 4, 2, 8)
PAIR(trio64, 3, 2, 2, 8)
TAIL(nn, LOAD_WIDE, LOAD_WIDE)
TAIL(nt, LOAD_ANY, LOAD_WIDE)
TAIL(any, LOAD_ANY, LOAD_ANY)

CU_KERNEL(256, 1) matmul_tail128_join(const cu_f4 *scratch, float *y, matmul_args p)
{
    join_tail<4, 2, 8>(scratch, y, p);
}
