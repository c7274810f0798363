#!/usr/bin/env python3
"""Write kernels/q1_0/known.c: small Q1_0 products and quantized rows whose bits are worked out with exact rationals.

Independent of every kernel and oracle: no floating-point operation is used; each rounding of rule 11 is one call of
rn(), rn16() or rne(). Deterministic. Usage: scripts/known-answers-q1_0.py [--check]
"""
import sys
from fractions import Fraction
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "kernels/q1_0/known.c"
loader = SourceFileLoader("known_answers", str(HERE / "known-answers.py"))
sys.dont_write_bytecode = True
base = module_from_spec(spec_from_loader("known_answers", loader))
loader.exec_module(base)
rn, fma, add, value, Words, table = base.rn, base.fma, base.add, base.value, base.Words, base.table
INF, NAN, SIGN = base.INF, base.NAN, base.SIGN


def half_word(h):
    """Bits of the f32 that equals an f16."""
    sign, exponent, fraction = (h & 0x8000) << 16, h >> 10 & 31, h & 0x3FF
    if exponent == 31:
        return NAN if fraction else sign | INF
    if exponent == 0:
        return sign | rn(Fraction(fraction, 1 << 24))
    return sign | exponent + 112 << 23 | fraction << 13


def rne(x):
    """The integer nearest to a rational, ties to even."""
    return round(x)


def rn16(x):
    """Bits of the f16 nearest to a rational >= 0; 7c00 when it is too large."""
    if x < Fraction(1, 1 << 14):
        return rne(x * (1 << 24))
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    if x < Fraction(2) ** exponent:
        exponent -= 1
    return min((exponent + 14 << 10) + rne(x / Fraction(2) ** (exponent - 10)), 0x7C00)


def integer(s):
    return rn(Fraction(abs(s))) | (SIGN if s < 0 else 0)


def element(w, x, fused=True, wrap=True, linear=False):
    """Rule 11 for a row of W and one of X, lists of bytes; the other arguments give the usual misreadings."""
    acc = [0] * 8
    for b in range(len(w) // 18):
        block = w[18 * b:18 * b + 18]
        d0, ab = half_word(block[0] | block[1] << 8), [0] * 8
        for k in range(4):
            q8 = x[34 * (4 * b + k):34 * (4 * b + k) + 34]
            d1 = half_word(q8[0] | q8[1] << 8)
            for lane in range(8):
                s = 0
                for j in range(4 * lane, 4 * lane + 4):
                    q = q8[2 + j] - 256 if q8[2 + j] > 127 else q8[2 + j]
                    if not block[2 + 4 * k + j // 8] >> j % 8 & 1:
                        q = -q if q != -128 or not wrap else -128
                    s += q
                if k == 0:
                    ab[lane] = fma(d1, integer(s), (d1 ^ integer(s)) & SIGN)
                else:
                    ab[lane] = fma(d1, integer(s), ab[lane])
        for lane in range(8):
            acc[lane] = (fma(d0, ab[lane], acc[lane]) if fused else
                         add(fma(d0, ab[lane], (d0 ^ ab[lane]) & SIGN), acc[lane]))
    if linear:
        total = acc[0]
        for lane in range(1, 8):
            total = add(total, acc[lane])
        return total
    even = add(add(acc[0], acc[4]), add(acc[2], acc[6]))
    return add(even, add(add(acc[1], acc[5]), add(acc[3], acc[7])))


def product(w, x, m, n, blocks, **how):
    wr, xr = 18 * blocks, 136 * blocks
    return [element(w[i * wr:(i + 1) * wr], x[j * xr:(j + 1) * xr], **how) for j in range(n) for i in range(m)]


def weights(words, m, blocks, low, high):
    out = []
    for _ in range(m * blocks):
        h = words.draw(2) << 15 | low + words.draw(high - low)
        out += [h & 0xFF, h >> 8] + [words.draw(256) for _ in range(16)]
    return out


def activations(words, n, blocks, low, high, least=-127):
    out = []
    for _ in range(n * blocks * 4):
        h = low + words.draw(high - low)
        out += [h & 0xFF, h >> 8] + [(least + words.draw(128 - least)) & 0xFF for _ in range(32)]
    return out


def layered(seed, m, n, blocks):
    words = Words(seed)
    return m, n, blocks, weights(words, m, blocks, 0x1800, 0x2C00), activations(words, n, blocks, 0x1400, 0x3800)


def matmuls():
    """(what, m, n, blocks, w, x) of every case."""
    cases = [("layer-shaped, one vector, tails in rows",) + layered(11, 37, 1, 3),
             ("several vectors, tails in rows and vectors",) + layered(12, 19, 6, 2)]
    words = Words(13)
    m, n, blocks = 9, 2, 2
    x = activations(words, n, blocks, 0x3000, 0x3C00, least=-128)
    for i in range(0, len(x), 7):
        if i % 34 > 1:
            x[i] = 0x80
    cases.append(("codes of -128, negated ones too", m, n, blocks, weights(words, m, blocks, 0x1800, 0x2C00), x))
    words = Words(14)
    m, n, blocks = 9, 3, 2
    w, x = weights(words, m, blocks, 0, 0x7C00), activations(words, n, blocks, 0, 0x7C00)
    w[0:2], w[18 * blocks:18 * blocks + 2] = [0, 0x7C], [1, 0x7E]  # infinite, NaN
    w[2 * 18 * blocks:2 * 18 * blocks + 2] = [0, 0x80]  # -0
    x[0:2] = [0, 0x7C]  # meets sums of every sign and perhaps none that is 0
    x[136 * blocks:136 * blocks + 2] = [0, 0xFC]
    x[136 * blocks + 2:136 * blocks + 34] = [0] * 32  # infinity times 0
    cases.append(("scales of every size, subnormal, -0, infinite, NaN", m, n, blocks, w, x))
    cases.append(("K = 0: +0 everywhere", 3, 2, 0, [], []))
    cases.append(("rows of whole 16 bytes, more than a tile of rows, part of a chunk of blocks",) + layered(15, 34, 1, 8))
    words = Words(16)
    m, n, blocks = 18, 1, 64
    x = activations(words, n, blocks, 0x1400, 0x3800, least=-128)
    for i in range(0, len(x), 11):
        if i % 34 > 1:
            x[i] = 0x80
    cases.append(("rows of many whole parts of 16 blocks, codes of -128", m, n, blocks,
                  weights(words, m, blocks, 0x1800, 0x2C00), x))
    words = Words(17)
    m, n, blocks = 5, 34, 2
    x = activations(words, n, blocks, 0x1400, 0x3800, least=-128)
    for i in range(0, len(x), 13):
        if i % 34 > 1:
            x[i] = 0x80
    cases.append(("many vectors, codes of -128", m, n, blocks, weights(words, m, blocks, 0x1800, 0x2C00), x))
    return cases


def quantized(row):
    """Bytes of a row of f32 bits."""
    out = []
    for at in range(0, len(row), 32):
        block = row[at:at + 32]
        amax = max(bits & ~SIGN for bits in block)
        if amax >= INF:
            out += [0, 0x7E] + [0x80] * 32
            continue
        if amax == 0 or rn(127 / value(amax)) >= INF:
            out += [0] * 34
            continue
        scale, inverse = rn16(value(rn(value(amax) / 127))), value(rn(127 / value(amax)))
        if scale == 0x7C00:
            out += [0, 0x7E] + [0x80] * 32
            continue
        out += [scale & 0xFF, scale >> 8]
        out += [rne(value(rn(value(bits) * inverse))) & 0xFF for bits in block]
    return out


def plain_bits(x):
    return rn(abs(Fraction(x))) | (SIGN if x < 0 else 0)


def quantizer_rows():
    words = Words(21)
    half = Fraction(1, 2)
    ties = [127, 2 + half, -3 - half, half, -half, 126 + half, -126 - half, 1 + half, -1 - half] + [0] * 23
    rows = [[plain_bits(x) for x in ties] + [0] * 31 + [SIGN]]
    rows.append(words.floats(64, 120, 130))
    rows.append(words.floats(32, 100, 140) + words.floats(32, 127, 127))
    rows.append([words.draw(2) << 31 | words.draw(1 << 23) for _ in range(31)] + [0x0B000000] +  # subnormal, amax tiny
                [words.draw(2) << 31 | words.draw(1 << 23) for _ in range(31)] + [0x02FE0000])  # 127 / amax overflows, just
    rows.append([words.draw(2) << 31 | words.draw(1 << 23) for _ in range(31)] + [0x02FE0001] +
                [words.draw(2) << 31 | words.draw(1 << 23) for _ in range(31)] + [0x02FE0003])
    edge = value(0x477FF000) * 127  # 65520 * 127: the first scale that overflows f16
    rows.append([plain_bits(edge)] + words.floats(31, 130, 148) + [plain_bits(edge) - 16] + words.floats(31, 130, 148))
    rows.append(words.floats(5, 120, 130) + [NAN] + words.floats(26, 120, 130) + [INF | SIGN] + words.floats(31, 120, 130))
    return len(rows), 64, [bits for row in rows for bits in row], [byte for row in rows for byte in quantized(row)]


def packed(data):
    """Bytes as words, little endian, zeros behind."""
    data = data + [0] * (-len(data) % 4)
    return [data[i] | data[i + 1] << 8 | data[i + 2] << 16 | data[i + 3] << 24 for i in range(0, len(data), 4)]


def text():
    out = ["""/* Written by scripts/known-answers-q1_0.py: products and quantized rows whose bits were worked out with exact rationals.
 *
 * A kernel must give these bits on a device before it is used there. Bytes stand in words, least significant first. */
#include "kernels/q1_0/q1_0.h"

/* clang-format off */
"""]
    rows = []
    for index, (what, m, n, blocks, w, x) in enumerate(matmuls()):
        y = product(w, x, m, n, blocks)
        if index == 0:
            for how in ({"fused": False}, {"linear": True}):
                assert product(w, x, m, n, blocks, **how) != y, how
        if index == 2:
            assert product(w, x, m, n, blocks, wrap=False) != y
        out.append(f"/* {index}: {what}. {m} rows of {blocks} blocks by {n} vectors. */\n" +
                   table(f"w{index}", packed(w)) + table(f"x{index}", packed(x)) + table(f"y{index}", y))
        rows.append(f"    MATMUL({index}, {m}, {n}, {blocks}),\n")
    quantizers = []
    for index, (n, k, x, y) in enumerate([quantizer_rows(), (3, 0, [], [])]):
        out.append(f"/* Quantizer {index}: {n} rows of {k} numbers. */\n" + table(f"from{index}", x) +
                   table(f"to{index}", packed(y)))
        quantizers.append(f"    QUANTIZE({index}, {n}, {k}),\n")
    out.append("""#define DENSE(type, size, rows, cols)                                                        \\
    {.dtype = type, .rank = 2, .shape = {rows, cols}, .stride = {cols, 1}, .bytes = (size) * (rows) * (cols)}
#define MATMUL(index, m, n, blocks)                                                          \\
    {                                                                                        \\
        .call = {.op = "Q1_0MatMul",                                                         \\
                 .input = {DENSE(ASSAY_U8, 1ull, m, (blocks) * Q1_BYTES),                    \\
                           DENSE(ASSAY_U8, 1ull, n, (blocks) * Q1_SUBS * Q8_BYTES)},         \\
                 .input_count = 2,                                                           \\
                 .output = {DENSE(ASSAY_F32, 4ull, n, m)},                                   \\
                 .output_count = 1},                                                         \\
        .input = {w##index, x##index},                                                       \\
        .output = {y##index},                                                                \\
    }
#define QUANTIZE(index, n, k)                                                                \\
    {                                                                                        \\
        .call = {.op = "Q8_0Quantize",                                                       \\
                 .input = {DENSE(ASSAY_F32, 4ull, n, k)},                                    \\
                 .input_count = 1,                                                           \\
                 .output = {DENSE(ASSAY_U8, 1ull, n, (k) / Q8_NUMBERS * Q8_BYTES)},          \\
                 .output_count = 1},                                                         \\
        .input = {from##index},                                                              \\
        .output = {to##index},                                                               \\
    }

const struct assay_known_answer q1_known[Q1_KNOWN_COUNT] = {
""" + "".join(rows) + "};\n\nconst struct assay_known_answer q8_known[Q8_KNOWN_COUNT] = {\n" + "".join(quantizers) + "};\n")
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


main()
