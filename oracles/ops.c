/* The table of operators, made from ops.def. */
#include "oracles/oracle.h"

#include <string.h>

#define OP(name) extern const struct op op_##name;
#include "oracles/ops.def"
#undef OP

const struct op *const assay_ops[] = {
#define OP(name) &op_##name,
#include "oracles/ops.def"
#undef OP
    NULL,
};

const struct op *op_find(const char *name)
{
    for (const struct op *const *op = assay_ops; *op; ++op)
        if (!strcmp((*op)->name, name)) return *op;
    return NULL;
}
