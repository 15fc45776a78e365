#!/usr/bin/env python3
"""Removes the files of a folder from the page cache, so that the next benchmark has free memory.

usage: evict-files.py FOLDER

The files remain on the disk. On a virtual machine, memory that was not used before is far slower to
write to than other memory. Without this script, a benchmark that writes new files would always use
such memory.
"""
import os
import sys

os.sync()
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        file = os.open(os.path.join(folder, name), os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
