/* IEEE-754 binary32 in wide integers: exact values as m * 2^e, rounded once. See ieee.h. */
#include "devices/ieee.h"

__extension__ typedef unsigned __int128 wide;

enum { E_MIN = -149 };
#define SIGN         0x80000000u
#define INF          0x7F800000u
#define NOT_A_NUMBER 0x7FC00000u

static int bit_length(wide m)
{
    uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* RN(m * 2^e), m not 0. Bits lost earlier may be or-ed into bit 0 if m has at least 26 bits. */
static uint32_t round_once(uint32_t sign, wide m, int e)
{
    int drop = bit_length(m) - 24;
    if (drop < E_MIN - e) drop = E_MIN - e;
    if (drop > 127) return sign;
    if (drop > 0) {
        wide rest = m & (((wide)1 << drop) - 1), half = (wide)1 << (drop - 1);
        m >>= drop;
        if (rest > half || (rest == half && (m & 1))) m++;
    } else {
        m <<= -drop;
    }
    e += drop;
    if (e - E_MIN >= 254) return sign | INF;
    uint64_t bits =
        ((uint64_t)(e - E_MIN) << 23) + (uint64_t)m; /* the leading bit of m counts as one exponent */
    return sign | (bits >= INF ? INF : (uint32_t)bits);
}

static uint32_t significand(uint32_t u)
{
    return u & 0x7F800000u ? (u & 0x7FFFFFu) | 0x800000u : u & 0x7FFFFFu;
}
static int exponent(uint32_t u)
{
    int e = (int)(u >> 23 & 255);
    return (e ? e : 1) - 150;
}
static bool infinite(uint32_t u)
{
    return (u & ~SIGN) == INF;
}
static bool zero(uint32_t u)
{
    return (u & ~SIGN) == 0;
}

uint32_t assay_ieee_fma(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t sign_p = (a ^ b) & SIGN, sign_c = c & SIGN;
    if (assay_ieee_is_nan(a) || assay_ieee_is_nan(b) || assay_ieee_is_nan(c)) return NOT_A_NUMBER;
    if (infinite(a) || infinite(b)) {
        if (zero(a) || zero(b) || (infinite(c) && sign_p != sign_c)) return NOT_A_NUMBER;
        return sign_p | INF;
    }
    if (infinite(c)) return c;
    wide p = (wide)significand(a) * significand(b), q = significand(c);
    int ep = exponent(a) + exponent(b), ec = exponent(c), e;
    if (p == 0) return q ? c : sign_p & sign_c;
    if (q == 0) return round_once(sign_p, p, ep);
    if (ep - ec > 75) { /* c is less than a unit of p * 2^26: it only says which way to round */
        p <<= 26;
        q = 1;
        e = ep - 26;
    } else if (ec - ep > 75) {
        q <<= 26;
        p = 1;
        e = ec - 26;
    } else {
        e = ep < ec ? ep : ec;
        p <<= ep - e;
        q <<= ec - e;
    }
    if (sign_p == sign_c) return round_once(sign_p, p + q, e);
    if (p == q) return 0;
    return p > q ? round_once(sign_p, p - q, e) : round_once(sign_c, q - p, e);
}

uint32_t assay_ieee_add(uint32_t a, uint32_t b)
{
    return assay_ieee_fma(a, 0x3F800000u, b);
}
uint32_t assay_ieee_mul(uint32_t a, uint32_t b)
{
    return assay_ieee_fma(a, b, (a ^ b) & SIGN);
}

uint32_t assay_ieee_div(uint32_t a, uint32_t b)
{
    uint32_t sign = (a ^ b) & SIGN;
    if (assay_ieee_is_nan(a) || assay_ieee_is_nan(b) || (infinite(a) && infinite(b)) || (zero(a) && zero(b)))
        return NOT_A_NUMBER;
    if (infinite(a) || zero(b)) return sign | INF;
    if (zero(a) || infinite(b)) return sign;
    wide dividend = (wide)significand(a) << 60, divisor = significand(b);
    wide quotient = dividend / divisor;
    if (dividend % divisor) quotient |= 1;
    return round_once(sign, quotient, exponent(a) - exponent(b) - 60);
}

uint32_t assay_ieee_sqrt(uint32_t a)
{
    if (zero(a)) return a;
    if (assay_ieee_is_nan(a) || (a & SIGN)) return NOT_A_NUMBER;
    if (infinite(a)) return a;
    int e = exponent(a) - 60;
    wide m = (wide)significand(a) << 60, root = 0;
    if (e & 1) {
        m <<= 1;
        e--;
    }
    for (int bit = 44; bit >= 0; bit--) {
        wide next = root | (wide)1 << bit;
        if (next * next <= m) root = next;
    }
    if (root * root != m) root |= 1;
    return round_once(0, root, e / 2);
}
