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


def unfused(a, b, positions):
    """The sum with two roundings at these positions."""
    total = 0
    for g in range(0, len(a), 128):
        group = 0
        for c in range(g, min(g + 128, len(a)), 32):
            chain = 0
            for k in range(c, min(c + 32, g + 128, len(a))):
                if k in positions:
                    chain = add(fma(a[k], b[k], (a[k] ^ b[k]) & SIGN), chain)
                else:
                    chain = fma(a[k], b[k], chain)
            group = add(group, chain)
        total = add(total, group)
    return total


def fused_everywhere(k):
    """One row and one column whose sum is wrong if a single one of its fused multiply-adds is not fused.

    Each product takes seven eighths off the chain, or more, so that what a rounding of the product would lose is
    several units in the last place of the result, which the following terms, ever smaller, never bury. The factors have
    full significands. Checked here for every position, for all together and for all but one.
    """
    for seed in range(12, 100):
        a, b = cancelling(Words(seed), k)
        right = unfused(a, b, ())
        starts = set(range(0, k, 32))  # a first product has one rounding either way
        if unfused(a, b, set(range(k))) != right and all(
                unfused(a, b, {position}) != right and unfused(a, b, set(range(k)) - {position}) != right
                for position in range(k) if position not in starts):
            return a, b
    raise AssertionError("no such sum")


def cancelling(words, k):
    a, b = [], []
    for position in range(k):
        left = min(32, k - position // 32 * 32) - position % 32  # of the chain: all chains end at about 2^-70
        if position % 32 == 0:
            half = 127 + (7 * left // 2 - 70) // 2
            factors = [words.floats(1, half, half)[0] | 1 for _ in range(2)]
            chain = fma(*factors, 0)
        else:
            half = 127 + ((chain >> 23 & 0xFF) - 127) // 2
            while True:
                # a factor at random, the other one such that the product is -chain * (7/8 .. 15/16), its last bit set
                first = words.floats(1, half - 2, half + 2)[0] | 1
                part = Fraction(7, 8) + Fraction(words.draw(1 << 12), 1 << 16)
                factors = [first, rn(-value(chain) * part / value(first)) | 1]
                fused = fma(*factors, chain)
                rounded = add(fma(*factors, (factors[0] ^ factors[1]) & SIGN), chain)
                if abs((fused & ~SIGN) - (rounded & ~SIGN)) >= 4:
                    break
            chain = fused
        a.append(factors[0])
        b.append(factors[1])
    assert all(87 <= word >> 23 & 0xFF <= 170 for word in a + b)
    return a, b


SIDE = 128  # of the largest tile


def repeated(name, words, along_k):
    """SIDE rows (or columns) that all are `words`, k by k or one after the other, written short."""
    if along_k:
        values = [f"[{i * SIDE} ... {i * SIDE + SIDE - 1}] = 0x{w:08x}" for i, w in enumerate(words)]
        body = ",\n    ".join(", ".join(values[i:i + 4]) for i in range(0, len(values), 4))
        return f"static const uint32_t {name}[{len(words) * SIDE}] = {{\n    {body},\n}};\n"
    lines = [", ".join(f"0x{w:08x}" for w in words[i:i + 16]) for i in range(0, len(words), 16)]
    body = ", \\\n    ".join(lines)
    return (f"#define {name.upper()} \\\n    {body}\n"
            f"static const uint32_t {name}[{len(words) * SIDE}] = {{REPEAT_{SIDE}({name.upper()})}};\n")


def large(first_index):
    """Every output of a whole tile, in every layout that has a program of its own."""
    out, rows = [], []
    k = 156  # a group, then a chain of a whole stage and a part of one; whole quads for wide loads
    a, b = fused_everywhere(k)
    a_odd, b_odd = fused_everywhere(k - 1)  # rows of no whole number of quads
    out.append(f"""/* From {first_index} on: {SIDE} equal rows by {SIDE} equal columns, of which every fused multiply-add shows: a
 * compiler that fuses where it likes must have done so at every place of a tile, in every program. In all layouts. */
#define REPEAT_8(...)   __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define REPEAT_64(...)  REPEAT_8(__VA_ARGS__), REPEAT_8(__VA_ARGS__), REPEAT_8(__VA_ARGS__), REPEAT_8(__VA_ARGS__), REPEAT_8(__VA_ARGS__), REPEAT_8(__VA_ARGS__), REPEAT_8(__VA_ARGS__), REPEAT_8(__VA_ARGS__)
#define REPEAT_128(...) REPEAT_64(__VA_ARGS__), REPEAT_64(__VA_ARGS__)
""")
    out.append(repeated("a_rows", a, False) + repeated("a_columns", a, True))
    out.append(repeated("b_rows", b, True) + repeated("b_columns", b, False))
    out.append(repeated("a_odd", a_odd, False) + repeated("b_odd", b_odd, True))
    for name, y in (("y_large", unfused(a, b, ())), ("y_odd", unfused(a_odd, b_odd, ()))):
        out.append(f"static const uint32_t {name}[{SIDE * SIDE}] = {{[0 ... {SIDE * SIDE - 1}] = 0x{y:08x}}};\n")
    layouts = [("DENSE", "DENSE", "a_rows", "b_rows"), ("DENSE", "TURNED", "a_rows", "b_columns"),
               ("TURNED", "DENSE", "a_columns", "b_rows"), ("TURNED", "TURNED", "a_columns", "b_columns")]
    for x, y, a_name, b_name in layouts:
        rows.append(f"    LARGE({k}, {x}, {y}, {a_name}, {b_name}, y_large),\n")
    rows.append(f"    LARGE({k - 1}, DENSE, DENSE, a_odd, b_odd, y_odd),\n")
    return out, rows


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
    more, more_rows = large(len(cases))
    out += more
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
#define LARGE(k, A, B, a, b, y)                                                              \\
    {                                                                                        \\
        .call = {.op = "MatMul",                                                             \\
                 .input = {A(128, k), B(k, 128)},                                            \\
                 .input_count = 2,                                                           \\
                 .output = {DENSE(128, 128)},                                                \\
                 .output_count = 1},                                                         \\
        .input = {a, b},                                                                     \\
        .output = {y},                                                                       \\
    }

const struct assay_known_answer matmul_known[MATMUL_KNOWN_COUNT] = {
""" + "".join(rows + more_rows) + "};\n")
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
