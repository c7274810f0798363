/* The functions for a processor whose fused multiply-add rounds twice, or is not there. */
#define XM_FUSED 0
#include "tests/function_form.h"

float (*const function_unfused[FUNCTION_COUNT])(float) = {FUNCTION_REFERENCES(FUNCTION_FORM_ENTRY)};
