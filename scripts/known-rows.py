#!/usr/bin/env python3
"""Known answers of the row operators, worked out with exact rationals: kernels/reduce/known.c and
kernels/normalize/known.c. Shares nothing with kernels or oracles.

    scripts/known-rows.py reduce >kernels/reduce/known.c
    scripts/known-rows.py normalize >kernels/normalize/known.c
"""
import math
import struct
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
NAN, INF, NINF, NZERO = 0x7FC00000, 0x7F800000, 0xFF800000, 0x80000000


def is_nan(w):
    return w & 0x7FFFFFFF > INF


def is_inf(w):
    return w & 0x7FFFFFFF == INF


def value(w):
    """The rational that a finite word stands for."""
    m, e = w & 0x7FFFFF, w >> 23 & 255
    v = Fraction(m | (0x800000 if e else 0)) * Fraction(2) ** ((e or 1) - 150)
    return -v if w >> 31 else v


def rounded(v, zero=0):
    """RN of a rational; `zero` is the word for an exact 0."""
    if v == 0:
        return zero
    sign, v = (NZERO, -v) if v < 0 else (0, v)
    e = v.numerator.bit_length() - v.denominator.bit_length()
    if v < Fraction(2) ** e:
        e -= 1
    e = max(e, -126)
    scaled = v / Fraction(2) ** (e - 23)
    n, rest = divmod(scaled.numerator, scaled.denominator)
    twice = 2 * rest - scaled.denominator
    if twice > 0 or (twice == 0 and n & 1):
        n += 1
    word = ((e + 126) << 23) + n  # the leading bit of n adds itself to the exponent
    return sign | min(word, INF)


def neg(w):
    return w ^ NZERO


def add(a, b):
    if is_nan(a) or is_nan(b):
        return NAN
    if is_inf(a) or is_inf(b):
        if is_inf(a) and is_inf(b) and a != b:
            return NAN
        return a if is_inf(a) else b
    return rounded(value(a) + value(b), a & b & NZERO)


def mul(a, b):
    sign = (a ^ b) & NZERO
    if is_nan(a) or is_nan(b):
        return NAN
    if is_inf(a) or is_inf(b):
        return NAN if value_is_zero(a) or value_is_zero(b) else sign | INF
    return rounded(value(a) * value(b), sign)


def value_is_zero(w):
    return w & 0x7FFFFFFF == 0


def square_add(a, c):
    if is_nan(a) or is_nan(c):
        return NAN
    if is_inf(a) or is_inf(c):
        return INF if is_inf(a) else c
    return rounded(value(a) ** 2 + value(c))


def div(a, b):
    sign = (a ^ b) & NZERO
    if is_nan(a) or is_nan(b):
        return NAN
    if is_inf(a):
        return NAN if is_inf(b) else sign | INF
    if is_inf(b):
        return sign
    if value_is_zero(b):
        return NAN if value_is_zero(a) else sign | INF
    return rounded(value(a) / value(b), sign)


def root(a):
    if is_nan(a) or (a >> 31 and not value_is_zero(a)):
        return NAN
    if is_inf(a) or value_is_zero(a):
        return a
    v = value(a) * 4**200
    return rounded(Fraction(2 * math.isqrt(v.numerator // v.denominator) + 1, 2) / 2**200)


def log(a):
    if is_nan(a) or a == NINF:
        return NAN
    if value_is_zero(a):
        return NINF
    if a >> 31:
        return NAN
    if is_inf(a):
        return a
    v = value(a)
    return rounded(Fraction((Decimal(v.numerator) / Decimal(v.denominator)).ln()))


def exp(a):
    if is_nan(a):
        return NAN
    if is_inf(a):
        return 0 if a >> 31 else INF
    v = value(a)
    if abs(v) > 120:
        return 0 if v < 0 else INF
    return rounded(Fraction((Decimal(v.numerator) / Decimal(v.denominator)).exp()))


def lanes(x, join, before, first):
    """Rule 3: blocks of 4,096, 128 lanes, halving."""
    if not x:
        return first
    while True:
        results = []
        for b in range(0, len(x), 4096):
            lane = [first] * 128
            for i, w in enumerate(x[b : b + 4096]):
                lane[i % 128] = before(w, lane[i % 128])
            half = 64
            while half:
                for l in range(half):
                    lane[l] = join(lane[l], lane[l + half])
                half //= 2
            results.append(lane[0])
        if len(results) == 1:
            return results[0]
        x, before = results, lambda w, c: join(c, w)


def total(x):
    return lanes(x, add, lambda w, c: add(c, w), 0)


def squares(x):
    return lanes(x, add, square_add, 0)


def order(w, zeros_equal):
    if zeros_equal and w == NZERO:
        w = 0
    return -(w & 0x7FFFFFFF) - 1 if w >> 31 else w


def extreme(x, sign):
    if any(is_nan(w) for w in x):
        return NAN
    return max(x, key=lambda w: sign * order(w, False)) if x else (NINF if sign > 0 else INF)


def place(x, sign, last):
    for i, w in enumerate(x):
        if is_nan(w):
            return i
    best = max(sign * order(w, True) for w in x)
    at = [i for i, w in enumerate(x) if sign * order(w, True) == best]
    return at[-1 if last else 0]


REDUCTIONS = [
    ("ReduceSum", total),
    ("ReduceMean", lambda x: div(total(x), rounded(Fraction(len(x))))),
    ("ReduceL1", lambda x: total([w & 0x7FFFFFFF for w in x])),
    ("ReduceL2", lambda x: root(squares(x))),
    ("ReduceSumSquare", squares),
    ("ReduceLogSum", lambda x: log(total(x))),
    ("ReduceProd", lambda x: lanes(x, mul, lambda w, c: mul(c, w), 0x3F800000)),
    ("ReduceMax", lambda x: extreme(x, 1)),
    ("ReduceMin", lambda x: extreme(x, -1)),
]

state = 12345


def draw():
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return state >> 33


def near_one():
    """A float from 0.9 to 1.1 of either rounding."""
    return rounded(Fraction(1) + Fraction(draw() % 2**22 - 2**21, 10 * 2**21))


def spread():
    return (draw() & 1) << 31 | (120 + draw() % 12) << 23 | draw() & 0x7FFFFF


def table(name, words):
    print(f"static const uint32_t {name}[{max(len(words), 1)}] = {{")
    for i in range(0, len(words), 16):
        print("    " + " ".join(f"0x{w:08x}," for w in words[i : i + 16]))
    if not words:
        print("    0,")
    print("};")


HEAD = """/* Calls of %s with the bits that they must give. Written by scripts/known-rows.py, which
 * works them out with exact rationals. */
#include "kernels/%s/%s.h"

/* clang-format off */
"""


def reduce_known():
    print(HEAD % ("reductions", "reduce", "reduce"))
    a = [spread() for _ in range(45)]  # 5 rows of 9
    a[9:18] = [NZERO] * 9
    a[11] = 0
    a[18:27] = [1, 0x80000001, 0x007FFFFF, 0x00800000, 3, 7, 1, 2, 0x80000004]
    a[30], a[33] = INF, INF
    a[40] = 0xFFC00001
    b = [spread() for _ in range(2 * 37 * 3)]
    b[3 * 17 + 1] = NZERO
    b[100] = b[103] = 0x43000000
    c = [near_one() for _ in range(4100)]
    c[7] = c[4098] = 0x41000000
    c[9] = c[4097] = 0x3C000000
    calls = [  # name, words, shape, axes, what each output is made of
        ("a", a, (5, 9), (1,), [a[9 * i : 9 * i + 9] for i in range(5)]),
        ("b", b, (2, 37, 3), (1,), [[b[(i * 37 + k) * 3 + j] for k in range(37)] for i in range(2) for j in range(3)]),
        ("c", c, (1, 4100), (1,), [c]),
        ("d", [], (3, 0), (1,), [[], [], []]),
    ]
    for name, words, _, _, _ in calls:
        table("in_" + name, words)
    entries = []
    for onnx, function in REDUCTIONS:
        group = []
        for name, words, shape, axes, rows in calls:
            table(f"{onnx}_{name}", [function(r) for r in rows] if rows[0] or onnx != "ReduceMean" else [NAN] * 3)
            group.append((onnx, name, shape, axes, f"{onnx}_{name}", "ASSAY_F32", 4, 0))
        entries.append(group)
    for onnx, sign in (("ArgMax", 1), ("ArgMin", -1)):
        group = []
        for name, words, shape, axes, rows in calls[:3]:
            for last in (0, 1) if name != "c" else (1,):
                to = f"{onnx}_{name}{last}"
                table(to, [w for r in rows for w in (place(r, sign, last), 0)])
                group.append((onnx, name, shape, axes, to, "ASSAY_I64", 8, last))
        entries.append(group)
    each = max(len(g) for g in entries)
    for group in entries:
        for onnx, name, shape, axes, to, _, _, last in group:
            kind = "axis" if onnx.startswith("Arg") else "axes"
            more = f', {{.name = "select_last_index", .i = {last}}}' if last else ""
            print(f'static const struct assay_attr {to}_a[{2 if last else 1}] = {{{{.name = "{kind}", .i = {axes[0]}}}{more}}};')
    print(f"\nconst struct assay_known_answer reduce_known[REDUCE_OPERATORS][REDUCE_KNOWN] = {{")
    for group in entries:
        print("    {")
        for onnx, name, shape, axes, to, dtype, size, last in group + group[:1] * (each - len(group)):
            strides = [1] * len(shape)
            for d in range(len(shape) - 2, -1, -1):
                strides[d] = strides[d + 1] * max(shape[d + 1], 1)
            count = math.prod(shape)
            out = [n for d, n in enumerate(shape) if d not in axes]
            outs = [1] * len(out)
            for d in range(len(out) - 2, -1, -1):
                outs[d] = outs[d + 1] * out[d + 1]
            text = lambda v: ", ".join(str(i) for i in v)
            # keepdims is 1 by default: the reduced dimension stays with length 1
            kept = [1 if d in axes else n for d, n in enumerate(shape)]
            keep = [1] * len(kept)
            for d in range(len(kept) - 2, -1, -1):
                keep[d] = keep[d + 1] * kept[d + 1]
            print(f'        {{.call = {{.op = "{onnx}", .attrs = {to}_a, .attr_count = {2 if last else 1},')
            print(f"                  .input = {{{{.dtype = ASSAY_F32, .rank = {len(shape)}, .shape = {{{text(shape)}}}, .stride = {{{text(strides)}}}, .bytes = {4 * count}}}}}, .input_count = 1,")
            print(f"                  .output = {{{{.dtype = {dtype}, .rank = {len(kept)}, .shape = {{{text(kept)}}}, .stride = {{{text(keep)}}}, .bytes = {size * math.prod(kept)}}}}}, .output_count = 1}},")
            print(f"         .input = {{in_{name}}}, .output = {{{to}}}}},")
        print("    },")
    print("};")
    print(f"/* REDUCE_KNOWN is {each} */", file=sys.stderr)


def sub(a, b):
    return add(a, neg(b)) if not is_nan(b) else NAN


def softmax(x, logarithm):
    m = extreme(x, 1)
    d = [sub(w, m) for w in x]
    s = total([exp(w) for w in d])
    return [sub(w, log(s)) for w in d] if logarithm else [div(exp(w), s) for w in d]


def norm(x, layer, eps, scale, bias):
    n = rounded(Fraction(len(x)))
    if layer:
        m = div(total(x), n)
        d = [sub(w, m) for w in x]
        c = div(total(d), n)
        x = [sub(w, c) for w in d]
    s = root(add(div(squares(x), n), eps))
    y = [mul(div(w, s), f) for w, f in zip(x, scale)]
    return [add(w, b) for w, b in zip(y, bias)] if bias else y


def dense(dtype, size, shape):
    strides = [1] * len(shape)
    for d in range(len(shape) - 2, -1, -1):
        strides[d] = strides[d + 1] * shape[d + 1]
    text = lambda v: ", ".join(str(i) for i in v)
    return f"{{.dtype = {dtype}, .rank = {len(shape)}, .shape = {{{text(shape)}}}, .stride = {{{text(strides)}}}, .bytes = {size * math.prod(shape)}}}"


def normalize_known():
    print(HEAD % ("softmax and norms", "normalize", "normalize"))
    a = [spread() for _ in range(8 * 9)]  # 8 rows of 9
    a[9:18] = [0x40490FDB] * 9
    a[18:27] = [NINF] * 9
    a[27:36] = [1, 0x80000001, 0x007FFFFF, 0x00800000, 3, 7, 1, 2, 0x80000004]
    a[39], a[40] = NINF, 0x41000000
    a[48] = INF
    a[58] = 0xFFC00001
    a[63:72] = [rounded(Fraction(10**6) + Fraction(draw() % 1000, 7)) for _ in range(9)]
    b = [spread() for _ in range(2 * 37 * 3)]
    c = [spread() for _ in range(4100)]
    d = [spread() for _ in range(3 * 200)]
    inputs = {"a": (a, (8, 9)), "b": (b, (2, 37, 3)), "c": (c, (1, 4100)), "d": (d, (3, 200))}
    scale = {name: [spread() for _ in range(inputs[name][1][1])] for name in "acd"}
    bias = {name: [spread() for _ in range(inputs[name][1][1])] for name in "acd"}
    for name, (words, _) in inputs.items():
        table("in_" + name, words)
    for name in "acd":
        table("scale_" + name, scale[name])
        table("bias_" + name, bias[name])
    groups = []
    for onnx, logarithm in (("Softmax", False), ("LogSoftmax", True)):
        group = []
        for name, (words, shape) in inputs.items():
            k = shape[1]
            if name == "b":
                out = [0] * len(words)
                for i in range(2):
                    for j in range(3):
                        for e, w in enumerate(softmax([words[(i * k + e) * 3 + j] for e in range(k)], logarithm)):
                            out[(i * k + e) * 3 + j] = w
            else:
                out = [w for r in range(shape[0]) for w in softmax(words[r * k : r * k + k], logarithm)]
            table(f"{onnx}_{name}", out)
            group.append((onnx, name, shape, f"{onnx}_{name}", [f"in_{name}"], '{.name = "axis", .i = 1}', 1))
        groups.append(group)
    eps = rounded(Fraction(1, 100000))
    for onnx, layer in (("LayerNormalization", True), ("RMSNormalization", False)):
        group = []
        for name in "acda":
            words, shape = inputs[name]
            k = shape[1]
            with_bias = layer and not (name == "a" and group)
            to = f"{onnx}_{name}{len(group)}"
            table(to, [w for r in range(shape[0]) for w in norm(words[r * k : r * k + k], layer, eps, scale[name], bias[name] if with_bias else None)])
            files = [f"in_{name}", f"scale_{name}"] + ([f"bias_{name}"] if with_bias else [])
            group.append((onnx, name, shape, to, files, "{0}", 0))
        groups.append(group)
    for group in groups:
        for onnx, _, _, to, _, attrs, _ in group:
            print(f"static const struct assay_attr {to}_a[1] = {{{attrs}}};")
    print("\nconst struct assay_known_answer normalize_known[NORMALIZE_OPERATORS][NORMALIZE_KNOWN] = {")
    for group in groups:
        print("    {")
        for onnx, _, shape, to, files, _, attrs in group:
            rows = ", ".join([dense("ASSAY_F32", 4, shape)] + [dense("ASSAY_F32", 4, shape[1:])] * (len(files) - 1))
            print(f'        {{.call = {{.op = "{onnx}", .attrs = {to}_a, .attr_count = {attrs}, .input = {{{rows}}}, .input_count = {len(files)},')
            print(f"                  .output = {{{dense('ASSAY_F32', 4, shape)}}}, .output_count = 1}},")
            print(f"         .input = {{{', '.join(files)}}}, .output = {{{to}}}}},")
        print("    },")
    print("};")


if __name__ == "__main__":
    if sys.argv[1:] == ["reduce"]:
        reduce_known()
    elif sys.argv[1:] == ["normalize"]:
        normalize_known()
    else:
        sys.exit(__doc__)
