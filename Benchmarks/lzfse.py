#!/usr/bin/env python3
"""Measures the LZFSE codec of this package: size and speed, in turn with the reference codec, with
Zstandard, and with libdeflate.

    lzfse.py [--corpus a|b|PATH] [--every N] [--rounds N] [--codecs NAME,...]

All codecs are called through ctypes, with the same memory, alternately, for each block of 1 MiB.
The thread's processor time is compared; the fastest of several rounds counts, block by block.
`make bench` builds the library, downloads the corpora and installs pyliblzfse.
"""
import argparse
import ctypes
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Tests", "Conformance"))
from corpora import BLOCK, blocks  # noqa: E402
from lzfse_libraries import EFFORTS, Codec, Ours, Reference, _pointer  # noqa: E402


def library(name, functions):
    """A C library whose functions have these result and argument types."""
    loaded = ctypes.CDLL(name)
    for function, (result, arguments) in functions.items():
        getattr(loaded, function).restype = result
        getattr(loaded, function).argtypes = arguments
    return loaded


SIZE, POINTER = ctypes.c_size_t, ctypes.c_void_p
BUFFERS = [POINTER, SIZE, POINTER, SIZE]


class Zstandard(Codec):
    def __init__(self, level):
        self.name, self.level = f"zstd {level}", level
        self._library = library("libzstd.so.1", {
            "ZSTD_createCCtx": (POINTER, []), "ZSTD_createDCtx": (POINTER, []),
            "ZSTD_compressCCtx": (SIZE, [POINTER] + BUFFERS + [ctypes.c_int]),
            "ZSTD_decompressDCtx": (SIZE, [POINTER] + BUFFERS),
            "ZSTD_isError": (ctypes.c_uint, [SIZE])})
        self._encoder = self._library.ZSTD_createCCtx()
        self._decoder = self._library.ZSTD_createDCtx()

    def _size(self, result):
        return 0 if self._library.ZSTD_isError(result) else result

    def encode(self, target, capacity, source, count):
        return self._size(self._library.ZSTD_compressCCtx(
            self._encoder, _pointer(target), capacity, _pointer(source), count, self.level))

    def decode(self, target, capacity, source, count):
        return self._size(self._library.ZSTD_decompressDCtx(
            self._decoder, _pointer(target), capacity, _pointer(source), count))


class Deflate(Codec):
    def __init__(self, level):
        self.name = f"libdeflate {level}"
        self._library = library("libdeflate.so.0", {
            "libdeflate_alloc_compressor": (POINTER, [ctypes.c_int]),
            "libdeflate_alloc_decompressor": (POINTER, []),
            "libdeflate_deflate_compress": (SIZE, [POINTER, POINTER, SIZE, POINTER, SIZE]),
            "libdeflate_deflate_decompress": (
                ctypes.c_int, [POINTER, POINTER, SIZE, POINTER, SIZE, POINTER])})
        self._encoder = self._library.libdeflate_alloc_compressor(level)
        self._decoder = self._library.libdeflate_alloc_decompressor()

    def encode(self, target, capacity, source, count):
        return self._library.libdeflate_deflate_compress(
            self._encoder, _pointer(source), count, _pointer(target), capacity)

    def decode(self, target, capacity, source, count):
        size = SIZE()
        failed = self._library.libdeflate_deflate_decompress(
            self._decoder, _pointer(source), count, _pointer(target), capacity, ctypes.byref(size))
        return -1 if failed else size.value


CODECS = {
    "reference": Reference, **{effort: lambda effort=effort: Ours(effort) for effort in EFFORTS},
    **{f"zstd-{level}": lambda level=level: Zstandard(level) for level in (3, 9, 12, 16, 19)},
    **{f"libdeflate-{level}": lambda level=level: Deflate(level) for level in (6, 12)},
}
# One run of these is sufficient.
SLOW = {"best", "zstd 16", "zstd 19", "libdeflate 12"}


class Tally:
    """The totals of one codec for all blocks."""

    def __init__(self, codec):
        self.codec = codec
        self.size = 0
        self.encoding = 0
        self.decoding = 0
        self.foreign_decoding = None


def fastest(rounds, calls):
    """The fastest time of each call in alternating runs, and their last results."""
    best, results = [1 << 62] * len(calls), [0] * len(calls)
    for _ in range(rounds):
        for index, call in enumerate(calls):
            start = time.thread_time_ns()
            results[index] = call()
            best[index] = min(best[index], time.thread_time_ns() - start)
    return best, results


def measure(corpus, every, rounds, names):
    source = ctypes.create_string_buffer(BLOCK)
    back = ctypes.create_string_buffer(BLOCK)
    tallies = [Tally(CODECS[name]()) for name in names]
    # A block of noise grows by up to 200 bytes.
    streams = [ctypes.create_string_buffer(BLOCK + 1024) for _ in tallies]
    ours = next((t.codec for t in tallies if isinstance(t.codec, Ours)), None)
    total = 0
    for block in blocks(corpus, every):
        count = len(block)
        ctypes.memmove(source, block, count)
        total += count

        def encoding(places):
            return [lambda t=tallies[i], s=streams[i]: t.codec.encode(s, len(s), source, count)
                    for i in places]

        times, sizes = fastest(1, encoding(range(len(tallies))))
        quick = [i for i, t in enumerate(tallies) if t.codec.name not in SLOW]
        again, _ = fastest(rounds - 1, encoding(quick))
        for index, nanoseconds in zip(quick, again):
            times[index] = min(times[index], nanoseconds)
        for tally, size, nanoseconds in zip(tallies, sizes, times):
            # A block that does not become smaller is stored.
            tally.size += min(size or count, count)
            tally.encoding += nanoseconds

        # Each codec reads its own stream, and this one also reads the stream of the reference.
        calls, places = [], []
        for index, (tally, stream, size) in enumerate(zip(tallies, streams, sizes)):
            if tally.codec.decode(back, count, stream, size) != count or back.raw[:count] != block:
                raise SystemExit(f"{tally.codec.name} does not decode a block")
            calls.append(lambda c=tally.codec, s=stream, n=size: c.decode(back, count, s, n))
            places.append((index, "decoding"))
            if ours and isinstance(tally.codec, Reference):
                calls.append(lambda s=stream, n=size: ours.decode(back, count, s, n))
                places.append((index, "foreign_decoding"))
        times, _ = fastest(rounds, calls)
        for (index, figure), nanoseconds in zip(places, times):
            setattr(tallies[index], figure, (getattr(tallies[index], figure) or 0) + nanoseconds)
    return total, tallies


def report(corpus, total, tallies):
    first = tallies[0]
    print(f"\nCorpus {corpus}: {total / 1e6:.1f} MB in blocks of 1 MiB, one thread.\n")
    print(f"| codec | size / input | size / {first.codec.name} | encoding MB/s |"
          f" times {first.codec.name} | decoding MB/s | this decoder, the same streams |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for tally in tallies:
        rate = lambda nanoseconds: f"{total * 1e3 / nanoseconds:.1f}" if nanoseconds else "–"
        print(f"| {tally.codec.name} | {tally.size / total:.4f} | {tally.size / first.size:.4f} |"
              f" {rate(tally.encoding)} | {first.encoding / tally.encoding:.2f} |"
              f" {rate(tally.decoding)} | {rate(tally.foreign_decoding)} |")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", action="append", help="a, b (default) or a path")
    parser.add_argument("--every", type=int, default=1, help="take one in so many blocks")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--codecs", default=",".join(CODECS), help="the first one is the measure")
    options = parser.parse_args()
    for corpus in options.corpus or ["b"]:
        report(corpus, *measure(corpus, options.every, options.rounds, options.codecs.split(",")))


if __name__ == "__main__":
    main()
