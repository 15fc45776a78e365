#!/bin/sh
# Downloads the game data of the benchmarks: Debian packages, unpacked, without symbolic links.
# Existing data is kept.
#
#   fetch-corpora.sh [PACKAGE...]      default: all three
#
# The folder is $BENCH_CACHE, or .cache in the checkout. Prints only errors and the names of
# downloads. Each package is unpacked into $BENCH_CACHE/corpora/PACKAGE.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
corpora=${BENCH_CACHE:-$root/.cache}/corpora
mkdir -p "$corpora"
cd "$corpora"

[ $# -gt 0 ] || set -- supertuxkart-data wesnoth-1.16-data warzone2100-data
for package in "$@"; do
  [ ! -d "$package" ] || continue
  if ! ls "$package"_*.deb >/dev/null 2>&1; then
    echo "fetching $package" >&2
    apt-get -q -q -o APT::Sandbox::User="$(id -un)" download "$package"
  fi
  rm -rf "$package.part"
  dpkg-deb -x "$package"_*.deb "$package.part"
  find "$package.part" -type l -delete
  mv "$package.part" "$package"
done
