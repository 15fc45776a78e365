#!/usr/bin/env python3
"""Measures the LZFSE codec of this package and the reference codec: size, and speed.

    lzfse.py [--corpus a|b|PATH] [--every N] [--rounds N] [--efforts fast,default,best]

Both codecs are called through ctypes, with the same memory, alternately, for each block of 1 MiB.
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
from lzfse_libraries import EFFORTS, Ours, Reference  # noqa: E402


class Tally:
    """The totals of one codec for all blocks."""

    def __init__(self, codec):
        self.codec = codec
        self.size = 0
        self.encoding = 0
        self.decoding = 0
        self.foreign_decoding = 0


def fastest(rounds, calls):
    """The fastest time of each call in alternating runs, and their last results."""
    best, results = [1 << 62] * len(calls), [0] * len(calls)
    for _ in range(rounds):
        for index, call in enumerate(calls):
            start = time.thread_time_ns()
            results[index] = call()
            best[index] = min(best[index], time.thread_time_ns() - start)
    return best, results


def measure(corpus, every, rounds, efforts):
    source = ctypes.create_string_buffer(BLOCK)
    back = ctypes.create_string_buffer(BLOCK)
    tallies = [Tally(Reference())] + [Tally(Ours(effort)) for effort in efforts]
    streams = [ctypes.create_string_buffer(BLOCK + 64) for _ in tallies]
    total = 0
    for block in blocks(corpus, every):
        count = len(block)
        ctypes.memmove(source, block, count)
        total += count

        # 'best' is slow, and one run of it is sufficient.
        times, sizes = fastest(1, [
            lambda t=t, s=s: t.codec.encode(s, len(s), source, count)
            for t, s in zip(tallies, streams)])
        if rounds > 1:
            quick = [i for i, t in enumerate(tallies) if t.codec.name != "best"]
            again, _ = fastest(rounds - 1, [
                lambda t=tallies[i], s=streams[i]: t.codec.encode(s, len(s), source, count)
                for i in quick])
            for index, seconds in zip(quick, again):
                times[index] = min(times[index], seconds)
        for tally, size, seconds in zip(tallies, sizes, times):
            tally.size += size or count
            tally.encoding += seconds

        # Decoding: each codec reads its own stream, and this one also reads the stream of the
        # reference.
        def decode(codec, stream, size):
            if codec.decode(back, count, stream, size) != count or back.raw[:count] != block:
                raise SystemExit(f"{codec.name} does not decode a block")

        for tally, stream, size in zip(tallies, streams, sizes):
            decode(tally.codec, stream, size)
        readable = [t.codec for t in tallies]
        reference, ours = readable[0], readable[1]
        calls = []
        for stream, size in zip(streams, sizes):
            for codec in (reference, ours):
                calls.append(lambda c=codec, s=stream, n=size: c.decode(back, count, s, n))
        times, _ = fastest(rounds, calls)
        for index, tally in enumerate(tallies):
            tally.foreign_decoding += times[2 * index]
            tally.decoding += times[2 * index + 1]
    return total, tallies


def report(corpus, total, tallies):
    reference = tallies[0]
    print(f"corpus {corpus}: {total / 1e6:.1f} MB in blocks of 1 MiB, one thread")
    print("streams of      size    against |  encode           | our decoder   the reference's   ratio")
    print("                of in   ref.    |  MB/s    against  | MB/s          MB/s")
    for tally in tallies:
        rate = lambda nanoseconds: total * 1e3 / nanoseconds
        print(
            f"{tally.codec.name:12} {tally.size / total:8.4f} {tally.size / reference.size:8.4f} |"
            f" {rate(tally.encoding):6.1f} {reference.encoding / tally.encoding:7.2f}x  |"
            f" {rate(tally.decoding):8.1f}      {rate(tally.foreign_decoding):8.1f}"
            f"        {tally.foreign_decoding / tally.decoding:6.2f}x")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", action="append", help="a, b (default) or a path")
    parser.add_argument("--every", type=int, default=1, help="take one in so many blocks")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--efforts", default=",".join(EFFORTS))
    options = parser.parse_args()
    for corpus in options.corpus or ["b"]:
        report(corpus, *measure(corpus, options.every, options.rounds, options.efforts.split(",")))


if __name__ == "__main__":
    main()
