#!/usr/bin/python3
"""Values that tests/test_statistics.c compares with, made without our code: rank tests and intervals by enumerating every
way to deal the ranks out (exact rationals), distributions and the large-sample test by scipy, quartiles by numpy.

usage: tests/golden/statistics_known.py > tests/statistics_known.h     (needs python3-scipy)"""
import itertools
import random
from fractions import Fraction

import numpy
from scipy import stats

random.seed(20)


def midranks(values):
    return [Fraction(sum(v < x for v in values) * 2 + sum(v == x for v in values) + 1, 2) for x in values]


def exact(a, b):
    """U of b, two-sided p over all choices of ranks, Hodges-Lehmann, 95 % interval by the rank without ties."""
    n, m = len(a), len(b)
    ranks = midranks(a + b)
    seen = sum(ranks[n:])
    sums = [sum(c) for c in itertools.combinations(ranks, m)]
    below, above = sum(s <= seen for s in sums), sum(s >= seen for s in sums)
    p = min(Fraction(1), 2 * Fraction(min(below, above), len(sums)))
    plain = sorted(sum(c) - m * (m + 1) // 2 for c in itertools.combinations(range(1, n + m + 1), m))
    rank = 0
    while rank < n * m and Fraction(sum(u <= rank for u in plain), len(plain)) <= Fraction(1, 40):
        rank += 1
    pairs = sorted(y - x for x in a for y in b)
    shift = numpy.median(pairs)
    low, high = (pairs[rank - 1], pairs[n * m - rank]) if rank else (float("-inf"), float("inf"))
    return float(seen - Fraction(m * (m + 1), 2)), float(p), float(shift), float(low), float(high)


def c(x):
    return "INFINITY" if x == float("inf") else "-INFINITY" if x == float("-inf") else repr(float(x))


def array(values):
    return "{" + ", ".join(c(v) for v in values) + "}"


print("/* Written by tests/golden/statistics_known.py: what statistics.c must give. */")
print("static const struct {\n    size_t a_count, b_count;\n    double a[40], b[40], u, p, shift, low, high;\n    bool exact;\n"
      "} known_compare[] = {")
samples = [([1.0], [2.0]), ([1.0, 2.0], [3.0, 4.0]), ([1.0] * 4, [1.0] * 5), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])]
for n, m, step in ((4, 4, None), (5, 5, None), (5, 5, 0.5), (6, 4, 0.25), (7, 7, None), (3, 9, 0.5), (9, 9, None)):
    draw = [random.gauss(0, 1) for _ in range(n)], [random.gauss(0.9, 1) for _ in range(m)]
    samples.append(tuple([round(x / step) * step if step else round(x, 6) for x in side] for side in draw))
samples.append(([float(i) for i in range(5)], [float(i + 5) for i in range(5)]))
for a, b in samples:
    u, p, shift, low, high = exact(a, b)
    print(f"    {{{len(a)}, {len(b)}, {array(a)}, {array(b)}, {c(u)}, {c(p)}, {c(shift)}, {c(low)}, {c(high)}, true}},")
for n, m, step in ((40, 35, 0.25), (25, 30, None)):
    a = [random.gauss(0, 1) for _ in range(n)]
    b = [random.gauss(0.4, 1) for _ in range(m)]
    a, b = ([round(x / step) * step if step else round(x, 6) for x in side] for side in (a, b))
    test = stats.mannwhitneyu(b, a, method="asymptotic", use_continuity=True, alternative="two-sided")
    pairs = sorted(y - x for x in a for y in b)
    rank = int(n * m / 2 - stats.norm.ppf(0.975) * (n * m * (n + m + 1) / 12) ** 0.5)
    print(f"    {{{n}, {m}, {array(a)}, {array(b)}, {c(test.statistic)}, {c(test.pvalue)}, {c(numpy.median(pairs))}, "
          f"{c(pairs[rank - 1])}, {c(pairs[n * m - rank])}, false}},")
print("};\n\nstatic const struct {\n    double t, df, p;\n} known_student[] = {")
for t, df in ((0.0, 5), (0.5, 1), (2.0, 5), (-2.0, 5), (6.7, 47), (20.0, 3), (1e-3, 58), (3.3, 2.5), (12.0, 100), (1.0, 0.5)):
    print(f"    {{{t!r}, {df!r}, {2 * stats.t.sf(abs(t), df)!r}}},")
print("};\n\nstatic const struct {\n    double z, p;\n} known_normal[] = {")
for z in (0.0, 0.5, -1.96, 3.0, 8.0):
    print(f"    {{{z!r}, {2 * stats.norm.sf(abs(z))!r}}},")
print("};\n\nstatic const struct {\n    size_t count;\n    double x[24], median, q1, q3, mad, low, high, lag1;\n"
      "} known_summary[] = {")
for n, step in ((1, None), (2, None), (5, None), (6, None), (20, 0.5), (23, None)):
    x = [random.gauss(10, 2) for _ in range(n)]
    x = [round(v / step) * step if step else round(v, 6) for v in x]
    s, med, mean = sorted(x), numpy.median(x), numpy.mean(x)
    q1, q3 = numpy.percentile(x, [25, 75])
    low = max(1, int(numpy.floor(n / 2 - 0.98 * n**0.5)))
    high = min(n, int(numpy.ceil(1 + n / 2 + 0.98 * n**0.5)))
    around = sum((v - mean) ** 2 for v in x)
    lag = sum((v - mean) * (w - mean) for v, w in zip(x, x[1:])) / around if around else 0.0
    mad = 1.4826 * numpy.median(abs(numpy.array(x) - med))
    print(f"    {{{n}, {array(x)}, {c(med)}, {c(q1)}, {c(q3)}, {c(mad)}, {c(s[low - 1])}, {c(s[high - 1])}, {c(lag)}}},")
print("};\n\nstatic const struct {\n    size_t count;\n    double p[8], adjusted[8];\n} known_adjusted[] = {")
for p in ([0.3], [0.01, 0.02, 0.03, 0.04], [0.04, 0.001, 0.9, 0.02, 0.02], [1.0, 1.0], [0.0, 0.5, 0.005, 0.05, 0.2, 0.011, 0.9, 0.6]):
    exactly = [Fraction(v) for v in p]
    adjusted = [min(min(Fraction(1), w * len(p) / sum(x <= w for x in exactly)) for w in exactly if w >= v) for v in exactly]
    print(f"    {{{len(p)}, {array(p)}, {array(adjusted)}}},")
print("};\n\nstatic const struct {\n    size_t count;\n    double x[20], y[20], slope, p;\n} known_trend[] = {")
for n, slope, step in ((2, 1, None), (8, 0.5, None), (20, 0.05, 0.25), (20, 0.0, None)):
    x = [float(i + i // 3) for i in range(n)]
    y = [random.gauss(slope * v, 0.5) for v in x]
    y = [round(v / step) * step if step else round(v, 6) for v in y]
    score = sum((y[j] > y[i]) - (y[j] < y[i]) for i in range(n) for j in range(i + 1, n))
    groups = [y.count(v) for v in set(y)]
    variance = (n * (n - 1) * (2 * n + 5) - sum(t * (t - 1) * (2 * t + 5) for t in groups)) / 18
    p = 2 * stats.norm.sf((abs(score) - 1) / variance**0.5) if score else 1.0
    print(f"    {{{n}, {array(x)}, {array(y)}, {c(stats.theilslopes(y, x)[0])}, {c(p)}}},")
print("};")
