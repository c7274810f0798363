/* The arithmetic of exact mode: f32 add, subtract, multiply and a general fused multiply-add that give the bits of
 * IEEE-754 binary32 (nearest even, subnormals kept) on every device. One text for C11, CUDA C++ (nvcc, and clang with
 * -nocudainc) and GLSL 4.50.
 *
 * It knows no device and no operator. Which form is right on a device is measured elsewhere (exact.c). The forms are
 * those of enum assay_variant:
 *
 *   native    the device's own fused multiply-add, add and multiply, as they are
 *   contract  the text of native; the loader rewrites the SPIR-V Fma as a multiply and an add that may be fused
 *   guarded   native, and integers where an operand or the result is so small that a device may flush it
 *   emulated  fused multiply-add from adds and multiplies, integers outside its proven range; add, multiply guarded
 *   integer   32-bit integers only
 *
 * C and CUDA see every form by name: xf_fma_native, xf_add_guarded, ... In GLSL one text has ASSAY_TEXT_native or
 * ASSAY_TEXT_emulated defined, and xf_fma, xf_add, xf_mul are the chosen form; inside the emulated text the
 * specialisation constant 3 (an enum assay_variant) picks guarded, emulated or integer.
 *
 * The common subset that three compilers take: unsigned literals with u, bool conditions, shift counts below 32, no
 * pointers, no casts but XF_U and XF_I, every float operation through xf_hw_*. Compile C with -ffp-contract=off. NaN
 * results are some NaN; xf_canonical makes them 7fc00000. */
#ifndef ASSAY_KERNELS_EXACT_H
#define ASSAY_KERNELS_EXACT_H

#if defined(VULKAN)

#define XF_FN
#define xf_u            uint
#define xf_i            int
#define xf_f            float
#define XF_U(x)         uint(x)
#define XF_I(x)         int(x)
#define XF_STRUCT(name) struct name
#define XF_PAIR         xf_pair
#define XF_WIDE         xf_wide
xf_u xf_bits(xf_f x)
{
    return floatBitsToUint(x);
}
xf_f xf_float(xf_u u)
{
    return uintBitsToFloat(u);
}
xf_i xf_clz(xf_u u)
{
    return 31 - findMSB(u);
}
/* `precise` stands inside each operation: it does not travel through function calls. */
xf_f xf_hw_add(xf_f a, xf_f b)
{
    precise float r = a + b;
    return r;
}
xf_f xf_hw_sub(xf_f a, xf_f b)
{
    precise float r = a - b;
    return r;
}
xf_f xf_hw_mul(xf_f a, xf_f b)
{
    precise float r = a * b;
    return r;
}
xf_f xf_hw_fma(xf_f a, xf_f b, xf_f c)
{
    precise float r = fma(a, b, c);
    return r;
}
#define XF_MUL_WIDE(a, b, hi, lo) umulExtended(a, b, hi, lo)

#elif defined(__CUDACC__) || defined(__CUDA__)

#define xf_u            unsigned int
#define xf_i            int
#define xf_f            float
#define XF_U(x)         ((unsigned int)(x))
#define XF_I(x)         ((int)(x))
#define XF_STRUCT(name) struct name
#define XF_PAIR         struct xf_pair
#define XF_WIDE         struct xf_wide
#if defined(__clang__) /* without CUDA's headers: the builtins behind its intrinsics */
#define XF_FN static inline __attribute__((device, always_inline))
XF_FN xf_u xf_bits(xf_f x)
{
    return __builtin_bit_cast(xf_u, x);
}
XF_FN xf_f xf_float(xf_u u)
{
    return __builtin_bit_cast(xf_f, u);
}
XF_FN xf_i xf_clz(xf_u u)
{
    return u != 0u ? __builtin_clz(u) : 32;
}
XF_FN xf_f xf_hw_add(xf_f a, xf_f b)
{
    return __nvvm_add_rn_f(a, b);
}
XF_FN xf_f xf_hw_sub(xf_f a, xf_f b)
{
    return __nvvm_add_rn_f(a, -b);
}
XF_FN xf_f xf_hw_mul(xf_f a, xf_f b)
{
    return __nvvm_mul_rn_f(a, b);
}
XF_FN xf_f xf_hw_fma(xf_f a, xf_f b, xf_f c)
{
    return __nvvm_fma_rn_f(a, b, c);
}
#else
#define XF_FN static __device__ __forceinline__
XF_FN xf_u xf_bits(xf_f x)
{
    return __float_as_uint(x);
}
XF_FN xf_f xf_float(xf_u u)
{
    return __uint_as_float(u);
}
XF_FN xf_i xf_clz(xf_u u)
{
    return __clz((int)u);
}
XF_FN xf_f xf_hw_add(xf_f a, xf_f b)
{
    return __fadd_rn(a, b);
}
XF_FN xf_f xf_hw_sub(xf_f a, xf_f b)
{
    return __fsub_rn(a, b);
}
XF_FN xf_f xf_hw_mul(xf_f a, xf_f b)
{
    return __fmul_rn(a, b);
}
XF_FN xf_f xf_hw_fma(xf_f a, xf_f b, xf_f c)
{
    return __fmaf_rn(a, b, c);
}
#endif
#define XF_MUL_WIDE(a, b, hi, lo)                                                                            \
    do {                                                                                                     \
        unsigned long long xf_product_ = (unsigned long long)(a) * (b);                                      \
        (hi) = (xf_u)(xf_product_ >> 32);                                                                    \
        (lo) = (xf_u)xf_product_;                                                                            \
    } while (0)

#else

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define XF_FN           static inline __attribute__((unused))
#define xf_u            uint32_t
#define xf_i            int32_t
#define xf_f            float
#define XF_U(x)         ((uint32_t)(x))
#define XF_I(x)         ((int32_t)(x))
#define XF_STRUCT(name) struct name
#define XF_PAIR         struct xf_pair
#define XF_WIDE         struct xf_wide
XF_FN xf_u xf_bits(xf_f x)
{
    xf_u u;
    memcpy(&u, &x, sizeof u);
    return u;
}
XF_FN xf_f xf_float(xf_u u)
{
    xf_f x;
    memcpy(&x, &u, sizeof x);
    return x;
}
XF_FN xf_i xf_clz(xf_u u)
{
    return u != 0u ? __builtin_clz(u) : 32;
}
XF_FN xf_f xf_hw_add(xf_f a, xf_f b)
{
    return a + b;
}
XF_FN xf_f xf_hw_sub(xf_f a, xf_f b)
{
    return a - b;
}
XF_FN xf_f xf_hw_mul(xf_f a, xf_f b)
{
    return a * b;
}
XF_FN xf_f xf_hw_fma(xf_f a, xf_f b, xf_f c)
{
    return __builtin_fmaf(a, b, c);
}
#define XF_MUL_WIDE(a, b, hi, lo)                                                                            \
    do {                                                                                                     \
        uint64_t xf_product_ = (uint64_t)(a) * (b);                                                          \
        (hi) = (uint32_t)(xf_product_ >> 32);                                                                \
        (lo) = (uint32_t)xf_product_;                                                                        \
    } while (0)

#endif

#define XF_SIGN       0x80000000u
#define XF_INFINITY   0x7F800000u
#define XF_NAN        0x7FC00000u
#define XF_MIN_NORMAL 0x00800000u

XF_FN xf_u xf_magnitude(xf_f x)
{
    return xf_bits(x) & 0x7FFFFFFFu;
}
XF_FN xf_u xf_exponent(xf_f x)
{
    return (xf_bits(x) >> 23) & 0xFFu;
}
XF_FN bool xf_is_nan(xf_f x)
{
    return xf_magnitude(x) > XF_INFINITY;
}
XF_FN bool xf_is_zero(xf_f x)
{
    return xf_magnitude(x) == 0u;
}
XF_FN bool xf_is_subnormal(xf_f x)
{
    return xf_magnitude(x) - 1u < XF_MIN_NORMAL - 1u;
}
XF_FN xf_f xf_neg(xf_f x)
{
    return xf_float(xf_bits(x) ^ XF_SIGN);
}
XF_FN xf_f xf_abs(xf_f x)
{
    return xf_float(xf_magnitude(x));
}
XF_FN xf_f xf_canonical(xf_f x)
{
    return xf_is_nan(x) ? xf_float(XF_NAN) : x;
}

/* ---- integer ----
 * The schoolbook way: the 48-bit product and the addend as 64-bit fixed-point numbers with one common exponent, what
 * falls off at the right kept as one sticky bit, one rounding. A result of add or multiply is a special case. */

XF_STRUCT(xf_wide)
{
    xf_u hi;
    xf_u lo;
};

XF_FN XF_WIDE xf_wide_shift_left(XF_WIDE x, xf_i n) /* 0 <= n < 64 */
{
    if (n >= 32) {
        x.hi = x.lo;
        x.lo = 0u;
        n = n - 32;
    }
    if (n != 0) {
        x.hi = (x.hi << n) | (x.lo >> (32 - n));
        x.lo = x.lo << n;
    }
    return x;
}

XF_FN XF_WIDE xf_wide_shift_right(XF_WIDE x, xf_i n) /* n >= 0; lost bits are or-ed into bit 0 */
{
    xf_u lost = 0u;
    if (n >= 64) {
        lost = x.hi | x.lo;
        x.hi = 0u;
        x.lo = 0u;
        n = 0;
    }
    if (n >= 32) {
        lost = x.lo;
        x.lo = x.hi;
        x.hi = 0u;
        n = n - 32;
    }
    if (n != 0) {
        lost = lost | (x.lo << (32 - n));
        x.lo = (x.lo >> n) | (x.hi << (32 - n));
        x.hi = x.hi >> n;
    }
    if (lost != 0u) x.lo = x.lo | 1u;
    return x;
}

/* Round to nearest even. `fraction` holds 1.f in 32 bits, its leading bit set (bit 0 sticky); `exponent` is the
 * biased exponent of that leading bit and may lie outside 1 .. 254. */
XF_FN xf_u xf_pack(xf_u sign, xf_i exponent, xf_u fraction)
{
    xf_u kept, rest;
    if (exponent > 254) return sign | XF_INFINITY;
    if (exponent < 1) {
        xf_i n = 1 - exponent;
        fraction = n > 31 ? 1u : (fraction >> n) | ((fraction << (32 - n)) != 0u ? 1u : 0u);
        exponent = 1;
    }
    kept = fraction >> 8;
    rest = fraction & 0xFFu;
    if (rest > 0x80u || (rest == 0x80u && (kept & 1u) != 0u)) kept = kept + 1u;
    /* the implicit bit of `kept` (or the carry past it) adds itself to the exponent; FLT_MAX rounds up to infinity */
    return sign | ((XF_U(exponent - 1) << 23) + kept);
}

/* Significand with its leading bit at bit 23, and the biased exponent that goes with it; magnitude not 0 nor infinite. */
XF_FN xf_i xf_unpack_exponent(xf_u magnitude)
{
    return magnitude >= XF_MIN_NORMAL ? XF_I(magnitude >> 23) : 9 - xf_clz(magnitude);
}
XF_FN xf_u xf_unpack_significand(xf_u magnitude)
{
    return magnitude >= XF_MIN_NORMAL ? (magnitude & 0x7FFFFFu) | 0x800000u
                                      : magnitude << (xf_clz(magnitude) - 8);
}

/* RN(a * b + c) on bit patterns. */
XF_FN xf_u xf_fma_words(xf_u a, xf_u b, xf_u c)
{
    xf_u ma = a & 0x7FFFFFFFu, mb = b & 0x7FFFFFFFu, mc = c & 0x7FFFFFFFu;
    xf_u sign_p = (a ^ b) & XF_SIGN, sign_c = c & XF_SIGN, sign = sign_p, hi, lo;
    xf_i ep, ec, n;
    XF_WIDE p, q, t;
    if (ma > XF_INFINITY || mb > XF_INFINITY || mc > XF_INFINITY) return XF_NAN;
    if (ma == XF_INFINITY || mb == XF_INFINITY) {
        if (ma == 0u || mb == 0u || (mc == XF_INFINITY && sign_c != sign_p)) return XF_NAN;
        return sign_p | XF_INFINITY;
    }
    if (mc == XF_INFINITY) return c;
    if (ma == 0u || mb == 0u) return mc != 0u ? c : sign_p & sign_c;
    /* the product with its leading bit at 60 or 61 of 64, then at 61 */
    XF_MUL_WIDE(xf_unpack_significand(ma) << 7, xf_unpack_significand(mb) << 7, hi, lo);
    p.hi = hi;
    p.lo = lo;
    ep = xf_unpack_exponent(ma) + xf_unpack_exponent(mb) - 126;
    if (p.hi < 0x20000000u) {
        p = xf_wide_shift_left(p, 1);
        ep = ep - 1;
    }
    q.hi = 0u;
    q.lo = 0u;
    ec = ep;
    if (mc != 0u) {
        q.hi = xf_unpack_significand(mc) << 6;
        ec = xf_unpack_exponent(mc);
    }
    if (ec > ep) {
        t = p;
        p = q;
        q = t;
        n = ep;
        ep = ec;
        ec = n;
        sign = sign_c;
    }
    q = xf_wide_shift_right(q, ep - ec);
    if (sign_p == sign_c) {
        lo = p.lo + q.lo;
        p.hi = p.hi + q.hi + (lo < p.lo ? 1u : 0u);
        p.lo = lo;
    } else {
        if (p.hi < q.hi || (p.hi == q.hi && p.lo < q.lo)) { /* only with equal exponents */
            t = p;
            p = q;
            q = t;
            sign = sign ^ XF_SIGN;
        }
        lo = p.lo - q.lo;
        p.hi = p.hi - q.hi - (p.lo < q.lo ? 1u : 0u);
        p.lo = lo;
        if ((p.hi | p.lo) == 0u) return 0u;
    }
    n = p.hi != 0u ? xf_clz(p.hi) : 32 + xf_clz(p.lo);
    p = xf_wide_shift_left(p, n);
    return xf_pack(sign, ep + 2 - n, p.hi | (p.lo != 0u ? 1u : 0u));
}
XF_FN xf_u xf_add_words(xf_u a, xf_u b)
{
    return xf_fma_words(a, 0x3F800000u, b);
}
XF_FN xf_u xf_mul_words(xf_u a, xf_u b)
{
    return xf_fma_words(a, b, (a ^ b) & XF_SIGN);
}

XF_FN xf_f xf_fma_integer(xf_f a, xf_f b, xf_f c)
{
    return xf_float(xf_fma_words(xf_bits(a), xf_bits(b), xf_bits(c)));
}
XF_FN xf_f xf_add_integer(xf_f a, xf_f b)
{
    return xf_float(xf_add_words(xf_bits(a), xf_bits(b)));
}
XF_FN xf_f xf_mul_integer(xf_f a, xf_f b)
{
    return xf_float(xf_mul_words(xf_bits(a), xf_bits(b)));
}

/* ---- native ---- */

XF_FN xf_f xf_fma_native(xf_f a, xf_f b, xf_f c)
{
    return xf_hw_fma(a, b, c);
}
XF_FN xf_f xf_add_native(xf_f a, xf_f b)
{
    return xf_hw_add(a, b);
}
XF_FN xf_f xf_mul_native(xf_f a, xf_f b)
{
    return xf_hw_mul(a, b);
}

/* ---- guarded ----
 * A device that flushes can be wrong only where an operand is subnormal or the result is at most 2^-126 in magnitude
 * (2^-126 itself: flushing before or after rounding is the device's choice). A product with a zero factor is exact. */

XF_FN bool xf_small(xf_f x)
{
    return xf_magnitude(x) <= XF_MIN_NORMAL;
}
XF_FN bool xf_fma_unsure(xf_f a, xf_f b, xf_f c, xf_f r)
{
    return xf_is_subnormal(a) || xf_is_subnormal(b) || xf_is_subnormal(c) ||
           (xf_small(r) && !xf_is_zero(a) && !xf_is_zero(b));
}
XF_FN bool xf_add_unsure(xf_f a, xf_f b, xf_f r)
{
    return xf_is_subnormal(a) || xf_is_subnormal(b) || (xf_small(r) && !xf_is_zero(a) && !xf_is_zero(b));
}
XF_FN bool xf_mul_unsure(xf_f a, xf_f b, xf_f r)
{
    return xf_add_unsure(a, b, r);
}

XF_FN xf_f xf_fma_guarded(xf_f a, xf_f b, xf_f c)
{
    xf_f r = xf_hw_fma(a, b, c);
    if (xf_fma_unsure(a, b, c, r)) r = xf_fma_integer(a, b, c);
    return r;
}
XF_FN xf_f xf_add_guarded(xf_f a, xf_f b)
{
    xf_f r = xf_hw_add(a, b);
    if (xf_add_unsure(a, b, r)) r = xf_add_integer(a, b);
    return r;
}
XF_FN xf_f xf_mul_guarded(xf_f a, xf_f b)
{
    xf_f r = xf_hw_mul(a, b);
    if (xf_mul_unsure(a, b, r)) r = xf_mul_integer(a, b);
    return r;
}

/* ---- emulated ----
 * S. Boldo, G. Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd",
 * IEEE Transactions on Computers 57(4), 2008, over Dekker's product and Knuth's TwoSum.
 *
 * Every intermediate is a multiple of 2^-126 (so 0 or normal: nothing that flushing could touch, no underflow that
 * the proof forbids) when the factors' biased exponents are at least 24 and add up to 174 or more, and that of c is
 * at least 24; none overflows when they add up to 378 at most and that of c is 252 at most. Zeros are in range. */

XF_STRUCT(xf_pair)
{
    xf_f high; /* RN of the sum or product */
    xf_f low;  /* what it lacks, exactly */
};

XF_FN XF_PAIR xf_two_sum(xf_f a, xf_f b)
{
    XF_PAIR r;
    xf_f b_part, a_part;
    r.high = xf_hw_add(a, b);
    b_part = xf_hw_sub(r.high, a);
    a_part = xf_hw_sub(r.high, b_part);
    r.low = xf_hw_add(xf_hw_sub(a, a_part), xf_hw_sub(b, b_part));
    return r;
}

/* Dekker's product with the factors cut by a mask instead of rounded. With a, b as 24-bit integers the low halves are
 * below 2^12, the partial remainders are multiples of 2^23, 2^12, 2^12 and 1 and stay below 2^24 of those: exact. */
XF_FN XF_PAIR xf_two_product(xf_f a, xf_f b)
{
    XF_PAIR r;
    xf_f a_high = xf_float(xf_bits(a) & 0xFFFFF000u), a_low = xf_hw_sub(a, a_high);
    xf_f b_high = xf_float(xf_bits(b) & 0xFFFFF000u), b_low = xf_hw_sub(b, b_high);
    xf_f t;
    r.high = xf_hw_mul(a, b);
    t = xf_hw_sub(xf_hw_mul(a_high, b_high), r.high);
    t = xf_hw_add(t, xf_hw_mul(a_high, b_low));
    t = xf_hw_add(t, xf_hw_mul(a_low, b_high));
    r.low = xf_hw_add(t, xf_hw_mul(a_low, b_low));
    return r;
}

/* a + b rounded to odd: when inexact, of the two floats around it the one whose last bit is 1. */
XF_FN xf_f xf_add_odd(xf_f a, xf_f b)
{
    XF_PAIR s = xf_two_sum(a, b);
    xf_u k = xf_bits(s.high), towards = (xf_bits(s.low) ^ k) >> 31;
    bool move = !xf_is_zero(s.low) && (k & 1u) == 0u;
    return xf_float(move ? k + 1u - 2u * towards : k);
}

/* a * b + c inside the range above; no check. Not for c = -0 together with a product of -0, which gives +0 here: sums of
 * products that start at +0 never meet it. */
XF_FN xf_f xf_fma_emulated_core(xf_f a, xf_f b, xf_f c)
{
    XF_PAIR u = xf_two_product(a, b), t = xf_two_sum(c, u.low), v = xf_two_sum(u.high, t.high);
    return xf_hw_add(v.high, xf_add_odd(t.low, v.low));
}
XF_FN xf_f xf_fma_emulated_inside(xf_f a, xf_f b, xf_f c)
{
    xf_f r = xf_fma_emulated_core(a, b, c);
    return xf_is_zero(a) || xf_is_zero(b) ? xf_hw_add(xf_hw_mul(a, b), c) : r;
}
XF_FN bool xf_fma_inside(xf_f a, xf_f b, xf_f c)
{
    xf_u ea = xf_exponent(a), eb = xf_exponent(b), ec = xf_exponent(c);
    bool zero = xf_is_zero(a) || xf_is_zero(b);
    bool product =
        zero ? ea < 255u && eb < 255u : ea - 24u < 231u && eb - 24u < 231u && ea + eb - 174u <= 204u;
    return product && (ec - 24u <= 228u || xf_is_zero(c));
}
XF_FN xf_f xf_fma_emulated(xf_f a, xf_f b, xf_f c)
{
    if (xf_fma_inside(a, b, c)) return xf_fma_emulated_inside(a, b, c);
    return xf_fma_integer(a, b, c);
}

/* A factor that is safe in sums of products whatever the other factors that are safe too: 0, or 2^-40 <= |x| < 2^44.
 * Then products are 0 or in [2^-80, 2^88), all partial sums of up to 2^31 of them are multiples of 2^-126 below 2^120,
 * and neither the hardware's fma (flushing or not) nor xf_fma_emulated_core needs a check inside the loop. */
XF_FN bool xf_factor_safe(xf_f x)
{
    return xf_exponent(x) - 87u <= 83u || xf_is_zero(x);
}

/* A partial sum that safe factors may go on from: 0, or a multiple of 2^-126 below 2^121, as all their own sums are. */
XF_FN bool xf_sum_safe(xf_f x)
{
    return xf_exponent(x) - 24u <= 223u || xf_is_zero(x);
}

/* ---- the text of a shader ---- */

#if defined(VULKAN)
#if defined(ASSAY_TEXT_emulated)
#define XF_GUARDED  3u /* enum assay_variant */
#define XF_EMULATED 4u
#define XF_INTEGER  5u
layout(constant_id = 3) const uint xf_variant = XF_EMULATED;
/* One integer body: drivers inline every call, and LLVM needs minutes for many of them. */
xf_f xf_fma(xf_f a, xf_f b, xf_f c)
{
    xf_f r = 0.0;
    bool integer = xf_variant == XF_INTEGER;
    if (xf_variant == XF_GUARDED) {
        r = xf_hw_fma(a, b, c);
        integer = xf_fma_unsure(a, b, c, r);
    } else if (xf_variant == XF_EMULATED) {
        /* zeros for lanes that go the other way: a subnormal in one lane slows all lanes of a CPU down */
        integer = !xf_fma_inside(a, b, c);
        r = xf_fma_emulated_inside(integer ? 0.0 : a, integer ? 0.0 : b, integer ? 0.0 : c);
    }
    if (integer) r = xf_fma_integer(a, b, c);
    return r;
}
xf_f xf_add(xf_f a, xf_f b)
{
    xf_f r = xf_hw_add(a, b);
    if (xf_variant == XF_INTEGER || xf_add_unsure(a, b, r)) r = xf_add_integer(a, b);
    return r;
}
xf_f xf_mul(xf_f a, xf_f b)
{
    xf_f r = xf_hw_mul(a, b);
    if (xf_variant == XF_INTEGER || xf_mul_unsure(a, b, r)) r = xf_mul_integer(a, b);
    return r;
}
/* Between factors that are all safe (xf_factor_safe) and in a sum that started at +0; never for the integer variant. */
xf_f xf_fma_safe(xf_f a, xf_f b, xf_f c)
{
    return xf_variant == XF_GUARDED ? xf_hw_fma(a, b, c) : xf_fma_emulated_core(a, b, c);
}
#else
xf_f xf_fma(xf_f a, xf_f b, xf_f c)
{
    return xf_fma_native(a, b, c);
}
xf_f xf_add(xf_f a, xf_f b)
{
    return xf_add_native(a, b);
}
xf_f xf_mul(xf_f a, xf_f b)
{
    return xf_mul_native(a, b);
}
#endif
xf_f xf_sub(xf_f a, xf_f b)
{
    return xf_add(a, xf_neg(b));
}
#else
XF_FN xf_f xf_sub_native(xf_f a, xf_f b)
{
    return xf_add_native(a, xf_neg(b));
}
XF_FN xf_f xf_sub_guarded(xf_f a, xf_f b)
{
    return xf_add_guarded(a, xf_neg(b));
}
XF_FN xf_f xf_sub_integer(xf_f a, xf_f b)
{
    return xf_add_integer(a, xf_neg(b));
}
/* So that a kernel can paste a form's name: contract is native outside SPIR-V, emulated adds and multiplies guarded. */
XF_FN xf_f xf_fma_contract(xf_f a, xf_f b, xf_f c)
{
    return xf_fma_native(a, b, c);
}
XF_FN xf_f xf_add_contract(xf_f a, xf_f b)
{
    return xf_add_native(a, b);
}
XF_FN xf_f xf_mul_contract(xf_f a, xf_f b)
{
    return xf_mul_native(a, b);
}
XF_FN xf_f xf_add_emulated(xf_f a, xf_f b)
{
    return xf_add_guarded(a, b);
}
XF_FN xf_f xf_mul_emulated(xf_f a, xf_f b)
{
    return xf_mul_guarded(a, b);
}
#endif

#endif
