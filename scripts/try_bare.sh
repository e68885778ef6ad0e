#!/usr/bin/env bash
# The first two commands of README on a bare Debian 12: `try_bare.sh [FOLDER]`, as root, where mmdebstrap
# is installed. In a new root (in FOLDER, else under TMPDIR; it is removed at the end) stands what Debian
# calls essential, and apt with the sources of this machine. There it does what Containerfile says: git
# and make are installed, HEAD is cloned with nothing beside it, `make demo`; then `make test`, and `make
# demo` again, which has nothing to do. Prints the seconds of each step; ends with 0 if all is well, 2 if
# it cannot begin.
set -euo pipefail
cd "$(dirname "$0")/.."

[ "$(id -u)" = 0 ] || { echo "try_bare.sh: chroot needs root" >&2 && exit 2; }
command -v mmdebstrap >/dev/null ||
    { echo "try_bare.sh: run first: apt-get install -y --no-install-recommends mmdebstrap" >&2 && exit 2; }
place=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/bare-XXXXXX")
bare=$place/root

finish() {
    local path
    for path in dev/pts dev proc; do
        ! mountpoint -q "$bare/$path" || umount "$bare/$path" || umount --lazy "$bare/$path"
    done
    mountpoint -q "$bare/dev" || mountpoint -q "$bare/proc" || rm -rf --one-file-system "$place"
}
trap finish EXIT
trap 'exit 1' INT TERM

# step NAME COMMAND...: its output is shown where it fails, or where it is one of ours
step() {
    local name=$1 start=$SECONDS status=0
    shift
    case $name in
    make*) "$@" 2>&1 | tee "$place/log" || status=$? ;;
    *) "$@" >"$place/log" 2>&1 || { status=$? && tail -n 30 "$place/log"; } ;;
    esac
    printf '%-32.32s %5d s   %s\n' "$name" $((SECONDS - start)) "$([ $status = 0 ] && echo "done" || echo FAILED)"
    return $status
}

make_root() {
    local sources=()
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
        [ ! -s "$file" ] || sources+=("$file")
    done
    apt-config dump | grep -E '^Acquire::(http|https|Retries|Check-Valid-Until)\b' >"$place/apt.conf" || true
    mmdebstrap --variant=minbase --aptopt="$place/apt.conf" bookworm "$bare" "${sources[@]}" &&
        mount -t proc proc "$bare/proc" && mount --bind /dev "$bare/dev" &&
        mount --bind /dev/pts "$bare/dev/pts" &&
        cp /etc/resolv.conf "$bare/etc/resolv.conf" && git clone --quiet --bare . "$bare/graze.git"
}

# Proxies of this machine are those of the new root; nothing else of its environment is.
inside() {
    local settings=(HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 ${CI:+CI="$CI"}) name
    for name in http_proxy https_proxy no_proxy; do
        [ -z "${!name:-}" ] || settings+=("$name=${!name}")
    done
    env -i "${settings[@]}" chroot "$bare" /bin/sh -ec "$1" </dev/null
}

step "a bare Debian" make_root
where=/
while read -r -u 3 word line; do
    case $word in
    RUN) name=${line##*&& } && step "${name/install*recommends/install}" inside "cd $where && $line" ;;
    COPY) step "git clone" inside "git clone --quiet /graze.git ${line##* }" ;;
    WORKDIR) where=$line ;;
    esac
done 3<Containerfile
step "make test" inside "cd $where && make test"
step "make demo, again" inside "cd $where && make demo"
