# shellcheck shell=bash
# Roots that hold no more than an image does, for the checks beside this file. To be sourced first:
# it starts the check again in a namespace of its own, and whatever is mounted goes with that. The
# compiler looks its own processes up in /proc: that has to be the namespace's.
[ "$(id -u)" = 0 ] || { echo "this check mounts folders and needs root"; exit 1; }
if [ "${1:-}" != --inside ]; then exec unshare --mount-proc --pid --fork "$0" --inside "$@"; fi
shift
mount --make-rprivate /
top=$(cd "$(dirname "$0")/../.." && pwd)
roots=$(mktemp -d)
export DEBIAN_FRONTEND=noninteractive
# The packages that the toolchain's image for Debian 12 installs, and the folder of the toolchain.
# shellcheck disable=SC2034 # read by the checks
toolchain_image="binutils-gold git gnupg2 libc6-dev libcurl4-openssl-dev libedit2 libgcc-12-dev
  libpython3-dev libsqlite3-0 libstdc++-12-dev libxml2-dev libncurses-dev libz3-dev pkg-config tzdata unzip
  zlib1g-dev ca-certificates"
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
close_roots() {
  local root
  for root in "$roots"/*/; do
    umount -R -l "$root"proc "$root"dev "$root"opt/toolchain "$root$top" "$root$toolchain" \
      2>"/dev/null" || true
  done
  # A folder of the machine that is still mounted in a root would be removed with it.
  if grep -qF " $roots/" /proc/self/mountinfo; then
    echo "something is still mounted below $roots, so it is not removed" >&2
    return
  fi
  rm -rf --one-file-system "$roots"
}
trap close_roots EXIT

# clean_root NAME [PACKAGE…]: Debian's smallest base and these packages, in $roots/NAME.
clean_root() {
  local root=$roots/$1
  shift
  mmdebstrap --quiet --variant=minbase ${1:+--include="$(echo "$@" | tr ' ' ',')"} \
    bookworm "$root" /etc/apt/sources.list.d/debian.sources
  open_root "$root"
}

# open_root ROOT: what a container has beside its files.
open_root() {
  rm -f "$1"/etc/apt/sources.list.d/*
  cp -r /etc/apt/. "$1/etc/apt/"
  echo '127.0.0.1 localhost' >"$1/etc/hosts"
  cp /etc/resolv.conf "$1/etc/" 2>"/dev/null" || true
  mount -t proc proc "$1/proc"
  mount --rbind /dev "$1/dev"
}

# inside NAME FOLDER [VARIABLE=VALUE…] COMMAND…: runs it there with nothing of this environment.
inside() {
  local root=$roots/$1 folder=$2
  shift 2
  env -i HOME=/root DEBIAN_FRONTEND=noninteractive \
    PATH=/opt/toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$root" env -C "$folder" "$@" </dev/null
}
