/* Shrinking a failing case to a window: first to the one element, or around it, then along the summed dimension. */
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

struct search {
    shrink_fails fails;
    void *context;
    int tries;
    struct case_spec *small;
};

/* Take the window if it can be laid out and fails. */
static bool take(struct search *search, const struct case_spec *window)
{
    struct op_signature sig;
    if (search->tries <= 0 || window->op.op->signature(&window->op, &sig, NULL) != ASSAY_OK) return false;
    search->tries--;
    if (!search->fails(search->context, window)) return false;
    *search->small = *window;
    return true;
}

/* Half of an axis, or the next length from there on that can be laid out: rows of some operators are whole blocks. 0 =
 * there is none. */
static int64_t half_of(const struct case_spec *spec, int axis)
{
    static const int64_t blocks[] = {1, 32, 128};
    const int64_t length = spec->op.axis[axis];
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const int64_t half = ((length + 1) / 2 + blocks[i] - 1) / blocks[i] * blocks[i];
        struct case_spec window = *spec;
        struct op_signature sig;
        if (half >= length) break;
        cut(&window, axis, length - half, half);
        if (window.op.op->signature(&window.op, &sig, NULL) == ASSAY_OK) return half;
    }
    return 0;
}

/* Halve one axis as often as it still fails, keeping index `keep` (counted from the whole case's start) if it is not
 * negative. */
static bool halve(struct search *search, int axis, int64_t keep)
{
    bool found = false;
    while (axis >= 0 && search->small->op.axis[axis] > 1) {
        const int64_t length = search->small->op.axis[axis], half = half_of(search->small, axis);
        bool smaller = false;
        if (half == 0) break;
        for (int part = 0; part < 2 && !smaller; part++) {
            struct case_spec window = *search->small;
            cut(&window, axis, part ? length - half : 0, half);
            const int64_t at = window.op.at[axis];
            if (keep < 0 || (keep >= at && keep < at + half)) smaller = take(search, &window);
        }
        if (!smaller) break;
        found = true;
    }
    return found;
}

/* Some failures need neighbours: cut what can be cut around the element. */
static bool around_element(struct search *search, int64_t first)
{
    struct op_signature sig;
    const struct case_spec whole = *search->small;
    bool found = false;
    if (whole.op.op->signature(&whole.op, &sig, NULL) != ASSAY_OK) return false;
    const struct op_operand *output = &sig.output[0];
    for (uint32_t d = output->tensor.rank; d-- > 0;) {
        const int axis = output->axis_of[d];
        const int64_t index = first % output->tensor.shape[d];
        first /= output->tensor.shape[d];
        if (axis >= 0) found |= halve(search, axis, whole.op.at[axis] + index);
    }
    return found;
}

bool shrink_case(const struct case_spec *spec, int64_t first, int tries, shrink_fails fails, void *context,
                 struct case_spec *small)
{
    struct search search = {fails, context, tries, small};
    struct case_spec window;
    *small = *spec;
    if (first < 0 || !to_element(spec, first, &window)) return false;
    const bool element = take(&search, &window);
    const bool found = element || around_element(&search, first);
    return halve(&search, summed_axis(spec), -1) || found;
}
