/* Softmax and norms on the CPU with AVX2 and FMA: the same text, whose loops over lanes are vectors then. */
#define XM_FUSED   1
#define NM_SECTION __attribute__((section("assay_normalize_avx2")))
#include "kernels/normalize/cpu_text.h"
#include "kernels/normalize/cpu.h"

NM_FORM(native, nm_divide)

extern const char __start_assay_normalize_avx2[] __attribute__((visibility("hidden")));
extern const char __stop_assay_normalize_avx2[] __attribute__((visibility("hidden")));
static const struct assay_code code = {.kind = ASSAY_CODE_NATIVE,
                                       .name = "normalize.cpu.avx2.native",
                                       .data = __start_assay_normalize_avx2,
                                       .end = __stop_assay_normalize_avx2,
                                       .native = row_native};
const struct assay_code *const normalize_cpu_avx2_code = &code;
