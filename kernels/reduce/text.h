/* What reductions do besides adding, in C, CUDA C and GLSL: order of elements as integers, and the last step. XM_FUSED as
 * in function.h, for the logarithm.
 *
 * Keys: the larger key wins. A NaN has the largest; -0 lies below +0 in a maximum or minimum, and at it in an arg-max or
 * arg-min. Numbers of operations are those of reduce.h. */
#ifndef ASSAY_REDUCE_TEXT_H
#define ASSAY_REDUCE_TEXT_H

#include "kernels/exact/divide.h"
#include "kernels/exact/function.h"

#define RE_BEFORE(operation) ((operation)&15u)
#define RE_JOIN(operation)   (((operation) >> 4) & 15u)
#define RE_AFTER(operation)  (((operation) >> 8) & 15u)
#define RE_LAST(operation)   (((operation) >> 12) & 1u)
#define RE_MAGNITUDE         1u
#define RE_SQUARE            2u
#define RE_ADD               0u
#define RE_MULTIPLY          1u
#define RE_MAX               2u
#define RE_MIN               3u
#define RE_ARGMAX            4u
#define RE_ARGMIN            5u
#define RE_MEAN              1u
#define RE_ROOT              2u
#define RE_LOG               3u
#define RE_NAN_KEY           0x7FFFFFFF
#define RE_LEAST_KEY         (-0x7FFFFFFF - 1) /* below every element's */

XF_FN xf_i re_key(xf_f x, xf_u join)
{
    xf_u u = xf_bits(x);
    if (xf_is_nan(x)) return RE_NAN_KEY;
    if (join >= RE_ARGMAX && u == XF_SIGN) u = 0u;
    if ((u >> 31) != 0u) u = u ^ 0x7FFFFFFFu;
    if ((join & 1u) != 0u) u = ~u;
    return XF_I(u);
}
/* The element of a key; of RE_LEAST_KEY what no element gives. */
XF_FN xf_f re_element(xf_i key, xf_u join)
{
    xf_u u = XF_U(key);
    if (key == RE_NAN_KEY) return xf_float(XF_NAN);
    if (key == RE_LEAST_KEY) return xf_float((join & 1u) != 0u ? XF_INFINITY : XF_INFINITY | XF_SIGN);
    if ((join & 1u) != 0u) u = ~u;
    if ((u >> 31) != 0u) u = u ^ 0x7FFFFFFFu;
    return xf_float(u);
}
/* Does an element with this key at a later place take over? */
XF_FN bool re_later_wins(xf_i key, xf_i best, bool last)
{
    return key > best || (last && key == best && key != RE_NAN_KEY);
}

XF_FN xf_f re_before(xf_f x, xf_u before)
{
    return before == RE_MAGNITUDE ? xf_abs(x) : x;
}
XF_FN xf_f re_after(xf_f x, xf_u after, xf_f count)
{
    if (after == RE_MEAN) x = xm_divide(x, count);
    if (after == RE_ROOT) x = xm_sqrt(x);
    if (after == RE_LOG) x = xm_log(x);
    return xf_canonical(x);
}

#endif
