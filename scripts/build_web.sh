#!/usr/bin/env bash
# Builds the modules and the npm package: `build_web.sh [BUILD]` leaves the package in
# BUILD/web/graze, viewer.wasm, for web/graze-view, in BUILD/web/wasm, and the viewer in
# BUILD/web/viewer.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
package=$build/web/graze

mkdir -p "$build/web"
log=$build/web/build.log
build_module() {
    [ -e "$build/web/wasm/CMakeCache.txt" ] || cmake -G Ninja -S web/wasm -B "$build/web/wasm" \
        -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/machines/wasm.cmake" -DCMAKE_BUILD_TYPE=Release \
        -DGRAZE_WERROR="${CI:+ON}" || return
    cmake --build "$build/web/wasm" --parallel "$(nproc)"
}
if ! build_module >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "the build failed; all of it is in $log" >&2
    exit 1
fi

rm -rf "$package"
mkdir -p "$package"
cp web/graze/*.js web/graze/*.d.ts web/graze/README.md LICENSE "$build"/web/wasm/{graze,rig}.wasm "$package"
version=$(sed -nE 's/^#define GRAZE_VERSION_[A-Z]+ ([0-9]+)$/\1/p' include/graze/base.h | paste -sd.)
sed "s/\"version\": \"0.0.0\"/\"version\": \"$version\"/" web/graze/package.json >"$package/package.json"
for module in "$package"/*.wasm; do
    # the same as text, for graze/inline and graze/rig/inline
    printf 'export default "%s";\n' "$(gzip -9nc "$module" | base64 -w 0)" >"$module.js"
    echo "$module: $(gzip -9c "$module" | wc -c) bytes, compressed"
done
scripts/build_viewer.sh "$build"
