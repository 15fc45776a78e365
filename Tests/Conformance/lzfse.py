#!/usr/bin/env python3
"""Checks our LZFSE against the reference codec and against lzfse_py.py, in both directions.

    lzfse.py [--cases N] [--corpus PATH...]

Both other codecs must decode our streams, and ours must decode the streams of the reference codec.
The inputs are generated data of many shapes, N seeded random cases, and the files of the corpora.
Without pyliblzfse, only lzfse_py.py is used, with fewer cases, because it is slow.
`make conformance` runs it.
"""
import argparse
import os
import random
import struct
import sys

import lzfse_py
from lzfse_libraries import EFFORTS, Ours, Reference

BLOCK = 1 << 20


def text(rng, count):
    words = [bytes(rng.choices(b"abcdefghijklmnopqrstuvwxyz", k=rng.randint(1, 9))) for _ in range(300)]
    out = bytearray()
    while len(out) < count:
        out += words[rng.randrange(rng.randrange(1, len(words) + 1))] + b" "
    return bytes(out[:count])


def generated(rng):
    """Yields named inputs, each of which is difficult for a part of a codec."""
    yield "empty", b""
    for count in range(1, 41):
        yield f"{count} bytes", rng.randbytes(count)
        yield f"{count} equal bytes", b"x" * count
    for count in (4095, 4096, 4097):
        yield f"text of {count} bytes", text(rng, count)
        yield f"noise of {count} bytes", rng.randbytes(count)
    for period in range(1, 71):
        yield f"period {period}", (rng.randbytes(period) * (6000 // period + 1))[:6000]
    yield "one symbol", b"\x07" * 300_000
    yield "all 256 bytes flat", bytes(i * 167 & 255 for i in range(100_000))
    yield "four symbols", bytes(rng.choices(b"abcd", k=200_000))
    yield "noise", rng.randbytes(200_000)
    part = rng.randbytes(3000)
    for gap in (262_138, 262_139, 262_140, 262_143, 262_144, 262_145):
        yield f"distance {gap}", part + rng.randbytes(gap - len(part)) + part
    yield "text", text(rng, 400_000)
    yield "several MB", text(rng, 2_000_000) + rng.randbytes(500_000) + text(rng, 2_000_000)
    dictionary = rng.randbytes(4000)
    pieces = bytearray(dictionary)
    while len(pieces) < 300_000:
        start = rng.randrange(len(dictionary) - 8)
        pieces += dictionary[start:start + rng.randint(4, 7)]
    yield "short matches", bytes(pieces)


def mixture(seed):
    """Returns random pieces of noise, runs and repetitions."""
    rng = random.Random(seed)
    size = (1 << rng.randrange(16)) + rng.randrange(100)
    alphabet = bytes(range(rng.randint(1, 256)))
    out = bytearray()
    while len(out) < size:
        count = 1 << rng.randrange(10)
        kind = rng.randrange(4)
        if kind == 0 or not out:
            out += bytes(rng.choices(alphabet, k=count))
        elif kind == 1:
            out += bytes([rng.choice(alphabet)]) * count
        else:
            distance = rng.randint(1, len(out))
            unit = bytes(out[-distance:])
            out += (unit * (count // distance + 1))[:count]
    return bytes(out[:size])


def largest_block(stream):
    """Returns the maximum numbers of literals and triplets in a block.

    Decoders reject more than 40000 literals and 10000 triplets.
    """
    place, literals, triplets = 0, 0, 0
    while stream[place:place + 4] != b"bvx$":
        magic, raw = stream[place:place + 4], struct.unpack_from("<I", stream, place + 4)[0]
        if magic == b"bvx-":
            place += 8 + raw
        elif magic == b"bvxn":
            place += 12 + struct.unpack_from("<I", stream, place + 8)[0]
        else:
            a, b, c = struct.unpack_from("<QQQ", stream, place + 8)
            literals = max(literals, a & 0xFFFFF)
            triplets = max(triplets, a >> 40 & 0xFFFFF)
            place += (c & 0xFFFFFFFF) + (a >> 20 & 0xFFFFF) + (b >> 40 & 0xFFFFF)
    return literals, triplets


class Check:
    def __init__(self):
        self.ours = [Ours(effort) for effort in EFFORTS]
        try:
            self.reference = Reference()
        except ImportError as error:
            self.reference = None
            if os.environ.get("CI") == "true":
                sys.exit(f"the reference codec is not available: {error}")
            print(f"*** SKIPPED THE REFERENCE CODEC: {error}")
        self.checked = self.failed = 0
        # The number of inputs of each direction.
        self.tried = {}

    def count(self, direction):
        self.tried[direction] = self.tried.get(direction, 0) + 1

    def fail(self, name, what):
        self.failed += 1
        print(f"FAILED {name}: {what}")

    def __call__(self, name, data, python=True):
        self.checked += 1
        # Inputs that are too small for tables. Rarely, the search misses a byte.
        small = len(data) < 4096 and self.reference
        most = len(self.reference.encode_bytes(data)) if small else None
        for codec in self.ours:
            stream = codec.encode_bytes(data)
            if most and len(stream) > most + 1:
                self.fail(name, f"{codec.name}: {len(stream)} bytes, the reference's has {most}")
            literals, triplets = largest_block(stream)
            if literals > 39_984 or triplets > 9_992:
                self.fail(name, f"{codec.name}: a block of {literals} literals, {triplets} triplets")
            if codec.decode_bytes(stream, len(data)) != data:
                self.fail(name, f"we do not decode our {codec.name}")
            self.count(f"our {codec.name} to us")
            if self.reference:
                self.count(f"our {codec.name} to the reference")
            if python:
                self.count(f"our {codec.name} to lzfse_py")
            if self.reference and self.reference.decode_bytes(stream, len(data)) != data:
                self.fail(name, f"the reference does not decode our {codec.name}")
            if python and lzfse_py.decode(stream) != (data, len(stream)):
                self.fail(name, f"lzfse_py does not decode our {codec.name}")
        encoders = [("lzfse_py", lzfse_py.encode)] if python else []
        if self.reference:
            encoders.append(("the reference", self.reference.encode_bytes))
        for encoder, encode in encoders:
            self.count(f"{encoder} to us")
            if self.ours[0].decode_bytes(encode(data), len(data)) != data:
                self.fail(name, f"we do not decode what {encoder} encodes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--corpus", nargs="*", default=[], help="files or folders")
    options = parser.parse_args()
    check = Check()
    for name, data in generated(random.Random(1)):
        check(name, data, python=len(data) <= 10_000)
    cases = options.cases if check.reference else min(options.cases, 300)
    for seed in range(cases):
        check(f"case {seed}", mixture(seed), python=seed % 50 == 0)
    for top in options.corpus:
        files = [top] if os.path.isfile(top) else sorted(
            os.path.join(folder, file) for folder, _, names in os.walk(top) for file in names)
        for path in files:
            with open(path, "rb") as file:
                for index, block in enumerate(iter(lambda: file.read(BLOCK), b"")):
                    check(f"{path}, block {index}", block, python=False)
    print(f"{check.checked} inputs, {check.failed} failures; from one codec to another:")
    for direction, count in check.tried.items():
        print(f"  {direction:<28} {count:>7}")
    sys.exit(1 if check.failed else 0)


if __name__ == "__main__":
    main()
