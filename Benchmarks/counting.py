"""Counts the instructions of the release program under callgrind, for `count-*`."""
import hashlib
import os
import re
import subprocess
import sys
import tempfile

# The environment is replaced: hashes without a seed, and the loops of the C library and OpenSSL for
# any processor instead of this one.
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LC_ALL": "C",
    "SWIFT_DETERMINISTIC_HASHING": "1",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-ERMS,-FSRM",
    "OPENSSL_ia32cap": "0",
}


def noise(name, size):
    """The same bytes with every version of Python."""
    return hashlib.shake_128(name.encode()).digest(size)


def write(path, data):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def program(arguments):
    """The path of the program, if valgrind can run it."""
    if subprocess.run(["sh", "-c", "command -v valgrind"], stdout=subprocess.DEVNULL).returncode:
        sys.exit("valgrind is not installed: instructions cannot be counted")
    return os.path.realpath(arguments[0])


def count(program, name, arguments, folder, options=(), statuses=(0,)):
    """Runs the program under callgrind; its counts do not depend on addresses in memory."""
    return run(program, name, arguments, folder, "/dev/null", options, statuses)


def count_own(program, name, arguments, folder, options=()):
    """The same without the instructions of shared libraries, whose versions differ."""
    with tempfile.NamedTemporaryFile("r", errors="replace") as profile:
        options = ("--compress-strings=no", "--compress-pos=no", *options)
        run(program, name, arguments, folder, profile.name, options, (0,))
        return own_instructions(profile, program)


def own_instructions(profile, program):
    """The sum of the counts of lines in the object file of the program."""
    own, is_own, is_call = 0, False, False
    for line in profile:
        if line.startswith("ob="):
            is_own = line[3:].strip() == program
        elif line.startswith("calls="):
            # The next line has the counts of the called function, which has its own lines.
            is_call = True
        elif line[:1].isdigit():
            own += int(line.split()[-1]) if is_own and not is_call else 0
            is_call = False
    return own


def run(program, name, arguments, folder, profile, options, statuses):
    """Runs the program under callgrind, and returns the number of its instructions."""
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *options, program]
    run = subprocess.run(
        command + arguments, cwd=folder, env=ENVIRONMENT, text=True, errors="replace",
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode not in statuses or not found:
        sys.exit(f"{name}: exit status {run.returncode} under valgrind\n{run.stderr[-2000:]}")
    return int(found.group(1))
