#!/usr/bin/env python3
"""Write kernels/elementwise/known.c and known.h: small calls of every row with the bits that they must give.

usage: scripts/known-answers-elementwise.py        (in the root of the tree; clang-format comes after)

Rational numbers and Python's integers alone: no float of the machine takes part, and no line is shared with kernels or
oracles. Rules: docs/exactness.md, elementwise operators.
"""
from fractions import Fraction as F
import subprocess

FORMATS = {"f32": (23, 8), "f16": (10, 5), "bf16": (7, 8)}
INTEGERS = {"i8": (8, True), "u8": (8, False), "i32": (32, True), "i64": (64, True)}
NUMBERS = ["f32", "f16", "bf16", "i32", "i64", "i8", "u8"]
TYPES = NUMBERS + ["bool"]
SIZE = {"f32": 4, "f16": 2, "bf16": 2, "i32": 4, "i64": 8, "i8": 1, "u8": 1, "bool": 1}
NAN, INF = "nan", "inf"


class Real:
    """A sign and a magnitude: a rational, INF or NAN."""

    def __init__(self, sign, size):
        self.sign, self.size = sign, size

    def value(self):
        return -self.size if self.sign else self.size


def decode(kind, bits):
    width, exponent = FORMATS[kind]
    bias, sign = (1 << (exponent - 1)) - 1, bits >> (width + exponent) & 1
    field, fraction = bits >> width & ((1 << exponent) - 1), bits & ((1 << width) - 1)
    if field == (1 << exponent) - 1:
        return Real(sign, NAN if fraction else INF)
    if field:
        fraction += 1 << width
    return Real(sign, F(fraction) * F(2) ** (max(field, 1) - bias - width))


def encode(kind, real):
    width, exponent = FORMATS[kind]
    bias, top = (1 << (exponent - 1)) - 1, (1 << exponent) - 1
    sign = real.sign << (width + exponent)
    if real.size == NAN:
        return top << width | 1 << (width - 1)
    if real.size == INF:
        return sign | top << width
    power = 1 - bias
    while real.size >= F(2) ** (power + 1):
        power += 1
    steps = real.size / F(2) ** (power - width)
    whole = steps.numerator // steps.denominator
    rest = steps - whole
    if rest > F(1, 2) or (rest == F(1, 2) and whole & 1):
        whole += 1
    bits = ((power + bias - 1) << width) + whole if whole >> width else whole
    return sign | min(bits, top << width)


def negated(x):
    return Real(x.sign ^ 1, x.size)


def add(x, y):
    if NAN in (x.size, y.size) or (x.size == y.size == INF and x.sign != y.sign):
        return Real(0, NAN)
    if INF in (x.size, y.size):
        return x if x.size == INF else y
    total = x.value() + y.value()
    return Real(1 if total < 0 else x.sign & y.sign if x.size == y.size == 0 else 0, abs(total))


def mul(x, y):
    sign = x.sign ^ y.sign
    if NAN in (x.size, y.size) or (INF in (x.size, y.size) and 0 in (x.size, y.size)):
        return Real(0, NAN)
    return Real(sign, INF if INF in (x.size, y.size) else x.size * y.size)


def div(x, y):
    sign = x.sign ^ y.sign
    if NAN in (x.size, y.size) or (x.size == y.size and x.size in (0, INF)):
        return Real(0, NAN)
    if x.size == INF or y.size == 0:
        return Real(sign, INF)
    return Real(sign, F(0) if y.size == INF else x.size / y.size)


def fmod(x, y):
    if NAN in (x.size, y.size) or x.size == INF or y.size == 0:
        return Real(0, NAN)
    return Real(x.sign, x.size if y.size == INF else x.size % y.size)


def order(x):
    """Real numbers in a line, -0 just below +0."""
    size = F(2) ** 200 if x.size == INF else x.size
    return (-size if x.sign else size, 1 - x.sign)


def extreme(x, y, pick):
    return Real(0, NAN) if NAN in (x.size, y.size) else pick((x, y), key=order)


def wrap(kind, value):
    if kind == "bool":
        return value & 1
    return value & ((1 << INTEGERS[kind][0]) - 1)


def number(kind, bits):
    if kind == "bool":
        return bits
    width, signed = INTEGERS[kind]
    return bits - (1 << width) if signed and bits >> (width - 1) else bits


def truncated(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


COMPARE = {
    "equal": lambda a, b: a == b,
    "less": lambda a, b: a < b,
    "less_or_equal": lambda a, b: a <= b,
    "greater": lambda a, b: a > b,
    "greater_or_equal": lambda a, b: a >= b,
}


def binary(op, kind, a, b):
    if kind in FORMATS:
        x, y = decode(kind, a), decode(kind, b)
        if op in COMPARE:
            return 0 if NAN in (x.size, y.size) else int(COMPARE[op](order(x)[0], order(y)[0]))
        r = {
            "add": lambda: add(x, y),
            "sub": lambda: add(x, negated(y)),
            "mul": lambda: mul(x, y),
            "div": lambda: div(x, y),
            "fmod": lambda: fmod(x, y),
            "min": lambda: extreme(x, y, min),
            "max": lambda: extreme(x, y, max),
        }[op]()
        return encode(kind, decode("f32", encode("f32", r)))
    m, n = number(kind, a), number(kind, b)
    if op in COMPARE:
        return int(COMPARE[op](m, n))
    return wrap(kind, {
        "add": lambda: m + n,
        "sub": lambda: m - n,
        "mul": lambda: m * n,
        "div": lambda: truncated(m, n),
        "mod": lambda: m % n if n else 0,
        "fmod": lambda: m - n * truncated(m, n) if n else 0,
        "min": lambda: min(m, n),
        "max": lambda: max(m, n),
        "and": lambda: m & n,
        "or": lambda: m | n,
        "xor": lambda: m ^ n,
    }[op]())


def cast(source, to, a):
    if source in FORMATS:
        x = decode(source, a)
        if to in FORMATS:
            return encode(to, x)
        if to == "bool":
            return int(x.size != 0)
        if x.size == NAN:
            return 0
        width, signed = INTEGERS[to]
        least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
        size = 1 << 200 if x.size == INF else x.size.numerator // x.size.denominator
        return wrap(to, min(max(-size if x.sign else size, least), most))
    n = number(source, a)
    if to in FORMATS:
        return encode(to, Real(int(n < 0), F(abs(n))))
    return int(n != 0) if to == "bool" else wrap(to, n)


# ---- inputs: 12 elements each; the first and second operand, and what is cast ----

INPUT = {
    "f32": (
        [0x3F800000, 0x4B800000, 0x00000001, 0x80000000, 0x7F800000, 0x7FC00001, 0x00800000, 0xC1200000, 0x7F7FFFFF,
         0x40490FDB, 0x3F800001, 0x00000003],
        [0x40400000, 0x3F800000, 0x807FFFFF, 0x00000000, 0xFF800000, 0x3F800000, 0x3F000000, 0x40400000, 0x7F7FFFFF,
         0x402DF854, 0x3F7FFFFF, 0x40000000]),
    "f16": (
        [0x3C00, 0x6800, 0x0001, 0x8000, 0x7C00, 0x7E01, 0x0400, 0xC900, 0x7BFF, 0x4248, 0x3C01, 0x0003],
        [0x4200, 0x3C00, 0x83FF, 0x0000, 0xFC00, 0x3C00, 0x3800, 0x4200, 0x7BFF, 0x4170, 0x3BFF, 0x4000]),
    "bf16": (
        [0x3F80, 0x4380, 0x0001, 0x8000, 0x7F80, 0x7FC1, 0x0080, 0xC120, 0x7F7F, 0x4049, 0x3F81, 0x0003],
        [0x4040, 0x3F80, 0x807F, 0x0000, 0xFF80, 0x3F80, 0x3F00, 0x4040, 0x7F7F, 0x402E, 0x3F7F, 0x4000]),
    "i8": ([0x80, 0x80, 0x07, 0xF9, 0x07, 0xF9, 0x7F, 0x05, 0x00, 0x64, 0xFF, 0x33],
           [0xFF, 0x01, 0x03, 0x03, 0xFD, 0xFD, 0x7F, 0x00, 0x09, 0x0B, 0xFF, 0x34]),
    "u8": ([0x80, 0xFF, 0x07, 0xF9, 0x07, 0xF9, 0x7F, 0x05, 0x00, 0x64, 0xFF, 0x33],
           [0xFF, 0x01, 0x03, 0x03, 0xFD, 0xFD, 0x7F, 0x00, 0x09, 0x0B, 0xFF, 0x34]),
    "i32": ([0x80000000, 0x80000000, 7, 0xFFFFFFF9, 7, 0xFFFFFFF9, 0x7FFFFFFF, 5, 0, 1000003, 0xFFFFFFFF, 46341],
            [0xFFFFFFFF, 1, 3, 3, 0xFFFFFFFD, 0xFFFFFFFD, 0x7FFFFFFF, 0, 9, 4099, 0xFFFFFFFF, 46342]),
    "i64": ([1 << 63, 1 << 63, 7, (1 << 64) - 7, 7, (1 << 64) - 7, (1 << 63) - 1, 5, 0, 10**18 + 9, (1 << 64) - 1,
             3037000500],
            [(1 << 64) - 1, 1, 3, 3, (1 << 64) - 3, (1 << 64) - 3, (1 << 63) - 1, 0, 9, 6000000001, (1 << 64) - 1,
             3037000501]),
    "bool": ([0, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0], [0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1]),
}
CASTED = {
    "f32": [0x4F000000, 0xCF000000, 0x5F000000, 0xC2FF0000, 0x437F8000, 0x7FC00000, 0xFF800000, 0x477FF000, 0x33000001,
            0x80000000, 0x3F808000, 0xBF7FFFFF],
    "f16": [0x5BF8, 0xD808, 0x7BFF, 0x7E00, 0xFC00, 0x0001, 0x8000, 0x3BFF, 0xC1FF, 0x5800, 0x3C01, 0xD7FF],
    "bf16": [0x4F00, 0xCF00, 0x5F00, 0xC300, 0x4380, 0x7FC0, 0xFF80, 0x0001, 0x8000, 0x3F7F, 0xC020, 0x42FF],
    "i8": [0x80, 0x7F, 0xFF, 0x00, 0x01, 0x81, 0x40, 0xC0, 0x0B, 0xF5, 0x64, 0x9C],
    "u8": [0x80, 0x7F, 0xFF, 0x00, 0x01, 0x81, 0x40, 0xC0, 0x0B, 0xF5, 0x64, 0x9C],
    "i32": [0x80000000, 0x7FFFFFFF, 0xFFFFFFFF, 0, 0x01000001, 0x01000003, 65519, 65520, 0x100, 0xFFFFFF7F, 257, 0x80],
    "i64": [1 << 63, (1 << 63) - 1, (1 << 64) - 1, 0, (1 << 24) + 1, (1 << 54) + (1 << 30) + 1, 65520, 1 << 32, 0x1FF,
            (1 << 64) - 65521, (1 << 40) + (1 << 16), 0x80],
    "bool": [0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1],
}

out, header = [], []
arrays = {}


def words(kind, elements):
    data = b"".join(e.to_bytes(SIZE[kind], "little") for e in elements)
    data += b"\0" * (-len(data) % 4)
    return [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]


def array(kind, elements):
    """The name of the words of these elements; equal ones share it."""
    key = tuple(words(kind, elements))
    if key not in arrays:
        arrays[key] = f"words{len(arrays)}"
        out.append(f"static const uint32_t {arrays[key]}[] = {{{', '.join(f'0x{w:x}' for w in key)}}};")
    return arrays[key]


# Shapes of the answers: name of a macro, what it makes of an element number of Y.
SHAPES = {
    "DENSE": lambda e: e,   # [12]
    "ROWS": lambda e: e // 4,  # [3, 1]
    "COLUMNS": lambda e: e % 4,  # [1, 4]
    "MATRIX": lambda e: e,  # [3, 4]
    "TRANSPOSED": lambda e: e // 4 + e % 4 * 3,  # [3, 4], stored column by column
}
COUNT = {"DENSE": 12, "ROWS": 3, "COLUMNS": 4, "MATRIX": 12, "TRANSPOSED": 12}
UPPER = {k: k.upper() for k in TYPES}


def c_name(kind):
    """Of a type in a row: bool is a macro of C."""
    return "boolean" if kind == "bool" else kind


def answer(onnx, operands, y_kind, y_shape, compute, attrs=""):
    """One entry: operands are (kind, shape, elements)."""
    result = [compute(*(elements[SHAPES[shape](e)] for _, shape, elements in operands)) for e in range(12)]
    inputs = ", ".join(f"{shape}(ASSAY_{UPPER[kind]}, {SIZE[kind]})" for kind, shape, _ in operands)
    data = ", ".join(array(kind, elements[:COUNT[shape]]) for kind, shape, elements in operands)
    return (f"    ANSWER(\"{onnx}\", {len(operands)}, {y_shape}(ASSAY_{UPPER[y_kind]}, {SIZE[y_kind]}), "
            f"{array(y_kind, result)}, ({attrs}), ({inputs}), ({data})),")


def family(name, entries):
    header.append(f"extern const struct assay_known_answer elementwise_known_{name}[{len(entries)}];")
    out.append(f"const struct assay_known_answer elementwise_known_{name}[{len(entries)}] = {{")
    out.extend(entries)
    out.append("};")


def pair(onnx, op, kind, y_kind, attrs=""):
    a, b = INPUT[kind]
    f = lambda x, y: binary(op, kind, x, y)
    return [answer(onnx, [(kind, "DENSE", a), (kind, "DENSE", b)], y_kind, "DENSE", f, attrs),
            answer(onnx, [(kind, "ROWS", a[5:8]), (kind, "COLUMNS", b[6:10])], y_kind, "MATRIX", f, attrs)]


for onnx, op in (("Add", "add"), ("Sub", "sub"), ("Mul", "mul"), ("Div", "div"), ("Min", "min"), ("Max", "max")):
    for kind in NUMBERS:
        family(f"{op}_{kind}", pair(onnx, op, kind, kind))
for kind in NUMBERS:
    entries = pair("Mod", "fmod", kind, kind, "fmod_1")
    if kind in INTEGERS:
        entries += pair("Mod", "mod", kind, kind)
    family(f"mod_{kind}", entries)
for onnx, op in (("Equal", "equal"), ("Less", "less"), ("LessOrEqual", "less_or_equal"), ("Greater", "greater"),
                 ("GreaterOrEqual", "greater_or_equal")):
    kinds = TYPES if op == "equal" else NUMBERS
    family(f"{op}_boolean", [e for kind in kinds for e in pair(onnx, op, kind, "bool")])
for onnx, op in (("And", "and"), ("Or", "or"), ("Xor", "xor")):
    family(f"{op}_boolean", pair(onnx, op, "bool", "bool"))
family("not_boolean", [answer("Not", [("bool", shape, INPUT["bool"][0])], "bool", y, lambda x: 1 - x)
                    for shape, y in (("DENSE", "DENSE"), ("TRANSPOSED", "MATRIX"))])
for kind in TYPES:
    a, b = INPUT[kind]
    choose = lambda x, y, z: y if x else z
    condition = INPUT["bool"][1]
    # NaN may come out with any bits: choose among others.
    if kind in FORMATS:
        a = [x if decode(kind, x).size != NAN else 0 for x in a]
    family(f"where_{c_name(kind)}", [
        answer("Where", [("bool", "DENSE", condition), (kind, "DENSE", a), (kind, "DENSE", b)], kind, "DENSE", choose),
        answer("Where", [("bool", "ROWS", [1, 0, 1]), (kind, "COLUMNS", a[1:5]), (kind, "MATRIX", b)], kind, "MATRIX",
               choose)])
for to in TYPES:
    entries = []
    for kind in TYPES:
        f = lambda x: cast(kind, to, x)
        entries += [answer("Cast", [(kind, "DENSE", CASTED[kind])], to, "DENSE", f),
                    answer("Cast", [(kind, "TRANSPOSED", CASTED[kind])], to, "MATRIX", f)]
    family(f"cast_{c_name(to)}", entries)

TOP = """/* Written by scripts/known-answers-elementwise.py: calls whose bits are known, for the rows of this folder, worked out
 * by rational numbers and Python's integers. Change it there. */
"""
with open("kernels/elementwise/known.h", "w") as f:
    f.write(TOP + "#ifndef ASSAY_ELEMENTWISE_KNOWN_H\n#define ASSAY_ELEMENTWISE_KNOWN_H\n\n"
            '#include "kernels/kernel.h"\n\n' + "\n".join(header) + "\n\n#endif\n")
with open("kernels/elementwise/known.c", "w") as f:
    f.write(TOP + '''#include "kernels/elementwise/known.h"

static const struct assay_attr fmod_attr = {.name = "fmod", .kind = ASSAY_ATTR_INT, .i = 1};

#define DENSE(type, size)   {.dtype = type, .rank = 1, .shape = {12}, .stride = {1}, .bytes = 12 * size}
#define ROWS(type, size)    {.dtype = type, .rank = 2, .shape = {3, 1}, .stride = {1, 1}, .bytes = 3 * size}
#define COLUMNS(type, size) {.dtype = type, .rank = 2, .shape = {1, 4}, .stride = {4, 1}, .bytes = 4 * size}
#define MATRIX(type, size)  {.dtype = type, .rank = 2, .shape = {3, 4}, .stride = {4, 1}, .bytes = 12 * size}
#define TRANSPOSED(type, size) {.dtype = type, .rank = 2, .shape = {3, 4}, .stride = {1, 3}, .bytes = 12 * size}
#define LIST(...) __VA_ARGS__
#define ATTRS(...) ATTRS_##__VA_ARGS__
#define ATTRS_
#define ATTRS_fmod_1 .attrs = &fmod_attr, .attr_count = 1,
#define ANSWER(onnx, count, y, y_words, attrs, inputs, words)                                                \\
    {.call = {.op = onnx, ATTRS attrs .input = {LIST inputs}, .input_count = count, .output = {y}, .output_count = 1}, \\
     .input = {LIST words}, .output = {y_words}}

''' + "\n".join(out) + "\n")
subprocess.run(["clang-format", "-i", "kernels/elementwise/known.c", "kernels/elementwise/known.h"], check=True)
