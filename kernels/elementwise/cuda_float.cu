/* Elementwise operators of f32, f16 and bf16 on CUDA: arithmetic in its forms, and what needs none.
 *
 * Exactness: text.h. */
#include "kernels/elementwise/cuda_loop.h"

#define FLOAT(kind, name)                                                                                    \
    KERNEL2(name##_native, ARITHMETIC, kind, EW_NATIVE)                                                      \
    KERNEL2(name##_guarded, ARITHMETIC, kind, EW_GUARDED)                                                    \
    KERNEL2(name##_integer, ARITHMETIC, kind, EW_INTEGER)                                                    \
    KERNEL2(name, OTHERS, kind, 0)

FLOAT(EW_F32, f32)
FLOAT(EW_F16, f16)
FLOAT(EW_BF16, bf16)
