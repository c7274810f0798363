/* The table of softmax and norm kernels: one row a (operator, backend, technique). */
#include "kernels/normalize/normalize.h"

#define ORDER                                                                                                \
    "sums: blocks of 4,096 elements; in a block 128 lanes ascending from +0, joined by halving; block "      \
    "results likewise"

#define ROW(number, onnx, backend_, name, words, forms)                                                      \
    {                                                                                                        \
        .op = onnx, .family = "normalize", .backend = #backend_, .technique = words, .mode = ASSAY_EXACT,    \
        .dtype = ASSAY_F32, .order = ORDER, .variants = forms,                                               \
        .present = normalize_##backend_##_##name##_present,                                                  \
        .supports = normalize_##backend_##_##name##_supports, .cost = normalize_##backend_##_##name##_cost,  \
        .plan = normalize_##backend_##_##name##_plan, .known = normalize_known[number],                      \
        .known_count = NORMALIZE_KNOWN,                                                                      \
    }
#define ROWS(backend, name, forms)                                                                           \
    ROW(0, "Softmax", backend, name, "softmax_" #name, forms),                                               \
        ROW(1, "LogSoftmax", backend, name, "log_softmax_" #name, forms),                                    \
        ROW(2, "LayerNormalization", backend, name, "layer_" #name, forms),                                  \
        ROW(3, "RMSNormalization", backend, name, "rms_" #name, forms)

static const struct assay_kernel rows[] = {
    ROWS(cpu, avx2, 1u << ASSAY_VARIANT_NATIVE),
    ROWS(cpu, plain, ASSAY_ALL_FORMS),
    ROWS(vulkan, lanes, ASSAY_ALL_FORMS | 1u << ASSAY_VARIANT_CONTRACT),
    ROWS(cuda, lanes, ASSAY_ALL_FORMS),
};

const struct assay_kernel_table assay_normalize_kernels = {.rows = rows, .count = sizeof rows / sizeof *rows};
