#!/usr/bin/env python3
"""Writes Tests/Formats/LZFSETests/Vectors.swift: small streams of the reference encoder, which are also
seeds of the fuzz target (Tests/Corpus/lzfse-decode).

The Swift tests compute the same inputs, so only the streams are stored. Encoders do not write
`bvx1`; it is converted from the reference's `bvx2` by writing its tables uncompressed.
"""
import base64
import os
import struct

import lzfse_py
from lzfse_libraries import Reference


def settings(count):
    lines = b"".join(b"item.%d = %d;\n" % (i, i * i % 97) for i in range(count))
    return lines


def noise(count):
    state, out = 1, bytearray()
    for _ in range(count):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(state >> 16 & 0xFF)
    return bytes(out)


def plain_tables(stream):
    """A bvx2 stream of one block as bvx1."""
    assert stream[:4] == b"bvx2" and stream[-4:] == b"bvx$"
    raw, a, b, c = struct.unpack_from("<IQQQ", stream, 4)
    field = lambda value, offset, width: value >> offset & (1 << width) - 1
    size = field(c, 0, 32)
    frequencies = lzfse_py.read_freqs(stream[32:size])
    literal_payload, triplet_payload = field(a, 20, 20), field(b, 40, 20)
    header = struct.pack(
        "<4sIIIIIIi4HiHHH", b"bvx1", raw, literal_payload + triplet_payload, field(a, 0, 20),
        field(a, 40, 20), literal_payload, triplet_payload, field(a, 60, 3) - 7,
        *(field(b, 10 * i, 10) for i in range(4)), field(b, 60, 3) - 7,
        field(c, 32, 10), field(c, 42, 10), field(c, 52, 10))
    return header + struct.pack("<360H", *frequencies) + bytes(2) + stream[size:]


def main():
    reference = Reference()
    long = reference.encode_bytes(settings(300))
    vectors = [
        ("empty", b"", reference.encode_bytes(b"")),
        ("stored", noise(7), reference.encode_bytes(noise(7))),
        ("storedNoise", noise(5000)[:64], reference.encode_bytes(noise(5000)[:64])),
        ("vn", settings(20), reference.encode_bytes(settings(20))),
        ("entropy", settings(300), long),
        ("plain", settings(300), plain_tables(long)),
        ("oneSymbol", b"\x07" * 5000, reference.encode_bytes(b"\x07" * 5000)),
    ]
    tests = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    seeds = os.path.join(tests, "Corpus", "lzfse-decode")
    os.makedirs(seeds, exist_ok=True)
    out = [
        "// Written by Tests/Conformance/make_lzfse_vectors.py: streams of the reference encoder.",
        "",
        "enum Vectors {",
    ]
    for name, data, stream in vectors:
        assert lzfse_py.decode(stream)[0] == data, name
        with open(os.path.join(seeds, name + ".lzfse"), "wb") as file:
            file.write(stream)
        text = base64.b64encode(stream).decode()
        lines = [text[i:i + 92] for i in range(0, len(text), 92)]
        out.append(f"  static let {name} = \"\"\"")
        out += ["    " + line + "\\" for line in lines[:-1]] + ["    " + lines[-1], '    """', ""]
    out[-1] = "}"
    with open(os.path.join(tests, "LZFSETests", "Vectors.swift"), "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
