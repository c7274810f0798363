/* Matrix product, CUDA, tiled, chains in registers only: the entry points of cuda_pair.h, where the order of accumulation
 * is written down.
 *
 * nn: A along k, B across k (both row-major). nt: both along k (B is the transpose of a row-major matrix). any: whatever
 * strides and alignment. The names say rows x columns of a tile. */
#include "kernels/matmul/cuda_pair.h"

#define PAIR(name, blocks, wm, wn, tn)                                                                       \
    CU_KERNEL(wm *wn * 32, blocks)                                                                           \
    matmul_##name##_nn(const float *a, const float *b, float *y, matmul_args p)                              \
    {                                                                                                        \
        pair<wm, wn, tn, LOAD_WIDE, LOAD_WIDE>(a, b, y, p);                                                  \
    }                                                                                                        \
    CU_KERNEL(wm *wn * 32, blocks)                                                                           \
    matmul_##name##_nt(const float *a, const float *b, float *y, matmul_args p)                              \
    {                                                                                                        \
        pair<wm, wn, tn, LOAD_WIDE, LOAD_ANY>(a, b, y, p);                                                   \
    }                                                                                                        \
    CU_KERNEL(wm *wn * 32, blocks)                                                                           \
    matmul_##name##_any(const float *a, const float *b, float *y, matmul_args p)                             \
    {                                                                                                        \
        pair<wm, wn, tn, LOAD_ANY, LOAD_ANY>(a, b, y, p);                                                    \
    }

PAIR(pair128, 2, 4, 2, 8)
PAIR(wide256, 1, 8, 1, 16)
