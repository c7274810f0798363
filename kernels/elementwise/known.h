/* Written by scripts/known-answers-elementwise.py: calls whose bits are known, for the rows of this folder, worked out
 * by rational numbers and Python's integers. Change it there. */
#ifndef ASSAY_ELEMENTWISE_KNOWN_H
#define ASSAY_ELEMENTWISE_KNOWN_H

#include "kernels/kernel.h"

extern const struct assay_known_answer elementwise_known_add_f32[2];
extern const struct assay_known_answer elementwise_known_add_f16[2];
extern const struct assay_known_answer elementwise_known_add_bf16[2];
extern const struct assay_known_answer elementwise_known_add_i32[2];
extern const struct assay_known_answer elementwise_known_add_i64[2];
extern const struct assay_known_answer elementwise_known_add_i8[2];
extern const struct assay_known_answer elementwise_known_add_u8[2];
extern const struct assay_known_answer elementwise_known_sub_f32[2];
extern const struct assay_known_answer elementwise_known_sub_f16[2];
extern const struct assay_known_answer elementwise_known_sub_bf16[2];
extern const struct assay_known_answer elementwise_known_sub_i32[2];
extern const struct assay_known_answer elementwise_known_sub_i64[2];
extern const struct assay_known_answer elementwise_known_sub_i8[2];
extern const struct assay_known_answer elementwise_known_sub_u8[2];
extern const struct assay_known_answer elementwise_known_mul_f32[2];
extern const struct assay_known_answer elementwise_known_mul_f16[2];
extern const struct assay_known_answer elementwise_known_mul_bf16[2];
extern const struct assay_known_answer elementwise_known_mul_i32[2];
extern const struct assay_known_answer elementwise_known_mul_i64[2];
extern const struct assay_known_answer elementwise_known_mul_i8[2];
extern const struct assay_known_answer elementwise_known_mul_u8[2];
extern const struct assay_known_answer elementwise_known_div_f32[2];
extern const struct assay_known_answer elementwise_known_div_f16[2];
extern const struct assay_known_answer elementwise_known_div_bf16[2];
extern const struct assay_known_answer elementwise_known_div_i32[2];
extern const struct assay_known_answer elementwise_known_div_i64[2];
extern const struct assay_known_answer elementwise_known_div_i8[2];
extern const struct assay_known_answer elementwise_known_div_u8[2];
extern const struct assay_known_answer elementwise_known_min_f32[2];
extern const struct assay_known_answer elementwise_known_min_f16[2];
extern const struct assay_known_answer elementwise_known_min_bf16[2];
extern const struct assay_known_answer elementwise_known_min_i32[2];
extern const struct assay_known_answer elementwise_known_min_i64[2];
extern const struct assay_known_answer elementwise_known_min_i8[2];
extern const struct assay_known_answer elementwise_known_min_u8[2];
extern const struct assay_known_answer elementwise_known_max_f32[2];
extern const struct assay_known_answer elementwise_known_max_f16[2];
extern const struct assay_known_answer elementwise_known_max_bf16[2];
extern const struct assay_known_answer elementwise_known_max_i32[2];
extern const struct assay_known_answer elementwise_known_max_i64[2];
extern const struct assay_known_answer elementwise_known_max_i8[2];
extern const struct assay_known_answer elementwise_known_max_u8[2];
extern const struct assay_known_answer elementwise_known_mod_f32[2];
extern const struct assay_known_answer elementwise_known_mod_f16[2];
extern const struct assay_known_answer elementwise_known_mod_bf16[2];
extern const struct assay_known_answer elementwise_known_mod_i32[4];
extern const struct assay_known_answer elementwise_known_mod_i64[4];
extern const struct assay_known_answer elementwise_known_mod_i8[4];
extern const struct assay_known_answer elementwise_known_mod_u8[4];
extern const struct assay_known_answer elementwise_known_equal_boolean[16];
extern const struct assay_known_answer elementwise_known_less_boolean[14];
extern const struct assay_known_answer elementwise_known_less_or_equal_boolean[14];
extern const struct assay_known_answer elementwise_known_greater_boolean[14];
extern const struct assay_known_answer elementwise_known_greater_or_equal_boolean[14];
extern const struct assay_known_answer elementwise_known_and_boolean[2];
extern const struct assay_known_answer elementwise_known_or_boolean[2];
extern const struct assay_known_answer elementwise_known_xor_boolean[2];
extern const struct assay_known_answer elementwise_known_not_boolean[2];
extern const struct assay_known_answer elementwise_known_where_f32[2];
extern const struct assay_known_answer elementwise_known_where_f16[2];
extern const struct assay_known_answer elementwise_known_where_bf16[2];
extern const struct assay_known_answer elementwise_known_where_i32[2];
extern const struct assay_known_answer elementwise_known_where_i64[2];
extern const struct assay_known_answer elementwise_known_where_i8[2];
extern const struct assay_known_answer elementwise_known_where_u8[2];
extern const struct assay_known_answer elementwise_known_where_boolean[2];
extern const struct assay_known_answer elementwise_known_cast_f32[16];
extern const struct assay_known_answer elementwise_known_cast_f16[16];
extern const struct assay_known_answer elementwise_known_cast_bf16[16];
extern const struct assay_known_answer elementwise_known_cast_i32[16];
extern const struct assay_known_answer elementwise_known_cast_i64[16];
extern const struct assay_known_answer elementwise_known_cast_i8[16];
extern const struct assay_known_answer elementwise_known_cast_u8[16];
extern const struct assay_known_answer elementwise_known_cast_boolean[16];

#endif
