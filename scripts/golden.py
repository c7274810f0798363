#!/usr/bin/env python3
"""Digests of right outputs for small cases of the corpus, made without any code of Assay.

    scripts/golden.py [--terms N] corpus/matmul.cases [--terms N] corpus/q1_0.cases ... > corpus/golden.txt

Inputs follow the definitions of the fills at the heads of harness/fill.c and harness/fill_block.c, sums and blocks
docs/exactness.md. All arithmetic is in Python's integers: a float is a multiple of 2^-149, a product one of 2^-298, and
rounding to nearest even is written out. Only the digest itself comes from elsewhere (XXH3-128 of the xxHash library).
Takes the cases of level quick with at most N terms (default 16,000) of the files that follow.
"""
import ctypes
import hashlib
import math
import re
import struct
import sys

M64 = (1 << 64) - 1

# ---- floats: an int counts 2^-149 (0 is +0); the others are these words ----
NEGATIVE_ZERO, PLUS_INF, MINUS_INF, NAN = "-0", "+inf", "-inf", "nan"
ONE = 1 << 149
OVERFLOW = 1 << (128 + 149)


def decode(word):
    field, fraction = word >> 23 & 0xFF, word & 0x7FFFFF
    negative = word >> 31
    if field == 255:
        return NAN if fraction else (MINUS_INF if negative else PLUS_INF)
    value = fraction if field == 0 else (fraction | 0x800000) << (field - 1)
    if value == 0:
        return NEGATIVE_ZERO if negative else 0
    return -value if negative else value


def encode(x):
    if isinstance(x, str):
        return {NEGATIVE_ZERO: 0x80000000, PLUS_INF: 0x7F800000, MINUS_INF: 0xFF800000, NAN: 0x7FC00000}[x]
    sign, x = (0x80000000, -x) if x < 0 else (0, x)
    if x < 0x800000:
        return sign | x
    shift = x.bit_length() - 24
    return sign | (shift + 1) << 23 | (x >> shift) & 0x7FFFFF


def rounded(n):
    """n * 2^-298, not 0, to the nearest float, ties to even."""
    size = -n if n < 0 else n
    drop = max(size.bit_length() - 24, 149)
    kept, rest, half = size >> drop, size & ((1 << drop) - 1), 1 << (drop - 1)
    if rest > half or (rest == half and kept & 1):
        kept += 1
    value = kept << (drop - 149)
    if value >= OVERFLOW:
        return MINUS_INF if n < 0 else PLUS_INF
    if value == 0:
        return NEGATIVE_ZERO if n < 0 else 0
    return -value if n < 0 else value


def parts(x):
    """(is negative, 0 for a zero, 1 for a number, 2 for infinity)"""
    if isinstance(x, int):
        return x < 0, int(x != 0)
    return x[0] == "-", 2 if "inf" in x else 0


def fma(a, b, c):
    if type(a) is int and type(b) is int and type(c) is int:
        n = a * b + (c << 149)
        return rounded(n) if n else 0  # c is +0 or cancels: a sum of +0 with any zero, or of opposites, is +0
    if NAN in (a, b, c):
        return NAN
    (a_neg, a_size), (b_neg, b_size), (c_neg, c_size) = parts(a), parts(b), parts(c)
    p_neg = a_neg != b_neg
    if 2 in (a_size, b_size):
        if 0 in (a_size, b_size) or (c_size == 2 and c_neg != p_neg):
            return NAN
        return MINUS_INF if p_neg else PLUS_INF
    if c_size == 2:
        return c
    n = (a if a_size else 0) * (b if b_size else 0) + ((c if c_size else 0) << 149)
    if n:
        return rounded(n)
    both_zero = not (a_size and b_size) and not c_size
    return NEGATIVE_ZERO if both_zero and p_neg and c_neg else 0


def add(a, b):
    return fma(a, ONE, b)


def sum_of_products(pairs):
    total, group = 0, 0
    for start in range(0, len(pairs), 32):
        chain = 0
        for a, b in pairs[start:start + 32]:
            chain = fma(a, b, chain)
        group = add(group, chain)
        if start % 128 == 96 or start + 32 >= len(pairs):
            total, group = add(total, group), 0
    return total


# ---- fills ----

def mix(z):
    z ^= z >> 30
    z = z * 0xBF58476D1CE4E5B9 & M64
    z ^= z >> 27
    z = z * 0x94D049BB133111EB & M64
    return z ^ z >> 31


def scale(x, n):
    return (x >> 32) * n >> 32


def word(sign, exponent, fraction):
    return sign << 31 | 127 + exponent << 23 | fraction & 0x7FFFFF


def integer_word(value, exponent):
    """The float value * 2^exponent."""
    if value == 0:
        return 0
    return encode(value << 149 + exponent)


class Operand:
    """One input of a case: shape of the parent case, which dimension is summed over, and its fill."""

    def __init__(self, seed, number, shape, reduced, fill):
        self.key = mix((mix((seed + 0x9E3779B97F4A7C15) & M64) + number + 1) & M64)
        self.first, self.shape, self.reduced = number == 0, shape, reduced
        self.depth = max(shape[reduced], 1)
        self.fill = getattr(self, "fill_" + fill)
        self.range = max(1, min(1023, math.isqrt(((1 << 24) - 1) // self.depth)))
        self.exponent = scale(self.rand(M64, 3), 17) - 8
        self.q = self.rand(M64, 2) % self.depth
        self.p = 1 + self.rand(M64, 1) % self.depth
        while math.gcd(self.p, self.depth) != 1:
            self.p = self.p % self.depth + 1

    def rand(self, e, d):
        z = mix((self.key + e * 0x9E3779B97F4A7C15) & M64)
        return mix((z + d * 0xD1342543DE82EF95) & M64) if d else z

    def number(self, index):
        e = 0
        for at, length in zip(index, self.shape):
            e = e * length + at
        return e

    def bits(self, index):
        o = 0
        for d, (at, length) in enumerate(zip(index, self.shape)):
            if d != self.reduced:
                o = o * length + at
        e = self.number(index)
        return self.fill(self.rand(e, 0), e, o, index[self.reduced], index)

    @staticmethod
    def normal(z):
        return 2 * ((z & 0x1FFFFF) + (z >> 21 & 0x1FFFFF) + (z >> 42 & 0x1FFFFF)) - 3 * ((1 << 21) - 1) + (z >> 63)

    def fill_ones(self, z, e, o, k, index):
        return integer_word(1, 0)

    def fill_rows(self, z, e, o, k, index):
        return integer_word(1 + (o & 63) if self.first else 1, 0)

    def fill_integer(self, z, e, o, k, index):
        return integer_word(scale(z, 2 * self.range + 1) - self.range, self.exponent)

    def fill_onehot(self, z, e, o, k, index):
        if self.first:
            return word(z >> 63, scale(z, 15) - 7, z)
        return integer_word(int(k == scale(self.rand(o, 1), self.depth)), 0)

    def fill_permutation(self, z, e, o, k, index):
        if self.first:
            return integer_word(1 + (e & 0xFFFFFF), 0)
        return integer_word(int(k == (o % self.depth * self.p + self.q) % self.depth), 0)

    def fill_normal(self, z, e, o, k, index):
        return integer_word(self.normal(z), -21)

    def fill_uniform(self, z, e, o, k, index):
        return integer_word(z >> 40, -24)

    def fill_wide(self, z, e, o, k, index):
        return word(z >> 63, scale(z << 8 & M64, 89) - 44, z)

    def fill_cancel(self, z, e, o, k, index):
        mirror = self.depth - 1 - k
        p = min(k, mirror)
        twin = list(index)
        twin[self.reduced] = p
        w = self.rand(self.number(twin), 0)
        sign, exponent, fraction = w >> 63, (w >> 23 & 3) - 2, w & 0x7FFFFF
        if k == mirror:
            exponent -= 20
        if not self.first and k > p:
            sign ^= 1
            fraction ^= (w >> 40 & 7) | 1
        return word(sign, exponent, fraction)

    def fill_ties(self, z, e, o, k, index):
        size = (1 << 12) + (z & 0xFFF | 1) if self.first else (1 << 11) + (z & 0x7FF | 1)
        return integer_word(-size if z >> 63 else size, z >> 20 & 3)

    def fill_subnormal(self, z, e, o, k, index):
        if k & 3 == 3:
            if self.first:
                return (z >> 63) << 31 | (z & 0x7FFFFF) | 1
            return word(z >> 63, scale(z << 8 & M64, 7) - 2, z)
        exponent = scale(z << 8 & M64, 11) - 70 if self.first else scale(z << 8 & M64, 15) - 76
        return word(z >> 63, exponent, z)

    def fill_special(self, z, e, o, k, index):
        h, zero = self.rand(o >> 3, 1), (z >> 63) << 31
        if o & 7 == 1 + scale(h, 7):
            g = self.rand(o >> 3, 2)
            at = [k == scale(g, self.depth), k == scale(g << 32 & M64, self.depth)]
            kind = h & 7
            if kind == 7:
                return zero
            first = [0x7FC00000 | g & 0xFFFF, 0xFFC00001, 0x7F800001, 0x7F800000, 0xFF800000, 0x7F800000, 0x7F7FFFFF]
            if at[0]:
                return first[kind]
            if at[1] and kind in (5, 6):
                return {5: 0xFF800000, 6: 0x7F7FFFFF}[kind]
        return zero if self.rand(e, 4) & 7 == 0 else integer_word(self.normal(z), -21)

    def fill_layer(self, z, e, o, k, index):
        block = (o << 24 ^ k >> 5) & M64
        return integer_word(self.normal(z), -21 + scale(self.rand(o, 1), 17) - 8 + scale(self.rand(block, 2), 9) - 4)

    def fill_tiny(self, z, e, o, k, index):
        if self.first:
            return word(0, (z >> 23 & 1) - 75, z)
        if o & 3 in (0, 2):
            return word(z >> 63, 10 + (z >> 24 & 3), z)
        if o & 3 == 1:
            return word(1, (z >> 24 & 3) - 85, z)
        return word(z >> 63, (z >> 24 & 1) - 76, z)


    def fill_codes(self, z, e, o, k, index):
        h = self.rand((o << 24 ^ k >> 5) & M64, 2)
        kind, v, chosen = scale(h, 8), 1 + scale(h << 8 & M64, 12), k & 31 == scale(h << 16 & M64, 32)
        if kind < 4:
            exponent = scale(h << 8 & M64, 17) - 8
            if k & 31 == 0:
                return integer_word(-127 if z >> 63 else 127, exponent)
            return integer_word(2 * scale(z, 254) - 253, exponent - 1)
        if kind == 4:
            return (z >> 63) << 31 | scale(z << 8 & M64, v) << 23 | z & 0x7FFFFF
        if kind == 5:
            return integer_word(8317984 + scale(z, 4096), 0) if chosen else integer_word(self.normal(z), -11)
        if kind == 6:
            return integer_word(self.normal(z), v - 40)
        return integer_word(self.normal(z), -21) if chosen and h & 1 else (z >> 63) << 31


# ---- f16 and blocks ----
HALF_NAN, HALF_INFINITE = 0x7E00, 0x7C00


def half_units(word):
    """An f16 as a multiple of 2^-24; None if it is not finite."""
    field, fraction = word >> 10 & 31, word & 0x3FF
    if field == 31:
        return None
    size = fraction if field == 0 else (fraction | 0x400) << (field - 1)
    return -size if word >> 15 else size


def half_float(word):
    """An f16 as the floats above have it."""
    units = half_units(word)
    if units is None:
        return NAN if word & 0x3FF else (MINUS_INF if word >> 15 else PLUS_INF)
    if units == 0:
        return NEGATIVE_ZERO if word >> 15 else 0
    return units << 125


def nearest(n, d):
    """The integer nearest to n / d, ties to even; d > 0."""
    whole, rest = divmod(n, d)
    return whole + (2 * rest > d or (2 * rest == d and whole & 1))


def binade_rounded(n, d, digits):
    """n / d >= 0 to the nearest number of `digits` bits, where numbers are multiples of 1 below 2^digits."""
    shift = 0
    while n >= d << digits + shift:
        shift += 1
    return nearest(n, d << shift) << shift


def half_ratio(a, b):
    """The f16 nearest to a / b."""
    units = binade_rounded(abs(a) << 24, b, 11)
    if units >= 1 << 40:
        return HALF_INFINITE
    if units < 0x400:
        return (0x8000 if a < 0 else 0) | units
    shift = units.bit_length() - 11
    return (0x8000 if a < 0 else 0) | (shift + 1) << 10 | units >> shift & 0x3FF


class Blocks(Operand):
    """An input of a case that is bytes of blocks: the parent's rows and numbers a row, the kind of block."""

    def __init__(self, seed, number, kind, numbers_a_row, fill):
        self.key = mix((mix((seed + 0x9E3779B97F4A7C15) & M64) + number + 1) & M64)
        self.q1, self.fill, self.numbers = kind == "q1_0", fill, numbers_a_row
        self.length = numbers_a_row // (128 if self.q1 else 32)

    def uniform(self, z):
        if self.q1:
            return half_ratio(scale(z, 2000) - 1000, 100000)
        return half_ratio(500 + scale(z, 501), 12700)

    def layer(self, z):
        if not self.q1:
            return 3 + scale(z, 9) << 10 | z & 0x3FF
        size = 1 + scale(z, 1900)
        return half_ratio(-size if z & 1 else size, 100000)

    def special(self, z, e, o, k):
        group = (1 << 63) + (o >> 3)
        h, minus = self.rand(group, 1), (z >> 63) << 15
        if o & 7 == 1 + scale(h, 7):
            g, kind = self.rand(group, 2), h & 7
            if kind == 7:
                return minus
            if k == scale(g, self.length):
                return [0x7E00 | g & 0x1FF, 0xFE01, 0x7C01, 0x7C00, 0xFC00, 0x7C00, 0x7BFF][kind]
            if k == scale(g << 32 & M64, self.length) and kind in (5, 6):
                return 0xFC00 if kind == 5 else 0x7BFF
        kind = self.rand(e, 9) & 7
        if kind == 0:
            return minus
        return minus | 1 + scale(z << 8 & M64, 1023) if kind == 1 else self.uniform(z)

    def block(self, o, k):
        """(word of the scale, signs as an integer or a list of codes)"""
        other = self.length - 1 - k if self.q1 else self.length - 4 - k + 2 * (k & 3)
        mirrored = self.fill == "cancel" and k > other >= 0
        e = o * self.length + (other if mirrored else k)
        z = self.rand(e, 0)
        outlier = self.fill == "h02" and not self.q1 and k == 0
        if self.fill in ("uniform", "minus128", "h02"):
            d = self.uniform(z)
        elif self.fill == "special":
            d = self.special(z, e, o, k)
        elif self.fill == "wide":
            d = (z >> 63) << 15 | scale(z << 8 & M64, 31) << 10 | z & 0x3FF
        elif self.fill == "integer":
            d = 15 + scale(self.rand(M64, 3), 9) - 4 << 10 | ((z >> 63) << 15 if self.q1 else 0)
        else:
            d = self.layer(z)
        if self.fill == "bytes" and not self.q1:
            d |= (z >> 63) << 15
        if self.q1:
            if mirrored:
                d ^= z >> 40 & 3
            signs = self.rand(e, 1) | self.rand(e, 2) << 64
            return d, signs ^ ((1 << 128) - 1 if mirrored else 0)
        if outlier:
            return HALF_INFINITE, [-127 if i == 3 else 0 for i in range(32)]
        return d, [self.code(self.rand(e, 1 + i // 4) >> 16 * (i % 4)) for i in range(32)]

    def code(self, c):
        a, b = c & 255, c >> 8 & 255
        even = (a * 255 >> 8) - 127
        if self.fill in ("layer", "cancel"):
            return (abs(a + b - 255) // 2) * (1 if a + b > 255 else -1)
        if self.fill == "minus128":
            return even if b & 3 else -128
        if self.fill == "bytes":
            return a - 256 if a > 127 else a
        if self.fill == "integer":
            most = max(1, min(7, ((1 << 24) - 1) // self.numbers))
            return (a * (2 * most + 1) >> 8) - most
        return even


def to_24_bits(n):
    drop = n.bit_length() - 24
    if drop <= 0:
        return n
    size = nearest(abs(n), 1 << drop) << drop
    return -size if n < 0 else size


def add_lanes(lanes):
    evens = add(add(lanes[0], lanes[4]), add(lanes[2], lanes[6]))
    return add(evens, add(add(lanes[1], lanes[5]), add(lanes[3], lanes[7])))


def lane_tables(codes):
    """For each of 8 lanes the sum of its four codes by the four sign bits; -128 negated stays -128."""
    tables = []
    for lane in range(0, 32, 4):
        choices = [(-c if c != -128 else c, c) for c in codes[lane:lane + 4]]
        tables.append([sum(choices[p][bits >> p & 1] for p in range(4)) for bits in range(16)])
    return tables


def finite_product(weights, activations):
    """Scales in units of 2^-24, so a sum counts 2^-48: nothing here is ever below a float's smallest normal number."""
    acc = [0] * 8
    for (d0, nibbles), (scales, tables) in zip(weights, activations):
        for lane in range(8):
            ab = 0
            for k in range(4):
                ab = to_24_bits(scales[k] * tables[k][lane][nibbles[8 * k + lane]] + ab)
            acc[lane] = to_24_bits(d0 * ab + acc[lane])
    return add_lanes([x << 101 for x in acc])


def any_product(weights, activations):
    acc = [0] * 8
    for (d0, nibbles), (scales, tables) in zip(weights, activations):
        for lane in range(8):
            sums = [tables[k][lane][nibbles[8 * k + lane]] * ONE for k in range(4)]
            ab = fma(scales[0], sums[0], NEGATIVE_ZERO)
            for k in range(1, 4):
                ab = fma(scales[k], sums[k], ab)
            acc[lane] = fma(d0, ab, acc[lane])
    return add_lanes(acc)


def q1_0_output(case):
    (m, n, k), (of_m, of_n, of_k), at = extents(case)
    first, count = at[2] // 128, k // 128
    w = Blocks(case["seed"], 0, "q1_0", of_k, case["fill"])
    x = Blocks(case["seed"], 1, "q8_0", of_k, case["fill"])
    rows = []
    for i in range(at[0], at[0] + m):
        blocks = [w.block(i, first + b) for b in range(count)]
        rows.append([(d, [signs >> 4 * lane & 15 for lane in range(32)]) for d, signs in blocks])
    words = []
    for j in range(at[1], at[1] + n):
        blocks = [x.block(j, 4 * first + b) for b in range(4 * count)]
        tables = [lane_tables(codes) for d, codes in blocks]
        column = [([d for d, codes in blocks[4 * b:4 * b + 4]], tables[4 * b:4 * b + 4]) for b in range(count)]
        column_units = [([half_units(d) for d in scales], table) for scales, table in column]
        plain = all(d is not None for scales, table in column_units for d in scales)
        for row in rows:
            units = [(half_units(d), nibbles) for d, nibbles in row]
            if plain and all(d is not None for d, nibbles in units):
                y = finite_product(units, column_units)
            else:
                y = any_product([(half_float(d), nibbles) for d, nibbles in row],
                                [([half_float(d) for d in scales], table) for scales, table in column])
            words.append(encode(y))
    return words


def quantized(block):
    """The 34 bytes of 32 floats."""
    overflowing = any(x in (NAN, PLUS_INF, MINUS_INF) for x in block)
    sizes = [0 if isinstance(x, str) else abs(x) for x in block]
    amax = max(sizes)
    scale_float = 0 if overflowing else binade_rounded(amax, 127, 24)
    word = half_ratio(scale_float, ONE)
    if overflowing or word == HALF_INFINITE:
        return [HALF_NAN & 255, HALF_NAN >> 8] + [0x80] * 32
    inverse = binade_rounded(127 << 298, amax, 24) if amax else OVERFLOW
    if inverse >= OVERFLOW:
        return [0] * 34
    codes = []
    for x in block:
        product = fma(x, inverse, 0)
        code = 0 if isinstance(product, str) else nearest(product, ONE)
        codes.append(max(-128, min(127, code)) & 255)
    return [word & 255, word >> 8] + codes


def q8_0_output(case):
    (n, k), (of_n, of_k), at = extents(case)
    x = Operand(case["seed"], 0, [of_n, of_k], 1, case["fill"])
    data = []
    for j in range(at[0], at[0] + n):
        row = [decode(x.bits([j, p])) for p in range(at[1], at[1] + k)]
        for start in range(0, k, 32):
            data += quantized(row[start:start + 32])
    return data


# ---- cases ----
AXES = {
    "matmul/f32": {"m": None, "n": None, "k": None, "b": 1, "in": "ab", "ta": 0, "tb": 0, "pada": 0, "padb": 0,
                   "pady": 0, "offa": 0, "offb": 0, "offy": 0},
    "q1_0/u8": {"m": None, "n": None, "k": None, "padw": 0, "padx": 0, "pady": 0, "offw": 0, "offx": 0, "offy": 0},
    "q8_0/f32": {"n": None, "k": None, "padx": 0, "pady": 0, "offx": 0, "offy": 0},
}
LENGTHS = {"matmul/f32": "mnkb", "q1_0/u8": "mnk", "q8_0/f32": "nk"}


def expand(line):
    braces = re.search(r"\{([^{}]*)\}", line)
    if not braces:
        yield line
        return
    span = re.fullmatch(r"(\d+)\.\.(\d+)", braces.group(1))
    words = range(int(span.group(1)), int(span.group(2)) + 1) if span else braces.group(1).split(",")
    for choice in words:
        yield from expand(line[:braces.start()] + str(choice) + line[braces.end():])


def parse(line):
    operator, dtype, axes, *fields = line.split("/")
    name = f"{operator}/{dtype}"
    if name not in AXES:
        raise SystemExit(f"golden.py: cannot make {line}")
    case = {"name": name, "axes": dict(AXES[name]), "of": [], "at": [], "rest": ""}
    for pair in axes.split(","):
        key, value = pair.split("=")
        if key not in AXES[name]:
            raise SystemExit(f"golden.py: unknown axis {key} in {line}")
        case["axes"][key] = value if key == "in" else int(value)
    for field in fields:
        key, value = field.split("=", 1)
        if key == "of":
            for part in field.split(","):
                which, numbers = part.split("=")
                case[which] = [int(x) for x in numbers.split("x")]
        elif key == "fill":
            case["fill"] = value
        elif key == "seed":
            case["seed"] = int(value, 16)
        else:
            case["rest"] += "/" + field
    return case


def extents(case):
    """Lengths, the parent's lengths and places of the axes that a window cuts."""
    here = [case["axes"][name] for name in LENGTHS[case["name"]]]
    return here, case["of"] + here[len(case["of"]):], case["at"] + [0] * (len(here) - len(case["at"]))


def canonical(case):
    standard = AXES[case["name"]]
    axes = ",".join(f"{name}={value}" for name, value in case["axes"].items() if value != standard[name])
    window = ""
    here, of, at = extents(case)
    while at and not at[-1]:
        at.pop()
    cut = max([d + 1 for d in range(len(here)) if of[d] != here[d]] + [len(at)])
    if cut:
        window = "/of=" + "x".join(map(str, of[:cut])) + (",at=" if at else "") + "x".join(map(str, at))
    return f"{case['name']}/{axes}{window}/fill={case['fill']}/seed={case['seed']:x}{case['rest']}"


def matmul_output(case):
    """The words of Y, row-major."""
    axes = case["axes"]
    (m, n, k, items), (of_m, of_n, of_k, of_b), at = extents(case)
    with_a, with_b = "a" in axes["in"], "b" in axes["in"]
    batched = of_b != 1 or items != 1 or axes["in"] != "ab"
    a_batch, b_batch = batched and with_a, batched and with_b
    a = Operand(case["seed"], 0, [of_b] * a_batch + [of_m, of_k], 1 + a_batch, case["fill"])
    b = Operand(case["seed"], 1, [of_b] * b_batch + [of_k, of_n], 0 + b_batch, case["fill"])
    words = []
    for item in range(at[3], at[3] + items):
        lead_a, lead_b = [item] * a_batch, [item] * b_batch
        cols = [[decode(b.bits(lead_b + [p, j])) for p in range(at[2], at[2] + k)] for j in range(at[1], at[1] + n)]
        for i in range(at[0], at[0] + m):
            row = [decode(a.bits(lead_a + [i, p])) for p in range(at[2], at[2] + k)]
            words += [encode(sum_of_products(list(zip(row, col)))) for col in cols]
    return words


# What makes the output, and how an element of it is packed.
OUTPUTS = {"matmul/f32": (matmul_output, "I"), "q1_0/u8": (q1_0_output, "I"), "q8_0/f32": (q8_0_output, "B")}


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def digest(words, letter):
    library = ctypes.CDLL("libxxhash.so.0")
    library.XXH3_128bits.restype = Hash128
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    data = struct.pack(f"<{len(words)}{letter}", *words)
    value = library.XXH3_128bits(data, len(data))
    return f"{value.high:016x}{value.low:016x}"


def cases(path):
    level = "quick"
    with open(path, encoding="utf-8") as file:
        for line in map(str.strip, file):
            if line.startswith("#") and "level:" in line:
                level = line.split("level:")[1].strip()
            elif line and not line.startswith("#") and level == "quick":
                yield from (parse(one) for one in expand(line))


def main(arguments):
    if not arguments:
        raise SystemExit(__doc__)
    limit, lines, rest = 16000, [], iter(arguments)
    for argument in rest:
        if argument == "--terms":
            limit = int(next(rest))
            continue
        for case in cases(argument):
            if math.prod(max(length, 1) for length in extents(case)[0]) <= limit:
                make, letter = OUTPUTS[case["name"]]
                lines.append(f"{digest(make(case), letter)} {canonical(case)}")
    with open(__file__, "rb") as file:
        generator = hashlib.sha256(file.read()).hexdigest()
    body = "".join(line + "\n" for line in lines)
    print("# Digests of right outputs, made by exact integer arithmetic without any code of Assay:")
    print(f"#     scripts/golden.py {' '.join(sys.argv[1:])} > corpus/golden.txt")
    print("# A digest is XXH3-128 of the output's elements, row-major, little-endian, every NaN 7fc00000.")
    print(f"# scripts/golden.py sha256 {generator}")
    print(f"# the {len(lines)} lines below sha256 {hashlib.sha256(body.encode()).hexdigest()}")
    sys.stdout.write(body)


if __name__ == "__main__":
    main(sys.argv[1:])
