/* The arithmetic probe on the CPU with its fused multiply-add instruction. */
#define TRAITS_NATIVE assay_traits_native_fma
#include "devices/traits_native.h"
