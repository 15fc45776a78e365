#!/usr/bin/env python3
"""Packs or reads a folder's files in 1 MiB blocks with the reference LZFSE codec (PyPI:
pyliblzfse).

usage: reference-lzfse.py pack FOLDER OUTPUT      on all cores, stored when not smaller
       reference-lzfse.py read PACKED SECONDS     on one core, decodes every block and drops it
       reference-lzfse.py unpack PACKED SECONDS   the same, and writes all to PACKED.raw

The duration without the start of the interpreter is written to the file SECONDS.

The codec is called through ctypes with buffers of the correct size, because the functions of the
module guess sizes and encode repeatedly, which would distort the comparison.
"""
import ctypes
import mmap
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
    function.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
codec.lzfse_encode_scratch_size.restype = ctypes.c_size_t
output = ctypes.create_string_buffer(BLOCK + 4096)
scratch = ctypes.create_string_buffer(codec.lzfse_encode_scratch_size())


def files_of(folder):
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield os.path.join(path, name)


def blocks_of(folder):
    """The parts of files in each block of the output, as path, offset and size."""
    block, size = [], 0
    for path in files_of(folder):
        offset, left = 0, os.path.getsize(path)
        while left:
            count = min(left, BLOCK - size)
            block.append((path, offset, count))
            size, offset, left = size + count, offset + count, left - count
            if size == BLOCK:
                yield block
                block, size = [], 0
    if block:
        yield block


def work(worker, workers, blocks, slots, sizes, free, done):
    """Encodes every `workers`-th block from its files into shared memory."""
    raw = bytearray(BLOCK)
    view, address = memoryview(raw), (ctypes.c_char * BLOCK).from_buffer(raw)
    last, file = None, None
    for index in range(worker, len(blocks), workers):
        size = 0
        for path, offset, count in blocks[index]:
            if path != last:
                if file:
                    os.close(file)
                last, file = path, os.open(path, os.O_RDONLY)
            while count:
                part = os.preadv(file, [view[size:size + count]], offset)
                size, offset, count = size + part, offset + part, count - part
        slot = index % len(free)
        free[slot].acquire()
        target = (ctypes.c_char * BLOCK).from_buffer(slots, slot * BLOCK)
        stored = codec.lzfse_encode_buffer(target, size - 1, address, size, scratch)
        if not stored:
            stored = size
            slots[slot * BLOCK:slot * BLOCK + size] = view[:size]
        sizes[2 * slot], sizes[2 * slot + 1] = size, stored
        done[slot].release()


def pack(folder, target):
    blocks = list(blocks_of(folder))
    workers = os.cpu_count()
    count = 4 * workers
    slots = mmap.mmap(-1, count * BLOCK)
    sizes = multiprocessing.RawArray(ctypes.c_uint64, 2 * count)
    free = [multiprocessing.Semaphore(1) for _ in range(count)]
    done = [multiprocessing.Semaphore(0) for _ in range(count)]
    started = multiprocessing.get_context("fork")
    processes = [
        started.Process(target=work, args=(n, workers, blocks, slots, sizes, free, done))
        for n in range(workers)]
    for process in processes:
        process.start()
    view = memoryview(slots)
    with open(target, "wb", buffering=0) as file:
        file.write(b"pbze" + struct.pack(">Q", BLOCK))
        for index in range(len(blocks)):
            slot = index % count
            done[slot].acquire()
            raw, stored = sizes[2 * slot], sizes[2 * slot + 1]
            block = view[slot * BLOCK:slot * BLOCK + stored]
            os.writev(file.fileno(), [struct.pack(">QQ", raw, stored), block])
            free[slot].release()
    for process in processes:
        process.join()


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
