#!/usr/bin/env python3
"""Make kernels/exact/function_exceptions.h from what tests/long_function found.

Usage: scripts/function-exceptions.py FILE > kernels/exact/function_exceptions.h
       scripts/function-exceptions.py --fill FILE > harness/fill_hard.h

FILE has a line an input that the pairs alone round to the wrong side, as `build/tests/long_function exceptions FILE`
writes them: function, input, right bits. tanh and erf are odd: their positive inputs are enough.
"""
import sys

ODD = ("tanh", "erf")
FUNCTIONS = "exp exp2 expm1 log log2 log1p tanh erf sigmoid silu softplus gelu gelu_tanh".split()


def fill():
    """The inputs alone, of all functions, as data of a fill."""
    with open(sys.argv[2], encoding="ascii") as lines:
        words = sorted({int(line.split()[1], 16) & 0x7FFFFFFF for line in lines})
    print("""/* Written by scripts/function-exceptions.py --fill: magnitudes of inputs at which some elementary function lies so near to a
 * middle between two floats that 47 bits do not tell the side. */
/* clang-format off */
#ifndef ASSAY_FILL_HARD_H
#define ASSAY_FILL_HARD_H

#include <stdint.h>

static const uint32_t fill_hard[%d] = {""" % len(words))
    for at in range(0, len(words), 10):
        print("    " + " ".join("0x%08x," % w for w in words[at:at + 10]))
    print("};\n#endif")


def main():
    found = {name: {} for name in FUNCTIONS}
    with open(sys.argv[1], encoding="ascii") as lines:
        for line in lines:
            name, key, want = line.split()[:3]
            if name in found and not (name in ODD and int(key, 16) >> 31):
                found[name][key] = want
    print("""/* Written by scripts/function-exceptions.py: the inputs that a pair of floats rounds to the wrong side, with the right
 * bits; everything else about them is in function.h. For either value of XM_FUSED: an entry that one does not need
 * repeats what it had. */
/* clang-format off */
#ifndef ASSAY_KERNELS_EXACT_FUNCTION_EXCEPTIONS_H
#define ASSAY_KERNELS_EXACT_FUNCTION_EXCEPTIONS_H

#include "kernels/exact/exact.h"
""")
    for name in FUNCTIONS:
        print("XF_FN xf_u xm_exception_%s(xf_u key, xf_u bits)\n{\n    switch (key) {" % name)
        for key, want in sorted(found[name].items()):
            print("    case 0x%su: return 0x%su;" % (key, want))
        print("    default: break;\n    }\n    return bits;\n}")
    print("#endif")


fill() if sys.argv[1] == "--fill" else main()
