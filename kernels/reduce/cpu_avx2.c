/* Reductions on the CPU with AVX2 and FMA: the same text, whose loops over lanes are vectors then. */
#define XM_FUSED   1
#define RE_SECTION __attribute__((section("assay_reduce_avx2")))
#include "kernels/reduce/cpu_text.h"
#include "kernels/reduce/cpu.h"

RE_ROW(native)

extern const char __start_assay_reduce_avx2[] __attribute__((visibility("hidden")));
extern const char __stop_assay_reduce_avx2[] __attribute__((visibility("hidden")));
static const struct assay_code code = {.kind = ASSAY_CODE_NATIVE,
                                       .name = "reduce.cpu.avx2.native",
                                       .data = __start_assay_reduce_avx2,
                                       .end = __stop_assay_reduce_avx2,
                                       .native = row_native};
const struct assay_code *const reduce_cpu_avx2_code = &code;
