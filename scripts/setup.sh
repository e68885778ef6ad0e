#!/usr/bin/env bash
# Installs the packages that are missing: `setup.sh build` for the library and the command, `setup.sh
# all` also for every part of them that needs a library of its own, `setup.sh web` for the package of
# the web, `setup.sh test` for `make test`, `setup.sh test-all` for `make test-all`, `setup.sh nightly`
# for everything. Needs root or sudo only if something is missing; without either it prints the line to
# run and exits with 2. On a system without apt it leaves the finding to CMake.
set -euo pipefail

# package, and the program that shows it is there however it was installed ("-": ask dpkg)
build_packages='
gcc            gcc
libc6-dev      -
make           make
cmake          cmake
ninja-build    ninja
pkg-config     pkg-config
libcjson-dev   -
'
# the parts that need somebody else's library: compressed glTF; vibration modes and compression of
# clips; ODE; SQLite; and what CUDA kernels are made with
all_packages='
g++                    g++
clang-14               clang-14
libmeshoptimizer-dev   -
libdraco-dev           -
libarpack2-dev         -
libsuitesparse-dev     -
liblapacke-dev         -
libode-dev             -
libsqlite3-dev         -
'
# compressed files of other people's programs, the checks, numbers with a comma
test_packages='
gltfpack               gltfpack
draco                  draco_transcoder
binutils               nm
clang-format           clang-format
locales                -
'
# other compilers and their sanitizers, other people's answers, other machines, a browser
test_all_packages='
clang                  clang
clang-tidy             clang-tidy
libclang-rt-14-dev     -
libcgal-dev            -
libembree-dev          -
gcc-aarch64-linux-gnu  aarch64-linux-gnu-gcc
libc6-dev-arm64-cross  -
qemu-user              qemu-aarch64
gcc-i686-linux-gnu     i686-linux-gnu-gcc
libc6-dev-i386-cross   -
musl-tools             musl-gcc
gcc-mingw-w64-x86-64   x86_64-w64-mingw32-gcc
wine64                 -
chromium               chromium
'
# schedulers that share an audit
nightly_packages='
slurm-wlm              slurmctld
munge                  munged
python3-distributed    -
'
web_packages='
clang-14                   clang-14
lld-14                     wasm-ld-14
binaryen                   wasm-opt
llvm-14                    llvm-ar-14
wasi-libc                  -
libclang-rt-14-dev-wasm32  -
nodejs                     node
npm                        npm
'

is_installed() {
    local package=$1 program=$2
    { [ "$program" != - ] && command -v "$program" >/dev/null; } ||
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed'
}

command -v apt-get >/dev/null || exit 0
wanted=$build_packages
case ${1:-build} in
build) ;;
all) wanted+=$all_packages ;;
web) wanted+=$web_packages ;;
test) wanted+=$all_packages$test_packages ;;
test-all) wanted+=$all_packages$web_packages$test_packages$test_all_packages ;;
nightly) wanted+=$all_packages$web_packages$test_packages$test_all_packages$nightly_packages ;;
*)
    echo "setup.sh: '$1' is not build, all, web, test, test-all or nightly" >&2
    exit 2
    ;;
esac
missing=()
while read -r package program; do
    [ -z "$package" ] || is_installed "$package" "$program" || missing+=("$package")
done <<<"$wanted"
[ ${#missing[@]} -gt 0 ] || exit 0

install=(apt-get install -y --no-install-recommends "${missing[@]}")
as_root=(env DEBIAN_FRONTEND=noninteractive)
if [ "$(id -u)" != 0 ]; then
    # sudo helps if it needs no password, or if there is a terminal to ask for one
    if ! command -v sudo >/dev/null || ! { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
        echo "Missing packages. Run as root:" >&2
        echo "${install[*]}" >&2
        exit 2
    fi
    as_root=(sudo "${as_root[@]}")
fi
echo "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" "${install[@]}"; } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "could not install: ${install[*]}" >&2
    exit 2
fi
