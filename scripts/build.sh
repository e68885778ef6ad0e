#!/usr/bin/env bash
# Configures and builds: `build.sh FOLDER [TARGET] [-DNAME=VALUE ...]`. Says nothing if all is well.
# A new folder takes its compilers from CC and CXX, else gcc. Warnings are errors if CI is set. The
# tests, and other people's programs to compare with, are left out unless -DGRAZE_BUILD_TESTS=ON and
# -DGRAZE_BUILD_PEERS=ON were given once for that folder.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$1
shift
target=all
if [ $# -gt 0 ] && [[ $1 != -* ]]; then
    target=$1
    shift
fi
options=("-DGRAZE_WERROR=${CI:+ON}" "$@")
if [ -n "${CI:-}" ]; then # nobody debugs there: lines without variables are compiled a quarter faster
    options=("-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG" "${options[@]}")
fi
if [ ! -e "$folder/CMakeCache.txt" ]; then
    export CC=${CC:-gcc} CXX=${CXX:-g++}
    options=(-DGRAZE_BUILD_TESTS=OFF -DGRAZE_BUILD_PEERS=OFF "${options[@]}")
    if command -v ninja >/dev/null; then
        options=(-G Ninja "${options[@]}")
    fi
fi

jobs=$(nproc 2>/dev/null || sysctl -n hw.ncpu)
mkdir -p "$folder"
log=$folder/build.log
if ! { cmake -S . -B "$folder" "${options[@]}" &&
    cmake --build "$folder" --target "$target" --parallel "$jobs"; } >"$log" 2>&1; then
    # Ninja and make both go on with other files after an error: show the errors, then the end.
    grep -E -A 4 'error:|Error at|undefined reference' "$log" | head -n 60 >&2 || tail -n 40 "$log" >&2
    echo "the build failed; all of it is in $log" >&2
    exit 1
fi
grep -E -A 4 'warning:' "$log" >&2 || true
