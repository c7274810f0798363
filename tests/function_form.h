/* Every correctly rounded function of kernels/exact/function.h, in the form that XM_FUSED chooses. */
#include "kernels/exact/function.h"
#include "tests/function_reference.h"

#define FUNCTION_FORM_ENTRY(name) [FUNCTION_##name] = xm_##name,
