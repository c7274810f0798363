/* The functions as pairs of floats alone come to, the fused multiply-add rounding twice. */
#define XM_FUSED 0
#define FUNCTION_BARE
#include "tests/function_form.h"

float (*const function_bare_unfused[FUNCTION_COUNT])(float) = {FUNCTION_REFERENCES(FUNCTION_FORM_ENTRY)};
