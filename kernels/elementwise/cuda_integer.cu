/* Elementwise operators of integers and booleans on CUDA.
 *
 * Exactness: integers (text.h). */
#include "kernels/elementwise/cuda_loop.h"

#define INTEGERS(DO, kind, form)                                                                             \
    ARITHMETIC(DO, kind, form)                                                                               \
    OTHERS(DO, kind, form)                                                                                   \
    DO(form, EW_MOD, kind, kind)
#define BOOLEANS(DO, kind, form)                                                                             \
    DO(form, EW_EQUAL, kind, kind)                                                                           \
    DO(form, EW_AND, kind, kind)                                                                             \
    DO(form, EW_OR, kind, kind)                                                                              \
    DO(form, EW_XOR, kind, kind)
#define NOT(DO, kind, form) DO(form, EW_NOT, kind, kind)

KERNEL2(i8, INTEGERS, EW_I8, 0)
KERNEL2(u8, INTEGERS, EW_U8, 0)
KERNEL2(i32, INTEGERS, EW_I32, 0)
KERNEL2(i64, INTEGERS, EW_I64, 0)
KERNEL2(bool, BOOLEANS, EW_BOOL, 0)
KERNEL1(not, NOT, EW_BOOL, 0)
