/* Shrinking a failing case to a window: first to the one element, then along the summed dimensions. */
#include "harness/shrink.h"

/* Cut axis `axis` of the case to `length` elements from `at` of what it has now. */
static void cut(struct case_spec *spec, int axis, int64_t at, int64_t length)
{
    spec->op.at[axis] += at;
    spec->op.axis[axis] = length;
    spec->window = true;
}

/* The axis of the first operand's summed dimension, or -1. */
static int summed_axis(const struct case_spec *spec)
{
    struct op_signature sig;
    if (spec->op.op->signature(&spec->op, &sig, NULL) != ASSAY_OK) return -1;
    for (size_t i = 0; i < sig.input_count; i++)
        if (sig.input[i].reduced >= 0) return sig.input[i].axis_of[sig.input[i].reduced];
    return -1;
}

static bool to_element(const struct case_spec *spec, int64_t first, struct case_spec *window)
{
    struct op_signature sig;
    *window = *spec;
    if (spec->op.op->signature(&spec->op, &sig, NULL) != ASSAY_OK || sig.output_count == 0) return false;
    const struct op_operand *output = &sig.output[0];
    for (uint32_t d = output->tensor.rank; d-- > 0;) {
        const int64_t index = first % output->tensor.shape[d];
        first /= output->tensor.shape[d];
        if (output->axis_of[d] >= 0) cut(window, output->axis_of[d], index, 1);
    }
    return spec->op.op->signature(&window->op, &sig, NULL) == ASSAY_OK;
}

bool shrink_case(const struct case_spec *spec, int64_t first, int tries, shrink_fails fails, void *context,
                 struct case_spec *small)
{
    struct case_spec window;
    *small = *spec;
    if (first < 0 || tries-- <= 0 || !to_element(spec, first, &window) || !fails(context, &window))
        return false;
    *small = window;
    const int axis = summed_axis(spec);
    while (axis >= 0 && small->op.axis[axis] > 1) {
        const int64_t length = small->op.axis[axis], half = (length + 1) / 2;
        bool found = false;
        for (int part = 0; part < 2 && !found && tries > 0; part++, tries--) {
            window = *small;
            cut(&window, axis, part ? length - half : 0, half);
            found = fails(context, &window);
        }
        if (!found) break;
        *small = window;
    }
    return true;
}
