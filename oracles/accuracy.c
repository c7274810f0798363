/* How far an output is from float64 values. Every metric can be NaN (a NaN on one side only) or infinite, and keeps it:
 * nothing here drops a bad element by a maximum. */
#include "oracles/element.h"
#include "oracles/oracle.h"

#include <math.h>

enum { BLOCK = 512 };

/* x / y where nothing over nothing is no error. */
static double ratio(double x, double y)
{
    if (x == 0) return 0;
    return y == 0 ? x * INFINITY : x / y;
}

static double error_of(double got, double value)
{
    if (isnan(got) || isnan(value)) return isnan(got) && isnan(value) ? 0 : NAN;
    return got == value ? 0 : fabs(got - value);
}

static void finish(struct accuracy *r)
{
    r->scaled = ratio(r->max_error, r->max_value);
    r->rms = sqrt(ratio(r->sum_error2, r->sum_value2));
}

void oracle_accuracy(const struct op_case *c, const struct assay_tensor *got, const double *value,
                     const double *bound, int64_t row0, int64_t row1, struct accuracy *result)
{
    uint64_t bits[BLOCK];
    *result = (struct accuracy){0};
    for (int64_t row = row0; row < row1; ++row) {
        int64_t first;
        int64_t count = c->op->row_elems(c, row, &first);
        while (count > 0) {
            const int64_t here = count < BLOCK ? count : BLOCK;
            element_load(got, first, here, bits);
            for (int64_t i = 0; i < here; ++i) {
                const double error = error_of(element_value(got->dtype, bits[i]), value[i]);
                /* An infinite or missing reference says nothing about the scale of the others. */
                const double size = isfinite(value[i]) ? fabs(value[i]) : 0;
                result->max_error = element_worse(result->max_error, error);
                result->max_value = element_worse(result->max_value, size);
                result->sum_error2 += error * error;
                result->sum_value2 += size * size;
                if (error == 0) continue;
                result->max_ulp = element_worse(
                    result->max_ulp, error / element_step(got->dtype, isnan(value[i]) ? 0 : value[i]));
                if (bound) result->worst_bound = element_worse(result->worst_bound, ratio(error, bound[i]));
            }
            result->elems += here;
            value += here;
            if (bound) bound += here;
            first += here;
            count -= here;
        }
    }
    finish(result);
}

void oracle_accuracy_join(struct accuracy *total, const struct accuracy *part)
{
    total->elems += part->elems;
    total->max_error = element_worse(total->max_error, part->max_error);
    total->max_value = element_worse(total->max_value, part->max_value);
    total->sum_error2 += part->sum_error2;
    total->sum_value2 += part->sum_value2;
    total->max_ulp = element_worse(total->max_ulp, part->max_ulp);
    total->worst_bound = element_worse(total->worst_bound, part->worst_bound);
    finish(total);
}
