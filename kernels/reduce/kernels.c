/* The table of reduction kernels: one row a (operator, backend, technique). */
#include "kernels/reduce/reduce.h"

#define ORDER                                                                                                \
    "blocks of 4,096 elements; in a block 128 lanes ascending from +0 (a product from 1), joined by "        \
    "halving; block results likewise"

#define ROW(number, onnx, type, backend_, name, words, forms)                                                \
    {                                                                                                        \
        .op = onnx, .family = "reduce", .backend = #backend_, .technique = words, .mode = ASSAY_EXACT,       \
        .dtype = type, .order = ORDER, .variants = forms, .present = reduce_##backend_##_##name##_present,   \
        .supports = reduce_##backend_##_##name##_supports, .cost = reduce_##backend_##_##name##_cost,        \
        .plan = reduce_##backend_##_##name##_plan, .known = reduce_known[number],                            \
        .known_count = REDUCE_KNOWN,                                                                         \
    }
#define ROWS(backend, name, forms)                                                                           \
    ROW(0, "ReduceSum", ASSAY_F32, backend, name, "sum_" #name, forms),                                      \
        ROW(1, "ReduceMean", ASSAY_F32, backend, name, "mean_" #name, forms),                                \
        ROW(2, "ReduceL1", ASSAY_F32, backend, name, "l1_" #name, forms),                                    \
        ROW(3, "ReduceL2", ASSAY_F32, backend, name, "l2_" #name, forms),                                    \
        ROW(4, "ReduceSumSquare", ASSAY_F32, backend, name, "sum_square_" #name, forms),                     \
        ROW(5, "ReduceLogSum", ASSAY_F32, backend, name, "log_sum_" #name, forms),                           \
        ROW(6, "ReduceProd", ASSAY_F32, backend, name, "prod_" #name, forms),                                \
        ROW(7, "ReduceMax", ASSAY_F32, backend, name, "max_" #name, forms),                                  \
        ROW(8, "ReduceMin", ASSAY_F32, backend, name, "min_" #name, forms),                                  \
        ROW(9, "ArgMax", ASSAY_I64, backend, name, "argmax_" #name, forms),                                  \
        ROW(10, "ArgMin", ASSAY_I64, backend, name, "argmin_" #name, forms)

static const struct assay_kernel rows[] = {
    ROWS(cpu, avx2, 1u << ASSAY_VARIANT_NATIVE),
    ROWS(cpu, plain, ASSAY_ALL_FORMS),
    ROWS(vulkan, lanes, ASSAY_ALL_FORMS | 1u << ASSAY_VARIANT_CONTRACT),
    ROWS(cuda, lanes, ASSAY_ALL_FORMS),
};

const struct assay_kernel_table assay_reduce_kernels = {.rows = rows, .count = sizeof rows / sizeof *rows};
