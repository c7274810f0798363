#!/usr/bin/env python3
"""Known answers of the sweeps: scripts/known-answers-sweep.py > kernels/sweep/known.c

From the words at the head of oracles/sweep/sweep.h alone, made without any code of Assay: every word of a slot is
added up one by one, multiply-adds are exact rationals rounded once.
"""
from fractions import Fraction

M = 0xFFFFFFFF
GOLDEN = 0x9E3779B9


def mix(z):
    z ^= z >> 16
    z = z * 0x85EBCA6B & M
    z ^= z >> 13
    z = z * 0xC2B2AE35 & M
    return z ^ z >> 16


def value(bits):
    """A normal binary32."""
    sign = -1 if bits >> 31 else 1
    exponent = (bits >> 23 & 255) - 127 - 23
    return sign * Fraction(bits & 0x7FFFFF | 0x800000) * Fraction(2) ** exponent


def rounded(x):
    """Bits of a rational, nearest even; +0 for 0; normal results only."""
    if x == 0:
        return 0
    sign, x = (1, -x) if x < 0 else (0, x)
    e = 0
    while x >= 2:
        x, e = x / 2, e + 1
    while x < 1:
        x, e = x * 2, e - 1
    assert -126 <= e <= 126
    scaled = x * 2**23
    whole, rest = divmod(scaled.numerator, scaled.denominator)
    rest = Fraction(rest, scaled.denominator)
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole & 1):
        whole += 1
    return sign << 31 | ((e + 127) << 23) + (whole - 0x800000)


def number(x, keep, exponent):
    return value(x & keep | exponent)


def units(key, rounds):
    s0 = s1 = 0
    for t in range(256):
        x = mix(key[0] + t * GOLDEN & M)
        h = key[1] ^ x
        f = number(x, 0x7FFFFF, 0x3F800000)
        for r in range(rounds):
            x = mix(x + r & M)
            a = number(x, 0x807FFFFF, 0x3F000000)
            x = mix(x ^ h)
            bits = rounded(a * f + number(x, 0x807FFFFF, 0x3F800000))
            f = value(bits) if bits else Fraction(0)
            h = mix(h ^ bits)
        s0 += h
        s1 += h * (2 * t + 1)
    return [s0 & M] * 2 + [s1 & M] * 2


def slot(key, s, kib, pattern):
    row = []
    for flip in (0, M):
        total = weighted = 0
        for i in range(kib * 256):
            word = 1 << (i + s + key[0]) % 32 if pattern else ((key[0] | 1) * i + key[1] + s * GOLDEN) & M
            total += word ^ flip
            weighted += (word ^ flip) * (2 * i + 1)
        row += [0, 0, M, total & M, weighted & M]
    return row


def chunks(x):
    rows = []
    for at in range(0, len(x), 4096):
        part = x[at : at + 4096]
        rows += [sum(part) & M, sum(w * (2 * i + 1) for i, w in enumerate(part)) & M]
    return rows


def array(name, words):
    print(f"static const uint32_t {name}[{len(words)}] = {{")
    for at in range(0, len(words), 12):
        print("    " + ", ".join(f"0x{w:08x}" for w in words[at : at + 12]) + ",")
    print("};")


def attributes(name, pairs):
    words = ", ".join(f'{{.name = "{k}", .kind = ASSAY_ATTR_INT, .i = {v}}}' for k, v in pairs)
    print(f"static const struct assay_attr {name}[{max(len(pairs), 1)}] = {{{words}}};")


def answer(tag, op, inputs, shape, attrs):
    rank = len(shape)
    stride = "{%d, 1}" % shape[1] if rank == 2 else "{1}"
    dims = "{%s}" % ", ".join(map(str, shape))
    return (
        f'    {{.call = {{.op = "{op}", .attrs = {tag}_a, .attr_count = {attrs},\n'
        f"               .input = {{{{.dtype = ASSAY_F32, .rank = 1, .shape = {{{len(inputs)}}}, .stride = {{1}}}}}},\n"
        f"               .input_count = 1,\n"
        f"               .output = {{{{.dtype = ASSAY_I32, .rank = {rank}, .shape = {dims}, .stride = {stride}}}}},\n"
        f"               .output_count = 1}},\n"
        f"     .input = {{{tag}_x}}, .output = {{{tag}_y}}}},\n"
    )


KEYS = ((0x3F9D2C41, 0xC1A7700B), (0x80123457, 0x00000000))
print(
    """/* Written by scripts/known-answers-sweep.py: sweeps whose words were worked out with exact rationals and plain sums.
 *
 * A kernel must give these on a device before it is used there. */
#include "kernels/sweep/sweep.h"

/* clang-format off */
"""
)
tables = {"units": "", "memory": "", "upload": "", "download": ""}


def emit(kind, number_, op, inputs, output, shape, attrs):
    tag = f"{kind}{number_}"
    array(tag + "_x", inputs)
    array(tag + "_y", output)
    attributes(tag + "_a", attrs)
    tables[kind] += answer(tag, op, inputs, shape, len(attrs))


for n, (count, rounds) in enumerate(((3, 5), (1, 40))):
    emit("units", n, "SweepUnits", KEYS[n], units(KEYS[n], rounds) * count, (count, 4), [("rounds", rounds)])
for n, (slots, kib, pattern) in enumerate(((3, 12, 0), (1, 68, 1))):
    rows = sum((slot(KEYS[n], s, kib, pattern) for s in range(slots)), [])
    emit("memory", n, "SweepMemory", KEYS[n], rows, (slots, 10), [("kib", kib), ("pattern", pattern)])
for n, length in enumerate((1, 4100)):
    x = [mix(i * 2654435761 + n & M) for i in range(length)]
    emit("upload", n, "SweepUpload", x, chunks(x), ((length + 4095) // 4096, 2), [])
for n, length in enumerate((1, 70)):
    words = [mix(i * GOLDEN + KEYS[n][0] & M) ^ KEYS[n][1] for i in range(length)]
    emit("download", n, "SweepDownload", KEYS[n], words, (length,), [])
for kind, text in tables.items():
    print(f"\nconst struct assay_known_answer sweep_known_{kind}[SWEEP_KNOWN_COUNT] = {{\n{text}}};")
