/* What the arithmetic probe and its device code (traits.comp, traits.cu, traits_native.h) agree on: macros only, so that
 * C, CUDA C and GLSL can include it. */
#ifndef ASSAY_DEVICES_TRAITS_H
#define ASSAY_DEVICES_TRAITS_H

/* Result i of a program, from the words a, b, c at 3i of binding 0, to word i of binding 1. */
#define TRAIT_COPY     0u  /* a, moved as an integer */
#define TRAIT_LOAD     1u  /* a, loaded as a float */
#define TRAIT_STORE    2u  /* a, stored as a float */
#define TRAIT_ADD      3u  /* a + b */
#define TRAIT_SUB      4u  /* a - b */
#define TRAIT_MUL      5u  /* a * b */
#define TRAIT_FMA      6u  /* the device's fused multiply-add of a, b, c */
#define TRAIT_MULADD   7u  /* a * b + c with contraction forbidden: two roundings */
#define TRAIT_DIV      8u  /* a / b */
#define TRAIT_SQRT     9u  /* square root of a */
#define TRAIT_TWO_SUM  10u /* the error of a + b, by Knuth's six operations */
#define TRAIT_ADD_ZERO 11u /* a + 0.0, the zero a literal */
#define TRAIT_MUL_ZERO 12u /* a * 0.0, likewise */
#define TRAIT_COUNT    13u

#define TRAIT_GROUP 64u /* results a workgroup */

/* Operands that appear as literals in the device's code: the classic question whether Fma is fused, a subnormal operand,
 * a subnormal difference, a tie. LITERAL(a, b, c) */
#define TRAIT_LITERAL_COUNT 4u
#define TRAIT_LITERALS(LITERAL)                                                                              \
    LITERAL(0x3F800001u, 0x3F7FFFFEu, 0xBF800000u)                                                           \
    LITERAL(0x00400000u, 0x3FC00000u, 0x00000003u)                                                           \
    LITERAL(0x00C00000u, 0x80800000u, 0x00000001u)                                                           \
    LITERAL(0x4B000001u, 0x3F000000u, 0x4B800000u)

#endif
