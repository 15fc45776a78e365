# shellcheck shell=bash
# Roots like container images, for the checks in this folder. Source this file first: it restarts
# the check in a separate namespace, whose mounts end with it. The compiler reads its
# processes from /proc, which must be that of the namespace.
[ "$(id -u)" = 0 ] || { echo "this check mounts folders and needs root"; exit 1; }
if [ "${1:-}" != --inside ]; then exec unshare --mount-proc --pid --fork "$0" --inside "$@"; fi
shift
mount --make-rprivate /
top=$(cd "$(dirname "$0")/../.." && pwd)
roots=$(mktemp -d)
export DEBIAN_FRONTEND=noninteractive
# The packages of the toolchain's image for Debian 12, and the folder of the toolchain.
# shellcheck disable=SC2034 # used by the checks
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
    echo "$roots is not removed, because a folder is still mounted below it" >&2
    return
  fi
  rm -rf --one-file-system "$roots"
}
trap close_roots EXIT

# clean_root NAME [PACKAGE…]: Debian's minimal base and these packages, in $roots/NAME.
clean_root() {
  local root=$roots/$1
  shift
  mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Retries "5"' ${1:+--include="$(echo "$@" | tr ' ' ',')"} \
    bookworm "$root" /etc/apt/sources.list.d/debian.sources
  open_root "$root"
}

# open_root ROOT: mounts the devices and file systems of a container.
open_root() {
  rm -f "$1"/etc/apt/sources.list.d/*
  cp -r /etc/apt/. "$1/etc/apt/"
  echo 'Acquire::Retries "5";' >"$1/etc/apt/apt.conf.d/99retries"
  echo '127.0.0.1 localhost' >"$1/etc/hosts"
  cp /etc/resolv.conf "$1/etc/" 2>"/dev/null" || true
  mount -t proc proc "$1/proc"
  mount --rbind /dev "$1/dev"
}

# inside NAME FOLDER [VARIABLE=VALUE…] COMMAND…: runs a command there with an empty environment.
inside() {
  local root=$roots/$1 folder=$2
  shift 2
  env -i HOME=/root DEBIAN_FRONTEND=noninteractive \
    PATH=/opt/toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$root" env -C "$folder" "$@" </dev/null
}
