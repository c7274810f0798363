/* The functions as pairs of floats alone come to, the fused multiply-add rounding once. */
#define XM_FUSED 1
#define FUNCTION_BARE
#include "tests/function_form.h"

float (*const function_bare_fused[FUNCTION_COUNT])(float) = {FUNCTION_REFERENCES(FUNCTION_FORM_ENTRY)};
