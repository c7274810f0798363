/* Every correctly rounded function of kernels/exact/function.h, in the form that XM_FUSED chooses. With FUNCTION_BARE the
 * listed exceptions are left out, so that what the pairs of floats come to alone can be seen. */
#include "tests/function_reference.h"

#ifdef FUNCTION_BARE
#define ASSAY_KERNELS_EXACT_FUNCTION_EXCEPTIONS_H
#include "kernels/exact/exact.h"
#define FUNCTION_BARE_EXCEPTION(name)                                                                        \
    XF_FN xf_u xm_exception_##name(xf_u key, xf_u bits)                                                      \
    {                                                                                                        \
        (void)key;                                                                                           \
        return bits;                                                                                         \
    }
FUNCTION_REFERENCES(FUNCTION_BARE_EXCEPTION)
#endif
#include "kernels/exact/function.h"

#define FUNCTION_FORM_ENTRY(name) [FUNCTION_##name] = xm_##name,
