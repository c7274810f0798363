#!/usr/bin/env python3
"""Write kernels/matmul/known.c: small matrix products whose bits are worked out here with exact rationals.

Independent of every kernel and oracle: no floating-point operation is used, a float is an integer times a power of
two, and each rounding of rule 2 is one call of rn(). Deterministic. Usage: scripts/known-answers.py [--check]
"""
import sys
from fractions import Fraction
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "kernels/matmul/known.c"
INF, NAN, SIGN = 0x7F800000, 0x7FC00000, 0x80000000


def value(bits):
    """The rational that finite f32 bits stand for."""
    exponent, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    magnitude = Fraction(fraction | (0x800000 if exponent else 0)) * Fraction(2) ** (max(exponent, 1) - 150)
    return -magnitude if bits & SIGN else magnitude


def rn(x, zero_sign=0):
    """Bits of the f32 nearest to x, ties to even; an exact zero takes zero_sign."""
    if x == 0:
        return zero_sign
    sign, x = (SIGN, -x) if x < 0 else (0, x)
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    if x < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent, -126)
    scaled = x / Fraction(2) ** (exponent - 23)
    units, rest = divmod(scaled.numerator, scaled.denominator)
    if 2 * rest > scaled.denominator or (2 * rest == scaled.denominator and units & 1):
        units += 1
    # The leading bit of a normal number, and a carry past it, add themselves to the exponent field.
    bits = units if exponent == -126 else units + (exponent + 126 << 23)
    return sign | min(bits, INF)


def is_nan(bits):
    return bits & ~SIGN > INF


def is_inf(bits):
    return bits & ~SIGN == INF


def fma(a, b, c):
    """RN(ab + c) on bits, with IEEE 754's rules for infinities, NaN and the sign of an exact zero."""
    sign = (a ^ b) & SIGN
    if is_nan(a) or is_nan(b) or is_nan(c):
        return NAN
    if is_inf(a) or is_inf(b):
        if not a & ~SIGN or not b & ~SIGN or (is_inf(c) and c & SIGN != sign):
            return NAN
        return sign | INF
    if is_inf(c):
        return c
    product, addend = value(a) * value(b), value(c)
    both_negative = SIGN if sign and c & SIGN and product == 0 and addend == 0 else 0
    return rn(product + addend, both_negative)


def add(a, b):
    return fma(a, 0x3F800000, b)


def dot(a, b, fused=True, chain_length=32, group_length=128):
    """Rule 2 over two lists of bits; the other arguments give wrong answers that a known answer should tell apart."""
    total = 0
    for g in range(0, len(a), group_length):
        group = 0
        for c in range(g, min(g + group_length, len(a)), chain_length):
            chain = 0
            for k in range(c, min(c + chain_length, g + group_length, len(a))):
                chain = fma(a[k], b[k], chain) if fused else add(fma(a[k], b[k], (a[k] ^ b[k]) & SIGN), chain)
            group = add(group, chain)
        total = add(total, group)
    return total


def product(a, b, m, n, k, **how):
    return [dot(a[i * k:(i + 1) * k], b[j::n], **how) for i in range(m) for j in range(n)]


class Words:
    """A 64-bit multiplicative congruential sequence; only its upper bits are used."""

    def __init__(self, seed):
        self.state = seed * 2 + 1

    def draw(self, below):
        self.state = self.state * 0xD1342543DE82EF95 % 2**64
        return (self.state >> 33) % below

    def floats(self, count, low, high):
        """Bits with any sign and fraction, biased exponents in [low, high]."""
        return [self.draw(2) << 31 | (low + self.draw(high - low + 1)) << 23 | self.draw(1 << 23) for _ in range(count)]


def tails():
    """Two groups, the last chain of one term; signs, exponents over 2^12, tile tails in m and n."""
    words = Words(1)
    m, n, k = 5, 7, 161
    a, b = words.floats(m * k, 121, 133), words.floats(k * n, 121, 133)
    # Every other position repeats the one before it with the other sign and one bit changed: most of it cancels.
    for i in range(m):
        for kk in range(1, k, 2):
            a[i * k + kk] = a[i * k + kk - 1] ^ SIGN ^ (1 << words.draw(8))
    for kk in range(1, k, 2):
        b[kk * n:(kk + 1) * n] = b[(kk - 1) * n:kk * n]
    return "tails of every kind, cancellation", m, n, k, a, b


def subnormals():
    """Operands, products and sums below 2^-126, and sums that climb out of there."""
    words = Words(2)
    m, n, k = 3, 5, 66
    a, b = words.floats(m * k, 47, 62), words.floats(k * n, 47, 62)
    for kk in range(0, k, 3):
        for i in range(m):
            a[i * k + kk] = words.draw(2) << 31 | words.draw(1 << 23)  # a subnormal ...
        for j in range(n):
            b[kk * n + j] = words.draw(2) << 31 | (124 + words.draw(6)) << 23 | words.draw(1 << 23)  # ... near 1
    return "subnormal operands, products and sums", m, n, k, a, b


def zeros():
    """Chains that are -0 by underflow, next to products that are exactly -0: every result is +0."""
    words = Words(3)
    m, n, k = 2, 3, 33
    a = [SIGN | 1 + words.draw(64) << 23 | words.draw(1 << 23) for _ in range(m * k)]
    b = [1 + words.draw(20) << 23 | words.draw(1 << 23) for _ in range(k * n)]
    for i in range(m):
        a[i * k + 32] = SIGN  # the last chain is the product -0 alone
    return "chains that are -0: sums never are", m, n, k, a, b


def specials():
    """Infinities and NaN in some rows and columns, overflow in another; the last row is ordinary."""
    words = Words(4)
    m, n, k = 5, 4, 37
    a, b = words.floats(m * k, 120, 134), words.floats(k * n, 120, 134)
    b[9 * n + 2] = 0
    a[0 * k + 9] = INF  # a whole row infinite, NaN where it meets the zero
    a[1 * k + 3], a[1 * k + 35] = INF, INF | SIGN  # infinite, or NaN where both signs meet
    a[2 * k + 30] = NAN
    for kk in range(k):
        a[3 * k + kk] = 0x7E800000 | words.draw(1 << 23)  # overflows, with luck of both signs
    return "infinities, NaN and overflow", m, n, k, a, b


def empty():
    return "K = 0: +0 everywhere", 2, 3, 0, [], []


def ordinary(seed, m, n, k):
    words = Words(seed)
    return m, n, k, words.floats(m * k, 121, 133), words.floats(k * n, 121, 133)


def wide():
    """Rows that start at multiples of 16 bytes, as wide loads want them, and enough outputs for tiles that split K."""
    return "rows of whole 16 bytes, two groups", *ordinary(5, 8, 8, 132)


def b_turned():
    """Three groups: a total that is added to twice."""
    return "B stored transposed", *ordinary(6, 1, 4, 260)


def a_turned():
    return "A stored transposed", *ordinary(8, 4, 4, 132)


def both_turned():
    return "both stored transposed, tails", *ordinary(9, 3, 5, 34)


def tall():
    """More rows than a processor's block: operands are packed first."""
    return "many rows", *ordinary(10, 90, 2, 3)


def broad():
    return "many columns", *ordinary(11, 2, 140, 3)


def vector():
    return "one row", *ordinary(7, 1, 4, 132)


def stored(words, rows, columns, layout):
    return [words[i * columns + j] for j in range(columns) for i in range(rows)] if layout == "TURNED" else words


def table(name, words):
    if not words:
        return f"static const uint32_t {name}[1];\n"
    lines = [", ".join(f"0x{w:08x}" for w in words[i:i + 16]) for i in range(0, len(words), 16)]
    return f"static const uint32_t {name}[{len(words)}] = {{\n    " + ",\n    ".join(lines) + ",\n};\n"


def text():
    out = ["""/* Written by scripts/known-answers.py: products whose bits were worked out with exact rationals.
 *
 * A kernel must give these bits on a device before it is used there. */
#include "kernels/matmul/matmul.h"

/* clang-format off */
"""]
    rows = []
    cases = [tails(), subnormals(), zeros(), specials(), empty(), wide(), b_turned(), a_turned(), both_turned(), vector(), tall(), broad()]
    for index, (what, m, n, k, a, b) in enumerate(cases):
        y = product(a, b, m, n, k)
        layout = ["TURNED" if what.startswith((f"{x} stored", "both stored")) else "DENSE" for x in "AB"]
        if index == 0:
            # It tells rule 2 from its usual misreadings.
            for how in ({"fused": False}, {"chain_length": 128}, {"group_length": 32}, {"group_length": 1 << 20},
                        {"chain_length": 1 << 20, "group_length": 1 << 20}):
                assert product(a, b, m, n, k, **how) != y, how
        out.append(f"/* {index}: {what}. {m} x {k} by {k} x {n}. */\n" + table(f"a{index}", stored(a, m, k, layout[0])) + 
                   table(f"b{index}", stored(b, k, n, layout[1])) +
                   table(f"y{index}", y))
        rows.append(f"    KNOWN({index}, {m}, {n}, {k}, {', '.join(layout)}),\n")
    out.append("""#define DENSE(rows, cols)                                                                    \\
    {.dtype = ASSAY_F32, .rank = 2, .shape = {rows, cols}, .stride = {cols, 1}, .bytes = 4ull * (rows) * (cols)}
#define TURNED(rows, cols)                                                                   \\
    {.dtype = ASSAY_F32, .rank = 2, .shape = {rows, cols}, .stride = {1, rows}, .bytes = 4ull * (rows) * (cols)}
#define KNOWN(index, m, n, k, A, B)                                                          \\
    {                                                                                        \\
        .call = {.op = "MatMul",                                                             \\
                 .input = {A(m, k), B(k, n)},                                                \\
                 .input_count = 2,                                                           \\
                 .output = {DENSE(m, n)},                                                    \\
                 .output_count = 1},                                                         \\
        .input = {a##index, b##index},                                                       \\
        .output = {y##index},                                                                \\
    }

const struct assay_known_answer matmul_known[MATMUL_KNOWN_COUNT] = {
""" + "".join(rows) + "};\n")
    return "\n".join(out)


def main():
    made = text()
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() != made:
            sys.exit(f"{TARGET} is not what {sys.argv[0]} writes")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        TARGET.write_text(made)


if __name__ == "__main__":
    main()
