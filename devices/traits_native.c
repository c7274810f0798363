/* The arithmetic probe on the CPU with the instructions that every processor has; fmaf is the C library's. */
#define TRAITS_NATIVE assay_traits_native
#include "devices/traits_native.h"
