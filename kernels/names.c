/* Names of variants, modes and kernel rows, and words of refusals: pure functions, which know no engine and no device. */
#include "kernels/kernel.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const variant_names[ASSAY_VARIANT_COUNT] = {
    [ASSAY_VARIANT_AUTO] = "auto",         [ASSAY_VARIANT_NATIVE] = "native",
    [ASSAY_VARIANT_CONTRACT] = "contract", [ASSAY_VARIANT_GUARDED] = "guarded",
    [ASSAY_VARIANT_EMULATED] = "emulated", [ASSAY_VARIANT_INTEGER] = "integer",
};

const char *assay_variant_name(enum assay_variant variant)
{
    return (unsigned)variant < ASSAY_VARIANT_COUNT ? variant_names[variant] : "?";
}

enum assay_variant assay_variant_parse(const char *name)
{
    int v = 0;
    while (v < ASSAY_VARIANT_COUNT && (!name || strcmp(name, variant_names[v]) != 0)) v++;
    return (enum assay_variant)v;
}

const char *assay_mode_name(enum assay_mode mode)
{
    return mode == ASSAY_EXACT ? "exact" : mode == ASSAY_FAST ? "fast" : "?";
}

char *assay_kernel_name(const struct assay_kernel *kernel, char text[64])
{
    snprintf(text, 64, "%s.%s.%s.%s", kernel->family, kernel->backend, kernel->technique,
             assay_mode_name(kernel->mode));
    return text;
}

bool assay_refuse(char why[160], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, 160, format, args);
    va_end(args);
    return false;
}
