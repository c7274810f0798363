/* Shrinking: the smallest window of a failing case that still fails, for the line to paste. It runs nothing itself and
 * knows no device: the caller says whether a candidate fails. */
#ifndef ASSAY_SHRINK_H
#define ASSAY_SHRINK_H

#include "harness/case.h"

/* True if `candidate` fails as the case did. */
typedef bool (*shrink_fails)(void *context, const struct case_spec *candidate);

/* first: flat index, in output 0, of an element that fails; -1 = unknown (then nothing is tried). Tries the window of
 * that one element, else windows around it, then halves the dimension that is summed over: at most `tries` candidates. Returns true
 * and fills *small if any smaller case fails; false leaves *small a copy of the case. */
bool shrink_case(const struct case_spec *spec, int64_t first, int tries, shrink_fails fails, void *context,
                 struct case_spec *small);

#endif
