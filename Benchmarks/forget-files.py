#!/usr/bin/env python3
"""Removes the files of a folder from the page cache, so that the next benchmark has free memory.

usage: forget-files.py FOLDER

What was written stays on the disk. On a virtual machine, memory that was never used before is far
slower to write to than memory that was, and whoever writes to new files each time would always get
the former.
"""
import os
import sys

os.sync()
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        file = os.open(os.path.join(folder, name), os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
