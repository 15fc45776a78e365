#!/usr/bin/env python3
"""Packs or reads a folder's files in 1 MiB blocks with the reference LZFSE codec (PyPI: pyliblzfse).

usage: reference-lzfse.py pack FOLDER OUTPUT      on all cores, stored when not smaller
       reference-lzfse.py read PACKED SECONDS     on one core, decodes every block and drops it
       reference-lzfse.py unpack PACKED SECONDS   the same, and writes all to PACKED.raw

SECONDS is a file that gets the time it took, without the start of the interpreter.

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


def decoded(file):
    packed = bytearray(BLOCK)
    view, address = memoryview(packed), (ctypes.c_char * BLOCK).from_buffer(packed)
    file.seek(12)
    while header := file.read(16):
        raw, stored = struct.unpack(">QQ", header)
        assert file.readinto(view[:stored]) == stored
        if raw == stored:
            yield view[:raw]
            continue
        assert codec.lzfse_decode_buffer(output, raw, address, stored, scratch) == raw
        yield memoryview(output)[:raw]


def read(source, seconds, target=os.devnull):
    begin = time.perf_counter()
    with open(source, "rb", buffering=0) as file, open(target, "wb", buffering=0) as result:
        for block in decoded(file):
            result.write(block)
    with open(seconds, "w") as file:
        file.write(str(time.perf_counter() - begin))


def unpack(source, seconds):
    read(source, seconds, source + ".raw")


if __name__ == "__main__":
    {"pack": pack, "read": read, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])
