/* Numbers as unevaluated sums of two f32, about 48 bits: what correctly rounded functions are computed in (function.h).
 * One text for C11, CUDA C++ and GLSL 4.50, over exact.h.
 *
 * T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18, 1971;
 * M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
 * arithmetic", ACM TOMS 44(2), 2017.
 *
 * XM_FUSED is 1 where the device's fused multiply-add rounds once, else 0; nothing here needs more of it, since no
 * operand and no result is ever subnormal: callers keep magnitudes between 2^-100 and 2^100, and a part that would lie
 * below is 0 or has no weight. So flushing changes nothing either. */
#ifndef ASSAY_KERNELS_EXACT_PAIR_H
#define ASSAY_KERNELS_EXACT_PAIR_H

#include "kernels/exact/exact.h"

#ifndef XM_FUSED
#define XM_FUSED 1
#endif

XF_FN XF_PAIR xm_pair(xf_f high, xf_f low)
{
    XF_PAIR r;
    r.high = high;
    r.low = low;
    return r;
}
XF_FN XF_PAIR xm_pair_neg(XF_PAIR a)
{
    return xm_pair(xf_neg(a.high), xf_neg(a.low));
}

/* a * b + c where a second rounding does no harm. */
XF_FN xf_f xm_mad(xf_f a, xf_f b, xf_f c)
{
#if XM_FUSED
    return xf_hw_fma(a, b, c);
#else
    return xf_hw_add(xf_hw_mul(a, b), c);
#endif
}

/* a + b exactly; |a| >= |b| or a = 0. */
XF_FN XF_PAIR xm_sum_ordered(xf_f a, xf_f b)
{
    xf_f high = xf_hw_add(a, b);
    return xm_pair(high, xf_hw_sub(b, xf_hw_sub(high, a)));
}

/* a * b exactly. */
XF_FN XF_PAIR xm_product(xf_f a, xf_f b)
{
#if XM_FUSED
    xf_f high = xf_hw_mul(a, b);
    return xm_pair(high, xf_hw_fma(a, b, xf_neg(high)));
#else
    return xf_two_product(a, b);
#endif
}

/* a - q * b, exactly where that is a float: q a quotient of a by b to about an ulp. */
XF_FN xf_f xm_remainder(xf_f a, xf_f q, xf_f b)
{
#if XM_FUSED
    return xf_hw_fma(xf_neg(q), b, a);
#else
    XF_PAIR p = xf_two_product(q, b);
    return xf_hw_sub(xf_hw_sub(a, p.high), p.low);
#endif
}

/* c + a, |c| >= |a|. */
XF_FN XF_PAIR xm_add_ordered(xf_f c, XF_PAIR a)
{
    XF_PAIR s = xm_sum_ordered(c, a.high);
    return xm_sum_ordered(s.high, xf_hw_add(s.low, a.low));
}
/* c + a in any order of size. */
XF_FN XF_PAIR xm_add(xf_f c, XF_PAIR a)
{
    XF_PAIR s = xf_two_sum(c, a.high);
    return xm_sum_ordered(s.high, xf_hw_add(s.low, a.low));
}
/* a * b for a float b; not renormalised. */
XF_FN XF_PAIR xm_scale(XF_PAIR a, xf_f b)
{
    XF_PAIR p = xm_product(a.high, b);
    p.low = xm_mad(a.low, b, p.low);
    return p;
}
XF_FN XF_PAIR xm_mul(XF_PAIR a, XF_PAIR b)
{
    XF_PAIR p = xm_product(a.high, b.high);
    return xm_sum_ordered(p.high, xm_mad(a.high, b.low, xm_mad(a.low, b.high, p.low)));
}
/* A step of Horner's rule: p * x + (high + low), |high| >= |p * x|. */
XF_FN XF_PAIR xm_horner(XF_PAIR p, XF_PAIR x, xf_f high, xf_f low)
{
    XF_PAIR m = xm_product(p.high, x.high);
    xf_f rest = xm_mad(p.high, x.low, xm_mad(p.low, x.high, m.low));
    XF_PAIR s = xm_sum_ordered(high, m.high);
    s.low = xf_hw_add(s.low, xf_hw_add(rest, low));
    return s;
}

/* 1 / b to about an ulp, for b from 2^-100 to 2^100: a first guess by the exponent's arithmetic (an error below 1/8),
 * then two steps of third order. */
XF_FN xf_f xm_reciprocal(xf_f b)
{
    xf_f r = xf_float(0x7EF311C3u - xf_bits(b)), e;
    e = xm_mad(xf_neg(b), r, 1.0f);
    e = xm_mad(e, e, e);
    r = xm_mad(e, r, r);
    e = xm_remainder(1.0f, r, b);
    e = xm_mad(e, e, e);
    return xm_mad(e, r, r);
}
/* a / b, b > 0. */
XF_FN XF_PAIR xm_div(XF_PAIR a, XF_PAIR b)
{
    xf_f y = xm_reciprocal(b.high), q = xf_hw_mul(a.high, y), r, p;
    r = xm_remainder(a.high, q, b.high);
    r = xm_mad(xf_neg(q), b.low, xf_hw_add(r, a.low));
    p = xf_hw_mul(r, y);
    p = xm_mad(xm_mad(xf_neg(p), b.high, r), y, p);
    return xm_sum_ordered(q, p);
}

#endif
