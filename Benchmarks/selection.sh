#!/bin/bash
# How long it takes to find the files of a pack, against `find` on the same tree in the same run.
#
#   Benchmarks/selection.sh <ba-package> [folder for the trees]
#
# Asserts what is stable: 100,000 files in 1,000 folders within 1.5 times the time of find and below
# 100 MiB, and a cost for each file that does not grow with their number.
set -eu
program=$(realpath "$1")
work=${2:-$(mktemp -d)}
[ $# -ge 2 ] || trap 'rm -rf "$work"' EXIT

# A tree of $2 folders with $3 empty files each, below $1.
make_tree() {
  [ -d "$1" ] && return
  python3 - "$1" "$2" "$3" <<'PY'
import os, sys
root, folders, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for folder in range(folders):
    path = f"{root}/group-{folder // 32:03d}/folder-{folder:05d}"
    os.makedirs(path)
    for number in range(files):
        os.close(os.open(f"{path}/asset-{number:04d}.bin", os.O_CREAT | os.O_WRONLY))
PY
  printf '%s' '{"assetPackID": "Bench", "downloadPolicy": {"onDemand": {}}, "platforms": [],
    "fileSelectors": [{"directory": "."}]}' > "$1.json"
}

# The fastest of several runs, in milliseconds, and the peak memory in KiB.
measure() {
  python3 - "$@" <<'PY'
import os, subprocess, sys, time
best, peak = None, 0
for _ in range(7):
    start = time.perf_counter()
    child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    elapsed = (time.perf_counter() - start) * 1000
    if status != 0: sys.exit(f"{sys.argv[1]} failed")
    best = elapsed if best is None else min(best, elapsed)
    peak = max(peak, usage.ru_maxrss)
print(f"{best:.1f} {peak}")
PY
}

failed=0
printf '%10s %10s %12s %8s %10s %14s\n' files find evaluate ratio memory "us a file"
for folders in 10 1000 ${SELECTION_LARGE:+10000}; do
  count=$((folders * 100))
  make_tree "$work/tree-$folders" "$folders" 100
  read -r find _ < <(measure find "$work/tree-$folders" -type f -printf '%s %p\n')
  read -r own memory < <(measure "$program" evaluate "$work/tree-$folders.json" \
    --source-root "$work/tree-$folders")
  awk -v n="$count" -v f="$find" -v o="$own" -v m="$memory" 'BEGIN {
    printf "%10d %7.1f ms %9.1f ms %8.2f %6.1f MiB %14.2f\n", n, f, o, o / f, m / 1024, o * 1000 / n
    exit n == 100000 && (o > 1.5 * f || m > 100 * 1024) }' || failed=1
done
[ $failed = 0 ] || { echo "selection: slower than 1.5 times find, or above 100 MiB"; exit 1; }
