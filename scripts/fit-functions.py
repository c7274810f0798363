#!/usr/bin/env python3
"""Make kernels/exact/function_constants.h: polynomials, tables and split constants of the correctly rounded functions.

Usage: scripts/fit-functions.py > kernels/exact/function_constants.h

Needs mpmath (python3-mpmath). Everything is computed with 60 digits and rounded to f32, or to sums of two f32, at the
end. Polynomials are interpolants at Chebyshev nodes. What they are good for is not proven here: tests/long_function.c
holds every function against MPFR's values for all 2^32 inputs.
"""

import struct

from mpmath import mp, mpf, atanh, cos, erf, erfc, exp, expm1, floor, log, nint, pi, sqrt, tanh

mp.dps = 60
TINY = mpf(10) ** -12


def f32(x):
    x = mpf(x)
    if x == 0:
        return mpf(0)
    scale = mpf(2) ** (max(int(floor(log(abs(x), 2))), -126) - 23)
    return nint(x / scale) * scale


def literal(x):
    value = float(x)
    text = "%.9g" % value
    assert struct.pack("<f", float(text)) == struct.pack("<f", value)
    return text + ("f" if "." in text or "e" in text else ".0f")


def pair(x):
    high = f32(x)
    return high, f32(mpf(x) - high)


def leading(x, bits):
    """x cut to its first bits."""
    scale = mpf(2) ** (int(floor(log(abs(x), 2))) - bits + 1)
    return nint(x / scale) * scale


def interpolate(f, a, b, degree):
    """Monomial coefficients of the interpolant of f at Chebyshev nodes of [a, b]."""
    a, b = mpf(a), mpf(b)
    count = degree + 1
    angles = [pi * (2 * i + 1) / (2 * count) for i in range(count)]
    values = [f((b - a) / 2 * cos(t) + (a + b) / 2) for t in angles]
    series = [2 * sum(v * cos(k * t) for v, t in zip(values, angles)) / count for k in range(count)]
    series[0] /= 2
    # Clenshaw's recurrence on polynomials in x, with u = slope * x + shift in [-1, 1]
    slope, shift = 2 / (b - a), -(a + b) / (b - a)

    def times_u(p):
        result = [shift * c for c in p] + [mpf(0)]
        for i, c in enumerate(p):
            result[i + 1] += slope * c
        return result

    def combine(*terms):
        length = max(len(p) for _, p in terms)
        return [sum(w * p[i] for w, p in terms if i < len(p)) for i in range(length)]

    one, two = [mpf(0)], [mpf(0)]
    for k in range(degree, 0, -1):
        one, two = combine((2, times_u(one)), (-1, two), (1, [series[k]])), one
    return combine((1, times_u(one)), (-1, two), (1, [series[0]]))[:count]


def horner(name, what, f, a, b, degree, pairs):
    """A macro of statements: p = sum of c[k] x^k, the first `pairs` coefficients as pairs; `single` is scratch."""
    c = interpolate(f, a, b, degree)
    lines = ["single = %s;" % literal(f32(c[degree]))]
    for k in range(degree - 1, pairs - 1, -1):
        lines.append("single = xm_mad(single, (x).high, %s);" % literal(f32(c[k])))
    lines.append("p = xm_pair(single, 0.0f);")
    for k in range(pairs - 1, -1, -1):
        lines.append("p = xm_horner(p, x, %s, %s);" % tuple(map(literal, pair(c[k]))))
    print("/* %s, degree %d, %s */" % (what, degree, "for x from %s to %s" % (mp.nstr(a, 6), mp.nstr(b, 6))))
    print("#define XM_POLYNOMIAL_%s(p, x, single) \\" % name)
    print("    { \\")
    for line in lines:
        print("        %s \\" % line)
    print("    }\n")


def constant(name, x):
    print("#define XM_%s %s" % (name, literal(x)))


def parts(name, x, *bits):
    for i, width in enumerate(bits):
        part = leading(x, width)
        constant("%s_%d" % (name, i + 1), part)
        x -= part


def array(name, values):
    print("#define XM_%s \\" % name)
    words = [literal(v) for v in values]
    lines = [", ".join(words[i:i + 8]) for i in range(0, len(words), 8)]
    print("    " + ", \\\n    ".join(lines) + "\n")


STEP = mpf(1) / 64


def rows(name, f, least, most, odd):
    """Rows of eight: f(i * STEP + d) = c0 + c1 d + ... + c5 d^5, c0 and c1 as pairs."""
    values = []
    for i in range(least, most + 1):
        if odd and i == 0:
            c1, c3, c5 = interpolate(lambda s: f(sqrt(s)) / sqrt(s), TINY, STEP ** 2 / 4, 2)
            c = [mpf(0), c1, mpf(0), c3, mpf(0), c5]
        else:
            c = interpolate(lambda d: f(i * STEP + d), -STEP / 2, STEP / 2, 5)
        values += [*pair(c[0]), *pair(c[1])] + [f32(v) for v in c[2:]]
    array(name, values)


def erfcx_scaled(t):
    z = 3 * (1 + t) / (1 - t)
    return exp(z * z) * erfc(z) * (z + 3)


def phi(x):
    return erfc(-x / sqrt(mpf(2))) / 2


def sigmoid(x):
    return 1 / (1 + exp(-x))


def main():
    ln2 = log(mpf(2))
    print("/* Written by scripts/fit-functions.py. Polynomials, tables and split constants of function.h. */")
    print("/* clang-format off */")
    print("#ifndef ASSAY_KERNELS_EXACT_FUNCTION_CONSTANTS_H\n#define ASSAY_KERNELS_EXACT_FUNCTION_CONSTANTS_H\n")
    print("/* ln 2 / 32 and ln 2 in parts: a product of the first with the integers that meet it is exact. */")
    parts("LN2_32", ln2 / 32, 11, 24, 24)
    parts("LN2", ln2, 15, 15, 24)
    constant("LN2_REST", f32(ln2 - leading(ln2, 15)))
    constant("PER_LN2_32", f32(32 / ln2))
    for name, x in (("LN2", ln2), ("LN2_32", ln2 / 32), ("PER_LN2", 1 / ln2), ("SQRT_HALF", 1 / sqrt(mpf(2))), ("ERF_SLOPE", 2 / sqrt(pi)),
                    ("GELU_1", 2 * sqrt(2 / pi)), ("GELU_3", 2 * sqrt(2 / pi) * mpf("0.044715"))):
        high, low = pair(x)
        constant(name + "_HIGH", high)
        constant(name + "_LOW", low)
    print()
    horner("ATANH", "(2 atanh(s) / s - 2) / s^2, x = s^2", lambda v: (2 * atanh(sqrt(v)) / sqrt(v) - 2) / v, TINY,
           mpf("0.0296"), 7, 4)
    horner("EXPM1", "(exp(x) - 1 - x - x^2 / 2) / x^3",
           lambda x: (expm1(x) - x - x * x / 2) / x ** 3 if abs(x) > TINY else mpf(1) / 6, mpf("-0.3"), mpf("0.3"), 9, 6)
    horner("TANH", "(tanh(a) / a - 1) / a^2, x = a^2", lambda s: (tanh(sqrt(s)) / sqrt(s) - 1) / s, TINY,
           mpf("0.1303"), 8, 5)
    horner("ERF", "erf(a) / a, x = a^2", lambda s: erf(sqrt(s)) / sqrt(s), TINY, mpf("0.815"), 11, 9)
    horner("GELU", "erf(a / sqrt 2) / (2 a), x = a^2", lambda s: erf(sqrt(s / 2)) / sqrt(s) / 2, TINY, mpf("1.001"),
           11, 8)
    low, high = mpf("0.7"), mpf("10.3")
    horner("ERFCX", "exp(z^2) erfc(z) (z + 3), x = (z - 3) / (z + 3), z from 0.7 to 10.3", erfcx_scaled,
           (low - 3) / (low + 3), (high - 3) / (high + 3), 17, 13)
    print("/* 2^(j / 32) as pairs. */")
    power = [pair(mpf(2) ** (mpf(j) / 32)) for j in range(32)]
    array("POWER_HIGH", [h for h, _ in power])
    array("POWER_LOW", [l for _, l in power])
    print("/* Logarithm: for the 64 stretches of the significand from sqrt 1/2 to sqrt 2, c near 1 / m with 7 bits, and\n"
          " * -log c as a multiple of 2^-17 plus a rest. The stretch around 1 has c = 1. */")
    logs = []
    first = 0x3F3504F3
    for i in range(64):
        a, b = (struct.unpack("<f", struct.pack("<I", first + (i << 17) + o))[0] for o in (0, 0x1FFFF))
        c = leading(2 / (mpf(a) + mpf(b)), 7)
        if a <= 1 <= b:
            c = mpf(1)
        value = -log(c)
        part = nint(value * 2 ** 17) / mpf(2) ** 17
        logs += [c, part, f32(value - part), mpf(0)]
    array("LOG_ROWS", logs)
    print("/* Rows c0 (pair), c1 (pair), c2 .. c5 around multiples of 1/64. */")
    rows("ROWS_SIGMOID", sigmoid, -512, 512, False)
    rows("ROWS_TANH", tanh, 0, 578, True)
    rows("ROWS_ERF", erf, 0, 251, True)
    rows("ROWS_PHI", phi, -192, 384, False)
    rows("ROWS_GELU_TANH", lambda x: sigmoid(2 * sqrt(2 / pi) * (x + mpf("0.044715") * x ** 3)), -192, 384, False)
    print("#endif")


main()
