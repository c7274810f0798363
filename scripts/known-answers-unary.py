#!/usr/bin/env python3
"""Write kernels/unary/known.c: small calls of the elementwise operators and the bits that they must give.

    scripts/known-answers-unary.py > kernels/unary/known.c

Functions are taken with 150 digits by Python's decimal module (erf by its series) and rounded once to f32, by exact
fractions; composed operators are what docs/exactness.md says, with fractions. No code of Assay takes part.
"""
import math
import sys
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 150
getcontext().Emin, getcontext().Emax = -10**12, 10**12
NAN, INF = "nan", "inf"  # beside these a value is (sign, Fraction or INF): zeros have signs
F32, F16, BF16 = (23, 8), (10, 5), (7, 8)

# ---- formats ----


def decode(bits, fmt):
    fraction_bits, width = fmt
    sign = bits >> (fraction_bits + width) & 1
    field, fraction = bits >> fraction_bits & ((1 << width) - 1), bits & ((1 << fraction_bits) - 1)
    bias = (1 << (width - 1)) - 1
    if field == (1 << width) - 1:
        return NAN if fraction else (sign, INF)
    if field == 0:
        return (sign, Fraction(fraction) * Fraction(2) ** (1 - bias - fraction_bits))
    return (sign, Fraction(fraction + (1 << fraction_bits)) * Fraction(2) ** (field - bias - fraction_bits))


def encode(value, fmt):
    fraction_bits, width = fmt
    top, bias = ((1 << width) - 1) << fraction_bits, (1 << (width - 1)) - 1
    if value == NAN:
        return top | 1 << (fraction_bits - 1)
    sign, size = value
    sign <<= fraction_bits + width
    if size == INF:
        return sign | top
    if size == 0:
        return sign
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    steps = size / Fraction(2) ** (exponent - fraction_bits)
    whole = steps.numerator // steps.denominator
    rest = steps - whole
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1):
        whole += 1
    bits = ((exponent + bias - 1) << fraction_bits) + whole
    return sign | min(bits, top)


def f32(value):
    return decode(encode(value, F32), F32)


# ---- real functions of a finite Fraction, as Decimal ----


def dec(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
             "214808651328230664709384460955058223172535940812848111745028410270193852110555964462294895493038196")


def erf(z):
    """By its series; the terms grow to e^(z z), which 150 digits hold for |z| up to 11."""
    total, term, n = Decimal(0), z, 0
    while abs(term) > Decimal(10) ** -140 * max(abs(total), Decimal(10) ** -100) or n < 4:
        total += term / (2 * n + 1)
        n += 1
        term = -term * z * z / n
        if term == 0:
            break
    return 2 * total / PI.sqrt()


def logistic(x):
    return 1 / (1 + (-x).exp())


def tanh(x):
    if abs(x) < Decimal("1e-20"):
        return x - x * x * x / 3
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


def expm1(x):
    return x + x * x / 2 if abs(x) < Decimal("1e-30") else x.exp() - 1


def log1p(x):
    return x - x * x / 2 if abs(x) < Decimal("1e-30") else (1 + x).ln()


def gelu(x):
    if abs(x) > 15:
        return x if x > 0 else Decimal("-1e-60")
    return x * (1 + erf(x / Decimal(2).sqrt())) / 2


def gelu_tanh(x):
    u = (2 / PI).sqrt() * (x + Decimal("0.044715") * x * x * x)
    return x * logistic(2 * u) if abs(u) < 300 else (x if x > 0 else Decimal("-1e-60"))


def bounded(function):
    """Functions whose exponential would be too large for any decimal: beyond 300 nothing of it is left."""
    return lambda x: function(max(min(x, Decimal(300)), Decimal(-300)))


def erf_far(x):
    return erf(x) if abs(x) < 6 else Decimal(1).copy_sign(x) * (1 - Decimal(10) ** -30)


REAL = {
    "exp": bounded(lambda x: x.exp()),
    "exp2": bounded(lambda x: (x * Decimal(2).ln()).exp()),
    "expm1": bounded(expm1),
    "log": lambda x: x.ln(),
    "log2": lambda x: x.ln() / Decimal(2).ln(),
    "log1p": log1p,
    "tanh": bounded(tanh),
    "erf": erf_far,
    "sigmoid": bounded(logistic),
    "silu": lambda x: x * bounded(logistic)(x),
    "softplus": lambda x: max(x, Decimal(0)) + bounded(lambda y: log1p((-abs(y)).exp()))(x),
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "sqrt": lambda x: x.sqrt(),
    "rsqrt": lambda x: 1 / x.sqrt(),
    "rcp": lambda x: 1 / x,
}
ODD_ZERO = ("silu", "gelu", "gelu_tanh", "tanh", "erf", "expm1", "log1p", "sqrt")
# at -infinity and +infinity, and at zeros of other functions
ENDS = {
    "exp": ((0, Fraction(0)), (0, INF)), "exp2": ((0, Fraction(0)), (0, INF)),
    "expm1": ((1, Fraction(1)), (0, INF)), "log": (NAN, (0, INF)), "log2": (NAN, (0, INF)),
    "log1p": (NAN, (0, INF)), "tanh": ((1, Fraction(1)), (0, Fraction(1))),
    "erf": ((1, Fraction(1)), (0, Fraction(1))), "sigmoid": ((0, Fraction(0)), (0, Fraction(1))),
    "silu": ((1, Fraction(0)), (0, INF)), "softplus": ((0, Fraction(0)), (0, INF)),
    "gelu": ((1, Fraction(0)), (0, INF)), "gelu_tanh": ((1, Fraction(0)), (0, INF)), "sqrt": (NAN, (0, INF)),
    "rsqrt": (NAN, (0, Fraction(0))), "rcp": ((1, Fraction(0)), (0, Fraction(0))),
}


def real(name, x):
    """The function of an f32 value, rounded once."""
    if x == NAN:
        return NAN
    sign, size = x
    if size == INF:
        return ENDS[name][0 if sign else 1]
    if size == 0:
        if name in ODD_ZERO:
            return x
        if name in ("rcp", "rsqrt"):
            return (sign, INF)
        if name in ("log", "log2"):
            return (1, INF)
    value = -size if sign else size
    if name in ("log", "log2", "sqrt", "rsqrt") and value < 0 or name == "log1p" and value < -1:
        return NAN
    if name == "log1p" and value == -1:
        return (1, INF)
    y = Fraction(REAL[name](dec(value)))
    return f32((1 if y < 0 else 0, abs(y)))


# ---- composed operators, over values ----


def number(x):
    return -x[1] if x[0] else x[1]


def multiply(x, y):
    if NAN in (x, y):
        return NAN
    sign = x[0] ^ y[0]
    if INF in (x[1], y[1]):
        return NAN if 0 in (x[1], y[1]) else (sign, INF)
    return f32((sign, x[1] * y[1]))


def fma(x, y, z):
    if NAN in (x, y, z):
        return NAN
    sign = x[0] ^ y[0]
    if INF in (x[1], y[1]):
        if 0 in (x[1], y[1]) or (z[1] == INF and z[0] != sign):
            return NAN
        return (sign, INF)
    if z[1] == INF:
        return z
    total = (-1) ** sign * x[1] * y[1] + number(z)
    if total == 0:
        return (sign & z[0], Fraction(0))
    return f32((1 if total < 0 else 0, abs(total)))


def less(x, y):
    """In order, -0 below +0."""
    rank = lambda v: (math.inf if v[1] == INF else v[1]) * (-1) ** v[0]
    return rank(x) < rank(y) or (rank(x) == rank(y) and x[0] > y[0])


def larger(x, y):
    return NAN if NAN in (x, y) else (y if less(x, y) else x)


def smaller(x, y):
    return NAN if NAN in (x, y) else (x if less(x, y) else y)


ZERO, ONE = (0, Fraction(0)), (0, Fraction(1))


def negative(x):
    return x != NAN and x[0] == 1 and x[1] != 0


def hard_sigmoid(x, a, b):
    return smaller(larger(fma(a, x, b), ZERO), ONE)


def softsign(x):
    if x == NAN or x[1] == 0:
        return x
    if x[1] == INF:
        return (x[0], Fraction(1))
    return f32((x[0], x[1] / f32((0, 1 + x[1]))[1]))


def above(x, a):
    return NAN not in (x, a) and less(a, x) and not (x[1] == 0 and a[1] == 0)


COMPOSED = {
    "relu": lambda x, a, b: larger(x, ZERO),
    "leaky_relu": lambda x, a, b: multiply(a, x) if negative(x) else x,
    "elu": lambda x, a, b: multiply(a, real("expm1", x)) if negative(x) else x,
    "hard_sigmoid": hard_sigmoid,
    "hard_swish": lambda x, a, b: multiply(x, hard_sigmoid(x, decode(0x3E2AAAAB, F32), decode(0x3F000000, F32))),
    "softsign": lambda x, a, b: softsign(x),
    "thresholded_relu": lambda x, a, b: x if x == NAN or above(x, a) else ZERO,
    "clip": lambda x, a, b: smaller(larger(x, a), b),
    "neg": lambda x, a, b: x if x == NAN else (1 - x[0], x[1]),
    "abs": lambda x, a, b: x if x == NAN else (0, x[1]),
}


def apply(name, bits, fmt, a=ZERO, b=ZERO):
    """Bits of the operator of an element of this format."""
    x = decode(bits, fmt)
    return encode(COMPOSED[name](x, a, b) if name in COMPOSED else real(name, x), fmt)


# ---- the calls ----

OPS = [("exp", "Exp"), ("exp2", "Exp2"), ("expm1", "Expm1"), ("log", "Log"), ("log2", "Log2"), ("log1p", "Log1p"),
       ("tanh", "Tanh"), ("erf", "Erf"), ("sigmoid", "Sigmoid"), ("silu", "Silu"), ("softplus", "Softplus"),
       ("gelu", "Gelu"), ("sqrt", "Sqrt"), ("rsqrt", "Rsqrt"), ("rcp", "Reciprocal"), ("relu", "Relu"),
       ("leaky_relu", "LeakyRelu"), ("elu", "Elu"), ("hard_sigmoid", "HardSigmoid"), ("hard_swish", "HardSwish"),
       ("softsign", "Softsign"), ("thresholded_relu", "ThresholdedRelu"), ("clip", "Clip"), ("neg", "Neg"),
       ("abs", "Abs")]
FORMATS = [("f32", "ASSAY_F32", F32), ("f16", "ASSAY_F16", F16), ("bf16", "ASSAY_BF16", BF16)]
# f32: every kind of number, where ways of computing meet, and inputs next to a middle of results
DENSE = [
    0x7FC00000, 0xFFC00001, 0x7F800000, 0xFF800000, 0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF,
    0x80400000, 0x00800000, 0x80800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F000000, 0xBF000000,
    0x40490FDB, 0xC0490FDB, 0x42AEAC50, 0xC2CE8ED0, 0x33000001, 0xB3000001, 0x3F0D642E, 0x3B8C972E, 0xBBEA1345,
    0x3F7FFFFF, 0x3F800001, 0x41100000, 0xC1100000, 0x40A00000, 0xC0A00000, 0x3D9A827A, 0xBD9A827A, 0x3FB504F3,
    0xC1660000, 0x4B000001, 0x80FFFFFF, 0xBA83126F, 0x42800000,
]
TURNED = [
    0x3FC00000, 0xBFC00000, 0x40000000, 0xC0000000, 0x3EAAAAAB, 0xBEAAAAAB, 0x3F2147AE, 0xBF2147AE, 0x412CCCCD,
    0xC12CCCCD, 0x3C23D70A, 0xBC23D70A, 0x41F00000, 0xC1F00000, 0x39800000, 0xB9800000, 0x00012345, 0x80012345,
    0x477FE000, 0xC77FE000, 0x3F490FDB,
]
# alpha and beta that stand for their defaults, and others
NUMBERS = {"leaky_relu": (0x3C23D70A, 0), "elu": (0x3F800000, 0), "thresholded_relu": (0x3F800000, 0),
           "hard_sigmoid": (0x3E4CCCCD, 0x3F000000)}
OTHERS = {"leaky_relu": (0xBF19999A, 0), "elu": (0x40133333, 0), "thresholded_relu": (0xBE99999A, 0),
          "hard_sigmoid": (0x3DCCCCCD, 0x3F19999A)}
BOUNDS = (0xBF666666, 0x40200000)


def narrow(word, fmt):
    return word if fmt == F32 else encode(decode(word, F32), fmt)


def pack(elements, fmt):
    if fmt == F32:
        return elements
    elements = elements + [0] * (len(elements) & 1)
    return [elements[i] | elements[i + 1] << 16 for i in range(0, len(elements), 2)]


def table(name, words):
    lines = ["    " + " ".join("0x%08x," % w for w in words[i:i + 10]) for i in range(0, len(words), 10)]
    print("static const uint32_t %s[%d] = {\n%s\n};" % (name, len(words), "\n".join(lines)))


def tensor(dtype, shape, stride):
    return "{.dtype = %s, .rank = %d, .shape = {%s}, .stride = {%s}}" % (dtype, len(shape), ", ".join(shape) or "0",
                                                                       ", ".join(stride) or "0")


def main():
    print("""/* Written by scripts/known-answers-unary.py: elementwise operators whose bits were worked out with 150 digits and exact
 * fractions. The first call of an operator is dense; the second has X by columns and other attributes.
 *
 * A kernel must give these on a device before it is used there. */
#include "kernels/unary/unary.h"

/* clang-format off */
""")
    for word, dtype, fmt in FORMATS:
        dense, turned = [narrow(w, fmt) for w in DENSE], [narrow(w, fmt) for w in TURNED]
        table("dense_" + word, pack(dense, fmt))
        table("turned_" + word, pack([turned[c % 3 * 7 + c // 3] for c in range(21)], fmt))
        bounds = [narrow(w, fmt) for w in BOUNDS]
        table("lo_" + word, [bounds[0]])
        table("hi_" + word, [bounds[1]])
        for name, onnx in OPS:
            answers = []
            for second in (False, True):
                words = (OTHERS if second else NUMBERS).get(name, (0, 0))
                a, b = (decode(w, F32) for w in words)
                attrs = []
                if second and name in OTHERS:
                    keys = ("alpha", "beta") if name == "hard_sigmoid" else ("alpha",)
                    attrs = ['{.name = "%s", .kind = ASSAY_ATTR_FLOAT, .f = %s}' %
                             (k, float(number(decode(w, F32))).hex() + "f") for k, w in zip(keys, words)]
                function, inputs = name, ["%s_%s" % ("turned" if second else "dense", word)]
                if name == "gelu" and second:
                    function, attrs = "gelu_tanh", ['{.name = "approximate", .kind = ASSAY_ATTR_STRING, .s = "tanh"}']
                if name == "clip":
                    a, b = decode(bounds[0], fmt), (0, INF) if second else decode(bounds[1], fmt)
                    inputs += ["lo_" + word] if second else ["lo_" + word, "hi_" + word]
                out = [apply(function, x, fmt, a, b) for x in (turned if second else dense)]
                stem = "%s_%s_%s" % (name, word, "turned" if second else "dense")
                table(stem, pack(out, fmt))
                if attrs:
                    print("static const struct assay_attr %s_attr[%d] = {%s};" % (stem, len(attrs), ", ".join(attrs)))
                shape = ["3", "7"] if second else [str(len(DENSE))]
                tensors = [tensor(dtype, shape, ["1", "3"] if second else ["1"])]
                tensors += [tensor(dtype, [], []) for _ in inputs[1:]]
                answers.append("{.call = {.op = \"%s\", %s.input = {%s}, .input_count = %d, .output = {%s}, "
                               ".output_count = 1}, .input = {%s}, .output = {%s}}" %
                               (onnx, ".attrs = %s_attr, .attr_count = %d, " % (stem, len(attrs)) if attrs else "",
                                ", ".join(tensors), len(inputs), tensor(dtype, shape, ["7", "1"] if second else ["1"]),
                                ", ".join(inputs), stem))
            print("const struct assay_known_answer unary_known_%s_%s[UNARY_KNOWN_COUNT] = {\n    %s,\n    %s,\n};" %
                  (name, word, answers[0], answers[1]))


if __name__ == "__main__":
    sys.exit(main())
