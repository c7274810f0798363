/* What an element of an elementwise operator is, one text for C, CUDA C++ and GLSL in the dialect of kernels/exact/exact.h.
 *
 * Exactness: f32 add, subtract, multiply and divide are one rounding each, in the form that the device needs; f16 and
 * bf16 are widened to f32, computed there and rounded once more. All else is integers: minima by keys, comparisons,
 * remainders, conversions. A 64-bit element is two words, so no device needs 64-bit integers.
 *
 * It knows no tensor and no device. Operators and element types are constants where it is called: what a program does not
 * compute is not in it. */
#ifndef ASSAY_ELEMENTWISE_TEXT_H
#define ASSAY_ELEMENTWISE_TEXT_H

#include "kernels/exact/convert.h"

#define EW_ADD           0u
#define EW_SUB           1u
#define EW_MUL           2u
#define EW_DIV           3u
#define EW_MIN           4u
#define EW_MAX           5u
#define EW_MOD           6u /* the sign of the divisor */
#define EW_FMOD          7u /* the sign of the dividend */
#define EW_EQUAL         8u
#define EW_LESS          9u
#define EW_LESS_EQUAL    10u
#define EW_GREATER       11u
#define EW_GREATER_EQUAL 12u
#define EW_AND           13u
#define EW_OR            14u
#define EW_XOR           15u
#define EW_NOT           16u
#define EW_WHERE         17u
#define EW_CAST          18u
#define EW_OPS           19u

/* Element types by the numbers of enum assay_dtype. */
#define EW_F32  1u
#define EW_F16  2u
#define EW_BF16 3u
#define EW_I8   5u
#define EW_U8   6u
#define EW_I32  7u
#define EW_I64  8u
#define EW_BOOL 9u

/* Forms of the arithmetic of f32, by the numbers of enum assay_variant; GLSL's are chosen in exact.h. */
#define EW_NATIVE  1u
#define EW_GUARDED 3u
#define EW_INTEGER 5u

XF_FN bool ew_is_float(xf_u kind)
{
    return kind <= EW_BF16;
}

/* ---- f32 ---- */

/* RN(a / b): a quotient of 32 bits by four short divisions, the remainder as its sticky bit, one rounding. */
XF_FN xf_u ew_divide_words(xf_u a, xf_u b)
{
    xf_u ma = a & 0x7FFFFFFFu, mb = b & 0x7FFFFFFFu, sign = (a ^ b) & XF_SIGN, n, d, q;
    xf_i e;
    if (ma > XF_INFINITY || mb > XF_INFINITY || (ma == mb && (ma == XF_INFINITY || ma == 0u))) return XF_NAN;
    if (ma == XF_INFINITY || mb == 0u) return sign | XF_INFINITY;
    if (ma == 0u || mb == XF_INFINITY) return sign;
    n = xf_unpack_significand(ma);
    d = xf_unpack_significand(mb);
    e = xf_unpack_exponent(ma) - xf_unpack_exponent(mb) + 127;
    if (n < d) {
        n = n << 1;
        e = e - 1;
    }
    n = (n - d) << 8; /* the quotient's leading bit is 1 */
    q = 0x100u | (n / d);
    n = (n % d) << 8;
    q = (q << 8) | (n / d);
    n = (n % d) << 8;
    q = (q << 8) | (n / d);
    n = (n % d) << 7;
    q = (q << 7) | (n / d);
    return xf_pack(sign, e, q | (n % d != 0u ? 1u : 0u));
}

/* The remainder of a / b truncated: exact. Eight bits of the quotient a step; its exponents differ by 276 at most. */
XF_FN xf_u ew_fmod_words(xf_u a, xf_u b)
{
    xf_u ma = a & 0x7FFFFFFFu, mb = b & 0x7FFFFFFFu, sign = a & XF_SIGN, n, d;
    xf_i e, left, step;
    if (ma >= XF_INFINITY || mb > XF_INFINITY || mb == 0u) return XF_NAN;
    if (ma < mb) return a;
    n = xf_unpack_significand(ma);
    d = xf_unpack_significand(mb);
    e = xf_unpack_exponent(mb);
    left = xf_unpack_exponent(ma) - e;
    n = n % d;
    while (left > 0) {
        step = left < 8 ? left : 8;
        n = (n << step) % d;
        left = left - step;
    }
    if (n == 0u) return sign;
    step = xf_clz(n) - 8;
    n = n << step;
    e = e - step;
    return sign | (e >= 1 ? (XF_U(e - 1) << 23) + n : n >> (1 - e)); /* no bit is lost: b had them all */
}

/* Larger numbers have larger keys, +0 above -0. Not for NaN. */
XF_FN xf_u ew_key(xf_u x)
{
    return (x >> 31) != 0u ? ~x : x | XF_SIGN;
}

XF_FN bool ew_nan(xf_u x)
{
    return (x & 0x7FFFFFFFu) > XF_INFINITY;
}

XF_FN xf_u ew_select_words(bool least, xf_u a, xf_u b)
{
    if (ew_nan(a) || ew_nan(b)) return XF_NAN;
    return (ew_key(a) < ew_key(b)) == least ? a : b;
}

/* Add, multiply and divide in a form. */
#if defined(VULKAN)
XF_FN xf_u ew_arithmetic(xf_u form, xf_u op, xf_u a, xf_u b)
{
    if (op == EW_ADD) return xf_bits(xf_add(xf_float(a), xf_float(b)));
    if (op == EW_SUB) return xf_bits(xf_add(xf_float(a), xf_float(b ^ XF_SIGN)));
    if (op == EW_MUL) return xf_bits(xf_mul(xf_float(a), xf_float(b)));
    return ew_divide_words(a, b);
}
#else
#if defined(__CUDACC__) || defined(__CUDA__)
XF_FN xf_f ew_hw_div(xf_f a, xf_f b)
{
#if defined(__clang__)
    return __nvvm_div_rn_f(a, b);
#else
    return __fdiv_rn(a, b);
#endif
}
CU_FN_NOINLINE float ew_slow(xf_u op, xf_f a, xf_f b) /* one body that is called: inlined it would be many */
{
    xf_u x = xf_bits(a), y = xf_bits(b);
    if (op == EW_DIV) return xf_float(ew_divide_words(x, y));
    return xf_float(xf_fma_words(x, op == EW_MUL ? y : 0x3F800000u, op == EW_MUL ? (x ^ y) & XF_SIGN : y));
}
#else
XF_FN xf_f ew_hw_div(xf_f a, xf_f b)
{
    return a / b;
}
static __attribute__((noinline, unused)) float ew_slow(xf_u op, xf_f a, xf_f b)
{
    xf_u x = xf_bits(a), y = xf_bits(b);
    if (op == EW_DIV) return xf_float(ew_divide_words(x, y));
    return xf_float(op == EW_MUL ? xf_mul_words(x, y) : xf_add_words(x, y));
}
#endif
XF_FN xf_u ew_arithmetic(xf_u form, xf_u op, xf_u x, xf_u y)
{
    xf_f a = xf_float(x), b = xf_float(op == EW_SUB ? y ^ XF_SIGN : y), r;
    if (form == EW_INTEGER || (form == EW_GUARDED && op == EW_DIV)) return xf_bits(ew_slow(op, a, b));
    r = op == EW_MUL ? xf_hw_mul(a, b) : op == EW_DIV ? ew_hw_div(a, b) : xf_hw_add(a, b);
    if (form == EW_GUARDED && xf_add_unsure(a, b, r)) r = ew_slow(op, a, b);
    return xf_bits(r);
}
#endif

XF_FN xf_u ew_compare(xf_u op, bool less, bool equal)
{
    bool r = op == EW_EQUAL        ? equal
             : op == EW_LESS       ? less
             : op == EW_LESS_EQUAL ? less || equal
             : op == EW_GREATER    ? !less && !equal
                                   : !less;
    return r ? 1u : 0u;
}

XF_FN xf_u ew_float(xf_u form, xf_u op, xf_u a, xf_u b)
{
    if (op <= EW_DIV) return ew_arithmetic(form, op, a, b);
    if (op == EW_MIN || op == EW_MAX) return ew_select_words(op == EW_MIN, a, b);
    if (op == EW_FMOD) return ew_fmod_words(a, b);
    if (ew_nan(a) || ew_nan(b)) return 0u;
    if ((a & 0x7FFFFFFFu) == 0u) a = 0u; /* -0 is +0 */
    if ((b & 0x7FFFFFFFu) == 0u) b = 0u;
    return ew_compare(op, ew_key(a) < ew_key(b), a == b);
}

/* ---- integers of up to 32 bits, carried with their sign in 32; bytes without a sign are not negative there ---- */

XF_FN xf_u ew_magnitude(xf_u x)
{
    return (x >> 31) != 0u ? 0u - x : x;
}

XF_FN xf_u ew_int(xf_u op, xf_u a, xf_u b)
{
    xf_u r;
    if (op == EW_ADD) return a + b;
    if (op == EW_SUB) return a - b;
    if (op == EW_MUL) return a * b;
    if (op == EW_DIV) {
        if (b == 0u) return 0u;
        r = ew_magnitude(a) / ew_magnitude(b);
        return ((a ^ b) >> 31) != 0u ? 0u - r : r;
    }
    if (op == EW_MOD || op == EW_FMOD) {
        if (b == 0u) return 0u;
        r = ew_magnitude(a) % ew_magnitude(b);
        if ((a >> 31) != 0u) r = 0u - r;
        return op == EW_MOD && r != 0u && ((r ^ b) >> 31) != 0u ? r + b : r;
    }
    if (op == EW_AND) return a != 0u && b != 0u ? 1u : 0u;
    if (op == EW_OR) return a != 0u || b != 0u ? 1u : 0u;
    if (op == EW_XOR) return (a != 0u) != (b != 0u) ? 1u : 0u;
    if (op == EW_NOT) return a == 0u ? 1u : 0u;
    if (op == EW_MIN || op == EW_MAX) return ((a ^ XF_SIGN) < (b ^ XF_SIGN)) == (op == EW_MIN) ? a : b;
    return ew_compare(op, (a ^ XF_SIGN) < (b ^ XF_SIGN), a == b);
}

/* ---- 64-bit integers ---- */

XF_FN XF_WIDE ew_wide_add(XF_WIDE a, XF_WIDE b)
{
    xf_u lo = a.lo + b.lo;
    return xc_wide(a.hi + b.hi + (lo < a.lo ? 1u : 0u), lo);
}
XF_FN bool ew_wide_below(XF_WIDE a, XF_WIDE b) /* without signs */
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
XF_FN XF_WIDE ew_wide_magnitude(XF_WIDE x)
{
    if ((x.hi >> 31) != 0u) x = xc_negate(x);
    return x;
}

/* Quotient and remainder without signs, b not 0. */
XF_FN XF_WIDE ew_wide_divide(XF_WIDE a, XF_WIDE b, bool remainder)
{
#if defined(VULKAN)
    XF_WIDE q = xc_wide(0u, 0u), r = xc_wide(0u, 0u);
    xf_i i;
    if ((a.hi | b.hi) == 0u) return xc_wide(0u, remainder ? a.lo % b.lo : a.lo / b.lo);
    for (i = 0; i < 64; i++) {
        bool carry = (r.hi >> 31) != 0u;
        r = xc_wide((r.hi << 1) | (r.lo >> 31), (r.lo << 1) | (a.hi >> 31));
        a = xc_wide((a.hi << 1) | (a.lo >> 31), a.lo << 1);
        q = xc_wide((q.hi << 1) | (q.lo >> 31), q.lo << 1);
        if (carry || !ew_wide_below(r, b)) {
            r = ew_wide_add(r, xc_negate(b));
            q.lo = q.lo | 1u;
        }
    }
    if (remainder) q = r;
    return q;
#else
    unsigned long long x = (unsigned long long)a.hi << 32 | a.lo, y = (unsigned long long)b.hi << 32 | b.lo;
    x = remainder ? x % y : x / y;
    return xc_wide((xf_u)(x >> 32), (xf_u)x);
#endif
}

XF_FN XF_WIDE ew_long(xf_u op, XF_WIDE a, XF_WIDE b)
{
    XF_WIDE r = xc_wide(0u, 0u), x = xc_wide(a.hi ^ XF_SIGN, a.lo), y = xc_wide(b.hi ^ XF_SIGN, b.lo);
    xf_u hi, lo;
    bool less = ew_wide_below(x, y), equal = a.hi == b.hi && a.lo == b.lo;
    if (op == EW_ADD) return ew_wide_add(a, b);
    if (op == EW_SUB) return ew_wide_add(a, xc_negate(b));
    if (op == EW_MUL) {
        XF_MUL_WIDE(a.lo, b.lo, hi, lo);
        return xc_wide(hi + a.hi * b.lo + a.lo * b.hi, lo);
    }
    if (op == EW_DIV || op == EW_MOD || op == EW_FMOD) {
        if ((b.hi | b.lo) == 0u) return r;
        r = ew_wide_divide(ew_wide_magnitude(a), ew_wide_magnitude(b), op != EW_DIV);
        if (((op == EW_DIV ? a.hi ^ b.hi : a.hi) >> 31) != 0u) r = xc_negate(r);
        if (op == EW_MOD && (r.hi | r.lo) != 0u && ((r.hi ^ b.hi) >> 31) != 0u) r = ew_wide_add(r, b);
        return r;
    }
    if (op == EW_MIN || op == EW_MAX) {
        if (less == (op == EW_MIN)) return a;
        return b;
    }
    return xc_wide(0u, ew_compare(op, less, equal));
}

/* ---- an element of any type: its bits without sign extension, in and out ---- */

XF_FN xf_u ew_widen(xf_u kind, xf_u x)
{
    if (kind == EW_F16) return xc_f32_of_f16(x);
    if (kind == EW_BF16) return xc_f32_of_bf16(x);
    return x;
}
XF_FN xf_u ew_narrow(xf_u kind, xf_u x)
{
    if (kind == EW_F16) return xc_f16_of_f32(x);
    if (kind == EW_BF16) return xc_bf16_of_f32(x);
    return x;
}
XF_FN xf_u ew_signed(xf_u kind, xf_u x)
{
    return kind == EW_I8 && (x & 0x80u) != 0u ? x | 0xFFFFFF00u : x;
}

XF_FN XF_WIDE ew_cast(xf_u from, xf_u to, XF_WIDE x)
{
    XF_WIDE r = x;
    if (ew_is_float(from)) {
        x.lo = ew_widen(from, x.lo);
        if (ew_is_float(to)) return xc_wide(0u, ew_narrow(to, to == EW_F32 && ew_nan(x.lo) ? XF_NAN : x.lo));
        if (to == EW_BOOL) return xc_wide(0u, (x.lo & 0x7FFFFFFFu) != 0u ? 1u : 0u);
        r = xc_integer_of_f32(x.lo, to == EW_I64 ? 64 : to == EW_I32 ? 32 : 8, to != EW_U8);
    } else {
        if (from != EW_I64) r = xc_extend(ew_signed(from, x.lo));
        if (to == EW_F32) return xc_wide(0u, xc_float_of_integer(r, 23, 127, XF_INFINITY, XF_SIGN));
        if (to == EW_F16) return xc_wide(0u, xc_float_of_integer(r, 10, 15, 0x7C00u, 0x8000u));
        if (to == EW_BF16) return xc_wide(0u, xc_float_of_integer(r, 7, 127, 0x7F80u, 0x8000u));
        if (to == EW_BOOL) return xc_wide(0u, (r.hi | r.lo) != 0u ? 1u : 0u);
    }
    if (to == EW_I8 || to == EW_U8) r.lo = r.lo & 0xFFu;
    return r;
}

/* from: the type of a and b, and of b and c for EW_WHERE, whose a is a boolean. to: of the result. */
XF_FN XF_WIDE ew_element(xf_u form, xf_u op, xf_u from, xf_u to, XF_WIDE a, XF_WIDE b, XF_WIDE c)
{
    xf_u r;
    if (op == EW_WHERE) {
        if (a.lo != 0u) return b;
        return c;
    }
    if (op == EW_CAST) return ew_cast(from, to, a);
    if (from == EW_I64) return ew_long(op, a, b);
    if (ew_is_float(from)) {
        r = ew_float(form, op, ew_widen(from, a.lo), ew_widen(from, b.lo));
        return xc_wide(0u, to == from ? ew_narrow(to, r) : r);
    }
    r = ew_int(op, ew_signed(from, a.lo), ew_signed(from, b.lo));
    return xc_wide(0u, from == EW_I32 ? r : r & 0xFFu);
}

#endif
