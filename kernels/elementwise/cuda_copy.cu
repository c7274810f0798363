/* Where and Cast on CUDA: Where copies bits, so one kernel a size; Cast has one a type that it reads.
 *
 * Exactness: integers (text.h). */
#include "kernels/elementwise/cuda_loop.h"

#define WHERE(DO, kind, form) DO(form, EW_WHERE, kind, kind)
KERNEL3(where1, WHERE, EW_U8, 0)
KERNEL3(where2, WHERE, EW_F16, 0)
KERNEL3(where4, WHERE, EW_I32, 0)
KERNEL3(where8, WHERE, EW_I64, 0)

#undef FLAT_CASE
#undef SINGLE_CASE
#define FLAT_CASE(from, to)                                                                                  \
    case to:                                                                                                 \
        ew_loop<0, EW_CAST, from, to>::flat(t, p);                                                           \
        break;
#define SINGLE_CASE(from, to)                                                                                \
    case to:                                                                                                 \
        ew_loop<0, EW_CAST, from, to>::single(t, at);                                                        \
        break;
#define TYPES(DO, kind, form)                                                                                \
    DO(kind, EW_F32)                                                                                         \
    DO(kind, EW_F16)                                                                                         \
    DO(kind, EW_BF16)                                                                                        \
    DO(kind, EW_I8)                                                                                          \
    DO(kind, EW_U8)                                                                                          \
    DO(kind, EW_I32)                                                                                         \
    DO(kind, EW_I64)                                                                                         \
    DO(kind, EW_BOOL)
#define CAST(kind, name)                                                                                     \
    CU_KERNEL(256, 1) elementwise_cast_##name(const void *a, void *y, elementwise_args p)                    \
    {                                                                                                        \
        const ew_tensors t = {a, 0, 0, y};                                                                   \
        BODY(TYPES, p.what >> 16 & 255u, kind, 0)                                                            \
    }
CAST(EW_F32, f32)
CAST(EW_F16, f16)
CAST(EW_BF16, bf16)
CAST(EW_I8, i8)
CAST(EW_U8, u8)
CAST(EW_I32, i32)
CAST(EW_I64, i64)
CAST(EW_BOOL, bool)
