/* The functions for a processor whose fused multiply-add rounds once. */
#define XM_FUSED 1
#include "tests/function_form.h"

float (*const function_fused[FUNCTION_COUNT])(float) = {FUNCTION_REFERENCES(FUNCTION_FORM_ENTRY)};
