#!/usr/bin/env python3
"""Writes corpus/small.gguf, the GGUF file of the tests: a few Q1_0 matrices, an f32 vector, odd metadata.

Usage: scripts/small-gguf.py [FILE]. The bytes depend on nothing but this text. Format: ggml-org/ggml docs/gguf.md;
type numbers: enum ggml_type of include/ggml.h (F32 = 0, Q1_0 = 41)."""
import struct
import sys

ALIGNMENT = 64
F32, Q1_0, UNKNOWN = 0, 41, 1000
U8, I8, U16, I16, U32, I32, FLOAT, BOOL, STRING, ARRAY, U64, I64, DOUBLE = range(13)


def text(s):
    raw = s.encode() if isinstance(s, str) else s
    return struct.pack("<Q", len(raw)) + raw


def value(key, kind, raw):
    return text(key) + struct.pack("<I", kind) + raw


def array(kind, count, raw):
    return struct.pack("<IQ", kind, count) + raw


def generator(seed):
    """xorshift64: 32 bits a step."""
    while True:
        seed ^= seed << 13 & (1 << 64) - 1
        seed ^= seed >> 7
        seed ^= seed << 17 & (1 << 64) - 1
        yield seed >> 32


def blocks(seed, count):
    """Q1_0: an f16 scale of either sign with exponents as in trained layers, then 16 bytes of signs."""
    draw = generator(seed)
    out = b""
    for _ in range(count):
        z = next(draw)
        out += struct.pack("<H", (z & 1) << 15 | 5 + (z >> 1) % 5 << 10 | z >> 8 & 0x3FF)
        out += struct.pack("<4I", *(next(draw) for _ in range(4)))
    return out


METADATA = [
    value("general.architecture", STRING, text("small")),
    value("general.alignment", U32, struct.pack("<I", ALIGNMENT)),
    value("a.u8", U8, b"\xff"),
    value("a.i8", I8, b"\x80"),
    value("a.u16", U16, struct.pack("<H", 65535)),
    value("a.i16", I16, struct.pack("<h", -1)),
    value("a.i32", I32, struct.pack("<i", -1)),
    value("a.f32", FLOAT, struct.pack("<f", 0.5)),
    value("a.bool", BOOL, b"\x01"),
    value("a.u64", U64, struct.pack("<Q", (1 << 64) - 1)),
    value("a.i64", I64, struct.pack("<q", -1)),
    value("a.f64", DOUBLE, struct.pack("<d", 0.25)),
    value("a.empty", STRING, text("")),
    value("a.no.elements", ARRAY, array(U8, 0, b"")),
    value("a.strings", ARRAY, array(STRING, 3, text("") + text("token") + text(b"\xf0\x9f\x8e\xb2"))),
    value("a.arrays", ARRAY, array(ARRAY, 2, array(U16, 2, b"\1\0\2\0") + array(STRING, 1, text("x")))),
]

# name, shape (fastest first), type, bytes
TENSORS = [
    ("token_embd.weight", (256, 600), Q1_0, blocks(1, 2 * 600)),
    ("output_norm.weight", (256,), F32, struct.pack("<256f", *(i / 256 for i in range(256)))),
    ("blk.0.ffn_up.weight", (256, 70), Q1_0, blocks(2, 2 * 70)),
    ("blk.0.ffn_down.weight", (384, 33), Q1_0, blocks(3, 3 * 33)),
    ("blk.0.experts/{a,b} #1*", (128, 5, 3), Q1_0, blocks(4, 15)),
    ("blk.0.other", (32, 2), UNKNOWN, bytes(64)),
]


def main():
    infos, data = b"", b""
    for name, shape, kind, raw in TENSORS:
        infos += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        infos += struct.pack("<IQ", kind, len(data))
        data += raw + bytes(-len(raw) % ALIGNMENT)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(TENSORS), len(METADATA)) + b"".join(METADATA) + infos
    with open(sys.argv[1] if len(sys.argv) > 1 else "corpus/small.gguf", "wb") as file:
        file.write(head + bytes(-len(head) % ALIGNMENT) + data)


main()
