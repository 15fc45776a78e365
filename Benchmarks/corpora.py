"""The input of the benchmarks: files of Debian's game packages, joined in path order."""
import os

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
PACKAGES = ["supertuxkart-data", "wesnoth-1.16-data"]
COMPRESSIBLE = (".spm", ".xml", ".cfg", ".po", ".mo", ".lua", ".wav", ".ttf", ".html")
BLOCK = 1 << 20


def cache():
    return os.environ.get("BENCH_CACHE", os.path.join(ROOT, ".cache"))


def paths(name):
    """a: all files; b: the compressible ones; otherwise a path of a file or folder."""
    if name not in ("a", "b"):
        if os.path.isfile(name):
            return [name]
        tops, suffixes = [name], ("",)
    else:
        tops = [os.path.join(cache(), "corpora", package) for package in PACKAGES]
        suffixes = COMPRESSIBLE if name == "b" else ("",)
    found = []
    for top in tops:
        if not os.path.isdir(top):
            raise SystemExit(f"no corpus in {top}: run Benchmarks/fetch-corpora.sh")
        for folder, _, files in os.walk(top):
            found += [os.path.join(folder, f) for f in files if f.endswith(suffixes)]
    return sorted(found)


def blocks(name, every=1):
    """Blocks of 1 MiB of the joined files; with `every` = n, only one in n."""
    pending, index = bytearray(), 0
    for path in paths(name):
        with open(path, "rb") as file:
            pending += file.read()
        while len(pending) >= BLOCK:
            if index % every == 0:
                yield bytes(pending[:BLOCK])
            index += 1
            del pending[:BLOCK]
    if pending and index % every == 0:
        yield bytes(pending)
