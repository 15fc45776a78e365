#!/usr/bin/env python3
"""Packs or reads a folder's files in 1 MiB blocks with the reference LZFSE codec (PyPI: pyliblzfse).

usage: reference-lzfse.py pack FOLDER OUTPUT      on all cores, stored when not smaller
       reference-lzfse.py unpack PACKED           on one core, in memory; prints the seconds it took

The codec is called through ctypes with buffers of the right size: the module's own functions guess
sizes and work repeatedly, which would flatter whoever is compared with them.
"""
import ctypes
import multiprocessing
import os
import struct
import sys
import time

import liblzfse

BLOCK = 1 << 20
codec = ctypes.CDLL(liblzfse.__file__)
for function in (codec.lzfse_encode_buffer, codec.lzfse_decode_buffer):
    function.restype = ctypes.c_size_t
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p]
codec.lzfse_encode_scratch_size.restype = ctypes.c_size_t
output = ctypes.create_string_buffer(BLOCK + 4096)
scratch = ctypes.create_string_buffer(codec.lzfse_encode_scratch_size())


def files_of(folder):
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield os.path.join(path, name)


def blocks_of(folder):
    rest = bytearray()
    for path in files_of(folder):
        with open(path, "rb") as file:
            while part := file.read(BLOCK - len(rest)):
                rest += part
                if len(rest) == BLOCK:
                    yield bytes(rest)
                    rest.clear()
    if rest:
        yield bytes(rest)


def encode(block):
    size = codec.lzfse_encode_buffer(output, len(block) - 1, block, len(block), scratch)
    return len(block), ctypes.string_at(output, size) if size else block


def pack(folder, target):
    # Forked before any thread exists; a bounded number of blocks is under way.
    with multiprocessing.Pool(os.cpu_count()) as pool, open(target, "wb") as file:
        file.write(b"pbze" + struct.pack(">Q", BLOCK))
        for raw, stored in pool.imap(encode, blocks_of(folder), chunksize=4):
            file.write(struct.pack(">QQ", raw, len(stored)))
            file.write(stored)


def unpack(source):
    with open(source, "rb") as file:
        packed = file.read()
    begin, place, seconds = 0, 12, time.perf_counter()
    while place < len(packed):
        raw, stored = struct.unpack_from(">QQ", packed, place)
        body = packed[place + 16:place + 16 + stored]
        if raw != stored:
            size = codec.lzfse_decode_buffer(output, raw, body, stored, scratch)
            assert size == raw, (place, size, raw)
        begin += raw
        place += 16 + stored
    print(time.perf_counter() - seconds, begin)


if __name__ == "__main__":
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])
