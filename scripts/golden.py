#!/usr/bin/env python3
"""Digests of right outputs for small cases of the corpus, made without any code of Assay.

    scripts/golden.py [--terms N] corpus/matmul.cases > corpus/golden.txt

Inputs follow the definition of the fills at the head of harness/fill.c, sums rule 2 of docs/exactness.md. All
arithmetic is in Python's integers: a float is a multiple of 2^-149, a product one of 2^-298, and rounding to nearest
even is written out. Only the digest itself comes from elsewhere (XXH3-128 of the xxHash library). Takes the cases of
level quick with at most N terms (default 16,000).
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


# ---- cases ----
AXES = {"m": None, "n": None, "k": None, "b": 1, "in": "ab", "ta": 0, "tb": 0, "pada": 0, "padb": 0, "pady": 0,
        "offa": 0, "offb": 0, "offy": 0}


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
    case = {"axes": dict(AXES), "of": [], "at": [], "rest": ""}
    operator, dtype, axes, *fields = line.split("/")
    if (operator, dtype) != ("matmul", "f32"):
        raise SystemExit(f"golden.py: cannot make {line}")
    for pair in axes.split(","):
        name, value = pair.split("=")
        if name not in AXES:
            raise SystemExit(f"golden.py: unknown axis {name} in {line}")
        case["axes"][name] = value if name == "in" else int(value)
    for field in fields:
        name, value = field.split("=", 1)
        if name == "of":
            for part in field.split(","):
                key, numbers = part.split("=")
                case[key] = [int(x) for x in numbers.split("x")]
        elif name == "fill":
            case["fill"] = value
        elif name == "seed":
            case["seed"] = int(value, 16)
        else:
            case["rest"] += "/" + field
    return case


def canonical(case):
    axes = ",".join(f"{name}={value}" for name, value in case["axes"].items() if value != AXES[name])
    window = ""
    at = case["at"] + [0] * (len(case["of"]) - len(case["at"]))
    while at and not at[-1]:
        at.pop()
    here = [case["axes"][name] for name in "mnkb"]
    of = case["of"] + here[len(case["of"]):]
    cut = max([d + 1 for d in range(4) if of[d] != here[d]] + [len(at)])
    if cut:
        window = "/of=" + "x".join(map(str, of[:cut])) + (",at=" if at else "") + "x".join(map(str, at))
    return f"matmul/f32/{axes}{window}/fill={case['fill']}/seed={case['seed']:x}{case['rest']}"


def output(case):
    """The words of Y, row-major."""
    axes = case["axes"]
    here = [axes[name] for name in "mnkb"]
    of = case["of"] + here[len(case["of"]):]
    at = case["at"] + [0] * (4 - len(case["at"]))
    (m, n, k, items), (of_m, of_n, of_k, of_b) = here, of
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


class Hash128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def digest(words):
    library = ctypes.CDLL("libxxhash.so.0")
    library.XXH3_128bits.restype = Hash128
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    data = struct.pack(f"<{len(words)}I", *words)
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
    limit = 16000
    if arguments[:1] == ["--terms"]:
        limit, arguments = int(arguments[1]), arguments[2:]
    if not arguments:
        raise SystemExit(__doc__)
    lines = []
    for path in arguments:
        for case in cases(path):
            axes = case["axes"]
            if axes["m"] * axes["n"] * max(axes["k"], 1) * axes["b"] <= limit:
                lines.append(f"{digest(output(case))} {canonical(case)}")
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
